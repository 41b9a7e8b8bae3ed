//! What makes everything around it vanish: the structural zero, and `missing`.

use crate::conditions::{absorbs, exact, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "annihilate";
        #[inexact] mul_zero:          "(* 0 ?r...)"                 => "0"                  if present(r);
        bitand_zero:       "(& 0 ?r...)"                 => "0"                  if exact(r);
        missing_absorbs:   "(?f ?a... missing ?b...)"    => "missing"            if absorbs(f);
        missing_condition: "(ifelse missing ?a ?b)"      => "missing";
        missing_position:  "(load ?a missing)"           => "missing";
        coalesce_missing:  "(coalesce missing ?a ?r...)" => "(coalesce ?a ?r...)";
        coalesce_only:     "(coalesce missing)"          => "missing";
        coalesce_present:  "(coalesce ?a ?r...)"         => "?a"                 if present(a);
    }
}
