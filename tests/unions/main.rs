//! Many operands in one loop: what they make, beside loops over all elements, for operands that are told apart by
//! cases and for those that are selected.

mod fibers;
#[path = "../kinds/mod.rs"]
mod kinds;
mod left;
mod operators;
mod stored;
use kinds::Kind;
use looplets::prelude::*;
use stored::*;

level! { type Pairs = Tensor<Coo<Singleton<Element<f64>>>>; }
level! { type Bits = Tensor<Bitmap<Element<f64>>>; }
level! { type Bytes = Tensor<ByteMap<Element<f64>>>; }
level! { type Hashed = Tensor<Hash<Element<f64>>>; }
level! { type Unordered = Tensor<UnorderedList<Element<f64>>>; }
level! { type Runs = Tensor<RunList<Element<f64>>>; }
level! { type Band = Tensor<SparseBand<Element<f64>>>; }
level! { type Blocks = Tensor<SparseBlockList<Element<f64>>>; }
level! { type Distances = Tensor<SparseList<Element<f64, Inf>>>; }
level! { type Voids = Tensor<SparseList<Element<f64, NaN>>>; }
level! { type Marks = Tensor<SparseList<Pattern>>; }
level! { type Rows = Tensor<SparseList<SparseList<Element<f64>>>>; }
level! { type RowsOfDense = Tensor<SparseList<Dense<Element<f64>>>>; }

level! {
    /// A list that nothing vouches for, over all of the extent: the last coordinate is stored always.
    pub struct Plain<Child> { len: usize, pos: Vec<usize>, crd: Vec<u32>, child: Child }
    invariant(fibers) {
        if pos.len() != fibers + 1 { return Err(String::from("`pos` does not fit")); }
        Ok(crd.len())
    }
    read walk(p) {
        let end = pos[p + 1];
        stepper {
            for q in pos[p]..end,
            seek(i): looplets::search::lower_bound(crd, q, end, i),
            stop: crd[q] + 1,
            body: spike(fill, child[q]),
        }
    }
}
level! {
    type Plains = Tensor<Plain<Element<f64>>>;
}
level! {
    type Shifted = Tensor<kinds::Based<Element<f64>>>;
}
level! {
    type Covering = Tensor<kinds::Peaks<Element<f64>>>;
}

operator! {
    /// The one that is further from 0; the first of two that are as far.
    fn further(a: f64, b: f64) -> f64 { if b.abs() > a.abs() { b } else { a } }
    associative;
    identity 0;
}

operator! {
    /// The first if it is stored, else the second.
    fn over(a: f64, b: f64) -> f64 { if a != 0.0 { a } else { b } }
    space a | b else 0;
}

