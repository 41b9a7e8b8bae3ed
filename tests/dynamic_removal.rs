//! `remove a[i, j]` in kernels, and entries that come and go in batches, beside `BTreeMap`.

mod numbers;

use looplets::prelude::*;
use numbers::{Numbers, HOSTILE};
use std::collections::BTreeMap;

type Model = BTreeMap<[usize; 2], u64>;

fn model(numbers: &mut Numbers, shape: [usize; 2], count: usize) -> Model {
    let mut entry = || {
        let at = [numbers.below(shape[0]), numbers.below(shape[1])];
        (at, HOSTILE[numbers.below(HOSTILE.len())].to_bits())
    };
    (0..count).map(|_| entry()).collect()
}

fn stored<L: Level<Value = f64>>(a: &Tensor<L>) -> Model {
    let mut all = Model::new();
    a.for_each(|at, v| assert_eq!(all.insert([at[0], at[1]], v.to_bits()), None));
    all
}

macro_rules! removals {
    ($($name:ident: $Level:ty;)*) => {$(
        mod $name {
            use super::*;
            level! { type A = Tensor<$Level>; }
            finch! {
                fn small(a: &mut A, eps: f64) { for i, j { if !(a[i, j] >= eps) { remove a[i, j] } } }
                fn zeros(a: &mut A) { for i, j { if a[i, j] == 0.0 { remove a[i, j]; } } }
                fn listed(a: &mut A, b: &Csr<f64>) { for i, j { if b[i, j] != 0 { remove a[i, j] } } }
                fn all(a: &mut A) -> Result<(), looplets::Error> { for i, j { remove a[i, j] } }
                fn cut(a: &mut A, s: &mut f64, n: u64) {
                    for i, j {
                        s += ifelse(a[i, j] > 0.0, 1.0, 0.0);
                        if i < n { remove a[i, j] } else { if j < n { remove a[i, j] } }
                    }
                }
                fn apart(a: &mut A, n: u64) { parallel for i { for j { if i + j != n { remove a[i, j] } } } }
            }
            #[test]
            fn $name() {
                let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
                for round in 0..60 {
                    let shape = [numbers.below(9), numbers.below(9)].map(|n| n + usize::from(round > 4));
                    let count = if shape.contains(&0) { 0 } else { numbers.below(50) };
                    let had = model(&mut numbers, shape, count);
                    let a = A::from_triplets(shape, had.iter().map(|(at, v)| (at, f64::from_bits(*v))), Refuse).unwrap();
                    let left = |keep: &dyn Fn(&[usize; 2], f64) -> bool| -> Model {
                        had.iter().filter(|(at, v)| keep(at, f64::from_bits(**v))).map(|(at, v)| (*at, *v)).collect()
                    };
                    let done = |f: &dyn Fn(&mut A)| { let mut a = a.clone(); f(&mut a); stored(&a) };
                    assert_eq!(done(&|a| small(a, 0.05)), left(&|_, v| v >= 0.05));
                    assert_eq!(done(&|a| zeros(a)), left(&|_, v| v != 0.0));
                    assert_eq!(done(&|a| all(a).unwrap()), Model::new());
                    assert_eq!(done(&|a| apart(a, 7)), left(&|at, _| at[0] + at[1] == 7));
                    let other = model(&mut numbers, shape, count);
                    let b = Csr::from_triplets(shape, other.iter().map(|(at, v)| (at, f64::from_bits(*v))), Refuse).unwrap();
                    let nonzero = |at: &[usize; 2]| other.get(at).is_some_and(|v| f64::from_bits(*v) != 0.0);
                    assert_eq!(done(&|a| listed(a, &b)), left(&|at, _| !nonzero(at)));
                    let mut s = 0.0;
                    let mut cut_of = a.clone();
                    cut(&mut cut_of, &mut s, 3);
                    assert_eq!(stored(&cut_of), left(&|at, _| at[0] >= 3 && at[1] >= 3));
                    assert_eq!(s, left(&|_, v| v > 0.0).len() as f64);
                    // What is left takes entries again.
                    let mut again = cut_of;
                    again.extend(had.iter().map(|(at, v)| (at, f64::from_bits(*v)))).unwrap();
                    assert_eq!(stored(&again), had);
                }
            }
            #[test]
            fn batches() {
                let mut numbers = Numbers(17);
                let shape = [40, 50];
                let mut a = A::from_triplets(shape, std::iter::empty::<([usize; 2], f64)>(), Refuse).unwrap();
                let mut kept = Model::new();
                for count in [0, 1, 70, 3, 900, 64, 2000, 5, 300, 128] {
                    let mut list: Vec<_> = model(&mut numbers, shape, count).into_iter().collect();
                    // Of several at the same coordinates, the last.
                    list.extend(list.clone().iter().rev().take(9).map(|(at, _)| (*at, 0.75f64.to_bits())));
                    a.extend(list.iter().map(|(at, v)| (at, f64::from_bits(*v)))).unwrap();
                    kept.extend(list.iter().copied());
                    assert_eq!(stored(&a), kept);
                    for part in [2, 40] {
                        let gone: Vec<[usize; 2]> = (0..count / part).map(|_| [numbers.below(40), numbers.below(50)]).collect();
                        a.remove_all(&gone).unwrap();
                        gone.iter().for_each(|at| { kept.remove(at); });
                        assert_eq!(stored(&a), kept);
                    }
                    a.retain(|at, v| (at[0] + at[1]) % 7 != 0 || *v == 0.1).unwrap();
                    kept.retain(|at, v| (at[0] + at[1]) % 7 != 0 || f64::from_bits(*v) == 0.1);
                    assert_eq!(stored(&a), kept);
                }
                assert!(a.remove_all([[0, 0], [40, 0]]).is_err());
                assert_eq!(stored(&a), kept);
            }
        }
    )*};
}

