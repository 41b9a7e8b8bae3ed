//! A type that does not fit inside a kernel, and that only rustc knows, is reported at the user's operator.
use looplets::prelude::*;

/// A name that the header does not explain.
type Real = f64;

finch! {
    fn whole(a: &SparseVec<Real>, _b: &SparseVec<f64>, c: &mut i64) {
        for i { c += a[i] }
    }
    fn fine(a: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i] }
    }
}

fn main() {}
