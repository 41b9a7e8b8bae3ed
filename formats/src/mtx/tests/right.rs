//! Files that are right are read as what they mean.

use crate::mtx::{parse, read, Field, FromMatrix, Layout, Matrix, MtxValue, Symmetry, Values};
use crate::sample::{Csr, Dense, Element, Full, List, Pattern};
use crate::tensor::{Refuse, Tensor};
use num_complex::Complex;

fn dense<V>(text: &str) -> Vec<V>
where
    V: MtxValue + crate::sample::Filled + PartialEq + std::fmt::Debug,
{
    let matrix = parse("a.mtx", text).unwrap();
    let sparse = matrix.clone().into_tensor::<Csr<V>>(Refuse).unwrap();
    let full = matrix.into_tensor::<Full<V>>(Refuse).unwrap();
    assert_eq!(sparse.to_dense(), full.to_dense());
    full.to_dense()
}

#[test]
fn layout_of_lines_is_free() {
    let text = "%%matrixmarket MATRIX Coordinate REAL General  \r\n\
        %  a comment\r\n\r\n%another\r\n\
        \t+2  3\t0000000002 \r\n  \r\n% in between\r\n+1 \t03 \t+1.5\r\n\x0b\x0c\n2 1 -1D2";
    let matrix = parse("a.mtx", text).unwrap();
    assert_eq!(matrix.comments(), ["  a comment", "another"]);
    assert_eq!((matrix.rows(), matrix.cols(), matrix.len()), (2, 3, 2));
    assert_eq!(matrix.row_indices(), [0, 1]);
    assert_eq!(matrix.col_indices(), [2, 0]);
    assert_eq!(matrix.values(), &Values::Real(vec![1.5, -100.0]));
    let header = matrix.header();
    assert_eq!(
        (header.layout, header.field, header.symmetry),
        (Layout::Coordinate, Field::Real, Symmetry::General)
    );
    assert_eq!(header.to_string(), "%%MatrixMarket matrix coordinate real general");
    assert_eq!(dense::<f64>(text), [0.0, 0.0, 1.5, -100.0, 0.0, 0.0]);
}

#[test]
fn comments_may_be_in_any_encoding() {
    let text = b"%%MatrixMarket matrix array integer general\n% caf\xe9\n1 1\n% \xff\n7\n";
    let matrix = parse("a.mtx", text).unwrap();
    assert_eq!(matrix.comments(), [" caf\u{fffd}"]);
    assert_eq!(matrix.values(), &Values::Integer(vec![7]));
}

#[test]
fn symmetric_files_are_expanded() {
    let body = "3 3 3\n1 1 4\n3 1 -2\n3 2 5\n";
    let head = "%%MatrixMarket matrix coordinate";
    let got: Vec<i32> = dense(&format!("{head} integer symmetric\n{body}"));
    assert_eq!(got, [4, 0, -2, 0, 0, 5, -2, 5, 0]);
    let got: Vec<f32> = dense(&format!("{head} real symmetric\n{body}"));
    assert_eq!(got, [4.0, 0.0, -2.0, 0.0, 0.0, 5.0, -2.0, 5.0, 0.0]);
    let skew = format!("{head} integer skew-symmetric\n3 3 2\n3 1 -2\n3 2 5\n");
    assert_eq!(dense::<i64>(&skew), [0, 0, 2, 0, 0, -5, -2, 5, 0]);
    let herm = format!("{head} complex hermitian\n2 2 2\n1 1 4 0\n2 1 1 2\n");
    let c = Complex::<f64>::new;
    assert_eq!(dense::<Complex<f64>>(&herm), [c(4.0, 0.0), c(1.0, -2.0), c(1.0, 2.0), c(0.0, 0.0)]);
    let skew = format!("{head} complex skew-symmetric\n2 2 1\n2 1 1 2\n");
    assert_eq!(
        dense::<Complex<f64>>(&skew),
        [c(0.0, 0.0), c(-1.0, -2.0), c(1.0, 2.0), c(0.0, 0.0)]
    );
    let matrix = parse("a.mtx", skew).unwrap();
    assert_eq!((matrix.len(), matrix.in_file()), (2, 1));
}

