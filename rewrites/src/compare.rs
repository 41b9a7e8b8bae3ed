//! Comparisons: a term with itself, negations, and terms common to both sides.
//!
//! Literals, and sides whose ranges do not touch, are decided by the facts of the class.

use crate::conditions::{boolean, exact, present, unlimited};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "compare";
        eq_self:  "(== ?a ?a)"      => "true"        if exact(a);
        ne_self:  "(!= ?a ?a)"      => "false"       if exact(a);
        lt_self:  "(< ?a ?a)"       => "false"       if present(a);
        gt_self:  "(> ?a ?a)"       => "false"       if present(a);
        le_self:  "(<= ?a ?a)"      => "true"        if exact(a);
        ge_self:  "(>= ?a ?a)"      => "true"        if exact(a);

        // Of NaN either is false, too.
        lt_minus_inf: "(< ?a -inf)" => "false"       if present(a);
        inf_lt:       "(< inf ?a)"  => "false"       if present(a);
        gt_inf:       "(> ?a inf)"  => "false"       if present(a);
        minus_inf_gt: "(> -inf ?a)" => "false"       if present(a);

        eq_true:  "(== true ?a)"    => "?a"          if boolean(a);
        eq_false: "(== false ?a)"   => "(not ?a)"    if boolean(a);
        ne_true:  "(!= true ?a)"    => "(not ?a)"    if boolean(a);
        ne_false: "(!= false ?a)"   => "?a"          if boolean(a);

        not_eq:   "(not (== ?a ?b))" => "(!= ?a ?b)";
        not_ne:   "(not (!= ?a ?b))" => "(== ?a ?b)";
        not_lt:   "(not (< ?a ?b))"  => "(>= ?a ?b)"  if exact(a, b);
        not_le:   "(not (<= ?a ?b))" => "(> ?a ?b)"   if exact(a, b);
        not_gt:   "(not (> ?a ?b))"  => "(<= ?a ?b)"  if exact(a, b);
        not_ge:   "(not (>= ?a ?b))" => "(< ?a ?b)"   if exact(a, b);

        eq_cancel:       "(== ?a (+ ?a ?c...))"             => "(== 0 (+ ?c...))"          if unlimited(a, c);
        eq_cancel_both:  "(== (+ ?a ?c...) (+ ?a ?d...))"   => "(== (+ ?c...) (+ ?d...))"  if unlimited(a, c, d);
        ne_cancel:       "(!= ?a (+ ?a ?c...))"             => "(!= 0 (+ ?c...))"          if unlimited(a, c);
        ne_cancel_both:  "(!= (+ ?a ?c...) (+ ?a ?d...))"   => "(!= (+ ?c...) (+ ?d...))"  if unlimited(a, c, d);
        lt_cancel_right: "(< ?a (+ ?a ?c...))"              => "(< 0 (+ ?c...))"           if unlimited(a, c);
        lt_cancel_left:  "(< (+ ?a ?c...) ?a)"              => "(< (+ ?c...) 0)"           if unlimited(a, c);
        lt_cancel_both:  "(< (+ ?a ?c...) (+ ?a ?d...))"    => "(< (+ ?c...) (+ ?d...))"   if unlimited(a, c, d);
        le_cancel_right: "(<= ?a (+ ?a ?c...))"             => "(<= 0 (+ ?c...))"          if unlimited(a, c);
        le_cancel_left:  "(<= (+ ?a ?c...) ?a)"             => "(<= (+ ?c...) 0)"          if unlimited(a, c);
        le_cancel_both:  "(<= (+ ?a ?c...) (+ ?a ?d...))"   => "(<= (+ ?c...) (+ ?d...))"  if unlimited(a, c, d);
        gt_cancel_right: "(> ?a (+ ?a ?c...))"              => "(> 0 (+ ?c...))"           if unlimited(a, c);
        gt_cancel_left:  "(> (+ ?a ?c...) ?a)"              => "(> (+ ?c...) 0)"           if unlimited(a, c);
        gt_cancel_both:  "(> (+ ?a ?c...) (+ ?a ?d...))"    => "(> (+ ?c...) (+ ?d...))"   if unlimited(a, c, d);
        ge_cancel_right: "(>= ?a (+ ?a ?c...))"             => "(>= 0 (+ ?c...))"          if unlimited(a, c);
        ge_cancel_left:  "(>= (+ ?a ?c...) ?a)"             => "(>= (+ ?c...) 0)"          if unlimited(a, c);
        ge_cancel_both:  "(>= (+ ?a ?c...) (+ ?a ?d...))"   => "(>= (+ ?c...) (+ ?d...))"  if unlimited(a, c, d);
    }
}
