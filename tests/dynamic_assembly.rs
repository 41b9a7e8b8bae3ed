//! Results made of nodes whose entries come in ascending order: these are appended and linked when the loops have ended.
//! What is stored is what the oracle says, and what is stored if the same entries are inserted one by one.

#[macro_use]
mod oracle;
use looplets::prelude::*;
use oracle::*;

/// Coordinates and bits of all that is stored.
fn stored<L: Level<Value = f64>>(t: &Tensor<L>) -> Vec<(Vec<usize>, u64)> {
    t.root().check(1).unwrap();
    t.triplets().into_iter().map(|(at, x)| (at, x.to_bits())).collect()
}

macro_rules! tested {
    ($name:ident: $A:ident [$($more:tt)*]) => {
        mod $name {
            use super::*;
            kernels! {
                fn vector_of(a: &SparseVec<f64>, b: &Tensor<$A<Element<f64> $($more)*>>) -> (c: Tensor<$A<Element<f64> $($more)*>>) {
                    for i { c[i] = a[i] + b[i] }
                };;
                fn rows(a: &Csr<f64>, b: &Tensor<Dense<$A<Element<f64> $($more)*>>>) -> (c: Tensor<Dense<$A<Element<f64> $($more)*>>>) {
                    for i, j { c[i, j] = a[i, j] + b[i, j] }
                };;
                fn inner(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Dense<$A<Element<f64> $($more)*>>>) {
                    for i, j, k { c[i, j] += a[i, k] * b[j, k] }
                };;
                fn summed(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: Tensor<$A<Element<f64> $($more)*>>) {
                    for i, j { c[i] += a[i, j] * x[j] }
                };;
                fn filtered(a: &Csr<f64>) -> (c: Tensor<Dense<$A<Element<f64> $($more)*>>>) {
                    for i, j { if a[i, j] > 0.5 { c[i, j] = a[i, j] } }
                };;
                fn nested(a: &Csr<f64>) -> (c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) {
                    for i, j { if a[i, j] != 1 { c[i, j] = a[i, j] * 2 } }
                };;
                fn marked(a: &Csr<f64>) -> (c: Tensor<$A<$A<Pattern $($more)*> $($more)*>>) {
                    for i, j { c[i, j] = a[i, j] > 0 }
                };;
                fn above(a: &Csr<f64>) -> (c: Tensor<$A<Dense<Element<f64>> $($more)*>>) {
                    for i, j { c[i, j] = a[i, j] * 3 }
                };;
                fn outer(a: &Tensor<$A<Element<f64> $($more)*>>, b: &Csr<f64>) -> (c: Tensor<$A<Dense<$A<Element<f64> $($more)*>> $($more)*>>) {
                    for i, j, k { c[i, j, k] = a[i] * b[j, k] }
                };;
                fn cubed(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<$A<$A<$A<Element<f64> $($more)*> $($more)*> $($more)*>>) {
                    for i, j, k { c[i, j, k] = a[i, j] * b[j, k] }
                };;
                fn listed(a: &Csr<f64>) -> (c: Tensor<SparseList<$A<Element<f64> $($more)*>>>) {
                    for i, j { c[i, j] = a[i, j] * 3 }
                };;
                fn inserted(a: &Csr<f64>, s: &mut f64) -> (c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) {
                    for i, j { if a[i, j] != 1 { c[i, j] = a[i, j] * 2 } }
                    for i, j { s += c[i, j] }
                };;
                fn again(a: &Csr<f64>, b: &Csr<f64>, c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) -> (c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) {
                    for i, j { c[i, j] = a[i, j] + b[i, j] }
                };;
                fn fresh(a: &Csr<f64>, b: &Csr<f64>) -> (c: Dcsr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
            }
            #[test]
            fn agree() {
                for n in [0, 1, 6, 11] {
                    for kind in 0..KINDS {
                        let other = (kind * 3 + 1) % KINDS;
                        let (a, b) = (vector(kind, n), vector(other, n));
                        agree!(vector_of(&a, &b));
                        let (a, b) = (matrix(kind, [n, n]), matrix(other, [n, n]));
                        let (s, x) = (matrix(other, [n, n]), vector(other, n));
                        let v = vector(other, n);
                        agree!(rows(&a, &b));
                        agree!(inner(&a, &s));
                        agree!(summed(&a, &x));
                        agree!(filtered(&a));
                        agree!(nested(&a));
                        agree!(marked(&a));
                        agree!(above(&a));
                        agree!(outer(&v, &a));
                        agree!(cubed(&a, &s));
                        agree!(listed(&a));
                        // What is read again is inserted.
                        let inserted = inserted(&a, &mut 0.0);
                        assert_eq!(stored(&nested(&a)), stored(&inserted));
                    }
                }
            }
            #[test]
            fn in_old_memory() {
                let mut c = Tensor::new([3, 1]).unwrap();
                for (n, kind) in [(5, 7), (40, 8), (2, 1), (0, 2), (60, 9), (1, 3), (60, 0), (60, 7)] {
                    let (a, b) = (matrix(kind, [n, n]), matrix((kind + 3) % KINDS, [n, n]));
                    c = again(&a, &b, c);
                    assert_eq!(stored(&c), stored(&fresh(&a, &b)));
                }
            }
        }
    };
}
macro_rules! levels {
    ($($name:ident: $A:ident [$($more:tt)*];)*) => {$(tested!($name: $A [$($more)*]);)*};
}

levels! {
    bst: Bst [];
    linked: LinkedList [];
    blocks: BlockList [];
    small_blocks: BlockList [, u32, 3];
    gaps: GapBlockList [];
    small_gaps: GapBlockList [, u32, 2];
    var_blocks: VarBlockList [];
    red_black: RedBlack [];
    t_tree: TTree [];
    b_tree: BTree [];
    small_b_tree: BTree [, u32, 2];
    hybrid: HybridBTree [];
    c_tree: CTree [];
    small_c_tree: CTree [, u32, 3];
    short_links: Bst [, u32, u16];
}
