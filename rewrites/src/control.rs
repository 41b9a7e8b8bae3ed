//! Statements that do nothing, or do what a smaller one does.

use crate::conditions::{
    empty, invariant, not_negative, present, total, unwritten, without, writes_only,
};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "control";
        sieve_true:   "(sieve true ?a ?b)"             => "?a";
        sieve_false:  "(sieve false ?a ?b)"            => "?b";
        sieve_pass:   "(sieve ?c pass pass)"           => "pass";
        sieve_same:   "(sieve ?c ?a ?a)"               => "?a"                    if present(c);
        sieve_nested: "(sieve ?c (sieve ?d ?a pass) pass)" => "(sieve (and ?c ?d) ?a pass)" if present(c, d);

        seq_pass:     "(seq ?a... pass ?b...)"         => "(seq ?a... ?b...)";
        seq_flatten:  "(seq ?a... (seq ?b...) ?c...)"  => "(seq ?a... ?b... ?c...)";

        let_pass:       "(let ?x ?v pass)"             => "pass";
        where_consumer: "(where pass ?p ?t)"           => "pass"                  if writes_only(p, t);
        where_producer: "(where ?c pass ?t)"           => "?c"                    if without(c, t);

        loop_pass:      "(loop ?i ?lo ?hi pass)"       => "pass";
        loop_empty:     "(loop ?i ?lo ?hi ?s)"         => "pass"                  if empty(lo, hi);
        loop_backward:  "(loop ?i (+ ?hi ?c...) ?hi ?s)" => "pass"                if not_negative(c);

        // A condition that may be `missing` stays where it is: it may not hold up what never ran.
        // The branch that does something decides nothing: code is not doubled, names stay unique.
        hoist_sieve:    "(loop ?i ?lo ?hi (sieve ?c ?s pass))"
                     => "(sieve ?c (loop ?i ?lo ?hi ?s) pass)"
                     if invariant(i, c), unwritten(s, c), total(c), present(c);
        hoist_else:     "(loop ?i ?lo ?hi (sieve ?c pass ?s))"
                     => "(sieve ?c pass (loop ?i ?lo ?hi ?s))"
                     if invariant(i, c), unwritten(s, c), total(c), present(c);
        // A condition that reads memory is not evaluated unless the loop would.
        hoist_guarded:  "(loop ?i ?lo ?hi (sieve ?c ?s pass))"
                     => "(sieve (and (< ?lo ?hi) ?c) (loop ?i ?lo ?hi ?s) pass)"
                     if invariant(i, c), unwritten(s, c), present(c);
    }
}
