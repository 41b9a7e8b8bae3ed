//! Laws that name what the operator does not have are refused at the name.
use looplets::prelude::*;

fn scaled(x: f64, n: usize) -> f64 { x * n as f64 }
fn plain(a: f64, b: f64) -> f64 { a.max(b) }

operator! {
    fn argument(a: f64, b: f64) -> f64 { a - b }
    identity 0 at c;
}
operator! {
    fn space(a: f64, b: f64) -> f64 { a * b }
    space a & c;
}
operator! {
    fn set(a: f64, b: f64) -> f64 { a * b }
    space a + b;
}
operator! {
    fn cases(a: f64, b: f64) -> f64 { a * b }
    case cases(x, 0) = y;
}
operator! {
    fn others(a: f64, b: f64) -> f64 { a * b }
    case other(x, 0) = 0;
}
operator! {
    fn short(a: f64, b: f64) -> f64 { a * b }
    case short(0) = 0;
}
operator! {
    fn word(a: f64, b: f64) -> f64 { a * b }
    commutativ;
}
operator! {
    fn over_nothing(a: f64, b: f64) -> f64 { a + b }
    commutative;
    distributes over lowest;
}
operator! {
    fn over_plain(a: f64, b: f64) -> f64 { a + b }
    commutative;
    distributes over plain;
}
operator! {
    fn inverse_without(a: f64, b: f64) -> f64 { a + b }
    inverse neg;
}
operator! {
    fn one(a: f64) -> f64 { a }
    associative;
}
operator! {
    fn value(a: f64, b: f64) -> f64 { a * b }
    identity zero;
}
operator! {
    fn identity_of_another_type(a: u8, b: u8) -> u8 { a + b }
    identity 300;
}
operator! {
    fn identity_at(a: f64, b: u8) -> f64 { a * f64::from(b) }
    identity -1 at b;
}
operator! {
    fn annihilator_of_another_type(a: u8, b: u8) -> u8 { a * b }
    annihilator 0.5;
}
operator! {
    fn case_of_another_type(a: u8, b: u8) -> u8 { a * b }
    case case_of_another_type(x, 300) = x;
}
operator! {
    fn case_to_another_type(a: u8, b: u8) -> u8 { a * b }
    case case_to_another_type(x, 0) = -1;
}
operator! {
    fn space_of_another_type(a: u8, b: u8) -> u8 { a * b }
    space a | b else 256;
}
operator! {
    fn fine(a: f64, b: f64) -> f64 { a + b }
    commutative, inexact associative;
    identity 0;
    inverse neg;
    repeated by scaled;
    distributes over max;
}

fn main() {}
