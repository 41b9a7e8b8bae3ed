//! Extents and accesses: explicit, empty and triangular loops, moved and computed indices, what lies
//! outside a tensor.

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use looplets::Error;
use oracle::*;
use std::panic::catch_unwind;

kernels! {
    fn middle(a: &SparseVec<f64>, lo: i64, hi: i64, c: &mut f64) { for i in lo..hi { c += a[i] } };;
    fn constant(n: usize) -> (y: DenseVec<f64>) { for i in 0..n { y[i] = 2 * i + 1 } };;
    fn reversed(c: &mut i64) { for i in 5..2 { c += i } };;
    fn negative(c: &mut i64) { for i in -3..3 { c += i * i } };;
    fn triangle(a: &Csr<f64>, n: usize, c: &mut f64) { for i in 0..n { for j in 0..i { c += a[i, j] } } };;
    fn rest(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i in 0..n { for j in i + 1..n { y[i] += a[i, j] * (j - i) } }
    };;
    fn upper_dense(a: &DenseMat<f64>, n: usize, y: &mut DenseMat<f64>) {
        for i in 0..n { for j in i..n { y[i, j] += a[i, j] } }
    }
}

#[test]
fn explicit_extents() {
    for n in SIZES {
        for kind in 0..KINDS {
            let a: SparseVec<f64> = vector(kind, n);
            let n = n as i64;
            for (lo, hi) in [(0, n), (0, 0), (1, n), (n / 2, n / 2 + 1), (n, 0), (3, 2), (n, n)] {
                let mut c = 1.0;
                if lo >= hi || hi <= n {
                    agree!(middle(&a, lo, hi, &mut c));
                }
            }
        }
        agree!(constant(n));
        for kind in 0..KINDS {
            let a: Csr<f64> = matrix(kind, [n, n]);
            let d: DenseMat<f64> = matrix(kind, [n, n]);
            let mut c = 0.0;
            agree!(triangle(&a, n, &mut c));
            agree!(rest(&a, n));
            let mut y: DenseMat<f64> = matrix(1, [n, n]);
            agree!(upper_dense(&d, n, &mut y));
        }
    }
    let mut c = 0;
    agree!(reversed(&mut c));
    agree!(negative(&mut c));
    assert_eq!(c, 19);
}

#[test]
fn extents_outside_are_refused() {
    let a: SparseVec<f64> = vector(1, 4);
    for (lo, hi) in [(0, 5), (-1, 2), (i64::MIN, i64::MAX), (3, i64::MAX), (i64::MIN, 1)] {
        let failed = catch_unwind(|| middle(&a, lo, hi, &mut 0.0)).expect_err("outside");
        let message = failed.downcast_ref::<String>().expect("a message");
        assert!(message.contains("`a` has size 4 in dimension 0"), "{message}");
    }
    // Nothing is reached, so nothing is outside.
    let mut c = 0.0;
    middle(&a, i64::MAX, i64::MIN, &mut c);
    assert_eq!(c, 0.0);
}

