//! What may stand around a parallel loop, inside of it, and what it may make: compared with the same in order.

use crate::chunked;
use looplets::prelude::*;
use num_complex::Complex;

type C64 = Complex<f64>;
level! { type Dcsr<T> = Tensor<SparseList<SparseList<Element<T>>>>; }
level! { type Runs<T> = Tensor<RunList<Element<T>>>; }
level! { type RunRows<T> = Tensor<RunList<Dense<Element<T>>>>; }
level! { type BandRows<T> = Tensor<SparseBand<SparseList<Element<T>>>>; }
level! { type PointRows<T> = Tensor<SparsePoint<Dense<Element<T>>>>; }
level! { type PackedRows<T> = Tensor<PackBits<RunList<Element<T>>>>; }
level! { type BlockRows<T> = Tensor<SparseBlockList<SparseBlockList<Element<T>>>>; }
level! { type HashRows<T> = Tensor<Hash<Hash<Element<T>>>>; }
level! { type Coo2<T> = Tensor<Coo<Singleton<Element<T>>>>; }
level! { type Lower<T> = Tensor<Dense<LowerTriangular<Element<T>>>>; }
level! { type Upper<T> = Tensor<Dense<StrictUpperTriangular<Element<T>>>>; }
level! { type Rags<T> = Tensor<Dense<Ragged<Element<T>>>>; }
level! { type SparseRuns<T> = Tensor<SparseRunList<Element<T>>>; }
level! { type Bits<T> = Tensor<Bitmap<Element<T>>>; }
level! { type Pattern1 = Tensor<SparseList<Pattern>>; }

operator! {
    /// The greatest common divisor.
    pub fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }
    commutative; associative; identity 0; annihilator 1;
}

/// Each program with `parallel` where `$($p)?` stands, and without. `$d` is a dollar.
macro_rules! nests {
    (($d:tt $p:ident) $($([use $operator:ident])? $name:ident $params:tt $(-> $out:tt)? { $($body:tt)* })*) => {$(
        mod $name {
            macro_rules! program {
                ($d ($d $p:ident)?) => {
                    #[allow(unused_imports)]
                    use super::*;
                    finch! { $(use $operator;)? pub fn run $params $(-> $out)? { $($body)* } }
                };
            }
            pub mod parallel { use super::super::*; program! { parallel } }
            pub mod sequential { use super::super::*; program! {} }
        }
    )*};
}

