#[macro_use]
mod oracle;
use looplets::prelude::*;
use oracle::*;
level! { type TT = Tensor<Bst<Bst<Element<f64>>>>; }
kernels! {
    fn two(a: &Csr<f64>, b: &DenseVec<f64>) -> (y: TT) { for i { for j { if j > i - 1 || a[i, j] > 0.5 { y[i, j] += b[j] } } } };;
    fn branches(a: &Csr<f64>, b: &DenseVec<f64>) -> (y: TT) { for i { for j { if j > i - 1 || a[i, j] > 0.5 { let t = b[j] + 1; if t != 1.5 { y[i, j] += t } else { y[i, j] += t * 2 } } } } };;
    fn scalars(a: &Csr<f64>, b: &DenseVec<f64>, d: &DenseMat<f64>) -> (y: TT) { for i { for j { if j > i - 1 || d[i, j] > 0.5 { let mut t: f64; t = 3; t += b[j]; if t != 1.5 { y[i, j] += t } else { y[i, j] += t * 2 } } } } }
}
#[test]
fn agree() {
    for n in [0, 1, 4, 6, 9] {
        for kind in 0..KINDS {
            let a: Csr<f64> = matrix(kind, [n, n]);
            let d: DenseMat<f64> = matrix(kind, [n, n]);
            let b: DenseVec<f64> = vector(kind, n);
            agree!(two(&a, &b));
            agree!(branches(&a, &b));
            agree!(scalars(&a, &b, &d));
        }
    }
}