macro_rules! shifts {
    ($($name:ident: $A:ident, $X:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn next(a: &$A<f64>, c: &mut f64) { for i { c += a[i + 1] } };;
                fn stencil(a: &$A<f64>, x: &$X<f64>, n: usize) -> (y: DenseVec<f64>) {
                    for i in 1..n - 1 { y[i] = a[i - 1] + 2 * a[i] + x[i + 1] }
                };;
                fn moved(a: &$A<f64>, x: &$X<f64>, s: i64, c: &mut f64) { for i { c += a[i - s] * x[i + 1] } };;
                fn both(a: &$A<f64>, s: i64, t: i64, c: &mut f64) { for i { c += a[i + s] * a[i - t] } };;
                fn out(a: &$A<f64>) -> (y: DenseVec<f64>) { for i { y[i + 2] = a[i] } };;
                fn swapped(a: &$A<f64>, c: &mut f64) { for i { c += a[1 + i] - a[i + 2] } }
            }
            #[test]
            fn agree() {
                pairs(|n, ka, kx| {
                    let (a, x): ($A<f64>, $X<f64>) = (vector(ka, n), vector(kx, n));
                    let mut c = 0.0;
                    agree!(next(&a, &mut c));
                    if n > 1 {
                        agree!(stencil(&a, &x, n));
                    }
                    for s in [0, 1, 2, -1, 6, 100, -100] {
                        agree!(moved(&a, &x, s, &mut c));
                        agree!(both(&a, s, 1, &mut c));
                    }
                    agree!(out(&a));
                    agree!(swapped(&a, &mut c));
                });
            }
            #[test]
            fn huge() {
                let (a, x): ($A<f64>, $X<f64>) = (vector(1, 4), vector(1, 4));
                let mut c = 0.0;
                for s in [i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 61, -(1 << 61), 1 << 62] {
                    moved(&a, &x, s, &mut c);
                    both(&a, s, s, &mut c);
                    both(&a, s, i64::MIN, &mut c);
                    both(&a, i64::MAX, s, &mut c);
                }
                assert_eq!(c, 0.0);
            }
        }
    )*};
}

shifts! {
    dense_dense: DenseVec, DenseVec;
    sparse_sparse: SparseVec, SparseVec;
    sparse_dense: SparseVec, DenseVec;
    band_runs: Band, Runs;
    runs_sparse: Runs, SparseVec;
}

level! {
    /// A vector with one block.
    pub type Band<T> = Tensor<SparseBand<Element<T>>>;
}
level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}

kernels! {
    fn unsigned(a: &SparseVec<f64>, s: usize, c: &mut f64) { for i { c += a[i + s] } };;
    fn below(a: &DenseVec<f64>, s: usize, c: &mut f64) { for i { c += a[i - s] } };;
    fn in_place(a: &SparseVec<f64>, s: u64, y: &mut DenseVec<f64>) { for i { y[i] += a[i + s] } }
}

#[test]
fn unsigned_shifts() {
    let (a, d): (SparseVec<f64>, DenseVec<f64>) = (vector(1, 5), vector(1, 5));
    let mut c = 0.0;
    for s in [0, 1, 4, 5, 6] {
        agree!(unsigned(&a, s, &mut c));
        agree!(below(&d, s, &mut c));
    }
    let (mut c, mut all) = (0.0, 0.0);
    for s in [usize::MAX, usize::MAX / 2, usize::MAX - 1] {
        unsigned(&a, s, &mut c);
        // Far up there all of `d` is inside.
        below(&d, s, &mut all);
        // The loop runs over all of `y`, which is more than `a` has so far out.
        let mut y: DenseVec<f64> = vector(0, 5);
        assert!(catch_unwind(move || in_place(&vector(1, 5), s as u64, &mut y)).is_err(), "{s}");
    }
    assert_eq!((c, all), (0.0, 3.0 * d.to_dense().iter().sum::<f64>()));
}

