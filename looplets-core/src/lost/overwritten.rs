//! Assignments whose value another one overwrites before anything reads it: `=` in a loop over an index that its target
//! lacks, and a second `=` to one element.

use super::{every, is_read, may_be_missing, own_reads, reads, written, Names};
use crate::ast::visit::blocks;
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut walk = Walk { program, loops: Vec::new(), declared: Vec::new(), found };
    walk.block(&program.body);
}

/// A loop that is open.
struct Open<'a> {
    /// Its index.
    index: &'a Ident,
    /// Its body.
    body: &'a Block,
    /// What may differ from one iteration to the next.
    varies: Names,
    /// What its body reduces into.
    sums: Names,
    /// Whether an assignment in it always runs, and some iteration may follow.
    repeats: bool,
}

struct Walk<'a, 'f> {
    program: &'a Program,
    /// Outermost first.
    loops: Vec<Open<'a>>,
    /// The names that blocks have declared, each with how many loops were open.
    declared: Vec<(&'a Ident, usize)>,
    found: &'f mut Vec<Warning>,
}

impl<'a> Walk<'a, '_> {
    fn block(&mut self, block: &'a Block) {
        let (mark, mut unread) = (self.declared.len(), Unread::default());
        for stmt in &block.stmts {
            let again = unread.passes(stmt, &self.declared);
            self.stmt(stmt, again);
            if let Stmt::Workspace { name, .. } | Stmt::Let { name, .. } = stmt {
                self.declared.push((name, self.loops.len()));
            }
        }
        self.declared.truncate(mark);
    }

    /// `again`: why it overwrites what a statement before it gave.
    fn stmt(&mut self, stmt: &'a Stmt, again: Option<String>) {
        match stmt {
            Stmt::Assign { target, op: None, value, span } => {
                let again =
                    self.in_loop(target, value).or(again).or_else(|| self.by_quotient(target));
                if let (Some(note), false) = (again, may_be_missing(self.program, value)) {
                    let name = "overwritten_before_it_is_read";
                    self.found.push(Warning { span: *span, name, note });
                }
            }
            Stmt::For { written: true, indices, extent, body, .. } => {
                let depth = self.loops.len();
                for index in indices {
                    let varies = varying(index, body);
                    let repeats = !extent.as_ref().is_some_and(is_one);
                    let sums = sums(body);
                    self.loops.push(Open { index, body, varies, sums, repeats });
                }
                self.block(body);
                self.loops.truncate(depth);
            }
            Stmt::If { cond, then, otherwise } => {
                if let Some(otherwise) = otherwise {
                    let lost = self.by_either(cond, then, otherwise);
                    self.found.extend(lost.map(|(span, note)| Warning {
                        span,
                        name: "overwritten_before_it_is_read",
                        note,
                    }));
                }
                // The last iteration that meets the condition may be what is asked for: `if x[i] == y { at = i }`.
                let before: Vec<bool> = self
                    .loops
                    .iter_mut()
                    .map(|l| std::mem::replace(&mut l.repeats, false))
                    .collect();
                blocks(stmt, &mut |b| self.block(b));
                self.loops.iter_mut().zip(before).for_each(|(l, repeats)| l.repeats = repeats);
            }
            Stmt::Where { consumer, producer } => {
                let depth = self.loops.len();
                self.block(producer);
                let local = producer.stmts.iter().filter_map(|stmt| match stmt {
                    Stmt::Workspace { name, .. } => Some((name, depth)),
                    _ => None,
                });
                let mark = self.declared.len();
                self.declared.extend(local);
                self.block(consumer);
                self.declared.truncate(mark);
            }
            other => blocks(other, &mut |b| self.block(b)),
        }
    }

    /// Where and why a scalar that both branches assign is what the last iteration of a loop gives alone.
    fn by_either(&self, cond: &Expr, then: &Block, otherwise: &Block) -> Option<(Span, String)> {
        let sets = |block: &Block| match block.stmts.last() {
            Some(Stmt::Assign {
                target: target @ Expr::Name(name),
                op: None,
                value: Expr::Lit(..),
                span,
            }) => Some((target.clone(), name.clone(), *span)),
            _ => None,
        };
        let ((target, a, span), (_, b, _)) = (sets(then)?, sets(otherwise)?);
        let note = self.in_loop(&target, cond).filter(|_| a == b)?;
        Some((span, note))
    }

