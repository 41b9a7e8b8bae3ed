//! What a person writes first takes what its operands store, as the expert's form does.

use looplets::prelude::*;
use looplets::semiring::MaxU32;

finch! {
    #![steps(n)]
    fn greatest(a: &Csr<f64>, n: &mut u64) -> (m: f64 = f64::NEG_INFINITY) {
        for i, j { m = max(m, a[i, j]) }
    }
    fn total(x: &SparseVec<f64>, n: &mut u64) -> (s: f64) { for i { s = s + x[i] } }
    fn taken(x: &SparseVec<i32>, n: &mut u64) -> (s: i32) { for i { s = s - x[i] } }
    fn widened(x: &SparseVec<u8>, n: &mut u64) -> (s: u32) { for i { s = s + x[i] } }
    fn product(x: &SparseVec<f64, u32, One>, n: &mut u64) -> (p: f64 = 1.0) { for i { p = x[i] * p } }
    fn any(x: &SparseVec<bool>, n: &mut u64) -> (a: bool) { for i { a = a || x[i] } }
    fn rows(a: &Csr<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        for i { let mut t: f64; for j { t = t + a[i, j] } y[i] = t }
    }
    fn reached(f: &SparseVec<u32, u32, MaxU32>, n: &mut u64) -> (s: u64) {
        for i { if f[i] != u32::MAX { s += 1 } }
    }
    fn not_zero(x: &SparseVec<f32>, n: &mut u64) -> (s: u64) { for i { if x[i] != 0f32 { s += 1 } } }
    fn at_least(x: &SparseVec<u8>, n: &mut u64) -> (s: u64) { for i { if 3u8 <= x[i] { s += 1 } } }
    fn least(x: &SparseVec<i16>, n: &mut u64) -> (s: u64) { for i { if x[i] == i16::MIN { s += 1 } } }
    fn most(x: &SparseVec<f64, u32, NegInf>, n: &mut u64) -> (m: f64 = f64::NEG_INFINITY, at: usize) {
        for i { if x[i] > m { m = x[i]; at = i } }
    }
    fn labels(label: &DenseVec<u32>, c: usize, n: &mut u64) -> (y: DenseMat<f64>) {
        for i { for j in 0..c { if j == label[i] { y[i, j] = 0.5 } } }
    }
    fn signed(label: &DenseVec<i64>, c: usize, n: &mut u64) -> (y: Csr<f64>) {
        for i { for j in 0..c { if label[i] == j { y[i, j] = 0.5 } } }
    }
    fn wide(label: &DenseVec<u64>, c: usize, n: &mut u64) -> (y: Csr<f64>) {
        for i { for j in 0..c { if j == label[i] { y[i, j] = 0.5 } } }
    }
    fn below(end: &DenseVec<usize>, a: &DenseMat<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        for i, j { if j < end[i] { y[i] += a[i, j] } }
    }
    fn twice(x: &SparseVec<u8>, n: &mut u64) -> (y: SparseVec<u8>) { for i { y[i] = x[i] * 2u8 } }
}

finch! {
    fn changed(label: &mut DenseVec<usize>, c: usize) -> (y: DenseMat<u8>) {
        for i { for j in 0..c { if j == label[i] { y[i, j] = 1 } } label[i] = 0 }
    }
}

finch! {
    fn least_at_once(x: &SparseVec<f64, u32, Inf>) -> (m: f64 = f64::INFINITY, n: u64) {
        parallel for i { m = min(x[i], m); if x[i] < 0 { n = n + 1 } }
    }
}

fn sparse<T: Value, F: Fill<T>>(entries: Vec<([usize; 1], T)>) -> SparseVec<T, u32, F> {
    Tensor::from_triplets([1000], entries, Refuse).expect("in order")
}

/// What a kernel gives, which takes fewer than ten steps.
fn few<R>(kernel: impl FnOnce(&mut u64) -> R) -> R {
    let mut steps = 0;
    let result = kernel(&mut steps);
    assert!(steps < 10, "{steps} steps");
    result
}

