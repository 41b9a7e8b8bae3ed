//! Conditions around an assignment whose loops are left out: the result is gathered where no order of loops appends to it, by
//! places or by hashing, and what the condition asks is looked up or merged; each way gives what plain loops give.

mod fractions;

use fractions::{all, entries, matrix};
use looplets::prelude::*;

level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Flags = Tensor<Dense<SparseList<Element<bool>>>>; }
level! { type Wide = Tensor<SparseList<SparseList<Element<f64>, u64>, u64>>; }

/// The same program in each way.
macro_rules! ways {
    ($($module:ident $params:tt -> $out:tt $body:tt [$($way:ident: $choice:meta,)*])*) => {
        $(mod $module {
            use super::*;
            finch! { pub fn open $params -> $out $body }
            $(finch! { #![$choice] pub fn $way $params -> $out $body })*
        })*
    };
}

ways! {
    masked (m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } } [
        dense: schedule(dense(c), merge(m)), spread: schedule(dense(c), spread(m)), hash: schedule(hash(c), merge(m)), both: schedule(hash(c), spread(m)),
    ]
    twice (m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { if a[i, k] > 0.25 { c[i, j] += a[i, k] * b[k, j] } } } [
        dense: schedule(dense(c)), hash: schedule(hash(c)),
    ]
    outside (m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if !m[i, j] { c[i, j] += a[i, k] * b[k, j] } } [
        dense: schedule(dense(c)), hash: schedule(hash(c)),
    ]
    rows (x: &Csr<f64>, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if x[i, k] > 0.5 || x[i, k] < -1.0 { c[i, j] += a[i, k] * b[k, j] } } [
        dense: schedule(dense(c)), hash: schedule(hash(c)),
    ]
    marks (m: &Graph, a: &Graph, b: &Graph) -> (c: Graph) { c[i, j] ||= m[i, j] && a[i, k] && b[k, j] } [
        merge: schedule(dense(c), merge(m)), spread: schedule(dense(c), spread(m)),
    ]
    flags (m: &Flags, a: &Graph, b: &Graph) -> (c: Flags) { c[i, j] ||= m[i, j] && a[i, k] && b[k, j] } [
        merge: schedule(dense(c), merge(m)), spread: schedule(dense(c), spread(m)),
    ]
    asked (m: &Flags, a: &Graph, b: &Graph) -> (c: Flags) { if m[i, j] { c[i, j] ||= a[i, k] && b[k, j] } } [
        merge: schedule(dense(c), merge(m)), spread: schedule(dense(c), spread(m)),
    ]
    turned (m: &Graph, a: &Csr<f64>) -> (c: Csr<f64>) { if m[j, i] { c[i, j] += a[i, j] } } [
        one: schedule(way(1)),
    ]
    orders (m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[j, k] } } [
        one: schedule(way(1)),
    ]
}

mod tropical {
    use super::*;
    finch! {
        use looplets::semiring::min_plus;
        pub fn open(m: &Graph, a: &Far, b: &Far) -> (c: Far) { if m[i, j] { c[i, j] <<min>>= min_plus(a[i, k], b[k, j]) } }
    }
    finch! {
        #![schedule(dense(c), spread(m))]
        use looplets::semiring::min_plus;
        pub fn spread(m: &Graph, a: &Far, b: &Far) -> (c: Far) { if m[i, j] { c[i, j] <<min>>= min_plus(a[i, k], b[k, j]) } }
    }
    finch! {
        #![schedule(hash(c), merge(m))]
        use looplets::semiring::min_plus;
        pub fn hash(m: &Graph, a: &Far, b: &Far) -> (c: Far) { if m[i, j] { c[i, j] <<min>>= min_plus(a[i, k], b[k, j]) } }
    }
}

