//! Methods of numbers at zero: what makes them keep a structural zero, or give a constant for it.

use crate::conditions::{positive, present};
use looplets_core::simplify::{family, Rule};

/// The table.
pub fn rules() -> Vec<Rule> {
    let mut all = of_floats();
    all.extend(of_integers());
    all
}

fn of_floats() -> Vec<Rule> {
    family! { "functions";
        abs_zero:                "(abs 0)"                      => "0";
        sqrt_zero:               "(sqrt 0)"                     => "0";
        floor_zero:              "(floor 0)"                    => "0";
        ceil_zero:               "(ceil 0)"                     => "0";
        round_zero:              "(round 0)"                    => "0";
        trunc_zero:              "(trunc 0)"                    => "0";
        sin_zero:                "(sin 0)"                      => "0";
        tan_zero:                "(tan 0)"                      => "0";
        tanh_zero:               "(tanh 0)"                     => "0";
        cos_zero:                "(cos 0)"                      => "1";
        exp_zero:                "(exp 0)"                      => "1";
        powi_zero:               "(powi 0 ?n)"                  => "0"  if positive(n);
        powf_zero:               "(powf 0 ?n)"                  => "0"  if positive(n);
        cbrt_zero:               "(cbrt 0)"                     => "0";
        asin_zero:               "(asin 0)"                     => "0";
        atan_zero:               "(atan 0)"                     => "0";
        sinh_zero:               "(sinh 0)"                     => "0";
        asinh_zero:              "(asinh 0)"                    => "0";
        atanh_zero:              "(atanh 0)"                    => "0";
        exp_m1_zero:             "(exp_m1 0)"                   => "0";
        ln_1p_zero:              "(ln_1p 0)"                    => "0";
        round_ties_even_zero:    "(round_ties_even 0)"          => "0";
        fract_zero:              "(fract 0)"                    => "0";
        to_degrees_zero:         "(to_degrees 0)"               => "0";
        to_radians_zero:         "(to_radians 0)"               => "0";
        cosh_zero:               "(cosh 0)"                     => "1";
        exp2_zero:               "(exp2 0)"                     => "1";
        is_nan_zero:             "(is_nan 0)"                   => "false";
        is_infinite_zero:        "(is_infinite 0)"              => "false";
        is_finite_zero:          "(is_finite 0)"                => "true";
    }
}

fn of_integers() -> Vec<Rule> {
    family! { "functions";
        count_ones_zero:         "(count_ones 0)"               => "0";
        swap_bytes_zero:         "(swap_bytes 0)"               => "0";
        reverse_bits_zero:       "(reverse_bits 0)"             => "0";
        unsigned_abs_zero:       "(unsigned_abs 0)"             => "0";
        wrapping_neg_zero:       "(wrapping_neg 0)"             => "0";
        wrapping_abs_zero:       "(wrapping_abs 0)"             => "0";
        saturating_neg_zero:     "(saturating_neg 0)"           => "0";
        saturating_abs_zero:     "(saturating_abs 0)"           => "0";
        is_power_of_two_zero:    "(is_power_of_two 0)"          => "false";
        wrapping_pow_zero:       "(wrapping_pow 0 ?n)"          => "0"  if positive(n);
        saturating_pow_zero:     "(saturating_pow 0 ?n)"        => "0"  if positive(n);
        rotate_left_zero:        "(rotate_left 0 ?n)"           => "0"  if present(n);
        rotate_right_zero:       "(rotate_right 0 ?n)"          => "0"  if present(n);
        wrapping_shl_zero:       "(wrapping_shl 0 ?n)"          => "0"  if present(n);
        wrapping_shr_zero:       "(wrapping_shr 0 ?n)"          => "0"  if present(n);
        wrapping_mul_zero:       "(wrapping_mul ?a 0)"          => "0"  if present(a);
        zero_wrapping_mul:       "(wrapping_mul 0 ?a)"          => "0"  if present(a);
        saturating_mul_zero:     "(saturating_mul ?a 0)"        => "0"  if present(a);
        zero_saturating_mul:     "(saturating_mul 0 ?a)"        => "0"  if present(a);
        wrapping_add_zero:       "(wrapping_add ?a 0)"          => "?a";
        zero_wrapping_add:       "(wrapping_add 0 ?a)"          => "?a";
        saturating_add_zero:     "(saturating_add ?a 0)"        => "?a";
        zero_saturating_add:     "(saturating_add 0 ?a)"        => "?a";
        wrapping_sub_zero:       "(wrapping_sub ?a 0)"          => "?a";
        saturating_sub_zero:     "(saturating_sub ?a 0)"        => "?a";
        abs_diff_zeros:          "(abs_diff 0 0)"               => "0";
        wrapping_div_zero:       "(wrapping_div 0 ?a)"          => "0"  if present(a);
        wrapping_rem_zero:       "(wrapping_rem 0 ?a)"          => "0"  if present(a);
    }
}
