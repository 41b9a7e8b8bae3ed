//! What a term means: a direct reading of the house semantics, knowing nothing of the rules.

use super::{access_parts, var_name, Term};
use looplets_core::cin::{Expr, Lit, Stmt, VarId};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
pub enum Value {
    Bool(bool),
    Int(i128),
    Float(f64),
    Missing,
}
use Value::{Bool, Float, Int, Missing};

impl Value {
    pub fn float(self) -> f64 {
        match self {
            Bool(b) => f64::from(u8::from(b)),
            Int(n) => n as f64,
            Float(x) => x,
            Missing => panic!("missing is no number"),
        }
    }
    fn number(self) -> Value {
        match self {
            Bool(b) => Int(b.into()),
            v => v,
        }
    }
    /// Equal as results: of one sort, signs of zero and payloads of NaN apart.
    pub fn same(self, other: Value) -> bool {
        match (self, other) {
            (Bool(a), Bool(b)) => a == b,
            (Missing, Missing) => true,
            (Bool(_) | Missing, _) | (_, Bool(_) | Missing) => false,
            (a, b) => a.float() == b.float() || (a.float().is_nan() && b.float().is_nan()),
        }
    }
}

/// An access out of bounds, or a division by zero: the program has no meaning.
#[derive(Debug)]
pub struct Trap;
type Result<T> = std::result::Result<T, Trap>;

/// A place: the name of a variable, tensor or array, and an index.
pub type Place = (char, i128);

#[derive(Clone, Debug)]
pub struct State {
    pub memory: BTreeMap<Place, Value>,
    pub written: Vec<Place>,
    pub raw: f64,
}

/// What a term does or is worth in a state.
pub fn run(t: &Term, state: &mut State) -> Result<Option<Value>> {
    match t {
        Term::Expr(e) => state.expr(e).map(Some),
        Term::Stmt(s) => state.stmt(s).map(|()| None),
    }
}

impl State {
    fn place(&self, e: &Expr) -> Result<Place> {
        Ok(match e {
            Expr::Var(v) => (var_name(*v), 0),
            Expr::Access(a) => {
                let (tensor, index) = access_parts(*a);
                (tensor, index.map_or(Ok(1), |v| self.index(&Expr::Var(v)))?)
            }
            Expr::Load(a, e) => (['a', 'v'][a.0 as usize], self.index(e)?),
            _ => panic!("{e:?} is no place"),
        })
    }

    fn index(&self, e: &Expr) -> Result<i128> {
        match self.expr(e)? {
            Int(n) => Ok(n),
            _ => Err(Trap),
        }
    }

    fn expr(&self, e: &Expr) -> Result<Value> {
        Ok(match e {
            Expr::Lit(Lit::Bool(b)) => Bool(*b),
            Expr::Lit(Lit::Int(n)) => Int(*n),
            Expr::Lit(Lit::Float(bits)) => Float(f64::from_bits(*bits)),
            Expr::Lit(Lit::Missing) => Missing,
            Expr::Raw(_) => Float(self.raw),
            Expr::Load(_, i) if matches!(self.expr(i)?, Missing) => Missing,
            Expr::Var(_) | Expr::Access(_) | Expr::Load(..) => {
                *self.memory.get(&self.place(e)?).ok_or(Trap)?
            }
            Expr::Array(_) => panic!("an array is no value"),
            Expr::Call(op, args) => self.call(&op.name(), args)?,
        })
    }

    fn call(&self, op: &str, args: &[Expr]) -> Result<Value> {
        match op {
            "nan" => return Ok(Float(f64::NAN)),
            "ifelse" => {
                return Ok(match self.expr(&args[0])? {
                    Missing => Missing,
                    Bool(c) => self.expr(&args[if c { 1 } else { 2 }])?,
                    _ => return Err(Trap),
                })
            }
            "coalesce" => {
                for a in args {
                    match self.expr(a)? {
                        Missing => {}
                        found => return Ok(found),
                    }
                }
                return Ok(Missing);
            }
            "and" | "or" => {
                let mut result = op == "and";
                for a in args {
                    // Once decided, the rest is not evaluated, save that `missing` is absorbed.
                    let decided = result != (op == "and");
                    match self.expr(a) {
                        Ok(Missing) => return Ok(Missing),
                        _ if decided => {}
                        Ok(Bool(b)) => result = b,
                        _ => return Err(Trap),
                    }
                }
                return Ok(Bool(result));
            }
            _ => {}
        }
        let values = args.iter().map(|a| self.expr(a)).collect::<Result<Vec<_>>>()?;
        if values.iter().any(|v| matches!(v, Missing)) {
            return Ok(Missing);
        }
        apply(op, &values)
    }

