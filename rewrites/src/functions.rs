//! Float functions at zero: what makes them keep a structural zero, or give a constant for it.

use crate::conditions::positive;
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    family! { "functions";
        abs_zero:   "(abs 0)"     => "0";
        sqrt_zero:  "(sqrt 0)"    => "0";
        floor_zero: "(floor 0)"   => "0";
        ceil_zero:  "(ceil 0)"    => "0";
        round_zero: "(round 0)"   => "0";
        trunc_zero: "(trunc 0)"   => "0";
        sin_zero:   "(sin 0)"     => "0";
        tan_zero:   "(tan 0)"     => "0";
        tanh_zero:  "(tanh 0)"    => "0";
        cos_zero:   "(cos 0)"     => "1";
        exp_zero:   "(exp 0)"     => "1";
        powi_zero:  "(powi 0 ?n)" => "0"  if positive(n);
        powf_zero:  "(powf 0 ?n)" => "0"  if positive(n);
    }
}
