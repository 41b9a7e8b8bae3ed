//! Products that are summed into scalars, and sums that are made within loops along an operand, give what loops by hand give: in each of
//! the ways that are kept.

// What these kernels cost is on purpose.
#![allow(deprecated)]

#[allow(dead_code)]
mod numbers;

use looplets::prelude::*;
use numbers::Numbers;

level! { type Cube = Tensor<Dense<Dense<Dense<Element<f64>>>>>; }
level! { type Rows = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }
level! { type Far = Tensor<Dense<Dense<Element<f64, Inf>>>>; }
level! { type Bits = Tensor<Dense<Dense<Element<bool, False>>>>; }

finch! {
    #![schedule(ways(7))]
    fn cycle(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (s: f64) { s += a[i, j] * b[j, k] * c[k, l] * d[l, i] }
    fn sparse_cycle(a: &Csr<f64>, b: &Csr<f64>, c: &DenseMat<f64>, d: &Csr<f64>) -> (s: f64) { s -= a[i, j] * b[j, k] * c[k, l] * d[l, i] }
    fn form(a: &DenseMat<f64>, b: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) { s += x[i] * a[i, j] * b[j, k] * x[k] / 2 }
    fn plain_form(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (s: f64) { s += x[i] * a[i, j] * x[j] }
    fn by_a_local(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let mut t: f64; t += a[i, j] * b[j, k] * x[k]; y[i] = t * x[i] }
    fn nearest(a: &Far, b: &Far, c: &Far) -> (s: f64) { s = 9e9; s <<min>>= a[i, j] + b[j, k] + c[k, l] }
    fn reaches(a: &Bits, b: &Bits, c: &Bits) -> (s: bool) { s |= a[i, j] && b[j, k] && c[k, i] }
    fn off_the_diagonal(a: &DenseMat<f64>, b: &DenseMat<f64>, x: &DenseVec<f64>) -> (s: f64) { if i != j { s += a[i, j] * b[j, k] * x[k] } }
}

finch! {
    #![schedule(ways(7))]
    fn attention(a: &Csr<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (o: DenseMat<f64>) { o[i, d] += a[i, j] * q[i, e] * v[j, e] * w[j, d] }
    fn attention_of_columns(a: &Csc<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (o: DenseMat<f64>) { o[i, d] += a[i, j] * q[i, e] * v[j, e] * w[j, d] }
    fn attention_of_scalars(a: &Csr<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (s: f64) { s += a[i, j] * q[i, e] * v[j, e] * w[j, d] }
    fn turned(a: &Csr<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (o: DenseMat<f64>) { o[d, i] += a[i, j] * q[i, e] * v[j, e] * w[j, d] }
    fn rows(a: &Csr<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (o: Csr<f64>) { o[i, d] += a[i, j] * q[i, e] * v[j, e] * w[j, d] }
    fn least_of_rows(a: &Csr<f64>, q: &DenseMat<f64>, v: &DenseMat<f64>, w: &DenseMat<f64>) -> (o: DenseMat<f64>) { if a[i, j] > 0 { o[i, d] += q[i, e] * v[j, e] * w[j, d] } }
}

finch! {
    #![schedule(ways(7))]
    fn tucker(a: &Csf<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Cube) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }
    fn tucker_of_rows(a: &Rows, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Cube) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }
    fn dense_tucker(a: &Cube, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Cube) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }
    fn factor(a: &Csf<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, r] += a[i, j, k] * c[j, r] * d[k, r] }
    fn two_modes(a: &Csf<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[p, q] += a[i, j, k] * b[i, p] * c[j, q] }
    fn all_of_it(a: &Csf<f64>, x: &DenseVec<f64>, c: &DenseMat<f64>) -> (s: f64) { s += a[i, j, k] * x[i] * c[j, k] * x[j] }
}

// The explicit forms of the ways above that are not always kept.
finch! {
    #![schedule(first(a, d, for i, j))]
    fn tucker_by_fibers(a: &Csf<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Cube) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }
}
finch! {
    #![schedule(first(a, c, d, for i), first(a, d, for j))]
    fn tucker_by_slices(a: &Csf<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Cube) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }
}

/// Sums and products of such numbers are exact in any order.
fn value(chance: &mut Numbers) -> f64 {
    [1.0, -0.5, 2.0, 0.25, -4.0][chance.below(5)]
}

fn dense(chance: &mut Numbers, many: usize) -> Vec<f64> {
    (0..many).map(|_| value(chance)).collect()
}

fn sparse(chance: &mut Numbers, many: usize) -> Vec<f64> {
    (0..many).map(|_| if chance.below(3) == 0 { value(chance) } else { 0.0 }).collect()
}

/// Adds up `term` over all indices below `sizes`.
fn sum<const N: usize>(sizes: [usize; N], mut term: impl FnMut([usize; N])) {
    let all: usize = sizes.iter().product();
    for mut n in 0..all {
        let mut at = [0; N];
        for (i, size) in at.iter_mut().zip(sizes).rev() {
            *i = n % size;
            n /= size;
        }
        term(at);
    }
}

/// What `kernel` gives in each of the ways that it may be kept in.
fn in_all_ways<T: PartialEq + std::fmt::Debug>(
    name: &str,
    want: &T,
    mut kernel: impl FnMut() -> T,
) {
    for way in 0..7 {
        looplets::rt::prefer(Some(way));
        assert_eq!(kernel(), *want, "{name}, way {way}");
    }
    looplets::rt::prefer(None);
    assert_eq!(kernel(), *want, "{name}");
}

macro_rules! alike {
    ($want:expr; $($name:ident($($of:expr),*))*) => {$(
        in_all_ways(stringify!($name), &$want, || $name($($of),*).to_dense());
    )*};
}

#[test]
fn sums_into_scalars() {
    for (seed, [m, n, o, p]) in
        [[0, 0, 0, 0], [1, 1, 1, 1], [2, 3, 4, 5], [7, 1, 6, 2], [9, 8, 0, 7], [9, 8, 7, 8]]
            .into_iter()
            .enumerate()
    {
        let chance = &mut Numbers(seed as u64 + 1);
        let (av, bv, cv, dv) = (
            sparse(chance, m * n),
            sparse(chance, n * o),
            dense(chance, o * p),
            sparse(chance, p * m),
        );
        let x = dense(chance, m.max(o));
        let a: DenseMat<f64> = Tensor::from_dense([m, n], &av).expect("a matrix");
        let b: DenseMat<f64> = Tensor::from_dense([n, o], &bv).expect("a matrix");
        let c: DenseMat<f64> = Tensor::from_dense([o, p], &cv).expect("a matrix");
        let d: DenseMat<f64> = Tensor::from_dense([p, m], &dv).expect("a matrix");
        let (sa, sb): (Csr<f64>, Csr<f64>) = (a.convert().expect("any"), b.convert().expect("any"));
        let sd: Csr<f64> = d.convert().expect("any");
        let mut want = 0.0;
        sum([m, n, o, p], |[i, j, k, l]| {
            want += av[i * n + j] * bv[j * o + k] * cv[k * p + l] * dv[l * m + i];
        });
        in_all_ways("cycle", &want, || cycle(&a, &b, &c, &d));
        in_all_ways("sparse_cycle", &(0.0 - want), || sparse_cycle(&sa, &sb, &c, &sd));
        let vector =
            |n: usize| -> DenseVec<f64> { Tensor::from_dense([n], &x[..n]).expect("a vector") };
        if m == o {
            let mut want = 1.5;
            sum([m, n, o], |[i, j, k]| want += x[i] * av[i * n + j] * bv[j * o + k] * x[k] / 2.0);
            in_all_ways("form", &want, || {
                let mut s = 1.5;
                form(&a, &sb, &vector(m), &mut s);
                s
            });
            let mut want = 0.0;
            sum([m, n, o], |[i, j, k]| {
                if i != j {
                    want += av[i * n + j] * bv[j * o + k] * x[k]
                }
            });
            in_all_ways("off_the_diagonal", &want, || off_the_diagonal(&a, &b, &vector(o)));
            let mut t = 0.0;
            sum([m, n, o], |[i, j, k]| t += av[i * n + j] * bv[j * o + k] * x[k]);
            let want: Vec<f64> = x[..m].iter().map(|x| t * x).collect();
            in_all_ways("by_a_local", &want, || by_a_local(&sa, &sb, &vector(m)).to_dense());
            let bits = |of: &[f64], shape: [usize; 2]| -> Bits {
                let set: Vec<bool> = of.iter().map(|v| *v > 0.0).collect();
                Tensor::from_dense(shape, &set).expect("bits")
            };
            let (ba, bb, bc) =
                (bits(&av, [m, n]), bits(&bv, [n, o]), bits(&dv[..o * m.min(p)], [o, m]));
            if p >= o {
                let mut want = false;
                sum([m, n, o], |[i, j, k]| {
                    want |= av[i * n + j] > 0.0 && bv[j * o + k] > 0.0 && dv[k * m + i] > 0.0;
                });
                in_all_ways("reaches", &want, || reaches(&ba, &bb, &bc));
            }
        }
        let square = dense(chance, m * m);
        let whole: DenseMat<f64> = Tensor::from_dense([m, m], &square).expect("a matrix");
        let mut want = 0.0;
        sum([m, m], |[i, j]| want += x[i] * square[i * m + j] * x[j]);
        in_all_ways("plain_form", &want, || plain_form(&whole, &vector(m)));
        let far = |of: &[f64], shape: [usize; 2]| -> Far {
            let set: Vec<f64> =
                of.iter().map(|v| if *v == 0.0 { f64::INFINITY } else { *v }).collect();
            Tensor::from_dense(shape, &set).expect("a matrix")
        };
        let or_far = |v: f64| if v == 0.0 { f64::INFINITY } else { v };
        let mut want = 9e9_f64;
        sum([m, n, o, p], |[i, j, k, l]| {
            let path = or_far(av[i * n + j]) + or_far(bv[j * o + k]) + or_far(cv[k * p + l]);
            want = want.min(path);
        });
        let (fa, fb, fc) = (far(&av, [m, n]), far(&bv, [n, o]), far(&cv, [o, p]));
        in_all_ways("nearest", &want, || nearest(&fa, &fb, &fc));
    }
}

#[test]
fn sums_for_each_entry() {
    for (seed, [m, n, e, f]) in
        [[0, 0, 0, 0], [1, 1, 1, 1], [3, 4, 2, 5], [6, 2, 0, 3], [5, 7, 3, 0], [12, 9, 33, 40]]
            .into_iter()
            .enumerate()
    {
        let chance = &mut Numbers(seed as u64 + 20);
        let mut av = sparse(chance, m * n);
        if e == 0 && m * n > 0 {
            // A sum without terms is none.
            av[0] = f64::INFINITY;
        }
        let (qv, vv, wv) = (dense(chance, m * e), dense(chance, n * e), dense(chance, n * f));
        let a: Csr<f64> = Tensor::from_dense([m, n], &av).expect("a matrix");
        let ac: Csc<f64> = ByColumns::from_dense([m, n], &av).expect("a matrix");
        let q: DenseMat<f64> = Tensor::from_dense([m, e], &qv).expect("a matrix");
        let v: DenseMat<f64> = Tensor::from_dense([n, e], &vv).expect("a matrix");
        let w: DenseMat<f64> = Tensor::from_dense([n, f], &wv).expect("a matrix");
        let (mut o, mut t, mut above, mut s) =
            (vec![0.0; m * f], vec![0.0; m * f], vec![0.0; m * f], 0.0);
        sum([m, n, e, f], |[i, j, k, d]| {
            let product = qv[i * e + k] * vv[j * e + k] * wv[j * f + d];
            let term = av[i * n + j] * product;
            o[i * f + d] += term;
            t[d * m + i] += term;
            s += term;
            if av[i * n + j] > 0.0 {
                above[i * f + d] += product;
            }
        });
        alike! { o; attention(&a, &q, &v, &w) attention_of_columns(&ac, &q, &v, &w) rows(&a, &q, &v, &w) }
        alike! { t; turned(&a, &q, &v, &w) }
        alike! { above; least_of_rows(&a, &q, &v, &w) }
        in_all_ways("attention_of_scalars", &s, || attention_of_scalars(&a, &q, &v, &w));
    }
}

#[test]
fn sums_for_each_fiber() {
    for (seed, [m, n, o, p, q, r]) in [
        [0; 6],
        [1; 6],
        [2, 3, 4, 3, 2, 5],
        [5, 4, 6, 1, 0, 2],
        [4, 4, 0, 3, 3, 3],
        [8, 9, 7, 3, 17, 35],
    ]
    .into_iter()
    .enumerate()
    {
        let chance = &mut Numbers(seed as u64 + 40);
        let av = sparse(chance, m * n * o);
        let (bv, cv, dv) = (dense(chance, m * p), dense(chance, n * q), dense(chance, o * r));
        let a: Csf<f64> = Tensor::from_dense([m, n, o], &av).expect("a tensor");
        let by_rows: Rows = Tensor::from_dense([m, n, o], &av).expect("a tensor");
        let whole: Cube = Tensor::from_dense([m, n, o], &av).expect("a tensor");
        let b: DenseMat<f64> = Tensor::from_dense([m, p], &bv).expect("a matrix");
        let c: DenseMat<f64> = Tensor::from_dense([n, q], &cv).expect("a matrix");
        let d: DenseMat<f64> = Tensor::from_dense([o, r], &dv).expect("a matrix");
        let at = |i: usize, j: usize, k: usize| av[(i * n + j) * o + k];
        let mut y = vec![0.0; p * q * r];
        let mut two = vec![0.0; p * q];
        sum([m, n, o, p, q], |[i, j, k, s, t]| {
            let product = at(i, j, k) * bv[i * p + s] * cv[j * q + t];
            two[s * q + t] += product;
            (0..r).for_each(|u| y[(s * q + t) * r + u] += product * dv[k * r + u]);
        });
        alike! { y; tucker(&a, &b, &c, &d) tucker_of_rows(&by_rows, &b, &c, &d) dense_tucker(&whole, &b, &c, &d) }
        alike! { y; tucker_by_fibers(&a, &b, &c, &d) tucker_by_slices(&a, &b, &c, &d) }
        alike! { two; two_modes(&a, &b, &c) }
        let ev = dense(chance, n * r);
        let e: DenseMat<f64> = Tensor::from_dense([n, r], &ev).expect("a matrix");
        let mut y = vec![0.0; m * r];
        sum([m, n, o, r], |[i, j, k, u]| {
            y[i * r + u] += at(i, j, k) * ev[j * r + u] * dv[k * r + u]
        });
        alike! { y; factor(&a, &e, &d) }
        if m == n {
            let (x, ev) = (dense(chance, m), dense(chance, n * o));
            let xt: DenseVec<f64> = Tensor::from_dense([m], &x).expect("a vector");
            let e: DenseMat<f64> = Tensor::from_dense([n, o], &ev).expect("a matrix");
            let mut s = 0.0;
            sum([m, n, o], |[i, j, k]| s += at(i, j, k) * x[i] * ev[j * o + k] * x[j]);
            in_all_ways("all_of_it", &s, || all_of_it(&a, &xt, &e));
        }
    }
}
