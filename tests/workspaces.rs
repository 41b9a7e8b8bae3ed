//! Workspaces in loops: their arrays are made once and cleared, whatever their format and whatever the
//! loops do in between.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;

level! { type Lists = Tensor<Dense<SparseList<Element<f64>>>>; }

macro_rules! reused {
    ($($name:ident: $W:ident;)*) => {$(
        mod $name {
            use super::*;
            level! { type W = Tensor<$W<Element<f64>>>; }
            level! { type Marks = Tensor<$W<Element<bool>>>; }
            kernels! {
                fn product(a: &Lists, b: &Lists) -> (c: Lists) {
                    for i { let mut w: W; { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } } }
                };;
                fn tropical(a: &Lists, b: &Lists) -> (c: DenseMat<f64>) {
                    for i { let mut w: Tensor<$W<Element<f64, Inf>>>; { for j { c[i, j] = min(w[j], 100) } } where { for k, j { w[j] <<min>>= a[i, k] + b[k, j] } } }
                };;
                fn some_rows(a: &Lists, b: &Lists) -> (c: Lists) {
                    for i { if i != 1 { let mut w: W; { for j { c[i, j] = w[j] } } where { for j { if a[i, j] > 2 { w[j] = b[i, j] } } } } }
                };;
                fn two(a: &Lists, b: &Lists) -> (c: DenseMat<f64>) {
                    for i { let mut v: W; let mut w: Marks;
                        { for j { c[i, j] = v[j] + w[j] } } where { for j { v[j] += a[i, j]; w[j] ||= b[i, j] != 0 } } }
                };;
                fn nested(a: &Lists, b: &Lists) -> (c: DenseMat<f64>) {
                    for i { let mut v: W;
                        { for j { c[i, j] = v[j] } } where { for k {
                            let mut w: W;
                            { for j { v[j] += w[j] } } where { for j { w[j] = a[i, k] * b[k, j] } } } } }
                };;
                fn at_the_index_around(a: &Lists, b: &Lists, n: usize) -> (c: DenseMat<f64>) {
                    for i { let mut w: W[n];
                        { for j { c[i, j] = w[j] } } where { w[i] += 0.5; for j { w[i] += a[i, j] * b[i, j] } for k { if k == i { w[k] -= b[i, k] } } } }
                };;
                fn at_the_index_in_front(a: &Lists, b: &Lists, n: usize) -> (c: DenseMat<f64>[n, n]) {
                    for i, k { let mut w: W[n]; w[k] = a[i, k]; w[i] += b[i, k]; for j { c[i, j] += w[j] + 0.25 * w[k] } }
                };;
                fn any(a: &Lists, b: &Lists, r: &mut bool) {
                    for i { let mut w: W; { for j { r ||= w[j] > 11 } } where { for j { w[j] += a[i, j] + b[i, j] } } }
                };;
                fn of_a_size(a: &Lists, n: usize) -> (c: DenseVec<f64>) {
                    for i { let mut w: W[n]; { for j { c[i] += w[j] } } where { for j in 0..n { w[j] = a[i, j] } } }
                }
            }
            #[test]
            fn is_the_oracle() {
                for n in [0, 1, 2, 5, 8] {
                    let some = |by: usize, keep: usize| -> Lists {
                        let value = |e: usize| if e * by % 7 < keep { (e * by % 5 + 1) as f64 } else { 0.0 };
                        Tensor::from_dense([n, n], &(0..n * n).map(value).collect::<Vec<_>>()).unwrap()
                    };
                    let (a, b) = (some(3, 3), some(5, 2));
                    agree!(product(&a, &b));
                    agree!(tropical(&a, &b));
                    agree!(some_rows(&a, &b));
                    agree!(two(&a, &b));
                    agree!(nested(&a, &b));
                    let mut r = false;
                    agree!(any(&a, &b, &mut r));
                    agree!(of_a_size(&a, n));
                    agree!(at_the_index_around(&a, &b, n));
                    agree!(at_the_index_in_front(&a, &b, n));
                }
            }
        }
    )*};
}

reused! {
    dense: Dense;
    bytes: ByteMap;
    bits: Bitmap;
    bit_tree: BitTree;
    accumulator: Spa;
    stamps: StampMap;
    unordered: UnorderedList;
    table: Hash;
}

finch! {
    fn rows_of_any_length(starts: &DenseVec<usize>, n: usize, m: usize) -> (c: DenseVec<f64>[n]) {
        for i in 0..n { for k in 0..m { let size = starts[i]; let mut w: DenseVec<f64>[size];
            { for j { c[i] += w[j] } } where { for j in 0..size { w[j] += k } } } }
    }
}

/// A size that changes from one execution to the next.
#[test]
fn sizes_that_change() {
    let starts: DenseVec<usize> = Tensor::from_dense([4], &[3, 0, 5, 2]).unwrap();
    assert_eq!(rows_of_any_length(&starts, 4, 3).to_dense(), [9.0, 0.0, 15.0, 6.0]);
}
