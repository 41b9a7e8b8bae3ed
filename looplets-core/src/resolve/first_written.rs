//! Which assignment writes a new tensor first: what it assigns the fill to holds it already, so that nothing is stored there, whatever
//! later statements add. In `c[i] = a[i]; c[i] += b[i]` the first one stores what `a` stores.

use super::Resolver;
use crate::cin::*;
use crate::kernel::*;

impl Resolver<'_> {
    /// The assignment to the tensor `id`, made by this kernel, before which none of its elements is written that it writes itself, each
    /// once at most.
    pub(super) fn first_written(&self, id: TensorId) -> Option<AccessId> {
        let first = first_assignment(&self.kernel, &self.kernel.body, id)?;
        let access = self.kernel.get(first);
        let loops = self.loops_of.get(&first)?;
        let born = self.born[&id].min(loops.len());
        if !self.reaches_once(id, access, loops) {
            return None;
        }
        // Behind the loops of the first there is nothing that it could write over. Within them, another iteration comes to other elements.
        let later = |(other, of): (AccessId, &Access)| {
            let Some(theirs) = self.loops_of.get(&other) else { return false };
            let apart = loops.get(born).is_none_or(|l| !theirs.contains(l));
            apart || other == first || same_element(access, of)
        };
        (!loops[born..].is_empty() && self.writes_of(id).all(later)).then_some(first)
    }
}

/// The assignment to the tensor `id` that comes first in `s`.
fn first_assignment(kernel: &Kernel, s: &Stmt, id: TensorId) -> Option<AccessId> {
    match s {
        Stmt::Assign { target: Expr::Access(a), .. } if kernel.get(*a).tensor == id => Some(*a),
        s => s.children().into_iter().find_map(|s| first_assignment(kernel, s, id)),
    }
}

/// Whether both come to the same element wherever their loops stand.
pub(super) fn same_element(a: &Access, b: &Access) -> bool {
    let same = |(a, b): (&Index, &Index)| a.kind == b.kind && a.view == b.view;
    a.indices.iter().zip(&b.indices).all(same)
}