macro_rules! computed {
    ($($name:ident: $X:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn gather(x: &$X<f64>, at: &DenseVec<i32>) -> (y: DenseVec<f64>) { for i { y[i] = x[at[i]] } };;
                fn sparse(x: &$X<f64>, at: &SparseVec<u32>, c: &mut f64) { for i { c += x[at[i]] } };;
                fn product(x: &$X<f64>, at: &DenseVec<i32>, a: &SparseVec<f64>, c: &mut f64) {
                    for i { c += a[i] * x[at[i]] }
                };;
                fn stride(x: &$X<f64>, n: usize, c: &mut f64) { for i in 0..n { c += x[2 * i] } };;
                fn twice(x: &$X<f64>, at: &DenseVec<i32>) -> (y: DenseVec<f64>) { for i { y[i] = x[at[at[i]]] } };;
                fn fixed(x: &$X<f64>, k: usize, c: &mut f64) { c += x[k] }
            }
            #[test]
            fn agree() {
                for n in SIZES.into_iter().filter(|n| *n > 0) {
                    for kind in 0..KINDS {
                        let x: $X<f64> = vector(kind, n);
                        let indices: Vec<i32> = (0..n).map(|i| (i * 3 % n) as i32).collect();
                        let at: DenseVec<i32> = Tensor::from_dense([n], &indices).unwrap();
                        agree!(gather(&x, &at));
                        agree!(twice(&x, &at));
                        let some = SparseVec::<u32>::from_triplets([n], [([n / 2], n as u32 - 1)], Refuse).unwrap();
                        let mut c = 0.0;
                        agree!(sparse(&x, &some, &mut c));
                        agree!(stride(&x, n.div_ceil(2), &mut c));
                        agree!(fixed(&x, n - 1, &mut c));
                        for k in 0..KINDS {
                            let a: SparseVec<f64> = vector(k, n);
                            agree!(product(&x, &at, &a, &mut c));
                        }
                    }
                }
            }
            #[test]
            fn outside() {
                let x: $X<f64> = vector(1, 3);
                for bad in [-1, 3, i32::MIN, i32::MAX] {
                    let at: DenseVec<i32> = Tensor::from_dense([2], &[0, bad]).unwrap();
                    let failed = catch_unwind(|| gather(&x, &at)).expect_err("outside");
                    let message = failed.downcast_ref::<String>().expect("a message");
                    assert!(message.contains("`x` has size 3 in dimension 0") && message.contains(&bad.to_string()), "{message}");
                }
                assert!(catch_unwind(|| fixed(&x, usize::MAX, &mut 0.0)).is_err());
                assert!(catch_unwind(|| stride(&x, 3, &mut 0.0)).is_err());
                // An index that is multiplied by nothing stored is never looked at.
                let at: DenseVec<i32> = Tensor::from_dense([2], &[0, -1]).unwrap();
                product(&x, &at, &vector(3, 2), &mut 0.0);
            }
        }
    )*};
}

computed! {
    dense: DenseVec;
    list: SparseVec;
    band: Band;
    runs: Runs;
}

kernels! {
    fn scatter(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: DenseVec<f64>[n]) { for i { y[at[i]] += a[i] } };;
    fn scatter_place(a: &SparseVec<f64>, at: &DenseVec<u8>, y: &mut DenseVec<f64>) { for i { y[at[i]] = a[i] } };;
    fn histogram(at: &DenseVec<u8>, n: usize) -> (y: DenseVec<u64>[n]) { for i { y[at[i]] += 1 } };;
    fn convolve(a: &SparseVec<f64>, w: &DenseVec<f64>, n: usize, m: usize) -> (y: DenseVec<f64>) {
        for i in 0..n { for k in 0..m { if i + k < n { y[i] += a[i + k] * w[k] } } }
    };;
    fn let_shift(a: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i in 0..n - 2 { let k = 2; y[i] = a[i + k] }
    };;
    fn let_index(a: &SparseVec<f64>, at: &DenseVec<u8>) -> (y: DenseVec<f64>) {
        for i { let k = at[i]; y[i] = a[k] }
    };;
    fn state_index(a: &DenseVec<f64>, n: usize, c: &mut f64) {
        for i in 0..n { let mut k: usize; k += i / 2; c += a[k] }
    };;
    fn diagonal(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i, i::locate] } };;
    fn corner(a: &Csr<f64>, c: &mut f64) { c = a[0, 0]; c += a[1, 2] };;
    fn one_row(a: &Csr<f64>, r: usize) -> (y: DenseVec<f64>) { for j { y[j] = a[r, j] } };;
    fn one_column(a: &Csr<f64>, k: usize) -> (y: DenseVec<f64>) { for i { y[i] = a[i, k] } }
}

