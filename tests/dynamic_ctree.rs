//! C-trees: the suite, entries that come and go, shapes that do not tell how they came about, and parts that are refused.

mod counted;
#[macro_use]
mod btrees;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::CTree;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

looplets::level! { type TreeVec<T> = Tensor<CTree<Element<T>>>; }
looplets::level! { type SmallVec<T> = Tensor<CTree<Element<T>, u32, 3>>; }
kernels_of!(chunks, TreeVec);
kernels_of!(small, SmallVec);

/// The parts of a tree.
#[derive(Clone)]
struct Parts {
    root: Vec<u32>,
    tree: Vec<u32>,
    tree_free: Vec<u32>,
    chunk: Vec<u32>,
    chunk_free: Vec<u32>,
    crd: Vec<u32>,
    spare: Vec<u32>,
    moves: Vec<u32>,
}

const LEN: usize = 4000;

fn parts<const B: usize>(a: Tensor<CTree<Element<f64>, u32, B>>) -> Parts {
    let (_, mut root, tree, tree_free, chunk, chunk_free, crd, spare, moves, _) =
        a.into_root().into_parts();
    // Without the number of entries.
    root.truncate(2);
    Parts { root, tree, tree_free, chunk, chunk_free, crd, spare, moves }
}

/// Heads at which a tree of all coordinates is split, in order.
fn heads() -> Vec<usize> {
    let all = (0..LEN).map(|i| ([i], 1.0));
    let p = parts::<128>(Tensor::from_triplets([LEN], all, Refuse).unwrap());
    let mut heads: Vec<usize> = p.tree.chunks(4).map(|t| p.crd[t[0] as usize] as usize).collect();
    heads.sort();
    heads
}

/// A tree of a prefix, and of all heads but the last two; each entry is followed by a coordinate without one.
fn tree(change: impl FnOnce(&mut Parts)) -> CTree<Element<f64>> {
    let heads = heads();
    let last = heads[heads.len() - 2];
    let keeps = |i: &usize| {
        *i < last && (heads.contains(i) || !heads.contains(&(i + 1)) && i.is_multiple_of(2))
    };
    let all = (0..LEN).filter(|i| keeps(i) && !(i % 2 == 1 && heads.contains(&(i - 1))));
    let a = Tensor::from_triplets([LEN], all.map(|i| ([i], 1.0)), Refuse).unwrap();
    let mut p = parts::<128>(a);
    change(&mut p);
    counted(&p.root, 2, |root| {
        let Parts { tree, tree_free, chunk, chunk_free, crd, spare, moves, .. } = p.clone();
        let values = Element::new(vec![2.0; crd.len()]);
        CTree::new(LEN, root, tree, tree_free, chunk, chunk_free, crd, spare, moves, values)
    })
}

/// The head that is the root.
fn top(p: &Parts) -> usize {
    p.root[1] as usize - 1
}

/// The first entry of the prefix is where the last of the chunk of a head was.
fn rotated(p: &mut Parts) {
    // The root's child on the left takes its place, and keeps its own child on the right.
    let old = top(p);
    let new = p.tree[4 * old + 2] as usize - 1;
    p.tree[4 * old + 2] = p.tree[4 * new + 3];
    p.tree[4 * new + 3] = old as u32 + 1;
    p.root[1] = new as u32 + 1;
}

/// The last entry of the chunk of the root becomes a head that is not there.
fn promoted(p: &mut Parts) {
    let last = p.chunk.chunks(3).map(|c| (c[0] + c[2] - 1) as usize).max().unwrap();
    let heads = heads();
    p.crd[last] = heads[heads.len() - 1] as u32;
}

/// The prefix has room, and no entries.
fn emptied_prefix(p: &mut Parts) {
    p.chunk[2] = 0;
}

#[test]
fn the_parts_are_a_tree() {
    let a = Tensor::from_parts(tree(|_| {})).unwrap();
    assert!(a.stored() > 1000);
    let heads = heads();
    assert!(heads.len() > 15 && heads.len() < 60, "{heads:?}");
    for (change, reason) in [
        ((|p| p.crd[p.tree[0] as usize] += 1) as fn(&mut Parts), "which is no head"),
        (promoted, "which is a head"),
        (rotated, "is above that of"),
        (emptied_prefix, "has no entries"),
    ] {
        let found = Tensor::from_parts(tree(change)).unwrap_err().to_string();
        assert!(found.contains(reason), "{found}");
    }
}

