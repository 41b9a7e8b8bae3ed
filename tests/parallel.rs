//! `parallel for` beside `for`: the same values, for outputs of every kind, chunk by chunk.

// What is not stored is to take part.
#![allow(deprecated)]

#[macro_use]
mod both;

use looplets::prelude::*;

level! { type Dcsr<T> = Tensor<SparseList<SparseList<Element<T>>>>; }
level! { type Bytes<T> = Tensor<Dense<ByteMap<Element<T>>>>; }
level! { type Bits<T> = Tensor<Dense<Bitmap<Element<T>>>>; }
level! { type Hashed<T> = Tensor<Dense<Hash<Element<T>>>>; }
level! { type HashVec<T> = Tensor<Hash<Element<T>>>; }
level! { type Rle<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type Runs<T> = Tensor<RunList<Element<T>>>; }
level! { type SparseRuns<T> = Tensor<Dense<SparseRunList<Element<T>>>>; }
level! { type Blocks<T> = Tensor<Dense<SparseBlockList<Element<T>>>>; }
level! { type Packed<T> = Tensor<Dense<PackBits<Element<T>>>>; }
level! { type Bands<T> = Tensor<Dense<SparseBand<Element<T>>>>; }
level! { type Coo2<T> = Tensor<Coo<Singleton<Element<T>>>>; }
level! { type Rows<T> = Tensor<Dense<Coo<Element<T>>>>; }
level! { type Csf3<T> = Tensor<Dense<SparseList<SparseList<Element<T>>>>>; }

/// Whole numbers, so that the order of additions does not show: about `each` entries a row, none in
/// every fifth, and one row of many.
fn matrix<L: Level<Value = f64>>(m: usize, n: usize, each: usize, seed: usize) -> Tensor<L> {
    // Several chunks of what is no more work than a test should take.
    looplets::rt::parallel::worth(4096);
    let mut entries = Vec::new();
    for i in 0..m {
        let count = match i {
            _ if i % 5 == 3 => 0,
            _ if i == m / 2 => n,
            _ => each + (i * 7 + seed) % 3,
        };
        let step = (n / count.max(1)).max(1);
        let start = (i * 13 + seed) % step;
        let columns = (start..n).step_by(step).take(count);
        entries.extend(columns.map(|j| ([i, j], ((i * 31 + j * 17 + seed) % 9) as f64 - 3.0)));
    }
    Tensor::from_triplets([m, n], entries, Refuse).expect("inside, and each once")
}

fn vector(n: usize) -> DenseVec<f64> {
    // Several chunks of what is no more work than a test should take.
    looplets::rt::parallel::worth(4096);
    let values: Vec<f64> = (0..n).map(|i| ((i * 7) % 11) as f64 - 4.0).collect();
    Tensor::from_dense([n], &values).expect("as many values as elements")
}

