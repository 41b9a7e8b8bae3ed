//! Fills that disagree with the program, and fills that nothing tells.

use looplets::prelude::*;

level! { type Inv = Tensor<SparseList<Element<f64, Inf>>>; }
level! { type Unk = Tensor<SparseList<Element<f64, NaN>>>; }

finch! {
    fn another(a: &SparseVec<f64>) -> (c: SparseVec<f64>) { for i { c[i] = a[i] + 1 } }
    fn infinite(a: &SparseVec<f64>) -> (c: SparseVec<f64>) { for i { c[i] = 1 / a[i] } }
    fn unknown(a: &Unk) -> (c: SparseVec<f64>) { for i { c[i] = sqrt(a[i]) + 1 } }
    fn difference(a: &Inv) -> (c: SparseVec<f64>) { for i { let t = a[i]; c[i] = t - a[i] } }
    fn exponential(a: &SparseVec<f64>) -> (c: Inv) { for i { c[i] = exp(a[i] + 1) } }
    fn opened(a: &SparseVec<f64>) -> (c: Tensor<SparseList<Element<f64, _>>>) { for i { c[i] = exp(a[i] + 1) } }
    fn reduced(a: &DenseVec<f64>) -> (c: Tensor<SparseList<Element<f64, _>>>) { for i { c[i] <<between>>= a[i] } }
}

fn between(a: f64, b: f64) -> f64 { (a + b) / 2.0 }

fn main() {}