#[test]
fn arrays_go_by_columns() {
    let head = "%%MatrixMarket matrix array";
    let got: Vec<i32> = dense(&format!("{head} integer general\n2 3\n1\n2\n3\n0\n5\n6\n"));
    assert_eq!(got, [1, 3, 5, 2, 0, 6]);
    let got: Vec<i32> = dense(&format!("{head} integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"));
    assert_eq!(got, [1, 2, 3, 2, 4, 5, 3, 5, 6]);
    let skew = format!("{head} integer skew-symmetric\n3 3\n1\n2\n3\n");
    assert_eq!(dense::<i32>(&skew), [0, -1, -2, 1, 0, -3, 2, 3, 0]);
    let got: Vec<Complex<f32>> = dense(&format!("{head} complex hermitian\n2 2\n1 0\n2 3\n4 0\n"));
    let c = Complex::<f32>::new;
    assert_eq!(got, [c(1.0, 0.0), c(2.0, -3.0), c(2.0, 3.0), c(4.0, 0.0)]);
    // An array says its zeros too, where they are not the fill.
    type Ones = Dense<List<Element<i32, 1>>>;
    let t = parse("a.mtx", skew).unwrap().into_tensor::<Ones>(Refuse).unwrap();
    assert_eq!(t.to_dense(), [0, -1, -2, 1, 0, -3, 2, 3, 0]);
    assert_eq!(t.stored(), 8);
}

#[test]
fn empty_sizes() {
    for (words, size) in [
        ("coordinate real general", "0 0 0"),
        ("coordinate pattern symmetric", "0 0 0"),
        ("coordinate integer general", "0 5 0"),
        ("coordinate complex general", "5 0 0"),
        ("array real general", "0 5"),
        ("array real general", "5 0"),
        ("array real symmetric", "0 0"),
        ("array real skew-symmetric", "0 0"),
        ("array real skew-symmetric", "1 1"),
        ("array real general", "9223372036854775807 0"),
    ] {
        let text = format!("%%MatrixMarket matrix {words}\n{size}");
        let matrix = parse("a.mtx", &text).unwrap();
        assert_eq!(matrix.in_file(), 0, "{text}");
        assert_eq!(matrix.is_empty(), matrix.values().is_empty());
    }
}

#[test]
fn patterns() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2\n";
    let matrix = || parse("a.mtx", text).unwrap();
    let t = matrix().into_tensor::<Dense<List<Pattern>>>(Refuse).unwrap();
    assert_eq!(t.to_dense(), [false, true, false, true]);
    assert_eq!(dense::<f64>(text), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(dense::<u8>(text), [0, 1, 0, 1]);
    assert_eq!(matrix().entries::<bool>().unwrap(), [(0, 1, true), (1, 1, true)]);
    let real = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0\n2 1 5\n";
    let pattern = parse("a.mtx", real).unwrap().into_pattern();
    let t = pattern.into_tensor::<List<List<Pattern>>>(Refuse).unwrap();
    assert_eq!(t.to_dense(), [true, true, true, false]);
}

#[test]
fn what_a_coordinate_file_does_not_say_is_fill() {
    type Distances = Dense<List<Element<f64, 9>>>;
    let text = "%%MatrixMarket matrix coordinate real general\n1 3 2\n1 2 0\n1 3 9\n";
    let t = Tensor::<Distances>::from_matrix(parse("a.mtx", text).unwrap()).unwrap();
    assert_eq!(t.to_dense(), [9.0, 0.0, 9.0]);
    assert_eq!(t.stored(), 2);
}

#[test]
fn files_are_read_by_path() {
    let path = std::env::temp_dir().join(format!("looplets-{}.mtx", std::process::id()));
    std::fs::write(&path, "%%MatrixMarket matrix array real general\n1 2\n1\n2\n").unwrap();
    let matrix: Matrix = read(&path).unwrap();
    let tensor: Tensor<Csr<f64>> = read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(matrix.values(), &Values::Real(vec![1.0, 2.0]));
    assert_eq!(tensor.to_dense(), [1.0, 2.0]);
}
