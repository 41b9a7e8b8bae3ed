//! What a step takes, in nanoseconds: the numbers by which costs of different kinds are added up.
//!
//! They need be right to a factor of two only. They stand for a processor of 3 GHz whose data is in its caches, and were
//! measured on matrices of real problems.

use super::count::Formats;
use super::indices::names;
use super::stretches;
use super::visit::exprs;
use super::walk::LEAPS;
use crate::ast::{Block, Expr, Index};
use crate::decl::LevelDecl;

/// To begin a loop and to leave it, which is foreseen about every second time.
pub const ENTER: f64 = 2.0;
/// To see whether the entries of a workspace are in order before a loop goes along them, and to put a few in order.
pub const SORT: f64 = 6.0;
/// A step along one operand.
const STEP: f64 = 0.6;
/// A step along several: one where rows are alike, three and more where which one goes on is not foreseen.
const MERGE: f64 = 1.5;
/// A step to the next entry of another operand, over some.
const LEAP: f64 = 6.0;
/// A step along words of bits, several of which vector registers take at once.
pub const WORD: f64 = 0.3;
/// A step along runs: along one operand, and along several, where it is foreseen of none whether its run ends.
const RUN: f64 = 1.5;
const MERGE_RUNS: f64 = 4.0;
/// An element among neighbours.
const NEIGHBOR: f64 = 0.2;
/// An element that is far from the one before.
const STRIDE: f64 = 1.5;
/// An assignment.
const WORK: f64 = 0.2;
/// An element that is looked up by position.
const LOOKUP: f64 = 0.6;
/// An element that is searched for.
const SEARCH: f64 = 12.0;
/// An element, a flag and a place in a list for each coordinate, when a workspace is made.
pub const MAKE: f64 = 0.5;

/// The same for a place of `level`: a bit each is made by the word.
pub fn made(level: &LevelDecl) -> f64 {
    match level.words.is_some() {
        true => MAKE / 64.0,
        false => MAKE,
    }
}

/// To look up what a condition asks for.
pub const ASK: f64 = 0.4;
/// An entry that is written where there was none: begun, listed and taken away again.
const MARK: f64 = 2.5;
/// A mark that is stored without a look at what is there, and gone with all others.
const STAMP: f64 = 0.2;
/// The same with a value, which has to be given its fill where there was none.
const STAMPED_VALUE: f64 = 1.8;
/// One that is put behind others of its fiber, and put in order with all of them.
const FILE: f64 = 9.0;
/// One that is searched for.
const INSERT: f64 = 35.0;

/// What the steps of a loop take.
pub struct Walk {
    alone: f64,
    strided: bool,
}

impl Walk {
    /// A step, of a loop that has no other in it if `inner`.
    pub fn of(&self, inner: bool) -> f64 {
        match (inner, self.strided) {
            (true, false) => self.alone,
            (true, true) => self.alone + STRIDE,
            (false, _) => self.alone.max(STEP),
        }
    }
}

/// What the steps of the loop over `i` around `body` take, that goes along `many` sparse operands.
pub fn walk(formats: &dyn Formats, body: &Block, i: &str, many: usize) -> Walk {
    let mut strided = false;
    body.stmts.iter().for_each(|s| {
        exprs(s, &mut |e| strided |= strides(formats, e, i));
    });
    let runs = stretches::read_runs(formats, body, i);
    let alone = match many {
        0 => NEIGHBOR,
        _ if runs > 1 => MERGE_RUNS,
        _ if runs == 1 => RUN,
        1 => STEP,
        LEAPS.. => LEAP,
        _ => MERGE,
    };
    Walk { alone, strided }
}

/// Whether `e` goes from row to row of a dense tensor with each step of `i`.
fn strides(formats: &dyn Formats, e: &Expr, i: &str) -> bool {
    match e {
        Expr::Access { name, indices, .. } => {
            let whole = |d: usize| {
                let level = formats.format(name).and_then(|c| c.levels.get(d));
                level.is_some_and(|l| !l.level().leaves_out())
            };
            let last = indices.len().wrapping_sub(1);
            let early = |(d, x): (usize, &Index)| {
                d != last && whole(d) && whole(last) && names(&x.expr).contains(i)
            };
            indices.iter().enumerate().any(early)
        }
        Expr::Call { args, .. } => args.iter().any(|a| strides(formats, a, i)),
        _ => false,
    }
}

/// What it takes to compute a value, beside the steps of the loops around it and what is looked up for it.
pub const COMPUTE: f64 = WORK;

/// Calls `f` with what it takes to look up what `value` reads, with the indices that it is looked up by.
pub fn looked_up(formats: &dyn Formats, value: &Expr, f: &mut dyn FnMut(&[Index], f64)) {
    match value {
        Expr::Access { name, indices, .. } => {
            let Some(chain) = formats.format(name) else { return };
            for (d, (i, level)) in indices.iter().zip(&chain.levels).enumerate() {
                let located = i.protocol.as_ref().is_some_and(|p| p == "locate");
                match (located, level.level().leaves_out(), level.level().one_child_each()) {
                    (true, true, true) => f(&indices[..=d], LOOKUP),
                    (true, true, false) => f(&indices[..=d], SEARCH),
                    _ => {}
                }
            }
        }
        Expr::Call { args, .. } => args.iter().for_each(|a| looked_up(formats, a, f)),
        _ => {}
    }
}

/// Calls `f` with what it takes to write an entry of each level of `target` for the first time, or after another one, with
/// the indices that say which it is.
pub fn written(formats: &dyn Formats, target: &Expr, f: &mut dyn FnMut(&[Index], f64)) {
    let Expr::Access { name, indices, .. } = target else { return };
    let Some(chain) = formats.format(name) else { return };
    for (d, level) in chain.levels.iter().enumerate().take(indices.len()) {
        match level.level() {
            level if !level.leaves_out() => {}
            level if level.write.as_ref().is_some_and(|w| w.stale) => {
                let leaf = chain.levels.last().and_then(|l| l.level().write.as_ref());
                let value = leaf.is_some_and(|w| w.place.is_some());
                f(&indices[..=d], if value { STAMPED_VALUE } else { STAMP });
            }
            level if level.one_child_each() => f(&indices[..=d], MARK),
            level if in_order(level) => f(&indices[..=d], WORK),
            level if files(level) => f(&indices[..=d], FILE),
            _ => f(&indices[..=d], INSERT),
        }
    }
}

/// Whether a level is written from the first entry to the last.
fn in_order(level: &crate::decl::LevelDecl) -> bool {
    level.write.as_ref().is_some_and(|w| w.order == crate::decl::Order::Append)
}

/// Whether a level that is written in any order is not made to find entries.
fn files(level: &crate::decl::LevelDecl) -> bool {
    let located = level.reads.iter().any(|r| r.names.iter().any(|n| n == "locate"));
    let room = level.write.as_ref().is_some_and(|w| w.reserve.is_some());
    room && !located
}
