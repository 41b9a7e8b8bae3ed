//! A workspace that the producer of a `where` declares and the consumer reads lives as long as the `where`: its
//! declaration is moved to the front of both, where the rest of the compiler expects it.

use crate::ast::visit::{all_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use std::collections::HashSet;

/// Moves the declarations in `program`.
pub(super) fn hoist(program: &mut Program) {
    let params = program.params.iter().map(|p| p.name.to_string());
    let mut known: Vec<String> = params.collect();
    known.extend(program.outputs.iter().map(|o| o.name.to_string()));
    block(&mut program.body, &mut known);
}

fn block(block: &mut Block, known: &mut Vec<String>) {
    let mark = known.len();
    for stmt in &mut block.stmts {
        within(stmt, known);
        if let Stmt::Let { name, .. } | Stmt::Workspace { name, .. } = stmt {
            known.push(name.to_string());
        }
    }
    known.truncate(mark);
}

fn within(stmt: &mut Stmt, known: &mut Vec<String>) {
    match stmt {
        Stmt::For { indices, body, .. } => {
            let mark = known.len();
            known.extend(indices.iter().map(ToString::to_string));
            block(body, known);
            known.truncate(mark);
        }
        Stmt::If { then, otherwise, .. } => {
            block(then, known);
            otherwise.iter_mut().for_each(|b| block(b, known));
        }
        Stmt::Block(body) => block(body, known),
        Stmt::Where { consumer, producer } => {
            let mut moved = shared(consumer, producer, known);
            // What is moved is known on both sides.
            let mark = known.len();
            known.extend(moved.iter().filter_map(declared));
            block(producer, known);
            block(consumer, known);
            known.truncate(mark);
            if !moved.is_empty() {
                let span = producer.span;
                moved.push(std::mem::replace(stmt, Stmt::Pass(Vec::new())));
                *stmt = Stmt::Block(Block { stmts: moved, span });
            }
        }
        Stmt::Assign { .. }
        | Stmt::Remove { .. }
        | Stmt::Let { .. }
        | Stmt::Workspace { .. }
        | Stmt::Pass(_) => {}
    }
}

/// Takes the declarations out of `producer` that `consumer` reads, unless it reads another tensor of that name, or the
/// sizes are defined in the producer.
fn shared(consumer: &Block, producer: &mut Block, known: &[String]) -> Vec<Stmt> {
    let mut read = HashSet::new();
    consumer.stmts.iter().for_each(|s| names(s, &mut read));
    let local: HashSet<String> = producer.stmts.iter().filter_map(declared).collect();
    let moves = |stmt: &Stmt| {
        let Stmt::Workspace { name, dims, .. } = stmt else { return false };
        let mut sizes = HashSet::new();
        dims.iter().flatten().for_each(|d| visit_expr(d, &mut |e| name_of(e, &mut sizes)));
        let name = name.to_string();
        read.contains(&name) && !known.contains(&name) && sizes.is_disjoint(&local)
    };
    let all = std::mem::take(&mut producer.stmts);
    let (moved, stay) = all.into_iter().partition(moves);
    producer.stmts = stay;
    moved
}

fn declared(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::Let { name, .. } | Stmt::Workspace { name, .. } => Some(name.to_string()),
        _ => None,
    }
}

/// The names in `stmt`, those in escaped Rust among them.
fn names(stmt: &Stmt, out: &mut HashSet<String>) {
    all_exprs(stmt, &mut |e| name_of(e, out));
}

fn name_of(e: &Expr, out: &mut HashSet<String>) {
    match e {
        Expr::Name(name) | Expr::Access { name, .. } => {
            out.insert(name.to_string());
        }
        Expr::Escape(tokens, _) => escaped(tokens.clone(), out),
        _ => {}
    }
}

fn escaped(tokens: proc_macro2::TokenStream, out: &mut HashSet<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(name) => {
                out.insert(name.to_string());
            }
            proc_macro2::TokenTree::Group(group) => escaped(group.stream(), out),
            _ => {}
        }
    }
}
