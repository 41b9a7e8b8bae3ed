//! What no operand stores is not stored in a sparse result, also where only an entry that was begun already shows
//! that: a row that one of several loops reads and that is absent, a coordinate that is located and not found.

use looplets::prelude::*;

/// The entries of a result, which are the elements of `want` that are not 0, and no other.
#[track_caller]
fn only<L>(got: &Tensor<L>, want: &[f64], what: &str)
where
    L: looplets::level::Level<Value = f64>,
{
    assert_eq!(got.to_dense(), want, "{what}");
    let stored = want.iter().filter(|x| **x != 0.0).count();
    assert_eq!(got.stored(), stored, "{what}: stored beside {want:?}");
}

/// Sets of rows that are stored, which are neighbours.
const ROWS: [&[usize]; 6] = [&[], &[0], &[1], &[2], &[1, 2], &[0, 1, 2]];
const N: usize = 3;
const M: usize = 4;

/// A matrix of which `rows` are stored, without a 0 in them.
fn full(rows: &[usize], scale: f64) -> Vec<f64> {
    let at = |k: usize| if rows.contains(&(k / M)) { scale * (k + 1) as f64 } else { 0.0 };
    (0..N * M).map(at).collect()
}

/// A matrix with entries here and there.
fn sparse(seed: usize) -> Vec<f64> {
    let at = |k: usize| if (k * 7 + seed).is_multiple_of(2 + seed) { 0.5 + k as f64 } else { 0.0 };
    (0..N * M).map(at).collect()
}

fn sums(of: &[f64]) -> Vec<f64> {
    of.chunks(M).map(|row| row.iter().sum()).collect()
}

