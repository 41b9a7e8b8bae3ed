//! Step counts: what the loops of a kernel visit, counted by the kernel itself, for the claims of
//! asymptotic cost.

use looplets::prelude::*;

level! {
    /// A vector with one block.
    pub type Band = Tensor<SparseBand<Element<f64>>>;
}
level! {
    /// A vector of runs.
    pub type Runs = Tensor<RunList<Element<f64>>>;
}

level! {
    /// A vector of bits and values.
    pub type Bits = Tensor<Bitmap<Element<f64>>>;
}
level! {
    /// A vector of flags and values.
    pub type Flags = Tensor<ByteMap<Element<f64>>>;
}

finch! {
    #![steps(n)]
    fn list_bits(a: &SparseVec<f64>, b: &Bits, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn list_flags(a: &SparseVec<f64>, b: &Flags, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn list_band(a: &SparseVec<f64>, b: &Band, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn merge(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn gallop(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::gallop] * b[i::gallop] } }
    fn lead(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::lead] * b[i::follow] } }
    fn located(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i::locate] } }
    fn sum_runs(a: &Runs, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn dot_runs(a: &Runs, b: &Runs, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn max_runs(a: &Runs, c: &mut f64, n: &mut u64) { for i { c <<max>>= a[i] } }
    fn literal_zero(a: &DenseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += 0 * a[i] } }
    fn literal_list(a: &SparseVec<f64>, x: &DenseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * 0.0 * x[i] } }
    fn never(a: &DenseMat<f64>, c: &mut f64, n: &mut u64) { for i, j { if false { c += a[i, j] } } }
    fn total(a: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn dense(a: &DenseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn spmv(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i, j { y[i] += a[i, j] * x[j] } }
    fn hyper(a: &Dcsr<f64>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] } }
    fn diagonal(a: &Csr<f64>, c: &mut f64, n: &mut u64) { for i, j { if i == j { c += a[i, j] } } }
    fn constant(c: &mut f64, n: &mut u64) { for i in 0..1000000 { c += 2 } }
    fn idempotent(x: f64, c: &mut f64, n: &mut u64) { for i in 0..1000000 { c <<max>>= x } }
}

fn list(size: usize, at: impl IntoIterator<Item = usize>) -> SparseVec<f64> {
    Tensor::from_triplets([size], at.into_iter().map(|i| ([i], 1.0)), Refuse).unwrap()
}

fn steps(f: impl FnOnce(&mut f64, &mut u64)) -> (f64, u64) {
    let (mut c, mut n) = (0.0, 0);
    f(&mut c, &mut n);
    (c, n)
}

#[test]
fn list_by_band_visits_what_is_in_the_band() {
    let a = list(100_000, (0..100_000).step_by(10));
    for (start, len) in [(50_000, 100), (0, 50), (99_990, 10), (5, 1), (700, 1000)] {
        let b: Band =
            Tensor::from_triplets([100_000], (start..start + len).map(|i| ([i], 1.0)), Refuse)
                .unwrap();
        let hits = (start..start + len).filter(|i| i % 10 == 0).count() as u64;
        let (c, n) = steps(|c, n| list_band(&a, &b, c, n));
        assert_eq!(c, hits as f64);
        assert!(n <= hits + 2, "{n} steps for {hits} entries in the band");
    }
    let nothing: Band = Tensor::new([100_000]).unwrap();
    assert!(steps(|c, n| list_band(&a, &nothing, c, n)).1 <= 1);
}

#[test]
fn maps_leap_to_what_the_list_has() {
    let a = list(100_000, (0..100).map(|k| k * 997));
    let full = vec![1.0; 100_000];
    let bits: Bits = Tensor::from_dense([100_000], &full).unwrap();
    let flags: Flags = Tensor::from_dense([100_000], &full).unwrap();
    let (c, n) = steps(|c, n| list_bits(&a, &bits, c, n));
    assert!(c == 100.0 && n <= 200, "{n} steps");
    let (c, n) = steps(|c, n| list_flags(&a, &flags, c, n));
    assert!(c == 100.0 && n <= 200, "{n} steps");
}

