//! Finds outputs of which each element is reduced into by one run of loops only: the accumulator of that run then
//! starts at the fill, and need not be loaded.

use crate::cin::*;
use crate::index::IndexKind;
use crate::kernel::{Binding, Kernel, Level, Role};

/// The one place where a dense output that is new is reduced into.
struct Only {
    /// Its indices, if they are plain.
    indices: Vec<VarId>,
    op: Option<Op>,
    /// The loops around it, outermost first.
    loops: Vec<VarId>,
    fill: Expr,
}

impl Only {
    fn of(kernel: &Kernel, id: TensorId) -> Option<Only> {
        let tensor = kernel.tensor(id);
        let (_, levels) = tensor.levels.split_last()?;
        if tensor.role != Role::Output || levels.is_empty() || !levels.iter().all(dense) {
            return None;
        }
        let mut found = Vec::new();
        nests(kernel, &kernel.body, id, &mut Vec::new(), &mut found);
        let [(access, op, loops)] = &found[..] else { return None };
        let indices: Vec<VarId> = kernel.get(*access).indices.iter().filter_map(loop_of).collect();
        // `missing` is a literal, but no value.
        let known = matches!(&tensor.fill, Expr::Lit(fill) if *fill != Lit::Missing);
        (known && indices.len() == levels.len()).then(|| Only {
            indices,
            op: op.clone(),
            loops: loops.clone(),
            fill: tensor.fill.clone(),
        })
    }
}

/// The fill of `id`, if each of its elements is reduced into by one run of the loops that the program has
/// within those over its indices, and none of these elements shares its place with another.
pub(super) fn fill(kernel: &Kernel, id: TensorId) -> Option<Expr> {
    let Only { indices, op, loops, fill } = Only::of(kernel, id)?;
    let outer = loops.get(..indices.len())?;
    let each =
        outer.iter().all(|l| indices.contains(l)) && indices.iter().all(|i| outer.contains(i));
    // Parts of parallel loops may start at what leaves sums as they are, not at the fill.
    let whole = kernel.shares.is_empty() || fill == Expr::int(0) && op == Some(Op::Add);
    (each && whole).then_some(fill)
}

/// The fill of `id`, if each of its rows along `index` is reduced into by one loop, within loops over the indices
/// `around` that number its rows, in any order.
pub(super) fn fill_of_rows(
    kernel: &Kernel,
    id: TensorId,
    around: &[VarId],
    index: VarId,
) -> Option<Expr> {
    let Only { indices, loops, fill, .. } = Only::of(kernel, id)?;
    let (last, rows) = indices.split_last()?;
    let each = *last == index
        && rows.len() == around.len()
        && rows.iter().all(|i| around.contains(i))
        && loops.iter().filter(|l| !indices.contains(l)).count() == 1;
    (each && kernel.shares.is_empty()).then_some(fill)
}

/// Whether a level has a child for each coordinate of each fiber, in their order.
pub(super) fn dense(l: &Level) -> bool {
    let decl = l.format.level();
    let arrays = l.fields.iter().any(|(_, b)| matches!(b, Binding::Array(_)));
    decl.joins_by_size() && decl.one_child_each() && !arrays
}

/// The loop index that an index moves with, to another coordinate each time: a stride may be 0.
fn loop_of(index: &crate::index::Index) -> Option<VarId> {
    match index.kind {
        IndexKind::Affine(v, _) if index.view.stride.is_none() => Some(v),
        _ => None,
    }
}

/// The assignments to `id` below `s`, each with the loops around it from the outermost.
fn nests(
    kernel: &Kernel,
    s: &Stmt,
    id: TensorId,
    loops: &mut Vec<VarId>,
    found: &mut Vec<(AccessId, Option<Op>, Vec<VarId>)>,
) {
    match s {
        Stmt::Loop { index, body, .. } => {
            loops.push(*index);
            nests(kernel, body, id, loops, found);
            loops.pop();
        }
        Stmt::Assign { target: Expr::Access(a), op, .. } if kernel.get(*a).tensor == id => {
            found.push((*a, op.clone(), loops.clone()));
        }
        other => other.children().into_iter().for_each(|s| nests(kernel, s, id, loops, found)),
    }
}
