//! Warns of results as long as the inner part of what is read: `for i in 1..n - 1 { y[i] = x[i - 1] + x[i + 1] }` makes a `y` of `n - 1`.

use super::every;
use crate::ast::visit::{blocks, visit_expr};
use crate::ast::{Block, Expr, Output, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let open = program.outputs.iter().filter(|o| o.dims.is_none());
    for output in open {
        found.extend(ends_early(program, output));
        found.extend(between_neighbours(program, output));
    }
}

/// What a loop runs over that begins and ends inside of something: the whole, and the end.
type Inner = (String, String);

/// An assignment to a result: its value, and each index with the loop over it.
type Write<'e> = (&'e Expr, Vec<(&'e Expr, Option<Inner>)>);

/// The warning if all loops that write along a dimension of `output` begin and end inside of something.
fn ends_early(program: &Program, output: &Output) -> Option<Warning> {
    let mut writes = Vec::new();
    writes_of(&program.body, output, &mut Vec::new(), &mut writes);
    let (value, indices) = writes.first()?;
    let inner =
        |dim: usize| writes.iter().all(|(_, own)| own.get(dim).is_some_and(|i| i.1.is_some()));
    let dim = (0..indices.len()).find(|dim| inner(*dim))?;
    let (index, Some((_, end))) = &indices[dim] else { return None };
    let wholes = indices.iter().map(|(index, inner)| match inner {
        Some((whole, _)) => whole.clone(),
        None => size_along(value, index),
    });
    let wholes: Vec<String> = wholes.collect();
    let (name, index, wholes) = (&output.name, written(index)?, wholes.join(", "));
    let note = format!("`{name}` has the size that the loop over `{index}` ends at, `{end}`: say what it is to have behind its format, `[{wholes}]` for as many as what is read");
    Some(Warning { span: name.span(), name: "result_of_an_inner_part", note })
}

/// The assignments to `output` in `block`, which the loops over `around` are around.
fn writes_of<'e>(
    block: &'e Block,
    output: &Output,
    around: &mut Vec<(&'e Ident, Option<Inner>)>,
    out: &mut Vec<Write<'e>>,
) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::For { indices, extent, body, .. } => {
                let inner = extent.as_ref().and_then(|(lo, hi)| inner_end(lo, hi));
                around.extend(indices.iter().map(|i| (i, inner.clone())));
                writes_of(body, output, around, out);
                around.truncate(around.len() - indices.len());
            }
            Stmt::Assign { target: Expr::Access { name, indices, .. }, value, .. }
                if *name == output.name =>
            {
                let own = indices.iter().map(|index| {
                    let of = |i: &Ident| matches!(&index.expr, Expr::Name(own) if own == i);
                    let inner = around.iter().rev().find(|(i, _)| of(i));
                    (&index.expr, inner.and_then(|(_, inner)| inner.clone()))
                });
                out.push((value, own.collect()));
            }
            stmt => blocks(stmt, &mut |b| writes_of(b, output, around, out)),
        }
    }
}

/// The warning if `output` is assigned at an index of which reads are both before and behind alone, `b[i] = a[i - 1] + a[i + 1]`: it
/// runs where both are inside, and ends there.
fn between_neighbours(program: &Program, output: &Output) -> Option<Warning> {
    let mut warning = None;
    every(&program.body, &mut |stmt| {
        let Stmt::Assign { target: Expr::Access { name, indices, .. }, value, .. } = stmt else {
            return;
        };
        if *name != output.name {
            return;
        }
        for index in indices {
            let Expr::Name(i) = &index.expr else { continue };
            let mut bounded = false;
            every(&program.body, &mut |stmt| {
                bounded |= matches!(stmt, Stmt::For { indices, extent: Some(_), .. } if indices.contains(i));
            });
            if bounded {
                continue;
            }
            let (mut before, mut behind, mut other) = (None, false, false);
            // How far it is from the neighbours before and behind.
            let mut far = [0, 0];
            visit_expr(value, &mut |e| {
                let Expr::Access { name, indices, .. } = e else { return };
                for own in indices {
                    match moved(&own.expr, i) {
                        Some((Op::Sub, n)) => {
                            before = before.or(Some(name));
                            far[0] = n.max(far[0]);
                        }
                        Some((_, n)) => {
                            behind = true;
                            far[1] = n.max(far[1]);
                        }
                        None => visit_expr(&own.expr, &mut |e| {
                            other |= matches!(e, Expr::Name(n) if n == i);
                        }),
                    }
                }
            });
            let (Some(of), true, false) = (before, behind, other) else { continue };
            let all: Vec<String> = indices.iter().map(|i| size_along(value, &i.expr)).collect();
            let (name, all, size) = (&output.name, all.join(", "), size_along(value, &index.expr));
            let [from, less] = far;
            let note = format!("`{name}` ends where the last neighbour along `{i}` is inside of `{of}`, and is shorter than that: say what it is to have behind its format, `[{all}]` for as many as what is read, and write the loop over what has both neighbours, `for {i} in {from}..{size} - {less} {{ .. }}`");
            warning = warning.take().or(Some(Warning {
                span: name.span(),
                name: "result_of_an_inner_part",
                note,
            }));
        }
    });
    warning
}

/// The size of what `value` reads along `index`, as it is written, or a name for it.
fn size_along(value: &Expr, index: &Expr) -> String {
    let mut size = None;
    if let Expr::Name(i) = index {
        visit_expr(value, &mut |e| {
            let Expr::Access { name, indices, .. } = e else { return };
            let along = |e: &Expr| matches!(e, Expr::Name(n) if n == i) || moved(e, i).is_some();
            let at = indices.iter().position(|own| along(&own.expr));
            size = size.take().or(at.map(|at| format!("$({name}.shape()[{at}])")));
        });
    }
    size.unwrap_or_else(|| "n".to_owned())
}

/// `+` or `-`, and the literal, if `e` is the index `i` moved by that.
fn moved(e: &Expr, i: &Ident) -> Option<(Op, i128)> {
    let Expr::Call { op, args } = e else { return None };
    match &args[..] {
        [Expr::Name(n), Expr::Lit(Lit::Int(by), ..)] if n == i => {
            matches!(op.op, Op::Add | Op::Sub).then(|| (op.op.clone(), *by))
        }
        _ => None,
    }
}

/// What `lo..hi` is the inner part of, and where it ends. One from 0 makes what is shorter on purpose: differences of neighbours.
fn inner_end(lo: &Expr, hi: &Expr) -> Option<(String, String)> {
    let Expr::Lit(Lit::Int(begins), ..) = lo else { return None };
    let Expr::Call { op, args } = hi else { return None };
    let ([whole, Expr::Lit(Lit::Int(_), ..)], Op::Sub) = (&args[..], &op.op) else { return None };
    (*begins > 0).then(|| written(whole).zip(written(hi)))?
}
