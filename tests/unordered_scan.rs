//! Entries that are gone through as they come: the one sparse operand of a loop whose result does not depend on the order.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use looplets::{Bst, UnsortedBlockList};
use oracle::*;

level! { type Row = Tensor<UnorderedList<Element<f64>>>; }
level! { type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Blocks = Tensor<Dense<UnsortedBlockList<Element<f64>, u32, 2>>>; }
level! { type Block = Tensor<UnsortedBlockList<Element<f64>, u32, 3>>; }
level! { type OverDense = Tensor<UnsortedBlockList<Dense<Element<f64>>, u32, 2>>; }
level! { type OverTree = Tensor<UnsortedBlockList<Bst<Element<f64>>, u32, 2>>; }
level! { type Twice = Tensor<UnsortedBlockList<UnsortedBlockList<Element<f64>, u32, 2>, u32, 2>>; }
level! { type Least = Tensor<UnsortedBlockList<Element<f64, Inf>, u32, 2>>; }
level! { type Set = Tensor<Dense<UnsortedBlockList<Pattern, u32, 2>>>; }

level! {
    /// Entries of one fiber, of which nothing is vouched for.
    pub struct Loose<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) {
        let end = crd.len() as i64;
        let mut q = 0;
        unordered { while q < end, at: crd[q], body: { let at = q; child[at] }, next: { q += 1; } }
    }
}

operator! {
    /// Commutative and associative.
    pub fn both(a: u64, b: u64) -> u64 { a | b }
    commutative, associative, identity 0
}

kernels! {
    fn total(a: &Row, s: &mut f64) { for i { s += a[i::scan] } };;
    fn product(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::scan] * x[j] } };;
    fn columns(a: &Rows, w: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j::scan] * w[i] } };;
    fn transposed(a: &Blocks) -> (y: Tensor<Hash<Hash<Element<f64>>>>) { for i, j { y[j, i] = a[i, j] }};;
    fn digits(a: &Rows, x: &DenseVec<f64>, s: &mut f64) { for k { s += collapse(a[i, j::scan], (i, j) -> k) * x[k] } };;
    fn long(a: &Rows) -> (y: DenseVec<f64>) { for k { y[k] = collapse(a[i, j::scan], (i, j) -> k) } };;
    fn in_a_tree(a: &Blocks) -> (y: Tensor<Dense<Bst<Element<f64>>>>) { for i, j { y[i, j] = 2 * a[i, j] } };;
    fn unordered_too(a: &Blocks) -> (y: Rows) { for i, j { y[i, j] = a[i, j] } };;
    fn itself(a: &Blocks) -> (y: Blocks) { for i, j { y[i, j] = a[i, j] } };;
    fn default(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn in_parallel(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        parallel for i { for j { y[i] += a[i, j] * x[j] } }
    };;
    fn reduced_in_parallel(a: &Blocks) -> (y: DenseVec<f64>) { parallel for i { for j { y[j] += a[i, j] } } };;
    fn appended_around(a: &Blocks, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}

kernels! {
    fn lower(a: &Rows, s: &mut f64) { for i, j { if j < i { s += a[i, j::scan] } } };;
    fn around_diagonal(a: &Blocks) -> (y: DenseVec<f64>) {
        for i, j { if j < i { y[i] += a[i, j] } if i < j { y[i] += 3 * a[i, j] } }
    };;
    fn masked(a: &Blocks, m: &DenseMat<f64>) -> (y: DenseMat<f64>) { for i, j { if m[i, j] > 1 { y[i, j] = a[i, j] } } };;
    fn sampled(a: &Blocks, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j { let mut t: f64; for k { t += b[i, k] * c[j, k] } y[i, j] += a[i, j] * t }
    };;
    fn two(a: &Blocks, x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) {
        for i, j { s += a[i, j] * a[i, j]; y[j] += a[i, j] * x[i] }
    };;
    fn located(a: &Blocks, b: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j] * b[i, j::locate] } };;
    fn of_another_row(a: &Blocks, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 1..n { for j in 0..n { y[i, j] = a[i, j::scan] * a[i - 1, j::locate] } }
    };;
    fn looked_up(a: &Blocks, b: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j::locate] + b[i, j] } };;
    fn in_place(a: &Blocks, y: &mut DenseMat<f64>, z: &mut DenseMat<f64>) {
        for i, j { y[i, j] += a[i, j]; z[i, j] -= a[i, j] * a[i, j] }
    };;
    fn where_it_is(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = 2 * t } where { for j { t += a[i, j] * x[j] } } }
    }
}

kernels! {
    fn windows(a: &Blocks, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 1..n { y[i, j - 1] = a[i, j] } }
    };;
    fn moved(a: &Rows, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 0..n - 1 { y[i, j] = a[i, (j + 1)::scan] } }
    };;
    fn turned_round(a: &Blocks, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 0..n { y[i, n - 1 - j] += a[i, j] } }
    };;
    fn padded(a: &Blocks, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 0..n { y[i, j] = coalesce(a[i, permit[offset(1)[j]]], 7) } }
    };;
    fn seen_through(a: &Blocks, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
        for i, j { y[j] += a[i, window(lo, hi)[j]] }
    }
}

