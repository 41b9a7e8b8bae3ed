//! Shape operators mixed with what else there is: modifiers, protocols, conditions, workspaces, parallel loops.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

type Runs2 = Tensor<RunList<RunList<Element<f64>>>>;

finch! {
    fn permit_split(x: &SparseVec<f64>, n: usize, h: usize) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = split(coalesce(x[permit[k - 1]], 7), (k: n) -> (i, j: h)) }
    }
    fn permit_slice(x: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = slice(coalesce(x[permit[i - 2]], 7), (i: n) -> k, (1, n, 2)) }
    }
    fn permit_concat(x: &SparseVec<f64>, z: &Tensor<RunList<Element<f64>>>, n: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = concat((coalesce(x[permit[i - 2]], 7), z[j], coalesce(z[permit[l + 1]], 8)), (i: n, j, l: n) -> k) }
    }
    fn permit_collapse(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(coalesce(a[i, permit[j - 1]], 7), (i, j: n) -> k) }
    }
    fn permit_collapse_rows(a: &Csr<f64>, m: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = coalesce(collapse(a[permit[i - 1], j], (i: m, j) -> k), 7) }
    }
    fn permit_around(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(a[i, j], (i, j) -> k) + coalesce(x[permit[k - 3]], 0.5) }
    }
    fn windowed(a: &Csr<f64>, lo: usize, hi: usize) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(a[window(lo, hi)[i], j], (i, j) -> k) }
    }
    fn windowed_columns(a: &Csr<f64>, lo: usize, hi: usize) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(a[i, window(lo, hi)[j]], (i, j) -> k) }
    }
    fn windowed_runs(a: &Tensor<RunList<RunList<Element<f64>>>>, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(a[window(lo, hi)[i], window(0, hi)[j]], (i, j) -> k) }
    }
    fn triangle(a: &Csr<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(ifelse(i <= j, a[i, j], 0), (i, j) -> k) }
    }
    fn times_index(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(a[i, j] * (j + 1), (i, j) -> k) + k }
    }
    fn diagonal_split(a: &Csr<f64>, h: usize) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = split(a[k, k], k -> (i, j: h)) }
    }
    fn diagonal_slice(a: &Csr<f64>, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
        for k { y[k] = slice(a[i, i], i -> k, (lo, hi, 2)) }
    }
    fn with_turned(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(a[i, j] * b[j, i], (i, j) -> k) }
    }
    fn explicit(a: &Csr<f64>, lo: usize, hi: usize, n: usize) -> (y: DenseVec<f64>[n]) {
        for k in lo..hi { y[k] = collapse(a[i, j], (i, j) -> k) }
    }
    fn explicit_inner(x: &SparseVec<f64>, h: usize, lo: usize) -> (y: DenseVec<f64>) {
        for i { for j in lo..h { y[i] += split(x[k], k -> (i, j: h)) } }
    }
    fn scalar_in_front(t: f64, x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = concat((t, x[i]), (p: 1, i) -> k) }
    }
    fn updated(a: &Csr<f64>, y: &mut DenseVec<f64>) {
        for k { y[k] += collapse(a[i, j], (i, j) -> k) }
    }
    fn gathered(p: &DenseMat<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = x[collapse(p[i, j], (i, j) -> k)] }
    }
    fn masked(m: &Tensor<Dense<SparseList<Pattern>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for k { if collapse(m[i, j], (i, j) -> k) { y[k] = x[k] } }
    }
    fn unmasked(m: &Tensor<Dense<SparseList<Pattern>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for k { if !collapse(m[i, j], (i, j) -> k) { y[k] = x[k] } }
    }
    fn pattern_flat(m: &Tensor<Dense<SparseList<Pattern>>>) -> (y: Tensor<SparseList<Pattern>>) {
        for k { y[k] ||= collapse(m[i, j], (i, j) -> k) }
    }
    fn pattern_split(m: &Tensor<SparseList<Pattern>>, h: usize) -> (y: Tensor<Dense<SparseList<Pattern>>>) {
        for i, j { y[i, j] ||= split(m[k], k -> (i, j: h)) }
    }
    fn largest(a: &Csr<f64>, y: &mut f64) { for k { y <<max>>= collapse(a[i, j], (i, j) -> k) } }
    fn any(a: &Tensor<Dense<SparseList<Pattern>>>, y: &mut bool) { for k { y ||= collapse(a[i, j], (i, j) -> k) } }
    fn row_largest(x: &SparseVec<f64>, h: usize) -> (y: DenseVec<f64, NegInf>) {
        for i, j { y[i] <<max>>= split(x[k], k -> (i, j: h)) }
    }
    fn first_of(x: &SparseVec<f64>, z: &SparseVec<f64>, best: &mut (f64, u64)) {
        for k { best <<minby>>= (concat((x[i], z[j]), (i, j) -> k), k) }
    }
    fn stacked_product(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for r, c { y[r] += concat((a[i, c], b[j, c]), (i, j) -> r) * x[c] }
    }
    fn beside_product(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for r, c { y[r] += concat((a[r, i], b[r, j]), (i, j) -> c) * x[c] }
    }
    fn sliced_product(a: &Csr<f64>, b: &Csr<f64>, m: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: Tensor<BitTree<Element<f64>>>;
            { for j { c[i, j] = w[j] } } where { for k, j { w[j] += slice(a[l, k], l -> i, (0, m, 2)) * b[k, j] } }
        }
    }
    fn workspace(a: &Csr<f64>, n: usize) -> (y: DenseMat<f64>) {
        for r {
            let mut w: DenseVec<f64>[n];
            for c in 0..n { w[c] += a[r, c] }
            for c { y[r, c] = slice(w[i], i -> c, (0, n, 2)) }
        }
    }
    fn produced(a: &Csr<f64>, n: usize, h: usize) -> (y: DenseMat<f64>) {
        let mut w: DenseVec<f64>[n];
        { for p, q { y[p, q] = split(w[k], k -> (p, q: h)) } } where { for k { w[k] = collapse(a[i, j], (i, j) -> k) } }
    }
    fn parallel_flat(a: &Csr<f64>) -> (y: SparseVec<f64>, z: DenseVec<f64>) {
        parallel for k { y[k] = collapse(a[i, j], (i, j) -> k); z[k] = collapse(2 * a[i, j], (i, j) -> k) }
    }
    fn parallel_runs(a: &Tensor<RunList<RunList<Element<f64>>>>) -> (y: Tensor<RunList<Element<f64>>>) {
        parallel for k { y[k] = collapse(a[i, j], (i, j) -> k) }
    }
    fn parallel_split(x: &SparseVec<f64>, h: usize) -> (y: Csr<f64>) {
        parallel for i { for j { y[i, j] = split(x[k], k -> (i, j: h)) } }
    }
    fn parallel_concat(x: &SparseVec<f64>, z: &Tensor<PackBits<Element<f64>>>) -> (y: SparseVec<f64>) {
        parallel for l { y[l] = concat((x[i], z[j]), (i, j) -> l) }
    }
    fn parallel_above(a: &Csr<f64>, b: &Tensor<RunList<RunList<Element<f64>>>>, s: &mut f64) -> (y: Csr<f64>) {
        parallel for r { for c { y[r, c] = concat((a[i, c], b[j, c]), (i, j) -> r); s <<max>>= concat((a[i, c], b[j, c]), (i, j) -> r) } }
    }
    fn parallel_slice(x: &SparseVec<f64>, lo: usize, hi: usize, by: usize) -> (y: SparseVec<f64>) {
        parallel for k { y[k] = slice(x[i], i -> k, (lo, hi, by)) }
    }
}

