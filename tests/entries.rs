//! Entries that are begun before it is known whether they are written: conditions on what is stored, over results
//! of every format, compared with plain loops.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]
// What is not greater may be no number.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use looplets::prelude::*;

/// Numbers that differ where careless code is alike.
const VALUES: [f64; 12] =
    [0.0, 0.0, 0.0, -0.0, 0.25, -0.5, 1.0, 2.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324];

/// A sequence that is the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| VALUES[self.next() % VALUES.len()]).collect()
    }
    fn bools(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.next().is_multiple_of(2)).collect()
    }
}

/// How often each program is run with other inputs.
const TIMES: u64 = if cfg!(miri) { 3 } else { 60 };
const SIZES: [usize; 6] = [0, 1, 2, 3, 7, 65];

/// Whether both are the same number, each NaN being one and the zeros being two.
#[track_caller]
fn same(got: &[f64], want: &[f64], what: &str) {
    let bits = |x: &f64| if x.is_nan() { 1 } else { x.to_bits() };
    let equal = got.len() == want.len() && got.iter().zip(want).all(|(a, b)| bits(a) == bits(b));
    assert!(equal, "{what}:\n got {got:?}\nwant {want:?}");
}

/// The elements of a result, which is checked whole.
#[track_caller]
fn dense<L>(t: Tensor<L>) -> Vec<f64>
where
    L: looplets::level::Level<Value = f64> + Clone,
{
    let again = Tensor::from_parts(t.clone().into_root()).expect("whole");
    let shown = t.to_dense();
    same(&again.to_dense(), &shown, "put together again");
    shown
}

/// Vectors: stored where they are not 0, so the plain loops read them as the kernels do.
struct Vectors {
    a: SparseVec<f64>,
    b: SparseVec<f64>,
    m: SparseVec<bool>,
    g: Csr<f64>,
    h: DenseMat<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    p: Vec<bool>,
    u: Vec<f64>,
    v: Vec<f64>,
}

fn vectors(mut f: impl FnMut(&Vectors, usize)) {
    for n in SIZES {
        for seed in 0..TIMES {
            let mut draw = Draw(seed * 977 + n as u64);
            let a = Tensor::from_dense([n], &draw.numbers(n)).unwrap();
            let b = Tensor::from_dense([n], &draw.numbers(n)).unwrap();
            let m: SparseVec<bool> = Tensor::from_dense([n], &draw.bools(n)).unwrap();
            let g: Csr<f64> = Tensor::from_dense([n, 3], &draw.numbers(3 * n)).unwrap();
            let h: DenseMat<f64> = Tensor::from_dense([n, 3], &draw.numbers(3 * n)).unwrap();
            let (x, y, p, u, v) = (
                SparseVec::to_dense(&a),
                SparseVec::to_dense(&b),
                m.to_dense(),
                g.to_dense(),
                h.to_dense(),
            );
            f(&Vectors { a, b, m, g, h, x, y, p, u, v }, n);
        }
    }
}

/// What a loop over all coordinates writes.
fn plain(n: usize, mut value: impl FnMut(usize) -> Option<f64>) -> Vec<f64> {
    (0..n).map(|i| value(i).unwrap_or(0.0)).collect()
}

/// The elements of a result that joins neighbours which are equal, as both zeros are.
#[track_caller]
fn joined<L>(t: Tensor<L>) -> Vec<f64>
where
    L: looplets::level::Level<Value = f64> + Clone,
{
    dense(t).iter().map(|x| x + 0.0).collect()
}