#[test]
fn scattered_and_located() {
    for n in [1, 2, 7] {
        for kind in 0..KINDS {
            let a = vector(kind, n);
            let indices: Vec<u8> = (0..n).map(|i| (i * 5 % n / 2) as u8).collect();
            let at: DenseVec<u8> = Tensor::from_dense([n], &indices).unwrap();
            agree!(scatter(&a, &at, n));
            let mut y = vector(1, n);
            agree!(scatter_place(&a, &at, &mut y));
            agree!(histogram(&at, n));
            let w = vector(1, 3);
            agree!(convolve(&a, &w, n, 3));
            agree!(let_shift(&a, n));
            agree!(let_index(&a, &at));
            let d = vector(kind, n);
            let mut c = 0.0;
            agree!(state_index(&d, n, &mut c));
            let square = matrix(kind, [n, n]);
            agree!(diagonal(&square));
            let wide = matrix(kind, [n.max(2), 3]);
            agree!(corner(&wide, &mut c));
            agree!(one_row(&wide, n.max(2) - 1));
            agree!(one_column(&wide, 2));
        }
    }
}

kernels! {
    fn checked(a: &Csr<f64>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> {
        for i, j { y[i] += a[i, j] * x[j] }
    };;
    fn unchecked(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    };;
    fn located(x: &DenseVec<f64>, at: &DenseVec<i32>) -> Result<(y: DenseVec<f64>, z: DenseVec<f64>), Error> {
        for i { y[i] = x[at[i]]; z[i] = 1 }
    };;
    fn ranged(x: &DenseVec<f64>, n: usize, c: &mut f64) -> Result<(y: DenseVec<f64>), Error> {
        for i in 0..n { y[i] = x[i]; c += x[i] }
    }
}

#[test]
fn errors_name_tensor_dimension_and_sizes() {
    let (a, x): (Csr<f64>, DenseVec<f64>) = (matrix(1, [2, 3]), vector(1, 4));
    let error = checked(&a, &x).unwrap_err();
    let Error::Shape { tensor, dimension, expected, found, index, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(
        (tensor.as_str(), *dimension, *expected, *found, index.as_str()),
        ("x", 0, 3, 4, "j")
    );
    let text = error.to_string();
    assert_eq!(
        text,
        "`x` has size 4 in dimension 0, but index `j` runs over 0..3 (from `a`, dimension 1)"
    );
    let failed = catch_unwind(|| unchecked(&a, &x)).expect_err("sizes differ");
    assert_eq!(failed.downcast_ref::<String>(), Some(&text));
    let x = vector(1, 3);
    agree!(checked(&a, &x));

    let x: DenseVec<f64> = vector(1, 2);
    let at: DenseVec<i32> = Tensor::from_dense([2], &[1, 2]).unwrap();
    let error = located(&x, &at).unwrap_err();
    assert!(
        matches!(&error, Error::Computed { tensor, size: 2, index: 2, .. } if tensor == "x"),
        "{error}"
    );
    let error = ranged(&x, 3, &mut 0.0).unwrap_err();
    assert!(
        matches!(&error, Error::Extent { tensor, size: 2, stop: 3, .. } if tensor == "x"),
        "{error}"
    );
}

kernels! {
    fn apart(a: &DenseVec<f64>, b: &DenseVec<f64>, s: i64) -> (y: DenseVec<f64>) { for i { y[i] += a[i + 1] + b[i - s] } }
}

#[test]
fn moved_accesses_that_never_meet() {
    for (n, m, s) in [(3, 7, 3), (0, 0, 0), (1, 4, -2), (5, 5, 9), (2, 9, -9)] {
        let (a, b) = (vector(1, n), vector(2, m));
        agree!(apart(&a, &b, s));
    }
}

kernels! {
    fn from_one(x: &DenseVec<f64>) -> (p: DenseVec<f64>) { for k { p[k] = 1 } for i { p[i] += x[i] } }
}

#[test]
fn a_loop_over_an_output_alone() {
    for n in [0, 1, 5] {
        let x = vector(2, n);
        agree!(from_one(&x));
    }
}

mod wide {
    use looplets::prelude::*;

    finch! {
        pub fn tables(img: &DenseMat<u8>) -> (t: DenseVec<u64>[1024]) {
            for i, j { t[(j & 3) * 256 + img[i, j]] += 1 }
        }
        pub fn doubled(k: &DenseVec<u8>, a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[4 * k[i] + k[i]] } }
        pub fn differences(k: &DenseVec<i16>, a: &DenseVec<f64>) -> (y: DenseVec<f64>) {
            for i { y[i] = a[k[i] * 300 - 299 * k[i]] }
        }
        /// What a function is given keeps its type.
        pub fn called(k: &DenseVec<u8>, a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[wraps(k[i] + 1) + 1] } }
    }

    pub fn wraps(k: u8) -> u8 {
        k.wrapping_mul(64)
    }
}

