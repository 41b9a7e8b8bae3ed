//! Numbers for tests of what changes: those that kernels have gone wrong on, and those of which tests choose at random.
#![allow(dead_code)] // Few tests use all of it.

/// Numbers that kernels have gone wrong on.
pub const HOSTILE: [f64; 8] =
    [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 0.1, -1e308];

/// Random numbers of a seed other than 0 (Marsaglia, *Xorshift RNGs*, 2003).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}
