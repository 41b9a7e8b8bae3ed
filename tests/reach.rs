//! Numbers beyond the range of coordinates: amounts that cancel, and extents that are refused.

use looplets::prelude::*;

finch! {
    fn counted(lo: i64, hi: i64, n: &mut usize) -> Result<(), Error> { for i in lo..hi { n += 1 } }
    fn wide(lo: i128, hi: u128, n: &mut usize) -> Result<(), Error> { for i in lo..hi { n += 1 } }
    fn up_to(m: usize, n: &mut usize) -> Result<(), Error> { for i in 0..m { n += 1 } }
    fn product(a: i64, b: i64, n: &mut usize) -> Result<(), Error> { for i in a * b..a * b + 2 { n += 1 } }
    fn each(lo: &DenseVec<i64>, hi: &DenseVec<i64>, n: &mut usize) -> Result<(), Error> {
        for k { for i in lo[k]..hi[k] { n += 1 } }
    }
    fn rows(lo: &DenseVec<i64>, hi: &DenseVec<i64>) -> Result<(y: DenseVec<f64>), Error> {
        parallel for k { for i in lo[k]..hi[k] { y[k] += 1 } }
    }
    fn triangle(lo: i64, hi: i64, n: &mut usize) -> Result<(), Error> {
        for k in 0..3 { for i in k..hi { n += 1 } for i in lo..k { n += 1 } }
    }
    fn read(a: &DenseVec<f64>, lo: i64, hi: i64, s: &mut f64) -> Result<(), Error> {
        for i in lo..hi { s += a[i] }
    }
    fn moved(a: &SparseVec<f64>, d: i64, m: i64) -> (y: DenseVec<f64>[4]) {
        for i { y[i] = coalesce(a[permit[i - d + m]], -1) }
    }
    fn twice(a: &SparseVec<f64>, d: u64, m: u64) -> (y: DenseVec<f64>[4]) {
        for i { y[i] = coalesce(a[permit[offset(d)[i + m]]], -1) }
    }
}

/// Whether the loop over `i` was refused, or how often it ran.
fn ran(f: impl FnOnce(&mut usize) -> Result<(), Error>) -> Option<usize> {
    let mut n = 0;
    match f(&mut n) {
        Ok(()) => Some(n),
        Err(e) => {
            assert!(matches!(&e, Error::Reach { index } if index == "i"), "{e}");
            assert_eq!(n, 0);
            None
        }
    }
}

const FAR: [i64; 4] = [1 << 62, i64::MAX - 2, i64::MIN, -(1 << 62)];

#[test]
fn extents_beyond_the_coordinates_are_refused() {
    for lo in FAR {
        assert_eq!(ran(|n| counted(lo, lo + 2, n)), None);
        assert_eq!(ran(|n| wide(lo.into(), lo.max(0) as u128 + 2, n)), None);
    }
    assert_eq!(ran(|n| counted(i64::MIN, i64::MAX, n)), None);
    assert_eq!(ran(|n| counted(0, i64::MAX, n)), None);
    assert_eq!(ran(|n| counted(i64::MIN, 0, n)), None);
    assert_eq!(ran(|n| up_to(usize::MAX, n)), None);
    assert_eq!(ran(|n| wide(0, u128::MAX, n)), None);
    assert_eq!(ran(|n| product(1 << 31, 1 << 31, n)), None);
    assert_eq!(ran(|n| product(-3, 1 << 20, n)), Some(2));
    assert_eq!(ran(|n| up_to(1 << 60, n)), Some(1 << 60));
}

#[test]
fn empty_extents_are_empty_wherever_they_stand() {
    for (lo, hi) in [(i64::MAX, i64::MIN), (i64::MAX, 0), (0, i64::MIN), (3, 3), (4, 2)] {
        assert_eq!(ran(|n| counted(lo, hi, n)), Some(0));
    }
}

#[test]
fn extents_that_end_or_begin_at_an_index_are_refused() {
    assert_eq!(ran(|n| triangle(0, 3, n)), Some(9));
    assert_eq!(ran(|n| triangle(i64::MAX, i64::MIN, n)), Some(0));
    assert_eq!(ran(|n| triangle(0, i64::MAX, n)), None);
    assert_eq!(ran(|n| triangle(i64::MIN, 0, n)), None);
}

#[test]
fn extents_of_elements_are_refused() {
    let of = |e: [i64; 3]| -> DenseVec<i64> { Tensor::from_dense([3], &e).unwrap() };
    assert_eq!(ran(|n| each(&of([0, i64::MAX, 2]), &of([2, -5, 5]), n)), Some(5));
    assert_eq!(rows(&of([0, i64::MAX, 2]), &of([2, -5, 5])).unwrap().to_dense(), [2.0, 0.0, 3.0]);
    assert!(rows(&of([0, i64::MIN, 2]), &of([2, -5, 5])).is_err());
    let mut n = 0;
    let error = each(&of([0, 1 << 62, 0]), &of([2, (1 << 62) + 1, 1]), &mut n).unwrap_err();
    assert!(error.to_string().contains("the loop over `i` begins or ends beyond"), "{error}");
}

#[test]
fn a_tensor_is_not_read_over_an_extent_that_was_cut() {
    let a: DenseVec<f64> = Tensor::from_dense([3], &[0.5, 1.5, 2.5]).unwrap();
    for lo in FAR {
        assert!(read(&a, lo, lo + 1, &mut 0.0).is_err());
    }
    let mut s = 0.0;
    read(&a, 1, 3, &mut s).unwrap();
    assert_eq!(s, 4.0);
}

#[test]
fn amounts_that_cancel_are_added_before_they_are_cut() {
    let a: SparseVec<f64> = Tensor::from_triplets([5], [([1], 0.5), ([3], 2.5)], Refuse).unwrap();
    let at = |by: i64| -> Vec<f64> {
        let element = |c: i64| match c {
            1 => 0.5,
            3 => 2.5,
            0 | 2 | 4 => 0.0,
            _ => -1.0,
        };
        (0..4).map(|i| element(i + by)).collect()
    };
    for d in FAR {
        for by in [-2, -1, 0, 1, 3] {
            let Some(m) = d.checked_add(by) else { continue };
            assert_eq!(moved(&a, d, m).to_dense(), at(by), "{d} {m}");
        }
        assert_eq!(moved(&a, d, 0).to_dense(), [-1.0; 4]);
    }
    for d in [u64::MAX - 3, 1 << 62, 7] {
        for by in [0, 1, 3] {
            assert_eq!(twice(&a, d, d + by).to_dense(), at(by as i64), "{d}");
        }
    }
}
