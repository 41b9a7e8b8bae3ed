//! The first line of a Matrix Market file, and which of its combinations have a meaning.

use super::reason::MtxReason;
use super::scan::{fields, text};
use std::fmt;

/// How the entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Layout {
    /// One line `row column value` per stored entry.
    #[default]
    Coordinate,
    /// One line per element, column by column.
    Array,
}

/// The type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Floating-point numbers.
    Real,
    /// Whole numbers that fit an `i64`.
    Integer,
    /// No values: an entry that is there is true.
    Pattern,
    /// Pairs of real and imaginary part.
    Complex,
}

/// Which entries follow from others and are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Symmetry {
    /// None.
    #[default]
    General,
    /// `a[j, i] = a[i, j]`; the upper triangle is left out.
    Symmetric,
    /// `a[j, i] = -a[i, j]`; the upper triangle and the diagonal, which is zero, are left out.
    SkewSymmetric,
    /// `a[j, i]` is the conjugate of `a[i, j]`; the upper triangle is left out.
    Hermitian,
}

/// The first line of a file: `%%MatrixMarket matrix coordinate real general`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How the entries are laid out.
    pub layout: Layout,
    /// The type of the values.
    pub field: Field,
    /// Which entries are left out.
    pub symmetry: Symmetry,
}

/// The words of an enumeration, as files spell them.
macro_rules! words {
    ($ty:ident, $expected:literal, $($variant:ident => $word:literal),*) => {
        impl $ty {
            const EXPECTED: &'static str = $expected;

            fn from_word(word: &[u8]) -> Result<Self, MtxReason> {
                $(if word.eq_ignore_ascii_case($word.as_bytes()) {
                    return Ok($ty::$variant);
                })*
                Err(unknown(word, Self::EXPECTED))
            }
        }

        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($ty::$variant => $word),*
                })
            }
        }
    };
}

words!(Layout, "`coordinate` or `array`", Coordinate => "coordinate", Array => "array");
words!(Field, "`real`, `integer`, `pattern` or `complex`",
    Real => "real", Integer => "integer", Pattern => "pattern", Complex => "complex");
words!(Symmetry, "`general`, `symmetric`, `skew-symmetric` or `hermitian`",
    General => "general", Symmetric => "symmetric",
    SkewSymmetric => "skew-symmetric", Hermitian => "hermitian");

const BANNER: &str = "%%MatrixMarket";

impl Header {
    /// The header that `line`, the first of a file, is.
    pub(super) fn parse(line: &[u8]) -> Result<Self, MtxReason> {
        let mut words = fields(line);
        // The banner begins the line, so that it cannot be mistaken for data.
        let banner = line.first() == Some(&b'%');
        match words.next() {
            Some(word) if banner && word.eq_ignore_ascii_case(BANNER.as_bytes()) => {}
            _ => return Err(MtxReason::MissingBanner),
        }
        let mut word = |expected| words.next().ok_or(MtxReason::MissingWord { expected });
        let object = word("`matrix`")?;
        if !object.eq_ignore_ascii_case(b"matrix") {
            return Err(unknown(object, "`matrix`"));
        }
        let header = Header {
            layout: Layout::from_word(word(Layout::EXPECTED)?)?,
            field: Field::from_word(word(Field::EXPECTED)?)?,
            symmetry: Symmetry::from_word(word(Symmetry::EXPECTED)?)?,
        };
        match words.next() {
            Some(word) => Err(unknown(word, "the end of the line")),
            None => header.check(),
        }
    }

    /// The header, if it has a meaning.
    pub(super) fn check(self) -> Result<Self, MtxReason> {
        let pattern = self.field == Field::Pattern;
        let meaningless = match self.symmetry {
            Symmetry::SkewSymmetric => pattern,
            Symmetry::Hermitian => self.field != Field::Complex,
            Symmetry::General | Symmetry::Symmetric => false,
        };
        if meaningless || (pattern && self.layout == Layout::Array) {
            return Err(MtxReason::Combination { header: self });
        }
        Ok(self)
    }

    /// The number of fields of a coordinate entry's line.
    pub(super) fn entry_fields(&self) -> usize {
        let value = match self.field {
            Field::Pattern => 0,
            Field::Real | Field::Integer => 1,
            Field::Complex => 2,
        };
        match self.layout {
            Layout::Coordinate => 2 + value,
            Layout::Array => value,
        }
    }
}

fn unknown(word: &[u8], expected: &'static str) -> MtxReason {
    match text(word) {
        Ok(_) => MtxReason::UnknownWord { word: super::reason::shown(word), expected },
        Err(reason) => reason,
    }
}

/// The line as files begin with it.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { layout, field, symmetry } = self;
        write!(f, "{BANNER} matrix {layout} {field} {symmetry}")
    }
}
