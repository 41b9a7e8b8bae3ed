//! Tensors over arrays that somebody else holds: checked once, copied never, and read as those that hold their arrays.

use looplets::conformance::Hostile;
use looplets::prelude::*;

macro_rules! kernels {
    ($module:ident: $csr:ty, $vec:ty, $sparse:ty, $mat:ty, $graph:ty) => {
        mod $module {
            use looplets::prelude::*;
            finch! {
                pub fn spmv(a: &$csr, x: &$vec) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
                pub fn sparse_product(a: &$csr, s: &$sparse) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * s[j::walk] } }
                pub fn galloping(a: &$csr, s: &$sparse) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::gallop] * s[j::gallop] } }
                pub fn located(a: &$csr, s: &$sparse) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * s[j::locate] } }
                pub fn sum(a: &$csr, b: &$csr) -> (c: Csr<f64>) { c[i, j] = a[i, j] + 0.5 * b[i, j] }
                pub fn turned(a: &$csr) -> (c: Csr<f64>) { c[j, i] = a[i, j] }
                pub fn product(a: &$csr, b: &$csr) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
                pub fn by_dense(a: &$csr, d: &$mat) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
                pub fn in_parallel(a: &$csr, x: &$vec) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
                pub fn triangles(g: &$graph) -> (t: u64) { t += g[i, j] && g[j, k] && g[i, k] }
                pub fn mixed(a: &$csr, b: &Csr<f64>) -> (t: f64) { t += a[i, j] * b[i, j] }
            }
        }
    };
}

kernels!(held: Csr<f64>, DenseVec<f64>, SparseVec<f64>, DenseMat<f64>, Graph);
kernels!(borrowed: CsrRef<'_, f64>, DenseVecRef<'_, f64>, SparseVecRef<'_, f64>, DenseMatRef<'_, f64>, GraphRef<'_>);

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

fn matrix(n: usize, extreme: bool) -> Csr<f64> {
    let entries = (0..n * n)
        .filter(|k| k * k % 7 == 2)
        .map(|k| ([k / n, k % n], if extreme { f64::hostile(3 * k) } else { f64::small(k) }));
    Tensor::from_triplets([n, n], entries, Refuse).expect("entries within")
}

/// The same tensor over its own arrays.
fn lent(a: &Csr<f64>) -> CsrRef<'_, f64> {
    let (shape, rows) = (a.shape(), a.root().child());
    let values = a.values().expect("values");
    CsrRef::from_slices([shape[0], shape[1]], rows.pos(), rows.crd(), values).expect("it was valid")
}

#[test]
fn kernels_over_borrowed_arrays_give_what_others_give() {
    for n in [0, 1, 2, 9, 40] {
        for extreme in [false, true] {
            let (a, b) = (matrix(n, extreme), matrix(n, false));
            let values: Vec<f64> =
                (0..n).map(|k| if extreme { f64::hostile(k) } else { f64::small(k) }).collect();
            let x: DenseVec<f64> = Tensor::from_dense([n], &values).expect("a vector");
            let rx: DenseVecRef<'_, f64> =
                Tensor::from_parts(Dense::new(n, ElementRef::new(&values))).expect("as long");
            let s: SparseVec<f64> = Tensor::from_dense([n], &values).expect("a vector");
            let list = s.root();
            let rs: SparseVecRef<'_, f64> = Tensor::from_parts(SparseListRef::new(
                n,
                list.pos(),
                list.crd(),
                ElementRef::new(s.values().expect("values")),
            ))
            .expect("valid");
            let elements: Vec<f64> = (0..n * n).map(f64::small).collect();
            let d: DenseMat<f64> = Tensor::from_dense([n, n], &elements).expect("a matrix");
            let rd = DenseMatRef::from_slice([n, n], &elements).expect("as many");
            let (ra, rb) = (lent(&a), lent(&b));
            let dense = |got: DenseVec<f64>, expected: DenseVec<f64>| {
                assert_eq!(bits(&got.to_dense()), bits(&expected.to_dense()), "{n}");
            };
            let same = |got: Csr<f64>, expected: Csr<f64>| {
                assert_eq!(format!("{got:?}"), format!("{expected:?}"), "{n}");
            };
            dense(borrowed::spmv(&ra, &rx), held::spmv(&a, &x));
            dense(borrowed::sparse_product(&ra, &rs), held::sparse_product(&a, &s));
            dense(borrowed::galloping(&ra, &rs), held::galloping(&a, &s));
            dense(borrowed::located(&ra, &rs), held::located(&a, &s));
            dense(borrowed::in_parallel(&ra, &rx), held::in_parallel(&a, &x));
            same(borrowed::sum(&ra, &rb), held::sum(&a, &b));
            same(borrowed::turned(&ra), held::turned(&a));
            same(borrowed::product(&ra, &rb), held::product(&a, &b));
            let (got, expected) = (borrowed::by_dense(&ra, &rd), held::by_dense(&a, &d));
            assert_eq!(bits(&got.to_dense()), bits(&expected.to_dense()));
            assert_eq!(bits(&[borrowed::mixed(&ra, &b)]), bits(&[held::mixed(&a, &b)]));
            let entries = a.triplets().into_iter().map(|(at, _)| (at, true));
            let g: Graph = Tensor::from_triplets([n, n], entries, Refuse).expect("a graph");
            let rows = g.root().child();
            let rg: GraphRef<'_> = Tensor::from_parts(Dense::new(
                n,
                SparseListRef::new(n, rows.pos(), rows.crd(), Pattern::new()),
            ))
            .expect("valid");
            assert_eq!(borrowed::triangles(&rg), held::triangles(&g));
            // What is no kernel.
            assert_eq!(
                (ra.shape(), ra.stored(), ra.values().map(bits)),
                (a.shape(), a.stored(), a.values().map(bits))
            );
            assert_eq!(format!("{:?}", ra.triplets()), format!("{:?}", a.triplets()));
            let back: Csr<f64> = ra.convert().expect("the same entries");
            assert_eq!(format!("{back:?}"), format!("{a:?}"));
            assert!(ra.get([n, 0]).is_none());
        }
    }
}

