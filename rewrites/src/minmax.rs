//! `min` and `max`: infinities, and what is known to be no smaller or no larger.

use crate::conditions::{above_all, at_most, below_all, exact, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "minmax";
        // Infinity and anything is infinity, or NaN, which loses too.
        #[inexact] min_inf:       "(min ?a ?r...)"                 => "(min ?r...)"     if above_all(a);
        #[inexact] max_minus_inf: "(max ?a ?r...)"                 => "(max ?r...)"     if below_all(a);
        min_minus_inf: "(min -inf ?r...)"               => "-inf"            if present(r);
        max_inf:       "(max inf ?r...)"                => "inf"             if present(r);
        min_known:     "(min ?a ?b ?r...)"              => "(min ?a ?r...)"  if at_most(a, b);
        max_known:     "(max ?a ?b ?r...)"              => "(max ?b ?r...)"  if at_most(a, b);
        min_of_max:    "(min ?a (max ?a ?b...) ?r...)"  => "(min ?a ?r...)"  if exact(a, b);
        max_of_min:    "(max ?a (min ?a ?b...) ?r...)"  => "(max ?a ?r...)"  if exact(a, b);
    }
}
