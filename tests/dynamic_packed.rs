//! C-trees whose coordinates are differences: the suite, entries near and far that come and go, kernels, and bytes that are
//! refused.

mod counted;
#[macro_use]
mod oracle;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::{Level, PackedCTree};
use oracle::*;
use std::collections::BTreeMap;

/// The parts of a tree.
#[derive(Clone)]
struct Parts {
    root: Vec<u32>,
    tree: Vec<u32>,
    tree_free: Vec<u32>,
    chunk: Vec<u32>,
    chunk_free: Vec<u32>,
    crd: Vec<u8>,
    spare: Vec<u32>,
    moves: Vec<u32>,
}

const LEN: usize = 4000;

fn parts<const B: usize>(a: Tensor<PackedCTree<Element<f64>, B>>) -> Parts {
    let (_, mut root, tree, tree_free, chunk, chunk_free, crd, spare, moves, _) =
        a.into_root().into_parts();
    // Without the number of entries.
    root.truncate(2);
    Parts { root, tree, tree_free, chunk, chunk_free, crd, spare, moves }
}

type Tree = PackedCTree<Element<f64>>;

/// A tree of every other coordinate.
fn tree(change: impl FnOnce(&mut Parts)) -> Tree {
    let all = (0..LEN).step_by(2).map(|i| ([i], 1.0));
    let mut p = parts::<128>(Tensor::from_triplets([LEN], all, Refuse).unwrap());
    change(&mut p);
    counted(&p.root, 2, |root| {
        let Parts { tree, tree_free, chunk, chunk_free, crd, spare, moves, .. } = p.clone();
        let values = Element::new(vec![2.0; crd.len()]);
        PackedCTree::new(LEN, root, tree, tree_free, chunk, chunk_free, crd, spare, moves, values)
    })
}

/// The head that is the root.
fn top(p: &Parts) -> usize {
    p.root[1] as usize - 1
}

/// The root's child on the left takes its place, and keeps its own child on the right.
fn rotated(p: &mut Parts) {
    let old = top(p);
    let new = p.tree[5 * old + 3] as usize - 1;
    p.tree[5 * old + 3] = p.tree[5 * new + 4];
    p.tree[5 * new + 4] = old as u32 + 1;
    p.root[1] = new as u32 + 1;
}

conformance! {
    mod level: PackedCTree;
    read walk, gallop, locate;
    also follow, lead;
    write insert over PackedCTree;
    leaf Pattern;
    refuse {
        "there is no fiber": tree(|p| p.root.clear()),
        "the root leads nowhere": tree(|p| p.root[1] = 1000),
        "the prefix leads nowhere": tree(|p| p.root[0] = 1000),
        "a head is below itself": tree(|p| { let k = top(p); p.tree[5 * k + 3] = k as u32 + 1; }),
        "two fibers share a tree": tree(|p| p.root.extend([0, 1])),
        "a head is neither linked nor free": tree(|p| p.tree.extend([0; 5])),
        "a chunk is neither linked nor free": tree(|p| p.chunk.extend([0; 3])),
        "a head is linked and free": tree(|p| p.tree_free.push(0)),
        "a chunk is linked and free": tree(|p| p.chunk_free.push(0)),
        "a chunk has more entries than bytes": tree(|p| p.chunk[2] = p.chunk[1] + 1),
        "two chunks are at the same bytes": tree(|p| p.chunk[3] = p.chunk[0]),
        "a head is at the scratch": tree(|p| p.tree[0] = 0),
        "a chunk is where there is nothing": tree(|p| p.chunk[0] = p.crd.len() as u32 - 1),
        "words of a head are missing": tree(|p| { p.tree.pop(); }),
        "words of a chunk are missing": tree(|p| { p.chunk.pop(); }),
        "a byte is neither some node's nor spare": tree(|p| p.crd.push(0)),
        "what is spare is taken": tree(|p| p.spare = vec![p.crd.len() as u32, 0, 1, 1]),
        "entries are on their way": tree(|p| p.moves = vec![1, 2]),
        "a head is no head": tree(|p| { let at = p.tree[0] as usize; p.crd[at] += 4; }),
        "priorities are out of order": tree(rotated),
        "a chunk is empty": tree(|p| p.chunk[2] = 0),
        "a coordinate is beyond the size": tree(|p| { let at = p.chunk[0] as usize; p.crd[at + 1] = 1 << 7; }),
    }
}

