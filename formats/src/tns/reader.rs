//! Reading: line by line, so that of the text no more is in memory than a line; what is kept is what the entries take.

use super::coordinates::{Coordinates, FromCoordinates};
use super::reason::TnsReason;
use crate::error::Error;
use crate::mtx::matrix::LineMap;
use crate::mtx::reader::Value;
use crate::mtx::reason::shown;
use crate::mtx::scan::fields;
use crate::mtx::{Field, Values};
use num_complex::Complex;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What a file does not say itself. By default nothing is known: the last field of each line is a real number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The size of each dimension; otherwise they are the greatest coordinates.
    pub shape: Option<Vec<usize>>,
    /// The number of dimensions, if neither `shape` nor `field` is to say it.
    pub rank: Option<usize>,
    /// What stands behind the coordinates of a line. If this is not said but the number of dimensions is, the fields
    /// of the first line say it: none of them is left for a pattern, one for a real number, and two for a complex one.
    pub field: Option<Field>,
}

impl ReadOptions {
    /// The number of dimensions and the kind of the values, of a file whose first entry has so many fields.
    fn resolve(&self, found: usize) -> (usize, Field) {
        let rank = self.shape.as_ref().map(Vec::len).or(self.rank);
        match (rank, self.field) {
            (Some(rank), Some(field)) => (rank, field),
            (Some(rank), None) => match found.saturating_sub(rank) {
                0 if rank > 0 => (rank, Field::Pattern),
                2 => (rank, Field::Complex),
                _ => (rank, Field::Real),
            },
            (None, field) => {
                let field = field.unwrap_or(Field::Real);
                (found.saturating_sub(width(field)), field)
            }
        }
    }
}

/// The number of fields of a value.
fn width(field: Field) -> usize {
    match field {
        Field::Pattern => 0,
        Field::Real | Field::Integer => 1,
        Field::Complex => 2,
    }
}

