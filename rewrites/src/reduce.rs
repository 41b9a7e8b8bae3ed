//! Assignments: by an identity, by an annihilator, and repeated by a loop they do not depend on.

use crate::conditions::{
    above_all, at_most, below_all, boolean, fits, fractional, harmless, idempotent, integer,
    invariant, number, present, scalar, untouched,
};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "reduce";
        // `a = e` overwrites and is never deleted, also when `e` is the fill. Only `missing`,
        // which is no value, writes nothing.
        missing_value: "(assign ?op ?t missing)"  => "pass";
        add_0:         "(assign + ?t 0)"          => "pass";
        add_false:     "(assign + ?t false)"      => "pass";
        sub_0:         "(assign - ?t 0)"          => "pass";
        sub_false:     "(assign - ?t false)"      => "pass";
        mul_1:         "(assign * ?t 1)"          => "pass";
        mul_true:      "(assign * ?t true)"       => "pass";
        div_1:         "(assign / ?t 1)"          => "pass";
        #[inexact] min_inf_:      "(assign min ?t ?v)"       => "pass"        if above_all(v);
        #[inexact] max_minf_:     "(assign max ?t ?v)"       => "pass"        if below_all(v);
        min_limit:     "(assign min ?t ?v)"       => "pass"                   if at_most(t, v);
        max_limit:     "(assign max ?t ?v)"       => "pass"                   if at_most(v, t);
        min_itself:    "(assign min ?t ?t)"       => "pass";
        max_itself:    "(assign max ?t ?t)"       => "pass";
        or_false_:     "(assign or ?t false)"     => "pass";
        and_true_:     "(assign and ?t true)"     => "pass";
        bitor_0:       "(assign | ?t 0)"          => "pass";
        bitor_false_:  "(assign | ?t false)"      => "pass";
        bitand_true_:  "(assign & ?t true)"       => "pass"                   if boolean(t);
        bitxor_0:      "(assign ^ ?t 0)"          => "pass";
        bitxor_false_: "(assign ^ ?t false)"      => "pass";

        or_true_:      "(assign or ?t true)"      => "(assign = ?t true)"     if present(t);
        and_false_:    "(assign and ?t false)"    => "(assign = ?t false)"    if present(t);
        bitor_true_:   "(assign | ?t true)"       => "(assign = ?t true)"     if boolean(t);
        bitand_false_: "(assign & ?t false)"      => "(assign = ?t false)"    if boolean(t);
        bitand_0:      "(assign & ?t 0)"          => "(assign = ?t 0)"        if present(t);
        #[inexact] mul_0:         "(assign * ?t 0)"          => "(assign = ?t 0)"        if present(t);
        #[inexact] mul_false:     "(assign * ?t false)"      => "(assign = ?t 0)"        if present(t);

        // Once for each iteration is so many times once. `hi - lo` counts them if there are any;
        // if there may be none, the value must not be looked at, nor infinity be multiplied by 0, nor
        // 0 be added to a float that is -0.
        #[inexact] loop_add:      "(loop ?i ?lo ?hi (assign + ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign + ?t (* ?v (+ ?hi (neg ?lo)))) pass)"
                    if invariant(i, t, v), untouched(t, v), fractional(t);
        loop_add_int:  "(loop ?i ?lo ?hi (assign + ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign + ?t (times: ?v (+ ?hi (neg ?lo)))) pass)"
                    if invariant(i, t, v), untouched(t, v), integer(t);
        #[inexact] loop_sub:      "(loop ?i ?lo ?hi (assign - ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign - ?t (* ?v (+ ?hi (neg ?lo)))) pass)"
                    if invariant(i, t, v), untouched(t, v), fractional(t);
        loop_sub_int:  "(loop ?i ?lo ?hi (assign - ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign - ?t (times: ?v (+ ?hi (neg ?lo)))) pass)"
                    if invariant(i, t, v), untouched(t, v), integer(t);
        #[inexact] loop_add_max:  "(loop ?i ?lo ?hi (assign + ?t ?v))"
                    => "(assign + ?t (times: ?v (max 0 (+ ?hi (neg ?lo)))))"
                    if invariant(i, t, v), untouched(t, v), harmless(v), scalar(t), integer(t), fits(t, v);
        #[inexact] loop_sub_max:  "(loop ?i ?lo ?hi (assign - ?t ?v))"
                    => "(assign - ?t (times: ?v (max 0 (+ ?hi (neg ?lo)))))"
                    if invariant(i, t, v), untouched(t, v), harmless(v), scalar(t), integer(t), fits(t, v);
        times_once:    "(times: ?v 1)"            => "?v";
        times_0:       "(times: 0 ?n)"            => "0";
        times_false:   "(times: false ?n)"        => "0";
        // A product of equal factors is their power, computed by squaring.
        #[inexact] loop_mul: "(loop ?i ?lo ?hi (assign * ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign * ?t (pow: ?v (+ ?hi (neg ?lo)))) pass)"
                    if invariant(i, t, v), untouched(t, v), number(v);
        loop_once:     "(loop ?i ?lo ?hi (assign ?op ?t ?v))"
                    => "(sieve (< ?lo ?hi) (assign ?op ?t ?v) pass)"
                    if idempotent(op), invariant(i, t, v), untouched(t, v);
        // Of pairs with equal first parts the earliest stays.
        loop_first_min: "(loop ?i ?lo ?hi (assign minby ?t (tuple ?v ?a... ?i ?b...)))"
                    => "(sieve (< ?lo ?hi) (assign minby ?t (tuple ?v ?a... ?lo ?b...)) pass)"
                    if invariant(i, t, v, a, b), untouched(t, v, a, b);
        loop_first_max: "(loop ?i ?lo ?hi (assign maxby ?t (tuple ?v ?a... ?i ?b...)))"
                    => "(sieve (< ?lo ?hi) (assign maxby ?t (tuple ?v ?a... ?lo ?b...)) pass)"
                    if invariant(i, t, v, a, b), untouched(t, v, a, b);
    }
}
