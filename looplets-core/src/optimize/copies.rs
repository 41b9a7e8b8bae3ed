//! Rows that are copied one after the other are one stretch of their arrays, and are copied as one.
//!
//! Where a loop over rows puts the entries of each, and nothing of an entry depends on its row, the entries of all
//! rows stand side by side: they are those from the first offset to the last. The loop over rows then only says
//! where each begins, and one loop behind it copies, which LLVM does by vectors. By hand it is one
//! `extend_from_slice` for all.

use super::guards::any;
use crate::cin::*;
use crate::decl::Joined;
use crate::kernel::*;
use crate::kir::{map_code, Kir};
use crate::opaque::Opaque;
use std::collections::BTreeSet;

pub(super) fn copies(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = copies(kernel, std::mem::take(block));
        }
        match rows(kernel, &k) {
            Some(rows) => out.extend(rows.apart(kernel)),
            None => out.push(k),
        }
    }
    out
}

/// A loop over rows, the last thing in each of which is to put its entries.
struct Rows {
    row: VarId,
    lo: Expr,
    hi: Expr,
    /// What it does in front of that.
    before: Vec<Kir>,
    /// Where the entries of a row begin, and where those of the next do.
    offset: ArrayId,
    at: Expr,
    entry: VarId,
    body: Vec<Kir>,
    /// Counts what was put.
    count: VarId,
}

fn rows(kernel: &Kernel, k: &Kir) -> Option<Rows> {
    let Kir::For { var: row, lo, hi, body } = k else { return None };
    let inner = body.iter().rposition(|k| !k.is_idle())?;
    let (before, Kir::For { var: entry, lo: first, hi: last, body: puts }) =
        (&body[..inner], &body[inner])
    else {
        return None;
    };
    let value = |e: &Expr| match e {
        Expr::Var(v) => before.iter().find_map(|k| match k {
            Kir::Let { var, mutable: false, value } if var == v => Some(value.clone()),
            _ => None,
        }),
        e => Some(e.clone()),
    };
    let (Some(Expr::Load(offset, at)), Some(Expr::Load(end, next))) = (value(first), value(last))
    else {
        return None;
    };
    let moved = crate::kernel::difference(&at, &Expr::Var(*row));
    let fixed = kernel.depends(&moved).iter().all(|v| v != row) && !reads(&moved);
    let follow = offset == end && crate::kernel::difference(&next, &at) == Expr::int(1);
    let leaves = |k: &Kir| matches!(k, Kir::Break(_) | Kir::Take(_) | Kir::Parallel(_));
    if !fixed || !follow || !is_offsets(kernel, offset) || any(before, &leaves) {
        return None;
    }
    let count = put_alone(kernel, *row, before, puts)?;
    let bounds: Vec<VarId> = [lo, hi, &moved].into_iter().flat_map(|e| kernel.depends(e)).collect();
    let sets = |k: &Kir| k.sets().is_some_and(|v| v == count || bounds.contains(&v));
    if any(before, &sets) || bounds.contains(&count) || reads(lo) || reads(hi) {
        return None;
    }
    Some(Rows {
        row: *row,
        lo: lo.clone(),
        hi: hi.clone(),
        before: before.to_vec(),
        offset,
        at: *at,
        entry: *entry,
        body: puts.clone(),
        count,
    })
}

/// Whether `body` does nothing but to put an element, the same in any row, and to count it; what counts.
fn put_alone(kernel: &Kernel, row: VarId, before: &[Kir], body: &[Kir]) -> Option<VarId> {
    // What a row defines, though it be the same in each, is not there behind the loop over rows.
    let mut of_row = BTreeSet::from([row]);
    before.iter().for_each(|k| k.walk(&mut |k| of_row.extend(k.sets())));
    let (mut count, mut counted) = (None, 0);
    for k in body {
        match k {
            Kir::Let { mutable: false, .. } | Kir::Comment(_) => {}
            Kir::Put { at: Expr::Var(n), .. } if count.is_none_or(|c| c == *n) => count = Some(*n),
            Kir::Set { var, value } if *value == Expr::Var(*var).plus(1) && counted == 0 => {
                if count != Some(*var) {
                    return None;
                }
                counted = 1;
            }
            _ => return None,
        }
        // Code of a program may do anything once more, or in another order.
        let own = |e: &&Expr| {
            let mut plain = true;
            e.walk(&mut |e| match e {
                Expr::Call(Op::Function(_) | Op::Method(_), _) | Expr::Access(_) => plain = false,
                Expr::Raw(r) => {
                    plain &= matches!(kernel.raws[r.0 as usize].code, Opaque::Declared(_));
                    let names = &kernel.raws[r.0 as usize].names;
                    plain &= names.iter().all(|(_, e)| kernel.is_of_inputs(e));
                }
                _ => {}
            });
            plain && kernel.is_of_inputs(e) && !kernel.depends(e).iter().any(|v| of_row.contains(v))
        };
        if !k.exprs().iter().all(own) {
            return None;
        }
    }
    count.filter(|_| counted == 1)
}

/// Whether it reads what may change.
fn reads(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Load(..) | Expr::Access(_) | Expr::Raw(_)));
    found
}