finch! {
    fn none() -> (c: SparseVec<f64>[9]) { for i in 0..9 { c[i] = 0 } }
    fn one(a: &SparseVec<f64>) -> (c: SparseVec<f64>) { for i { c[i] = a[i] } }
    fn two(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) { for i { c[i] = a[i] + b[i] } }
    fn five(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>)
        -> (c: SparseVec<f64>) {
        for i { c[i] = a[i] + b[i] + d[i] + e[i] + f[i] }
    }
    fn five_dense(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>)
        -> (c: DenseVec<f64>) {
        for i { c[i] = 2 * (a[i] + b[i]) - d[i] / 4 + (e[i] + f[i]) }
    }
    fn twelve(a: &SparseVec<f64>, b: &Bits, d: &Bytes, e: &Hashed, f: &Unordered, g: &DenseVec<f64>, h: &SparseVec<f64>,
        k: &Runs, l: &Band, m: &SparseVec<f64>, n: &SparseVec<f64>, o: &Blocks) -> (c: DenseVec<f64>) {
        for i {
            c[i] = a[i] + b[i] + d[i] + e[i] + f[i] + g[i] + h[i] + k[i] + l[i] + m[i::gallop] + n[i] + o[i]
        }
    }
    fn thirty_two(
        a0: &SparseVec<f64>, a1: &SparseVec<f64>, a2: &SparseVec<f64>, a3: &SparseVec<f64>, a4: &SparseVec<f64>,
        a5: &SparseVec<f64>, a6: &SparseVec<f64>, a7: &SparseVec<f64>, a8: &SparseVec<f64>, a9: &SparseVec<f64>,
        b0: &SparseVec<f64>, b1: &SparseVec<f64>, b2: &SparseVec<f64>, b3: &SparseVec<f64>, b4: &SparseVec<f64>,
        b5: &SparseVec<f64>, b6: &SparseVec<f64>, b7: &SparseVec<f64>, b8: &SparseVec<f64>, b9: &SparseVec<f64>,
        d0: &SparseVec<f64>, d1: &SparseVec<f64>, d2: &SparseVec<f64>, d3: &SparseVec<f64>, d4: &SparseVec<f64>,
        d5: &SparseVec<f64>, d6: &SparseVec<f64>, d7: &SparseVec<f64>, d8: &SparseVec<f64>, d9: &SparseVec<f64>,
        e0: &SparseVec<f64>, e1: &SparseVec<f64>
    ) -> (c: SparseVec<f64>) {
        for i {
            c[i] = a0[i] + a1[i] + a2[i] + a3[i] + a4[i] + a5[i] + a6[i] + a7[i] + a8[i] + a9[i]
                + b0[i] + b1[i] + b2[i] + b3[i] + b4[i] + b5[i] + b6[i] + b7[i] + b8[i] + b9[i]
                + d0[i] + d1[i] + d2[i] + d3[i] + d4[i] + d5[i] + d6[i] + d7[i] + d8[i] + d9[i] + e0[i] + e1[i]
        }
    }
    fn declared(a: &Plains, b: &Plains, d: &Shifted, e: &Shifted, f: &Covering, n: usize)
        -> (c: DenseVec<f64>, s: SparseVec<f64>[n]) {
        for i { c[i] = a[i] + b[i] + d[i] + e[i] + f[i::gallop] }
        for i in n / 3..n { s[i] = a[i] + b[i] + d[i] + e[i] + f[i::gallop] }
    }
    fn greatest(a: &SparseVec<i32>, b: &SparseVec<i32>, d: &SparseVec<i32>, e: &SparseVec<i32>) -> (c: SparseVec<i32>) {
        for i { c[i] = max(a[i], b[i], d[i], e[i]) }
    }
    fn least(a: &Distances, b: &Distances, d: &Distances, e: &Distances) -> (c: Distances) {
        for i { c[i] = min(a[i], b[i], d[i], e[i]) }
    }
    fn voids(a: &Voids, b: &Voids, d: &Voids, e: &Voids) -> (c: Voids, s: Voids) {
        for i { c[i] = max(a[i] * b[i], d[i] * e[i]); s[i] = a[i] + b[i] + d[i] + e[i] }
    }
    fn mixed_fills(a: &Distances, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>)
        -> (c: DenseVec<f64>) {
        for i { c[i] = min(a[i], b[i] + d[i] + e[i] + f[i]) }
    }
    fn products(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>,
        g: &SparseVec<f64>, x: &DenseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = a[i] * b[i] + d[i] * e[i] * x[i] + f[i] * g[i] }
    }
    fn masked(m: &SparseVec<f64>, a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>)
        -> (c: SparseVec<f64>) {
        for i { c[i] = m[i] * (a[i] + b[i] + d[i] + e[i]) }
    }
    fn ratios(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, x: &DenseVec<f64>)
        -> (c: DenseVec<f64>) {
        for i { c[i] = (a[i] / x[i] + b[i] / x[i]) + (d[i] / x[i] + e[i] * x[i]) }
    }
    fn kept(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, x: &DenseVec<f64>)
        -> (c: DenseVec<f64>) {
        for i { let s = a[i] * 2; let t = b[i] + d[i]; c[i] = s * x[i] + t * x[i] + e[i] }
    }
    fn under(m: &Marks, a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>)
        -> (c: SparseVec<f64>) {
        for i { if !m[i] { c[i] = a[i] + b[i] + d[i] + e[i] } }
    }
    fn conditions(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>)
        -> (c: SparseVec<f64>) {
        for i { if a[i] > 0 || b[i] < 0 || d[i] != 0 || e[i] >= 2 { c[i] = 1 + f[i] } }
    }
    fn marks(a: &Marks, b: &Marks, d: &Marks, e: &Marks, any: &mut bool) -> (c: Marks) {
        for i { any ||= a[i] && b[i] && d[i] && e[i]; c[i] = a[i] && b[i] || d[i] && e[i] }
    }
    fn found(a: &Marks, b: &Marks, d: &Marks, e: &Marks, any: &mut bool) {
        for i { any ||= (a[i] != b[i]) && (d[i] != e[i]) }
    }
    fn chosen(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = ifelse(a[i] > b[i], d[i], e[i] + 1) }
    }
    fn moved(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, n: usize)
        -> (c: SparseVec<f64>[n]) {
        for i in 2..n - 3 { c[i] = a[i - 2] + b[i] + d[i + 1] + e[i + 3] }
    }
    fn partly(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>)
        -> (c: DenseVec<f64>) {
        for i { c[i] = coalesce(a[permit[i - 3]], 0.5) + b[i] + d[i] + e[i] + f[i] }
    }
    fn statements(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, f: &SparseVec<f64>,
        g: &SparseVec<f64>, s: &mut f64, t: &mut f64) -> (y: SparseVec<f64>, z: DenseVec<f64>) {
        for i { y[i] = a[i] + b[i]; s += d[i]; z[i] = e[i]; t <<max>>= f[i] * g[i] }
    }
    fn totals(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, s: &mut f64, w: f64) {
        for i { s += w * (a[i] + b[i]) + (d[i] - e[i]) }
    }
    fn chunks(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, s: &mut f64)
        -> (y: DenseVec<f64>, z: SparseVec<f64>) {
        parallel for i { y[i] = a[i] + b[i] + d[i] + e[i]; z[i] = a[i] + b[i] + d[i] + e[i]; s += a[i] - e[i] }
    }
    fn csr(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>, e: &Csr<f64>, f: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] + d[i, j] + e[i, j] + f[i, j] }
    }
    fn rows(a: &Rows, b: &Pairs, d: &Csr<f64>, e: &Rows, f: &RowsOfDense, g: &Rows) -> (c: DenseMat<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] + d[i, j] + e[i, j] + f[i, j] + g[i, j] }
    }
    fn spread(a: &Rows, b: &RowsOfDense, d: &RowsOfDense, e: &RowsOfDense, f: &RowsOfDense) -> (c: Pairs) {
        for i, j { c[i, j] = a[i, j] + b[i, j] + d[i, j] + e[i, j] + f[i, j] }
    }
    fn pairs(a: &Pairs, b: &Pairs, d: &Pairs) -> (c: Pairs) { for i, j { c[i, j] = a[i, j] + b[i, j] + d[i, j] } }
    fn met(a: &Pairs, b: &Pairs, d: &Pairs, e: &Pairs, x: &DenseMat<f64>) -> (c: Pairs) {
        for i, j { c[i, j] = a[i, j] * b[i, j] + d[i, j] * e[i, j] + a[i, j] * x[i, j] }
    }
    fn csf(a: &Csf<f64>, b: &Csf<f64>, d: &Csf<f64>, e: &Csf<f64>) -> (c: Csf<f64>) {
        for i, j, k { c[i, j, k] = a[i, j, k] + b[i, j, k] + d[i, j, k] + e[i, j, k] }
    }
    fn row_sums(a: &Rows, b: &Rows, d: &Rows, e: &Rows, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += (a[i, j] + b[i, j] + d[i, j] + e[i, j]) * x[j] }
    }
    fn outer(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, g: &Csr<f64>)
        -> (y: DenseVec<f64>) {
        for k, j { y[j] += (a[k] + b[k] + d[k] + e[k]) * g[k, j] }
    }
    fn factors(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, g: &Csr<f64>, h: &Csr<f64>)
        -> (y: DenseVec<f64>) {
        for k, j { y[j] += a[k] * g[k, j] + b[k] * h[k, j] + d[k] * g[k, j] + e[k] * h[k, j] }
    }
}

