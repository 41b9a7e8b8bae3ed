//! Entries of two lists that lie alike, four at a time.
//!
//! Where two patterns are the same, as those of a symmetric matrix and its transpose, the loop in which both cursors of an
//! intersection advance takes a comparison, two tests of ends and a branch for each entry. In front of it, four coordinates
//! of both are looked at at once, for as long as these are alike, and what is done with an entry is done four times without a
//! branch. All that is read comes first, and what goes to one array stands side by side, so that LLVM need not know that nothing is
//! written to what is read, and takes the four together.
//!
//! The merge behind it is left as it is: one more test in it takes up to a third of the time where patterns differ. On matrices of
//! stiffness half the time is left.

use crate::cin::*;
use crate::index::scaled;
use crate::kernel::{Kernel, Role, Ty, VarKind};
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many entries are taken at a time.
const FOUR: i128 = 4;
/// How many entries a fiber has at least, as a mean, where this is tried. Where rows are short, how long each is cannot be foreseen, and
/// one more branch that depends on it takes longer than four entries.
const LONG: i128 = 8;
/// The most statements for an entry that are repeated.
const MOST: usize = 8;

/// A cursor over entries: its position, the coordinate there, and what that is as computed of the position.
pub(super) struct Entries<'a> {
    pub q: VarId,
    pub at: VarId,
    pub value: &'a Expr,
    /// Whether more than so many entries are left.
    pub has: Box<dyn Fn(i128) -> Expr + 'a>,
}

/// What is done with four entries.
#[derive(Default)]
struct Parts {
    /// All that is read.
    reads: Vec<Kir>,
    /// What is done with it, in order.
    effects: Vec<Kir>,
    /// How far the counts have been moved, of what is put somewhere.
    counts: BTreeMap<VarId, i128>,
    /// What is added to sums.
    sums: Vec<(Expr, Vec<Expr>)>,
}

/// What takes entries by fours.
pub(super) struct Fours {
    /// Whether fibers are long enough, which is the same throughout the kernel.
    pub long: Expr,
    /// Takes fours for as long as there are some.
    pub taken: Kir,
}

