//! A rule that gives an operator of one's own too few or too many arguments is shown where it is brought in.
use looplets::prelude::*;

operator! {
    fn half(a: f64) -> f64 { a / 2.0 }
}
operator! {
    fn gap(a: f64, b: f64) -> f64 { (a - b).abs() }
    commutative, associative;
}
rules! {
    rules many { use half; twice: "(half ?x ?y)" => "?x"; }
}
rules! {
    rules few { use gap; alone: "(sqrt ?x)" => "(gap ?x)"; }
}
rules! {
    rules right { use gap; three: "(gap ?x ?x ?r...)" => "(gap 0 0 ?r...)"; }
}

finch! {
    use many;
    fn roots(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(a[i]) } }
}
finch! {
    use few;
    fn roots_too(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(a[i]) } }
}
finch! {
    use right;
    fn fine(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(a[i]) } }
}

fn main() {}
