//! Many operands with levels below: fibers that some of them do not have, and reductions over rows.

use super::*;

#[test]
fn fibers_that_are_not_there() {
    let mut seed = 5;
    for (n, m) in [(0, 0), (1, 1), (2, 3), (1, 65), (13, 7)] {
        for tenths in [0, 1, 5, 10] {
            let mut rows = |k: usize| -> Stored<f64> {
                let row = |seed: &mut u64| {
                    let tenths = if draw(seed, 3) == 0 { 0 } else { tenths };
                    stored(seed, m, tenths, &HOSTILE)
                };
                if k == 4 && tenths == 5 {
                    return vec![None; n * m];
                }
                (0..n).flat_map(|_| row(&mut seed)).collect()
            };
            let v: Vec<Stored<f64>> = (0..6).map(&mut rows).collect();
            let shape = [n, m];
            let sum = |of: &[usize]| {
                dense(n * m, |i| of.iter().map(|k| at(&v[*k], i)).reduce(|a, b| a + b).unwrap())
            };
            let any = |of: &[usize]| {
                (0..n * m).filter(|i| of.iter().any(|k| v[*k][*i].is_some())).count()
            };
            let t: Vec<Csr<f64>> = v.iter().map(|v| tensor(&shape, v)).collect();
            let c = csr(&t[0], &t[1], &t[2], &t[3], &t[4]);
            same(&c.to_dense(), &sum(&[0, 1, 2, 3, 4]));
            assert_eq!(c.stored(), any(&[0, 1, 2, 3, 4]));
            let p: Vec<Pairs> = v.iter().map(|v| tensor(&shape, v)).collect();
            let r: Vec<Rows> = v.iter().map(|v| tensor(&shape, v)).collect();
            let w: Vec<RowsOfDense> = v.iter().map(|v| tensor(&shape, v)).collect();
            same(&rows_of(&r, &p, &t, &w).to_dense(), &sum(&[0, 1, 2, 3, 4, 5]));
            same(&spread(&r[0], &w[1], &w[2], &w[3], &w[4]).to_dense(), &sum(&[0, 1, 2, 3, 4]));
            let c = pairs(&p[0], &p[1], &p[2]);
            same(&c.to_dense(), &sum(&[0, 1, 2]));
            assert_eq!(c.stored(), any(&[0, 1, 2]));
            let x: Vec<f64> = dense(n * m, |i| HOSTILE[(i * 5 + 3) % 12]);
            let whole: DenseMat<f64> = Tensor::from_dense(shape, &x).unwrap();
            let c = met(&p[0], &p[1], &p[2], &p[3], &whole);
            let want = |i: usize| {
                times(&[v[0][i], v[1][i]])
                    + times(&[v[2][i], v[3][i]])
                    + times(&[v[0][i], Some(x[i])])
            };
            same(&c.to_dense(), &dense(n * m, want));
        }
    }
}

fn rows_of(r: &[Rows], p: &[Pairs], t: &[Csr<f64>], w: &[RowsOfDense]) -> DenseMat<f64> {
    rows(&r[0], &p[1], &t[2], &r[3], &w[4], &r[5])
}

#[test]
fn three_levels() {
    let mut seed = 9;
    for shape in [[0, 0, 0], [1, 1, 1], [2, 3, 4], [5, 1, 7]] {
        for tenths in [0, 1, 4, 10] {
            let count = shape.iter().product();
            let v: Vec<Stored<f64>> =
                (0..4).map(|_| stored(&mut seed, count, tenths, &HOSTILE)).collect();
            let t: Vec<Csf<f64>> = v.iter().map(|v| tensor(&shape, v)).collect();
            let c = csf(&t[0], &t[1], &t[2], &t[3]);
            same(
                &c.to_dense(),
                &dense(count, |i| (0..4).map(|k| at(&v[k], i)).reduce(|a, b| a + b).unwrap()),
            );
            assert_eq!(
                c.stored(),
                (0..count).filter(|i| v.iter().any(|v| v[*i].is_some())).count()
            );
        }
    }
}

#[test]
fn reductions_over_rows() {
    let mut seed = 21;
    let numbers = [0.25, -1.5, 3.75, 1024.0];
    for (n, m) in [(0, 0), (1, 1), (2, 3), (13, 7)] {
        for tenths in [0, 2, 6, 10] {
            let v: Vec<Stored<f64>> =
                (0..4).map(|_| stored(&mut seed, n * m, tenths, &numbers)).collect();
            let r: Vec<Rows> = v.iter().map(|v| tensor(&[n, m], v)).collect();
            let x = stored(&mut seed, m, 5, &numbers);
            let y = row_sums(&r[0], &r[1], &r[2], &r[3], &tensor(&[m], &x));
            let sum = |i: usize, j: usize| (0..4).map(|k| at(&v[k], i * m + j)).sum::<f64>();
            same(&y.to_dense(), &dense(n, |i| (0..m).map(|j| sum(i, j) * at(&x, j)).sum()));
            let s: Vec<Stored<f64>> =
                (0..4).map(|_| stored(&mut seed, n, tenths, &numbers)).collect();
            let t: Vec<SparseVec<f64>> = s.iter().map(|s| tensor(&[n], s)).collect();
            let g: Vec<Csr<f64>> = v.iter().map(|v| tensor(&[n, m], v)).collect();
            let y = outer(&t[0], &t[1], &t[2], &t[3], &g[0]);
            let all = |k: usize| (0..4).map(|a| at(&s[a], k)).sum::<f64>();
            same(&y.to_dense(), &dense(m, |j| (0..n).map(|k| all(k) * at(&v[0], k * m + j)).sum()));
            let y = factors(&t[0], &t[1], &t[2], &t[3], &g[0], &g[1]);
            let term = |k: usize, j: usize| {
                let (g, h) = (at(&v[0], k * m + j), at(&v[1], k * m + j));
                at(&s[0], k) * g + at(&s[1], k) * h + at(&s[2], k) * g + at(&s[3], k) * h
            };
            same(&y.to_dense(), &dense(m, |j| (0..n).map(|k| term(k, j)).sum()));
        }
    }
}
