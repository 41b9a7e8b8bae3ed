//! Operands that a program without loops spreads into a workspace: the result is that of the same statement in loops, to the
//! last bit, since what is not stored stays so and what is stored as zero is met as zero.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Least = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type LeastVec = Tensor<SparseList<Element<f64, Inf>>>; }
level! { type Set = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Cube = Tensor<Dense<Dense<SparseList<Element<f64>>>>>; }

/// The same kernels with loops left out, and written.
macro_rules! both {
    ($($name:ident($($params:tt)*) ($($out:tt)*) [$($loops:ident),*] { $($body:tt)* })*) => {
        mod left_out {
            use super::*;
            finch! { $(pub fn $name($($params)*) $($out)* { $($body)* })* }
        }
        mod written {
            use super::*;
            finch! { #![portable] $(pub fn $name($($params)*) $($out)* { for $($loops),* { $($body)* } })* }
        }
    };
}

both! {
    vector(a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
    product_of_three(a: &Csr<f64>, x: &SparseVec<f64>, z: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] * z[j] }
    beside(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] + b[i, j] }
    greatest(a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] <<max>>= a[i, j] * x[j] }
    tropical(a: &Least, x: &LeastVec) (-> (y: DenseVec<f64, Inf>)) [i, j] { y[i] <<min>>= a[i, j] + x[j] }
    reached(a: &Set, x: &Tensor<SparseList<Pattern>>) (-> (y: DenseVec<bool>)) [i, j] { y[i] ||= a[i, j] && x[j] }
    counted(a: &Set, x: &Tensor<SparseList<Pattern>>) (-> (y: DenseVec<u32>)) [i, j] { y[i] += a[i, j] && x[j] }
    inner(a: &Csr<f64>, b: &Csr<f64>) (-> (c: DenseMat<f64>)) [i, j, k] { c[i, j] += a[i, k] * b[j, k] }
    inner_sparse(a: &Csr<f64>, b: &Csr<f64>) (-> (c: Csr<f64>)) [i, j, k] { c[i, j] += a[i, k] * b[j, k] }
    triangles(a: &Set, s: &mut u64) () [i, j, k] { s += ifelse(a[i, j] && a[j, k] && a[i, k], 1, 0) }
    weighted(a: &Csr<f64>, s: &mut f64) () [i, j, k] { s += a[i, j] * a[j, k] * a[i, k] }
    rank_three(t: &Cube, x: &SparseVec<f64>) (-> (y: DenseMat<f64>)) [i, j, k] { y[i, j] += t[i, j, k] * x[k] }
    rows_of_three(t: &Cube, b: &Csr<f64>) (-> (y: DenseMat<f64>)) [i, j, k] { y[i, j] += t[i, j, k] * b[i, k] }
    bytes(a: &Tensor<Dense<SparseList<Element<u8>>>>, x: &Tensor<SparseList<Element<u8>>>) (-> (y: DenseVec<u8>)) [i, j] { y[i] |= a[i, j] & x[j] }
    swapped(a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += x[j] * a[i, j] }
    scaled(a: &Csr<f64>, x: &SparseVec<f64>, s: f64) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] * s }
    into_entries(a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: SparseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
    from_lists(a: &Tensor<SparseList<SparseList<Element<f64>>>>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
    in_place(a: &Csr<f64>, x: &SparseVec<f64>, y: &mut DenseVec<f64>) () [i, j] { y[i] += a[i, j] * x[j] }
    less(a: &Csr<f64>, x: &SparseVec<f64>) (-> (y: DenseVec<f64>)) [i, j] { y[i] -= a[i, j] * x[j] }
    of_eight_bits(a: &Tensor<Dense<SparseList<Element<i8>>>>, x: &Tensor<SparseList<Element<i8>>>) (-> (y: DenseVec<i8>)) [i, j] { y[i] += a[i, j] * x[j] }
    bits_in_place(a: &Tensor<Dense<SparseList<Element<i8>>>>, x: &Tensor<SparseList<Element<i8>>>, y: &mut DenseVec<i8>) () [i, j] { y[i] += a[i, j] * x[j] }
    narrow(a: &Tensor<Dense<SparseList<Element<f32>>>>, x: &Tensor<SparseList<Element<f32>>>) (-> (y: DenseVec<f32>)) [i, j] { y[i] += a[i, j] * x[j] }
    of_a_byte_map(a: &Csr<f64>, x: &Tensor<ByteMap<Element<f64>>>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
    of_a_tree(a: &Csr<f64>, x: &Tensor<Bst<Element<f64>>>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
    of_a_list(a: &Csr<f64>, x: &Tensor<UnorderedList<Element<f64>>>) (-> (y: DenseVec<f64>)) [i, j] { y[i] += a[i, j] * x[j] }
}

/// The same of others, whose order of loops is another.
mod turned {
    use super::*;
    finch! {
        pub fn columns(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[j] += a[i, j] * x[i] }
        pub fn changed(a: &Csr<f64>, x: &mut Tensor<Hash<Element<f64>>>, s: &mut f64) { s += a[i, j] * x[j]; x[j] += a[i, j] }
        pub fn at(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[n, j] }
        pub fn within(a: &Csr<f64>, x: &SparseVec<f64>, n: i64) -> (y: DenseVec<f64>) { if n > 2 { y[i] += a[i, j] * x[j] } }
        pub fn in_rows(a: &Csr<f64>, b: &Csr<f64>, d: &DenseVec<f64>) -> (y: DenseMat<f64>) {
            if d[i] > 0 { y[i, j] += a[i, k] * b[j, k] }
        }
    }
}
mod unturned {
    use super::*;
    finch! {
        pub fn columns(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j] * x[i] } }
        pub fn changed(a: &Csr<f64>, x: &mut Tensor<Hash<Element<f64>>>, s: &mut f64) {
            for i, j { s += a[i, j] * x[j] }
            for i, j { x[j] += a[i, j] }
        }
        pub fn at(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * b[n, j] } }
        pub fn within(a: &Csr<f64>, x: &SparseVec<f64>, n: i64) -> (y: DenseVec<f64>) { for i, j { if n > 2 { y[i] += a[i, j] * x[j] } } }
        pub fn in_rows(a: &Csr<f64>, b: &Csr<f64>, d: &DenseVec<f64>) -> (y: DenseMat<f64>) {
            for i { if d[i] > 0 { for j, k { y[i, j] += a[i, k] * b[j, k] } } }
        }
    }
}

