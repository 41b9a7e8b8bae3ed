//! Elements of dense tensors that are read and written by one iteration: what they were is read first, bit by bit what the
//! same loop gives in Rust, beside operands of all kinds, in parallel, and with sums within.

use looplets::prelude::*;

/// Fractions, both zeros, infinities, NaN and the ends of the range, `n` of them from `seed` on.
fn hostile(n: usize, seed: usize) -> Vec<f64> {
    const ALL: [f64; 11] = [
        0.3,
        -0.0,
        f64::INFINITY,
        5e-324,
        -1.7,
        f64::MAX,
        0.0,
        f64::NAN,
        f64::NEG_INFINITY,
        1e-300,
        f64::MIN_POSITIVE,
    ];
    (0..n).map(|k| ALL[(k * 7 + seed) % ALL.len()]).collect()
}

/// Quarters, of which sums and products are exact.
fn quarters(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|k| ((k * 5 + seed) % 13) as f64 / 4.0 - 1.25).collect()
}

/// Where `seed` says, else zero.
fn sparse(n: usize, seed: usize) -> Vec<f64> {
    hostile(n, seed)
        .into_iter()
        .enumerate()
        .map(|(k, x)| if (k + seed).is_multiple_of(3) { x } else { 0.0 })
        .collect()
}

fn bits(all: &[f64]) -> Vec<Option<u64>> {
    all.iter().map(|x| (!x.is_nan()).then(|| x.to_bits())).collect()
}

macro_rules! dense {
    ($values:expr) => {{
        let values: Vec<f64> = $values;
        DenseVec::<f64>::from_dense([values.len()], &values).expect("as long")
    }};
}

const SIZES: [usize; 8] = [0, 1, 2, 3, 7, 8, 33, 100];

finch! {
    #![strict]
    fn scaled(al: f64, d: &mut DenseVec<f64>, e: &DenseVec<f64>) { d[i] = al * d[i] + e[i] }
    fn least(d: &mut DenseVec<f64>, e: &DenseVec<f64>) { if e[i] < d[i] { d[i] = e[i] } }
    fn beside_a_list(d: &mut DenseVec<f64>, e: &SparseVec<f64>) { for i { d[i] = d[i] * 0.5 - e[i] } }
    fn under_a_list(d: &mut DenseVec<f64>, e: &SparseVec<f64>) { for i { if e[i] != 0 { d[i] = d[i] / e[i] } } }
    fn beside_runs(d: &mut DenseVec<f64>, e: &Tensor<RunList<Element<f64>>>) { for i { d[i] = max(d[i], e[i]) } }
    fn named(d: &mut DenseVec<f64>, e: &DenseVec<f64>) {
        for i { let t = d[i] * e[i]; if t > 1 { d[i] = t } else { d[i] = -t } }
    }
    fn two(d: &mut DenseVec<f64>, p: &mut DenseVec<i64>, e: &SparseVec<f64>) {
        for i { if e[i] + 1 < d[i] { d[i] = e[i] + 1; p[i] = p[i] * 2 + i } }
    }
    fn counted(d: &mut DenseVec<f64>, n: &mut u64) { for i { n += d[i] > 0; d[i] = d[i] * d[i] } }
    fn beside_the_first(d: &mut DenseVec<f64>, e: &mut DenseVec<f64>) {
        let s = d[0];
        for i { d[i] = d[i] - 0.5; e[i] = e[i] * s }
    }
    fn moved(d: &mut DenseVec<f64>, n: usize) { for i in 0..n { d[i + 1] = 3 * d[i + 1] } }
}

#[test]
fn elements_are_read_before_they_are_written() {
    for n in SIZES {
        for seed in 0..11 {
            let (d, e, s) = (hostile(n, seed), hostile(n, seed + 3), sparse(n, seed + 5));
            let (dense_e, list) =
                (dense!(e.clone()), SparseVec::from_dense([n], &s).expect("as long"));
            let check = |what: &str,
                         kernel: &dyn Fn(&mut DenseVec<f64>),
                         one: &dyn Fn(usize, f64) -> f64| {
                let mut got = dense!(d.clone());
                kernel(&mut got);
                let want: Vec<f64> = d.iter().enumerate().map(|(i, x)| one(i, *x)).collect();
                assert_eq!(bits(&got.to_dense()), bits(&want), "{what}, {n}, {seed}");
            };
            check("scaled", &|d| scaled(1.3, d, &dense_e), &|i, x| 1.3 * x + e[i]);
            check("least", &|d| least(d, &dense_e), &|i, x| if e[i] < x { e[i] } else { x });
            check("beside", &|d| beside_a_list(d, &list), &|i, x| x * 0.5 - s[i]);
            check("under", &|d| under_a_list(d, &list), &|i, x| {
                if s[i] != 0.0 {
                    x / s[i]
                } else {
                    x
                }
            });
            let runs = Tensor::<RunList<Element<f64>>>::from_dense([n], &e).expect("as long");
            // Of two zeros `max` may give either.
            let plain = |x: f64| if x == 0.0 { 0.0 } else { x };
            let mut got = dense!(d.clone());
            beside_runs(&mut got, &runs);
            let want: Vec<f64> = d.iter().zip(&e).map(|(x, e)| plain(x.max(*e))).collect();
            let got: Vec<f64> = got.to_dense().into_iter().map(plain).collect();
            assert_eq!(bits(&got), bits(&want));
            check("named", &|d| named(d, &dense_e), &|i, x| {
                let t = x * e[i];
                if t > 1.0 {
                    t
                } else {
                    -t
                }
            });
            let (mut got, mut places) = (
                dense!(d.clone()),
                DenseVec::<i64>::from_dense([n], &vec![1; n]).expect("as long"),
            );
            two(&mut got, &mut places, &list);
            for i in 0..n {
                let lower = s[i] + 1.0 < d[i];
                assert_eq!(places.to_dense()[i], if lower { 2 + i as i64 } else { 1 });
                assert_eq!(
                    bits(&[got.to_dense()[i]]),
                    bits(&[if lower { s[i] + 1.0 } else { d[i] }])
                );
            }
            let (mut got, mut count) = (dense!(d.clone()), 0);
            counted(&mut got, &mut count);
            assert_eq!(count, d.iter().filter(|x| **x > 0.0).count() as u64);
            check("counted", &|d| counted(d, &mut 0), &|_, x| x * x);
            if n > 0 {
                let (mut got, mut other) = (dense!(d.clone()), dense!(e.clone()));
                beside_the_first(&mut got, &mut other);
                let want: Vec<f64> = d.iter().map(|x| x - 0.5).collect();
                assert_eq!(bits(&got.to_dense()), bits(&want));
                let want: Vec<f64> = e.iter().map(|e| e * d[0]).collect();
                assert_eq!(bits(&other.to_dense()), bits(&want));
            }
            if n > 1 {
                check("moved", &|d| moved(d, n - 2), &|i, x| {
                    if (1..n - 1).contains(&i) {
                        3.0 * x
                    } else {
                        x
                    }
                });
            }
        }
    }
}

