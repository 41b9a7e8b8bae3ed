//! Results made of nodes whose entries come in ascending order: these are appended and linked when the loops have ended.
//! What is stored is what the oracle says, and what is stored if the same entries are inserted one by one.

// Dense operands into nodes store zeros, which is on purpose.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

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
                }
            }
            finch! {
                fn inserted(a: &Csr<f64>, s: &mut f64) -> (c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) {
                    for i, j { if a[i, j] != 1 { c[i, j] = a[i, j] * 2 } }
                    for i, j { s += c[i, j] }
                }
                fn again(a: &Csr<f64>, b: &Csr<f64>, c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) -> (c: Tensor<$A<$A<Element<f64> $($more)*> $($more)*>>) {
                    for i, j { c[i, j] = a[i, j] + b[i, j] }
                }
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
    packed: PackedCTree [];
    short_links: Bst [, u32, u16];
}

/// Results whose blocks are in no order: a walk does not meet entries as they were appended.
mod in_no_order {
    use super::*;
    kernels! {
        fn rows(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Dense<UnsortedBlockList<Element<f64>, u32, 3>>>) {
            for i, j { c[i, j] = a[i, j] + b[i, j] }
        };;
        fn nested(a: &Csr<f64>) -> (c: Tensor<UnsortedBlockList<UnsortedBlockList<Element<f64>, u32, 2>, u32, 3>>) {
            for i, j { if a[i, j] != 1 { c[i, j] = a[i, j] * 2 } }
        };;
        fn scanned(a: &Tensor<Dense<UnsortedBlockList<Element<f64>, u32, 2>>>) -> (c: Tensor<Dense<Bst<Element<f64>>>>) {
            for i, j { c[i, j] = a[i, j::scan] * 2 }
        };;
        fn trees(a: &Csr<f64>) -> (c: Tensor<UnsortedBlockList<Dense<BTree<Element<f64>, u32, 2>>, u32, 3>>) {
            for i, j, k { c[i, j, k] = a[i, j] * a[j, k] }
        }
    }
    #[test]
    fn agree() {
        for n in [0, 1, 6, 11] {
            for kind in 0..KINDS {
                let a = matrix(kind, [n, n]);
                let b = matrix((kind + 3) % KINDS, [n, n]);
                agree!(rows(&a, &b));
                agree!(nested(&a));
                agree!(trees(&a));
                let a = matrix(kind, [n, n]);
                agree!(scanned(&a));
            }
        }
    }
}

level! { type Trees = Tensor<Dense<Bst<Element<f64>>>>; }
level! { type Spread = Tensor<BTree<Dense<BlockList<Element<f64>, u32, 3>>, u32, 2>>; }
level! { type Mixed = Tensor<SparseList<RedBlack<CTree<Element<f64>, u32, 4>>>>; }
level! { type Hashed = Tensor<Hash<Bst<Element<f64>>>>; }
level! { type Full = Tensor<BlockList<Element<f64, Const<1>>, u32, 3>>; }
level! { type Marks = Tensor<Dense<BlockList<Pattern, u32, 3>>>; }

