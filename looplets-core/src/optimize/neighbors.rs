//! Where all that is done with a group of neighbours is to put its entries, one loop over the entries of all groups
//! does the same.
//!
//! A stepper over a level of groups looks for the end of each, as the child of a group is one fiber. Where nothing
//! is kept for a group, nothing needs to know where it ends: its coordinate is that of each of its entries. By hand
//! a `Coo` is copied array by array, which LLVM then does by vectors.

use super::guards::any;
use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::{map_code, Kir};
use std::collections::BTreeMap;

pub(super) fn neighbors(kernel: &mut Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    if kernel.groups.is_empty() {
        return code;
    }
    let all = mentions(kernel, &code);
    block(kernel, &mut code, &all);
    code
}

fn block(kernel: &Kernel, code: &mut Vec<Kir>, all: &BTreeMap<VarId, usize>) {
    let mut n = 0;
    while n < code.len() {
        code[n].blocks_mut().into_iter().for_each(|inner| block(kernel, inner, all));
        n += 1;
        let Some(groups) = groups(kernel, &code[n - 1]) else { continue };
        let let_of =
            |var| code[..n].iter().rposition(|k| matches!(k, Kir::Let { var: v, .. } if *v == var));
        let (Some(first), Some(after)) = (let_of(groups.q), let_of(groups.after)) else { continue };
        let moved = any(&code[first + 1..n - 1], &|k| k.sets() == Some(groups.q));
        // In front of the loop the first position may be asked for.
        let of_first = mentions(kernel, &code[first..n]).get(&groups.q) == all.get(&groups.q);
        let own = mentions(kernel, &[code[after].clone(), code[n - 1].clone()]);
        if moved || !of_first || own.get(&groups.after) != all.get(&groups.after) {
            continue;
        }
        let (lo, hi) = (Expr::Var(groups.q), groups.end);
        code[n - 1] = Kir::For { var: groups.entry, lo, hi, body: groups.body };
        if let Kir::Let { mutable, .. } = &mut code[first] {
            *mutable = false;
        }
        code.remove(after);
        n -= 1;
    }
}

/// How often each variable is set or read.
fn mentions(kernel: &Kernel, code: &[Kir]) -> BTreeMap<VarId, usize> {
    let mut all = BTreeMap::new();
    let mut one = |k: &Kir| {
        let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
        let read = k.exprs().into_iter().chain(&raw).flat_map(|e| kernel.depends(e));
        for var in read.chain(k.sets()) {
            *all.entry(var).or_default() += 1;
        }
    };
    code.iter().for_each(|k| k.walk(&mut one));
    all
}

/// A loop over groups as a loop over entries.
struct Groups {
    q: VarId,
    after: VarId,
    end: Expr,
    entry: VarId,
    body: Vec<Kir>,
}

fn groups(kernel: &Kernel, k: &Kir) -> Option<Groups> {
    let Kir::While { cond: Expr::Call(Op::Lt, args), body } = k else { return None };
    let [Expr::Var(q), end] = &args[..] else { return None };
    let of = kernel.groups.get(q).filter(|of| of.end == *end)?;
    let coordinate = of.coordinate?;
    let [own @ .., Kir::Set { var: moved, value }, Kir::Set { var: ends, .. }] = &body[..] else {
        return None;
    };
    if moved != q || *value != Expr::Var(of.after) || *ends != of.after {
        return None;
    }
    let mut lets = Vec::new();
    let Kir::For { var: entry, lo, hi, body } = last(own, &mut lets)? else { return None };
    let bounds = |e: &Expr| match e {
        Expr::Var(v) => lets.iter().find(|(var, _)| var == v).map_or(e.clone(), |(_, e)| e.clone()),
        e => e.clone(),
    };
    if bounds(lo) != Expr::Var(*q) || bounds(hi) != Expr::Var(of.after) || !puts(body) {
        return None;
    }
    let here = Expr::Load(coordinate, Box::new(Expr::Var(*q)));
    let of_entry = Expr::Load(coordinate, Box::new(Expr::Var(*entry)));
    let mut moved = |e: &Expr| (*e == here).then(|| of_entry.clone());
    let mut gone = vec![*q, of.after];
    let mut inner = Vec::new();
    for (var, value) in lets {
        let value = value.map(&mut moved);
        let of_group = kernel.depends(&value).iter().any(|v| gone.contains(v));
        match of_group || !plain(kernel, &value) {
            true => gone.push(var),
            false => inner.push(Kir::Let { var, mutable: false, value }),
        }
    }
    inner.extend(map_code(body, &mut moved));
    let uses = mentions(kernel, &inner);
    let stands = gone.iter().all(|var| !uses.contains_key(var));
    stands.then(|| Groups { q: *q, after: of.after, end: end.clone(), entry: *entry, body: inner })
}

/// The last statement of `code`, which does nothing else but to define what is added to `lets`.
fn last<'a>(code: &'a [Kir], lets: &mut Vec<(VarId, Expr)>) -> Option<&'a Kir> {
    let [before @ .., last] = code else { return None };
    for k in before {
        match k {
            Kir::Let { var, mutable: false, value } => lets.push((*var, value.clone())),
            Kir::Comment(_) => {}
            _ => return None,
        }
    }
    match last {
        Kir::Block(inner) => self::last(inner, lets),
        k => Some(k),
    }
}

/// Whether `code` does nothing but to put elements, and to count them.
fn puts(code: &[Kir]) -> bool {
    let other = |k: &Kir| {
        !matches!(
            k,
            Kir::Let { mutable: false, .. }
                | Kir::Comment(_)
                | Kir::Put { .. }
                | Kir::Set { .. }
                | Kir::If { .. }
                | Kir::Block(_)
        )
    };
    any(code, &|k| matches!(k, Kir::Put { .. })) && !any(code, &other)
}

/// Whether `e` may be computed once for each entry: no code of a program is in it, and nothing that is written to.
fn plain(kernel: &Kernel, e: &Expr) -> bool {
    kernel.effects(e).is_pure() && kernel.is_of_inputs(e)
}
