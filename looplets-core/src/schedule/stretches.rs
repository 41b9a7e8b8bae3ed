//! Loops that take several coordinates a step: a run of values that are alike, or a word of bits. What they do is done once a
//! step, and not once a coordinate, which is what they cost.

use super::bits::{is_logic, logic};
use super::count::Formats;
use super::guards;
use super::indices::{along, assignments, names};
use super::visit::has_loop;
use super::workspace::is_of_marks;
use crate::ast::{Block, Expr, Stmt};
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
/// the same there, that writes bits, counts them, or asks whether there is one.
pub fn by_words(formats: &dyn Formats, block: &Block, i: &str) -> bool {
    let [stmt] = &block.stmts[..] else { return false };
    let Some(Stmt::Assign { target, op, value, .. }) = guards::assignment(stmt) else {
        return false;
    };
    let conditions = guards::conditions(stmt);
    let chain = |e: &Expr| match e {
        Expr::Access { name, .. } => formats.format(name),
        _ => None,
    };
    let type_of = |e: &Expr| match e {
        Expr::Name(name) => formats.scalar(name),
        e => chain(e).map(|c| Ty::of(&c.value)),
    };
    let to = type_of(target);
    let counts = to.as_ref().is_some_and(Ty::is_integer);
    let mut read = Vec::new();
    if !conditions.iter().all(|e| known(e, false, &mut read)) || !known(value, counts, &mut read) {
        return false;
    }
    // The last one above the leaf.
    let level = |e: &Expr| chain(e).and_then(|c| c.levels.iter().rev().nth(1)).map(|l| l.level());
    let words = |e: &&Expr| {
        let (Expr::Access { indices, .. }, Some(chain)) = (e, chain(e)) else { return false };
        let last = indices.last().is_some_and(|x| along(x, i) && x.protocol.is_none());
        let of_words = level(e).is_some_and(|l| l.words.is_some());
        last && indices.len() + 1 == chain.levels.len() && of_words && is_of_marks(chain)
    };
    let moves = |e: &&Expr| names(e).contains(i);
    let writes = match (moves(&target), op.as_ref().map(|op| &op.op)) {
        (true, _) => words(&target),
        (false, Some(Op::Add)) => counts,
        (false, Some(Op::Or | Op::BitOr | Op::And | Op::BitAnd)) => to == Some(Ty::Bool),
        (false, None) => {
            to == Some(Ty::Bool) && !conditions.is_empty() && matches!(value, Expr::Lit(..))
        }
        (false, Some(_)) => false,
    };
    let (bits, others): (Vec<&Expr>, Vec<&Expr>) = read.into_iter().partition(moves);
    // A list that is walked alone is walked: it may leave out stretches in which nothing is stored.
    let sparse = |e: &Expr| level(e).and_then(|l| l.words.as_ref()).is_some_and(|w| w.sparse);
    let denied = conditions.into_iter().chain([value]).any(denies);
    let walked = matches!(bits[..], [one] if sparse(one)) && !denied;
    writes
        && !bits.is_empty()
        && !walked
        && bits.iter().all(words)
        && others.into_iter().all(|e| type_of(e) == Some(Ty::Bool))
}

/// Whether `e` is logic of elements and scalars, or a product of some as numbers, where it `counts`; what it reads is added to
/// `read`.
fn known<'a>(e: &'a Expr, counts: bool, read: &mut Vec<&'a Expr>) -> bool {
    match e {
        Expr::Name(_) => {
            read.push(e);
            true
        }
        Expr::Call { op, args } => {
            let product = counts && matches!(op.op, Op::Mul | Op::Cast(_) | Op::As(_));
            (product || is_logic(&op.op)) && args.iter().all(|a| known(a, counts, read))
        }
        e => logic(e, read),
    }
}

/// Whether `e` may hold where what it reads does not.
fn denies(e: &Expr) -> bool {
    match e {
        Expr::Call { op, args } => {
            !matches!(op.op, Op::And | Op::BitAnd | Op::Mul | Op::Cast(_) | Op::As(_))
                || args.iter().any(denies)
        }
        _ => false,
    }
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
