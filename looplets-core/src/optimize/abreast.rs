//! Iterations abreast: where each iteration of a loop takes a sum over the same range, two of them take theirs together. What
//! both read is loaded once, and the lanes of both are put side by side in memory at once.
//!
//! `c[i, j] += a[i, j] * d[i, k] * e[j, k]` reads the row `d[i, _]` once for each two entries of `a[i, _]`. LLVM does not
//! merge the loops of two iterations, for want of aliasing facts (it calls this unroll and jam). Each sum has its terms in
//! the order it had before.
//!
//! What is not needed for the sums, such as what is stored, is done one iteration after the other, behind both sums. So
//! these may read nothing that is written there, and must not fail: the second is taken before the first is stored. What
//! runs, and how often, must be the same for both, so that one loop serves them.

use super::blend::harmless;
use super::pairs::Rows;
use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::{HashMap, HashSet};

/// How many iterations. Four are up to a tenth faster with wide registers and slower without, where the lanes of two are
/// half of all registers; and of short rows more is left over.
const ABREAST: usize = 2;

/// Bodies of more statements are not repeated.
pub(super) const LONGEST: usize = 100;

pub(super) fn abreast(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        if let Some(parts) = parts(kernel, &k, LONGEST) {
            out.extend(together(kernel, k, parts));
            continue;
        }
        if let Some(rows) = Rows::of(kernel, &k) {
            out.extend(rows.together(kernel, &mut k));
        }
        for block in k.blocks_mut() {
            *block = abreast(kernel, std::mem::take(block));
        }
        out.push(k);
    }
    out
}

/// The body of a loop, taken apart.
pub(super) struct Parts {
    /// What is asked in each iteration, with the same answer.
    pub conditions: Vec<Expr>,
    /// What the sums read, and the sums.
    pub sums: Vec<Kir>,
    /// All else.
    pub rest: Vec<Kir>,
    /// What is another in each iteration, of what `sums` defines.
    own: Vec<VarId>,
}

