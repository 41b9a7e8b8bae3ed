//! All errors of a kernel at once, each at its token.
use looplets::prelude::*;

finch! {
    fn product(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for j, i { y[i] += a[i, j] * b[j] * x[j, i] }
    }
}

finch! {
    fn updated_where_it_goes_on(y: &mut SparseVec<f64>) { for i { y[i] *= 2 } }
}

fn main() {}