/// Whether the elements of `array` do not descend: each fiber begins where the one before it ends.
pub(super) fn is_offsets(kernel: &Kernel, array: ArrayId) -> bool {
    let of = &kernel.arrays[array.0 as usize];
    let tensor = kernel.tensor(of.tensor);
    let said = |level: &Level| {
        let own = level.fields.iter().find(|(_, b)| matches!(b, Binding::Array(a) if *a == array));
        let join = level.format.level().join.as_ref();
        own.zip(join).is_some_and(|((name, _), join)| {
            level.trusted && join.iter().any(|(n, how)| n == name && *how == Joined::Offsets)
        })
    };
    of.trusted && tensor.role == Role::Input && tensor.levels.iter().any(said)
}

/// Where the entries of row `row` begin and end, if `e` is their number: the array, and the place of the first.
pub(super) fn row_of_offsets(kernel: &Kernel, e: &Expr) -> Option<(ArrayId, Expr)> {
    let Expr::Call(Op::Max, args) = e else { return None };
    let [Expr::Call(Op::Sub, args), Expr::Lit(Lit::Int(0))] = &args[..] else { return None };
    let [Expr::Load(end, next), Expr::Load(offset, at)] = &args[..] else { return None };
    let follow = offset == end && crate::kernel::difference(next, at) == Expr::int(1);
    (follow && is_offsets(kernel, *offset)).then(|| (*offset, (**at).clone()))
}

impl Rows {
    /// The loop over rows, then that over the entries of all.
    fn apart(self, kernel: &mut Kernel) -> Vec<Kir> {
        let Rows { row, lo, hi, before, offset, at, entry, body, count } = self;
        let place = |kernel: &mut Kernel, r: &Expr| {
            let at = with(kernel, &at, row, r);
            Expr::Load(offset, Box::new(at))
        };
        let some = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
        let local = |kernel: &mut Kernel, name: &str, value: Expr| {
            let var = kernel.var(name, VarKind::Local, Ty::Index);
            (Expr::Var(var), Kir::Let { var, mutable: false, value })
        };
        let first = place(kernel, &lo);
        let first = Expr::call(Op::IfElse, [some.clone(), first, Expr::int(0)]);
        let last = place(kernel, &hi);
        let last = Expr::call(Op::IfElse, [some, last, Expr::int(0)]);
        let (first, let_first) = local(kernel, "first", first);
        let (last, let_last) = local(kernel, "last", last);
        let base = Expr::call(Op::Sub, [Expr::Var(count), first.clone()]);
        let (base, let_base) = local(kernel, "base", base);
        let here = place(kernel, &Expr::Var(row));
        let here = Expr::call(Op::Add, [base, here]);
        let before: Vec<Kir> = before.iter().map(|k| with_code(kernel, k, count, &here)).collect();
        let used = |var: VarId| {
            let own = |k: &Kir| k.exprs().into_iter().any(|e| kernel.depends(e).contains(&var));
            let code = |k: &Kir| matches!(k, Kir::Code(r) if kernel.depends(&Expr::Raw(*r)).contains(&var));
            any(&before, &|k| own(k) || code(k))
        };
        let idle = |k: &Kir| match k {
            Kir::Let { var, mutable: false, .. } => !used(*var),
            k => k.is_idle(),
        };
        let body_of_row = before.iter().filter(|k| !idle(k)).cloned().collect();
        vec![
            let_first,
            let_last,
            let_base,
            Kir::For { var: row, lo, hi, body: body_of_row },
            Kir::For { var: entry, lo: first, hi: last, body },
        ]
    }
}

/// `e` with `value` for `var`, in opaque parts as well.
fn with(kernel: &mut Kernel, e: &Expr, var: VarId, value: &Expr) -> Expr {
    e.map(&mut |e| match e {
        Expr::Var(v) if *v == var => Some(value.clone()),
        Expr::Raw(r) if kernel.depends(e).contains(&var) => {
            let Raw { names, code, ty, effect } = kernel.raws[r.0 as usize].clone();
            let names = names.into_iter().map(|(n, e)| (n, with(kernel, &e, var, value))).collect();
            Some(kernel.opaque(Raw { names, code, ty, effect }))
        }
        _ => None,
    })
}

/// `k` with `value` for `var`.
fn with_code(kernel: &mut Kernel, k: &Kir, var: VarId, value: &Expr) -> Kir {
    let mut new = map_code(std::slice::from_ref(k), &mut |e| {
        (kernel.depends(e).contains(&var)).then(|| with(kernel, e, var, value))
    });
    let mut k = new.remove(0);
    statements(kernel, &mut k, var, value);
    k
}

/// Opaque statements in `k`.
fn statements(kernel: &mut Kernel, k: &mut Kir, var: VarId, value: &Expr) {
    if let Kir::Code(r) = k {
        if let Expr::Raw(new) = with(kernel, &Expr::Raw(*r), var, value) {
            *r = new;
        }
    }
    for block in k.blocks_mut() {
        block.iter_mut().for_each(|k| statements(kernel, k, var, value));
    }
}
