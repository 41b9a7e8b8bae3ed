//! Operators that random kernels bring in, with laws that hold for all values of their types, and what the
//! oracle takes them for.

use crate::oracle::{Function, Val};
use std::sync::OnceLock;

/// The operators of a type of whole numbers: names end in that of the type.
macro_rules! whole {
    ($($t:ident: $wrapping:ident $both:ident $least:ident $without:ident $either:ident $kept:ident $part:ident,
        $min:literal, $max:literal, $ones:literal;)*) => {
        $(
            looplets::operator! {
                /// The sum that wraps around.
                pub fn $wrapping(a: $t, b: $t) -> $t { a.wrapping_add(b) }
                commutative, associative;
                identity 0;
            }
            looplets::operator! {
                /// The bits that both have.
                pub fn $both(a: $t, b: $t) -> $t { a & b }
                commutative, associative, idempotent;
                identity $ones;
                annihilator 0;
            }
            looplets::operator! {
                /// The smaller one.
                pub fn $least(a: $t, b: $t) -> $t { if a < b { a } else { b } }
                commutative, associative, idempotent;
                identity $max;
                annihilator $min;
            }
            looplets::operator! {
                /// The bits of `a` that `b` has not.
                pub fn $without(a: $t, b: $t) -> $t { a & !b }
                identity 0 at b;
                annihilator 0 at a;
            }
            looplets::operator! {
                /// The first that is not zero.
                pub fn $either(a: $t, b: $t) -> $t { if a == 0 { b } else { a } }
                associative, idempotent;
                identity 0;
            }
            looplets::operator! {
                /// The first where there is a second.
                pub fn $kept(a: $t, b: $t) -> $t { if b == 0 { 0 } else { a } }
                space a & b else 0;
            }
            looplets::operator! {
                /// One of two where there is a third.
                pub fn $part(a: $t, b: $t, c: $t) -> $t { if c == 0 { 0 } else { a | b } }
                space (a | b) & c else 0;
            }
        )*
        const WHOLE: &[Function] = &[$(
            (stringify!($wrapping), |v| Val::Int($wrapping(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($both), |v| Val::Int($both(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($least), |v| Val::Int($least(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($without), |v| Val::Int($without(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($either), |v| Val::Int($either(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($kept), |v| Val::Int($kept(v[0].int() as $t, v[1].int() as $t).into())),
            (stringify!($part), |v| {
                Val::Int($part(v[0].int() as $t, v[1].int() as $t, v[2].int() as $t).into())
            }),
        )*];
    };
}
whole! {
    i64: wrapping_i64 both_i64 least_i64 without_i64 either_i64 kept_i64 part_i64,
        -9223372036854775808, 9223372036854775807, -1;
    i32: wrapping_i32 both_i32 least_i32 without_i32 either_i32 kept_i32 part_i32,
        -2147483648, 2147483647, -1;
    u8: wrapping_u8 both_u8 least_u8 without_u8 either_u8 kept_u8 part_u8, 0, 255, 255;
}

/// The operators of a type of floats. They look at zero alone, so that NaN is nothing special.
macro_rules! floats {
    ($($t:ident: $either:ident $kept:ident $part:ident;)*) => {
        $(
            looplets::operator! {
                /// The first that is not zero.
                pub fn $either(a: $t, b: $t) -> $t { if a == 0.0 { b } else { a } }
                associative, idempotent;
                identity 0;
            }
            looplets::operator! {
                /// The first where there is a second.
                pub fn $kept(a: $t, b: $t) -> $t { if b == 0.0 { 0.0 } else { a } }
                space a & b else 0;
            }
            looplets::operator! {
                /// One of two where there is a third.
                pub fn $part(a: $t, b: $t, c: $t) -> $t {
                    if c == 0.0 { 0.0 } else if a == 0.0 { b } else { a }
                }
                space (a | b) & c else 0;
            }
        )*
        const FLOATS: &[Function] = &[$(
            (stringify!($either), |v| Val::Float($either(v[0].float() as $t, v[1].float() as $t).into())),
            (stringify!($kept), |v| Val::Float($kept(v[0].float() as $t, v[1].float() as $t).into())),
            (stringify!($part), |v| {
                Val::Float($part(v[0].float() as $t, v[1].float() as $t, v[2].float() as $t).into())
            }),
        )*];
    };
}
floats! {
    f64: either_f64 kept_f64 part_f64;
    f32: either_f32 kept_f32 part_f32;
}

/// All operators, as the oracle knows them.
pub fn all() -> &'static [Function] {
    static ALL: OnceLock<Vec<Function>> = OnceLock::new();
    ALL.get_or_init(|| [WHOLE, FLOATS].concat())
}
