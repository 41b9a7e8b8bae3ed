//! Writing: what is written reads back as the same tensor, or nothing is written.

use super::header::{Header, Layout, Symmetry};
use super::reason::MtxReason;
use super::value::{conversion, MtxValue, Scalar};
use crate::error::Error;
use crate::level::Level;
use crate::tensor::Tensor;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// How to write a file. The default is coordinate, general, without a comment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// How to lay out the entries.
    pub layout: Layout,
    /// Which entries to leave out because they follow from others.
    pub symmetry: Symmetry,
    /// Text for the comment after the banner, without `%`; may have several lines.
    pub comment: String,
}

/// Writes a tensor of rank 2, or of rank 1 as a single column, to a file.
///
/// Floating-point numbers are written with the fewest digits that read back as the same number;
/// only the sign and payload of a NaN are lost. A coordinate file has every stored entry, also
/// those that are zero, in ascending order, but for the zeros that a skew-symmetric matrix may
/// have stored on its diagonal; entries that are not in it read back as the fill of the
/// format they are read into.
///
/// # Errors
/// [`Error::Unwritable`] if the tensor does not have the symmetry, or a value that files cannot
/// have; the file is then not touched. [`Error::Rank`]. [`Error::TooLarge`] for an array.
/// [`Error::Io`] if the file cannot be written.
pub fn write<L: Level>(
    path: impl AsRef<Path>,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: MtxValue,
{
    let path = path.as_ref();
    let text = render(path, tensor, options)?;
    std::fs::write(path, text).map_err(|error| Error::io(path, &error))
}

/// [`write()`] to anything; `name` stands for the file in errors.
///
/// # Errors
/// Those of [`write()`].
pub fn write_to<L: Level>(
    name: impl AsRef<Path>,
    mut out: impl Write,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: MtxValue,
{
    let name = name.as_ref();
    let text = render(name, tensor, options)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Error::io(name, &error))
}

/// An entry to write: row, column, value.
type Entry = (usize, usize, Scalar);

fn render<L: Level>(
    name: &Path,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<String, Error>
where
    L::Value: MtxValue,
{
    let (rows, cols) = match *tensor.shape() {
        [rows, cols] => (rows, cols),
        [rows] => (rows, 1),
        ref other => return Err(Error::Rank { expected: 2, found: other.len() }),
    };
    let refuse = |reason| Error::Unwritable { file: name.to_path_buf(), reason };
    let (layout, symmetry) = (options.layout, options.symmetry);
    let header = Header { layout, field: L::Value::FIELD, symmetry };
    header.check().map_err(refuse)?;
    if symmetry != Symmetry::General && rows != cols {
        return Err(refuse(MtxReason::NotSquare { rows, cols }));
    }
    let mut entries = match layout {
        Layout::Coordinate => stored(tensor).map_err(refuse)?,
        Layout::Array => elements(tensor, cols)?.map_err(refuse)?,
    };
    if symmetry != Symmetry::General {
        if layout == Layout::Coordinate {
            fill_has::<L>(symmetry).map_err(refuse)?;
        }
        entries = lower_triangle(entries, symmetry).map_err(refuse)?;
    }
    Ok(text(header, &options.comment, (rows, cols), &entries))
}

fn text(header: Header, comment: &str, (rows, cols): (usize, usize), entries: &[Entry]) -> String {
    let mut text = format!("{header}\n");
    for line in comment.lines() {
        text.extend(["%", line, "\n"]);
    }
    // Writing to a string does not fail.
    let _ = match header.layout {
        Layout::Coordinate => writeln!(text, "{rows} {cols} {}", entries.len()),
        Layout::Array => writeln!(text, "{rows} {cols}"),
    };
    for (i, j, value) in entries {
        let _ = match (header.layout, value) {
            (Layout::Coordinate, Scalar::Pattern) => writeln!(text, "{} {}", i + 1, j + 1),
            (Layout::Coordinate, _) => writeln!(text, "{} {} {value}", i + 1, j + 1),
            (Layout::Array, _) => writeln!(text, "{value}"),
        };
    }
    text
}

fn scalar<V: MtxValue>(value: &V) -> Result<Scalar, MtxReason> {
    let field = match V::FIELD {
        super::Field::Integer => "an integer of 64 bits",
        super::Field::Pattern => "a pattern",
        super::Field::Real | super::Field::Complex => "a number",
    };
    // Only the type is named: values that cannot be said in a file have no text either.
    value.to_scalar().ok_or_else(|| conversion(format!("of type {}", V::NAME), field))
}

/// The stored entries, row by row.
fn stored<L: Level>(tensor: &Tensor<L>) -> Result<Vec<Entry>, MtxReason>
where
    L::Value: MtxValue,
{
    let fill = L::fill();
    // A pattern's file says what is true, and what it does not say must be false.
    let silent = fill.to_scalar().is_none();
    if L::Value::FIELD == super::Field::Pattern && !silent {
        return Err(MtxReason::Fill { value: "true".to_owned() });
    }
    let mut entries = Vec::with_capacity(tensor.stored());
    let mut refused = None;
    tensor.for_each(|coords, value| match scalar(value) {
        Ok(s) => entries.push((coords[0], coords.get(1).copied().unwrap_or(0), s)),
        Err(_) if silent && value.same(&fill) => {}
        Err(reason) => refused = Some(reason),
    });
    refused.map_or(Ok(entries), Err)
}

/// All elements, column by column.
fn elements<L: Level>(
    tensor: &Tensor<L>,
    cols: usize,
) -> Result<Result<Vec<Entry>, MtxReason>, Error>
where
    L::Value: MtxValue,
{
    let all = tensor.try_to_dense()?;
    let rows = all.len().checked_div(cols).unwrap_or(0);
    let places = (0..cols).flat_map(|j| (0..rows).map(move |i| (i, j)));
    Ok(places.map(|(i, j)| Ok((i, j, scalar(&all[i * cols + j])?))).collect())
}

/// Checks that entries that are not stored have the symmetry among themselves.
fn fill_has<L: Level>(symmetry: Symmetry) -> Result<(), MtxReason>
where
    L::Value: MtxValue,
{
    // What is not on a skew-symmetric file's diagonal has to be zero, which NaN is not.
    let fits = |fill: Scalar| match symmetry {
        Symmetry::SkewSymmetric => fill.is_zero(),
        _ => mirrors(fill, fill, symmetry),
    };
    match L::fill().to_scalar() {
        Some(fill) if !fits(fill) => Err(MtxReason::Fill { value: fill.to_string() }),
        _ => Ok(()),
    }
}

/// Whether `b` is what a reader makes of `a` for the place across the diagonal.
fn mirrors(a: Scalar, b: Scalar, symmetry: Symmetry) -> bool {
    // Zeros of either sign are one number, and so are all NaNs.
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    match (a, b) {
        (Scalar::Real(a), Scalar::Real(b)) => match symmetry {
            Symmetry::SkewSymmetric => same(-a, b),
            _ => same(a, b),
        },
        (Scalar::Integer(a), Scalar::Integer(b)) => match symmetry {
            Symmetry::SkewSymmetric => a.checked_neg() == Some(b),
            _ => a == b,
        },
        (Scalar::Complex(a), Scalar::Complex(b)) => match symmetry {
            Symmetry::SkewSymmetric => same(-a.re, b.re) && same(-a.im, b.im),
            Symmetry::Hermitian => same(a.re, b.re) && same(-a.im, b.im),
            Symmetry::General | Symmetry::Symmetric => same(a.re, b.re) && same(a.im, b.im),
        },
        (a, b) => a == b,
    }
}

/// The entries that a file of this symmetry has, in the order given.
fn lower_triangle(mut entries: Vec<Entry>, symmetry: Symmetry) -> Result<Vec<Entry>, MtxReason> {
    let not_symmetric = |(i, j)| MtxReason::NotSymmetric { symmetry, row: i + 1, col: j + 1 };
    if symmetry == Symmetry::SkewSymmetric {
        let on_diagonal = |e: &&Entry| e.0 == e.1 && !e.2.is_zero();
        if let Some(&(i, j, _)) = entries.iter().find(on_diagonal) {
            return Err(not_symmetric((i, j)));
        }
        entries.retain(|&(i, j, _)| i != j);
    }
    // Sorted by rows and sorted by columns, each entry meets its mirror image.
    let mut by_rows = entries.clone();
    let mut by_cols = entries.clone();
    by_rows.sort_unstable_by_key(|&(i, j, _)| (i, j));
    by_cols.sort_unstable_by_key(|&(i, j, _)| (j, i));
    for (&(i, j, v), &(r, c, w)) in by_rows.iter().zip(&by_cols) {
        if (i, j) != (c, r) {
            // Of the two places in this order the earlier one is missing in the other order.
            return Err(not_symmetric(if (i, j) < (c, r) { (i, j) } else { (r, c) }));
        }
        // NaN in the imaginary part of a diagonal is its own image, but not real.
        let unreal = symmetry == Symmetry::Hermitian
            && i == j
            && matches!(v, Scalar::Complex(v) if v.im != 0.0);
        if unreal || !mirrors(v, w, symmetry) {
            return Err(not_symmetric((i, j)));
        }
    }
    entries.retain(|&(i, j, _)| i >= j);
    Ok(entries)
}