nests! { ($ p)
    // Within other loops.
    each_of_dense(x: &DenseVec<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { y[i] += x[k] * a[k, i] } } }
    each_of_list(x: &SparseVec<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { y[i] += x[k] * a[k, i] } } }
    each_of_runs(x: &Runs<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { y[i] += x[k] + a[k, i] } } }
    same_for_runs(x: &Runs<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { y[i] += x[k] * b[i] } } }
    two_of_runs(x: &Runs<f64>, z: &SparseVec<f64>, s: &mut f64) { for k { $($p)? for i { s += x[k] * 2 + z[i] } } }
    largest_of_runs(x: &Runs<f64>, z: &Runs<f64>, s: &mut f64) { for k { $($p)? for i { s <<max>>= x[k] + z[i] } } }
    two_lists(x: &SparseVec<f64>, z: &SparseVec<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { y[i] += (x[k] + z[k]) * a[k, i] } } }
    where_stored(x: &SparseVec<f64>, a: &Dcsr<f64>) -> (y: DenseVec<f64>) { for k { if x[k] > 0 { $($p)? for i { y[i] += a[k, i] } } } }
    a_triangle(a: &DenseMat<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for k in 0..n { $($p)? for i in k..n { y[i] += a[k, i] } } }
    below(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { $($p)? for i { if i <= k { y[i] += a[k, i] } else { y[i] -= 1 } } } }
    a_ragged_extent(n: &DenseVec<usize>, s: &mut u64) { for k { $($p)? for i in 0..n[k] { s += i } } }
    // Parallel in parallel, and one behind another.
    inner(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { $($p)? for i { let mut t: f64; $($p)? for j { t += a[i, j] * x[j] } y[i] = t } }
    inner_sum(a: &Dcsr<f64>, s: &mut f64) { $($p)? for i { $($p)? for j { s += a[i, j] + 1 } } }
    inner_columns(a: &Dcsr<f64>) -> (y: DenseVec<f64>) { $($p)? for i { $($p)? for j { y[j] += a[i, j] + 1 } } }
    inner_rows(a: &Dcsr<f64>, b: &mut DenseMat<f64>) { $($p)? for i { $($p)? for j { b[i, j] += a[i, j] + 1 } } }
    inner_turned(a: &Dcsr<f64>) -> (b: DenseMat<f64>) { $($p)? for i { $($p)? for j { b[j, i] += a[i, j] + 1 } } }
    inner_parts(a: &Dcsr<f64>, x: &Runs<f64>, s: &mut f64, h: &mut DenseVec<f64>) {
        $($p)? for i { if x[i] > 1 { $($p)? for j { h[j] += a[i, j] * x[i] } } else { $($p)? for j { s += a[i, j] + x[i] } } }
    }
    sequence(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>, z: DenseVec<f64>[n]) {
        $($p)? for i, j { y[i] += a[i, j] }
        $($p)? for i in 0..n { z[i] = y[i] * 2 }
        $($p)? for i in 0..n { z[i] += y[i] + i }
    }
    halves(x: &Runs<f64>, k: usize, n: usize) -> (y: DenseVec<f64>[n]) {
        $($p)? for i in 0..k { y[i] = x[i] }
        $($p)? for i in k..n { y[i] = x[i] + 1 }
    }
    // Conditions around.
    if_any(x: &DenseVec<f64>, a: &Dcsr<f64>, k: usize) -> (y: DenseVec<f64>) { if k > 3 { $($p)? for i, j { y[i] += a[i, j] } } else { $($p)? for i, j { y[i] -= a[i, j] + 1 } } }
    made_if(a: &Dcsr<f64>, k: usize) -> (c: Dcsr<f64>) { if k > 3 { $($p)? for i, j { c[i, j] = a[i, j] * 2 } } }
    // Workspaces.
    produced(a: &Dcsr<f64>, s: &mut f64) { let mut w: DenseVec<f64>; { for j { s += w[j] * j } } where { $($p)? for i { for j { w[j] += a[i, j] + 1 } } } }
    consumed(a: &Dcsr<f64>) -> (y: DenseVec<f64>) { let mut w: DenseVec<f64>; { $($p)? for j { y[j] = w[j] * 2 } } where { for i { for j { w[j] += a[i, j] } } } }
    by_both(a: &Dcsr<f64>) -> (y: DenseVec<f64>) { let mut w: DenseVec<f64>; { $($p)? for j { y[j] = w[j] * 2 } } where { $($p)? for i { for j { w[j] += a[i, j] } } } }
    consumed_list(a: &Dcsr<f64>) -> (y: DenseVec<f64>) { let mut w: SparseVec<f64>; { $($p)? for i { y[i] = w[i] * 2 + 1 } } where { for i { for j { w[i] += a[i, j] } } } }
    inside(a: &RunRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i { let mut w: SparseVec<f64>; { for j { y[i] += w[j] * 2 + 1 } } where { for j { w[j] = a[i, j] } } } }
    row_by_row(a: &PackedRows<f64>) -> (c: Csr<f64>) { $($p)? for i { let mut w: Tensor<ByteMap<Element<f64>>>; { for j { c[i, j] = w[j] } } where { for j { w[j] += a[i, j] } } } }
    each_workspace(x: &SparseVec<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for k { let mut w: DenseVec<f64>; { for i { y[i] += w[i] } } where { $($p)? for i { w[i] += x[k] * a[k, i] + 1 } } } }
    // Rows of every kind.
    run_rows(a: &RunRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    band_rows(a: &BandRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    point_rows(a: &PointRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    packed_rows(a: &PackedRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    block_rows(a: &BlockRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    hash_rows(a: &HashRows<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    coo_rows(a: &Coo2<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    lower_rows(a: &Lower<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    upper_rows(a: &Upper<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    symmetric_rows(a: &SymMat<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    ragged_rows(a: &Rags<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    rows_beside(a: &Dcsr<f64>, b: &BlockRows<f64>, x: &Runs<f64>) -> (y: DenseVec<f64>) { $($p)? for i { if x[i] > 1 { for j { y[i] += a[i, j] + b[i, j] * 2 } } } }
    shared_rows(a: &Dcsr<f64>, b: &Coo2<f64>) -> (c: Dcsr<f64>) { $($p)? for i, j { c[i, j] = a[i, j] * b[i, j] } }
    galloping(a: &SparseVec<f64>, b: &SparseVec<f64>, x: &Runs<f64>, s: &mut f64) { $($p)? for i { s += a[i::gallop] * b[i::gallop] + x[i] } }
    led(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) { $($p)? for i { c[i] = a[i::lead] * b[i::follow] } }
    // What is made.
    a_list(x: &Runs<f64>) -> (y: SparseVec<f64>) { $($p)? for i { y[i] = x[i] } }
    runs_of_runs(x: &Runs<f64>, z: &SparseRuns<f64>) -> (y: Runs<f64>) { $($p)? for i { y[i] = x[i] + z[i] } }
    sparse_runs(x: &Runs<f64>, z: &SparseRuns<f64>) -> (y: SparseRuns<f64>) { $($p)? for i { y[i] = min(x[i], z[i]) } }
    bits(x: &Runs<f64>) -> (y: Bits<f64>) { $($p)? for i { if x[i] > 1 { y[i] = x[i] } } }
    a_pattern(x: &Runs<f64>) -> (y: Pattern1) { $($p)? for i { y[i] = x[i] > 1 } }
    largest(a: &Dcsr<f64>) -> (y: SparseVec<f64>) { $($p)? for i, j { y[i] <<max>>= a[i, j] } }
    sums_if(a: &Dcsr<f64>, x: &Runs<f64>) -> (y: SparseVec<f64>) { $($p)? for i { if x[i] > 1 { for j { y[i] += a[i, j] } } } }
    ones(x: &Runs<bool>) -> (y: DenseVec<f64, One>) { $($p)? for i { if x[i] { y[i] = 0.5 } } }
    products(a: &RunRows<f64>) -> (y: DenseVec<f64, One>) { $($p)? for i, j { y[i] *= a[i, j] } }
    least(a: &Dcsr<f64>) -> (y: DenseVec<f64, Inf>) { $($p)? for i, j { y[i] <<min>>= a[i, j] + 1 } }
    least_columns(a: &Dcsr<f64>) -> (y: DenseVec<f64, Inf>) { $($p)? for i, j { y[j] <<min>>= a[i, j] + 1 } }
    constant(n: usize) -> (y: DenseVec<f64>[n]) { $($p)? for i in 0..n { y[i] = 0.25 } }
    indices(n: usize) -> (y: DenseVec<f64>[n]) { $($p)? for i in 0..n { y[i] += 2 * i } }
    in_old_memory(x: &Runs<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { $($p)? for i { y[i] = x[i] * 2 } }
    added_to_old(a: &Dcsr<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { $($p)? for i, j { y[i] += a[i, j] + 1 } }
    list_in_old(x: &Runs<f64>, y: SparseVec<f64>) -> (y: SparseVec<f64>) { $($p)? for i { y[i] = x[i] } }
    // Scalars, operators, types.
    all(x: &Runs<bool>, z: &Runs<f64>, s: &mut bool, t: &mut bool) { $($p)? for i { s &&= x[i] || z[i] > 9; t ||= x[i] && z[i] > 9 } }
    stops(x: &Runs<f64>, any: &mut bool) { $($p)? for i { any ||= x[i] > 100 } }
    stops_and_sums(a: &Dcsr<f64>, any: &mut bool) { $($p)? for i { let mut t: f64; for j { t += a[i, j] } any ||= t > 100 } }
    [use gcd] divisor(x: &Runs<u64>, g: &mut u64) { $($p)? for i { g <<gcd>>= x[i] } }
    many(x: &Runs<f64>, n: usize, s: &mut f64, p: &mut f64, m: &mut u8) { $($p)? for i in 0..n { s += 0.5; p *= 1; m += 1 } }
    small(x: &Runs<u8>, s: &mut u8, m: &mut u8) { $($p)? for i { s += x[i]; m <<max>>= x[i] } }
    singles(x: &Runs<f32>, z: &DenseVec<f32>, s: &mut f32) -> (y: DenseVec<f32>) { $($p)? for i { s += x[i] * z[i]; y[i] = x[i] + 0.5 } }
    complex(x: &Runs<C64>, z: &DenseVec<C64>, c: C64, s: &mut C64) -> (y: DenseVec<C64>) { $($p)? for i { s += x[i] * z[i] + c; for j in 0..3 { y[i] += x[i] * c } } }
    complex_const(x: &Runs<C64>, s: &mut C64) { $($p)? for i { s += x[i] + 1 } }
}

finch! {
    fn refused(n: &DenseVec<usize>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> { for i { for j in 0..n[i] { y[i] += x[j] } } }
    fn refused_in_parallel(n: &DenseVec<usize>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> { parallel for i { for j in 0..n[i] { y[i] += x[j] } } }
    fn refused_at(x: &Runs<usize>, d: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> { for i { y[i] = d[x[i]] + 1 } }
    fn refused_at_in_parallel(x: &Runs<usize>, d: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> { parallel for i { y[i] = d[x[i]] + 1 } }
}

/// Calls both kernels on the same inputs and compares what they give and what they change.
macro_rules! same {
    ($name:ident($($input:expr),*) $(, $var:ident: $start:expr)*) => {{
        $(let mut $var = $start;)*
        let one = $name::sequential::run($($input,)* $(&mut $var),*);
        let changed = ($($var,)*);
        $(let mut $var = $start;)*
        let other = $name::parallel::run($($input,)* $(&mut $var),*);
        assert_eq!(other, one, stringify!($name));
        assert_eq!(($($var,)*), changed, stringify!($name));
    }};
}

/// Runs of fill, of one value and of different ones.
fn values(n: usize, seed: usize) -> Vec<f64> {
    let value = |i: usize| match (i / 3) % 4 {
        0 => 0.0,
        1 => 1.5,
        2 => 0.25 * (i * 7 % 19) as f64 - 2.0,
        _ => 4.0,
    };
    (0..n).map(|i| value(i + seed)).collect()
}

fn vector<L: Level<Value = f64>>(n: usize, seed: usize) -> Tensor<L> {
    Tensor::from_dense([n], &values(n, seed)).unwrap()
}

/// A matrix with stretches of empty rows, of which `stored` says where there may be anything at all.
fn matrix<L: Level<Value = f64>>(
    m: usize,
    n: usize,
    seed: usize,
    stored: impl Fn(usize, usize) -> bool,
) -> Tensor<L> {
    let value = |e: usize| {
        let (i, j) = (e / n, e % n);
        let empty = (i + seed) % 7 < 3 || !stored(i, j);
        if empty {
            0.0
        } else {
            values(1, i * 5 + j + seed)[0]
        }
    };
    Tensor::from_dense([m, n], &(0..m * n).map(value).collect::<Vec<_>>()).unwrap()
}

fn sizes(test: impl Fn(usize, usize) + Sync) {
    chunked(|| {
        for (m, n) in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (65, 5), (5, 65), (24, 24)] {
            test(m, n);
        }
    });
}

fn everywhere(_: usize, _: usize) -> bool {
    true
}

#[test]
fn loops_around() {
    sizes(|m, n| {
        let a = matrix(m, n, 0, everywhere);
        same!(each_of_dense(&vector(m, 0), &a));
        same!(each_of_list(&vector(m, 0), &a));
        same!(each_of_runs(&vector(m, 0), &a));
        same!(same_for_runs(&vector(m, 0), &vector(n, 2)));
        same!(two_of_runs(&vector(m, 0), &vector(n, 2)), s: 0.5);
        same!(largest_of_runs(&vector(m, 0), &vector(n, 2)), s: -0.5);
        same!(two_lists(&vector(m, 0), &vector(m, 4), &a));
        same!(where_stored(&vector(m, 0), &a.convert().unwrap()));
        same!(a_triangle(&a, m.min(n)));
        same!(below(&a));
        let n: DenseVec<usize> =
            Tensor::from_dense([m], &(0..m).map(|i| i * 7 % 30).collect::<Vec<_>>()).unwrap();
        same!(a_ragged_extent(&n), s: 3);
    });
}

#[test]
fn loops_inside_and_behind() {
    sizes(|m, n| {
        let (a, sparse) = (matrix(m, n, 0, everywhere), matrix(m, n, 0, everywhere));
        same!(inner(&a, &vector(n, 1)));
        same!(inner_sum(&sparse), s: 0.25);
        same!(inner_columns(&sparse));
        same!(inner_rows(&sparse), b: matrix(m, n, 3, everywhere));
        same!(inner_turned(&sparse));
        same!(inner_parts(&sparse, &vector(m, 0)), s: 0.25, h: vector(n, 1));
        same!(sequence(&a, m));
        same!(halves(&vector(m, 0), m / 3, m));
        same!(if_any(&vector(m, 0), &sparse, m));
        same!(made_if(&sparse, m));
    });
}

#[test]
fn workspaces() {
    sizes(|m, n| {
        let a = matrix(m, n, 0, everywhere);
        same!(produced(&a), s: 0.5);
        same!(consumed(&a));
        same!(by_both(&a));
        same!(consumed_list(&a));
        same!(inside(&matrix(m, n, 0, everywhere)));
        same!(row_by_row(&matrix(m, n, 0, everywhere)));
        same!(each_workspace(&vector(m, 0), &matrix(m, n, 0, everywhere)));
    });
}

#[test]
fn rows_of_every_kind() {
    sizes(|m, n| {
        same!(run_rows(&matrix(m, n, 0, everywhere)));
        same!(band_rows(&matrix(m, n, 0, |i, _| 3 * i > m && 3 * i < 2 * m)));
        same!(point_rows(&matrix(m, n, 4, |i, _| 2 * i == m)));
        same!(packed_rows(&matrix(m, n, 0, everywhere)));
        same!(block_rows(&matrix(m, n, 0, everywhere)));
        same!(hash_rows(&matrix(m, n, 0, everywhere)));
        same!(coo_rows(&matrix(m, n, 0, everywhere)));
        same!(ragged_rows(&matrix(m, n, 0, everywhere)));
        if m == n {
            same!(lower_rows(&matrix(m, n, 0, |i, j| j <= i)));
            same!(upper_rows(&matrix(m, n, 0, |i, j| j > i)));
            let half: DenseMat<f64> = matrix(m, n, 0, |i, j| j <= i);
            let (half, mut whole) = (half.to_dense(), vec![0.0; m * n]);
            (0..m * n).for_each(|e| whole[e] = half[(e / n).max(e % n) * n + (e / n).min(e % n)]);
            same!(symmetric_rows(&Tensor::from_dense([m, n], &whole).unwrap()));
        }
        let (a, b) = (matrix(m, n, 0, everywhere), matrix(m, n, 2, everywhere));
        same!(rows_beside(&a, &matrix(m, n, 1, everywhere), &vector(m, 0)));
        same!(shared_rows(&a, &b));
        same!(galloping(&vector(m, 0), &vector(m, 5), &vector(m, 2)), s: 0.5);
        same!(led(&vector(m, 0), &vector(m, 5)));
    });
}

#[test]
fn what_is_made() {
    sizes(|m, n| {
        let x: Runs<f64> = vector(m, 0);
        let flags: Runs<bool> =
            Tensor::from_dense([m], &(0..m).map(|i| i % 7 < 3).collect::<Vec<_>>()).unwrap();
        same!(a_list(&x));
        same!(runs_of_runs(&x, &vector(m, 5)));
        same!(sparse_runs(&x, &vector(m, 5)));
        same!(bits(&x));
        same!(a_pattern(&x));
        same!(largest(&matrix(m, n, 0, everywhere)));
        same!(sums_if(&matrix(m, n, 0, everywhere), &x));
        same!(ones(&flags));
        same!(products(&matrix(m, n.min(5), 0, everywhere)));
        same!(least(&matrix(m, n, 0, everywhere)));
        same!(least_columns(&matrix(m, n, 0, everywhere)));
        same!(constant(m));
        same!(indices(m));
        same!(in_old_memory(&x, vector(n, 3)));
        same!(added_to_old(&matrix(m, n, 0, everywhere), vector(n, 3)));
        same!(list_in_old(&x, vector(n, 3)));
    });
}

#[test]
fn scalars_and_types() {
    sizes(|m, _| {
        let x: Runs<f64> = vector(m, 0);
        let flags: Runs<bool> =
            Tensor::from_dense([m], &(0..m).map(|i| i % 7 < 6).collect::<Vec<_>>()).unwrap();
        same!(all(&flags, &x), s: true, t: false);
        same!(stops(&x), any: false);
        same!(stops_and_sums(&matrix(m, 3, 0, everywhere)), any: false);
        let each = |by: usize| (0..m).map(|i| (i / 4 * by % 251) as u64).collect::<Vec<_>>();
        let n: Runs<u64> = Tensor::from_dense([m], &each(42)).unwrap();
        same!(divisor(&n), g: 84);
        same!(many(&x, m), s: 0.25, p: 2.0, count: 3);
        let bytes: Runs<u8> =
            Tensor::from_dense([m], &each(1).iter().map(|v| *v as u8 % 4).collect::<Vec<_>>())
                .unwrap();
        same!(small(&bytes), s: 1, most: 2);
        let single: Vec<f32> = values(m, 0).iter().map(|v| *v as f32).collect();
        let at: Vec<usize> = (0..m).map(|i| i / 5).collect();
        let (steps, most) = (Tensor::from_dense([m], &at).unwrap(), at.last().map_or(0, |n| n + 1));
        let lens: DenseVec<usize> = Tensor::from_dense([m], &at).unwrap();
        for most in [most, most.saturating_sub(1)] {
            let said = |r: Result<DenseVec<f64>, Error>| r.map_err(|e| e.to_string());
            let x = vector(most, 3);
            assert_eq!(said(refused_in_parallel(&lens, &x)), said(refused(&lens, &x)));
            assert_eq!(said(refused_at_in_parallel(&steps, &x)), said(refused_at(&steps, &x)));
        }
        same!(singles(&Tensor::from_dense([m], &single).unwrap(), &Tensor::from_dense([m], &single).unwrap()), s: 0.5);
        let plane: Vec<C64> = values(m, 0).iter().map(|v| Complex::new(*v, 0.5 - v)).collect();
        let runs: Runs<C64> = Tensor::from_dense([m], &plane).unwrap();
        let (z, c) = (Tensor::from_dense([m], &plane).unwrap(), Complex::new(0.5, -2.0));
        same!(complex(&runs, &z, c), s: c);
        same!(complex_const(&runs), s: c);
    });
}
