//! Formats whose looplets have state: a stepper that is no count, a jumper, both with data to the
//! very end of the dimension.

use super::{leaf, Dice, Kind};
use looplets::{level, Element};

level! {
    /// Runs by their lengths, which can only be added up from the left: a stepper whose state is two
    /// numbers and whose seek is a loop.
    pub struct Lengths<Child> { len: usize, pos: Vec<usize>, length: Vec<u32>, child: Child }
    // Not vouched for: kernels check each index.
    invariant(fibers) {
        if pos.len() != fibers + 1 || pos[0] != 0 || pos[fibers] != length.len() {
            return Err(String::from("`pos` does not fit"));
        }
        for p in 0..fibers {
            let fiber = length.get(pos[p]..pos[p + 1]).ok_or("`pos` descends")?;
            if fiber.contains(&0) || fiber.iter().map(|n| *n as usize).sum::<usize>() != len {
                return Err(format!("the lengths of fiber {p}"));
            }
        }
        Ok(length.len())
    }
    read walk(p) {
        let end = pos[p + 1];
        let mut q = pos[p];
        let mut at = 0;
        stepper {
            seek(i): { while q < end && at + length[q] <= i { at += length[q]; q += 1; } },
            stop: at + length[q],
            body: run(child[q]),
            next: { at += length[q]; q += 1; },
        }
    }
}

level! {
    /// A list that always stores the last coordinate, so that its spikes cover the fiber: a jumper.
    pub struct Peaks<Child> { len: usize, pos: Vec<usize>, crd: Vec<u32>, child: Child }
    unsafe invariant(fibers) {
        if pos.len() != fibers + 1 || pos[0] != 0 || pos[fibers] != crd.len() {
            return Err(String::from("`pos` does not fit"));
        }
        for p in 0..fibers {
            let fiber = crd.get(pos[p]..pos[p + 1]).ok_or("`pos` descends")?;
            let covers = fiber.last().map_or(0, |c| *c as usize + 1) == len;
            if !covers || fiber.windows(2).any(|w| w[0] >= w[1]) {
                return Err(format!("the coordinates of fiber {p}"));
            }
        }
        Ok(crd.len())
    }
    read gallop(p) {
        let end = pos[p + 1];
        jumper {
            for q in pos[p]..end,
            seek(i): looplets::search::gallop(crd, q, end, i),
            stop: crd[q] + 1,
            body: spike(fill, child[q]),
        }
    }
}

/// Ends of pieces that cover `n`.
fn ends(dice: &mut Dice, n: usize, seed: u64) -> Vec<u32> {
    let inner = (1..n as u32).filter(|_| match seed {
        0 => false,
        1 => true,
        _ => dice.below(2) == 0,
    });
    inner.chain((n > 0).then_some(n as u32)).collect()
}

impl Kind for Lengths<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut pos, mut length, mut values, mut dense) =
            (vec![0], Vec::new(), Vec::new(), Vec::new());
        for &seed in seeds {
            let mut dice = Dice::new(seed);
            let mut start = 0;
            for end in ends(&mut dice, n, seed) {
                let value = dice.value();
                dense.extend((start..end).map(|_| value));
                length.push(end - start);
                values.push(value);
                start = end;
            }
            pos.push(length.len());
        }
        (Lengths::new(n, pos, length, leaf(values)), dense)
    }
}

impl Kind for Peaks<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut pos, mut crd, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut dense = vec![0.0; n * seeds.len()];
        for (p, &seed) in seeds.iter().enumerate() {
            let mut dice = Dice::new(seed);
            for end in ends(&mut dice, n, seed) {
                let value = dice.value();
                dense[p * n + end as usize - 1] = value;
                crd.push(end - 1);
                values.push(value);
            }
            pos.push(crd.len());
        }
        (Peaks::new(n, pos, crd, leaf(values)), dense)
    }
}
