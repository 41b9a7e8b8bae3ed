//! What the syntax alone tells about names: which are indexed, passed, assigned.

use crate::ast;
pub use crate::ast::visit::visit_expr;
use crate::ast::visit::{all_exprs, blocks, own_exprs};
use proc_macro2::{Ident, Span};
use std::collections::HashSet;

/// Names used with brackets anywhere in `block`.
pub fn accessed(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    block.stmts.iter().for_each(|s| accessed_stmt(s, &mut out));
    out
}

/// Names used with brackets in `stmt`.
pub fn accessed_stmt(stmt: &ast::Stmt, out: &mut HashSet<String>) {
    all_exprs(stmt, &mut |e| {
        if let ast::Expr::Access { name, .. } = e {
            out.insert(name.to_string());
        }
    });
}

/// Names used with brackets in `block` otherwise than to write there.
pub fn read(block: &ast::Block, out: &mut HashSet<String>) {
    for stmt in &block.stmts {
        let written = match stmt {
            ast::Stmt::Assign { target, .. } => Some(target),
            _ => None,
        };
        own_exprs(stmt, &mut |e| match e {
            ast::Expr::Access { name, .. } if !written.is_some_and(|w| std::ptr::eq(w, e)) => {
                out.insert(name.to_string());
            }
            _ => {}
        });
        blocks(stmt, &mut |b| read(b, out));
    }
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

/// What `remove` names, each once, with the number of indices of the first and where its word stands.
pub fn removed(block: &ast::Block) -> Vec<(Ident, usize, Span)> {
    let mut out: Vec<(Ident, usize, Span)> = Vec::new();
    for stmt in &block.stmts {
        if let ast::Stmt::Remove { target: ast::Expr::Access { name, indices, .. }, span } = stmt {
            out.push((name.clone(), indices.len(), *span));
        }
        blocks(stmt, &mut |b| out.extend(removed(b)));
    }
    let mut seen = HashSet::new();
    out.retain(|(name, ..)| seen.insert(name.to_string()));
    out
}

/// Names of tensors that are assigned anywhere in `block`.
pub fn assigned(block: &ast::Block) -> HashSet<String> {
    let mut out = HashSet::new();
    for stmt in &block.stmts {
        if let ast::Stmt::Assign { target: ast::Expr::Access { name, .. }, .. } = stmt {
            out.insert(name.to_string());
        }
        blocks(stmt, &mut |b| out.extend(assigned(b)));
    }
    out
}

/// Names of scalars that are assigned anywhere in `block`.
pub fn scalars_assigned(block: &ast::Block) -> HashSet<String> {
    let mut all = Vec::new();
    targets(block, &mut all);
    all.into_iter().map(|(name, _)| name.to_string()).collect()
}

/// Workspaces and scalars declared by `let mut` anywhere in `block`.
pub fn workspaces(block: &ast::Block, add: &mut dyn FnMut(&Ident, &syn::Type)) {
    for stmt in &block.stmts {
        match stmt {
            ast::Stmt::Workspace { name, ty, .. } => add(name, ty),
            other => blocks(other, &mut |b| workspaces(b, add)),
        }
    }
}

/// Scalars that a `where` of this consumer and producer declares by assigning them in the producer. What
/// the producer of a `where` within assigns is that one's own, unless it is named outside of such.
pub fn scalar_targets(consumer: &ast::Block, producer: &ast::Block) -> Vec<Ident> {
    let mut all = Vec::new();
    targets(producer, &mut all);
    let mut declared = HashSet::new();
    workspaces(producer, &mut |name, _| {
        declared.insert(name.to_string());
    });
    all.retain(|(name, inner)| {
        let own = declared.contains(&name.to_string());
        let outside = || names_outside(consumer, name) || names_outside(producer, name);
        !own && (!inner || outside())
    });
    let mut out: Vec<Ident> = Vec::new();
    all.into_iter().for_each(|(name, _)| {
        if !out.contains(&name) {
            out.push(name)
        }
    });
    out
}

/// Scalars assigned anywhere in `block`, and whether that is in the producer of a `where` within.
fn targets(block: &ast::Block, out: &mut Vec<(Ident, bool)>) {
    for stmt in &block.stmts {
        match stmt {
            ast::Stmt::Assign { target: ast::Expr::Name(name), .. } => {
                out.push((name.clone(), false));
            }
            ast::Stmt::Where { consumer, producer } => {
                targets(consumer, out);
                let from = out.len();
                targets(producer, out);
                out[from..].iter_mut().for_each(|(_, inner)| *inner = true);
            }
            other => blocks(other, &mut |b| targets(b, out)),
        }
    }
}

/// Whether `name` stands in `block`, outside of each `where` that assigns it in its producer.
fn names_outside(block: &ast::Block, name: &Ident) -> bool {
    fn within(tokens: proc_macro2::TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Ident(ident) => ident == *name,
            proc_macro2::TokenTree::Group(g) => within(g.stream(), name),
            _ => false,
        })
    }
    block.stmts.iter().any(|stmt| {
        let mut found = false;
        let mut look = |e: &ast::Expr| match e {
            ast::Expr::Name(ident) => found |= ident == name,
            ast::Expr::Escape(tokens, _) => found |= within(tokens.clone(), name),
            _ => {}
        };
        own_exprs(stmt, &mut look);
        let assigns = |producer: &ast::Block| {
            let mut all = Vec::new();
            targets(producer, &mut all);
            all.iter().any(|(n, _)| n == name)
        };
        match stmt {
            ast::Stmt::Where { producer, .. } if assigns(producer) => {}
            other => blocks(other, &mut |b| found |= names_outside(b, name)),
        }
        found
    })
}

