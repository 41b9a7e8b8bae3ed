//! When an expression that has operands which are selected is anything else than its fill.

use crate::cin::*;
use std::collections::BTreeSet;

/// When something is stored.
#[derive(Clone, Debug)]
pub(super) enum When {
    Always,
    One(AccessId),
    All(Vec<When>),
    Any(Vec<When>),
}

impl When {
    /// The operands without which it is not.
    pub fn essential(&self) -> BTreeSet<AccessId> {
        match self {
            When::Always => BTreeSet::new(),
            When::One(id) => BTreeSet::from([*id]),
            When::All(all) => all.iter().flat_map(When::essential).collect(),
            When::Any(any) => {
                let mut sets = any.iter().map(When::essential);
                let first = sets.next().unwrap_or_default();
                sets.fold(first, |a, b| &a & &b)
            }
        }
    }

    /// Whether it holds where any of `ids` is stored.
    pub fn covers(&self, ids: &BTreeSet<AccessId>) -> bool {
        fn alone(when: &When, out: &mut BTreeSet<AccessId>) -> bool {
            match when {
                When::Always => true,
                When::One(id) => {
                    out.insert(*id);
                    false
                }
                When::All(all) if all.len() == 1 => alone(&all[0], out),
                When::All(_) => false,
                When::Any(any) => any.iter().any(|when| alone(when, out)),
            }
        }
        let mut found = BTreeSet::new();
        alone(self, &mut found) || (!ids.is_empty() && ids.is_subset(&found))
    }
}

/// An expression that is `fill` unless it is stored.
#[derive(Clone)]
pub(super) struct Soft {
    pub when: When,
    pub fill: Expr,
}
