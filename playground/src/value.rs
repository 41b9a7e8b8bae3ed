//! Values of the evaluator, and what operators make of them: numbers of every type that Rust has, as Rust computes them.

use looplets_core::cin::Op;
use looplets_core::types::{primitive, Ty};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// The absent value.
    Missing,
    /// A `bool`.
    Bool(bool),
    /// A whole number of any type.
    Int(i128),
    /// A float; one of `f32` is rounded to that.
    Float(f64),
    /// Values side by side, for `minby` and `maxby`.
    Tuple(Vec<Val>),
}

impl Val {
    /// As a float.
    pub fn float(&self) -> f64 {
        match self {
            Val::Bool(b) => f64::from(u8::from(*b)),
            Val::Int(n) => *n as f64,
            Val::Float(x) => *x,
            Val::Missing | Val::Tuple(_) => f64::NAN,
        }
    }
    /// As a whole number, cut.
    pub fn int(&self) -> i128 {
        match self {
            Val::Bool(b) => i128::from(*b),
            Val::Int(n) => *n,
            Val::Float(x) => *x as i128,
            Val::Missing | Val::Tuple(_) => 0,
        }
    }
    /// Whether it holds, of a condition.
    pub fn truth(&self) -> bool {
        match self {
            Val::Bool(b) => *b,
            Val::Int(n) => *n != 0,
            Val::Float(x) => *x != 0.0,
            Val::Missing | Val::Tuple(_) => false,
        }
    }
    /// Whether it is a number that equals `n`; of `bool`s, 0 is `false`.
    pub fn is(&self, n: f64) -> bool {
        !matches!(self, Val::Missing | Val::Tuple(_)) && self.float() == n
    }
    /// Whether it is `other` to the last bit; a NaN is itself.
    pub fn identical(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Float(a), Val::Float(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Val::Tuple(a), Val::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.identical(b))
            }
            (a, b) => a == b,
        }
    }
    /// The same as a value of type `ty`, as where types meet. What does not fit a type of whole numbers is an error.
    pub fn to(self, ty: &Ty) -> Result<Val, String> {
        Ok(match (self, ty) {
            (Val::Missing, _) => Val::Missing,
            (v @ Val::Tuple(_), _) => v,
            (v, Ty::Bool) => Val::Bool(v.truth()),
            (v, Ty::Named(name)) if name == "f32" => Val::Float(f64::from(v.float() as f32)),
            (v, Ty::Named(name)) if name == "f64" => Val::Float(v.float()),
            (v, Ty::Named(name)) if primitive(name) => Val::Int(within(v.int(), ty)?),
            (v @ Val::Bool(_), Ty::Index) => Val::Int(v.int()),
            (v, _) => v,
        })
    }
    /// The same as by `as`.
    pub fn cast(self, ty: &Ty) -> Val {
        match (self, ty.integers()) {
            (Val::Missing, _) => Val::Missing,
            (Val::Float(x), Some((least, most))) => {
                // A NaN is 0, and what is beyond is the last number there is.
                Val::Int((x as i128).clamp(least, most.unwrap_or(i128::MAX)))
            }
            (v, Some((least, most))) => Val::Int(wrapped(v.int(), least, most)),
            (v, None) => v.clone().to(ty).unwrap_or(v),
        }
    }
}

fn wrapped(n: i128, least: i128, most: Option<i128>) -> i128 {
    let Some(most) = most else { return n };
    let range = most - least + 1;
    if range <= 0 {
        return n;
    }
    (n - least).rem_euclid(range) + least
}

/// `n`, if the type has it.
pub fn within(n: i128, ty: &Ty) -> Result<i128, String> {
    match ty.integers() {
        Some((least, most)) if n < least || most.is_some_and(|most| n > most) => Err(format!(
            "{n} is no `{}`: the kernel would panic, or go round in release",
            ty.text()
        )),
        _ => Ok(n),
    }
}

