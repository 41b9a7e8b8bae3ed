//! Parallel loops and workspaces in loops over formats that few have: triangles, formats of one's own, names
//! that meet, empty extents, loops in loops. Each failed once.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]
#![allow(dead_code)]
#[macro_use]
mod both;
use looplets::prelude::*;
level! { type SymOut = Tensor<Dense<Symmetric<Element<f64>>>>; }
level! { type LowT = Tensor<Dense<LowerTriangular<Element<f64>>>>; }
level! { type SLowT = Tensor<Dense<StrictLowerTriangular<Element<f64>>>>; }
level! { type Low3 = Tensor<Dense<Dense<LowerTriangular<Element<f64>>>>>; }
level! { type Bytes = Tensor<Dense<ByteMap<Element<f64>>>>; }
level! {
    /// Two children an entry, of which one is used.
    pub struct Twice<Child> { len: usize, child: Child, }
    invariant(fibers) { fibers.checked_mul(2 * len).ok_or_else(|| String::from("too many")) }
    read locate(p, i) { child[2 * (p * len + i)] }
    read walk, follow(p) { lookup(|i| child[2 * (p * len + i)]) }
    join(len: sum);
    write locate(p, i) { child: 2 * (p * len + i), children(fibers) { fibers.checked_mul(2 * len) }, }
}
level! { type TwiceVec = Tensor<Twice<Element<f64>>>; }
level! { type TwiceMat = Tensor<Twice<Dense<Element<f64>>>>; }
level! { type TwiceCsr = Tensor<Twice<SparseList<Element<f64>>>>; }
level! {
    /// A list whose fields are called as the leaf's.
    pub struct Listed<Child> { len: usize, pos: Vec<usize>, val: Vec<u32>, child: Child, }
    invariant(fibers) { if pos.len() != fibers + 1 || pos[fibers] != val.len() { return Err(String::from("bad")) } Ok(val.len()) }
    read walk, follow(p) {
        let start = pos[p]; let end = pos[p + 1];
        let last = if start < end { val[end - 1] + 1 } else { 0 };
        pipeline { ..last => stepper { for q in start..end, seek(i): looplets::search::lower_bound(val, q, end, i), stop: val[q] + 1, body: spike(fill, child[q]), }, .. => run(fill), }
    }
    split(p, i) { pos[p] }
    join(pos: offsets, val: coordinates);
    write append(p, i) {
        open: { begin(pos, p, val.len()) },
        child: val.len(),
        commit: { looplets::level::push(val, i as u32) },
        finish(fibers) { begin(pos, fibers, val.len()) },
        children(fibers) { Some(val.len()) },
    }
}
fn begin(pos: &mut Vec<usize>, p: usize, n: usize) -> Result<(), String> {
    pos.truncate(p + 1);
    looplets::level::grow(pos, p + 1, n)
}
level! { type Listeds = Tensor<Dense<Listed<Element<f64>>>>; }
level! { type ListedVec = Tensor<Listed<Element<f64>>>; }
level! { type ListedRows = Tensor<Listed<Listed<Element<f64>>>>; }
both! {
    sym(a: &DenseMat<f64>) -> (s: SymOut) { i: for j { if j <= i { s[i, j] = a[i, j] } } }
    symp(a: &DenseMat<f64>, lo: usize, hi: usize, n: usize) -> (s: Low3) { i in lo..hi: for k in 0..n { for j in 0..n { if j <= k { s[i, k, j] = a[k, j] } } } }
    low(a: &DenseMat<f64>) -> (s: LowT) { i: for j { if j <= i { s[i, j] = a[i, j] } } }
    slow(a: &DenseMat<f64>) -> (s: SLowT) { i: for j { if j < i { s[i, j] = a[i, j] } } }
    nested_copies3(a: &DenseMat<f64>, h: &mut DenseVec<f64>) { i: parallel for j { h[j % 4] += a[i, j] } }
    nested_let(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { i: let mut t: f64; parallel for j { t += a[i, j] } y[i] = t }
    nested_ws(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseVec<f64>; { for j { y[i] += w[j] } } where { parallel for j { w[j] += a[i, j] * 2 } } }
    ws_sizes(x: &DenseVec<usize>) -> (y: DenseVec<f64>) { i: let n = x[i]; let mut w: Tensor<BitTree<Element<f64>>>[n]; { for j { y[i] += w[j] } } where { for j in 0..n { w[j] += j + 1 } } }
    ws_rank2(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Hash<Dense<Element<f64, One>>>>[40, 3]; { for k in 0..40 { for j in 0..3 { y[i] += w[k, j] * (j + 1) } } } where { for j { if a[i, j] > 1 { w[j, 1] += a[i, j]; w[j, 2] = 5 } } } }
    ws_tree2(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<BitTree<BitTree<Element<f64, One>>>>[40, 3]; { for k in 0..40 { for j in 0..3 { y[i] += w[k, j] * (j + 1) } } } where { for j { if a[i, j] > 1 { w[j, 1] += a[i, j]; w[j, 2] = 5 } } } }
    ws_dtree(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Dense<BitTree<Element<f64, NegInf>>>>[2, 40]; { for k in 0..2 { for j in 0..40 { y[i] += max(w[k, j], 0) * (k + 1) } } } where { for j { w[j % 2, j] <<max>>= a[i, j] } } }
    ws_spa2(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Spa<Spa<Element<f64, One>>>>[40, 3]; { for k in 0..40 { for j in 0..3 { y[i] += w[k, j] * (j + 1) } } } where { for j { if a[i, j] > 1 { w[j, 1] += a[i, j]; w[j, 2] = 5 } } } }
    ws_dspa(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Dense<Spa<Element<f64, NegInf>>>>[2, 40]; { for k in 0..2 { for j in 0..40 { y[i] += max(w[k, j], 0) * (k + 1) } } } where { for j { w[j % 2, j] <<max>>= a[i, j] } } }
    ws_spa(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Spa<Element<f64>>>[40]; { for j in 0..40 { y[i] += w[j] * (j + 1) } } where { for j { w[j * 7 % 40] += a[i, j] } } }
    spa_out(a: &Csr<f64>) -> (c: Tensor<Dense<Spa<Element<f64>>>>) { i: for j { c[i, j] = a[i, j] } }
    ws_stack2(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseMat<f64>[3, 5]; { for k in 0..3 { for j in 0..5 { y[i] += w[k, j] * (k * 5 + j) } } } where { for j { w[j % 3, j % 5] += a[i, j] } } }
    ws_stack_fill(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseVec<f64, Inf>[7]; { for j in 0..7 { y[i] += min(w[j], 100) * (j + 1) } } where { for j { w[j % 7] <<min>>= a[i, j] } } }
    ws_stack_bool(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseVec<bool>[7]; { for j in 0..7 { y[i] += w[j] } } where { for j { w[j % 7] ||= a[i, j] > 1 } } }
    ws_stack0(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseVec<f64>[0]; { for j { y[i] += w[j] } y[i] += 1 } where { for j in 0..0 { w[j] = a[i, j] } } }
    ws_stack_big(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: DenseVec<f64>[65]; { for j in 0..65 { y[i] += w[j] * j } } where { for j { w[j % 65] += a[i, j] } } }
    ws_list(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<SparseList<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { w[j] = a[i, j] } } }
    ws_runs(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<RunList<Element<f64>>>; { for j { y[i] += w[j] * j } } where { for j { w[j] = a[i, j] } } }
    ws_listed(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: ListedVec; { for j { y[i] += w[j] * j } } where { for j { w[j] = a[i, j] } } }
    ws_csr(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Csr<f64>[3, 40]; { for k in 0..3 { for j in 0..40 { y[i] += w[k, j] * (j + k) } } } where { for k in 0..3 { for j in 0..40 { if k != 1 { w[k, j] = a[i, j] } } } } }
    ws_scalar(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: Tensor<Element<f64>>; { y[i] = w[] } where { for j { w[] += a[i, j] } } }
    ws_exit(a: &Csr<f64>, r: &mut bool) { i: let mut w: Tensor<BitTree<Element<f64>>>; { for j { r ||= w[j] > 1000 } } where { for j { w[j] += a[i, j] } } }
    ws_exit2(a: &Csr<f64>) -> (y: DenseVec<bool>) { i: let mut t: bool; { let mut w: Tensor<BitTree<Element<f64>>>; { for j { t ||= w[j] > 1 } } where { for j { w[j] += a[i, j] } } } y[i] = t }
    listed(a: &Csr<f64>) -> (y: Listeds) { i: for j { y[i, j] = a[i, j] } }
    listed_root(a: &SparseVec<f64>) -> (y: ListedVec) { i: y[i] = a[i] }
    listed_rows(a: &Csr<f64>) -> (y: ListedRows) { i: for j { y[i, j] = a[i, j] } }
    twice_v(a: &Csr<f64>) -> (y: TwiceVec) { i: for j { y[i] += a[i, j] } }
    twice_m(a: &Csr<f64>) -> (y: TwiceMat) { i: for j { y[i, j] += a[i, j] } }
    twice_c(a: &Csr<f64>) -> (y: TwiceCsr) { i: for j { y[i, j] = a[i, j] } }
    twice_h(a: &Csr<f64>) -> (y: TwiceVec[8]) { i: for j { y[j % 8] += a[i, j] } }
    twice_ws(a: &Csr<f64>) -> (y: DenseVec<f64>) { i: let mut w: TwiceVec[4]; { for j in 0..4 { y[i] += w[j] * j } } where { for j { w[j % 4] += a[i, j] } } }
}
fn mat(m: usize, n: usize) -> DenseMat<f64> {
    // Several chunks of what is no more work than a test should take.
    looplets::rt::parallel::worth(4096);
    Tensor::from_dense(
        [m, n],
        &(0..m * n)
            .map(|i| if i % 4 == 0 { ((i * 7) % 11) as f64 - 4.0 } else { 0.0 })
            .collect::<Vec<_>>(),
    )
    .unwrap()
}
macro_rules! t { ($($name:ident($($e:expr),*);)*) => { $( #[test] fn $name() { for m in [0usize, 1, 7, 3000] { let _ = m; let one = super::$name::parallel($($e(m)),*); let two = super::$name::sequential($($e(m)),*);
    assert_eq!(one.triplets(), two.triplets(), "{m}"); assert!(one == two, "{m} parts differ"); } } )* } }
