//! Whether a value is there at all: a value that is, or may be, `missing` when a statement comes to use it.
//!
//! The rules have `missing` absorb what is around it as soon as they see it. But rules stop at the limits of
//! their e-graph, and no Rust value stands for `missing`, so what is left of it is decided here, whatever
//! the size of the term.

use crate::cin::*;

/// When a value is there.
pub(super) enum Presence {
    /// It is `missing`.
    Never,
    /// The value, in which nothing is `missing`.
    Always(Expr),
    /// Decided by a condition that is there itself: the value where it holds, and where it does not.
    If(Expr, Expr, Expr),
}

/// When `e` is there.
pub(super) fn presence(e: &Expr) -> Presence {
    if !has_missing(e) {
        return Presence::Always(e.clone());
    }
    let e = absorb(e);
    if e == MISSING {
        return Presence::Never;
    }
    // A condition that may itself be missing waits for those inside it: where it is, so is the whole
    // `ifelse`, and neither arm is taken.
    let mut found = None;
    e.walk(&mut |x| {
        if let Expr::Call(Op::IfElse, args) = x {
            if !has_missing(&args[0]) && args[1..].iter().any(has_missing) {
                found = found.take().or(Some((x, args)));
            }
        }
    });
    let Some((whole, args)) = found else { return Presence::Always(e) };
    let with = |arm: &Expr| e.map(&mut |x| (x == whole).then(|| arm.clone()));
    Presence::If(args[0].clone(), with(&args[1]), with(&args[2]))
}

/// `e` as a value in which nothing is `missing`, if it is there whatever its conditions come to.
pub(super) fn present(e: &Expr) -> Option<Expr> {
    match presence(e) {
        Presence::Never => None,
        Presence::Always(value) => Some(value),
        Presence::If(cond, then, otherwise) => {
            Some(Expr::call(Op::IfElse, [cond, present(&then)?, present(&otherwise)?]))
        }
    }
}

/// `coalesce` of `args`, of which the first is one side of a choice whose other side is missing: the rest goes there, so that a sum of
/// such terms is as long as they are.
fn coalesced(mut args: Vec<Expr>) -> Expr {
    let rest = |args: &mut Vec<Expr>| match args.len() {
        2 => args.swap_remove(1),
        _ => Expr::Call(Op::Coalesce, args.split_off(1)),
    };
    let whole = |e: &Expr| !has_missing(e);
    match &args[0] {
        Expr::Call(Op::IfElse, sides) if whole(&sides[0]) => {
            let (cond, then, otherwise) = (sides[0].clone(), sides[1].clone(), sides[2].clone());
            match () {
                () if otherwise == MISSING && whole(&then) => {
                    Expr::call(Op::IfElse, [cond, then, rest(&mut args)])
                }
                () if then == MISSING && whole(&otherwise) => {
                    Expr::call(Op::IfElse, [cond, rest(&mut args), otherwise])
                }
                () => Expr::Call(Op::Coalesce, args),
            }
        }
        _ => Expr::Call(Op::Coalesce, args),
    }
}

pub(super) const MISSING: Expr = Expr::Lit(Lit::Missing);

/// Whether `missing` stands anywhere in `e`.
pub(super) fn has_missing(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| found |= *x == MISSING);
    found
}

/// `e` with every `missing` gone but those that are an arm of an `ifelse`.
fn absorb(e: &Expr) -> Expr {
    match e {
        Expr::Load(array, index) => match absorb(index) {
            MISSING => MISSING,
            index => Expr::Load(*array, Box::new(index)),
        },
        Expr::Call(op, args) => {
            let mut args: Vec<Expr> = args.iter().map(absorb).collect();
            let absent = match op {
                Op::IfElse => args[0] == MISSING || args[1..].iter().all(|a| *a == MISSING),
                Op::Coalesce => {
                    args.retain(|a| *a != MISSING);
                    args.is_empty()
                }
                _ => args.contains(&MISSING),
            };
            match args.len() {
                _ if absent => MISSING,
                1 if *op == Op::Coalesce => args.remove(0),
                _ if *op == Op::Coalesce => coalesced(args),
                _ => Expr::Call(op.clone(), args),
            }
        }
        other => other.clone(),
    }
}