const HOSTILE: [f64; 5] = [0.0, -0.0, f64::INFINITY, f64::NAN, f64::NEG_INFINITY];

/// Some number, of which few are hostile: the order of sums is not what is looked at here.
fn value(n: usize) -> f64 {
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
    match mixed % 9 {
        0 => HOSTILE[mixed / 9 % HOSTILE.len()],
        m => (m as f64 - 4.0) / 4.0,
    }
}

/// Entries, about one in `step`, zeros among them.
fn entries(shape: &[usize], step: usize, seed: usize) -> Vec<(Vec<usize>, f64)> {
    let count: usize = shape.iter().product();
    let chosen = |n: &usize| {
        (n + 31 * seed).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11 & 0xffff < 0x10000 / step
    };
    let at = |mut n: usize| {
        let mut coordinates = vec![0; shape.len()];
        for (c, len) in coordinates.iter_mut().zip(shape).rev() {
            (*c, n) = (n % len, n / len);
        }
        coordinates
    };
    (0..count).filter(chosen).map(|n| (at(n), value(n + 977 * seed))).collect()
}

macro_rules! sparse {
    ($ty:ty, $shape:expr, $step:expr, $seed:expr, $value:expr) => {{
        let of = $value;
        let all = entries(&$shape, $step, $seed).into_iter().map(|(at, v)| (at, of(v)));
        let tensor: $ty = Tensor::from_triplets($shape, all, Last).unwrap();
        tensor
    }};
}

/// As bits, with one NaN.
fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

