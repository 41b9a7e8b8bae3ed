//! Linked lists of blocks with holes: the suite, entries that come and go, what moves, and parts that are refused.

#[allow(dead_code, unused_macros)]
mod btrees;
mod counted;

use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::GapBlockList;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

/// Position 0, and these blocks of 16.
fn filled(blocks: &[&[u32]]) -> Vec<u32> {
    let mut crd = vec![0];
    for block in blocks {
        crd.extend(*block);
        crd.resize(crd.len() + 16 - block.len(), 0);
    }
    crd
}

fn upto(lo: u32, hi: u32) -> Vec<u32> {
    (lo..hi).collect()
}

/// Heads with their tails; slots in use and links of nodes; free ones; of blocks of 16.
fn list(h: &[u32], n: &[u32], free: &[u32], crd: &[u32]) -> GapBlockList<Element<f64>> {
    counted(h, 2, |h| {
        let [n, free, crd] = [n, free, crd].map(<[u32]>::to_vec);
        let below = Element::new(vec![2.0; crd.len()]);
        GapBlockList::new(99, h, n, free, crd, vec![], below)
    })
}

conformance! {
    mod level: GapBlockList;
    read walk, gallop, locate;
    also follow, lead;
    write insert over GapBlockList;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a block leads to itself": list(&[1, 1], &[1, 1], &[], &filled(&[&[3]])),
        "a block leads nowhere": list(&[1, 1], &[1, 9], &[], &filled(&[&[3]])),
        "a block is empty": list(&[1, 1], &[0, 0], &[], &filled(&[&[]])),
        "a block has too many slots": list(&[1, 1], &[17, 0], &[], &filled(&[&upto(0, 16)])),
        "coordinates descend": list(&[1, 1], &[3, 0], &[], &filled(&[&[3, 5, 4]])),
        "a hole does not repeat what is before it": list(&[1, 1], &[4, 0], &[], &filled(&[&[3, 5, 3, 7]])),
        "a coordinate is beyond the size": list(&[1, 1], &[2, 0], &[], &filled(&[&[3, 99]])),
        "the last slot is a hole": list(&[1, 1], &[2, 0], &[], &filled(&[&[3, 3]])),
        "a block repeats the last of the one before": list(&[1, 2], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[11]])),
        "two blocks overlap": list(&[1, 2], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[5]])),
        "the tail is not the last": list(&[1, 1], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[20]])),
        "blocks are to be one": list(&[1, 2], &[11, 2, 1, 0], &[], &filled(&[&upto(0, 11), &[20]])),
        "blocks with holes are to be one": list(&[1, 2], &[12, 2, 3, 0], &[], &filled(&[
            &[0, 0, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11], &[20, 20, 21],
        ])),
        "a block is neither linked nor free": list(&[0, 0], &[0, 0], &[], &filled(&[&[]])),
        "a block is linked and free": list(&[1, 1], &[1, 0], &[0], &filled(&[&[3]])),
        "half a block": list(&[1, 1], &[1, 0], &[], &[0, 3]),
        "half a node": list(&[1, 1], &[1], &[], &filled(&[&[3]])),
        "there is no fiber": list(&[], &[], &[], &[]),
        "a tail alone": list(&[0, 1], &[0, 0], &[0], &filled(&[&[]])),
    }
}
conformance! {
    mod dense: GapBlockList;
    read walk;
    write insert over Dense;
}

/// What is refused above differs from these; holes are not read.
#[test]
fn well_formed() {
    list(&[1, 2], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[20]])).check(1).unwrap();
    let holes = filled(&[&[3, 3, 3, 5, 5, 9]]);
    let a = Tensor::from_parts(list(&[1, 1], &[6, 0], &[], &holes)).unwrap();
    assert_eq!(a.triplets(), [(vec![3], 2.0), (vec![5], 2.0), (vec![9], 2.0)]);
    assert_eq!(a.stored(), 3);
    assert_eq!((a.get([3]), a.get([4]), a.get([5])), (Some(2.0), Some(0.0), Some(2.0)));
    let b: SparseVec<f64> = a.convert().unwrap();
    assert_eq!(b.stored(), 3);
}

