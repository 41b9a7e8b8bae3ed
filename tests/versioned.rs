//! Snapshots: what is held stays as it was whatever comes, copies are caught up and not made anew, and errors and panics in
//! the middle leave versions that agree.

mod numbers;

use looplets::prelude::*;
use looplets::{BTree, Bst, CTree, Grows, Level, LinkedList, PackedCTree};
use numbers::{Numbers, HOSTILE};
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

level! { type Tree = Tensor<Dense<CTree<Element<f64>, u32, 4>>>; }
level! { type Chunks = Tensor<Dense<CTree<Pattern>>>; }

type Model = BTreeMap<Vec<usize>, u64>;
type Held<L> = Vec<(Arc<Tensor<L>>, Model)>;

fn bits<L: Level<Value = f64>>(t: &Tensor<L>) -> Model {
    t.triplets().into_iter().map(|(at, v)| (at, v.to_bits())).collect()
}

/// Random changes of all kinds, one tensor beside it that is given the same and of which no snapshot is taken.
fn agree<L: Grows<Value = f64> + Clone + PartialEq>(seed: u64) {
    let mut n = Numbers(seed);
    let shape = [7, 30];
    let mut plain: Tensor<L> = Tensor::new(shape).unwrap();
    let mut tensor = Versioned::new(plain.clone());
    let mut held: Held<L> = Vec::new();
    for step in 0..600 {
        let some: Vec<([usize; 2], f64)> = (0..n.below(if step % 50 == 0 { 300 } else { 9 }))
            .map(|_| ([n.below(7), n.below(30)], HOSTILE[n.below(8)]))
            .collect();
        match n.below(8) {
            0 => {
                tensor.extend(some.clone()).unwrap();
                plain.extend(some).unwrap();
            }
            1 => {
                let at: Vec<[usize; 2]> = some.into_iter().map(|e| e.0).collect();
                tensor.remove_all(at.clone()).unwrap();
                plain.remove_all(at).unwrap();
            }
            2 => {
                let kept = |at: &[usize], v: &f64| at[1] != step % 30 || *v == 0.1;
                tensor.retain(kept).unwrap();
                plain.retain(kept).unwrap();
            }
            3 if step % 10 == 0 => {
                tensor.compact().unwrap();
                plain.compact().unwrap();
            }
            4 if step % 10 == 0 => {
                let at = [n.below(7), n.below(30)];
                tensor.update(|t| t.insert(at, -0.25)).unwrap();
                plain.insert(at, -0.25).unwrap();
            }
            _ => {
                for (at, v) in some {
                    let (a, b) = match n.below(3) {
                        0 => (tensor.remove(at).unwrap(), plain.remove(at).unwrap()),
                        _ => (tensor.insert(at, v).unwrap(), plain.insert(at, v).unwrap()),
                    };
                    assert_eq!(a.map(f64::to_bits), b.map(f64::to_bits));
                }
            }
        }
        assert_eq!(bits(&tensor), bits(&plain));
        Level::check(tensor.root(), 1).unwrap();
        if n.below(3) == 0 {
            held.push((tensor.snapshot(), bits(&plain)));
        }
        if n.below(4) == 0 && !held.is_empty() {
            held.swap_remove(n.below(held.len()));
        }
        while held.len() > 5 {
            held.remove(0);
        }
        for (snapshot, expected) in &held {
            assert_eq!(&bits(snapshot), expected);
        }
        // As many as versions that were held at the last change, one that nobody reads, and that of the changes.
        assert!(tensor.copies() <= 8, "{} copies", tensor.copies());
    }
    assert_eq!(bits(&tensor.into_tensor()), bits(&plain));
}

#[test]
fn snapshots_stay_as_they_were() {
    agree::<Dense<CTree<Element<f64>, u32, 4>>>(3);
    agree::<Dense<PackedCTree<Element<f64>, 4>>>(12);
    agree::<Dense<BTree<Element<f64>, u32, 2>>>(5);
    agree::<Bst<LinkedList<Element<f64>>>>(7);
    agree::<Dense<HybridBTree<Element<f64>, u32, 2, 2>>>(9);
    agree::<CTree<BlockList<Element<f64>, u32, 3>, u32, 2>>(11);
}

