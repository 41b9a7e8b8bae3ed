//! Differences of unsigned integers: those of sparse operands give what Rust's do.

// Sums of few small numbers.
#![allow(deprecated)]

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

finch! {
    fn less(a: &SparseVec<u8>, b: &SparseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = a[i] - b[i] } }
    fn less_one(a: &SparseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = a[i] - 1 } }
    fn times_less(a: &SparseVec<u8>, b: &SparseVec<u8>) -> (c: DenseVec<u8>) {
        for i { c[i] = a[i] * (b[i] - 1) }
    }
    fn less_and_more(a: &SparseVec<u8>, b: &SparseVec<u8>, d: &DenseVec<u8>) -> (c: DenseVec<u8>) {
        for i { c[i] = a[i] - b[i] + d[i] }
    }
    fn reduced(a: &SparseVec<u8>, b: &SparseVec<u8>, s: &mut u8) { for i { s -= a[i] - b[i] } }
    fn negative(a: &SparseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = 0 - a[i] } }
}

/// What it gives, or nothing if it overflows.
fn tried<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

fn vector(dense: &[u8]) -> SparseVec<u8> {
    Tensor::from_dense([dense.len()], dense).unwrap()
}

#[test]
fn differences_of_unsigned_operands() {
    let vectors = [[5, 0, 3, 0], [2, 0, 3, 0], [2, 4, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]];
    for x in &vectors {
        for y in &vectors {
            let (a, b) = (vector(x), vector(y));
            let d = Tensor::from_dense([4], &[9, 9, 9, 9]).unwrap();
            let each = |f: &dyn Fn(u8, u8) -> u8| {
                tried(|| x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect::<Vec<u8>>())
            };
            assert_eq!(tried(|| less(&a, &b).to_dense()), each(&|x, y| x - y), "{x:?} {y:?}");
            assert_eq!(tried(|| less_one(&a).to_dense()), each(&|x, _| x - 1), "{x:?}");
            // Where `a` is not stored, what it is multiplied with is not looked at.
            let want = each(&|x, y| if x == 0 { 0 } else { x * (y - 1) });
            assert_eq!(tried(|| times_less(&a, &b).to_dense()), want, "{x:?} {y:?}");
            assert_eq!(tried(|| negative(&a).to_dense()), each(&|x, _| 0 - x), "{x:?}");
            // What fits in the end may be there although a part of it would not fit.
            if let Some(want) = each(&|x, y| x - y + 9) {
                assert_eq!(less_and_more(&a, &b, &d).to_dense(), want, "{x:?} {y:?}");
            }
        }
    }
}

#[test]
fn differences_in_a_reduction() {
    let mut s = 40;
    reduced(&vector(&[5, 0, 3]), &vector(&[2, 0, 1]), &mut s);
    assert_eq!(s, 35);
}
