//! What is computed of a value that nothing stores is computed in the type of the elements: a fill is a value of its type, though
//! the literal that it is found to be has none. Each kernel over a sparse operand is held against Rust's own, element by element.

// What these kernels cost is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

/// Kernels over a vector of one type, with what they are of an element, over values at the ends of the type.
macro_rules! of_elements {
    ($($name:ident($a:ident: $of:ty, $fill:ty, $($value:expr),*) -> $gives:ty { $kernel:expr } = $rust:expr;)*) => {$(
        #[test]
        fn $name() {
            level! { type Sparse = Tensor<SparseList<Element<$of, $fill>>>; }
            level! { type Bits = Tensor<Bitmap<Element<$of, $fill>>>; }
            level! { type Table = Tensor<Hash<Element<$of, $fill>>>; }
            finch! { fn list($a: &Sparse) -> (y: DenseVec<$gives>) { for i { y[i] = $kernel } } }
            finch! { fn bits($a: &Bits) -> (y: DenseVec<$gives>) { y[i] = $kernel } }
            finch! { fn table($a: &Table) -> (y: DenseVec<$gives>) { y[i] = $kernel } }
            finch! { #![strict] fn strict($a: &Sparse) -> (y: DenseVec<$gives>) { y[i] = $kernel } }
            let values: Vec<$of> = vec![$($value),*];
            let stored = || values.iter().enumerate().map(|(n, v)| ([2 * n + 1], *v));
            let size = [2 * values.len() + 1];
            let fill: $of = Sparse::from_triplets([1], Vec::<([usize; 1], $of)>::new(), Refuse).expect("a vector").to_dense()[0];
            let expected: Vec<$gives> = (0..size[0])
                .map(|n| {
                    let $a = if n % 2 == 1 { values[n / 2] } else { fill };
                    $rust
                })
                .collect();
            let a = Sparse::from_triplets(size, stored(), Refuse).expect("a vector");
            let b = Bits::from_triplets(size, stored(), Refuse).expect("a vector");
            let c = Table::from_triplets(size, stored(), Refuse).expect("a vector");
            let shown = |y: &[$gives]| y.iter().map(|y| format!("{y:?}")).collect::<Vec<_>>();
            for found in [list(&a), bits(&b), table(&c), strict(&a)] {
                assert_eq!(shown(&found.to_dense()), shown(&expected));
            }
        }
    )*};
}

/// A function of Rust, which alone knows its type.
fn half() -> f32 {
    0.5
}

fn two() -> u8 {
    2
}

of_elements! {
    zeros_of_bytes(a: u8, Zero, 1, 255) -> u32 { leading_zeros(a[i]) } = a.leading_zeros();
    zeros_of_sizes(a: u64, Zero, 1, u64::MAX) -> u32 { leading_zeros(a[i]) } = a.leading_zeros();
    zeros_behind(a: i64, Zero, 1, i64::MIN) -> u32 { trailing_zeros(a[i]) } = a.trailing_zeros();
    zeros_of_another_fill(a: u8, Const<2>, 1, 255) -> u32 { leading_zeros(a[i]) } = a.leading_zeros();
    zeros_that_are_counted(a: u8, Zero, 1, 255) -> u32 { count_zeros(a[i]) } = a.count_zeros();
    ones_below(a: i16, Zero, 1, -1) -> u32 { count_ones(wrapping_sub(a[i], 1)) } = a.wrapping_sub(1).count_ones();
    ones_of_the_others(a: i16, Zero, 1, -1) -> u32 { count_ones(!a[i]) } = (!a).count_ones();
    ones_of_a_difference(a: i8, Zero, 1, -1) -> u32 { count_ones(-1 - a[i]) } = (-1 - a).count_ones();
    zeros_beside_one(a: i16, Zero, 1, -1) -> u32 { leading_zeros(a[i] | 1) } = (a | 1).leading_zeros();
    zeros_compared(a: u64, Zero, 1, u64::MAX) -> bool { leading_zeros(a[i]) > 40 } = a.leading_zeros() > 40;
    not_compared(a: u8, Zero, 1, 255) -> bool { !a[i] > 100 } = !a > 100;
    not_widened(a: u8, Zero, 1, 255) -> u32 { (!a[i]) as u32 } = u32::from(!a);
    not_a_float(a: u8, Zero, 1, 255) -> f64 { (!a[i]) as f64 } = f64::from(!a);
    not_shifted(a: u8, Zero, 1, 255) -> u32 { (!a[i] >> 4) as u32 } = u32::from(!a >> 4);
    exponentials(a: f32, Zero, 1.0, -2.5) -> f64 { exp(a[i] + 100) as f64 } = f64::from((a + 100.0).exp());
    cosines(a: f32, Zero, 1.0, -2.5) -> f64 { cos(a[i] + 2) as f64 } = f64::from((a + 2.0).cos());
    roots(a: f32, Const<2>, 1.0, 0.5) -> f64 { sqrt(a[i]) as f64 } = f64::from(a.sqrt());
    roots_compared(a: f32, Zero, 1.0, 0.5) -> bool { sqrt(a[i] + 2) > 1.4142135 } = (a + 2.0).sqrt() > 1.4142135;
    tenths(a: f32, Zero, 1.0, 0.5) -> bool { (a[i] + 0.1) * 3 == 0.3 } = (a + 0.1) * 3.0 == 0.3;
    beyond_the_digits(a: f32, Zero, 1.0, 0.5) -> bool { (a[i] + 16777216) + 1 > 16777216 } = (a + 16777216.0) + 1.0 > 16777216.0;
    cut(a: f64, Zero, 1.0, -1e300) -> i32 { (a[i] + 10000000000) as i32 } = (a + 10000000000.0) as i32;
    cut_to_a_byte(a: f64, Zero, 1.0, -1e300) -> u8 { (a[i] - 300) as u8 } = (a - 300.0) as u8;
    saturated(a: u8, Zero, 1, 255) -> i32 { saturating_sub(a[i], 1) as i32 } = i32::from(a.saturating_sub(1));
    wrapped(a: u8, Zero, 1, 255) -> bool { wrapping_sub(a[i], 1) > 100 } = a.wrapping_sub(1) > 100;
    to_the_next_power(a: u16, Zero, 1, 300) -> u32 { next_power_of_two(a[i]) as u32 } = u32::from(a.next_power_of_two());
    rotated(a: i16, Zero, 1, -1) -> i64 { rotate_left(wrapping_sub(a[i], 2), 1) as i64 } = i64::from(a.wrapping_sub(2).rotate_left(1));
    reversed(a: i8, Zero, 1, -1) -> i32 { reverse_bits(a[i] + 1) as i32 } = i32::from((a + 1).reverse_bits());
    swapped(a: i16, Zero, 1, -1) -> u32 { swap_bytes(a[i] + 1) as u16 as u32 } = u32::from((a + 1).swap_bytes() as u16);
    chosen(a: u8, Zero, 1, 255) -> u32 { leading_zeros(ifelse(a[i] > 1, a[i], 0)) } = (if a > 1 { a } else { 0 }).leading_zeros();
    of_nothing_left(a: u8, Zero, 1, 255) -> u32 { leading_zeros(a[i] - a[i]) } = 0u8.leading_zeros() + 0 * u32::from(a);
    of_no_bits(a: u8, Zero, 1, 255) -> u32 { leading_zeros(a[i] ^ a[i]) } = 0u8.leading_zeros() + 0 * u32::from(a);
    shifted_and_widened(a: u8, Zero, 1, 4) -> u32 { ((3 + a[i]) << 7) as u32 } = u32::from((3 + a) << 7);
    shifted_and_converted(a: i8, Zero, 1, -1) -> f64 { ((3 + a[i]) << 7) as f64 } = f64::from((3 + a) << 7);
    shifted_and_compared(a: u8, Zero, 1, 4) -> bool { ((a[i] + 3) << 7) == 128 } = ((a + 3) << 7) == 128;
    shifted_as_fill(a: u16, Const<300>, 1, 4) -> u64 { (a[i] << 10) as u64 } = u64::from(a << 10);
    apart_below_0(a: i8, Zero, 1, -100) -> u8 { abs_diff(-1 - a[i], 100) } = (-1 - a).abs_diff(100);
    apart_from_fill(a: i8, Const<-1>, 1, -100) -> u8 { abs_diff(a[i], 100) } = a.abs_diff(100);
    magnitudes(a: i32, Zero, 1, -100) -> i32 { unsigned_abs(1 - a[i]) as i32 } = (1 - a).unsigned_abs() as i32;
    magnitudes_of_fill(a: i64, Const<-7>, 1, i64::MIN) -> u64 { unsigned_abs(a[i]) } = a.unsigned_abs();
    products_widened(a: f32, Zero, 1.0, -2.5) -> f64 { ((a[i] + 1e30) * 1e30) as f64 } = f64::from((a + 1e30) * 1e30);
    quotients_widened(a: f32, Zero, 1.0, -2.5) -> f64 { ((a[i] + 1) / 3) as f64 } = f64::from((a + 1.0) / 3.0);
    rounded_once(a: f32, Zero, 1.0, -2.5) -> f64 { (a[i] + 16777217) as f64 } = f64::from(a + 16777217.0);
    rounded_and_compared(a: f64, Zero, 1.0, -2.5) -> bool { a[i] + 9007199254740992 + 1 > 9007199254740992 } = a + 9007199254740992.0 + 1.0 > 9007199254740992.0;
    below_a_function(a: f32, Zero, 1.0, 0.25) -> bool { a[i] < self::half() } = a < half();
    equal_to_a_function(a: u8, Const<2>, 1, 255) -> bool { self::two() == a[i] } = 2 == a;
    least_of_a_function(a: f32, Zero, 1.0, 0.25) -> f64 { min(a[i], self::half()) as f64 } = f64::from(a.min(half()));
    greatest_of_a_function(a: f32, Zero, 1.0, 0.25) -> f32 { max(self::half(), a[i] * 2) } = half().max(a * 2.0);
    chosen_by_a_function(a: f32, Zero, 1.0, 0.25) -> f32 { ifelse(a[i] < self::half(), a[i], self::half()) } = if a < half() { a } else { half() };
    rooted_beside_a_function(a: f32, Zero, 1.0, 0.25) -> f32 { sqrt(self::half() + a[i]) } = (half() + a).sqrt();
    bits_of_a_function(a: u8, Zero, 1, 255) -> u32 { leading_zeros(self::two() | a[i]) } = (two() | a).leading_zeros();
    less_than_a_function(a: u8, Zero, 1, 255) -> u8 { abs_diff(a[i], self::two()) } = a.abs_diff(two());
    of_a_product(a: u8, Zero, 1, 255) -> u32 { leading_zeros(0 * a[i]) } = (0 * a).leading_zeros();
}

/// What is computed is of its type where all of it is stored, too.
#[test]
fn of_dense_operands() {
    finch! {
        fn left(a: &DenseVec<u8>) -> (y: DenseVec<u32>) { y[i] = leading_zeros(a[i] - a[i]) }
        fn bits(a: &DenseVec<u16>) -> (y: DenseVec<u32>) { y[i] = count_zeros(a[i] ^ a[i]) }
        fn ones(a: &DenseVec<u8>) -> (y: DenseVec<i32>) { y[i] = wrapping_sub(a[i] & 0, 1) as i32 }
    }
    let a: DenseVec<u8> = Tensor::from_dense([2], &[0, 255]).expect("a vector");
    let b: DenseVec<u16> = Tensor::from_dense([2], &[0, 300]).expect("a vector");
    assert_eq!(left(&a).to_dense(), [8, 8]);
    assert_eq!(bits(&b).to_dense(), [16, 16]);
    assert_eq!(ones(&a).to_dense(), [255, 255]);
}

/// Where a method keeps 0, what is not stored is not visited.
#[test]
fn methods_that_keep_zero_stay_sparse() {
    finch! {
        #![steps(n)]
        fn roots(a: &SparseVec<f32>, n: &mut u64) -> (y: SparseVec<f32>) { y[i] = sqrt(a[i]) }
        fn wrapped(a: &SparseVec<u8>, n: &mut u64) -> (y: SparseVec<i32>) { y[i] = wrapping_mul(a[i], 3) as i32 }
        fn cut(a: &SparseVec<f32>, n: &mut u64) -> (y: SparseVec<i32>) { y[i] = a[i] as i32 }
    }
    let mut n = 0;
    let a: SparseVec<f32> = Tensor::from_triplets([1000], [([7], 4.0)], Refuse).expect("a vector");
    assert_eq!(roots(&a, &mut n).triplets(), [(vec![7], 2.0)]);
    assert_eq!(cut(&a, &mut n).triplets(), [(vec![7], 4)]);
    let b: SparseVec<u8> = Tensor::from_triplets([1000], [([7], 200)], Refuse).expect("a vector");
    assert_eq!(wrapped(&b, &mut n).triplets(), [(vec![7], 88)]);
    assert!(n <= 6, "{n}");
}

/// In `#![strict]`, sums of literals are rounded one after the other.
#[test]
fn literals_are_added_in_the_order_of_the_program() {
    finch! {
        #![strict]
        fn widened(a: &SparseVec<f32>) -> (y: DenseVec<f64>) { y[i] = (a[i] + 16777216 + 1 + 1) as f64 }
        fn kept(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] = a[i] + 9007199254740992 + 1 + 1 }
    }
    let a: SparseVec<f32> = Tensor::from_triplets([2], [([1], 0.0)], Refuse).expect("a vector");
    let b: SparseVec<f64> = Tensor::from_triplets([2], [([1], 0.0)], Refuse).expect("a vector");
    assert_eq!(widened(&a).to_dense(), [16777216.0; 2]);
    assert_eq!(kept(&b).to_dense(), [9007199254740992.0; 2]);
}

