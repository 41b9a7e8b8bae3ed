//! A result that would store every row, as its operand is stored by the other order.
use looplets::prelude::*;

finch! {
    fn of_rows(a: &Csr<f64>) -> (c: Csr<f64, u32, NegInf>) { c[i, j] <<max>>= a[j, i] }
}
finch! {
    fn of_columns(a: &Csr<f64>) -> (c: Csc<f64, u32, NegInf>) { c[i, j] <<max>>= a[i, j] }
}
finch! {
    // Three elements of each row are what the program says.
    fn three(x: &SparseVec<f64>, n: usize) -> (c: Csr<f64>[n, 3]) { for i in 0..n, j in 0..3 { c[i, j] = cos(x[i]) } }
}

fn main() {}
