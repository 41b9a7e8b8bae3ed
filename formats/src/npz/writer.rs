//! Writing: what is written reads back as the same entries, here and in Python, or nothing is written.

use super::layout::Layout;
use crate::error::Error;
use crate::level::{grow, Level};
use crate::npy::{head, DType, NumpyReason, NumpyValue, Order};
use crate::tensor::Tensor;
use crate::value::{identical, Value};
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// How to write a file. The default is SciPy's `csr`, compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// How to lay out the entries: [`Layout::Csr`] and [`Layout::Csc`] for matrices; [`Layout::Coo`], [`Layout::PydataCoo`] and
    /// [`Layout::PydataGcxs`], whose rows are the first dimension, for any number of dimensions. The others are read only.
    pub layout: Layout,
    /// Whether the arrays are compressed.
    pub compressed: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions { layout: Layout::default(), compressed: true }
    }
}

/// Writes the stored entries of a tensor to a file, each once, in order, also those that are zero.
///
/// # Errors
/// [`Error::Numpy`] if the layout is read only, is one for another number of dimensions, or cannot say the fill of the tensor;
/// [`Error::TooLarge`] if there is no memory for the arrays. The file is then not touched. [`Error::Io`] if the file cannot be
/// written.
pub fn write<L: Level>(
    path: impl AsRef<Path>,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: NumpyValue + Value,
{
    let path = path.as_ref();
    let arrays = arrays(path, tensor, options.layout)?;
    let file = File::create(path).map_err(|error| Error::io(path, &error))?;
    let mut out = BufWriter::new(file);
    all(&mut out, &arrays, options.compressed)
        .and_then(|()| out.flush())
        .map_err(|error| Error::io(path, &error))
}

/// [`write()`] to anything; `name` stands for the file in errors.
///
/// # Errors
/// Those of [`write()`].
pub fn write_to<L: Level>(
    name: impl AsRef<Path>,
    mut out: impl Write + Seek,
    tensor: &Tensor<L>,
    options: &WriteOptions,
) -> Result<(), Error>
where
    L::Value: NumpyValue + Value,
{
    let name = name.as_ref();
    let arrays = arrays(name, tensor, options.layout)?;
    all(&mut out, &arrays, options.compressed)
        .and_then(|()| out.flush())
        .map_err(|error| Error::io(name, &error))
}

/// An array to write.
struct Member {
    name: &'static str,
    descr: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Member {
    fn new<V: NumpyValue>(name: &'static str, shape: &[usize], values: &[V]) -> Self {
        let mut bytes = Vec::with_capacity(values.len() * V::DTYPE.size());
        values.iter().for_each(|value| value.put(&mut bytes));
        Member { name, descr: V::DTYPE.descr(), shape: shape.to_vec(), bytes }
    }

    /// Indices, of 4 bytes each if `narrow`.
    fn indices<'a>(
        name: &'static str,
        shape: &[usize],
        indices: impl IntoIterator<Item = &'a usize>,
        narrow: bool,
    ) -> Self {
        let mut bytes = Vec::new();
        for &i in indices {
            // What there is one of in memory is at most `isize::MAX`.
            match narrow {
                true => (i as i32).put(&mut bytes),
                false => (i as i64).put(&mut bytes),
            }
        }
        let dtype = if narrow { DType::I32 } else { DType::I64 };
        Member { name, descr: dtype.descr(), shape: shape.to_vec(), bytes }
    }
}

/// The stored entries of a tensor.
struct Stored<V> {
    shape: Vec<usize>,
    columns: Vec<Vec<usize>>,
    values: Vec<V>,
    /// Whether all sizes fit 4 bytes.
    narrow: bool,
}

/// The arrays of a file.
fn arrays<L: Level>(name: &Path, tensor: &Tensor<L>, layout: Layout) -> Result<Vec<Member>, Error>
where
    L::Value: NumpyValue + Value,
{
    let refuse = |array: &str, reason| {
        Err(Error::Numpy { file: name.to_path_buf(), array: array.to_owned(), reason })
    };
    let shape = tensor.shape();
    match layout {
        Layout::Csr | Layout::Csc if shape.len() != 2 => {
            let found = shape.len();
            return refuse("shape", NumpyReason::Dimensions { expected: 2, found });
        }
        // There is no place in the file where the one coordinate of SciPy's would be missing.
        Layout::Coo if shape.is_empty() => {
            return refuse("shape", NumpyReason::Dimensions { expected: 1, found: 0 });
        }
        Layout::Bsr | Layout::Dia => {
            return refuse("format", NumpyReason::Layout { word: layout.to_string() });
        }
        _ => {}
    }
    let pydata = matches!(layout, Layout::PydataCoo | Layout::PydataGcxs);
    let fill = L::fill();
    if !pydata && !identical(&fill, &L::Value::ZERO) {
        let zero = L::Value::ZERO.number().to_string();
        let reason = NumpyReason::Fill { file: zero, format: fill.number().to_string() };
        return refuse("", reason);
    }
    let mut stored = stored(tensor);
    let too_large = |_| Error::TooLarge { shape: shape.clone() };
    let mut members = Vec::new();
    match layout {
        Layout::Csr => {
            stored.rows(&mut members, 0, 1).map_err(too_large)?;
        }
        Layout::Csc => {
            stored.sort_by(1).map_err(too_large)?;
            stored.rows(&mut members, 1, 1).map_err(too_large)?;
        }
        Layout::PydataGcxs => {
            let inner = shape.iter().skip(1);
            let width = match shape.contains(&0) {
                true => Some(0),
                false => inner.copied().try_fold(1usize, usize::checked_mul),
            };
            let narrow = |n: usize| n <= i32::MAX as usize;
            stored.narrow &= width.is_some_and(narrow);
            if width.is_none_or(|n| n > isize::MAX as usize) {
                return Err(too_large(String::new()));
            }
            stored.rows(&mut members, 0, shape.len().min(1)).map_err(too_large)?;
            let axes: &[i64] = if shape.len() < 2 { &[] } else { &[0] };
            members.push(Member::new("compressed_axes", &[axes.len()], axes));
        }
        Layout::Coo if shape.len() == 2 => {
            for (name, column) in ["row", "col"].into_iter().zip(&stored.columns) {
                members.push(Member::indices(name, &[column.len()], column, stored.narrow));
            }
        }
        _ => {
            let all = stored.columns.iter().flatten();
            let sizes = [shape.len(), stored.values.len()];
            members.push(Member::indices("coords", &sizes, all, stored.narrow));
        }
    }
    members.push(Member::new("data", &[stored.values.len()], &stored.values));
    members.push(Member::indices("shape", &[shape.len()], &shape, false));
    let word = layout.to_string();
    if pydata {
        members.push(Member::new("fill_value", &[], &[fill]));
        let letters: Vec<u32> = word.chars().map(u32::from).collect();
        let mut format = Member::new("format", &[], &letters);
        format.descr = format!("<U{}", letters.len());
        members.push(format);
    } else {
        members.push(Member::new("_is_array", &[], &[true]));
        let mut format = Member::new("format", &[], word.as_bytes());
        format.descr = format!("|S{}", word.len());
        members.push(format);
    }
    Ok(members)
}

fn stored<L: Level>(tensor: &Tensor<L>) -> Stored<L::Value> {
    let (shape, count) = (tensor.shape(), tensor.stored());
    let mut columns = vec![Vec::with_capacity(count); shape.len()];
    let mut values = Vec::with_capacity(count);
    tensor.for_each(|coords, value| {
        columns.iter_mut().zip(coords).for_each(|(column, &c)| column.push(c));
        values.push(value.clone());
    });
    let narrow = shape.iter().chain([&values.len()]).all(|&n| n <= i32::MAX as usize);
    Stored { shape, columns, values, narrow }
}

impl<V: Clone> Stored<V> {
    /// The entries in ascending order of the coordinate in a dimension, those alike there in the order they have.
    fn sort_by(&mut self, dimension: usize) -> Result<(), String> {
        let column = &self.columns[dimension];
        let mut next = starts(column, self.shape[dimension])?;
        let mut order = vec![0; column.len()];
        for (e, &c) in column.iter().enumerate() {
            order[next[c]] = e;
            next[c] += 1;
        }
        for column in &mut self.columns {
            *column = order.iter().map(|&e| column[e]).collect();
        }
        self.values = order.iter().map(|&e| self.values[e].clone()).collect();
        Ok(())
    }

    /// Adds where the rows begin, which are the coordinates of a dimension or, if there are `split` 0 of them, one; and the
    /// coordinates in the others, which are taken as one.
    fn rows(
        &self,
        members: &mut Vec<Member>,
        dimension: usize,
        split: usize,
    ) -> Result<(), String> {
        let whole = self.shape.len() < 2 || split == 0;
        let pos = match whole {
            true => vec![0, self.values.len()],
            false => starts(&self.columns[dimension], self.shape[dimension])?,
        };
        let inner = |d: &usize| whole || *d != dimension;
        let others: Vec<usize> = (0..self.shape.len()).filter(inner).collect();
        let joined = |e| others.iter().fold(0, |all, &d| all * self.shape[d] + self.columns[d][e]);
        let indices: Vec<usize> = (0..self.values.len()).map(joined).collect();
        members.push(Member::indices("indptr", &[pos.len()], &pos, self.narrow));
        members.push(Member::indices("indices", &[indices.len()], &indices, self.narrow));
        Ok(())
    }
}

/// Where the entries of each coordinate begin, if they are sorted by it, and where the last ones end.
fn starts(column: &[usize], size: usize) -> Result<Vec<usize>, String> {
    let mut starts = Vec::new();
    grow(&mut starts, size.saturating_add(1), 0)?;
    for &c in column {
        starts[c + 1] += 1;
    }
    for c in 0..size {
        starts[c + 1] += starts[c];
    }
    Ok(starts)
}

fn all(out: &mut (impl Write + Seek), members: &[Member], compressed: bool) -> std::io::Result<()> {
    let method = if compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let mut zip = ZipWriter::new(out);
    for Member { name, descr, shape, bytes } in members {
        // Lengths of 4 bytes do for most.
        let large = bytes.len() > 1 << 30;
        let options = SimpleFileOptions::default().compression_method(method).large_file(large);
        zip.start_file(format!("{name}.npy"), options)?;
        zip.write_all(&head(descr, shape, Order::C))?;
        zip.write_all(bytes)?;
    }
    zip.finish()?;
    Ok(())
}
