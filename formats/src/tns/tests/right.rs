//! Files that are right are read as what they mean, and what is written is read back.

use super::{options, shaped};
use crate::mtx::{Field, MtxReason, MtxValue, Values};
use crate::sample::{Csr, Dcsr, Dense, Element, Full, List, Pattern, SparseVec};
use crate::tensor::{Last, Refuse, Sum, Tensor};
use crate::tns::{parse, read, read_with, write, write_to, Coordinates, ReadOptions, WriteOptions};
use crate::{Error, Level};
use num_complex::Complex;
use std::fmt::Debug;

type Cube<V> = List<List<List<Element<V>>>>;

fn coordinates(text: &str, options: &ReadOptions) -> Coordinates {
    parse("a.tns", text.as_bytes(), options).unwrap()
}

#[test]
fn layout_of_lines_is_free() {
    let text = "#a comment\r\n\r\n  # another \n\t+2  3\t0000000002 1.5\r\n  \r\n# in between\r\n\
        +1 \t03 \t+1 -1D2\n\x0b\x0c\n2 1 1 nan";
    let read = coordinates(text, &ReadOptions::default());
    assert_eq!(read.comments(), ["a comment", " another"]);
    assert_eq!((read.shape(), read.len()), (&[2, 3, 2][..], 3));
    assert_eq!(read.columns(), [[1, 0, 1], [2, 2, 0], [1, 0, 0]]);
    let Values::Real(values) = read.values() else { panic!("{:?}", read.values()) };
    assert_eq!(values[..2], [1.5, -100.0]);
    assert!(values[2].is_nan());
    let text = b"# caf\xe9\n1 1 2\n# \xff\n";
    let read = parse("a.tns", &text[..], &ReadOptions::default()).unwrap();
    assert_eq!(read.comments(), [" caf\u{fffd}"]);
}

#[test]
fn what_the_file_does_not_say_is_asked_for() {
    let text = "2 1 3\n";
    let of = |options| {
        let read = coordinates(text, &options);
        (read.shape().to_vec(), read.values().clone())
    };
    let real = |v| Values::Real(vec![v]);
    assert_eq!(of(ReadOptions::default()), (vec![2, 1], real(3.0)));
    assert_eq!(of(options(None, Some(Field::Integer))), (vec![2, 1], Values::Integer(vec![3])));
    assert_eq!(of(options(None, Some(Field::Pattern))), (vec![2, 1, 3], Values::Pattern(1)));
    let complex = Values::Complex(vec![Complex::new(1.0, 3.0)]);
    assert_eq!(of(options(None, Some(Field::Complex))), (vec![2], complex.clone()));
    assert_eq!(of(options(Some(3), None)), (vec![2, 1, 3], Values::Pattern(1)));
    assert_eq!(of(options(Some(2), None)), (vec![2, 1], real(3.0)));
    assert_eq!(of(options(Some(1), None)), (vec![2], complex));
    assert_eq!(of(shaped(&[7, 5])), (vec![7, 5], real(3.0)));
    let pattern = coordinates(text, &ReadOptions::default()).into_pattern();
    assert_eq!((pattern.values(), pattern.is_empty()), (&Values::Pattern(1), false));
}

#[test]
fn files_without_entries() {
    for text in ["", "\n", "# nothing", "  \r\n#\n\n"] {
        let read = coordinates(text, &shaped(&[3, 4]));
        let empty = read.into_tensor::<Csr<f64>>(Refuse).unwrap();
        assert_eq!((empty.shape(), empty.stored()), (vec![3, 4], 0));
        let read = coordinates(text, &options(Some(2), None));
        assert_eq!(read.into_tensor::<Csr<f64>>(Refuse).unwrap().shape(), [0, 0]);
    }
}

#[test]
fn any_number_of_dimensions() {
    let scalar = coordinates("-0.0\n", &options(Some(0), None));
    let scalar = scalar.into_tensor::<Element<f64>>(Refuse).unwrap();
    assert!(scalar.get([]).is_some_and(|v| v.is_sign_negative()));
    let vector = coordinates("3 5\n1 7\n", &ReadOptions::default());
    let vector = vector.into_tensor::<SparseVec<f64>>(Refuse).unwrap();
    assert_eq!(vector.to_dense(), [7.0, 0.0, 5.0]);
    let cube = coordinates("2 2 2 5\n1 2 1 7\n", &ReadOptions::default());
    let cube = cube.into_tensor::<Cube<f64>>(Refuse).unwrap();
    assert_eq!(cube.triplets(), [(vec![0, 1, 0], 7.0), (vec![1, 1, 1], 5.0)]);
    let five = coordinates("1 1 1 1 9\n", &options(Some(5), None));
    assert_eq!(five.shape(), [1, 1, 1, 1, 9]);
    let far = coordinates("9223372036854775807 1 1\n", &ReadOptions::default());
    assert_eq!(far.shape(), [isize::MAX as usize, 1]);
}

#[test]
fn duplicates_are_combined_in_the_order_of_the_file() {
    let text = "2 1 5\n1 1 1\n2 1 6\n2 1 8\n";
    let read = || coordinates(text, &ReadOptions::default());
    let at = |t: Tensor<Csr<f64>>| t.get([1, 0]).unwrap();
    assert_eq!(at(read().into_tensor(Sum).unwrap()), 19.0);
    assert_eq!(at(read().into_tensor(Last).unwrap()), 8.0);
    assert_eq!(at(read().into_tensor(|kept: &mut f64, v| *kept = kept.max(v - 7.0)).unwrap()), 5.0);
}

