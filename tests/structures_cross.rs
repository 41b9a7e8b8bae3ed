//! Structured levels against one another in one loop: products, sums, and rows of one that are led by
//! the other.

#[macro_use]
extern crate looplets_oracle as oracle;
mod structures;
use looplets::prelude::*;
use oracle::*;

/// A square matrix: what is given on and below the diagonal, if the level holds no more.
fn square<L: Level<Value = f64>>(
    n: usize,
    kind: usize,
    keep: fn(usize, usize) -> bool,
) -> Tensor<Dense<L>> {
    let all: DenseMat<f64> = matrix(kind, [n, n]);
    let kept = all.triplets().into_iter().filter(|(at, v)| *v != 0.0 && keep(at[0], at[1]));
    Tensor::from_triplets([n, n], kept, Refuse).unwrap()
}

macro_rules! pair {
    ($name:ident: $A:ident, $keep_a:expr; $B:ident, $keep_b:expr) => {
        mod $name {
            use super::*;
            kernels! {
                fn meet(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j] * b[i, j] }
                };;
                fn join(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseMat<f64>) {
                    for i, j { y[i, j] = a[i, j] - b[i, j] }
                };;
                fn located(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j] * b[i, j::locate] }
                };;
                fn within(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: Csr<f64>) {
                    for i, j { y[i, j] = ifelse(a[i, j] > 0, b[i, j], 0) }
                };;
                fn product(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseMat<f64>) {
                    for i, k, j { y[i, j] += a[i, k] * b[k, j] }
                }
            }
            #[test]
            fn agree() {
                for n in [0, 1, 5] {
                    for kind in 0..KINDS {
                        for other in [(kind * 3 + 1) % KINDS, 1] {
                            let (a, b) = (square(n, kind, $keep_a), square(n, other, $keep_b));
                            agree!(meet(&a, &b));
                            agree!(join(&a, &b));
                            agree!(located(&a, &b));
                            agree!(within(&a, &b));
                            agree!(product(&a, &b));
                        }
                    }
                }
            }
        }
    };
}

macro_rules! against {
    ($($name:ident: $A:ident, $keep:expr;)*) => {$(
        mod $name {
            use super::*;
            pair!(bytes: $A, $keep; ByteMap, |_, _| true);
            pair!(bits: $A, $keep; Bitmap, |_, _| true);
            pair!(bit_tree: $A, $keep; BitTree, |_, _| true);
            pair!(accumulator: $A, $keep; Spa, |_, _| true);
            pair!(stamps: $A, $keep; StampMap, |_, _| true);
            pair!(unordered: $A, $keep; UnorderedList, |_, _| true);
            pair!(table: $A, $keep; Hash, |_, _| true);
            pair!(lower: $A, $keep; LowerTriangular, |i, j| j <= i);
            pair!(upper: $A, $keep; StrictUpperTriangular, |i, j| i < j);
            pair!(symmetric: $A, $keep; Symmetric, |i, j| j <= i);
            pair!(band: $A, $keep; SparseBand, |_, _| true);
        }
    )*};
}

against! {
    bytes: ByteMap, |_, _| true;
    bits: Bitmap, |_, _| true;
    table: Hash, |_, _| true;
    lower: UpperTriangular, |i, j| i <= j;
    upper: StrictLowerTriangular, |i, j| j < i;
    symmetric: Symmetric, |i, j| j <= i;
}
