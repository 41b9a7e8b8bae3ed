//! C-trees whose coordinates are differences: the suite, entries near and far that come and go, kernels, and parts that are
//! refused.

mod counted;
extern crate looplets_oracle as oracle;

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

const FAR: usize = (1 << 61) - 1;

fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |n| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
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

level! { type Far = Tensor<PackedCTree<Element<f64>, 8>>; }
level! { type Rows = Tensor<Dense<PackedCTree<Element<f64>, 4>>>; }
level! { type Trees = Tensor<PackedCTree<PackedCTree<Element<f64>, 2>, 4>>; }

finch! {
    fn dot(a: &Far, b: &Far, s: &mut f64) { for i { s += a[i] * b[i] } }
    fn led(a: &Far, b: &Far, s: &mut f64) { for i { s += a[i::lead] * b[i::follow] } }
    fn leaps(a: &Far, b: &Far, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } }
    fn sought(a: &Far, b: &Far, s: &mut f64) { for i { s += a[i] * b[i::locate] } }
    fn plus(a: &Far, b: &Far) -> (y: Far) { for i { y[i] = a[i] + b[i] } }
    fn within(a: &Far, lo: usize, hi: usize, s: &mut f64) { for i in lo..hi { s += a[i] } }
}

/// The same over maps, whatever the distances.
#[test]
fn kernels_far() {
    let mut numbers = dice(17);
    for n in [0, 1, 2, 5, 30, 400] {
        let all = far(&mut numbers, 2 * n);
        let mut some = || -> BTreeMap<usize, f64> {
            let share = 1 + numbers(5);
            let all = all.iter().filter(|_| numbers(share) == 0);
            all.map(|i| (*i, (i % 64) as f64 + 1.0)).collect()
        };
        for (u, v) in (0..8).map(|_| (some(), some())) {
            let tensor = |m: &BTreeMap<usize, f64>| -> Far {
                Tensor::from_triplets([FAR], m.iter().map(|(i, v)| ([*i], *v)), Refuse).unwrap()
            };
            let (a, b) = (tensor(&u), tensor(&v));
            let product: f64 = u.iter().filter_map(|(i, x)| Some(x * v.get(i)?)).sum();
            for kernel in [dot, led, leaps, sought] {
                let mut s = 0.0;
                kernel(&a, &b, &mut s);
                assert_eq!(s, product);
            }
            let mut sum = u.clone();
            v.iter().for_each(|(i, x)| *sum.entry(*i).or_default() += x);
            let made = plus(&a, &b);
            made.root().check(1).unwrap();
            assert_eq!(
                made.triplets(),
                sum.iter().map(|(i, x)| (vec![*i], *x)).collect::<Vec<_>>()
            );
            for (lo, hi) in all.iter().flat_map(|i| [(0, *i), (*i, FAR)]).take(40) {
                let mut s = 0.0;
                within(&a, lo, hi, &mut s);
                assert_eq!(s, u.range(lo..hi).map(|(_, x)| x).sum::<f64>());
            }
        }
    }
}

kernels! {
    fn spmv(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn at_once(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        parallel for i { for j { y[i] += a[i, j] * x[j] } }
    };;
    fn joined(a: &Rows, b: &Csr<f64>) -> (y: Rows) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn three(a: &Rows, b: &Csr<f64>, c: &Trees) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = a[i, j] * b[i, j] - c[i, j] }
    };;
    fn product(a: &Rows, b: &Trees) -> (y: Trees) { for i, k, j { y[i, j] += a[i, k] * b[k, j] } };;
    fn windows(a: &Rows, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
        for i { for j in 0..2 { y[i] += a[i, window(lo, hi)[j]] } }
    };;
    fn galloped(a: &Rows, b: &Rows, s: &mut f64) {
        for i, j { s += a[i, j::gallop] * b[i, j::gallop] + a[i, j::locate] * 2 }
    }
}

#[test]
fn kernels_near() {
    for n in [3, 6, 11] {
        for kind in 0..KINDS {
            let other = (kind * 3 + 1) % KINDS;
            let (a, b, c) = (matrix(kind, [n, n]), matrix(other, [n, n]), matrix(other, [n, n]));
            let (d, x) = (matrix(other, [n, n]), Tensor::from_dense([n], &vec![0.75; n]).unwrap());
            let mut s = 0.25;
            agree!(spmv(&a, &x));
            agree!(at_once(&a, &x));
            let (lo, hi) = (1, 3);
            agree!(windows(&a, lo, hi));
            agree!(joined(&a, &b));
            agree!(three(&a, &b, &c));
            agree!(product(&a, &c));
            agree!(galloped(&a, &d, &mut s));
        }
    }
}

