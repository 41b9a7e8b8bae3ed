//! Dense tensors that a nest of written loops reads and writes: what an iteration finds is what those before it left, as in the same
//! loops of Rust. Every kernel is compared to the last bit with these.

use looplets::prelude::*;

finch! {
    fn prefix(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        y[0] = x[0];
        for i in 1..n { y[i] = y[i - 1] + x[i] }
    }
    fn prefix_in_place(x: &mut DenseVec<f64>) { for i in 1..$(x.shape()[0]) { x[i] += x[i - 1] } }
    fn slice(x: &mut [f64]) { for i in 1..$(x.len()) { x[i] = x[i - 1] * 0.5 + x[i] } }
    fn solve(l: &Csr<f64>, d: &DenseVec<f64>, b: &DenseVec<f64>) -> (x: DenseVec<f64>) {
        for i { let mut t: f64; for j { if j < i { t += l[i, j] * x[j] } } x[i] = (b[i] - t) / d[i] }
    }
    fn solve_in_place(l: &Csr<f64>, d: &DenseVec<f64>, x: &mut DenseVec<f64>) {
        for i { for j { if j < i { x[i] -= l[i, j] * x[j] } } x[i] = x[i] / d[i] }
    }
    fn by_columns(u: &Csr<f64>, x: &mut DenseVec<f64>) { for j { for i { x[i] += u[j, i] * x[j] } } }
    fn swap(a: &mut DenseVec<f64>, b: &mut DenseVec<f64>) { for i { let t = a[i]; a[i] = b[i]; b[i] = t } }
    fn rotate(a: &mut DenseVec<f64>, b: &mut DenseVec<f64>, c: f64, s: f64) {
        for i { let t = c * a[i] + s * b[i]; b[i] = c * b[i] - s * a[i]; a[i] = t }
    }
    fn paths(d: &mut DenseMat<f64>) {
        for k, i, j { if d[i, k] + d[k, j] < d[i, j] { d[i, j] = d[i, k] + d[k, j] } }
    }
    fn paths_by_min(d: &mut DenseMat<f64>) { for k, i, j { d[i, j] <<min>>= d[i, k] + d[k, j] } }
    fn bellman(a: &Csr<f64>, d: &mut DenseVec<f64>) {
        for i, j { if a[i, j] != 0 && d[i] + a[i, j] < d[j] { d[j] = d[i] + a[i, j] } }
    }
    fn seen(a: &Graph, f: &DenseVec<bool>, seen: &mut DenseVec<bool>) -> (n: DenseVec<bool>) {
        for i, j { if f[i] && a[i, j] && !seen[j] { n[j] = true; seen[j] = true } }
    }
    fn labels(x: &DenseVec<f64>, c: &DenseVec<f64>, best: &mut DenseVec<f64>) -> (l: DenseVec<usize>) {
        for i, k { if abs(x[i] - c[k]) < best[i] { best[i] = abs(x[i] - c[k]); l[i] = k } }
    }
    fn integral(x: &DenseMat<f64>) -> (s: DenseMat<f64>) {
        for i, j {
            s[i, j] = x[i, j];
            if i > 0 { s[i, j] += s[i - 1, j] }
            if j > 0 { s[i, j] += s[i, j - 1] }
            if i > 0 && j > 0 { s[i, j] -= s[i - 1, j - 1] }
        }
    }
    fn jump(p: &mut DenseVec<usize>) { for i { p[i] = p[p[i]] } }
    // New elements are what is meant.
    #[allow(deprecated)]
    fn sweeps(x: &mut DenseVec<f64>, b: &DenseVec<f64>) {
        for s in 0..3 { for i in 1..$(x.shape()[0]) - 1 { x[i] = (x[i - 1] + x[i + 1] + b[i]) / 2 } }
    }
    fn common(a: &DenseVec<u8>, b: &DenseVec<u8>, n: usize, m: usize) -> (t: DenseMat<u32>[n + 1, m + 1]) {
        for i in 1..n + 1, j in 1..m + 1 {
            t[i, j] = ifelse(a[i - 1] == b[j - 1], t[i - 1, j - 1] + 1, max(t[i - 1, j], t[i, j - 1]))
        }
    }
    fn reverse(x: &mut DenseVec<f64>, n: usize) {
        for i in 0..n / 2 { let t = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = t }
    }
    fn thomas(a: &DenseVec<f64>, b: &DenseVec<f64>, c: &DenseVec<f64>, d: &DenseVec<f64>, n: usize) -> (x: DenseVec<f64>[n]) {
        let mut e: DenseVec<f64>[n];
        let mut f: DenseVec<f64>[n];
        e[0] = c[0] / b[0];
        f[0] = d[0] / b[0];
        for i in 1..n {
            let m = b[i] - a[i] * e[i - 1];
            e[i] = c[i] / m;
            f[i] = (d[i] - a[i] * f[i - 1]) / m;
        }
        x[n - 1] = f[n - 1];
        for k in 1..n { x[n - 1 - k] = f[n - 1 - k] - e[n - 1 - k] * x[n - k] }
    }
    fn sorted(x: &mut DenseVec<f64>, n: usize) {
        for s in 0..n { for i in 1..n { if x[i - 1] > x[i] { let t = x[i]; x[i] = x[i - 1]; x[i - 1] = t } } }
    }
    fn spread(x: &mut DenseVec<f64>) { for i in 1..$(x.shape()[0]) { x[i] = x[0] } }
    // Reads that do not go along with the loop around, which the loop writes.
    fn fixed(x: &mut DenseVec<f64>, y: &DenseVec<f64>) { for i { for j { x[i] += y[j] * x[3] } } }
    fn gathered(x: &mut DenseVec<f64>, p: &DenseVec<usize>, a: &SparseVec<f64>) {
        for i { x[p[i]] += 2 * x[i] + a[i]; x[i] *= a[i] + 1 }
    }
    fn named(x: &mut DenseVec<f64>, p: &DenseVec<usize>) -> (s: f64) {
        for i { let old = x[p[i]]; x[i] = old * 0.5 + 1; let new = x[p[i]]; s += new - old }
    }
    // Loops of which nothing depends on the index.
    fn repeated(x: &mut DenseVec<f64>, n: usize) { for i in 1..$(x.shape()[0]) { for k in 0..n { x[i] = x[i - 1] + x[i] } } }
    fn repeated_sum(x: &mut DenseVec<f64>, n: usize) { for i in 1..$(x.shape()[0]) { for k in 0..n { x[i] += x[0] * 2 } } }
    fn runs(r: &Tensor<RunList<Element<f64>>>, y: &mut DenseVec<f64>) { for i { if i > 0 { y[i] = r[i] * y[i - 1] + y[i] } } }
    // Each row has its own.
    fn workspace(a: &Csr<f64>, n: usize) -> (c: DenseMat<f64>) {
        for i {
            let mut w: DenseVec<f64>[n];
            for j { w[j] += a[i, j] }
            for j in 1..n { w[j] += w[j - 1] }
            for j in 0..n { c[i, j] = w[j] }
        }
    }
    // Reads that a condition in the value guards; a polynomial by Horner; a fixed point.
    fn chosen(x: &DenseVec<f64>, y: &mut DenseVec<f64>, n: usize) {
        for i in 1..n - 1, u in 0..n { y[u] = ifelse(u > i, y[(i + i) % n], x[u]) - y[u] }
    }
    fn horner(c: &DenseVec<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, k { y[i] = c[k] + x[i] * y[i] } }
    fn fixed_point(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i { y[i] = x[i]; for k in 0..n { y[i] = 1 + 0.5 * y[i] } }
    }
    fn condition(x: &mut DenseVec<i32>) -> (n: usize) {
        for i in 1..$(x.shape()[0]) { if x[i - 1] > 0 { x[i] = -x[i]; n += 1 } else { x[i] = x[i - 1] } }
    }
    fn sieve(n: usize) -> (c: DenseVec<bool>[n]) {
        for i in 2..n { if !c[i] { for j in 2..n { if i * j < n { c[i * j] = true } } } }
    }
}

