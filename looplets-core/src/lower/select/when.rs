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
    /// What a condition chooses is.
    Chosen(Box<Choice>),
}

/// A condition, and when what it chooses is stored.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub cond: Expr,
    /// When the condition is anything else than what it is where none of its operands is stored.
    pub asked: Option<When>,
    pub then: When,
    pub otherwise: When,
}

impl When {
    /// Whether it never is.
    fn is_never(&self) -> bool {
        matches!(self, When::Any(any) if any.is_empty())
    }

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
            When::Chosen(of) if of.then.is_never() => of.otherwise.essential(),
            When::Chosen(of) if of.otherwise.is_never() => of.then.essential(),
            When::Chosen(of) => &of.then.essential() & &of.otherwise.essential(),
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
                When::Chosen(of) => {
                    let (mut yes, mut no) = (BTreeSet::new(), BTreeSet::new());
                    let always = (alone(&of.then, &mut yes), alone(&of.otherwise, &mut no));
                    out.extend(match always {
                        (false, false) => &yes & &no,
                        (true, false) => no,
                        (false, true) => yes,
                        (true, true) => return true,
                    });
                    false
                }
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