#[test]
fn nothing_is_copied() {
    let a = matrix(9, false);
    let lent = lent(&a);
    assert_eq!(lent.values().map(<[f64]>::as_ptr), a.values().map(<[f64]>::as_ptr));
    assert_eq!(lent.root().child().crd().as_ptr(), a.root().child().crd().as_ptr());
    // And back.
    let (_, rows) = lent.into_root().into_parts();
    let (_, pos, _, child) = rows.into_parts();
    assert_eq!(
        (pos.as_ptr(), child.into_parts().0.as_ptr()),
        (a.root().child().pos().as_ptr(), a.values().expect("values").as_ptr())
    );
}

#[test]
fn what_breaks_an_invariant_is_refused() {
    let (offsets, columns, values) = ([0, 2, 3], [0_u32, 2, 1], [1.0, -0.0, f64::NAN]);
    type Made<'a> = Result<CsrRef<'a, f64>, Error>;
    let refused = |made: Made<'_>, why: &str| {
        let error = made.expect_err(why);
        assert!(matches!(error, Error::Invariant { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error} is not because {why}");
    };
    assert!(CsrRef::from_slices([2, 3], &offsets, &columns, &values).is_ok());
    refused(CsrRef::from_slices([1, 3], &offsets, &columns, &values), "`pos` has 3 entries");
    refused(CsrRef::from_slices([2, 2], &offsets, &columns, &values), "size is 2");
    refused(CsrRef::from_slices([2, 3], &[0, 2, 4], &columns, &values), "runs from 0 to 4");
    refused(CsrRef::from_slices([2, 3], &[1, 2, 3], &columns, &values), "runs from 1 to 3");
    refused(CsrRef::from_slices([3, 3], &[0, 2, 1, 3], &columns, &values), "descends");
    refused(CsrRef::from_slices([2, 3], &offsets, &[2, 0, 1], &values), "do not ascend");
    refused(CsrRef::from_slices([2, 3], &offsets, &[0, 0, 1], &values), "do not ascend");
    refused(CsrRef::from_slices([2, 3], &offsets, &[0, u32::MAX, 1], &values), "size is 3");
    refused(CsrRef::from_slices([2, 3], &offsets, &columns, &values[..2]), "2 values for 3");
    refused(CsrRef::from_slices([2, 3], &[], &columns, &values), "`pos` has 0 entries");
    assert!(CsrRef::<f64>::from_slices([0, 0], &[0], &[], &[]).is_ok());
    let dense = DenseMatRef::<f64>::from_slice([2, 2], &values).expect_err("three of four");
    assert!(matches!(dense, Error::Invariant { .. }), "{dense}");
    assert!(DenseMatRef::<f64>::from_slice([usize::MAX, 2], &values).is_err());
    assert!(DenseMatRef::<f64>::from_slice([0, 5], &[]).is_ok());
}

level! {
    /// A level of one's own that borrows.
    struct At<'a, Child> {
        len: usize,
        at: &'a [u32],
        child: Child,
    }
    invariant(fibers) {
        if at.len() != fibers || at.iter().any(|&c| c as usize >= len) {
            return Err(format!("`at` does not hold {fibers} coordinates below {len}"));
        }
        Ok(fibers)
    }
    read walk(p) {
        let first = at[p];
        pipeline {
            ..first => run(fill),
            ..first + 1 => run(child[p]),
            .. => run(fill),
        }
    }
}

level! { type Chosen<'a, T> = Tensor<Dense<At<'a, ElementRef<'a, T>>>>; }

finch! {
    fn chosen<'b>(a: &Chosen<'b, i64>, x: &[i64]) -> (y: Vec<i64>) { y[i] += a[i, j] * x[j] }
}

#[test]
fn levels_of_ones_own_borrow() {
    let (at, values) = ([2, 0], [10, -1]);
    let a = Tensor::from_parts(Dense::new(2, At::new(3, &at[..], ElementRef::new(&values[..]))))
        .expect("valid");
    assert_eq!(chosen(&a, &[5, 6, 7]), [70, -5]);
}
