//! Index modifiers: each against the definition of the view, element by element, on every input.

use looplets::prelude::*;

finch! {
    fn window(a: &SparseVec<f64>, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = a[window(lo, hi)[k]] }
    }
    fn moved(a: &SparseVec<f64>, d: i64) -> (y: DenseVec<f64>[20]) {
        for k { y[k] = a[offset(d)[k]] }
    }
    fn padded(a: &SparseVec<f64>, d: i64) -> (y: DenseVec<f64>[20]) {
        for k in 0..20 { y[k] = coalesce(a[permit[offset(d)[k]]], 9) }
    }
    fn inner(a: &SparseVec<f64>, lo: usize, hi: usize) -> (y: DenseVec<f64>[20]) {
        for k in 0..20 { y[k] = coalesce(a[window(lo, hi)[permit[k]]], 9) }
    }
    fn concat(a: &SparseVec<f64>, b: &SparseVec<f64>, n: usize, m: usize) -> (c: SparseVec<f64>) {
        for i in 0..$(n + m) { c[i] = coalesce(a[permit[i]], b[permit[offset(n)[i]]]) }
    }
    fn every(a: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = a[2 * k + 1] }
    }
    fn every_band(a: &Tensor<SparseBand<Element<f64>>>) -> (y: DenseVec<f64>) {
        for k { y[k] = a[3 * k] }
    }
    fn every_run(a: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) {
        for k { y[k] = a[3 * (k + 1) - 1] }
    }
    fn every_meet(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = a[2 * k + 1] * b[k] }
    }
    fn every_gallop(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = a[(2 * k + 1)::gallop] * b[k::gallop] }
    }
    fn convolve(a: &SparseVec<f64>, f: &DenseVec<f64>) -> (y: DenseVec<f64>[18]) {
        for i in 0..18 { for j { y[i] += a[i + j] * f[j] } }
    }
    fn convolve_padded(a: &SparseVec<f64>, f: &DenseVec<f64>) -> (y: DenseVec<f64>[20]) {
        for i in 0..20 { for j { y[i] += coalesce(a[permit[i + j - 1]], 0) * f[j] } }
    }
    fn next_map(a: &Tensor<ByteMap<Element<f64>>>, m: usize) -> (y: DenseVec<f64>) {
        for k in 0..m { y[k] = a[k + 1] }
    }
    fn next_bit(a: &Tensor<Bitmap<Element<f64>>>, m: usize) -> (y: DenseVec<f64>) {
        for k in 0..m { y[k] = a[(k + 1)::gallop] }
    }
    fn four(a: &DenseVec<f64>, p: i64, q: i64, r: i64, t: i64, m: usize) -> Result<(y: DenseVec<f64>), Error> {
        for k in 0..m { y[k] = a[k + p + q + r + t] }
    }
    fn small(n: usize) -> Result<(y: Tensor<SparseList<Element<f64>, u8>>), Error> { for i in 0..n { y[i] = 3 } }
    fn row(a: &Csr<f64>, n: usize) -> (y: SparseVec<f64>) {
        for j { y[j] = a[n, j] }
    }
    fn diagonal(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i, i] }
    }
}

fn vectors() -> Vec<Vec<f64>> {
    let mut all = vec![vec![0.0; 20], vec![1.0; 20]];
    for seed in 1..30u64 {
        let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let v = (0..20).map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            if x % 3 == 0 {
                (x % 7) as f64
            } else {
                0.0
            }
        });
        all.push(v.collect());
    }
    all
}

fn sparse(v: &[f64]) -> SparseVec<f64> {
    Tensor::from_dense([v.len()], v).unwrap()
}

