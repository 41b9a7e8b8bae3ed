//! Hybrids of arrays and B-trees: the suite, entries that come and go, parts that are refused, and kernels.

mod counted;
#[macro_use]
mod btrees;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::HybridBTree;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

looplets::level! { type MixedVec<T> = Tensor<HybridBTree<Element<T>>>; }
looplets::level! { type SmallVec<T> = Tensor<HybridBTree<Element<T>, u32, 2, 3>>; }
kernels_of!(blocks, MixedVec);
kernels_of!(small, SmallVec);

/// The parts of a full root, and a tree of one leaf.
struct Parts {
    root: Vec<u32>,
    internal: Vec<u32>,
    leaf: Vec<u32>,
    leaf_free: Vec<u32>,
    crd: Vec<u32>,
    spare: Vec<u32>,
    moves: Vec<u32>,
}

fn hybrid(change: impl FnOnce(&mut Parts)) -> HybridBTree<Element<f64>> {
    // The entries in place are at 1, the leaf is at 13.
    let mut crd = vec![0; 45];
    (1..16).for_each(|q| crd[q] = q as u32);
    let mut parts = Parts {
        root: vec![1, 2, 12],
        internal: vec![],
        leaf: vec![13, 3],
        leaf_free: vec![],
        crd,
        spare: vec![],
        moves: vec![],
    };
    change(&mut parts);
    let Parts { root, internal, leaf, leaf_free, crd, spare, moves } = parts;
    counted(&root, 3, |root| {
        let (internal, leaf, leaf_free) = (internal.clone(), leaf.clone(), leaf_free.clone());
        let values = Element::new(vec![2.0; crd.len()]);
        let (crd, spare, moves) = (crd.clone(), spare.clone(), moves.clone());
        HybridBTree::new(100, root, internal, vec![], leaf, leaf_free, crd, spare, moves, values)
    })
}

/// The leaf is below an internal node that has another leaf behind its entry, which has one behind it.
fn internal(p: &mut Parts) {
    p.root[1] = 1;
    p.internal = vec![45, 2, 1, 4];
    p.internal.resize(35, 0);
    p.leaf = vec![13, 16, 77, 1];
    p.crd.resize(109, 0);
    (13..29).for_each(|q| p.crd[q] = q as u32);
    (p.crd[45], p.crd[77]) = (50, 60);
}

#[test]
fn the_parts_are_a_hybrid() {
    assert_eq!(Tensor::from_parts(hybrid(|_| {})).unwrap().stored(), 15);
    assert_eq!(Tensor::from_parts(hybrid(internal)).unwrap().stored(), 30);
    for (change, reason) in [
        ((|p| p.root[2] = 11) as fn(&mut Parts), "in place 11 entries of 12"),
        (
            |p| {
                internal(p);
                p.leaf[1] = 15;
            },
            "has 15 entries, fewer than half of 32",
        ),
    ] {
        let found = Tensor::from_parts(hybrid(change)).unwrap_err().to_string();
        assert!(found.contains(reason), "{found}");
    }
}