finch! {
    // Gaps of what is read beside are not gone through.
    #![cost(len(i) + stored(l))]
    fn promised(l: &Csr<f64>, d: &DenseVec<f64>, x: &mut DenseVec<f64>) {
        for i { for j { if j < i { x[i] -= l[i, j] * x[j] } } x[i] /= d[i] }
    }
    fn promised_columns(l: &Csr<f64>, x: &mut DenseVec<f64>) { for i, j { x[j] += l[i, j] * x[i] } }
}
finch! {
    // A workspace that begins in a parallel loop has an order of its own in each iteration.
    fn summed_rows(a: &Csr<f64>, n: usize) -> (c: DenseMat<f64>) {
        parallel for i {
            let mut w: DenseVec<f64>[n];
            for j { w[j] += a[i, j] }
            for j in 1..n { w[j] += w[j - 1] }
            for j in 0..n { c[i, j] = w[j] }
        }
    }
    // What a condition found out of an element does not hold behind an assignment to it.
    fn found_before(p: &mut DenseVec<i64>) {
        for i { if p[i] >= 0 && p[i] < $(p.shape()[0]) { p[i] = p[i] + 100; p[p[i]] = 7 } }
    }
    fn found_of_another(p: &mut DenseVec<i64>, k: usize) {
        for i { if p[i] >= 0 && p[i] < $(p.shape()[0]) { p[k] = 100; p[p[i]] = 7 } }
    }
    fn still_found(p: &mut DenseVec<i64>) {
        for i { let k = p[i]; if k >= 0 && k < $(p.shape()[0]) { p[i] = 100; p[k] += 1 } }
    }
    // A size is a `usize` in Rust, and a coordinate in bounds.
    fn sizes(x: &mut DenseVec<f64>, y: &[f64]) -> (s: f64) {
        let n = $(x.shape()[0]);
        for i in 1..$(x.shape()[0]) { x[i] = x[$(x.shape()[0]) - 1 - i] / $(y.len()) + y[0]; s += $(half(n)) }
    }
}

