//! Entries of a level that is not made of nodes are not removed by kernels.

use looplets::prelude::*;

finch! {
    fn arrays(a: &mut Csr<f64>) { for i, j { remove a[i, j] } }
}

fn main() {}