#[test]
fn modifiers() {
    sizes(|m, n, seed| {
        let v = some(m, n, seed);
        let all = m * n;
        let (a, x): (Csr<f64>, SparseVec<f64>) =
            (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
        let z = Tensor::from_dense([all], &v).unwrap();
        let at =
            |k: i64, other: f64| if k >= 0 && (k as usize) < all { v[k as usize] } else { other };
        for h in divisors(all + 2) {
            same(
                &permit_split(&x, all + 2, h).to_dense(),
                &made([all + 2], |k| at(k as i64 - 1, 7.0)),
            );
        }
        same(
            &permit_slice(&x, all + 1).to_dense(),
            &made([all.div_ceil(2)], |k| at(2 * k as i64 - 1, 7.0)),
        );
        let front = made([all + 1], |k| at(k as i64 - 2, 7.0));
        let last = made([all + 1], |k| at(k as i64 + 1, 8.0));
        same(&permit_concat(&x, &z, all + 1).to_dense(), &[front, v.clone(), last].concat());
        for w in 0..n + 4 {
            same(
                &permit_collapse(&a, w).to_dense(),
                &made([m, w], |k| {
                    let (i, j) = (k / w, k % w);
                    if j >= 1 && j <= n {
                        v[i * n + j - 1]
                    } else {
                        7.0
                    }
                }),
            );
        }
        for w in 0..m + 4 {
            same(
                &permit_collapse_rows(&a, w).to_dense(),
                &made([w, n], |k| {
                    let (i, j) = (k / n, k % n);
                    if i >= 1 && i <= m {
                        v[(i - 1) * n + j]
                    } else {
                        7.0
                    }
                }),
            );
        }
        same(&permit_around(&a, &x).to_dense(), &made([all], |k| v[k] + at(k as i64 - 3, 0.5)));
        let b: Runs2 = a.convert().unwrap();
        for (lo, hi) in (0..=m).flat_map(|lo| (lo..=m).map(move |hi| (lo, hi))) {
            same(&windowed(&a, lo, hi).to_dense(), &v[lo * n..hi * n]);
            if hi <= n {
                same(
                    &windowed_runs(&b, lo, hi).to_dense(),
                    &made([hi - lo, hi], |k| v[(lo + k / hi) * n + k % hi]),
                );
            }
        }
        for (lo, hi) in (0..=n).flat_map(|lo| (lo..=n).map(move |hi| (lo, hi))) {
            same(
                &windowed_columns(&a, lo, hi).to_dense(),
                &made([m, hi - lo], |k| v[k / (hi - lo) * n + lo + k % (hi - lo)]),
            );
        }
    });
}

#[test]
fn indices() {
    sizes(|m, n, seed| {
        let v = some(m, n, 2 * seed);
        let all = m * n;
        let (a, x): (Csr<f64>, SparseVec<f64>) =
            (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
        same(&triangle(&a).to_dense(), &made([all], |k| if k / n <= k % n { v[k] } else { 0.0 }));
        close(&times_index(&a).to_dense(), &made([all], |k| v[k] * (k % n + 1) as f64 + k as f64));
        if m == n {
            for h in divisors(n) {
                same(&diagonal_split(&a, h).to_dense(), &made([n], |k| v[k * n + k]));
            }
            for lo in 0..=n {
                same(
                    &diagonal_slice(&a, lo, n).to_dense(),
                    &made([(n - lo).div_ceil(2)], |k| v[(lo + 2 * k) * (n + 1)]),
                );
            }
        }
        let b = Tensor::from_dense([n, m], &v).unwrap();
        close(&with_turned(&a, &b).to_dense(), &made([all], |k| v[k] * v[k % n * m + k / n]));
        for (lo, hi) in (0..=all).flat_map(|lo| (lo..=all).map(move |hi| (lo, hi))) {
            same(
                &explicit(&a, lo, hi, all).to_dense(),
                &made([all], |k| if k >= lo && k < hi { v[k] } else { 0.0 }),
            );
        }
        for h in divisors(all) {
            for lo in 0..=h {
                close(
                    &explicit_inner(&x, h, lo).to_dense(),
                    &made([all / h], |i| (lo..h).map(|j| v[i * h + j]).sum()),
                );
            }
        }
        same(&scalar_in_front(0.75, &x).to_dense(), &[&[0.75], &v[..]].concat());
        let mut y = Tensor::from_dense([all], &v).unwrap();
        updated(&a, &mut y);
        same(&y.to_dense(), &made([all], |k| 2.0 * v[k]));
        let to: Vec<u32> = (0..all).map(|k| ((k * 7 + 1) % all) as u32).collect();
        same(
            &gathered(
                &Tensor::from_dense([m, n], &to).unwrap(),
                &Tensor::from_dense([all], &v).unwrap(),
            )
            .to_dense(),
            &made([all], |k| v[to[k] as usize]),
        );
    });
}

#[test]
fn conditions() {
    sizes(|m, n, seed| {
        let v = some(m, n, 2 * seed);
        let all = m * n;
        let set: Vec<bool> = v.iter().map(|v| *v == 3.0).collect();
        let p: Tensor<Dense<SparseList<Pattern>>> = Tensor::from_dense([m, n], &set).unwrap();
        let q: Tensor<SparseList<Pattern>> = Tensor::from_dense([all], &set).unwrap();
        let (a, x, d): (Csr<f64>, SparseVec<f64>, DenseVec<f64>) = (
            Tensor::from_dense([m, n], &v).unwrap(),
            Tensor::from_dense([all], &v).unwrap(),
            Tensor::from_dense([all], &v).unwrap(),
        );
        same(&masked(&p, &d).to_dense(), &made([all], |k| if set[k] { v[k] } else { 0.0 }));
        same(&unmasked(&p, &d).to_dense(), &made([all], |k| if !set[k] { v[k] } else { 0.0 }));
        assert_eq!(pattern_flat(&p).to_dense(), set);
        for h in divisors(all) {
            assert_eq!(pattern_split(&q, h).to_dense(), set);
        }
        let mut most = -9.0;
        largest(&a, &mut most);
        assert_eq!(most, v.iter().fold(-9.0, |m: f64, v| m.max(*v)));
        let mut some = false;
        any(&p, &mut some);
        assert_eq!(some, set.contains(&true));
        for h in divisors(all) {
            same(
                &row_largest(&x, h).to_dense(),
                &made([all / h], |i| {
                    v[i * h..i * h + h].iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v))
                }),
            );
        }
        let mut best = (0.5, 77);
        first_of(&x, &x, &mut best);
        let expected =
            v.iter()
                .chain(&v)
                .zip(0..)
                .fold((0.5, 77), |b, (v, k)| if *v < b.0 { (*v, k) } else { b });
        assert_eq!(best, expected);
    });
}

