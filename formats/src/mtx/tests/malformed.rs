//! Every malformed file is refused with its line and reason.

use crate::mtx::MtxReason as R;
use crate::mtx::{parse, Field, Header, Layout, Symmetry};
use crate::Error;
use std::path::Path;

pub(super) fn fault<T>(made: Result<T, Error>) -> (u64, R) {
    match made {
        Err(Error::MatrixMarket { file, line, reason }) => {
            assert_eq!(file, Path::new("a.mtx"));
            assert!(!reason.to_string().is_empty());
            (line, reason)
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

pub(super) fn real_general(body: &str) -> String {
    format!("%%MatrixMarket matrix coordinate real general\n{body}")
}

pub(super) fn banner(words: &str, body: &str) -> String {
    format!("%%MatrixMarket matrix {words}\n{body}")
}

#[test]
fn banners() {
    let word = |word: &str, expected| R::UnknownWord { word: word.into(), expected };
    let symmetries = "`general`, `symmetric`, `skew-symmetric` or `hermitian`";
    let combination =
        |layout, field, symmetry| R::Combination { header: Header { layout, field, symmetry } };
    for (text, reason) in [
        ("", R::MissingBanner),
        ("\n", R::MissingBanner),
        ("1 1 1\n", R::MissingBanner),
        ("%MatrixMarket matrix coordinate real general\n", R::MissingBanner),
        (" %%MatrixMarket matrix coordinate real general\n", R::MissingBanner),
        ("%%MatrixMarketmatrix coordinate real general\n", R::MissingBanner),
        ("\u{feff}%%MatrixMarket matrix coordinate real general\n", R::MissingBanner),
        ("%%MatrixMarket", R::MissingWord { expected: "`matrix`" }),
        ("%%MatrixMarket matrix", R::MissingWord { expected: "`coordinate` or `array`" }),
        (
            "%%MatrixMarket matrix array\n",
            R::MissingWord { expected: "`real`, `integer`, `pattern` or `complex`" },
        ),
        ("%%MatrixMarket matrix array real \n", R::MissingWord { expected: symmetries }),
        ("%%MatrixMarket tensor array real general\n", word("tensor", "`matrix`")),
        ("%%MatrixMarket matrix list real general\n", word("list", "`coordinate` or `array`")),
        (
            "%%MatrixMarket matrix array double general\n",
            word("double", "`real`, `integer`, `pattern` or `complex`"),
        ),
        ("%%MatrixMarket matrix array real skew\n", word("skew", symmetries)),
        ("%%MatrixMarket matrix array real general 1\n", word("1", "the end of the line")),
        (
            "%%MatrixMarket matrix array pattern general\n",
            combination(Layout::Array, Field::Pattern, Symmetry::General),
        ),
        (
            "%%MatrixMarket matrix coordinate real hermitian\n",
            combination(Layout::Coordinate, Field::Real, Symmetry::Hermitian),
        ),
        (
            "%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
            combination(Layout::Coordinate, Field::Pattern, Symmetry::SkewSymmetric),
        ),
    ] {
        assert_eq!(fault(parse("a.mtx", text)), (1, reason), "{text}");
    }
    let text = b"%%MatrixMarket matrix coordinate r\xffal general\n";
    assert_eq!(fault(parse("a.mtx", text)), (1, R::NotUtf8));
}

#[test]
fn sizes() {
    let bad = |token: &str| R::BadSize { token: token.into() };
    let large = |token: &str| R::SizeTooLarge { token: token.into() };
    for (body, line, reason) in [
        ("", 1, R::MissingSize),
        ("% only\n\n%comments", 4, R::MissingSize),
        ("3 3", 2, R::MissingField { expected: 3, found: 2 }),
        ("\n%\n3\n", 4, R::MissingField { expected: 3, found: 1 }),
        ("3 3 1 1\n", 2, R::ExtraField { expected: 3, token: "1".into() }),
        ("3 -3 1\n", 2, bad("-3")),
        ("3.0 3 1\n", 2, bad("3.0")),
        ("3 x 1\n", 2, bad("x")),
        ("3 3 1e1\n", 2, bad("1e1")),
        ("9223372036854775808 3 1\n", 2, large("9223372036854775808")),
        ("3 3 99999999999999999999999\n", 2, large("99999999999999999999999")),
    ] {
        let text = real_general(body);
        assert_eq!(fault(parse("a.mtx", &text)), (line, reason), "{text}");
    }
    let reason = R::NotSquare { rows: 2, cols: 3 };
    for words in [
        "coordinate real symmetric",
        "coordinate integer skew-symmetric",
        "coordinate complex hermitian",
    ] {
        let made = parse("a.mtx", banner(words, "2 3 0\n"));
        assert_eq!(fault(made), (2, reason.clone()), "{words}");
    }
    let made = parse("a.mtx", banner("array real symmetric", "2 3\n1\n"));
    assert_eq!(fault(made), (2, reason));
    let made = parse("a.mtx", banner("array real general", "2 3 6\n"));
    assert_eq!(fault(made), (2, R::ExtraField { expected: 2, token: "6".into() }));
}

#[test]
fn entries() {
    let index = |token: &str| R::BadIndex { token: token.into() };
    let outside = |token: &str, size| R::IndexOutOfRange { token: token.into(), size };
    let value = |token: &str, field| R::BadValue { token: token.into(), field };
    let overflow = |token: &str| R::Overflow { token: token.into() };
    let missing = |expected, found| R::MissingField { expected, found };
    let extra = |expected, token: &str| R::ExtraField { expected, token: token.into() };
    let few = |expected, found| R::TooFewEntries { expected, found };
    let many = |expected| R::TooManyEntries { expected };
    let general = "coordinate real general";
    let (int, complex) = ("coordinate integer general", "coordinate complex general");
    let pattern = "coordinate pattern general";
    for (words, body, line, reason) in [
        (general, "2 3 1\n0 1 1\n", 3, R::IndexZero),
        (general, "2 3 1\n1 0 1\n", 3, R::IndexZero),
        (general, "2 3 1\n3 1 1\n", 3, outside("3", 2)),
        (general, "2 3 1\n\n1 4 1\n", 4, outside("4", 3)),
        (general, "0 3 1\n1 1 1\n", 3, outside("1", 0)),
        (general, "2 3 1\n99999999999999999999 1 1", 3, outside("99999999999999999999", 2)),
        (general, "2 3 1\n-1 1 1\n", 3, index("-1")),
        (general, "2 3 1\n1. 1 1\n", 3, index("1.")),
        (general, "2 3 1\n1 a 1\n", 3, index("a")),
        (general, "2 3 1\n1 1 one\n", 3, value("one", Field::Real)),
        (general, "2 3 1\n1 1 1,5\n", 3, value("1,5", Field::Real)),
        (general, "2 3 1\n1 1 0x1\n", 3, value("0x1", Field::Real)),
        (general, "2 3 1\n1 1 1e999\n", 3, overflow("1e999")),
        (general, "2 3 1\n1\n", 3, missing(3, 1)),
        (general, "2 3 1\n1 1\n", 3, missing(3, 2)),
        (general, "2 3 1\n1 1 1 1\n", 3, extra(3, "1")),
        (general, "2 3 1\n1 1 1 % one\n", 3, extra(3, "%")),
        (general, "2 3 1\n1 1 1\0\n", 3, value("1\0", Field::Real)),
        (general, "2 3 2\n1 1 1\n", 3, few(2, 1)),
        (general, "2 3 2\n1 1 1\n% 1 2 1\n", 4, few(2, 1)),
        (general, "2 3 1\n", 2, few(1, 0)),
        (general, "2 3 1\n1 1 1\n\n1 2 1\n", 5, many(1)),
        (general, "2 3 0\n1 1 1\n", 3, many(0)),
        (general, "2 3 1\r1 1 1\r", 2, extra(3, "1")),
        (int, "2 3 1\n1 1 1.0\n", 3, value("1.0", Field::Integer)),
        (int, "2 3 1\n1 1 9223372036854775808\n", 3, overflow("9223372036854775808")),
        (int, "2 3 1\n1 1 -9223372036854775809\n", 3, overflow("-9223372036854775809")),
        (pattern, "2 3 1\n1 1 1\n", 3, extra(2, "1")),
        (pattern, "2 3 1\n1\n", 3, missing(2, 1)),
        (complex, "2 3 1\n1 1 1\n", 3, missing(4, 3)),
        (complex, "2 3 1\n1 1 1 2 3\n", 3, extra(4, "3")),
        (complex, "2 3 1\n1 1 1 2i\n", 3, value("2i", Field::Complex)),
        (complex, "2 3 1\n1 1 1 1D999\n", 3, overflow("1D999")),
        ("array real general", "2 1\n1\n2\n3\n", 5, many(2)),
        ("array real general", "2 1\n1\n", 3, few(2, 1)),
        ("array real general", "2 1\n1 2\n", 3, extra(1, "2")),
        ("array complex general", "2 1\n1 2\n3\n", 4, missing(2, 1)),
        ("array real symmetric", "2 2\n1\n2\n3\n4\n", 6, many(3)),
        ("array real skew-symmetric", "2 2\n1\n2\n", 4, many(1)),
        ("array real skew-symmetric", "3 3\n1\n2\n", 4, few(3, 2)),
        ("array real general", "0 5\n1\n", 3, many(0)),
    ] {
        let text = banner(words, body);
        assert_eq!(fault(parse("a.mtx", &text)), (line, reason), "{text}");
    }
    let text = b"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 \xff\n";
    assert_eq!(fault(parse("a.mtx", text)), (3, R::NotUtf8));
    let text = b"%%MatrixMarket matrix coordinate real general\n2 3 1\n1\xa01 1\n";
    assert_eq!(fault(parse("a.mtx", text)), (3, R::NotUtf8));
    let text = banner(general, &format!("2 3 1\n1 1 {}\n", "x".repeat(1000)));
    assert!(fault(parse("a.mtx", &text)).1.to_string().len() < 120);
}

#[test]
fn symmetries() {
    let above = |row, col| R::AboveDiagonal { row, col };
    for (words, body, line, reason) in [
        ("coordinate real symmetric", "2 2 2\n2 1 5\n1 2 5\n", 4, above(1, 2)),
        ("coordinate pattern symmetric", "2 2 1\n1 2\n", 3, above(1, 2)),
        ("coordinate integer skew-symmetric", "3 3 1\n2 3 1\n", 3, above(2, 3)),
        ("coordinate complex hermitian", "3 3 1\n2 3 1 1\n", 3, above(2, 3)),
        ("coordinate real skew-symmetric", "3 3 1\n2 2 0\n", 3, R::SkewDiagonal { row: 2 }),
        ("coordinate complex hermitian", "3 3 1\n2 2 1 0.5\n", 3, R::HermitianDiagonal { row: 2 }),
        ("coordinate complex hermitian", "3 3 1\n2 2 1 nan\n", 3, R::HermitianDiagonal { row: 2 }),
        ("array complex hermitian", "2 2\n1 0\n2 2\n3 1\n", 5, R::HermitianDiagonal { row: 2 }),
        (
            "coordinate integer skew-symmetric",
            "2 2 1\n2 1 -9223372036854775808\n",
            3,
            R::Overflow { token: "-9223372036854775808".into() },
        ),
    ] {
        let text = banner(words, body);
        assert_eq!(fault(parse("a.mtx", &text)), (line, reason), "{text}");
    }
}
