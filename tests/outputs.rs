//! Formats read by every protocol and written in every way they can be: lists, bands, runs,
//! patterns, fills other than zero, three dimensions.
// Some of these kernels start from a 0 that takes part, as their tests want it.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! {
    /// A vector with one block.
    pub type Band<T> = Tensor<SparseBand<Element<T>>>;
}
level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}
level! {
    /// A set.
    pub type Set = Tensor<SparseList<Pattern>>;
}
level! {
    /// Rows of bands.
    pub type Banded<T> = Tensor<Dense<SparseBand<Element<T>>>>;
}
level! {
    /// Rows of runs.
    pub type Rle<T> = Tensor<Dense<RunList<Element<T>>>>;
}
level! {
    /// Three dimensions, all sparse.
    pub type Cube<T> = Tensor<SparseList<SparseList<SparseList<Element<T>>>>>;
}

/// Reads by every protocol of two formats, into several outputs.
macro_rules! read {
    ($($name:ident: $A:ident::$p:ident, $B:ident::$q:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn dot(a: &$A<f64>, b: &$B<f64>, c: &mut f64) { for i { c += a[i::$p] * b[i::$q] } };;
                fn add(a: &$A<f64>, b: &$B<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] + b[i::$q] } };;
                fn least(a: &$A<f64>, b: &$B<f64>, c: &mut f64) { for i { c <<min>>= a[i::$p] - b[i::$q] } };;
                fn list(a: &$A<f64>, b: &$B<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i::$p] + 3 * b[i::$q] } };;
                fn band(a: &$A<f64>, b: &$B<f64>) -> (y: Band<f64>) { for i { y[i] = a[i::$p] * b[i::$q] } };;
                fn runs(a: &$A<f64>, b: &$B<f64>) -> (y: Runs<f64>) { for i { y[i] = max(a[i::$p], b[i::$q]) } };;
                fn part(a: &$A<f64>, b: &$B<f64>, lo: usize, hi: usize, c: &mut f64) {
                    for i in lo..hi { c += a[i::$p] * b[i::$q] + a[i::$p] }
                }
            }
            #[test]
            fn agree() {
                pairs(|n, ka, kb| {
                    let (a, b): ($A<f64>, $B<f64>) = (vector(ka, n), vector(kb, n));
                    let mut c = 0.5;
                    agree!(dot(&a, &b, &mut c));
                    agree!(add(&a, &b));
                    agree!(least(&a, &b, &mut c));
                    agree!(list(&a, &b));
                    agree!(band(&a, &b));
                    agree!(runs(&a, &b));
                    for (lo, hi) in [(0, n / 2), (n / 3, n), (1, n.max(2) - 1)] {
                        if lo >= hi || hi <= n {
                            agree!(part(&a, &b, lo, hi, &mut c));
                        }
                    }
                });
            }
        }
    )*};
}

read! {
    walk_walk: SparseVec::walk, SparseVec::walk;
    walk_gallop: SparseVec::walk, SparseVec::gallop;
    gallop_gallop: SparseVec::gallop, SparseVec::gallop;
    lead_follow: SparseVec::lead, SparseVec::follow;
    walk_locate: SparseVec::walk, SparseVec::locate;
    locate_locate: SparseVec::locate, SparseVec::locate;
    list_band: SparseVec::walk, Band::walk;
    gallop_band: SparseVec::gallop, Band::walk;
    band_locate: Band::locate, SparseVec::walk;
    band_band: Band::walk, Band::follow;
    runs_runs: Runs::walk, Runs::walk;
    runs_gallop: Runs::gallop, Runs::gallop;
    list_runs: SparseVec::gallop, Runs::lead;
    runs_dense: Runs::walk, DenseVec::walk;
    runs_locate: Runs::locate, SparseVec::walk;
    band_runs: Band::walk, Runs::gallop;
    dense_dense: DenseVec::walk, DenseVec::locate;
}

