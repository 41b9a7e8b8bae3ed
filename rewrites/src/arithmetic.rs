//! Identities of `+ - * /`. Like terms of integer sums are collected by the normal form, not here.

use crate::conditions::{exact, number, unbounded, unlimited};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "arithmetic";
        add_zero:      "(+ 0 ?r...)"           => "(+ ?r...)"          if number(r);
        sub_self:      "(- ?a ?a)"             => "0"                  if exact(a);
        sub_to_add:    "(- ?a ?b)"             => "(+ ?a (neg ?b))";
        neg_neg:       "(neg (neg ?a))"        => "?a"                 if number(a);
        // Of unsigned numbers one of the two differences overflows; of floats, which literals may be, the zeros differ.
        #[inexact] neg_sub:       "(neg (+ ?a (neg ?b)))" => "(+ ?b (neg ?a))"    if unlimited(a, b);
        mul_one:       "(* 1 ?r...)"           => "(* ?r...)"          if number(r);
        // The least number of an integer type is the negation of none.
        mul_minus_one: "(* -1 ?r...)"          => "(neg (* ?r...))"    if number(r), unbounded(r);
        mul_neg:       "(* (neg ?a) ?r...)"    => "(neg (* ?a ?r...))" if unbounded(a, r);
        div_one:       "(/ ?a 1)"              => "?a"                 if number(a);
        div_neg:       "(/ (neg ?a) ?b)"       => "(neg (/ ?a ?b))"    if unbounded(a, b);
        rem_one:       "(% ?a 1)"              => "0"                  if exact(a);
    }
}