/// Every expression under `block`, in the order in which they are resolved, with the names that are bound `between`.
pub fn visit_under<'a>(
    block: &'a ast::Block,
    between: &mut Vec<String>,
    f: &mut dyn FnMut(&'a ast::Expr, &[String]),
) {
    let mark = between.len();
    for stmt in &block.stmts {
        own_exprs(stmt, &mut |e| f(e, between));
        match stmt {
            ast::Stmt::For { indices, .. } => {
                let loops = between.len();
                between.extend(indices.iter().map(Ident::to_string));
                blocks(stmt, &mut |b| visit_under(b, between, f));
                between.truncate(loops);
            }
            ast::Stmt::Let { name, .. } | ast::Stmt::Workspace { name, .. } => {
                between.push(name.to_string());
            }
            _ => blocks(stmt, &mut |b| visit_under(b, between, f)),
        }
    }
    between.truncate(mark);
}

/// Whether a shape operator stands under `block`.
pub fn has_shapes(block: &ast::Block) -> bool {
    let mut any = false;
    let mut look = |e: &ast::Expr| any |= matches!(e, ast::Expr::Shape(_));
    block.stmts.iter().for_each(|s| all_exprs(s, &mut look));
    any
}

/// The indices that shape operators in `e` take away, each with the operator's name.
pub fn taken_away(e: &ast::Expr) -> Vec<(String, &'static str)> {
    let mut out = Vec::new();
    visit_expr(e, &mut |e| {
        if let ast::Expr::Shape(shape) = e {
            out.extend(shape.from.iter().map(|i| (i.name.to_string(), shape.op.name())));
        }
    });
    out
}

/// Whether the index `name` stands in `e`, and is not taken away there.
pub fn stands_in(e: &ast::Expr, name: &Ident) -> bool {
    match e {
        ast::Expr::Name(n) => n == name,
        ast::Expr::Access { indices, .. } => indices.iter().any(|i| stands_in(&i.expr, name)),
        ast::Expr::Call { args, .. } => args.iter().any(|a| stands_in(a, name)),
        ast::Expr::Shape(shape) => {
            let taken = shape.from.iter().any(|i| i.name == *name);
            let made = shape.to.iter().any(|i| i.name == *name);
            made || !taken && shape.operands.iter().any(|e| stands_in(e, name))
        }
        _ => false,
    }
}
