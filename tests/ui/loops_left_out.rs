//! Programs without loops that say too little, or that no order of loops serves.
use looplets::prelude::*;

finch! {
    fn moved(a: &Csr<f64>, b: &Csr<f64>, s: &mut f64) { s += a[i, j + 1] * b[j + 1, i] }
}
/// May answer otherwise when it is asked again, so that its branches cannot stand apart.
fn chance(x: f64) -> bool {
    x > 0.5
}
finch! {
    fn asked_once(m: &Csc<f64>, d: &Csr<f64>, s: &mut f64) { if chance(m[i, j]) { s += 1 } else { s += d[i, j] } }
}
finch! {
    fn one_element(m: &Csc<f64>, d: &Csr<f64>, p: &[u32], c: &mut DenseMat<f64>) { if m[i, j] > 0 { c[p[i], j] = 1 } else { c[p[i], j] += d[i, j] } }
}
finch! {
    fn last(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] = a[i, j] }
}
finch! {
    fn one_of_all(a: &DenseVec<f64>, s: &mut f64) { s = a[i] }
}
finch! {
    fn defined(a: &mut DenseVec<f64>, s: &mut f64) { let x = a[i] * 2; a[i] = 1; s += x }
}
finch! {
    fn in_place(a: &Csr<f64>, c: &mut Csr<f64>) { c[j, i] += a[i, j] }
}
finch! {
    fn within_loops(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i { y[i] += a[i, j] } }
}

fn main() {}
