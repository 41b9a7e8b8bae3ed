//! Entries that come and go, compared with a map.

use super::Number;
use crate::{Grows, Tensor};
use std::collections::BTreeMap;

/// How a model test chooses what to do.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

/// Does `count` operations to a tensor of `shape` and to a map: insertions and deletions at random, in order, in clusters,
/// of values that are at times the fill; each thousand, all is compared and every invariant checked.
///
/// # Panics
/// If the two differ, or an invariant does not hold.
pub fn changes<L: Grows<Value: Number>>(shape: &[usize], count: usize, seed: u64) {
    let mut dice = Dice(seed | 1);
    let mut tensor = Tensor::<L>::new(shape).expect("a tensor of this shape");
    let mut model: BTreeMap<Vec<usize>, L::Value> = BTreeMap::new();
    let mut at: Vec<usize> = vec![0; shape.len()];
    // Phases grow, shrink, and go on for a while in one manner.
    let (mut grows, mut manner) = (true, 0);
    for step in 0..count {
        if dice.below(200) == 0 {
            (grows, manner) = (dice.below(5) < 3, dice.below(4));
        }
        match manner {
            0 => at = shape.iter().map(|n| dice.below(*n)).collect(),
            // The neighbour of the last, upwards or downwards.
            1 | 2 => {
                for (c, n) in at.iter_mut().zip(shape).rev() {
                    *c = if manner == 1 { (*c + 1) % n } else { (*c + n - 1) % n };
                    if *c != if manner == 1 { 0 } else { n - 1 } {
                        break;
                    }
                }
            }
            _ => {
                if let Some((last, n)) = at.last_mut().zip(shape.last()) {
                    *last = (*last + dice.below(16)) % n;
                }
            }
        }
        let does = dice.below(16);
        if does == 0 {
            assert_eq!(
                tensor.get(&at),
                Some(model.get(&at).cloned().unwrap_or_else(L::fill)),
                "{at:?}"
            );
        } else if (does < 12) == grows {
            let value = match L::storable(&L::fill()) && dice.below(9) == 0 {
                true => L::fill(),
                false => L::Value::of(dice.below(1000) as f64 / 4.0 + 0.25),
            };
            let old = tensor.insert(&at, value.clone()).expect("room for an entry");
            assert_eq!(old, model.insert(at.clone(), value), "step {step}: insertion at {at:?}");
        } else {
            let old = tensor.remove(&at).expect("a deletion");
            assert_eq!(old, model.remove(&at), "step {step}: deletion at {at:?}");
        }
        if step % 1000 == 999 || step + 1 == count {
            same(&tensor, &model, step);
        }
    }
}

/// What a tensor holds, and that its invariants do.
fn same<L: Grows<Value: Number>>(
    tensor: &Tensor<L>,
    model: &BTreeMap<Vec<usize>, L::Value>,
    step: usize,
) {
    if let Err(reason) = tensor.root().check(1) {
        panic!("step {step}: {reason}");
    }
    let held = tensor.triplets();
    let expected: Vec<(Vec<usize>, L::Value)> =
        model.iter().map(|(c, v)| (c.clone(), v.clone())).collect();
    assert!(held == expected, "step {step}: {held:?} are not {expected:?}");
    assert_eq!(tensor.stored(), expected.len(), "step {step}");
}