/// Longer rows, of which a block has many entries, beside the same in arrays.
#[test]
fn long_rows() {
    let mut numbers = dice(3);
    let (m, n) = (60, 3_000);
    let all: BTreeMap<[usize; 2], f64> = (0..20_000)
        .map(|_| ([numbers(m).min(numbers(m)), numbers(n)], numbers(90) as f64 + 0.5))
        .collect();
    let x: DenseVec<f64> =
        Tensor::from_dense([n], &(0..n).map(|j| j as f64).collect::<Vec<_>>()).unwrap();
    level! { type Wide = Tensor<Dense<PackedCTree<Element<f64>>>>; }
    finch! {
        fn wide(a: &Wide, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
        fn wide_at_once(a: &Wide, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
        fn listed(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
        fn kept(a: &Csr<f64>) -> (y: Wide) { for i, j { y[i, j] = a[i, j] } }
        fn forgotten(a: &mut Wide) { for i, j { if a[i, j] < 30 { remove a[i, j] } } }
    }
    let list: Csr<f64> = Tensor::from_triplets([m, n], all.clone(), Refuse).unwrap();
    let built: Wide = Tensor::from_triplets([m, n], all.clone(), Refuse).unwrap();
    let mut came: Wide = Tensor::new([m, n]).unwrap();
    let in_order: Vec<_> = all.iter().collect();
    for k in (0..all.len()).step_by(4) {
        let (at, value) = in_order[k * 7_919 % all.len()];
        came.insert(*at, *value).unwrap();
    }
    came.extend(all.clone()).unwrap();
    let made = kept(&list);
    let expected = listed(&list, &x).to_dense();
    for a in [&built, &came, &made] {
        a.root().check(1).unwrap();
        assert_eq!(a.triplets(), list.triplets());
        assert_eq!(wide(a, &x).to_dense(), expected);
        assert_eq!(wide_at_once(a, &x).to_dense(), expected);
    }
    forgotten(&mut came);
    came.root().check(1).unwrap();
    assert_eq!(came.stored(), all.values().filter(|v| **v >= 30.0).count());
}

/// Children of all kinds below, where some positions hold no entry.
#[test]
fn children_of_all_kinds() {
    fn one<L: Level<Value = f64>>(x: &[f64]) {
        let t: Tensor<L> = Tensor::from_dense([4_000, 7], x).unwrap();
        assert_eq!(t.to_dense(), x);
        Level::check(t.root(), 1).unwrap();
    }
    let value =
        |k: usize| if k.is_multiple_of(3) && k / 7 % 300 < 4 { k as f64 + 0.5 } else { 0.0 };
    let x: Vec<f64> = (0..28_000).map(value).collect();
    one::<PackedCTree<SparseList<Element<f64>>, 2>>(&x);
    one::<PackedCTree<RunList<Element<f64>>, 3>>(&x);
    one::<PackedCTree<Bitmap<Element<f64>>>>(&x);
    one::<PackedCTree<Hash<Element<f64>>>>(&x);
    one::<PackedCTree<Dense<Element<f64>>, 4>>(&x);
    one::<PackedCTree<Bst<Element<f64>>, 4>>(&x);
    one::<PackedCTree<PackedCTree<Element<f64>>>>(&x);
    one::<Bst<PackedCTree<Element<f64>>>>(&x);
    one::<SparseList<PackedCTree<Element<f64>>>>(&x);
}

/// Where links do not count so far, entries are refused, and what was there stays.
#[test]
fn links_that_count_no_further_are_refused() {
    let mut numbers = dice(31);
    for _ in 0..20 {
        let mut a: Tensor<PackedCTree<Element<f64>, 8, u8>> = Tensor::new([FAR]).unwrap();
        let mut model = BTreeMap::new();
        let (all, mut most) = (far(&mut numbers, 200), 0);
        for k in 0..400 {
            let i = all[numbers(all.len())];
            match numbers(5) > 0 {
                true if a.insert([i], k as f64).is_ok() => drop(model.insert(vec![i], k as f64)),
                false if a.remove([i]).is_ok() => drop(model.remove(&vec![i])),
                _ => {}
            }
            a.root().check(1).unwrap();
            assert_eq!(a.triplets(), model.clone().into_iter().collect::<Vec<_>>());
            most = most.max(model.len());
        }
        assert!(most > 3, "{most}");
    }
}

/// A whole tree with one byte that is another.
#[test]
fn a_byte_that_is_another() {
    let p = parts::<128>(Tensor::from_parts(tree(|_| {})).unwrap());
    for at in (0..p.crd.len()).step_by(17) {
        for to in [0, 1, 2, 3, 0x80, 0xff] {
            if let Ok(a) = Tensor::from_parts(tree(|p| p.crd[at] = to)) {
                assert!(a.triplets().is_sorted());
            }
        }
    }
}