/// Reads a file as [`Coordinates`], or as a tensor of some format whose sizes are the greatest coordinates.
///
/// ```no_run
/// # use looplets_formats::{tns, Coo3, Error};
/// # fn main() -> Result<(), Error> {
/// let ratings: Coo3<f64> = tns::read("ratings.tns")?;
/// println!("{:?}", ratings.shape());
/// # Ok(()) }
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::Frostt`] with line and reason if it is malformed or cannot be
/// that tensor without loss; those of [`Coordinates::into_tensor`]. An entry given twice is an error for a tensor, not for
/// [`Coordinates`].
pub fn read<T: FromCoordinates>(path: impl AsRef<Path>) -> Result<T, Error> {
    T::from_coordinates(read_with(path, &T::options())?)
}

/// Reads a file of which `options` say what it does not say itself.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; those of [`parse`].
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Coordinates, Error> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|error| Error::io(path, &error))?;
    parse(path, BufReader::with_capacity(1 << 16, file), options)
}

/// Reads text, such as a file's; `name` stands for the file in errors.
///
/// Linear in the length of the text in time, and in the number of entries in memory.
///
/// # Errors
/// [`Error::Frostt`] with line and reason; [`Error::Io`] if `text` cannot be read; [`Error::Rank`] if `options` contradict
/// themselves; [`Error::TooLarge`] for a size over `isize::MAX`.
pub fn parse(
    name: impl AsRef<Path>,
    text: impl BufRead,
    options: &ReadOptions,
) -> Result<Coordinates, Error> {
    let name = name.as_ref();
    if let Some(shape) = &options.shape {
        if let Some(rank) = options.rank.filter(|&rank| rank != shape.len()) {
            return Err(Error::Rank { expected: rank, found: shape.len() });
        }
        if shape.iter().any(|&n| n > isize::MAX as usize) {
            return Err(Error::TooLarge { shape: shape.clone() });
        }
    }
    let mut lines = Lines { text, bytes: Vec::new(), line: 0, comments: Vec::new() };
    let read = entries(&mut lines, options);
    let (columns, sizes, values, map) = read.map_err(|fault| match fault {
        // A file without any line is at fault in the first.
        Fault::Reason(reason) => {
            Error::Frostt { file: name.to_path_buf(), line: lines.line.max(1), reason }
        }
        Fault::Io(error) => Error::io(name, &error),
    })?;
    Ok(Coordinates {
        file: name.to_path_buf(),
        comments: lines.comments,
        shape: options.shape.clone().unwrap_or(sizes),
        columns,
        values,
        lines: map,
    })
}

/// Why reading stops.
enum Fault {
    Reason(TnsReason),
    Io(std::io::Error),
}

impl From<TnsReason> for Fault {
    fn from(reason: TnsReason) -> Self {
        Fault::Reason(reason)
    }
}

/// The lines that hold entries.
struct Lines<R> {
    text: R,
    bytes: Vec<u8>,
    /// The number of the line read last, counted from 1; 0 before the first.
    line: u64,
    /// The comments before the first entry.
    comments: Vec<String>,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is neither blank nor a comment.
    fn next(&mut self, first: bool) -> Result<Option<&[u8]>, Fault> {
        loop {
            self.bytes.clear();
            if self.text.read_until(b'\n', &mut self.bytes).map_err(Fault::Io)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.bytes.last() == Some(&b'\n') {
                self.bytes.pop();
            }
            match fields(&self.bytes).next() {
                Some(word) if word[0] != b'#' => break,
                Some(_) if first => {
                    let line = String::from_utf8_lossy(&self.bytes);
                    let comment = line.trim().strip_prefix('#').unwrap_or_default();
                    self.comments.push(comment.to_owned());
                }
                _ => {}
            }
        }
        Ok(Some(&self.bytes))
    }
}

/// The coordinates by dimension, the greatest of each, the values, and where they stand.
type Read = (Vec<Vec<usize>>, Vec<usize>, Values, LineMap);

/// All entries. An error is at the line that was read last.
fn entries<R: BufRead>(lines: &mut Lines<R>, options: &ReadOptions) -> Result<Read, Fault> {
    // What the first line has says how the others are read; it is read again with them.
    let first = lines.next(true)?.map(<[u8]>::to_vec);
    let found = first.as_ref().map(|line| fields(line).count());
    let (rank, field) = match found {
        Some(found) => options.resolve(found),
        None => match options.shape.as_ref().map(Vec::len).or(options.rank) {
            Some(rank) => (rank, options.field.unwrap_or(Field::Real)),
            None => return Err(TnsReason::NoEntries.into()),
        },
    };
    let mut body = Body {
        columns: vec![Vec::new(); rank],
        sizes: vec![0; rank],
        limits: options.shape.clone().unwrap_or_else(|| vec![isize::MAX as usize; rank]),
        fields: rank + width(field),
        map: LineMap::default(),
    };
    let first = first.as_deref();
    let values = match field {
        Field::Real => Values::Real(body.all::<f64, R>(lines, first)?),
        Field::Integer => Values::Integer(body.all::<i64, R>(lines, first)?),
        Field::Pattern => Values::Pattern(body.all::<(), R>(lines, first)?.len()),
        Field::Complex => Values::Complex(body.all::<Complex<f64>, R>(lines, first)?),
    };
    Ok((body.columns, body.sizes, values, body.map))
}

/// The entries read so far, but for their values.
struct Body {
    columns: Vec<Vec<usize>>,
    sizes: Vec<usize>,
    /// The greatest coordinate that each dimension may have.
    limits: Vec<usize>,
    /// The number of fields of a line.
    fields: usize,
    map: LineMap,
}

impl Body {
    fn all<V: Value, R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        first: Option<&[u8]>,
    ) -> Result<Vec<V>, Fault> {
        let mut values = Vec::new();
        let Some(first) = first else { return Ok(values) };
        values.push(self.entry(first)?);
        self.map.push(lines.line);
        while let Some(line) = lines.next(false)? {
            values.push(self.entry(line)?);
            self.map.push(lines.line);
        }
        Ok(values)
    }

    /// The value of the entry on `line`, whose coordinates are added.
    fn entry<V: Value>(&mut self, line: &[u8]) -> Result<V, TnsReason> {
        let missing =
            || TnsReason::MissingField { expected: self.fields, found: fields(line).count() };
        let mut words = fields(line);
        for (d, column) in self.columns.iter_mut().enumerate() {
            let token = words.next().ok_or_else(missing)?;
            let i = coordinate(token, d, self.limits[d])?;
            self.sizes[d] = self.sizes[d].max(i);
            column.push(i - 1);
        }
        let value = V::read(&mut words).map_err(|reason| TnsReason::Value { reason })?;
        let value = value.ok_or_else(missing)?;
        match words.next() {
            Some(token) => {
                Err(TnsReason::ExtraField { expected: self.fields, token: shown(token) })
            }
            None => Ok(value),
        }
    }
}

/// A coordinate from 1 to `limit`.
fn coordinate(token: &[u8], dimension: usize, limit: usize) -> Result<usize, TnsReason> {
    let digits = token.strip_prefix(b"+").unwrap_or(token);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(TnsReason::BadIndex { token: shown(token), dimension });
    }
    let add = |i: usize, &b: &u8| i.saturating_mul(10).saturating_add(usize::from(b - b'0'));
    match digits.iter().fold(0, add) {
        0 => Err(TnsReason::IndexZero { dimension }),
        // A limit is at most `isize::MAX`, so that what saturates is over it.
        i if i > limit => {
            Err(TnsReason::IndexOutOfRange { token: shown(token), dimension, size: limit })
        }
        i => Ok(i),
    }
}
