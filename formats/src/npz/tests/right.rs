//! Archives that are right are read as what they mean, and what is written is read back.

use super::{bsr, coo, csr, dia, gcxs, pydata_coo, Arrays, Line, Rows};
use crate::npy::{Number, NumpyReason, NumpyValue};
use crate::npz::FromSparse;
use crate::npz::{parse, read, read_array, write, write_to, Layout, Sparse, WriteOptions};
use crate::sample::{self, Dcsr, Dense, List};
use crate::tensor::{Last, Refuse, Sum, Tensor};
use crate::value::identical;
use crate::{Csc, Csr, DenseMat, Error, Level, SparseVec, Value};
use num_complex::Complex;
use std::io::Cursor;
use zip::CompressionMethod;

fn sparse(arrays: &Arrays) -> Sparse {
    parse("a.npz", arrays.stored()).unwrap()
}

#[test]
fn every_layout_is_the_same_matrix() {
    let want = [0.0, 2.0, 3.0, 4.0, 0.0, 0.0];
    for (arrays, layout, stored) in [
        (csr(), Layout::Csr, 3),
        (bsr(), Layout::Bsr, 6),
        (dia(), Layout::Dia, 4),
        (coo(), Layout::Coo, 3),
        (pydata_coo(), Layout::PydataCoo, 3),
        (pydata_coo().without("format"), Layout::PydataCoo, 3),
    ] {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let read = parse("a.npz", arrays.zip(method)).unwrap();
            assert_eq!((read.layout(), read.shape()), (layout, &[2, 3][..]));
            let sparse = read.clone().into_tensor::<sample::Csr<f64>>(Refuse).unwrap();
            assert_eq!((sparse.to_dense(), sparse.stored()), (want.to_vec(), stored), "{layout:?}");
            assert_eq!(read.len(), stored);
            let moved: Csr<f64> = read.clone().into_tensor(Refuse).unwrap();
            assert_eq!(moved.to_dense(), want);
            let dense: DenseMat<f64> = read.clone().into_tensor(Sum).unwrap();
            assert_eq!(dense.to_dense(), want);
            let turned = read.transposed().into_tensor::<Dcsr<f64>>(Refuse).unwrap();
            assert_eq!(turned.to_dense(), [0.0, 4.0, 2.0, 0.0, 3.0, 0.0]);
        }
    }
    let turned = sparse(&csr()).transposed();
    assert_eq!(turned.layout(), Layout::Csc);
    let cube = sparse(&gcxs());
    assert_eq!((cube.layout(), cube.fill()), (Layout::PydataGcxs, Some(Number::Real(0.0))));
    let cube = cube.into_tensor::<Dense<Dcsr<f64>>>(Refuse).unwrap();
    assert_eq!((cube.shape(), cube.to_dense()), (vec![2, 1, 3], want.to_vec()));
    let csc = csr().without("format").format("csc").list("shape", &[3u8, 2]);
    assert_eq!(
        sparse(&csc).into_tensor::<Dcsr<f64>>(Refuse).unwrap().to_dense(),
        [0.0, 4.0, 2.0, 0.0, 3.0, 0.0]
    );
}

