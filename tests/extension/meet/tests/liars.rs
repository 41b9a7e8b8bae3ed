//! Formats that lie. A `level!` without `unsafe` may get anything wrong about its own fibers, and no
//! safe program may index out of range without a check because of it: not in the liar's own arrays,
//! not below it, and not in a trusted tensor that shares a loop with it.
//!
//! With debug assertions the unchecked accesses of a kernel are asserted, so what is looked for is
//! that assertion: any other panic, and any wrong value, is what a liar deserves.

use sparse::{finch, level, Dense, DenseVec, Element, RunList, SparseBand, SparseList, Tensor};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Once;

/// As the numbers stand, nothing about them is checked.
fn claim<T>(x: T) -> Result<T, String> {
    Ok(x)
}

/// Seeks where the numbers say, which may be anywhere.
fn stray(begin: &[u64], q: i64, i: i64) -> i64 {
    begin
        .get(usize::try_from(q ^ i).unwrap_or(0))
        .map_or(-1, |b| i64::try_from(*b).unwrap_or(i64::MAX))
}

level! {
    /// Every number it answers with is a number it was made with.
    struct Liar<Child> {
        len: usize,
        count: usize,
        below: usize,
        minus: usize,
        begin: Vec<u64>,
        stop: Vec<u64>,
        at: Vec<usize>,
        child: Child,
    }
    invariant(fibers) { crate::claim(below) }
    read walk(p) {
        stepper {
            for q in p..count,
            seek(i): crate::stray(begin, q, i),
            stop: stop[q] - minus,
            body: pipeline {
                ..begin[q] - minus => run(fill),
                .. => lookup(|i| child[at[q] + i - minus]),
            },
        }
    }
    read gallop, lead(p) {
        jumper {
            for q in 0..count,
            seek(i): crate::stray(begin, q, i),
            stop: stop[q] - minus + p,
            body: spike(fill, child[at[q] - minus]),
        }
    }
    read follow(p) {
        let a = begin[0] - minus;
        let b = begin[1] - minus;
        pipeline {
            ..a => run(child[at[0] - minus]),
            ..b => shift(a, lookup(|i| child[i + at[1]])),
            ..stop[0] => spike(fill, child[p]),
            .. => switch {
                a < b => run(fill),
                _ => lookup(|i| child[at[i]]),
            },
        }
    }
    read creep(p) {
        let mut k = begin[0];
        stepper {
            seek(i): k = i - minus,
            stop: k + at[0] - minus,
            body: run(child[k + p]),
            next: k += stop[0] - minus,
        }
    }
    read locate(p, i) {
        switch {
            begin[i] < stop[i] + p => child[at[i] - minus],
            _ => child[i],
        }
    }
}

level! {
    /// Stores entries wherever its numbers say, which is never where it was told.
    struct Scribe<Child> {
        len: usize,
        twist: usize,
        at: Vec<usize>,
        child: Child,
    }
    invariant(fibers) { crate::claim(at.len()) }
    read walk(p) { lookup(|i| child[at[p + i]]) }
    write append(p, i) {
        child: { (p * 7 + i * 5 + twist) % 3 },
        commit: { at.push(p) },
        finish(fibers) { sparse::level::grow(at, fibers, 2) },
        children(fibers) { Some(at.len()) },
    }
}

level! {
    type Vector = Tensor<Liar<Element<f64>>>;
}
level! {
    type Matrix = Tensor<Dense<Liar<Element<f64>>>>;
}
level! {
    type Indices = Tensor<Liar<Element<u64>>>;
}
level! {
    type Under = Tensor<Liar<SparseList<Element<f64>>>>;
}

