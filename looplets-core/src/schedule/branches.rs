//! Both branches of an `if` may assign to one entry of a result that does not have all of them: within written loops the assignments
//! become one, of `ifelse`; without an `else` behind `else if`, where one of the conditions holds. So an entry is appended by one assignment, and what
//! one branch does not store is not stored for the sake of the other. In loops that are left out, they are gathered (`together.rs`) if they do not.

use super::entry;
use super::together::once;
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, OpRef, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::decl::{Order, Write};
use crate::formats::{Chain, Library};
use proc_macro2::Ident;
use std::collections::HashMap;

/// Merges the branches in `program`.
pub fn merge(program: &mut Program, library: &Library, generics: &[String]) {
    let formats = super::formats(program, library, generics);
    let mut tensors: HashMap<String, Entries> = formats
        .into_iter()
        .map(|(name, (chain, _))| (name, chain.map_or(Entries::All, |c| entries(&c))))
        .collect();
    let format =
        |ty: &syn::Type| library.resolved(ty, generics).map_or(Entries::All, |c| entries(&c));
    within(&mut program.body, false, &mut tensors, &format);
    for output in program.outputs.clone() {
        let chain = library.resolved(&output.ty, generics).ok();
        if let Some(chain) = chain.filter(|c| entries(c) == Entries::Appended) {
            entry::gather(program, &output.name, &chain);
        }
    }
}

/// What elements a tensor has.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Entries {
    /// All.
    All,
    /// Those that are assigned.
    Assigned,
    /// Those that are assigned, by one statement.
    Appended,
}

/// What elements a tensor of the format `chain` has.
pub(super) fn entries(chain: &Chain) -> Entries {
    let writes = || chain.levels.iter().filter_map(|l| l.level().write.as_ref());
    let found = |w: &Write| w.i.is_some() && (w.order == Order::Insert || w.commit.is_some());
    match () {
        () if writes().any(|w| w.order == Order::Append) => Entries::Appended,
        () if writes().any(found) => Entries::Assigned,
        () => Entries::All,
    }
}

fn within(
    block: &mut Block,
    looped: bool,
    tensors: &mut HashMap<String, Entries>,
    format: &dyn Fn(&syn::Type) -> Entries,
) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::For { body, .. } => within(body, true, tensors, format),
            Stmt::Block(body) => within(body, looped, tensors, format),
            Stmt::Where { consumer, producer } => {
                within(producer, looped, tensors, format);
                within(consumer, looped, tensors, format);
            }
            Stmt::Workspace { name, ty, .. } => {
                tensors.insert(name.to_string(), format(ty));
            }
            Stmt::If { then, otherwise, .. } => {
                within(then, looped, tensors, format);
                otherwise.iter_mut().for_each(|b| within(b, looped, tensors, format));
                one_loop(stmt, tensors);
                if looped {
                    one_of(stmt, tensors);
                }
            }
            Stmt::Assign { .. } | Stmt::Remove { .. } | Stmt::Let { .. } | Stmt::Pass(_) => {}
        }
    }
}