#[test]
fn vectors() {
    for (m, n) in [(0, 4), (4, 0), (1, 1), (7, 20), (40, 33)] {
        for (few, many) in [(1, 1), (2, 3), (12, 2), (3, 30)] {
            for seed in 0..4 {
                let what = (m, n, few, many, seed);
                let same_value = |v: f64| v;
                let a = sparse!(Csr<f64>, [m, n], few, seed, same_value);
                let b = sparse!(Csr<f64>, [m, n], many, seed + 1, same_value);
                let x = sparse!(SparseVec<f64>, [n], many, seed + 2, same_value);
                let z = sparse!(SparseVec<f64>, [n], few, seed + 3, same_value);
                macro_rules! same {
                    ($one:ident, $other:ident, $kernel:ident($($arg:expr),*)) => {
                        let (one, other) = ($one::$kernel($($arg),*), $other::$kernel($($arg),*));
                        assert_eq!(bits(&one.to_dense()), bits(&other.to_dense()), "{} {what:?}", stringify!($kernel));
                    };
                }
                same!(left_out, written, vector(&a, &x));
                same!(left_out, written, product_of_three(&a, &x, &z));
                same!(left_out, written, beside(&a, &b, &x));
                same!(left_out, written, greatest(&a, &x));
                same!(left_out, written, swapped(&a, &x));
                same!(left_out, written, less(&a, &x));
                same!(left_out, written, scaled(&a, &x, value(seed)));
                same!(left_out, written, into_entries(&a, &x));
                assert_eq!(
                    left_out::into_entries(&a, &x).stored(),
                    written::into_entries(&a, &x).stored()
                );
                same!(left_out, written, from_lists(&a.convert().unwrap(), &x));
                let zeros = vec![-0.0; m];
                let (mut one, mut other): (DenseVec<f64>, DenseVec<f64>) = (
                    Tensor::from_dense([m], &zeros).unwrap(),
                    Tensor::from_dense([m], &zeros).unwrap(),
                );
                left_out::in_place(&a, &x, &mut one);
                written::in_place(&a, &x, &mut other);
                assert_eq!(bits(&one.to_dense()), bits(&other.to_dense()), "in place {what:?}");
                let bytes = sparse!(Tensor<ByteMap<Element<f64>>>, [n], many, seed + 2, same_value);
                same!(left_out, written, of_a_byte_map(&a, &bytes));
                let tree = sparse!(Tensor<Bst<Element<f64>>>, [n], many, seed + 2, same_value);
                same!(left_out, written, of_a_tree(&a, &tree));
                let list =
                    sparse!(Tensor<UnorderedList<Element<f64>>>, [n], many, seed + 2, same_value);
                same!(left_out, written, of_a_list(&a, &list));
                same!(turned, unturned, within(&a, &x, (seed + 1) as i64));
                let y = sparse!(SparseVec<f64>, [m], many, seed + 2, same_value);
                same!(turned, unturned, columns(&a, &y));
                if m > 2 {
                    same!(turned, unturned, at(&a, &b, 2));
                }

                let tropical = |v: f64| v;
                let (p, q) = (
                    sparse!(Least, [m, n], few, seed, tropical),
                    sparse!(LeastVec, [n], many, seed + 2, tropical),
                );
                same!(left_out, written, tropical(&p, &q));
                let set = sparse!(Set, [m, n], few, seed, |_| true);
                let of = sparse!(Tensor<SparseList<Pattern>>, [n], many, seed + 2, |_| true);
                assert_eq!(
                    left_out::reached(&set, &of).to_dense(),
                    written::reached(&set, &of).to_dense()
                );
                assert_eq!(
                    left_out::counted(&set, &of).to_dense(),
                    written::counted(&set, &of).to_dense()
                );
                let byte = |v: f64| (v * 64.0) as i64 as u8;
                let (c, d) = (
                    sparse!(Tensor<Dense<SparseList<Element<u8>>>>, [m, n], few, seed, byte),
                    sparse!(Tensor<SparseList<Element<u8>>>, [n], many, seed + 2, byte),
                );
                assert_eq!(left_out::bytes(&c, &d).to_dense(), written::bytes(&c, &d).to_dense());
                // Few are so large that sums go over, which they must not.
                let small = |v: f64| if v.is_finite() { (v * 4.0) as i8 % 3 } else { 0 };
                let (c, d) = (
                    sparse!(Tensor<Dense<SparseList<Element<i8>>>>, [m, n], few, seed, small),
                    sparse!(Tensor<SparseList<Element<i8>>>, [n], many.max(4), seed + 2, small),
                );
                assert_eq!(
                    left_out::of_eight_bits(&c, &d).to_dense(),
                    written::of_eight_bits(&c, &d).to_dense()
                );
                let (mut one, mut other) =
                    (left_out::of_eight_bits(&c, &d), written::of_eight_bits(&c, &d));
                left_out::bits_in_place(&c, &d, &mut one);
                written::bits_in_place(&c, &d, &mut other);
                assert_eq!(one.to_dense(), other.to_dense());
                let narrow = |v: f64| v as f32;
                let (c, d) = (
                    sparse!(Tensor<Dense<SparseList<Element<f32>>>>, [m, n], few, seed, narrow),
                    sparse!(Tensor<SparseList<Element<f32>>>, [n], many, seed + 2, narrow),
                );
                let wide = |y: &DenseVec<f32>| -> Vec<f64> {
                    y.to_dense().into_iter().map(f64::from).collect()
                };
                assert_eq!(
                    bits(&wide(&left_out::narrow(&c, &d))),
                    bits(&wide(&written::narrow(&c, &d)))
                );
                let hash = sparse!(Tensor<Hash<Element<f64>>>, [n], many, seed + 2, same_value);
                let (mut one, mut other) = ((hash.clone(), 0.5), (hash, 0.5));
                turned::changed(&a, &mut one.0, &mut one.1);
                unturned::changed(&a, &mut other.0, &mut other.1);
                assert_eq!(bits(&one.0.to_dense()), bits(&other.0.to_dense()));
                assert_eq!(bits(&[one.1]), bits(&[other.1]));
            }
        }
    }
}

