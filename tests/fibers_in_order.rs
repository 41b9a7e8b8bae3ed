//! Results whose fibers are begun in order below several dense dimensions, from operands in another order, without loops.

// Of dense operands all is stored.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Whole = Tensor<Dense<Dense<Dense<Element<i64>>>>>; }
level! { type Runs = Tensor<Dense<Dense<RunList<Element<i64>>>>>; }
level! { type Lists = Tensor<Dense<Dense<SparseList<Element<i64>>>>>; }

kernels! {
    fn beside_turned(x: &Whole, v: &DenseMat<i64>) -> (y: Runs) { y[a, b, c] = x[a, b, c] + v[b, a] };;
    fn turned(x: &Whole) -> (y: Lists) { y[q, j, p] = x[j, p, q] };;
    fn outer(x: &DenseMat<i64>, v: &DenseMat<i64>) -> (y: Lists) { y[q, j, p] += x[j, p] * v[p, q] };;
    fn of_lists(x: &Lists, v: &DenseMat<i64>) -> (y: Lists) { y[a, b, c] = x[a, b, c] * v[c, a] };;
    fn turned_lists(x: &Lists) -> (y: Lists) { y[a, b, c] = x[c, b, a] }
}

#[test]
fn fibers_are_begun_in_order() {
    for shape @ [l, m, n] in [[0, 1, 2], [1, 1, 1], [2, 3, 4], [3, 2, 5]] {
        for kind in 0..KINDS {
            let x: Whole = tensor(&shape, &items(kind, l * m * n));
            let lists: Lists = x.convert().expect("any format");
            let pairs = |shape: [usize; 2]| -> DenseMat<i64> { matrix((kind + 1) % KINDS, shape) };
            agree!(beside_turned(&x, &pairs([m, l])));
            agree!(turned(&x));
            agree!(outer(&pairs([l, m]), &pairs([m, n])));
            agree!(of_lists(&lists, &pairs([n, l])));
            agree!(turned_lists(&lists));
        }
    }
}