/// Makes `stmt`, a condition whose branches are the same loops, these loops with the condition inside, if its branches come to be
/// one assignment there. A condition that no iteration changes is asked once all the same (`lower/unswitch.rs`).
fn one_loop(stmt: &mut Stmt, tensors: &HashMap<String, Entries>) {
    let Stmt::If { cond, then, otherwise: Some(otherwise) } = &*stmt else { return };
    let (Some(first), Some(second)) = (loops(then), loops(otherwise)) else { return };
    let Stmt::For { written, parallel: None, indices, extent, body } = first else { return };
    let Stmt::For { parallel: None, indices: others, extent: other, body: rest, .. } = second
    else {
        return;
    };
    let alike = match (&extent, &other) {
        (None, None) => true,
        // An extent is computed where the condition says so, and not in front of it.
        (Some((lo, hi)), Some((from, to))) => {
            same(lo, from) && same(hi, to) && is_plain(lo) && is_plain(hi)
        }
        _ => false,
    };
    let mut asks = false;
    visit_expr(cond, &mut |e| asks |= matches!(e, Expr::Name(name) if indices.contains(name)));
    // What is asked once may answer otherwise the next time.
    if !alike || indices != others || asks || once(cond) {
        return;
    }
    let span = body.span;
    let mut inner = Stmt::If { cond: cond.clone(), then: body, otherwise: Some(rest) };
    one_loop(&mut inner, tensors);
    one_of(&mut inner, tensors);
    // Loops over a dimension of the result have its size; others may have one each.
    let sized = extent.is_some() || indices.iter().all(|i| writes_at(&inner, i));
    if sized && !matches!(inner, Stmt::If { otherwise: Some(_), .. }) {
        let body = Block { stmts: vec![inner], span };
        *stmt = Stmt::For { written, parallel: None, indices, extent, body };
    }
}

/// Whether `e` is made of names and literals, so that it may be computed anywhere.
fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::Lit(..) => true,
        Expr::Call { op, args } => matches!(op.op, Op::Add | Op::Sub) && args.iter().all(is_plain),
        _ => false,
    }
}

/// Whether the assignment in `stmt` has the index `i` for one of its target's.
fn writes_at(stmt: &Stmt, i: &Ident) -> bool {
    match stmt {
        Stmt::Assign { target: Expr::Access { indices, .. }, .. } => {
            indices.iter().any(|at| matches!(&at.expr, Expr::Name(name) if name == i))
        }
        Stmt::For { body, .. } => body.stmts.iter().all(|s| writes_at(s, i)),
        Stmt::If { then, otherwise: None, .. } => then.stmts.iter().all(|s| writes_at(s, i)),
        _ => false,
    }
}

/// The loops that `block` consists of, with the condition inside that they stand under.
fn loops(block: &Block) -> Option<Stmt> {
    match &block.stmts[..] {
        [all @ Stmt::For { .. }] => Some(all.clone()),
        [Stmt::If { cond, then, otherwise: None }] => {
            let Stmt::For { written, parallel, indices, extent, body } = loops(then)? else {
                return None;
            };
            if once(cond) {
                return None;
            }
            let under = Stmt::If { cond: cond.clone(), then: body, otherwise: None };
            let body = Block { stmts: vec![under], span: block.span };
            Some(Stmt::For { written, parallel, indices, extent, body })
        }
        _ => None,
    }
}

/// Makes `stmt`, a condition, one assignment, if its branches assign to one entry, each perhaps under another condition.
fn one_of(stmt: &mut Stmt, tensors: &HashMap<String, Entries>) {
    let Stmt::If { cond, then, otherwise: Some(otherwise) } = stmt else { return };
    let ((first, one), (second, other)) = (guarded(then), guarded(otherwise));
    let (
        [Stmt::Assign { target, op, value, span }],
        [Stmt::Assign { target: t, op: o, value: v, .. }],
    ) = (one, other)
    else {
        return;
    };
    let Expr::Access { name, .. } = target else { return };
    // Of a condition that is missing the second branch is run, where `ifelse` is missing.
    if [Some(&*cond), first.as_ref(), second.as_ref()].into_iter().flatten().any(may_be_missing) {
        return;
    }
    let operator = |op: &Option<OpRef>| op.as_ref().map(|op| op.op.clone());
    let merges = match tensors.get(&name.to_string()) {
        Some(Entries::Appended) => true,
        // What a branch makes of the entry that it reads is for that branch to say.
        Some(Entries::Assigned) => op.is_none() && !reads(value, name) && !reads(v, name),
        Some(Entries::All) | None => false,
    };
    if !merges || operator(op) != operator(o) || !same(target, t) {
        return;
    }
    let call =
        |op: Op, args: Vec<Expr>| Expr::Call { op: OpRef { op, path: None, span: *span }, args };
    let value = call(Op::IfElse, vec![cond.clone(), value.clone(), v.clone()]);
    let one = Stmt::Assign { target: target.clone(), op: op.clone(), value, span: *span };
    let runs = match (first, second) {
        (None, None) => None,
        (None, Some(second)) => Some(call(Op::Or, vec![cond.clone(), second.clone()])),
        (Some(first), None) => {
            let not = call(Op::Not, vec![cond.clone()]);
            Some(call(Op::Or, vec![not, first.clone()]))
        }
        (Some(first), Some(second)) => {
            Some(call(Op::IfElse, vec![cond.clone(), first.clone(), second.clone()]))
        }
    };
    *stmt = match runs {
        None => one,
        Some(cond) => {
            Stmt::If { cond, then: Block { stmts: vec![one], span: *span }, otherwise: None }
        }
    };
}