/// A copy that is caught up is the same as one that had all changes from the beginning, to the number of each node.
#[test]
fn copies_are_the_same_nodes() {
    let mut n = Numbers(21);
    let mut tensor = Versioned::from(Tree::new([20, 400]).unwrap());
    let mut plain = Tree::new([20, 400]).unwrap();
    let mut last = tensor.snapshot();
    for round in 0..400 {
        for _ in 0..8 {
            let (at, v) = ([n.below(20), n.below(400)], n.below(50) as f64 + 0.5);
            match n.below(3) {
                0 => {
                    tensor.remove(at).unwrap();
                    plain.remove(at).unwrap();
                }
                _ => {
                    tensor.insert(at, v).unwrap();
                    plain.insert(at, v).unwrap();
                }
            }
        }
        assert!(*tensor == plain, "after {round} rounds");
        last = tensor.snapshot();
    }
    assert!(*last == plain);
}

thread_local! {
    static CLONES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    static FUSE: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// A value that counts how often it is cloned, and panics at times.
#[derive(Debug, PartialEq)]
struct Counted(u32);

impl Clone for Counted {
    fn clone(&self) -> Counted {
        CLONES.set(CLONES.get() + 1);
        if FUSE.get() == 0 {
            FUSE.set(usize::MAX);
            panic!("the fuse is lit");
        }
        FUSE.set(FUSE.get() - usize::from(FUSE.get() < usize::MAX));
        Counted(self.0)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Nothing;

impl looplets::Fill<Counted> for Nothing {
    const VALUE: Counted = Counted(0);
}

type Leaf = Element<Counted, Nothing>;

/// Who always holds the last snapshot and lets go of the one before costs two copies, and each change is made in both.
#[test]
fn changes_copy_what_they_change() {
    let mut tensor = Versioned::from(Tensor::<Dense<CTree<Leaf>>>::new([100, 1000]).unwrap());
    let all = (0..20_000u32).map(|k| ([k as usize % 100, k as usize / 100 * 5], Counted(k + 1)));
    tensor.extend(all).unwrap();
    let mut snapshot = tensor.snapshot();
    tensor.insert([0, 1], Counted(7)).unwrap();
    assert_eq!((tensor.copies(), snapshot.stored(), tensor.stored()), (2, 20_000, 20_001));
    CLONES.set(0);
    for k in 0..1000 {
        drop(snapshot);
        snapshot = tensor.snapshot();
        tensor.insert([k % 100, 2 + k / 100 * 5], Counted(9)).unwrap();
        assert_eq!(tensor.copies(), 2);
    }
    // Two copies of the value that comes, and what a copy of an arena that grows may take.
    assert!(CLONES.get() < 30_000, "{} clones", CLONES.get());
    assert_eq!((snapshot.stored(), tensor.stored()), (21_000, 21_001));

    // Nobody reads: nothing is made twice, and before long the second copy is gone.
    drop(snapshot);
    for k in 0..2_000 {
        tensor.insert([k % 100, 3 + k / 100 * 5], Counted(9)).unwrap();
    }
    assert_eq!(tensor.copies(), 1);
    // One that is held for long is given up too, and stays as it was.
    let old = tensor.snapshot();
    for k in 0..5_000 {
        tensor.insert([k % 100, 4 + k / 100 * 5], Counted(9)).unwrap();
    }
    assert_eq!((tensor.copies(), old.stored()), (1, 23_001));
}

#[test]
fn panics_and_errors_in_the_middle() {
    let mut tensor = Versioned::from(Tensor::<Dense<Bst<Leaf>>>::new([5, 60]).unwrap());
    let mut model: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    let mut n = Numbers(31);
    let mut held = Vec::new();
    let mut panics = 0;
    let read = |t: &Tensor<Dense<Bst<Leaf>>>| -> BTreeMap<Vec<usize>, u32> {
        let mut all = BTreeMap::new();
        t.for_each(|at, v| {
            all.insert(at.to_vec(), v.0);
        });
        all
    };
    for k in 1..5_000 {
        let at = [n.below(5), n.below(60)];
        let inserts = n.below(3) > 0;
        FUSE.set(n.below(12));
        let done = catch_unwind(AssertUnwindSafe(|| match inserts {
            true => tensor.insert(at, Counted(k)).map(drop),
            false => tensor.remove(at).map(drop),
        }));
        FUSE.set(usize::MAX);
        match done {
            Ok(done) => {
                done.unwrap();
                match inserts {
                    true => model.insert(at.to_vec(), k),
                    false => model.remove(at.as_slice()),
                };
            }
            Err(_) => panics += 1,
        }
        if k % 2 == 0 {
            held.push((tensor.snapshot(), model.clone()));
            if held.len() > 3 {
                held.remove(n.below(3));
            }
        }
        if k % 20 == 0 {
            assert_eq!(read(&tensor), model);
            held.iter().for_each(|(snapshot, expected)| assert_eq!(&read(snapshot), expected));
        }
    }
    assert!(panics > 100, "{panics}");

    // Coordinates outside, as many as the dimensions or not, and no room: all stay as they are.
    let mut small =
        Versioned::from(Tensor::<Dense<LinkedList<Element<f64>, u32, u8>>>::new([2, 500]).unwrap());
    let (mut stored, mut held) = (0, small.snapshot());
    assert!(matches!(small.insert([2, 0], 1.0), Err(Error::Index { dimension: 0, .. })));
    assert!(matches!(small.remove([0]), Err(Error::Rank { .. })));
    assert!(matches!(small.extend([([0, 0], 1.0), ([0, 500], 1.0)]), Err(Error::Index { .. })));
    assert!(matches!(small.remove_all([[7, 7]]), Err(Error::Index { .. })));
    for k in 0..500 {
        match small.insert([0, k], 0.5) {
            Ok(_) => stored += 1,
            Err(error) => assert!(error.to_string().contains("u8"), "{error}"),
        }
        assert_eq!(small.stored(), stored);
        if k % 3 == 0 {
            held = small.snapshot();
        }
    }
    assert!(40 < stored && stored < 255, "{stored}");
    assert_eq!(held.stored(), stored);
}

finch! {
    fn shared(a: &Chunks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
    fn added(a: &mut Tree, b: &Tree) { for i, j { a[i, j] += b[i, j] } }
}

/// Readers on other threads run kernels over what they hold, while changes come.
#[test]
fn readers_on_other_threads() {
    let size = 64;
    let mut graph = Versioned::from(Chunks::new([size; 2]).unwrap());
    let ones: DenseVec<f64> = Tensor::from_dense([size], &vec![1.0; size]).unwrap();
    std::thread::scope(|scope| {
        let mut readers = Vec::new();
        for round in 0..40 {
            for k in 0..size {
                graph.insert([k, (k * 7 + round) % size], true).unwrap();
            }
            let (snapshot, ones) = (graph.snapshot(), &ones);
            readers.push(scope.spawn(move || {
                (0..20).all(|_| {
                    shared(&snapshot, ones).to_dense().iter().all(|d| *d == (round + 1) as f64)
                })
            }));
        }
        assert!(readers.into_iter().all(|r| r.join().unwrap()));
    });
    assert_eq!(graph.stored(), 40 * size);
}

/// A kernel that writes in place, under a snapshot.
#[test]
fn kernels_in_place() {
    let mut tensor = Versioned::from(Tree::new([3, 9]).unwrap());
    tensor.extend([([0, 1], 0.5), ([2, 8], -0.0), ([1, 4], 1e308)]).unwrap();
    let before = tensor.snapshot();
    tensor.update(|t| added(t, &before));
    assert_eq!(before.get([0, 1]), Some(0.5));
    let all: Vec<f64> = tensor.triplets().into_iter().map(|e| e.1).collect();
    assert_eq!(all, [1.0, f64::INFINITY, 0.0]);
    tensor.insert([0, 1], 3.0).unwrap();
    let after = tensor.snapshot();
    tensor.update(|t| added(t, &after));
    assert_eq!((after.get([0, 1]), tensor.get([0, 1])), (Some(3.0), Some(6.0)));
}
