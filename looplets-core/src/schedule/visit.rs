//! Walks over statements and expressions for counting them.

use crate::ast::{Block, Expr, Stmt};

/// Whether a loop stands in `stmt`.
pub fn has_loop(stmt: &Stmt) -> bool {
    let any = |b: &Block| b.stmts.iter().any(has_loop);
    match stmt {
        Stmt::For { .. } => true,
        Stmt::If { then, otherwise, .. } => any(then) || otherwise.iter().any(any),
        Stmt::Where { consumer, producer } => any(producer) || any(consumer),
        Stmt::Block(block) => any(block),
        _ => false,
    }
}

/// Calls `f` with each expression in `stmt`.
pub fn exprs<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    let mut all = |block: &'a Block| block.stmts.iter().for_each(|s| exprs(s, f));
    match stmt {
        Stmt::For { body, .. } | Stmt::Block(body) => all(body),
        Stmt::Where { consumer, producer } => {
            all(producer);
            all(consumer);
        }
        Stmt::If { cond, then, otherwise } => {
            all(then);
            otherwise.iter().for_each(&mut all);
            f(cond);
        }
        Stmt::Assign { target, value, .. } => {
            f(target);
            f(value);
        }
        Stmt::Remove { target, .. } => f(target),
        Stmt::Let { value, .. } => f(value),
        Stmt::Workspace { .. } | Stmt::Pass(_) => {}
    }
}

/// Calls `f` with the tensor, the dimension and the index of each access in `e`.
pub fn accesses(e: &Expr, f: &mut dyn FnMut(&str, usize, &Expr)) {
    match e {
        Expr::Access { name, indices, .. } => {
            let name = name.to_string();
            for (dim, i) in indices.iter().enumerate() {
                f(&name, dim, &i.expr);
                accesses(&i.expr, f);
            }
        }
        Expr::Call { args, .. } => args.iter().for_each(|a| accesses(a, f)),
        Expr::Shape(shape) => shape.operands.iter().for_each(|a| accesses(a, f)),
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
    }
}