/// `stmt`, a condition, as one assignment, which may stand under a condition, if its branches, and theirs, assign to one entry of `name`.
pub(super) fn whole(stmt: &Stmt, name: &Ident, entries: Entries) -> Option<Stmt> {
    fn inside(block: &mut Block, tensors: &HashMap<String, Entries>) {
        for stmt in &mut block.stmts {
            if let Stmt::If { then, otherwise, .. } = stmt {
                inside(then, tensors);
                otherwise.iter_mut().for_each(|b| inside(b, tensors));
                one_of(stmt, tensors);
            }
        }
    }
    let mut block = Block { stmts: vec![stmt.clone()], span: name.span() };
    inside(&mut block, &HashMap::from([(name.to_string(), entries)]));
    let one = block.stmts.pop()?;
    let block = Block { stmts: vec![one], span: block.span };
    match guarded(&block).1 {
        [Stmt::Assign { op: None, .. }] => block.stmts.into_iter().next(),
        _ => None,
    }
}

/// Whether `e` reads the tensor `name`.
fn reads(e: &Expr, name: &Ident) -> bool {
    let mut found = false;
    visit_expr(e, &mut |e| found |= matches!(e, Expr::Access { name: n, .. } if n == name));
    found
}

/// The statements of `block`, and the conditions that they stand under, if these have no other branch.
fn guarded(block: &Block) -> (Option<Expr>, &[Stmt]) {
    match &block.stmts[..] {
        [Stmt::If { cond, then, otherwise: None }] => {
            let (inner, stmts) = guarded(then);
            let op = OpRef { op: Op::And, path: None, span: cond.span() };
            let both = |inner| Expr::Call { op, args: vec![cond.clone(), inner] };
            (Some(inner.map_or_else(|| cond.clone(), both)), stmts)
        }
        all => (None, all),
    }
}

/// Whether `e`, a condition, may be neither true nor false.
pub(super) fn may_be_missing(e: &Expr) -> bool {
    let mut found = false;
    visit_expr(e, &mut |x| {
        found |= match x {
            Expr::Access { name, .. } => name == "permit",
            Expr::Lit(Lit::Missing, ..) | Expr::Escape(..) | Expr::Shape(_) => true,
            _ => false,
        }
    });
    found
}

/// Whether two expressions of names, literals and operators are the same.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    let all =
        |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (a, b) {
        (Expr::Name(a), Expr::Name(b)) => a == b,
        (Expr::Lit(a, s, _), Expr::Lit(b, t, _)) => a == b && s == t,
        (Expr::Call { op: f, args: a }, Expr::Call { op: g, args: b }) => f.op == g.op && all(a, b),
        (Expr::Access { name: a, indices: i, .. }, Expr::Access { name: b, indices: j, .. }) => {
            let pairs = || i.iter().zip(j);
            a == b
                && i.len() == j.len()
                && pairs().all(|(i, j)| same(&i.expr, &j.expr) && i.protocol == j.protocol)
        }
        _ => false,
    }
}
