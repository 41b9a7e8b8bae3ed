//! Elements that several runs of an inner loop reduce into, of types that the compiler does not know too: each run goes on where
//! the one before it ended.

// Sums of what is not known start at what `Default` gives.
#![allow(deprecated)]

use looplets::prelude::*;
use std::ops::{Add, Mul};

type Real = f64;

level! { type Blocks<T> = Tensor<Dense<SparseBlockList<Element<T>>>>; }
level! { type Runs<T> = Tensor<Dense<SparseRunList<Element<T>>>>; }
level! { type Chunks<T> = Tensor<Dense<BlockList<Element<T>, u32, 2>>>; }
level! { type Cube<T> = Tensor<Dense<Dense<SparseList<Element<T>>>>>; }

/// The same sums over elements of several types.
macro_rules! sums {
    ($module:ident $(<$($of:ident: $bound:path $(, $more:path)*);+>)?, $T:ty) => {
        mod $module {
            use super::*;
            finch! {
                pub fn blocks$(<$($of: $bound $(+ $more)*),+>)?(a: &Blocks<$T>, x: &DenseVec<$T>) -> (y: DenseVec<$T>) { y[i] += a[i, j] * x[j] }
                pub fn runs$(<$($of: $bound $(+ $more)*),+>)?(a: &Runs<$T>, x: &DenseVec<$T>) -> (y: DenseVec<$T>) { for i, j { y[i] += a[i, j] * x[j] } }
                pub fn chunks$(<$($of: $bound $(+ $more)*),+>)?(a: &Chunks<$T>, x: &DenseVec<$T>) -> (y: Vec<$T>) { for i, j { y[i] += a[i, j] * x[j] } }
                pub fn cube$(<$($of: $bound $(+ $more)*),+>)?(a: &Cube<$T>, x: &DenseVec<$T>) -> (y: DenseVec<$T>) { for i, j, k { y[i] += a[i, j, k] * x[k] } }
                pub fn twice$(<$($of: $bound $(+ $more)*),+>)?(a: &Csr<$T>, x: &DenseVec<$T>) -> (y: DenseVec<$T>) { y[i] += a[i, j] * a[j, k] * x[k] }
            }
        }
    };
}

sums!(known, f64);
sums!(renamed, Real);
sums!(any<T: Value, Default, Add<Output = T>, Mul<Output = T>>, T);

finch! {
    fn while_small(a: &Cube<f64>) -> (y: DenseVec<f64>) { for i { for j { if y[i] < 3 { for k { y[i] += a[i, j, k] } } } } }
}

fn values(n: usize) -> Vec<f64> {
    let all = [0.0, 2.0, 0.5, 0.0, 0.0, -4.0, 1.5, -0.0, 8.0, 0.0, 0.25];
    (0..n).map(|k| all[(k * 7 + k / 5) % all.len()]).collect()
}

#[test]
fn each_run_goes_on() {
    for n in [0, 1, 2, 5, 9, 40] {
        let all = values(n * n);
        let x: Vec<f64> = (0..n).map(|k| [0.5, -2.0, 1.0][k % 3]).collect();
        let want: Vec<f64> = (0..n).map(|i| (0..n).map(|j| all[i * n + j] * x[j]).sum()).collect();
        let d = DenseVec::from_dense([n], &x).unwrap();
        let (blocks, runs, chunks) = (
            Blocks::from_dense([n, n], &all).unwrap(),
            Runs::from_dense([n, n], &all).unwrap(),
            Chunks::from_dense([n, n], &all).unwrap(),
        );
        let whole: Vec<f64> = values(n * n * n);
        let cube = Cube::from_dense([n, n, n], &whole).unwrap();
        let of_cube: Vec<f64> = (0..n)
            .map(|i| (0..n * n).map(|jk| whole[i * n * n + jk] * x[jk % n.max(1)]).sum())
            .collect();
        let rows: Csr<f64> = Tensor::from_dense([n, n], &all).unwrap();
        let of_two: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| all[i * n + j] * want[j]).sum()).collect();
        macro_rules! check {
            ($($module:ident)*) => {$(
                assert_eq!($module::blocks(&blocks, &d).to_dense(), want);
                assert_eq!($module::runs(&runs, &d).to_dense(), want);
                assert_eq!($module::chunks(&chunks, &d), want);
                assert_eq!($module::cube(&cube, &d).to_dense(), of_cube);
                for way in [0, 1, 2] {
                    looplets::rt::prefer(Some(way));
                    assert_eq!($module::twice(&rows, &d).to_dense(), of_two);
                }
                looplets::rt::prefer(None);
            )*};
        }
        check!(known renamed any);
        let mut small = vec![0.0; n];
        for (i, y) in small.iter_mut().enumerate() {
            for j in 0..n {
                if *y < 3.0 {
                    (0..n).for_each(|k| *y += whole[(i * n + j) * n + k]);
                }
            }
        }
        assert_eq!(while_small(&cube).to_dense(), small);
    }
}
