//! Binary search trees, what happens when a value's own code panics, and what links count.

use looplets::prelude::*;
use looplets::{Bst, Grows};

conformance! {
    mod bst: Bst;
    read walk, gallop, locate;
    also follow, lead;
    write insert over Bst;
    coordinates u8, u64;
    leaf Pattern;
}
conformance! {
    mod bst_dense: Bst;
    read walk;
    write insert over Dense;
}

#[test]
fn entries_come_and_go() {
    looplets::conformance::changes::<Bst<Element<f64>>>(&[300], 100_000, 1);
    looplets::conformance::changes::<Dense<Bst<Element<f64>>>>(&[9, 30], 100_000, 2);
    looplets::conformance::changes::<Bst<Bst<Element<f64>>>>(&[20, 20], 100_000, 3);
    looplets::conformance::changes::<Bst<Dense<Bst<Pattern, u8, u16>>>>(&[20, 3, 20], 100_000, 3);
}

thread_local! {
    /// How many clones there may be before one panics.
    static FUSE: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// A value whose `clone` panics at times.
#[derive(Debug, PartialEq)]
struct Bomb(u32);

impl Clone for Bomb {
    fn clone(&self) -> Bomb {
        FUSE.with(|fuse| {
            assert_ne!(fuse.get(), 0, "the bomb goes off");
            fuse.set(fuse.get() - 1);
        });
        Bomb(self.0)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Dud;

impl looplets::Fill<Bomb> for Dud {
    const VALUE: Bomb = Bomb(0);
}

#[test]
fn panics_of_values_lose_nothing() {
    use std::collections::BTreeMap;
    let mut tensor: Tensor<Dense<Bst<Element<Bomb, Dud>>>> = Tensor::new([3, 50]).unwrap();
    let mut model = BTreeMap::new();
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % n
    };
    let mut panics = 0;
    for k in 0..20_000 {
        let at = [below(3), below(50)];
        FUSE.set(below(6));
        let inserts = below(5) < 3;
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match inserts {
            true => tensor.insert(at, Bomb(k)).map(|_| ()),
            false => tensor.remove(at).map(|_| ()),
        }));
        FUSE.set(usize::MAX);
        match (done, inserts) {
            (Err(_), _) => panics += 1,
            (Ok(done), true) => {
                done.unwrap();
                model.insert(at.to_vec(), k);
            }
            (Ok(done), false) => {
                done.unwrap();
                model.remove(at.as_slice());
            }
        }
        if k % 100 == 0 {
            let held: Vec<(Vec<usize>, u32)> =
                tensor.triplets().into_iter().map(|(at, v)| (at, v.0)).collect();
            let expected: Vec<(Vec<usize>, u32)> = model.clone().into_iter().collect();
            assert_eq!(held, expected);
            Level::check(tensor.root(), 1).unwrap();
        }
    }
    assert!(panics > 100, "{panics}");
}

/// Levels of arrays below trees: what stands there is appended to in the order of positions, which is not that of entries.
#[test]
fn arrays_below_nodes() {
    use looplets::{BTree, CTree, GapBlockList, HybridBTree, RedBlack};
    fn one<L: Level<Value = f64>>(x: &[f64]) {
        let t: Tensor<L> = Tensor::from_dense([40, 7], x).unwrap();
        assert_eq!(t.to_dense(), x);
        Level::check(t.root(), 1).unwrap();
    }
    let x: Vec<f64> = (0..280).map(|k| if k % 3 == 0 { k as f64 + 0.5 } else { 0.0 }).collect();
    one::<BTree<SparseList<Element<f64>>, u32, 2>>(&x);
    one::<BTree<RunList<Element<f64>>, u32, 2>>(&x);
    one::<HybridBTree<Bitmap<Element<f64>>, u32, 2, 3>>(&x);
    one::<BTree<Hash<Element<f64>>, u32, 2>>(&x);
    one::<Bst<UnorderedList<Element<f64>>>>(&x);
    one::<CTree<SparseList<Element<f64>>, u32, 2>>(&x);
    one::<CTree<RunList<Element<f64>>, u32, 3>>(&x);
    one::<RedBlack<Bitmap<Element<f64>>>>(&x);
    one::<RedBlack<SparseList<Element<f64>>>>(&x);
    one::<GapBlockList<SparseList<Element<f64>>, u32, 4>>(&x);
}

