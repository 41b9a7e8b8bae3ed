//! Sparse vectors in sums, calls, divisors and conditions beside a matrix: each row of the matrix takes its own entries, not
//! those of the vector.

// One list of operands serves many programs.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Set = Tensor<SparseList<Pattern>>; }

mod open {
    use super::*;
    macro_rules! steps {
        ($($name:ident -> $out:tt $body:tt)*) => {
            finch! { #![steps(n)] $(
                pub fn $name(a: &Csr<f64>, s: &SparseVec<f64>, t: &SparseVec<f64>, f: &Set, x: &DenseVec<f64>, n: &mut u64) -> $out $body
            )* }
        };
    }
    steps! {
        of_sum -> (y: DenseVec<f64>) { y[i] += a[i, j] * (s[j] + t[j]) }
        of_difference -> (y: DenseVec<f64>) { y[i] += a[i, j] * (x[j] - s[j]) }
        of_rest -> (y: DenseVec<f64>) { y[i] += a[i, j] * (1 - s[j]) }
        of_most -> (y: DenseVec<f64>) { y[i] += a[i, j] * max(s[j], t[j]) }
        of_call -> (y: DenseVec<f64>) { y[i] += a[i, j] * abs(s[j]) }
        outside -> (y: DenseVec<f64>) { if !f[j] { y[i] += a[i, j] * x[j] } }
        not_zero -> (y: DenseVec<f64>) { if s[j] != 0 { y[i] += a[i, j] * x[j] } }
        apart -> (y: DenseVec<f64>) { y[i] += a[i, j] * (s[i] - s[j]) }
        divided -> (c: Csr<f64>) { c[i, j] = a[i, j] / (2 + s[j]) }
        left -> (c: Csr<f64>) { if !f[j] { c[i, j] = a[i, j] } }
        by_rows -> (c: Csr<f64>) { if s[k] != 0 { c[i, j] += a[i, k] * a[k, j] } }
        by_columns -> (c: Csr<f64>) { if s[j] != 0 { c[i, j] += a[i, k] * a[k, j] } }
    }
}

#[test]
fn rows_take_what_they_have() -> Result<(), looplets::Error> {
    for (seed, size) in [0, 1, 2, 9, 60, 400].into_iter().enumerate() {
        let of = values(size * 6, seed, 40);
        let column = |k: usize| (k / 6 * 31 + k % 6 * 57 + seed) % size;
        let mut stored: Vec<([usize; 2], f64)> =
            (0..size * 6).map(|k| ([k / 6, column(k)], of[k])).collect();
        stored.sort_by_key(|(at, _)| *at);
        stored.dedup_by_key(|(at, _)| *at);
        let some = |by: usize, seed: usize| -> Vec<([usize; 1], f64)> {
            let of = values(size, seed, 40);
            (0..size).filter(|k| (k * 7 + seed) % 10 < by).map(|k| ([k], of[k])).collect()
        };
        let (sv, tv) = (some(4, seed + 3), some(3, seed + 8));
        let a: Csr<f64> = Tensor::from_triplets([size, size], stored.clone(), Refuse)?;
        let s: SparseVec<f64> = Tensor::from_triplets([size], sv.clone(), Refuse)?;
        let t: SparseVec<f64> = Tensor::from_triplets([size], tv.clone(), Refuse)?;
        let f: Set = Tensor::from_triplets([size], sv.iter().map(|(at, _)| (*at, true)), Refuse)?;
        let x: DenseVec<f64> = Tensor::from_dense([size], &values(size, seed + 5, 40))?;
        let (ad, sd, td, fd, xd) =
            (a.to_dense(), s.to_dense(), t.to_dense(), f.to_dense(), x.to_dense());
        let rows = |term: &dyn Fn(usize, usize, f64) -> Option<f64>| -> Vec<f64> {
            let row = |i: usize| {
                let own = stored.iter().filter(|(at, _)| at[0] == i);
                own.filter_map(|([_, j], v)| term(i, *j, *v)).fold(0.0, |sum, v| sum + v)
            };
            (0..size).map(row).collect()
        };
        let enough = (6 * (stored.len() + size) + 100) as u64;
        macro_rules! check {
            ($name:ident, $term:expr) => {{
                let mut n = 0;
                let y = open::$name(&a, &s, &t, &f, &x, &mut n);
                same(&y.to_dense(), &rows(&$term), (size, stringify!($name)));
                assert!(n <= enough, "{}: {n} steps, where {enough} are enough", stringify!($name));
            }};
        }
        // Times what is not stored is nothing, whatever it is that is multiplied.
        let either = |j: usize| fd[j] || tv.iter().any(|([k], _)| *k == j);
        let times = |v: f64, by: f64| Some(v * by);
        check!(of_sum, |_, j: usize, v: f64| times(v, sd[j] + td[j]).filter(|_| either(j)));
        check!(of_difference, |_, j: usize, v: f64| times(v, xd[j] - sd[j]));
        check!(of_rest, |_, j: usize, v: f64| times(v, 1.0 - sd[j]));
        check!(of_most, |_, j: usize, v: f64| times(v, sd[j].max(td[j])).filter(|_| either(j)));
        check!(of_call, |_, j: usize, v: f64| times(v, sd[j].abs()).filter(|_| fd[j]));
        check!(outside, |_, j: usize, v: f64| if fd[j] { None } else { times(v, xd[j]) });
        check!(not_zero, |_, j: usize, v: f64| if sd[j] != 0.0 { times(v, xd[j]) } else { None });
        check!(apart, |i: usize, j: usize, v: f64| times(v, sd[i] - sd[j])
            .filter(|_| fd[i] || fd[j]));
        let entries = |term: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
            let mut all = vec![0.0; size * size];
            stored.iter().for_each(|([i, j], v)| all[i * size + j] = term(*j, *v));
            all
        };
        let mut n = 0;
        let c = open::divided(&a, &s, &t, &f, &x, &mut n);
        same(&c.to_dense(), &entries(&|j, v| v / (2.0 + sd[j])), (size, "divided"));
        assert!(n <= enough, "divided: {n} steps");
        n = 0;
        let c = open::left(&a, &s, &t, &f, &x, &mut n);
        same(&c.to_dense(), &entries(&|j, v| if fd[j] { 0.0 } else { v }), (size, "left"));
        assert!(n <= enough, "left: {n} steps");
        let (mut rows, mut columns) = (vec![0.0; size * size], vec![0.0; size * size]);
        let mut met = 0;
        for ([i, k], v) in &stored {
            for j in
                (0..size).filter(|j| stored.binary_search_by_key(&[*k, *j], |(at, _)| *at).is_ok())
            {
                let term = v * ad[k * size + j];
                met += 1;
                if sd[*k] != 0.0 {
                    rows[i * size + j] += term;
                }
                if sd[j] != 0.0 {
                    columns[i * size + j] += term;
                }
            }
        }
        n = 0;
        same(&open::by_rows(&a, &s, &t, &f, &x, &mut n).to_dense(), &rows, (size, "by rows"));
        assert!(n <= enough + 3 * met, "by rows: {n} steps, {met} met");
        n = 0;
        same(
            &open::by_columns(&a, &s, &t, &f, &x, &mut n).to_dense(),
            &columns,
            (size, "by columns"),
        );
        assert!(n <= enough + 3 * met, "by columns: {n} steps, {met} met");
    }
    Ok(())
}
