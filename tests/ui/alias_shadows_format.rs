//! An alias that shadows an imported format is not what the macro of its name declares.
#![forbid(unsafe_code)]
use looplets::*;
level! {
    pub struct Lie<Child, Ix: Index = u32> {
        len: usize, pos: Vec<usize>, crd: Vec<Ix>, child: Child,
    }
    invariant(fibers) { let _ = (len, pos, crd); Ok(1) }
    read walk(p) { lookup(|i| child[pos[p + i]]) }
}
// Shadows the type of the glob import, not its macro.
type SparseVec<T> = Tensor<Lie<Element<T>>>;
finch! {
    fn sum(a: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] } }
}
fn main() {
    let a: SparseVec<f64> = Tensor::from_parts(Lie::new(10, vec![0, 1_000], vec![3, 5], Element::new(vec![1.0]))).unwrap();
    let mut s = 0.0;
    sum(&a, &mut s);
    println!("{s}");
}
