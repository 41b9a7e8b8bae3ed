//! Room for what all rows append, counted before the first: in nests of loops, of levels whose fibers overlap or
//! end before they start, behind what is there, and where a row is not counted.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

level! {
    /// A list whose fibers are cut out of the coordinates anywhere.
    pub struct Cut<Child> {
        len: usize,
        from: Vec<usize>,
        to: Vec<usize>,
        crd: Vec<u32>,
        child: Child,
    }
    // SAFETY: fiber `p` has the entries `from[p]..to[p]`, if there are any, and none ends behind `crd`, which is
    // as long as what is said of the child.
    unsafe invariant(fibers) {
        let cut = |(from, to): (&usize, &usize)| {
            from >= to || *to <= crd.len()
                && crd[*from..*to].windows(2).all(|w| w[0] < w[1])
                && (crd[*to - 1] as usize) < len
        };
        match from.len() == fibers && to.len() == fibers && from.iter().zip(to).all(cut) {
            true => Ok(crd.len()),
            false => Err("a fiber is not one".to_owned()),
        }
    }
    read walk(p) {
        let start = from[p];
        let end = to[p];
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
}
level! {
    /// A child that is there if any flag is set, and that all flags share.
    pub struct Shared<Child> {
        len: usize,
        has: Vec<u8>,
        child: Child,
    }
    // SAFETY: a child is looked at below a flag, and if there is one, so is the child.
    unsafe invariant(fibers) {
        match fibers.checked_mul(len) == Some(has.len()) {
            true => Ok(usize::from(has.iter().any(|h| *h != 0))),
            false => Err("as many flags as coordinates".to_owned()),
        }
    }
    read locate(p, i) {
        let q = p * len + i;
        switch {
            has[q] != 0 => child[0],
            _ => fill,
        }
    }
}
level! {
    /// The same child at each coordinate.
    pub struct Same<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: the child of fiber `p` is `p`.
    unsafe invariant(fibers) {
        let _ = len;
        Ok(fibers)
    }
    read locate(p, i) {
        switch {
            i >= 0 => child[p],
            _ => fill,
        }
    }
}
level! { type Rows = Tensor<Dense<Cut<Element<f64>>>>; }
level! { type Deep = Tensor<Dense<Dense<SparseList<Element<f64>>>>>; }
level! { type Sparser = Tensor<SparseList<SparseList<Element<f64>>>>; }
level! { type Alike = Tensor<Shared<Dense<SparseList<Element<f64>>>>>; }
level! { type Copies = Tensor<Same<Same<SparseList<Pattern>>>>; }
level! { type DeepBits = Tensor<Dense<Dense<SparseList<Pattern>>>>; }
level! { type Bits = Tensor<Dense<SparseList<Pattern>>>; }

kernels! {
    fn cuts(a: &Rows, b: &Rows) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn cut_products(a: &Rows, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn deep(a: &Deep, b: &Deep) -> (y: Deep) { for i, j, k { y[i, j, k] = a[i, j, k] + b[i, j, k] } };;
    fn deep_products(a: &Deep, b: &Deep) -> (y: Deep) { for i, j, k { y[i, j, k] = a[i, j, k] * b[i, j, k] } };;
    fn deep_kept(a: &Deep, m: &Bits) -> (y: Deep) {
        for i, j, k { if m[i, j] { y[i, j, k] = a[i, j, k] } }
    };;
    fn deep_in_parts(a: &Deep, b: &Deep) -> (y: Deep) {
        parallel for i { for j, k { y[i, j, k] = a[i, j, k] + b[i, j, k] } }
    };;
    fn sparser(a: &Sparser, b: &Csr<f64>) -> (y: Sparser) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn rows_of_one(a: &Sparser, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn twice(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>, z: Csr<f64>) {
        for i, j { y[i, j] = a[i, j] + b[i, j] }
        for i, j { z[i, j] = a[i, j] * y[i, j] }
    };;
    fn some_rows(a: &Csr<f64>, n: usize) -> (y: Csr<f64>) { for i, j { if i < n { y[i, j] = a[i, j] + 1.0 } } };;
    fn reduced(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: Csr<f64>) {
        for i, j {
            let mut t: f64;
            for k { t += d[i, k] * d[j, k] }
            if a[i, j] != 0.0 { y[i, j] = t * a[i, j] }
        }
    }
}

/// Rows of `crd`, the last of which ends before it starts, and two of which overlap.
fn rows() -> Rows {
    let (crd, val) = (vec![1, 3, 4, 0, 2, 6], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    cut(vec![0, 1, 3, 4], vec![3, 3, 6, 3], crd, val)
}

fn cut(from: Vec<usize>, to: Vec<usize>, crd: Vec<u32>, val: Vec<f64>) -> Rows {
    let level = Cut::new(7, from, to, crd, Element::new(val));
    Tensor::from_parts(Dense::new(4, level)).expect("rows")
}

/// Made room for fewer than there are: what a fiber that ends before it starts has less was taken off the others.
#[test]
fn fibers_anywhere() {
    let a = rows();
    let (_, level) = rows().into_root().into_parts();
    let (_, _, _, crd, values) = level.into_parts();
    let b = cut(vec![4, 3, 1, 0], vec![3, 6, 3, 3], crd, values.into_parts().0);
    let (x, y) = (a.to_dense(), b.to_dense());
    let sum: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(cuts(&a, &b).to_dense(), sum);
    assert_eq!(cuts(&b, &a).to_dense(), sum);
    let c: Csr<f64> = matrix(8, [4, 7]);
    let product: Vec<f64> = x.iter().zip(c.to_dense()).map(|(x, y)| x * y).collect();
    assert_eq!(cut_products(&a, &c).to_dense(), product);
}

/// Rows in every place of a nest: none, one, and some of them empty.
#[test]
fn nests() {
    for [l, m, n] in [[0, 2, 3], [1, 0, 2], [2, 1, 1], [1, 3, 4], [3, 4, 5]] {
        for kind in 0..KINDS {
            let all = |kind: usize| -> Deep { tensor(&[l, m, n], &items(kind % KINDS, l * m * n)) };
            let (a, b) = (all(kind), all(kind + 1));
            let flags: Vec<bool> = (0..l * m).map(|k| (k + kind) % 3 != 0).collect();
            let bits: Bits = Tensor::from_dense([l, m], &flags).expect("bits");
            agree!(deep(&a, &b));
            agree!(deep_products(&a, &b));
            agree!(deep_kept(&a, &bits));
            agree!(deep_in_parts(&a, &b));
            for y in [deep(&a, &b), deep_products(&a, &b), deep_kept(&a, &bits)] {
                Tensor::from_parts(y.into_root()).expect("whole");
            }
        }
    }
}

#[test]
fn rows_that_are_not_counted_and_rows_of_two_results() {
    for [m, n] in [[0, 3], [1, 1], [4, 4], [9, 17]] {
        for kind in 0..KINDS {
            let (a, b): (Csr<f64>, Csr<f64>) =
                (matrix(kind, [m, n]), matrix((kind + 1) % KINDS, [m, n]));
            let s: Sparser = matrix((kind + 2) % KINDS, [m, n]);
            agree!(sparser(&s, &b));
            agree!(rows_of_one(&s, &b));
            agree!(twice(&a, &b));
            agree!(some_rows(&a, m / 2));
            if m == n {
                let d: DenseMat<f64> = matrix(kind, [m, 3]);
                agree!(reduced(&a, &d));
            }
        }
    }
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Whether it was asked four times before.
fn late(_: f64) -> bool {
    ASKED.fetch_add(1, Ordering::Relaxed) >= 4
}

finch! {
    fn below_condition(a: &Deep, b: &Csr<f64>, m: &DenseVec<bool>) -> (y: Deep[5, 5, 7]) {
        for i { if m[i] { for k in 0..i { for j { y[i, k, j] = b[k, j] * a[i, k, j] } } } }
    }
    fn alike(b: &Alike) -> (y: Deep) { for i, k, j { y[i, k, j] = b[i, k, j] } }
    fn copies(b: &Copies) -> (y: DeepBits) { for i, k, j { if k != 5 { y[i, k, j] = b[i, k, j] } } }
    fn asked(a: &Deep, b: &Csr<f64>, x: &DenseVec<f64>, n: i64, o: i64) -> (y: Deep) {
        for i {
            let t = ifelse(late(x[i]), n, o);
            for k, j { if k < t { y[i, k, j] = b[k, j] + a[i, k, j] } }
        }
    }
    fn broadcast(a: &Csr<f64>, b: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[j::walk] } }
    fn broadcast_rows(a: &Deep, b: &Csr<f64>) -> (y: Deep) { for i, k, j { y[i, k, j] = b[k, j] * a[i, k, j] } }
    fn windowed(b: &Csr<f64>, a: &Deep) -> (y: Deep) {
        for i, k, j { y[i, k, j] = b[window(i, i + 1)[k], j] * a[i, k, j] }
    }
    fn windowed_in_parts(b: &Csr<f64>, a: &Deep) -> (y: Deep) {
        parallel for i { for k, j { y[i, k, j] = b[window(i, i + 1)[k], j] * a[i, k, j] } }
    }
    fn carried(b: &Csr<f64>, lo: usize, hi: usize, t: &mut f64) {
        for i in lo..hi { for k, j { t += b[window(i, i + 1)[k], j] } }
    }
}

/// Read bounds of rows that a check below a condition keeps from being read.
#[test]
fn checks_below_conditions() {
    let a = Deep::from_dense([5, 5, 7], &[1.0; 175]).expect("ones");
    let b = Csr::from_dense([1, 7], &[1.0; 7]).expect("ones");
    let some = |set: Option<usize>| {
        let m: Vec<bool> = (0..5).map(|i| Some(i) == set).collect();
        DenseVec::<bool>::from_dense([5], &m).expect("flags")
    };
    assert_eq!(below_condition(&a, &b, &some(None)).entries(), 0);
    assert_eq!(below_condition(&a, &b, &some(Some(1))).entries(), 7);
    assert!(catch_unwind(|| below_condition(&a, &b, &some(Some(3)))).is_err());
}

/// Read bounds of rows of a child that is not there.
#[test]
fn children_below_conditions() {
    let none = SparseList::new(7, vec![0], Vec::new(), Element::new(Vec::new()));
    let b = Shared::new(3, vec![0; 3], Dense::new(4, none));
    assert_eq!(alike(&Tensor::from_parts(b).expect("nothing")).entries(), 0);
    let one = SparseList::new(7, vec![0, 1, 1, 2, 2], vec![3, 6], Element::new(vec![1.0, 2.0]));
    let b = Shared::new(3, vec![0, 1, 1], Dense::new(4, one));
    assert_eq!(alike(&Tensor::from_parts(b).expect("one")).entries(), 4);
}

/// Where a row is the same for all, how many there are of it is no number of entries of an input: it is not counted.
#[test]
fn a_row_that_is_there_many_times() {
    let row = SparseList::new(4, vec![0, 4], (0..4).collect(), Pattern::new());
    let b = Tensor::from_parts(Same::new(3, Same::new(7, row))).expect("one row");
    assert_eq!(copies(&b).entries(), 72);
}

/// Counted by what a function said before it was asked: it is asked once a row.
#[test]
fn functions_are_not_counted_by() {
    let a = Deep::from_dense([4, 5, 7], &[0.0; 140]).expect("nothing");
    let b = Csr::from_dense([5, 7], &[1.0; 35]).expect("ones");
    let x = DenseVec::<f64>::from_dense([4], &[1.0; 4]).expect("ones");
    assert_eq!(asked(&a, &b, &x, 5, 0).entries(), 0);
    assert_eq!(asked(&a, &b, &x, 5, 0).entries(), 140);
    assert_eq!(ASKED.load(Ordering::Relaxed), 8);
}

/// Asked for as much room as if all rows had as many entries as the one they share.
#[test]
fn what_all_rows_share_bounds_none() {
    let n = 1_000_000;
    let all = (0..n).map(|j| ([j], 2.0));
    let b = SparseVec::<f64>::from_triplets([n], all, Refuse).expect("twos");
    let a = Csr::<f64>::from_triplets([n, n], (0..20_000).map(|i| ([i * 50, i], 3.0)), Refuse);
    let a = a.expect("some rows of one");
    let y = broadcast(&a, &b);
    assert_eq!(y.entries(), 20_000);
    assert!(y.triplets().iter().all(|(_, v)| *v == 6.0));
    for kind in 0..KINDS {
        let a: Deep = tensor(&[4, 3, 5], &items(kind, 60));
        let b: Csr<f64> = matrix((kind + 1) % KINDS, [3, 5]);
        let (x, z) = (a.to_dense(), b.to_dense());
        if x.iter().chain(&z).any(|x| !x.is_finite()) {
            // What is not stored is zero times those too.
            continue;
        }
        let want: Vec<f64> = x.iter().zip(z.iter().cycle()).map(|(x, z)| x * z).collect();
        assert_eq!(broadcast_rows(&a, &b).to_dense(), want);
    }
}

/// What a panic says.
fn said(result: std::thread::Result<()>) -> String {
    let panic = result.expect_err("is refused");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// Read bounds of rows that a window in the row is checked for, in front of all or of the first.
#[test]
fn windows_are_checked_in_the_row() {
    let all = |n: usize| Deep::from_dense([n, 1, 7], &vec![1.0; 7 * n]).expect("ones");
    let b = Csr::<f64>::from_dense([1, 7], &[1.0; 7]).expect("ones");
    assert_eq!(windowed(&b, &all(1)).entries(), 7);
    let outside = "reads or writes it at 1..2";
    assert!(said(catch_unwind(|| drop(windowed(&b, &all(5))))).contains(outside));
    let many = said(catch_unwind(|| drop(windowed_in_parts(&b, &all(4000)))));
    assert!(many.contains("reads or writes it at"), "{many}");
    let mut t = 0.0;
    carried(&b, 0, 1, &mut t);
    assert_eq!(t, 7.0);
    let far = said(catch_unwind(|| carried(&b, 3, 5, &mut 0.0)));
    assert!(far.contains("reads or writes it at 3..4"), "{far}");
}
