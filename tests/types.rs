//! Scalar types and fills: mixed types, small floats and integers, complex numbers, booleans that
//! count, fills other than zero with the operators they belong to.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use num_complex::Complex;
use oracle::*;

kernels! {
    fn weights(w: &SparseVec<u8>, x: &DenseVec<f64>, c: &mut f64) { for i { c += w[i] * x[i] } };;
    fn count(p: &Tensor<SparseList<Pattern>>, x: &DenseVec<f64>, c: &mut f64) { for i { c += p[i] * x[i] } };;
    fn common(p: &Tensor<SparseList<Pattern>>, q: &Tensor<SparseList<Pattern>>, n: &mut u64) { for i { n += p[i] && q[i] } };;
    fn positive(x: &DenseVec<f64>, n: &mut usize) { for i { n += x[i] > 0 } };;
    fn halves(a: &SparseVec<f32>) -> (y: DenseVec<f32>) { for i { y[i] = 0.5 * a[i] + 1 } };;
    fn wide(a: &SparseVec<f32>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] * b[i] } };;
    fn integers(a: &SparseVec<i32>, b: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = a[i] + 2 * b[i] } };;
    fn small(a: &SparseVec<u8>, b: &SparseVec<i32>, c: &mut i64) { for i { c += a[i] * b[i] } };;
    fn index_values(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] * i + i } };;
    fn long(a: &Tensor<SparseList<Element<f64>, u64>>, b: &Tensor<SparseList<Element<f64>, u8>>, c: &mut f64) {
        for i { c += a[i] * b[i] }
    };;
    fn choose(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = ifelse(a[i] > b[i], a[i], 2) + min(a[i], b[i], 1) * max(a[i], -1) }
    };;
    fn functions(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(abs(a[i]) * abs(a[i])) + abs(-1) } };;
    fn remainders(a: &SparseVec<i64>, c: &mut i64) { for i { c += (a[i] + 9) % 4 / 2 - (i & 1) } }
}

#[test]
fn mixed() {
    pairs(|n, ka, kb| {
        let mut c = 0.0;
        let (w, x) = (vector(ka, n), vector(kb, n));
        agree!(weights(&w, &x, &mut c));
        let (p, q) = (vector(ka, n), vector(kb, n));
        agree!(count(&p, &x, &mut c));
        let (mut m, mut k) = (0, 0);
        agree!(common(&p, &q, &mut m));
        agree!(positive(&x, &mut k));
        let f = vector(ka, n);
        agree!(halves(&f));
        agree!(wide(&f, &x));
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(integers(&a, &b));
        let (a, b) = (vector(ka, n), vector(kb, n));
        let mut s = 0;
        agree!(small(&a, &b, &mut s));
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(long(&a, &b, &mut c));
        let (a, b) = (vector(ka, n), vector(kb, n));
        agree!(index_values(&a));
        agree!(choose(&a, &b));
        agree!(functions(&a));
        let a = vector(ka, n);
        agree!(remainders(&a, &mut s));
    });
}

level! {
    /// Entries that are infinite unless stored.
    pub type Far = Tensor<SparseList<Element<f64, Inf>>>;
}
level! {
    /// A matrix of such.
    pub type FarMat = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}
level! {
    /// Entries that are minus infinity unless stored.
    pub type Deep = Tensor<SparseList<Element<f64, NegInf>>>;
}
level! {
    /// Bytes that are 255 unless stored.
    pub type White = Tensor<SparseList<Element<u8, Const<255>>>>;
}
level! {
    /// Factors that are one unless stored.
    pub type Factors = Tensor<SparseList<Element<f64, One>>>;
}

