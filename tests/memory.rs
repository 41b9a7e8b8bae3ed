//! Outputs made in the memory of a tensor that is passed by value.

use looplets::prelude::*;

level! { type Runs = Tensor<Dense<RunList<Element<f64>>>>; }
level! { type Bits = Tensor<Dense<Bitmap<Element<f64>>>>; }
level! { type Bytes = Tensor<Dense<ByteMap<Element<f64>>>>; }
level! { type Table = Tensor<Dense<Hash<Element<f64>>>>; }
level! { type Pairs = Tensor<Coo<Singleton<Element<f64>>>>; }
level! { type Tree = Tensor<Dense<BitTree<Element<f64>>>>; }
level! { type Listed = Tensor<Dense<Spa<Element<f64>>>>; }
level! { type Unordered = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Flags = Tensor<Dense<SparseList<Pattern>>>; }

finch! {
    /// What the sum has where its memory is new.
    fn fresh(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn product(a: &Csr<f64>, x: &DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    fn dense(a: &Csr<f64>, b: &Csr<f64>, c: DenseMat<f64>) -> (c: DenseMat<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn csr(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn dcsr(a: &Csr<f64>, b: &Csr<f64>, c: Dcsr<f64>) -> (c: Dcsr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn runs(a: &Csr<f64>, b: &Csr<f64>, c: Runs) -> (c: Runs) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn bits(a: &Csr<f64>, b: &Csr<f64>, c: Bits) -> (c: Bits) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn bytes(a: &Csr<f64>, b: &Csr<f64>, c: Bytes) -> (c: Bytes) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn table(a: &Csr<f64>, b: &Csr<f64>, c: Table) -> (c: Table) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn pairs(a: &Csr<f64>, b: &Csr<f64>, c: Pairs) -> (c: Pairs) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn tree(a: &Csr<f64>, b: &Csr<f64>, c: Tree) -> (c: Tree) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn listed(a: &Csr<f64>, b: &Csr<f64>, c: Listed) -> (c: Listed) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    fn unordered(a: &Csr<f64>, b: &Csr<f64>, c: Unordered) -> (c: Unordered) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
    fn parallel(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
        parallel for i { for j { c[i, j] = a[i, j] + b[i, j] } }
    }
    /// Two outputs, one in memory that is there; an error type.
    fn both(a: &Csr<f64>, f: Flags, x: &DenseVec<f64>) -> Result<(f: Flags, y: DenseVec<f64>), Error> {
        for i, j { f[i, j] = a[i, j] != 0; y[i] += a[i, j] * x[j] }
    }
    fn any<T: Value + std::ops::Add<Output = T>>(a: &Csr<T>, b: &Csr<T>, c: Csr<T>) -> (c: Csr<T>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
}

mod checked {
    use looplets::prelude::*;

    finch! {
        #![forbid(unsafe_code)]
        pub fn without_unsafe(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
            for i, j { c[i, j] = a[i, j] + b[i, j] }
        }
        pub fn dense_without_unsafe(a: &Csr<f64>, b: &Csr<f64>, c: DenseMat<f64>) -> (c: DenseMat<f64>) {
            for i, j { c[i, j] = a[i, j] + b[i, j] }
        }
    }
}
use checked::*;

/// A matrix of `n` rows whose values are whole numbers.
fn matrix(n: usize, seed: usize) -> Csr<f64> {
    let value = |k: usize| match (k * 7 + seed) % 5 {
        v @ 0..=2 => v as f64,
        _ => 0.0,
    };
    let values: Vec<f64> = (0..n * (n + 2)).map(value).collect();
    Tensor::from_dense([n, n + 2], &values).unwrap()
}

#[test]
fn a_result_in_old_memory_is_that_in_new() {
    macro_rules! each {
        ($($kernel:ident: $ty:ty),*) => {$({
            let mut c: $ty = Tensor::new([3, 1]).unwrap();
            // Longer, shorter, empty and long again.
            for (n, seed) in [(5, 1), (9, 2), (2, 3), (0, 4), (1, 5), (12, 6), (12, 7)] {
                let (a, b) = (matrix(n, seed), matrix(n, seed + 1));
                let want = fresh(&a, &b);
                c = $kernel(&a, &b, c);
                assert_eq!(c.shape(), want.shape(), "{} {n}", stringify!($kernel));
                assert_eq!(c.to_dense(), want.to_dense(), "{} {n}", stringify!($kernel));
                assert_eq!(c, Tensor::from_parts(c.clone().into_root()).unwrap());
            }
        })*};
    }
    each!(
        dense: DenseMat<f64>, csr: Csr<f64>, dcsr: Dcsr<f64>, runs: Runs, bits: Bits, bytes: Bytes,
        table: Table, pairs: Pairs, tree: Tree, listed: Listed, unordered: Unordered, parallel: Csr<f64>, any: Csr<f64>, without_unsafe: Csr<f64>,
        dense_without_unsafe: DenseMat<f64>
    );
}

#[test]
fn memory_is_used_again_and_kept() {
    let (large, small) = (matrix(40, 1), matrix(3, 2));
    let ones = |n: usize| -> DenseVec<f64> { Tensor::from_dense([n], &vec![1.0; n]).unwrap() };
    let mut y = product(&large, &ones(42), Tensor::new([0]).unwrap());
    let at = y.values_mut().unwrap().as_ptr();
    let mut y = product(&small, &ones(5), y);
    assert_eq!(y.values_mut().unwrap().as_ptr(), at);
    let mut y = product(&large, &ones(42), y);
    assert_eq!(y.values_mut().unwrap().as_ptr(), at);
    let want: Vec<f64> = large.to_dense().chunks(42).map(|row| row.iter().sum()).collect();
    assert_eq!(y.to_dense(), want);

    let mut c = csr(&large, &large, Tensor::new([0, 0]).unwrap());
    let at = c.values_mut().unwrap().as_ptr();
    let c = csr(&small, &small, c);
    let mut c = csr(&large, &large, c);
    assert_eq!(c.values_mut().unwrap().as_ptr(), at);
}

#[test]
fn an_error_takes_the_memory_with_it() {
    let (a, x) = (matrix(4, 1), Tensor::from_dense([5], &[1.0; 5]).unwrap());
    let f: Flags = Tensor::new([1, 1]).unwrap();
    let error = both(&a, f.clone(), &x).unwrap_err().to_string();
    assert!(error.contains('x') && error.contains('5') && error.contains('6'), "{error}");
    let x = Tensor::from_dense([6], &[1.0; 6]).unwrap();
    let (f, y) = both(&a, f, &x).unwrap();
    let values = a.to_dense();
    assert_eq!(f.to_dense(), values.iter().map(|v| *v != 0.0).collect::<Vec<_>>());
    assert_eq!(y.to_dense(), values.chunks(6).map(|r| r.iter().sum::<f64>()).collect::<Vec<_>>());
}