mod tests {
    use super::*;
    fn d(m: usize) -> &'static DenseMat<f64> {
        Box::leak(Box::new(mat(m, 40)))
    }
    fn w(m: usize) -> &'static DenseMat<f64> {
        Box::leak(Box::new(mat(m.min(4), 20_000)))
    }
    fn sq(m: usize) -> &'static DenseMat<f64> {
        Box::leak(Box::new(mat(m.min(300), m.min(300))))
    }
    fn c(m: usize) -> &'static Csr<f64> {
        Box::leak(Box::new(mat(m, 40).convert().unwrap()))
    }
    fn xs(m: usize) -> &'static DenseVec<usize> {
        Box::leak(Box::new(
            Tensor::from_dense([m], &(0..m).map(|i| i * 37 % 90).collect::<Vec<_>>()).unwrap(),
        ))
    }
    fn sv(m: usize) -> &'static SparseVec<f64> {
        Box::leak(Box::new(Tensor::from_dense([m * 8], mat(m, 8).to_dense().as_slice()).unwrap()))
    }
    fn z(_: usize) -> usize {
        0
    }
    fn two(m: usize) -> usize {
        (m / 2).min(16)
    }
    fn nn(m: usize) -> usize {
        m.min(300)
    }
    t! { sym(sq); symp(sq, z, two, nn); low(sq); slow(sq); nested_let(w); nested_ws(w); ws_sizes(xs); ws_rank2(c, c); ws_tree2(c, c); ws_dtree(c); ws_spa2(c, c); ws_dspa(c); ws_spa(c); spa_out(c);
    ws_stack2(c); ws_stack_fill(c); ws_stack_bool(c); ws_stack0(c); ws_stack_big(c); ws_list(c); ws_runs(c); ws_listed(c); ws_csr(c); ws_scalar(c); ws_exit2(c);
    listed(c); listed_root(sv); listed_rows(c); twice_v(c); twice_m(c); twice_c(c); twice_h(c); twice_ws(c); }
    #[test]
    fn nested_copies3() {
        let (mut h, mut k) = (mat(1, 4), 0);
        let _ = (&mut h, &mut k);
        let mut a = Tensor::from_dense([4], &[0.0; 4]).unwrap();
        let mut b = Tensor::from_dense([4], &[0.0; 4]).unwrap();
        super::nested_copies3::parallel(w(4), &mut a);
        super::nested_copies3::sequential(w(4), &mut b);
        assert_eq!(a, b);
    }
    #[test]
    fn ws_truth() {
        let a = mat(3000, 40);
        let rows: Vec<Vec<f64>> = a.to_dense().chunks(40).map(<[f64]>::to_vec).collect();
        let c = c(3000);
        let f = |g: &dyn Fn(&[f64]) -> f64| rows.iter().map(|r| g(r)).collect::<Vec<_>>();
        assert_eq!(super::ws_list::sequential(c).to_dense(), f(&|r| r.iter().sum()));
        assert_eq!(
            super::ws_runs::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * j as f64).sum())
        );
        assert_eq!(
            super::ws_listed::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * j as f64).sum())
        );
        assert_eq!(
            super::ws_csr::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * (2 * j + 2) as f64).sum())
        );
        assert_eq!(
            super::ws_stack2::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * (j % 3 * 5 + j % 5) as f64).sum())
        );
        assert_eq!(
            super::ws_stack_big::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * j as f64).sum())
        );
        let hd = f(&|r| {
            (0..40)
                .map(|k| {
                    let v = r.get(k).copied().unwrap_or(0.0);
                    let (one, two) = if v > 1.0 { (1.0 + v, 5.0) } else { (1.0, 1.0) };
                    1.0 + 2.0 * one + 3.0 * two
                })
                .sum()
        });
        assert_eq!(super::ws_rank2::sequential(c, c).to_dense(), hd);
        assert_eq!(super::ws_tree2::sequential(c, c).to_dense(), hd);
        assert_eq!(super::ws_spa2::sequential(c, c).to_dense(), hd);
        let by_parity =
            f(&|r| r.iter().enumerate().map(|(j, v)| v.max(0.0) * (j % 2 + 1) as f64).sum());
        assert_eq!(super::ws_dtree::sequential(c).to_dense(), by_parity);
        assert_eq!(super::ws_dspa::sequential(c).to_dense(), by_parity);
        assert_eq!(
            super::ws_spa::sequential(c).to_dense(),
            f(&|r| r.iter().enumerate().map(|(j, v)| v * (j * 7 % 40 + 1) as f64).sum())
        );
        assert_eq!(
            super::ws_stack_bool::sequential(c).to_dense(),
            f(&|r| (0..7)
                .filter(|k| r.iter().enumerate().any(|(j, v)| j % 7 == *k && *v > 1.0))
                .count() as f64)
        );
        assert_eq!(
            super::ws_exit2::sequential(c).to_dense(),
            rows.iter().map(|r| r.iter().any(|v| *v > 1.0)).collect::<Vec<_>>()
        );
        assert_eq!(
            super::ws_sizes::sequential(xs(3000)).to_dense(),
            (0..3000)
                .map(|i| {
                    let n = i * 37 % 90;
                    (n * (n + 1) / 2) as f64
                })
                .collect::<Vec<_>>()
        );
        let mut r = false;
        super::ws_exit::sequential(c, &mut r);
        assert!(!r);
        super::ws_exit::parallel(c, &mut r);
        assert!(!r);
    }
}

