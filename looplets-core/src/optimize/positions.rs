//! Positions of elements as sums of products, whatever locals they are written by: how far it is from one to the next.

use crate::cin::*;
use crate::kir::Kir;
use crate::prove::Affine;
use std::collections::HashMap;

/// What the locals of `k` are, if each has one definition and none of them changes.
pub(super) fn lets(k: &Kir) -> Option<HashMap<VarId, Expr>> {
    let (mut all, mut once) = (HashMap::new(), true);
    k.walk(&mut |k| match k {
        Kir::Let { var, value, mutable } => {
            once &= !mutable && all.insert(*var, value.clone()).is_none();
        }
        Kir::Set { .. } => once = false,
        _ => {}
    });
    once.then_some(all)
}

/// `e` with what its locals are in their place.
pub(super) fn expanded(e: &Expr, lets: &HashMap<VarId, Expr>) -> Expr {
    e.map(&mut |e| match e {
        Expr::Var(v) => lets.get(v).map(|value| expanded(value, lets)),
        _ => None,
    })
}

/// `a - b`, two positions, if that can be told.
pub(super) fn minus(a: &Expr, b: &Expr) -> Option<Expr> {
    let of = |e: &Expr| Affine::expanded(&plain(e));
    of(a).minus(&of(b)).map(|d| wrapping(&d.to_expr()))
}

/// `e` with products that may wrap as any other: those in positions do not.
pub(super) fn plain(e: &Expr) -> Expr {
    e.map(&mut |e| match e {
        Expr::Call(Op::WrappingMul, args) => {
            Some(Expr::call(Op::Mul, args.iter().map(plain).collect::<Vec<_>>()))
        }
        _ => None,
    })
}

/// `e`, a position, with products that may wrap.
pub(super) fn wrapping(e: &Expr) -> Expr {
    e.map(&mut |e| match e {
        Expr::Call(Op::Mul, args) => {
            Some(Expr::call(Op::WrappingMul, args.iter().map(wrapping).collect::<Vec<_>>()))
        }
        _ => None,
    })
}
