//! Writing: what is written reads back as the same entries, or nothing is written.

use crate::error::Error;
use crate::level::Level;
use crate::mtx::{Field, MtxReason, MtxValue};
use crate::tensor::Tensor;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// How to write a file. The default is without a comment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// Text for the comment at the beginning, without `#`; may have several lines.
    pub comment: String,
}

/// Writes the stored entries of a tensor to a file, in ascending order, also those that are zero.
///
/// Floating-point numbers are written with the fewest digits that read back as the same number; only the sign and
/// payload of a NaN are lost. The sizes are not in the file: who reads it gives them
/// ([`ReadOptions::shape`](super::ReadOptions)), or has the greatest coordinates. Entries that are not in the file read
/// back as the fill of the format they are read into.
///
/// # Errors
/// [`Error::Unwritable`] if a value is one that files cannot have; the file is then not touched. [`Error::Rank`] if a
/// pattern has no dimensions: its entry would be a blank line. [`Error::Io`] if the file cannot be written.
pub fn write<L: Level>(
    path: impl AsRef<Path>,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: MtxValue,
{
    let path = path.as_ref();
    check(path, tensor)?;
    let file = File::create(path).map_err(|error| Error::io(path, &error))?;
    put(file, tensor, options).map_err(|error| Error::io(path, &error))
}

/// [`write()`] to anything; `name` stands for the file in errors.
///
/// # Errors
/// Those of [`write()`].
pub fn write_to<L: Level>(
    name: impl AsRef<Path>,
    out: impl Write,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: MtxValue,
{
    let name = name.as_ref();
    check(name, tensor)?;
    put(out, tensor, options).map_err(|error| Error::io(name, &error))
}

/// Checks that each value can be said.
fn check<L: Level>(name: &Path, tensor: &Tensor<L>) -> Result<(), Error>
where
    L::Value: MtxValue,
{
    let pattern = L::Value::FIELD == Field::Pattern;
    if pattern && L::RANK == 0 {
        return Err(Error::Rank { expected: 1, found: 0 });
    }
    let refuse = |reason| Err(Error::Unwritable { file: name.to_path_buf(), reason });
    let fill = L::fill();
    if pattern && fill.to_scalar().is_some() {
        return refuse(MtxReason::Fill { value: "true".to_owned() });
    }
    let mut unsaid = false;
    tensor
        .for_each_run(|_, _, value| unsaid |= value.to_scalar().is_none() && !silent(value, &fill));
    if unsaid {
        let value = format!("of type {}", L::Value::NAME);
        return refuse(MtxReason::Conversion { value, into: "an integer of 64 bits" });
    }
    Ok(())
}

/// Whether what is not said is read back as `value`, which cannot be said: as the `false` of a pattern.
fn silent<V: MtxValue>(value: &V, fill: &V) -> bool {
    V::FIELD == Field::Pattern && value.same(fill)
}

fn put<L: Level>(out: impl Write, tensor: &Tensor<L>, options: &WriteOptions) -> std::io::Result<()>
where
    L::Value: MtxValue,
{
    let mut out = BufWriter::with_capacity(1 << 16, out);
    for line in options.comment.lines() {
        writeln!(out, "#{line}")?;
    }
    let mut written = Ok(());
    let mut line = |coords: &[usize], value: &L::Value| -> std::io::Result<()> {
        let Some(scalar) = value.to_scalar() else { return Ok(()) };
        for (d, c) in coords.iter().enumerate() {
            write!(out, "{}{}", if d == 0 { "" } else { " " }, c + 1)?;
        }
        match (L::Value::FIELD, coords.is_empty()) {
            (Field::Pattern, _) => writeln!(out),
            (_, true) => writeln!(out, "{scalar}"),
            (_, false) => writeln!(out, " {scalar}"),
        }
    };
    tensor.for_each(|coords, value| {
        if written.is_ok() {
            written = line(coords, value);
        }
    });
    written?;
    out.flush()
}
