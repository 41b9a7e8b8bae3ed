//! The costs that `explain!` prints, beside the steps that the kernels count: entries that lie anywhere take as many steps as
//! the cost says, to a tenth or a few.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod formula;

use formula::Sizes;
use looplets::prelude::*;

level! { type Set = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Flags = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Marks = Tensor<Bitmap<Pattern>>; }
level! { type Cube = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }

/// Numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn entries<const N: usize>(shape: [usize; N], many: usize, seed: u64) -> Vec<([usize; N], f64)> {
    let mut chance = Chance(seed);
    (0..many).map(|n| (shape.map(|size| chance.below(size)), 0.5 + n as f64)).collect()
}

fn matrix(rows: usize, columns: usize, many: usize, seed: u64) -> Csr<f64> {
    let shape = [rows, columns];
    Tensor::from_triplets(shape, entries(shape, many, seed), Sum).expect("a matrix")
}

fn vector(size: usize, many: usize, seed: u64) -> SparseVec<f64> {
    Tensor::from_triplets([size], entries([size], many, seed), Sum).expect("a vector")
}

/// The kernels with a counter, and what `explain!` says of each.
macro_rules! kernels {
    ($($(#![$setting:meta])* fn $name:ident($($params:tt)*) $(-> $out:tt)? { $($body:tt)* })*) => {
        $(finch! {
            $(#![$setting])*
            #![steps(n)]
            fn $name($($params)*, n: &mut u64) $(-> $out)? { $($body)* }
        })*
        /// What is said of each kernel.
        fn told(name: &str) -> &'static str {
            match name {
                $(stringify!($name) => explain! {
                    $(#![$setting])*
                    fn $name($($params)*) $(-> $out)? { $($body)* }
                },)*
                _ => unreachable!("{name}"),
            }
        }
        /// Holds the steps of a kernel against its cost.
        fn holds(name: &str, sizes: &Sizes, steps: u64, between: (f64, f64)) {
            held(name, told(name), sizes, steps, between);
        }
    };
}

kernels! {
    fn along_a_matrix(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    #![schedule(spread(x))] fn looked_up(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    #![schedule(merge(x), walk(j))] fn merged(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    #![schedule(dense(c))] fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
    fn divided(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] / x[j] }
    #![strict] fn strictly(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: DenseMat<f64>) { c[i, j] = a[i, j] / x[j] }
    #![schedule(dense(c))] fn largest(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] <<max>>= a[i, k] * b[k, j] }
    fn kept(a: &Csr<f64>, y: &mut DenseVec<f64>) { y[i] <<max>>= a[i, j] }
    fn with_columns(a: &Csr<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
    fn sum(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    fn sampled(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    fn of_three(t: &Cube, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, r] += t[i, j, k] * d[j, r] * e[k, r] }
    #![schedule(spread(a))] fn triangles(a: &Set, s: &mut u64) { s += ifelse(a[i, j] && a[j, k] && a[i, k], 1, 0) }
    fn above(a: &Set, s: &mut u64) { if i < j { s += ifelse(a[i, j], 1, 0) } }
    fn both_sides(a: &Set, s: &mut u64) { for i, j { if i < j { s += ifelse(a[i, j], 1, 0) } if j < i { s += ifelse(a[i, j], 2, 0) } } }
    fn in_order(a: &Set, s: &mut u64) { if i < j && j < k { s += ifelse(a[i, j] && a[j, k], 1, 0) } }
    #![schedule(first(b, x))] fn first(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    #![schedule(at_once)] fn at_once(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    #![schedule(dense(c))] fn product_of_positive(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if a[i, k] > 0 { c[i, j] += a[i, k] * b[k, j] } }
    #![schedule(dense(c))] fn product_of_others(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if a[i, k] != 0 && 0.25 < b[k, j] { c[i, j] += a[i, k] * b[k, j] } }
    fn leaps_twice(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { if a[i, j::gallop] > 0 { y[i] += a[i, j::gallop] * x[j] } }
    fn squares(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * a[i, j] }
    fn large(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { if -0.5 > -a[i, j] { y[i] += a[i, j] * a[i, j] * x[j] } }
    fn with_itself(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * (a[i, j] + b[i, j]) }
    #![schedule(merge(v))] fn frontier(g: &Flags, f: &Marks, v: &Marks) -> (next: Marks) { next[j] ||= f[i] && g[i, j] && !v[j] }
    #![schedule(merge(v))] fn frontier_of_some(g: &Flags, f: &Marks, v: &Marks) -> (next: Marks) { if f[i] && !v[j] { next[j] ||= g[i, j] } }
    #![schedule(as_stored, merge(g), walk(j))] fn common(g: &Flags) -> (s: DenseMat<u32>) { s[i, k] += g[i, j] && g[k, j] }
    #![schedule(way(1))] fn chain_1(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) -> (d: Csr<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }
    #![schedule(way(2))] fn chain_2(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) -> (d: Csr<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }
    #![schedule(way(3))] fn chain_3(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) -> (d: Csr<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }
}

mod runs;

/// Holds the steps of a kernel against the cost that is `told` of it: the one over the other is between `from` and `to`.
fn held(name: &str, told: &str, sizes: &Sizes, steps: u64, (from, to): (f64, f64)) {
    let cost = formula::steps(told, sizes);
    let ratio = steps as f64 / cost;
    assert!(
        (from..=to).contains(&ratio),
        "{name}: {steps} steps, and a cost of {cost}: {ratio:.3}"
    );
}

/// As many steps as the cost says, to a hundredth.
const EXACT: (f64, f64) = (0.99, 1.01);
/// As many as it says where entries meet by chance.
const ABOUT: (f64, f64) = (0.85, 1.15);

/// Where entries of a row are counted once that come several times: the cost has the least of what comes and of what there is
/// room for, and `1 - 1 / e` of that is there where both are as many.
const MET: (f64, f64) = (0.63, 1.05);

#[test]
fn steps_are_what_costs_say() {
    for (n, m, density) in [(300, 400, 0.02), (500, 200, 0.001), (200, 300, 0.3)] {
        let many = |rows: usize, columns: usize| (rows as f64 * columns as f64 * density) as usize;
        let a = matrix(n, m, many(n, m), 1);
        let also = matrix(n, m, many(n, m), 2);
        let b = matrix(m, n, many(m, n), 3);
        let c = matrix(n, m, many(n, m), 4);
        let x = vector(m, m / 10, 5);
        let dense: DenseVec<f64> = Tensor::from_dense([n], &vec![0.5; n]).expect("a vector");
        let wide: DenseVec<f64> = Tensor::from_dense([m], &vec![0.5; m]).expect("a vector");
        let rows: DenseMat<f64> = Tensor::from_dense([m, 7], &vec![0.5; 7 * m]).expect("a matrix");
        let others: DenseMat<f64> =
            Tensor::from_dense([n, 7], &vec![0.5; 7 * n]).expect("a matrix");
        let mut sizes = Sizes::default();
        for (name, size) in [("i", n), ("j", m), ("k", n), ("l", m), ("r", 7)] {
            sizes.lens.insert(name.into(), size as f64);
        }
        for (name, stored) in
            [("a", a.stored()), ("b", b.stored()), ("c", c.stored()), ("x", x.stored())]
        {
            sizes.stored.insert(name.into(), stored as f64);
        }
        let mut count = 0;
        along_a_matrix(&a, &wide, &mut count);
        holds("along_a_matrix", &sizes, std::mem::take(&mut count), EXACT);
        divided(&a, &wide, &mut count);
        holds("divided", &sizes, std::mem::take(&mut count), EXACT);
        strictly(&a, &wide, &mut count);
        holds("strictly", &sizes, std::mem::take(&mut count), (0.99, 2.5));
        // What is not stored may be more than what was there.
        let mut old: DenseVec<f64> = Tensor::from_dense([n], &vec![-0.5; n]).expect("a vector");
        kept(&a, &mut old, &mut count);
        assert!(old.to_dense().iter().all(|v| *v >= 0.0));
        std::mem::take(&mut count);
        looked_up(&a, &x, &mut count);
        holds("looked_up", &sizes, std::mem::take(&mut count), EXACT);
        merged(&a, &x, &mut count);
        holds("merged", &sizes, std::mem::take(&mut count), (0.3, 1.0));
        first(&a, &b, &dense, &mut count);
        holds("first", &sizes, std::mem::take(&mut count), EXACT);
        at_once(&a, &b, &dense, &mut count);
        holds("at_once", &sizes, std::mem::take(&mut count), ABOUT);
        chain_1(&a, &b, &c, &mut count);
        holds("chain_1", &sizes, std::mem::take(&mut count), MET);
        chain_2(&a, &b, &c, &mut count);
        holds("chain_2", &sizes, std::mem::take(&mut count), MET);
        chain_3(&a, &b, &c, &mut count);
        holds("chain_3", &sizes, std::mem::take(&mut count), MET);
        // The same letters stand for other sizes here.
        sizes.lens.insert("k".into(), m as f64);
        sizes.lens.insert("j".into(), n as f64);
        product(&a, &b, &mut count);
        holds("product", &sizes, std::mem::take(&mut count), MET);
        product_of_positive(&a, &b, &mut count);
        holds("product_of_positive", &sizes, std::mem::take(&mut count), MET);
        product_of_others(&a, &b, &mut count);
        holds("product_of_others", &sizes, std::mem::take(&mut count), MET);
        largest(&a, &b, &mut count);
        holds("largest", &sizes, std::mem::take(&mut count), MET);
        sizes.lens.insert("j".into(), 7.0);
        with_columns(&a, &rows, &mut count);
        holds("with_columns", &sizes, std::mem::take(&mut count), EXACT);
        sizes.lens.insert("j".into(), m as f64);
        sizes.stored.insert("b".into(), also.stored() as f64);
        sum(&a, &also, &mut count);
        holds("sum", &sizes, std::mem::take(&mut count), (0.8, 1.0));
        sizes.lens.insert("k".into(), 7.0);
        // A leap for each entry of each that leaps, at most.
        leaps_twice(&a, &wide, &mut count);
        holds("leaps_twice", &sizes, std::mem::take(&mut count), (0.45, 1.01));
        squares(&a, &mut count);
        holds("squares", &sizes, std::mem::take(&mut count), EXACT);
        large(&a, &wide, &mut count);
        holds("large", &sizes, std::mem::take(&mut count), EXACT);
        with_itself(&a, &also, &mut count);
        holds("with_itself", &sizes, std::mem::take(&mut count), (0.5, 1.01));
        sampled(&a, &others, &rows, &mut count);
        holds("sampled", &sizes, std::mem::take(&mut count), EXACT);
    }
}

#[test]
fn of_sets_and_cubes() {
    for (n, many) in [(200, 2_000), (1_000, 3_000), (60, 3_000)] {
        let pairs = entries([n, n], many, 7).into_iter().map(|(at, _)| (at, true));
        let a: Set = Tensor::from_triplets([n, n], pairs, Last).expect("a set");
        let cube: Cube =
            Tensor::from_triplets([n, 50, 60], entries([n, 50, 60], many, 8), Sum).expect("a cube");
        let d: DenseMat<f64> = Tensor::from_dense([50, 5], &[0.5; 250]).expect("a matrix");
        let e: DenseMat<f64> = Tensor::from_dense([60, 5], &[0.5; 300]).expect("a matrix");
        let mut sizes = Sizes::default();
        for (name, size) in [("i", n), ("j", 50), ("k", 60), ("r", 5)] {
            sizes.lens.insert(name.into(), size as f64);
        }
        sizes.stored.insert("a".into(), a.stored() as f64);
        sizes.stored.insert("t".into(), cube.stored() as f64);
        let (mut count, mut all) = (0, 0);
        of_three(&cube, &d, &e, &mut count);
        holds("of_three", &sizes, std::mem::take(&mut count), ABOUT);
        sizes.lens.insert("j".into(), n as f64);
        sizes.lens.insert("k".into(), n as f64);
        triangles(&a, &mut all, &mut count);
        holds("triangles", &sizes, std::mem::take(&mut count), ABOUT);
        above(&a, &mut all, &mut count);
        holds("above", &sizes, std::mem::take(&mut count), ABOUT);
        both_sides(&a, &mut all, &mut count);
        holds("both_sides", &sizes, std::mem::take(&mut count), ABOUT);
        in_order(&a, &mut all, &mut count);
        holds("in_order", &sizes, count, ABOUT);
    }
}

#[test]
fn bits_are_taken_by_the_word() {
    let (rows, columns) = (100, 640);
    let mut chance = Chance(9);
    let mut bits = |n: usize| -> Vec<bool> { (0..n).map(|_| chance.below(4) == 0).collect() };
    let g = Flags::from_dense([rows, columns], &bits(rows * columns)).expect("a matrix");
    let f = Marks::from_dense([rows], &bits(rows)).expect("a vector");
    let v = Marks::from_dense([columns], &bits(columns)).expect("a vector");
    let mut sizes = Sizes::default();
    for (name, size) in [("i", rows), ("j", columns), ("k", rows)] {
        sizes.lens.insert(name.into(), size as f64);
    }
    for (name, stored) in [("g", g.stored()), ("f", f.stored()), ("v", v.stored())] {
        sizes.stored.insert(name.into(), stored as f64);
    }
    let mut count = 0;
    frontier(&g, &f, &v, &mut count);
    holds("frontier", &sizes, std::mem::take(&mut count), ABOUT);
    frontier_of_some(&g, &f, &v, &mut count);
    holds("frontier_of_some", &sizes, std::mem::take(&mut count), ABOUT);
    common(&g, &mut count);
    holds("common", &sizes, std::mem::take(&mut count), ABOUT);
}
