//! Locals that stay what they start as in a gap of the operands that are counted, and that indices, extents, windows and sizes name:
//! their definition stays where nothing is put in place of the name.

use looplets::prelude::*;

finch! {
    fn histogram(a: &Dcsr<f64>, n: usize) -> (h: DenseVec<f64>[n]) {
        for i { let mut t: u32; for j { if a[i, j] != 0 { t += 1 } } h[t] += 1 }
    }
    fn looked_up(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (h: DenseVec<f64>) {
        for i { let mut t: u32; for j { if a[i, j] != 0 { t += 1 } } h[i] = x[t] }
    }
    fn from_one(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (h: DenseVec<f64>) {
        for i { let mut t: u32 = 1; for j { if a[i, j] != 0 { t += 1 } } h[i] = x[t] }
    }
    fn so_many(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (h: DenseVec<f64>) {
        for i { let mut t: u32; for j { if a[i, j] != 0 { t += 1 } } for k in 0..t { h[i] += x[k] } }
    }
    fn first_of_a_window(a: &Dcsr<f64>, x: &DenseVec<f64>, n: usize) -> (h: DenseVec<f64>) {
        for i { let mut t: u32; for j { if a[i, j] != 0 { t += 1 } } h[i] = x[window(t, n)[0]] }
    }
    fn moved(a: &Dcsr<f64>, x: &SparseVec<f64>) -> (h: DenseVec<f64>) {
        for i { let mut t: u32; for j { if a[i, j] != 0 { t += 1 } } for k in 0..2 { h[i] += x[k + t] } }
    }
    fn sized(a: &Dcsr<f64>) -> (h: DenseVec<f64>) {
        for i {
            let mut t: u32;
            for j { if a[i, j] != 0 { t += 1 } }
            let mut w: DenseVec<f64>[t + 1];
            { for k { h[i] += w[k] } } where { for k in 0..t { w[k] += 1 } }
        }
    }
    fn as_a_value(a: &Dcsr<f64>) -> (h: DenseVec<f64>) {
        for i { let mut t: f64; for j { t += a[i, j] * a[i, j] } h[i] = sqrt(t) - t }
    }
}

#[test]
fn a_local_is_named_where_a_gap_leaves_it_as_it_is() {
    for [m, n] in [[0, 0], [1, 1], [2, 3], [5, 4], [65, 3]] {
        for seed in 0..6 {
            let value = |k: usize| [0.0, 0.5, 0.0, -2.25, 5e-324, 0.0, 0.0][(k * 5 + seed) % 7];
            // Whole rows are empty.
            let dense: Vec<f64> = (0..m * n)
                .map(|k| if (k / n.max(1) + seed).is_multiple_of(3) { value(k) } else { 0.0 })
                .collect();
            let all = Dcsr::<f64>::from_dense([m, n], &dense).expect("as large");
            let counts: Vec<usize> = (0..m)
                .map(|i| dense[i * n..(i + 1) * n].iter().filter(|x| **x != 0.0).count())
                .collect();
            let x: Vec<f64> = (0..n + 3).map(|k| k as f64 * 0.75 - 1.0).collect();
            let xs = DenseVec::<f64>::from_dense([n + 3], &x).expect("as long");
            let list = SparseVec::<f64>::from_dense([n + 3], &x).expect("as long");
            let each = |f: &dyn Fn(usize) -> f64| counts.iter().map(|t| f(*t)).collect::<Vec<_>>();
            let mut h = vec![0.0; n + 1];
            counts.iter().for_each(|t| h[*t] += 1.0);
            assert_eq!(histogram(&all, n + 1).to_dense(), h);
            assert_eq!(looked_up(&all, &xs).to_dense(), each(&|t| x[t]));
            assert_eq!(from_one(&all, &xs).to_dense(), each(&|t| x[t + 1]));
            assert_eq!(so_many(&all, &xs).to_dense(), each(&|t| x[..t].iter().sum()));
            assert_eq!(first_of_a_window(&all, &xs, n + 3).to_dense(), each(&|t| x[t]));
            assert_eq!(moved(&all, &list).to_dense(), each(&|t| x[t] + x[t + 1]));
            assert_eq!(sized(&all).to_dense(), each(&|t| t as f64));
            let squares = |i: usize| dense[i * n..(i + 1) * n].iter().map(|x| x * x).sum::<f64>();
            let want: Vec<f64> = (0..m).map(|i| squares(i).sqrt() - squares(i)).collect();
            assert_eq!(as_a_value(&all).to_dense(), want);
        }
    }
}
