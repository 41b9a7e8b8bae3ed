//! Assignments whose value another one overwrites before anything reads it: `=` in a loop over an index that its target
//! lacks, and a second `=` to one element.

use super::{every, is_read, may_be_missing, own_reads, reads, written, Names};
use crate::ast::visit::blocks;
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use proc_macro2::Ident;

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
        let mark = self.declared.len();
        for (k, stmt) in block.stmts.iter().enumerate() {
            self.stmt(stmt, &block.stmts[..k]);
            if let Stmt::Workspace { name, .. } | Stmt::Let { name, .. } = stmt {
                self.declared.push((name, self.loops.len()));
            }
        }
        self.declared.truncate(mark);
    }

    /// `before`: what stands before it in its block.
    fn stmt(&mut self, stmt: &'a Stmt, before: &[Stmt]) {
        match stmt {
            Stmt::Assign { target, op: None, value, span } => {
                let again =
                    self.in_loop(target, value).or_else(|| self.again(target, value, before));
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
            Stmt::If { .. } => {
                // What comes last is what was asked for: `if x[i] == y { at = i }`.
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
        // What is made of a sum is wanted when that is there.
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

    /// Why what a statement in front of `target = value` gave is lost.
    fn again(&self, target: &Expr, value: &Expr, before: &[Stmt]) -> Option<String> {
        let (name, shown) = (written(target)?.to_string(), crate::parse::written(target)?);
        let mut found = false;
        reads(value, &mut |n| found |= *n == name);
        if let Expr::Access { indices, .. } = target {
            // An index may be another one by now.
            let scalar = |n: &Ident| self.declared.iter().any(|(d, _)| *d == n);
            indices.iter().for_each(|i| reads(&i.expr, &mut |n| found |= scalar(n)));
        }
        for stmt in before.iter().rev() {
            if found {
                return None;
            }
            match stmt {
                Stmt::Assign { target, value, .. }
                    if crate::parse::written(target).as_ref() == Some(&shown) =>
                {
                    // What a scalar is declared with is there for what else is done with it.
                    let literal = matches!(value, Expr::Lit(..));
                    let note = format!("this overwrites what the statement before it gave `{shown}`, which nothing has read: reduce, as in `{shown} += ..`, or leave one of them out");
                    return (!literal).then_some(note);
                }
                stmt => {
                    let whole =
                        Block { stmts: vec![stmt.clone()], span: proc_macro2::Span::call_site() };
                    found |= is_read(&whole, &name);
                    found |= !matches!(stmt, Stmt::Assign { .. } | Stmt::Let { .. });
                }
            }
        }
        None
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
