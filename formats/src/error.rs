//! Everything that can go wrong at run time, in one type: a caller handles one error, and each
//! names what it is about (the tensor, the dimension and both sizes, or the file and the line).

use crate::mtx::MtxReason;
#[cfg(feature = "npy")]
use crate::npy::NumpyReason;
use crate::tns::TnsReason;
use std::fmt;
use std::path::{Path, PathBuf};

/// What went wrong. Dimensions and coordinates count from 0, lines of files from 1.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A tensor's size in a dimension is not the size of the loop that runs over it.
    Shape {
        /// The tensor, as the kernel names it.
        tensor: String,
        /// Its dimension that does not agree.
        dimension: usize,
        /// The size it should have: that of the loop.
        expected: usize,
        /// The size it has.
        found: usize,
        /// The index of the loop.
        index: String,
        /// What gave the loop its size.
        from: Origin,
    },
    /// A loop with an explicit extent leaves a tensor that it indexes.
    Extent {
        /// The tensor, as the kernel names it.
        tensor: String,
        /// Its dimension that is left.
        dimension: usize,
        /// The size of that dimension.
        size: usize,
        /// The index of the loop.
        index: String,
        /// The first coordinate that the loop would reach.
        start: i64,
        /// One more than the last.
        stop: i64,
    },
    /// A loop with an explicit extent runs to where no coordinate is.
    Reach {
        /// The index of the loop.
        index: String,
    },
    /// Sizes that a shape operator does not accept.
    Operator {
        /// The operator and its index; of a method of tensors, the shapes or the dimension.
        operator: String,
        /// What is wrong.
        reason: String,
    },
    /// A computed index, as in `x[idx[j]]`, is outside the tensor that it indexes.
    Computed {
        /// The tensor, as the kernel names it.
        tensor: String,
        /// The dimension.
        dimension: usize,
        /// The size of that dimension.
        size: usize,
        /// The index.
        index: i64,
    },
    /// A shape, or the coordinates of an entry, of the wrong length.
    Rank {
        /// The number of dimensions.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// Coordinates outside a tensor.
    Index {
        /// The coordinates.
        coords: Vec<usize>,
        /// The first dimension in which they are outside.
        dimension: usize,
        /// The size of that dimension.
        size: usize,
    },
    /// A slice of all values that is not as long as the shape says.
    Length {
        /// The shape.
        shape: Vec<usize>,
        /// The number of values given.
        found: usize,
    },
    /// Data that was handed in breaks an invariant of its format.
    Invariant {
        /// The outermost level's format.
        level: &'static str,
        /// Which invariant, and where.
        reason: String,
    },
    /// An entry was given twice where that was refused.
    Duplicate {
        /// Its coordinates.
        coords: Vec<usize>,
    },
    /// The sum of the values given for an entry does not fit their type.
    Overflow {
        /// Its coordinates.
        coords: Vec<usize>,
    },
    /// A format cannot hold a tensor of this shape, or one of its entries.
    Unstorable {
        /// The outermost level's format.
        level: &'static str,
        /// The shape.
        shape: Vec<usize>,
        /// Why not.
        reason: String,
    },
    /// A shape with more elements than can be addressed or allocated, where all are needed, or
    /// with a size over `isize::MAX`.
    TooLarge {
        /// The shape.
        shape: Vec<usize>,
    },
    /// A Matrix Market file that says nothing, or not what was asked for.
    MatrixMarket {
        /// The file, as it was named by the caller.
        file: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong there.
        reason: MtxReason,
    },
    /// A FROSTT file that says nothing, or not what was asked for.
    Frostt {
        /// The file, as it was named by the caller.
        file: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong there.
        reason: TnsReason,
    },
    /// A file of NumPy (`.npy` or `.npz`) that says nothing, or not what was asked for; or a tensor that cannot be written as
    /// one, and was not.
    #[cfg(feature = "npy")]
    Numpy {
        /// The file, as it was named by the caller.
        file: PathBuf,
        /// The array of an archive; empty if the file has one array, or if it is about all of them.
        array: String,
        /// What is wrong there.
        reason: NumpyReason,
    },
    /// A tensor cannot be written as the Matrix Market or FROSTT file that was asked for. Nothing was written.
    Unwritable {
        /// The file, as it was named by the caller.
        file: PathBuf,
        /// Why not.
        reason: MtxReason,
    },
    /// A file could not be read or written.
    Io {
        /// The file, as it was named by the caller.
        path: PathBuf,
        /// The kind of failure.
        kind: std::io::ErrorKind,
        /// The operating system's words.
        message: String,
    },
}

