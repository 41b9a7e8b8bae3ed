//! NaN as a fill: what makes everything around it NaN, decided where nothing is stored. All of it is
//! what IEEE 754 says, so strict kernels keep these rules; `nan` is the constant that every NaN fill
//! stands for, no literal, since it does not equal itself.

use crate::conditions::{loaded, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "nan";
        add_nan:        "(+ nan ?r...)"      => "nan"            if present(r);
        sub_nan:        "(- ?a nan)"         => "nan"            if present(a);
        nan_sub:        "(- nan ?a)"         => "nan"            if present(a);
        neg_nan:        "(neg nan)"          => "nan";
        // Beside a structural zero, `mul_zero` has the word: only what is stored is looked at.
        mul_nan:        "(* nan ?r...)"      => "nan"            if loaded(r);
        mul_nan_nan:    "(* nan nan ?r...)"  => "(* nan ?r...)";
        // Beside a structural zero, `div_zero` has the word: only what is stored is looked at.
        div_nan:        "(/ ?a nan)"         => "nan"            if loaded(a);
        nan_div:        "(/ nan ?a)"         => "nan"            if present(a);
        min_nan:        "(min nan ?a ?r...)" => "(min ?a ?r...)";
        max_nan:        "(max nan ?a ?r...)" => "(max ?a ?r...)";
        less_nan:       "(< ?a nan)"         => "false"          if present(a);
        nan_less:       "(< nan ?a)"         => "false"          if present(a);
        at_most_nan:    "(<= ?a nan)"        => "false"          if present(a);
        nan_at_most:    "(<= nan ?a)"        => "false"          if present(a);
        greater_nan:    "(> ?a nan)"         => "false"          if present(a);
        nan_greater:    "(> nan ?a)"         => "false"          if present(a);
        at_least_nan:   "(>= ?a nan)"        => "false"          if present(a);
        nan_at_least:   "(>= nan ?a)"        => "false"          if present(a);
        equal_nan:      "(== nan ?a)"        => "false"          if present(a);
        unequal_nan:    "(!= nan ?a)"        => "true"           if present(a);
        // Its type is that of what it meets.
        cast_f64_nan:   "(cast:f64 nan)"     => "nan";
        cast_f32_nan:   "(cast:f32 nan)"     => "nan";
        abs_nan:        "(abs nan)"          => "nan";
        sqrt_nan:       "(sqrt nan)"         => "nan";
        exp_nan:        "(exp nan)"          => "nan";
        ln_nan:         "(ln nan)"           => "nan";
        is_nan_nan:      "(is_nan nan)"      => "true";
        is_finite_nan:   "(is_finite nan)"   => "false";
        is_infinite_nan: "(is_infinite nan)" => "false";
        assign_add_nan: "(assign + ?t nan)"  => "(assign = ?t nan)" if present(t);
        assign_sub_nan: "(assign - ?t nan)"  => "(assign = ?t nan)" if present(t);
        assign_div_nan: "(assign / ?t nan)"  => "(assign = ?t nan)" if present(t);
        assign_min_nan: "(assign min ?t nan)" => "pass";
        assign_max_nan: "(assign max ?t nan)" => "pass";
    }
}
