//! What makes everything around it vanish: the structural zero, and `missing`.

use crate::conditions::{absorbs, exact, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "annihilate";
        #[inexact] mul_zero:          "(* 0 ?r...)"                 => "0"                  if present(r);
        // Nothing divided by anything, NaN and 0 among it, is nothing, as nothing times anything is.
        #[inexact] div_zero:          "(/ 0 ?a)"                    => "0"                  if present(a);
        #[inexact] rem_zero:          "(% 0 ?a)"                    => "0"                  if present(a);
        #[inexact] rem_euclid_zero:   "(rem_euclid 0 ?a)"           => "0"                  if present(a);
        #[inexact] div_euclid_zero:   "(div_euclid 0 ?a)"           => "0"                  if present(a);
        shl_zero:          "(<< 0 ?a)"                          => "0"                  if present(a);
        shr_zero:          "(>> 0 ?a)"                          => "0"                  if present(a);
        bitand_zero:       "(& 0 ?r...)"                 => "0"                  if exact(r);
        missing_absorbs:   "(?f ?a... missing ?b...)"    => "missing"            if absorbs(f);
        missing_condition: "(ifelse missing ?a ?b)"      => "missing";
        missing_position:  "(load ?a missing)"           => "missing";
        coalesce_missing:  "(coalesce missing ?a ?r...)" => "(coalesce ?a ?r...)";
        coalesce_only:     "(coalesce missing)"          => "missing";
        coalesce_present:  "(coalesce ?a ?r...)"         => "?a"                 if present(a);
    }
}