kernels! {
    fn spread(a: &Csr<f64>, b: &Csr<f64>) -> (c: Spread) { for i, j, k { c[i, j, k] = a[i, j] * b[j, k] } };;
    fn mixed(a: &Csr<f64>, b: &Csr<f64>) -> (c: Mixed) { for i, j, k { if a[i, k] > 0 { c[i, j, k] = a[i, j] * b[j, k] } } };;
    fn hashed(a: &Csr<f64>) -> (c: Hashed) { for i, j { c[i, j] = a[i, j] * 2 } };;
    fn full(a: &SparseVec<f64>) -> (c: Full) { for i { c[i] = a[i] + 1 } };;
    fn greatest(a: &Csr<f64>) -> (c: Full) { for i, j { c[i] <<max>>= a[i, j] } };;
    fn chosen(a: &Csr<f64>) -> (c: Trees) { for i, j { c[i, j] = ifelse(a[i, j] > 2, a[i, j], missing) } };;
    fn shifted(a: &Csr<f64>) -> (c: Trees) { for i { for j in 1..4 { c[i, j] = a[i, j + 1] } } };;
    fn several(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: Trees, d: Marks, y: Full) {
        for i, j { c[i, j] = a[i, j] / x[j]; d[i, j] = a[i, j] != 2; y[i] += a[i, j] * x[j] }
    };;
    fn again(a: &Csr<f64>, b: &DenseVec<f64>) -> (c: Trees) { for i, j, k { c[i, j] = a[i, j] * b[k] } };;
    fn gathered(a: &Csr<f64>, b: &Csr<f64>) -> (c: Trees) {
        for i { let mut w: DenseVec<f64>; { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } } }
    };;
    fn turned(a: &Csr<f64>) -> (c: Trees) { for i, j { c[j, i] = a[i, j] } };;
    fn twice(a: &Csr<f64>) -> (c: Trees) { for i, j { c[i, j] += a[i, j] } for i, j { c[i, j] += a[i, j] * 2 } };;
    fn parts(a: &Csr<f64>) -> (c: Trees) { parallel for i { for j { c[i, j] = a[i, j] * 2 } } };;
    fn all(x: &DenseVec<f64>) -> (c: Full) { for i { c[i] = x[i] } }
}

/// Levels of different kinds, other fills, several results, and loops that do not go in order.
#[test]
fn others_agree() {
    for n in [0, 1, 6, 11] {
        for kind in 0..KINDS {
            let other = (kind * 3 + 1) % KINDS;
            let (a, b) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (v, x) = (vector(kind, n), vector(other, n));
            agree!(spread(&a, &b));
            agree!(mixed(&a, &b));
            agree!(hashed(&a));
            agree!(full(&v));
            agree!(greatest(&a));
            agree!(chosen(&a));
            if n > 5 {
                agree!(shifted(&a));
            }
            agree!(several(&a, &x));
            agree!(again(&a, &x));
            agree!(gathered(&a, &b));
            agree!(turned(&a));
            agree!(twice(&a));
            agree!(parts(&a));
            agree!(all(&x));
        }
    }
}

/// Entries are appended where their order is known to ascend, and inserted elsewhere.
#[test]
fn which_are_linked() {
    macro_rules! linked {
        ($($want:literal: { $($kernel:tt)* })*) => {$(
            assert_eq!(explain! { $($kernel)* }.contains("__link("), $want, "{}", stringify!($($kernel)*));
        )*};
    }
    linked! {
        true: { fn k(a: &Csr<f64>) -> (c: Trees) { for i, j { c[i, j] = a[i, j] * 2 } } }
        true: { fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Trees) { for i, j, k { c[i, j] += a[i, k] * b[j, k] } } }
        true: { fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Mixed) { for i, j, k { c[i, j, k] = a[i, j] * b[j, k] } } }
        true: { fn k(a: &Csr<f64>, c: Trees) -> (c: Trees) { for i, j { c[i, j] = a[i, j] * 2 } } }
        true: { fn k(a: &Csr<f64>) -> (c: Trees) { for i { for j in 1..4 { c[i, j - 1] = a[i, j] } } } }
        false: { fn k(a: &Csr<f64>) -> (c: Hashed) { for i, j { c[i, j] = a[i, j] * 2 } } }
        false: { fn k(a: &Csr<f64>) -> (c: Trees) { for i, j { c[j, i] = a[i, j] * 2 } } }
        false: { fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Trees) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } } }
        false: { #![dense] fn k(a: &Csr<f64>, c: &mut Trees) { for i, j { c[i, j] = a[i, j] * 2 } } }
        false: { fn k(a: &Csr<f64>) -> (c: Trees) { parallel for i { for j { c[i, j] = a[i, j] * 2 } } } }
        false: { fn k(a: &Csr<f64>, s: &mut f64) -> (c: Trees) { for i, j { c[i, j] = a[i, j] } for i, j { s += c[i, j] } } }
        false: { fn k(a: &Csr<f64>) -> (c: Trees) { for i, j { c[i, j] += a[i, j] } for i, j { c[i, j] += 1 } } }
        false: { #![dense] fn k(a: &Csr<f64>, b: &DenseVec<f64>) -> (c: Trees) { for i, j, k { c[i, j] = a[i, j] * b[k] } } }
    }
}

