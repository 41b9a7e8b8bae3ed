//! `and or not ifelse`, and the bitwise operators on bools and integers.
//!
//! No rule moves an argument of `and` or `or` in front of another: it may be a guard.

use crate::conditions::{boolean, exact, number, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "boolean";
        and_true:       "(and true ?r...)"          => "(and ?r...)";
        and_false:      "(and false ?r...)"         => "false"            if present(r);
        and_not:        "(and ?a (not ?a) ?r...)"   => "false"            if boolean(a), present(r);
        or_false:       "(or false ?r...)"          => "(or ?r...)";
        or_true:        "(or true ?r...)"           => "true"             if present(r);
        or_not:         "(or ?a (not ?a) ?r...)"    => "true"             if boolean(a), present(r);
        not_not:        "(not (not ?a))"            => "?a";

        ifelse_true:    "(ifelse true ?a ?b)"       => "?a";
        ifelse_false:   "(ifelse false ?a ?b)"      => "?b";
        ifelse_same:    "(ifelse ?c ?a ?a)"         => "?a"               if present(c);
        ifelse_not:     "(ifelse (not ?c) ?a ?b)"   => "(ifelse ?c ?b ?a)";
        ifelse_bool:    "(ifelse ?c true false)"    => "?c"               if boolean(c);
        ifelse_flipped: "(ifelse ?c false true)"    => "(not ?c)"         if boolean(c);

        bitand_true:    "(& true ?r...)"            => "(& ?r...)"        if boolean(r);
        bitand_false:   "(& false ?r...)"           => "false"            if boolean(r);
        bitor_false:    "(| false ?r...)"           => "(| ?r...)"        if boolean(r);
        bitor_true:     "(| true ?r...)"            => "true"             if boolean(r);
        bitor_zero:     "(| 0 ?r...)"               => "(| ?r...)"        if exact(r), number(r);
        bitxor_false:   "(^ false ?r...)"           => "(^ ?r...)"        if boolean(r);
        bitxor_zero:    "(^ 0 ?r...)"               => "(^ ?r...)"        if exact(r), number(r);
    }
}