kernels! {
    fn transpose(a: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[j, i] = a[i, j] } };;
    fn csr(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn meet(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn dcsr(a: &Csr<f64>, b: &Dcsr<f64>) -> (y: Dcsr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn dcsr_sum(a: &Dcsr<f64>, b: &Dcsr<f64>) -> (y: Dcsr<f64>) { for i, j { y[i, j] = a[i, j] - b[i, j] } };;
    fn banded(a: &Banded<f64>, b: &Rle<f64>) -> (y: Banded<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn rle(a: &Csr<f64>, b: &Rle<f64>) -> (y: Rle<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn constant(n: usize) -> (y: Runs<f64>) { for i in 0..n { y[i] = 4 } };;
    fn some_rows(a: &Csr<f64>) -> (y: Dcsr<f64>) { for i { if i != 1 { for j { y[i, j] = a[i, j] } } } };;
    fn accumulate(a: &Csr<f64>, b: &Csr<f64>) -> (y: Dcsr<f64>) { for i, j, k { y[i, j] += a[i, j] * b[j, k] } };;
    fn row_ends(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i { { if t > 2 { y[i] = t } } where { for j { t += a[i, j] } } } };;
    fn row_sums(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i, j { y[i] += a[i, j] } };;
    fn chosen(a: &Csr<f64>) -> (y: Csr<f64>) { for i, j { if a[i, j] > 1 { y[i, j] = a[i, j] } } };;
    fn upper(a: &Csr<f64>) -> (y: Csr<f64>) { for i, j { if j >= i { y[i, j] = a[i, j] } } };;
    fn nonzero(a: &Csr<f64>) -> (y: Graph) { for i, j { y[i, j] ||= a[i, j] != 0 } };;
    fn outer(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Dcsr<f64>) { for i, j { y[i, j] = a[i] * b[j] } }
}

#[test]
fn matrices_out() {
    matrices(|shape, ka, kb| {
        let (a, b) = (matrix(ka, shape), matrix(kb, shape));
        agree!(transpose(&a));
        agree!(csr(&a, &b));
        agree!(meet(&a, &b));
        agree!(row_sums(&a));
        agree!(some_rows(&a));
        agree!(row_ends(&a));
        let square = matrix(kb, [shape[1], shape[0]]);
        agree!(accumulate(&a, &square));
        agree!(chosen(&a));
        agree!(upper(&a));
        agree!(nonzero(&a));
        let (d, e) = (matrix(kb, shape), matrix(ka, shape));
        agree!(dcsr(&a, &d));
        agree!(dcsr_sum(&d, &e));
        let (runs, band) = (matrix(kb, shape), matrix(ka, shape));
        agree!(banded(&band, &runs));
        agree!(rle(&a, &runs));
    });
    pairs(|n, ka, kb| {
        let (a, b) = (vector(ka, n), vector(kb, n + 1));
        agree!(outer(&a, &b));
    });
    for n in SIZES {
        agree!(constant(n));
    }
}

kernels! {
    fn both(p: &Set, q: &Set) -> (r: Set) { for i { r[i] = p[i] && q[i] } };;
    fn either(p: &Set, q: &Set) -> (r: Set) { for i { r[i] = p[i] || q[i] } };;
    fn not_both(p: &Set, q: &Set) -> (r: Set) { for i { r[i] = !(p[i] && q[i]) } };;
    fn greater(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (r: Set) { for i { r[i] = a[i] > b[i] } };;
    fn pick(p: &Set, a: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = ifelse(p[i], a[i], 0) } };;
    fn bits(p: &Set) -> (y: DenseVec<bool>) { for i { y[i] = !p[i] } }
}

#[test]
fn patterns() {
    pairs(|n, ka, kb| {
        let (p, q) = (vector(ka, n), vector(kb, n));
        agree!(both(&p, &q));
        agree!(either(&p, &q));
        agree!(not_both(&p, &q));
        agree!(bits(&p));
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(greater(&a, &b));
        agree!(pick(&p, &a));
    });
}

kernels! {
    fn ttv(a: &Cube<f64>, x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j, k { y[i, j] += a[i, j, k] * x[k] } };;
    fn cube_sum(a: &Cube<f64>, b: &Cube<f64>) -> (y: Cube<f64>) { for i, j, k { y[i, j, k] = a[i, j, k] + b[i, j, k] } };;
    fn mttkrp(a: &Cube<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += a[i, j, k] * b[j, r] * c[k, r] }
    };;
    fn inner(a: &Cube<f64>, b: &Cube<f64>, c: &mut f64) { for i, j, k { c += a[i, j::gallop, k] * b[i, j::gallop, k::gallop] } };;
    fn slices(a: &Cube<f64>) -> (y: SparseVec<f64>) { for i, j, k { y[i] <<max>>= a[i, j, k] } }
}

#[test]
fn rank_three() {
    for shape in [[0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [3, 2, 4]] {
        let n: usize = shape.iter().product();
        for kind in 0..KINDS {
            let (a, b) =
                (tensor(&shape, &items(kind, n)), tensor(&shape, &items((kind + 3) % KINDS, n)));
            let x = vector(kind, shape[2]);
            agree!(ttv(&a, &x));
            agree!(cube_sum(&a, &b));
            let (p, q) = (matrix(1, [shape[1], 2]), matrix(kind, [shape[2], 2]));
            agree!(mttkrp(&a, &p, &q));
            let mut c = 0.0;
            agree!(inner(&a, &b, &mut c));
            agree!(slices(&a));
        }
    }
}

finch! {
    #![steps(n)]
    fn positive(a: &SparseVec<f64>, n: &mut u64) -> (y: SparseVec<bool>) { for i { y[i] = a[i] > 0 } }
    fn positive_as_number(a: &SparseVec<f64>, n: &mut u64) -> (y: SparseVec<f64>) { for i { y[i] = a[i] > 0 } }
    fn sizes(a: &SparseVec<f64>, n: &mut u64) -> (y: SparseVec<f64>) { for i { y[i] = sqrt(abs(a[i])) + powi(a[i], 2) } }
    fn r#match(r#type: &DenseVec<f64>, r#box: &mut f64, n: &mut u64) { for r#in { r#box += r#type[r#in] } }
}

#[test]
fn a_value_that_is_the_fill_is_not_stored() {
    let a: SparseVec<f64> =
        Tensor::from_triplets([1000], [([5], 4.0), ([900], -1.0)], Refuse).unwrap();
    let mut n = 0;
    assert_eq!(positive(&a, &mut n).triplets(), [(vec![5], true), (vec![900], false)]);
    assert_eq!(positive_as_number(&a, &mut n).triplets(), [(vec![5], 1.0), (vec![900], 0.0)]);
    assert_eq!(sizes(&a, &mut n).triplets(), [(vec![5], 18.0), (vec![900], 2.0)]);
    assert_eq!(n, 6);
    let mut c = 0.0;
    r#match(&Tensor::from_dense([3], &[1.0, 2.0, 4.0]).unwrap(), &mut c, &mut n);
    assert_eq!((c, n), (7.0, 9));
}

finch! {
    fn any_of_row(a: &Tensor<Dense<SparseList<Element<bool>>>>) -> (y: Set) { for i, j { y[i] ||= a[i, j] } }
    fn any_and_one(a: &Tensor<Dense<SparseList<Element<bool>>>>, c: &mut bool) -> (y: Set) { for i { for j { y[i] ||= a[i, j]; c ||= !a[i, j] } } }
}

#[test]
fn an_entry_without_values_is_stored_for_any_of_its_terms() {
    let a = Tensor::from_dense([3, 2], &[false, true, false, false, true, true]).unwrap();
    assert_eq!(any_of_row(&a).to_dense(), [true, false, true]);
    let mut c = false;
    assert_eq!(any_and_one(&a, &mut c).to_dense(), [true, false, true]);
    assert!(c);
}

level! { type Solid<T> = Tensor<Dense<Dense<Dense<Element<T>>>>>; }
level! { type Lists<T> = Tensor<Dense<Dense<SparseList<Element<T>>>>>; }

finch! {
    fn full(m: usize, n: usize) -> Result<(y: DenseMat<f64>[m, n]), Error> { for i in 0..m { for j in 0..n { y[i, j] = 1 } } }
    fn full_or_panic(m: usize, n: usize) -> (y: DenseMat<f64>[m, n]) { for i in 0..m { for j in 0..n { y[i, j] = 1 } } }
    fn solid(m: usize, n: usize) -> Result<(y: Solid<f64>[n, m, n]), Error> {
        parallel for i in 0..n { for j in 0..m { for k in 0..n { y[i, j, k] = 1 } } }
    }
    fn lists(m: usize, n: usize) -> Result<(y: Lists<f64>[m, n, 3]), Error> {
        for i in 0..0 { for j in 0..n { for k in 0..3 { y[i, j, k] = 1 } } }
    }
    fn through(m: usize, n: usize) -> Result<(y: DenseVec<f64>[3]), Error> {
        parallel for i in 0..3 {
            let mut w: DenseMat<f64>[m, n];
            { y[i] = w[0, 0] } where { for j in 0..m { for k in 0..n { w[j, k] = 1 } } }
        }
    }
}

/// A kernel that can return an error does so where sizes are more than a computer has numbers for.
#[test]
fn sizes_that_overflow_are_errors() {
    assert_eq!(full(2, 3).unwrap().to_dense(), [1.0; 6]);
    assert_eq!(solid(2, 1).unwrap().to_dense(), [1.0; 2]);
    assert_eq!(lists(1, 2).unwrap().to_dense(), [0.0; 6]);
    assert_eq!(through(2, 2).unwrap().to_dense(), [1.0; 3]);
    let n = 1 << 40;
    let told = |e: Error| e.to_string();
    let why = "the number of fibers exceeds what can be addressed";
    let shape = format!("`Dense` cannot store this tensor of shape {n}x{n}");
    assert_eq!(full(n, n).map_err(told).unwrap_err(), format!("{shape}: {why}"));
    assert_eq!(lists(n, n).map_err(told).unwrap_err(), format!("{shape}x3: {why}"));
    assert_eq!(through(n, n).map_err(told).unwrap_err(), format!("{shape}: {why}"));
    assert!(matches!(solid(n, n), Err(Error::Unstorable { .. })));
    let caught = std::panic::catch_unwind(|| full_or_panic(n, n)).unwrap_err();
    assert_eq!(*caught.downcast::<String>().unwrap(), format!("{shape}: {why}"));
}
