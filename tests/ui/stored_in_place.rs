//! Changes of what is stored that would make entries, or change one entry twice.

use looplets::prelude::*;

finch! {
    fn makes_entries(a: &mut Csr<f64>) { a[i, j] += 1 }
    fn makes_some(a: &mut Csr<f64>, d: &DenseVec<f64>) { for i, j { a[i, j] = a[i, j] + d[i] } }
    fn written_first(a: &mut Csr<f64>, s: &mut f64) { for i, j { a[i, j] *= 2; s += a[i, j] } }
    fn other_loops(a: &mut Csr<f64>, b: &DenseMat<f64>) { for i, j, k { a[i, j] = a[i, j] * b[j, k] } }
    fn two_elements(a: &mut Csr<f64>) { for i, j { a[i, j] = a[i, j + 1] } }
    fn mirrored(a: &mut SymMat<f64>) { a[i, j] *= 2 }
    fn parts_of_runs(a: &mut Tensor<RunList<Element<f64>>>, x: &DenseVec<f64>) { a[i] *= x[i] }
    fn some_of_a_run(a: &mut Tensor<RunList<Element<f64>>>) { for i in 1..3 { a[i] *= 2 } }
    fn in_parallel(a: &mut Csr<f64>) { parallel for i { for j { a[i, j] *= 2 } } }
    fn without_values(a: &mut Graph) { for i, j { a[i, j] = a[i, j] && i < j } }
    fn both(a: &mut Tensor<Hash<Element<f64>>>, x: &SparseVec<f64>) { for i { a[i] *= 2 } for i { a[i] = x[i] } }
}

fn main() {}
