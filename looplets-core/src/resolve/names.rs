//! What the syntax alone tells about names: which are indexed, passed, assigned.

use crate::ast;
use proc_macro2::Ident;
use std::collections::HashSet;

/// Names used with brackets anywhere in `block`.
pub fn accessed(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    block.stmts.iter().for_each(|s| accessed_stmt(s, &mut out));
    out
}

/// Names used with brackets in `stmt`.
pub fn accessed_stmt(stmt: &ast::Stmt, out: &mut HashSet<String>) {
    visit(stmt, &mut |e| {
        if let ast::Expr::Access { name, .. } = e {
            out.insert(name.to_string());
        }
    });
}

/// Names that `pass` keeps.
pub fn passed(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    for stmt in &block.stmts {
        if let ast::Stmt::Pass(names) = stmt {
            out.extend(names.iter().map(Ident::to_string));
        }
        blocks(stmt, &mut |b| out.extend(passed(b)));
    }
    out
}

/// Workspaces declared with a format, for [`super::format_types`].
pub fn workspaces(block: &ast::Block, add: &mut dyn FnMut(&Ident, &syn::Type)) {
    for stmt in &block.stmts {
        match stmt {
            ast::Stmt::Workspace { name, ty, .. } => add(name, ty),
            other => blocks(other, &mut |b| workspaces(b, add)),
        }
    }
}

/// Scalars assigned anywhere in `block`.
pub fn scalar_targets(block: &ast::Block, out: &mut Vec<Ident>) {
    for stmt in &block.stmts {
        if let ast::Stmt::Assign { target: ast::Expr::Name(name), .. } = stmt {
            if !out.contains(name) {
                out.push(name.clone());
            }
        }
        blocks(stmt, &mut |b| scalar_targets(b, out));
    }
}

fn blocks(stmt: &ast::Stmt, f: &mut dyn FnMut(&ast::Block)) {
    match stmt {
        ast::Stmt::For { body, .. } | ast::Stmt::Block(body) => f(body),
        ast::Stmt::If { then, otherwise, .. } => {
            f(then);
            otherwise.iter().for_each(f);
        }
        ast::Stmt::Where { consumer, producer } => {
            f(producer);
            f(consumer);
        }
        _ => {}
    }
}

fn visit(stmt: &ast::Stmt, f: &mut dyn FnMut(&ast::Expr)) {
    match stmt {
        ast::Stmt::For { extent: Some((lo, hi)), .. } => {
            visit_expr(lo, f);
            visit_expr(hi, f);
        }
        ast::Stmt::Assign { target, value, .. } => {
            visit_expr(target, f);
            visit_expr(value, f);
        }
        ast::Stmt::If { cond, .. } => visit_expr(cond, f),
        ast::Stmt::Let { value, .. } => visit_expr(value, f),
        ast::Stmt::Workspace { dims, .. } => dims.iter().flatten().for_each(|d| visit_expr(d, f)),
        _ => {}
    }
    blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| visit(s, f)));
}

fn visit_expr(e: &ast::Expr, f: &mut dyn FnMut(&ast::Expr)) {
    f(e);
    match e {
        ast::Expr::Access { indices, .. } => indices.iter().for_each(|i| visit_expr(&i.expr, f)),
        ast::Expr::Call { args, .. } => args.iter().for_each(|a| visit_expr(a, f)),
        _ => {}
    }
}