#[test]
fn rows_and_fibers() {
    for n in [0, 1, 2, 9, 20] {
        for (few, many) in [(1, 1), (2, 3), (9, 2), (2, 11)] {
            for seed in 0..4 {
                let what = (n, few, many, seed);
                let same_value = |v: f64| v;
                let a = sparse!(Csr<f64>, [n, n], few, seed, same_value);
                let b = sparse!(Csr<f64>, [n, n], many, seed + 1, same_value);
                macro_rules! same {
                    ($one:ident, $other:ident, $kernel:ident($($arg:expr),*)) => {
                        let (one, other) = ($one::$kernel($($arg),*), $other::$kernel($($arg),*));
                        assert_eq!(one.stored(), other.stored(), "{} {what:?}", stringify!($kernel));
                        assert_eq!(bits(&one.to_dense()), bits(&other.to_dense()), "{} {what:?}", stringify!($kernel));
                    };
                }
                same!(left_out, written, inner(&a, &b));
                same!(left_out, written, inner_sparse(&a, &b));
                let t = sparse!(Cube, [n, 3, n], few, seed + 2, same_value);
                let x = sparse!(SparseVec<f64>, [n], many, seed + 3, same_value);
                same!(left_out, written, rank_three(&t, &x));
                same!(left_out, written, rows_of_three(&t, &b));
                let d: DenseVec<f64> =
                    Tensor::from_dense([n], &(0..n).map(|k| value(k + seed)).collect::<Vec<_>>())
                        .unwrap();
                same!(turned, unturned, in_rows(&a, &b, &d));

                let set = sparse!(Set, [n, n], few, seed, |_| true);
                let (mut one, mut other) = (3, 3);
                left_out::triangles(&set, &mut one);
                written::triangles(&set, &mut other);
                assert_eq!(one, other, "{what:?}");
                let (mut one, mut other) = (-0.0, -0.0);
                left_out::weighted(&a, &mut one);
                written::weighted(&a, &mut other);
                assert_eq!(bits(&[one]), bits(&[other]), "{what:?}");
            }
        }
    }
}

mod behind {
    use super::*;
    finch! {
        pub fn left_out(a: &Csr<f64>, x: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = b[i]; y[i] += a[i, j] * x[j] }
        pub fn written(a: &Csr<f64>, x: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] } for i, j { y[i] += a[i, j] * x[j] } }
    }
}

/// A result that another statement has written does not start at 0: where no terms are, -0.0 stays.
#[test]
fn behind_another_statement() {
    for n in [0, 1, 2, 65] {
        let a = sparse!(Csr<f64>, [n, n], 2, 1, |v: f64| v);
        let x = sparse!(SparseVec<f64>, [n], 9, 2, |v: f64| v);
        let b: DenseVec<f64> = Tensor::from_dense([n], &vec![-0.0; n]).unwrap();
        let (one, other) = (behind::left_out(&a, &x, &b), behind::written(&a, &x, &b));
        assert_eq!(bits(&one.to_dense()), bits(&other.to_dense()), "{n}");
    }
}

