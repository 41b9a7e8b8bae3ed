//! Operands as they are drawn, with hostile values, and what loops over all elements make of them.

use looplets::prelude::*;

pub const HOSTILE: [f64; 12] = [
    0.25,
    -0.0,
    0.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    -1.5,
    1e300,
    f64::MAX,
    3.75,
    -2.0,
];

/// What is stored where: a value for each element, or none.
pub type Stored<T> = Vec<Option<T>>;

pub fn draw(seed: &mut u64, most: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % most.max(1)
}

/// `n` elements, of which about `tenths` in ten are stored.
pub fn stored<T: Copy>(seed: &mut u64, n: usize, tenths: usize, values: &[T]) -> Stored<T> {
    let mut one = || (draw(seed, 10) < tenths).then(|| values[draw(seed, values.len())]);
    (0..n).map(|_| one()).collect()
}

pub fn tensor<L: looplets::Level>(shape: &[usize], of: &Stored<L::Value>) -> Tensor<L>
where
    L::Value: Copy,
{
    let coords = |mut k: usize| {
        let mut out = vec![0; shape.len()];
        for (at, n) in out.iter_mut().zip(shape).rev() {
            *at = k % n;
            k /= n;
        }
        out
    };
    let all = of.iter().enumerate().filter_map(|(k, v)| v.map(|v| (coords(k), v)));
    Tensor::from_triplets(shape, all.collect::<Vec<_>>(), Refuse).expect("sorted triplets")
}

pub fn same(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(g == w || g.is_nan() && w.is_nan(), "element {k}: {g}, not {w}, of {want:?}");
    }
}

/// Runs `check` with `count` operands of each size and density.
pub fn each<T: Copy>(count: usize, values: &[T], mut check: impl FnMut(usize, &[Stored<T>])) {
    let mut seed = 11;
    for n in [0, 1, 2, 7, 65] {
        for tenths in [0, 1, 5, 9, 10] {
            let all: Vec<Stored<T>> = (0..count)
                .map(|k| stored(&mut seed, n, if k % 5 == 4 { 0 } else { tenths }, values))
                .collect();
            check(n, &all);
            let all: Vec<Stored<T>> =
                (0..count).map(|_| stored(&mut seed, n, tenths, values)).collect();
            check(n, &all);
        }
    }
}

pub fn at(v: &Stored<f64>, i: usize) -> f64 {
    v[i].unwrap_or(0.0)
}

/// A product of which nothing is left if a factor is not stored.
pub fn times(factors: &[Option<f64>]) -> f64 {
    factors
        .iter()
        .copied()
        .collect::<Option<Vec<f64>>>()
        .map_or(0.0, |all| all.into_iter().reduce(|a, b| a * b).unwrap())
}

pub fn dense(n: usize, f: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..n).map(f).collect()
}
