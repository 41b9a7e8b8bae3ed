//! Loops that a program writes and need not: what to say where their order fits no format.

use crate::ast::visit::{every, visit_expr};
use crate::ast::{Block, Expr, Form, Program, Stmt};
use crate::cin::Op;
use crate::parse::written;
use std::collections::{HashMap, HashSet};

/// A statement that alone stands in loops without extents, and the tensors that it names.
pub(super) struct Bare {
    text: String,
    tensors: HashSet<String>,
}

/// The statements of `program` whose loops may as well be left out.
pub(super) fn bare(program: &Program) -> Vec<Bare> {
    match program.form {
        Form::Function { .. } => program.body.stmts.iter().filter_map(in_loops).collect(),
        Form::Inline => Vec::new(),
    }
}

/// The statement that could stand without its loops and names `tensor`, if that is one.
pub(super) fn without_loops<'a>(all: &'a [Bare], tensor: &str) -> Option<&'a str> {
    let mut naming = all.iter().filter(|bare| bare.tensors.contains(tensor));
    match (naming.next(), naming.next()) {
        (Some(bare), None) => Some(&bare.text),
        _ => None,
    }
}

/// The indices of each tensor that `program` assigns to, as text, where it does so first.
pub(super) fn targets(program: &Program) -> HashMap<String, Vec<String>> {
    let mut out = HashMap::new();
    every(&program.body, &mut |stmt| {
        if let Stmt::Assign { target: Expr::Access { name, indices, .. }, .. } = stmt {
            let indices = indices.iter().map(|i| written(&i.expr).unwrap_or_default());
            out.entry(name.to_string()).or_insert_with(|| indices.collect());
        }
    });
    out
}

fn in_loops(stmt: &Stmt) -> Option<Bare> {
    let mut loops: HashSet<String> = HashSet::new();
    let mut inner = stmt;
    while let Stmt::For {
        written: true,
        parallel: None,
        indices,
        extent: None,
        body: Block { stmts, .. },
    } = inner
    {
        let [one] = &stmts[..] else { return None };
        loops.extend(indices.iter().map(|i| i.to_string()));
        inner = one;
    }
    let (cond, inner) = match inner {
        Stmt::If { cond, then: Block { stmts, .. }, otherwise: None } => match &stmts[..] {
            [one] => (Some(cond), one),
            _ => return None,
        },
        inner => (None, inner),
    };
    let Stmt::Assign { target, op, value, .. } = inner else { return None };
    let (mut tensors, mut named, mut plain) = (HashSet::new(), HashSet::new(), true);
    let mut visit = |e: &Expr| match e {
        Expr::Access { name, indices, .. } => {
            tensors.insert(name.to_string());
            // A protocol is chosen for an order, and what is moved is copied in no other one.
            plain &= indices.iter().all(|i| i.protocol.is_none() && !is_moved(&i.expr));
        }
        Expr::Escape(..) | Expr::Shape(_) => plain = false,
        Expr::Name(name) => {
            named.insert(name.to_string());
        }
        _ => {}
    };
    visit_expr(target, &mut visit);
    let placed: HashSet<String> = indices_of(target);
    visit_expr(value, &mut visit);
    cond.into_iter().for_each(|cond| visit_expr(cond, &mut visit));
    // What is assigned in one loop over what the target lacks is what comes last.
    let reduces = op.is_some() || loops.iter().all(|i| placed.contains(i));
    let op = match op {
        None => "=".to_owned(),
        Some(op) => match (op.op == Op::Add, &op.path) {
            (true, None) => "+=".to_owned(),
            _ => format!("<<{}>>=", op.op.name()),
        },
    };
    let bound = loops.iter().all(|i| named.contains(i));
    let text = format!("{} {op} {}", written(target)?, written(value)?);
    let text = match cond {
        Some(cond) => format!("if {} {{ {text} }}", written(cond)?),
        None => text,
    };
    (plain && reduces && bound && !loops.is_empty()).then_some(Bare { text, tensors })
}

/// Whether an index is that of a loop and something more.
fn is_moved(index: &Expr) -> bool {
    matches!(index, Expr::Call { op, .. } if matches!(op.op, Op::Add | Op::Sub))
}

/// The names between the brackets of `target`.
fn indices_of(target: &Expr) -> HashSet<String> {
    let mut out = HashSet::new();
    if let Expr::Access { indices, .. } = target {
        for i in indices {
            if let Expr::Name(name) = &i.expr {
                out.insert(name.to_string());
            }
        }
    }
    out
}
