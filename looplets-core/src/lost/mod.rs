//! Warns of what a program computes and nobody gets: values that are overwritten or never read, and reads of what is
//! written later; and of formulas that are not what is read from them. It looks at programs as they are written, before any loop is added.

mod absorbed;
mod always;
mod by_a_coordinate;
mod coalesced;
mod comments;
mod early;
mod exchanged;
mod factors_apart;
mod in_place;
mod inner_part;
mod least_number;
mod never;
mod one_term;
mod overwritten;
mod powers;
mod running;
mod shadowed;
mod so_far;
mod too_soon;
mod totals;
mod unread;
mod upward;

use crate::ast::visit::{every, top_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Lit;
use crate::kernel::Warning;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;

/// The warnings of `program`. Each loop is looked at once for each assignment in it: linear in the length of straight code.
pub fn lost(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    early::check(program, &mut found);
    overwritten::check(program, &mut found);
    exchanged::check(program, &mut found);
    totals::check(program, &mut found);
    unread::check(program, &mut found);
    never::check(program, &mut found);
    least_number::check(program, &mut found);
    so_far::check(program, &mut found);
    running::check(program, &mut found);
    comments::check(program, &mut found);
    powers::check(program, &mut found);
    factors_apart::check(program, &mut found);
    inner_part::check(program, &mut found);
    in_place::check(program, &mut found);
    too_soon::check(program, &mut found);
    one_term::check(program, &mut found);
    absorbed::check(program, &mut found);
    by_a_coordinate::check(program, &mut found);
    shadowed::check(program, &mut found);
    always::check(program, &mut found);
    coalesced::check(program, &mut found);
    upward::check(program, &mut found);
    found
}

/// Names of tensors and scalars.
type Names = HashSet<String>;

/// The tensor or scalar that an assignment to `target` writes.
fn written(target: &Expr) -> Option<&Ident> {
    match target {
        Expr::Name(name) | Expr::Access { name, .. } => Some(name),
        _ => None,
    }
}

/// Every name that `e` reads, those in Rust included.
fn reads(e: &Expr, f: &mut dyn FnMut(&Ident)) {
    visit_expr(e, &mut |x| match x {
        Expr::Name(name) | Expr::Access { name, .. } => f(name),
        Expr::Escape(tokens, _) => idents(tokens, f),
        _ => {}
    });
}

/// What `stmt` itself reads: of a target, its indices.
fn own_reads(stmt: &Stmt, f: &mut dyn FnMut(&Ident)) {
    let target = match stmt {
        Stmt::Assign { target, .. } | Stmt::Remove { target, .. } => Some(target),
        _ => None,
    };
    top_exprs(stmt, &mut |e| match (e, target) {
        (e, Some(target)) if std::ptr::eq(e, target) => {
            if let Expr::Access { indices, .. } = e {
                indices.iter().for_each(|i| reads(&i.expr, f));
            }
        }
        (e, _) => reads(e, f),
    });
}

/// Every name in `tokens`.
fn idents(tokens: &TokenStream, f: &mut dyn FnMut(&Ident)) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(name) => f(&name),
            TokenTree::Group(group) => idents(&group.stream(), f),
            _ => {}
        }
    }
}

/// What the statements of `block`, and those below, assign to.
fn all_written(block: &Block, out: &mut Names) {
    every(block, &mut |stmt| {
        if let Stmt::Assign { target, .. } = stmt {
            out.extend(written(target).map(Ident::to_string));
        }
    });
}

/// Whether `block` reads `name`.
fn is_read(block: &Block, name: &str) -> bool {
    let mut found = false;
    every(block, &mut |stmt| own_reads(stmt, &mut |n| found |= n == name));
    found
}

/// Whether an assignment of `value` may write nothing, so that what was there before stays: it may be `missing`.
fn may_be_missing(program: &Program, value: &Expr) -> bool {
    let says = |ty: &syn::Type| crate::diagnostics::text(ty).contains("Missing");
    let mut missing = program.params.iter().any(|p| says(&p.ty) || p.others.iter().any(says));
    visit_expr(value, &mut |e| match e {
        Expr::Access { name, .. } => missing |= name == "permit",
        Expr::Lit(Lit::Missing, ..) => missing = true,
        _ => {}
    });
    missing
}
