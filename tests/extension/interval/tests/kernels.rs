//! Kernels of a crate that uses intervals: values against plain Rust, and how many steps they take.

use interval::{Anything, Interval, Nothing, Nought, by, hull, meet, plus, width};
use looplets::{
    Dense, Element, Error, Refuse, RunList, SparseList, SparseVec, Tensor, explain, finch, level,
};

level! { type Row = Tensor<SparseList<Element<Interval, Nought>>>; }
level! { type Rows = Tensor<Dense<SparseList<Element<Interval, Nought>>>>; }
level! { type Column = Tensor<Dense<Element<Interval, Nought>>>; }
level! { type Runs = Tensor<RunList<Element<Interval, Nought>>>; }
level! { type Known = Tensor<SparseList<Element<Interval, Anything>>>; }
level! { type Found = Tensor<SparseList<Element<Interval, Nothing>>>; }

finch! {
    #![steps(n)]
    use interval::{by, hull, meet, plus, width};

    fn product(a: &Rows, x: &Row, n: &mut u64) -> Result<(y: Column), Error> {
        for i, j { y[i] <<plus>>= by(a[i, j], x[j]) }
    }
    fn sum(a: &Row, b: &Row, n: &mut u64) -> (c: Row) { for i { c[i] = plus(a[i], b[i]) } }
    fn three(a: &Row, b: &Row, n: &mut u64) -> (c: Row) { for i { c[i] = by(a[i], b[i], a[i]) } }
    fn total(a: &Runs, s: &mut Interval, n: &mut u64) { for i { s <<plus>>= a[i] } }
    fn around(a: &Found, s: &mut Interval, n: &mut u64) { for i { s <<hull>>= a[i] } }
    fn agree(a: &Known, s: &mut Interval, n: &mut u64) { for i { s <<meet>>= a[i] } }
    fn both(a: &Known, b: &Known, n: &mut u64) -> (c: Known) { for i { c[i] = meet(a[i], b[i]) } }
    fn either(a: &Found, b: &Found, n: &mut u64) -> (c: Found) { for i { c[i] = hull(a[i], b[i]) } }
    fn widths(a: &Row, n: &mut u64) -> (w: SparseVec<f64>) { for i { w[i] = width(a[i]) } }
    fn spread(a: &Found, b: &Found, x: Interval, n: &mut u64) -> (c: Found) {
        for i { c[i] = hull(plus(a[i], x), plus(b[i], x)) }
    }
}

finch! {
    #![strict]
    #![dense]
    #![steps(n)]
    use interval::{by, plus};
    fn exact_total(a: &Runs, s: &mut Interval, n: &mut u64) { for i { s <<plus>>= a[i] } }
    fn exact_product(a: &Row, b: &Row, n: &mut u64) -> (c: Row) { for i { c[i] = by(a[i], b[i]) } }
}

const NOUGHT: Interval = Interval::exactly(0.0);

/// Intervals with bounds from -2 to 2, the fill often.
fn values(count: usize, seed: u64, fill: Interval) -> Vec<Interval> {
    let mut state = seed;
    let mut next = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut one = || match next(4) {
        0 => {
            let lo = next(5) as f64 - 2.0;
            Interval::of(lo, lo + next(3) as f64)
        }
        _ => fill,
    };
    (0..count).map(|_| one()).collect()
}

#[test]
fn kernels_give_what_plain_loops_give() {
    for seed in 0..30 {
        let (m, k) = (7, 20);
        let (all, x) = (values(m * k, seed, NOUGHT), values(k, seed + 100, NOUGHT));
        let z = values(k, seed + 200, NOUGHT);
        let rows: Rows = Tensor::from_dense([m, k], &all).unwrap();
        let (a, b): (Row, Row) =
            (Tensor::from_dense([k], &x).unwrap(), Tensor::from_dense([k], &z).unwrap());
        let mut n = 0;
        let expected: Vec<Interval> =
            (0..m).map(|i| (0..k).fold(NOUGHT, |s, j| plus(s, by(all[i * k + j], x[j])))).collect();
        assert_eq!(product(&rows, &a, &mut n).unwrap().to_dense(), expected);
        let zip = |f: fn(Interval, Interval) -> Interval| -> Vec<Interval> {
            x.iter().zip(&z).map(|(p, q)| f(*p, *q)).collect()
        };
        assert_eq!(sum(&a, &b, &mut n).to_dense(), zip(plus));
        assert_eq!(three(&a, &b, &mut n).to_dense(), zip(|p, q| by(by(p, q), p)));
        assert_eq!(exact_product(&a, &b, &mut n).to_dense(), zip(by));
        let expected: Vec<f64> = x.iter().map(|p| width(*p)).collect();
        assert_eq!(widths(&a, &mut n).to_dense(), expected);

        let runs: Runs = Tensor::from_dense([k], &x).unwrap();
        let (mut s, mut t) = (NOUGHT, NOUGHT);
        total(&runs, &mut s, &mut n);
        exact_total(&runs, &mut t, &mut n);
        let expected = x.iter().fold(NOUGHT, |s, p| plus(s, *p));
        assert_eq!((s, t), (expected, expected));

        let (p, q) = (values(k, seed, Interval::NONE), values(k, seed + 1, Interval::NONE));
        let (c, d): (Found, Found) =
            (Tensor::from_dense([k], &p).unwrap(), Tensor::from_dense([k], &q).unwrap());
        s = Interval::NONE;
        around(&c, &mut s, &mut n);
        assert_eq!(s, p.iter().fold(Interval::NONE, |s, v| hull(s, *v)));
        let zip = |f: &dyn Fn(Interval, Interval) -> Interval| -> Vec<Interval> {
            p.iter().zip(&q).map(|(p, q)| f(*p, *q)).collect()
        };
        assert_eq!(either(&c, &d, &mut n).to_dense(), zip(&hull));
        let x = Interval::of(0.5, 0.75);
        let expected = zip(&|p, q| hull(plus(p, x), plus(q, x)));
        assert_eq!(spread(&c, &d, x, &mut n).to_dense(), expected);

        let (p, q) = (values(k, seed, Interval::ALL), values(k, seed + 1, Interval::ALL));
        let (c, d): (Known, Known) =
            (Tensor::from_dense([k], &p).unwrap(), Tensor::from_dense([k], &q).unwrap());
        s = Interval::ALL;
        agree(&c, &mut s, &mut n);
        assert_eq!(s, p.iter().fold(Interval::ALL, |s, v| meet(s, *v)));
        let expected: Vec<Interval> = p.iter().zip(&q).map(|(p, q)| meet(*p, *q)).collect();
        assert_eq!(both(&c, &d, &mut n).to_dense(), expected);
    }
}

