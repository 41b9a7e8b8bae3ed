//! Warns of nests on one tensor in which an iteration reads what another one has written, where what was there first is meant:
//! `a[i, j] = a[j, i]`, which copies one half over the other, shortest paths whose middle is not outermost, and filters of neighbours on
//! both sides.

use super::{every, reads};
use crate::ast::visit::{blocks, visit_expr};
use crate::ast::{Block, Expr, Index, OpRef, Passing, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    block(&program.body, &mut Vec::new(), found);
    let updated = program.params.iter().filter(|p| p.passing == Passing::Mutable);
    for param in updated {
        let (mut loops, mut whole, mut indices_of_all) = (Vec::new(), Vec::new(), Vec::new());
        every(&program.body, &mut |stmt| {
            let Stmt::For { indices, parallel: None, extent, body, .. } = stmt else { return };
            indices_of_all.extend(indices);
            let Some(i) = indices.last() else { return };
            // Half of what there is ends in the middle.
            let half = |hi: &Expr| written(hi).is_none_or(|hi| hi.contains('/'));
            let from_0 = |lo: &Expr| matches!(lo, Expr::Lit(Lit::Int(0), ..));
            loops.push((i, body));
            if extent.as_ref().is_none_or(|(lo, hi)| from_0(lo) && !half(hi)) {
                whole.push((i, body));
            }
        });
        let name = &param.name;
        found.extend(loops.iter().find_map(|(i, body)| both_sides(name, i, body)));
        found.extend(loops.iter().find_map(|(i, body)| smeared(name, i, body)));
        found.extend(whole.iter().find_map(|(i, body)| swapped_twice(name, i, body)));
        found.extend(
            whole.iter().find_map(|(i, body)| fixed_element(name, i, body, &indices_of_all)),
        );
    }
}

/// The operator of an assignment: `d = min(d, x)` is `d <<min>>= x`.
fn reduces_by<'e>(target: &Expr, op: Option<&'e OpRef>, value: &'e Expr) -> Option<&'e Op> {
    let own = match value {
        Expr::Call { op, args } if args.iter().any(|a| same(a, target)) => Some(&op.op),
        _ => None,
    };
    op.map(|op| &op.op).or(own)
}

/// Whether both are one element as they are written.
fn same(a: &Expr, b: &Expr) -> bool {
    matches!(a, Expr::Access { .. }) && written(a).is_some() && written(a) == written(b)
}

/// How far behind the index `i` of a loop a vector is read or written: 1 for `i + 1`.
fn offset(e: &Expr, name: &Ident, i: &Ident) -> Option<i128> {
    let Expr::Access { name: of, indices, .. } = e else { return None };
    let ([index], true) = (&indices[..], of == name) else { return None };
    match &index.expr {
        Expr::Name(v) if v == i => Some(0),
        Expr::Call { op, args } => match (&op.op, &args[..]) {
            (Op::Add, [Expr::Name(v), Expr::Lit(Lit::Int(n), ..)]) if v == i => Some(*n),
            (Op::Sub, [Expr::Name(v), Expr::Lit(Lit::Int(n), ..)]) if v == i => Some(-n),
            _ => None,
        },
        _ => None,
    }
}

/// The warning if `x[i + 1] = x[i]` gives every element the first one.
fn smeared(name: &Ident, i: &Ident, body: &Block) -> Option<Warning> {
    body.stmts.iter().find_map(|stmt| {
        let Stmt::Assign { target, op: None, value, .. } = stmt else { return None };
        let (to, from) = (offset(target, name, i)?, offset(value, name, i)?);
        let note = "the iteration before has written this element, so that the first one comes to stand everywhere: write into another tensor to move what there was".to_owned();
        (to > from).then(|| Warning { span: value.span(), name: "read_after_it_is_written", note })
    })
}

/// The warning if each pair of elements is exchanged twice: `let t = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = t`.
fn swapped_twice(name: &Ident, i: &Ident, body: &Block) -> Option<Warning> {
    let [Stmt::Let { name: t, value, .. }, Stmt::Assign { target: a, op: None, value: b, .. }, Stmt::Assign { target: c, op: None, value: Expr::Name(back), .. }] =
        &body.stmts[..]
    else {
        return None;
    };
    let mirrored = |e: &Expr| match e {
        Expr::Access { name: of, indices, .. } if of == name => match &indices[..] {
            [index] => {
                matches!(&index.expr, Expr::Call { op, args } if op.op == Op::Sub && matches!(&args[..], [_, Expr::Name(v)] if v == i))
            }
            _ => false,
        },
        _ => false,
    };
    let swaps =
        back == t && same(value, a) && same(b, c) && offset(a, name, i) == Some(0) && mirrored(c);
    swaps.then(|| Warning { span: b.span(), name: "read_after_it_is_written", note: "each pair is exchanged twice, so that everything stays where it was, if the loop runs over all: let it end in the middle, `0..n / 2`".to_owned() })
}

