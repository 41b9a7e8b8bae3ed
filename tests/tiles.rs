//! Rows of results that are held in registers a tile at a time: whatever the number of columns, each element is what the
//! plain loops give, to the last bit.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod bitwise;

use looplets::prelude::*;

finch! {
    fn product(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * d[k, j] } }
    fn product_added(a: &Csr<f64>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * d[k, j] } }
    fn product_single(a: &Csr<f32>, d: &DenseMat<f32>) -> (c: DenseMat<f32>) { for i, k, j { c[i, j] += a[i, k] * d[k, j] } }
    fn product_bytes(a: &Csr<u8>, d: &DenseMat<u8>) -> (c: DenseMat<u8>) { for i, k, j { c[i, j] ^= a[i, k] & d[k, j] } }
    fn product_long(a: &Csr<i128>, d: &DenseMat<i128>) -> (c: DenseMat<i128>) { for i, k, j { c[i, j] += a[i, k] * d[k, j] } }
    fn least(a: &Csr<f64>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k, j { c[i, j] <<min>>= a[i, k] * d[k, j] } }
    fn columns(d: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += d[i, j] } }
    fn dense(d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += d[i, k] * e[k, j] } }
    fn in_parallel(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { parallel for i { for k, j { c[i, j] += a[i, k] * d[k, j] } } }
    fn part(a: &Csr<f64>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k { for j in 1..6 { c[i, j] += a[i, k] * d[k, j] } } }
    fn moved(a: &Csr<f64>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k { for j in 0..9 { c[i, j + 2] += a[i, k] * d[k, j] } } }
    fn twice(a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { c[i, j] += a[i, k] * d[k, j] }
        for i, k, j { c[i, j] += b[i, k] * d[k, j] }
    }
    fn gram(t: &Tensor<Dense<SparseList<SparseList<Element<f64>>>>>, b: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += t[i, j, k] * b[j, r] * d[k, r] }
    }
    fn many_rows_in_one(d: &DenseMat<f64>, y: &mut DenseVec<f64>) { parallel for k { for i { y[i] <<max>>= d[k, i] } } }
    fn rows_in_any_order(at: &Tensor<Dense<Element<usize>>>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) {
        for i, j { c[at[i], j] += d[i, j] }
    }
}

finch! {
    #![strict]
    fn product_strict(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * d[k, j] } }
}