conformance! {
    mod level: CTree;
    read walk, gallop, locate;
    also follow, lead;
    write insert over CTree;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "there is no fiber": tree(|p| p.root.clear()),
        "a coordinate is beyond the size": tree(|p| *p.crd.last_mut().unwrap() = LEN as u32),
        "coordinates of a chunk descend": tree(|p| p.crd.swap(1, 2)),
        "a head is before the prefix": tree(|p| p.crd.swap(1, p.tree[0] as usize)),
        "the root leads nowhere": tree(|p| p.root[1] = 1000),
        "the prefix leads nowhere": tree(|p| p.root[0] = 1000),
        "a head is below itself": tree(|p| { let k = top(p); p.tree[4 * k + 2] = k as u32 + 1; }),
        "a head has two parents": tree(|p| { let k = top(p); p.tree[4 * k + 2] = p.tree[4 * k + 3]; }),
        "two fibers share a tree": tree(|p| p.root.extend([0, 1])),
        "two heads share a chunk": tree(|p| p.tree[1] = p.tree[5]),
        "a head is neither linked nor free": tree(|p| p.tree.extend([0; 4])),
        "a chunk is neither linked nor free": tree(|p| p.chunk.extend([0; 3])),
        "a head is linked and free": tree(|p| p.tree_free.push(0)),
        "a chunk is linked and free": tree(|p| p.chunk_free.push(0)),
        "a chunk has more entries than room": tree(|p| p.chunk[1] -= 1),
        "a chunk says of fewer entries than there are": tree(|p| { p.chunk[1] -= 1; p.chunk[2] -= 1; }),
        "two chunks are at the same positions": tree(|p| p.chunk[3] = p.chunk[0]),
        "a head is at the scratch": tree(|p| p.tree[0] = 0),
        "a chunk is where there is nothing": tree(|p| p.chunk[0] = p.crd.len() as u32 - 1),
        "words of a head are missing": tree(|p| { p.tree.pop(); }),
        "words of a chunk are missing": tree(|p| { p.chunk.pop(); }),
        "a position is neither some node's nor spare": tree(|p| p.crd.push(0)),
        "what is spare is taken": tree(|p| p.spare = vec![p.crd.len() as u32, 0, 1, 1]),
        "entries are on their way": tree(|p| p.moves = vec![1, 2]),
        "a head is no head": tree(|p| p.crd[p.tree[0] as usize] += 1),
        "a tail entry is a head": tree(promoted),
        "priorities are out of order": tree(rotated),
        "a chunk is empty": tree(emptied_prefix),
    }
}

#[test]
fn entries_come_and_go() {
    changes::<CTree<Element<f64>>>(&[5000], MANY, 1);
    changes::<CTree<Element<f64>, u32, 1>>(&[500], SOME, 2);
    changes::<CTree<Element<f64>, u32, 2>>(&[500], SOME, 3);
    changes::<CTree<Element<f64>, u32, 3>>(&[900], SOME, 4);
    changes::<CTree<Element<f64>, u64, 16>>(&[900], SOME, 5);
    changes::<CTree<Pattern, u8, 6, u16>>(&[256], SOME, 6);
    changes::<Dense<CTree<Element<f64>, u8, 3>>>(&[9, 60], SOME, 7);
    changes::<CTree<CTree<Element<f64>, u32, 3>, u32, 2>>(&[20, 20], SOME, 8);
    changes::<CTree<Dense<CTree<Pattern, u8, 2, u16>>>>(&[20, 3, 20], SOME, 10);
    btrees::dense_rows::<CTree<Dense<Element<f64>>, u16, 2, u16>>(90, 5);
    btrees::dense_rows::<CTree<Dense<Element<f64>>>>(900, 3);
}

