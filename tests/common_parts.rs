//! What two statements sum alike is summed once, and is not where something that it reads has changed in between.

use looplets::prelude::*;

finch! {
    fn once(a: &Csr<f64>, c: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        y[i] += a[i, j] * b[j, k] * x[k];
        z[m] += c[m, l] * b[l, i] * x[i]
    }
    fn thrice(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>, s: f64) {
        y[i] += a[i, j] * b[j, k] * x[k];
        z[i] += a[j, i] * y[j];
        s += a[i, j] * b[j, k] * x[k];
        z[j] += a[j, i] * b[i, k] * x[k]
    }
    fn changed(a: &Csr<f64>, b: &Csr<f64>, x: &mut DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        y[i] += a[i, j] * b[j, k] * x[k];
        x[k] += 1;
        z[i] += a[i, j] * b[j, k] * x[k]
    }
    fn shadowed(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        let s = 2.0;
        y[i] += a[i, j] * (s * b[j, k] * x[k]);
        let s = 5.0;
        z[i] += a[i, j] * (s * b[j, k] * x[k])
    }
    fn of_a_scalar(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        y[i] += a[i, j] * (s * b[j, k] * x[k]);
        s += 1;
        z[i] += a[i, j] * (s * b[j, k] * x[k])
    }
    /// The same operands, with another one last and the other way round.
    fn not_alike(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        y[i] += a[i, j] * b[j, k] * x[k];
        z[i] += a[i, j] * b[k, j] * x[k]
    }
}

type Rows = Vec<Vec<f64>>;

/// Whole numbers, of which every third or so is stored, so that sums are exact in any order.
fn matrix(n: usize, seed: usize) -> (Csr<f64>, Rows) {
    let value = |k: usize| match (k * 7 + seed * 5) % 11 {
        v @ 0..4 => v as f64 - 4.0,
        _ => 0.0,
    };
    let rows: Rows = (0..n).map(|i| (0..n).map(|j| value(i * n + j)).collect()).collect();
    (Tensor::from_dense([n, n], &rows.concat()).expect("a matrix"), rows)
}

fn product(a: &Rows, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

fn turned(a: &Rows) -> Rows {
    (0..a.len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn plus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[test]
fn sums_in_common_are_those_of_each() {
    for n in [0, 1, 2, 9] {
        for way in 0..3 {
            looplets::rt::prefer(Some(way));
            let ((a, ar), (b, br), (c, cr)) = (matrix(n, 1), matrix(n, 2), matrix(n, 3));
            let xs: Vec<f64> = (0..n).map(|k| k as f64 - 2.0).collect();
            let x: DenseVec<f64> = Tensor::from_dense([n], &xs).expect("a vector");
            let t = product(&br, &xs);
            let (y, z) = once(&a, &c, &b, &x);
            assert_eq!((y.to_dense(), z.to_dense()), (product(&ar, &t), product(&cr, &t)));
            let (y, z, s) = thrice(&a, &b, &x);
            let all = product(&ar, &t);
            assert_eq!((y.to_dense(), s), (all.clone(), all.iter().sum()));
            assert_eq!(z.to_dense(), plus(&product(&turned(&ar), &all), &all));
            let mut later = x.clone();
            let (y, z) = changed(&a, &b, &mut later);
            let more: Vec<f64> = xs.iter().map(|x| x + 1.0).collect();
            assert_eq!((y.to_dense(), later.to_dense()), (all.clone(), more.clone()));
            assert_eq!(z.to_dense(), product(&ar, &product(&br, &more)));
            let (y, z) = shadowed(&a, &b, &x);
            let times = |s: f64| all.iter().map(|y| s * y).collect::<Vec<f64>>();
            assert_eq!((y.to_dense(), z.to_dense()), (times(2.0), times(5.0)));
            let mut s = 3.0;
            let (y, z) = of_a_scalar(&a, &b, &x, &mut s);
            assert_eq!((y.to_dense(), z.to_dense(), s), (times(3.0), times(4.0), 4.0));
            let (y, z) = not_alike(&a, &b, &x);
            assert_eq!(
                (y.to_dense(), z.to_dense()),
                (all, product(&ar, &product(&turned(&br), &xs)))
            );
        }
    }
    looplets::rt::prefer(None);
}

mod counted {
    use super::*;
    finch! {
        #![steps(n)]
        #![schedule(first(b, x))]
        pub fn once(a: &Csr<f64>, c: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
            y[i] += a[i, j] * b[j, k] * x[k];
            z[m] += c[m, l] * b[l, i] * x[i]
        }
    }
}

#[test]
fn what_is_in_common_is_gone_through_once() {
    let n = 9;
    let ((a, _), (b, _), (c, _)) = (matrix(n, 1), matrix(n, 2), matrix(n, 3));
    let x: DenseVec<f64> = Tensor::from_dense([n], &vec![1.0; n]).expect("a vector");
    let mut steps = 0;
    counted::once(&a, &c, &b, &x, &mut steps);
    assert_eq!(steps as usize, 3 * n + a.stored() + b.stored() + c.stored());
}
