//! The ways to run a program whose loops are left out: each gives what loops that are written give, a call takes the one that
//! costs least for its sizes, and a program settles what it likes.

#![allow(deprecated)]

mod fractions;

use fractions::{all, entries, matrix};
use looplets::prelude::*;

macro_rules! kernel {
    ([$($setting:tt)*] $name:ident ($($params:tt)*) ($($out:tt)*) { $($body:tt)* } [$($loops:tt)*]) => {
        finch! { $($setting)* pub fn $name($($params)*) $($out)* { $($loops)* { $($body)* } } }
    };
    ([$($setting:tt)*] $name:ident ($($params:tt)*) ($($out:tt)*) { $($body:tt)* }) => {
        finch! { $($setting)* pub fn $name($($params)*) $($out)* { $($body)* } }
    };
}

/// The same program: with its choices open, settled in each way there is, and in loops that are written.
macro_rules! ways {
    ($($module:ident: [$($loops:ident),*] $params:tt $out:tt $body:tt [$($way:ident: $choice:meta,)*])*) => {
        $(mod $module {
            use super::*;
            kernel! { [] open $params $out $body }
            kernel! { [] written $params $out $body [for $($loops),*] }
            $(kernel! { [#![$choice]] $way $params $out $body })*
        })*
    };
}

ways! {
    vector: [i, j] (a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) { y[i] += a[i, j] * x[j] } [spread: schedule(spread(x)), merge: schedule(merge(x)), one: schedule(way(1)),]
    chain: [i, j, k, l] (a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) (-> (d: DenseMat<f64>)) { d[i, l] += a[i, j] * b[j, k] * c[k, l] } [one: schedule(way(1)), two: schedule(way(2)), three: schedule(way(3)), at_once: schedule(at_once), left: schedule(first(a, b)), right: schedule(first(b, c)),]
    sampled: [i, j, k] (a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) (-> (d: DenseMat<f64>)) { d[i, k] += a[i, j] * b[j, k] * c[j, k] } [at_once: schedule(at_once), first: schedule(first(b, c)),]
    dense: [i, j, k, l] (a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) (-> (d: DenseMat<f64>)) { d[i, l] += a[i, j] * b[j, k] * c[k, l] } [one: schedule(way(1)), two: schedule(way(2)), at_once: schedule(at_once), left: schedule(first(a, b)), right: schedule(first(b, c)),]
    of_four: [i, j, k, l] (a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>, x: &DenseVec<f64>) (-> (d: DenseVec<f64>)) { d[i] += a[i, j] * b[j, k] * c[k, l] * x[l] } [one: schedule(way(1)), two: schedule(way(2)), three: schedule(way(3)), at_once: schedule(at_once),]
    masked: [i, j, k] (m: &Csr<f64>, a: &Csr<f64>, b: &Csr<f64>) (-> (c: DenseMat<f64>)) { c[i, j] += m[i, j] * a[i, k] * b[j, k] } [merge: schedule(merge(a)), spread: schedule(spread(a)),]
    tropical: [i, j, k, l] (a: &Far, b: &Far, c: &Far) (-> (d: DenseMat<f64, Inf>)) { d[i, l] <<min>>= a[i, j] + b[j, k] + c[k, l] } [one: schedule(way(1)), at_once: schedule(at_once), left: schedule(first(a, b)), right: schedule(first(b, c)),]
}

level! {
    /// A matrix that is infinite where it stores nothing.
    pub type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}

fn vector<L: Level<Value = f64>>(size: usize, seed: usize) -> Tensor<L> {
    let entries = entries(size, 1, seed).into_iter().map(|([i, _], x)| ([i], x));
    Tensor::from_triplets([size], entries, Refuse).expect("a vector")
}

#[test]
fn each_way_gives_what_loops_give() {
    for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (7, 5), (5, 40), (40, 5)] {
        let (a, b, c): (Csr<f64>, Csr<f64>, Csr<f64>) =
            (matrix(n, m, 1), matrix(m, n, 2), matrix(n, m, 3));
        let also: Csr<f64> = matrix(m, n, 4);
        let x: SparseVec<f64> = vector(m, 5);
        let wide: DenseVec<f64> = vector(m, 6);
        macro_rules! alike {
            ($module:ident $args:tt: $($way:ident)*) => {
                let expected = all(&$module::written $args);
                $(assert_eq!(all(&$module::$way $args), expected, "{} {} {n} {m}", stringify!($module), stringify!($way));)*
            };
        }
        alike!(vector(&a, &x): open spread merge one);
        alike!(chain(&a, &b, &c): open one two three at_once left right);
        alike!(sampled(&a, &b, &also): open at_once first);
        alike!(of_four(&a, &b, &c, &wide): open one two three at_once);
        let square: Csr<f64> = matrix(n, n, 7);
        alike!(masked(&square, &a, &c): open merge spread);
        let (d, e, f): (DenseMat<f64>, DenseMat<f64>, DenseMat<f64>) =
            (matrix(n, m, 1), matrix(m, n, 2), matrix(n, m, 3));
        alike!(dense(&d, &e, &f): open one two at_once left right);
        let (a, b, c): (Far, Far, Far) = (matrix(n, m, 1), matrix(m, n, 2), matrix(n, m, 3));
        alike!(tropical(&a, &b, &c): open one at_once left right);
    }
}

/// The way of the last call.
fn taken(kernel: &str) -> usize {
    let last = last_choice().expect("a choice");
    assert_eq!(last.kernel, kernel);
    assert!(last.way <= last.of);
    last.way
}

finch! {
    fn dense_chain(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (d: DenseMat<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }
    fn sparse_chain(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    fn generic<const N: usize, A: Level<Value = f64>>(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, _other: &Tensor<A>, s: &mut f64) -> Result<(y: DenseVec<f64>), Error> {
        s += 1.0;
        y[i] += a[i, j] * b[j, k] * x[k]
    }
}

#[test]
fn a_call_takes_what_costs_least_for_its_sizes() {
    let full = |n: usize, m: usize| matrix::<Dense<Dense<Element<f64>>>>(n, m, 1);
    // The least dimension is kept.
    dense_chain(&full(1, 40), &full(40, 40), &full(40, 40));
    let row = taken("dense_chain");
    dense_chain(&full(40, 40), &full(40, 40), &full(40, 1));
    assert_ne!(row, taken("dense_chain"));
    // One entry of `a` needs one row of `b`.
    let b: Csr<f64> = matrix(300, 300, 2);
    let x: DenseVec<f64> = vector(300, 3);
    let few: Csr<f64> = Tensor::from_triplets([3, 300], [([1, 7], 2.0)], Refuse).expect("a matrix");
    sparse_chain(&few, &b, &x);
    let once = taken("sparse_chain");
    sparse_chain(&matrix(300, 300, 4), &b, &x);
    assert_ne!(once, taken("sparse_chain"));
}

finch! {
    /// What is measured is neither a result nor the memory that it is made in.
    fn of_a_result(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>, y: DenseVec<f64>) {
        c[i, j] = a[i, j] * 2.0;
        y[i] += c[i, j] * b[j, k] * x[k]
    }
    fn in_memory(y: DenseVec<f64>, a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        y[i] += a[i, j] * b[j, k] * x[k]
    }
}

#[test]
fn results_are_not_measured() {
    let (a, b): (Csr<f64>, Csr<f64>) = (matrix(5, 4, 1), matrix(4, 6, 2));
    let x: DenseVec<f64> = vector(6, 3);
    let expected = sparse_chain(&a, &b, &x);
    let (_, y) = of_a_result(&a, &b, &x);
    let twice: Vec<f64> = expected.to_dense().iter().map(|v| 2.0 * v).collect();
    assert_eq!(y.to_dense(), twice);
    for old in [0, 5, 9] {
        assert_eq!(in_memory(vector(old, 4), &a, &b, &x).to_dense(), expected.to_dense());
    }
}

#[test]
fn functions_with_several_ways_are_as_others() {
    let (a, b): (Csr<f64>, Csr<f64>) = (matrix(5, 4, 1), matrix(4, 6, 2));
    let (x, short): (DenseVec<f64>, DenseVec<f64>) = (vector(6, 3), vector(5, 3));
    let mut s = 0.5;
    let y = generic::<3, _>(&a, &b, &x, &short, &mut s).expect("it fits");
    assert_eq!((all(&y), s), (all(&sparse_chain(&a, &b, &x)), 1.5));
    let error = generic::<3, _>(&a, &b, &short, &short, &mut s).expect_err("it does not");
    assert!(error.to_string().contains("`x`"), "{error}");
}

/// What is chosen is not only taken, but what the program is then: `explain!` says so.
#[test]
fn what_is_settled_is_what_is_done() {
    let open = explain! { fn f(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } };
    assert!(open.contains("x_spread"), "{open}");
    let merged = explain! {
        #![schedule(merge(x))]
        fn f(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    };
    assert!(!merged.contains("x_spread"), "{merged}");
    let turned = explain! {
        #![schedule(order(k, i, j))]
        fn f(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
    };
    assert!(turned.contains("for k: len(k) steps\n        for i:"), "{turned}");
    // An order of all loops is one of a product that is not taken apart.
    let sampled = explain! {
        #![schedule(order(i, j, k))]
        fn f(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    };
    assert!(!sampled.contains("first("), "{sampled}");
    let chain = explain! {
        #![schedule(order(i, j, k))]
        fn f(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    };
    assert!(!chain.contains("first("), "{chain}");
    let within = explain! {
        #![schedule(inside)]
        fn f(a: &Csr<f64>, b: &Csr<f64>, y: &mut DenseVec<f64>) { for i { y[i] += a[i, j] * b[i, k] } }
    };
    assert!(within.contains("for j") && within.contains("for i"), "{within}");
    let several = explain! {
        fn f(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    };
    for part in ["way 1: first(b, x)", "way 2: at_once", "for k: stored(b) steps", "about "] {
        assert!(several.contains(part), "{part}: {several}");
    }
}

finch! {
    #![schedule(order(j, i))]
    fn by_columns(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}
finch! {
    #![schedule(order(j, i))]
    fn sum_by_columns(a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) { c[i, j] = a[i, j] + b[i, j] }
}

#[test]
fn an_order_that_operands_are_turned_for() {
    let at = [([0, 2], 1.5), ([1, 0], -2.0), ([1, 2], 0.25), ([3, 1], 4.0)];
    let a: Csr<f64> = Tensor::from_triplets([4, 3], at, Refuse).unwrap();
    let x: DenseVec<f64> = Tensor::from_dense([3], &[2.0, -1.0, 8.0]).unwrap();
    assert_eq!(by_columns(&a, &x).to_dense(), [12.0, -2.0, 0.0, -4.0]);
    let twice: Vec<f64> = a.to_dense().iter().map(|v| 2.0 * v).collect();
    assert_eq!(sum_by_columns(&a, &a).to_dense(), twice);
}

level! { type Flags = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Bits = Tensor<Bitmap<Pattern>>; }
level! { type BitTrees = Tensor<BitTree<Pattern>>; }

finch! {
    fn common(a: &Flags) -> (s: DenseMat<u32>) { s[i, j] += a[i, k] && a[j, k] }
}

/// Loops go along the rows of a matrix, however many vectors have the other index.
#[test]
fn dense_tensors_are_gone_along_by_their_dimensions() {
    let told = explain! { fn scaled(x: &DenseMat<f64>, m: &DenseVec<f64>) -> (v: DenseVec<f64>) { v[i] += x[i, j] * m[i] } };
    assert!(told.contains("for i: len(i) steps\n        for j: len(i) * len(j) steps"), "{told}");
    let told = explain! { fn product(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] } };
    assert!(told.contains("for k: len(i) * len(k) steps\n            for j"), "{told}");
}

/// Logic over bits is computed by the word, whatever it is counted or gathered in.
#[test]
fn bits_are_counted_by_the_word_in_scalars_too() {
    let each = [
        explain! { fn counted(a: &Bits, b: &Bits) -> (s: u64) { s += a[i] && b[i] } },
        explain! { fn product(a: &Bits, b: &Bits) -> (s: i32) { s += a[i] * b[i] } },
        explain! { fn converted(a: &Bits, b: &Bits, s: &mut u64) { s += (a[i] || b[i]) as u64 } },
        explain! { fn under(a: &Bits, b: &Bits, p: bool) -> (s: u64) { if a[i] && p { s += !b[i] } } },
        explain! { fn some(a: &Bits, b: &Bits) -> (s: bool) { s ||= a[i] && b[i] } },
        explain! { fn all(a: &Bits, b: &Bits) -> (s: bool) { s &&= a[i] || b[i] } },
        explain! { fn found(a: &Bits, b: &Bits) -> (s: bool) { if a[i] && b[i] { s = true } } },
        explain! { fn next(a: &Bits, b: &Bits) -> (s: u64) { s += a[i] && coalesce(b[permit[i + 1]], false) } },
        explain! { fn local(a: &Flags, b: &Bits) -> (y: DenseVec<u64>) { for r { let mut s: u64; for i { s += a[r, i] && b[i] } y[r] = s } } },
        explain! { fn not(a: &BitTrees) -> (s: u64) { s += !a[i] } },
    ];
    for told in each {
        let rows = if told.contains("schedule of local") { "len(r) * " } else { "" };
        assert!(told.contains(&format!("for i: {rows}len(i) / 64 steps")), "{told}");
        assert!(told.contains("Words: i"), "{told}");
    }
    let told = explain! { fn walked(a: &BitTrees) -> (s: u64) { s += a[i] } };
    assert!(told.contains("for i: stored(a) steps"), "{told}");
}

finch! {
    #![strict]
    fn strict_triangles(g: &Graph) -> (n: u64) { n += g[i, j] && g[j, k] && g[i, k] }
    fn strict_product(g: &Graph, x: &SparseVec<bool>, d: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += (g[i, j] && x[j]) * d[j] }
    fn strict_sum(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}

/// Conditions have no NaN, so that strict kernels look them up in copies as others do; what they are multiplied with counts
/// wherever they stand.
#[test]
fn conditions_of_strict_kernels_are_spread() {
    let at = [[0, 1], [0, 2], [1, 2], [2, 3], [1, 3], [3, 0]];
    let g: Graph = Tensor::from_triplets([4, 4], at.map(|c| (c, true)), Refuse).expect("in range");
    let x: SparseVec<bool> =
        Tensor::from_triplets([4], [([2], true), ([3], true)], Refuse).expect("in range");
    let d = [0.5, -0.0, 2.5, f64::INFINITY];
    let dense: DenseVec<f64> = Tensor::from_dense([4], &d).expect("dense");
    let has = |i: usize, j: usize| at.contains(&[i, j]);
    let triangles = (0..64).filter(|n| {
        let (i, j, k) = (n / 16, n / 4 % 4, n % 4);
        has(i, j) && has(j, k) && has(i, k)
    });
    let triangles = triangles.count() as u64;
    assert!(triangles > 0);
    for way in [None, Some(0), Some(1)] {
        looplets::rt::prefer(way);
        assert_eq!(strict_triangles(&g), triangles);
        // 0 times infinity is no number, where no condition holds either.
        let found = strict_product(&g, &x, &dense).to_dense();
        looplets::rt::prefer(None);
        for (i, found) in found.iter().enumerate() {
            let term = |j: usize| f64::from(u8::from(has(i, j) && j > 1)) * d[j];
            let want: f64 = (0..4).map(term).sum();
            assert!(
                *found == want || found.is_nan() && want.is_nan(),
                "{way:?} {i}: {found} {want}"
            );
        }
    }
    let told = explain! { #![strict] fn triangles(g: &Graph) -> (n: u64) { n += g[i, j] && g[j, k] && g[i, k] } };
    assert!(told.contains("spread(g)"), "{told}");
    let told = explain! { #![strict] fn sum(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } };
    assert!(!told.contains("spread(x)"), "{told}");
    let a: Csr<f64> =
        Tensor::from_triplets([1, 2], [([0, 0], f64::INFINITY)], Refuse).expect("one");
    let nothing: SparseVec<f64> = Tensor::new([2]).expect("empty");
    assert!(strict_sum(&a, &nothing).to_dense()[0].is_nan());
}

/// A list that is appended to in order is not put in order before it is gone along.
#[test]
fn lists_in_order_cost_no_sorting() {
    let told = explain! { #![schedule(first(b, m), walk(j))] fn chain(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] * m[k, j] } };
    assert!(told.contains("+ 2.6 * stored(a) +"), "{told}");
}

/// Workspaces of a way have their formats in the text of its program.
#[test]
fn ways_can_be_told_apart_by_their_text() {
    let told =
        explain! { fn squares(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * a[k, j] } };
    assert!(told.contains("where c_gathered: Spa of Element"), "{told}");
    assert!(told.contains("where c_gathered: Hash of Element"), "{told}");
}

#[test]
fn the_last_choice_says_what_each_way_came_to() {
    let full = |n: usize, m: usize| matrix::<Dense<Dense<Element<f64>>>>(n, m, 1);
    let _ = dense_chain(&full(2, 50), &full(50, 60), &full(60, 70));
    let last = last_choice().expect("a choice");
    assert_eq!((last.kernel, last.schedule()), ("dense_chain", "first(a, b, for i)"));
    assert_eq!(last.costs().len(), last.of);
    let least = last.costs().iter().copied().fold(f64::INFINITY, f64::min);
    assert!(last.costs()[last.way - 1] <= 1.1 * least);
    let text = last.to_string();
    assert!(
        text.starts_with("dense_chain took way ") && text.contains("first(a, b, for i)"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1 + last.of);
    assert_eq!(text.matches(", taken").count(), 1);
}

/// A set of bits says how many are set by a sample: few are gone through one by one, many 64 a step.
#[test]
fn a_call_counts_bits() {
    let way = |every: usize| {
        let bits: Vec<bool> = (0..512 * 512).map(|n| n * 7919 % every == 0).collect();
        let a = Flags::from_dense([512, 512], &bits).expect("a matrix");
        let s = common(&a).to_dense();
        let met = |i: usize, j: usize| {
            let both = |k: &usize| bits[i * 512 + k] && bits[j * 512 + k];
            (0..512).filter(both).count()
        };
        for (i, j) in [(0, 0), (3, 200), (511, 40)] {
            assert_eq!(s[i * 512 + j] as usize, met(i, j));
        }
        last_choice().expect("several ways").way
    };
    assert_eq!(way(997), way(499));
    assert_ne!(way(997), way(3));
}
