//! Slices and vectors of Rust as operands: each kernel gives, to the last bit, what the same kernel gives of tensors.

use looplets::conformance::Hostile;
use looplets::prelude::*;
use num_complex::Complex;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The same kernels over arrays of one kind: what is read, what is updated, numbers that are indices, and flags.
macro_rules! kernels {
    ($module:ident: $x:ty, $index:ty, $flag:ty) => {
        mod $module {
            use looplets::prelude::*;
            finch! {
                pub fn spmv(a: &Csr<f64>, x: &$x) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
                pub fn into(a: &Csr<f64>, x: &$x, y: &mut $x) { y[i] += a[i, j] * x[j] }
                pub fn transposed(a: &Csr<f64>, x: &$x, y: &mut $x) { for i, j { y[j] += a[i, j] * x[i] } }
                pub fn axpy(al: f64, x: &$x, y: &mut $x) { y[i] += al * x[i] }
                pub fn scaled(al: f64, x: &$x, y: &mut $x) { y[i] = al * x[i] }
                pub fn again(al: f64, x: &$x, y: &mut $x) { y[i] = al * y[i] + x[i] }
                pub fn lowered(x: &$x, y: &mut $x) { if x[i] < y[i] { y[i] = x[i] } }
                pub fn sparse_into(s: &SparseVec<f64>, y: &mut $x) { y[i] += s[i] }
                pub fn sparse_over(s: &SparseVec<f64>, y: &mut $x) { for i { y[i] = s[i] } }
                pub fn dot(x: &$x, z: &$x) -> f64 { let mut t: f64; t += x[i] * z[i]; t }
                pub fn masked(s: &SparseVec<f64>, x: &$x) -> (c: SparseVec<f64>) { c[i] = s[i] * x[i] }
                pub fn gathered(p: &$index, x: &$x) -> (y: DenseVec<f64>) { for k { y[k] = x[p[k]] } }
                pub fn scattered(p: &$index, x: &$x, y: &mut $x) { for k { y[p[k]] += x[k] } }
                pub fn moved(x: &$x, n: usize, y: &mut $x) { for i in 1..n { y[i] = x[i] - x[i - 1] } }
                pub fn flagged(f: &$flag, x: &$x) -> (s: f64, n: u64) { if f[i] { s += x[i]; n += 1 } }
                pub fn marks(x: &$x, f: &mut $flag) { for i { f[i] = x[i] > 0 } }
                pub fn in_parallel(a: &Csr<f64>, x: &$x, y: &mut $x) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
                pub fn by_parts(x: &$x, y: &mut $x) { parallel for i { y[i] = 2 * x[i] } }
                pub fn into_copies(a: &Csr<f64>, x: &$x, y: &mut $x) { parallel for i { for j { y[j] += a[i, j] * x[i] } } }
                pub fn summed(x: &$x) -> (s: f64) { parallel for i { s += x[i] } }
                pub fn by_workspace(a: &Csr<f64>, x: &$x, y: &mut $x) {
                    for i { { for j { y[j] += w[j] } } where { let mut w: DenseVec<f64>; for j { w[j] += a[i, j] * x[j] } } }
                }
                pub fn chain(a: &Csr<f64>, b: &Csr<f64>, x: &$x) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
                pub fn scaled_rows(a: &Csr<f64>, d: &$x, e: &$x) -> (c: Csr<f64>) { c[i, j] = d[i] * a[i, j] * e[j] }
                pub fn outer(x: &$x, z: &$x) -> (c: DenseMat<f64>) { c[i, j] = x[i] * z[j] }
                pub fn rows(x: &$x, m: usize, n: usize) -> (c: DenseMat<f64>) { for i, j { c[i, j] = split(x[k], k -> (i: m, j: n)) } }
                pub fn joined(x: &$x, z: &$x) -> (y: DenseVec<f64>) { for k { y[k] = concat((x[i], z[j]), (i, j) -> k) } }
                pub fn checked(a: &Csr<f64>, x: &$x, y: &mut $x) -> Result<(), Error> { y[i] += a[i, j] * x[j] }
                pub fn wider(x: &$x, k: &$index) -> (y: DenseVec<f64>) { y[i] = x[i] * k[i] + i }
            }
        }
    };
}

