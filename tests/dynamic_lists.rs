//! Linked lists, of entries and of blocks: the suite, operations compared with a map, and kernels.

mod counted;
use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::{BlockList, GapBlockList, LinkedList, UnsortedBlockList, VarBlockList};

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

level! { type List = Tensor<LinkedList<Element<f64>>>; }
level! { type Blocks = Tensor<BlockList<Element<f64>>>; }
level! { type Gaps = Tensor<GapBlockList<Element<f64>>>; }
level! { type Pairs = Tensor<BlockList<Element<f64>, u32, 2>>; }
level! { type Any = Tensor<VarBlockList<Element<f64>>>; }
level! { type Small = Tensor<VarBlockList<Element<f64>, u32, 3>>; }
level! { type RunVec = Tensor<RunList<Element<f64>>>; }
level! { type BandVec = Tensor<SparseBand<Element<f64>>>; }

fn values(n: usize) -> Element<f64> {
    Element::new(vec![2.0; n])
}

/// Heads with their tails, links of nodes, free ones.
fn list(h: &[u32], n: &[u32], free: &[u32], crd: &[u32]) -> LinkedList<Element<f64>> {
    counted(h, 2, |h| {
        let [n, free, crd] = [n, free, crd].map(<[u32]>::to_vec);
        let below = values(crd.len());
        LinkedList::new(9, h, n, free, crd, vec![], below)
    })
}

conformance! {
    mod linked: LinkedList;
    read walk, gallop, locate;
    also follow, lead;
    write insert over LinkedList;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a node leads to itself": list(&[1, 1], &[1], &[], &[0, 3]),
        "nodes lead around": list(&[1, 2], &[2, 1], &[], &[0, 3, 5]),
        "a link leads nowhere": list(&[1, 1], &[7], &[], &[0, 3]),
        "a head leads nowhere": list(&[7, 7], &[], &[], &[]),
        "two fibers share a node": list(&[1, 1, 1, 1], &[0], &[], &[0, 3]),
        "coordinates descend": list(&[1, 2], &[2, 0], &[], &[0, 5, 3]),
        "a coordinate comes twice": list(&[1, 2], &[2, 0], &[], &[0, 5, 5]),
        "a coordinate is beyond the size": list(&[1, 1], &[0], &[], &[0, 9]),
        "the tail is not the last": list(&[1, 1], &[2, 0], &[], &[0, 3, 5]),
        "there is no tail": list(&[1, 0], &[0], &[], &[0, 3]),
        "an empty list has a tail": list(&[0, 1], &[0], &[0], &[0, 3]),
        "a node is neither linked nor free": list(&[0, 0], &[0], &[], &[0, 3]),
        "a node is linked and free": list(&[1, 1], &[0], &[0], &[0, 3]),
        "a node is free twice": list(&[0, 0], &[0], &[0, 0], &[0, 3]),
        "a free node is not there": list(&[0, 0], &[], &[0], &[]),
        "a coordinate is missing": list(&[1, 1], &[0], &[], &[0]),
        "there is a coordinate too many": list(&[1, 1], &[0], &[], &[0, 3, 4]),
        "half a head": list(&[1], &[0], &[], &[0, 3]),
        "there is no fiber": list(&[], &[], &[], &[]),
        "there are fewer values": LinkedList::new(9, vec![1, 1, 1], vec![0], vec![], vec![0, 3], vec![], values(1)),
        "moves are left": LinkedList::new(9, vec![1, 1, 1], vec![0], vec![], vec![0, 3], vec![1, 1], values(2)),
    }
}
conformance! {
    mod linked_dense: LinkedList;
    read walk;
    write insert over Dense;
}

/// Heads with their tails, counts and links of nodes, free ones; of blocks of 16.
fn blocks(h: &[u32], n: &[u32], free: &[u32], crd: &[u32]) -> BlockList<Element<f64>> {
    counted(h, 2, |h| {
        let [n, free, crd] = [n, free, crd].map(<[u32]>::to_vec);
        let below = values(crd.len());
        BlockList::new(99, h, n, free, crd, vec![], below)
    })
}

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