fn half(n: usize) -> f64 {
    n as f64 / 2.0
}

const HOSTILE: [f64; 9] = [1.5, -0.0, f64::INFINITY, -2.25, 5e-324, 0.1, f64::MAX, -3.0, 0.0];
const TAME: [f64; 9] = [1.5, -0.0, 0.25, -2.25, 5e-324, 0.1, 7.0, -3.0, 0.0];

/// A vector of these values.
macro_rules! dense {
    ($values:expr) => {{
        let values = $values;
        DenseVec::from_dense([values.len()], &values[..]).unwrap()
    }};
}

/// Whether two results are the same to the last bit, but for which NaN it is.
#[track_caller]
fn same(got: Vec<f64>, want: &[f64]) {
    let bits = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
    let (left, right): (Vec<u64>, Vec<u64>) =
        (got.iter().map(bits).collect(), want.iter().map(bits).collect());
    assert_eq!(left, right, "{got:?} {want:?}");
}

fn lower() -> (Csr<f64>, [[f64; 9]; 9]) {
    let mut dense = [[0.0; 9]; 9];
    for i in 0..9 {
        for j in 0..9 {
            if (i * 5 + j * 3) % 4 == 0 {
                dense[i][j] = TAME[(i + 2 * j) % 9];
            }
        }
    }
    (Csr::from_dense([9, 9], &dense.concat()).unwrap(), dense)
}

#[test]
fn recurrences() {
    for x in [HOSTILE, TAME] {
        let mut want = x;
        for i in 1..9 {
            want[i] = want[i - 1] + x[i];
        }
        same(prefix(&dense!(&x), 9).to_dense(), &want);
        let mut got = dense!(&x);
        prefix_in_place(&mut got);
        same(got.to_dense(), &want);
        let (mut got, mut want) = (x, x);
        slice(&mut got);
        (1..9).for_each(|i| want[i] = want[i - 1] * 0.5 + want[i]);
        same(got.to_vec(), &want);
        let mut got = dense!(&x);
        sweeps(&mut got, &dense!(&TAME));
        let mut want = x;
        for _ in 0..3 {
            (1..8).for_each(|i| want[i] = (want[i - 1] + want[i + 1] + TAME[i]) / 2.0);
        }
        same(got.to_dense(), &want);
        let mut got = dense!(&x);
        spread(&mut got);
        same(got.to_dense(), &[x[0]; 9]);
    }
    let mut one = dense!(&[2.0]);
    prefix_in_place(&mut one);
    same(one.to_dense(), &[2.0]);
    prefix_in_place(&mut dense!(&[0.0; 0]));
}

