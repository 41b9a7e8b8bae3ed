//! Elements of outputs that loops reduce into: where they are held in locals, and what these start at.

use looplets::prelude::*;

level! { type Banded = Tensor<Dense<SparseBand<Element<f64>>>>; }
level! { type Runs = Tensor<Dense<RunList<Element<f64>>>>; }
level! { type Least = Tensor<Dense<Element<f64, Inf>>>; }
level! { type Most = Tensor<Dense<Dense<Element<f64, NegInf>>>>; }

finch! {
    fn rows(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] } }
    fn rows_of_bands(a: &Banded) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] } }
    fn rows_of_runs(a: &Runs) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] } }
    fn stored_rows(a: &Dcsr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] } }
    /// Each element once for every column.
    fn by_columns(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for j, i, k { y[i] += a[i, j] * a[i, k] } }
    /// Each element once for every `k`, within which there is a loop again.
    fn several_times(a: &Csr<f64>) -> (y: DenseVec<f64>) { for k in 0..3 { for i, j { y[i] += a[i, j] + 0 * k } } }
    /// Twice, by two statements.
    fn twice(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i { { for j { y[i] += a[i, j] } } ; { for k { y[i] += a[i, k] } } } }
    // What is not stored takes part.
    #[allow(deprecated)]
    fn least(a: &Csr<f64>) -> (y: Least) { for i, j { y[i] <<min>>= a[i, j] } }
    fn most(a: &Csr<f64>) -> (y: Most) { for i, j, k { y[j, i] <<max>>= a[i, k] - a[j, k] } }
    /// Coordinates that several iterations may share.
    fn strided(a: &DenseMat<f64>, s: usize, n: usize) -> (y: DenseVec<f64>[n]) { for i, j { y[s * i] += a[i, j] } }
    fn moved(a: &DenseMat<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        for k in 0..2 { for i, j { y[i + k] += a[i, j] } }
    }
    /// Rows in parallel, and parts of a row.
    fn parallel_rows(a: &Csr<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] } } }
    fn parallel_terms(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i { parallel for j { y[i] += a[i, j] } } }
    fn parallel_least(a: &DenseMat<f64>) -> (y: Least) { for i { parallel for j { y[i] <<min>>= a[i, j] } } }
}

#[test]
fn locals_start_where_the_elements_are() {
    for n in [0usize, 1, 2, 5, 13, 40] {
        let m = n + 1;
        let value = |k: usize| if k % 3 == 1 { 0.0 } else { (k % 7) as f64 - 2.0 };
        let values: Vec<f64> = (0..n * m).map(value).collect();
        macro_rules! of {
            () => {
                &Tensor::from_dense([n, m], &values).unwrap()
            };
        }
        let row = |i: usize| &values[i * m..(i + 1) * m];
        let sums: Vec<f64> = (0..n).map(|i| row(i).iter().sum()).collect();
        macro_rules! agree {
            ($($kernel:ident),* => $want:expr) => {$(
                assert_eq!($kernel(of!()).to_dense(), $want, "{} {n}", stringify!($kernel));
            )*};
        }
        agree!(rows, rows_of_bands, rows_of_runs, stored_rows, parallel_rows, parallel_terms => sums);
        agree!(several_times => sums.iter().map(|s| 3.0 * s).collect::<Vec<_>>());
        agree!(twice => sums.iter().map(|s| 2.0 * s).collect::<Vec<_>>());
        let mut all = vec![0.0; 2 * n + 2];
        for s in [0, 1, 2] {
            all.fill(0.0);
            (0..n).for_each(|i| all[s * i] += sums[i]);
            assert_eq!(strided(of!(), s, 2 * n + 2).to_dense(), all, "{s} {n}");
        }
        all.fill(0.0);
        (0..2).for_each(|k| (0..n).for_each(|i| all[i + k] += sums[i]));
        assert_eq!(moved(of!(), 2 * n + 2).to_dense(), all, "{n}");
        agree!(by_columns => sums.iter().map(|s| s * s).collect::<Vec<_>>());
        let fold = |i: usize| row(i).iter().fold(f64::INFINITY, |a, b| a.min(*b));
        agree!(least, parallel_least => (0..n).map(fold).collect::<Vec<_>>());
        let pair = |j: usize, i: usize| row(i).iter().zip(row(j)).map(|(a, b)| a - b);
        let furthest = |j, i| pair(j, i).fold(f64::NEG_INFINITY, f64::max);
        let all = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n).flat_map(|j| (0..n).map(move |i| (j, i))).map(|(j, i)| f(j, i)).collect()
        };
        agree!(most => all(&furthest));
    }
}

