//! Products over semirings other than that of `+` and `*`, masked and not: each against loops over
//! every element in plain Rust, and by the steps it takes, of which what a mask excludes has none.

use looplets::prelude::*;
use looplets::semiring::{MaxI64, MaxU32, MaxU64};

level! { type Set = Tensor<SparseList<Pattern>>; }
level! { type Flags = Tensor<Bitmap<Pattern>>; }

/// Whether an entry is stored, and which: the same whenever asked.
fn hash(seed: usize, i: usize, j: usize) -> usize {
    let mixed =
        (seed * 31 + i * 7 + j * 13 + i * j * 5 + 3).wrapping_mul(0x9E37_79B9_7F4A_7C15_usize);
    mixed >> 40
}

fn stored(seed: usize, i: usize, j: usize) -> bool {
    hash(seed, i, j).is_multiple_of(3)
}

/// The entries that `value` makes of those that are stored.
fn matrix<L: Level>(seed: usize, size: [usize; 2], value: impl Fn(usize) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    let all = (0..size[0]).flat_map(|i| (0..size[1]).map(move |j| [i, j]));
    let kept = all.filter(|[i, j]| stored(seed, *i, *j));
    Tensor::from_triplets(size, kept.map(|[i, j]| ([i, j], value(hash(seed, i, j) / 3))), Refuse)
        .unwrap()
}

fn vector<L: Level>(seed: usize, size: usize, value: impl Fn(usize) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    let kept = (0..size).filter(|j| stored(seed, 0, *j));
    Tensor::from_triplets([size], kept.map(|j| ([j], value(hash(seed, 0, j) / 3))), Refuse).unwrap()
}

/// Rows, columns of the product, and the dimension in the middle.
const SIZES: [[usize; 3]; 10] = [
    [0, 0, 0],
    [0, 3, 2],
    [3, 0, 2],
    [3, 2, 0],
    [1, 1, 1],
    [1, 6, 4],
    [6, 1, 4],
    [4, 7, 9],
    [9, 5, 3],
    [12, 12, 12],
];

operator! {
    /// `&&` by a name.
    fn both(a: bool, b: bool) -> bool { a && b }
    commutative, associative, idempotent;
    identity true;
    annihilator false;
}

/// An element of a product: of what is stored on both sides, added from `zero` on.
fn dot<T: Copy, U>(
    size: usize,
    zero: U,
    a: impl Fn(usize) -> Option<T>,
    b: impl Fn(usize) -> Option<T>,
    add: fn(U, U) -> U,
    mul: fn(T, T) -> U,
) -> U {
    (0..size).filter_map(|k| Some(mul(a(k)?, b(k)?))).fold(zero, add)
}

fn far(a: i64, b: i64) -> i64 {
    if a.max(b) == i64::MAX {
        i64::MAX
    } else {
        a + b
    }
}

