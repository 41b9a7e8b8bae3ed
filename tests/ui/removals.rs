//! What is wrong with `remove`.

use looplets::prelude::*;

level! { type Tree = Tensor<Dense<Bst<Element<f64>>>>; }
level! { type Line = Tensor<Bst<Element<f64>>>; }

finch! {
    fn no_entry(a: &mut Tree) { remove a }
    fn not_an_access(a: &mut Tree) { for i, j { remove a[i, j] + 1 } }
}

finch! {
    fn assigned(a: &mut Tree) { for i, j { if a[i, j] < 0 { remove a[i, j] } a[i, j] += 1 } }
    fn not_mutable(a: &Tree) { for i, j { remove a[i, j] } }
    fn indices(a: &mut Tree) { for i { remove a[i] } }
    fn unknown(a: &mut Tree) { for i, j { if a[i, j] > 0 { remove b[i, j] } } }
    fn output(b: &Tree) -> (a: Tree) { for i, j { a[i, j] = b[i, j]; remove a[i, j] } }
    fn scalar(a: &mut f64) { remove a[0] }
    fn size(a: &mut Line, b: &DenseVec<f64>) { for i { if b[i] > 0 { remove a[i + 0.5] } } }
    fn race(a: &mut Tree) { for i { parallel for j { remove a[i, j] } } }
}

fn main() {}