#[test]
fn assignments_that_reduce() {
    let a: Csr<f64> =
        Tensor::from_triplets([2, 1000], [([0, 7], -0.5), ([1, 900], f64::MIN_POSITIVE)], Refuse)
            .expect("in order");
    assert_eq!(few(|n| greatest(&a, n)), f64::MIN_POSITIVE);
    assert_eq!(few(|n| rows(&a, n)).to_dense(), [-0.5, f64::MIN_POSITIVE]);
    let x = sparse::<f64, Zero>(vec![([1], 0.1), ([2], f64::INFINITY), ([3], -1e-310)]);
    assert_eq!(few(|n| total(&x, n)), f64::INFINITY);
    let x = sparse::<f64, Zero>(vec![([1], f64::NAN), ([3], -1e-310)]);
    assert!(few(|n| total(&x, n)).is_nan());
    let x = sparse::<i32, Zero>(vec![([1], i32::MAX), ([999], -1)]);
    assert_eq!(few(|n| taken(&x, n)), i32::MIN + 2);
    let x = sparse::<u8, Zero>(vec![([1], 255), ([2], 255)]);
    assert_eq!(few(|n| widened(&x, n)), 510);
    let x = sparse::<f64, One>(vec![([1], -0.5), ([2], 3.0)]);
    assert_eq!(few(|n| product(&x, n)), -1.5);
    let x = sparse::<bool, Zero>(vec![([500], true)]);
    assert!(few(|n| any(&x, n)));
}

#[test]
fn literals_with_their_types() {
    let f = sparse::<u32, MaxU32>(vec![([1], 3), ([2], u32::MAX), ([999], 0)]);
    assert_eq!(few(|n| reached(&f, n)), 2);
    let x = sparse::<f32, Zero>(vec![([1], -0.0), ([2], f32::NAN), ([3], 1e-45)]);
    assert_eq!(few(|n| not_zero(&x, n)), 2);
    let x = sparse::<u8, Zero>(vec![([1], 2), ([2], 3), ([3], 255)]);
    assert_eq!(few(|n| at_least(&x, n)), 2);
    let x = sparse::<i16, Zero>(vec![([1], i16::MIN), ([2], 0)]);
    assert_eq!(few(|n| least(&x, n)), 1);
    let x = sparse::<u8, Zero>(vec![([1], 127), ([2], 1)]);
    assert_eq!(few(|n| twice(&x, n)).to_dense()[..3], [0, 254, 2]);
}

#[test]
fn comparisons_with_infinities() {
    let x = sparse::<f64, NegInf>(vec![([3], -1e308), ([7], f64::NAN), ([9], -5.5), ([11], -6.0)]);
    assert_eq!(few(|n| most(&x, n)), (-5.5, 9));
    let x = sparse::<f64, NegInf>(vec![]);
    assert_eq!(few(|n| most(&x, n)), (f64::NEG_INFINITY, 0));
}

#[test]
fn an_index_compared_with_an_element() {
    let ones = |y: &DenseMat<f64>| y.to_dense().iter().filter(|v| **v == 0.5).count();
    let label = DenseVec::from_dense([3], &[700, u32::MAX, 0]).expect("as long");
    let y = few(|n| labels(&label, 1000, n));
    assert_eq!((ones(&y), y.get([0, 700]), y.get([2, 0])), (2, Some(0.5), Some(0.5)));
    assert_eq!(few(|n| labels(&label, 0, n)).shape(), [3, 0]);
    let label = DenseVec::from_dense([5], &[-1, i64::MIN, i64::MAX, 999, 1000]).expect("as long");
    assert_eq!(few(|n| signed(&label, 1000, n)).to_triplets(), [([3, 999], 0.5)]);
    let label = DenseVec::from_dense([4], &[u64::MAX, 1 << 63, (1 << 63) - 1, 3]).expect("as long");
    assert_eq!(few(|n| wide(&label, 1000, n)).to_triplets(), [([3, 3], 0.5)]);
    let end = DenseVec::from_dense([3], &[0, 2, usize::MAX]).expect("as long");
    let a = DenseMat::from_dense([3, 3], &[f64::NAN, 1., 2., 3., 4., f64::NAN, 6., 7., 8.]);
    assert_eq!(few(|n| below(&end, &a.expect("as many"), n)).to_dense(), [0.0, 7.0, 21.0]);
    let mut label = DenseVec::from_dense([2], &[1, usize::MAX]).expect("as long");
    assert_eq!(changed(&mut label, 3).to_dense(), [0, 1, 0, 0, 0, 0]);
}

#[test]
fn parallel_loops_reduce_what_is_assigned() {
    let values = [0.5, -0.0, f64::NAN, -5e-324, f64::MAX, -1e308];
    for n in [0, 1, 2, 65, 100_000] {
        let entries = (0..n).step_by(7).map(|i| ([i], values[i / 7 % 6]));
        let x: SparseVec<f64, u32, Inf> =
            Tensor::from_triplets([n], entries.clone(), Refuse).expect("in order");
        let m = entries.clone().fold(f64::INFINITY, |m, (_, x)| m.min(x));
        let below = entries.filter(|(_, x)| *x < 0.0).count() as u64;
        assert_eq!(least_at_once(&x), (m, below));
    }
}
