//! Matrices of faer, sparse and dense.

use faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseRowMat, Triplet};
use faer::{mat, Mat, MatRef};
use looplets::prelude::*;
use looplets::Error;

const VALUES: [f64; 5] = [-0.0, f64::NAN, 5e-324, f64::INFINITY, 1.0 / 3.0];

fn example<I: faer::Index>() -> SparseRowMat<I, f64> {
    let number = |all: &[usize]| all.iter().map(|&i| I::truncate(i)).collect::<Vec<I>>();
    let symbolic = SymbolicSparseRowMat::new_checked(
        3,
        4,
        number(&[0, 2, 2, 5]),
        None,
        number(&[1, 3, 0, 2, 3]),
    );
    SparseRowMat::new(symbolic, VALUES.to_vec())
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn rows_move_both_ways() {
    let a = example::<usize>();
    let at = (a.symbolic().row_ptr().as_ptr(), a.symbolic().col_idx().as_ptr(), a.val().as_ptr());
    let t: Csr<f64, usize> = a.try_into().expect("a matrix");
    let rows = t.root().child();
    assert_eq!(
        at,
        (rows.pos().as_ptr(), rows.crd().as_ptr(), t.values().expect("values").as_ptr())
    );
    let a: SparseRowMat<usize, f64> = t.try_into().expect("a matrix");
    assert_eq!(
        at,
        (a.symbolic().row_ptr().as_ptr(), a.symbolic().col_idx().as_ptr(), a.val().as_ptr())
    );
    assert_eq!(bits(a.val()), bits(&VALUES));

    let a = example::<u32>();
    let at = (a.symbolic().col_idx().as_ptr(), a.val().as_ptr());
    let t: Csr<f64> = a.try_into().expect("a matrix");
    assert_eq!(at, (t.root().child().crd().as_ptr(), t.values().expect("values").as_ptr()));
    let a: SparseRowMat<u64, f64> = t.try_into().expect("a matrix");
    assert_eq!((a.symbolic().row_ptr(), a.val().as_ptr()), (&[0, 2, 2, 5][..], at.1));
}

#[test]
fn columns_are_turned_or_taken_for_rows() {
    let entries = [(0, 1, -0.0), (0, 3, 2.5), (2, 0, 5e-324), (2, 2, f64::INFINITY), (2, 3, 0.1)];
    let entries = entries.map(|(i, j, v)| Triplet::new(i as usize, j as usize, v));
    let a = SparseColMat::try_new_from_triplets(3, 4, &entries).expect("a matrix");
    let turned: Csr<f64> = a.clone().try_into().expect("a matrix");
    let rows: Csr<f64> = SparseRowMat::try_new_from_triplets(3, 4, &entries)
        .expect("a matrix")
        .try_into()
        .expect("a matrix");
    assert_eq!(format!("{turned:?}"), format!("{rows:?}"));
    let back: SparseColMat<usize, f64> = turned.try_into().expect("a matrix");
    assert_eq!(bits(back.val()), bits(a.val()));
    assert_eq!(back.symbolic().row_idx(), a.symbolic().row_idx());
    let at = a.val().as_ptr();
    let columns: Csr<f64, usize> = a.into_transpose().try_into().expect("a matrix");
    assert_eq!((columns.shape(), columns.values().expect("values").as_ptr()), (vec![4, 3], at));
    let back = SparseRowMat::<usize, f64>::try_from(columns).expect("a matrix").into_transpose();
    assert_eq!((back.nrows(), back.ncols(), back.val().as_ptr()), (3, 4, at));
}

#[test]
fn matrices_with_room() {
    // Two of three in row 0, none of one in row 1, one of one in row 2, and one behind.
    let (pos, count) = (vec![0usize, 3, 4, 5], vec![2, 0, 1]);
    let symbolic =
        SymbolicSparseRowMat::new_checked(3, 4, pos, Some(count), vec![1, 3, 0, 2, 0, 3]);
    let a = SparseRowMat::new(symbolic, vec![0.5, 1.5, f64::NAN, f64::NAN, 2.5, f64::NAN]);
    let t: Csr<f64> = a.try_into().expect("a matrix");
    assert_eq!(t.to_triplets(), [([0, 1], 0.5), ([0, 3], 1.5), ([2, 0], 2.5)]);
    for first in [0, 1] {
        let symbolic =
            SymbolicSparseRowMat::new_checked(2, 4, vec![first, 2, 3], None, vec![1usize, 3, 0, 2]);
        let a = SparseRowMat::new(symbolic, vec![0.5, 1.5, 2.5, 3.5]);
        let want: Vec<f64> = vec![0.5, 1.5, 2.5][first..].to_vec();
        let t: Csr<f64> = a.try_into().expect("a matrix");
        assert_eq!(t.values().expect("values"), want);
    }
}

#[test]
fn what_is_no_matrix_or_does_not_fit_is_an_error() {
    let unsorted =
        SymbolicSparseRowMat::new_unsorted_checked(1, 4, vec![0usize, 2], None, vec![3, 1]);
    let refused = Csr::<f64>::try_from(SparseRowMat::new(unsorted, vec![1.0, 2.0]));
    assert!(matches!(refused, Err(Error::Invariant { .. })), "{refused:?}");
    let wide = SymbolicSparseRowMat::new_checked(1, 1000, vec![0usize, 1], None, vec![256]);
    let refused = Csr::<f64, u8>::try_from(SparseRowMat::new(wide, vec![1.0]));
    assert!(matches!(refused, Err(Error::Unstorable { .. })), "{refused:?}");
    let far: Csr<f64> = Tensor::new([2, (1 << 31) - 1]).expect("nothing stored");
    assert!(SparseRowMat::<u32, f64>::try_from(far).is_ok());
    let farther: Csr<f64> = Tensor::new([2, 1 << 31]).expect("nothing stored");
    assert_eq!(
        SparseRowMat::<u32, f64>::try_from(farther).map(drop).unwrap_err().to_string(),
        "`SparseRowMat` cannot store this tensor of shape 2x2147483648: sizes of its type of indices are up to 2147483647"
    );
}

#[test]
fn dense_matrices_are_copied_and_viewed() {
    let a = mat![[-0.0, f64::NAN, 1.5], [f64::INFINITY, 5e-324, f64::MAX]];
    let t = DenseMat::<f64>::from(a.as_ref());
    assert_eq!(t.shape(), [2, 3]);
    assert_eq!(
        bits(t.values().expect("values")),
        bits(&[-0.0, f64::NAN, 1.5, f64::INFINITY, 5e-324, f64::MAX])
    );
    let (back, view) = (Mat::from(&t), MatRef::from(&t));
    assert!((0..2).all(|i| (0..3).all(|j| {
        back[(i, j)].to_bits() == a[(i, j)].to_bits()
            && view[(i, j)].to_bits() == a[(i, j)].to_bits()
    })));
    assert_eq!(view.as_ptr(), t.values().expect("values").as_ptr());
    // A part, and one that is turned.
    assert_eq!(DenseMat::<f64>::from(a.as_ref().transpose().subcols(0, 1)).shape(), [3, 1]);
    assert_eq!(Mat::from(t).shape(), (2, 3));
    for (m, n) in [(0, 0), (0, 5), (5, 0), (1, 1)] {
        let a = DenseMat::<f64>::from(Mat::full(m, n, 2.5));
        assert_eq!((a.shape(), Mat::from(&a)), (vec![m, n], Mat::full(m, n, 2.5)));
        assert_eq!(MatRef::from(&a).shape(), (m, n));
    }
}

finch! {
    fn product(a: &Csr<f64, usize>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { c[i, j] += a[i, k] * b[k, j] }
    }
}

#[test]
fn a_product_is_that_of_faer() {
    let entries = (0..200usize).map(|k| ([k * 37 % 40, k * 53 % 30], (k % 9) as f64 * 0.25 - 1.0));
    let a: Csr<f64, usize> = Tensor::from_triplets([40, 30], entries, Sum).expect("a matrix");
    let b = Mat::from_fn(30, 6, |i, j| ((i * 5 + j) % 7) as f64 - 2.25);
    let c = product(&a, &b.clone().into());
    let theirs = SparseRowMat::<usize, f64>::try_from(a).expect("a matrix").to_dense() * &b;
    assert_eq!(Mat::from(&c), theirs);
}

#[test]
fn columns_move_both_ways() {
    let entries = [Triplet::new(2usize, 0usize, -0.0), Triplet::new(0, 3, f64::NAN)];
    let a = SparseColMat::try_new_from_triplets(3, 4, &entries).expect("a matrix");
    let at = a.val().as_ptr();
    let t: Csc<f64, usize> = a.try_into().expect("a matrix");
    assert_eq!((t.shape(), t.get([2, 0]).map(f64::to_bits)), (vec![3, 4], Some(1 << 63)));
    let a: SparseColMat<usize, f64> = t.try_into().expect("a matrix");
    assert_eq!((a.nrows(), a.ncols(), a.val().as_ptr()), (3, 4, at));
    let dense: ByColumns<Dense<Dense<Element<f64>>>> =
        ByColumns::from_dense([2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("a matrix");
    let view = faer::MatRef::from(&dense);
    assert_eq!((view.nrows(), view.ncols(), view[(1, 0)], view[(0, 2)]), (2, 3, 4.0, 3.0));
}
