//! A picture of the structure of small vectors and matrices, and a summary of the rest.

use super::Tensor;
use crate::error::{Coords, Shape};
use crate::level::Level;
use std::fmt;

/// The sizes up to which a picture is drawn.
const ROWS: usize = 24;
const COLS: usize = 32;

/// How many stored entries a summary shows.
const SHOWN: usize = 8;

/// A header with shape, format and number stored; then, for a vector of up to 32 elements or a
/// matrix of up to 24 rows and 32 columns, the values with `.` for fill; for others the first
/// stored entries.
impl<L: Level> fmt::Display for Tensor<L>
where
    L::Value: fmt::Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = &|f: &mut dyn FnMut(&[usize], &L::Value)| self.for_each(f);
        let (shape, name, stored) = (self.shape(), format_name::<L>(), self.stored());
        Shown { shape, name, stored, fill: L::fill(), each }.fmt(f)
    }
}

/// What is shown of a tensor, however it is stored.
pub(super) struct Shown<'a, V> {
    pub shape: Vec<usize>,
    pub name: String,
    pub stored: usize,
    pub fill: V,
    /// Calls with the coordinates and the value of each stored entry.
    pub each: Each<'a, V>,
}

type Each<'a, V> = &'a dyn Fn(&mut dyn FnMut(&[usize], &V));

impl<V: fmt::Display + PartialEq + 'static> Shown<'_, V> {
    pub fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} stored", Shape(&self.shape), self.name, self.stored)?;
        match *self.shape {
            [n] if (1..=COLS).contains(&n) => self.grid(f, 1, n),
            [m, n] if (1..=ROWS).contains(&m) && (1..=COLS).contains(&n) => self.grid(f, m, n),
            _ => self.summary(f),
        }
    }

    fn grid(&self, f: &mut fmt::Formatter<'_>, rows: usize, cols: usize) -> fmt::Result {
        let mut grid = vec![String::from("."); rows * cols];
        (self.each)(&mut |coords, value| {
            // The picture of a vector is its only row.
            let at = coords.iter().fold(0, |at, c| at * cols + c);
            if !crate::value::identical(value, &self.fill) {
                grid[at] = word(f, value);
            }
        });
        let width = |j: usize| (0..rows).map(|i| grid[i * cols + j].chars().count()).max();
        let widths: Vec<usize> = (0..cols).map(|j| width(j).unwrap_or(0)).collect();
        for row in grid.chunks(cols) {
            f.write_str("\n")?;
            for (word, &width) in row.iter().zip(&widths) {
                write!(f, " {word:>width$}")?;
            }
        }
        Ok(())
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        let mut left = 0usize;
        // All entries are visited: levels have no way to stop, and printing is not hot.
        (self.each)(&mut |coords, value| match lines.len() < SHOWN {
            true => lines.push(format!("\n {} {}", Coords(coords), word(f, value))),
            false => left += 1,
        });
        lines.iter().try_for_each(|line| f.write_str(line))?;
        match left {
            0 => Ok(()),
            _ => write!(f, "\n .. {left} more"),
        }
    }
}

/// `value` with the precision of the formatter, so that `{:.2}` reaches every value.
fn word(f: &fmt::Formatter<'_>, value: &impl fmt::Display) -> String {
    match f.precision() {
        Some(precision) => format!("{value:.precision$}"),
        None => value.to_string(),
    }
}

/// The format's type without the paths: `Dense<SparseList<Element<f64>>>`.
pub(crate) fn format_name<L>() -> String {
    let full = std::any::type_name::<L>();
    let mut name = String::with_capacity(full.len());
    let mut rest = full;
    // A path is a run of identifier characters and `::`; its last segment is kept.
    while let Some(first) = rest.chars().next() {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
        if end == 0 {
            name.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let path = &rest[..end];
            name.push_str(path.rsplit("::").next().unwrap_or(path));
            rest = &rest[end..];
        }
    }
    name
}