/// `op` of values, none of them missing, whose result is of type `ty` and which meet in `meet`.
pub fn apply(op: &Op, args: &[Val], ty: &Ty, meet: &Ty) -> Result<Val, String> {
    let float = meet.is_float() || args.iter().any(|a| matches!(a, Val::Float(_)));
    let fold = |whole: fn(i128, i128) -> Option<i128>, of_floats: fn(f64, f64) -> f64| {
        let (first, rest) = args.split_first().ok_or("an operator of nothing")?;
        if float {
            let single = *ty == Ty::named("f32");
            let step = |a: f64, b: &Val| match of_floats(a, b.float()) {
                x if single => f64::from(x as f32),
                x => x,
            };
            return Ok(Val::Float(rest.iter().fold(first.float(), step)));
        }
        let mut all = first.int();
        for b in rest {
            let next = whole(all, b.int());
            all = within(
                next.ok_or(
                    "the kernel would panic here: a division by 0, or a number that is too large",
                )?,
                ty,
            )?;
        }
        Ok(Val::Int(all))
    };
    let bools = args.iter().all(|a| matches!(a, Val::Bool(_)));
    let bits = |f: fn(i128, i128) -> i128| {
        let all = args.iter().map(Val::int).reduce(f).unwrap_or(0);
        if bools {
            Val::Bool(all != 0)
        } else {
            Val::Int(all)
        }
    };
    let compare = |of_floats: fn(&f64, &f64) -> bool, whole: fn(&i128, &i128) -> bool| {
        let [a, b] = args else { return Err("a comparison is of two".to_owned()) };
        Ok(Val::Bool(match float {
            true => of_floats(&a.float(), &b.float()),
            false => whole(&a.int(), &b.int()),
        }))
    };
    let shift = |left: bool| {
        let ([a, by], Some((least, most))) = (args, ty.integers()) else {
            return Err("a shift is of whole numbers".to_owned());
        };
        let width = most.map_or(128, |most| 128 - (most - least).leading_zeros());
        match u32::try_from(by.int()).ok().filter(|by| *by < width) {
            Some(by) if left => Ok(Val::Int(wrapped(a.int() << by, least, most))),
            Some(by) => Ok(Val::Int(a.int() >> by)),
            None => Err(format!("a shift by {} of `{}`", by.int(), ty.text())),
        }
    };
    match op {
        Op::Add => fold(i128::checked_add, |a, b| a + b),
        Op::Sub => fold(i128::checked_sub, |a, b| a - b),
        Op::Mul => fold(i128::checked_mul, |a, b| a * b),
        Op::Div => fold(i128::checked_div, |a, b| a / b),
        Op::Rem => fold(i128::checked_rem, |a, b| a % b),
        Op::Min | Op::Max if bools => Ok(match op {
            Op::Min => Val::Bool(args.iter().all(Val::truth)),
            _ => Val::Bool(args.iter().any(Val::truth)),
        }),
        Op::Min => fold(|a, b| Some(a.min(b)), f64::min),
        Op::Max => fold(|a, b| Some(a.max(b)), f64::max),
        Op::Neg if float => Ok(Val::Float(-args[0].float())),
        Op::Neg => within(-args[0].int(), ty).map(Val::Int),
        Op::Not => Ok(match (&args[0], ty.integers()) {
            (Val::Int(n), Some((0, Some(most)))) => Val::Int(most - n),
            (Val::Int(n), _) => Val::Int(!n),
            (v, _) => Val::Bool(!v.truth()),
        }),
        Op::And => Ok(Val::Bool(args.iter().all(Val::truth))),
        Op::Or => Ok(Val::Bool(args.iter().any(Val::truth))),
        Op::BitAnd => Ok(bits(|a, b| a & b)),
        Op::BitOr => Ok(bits(|a, b| a | b)),
        Op::BitXor => Ok(bits(|a, b| a ^ b)),
        Op::Shl => shift(true),
        Op::Shr => shift(false),
        Op::Eq => compare(f64::eq, i128::eq),
        Op::Ne => compare(f64::ne, i128::ne),
        Op::Lt => compare(f64::lt, i128::lt),
        Op::Le => compare(f64::le, i128::le),
        Op::Gt => compare(f64::gt, i128::gt),
        Op::Ge => compare(f64::ge, i128::ge),
        Op::Identical => Ok(Val::Bool(args[0].identical(&args[1]))),
        Op::MinBy => Ok(by_first(args, "<")),
        Op::MaxBy => Ok(by_first(args, ">")),
        Op::Tuple => Ok(Val::Tuple(args.to_vec())),
        Op::CeilDiv => Ok(Val::Int(-((-args[0].int()).div_euclid(args[1].int().max(1))))),
        Op::Index | Op::During | Op::Usize | Op::Cast(_) => args[0].clone().to(ty),
        Op::Fit(ty) | Op::Own(ty) | Op::As(ty) => Ok(args[0].clone().cast(ty)),
        Op::Nan => Ok(Val::Float(f64::NAN)),
        Op::Method(method) => crate::methods::call(*method, args, &own(ty, meet, args)),
        other => Err(format!("`{}` is not evaluated here", other.name())),
    }
}

