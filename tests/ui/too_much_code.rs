//! A kernel of few regions is refused as well, if what is done in them comes to more code than rustc compiles in reasonable time.
use looplets::prelude::*;

level! { pub type Rows = Tensor<Dense<SparseList<Dense<Element<f64>>>>>; }
level! { pub type Bands = Tensor<PackBits<Ragged<SparseBand<Element<f64>>>>>; }
level! { pub type Trees = Tensor<Hash<TTree<RedBlack<Element<f64>>, u32, 3>>>; }

finch! {
    #![dense]
    fn copied(a: &Rows, b: &Bands, z: &mut Trees, s: i64) {
        for i, j, k {
            if a[offset(s)[i], permit[j - i], k] <= b[i + 3, permit[3 * j], k] {
                z[k + 1, i + 1, j] = a[offset(s)[i], permit[j - i], k]
            }
        }
    }
}

fn main() {}
