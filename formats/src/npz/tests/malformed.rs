//! Every malformed archive is refused with its array and reason.

use super::{bsr, coo, csr, dia, gcxs, pydata_coo, Arrays, Line, Rows};
use crate::npy::NumpyReason as R;
use crate::npz::parse;
use crate::tensor::{Refuse, Sum};
use crate::Error;
use std::io::Cursor;

fn fault<T>(made: Result<T, Error>) -> (String, R) {
    match made {
        Err(Error::Numpy { file, array, reason }) => {
            assert_eq!(file.to_str(), Some("a.npz"));
            assert!(!reason.to_string().is_empty());
            (array, reason)
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn refused(arrays: &Arrays) -> (String, R) {
    fault(parse("a.npz", arrays.stored()))
}

fn all(cases: impl IntoIterator<Item = (Arrays, &'static str, R)>) {
    for (k, (arrays, array, reason)) in cases.into_iter().enumerate() {
        assert_eq!(refused(&arrays), (array.to_owned(), reason), "case {k}");
    }
}

#[test]
fn archives() {
    for none in [&b""[..], b"PK", b"\x93NUMPY\x01\x00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        let (array, reason) = fault(parse("a.npz", Cursor::new(none)));
        assert!(array.is_empty() && matches!(reason, R::Archive { .. }), "{reason}");
    }
    // A byte of a value is another one: the sum of the array tells.
    let mut broken = csr().stored().into_inner();
    let at = broken.windows(8).position(|w| w == 4f64.to_le_bytes()).unwrap();
    broken[at] ^= 1;
    let (array, reason) = fault(parse("a.npz", Cursor::new(broken)));
    assert!(array == "data" && matches!(reason, R::Archive { .. }), "{reason}");
    for name in ["format", "shape", "data", "indices", "indptr"] {
        assert_eq!(refused(&csr().without(name)), (name.to_owned(), R::Missing));
    }
    for name in ["compressed_axes", "indices"] {
        assert_eq!(refused(&gcxs().without(name)), (name.to_owned(), R::Missing));
    }
    all([
        (coo().without("row"), "row", R::Missing),
        (coo().list("shape", &[2i64, 3, 1]), "coords", R::Missing),
        (csr().without("format").format("lil"), "format", R::Layout { word: "lil".into() }),
        (csr().list("format", &[1u8]), "format", R::Dimensions { expected: 0, found: 1 }),
        (csr().with("format", &[], &[1.0]), "format", R::Type { descr: "<f8".into() }),
    ]);
}

#[test]
fn shapes() {
    let dims = |expected, found| R::Dimensions { expected, found };
    let index = |entry, value: &str| R::Index { entry, value: value.into() };
    let size = |dimension, expected, found| R::Size { dimension, expected, found };
    let large = vec![1usize << 40, 1 << 40, 3];
    let wide: Vec<i64> = large.iter().map(|&n| n as i64).collect();
    all([
        (csr().list("shape", &[-2i64, 3]), "shape", index(0, "-2")),
        (csr().list("shape", &[2u64, u64::MAX]), "shape", index(1, "18446744073709551615")),
        (csr().list("shape", &[2.0, 3.0]), "shape", index(0, "2.0")),
        (csr().with("shape", &[1, 2], &[2i64, 3]), "shape", dims(1, 2)),
        (csr().list("shape", &[2i64, 3, 1]), "shape", dims(2, 3)),
        (dia().list("shape", &[2i64]), "shape", dims(2, 1)),
        (csr().list("shape", &[3i64, 3]), "indptr", size(0, 4, 3)),
        (csr().list("shape", &[1i64 << 50, 3]), "indptr", size(0, (1 << 50) + 1, 3)),
        (csr().list("indices", &[1i32, 2]), "indices", size(0, 3, 2)),
        (csr().with("data", &[3, 1], &[1.0; 3]), "data", dims(1, 2)),
        (coo().list("row", &[0i32, 1]), "row", size(0, 3, 2)),
        (coo().list("col", &[0i32; 4]), "col", size(0, 3, 4)),
        (pydata_coo().with("coords", &[3, 2], &[0i64; 6]), "coords", size(0, 2, 3)),
        (pydata_coo().with("coords", &[2, 2], &[0i64; 4]), "coords", size(1, 3, 2)),
        (pydata_coo().list("fill_value", &[0.0, 0.0]), "fill_value", dims(0, 1)),
        (dia().list("offsets", &[0i32]), "offsets", size(0, 3, 1)),
        (dia().list("offsets", &[0.5, 1.0, 2.0]), "offsets", index(0, "0.5")),
        (
            gcxs().list("shape", &wide).list("compressed_axes", &[0i64, 1]),
            "shape",
            R::TooLarge { shape: large },
        ),
        (
            gcxs().list("compressed_axes", &[2i64, 2]),
            "compressed_axes",
            R::Axes { axes: vec![2, 2], rank: 3 },
        ),
        (
            gcxs().list("compressed_axes", &[3i64]),
            "compressed_axes",
            R::Axes { axes: vec![3], rank: 3 },
        ),
    ]);
}

#[test]
fn rows_and_indices() {
    let pos = |entry, expected, found| R::Positions { entry, expected, found };
    let index = |entry, value: &str| R::Index { entry, value: value.into() };
    let out = |entry, index, dimension, size| R::OutOfRange { entry, index, dimension, size };
    let block = |dimension, size, block| R::Block { dimension, size, block };
    all([
        (csr().list("indptr", &[1i32, 2, 3]), "indptr", pos(0, 0, 1)),
        (csr().list("indptr", &[0i32, 3, 2]), "indptr", pos(2, 3, 2)),
        (csr().list("indptr", &[0i32, 2, 4]), "indptr", pos(2, 2, 4)),
        (csr().list("indptr", &[0i32, -1, 3]), "indptr", index(1, "-1")),
        (csr().list("indptr", &[0.0, 2.0, 3.0]), "indptr", index(0, "0.0")),
        (csr().list("indices", &[1i32, 3, 0]), "indices", out(1, 3, 1, 3)),
        (csr().list("indices", &[1i64, 2, -1]), "indices", index(2, "-1")),
        (csr().list("indices", &[1.0, 2.0, 0.0]), "indices", index(0, "1.0")),
        (csr().list("indices", &[true; 3]), "indices", index(0, "true")),
        (coo().list("row", &[0i32, 2, 1]), "row", out(1, 2, 0, 2)),
        (coo().list("col", &[0u64, u64::MAX, 1]), "col", out(1, usize::MAX, 1, 3)),
        (pydata_coo().with("coords", &[2, 3], &[0i64, 0, 1, 1, 2, 3]), "coords", out(2, 3, 1, 3)),
        (gcxs().list("indices", &[1u8, 0, 2]), "indices", out(2, 2, 0, 2)),
        (bsr().list("indices", &[0i32, 1, 3]), "indices", out(2, 3, 1, 3)),
        (bsr().with("data", &[3, 0, 1], &[0.0; 0]), "data", block(0, 2, 0)),
        (bsr().with("data", &[3, 2, 2], &[0.0; 12]), "data", block(1, 3, 2)),
    ]);
}

#[test]
fn what_an_archive_cannot_become() {
    let made = |arrays: &Arrays| parse("a.npz", arrays.stored()).unwrap();
    let twice = csr().list("indices", &[2i32, 2, 0]);
    let duplicate = R::Duplicate { coords: vec![0, 2] };
    let tensor = made(&twice).into_tensor::<Rows<f64>>(Refuse);
    assert_eq!(fault(tensor), (String::new(), duplicate));
    let sum = twice.list("data", &[i64::MAX, 1, 0]);
    let overflow = R::SumOverflow { coords: vec![0, 2] };
    let tensor = made(&sum).into_tensor::<Rows<i64>>(Sum);
    assert_eq!(fault(tensor), (String::new(), overflow));
    let field = R::Field { dtype: "float64", into: "i32" };
    let tensor = made(&csr()).into_tensor::<Rows<i32>>(Refuse);
    assert_eq!(fault(tensor), ("data".to_owned(), field));
    let rank = made(&csr()).into_tensor::<Line<f64>>(Refuse);
    assert_eq!(rank, Err(Error::Rank { expected: 1, found: 2 }));
    let narrow = coo().list("shape", &[2i64, 1 << 40]);
    let narrow = made(&narrow).into_tensor::<Rows<f64>>(Refuse);
    assert!(matches!(narrow, Err(Error::Unstorable { .. })));
}

#[test]
fn the_error_says_where() {
    let error = parse("a.npz", csr().list("indices", &[1i32, 3, 0]).stored()).unwrap_err();
    let text = "a.npz: array `indices`: entry 1 is coordinate 3, but the size in dimension 1 is 3";
    assert_eq!(error.to_string(), text);
}
