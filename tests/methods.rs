//! Methods of Rust's numbers by name: each is to the last bit what Rust makes of it, whatever the values, and what makes 0
//! of 0 goes along what is stored.

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// What can be compared to the last bit.
trait Bits: Copy + std::fmt::Debug {
    fn same(self, other: Self) -> bool;
}
macro_rules! bits {
    ($($ty:ty)*) => { $(impl Bits for $ty { fn same(self, other: Self) -> bool { self == other } })* };
}
bits! { u8 i8 u32 i32 u64 i64 bool }
impl Bits for f64 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}
impl Bits for f32 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

/// `$ty` gives `$to`; methods with an argument are given what `$second` says.
macro_rules! of_one {
    ($ty:ident -> $to:ident: $($name:ident)*) => {
        $({
            finch! { fn kernel(x: &DenseVec<$ty>) -> (y: DenseVec<$to>) { y[i] = $name(x[i]) } }
            for v in $ty::all() {
                let x: DenseVec<$ty> = Tensor::from_dense([1], &[v]).expect("one");
                let by_rust = catch_unwind(AssertUnwindSafe(|| $ty::$name(v)));
                let ours = catch_unwind(AssertUnwindSafe(|| kernel(&x).to_dense()[0]));
                match (by_rust, ours) {
                    (Ok(a), Ok(b)) => assert!(a.same(b), "{}({v:?}): {b:?}, not {a:?}", stringify!($name)),
                    (Err(_), Err(_)) => {}
                    (a, b) => panic!("{}({v:?}): {b:?}, not {a:?}", stringify!($name)),
                }
            }
        })*
    };
}
macro_rules! of_two {
    ($ty:ident, $second:ident -> $to:ident: $($name:ident)*) => {
        $({
            finch! { fn kernel(x: &DenseVec<$ty>, z: &DenseVec<$second>) -> (y: DenseVec<$to>) { y[i] = $name(x[i], z[i]) } }
            for v in $ty::all() {
                for w in $second::all() {
                    let x: DenseVec<$ty> = Tensor::from_dense([1], &[v]).expect("one");
                    let z: DenseVec<$second> = Tensor::from_dense([1], &[w]).expect("one");
                    let by_rust = catch_unwind(AssertUnwindSafe(|| $ty::$name(v, w)));
                    let ours = catch_unwind(AssertUnwindSafe(|| kernel(&x, &z).to_dense()[0]));
                    match (by_rust, ours) {
                        (Ok(a), Ok(b)) => assert!(a.same(b), "{}({v:?}, {w:?}): {b:?}, not {a:?}", stringify!($name)),
                        (Err(_), Err(_)) => {}
                        (a, b) => panic!("{}({v:?}, {w:?}): {b:?}, not {a:?}", stringify!($name)),
                    }
                }
            }
        })*
    };
}

/// Values of a type, its ends among them.
trait All: Sized {
    fn all() -> Vec<Self>;
}
macro_rules! floats {
    ($($ty:ident)*) => { $(impl All for $ty { fn all() -> Vec<$ty> {
        vec![0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.7, 1e-40, $ty::MIN_POSITIVE, $ty::MAX, $ty::MIN,
            $ty::EPSILON, $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN]
    } })* };
}
macro_rules! signed {
    ($($ty:ident)*) => { $(impl All for $ty { fn all() -> Vec<$ty> {
        vec![0, 1, -1, 2, -2, 7, -7, 100, $ty::MAX, $ty::MIN, $ty::MAX - 1, $ty::MIN + 1]
    } })* };
}
macro_rules! unsigned {
    ($($ty:ident)*) => { $(impl All for $ty { fn all() -> Vec<$ty> {
        vec![0, 1, 2, 3, 7, 8, 31, 64, 100, $ty::MAX, $ty::MAX - 1]
    } })* };
}
floats! { f32 f64 }
signed! { i8 i32 i64 }
unsigned! { u8 u32 u64 }