kernels! {
    fn relax(a: &FarMat, d: &DenseVec<f64, Inf>) -> (y: DenseVec<f64, Inf>) {
        for i, j { y[i] <<min>>= a[i, j] + d[j] }
    };;
    fn nearest(a: &Far, b: &Far, c: &mut f64) { for i { c <<min>>= a[i] + b[i] } };;
    fn deepest(a: &Deep, b: &Deep, c: &mut f64) { for i { c <<max>>= max(a[i], b[i]) } };;
    fn darkest(a: &White, b: &White) -> (y: DenseVec<u8, Const<255>>) { for i { y[i] = min(a[i], b[i]) } };;
    fn darker(a: &White, c: &mut u64) { for i { c += a[i] < 200 } };;
    fn product(a: &Factors, b: &Factors, c: &mut f64) { for i { c *= a[i] * b[i] } };;
    fn powers(a: &Factors, c: &mut f64) { for i { c += a[i] } };;
    fn keep_fill(a: &Factors) -> (y: Factors) { for i { y[i] = a[i] * a[i] } };;
    fn keep_far(a: &Far, b: &Far) -> (y: Far) { for i { y[i] = min(a[i], b[i]) } };;
    fn meet_far(a: &Far, b: &Far) -> (y: Far) { for i { y[i] = max(a[i], b[i]) } };;
    fn shortest(a: &FarMat, b: &FarMat) -> (y: DenseMat<f64, Inf>) {
        for i, k, j { y[i, j] <<min>>= a[i, k] + b[k, j] }
    }
}

#[test]
fn fills() {
    pairs(|n, ka, kb| {
        let (a, b) = (vector(ka, n), vector(kb, n));
        let mut c = f64::INFINITY;
        agree!(nearest(&a, &b, &mut c));
        agree!(keep_far(&a, &b));
        agree!(meet_far(&a, &b));
        let (a, b) = (vector(ka, n), vector(kb, n));
        let mut c = f64::NEG_INFINITY;
        agree!(deepest(&a, &b, &mut c));
        let (a, b) = (vector(ka, n), vector(kb, n));
        let mut d = 0;
        agree!(darkest(&a, &b));
        agree!(darker(&a, &mut d));
        let (a, b) = (vector(ka, n), vector(kb, n));
        let mut c = 1.0;
        agree!(product(&a, &b, &mut c));
        agree!(powers(&a, &mut c));
        agree!(keep_fill(&a));
    });
    matrices(|shape, ka, kb| {
        let a: FarMat = matrix(ka, shape);
        let d = vector(kb, shape[1]);
        agree!(relax(&a, &d));
        let b: FarMat = matrix(kb, [shape[1], shape[0]]);
        agree!(shortest(&a, &b));
    });
}

type C = Complex<f64>;

finch! {
    fn complex(a: &Csr<C>, x: &DenseVec<Complex<f64>>) -> (y: DenseVec<C>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    fn complex_scaled(a: &SparseVec<Complex<f64>>, c: &mut Complex<f64>) { for i { c += 2 * a[i] } }
}

#[test]
fn complex_numbers() {
    let i = C::new(0.0, 1.0);
    let a = Csr::<C>::from_triplets(
        [2, 3],
        [([0, 1], i), ([1, 0], i + 1.0), ([1, 2], C::new(2.0, 0.0))],
        Refuse,
    )
    .unwrap();
    let x = DenseVec::<C>::from_dense([3], &[i, C::new(3.0, 0.0), i - 2.0]).unwrap();
    assert_eq!(complex(&a, &x).to_dense(), [3.0 * i, (i + 1.0) * i + 2.0 * (i - 2.0)]);
    let s = SparseVec::<C>::from_triplets([9], [([3], i), ([8], i + 1.0)], Refuse).unwrap();
    let mut c = C::new(1.0, 0.0);
    complex_scaled(&s, &mut c);
    assert_eq!(c, C::new(3.0, 4.0));
}

level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}

kernels! {
    fn run_bytes(a: &Runs<u8>, c: &mut i64, d: &mut f64) { for i { c -= a[i]; d += a[i] } };;
    fn run_floats(a: &Runs<f32>, c: &mut f64) { for i { c += a[i] } };;
    fn run_flags(a: &Runs<bool>, n: &mut u64) { for i { n += a[i] } };;
    fn many_times(x: u8, n: usize, c: &mut u64) { for i in 0..n { c += x } };;
    fn run_xor(a: &Runs<u8>, c: &mut u8, m: &mut u8) { for i { c ^= a[i]; m <<max>>= a[i] } };;
    fn run_product(a: &Runs<f64>, c: &mut f64, d: &mut f64) { for i { c *= a[i]; d /= a[i] + 8 } }
}

