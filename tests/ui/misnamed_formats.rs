//! Names that formats have elsewhere.
use looplets::prelude::*;

finch! {
    fn product(a: &CSC<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}
finch! {
    fn total(a: &looplets::CSR<f64>) -> (s: f64) { s += a[i, j] }
}
finch! {
    use looplets::COO;
    fn nothing(a: &Csr<f64>) -> (s: f64) { s += a[i, j] }
}
finch! {
    fn arrays(a: &Array2<f64>, x: &DVector<f64>) -> (y: Array1<f64>) { y[i] += a[i, j] * x[j] }
}
fn main() {
    let a: Csr<f64> = Tensor::new([2, 2]).unwrap();
    let b = finch! { <a: CsrMatrix<f64>> -> (b: Csr<f64>) for i, j { b[i, j] = a[i, j] } };
    let _ = b;
}