kernels!(slices: [f64], [u32], [bool]);
kernels!(tensors: DenseVec<f64>, DenseVec<u32>, DenseVec<bool>);

fn vector<T: Value + Clone + PartialEq>(values: &[T]) -> DenseVec<T>
where
    Zero: Fill<T>,
{
    Tensor::from_dense([values.len()], values).expect("the sizes agree")
}

/// A matrix with about three entries a row, hostile ones among them if they are wanted.
fn matrix(m: usize, n: usize, extreme: bool) -> Csr<f64> {
    let mut entries = Vec::new();
    for i in 0..m {
        let mut columns: Vec<usize> = (0..3).map(|k| (7 * i + 5 * k * k) % n.max(1)).collect();
        columns.sort_unstable();
        columns.dedup();
        let value = |k: usize| if extreme { f64::hostile(k) } else { f64::small(k) };
        entries.extend(columns.iter().filter(|_| n > 0).map(|&j| ([i, j], value(i + 3 * j))));
    }
    Tensor::from_triplets([m, n], entries, Refuse).expect("entries within")
}

fn sparse(n: usize) -> SparseVec<f64> {
    let entries = (0..n).filter(|i| i % 3 != 1).map(|i| ([i], f64::hostile(5 * i + 2)));
    Tensor::from_triplets([n], entries, Refuse).expect("entries within")
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

const SIZES: [usize; 7] = [0, 1, 2, 5, 33, 200, 700];

#[test]
fn kernels_of_slices_give_what_those_of_tensors_give() {
    for n in SIZES {
        for extreme in [false, true] {
            let value = |k: usize| if extreme { f64::hostile(k) } else { f64::small(k) };
            let x: Vec<f64> = (0..n).map(|k| value(k / 3 * 5 + k)).collect();
            let z: Vec<f64> = (0..n).map(|k| value(k * 2 + 1)).collect();
            let (dx, dz) = (vector(&x), vector(&z));
            let (a, b, s) = (matrix(n, n, extreme), matrix(n, n, false), sparse(n));
            let p: Vec<u32> = (0..n).map(|k| ((k * 7 + 3) % n) as u32).collect();
            let f: Vec<bool> = (0..n).map(bool::small).collect();
            let (dp, df) = (vector(&p), vector(&f));
            let same = |got: &DenseVec<f64>, expected: &DenseVec<f64>| {
                assert_eq!(bits(&got.to_dense()), bits(&expected.to_dense()), "{n}");
            };
            same(&slices::spmv(&a, &x), &tensors::spmv(&a, &dx));
            same(&slices::gathered(&p, &x), &tensors::gathered(&dp, &dx));
            same(&slices::chain(&a, &b, &x), &tensors::chain(&a, &b, &dx));
            same(&slices::joined(&x, &z), &tensors::joined(&dx, &dz));
            same(&slices::wider(&x, &p), &tensors::wider(&dx, &dp));
            assert_eq!(slices::dot(&x, &z).to_bits() << 1, tensors::dot(&dx, &dz).to_bits() << 1);
            assert_eq!(bits(&[slices::summed(&x)]), bits(&[tensors::summed(&dx)]));
            let (got, expected) = (slices::flagged(&f, &x), tensors::flagged(&df, &dx));
            assert_eq!((bits(&[got.0]), got.1), (bits(&[expected.0]), expected.1));
            let (got, expected) = (slices::masked(&s, &x), tensors::masked(&s, &dx));
            assert_eq!(format!("{:?}", got.triplets()), format!("{:?}", expected.triplets()));
            let (got, expected) =
                (slices::scaled_rows(&a, &x, &z), tensors::scaled_rows(&a, &dx, &dz));
            assert_eq!(format!("{:?}", got.triplets()), format!("{:?}", expected.triplets()));
            if n <= 33 {
                let (got, expected) = (slices::outer(&x, &z), tensors::outer(&dx, &dz));
                assert_eq!(bits(&got.to_dense()), bits(&expected.to_dense()));
            }
            let (m, k) = if n % 5 == 0 { (n / 5, 5) } else { (1, n) };
            let (got, expected) = (slices::rows(&x, m, k), tensors::rows(&dx, m, k));
            assert_eq!((got.shape(), bits(&got.to_dense())), (expected.shape(), bits(&x)));
            // What is updated in place.
            macro_rules! updates {
                ($($f:ident($($arg:expr),*; $($of:expr),*);)*) => {$(
                    let (mut y, mut dy) = (z.clone(), vector(&z));
                    slices::$f($($arg,)* &mut y);
                    tensors::$f($($of,)* &mut dy);
                    assert_eq!(bits(&y), bits(&dy.to_dense()), "{} of {n}", stringify!($f));
                )*};
            }
            updates! {
                into(&a, &x; &a, &dx);
                transposed(&a, &x; &a, &dx);
                axpy(-0.75, &x; -0.75, &dx);
                scaled(0.5, &x; 0.5, &dx);
                again(f64::hostile(n), &x; f64::hostile(n), &dx);
                lowered(&x; &dx);
                sparse_into(&s; &s);
                sparse_over(&s; &s);
                scattered(&p, &x; &dp, &dx);
                moved(&x, n; &dx, n);
                in_parallel(&a, &x; &a, &dx);
                by_parts(&x; &dx);
                into_copies(&a, &x; &a, &dx);
                by_workspace(&a, &x; &a, &dx);
            }
            let (mut g, mut dg) = (f.clone(), vector(&f));
            slices::marks(&x, &mut g);
            tensors::marks(&dx, &mut dg);
            assert_eq!(g, dg.to_dense());
        }
    }
}

#[test]
fn kernels_of_slices_give_what_loops_give() {
    let a = matrix(4, 3, false);
    let x = [0.5, -2.0, 4.0];
    let mut expected = [0.0; 4];
    a.for_each(|at, v| expected[at[0]] += v * x[at[1]]);
    assert_eq!(slices::spmv(&a, &x).to_dense(), expected);
    let mut y = [1.0, f64::INFINITY, -0.0];
    slices::axpy(2.0, &x, &mut y);
    assert_eq!(y, [2.0, f64::INFINITY, 8.0]);
    // A part of an array is a slice like any other.
    let mut long = [1.0; 6];
    slices::scaled(3.0, &x[1..], &mut long[2..4]);
    assert_eq!(long, [1.0, 1.0, -6.0, 12.0, 1.0, 1.0]);
}

#[test]
fn sizes_that_do_not_agree_are_told_as_those_of_tensors() {
    let a = matrix(4, 3, false);
    for (x, y) in [(2, 4), (4, 4), (0, 4), (3, 3), (3, 5), (3, 0)] {
        let (x, mut y) = (vec![1.0; x], vec![1.0; y]);
        let got = slices::checked(&a, &x, &mut y).expect_err("no sizes to multiply");
        let expected = tensors::checked(&a, &vector(&x), &mut vector(&y)).expect_err("as before");
        assert_eq!(got.to_string(), expected.to_string());
        assert!(matches!(got, Error::Shape { .. }), "{got}");
        assert!(y.iter().all(|y| *y == 1.0), "nothing was written");
    }
    let told = slices::checked(&a, &[1.0; 2], &mut [1.0; 4]).expect_err("two of three").to_string();
    for part in ["`x`", "`j`", "2", "3"] {
        assert!(told.contains(part), "{told} lacks {part}");
    }
    let panicked =
        catch_unwind(AssertUnwindSafe(|| slices::spmv(&a, &[1.0; 2]))).expect_err("panics");
    let told = panicked.downcast_ref::<String>().expect("a message");
    assert!(told.contains("`x` has size 2"), "{told}");
    let panicked = catch_unwind(|| slices::gathered(&[0, 3], &[1.0; 3])).expect_err("panics");
    let told = panicked.downcast_ref::<String>().expect("a message");
    assert!(told.contains("`x`") && told.contains('3'), "{told}");
}

finch! {
    /// Vectors are what kernels make.
    fn product(a: &Csr<f64>, x: &[f64]) -> (y: Vec<f64>) { y[i] += a[i, j] * x[j] }
    fn product_again(a: &Csr<f64>, x: &[f64], y: Vec<f64>) -> (y: Vec<f64>) { y[i] += a[i, j] * x[j] }
    fn twice_again(x: &[f64], y: Vec<f64>) -> (y: Vec<f64>) { y[i] = 2 * x[i] }
    fn zeros(n: usize) -> (y: Vec<i32>[n]) { pass y }
    fn both(x: &[i64]) -> Result<(y: std::vec::Vec<i64>, s: i64), Error> { y[i] = x[i] + 1; s += x[i] }
    fn by_vector(a: &Csr<f64>, x: &[f64]) -> (y: Vec<f64>) {
        let mut w: Vec<f64>;
        for i, j { w[j] += a[i, j] };
        for j { y[j] = w[j] * x[j] }
    }
    fn made_in_parallel(a: &Csr<f64>, x: &[f64]) -> (y: Vec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
}

#[test]
fn vectors_are_made() {
    for (m, n) in [(0, 0), (1, 1), (0, 3), (3, 0), (1, 4), (700, 50)] {
        let (a, x) = (matrix(m, n, true), (0..n).map(f64::small).collect::<Vec<_>>());
        let expected = tensors::spmv(&a, &vector(&x)).to_dense();
        let y: Vec<f64> = product(&a, &x);
        assert_eq!(bits(&y), bits(&expected));
        assert_eq!(bits(&made_in_parallel(&a, &x)), bits(&expected));
        // The memory of another one serves, whatever it holds and however long it is.
        for old in [0, m, 2 * m + 1] {
            let old = vec![f64::NAN; old];
            let (at, room) = (old.as_ptr(), old.capacity());
            let y = product_again(&a, &x, old);
            assert_eq!(bits(&y), bits(&expected));
            assert!(room < m || m == 0 || y.as_ptr() == at);
        }
        let twice: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        for old in [0, n, 2 * n + 1] {
            assert_eq!(bits(&twice_again(&x, vec![f64::NAN; old])), bits(&twice));
        }
    }
    assert_eq!((zeros(0), zeros(2)), (vec![], vec![0, 0]));
    assert_eq!(both(&[1, -3]).expect("a vector"), (vec![2, -2], -2));
    let a = matrix(5, 4, false);
    let mut expected = [0.0; 4];
    a.for_each(|at, v| expected[at[1]] += v);
    let x = [1.0, -2.0, 0.5, 4.0];
    assert_eq!(by_vector(&a, &x), [0, 1, 2, 3].map(|j| expected[j] * x[j]));
}

finch! {
    fn of_any<'a, T: Copy + core::ops::Mul<Output = T> + core::ops::Add<Output = T>>(al: T, x: &'a [T], y: &'a mut [T]) {
        for i { y[i] += al * x[i] }
    }
    fn bytes(x: &[u8], y: &mut [u8]) { for i { y[i] <<max>>= x[i] } }
    fn counts(x: &[u8], n: &mut [u64]) { for k { n[x[k]] += 1 } }
    fn any(f: &[bool]) -> (s: bool) { s ||= f[i] }
    fn all(f: &[bool]) -> (s: bool = true) { s &&= f[i] }
    fn step(a: &Graph, now: &[bool], seen: &mut [bool]) { for i, j { seen[j] ||= now[i] && a[i, j] } }
    fn of_complex(x: &[Complex<f64>]) -> (s: Complex<f64>) { s += x[i] }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Tropical(f64);

impl core::ops::Mul for Tropical {
    type Output = Tropical;
    #[allow(
        clippy::suspicious_arithmetic_impl,
        reason = "it is the product of the tropical semiring"
    )]
    fn mul(self, other: Tropical) -> Tropical {
        Tropical(self.0 + other.0)
    }
}

