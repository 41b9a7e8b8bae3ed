//! Levels that store what nobody wrote, over a leaf that has no value for it: all of it would be `true`.

use looplets::prelude::*;

level! { type Lists = Tensor<Dense<SparseList<Pattern>>>; }

finch! {
    fn runs(a: &Tensor<SparseList<Pattern>>) -> (c: Tensor<RunList<Pattern>>) { c[i] = a[i] }
}
finch! {
    fn runs_of_rows(a: &Lists) -> (c: Tensor<Dense<RunList<Pattern>>>) { c[i, j] = a[i, j] }
}
finch! {
    fn reduced(a: &DenseMat<f64>) -> (c: Tensor<RunList<Pattern>>) { c[i] ||= a[i, j] > 0 }
}
finch! {
    fn dense(a: &Lists) -> (c: Tensor<Dense<Dense<Pattern>>>) { c[i, j] = a[i, j] }
}
finch! {
    fn symmetric(a: &Lists) -> (c: Tensor<Dense<Symmetric<Pattern>>>) {
        for i, j { if j <= i { c[i, j] = a[i, j] } }
    }
}
finch! {
    fn triangular(a: &Lists) -> (c: Tensor<Dense<LowerTriangular<Pattern>>>) {
        for i, j { if j <= i { c[i, j] = a[i, j] } }
    }
}

fn main() {}
