//! Entries that are inserted in any order, of which each is looked for first: rows with few and with all columns, found in the loop that made
//! them and in those before, with hostile values, without values, and in levels of one's own.

// What these kernels cost is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type FarRows = Tensor<Dense<UnorderedList<Element<f64, Inf>>>>; }
level! { type Marks = Tensor<Dense<UnorderedList<Pattern>>>; }
level! { type Small = Tensor<Dense<UnorderedList<Element<f64>, u8>>>; }
level! { type Words = Tensor<Dense<SparseList<Element<i8>>>>; }
level! { type WordRows = Tensor<Dense<UnorderedList<Element<i8>>>>; }
level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }

finch! {
    #![schedule(ways(7))]
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Rows) { c[i, j] += a[i, k] * b[k, j] }
    fn least(a: &Far, b: &Far) -> (c: FarRows) { c[i, j] <<min>>= a[i, k] + b[k, j] }
    fn reached(a: &Mask, b: &Mask) -> (c: Marks) { c[i, j] |= a[i, k] && b[k, j] }
    fn under(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Rows) { if m[i, k] { c[i, j] += a[i, k] * b[k, j] } }
    fn narrow(a: &Csr<f64>, b: &Csr<f64>) -> (c: Small) { c[i, j] += a[i, k] * b[k, j] }
}

finch! {
    /// What the first loops made is found by the second.
    fn and_more(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: Rows) {
        for i {
            for k, j { c[i, j] += a[i, k] * b[k, j] }
            for j { c[i, j] += d[i, j] }
            for j, k { if j != k { c[i, j] -= b[i, j] * d[j, k] } }
        }
    }
    fn last(m: &Mask, a: &Csr<f64>) -> (c: Rows) { for i, k, j { if m[k, j] { c[i, j] = a[i, k] } } }
    fn counted(a: &Words, b: &Words) -> (c: WordRows) { for i, k, j { c[i, j] <<max>>= a[i, k] ^ b[k, j] } }
}

finch! {
    #![steps(n)]
    fn steps(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Rows) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
}

finch! {
    #![schedule(ways(7))]
    fn both(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: Rows) { c[i, j] = d[i, j]; c[i, j] += a[i, k] * b[k, j] }
    fn after(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: Rows) { c[i, j] += a[i, k] * b[k, j]; c[i, j] -= d[i, j] }
    fn of_positive(a: &Csr<f64>, b: &Csc<f64>) -> (c: Rows) { if b[k, j] > 0 { c[i, j] += a[i, k] * b[k, j] } }
    fn of_positive_columns(a: &Csc<f64>, b: &Csr<f64>) -> (c: Rows) { if b[k, j] > 0 { c[i, j] += a[i, k] * b[k, j] } }
    fn of_masked(a: &Csr<f64>, b: &Csr<f64>, m: &Csc<f64>) -> (c: Rows) { if m[k, j] > 0 { c[i, j] += a[i, k] * b[k, j] } }
}

/// A level of rows whose entries come in any order.
macro_rules! rows {
    ($name:ident $($vouched:tt)?) => {
        level! {
            /// Entries as they come.
            pub struct $name<Child, Ix: Index = u32> {
                len: usize,
                pos: Vec<usize>,
                crd: Vec<Ix>,
                at: Vec<usize>,
                child: Child,
            }
            // SAFETY: where it is `unsafe`, as for `UnorderedList`.
            $($vouched)? invariant(fibers) { looplets::levels::unordered_list_invariant(len, fibers, pos, crd, at) }
            read walk(p) {
                let start = pos[p];
                let end = pos[p + 1];
                let last = looplets::search::end_of(crd, start, end);
                let mut q = looplets::search::least_from(crd, start, end, 0);
                let mut ahead = looplets::search::after(crd, q, end);
                pipeline {
                    ..last => stepper {
                        while q < end,
                        leap(i): {
                            q = looplets::search::least_from(crd, start, end, i);
                            ahead = looplets::search::after(crd, q, end);
                        },
                        stop: ahead,
                        body: spike(fill, child[q]),
                        next: {
                            q = looplets::search::least_from(crd, start, end, ahead);
                            ahead = looplets::search::after(crd, q, end);
                        },
                    },
                    .. => run(fill),
                }
            }
            write insert(p, i) {
                open: { looplets::levels::begin_unordered(len, pos, p, crd.len(), at) },
                find: if at[i] > pos[p] { at[i] - 1 } else { -1 },
                each { crd: Ix::from_i64(i as i64) },
                note(q) { at[i] = q + 1; },
                sort(fibers) { looplets::levels::end_fibers(pos, fibers, crd.len()) },
                finish(fibers) {
                    at.clear();
                    Ok(())
                },
            }
        }
    };
}
// One that vouches for its entries, and one that does not: room is asked for one by one, and what comes out is checked.
rows!(Pile unsafe);
rows!(Heap);

