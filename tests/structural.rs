//! What is not stored goes through all that makes nothing of it, and through reductions that it leaves as they are: loops visit
//! what is stored, and results store no more.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Whole = Tensor<Dense<SparseList<Element<i64>>>>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }

operator! {
    /// The greatest common divisor: nothing is left as it is by 0, and a number by itself.
    fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }
    commutative, associative, idempotent;
}

finch! {
    #![steps(n)]
    fn by_scalar(a: &Csr<f64>, d: f64, n: &mut u64) -> (c: Csr<f64>) { c[i, j] = a[i, j] / d }
    fn by_row(a: &Csr<f64>, d: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] = -a[i, j] / d[i] }
    fn scaled(a: &Csr<f64>, r: &DenseVec<f64>, d: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        y[j] += 0.85 * a[i, j] * r[i] / d[i]
    }
    fn rest(a: &Whole, d: i64, n: &mut u64) -> (c: Whole) { c[i, j] = a[i, j] % d }
    fn quotient(a: &Whole, d: &DenseVec<i64>, n: &mut u64) -> (c: Whole) { c[i, j] = a[i, j] / d[j] }
    fn shifted(a: &Whole, by: i64, n: &mut u64) -> (c: Whole) { c[i, j] = (a[i, j] << by) >> 1 }
    fn largest(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { c[i, j] <<max>>= a[i, k] * b[k, j] }
    fn largest_of_rows(a: &Csr<f64>, n: &mut u64) -> (y: DenseVec<f64>) { y[i] <<max>>= a[i, j] }
    fn nearest(a: &Far, b: &Far, n: &mut u64) -> (c: Far) { c[i, j] <<min>>= a[i, k] + b[k, j] }
    fn reach(a: &Far, d: &DenseVec<f64>, n: &mut u64) -> (e: DenseVec<f64, Inf>) { e[j] <<min>>= d[i] + a[i, j] }
}
finch! {
    #![steps(n)]
    use gcd;
    fn divisors(a: &Tensor<Dense<SparseList<Element<u64>>>>, n: &mut u64) -> (y: DenseVec<u64>) { y[i] <<gcd>>= a[i, j] }
}
finch! {
    #![strict]
    fn strict_by_row(a: &Csr<f64>, d: &DenseVec<f64>) -> (c: DenseMat<f64>) { c[i, j] = a[i, j] / d[i] }
    fn strict_max(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] <<max>>= a[i, j] }
}

const N: usize = 20;

/// About one in seven places, hostile values and explicit zeros among them.
fn entries(seed: usize) -> Vec<([usize; 2], f64)> {
    let of = values(N * N, seed, 9);
    let places = (0..N * N).map(|k| ([k / N, k % N], of[k]));
    places.filter(|([i, j], _)| (i * 31 + j * 17 + seed).is_multiple_of(7)).collect()
}

#[test]
fn what_is_divided_is_what_is_stored() -> Result<(), looplets::Error> {
    for seed in 0..6 {
        let all = entries(seed);
        let a: Csr<f64> = Tensor::from_triplets([N, N], all.clone(), Refuse)?;
        let d = values(N, seed + 50, 3);
        let by: DenseVec<f64> = Tensor::from_dense([N], &d)?;
        let most = 2 * (all.len() + N) as u64;
        let divisors = [0.0, -0.0, f64::NAN, 3.0, f64::INFINITY];
        for divisor in divisors {
            let mut n = 0;
            let c = by_scalar(&a, divisor, &mut n);
            let by_hand: Vec<f64> = all.iter().map(|(_, v)| v / divisor).collect();
            let found: Vec<f64> = c.triplets().into_iter().map(|(_, v)| v).collect();
            same(&found, &by_hand, divisor);
            assert!(n <= most, "{n} steps");
        }
        let mut n = 0;
        let c = by_row(&a, &by, &mut n);
        let by_hand: Vec<f64> = all.iter().map(|([i, _], v)| -v / d[*i]).collect();
        let found: Vec<f64> = c.triplets().into_iter().map(|(_, v)| v).collect();
        same(&found, &by_hand, seed);
        assert!(n <= most, "{n} steps");
        let (mut n, r) = (0, values(N, seed + 70, 4));
        let y = scaled(&a, &Tensor::from_dense([N], &r)?, &by, &mut n);
        let mut by_hand = vec![0.0; N];
        all.iter().for_each(|([i, j], v)| by_hand[*j] += 0.85 * v * r[*i] / d[*i]);
        same(&y.to_dense(), &by_hand, seed);
        assert!(n <= most, "{n} steps");
    }
    Ok(())
}

#[test]
fn in_strict_kernels_nothing_by_nothing_is_nan() -> Result<(), looplets::Error> {
    let a: Csr<f64> = Tensor::from_triplets([2, 2], [([0, 1], 2.0)], Refuse)?;
    let c = strict_by_row(&a, &Tensor::from_dense([2], &[0.0, f64::NAN])?);
    same(&c.to_dense(), &[f64::NAN, f64::INFINITY, f64::NAN, f64::NAN], "by 0");
    let none: Csr<f64> = Tensor::new([2, 0])?;
    assert_eq!(strict_max(&none).to_dense(), [0.0, 0.0]);
    Ok(())
}

