//! Entries that are an element in each of some arrays: written where there is room for a stretch of them, in
//! programs that append all that is there, some of it, or more than one input has.

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};

level! {
    /// A list with a second array of one element an entry.
    pub struct Odd<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        odd: Vec<u8>,
        child: Child,
    }
    // SAFETY: as for `SparseList`.
    unsafe invariant(fibers) {
        match crd.iter().zip(odd).find(|(c, o)| c.to_i64() as u8 % 2 != **o) {
            _ if crd.len() != odd.len() => Err(format!("{} coordinates, {} are odd or not", crd.len(), odd.len())),
            Some((c, _)) => Err(format!("{c:?} is not as odd as is said")),
            None => looplets::levels::sparse_list_invariant(len, fibers, pos, crd),
        }
    }
    read walk(p) {
        let start = pos[p];
        let end = pos[p + 1];
        // Not by `end`, which then nothing but the stepper reads.
        let last = if start < pos[p + 1] { crd[pos[p + 1] - 1] + 1 } else { 0 };
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
    write append(p, i) {
        open: { looplets::levels::begin_fiber(pos, p, crd.len()) },
        each { crd: Ix::from_i64(i as i64), odd: (i % 2) as u8 },
        finish(fibers) { looplets::levels::begin_fiber(pos, fibers, crd.len()) },
    }
}
level! {
    /// Rows of them.
    pub type OddRows<T> = Tensor<Dense<Odd<Element<T>>>>;
}
level! {
    /// Where there are any.
    pub type OddBits = Tensor<Dense<Odd<Pattern>>>;
}

