//! Nothing more is said of the name of a declaration that is wrong.
use looplets::prelude::*;

rules! {
    rules mine { twice: "(+ ?x ?x)" => "(* 2 ?y)"; }
}
level! {
    pub struct Point<Child> {
        len: usize,
        at: Vec<u32>,
        child: Child,
    }
    invariant(fibers) {
        Ok(fibers)
    }
    read walk(p) {
        let first = at[p];
        pipeline {
            ..first => run(fill),
            ..first + 1 => run(child[p]),
        }
    }
}
finch! {
    use mine;
    fn twice(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] + x[i] }
}
finch! {
    fn dot(a: &Tensor<Point<Element<f64>>>, c: &mut f64) { for i { c += a[i] } }
}

fn main() {}
