//! The layouts of the two libraries, each read from its arrays into places and values, with its invariants checked.

use super::archive::Archive;
use super::places::{Crd, Places};
use crate::error::Error;
use crate::npy::{Array, Number, NumpyReason, Values};
use std::fmt;
use std::io::{Read, Seek};

/// How a file lays out its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Layout {
    /// SciPy's `csr`: rows of entries. Also of one dimension, as a single row.
    #[default]
    Csr,
    /// SciPy's `csc`: columns of entries.
    Csc,
    /// SciPy's `bsr`: rows of blocks.
    Bsr,
    /// SciPy's `dia`: diagonals.
    Dia,
    /// SciPy's `coo`: coordinates.
    Coo,
    /// The `COO` of PyData/Sparse: coordinates.
    PydataCoo,
    /// The `GCXS` of PyData/Sparse: as `csr`, of dimensions that are taken as one.
    PydataGcxs,
}

/// The word that files have.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::Csr => "csr",
            Layout::Csc => "csc",
            Layout::Bsr => "bsr",
            Layout::Dia => "dia",
            Layout::Coo | Layout::PydataCoo => "coo",
            Layout::PydataGcxs => "gcxs",
        })
    }
}

/// What an archive holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Content {
    pub layout: Layout,
    pub shape: Vec<usize>,
    pub places: Places,
    pub values: Values,
    /// What is not stored, if the file says it.
    pub fill: Option<Number>,
}

/// Reads what is in an archive.
pub(super) fn content<R: Read + Seek>(archive: &mut Archive<'_, R>) -> Result<Content, Error> {
    let layout = layout(archive)?;
    let shape = archive.sizes("shape")?;
    let (places, values) = match layout {
        Layout::Csr => {
            let split = shape.len().saturating_sub(1);
            matrix(archive, &shape, &[1, 2])?;
            rows(archive, &shape, (0..shape.len()).collect(), split)?
        }
        Layout::Csc => {
            matrix(archive, &shape, &[2])?;
            rows(archive, &shape, vec![1, 0], 1)?
        }
        Layout::Bsr => {
            matrix(archive, &shape, &[2])?;
            blocks(archive, &shape)?
        }
        Layout::Dia => {
            matrix(archive, &shape, &[2])?;
            diagonals(archive, &shape)?
        }
        Layout::Coo | Layout::PydataCoo => columns(archive, &shape)?,
        Layout::PydataGcxs => {
            let axes = archive.sizes("compressed_axes")?;
            let rank = shape.len();
            let mut seen = vec![false; rank];
            // An axis that is there twice finds itself.
            let known = axes.iter().all(|&d| d < rank && !std::mem::replace(&mut seen[d], true));
            if !known {
                return Err(archive.error("compressed_axes", NumpyReason::Axes { axes, rank }));
            }
            let split = axes.len();
            let rest = (0..rank).filter(|&d| !seen[d]);
            let axes = axes.iter().copied().chain(rest).collect();
            rows(archive, &shape, axes, split)?
        }
    };
    let fill = match layout {
        Layout::PydataCoo | Layout::PydataGcxs => {
            let array = archive.array("fill_value")?;
            match array.values.get(0) {
                Some(fill) if array.values.len() == 1 => Some(fill),
                _ => {
                    let found = array.shape.len();
                    let reason = NumpyReason::Dimensions { expected: 0, found };
                    return Err(archive.error("fill_value", reason));
                }
            }
        }
        _ => None,
    };
    Ok(Content { layout, shape, places, values, fill })
}

fn layout<R: Read + Seek>(archive: &mut Archive<'_, R>) -> Result<Layout, Error> {
    // SciPy's arrays have no fill but zero.
    let pydata = archive.has("fill_value");
    if pydata && !archive.has("format") {
        // PyData/Sparse has not always said it.
        return Ok(match archive.has("indptr") {
            true => Layout::PydataGcxs,
            false => Layout::PydataCoo,
        });
    }
    let word = archive.word("format")?;
    Ok(match (pydata, word.as_str()) {
        (false, "csr") => Layout::Csr,
        (false, "csc") => Layout::Csc,
        (false, "bsr") => Layout::Bsr,
        (false, "dia") => Layout::Dia,
        (false, "coo") => Layout::Coo,
        (true, "coo") => Layout::PydataCoo,
        // Rows and columns of matrices have names of their own there.
        (true, "gcxs" | "csr" | "csc") => Layout::PydataGcxs,
        _ => return Err(archive.error("format", NumpyReason::Layout { word })),
    })
}