macro_rules! vectors {
    ($($name:ident: $Y:ty, $dense:ident;)*) => {$(mod $name {
        use super::*;
        #[track_caller]
        fn same(got: &[f64], want: &[f64], what: &str) {
            let alike = |x: &f64| if stringify!($dense) == "joined" { x + 0.0 } else { *x };
            super::same(got, &want.iter().map(alike).collect::<Vec<_>>(), what);
        }
        finch! { fn masked(m: &SparseVec<bool>, a: &SparseVec<f64>) -> (c: $Y) { for i { if !m[i] { c[i] = a[i] } } } }
        finch! { fn in_chunks(m: &SparseVec<bool>, a: &SparseVec<f64>) -> (c: $Y) { parallel for i { if !m[i] { c[i] = a[i] } } } }
        finch! { fn at_zero(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y) { for i { if b[i] == 0 { c[i] = a[i] } } } }
        finch! { fn greater(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y) { for i { if a[i] > b[i] { c[i] = a[i] } } } }
        finch! { fn otherwise(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y, d: $Y) {
            for i { if a[i] > b[i] { d[i] = b[i] } else { c[i] = a[i] } }
        } }
        finch! { fn apart(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y, d: $Y) {
            for i { if a[i] > b[i] { c[i] = a[i] } if b[i] > a[i] { d[i] = b[i] } }
        } }
        finch! { fn nested(m: &SparseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut i64) -> (c: $Y) {
            for i { if !m[i] { n += 1; if a[i] < b[i] { c[i] = a[i] } else { n += 10 } } }
        } }
        finch! { fn named(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y) {
            for i { let t = a[i] - b[i]; if t > 0 { c[i] = t } }
        } }
        finch! { fn gathered(g: &Csr<f64>, h: &DenseMat<f64>) -> (c: $Y) {
            for i, j { if g[i, j] > h[i, j] { c[i] += h[i, j] } }
        } }
        finch! { fn chosen(g: &Csr<f64>, h: &DenseMat<f64>) -> (c: $Y) {
            for i, j { if h[i, j] > 1 { c[i] <<choose>>= g[i, j] } }
        } }
        finch! { fn present(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y) {
            for i { c[i] = ifelse(b[i] > 0, a[i], missing) }
        } }
        finch! { fn earlier(a: &SparseVec<f64>, n: usize) -> (c: $Y) {
            for i in 0..n { if a[i] > 0 { c[i] = a[permit[offset(1)[i]]] } }
        } }
        finch! { fn worked(g: &Csr<f64>, h: &DenseMat<f64>) -> (c: $Y) {
            for i { let mut t: f64; for j { if g[i, j] > h[i, j] { t += g[i, j] } } if t != 0 { c[i] = t } }
        } }
        finch! { fn reused(m: &SparseVec<bool>, a: &SparseVec<f64>, c: $Y) -> (c: $Y) { for i { if !m[i] { c[i] = a[i] } } } }
        finch! { #![strict] #![dense] fn strictly(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: $Y) { for i { if b[i] == 0 { c[i] = a[i] + 1 } } } }

        finch! { #![forbid(unsafe_code)] fn safely(m: &SparseVec<bool>, a: &SparseVec<f64>) -> (c: $Y) { for i { if !m[i] { c[i] = a[i] } } } }

        #[test]
        fn agrees() {
            vectors(|d, n| {
                let Vectors { a, b, m, g, h, x, y, p, u, v } = d;
                let masked_plain = plain(n, |i| (!p[i]).then_some(x[i]));
                let c = masked(m, a);
                same(&$dense(c.clone()), &masked_plain, "masked");
                same(&$dense(in_chunks(m, a)), &masked_plain, "in chunks");
                same(&$dense(safely(m, a)), &masked_plain, "safely");
                same(&$dense(reused(m, a, c)), &masked_plain, "reused");
                same(&$dense(at_zero(a, b)), &plain(n, |i| (y[i] == 0.0).then_some(x[i])), "at zero");
                let above = plain(n, |i| (x[i] > y[i]).then_some(x[i]));
                same(&$dense(greater(a, b)), &above, "greater");
                let (c, e) = otherwise(a, b);
                same(&$dense(c), &plain(n, |i| (!(x[i] > y[i])).then_some(x[i])), "otherwise, else");
                same(&$dense(e), &plain(n, |i| (x[i] > y[i]).then_some(y[i])), "otherwise, then");
                let (c, e) = apart(a, b);
                same(&$dense(c), &above, "apart, first");
                same(&$dense(e), &plain(n, |i| (y[i] > x[i]).then_some(y[i])), "apart, second");
                let (mut got, mut want) = (0, 0);
                let c = nested(m, a, b, &mut got);
                let nested_plain = plain(n, |i| {
                    if p[i] {
                        return None;
                    }
                    want += 1;
                    if x[i] < y[i] {
                        return Some(x[i]);
                    }
                    want += 10;
                    None
                });
                same(&$dense(c), &nested_plain, "nested");
                assert_eq!(got, want);
                let less = |i: usize| x[i] - y[i];
                same(&$dense(named(a, b)), &plain(n, |i| (less(i) > 0.0).then_some(less(i))), "named");
                let row = |i: usize| (3 * i..3 * i + 3).map(|k| (u[k], v[k]));
                let gathered_plain = plain(n, |i| {
                    Some(row(i).filter(|(u, v)| u > v).fold(0.0, |t, (_, v)| t + v))
                });
                same(&$dense(gathered(g, h)), &gathered_plain, "gathered");
                let chosen_plain = plain(n, |i| {
                    row(i).filter(|(_, v)| *v > 1.0).map(|(u, _)| u).find(|u| *u != 0.0)
                });
                // Which of the zeros is chosen is not said.
                let got: Vec<f64> = $dense(chosen(g, h)).iter().map(|c| c + 0.0).collect();
                same(&got, &chosen_plain, "chosen");
                same(&$dense(present(a, b)), &plain(n, |i| (y[i] > 0.0).then_some(x[i])), "present");
                let before = |i: usize| (x[i] > 0.0 && i > 0).then(|| x[i - 1]);
                same(&$dense(earlier(a, n)), &plain(n, before), "earlier");
                let worked_plain = plain(n, |i| {
                    let t = row(i).filter(|(u, v)| u > v).fold(0.0, |t, (u, _)| t + u);
                    (t != 0.0).then_some(t)
                });
                same(&$dense(worked(g, h)), &worked_plain, "worked");
                let strictly_plain = plain(n, |i| (y[i] == 0.0).then_some(x[i] + 1.0));
                same(&$dense(strictly(a, b)), &strictly_plain, "strictly");
            });
        }
    })*};
}

level! {
    /// A list whose author vouches for nothing.
    pub struct Loose<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    invariant(fibers) { looplets::levels::sparse_list_invariant(len, fibers, pos, crd) }
    read walk(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): looplets::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    join(pos: offsets, crd: coordinates);
    write append(p, i) {
        open: { looplets::levels::begin_fiber(pos, p, crd.len()) },
        each { crd: Ix::from_i64(i as i64) },
        finish(fibers) { looplets::levels::end_fibers(pos, fibers, crd.len()) },
    }
}

vectors! {
    loose: Tensor<Loose<Element<f64>>>, dense;
    sparse_list: SparseVec<f64>, dense;
    hash: Tensor<Hash<Element<f64>>>, dense;
    unordered_list: Tensor<UnorderedList<Element<f64>>>, dense;
    bitmap: Tensor<Bitmap<Element<f64>>>, dense;
    bit_tree: Tensor<BitTree<Element<f64>>>, dense;
    run_list: Tensor<RunList<Element<f64>>>, joined;
    sparse_run_list: Tensor<SparseRunList<Element<f64>>>, joined;
    pack_bits: Tensor<PackBits<Element<f64>>>, joined;
    sparse_block_list: Tensor<SparseBlockList<Element<f64>>>, dense;
    coo: Tensor<Coo<Element<f64>>>, dense;
}

/// Matrices.
struct Matrices {
    m: Graph,
    g: Csr<f64>,
    h: DenseMat<f64>,
    x: SparseVec<f64>,
    p: Vec<bool>,
    u: Vec<f64>,
    v: Vec<f64>,
    y: Vec<f64>,
}

fn matrices(mut f: impl FnMut(&Matrices, [usize; 2])) {
    for [n, k] in [[0, 0], [1, 1], [2, 1], [1, 2], [3, 2], [5, 7], [2, 65], [65, 2]] {
        for seed in 0..TIMES {
            let mut draw = Draw(seed * 1009 + 31 * n as u64 + k as u64);
            let m: Graph = Tensor::from_dense([n, k], &draw.bools(n * k)).unwrap();
            let g: Csr<f64> = Tensor::from_dense([n, k], &draw.numbers(n * k)).unwrap();
            let h: DenseMat<f64> = Tensor::from_dense([n, k], &draw.numbers(n * k)).unwrap();
            let x: SparseVec<f64> = Tensor::from_dense([n], &draw.numbers(n)).unwrap();
            let (p, u, v, y) = (m.to_dense(), g.to_dense(), h.to_dense(), x.to_dense());
            f(&Matrices { m, g, h, x, p, u, v, y }, [n, k]);
        }
    }
}

macro_rules! matrices {
    ($($name:ident: $Y:ty, $dense:ident;)*) => {$(mod $name {
        use super::*;
        #[track_caller]
        fn same(got: &[f64], want: &[f64], what: &str) {
            let alike = |x: &f64| if stringify!($dense) == "joined" { x + 0.0 } else { *x };
            super::same(got, &want.iter().map(alike).collect::<Vec<_>>(), what);
        }
        finch! { fn below(a: &DenseMat<f64>) -> (o: $Y) { for i, k { if k < i || a[i, k] > 0 { o[i, k] = 1 } } } }
        finch! { fn masked(m: &Graph, a: &DenseMat<f64>) -> (o: $Y) { for i, k { if !m[i, k] { o[i, k] = a[i, k] } } } }
        finch! { fn in_chunks(m: &Graph, a: &DenseMat<f64>) -> (o: $Y) { parallel for i { for k { if !m[i, k] { o[i, k] = a[i, k] } } } } }
        finch! { fn greater(a: &Csr<f64>, b: &DenseMat<f64>) -> (o: $Y) { for i, k { if a[i, k] > b[i, k] { o[i, k] = a[i, k] } } } }
        finch! { fn rows(x: &SparseVec<f64>, a: &Csr<f64>) -> (o: $Y) { for i { if x[i] > 0 { for k { o[i, k] = a[i, k] } } } } }
        finch! { fn some(x: &SparseVec<f64>, a: &Csr<f64>) -> (o: $Y) { for i, k { if a[i, k] < x[i] { o[i, k] = x[i] } } } }
        finch! { fn both(x: &SparseVec<f64>, a: &Csr<f64>, b: &DenseMat<f64>) -> (o: $Y, q: $Y) {
            for i, k { if a[i, k] > b[i, k] { o[i, k] = a[i, k] } else { if x[i] < b[i, k] { q[i, k] = b[i, k] } } }
        } }
        finch! { fn product(a: &Csr<f64>, b: &DenseMat<f64>) -> (o: $Y) {
            for i, k { if b[i, k] > 0 { for l in 0..2 { if a[i, k] == l { o[i, k] += b[i, k] + l } } } }
        } }
        finch! { fn reused(m: &Graph, a: &DenseMat<f64>, o: $Y) -> (o: $Y) { for i, k { if !m[i, k] { o[i, k] = a[i, k] } } } }

        #[test]
        fn agrees() {
            matrices(|d, [n, k]| {
                let Matrices { m, g, h, x, p, u, v, y } = d;
                let all = |f: &dyn Fn(usize, usize, usize) -> Option<f64>| {
                    plain(n * k, |at| f(at, at / k, at % k))
                };
                same(&$dense(below(h)), &all(&|at, i, k| (k < i || v[at] > 0.0).then_some(1.0)), "below");
                let open = all(&|at, _, _| (!p[at]).then_some(v[at]));
                let o = masked(m, h);
                same(&$dense(o.clone()), &open, "masked");
                same(&$dense(reused(m, h, o)), &open, "reused");
                same(&$dense(in_chunks(m, h)), &open, "in chunks");
                let more = all(&|at, _, _| (u[at] > v[at]).then_some(u[at]));
                same(&$dense(greater(g, h)), &more, "greater");
                same(&$dense(rows(x, g)), &all(&|at, i, _| (y[i] > 0.0).then_some(u[at])), "rows");
                same(&$dense(some(x, g)), &all(&|at, i, _| (u[at] < y[i]).then_some(y[i])), "some");
                let (o, q) = both(x, g, h);
                same(&$dense(o), &more, "both, first");
                let other = |at: usize, i: usize| !(u[at] > v[at]) && y[i] < v[at];
                same(&$dense(q), &all(&|at, i, _| other(at, i).then_some(v[at])), "both, second");
                let one = |at: usize| [0.0, 1.0].into_iter().find(|l| u[at] == *l);
                let sums = all(&|at, _, _| one(at).filter(|_| v[at] > 0.0).map(|l| v[at] + l));
                same(&$dense(product(g, h)), &sums, "product");
            });
        }
    })*};
}

matrices! {
    csr: Csr<f64>, dense;
    dcsr: Dcsr<f64>, dense;
    loose_rows: Tensor<Loose<Loose<Element<f64>>>>, dense;
    coo2: Coo2<f64>, dense;
    rows_of_hash: Tensor<Dense<Hash<Element<f64>>>>, dense;
    listed_hash: Tensor<SparseList<Hash<Element<f64>>>>, dense;
    listed_dense: Tensor<SparseList<Dense<Element<f64>>>>, dense;
    listed_bits: Tensor<SparseList<Bitmap<Element<f64>>>>, dense;
    mapped_lists: Tensor<ByteMap<SparseList<Element<f64>>>>, dense;
    hashed_lists: Tensor<Hash<SparseList<Element<f64>>>>, dense;
    scattered: Tensor<Dense<Spa<Element<f64>>>>, dense;
    unordered: Tensor<Dense<UnorderedList<Element<f64>>>>, dense;
    rows_of_runs: Tensor<Dense<RunList<Element<f64>>>>, joined;
    listed_runs: Tensor<SparseList<SparseRunList<Element<f64>>>>, joined;
    packed: Tensor<SparseList<PackBits<Element<f64>>>>, joined;
    blocks: Tensor<SparseBlockList<SparseBlockList<Element<f64>>>>, dense;
}