#[test]
fn positions_are_computed_in_coordinates() {
    let v: Vec<u8> = (0..60).map(|k| (k * 37 % 256) as u8).collect();
    let m: DenseMat<u8> = Tensor::from_dense([6, 10], &v).unwrap();
    let mut want = vec![0u64; 1024];
    v.iter().enumerate().for_each(|(k, v)| want[((k % 10) & 3) * 256 + *v as usize] += 1);
    assert_eq!(wide::tables(&m).to_dense(), want);
    let a: Vec<f64> = (0..1300).map(f64::from).collect();
    let a: DenseVec<f64> = Tensor::from_dense([1300], &a).unwrap();
    let k: DenseVec<u8> = Tensor::from_dense([3], &[1, 100, 255]).unwrap();
    assert_eq!(wide::doubled(&k, &a).to_dense(), [5.0, 500.0, 1275.0]);
    let k: DenseVec<i16> = Tensor::from_dense([2], &[3, 1000]).unwrap();
    assert_eq!(wide::differences(&k, &a).to_dense(), [3.0, 1000.0]);
    let k: DenseVec<u8> = Tensor::from_dense([2], &[1, 2]).unwrap();
    assert_eq!(wide::called(&k, &a).to_dense(), [129.0, 193.0]);
}

kernels! {
    fn by_diagonals(a: &DenseMat<f64>, x: &DenseVec<f64>, n: usize, w: usize) -> (y: DenseVec<f64>[n]) {
        for d in 0..2 * w + 1 { for i in max(0, w - d)..min(n, n + w - d) { y[i] += a[d, i] * x[i + d - w] } }
    };;
    fn by_rows(a: &DenseMat<f64>, x: &DenseVec<f64>, n: u64, w: u64) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { for d in max(0, w - i)..min(2 * w + 1, n + w - i) { y[i] += a[i, d] * x[i + d - w] } }
    };;
    fn mirrored(x: &DenseVec<f64>, last: usize, c: &mut f64) {
        for i in 0..last + 1 { c += x[max(0, last - 2 * i)] }
    }
}

/// Failed before coordinates beside a `usize` were coordinates: `w - d` wrapped, and the loop was empty.
#[test]
fn what_is_left_of_a_size_may_be_below_zero() {
    for n in [1, 2, 5, 9] {
        for w in [0, 1, 3] {
            let x: DenseVec<f64> = vector(1, n);
            let columns: DenseMat<f64> = matrix(1, [2 * w + 1, n]);
            let rows: DenseMat<f64> = matrix(1, [n, 2 * w + 1]);
            agree!(by_diagonals(&columns, &x, n, w));
            agree!(by_rows(&rows, &x, n as u64, w as u64));
            let mut c = 0.0;
            agree!(mirrored(&x, n - 1, &mut c));
            let dense = x.to_dense();
            let want: f64 = (0..n).map(|i| dense[(n - 1).saturating_sub(2 * i)]).sum();
            assert_eq!(c, want);
        }
    }
}