/// Checks that the layout is one for so many dimensions.
fn matrix<R: Read + Seek>(
    archive: &Archive<'_, R>,
    shape: &[usize],
    ranks: &[usize],
) -> Result<(), Error> {
    let found = shape.len();
    match ranks.contains(&found) {
        true => Ok(()),
        false => Err(archive.error("shape", NumpyReason::Dimensions { expected: 2, found })),
    }
}

/// Checks that an array has a size.
fn sized<R: Read + Seek>(
    archive: &Archive<'_, R>,
    array: &Array,
    dimension: usize,
    expected: usize,
) -> Result<(), Error> {
    let found = array.shape[dimension];
    match found == expected {
        true => Ok(()),
        false => {
            let reason = NumpyReason::Size { dimension, expected, found };
            Err(archive.error(&array.name, reason))
        }
    }
}

/// The size of dimensions that are taken as one.
fn product<R: Read + Seek>(
    archive: &Archive<'_, R>,
    shape: &[usize],
    axes: &[usize],
) -> Result<usize, Error> {
    let sizes = || axes.iter().map(|&d| shape[d]);
    if sizes().any(|n| n == 0) {
        return Ok(0);
    }
    let all =
        sizes().try_fold(1usize, |p, n| p.checked_mul(n)).filter(|&n| n < isize::MAX as usize);
    all.ok_or_else(|| archive.error("shape", NumpyReason::TooLarge { shape: shape.to_vec() }))
}

/// Where each of `rows` begins in `count` entries, which is how many are used.
fn positions<R: Read + Seek>(
    archive: &mut Archive<'_, R>,
    rows: usize,
    count: usize,
) -> Result<Vec<usize>, Error> {
    let name = "indptr";
    let array = archive.array_of(name, 1)?;
    sized(archive, &array, 0, rows + 1)?;
    let pos = archive.whole(&array)?;
    let mut expected = 0;
    for (entry, &found) in pos.iter().enumerate() {
        let last = if entry == 0 { 0 } else { count };
        if !(expected..=last).contains(&found) {
            let reason = NumpyReason::Positions { entry, expected, found };
            return Err(archive.error(name, reason));
        }
        expected = found;
    }
    Ok(pos)
}

/// Coordinates of a dimension, or of several that are taken as one, below `size`.
fn coordinates<R: Read + Seek>(
    archive: &Archive<'_, R>,
    array: Array,
    dimension: usize,
    size: usize,
) -> Result<Crd, Error> {
    let Array { name, values, .. } = array;
    Crd::new(values, dimension, size).map_err(|reason| archive.error(&name, reason))
}

/// Rows of entries; of `axes`, the first `split` are the rows.
fn rows<R: Read + Seek>(
    archive: &mut Archive<'_, R>,
    shape: &[usize],
    axes: Vec<usize>,
    split: usize,
) -> Result<(Places, Values), Error> {
    let count = product(archive, shape, &axes[..split])?;
    let size = product(archive, shape, &axes[split..])?;
    let mut values = archive.array_of("data", 1)?;
    let mut indices = archive.array_of("indices", 1)?;
    sized(archive, &indices, 0, values.shape[0])?;
    let pos = positions(archive, count, values.shape[0])?;
    let used = pos.last().copied().unwrap_or(0);
    values.values.truncate(used);
    indices.values.truncate(used);
    let dimension = axes.last().copied().unwrap_or(0);
    let crd = coordinates(archive, indices, dimension, size)?;
    Ok((Places::Rows { axes, split, pos, crd }, values.values))
}