#[test]
fn of_floats() {
    of_one! { f64 -> f64: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    floor ceil round round_ties_even trunc fract recip to_degrees to_radians abs signum }
    of_one! { f32 -> f32: sqrt cbrt exp_m1 floor round_ties_even fract to_degrees abs signum }
    of_one! { f64 -> bool: is_nan is_infinite is_finite is_sign_negative is_sign_positive }
    of_one! { f32 -> bool: is_nan is_finite }
    of_two! { f64, f64 -> f64: atan2 powf copysign rem_euclid div_euclid }
    of_two! { f32, f32 -> f32: rem_euclid }
    of_two! { f64, i32 -> f64: powi }
}

#[test]
fn of_integers() {
    of_one! { i32 -> i32: abs signum swap_bytes reverse_bits wrapping_neg wrapping_abs saturating_abs saturating_neg }
    of_one! { i64 -> i64: abs wrapping_neg }
    of_one! { u8 -> u8: swap_bytes reverse_bits wrapping_neg next_power_of_two }
    of_one! { i32 -> u32: ilog2 ilog10 unsigned_abs count_ones count_zeros leading_zeros leading_ones trailing_zeros trailing_ones }
    of_one! { i64 -> u64: unsigned_abs }
    of_one! { u64 -> u32: ilog2 count_ones leading_zeros trailing_zeros }
    of_one! { i32 -> bool: }
    of_one! { u8 -> bool: is_power_of_two }
    of_two! { i32, i32 -> i32: rem_euclid div_euclid wrapping_add wrapping_sub wrapping_mul wrapping_div wrapping_rem saturating_add
    saturating_sub saturating_mul }
    of_two! { u8, u8 -> u8: rem_euclid div_euclid wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub
    saturating_mul abs_diff }
    of_two! { i8, i8 -> u8: abs_diff }
    of_two! { i64, i64 -> u64: abs_diff }
    of_two! { i32, u32 -> i32: rotate_left rotate_right wrapping_shl wrapping_shr wrapping_pow saturating_pow }
    of_two! { u8, u32 -> u8: rotate_left wrapping_shr }
}

finch! {
    fn of_three(x: &DenseVec<f64>, n: &DenseVec<i32>, a: f64) -> (y: DenseVec<f64>, z: DenseVec<f64>, w: DenseVec<i32>) {
        for i { y[i] = mul_add(x[i], a, 0.1); z[i] = copysign(x[i], -1); w[i] = wrapping_pow(n[i], 2) }
    }
    /// What is called on coordinates, bools and literals, and what meets what is given.
    fn mixed(m: &DenseVec<bool>, n: &DenseVec<u8>, x: &DenseVec<f32>) -> (y: DenseVec<u32>, z: DenseVec<f64>, w: DenseVec<u8>, v: DenseVec<i64>) {
        for i {
            y[i] = count_ones(i) + 2 * count_ones(m[i]) + leading_zeros(n[i]);
            z[i] = atan2(x[i], 4) + sqrt(i) + count_ones(7);
            w[i] = wrapping_add(n[i], 250);
            v[i] = wrapping_sub(n[i], 3) as i64 - wrapping_shl(1, n[i] as u32 % 4)
        }
    }
    /// A row is looked up by what a method gives.
    fn placed(p: &DenseVec<u8>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = x[abs_diff(p[i], 2)] }
    }
}

#[test]
fn arguments_of_other_kinds() -> Result<(), looplets::Error> {
    let all = f64::all();
    let n: DenseVec<i32> = Tensor::from_dense([all.len()], &vec![-5; all.len()])?;
    let (y, z, w) = of_three(&Tensor::from_dense([all.len()], &all)?, &n, 1e300);
    for (k, v) in all.iter().enumerate() {
        assert!(y.to_dense()[k].same(v.mul_add(1e300, 0.1)), "{v}");
        assert!(z.to_dense()[k].same(v.copysign(-1.0)), "{v}");
        assert_eq!(w.to_dense()[k], 25);
    }
    let m: DenseVec<bool> = Tensor::from_dense([3], &[true, false, true])?;
    let n: DenseVec<u8> = Tensor::from_dense([3], &[0, 1, 200])?;
    let x: DenseVec<f32> = Tensor::from_dense([3], &[3.0, 0.1, f32::INFINITY])?;
    let (y, z, w, v) = mixed(&m, &n, &x);
    assert_eq!(y.to_dense(), [10, 8, 3]);
    // They meet in `f32`.
    let z_of = |k: usize| f64::from(x.to_dense()[k].atan2(4.0) + (k as f32).sqrt() + 3.0);
    assert_eq!(z.to_dense(), [z_of(0), z_of(1), z_of(2)]);
    assert_eq!(w.to_dense(), [250, 251, 194]);
    assert_eq!(v.to_dense(), [253 - 1, 254 - 2, 197 - 1]);
    let p: DenseVec<u8> = Tensor::from_dense([3], &[0, 2, 3])?;
    assert_eq!(placed(&p, &Tensor::from_dense([3], &[0.5, 1.5, 2.5])?).to_dense(), [2.5, 0.5, 1.5]);
    Ok(())
}