impl core::ops::Add for Tropical {
    type Output = Tropical;
    fn add(self, other: Tropical) -> Tropical {
        Tropical(self.0.min(other.0))
    }
}

#[test]
fn elements_are_of_any_type() {
    let mut y = [1_u64, u64::MAX - 6, 0];
    of_any(2, &[5, 3, 0], &mut y);
    assert_eq!(y, [11, u64::MAX, 0]);
    // A type without a zero.
    let mut y = [Tropical(2.0), Tropical(f64::INFINITY)];
    of_any(Tropical(1.0), &[Tropical(0.5), Tropical(4.0)], &mut y);
    assert_eq!(y, [Tropical(1.5), Tropical(5.0)]);
    let mut y = [0, 255, 7];
    bytes(&[9, 1, 7], &mut y);
    assert_eq!(y, [9, 255, 7]);
    let mut n = [0; 256];
    counts(b"looplets", &mut n);
    assert_eq!((n[usize::from(b'l')], n[usize::from(b'o')], n.iter().sum::<u64>()), (2, 2, 8));
    assert!(!any(&[]) && all(&[]) && any(&[false, true]) && !all(&[false, true]));
    let a: Graph =
        Tensor::from_triplets([3, 3], [([0, 1], true), ([1, 2], true)], Refuse).expect("a graph");
    let mut seen = [false; 3];
    step(&a, &[true, false, false], &mut seen);
    assert_eq!(seen, [false, true, false]);
    assert_eq!(
        of_complex(&[Complex::new(1.0, 2.0), Complex::new(0.5, -2.0)]),
        Complex::new(1.5, 0.0)
    );
}