conformance! {
    mod block: BlockList;
    read walk, gallop, locate;
    also follow, lead;
    write insert over BlockList;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a block leads to itself": blocks(&[1, 1], &[1, 1], &[], &filled(&[&[3]])),
        "a block leads nowhere": blocks(&[1, 1], &[1, 9], &[], &filled(&[&[3]])),
        "a block is empty": blocks(&[1, 1], &[0, 0], &[], &filled(&[&[]])),
        "a block has too many entries": blocks(&[1, 1], &[17, 0], &[], &filled(&[&upto(0, 16)])),
        "two fibers share a block": blocks(&[1, 1, 1, 1], &[1, 0], &[], &filled(&[&[3]])),
        "coordinates descend in a block": blocks(&[1, 1], &[2, 0], &[], &filled(&[&[3, 2]])),
        "coordinates descend between blocks": blocks(&[1, 2], &[12, 2, 2, 0], &[], &filled(&[&upto(0, 12), &[11, 20]])),
        "a coordinate is beyond the size": blocks(&[1, 1], &[1, 0], &[], &filled(&[&[99]])),
        "the tail is not the last": blocks(&[1, 1], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[20]])),
        "blocks are to be one": blocks(&[1, 2], &[11, 2, 1, 0], &[], &filled(&[&upto(0, 11), &[20]])),
        "a block is neither linked nor free": blocks(&[0, 0], &[0, 0], &[], &filled(&[&[]])),
        "a block is linked and free": blocks(&[1, 1], &[1, 0], &[0], &filled(&[&[3]])),
        "half a block": blocks(&[1, 1], &[1, 0], &[], &[0, 3]),
        "half a node": blocks(&[1, 1], &[1], &[], &filled(&[&[3]])),
        "there is no fiber": blocks(&[], &[], &[], &[]),
        "a tail alone": blocks(&[0, 1], &[0, 0], &[0], &filled(&[&[]])),
    }
}
conformance! {
    mod block_dense: BlockList;
    read walk;
    write insert over Dense;
}

/// Heads, counts and links of nodes, free ones; of blocks of 16.
fn unsorted(h: &[u32], n: &[u32], free: &[u32], crd: &[u32]) -> UnsortedBlockList<Element<f64>> {
    counted(h, 1, |h| {
        let [n, free, crd] = [n, free, crd].map(<[u32]>::to_vec);
        let below = values(crd.len());
        UnsortedBlockList::new(99, h, n, free, crd, vec![], below)
    })
}

conformance! {
    mod unsorted_block: UnsortedBlockList;
    read scan, locate;
    write insert over UnsortedBlockList;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a block leads to itself": unsorted(&[1], &[1, 1], &[], &filled(&[&[3]])),
        "a block leads nowhere": unsorted(&[1], &[1, 9], &[], &filled(&[&[3]])),
        "a block is empty": unsorted(&[1], &[0, 0], &[], &filled(&[&[]])),
        "a block has too many entries": unsorted(&[1], &[17, 0], &[], &filled(&[&upto(0, 16)])),
        "two fibers share a block": unsorted(&[1, 1], &[1, 0], &[], &filled(&[&[3]])),
        "a coordinate comes twice in a block": unsorted(&[1], &[3, 0], &[], &filled(&[&[3, 2, 3]])),
        "a coordinate comes twice": unsorted(&[1], &[1, 2, 16, 0], &[], &filled(&[&[7], &upto(0, 16)])),
        "a coordinate is beyond the size": unsorted(&[1], &[1, 0], &[], &filled(&[&[99]])),
        "a block behind the first is not full": unsorted(&[1], &[1, 2, 15, 0], &[], &filled(&[&[70], &upto(0, 15)])),
        "a block is neither linked nor free": unsorted(&[0], &[0, 0], &[], &filled(&[&[]])),
        "a block is linked and free": unsorted(&[1], &[1, 0], &[0], &filled(&[&[3]])),
        "half a block": unsorted(&[1], &[1, 0], &[], &[0, 3]),
        "half a node": unsorted(&[1], &[1], &[], &filled(&[&[3]])),
        "there is no fiber": unsorted(&[], &[], &[], &[]),
    }
}
conformance! {
    mod unsorted_dense: UnsortedBlockList;
    read scan;
    write insert over Dense;
}

