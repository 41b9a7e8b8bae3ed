//! Block, run, ragged and single-entry levels written by kernels, against the dense oracle: entries that
//! are conditional, rows that stay empty, levels under and over others, fills other than zero.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! {
    /// Rows of runs.
    pub type Rle<T> = Tensor<Dense<RunList<Element<T>>>>;
}

/// A vector and matrices of a level, copied and computed.
macro_rules! written {
    ($($name:ident: $L:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn copy(a: &SparseVec<f64>) -> (y: Tensor<$L<Element<f64>>>) { for i { y[i] = a[i] } };;
                fn copy_dense(a: &DenseVec<f64>) -> (y: Tensor<$L<Element<f64>>>) { for i { y[i] = a[i] } };;
                fn add(a: &SparseVec<f64>, b: &Tensor<$L<Element<f64>>>) -> (y: Tensor<$L<Element<f64>>>) { for i { y[i] = a[i] + b[i] } };;
                fn chosen(a: &SparseVec<f64>) -> (y: Tensor<$L<Element<f64>>>) { for i { if a[i] > 1 { y[i] = a[i] } } };;
                fn rows(a: &Csr<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn rows_of_runs(a: &Rle<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for i, j { y[i, j] = 2 * a[i, j] } };;
                fn product(a: &Csr<f64>, b: &Tensor<Dense<$L<Element<f64>>>>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
                fn stored(a: &Csr<f64>) -> (y: Tensor<SparseList<$L<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn some(a: &Csr<f64>) -> (y: Tensor<SparseList<$L<Element<f64>>>>) { for i, j { if a[i, j] > 2 { y[i, j] = a[i, j] } } };;
                fn above(a: &Csr<f64>) -> (y: Tensor<$L<SparseList<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn some_above(a: &Csr<f64>) -> (y: Tensor<$L<SparseList<Element<f64>>>>) { for i, j { if a[i, j] > 2 { y[i, j] = a[i, j] } } };;
                fn whole(a: &Csr<f64>) -> (y: Tensor<$L<Dense<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn outer(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &SparseVec<f64>) -> (y: Tensor<SparseBand<$L<$L<Element<f64>>>>>) {
                    for i, j, k { if a[i] * b[j] > c[k] { y[i, j, k] = a[i] * b[j] * c[k] } }
                };;
                fn from_one(a: &SparseVec<f64>) -> (y: Tensor<$L<Element<f64, One>>>) { for i { y[i] = a[i] + 1 } };;
                fn sums(a: &Csr<f64>) -> (y: Tensor<$L<Element<f64>>>) { for i, j { y[i] += a[i, j] } };;
                fn constant(n: usize) -> (y: Tensor<$L<Element<f64>>>) { for i in 0..n { y[i] = 4 } };;
                fn part(a: &DenseVec<f64>, lo: usize, hi: usize) -> (y: Tensor<$L<Element<f64>>>[9]) { for i in lo..hi { y[i] = a[i] } }
            }
            #[test]
            fn vectors() {
                pairs(|n, ka, kb| {
                    let (a, b) = (vector(ka, n), vector(kb, n));
                    agree!(copy(&a));
                    agree!(chosen(&a));
                    agree!(add(&a, &b));
                    agree!(from_one(&a));
                    let d = vector(ka, n);
                    agree!(copy_dense(&d));
                    agree!(constant(n));
                    if n > 2 {
                        agree!(part(&d, 2, n));
                        agree!(part(&d, 2, 2));
                    }
                });
            }
            #[test]
            fn matrices() {
                oracle::matrices(|shape, ka, kb| {
                    let (a, b) = (matrix(ka, shape), matrix(kb, shape));
                    agree!(rows(&a));
                    agree!(rows_of_runs(&b));
                    let c = matrix(kb, shape);
                    agree!(product(&a, &c));
                    agree!(stored(&a));
                    agree!(some(&a));
                    agree!(above(&a));
                    agree!(some_above(&a));
                    agree!(whole(&a));
                    agree!(sums(&a));
                });
            }
            #[test]
            fn rank_three() {
                for n in [0, 1, 3] {
                    for kind in 0..KINDS {
                        let (a, b, c) = (vector(kind, n), vector(1, 3), vector((kind + 4) % KINDS, 2));
                        agree!(outer(&a, &b, &c));
                        agree!(outer(&b, &a, &c));
                        agree!(outer(&c, &b, &a));
                    }
                }
            }
        }
    )*};
}

written! {
    blocks: SparseBlockList;
    spans: SparseRunList;
    packed: PackBits;
    short: Ragged;
}

/// Rows opened for entries that are then not written, in a level that gives their positions to the next
/// fiber, over every level that is appended to.
macro_rules! begun {
    ($($name:ident: $A:ident over $B:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn large(a: &Tensor<Dense<SparseList<SparseList<Element<f64>>>>>, b: &SparseVec<f64>)
                    -> (y: Tensor<Dense<$A<$B<Element<f64>>>>>)
                {
                    for i, j, k { if a[i, j, k] > b[j] { y[i, j, k] = a[i, j, k] } }
                }
            }
            #[test]
            fn agree() {
                for shape in [[1, 3, 2], [3, 5, 2], [4, 4, 3]] {
                    for kind in 0..KINDS {
                        let a = tensor(&shape, &items(kind, shape.iter().product()));
                        for other in 0..KINDS {
                            let b = vector(other, shape[1]);
                            agree!(large(&a, &b));
                        }
                    }
                }
            }
        }
    )*};
}

begun! {
    list_in_band: SparseBand over SparseList;
    band_in_short: Ragged over SparseBand;
    list_in_short: Ragged over SparseList;
    runs_in_short: Ragged over RunList;
    runs_in_band: SparseBand over RunList;
    short_in_short: Ragged over Ragged;
    short_in_band: SparseBand over Ragged;
    blocks_in_short: Ragged over SparseBlockList;
    spans_in_short: Ragged over SparseRunList;
    packed_in_short: Ragged over PackBits;
    dense_in_short: Ragged over Dense;
}

kernels! {
    fn members(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<SparseBlockList<Pattern>>) { for i { y[i] = a[i] > b[i] } };;
    fn member_runs(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<SparseRunList<Pattern>>) { for i { y[i] = a[i] > b[i] } };;
    fn member_segments(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<PackBits<Pattern>>) { for i { y[i] = a[i] > b[i] } };;
    fn member_rows(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<Ragged<SparseRunList<Pattern>>>) { for i, j { y[i, j] = a[i] > b[j] } }
}

#[test]
fn sets() {
    pairs(|n, ka, kb| {
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(members(&a, &b));
        agree!(member_runs(&a, &b));
        agree!(member_segments(&a, &b));
        agree!(member_rows(&a, &b));
    });
}

kernels! {
    fn one(a: &SparseVec<f64>, x: f64) -> (y: Tensor<SparsePoint<Element<f64>>>) { for i { if a[i] == x { y[i] = a[i] } } };;
    fn largest(a: &Csr<f64>) -> (y: Tensor<Dense<SparsePoint<Element<f64>>>>) {
        for i { { for j { if a[i, j] == most { y[i, j] = most } } } where { for j { most <<max>>= a[i, j] } } }
    };;
    fn equal(a: &SparseVec<f64>, x: f64) -> (y: Tensor<SparseInterval<Element<f64>>>) { for i { if a[i] == x { y[i] = a[i] } } };;
    fn level(n: usize, lo: usize, hi: usize) -> (y: Tensor<SparseInterval<Element<f64, One>>>[n]) { for i in lo..hi { y[i] = 3 } };;
    fn within(n: usize, lo: usize, hi: usize) -> (y: Tensor<SparseInterval<Pattern>>[n]) { for i in lo..hi { y[i] = true } };;
    fn frame(a: &SparseVec<f64>, n: usize) -> (y: Tensor<SparseList<SparseInterval<Element<f64>>>>[n, n]) {
        for i { for j in 1..n { y[i, j] = a[i] } }
    };;
    fn plane(a: &SparseVec<f64>, x: f64) -> (y: Tensor<SparsePoint<SparseBlockList<Element<f64>>>>) {
        for i, j { if a[i] == x { y[i, j] = a[j] } }
    }
}

#[test]
fn one_entry_or_run() {
    for n in SIZES {
        let rising: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let a = Tensor::from_dense([n], &rising).unwrap();
        let mut plateau = vec![0.0; n];
        plateau[n / 3..n.div_ceil(2)].fill(5.0);
        let b = Tensor::from_dense([n], &plateau).unwrap();
        for x in [-1.0, 1.0, 5.0, 6.0] {
            agree!(one(&a, x));
            agree!(plane(&a, x));
            agree!(equal(&b, x));
        }
        for (lo, hi) in [(0, n), (n / 2, n / 2), (n / 3, n / 2), (n / 2, n)] {
            agree!(level(n, lo, hi));
            agree!(within(n, lo, hi));
        }
        if n > 0 {
            agree!(frame(&b, n));
        }
    }
    for shape in SHAPES {
        let rising: Vec<f64> = (0..shape[0] * shape[1]).map(|k| (k + 1) as f64).collect();
        let a = Tensor::from_dense(shape, &rising).unwrap();
        agree!(largest(&a));
    }
}

finch! {
    fn points(a: &Csr<f64>) -> Result<(y: Tensor<Dense<SparsePoint<Element<f64>>>>), Error> { for i, j { y[i, j] = a[i, j] } }
    fn intervals(a: &Csr<f64>) -> Result<(y: Tensor<Dense<SparseInterval<Element<f64>>>>), Error> { for i, j { y[i, j] = a[i, j] } }
    fn first_of(a: &SparseVec<f64>) -> Result<(y: Tensor<Ragged<Pattern>>), Error> { for i { y[i] ||= a[i] > 0 } }
    fn band_of(a: &SparseVec<f64>) -> Result<(y: Tensor<SparseBand<Pattern>>), Error> { for i { y[i] ||= a[i] > 0 } }
    fn must(a: &SparseVec<f64>) -> (y: Tensor<SparsePoint<Element<f64>>>) { for i { y[i] = a[i] } }
}

/// What does not fit is an error of kernels that have one, and otherwise a panic; not another tensor.
#[test]
fn refusals() {
    let reason = |error| match error {
        Error::Unstorable { reason, .. } => reason,
        other => panic!("{other}"),
    };
    let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 7.0, 0.0, 5.0, 5.0, 0.0]).unwrap();
    let second = "fiber 1 has an entry at 0 and another at 1, but there is room for one only";
    assert_eq!(points(&a).map_err(reason), Err(second.to_owned()));
    assert_eq!(intervals(&a).unwrap().to_dense(), a.to_dense());
    let b: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 7.0, 0.0, 5.0, 4.0, 0.0]).unwrap();
    assert_eq!(intervals(&b).map_err(reason), Err(second.to_owned()));
    let c: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 7.0, 0.0, 5.0, 0.0, 5.0]).unwrap();
    assert!(reason(intervals(&c).unwrap_err()).contains("at 0 and another at 2"));
    let (first, gap): (SparseVec<f64>, SparseVec<f64>) = (
        Tensor::from_dense([4], &[1.0, 2.0, 0.0, 0.0]).unwrap(),
        Tensor::from_dense([4], &[0.0, 2.0, 0.0, 3.0]).unwrap(),
    );
    assert_eq!(first_of(&first).unwrap().to_dense(), [true, true, false, false]);
    assert!(reason(first_of(&gap).unwrap_err()).contains("an entry at 1 and none at 0"));
    assert_eq!(band_of(&first).unwrap().to_dense(), [true, true, false, false]);
    assert!(reason(band_of(&gap).unwrap_err()).contains("an entry at 3 and none at 2"));
    let panic = std::panic::catch_unwind(|| must(&first)).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("room for one only"));
}