#[test]
fn numbers_are_read_as_the_type_that_is_asked_for() {
    let path = std::env::temp_dir().join(format!("looplets-tns-{}.tns", std::process::id()));
    std::fs::write(&path, "1 2 7\n2 1 0\n").unwrap();
    let ints: Tensor<Csr<i64>> = read(&path).unwrap();
    assert_eq!(ints.triplets(), [(vec![0, 1], 7), (vec![1, 0], 0)]);
    let reals: Tensor<Csr<f32>> = read(&path).unwrap();
    assert_eq!(reals.to_dense(), [0.0, 7.0, 0.0, 0.0]);
    let complex: Tensor<Dcsr<Complex<f64>>> = read(&path).unwrap();
    assert_eq!(complex.get([0, 1]), Some(Complex::new(7.0, 0.0)));
    let untyped: Coordinates = read(&path).unwrap();
    assert_eq!(untyped.values(), &Values::Real(vec![7.0, 0.0]));
    let pattern = read::<Tensor<List<List<List<Pattern>>>>>(&path);
    assert!(matches!(pattern, Err(Error::Frostt { line: 2, .. })), "the 0 is no coordinate");
    assert!(matches!(read::<Tensor<Csr<bool>>>(&path), Err(Error::Frostt { line: 1, .. })));
    assert!(read_with(&path, &shaped(&[2])).is_ok_and(|read| read.shape() == [2]));
    std::fs::write(&path, "1 2\n2 1\n").unwrap();
    assert_eq!(read::<Tensor<Csr<f64>>>(&path).unwrap().to_dense(), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(read::<Tensor<Dense<List<Pattern>>>>(&path).map(|p| p.stored()), Ok(2));
    assert!(read::<Tensor<Csr<i32>>>(&path).is_err(), "whole numbers are read where they are");
    std::fs::remove_file(&path).unwrap();
}

/// Writes and reads; the values have to be the same bit by bit.
fn round_trip<L: Level>(tensor: &Tensor<L>)
where
    L::Value: MtxValue + Debug,
{
    let mut text = Vec::new();
    let options = WriteOptions { comment: "two\nlines".to_owned() };
    write_to("a.tns", &mut text, tensor, &options).unwrap();
    let field = Some(L::Value::FIELD);
    let options = ReadOptions { shape: Some(tensor.shape()), rank: None, field };
    let back = parse("a.tns", &text[..], &options).unwrap();
    assert_eq!(back.comments(), ["two", "lines"]);
    let back = back.into_tensor::<L>(Refuse).unwrap();
    let (got, want) = (back.triplets(), tensor.triplets());
    let same = got.iter().zip(&want).all(|(a, b)| a.0 == b.0 && a.1.same(&b.1));
    assert!(same && got.len() == want.len(), "{got:?}\n{want:?}");
}

#[test]
fn written_files_are_read_back() {
    let hostile =
        [0.0, -0.0, 0.1, -1e-310, f64::MAX, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e22];
    let at = |k: usize| [k % 3, k / 3, (k * k) % 2];
    let cube = hostile.iter().enumerate().map(|(k, &v)| (at(k), v));
    round_trip(&Tensor::<Cube<f64>>::from_triplets([3, 3, 2], cube.clone(), Refuse).unwrap());
    let narrow = cube.clone().map(|(at, v)| (at, v as f32));
    round_trip(&Tensor::<Cube<f32>>::from_triplets([3, 3, 2], narrow, Refuse).unwrap());
    let complex = cube.map(|(at, v)| (at, Complex::new(v, v)));
    round_trip(&Tensor::<Cube<Complex<f64>>>::from_triplets([3, 3, 2], complex, Refuse).unwrap());
    let ints = [i64::MIN, -1, 0, i64::MAX].into_iter().enumerate().map(|(k, v)| ([k, 3 - k], v));
    round_trip(&Tensor::<Csr<i64>>::from_triplets([4, 4], ints, Refuse).unwrap());
    round_trip(&Tensor::<Full<f64>>::from_dense([0, 3], &[]).unwrap());
    round_trip(&Tensor::<Csr<bool>>::from_triplets([2, 2], [([0, 1], true)], Refuse).unwrap());
    type Graph = Dense<List<Pattern>>;
    round_trip(&Tensor::<Graph>::from_triplets([2, 2], [([0, 1], true)], Refuse).unwrap());
    let scalar = Tensor::<Element<f64>>::from_dense([], &[2.5]).unwrap();
    round_trip(&scalar);
}

#[test]
fn what_a_file_cannot_say_is_not_written() {
    let path = std::env::temp_dir().join(format!("looplets-tns-w-{}.tns", std::process::id()));
    let large = Tensor::<Csr<u64>>::from_triplets([1, 1], [([0, 0], u64::MAX)], Refuse).unwrap();
    let options = WriteOptions::default();
    match write(&path, &large, &options) {
        Err(Error::Unwritable { file, reason: MtxReason::Conversion { .. } }) => {
            assert_eq!(file, path);
        }
        other => panic!("{other:?}"),
    }
    assert!(!path.exists());
    let scalar = Tensor::<Pattern>::from_dense([], &[true]).unwrap();
    assert!(matches!(write(&path, &scalar, &options), Err(Error::Rank { .. })));
    let nowhere = std::path::Path::new("no/such/file.tns");
    let fine = Tensor::<Csr<u64>>::from_triplets([1, 1], [([0, 0], 1)], Refuse).unwrap();
    assert!(matches!(write(nowhere, &fine, &options), Err(Error::Io { .. })));
}