/// The loop `k` of at most `longest` statements taken apart, if iterations of it may go abreast.
pub(super) fn parts(kernel: &Kernel, k: &Kir, longest: usize) -> Option<Parts> {
    let Kir::For { var, body, .. } = k else { return None };
    if kernel.steps.is_some() {
        return None;
    }
    let mut count = 0;
    body.iter().for_each(|k| k.walk(&mut |_| count += 1));
    let mut set = HashSet::new();
    k.walk(&mut |k| set.extend(k.sets()));
    let (mut conditions, mut front, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    let mut code = &body[..];
    let at = loop {
        let at = code.iter().position(|k| puts_together(kernel, k))?;
        match &code[at] {
            Kir::If { cond, then, otherwise }
                if otherwise.is_empty() && at + 1 == code.len() && behind.is_empty() =>
            {
                if !kernel.is_of_scalars(cond)
                    || kernel.depends(cond).iter().any(|v| set.contains(v))
                {
                    return None;
                }
                conditions.push(cond.clone());
                front.extend(&code[..at]);
                code = then;
            }
            Kir::Block(inner) if !sum(kernel, inner) => {
                front.extend(&code[..at]);
                behind.splice(..0, code[at + 1..].iter().cloned());
                code = inner;
            }
            _ => break at,
        }
    };
    front.extend(&code[..at]);
    let (mut sums, mut rest) = (Vec::new(), Vec::new());
    for k in front {
        match k {
            Kir::Let { .. } => sums.push(k.clone()),
            Kir::Put { .. } | Kir::Store { .. } | Kir::Set { .. } => rest.push(k.clone()),
            Kir::Comment(_) => {}
            _ => return None,
        }
    }
    // With what a sum has left behind its lanes.
    let mut end = at;
    let defined: HashSet<VarId> = sums.iter().filter_map(Kir::sets).collect();
    while code.get(end).is_some_and(|k| local(kernel, k, &defined)) {
        end += 1;
    }
    sums.extend_from_slice(&code[at..end]);
    rest.extend_from_slice(&code[end..]);
    rest.append(&mut behind);
    let own = own(kernel, &sums, *var)?;
    let fits = end > at && count <= longest && apart(kernel, &sums, &rest, &own, *var);
    (fits && shares(kernel, &sums, &own)).then_some(Parts { conditions, sums, rest, own })
}

/// Whether `k` puts lanes together, itself or in what is below.
fn puts_together(kernel: &Kernel, k: &Kir) -> bool {
    let mut found = false;
    k.walk(&mut |k| found |= lanes(kernel, k).is_some());
    found
}

/// The lanes that `k` puts together.
fn lanes(kernel: &Kernel, k: &Kir) -> Option<Vec<Expr>> {
    let Kir::Code(r) = k else { return None };
    let raw = &kernel.raws[r.0 as usize];
    let together = matches!(raw.code, Opaque::Runtime(Runtime::Together));
    together.then(|| raw.names.iter().map(|(_, e)| e.clone()).collect())
}

/// Whether a block is that of lanes.
fn sum(kernel: &Kernel, code: &[Kir]) -> bool {
    code.iter().any(|k| lanes(kernel, k).is_some())
}

/// Whether `k` changes nothing but variables that are `defined` in front of it, or in it.
fn local(kernel: &Kernel, k: &Kir, defined: &HashSet<VarId>) -> bool {
    let (mut all, mut inside) = (true, defined.clone());
    k.walk(&mut |k| match k {
        Kir::Let { var, .. } | Kir::For { var, .. } => {
            inside.insert(*var);
        }
        Kir::Set { var, .. } | Kir::Store { target: Expr::Var(var), .. } => {
            all &= inside.contains(var);
        }
        Kir::While { .. } | Kir::If { .. } | Kir::Block(_) | Kir::Comment(_) => {}
        k => all &= lanes(kernel, k).is_some(),
    });
    all
}

/// What is another in each iteration of a loop over `index`, of the variables of `sums`; none if it decides what runs.
pub(super) fn own(kernel: &Kernel, sums: &[Kir], index: VarId) -> Option<Vec<VarId>> {
    let mut own = vec![index];
    loop {
        let (before, mut steers) = (own.len(), false);
        let mut each = |k: &Kir| {
            let varies = |e: &Expr| kernel.depends(e).iter().any(|v| own.contains(v));
            match k {
                Kir::Let { var, value, .. }
                | Kir::Set { var, value }
                | Kir::Store { target: Expr::Var(var), value, .. } => {
                    if varies(value) && !own.contains(var) {
                        own.push(*var);
                    }
                }
                k => steers |= k.exprs().iter().any(|e| varies(e)),
            }
        };
        sums.iter().for_each(|k| k.walk(&mut |k| each(k)));
        if steers {
            return None;
        }
        if own.len() == before {
            return Some(own);
        }
    }
}

/// Whether `sums` may be taken for the next iteration before the `rest` of this one is done.
pub(super) fn apart(
    kernel: &Kernel,
    sums: &[Kir],
    rest: &[Kir],
    own: &[VarId],
    index: VarId,
) -> bool {
    let (mut sound, mut written, mut set) = (true, HashSet::new(), HashSet::new());
    let mut each = |k: &Kir| {
        set.extend(k.sets());
        match k {
            Kir::Store { target: Expr::Load(a, _), .. } | Kir::Put { array: a, .. } => {
                written.insert(*a);
            }
            Kir::Let { .. } | Kir::Set { .. } | Kir::Store { target: Expr::Var(_), .. } => {}
            Kir::If { .. } | Kir::Block(_) | Kir::Comment(_) => {}
            _ => sound = false,
        }
    };
    rest.iter().for_each(|k| k.walk(&mut |k| each(k)));
    let mut each = |k: &Kir| {
        for e in k.exprs() {
            sound &= harmless(kernel, e) || default(kernel, e);
            sound &= kernel.depends(e).iter().all(|v| !set.contains(v));
            e.walk(&mut |e| sound &= !matches!(e, Expr::Load(a, _) if written.contains(a)));
        }
        // One variable for both, or one that is no local of the loop.
        sound &= k.sets().is_none_or(|v| !set.contains(&v) || own.contains(&v));
    };
    sums.iter().for_each(|k| k.walk(&mut |k| each(k)));
    sound && !set.contains(&index)
}

/// Whether `e` is the default of a type of numbers.
pub(super) fn default(kernel: &Kernel, e: &Expr) -> bool {
    let code = |r: &RawId| &kernel.raws[r.0 as usize].code;
    matches!(e, Expr::Raw(r) if matches!(code(r), Opaque::Runtime(Runtime::Default)))
}

/// Whether `sums` has an element that is the same in each iteration, in a loop.
pub(super) fn shares(kernel: &Kernel, sums: &[Kir], own: &[VarId]) -> bool {
    let mut found = false;
    let mut each = |k: &Kir| {
        for e in k.exprs() {
            e.walk(&mut |e| {
                let same = || !kernel.depends(e).iter().any(|v| own.contains(v));
                found |= matches!(e, Expr::Load(..)) && same();
            });
        }
    };
    sums.iter().filter(|k| !matches!(k, Kir::Let { .. })).for_each(|k| k.walk(&mut |k| each(k)));
    found
}

/// The loop `k` by several iterations at a time, then by one.
pub(super) fn together(kernel: &mut Kernel, k: Kir, parts: Parts) -> Vec<Kir> {
    let Kir::For { var, lo, hi, body } = k else { unreachable!("a loop was taken apart") };
    let name = kernel.info(var).name.clone();
    let mut state = |suffix| kernel.var(&format!("{name}_{suffix}"), VarKind::State, Ty::Index);
    let (at, end) = (state("pair"), state("end"));
    let names: Vec<HashMap<VarId, VarId>> = (0..ABREAST)
        .map(|n| if n == 0 { HashMap::new() } else { fresh(kernel, &parts.own) })
        .collect();
    let own: HashSet<VarId> = parts.own.iter().copied().collect();
    let mut inside: Vec<Kir> = Vec::new();
    for (n, names) in names.iter().enumerate() {
        let value = Expr::Var(at).plus(n as i128);
        inside.push(Kir::Let { var: named(names, var), mutable: false, value });
    }
    inside.extend(side_by_side(kernel, &parts.sums, &own, &names));
    for names in &names {
        let rest = parts.rest.iter().map(|k| renamed(kernel, k, names)).collect();
        inside.push(Kir::Block(rest));
    }
    let by = Expr::call(Op::Add, [Expr::Var(at), Expr::int(ABREAST as i128)]);
    inside.push(Kir::Set { var: at, value: by });
    let more = Expr::call(Op::Le, [Expr::Var(at).plus(ABREAST as i128), Expr::Var(end)]);
    let cond = match parts.conditions.is_empty() {
        true => more,
        false => {
            Expr::call(Op::And, parts.conditions.into_iter().chain([more]).collect::<Vec<_>>())
        }
    };
    vec![
        Kir::Let { var: at, mutable: true, value: lo },
        Kir::Let { var: end, mutable: false, value: hi },
        Kir::While { cond, body: inside },
        Kir::For { var, lo: Expr::Var(at), hi: Expr::Var(end), body },
    ]
}

/// A name of its own for each of `own`.
pub(super) fn fresh(kernel: &mut Kernel, own: &[VarId]) -> HashMap<VarId, VarId> {
    let mut one = |v: &VarId| {
        let info = kernel.info(*v).clone();
        let var = kernel.var(&info.name, info.kind, info.ty);
        kernel.assigned_like(var, &info.name);
        (*v, var)
    };
    own.iter().map(&mut one).collect()
}

pub(super) fn named(names: &HashMap<VarId, VarId>, v: VarId) -> VarId {
    names.get(&v).copied().unwrap_or(v)
}

/// `code` with each statement once for each of `names`, if it has to do with `own`.
pub(super) fn side_by_side(
    kernel: &mut Kernel,
    code: &[Kir],
    own: &HashSet<VarId>,
    names: &[HashMap<VarId, VarId>],
) -> Vec<Kir> {
    let mut out = Vec::new();
    for k in code {
        if let Some(lanes) = lanes(kernel, k) {
            let many = lanes.iter().any(|e| kernel.depends(e).iter().any(|v| own.contains(v)));
            let names = if many { names } else { &names[..1] };
            let each = names.iter().flat_map(|names| lanes.iter().map(move |e| (e, names)));
            let all = each.map(|(e, names)| renamed_in(kernel, e, names)).collect();
            out.push(kernel.statement(Runtime::Together, all));
            continue;
        }
        match k {
            Kir::Let { var, .. }
            | Kir::Set { var, .. }
            | Kir::Store { target: Expr::Var(var), .. }
                if own.contains(var) =>
            {
                for names in names {
                    out.push(renamed(kernel, k, names));
                }
            }
            k => {
                let mut k = k.clone();
                for block in k.blocks_mut() {
                    *block = side_by_side(kernel, block, own, names);
                }
                out.push(k);
            }
        }
    }
    out
}

/// `k` with other names.
pub(super) fn renamed(kernel: &mut Kernel, k: &Kir, names: &HashMap<VarId, VarId>) -> Kir {
    let code = map_code(std::slice::from_ref(k), &mut |e| match e {
        Expr::Var(_) | Expr::Raw(_) => Some(renamed_in(kernel, e, names)),
        _ => None,
    });
    let mut k = code.into_iter().next().expect("a statement is one statement");
    rebind(&mut k, names);
    k
}

/// Gives what `k` binds or changes its other name.
fn rebind(k: &mut Kir, names: &HashMap<VarId, VarId>) {
    if let Kir::Let { var, .. } | Kir::Set { var, .. } | Kir::For { var, .. } = k {
        *var = named(names, *var);
    }
    k.blocks_mut().into_iter().flatten().for_each(|k| rebind(k, names));
}

pub(super) fn renamed_in(kernel: &mut Kernel, e: &Expr, names: &HashMap<VarId, VarId>) -> Expr {
    e.map(&mut |e| match e {
        Expr::Var(v) => Some(Expr::Var(named(names, *v))),
        Expr::Raw(r) if kernel.depends(e).iter().any(|v| names.contains_key(v)) => {
            let mut raw = kernel.raws[r.0 as usize].clone();
            for (_, e) in &mut raw.names {
                *e = renamed_in(kernel, e, names);
            }
            Some(kernel.opaque(raw))
        }
        _ => None,
    })
}
