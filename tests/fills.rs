//! Fills other than zero: what each saves, counted in steps, and that the result is what Rust's own
//! arithmetic gives. NaN fills absorb; infinities are the identities of `min` and `max`.

use looplets::prelude::*;

level! {
    /// Not a number where nothing is stored.
    pub type Nans = Tensor<SparseList<Element<f64, NaN>>>;
}

finch! {
    #![strict]
    #![steps(n)]
    fn add(a: &Nans, b: &Nans, n: &mut u64) -> (c: Nans) {
        for i { c[i] = a[i] + b[i] }
    }
    fn quotient(a: &Nans, b: &Nans, n: &mut u64) -> (c: Nans) {
        for i { c[i] = sqrt(a[i]) / -b[i] - 1.0 }
    }
    fn product(a: &Nans, b: &Nans, n: &mut u64) -> (c: Nans) {
        for i { c[i] = a[i] * b[i] }
    }
    fn weighed(a: &Nans, b: &Nans, n: &mut u64) -> (c: Nans) { for i { c[i] = a[i] * b[i] * a[i] } }
    fn below(a: &Nans, d: &DenseVec<f64>, n: &mut u64) -> (c: SparseVec<bool>) {
        for i { c[i] = (a[i] < d[i]) | (d[i] == a[i]) }
    }
    fn above(a: &Nans, n: &mut u64) -> (c: SparseVec<bool>) { for i { c[i] = a[i] > 2.0 } }
    fn from(a: &Nans, n: &mut u64) -> (c: SparseVec<bool>) { for i { c[i] = 2 <= a[i] } }
    fn known(a: &Nans, n: &mut u64) -> (c: Tensor<Dense<Element<f64>>>) {
        for i { c[i] = a[i] + f64::NAN }
    }
    // The larger of what is there: `f64::max` leaves NaN out.
    fn larger(a: &Nans, b: &Nans, n: &mut u64) -> (c: Nans) {
        for i { c[i] = max(a[i], b[i]) }
    }
    #[allow(deprecated)]
    fn poisoned(a: &Nans, s: &mut f64, n: &mut u64) { for i { s += a[i] } }
}

/// Ten elements, of which those of `at` are stored.
fn nans(at: &[(usize, f64)]) -> Nans {
    let mut dense = vec![f64::NAN; 10];
    at.iter().for_each(|(i, v)| dense[*i] = *v);
    Tensor::from_dense([10], &dense).unwrap()
}

fn same(got: &[f64], want: impl Iterator<Item = f64>) {
    let want: Vec<f64> = want.collect();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(&want) {
        assert!(g.to_bits() == w.to_bits() || (g.is_nan() && w.is_nan()), "{got:?} {want:?}");
    }
}

#[test]
fn nan_absorbs_so_that_only_what_both_store_is_visited() {
    let a = nans(&[(1, 2.0), (3, 4.0), (6, -1.0), (7, 0.0)]);
    let b = nans(&[(0, 5.0), (3, 0.5), (7, f64::INFINITY), (9, 1.0)]);
    let (da, db) = (a.to_dense(), b.to_dense());
    let pairs = || da.iter().zip(&db);

    let mut n = 0;
    let c = add(&a, &b, &mut n);
    same(&c.to_dense(), pairs().map(|(a, b)| a + b));
    // 3 and 7: steps end at each common coordinate, and as many searches between them.
    let common = n;
    assert!(common <= 7, "{common}");

    n = 0;
    same(&quotient(&a, &b, &mut n).to_dense(), pairs().map(|(a, b)| a.sqrt() / -b - 1.0));
    assert_eq!(n, common);
    n = 0;
    same(&product(&a, &b, &mut n).to_dense(), pairs().map(|(a, b)| a * b));
    assert_eq!(n, common);
    n = 0;
    same(&weighed(&a, &b, &mut n).to_dense(), pairs().map(|(a, b)| a * b * a));
    assert_eq!(n, common);
    n = 0;
    same(&larger(&a, &b, &mut n).to_dense(), pairs().map(|(a, b)| a.max(*b)));

    let d = Tensor::from_dense([10], &[4.0; 10]).unwrap();
    n = 0;
    let is: Vec<bool> = da.iter().map(|a| *a <= 4.0).collect();
    assert_eq!(below(&a, &d, &mut n).to_dense(), is);
    assert_eq!(n, 4);
    let is: Vec<bool> = da.iter().map(|a| *a > 2.0).collect();
    assert_eq!(above(&a, &mut n).to_dense(), is);
    let is: Vec<bool> = da.iter().map(|a| *a >= 2.0).collect();
    assert_eq!(from(&a, &mut n).to_dense(), is);
    assert_eq!(n, 12);
}

