//! Many operands in one loop: what they make, beside loops over all elements, for operands that are told apart by
//! cases and for those that are selected.

mod kinds;
use kinds::Kind;
use looplets::prelude::*;

level! { type Csf = Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>; }
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
    fn csf(a: &Csf, b: &Csf, d: &Csf, e: &Csf) -> (c: Csf) {
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

const HOSTILE: [f64; 12] = [
    0.25,
    -0.0,
    0.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    -1.5,
    1e300,
    f64::MAX,
    3.75,
    -2.0,
];

/// What is stored where: a value for each element, or none.
type Stored<T> = Vec<Option<T>>;

fn draw(seed: &mut u64, most: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % most.max(1)
}

/// `n` elements, of which about `tenths` in ten are stored.
fn stored<T: Copy>(seed: &mut u64, n: usize, tenths: usize, values: &[T]) -> Stored<T> {
    let mut one = || (draw(seed, 10) < tenths).then(|| values[draw(seed, values.len())]);
    (0..n).map(|_| one()).collect()
}

fn tensor<L: looplets::Level>(shape: &[usize], of: &Stored<L::Value>) -> Tensor<L>
where
    L::Value: Copy,
{
    let coords = |mut k: usize| {
        let mut out = vec![0; shape.len()];
        for (at, n) in out.iter_mut().zip(shape).rev() {
            *at = k % n;
            k /= n;
        }
        out
    };
    let all = of.iter().enumerate().filter_map(|(k, v)| v.map(|v| (coords(k), v)));
    Tensor::from_triplets(shape, all.collect::<Vec<_>>(), Refuse).expect("sorted triplets")
}

fn same(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(g == w || g.is_nan() && w.is_nan(), "element {k}: {g}, not {w}, of {want:?}");
    }
}

/// Runs `check` with `count` operands of each size and density.
fn each<T: Copy>(count: usize, values: &[T], mut check: impl FnMut(usize, &[Stored<T>])) {
    let mut seed = 11;
    for n in [0, 1, 2, 7, 65] {
        for tenths in [0, 1, 5, 9, 10] {
            let all: Vec<Stored<T>> = (0..count)
                .map(|k| stored(&mut seed, n, if k % 5 == 4 { 0 } else { tenths }, values))
                .collect();
            check(n, &all);
            let all: Vec<Stored<T>> =
                (0..count).map(|_| stored(&mut seed, n, tenths, values)).collect();
            check(n, &all);
        }
    }
}

fn at(v: &Stored<f64>, i: usize) -> f64 {
    v[i].unwrap_or(0.0)
}

/// A product of which nothing is left if a factor is not stored.
fn times(factors: &[Option<f64>]) -> f64 {
    factors
        .iter()
        .copied()
        .collect::<Option<Vec<f64>>>()
        .map_or(0.0, |all| all.into_iter().reduce(|a, b| a * b).unwrap())
}

fn dense(n: usize, f: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..n).map(f).collect()
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
fn other_operators_and_fills() {
    each(4, &[i32::MIN, -1, 0, 1, 7, i32::MAX], |n, v| {
        let t: Vec<SparseVec<i32>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let want: Vec<i32> =
            (0..n).map(|i| v.iter().map(|v| v[i].unwrap_or(0)).max().unwrap()).collect();
        assert_eq!(greatest(&t[0], &t[1], &t[2], &t[3]).to_dense(), want);
    });
    let numbers = [0.25, -0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, -1.5, f64::MAX];
    // A fill that absorbs all: there is an entry where all factors, or terms, have one.
    each(4, &numbers, |n, v| {
        let t: Vec<Voids> = v.iter().map(|v| tensor(&[n], v)).collect();
        let (c, s) = voids(&t[0], &t[1], &t[2], &t[3]);
        let of = |i: usize, k: usize| v[k][i].unwrap_or(f64::NAN);
        let both = |i: usize, k: usize| v[k][i].is_some() && v[k + 1][i].is_some();
        let two = |i: usize, k: usize| of(i, k) * of(i, k + 1);
        same(&c.to_dense(), &dense(n, |i| two(i, 0).max(two(i, 2))));
        same(&s.to_dense(), &dense(n, |i| (0..4).map(|k| of(i, k)).reduce(|a, b| a + b).unwrap()));
        assert_eq!(c.stored(), (0..n).filter(|i| both(*i, 0) || both(*i, 2)).count());
        assert_eq!(s.stored(), (0..n).filter(|i| both(*i, 0) && both(*i, 2)).count());
    });
    each(5, &numbers, |n, v| {
        let t: Vec<Distances> = v.iter().map(|v| tensor(&[n], v)).collect();
        let z: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let far = |v: &Stored<f64>, i: usize| v[i].unwrap_or(f64::INFINITY);
        let want = dense(n, |i| v[..4].iter().map(|v| far(v, i)).fold(f64::INFINITY, f64::min));
        same(&least(&t[0], &t[1], &t[2], &t[3]).to_dense(), &want);
        let sum = |i: usize| v[1..].iter().map(|v| at(v, i)).reduce(|a, b| a + b).unwrap();
        let c = mixed_fills(&t[0], &z[1], &z[2], &z[3], &z[4]);
        let nan = (0..n).any(|i| sum(i).is_nan());
        if !nan {
            same(&c.to_dense(), &dense(n, |i| far(&v[0], i).min(sum(i))));
        }
        let further = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        let c = furthest(&z[0], &z[1], &z[2], &z[3]);
        same(
            &c.to_dense(),
            &dense(n, |i| {
                v[..4].iter().map(|v| at(v, i)).rev().reduce(|b, a| further(a, b)).unwrap()
            }),
        );
        let over = |a: f64, b: f64| if a != 0.0 { a } else { b };
        let c = first(&z[0], &z[1], &z[2], &z[3]);
        same(
            &c.to_dense(),
            &dense(n, |i| over(at(&v[0], i), at(&v[1], i)) + over(at(&v[2], i), at(&v[3], i))),
        );
    });
}

