//! Arrays that are right are read as what they mean, and what is written is read back.

use super::{bytes, header};
use crate::npy::{
    parse, read, write, write_to, Array, DType, FromArray, NumpyValue, Order, Values,
};
use crate::sample::{Csr, Dense, Element, Full, List};
use crate::tensor::{ByColumns, Refuse, Tensor};
use crate::value::identical;
use crate::{Csc, DenseMat, DenseVec, Error, Level, Value};
use num_complex::Complex;

fn array(descr: &str, order: bool, shape: &str, values: &[u8]) -> Array {
    parse("a.npy", &bytes(&header(descr, order, shape), values)[..]).unwrap()
}

#[test]
fn all_types_in_both_orders_of_bytes() {
    macro_rules! types {
        ($($descr:literal: $ty:ty, $variant:ident = $($v:expr),*;)*) => {$(
            let values: Vec<$ty> = vec![$($v),*];
            let shape = format!("({},)", values.len());
            let little: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            let big: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
            for (mark, bytes) in [("<", &little), (">", &big), ("=", &little)] {
                let read = array(&format!("{mark}{}", $descr), false, &shape, bytes);
                assert_eq!(read.dtype(), DType::$variant);
                let Values::$variant(all) = read.values() else { panic!("{read:?}") };
                assert!(all.iter().zip(&values).all(|(a, b)| identical(a, b)), "{all:?}");
                assert_eq!(all.len(), values.len());
            }
        )*};
    }
    types! {
        "i1": i8, I8 = i8::MIN, -1, 0, i8::MAX;
        "i2": i16, I16 = i16::MIN, -1, 0, i16::MAX;
        "i4": i32, I32 = i32::MIN, -1, 0, i32::MAX;
        "i8": i64, I64 = i64::MIN, -1, 0, i64::MAX;
        "u1": u8, U8 = 0, 1, u8::MAX;
        "u2": u16, U16 = 0, 1, u16::MAX;
        "u4": u32, U32 = 0, 1, u32::MAX;
        "u8": u64, U64 = 0, 1, u64::MAX;
        "f4": f32, F32 = 0.5, -0.0, f32::NAN, f32::INFINITY, 1e-45, f32::MAX;
        "f8": f64, F64 = 0.5, -0.0, f64::NAN, f64::NEG_INFINITY, 5e-324, f64::MAX;
    }
    let read = array("|b1", false, "(3,)", &[1, 0, 1]);
    assert_eq!(read.values(), &Values::Bool(vec![true, false, true]));
    let parts: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|v| v.to_be_bytes()).collect();
    let read = array(">c8", false, "()", &parts);
    assert_eq!(read.values(), &Values::C64(vec![Complex::new(1.5, -2.0)]));
    let parts: Vec<u8> = [1.5, -2.0].iter().flat_map(|v: &f64| v.to_le_bytes()).collect();
    let read = array("<c16", false, "(1, 1, 1)", &parts);
    assert_eq!(read.values(), &Values::C128(vec![Complex::new(1.5, -2.0)]));
}

#[test]
fn orders_and_shapes() {
    let values: Vec<u8> = (0..24).collect();
    let c = array("|u1", false, "(2, 3, 4)", &values);
    assert_eq!((c.order(), c.shape()), (Order::C, &[2, 3, 4][..]));
    assert_eq!(c.into_values::<u8>().unwrap(), values);
    let f = array("|u1", true, "(2, 3, 4)", &values);
    assert_eq!(f.order(), Order::Fortran);
    let turned = f.into_values::<usize>().unwrap();
    for (i, j, k) in (0..24).map(|e| (e / 12, e / 4 % 3, e % 4)) {
        assert_eq!(turned[i * 12 + j * 4 + k], i + 2 * j + 6 * k);
    }
    for shape in ["(5,)", "(1, 5)", "(5, 1)", "(1, 5, 1)"] {
        let line = array("|u1", true, shape, &values[..5]);
        assert_eq!(line.into_values::<u8>().unwrap(), values[..5]);
    }
    for shape in ["(0,)", "(3, 0)", "(0, 9223372036854775807, 9223372036854775807)"] {
        let none = array("<f8", true, shape, &[]);
        assert!(none.into_values::<f64>().unwrap().is_empty());
    }
    let scalar = array("|u1", false, "()", &[7]).into_tensor::<Element<u8>>().unwrap();
    assert_eq!(scalar.to_dense(), [7]);
}

#[test]
fn formats_store_what_differs_from_their_fill() {
    let matrix = || array("|i1", false, "(2, 3)", &[0, 5, 0, 255, 0, 0]);
    let sparse = matrix().into_tensor::<Csr<i64>>().unwrap();
    assert_eq!(sparse.triplets(), [(vec![0, 1], 5), (vec![1, 0], -1)]);
    let dense: DenseMat<f32> = matrix().into_tensor().unwrap();
    assert_eq!(dense.to_dense(), [0.0, 5.0, 0.0, -1.0, 0.0, 0.0]);
    let rank = matrix().into_tensor::<List<Element<f64>>>();
    assert_eq!(rank, Err(Error::Rank { expected: 1, found: 2 }));
    let turned = array("|i1", true, "(2, 3)", &[0, 5, 0, 255, 0, 0]);
    let dense: DenseMat<i8> = turned.into_tensor().unwrap();
    assert_eq!(dense.to_dense(), [0, 0, 0, 5, -1, 0]);
}