#[test]
fn a_nan_of_the_program_is_known() {
    let mut n = 0;
    let c = known(&nans(&[(1, 2.0), (4, 4.0)]), &mut n);
    assert!(c.to_dense().iter().all(|x| x.is_nan()));
    assert_eq!(n, 10);
}

#[test]
fn one_nan_is_the_sum() {
    let (mut s, mut n) = (0.0, 0);
    poisoned(&nans(&[(1, 2.0), (4, 4.0)]), &mut s, &mut n);
    assert!(s.is_nan());
    s = 0.0;
    poisoned(&Tensor::from_dense([3], &[1.0, 2.0, 4.0]).unwrap(), &mut s, &mut n);
    assert_eq!(s, 7.0);
}

level! {
    /// Infinitely far where nothing is stored.
    pub type Infs = Tensor<SparseList<Element<f32, Inf>>>;
}

finch! {
    #![steps(n)]
    fn nearest(a: &Infs, b: &Infs, m: &mut f32, n: &mut u64) {
        for i { m <<min>>= a[i] + b[i] }
    }
    fn moved(a: &Infs, n: &mut u64) -> (c: Infs) {
        for i in 0..10 { c[i] = min(coalesce(a[permit[i + 4]], f32::INFINITY), f32::INFINITY) }
    }
}

#[test]
fn infinities_of_the_program_are_known() {
    let mut dense = vec![f32::INFINITY; 10];
    (dense[2], dense[5], dense[9]) = (2.0, -1.0, 4.0);
    let a: Infs = Tensor::from_dense([10], &dense).unwrap();
    let (mut m, mut n) = (f32::INFINITY, 0);
    nearest(&a, &a, &mut m, &mut n);
    assert_eq!(m, -2.0);
    assert!(n <= 3, "{n}");
    n = 0;
    let c = moved(&a, &mut n);
    let want: Vec<f32> =
        (0..10).map(|i| dense.get(i + 4).copied().unwrap_or(f32::INFINITY)).collect();
    assert_eq!(c.to_dense(), want);
    assert!(n <= 3, "{n}");
}

finch! {
    #![strict]
    fn in_order(a: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] } }
    fn times_zero(a: &DenseVec<f64>, b: &SparseVec<f64>, s: &mut f64) {
        for i { s += a[i] * b[i] }
    }
}
finch! {
    fn in_lanes(a: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] } }
    fn sparse(a: &DenseVec<f64>, b: &SparseVec<f64>, s: &mut f64) {
        for i { s += a[i] * b[i] }
    }
}

#[test]
fn strict_sums_are_taken_in_the_programs_order() {
    let dense: Vec<f64> = (0..1000).map(|k| 1.0 / f64::from(k + 1).sqrt()).collect();
    let a = Tensor::from_dense([1000], &dense).unwrap();
    let one_by_one: f64 = dense.iter().fold(0.0, |s, x| s + x);
    let (mut strict, mut quick) = (0.0, 0.0);
    in_order(&a, &mut strict);
    assert_eq!(strict.to_bits(), one_by_one.to_bits());
    // Otherwise in lanes, whose last digits are others.
    in_lanes(&a, &mut quick);
    assert_ne!(quick, one_by_one);
    assert!((quick - one_by_one).abs() < 1e-10);
}

