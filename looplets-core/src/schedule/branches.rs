//! Both branches of an `if` may assign to one entry of a result that takes its entries from one assignment: within written loops
//! they become one, of `ifelse`; without an `else` behind `else if`, where one of the conditions holds. In loops that are left out, they are gathered (`together.rs`) if they do not.

use super::entry;
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, OpRef, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::decl::Order;
use crate::formats::{Chain, Library};
use std::collections::HashMap;

/// Merges the branches in `program`.
pub fn merge(program: &mut Program, library: &Library, generics: &[String]) {
    let formats = super::formats(program, library, generics);
    let mut tensors: HashMap<String, bool> =
        formats.into_iter().map(|(name, (chain, _))| (name, chain.is_some_and(appends))).collect();
    let format = |ty: &syn::Type| library.resolved(ty, generics).is_ok_and(appends);
    within(&mut program.body, false, &mut tensors, &format);
    for output in program.outputs.clone() {
        let chain = library.resolved(&output.ty, generics).ok();
        if let Some(chain) = chain.filter(|c| appends(c.clone())) {
            entry::gather(program, &output.name, &chain);
        }
    }
}

/// Whether entries are appended to a level of `chain`.
fn appends(chain: Chain) -> bool {
    let order = |l: &crate::decl::LevelDecl| l.write.as_ref().map(|w| w.order);
    chain.levels.iter().any(|l| order(l.level()) == Some(Order::Append))
}

fn within(
    block: &mut Block,
    looped: bool,
    tensors: &mut HashMap<String, bool>,
    format: &dyn Fn(&syn::Type) -> bool,
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
                if looped {
                    one_of(stmt, tensors);
                }
            }
            Stmt::Assign { .. } | Stmt::Remove { .. } | Stmt::Let { .. } | Stmt::Pass(_) => {}
        }
    }
}

/// Makes `stmt`, a condition, one assignment, if its branches assign to one entry that is appended.
fn one_of(stmt: &mut Stmt, tensors: &HashMap<String, bool>) {
    let Stmt::If { cond, then, otherwise: Some(otherwise) } = stmt else { return };
    let (second, other) = match &otherwise.stmts[..] {
        [Stmt::If { cond, then, otherwise: None }] => (Some(cond), &then.stmts[..]),
        all => (None, all),
    };
    let (
        [Stmt::Assign { target, op, value, span }],
        [Stmt::Assign { target: t, op: o, value: v, .. }],
    ) = (&then.stmts[..], other)
    else {
        return;
    };
    let Expr::Access { name, .. } = target else { return };
    // Of a condition that is missing the second branch is run, where `ifelse` is missing.
    if may_be_missing(cond) || second.is_some_and(may_be_missing) {
        return;
    }
    let appended = tensors.get(&name.to_string()).copied().unwrap_or(false);
    let operator = |op: &Option<OpRef>| op.as_ref().map(|op| op.op.clone());
    if !appended || operator(op) != operator(o) || !same(target, t) {
        return;
    }
    let choice = OpRef { op: Op::IfElse, path: None, span: *span };
    let value = Expr::Call { op: choice, args: vec![cond.clone(), value.clone(), v.clone()] };
    let one = Stmt::Assign { target: target.clone(), op: op.clone(), value, span: *span };
    *stmt = match second {
        None => one,
        Some(second) => {
            let either = OpRef { op: Op::Or, path: None, span: *span };
            let cond = Expr::Call { op: either, args: vec![cond.clone(), second.clone()] };
            Stmt::If { cond, then: Block { stmts: vec![one], span: *span }, otherwise: None }
        }
    };
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