#[test]
fn the_guide_lists_all_methods() {
    let guide = include_str!("../src/guide/language.md");
    let listed: Vec<&str> = guide.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for row in looplets_core::methods::METHODS {
        assert!(listed.contains(&row.name), "{}", row.name);
    }
}

/// The steps and the entries of `y[i] = .. x[i] ..` over a long vector of few entries.
macro_rules! sparse {
    ($ty:ident -> $to:ident: $($value:expr, $name:ident ($($rest:expr),*);)*) => {
        $({
            finch! { #![steps(n)] fn kernel(x: &SparseVec<$ty>, n: &mut u64) -> (y: SparseVec<$to>) { y[i] = $name(x[i] $(, $rest)*) } }
            let x: SparseVec<$ty> = Tensor::from_triplets([100_000], [([5], $value), ([70_000], $value)], Refuse).expect("two");
            let mut n = 0;
            let y = kernel(&x, &mut n);
            assert!(n < 20, "{}: {n} steps", stringify!($name));
            assert_eq!(y.entries(), 2, "{}", stringify!($name));
        })*
    };
}

#[test]
fn what_makes_0_of_0_goes_along_what_is_stored() {
    sparse! { f64 -> f64: 0.5, sqrt(); 0.5, cbrt(); 0.5, exp_m1(); 0.5, ln_1p(); 0.5, sin(); 0.5, tan(); 0.5, asin(); 0.5, atan(); 0.5, sinh();
    0.5, tanh(); 0.5, asinh(); 0.5, atanh(); 0.5, floor(); 0.5, ceil(); 0.5, round(); 0.5, round_ties_even(); 0.5, trunc(); 0.5, fract();
    0.5, to_degrees(); 0.5, to_radians(); 0.5, abs(); 0.5, rem_euclid(3.0); 0.5, div_euclid(3.0); 0.5, powi(2); 0.5, powf(0.5); }
    sparse! { f64 -> bool: 0.5, is_nan(); 0.5, is_infinite(); }
    sparse! { i32 -> i32: 5, swap_bytes(); 5, reverse_bits(); 5, rotate_left(3); 5, rotate_right(3); 5, wrapping_neg(); 5, wrapping_abs();
    5, wrapping_shl(1); 5, wrapping_shr(1); 5, saturating_abs(); 5, saturating_neg(); 5, wrapping_div(2); 5, wrapping_rem(2);
    5, wrapping_pow(3); 5, saturating_pow(3); 5, wrapping_add(0); 5, saturating_add(0); 5, wrapping_mul(7); 5, saturating_mul(7);
    5, rem_euclid(3); 5, div_euclid(3); }
    sparse! { i32 -> u32: 5, unsigned_abs(); 5, count_ones(); 5, abs_diff(0); }
}

/// A function of Rust may have no arguments.
fn seven() -> f64 {
    7.5
}

finch! {
    fn without_arguments(x: &SparseVec<f64>) -> (y: DenseVec<f64>, s: f64 = self::seven()) {
        for i { if x[i] < self::seven() { y[i] = min(x[i] + self::seven(), 9.0); s += x[i] } }
    }
}

#[test]
fn functions_without_arguments() {
    let x: SparseVec<f64> =
        Tensor::from_triplets([4], [([1], -0.5), ([3], 9.5)], Refuse).expect("a vector");
    let (y, s) = without_arguments(&x);
    assert_eq!((y.to_dense(), s), (vec![7.5, 7.0, 7.5, 0.0], 7.0));
}