/// What gave a loop the size that an access does not agree with.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Another access of the same index.
    Tensor {
        /// The tensor, as the kernel names it.
        name: String,
        /// Its dimension.
        dimension: usize,
    },
    /// The loop's own explicit extent or a declared size.
    Declared,
}

impl Error {
    /// An input/output failure at `path`.
    pub fn io(path: impl AsRef<Path>, error: &std::io::Error) -> Self {
        Error::Io {
            path: path.as_ref().to_path_buf(),
            kind: error.kind(),
            message: error.to_string(),
        }
    }

    /// A size conflict between `tensor` and `other`, which gave the loop over `index` its size.
    #[cold]
    pub fn shape(
        (tensor, dimension, found): (&str, usize, usize),
        index: &str,
        (other, other_dimension, expected): (&str, usize, usize),
    ) -> Self {
        Error::Shape {
            tensor: tensor.to_owned(),
            dimension,
            expected,
            found,
            index: index.to_owned(),
            from: Origin::Tensor { name: other.to_owned(), dimension: other_dimension },
        }
    }
}

impl Error {
    /// A computed index `i` outside a dimension of `tensor`.
    #[cold]
    pub fn computed(tensor: &str, dimension: usize, i: i64, size: i64) -> Self {
        Error::Computed {
            tensor: tensor.to_owned(),
            dimension,
            size: size.max(0) as usize,
            index: i,
        }
    }
}

impl Error {
    /// The same of the tensor whose dimensions are the other way round.
    pub(crate) fn turned(mut self) -> Self {
        match &mut self {
            Error::Duplicate { coords: all }
            | Error::Overflow { coords: all }
            | Error::Unstorable { shape: all, .. }
            | Error::TooLarge { shape: all }
            | Error::Frostt {
                reason:
                    TnsReason::Duplicate { coords: all } | TnsReason::SumOverflow { coords: all },
                ..
            } => all.reverse(),
            Error::MatrixMarket {
                reason: MtxReason::Duplicate { row, col } | MtxReason::SumOverflow { row, col },
                ..
            } => std::mem::swap(row, col),
            #[cfg(feature = "npy")]
            Error::Numpy {
                reason:
                    NumpyReason::Duplicate { coords: all } | NumpyReason::SumOverflow { coords: all },
                ..
            } => all.reverse(),
            _ => {}
        }
        self
    }
}

impl std::error::Error for Error {}