/// What is multiplied with something that is not stored is nothing, NaN or not.
#[test]
fn products_with_what_is_not_stored() {
    each(7, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let x: Vec<f64> = dense(n, |i| HOSTILE[(i * 5 + 3) % 12]);
        let whole: DenseVec<f64> = Tensor::from_dense([n], &x).unwrap();
        let c = products(&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &whole);
        let want = |i: usize| {
            times(&[v[0][i], v[1][i]])
                + times(&[v[2][i], v[3][i], Some(x[i])])
                + times(&[v[4][i], v[5][i]])
        };
        same(&c.to_dense(), &dense(n, want));
        let both = |i: usize, a: usize, b: usize| v[a][i].is_some() && v[b][i].is_some();
        assert_eq!(
            c.stored(),
            (0..n).filter(|i| both(*i, 0, 1) || both(*i, 2, 3) || both(*i, 4, 5)).count()
        );
        let c = masked(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let any = |i: usize, of: &[usize]| of.iter().any(|k| v[*k][i].is_some());
        let sum = |i: usize| {
            any(i, &[1, 2, 3, 4])
                .then(|| (1..5).map(|k| at(&v[k], i)).reduce(|a, b| a + b).unwrap())
        };
        same(&c.to_dense(), &dense(n, |i| times(&[v[0][i], sum(i)])));
        let c = ratios(&t[0], &t[1], &t[2], &t[3], &whole);
        // What is divided is not told from a zero: it may be divided by zero.
        let over = |a: Option<f64>, b: f64| a.unwrap_or(0.0) / b;
        let want = |i: usize| {
            (over(v[0][i], x[i]) + over(v[1][i], x[i]))
                + (over(v[2][i], x[i]) + times(&[v[3][i], Some(x[i])]))
        };
        same(&c.to_dense(), &dense(n, want));
        let c = kept(&t[0], &t[1], &t[2], &t[3], &whole);
        let want = |i: usize| {
            let t = any(i, &[1, 2]).then(|| at(&v[1], i) + at(&v[2], i));
            times(&[v[0][i].map(|a| a * 2.0), Some(x[i])]) + times(&[t, Some(x[i])]) + at(&v[3], i)
        };
        same(&c.to_dense(), &dense(n, want));
        let c = strict::products(&t[0], &t[1], &t[2], &t[3], &whole);
        same(
            &c.to_dense(),
            &dense(n, |i| at(&v[0], i) * at(&v[1], i) + at(&v[2], i) * x[i] + at(&v[3], i)),
        );
    });
}

#[test]
fn conditions_on_operands() {
    each(5, &HOSTILE, |n, v| {
        let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
        let m: Vec<Stored<bool>> =
            v.iter().map(|v| v.iter().map(|v| v.map(|_| true)).collect()).collect();
        let marked: Vec<Marks> = m.iter().map(|m| tensor(&[n], m)).collect();
        let c = under(&marked[0], &t[1], &t[2], &t[3], &t[4]);
        let sum = |i: usize| (1..5).map(|k| at(&v[k], i)).reduce(|a, b| a + b).unwrap();
        same(&c.to_dense(), &dense(n, |i| if v[0][i].is_none() { sum(i) } else { 0.0 }));
        let c = conditions(&t[0], &t[1], &t[2], &t[3], &t[4]);
        let holds = |i: usize| {
            at(&v[0], i) > 0.0 || at(&v[1], i) < 0.0 || at(&v[2], i) != 0.0 || at(&v[3], i) >= 2.0
        };
        same(&c.to_dense(), &dense(n, |i| if holds(i) { 1.0 + at(&v[4], i) } else { 0.0 }));
        let is = |k: usize, i: usize| v[k][i].is_some();
        let mut any = false;
        let c = marks(&marked[0], &marked[1], &marked[2], &marked[3], &mut any);
        let want: Vec<bool> =
            (0..n).map(|i| is(0, i) && is(1, i) || is(2, i) && is(3, i)).collect();
        assert_eq!(c.to_dense(), want);
        assert_eq!(any, (0..n).any(|i| (0..4).all(|k| is(k, i))));
        let mut any = false;
        found(&marked[0], &marked[1], &marked[2], &marked[3], &mut any);
        assert_eq!(any, (0..n).any(|i| is(0, i) != is(1, i) && is(2, i) != is(3, i)));
        let c = chosen(&t[0], &t[1], &t[2], &t[3]);
        let want =
            |i: usize| if at(&v[0], i) > at(&v[1], i) { at(&v[2], i) } else { at(&v[3], i) + 1.0 };
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
            let t: Vec<Csf> = v.iter().map(|v| tensor(&shape, v)).collect();
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