    /// Why several iterations write one element: `y[i / 2] = x[i]`.
    fn by_quotient(&self, target: &Expr) -> Option<String> {
        let Expr::Access { indices, .. } = target else { return None };
        let quotient = |e: &Expr| match e {
            Expr::Call { op, args } if op.op == Op::Div => match &args[..] {
                [Expr::Name(i), Expr::Lit(Lit::Int(n), ..)] if *n > 1 => Some((i.clone(), *n)),
                _ => None,
            },
            _ => None,
        };
        let (i, n) = indices.iter().find_map(|x| quotient(&x.expr))?;
        let rest = |e: &Expr| matches!(e, Expr::Call { op, args } if op.op == Op::Rem && matches!(&args[..], [Expr::Name(j), _] if *j == i));
        let apart =
            indices.iter().any(|x| rest(&x.expr) || matches!(&x.expr, Expr::Name(j) if *j == i));
        let shown = crate::parse::written(target)?;
        // A condition may choose one of them.
        let repeats = self.loops.iter().any(|l| *l.index == i && l.repeats);
        (repeats && !apart).then(|| format!("{n} iterations over `{i}` write one element, which keeps what the last one gives: reduce, as in `{shown} += ..`, or loop over what is written, and read at `{n} * {i}`"))
    }

    /// Why `target = value` keeps what the last iteration of a loop gives alone.
    fn in_loop(&self, target: &Expr, value: &Expr) -> Option<String> {
        let name = written(target)?;
        let born =
            self.declared.iter().rev().find(|(n, _)| *n == name).map_or(0, |(_, born)| *born);
        let lost = |open: &&Open<'_>| {
            let mentions = |e: &Expr| {
                let mut found = false;
                reads(e, &mut |n| found |= open.varies.contains(&n.to_string()));
                found
            };
            let placed = match target {
                Expr::Access { indices, .. } => indices.iter().any(|i| mentions(&i.expr)),
                _ => false,
            };
            open.repeats && !placed && mentions(value) && !is_read(open.body, &name.to_string())
        };
        let open = self.loops[born..].iter().rev().find(lost)?;
        let (i, shown) = (open.index, crate::parse::written(target)?);
        // A value that is made of a sum is most likely wanted once the sum is complete.
        let mut made = false;
        reads(value, &mut |n| made |= open.sums.contains(&n.to_string()));
        let truth = matches!(value, Expr::Call { op, .. } if op.op.is_comparison() || matches!(op.op, Op::And | Op::Or | Op::Not));
        let cure = match (made, truth) {
            (true, _) => format!("assign it behind the loop over `{i}`"),
            (_, true) => format!(
                "reduce, `{shown} ||= ..` for any or, from `true` on, `{shown} &&= ..` for all"
            ),
            _ => format!("reduce, as in `{shown} += ..`"),
        };
        let more = if *name == shown {
            String::new()
        } else {
            format!(", or have `{i}` among its indices")
        };
        Some(format!("each `{i}` overwrites what the one before it gave, as `{shown}` does not depend on `{i}`: {cure}{more}"))
    }
}

/// The elements that the statements of a block have assigned so far and nothing has read since, by tensor or scalar, as they
/// are written.
#[derive(Default)]
struct Unread(HashMap<String, Vec<String>>);