/// The warning if the loop over `i` writes all of `name` along `i`, and reads one element of it that does not move.
fn fixed_element(name: &Ident, i: &Ident, body: &Block, loops: &[&Ident]) -> Option<Warning> {
    let inner: Vec<&Ident> = {
        let mut inner = Vec::new();
        every(body, &mut |stmt| {
            if let Stmt::For { indices, .. } = stmt {
                inner.extend(indices);
            }
        });
        inner
    };
    body.stmts.iter().find_map(|stmt| {
        let Stmt::Assign { target, op, value, .. } = stmt else { return None };
        let Expr::Access { name: to, indices, .. } = target else { return None };
        let along = indices.iter().any(|x| matches!(&x.expr, Expr::Name(v) if v == i));
        let by = reduces_by(target, op.as_ref(), value);
        let keeps = by.is_some_and(Op::is_idempotent);
        if to != name || !along || keeps {
            return None;
        }
        let mut found = None;
        visit_expr(value, &mut |e| {
            let Expr::Access { name: of, indices: own, .. } = e else { return };
            let mut moves = false;
            own.iter().for_each(|x| reads(&x.expr, &mut |n| moves |= n == i || inner.contains(&n)));
            // What differs elsewhere as well is another row.
            let meets = own.len() == indices.len() && own.iter().zip(indices).all(|(a, b)| {
                matches!(&b.expr, Expr::Name(v) if v == i) || written(&a.expr) == written(&b.expr)
            });
            let plain = own.iter().all(|x| matches!(&x.expr, Expr::Name(_) | Expr::Lit(..)));
            // What is added of the element of an outer loop may be nothing where that stands, as in a triangular solve.
            let adds = matches!(by, Some(Op::Add | Op::Sub));
            let outer = |x: &Index| loops.iter().any(|v| matches!(&x.expr, Expr::Name(n) if n == *v));
            let plain = plain && !(adds && own.iter().any(outer));
            if of == name && !moves && meets && plain && found.is_none() {
                found = written(e).map(|text| (e.span(), text));
            }
        });
        let (span, text) = found?;
        let note = format!("`{text}` changes when the loop over `{i}` comes to it, and is another number from then on: write `let p = {text};` in front of the loop, and `p` here");
        Some(Warning { span, name: "read_after_it_is_written", note })
    })
}

/// The warning if the loop over `i` writes `name` at `i`, and reads it before and behind that.
fn both_sides(name: &Ident, i: &Ident, body: &Block) -> Option<Warning> {
    let (mut written, mut sides) = (false, [None, None]);
    let mut offsets = |e: &Expr| {
        visit_expr(e, &mut |e| {
            let Expr::Access { name: of, indices, .. } = e else { return };
            for index in indices.iter().filter(|_| of == name) {
                let Expr::Call { op, args } = &index.expr else { continue };
                let [Expr::Name(v), Expr::Lit(Lit::Int(by), ..)] = &args[..] else { continue };
                match op.op {
                    Op::Sub if v == i && *by > 0 => sides[0] = sides[0].or(Some(e.span())),
                    Op::Add if v == i && *by > 0 => sides[1] = sides[1].or(Some(e.span())),
                    _ => {}
                }
            }
        });
    };
    let mut coloured = false;
    every(body, &mut |stmt| match stmt {
        Stmt::Assign { target, op: None, value, .. } => {
            offsets(value);
            if let Expr::Access { name: of, indices, .. } = target {
                let at = |index: &Index| matches!(&index.expr, Expr::Name(v) if v == i);
                written |= of == name && indices.iter().any(at);
            }
        }
        Stmt::Assign { value, .. } | Stmt::Let { value, .. } => offsets(value),
        Stmt::If { cond, .. } => {
            // Red and black elements are written in turn.
            visit_expr(cond, &mut |e| {
                coloured |= matches!(e, Expr::Call { op, .. } if op.op == Op::Rem)
            });
            offsets(cond);
        }
        _ => {}
    });
    let ([Some(span), Some(_)], true) = (sides, written && !coloured) else { return None };
    let note = format!("the iteration before has written this element of `{name}`, and none has written the one at `{i} + ..`: write into another tensor if both are to be as they were");
    Some(Warning { span, name: "read_after_it_is_written", note })
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
                let op = reduces_by(target, op.as_ref(), value);
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