both! {
    sib_sizes(a: &Csr<f64>) -> (y: DenseVec<f64>) { i:
        { let mut w: Tensor<BitTree<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { w[j] += a[i, j] } } }
        { let mut w: Tensor<BitTree<Element<f64, One>>>[200]; { for j in 0..200 { y[i] += w[j] * 3 } } where { for j { if a[i, j] > 0 { w[j + 7] += a[i, j] } } } } }
    sib_kinds(a: &Csr<f64>) -> (y: DenseVec<f64>) { i:
        { let mut w: Tensor<Bitmap<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { if a[i, j] < 0 { w[j] = a[i, j] } } } }
        { let mut w: Tensor<BitTree<Element<f64>>>; { for j { y[i] += w[j] * 3 } } where { for j { if a[i, j] > 0 { w[j] = a[i, j] } } } } }
    sib_sizes2(a: &Csr<f64>) -> (y: DenseVec<f64>) { i:
        { let mut w: Tensor<BitTree<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { w[j] += a[i, j] } } }
        { let mut v: Tensor<BitTree<Element<f64, One>>>[200]; { for j in 0..200 { y[i] += v[j] * 3 } } where { for j { if a[i, j] > 0 { v[j + 7] += a[i, j] } } } } }
    sib_kinds2(a: &Csr<f64>) -> (y: DenseVec<f64>) { i:
        { let mut w: Tensor<Bitmap<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { if a[i, j] < 0 { w[j] = a[i, j] } } } }
        { let mut v: Tensor<BitTree<Element<f64>>>; { for j { y[i] += v[j] * 3 } } where { for j { if a[i, j] > 0 { v[j] = a[i, j] } } } } }
    same_names(a: &Csr<f64>, w0_tbl: f64) -> (y: DenseVec<f64>) { i: let mut w: Tensor<BitTree<Element<f64>>>; { for j { y[i] += w[j] * w0_tbl } } where { for j { w[j] += a[i, j] } } }
}