impl Unread {
    /// Goes on by `stmt`. Why what stood there is lost, if `stmt` overwrites it. `declared`: names in a block around.
    fn passes(&mut self, stmt: &Stmt, declared: &[(&Ident, usize)]) -> Option<String> {
        let Stmt::Assign { target, op, value, .. } = stmt else {
            match stmt {
                Stmt::Let { .. } => own_reads(stmt, &mut |n| drop(self.0.remove(&n.to_string()))),
                // What reads under a condition or in a loop is not followed.
                stmt => {
                    self.0.clear();
                    self.summed(stmt, &mut Names::new());
                }
            }
            return None;
        };
        own_reads(stmt, &mut |n| drop(self.0.remove(&n.to_string())));
        let (name, shown) = (written(target)?.to_string(), crate::parse::written(target)?);
        if let Expr::Access { indices, .. } = target {
            // A scalar in an index may name another element the next time.
            let mut moves = false;
            let scalar = |n: &Ident| declared.iter().any(|(d, _)| *d == n);
            indices.iter().for_each(|i| reads(&i.expr, &mut |n| moves |= scalar(n)));
            if moves {
                return None;
            }
        }
        let all = self.0.entry(name).or_default();
        let lost = op.is_none() && all.contains(&shown);
        let note = lost.then(|| format!("this overwrites what the statement before it gave `{shown}`, which nothing has read: reduce, as in `{shown} += ..`, or leave one of them out"));
        // What a scalar is declared with is there for what else is done with it.
        if !matches!(value, Expr::Lit(..)) && !all.contains(&shown) {
            all.push(shown);
        }
        note
    }
}

impl Unread {
    /// Notes what the loop `stmt` has reduced, of which no index is its own; `bound`: those of the loops around.
    fn summed(&mut self, stmt: &Stmt, bound: &mut Names) {
        let Stmt::For { indices, body, .. } = stmt else { return };
        bound.extend(indices.iter().map(Ident::to_string));
        for stmt in &body.stmts {
            match stmt {
                Stmt::Assign { target, op: Some(_), .. } => {
                    let mut own = false;
                    reads(target, &mut |n| own |= bound.contains(&n.to_string()));
                    if let (Some(name), Some(shown), false) =
                        (written(target), crate::parse::written(target), own)
                    {
                        self.0.entry(name.to_string()).or_default().push(shown);
                    }
                }
                stmt => self.summed(stmt, bound),
            }
        }
        // What the loop reads of it is no sum that nobody has read.
        self.0.retain(|name, _| !is_read(body, name));
    }
}

/// Whether an extent is `e..e + 1`.
fn is_one((lo, hi): &(Expr, Expr)) -> bool {
    let one = |e: &Expr| matches!(e, Expr::Lit(Lit::Int(1), ..));
    let (Some(from), Expr::Call { op, args }) = (crate::parse::written(lo), hi) else {
        return one(hi) && matches!(lo, Expr::Lit(Lit::Int(0), ..));
    };
    let [a, b] = &args[..] else { return false };
    op.op == Op::Add && one(b) && crate::parse::written(a) == Some(from)
}

/// What `body` reduces into.
fn sums(body: &Block) -> Names {
    let mut sums = Names::new();
    every(body, &mut |stmt| {
        if let Stmt::Assign { target, op: Some(_), .. } = stmt {
            sums.extend(written(target).map(Ident::to_string));
        }
    });
    sums
}

/// The names in `body` whose value may depend on `index`.
fn varying(index: &Ident, body: &Block) -> Names {
    let mut varies = Names::from([index.to_string()]);
    loop {
        let before = varies.len();
        every(body, &mut |stmt| {
            let mut depends = false;
            own_reads(stmt, &mut |n| depends |= varies.contains(&n.to_string()));
            match stmt {
                Stmt::For { indices, .. } if depends => {
                    varies.extend(indices.iter().map(Ident::to_string));
                }
                Stmt::Let { name, .. } if depends => {
                    varies.insert(name.to_string());
                }
                // What is reduced into, or made of itself, changes by that.
                Stmt::Assign { target, op, value, .. }
                    if depends || op.is_some() || of_itself(target, value) =>
                {
                    varies.extend(written(target).map(Ident::to_string));
                }
                _ => {}
            }
        });
        if varies.len() == before {
            return varies;
        }
    }
}

/// Whether `value` reads what `target` names.
fn of_itself(target: &Expr, value: &Expr) -> bool {
    let mut found = false;
    reads(value, &mut |n| found |= written(target) == Some(n));
    found
}
