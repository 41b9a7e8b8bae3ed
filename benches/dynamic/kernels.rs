//! Kernels with values over trees, beside the same over arrays: what PAM can do (DynamicSparse table 5), and leaps.

use super::best;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

level! { type Trees = Tensor<Bst<Bst<Element<f64>>>>; }
level! { type TreeVec = Tensor<Bst<Element<f64>>>; }
level! { type BTreeVec = Tensor<BTree<Element<f64>>>; }

finch! {
    fn into_tree(a: &Trees, x: &DenseVec<f64>) -> (y: TreeVec) { for i, j { y[i] += a[i, j] * x[j] } }
    fn into_list(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
    fn add(a: &Trees, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } }
    fn add_arrays(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } }
    fn multiply(a: &Trees, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } }
    fn multiply_arrays(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } }
    fn inner(a: &Trees, b: &Trees) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * b[i, j] } }
    fn inner_arrays(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * b[i, j] } }
    fn walked(a: &BTreeVec, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::walk] * b[i] } }
    fn leapt(a: &BTreeVec, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } }
    fn leapt_bst(a: &TreeVec, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } }
    fn walked_bst(a: &TreeVec, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::walk] * b[i] } }
    fn walked_array(a: &SparseVec<f64>, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::walk] * b[i] } }
    fn leapt_array(a: &SparseVec<f64>, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } }
}

/// Prints two times in milliseconds, and their ratio.
fn row(name: &str, one: f64, other: f64) {
    println!("{name:<44}{one:>9.2}{other:>9.2}{:>9.2}", one / other);
}

pub fn run(edges: &[[usize; 2]], size: usize) {
    let mut numbers = Random::new(11);
    let values: Vec<f64> = edges.iter().map(|_| numbers.unit()).collect();
    let made = "sizes fit";
    let entries = || edges.iter().zip(values.iter().copied());
    // A second matrix, of which some entries are where the first has some.
    let moved: Vec<[usize; 2]> =
        edges.iter().map(|[i, j]| [*i, if j % 2 == 0 { *j } else { (j + 1) % size }]).collect();
    let others = || moved.iter().zip(values.iter().copied());
    let a = Trees::from_triplets([size; 2], entries(), Last).expect(made);
    let c = Csr::from_triplets([size; 2], entries(), Last).expect(made);
    let b = Trees::from_triplets([size; 2], others(), Last).expect(made);
    let d = Csr::from_triplets([size; 2], others(), Last).expect(made);
    let x: Vec<f64> = (0..size).map(|_| numbers.unit()).collect();
    let x = Tensor::from_dense([size], &x).expect(made);
    assert_eq!(into_tree(&a, &x).to_dense(), into_list(&c, &x).to_dense());
    assert_eq!(add(&a, &d), add_arrays(&c, &d));
    assert_eq!(multiply(&a, &d), multiply_arrays(&c, &d));
    assert_eq!(inner(&a, &b).to_dense(), inner_arrays(&c, &d).to_dense());
    println!("\n{:<44}{:>9}{:>9}{:>9}", "trees of trees beside arrays", "trees", "arrays", "ratio");
    macro_rules! both {
        ($name:literal, $trees:expr, $arrays:expr) => {
            row(
                $name,
                best(5, || {
                    black_box($trees);
                }),
                best(5, || {
                    black_box($arrays);
                }),
            )
        };
    }
    both!("matrix times vector, into a tree", into_tree(&a, &x), into_list(&c, &x));
    both!("sum with CSR", add(&a, &d), add_arrays(&c, &d));
    both!("product with CSR", multiply(&a, &d), multiply_arrays(&c, &d));
    both!("inner products of rows", inner(&a, &b), inner_arrays(&c, &d));

    let long: Vec<([usize; 1], f64)> =
        (0..1_000_000).map(|k| ([4 * k + numbers.below(4)], numbers.unit())).collect();
    let of = [4_000_000];
    let array = SparseVec::from_triplets(of, long.iter().copied(), Last).expect(made);
    let btree = BTreeVec::from_triplets(of, long.iter().copied(), Last).expect(made);
    let bst = TreeVec::from_triplets(of, long.iter().copied(), Last).expect(made);
    for part in [10, 100, 1_000] {
        let short: Vec<([usize; 1], f64)> = (0..1_000_000 / part)
            .map(|k| ([4 * part * k + numbers.below(4 * part)], numbers.unit()))
            .collect();
        let list = SparseVec::from_triplets(of, short, Last).expect(made);
        macro_rules! time {
            ($f:ident, $a:expr) => {
                best(15, || {
                    let mut s = 0.0;
                    $f($a, &list, &mut s);
                    black_box(s);
                })
            };
        }
        println!(
            "\n{:<44}{:>9}{:>9}{:>9}",
            format!("10^6 entries meet a list, of which each {part}th"),
            "walk",
            "gallop",
            "ratio"
        );
        row("a B-tree", time!(walked, &btree), time!(leapt, &btree));
        row("a binary tree", time!(walked_bst, &bst), time!(leapt_bst, &bst));
        row("an array", time!(walked_array, &array), time!(leapt_array, &array));
    }
}
