//! Two branches of which each writes another element may come to one element in two iterations: with a leaf that has no values, the
//! second cannot take back what the first has stored.

use looplets::prelude::*;

level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }

finch! {
    fn turned(a: &Bits, b: &Bits, n: usize) -> (c: Bits[n, n]) {
        for i, j { if i < j { c[i, j] = a[i, j] } else { c[j, i] = b[i, j] } }
    }
}

fn main() {}
