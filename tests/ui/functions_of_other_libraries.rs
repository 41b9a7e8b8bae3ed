//! Functions of other libraries that are reductions here, where loops are left out, and what an operator of one's own lacks.
use looplets::prelude::*;

operator! {
    fn twice(a: f64) -> f64 { 2.0 * a }
    case twice(0) = 0;
}
finch! { fn place(x: &DenseVec<f64>) -> (k: usize) { k = argmax(x[i]) } }
finch! { fn of_a_row(a: &Csr<f64>) -> (k: DenseVec<usize>) { k[i] = argmin(a[i, j]) } }
finch! { fn no_use(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] = twice(x[i]) } }
fill! { pub fill Half = 0.5; }
fill! { pub fill Less = -0.5; }
rules! { rules mine { add_self: "?x + ?x" => "(* 2 ?x)"; } }
fn main() {}