/// Masks and products of patterns: what is stored is the same each way, of which `false` may be stored as well.
#[test]
fn each_way_stores_the_same() {
    for (n, m, l) in
        [(0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (7, 5, 9), (5, 40, 11), (40, 5, 3)]
    {
        let (mask, a, b) = (graph(n, m, 1), graph(n, l, 2), graph(l, m, 3));
        let flagged = entries(n, m, 1).into_iter().map(|(at, x)| (at, x > 0.0));
        let flags: Flags = Tensor::from_triplets([n, m], flagged, Refuse).expect("flags");
        let (av, bv) = (a.to_dense(), b.to_dense());
        let met = |at: usize| (0..l).any(|k| av[at / m * l + k] && bv[k * m + at % m]);
        let both = |mask: &[bool]| -> Vec<bool> {
            mask.iter().enumerate().map(|(at, set)| *set && met(at)).collect()
        };
        let of_marks =
            [marks::open(&mask, &a, &b), marks::merge(&mask, &a, &b), marks::spread(&mask, &a, &b)];
        of_marks
            .iter()
            .for_each(|c| assert_eq!(c.to_dense(), both(&mask.to_dense()), "{n} {m} {l}"));
        let of_flags = [
            flags::open(&flags, &a, &b),
            flags::merge(&flags, &a, &b),
            flags::spread(&flags, &a, &b),
        ];
        let asked = [
            asked::open(&flags, &a, &b),
            asked::merge(&flags, &a, &b),
            asked::spread(&flags, &a, &b),
        ];
        for c in of_flags.iter().chain(&asked) {
            assert_eq!(c.to_dense(), both(&flags.to_dense()), "{n} {m} {l}");
        }
        assert!(of_marks.iter().all(|c| c.stored() == of_marks[0].stored()), "{n} {m} {l}");
        assert!(of_flags.iter().all(|c| c.stored() == of_flags[0].stored()), "{n} {m} {l}");
        assert!(asked.iter().all(|c| c.stored() == asked[0].stored()), "{n} {m} {l}");
    }
}

fn graph(rows: usize, columns: usize, seed: usize) -> Graph {
    let all = entries(rows, columns, seed).into_iter().map(|(at, _)| (at, true));
    Tensor::from_triplets([rows, columns], all, Refuse).expect("a graph")
}

/// What plain loops make of the elements at `[i, j, k]`.
fn plain(
    sizes: [usize; 3],
    fill: f64,
    mut f: impl FnMut(usize, usize, usize, &mut f64),
) -> Vec<u64> {
    let [n, m, l] = sizes;
    let mut c = vec![fill; n * m];
    for (i, j, k) in (0..n).flat_map(|i| (0..m).flat_map(move |j| (0..l).map(move |k| (i, j, k)))) {
        f(i, j, k, &mut c[i * m + j]);
    }
    c.iter().map(|x| (x + 0.0).to_bits()).collect()
}

#[test]
fn each_way_gives_what_plain_loops_give() {
    for (n, m, l) in
        [(0, 0, 0), (0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (7, 5, 9), (5, 40, 11), (40, 5, 3)]
    {
        let (a, b, x): (Csr<f64>, Csr<f64>, Csr<f64>) =
            (matrix(n, l, 1), matrix(l, m, 2), matrix(n, l, 3));
        let mask = graph(n, m, 4);
        let (av, bv, xv, mv) = (a.to_dense(), b.to_dense(), x.to_dense(), mask.to_dense());
        let at = |i: usize, j: usize, k: usize| {
            (mv[i * m + j], av[i * l + k], bv[k * m + j], xv[i * l + k])
        };
        macro_rules! alike {
            ($module:ident $args:tt = $expected:expr; $($way:ident)*) => {
                let expected = $expected;
                $(assert_eq!(all(&$module::$way $args), expected, "{} {} {n} {m} {l}", stringify!($module), stringify!($way));)*
            };
        }
        alike!(masked(&mask, &a, &b) = plain([n, m, l], 0.0, |i, j, k, c| {
            let (m, a, b, _) = at(i, j, k);
            if m { *c += a * b }
        }); open dense spread hash both);
        let stored = |c: Csr<f64>| c.stored();
        assert_eq!(stored(masked::spread(&mask, &a, &b)), stored(masked::dense(&mask, &a, &b)));
        alike!(twice(&mask, &a, &b) = plain([n, m, l], 0.0, |i, j, k, c| {
            let (m, a, b, _) = at(i, j, k);
            if m && a > 0.25 { *c += a * b }
        }); open dense hash);
        alike!(outside(&mask, &a, &b) = plain([n, m, l], 0.0, |i, j, k, c| {
            let (m, a, b, _) = at(i, j, k);
            if !m { *c += a * b }
        }); open dense hash);
        alike!(rows(&x, &a, &b) = plain([n, m, l], 0.0, |i, j, k, c| {
            let (_, a, b, x) = at(i, j, k);
            if !(-1.0..=0.5).contains(&x) { *c += a * b }
        }); open dense hash);
        let across = graph(l, n, 5);
        let across_v = across.to_dense();
        alike!(turned(&across, &a) = plain([n, l, 1], 0.0, |i, j, _, c| {
            if across_v[j * n + i] { *c += av[i * l + j] }
        }); open one);
        let bt: Csr<f64> = matrix(m, l, 6);
        let btv = bt.to_dense();
        alike!(orders(&mask, &a, &bt) = plain([n, m, l], 0.0, |i, j, k, c| {
            if mv[i * m + j] { *c += av[i * l + k] * btv[j * l + k] }
        }); open one);
        let (a, b): (Far, Far) = (matrix(n, l, 1), matrix(l, m, 2));
        let (av, bv) = (a.to_dense(), b.to_dense());
        alike!(tropical(&mask, &a, &b) = plain([n, m, l], f64::INFINITY, |i, j, k, c| {
            if mv[i * m + j] { *c = c.min(av[i * l + k] + bv[k * m + j]) }
        }); open spread hash);
    }
}

finch! {
    fn product(a: &Wide, b: &Wide) -> (c: Wide) { c[i, j] += a[i, k] * b[k, j] }
    fn columns(at: &Wide, x: &SparseVec<f64, u64>) -> (y: SparseVec<f64, u64>) { y[i] += at[j, i] * x[j] }
}

/// A place for each coordinate of such a dimension is more memory than there is.
#[test]
fn what_is_gathered_takes_no_memory_for_what_is_not_there() {
    let n = 1 << 50;
    let entries = [([3, n - 1], 0.5), ([n - 1, 3], 2.0), ([n - 1, n - 1], -0.25)];
    let a: Wide = Tensor::from_triplets([n, n], entries, Refuse).expect("a matrix");
    let c = product(&a, &a);
    let found = c.triplets();
    let expected = [
        (vec![3, 3], 1.0),
        (vec![3, n - 1], -0.125),
        (vec![n - 1, 3], -0.5),
        (vec![n - 1, n - 1], 1.0625),
    ];
    assert_eq!(found, expected);
    assert_eq!(last_choice().map(|c| c.kernel), Some("product"));
    let x = Tensor::from_triplets([n], [([3], 3.0), ([n - 1], 1.0)], Refuse).expect("a vector");
    let y = columns(&a, &x);
    let found: Vec<_> = y.triplets().into_iter().map(|(at, x)| (at[0], x)).collect();
    assert_eq!(found, [(3, 2.0), (n - 1, 1.25)]);
}

level! { type Reach = Tensor<Dense<SparseList<Element<f64>>>>; }

mod widest {
    looplets::operator! {
        /// Of two pipes one after the other, the narrower one; numbers are not negative.
        pub fn narrower(a: f64, b: f64) -> f64 { a.min(b) }
        commutative, associative;
        annihilator 0;
        distributes over crate::widest::wider;
    }
    looplets::operator! {
        /// Of two pipes side by side, the wider one.
        pub fn wider(a: f64, b: f64) -> f64 { a.max(b) }
        commutative, associative, idempotent;
        identity 0;
    }
}

/// A declared operator that distributes over the reduction: what is reduced first is chosen as for sums of products.
#[test]
fn products_of_declared_operators_are_taken_apart() {
    let told = explain! {
        use widest::{narrower, wider};
        fn f(a: &Reach, b: &Reach, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] <<wider>>= narrower(narrower(a[i, j], b[j, k]), x[k]) }
    };
    assert!(told.contains("way 1: first(b, x)"), "{told}");
    let positive = |rows, columns, seed| -> Reach {
        let all = entries(rows, columns, seed).into_iter().map(|(at, x)| (at, x + 2.25));
        Tensor::from_triplets([rows, columns], all, Refuse).expect("a matrix")
    };
    let (a, b) = (positive(9, 7, 1), positive(7, 11, 2));
    let x =
        Tensor::from_dense([11], &[0.5, 0.0, 3.75, 1.25, 0.25, 2.0, 9.0, 0.125, 4.0, 1.0, 0.75])
            .expect("a vector");
    let (av, bv, xv) = (a.to_dense(), b.to_dense(), x.to_dense());
    let expected: Vec<f64> = (0..9)
        .map(|i| {
            let paths = (0..7).flat_map(|j| (0..11).map(move |k| (j, k)));
            paths.map(|(j, k)| av[i * 7 + j].min(bv[j * 11 + k]).min(xv[k])).fold(0.0, f64::max)
        })
        .collect();
    assert_eq!(through::open(&a, &b, &x).to_dense(), expected);
    assert_eq!(through::at_once(&a, &b, &x).to_dense(), expected);
}

mod through {
    use super::*;
    finch! {
        use widest::{narrower, wider};
        pub fn open(a: &Reach, b: &Reach, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] <<wider>>= narrower(narrower(a[i, j], b[j, k]), x[k]) }
    }
    finch! {
        #![schedule(at_once)]
        use widest::{narrower, wider};
        pub fn at_once(a: &Reach, b: &Reach, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] <<wider>>= narrower(narrower(a[i, j], b[j, k]), x[k]) }
    }
}

