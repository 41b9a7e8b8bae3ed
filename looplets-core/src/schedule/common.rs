//! What several statements sum first, and sum alike, is summed once: `y[i] += a[i, j] * b[j, k] * x[k]` and
//! `z[i] += c[i, j] * b[j, k] * x[k]` read one sum for each `j`.
//!
//! Each statement was taken apart by itself, into a workspace, the statement that fills it, and what reads it. Where the first two are
//! those of a statement before, but for names, and nothing that they read has been written since, the workspace of that one is read.

use super::branches::same;
use crate::ast::visit::{all_exprs, blocks};
use crate::ast::{Block, Expr, Stmt};
use proc_macro2::Ident;
use quote::ToTokens;

/// Has statements of `block` share what they have in common.
pub fn shared(block: &mut Block) {
    let mut last = 1;
    while last < block.stmts.len() {
        match (0..last).find(|first| is_shared(&block.stmts, *first, last)) {
            // What was one statement is several, and the next ones may share of any of them.
            Some(first) => share(&mut block.stmts, first, last),
            None => last += 1,
        }
    }
}

/// The workspace of `stmt`, and what fills it, if it is a block that begins with these.
fn begins(stmt: &Stmt) -> Option<(&Stmt, &Stmt)> {
    match stmt {
        Stmt::Block(Block { stmts, .. }) => match &stmts[..] {
            [made @ Stmt::Workspace { .. }, filled @ Stmt::For { .. }, _, ..] => {
                Some((made, filled))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_shared(stmts: &[Stmt], first: usize, last: usize) -> bool {
    let (Some((one, by)), Some((other, too))) = (begins(&stmts[first]), begins(&stmts[last]))
    else {
        return false;
    };
    let (
        Stmt::Workspace { name, ty, dims: None, of: None },
        Stmt::Workspace { name: second, ty: of_second, dims: None, of: None },
    ) = (one, other)
    else {
        return false;
    };
    let mut names = vec![(name.clone(), second.clone())];
    let types = ty.to_token_stream().to_string() == of_second.to_token_stream().to_string();
    if !types || !alike(by, too, &mut names) {
        return false;
    }
    let mut read = Vec::new();
    let mut plain = true;
    all_exprs(by, &mut |e| match e {
        Expr::Name(n) | Expr::Access { name: n, .. } => read.push(n.to_string()),
        // Rust code may do something, or read what is written.
        Expr::Escape(..) | Expr::Path(_) => plain = false,
        _ => {}
    });
    // The workspace is written by what fills it alone, and so is what that reads by nothing on the way.
    let rest = |n: usize| match &stmts[n] {
        Stmt::Block(Block { stmts, .. }) => &stmts[2..],
        _ => &[],
    };
    let mut changed = Vec::new();
    let between = rest(first).iter().chain(&stmts[first + 1..last]).chain(rest(last));
    between.for_each(|stmt| changes(stmt, &mut changed));
    read.extend([name.to_string(), second.to_string()]);
    plain && !read.iter().any(|n| changed.contains(n))
}

/// The names of what `stmt` writes, and of what it declares, which may be called as something before it.
fn changes(stmt: &Stmt, out: &mut Vec<String>) {
    match stmt {
        Stmt::Assign { target: Expr::Access { name, .. } | Expr::Name(name), .. }
        | Stmt::Remove { target: Expr::Access { name, .. }, .. }
        | Stmt::Let { name, .. }
        | Stmt::Workspace { name, .. } => out.push(name.to_string()),
        _ => {}
    }
    blocks(stmt, &mut |block| block.stmts.iter().for_each(|s| changes(s, out)));
}

/// Puts what both statements begin with in front of the first one, and has the second one read it.
fn share(stmts: &mut Vec<Stmt>, first: usize, last: usize) {
    let parts = |stmt: &mut Stmt| match stmt {
        Stmt::Block(block) => {
            let begun: Vec<Stmt> = block.stmts.drain(..2).collect();
            let Stmt::Workspace { name, .. } = &begun[0] else { unreachable!("begins with one") };
            (name.clone(), begun)
        }
        _ => unreachable!("it is a block"),
    };
    let (other, _) = parts(&mut stmts[last]);
    let (name, begun) = parts(&mut stmts[first]);
    renamed(&mut stmts[last], &other, &name);
    stmts.splice(first..first, begun);
}

/// Whether two statements are the same but for the pairs of `names` and of the indices that they bind, which are added to these.
fn alike(a: &Stmt, b: &Stmt, names: &mut Vec<(Ident, Ident)>) -> bool {
    let blocks = |a: &Block, b: &Block, names: &mut Vec<(Ident, Ident)>| {
        a.stmts.len() == b.stmts.len()
            && a.stmts.iter().zip(&b.stmts).all(|(a, b)| alike(a, b, names))
    };
    match (a, b) {
        (
            Stmt::For { parallel: None, indices: i, extent: None, body: a, .. },
            Stmt::For { parallel: None, indices: j, extent: None, body: b, .. },
        ) => {
            names.extend(i.iter().cloned().zip(j.iter().cloned()));
            i.len() == j.len() && blocks(a, b, names)
        }
        (Stmt::Block(a), Stmt::Block(b)) => blocks(a, b, names),
        (
            Stmt::If { cond: c, then: a, otherwise: None },
            Stmt::If { cond: d, then: b, otherwise: None },
        ) => equal(c, d, names) && blocks(a, b, names),
        (
            Stmt::Assign { target: t, op: f, value: a, .. },
            Stmt::Assign { target: u, op: g, value: b, .. },
        ) => {
            f.as_ref().map(|f| &f.op) == g.as_ref().map(|g| &g.op)
                && equal(t, u, names)
                && equal(a, b, names)
        }
        _ => false,
    }
}

/// Whether `a`, with the first names of `names` for the second ones, is `b`.
fn equal(a: &Expr, b: &Expr, names: &[(Ident, Ident)]) -> bool {
    let mut a = a.clone();
    for (n, (from, _)) in names.iter().enumerate() {
        // By way of names that no program has, as two indices may have changed places.
        renames(&mut a, from, &quote::format_ident!("__{n}"));
    }
    for (n, (_, to)) in names.iter().enumerate() {
        renames(&mut a, &quote::format_ident!("__{n}"), to);
    }
    same(&a, b)
}

fn renamed(stmt: &mut Stmt, from: &Ident, to: &Ident) {
    match stmt {
        Stmt::For { extent, body, .. } => {
            if let Some((lo, hi)) = extent {
                renames(lo, from, to);
                renames(hi, from, to);
            }
            body.stmts.iter_mut().for_each(|s| renamed(s, from, to));
        }
        Stmt::Assign { target, value, .. } => {
            renames(target, from, to);
            renames(value, from, to);
        }
        Stmt::If { cond, then, otherwise } => {
            renames(cond, from, to);
            let all = then.stmts.iter_mut().chain(otherwise.iter_mut().flat_map(|b| &mut b.stmts));
            all.for_each(|s| renamed(s, from, to));
        }
        Stmt::Where { consumer, producer } => {
            let all = consumer.stmts.iter_mut().chain(&mut producer.stmts);
            all.for_each(|s| renamed(s, from, to));
        }
        Stmt::Block(block) => block.stmts.iter_mut().for_each(|s| renamed(s, from, to)),
        Stmt::Let { value, .. } => renames(value, from, to),
        Stmt::Workspace { dims, .. } => {
            dims.iter_mut().flatten().for_each(|e| renames(e, from, to));
        }
        Stmt::Remove { target, .. } => renames(target, from, to),
        Stmt::Pass(_) => {}
    }
}

fn renames(e: &mut Expr, from: &Ident, to: &Ident) {
    let rename = |name: &mut Ident| {
        if name == from {
            *name = to.clone();
        }
    };
    match e {
        Expr::Name(name) => rename(name),
        Expr::Access { name, indices, .. } => {
            rename(name);
            indices.iter_mut().for_each(|i| renames(&mut i.expr, from, to));
        }
        Expr::Call { args, .. } => args.iter_mut().for_each(|a| renames(a, from, to)),
        Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) | Expr::Shape(_) => {}
    }
}