/// The type that a method is called on.
fn own(ty: &Ty, meet: &Ty, args: &[Val]) -> Ty {
    match meet {
        Ty::Named(name) if primitive(name) => meet.clone(),
        _ if matches!(args.first(), Some(Val::Float(_))) || ty.is_float() => Ty::named("f64"),
        _ => ty.clone(),
    }
}

/// The pair that comes first by its first part; of equal ones, the first.
fn by_first(args: &[Val], sign: &str) -> Val {
    let key = |v: &Val| match v {
        Val::Tuple(parts) => parts.first().map_or(f64::NAN, Val::float),
        v => v.float(),
    };
    let (old, new) = (key(&args[0]), key(&args[1]));
    let better = if sign == "<" { new < old } else { new > old };
    args[usize::from(better)].clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_limit_what_there_is() {
        let u8 = Ty::named("u8");
        assert!(apply(&Op::Add, &[Val::Int(200), Val::Int(100)], &u8, &u8).is_err());
        assert_eq!(Val::Float(-3.7).cast(&u8), Val::Int(0));
        assert_eq!(Val::Int(300).cast(&u8), Val::Int(44));
        assert_eq!(Val::Float(f64::NAN).cast(&u8), Val::Int(0));
        assert_eq!(Val::Int(200).cast(&Ty::named("i8")), Val::Int(-56));
        let third = Val::Float(1.0 / 3.0).to(&Ty::named("f32")).unwrap();
        assert_eq!(third, Val::Float(f64::from(1.0f32 / 3.0)));
        assert_eq!(apply(&Op::Not, &[Val::Int(1)], &u8, &u8), Ok(Val::Int(254)));
        assert!(apply(&Op::Div, &[Val::Int(1), Val::Int(0)], &u8, &u8).is_err());
        assert!(apply(&Op::Shl, &[Val::Int(1), Val::Int(8)], &u8, &u8).is_err());
        assert_eq!(apply(&Op::Shl, &[Val::Int(129), Val::Int(1)], &u8, &u8), Ok(Val::Int(2)));
    }

    #[test]
    fn floats_are_those_of_rust() {
        let f64 = Ty::named("f64");
        let of = |op: &Op, a: f64, b: f64| match apply(
            op,
            &[Val::Float(a), Val::Float(b)],
            &f64,
            &f64,
        ) {
            Ok(Val::Float(x)) => x,
            other => panic!("{other:?}"),
        };
        assert!(of(&Op::Mul, 0.0, f64::INFINITY).is_nan());
        assert_eq!(of(&Op::Min, f64::NAN, 2.0), 2.0);
        assert!(of(&Op::Add, -0.0, -0.0).is_sign_negative());
        assert_eq!(of(&Op::Rem, -7.5, 2.0), -1.5);
    }
}
