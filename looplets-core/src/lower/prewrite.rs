//! Assigning to a tensor that holds other values: what the elements between two spikes get is one
//! value, so all elements get it first, in one plain loop, and then only the spikes are written.
//!
//! Without this, each gap between two spikes is a loop of its own, which costs more to enter than what
//! it stores. The value must not depend on the element, and each element must be assigned: where what
//! is assigned may be missing, or stands under a condition, the elements keep what they held. Nor may what
//! is assigned read the tensor: it would find what all elements got.

use super::Lower;
use crate::cin::*;
use crate::nest::{Looplet, Payload};

/// What all elements hold before the assignment to them is lowered.
#[derive(Clone, Debug)]
pub(crate) struct Prewrite {
    /// The tensor assigned to.
    pub tensor: TensorId,
    /// What its elements hold.
    pub value: Expr,
}

impl Lower<'_> {
    /// What to assign to every element of the loop over `index` first, if `body`, the body of that
    /// loop, is one assignment that has one value between spikes.
    pub(super) fn prewrite(&mut self, index: VarId, body: &Stmt) -> Option<Prewrite> {
        let Stmt::Assign { target: Expr::Access(to), op: None, value } = body else { return None };
        let target = self.kernel.get(*to).clone();
        let tensor = target.tensor;
        let own = self.kernel.tensor(tensor);
        if own.written_once || self.kernel.appended(tensor) || self.begun.contains_key(&tensor) {
            return None;
        }
        // Elements in a row, each at its place.
        let place = matches!(&target.unfurled, Some(u) if u.index == index && at_once(&u.nest));
        if !place || target.indices.len() != 1 || target.indices[0].view.stride.is_some() {
            return None;
        }
        let effects = self.kernel.effects(value);
        let plain = !effects.opaque && !effects.refuses && !effects.missing;
        if !plain || effects.reads.tensors.contains(&tensor) {
            return None;
        }
        let spiky = |id: &AccessId| {
            let access = self.kernel.get(*id);
            access.unfurled.as_ref().is_some_and(|u| u.index == index && has_spikes(&u.nest))
        };
        let spiky: Vec<AccessId> = self.accesses_of(value).into_iter().filter(spiky).collect();
        if spiky.is_empty() {
            return None;
        }
        let mut between = body.clone();
        for id in spiky {
            let fill = self.kernel.tensor(self.kernel.get(id).tensor).fill.clone();
            between = self.replace(&between, id, &fill);
        }
        let Stmt::Assign { value, .. } = self.simplify(&between) else { return None };
        let mut one = true;
        value.walk(&mut |e| match e {
            Expr::Lit(lit) => one &= *lit != Lit::Missing,
            Expr::Var(v) => one &= *v != index,
            _ => one = false,
        });
        // The first assignment to a new tensor finds its fill there.
        let holds =
            target.first && super::stmt::same_number(&value, &self.kernel.tensor(tensor).fill);
        (one && !holds).then_some(Prewrite { tensor, value })
    }

    /// Whether assigning `value` to `tensor` leaves its elements as they are.
    pub(super) fn on_backdrop(&self, tensor: TensorId, value: &Expr) -> bool {
        let behind = self.backdrops.iter().find(|b| b.tensor == tensor);
        behind.is_some_and(|b| super::stmt::same_number(value, &b.value))
    }
}

/// Whether every element of a written fiber is stored at once, with nothing before or after.
fn at_once(nest: &Looplet) -> bool {
    matches!(nest, Looplet::Lookup(_, inner) if matches!(**inner, Looplet::Run(_)))
}

/// Whether a nest has any number of spikes that rise from the fill.
fn has_spikes(nest: &Looplet) -> bool {
    match nest {
        Looplet::Stepper(s) | Looplet::Jumper(s) => {
            let body = match &s.body {
                Looplet::Thunk { body, .. } => body,
                other => other,
            };
            matches!(body, Looplet::Spike(Payload::Fill, _))
        }
        Looplet::Thunk { body, .. } | Looplet::Shift(_, body) => has_spikes(body),
        Looplet::Pipeline(phases) => phases.iter().any(|(_, n)| has_spikes(n)),
        _ => false,
    }
}