both! {
    spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { i: for j { y[i] += a[i, j] * x[j] } }
    spmv_columns(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { j: for i { y[i] += a[j, i] * x[j] } }
    spmv_rows_there(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { i: for j { y[i] += a[i, j] * x[j] } }
    scaled(a: &Csr<f64>, x: &DenseVec<f64>) -> (b: Csr<f64>) { i: for j { b[i, j] = a[i, j] * x[j] } }
    rows_there(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (b: Dcsr<f64>) { i: for j { b[i, j] = a[i, j] * x[j] } }
    sum(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { i: for j { c[i, j] = a[i, j] + b[i, j] } }
    part_of_the_rows(a: &Csr<f64>, x: &DenseVec<f64>, lo: usize, hi: usize) -> (y: DenseVec<f64>[hi]) {
        i in lo..hi: for j { y[i] += a[i, j] * x[j] }
    }
    rows_in_between(a: &Csr<f64>, lo: usize, hi: usize, n: usize) -> (b: Csr<f64>[hi, n]) {
        i in lo..hi: for j in 0..n { b[i, j] = a[i, j] }
    }
    product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        i: let mut w: Tensor<ByteMap<Element<f64>>>;
        { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
    }
    total(a: &Csr<f64>, s: &mut f64) { i: for j { s += a[i, j] } }
    extremes(a: &Csr<f64>, least: &mut f64, most: &mut f64, count: &mut u64, any: &mut bool) {
        i: for j { least <<min>>= a[i, j]; most <<max>>= a[i, j]; count += a[i, j] != 0; any ||= a[i, j] > 100 }
    }
    less(a: &Csr<f64>, s: &mut f64) { i: for j { s -= a[i, j] } }
    histogram(a: &Csr<f64>) -> (h: DenseVec<u64>[16]) { i: for j { h[$(3usize) + j % 8] += a[i, j] != 0 } }
    both_ways(a: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>, z: DenseVec<f64>, b: Csr<f64>) {
        i: for j { y[i] += a[i, j] * x[j]; z[j] += a[i, j]; s += a[i, j]; b[i, j] = a[i, j] * 2 }
    }
    pattern(a: &Csr<f64>) -> (g: Graph) { i: for j { g[i, j] = a[i, j] > 2 } }
    in_bytes(a: &Csr<f64>) -> (b: Bytes<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_bits(a: &Csr<f64>) -> (b: Bits<f64>) { i: for j { b[i, j] = a[i, j] } }
    hashed(a: &Csr<f64>) -> (b: Hashed<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_runs(a: &Csr<f64>) -> (b: Rle<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_sparse_runs(a: &Csr<f64>) -> (b: SparseRuns<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_blocks(a: &Csr<f64>) -> (b: Blocks<f64>) { i: for j { b[i, j] = a[i, j] } }
    packed(a: &Csr<f64>) -> (b: Packed<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_band(a: &Csr<f64>) -> (b: Bands<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_coo(a: &Csr<f64>) -> (b: Coo2<f64>) { i: for j { b[i, j] = a[i, j] } }
    in_rows(a: &Csr<f64>) -> (b: Rows<f64>) { i: for j { b[i, j] = a[i, j] } }
    dense(a: &Csr<f64>) -> (b: DenseMat<f64>) { i: for j { b[i, j] = a[i, j] + 1 } }
    outer(x: &SparseVec<f64>, b: &Csr<f64>) -> (c: Csf3<f64>) { i: for j, k { c[i, j, k] = x[i] * b[j, k] } }
    row_sums(a: &Csr<f64>) -> (y: SparseVec<f64>) { i: for j { y[i] += a[i, j] } }
    row_sums_in_hash(a: &Csr<f64>) -> (y: HashVec<f64>) { i: for j { y[i] += a[i, j] } }
    row_sums_in_runs(a: &Csr<f64>) -> (y: Runs<f64>) { i: { y[i] = t } where { for j { t += a[i, j] } } }
    largest(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        i: let mut t: f64; t = -9; for j { t <<max>>= a[i, j] } y[i] = t
    }
    update(a: &Csr<f64>, y: &mut DenseVec<f64>) { i: for j { y[i] += a[i, j] } }
    update_rows(a: &Csr<f64>, y: &mut DenseMat<f64>) { i: for j { y[i, j] *= a[i, j] + 1 } }
    within_others(a: &Csr<f64>, t: &mut u64) { i: for j, k { t += (a[i, j] != 0) && (a[j, k] != 0) && (a[i, k] != 0) } }
}

fn sizes() -> [(usize, usize); 8] {
    [(0, 0), (0, 7), (3, 0), (1, 1), (1, 60), (40, 40), (4000, 30), (900, 900)]
}

/// Calls both kernels on the same inputs.
macro_rules! same {
    ($name:ident($($input:expr),*) -> $($copies:ident: $start:expr),*) => {{
        $(let mut $copies = $start;)*
        let one = $name::parallel($($input,)* $(&mut $copies),*);
        let parallel = ($($copies,)*);
        $(let mut $copies = $start;)*
        let other = $name::sequential($($input,)* $(&mut $copies),*);
        assert_eq!(one, other);
        assert_eq!(parallel, ($($copies,)*));
    }};
    ($name:ident($($input:expr),*)) => {{
        let one = $name::parallel($($input),*);
        let other = $name::sequential($($input),*);
        assert_eq!(one, other);
    }};
}

#[test]
fn parts_of_dense_outputs() {
    for (m, n) in sizes() {
        let (a, x) = (matrix(m, n, 8, 0), vector(n));
        same!(spmv(&a, &x));
        same!(spmv_columns(&a, &vector(m)));
        same!(spmv_rows_there(&a.convert().unwrap(), &x));
        same!(dense(&a));
        same!(largest(&a));
        for (lo, hi) in [(0, m), (m / 3, m), (m / 2, m / 2), (m / 4, m / 2)] {
            same!(part_of_the_rows(&a, &x, lo, hi));
        }
        same!(update(&a) -> y: vector(m));
        same!(update_rows(&a) -> y: matrix(m, n, 3, 1));
    }
}

#[test]
fn outputs_made_in_parts() {
    for (m, n) in sizes() {
        let (a, b, x): (Csr<f64>, Csr<f64>, _) =
            (matrix(m, n, 8, 0), matrix(m, n, 5, 1), vector(n));
        same!(scaled(&a, &x));
        same!(rows_there(&a.convert().unwrap(), &x));
        same!(sum(&a, &b));
        for (lo, hi) in [(0, m), (m / 3, m), (m / 4, m / 2)] {
            same!(rows_in_between(&a, lo, hi, n));
        }
        same!(pattern(&a));
        same!(row_sums(&a));
        same!(row_sums_in_runs(&a));
        if m == n {
            same!(product(&a, &b));
        }
        let few = matrix::<Dense<SparseList<Element<f64>>>>(30, 30, 4, 2);
        let list: SparseVec<f64> = vector(m.min(300)).convert().unwrap();
        same!(outer(&list, &few));
    }
}

macro_rules! formats {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            for (m, n) in sizes() {
                let a = matrix(m, n, 8, 0);
                let (one, other) = (super::$name::parallel(&a), super::$name::sequential(&a));
                assert_eq!(one.triplets(), other.triplets(), "{m} x {n}");
                assert_eq!(one.shape(), other.shape());
            }
        }
    )*};
}

mod formats {
    use super::*;
    formats! { in_bytes in_bits hashed in_runs in_sparse_runs in_blocks packed in_band in_coo in_rows row_sums_in_hash }
}

#[test]
fn reductions_into_scalars_and_copies() {
    for (m, n) in sizes() {
        let a = matrix(m, n, 8, 0);
        same!(total(&a) -> s: 5.0);
        same!(less(&a) -> s: 5.0);
        same!(extremes(&a) -> least: 1.0, most: -1.0, count: 3, any: false);
        same!(histogram(&a));
        same!(both_ways(&a, &vector(n)) -> s: 0.5);
        if m == n {
            same!(within_others(&a) -> t: 0);
        }
    }
}

finch! {
    fn sum_of(x: &DenseVec<f64>, s: &mut f64) { parallel for i { s += x[i] } }
}

/// Floats are added in an order that no number of threads changes.
#[test]
fn sums_do_not_depend_on_threads() {
    let values: Vec<f64> =
        (0..300_000).map(|i| 1.0 / (1 + (i % 1013) * (i % 977)) as f64).collect();
    let x: DenseVec<f64> = Tensor::from_dense([values.len()], &values).unwrap();
    let sum = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut s = 0.0;
            sum_of(&x, &mut s);
            s.to_bits()
        })
    };
    let one = sum(1);
    assert!((2..6).all(|threads| sum(threads) == one));
}

finch! {
    fn nearest(a: &DenseMat<f64>, b: &DenseMat<f64>, d: &mut DenseMat<f64>) {
        for k { parallel for i { for j { d[i, j] <<min>>= a[i, k] + b[k, j] } } }
    }
}

/// Inside of a loop, once for each of its iterations.
#[test]
fn within_a_loop() {
    let (m, n) = (300, 20);
    let some = |m: usize, n: usize, by: usize| -> DenseMat<f64> {
        let values: Vec<f64> = (0..m * n).map(|e| ((e * by) % 1009) as f64).collect();
        Tensor::from_dense([m, n], &values).unwrap()
    };
    let (a, b, mut d) = (some(m, n, 7919), some(n, m, 6007), some(m, m, 5003));
    let mut want = d.to_dense();
    nearest(&a, &b, &mut d);
    let (a, b) = (a.to_dense(), b.to_dense());
    for (at, w) in want.iter_mut().enumerate() {
        let through = |k: usize| a[at / m * n + k] + b[k * m + at % m];
        *w = (0..n).map(through).fold(*w, f64::min);
    }
    assert_eq!(d.to_dense(), want);
}

finch! {
    fn after_another(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>, z: DenseVec<f64>[n]) {
        parallel for i, j { y[i] += a[i, j] }
        parallel for i in 0..n { z[i] = y[i] * 2 }
    }
}

#[test]
fn one_after_another() {
    let a = matrix(4000, 30, 8, 0);
    let (y, z) = after_another(&a, 4000);
    let twice: Vec<f64> = y.to_dense().iter().map(|v| v * 2.0).collect();
    assert_eq!(z.to_dense(), twice);
}

finch! {
    fn checked(a: &Csr<f64>, at: &DenseVec<usize>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> {
        parallel for i { for j { y[i] += a[i, j] * x[at[j]] } }
    }
}

/// The error is that of the first chunk that has one.
#[test]
fn errors_come_back() {
    let a = matrix(4000, 30, 8, 0);
    let mut at: Vec<usize> = (0..30).rev().collect();
    let place = |at: &[usize]| -> DenseVec<usize> { Tensor::from_dense([30], at).unwrap() };
    let y = checked(&a, &place(&at), &vector(30)).unwrap();
    assert_eq!(y.shape(), [4000]);
    at[29] = 30;
    let error = checked(&a, &place(&at), &vector(30)).unwrap_err().to_string();
    assert!(error.contains("30"), "{error}");
}

finch! {
    fn in_common(x: &DenseVec<u8>, z: &DenseVec<i64>, w: &DenseVec<u64>, b: &mut u8, c: &mut i64, h: &mut DenseVec<u64>) {
        parallel for i { b &= x[i]; c &= z[i]; h[i % 3] &= w[i] }
    }
    fn in_rows(x: &DenseMat<u8>) -> (y: DenseVec<u8, _>) { for i, j { y[i] &= x[i, j] } }
    fn in_columns(x: &DenseMat<i16>) -> (y: DenseVec<i16, _>) { parallel for j, i { y[i] &= x[j, i] } }
}

/// Chunks start with all bits set.
#[test]
fn bits_in_common() {
    looplets::rt::parallel::worth(4096);
    let n = 50_000;
    let x: Vec<u8> = (0..n).map(|i| 0b1011_0000 | i as u8).collect();
    let z: Vec<i64> = (0..n).map(|i| -(1 << (i % 40))).collect();
    let w: Vec<u64> =
        (0..n).map(|i| !(1 << (i % 37)) - (1 << 63) * u64::from(i % 3 == 1)).collect();
    let (mut b, mut c) = (0b1101_1111, -5);
    let mut h: DenseVec<u64> = Tensor::from_dense([3], &[u64::MAX, u64::MAX, 1 << 50]).unwrap();
    let vector = |w: &[u64]| -> DenseVec<u64> { Tensor::from_dense([n], w).unwrap() };
    let (dx, dz) = (Tensor::from_dense([n], &x).unwrap(), Tensor::from_dense([n], &z).unwrap());
    in_common(&dx, &dz, &vector(&w), &mut b, &mut c, &mut h);
    assert_eq!((b, c), (0b1001_0000, -(1 << 39)));
    let mut want = [u64::MAX, u64::MAX, 1 << 50];
    (0..n).for_each(|i| want[i % 3] &= w[i]);
    assert_eq!(h.to_dense(), want);
    assert_eq!(want[2], 1 << 50);

    let (m, n) = (3, 3000);
    let x: Vec<u8> = (0..m * n).map(|e| 0b1011_0000 | (e / n) as u8).collect();
    let y = in_rows(&Tensor::from_dense([m, n], &x).unwrap());
    assert_eq!(y.to_dense(), [0b1011_0000, 0b1011_0001, 0b1011_0010]);
    let none = in_rows(&Tensor::from_dense([2, 0], &[]).unwrap());
    assert_eq!(none.to_dense(), [255, 255]);
    let x: Vec<i16> = (0..m * n).map(|e| -1 - (1 << (e % m))).collect();
    let y = in_columns(&Tensor::from_dense([n, m], &x).unwrap());
    assert_eq!(y.to_dense(), [-2, -3, -5]);
}

finch! {
    fn into_one(x: &DenseVec<f64>) -> (y: Tensor<Element<f64>>) {
        let mut t: f64;
        parallel for i { t += x[i] }
        y[] = t
    }
}

/// What the error says to do where an output has no dimensions.
#[test]
fn no_dimensions() {
    let x = vector(50_000);
    assert_eq!(into_one(&x).to_dense(), [x.to_dense().iter().sum::<f64>()]);
}

operator! {
    /// The greatest common divisor.
    pub fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }
    commutative; associative; identity 0; annihilator 1;
}

finch! {
    use gcd;
    fn common(x: &DenseVec<u64>, g: &mut u64) { parallel for i { g <<gcd>>= x[i] } }
}

#[test]
fn declared_operators_reduce() {
    looplets::rt::parallel::worth(4096);
    let values: Vec<u64> = (0..50_000).map(|i| (i % 911 + 1) * 42).collect();
    let x: DenseVec<u64> = Tensor::from_dense([values.len()], &values).unwrap();
    let mut g = 84;
    common(&x, &mut g);
    assert_eq!(g, 42);
}

finch! {
    #![steps(n)]
    fn counted(a: &Csr<f64>, x: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        parallel for i { for j { y[i] += a[i, j] * x[j] } }
    }
}

#[test]
fn steps_of_chunks_are_added() {
    let a = matrix(4000, 30, 8, 0);
    let mut n = 0;
    counted(&a, &vector(30), &mut n);
    assert_eq!(n as usize, 4000 + a.stored());
}

fn faulty(x: f64) -> f64 {
    assert!(x < 4.0, "too much");
    x
}

finch! {
    fn interrupted(x: &DenseVec<f64>, y: &mut DenseVec<f64>) { parallel for i { y[i] = faulty(x[i]) } }
}

/// A panic in a chunk comes back, and what was written stays a tensor.
#[test]
fn panics_come_back() {
    let (x, mut y) = (vector(50_000), vector(50_000));
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| interrupted(&x, &mut y)));
    assert!(caught.is_err());
    assert_eq!(y.to_dense().len(), 50_000);
}

macro_rules! limits {
    ($($ty:ident: $least:ident $most:ident $all:ident;)*) => {$(
        finch! {
            fn $least(x: &DenseVec<$ty>, lo: &mut $ty) { parallel for i { lo <<min>>= x[i] } }
            fn $most(x: &DenseVec<$ty>, hi: &mut $ty) { parallel for i { hi <<max>>= x[i] } }
            fn $all(x: &DenseVec<$ty>, bits: &mut $ty) { parallel for i { bits &= x[i] } }
        }
    )*};
}
limits! {
    usize: least_usize most_usize all_usize;
    isize: least_isize most_isize all_isize;
    u128: least_u128 most_u128 all_u128;
    i128: least_i128 most_i128 all_i128;
}

/// Chunks start at the limits of types whose limits are no literals.
#[test]
fn limits_of_all_integers() {
    macro_rules! hold {
        ($($ty:ident: $least:ident $most:ident $all:ident;)*) => {$(
            let extremes = [$ty::MAX, $ty::MAX - 1, $ty::MIN, $ty::MIN + 1, 0, 1, !0];
            for size in [0, 1, 2, 65, 9000] {
                for (first, begins) in extremes.iter().flat_map(|a| extremes.map(|b| (*a, b))) {
                    // One value differs from the others, in the middle.
                    let all: Vec<$ty> = (0..size).map(|k| if k == size / 2 { first } else { $ty::MAX / 2 }).collect();
                    let x = Tensor::from_dense([all.len()], &all).unwrap();
                    let (mut lo, mut hi, mut bits) = (begins, begins, begins);
                    $least(&x, &mut lo);
                    $most(&x, &mut hi);
                    $all(&x, &mut bits);
                    let want = all.iter().fold((begins, begins, begins), |(lo, hi, bits), v| (lo.min(*v), hi.max(*v), bits & v));
                    assert_eq!((lo, hi, bits), want, "{} of {size}", stringify!($ty));
                }
            }
        )*};
    }
    hold! {
        usize: least_usize most_usize all_usize;
        isize: least_isize most_isize all_isize;
        u128: least_u128 most_u128 all_u128;
        i128: least_i128 most_i128 all_i128;
    }
}