/// Rows of blocks, each element of which is an entry.
fn blocks<R: Read + Seek>(
    archive: &mut Archive<'_, R>,
    shape: &[usize],
) -> Result<(Places, Values), Error> {
    let mut data = archive.array_of("data", 3)?;
    let mut counts = [0; 2];
    for dimension in 0..2 {
        let (size, block) = (shape[dimension], data.shape[dimension + 1]);
        match size.checked_rem(block) {
            Some(0) => counts[dimension] = size / block,
            _ => {
                let reason = NumpyReason::Block { dimension, size, block };
                return Err(archive.error("data", reason));
            }
        }
    }
    let mut indices = archive.array_of("indices", 1)?;
    sized(archive, &indices, 0, data.shape[0])?;
    let pos = positions(archive, counts[0], data.shape[0])?;
    let used = pos.last().copied().unwrap_or(0);
    let (height, width) = (data.shape[1], data.shape[2]);
    indices.values.truncate(used);
    data.values.truncate(used * height * width);
    let crd = coordinates(archive, indices, 1, counts[1])?;
    // Every element of a block is in the file, so that there are as many.
    let mut columns = [(); 2].map(|()| Vec::with_capacity(data.values.len()));
    for (r, ends) in pos.windows(2).enumerate() {
        for k in ends[0]..ends[1] {
            for i in 0..height {
                columns[0].extend(std::iter::repeat_n((r * height + i) as u64, width));
                columns[1].extend((0..width).map(|j| (crd.get(k) * width + j) as u64));
            }
        }
    }
    Ok((Places::Columns(columns.into_iter().map(Crd::Wide).collect()), data.values))
}

/// Diagonals, each element of which that is inside the matrix is an entry.
fn diagonals<R: Read + Seek>(
    archive: &mut Archive<'_, R>,
    shape: &[usize],
) -> Result<(Places, Values), Error> {
    let data = archive.array_of("data", 2)?;
    let offsets = archive.array_of("offsets", 1)?;
    sized(archive, &offsets, 0, data.shape[0])?;
    let (rows, cols, length) = (shape[0], shape[1], data.shape[1]);
    let mut columns = [(); 2].map(|()| Vec::new());
    let mut kept = Vec::new();
    for d in 0..data.shape[0] {
        let offset = match offsets.values.get(d) {
            Some(Number::Integer(offset)) => offset,
            other => {
                let value = other.map_or_else(String::new, |v| v.to_string());
                return Err(archive.error("offsets", NumpyReason::Index { entry: d, value }));
            }
        };
        for j in 0..length.min(cols) {
            // The element in column `j` is `offset` to the right of the diagonal.
            let i = j as i128 - offset;
            if (0..rows as i128).contains(&i) {
                columns[0].push(i as u64);
                columns[1].push(j as u64);
                kept.push(d * length + j);
            }
        }
    }
    let values = data.values.gather(&kept);
    Ok((Places::Columns(columns.into_iter().map(Crd::Wide).collect()), values))
}

/// Coordinates.
fn columns<R: Read + Seek>(
    archive: &mut Archive<'_, R>,
    shape: &[usize],
) -> Result<(Places, Values), Error> {
    let values = archive.array_of("data", 1)?;
    let count = values.shape[0];
    let mut columns = Vec::with_capacity(shape.len());
    if archive.has("coords") {
        let coords = archive.array_of("coords", 2)?;
        sized(archive, &coords, 0, shape.len())?;
        sized(archive, &coords, 1, count)?;
        let mut rest = coords.values;
        for (d, &size) in shape.iter().enumerate() {
            let next = rest.split_off(count.min(rest.len()));
            let column = Crd::new(std::mem::replace(&mut rest, next), d, size);
            columns.push(column.map_err(|reason| archive.error("coords", reason))?);
        }
    } else {
        if shape.len() != 2 {
            return Err(archive.error("coords", NumpyReason::Missing));
        }
        for (d, name) in ["row", "col"].into_iter().enumerate() {
            let column = archive.array_of(name, 1)?;
            sized(archive, &column, 0, count)?;
            columns.push(coordinates(archive, column, d, shape[d])?);
        }
    }
    Ok((Places::Columns(columns), values.values))
}