#[test]
fn galloping_follows_the_shorter_list() {
    let long = list(1_000_000, (0..1_000_000).step_by(7));
    let short = list(1_000_000, (0..100).map(|k| k * 9973));
    let hits = (0..100).filter(|k| k * 9973 % 7 == 0).count() as f64;
    for (a, b) in [(&long, &short), (&short, &long)] {
        let (c, n) = steps(|c, n| gallop(a, b, c, n));
        assert_eq!(c, hits);
        assert!(n <= 2 * 100 + 4, "galloping took {n} steps");
        let (c, n) = steps(|c, n| merge(a, b, c, n));
        assert_eq!(c, hits);
        // The merge passes over all of the longer list up to there, a few entries in a step.
        assert!(n >= 99 * 9973 / 7 / 8, "merging took {n} steps");
    }
    let (c, n) = steps(|c, n| lead(&short, &long, c, n));
    assert!(c == hits && n <= 2 * 100 + 4, "leading took {n} steps");
    let (c, n) = steps(|c, n| located(&short, &long, c, n));
    assert!(c == hits && n == 100, "locating took {n} steps");
    let (even, odd) = (list(1000, (0..1000).step_by(2)), list(1000, (1..1000).step_by(2)));
    assert!(steps(|c, n| gallop(&even, &odd, c, n)).1 <= 2 * 500 + 4);
}

#[test]
fn runs_are_visited_once_each() {
    let values: Vec<f64> = (0..100_000).map(|i| (i / 10_000) as f64).collect();
    let a: Runs = Tensor::from_dense([100_000], &values).unwrap();
    assert_eq!(a.stored(), 10);
    assert_eq!(steps(|c, n| sum_runs(&a, c, n)), (values.iter().sum(), 10));
    assert_eq!(steps(|c, n| max_runs(&a, c, n)), (9.0, 10));
    let shifted: Vec<f64> = (0..100_000).map(|i| ((i + 5_000) / 10_000) as f64).collect();
    let b: Runs = Tensor::from_dense([100_000], &shifted).unwrap();
    let (c, n) = steps(|c, n| dot_runs(&a, &b, c, n));
    assert_eq!(c, values.iter().zip(&shifted).map(|(x, y)| x * y).sum::<f64>());
    assert!(n <= 20, "{n} steps for 10 and 11 runs");
}

#[test]
fn anything_times_zero_visits_nothing() {
    let x: DenseVec<f64> = Tensor::from_dense([1000], &[2.0; 1000]).unwrap();
    let m: DenseMat<f64> = Tensor::from_dense([10, 100], &[2.0; 1000]).unwrap();
    let a = list(1000, 0..500);
    assert_eq!(steps(|c, n| literal_zero(&x, c, n)), (0.0, 0));
    assert_eq!(steps(|c, n| literal_list(&a, &x, c, n)), (0.0, 0));
    assert_eq!(steps(|c, n| never(&m, c, n)), (0.0, 0));
}

#[test]
fn only_what_is_stored_is_visited() {
    assert_eq!(steps(|c, n| total(&list(1_000_000, []), c, n)), (0.0, 0));
    assert_eq!(steps(|c, n| total(&list(1_000_000, [0, 5, 999_999]), c, n)), (3.0, 3));
    let x: DenseVec<f64> = Tensor::from_dense([1000], &[2.0; 1000]).unwrap();
    assert_eq!(steps(|c, n| dense(&x, c, n)), (2000.0, 1000));
    let a: Csr<f64> =
        Tensor::from_triplets([1000, 1000], (0..1000).map(|i| ([i, i * 7 % 1000], 1.0)), Refuse)
            .unwrap();
    let mut y: DenseVec<f64> = Tensor::new([1000]).unwrap();
    let (_, n) = steps(|_, n| spmv(&a, &x, &mut y, n));
    assert_eq!(n, 2000, "a step a row and a step an entry");
    let h: Dcsr<f64> = Tensor::from_triplets(
        [100_000, 100_000],
        [([7, 7], 1.0), ([7, 9], 1.0), ([99_000, 1], 1.0)],
        Refuse,
    )
    .unwrap();
    assert_eq!(steps(|c, n| hyper(&h, c, n)), (3.0, 5));
}

#[test]
fn loops_of_one_value_are_arithmetic() {
    assert_eq!(steps(constant), (2_000_000.0, 0));
    assert_eq!(steps(|c, n| idempotent(4.0, c, n)), (4.0, 0));
}

#[test]
fn a_comparison_of_indices_narrows_the_loop() {
    let entries = (0..100).flat_map(|i| (0..100).map(move |j| ([i, j], 1.0)));
    let a: Csr<f64> = Tensor::from_triplets([100, 100], entries, Refuse).unwrap();
    let (c, n) = steps(|c, n| diagonal(&a, c, n));
    assert_eq!(c, 100.0);
    // A step a row: the one entry of it is sought, and the others are not visited.
    assert_eq!(n, 100);
}
