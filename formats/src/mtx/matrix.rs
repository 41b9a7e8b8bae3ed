//! A matrix as it was read, before it has a format: what is asked of it may depend on what it is.

use super::header::{Field, Header, Layout};
use super::reason::MtxReason;
use super::value::{conversion, MtxValue, Scalar};
use crate::error::Error;
use crate::level::Level;
use crate::tensor::{ByColumns, Conflict, Duplicates, Entries, Fault, Others, Refuse, Tensor};
use num_complex::Complex;
use std::path::PathBuf;

/// The values of a matrix's entries, by the file's field.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Floating-point numbers.
    Real(Vec<f64>),
    /// Whole numbers.
    Integer(Vec<i64>),
    /// No values, but this many entries.
    Pattern(usize),
    /// Complex numbers.
    Complex(Vec<Complex<f64>>),
}

impl Values {
    /// The number of entries.
    pub fn len(&self) -> usize {
        match self {
            Values::Real(v) => v.len(),
            Values::Integer(v) => v.len(),
            Values::Pattern(n) => *n,
            Values::Complex(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of entry `e`.
    pub(crate) fn get(&self, e: usize) -> Scalar {
        match self {
            Values::Real(v) => Scalar::Real(v[e]),
            Values::Integer(v) => Scalar::Integer(v[e]),
            Values::Pattern(_) => Scalar::Pattern,
            Values::Complex(v) => Scalar::Complex(v[e]),
        }
    }
}

/// A matrix read from a file: general entries in no particular order, duplicates as they came.
///
/// The entries of the file come first, in its order; then, for a symmetric file, the other half.
/// Rows and columns count from 0 here.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub(super) file: PathBuf,
    pub(super) header: Header,
    pub(super) comments: Vec<String>,
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) row: Vec<usize>,
    pub(super) col: Vec<usize>,
    pub(super) values: Values,
    pub(super) lines: LineMap,
}

/// The line of each entry of the file: as `(first entry, its line)` of each run of entries on
/// consecutive lines, which is mostly one.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct LineMap {
    runs: Vec<(usize, u64)>,
    entries: usize,
}

impl LineMap {
    /// Adds the next entry, which is on `line`.
    pub fn push(&mut self, line: u64) {
        let e = self.entries;
        self.entries += 1;
        match self.runs.last() {
            Some(&(first, start)) if start + (e - first) as u64 == line => {}
            _ => self.runs.push((e, line)),
        }
    }

    /// The line of entry `e`.
    pub fn get(&self, e: usize) -> u64 {
        let run = self.runs.partition_point(|&(first, _)| first <= e);
        match self.runs[..run].last() {
            Some(&(first, start)) => start + (e - first) as u64,
            None => 1,
        }
    }
}

impl Matrix {
    /// The first line of the file.
    pub fn header(&self) -> Header {
        self.header
    }