    fn stmt(&mut self, s: &Stmt) -> Result<()> {
        match s {
            Stmt::Pass => Ok(()),
            Stmt::Seq(all) => all.iter().try_for_each(|s| self.stmt(s)),
            Stmt::Sieve { cond, then, otherwise } => match self.expr(cond)? {
                Bool(true) => self.stmt(then),
                Bool(false) => self.stmt(otherwise),
                _ => Err(Trap),
            },
            Stmt::Loop { index, lo, hi, body, .. } => {
                let (lo, hi) = (self.index(lo)?, self.index(hi)?);
                // Too long to wait for is no meaning for these tests.
                if hi - lo > 60 {
                    return Err(Trap);
                }
                for i in lo..hi {
                    self.scoped(*index, Int(i), body)?;
                }
                Ok(())
            }
            Stmt::Let { var, value, body } => {
                let value = self.expr(value)?;
                self.scoped(*var, value, body)
            }
            Stmt::Where { consumer, producer, local } => {
                let name = |t: u32| super::TENSORS.chars().nth(t as usize).unwrap();
                let mine: Vec<Place> = self
                    .memory
                    .keys()
                    .filter(|p| local.iter().any(|t| name(t.0) == p.0))
                    .copied()
                    .collect();
                let before = self.memory.clone();
                for p in &mine {
                    self.memory.insert(*p, Float(0.0));
                }
                self.stmt(producer)?;
                self.stmt(consumer)?;
                for p in mine {
                    self.memory.insert(p, before[&p]);
                    self.written.retain(|w| *w != p);
                }
                Ok(())
            }
            Stmt::Assign { target, op, value } => {
                let new = self.expr(value)?;
                let place = self.place(target)?;
                let old = *self.memory.get(&place).ok_or(Trap)?;
                let new = match op {
                    _ if matches!(new, Missing) => return Ok(()),
                    None => new,
                    Some(_) if matches!(old, Missing) => return Ok(()),
                    Some(op) => apply(&op.name(), &[old, new])?,
                };
                let new = match (old, new) {
                    (Float(_) | Missing, v) => Float(v.float()),
                    (Int(_), Float(_)) => return Err(Trap),
                    (Int(_), v) => v.number(),
                    (Bool(_), Bool(b)) => Bool(b),
                    (Bool(_), _) => return Err(Trap),
                };
                self.memory.insert(place, new);
                self.written.push(place);
                Ok(())
            }
        }
    }

    fn scoped(&mut self, v: VarId, value: Value, body: &Stmt) -> Result<()> {
        let place = (var_name(v), 0);
        let old = self.memory.insert(place, value);
        self.stmt(body)?;
        match old {
            Some(old) => self.memory.insert(place, old),
            None => self.memory.remove(&place),
        };
        Ok(())
    }
}

/// A method of floats.
fn of_float(name: &str) -> fn(f64) -> f64 {
    match name {
        "cbrt" => f64::cbrt,
        "asin" => f64::asin,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "asinh" => f64::asinh,
        "atanh" => f64::atanh,
        "exp_m1" => f64::exp_m1,
        "ln_1p" => f64::ln_1p,
        "cosh" => f64::cosh,
        "exp2" => f64::exp2,
        "round_ties_even" => f64::round_ties_even,
        "fract" => f64::fract,
        "to_degrees" => f64::to_degrees,
        "to_radians" => f64::to_radians,
        _ => unreachable!("{name}"),
    }
}

