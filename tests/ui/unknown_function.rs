//! A function of a kernel is a Rust function in scope.
use looplets::prelude::*;

finch! {
    fn sum(a: &DenseVec<f64>, s: &mut f64) { for i { s += squared(a[i]) } }
}

fn main() {}
