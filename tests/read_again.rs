//! An element of a new result that the same iteration reads after it has written it is what was written.

use looplets::prelude::*;

finch! {
    fn squares(x: &DenseVec<f64>) -> (y: DenseVec<f64>, s: f64) { for i { y[i] = x[i] * x[i]; s += y[i] } }
    fn twice(x: &DenseVec<f64>) -> (e: DenseVec<f64>, z: DenseVec<f64>) { for t { e[t] = x[t] - 1; z[t] = 2 * e[t] } }
    fn counted(x: &DenseVec<f64>) -> (e: DenseVec<f64>, n: u64) { for t { e[t] = x[t] - 1; if e[t] > 0 { n += 1 } } }
    fn rows(x: &DenseMat<f64>) -> (e: DenseMat<f64>, s: DenseVec<f64>) { for i, j { e[i, j] = x[i, j] / 2; s[i] += e[i, j] } }
    fn centred(x: &DenseMat<f64>, n: f64) -> (m: DenseVec<f64>, y: DenseMat<f64>) {
        for i {
            let mut t: f64;
            for j { t += x[i, j] }
            m[i] = t / n;
            for j { y[i, j] = x[i, j] - m[i] }
        }
    }
    fn sparse(x: &SparseVec<f64>, n: usize) -> (e: DenseVec<f64>[n], s: f64) { for i in 0..n { e[i] = x[i] - 0.5; s += e[i] } }
    fn slices(x: &[f64]) -> (e: Vec<f64>, s: f64) { for t { e[t] = x[t] * x[t]; s += e[t] } }
    fn under(x: &DenseVec<f64>) -> (e: DenseVec<f64>, s: f64) { for i { if x[i] > 0 { e[i] = x[i] } s += e[i] } }
    fn learned(a: &DenseMat<f64>, b: &DenseVec<f64>, w: &mut DenseVec<f64>, r: f64) {
        for i {
            let mut s: f64;
            for k { s += a[i, k] * w[k] }
            for k { w[k] -= r * (s - b[i]) * a[i, k] }
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let values = [1.5, -2.0, 0.0, -0.0, 1e300, f64::MIN_POSITIVE];
    for n in 0..=values.len() {
        let x = &values[..n];
        let a: DenseVec<f64> = Tensor::from_dense([n], x).expect("a vector");
        let sum = |f: &dyn Fn(f64) -> f64| x.iter().fold(0.0, |s, x| s + f(*x));
        let map = |f: &dyn Fn(f64) -> f64| x.iter().map(|x| f(*x)).collect::<Vec<f64>>();
        let (y, s) = squares(&a);
        assert_eq!((y.to_dense(), s), (map(&|x| x * x), sum(&|x| x * x)));
        let (e, z) = twice(&a);
        assert_eq!((e.to_dense(), z.to_dense()), (map(&|x| x - 1.0), map(&|x| 2.0 * (x - 1.0))));
        let (e, count) = counted(&a);
        assert_eq!(e.to_dense(), map(&|x| x - 1.0));
        assert_eq!(count, x.iter().filter(|x| **x > 1.0).count() as u64);
        let list: SparseVec<f64> = Tensor::from_dense([n], x).expect("a vector");
        let (e, s) = sparse(&list, n);
        assert_eq!((e.to_dense(), s), (map(&|x| x - 0.5), sum(&|x| x - 0.5)));
        let (e, s) = slices(x);
        assert_eq!((e, s), (map(&|x| x * x), sum(&|x| x * x)));
        let (e, s) = under(&a);
        assert_eq!((e.to_dense(), s), (map(&|x| x.max(0.0)), sum(&|x| x.max(0.0))));
    }
    let x: DenseMat<f64> =
        Tensor::from_dense([2, 3], &[1.0, 2.0, 6.0, -1.0, 0.5, 0.5]).expect("a matrix");
    let (e, s) = rows(&x);
    assert_eq!(
        (e.to_dense(), s.to_dense()),
        (vec![0.5, 1.0, 3.0, -0.5, 0.25, 0.25], vec![4.5, 0.0])
    );
    let (m, y) = centred(&x, 3.0);
    assert_eq!(m.to_dense(), [3.0, 0.0]);
    assert_eq!(y.to_dense(), [-2.0, -1.0, 3.0, -1.0, 0.5, 0.5]);
    let b: DenseVec<f64> = Tensor::from_dense([2], &[1.0, -1.0]).expect("a vector");
    let mut w: DenseVec<f64> = Tensor::from_dense([3], &[0.0, 1.0, 0.0]).expect("a vector");
    learned(&x, &b, &mut w, 0.5);
    let mut v = [0.0, 1.0, 0.0];
    for (row, b) in [[1.0, 2.0, 6.0], [-1.0, 0.5, 0.5]].iter().zip([1.0, -1.0]) {
        let s: f64 = row.iter().zip(&v).map(|(a, w)| a * w).sum();
        v.iter_mut().zip(row).for_each(|(w, a)| *w -= 0.5 * (s - b) * a);
    }
    assert_eq!(w.to_dense(), v);
}