    /// The comments before the size line, without their `%`.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The number of entries, those that follow from symmetry counted.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.row.is_empty()
    }

    /// The number of entries that the file itself holds.
    pub fn in_file(&self) -> usize {
        self.lines.entries
    }

    /// The row of each entry, from 0.
    pub fn row_indices(&self) -> &[usize] {
        &self.row
    }

    /// The column of each entry, from 0.
    pub fn col_indices(&self) -> &[usize] {
        &self.col
    }

    /// The value of each entry.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The pattern of the matrix: the same entries, also those that are zero, without values.
    pub fn into_pattern(self) -> Self {
        Matrix {
            header: Header { layout: Layout::Coordinate, field: Field::Pattern, ..self.header },
            values: Values::Pattern(self.row.len()),
            ..self
        }
    }

    /// The matrix with rows and columns exchanged. Constant.
    #[must_use]
    pub fn transposed(self) -> Self {
        Matrix { rows: self.cols, cols: self.rows, row: self.col, col: self.row, ..self }
    }

    /// The entries `(row, column, value)`, rows and columns from 0.
    ///
    /// # Errors
    /// [`Error::MatrixMarket`] if a value cannot be a `V` without loss.
    pub fn entries<V: MtxValue>(&self) -> Result<Vec<(usize, usize, V)>, Error> {
        let values = self.convert::<V>()?;
        let places = self.row.iter().zip(&self.col);
        Ok(places.zip(values).map(|((&i, &j), v)| (i, j, v)).collect())
    }

    /// The matrix as a tensor: of rank 2 with rows as its first dimension, or of rank 1 if it
    /// has a single column.
    ///
    /// Entries that are not in a coordinate file are the fill of `L`. An entry that is given
    /// more than once is `duplicates`' to combine, in the order of the file.
    ///
    /// # Errors
    /// [`Error::MatrixMarket`] with the line of an entry that cannot be converted without loss,
    /// or was there before; [`Error::Rank`]; [`Error::Unstorable`] if the format cannot have
    /// this shape or there is no memory for it.
    pub fn into_tensor<L: Level>(
        self,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Tensor<L>, Error>
    where
        L::Value: MtxValue,
    {
        let values = self.convert::<L::Value>()?;
        let (shape, columns) = match L::RANK {
            2 => (vec![self.rows, self.cols], vec![&self.row, &self.col]),
            1 if self.cols == 1 => (vec![self.rows], vec![&self.row]),
            _ => return Err(Error::Rank { expected: L::RANK, found: 2 }),
        };
        let (kept, columns, values) = match self.header.layout {
            Layout::Coordinate => (None, columns.into_iter().cloned().collect(), values),
            Layout::Array => {
                let fill = L::fill();
                let kept: Vec<usize> =
                    (0..values.len()).filter(|&e| !values[e].same(&fill)).collect();
                let gather = |column: &Vec<usize>| kept.iter().map(|&e| column[e]).collect();
                let columns = columns.into_iter().map(gather).collect();
                let values = kept.iter().map(|&e| values[e].clone()).collect();
                (Some(kept), columns, values)
            }
        };
        let entries = Entries::from_columns(shape, columns, values);
        Tensor::from_entries(entries, duplicates, Others::Fill).map_err(|fault| match fault {
            Fault::Other(error) => error,
            Fault::Conflict(conflict, _, e) => {
                let e = kept.map_or(e, |kept| kept[e]);
                let (row, col) = (self.row[e] + 1, self.col[e] + 1);
                self.error(match conflict {
                    Conflict::Refused => MtxReason::Duplicate { row, col },
                    Conflict::Overflow => MtxReason::SumOverflow { row, col },
                })(e)
            }
        })
    }

    fn convert<V: MtxValue>(&self) -> Result<Vec<V>, Error> {
        if !V::accepts(self.header.field) {
            return Err(Error::MatrixMarket {
                file: self.file.clone(),
                line: 1,
                reason: MtxReason::Field { field: self.header.field, into: V::NAME },
            });
        }
        let mut converted = Vec::with_capacity(self.len());
        for e in 0..self.len() {
            let scalar = self.values.get(e);
            match V::from_scalar(scalar) {
                Some(v) => converted.push(v),
                None => return Err(self.error(conversion(scalar.to_string(), V::NAME))(e)),
            }
        }
        Ok(converted)
    }

    /// The error for `reason` at an entry.
    fn error(&self, reason: MtxReason) -> impl FnOnce(usize) -> Error + '_ {
        move |e| Error::MatrixMarket { file: self.file.clone(), line: self.line(e), reason }
    }

    /// The line of entry `e`; of one that follows from symmetry, that of the entry in the file.
    fn line(&self, e: usize) -> u64 {
        let in_file = self.in_file();
        let Some(mirrored) = e.checked_sub(in_file) else {
            return self.lines.get(e);
        };
        // The other half is in the order of the file, without the diagonal.
        let mut off_diagonal = (0..in_file).filter(|&e| self.row[e] != self.col[e]);
        off_diagonal.nth(mirrored).map_or(1, |e| self.lines.get(e))
    }
}

/// What [`super::read`] can make of a file.
pub trait FromMatrix: Sized {
    /// Makes it of the matrix that was read.
    ///
    /// # Errors
    /// If the matrix cannot be that.
    fn from_matrix(matrix: Matrix) -> Result<Self, Error>;
}

impl FromMatrix for Matrix {
    fn from_matrix(matrix: Matrix) -> Result<Self, Error> {
        Ok(matrix)
    }
}

/// Duplicates are refused.
impl<L: Level> FromMatrix for Tensor<L>
where
    L::Value: MtxValue,
{
    fn from_matrix(matrix: Matrix) -> Result<Self, Error> {
        matrix.into_tensor(Refuse)
    }
}

/// Duplicates are refused.
impl<L: Level> FromMatrix for ByColumns<L>
where
    L::Value: MtxValue,
{
    fn from_matrix(matrix: Matrix) -> Result<Self, Error> {
        // A single column is a vector either way.
        let turned = if L::RANK == 2 { matrix.transposed() } else { matrix };
        Self::of_transposed(turned.into_tensor(Refuse))
    }
}
