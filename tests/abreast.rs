//! Sums that two iterations of a loop take together: whatever the lengths, each has its terms in the order that lanes have,
//! to the last bit, and what iterations store is stored in their order.

mod bitwise;

use bitwise::same;
use looplets::prelude::*;

finch! {
    #![schedule(at_once)]
    fn sampled_at_once(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
}

finch! {
    fn sampled(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    fn sampled_first(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
        for i, j { { c[i, j] = a[i, j] * t } where { for k { t += d[i, k] * e[j, k] } } }
    }
    fn in_parallel(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
        parallel for i { for j, k { c[i, j] += a[i, j] * d[i, k] * e[j, k] } }
    }
    fn places(a: &Coo2<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Coo2<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    fn pairs(d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += d[i, k] * d[j, k] }
    fn pairs_added(d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, j, k { c[i, j] += d[i, k] * d[j, k] } }
    fn pairs_single(d: &DenseMat<f32>) -> (c: DenseMat<f32>) { c[i, j] += d[i, k] * d[j, k] }
    fn both(d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += d[i, k] * e[j, k] }
    fn distances(d: &DenseMat<f64>, r: &DenseVec<f64>) -> (c: DenseMat<f64>) {
        for i, j { { c[i, j] = sqrt(r[i] + r[j] - 2 * t) } where { for k { t += d[i, k] * d[j, k] } } }
    }
    // Rows that are stored one beside the other: the last one stays.
    fn one_beside(d: &DenseMat<f64>, y: &mut DenseVec<f64>) {
        for i, j { { y[i + j] = t } where { for k { t += d[i, k] * d[j, k] } } }
    }
    fn times(d: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += d[i, k] * x[k] }
    // Where iterations store, others read: not together.
    fn onwards(d: &DenseMat<f64>, x: &mut DenseVec<f64>) { for i, k { x[k] += d[i, k] } for i { x[i] += 1.0 } }
    fn whole(d: &DenseMat<i64>, x: &DenseVec<i64>) -> (y: DenseVec<i64>) { y[i] += d[i, k] * x[k] }
}

fn values(count: usize, seed: usize) -> Vec<f64> {
    bitwise::values(count, seed, 67)
}

/// `start` and what lanes make of `n` terms: eight, then four, then one by one.
fn in_lanes(start: f64, n: usize, term: impl Fn(usize) -> f64) -> f64 {
    let (mut lanes, mut at) = ([-0.0; 8], 0);
    while at + 8 <= n {
        (0..8).for_each(|l| lanes[l] += term(at + l));
        at += 8;
    }
    if at + 4 <= n {
        (0..4).for_each(|l| lanes[l] += term(at + l));
        at += 4;
    }
    (0..4).for_each(|l| lanes[l] += lanes[l + 4]);
    let sum = start + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
    (at..n).fold(sum, |sum, k| sum + term(k))
}

/// Sizes around those of lanes.
const TERMS: [usize; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 23, 33];

#[test]
fn entries_of_rows() {
    // Rows of 0, 1, 2, .. entries.
    let (m, q) = (7, 9);
    let stored = |i: usize, j: usize| (j * 5 + i) % q < i;
    let all = values(m * q, 1);
    let a: Vec<f64> = (0..m * q)
        .map(|n| if stored(n / q, n % q) && all[n] != 0.0 { all[n] } else { 0.0 })
        .collect();
    let s: Csr<f64> = Tensor::from_dense([m, q], &a).unwrap();
    let coo: Coo2<f64> = Tensor::from_dense([m, q], &a).unwrap();
    for n in TERMS {
        let (d, e) = (values(m * n, 2), values(q * n, 3));
        let dense = |rows, values: &[f64]| -> DenseMat<f64> {
            Tensor::from_dense([rows, n], values).unwrap()
        };
        let (t, u) = (dense(m, &d), dense(q, &e));
        let by_hand = |each: &dyn Fn(usize, usize, f64) -> f64| -> Vec<f64> {
            let one = |p: usize| if a[p] == 0.0 { 0.0 } else { each(p / q, p % q, a[p]) };
            (0..m * q).map(one).collect()
        };
        let at_once = by_hand(&|i, j, a| in_lanes(0.0, n, |k| a * d[i * n + k] * e[j * n + k]));
        let first = by_hand(&|i, j, a| a * in_lanes(0.0, n, |k| d[i * n + k] * e[j * n + k]));
        let c = sampled(&s, &t, &u);
        // What is added to is 0, and what has no term is not stored.
        let added: Vec<f64> = first.iter().map(|x| x + 0.0).collect();
        same(&c.to_dense(), &added, format!("sampled, {n}"));
        assert_eq!(c.triplets().len(), if n == 0 { 0 } else { s.triplets().len() });
        same(&sampled_first(&s, &t, &u).to_dense(), &first, format!("first, {n}"));
        same(&in_parallel(&s, &t, &u).to_dense(), &at_once, format!("parallel, {n}"));
        same(&places(&coo, &t, &u).to_dense(), &added, format!("coo, {n}"));
        same(&sampled_at_once(&s, &t, &u).to_dense(), &at_once, format!("at once, {n}"));
    }
}

#[test]
fn dense_rows() {
    for m in [0, 1, 2, 3, 4, 5] {
        for n in TERMS {
            let (d, old, x) = (values(m * n, 4), values(m * m, 5), values(n, 6));
            let t: DenseMat<f64> = Tensor::from_dense([m, n], &d).unwrap();
            let pair = |start: &[f64]| -> Vec<f64> {
                let one = |p: usize| in_lanes(start[p], n, |k| d[p / m * n + k] * d[p % m * n + k]);
                (0..m * m).map(one).collect()
            };
            same(&pairs(&t).to_dense(), &pair(&vec![0.0; m * m]), format!("pairs, {m} {n}"));
            let mut c: DenseMat<f64> = Tensor::from_dense([m, m], &old).unwrap();
            pairs_added(&t, &mut c);
            same(&c.to_dense(), &pair(&old), format!("added, {m} {n}"));
            let v: DenseVec<f64> = Tensor::from_dense([n], &x).unwrap();
            let expected: Vec<f64> =
                (0..m).map(|i| in_lanes(0.0, n, |k| d[i * n + k] * x[k])).collect();
            same(&times(&t, &v).to_dense(), &expected, format!("times, {m} {n}"));
            // What f32 holds, it adds without rounding.
            let small: Vec<f32> = (0..m * n).map(|p| (p % 7) as f32 - 3.0).collect();
            let f: DenseMat<f32> = Tensor::from_dense([m, n], &small).unwrap();
            let product =
                |p: usize| (0..n).map(|k| small[p / m * n + k] * small[p % m * n + k]).sum();
            let expected: Vec<f32> = (0..m * m).map(product).collect();
            assert!(pairs_single(&f).to_dense().iter().zip(&expected).all(|(a, b)| a == b));
        }
    }
}

#[test]
fn rows_by_rows() {
    for (m, q) in [(0, 3), (3, 0), (1, 5), (2, 1), (2, 2), (3, 4), (4, 3), (5, 7), (7, 6)] {
        for n in TERMS {
            let (d, e, r) = (values(m * n, 7), values(q * n, 8), values(m, 9));
            let dense = |rows, values: &[f64]| -> DenseMat<f64> {
                Tensor::from_dense([rows, n], values).unwrap()
            };
            let (t, u) = (dense(m, &d), dense(q, &e));
            let pair = |p: usize| in_lanes(0.0, n, |k| d[p / q * n + k] * e[p % q * n + k]);
            let expected: Vec<f64> = (0..m * q).map(pair).collect();
            same(&both(&t, &u).to_dense(), &expected, format!("both, {m} {q} {n}"));
            let x: DenseVec<f64> = Tensor::from_dense([m], &r).unwrap();
            let sum = |i: usize, j: usize| in_lanes(0.0, n, |k| d[i * n + k] * d[j * n + k]);
            let one = |p: usize| (r[p / m] + r[p % m] - 2.0 * sum(p / m, p % m)).sqrt();
            let expected: Vec<f64> = (0..m * m).map(one).collect();
            same(&distances(&t, &x).to_dense(), &expected, format!("distances, {m} {n}"));
            if m > 0 {
                let mut y: DenseVec<f64> = Tensor::new([2 * m - 1]).unwrap();
                one_beside(&t, &mut y);
                let mut expected = vec![0.0; 2 * m - 1];
                for (i, j) in (0..m * m).map(|p| (p / m, p % m)) {
                    expected[i + j] = sum(i, j);
                }
                same(&y.to_dense(), &expected, format!("one beside the other, {m} {n}"));
            }
        }
    }
}

#[test]
fn what_goes_on_is_not_split() {
    let d: Vec<f64> = (0..12).map(f64::from).collect();
    let t: DenseMat<f64> = Tensor::from_dense([3, 4], &d).unwrap();
    let mut x: DenseVec<f64> = Tensor::new([4]).unwrap();
    onwards(&t, &mut x);
    assert_eq!(x.to_dense(), [13.0, 16.0, 19.0, 22.0]);
    let t: DenseMat<i64> =
        Tensor::from_dense([3, 4], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).unwrap();
    let x: DenseVec<i64> = Tensor::from_dense([4], &[1, -1, 2, 0]).unwrap();
    assert_eq!(whole(&t, &x).to_dense(), [5, 13, 21]);
}
