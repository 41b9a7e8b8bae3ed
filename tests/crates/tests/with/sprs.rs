//! Sparse matrices and vectors of sprs: by rows they move, by columns they are turned.

use looplets::prelude::*;
use looplets::{Error, Index};
use sprs::{CsMat, CsMatI, CsVec, CsVecI, SpIndex};

fn example<I: SpIndex, P: SpIndex>() -> CsMatI<f64, I, P> {
    let number = |all: &[usize]| all.iter().map(|&i| I::from_usize(i)).collect::<Vec<I>>();
    let offsets = [0, 2, 2, 5].iter().map(|&i| P::from_usize(i)).collect::<Vec<P>>();
    CsMatI::new(
        (3, 4),
        offsets,
        number(&[1, 3, 0, 2, 3]),
        vec![-0.0, f64::NAN, 5e-324, f64::INFINITY, 1.0 / 3.0],
    )
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn rows_move_both_ways() {
    let a = example::<u32, usize>();
    let at = (a.indptr().raw_storage().as_ptr(), a.indices().as_ptr(), a.data().as_ptr());
    let t: Csr<f64> = a.try_into().expect("a matrix");
    let rows = t.root().child();
    assert_eq!(
        at,
        (rows.pos().as_ptr(), rows.crd().as_ptr(), t.values().expect("values").as_ptr())
    );
    let a: CsMatI<f64, u32, usize> = t.try_into().expect("a matrix");
    assert_eq!(at, (a.indptr().raw_storage().as_ptr(), a.indices().as_ptr(), a.data().as_ptr()));
    assert_eq!(bits(a.data()), bits(example::<u32, usize>().data()));
}

#[test]
fn any_types_of_indices() {
    fn check<Ix: Index, I: SpIndex + 'static, P: SpIndex + 'static>() {
        let a = example::<I, P>();
        let at = a.data().as_ptr();
        let t: Csr<f64, Ix> = a.try_into().expect("a matrix");
        assert_eq!((t.shape(), t.stored()), (vec![3, 4], 5));
        assert_eq!(t.get([2, 0]).map(f64::to_bits), Some(1));
        let a: CsMatI<f64, I, P> = t.try_into().expect("a matrix");
        assert_eq!(a.data().as_ptr(), at);
        let want = example::<I, P>();
        assert_eq!((a.indices(), a.indptr()), (want.indices(), want.indptr()));
    }
    check::<u32, usize, usize>();
    check::<u32, u32, u32>();
    check::<usize, usize, usize>();
    check::<usize, i32, i64>();
    check::<u8, u64, u16>();
    check::<u64, i16, u16>();
}

#[test]
fn columns_are_turned_or_taken_for_rows() {
    let a = example::<usize, usize>().into_csc();
    assert!(a.is_csc());
    let turned: Csr<f64> = a.clone().try_into().expect("a matrix");
    assert_eq!(turned.shape(), [3, 4]);
    let rows: Csr<f64> = example::<usize, usize>().try_into().expect("a matrix");
    assert_eq!(format!("{turned:?}"), format!("{rows:?}"));
    let at = a.data().as_ptr();
    let columns: Csr<f64> = a.transpose_into().try_into().expect("a matrix");
    assert_eq!((columns.shape(), columns.values().expect("values").as_ptr()), (vec![4, 3], at));
    let back = CsMat::<f64>::try_from(columns).expect("a matrix").transpose_into();
    assert!(back.is_csc() && back.shape() == (3, 4) && back.data().as_ptr() == at);
}

#[test]
fn vectors_move_both_ways() {
    let x: CsVecI<f64, u32> = CsVecI::new(9, vec![1, 8], vec![-0.0, 2.5]);
    let at = (x.indices().as_ptr(), x.data().as_ptr());
    let t: SparseVec<f64> = x.try_into().expect("a vector");
    assert_eq!(at, (t.root().crd().as_ptr(), t.values().expect("values").as_ptr()));
    let x: CsVecI<f64, u32> = t.try_into().expect("a vector");
    assert_eq!(at, (x.indices().as_ptr(), x.data().as_ptr()));
    let t: SparseVec<f64, u8> =
        CsVec::new(9, vec![1, 8], vec![0.5, 2.5]).try_into().expect("a vector");
    assert_eq!(t.to_triplets(), [([1], 0.5), ([8], 2.5)]);
    assert_eq!(CsVec::try_from(t).expect("a vector"), CsVec::new(9, vec![1, 8], vec![0.5, 2.5]));
}

#[test]
fn empty_sizes() {
    for (m, n) in [(0, 0), (0, 4), (4, 0), (1, 1)] {
        let t: Csr<f64> = CsMat::<f64>::zero((m, n)).try_into().expect("a matrix");
        assert_eq!(t.shape(), [m, n]);
        let a = CsMat::<f64>::try_from(t).expect("a matrix");
        assert_eq!((a.shape(), a.nnz()), ((m, n), 0));
    }
    let t: SparseVec<f64> = CsVec::<f64>::empty(0).try_into().expect("a vector");
    assert_eq!(CsVec::<f64>::try_from(t).expect("a vector").dim(), 0);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let wide = CsMat::new((1, 100_000), vec![0, 1], vec![99_999], vec![1.0]);
    let error = Csr::<f64, u8>::try_from(wide.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`SparseList` cannot store this tensor of shape 1x100000: coordinate 99999 does not fit the type u8"
    );
    let t: Csr<f64> = wide.try_into().expect("a matrix");
    for made in [
        CsMatI::<f64, i16, usize>::try_from(t.clone()).map(drop),
        CsMatI::<f64, u16>::try_from(t).map(drop),
    ] {
        assert!(matches!(made, Err(Error::Unstorable { level: "CsMat", .. })), "{made:?}");
    }
    // Offsets that do not fit.
    let long = SparseVec::<f64>::from_dense([70_000], &[1.0; 70_000]).expect("a vector");
    assert!(matches!(CsVecI::<f64, u16>::try_from(long), Err(Error::Unstorable { .. })));
    let long = Csr::<f64>::from_dense([7, 10_000], &[1.0; 70_000]).expect("a matrix");
    assert!(matches!(CsMatI::<f64, u32, u16>::try_from(long), Err(Error::Unstorable { .. })));
}

#[test]
fn what_safe_code_did_not_make_is_refused() {
    // SAFETY: the broken matrix is only taken apart.
    let broken = |pos: Vec<usize>, crd: Vec<usize>| unsafe {
        CsMatI::<f64, usize>::new_unchecked(
            sprs::CompressedStorage::CSR,
            (2, 2),
            pos,
            crd,
            vec![1.0, 2.0],
        )
    };
    for (pos, crd) in [
        (vec![0, 1, 2], vec![0, 2]),
        (vec![0, 2, 2], vec![1, 0]),
        (vec![0, 2, 2], vec![1, 1]),
        (vec![0, 1, 5], vec![0, 1]),
        (vec![0, 2], vec![0, 1]),
    ] {
        let refused = Csr::<f64>::try_from(broken(pos.clone(), crd.clone()));
        assert!(matches!(refused, Err(Error::Invariant { .. })), "{pos:?} {crd:?}: {refused:?}");
    }
}

finch! {
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        c[i, j] += a[i, k] * b[k, j]
    }
}

