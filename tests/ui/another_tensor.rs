//! Only the tensors of this crate are known to be checked, whatever calls itself one.
#![forbid(unsafe_code)]
use looplets::{finch, SparseList, Element};
mod m {
    pub struct Tensor<L> { pub root: L }
    impl<L> Tensor<L> { pub fn root(&self) -> &L { &self.root } }
}
finch! {
    fn sum(a: &m::Tensor<SparseList<Element<f64>>>, s: &mut f64) { for i { s += a[i] } }
}
fn main() {
    let a = m::Tensor { root: SparseList::new(10, vec![0, 1_000], vec![3, 5], Element::new(vec![1.0])) };
    let mut s = 0.0;
    sum(&a, &mut s);
    println!("{s}");
}
