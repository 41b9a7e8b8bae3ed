//! Every malformed array is refused with its reason.

use super::{bytes, header};
use crate::npy::NumpyReason as R;
use crate::npy::{parse, Array, NumpyValue, Values};
use crate::Error;
use num_complex::Complex;

fn fault<T>(made: Result<T, Error>) -> R {
    match made {
        Err(Error::Numpy { file, array, reason }) => {
            assert_eq!((file.to_str(), array.as_str()), (Some("a.npy"), ""));
            assert!(!reason.to_string().is_empty());
            reason
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn array(descr: &str, shape: &str, values: &[u8]) -> Result<Array, Error> {
    parse("a.npy", &bytes(&header(descr, false, shape), values)[..])
}

#[test]
fn beginnings() {
    let refused = |bytes: &[u8]| fault(parse("a.npy", bytes));
    for none in [&b""[..], b"\x93NUMP", b"\x93NUMPX\x01\x00", b"PK\x03\x04aaaaaaaaaaa"] {
        assert_eq!(refused(none), R::Magic);
    }
    assert_eq!(refused(b"\x93NUMPY\x04\x00aa"), R::Version { major: 4, minor: 0 });
    assert_eq!(refused(b"\x93NUMPY\x01\x01aa"), R::Version { major: 1, minor: 1 });
    let length = R::Header { expected: "its length", at: 0 };
    assert_eq!(refused(b"\x93NUMPY\x01\x00a"), length);
    assert_eq!(refused(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), length);
    let rest = R::Header { expected: "the rest", at: 2 };
    assert_eq!(refused(b"\x93NUMPY\x01\x00\xff\xff{}"), rest);
    assert!(matches!(refused(&bytes("[]", &[])), R::Header { at: 0, .. }));
}

#[test]
fn types() {
    for descr in [
        "<f2", "<f16", "|S3", "<U3", "|O", "<M8[ns]", "|V8", "f8", "<", "", "|i4", "<c4", "\u{e9}8",
    ] {
        let reason = fault(array(descr, "(1,)", &[0; 16]));
        assert_eq!(reason, R::Type { descr: descr.to_owned() }, "{descr}");
    }
    let record = "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }";
    let reason = fault(parse("a.npy", &bytes(record, &[0; 8])[..]));
    assert_eq!(reason, R::Type { descr: "a record".into() });
}

#[test]
fn values() {
    let short = |expected, found| R::Truncated { expected, found };
    assert_eq!(fault(array("<f8", "(2,)", &[0; 15])), short(16, 15));
    assert_eq!(fault(array("<f8", "()", &[])), short(8, 0));
    assert_eq!(fault(array("<f8", "(2,)", &[0; 17])), R::Trailing);
    assert_eq!(fault(array("<f8", "(0, 3)", &[0])), R::Trailing);
    let bad = R::BadBool { entry: 1, byte: 2 };
    assert_eq!(fault(array("|b1", "(3,)", &[1, 2, 0])), bad);
}

#[test]
fn headers_alone_allocate_nothing() {
    let n = 1_000_000_000_000_000;
    let short = R::Truncated { expected: 8 * n, found: 24 };
    assert_eq!(fault(array("<f8", &format!("({n},)"), &[0; 24])), short);
    for shape in [vec![1 << 62], vec![1 << 32, 1 << 32], vec![isize::MAX as usize; 3]] {
        let words: String = shape.iter().map(|n: &usize| format!("{n},")).collect();
        let reason = fault(array("<f8", &format!("({words})"), &[0; 24]));
        assert_eq!(reason, R::TooLarge { shape });
    }
}

#[test]
fn lossy_conversions() {
    fn of<V: NumpyValue>(values: Values) -> Result<Vec<V>, R> {
        values.convert()
    }
    let field = |dtype, into| R::Field { dtype, into };
    let value = |entry, value: &str, into| R::Conversion { entry, value: value.into(), into };
    assert_eq!(of::<f64>(Values::C64(vec![])), Err(field("complex64", "f64")));
    assert_eq!(of::<i32>(Values::F32(vec![1.0])), Err(field("float32", "i32")));
    assert_eq!(of::<bool>(Values::U8(vec![1])), Err(field("uint8", "bool")));
    assert_eq!(of::<u8>(Values::I64(vec![5, -1])), Err(value(1, "-1", "u8")));
    assert_eq!(
        of::<f64>(Values::U64(vec![u64::MAX])),
        Err(value(0, "18446744073709551615", "f64"))
    );
    assert_eq!(
        of::<f32>(Values::I32(vec![1 << 24, (1 << 24) + 1])),
        Err(value(1, "16777217", "f32"))
    );
    assert_eq!(of::<f32>(Values::F64(vec![0.1])), Err(value(0, "0.1", "f32")));
    assert_eq!(of::<f32>(Values::F64(vec![1e300])), Err(value(0, "1e300", "f32")));
    assert_eq!(
        of::<f32>(Values::F64(vec![0.5, -0.0, f64::INFINITY])),
        Ok(vec![0.5, -0.0, f32::INFINITY])
    );
    assert!(of::<f32>(Values::F64(vec![f64::NAN])).is_ok_and(|v| v[0].is_nan()));
    assert_eq!(of::<i64>(Values::Bool(vec![true, false])), Ok(vec![1, 0]));
    assert_eq!(of::<usize>(Values::U64(vec![u64::MAX])), Ok(vec![usize::MAX]));
    let complex = Complex::new(0.0, 0.1);
    assert!(of::<Complex<f32>>(Values::C128(vec![complex])).is_err());
    assert_eq!(of::<Complex<f64>>(Values::I8(vec![-3])), Ok(vec![Complex::new(-3.0, 0.0)]));
}

#[test]
fn the_error_says_where() {
    let error = array("<f8", "(2, 3)", &[0; 8]).unwrap_err();
    assert_eq!(error.to_string(), "a.npy: it ends after 8 of 48 bytes of values");
}