kernels! {
    fn over_dense(a: &OverDense, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn over_tree(a: &OverTree, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn over_itself(a: &Twice) -> (y: DenseMat<f64>) { for i, j { y[j, i] = a[i, j] } };;
    fn rows_that_are(a: &OverTree) -> (y: Tensor<Hash<Element<f64>>>) { for i { for j { y[i] += a[i, j] } } };;
    fn least(a: &Least, x: &DenseVec<f64>, s: &mut f64) { for i { if x[i] > 1 { s <<min>>= a[i] } } };;
    fn any(a: &Set, x: &DenseVec<f64>, s: &mut f64) {
        for i { let mut found: bool; for j { found ||= a[i, j] && x[j] > 1 } if found { s += 1 } }
    };;
    fn reached(a: &Set, from: &Tensor<Dense<Element<bool>>>) -> (y: Tensor<Dense<Element<bool>>>) {
        for i, j { y[j] ||= a[i, j] && from[i] }
    };;
    fn counted(a: &Set) -> (y: Tensor<Dense<Element<u64>>>) { for i, j { y[i] += a[i, j] } };;
    fn gathered(a: &Blocks, n: usize) -> (y: Csr<f64>[n, n]) {
        for i in 0..n {
            let mut w: SparseVecOfMany[n];
            for j in 0..n { w[n - 1 - j] += a[i, j] }
            for j in 0..n { y[i, j] = w[j] }
        }
    }
}
level! { type SparseVecOfMany = Tensor<Spa<Element<f64>>>; }

kernels! {
    #![strict]
    fn strictly(a: &Blocks, n: usize) -> (y: DenseMat<f64>[n, n]) { for i in 0..n { for j in 0..n { y[i, j] += a[i, j] } } };;
    fn strictly_least(a: &Least, s: &mut f64) { for i { s <<min>>= a[i] } };;
    fn strictly_counted(a: &Set, s: &mut u64) { for i, j { s += a[i, j] } }
}

finch! {
    use both;
    fn loose(a: &Tensor<Loose<Element<f64>>>, x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i]; s += a[i] * x[i] }
    }
    fn thinned(a: &mut Blocks) { for i, j { if a[i, j] > 2 { remove a[i, j] } } }
    fn halved(a: &mut Blocks) { for i, j { if j < i { remove a[i, j] } } }
    fn joined(a: &Tensor<UnsortedBlockList<Element<u64>>>, s: &mut u64) { for i { s <<both>>= a[i] } }
}

finch! {
    #![steps(n)]
    fn steps(a: &Rows, x: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::scan] * x[j] } }
}

/// The entries of `a`, the later columns of a row first and some out of turn.
fn shuffled(a: &Csr<f64>) -> Blocks {
    let mut y = Blocks::new(a.shape()).unwrap();
    let mut all = a.triplets();
    all.sort_by_key(|(at, _)| (at[1] * 5 + 3) % 7);
    for (at, value) in all.into_iter().rev() {
        y.insert([at[0], at[1]], value).unwrap();
    }
    y.root().check(1).unwrap();
    y
}

finch! {
    #![dense]
    fn backwards(a: &Csr<f64>, m: usize, n: usize) -> (y: Rows[m, n]) { for i in 0..m { for j in 0..n { y[i, n - 1 - j] = a[i, n - 1 - (n - 1 - j)] } } }
    fn vector_backwards(a: &SparseVec<f64>, n: usize) -> (y: Row[n]) { for i in 0..n { y[n - 1 - i] = a[i] } }
}

#[test]
fn matrices_agree() {
    matrices(|shape, ka, kb| {
        let [m, n] = shape;
        let stored: Csr<f64> = matrix(ka, shape);
        let (a, b) = (shuffled(&stored), backwards(&stored, m, n));
        let (x, w): (DenseVec<f64>, DenseVec<f64>) = (vector(kb, n), vector(kb, m));
        let (other, mask): (Csr<f64>, DenseMat<f64>) = (matrix(kb, shape), matrix(kb, shape));
        let (left, right): (DenseMat<f64>, DenseMat<f64>) =
            (matrix(ka, [m, 3]), matrix(kb, [n, 3]));
        let (dense, tree): (OverDense, OverTree) = (matrix(ka, shape), matrix(ka, shape));
        let (twice, list): (Twice, SparseVec<f64>) = (matrix(ka, shape), vector(kb, n));
        agree!(product(&b, &x));
        agree!(columns(&b, &w));
        agree!(transposed(&a));
        agree!(in_a_tree(&a));
        agree!(unordered_too(&a));
        agree!(itself(&a));
        agree!(default(&a, &x));
        agree!(in_parallel(&a, &x));
        agree!(reduced_in_parallel(&a));
        agree!(appended_around(&a, &x));
        agree!(around_diagonal(&a));
        agree!(masked(&a, &mask));
        agree!(sampled(&a, &left, &right));
        let mut s = 0.0;
        agree!(two(&a, &w, &mut s));
        agree!(lower(&b, &mut s));
        let long_vector: DenseVec<f64> = vector(ka, m * n);
        agree!(digits(&b, &long_vector, &mut s));
        agree!(long(&b));
        agree!(located(&a, &other, &mut s));
        agree!(looked_up(&a, &other));
        agree!(where_it_is(&a, &x));
        let (mut y, mut z) = (mask.clone(), mask.clone());
        agree!(in_place(&a, &mut y, &mut z));
        agree!(over_dense(&dense, &x));
        agree!(over_tree(&tree, &list));
        agree!(over_itself(&twice));
        agree!(rows_that_are(&tree));
        let sorted: Csr<f64> = a.convert().unwrap();
        // With NaN for what is NaN.
        assert_eq!(format!("{:?}", sorted.to_dense()), format!("{:?}", stored.to_dense()));
    });
}