#[test]
fn whole_numbers_are_divided_and_shifted_where_they_are_stored() -> Result<(), looplets::Error> {
    let of = [i64::MAX, i64::MIN, 0, -7, 12, 1 << 40];
    let all: Vec<_> =
        (0..30).map(|k| ([k * 7 % N, (k * 13 + k / N) % N], of[k % of.len()])).collect();
    let a: Whole = Tensor::from_triplets([N, N], all.clone(), Refuse)?;
    let most = 2 * (all.len() + N) as u64;
    let mut by = vec![0; N];
    // Where nothing is stored, nothing is divided by 0.
    all.iter().for_each(|([_, j], _)| by[*j] = 3 + *j as i64);
    let found = |c: Whole| c.to_dense();
    let by_hand = |f: &dyn Fn(usize, i64) -> i64| {
        let mut out = vec![0; N * N];
        all.iter().for_each(|([i, j], v)| out[i * N + j] = f(*j, *v));
        out
    };
    let mut n = 0;
    assert_eq!(found(rest(&a, 5, &mut n)), by_hand(&|_, v| v % 5));
    assert!(n <= most, "{n} steps");
    let c = quotient(&a, &Tensor::from_dense([N], &by)?, &mut n);
    assert_eq!(found(c), by_hand(&|j, v| v / by[j]));
    n = 0;
    assert_eq!(found(shifted(&a, 1, &mut n)), by_hand(&|_, v| (v << 1) >> 1));
    assert!(n <= most, "{n} steps");
    Ok(())
}

#[test]
fn what_a_new_result_holds_is_not_reduced_into_it() -> Result<(), looplets::Error> {
    for seed in 0..6 {
        let (p, q) = (entries(seed), entries(seed + 100));
        let a: Csr<f64> = Tensor::from_triplets([N, N], p.clone(), Refuse)?;
        let b: Csr<f64> = Tensor::from_triplets([N, N], q.clone(), Refuse)?;
        let met =
            || p.iter().flat_map(|x| q.iter().filter(|y| x.0[1] == y.0[0]).map(move |y| (x, y)));
        let mut n = 0;
        let c = largest(&a, &b, &mut n);
        let mut by_hand = vec![0.0; N * N];
        for (([i, _], v), ([_, j], w)) in met() {
            by_hand[i * N + j] = f64::max(by_hand[i * N + j], v * w);
        }
        // The sign of a zero is that of either.
        let unsigned = |all: Vec<f64>| all.into_iter().map(|x| x + 0.0).collect::<Vec<_>>();
        same(&unsigned(c.to_dense()), &unsigned(by_hand), seed);
        assert!(n as usize <= 3 * met().count() + 2 * p.len() + 2 * N, "{n} steps");
        n = 0;
        let y = largest_of_rows(&a, &mut n);
        let mut by_hand = vec![0.0_f64; N];
        p.iter().for_each(|([i, _], v)| by_hand[*i] = by_hand[*i].max(*v));
        same(&unsigned(y.to_dense()), &unsigned(by_hand), seed);
        assert!(n as usize <= p.len() + 2 * N, "{n} steps");
    }
    let all: Vec<_> = (0..N).map(|k| ([k / 4, k * 3 % N], (k as u64 + 1) * 6)).collect();
    let a = Tensor::from_triplets([N, N], all.clone(), Refuse)?;
    let mut n = 0;
    let y = divisors(&a, &mut n);
    let mut by_hand = vec![0; N];
    all.iter().for_each(|([i, _], v)| by_hand[*i] = gcd(by_hand[*i], *v));
    assert_eq!(y.to_dense(), by_hand);
    assert!(n as usize <= all.len() + 2 * N, "{n} steps");
    Ok(())
}

#[test]
fn sums_with_what_is_infinitely_far_are_not_looked_at() -> Result<(), looplets::Error> {
    for seed in 0..6 {
        let (p, q) = (entries(seed), entries(seed + 100));
        let a: Far = Tensor::from_triplets([N, N], p.clone(), Refuse)?;
        let b: Far = Tensor::from_triplets([N, N], q.clone(), Refuse)?;
        let met =
            || p.iter().flat_map(|x| q.iter().filter(|y| x.0[1] == y.0[0]).map(move |y| (x, y)));
        let mut n = 0;
        let c = nearest(&a, &b, &mut n);
        let mut by_hand = vec![f64::INFINITY; N * N];
        for (([i, _], v), ([_, j], w)) in met() {
            by_hand[i * N + j] = f64::min(by_hand[i * N + j], v + w);
        }
        let unsigned = |all: Vec<f64>| all.into_iter().map(|x| x + 0.0).collect::<Vec<_>>();
        same(&unsigned(c.to_dense()), &unsigned(by_hand), seed);
        assert!(n as usize <= 3 * met().count() + 2 * p.len() + 2 * N, "{n} steps");
        n = 0;
        let d = values(N, seed + 30, 3);
        let e = reach(&a, &Tensor::from_dense([N], &d)?, &mut n);
        let mut by_hand = vec![f64::INFINITY; N];
        p.iter().for_each(|([i, j], v)| by_hand[*j] = by_hand[*j].min(d[*i] + v));
        same(&unsigned(e.to_dense()), &unsigned(by_hand), seed);
        assert!(n as usize <= p.len() + 2 * N, "{n} steps");
    }
    Ok(())
}