finch! {
    fn product(be: f64, c: &mut DenseMat<f64>, a: &DenseMat<f64>, b: &DenseMat<f64>) {
        for i, j { let mut t: f64; for k { t += a[i, k] * b[k, j] } c[i, j] = be * c[i, j] + t }
    }
    fn rows(c: &mut DenseMat<f64>, a: &DenseMat<f64>) {
        for i, j { let mut t: f64; for k { t += a[i, k] * a[j, k] } c[i, j] = t - c[i, j] }
    }
    fn residual(d: &mut DenseVec<f64>, a: &Csr<f64>, x: &DenseVec<f64>) {
        parallel for i { let mut t: f64; for j { t += a[i, j] * x[j] } d[i] = d[i] - t }
    }
    fn blended(c: &mut DenseMat<f64>, a: &Csr<f64>) { parallel for i { for j { c[i, j] = (c[i, j] + a[i, j]) * 0.5 } } }
    fn columns(c: &mut DenseMat<f64>, a: &Csr<f64>) { for j, i { c[i, j] = c[i, j] * 2 - a[i, j::locate] } }
    fn left_out(c: &mut DenseMat<f64>, a: &Csr<f64>, x: &DenseVec<f64>) {
        c[i, j] = c[i, j] * x[j] + a[i, j];
        if a[i, j] > 0 { c[i, j] = -c[i, j] }
    }
}

#[test]
fn sums_stand_beside_elements() {
    for n in [0, 1, 2, 5, 16, 35] {
        let m = n + 3;
        let matrix = |rows: usize, columns: usize, seed| {
            let values = quarters(rows * columns, seed);
            (DenseMat::<f64>::from_dense([rows, columns], &values).expect("as large"), values)
        };
        let ((a, av), (b, bv), (c, cv)) = (matrix(n, m, 1), matrix(m, n, 2), matrix(n, n, 3));
        let mut got = c.clone();
        product(0.5, &mut got, &a, &b);
        let at = |i: usize, j: usize| {
            0.5 * cv[i * n + j] + (0..m).map(|k| av[i * m + k] * bv[k * n + j]).sum::<f64>()
        };
        let all = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n * n).map(|p| f(p / n, p % n)).collect()
        };
        assert_eq!(got.to_dense(), all(&at));
        let mut got = c.clone();
        rows(&mut got, &a);
        let at = |i: usize, j: usize| {
            (0..m).map(|k| av[i * m + k] * av[j * m + k]).sum::<f64>() - cv[i * n + j]
        };
        assert_eq!(got.to_dense(), all(&at));

        let sv: Vec<f64> = quarters(n * n, 4)
            .into_iter()
            .enumerate()
            .map(|(k, x)| if k.is_multiple_of(3) { x } else { 0.0 })
            .collect();
        let s = Csr::<f64>::from_dense([n, n], &sv).expect("as large");
        let (xv, dv) = (quarters(n, 5), quarters(n, 6));
        let mut d = dense!(dv.clone());
        residual(&mut d, &s, &dense!(xv.clone()));
        let want: Vec<f64> =
            (0..n).map(|i| dv[i] - (0..n).map(|j| sv[i * n + j] * xv[j]).sum::<f64>()).collect();
        assert_eq!(d.to_dense(), want);
        let mut got = c.clone();
        blended(&mut got, &s);
        assert_eq!(got.to_dense(), all(&|i, j| (cv[i * n + j] + sv[i * n + j]) * 0.5));
        let mut got = c.clone();
        columns(&mut got, &s);
        assert_eq!(got.to_dense(), all(&|i, j| cv[i * n + j] * 2.0 - sv[i * n + j]));
        let mut got = c.clone();
        left_out(&mut got, &s, &dense!(xv.clone()));
        let at = |i: usize, j: usize| {
            let value = cv[i * n + j] * xv[j] + sv[i * n + j];
            if sv[i * n + j] > 0.0 {
                -value
            } else {
                value
            }
        };
        assert_eq!(got.to_dense(), all(&at));
    }
}