#[test]
fn products_and_workspaces() {
    sizes(|m, n, seed| {
        let (v, u) = (some(m, n, 2 * seed), some(m, n, 2 * seed + 80));
        let (a, b): (Csr<f64>, Csr<f64>) =
            (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([m, n], &u).unwrap());
        let w = some(1, 2 * n, 2 * seed + 6);
        let dot = |row: &[f64]| -> f64 { row.iter().zip(&w).map(|(a, b)| a * b).sum() };
        let both = [&v[..], &u].concat();
        close(
            &stacked_product(&a, &b, &Tensor::from_dense([n], &w[..n]).unwrap()).to_dense(),
            &made([2 * m], |r| dot(&both[r * n..r * n + n])),
        );
        close(
            &beside_product(&a, &b, &Tensor::from_dense([2 * n], &w).unwrap()).to_dense(),
            &made([m], |r| dot(&[&v[r * n..r * n + n], &u[r * n..r * n + n]].concat())),
        );
        if m == n {
            let few = m.div_ceil(2);
            close(
                &sliced_product(&a, &b, m).to_dense(),
                &made([few, n], |k| (0..n).map(|l| v[k / n * 2 * n + l] * u[l * n + k % n]).sum()),
            );
        }
        let few = n.div_ceil(2);
        same(&workspace(&a, n).to_dense(), &made([m, few], |k| v[k / few * n + k % few * 2]));
        for h in divisors(m * n) {
            same(&produced(&a, m * n, h).to_dense(), &v);
        }
    });
}

