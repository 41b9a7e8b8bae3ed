//! Extents: `min`, `max` and comparisons of index expressions that differ by something signed.

use crate::conditions::{at_most, exact, not_negative, not_positive, unlimited};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "bounds";
        min_above:  "(min ?a (+ ?a ?c...) ?r...)"             => "(min ?a ?r...)"            if unlimited(a, c), not_negative(c);
        min_below:  "(min ?a (+ ?a ?c...) ?r...)"             => "(min (+ ?a ?c...) ?r...)"  if unlimited(a, c), not_positive(c);
        min_offset: "(min (+ ?a ?c...) (+ ?a ?d...) ?r...)"   => "(min (+ ?a ?c...) ?r...)"  if unlimited(a, c, d), at_most(c, d);
        max_above:  "(max ?a (+ ?a ?c...) ?r...)"             => "(max (+ ?a ?c...) ?r...)"  if unlimited(a, c), not_negative(c);
        max_below:  "(max ?a (+ ?a ?c...) ?r...)"             => "(max ?a ?r...)"            if unlimited(a, c), not_positive(c);
        max_offset: "(max (+ ?a ?c...) (+ ?a ?d...) ?r...)"   => "(max (+ ?a ?d...) ?r...)"  if unlimited(a, c, d), at_most(c, d);

        le_of_min:  "(<= (min ?a ?r...) ?a)"  => "true"   if exact(a, r);
        ge_of_min:  "(>= ?a (min ?a ?r...))"  => "true"   if exact(a, r);
        lt_of_min:  "(< ?a (min ?a ?r...))"   => "false"  if exact(a, r);
        gt_of_min:  "(> (min ?a ?r...) ?a)"   => "false"  if exact(a, r);
        le_of_max:  "(<= ?a (max ?a ?r...))"  => "true"   if exact(a, r);
        ge_of_max:  "(>= (max ?a ?r...) ?a)"  => "true"   if exact(a, r);
        lt_of_max:  "(< (max ?a ?r...) ?a)"   => "false"  if exact(a, r);
        gt_of_max:  "(> ?a (max ?a ?r...))"   => "false"  if exact(a, r);
    }
}