#[test]
fn sib() {
    let a = mat(20, 40);
    let rows: Vec<Vec<f64>> = a.to_dense().chunks(40).map(<[f64]>::to_vec).collect();
    let c: Csr<f64> = a.convert().unwrap();
    assert_eq!(
        sib_sizes::sequential(&c).to_dense(),
        rows.iter()
            .map(|r| r.iter().map(|v| v + 3.0 * v.max(0.0)).sum::<f64>() + 600.0)
            .collect::<Vec<_>>()
    );
}
#[test]
fn kinds() {
    let a = mat(20, 40);
    let rows: Vec<Vec<f64>> = a.to_dense().chunks(40).map(<[f64]>::to_vec).collect();
    let c: Csr<f64> = a.convert().unwrap();
    assert_eq!(
        sib_kinds::sequential(&c).to_dense(),
        rows.iter()
            .map(|r| r.iter().map(|v| v.min(0.0) + 3.0 * v.max(0.0)).sum::<f64>())
            .collect::<Vec<_>>()
    );
}
#[test]
fn two() {
    let c: Csr<f64> = mat(20, 40).convert().unwrap();
    assert_eq!(sib_sizes::sequential(&c), sib_sizes2::sequential(&c), "sizes");
}
#[test]
fn two2() {
    let c: Csr<f64> = mat(20, 40).convert().unwrap();
    assert_eq!(sib_kinds::sequential(&c), sib_kinds2::sequential(&c), "kinds");
}
both! {
    nested_copies(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { i: parallel for j { y[i] += a[i, j] } }
}

both! {
    nested_copies2(a: &DenseMat<f64>) -> (y: DenseMat<f64>[$(a.shape()[0]), 5]) { i: parallel for j { y[i, j % 5] += a[i, j] } }
}

both! {
    ws_sib(a: &Csr<f64>) -> (y: DenseVec<f64>) { i:
        { let mut w: Tensor<ByteMap<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { w[j] = a[i, j] } } }
        { let mut w: Tensor<BitTree<Element<f64>>>; { for j { y[i] += w[j] * 3 } } where { for j { if a[i, j] > 0 { w[j] = a[i, j] } } } } }
}

