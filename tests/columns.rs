//! Products of sparse matrices with dense ones of any number of columns: what tiles of a row have in common comes out the same, new and
//! in place, to the last bit.

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Distances = Tensor<Dense<Dense<Element<f64, Inf>>>>; }
level! { type Bytes = Tensor<Dense<SparseList<Element<u8>>>>; }
level! { type Floats = Tensor<Dense<SparseList<Element<f32>>>>; }

finch! {
    fn product(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
    fn narrow(a: &Floats, d: &DenseMat<f32>) -> (c: DenseMat<f32>) { c[i, j] += a[i, k] * d[k, j] }
    fn bytes(a: &Bytes, d: &DenseMat<u8>) -> (c: DenseMat<u8>) { c[i, j] ^= a[i, k] & d[k, j] }
    fn least(a: &Far, d: &DenseMat<f64>) -> (c: Distances) { c[i, j] <<min>>= a[i, k] + d[k, j] }
    fn taken(a: &Csr<f64>, d: &DenseMat<f64>, c: &mut DenseMat<f64>) { c[i, j] -= a[i, k] * d[k, j] }
    fn twice(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { c[i, j] += a[i, k] * d[k, j] }
        for i, k, j { c[i, j] += d[k, j] * a[i, k] }
    }
    fn part(a: &Csr<f64>, d: &DenseMat<f64>, from: usize, n: usize, m: usize) -> (c: DenseMat<f64>[n, m]) {
        for i, k { for j in from..m { c[i, j] += a[i, k] * d[k, j] } }
    }
}

const ROWS: usize = 5;
const INNER: usize = 6;

#[test]
fn any_number_of_columns() {
    for cols in (0..=72).chain([95, 96, 97, 127, 129]) {
        // Sums of products of whole and half numbers are exact, but for the infinite ones.
        let of = |count: usize, seed: usize| -> Vec<f64> {
            let all = values(count, seed + cols, 60).into_iter();
            all.map(|x| if x.abs() < 1e200 { (x * 4.0).round() / 2.0 } else { x * 1e300 }).collect()
        };
        let stored = |k: &usize| !(k * 7 + cols).is_multiple_of(3);
        let (av, dv) = (of(ROWS * INNER, 1), of(INNER * cols, 2));
        let at = |k: usize| [k / INNER, k % INNER];
        let places: Vec<usize> = (0..ROWS * INNER).filter(stored).collect();
        let entries = places.iter().map(|&k| (at(k), av[k]));
        let a: Csr<f64> = Tensor::from_triplets([ROWS, INNER], entries.clone(), Refuse).expect("a");
        let d: DenseMat<f64> = Tensor::from_dense([INNER, cols], &dv).expect("d");
        let by_hand = |c: &mut Vec<f64>, f: &dyn Fn(f64, f64, f64) -> f64| {
            for (k, j) in places.iter().flat_map(|k| (0..cols).map(move |j| (*k, j))) {
                let [i, l] = at(k);
                c[i * cols + j] = f(c[i * cols + j], av[k], dv[l * cols + j]);
            }
        };
        let sum = |c: f64, x: f64, y: f64| c + x * y;
        let mut expected = vec![0.0; ROWS * cols];
        by_hand(&mut expected, &sum);
        same(&product(&a, &d).to_dense(), &expected, cols);
        let mut c: DenseMat<f64> =
            Tensor::from_dense([ROWS, cols], &of(ROWS * cols, 3)).expect("c");
        let mut taken_of = c.to_dense();
        by_hand(&mut taken_of, &|c, x, y| c - x * y);
        taken(&a, &d, &mut c);
        same(&c.to_dense(), &taken_of, cols);
        by_hand(&mut expected, &sum);
        same(&twice(&a, &d).to_dense(), &expected, cols);
        for from in [0, 1, 3, cols / 2, cols] {
            let from = from.min(cols);
            let mut some = vec![0.0; ROWS * cols];
            by_hand(&mut some, &sum);
            (0..ROWS * cols).filter(|k| k % cols < from).for_each(|k| some[k] = 0.0);
            same(&part(&a, &d, from, ROWS, cols).to_dense(), &some, (cols, from));
        }
        // Floats of half the width hold these sums as well.
        let small = |x: f64| if x.is_finite() { x as f32 } else { 0.5 };
        let entries = places.iter().map(|&k| (at(k), small(av[k])));
        let b: Floats = Tensor::from_triplets([ROWS, INNER], entries, Refuse).expect("a");
        let ev: Vec<f32> = dv.iter().map(|x| small(*x)).collect();
        let e: DenseMat<f32> = Tensor::from_dense([INNER, cols], &ev).expect("d");
        let mut floats = vec![0f32; ROWS * cols];
        let mut bits = vec![0u8; ROWS * cols];
        for (k, j) in places.iter().flat_map(|k| (0..cols).map(move |j| (*k, j))) {
            let [i, l] = at(k);
            floats[i * cols + j] += small(av[k]) * ev[l * cols + j];
            bits[i * cols + j] ^= (k as u8).wrapping_mul(37) & (l * cols + j) as u8;
        }
        assert_eq!(narrow(&b, &e).to_dense(), floats, "{cols}");
        let entries = places.iter().map(|&k| (at(k), (k as u8).wrapping_mul(37)));
        let p: Bytes = Tensor::from_triplets([ROWS, INNER], entries, Refuse).expect("a");
        let all: Vec<u8> = (0..INNER * cols).map(|k| k as u8).collect();
        let q: DenseMat<u8> = Tensor::from_dense([INNER, cols], &all).expect("d");
        assert_eq!(bytes(&p, &q).to_dense(), bits, "{cols}");
        // No NaN: which of two numbers is less is another question.
        let number = |x: f64| if x.is_finite() { x } else { 2.5 };
        let entries = places.iter().map(|&k| (at(k), number(av[k])));
        let far: Far = Tensor::from_triplets([ROWS, INNER], entries, Refuse).expect("a");
        let near: Vec<f64> = dv.iter().map(|x| number(*x)).collect();
        let d: DenseMat<f64> = Tensor::from_dense([INNER, cols], &near).expect("d");
        let mut sums = vec![f64::INFINITY; ROWS * cols];
        for (k, j) in places.iter().flat_map(|k| (0..cols).map(move |j| (*k, j))) {
            let [i, l] = at(k);
            sums[i * cols + j] = sums[i * cols + j].min(number(av[k]) + near[l * cols + j]);
        }
        same(&least(&far, &d).to_dense(), &sums, cols);
    }
}