#[test]
fn dense_values_are_moved() {
    let values: Vec<u8> = (0..6).flat_map(|v| f64::from(v).to_le_bytes()).collect();
    let read = array("<f8", false, "(6,)", &values);
    let Values::F64(all) = read.values() else { panic!("{read:?}") };
    let before = all.as_ptr();
    let mut vector: DenseVec<f64> = read.into_tensor().unwrap();
    let after = vector.values_mut().map(|v| v.as_ptr());
    assert_eq!((after, vector.to_dense()), (Some(before), vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
}

/// Writes and reads in both orders; the values have to be the same bit by bit.
fn round_trip<V: NumpyValue + Value>(shape: &[usize], values: &[V])
where
    Element<V>: Level<Value = V>,
{
    fn check<L: Level + 'static>(tensor: &Tensor<L>)
    where
        L::Value: NumpyValue + Value,
    {
        for order in [Order::C, Order::Fortran] {
            let mut bytes = Vec::new();
            write_to("a.npy", &mut bytes, tensor, order).unwrap();
            let read = parse("a.npy", &bytes[..]).unwrap();
            assert_eq!((read.order(), read.shape()), (order, &tensor.shape()[..]));
            assert_eq!(read.dtype(), L::Value::DTYPE);
            let back = read.into_tensor::<L>().unwrap();
            let (got, want) = (back.to_dense(), tensor.to_dense());
            assert!(got.len() == want.len() && got.iter().zip(&want).all(|(a, b)| identical(a, b)));
        }
    }
    match shape.len() {
        1 => check(&Tensor::<Dense<Element<V>>>::from_dense(shape, values).unwrap()),
        2 => {
            check(&Tensor::<Full<V>>::from_dense(shape, values).unwrap());
            check(&Tensor::<Csr<V>>::from_dense(shape, values).unwrap());
        }
        _ => check(&Tensor::<Dense<Full<V>>>::from_dense(shape, values).unwrap()),
    }
}

#[test]
fn written_arrays_are_read_back() {
    let hostile = [0.0, -0.0, 0.1, -1e-310, f64::MAX, f64::NAN, f64::INFINITY, -f64::INFINITY];
    let narrow: Vec<f32> = hostile.iter().map(|&v| v as f32).collect();
    let complex: Vec<_> = hostile.iter().map(|&v| Complex::new(v, -v)).collect();
    for shape in [&[8][..], &[2, 4], &[8, 1], &[2, 2, 2]] {
        round_trip(shape, &hostile);
        round_trip(shape, &narrow);
        round_trip(shape, &complex);
        round_trip(shape, &[i64::MIN, -1, 0, 1, 2, 3, 4, i64::MAX]);
        round_trip(shape, &[0u64, 1, 2, 3, 4, 5, 6, u64::MAX]);
        round_trip(shape, &[true, false, true, true, false, false, true, false]);
    }
    round_trip::<f64>(&[0], &[]);
    round_trip::<u8>(&[3, 0], &[]);
}

#[test]
fn files() {
    let path = std::env::temp_dir().join(format!("looplets-{}.npy", std::process::id()));
    let a = Tensor::<Csr<f64>>::from_triplets([2, 2], [([0, 1], 3.0)], Refuse).unwrap();
    write(&path, &a, Order::C).unwrap();
    assert_eq!(read::<Tensor<Csr<f64>>>(&path), Ok(a.clone()));
    assert_eq!(std::fs::read(&path).unwrap().len(), 128 + 4 * 8);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(read::<Array>(&path), Err(Error::Io { .. })));
    let nowhere = std::path::Path::new("no/such/file.npy");
    assert!(matches!(write(nowhere, &a, Order::C), Err(Error::Io { .. })));
}

#[test]
fn dimensions_as_many_as_no_program_has() {
    let head = crate::npy::writer::head("<f8", &[1; 30_000], Order::C);
    assert_eq!(head[6..8], [2, 0]);
    assert_eq!(head.len() % 64, 0);
}

#[test]
fn arrays_in_fortran_order_are_dense_tensors_by_columns() {
    type Turned = ByColumns<crate::Dense<crate::Dense<crate::Element<i8>>>>;
    for fortran in [false, true] {
        let read = array("|i1", fortran, "(2, 3)", &[0, 5, 0, 255, 0, 7]);
        let by_rows: DenseMat<i8> = read.clone().into_tensor().unwrap();
        let by_columns = Turned::from_array(read.clone()).unwrap();
        assert_eq!((by_columns.shape(), by_columns.to_dense()), (vec![2, 3], by_rows.to_dense()));
        let sparse = Csc::<i8>::from_array(read.clone()).unwrap();
        assert_eq!((sparse.to_dense(), sparse.stored()), (by_rows.to_dense(), 3));
        // In Fortran order the values are as they are stored.
        let Values::I8(all) = read.values() else { panic!("{read:?}") };
        let before = all.as_ptr();
        let after = Turned::from_array(read).unwrap().values().map(|v| v.as_ptr());
        assert_eq!(after == Some(before), fortran);
    }
}