mod checked {
    use looplets::prelude::*;
    finch! {
        #![forbid(unsafe_code)]
        pub fn doubled(a: &Dcsr<f64>) -> (c: Tensor<Bst<BlockList<Element<f64>, u32, 3>>>) {
            for i, j { c[i, j] = a[i, j] * 1 }
        }
    }
}

/// Values are stored bit for bit: signs of zeros and of NaN, what is subnormal; and by kernels without `unsafe`.
#[test]
fn hostile_values() {
    let hostile = [
        f64::NAN,
        -f64::NAN,
        0.0,
        -0.0,
        5e-324,
        -f64::MIN_POSITIVE / 2.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        1.0,
    ];
    finch! { fn copied(a: &Dcsr<f64>) -> (c: Tensor<RedBlack<BTree<Element<f64>, u32, 2>>>) { for i, j { c[i, j] = a[i, j] } } }
    for rounds in 0..8 {
        let n = 1 + 7 * rounds;
        let value = |k: usize| hostile[(k * 7 + rounds) % hostile.len()];
        let entries = (0..n * n).filter(|k| (k * k + rounds) % 3 > 0);
        let entries: Vec<_> = entries.map(|k| ([k / n, k % n], value(k))).collect();
        let a: Dcsr<f64> = Tensor::from_triplets([n, n], entries, Refuse).unwrap();
        assert_eq!(stored(&copied(&a)), stored(&a));
        let (same, doubled) = (stored(&a), stored(&checked::doubled(&a)));
        assert_eq!(same.len(), doubled.len());
    }
}

macro_rules! limited {
    ($($name:ident: $A:ident [$($more:tt)*];)*) => {$(
        mod $name {
            use super::*;
            finch! {
                pub fn vector(a: &SparseVec<f64>) -> Result<(c: Tensor<$A<Element<f64>, $($more)*>>), Error> { for i { c[i] = a[i] } }
                pub fn rows(a: &Csr<f64>) -> Result<(c: Tensor<Dense<$A<Element<f64>, $($more)*>>>), Error> { for i, j { c[i, j] = a[i, j] } }
                pub fn inserted(a: &Csr<f64>, s: &mut f64) -> Result<(c: Tensor<Dense<$A<Element<f64>, $($more)*>>>), Error> {
                    for i, j { c[i, j] = a[i, j] }
                    for i, j { s += c[i, j] }
                }
            }
            /// What links do not count is refused, as where entries are inserted, and no later than it would wrap.
            #[test]
            fn refuses() {
                let (mut most, mut one_by_one) = (0, 0);
                for n in 0..300 {
                    let a: SparseVec<f64> = Tensor::from_dense([n], &vec![0.5; n]).unwrap();
                    match vector(&a) {
                        Ok(c) => assert_eq!(stored(&c), stored(&a)),
                        Err(e) => assert!(e.to_string().contains("count no more"), "{e}"),
                    }
                    let a: Csr<f64> = Tensor::from_dense([n, 3], &vec![0.5; 3 * n]).unwrap();
                    match rows(&a) {
                        Ok(c) => {
                            assert_eq!(stored(&c), stored(&a));
                            most = n;
                        }
                        Err(e) => assert!(e.to_string().contains("count no more"), "{e}"),
                    }
                    one_by_one = if inserted(&a, &mut 0.0).is_ok() { n } else { one_by_one };
                }
                assert!(most < 86 && most >= one_by_one, "{most} and {one_by_one}");
            }
        }
    )*};
}
mod few_links {
    use super::*;
    limited! {
        bst: Bst [u32, u8];
        linked: LinkedList [u32, u8];
        blocks: BlockList [u32, 3, u8];
        gaps: GapBlockList [u32, 3, u8];
        var_blocks: VarBlockList [u32, 3, u8];
        red_black: RedBlack [u32, u8];
        t_tree: TTree [u32, 3, u8];
        b_tree: BTree [u32, 2, u8];
        hybrid: HybridBTree [u32, 2, 3, u8];
        c_tree: CTree [u32, 4, u8];
    }
}

