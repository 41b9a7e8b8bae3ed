//! The elementwise programs of SparseArrays as `finch!` compiles them, for each rank. Each is measured
//! beside its namesake in `hand`.

use looplets::prelude::*;

operator! {
    /// `x` times two to the power of `n`: nothing where there is no `x`.
    pub fn ldexp(x: f64, n: i32) -> f64 { x * f64::from_bits(((1023 + n.clamp(-1022, 1023)) as u64) << 52) }
    identity 0 at n;
    annihilator 0 at x;
}

operator! {
    /// Bits moved to the right.
    pub fn right_shift(x: i64, n: i64) -> i64 { x >> (n & 63) }
    identity 0 at n;
    annihilator 0 at x;
}

operator! {
    /// One where there is no exponent.
    pub fn power(x: f64, n: f64) -> f64 { x.powf(n) }
    identity 1 at n;
    annihilator 1 at x;
    case power(x, 0) = 1;
}

macro_rules! programs {
    ($($(#[$doc:meta])* $module:ident [$($level:tt)*] [$($close:tt)*] [$($i:ident),*];)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use super::*;
            level! {
                /// Places.
                pub type Flags = Tensor<$($level)* Pattern $($close)*>;
            }
            level! {
                /// Values.
                pub type Values<T, F = Zero> = Tensor<$($level)* Element<T, F> $($close)*>;
            }
            finch! {
                use ldexp;
                use right_shift;
                use power;
                /// Places of one of them.
                pub fn xor(a: &Flags, b: &Flags) -> (c: Flags) {
                    for $($i),* { c[$($i),*] = a[$($i),*] ^ b[$($i),*] }
                }
                /// Values of `a`, doubled as often as `b` says.
                pub fn scale(a: &Values<f64>, b: &Values<i32>) -> (c: Values<f64>) {
                    for $($i),* { c[$($i),*] = ldexp(a[$($i),*], b[$($i),*]) }
                }
                /// Values of `a`, halved as often as `b` says.
                pub fn shift(a: &Values<i64>, b: &Values<i64>) -> (c: Values<i64>) {
                    for $($i),* { c[$($i),*] = right_shift(a[$($i),*], b[$($i),*]) }
                }
                /// Powers, all others 1.
                pub fn powers(a: &Values<f64>, b: &Values<f64>) -> (c: Values<f64, One>) {
                    for $($i),* { c[$($i),*] = power(a[$($i),*], b[$($i),*]) }
                }
                /// Places of one of them, as far as they are in `d`.
                pub fn xor_and(a: &Flags, b: &Flags, d: &Flags) -> (c: Flags) {
                    for $($i),* { c[$($i),*] = (a[$($i),*] ^ b[$($i),*]) & d[$($i),*] }
                }
                /// Places of one of them, and those of `d`.
                pub fn xor_or(a: &Flags, b: &Flags, d: &Flags) -> (c: Flags) {
                    for $($i),* { c[$($i),*] = (a[$($i),*] ^ b[$($i),*]) | d[$($i),*] }
                }
                /// Places of one or of all three.
                pub fn xor_xor(a: &Flags, b: &Flags, d: &Flags) -> (c: Flags) {
                    for $($i),* { c[$($i),*] = a[$($i),*] ^ b[$($i),*] ^ d[$($i),*] }
                }
            }
        }
    )*};
}

programs! {
    /// Matrices.
    rank2 [Dense<SparseList<] [>>] [i, j];
    /// Rank 3.
    rank3 [SparseList<SparseList<SparseList<] [>>>] [i, j, k];
    /// Rank 4.
    rank4 [SparseList<SparseList<SparseList<SparseList<] [>>>>] [i, j, k, l];
    /// Rank 5, of which all but the last two dimensions are stored whole.
    rank5 [Dense<Dense<Dense<SparseList<SparseList<] [>>>>>] [i, j, k, l, m];
}