#[test]
fn a_product_is_that_of_sprs() {
    let entries = (0..200usize).map(|k| ([k * 37 % 40, k * 53 % 30], (k % 9) as f64 * 0.25 - 1.0));
    let a: Csr<f64> = Tensor::from_triplets([40, 30], entries, Sum).expect("a matrix");
    let b: Csr<f64> = a.permute([1, 0]).expect("a matrix");
    let c = product(&a, &b);
    let (a, b) = (CsMat::try_from(a).expect("a matrix"), CsMat::try_from(b).expect("a matrix"));
    let theirs: Csr<f64> = (&a * &b).try_into().expect("a matrix");
    assert_eq!(c.to_dense(), theirs.to_dense());
}

#[test]
fn columns_move_both_ways() {
    let a = example::<usize, usize>().into_csc();
    let at = (a.indices().as_ptr(), a.data().as_ptr());
    let want = bits(a.data());
    let t: Csc<f64, usize> = a.try_into().expect("a matrix");
    assert_eq!((t.shape(), t.stored()), (vec![3, 4], 5));
    assert_eq!(t.get([2, 0]).map(f64::to_bits), Some(1));
    let a: CsMat<f64> = t.try_into().expect("a matrix");
    assert_eq!((a.is_csc(), a.shape()), (true, (3, 4)));
    assert_eq!((at, bits(a.data())), ((a.indices().as_ptr(), a.data().as_ptr()), want));
    // One by rows is turned.
    let t: Csc<f64> = example::<u32, u32>().try_into().expect("a matrix");
    assert_eq!(t.get([2, 3]).map(f64::to_bits), Some((1.0f64 / 3.0).to_bits()));
    let empty: Csc<f64> = CsMat::<f64>::zero((0, 3)).try_into().expect("a matrix");
    assert_eq!(empty.shape(), [0, 3]);
    // A row that its type of coordinates has not.
    let tall: CsMat<f64> = CsMat::new_csc((300, 1), vec![0, 1], vec![299], vec![1.0]);
    let refused = Csc::<f64, u8>::try_from(tall).unwrap_err();
    assert!(
        matches!(&refused, Error::Unstorable { shape, .. } if shape[..] == [300, 1]),
        "{refused:?}"
    );
}
