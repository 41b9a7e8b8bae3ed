//! One format for each kind of looplet, declared as a format crate would, each holding real data; and
//! for each a way to build it that knows what it holds by heart, so that the declared looplets are
//! checked too.
#![allow(dead_code)]

mod simple;
mod stepping;

pub use simple::*;
pub use stepping::*;

use looplets::{Dense, Element, Level, Tensor};

/// A small source of numbers.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n.max(1)
    }
    /// A value: small, whole, and the fill now and then.
    pub fn value(&mut self) -> f64 {
        self.below(7) as f64 - 2.0
    }
    pub fn values(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.value()).collect()
    }
}

/// A level of these tests over a leaf.
pub trait Kind: Level<Value = f64> {
    /// A level with as many fibers of size `n` as there are seeds, and all its elements.
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>);

    /// A vector.
    fn tensor(n: usize, seed: u64) -> Tensor<Self> {
        let (root, dense) = <Self as Kind>::build(n, &[seed]);
        let tensor = Tensor::from_parts(root).expect("built right");
        assert_eq!(tensor.to_dense(), dense, "a walk of {} of size {n}, seed {seed}", Self::NAME);
        tensor
    }

    /// A matrix with a row for each seed.
    fn rows(n: usize, seeds: &[u64]) -> Tensor<Dense<Self>> {
        let (root, dense) = <Self as Kind>::build(n, seeds);
        let tensor = Tensor::from_parts(Dense::new(seeds.len(), root)).expect("built right");
        assert_eq!(tensor.to_dense(), dense, "rows of {} of size {n}, seeds {seeds:?}", Self::NAME);
        tensor
    }
}

pub fn leaf(values: Vec<f64>) -> Element<f64> {
    Element::new(values)
}

/// Strictly ascending numbers below `n`: none, all, or some.
pub fn ascending(dice: &mut Dice, n: usize, seed: u64) -> Vec<u32> {
    match seed {
        0 => Vec::new(),
        1 => (0..n as u32).collect(),
        _ => (0..n as u32).filter(|_| dice.below(2) == 0).collect(),
    }
}
