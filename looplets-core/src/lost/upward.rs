//! Warns of elements of a new result that are read before any iteration wrote them: loops go upward, so that `x[j]` for `j > i`
//! is the fill in the loop over `i` that writes `x[i]`. Who solves a triangular system from below, or takes differences to the
//! next element, meets it.

use crate::ast::visit::{blocks, top_exprs, visit_expr};
use crate::ast::{Block, Expr, Index, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use proc_macro2::{Ident, Span};

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut walk = Walk::default();
    walk.block(&program.body);
    for output in program.outputs.iter().filter(|o| o.start.is_none()) {
        // What the caller passes may hold something.
        if program.params.iter().any(|p| p.name == output.name) {
            continue;
        }
        let of = |m: &&Met<'_>| *m.name == output.name;
        let writes: Vec<&Met<'_>> = walk.writes.iter().filter(of).collect();
        found.extend(walk.reads.iter().filter(of).find_map(|read| ahead(read, &writes)));
    }
}

/// A written loop: its statement and its index.
type Loop<'a> = (*const Stmt, &'a Ident);

/// An element that is read or written.
struct Met<'a> {
    name: &'a Ident,
    indices: &'a [Index],
    span: Span,
    /// Outermost first.
    loops: Vec<Loop<'a>>,
    /// Pairs of which the first is known to be greater.
    greater: Vec<(&'a Expr, &'a Expr)>,
    /// Indices with what their loops begin at.
    from: Vec<(&'a Ident, &'a Expr)>,
}

#[derive(Default)]
struct Walk<'a> {
    loops: Vec<Loop<'a>>,
    greater: Vec<(&'a Expr, &'a Expr)>,
    from: Vec<(&'a Ident, &'a Expr)>,
    reads: Vec<Met<'a>>,
    writes: Vec<Met<'a>>,
}

impl<'a> Walk<'a> {
    fn block(&mut self, block: &'a Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let target = match stmt {
            Stmt::Assign { target, .. } | Stmt::Remove { target, .. } => Some(target),
            _ => None,
        };
        top_exprs(stmt, &mut |top| {
            let is_target = target.is_some_and(|target| std::ptr::eq(top, target));
            visit_expr(top, &mut |e| {
                let Expr::Access { name, indices, span, .. } = e else { return };
                let met = Met {
                    name,
                    indices,
                    span: *span,
                    loops: self.loops.clone(),
                    greater: self.greater.clone(),
                    from: self.from.clone(),
                };
                match is_target && std::ptr::eq(e, top) {
                    true => self.writes.push(met),
                    false => self.reads.push(met),
                }
            });
        });
        match stmt {
            Stmt::For { written: true, indices, extent, body, .. } => {
                let (loops, from) = (self.loops.len(), self.from.len());
                self.loops.extend(indices.iter().map(|i| (std::ptr::from_ref(stmt), i)));
                if let (Some((start, _)), [index]) = (extent, &indices[..]) {
                    self.from.push((index, start));
                }
                self.block(body);
                self.loops.truncate(loops);
                self.from.truncate(from);
            }
            Stmt::If { cond, then, otherwise } => {
                let mark = self.greater.len();
                compared(cond, &mut self.greater);
                self.block(then);
                self.greater.truncate(mark);
                otherwise.iter().for_each(|b| self.block(b));
            }
            other => blocks(other, &mut |b| self.block(b)),
        }
    }
}

/// Adds what `cond` says to be greater than something else, where it holds.
fn compared<'a>(cond: &'a Expr, out: &mut Vec<(&'a Expr, &'a Expr)>) {
    let Expr::Call { op, args } = cond else { return };
    match (&op.op, &args[..]) {
        (Op::And, all) => all.iter().for_each(|e| compared(e, out)),
        (Op::Gt, [a, b]) | (Op::Lt, [b, a]) => out.push((a, b)),
        _ => {}
    }
}

/// The warning if `read` is of an element that a later iteration of a loop writes, and nothing else does.
fn ahead(read: &Met<'_>, writes: &[&Met<'_>]) -> Option<Warning> {
    let (dim, index) = read.indices.iter().enumerate().find(|(dim, index)| {
        let own = writes.first().and_then(|w| is_name(&w.indices.get(*dim)?.expr));
        own.is_some_and(|i| read.is_beyond(&index.expr, i))
    })?;
    let i = is_name(&writes.first()?.indices.get(dim)?.expr)?;
    let place = |m: &Met<'_>| m.loops.iter().position(|(_, index)| *index == i);
    let at = place(read)?;
    let same = |w: &&Met<'_>| {
        let by_it = w.indices.get(dim).is_some_and(|x| is_name(&x.expr) == Some(i));
        by_it && place(w).is_some_and(|k| w.loops[..=k] == read.loops[..=at])
    };
    // An iteration around may have written it before, unless it writes another fiber.
    let apart = |(_, outer): &Loop<'_>| {
        let by_it = |m: &Met<'_>, d: usize| {
            m.indices.get(d).is_some_and(|x| is_name(&x.expr) == Some(*outer))
        };
        (0..read.indices.len()).any(|d| by_it(read, d) && writes.iter().all(|w| by_it(w, d)))
    };
    if !writes.iter().all(same) || !read.loops[..at].iter().all(apart) {
        return None;
    }
    let (name, element) = (read.name, crate::parse::written(&index.expr)?);
    let note = format!("no iteration has written this by then, so that it is the fill of `{name}`: the loop over `{i}` goes upward, and `{element}` is greater than `{i}`; go downward, by `for t in 0..n {{ let {i} = n - 1 - t; .. }}` with `{name}: ..[n]`, or read another tensor");
    Some(Warning { span: read.span, name: "read_before_it_is_written", note })
}

impl Met<'_> {
    /// Whether `index` is known to be greater than the index `i`.
    fn is_beyond(&self, index: &Expr, i: &Ident) -> bool {
        let own = crate::parse::written(index);
        let same = |e: &Expr| own.is_some() && crate::parse::written(e) == own;
        let begins =
            |(name, start): &(&Ident, &Expr)| is_name(index) == Some(*name) && more_than(start, i);
        more_than(index, i)
            || self.greater.iter().any(|(more, less)| same(more) && is_name(less) == Some(i))
            || self.from.iter().any(begins)
    }
}

fn is_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether `e` is `i + n` for a positive number `n`.
fn more_than(e: &Expr, i: &Ident) -> bool {
    let Expr::Call { op, args } = e else { return false };
    let positive = |e: &Expr| matches!(e, Expr::Lit(Lit::Int(n), ..) if *n > 0);
    match (&op.op, &args[..]) {
        (Op::Add, [a, b]) => {
            is_name(a) == Some(i) && positive(b) || is_name(b) == Some(i) && positive(a)
        }
        _ => false,
    }
}
