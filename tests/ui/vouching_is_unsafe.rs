//! Who forbids unsafe code cannot vouch for a format.
#![forbid(unsafe_code)]
use looplets::*;
// `unsafe invariant` in a crate that forbids unsafe code.
level! {
    pub struct Lie<Child> { len: usize, pos: Vec<usize>, child: Child }
    unsafe invariant(fibers) { let _ = pos; Ok(1) }
    read walk(p) { lookup(|i| child[pos[p + i]]) }
}
finch! {
    fn sum(a: &Tensor<Lie<Element<f64>>>, s: &mut f64) { for i { s += a[i] } }
}
fn main() {
    let a = Tensor::from_parts(Lie::new(10, vec![0, 1_000], Element::new(vec![1.0]))).unwrap();
    let mut s = 0.0;
    sum(&a, &mut s);
    println!("{s}");
}