#[test]
fn parallel() {
    for (m, n, seed) in [(0, 3, 1), (1, 1, 2), (40, 50, 3), (200, 30, 4), (1, 3000, 5)] {
        let v = some(m, n, 2 * seed);
        let all = m * n;
        let (a, x): (Csr<f64>, SparseVec<f64>) =
            (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
        let b: Runs2 = a.convert().unwrap();
        let (y, z) = parallel_flat(&a);
        same(&y.to_dense(), &v);
        same(&z.to_dense(), &made([all], |k| 2.0 * v[k]));
        same(&parallel_runs(&b).to_dense(), &v);
        for h in [1, 3, 10, 30].into_iter().filter(|h| all % h == 0) {
            same(&parallel_split(&x, h).to_dense(), &v);
        }
        same(&parallel_concat(&x, &x.convert().unwrap()).to_dense(), &[&v[..], &v].concat());
        let mut s = -9.0;
        same(&parallel_above(&a, &b, &mut s).to_dense(), &[&v[..], &v].concat());
        assert_eq!(s, v.iter().fold(-9.0, |m: f64, v| m.max(*v)));
        for (lo, by) in [(0, 1), (all / 3, 2), (all / 2, 7), (all, 3)] {
            same(
                &parallel_slice(&x, lo, all, by).to_dense(),
                &v[lo..].iter().step_by(by).copied().collect::<Vec<_>>(),
            );
        }
    }
}

/// Small shapes, and seeds.
fn sizes(each: impl Fn(usize, usize, u64)) {
    for (seed, (m, n)) in
        [(0, 1), (0, 4), (3, 0), (1, 1), (1, 6), (6, 1), (3, 4), (4, 4), (5, 5), (2, 7)]
            .into_iter()
            .enumerate()
    {
        each(m, n, 2 * seed as u64);
        each(m, n, 2 * seed as u64 + 101);
    }
}
