//! B-trees: the suite, entries that come and go, parts that are refused, and kernels.

mod counted;
#[macro_use]
mod btrees;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::BTree;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

looplets::level! { type TreeVec<T> = Tensor<BTree<Element<T>>>; }
looplets::level! { type SmallVec<T> = Tensor<BTree<Element<T>, u32, 3>>; }
kernels_of!(blocks, TreeVec);
kernels_of!(small, SmallVec);

/// The parts of a tree of an internal node over two leaves.
struct Parts {
    root: Vec<u32>,
    internal: Vec<u32>,
    leaf: Vec<u32>,
    leaf_free: Vec<u32>,
    crd: Vec<u32>,
    spare: Vec<u32>,
    moves: Vec<u32>,
}

/// Words of an internal node of one entry.
fn internal(start: u32, before: u32, behind: u32) -> Vec<u32> {
    let mut words = vec![start, before, 1, behind];
    words.resize(35, 0);
    words
}

fn tree(change: impl FnOnce(&mut Parts)) -> BTree<Element<f64>> {
    // The leaves are at 1 and 33, the internal node at 65.
    let mut crd = vec![0; 97];
    (1..17).for_each(|q| crd[q] = q as u32);
    (crd[33], crd[34], crd[65]) = (60, 61, 50);
    let mut parts = Parts {
        root: vec![1],
        internal: internal(65, 2, 4),
        leaf: vec![1, 16, 33, 2],
        leaf_free: vec![],
        crd,
        spare: vec![],
        moves: vec![],
    };
    change(&mut parts);
    let Parts { root, internal, leaf, leaf_free, crd, spare, moves } = parts;
    counted(&root, 1, |root| {
        let (internal, leaf, leaf_free) = (internal.clone(), leaf.clone(), leaf_free.clone());
        let values = Element::new(vec![2.0; crd.len()]);
        let (crd, spare, moves) = (crd.clone(), spare.clone(), moves.clone());
        BTree::new(100, root, internal, vec![], leaf, leaf_free, crd, spare, moves, values)
    })
}

/// The leaf behind the entry is an internal node, over two leaves.
fn lopsided(p: &mut Parts) {
    p.internal[3] = 3;
    p.internal.extend(internal(97, 4, 6));
    p.leaf.extend([129, 1]);
    p.leaf[3] = 16;
    (33..49).for_each(|q| p.crd[q] = q as u32 + 20);
    p.crd.resize(161, 0);
    (p.crd[97], p.crd[129]) = (80, 90);
}

/// There is nothing behind the entry, and the leaf that was is free.
fn childless(p: &mut Parts) {
    p.internal[3] = 0;
    p.leaf[2..].fill(0);
    p.leaf_free = vec![1];
    p.spare = vec![97, 0, 33, 32];
}

#[test]
fn the_parts_are_a_tree() {
    let a = Tensor::from_parts(tree(|_| {})).unwrap();
    assert_eq!(a.stored(), 19);
    for (change, reason) in [
        ((|p| p.leaf[1] = 15) as fn(&mut Parts), "has 15 entries, fewer than half of 32"),
        (lopsided, "not all at one depth"),
        (childless, "no node before or behind"),
    ] {
        let found = Tensor::from_parts(tree(change)).unwrap_err().to_string();
        assert!(found.contains(reason), "{found}");
    }
}

