//! Keeps an element that a loop reduces into in a local: LLVM may not, for want of aliasing facts.

use super::first_reduction;
use crate::cin::*;
use crate::decl::Order;
use crate::effects::Effect;
use crate::kernel::{Kernel, VarKind};
use crate::kir::{Kir, Piece};
use crate::runtime::Runtime;
use crate::types::{primitive, Ty};
use std::collections::{HashMap, HashSet};

pub(super) fn promote(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let all = Whole::of(&code);
    within(kernel, code, &all, &mut Vec::new())
}

/// What is another thing in each iteration of a loop.
struct Iteration {
    /// What it counts with and what is set in it.
    anew: HashSet<VarId>,
    /// What is made of other variables in it.
    made: HashMap<VarId, HashSet<VarId>>,
}

impl Iteration {
    fn of(kernel: &Kernel, k: &Kir) -> Self {
        let (mut anew, mut made) = (HashSet::new(), HashMap::new());
        k.walk(&mut |k| match k {
            Kir::Let { var, value, .. } => {
                made.insert(*var, kernel.depends(value).into_iter().collect());
            }
            k => anew.extend(k.sets()),
        });
        Iteration { anew, made }
    }

    /// Whether `place` is another one in each iteration.
    fn moves(&self, kernel: &Kernel, place: &Expr) -> bool {
        let mut open: Vec<VarId> = kernel.depends(place).into_iter().collect();
        let mut seen: HashSet<VarId> = open.iter().copied().collect();
        while let Some(var) = open.pop() {
            if self.anew.contains(&var) {
                return true;
            }
            open.extend(self.made.get(&var).into_iter().flatten().filter(|v| seen.insert(**v)));
        }
        false
    }
}

/// What is to be known of all of the code.
pub(super) struct Whole {
    /// How many statements store to each array.
    stores: HashMap<ArrayId, usize>,
    /// The results that chunks have parts of, by part.
    of: HashMap<TensorId, TensorId>,
}

impl Whole {
    pub(super) fn of(code: &[Kir]) -> Self {
        Whole { stores: stores(code), of: parted(code) }
    }

    /// Whether `k` has all statements that store to `array`.
    pub(super) fn all_in(&self, k: &Kir, array: ArrayId) -> bool {
        stores_of(k, array) == self.stores[&array]
    }

    /// What elements of `array` are where the loop `k` begins to reduce into them, if that is known.
    pub(super) fn fill(&self, kernel: &Kernel, k: &Kir, array: ArrayId) -> Option<Expr> {
        let tensor = kernel.arrays[array.0 as usize].tensor;
        let whole = self.of.get(&tensor).unwrap_or(&tensor);
        first_reduction::fill(kernel, *whole).filter(|_| self.all_in(k, array))
    }
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

/// `around` are the loops around that have not been promoted out of: an element that is one and the same in all iterations of one
/// of them has been reduced into before.
fn within(
    kernel: &mut Kernel,
    code: Vec<Kir>,
    all: &Whole,
    around: &mut Vec<Iteration>,
) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        let mut stores = Vec::new();
        if let Kir::For { .. } | Kir::While { .. } = k {
            while let Some((array, index)) = candidate(kernel, &k) {
                let info = kernel.arrays[array.0 as usize].clone();
                let tensor = kernel.tensor(info.tensor).name.clone();
                let ty = info.elem.clone();
                let acc = kernel.var(&format!("{tensor}_acc"), VarKind::Scalar, info.elem);
                kernel.assigned_like(acc, &tensor.to_string());
                let place = Expr::Load(array, Box::new(index));
                let first = || around.iter().all(|l| l.moves(kernel, &place));
                let fill = all.fill(kernel, &k, array).filter(|_| first());
                let fill = fill.or_else(|| new(kernel, &out, &place));
                let inside = guarded(kernel, &k, array).then(|| inside(kernel, &place));
                redirect(&mut k, array, acc);
                let value = match (fill, &inside) {
                    (Some(fill), _) => fill,
                    (None, None) => place.clone(),
                    (None, Some(inside)) => {
                        let nothing = match ty {
                            Ty::Bool => Expr::Lit(Lit::Bool(false)),
                            ty => Expr::call(Op::Cast(ty), [Expr::int(0)]),
                        };
                        Expr::call(Op::IfElse, [inside.clone(), place.clone(), nothing])
                    }
                };
                out.push(Kir::Let { var: acc, mutable: true, value });
                let store = Kir::Store { target: place, op: None, value: Expr::Var(acc) };
                stores.push(match inside {
                    Some(cond) => Kir::If { cond, then: vec![store], otherwise: Vec::new() },
                    None => store,
                });
            }
        }
        let outside = around.len();
        if let Kir::For { .. } | Kir::While { .. } = k {
            around.push(Iteration::of(kernel, &k));
        }
        for block in k.blocks_mut() {
            *block = within(kernel, std::mem::take(block), all, around);
        }
        around.truncate(outside);
        out.push(k);
        out.extend(stores);
    }
    out
}