finch! {
    fn both(m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>, d: Csr<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j]; d[i, j] += b[i, k] * a[k, j] }
    }
    fn each(m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>, d: Csr<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j] }
        if m[i, j] { d[i, j] += b[i, k] * a[k, j] }
    }
    fn counted(m: &SparseVec<bool>, a: &Csr<f64>) -> (s: DenseVec<f64>, n: u32) {
        if m[i] { s[i] += a[i, j]; n += 1 }
    }
}

/// Products under one condition are those of two.
#[test]
fn two_products_under_one_condition() {
    for n in [0, 1, 7, 40] {
        let (a, b) = (matrix(n, n, 1), matrix(n, n, 2));
        let marks = entries(n, n, 3).into_iter().map(|(at, _)| (at, true));
        let m: Graph = Tensor::from_triplets([n, n], marks, looplets::Refuse).expect("marks");
        let ((c, d), (e, f)) = (both(&m, &a, &b), each(&m, &a, &b));
        assert_eq!((all(&c), all(&d)), (all(&e), all(&f)));
        assert_eq!((c.stored(), d.stored()), (e.stored(), f.stored()));
    }
}

#[test]
fn what_is_counted_under_the_condition_is_counted_in_its_loop() {
    let a: Csr<f64> = matrix(6, 6, 5);
    let marks = [([1], true), ([4], true), ([5], false)];
    let m: SparseVec<bool> = Tensor::from_triplets([6], marks, looplets::Refuse).expect("marks");
    let (s, n) = counted(&m, &a);
    let row = |i: usize| a.to_dense()[6 * i..6 * i + 6].iter().sum::<f64>();
    assert_eq!(n, 2);
    assert_eq!(s.to_dense(), [0.0, row(1), 0.0, 0.0, row(4), 0.0]);
}