#[test]
fn triangular_solves() {
    let (l, dense) = lower();
    let d = [2.0, -0.5, 4.0, 1.0, 0.25, 3.0, -1.0, 8.0, 0.1];
    let mut want = [0.0; 9];
    for i in 0..9 {
        let mut t = 0.0;
        (0..i).filter(|j| dense[i][*j] != 0.0).for_each(|j| t += dense[i][j] * want[j]);
        want[i] = (TAME[i] - t) / d[i];
    }
    same(solve(&l, &dense!(&d), &dense!(&TAME)).to_dense(), &want);
    let (mut x, mut want) = (dense!(&TAME), TAME);
    solve_in_place(&l, &dense!(&d), &mut x);
    for i in 0..9 {
        for j in 0..i {
            if dense[i][j] != 0.0 {
                want[i] -= dense[i][j] * want[j];
            }
        }
        want[i] /= d[i];
    }
    same(x.to_dense(), &want);
    let (mut x, mut want) = (dense!(&TAME), TAME);
    by_columns(&l, &mut x);
    for j in 0..9 {
        for i in 0..9 {
            if dense[j][i] != 0.0 {
                want[i] += dense[j][i] * want[j];
            }
        }
    }
    same(x.to_dense(), &want);
}

#[test]
fn tridiagonal_systems() {
    let (a, b, c) = (TAME, [9.0; 9], TAME.map(|x| x - 1.0));
    let got = thomas(&dense!(&a), &dense!(&b), &dense!(&c), &dense!(&TAME), 9).to_dense();
    let (mut e, mut f, mut x) = ([0.0; 9], [0.0; 9], [0.0; 9]);
    (e[0], f[0]) = (c[0] / b[0], TAME[0] / b[0]);
    for i in 1..9 {
        let m = b[i] - a[i] * e[i - 1];
        (e[i], f[i]) = (c[i] / m, (TAME[i] - a[i] * f[i - 1]) / m);
    }
    x[8] = f[8];
    (1..9).for_each(|k| x[8 - k] = f[8 - k] - e[8 - k] * x[9 - k]);
    same(got, &x);
}

#[test]
fn exchanges() {
    let (mut a, mut b) = (dense!(&HOSTILE), dense!(&TAME));
    swap(&mut a, &mut b);
    same(a.to_dense(), &TAME);
    same(b.to_dense(), &HOSTILE);
    let (mut a, mut b) = (TAME, HOSTILE);
    let (mut p, mut q) = (dense!(&a), dense!(&b));
    rotate(&mut p, &mut q, 0.6, 0.8);
    for i in 0..9 {
        let t = 0.6 * a[i] + 0.8 * b[i];
        b[i] = 0.6 * b[i] - 0.8 * a[i];
        a[i] = t;
    }
    same(p.to_dense(), &a);
    same(q.to_dense(), &b);
    let mut x = dense!(&HOSTILE);
    reverse(&mut x, 9);
    same(x.to_dense(), &HOSTILE.iter().rev().copied().collect::<Vec<_>>());
    let (mut x, mut want) = (dense!(&HOSTILE), HOSTILE);
    sorted(&mut x, 9);
    // Both zeros are equal, and stay in their order.
    for _ in 0..9 {
        for i in 1..9 {
            if want[i - 1] > want[i] {
                want.swap(i - 1, i);
            }
        }
    }
    same(x.to_dense(), &want);
}

#[test]
fn graphs() {
    let inf = f64::INFINITY;
    let (_, sparse) = lower();
    let mut want = sparse.map(|row| row.map(|x| if x == 0.0 { inf } else { x.abs() }));
    let all = DenseMat::from_dense([9, 9], &want.concat()).unwrap();
    for k in 0..9 {
        for i in 0..9 {
            for j in 0..9 {
                want[i][j] = want[i][j].min(want[i][k] + want[k][j]);
            }
        }
    }
    let (mut one, mut other) = (all.clone(), all);
    paths(&mut one);
    paths_by_min(&mut other);
    same(one.to_dense(), &want.concat());
    same(other.to_dense(), &want.concat());
    let (l, dense) = lower();
    let mut want = [inf; 9];
    want[0] = 0.0;
    let mut d = dense!(&want);
    bellman(&l, &mut d);
    for i in 0..9 {
        for j in 0..9 {
            if dense[i][j] != 0.0 && want[i] + dense[i][j] < want[j] {
                want[j] = want[i] + dense[i][j];
            }
        }
    }
    same(d.to_dense(), &want);
    let edges = dense.concat().iter().map(|x| *x != 0.0).collect::<Vec<bool>>();
    let a = Graph::from_dense([9, 9], &edges).unwrap();
    let front: Vec<bool> = (0..9).map(|i| i % 3 == 0).collect();
    let mut before = dense!(&[true, false, false, false, true, false, false, false, false]);
    let mut known = before.to_dense();
    let got = seen(&a, &dense!(&front), &mut before).to_dense();
    let mut new = vec![false; 9];
    for i in 0..9 {
        for j in 0..9 {
            if front[i] && edges[9 * i + j] && !known[j] {
                (new[j], known[j]) = (true, true);
            }
        }
    }
    assert_eq!((got, before.to_dense()), (new, known));
    let mut p = dense!(&[0usize, 0, 1, 2, 3, 8, 5, 6, 7]);
    let mut want = p.to_dense();
    jump(&mut p);
    (0..9).for_each(|i| want[i] = want[want[i]]);
    assert_eq!(p.to_dense(), want);
}

