//! Every malformed file is refused with its line and reason.

use super::{options, shaped};
use crate::mtx::{Field, MtxReason};
use crate::sample::{Csr, Dcsr};
use crate::tensor::{Refuse, Sum};
use crate::tns::TnsReason as R;
use crate::tns::{parse, read, Coordinates, ReadOptions};
use crate::Error;
use std::path::Path;

fn fault<T>(made: Result<T, Error>) -> (u64, R) {
    match made {
        Err(Error::Frostt { file, line, reason }) => {
            assert_eq!(file, Path::new("a.tns"));
            assert!(!reason.to_string().is_empty());
            (line, reason)
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn refused(text: impl AsRef<[u8]>, options: &ReadOptions) -> (u64, R) {
    fault(parse("a.tns", text.as_ref(), options))
}

#[test]
fn lines() {
    let missing = |expected, found| R::MissingField { expected, found };
    let extra = |expected, token: &str| R::ExtraField { expected, token: token.into() };
    let any = ReadOptions::default();
    for (text, options, line, reason) in [
        ("", &any, 1, R::NoEntries),
        ("\n# a\n", &any, 2, R::NoEntries),
        ("1 1 1\n1 1\n", &any, 2, missing(3, 2)),
        ("1 1 1\n\n#\n1\n", &any, 4, missing(3, 1)),
        ("1 1 1\n1 1 1 1\n", &any, 2, extra(3, "1")),
        ("1 1 1 1 1\n1 1 1\n", &any, 2, missing(5, 3)),
        ("1 1 5 # c\n", &options(Some(2), None), 1, extra(3, "#")),
        ("1 1\n", &shaped(&[4, 4, 4]), 1, missing(3, 2)),
        ("1 1 1 1 1 1\n", &options(Some(3), None), 1, extra(4, "1")),
        ("1 1 1 5\n", &options(Some(3), Some(Field::Pattern)), 1, extra(3, "5")),
        ("1 1 1 5\n", &options(Some(3), Some(Field::Complex)), 1, missing(5, 4)),
        ("1\n", &options(None, Some(Field::Complex)), 1, missing(2, 1)),
    ] {
        assert_eq!(refused(text, options), (line, reason), "{text}");
    }
}

#[test]
fn indices() {
    let bad = |token: &str, dimension| R::BadIndex { token: token.into(), dimension };
    let out =
        |token: &str, dimension, size| R::IndexOutOfRange { token: token.into(), dimension, size };
    let max = isize::MAX as usize;
    for (line, reason) in [
        ("x 1 1", bad("x", 0)),
        ("1 -1 1", bad("-1", 1)),
        ("1 1.0 1", bad("1.0", 1)),
        ("1e1 1 1", bad("1e1", 0)),
        ("+ 1 1", bad("+", 0)),
        ("++1 1 1", bad("++1", 0)),
        ("0 1 1", R::IndexZero { dimension: 0 }),
        ("1 +00 1", R::IndexZero { dimension: 1 }),
        ("1 9223372036854775808 1", out("9223372036854775808", 1, max)),
        ("99999999999999999999999 1 1", out("99999999999999999999999", 0, max)),
        ("184467440737095516170 1 1", out("184467440737095516170", 0, max)),
    ] {
        let text = format!("1 1 1\n{line}\n");
        assert_eq!(refused(text, &ReadOptions::default()), (2, reason), "{line}");
    }
    assert_eq!(refused("3 4 1\n3 5 1\n", &shaped(&[3, 4])), (2, out("5", 1, 4)));
    assert_eq!(refused("1 1 1\n", &shaped(&[3, 0])), (1, out("1", 1, 0)));
    let (_, reason) = refused(b"\xff 1 1\n", &ReadOptions::default());
    assert_eq!(reason, bad("\u{fffd}", 0));
}

#[test]
fn values() {
    let integer = options(None, Some(Field::Integer));
    let of = |token: &str, options: &ReadOptions| match refused(
        format!("# c\n1 1 {token}\n"),
        options,
    ) {
        (2, R::Value { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let bad = |token: &str, field| MtxReason::BadValue { token: token.into(), field };
    let over = |token: &str| MtxReason::Overflow { token: token.into() };
    let any = ReadOptions::default();
    assert_eq!(of("x", &any), bad("x", Field::Real));
    assert_eq!(of("1,5", &any), bad("1,5", Field::Real));
    assert_eq!(of("0x10", &any), bad("0x10", Field::Real));
    assert_eq!(of("1e999", &any), over("1e999"));
    assert_eq!(of("1.0", &integer), bad("1.0", Field::Integer));
    assert_eq!(of("9223372036854775808", &integer), over("9223372036854775808"));
    let (_, reason) = refused(b"1 1 \xff\n", &any);
    assert_eq!(reason, R::Value { reason: MtxReason::NotUtf8 });
}

#[test]
fn what_a_file_cannot_become() {
    let made =
        |text: &str, options: &ReadOptions| parse("a.tns", text.as_bytes(), options).unwrap();
    let any = ReadOptions::default();
    let integer = options(None, Some(Field::Integer));
    let real = made("1 1 2.0\n", &any);
    let field = R::Field { field: Field::Real, into: "i32" };
    assert_eq!(fault(real.into_tensor::<Csr<i32>>(Refuse)), (1, field));
    let int = made("#\n1 1 5\n\n2 2 300\n", &integer);
    let lossy = R::Conversion { value: "300".into(), into: "u8" };
    assert_eq!(fault(int.into_tensor::<Csr<u8>>(Refuse)), (4, lossy));
    let twice = made("2 1 1\n1 1 1\n# c\n2 1 5\n", &any);
    let duplicate = R::Duplicate { coords: vec![2, 1] };
    assert_eq!(fault(twice.into_tensor::<Csr<f64>>(Refuse)), (4, duplicate));
    let sum = made("1 1 9223372036854775807\n1 1 1\n", &integer);
    let overflow = R::SumOverflow { coords: vec![1, 1] };
    assert_eq!(fault(sum.into_tensor::<Csr<i64>>(Sum)), (2, overflow));
    let cube = made("1 1 1 1\n", &any);
    let rank = Err(Error::Rank { expected: 2, found: 3 });
    assert_eq!(cube.into_tensor::<Csr<f64>>(Sum), rank);
}

#[test]
fn options_that_contradict_themselves() {
    let both = ReadOptions { rank: Some(3), ..shaped(&[1, 1]) };
    let rank = Error::Rank { expected: 3, found: 2 };
    assert_eq!(parse("a.tns", &b"1 1 1\n"[..], &both).unwrap_err(), rank);
    let shape = vec![usize::MAX, 1];
    let large = parse("a.tns", &b"1 1 1\n"[..], &shaped(&shape));
    assert_eq!(large.unwrap_err(), Error::TooLarge { shape });
}

#[cfg_attr(miri, ignore = "asks for memory that an interpreter does not have")]
#[test]
fn coordinates_alone_allocate_nothing() {
    let text = "2305843009213693952 5 1\n";
    let read = || parse("a.tns", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(read().into_tensor::<Dcsr<f64>>(Sum).unwrap().stored(), 1);
    assert!(matches!(read().into_tensor::<Csr<f64>>(Sum), Err(Error::Unstorable { .. })));
}

#[test]
fn files_that_cannot_be_read() {
    let path = Path::new("no/such/file.tns");
    match read::<Coordinates>(path) {
        Err(Error::Io { path: p, kind, .. }) => {
            assert_eq!((p.as_path(), kind), (path, std::io::ErrorKind::NotFound));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(read::<Coordinates>("."), Err(Error::Io { .. })));
}

#[test]
fn the_error_says_where() {
    let error = parse("a.tns", &b"1 1 1 1\n1 9 1 1\n"[..], &shaped(&[2, 3, 1])).unwrap_err();
    assert_eq!(error.to_string(), "a.tns:2: coordinate 9 in dimension 1 is not in 1..=3");
}
