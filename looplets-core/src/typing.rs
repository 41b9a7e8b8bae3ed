//! The types of terms: what the rows of operators, the header and the functions of a kernel say together.

use crate::cin::*;
use crate::kernel::{Function, Kernel};
use crate::ops::Typing;
use crate::types::{join, Ty};

impl Kernel {
    /// The type of `e`; `None` for a literal, which takes the type of what it meets.
    pub fn type_of(&self, e: &Expr) -> Option<Ty> {
        match e {
            Expr::Lit(Lit::Bool(_)) => Some(Ty::Bool),
            Expr::Lit(_) => None,
            Expr::Var(v) => Some(self.info(*v).ty.clone()),
            Expr::Load(a, _) => Some(self.arrays[a.0 as usize].elem.clone()),
            Expr::Array(_) => Some(Ty::Unknown),
            Expr::Access(a) => Some(self.tensor(self.get(*a).tensor).value.clone()),
            Expr::Raw(r) => Some(self.raws[r.0 as usize].ty.clone()),
            Expr::Call(op, args) => self.type_of_call(op, args),
        }
    }
    /// The type of a call of `op`.
    pub fn type_of_call(&self, op: &Op, args: &[Expr]) -> Option<Ty> {
        match op.row().typing {
            Typing::Bool => Some(Ty::Bool),
            // Bools are counted as coordinates are.
            Typing::Number => match self.join_all(args) {
                Some(Ty::Bool) => Some(Ty::Index),
                other => other,
            },
            Typing::Meet => self.join_all(args),
            Typing::Branches => self.join_all(&args[1..]),
            Typing::First => self.type_of(&args[0]),
            Typing::Index => Some(Ty::Index),
            Typing::Open => None,
            Typing::Own => match op {
                Op::Method(method) => match self.type_of(&args[0]) {
                    // Literals take the type of what they meet.
                    None if method.gives(&Ty::Unknown) == Ty::Unknown => None,
                    Some(Ty::Index | Ty::Bool) => Some(method.gives(&Ty::named("f64"))),
                    own => Some(method.gives(&own.unwrap_or(Ty::Unknown))),
                },
                Op::Cast(ty) | Op::As(ty) | Op::Fit(ty) | Op::Own(ty) => Some(ty.clone()),
                Op::Constant(key) => {
                    Some(self.constants.get(&**key).map_or(Ty::Unknown, |(_, ty)| ty.clone()))
                }
                Op::Function(key) => match self.functions.get(&**key) {
                    Some(Function { like: Some(k), .. }) => {
                        // Of literals alone, as of an operator's other arguments.
                        let own = args.get(*k).and_then(|a| self.type_of(a));
                        own.or_else(|| self.join_all(args))
                    }
                    f => Some(f.map_or(Ty::Unknown, |f| f.gives.clone())),
                },
                _ => Some(Ty::Unknown),
            },
        }
    }
    /// The type that all of `args` meet in.
    pub fn join_all(&self, args: &[Expr]) -> Option<Ty> {
        args.iter().fold(None, |acc, a| match (acc, self.type_of(a)) {
            (None, t) | (t, None) => t,
            (Some(a), Some(b)) => Some(join(&a, &b)),
        })
    }
}