level! { type Piles = Tensor<Dense<Pile<Element<f64>>>>; }
level! { type Heaps = Tensor<Dense<Heap<Element<f64>>>>; }

finch! {
    fn piled(a: &Csr<f64>, b: &Csr<f64>) -> (c: Piles) { c[i, j] += a[i, k] * b[k, j] }
    fn heaped(a: &Csr<f64>, b: &Csr<f64>) -> (c: Heaps) { c[i, j] += a[i, k] * b[k, j] }
}

type Entries = Vec<([usize; 2], f64)>;

/// About one of `rare` places of a matrix, some of them hostile. Sums of the others are exact in any order.
fn entries(shape: [usize; 2], seed: usize, rare: usize) -> Entries {
    let exact = |x: f64| if x.abs() < 1e200 && x != 0.0 { (x * 2.0).round() / 2.0 } else { x };
    let most = |x: f64| if x.abs() > 1e200 { x * 1e300 } else { x };
    let of = values(shape[0] * shape[1], seed, 50).into_iter().map(|x| most(exact(x)));
    let all = of.enumerate().map(|(k, x)| ([k / shape[1].max(1), k % shape[1].max(1)], x));
    all.enumerate()
        .filter(|(k, _)| (k * 7919 + seed * 31) % 97 % rare == 0)
        .map(|(_, e)| e)
        .collect()
}

fn get(all: &Entries, i: usize, j: usize) -> Option<f64> {
    all.iter().find(|(at, _)| *at == [i, j]).map(|(_, x)| *x)
}

/// What `run` gives in each way that is kept.
fn each_way<T>(run: impl Fn() -> T) -> Vec<T> {
    let way = |n| {
        looplets::rt::prefer(Some(n));
        run()
    };
    let all = (0..7).map(way).collect();
    looplets::rt::prefer(None);
    all
}

/// Rows, columns of `a` and columns of `b`: with far more columns than products, and with far fewer.
const SHAPES: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 1, 1], [3, 0, 4], [0, 3, 4], [2, 5, 200], [7, 30, 3], [12, 9, 11], [30, 20, 1]];