removals! {
    linked: Dense<LinkedList<Element<f64>>>;
    blocks: Dense<BlockList<Element<f64>>>;
    var_blocks: Dense<VarBlockList<Element<f64>>>;
    bst: Dense<Bst<Element<f64>>>;
    t_tree: Dense<TTree<Element<f64>>>;
    b_tree: Dense<BTree<Element<f64>>>;
    hybrid: Dense<HybridBTree<Element<f64>>>;
    gaps: Dense<GapBlockList<Element<f64>>>;
    red_black: Dense<RedBlack<Element<f64>>>;
    c_tree: Dense<CTree<Element<f64>, u32, 3>>;
    packed: Dense<PackedCTree<Element<f64>, 3>>;
    trees: Bst<BTree<Element<f64>>>;
    lists: LinkedList<LinkedList<Element<f64>>>;
}

level! { type Cube = Tensor<Dense<Bst<BTree<Pattern>>>>; }
level! { type Line = Tensor<BTree<Element<i8>>>; }
level! { type Rows = Tensor<Bst<Dense<Element<f64>>>>; }
finch! {
    fn diagonal(a: &mut Cube) { for i, j { remove a[i, j, i] } }
    fn shifted(a: &mut Line, b: &mut Line) { for i in 0..9 { if a[i] == i8::MIN { remove b[i + 1] } if b[i] < 0 { remove a[i] } } }
    fn rows(a: &mut Rows) { for i, j { remove a[i, j] } }
}

/// Every rank, and both operands of a loop at once; each is read as it was until all loops have ended.
#[test]
fn ranks() {
    let all = (0..27).map(|k| ([k / 9, k / 3 % 3, k % 3], true));
    let mut a = Cube::from_triplets([3, 3, 3], all, Refuse).unwrap();
    diagonal(&mut a);
    assert_eq!(a.stored(), 18);
    a.for_each(|at, _| assert_ne!(at[0], at[2]));

    let line = |v: i8| Line::from_triplets([10], (0..10).map(|i| ([i], v)), Refuse).unwrap();
    let (mut a, mut b) = (line(i8::MIN), line(-1));
    shifted(&mut a, &mut b);
    assert_eq!((a.stored(), b.stored()), (1, 1));
    assert_eq!((a.get([9]).unwrap(), b.get([0]).unwrap()), (i8::MIN, -1));
}

/// Elements of a dense dimension stay, one by one and in batches, and that is said.
#[test]
fn dense_elements_stay() {
    let all = (0..200).map(|k| ([k / 2, k % 2], 0.5));
    let mut a = Rows::from_triplets([100, 2], all, Refuse).unwrap();
    let all = std::panic::AssertUnwindSafe(|| rows(&mut a));
    assert!(std::panic::catch_unwind(all).is_err());
    assert!(a.remove([0, 1]).is_err());
    assert!(a.retain(|_, _| false).is_err());
    assert_eq!((a.stored(), a.get([99, 1]).unwrap()), (200, 0.5));
}

/// The inline form, with an index that a protocol stands behind.
#[test]
fn inline() {
    level! { type A = Tensor<Dense<Bst<Element<f64>>>>; }
    let mut a = A::from_triplets([2, 2], [([0, 1], 1.0), ([1, 0], 2.0)], Refuse).unwrap();
    let b = Csr::<f64>::from_triplets([2, 2], [([0, 1], 1.0)], Refuse).unwrap();
    finch! { <mut a: A, b: Csr<f64>> for i, j { if b[i, j] > 0 { remove a[i, j::gallop] } } }
    assert_eq!(a.to_dense(), [0.0, 0.0, 2.0, 0.0]);
}
