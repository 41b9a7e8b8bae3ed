//! Which assignment writes a new tensor first: what it assigns the fill to holds it already, so that nothing is stored there,
//! whatever later statements add. In `c[i] = a[i]; c[i] += b[i]` the first one stores what `a` stores.

use super::Resolver;
use crate::cin::*;
use crate::kernel::*;

impl Resolver<'_> {
    /// The assignment to the tensor `id`, made by this kernel, that writes each element once at most and before any other one does.
    pub(super) fn first_written(&self, id: TensorId) -> Option<AccessId> {
        let first = first_assignment(&self.kernel, &self.kernel.body, id)?;
        let access = self.kernel.get(first);
        let loops = self.loops_of.get(&first)?;
        let own = &loops[self.born[&id].min(loops.len())..];
        // In one iteration of the loops that both stand in, the first comes first. Another iteration writes other elements, if each of
        // these loops moves one index of both alike.
        let behind = |(other, of): (AccessId, &Access)| {
            let theirs = self.loops_of.get(&other);
            theirs.is_some_and(|all| {
                own.iter().filter(|l| all.contains(l)).all(|l| moves_alike(*l, access, of))
            })
        };
        let once = !own.is_empty() && self.reaches_once(id, access, loops);
        (once && self.writes_of(id).all(behind)).then_some(first)
    }
}

/// Whether the loop over `index` moves one index of both accesses, and in the same way.
fn moves_alike(index: VarId, a: &Access, b: &Access) -> bool {
    a.indices.iter().zip(&b.indices).any(|(a, b)| {
        matches!(&a.kind, IndexKind::Affine(v, _) if *v == index)
            && a.kind == b.kind
            && a.view == b.view
    })
}

/// The assignment to the tensor `id` that comes first in `s`.
fn first_assignment(kernel: &Kernel, s: &Stmt, id: TensorId) -> Option<AccessId> {
    match s {
        Stmt::Assign { target: Expr::Access(a), .. } if kernel.get(*a).tensor == id => Some(*a),
        s => s.children().into_iter().find_map(|s| first_assignment(kernel, s, id)),
    }
}