#[test]
fn tables() {
    let x = [[1.0, 2.0, -0.5], [4.0, 5.0, 6.0]];
    let mut want = [[0.0; 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            want[i][j] = x[i][j];
            if i > 0 {
                want[i][j] += want[i - 1][j];
            }
            if j > 0 {
                want[i][j] += want[i][j - 1];
            }
            if i > 0 && j > 0 {
                want[i][j] -= want[i - 1][j - 1];
            }
        }
    }
    same(integral(&DenseMat::from_dense([2, 3], &x.concat()).unwrap()).to_dense(), &want.concat());
    let (a, b) = (b"ABCBDAB", b"BDCABA");
    let mut want = [[0u32; 7]; 8];
    for i in 1..8 {
        for j in 1..7 {
            want[i][j] = match a[i - 1] == b[j - 1] {
                true => want[i - 1][j - 1] + 1,
                false => want[i - 1][j].max(want[i][j - 1]),
            };
        }
    }
    assert_eq!(common(&dense!(&a[..]), &dense!(&b[..]), 7, 6).to_dense(), want.concat());
    let composite = sieve(50).to_dense();
    let primes: Vec<usize> = (2..50).filter(|i| !composite[*i]).collect();
    assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]);
    let inf = f64::INFINITY;
    let mut best = dense!(&[inf; 9]);
    let c = [0.0, 2.0, -3.0, f64::NAN];
    let got = labels(&dense!(&HOSTILE), &dense!(&c), &mut best).to_dense();
    let (mut label, mut least) = (vec![0; 9], [inf; 9]);
    for i in 0..9 {
        for k in 0..4 {
            if (HOSTILE[i] - c[k]).abs() < least[i] {
                (least[i], label[i]) = ((HOSTILE[i] - c[k]).abs(), k);
            }
        }
    }
    assert_eq!(got, label);
    same(best.to_dense(), &least);
}

