//! What a file cannot become: too large, with loss, twice; and what no file may do at all.

use super::malformed::{banner, fault, real_general};
use crate::mtx::MtxReason as R;
use crate::mtx::{parse, Field, Matrix, MtxValue};
use crate::sample::{Csr, Dcsr, Full, SparseVec};
use crate::tensor::{Refuse, Sum};
use crate::Error;
use std::path::Path;

#[cfg_attr(miri, ignore = "asks for memory that an interpreter does not have")]
#[test]
fn headers_alone_allocate_nothing() {
    let n = 1_000_000_000_000u128;
    let text = real_general("1000000000000 1000000000000 999999999999\n1 1 1\n");
    let few = |expected, found| R::TooFewEntries { expected, found };
    assert_eq!(fault(parse("a.mtx", &text)), (3, few(n - 1, 1)));
    let max = isize::MAX;
    let text = banner("array complex symmetric", &format!("{max} {max}\n1 1\n"));
    let max = max as u128;
    assert_eq!(fault(parse("a.mtx", &text)), (3, few(max * (max + 1) / 2, 1)));
    let text = banner("array real skew-symmetric", &format!("{max} {max}\n1\n"));
    assert_eq!(fault(parse("a.mtx", &text)), (3, few(max * (max - 1) / 2, 1)));
    // A format whose size is the shape's is refused; one whose size is the number stored is not.
    let text = real_general(&format!("{} 7 1\n5 5 1\n", 1u64 << 61));
    let matrix = parse("a.mtx", &text).unwrap();
    assert!(matches!(matrix.clone().into_tensor::<Csr<f64>>(Sum), Err(Error::Unstorable { .. })));
    assert!(matches!(matrix.clone().into_tensor::<Full<f64>>(Sum), Err(Error::Unstorable { .. })));
    assert_eq!(matrix.into_tensor::<Dcsr<f64>>(Sum).unwrap().stored(), 1);
}

fn convert<V: MtxValue>(text: &str) -> Result<Vec<(usize, usize, V)>, Error> {
    parse("a.mtx", text)?.entries()
}

#[test]
fn lossy_conversions() {
    let field = |field, into| (1, R::Field { field, into });
    let value = |line, value: &str, into| (line, R::Conversion { value: value.into(), into });
    let real = &real_general("1 1 1\n1 1 2.0\n");
    let int = &banner("coordinate integer general", "%\n2 2 2\n1 1 5\n\n2 2 300\n");
    let big = &banner("coordinate integer general", "1 1 1\n1 1 9007199254740993\n");
    let complex = &banner("coordinate complex general", "1 1 1\n1 1 2.0 0\n");
    assert_eq!(fault(convert::<f64>(complex)), field(Field::Complex, "f64"));
    assert_eq!(fault(convert::<i32>(real)), field(Field::Real, "i32"));
    assert_eq!(fault(convert::<bool>(int)), field(Field::Integer, "bool"));
    assert_eq!(fault(convert::<u8>(int)), value(6, "300", "u8"));
    assert_eq!(fault(convert::<f64>(big)), value(3, "9007199254740993", "f64"));
    let wide = &real_general("1 1 1\n1 1 1e300\n");
    assert_eq!(fault(convert::<f32>(wide)), value(3, "1e300", "f32"));
    // The entry that follows from symmetry is at the line of the one it follows from.
    let skew = banner("coordinate integer skew-symmetric", "3 3 2\n\n2 1 0\n\n3 1 5\n");
    assert_eq!(fault(convert::<u8>(&skew)), value(6, "-5", "u8"));
}

#[test]
fn duplicates_have_a_line() {
    let text = real_general("3 3 4\n1 1 1\n2 1 1\n% c\n1 1 5\n3 3 1\n");
    let matrix = || parse("a.mtx", &text).unwrap();
    let refused = fault(matrix().into_tensor::<Csr<f64>>(Refuse));
    assert_eq!(refused, (6, R::Duplicate { row: 1, col: 1 }));
    let summed = matrix().into_tensor::<Csr<f64>>(Sum).unwrap();
    assert_eq!(summed.get([0, 0]), Some(6.0));
    let text = banner("coordinate integer symmetric", "3 3 3\n2 1 1\n2 2 100\n2 1 127\n");
    let matrix = || parse("a.mtx", &text).unwrap();
    // In ascending order the conflict above the diagonal comes first, at the same line.
    let refused = fault(matrix().into_tensor::<Csr<i32>>(Refuse));
    assert_eq!(refused.0, 5);
    let refused = fault(matrix().into_tensor::<Dcsr<u64>>(Refuse));
    assert_eq!(refused, (5, R::Duplicate { row: 1, col: 2 }));
    let text = banner("coordinate integer general", "1 1 2\n1 1 9223372036854775807\n1 1 1\n");
    let sum = parse("a.mtx", text).unwrap().into_tensor::<Csr<i64>>(Sum);
    assert_eq!(fault(sum), (4, R::SumOverflow { row: 1, col: 1 }));
}