/// The kernels of one semiring over `$T` with the fill `$F`, results `$U` with `$G`, its addition and
/// its multiplication; then the two in plain Rust and the values that are stored.
macro_rules! semirings {
    ($($name:ident: $T:ident $F:ident => $U:ident $G:ident, [$($plus:tt)*], $times:ident, $add:expr, $mul:expr, $value:expr;)*) => {$(
        mod $name {
            use super::*;

            type Matrix = Tensor<Dense<SparseList<Element<$T, $F>>>>;
            const ADD: fn($U, $U) -> $U = $add;
            const MUL: fn($T, $T) -> $U = $mul;

            finch! {
                #![steps(n)]
                use looplets::semiring::{first, max_plus, min_plus, min_plus_i64, min_plus_u32, min_plus_u64, pair, second};
                use crate::both;

                fn vector_sparse(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, x: &Tensor<SparseList<Element<$T, $F>>>, n: &mut u64)
                    -> (y: Tensor<Dense<Element<$U, $G>>>) {
                    for i, j { y[i] $($plus)* $times(a[i, j], x[j]) }
                }
                fn vector_pushed(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, x: &Tensor<SparseList<Element<$T, $F>>>, n: &mut u64)
                    -> (y: Tensor<Dense<Element<$U, $G>>>) {
                    for j, i { y[i] $($plus)* $times(a[j, i], x[j]) }
                }
                fn vector_masked(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, x: &Tensor<Dense<Element<$T, $F>>>, m: &Set, n: &mut u64)
                    -> (y: Tensor<Dense<Element<$U, $G>>>) {
                    for i, j { if m[i] { y[i] $($plus)* $times(a[i, j], x[j]) } }
                }
                fn vector_complement(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, x: &Tensor<Dense<Element<$T, $F>>>, m: &Flags, n: &mut u64)
                    -> (y: Tensor<Dense<Element<$U, $G>>>) {
                    for i, j { if !m[i] { y[i] $($plus)* $times(a[i, j], x[j]) } }
                }
                fn product(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, b: &Tensor<Dense<SparseList<Element<$T, $F>>>>, n: &mut u64)
                    -> (c: Tensor<Dense<Dense<Element<$U, $G>>>>) {
                    for i, k, j { c[i, j] $($plus)* $times(a[i, k], b[k, j]) }
                }
                fn product_masked(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, b: &Tensor<Dense<SparseList<Element<$T, $F>>>>, m: &Graph, n: &mut u64)
                    -> (c: Tensor<Dense<Dense<Element<$U, $G>>>>) {
                    for i, j, k { if m[i, j] { c[i, j] $($plus)* $times(a[i, k], b[j, k]) } }
                }
                fn product_complement(a: &Tensor<Dense<SparseList<Element<$T, $F>>>>, b: &Tensor<Dense<SparseList<Element<$T, $F>>>>, m: &Graph, n: &mut u64)
                    -> (c: Tensor<Dense<Dense<Element<$U, $G>>>>) {
                    for i, j, k { if !m[i, j] { c[i, j] $($plus)* $times(a[i, k], b[j, k]) } }
                }
            }

            fn at(seed: usize, i: usize, j: usize) -> Option<$T> {
                let value: fn(usize) -> $T = $value;
                stored(seed, i, j).then(|| value(hash(seed, i, j) / 3))
            }

            fn zero() -> $U {
                <$G as Fill<$U>>::VALUE
            }

            #[test]
            fn with_a_vector() {
                for [rows, _, size] in SIZES {
                    let want = |keep: &dyn Fn(usize) -> bool, dense: bool, turned: bool| -> Vec<$U> {
                        let x = |j| at(2, 0, j).or(dense.then_some(<$F as Fill<$T>>::VALUE));
                        let a = |i, j| if turned { at(1, j, i) } else { at(1, i, j) };
                        (0..rows).map(|i| if keep(i) { dot(size, zero(), |j| a(i, j), x, ADD, MUL) } else { zero() }).collect()
                    };
                    let a: Matrix = matrix(1, [rows, size], $value);
                    let turned: Matrix = matrix(1, [size, rows], $value);
                    let x: Tensor<SparseList<Element<$T, $F>>> = vector(2, size, $value);
                    let full = x.convert().unwrap();
                    let mut n = 0;
                    assert_eq!(vector_sparse(&a, &x, &mut n).to_dense(), want(&|_| true, false, false));
                    n = 0;
                    assert_eq!(vector_pushed(&turned, &x, &mut n).to_dense(), want(&|_| true, false, true));
                    let entries = |i: usize, size| (0..size).filter(|j| stored(1, i, *j)).count();
                    let rows_of_x = (0..size).filter(|j| stored(2, 0, *j));
                    assert_eq!(n as usize, rows_of_x.map(|j| 1 + entries(j, rows)).sum());
                    let kept = |i: usize| stored(5, 0, i);
                    n = 0;
                    let y = vector_masked(&a, &full, &vector(5, rows, |_| true), &mut n);
                    assert_eq!(y.to_dense(), want(&kept, true, false));
                    assert_eq!(n as usize, (0..rows).filter(|i| kept(*i)).map(|i| 1 + entries(i, size)).sum());
                    n = 0;
                    let y = vector_complement(&a, &full, &vector(5, rows, |_| true), &mut n);
                    assert_eq!(y.to_dense(), want(&|i| !kept(i), true, false));
                    let inside: usize = (0..rows).filter(|i| !kept(*i)).map(|i| 1 + entries(i, size)).sum();
                    // What the mask leaves out is passed by, an entry of it at a time.
                    let passed = (0..rows).filter(|i| kept(*i)).count();
                    assert!(n as usize <= inside + passed && (size == 0 || n as usize == inside + passed), "{n}");
                }
            }

            #[test]
            fn of_matrices() {
                for [rows, columns, size] in SIZES {
                    let want = |keep: &dyn Fn(usize, usize) -> bool, turned: bool| -> Vec<$U> {
                        let b = |k, j| if turned { at(2, j, k) } else { at(2, k, j) };
                        let element = |i, j| if keep(i, j) { dot(size, zero(), |k| at(1, i, k), |k| b(k, j), ADD, MUL) } else { zero() };
                        (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| element(i, j)).collect()
                    };
                    let a: Matrix = matrix(1, [rows, size], $value);
                    let b: Matrix = matrix(2, [size, columns], $value);
                    let turned: Matrix = matrix(2, [columns, size], $value);
                    let mask: Graph = matrix(5, [rows, columns], |_| true);
                    let (mut n, mut all);
                    n = 0;
                    assert_eq!(product(&a, &b, &mut n).to_dense(), want(&|_, _| true, false));
                    n = 0;
                    assert_eq!(product_masked(&a, &turned, &mask, &mut n).to_dense(), want(&|i, j| stored(5, i, j), true));
                    let most = |keep: &dyn Fn(usize, usize) -> bool| -> usize {
                        let entries = |seed, i| (0..size).filter(|k| stored(seed, i, *k)).count();
                        let cost = |i, j| if keep(i, j) { 1 + entries(1, i) + entries(2, j) } else { 0 };
                        (0..rows).map(|i| 1 + (0..columns).map(|j| cost(i, j)).sum::<usize>()).sum()
                    };
                    assert!(n as usize <= most(&|i, j| stored(5, i, j)), "{n}");
                    n = 0;
                    assert_eq!(product_complement(&a, &turned, &mask, &mut n).to_dense(), want(&|i, j| !stored(5, i, j), true));
                    assert!(n as usize <= most(&|i, j| !stored(5, i, j)) + mask.stored(), "{n}");
                    // Of masks that leave nothing, the rows alone.
                    let none: Graph = Tensor::from_dense([rows, columns], &vec![false; rows * columns]).unwrap();
                    let every: Graph = Tensor::from_dense([rows, columns], &vec![true; rows * columns]).unwrap();
                    (n, all) = (0, 0);
                    product_masked(&a, &turned, &none, &mut n);
                    product_complement(&a, &turned, &every, &mut all);
                    assert_eq!([n as usize, all as usize], [rows, rows * (1 + columns)]);
                }
            }
        }
    )*};
}