#[test]
fn products_are_those_of_loops_by_hand() {
    for (seed, [n, o, m]) in SHAPES.into_iter().enumerate() {
        let (av, bv) = (entries([n, o], seed, 2), entries([o, m], seed + 9, 2));
        let mv = entries([n, o], seed + 20, 3);
        let csr = |shape: [usize; 2], all: &Entries| -> Csr<f64> {
            Tensor::from_triplets(shape, all.iter().copied(), Refuse).expect("a matrix")
        };
        let far = |shape: [usize; 2], all: &Entries| -> Far {
            Tensor::from_triplets(shape, all.iter().copied(), Refuse).expect("a matrix")
        };
        let mask = |shape: [usize; 2], all: &Entries| -> Mask {
            let all = all.iter().map(|(at, _)| (*at, true));
            Tensor::from_triplets(shape, all, Refuse).expect("a mask")
        };
        let (a, b) = (csr([n, o], &av), csr([o, m], &bv));
        let by_hand = |start: f64, under: bool, f: &dyn Fn(f64, f64, f64) -> f64| {
            let mut c = vec![start; n * m];
            for (i, k, j) in (0..n * o * m).map(|x| (x / (o * m), x / m % o, x % m)) {
                let asked = !under || get(&mv, i, k).is_some();
                if let (true, Some(x), Some(y)) = (asked, get(&av, i, k), get(&bv, k, j)) {
                    c[i * m + j] = f(c[i * m + j], x, y);
                }
            }
            c
        };
        let sum = |c: f64, x: f64, y: f64| c + x * y;
        let (whole, some) = (by_hand(0.0, false, &sum), by_hand(0.0, true, &sum));
        for c in each_way(|| product(&a, &b)) {
            same(&c.to_dense(), &whole, n);
        }
        for c in each_way(|| under(&mask([n, o], &mv), &a, &b)) {
            same(&c.to_dense(), &some, n);
        }
        same(&piled(&a, &b).to_dense(), &whole, n);
        same(&heaped(&a, &b).to_dense(), &whole, n);
        for c in each_way(|| narrow(&a, &b)) {
            same(&c.to_dense(), &whole, n);
        }
        let marks = by_hand(0.0, false, &|_, _, _| 1.0);
        for c in each_way(|| reached(&mask([n, o], &av), &mask([o, m], &bv))) {
            let c: Vec<f64> =
                c.to_dense().into_iter().map(|set| f64::from(u8::from(set))).collect();
            same(&c, &marks, n);
        }
        // No NaN: which of two numbers is less is another question.
        let no = |all: &Entries| -> Entries {
            all.iter().copied().filter(|(_, x)| !x.is_nan()).collect()
        };
        let (av, bv) = (no(&av), no(&bv));
        let mut least_of = vec![f64::INFINITY; n * m];
        for (([i, k], x), ([l, j], y)) in av.iter().flat_map(|x| bv.iter().map(move |y| (x, y))) {
            let sum = x + y;
            if k == l && !sum.is_nan() {
                least_of[i * m + j] = least_of[i * m + j].min(sum);
            }
        }
        let finite = |all: &Entries| -> Entries {
            all.iter().copied().filter(|(_, x)| *x > f64::NEG_INFINITY).collect()
        };
        if finite(&av).len() == av.len() && finite(&bv).len() == bv.len() {
            for c in each_way(|| least(&far([n, o], &av), &far([o, m], &bv))) {
                same(&c.to_dense(), &least_of, n);
            }
        }
    }
}

#[test]
fn entries_of_loops_before_are_found() {
    for (seed, n) in [0, 1, 2, 6, 13].into_iter().enumerate() {
        let all = |seed| entries([n, n], seed, 3);
        let (av, bv, dv) = (all(seed), all(seed + 4), all(seed + 8));
        let csr = |all: &Entries| -> Csr<f64> {
            Tensor::from_triplets([n, n], all.iter().copied(), Refuse).expect("a matrix")
        };
        let (a, b, d) = (csr(&av), csr(&bv), csr(&dv));
        let (mut more, mut kept) = (vec![0.0; n * n], vec![0.0; n * n]);
        for i in 0..n {
            for (k, j) in (0..n * n).map(|x| (x / n, x % n)) {
                if let (Some(x), Some(y)) = (get(&av, i, k), get(&bv, k, j)) {
                    more[i * n + j] += x * y;
                }
                if get(&bv, k, j).is_some() {
                    kept[i * n + j] = get(&av, i, k).unwrap_or(0.0);
                }
            }
            for j in 0..n {
                more[i * n + j] += get(&dv, i, j).unwrap_or(0.0);
            }
            for (j, k) in (0..n * n).map(|x| (x / n, x % n)) {
                if let (true, Some(x), Some(y)) = (j != k, get(&bv, i, j), get(&dv, j, k)) {
                    more[i * n + j] -= x * y;
                }
            }
        }
        let c = and_more(&a, &b, &d);
        same(&c.to_dense(), &more, n);
        let places = bv.iter().map(|(at, _)| (*at, true));
        let m: Mask = Tensor::from_triplets([n, n], places, Refuse).expect("a mask");
        same(&last(&m, &a).to_dense(), &kept, n);
        let mut count = 0;
        let c = steps(&a, &b, &mut count);
        assert!(count as usize >= c.stored(), "{count}");
    }
}