#[test]
fn vectors_have_one_column() {
    let text = banner("array real general", "3 1\n1\n0\n2\n");
    let vector = parse("a.mtx", text).unwrap().into_tensor::<SparseVec<f64>>(Refuse).unwrap();
    assert_eq!(vector.triplets(), [(vec![0], 1.0), (vec![2], 2.0)]);
    let text = banner("array real general", "1 3\n1\n0\n2\n");
    let wide = parse("a.mtx", text).unwrap().into_tensor::<SparseVec<f64>>(Refuse);
    assert_eq!(wide, Err(Error::Rank { expected: 1, found: 2 }));
}

#[test]
fn files_that_cannot_be_read() {
    let path = Path::new("no/such/file.mtx");
    match crate::mtx::read::<Matrix>(path) {
        Err(Error::Io { path: p, kind, .. }) => {
            assert_eq!((p.as_path(), kind), (path, std::io::ErrorKind::NotFound));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(crate::mtx::read::<Matrix>("."), Err(Error::Io { .. })));
}

/// Files that a byte, a token or a line was changed in are read or refused, and what is read
/// is as long as it says.
#[cfg_attr(miri, ignore = "thousands of files take an interpreter too long")]
#[test]
fn mutations_never_panic() {
    let seeds = [
        real_general("%c\n3 4 4\n1 1 1.5\n2 3 -2e10\n3 4 1D5\n3 1 inf\n"),
        banner("coordinate integer symmetric", "3 3 3\n1 1 1\n2 1 -7\n3 3 9223372036854775807\n"),
        banner("coordinate complex hermitian", "3 3 3\n1 1 1 0\n2 1 -7 3\n3 2 .5 +1.\n"),
        banner("coordinate pattern symmetric", "4 4 3\r\n2 1\r\n\r\n3 3\r\n4 1\r\n"),
        banner("coordinate real skew-symmetric", "3 3 2\n2 1 5\n3 2 7\n"),
        banner("array real general", "2 3\n1\n2\n3\n4\n5\n6\n"),
        banner("array integer skew-symmetric", "3 3\n1\n2\n3\n"),
        banner("array complex hermitian", "2 2\n1 0\n2 3\n4 0\n"),
    ];
    let tokens = [
        "0",
        "-1",
        "1",
        "2",
        "4",
        "9223372036854775807",
        "18446744073709551616",
        "1e999",
        "nan",
        "",
        "\n",
        " ",
        "%",
        "\r",
        "array",
        "coordinate",
        "symmetric",
        "skew-symmetric",
        "real",
        "\u{e9}",
    ];
    let mut state = 12345u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) % n.max(1) as u64) as usize
    };
    let mut read = 0;
    for round in 0..20_000 {
        let mut text = seeds[round % seeds.len()].clone().into_bytes();
        for _ in 0..=below(2) * below(3) {
            if text.is_empty() {
                break;
            }
            // Mostly behind the banner, where there is more to get wrong.
            let skipped = if below(8) == 0 { 0 } else { 40.min(text.len() - 1) };
            let at = skipped + below(text.len() - skipped);
            match below(6) {
                0 => text[at] = below(256) as u8,
                1 => drop(text.remove(at)),
                2 => text.insert(at, b"0123456789 \n\t.-+eE%"[below(19)]),
                3 => text.truncate(at.max(1)),
                4 => {
                    let token = tokens[below(tokens.len())];
                    let end = (at + below(4)).min(text.len());
                    text.splice(at..end, token.bytes());
                }
                _ => {
                    let end = (at + below(30)).min(text.len());
                    let copy = text[at..end].to_vec();
                    text.splice(at..at, copy);
                }
            }
        }
        match parse("a.mtx", &text) {
            Ok(m) => {
                read += 1;
                assert_eq!(m.row_indices().len(), m.values().len());
                assert!(m.row_indices().iter().all(|&i| i < m.rows()));
                assert!(m.col_indices().iter().all(|&j| j < m.cols()));
                for made in [
                    m.clone().into_tensor::<Dcsr<f64>>(Sum).map(drop),
                    m.clone().into_tensor::<Dcsr<i32>>(Refuse).map(drop),
                    m.into_pattern().into_tensor::<Dcsr<u64>>(Sum).map(drop),
                ] {
                    made.unwrap_or_else(|e| assert!(!e.to_string().is_empty()));
                }
            }
            Err(Error::MatrixMarket { line, reason, .. }) => {
                let lines = text.split(|&b| b == b'\n').count() as u64;
                assert!((1..=lines).contains(&line), "{reason}");
                assert!(!reason.to_string().is_empty());
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(read > 1000, "{read} of the mutations are still files");
}

#[test]
fn the_error_says_where() {
    let error = parse("a.mtx", real_general("2 3 1\n1 4 1\n")).unwrap_err();
    assert_eq!(error.to_string(), "a.mtx:3: index 4 is not in 1..=3");
}
