//! Outputs made of nodes whose entries come in ascending order: these are appended, and linked once all are there.
//!
//! It is no choice of the program's: what is stored is the same either way. To insert an entry costs a search and some
//! balancing, to append it a few stores.

use super::Resolver;
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;

impl Resolver<'_> {
    /// Has such outputs appended to.
    pub fn put_in_order(&mut self) {
        for id in self.kernel.outputs.clone() {
            if !self.comes_in_order(id) {
                continue;
            }
            for level in &mut self.kernel.tensors[id.0 as usize].levels {
                level.format = level.format.in_order().unwrap_or(level.format.clone());
            }
        }
    }

    /// Whether one assignment writes the tensor, and goes through its levels in their order.
    fn comes_in_order(&self, id: TensorId) -> bool {
        let tensor = self.kernel.tensor(id);
        let level = |k: usize| tensor.levels[k].format.level();
        let nodes = |k: &usize| level(*k).in_order.is_some();
        let Some(last) = (0..tensor.levels.len()).rfind(nodes) else { return false };
        // Above nodes may stand what tells by itself where fibers are, or is appended to as well.
        let others = |k: usize| {
            let appended = level(k).write.as_ref().is_some_and(|w| w.order == Order::Append);
            nodes(&k) || level(k).has_children_alone() || appended
        };
        if tensor.role != Role::Output || !(0..last).all(others) {
            return false;
        }
        let mut own = self.kernel.accesses.iter().enumerate().filter(|(_, a)| a.tensor == id);
        let (Some((k, access)), None) = (own.next(), own.next()) else { return false };
        let access_id = AccessId(k as u32);
        let Some(loops) = self.loops_of.get(&access_id).filter(|_| access.write) else {
            return false;
        };
        // What is assigned again may be what is not stored: it is there if it was inserted.
        let mut reduced = false;
        self.kernel.body.assignments(&mut |target, op| {
            reduced |= *target == Expr::Access(access_id) && op.is_some();
        });
        let around = &loops[self.born[&id].min(loops.len())..];
        let along = |(depth, index): (usize, &Index)| match &index.kind {
            IndexKind::Affine(v, shift) => {
                around.get(depth) == Some(v)
                    && !self.rebound.contains(v)
                    && self.kernel.fixed(shift)
                    && index.view == View::plain()
            }
            IndexKind::Opaque(_) | IndexKind::Digit(..) => false,
        };
        (reduced || tensor.written_once)
            && access.indices.iter().take(last + 1).enumerate().all(along)
            && !loops.iter().any(|v| self.kernel.shares.contains_key(v))
            && !self.loops_in_no_order().iter().any(|v| loops.contains(v))
    }
}