/// Heads with their tails; start, room, count and link of nodes; free ones; spare positions.
fn any(
    h: &[u32],
    n: &[u32],
    free: &[u32],
    crd: &[u32],
    spare: &[u32],
) -> VarBlockList<Element<f64>> {
    counted(h, 2, |h| {
        let [n, free, crd, spare] = [n, free, crd, spare].map(<[u32]>::to_vec);
        let below = values(crd.len());
        VarBlockList::new(99, h, n, free, crd, spare, vec![], below)
    })
}

conformance! {
    mod var_block: VarBlockList;
    read walk, gallop, locate;
    also follow, lead;
    write insert over VarBlockList;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a block leads to itself": any(&[1, 1], &[1, 1, 1, 1], &[], &[0, 3], &[2, 0]),
        "a block leads nowhere": any(&[1, 1], &[1, 1, 1, 5], &[], &[0, 3], &[2, 0]),
        "a block is empty": any(&[1, 1], &[1, 1, 0, 0], &[], &[0, 3], &[2, 0]),
        "a block has more entries than room": any(&[1, 1], &[1, 1, 2, 0], &[], &[0, 3, 4], &[2, 1]),
        "two blocks share their room": any(&[1, 2], &[1, 1, 1, 2, 1, 1, 1, 0], &[], &[0, 3], &[2, 0]),
        "a block has no room at position 0": any(&[1, 1], &[0, 1, 1, 0], &[], &[0, 3], &[1, 1]),
        "room is beyond the end": any(&[1, 1], &[1, 9, 1, 0], &[], &[0, 3], &[2, 0]),
        "room is where there is none": any(&[1, 1], &[u32::MAX, 9, 1, 0], &[], &[0, 3], &[1, 1]),
        "coordinates descend": any(&[1, 1], &[1, 2, 2, 0], &[], &[0, 3, 2], &[3, 0]),
        "a coordinate is beyond the size": any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 99], &[2, 0]),
        "the tail is not the last": any(&[1, 1], &[1, 1, 1, 2, 2, 1, 1, 0], &[], &[0, 3, 4], &[3, 0]),
        "a block is neither linked nor free": any(&[0, 0], &[0, 0, 0, 0], &[], &[0], &[1, 0]),
        "a position is neither room nor spare": any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 3, 4], &[3, 0]),
        "room is spare": any(&[1, 1], &[1, 2, 1, 0], &[], &[0, 3, 4], &[2, 1]),
        "half a pair is spare": any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 3], &[2]),
        "what is left at the end is not there": any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 3], &[1, 0]),
        "what is left at the end is before others": any(&[1, 1], &[2, 1, 1, 0], &[], &[0, 0, 3], &[1, 1]),
        "position 0 is spare": any(&[0, 0], &[], &[], &[0], &[0, 1]),
        "there is no fiber": any(&[], &[], &[], &[], &[]),
    }
}
conformance! {
    mod var_block_dense: VarBlockList;
    read walk;
    write insert over Dense;
}

#[test]
fn entries_of_lists_come_and_go() {
    changes::<LinkedList<Element<f64>>>(&[100], MANY, 1);
    changes::<LinkedList<Element<f64>, u8, u16>>(&[256], SOME, 2);
    changes::<Dense<LinkedList<Element<f64>>>>(&[9, 30], SOME, 3);
    changes::<LinkedList<LinkedList<Element<f64>>>>(&[20, 20], SOME, 4);
    changes::<LinkedList<Dense<LinkedList<Pattern>>>>(&[20, 3, 20], SOME, 6);
}

#[test]
fn entries_of_blocks_come_and_go() {
    changes::<BlockList<Element<f64>>>(&[500], MANY, 1);
    changes::<BlockList<Element<f64>, u8, 1, u16>>(&[256], SOME, 2);
    changes::<BlockList<Element<f64>, u32, 2>>(&[300], SOME, 3);
    changes::<BlockList<Element<f64>, u32, 3>>(&[300], SOME, 4);
    changes::<BlockList<Element<f64>, u32, 7>>(&[300], SOME, 5);
    changes::<Dense<BlockList<Element<f64>, u16, 4>>>(&[9, 30], SOME, 6);
    changes::<BlockList<BlockList<Element<f64>, u32, 4>, u32, 3>>(&[20, 20], SOME, 7);
    changes::<BlockList<Dense<BlockList<Pattern>>>>(&[20, 3, 20], SOME, 9);
}

