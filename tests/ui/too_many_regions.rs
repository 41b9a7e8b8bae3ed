//! Operands of one nest multiply; a kernel that would keep rustc busy for minutes is refused.
use looplets::prelude::*;

level! { pub type Band = Tensor<SparseBand<Element<f64>>>; }

finch! {
    fn sum(a: &Band, b: &Band, c: &Band, d: &Band, e: &Band, f: &Band, g: &Band, h: &Band) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] }
    }
}

fn main() {}