level! { type Stored = Tensor<ByteMap<ByteMap<Element<i64>>>>; }
level! { type Counts = Tensor<Coo<Element<i64>>>; }

finch! {
    /// The element exists where the condition holds, and the loop over `i` is outside of that.
    fn at_a_constant(a: &DenseVec<f64>, b: &DenseMat<f64>) -> (y: DenseVec<f64>) {
        for i { for j { if j == 3 && b[j, i] > 0.5 { y[j] += a[i] } } }
    }
    fn next_to(a: &DenseVec<f64>, b: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        for i { for k { for j in 0..n { if j == i - 1 { y[j] += a[i] * b[k] } } } }
    }
    fn logical(a: &DenseVec<bool>, b: &DenseMat<bool>) -> (y: DenseVec<bool>) {
        for i { for j { if j == 3 && b[j, i] { y[j] ||= a[i] } } }
    }
    /// In the rows 0 and 1 there is one element, of row 1.
    fn first_rows(a: &Counts, n: usize) -> (y: Stored[n, n]) {
        for i in 0..n { for j in 0..i { y[i, j] += coalesce(a[permit[i - 2]], 3) } }
    }
    fn first_rows_in_parallel(a: &Counts, n: usize) -> (y: Stored[n, n]) {
        parallel for i in 0..n { for j in 0..i { y[i, j] += coalesce(a[permit[i - 2]], 3) } }
    }
}

/// What is held in a local need not be an element, where the loop would not have come to it.
#[test]
fn elements_that_conditions_say_exist() {
    for n in 0..7usize {
        let a: Vec<f64> = (0..4).map(|i| i as f64 + 0.5).collect();
        let dense = DenseVec::from_dense([4], &a).unwrap();
        let ones = DenseMat::from_dense([n, 4], &vec![1.0; 4 * n]).unwrap();
        let mut want = vec![0.0; n];
        if let Some(y) = want.get_mut(3) {
            *y = a.iter().sum();
        }
        assert_eq!(at_a_constant(&dense, &ones).to_dense(), want, "{n}");
        let factors = DenseVec::from_dense([2], &[1.0, 2.0]).unwrap();
        let want: Vec<f64> = (0..n).map(|j| a.get(j + 1).map_or(0.0, |a| 3.0 * a)).collect();
        assert_eq!(next_to(&dense, &factors, n).to_dense(), want, "{n}");
        let yes = DenseVec::from_dense([4], &[false, true, false, false]).unwrap();
        let all = Tensor::from_dense([n, 4], &vec![true; 4 * n]).unwrap();
        let want: Vec<bool> = (0..n).map(|j| j == 3).collect();
        assert_eq!(logical(&yes, &all).to_dense(), want, "{n}");
        let few = Tensor::from_dense([2], &[5, 7]).unwrap();
        let value = |i| [3, 3, 5, 7].get(i).copied().unwrap_or(3);
        let cell = |k: usize| if k % n < k / n { value(k / n) } else { 0 };
        let want: Vec<i64> = (0..n * n).map(cell).collect();
        assert_eq!(first_rows(&few, n).to_dense(), want, "{n}");
        assert_eq!(first_rows_in_parallel(&few, n).to_dense(), want, "{n}");
    }
}
