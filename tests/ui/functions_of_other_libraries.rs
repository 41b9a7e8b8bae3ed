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
finch! { fn reduced_by_mean(x: &DenseVec<f64>) -> (m: f64) { m <<mean>>= x[i] } }
finch! { fn reduced_by_place(x: &DenseVec<f64>) -> (k: usize) { k <<argmax>>= x[i] } }
finch! { fn reduced_by_sum(x: &DenseVec<f64>) -> (m: f64) { m <<sum>>= x[i] } }
finch! { fn mean_of_all(x: &DenseVec<f64>) -> (m: f64) { m = mean(x[i]) } }
finch! { fn sum_of_all(x: &DenseVec<f64>) -> (m: f64) { m = sum(x) } }
finch! { fn so_far(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = cumsum(x[i]) } }
finch! { fn size(x: &DenseVec<f64>) -> (m: f64) { m += x[i] / len(x) } }
finch! { fn count(a: &Csr<f64>) -> (d: DenseVec<u32>) { d[i] = nnz(a[i]) } }
finch! { fn method(x: &DenseVec<f64>) -> (s: f64) { s = x.sum() } }
finch! { fn greatest(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] / x.max() } }
finch! { fn conversion(x: &DenseVec<i32>) -> (y: DenseVec<f64>) { y[i] = x[i].astype(f64) } }
finch! { fn pushed(x: &[f64]) -> (y: Vec<f64>) { for i { if x[i] > 0.0 { y.push(x[i]) } } } }
finch! { fn field(p: &DenseVec<Particle>) -> (e: f64) { e += p[i].mass } }
finch! { fn named(a: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] = concatenate(a[i, j], axis = 1) } }
finch! { fn ranged(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) { for i in range(n) { y[i] = x[i] } } }
finch! { fn parent(g: &Graph, x: &SparseVec<bool>) -> (p: DenseVec<usize>) { if g[i, j] && x[i] { p[j] = i } } }
finch! { fn place_alone(a: &DenseMat<f64>) -> (k: DenseVec<u32>) { k[i] <<minby>>= (a[i, j], j) } }
finch! { fn converted(x: &DenseVec<f32>, n: &DenseVec<u32>) -> (y: DenseVec<f32>) { y[i] = x[i] / n[i] as f64 } }
fn main() {}