#[test]
fn loops_that_are_left_out() {
    for (seed, n) in [0, 1, 2, 6, 13].into_iter().enumerate() {
        let all = |seed| entries([n, n], seed, 2);
        let (av, bv, dv) = (all(seed), all(seed + 4), all(seed + 8));
        let csr = |all: &Entries| -> Csr<f64> {
            Tensor::from_triplets([n, n], all.iter().copied(), Refuse).expect("a matrix")
        };
        let csc = |all: &Entries| -> Csc<f64> {
            Csc::from_triplets([n, n], all.iter().copied(), Refuse).expect("a matrix")
        };
        let (a, b, d) = (csr(&av), csr(&bv), csr(&dv));
        let of = |k: usize| get(&dv, k / n, k % n).unwrap_or(0.0);
        let none = || vec![0.0; n * n];
        let product = |mut c: Vec<f64>, asks: &dyn Fn(usize, usize) -> bool| {
            for (i, k, j) in (0..n * n * n).map(|x| (x / (n * n), x / n % n, x % n)) {
                if let (true, Some(x), Some(y)) = (asks(k, j), get(&av, i, k), get(&bv, k, j)) {
                    c[i * n + j] += x * y;
                }
            }
            c
        };
        let whole = product(none(), &|_, _| true);
        let sum = product((0..n * n).map(of).collect(), &|_, _| true);
        let rest: Vec<f64> = whole.iter().enumerate().map(|(k, x)| x - of(k)).collect();
        let positive = product(none(), &|k, j| get(&bv, k, j).is_some_and(|x| x > 0.0));
        let masked = product(none(), &|k, j| get(&dv, k, j).is_some_and(|x| x > 0.0));
        each_way(|| both(&a, &b, &d)).iter().for_each(|c| same(&c.to_dense(), &sum, n));
        each_way(|| after(&a, &b, &d)).iter().for_each(|c| same(&c.to_dense(), &rest, n));
        let (at, bt, dt) = (csc(&av), csc(&bv), csc(&dv));
        each_way(|| of_positive(&a, &bt)).iter().for_each(|c| same(&c.to_dense(), &positive, n));
        let found = each_way(|| of_positive_columns(&at, &b));
        found.iter().for_each(|c| same(&c.to_dense(), &positive, n));
        each_way(|| of_masked(&a, &b, &dt)).iter().for_each(|c| same(&c.to_dense(), &masked, n));
    }
}

#[test]
fn small_numbers() {
    let n = 9;
    let of = |seed: usize| -> Vec<([usize; 2], i8)> {
        let stored = |k: &usize| (k * 31 + seed * 7).is_multiple_of(3);
        let value = |k: usize| if k.is_multiple_of(5) { i8::MIN } else { (k * 11 + seed) as i8 };
        (0..n * n).filter(stored).map(|k| ([k / n, k % n], value(k))).collect()
    };
    let (av, bv) = (of(1), of(2));
    let made = |all: &[([usize; 2], i8)]| -> Words {
        Tensor::from_triplets([n, n], all.iter().copied(), Refuse).expect("a matrix")
    };
    let mut expected = vec![0; n * n];
    let dense = |all: &[([usize; 2], i8)]| {
        let mut out = vec![0; n * n];
        all.iter().for_each(|([i, j], x)| out[i * n + j] = *x);
        out
    };
    let (x, y) = (dense(&av), dense(&bv));
    for (i, k, j) in (0..n * n * n).map(|x| (x / (n * n), x / n % n, x % n)) {
        expected[i * n + j] = expected[i * n + j].max(x[i * n + k] ^ y[k * n + j]);
    }
    let c = counted(&made(&av), &made(&bv));
    assert_eq!(c.to_dense(), expected);
}
