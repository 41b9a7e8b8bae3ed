//! Loops that take several coordinates a step: a run of values that are alike, or a word of bits. What they do is done once a
//! step, and not once a coordinate, which is what they cost.

use super::bits::logic;
use super::count::Formats;
use super::guards;
use super::indices::{along, assignments, names};
use super::visit::has_loop;
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::Op;
use crate::decl::{LevelDecl, Order};
use crate::types::Ty;

/// Whether a level holds runs of values that are alike.
pub fn of_runs(level: &LevelDecl) -> bool {
    level.steps()
        && !level.lists_entries()
        && level.words.is_none()
        && level.write.as_ref().is_some_and(|w| w.runs && w.order == Order::Append)
}

/// How many operands of runs `body` reads along `i`.
pub fn read_runs(formats: &dyn Formats, body: &Block, i: &str) -> usize {
    let mut all = 0;
    body.stmts.iter().for_each(|s| {
        assignments(s, &mut |_, _, value| all += runs_in(formats, value, i));
    });
    all
}

/// How many operands of runs are read along `i` in `e`.
pub fn runs_in(formats: &dyn Formats, e: &Expr, i: &str) -> usize {
    match e {
        Expr::Access { name, indices, .. } => {
            let d = indices.iter().position(|x| along(x, i));
            let levels = formats.format(name).map_or(&[][..], |c| &c.levels[..]);
            let level = d.and_then(|d| levels.get(d));
            level.is_some_and(|l| of_runs(l.level())).into()
        }
        Expr::Call { args, .. } => args.iter().map(|a| runs_in(formats, a, i)).sum(),
        _ => 0,
    }
}

/// Whether a loop over `i` around `block` takes 64 coordinates a step: one assignment of logic over bits along `i` and over what stays
/// the same there, that writes bits or counts them.
pub fn by_words(formats: &dyn Formats, block: &Block, i: &str) -> bool {
    let [stmt] = &block.stmts[..] else { return false };
    let Some(Stmt::Assign { target, op, value, .. }) = guards::assignment(stmt) else {
        return false;
    };
    let mut read = Vec::new();
    if !guards::conditions(stmt).into_iter().chain([value]).all(|e| logic(e, &mut read)) {
        return false;
    }
    let chain = |e: &Expr| match e {
        Expr::Access { name, .. } => formats.format(name),
        _ => None,
    };
    let value = |e: &Expr| chain(e).map(|c| c.value.to_string()).unwrap_or_default();
    let words = |e: &&Expr| {
        let (Expr::Access { indices, .. }, Some(chain)) = (e, chain(e)) else { return false };
        let last = indices.last().is_some_and(|x| along(x, i) && x.protocol.is_none());
        let Some([level, leaf]) = chain.levels.last_chunk() else { return false };
        let alone = leaf.level().write.as_ref().is_some_and(|w| w.place.is_none());
        last && indices.len() + 1 == chain.levels.len() && level.level().words.is_some() && alone
    };
    let moves = |e: &&Expr| names(e).contains(i);
    let stands = |e: &&Expr| match e {
        Expr::Access { indices, .. } => {
            indices.last().is_some_and(|x| matches!(&x.expr, Expr::Name(name) if name == i))
        }
        _ => false,
    };
    // Bits are counted where they stand, in whole numbers.
    let counts = |op: &OpRef| match op.op {
        Op::Add => Ty::of(&value(target).parse().unwrap_or_default()).is_integer(),
        Op::Or | Op::BitOr => value(target) == "bool",
        _ => false,
    };
    let writes = match moves(&target) {
        true => words(&target),
        false => {
            let all = read.iter().copied().filter(moves).all(|e| stands(&e));
            all && op.as_ref().is_some_and(counts)
        }
    };
    let (bits, others): (Vec<&Expr>, Vec<&Expr>) = read.into_iter().partition(moves);
    writes
        && !bits.is_empty()
        && bits.iter().all(words)
        && others.into_iter().all(|e| value(e) == "bool")
}

/// Whether all that `block` writes along `i` takes runs at once.
pub fn written_at_once(formats: &dyn Formats, block: &Block, i: &str) -> bool {
    let mut all = !block.stmts.iter().any(has_loop);
    block.stmts.iter().for_each(|s| {
        assignments(s, &mut |target, _, _| {
            let Expr::Access { name, indices, .. } = target else { return };
            let Some(d) = indices.iter().position(|x| names(&x.expr).contains(i)) else {
                return;
            };
            let level = formats.format(name).and_then(|c| c.levels.get(d)).map(|l| l.level());
            let runs =
                |l: &LevelDecl| l.words.is_some() || l.write.as_ref().is_some_and(|w| w.runs);
            all &= level.is_some_and(runs);
        });
    });
    all
}
