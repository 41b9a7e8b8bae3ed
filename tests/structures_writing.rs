//! Block, run, ragged and single-entry levels written by kernels, against the dense oracle: entries that
//! are conditional, rows that stay empty, levels under and over others, fills other than zero.

#[macro_use]
mod oracle;
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
    fn member_segments(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<PackBits<Pattern>>) { for i { y[i] = a[i] > b[i] } }
}

#[test]
fn sets() {
    pairs(|n, ka, kb| {
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(members(&a, &b));
        agree!(member_runs(&a, &b));
        agree!(member_segments(&a, &b));
    });
}