finch! {
    use further;
    use over;
    fn furthest(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = further(a[i], further(b[i], further(d[i], e[i]))) }
    }
    fn first(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { c[i] = over(a[i], b[i]) + over(d[i], e[i]) }
    }
}

mod strict {
    use super::*;
    finch! {
        #![strict]
        pub fn products(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, x: &DenseVec<f64>)
            -> (c: DenseVec<f64>) {
            for i { c[i] = a[i] * b[i] + d[i] * x[i] + e[i] }
        }
    }
}

#[test]
fn sums_of_vectors() {
    assert_eq!(none().to_dense(), [0.0; 9]);
    each(5, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let sum =
            |m: usize| dense(n, |i| v[..m].iter().map(|v| at(v, i)).reduce(|a, b| a + b).unwrap());
        same(&one(&t[0]).to_dense(), &sum(1));
        same(&two(&t[0], &t[1]).to_dense(), &sum(2));
        let c = five(&t[0], &t[1], &t[2], &t[3], &t[4]);
        same(&c.to_dense(), &sum(5));
        // An entry for each element that any of them stores.
        assert_eq!(c.stored(), (0..n).filter(|i| v.iter().any(|v| v[*i].is_some())).count());
        let c = five_dense(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let want = |i: usize| {
            let [a, b, d, e, f] = [0, 1, 2, 3, 4].map(|k| at(&v[k], i));
            2.0 * (a + b) - d / 4.0 + (e + f)
        };
        same(&c.to_dense(), &dense(n, want));
    });
}

