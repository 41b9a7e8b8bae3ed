//! Writing: what is written reads back as the same tensor, bit by bit.

use super::header::{Header, Order};
use super::value::NumpyValue;
use crate::error::Error;
use crate::level::Level;
use crate::tensor::Tensor;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Writes all values of a tensor to a file as an array of as many dimensions, those that are not stored as its fill.
///
/// Linear in the number of elements of the shape, in time and in memory.
///
/// # Errors
/// [`Error::TooLarge`] if there is no memory for all values; the file is then not touched. [`Error::Io`] if the file cannot
/// be written.
pub fn write<L: Level>(
    path: impl AsRef<Path>,
    tensor: &Tensor<L>,
    order: Order,
) -> Result<(), Error>
where
    L::Value: NumpyValue,
{
    let path = path.as_ref();
    let values = values(tensor, order)?;
    let file = File::create(path).map_err(|error| Error::io(path, &error))?;
    all(file, &tensor.shape(), order, &values).map_err(|error| Error::io(path, &error))
}

/// [`write()`] to anything; `name` stands for the file in errors.
///
/// # Errors
/// Those of [`write()`].
pub fn write_to<L: Level>(
    name: impl AsRef<Path>,
    out: impl Write,
    tensor: &Tensor<L>,
    order: Order,
) -> Result<(), Error>
where
    L::Value: NumpyValue,
{
    let values = values(tensor, order)?;
    all(out, &tensor.shape(), order, &values).map_err(|error| Error::io(name, &error))
}

/// All values in this order.
fn values<L: Level>(tensor: &Tensor<L>, order: Order) -> Result<Vec<L::Value>, Error> {
    let values = tensor.try_to_dense()?;
    Ok(match order {
        Order::C => values,
        Order::Fortran => {
            // What goes from one order to the other goes back if the dimensions come the other way around.
            let turned: Vec<usize> = tensor.shape().into_iter().rev().collect();
            super::array::row_major(values, &turned)
        }
    })
}

fn all<V: NumpyValue>(
    mut out: impl Write,
    shape: &[usize],
    order: Order,
    values: &[V],
) -> std::io::Result<()> {
    out.write_all(&head(&V::DTYPE.descr(), shape, order))?;
    put(&mut out, values)?;
    out.flush()
}

/// What stands in front of the values.
pub(crate) fn head(descr: &str, shape: &[usize], order: Order) -> Vec<u8> {
    let header = Header { descr: descr.to_owned(), order, shape: shape.to_vec() };
    let (mut head, short) = (b"\x93NUMPY".to_vec(), header.text(10));
    match u16::try_from(short.len()) {
        Ok(length) => {
            head.extend([1, 0]);
            head.extend(length.to_le_bytes());
            head.extend(short.as_bytes());
        }
        // As many dimensions as no program has.
        Err(_) => {
            let long = header.text(12);
            head.extend([2, 0]);
            head.extend((long.len() as u32).to_le_bytes());
            head.extend(long.as_bytes());
        }
    }
    head
}

/// Writes the bytes of `values`.
fn put<V: NumpyValue>(out: &mut dyn Write, values: &[V]) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    for part in values.chunks(1 << 12) {
        bytes.clear();
        part.iter().for_each(|value| value.put(&mut bytes));
        out.write_all(&bytes)?;
    }
    Ok(())
}