#[test]
fn runs_of_small_numbers() {
    // More elements than the small type can count.
    let n = 300;
    let bytes: Vec<u8> = (0..n).map(|i| 6 - (i / 100) as u8).collect();
    let (mut c, mut d) = (1000, 0.0);
    let a: Runs<u8> = Tensor::from_dense([n], &bytes).unwrap();
    agree!(run_bytes(&a, &mut c, &mut d));
    let (mut x, mut m) = (9, 1);
    agree!(run_xor(&a, &mut x, &mut m));
    let flags: Vec<bool> = (0..n).map(|i| i > 20).collect();
    let mut k = 0;
    let a: Runs<bool> = Tensor::from_dense([n], &flags).unwrap();
    agree!(run_flags(&a, &mut k));
    agree!(many_times(200, n, &mut k));
    vectors(|n, kind| {
        let (a, b) = (vector(kind, n), vector(kind, n));
        let (mut c, mut p, mut q) = (0.0, 1.0, 1024.0);
        agree!(run_floats(&a, &mut c));
        agree!(run_product(&b, &mut p, &mut q));
    });
}

kernels! {
    fn half(a: &SparseVec<f64>, b: &SparseVec<i64>) -> (y: DenseVec<f64>) { for i { y[i] = (a[i] + b[i]) / 2 } };;
    fn wider(a: &SparseVec<i64>, b: &SparseVec<u8>, c: &DenseVec<u8>) -> (y: DenseVec<i64>) { for i { y[i] = (a[i] + b[i]) * c[i] } };;
    fn fraction(a: &SparseVec<f64>, n: &mut u64) { for i { n += (a[i] + 1) / 2 > 0.3 } };;
    fn whole(a: &SparseVec<i64>, c: &mut f64) { for i { c += (a[i] + 3) / 2 } };;
    fn least(a: &SparseVec<f64>, b: &SparseVec<u8>) -> (y: DenseVec<f64>) { for i { y[i] = min(a[i], b[i]) / 2 - ifelse(a[i] > b[i], b[i], a[i]) } }
}

#[test]
fn types_outlive_the_operands_that_gave_them() {
    vectors(|n, kind| {
        let (a, w) = (vector(kind, n), vector(kind, n));
        let (b, s, d) = (vector(kind, n), vector(kind, n), vector(2, n));
        agree!(half(&a, &b));
        let (mut k, mut c) = (0, 0.0);
        agree!(fraction(&a, &mut k));
        agree!(whole(&b, &mut c));
        agree!(wider(&w, &s, &d));
        agree!(least(&a, &s));
    });
    let a: SparseVec<i64> = Tensor::new([3]).unwrap();
    let b: SparseVec<u8> = Tensor::from_dense([3], &[200, 0, 7]).unwrap();
    let c: DenseVec<u8> = Tensor::from_dense([3], &[200, 9, 100]).unwrap();
    assert_eq!(wider(&a, &b, &c).to_dense(), [40_000, 0, 700]);
}

kernels! {
    fn or_minus_one(p: &Tensor<SparseList<Pattern>>) -> (y: DenseVec<i64>) { for i { y[i] = max((1 + p[i]) * ifelse(i + 1 == p[i], p[i], -1), -6) } };;
    fn bool_or_three(p: &SparseVec<bool>, n: usize) -> (y: DenseVec<i64>) { for i { y[i] = 1 + ifelse(i < n, p[i] + 0, max(1, 3)) } };;
    fn below_two(p: &SparseVec<bool>) -> (y: DenseVec<i64>) { for i { y[i] = (p[i] != 2) + (p[i] == 1) } };;
    fn bool_or_half(p: &SparseVec<bool>, x: &mut f64) { for i { x += min(p[i], 0.5) } };;
    fn index_or_half(p: &SparseVec<bool>, x: &mut f64) { for i { x += ifelse(p[i], 2.0 + i, ifelse(i < 2, 1 * 0.5, -1)) / 2 } };;
    fn times_halves(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] + (0.5 + 2.0) * -i } };;
    fn half_of_bools(p: &SparseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] = (p[i] + 1) / 2 } };;
    fn literals_left(a: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<bool>) { for i { y[i] = a[i] * b[i] != ifelse(b[i] <= 1, 0.5 + 0.5, 0.5 * 1) } }
}

