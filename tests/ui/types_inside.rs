//! A type that does not fit inside a kernel is reported at the user's operator.
use looplets::prelude::*;

finch! {
    fn whole(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut i64) {
        for i { c += a[i] }
    }
    fn fine(a: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i] }
    }
}

fn main() {}