macro_rules! vector_kernels {
    ($($name:ident $protocol:ident),*) => {$(
        mod $name {
            use super::*;
            finch! {
                pub(super) fn dot(l: &Vector, x: &DenseVec<f64>, s: &mut f64) { for i { s += l[i::$protocol] * x[i] } }
                pub(super) fn union(l: &Vector, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = l[i::$protocol] + x[i] } }
                pub(super) fn list(l: &Vector, c: &Tensor<SparseList<Element<f64>>>, x: &DenseVec<f64>) -> (y: Tensor<SparseList<Element<f64>>>) {
                    for i { y[i] = l[i::$protocol] * c[i] + x[i] * c[i::gallop] }
                }
                pub(super) fn jump(l: &Vector, c: &Tensor<SparseList<Element<f64>>>, x: &DenseVec<f64>, s: &mut f64) {
                    for i { s += l[i::$protocol] * c[i::gallop] * x[i] }
                }
                pub(super) fn runs(l: &Vector, r: &Tensor<RunList<Element<f64>>>, b: &Tensor<SparseBand<Element<f64>>>, s: &mut f64) {
                    for i { s += l[i::$protocol] * r[i] + b[i] * r[i::lead] }
                }
                pub(super) fn moved(l: &Vector, x: &DenseVec<f64>, c: &Tensor<SparseList<Element<f64>>>, s: &mut f64) {
                    for i in 1..2 { s += l[(i + 1)::$protocol] * x[i - 1] + l[(i - 1)::$protocol] * c[i + 1] }
                }
                pub(super) fn rows(l: &Vector, a: &sparse::Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += l[i::$protocol] * a[i, j] * x[j] }
                }
                pub(super) fn columns(l: &Matrix, c: &Tensor<SparseList<Element<f64>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += l[i, j::$protocol] * c[j] * x[j] }
                }
                pub(super) fn under(l: &Under, x: &DenseVec<f64>, c: &Tensor<SparseList<Element<f64>>>, s: &mut f64) {
                    for i, j { s += l[i::$protocol, j] * x[j] * c[j::gallop] }
                }
                pub(super) fn gather(l: &Indices, x: &DenseVec<f64>, c: &Tensor<SparseList<Element<f64>>>, s: &mut f64) {
                    for i { s += x[l[i::$protocol]] + c[l[i::$protocol]] }
                }
                pub(super) fn pair(l: &Vector, m: &Vector, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    for i { y[i] = l[i::$protocol] * m[i::walk] + m[i::lead] * x[i] }
                }
                pub(super) fn update(l: &Vector, y: &mut DenseVec<f64>) { for i { y[i] += l[i::$protocol] } }
                pub(super) fn guarded(l: &Vector, a: &sparse::Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += l[i::$protocol] * a[n, j] }
                }
            }
        }
    )*};
}

vector_kernels!(walk walk, gallop gallop, follow follow, creep creep, locate locate);

finch! {
    /// A liar is written, also above a format that trusts its own invariant.
    fn written(x: &DenseVec<f64>) -> (y: Tensor<Dense<Scribe<Element<f64>>>>[3, 4]) {
        for i in 0..3 { for j in 0..4 { y[i, j] = x[j] } }
    }
    fn written_above(c: &sparse::Csr<f64>) -> (y: Tensor<Scribe<SparseList<Element<f64>>>>) {
        for i, j { y[i, j] = c[i, j] }
    }
}

/// Numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
    fn number(&mut self) -> u64 {
        const ODD: [u64; 6] =
            [u64::MAX, i64::MAX as u64, i64::MAX as u64 - 1, 1 << 62, 1 << 61, 1 << 32];
        match self.below(12) {
            0 => ODD[self.below(ODD.len())],
            _ => self.below(9) as u64,
        }
    }
    fn numbers(&mut self) -> Vec<u64> {
        (0..self.below(6)).map(|_| self.number()).collect()
    }
    fn liar<C>(&mut self, len: usize, below: usize, child: C) -> Liar<C> {
        let minus = if self.below(3) == 0 { self.number() as usize } else { 0 };
        let at = self.numbers().into_iter().map(|n| n as usize).collect();
        Liar::new(len, self.below(7), below, minus, self.numbers(), self.numbers(), at, child)
    }
    fn vector(&mut self, len: usize) -> Vector {
        let n = self.below(6);
        let child = Element::new((0..n).map(|k| k as f64).collect());
        Tensor::from_parts(self.liar(len, n, child)).unwrap()
    }
    fn values(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.below(3) as f64).collect()
    }
}

/// Runs `f`, which may panic, but not by an unchecked access.
fn try_to(what: &str, f: impl FnOnce()) -> bool {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else { return true };
    let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(!message.contains("a kernel indexes element"), "{what}: {message}");
    false
}

/// How many random tensors to try: `LIARS`, for a longer search than a test run has time for.
fn rounds() -> usize {
    std::env::var("LIARS").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let text = info.to_string();
            if text.contains("a kernel indexes element") || text.contains("assertion") {
                default(info);
            }
        }));
    });
}

