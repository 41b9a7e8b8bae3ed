//! Which loop and which operands the regions of a kernel come from: what is said of one that has too many.

use crate::cin::*;
use crate::kernel::*;
use crate::nest::Looplet;
use std::collections::BTreeMap;

/// The regions of each loop, and of what is read at points outside of such, with what cuts them.
#[derive(Default)]
pub(super) struct Cases(BTreeMap<Option<VarId>, Regions>);

#[derive(Default)]
struct Regions {
    count: usize,
    /// Where each tensor is first met, and how many cases it has there.
    operands: BTreeMap<TensorId, (AccessId, usize)>,
}

/// Why a kernel is not lowered.
pub enum Refusal {
    /// It takes more than a kernel may.
    TooMany(TooMany),
    /// Something of it cannot be, or should not.
    At(Refused),
}

/// What is said of an access, or of a function that it is an argument of.
pub struct Refused {
    /// The access.
    pub at: AccessId,
    /// The function.
    pub function: Option<String>,
    /// What is wrong.
    pub why: String,
}

/// A kernel has more regions than can be lowered.
#[derive(Default)]
pub struct TooMany {
    /// The index of the loop that most of them are of, if any is.
    pub index: Option<VarId>,
    /// The operands whose cases multiply there, that of most cases first.
    pub operands: Vec<(AccessId, usize)>,
}

impl Regions {
    fn add(&mut self, kernel: &Kernel, id: AccessId, nest: &Looplet) {
        let access = kernel.get(id);
        if !access.write {
            self.operands.entry(access.tensor).or_insert_with(|| (id, nest.cases()));
        }
    }
}

impl Cases {
    /// Counts a region of the loop over `index`, which the accesses `ids` are unfurled along.
    pub fn region(&mut self, kernel: &Kernel, index: VarId, ids: impl Iterator<Item = AccessId>) {
        let regions = self.0.entry(Some(index)).or_default();
        regions.count += 1;
        for id in ids {
            let unfurled = kernel.get(id).unfurled.as_ref();
            unfurled.into_iter().for_each(|u| regions.add(kernel, id, &u.nest));
        }
    }

    /// Counts a point, at which the access `id` is `nest`.
    pub fn point(&mut self, kernel: &Kernel, id: AccessId, nest: &Looplet) {
        let regions = self.0.entry(None).or_default();
        regions.count += 1;
        regions.add(kernel, id, nest);
    }

    /// The loop of the most regions, and the operands that these are of.
    pub fn too_many(mut self) -> TooMany {
        self.0.values_mut().for_each(|of| of.operands.retain(|_, (_, cases)| *cases > 1));
        let several = self.0.into_iter().filter(|(_, of)| of.operands.len() > 1);
        let most = several.max_by_key(|(index, of)| (index.is_some(), of.count));
        let Some((index, regions)) = most else { return TooMany::default() };
        let mut operands: Vec<(AccessId, usize)> = regions.operands.into_values().collect();
        operands.sort_by_key(|(id, cases)| (std::cmp::Reverse(*cases), *id));
        TooMany { index, operands }
    }
}
