//! What can be wrong with a FROSTT file, as a type: programs can tell a bad coordinate from a bad value without reading
//! messages.

use crate::error::Coords;
use crate::mtx::{Field, MtxReason};
use std::fmt;

/// What is wrong with a line of a FROSTT file.
///
/// Coordinates are as files count them, from 1; dimensions count from 0, as everywhere.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum TnsReason {
    /// No entry, from which the number of dimensions would follow, and nobody said how many there are.
    NoEntries,
    /// A line with fewer fields than it needs: a coordinate for each dimension, and the value.
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
    /// A coordinate that is no whole number.
    BadIndex {
        /// What is there.
        token: String,
        /// Its dimension.
        dimension: usize,
    },
    /// A coordinate of 0: they count from 1.
    IndexZero {
        /// Its dimension.
        dimension: usize,
    },
    /// A coordinate over the size that was given, or over `isize::MAX`.
    IndexOutOfRange {
        /// The coordinate.
        token: String,
        /// Its dimension.
        dimension: usize,
        /// The size of that dimension.
        size: usize,
    },
    /// A value that is none, or too large a number.
    Value {
        /// What is wrong with it.
        reason: MtxReason,
    },
    /// An entry that was there before, where the caller refuses that.
    Duplicate {
        /// Its coordinates.
        coords: Vec<usize>,
    },
    /// An entry at which the sum of duplicates overflows.
    SumOverflow {
        /// Its coordinates.
        coords: Vec<usize>,
    },
    /// Values of this kind cannot be read as the type asked for without loss.
    Field {
        /// What the file was read as.
        field: Field,
        /// The type asked for.
        into: &'static str,
    },
    /// A value that the type asked for cannot represent.
    Conversion {
        /// The value.
        value: String,
        /// The type asked for.
        into: &'static str,
    },
}

impl fmt::Display for TnsReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use TnsReason as R;
        match self {
            R::NoEntries => f.write_str(
                "the file has no entry, and nothing else says how many dimensions there are",
            ),
            R::MissingField { expected, found } => {
                write!(f, "{found} fields where there should be {expected}")
            }
            R::ExtraField { expected, token } => {
                write!(f, "`{token}` after the {expected} fields that there should be")
            }
            R::BadIndex { token, dimension } => {
                write!(f, "coordinate `{token}` in dimension {dimension} is not a whole number")
            }
            R::IndexZero { dimension } => {
                write!(f, "coordinate 0 in dimension {dimension}: they count from 1")
            }
            R::IndexOutOfRange { token, dimension, size } => {
                write!(f, "coordinate {token} in dimension {dimension} is not in 1..={size}")
            }
            R::Value { reason } => reason.fmt(f),
            R::Duplicate { coords } => {
                write!(f, "entry {} is given more than once", Coords(coords))
            }
            R::SumOverflow { coords } => {
                write!(f, "the sum of the values of entry {} overflows", Coords(coords))
            }
            R::Field { field, into } => {
                write!(f, "{field} values cannot be read as `{into}` without loss")
            }
            R::Conversion { value, into } => {
                write!(f, "value {value} does not fit {into} without loss")
            }
        }
    }
}