fn row(at: &[(usize, Interval)]) -> Row {
    Tensor::from_triplets([1000], at.iter().map(|(i, v)| ([*i], *v)), Refuse).unwrap()
}

#[test]
fn what_is_not_stored_is_not_visited() {
    let a = row(&[(3, Interval::of(1.0, 2.0)), (500, Interval::of(-1.0, 1.0))]);
    let b = row(&[(500, Interval::of(2.0, 3.0)), (900, Interval::exactly(7.0))]);
    let mut n = 0;
    assert_eq!(sum(&a, &b, &mut n).triplets().len(), 3);
    assert_eq!(n, 3);
    n = 0;
    assert_eq!(three(&a, &b, &mut n).triplets(), [(vec![500], Interval::of(-3.0, 3.0))]);
    assert!(n <= 2, "{n}");
    n = 0;
    assert_eq!(widths(&a, &mut n).triplets(), [(vec![3], 1.0), (vec![500], 2.0)]);
    assert_eq!(n, 2);
}

#[test]
fn equal_measurements_are_added_as_one() {
    let x = [vec![Interval::of(0.0, 1.0); 4000], vec![NOUGHT; 5000]].concat();
    let runs: Runs = Tensor::from_dense([9000], &x).unwrap();
    let (mut s, mut n) = (Interval::exactly(1.0), 0);
    total(&runs, &mut s, &mut n);
    assert_eq!((s, n), (Interval::of(1.0, 4001.0), 2));
    // A strict kernel adds one by one: `times` rounds once, not each time.
    let (mut s, mut n) = (Interval::exactly(1.0), 0);
    exact_total(&runs, &mut s, &mut n);
    assert_eq!(s, Interval::of(1.0, 4001.0));
    assert!(n > 4000, "{n}");
}

#[test]
fn a_strict_kernel_visits_where_only_one_is_stored() {
    let a = row(&[(3, Interval::NONE), (500, Interval::of(-1.0, 1.0))]);
    let b = row(&[(500, Interval::of(2.0, 3.0)), (900, Interval::exactly(7.0))]);
    let mut n = 0;
    let c = exact_product(&a, &b, &mut n);
    // The product of nothing and zero holds nothing, which a kernel that is not strict does not find out.
    assert_eq!((c.get([3]), c.get([500])), (Some(Interval::NONE), Some(Interval::of(-3.0, 3.0))));
    assert!(n >= 3, "{n}");
}

#[test]
fn a_contradiction_ends_the_search() {
    let at = |i: usize| ([2 * i], Interval::of(i as f64, i as f64 + 1.5));
    let a: Known = Tensor::from_triplets([1000], (0..400).map(at), Refuse).unwrap();
    let (mut s, mut n) = (Interval::ALL, 0);
    agree(&a, &mut s, &mut n);
    // The third does not meet the first.
    assert_eq!((s, n), (Interval::NONE, 3));
}

#[test]
fn sums_of_one_interval_share_it() {
    let stages = explain! {
        use interval::{hull, plus};
        fn spread(a: &Found, b: &Found, x: Interval, s: &mut Interval) {
            for i { s <<hull>>= hull(plus(a[i], x), plus(b[i], x)) }
        }
    };
    let rules = stages.split("== rules").nth(1).unwrap().split("\n== ").next().unwrap();
    let acted = |law: &str| {
        let line = rules.lines().find(|l| l.contains(law)).unwrap();
        line.split_whitespace().next() != Some("0")
    };
    assert!(acted("plus::distributes"), "{rules}");
    // Where only one is stored the other holds nothing.
    assert!(acted("plus::annihilator") && acted("hull::identity"), "{rules}");
    let code = stages.split("== code").nth(1).unwrap().replace(char::is_whitespace, "");
    assert!(!code.contains("hull(interval::plus"), "{code}");
}