macro_rules! rows {
    ($($name:ident: $A:ty $(, $more:literal)?;)*) => {$(mod $name {
        use super::*;
        finch! {
            fn alone(a: &$A, b: &Dcsr<f64>) -> (d: Dcsr<f64>) { for i, j { d[i, j] = a[i, j] + b[i, j] } }
            fn two(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i { for j { y[i] += a[i, j] } for j { d[i, j] = a[i, j] + b[i, j] } }
            }
            fn coo(a: &$A, b: &Coo2<f64>) -> (y: DenseVec<f64>, d: Coo2<f64>) {
                for i { for j { d[i, j] = a[i, j] + b[i, j] } for j { y[i] += a[i, j] } }
            }
            fn three(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>, e: Csr<f64>) {
                for i {
                    for j { y[i] += a[i, j] }
                    for j { d[i, j] = a[i, j] + b[i, j] }
                    if i > 0 { for j { e[i, j] = 2 * a[i, j] } }
                }
            }
            fn both(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Tensor<SparseList<Dense<Element<f64>>>>) {
                for i { for j { y[i] += a[i, j] } for j { d[i, j] = a[i, j] * b[i, j] } }
            }
            fn named(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i {
                    for j { y[i] += a[i, j] }
                    for j { let v = 2 * a[i, j]; let w = v + b[i, j]; d[i, j] = w / 2 }
                }
            }
            fn held(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i {
                    { y[i] = s; for j { d[i, j] = a[i, j] + b[i, j] } } where { for j { s += a[i, j] } }
                }
            }
            fn masked(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i { for j { y[i] += a[i, j] } for j { if j > i { d[i, j] = a[i, j] + b[i, j] } } }
            }
            fn moved(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i {
                    for j { y[i] += a[i, j] }
                    for j { d[i, j] = coalesce(a[i, permit[j - 1]], 0) + b[i, j] }
                }
            }
            fn sliced(a: &$A, b: &Dcsr<f64>) -> (y: DenseVec<f64>, d: Dcsr<f64>) {
                for i {
                    for j { y[i] += a[i, j] }
                    for k { d[i, k] = slice(a[i, j], j -> k, 1..4) + slice(b[i, j], j -> k, 1..4) }
                }
            }
            fn sum(a: &$A, b: &Dcsr<f64>, c: &Csr<f64>) -> (d: Dcsr<f64>) {
                for i, j { d[i, j] = a[i, j] + b[i, j] + c[i, j] }
            }
        }

        #[test]
        fn rows_that_are_absent_are_not_stored() {
            for rows in ROWS.into_iter().filter(|rows| rows.len() <= N $(.min($more))?) {
                let u = full(rows, 1.0);
                let a: $A = Tensor::from_dense([N, M], &u).unwrap();
                for seed in 0..4 {
                    let v = sparse(seed);
                    let b: Dcsr<f64> = Tensor::from_dense([N, M], &v).unwrap();
                    let what = |of: &str| format!("{of} of rows {rows:?}, {seed}");
                    let each = |f: &dyn Fn(usize) -> f64| (0..N * M).map(f).collect::<Vec<f64>>();
                    let added = each(&|k| u[k] + v[k]);
                    only(&alone(&a, &b), &added, &what("alone"));
                    let (y, d) = two(&a, &b);
                    assert_eq!(y.to_dense(), sums(&u));
                    only(&d, &added, &what("two"));
                    assert_eq!(d.triplets(), alone(&a, &b).triplets());
                    let (y, d) = coo(&a, &Tensor::from_dense([N, M], &v).unwrap());
                    assert_eq!(y.to_dense(), sums(&u));
                    only(&d, &added, &what("coo"));
                    let (y, d, e) = three(&a, &b);
                    assert_eq!(y.to_dense(), sums(&u));
                    only(&d, &added, &what("three"));
                    let below = |k: usize| if k < M { 0.0 } else { 2.0 * u[k] };
                    only(&e, &each(&below), &what("the third of three"));
                    let (y, d) = both(&a, &b);
                    assert_eq!(y.to_dense(), sums(&u));
                    let product = each(&|k| u[k] * v[k]);
                    assert_eq!(d.to_dense(), product);
                    let rows = product.chunks(M).filter(|row| row.iter().any(|x| *x != 0.0));
                    assert_eq!(d.stored(), M * rows.count(), "{}", what("both"));
                    let (y, d) = named(&a, &b);
                    assert_eq!(y.to_dense(), sums(&u));
                    only(&d, &each(&|k| u[k] + v[k] / 2.0), &what("named"));
                    let (y, d) = held(&a, &b);
                    assert_eq!(y.to_dense(), sums(&u));
                    only(&d, &added, &what("held"));
                    let (_, d) = masked(&a, &b);
                    only(&d, &each(&|k| if k % M > k / M { added[k] } else { 0.0 }), &what("masked"));
                    let (_, d) = moved(&a, &b);
                    let before = |k: usize| if k % M > 0 { u[k - 1] } else { 0.0 };
                    only(&d, &each(&|k| before(k) + v[k]), &what("moved"));
                    let (_, d) = sliced(&a, &b);
                    let cut: Vec<f64> = added.chunks(M).flat_map(|row| row[1..].to_vec()).collect();
                    only(&d, &cut, &what("sliced"));
                    let w = sparse(seed + 1);
                    let d = sum(&a, &b, &Tensor::from_dense([N, M], &w).unwrap());
                    only(&d, &each(&|k| added[k] + w[k]), &what("sum"));
                }
            }
        }
    })*};
}

rows! {
    sparse_list: Tensor<SparseList<Dense<Element<f64>>>>;
    sparse_list_of_runs: Tensor<SparseList<RunList<Element<f64>>>>;
    sparse_list_of_ragged: Tensor<SparseList<Ragged<Element<f64>>>>;
    sparse_band: Tensor<SparseBand<Dense<Element<f64>>>>;
    sparse_block_list: Tensor<SparseBlockList<Dense<Element<f64>>>>;
    sparse_point: Tensor<SparsePoint<Dense<Element<f64>>>>, 1;
    hash: Tensor<Hash<Dense<Element<f64>>>>;
    bitmap: Tensor<Bitmap<Dense<Element<f64>>>>;
    byte_map: Tensor<ByteMap<Dense<Element<f64>>>>;
}