#[test]
fn entries_of_any_blocks_come_and_go() {
    changes::<VarBlockList<Element<f64>>>(&[800], MANY, 1);
    changes::<VarBlockList<Element<f64>, u8, 1, u16>>(&[256], SOME, 2);
    changes::<VarBlockList<Element<f64>, u32, 2>>(&[300], SOME, 3);
    changes::<VarBlockList<Element<f64>, u32, 3>>(&[300], SOME, 4);
    changes::<VarBlockList<Element<f64>, u32, 7>>(&[300], SOME, 5);
    changes::<Dense<VarBlockList<Element<f64>, u16, 4>>>(&[9, 30], SOME, 6);
    changes::<VarBlockList<VarBlockList<Element<f64>, u32, 4>, u32, 3>>(&[20, 20], SOME, 7);
    changes::<VarBlockList<Dense<VarBlockList<Pattern>>>>(&[20, 3, 20], SOME, 9);
}

#[test]
fn entries_in_no_order_come_and_go() {
    changes::<UnsortedBlockList<Element<f64>>>(&[500], 300_000, 1);
    changes::<UnsortedBlockList<Element<f64>, u8, 1, u16>>(&[256], SOME, 2);
    changes::<UnsortedBlockList<Element<f64>, u32, 2>>(&[300], SOME, 3);
    changes::<UnsortedBlockList<Element<f64>, u32, 7>>(&[300], SOME, 5);
    changes::<Dense<UnsortedBlockList<Element<f64>, u16, 4>>>(&[9, 30], SOME, 6);
    changes::<UnsortedBlockList<UnsortedBlockList<Element<f64>, u32, 4>, u32, 3>>(
        &[20, 20],
        100_000,
        7,
    );
    changes::<UnsortedBlockList<Dense<UnsortedBlockList<Pattern>>>>(&[20, 3, 20], SOME, 9);
}