#[test]
fn formats_of_ones_own() {
    let mut dice = kinds::Dice::new(4);
    for n in [1, 2, 7, 65] {
        for seed in 0..6 {
            let mut plain = || {
                let crd: Vec<u32> =
                    (0..n as u32).filter(|i| *i + 1 == n as u32 || dice.below(3) == 0).collect();
                let values = dice.values(crd.len());
                let mut all = vec![0.0; n];
                crd.iter().zip(&values).for_each(|(i, v)| all[*i as usize] = *v);
                let level = Plain::new(n, vec![0, crd.len()], crd, kinds::leaf(values));
                (Plains::from_parts(level).expect("built right"), all)
            };
            let ((a, p), (b, q)) = (plain(), plain());
            let (d, e) = (kinds::Based::tensor(n, seed), kinds::Based::tensor(n, seed + 7));
            let f = kinds::Peaks::tensor(n, seed + 3);
            let (r, s, t) = (d.to_dense(), e.to_dense(), f.to_dense());
            let want = dense(n, |i| p[i] + q[i] + r[i] + s[i] + t[i]);
            let (c, late) = declared(&a, &b, &d, &e, &f, n);
            same(&c.to_dense(), &want);
            same(&late.to_dense(), &dense(n, |i| if i >= n / 3 { want[i] } else { 0.0 }));
        }
    }
}

/// What a list that nothing vouches for says of its extents is kept in order: no step goes back, none is out of bounds.
#[test]
fn lists_that_lie_come_to_an_end() {
    for crd in
        [vec![3, 3, 1, 0, 9], vec![9, 9, 9, 9, 9], vec![0, 0, 0, 0, 0], vec![900, 1, 2, 3, 4]]
    {
        let lie = || Plain::new(10, vec![0, 5], crd.clone(), kinds::leaf(vec![1.0; 5]));
        let (a, b) = (Plains::from_parts(lie()).unwrap(), Plains::from_parts(lie()).unwrap());
        let (d, e) = (kinds::Based::tensor(10, 2), kinds::Based::tensor(10, 3));
        let f = kinds::Peaks::tensor(10, 4);
        // A panic is an answer too.
        let _ = std::panic::catch_unwind(|| declared(&a, &b, &d, &e, &f, 10));
    }
}

#[test]
fn thirty_two_vectors() {
    each(32, &HOSTILE[..3], |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let c = thirty_two(
            &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7], &t[8], &t[9], &t[10], &t[11],
            &t[12], &t[13], &t[14], &t[15], &t[16], &t[17], &t[18], &t[19], &t[20], &t[21], &t[22],
            &t[23], &t[24], &t[25], &t[26], &t[27], &t[28], &t[29], &t[30], &t[31],
        );
        same(&c.to_dense(), &dense(n, |i| v.iter().map(|v| at(v, i)).sum()));
        assert_eq!(c.stored(), (0..n).filter(|i| v.iter().any(|v| v[*i].is_some())).count());
    });
}

