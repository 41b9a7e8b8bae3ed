//! Walks over statements and expressions as they are written.

use super::{Block, Expr, Stmt};

/// The blocks directly in `stmt`, in the order in which they are resolved.
pub fn blocks<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Block)) {
    match stmt {
        Stmt::For { body, .. } | Stmt::Block(body) => f(body),
        Stmt::If { then, otherwise, .. } => {
            f(then);
            otherwise.iter().for_each(f);
        }
        Stmt::Where { consumer, producer } => {
            f(producer);
            f(consumer);
        }
        _ => {}
    }
}

/// Every statement in `block` and below it.
pub fn every<'a>(block: &'a Block, f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        blocks(stmt, &mut |b| every(b, f));
    }
}

/// Every expression in `stmt` and below it.
pub fn all_exprs(stmt: &Stmt, f: &mut dyn FnMut(&Expr)) {
    own_exprs(stmt, f);
    blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| all_exprs(s, f)));
}

/// Every expression of `stmt` itself, and those within.
pub fn own_exprs<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    top_exprs(stmt, &mut |e| visit_expr(e, f));
}

/// The expressions of `stmt` itself that are part of no other.
pub fn top_exprs<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    match stmt {
        Stmt::For { extent: Some((lo, hi)), .. } => {
            f(lo);
            f(hi);
        }
        Stmt::Assign { target, value, .. } => {
            f(value);
            f(target);
        }
        Stmt::Remove { target: e, .. } | Stmt::If { cond: e, .. } | Stmt::Let { value: e, .. } => {
            f(e)
        }
        Stmt::Workspace { dims, .. } => dims.iter().flatten().for_each(f),
        _ => {}
    }
}

/// Every expression in `e`.
pub fn visit_expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match e {
        Expr::Access { indices, .. } => indices.iter().for_each(|i| visit_expr(&i.expr, f)),
        Expr::Call { args, .. } => args.iter().for_each(|a| visit_expr(a, f)),
        Expr::Shape(shape) => {
            let sizes = shape.from.iter().chain(&shape.to).filter_map(|i| i.size.as_ref());
            shape.operands.iter().chain(sizes).for_each(|a| visit_expr(a, f));
            if let Some((start, end, step)) = &shape.cut {
                [start, end].into_iter().chain(step).for_each(|a| visit_expr(a, f));
            }
        }
        _ => {}
    }
}
