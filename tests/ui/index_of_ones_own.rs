//! A number that answers something else each time it is asked is no index.
#![forbid(unsafe_code)]
use looplets::*;
#[derive(Clone, Copy)]
struct Changing;
impl rt::ToIndex for Changing {
    fn to_index(self) -> i64 {
        1 << 40
    }
}
finch! {
    fn sum(a: &DenseVec<f64>, n: Changing, s: &mut f64) { for i in 0..n { s += a[i] } }
}
fn main() {}