/// What the element `place` is behind `code`, if that has just begun the entry that it is of, which is new.
fn new(kernel: &Kernel, code: &[Kir], place: &Expr) -> Option<Expr> {
    let Expr::Load(array, at) = place else { return None };
    let id = kernel.arrays[array.0 as usize].tensor;
    let tensor = kernel.tensor(id);
    let last = tensor.levels.len().checked_sub(2)?;
    let begun =
        |k: &Kir| matches!(k, Kir::Begin(b) if b.of == (id, last) && Expr::Var(b.at) == **at);
    let since = &code[code.iter().rposition(begun)?..];
    let appended = tensor.levels[last].format.level().write.as_ref()?.order == Order::Append;
    let known = matches!(&tensor.fill, Expr::Lit(fill) if *fill != Lit::Missing);
    let stored = since.iter().any(|k| stores_of(k, *array) > 0);
    (appended && known && !stored).then(|| tensor.fill.clone())
}

fn stores_of(k: &Kir, array: ArrayId) -> usize {
    stores(std::slice::from_ref(k)).get(&array).copied().unwrap_or(0)
}

/// An element that every store of its array in the loop reduces into, that nothing in the loop
/// reads, and whose position does not change in the loop.
fn candidate(kernel: &Kernel, k: &Kir) -> Option<(ArrayId, Expr)> {
    let mut stores = Vec::new();
    k.walk(&mut |k| {
        if let Kir::Store { target: Expr::Load(a, i), op, .. } = k {
            stores.push((*a, (**i).clone(), op.is_some()));
        }
    });
    let written = kernel.effects_of_code([k]).writes;
    let found = stores.iter().find(|(a, i, _)| {
        let same = stores.iter().filter(|(b, ..)| a == b).all(|(_, j, reduces)| i == j && *reduces);
        let fixed = same && kernel.depends(i).iter().all(|v| !written.vars.contains(v));
        // What is not of a type of numbers has no value that stands for no element.
        let number = || match &kernel.arrays[a.0 as usize].elem {
            Ty::Bool => true,
            Ty::Named(name) => primitive(name) || kernel.arrays[a.0 as usize].elem.is_complex(),
            Ty::Index | Ty::Own | Ty::Unknown => false,
        };
        fixed && !read(kernel, k, *a) && (number() || !guarded(kernel, k, *a))
    })?;
    Some((found.0, found.1.clone()))
}

/// Whether the loop `k` stores to `array` behind what may say whether there is such an element: a region of
/// coordinates, a comparison of them, a check. `if j == 3 { y[j] += a[i] }` stores to `y[3]` if `y` has as many
/// elements, and an inner loop over `j` is no longer there to see.
fn guarded(kernel: &Kernel, k: &Kir, array: ArrayId) -> bool {
    fn within(kernel: &Kernel, code: &[Kir], array: ArrayId, mut guard: bool) -> bool {
        code.iter().any(|k| match k {
            Kir::Store { target: Expr::Load(a, _), .. } => guard && *a == array,
            Kir::If { cond, then, otherwise } => {
                let guard = guard || compares_coordinates(kernel, cond);
                [then, otherwise].into_iter().any(|code| within(kernel, code, array, guard))
            }
            Kir::Block(body) | Kir::Labeled(_, body) => within(kernel, body, array, guard),
            Kir::Let { .. } | Kir::Set { .. } | Kir::Comment(_) | Kir::Break(_) => false,
            k => {
                guard = true;
                stores_of(k, array) > 0
            }
        })
    }
    match k {
        Kir::For { body, .. } | Kir::While { body, .. } => within(kernel, body, array, false),
        _ => true,
    }
}

/// Whether a coordinate or a position is compared in `e`.
fn compares_coordinates(kernel: &Kernel, e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        if let Expr::Call(op, args) = x {
            let index = |e: &Expr| kernel.type_of(e) == Some(Ty::Index);
            found |= op.is_comparison() && args.iter().any(index);
        }
        found |= matches!(x, Expr::Raw(_));
    });
    found
}

/// Whether there is an element at `place`.
fn inside(kernel: &mut Kernel, place: &Expr) -> Expr {
    let Expr::Load(array, index) = place else { unreachable!("an element is loaded") };
    let len = kernel.call(Runtime::Length, vec![Expr::Array(*array)], Ty::Named("usize".into()));
    let len = Expr::call(Op::Index, [len]);
    let least = Expr::call(Op::Le, [Expr::int(0), (**index).clone()]);
    Expr::call(Op::And, [least, Expr::call(Op::Lt, [(**index).clone(), len])])
}

/// Whether `k` reads elements of `array`, but to update them.
fn read(kernel: &Kernel, k: &Kir, array: ArrayId) -> bool {
    kernel.does(k, |effect| effect == Effect::ReadsArray(array))
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