#[test]
fn entries_come_and_go() {
    changes::<GapBlockList<Element<f64>>>(&[500], MANY, 1);
    changes::<GapBlockList<Element<f64>, u8, 1, u16>>(&[256 - 6], SOME, 2);
    changes::<GapBlockList<Element<f64>, u32, 2>>(&[300], SOME, 3);
    changes::<GapBlockList<Element<f64>, u32, 3>>(&[300], SOME, 4);
    changes::<GapBlockList<Element<f64>, u64, 7, u64>>(&[300], SOME, 5);
    changes::<Dense<GapBlockList<Element<f64>, u16, 4>>>(&[9, 30], SOME, 6);
    changes::<GapBlockList<GapBlockList<Element<f64>, u32, 4>, u32, 3>>(&[20, 20], SOME, 7);
    changes::<GapBlockList<Dense<GapBlockList<Pattern>>>>(&[20, 3, 20], SOME, 9);
    btrees::dense_rows::<GapBlockList<Dense<Element<f64>>, u16, 2, u16>>(90, 5);
    btrees::dense_rows::<GapBlockList<Dense<Element<f64>>>>(900, 3);
    btrees::exhausted::<GapBlockList<Element<f64>, u32, 4, u8>>();
}

/// The invariant holds after each operation, not only at times.
fn each_change<const B: usize>(n: usize) {
    let mut numbers = btrees::Numbers(B as u64);
    let mut a: Tensor<GapBlockList<Element<f64>, u32, B>> = Tensor::new([n]).unwrap();
    let mut model = std::collections::BTreeMap::new();
    for step in 0..20_000 {
        // Many, then few.
        let grows = numbers.below(10) < if step / 300 % 2 == 0 { 7 } else { 3 };
        let (i, x) = (numbers.below(n), step as f64);
        match grows {
            true => assert_eq!(a.insert([i], x).unwrap(), model.insert(i, x)),
            false => assert_eq!(a.remove([i]).unwrap(), model.remove(&i)),
        }
        if let Err(reason) = a.root().check(1) {
            panic!("step {step}: {reason}");
        }
        assert!(a.triplets().iter().map(|(at, x)| (&at[0], x)).eq(&model), "step {step}");
    }
}

#[test]
fn holes_after_each_change() {
    each_change::<1>(9);
    each_change::<2>(12);
    each_change::<3>(20);
    each_change::<4>(20);
    each_change::<5>(40);
    each_change::<16>(100);
}

/// The coordinates of the slots in use of the first node.
fn slots(a: &Tensor<GapBlockList<Element<f64>, u32, 8>>) -> Vec<u32> {
    let (_, _, nodes, _, crd, _, _) = a.clone().into_root().into_parts();
    crd[1..1 + nodes[0] as usize].to_vec()
}

#[test]
fn what_goes_leaves_a_hole() {
    let all = (0..8).map(|i| ([10 * i], 1.0));
    let mut a = Tensor::from_triplets([100], all, Refuse).unwrap();
    assert_eq!(slots(&a), [0, 10, 20, 30, 40, 50, 60, 70]);
    a.remove([30]).unwrap();
    assert_eq!(slots(&a), [0, 10, 20, 20, 40, 50, 60, 70]);
    // The hole is filled.
    a.insert([25], 2.0).unwrap();
    assert_eq!(slots(&a), [0, 10, 20, 25, 40, 50, 60, 70]);
    a.remove([20]).unwrap();
    a.remove([25]).unwrap();
    assert_eq!(slots(&a), [0, 10, 10, 10, 40, 50, 60, 70]);
    // What is between moves up to the nearest hole.
    a.insert([45], 3.0).unwrap();
    assert_eq!(slots(&a), [0, 10, 10, 40, 45, 50, 60, 70]);
    a.insert([5], 4.0).unwrap();
    assert_eq!(slots(&a), [0, 5, 10, 40, 45, 50, 60, 70]);
    // The next takes the place of the first; what is a hole at the end is not in use.
    a.remove([5]).unwrap();
    a.remove([0]).unwrap();
    assert_eq!(slots(&a), [10, 10, 10, 40, 45, 50, 60, 70]);
    for i in [60, 70] {
        a.remove([i]).unwrap();
    }
    assert_eq!(slots(&a), [10, 10, 10, 40, 45, 50]);
    let stored = [(vec![10], 1.0), (vec![40], 1.0), (vec![45], 3.0), (vec![50], 1.0)];
    assert_eq!(a.triplets(), stored);
}