/// So that `?` takes what cannot fail, such as the `try_from` of a type that has a `From`.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Error {
        match never {}
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape { tensor, dimension, expected, found, index, from } => {
                write!(
                    f,
                    "`{tensor}` has size {found} in dimension {dimension}, \
                     but index `{index}` runs over 0..{expected} ({from})"
                )
            }
            Error::Extent { tensor, dimension, size, index, start, stop } => {
                write!(
                    f,
                    "`{tensor}` has size {size} in dimension {dimension}, \
                     but the loop over `{index}` reads or writes it at {start}..{stop}"
                )
            }
            Error::Operator { operator, reason } => write!(f, "{operator}: {reason}"),
            Error::Reach { index } => {
                write!(
                    f,
                    "the loop over `{index}` begins or ends beyond the coordinates, \
                     which lie within -2^61..2^61"
                )
            }
            Error::Computed { tensor, dimension, size, index } => {
                write!(
                    f,
                    "`{tensor}` has size {size} in dimension {dimension}, \
                     but the computed index is {index}"
                )
            }
            Error::Rank { expected, found } => {
                write!(f, "{found} dimensions given where there are {expected}")
            }
            Error::Index { coords, dimension, size } => {
                write!(
                    f,
                    "entry {} is outside the tensor, which has size {size} in dimension {dimension}",
                    Coords(coords)
                )
            }
            Error::Length { shape, found } => {
                write!(f, "{found} values given for shape {}", Shape(shape))
            }
            Error::Invariant { level, reason } => {
                write!(f, "not a valid `{level}`: {reason}")
            }
            Error::Duplicate { coords } => {
                write!(f, "entry {} is given more than once", Coords(coords))
            }
            Error::Overflow { coords } => {
                write!(f, "the sum of the values of entry {} overflows", Coords(coords))
            }
            Error::Unstorable { level, shape, reason } => {
                write!(f, "`{level}` cannot store this tensor of shape {}: {reason}", Shape(shape))
            }
            Error::TooLarge { shape } => {
                write!(f, "a tensor of shape {} has too many elements", Shape(shape))
            }
            Error::MatrixMarket { file, line, reason } => {
                write!(f, "{}:{line}: {reason}", file.display())
            }
            Error::Frostt { file, line, reason } => {
                write!(f, "{}:{line}: {reason}", file.display())
            }
            #[cfg(feature = "npy")]
            Error::Numpy { file, array, reason } => match array.is_empty() {
                true => write!(f, "{}: {reason}", file.display()),
                false => write!(f, "{}: array `{array}`: {reason}", file.display()),
            },
            Error::Unwritable { file, reason } => {
                write!(f, "{}: not written: {reason}", file.display())
            }
            Error::Io { path, message, .. } => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Tensor { name, dimension } => {
                write!(f, "from `{name}`, dimension {dimension}")
            }
            Origin::Declared => f.write_str("as declared"),
        }
    }
}

/// Coordinates as `(1, 2)`.
pub(crate) struct Coords<'a>(pub &'a [usize]);

impl fmt::Display for Coords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(usize::to_string).collect();
        write!(f, "({})", words.join(", "))
    }
}

/// A shape as `3x4`; that of a scalar is `()`.
pub(crate) struct Shape<'a>(pub &'a [usize]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(usize::to_string).collect();
        match words.is_empty() {
            true => f.write_str("()"),
            false => f.write_str(&words.join("x")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_both_sides() {
        let e = Error::shape(("x", 0, 5), "j", ("a", 1, 4));
        assert_eq!(
            e.to_string(),
            "`x` has size 5 in dimension 0, but index `j` runs over 0..4 (from `a`, dimension 1)"
        );
        let e = Error::Extent {
            tensor: "a".into(),
            dimension: 0,
            size: 7,
            index: "i".into(),
            start: 2,
            stop: 9,
        };
        assert_eq!(
            e.to_string(),
            "`a` has size 7 in dimension 0, but the loop over `i` reads or writes it at 2..9"
        );
        assert_eq!(
            Error::computed("x", 1, -3, 4).to_string(),
            "`x` has size 4 in dimension 1, but the computed index is -3"
        );
        let e = Error::Index { coords: vec![3, 9], dimension: 1, size: 5 };
        assert_eq!(
            e.to_string(),
            "entry (3, 9) is outside the tensor, which has size 5 in dimension 1"
        );
        let e = Error::TooLarge { shape: vec![2, 3] };
        assert_eq!(e.to_string(), "a tensor of shape 2x3 has too many elements");
        let e = Error::io("no/such", &std::io::ErrorKind::NotFound.into());
        assert!(e.to_string().starts_with("no/such: "));
    }

    #[test]
    fn errors_cross_threads_and_stay_small() {
        fn shared<T: std::error::Error + Send + Sync + Clone + 'static>() {}
        shared::<Error>();
        assert!(size_of::<Error>() <= 128);
    }
}