semirings! {
    min_plus_floats: f64 Inf => f64 Inf, [<<min>>=], min_plus, f64::min, |a, b| a + b, |v| (v % 50) as f64 - 10.0;
    min_plus_small: u32 MaxU32 => u32 MaxU32, [<<min>>=], min_plus_u32, u32::min, u32::saturating_add, |v| v as u32 % 50;
    min_plus_large: u64 MaxU64 => u64 MaxU64, [<<min>>=], min_plus_u64, u64::min, u64::saturating_add, |v| u64::MAX - v as u64 % 50;
    max_plus_floats: f64 NegInf => f64 NegInf, [<<max>>=], max_plus, f64::max, |a, b| a + b, |v| (v % 50) as f64 - 10.0;
    max_min_floats: f64 NegInf => f64 NegInf, [<<max>>=], min, f64::max, f64::min, |v| (v % 50) as f64 - 10.0;
    max_min_whole: u32 Zero => u32 Zero, [<<max>>=], min, u32::max, u32::min, |v| v as u32 % 50;
    plus_first: f64 Zero => f64 Zero, [+=], first, |a, b| a + b, |a, _| a, |v| (v % 50) as f64 - 10.0;
    plus_second: f64 Zero => f64 Zero, [+=], second, |a, b| a + b, |_, b| b, |v| (v % 50) as f64 - 10.0;
    plus_pair: f64 Zero => u64 Zero, [+=], pair, |a, b| a + b, |_, _| 1, |v| (v % 50) as f64;
    plus_pair_floats: bool False => f64 Zero, [+=], pair, |a, b| a + b, |_, _| 1.0, |_| true;
    any_first: u32 Zero => u32 Zero, [<<choose>>=], first, |a, b| if a == 0 { b } else { a }, |a, _| a, |v| v as u32 % 50;
    min_second: f64 Inf => f64 Inf, [<<min>>=], second, f64::min, |_, b| b, |v| (v % 50) as f64 - 10.0;
    boolean: bool Zero => bool Zero, [||=], both, |a, b| a || b, |a, b| a && b, |v| v % 4 > 0;
    two_elements: bool Zero => bool Zero, [^=], both, |a, b| a != b, |a, b| a && b, |v| v % 4 > 0;
    min_plus_signed: i64 MaxI64 => i64 MaxI64, [<<min>>=], min_plus_i64, i64::min, far, |v| v as i64 % 50 - 10;
    min_max_floats: f64 Inf => f64 Inf, [<<min>>=], max, f64::min, f64::max, |v| (v % 50) as f64 - 10.0;
}
