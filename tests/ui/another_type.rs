//! A tensor must have the type that the header says, in both forms.
use looplets::prelude::*;

finch! {
    fn sum(a: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] } }
}

fn main() {
    let a: DenseVec<f64> = Tensor::new([3]).unwrap();
    let mut s = 0.0;
    sum(&a, &mut s);
    finch! { <a: SparseVec<f64>, mut s: f64> for i { s += a[i] } }
}
