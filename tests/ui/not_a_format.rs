//! A name that no `level!` declares is an unknown macro, at the name.
use looplets::prelude::*;

struct Rows<T>(Vec<T>);

finch! {
    fn sum(a: &Tensor<Dense<Rows<f64>>>, s: &mut f64) { for i { s += a[i] } }
}

fn main() {}
