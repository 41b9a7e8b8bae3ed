//! Keeps an element that a loop reduces into in a local: LLVM may not, for want of aliasing facts.

use super::{first_reduction, mentions};
use crate::cin::*;
use crate::kernel::{Kernel, VarKind};
use crate::kir::{Kir, Piece};
use std::collections::{HashMap, HashSet};

pub(super) fn promote(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let all = Whole { stores: stores(&code), of: parted(&code) };
    within(kernel, code, &all)
}

/// What is to be known of all of the code.
struct Whole {
    /// How many statements store to each array.
    stores: HashMap<ArrayId, usize>,
    /// The results that chunks have parts of, by part.
    of: HashMap<TensorId, TensorId>,
}

fn parted(code: &[Kir]) -> HashMap<TensorId, TensorId> {
    let mut of = HashMap::new();
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            let Kir::Parallel(p) = k else { return };
            of.extend(p.pieces.iter().filter_map(|piece| match piece {
                Piece::Part { whole, part } => Some((*part, *whole)),
                _ => None,
            }));
        })
    });
    of
}

/// How many statements store to each array.
fn stores(code: &[Kir]) -> HashMap<ArrayId, usize> {
    let mut count = HashMap::new();
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            if let Kir::Store { target: Expr::Load(a, _), .. } = k {
                *count.entry(*a).or_insert(0) += 1;
            }
        })
    });
    count
}

fn within(kernel: &mut Kernel, code: Vec<Kir>, all: &Whole) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        let mut stores = Vec::new();
        if let Kir::For { .. } | Kir::While { .. } = k {
            while let Some((array, index)) = candidate(kernel, &k) {
                let info = kernel.arrays[array.0 as usize].clone();
                let tensor = kernel.tensor(info.tensor).name.clone();
                let acc = kernel.var(&format!("{tensor}_acc"), VarKind::Scalar, info.elem);
                kernel.assigned_like(acc, &tensor.to_string());
                let place = Expr::Load(array, Box::new(index));
                let alone = stores_of(&k, array) == all.stores[&array];
                let whole = all.of.get(&info.tensor).unwrap_or(&info.tensor);
                let fill = first_reduction::fill(kernel, *whole).filter(|_| alone);
                redirect(&mut k, array, acc);
                let value = fill.unwrap_or_else(|| place.clone());
                out.push(Kir::Let { var: acc, mutable: true, value });
                stores.push(Kir::Store { target: place, op: None, value: Expr::Var(acc) });
            }
        }
        for block in k.blocks_mut() {
            *block = within(kernel, std::mem::take(block), all);
        }
        out.push(k);
        out.extend(stores);
    }
    out
}

fn stores_of(k: &Kir, array: ArrayId) -> usize {
    stores(std::slice::from_ref(k)).get(&array).copied().unwrap_or(0)
}

/// An element that every store of its array in the loop reduces into, that nothing in the loop
/// reads, and whose position does not change in the loop.
fn candidate(kernel: &Kernel, k: &Kir) -> Option<(ArrayId, Expr)> {
    let (mut defined, mut stores) = (HashSet::new(), Vec::new());
    k.walk(&mut |k| match k {
        Kir::Let { .. } | Kir::Set { .. } | Kir::For { .. } | Kir::Begin(_) => {
            defined.extend(k.sets())
        }
        Kir::Store { target: Expr::Load(a, i), op, .. } => {
            stores.push((*a, (**i).clone(), op.is_some()))
        }
        _ => {}
    });
    let found = stores.iter().find(|(a, i, _)| {
        let same = stores.iter().filter(|(b, ..)| a == b).all(|(_, j, reduces)| i == j && *reduces);
        same && kernel.depends(i).iter().all(|v| !defined.contains(v)) && !read(kernel, k, *a)
    })?;
    Some((found.0, found.1.clone()))
}

fn read(kernel: &Kernel, k: &Kir, array: ArrayId) -> bool {
    let mut found = false;
    k.walk(&mut |k| match k {
        Kir::Store { target, value, .. } => {
            found |= mentions(kernel, value, array);
            if let Expr::Load(_, i) = target {
                found |= mentions(kernel, i, array);
            }
        }
        Kir::Code(r) => found |= mentions(kernel, &Expr::Raw(*r), array),
        Kir::Parallel(p) => found |= p.arrays(|t| kernel.arrays_of(t)).contains(&array),
        other => found |= other.exprs().into_iter().any(|e| mentions(kernel, e, array)),
    });
    found
}

fn redirect(k: &mut Kir, array: ArrayId, acc: VarId) {
    if let Kir::Store { target, .. } = k {
        if matches!(target, Expr::Load(a, _) if *a == array) {
            *target = Expr::Var(acc);
        }
    }
    for block in k.blocks_mut() {
        block.iter_mut().for_each(|k| redirect(k, array, acc));
    }
}