/// How entries of `a` and `b` that are alike are taken by fours, if what `both` does with one can be done so.
pub(super) fn fours(kernel: &mut Kernel, [a, b]: [Entries<'_>; 2], both: &[Kir]) -> Option<Fours> {
    let (a, b) = (&a, &b);
    let arrays = [array(kernel, a)?, array(kernel, b)?];
    let both = &flat(both);
    if kernel.steps.is_some() || both.len() > MOST || !is_plain(kernel, both, [a.q, b.q]) {
        return None;
    }
    let [of_a, of_b] = arrays.map(|a| kernel.arrays[a.0 as usize].tensor);
    let long = Expr::call(Op::And, [long(kernel, of_a)?, long(kernel, of_b)?]);
    let mut parts = Parts::default();
    for n in 0..FOUR {
        parts.add(kernel, [a, b], both, n);
    }
    parts.finish(kernel);
    if parts.reads.is_empty() {
        // Where entries are counted, there is nothing to be done side by side.
        return None;
    }
    let next = |e: &Entries<'_>| Kir::Set { var: e.q, value: Expr::Var(e.q).plus(FOUR) };
    let args = vec![Expr::Array(arrays[0]), Expr::Var(a.q), Expr::Array(arrays[1]), Expr::Var(b.q)];
    let alike = kernel.call(Runtime::AlikeFour, args, Ty::Bool);
    let left = Expr::call(Op::And, [(a.has)(FOUR - 1), (b.has)(FOUR - 1), alike]);
    let body = [parts.reads, parts.effects, vec![next(a), next(b)]].concat();
    Some(Fours { long, taken: Kir::While { cond: left, body } })
}

/// Whether fibers of an input `of` are long, as a mean, if what is above them is dense.
fn long(kernel: &mut Kernel, of: TensorId) -> Option<Expr> {
    let tensor = kernel.tensor(of);
    let [above @ .., _, _] = &tensor.levels[..] else { return None };
    if tensor.role != Role::Input || !above.iter().all(|l| l.format.level().has_children_alone()) {
        return None;
    }
    let fibers = tensor.lens[..above.len()].iter().map(|len| Expr::Var(*len));
    let least = fibers.fold(Expr::int(LONG), |least, len| scaled(&len, &least));
    let entries = kernel.call(Runtime::Entries { of }, Vec::new(), Ty::named("usize"));
    Some(Expr::call(Op::Ge, [Expr::call(Op::Index, [entries]), least]))
}

/// `code` without blocks around its parts.
fn flat(code: &[Kir]) -> Vec<Kir> {
    let inner = |k: &Kir| match k {
        Kir::Block(inner) => flat(inner),
        other => vec![other.clone()],
    };
    code.iter().flat_map(inner).collect()
}

/// The array that the coordinates of `e` are in, if its level is trusted for its positions.
fn array(kernel: &Kernel, e: &Entries<'_>) -> Option<ArrayId> {
    match e.value {
        Expr::Load(array, at) if **at == Expr::Var(e.q) => {
            kernel.arrays[array.0 as usize].trusted.then_some(*array)
        }
        _ => None,
    }
}

/// Whether `both` has neither branches nor loops, and no value or place in it depends on what it writes. Then what four entries read may
/// be read first, and only what goes to one array, or to one scalar, has to stay in order. What is put somewhere is put by the
/// count of it.
fn is_plain(kernel: &Kernel, both: &[Kir], moved: [VarId; 2]) -> bool {
    let (mut written, mut scalars, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for k in both {
        match k {
            Kir::Let { mutable: false, .. } | Kir::Comment(_) => {}
            Kir::Put { array, .. } | Kir::Store { target: Expr::Load(array, _), .. } => {
                written.push(*array);
            }
            Kir::Store { target: Expr::Var(var), op: Some(_), .. } => scalars.push(*var),
            Kir::Set { var, value } if *value == Expr::Var(*var).plus(1) => counts.push(*var),
            _ => return false,
        }
    }
    counts.retain(|v| !moved.contains(v));
    let set: Vec<VarId> = scalars.into_iter().chain(counts.iter().copied()).collect();
    // A sum is made at once, so that nothing else may be done with the scalar between its terms.
    let distinct: HashSet<&VarId> = set.iter().collect();
    let apart = |e: &Expr| {
        let mut known = true;
        e.walk(&mut |x| {
            known &= match x {
                // The code of a level computes what it stores.
                Expr::Raw(r) => {
                    let raw = &kernel.raws[r.0 as usize];
                    !raw.effect && matches!(raw.code, Opaque::Declared(_))
                }
                // What a function of the program does takes longer than to find where, and may panic.
                Expr::Access(_) | Expr::Call(Op::Function(_), _) => false,
                _ => true,
            }
        });
        let depends = kernel.depends(e);
        known
            && !written.iter().any(|a| kernel.mentions(e, *a))
            && !set.iter().any(|v| depends.contains(v))
    };
    let counted = |at: &Expr| matches!(at, Expr::Var(v) if counts.contains(v));
    distinct.len() == set.len()
        && both.iter().all(|k| match k {
            Kir::Let { value, .. } => apart(value),
            Kir::Put { at, value, .. } => counted(at) && apart(value),
            Kir::Store { target: Expr::Load(_, at), value, .. } => apart(at) && apart(value),
            Kir::Store { value, .. } => apart(value),
            _ => true,
        })
}

impl Parts {
    /// Adds what `both` does with entry `n` of the next four.
    fn add(&mut self, kernel: &mut Kernel, cursors: [&Entries<'_>; 2], both: &[Kir], n: i128) {
        // Both are at the same coordinate.
        let [a, b] = cursors;
        let ahead = |e: &Expr, q: VarId| e.map(&mut replace_var(q, &Expr::Var(q).plus(n)));
        let mut names: HashMap<VarId, Expr> = HashMap::new();
        let at = self.read(kernel, a.at, ahead(a.value, a.q));
        names.insert(a.at, at.clone());
        names.insert(b.at, at);
        for e in [a, b] {
            names.insert(e.q, Expr::Var(e.q).plus(n));
        }
        names.extend(self.counts.iter().map(|(v, by)| (*v, Expr::Var(*v).plus(*by))));
        for k in both {
            match k {
                Kir::Let { var, value, .. } => {
                    let value = renamed(kernel, value, &names);
                    let moved = moved_by(&value);
                    let name = moved.unwrap_or_else(|| self.read(kernel, *var, value));
                    names.insert(*var, name);
                }
                Kir::Put { array, at, value } => {
                    let value = self.value(kernel, value, &names);
                    let at = renamed(kernel, at, &names);
                    self.effects.push(Kir::Put { array: *array, at, value });
                }
                Kir::Store { target, op, value } => {
                    let target = renamed(kernel, target, &names);
                    let value = self.value(kernel, value, &names);
                    let float = kernel.type_of(&target).is_some_and(|ty| ty.is_float());
                    if *op == Some(Op::Add)
                        && float
                        && !kernel.strict
                        && matches!(target, Expr::Var(_))
                    {
                        match self.sums.iter_mut().find(|(other, _)| *other == target) {
                            Some((_, values)) => values.push(value),
                            None => self.sums.push((target, vec![value])),
                        }
                        continue;
                    }
                    self.effects.push(Kir::Store { target, op: op.clone(), value });
                }
                Kir::Set { var, .. } if [a.q, b.q].contains(var) => {}
                Kir::Set { var, .. } => {
                    let count = self.counts.entry(*var).or_default();
                    *count += 1;
                    names.insert(*var, Expr::Var(*var).plus(*count));
                }
                other => self.effects.push(other.clone()),
            }
        }
    }

    /// Puts what goes to one array side by side, and leaves out what is read for nothing.
    fn finish(&mut self, kernel: &Kernel) {
        self.effects.sort_by_key(|k| match k {
            Kir::Put { array, .. } | Kir::Store { target: Expr::Load(array, _), .. } => {
                Some(*array)
            }
            _ => None,
        });
        let sums = std::mem::take(&mut self.sums);
        self.effects.extend(sums.into_iter().map(|(target, values)| summed(target, values)));
        let moved = |(v, by): (&VarId, &i128)| Kir::Set { var: *v, value: Expr::Var(*v).plus(*by) };
        self.effects.extend(self.counts.iter().map(moved));
        let mut used: HashSet<VarId> = HashSet::new();
        let mut uses = |k: &Kir| k.exprs().iter().for_each(|e| used.extend(kernel.depends(e)));
        self.effects.iter().for_each(&mut uses);
        self.reads.iter().for_each(&mut uses);
        self.reads.retain(|k| k.sets().is_some_and(|var| used.contains(&var)));
    }

    /// A name for `value`, which stands for that of `var`.
    fn read(&mut self, kernel: &mut Kernel, var: VarId, value: Expr) -> Expr {
        let (name, ty) = (kernel.info(var).name.clone(), kernel.info(var).ty.clone());
        let var = kernel.var(&name, VarKind::Local, ty);
        self.reads.push(Kir::Let { var, mutable: false, value });
        Expr::Var(var)
    }

    /// A name for `value` of one entry, unless it is one.
    fn value(&mut self, kernel: &mut Kernel, value: &Expr, names: &HashMap<VarId, Expr>) -> Expr {
        let value = renamed(kernel, value, names);
        let Some(ty) = kernel.type_of(&value) else { return value };
        if matches!(value, Expr::Var(_) | Expr::Lit(_) | Expr::Raw(_)) {
            return value;
        }
        let var = kernel.var("entry", VarKind::Local, ty);
        self.reads.push(Kir::Let { var, mutable: false, value });
        Expr::Var(var)
    }
}

/// What `e` is, if it is a variable and a number, which need no name.
fn moved_by(e: &Expr) -> Option<Expr> {
    let Expr::Call(op, args) = e else { return None };
    let sign = match op {
        Op::Add => 1,
        Op::Sub => -1,
        _ => return None,
    };
    match &args[..] {
        [of, Expr::Lit(Lit::Int(n))] => Some(of.plus(sign * n)),
        _ => None,
    }
}

/// `e` with other names for variables.
fn renamed(kernel: &mut Kernel, e: &Expr, names: &HashMap<VarId, Expr>) -> Expr {
    e.map(&mut |x| match x {
        Expr::Var(v) => names.get(v).cloned(),
        Expr::Raw(r) => {
            let mut raw = kernel.raws[r.0 as usize].clone();
            for (_, inner) in &mut raw.names {
                *inner = renamed(kernel, inner, names);
            }
            Some(kernel.opaque(raw))
        }
        _ => None,
    })
}

/// What adds `values` to `target`, by halves: no sum waits for all others.
fn summed(target: Expr, mut values: Vec<Expr>) -> Kir {
    while values.len() > 1 {
        let half = values.len().div_ceil(2);
        let behind = values.split_off(half);
        for (sum, value) in values.iter_mut().zip(behind) {
            *sum = Expr::call(Op::Add, [sum.clone(), value]);
        }
    }
    Kir::Store { target, op: Some(Op::Add), value: values.remove(0) }
}