#[test]
fn inline_programs_borrow_whatever_is_a_slice() {
    let (owned, array, boxed) = (vec![1.0, 2.0], [10.0, 20.0], vec![0.5, 0.25].into_boxed_slice());
    let borrowed: &[f64] = &owned;
    let s = finch! { <owned: [f64], array: [f64], boxed: [f64], borrowed: [f64]> -> (s: f64)
    for i { s += owned[i] * array[i] * boxed[i] * borrowed[i] } };
    assert_eq!(s, 25.0);
    let (mut into, mut fixed) = (vec![0.0; 2], [1.0; 2]);
    finch! { <owned: [f64], mut into: [f64], mut fixed: [f64]> for i { into[i] = 2 * owned[i]; fixed[i] += owned[i] } };
    assert_eq!((&into[..], fixed), (&[2.0, 4.0][..], [2.0, 3.0]));
    let part = &mut into[1..];
    finch! { <mut part: [f64]> for i { part[i] *= 3 } };
    assert_eq!(into, [2.0, 12.0]);
    let y = finch! { <owned: [f64]> -> (y: Vec<f64>) for i { y[i] = owned[i] + 1 } };
    assert_eq!(y, [2.0, 3.0]);
}

mod settings {
    use looplets::prelude::*;
    finch! {
        #![forbid(unsafe_code)]
        #![steps(n)]
        #![cost(4 * stored(a) + 8 * len(i) + 8 * len(j))]
        pub fn product(a: &Csr<f64>, x: &[f64], y: &mut [f64], n: &mut u64) { y[i] += a[i, j] * x[j] }
    }
}

#[test]
fn settings_hold_of_slices() {
    let (a, x, mut y, mut n) = (matrix(3, 4, false), [1.0, 0.5, -2.0, 3.0], [0.0; 3], 0);
    settings::product(&a, &x, &mut y, &mut n);
    assert_eq!(y.to_vec(), tensors::spmv(&a, &vector(&x)).to_dense());
    assert!(n > 0);
}

#[test]
fn stages_show_slices() {
    let of =
        explain! { fn spmv(a: &Csr<f64>, x: &[f64]) -> (y: Vec<f64>) { y[i] += a[i, j] * x[j] } };
    let code = of
        .split("== code of spmv ==")
        .nth(1)
        .expect("code")
        .split("== tokens")
        .next()
        .expect("tokens");
    let tensors = explain! { fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } };
    let other = tensors
        .split("== code of spmv ==")
        .nth(1)
        .expect("code")
        .split("== tokens")
        .next()
        .expect("tokens");
    assert!(code.contains("x: &[f64]"), "{code}");
    // But for the types in the header, the loops are the same.
    assert_eq!(
        code.replace("[f64]", "DenseVec<f64>").replace("Vec<f64> {", "DenseVec<f64> {"),
        other
    );
}
