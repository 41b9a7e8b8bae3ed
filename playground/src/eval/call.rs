//! Expressions, and operators by their laws: what is known to be 0 annihilates, and what is known to change nothing is left
//! out, as rules do it when a kernel is compiled. `#![strict]` leaves floats as Rust computes them.

use super::{declared, Eval, Result, Source, Traced};
use crate::rust::Rust;
use crate::value::{apply, Val};
use looplets_core::cin::*;
use looplets_core::decl::operator::{Law, OperatorDecl};
use looplets_core::decl::Constant;
use looplets_core::kernel::*;
use looplets_core::methods::Zero;

impl Eval<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, e: &Expr) -> Result<Traced> {
        match e {
            Expr::Lit(lit) => Ok(Traced::known(literal(lit))),
            Expr::Var(v) => self.var(*v),
            Expr::Access(id) => {
                let kernel = self.kernel;
                self.read(kernel.get(*id))
            }
            Expr::Raw(id) => self.raw(*id),
            Expr::Call(op, args) => self.call(e, op, args),
            Expr::Load(..) | Expr::Array(_) => {
                Err("an array of a level is not evaluated here".into())
            }
        }
    }

    fn call(&mut self, e: &Expr, op: &Op, args: &[Expr]) -> Result<Traced> {
        let kernel = self.kernel;
        let ty = kernel.type_of(e).unwrap_or(Ty::Unknown);
        match op {
            Op::IfElse => {
                let cond = self.eval(&args[0])?;
                if cond.val == Val::Missing {
                    return Ok(cond);
                }
                let chosen = self.eval(&args[if cond.val.truth() { 1 } else { 2 }])?;
                let from = if cond.from == Source::Data { Source::Data } else { chosen.from };
                return Ok(Traced { val: chosen.val.to(&ty)?, from });
            }
            Op::Coalesce => {
                for a in args {
                    let one = self.eval(a)?;
                    if one.val != Val::Missing {
                        return Ok(Traced { val: one.val.to(&ty)?, from: one.from });
                    }
                }
                return Ok(Traced::known(Val::Missing));
            }
            _ => {}
        }
        // What is annihilated need not be there: a condition on indices stands before what it guards.
        let (mut values, mut failed) = (Vec::new(), None);
        for a in args {
            match self.eval(a) {
                Ok(value) => values.push(value),
                Err(stop) => failed = failed.or(Some(stop)),
            }
        }
        if let Some(stop) = failed {
            let zero = |v: &Traced| v.is_known(0.0);
            let ends = matches!(op, Op::Mul | Op::And | Op::BitAnd) && values.iter().any(zero);
            let holds = *op == Op::Or && values.iter().any(|v| v.is_known(1.0));
            return match (ends, holds) {
                (true, _) => Ok(Traced::known(Val::Int(0).to(&ty)?)),
                (_, true) => Ok(Traced::known(Val::Bool(true))),
                _ => Err(stop),
            };
        }
        if values.iter().any(|v| v.val == Val::Missing) {
            return Ok(Traced::known(Val::Missing));
        }
        if let Some(name) = op.key() {
            return self.function(name, args, &values, &ty);
        }
        let meet = kernel.join_all(args).unwrap_or(Ty::Index);
        self.apply(op, &values, &ty, &meet)
    }

    /// `op` of values, none of them missing.
    pub(super) fn apply(
        &mut self,
        op: &Op,
        values: &[Traced],
        ty: &Ty,
        meet: &Ty,
    ) -> Result<Traced> {
        if let Some(name) = op.key() {
            return self.function(name, &[], values, ty);
        }
        let zero = |v: &Traced| v.is_known(0.0);
        let floats = ty.is_float() || meet.is_float();
        let loose = !(self.kernel.strict && floats);
        let annihilated = match op {
            Op::Mul | Op::BitAnd => values.iter().any(zero),
            Op::Div | Op::Rem => zero(&values[0]),
            Op::Method(method) => match method.row().zero {
                Zero::Kept => zero(&values[0]),
                Zero::Power => zero(&values[0]) && values[1].val.float() > 0.0,
                Zero::Product => values.iter().any(zero),
                Zero::Sum | Zero::Other => false,
            },
            _ => false,
        };
        if annihilated && loose {
            let val = match op {
                Op::Method(method) if method.gives(meet) == Ty::Bool => Val::Bool(false),
                _ => Val::Int(0).to(ty)?,
            };
            return Ok(Traced::known(val));
        }
        // Values take the type that they meet in.
        let target = if op.is_comparison() { meet } else { ty };
        let converts = op.is_arithmetic()
            || op.is_comparison()
            || matches!(op, Op::Div | Op::Rem | Op::Min | Op::Max);
        let mut vals = Vec::new();
        for v in values {
            vals.push(if converts { v.val.clone().to(target)? } else { v.val.clone() });
        }
        // A difference is a sum with the negation.
        if *op == Op::Sub && floats && loose && zero(&values[0]) && !zero(&values[1]) {
            return Ok(Traced {
                val: apply(&Op::Neg, &vals[1..], ty, meet)?,
                from: values[1].from,
            });
        }
        if loose {
            let kept: Vec<usize> = (0..values.len())
                .filter(|k| {
                    !unit(op).is_some_and(|unit| {
                        values[*k].from == Source::Known && values[*k].val.is(unit)
                    })
                })
                .collect();
            if !kept.is_empty() && kept.len() < values.len() {
                let (values, vals): (Vec<_>, Vec<_>) =
                    kept.into_iter().map(|k| (values[k].clone(), vals[k].clone())).unzip();
                return Ok(Traced { val: apply(op, &vals, ty, meet)?, from: whence(op, &values) });
            }
        }
        Ok(Traced { val: apply(op, &vals, ty, meet)?, from: whence(op, values) })
    }

    /// Whether reducing by `op` with what is known to be `new` is known to leave everything as it is.
    pub(super) fn idle(&mut self, op: &Op, new: &Traced, ty: &Ty) -> bool {
        if new.from != Source::Known || self.kernel.strict && ty.is_float() {
            return false;
        }
        if let Some(name) = op.key() {
            let identity = self.kernel.identities.get(name).cloned();
            let identity = identity.and_then(|e| self.eval(&e).ok()?.val.to(ty).ok());
            return identity.is_some_and(|v| v.identical(&new.val));
        }
        let unit = match op {
            Op::Sub => Some(0.0),
            Op::Div => Some(1.0),
            op => unit(op),
        };
        unit.is_some_and(|unit| new.val.is(unit))
    }

    /// A function: a declared operator, whose laws tell what is known.
    fn function(
        &mut self,
        name: &str,
        args: &[Expr],
        values: &[Traced],
        ty: &Ty,
    ) -> Result<Traced> {
        let short = short_name(name);
        let decl = self.operator(short);
        if let Some(operator) = decl.as_deref().and_then(declared) {
            if let Some(known) = self.by_law(operator, args, values, ty)? {
                return Ok(known);
            }
        }
        let Some(function) = self.functions.get(short) else {
            return Err(format!("`{short}` is a function of the Rust around, which this page does not have: declare it by `operator!`, with its body").into());
        };
        let vals: Vec<Val> = values.iter().map(|v| v.val.clone()).collect();
        self.steps += 10;
        let mut rust = Rust { functions: self.functions, left: 10_000 };
        // A call of more arguments than it has is one of two after the other.
        let takes = function.sig.inputs.len();
        let mut val = rust.call(function, &vals[..takes.min(vals.len())])?;
        if takes == 2 {
            for next in vals.iter().skip(2) {
                val = rust.call(function, &[val, next.clone()])?;
            }
        }
        let from = values.iter().map(|v| v.from).max().unwrap_or(Source::Known);
        Ok(Traced { val: val.to(ty)?, from })
    }

    /// What the laws of an operator say of values that are known.
    fn by_law(
        &mut self,
        operator: &OperatorDecl,
        args: &[Expr],
        values: &[Traced],
        ty: &Ty,
    ) -> Result<Option<Traced>> {
        for (law, inexact) in &operator.laws {
            if *inexact && self.kernel.strict {
                continue;
            }
            match law {
                Law::Annihilator(constant, place) => {
                    let Constant::Lit(lit, _) = constant else { continue };
                    let value = literal(lit).to(ty)?;
                    let is = |v: &Traced| v.from == Source::Known && v.val.float() == value.float();
                    let met = match place {
                        Some(k) => values.get(*k).is_some_and(is),
                        None => values.iter().any(is),
                    };
                    if met {
                        return Ok(Some(Traced::known(value)));
                    }
                }
                Law::Space(space, otherwise) => {
                    let stored = |name: &syn::Ident| {
                        let k = operator.args.iter().position(|a| a.name == *name)?;
                        Some(values.get(k)?.from == Source::Data)
                    };
                    if holds(space, &stored) != Some(false) {
                        continue;
                    }
                    let val = match otherwise {
                        Some(Constant::Lit(lit, _)) => literal(lit),
                        Some(Constant::Marker(path)) => {
                            let name = path.get_ident();
                            let place = operator.args.iter().position(|a| Some(&a.name) == name);
                            let Some(arg) = place.and_then(|k| args.get(k)) else { continue };
                            let outer = std::mem::replace(&mut self.at_fill, true);
                            let fill = self.eval(arg);
                            self.at_fill = outer;
                            fill?.val
                        }
                        None => Val::Int(0),
                    };
                    return Ok(Some(Traced::known(val.to(ty)?)));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// The name of a function as it is declared: without the path to it, and what tells it from others of its name.
pub fn short_name(name: &str) -> &str {
    let plain = name.split('#').next().unwrap_or(name);
    plain.rsplit("::").next().unwrap_or(plain).trim()
}

/// What leaves the other operands of a call as they are.
fn unit(op: &Op) -> Option<f64> {
    match op {
        Op::Add | Op::BitOr | Op::BitXor | Op::Or => Some(0.0),
        Op::Mul | Op::And => Some(1.0),
        Op::Min => Some(f64::INFINITY),
        Op::Max => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Where the result of a call comes from: comparisons of indices cut loops, so they are known.
fn whence(op: &Op, values: &[Traced]) -> Source {
    match values.iter().map(|v| v.from).max().unwrap_or(Source::Known) {
        Source::Index if op.is_predicate() => Source::Known,
        from => from,
    }
}

fn literal(lit: &Lit) -> Val {
    match lit {
        Lit::Bool(b) => Val::Bool(*b),
        Lit::Int(n) => Val::Int(*n),
        Lit::Float(bits) => Val::Float(f64::from_bits(*bits)),
        Lit::Missing => Val::Missing,
    }
}

/// Whether an expression of sets holds where `stored` says which arguments are stored.
fn holds(e: &syn::Expr, stored: &dyn Fn(&syn::Ident) -> Option<bool>) -> Option<bool> {
    match e {
        syn::Expr::Paren(inner) => holds(&inner.expr, stored),
        syn::Expr::Group(inner) => holds(&inner.expr, stored),
        syn::Expr::Path(path) => stored(path.path.get_ident()?),
        syn::Expr::Unary(not) => Some(!holds(&not.expr, stored)?),
        syn::Expr::Binary(two) => {
            let (a, b) = (holds(&two.left, stored)?, holds(&two.right, stored)?);
            match two.op {
                syn::BinOp::BitAnd(_) | syn::BinOp::And(_) => Some(a && b),
                syn::BinOp::BitOr(_) | syn::BinOp::Or(_) => Some(a || b),
                syn::BinOp::BitXor(_) => Some(a != b),
                _ => None,
            }
        }
        _ => None,
    }
}