conformance! {
    mod level: HybridBTree;
    read walk, gallop, locate;
    also follow, lead;
    write insert over HybridBTree;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "there is no fiber": hybrid(|p| p.root.clear()),
        "a coordinate is beyond the size": hybrid(|p| p.crd[15] = 100),
        "coordinates in place descend": hybrid(|p| p.crd[3] = 1),
        "coordinates of the tree are among those in place": hybrid(|p| p.crd[13] = 12),
        "there is a tree, and room in place": hybrid(|p| p.root[2] = 11),
        "there are more in place than may be": hybrid(|p| p.root[2] = 13),
        "there are entries in place, and no room": hybrid(|p| p.root[0] = 0),
        "the root is at the positions of a leaf": hybrid(|p| p.root[0] = 13),
        "the root is where there is nothing": hybrid(|p| p.root[0] = 40),
        "a link leads nowhere": hybrid(|p| p.root[1] = 4),
        "two fibers share a tree": hybrid(|p| p.root.extend([0, 2, 0])),
        "words of a root are missing": hybrid(|p| { p.root.pop(); }),
        "a leaf is neither linked nor free": hybrid(|p| p.leaf.extend([0, 0])),
        "a leaf is linked and free": hybrid(|p| p.leaf_free.push(0)),
        "a leaf has no entries": hybrid(|p| p.leaf[1] = 0),
        "a node is below itself": hybrid(|p| { internal(p); p.internal[3] = 1; }),
        "a leaf has two parents": hybrid(|p| { internal(p); p.internal[3] = 2; }),
        "an entry is before what is before it": hybrid(|p| { internal(p); p.crd[45] = 20; }),
        "a leaf that is not at the right end is small": hybrid(|p| { internal(p); p.leaf[1] = 15; }),
        "a position is neither some node's nor spare": hybrid(|p| p.crd.push(0)),
        "what is spare is taken": hybrid(|p| p.spare = vec![45, 0, 13, 1]),
        "entries are on their way": hybrid(|p| p.moves = vec![1, 2]),
    }
}

#[test]
fn entries_come_and_go() {
    changes::<HybridBTree<Element<f64>>>(&[5000], MANY, 1);
    changes::<HybridBTree<Element<f64>, u32, 1, 2>>(&[500], SOME, 2);
    changes::<HybridBTree<Element<f64>, u32, 2, 3>>(&[500], SOME, 3);
    changes::<HybridBTree<Element<f64>, u32, 3, 4>>(&[900], SOME, 4);
    changes::<HybridBTree<Element<f64>, u64, 7, 5>>(&[900], SOME, 5);
    changes::<HybridBTree<Element<f64>, u32, 0, 2>>(&[90], SOME, 6);
    changes::<HybridBTree<Pattern, u8, 12, 6, u16>>(&[256], SOME, 6);
    changes::<Dense<HybridBTree<Element<f64>, u8, 4, 3>>>(&[9, 60], SOME, 7);
    changes::<Dense<HybridBTree<Element<f64>>>>(&[50, 30], SOME, 7);
    changes::<HybridBTree<HybridBTree<Element<f64>, u32, 3, 3>, u32, 2, 2>>(&[20, 20], SOME, 8);
    changes::<HybridBTree<Dense<HybridBTree<Pattern, u8, 1, 2, u16>>>>(&[20, 3, 20], SOME, 10);
    btrees::dense_rows::<HybridBTree<Dense<Element<f64>>, u16, 1, 2, u16>>(90, 5);
    btrees::dense_rows::<HybridBTree<Dense<Element<f64>>>>(900, 3);
}

#[test]
fn what_fits_in_place_has_no_tree() {
    let mut a: MixedVec<f64> = Tensor::new([100]).unwrap();
    for i in (0..13).rev() {
        a.insert([3 * i], 1.0).unwrap();
        let (_, roots, _, _, leaf, free, ..) = a.clone().into_root().into_parts();
        assert_eq!(roots[2], 12.min(13 - i as u32));
        assert_eq!(roots[1] > 0, i == 0);
        assert_eq!(leaf.len() / 2 > free.len(), i == 0);
    }
    // One in place goes, and the tree with it.
    a.remove([6]).unwrap();
    let (_, roots, ..) = a.into_root().into_parts();
    assert_eq!(roots[1..3], [0, 12]);
    for n in 0..100 {
        let all: Vec<_> = (0..n).map(|i| (vec![i], 1.0)).collect();
        let a: SmallVec<f64> = Tensor::from_triplets([n], all.clone(), Refuse).unwrap();
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), all);
    }
}

#[test]
fn links_that_count_no_further_are_refused() {
    btrees::exhausted::<HybridBTree<Element<f64>, u32, 3, 2, u8>>();
    btrees::exhausted::<HybridBTree<Element<f64>, u32, 12, 32, u8>>();
    btrees::exhausted::<HybridBTree<Element<f64>, u32, 100, 9, u8>>();
    btrees::exhausted::<HybridBTree<Element<f64>, u32, 300, 300, u8>>();
}
