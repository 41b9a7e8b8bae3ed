//! `SkipList` by the suite, and kernels of its own.

use looplets::prelude::*;
use skips::{Lanes, Node, SkipList, SkipRows, SkipVec, LANES};

fn parts(len: usize, head: Vec<Lanes>, node: Vec<Node<u32>>) -> SkipList<Element<f64>> {
    let values = Element::new(vec![2.0; node.len()]);
    SkipList::new(len, head, node, values)
}

fn to(next: u32) -> Lanes {
    let mut lanes = Lanes::NONE;
    lanes.0[0] = next;
    lanes
}

fn node(at: u32, next: u32) -> Node<u32> {
    Node { at, next: to(next) }
}

const NONE: u32 = u32::MAX;

conformance! {
    mod level: SkipList;
    read walk, gallop, locate;
    also follow, lead;
    write insert;
    coordinates u8, u64;
    leaf Pattern;
    refuse {
        "a coordinate is beyond the size": parts(9, vec![to(0)], vec![node(9, NONE)]),
        "coordinates descend": parts(9, vec![to(0)], vec![node(3, 1), node(2, NONE)]),
        "a link leads nowhere": parts(9, vec![to(1)], vec![node(3, NONE)]),
        "an entry is in no fiber": parts(9, vec![to(NONE)], vec![node(3, NONE)]),
        "a list goes around": parts(9, vec![to(0)], vec![node(3, 1), node(4, 0)]),
        "two fibers share an entry": parts(9, vec![to(0), to(0)], vec![node(3, NONE)]),
        "a lane is too long": parts(9, vec![Lanes([0; LANES])], vec![node(3, NONE)]),
        "there is no fiber": parts(9, vec![], vec![]),
    }
}

finch! {
    fn dot(a: &SkipVec<f64>, b: &SkipVec<f64>, s: &mut f64) {
        for i { s += a[i] * b[i] }
    }
    fn galloped(a: &SkipVec<f64>, b: &SkipVec<f64>, c: &SparseVec<f64>, s: &mut f64) {
        for i { s += a[i::gallop] * b[i::gallop] * c[i::gallop] }
    }
    fn union(a: &SkipVec<f64>, b: &SparseVec<f64>, c: &SkipVec<f64>) -> (d: SkipVec<f64>) {
        for i { d[i] = a[i] + b[i] - c[i] }
    }
    fn scattered(a: &SkipRows<f64>) -> (d: SkipRows<f64>) {
        for i, j { d[j, i] += a[i, j] }
    }
}

finch! {
    #![steps(n)]
    fn few(a: &SkipVec<f64>, b: &SkipVec<f64>, s: &mut f64, n: &mut u64) {
        for i { s += a[i::gallop] * b[i] }
    }
}

/// Values at coordinates that a small generator of numbers chooses.
fn entries(n: usize, seed: u64, share: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..n)
        .map(|_| if next() % share == 0 { (next() % 64) as f64 / 4.0 + 0.25 } else { 0.0 })
        .collect()
}

#[test]
fn merges_and_insertions() {
    let n = 3000;
    let all: Vec<Vec<f64>> =
        [(1, 1), (2, 3), (3, 40), (4, 900), (5, 100_000)].map(|(s, k)| entries(n, s, k)).into();
    for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (x, y))) {
        let a: SkipVec<f64> = Tensor::from_dense([n], x).unwrap();
        let b: SkipVec<f64> = Tensor::from_dense([n], y).unwrap();
        let c: SparseVec<f64> = b.convert().unwrap();
        let (mut s, mut t) = (0.0, 0.0);
        dot(&a, &b, &mut s);
        galloped(&a, &b, &c, &mut t);
        assert_eq!(s, x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>());
        assert_eq!(t, x.iter().zip(y).map(|(x, y)| x * y * y).sum::<f64>());
        let sums: Vec<f64> = x.iter().zip(y).map(|(x, y)| x + y - x).collect();
        assert_eq!(union(&a, &c, &a).to_dense(), sums);
    }
    let x = entries(60 * 50, 9, 7);
    let a: SkipRows<f64> = Tensor::from_dense([60, 50], &x).unwrap();
    let turned: Vec<f64> =
        (0..50).flat_map(|j| (0..60).map(move |i| (i, j))).map(|(i, j)| x[50 * i + j]).collect();
    assert_eq!(scattered(&a).to_dense(), turned);
}

#[test]
fn a_short_list_leads_a_long_one() {
    let n = 1 << 20;
    let long = Tensor::from_triplets([n], (0..n).map(|i| ([i], 1.0)), Refuse).unwrap();
    let short =
        Tensor::from_triplets([n], (0..8).map(|i| ([i * (n / 8) + 5], 2.0)), Refuse).unwrap();
    let (mut s, mut steps) = (0.0, 0);
    few(&short, &long, &mut s, &mut steps);
    assert_eq!(s, 16.0);
    assert!(steps < 40, "{steps} steps");
}