macro_rules! located {
    ($($name:ident: $A:ty;)*) => {$(mod $name {
        use super::*;
        finch! {
            fn copied(a: &$A) -> (y: SparseVec<f64>) { for i { y[i] = a[i::locate] } }
            fn into_hash(a: &$A) -> (y: Tensor<Hash<Element<f64>>>) { for i { y[i] = a[i::locate] } }
            fn times(a: &$A, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = x[i] * a[i::locate] } }
            fn at(a: &$A, p: &DenseVec<usize>) -> (y: SparseVec<f64>) { for i { y[i] = a[p[i]] } }
            fn at_times(a: &$A, p: &DenseVec<usize>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
                for i { y[i] = a[p[i]] * x[i] }
            }
            fn of_two(a: &$A, p: &DenseVec<usize>) -> (y: SparseVec<f64>) { for i { y[i] = a[p[i]] - a[i::locate] / 2 } }
            fn named(a: &$A, p: &DenseVec<usize>) -> (y: SparseVec<f64>) { for i { let v = a[p[i]]; y[i] = v * 2 } }
            fn perhaps(a: &$A, p: &DenseVec<usize>) -> (y: SparseVec<f64>) {
                for i { y[i] = coalesce(a[permit[p[i] + 1]], 0) }
            }
            fn repeated(a: &$A, x: &SparseVec<f64>, q: usize) -> (y: SparseVec<f64>) {
                for k { y[k] = collapse(a[i], (r: q, i) -> k) * x[k] }
            }
            fn reversed(a: &$A, n: usize, x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
                for i in 0..n { y[i] = a[n - 1 - i] * x[i] }
            }
            fn rows(a: &$A, p: &DenseVec<usize>, w: &DenseVec<f64>, n: usize) -> (y: Tensor<SparseList<Dense<Element<f64>>>>[n, n]) {
                for i in 0..n { for j { y[i, j] = a[p[i]] * w[j] } }
            }
            #[allow(deprecated)] // What comes last is asked for.
            fn last(a: &$A, n: usize) -> (y: SparseVec<f64>[n]) { for i in 0..n { for k { y[i] = a[k::locate] } } }
        }

        #[test]
        fn what_is_not_found_is_not_stored() {
            const P: [usize; 5] = [1, 1, 4, 0, 3];
            for set in 0..32usize {
                // An interval of what is stored, so that no format stores a 0.
                let (lo, hi) = (set % 6, set / 6);
                let u: Vec<f64> = (0..5).map(|k| if k >= lo && k < hi { 1.5 } else { 0.0 }).collect();
                let a: $A = Tensor::from_dense([5], &u).unwrap();
                let p = Tensor::from_dense([5], &P).unwrap();
                let v: Vec<f64> = (0..5).map(|k| (set >> k & 1) as f64 * 0.5).collect();
                let x: SparseVec<f64> = Tensor::from_dense([5], &v).unwrap();
                let w: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
                let each = |f: &dyn Fn(usize) -> f64| (0..5).map(f).collect::<Vec<f64>>();
                only(&copied(&a), &u, "copied");
                only(&into_hash(&a), &u, "into a hash");
                only(&times(&a, &Tensor::from_dense([5], &w).unwrap()), &each(&|k| w[k] * u[k]), "times");
                only(&at(&a, &p), &each(&|k| u[P[k]]), "at");
                only(&at_times(&a, &p, &x), &each(&|k| u[P[k]] * v[k]), "at, times");
                only(&of_two(&a, &p), &each(&|k| u[P[k]] - u[k] / 2.0), "of two");
                only(&named(&a, &p), &each(&|k| 2.0 * u[P[k]]), "named");
                let next = |k: usize| u.get(P[k] + 1).copied().unwrap_or(0.0);
                only(&perhaps(&a, &p), &each(&next), "perhaps");
                only(&repeated(&a, &x, 1), &each(&|k| u[k] * v[k]), "repeated");
                only(&reversed(&a, 5, &x), &each(&|k| u[4 - k] * v[k]), "reversed");
                let rows = rows(&a, &p, &Tensor::from_dense([5], &w).unwrap(), 5);
                let product = |k: usize| u[P[k / 5]] * w[k % 5];
                assert_eq!(rows.to_dense(), (0..25).map(product).collect::<Vec<f64>>());
                assert_eq!(rows.stored(), 5 * (0..5).filter(|k| u[P[*k]] != 0.0).count());
                // Here the fill overwrites what an iteration before assigned.
                assert_eq!(last(&a, 2).to_dense(), [u[4]; 2]);
            }
        }
    })*};
}