/// A method of integers.
fn of_integers(name: &str, a: i64, b: i64) -> Result<Value> {
    let n = || u32::try_from(b).map_err(|_| Trap);
    let int = |n: i64| Ok(Int(n.into()));
    match name {
        "count_ones" => int(a.count_ones().into()),
        "swap_bytes" => int(a.swap_bytes()),
        "reverse_bits" => int(a.reverse_bits()),
        "unsigned_abs" => Ok(Int(a.unsigned_abs().into())),
        "wrapping_neg" => int(a.wrapping_neg()),
        "wrapping_abs" => int(a.wrapping_abs()),
        "saturating_neg" => int(a.saturating_neg()),
        "saturating_abs" => int(a.saturating_abs()),
        "is_power_of_two" => Ok(Bool(a > 0 && (a as u64).is_power_of_two())),
        "wrapping_pow" => int(a.wrapping_pow(n()?)),
        "saturating_pow" => int(a.saturating_pow(n()?)),
        "rotate_left" => int(a.rotate_left(n()?)),
        "rotate_right" => int(a.rotate_right(n()?)),
        "wrapping_shl" => int(a.wrapping_shl(n()?)),
        "wrapping_shr" => int(a.wrapping_shr(n()?)),
        "wrapping_mul" => int(a.wrapping_mul(b)),
        "saturating_mul" => int(a.saturating_mul(b)),
        "wrapping_add" => int(a.wrapping_add(b)),
        "saturating_add" => int(a.saturating_add(b)),
        "wrapping_sub" => int(a.wrapping_sub(b)),
        "saturating_sub" => int(a.saturating_sub(b)),
        "abs_diff" => Ok(Int(a.abs_diff(b).into())),
        "wrapping_div" if b != 0 => int(a.wrapping_div(b)),
        "wrapping_rem" if b != 0 => int(a.wrapping_rem(b)),
        _ => Err(Trap),
    }
}

