//! Reading: the counts are checked against what is there, and nothing is allocated on the word
//! of the header alone.

use super::header::{Field, Header, Layout, Symmetry};
use super::matrix::{FromMatrix, LineMap, Matrix, Values};
use super::reason::{shown, MtxReason};
use super::scan::{coordinate, fields, integer, real, size, Lines};
use crate::error::Error;
use num_complex::Complex;
use std::path::Path;

/// Reads a file as a [`Matrix`], or as a tensor of some format.
///
/// ```no_run
/// # use looplets_formats::{mtx, Error};
/// # fn main() -> Result<(), Error> {
/// let matrix: mtx::Matrix = mtx::read("karate.mtx")?;
/// println!("{} x {}", matrix.rows(), matrix.cols());
/// # Ok(()) }
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::MatrixMarket`] with line and reason if it
/// is malformed or cannot be that tensor without loss; those of [`Matrix::into_tensor`]. An
/// entry given twice is an error for a tensor, not for a [`Matrix`].
pub fn read<T: FromMatrix>(path: impl AsRef<Path>) -> Result<T, Error> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, &error))?;
    T::from_matrix(parse(path, bytes)?)
}

/// Reads the text of a file; `name` stands for the file in errors.
///
/// Linear in the length of the text, in time and in memory.
///
/// # Errors
/// [`Error::MatrixMarket`] with line and reason.
pub fn parse(name: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Result<Matrix, Error> {
    let mut lines = Lines::new(text.as_ref());
    let matrix = matrix(&mut lines, name.as_ref());
    matrix.map_err(|reason| Error::MatrixMarket {
        file: name.as_ref().to_path_buf(),
        // A file without any line is at fault in the first.
        line: lines.line.max(1),
        reason,
    })
}

/// The matrix that `lines` are. An error is at the line that was read last.
fn matrix(lines: &mut Lines<'_>, file: &Path) -> Result<Matrix, MtxReason> {
    let header = Header::parse(lines.next().unwrap_or(b""))?;
    let mut comments = Vec::new();
    let line = lines.next_data(|line| {
        let line = String::from_utf8_lossy(line);
        let comment = line.trim().strip_prefix('%').unwrap_or_default();
        comments.push(comment.to_owned());
    });
    let sizes = line.ok_or(MtxReason::MissingSize)?;
    let [rows, cols, stored] = match header.layout {
        Layout::Coordinate => exactly::<3>(sizes)?.map(size),
        Layout::Array => {
            let [rows, cols] = exactly::<2>(sizes)?.map(size);
            [rows, cols, Ok(0)]
        }
    };
    let (rows, cols, stored) = (rows?, cols?, stored?);
    if header.symmetry != Symmetry::General && rows != cols {
        return Err(MtxReason::NotSquare { rows, cols });
    }
    let mut body = Body {
        lines,
        header,
        rows,
        cols,
        stored,
        row: Vec::new(),
        col: Vec::new(),
        map: LineMap::default(),
    };
    let values = match header.field {
        Field::Real => Values::Real(body.entries::<f64>()?),
        Field::Integer => Values::Integer(body.entries::<i64>()?),
        Field::Pattern => Values::Pattern(body.entries::<()>()?.len()),
        Field::Complex => Values::Complex(body.entries::<Complex<f64>>()?),
    };
    Ok(Matrix {
        file: file.to_path_buf(),
        header,
        comments,
        rows,
        cols,
        row: body.row,
        col: body.col,
        values,
        lines: body.map,
    })
}

/// The `N` fields of a line that has as many.
fn exactly<const N: usize>(line: &[u8]) -> Result<[&[u8]; N], MtxReason> {
    let mut all: [&[u8]; N] = [b""; N];
    let mut words = fields(line);
    for (found, slot) in all.iter_mut().enumerate() {
        *slot = words.next().ok_or(MtxReason::MissingField { expected: N, found })?;
    }
    match words.next() {
        Some(token) => Err(MtxReason::ExtraField { expected: N, token: shown(token) }),
        None => Ok(all),
    }
}

/// What a field's values are read as.
pub(crate) trait Value: Copy {
    const ZERO: Self;
    /// Reads it from the fields that follow the coordinates.
    fn read<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Option<Self>, MtxReason>;
    /// The value at the mirrored place.
    fn mirrored(self, symmetry: Symmetry) -> Option<Self>;
    fn is_real(self) -> bool {
        true
    }
}

impl Value for f64 {
    const ZERO: Self = 0.0;
    fn read<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Option<Self>, MtxReason> {
        words.next().map(|w| real(w, Field::Real)).transpose()
    }
    fn mirrored(self, symmetry: Symmetry) -> Option<Self> {
        // A difference, since the mirror image of a zero is not to become a negative zero.
        Some(match symmetry {
            Symmetry::SkewSymmetric => 0.0 - self,
            _ => self,
        })
    }
}

impl Value for i64 {
    const ZERO: Self = 0;
    fn read<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Option<Self>, MtxReason> {
        words.next().map(integer).transpose()
    }
    fn mirrored(self, symmetry: Symmetry) -> Option<Self> {
        match symmetry {
            Symmetry::SkewSymmetric => self.checked_neg(),
            _ => Some(self),
        }
    }
}

impl Value for () {
    const ZERO: Self = ();
    fn read<'a>(_: &mut impl Iterator<Item = &'a [u8]>) -> Result<Option<Self>, MtxReason> {
        Ok(Some(()))
    }
    fn mirrored(self, _: Symmetry) -> Option<Self> {
        Some(())
    }
}

impl Value for Complex<f64> {
    const ZERO: Self = Complex::new(0.0, 0.0);
    fn read<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Option<Self>, MtxReason> {
        let mut part = || words.next().map(|w| real(w, Field::Complex)).transpose();
        let (re, im) = (part()?, part()?);
        Ok(re.zip(im).map(|(re, im)| Complex::new(re, im)))
    }
    fn mirrored(self, symmetry: Symmetry) -> Option<Self> {
        Some(match symmetry {
            Symmetry::SkewSymmetric => Complex::new(0.0 - self.re, 0.0 - self.im),
            Symmetry::Hermitian => Complex::new(self.re, 0.0 - self.im),
            Symmetry::General | Symmetry::Symmetric => self,
        })
    }
    fn is_real(self) -> bool {
        self.im == 0.0
    }
}

/// What follows the size line.
struct Body<'a, 'b> {
    lines: &'b mut Lines<'a>,
    header: Header,
    rows: usize,
    cols: usize,
    /// The number of entries that a coordinate file announces.
    stored: usize,
    row: Vec<usize>,
    col: Vec<usize>,
    map: LineMap,
}

impl Body<'_, '_> {
    /// Reads all entries and adds what follows from symmetry; returns the values.
    fn entries<V: Value>(&mut self) -> Result<Vec<V>, MtxReason> {
        let expected = self.expected();
        // The shortest line of an entry has this many bytes, counting its end.
        let shortest = 2 * self.header.entry_fields();
        let possible = self.lines.left() / shortest + 1;
        let capacity = usize::try_from(expected).map_or(possible, |n| n.min(possible));
        self.row.reserve(capacity);
        self.col.reserve(capacity);
        let mut values: Vec<V> = Vec::with_capacity(capacity);
        // The place of the next element of an array, column by column.
        let mut next = (usize::from(self.header.symmetry == Symmetry::SkewSymmetric), 0);
        while let Some(line) = self.lines.next_data(|_| {}) {
            if values.len() as u128 == expected {
                return Err(MtxReason::TooManyEntries { expected });
            }
            let mut words = fields(line);
            let place = match self.header.layout {
                Layout::Coordinate => match (words.next(), words.next()) {
                    (Some(i), Some(j)) => {
                        Some((coordinate(i, self.rows)?, coordinate(j, self.cols)?))
                    }
                    _ => None,
                },
                Layout::Array => Some(self.step(&mut next)),
            };
            let value = match place {
                Some(_) => V::read(&mut words)?,
                None => None,
            };
            let (Some((i, j)), Some(value)) = (place, value) else {
                return Err(MtxReason::MissingField {
                    expected: self.header.entry_fields(),
                    found: fields(line).count(),
                });
            };
            if let Some(token) = words.next() {
                return Err(MtxReason::ExtraField {
                    expected: self.header.entry_fields(),
                    token: shown(token),
                });
            }
            self.check_symmetry(i, j, value, line)?;
            self.row.push(i);
            self.col.push(j);
            self.map.push(self.lines.line);
            values.push(value);
        }
        if (values.len() as u128) < expected {
            return Err(MtxReason::TooFewEntries { expected, found: values.len() });
        }
        self.mirror(&mut values);
        Ok(values)
    }

    /// The number of entries that the file has to have. At most `isize::MAX` squared, so no
    /// product overflows.
    fn expected(&self) -> u128 {
        let (rows, cols) = (self.rows as u128, self.cols as u128);
        match (self.header.layout, self.header.symmetry) {
            (Layout::Coordinate, _) => self.stored as u128,
            (Layout::Array, Symmetry::General) => rows * cols,
            (Layout::Array, Symmetry::SkewSymmetric) => rows * rows.saturating_sub(1) / 2,
            (Layout::Array, Symmetry::Symmetric | Symmetry::Hermitian) => rows * (rows + 1) / 2,
        }
    }

    /// The place of an array's element that is at `next`, which goes on to the one after it.
    fn step(&self, next: &mut (usize, usize)) -> (usize, usize) {
        let place = *next;
        next.0 += 1;
        if next.0 >= self.rows {
            next.1 += 1;
            next.0 = match self.header.symmetry {
                Symmetry::General => 0,
                Symmetry::Symmetric | Symmetry::Hermitian => next.1,
                Symmetry::SkewSymmetric => next.1 + 1,
            };
        }
        place
    }

    /// Checks that an entry may be there in a file of this symmetry, and has a mirror image.
    fn check_symmetry<V: Value>(
        &self,
        i: usize,
        j: usize,
        value: V,
        line: &[u8],
    ) -> Result<(), MtxReason> {
        let symmetry = self.header.symmetry;
        if symmetry == Symmetry::General {
            return Ok(());
        }
        let (row, col) = (i + 1, j + 1);
        match symmetry {
            _ if i < j => Err(MtxReason::AboveDiagonal { row, col }),
            Symmetry::SkewSymmetric if i == j => Err(MtxReason::SkewDiagonal { row }),
            Symmetry::Hermitian if i == j && !value.is_real() => {
                Err(MtxReason::HermitianDiagonal { row })
            }
            _ if value.mirrored(symmetry).is_none() => {
                Err(MtxReason::Overflow { token: shown(fields(line).last().unwrap_or_default()) })
            }
            _ => Ok(()),
        }
    }

    /// Adds the entries that follow from those that were read.
    fn mirror<V: Value>(&mut self, values: &mut Vec<V>) {
        let symmetry = self.header.symmetry;
        if symmetry == Symmetry::General {
            return;
        }
        for e in 0..values.len() {
            let (i, j) = (self.row[e], self.col[e]);
            if i == j {
                continue;
            }
            if let Some(mirrored) = values[e].mirrored(symmetry) {
                self.row.push(j);
                self.col.push(i);
                values.push(mirrored);
            }
        }
        // An array says every element. There are at most as many more as there were, and one.
        if self.header.layout == Layout::Array && symmetry == Symmetry::SkewSymmetric {
            self.row.extend(0..self.rows);
            self.col.extend(0..self.rows);
            values.resize(values.len() + self.rows, V::ZERO);
        }
    }
}
