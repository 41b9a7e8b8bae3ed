//! Warns of nests on one tensor in which an iteration reads what another one has written, where what was there first is meant:
//! `a[i, j] = a[j, i]`, which copies one half over the other, and shortest paths whose middle is not outermost.

use crate::ast::visit::{blocks, visit_expr};
use crate::ast::{Block, Expr, Index, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    block(&program.body, &mut Vec::new(), found);
}

/// `around`: the indices of written loops, outermost first, of those that run over all there is.
fn block(body: &Block, around: &mut Vec<Ident>, found: &mut Vec<Warning>) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::For { indices, extent, parallel: None, body, .. } => {
                let outside = around.len();
                // Part of a dimension may well be apart from the others.
                if extent.is_none() {
                    around.extend(indices.iter().cloned());
                }
                block(body, around, found);
                around.truncate(outside);
            }
            // A condition may choose one half.
            Stmt::If { .. } => {}
            Stmt::Assign { target, op, value, .. } => {
                let op = op.as_ref().map(|op| &op.op);
                found.extend(transposed(target, op, value, around));
                found.extend(middle_inside(target, op, value, around));
            }
            other => blocks(other, &mut |b| block(b, around, found)),
        }
    }
}

/// The indices of an access of a matrix, if they are names of loops in `around`.
fn of_matrix<'e>(e: &'e Expr, around: &[Ident]) -> Option<(&'e Ident, [&'e Ident; 2])> {
    let Expr::Access { name, indices, .. } = e else { return None };
    let plain = |index: &'e Index| match &index.expr {
        Expr::Name(i) if index.protocol.is_none() && around.contains(i) => Some(i),
        _ => None,
    };
    match &indices[..] {
        [a, b] => Some((name, [plain(a)?, plain(b)?])),
        _ => None,
    }
}

/// Every access of `name` in `e`.
fn accesses_of<'e>(e: &'e Expr, name: &Ident, around: &[Ident]) -> Vec<(&'e Expr, [&'e Ident; 2])> {
    let mut all = Vec::new();
    visit_expr(e, &mut |e| {
        all.extend(of_matrix(e, around).filter(|(n, _)| *n == name).map(|(_, at)| (e, at)));
    });
    all
}

fn transposed(target: &Expr, op: Option<&Op>, value: &Expr, around: &[Ident]) -> Option<Warning> {
    let (name, [i, j]) = of_matrix(target, around)?;
    let (e, _) =
        accesses_of(value, name, around).into_iter().find(|(_, at)| i != j && *at == [j, i])?;
    // The least of both is the same in either order.
    if op.is_some_and(Op::is_idempotent) {
        return None;
    }
    let note = format!("`{name}[{j}, {i}]` has been written where `{i}` is the greater: every pair is gone through twice; write under `if {j} < {i}`, with both elements of the pair in definitions, or write into another tensor");
    Some(Warning { span: e.span(), name: "read_after_it_is_written", note })
}

fn middle_inside(
    target: &Expr,
    op: Option<&Op>,
    value: &Expr,
    around: &[Ident],
) -> Option<Warning> {
    let (name, [i, j]) = of_matrix(target, around)?;
    let all = accesses_of(value, name, around);
    let place = |i: &Ident| around.iter().position(|o| o == i);
    let (_, [_, k]) = all.iter().find(|(_, at)| at[0] == i && at[1] != j)?;
    let k = *k;
    let (e, _) = all.iter().find(|(_, at)| at[0] == k && at[1] == j)?;
    if k == i || i == j || place(k) < place(i).min(place(j)) {
        return None;
    }
    let by = match op? {
        Op::Min | Op::Max | Op::Or => format!("write the loop over `{k}` outermost, `for {k}, {i}, {j} {{ .. }}`, for paths of any length"),
        Op::Add => "write into another tensor for a product".to_owned(),
        _ => return None,
    };
    let note =
        format!("`{name}` is read here where the loops have written some of it already: {by}");
    Some(Warning { span: e.span(), name: "read_after_it_is_written", note })
}