/// What has every coordinate of an operand is looked at once for each element; where a sum is no number, it is taken again.
#[test]
fn one_look() {
    let said = explain! {
        #![schedule(spread(x))]
        fn f(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    };
    assert!(said.contains("if (y_sum == y_sum)") && said.contains("x[j_3::gallop]"), "{said}");
    let in_place = explain! {
        #![schedule(spread(x))]
        fn f(a: &Csr<f64>, x: &SparseVec<f64>, y: &mut DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    };
    assert!(
        in_place.contains("x_spread[j_2::locate]") && !in_place.contains("y_sum"),
        "{in_place}"
    );
}

/// Sizes that do not fit are named by the tensors of the program.
#[test]
fn sizes() {
    let a: Csr<f64> = Tensor::from_dense([2, 3], &[1.0; 6]).unwrap();
    let x: SparseVec<f64> = Tensor::from_dense([4], &[1.0; 4]).unwrap();
    let panic = std::panic::catch_unwind(|| left_out::vector(&a, &x)).unwrap_err();
    let said = panic.downcast_ref::<String>().unwrap();
    let expected = std::panic::catch_unwind(|| written::vector(&a, &x)).unwrap_err();
    assert_eq!(Some(said), expected.downcast_ref::<String>());
}

mod factored {
    use super::*;
    finch! {
        pub fn chain(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
        pub fn chain_sparse(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
        pub fn four(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * c[k, l] * x[l] }
        pub fn dense(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (d: DenseMat<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }
        pub fn scaled(a: &Csr<f64>, b: &DenseMat<f64>, x: &DenseVec<f64>, f: f64, y: &mut DenseVec<f64>) { y[i] += f * a[i, j] * b[j, k] * x[k] }
        pub fn tropical(a: &Least, b: &Least, x: &LeastVec) -> (y: DenseVec<f64, Inf>) { y[i] <<min>>= a[i, j] + b[j, k] + x[k] }
        pub fn not_from_zero(a: &Least, b: &Least, x: &LeastVec) -> (y: DenseVec<f64>) { y[i] <<min>>= a[i, j] + b[j, k] + x[k] }
        pub fn reached(a: &Set, b: &Set, x: &DenseVec<bool>) -> (y: DenseVec<bool>) { y[i] ||= a[i, j] && b[j, k] && x[k] }
        pub fn sampled(s: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += s[i, j] * d[i, k] * e[k, j] }
        pub fn quadratic(x: &DenseVec<f64>, a: &Csr<f64>, y: &DenseVec<f64>, s: &mut f64) { s += x[i] * a[i, j] * y[j] }
    }
}
mod at_once {
    use super::*;
    finch! {
        pub fn chain(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j, k { y[i] += a[i, j] * b[j, k] * x[k] } }
        pub fn chain_sparse(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i, j, k { y[i] += a[i, j] * b[j, k] * x[k] } }
        pub fn four(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j, k, l { y[i] += a[i, j] * b[j, k] * c[k, l] * x[l] } }
        pub fn dense(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (d: DenseMat<f64>) { for i, j, k, l { d[i, l] += a[i, j] * b[j, k] * c[k, l] } }
        pub fn scaled(a: &Csr<f64>, b: &DenseMat<f64>, x: &DenseVec<f64>, f: f64, y: &mut DenseVec<f64>) { for i, j, k { y[i] += f * a[i, j] * b[j, k] * x[k] } }
        pub fn tropical(a: &Least, b: &Least, x: &LeastVec) -> (y: DenseVec<f64, Inf>) { for i, j, k { y[i] <<min>>= a[i, j] + b[j, k] + x[k] } }
        pub fn not_from_zero(a: &Least, b: &Least, x: &LeastVec) -> (y: DenseVec<f64>) { for i, j, k { y[i] <<min>>= a[i, j] + b[j, k] + x[k] } }
        pub fn reached(a: &Set, b: &Set, x: &DenseVec<bool>) -> (y: DenseVec<bool>) { for i, j, k { y[i] ||= a[i, j] && b[j, k] && x[k] } }
        pub fn sampled(s: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { for i, j, k { c[i, j] += s[i, j] * d[i, k] * e[k, j] } }
        pub fn quadratic(x: &DenseVec<f64>, a: &Csr<f64>, y: &DenseVec<f64>, s: &mut f64) { for i, j { s += x[i] * a[i, j] * y[j] } }
    }
}

/// Sums that are taken before products give the same, of numbers whose products and sums are exact.
#[test]
fn chains() {
    let finite = |v: f64| if v.is_finite() { v } else { 1.5 };
    for (m, n, p) in [(0, 2, 3), (2, 0, 3), (2, 3, 0), (1, 1, 1), (6, 9, 4), (11, 5, 13)] {
        for (few, many) in [(1, 1), (2, 3), (7, 2)] {
            for seed in 0..4 {
                let what = (m, n, p, few, many, seed);
                let a = sparse!(Csr<f64>, [m, n], few, seed, finite);
                let b = sparse!(Csr<f64>, [n, p], many, seed + 1, finite);
                let c = sparse!(Csr<f64>, [p, m], many, seed + 2, finite);
                let dense = |rows: usize, cols: usize, seed: usize| -> DenseMat<f64> {
                    let all: Vec<f64> =
                        (0..rows * cols).map(|k| finite(value(k + 77 * seed))).collect();
                    Tensor::from_dense([rows, cols], &all).unwrap()
                };
                let (d, e, f) = (dense(m, n, seed), dense(n, p, seed + 1), dense(p, m, seed + 2));
                let vec = |len: usize, seed: usize| -> DenseVec<f64> {
                    let all: Vec<f64> = (0..len).map(|k| finite(value(k + 55 * seed))).collect();
                    Tensor::from_dense([len], &all).unwrap()
                };
                let (x, y, z) = (vec(p, seed), vec(m, seed + 1), vec(n, seed + 2));
                let l = sparse!(SparseVec<f64>, [p], many, seed + 3, finite);
                macro_rules! same {
                    ($kernel:ident($($arg:expr),*)) => {
                        let (one, other) = (factored::$kernel($($arg),*), at_once::$kernel($($arg),*));
                        assert_eq!(one.to_dense(), other.to_dense(), "{} {what:?}", stringify!($kernel));
                    };
                }
                same!(chain(&a, &b, &x));
                same!(chain_sparse(&a, &b, &l));
                same!(four(&a, &b, &c, &y));
                same!(dense(&d, &e, &f));
                same!(sampled(&sparse!(Csr<f64>, [m, p], few, seed, finite), &d, &e));
                let (mut one, mut other) = (y.clone(), y.clone());
                factored::scaled(&a, &e, &x, 0.5, &mut one);
                at_once::scaled(&a, &e, &x, 0.5, &mut other);
                assert_eq!(one.to_dense(), other.to_dense(), "scaled {what:?}");
                let (mut one, mut other) = (0.25, 0.25);
                factored::quadratic(&y, &a, &z, &mut one);
                at_once::quadratic(&y, &a, &z, &mut other);
                assert_eq!(one, other, "quadratic {what:?}");
                let (q, r) = (
                    sparse!(Least, [m, n], few, seed, finite),
                    sparse!(Least, [n, p], many, seed + 1, finite),
                );
                let least = sparse!(LeastVec, [p], many, seed + 3, finite);
                same!(tropical(&q, &r, &least));
                same!(not_from_zero(&q, &r, &least));
                let (g, h) = (
                    sparse!(Set, [m, n], few, seed, |_| true),
                    sparse!(Set, [n, p], many, seed + 1, |_| true),
                );
                let flags: Vec<bool> = x.to_dense().iter().map(|x| *x > 0.0).collect();
                same!(reached(&g, &h, &Tensor::from_dense([p], &flags).unwrap()));
            }
        }
    }
}

finch! {
    fn whole_numbers(a: &Tensor<Dense<SparseList<Element<u8>>>>, b: &Tensor<Dense<Dense<Element<u8>>>>, x: &DenseVec<u8>) -> (y: DenseVec<u8>) {
        y[i] += a[i, j] * b[j, k] * x[k]
    }
}

/// A sum that no entry of the result needs is not taken: it may overflow.
#[test]
fn sums_of_whole_numbers_are_not_taken_first() {
    let a = Tensor::from_triplets([1, 2], [([0, 0], 3)], Refuse).unwrap();
    let b = Tensor::from_dense([2, 2], &[1, 2, 255, 255]).unwrap();
    let x = Tensor::from_dense([2], &[5, 10]).unwrap();
    assert_eq!(whole_numbers(&a, &b, &x).to_dense(), [75]);
}
