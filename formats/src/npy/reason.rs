//! What can be wrong with a file of NumPy, as a type: programs can tell a truncated file from a bad index without reading
//! messages.

use crate::error::{Coords, Shape};
use std::fmt;

/// What is wrong with an array of a `.npy` or `.npz` file, or with a tensor that was to become one.
///
/// Dimensions, entries and coordinates count from 0.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum NumpyReason {
    /// The array does not begin as those of NumPy do.
    Magic,
    /// A version of the format that there was not yet.
    Version {
        /// Its number.
        major: u8,
        /// The second part of it.
        minor: u8,
    },
    /// The header is not that of an array.
    Header {
        /// What should be there.
        expected: &'static str,
        /// The byte of the header's text.
        at: usize,
    },
    /// A type of values that is not read here.
    Type {
        /// The type, as NumPy says it.
        descr: String,
    },
    /// More values than can be addressed, or than there is memory for.
    TooLarge {
        /// The shape that the header says.
        shape: Vec<usize>,
    },
    /// The file ends before all values have come.
    Truncated {
        /// The number of bytes that the shape and type need.
        expected: usize,
        /// The number there are.
        found: usize,
    },
    /// Something follows the last value.
    Trailing,
    /// A boolean that is neither 0 nor 1.
    BadBool {
        /// Its number in the order of the file.
        entry: usize,
        /// What it is.
        byte: u8,
    },
    /// Values of this type cannot be read as the type asked for without loss.
    Field {
        /// The type of the array.
        dtype: &'static str,
        /// The type asked for.
        into: &'static str,
    },
    /// A value that the type asked for cannot represent.
    Conversion {
        /// Its number in the order of the file.
        entry: usize,
        /// The value.
        value: String,
        /// The type asked for.
        into: &'static str,
    },
    /// The file is no archive, or is broken.
    Archive {
        /// The words of the reader of archives.
        message: String,
    },
    /// The archive does not have this array.
    Missing,
    /// A word that names no layout.
    Layout {
        /// The word.
        word: String,
    },
    /// An array of the wrong number of dimensions, or a layout for matrices with another number of them.
    Dimensions {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A size of the array is not what follows from the others.
    Size {
        /// The dimension of this array.
        dimension: usize,
        /// The size it should have.
        expected: usize,
        /// The size it has.
        found: usize,
    },
    /// A coordinate, offset or size that is no whole number from 0 on.
    Index {
        /// Its number in the array.
        entry: usize,
        /// What it is.
        value: String,
    },
    /// A coordinate that is not below the size of its dimension.
    OutOfRange {
        /// Its number in the array.
        entry: usize,
        /// What it is.
        index: usize,
        /// The dimension of the tensor, or the last of those that are stored as one.
        dimension: usize,
        /// The size of it.
        size: usize,
    },
    /// Where rows begin descends, or does not run from 0 to the number of entries.
    Positions {
        /// The number in the array.
        entry: usize,
        /// The least that may be there.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// Sizes of blocks that do not divide those of the tensor.
    Block {
        /// The dimension.
        dimension: usize,
        /// The size of the tensor.
        size: usize,
        /// The size of a block.
        block: usize,
    },
    /// The axes that rows are made of are not some of the tensor's, each once.
    Axes {
        /// The axes.
        axes: Vec<usize>,
        /// The number of dimensions.
        rank: usize,
    },
    /// Entries that are not stored have another value in the file than in the format, or than the file can say.
    Fill {
        /// The value in the file.
        file: String,
        /// The value in the format.
        format: String,
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
}

impl fmt::Display for NumpyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use NumpyReason as R;
        match self {
            R::Magic => f.write_str("it does not begin as an array of NumPy does"),
            R::Version { major, minor } => write!(f, "version {major}.{minor} is not known"),
            R::Header { expected, at } => {
                write!(f, "{expected} should be at byte {at} of the header")
            }
            R::Type { descr } => write!(f, "values of type `{descr}` cannot be read"),
            R::TooLarge { shape } => {
                write!(f, "an array of shape {} has too many values", Shape(shape))
            }
            R::Truncated { expected, found } => {
                write!(f, "it ends after {found} of {expected} bytes of values")
            }
            R::Trailing => f.write_str("something follows the last value"),
            R::BadBool { entry, byte } => {
                write!(f, "value {entry} is the byte {byte}, which is no boolean")
            }
            R::Field { dtype, into } => {
                write!(f, "{dtype} values cannot be read as `{into}` without loss")
            }
            R::Conversion { entry, value, into } => {
                write!(f, "value {entry} is {value}, which does not fit {into} without loss")
            }
            R::Archive { message } => write!(f, "the archive cannot be read: {message}"),
            R::Missing => f.write_str("it is not in the archive"),
            R::Layout { word } => write!(f, "`{word}` is no layout that is known"),
            R::Dimensions { expected, found } => {
                write!(f, "{found} dimensions where there should be {expected}")
            }
            R::Size { dimension, expected, found } => {
                write!(f, "size {found} in dimension {dimension} where it should be {expected}")
            }
            R::Index { entry, value } => {
                write!(f, "entry {entry} is {value}, which is no whole number from 0 on")
            }
            R::OutOfRange { entry, index, dimension, size } => write!(
                f,
                "entry {entry} is coordinate {index}, but the size in dimension {dimension} is {size}"
            ),
            R::Positions { entry, expected, found } => {
                write!(f, "entry {entry} is {found} where it should be {expected} or more, up to the number of entries")
            }
            R::Block { dimension, size, block } => {
                write!(f, "blocks of size {block} do not divide size {size} in dimension {dimension}")
            }
            R::Axes { axes, rank } => {
                write!(f, "axes {} are not some of {rank} dimensions, each once", Coords(axes))
            }
            R::Fill { file, format } => write!(
                f,
                "entries that are not stored are {file} in the file, but {format} in the format"
            ),
            R::Duplicate { coords } => write!(f, "entry {} is given more than once", Coords(coords)),
            R::SumOverflow { coords } => {
                write!(f, "the sum of the values of entry {} overflows", Coords(coords))
            }
        }
    }
}