#[test]
fn strict_products_look_at_what_is_not_stored() {
    let a = Tensor::from_dense([3], &[1.0, f64::INFINITY, 2.0]).unwrap();
    let b: SparseVec<f64> = Tensor::from_dense([3], &[1.0, 0.0, 2.0]).unwrap();
    let (mut strict, mut quick) = (0.0, 0.0);
    times_zero(&a, &b, &mut strict);
    assert!(strict.is_nan());
    sparse(&a, &b, &mut quick);
    assert_eq!(quick, 5.0);
}

level! {
    /// Infinitely far where there is no edge.
    pub type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}
fill! {
    /// The word for no word.
    pub fill NoName = none;
}
impl Fill<String> for NoName {
    const VALUE: String = String::new();
}

finch! {
    fn relaxed(a: &Far, d: &DenseVec<f64, Inf>) -> (e: Tensor<Dense<Element<f64, _>>>) {
        for i, j { e[i] <<min>>= a[i, j] + d[j] }
    }
    fn products(a: &DenseMat<f64>) -> (e: Tensor<Dense<Element<f64, _>>>) { for i, j { e[i] *= a[i, j] } }
    fn most(a: &DenseMat<u8>) -> (e: Tensor<Dense<Element<u8, _>>>) { for i, j { e[i] <<max>>= a[i, j] } }
    fn least(a: &DenseMat<u8>) -> (e: Tensor<Dense<Element<u8, _>>>) { for i, j { e[i] <<min>>= a[i, j] } }
    fn names(a: &Tensor<SparseList<Element<String, NoName>>>) -> (c: Tensor<SparseList<Element<String, _>>>) {
        for i { c[i] = a[i] }
    }
    fn runs(a: &Tensor<RunList<Element<f64, Inf>>>) -> (c: Tensor<SparseList<Element<f64, _>>>) {
        for i { c[i] = a[i] + 1 }
    }
    fn masked(a: &Infs, m: &DenseVec<bool>) -> (c: Tensor<SparseList<Element<f32, _>>>) {
        for i { if m[i] { let t = a[i]; c[i] = t * 2 } }
    }
    fn unknown(a: &Nans) -> (c: Tensor<SparseList<Element<f64, _>>>) { for i { c[i] = a[i] + 1 } }
}

/// What reductions start from, and what is assigned where nothing is stored.
#[test]
fn fills_that_are_left_open_are_inferred() {
    let inf = f64::INFINITY;
    let a = Tensor::from_dense([3, 2], &[3.0, 4.0, inf, 1.0, inf, inf]).unwrap();
    let d = Tensor::from_dense([2], &[1.0, 1.0]).unwrap();
    assert_eq!(relaxed(&a, &d).to_dense(), [4.0, 2.0, inf]);
    let m = Tensor::from_dense([2, 2], &[3.0, 4.0, 2.0, 0.5]).unwrap();
    assert_eq!(products(&m).to_dense(), [12.0, 1.0]);
    let m = Tensor::from_dense([2, 2], &[3, 4, 0, 255]).unwrap();
    assert_eq!((most(&m).to_dense(), least(&m).to_dense()), (vec![4, 255], vec![3, 0]));
    let m = Tensor::from_dense([2, 0], &[]).unwrap();
    assert_eq!((most(&m).to_dense(), least(&m).to_dense()), (vec![0, 0], vec![255, 255]));
    let words = ["", "a", "b", ""].map(String::from);
    let c = names(&Tensor::from_dense([4], &words).unwrap());
    assert_eq!((c.to_dense(), c.stored()), (words.to_vec(), 2));
    let c = runs(&Tensor::from_dense([4], &[inf, 1.0, 1.0, inf]).unwrap());
    assert_eq!((c.to_dense(), c.stored()), (vec![inf, 2.0, 2.0, inf], 4));
    let a = Tensor::from_dense([3], &[1.0, f32::INFINITY, 2.0]).unwrap();
    let m = Tensor::from_dense([3], &[true, true, false]).unwrap();
    assert_eq!(masked(&a, &m).to_dense(), [2.0, f32::INFINITY, f32::INFINITY]);
    let c = unknown(&nans(&[(3, 4.0)]));
    assert_eq!((c.stored(), c.to_dense()[3], c.to_dense()[4].is_nan()), (1, 5.0, true));
}