#[test]
fn nested_reductions() {
    for (m, n) in [(4, 20_000), (3000, 40), (1, 0)] {
        let a = mat(m, n);
        assert_eq!(nested_copies::parallel(&a), nested_copies::sequential(&a));
        assert_eq!(nested_copies2::parallel(&a), nested_copies2::sequential(&a));
    }
}
#[test]
fn siblings() {
    let c: Csr<f64> = mat(3000, 40).convert().unwrap();
    assert_eq!(ws_sib::parallel(&c), ws_sib::sequential(&c));
}
finch! { fn hashed(a: &Csr<f64>) -> (t: Tensor<Dense<Hash<Element<f64>>>>) { parallel for i { for j { t[i, j] += a[i, j] } } } }
#[test]
fn one_chunk_is_as_it_is() {
    let a: Csr<f64> = mat(5, 9).convert().unwrap();
    assert_eq!(hashed(&a).to_dense(), a.to_dense());
}
finch! { fn lo_hi(x: &DenseVec<f64>, lo: usize, hi: usize, y: &mut DenseVec<f64>) { parallel for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_s(x: &DenseVec<f64>, lo: usize, hi: usize, y: &mut DenseVec<f64>) { for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_i(x: &DenseVec<f64>, lo: i64, hi: i64, y: &mut DenseVec<f64>) { parallel for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_is(x: &DenseVec<f64>, lo: i64, hi: i64, y: &mut DenseVec<f64>) { for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_r(x: &DenseVec<f64>, lo: i64, hi: i64, y: &mut DenseVec<f64>) -> Result<(), Error> { parallel for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_new(x: &DenseVec<f64>, lo: i64, hi: i64) -> (y: DenseVec<f64>) { parallel for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_new_s(x: &DenseVec<f64>, lo: i64, hi: i64) -> (y: DenseVec<f64>) { for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_made(x: &SparseVec<f64>, lo: i64, hi: i64) -> (y: SparseVec<f64>) { parallel for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_made_s(x: &SparseVec<f64>, lo: i64, hi: i64) -> (y: SparseVec<f64>) { for i in lo..hi { y[i] = x[i] } } }
finch! { fn lo_hi_csr(x: &Csr<f64>, lo: i64, hi: i64) -> (y: Csr<f64>) { parallel for i in lo..hi { for j { y[i, j] = x[i, j] } } } }
finch! { fn lo_hi_csr_s(x: &Csr<f64>, lo: i64, hi: i64) -> (y: Csr<f64>) { for i in lo..hi { for j { y[i, j] = x[i, j] } } } }
fn vector(n: usize) -> DenseVec<f64> {
    // Several chunks of what is no more work than a test should take.
    looplets::rt::parallel::worth(4096);
    Tensor::from_dense([n], &(0..n).map(|i| ((i * 7) % 11) as f64 - 4.0).collect::<Vec<_>>())
        .unwrap()
}
macro_rules! quiet {
    ($e:expr) => {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| $e)).map_err(|_| ())
    };
}
#[test]
fn empty_extents() {
    let x = vector(10);
    for (lo, hi) in [
        (100i64, 50i64),
        (20, 20),
        (5, 2),
        (10, 10),
        (11, 11),
        (0, 0),
        (-5, -5),
        (-1, -3),
        (-7, 0),
        (12, 0),
        (i64::MAX, 0),
        (i64::MAX, i64::MIN),
        (-3, 4),
        (3, 14),
    ] {
        let (mut y, mut z) = (vector(10), vector(10));
        let a = quiet!(lo_hi_i(&x, lo, hi, &mut y));
        let b = quiet!(lo_hi_is(&x, lo, hi, &mut z));
        if a != b || y != z {
            panic!("EMPTY {lo}..{hi}: {a:?} {b:?}");
        }
        if lo >= 0 && hi >= 0 {
            let a = quiet!(lo_hi(&x, lo as usize, hi as usize, &mut y));
            let b = quiet!(lo_hi_s(&x, lo as usize, hi as usize, &mut z));
            if a != b || y != z {
                panic!("EMPTYu {lo}..{hi}: {a:?} {b:?}");
            }
        }
        let a = quiet!(lo_hi_new(&x, lo, hi));
        let b = quiet!(lo_hi_new_s(&x, lo, hi));
        if a != b {
            panic!("NEW {lo}..{hi}: {a:?} {b:?}");
        }
        let sx: SparseVec<f64> = x.convert().unwrap();
        let a = quiet!(lo_hi_made(&sx, lo, hi));
        let b = quiet!(lo_hi_made_s(&sx, lo, hi));
        if a != b {
            panic!("MADE {lo}..{hi}: {a:?} {b:?}");
        }
        let c: Csr<f64> = mat(10, 4).convert().unwrap();
        let a = quiet!(lo_hi_csr(&c, lo, hi));
        let b = quiet!(lo_hi_csr_s(&c, lo, hi));
        if a != b {
            panic!("CSR {lo}..{hi}: {a:?} {b:?}");
        }
    }
}