#[test]
fn squares_agree() {
    for n in [1, 2, 5, 11] {
        for kind in 0..KINDS {
            let a = shuffled(&matrix(kind, [n, n]));
            agree!(of_another_row(&a, n));
            agree!(windows(&a, n));
            agree!(moved(&backwards(&matrix(kind, [n, n]), n, n), n));
            agree!(turned_round(&a, n));
            agree!(padded(&a, n));
            agree!(gathered(&a, n));
            agree!(strictly(&a, n));
            for (lo, hi) in [(0, n), (n / 3, n / 2), (n - 1, n), (n / 2, n / 2)] {
                agree!(seen_through(&a, lo, hi));
            }
        }
    }
}

#[test]
fn vectors_agree() {
    pairs(|n, ka, kb| {
        let mut s = 9.0;
        let a: SparseVec<f64> = vector(ka, n);
        agree!(total(&vector_backwards(&a, n), &mut s));
        let (least_of, x): (Least, DenseVec<f64>) = (vector(ka, n), vector(kb, n));
        agree!(least(&least_of, &x, &mut s));
        agree!(strictly_least(&least_of, &mut s));
    });
}

#[test]
fn sets_agree() {
    for n in [0, 1, 5, 11] {
        for k in 1..4 {
            let at = |i: usize| (0..n).rev().filter(move |j| (i * 3 + j * j).is_multiple_of(k + 1));
            let mut a = Set::new([n, n]).unwrap();
            (0..n).flat_map(|i| at(i).map(move |j| [i, j])).for_each(|at| {
                a.insert(at, true).unwrap();
            });
            let (mut s, mut c) = (0.0, 0);
            let x: DenseVec<f64> = vector(k, n);
            agree!(any(&a, &x, &mut s));
            let from: Vec<bool> = (0..n).map(|i| i % (k + 1) == 1).collect();
            let from: Tensor<Dense<Element<bool>>> = Tensor::from_dense([n], &from).unwrap();
            agree!(reached(&a, &from));
            agree!(counted(&a));
            agree!(strictly_counted(&a, &mut c));
        }
    }
}

/// What a level says of its coordinates is not relied upon if nothing vouches for it.
#[test]
fn loose_coordinates_are_passed_by() {
    let crd = vec![5, 99, 2, usize::MAX];
    let a: Tensor<Loose<Element<f64>>> =
        Tensor::from_parts(Loose::new(6, crd, Element::new(vec![1.0, 2.0, 4.0, 8.0]))).unwrap();
    let x: DenseVec<f64> = Tensor::from_dense([6], &[1.0, 1.0, 3.0, 1.0, 1.0, 5.0]).unwrap();
    let mut s = 0.0;
    let y = loose(&a, &x, &mut s);
    assert_eq!((y.to_dense(), s), (vec![0.0, 0.0, 4.0, 0.0, 0.0, 1.0], 17.0));
    assert_eq!(a.get([2]), Some(4.0));
}

/// Entries go whose loop reads them: what is stored and what it holds are seen at once.
#[test]
fn entries_are_removed() {
    let a = shuffled(&matrix(7, [6, 9]));
    let (mut b, mut c) = (a.clone(), a.clone());
    thinned(&mut b);
    halved(&mut c);
    let rest = |keep: &dyn Fn(&[usize], f64) -> bool| -> Vec<(Vec<usize>, f64)> {
        a.triplets().into_iter().filter(|(at, x)| keep(at, *x)).collect()
    };
    assert_eq!(b.triplets(), rest(&|_, x| x <= 2.0));
    assert_eq!(c.triplets(), rest(&|at, _| at[1] >= at[0]));
    assert!(b.stored() < a.stored() && c.stored() < a.stored());
    b.root().check(1).unwrap();
    c.root().check(1).unwrap();
}

/// An operator that declares both properties reduces in any order; one step an entry.
#[test]
fn operators_and_steps() {
    let a = [([7], 1), ([2], 4), ([5], 2)];
    let a = Tensor::from_triplets([9], a, Refuse).unwrap();
    let mut s = 8;
    joined(&a, &mut s);
    assert_eq!(s, 15);
    let a = backwards(&matrix(7, [20, 30]), 20, 30);
    let mut n = 0;
    steps(&a, &vector(7, 30), &mut n);
    assert!(n as usize <= 20 + 2 * a.stored(), "{n} steps for {} entries", a.stored());
}