located! {
    list: SparseVec<f64>;
    map: Tensor<Hash<Element<f64>>>;
    bits: Tensor<Bitmap<Element<f64>>>;
    bytes: Tensor<ByteMap<Element<f64>>>;
    blocks: Tensor<SparseBlockList<Element<f64>>>;
    intervals: Tensor<SparseInterval<Element<f64>>>;
    runs_of_some: Tensor<SparseRunList<Element<f64>>>;
}

macro_rules! results {
    ($($name:ident: $Y:ty;)*) => {$(#[test]
    fn $name() {
        finch! {
            fn copied(a: &SparseVec<f64>) -> (y: $Y) { for i { y[i] = a[i::locate] } }
            fn at(a: &SparseVec<f64>, p: &DenseVec<usize>) -> (y: $Y) { for i { y[i] = a[p[i]] } }
        }
        for (lo, hi) in (0..6).flat_map(|hi| (0..hi + 1).map(move |lo| (lo, hi))) {
            let u: Vec<f64> = (0..5).map(|k| if k >= lo && k < hi { 1.5 } else { 0.0 }).collect();
            let a: SparseVec<f64> = Tensor::from_dense([5], &u).unwrap();
            let same: $Y = Tensor::from_dense([5], &u).unwrap();
            let p = Tensor::from_dense([5], &[0, 1, 2, 3, 4usize]).unwrap();
            for y in [copied(&a), at(&a, &p)] {
                assert_eq!(y.to_dense(), u);
                assert_eq!(y.triplets(), same.triplets(), "stored in {lo}..{hi}");
                assert!(Tensor::from_parts(y.into_root()).is_ok());
            }
        }
    })*};
}

results! {
    a_list: SparseVec<f64>;
    a_hash: Tensor<Hash<Element<f64>>>;
    a_bitmap: Tensor<Bitmap<Element<f64>>>;
    a_byte_map: Tensor<ByteMap<Element<f64>>>;
    blocks: Tensor<SparseBlockList<Element<f64>>>;
    a_band: Tensor<SparseBand<Element<f64>>>;
    an_interval: Tensor<SparseInterval<Element<f64>>>;
    runs: Tensor<RunList<Element<f64>>>;
    sparse_runs: Tensor<SparseRunList<Element<f64>>>;
    packed: Tensor<PackBits<Element<f64>>>;
    unordered: Tensor<UnorderedList<Element<f64>>>;
}

finch! {
    fn on_and_on(a: &SparseVec<f64>, y: &mut SparseVec<f64>, n: usize, m: usize) {
        for i in n..m { y[i] = a[i::locate] }
    }
    fn above_one(a: &SparseVec<f64>) -> (y: Tensor<SparseList<Element<f64, One>>>) {
        for i { y[i] = a[i::locate] + 1 }
    }
    fn one_point(a: &SparseVec<f64>) -> (y: Tensor<SparsePoint<Element<f64>>>) { for i { y[i] = a[i::locate] } }
}

#[test]
fn results_of_other_kinds_leave_out_what_is_not_found() {
    let u = [0.0, 2.0, 0.0, 0.0, 3.0, 0.0];
    let a: SparseVec<f64> = Tensor::from_dense([6], &u).unwrap();
    let mut y: SparseVec<f64> = Tensor::from_dense([6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    on_and_on(&a, &mut y, 1, 6);
    only(&y, &[1.0, 2.0, 0.0, 0.0, 3.0, 0.0], "updated in place");
    let y = above_one(&a);
    assert_eq!((y.to_dense(), y.stored()), (u.map(|x| x + 1.0).to_vec(), 2));
    let one = [0.0, 0.0, 5.0];
    only(&one_point(&Tensor::from_dense([3], &one).unwrap()), &one, "a point");
}
