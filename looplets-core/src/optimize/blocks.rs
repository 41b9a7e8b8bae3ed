//! Makes a loop of what is left of a block, where a walk over blocks counts through each by one variable: an inner loop over
//! consecutive positions has lanes and loads of its own, and no test of whether the block has ended.
//!
//! ```text
//! while q < hi {                      while q < hi {
//!     body(q);                            for at in q..hi { body(at) }
//!     q += 1;               becomes       q = hi;
//!     if q >= hi { next }                 next
//! }                                   }
//! ```

use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::{map_code, Kir};

pub(super) fn blocks(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = blocks(kernel, std::mem::take(block));
        }
        out.push(match &k {
            Kir::While { cond, body } => nested(kernel, cond, body).unwrap_or(k),
            _ => k,
        });
    }
    out
}

/// The loop with one inside of it, if it is of that form and nothing in its body knows of the block.
fn nested(kernel: &mut Kernel, cond: &Expr, body: &[Kir]) -> Option<Kir> {
    let (q, hi) = below(cond)?;
    let (Kir::If { cond: ended, then, otherwise }, rest) = body.split_last()? else { return None };
    let (Kir::Set { var, value }, rest) = rest.split_last()? else { return None };
    let one_more = *value == Expr::call(Op::Add, [Expr::Var(q), Expr::int(1)]);
    if *var != q
        || !one_more
        || !otherwise.is_empty()
        || !says_ended(ended, q, hi)
        || rest.is_empty()
    {
        return None;
    }
    let mut own = false;
    for k in rest {
        k.walk(&mut |k| {
            own |= k.sets().is_some_and(|v| v == q || v == hi);
            // Opaque code names variables that nothing can be put in the place of.
            own |= matches!(k, Kir::Code(_) | Kir::Parallel(_) | Kir::Begin(_) | Kir::Commit(_));
            own |= matches!(
                k,
                Kir::GiveBack(_) | Kir::Room { .. } | Kir::Take(_) | Kir::Filled { .. }
            );
            for e in k.exprs() {
                e.walk(&mut |e| {
                    let opaque = matches!(e, Expr::Raw(_));
                    own |= opaque && kernel.depends(e).iter().any(|v| *v == q || *v == hi);
                });
            }
        });
    }
    if own {
        return None;
    }
    let name = kernel.info(q).name.clone();
    let at = kernel.var(&format!("{name}_at"), VarKind::Local, Ty::Index);
    let mut put = |e: &Expr| (*e == Expr::Var(q)).then_some(Expr::Var(at));
    let inner = map_code(rest, &mut put);
    let mut outer = vec![
        Kir::For { var: at, lo: Expr::Var(q), hi: Expr::Var(hi), body: inner },
        Kir::Set { var: q, value: Expr::Var(hi) },
    ];
    outer.extend(then.iter().cloned());
    Some(Kir::While { cond: cond.clone(), body: outer })
}

/// `q < hi`
fn below(cond: &Expr) -> Option<(VarId, VarId)> {
    match cond {
        Expr::Call(Op::Lt, args) => match args[..] {
            [Expr::Var(q), Expr::Var(hi)] => Some((q, hi)),
            _ => None,
        },
        _ => None,
    }
}

/// `q >= hi`, in whatever form.
fn says_ended(cond: &Expr, q: VarId, hi: VarId) -> bool {
    let (q, hi) = (Expr::Var(q), Expr::Var(hi));
    match cond {
        Expr::Call(Op::Ge, args) => args[..] == [q, hi],
        Expr::Call(Op::Le, args) => args[..] == [hi, q],
        Expr::Call(Op::Not, args) => args[..] == [Expr::call(Op::Lt, [q, hi])],
        _ => false,
    }
}