#[test]
fn views_are_what_they_say() {
    let all = vectors();
    for v in &all {
        let a = sparse(v);
        for (lo, hi) in [(0, 20), (3, 9), (7, 7), (19, 20)] {
            assert_eq!(window(&a, lo, hi).to_dense(), v[lo..hi]);
            let want: Vec<f64> =
                (0..20).map(|k| if k < hi - lo { v[lo + k] } else { 9.0 }).collect();
            assert_eq!(inner(&a, lo, hi).to_dense(), want);
        }
        assert_eq!(moved(&a, 0).to_dense(), *v);
        for d in [-25i64, -20, -3, 0, 4, 20, 30] {
            let at = |k: i64| usize::try_from(k - d).ok().and_then(|c| v.get(c).copied());
            let want: Vec<f64> = (0..20).map(|k| at(k).unwrap_or(9.0)).collect();
            assert_eq!(padded(&a, d).to_dense(), want, "{d}");
        }
        let want: Vec<f64> = v.iter().skip(1).step_by(2).copied().collect();
        assert_eq!(every(&a).to_dense(), want);
        let band = Tensor::from_dense([20], v).unwrap();
        let want: Vec<f64> = v.iter().step_by(3).copied().collect();
        assert_eq!(every_band(&band).to_dense(), want);
        let runs = Tensor::from_dense([20], v).unwrap();
        let want: Vec<f64> = v.iter().skip(2).step_by(3).copied().collect();
        assert_eq!(every_run(&runs).to_dense(), want);
    }
}

#[test]
fn a_moved_stop_is_that_of_the_child_left() {
    // A stop that the move makes a bare piece of state is held before the state changes.
    for v in vectors() {
        let map = Tensor::from_dense([20], &v).unwrap();
        assert_eq!(next_map(&map, 19).to_dense(), v[1..]);
        let bits = Tensor::from_dense([20], &v).unwrap();
        assert_eq!(next_bit(&bits, 19).to_dense(), v[1..]);
    }
}

#[test]
fn views_meet() {
    let all = vectors();
    for (v, w) in all.iter().zip(&all[1..]) {
        let (a, b) = (sparse(v), sparse(&w[..10]));
        let want: Vec<f64> = (0..10).map(|k| v[2 * k + 1] * w[k]).collect();
        assert_eq!(every_meet(&a, &b).to_dense(), want);
        assert_eq!(every_gallop(&a, &b).to_dense(), want);
        let joined: Vec<f64> = v.iter().chain(&w[..10]).copied().collect();
        assert_eq!(concat(&a, &b, 20, 10).to_dense(), joined);
        let f: DenseVec<f64> = Tensor::from_dense([3], &[1.0, 2.0, 4.0]).unwrap();
        let tap = |i: i64| usize::try_from(i).ok().and_then(|i| v.get(i).copied()).unwrap_or(0.0);
        let sum = |i: i64| tap(i) + 2.0 * tap(i + 1) + 4.0 * tap(i + 2);
        assert_eq!(convolve(&a, &f).to_dense(), (0..18).map(sum).collect::<Vec<_>>());
        assert_eq!(
            convolve_padded(&a, &f).to_dense(),
            (0..20).map(|i| sum(i - 1)).collect::<Vec<_>>()
        );
    }
}

#[test]
fn points_and_diagonals() {
    for v in vectors() {
        let a: Csr<f64> = Tensor::from_dense([4, 5], &v).unwrap();
        for n in 0..4 {
            assert_eq!(row(&a, n).to_dense(), v[5 * n..5 * n + 5]);
        }
        let square: Csr<f64> = Tensor::from_dense([4, 4], &v[..16]).unwrap();
        assert_eq!(diagonal(&square).to_dense(), [v[0], v[5], v[10], v[15]]);
    }
}

#[test]
fn amounts_and_sizes_beyond_the_largest_are_errors() {
    let a: DenseVec<f64> = Tensor::from_dense([3], &[1.0, 2.0, 3.0]).unwrap();
    let b = 1i64 << 61;
    for amounts in [[b, b, b, b - 1], [b, b, b, b], [-b, -b, -b, -b], [i64::MAX; 4], [i64::MIN; 4]]
    {
        let [p, q, r, t] = amounts;
        let outside = four(&a, p, q, r, t, 2).unwrap_err();
        assert!(matches!(outside, Error::Extent { .. }), "{outside}");
    }
    assert_eq!(four(&a, b, -b, 1, 0, 2).unwrap().to_dense(), [2.0, 3.0]);
    assert!(small(256).is_ok());
    let error = small(257).unwrap_err();
    assert!(error.to_string().contains("size 257 does not fit the coordinate type u8"), "{error}");
}
