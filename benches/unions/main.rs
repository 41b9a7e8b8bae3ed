//! Sums of many operands: all in one loop beside two at a time, `cargo bench -p looplets-benches --bench unions`.
//!
//! The operands of one loop are walked as one cursor, with code for each of them and none for their combinations.
//! Two at a time is the same kernel for all pairs: one after the other, or pairs of pairs.

use looplets::prelude::*;
use looplets_benches::options;
use looplets_benches::timing::{human, race};
use std::hint::black_box;

level! {
    /// Coordinates in pairs.
    pub type Pairs = Tensor<Coo<Singleton<Element<f64>>>>;
}

finch! {
    fn add_vec(a0: &SparseVec<f64>, a1: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = a0[i] + a1[i] }
    }
    fn sum_vec_8(a0: &SparseVec<f64>, a1: &SparseVec<f64>, a2: &SparseVec<f64>, a3: &SparseVec<f64>, a4: &SparseVec<f64>, a5: &SparseVec<f64>, a6: &SparseVec<f64>, a7: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = a0[i] + a1[i] + a2[i] + a3[i] + a4[i] + a5[i] + a6[i] + a7[i] }
    }
    fn sum_vec_32(a0: &SparseVec<f64>, a1: &SparseVec<f64>, a2: &SparseVec<f64>, a3: &SparseVec<f64>, a4: &SparseVec<f64>, a5: &SparseVec<f64>, a6: &SparseVec<f64>, a7: &SparseVec<f64>, a8: &SparseVec<f64>, a9: &SparseVec<f64>, a10: &SparseVec<f64>, a11: &SparseVec<f64>, a12: &SparseVec<f64>, a13: &SparseVec<f64>, a14: &SparseVec<f64>, a15: &SparseVec<f64>, a16: &SparseVec<f64>, a17: &SparseVec<f64>, a18: &SparseVec<f64>, a19: &SparseVec<f64>, a20: &SparseVec<f64>, a21: &SparseVec<f64>, a22: &SparseVec<f64>, a23: &SparseVec<f64>, a24: &SparseVec<f64>, a25: &SparseVec<f64>, a26: &SparseVec<f64>, a27: &SparseVec<f64>, a28: &SparseVec<f64>, a29: &SparseVec<f64>, a30: &SparseVec<f64>, a31: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = a0[i] + a1[i] + a2[i] + a3[i] + a4[i] + a5[i] + a6[i] + a7[i] + a8[i] + a9[i] + a10[i] + a11[i] + a12[i] + a13[i] + a14[i] + a15[i] + a16[i] + a17[i] + a18[i] + a19[i] + a20[i] + a21[i] + a22[i] + a23[i] + a24[i] + a25[i] + a26[i] + a27[i] + a28[i] + a29[i] + a30[i] + a31[i] }
    }
    fn add_csr(a0: &Csr<f64>, a1: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a0[i, j] + a1[i, j] }
    }
    fn sum_csr_8(a0: &Csr<f64>, a1: &Csr<f64>, a2: &Csr<f64>, a3: &Csr<f64>, a4: &Csr<f64>, a5: &Csr<f64>, a6: &Csr<f64>, a7: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a0[i, j] + a1[i, j] + a2[i, j] + a3[i, j] + a4[i, j] + a5[i, j] + a6[i, j] + a7[i, j] }
    }
    fn add_csf(a0: &Csf<f64>, a1: &Csf<f64>) -> (c: Csf<f64>) {
        for i, j, k { c[i, j, k] = a0[i, j, k] + a1[i, j, k] }
    }
    fn sum_csf_4(a0: &Csf<f64>, a1: &Csf<f64>, a2: &Csf<f64>, a3: &Csf<f64>) -> (c: Csf<f64>) {
        for i, j, k { c[i, j, k] = a0[i, j, k] + a1[i, j, k] + a2[i, j, k] + a3[i, j, k] }
    }
    fn add_coo(a0: &Pairs, a1: &Pairs) -> (c: Pairs) {
        for i, j { c[i, j] = a0[i, j] + a1[i, j] }
    }
    fn sum_coo_3(a0: &Pairs, a1: &Pairs, a2: &Pairs) -> (c: Pairs) {
        for i, j { c[i, j] = a0[i, j] + a1[i, j] + a2[i, j] }
    }
}

