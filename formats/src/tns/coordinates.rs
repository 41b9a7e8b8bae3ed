//! A tensor as it was read, before it has a format: what is asked of it may depend on what it is.

use super::reader::ReadOptions;
use super::reason::TnsReason;
use crate::error::Error;
use crate::level::Level;
use crate::mtx::matrix::LineMap;
use crate::mtx::{Field, MtxValue, Values};
use crate::tensor::{ByColumns, Conflict, Duplicates, Entries, Fault, Others, Refuse, Tensor};
use std::any::Any;
use std::path::PathBuf;

/// A tensor read from a file: entries in the order of the file, duplicates as they came.
///
/// Coordinates count from 0 here.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    pub(super) file: PathBuf,
    pub(super) comments: Vec<String>,
    pub(super) shape: Vec<usize>,
    pub(super) columns: Vec<Vec<usize>>,
    pub(super) values: Values,
    pub(super) lines: LineMap,
}

impl Coordinates {
    /// The comments before the first entry, without their `#`.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The size of each dimension: as it was given, or the greatest coordinates of the file.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The coordinates, from 0: those of entry `e` are `columns()[d][e]` in each dimension `d`.
    pub fn columns(&self) -> &[Vec<usize>] {
        &self.columns
    }

    /// The value of each entry.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The pattern of the tensor: the same entries, also those that are zero, without values.
    pub fn into_pattern(self) -> Self {
        Coordinates { values: Values::Pattern(self.values.len()), ..self }
    }

    /// The tensor with its dimensions the other way round: the last one comes first. Linear in the number of dimensions.
    #[must_use]
    pub fn transposed(mut self) -> Self {
        self.shape.reverse();
        self.columns.reverse();
        self
    }

    /// The tensor in a format, of as many dimensions.
    ///
    /// Entries that are not in the file are the fill of `L`. An entry that is given more than once is `duplicates`' to
    /// combine, in the order of the file. The values are moved if they are of the type that was read.
    ///
    /// # Errors
    /// [`Error::Frostt`] with the line of an entry that cannot be converted without loss, or was there before;
    /// [`Error::Rank`]; [`Error::TooLarge`] or [`Error::Unstorable`] if the format cannot have this shape or there is no
    /// memory for it.
    pub fn into_tensor<L: Level>(
        mut self,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Tensor<L>, Error>
    where
        L::Value: MtxValue,
    {
        if L::RANK != self.shape.len() {
            return Err(Error::Rank { expected: L::RANK, found: self.shape.len() });
        }
        let values = self.take_values::<L::Value>()?;
        let columns = std::mem::take(&mut self.columns);
        let entries = Entries::from_columns(self.shape.clone(), columns, values);
        Tensor::from_entries(entries, duplicates, Others::Fill).map_err(|fault| match fault {
            Fault::Other(error) => error,
            Fault::Conflict(conflict, coords, e) => {
                let coords = coords.iter().map(|c| c + 1).collect();
                self.error(
                    e,
                    match conflict {
                        Conflict::Refused => TnsReason::Duplicate { coords },
                        Conflict::Overflow => TnsReason::SumOverflow { coords },
                    },
                )
            }
        })
    }

    /// The values as `V`, moved out if they are that.
    fn take_values<V: MtxValue + 'static>(&mut self) -> Result<Vec<V>, Error> {
        let all: Option<&mut dyn Any> = match &mut self.values {
            Values::Real(all) => Some(all),
            Values::Integer(all) => Some(all),
            Values::Complex(all) => Some(all),
            Values::Pattern(_) => None,
        };
        if let Some(all) = all.and_then(|all| all.downcast_mut::<Vec<V>>()) {
            return Ok(std::mem::take(all));
        }
        let field = match &self.values {
            Values::Real(_) => Field::Real,
            Values::Integer(_) => Field::Integer,
            Values::Pattern(_) => Field::Pattern,
            Values::Complex(_) => Field::Complex,
        };
        if !V::accepts(field) {
            return Err(self.error(0, TnsReason::Field { field, into: V::NAME }));
        }
        let convert = |e| {
            let scalar = self.values.get(e);
            V::from_scalar(scalar).ok_or_else(|| {
                let value = scalar.to_string();
                self.error(e, TnsReason::Conversion { value, into: V::NAME })
            })
        };
        (0..self.len()).map(convert).collect()
    }

    /// The error for `reason` at entry `e`.
    fn error(&self, e: usize, reason: TnsReason) -> Error {
        Error::Frostt { file: self.file.clone(), line: self.lines.get(e), reason }
    }
}

/// What [`super::read()`] can make of a file.
pub trait FromCoordinates: Sized {
    /// What is known of the file before it is read.
    fn options() -> ReadOptions;

    /// Makes it of what was read.
    ///
    /// # Errors
    /// If the file cannot be that.
    fn from_coordinates(read: Coordinates) -> Result<Self, Error>;
}

/// Each line has coordinates and a real number.
impl FromCoordinates for Coordinates {
    fn options() -> ReadOptions {
        ReadOptions::default()
    }

    fn from_coordinates(read: Coordinates) -> Result<Self, Error> {
        Ok(read)
    }
}

/// Each line has as many coordinates as the tensor has dimensions, then a value of its type. Where that is a real or complex
/// number, all lines may have a simpler one, as the first one has: a real number, or none, which is read as 1. Duplicates are
/// refused.
impl<L: Level> FromCoordinates for Tensor<L>
where
    L::Value: MtxValue,
{
    fn options() -> ReadOptions {
        // Whole numbers and reals look alike: what tells them apart is the type that is asked for.
        let field = match <L::Value as MtxValue>::FIELD {
            field @ (Field::Integer | Field::Pattern) => Some(field),
            Field::Real | Field::Complex => None,
        };
        ReadOptions { rank: Some(L::RANK), field, shape: None }
    }

    fn from_coordinates(read: Coordinates) -> Result<Self, Error> {
        read.into_tensor(Refuse)
    }
}

/// As a [`Tensor`] is read.
impl<L: Level> FromCoordinates for ByColumns<L>
where
    L::Value: MtxValue,
{
    fn options() -> ReadOptions {
        Tensor::<L>::options()
    }

    fn from_coordinates(read: Coordinates) -> Result<Self, Error> {
        Self::of_transposed(read.transposed().into_tensor(Refuse))
    }
}