macro_rules! attack {
    ($seed:expr, $($name:ident),*) => {$(
        #[test]
        fn $name() {
            quiet();
            let mut random = Random($seed);
            let mut ended = std::collections::BTreeMap::<&str, (usize, usize)>::new();
            for _ in 0..rounds() {
                let n = random.below(6);
                let m = random.below(4);
                let l = random.vector(n);
                let x: DenseVec<f64> = Tensor::from_dense([n], &random.values(n)).unwrap();
                let c: Tensor<SparseList<Element<f64>>> = Tensor::from_dense([n], &random.values(n)).unwrap();
                let r: Tensor<RunList<Element<f64>>> = Tensor::from_dense([n], &random.values(n)).unwrap();
                let b: Tensor<SparseBand<Element<f64>>> = Tensor::from_dense([n], &random.values(n)).unwrap();
                let a: sparse::Csr<f64> = Tensor::from_dense([n, n], &random.values(n * n)).unwrap();
                let lists: sparse::Dcsr<f64> = Tensor::from_dense([4, n], &random.values(4 * n)).unwrap();
                let (_, _, crd, lists) = lists.into_root().into_parts();
                let below = crd.len();
                let under: Under = Tensor::from_parts(random.liar(m, below, lists)).unwrap();
                let rows: Matrix = Tensor::from_parts(Dense::new(m, {
                    let k = random.below(6);
                    let values = random.values(k);
                    random.liar(n, k, Element::new(values))
                })).unwrap();
                let indices: Indices = Tensor::from_parts({
                    let values = random.numbers();
                    random.liar(n, values.len(), Element::new(values))
                }).unwrap();
                let (mut s, other, row) = (0.0, random.vector(n), random.below(7));
                let mut y = x.clone();
                let mut go = |what: &'static str, ok: bool| {
                    let (done, tried) = ended.entry(what).or_default();
                    *tried += 1;
                    *done += usize::from(ok);
                };
                go("dot", try_to("dot", || self::$name::dot(&l, &x, &mut s)));
                go("union", try_to("union", || drop(self::$name::union(&l, &x))));
                go("list", try_to("list", || drop(self::$name::list(&l, &c, &x))));
                go("jump", try_to("jump", || self::$name::jump(&l, &c, &x, &mut s)));
                go("runs", try_to("runs", || self::$name::runs(&l, &r, &b, &mut s)));
                go("moved", try_to("moved", || self::$name::moved(&l, &x, &c, &mut s)));
                go("rows", try_to("rows", || drop(self::$name::rows(&l, &a, &x))));
                go("columns", try_to("columns", || drop(self::$name::columns(&rows, &c, &x))));
                go("under", try_to("under", || self::$name::under(&under, &x, &c, &mut s)));
                go("gather", try_to("gather", || self::$name::gather(&indices, &x, &c, &mut s)));
                go("pair", try_to("pair", || drop(self::$name::pair(&l, &other, &x))));
                go("update", try_to("update", || self::$name::update(&l, &mut y)));
                go("guarded", try_to("guarded", || drop(self::$name::guarded(&l, &a, row))));
                // An updated tensor is whole, whatever happened halfway.
                assert_eq!(Tensor::from_parts(y.into_root()).unwrap().shape(), [n]);
                // The run-time library meets the liar as well.
                try_to("walking", || drop(l.triplets()));
                try_to("to dense", || drop(l.to_dense()));
                try_to("get", || _ = l.get([0]));
                try_to("under", || drop(under.to_dense()));
                // A size that is a lie is refused where it meets another.
                let long = random.vector(n + 1);
                assert!(!try_to("sizes", || drop(self::$name::union(&long, &x))));
            }
            // A kernel that always panics would not show much.
            for (what, (done, tried)) in &ended {
                assert!(*done > tried / 100, "{what}: {done} of {tried} came to an end");
            }
        }
    )*};
}

attack!(7, walk, gallop, follow, creep, locate);

#[test]
fn liars_are_written() {
    quiet();
    let mut random = Random(11);
    for _ in 0..50 {
        let x: DenseVec<f64> = Tensor::from_dense([4], &random.values(4)).unwrap();
        let c: sparse::Csr<f64> = Tensor::from_dense([3, 4], &random.values(12)).unwrap();
        try_to("written", || drop(written(&x).to_dense()));
        try_to("written above", || drop(written_above(&c).to_dense()));
        try_to("assembled", || {
            drop(Tensor::<Dense<Scribe<Element<f64>>>>::from_dense([3, 4], &random.values(12)))
        });
    }
}

#[test]
fn a_level_taken_from_a_liar_is_checked_again() {
    // Its child was checked for as many fibers as the liar said; as a tensor of its own it has one.
    let list: SparseList<Element<f64>> =
        SparseList::new(9, vec![0, 1, 1], vec![3], Element::new(vec![1.0]));
    let liar = Random(1).liar(5, 2, list);
    let tensor: Under = Tensor::from_parts(liar).unwrap();
    let child = tensor.into_root().into_parts().7;
    assert!(Tensor::from_parts(child).is_err());
}