#[test]
fn entries_come_and_go() {
    changes::<PackedCTree<Element<f64>>>(&[5000], 60_000, 1);
    changes::<PackedCTree<Element<f64>, 1>>(&[500], 20_000, 2);
    changes::<PackedCTree<Element<f64>, 3>>(&[900], 20_000, 4);
    changes::<PackedCTree<Pattern, 6, u16>>(&[256], 20_000, 6);
    changes::<PackedCTree<Element<f64>, 16>>(&[1 << 40], 20_000, 5);
    changes::<Dense<PackedCTree<Element<f64>, 3>>>(&[9, 60], 20_000, 7);
    changes::<PackedCTree<PackedCTree<Element<f64>, 3>, 2>>(&[20, 20], 20_000, 8);
    changes::<PackedCTree<Bst<Element<f64>>, 4>>(&[20_000, 20], 20_000, 9);
    changes::<PackedCTree<Dense<PackedCTree<Pattern, 2, u16>>>>(&[20, 3, 20], 20_000, 10);
    changes::<Bst<PackedCTree<Pattern>>>(&[40, 40_000], 20_000, 11);
}

/// Differences at which a number takes a byte more, and some between.
const STEPS: [usize; 16] = [
    1,
    2,
    127,
    128,
    129,
    130,
    16_383,
    16_384,
    16_385,
    16_386,
    1 << 21,
    1 << 32,
    (1 << 32) + 1,
    1 << 49,
    1 << 56,
    (1 << 56) + 2,
];

/// Coordinates that ascend by such differences, the last of which is the last that there is.
fn far(numbers: &mut impl FnMut(usize) -> usize, n: usize) -> Vec<usize> {
    let mut all = vec![numbers(3)];
    for _ in 0..n {
        let few = if numbers(8) > 0 { 3 } else { 0 };
        let step = STEPS[numbers(STEPS.len() - few)];
        all.push(all[all.len() - 1] + step);
    }
    all.push(FAR - 1);
    all
}

const FAR: usize = i64::MAX as usize - 1;

fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |n| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    }
}

fn near_and_far<const B: usize>(seed: u64) {
    let mut numbers = dice(seed);
    let all = far(&mut numbers, 300);
    let mut a: Tensor<PackedCTree<Element<f64>, B>> = Tensor::new([FAR]).unwrap();
    let mut model = BTreeMap::new();
    for k in 0..4_000 {
        let i = all[numbers(all.len())];
        // Runs in which more come than go, and the other way.
        match numbers(8) < if k / 500 % 2 == 0 { 6 } else { 3 } {
            true => assert_eq!(a.insert([i], k as f64).unwrap(), model.insert(vec![i], k as f64)),
            false => assert_eq!(a.remove([i]).unwrap(), model.remove(&vec![i])),
        }
        assert_eq!(a.get([i]), Some(model.get(&vec![i]).copied().unwrap_or(0.0)));
        if k % 50 == 0 {
            a.root().check(1).unwrap();
            let expected: Vec<_> = model.clone().into_iter().collect();
            assert_eq!(a.triplets(), expected);
            let built: Tensor<PackedCTree<Element<f64>, B>> =
                Tensor::from_triplets([FAR], expected.clone(), Refuse).unwrap();
            built.root().check(1).unwrap();
            assert_eq!(built.triplets(), expected);
            assert!(built == a);
        }
    }
}

#[test]
fn coordinates_near_and_far() {
    near_and_far::<1>(1);
    near_and_far::<2>(2);
    near_and_far::<8>(3);
    near_and_far::<128>(4);
    near_and_far::<100_000>(5);
}