mod of_width {
    use looplets::prelude::*;
    finch! { #![schedule(tile(8))] pub fn eight(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] } }
    finch! { #![schedule(tile(4))] pub fn four(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] } }
    finch! { #![schedule(tile(2))] pub fn two(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] } }
}

mod first {
    use looplets::prelude::*;
    finch! {
        #![schedule(first(b, d))]
        pub fn chain(a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
        pub fn chain_listed(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
        pub fn chain_of_dense(a: &DenseMat<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
    }
}

/// The values of a matrix.
fn values(shape: [usize; 2], seed: usize) -> Vec<f64> {
    bitwise::values(shape[0] * shape[1], seed, 23)
}

/// The same with less than half of them stored.
fn sparse(shape: [usize; 2], seed: usize) -> Vec<f64> {
    let stored = |n: usize| n.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 9 & 3 == 0;
    let all = values(shape, seed).into_iter().enumerate();
    // No zero of either sign is stored.
    all.map(|(n, v)| if stored(n + seed) && v != 0.0 { v } else { 0.0 }).collect()
}

/// What the plain loops make of `c`: `each(c, a, d)` for every entry that is stored.
fn by_hand<T: Copy + PartialEq>(
    [m, q, n]: [usize; 3],
    (a, d, c): (&[T], &[T], &[T]),
    zero: T,
    each: impl Fn(T, T, T) -> T,
) -> Vec<T> {
    let mut c = c.to_vec();
    for i in 0..m {
        for k in (0..q).filter(|k| a[i * q + k] != zero) {
            for j in 0..n {
                c[i * n + j] = each(c[i * n + j], a[i * q + k], d[k * n + j]);
            }
        }
    }
    c
}

macro_rules! same {
    ($tensor:expr, $expected:expr, $what:expr) => {{
        let floats = |all: &[_]| all.iter().map(|x| *x as f64).collect::<Vec<f64>>();
        bitwise::same(&floats(&$tensor.to_dense()), &floats(&$expected), $what);
    }};
}

/// Sizes around those of tiles.
const COLUMNS: [usize; 25] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 18, 20, 25, 31, 32, 33, 63, 64, 65, 70];

#[test]
fn rows_of_products() {
    for n in COLUMNS {
        for (m, q) in [(0, 3), (1, 0), (1, 1), (5, 9), (12, 6)] {
            let what = (m, q, n);
            let (a, d, c) = (sparse([m, q], 1), values([q, n], 2), values([m, n], 3));
            let (s, t): (Csr<f64>, DenseMat<f64>) =
                (Tensor::from_dense([m, q], &a).unwrap(), Tensor::from_dense([q, n], &d).unwrap());
            let old: DenseMat<f64> = Tensor::from_dense([m, n], &c).unwrap();
            let add = |c: f64, a: f64, d: f64| c + a * d;
            let new = by_hand([m, q, n], (&a, &d, &vec![0.0; m * n]), 0.0, add);
            same!(product(&s, &t), new, what);
            // Zero times infinity counts.
            let whole = by_hand([m, q, n], (&a, &d, &vec![0.0; m * n]), f64::NAN, add);
            same!(product_strict(&s, &t), whole, what);
            same!(in_parallel(&s, &t), new, what);
            same!(of_width::eight(&s, &t), new, what);
            same!(of_width::four(&s, &t), new, what);
            same!(of_width::two(&s, &t), new, what);
            let mut added = old.clone();
            product_added(&s, &t, &mut added);
            same!(added, by_hand([m, q, n], (&a, &d, &c), 0.0, add), what);
            // What is not stored takes part, as zero. Which zero is the lesser is not said.
            let mut lesser = old.clone();
            least(&s, &t, &mut lesser);
            let product = |a: f64, d: f64| if a == 0.0 { 0.0 } else { a * d };
            let each = |c: f64, a: f64, d: f64| c.min(product(a, d)) + 0.0;
            let unsigned: Vec<f64> = lesser.to_dense().iter().map(|x| x + 0.0).collect();
            let lesser: DenseMat<f64> = Tensor::from_dense([m, n], &unsigned).unwrap();
            let started: Vec<f64> = c.iter().map(|x| x + 0.0).collect();
            same!(lesser, by_hand([m, q, n], (&a, &d, &started), f64::NAN, each), what);
            let b = sparse([m, q], 7);
            let both = by_hand([m, q, n], (&b, &d, &new), 0.0, add);
            same!(twice(&s, &Tensor::from_dense([m, q], &b).unwrap(), &t), both, what);
        }
    }
}

#[test]
fn other_types() {
    for n in COLUMNS {
        let [m, q] = [6, 5];
        let (a, d) = (sparse([m, q], 4), values([q, n], 5));
        macro_rules! check {
            ($kernel:ident, $T:ty, $cast:expr, $each:expr) => {
                let cast: fn(&f64) -> $T = $cast;
                let (a, d): (Vec<$T>, Vec<$T>) =
                    (a.iter().map(cast).collect(), d.iter().map(cast).collect());
                let (s, t): (Csr<$T>, DenseMat<$T>) = (
                    Tensor::from_dense([m, q], &a).unwrap(),
                    Tensor::from_dense([q, n], &d).unwrap(),
                );
                let zero = <$T>::default();
                let expected = by_hand([m, q, n], (&a, &d, &vec![zero; m * n]), zero, $each);
                same!($kernel(&s, &t), expected, (stringify!($T), n));
            };
        }
        check!(product_single, f32, |x| *x as f32, |c, a, d| c + a * d);
        check!(product_bytes, u8, |x| (x * 9.0) as i64 as u8, |c, a, d| c ^ (a & d));
        check!(product_long, i128, |x| (x * 100.0).clamp(-1e6, 1e6) as i128, |c, a, d| c + a * d);
    }
}

#[test]
fn parts_of_rows() {
    let [m, q, n] = [7, 5, 12];
    let (a, d, c) = (sparse([m, q], 1), values([q, n], 2), values([m, n], 3));
    let s: Csr<f64> = Tensor::from_dense([m, q], &a).unwrap();
    let t: DenseMat<f64> = Tensor::from_dense([q, n], &d).unwrap();
    let old: DenseMat<f64> = Tensor::from_dense([m, n], &c).unwrap();
    let by_hand = |range: std::ops::Range<usize>, shift: usize| {
        let mut c = c.clone();
        for i in 0..m {
            for k in (0..q).filter(|k| a[i * q + k] != 0.0) {
                for j in range.clone() {
                    c[i * n + j + shift] += a[i * q + k] * d[k * n + j];
                }
            }
        }
        c
    };
    let mut found = old.clone();
    part(&s, &t, &mut found);
    same!(found, by_hand(1..6, 0), "part");
    let mut found = old.clone();
    moved(&s, &t, &mut found);
    same!(found, by_hand(0..9, 2), "moved");
    // Rows of the result that are the same one, and in any order.
    let at = [3usize, 0, 3, 6, 1];
    let of: Tensor<Dense<Element<usize>>> = Tensor::from_dense([q], &at).unwrap();
    let mut found = old.clone();
    rows_in_any_order(&of, &t, &mut found);
    let mut expected = c.clone();
    for i in 0..q {
        (0..n).for_each(|j| expected[at[i] * n + j] += d[i * n + j]);
    }
    same!(found, expected, "rows in any order");
}

/// Chunks have copies of the row, and take them tile by tile.
#[test]
fn rows_in_chunks() {
    looplets::rt::parallel::worth(64);
    for n in [1, 3, 4, 21] {
        let (d, y) = (values([3000, n], 1), values([1, n], 2));
        let mut found: DenseVec<f64> = Tensor::from_dense([n], &y).unwrap();
        many_rows_in_one(&Tensor::from_dense([3000, n], &d).unwrap(), &mut found);
        let column = |j: usize| (0..3000).map(move |k| k * n + j);
        let expected: Vec<f64> =
            (0..n).map(|j| column(j).map(|at| d[at]).fold(y[j], f64::max)).collect();
        same!(found, expected, n);
    }
}

/// As many rows as are taken tile by tile, and more.
#[test]
fn rows_one_behind_the_other() {
    for m in [0, 1, 1024, 1025] {
        for n in [1, 6, 21] {
            let d = values([m, n], 1);
            let t: DenseMat<f64> = Tensor::from_dense([m, n], &d).unwrap();
            let mut expected = vec![0.0; n];
            for (k, d) in d.iter().enumerate() {
                expected[k % n] += d;
            }
            same!(columns(&t), expected, ("columns", m, n));
            let e = values([3, m], 2);
            let u: DenseMat<f64> = Tensor::from_dense([3, m], &e).unwrap();
            let mut expected = vec![0.0; 3 * n];
            for i in 0..3 {
                for k in 0..m {
                    (0..n).for_each(|j| expected[i * n + j] += e[i * m + k] * d[k * n + j]);
                }
            }
            same!(dense(&u, &t), expected, ("dense", m, n));
        }
    }
}

#[test]
fn loops_around_rows() {
    for n in COLUMNS {
        let shape = [4, 3, 5];
        let t = sparse([12, 5], 3);
        let cube: Tensor<Dense<SparseList<SparseList<Element<f64>>>>> =
            Tensor::from_dense(shape, &t).unwrap();
        let (b, d) = (values([3, n], 1), values([5, n], 2));
        let (p, q): (DenseMat<f64>, DenseMat<f64>) =
            (Tensor::from_dense([3, n], &b).unwrap(), Tensor::from_dense([5, n], &d).unwrap());
        let mut expected = vec![0.0; 4 * n];
        for i in 0..4 {
            for (j, k) in (0..15).map(|x| (x / 5, x % 5)) {
                let v = t[(i * 3 + j) * 5 + k];
                if v != 0.0 {
                    (0..n).for_each(|r| expected[i * n + r] += v * b[j * n + r] * d[k * n + r]);
                }
            }
        }
        same!(gram(&cube, &p, &q), expected, n);
    }
}

/// Rows that are summed first, in registers: those that nothing is added to are not there, and no infinity meets them.
#[test]
fn rows_of_workspaces() {
    let [m, p, q] = [7, 9, 6];
    for n in COLUMNS {
        let (a, b, d) = (sparse([m, p], 1), sparse([p, q], 2), values([q, n], 3));
        // No row of `b` for some that `a` has an infinity for.
        let b: Vec<f64> = (0..p * q).map(|x| if x / q % 4 == 1 { 0.0 } else { b[x] }).collect();
        let a: Vec<f64> =
            (0..m * p).map(|x| if x % p == 5 { f64::INFINITY } else { a[x] }).collect();
        let (s, t): (Csr<f64>, Csr<f64>) =
            (Tensor::from_dense([m, p], &a).unwrap(), Tensor::from_dense([p, q], &b).unwrap());
        let u: DenseMat<f64> = Tensor::from_dense([q, n], &d).unwrap();
        let add = |c: f64, a: f64, d: f64| c + a * d;
        let sum = by_hand([p, q, n], (&b, &d, &vec![0.0; p * n]), 0.0, add);
        let has = |j: usize| b[j * q..(j + 1) * q].iter().any(|v| *v != 0.0);
        let mut expected = vec![0.0; m * n];
        for (i, j) in (0..m * p).map(|x| (x / p, x % p)).filter(|(_, j)| has(*j)) {
            if a[i * p + j] != 0.0 {
                (0..n).for_each(|l| expected[i * n + l] += a[i * p + j] * sum[j * n + l]);
            }
        }
        same!(first::chain(&s, &t, &u), expected, n);
        let listed: Csr<f64> = Tensor::from_dense([q, n], &d).unwrap();
        assert_eq!(first::chain_listed(&s, &t, &listed).to_dense().len(), m * n);
        // A dense first operand has a zero for each row that is not there.
        let full: DenseMat<f64> = Tensor::from_dense([m, p], &a).unwrap();
        let mut expected = vec![0.0; m * n];
        for (i, j) in (0..m * p).map(|x| (x / p, x % p)).filter(|(_, j)| has(*j)) {
            (0..n).for_each(|l| expected[i * n + l] += a[i * p + j] * sum[j * n + l]);
        }
        same!(first::chain_of_dense(&full, &t, &u), expected, ("dense", n));
    }
}