#[test]
fn formats_of_all_kinds() {
    each(12, &HOSTILE, |n, v| {
        let whole: Vec<f64> = dense(n, |i| at(&v[5], i));
        let runs: Vec<f64> = dense(n, |i| at(&v[7], i / 3));
        let band: Vec<f64> =
            dense(n, |i| if i >= n / 3 && i < n - n / 4 { at(&v[8], i) } else { 0.0 });
        let c = twelve(
            &tensor(&[n], &v[0]),
            &tensor(&[n], &v[1]),
            &tensor(&[n], &v[2]),
            &tensor(&[n], &v[3]),
            &tensor(&[n], &v[4]),
            &Tensor::from_dense([n], &whole).unwrap(),
            &tensor(&[n], &v[6]),
            &Tensor::from_dense([n], &runs).unwrap(),
            &Tensor::from_dense([n], &band).unwrap(),
            &tensor(&[n], &v[9]),
            &tensor(&[n], &v[10]),
            &tensor(&[n], &v[11]),
        );
        let want = |i: usize| {
            let terms = (0..12).map(|k| match k {
                5 => whole[i],
                7 => runs[i],
                8 => band[i],
                k => at(&v[k], i),
            });
            terms.reduce(|a, b| a + b).unwrap()
        };
        same(&c.to_dense(), &dense(n, want));
    });
}

#[test]
fn parts_of_extents() {
    each(5, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        if n >= 7 {
            let c = moved(&t[0], &t[1], &t[2], &t[3], n);
            let want = |i: usize| match i {
                i if i >= 2 && i < n - 3 => {
                    at(&v[0], i - 2) + at(&v[1], i) + at(&v[2], i + 1) + at(&v[3], i + 3)
                }
                _ => 0.0,
            };
            same(&c.to_dense(), &dense(n, want));
        }
        let c = partly(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let first = |i: usize| if i < 3 { 0.5 } else { at(&v[0], i - 3) };
        same(&c.to_dense(), &dense(n, |i| (1..5).fold(first(i), |sum, k| sum + at(&v[k], i))));
    });
}

#[test]
fn several_statements() {
    let numbers = [0.25, -1.5, 3.75, -0.0, 1024.0];
    each(6, &numbers, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let (mut s, mut m) = (0.5, -7.0);
        let (y, z) = statements(&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &mut s, &mut m);
        same(&y.to_dense(), &dense(n, |i| at(&v[0], i) + at(&v[1], i)));
        assert_eq!(y.stored(), (0..n).filter(|i| v[0][*i].is_some() || v[1][*i].is_some()).count());
        same(&z.to_dense(), &dense(n, |i| at(&v[3], i)));
        assert_eq!(s, (0..n).fold(0.5, |s, i| s + at(&v[2], i)));
        assert_eq!(m, (0..n).fold(-7.0, |m, i| f64::max(m, at(&v[4], i) * at(&v[5], i))));
        let mut s = 0.5;
        totals(&t[0], &t[1], &t[2], &t[3], &mut s, 2.0);
        let terms = |i: usize| 2.0 * (at(&v[0], i) + at(&v[1], i)) + (at(&v[2], i) - at(&v[3], i));
        assert_eq!(s, (0..n).fold(0.5, |s, i| s + terms(i)));
        // A weight that is not a number is multiplied with nothing where neither is stored.
        let mut s = 0.5;
        totals(
            &tensor(&[n], &vec![None; n]),
            &tensor(&[n], &vec![None; n]),
            &t[2],
            &t[3],
            &mut s,
            f64::NAN,
        );
        assert_eq!(s, (0..n).fold(0.5, |s, i| s + (at(&v[2], i) - at(&v[3], i))));
    });
}

#[test]
fn chunks_of_a_loop() {
    let mut seed = 3;
    for n in [1, 65, 70_000] {
        let v: Vec<Stored<f64>> =
            (0..4).map(|_| stored(&mut seed, n, 3, &[0.25, -1.5, 1024.0])).collect();
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let mut s = 0.0;
        let (y, z) = chunks(&t[0], &t[1], &t[2], &t[3], &mut s);
        let want = dense(n, |i| (0..4).map(|k| at(&v[k], i)).sum());
        same(&y.to_dense(), &want);
        same(&z.to_dense(), &want);
        assert_eq!(s, (0..n).map(|i| at(&v[0], i) - at(&v[3], i)).sum::<f64>());
    }
}