fn apply(op: &str, args: &[Value]) -> Result<Value> {
    let (a, rest) = args.split_first().ok_or(Trap)?;
    let fold =
        |f: &dyn Fn(Value, Value) -> Result<Value>| rest.iter().try_fold(*a, |a, b| f(a, *b));
    let ints = |f: fn(i128, i128) -> Option<i128>, g: fn(f64, f64) -> f64| {
        fold(&|a, b| match (a.number(), b.number()) {
            (Int(a), Int(b)) => f(a, b).map(Int).ok_or(Trap),
            (a, b) => Ok(Float(g(a.float(), b.float()))),
        })
    };
    let bits = |f: fn(i128, i128) -> i128| {
        fold(&|a, b| match (a, b) {
            (Bool(a), Bool(b)) => Ok(Bool(f(a.into(), b.into()) != 0)),
            (Float(_), _) | (_, Float(_)) => Err(Trap),
            (a, b) => match (a.number(), b.number()) {
                (Int(a), Int(b)) => Ok(Int(f(a, b))),
                _ => Err(Trap),
            },
        })
    };
    let order = || match (*a, rest[0]) {
        (Bool(a), Bool(b)) => Ok(a.partial_cmp(&b)),
        (Int(a), Int(b)) => Ok(a.partial_cmp(&b)),
        (a, b) => Ok(a.float().partial_cmp(&b.float())),
    };
    let is = |f: fn(std::cmp::Ordering) -> bool| order().map(|o| Bool(o.is_some_and(f)));
    match op {
        "abs" => Ok(Float(a.float().abs())),
        "sqrt" => Ok(Float(a.float().sqrt())),
        "floor" => Ok(Float(a.float().floor())),
        "ceil" => Ok(Float(a.float().ceil())),
        "round" => Ok(Float(a.float().round())),
        "trunc" => Ok(Float(a.float().trunc())),
        "sin" => Ok(Float(a.float().sin())),
        "tan" => Ok(Float(a.float().tan())),
        "tanh" => Ok(Float(a.float().tanh())),
        "cos" => Ok(Float(a.float().cos())),
        "exp" => Ok(Float(a.float().exp())),
        "is_nan" => Ok(Bool(a.float().is_nan())),
        "is_infinite" => Ok(Bool(a.float().is_infinite())),
        "is_finite" => Ok(Bool(a.float().is_finite())),
        "cbrt" | "asin" | "atan" | "sinh" | "asinh" | "atanh" | "exp_m1" | "ln_1p" | "cosh"
        | "exp2" | "round_ties_even" | "fract" | "to_degrees" | "to_radians" => {
            Ok(Float(of_float(op)(a.float())))
        }
        "rem_euclid" => ints(i128::checked_rem_euclid, f64::rem_euclid),
        "div_euclid" => ints(i128::checked_div_euclid, f64::div_euclid),
        "count_ones" | "swap_bytes" | "reverse_bits" | "unsigned_abs" | "wrapping_neg"
        | "wrapping_abs" | "saturating_neg" | "saturating_abs" | "is_power_of_two"
        | "wrapping_pow" | "saturating_pow" | "rotate_left" | "rotate_right" | "wrapping_shl"
        | "wrapping_shr" | "wrapping_mul" | "saturating_mul" | "wrapping_add"
        | "saturating_add" | "wrapping_sub" | "saturating_sub" | "abs_diff" | "wrapping_div"
        | "wrapping_rem" => {
            let whole = |v: Value| match v {
                Int(n) => i64::try_from(n).map_err(|_| Trap),
                _ => Err(Trap),
            };
            let b = rest.first().map_or(Ok(0), |b| whole(*b))?;
            of_integers(op, whole(*a)?, b)
        }
        "powi" | "powf" => Ok(Float(a.float().powf(rest[0].float()))),
        // A pair is one number: its first part decides by far.
        "tuple" => Ok(Float(a.float() * 1e6 + rest.iter().map(|r| r.float()).sum::<f64>())),
        "minby" if rest[0].float() < a.float() - 1e5 => Ok(rest[0]),
        "maxby" if rest[0].float() > a.float() + 1e5 => Ok(rest[0]),
        "minby" | "maxby" => Ok(*a),
        "+" if rest.is_empty() => Ok(a.number()),
        "*" if rest.is_empty() => Ok(a.number()),
        "+" => ints(i128::checked_add, |a, b| a + b),
        "-" => ints(i128::checked_sub, |a, b| a - b),
        "*" => ints(i128::checked_mul, |a, b| a * b),
        "times:" => ints(i128::checked_mul, |a, b| a * b),
        "pow:" => match (a.number(), rest[0].number()) {
            (Int(a), Int(n)) => {
                let n = u32::try_from(n).map_err(|_| Trap)?;
                a.checked_pow(n).map(Int).ok_or(Trap)
            }
            (a, n) => Ok(Float(a.float().powf(n.float()))),
        },
        "/" => ints(i128::checked_div, |a, b| a / b),
        "%" => ints(i128::checked_rem, |a, b| a % b),
        "<<" | ">>" => match (a.number(), rest[0].number()) {
            (Int(a), Int(by)) => {
                let by = u32::try_from(by).ok().filter(|by| *by < 64).ok_or(Trap)?;
                Ok(Int(if op == "<<" { a << by } else { a >> by }))
            }
            _ => Err(Trap),
        },
        "min" => fold(&|a, b| match (a, b) {
            (Bool(a), Bool(b)) => Ok(Bool(a & b)),
            (Int(a), Int(b)) => Ok(Int(a.min(b))),
            (Bool(_), _) | (_, Bool(_)) => Err(Trap),
            (a, b) => Ok(Float(a.float().min(b.float()))),
        }),
        "max" => fold(&|a, b| match (a, b) {
            (Bool(a), Bool(b)) => Ok(Bool(a | b)),
            (Int(a), Int(b)) => Ok(Int(a.max(b))),
            (Bool(_), _) | (_, Bool(_)) => Err(Trap),
            (a, b) => Ok(Float(a.float().max(b.float()))),
        }),
        "neg" => ints(i128::checked_sub, |a, b| a - b).and(match a.number() {
            Int(a) => Ok(Int(-a)),
            a => Ok(Float(-a.float())),
        }),
        "not" => match a {
            Bool(a) => Ok(Bool(!a)),
            Int(a) => Ok(Int(!a)),
            _ => Err(Trap),
        },
        "and" => bits(|a, b| a & b),
        "or" => bits(|a, b| a | b),
        "&" => bits(|a, b| a & b),
        "|" => bits(|a, b| a | b),
        "^" => bits(|a, b| a ^ b),
        "<" => is(|o| o.is_lt()),
        "<=" => is(|o| o.is_le()),
        ">" => is(|o| o.is_gt()),
        ">=" => is(|o| o.is_ge()),
        "==" => is(|o| o.is_eq()),
        "!=" => order().map(|o| Bool(o.is_none_or(|o| o.is_ne()))),
        _ => Ok(Float(args.iter().map(|a| a.float()).sum::<f64>() * 3.0 + 1.0)),
    }
}