#[test]
fn what_does_not_go_along_with_a_loop() {
    for x in [HOSTILE, TAME] {
        let (mut got, mut want) = (dense!(&x), x);
        fixed(&mut got, &dense!(&TAME));
        for i in 0..9 {
            (0..9).for_each(|j| want[i] += TAME[j] * want[3]);
        }
        same(got.to_dense(), &want);
        let p = [3usize, 3, 0, 8, 1, 2, 7, 7, 5];
        let mut a = [0.0; 9];
        (a[2], a[5], a[8]) = (2.5, -1.0, 0.5);
        let sparse = SparseVec::from_dense([9], &a).unwrap();
        let (mut got, mut want) = (dense!(&x), x);
        gathered(&mut got, &dense!(&p), &sparse);
        for i in 0..9 {
            want[p[i]] += 2.0 * want[i] + a[i];
            want[i] *= a[i] + 1.0;
        }
        same(got.to_dense(), &want);
        let (mut got, mut want, mut sum) = (dense!(&x), x, 0.0);
        let s = named(&mut got, &dense!(&p));
        for i in 0..9 {
            let old = want[p[i]];
            want[i] = old * 0.5 + 1.0;
            sum += want[p[i]] - old;
        }
        same(got.to_dense(), &want);
        same(vec![s], &[sum]);
        for n in [0, 1, 4] {
            let (mut got, mut want) = (dense!(&x), x);
            repeated(&mut got, n);
            for i in 1..9 {
                (0..n).for_each(|_| want[i] = want[i - 1] + want[i]);
            }
            same(got.to_dense(), &want);
            let (mut got, mut want) = (dense!(&TAME), TAME);
            repeated_sum(&mut got, n);
            for i in 1..9 {
                (0..n).for_each(|_| want[i] += want[0] * 2.0);
            }
            same(got.to_dense(), &want);
        }
        let r = [2.0, 2.0, 2.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
        let (mut got, mut want) = (dense!(&x), x);
        runs(&Tensor::from_dense([9], &r).unwrap(), &mut got);
        (1..9).for_each(|i| want[i] = r[i] * want[i - 1] + want[i]);
        if x == TAME {
            same(got.to_dense(), &want);
        }
    }
    let mut x = dense!(&[1, 5, -2, 0, 7, i32::MAX]);
    let mut want = x.to_dense();
    let mut count = 0;
    for i in 1..6 {
        if want[i - 1] > 0 {
            want[i] = -want[i];
            count += 1;
        } else {
            want[i] = want[i - 1];
        }
    }
    assert_eq!((condition(&mut x), x.to_dense()), (count, want));
    let (l, mut want) = lower();
    for row in &mut want {
        (1..9).for_each(|j| row[j] += row[j - 1]);
    }
    same(workspace(&l, 9).to_dense(), &want.concat());
}

#[test]
fn what_each_iteration_makes_of_the_same_element() {
    let (mut got, mut want) = (dense!(&TAME), TAME);
    chosen(&dense!(&HOSTILE), &mut got, 9);
    for i in 1..8 {
        for u in 0..9 {
            want[u] = if u > i { want[(i + i) % 9] } else { HOSTILE[u] } - want[u];
        }
    }
    same(got.to_dense(), &want);
    let mut want = [0.0; 9];
    for i in 0..9 {
        TAME.iter().for_each(|c| want[i] = c + HOSTILE[i] * want[i]);
    }
    same(horner(&dense!(&TAME), &dense!(&HOSTILE)).to_dense(), &want);
    let mut want = HOSTILE;
    for x in &mut want {
        (0..5).for_each(|_| *x = 1.0 + 0.5 * *x);
    }
    same(fixed_point(&dense!(&HOSTILE), 5).to_dense(), &want);
}

#[test]
fn promises_workspaces_and_sizes() {
    let (l, dense) = lower();
    let d = [2.0, -0.5, 4.0, 1.0, 0.25, 3.0, -1.0, 8.0, 0.1];
    let (mut one, mut other) = (dense!(&TAME), dense!(&TAME));
    promised(&l, &dense!(&d), &mut one);
    solve_in_place(&l, &dense!(&d), &mut other);
    same(one.to_dense(), &other.to_dense());
    let (mut one, mut other) = (dense!(&TAME), dense!(&TAME));
    promised_columns(&l, &mut one);
    by_columns(&l, &mut other);
    same(one.to_dense(), &other.to_dense());
    let mut want = dense;
    for row in &mut want {
        (1..9).for_each(|j| row[j] += row[j - 1]);
    }
    same(summed_rows(&l, 9).to_dense(), &want.concat());
    let (mut got, mut want, y) = (dense!(&HOSTILE), HOSTILE, [0.0; 4]);
    let s = sizes(&mut got, &y);
    (1..9).for_each(|i| want[i] = want[8 - i] / 4.0 + y[0]);
    same(got.to_dense(), &want);
    assert_eq!(s, 8.0 * 4.5);
    let mut p = dense!(&[1i64, 2, 0, -1]);
    still_found(&mut p);
    let mut want = [1i64, 2, 0, -1];
    for i in 0..4 {
        let k = want[i];
        if (0..4).contains(&k) {
            want[i] = 100;
            want[k as usize] += 1;
        }
    }
    assert_eq!(p.to_dense(), want);
}

/// An index that leaves the tensor is an error, of the access that does and at no other time.
#[test]
fn indices_outside() {
    let caught = |f: &dyn Fn()| {
        let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_err();
        error.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let error = caught(&|| jump(&mut dense!(&[1usize, 9])));
    assert!(error.contains("`p`") && error.contains('9'), "{error}");
    let error = caught(&|| found_before(&mut dense!(&[1i64, 2, 0])));
    assert!(error.contains("`p`") && error.contains("101"), "{error}");
    let error = caught(&|| found_of_another(&mut dense!(&[1i64, 2, 0]), 0));
    assert!(error.contains("`p`") && error.contains("100"), "{error}");
    let error = caught(&|| reverse(&mut dense!(&TAME), 20));
    assert!(error.contains("`x`"), "{error}");
    let error = caught(&|| {
        drop(thomas(&dense!(&TAME), &dense!(&TAME), &dense!(&TAME), &dense!(&TAME), 12))
    });
    assert!(error.contains("size 9"), "{error}");
}