/// A Rust expression in a program has the type that its names and casts tell, and a number beside it takes that.
#[test]
fn beside_rust_expressions() {
    finch! {
        fn named(a: &SparseVec<f64>, s: f64) -> (y: DenseVec<f64>) { y[i] = $(s) / (a[i] + 2) }
        fn summed(a: &SparseVec<f32>, s: f32) -> (y: DenseVec<f64>) { y[i] = (($(s * 2.0) + 1) / (a[i] + 16777216)) as f64 }
        fn cast(a: &SparseVec<u8>, n: i64) -> (y: DenseVec<u32>) { y[i] = leading_zeros($((n + 1) as u8) | a[i]) }
        fn compared(a: &SparseVec<f32>, s: f32) -> (y: DenseVec<bool>) { y[i] = ($(s) == 0.1) != ($(-s) * (a[i] + 1) < -1) }
        fn negated(a: &SparseVec<u8>, s: u8) -> (y: DenseVec<u32>) { y[i] = count_ones($(!s) & (255 - a[i])) }
        fn widened(a: &SparseVec<f64>, s: &mut f32) -> (y: DenseVec<f64>) { y[i] = $(s) + a[i] + 1; s = 0 }
        fn asked(a: &SparseVec<u8>, s: u8) -> (n: u64) { n += ifelse($(s > 3), 2, 1) * ($(s) - a[i]) }
    }
    let a: SparseVec<f64> = Tensor::from_triplets([3], [([1], -0.5)], Refuse).expect("a vector");
    let b: SparseVec<f32> = Tensor::from_triplets([3], [([1], 0.25)], Refuse).expect("a vector");
    let c: SparseVec<u8> = Tensor::from_triplets([3], [([1], 3)], Refuse).expect("a vector");
    assert_eq!(named(&a, 0.3).to_dense(), [0.15, 0.3 / 1.5, 0.15]);
    let quotient = |a: f32| f64::from((0.7f32 * 2.0 + 1.0) / (a + 16777216.0));
    assert_eq!(summed(&b, 0.7).to_dense(), [0.0, 0.25, 0.0].map(quotient));
    assert_eq!(cast(&c, 255).to_dense(), [8, 6, 8]);
    assert_eq!(compared(&b, 0.1).to_dense(), [true, true, true]);
    assert_eq!(compared(&b, 0.9).to_dense(), [false, true, false]);
    assert_eq!(negated(&c, 1).to_dense(), [7, 6, 7]);
    assert_eq!(
        widened(&a, &mut 0.1).to_dense(),
        [0.0, -0.5, 0.0].map(|a| f64::from(0.1f32) + a + 1.0)
    );
    assert_eq!(asked(&c, 5), 2 * (5 + 2 + 5));
}