#[test]
fn arrays_are_moved_where_layouts_agree() {
    let read = sparse(&csr());
    let crate::npy::Values::F64(values) = read.values() else { panic!("{read:?}") };
    let before = values.as_ptr();
    let mut moved: Csr<f64> = read.into_tensor(Refuse).unwrap();
    assert_eq!(moved.values_mut().map(|v| v.as_ptr()), Some(before));
    // What is `csc` is the transposed matrix by rows.
    let read = sparse(&csr()).transposed();
    let crate::npy::Values::F64(values) = read.values() else { panic!("{read:?}") };
    let before = values.as_ptr();
    let by_columns = Csc::<f64>::from_sparse(read).unwrap();
    assert_eq!(by_columns.values().map(|v| v.as_ptr()), Some(before));
    let wide: Csr<f64, u64> = sparse(&csr()).into_tensor(Refuse).unwrap();
    let other: Csr<f32, usize> = sparse(&csr()).into_tensor(Refuse).unwrap();
    assert_eq!(wide.to_dense(), moved.to_dense());
    assert_eq!(other.to_dense(), [0.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
}

#[test]
fn duplicates_are_combined_in_the_order_of_the_file() {
    let twice = csr().list("indices", &[2i32, 2, 0]);
    let read = || sparse(&twice);
    let at = |t: Result<Csr<f64>, Error>| t.unwrap().get([0, 2]);
    assert_eq!(at(read().into_tensor(Sum)), Some(5.0));
    assert_eq!(at(read().into_tensor(Last)), Some(3.0));
    let unsorted = csr().list("indices", &[2i32, 1, 0]);
    let unsorted: Csr<f64> = sparse(&unsorted).into_tensor(Refuse).unwrap();
    assert_eq!(unsorted.to_dense(), [0.0, 3.0, 2.0, 4.0, 0.0, 0.0]);
}

#[test]
fn the_only_dimension_may_be_one_of_rows() {
    let line = gcxs()
        .list("shape", &[3i64])
        .list("compressed_axes", &[0i64])
        .list("indptr", &[0i64, 1, 1, 2])
        .list("indices", &[0i64, 0])
        .list("data", &[4.0, 2.0]);
    let line = sparse(&line).into_tensor::<Line<f64>>(Refuse).unwrap();
    assert_eq!(line.to_dense(), [4.0, 0.0, 2.0]);
}

#[test]
fn spare_room_is_no_entry() {
    let spare = csr().list("indices", &[1i32, 2, 0, 77]).list("data", &[2.0, 3.0, 4.0, 5.0]);
    let read = sparse(&spare);
    assert_eq!(read.len(), 3);
    assert_eq!(read.into_tensor::<Rows<f64>>(Refuse), sparse(&csr()).into_tensor(Refuse));
}

#[test]
fn fills() {
    let one = pydata_coo().with("fill_value", &[], &[1.0]);
    let same = sparse(&one).into_tensor::<List<List<sample::Element<f64, 1>>>>(Refuse).unwrap();
    assert_eq!(same.to_dense(), [1.0, 2.0, 3.0, 4.0, 1.0, 1.0]);
    let other = sparse(&one).into_tensor::<Rows<f64>>(Refuse);
    let reason = NumpyReason::Fill { file: "1.0".into(), format: "0.0".into() };
    let (file, array) = ("a.npz".into(), "fill_value".to_owned());
    assert_eq!(other, Err(Error::Numpy { file, array, reason }));
    // SciPy has no word for it: as of other files, it is the format's.
    let ours = sparse(&coo()).into_tensor::<List<List<sample::Element<f64, 1>>>>(Refuse).unwrap();
    assert_eq!(ours, same);
    for layout in [Layout::PydataCoo, Layout::PydataGcxs] {
        round_trip(&same, &[layout]);
    }
    let options = WriteOptions::default();
    let refused = write_to("a.npz", Cursor::new(Vec::new()), &same, &options);
    let reason = NumpyReason::Fill { file: "0.0".into(), format: "1.0".into() };
    assert_eq!(refused, Err(Error::Numpy { file: "a.npz".into(), array: String::new(), reason }));
}

/// Writes in each layout and reads; the values have to be the same bit by bit.
fn round_trip<L: Level + 'static>(tensor: &Tensor<L>, layouts: &[Layout])
where
    L::Value: NumpyValue + Value,
{
    for &layout in layouts {
        for compressed in [true, false] {
            let mut bytes = Cursor::new(Vec::new());
            write_to("a.npz", &mut bytes, tensor, &WriteOptions { layout, compressed }).unwrap();
            bytes.set_position(0);
            let read = parse("a.npz", bytes).unwrap();
            assert_eq!((read.layout(), read.dtype()), (layout, L::Value::DTYPE));
            let back = read.into_tensor::<L>(Refuse).unwrap();
            let (got, want) = (back.triplets(), tensor.triplets());
            let same = got.iter().zip(&want).all(|(a, b)| a.0 == b.0 && identical(&a.1, &b.1));
            assert!(
                same && got.len() == want.len() && back.shape() == tensor.shape(),
                "{layout:?}"
            );
        }
    }
}

const OF_MATRICES: [Layout; 5] =
    [Layout::Csr, Layout::Csc, Layout::Coo, Layout::PydataCoo, Layout::PydataGcxs];
const OF_ALL: [Layout; 3] = [Layout::Coo, Layout::PydataCoo, Layout::PydataGcxs];

#[test]
fn written_archives_are_read_back() {
    let hostile = [0.0, -0.0, 0.1, -1e-310, f64::MAX, f64::NAN, f64::INFINITY, -f64::INFINITY];
    let at = |k: usize| [(k * 3) % 5, k];
    let places = hostile.iter().enumerate();
    let matrix = places.clone().map(|(k, &v)| (at(k), v));
    round_trip(&Csr::<f64>::from_triplets([5, 9], matrix, Refuse).unwrap(), &OF_MATRICES);
    let complex = places.clone().map(|(k, &v)| (at(k), Complex::new(v, -v)));
    let complex = Tensor::<Dcsr<Complex<f64>>>::from_triplets([5, 9], complex, Refuse);
    round_trip(&complex.unwrap(), &OF_MATRICES);
    let ints = [0, 1, u64::MAX].into_iter().enumerate().map(|(k, v)| (at(k), v));
    round_trip(&Csr::<u64>::from_triplets([5, 9], ints, Refuse).unwrap(), &OF_MATRICES);
    let bools = [([0, 1], true), ([1, 0], true)];
    round_trip(&Csr::<bool>::from_triplets([2, 2], bools, Refuse).unwrap(), &OF_MATRICES);
    let line = places.clone().map(|(k, &v)| ([k * 2], v));
    round_trip(&SparseVec::<f64>::from_triplets([17], line, Refuse).unwrap(), &OF_ALL);
    let cube = places.map(|(k, &v)| ([k % 2, (k * 3) % 5, k], v));
    let cube = Tensor::<List<Dcsr<f64>>>::from_triplets([2, 5, 9], cube, Refuse).unwrap();
    round_trip(&cube, &OF_ALL);
    for shape in [[0, 0], [0, 3], [3, 0], [1, 1], [7, 2]] {
        round_trip(&Csr::<f64>::new(shape).unwrap(), &OF_MATRICES);
    }
    let wide = [([1, 1 << 40], 1.5)];
    let wide = Tensor::<Dcsr<f64>>::from_triplets([2, 1 << 41], wide, Refuse).unwrap();
    round_trip(&wide, &[Layout::Csr, Layout::Coo, Layout::PydataCoo, Layout::PydataGcxs]);
}

#[test]
fn what_a_file_cannot_say_is_not_written() {
    let path = std::env::temp_dir().join(format!("looplets-w-{}.npz", std::process::id()));
    let refused = |made: Result<(), Error>| match made {
        Err(Error::Numpy { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let of = |layout| WriteOptions { layout, ..WriteOptions::default() };
    let a = Csr::<f64>::new([2, 2]).unwrap();
    for layout in [Layout::Bsr, Layout::Dia] {
        let reason = refused(write(&path, &a, &of(layout)));
        assert_eq!(reason, NumpyReason::Layout { word: layout.to_string() });
    }
    let line = SparseVec::<f64>::new([2]).unwrap();
    for layout in [Layout::Csr, Layout::Csc] {
        let reason = refused(write(&path, &line, &of(layout)));
        assert_eq!(reason, NumpyReason::Dimensions { expected: 2, found: 1 });
    }
    let far = Tensor::<List<Dcsr<f64>>>::new([2, 1 << 40, 1 << 40]);
    let far = far.unwrap();
    assert!(matches!(write(&path, &far, &of(Layout::PydataGcxs)), Err(Error::TooLarge { .. })));
    assert!(!path.exists());
}

#[test]
fn files() {
    let path = std::env::temp_dir().join(format!("looplets-{}.npz", std::process::id()));
    let a = Csr::<f64>::from_triplets([2, 2], [([0, 1], 3.0)], Refuse).unwrap();
    write(&path, &a, &WriteOptions::default()).unwrap();
    assert_eq!(read::<Csr<f64>>(&path), Ok(a));
    assert_eq!(read::<Sparse>(&path).unwrap().columns(), [[0], [1]]);
    let data: crate::DenseVec<f64> = read_array(&path, "data").unwrap();
    assert_eq!(data.to_dense(), [3.0]);
    let none = read_array::<crate::DenseVec<f64>>(&path, "datum");
    assert!(matches!(none, Err(Error::Numpy { reason: NumpyReason::Missing, .. })));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(read::<Sparse>(&path), Err(Error::Io { .. })));
}

#[test]
fn matrices_are_read_by_columns() {
    for arrays in [csr(), bsr(), dia(), coo(), pydata_coo()] {
        let read = sparse(&arrays);
        let by_rows: Csr<f64> = read.clone().into_tensor(Refuse).unwrap();
        let by_columns = Csc::<f64>::from_sparse(read).unwrap();
        assert_eq!(by_columns.shape(), by_rows.shape());
        assert_eq!(by_columns.to_dense(), by_rows.to_dense());
    }
    let other = Csc::<f64>::from_sparse(sparse(&csr()).transposed()).unwrap();
    assert_eq!(other.shape(), [3, 2]);
    // An entry that is given twice is told by its row and column.
    let twice = csr().list("indices", &[2i32, 2, 0]);
    let by_rows = Csr::<f64>::from_sparse(sparse(&twice)).unwrap_err();
    let by_columns = Csc::<f64>::from_sparse(sparse(&twice)).unwrap_err();
    assert_eq!(by_columns.to_string(), by_rows.to_string());
}