/// What the tree looks like: the prefix, then each head with its depth and its chunk.
fn shape<const B: usize>(a: Tensor<CTree<Element<f64>, u32, B>>) -> Vec<(usize, Vec<u32>)> {
    let p = parts(a);
    let chunk = |link: u32| match link.checked_sub(1) {
        Some(k) => {
            let [first, n] = [0, 2].map(|w| p.chunk[3 * k as usize + w] as usize);
            p.crd[first..first + n].to_vec()
        }
        None => Vec::new(),
    };
    let mut all = Vec::new();
    let Some(&[prefix, root]) = p.root.first_chunk() else { return all };
    all.push((0, chunk(prefix)));
    let mut left = vec![(root, 1)];
    while let Some((link, depth)) = left.pop() {
        let Some(k) = link.checked_sub(1) else { continue };
        let [at, t, l, r] = [0, 1, 2, 3].map(|w| p.tree[4 * k as usize + w]);
        all.push((depth, [vec![p.crd[at as usize]], chunk(t)].concat()));
        left.extend([(r, depth + 1), (l, depth + 1)]);
    }
    all
}

/// Trees of the same entries, whatever came and went, look alike.
fn no_history<const B: usize>(n: usize) {
    let mut numbers = btrees::Numbers(B as u64);
    let kept: Vec<usize> = (0..n).filter(|_| numbers.below(3) > 0).collect();
    let all = kept.iter().map(|i| ([*i], 1.0));
    let built: Tensor<CTree<Element<f64>, u32, B>> =
        Tensor::from_triplets([n], all.clone(), Refuse).unwrap();
    let expected = shape(built);
    assert_eq!(expected.iter().map(|(_, c)| c.len()).sum::<usize>(), kept.len());
    for order in 0..3 {
        let mut a: Tensor<CTree<Element<f64>, u32, B>> = Tensor::new([n]).unwrap();
        let mut came: Vec<usize> = (0..n).collect();
        match order {
            0 => came.reverse(),
            1 => (1..n).for_each(|k| came.swap(k, numbers.below(k + 1))),
            _ => {}
        }
        for i in came.iter().chain(&came[..n / 2]) {
            a.insert([*i], 1.0).unwrap();
            if order == 2 && i % 3 == 0 {
                a.remove([i / 3]).unwrap();
            }
        }
        for i in (0..n).filter(|i| kept.binary_search(i).is_err()) {
            a.remove([i]).unwrap();
        }
        for i in &kept {
            a.insert([*i], 1.0).unwrap();
        }
        a.root().check(1).unwrap();
        assert!(shape(a) == expected, "B = {B}, order {order}");
    }
}

#[test]
fn shapes_do_not_depend_on_history() {
    no_history::<1>(1000);
    no_history::<2>(1000);
    no_history::<16>(5000);
    no_history::<128>(20_000);
}

#[test]
fn what_is_built_is_in_the_order_of_a_walk() {
    for n in [0, 1, 2, 3, 10, 100, 1000, 10_000] {
        let all: Vec<_> = (0..n).map(|i| (vec![3 * i], 1.0)).collect();
        let a: TreeVec<f64> = Tensor::from_triplets([3 * n + 1], all.clone(), Refuse).unwrap();
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), all);
        let p = parts(a);
        assert_eq!(
            p.crd.iter().skip(1).map(|i| *i as usize).collect::<Vec<_>>(),
            (0..n).map(|i| 3 * i).collect::<Vec<_>>()
        );
        assert!(p.chunk.chunks(3).all(|c| c[1] == c[2]));
    }
}

/// Where links do not count so far, entries are refused, and what was there stays.
#[test]
fn links_that_count_no_further_are_refused() {
    btrees::exhausted::<CTree<Element<f64>, u32, 8, u8>>();
    // Chunks that become one, if links count the positions.
    let n = 250;
    let all = (0..n).map(|i| ([i], 1.0));
    let p = parts::<32>(Tensor::from_triplets([n], all, Refuse).unwrap());
    let heads: Vec<usize> = p.tree.chunks(4).map(|t| p.crd[t[0] as usize] as usize).collect();
    for head in heads.iter().copied() {
        let mut a: Tensor<CTree<Element<f64>, u32, 32, u8>> = Tensor::new([n]).unwrap();
        a.insert([head], 1.0).unwrap();
        let around = (1..n).flat_map(|k| [head.wrapping_sub(k), head + k]);
        for i in around.filter(|i| *i < n && !heads.contains(i)) {
            if a.insert([i], 2.0).is_err() {
                break;
            }
        }
        let mut all = a.triplets();
        if a.remove([head]).is_ok() {
            all.retain(|(at, _)| at != &[head]);
        }
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), all);
    }
}
