//! How much room to make for the entries of an output, where inputs with the same indices tell. It is an estimate:
//! operands of a sum of which nothing is known are left out, and arrays grow if it was too little.

use crate::cin::*;
use crate::kernel::*;

/// How many entries an output is expected to have, by those of inputs.
#[derive(Clone, PartialEq, Debug)]
pub enum Entries {
    /// As many as an input has.
    Of(TensorId),
    /// The least of several.
    Least(Vec<Entries>),
    /// The sum of several.
    Sum(Vec<Entries>),
}

/// How many entries the one assignment to `id` is expected to make, of which inputs are read as a whole.
pub fn entry_bound(k: &Kernel, id: TensorId) -> Option<Entries> {
    of_assignment(k, id, reads_all)
}

/// Whether the one assignment to `id` reads the elements of some input once at most.
pub fn reads_once(k: &Kernel, id: TensorId) -> bool {
    of_assignment(k, id, |_, _| true).is_some()
}

fn of_assignment(k: &Kernel, id: TensorId, reads: Reads) -> Option<Entries> {
    let mut found = Vec::new();
    assignments(k, id, &k.body, &mut Vec::new(), &mut found);
    let [(target, value, conditions)] = &found[..] else { return None };
    let bound = |e: &Expr| bound(k, target, e, reads);
    bound(value).or_else(|| {
        let mut known: Vec<_> = conditions.iter().filter_map(|c| bound(c)).collect();
        known.pop().filter(|_| known.is_empty())
    })
}

/// What is asked of an index beside that its elements are read once.
type Reads = fn(&Kernel, &Index) -> bool;

/// Whether all of a dimension is read.
fn reads_all(_: &Kernel, index: &Index) -> bool {
    let view = &index.view;
    let whole = match &index.kind {
        IndexKind::Affine(_, shift) => *shift == Expr::int(0),
        IndexKind::Digit(..) => true,
        IndexKind::Opaque(_) => false,
    };
    let part = !view.clips.is_empty() && view.clips.iter().all(|(_, o)| *o == Outside::Fill);
    view.stride.is_none() && (whole || part || view.groups.iter().any(|g| g.whole))
}

/// The loops that `access` is indexed by, if each element is read at most once by them.
fn loops_once(k: &Kernel, access: &Access) -> Option<Vec<VarId>> {
    let mut loops = Vec::new();
    let mut above = None;
    for index in &access.indices {
        let (v, shift, digit) = match &index.kind {
            IndexKind::Affine(v, shift) => (*v, shift, None),
            IndexKind::Digit(v, digit) => (*v, &digit.shift, Some(digit)),
            IndexKind::Opaque(_) => return None,
        };
        if index.view.repeats.is_some() {
            return None;
        }
        let grouped: Vec<VarId> = index.view.groups.iter().map(|g| g.index).collect();
        match digit {
            // The digits of one index are read together.
            Some(digit) if digit.modulo.is_some() && above == Some(v) => continue,
            _ => {}
        }
        let moves = |v: &VarId| k.info(*v).kind == VarKind::Index && !grouped.contains(v);
        if k.depends(shift).iter().any(moves) {
            return None;
        }
        above = digit.map(|_| v);
        for v in grouped.into_iter().chain([v]) {
            if loops.contains(&v) {
                return None;
            }
            loops.push(v);
        }
    }
    Some(loops)
}

/// An assignment to a tensor: how it is accessed, the value, and what of the conditions around says where
/// there are entries.
type Assigned<'a> = (&'a Access, &'a Expr, Vec<&'a Expr>);

/// All assignments to `id` in `s`, which stands below `conditions`.
fn assignments<'a>(
    k: &'a Kernel,
    id: TensorId,
    s: &'a Stmt,
    conditions: &mut Vec<&'a Expr>,
    found: &mut Vec<Assigned<'a>>,
) {
    match s {
        Stmt::Assign { target: Expr::Access(a), value, .. } if k.get(*a).tensor == id => {
            found.push((k.get(*a), value, conditions.clone()));
        }
        Stmt::Assign { .. } | Stmt::Pass => {}
        Stmt::Loop { body, .. } | Stmt::Let { body, .. } => {
            assignments(k, id, body, conditions, found)
        }
        Stmt::Sieve { cond, then, otherwise } => {
            let before = conditions.len();
            conditions.extend(true_where_stored(k, cond));
            assignments(k, id, then, conditions, found);
            conditions.truncate(before);
            assignments(k, id, otherwise, conditions, found);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| assignments(k, id, s, conditions, found)),
        Stmt::Where { consumer, producer, .. } => {
            assignments(k, id, producer, conditions, found);
            assignments(k, id, consumer, conditions, found);
        }
    }
}

/// The parts of a condition that are no more often true than something is stored.
fn true_where_stored<'a>(k: &Kernel, cond: &'a Expr) -> Vec<&'a Expr> {
    match cond {
        Expr::Access(a) if k.tensor(k.get(*a).tensor).fill == Expr::bool(false) => vec![cond],
        Expr::Call(op, args) if *op == Op::And => {
            args.iter().flat_map(|a| true_where_stored(k, a)).collect()
        }
        Expr::Call(op, args) if *op == Op::Ne => match &args[..] {
            [Expr::Access(a), e] if k.tensor(k.get(*a).tensor).fill == *e => vec![&args[0]],
            [e, Expr::Access(a)] if k.tensor(k.get(*a).tensor).fill == *e => vec![&args[1]],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// How many entries of an output `e` is expected to have, if inputs with the same indices say so.
fn bound(k: &Kernel, target: &Access, e: &Expr, reads: Reads) -> Option<Entries> {
    let several = |args: &[Expr]| -> Option<Vec<Entries>> {
        let known: Vec<Entries> = args.iter().filter_map(|a| bound(k, target, a, reads)).collect();
        (!known.is_empty()).then_some(known)
    };
    match e {
        Expr::Access(a) => {
            let access = k.get(*a);
            let tensor = k.tensor(access.tensor);
            let (from, to) = (loops_once(k, access)?, loops_once(k, target)?);
            let once = to.iter().all(|v| from.contains(v));
            let read = once && access.indices.iter().all(|i| reads(k, i));
            // An output of runs has an entry more for each gap between those of an input that leaves out.
            let fewer = match runs(k.tensor(target.tensor)) {
                true => runs(tensor),
                false => tensor.leaves_out(),
            };
            if tensor.role != Role::Input || access.level > 0 || !read || !fewer {
                return None;
            }
            Some(Entries::Of(access.tensor))
        }
        // What one factor does not have, the product has not.
        Expr::Call(Op::Mul | Op::And | Op::BitAnd, args) => several(args).map(Entries::Least),
        Expr::Call(_, args) => several(args).map(Entries::Sum),
        _ => None,
    }
}

/// Whether the entries of the last dimension are runs.
fn runs(tensor: &Tensor) -> bool {
    let [.., level, _] = &tensor.levels[..] else { return false };
    level.format.level().write.as_ref().is_some_and(|w| w.runs)
}