conformance! {
    mod level: BTree;
    read walk, gallop, locate;
    also follow, lead;
    write insert over BTree;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "there is no fiber": tree(|p| p.root.clear()),
        "a coordinate is beyond the size": tree(|p| p.crd[34] = 100),
        "coordinates of a leaf descend": tree(|p| p.crd[3] = 1),
        "an entry is after what is behind it": tree(|p| p.crd[65] = 60),
        "an entry is before what is before it": tree(|p| p.crd[65] = 16),
        "a link leads nowhere": tree(|p| p.internal[3] = 8),
        "the root leads nowhere": tree(|p| p.root[0] = 3),
        "a node is below itself": tree(|p| p.internal[3] = 1),
        "a leaf has two parents": tree(|p| p.internal[3] = 2),
        "two fibers share a tree": tree(|p| p.root.push(1)),
        "a leaf is neither linked nor free": tree(|p| p.leaf.extend([0, 0])),
        "a leaf is linked and free": tree(|p| p.leaf_free.push(1)),
        "a leaf has no entries": tree(|p| p.leaf[3] = 0),
        "a leaf has too many entries": tree(|p| p.leaf[3] = 33),
        "an internal node has too many entries": tree(|p| p.internal[2] = 33),
        "two leaves are at the same positions": tree(|p| p.leaf[2] = 1),
        "a leaf is at the scratch": tree(|p| p.leaf[0] = 0),
        "a leaf is where there is nothing": tree(|p| p.leaf[2] = 90),
        "words of a node are missing": tree(|p| { p.internal.pop(); }),
        "a position is neither some node's nor spare": tree(|p| p.crd.push(0)),
        "what is spare is taken": tree(|p| p.spare = vec![97, 0, 33, 1]),
        "entries are on their way": tree(|p| p.moves = vec![1, 2]),
        "a leaf that is not at the right end is small": tree(|p| p.leaf[1] = 15),
        "leaves are at different depths": tree(lopsided),
        "there is nothing behind an entry": tree(childless),
    }
}

#[test]
fn entries_come_and_go() {
    changes::<BTree<Element<f64>>>(&[5000], MANY, 1);
    changes::<BTree<Element<f64>, u32, 2>>(&[500], SOME, 2);
    changes::<BTree<Element<f64>, u32, 3>>(&[500], SOME, 3);
    changes::<BTree<Element<f64>, u32, 4>>(&[900], SOME, 4);
    changes::<BTree<Element<f64>, u64, 5>>(&[900], SOME, 5);
    changes::<BTree<Pattern, u8, 6, u16>>(&[256], SOME, 6);
    changes::<Dense<BTree<Element<f64>, u8, 3>>>(&[9, 60], SOME, 7);
    changes::<BTree<BTree<Element<f64>, u32, 3>, u32, 2>>(&[20, 20], SOME, 8);
    changes::<BTree<Dense<BTree<Pattern, u8, 2, u16>>>>(&[20, 3, 20], SOME, 10);
    btrees::dense_rows::<BTree<Dense<Element<f64>>, u16, 2, u16>>(90, 5);
    btrees::dense_rows::<BTree<Dense<Element<f64>>>>(900, 3);
}

/// How many entries leaves have on average.
fn filled<const B: usize>(a: Tensor<BTree<Element<f64>, u32, B>>) -> f64 {
    let n = a.stored();
    let (_, _, _, _, leaf, free, ..) = a.into_root().into_parts();
    n as f64 / (leaf.len() / 2 - free.len()) as f64
}

#[test]
fn appended_entries_fill_nodes() {
    let n = 33_000;
    let mut a: TreeVec<f64> = Tensor::new([n]).unwrap();
    a.extend((0..n).map(|i| ([i], 1.0))).unwrap();
    assert!(filled(a) > 31.9);
    let a: TreeVec<f64> = Tensor::from_triplets([n], (0..n).map(|i| ([i], 1.0)), Refuse).unwrap();
    assert!(filled(a) > 32.9);
    // Of any number of entries a tree is made, each node of which has enough.
    for n in 0..200 {
        let all: Vec<_> = (0..n).map(|i| (vec![i], 1.0)).collect();
        let a: SmallVec<f64> = Tensor::from_triplets([n], all.clone(), Refuse).unwrap();
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), all);
        let a: Tensor<BTree<Element<f64>, u32, 2>> = a.convert().unwrap();
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), all);
    }
}

#[test]
fn links_that_count_no_further_are_refused() {
    btrees::exhausted::<BTree<Element<f64>, u32, 2, u8>>();
    btrees::exhausted::<BTree<Element<f64>, u32, 32, u8>>();
    btrees::exhausted::<BTree<Element<f64>, u32, 200, u8>>();
    btrees::exhausted::<BTree<Element<f64>, u32, 300, u8>>();
}