finch! {
    #![steps(n)]
    fn spans_of(a: &Tensor<RunList<Element<f64>>>, n: &mut u64) -> (y: Tensor<SparseRunList<Element<f64>>>) { for i { if a[i] != 0 { y[i] = 2 * a[i] } } }
    fn packed_of(a: &Tensor<RunList<Element<f64>>>, n: &mut u64) -> (y: Tensor<PackBits<Element<f64>>>) { for i { y[i] = 2 * a[i] } }
    fn packed_list(a: &SparseVec<f64>, n: &mut u64) -> (y: Tensor<PackBits<Element<f64>>>) { for i { y[i] = a[i] } }
    fn spans_list(a: &SparseVec<f64>, n: &mut u64) -> (y: Tensor<SparseRunList<Element<f64>>>) { for i { y[i] = a[i] } }
}

/// Runs come out of kernels as they do out of sorted entries.
#[test]
fn runs_are_written_whole() {
    let x: Vec<f64> = (0..10_000).map(|i| (i / 1_000 % 3) as f64).collect();
    let a: Tensor<RunList<Element<f64>>> = Tensor::from_dense([10_000], &x).unwrap();
    let twice: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
    let mut n = 0;
    let spans = spans_of(&a, &mut n);
    assert_eq!((n, spans), (10, Tensor::from_dense([10_000], &twice).unwrap()));
    n = 0;
    let packed = packed_of(&a, &mut n);
    assert_eq!((n, packed.stored(), packed.to_dense()), (10, 10, twice));
    let y: Vec<f64> =
        vec![0.0, 5.0, 5.0, 5.0, 0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 0.0, 0.0, 6.0, 7.0, 7.0];
    let list: SparseVec<f64> = Tensor::from_dense([y.len()], &y).unwrap();
    assert_eq!(packed_list(&list, &mut n), Tensor::from_dense([y.len()], &y).unwrap());
    assert_eq!(spans_list(&list, &mut n), Tensor::from_dense([y.len()], &y).unwrap());
}