macro_rules! appended {
    ($name:ident, $Y:ident) => {
        mod $name {
            use super::*;
            kernels! {
                fn copy(a: &Csr<f64>) -> (y: $Y<f64>) { for i, j { y[i, j] = a[i, j] } };;
                fn sum(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
                fn three(a: &Csr<f64>, b: &Csr<f64>, d: &$Y<f64>) -> (y: $Y<f64>) {
                    for i, j { y[i, j] = a[i, j] + b[i, j] + d[i, j] }
                };;
                fn product(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
                fn kept(a: &Csr<f64>) -> (y: $Y<f64>) { for i, j { if a[i, j] > 1.0 { y[i, j] = a[i, j] } } };;
                fn full(d: &DenseMat<f64>) -> (y: $Y<f64>) { for i, j { y[i, j] = d[i, j] } };;
                fn sampled(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: $Y<f64>) {
                    for i, j, k { y[i, j] += a[i, j] * d[i, k] }
                };;
                fn both(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>, z: $Y<f64>) {
                    for i, j { y[i, j] = a[i, j] + b[i, j]; z[i, j] = a[i, j] * b[i, j] }
                };;
                fn moved(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>) {
                    for i, j { y[i, j] = a[i, j] - coalesce(b[i, permit[offset(1)[j]]], 0.0) }
                };;
                fn runs(r: &Tensor<Dense<RunList<Element<f64>>>>, b: &Csr<f64>) -> (y: $Y<f64>) {
                    for i, j { y[i, j] = r[i, j] + b[i, j] }
                };;
                fn leading(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>) {
                    for i, j { y[i, j] = a[i, j::gallop] * b[i, j::gallop] }
                };;
                fn in_parts(a: &Csr<f64>, b: &Csr<f64>) -> (y: $Y<f64>) {
                    parallel for i { for j { y[i, j] = a[i, j] + b[i, j] } }
                }
            }
            #[test]
            fn agrees() {
                for [m, n] in [[1, 0], [0, 3], [1, 1], [2, 7], [9, 17]] {
                    for kind in 0..KINDS {
                        let a: Csr<f64> = matrix(kind, [m, n]);
                        let b: Csr<f64> = matrix((kind + 1) % KINDS, [m, n]);
                        let c: $Y<f64> = matrix((kind + 2) % KINDS, [m, n]);
                        let d: DenseMat<f64> = matrix(kind, [m, n]);
                        let r: Tensor<Dense<RunList<Element<f64>>>> = matrix(kind, [m, n]);
                        agree!(copy(&a));
                        agree!(sum(&a, &b));
                        agree!(three(&a, &b, &c));
                        agree!(product(&a, &b));
                        agree!(kept(&a));
                        agree!(full(&d));
                        agree!(sampled(&a, &d));
                        agree!(both(&a, &b));
                        agree!(runs(&r, &b));
                        agree!(leading(&a, &b));
                        agree!(in_parts(&a, &b));
                        // Parts put together again are checked whole.
                        for y in [sum(&a, &b), product(&a, &b), full(&d), in_parts(&a, &b)] {
                            Tensor::from_parts(y.into_root()).expect("all arrays have an element an entry");
                        }
                        if n > 1 {
                            agree!(moved(&a, &b));
                        }
                    }
                }
            }
        }
    };
}
appended!(lists, Csr);
appended!(own, OddRows);

finch! {
    fn bits(a: &Csr<f64>, b: &Csr<f64>) -> (y: OddBits) { for i, j { y[i, j] = a[i, j] != 0.0 && b[i, j] != 0.0 } }
}

#[test]
fn entries_without_values() {
    for kind in 0..KINDS {
        let a: Csr<f64> = matrix(kind, [9, 40]);
        let b: Csr<f64> = matrix((kind + 1) % KINDS, [9, 40]);
        let y = bits(&a, &b);
        let y = Tensor::from_parts(y.into_root()).expect("as odd as is said");
        let (a, b) = (a.to_dense(), b.to_dense());
        let both: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a != 0.0 && *b != 0.0).collect();
        assert_eq!(y.to_dense(), both);
    }
}

thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// The value, until as many were asked for as `LEFT` says.
fn until(x: f64) -> f64 {
    LEFT.with(|left| match left.get() {
        0 => panic!("no more"),
        n => left.set(n - 1),
    });
    x
}

finch! {
    #![dense]
    fn limited(a: &Csr<f64>, b: &Csr<f64>, y: Csr<f64>) -> (y: Csr<f64>) {
        for i, j { y[i, j] = until(a[i, j] + b[i, j]) }
    }
}

/// What unwinds in the midst of a row leaves nothing behind that is not whole.
#[test]
fn a_value_that_panics() {
    let d: DenseMat<f64> = matrix(1, [4, 6]);
    let a: Csr<f64> = d.convert().expect("a matrix");
    for left in 0..24 {
        LEFT.set(left);
        let y: Csr<f64> = Tensor::new([0, 0]).expect("nothing");
        let made = catch_unwind(AssertUnwindSafe(|| limited(&a, &a, y)));
        assert!(made.is_err(), "{left}");
    }
    LEFT.set(24);
    let y: Csr<f64> = Tensor::new([0, 0]).expect("nothing");
    assert_eq!(
        limited(&a, &a, y).to_dense(),
        d.to_dense().iter().map(|x| 2.0 * x).collect::<Vec<_>>()
    );
}

kernels! {
    fn cut(a: &Tensor<Odd<Element<f64>>>, n: usize) -> (y: SparseVec<f64>) { for i in 0..n { y[i] = a[i] } };;
    fn lagging(a: &Tensor<Odd<Element<f64>>>, r: &Tensor<RunList<Element<f64>>>) -> (y: SparseVec<f64>) {
        for i { y[i] = a[i] * r[i] }
    }
}

/// Did not compile: the end of a cursor that no loop reads was left out, and then asked for.
#[test]
fn ends_that_nothing_else_reads() {
    for n in [1, 2, 9] {
        for kind in 0..KINDS {
            let a: Tensor<Odd<Element<f64>>> = vector(kind, n);
            let r: Tensor<RunList<Element<f64>>> = vector((kind + 1) % KINDS, n);
            agree!(cut(&a, n));
            agree!(lagging(&a, &r));
        }
    }
}