/// A number that looks random, below `most`.
fn draw(seed: &mut u64, most: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % most
}

/// Entries of a tensor of `shape`, of which `alike` in ten are those that all others have.
fn entries(shape: &[usize], count: usize, which: u64, alike: usize) -> Vec<(Vec<usize>, f64)> {
    let mut own = 77 + which;
    let mut shared = 5;
    let mut all: Vec<(Vec<usize>, f64)> = (0..count)
        .map(|k| {
            let seed = if k * 10 < count * alike { &mut shared } else { &mut own };
            (shape.iter().map(|n| draw(seed, *n)).collect(), 1.5 + k as f64)
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    all
}

macro_rules! row {
    ($options:expr, $name:literal, $of:ty, $shape:expr, $count:expr, $n:expr, |$v:ident| $once:expr, $add:ident) => {
        for alike in [0, 5, 10] {
            if !$options.wants(&[$name]) {
                continue;
            }
            let shape: &[usize] = &$shape;
            let all: Vec<$of> = (0..$n)
                .map(|k| Tensor::from_triplets(shape, entries(shape, $count, k, alike), Refuse).expect("sorted"))
                .collect();
            let $v = &all;
            let mut once = || drop(black_box($once));
            let mut chain = || {
                let first = $add(&$v[0], &$v[1]);
                drop(black_box($v[2..].iter().fold(first, |sum, next| $add(&sum, next))));
            };
            let mut pairs = || {
                let mut level: Vec<$of> = Vec::new();
                for two in $v.chunks(2) {
                    level.push(if let [a, b] = two { $add(a, b) } else { two[0].clone() });
                }
                while level.len() > 1 {
                    let next = level.chunks(2).map(|two| if let [a, b] = two { $add(a, b) } else { two[0].clone() });
                    level = next.collect();
                }
                drop(black_box(level));
            };
            let row = race($options.budget, &mut [&mut once, &mut chain, &mut pairs]);
            println!(
                "{:<12} {:>2} in ten alike: {:>10}; one after the other {:>10}, {:.2} times as long; in pairs {:>10}, {:.2} times",
                $name,
                alike,
                human(row.seconds[0]),
                human(row.seconds[1]),
                row.ratios[1],
                human(row.seconds[2]),
                row.ratios[2],
            );
        }
    };
}

fn main() {
    let Some(options) = options() else { return };
    row!(
        options,
        "32 vectors",
        SparseVec<f64>,
        [1_000_000],
        10_000,
        32,
        |v| sum_vec_32(
            &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
            &v[12], &v[13], &v[14], &v[15], &v[16], &v[17], &v[18], &v[19], &v[20], &v[21], &v[22],
            &v[23], &v[24], &v[25], &v[26], &v[27], &v[28], &v[29], &v[30], &v[31]
        ),
        add_vec
    );
    row!(
        options,
        "8 vectors",
        SparseVec<f64>,
        [1_000_000],
        10_000,
        8,
        |v| sum_vec_8(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]),
        add_vec
    );
    row!(
        options,
        "8 csr",
        Csr<f64>,
        [1_000, 1_000],
        10_000,
        8,
        |v| sum_csr_8(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]),
        add_csr
    );
    row!(
        options,
        "4 csf",
        Csf<f64>,
        [100, 100, 100],
        10_000,
        4,
        |v| sum_csf_4(&v[0], &v[1], &v[2], &v[3]),
        add_csf
    );
    row!(
        options,
        "3 coo",
        Pairs,
        [1_000, 1_000],
        10_000,
        3,
        |v| sum_coo_3(&v[0], &v[1], &v[2]),
        add_coo
    );
}