finch! {
    fn xor(x: &DenseVec<f64>, h: u64, n: usize) -> (y: DenseVec<f64>) { for i in 0..n { y[i] = x[(h ^ i) % 8] } }
    fn plus(x: &DenseVec<f64>, h: u64, n: usize) -> (y: DenseVec<f64>) { for i in 0..n { y[i] = x[(h + i) % 8] } }
    fn each(x: &DenseVec<f64>, h: &DenseVec<u64>) -> (y: DenseVec<f64>) { for i { y[i] = x[(h[i] + i) % 8] } }
}

/// Failed while all whole numbers beside a coordinate were coordinates: what a hash has above 2^62 was lost.
#[test]
fn all_bits_of_a_hash_count() {
    let x: DenseVec<f64> =
        Tensor::from_dense([8], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).unwrap();
    let h = (1 << 63) | 5;
    assert_eq!(xor(&x, h, 4).to_dense(), [5.0, 4.0, 7.0, 6.0]);
    assert_eq!(plus(&x, h, 4).to_dense(), [5.0, 6.0, 7.0, 0.0]);
    let all: DenseVec<u64> = Tensor::from_dense([4], &[h; 4]).unwrap();
    assert_eq!(each(&x, &all).to_dense(), [5.0, 6.0, 7.0, 0.0]);
}

thread_local! {
    static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Another bound each time it is asked.
fn fickle(_: usize) -> i64 {
    let n = CALLS.get();
    CALLS.set(n + 1);
    [5_000, 3][n % 2]
}

finch! {
    fn bounded(k: usize) -> Result<(y: DenseVec<f64>[4]), Error> { for i in 0..k { for j in 0..fickle(i) { y[j] += 1.0 } } }
    fn rows(k: usize) -> Result<(y: Csr<f64>[k, 4]), Error> { for i in 0..k { for j in 0..fickle(i) { y[i, j] = 1.0 } } }
    fn further(k: usize) -> Result<(y: DenseVec<f64>[4]), Error> {
        for i in 0..k { for j in fickle(i) - 2..fickle(i) + 1 { y[j] += 1.0 } }
    }
}

/// Failed before a bound was asked for once: it was checked as 3, and gone through as 5,000.
#[test]
fn a_bound_is_what_was_checked() {
    CALLS.set(0);
    assert!(bounded(1).unwrap_err().to_string().contains("5000"));
    assert_eq!(bounded(1).unwrap().to_dense(), [1.0, 1.0, 1.0, 0.0]);
    CALLS.set(0);
    assert!(rows(1).unwrap_err().to_string().contains("5000"));
    assert_eq!(rows(1).unwrap().to_dense(), [1.0, 1.0, 1.0, 0.0]);
    CALLS.set(1);
    assert_eq!(further(1).unwrap().to_dense(), [0.0, 1.0, 1.0, 1.0]);
}

/// Whether `i` is odd.
fn odd(i: usize) -> bool {
    i % 2 == 1
}
/// Half of `i`, which is no whole number.
fn half(i: usize) -> f64 {
    i as f64 / 2.0
}
/// The whole part.
fn whole(x: f64) -> usize {
    x as usize
}
/// One less, which 0 has none of.
fn before(i: usize) -> usize {
    i.checked_sub(1).expect("not of 0")
}

finch! {
    fn chosen(n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { for j in 0..ifelse(odd(i), 1, 2) { y[i] += 1.0 } } }
    fn nested(n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { for j in whole(half(i))..n { y[j] += 1.0 } } }
    fn lazily(n: usize) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { for j in 0..ifelse(i == 0, 0, before(i) + 1) { y[j] += 1.0 } }
    }
}

/// Bounds are of any type on the way, and asked for only where they are needed.
#[test]
fn bounds_are_made_of_functions() {
    assert_eq!(chosen(3).to_dense(), [2.0, 1.0, 2.0]);
    assert_eq!(nested(3).to_dense(), [2.0, 3.0, 3.0]);
    assert_eq!(lazily(3).to_dense(), [2.0, 1.0, 0.0]);
}