#[test]
fn a_bool_beside_a_number_is_one() {
    vectors(|n, kind| {
        let (set, p, a, b) = (vector(kind, n), vector(kind, n), vector(kind, n), vector(8, n));
        agree!(or_minus_one(&set));
        agree!(bool_or_three(&p, 1));
        agree!(below_two(&p));
        let (mut x, mut y) = (0.0, 0.0);
        agree!(bool_or_half(&p, &mut x));
        agree!(index_or_half(&p, &mut y));
        agree!(times_halves(&a));
        agree!(half_of_bools(&p));
        agree!(literals_left(&a, &b));
    });
    let p: SparseVec<bool> = Tensor::from_dense([4], &[true, false, true, false]).unwrap();
    assert_eq!(bool_or_three(&p, 2).to_dense(), [2, 1, 4, 4]);
    let mut x = 0.0;
    index_or_half(&p, &mut x);
    assert_eq!(x, 1.0 + 0.25 + 2.0 - 0.5);
}

kernels! {
    fn fraction_or_index(a: &SparseVec<f64>, p: &SparseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] = coalesce(ifelse(p[i], missing, a[i]), i) / 2 } }
}

#[test]
fn choices_are_of_the_type_they_meet_in() {
    vectors(|n, kind| {
        let (a, p) = (vector(8, n), vector(kind, n));
        agree!(fraction_or_index(&a, &p));
    });
    let a: SparseVec<f64> = Tensor::from_dense([2], &[3.0, 3.0]).unwrap();
    let p: SparseVec<bool> = Tensor::from_dense([2], &[false, true]).unwrap();
    assert_eq!(fraction_or_index(&a, &p).to_dense(), [1.5, 0.5]);
}

kernels! {
    fn rounded_bools(a: &SparseVec<f64>, p: &SparseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] <<max>>= ifelse(ceil(a[i] - p[i]) == 1, i, 1) } };;
    fn rounded_literals(a: &SparseVec<f64>, p: &SparseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] <<max>>= ifelse(ceil(a[i] - coalesce(p[permit[i - 1]], true)) == 1, i, 1) } }
}

/// A method of floats makes a float of a bool or an index, where nothing else is left of its argument.
#[test]
fn methods_of_floats_give_floats() {
    vectors(|n, kind| {
        let (a, p) = (vector(8, n), vector(kind, n));
        agree!(rounded_bools(&a, &p));
        agree!(rounded_literals(&a, &p));
    });
    let a: SparseVec<f64> = Tensor::from_dense([4], &[3.0, 2.0, 0.0, 1.0]).unwrap();
    let p: SparseVec<bool> = Tensor::from_dense([4], &[false, true, true, false]).unwrap();
    assert_eq!(rounded_bools(&a, &p).to_dense(), [1.0, 1.0, 1.0, 3.0]);
}

level! { type Never = Tensor<RunList<Element<f64, Inf>>>; }
fill! { fill Half: f64 = 2.5; }
level! { type Halves = Tensor<SparseList<Element<f64, Half>>>; }

finch! {
    #![strict]
    fn beyond(a: &Never, b: &Halves, n: &mut i64) {
        for k { if a[k] > k { n += 1 } else { if k == a[k] { n += 100 } } }
        for k { if b[k] > k { n += 10 } }
    }
    fn least_index(a: &Never) -> (y: Never) { for k { y[k] = min(a[k], k) } }
    fn appended(a: &Never) -> (y: Tensor<SparseList<Element<f32, Inf>>>) { for k { if a[k] > 5 { y[k] <<min>>= k } } }
    fn either(a: &Halves) -> (y: Tensor<Dense<Element<f64>>>) { for k { y[k] = ifelse(a[k] > k, a[k], k) } }
}

/// A fill that is no whole number is compared with a coordinate as what the coordinate is converted to.
#[test]
fn coordinates_are_compared_with_fills() {
    let a = Tensor::from_dense([4], &[f64::INFINITY, -1.0, 2.0, f64::INFINITY]).unwrap();
    let b = Tensor::from_dense([5], &[2.5, 2.5, 1.5, 2.5, 9.0]).unwrap();
    let mut n = 0;
    beyond(&a, &b, &mut n);
    assert_eq!(n, 132);
    assert_eq!(least_index(&a).to_dense(), [0.0, -1.0, 2.0, 3.0]);
    assert_eq!(appended(&a).to_dense(), [0.0, f32::INFINITY, f32::INFINITY, 3.0]);
    assert_eq!(either(&b).to_dense(), [2.5, 2.5, 2.0, 3.0, 9.0]);
}