/// A value that is cloned so often and no more, with something to drop.
#[derive(PartialEq, Debug)]
struct Held(Option<Rc<()>>);
thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}
impl Clone for Held {
    fn clone(&self) -> Held {
        LEFT.set(LEFT.get().checked_sub(1).expect("this often and no more"));
        Held(self.0.clone())
    }
}
fill! {
    /// Nothing is held.
    fill Nothing = nothing;
}
impl Fill<Held> for Nothing {
    const VALUE: Held = Held(None);
}
level! { type Holding = Tensor<Dense<SparseList<Element<Held, Nothing>>>>; }
level! { type HeldTrees = Tensor<Dense<RedBlack<Element<Held, Nothing>>>>; }
level! { type HeldBlocks = Tensor<Bst<BlockList<Element<Held, Nothing>, u32, 3>>>; }

/// Nothing is lost, or dropped twice, wherever the `clone` of a value panics.
#[test]
fn a_clone_that_panics() {
    finch! {
        fn trees(a: &Holding) -> (c: HeldTrees) { for i, j { c[i, j] = a[i, j] } }
        fn blocks(a: &Holding, c: HeldBlocks) -> (c: HeldBlocks) { for i, j { c[i, j] = a[i, j] } }
    }
    let one = Rc::new(());
    let entries = (0..40).map(|k| ([k % 5, k * 3 % 17], Held(Some(one.clone()))));
    let entries: Vec<_> = entries.collect();
    let a: Holding = Tensor::from_triplets([5, 17], entries, Last).unwrap();
    let before = Rc::strong_count(&one);
    let mut ended = [0, 0];
    for calls in 0..400 {
        LEFT.set(calls);
        let made = catch_unwind(AssertUnwindSafe(|| trees(&a)));
        ended[0] += usize::from(made.is_ok());
        drop(made);
        assert_eq!(Rc::strong_count(&one), before, "after {calls} calls");
        LEFT.set(usize::MAX);
        let old = Tensor::new([1, 1]).unwrap();
        LEFT.set(calls);
        let made = catch_unwind(AssertUnwindSafe(|| blocks(&a, old)));
        ended[1] += usize::from(made.is_ok());
        LEFT.set(usize::MAX);
        if let Ok(c) = made {
            assert_eq!(c.triplets(), a.triplets());
        }
        assert_eq!(Rc::strong_count(&one), before, "after {calls} calls");
    }
    assert!(ended.iter().all(|n| (1..400).contains(n)), "{ended:?}");
    LEFT.set(usize::MAX);
}

/// No loop runs: nothing is known of a level but that it is empty, above nodes that are linked.
#[test]
fn without_a_row() {
    macro_rules! empty {
        ($($kernel:ident: $level:ident)*) => {
            $({
                finch! {
                    fn $kernel(a: &Tensor<Dense<Dense<Dense<Element<f64>>>>>) -> (c: Tensor<Dense<$level<Bst<Element<f64>>>>>) {
                        for i, j, k { c[i, j, k] += a[i, j, k] }
                    }
                }
                let a = Tensor::from_dense([0, 0, 0], &[]).unwrap();
                assert_eq!($kernel(&a).shape(), [0, 0, 0], stringify!($level));
            })*
        };
    }
    empty! { ragged: Ragged band: SparseBand list: SparseList blocks: SparseBlockList runs: SparseInterval hash: Hash }
}