finch! {
    fn nearest_of(a: &Csr<f64, u32, Inf>, d: &SparseVec<f64, u32, Inf>) -> (y: DenseVec<f64, _>) { y[i] <<min>>= a[i, j] + d[j] }
    fn one_more(a: &Dcsr<f64>) -> (c: Dcsr<f64, u32, _>) { for i, j { c[i, j] = 1 + a[i, j] } }
}

/// The fill is the last parameter of the short names.
#[test]
fn short_names_have_a_fill() {
    let a = Tensor::from_triplets([2, 2], [([0, 1], 2.5)], Refuse).expect("within");
    let d = Tensor::from_triplets([2], [([1], -0.5)], Refuse).expect("within");
    assert_eq!(nearest_of(&a, &d).to_dense(), [2.0, f64::INFINITY]);
    let b = Tensor::from_triplets([2, 2], [([0, 1], 2.5)], Refuse).expect("within");
    let c = one_more(&b);
    assert_eq!((c.stored(), c.to_dense()), (1, vec![1.0, 3.5, 1.0, 1.0]));
}

fill! {
    /// The greatest byte, by a path.
    pub fill Top: u8 = u8::MAX;
}

/// A reduction of what nothing stores, where that is a constant of Rust.
#[test]
fn fills_by_a_path_are_reduced() {
    finch! {
        #![dense]
        fn odd(a: &Tensor<SparseList<Element<u8, Top>>>) -> (s: u8) { for j { s ^= a[j] } }
        fn all(a: &Tensor<SparseList<Element<u8, Top>>>) -> (s: u8) { for j { s |= a[j] } }
    }
    let a = Tensor::from_triplets([4], [([1], 5)], Refuse).expect("a vector");
    assert_eq!((odd(&a), all(&a)), (5 ^ 255, 255));
}

/// Open fills are what reductions start from, at both ends of a type.
#[test]
fn open_fills_are_the_ends_of_types() {
    finch! {
        fn most(a: &DenseMat<i64>) -> (m: DenseVec<i64, _>) { m[i] <<max>>= a[i, j] }
        fn least(a: &DenseMat<u64>) -> (m: DenseVec<u64, _>) { m[i] <<min>>= a[i, j] }
    }
    let a = Tensor::from_dense([2, 1], &[i64::MIN, -7]).expect("a matrix");
    assert_eq!(most(&a).to_dense(), [i64::MIN, -7]);
    let b = Tensor::from_dense([2, 1], &[u64::MAX, 7]).expect("a matrix");
    assert_eq!(least(&b).to_dense(), [u64::MAX, 7]);
    let none = Tensor::from_dense([1, 0], &[]).expect("a matrix");
    assert_eq!(most(&none).to_dense(), [i64::MIN]);
    let none = Tensor::from_dense([1, 0], &[]).expect("a matrix");
    assert_eq!(least(&none).to_dense(), [u64::MAX]);
}

/// Where nothing is stored of logarithms, nothing is stored of their exponentials.
#[test]
fn exponentials_of_minus_infinity_are_not_stored() {
    finch! {
        fn probabilities(a: &Tensor<Dense<SparseList<Element<f64, NegInf>>>>) -> (p: Csr<f64>) { p[i, j] = exp(a[i, j]) }
        fn total(a: &Tensor<Dense<SparseList<Element<f32, NegInf>>>>) -> (p: DenseVec<f32>) { p[i] += exp2(a[i, j]) }
    }
    let stored = [([0, 1], 0.0), ([1, 2], f64::NEG_INFINITY)];
    let a = Tensor::from_triplets([2, 3], stored, Refuse).expect("a matrix");
    let p = probabilities(&a);
    assert_eq!((p.stored(), p.to_dense()), (2, vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0]));
    let a = Tensor::from_triplets([2, 1 << 20], [([1, 9], 3.0)], Refuse).expect("a matrix");
    assert_eq!(total(&a).to_dense(), [0.0, 8.0]);
}
