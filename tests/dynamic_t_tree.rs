//! Trees of blocks: the suite, operations compared with a map, and kernels.

mod counted;
use counted::counted;
use looplets::conformance::changes;
use looplets::prelude::*;
use looplets::TTree;

/// Operations in release builds and, where each takes ten times as long, in debug builds.
const MANY: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The same for the other formats of a test.
const SOME: usize = if cfg!(debug_assertions) { 25_000 } else { 100_000 };

level! { type Tree = Tensor<TTree<Element<f64>>>; }
level! { type Pairs = Tensor<TTree<Element<f64>, u32, 2>>; }
level! { type RunVec = Tensor<RunList<Element<f64>>>; }
level! { type BandVec = Tensor<SparseBand<Element<f64>>>; }

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

/// Roots with first and last; counts, links and threads of nodes; free ones; of blocks of 16.
fn tree(r: &[u32], n: &[u32], free: &[u32], crd: &[u32]) -> TTree<Element<f64>> {
    counted(r, 3, |r| {
        let [n, free, crd] = [n, free, crd].map(<[u32]>::to_vec);
        let below = Element::new(vec![2.0; crd.len()]);
        TTree::new(99, r, n, free, crd, vec![], below)
    })
}

/// Two blocks of one of which node 0 is the root, or node 1: one of the two is as priorities say.
fn two(root: u32, counts: [u32; 2], threads: [u32; 2]) -> TTree<Element<f64>> {
    let (a, b) = (upto(0, counts[0]), upto(20, 20 + counts[1]));
    let words = match root {
        0 => [counts[0], 0, 2, threads[0], counts[1], 0, 0, threads[1]],
        _ => [counts[0], 0, 0, threads[0], counts[1], 1, 0, threads[1]],
    };
    tree(&[root + 1, 1, 2], &words, &[], &filled(&[&a, &b]))
}

/// The root of two nodes.
fn higher() -> u32 {
    let ok = |root| two(root, [12, 12], [2, 0]).check(1).is_ok();
    assert!(ok(0) != ok(1));
    u32::from(ok(1))
}

conformance! {
    mod t_tree: TTree;
    read walk, gallop, locate;
    also follow, lead;
    write insert over TTree;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "the lower of two is above": two(1 - higher(), [12, 12], [2, 0]),
        "blocks are to be one": two(higher(), [6, 6], [2, 0]),
        "a thread leads elsewhere": two(higher(), [12, 12], [1, 0]),
        "a thread goes around": two(higher(), [12, 12], [2, 1]),
        "a thread ends": two(higher(), [12, 12], [0, 0]),
        "a block leads to itself": tree(&[1, 1, 1], &[1, 1, 0, 0], &[], &filled(&[&[3]])),
        "a block leads nowhere": tree(&[1, 1, 1], &[1, 0, 9, 0], &[], &filled(&[&[3]])),
        "a block is empty": tree(&[1, 1, 1], &[0, 0, 0, 0], &[], &filled(&[&[]])),
        "a block has too many entries": tree(&[1, 1, 1], &[17, 0, 0, 0], &[], &filled(&[&upto(0, 16)])),
        "two fibers share a block": tree(&[1, 1, 1, 1, 1, 1], &[1, 0, 0, 0], &[], &filled(&[&[3]])),
        "coordinates descend": tree(&[1, 1, 1], &[2, 0, 0, 0], &[], &filled(&[&[3, 2]])),
        "a coordinate is beyond the size": tree(&[1, 1, 1], &[1, 0, 0, 0], &[], &filled(&[&[99]])),
        "there is no first": tree(&[1, 0, 1], &[1, 0, 0, 0], &[], &filled(&[&[3]])),
        "there is no last": tree(&[1, 1, 0], &[1, 0, 0, 0], &[], &filled(&[&[3]])),
        "a block is neither linked nor free": tree(&[0, 0, 0], &[0, 0, 0, 0], &[], &filled(&[&[]])),
        "a block is linked and free": tree(&[1, 1, 1], &[1, 0, 0, 0], &[0], &filled(&[&[3]])),
        "half a block": tree(&[1, 1, 1], &[1, 0, 0, 0], &[], &[0, 3]),
        "there is no fiber": tree(&[], &[], &[], &[]),
    }
}
conformance! {
    mod t_tree_dense: TTree;
    read walk;
    write insert over Dense;
}

#[test]
fn entries_come_and_go() {
    changes::<TTree<Element<f64>>>(&[800], MANY, 1);
    changes::<TTree<Element<f64>, u8, 1, u16>>(&[256], SOME, 2);
    changes::<TTree<Element<f64>, u32, 2>>(&[300], SOME, 3);
    changes::<TTree<Element<f64>, u32, 3>>(&[300], SOME, 4);
    changes::<TTree<Element<f64>, u32, 7>>(&[300], SOME, 5);
    changes::<Dense<TTree<Element<f64>, u16, 4>>>(&[9, 30], SOME, 6);
    changes::<TTree<TTree<Element<f64>, u32, 4>, u32, 3>>(&[20, 20], SOME, 7);
    changes::<TTree<Dense<TTree<Pattern>>>>(&[20, 3, 20], SOME, 9);
}

/// Kernels of a type of vector, beside others and itself; and long ones.
macro_rules! kernels_of {
    ($name:ident, $V:ident) => {
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
                for (n, back) in [(100_000, false), (100_000, true)] {
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

kernels_of!(tree_kernels, Tree);
kernels_of!(pair_kernels, Pairs);
