//! Removes definitions nothing reads, and state that is only ever written.

use crate::cin::*;
use crate::kernel::{Binding, Kernel};
use crate::kir::{Kir, Piece};
use std::collections::{HashMap, HashSet};

pub(super) fn remove(kernel: &Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    loop {
        let mut live = made_of(kernel);
        reads(kernel, &code, &mut live);
        let before = count(&code);
        strip(kernel, &mut code, &live);
        if count(&code) == before {
            return starts(kernel, code);
        }
    }
}

/// Puts the first value of a union's cursor where the cursor is defined, if the local that holds it is read nowhere else.
fn starts(kernel: &Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    let cursors: HashSet<VarId> = kernel.unions.values().flatten().copied().collect();
    if cursors.is_empty() {
        return code;
    }
    let mut reads: HashMap<VarId, usize> = HashMap::new();
    let mut read = |e: &Expr| {
        kernel.depends(e).into_iter().for_each(|v| *reads.entry(v).or_default() += 1);
    };
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            k.exprs().into_iter().for_each(&mut read);
            if let Kir::Code(r) = k {
                read(&Expr::Raw(*r));
            }
        })
    });
    begin(&mut code, &|cursor, start| cursors.contains(&cursor) && reads.get(&start) == Some(&1));
    code
}

fn begin(code: &mut Vec<Kir>, alone: &dyn Fn(VarId, VarId) -> bool) {
    let mut at = 0;
    while at < code.len() {
        code[at].blocks_mut().into_iter().for_each(|b| begin(b, alone));
        let start = match &code[at] {
            Kir::Let { var, value: Expr::Var(start), .. } if alone(*var, *start) => Some(*start),
            _ => None,
        };
        let defines =
            |k: &Kir| matches!(k, Kir::Let { var, mutable: false, .. } if Some(*var) == start);
        if let Some(first) = code[..at].iter().rposition(defines) {
            if code[first..at].iter().all(|k| matches!(k, Kir::Let { .. })) {
                if let (Kir::Let { value, .. }, Kir::Let { value: of, .. }) =
                    (code[first].clone(), &mut code[at])
                {
                    *of = value;
                    code.remove(first);
                    at -= 1;
                }
            }
        }
        at += 1;
    }
}

fn count(code: &[Kir]) -> usize {
    let mut n = 0;
    code.iter().for_each(|k| k.walk(&mut |_| n += 1));
    n
}

/// The scalar fields of the outputs' levels: outputs are put together from them behind all code.
fn made_of(kernel: &Kernel) -> HashSet<VarId> {
    let levels = kernel.outputs.iter().flat_map(|id| &kernel.tensor(*id).levels);
    let numbers = levels.flat_map(|l| &l.fields).filter_map(|(_, b)| match b {
        Binding::Scalar(v) => Some(*v),
        _ => None,
    });
    numbers.collect()
}

/// Variables read by anything but their own updates. Inside a `for` its variable is another one.
fn reads(kernel: &Kernel, code: &[Kir], live: &mut HashSet<VarId>) {
    for k in code {
        match k {
            Kir::Set { var, value } => {
                let own = *var;
                live.extend(kernel.depends(value).into_iter().filter(|v| *v != own));
            }
            Kir::Code(r) => live.extend(kernel.depends(&Expr::Raw(*r))),
            Kir::Parallel(p) => {
                for e in [&p.lo, &p.hi] {
                    live.extend(kernel.depends(e));
                }
                p.pieces.iter().for_each(|piece| given(kernel, piece, live));
            }
            other => {
                for e in other.exprs() {
                    live.extend(kernel.depends(e));
                }
                // A scalar the program writes is read when it is given back.
                if let Kir::Store { target: Expr::Var(v), .. } = other {
                    live.insert(*v);
                }
            }
        }
        if let Kir::For { var, body, .. } = k {
            let mut inner = HashSet::new();
            reads(kernel, body, &mut inner);
            inner.remove(var);
            live.extend(inner);
        } else {
            k.blocks().into_iter().for_each(|b| reads(kernel, b, live));
        }
    }
}

/// Adds the variables that `piece` of a chunk is made from, or gives back, to `live`.
fn given(kernel: &Kernel, piece: &Piece, live: &mut HashSet<VarId>) {
    match piece {
        Piece::Scalar { var, part, .. } => live.extend([*var, *part]),
        Piece::Part { whole, .. } => live.extend(kernel.tensor(*whole).lens.first()),
        Piece::Made { whole, part, .. } => {
            live.extend(&kernel.tensor(*whole).lens);
            let fields = kernel.tensor(*part).levels.iter().flat_map(|l| &l.fields);
            live.extend(fields.filter_map(|(_, b)| match b {
                Binding::Scalar(v) => Some(*v),
                _ => None,
            }));
        }
        Piece::Copy { .. } => {}
    }
}

fn strip(kernel: &Kernel, code: &mut Vec<Kir>, live: &HashSet<VarId>) {
    code.retain(|k| match k {
        Kir::Let { var, value, .. } => live.contains(var) || effect(kernel, value),
        Kir::Set { var, .. } => live.contains(var),
        _ => true,
    });
    for k in code.iter_mut() {
        k.blocks_mut().into_iter().for_each(|b| strip(kernel, b, live));
    }
    code.retain(|k| !k.is_idle() || matches!(k, Kir::Comment(_)));
}

fn effect(kernel: &Kernel, e: &Expr) -> bool {
    let mut found = false;
    kernel.everywhere(e, &mut |x| {
        found |= matches!(x, Expr::Raw(r) if kernel.raws[r.0 as usize].effect);
    });
    found
}