thread_local! {
    /// How many drops there may be before one panics.
    static DROPS: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// A value whose `drop` panics at times.
#[derive(Clone, Debug, PartialEq)]
struct Mine(u32);

impl Drop for Mine {
    fn drop(&mut self) {
        DROPS.with(|drops| match drops.get() {
            usize::MAX => {}
            0 => {
                drops.set(usize::MAX);
                assert!(std::thread::panicking(), "the mine goes off");
            }
            left => drops.set(left - 1),
        });
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Inert;

impl looplets::Fill<Mine> for Inert {
    const VALUE: Mine = Mine(0);
}

/// Whatever drop panics: the tensor is whole, other entries are as they were, and the one at hand is as it was, gone, or as
/// it was to be.
fn mines<L: Grows<Value = Mine>>() {
    use std::collections::BTreeMap;
    let mut tensor: Tensor<L> = Tensor::new([4, 40]).unwrap();
    let mut model: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    let mut state = 11u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % n
    };
    let mut panics = 0;
    for k in 1..3_000u32 {
        let at = [below(4), below(40)];
        let (inserts, fuse) = (below(5) < 3, below(5));
        DROPS.set(fuse);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match inserts {
            true => tensor.insert(at, Mine(k)).map(drop),
            false => tensor.remove(at).map(drop),
        }));
        DROPS.set(usize::MAX);
        Level::check(tensor.root(), 1).unwrap();
        let held = tensor.get(at).map(|v| v.0).filter(|v| *v != 0);
        match done {
            Ok(done) => {
                done.unwrap();
                assert_eq!(held, inserts.then_some(k));
            }
            Err(_) => {
                panics += 1;
                let was = model.get(at.as_slice()).copied();
                assert!(held == was || held == inserts.then_some(k), "{held:?} of {was:?}");
            }
        }
        match held {
            Some(v) => model.insert(at.to_vec(), v),
            None => model.remove(at.as_slice()),
        };
        let all: BTreeMap<Vec<usize>, u32> =
            tensor.triplets().into_iter().map(|(at, v)| (at, v.0)).collect();
        assert_eq!(all, model);
    }
    assert!(panics > 100, "{panics}");
}

#[test]
fn panics_of_drops_leave_a_tensor_whole() {
    use looplets::{BTree, CTree, GapBlockList, HybridBTree, PackedCTree, RedBlack, TTree};
    type Leaf = Element<Mine, Inert>;
    mines::<Dense<Bst<Leaf>>>();
    mines::<Dense<RedBlack<Leaf>>>();
    mines::<Dense<LinkedList<Leaf>>>();
    mines::<Dense<BlockList<Leaf, u32, 3>>>();
    mines::<Dense<GapBlockList<Leaf, u32, 3>>>();
    mines::<Dense<TTree<Leaf, u32, 3>>>();
    mines::<Dense<BTree<Leaf, u32, 2>>>();
    mines::<Dense<CTree<Leaf, u32, 2>>>();
    mines::<Dense<PackedCTree<Leaf, 2>>>();
    mines::<Dense<HybridBTree<Leaf, u32, 2, 2>>>();
    mines::<Bst<BTree<Leaf, u32, 2>>>();
}

/// Links need not count as far as coordinates, and what is free is taken again where they count no further.
#[test]
fn links_count_nodes_alone() {
    let mut a: Tensor<LinkedList<Element<f64>, u32, u8>> = Tensor::new([60_000]).unwrap();
    for round in 0..50 {
        let mut n = 0;
        while a.insert([n * 1_000 + round], 0.5).is_ok() {
            n += 1;
        }
        assert!(n > 40, "{n}");
        a.root().check(1).unwrap();
        for k in 0..n {
            assert_eq!(a.remove([k * 1_000 + round]).unwrap(), Some(0.5));
        }
    }
    finch! { fn sum(a: &Tensor<LinkedList<Element<f64>, u32, u8>>) -> (b: Tensor<LinkedList<Element<f64>, u32, u8>>) { for i { b[i] = a[i] + a[i] } } }
    a.insert([59_999], -0.25).unwrap();
    assert_eq!(sum(&a).triplets(), [(vec![59_999], -0.5)]);
}