/// Kernels of a type of vector, beside others and itself; and long ones, from the end of which `$back` entries are taken
/// (of a list of nodes, each of these takes a walk).
macro_rules! kernels_of {
    ($name:ident, $V:ident, $back:expr) => {
        mod $name {
            use super::*;
            finch! {
                fn total(a: &$V, s: &mut f64) { for i { s += a[i] } }
                fn union(a: &$V, b: &SparseVec<f64>) -> (c: $V) { for i { c[i] = a[i] + b[i] } }
                fn sparse(a: &$V, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } }
                fn runs(a: &$V, b: &RunVec, s: &mut f64) { for i { s += a[i] * b[i] } }
                fn band(a: &$V, b: &BandVec, s: &mut f64) { for i { s += a[i] * b[i] } }
                fn galloped(a: &$V, b: &$V, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } }
                fn led(a: &$V, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::lead] * b[i] } }
                fn updated(a: &SparseVec<f64>, c: &mut $V) { for i { c[i] += a[i] } }
            }
            fn vector(n: usize, seed: u64, share: u64) -> Vec<f64> {
                let mut state = seed;
                let mut next = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
                    state >> 33
                };
                let mut one = |_| if next() % share == 0 { (next() % 64) as f64 / 4.0 + 0.25 } else { 0.0 };
                (0..n).map(&mut one).collect()
            }
            fn dot(x: &[f64], y: &[f64]) -> f64 {
                x.iter().zip(y).map(|(x, y)| x * y).sum()
            }
            #[test]
            fn kernels() {
                for n in [0, 1, 50, 700] {
                    for (k, m) in [(1, 1), (1, 9), (3, 2), (9, 1), (50, 3), (4, 60)] {
                        let (x, y) = (vector(n, 5, k), vector(n, 6, m));
                        let (a, b) = ($V::from_dense([n], &x).unwrap(), $V::from_dense([n], &y).unwrap());
                        let c: SparseVec<f64> = b.convert().unwrap();
                        let mut s = [0.0; 5];
                        sparse(&a, &c, &mut s[0]);
                        runs(&a, &b.convert().unwrap(), &mut s[1]);
                        galloped(&a, &b, &mut s[2]);
                        led(&a, &c, &mut s[3]);
                        band(&a, &b.convert().unwrap(), &mut s[4]);
                        assert_eq!(s, [dot(&x, &y); 5]);
                        let sums: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
                        let both = union(&a, &c);
                        assert_eq!(both.to_dense(), sums);
                        let mut d = a.clone();
                        updated(&c, &mut d);
                        assert_eq!(d.to_dense(), sums);
                        both.root().check(1).unwrap();
                        d.root().check(1).unwrap();
                    }
                }
            }
            #[test]
            fn many() {
                // More than a stack has room for.
                let n = 250_000;
                let all = (0..n).map(|i| ([2 * i], 1.0));
                let a: $V = Tensor::from_triplets([2 * n], all, Refuse).unwrap();
                let mut s = 0.0;
                total(&a, &mut s);
                assert_eq!(s, n as f64);
                let b: SparseVec<f64> = a.convert().unwrap();
                let c: $V = b.convert().unwrap();
                assert_eq!(c.clone(), a);
                // A kernel appends.
                let d = union(&c, &b);
                assert_eq!(d.stored(), n);
                d.root().check(1).unwrap();
                drop((a, c));
                let mut e = $V::new(&[2 * n]).unwrap();
                for i in 0..n {
                    assert_eq!(e.insert([2 * i + 1], 1.0).unwrap(), None);
                }
                e.root().check(1).unwrap();
                assert_eq!((e.stored(), d.stored()), (n, n));
            }
            #[test]
            fn emptied() {
                for (n, back) in [(100_000, false), ($back, true)] {
                    let all = (0..n).map(|i| ([i], i as f64));
                    let mut a: $V = Tensor::from_triplets([n], all, Refuse).unwrap();
                    for k in 0..n {
                        let i = if back { n - 1 - k } else { k };
                        assert_eq!(a.remove([i]).unwrap(), Some(i as f64));
                        if k % 4999 == 0 {
                            a.root().check(1).unwrap();
                        }
                    }
                    a.root().check(1).unwrap();
                    assert_eq!(a.stored(), 0);
                }
            }
        }
    };
}

kernels_of!(list_kernels, List, 10_000);
kernels_of!(block_kernels, Blocks, 20_000);
kernels_of!(pair_kernels, Pairs, 10_000);
kernels_of!(any_kernels, Any, 100_000);
kernels_of!(small_kernels, Small, 100_000);
kernels_of!(gap_kernels, Gaps, 10_000);

/// What is refused above differs from these.
#[test]
fn well_formed() {
    for crd in [vec![0, 3], vec![0, 3, 8]] {
        let free = if crd.len() == 2 { vec![] } else { vec![1] };
        list(&[1, 1], &vec![0; crd.len() - 1], &free, &crd).check(1).unwrap();
    }
    list(&[1, 2], &[2, 0], &[], &[0, 3, 5]).check(1).unwrap();
    blocks(&[1, 1], &[1, 0], &[], &filled(&[&[3]])).check(1).unwrap();
    blocks(&[1, 2], &[12, 2, 1, 0], &[], &filled(&[&upto(0, 12), &[20]])).check(1).unwrap();
    unsorted(&[1], &[3, 0], &[], &filled(&[&[3, 98, 0]])).check(1).unwrap();
    unsorted(&[1], &[1, 2, 16, 0], &[], &filled(&[&[17], &upto(0, 16)])).check(1).unwrap();
    any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 3], &[2, 0]).check(1).unwrap();
    any(&[1, 2], &[1, 1, 1, 2, 2, 1, 1, 0], &[], &[0, 3, 4], &[3, 0]).check(1).unwrap();
    any(&[1, 1], &[1, 1, 1, 0], &[], &[0, 3, 4], &[2, 1]).check(1).unwrap();
}
