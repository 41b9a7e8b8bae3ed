//! What can be wrong with a Matrix Market file, as a type: programs can tell a truncated file
//! from a bad number without reading messages.

use super::header::{Field, Header, Symmetry};
use std::fmt;

/// What is wrong with a line of a Matrix Market file, or with a tensor that was to become one.
///
/// Rows and columns are as files count them, from 1.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum MtxReason {
    /// The file does not begin with `%%MatrixMarket`.
    MissingBanner,
    /// The banner ends too early.
    MissingWord {
        /// What was expected next.
        expected: &'static str,
    },
    /// A word of the banner that has no meaning there.
    UnknownWord {
        /// The word.
        word: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Words of the banner that exclude each other, as `array` and `pattern` do.
    Combination {
        /// The banner.
        header: Header,
    },
    /// Bytes that are not UTF-8, outside a comment.
    NotUtf8,
    /// The file ends before the line with the sizes.
    MissingSize,
    /// A size that is no whole number.
    BadSize {
        /// What is there.
        token: String,
    },
    /// A size that is over `isize::MAX`.
    SizeTooLarge {
        /// What is there.
        token: String,
    },
    /// A symmetric, skew-symmetric or hermitian matrix that is not square.
    NotSquare {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// A line with fewer fields than it needs.
    MissingField {
        /// How many it needs.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A line with something after its last field.
    ExtraField {
        /// How many fields it should have.
        expected: usize,
        /// What is there.
        token: String,
    },
    /// A row or column number that is no whole number.
    BadIndex {
        /// What is there.
        token: String,
    },
    /// A row or column number of 0: they count from 1.
    IndexZero,
    /// A row or column number over the size.
    IndexOutOfRange {
        /// The row or column number.
        token: String,
        /// The number of rows or columns.
        size: usize,
    },
    /// A value that is not a number of the file's field.
    BadValue {
        /// What is there.
        token: String,
        /// The file's field.
        field: Field,
    },
    /// A number that does not fit an `i64`, or an `f64` without becoming infinite; or one whose
    /// negative, in the other half of a skew-symmetric matrix, does not.
    Overflow {
        /// What is there.
        token: String,
    },
    /// An entry above the diagonal where it follows from one below.
    AboveDiagonal {
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// An entry on the diagonal of a skew-symmetric matrix, which is zero and left out.
    SkewDiagonal {
        /// Its row and column.
        row: usize,
    },
    /// An entry on the diagonal of a hermitian matrix that is not real.
    HermitianDiagonal {
        /// Its row and column.
        row: usize,
    },
    /// More entries than the size line says.
    TooManyEntries {
        /// The number it says, or that follows from the sizes.
        expected: u128,
    },
    /// The file ends before all entries the size line says have come.
    TooFewEntries {
        /// The number it says, or that follows from the sizes.
        expected: u128,
        /// The number there are.
        found: usize,
    },
    /// An entry that was there before, where the caller refuses that.
    Duplicate {
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// An entry at which the sum of duplicates overflows.
    SumOverflow {
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// Values of this field cannot be read as the type asked for without loss.
    Field {
        /// The file's field.
        field: Field,
        /// The type asked for.
        into: &'static str,
    },
    /// A value that the other type cannot represent.
    Conversion {
        /// The value.
        value: String,
        /// The type asked for, or the file's field.
        into: &'static str,
    },
    /// A tensor does not have the symmetry it was to be written with.
    NotSymmetric {
        /// The symmetry.
        symmetry: Symmetry,
        /// The row of an entry that differs from its mirror image, or has none.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// A tensor whose fill does not have the symmetry it was to be written with, or cannot be
    /// told from what is stored.
    Fill {
        /// The fill.
        value: String,
    },
}

impl fmt::Display for MtxReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use MtxReason as R;
        match self {
            R::MissingBanner => f.write_str("the first line does not begin with `%%MatrixMarket`"),
            R::MissingWord { expected } => {
                write!(f, "the line ends where {expected} should follow")
            }
            R::UnknownWord { word, expected } => write!(f, "`{word}` where {expected} should be"),
            R::Combination { header } => write!(f, "`{header}` has no meaning"),
            R::NotUtf8 => f.write_str("bytes that are not UTF-8"),
            R::MissingSize => f.write_str("the file ends before the line with the sizes"),
            R::BadSize { token } => write!(f, "size `{token}` is not a whole number"),
            R::SizeTooLarge { token } => write!(f, "size `{token}` is too large"),
            R::NotSquare { rows, cols } => {
                write!(f, "a matrix of {rows} rows and {cols} columns cannot be symmetric")
            }
            R::MissingField { expected, found } => {
                write!(f, "{found} fields where there should be {expected}")
            }
            R::ExtraField { expected, token } => {
                write!(f, "`{token}` after the {expected} fields that there should be")
            }
            R::BadIndex { token } => write!(f, "index `{token}` is not a whole number"),
            R::IndexZero => f.write_str("index 0: rows and columns count from 1"),
            R::IndexOutOfRange { token, size } => write!(f, "index {token} is not in 1..={size}"),
            R::BadValue { token, field } => write!(f, "`{token}` is not a value of field {field}"),
            R::Overflow { token } => write!(f, "`{token}` is too large a number"),
            R::AboveDiagonal { row, col } => {
                write!(f, "entry ({row}, {col}) is above the diagonal of a symmetric matrix")
            }
            R::SkewDiagonal { row } => {
                write!(f, "entry ({row}, {row}) on the diagonal of a skew-symmetric matrix")
            }
            R::HermitianDiagonal { row } => {
                write!(f, "entry ({row}, {row}) of a hermitian matrix is not real")
            }
            R::TooManyEntries { expected } => {
                write!(f, "more than the {expected} entries announced")
            }
            R::TooFewEntries { expected, found } => {
                write!(f, "the file ends after {found} of {expected} entries")
            }
            R::Duplicate { row, col } => write!(f, "entry ({row}, {col}) is given more than once"),
            R::SumOverflow { row, col } => {
                write!(f, "the sum of the values of entry ({row}, {col}) overflows")
            }
            R::Field { field, into } => {
                write!(f, "{field} values cannot be read as `{into}` without loss")
            }
            R::Conversion { value, into } => {
                write!(f, "value {value} does not fit {into} without loss")
            }
            R::NotSymmetric { symmetry, row, col } => {
                write!(f, "the matrix is not {symmetry} at entry ({row}, {col})")
            }
            R::Fill { value } => {
                write!(
                    f,
                    "entries that are not stored have the value {value}, which cannot be said"
                )
            }
        }
    }
}

/// A token as errors quote it: what is there, without flooding the message.
pub(crate) fn shown(token: &[u8]) -> String {
    const LONGEST: usize = 40;
    let mut shown: String =
        String::from_utf8_lossy(&token[..token.len().min(LONGEST)]).into_owned();
    if token.len() > LONGEST {
        shown.push_str("..");
    }
    shown
}
