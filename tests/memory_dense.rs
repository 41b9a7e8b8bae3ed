//! Dense results in the memory of a tensor that is passed: filled first, but where loops overwrite every
//! element before any is read.

// Each kernel has the parameters of all, and reads some.
#![allow(deprecated)]

use looplets::prelude::*;

/// Kernels of a square matrix `s`, a vector `x` and its entries `v`, with new memory and with old;
/// `kept` says that old elements stay to be overwritten.
macro_rules! results {
    ($($(#[$doc:meta])* $name:ident -> $T:ty, kept $kept:literal: $size:tt { $($body:tt)* })*) => {$(
        mod $name {
            use super::*;
            finch! {
                $(#[$doc])*
                pub fn new(s: &Csr<f64>, x: &DenseVec<f64>, v: &SparseVec<f64>, n: usize, m: usize) -> (y: $T $size) { $($body)* }
                pub fn again(s: &Csr<f64>, x: &DenseVec<f64>, v: &SparseVec<f64>, n: usize, m: usize, y: $T) -> (y: $T $size) { $($body)* }
            }
            pub const TEXT: &str = explain! {
                pub fn again(s: &Csr<f64>, x: &DenseVec<f64>, v: &SparseVec<f64>, n: usize, m: usize, y: $T) -> (y: $T $size) { $($body)* }
            };
        }
    )*
    #[test]
    fn old_elements_are_gone() {
        // Even short loops are many chunks.
        looplets::rt::parallel::worth(16);
        for n in [0, 1, 2, 5, 30, 101] {
            for m in [3, 0] {
                let (s, x, v) = inputs(n);
                $(for old in [0, 1, 2, 3, 7, 40] {
                    let new = $name::new(&s, &x, &v, n, m);
                    let y: $T = Old::old(old);
                    let again = $name::again(&s, &x, &v, n, m, y);
                    assert_eq!(again, new, "{}, {n} x {m} where {old} were", stringify!($name));
                    let twice = $name::again(&s, &x, &v, n, m, again);
                    assert_eq!(twice, new, "{}, {n} x {m} again", stringify!($name));
                })*
            }
        }
    }
    #[test]
    fn what_is_overwritten_is_not_filled() {
        $(for sign in ["passed, as they are", "looplets::rt::elements("] {
            assert_eq!($name::TEXT.contains(sign), $kept, "{}: {sign}", stringify!($name));
        })*
    }
    };
}

/// Goes on with the next element, which no program can say.
macro_rules! leave_out {
    () => {
        if std::hint::black_box(true) {
            continue;
        } else {
            1.0
        }
    };
}

/// Memory with `NaN` in it.
trait Old {
    fn old(n: usize) -> Self;
}
impl Old for DenseVec<f64> {
    fn old(n: usize) -> Self {
        Tensor::from_dense([n * n], &vec![f64::NAN; n * n]).unwrap()
    }
}
impl Old for DenseMat<f64> {
    fn old(n: usize) -> Self {
        Tensor::from_dense([n, n], &vec![f64::NAN; n * n]).unwrap()
    }
}
impl Old for Cube {
    fn old(n: usize) -> Self {
        Tensor::from_dense([n, n, 2], &vec![f64::NAN; n * n * 2]).unwrap()
    }
}
impl Old for Lower {
    fn old(n: usize) -> Self {
        Tensor::from_dense([n, n], &vec![f64::NAN; n * n]).unwrap()
    }
}

level! { type Cube = Tensor<Dense<Dense<Dense<Element<f64>>>>>; }
level! { type Lower = Tensor<Dense<Symmetric<Element<f64>>>>; }

fn inputs(n: usize) -> (Csr<f64>, DenseVec<f64>, SparseVec<f64>) {
    let values = |len: usize, step: usize| -> Vec<f64> {
        (0..len).map(|k| if k % step == 1 { (k % 13 + 1) as f64 } else { 0.0 }).collect()
    };
    (
        Tensor::from_dense([n, n], &values(n * n, 5)).unwrap(),
        Tensor::from_dense([n], &values(n, 2)).unwrap(),
        Tensor::from_dense([n], &values(n, 3)).unwrap(),
    )
}

results! {
    /// Rows without an entry are written as well.
    product -> DenseVec<f64>, kept true: [n] { for i, j { y[i] += s[i, j] * x[j] } }
    scaled -> DenseVec<f64>, kept true: [n] { for i { y[i] = 2 * x[i] + 1 } }
    outer -> DenseMat<f64>, kept true: [n, n] { for i, j { y[i, j] = x[i] * x[j] + 1 } }
    by_columns -> DenseMat<f64>, kept true: [n, n] { for j, i { y[i, j] = x[i] - x[j] + 1 } }
    transposed -> DenseMat<f64>, kept true: [n, n] { for i, j { y[j, i] = x[i] - x[j] + 1 } }
    narrow -> DenseMat<f64>, kept true: [n, 3] { for i, j { y[i, j] = x[i] + j } }
    square -> DenseMat<f64>, kept true: [3, 3] { for i, j { y[i, j] = i + j + 1 } }
    cube -> Cube, kept true: [n, n, 2] { for i, j, k { y[i, j, k] = x[i] - x[j] + k } }
    cube_turned -> Cube, kept true: [n, n, 2] { for k, j, i { y[i, j, k] = x[i] - x[j] + k } }
    gathered -> DenseMat<f64>, kept true: [n, 4] {
        for i {
            let mut w: DenseVec<f64>[4];
            for k { for j in 0..4 { w[j] += s[i, k] * (x[k] + j) } }
            for j in 0..4 { y[i, j] = w[j] }
        }
    }
    chunks -> DenseVec<f64>, kept true: [n] { parallel for i { for j { y[i] += s[i, j] * x[j] } } }
    counts_in_chunks -> DenseVec<f64>, kept true: [n] { parallel for i { for j { if s[i, j] > 2 { y[i] += 1 } } } }
    chunks_of_rows -> DenseMat<f64>, kept true: [n, 4] {
        parallel for i {
            let mut w: DenseVec<f64>[4];
            for k { for j in 0..4 { w[j] += s[i, k] * (x[k] + j) } }
            for j in 0..4 { y[i, j] = w[j] }
        }
    }
    written_then_reduced -> DenseVec<f64>, kept true: [n] {
        for i { y[i] = x[i] + 1 }
        for i, j { y[j] += s[i, j] }
    }
    either -> DenseVec<f64>, kept true: [n] { for i { if x[i] > 2 { y[i] = x[i] } else { y[i] = 1 } } }
    either_row -> DenseMat<f64>, kept true: [n, 4] {
        for i { if x[i] > 2 { for j { y[i, j] = x[i] } } else { for j { y[i, j] = 1 } } }
    }
    // What is not written by every run of the loops, or read before.
    either_part -> DenseMat<f64>, kept false: [n, 4] {
        for i { if x[i] > 2 { for j { y[i, j] = x[i] } } else { for j in 0..3 { y[i, j] = 1 } } }
    }
    rest -> DenseVec<f64>, kept false: [n] { for i in 1..n { y[i] = x[i] + 1 } }
    part_of_rows -> DenseMat<f64>, kept false: [n, 4] { for i { for j in 0..3 { y[i, j] = x[i] + 1 } } }
    lower -> DenseMat<f64>, kept false: [n, n] { for i in 0..n { for j in 0..i { y[i, j] = x[i] + 1 } } }
    longer -> DenseVec<f64>, kept false: [n + 2] { for i in 0..n { y[i + 2] = x[i] + 1 } }
    diagonal -> DenseMat<f64>, kept false: [n, n] { for i { y[i, i] = x[i] + 1 } }
    entries -> DenseVec<f64>, kept false: [n] { for i { y[i] = v[i] } }
    chosen -> DenseVec<f64>, kept false: [n] { for i { if x[i] > 2 { y[i] = 1 } } }
    scattered -> DenseVec<f64>, kept false: [n] { for i, j { y[j] += s[i, j] * x[i] } }
    perhaps_never -> DenseMat<f64>, kept false: [n, n] { for k in 0..m { for i, j { y[i, j] = x[i] + x[j] + k } } }
    every_other -> DenseVec<f64>, kept false: [2 * n] { for i in 0..n { y[2 * i] = x[i] + 1 } }
    some_in_chunks -> DenseVec<f64>, kept false: [n] { parallel for i { if x[i] > 2 { y[i] += 1 } } }
    halves -> Lower, kept false: [n, n] { for i in 0..n { for j in 0..i + 1 { y[i, j] = x[i] + x[j] + 1 } } }
    leaving_out -> DenseVec<f64>, kept false: [n] { for i { y[i] = x[i] + $(leave_out!()) } }
    reduced_beside -> DenseVec<f64>, kept false: [n] { for i { y[i] = x[i] + 1; for j { y[j] += s[i, j] } } }
}
