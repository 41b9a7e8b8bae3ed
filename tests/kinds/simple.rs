//! Formats whose looplets have no state: run, spike, pipeline, switch, shift, lookup.

use super::{ascending, leaf, Dice, Kind};
use looplets::{level, Element};

level! {
    /// Every element of a fiber is the same: a run.
    pub struct Uniform<Child> { len: usize, child: Child }
    unsafe invariant(fibers) { Ok(fibers) }
    read walk(p) { run(child[p]) }
}

level! {
    /// Only the last element of a fiber is stored: a spike.
    pub struct LastOnly<Child> { len: usize, child: Child }
    unsafe invariant(fibers) { Ok(fibers) }
    read walk(p) { spike(fill, child[p]) }
}

level! {
    /// A fiber is cut in three: its first value, fill, and elements of their own: a pipeline.
    pub struct Cut<Child> { len: usize, first: Vec<u32>, second: Vec<u32>, child: Child }
    // Not vouched for: kernels check each index.
    invariant(fibers) {
        if first.len() != fibers || second.len() != fibers {
            return Err(format!("{fibers} fibers have {} and {} cuts", first.len(), second.len()));
        }
        for p in 0..fibers {
            if first[p] > second[p] || second[p] as usize > len {
                return Err(format!("fiber {p} is cut at {} and {}", first[p], second[p]));
            }
        }
        Ok(fibers * (len + 1))
    }
    read walk(p) {
        let base = p * (len + 1);
        let a = first[p];
        let b = second[p];
        pipeline {
            ..a => run(child[base]),
            ..b => run(fill),
            .. => lookup(|i| child[base + 1 + i]),
        }
    }
}

level! {
    /// A fiber has elements or, as its mark says, one value: a switch.
    pub struct Marked<Child> { len: usize, mark: Vec<u32>, child: Child }
    unsafe invariant(fibers) {
        if mark.len() != fibers {
            return Err(format!("{} marks for {fibers} fibers", mark.len()));
        }
        Ok(fibers * (len + 1))
    }
    read walk(p) {
        let base = p * (len + 1);
        let m = mark[p];
        switch {
            m == 0 => run(fill),
            m == 1 => run(child[base]),
            _ => lookup(|i| child[base + 1 + i]),
        }
    }
}

level! {
    /// A list whose coordinates count from a number of the fiber's own: a shift of a stepper.
    pub struct Based<Child> { len: usize, base: Vec<u32>, pos: Vec<usize>, crd: Vec<u32>, child: Child }
    unsafe invariant(fibers) {
        if pos.len() != fibers + 1 || base.len() != fibers || pos[0] != 0 || pos[fibers] != crd.len() {
            return Err(String::from("`pos` or `base` does not fit"));
        }
        for p in 0..fibers {
            let fiber = crd.get(pos[p]..pos[p + 1]).ok_or("`pos` descends")?;
            let inside = fiber.iter().all(|c| *c >= base[p] && ((*c - base[p]) as usize) < len);
            if !inside || fiber.windows(2).any(|w| w[0] >= w[1]) {
                return Err(format!("the coordinates of fiber {p}"));
            }
        }
        Ok(crd.len())
    }
    read walk(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let from = base[p];
        let last = if start < end { crd[end - 1] + 1 } else { from };
        shift(0 - from, pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): looplets::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        })
    }
}

level! {
    /// Elements in descending order of their coordinates: a lookup.
    pub struct Mirrored<Child> { len: usize, child: Child }
    unsafe invariant(fibers) { Ok(fibers * len) }
    read walk(p) { lookup(|i| child[p * len + (len - 1 - i)]) }
}

impl Kind for Uniform<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let values: Vec<f64> = seeds.iter().map(|s| *s as f64 - 1.0).collect();
        let dense = values.iter().flat_map(|v| vec![*v; n]).collect();
        (Uniform::new(n, leaf(values)), dense)
    }
}

impl Kind for LastOnly<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let values: Vec<f64> = seeds.iter().map(|s| *s as f64 - 1.0).collect();
        let dense = values
            .iter()
            .flat_map(|v| (0..n).map(move |i| if i + 1 == n { *v } else { 0.0 }))
            .collect();
        (LastOnly::new(n, leaf(values)), dense)
    }
}

impl Kind for Cut<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut first, mut second, mut values, mut dense) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &seed in seeds {
            let mut dice = Dice::new(seed);
            let (a, b) = (dice.below(n + 1), dice.below(n + 1));
            let (a, b) = match seed {
                0 => (0, n),
                1 => (0, 0),
                2 => (n, n),
                _ => (a.min(b), a.max(b)),
            };
            let own = dice.values(n + 1);
            dense.extend((0..n).map(|i| {
                if i < a {
                    own[0]
                } else if i < b {
                    0.0
                } else {
                    own[1 + i]
                }
            }));
            values.extend(own);
            first.push(a as u32);
            second.push(b as u32);
        }
        (Cut::new(n, first, second, leaf(values)), dense)
    }
}

impl Kind for Marked<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut mark, mut values, mut dense) = (Vec::new(), Vec::new(), Vec::new());
        for &seed in seeds {
            let own = Dice::new(seed).values(n + 1);
            mark.push((seed % 3) as u32);
            dense.extend((0..n).map(|i| [0.0, own[0], own[1 + i]][(seed % 3) as usize]));
            values.extend(own);
        }
        (Marked::new(n, mark, leaf(values)), dense)
    }
}

impl Kind for Based<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut base, mut pos, mut crd, mut values) =
            (Vec::new(), vec![0], Vec::new(), Vec::new());
        let mut dense = vec![0.0; n * seeds.len()];
        for (p, &seed) in seeds.iter().enumerate() {
            let mut dice = Dice::new(seed);
            let from = dice.below(6) as u32;
            base.push(from);
            for i in ascending(&mut dice, n, seed) {
                let value = dice.value();
                dense[p * n + i as usize] = value;
                crd.push(i + from);
                values.push(value);
            }
            pos.push(crd.len());
        }
        (Based::new(n, base, pos, crd, leaf(values)), dense)
    }
}

impl Kind for Mirrored<Element<f64>> {
    fn build(n: usize, seeds: &[u64]) -> (Self, Vec<f64>) {
        let (mut values, mut dense) = (Vec::new(), Vec::new());
        for &seed in seeds {
            let own = Dice::new(seed).values(n);
            dense.extend(own.iter().rev());
            values.extend(own);
        }
        (Mirrored::new(n, leaf(values)), dense)
    }
}
