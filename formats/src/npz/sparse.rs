//! A sparse array as it was read, before it has a format: what is asked of it may depend on what it is.

use super::archive::Archive;
use super::layout::{content, Content, Layout};
use super::places::{Crd, Places};
use crate::error::Error;
use crate::fill::Zero;
use crate::level::{Index, Level};
use crate::levels::{Coo, Dense, Element, Singleton, SparseList};
use crate::npy::{as_level, Array, DType, FromArray, Number, NumpyReason, NumpyValue, Values};
use crate::tensor::{ByColumns, Conflict, Duplicates, Entries, Fault, Others, Refuse, Tensor};
use crate::value::{identical, Value};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// Reads a file as a [`Sparse`], or as a tensor of some format.
///
/// ```no_run
/// # use looplets_formats::{npz, Csr, Error};
/// # fn main() -> Result<(), Error> {
/// let a: Csr<f64> = npz::read("a.npz")?;
/// println!("{:?}", a.shape());
/// # Ok(()) }
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::Numpy`] with array and reason if it is malformed or cannot be that tensor
/// without loss; those of [`Sparse::into_tensor`]. An entry given twice is an error for a tensor, not for a [`Sparse`].
pub fn read<T: FromSparse>(path: impl AsRef<Path>) -> Result<T, Error> {
    let path = path.as_ref();
    T::from_sparse(parse(path, open(path)?)?)
}

/// Reads the bytes of a file; `name` stands for the file in errors.
///
/// Linear in what its arrays take, in time and in memory.
///
/// # Errors
/// [`Error::Numpy`] with array and reason; [`Error::Io`] if `bytes` cannot be read.
pub fn parse(name: impl AsRef<Path>, bytes: impl Read + Seek) -> Result<Sparse, Error> {
    let name = name.as_ref();
    let mut archive = Archive::open(name, bytes)?;
    Ok(Sparse { file: name.to_path_buf(), content: content(&mut archive)? })
}

/// Reads one dense array of a file, as `numpy.savez` writes several of them.
///
/// # Errors
/// Those of [`crate::npy::read`]; [`NumpyReason::Missing`] if there is none of this name.
pub fn read_array<T: FromArray>(path: impl AsRef<Path>, name: &str) -> Result<T, Error> {
    let path = path.as_ref();
    let array: Array = Archive::open(path, open(path)?)?.array(name)?;
    T::from_array(array)
}

fn open(path: &Path) -> Result<BufReader<File>, Error> {
    File::open(path).map(BufReader::new).map_err(|error| Error::io(path, &error))
}

/// A sparse array read from a file: entries in the order of the file, duplicates as they came.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    file: PathBuf,
    content: Content,
}

impl Sparse {
    /// How the file lays them out.
    pub fn layout(&self) -> Layout {
        self.content.layout
    }

    /// The size of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.content.shape
    }

    /// The type of the values.
    pub fn dtype(&self) -> DType {
        self.content.values.dtype()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.content.values.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.content.values.is_empty()
    }

    /// The value of each entry.
    pub fn values(&self) -> &Values {
        &self.content.values
    }

    /// The coordinates of the entries, from 0: those of entry `e` are `columns()[d][e]` in each dimension `d`.
    ///
    /// Linear in the number of entries and rows.
    pub fn columns(&self) -> Vec<Vec<usize>> {
        self.content.places.columns(&self.content.shape)
    }

    /// The value of entries that are not stored, if the file says it: that of PyData/Sparse does.
    pub fn fill(&self) -> Option<Number> {
        self.content.fill
    }

    /// The array with its dimensions the other way around: of `csc` it is `csr`, which costs nothing.
    pub fn transposed(mut self) -> Self {
        let content = &mut self.content;
        let rank = content.shape.len();
        content.shape.reverse();
        match &mut content.places {
            Places::Rows { axes, .. } => axes.iter_mut().for_each(|d| *d = rank - 1 - *d),
            Places::Columns(columns) => columns.reverse(),
        }
        content.layout = match content.layout {
            Layout::Csr if rank == 2 => Layout::Csc,
            Layout::Csc => Layout::Csr,
            other => other,
        };
        self
    }

    /// The array as a tensor of as many dimensions.
    ///
    /// An entry that is given more than once is `duplicates`' to combine, in the order of the file. Entries that are not in
    /// the file are the fill of `L`.
    ///
    /// Linear in the number of entries and rows if the entries are in order, or if the sizes are within a small multiple of
    /// their number; otherwise `n log n`. If the entries are in order, each once, and the layout is that of `L`, as `csr` is
    /// of [`Csr`](crate::Csr), `coo` of [`Coo2`](crate::Coo2) and [`Coo3`](crate::Coo3), and either of
    /// [`SparseVec`](crate::SparseVec), the arrays are moved.
    ///
    /// # Errors
    /// [`Error::Numpy`] if a value cannot be one of the format's without loss, if an entry was there before, or if the file
    /// says another fill than the format; [`Error::Rank`]; [`Error::TooLarge`] or [`Error::Unstorable`] if the format
    /// cannot hold them.
    pub fn into_tensor<L: Level + 'static>(
        self,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Tensor<L>, Error>
    where
        L::Value: NumpyValue + Value,
    {
        let Sparse { file, content: Content { shape, places, values, fill, .. } } = self;
        if shape.len() != L::RANK {
            return Err(Error::Rank { expected: L::RANK, found: shape.len() });
        }
        let error = |array: &str, reason| {
            Err(Error::Numpy { file: file.clone(), array: array.to_owned(), reason })
        };
        if let Some(fill) = fill {
            let ours = L::fill();
            // There are many that are no numbers, and none of them is another.
            let same = L::Value::from_number(fill)
                .is_some_and(|v| identical(&v, &ours) || (no_number(&v) && no_number(&ours)));
            if !same {
                let (file, format) = (fill.to_string(), ours.number().to_string());
                return error("fill_value", NumpyReason::Fill { file, format });
            }
        }
        let values = match values.convert::<L::Value>() {
            Ok(values) => values,
            Err(reason) => return error("data", reason),
        };
        let (places, values) = match moved::<L>(&shape, places, values) {
            Ok(root) => return Tensor::from_parts(root),
            Err(parts) => parts,
        };
        let entries = Entries::from_columns(shape.clone(), places.columns(&shape), values);
        drop(places);
        match Tensor::from_entries(entries, duplicates, Others::Fill) {
            Ok(tensor) => Ok(tensor),
            Err(Fault::Other(error)) => Err(error),
            Err(Fault::Conflict(Conflict::Refused, coords, _)) => {
                error("", NumpyReason::Duplicate { coords })
            }
            Err(Fault::Conflict(Conflict::Overflow, coords, _)) => {
                error("", NumpyReason::SumOverflow { coords })
            }
        }
    }
}

/// Whether a value is not itself, as NaN is not.
fn no_number<V: PartialEq>(v: &V) -> bool {
    let itself = v;
    v != itself
}

/// The level whose arrays these are, if they are in order.
fn moved<L: Level + 'static>(
    shape: &[usize],
    places: Places,
    values: Vec<L::Value>,
) -> Result<L, (Places, Vec<L::Value>)>
where
    L::Value: Value,
{
    if !places.ascend() {
        return Err((places, values));
    }
    let parts = (places, values);
    let parts = match with_coordinates::<L, u32>(shape, parts) {
        Err(parts) => parts,
        made => return made,
    };
    let parts = match with_coordinates::<L, u64>(shape, parts) {
        Err(parts) => parts,
        made => return made,
    };
    with_coordinates::<L, usize>(shape, parts)
}

/// The same, if the level has coordinates of type `Ix`.
fn with_coordinates<L: Level + 'static, Ix: Index>(
    shape: &[usize],
    parts: (Places, Vec<L::Value>),
) -> Result<L, (Places, Vec<L::Value>)>
where
    L::Value: Value,
{
    type Leaf<L> = Element<<L as Level>::Value, Zero>;
    if shape.iter().any(|&n| n as i128 > i128::from(Ix::MAX)) {
        return Err(parts);
    }
    let cast = |crd: Crd| crd.cast::<Ix>();
    let each = |columns: Vec<Crd>| columns.into_iter().map(cast);
    match (shape, &parts.0) {
        (&[m, n], Places::Rows { axes, split: 1, .. }) if axes[..] == [0, 1] => {
            as_level::<L, Dense<SparseList<Leaf<L>, Ix>>, _>(parts, |(places, values)| {
                let (pos, crd) = places.into_list();
                Dense::new(m, SparseList::new(n, pos, cast(crd), Element::new(values)))
            })
        }
        (&[n], Places::Columns(_) | Places::Rows { split: 0, .. }) => {
            as_level::<L, SparseList<Leaf<L>, Ix>, _>(parts, |(places, values)| {
                let (pos, crd) = places.into_list();
                SparseList::new(n, pos, cast(crd), Element::new(values))
            })
        }
        (&[m, n], Places::Columns(_)) => {
            as_level::<L, Coo<Singleton<Leaf<L>, Ix>, Ix>, _>(parts, |(places, values)| {
                let mut all = each(places.into_columns());
                let mut next = || all.next().unwrap_or_default();
                let (pos, rows) = (vec![0, values.len()], next());
                Coo::new(m, pos, rows, Singleton::new(n, next(), Element::new(values)))
            })
        }
        (&[l, m, n], Places::Columns(_)) => {
            type Triple<L, Ix> = Coo<Singleton<Singleton<Leaf<L>, Ix>, Ix>, Ix>;
            as_level::<L, Triple<L, Ix>, _>(parts, |(places, values)| {
                let mut all = each(places.into_columns());
                let mut next = || all.next().unwrap_or_default();
                let (pos, first, second) = (vec![0, values.len()], next(), next());
                let last = Singleton::new(n, next(), Element::new(values));
                Coo::new(l, pos, first, Singleton::new(m, second, last))
            })
        }
        _ => Err(parts),
    }
}

/// What [`super::read()`] can make of a file.
pub trait FromSparse: Sized {
    /// Makes it of what was read.
    ///
    /// # Errors
    /// If the array cannot be that.
    fn from_sparse(sparse: Sparse) -> Result<Self, Error>;
}

impl FromSparse for Sparse {
    fn from_sparse(sparse: Sparse) -> Result<Self, Error> {
        Ok(sparse)
    }
}

/// Duplicates are refused.
impl<L: Level + 'static> FromSparse for Tensor<L>
where
    L::Value: NumpyValue + Value,
{
    fn from_sparse(sparse: Sparse) -> Result<Self, Error> {
        sparse.into_tensor(Refuse)
    }
}

/// Duplicates are refused. Of `csc` and [`Csc`](crate::Csc) the arrays are moved.
impl<L: Level + 'static> FromSparse for ByColumns<L>
where
    L::Value: NumpyValue + Value,
{
    fn from_sparse(sparse: Sparse) -> Result<Self, Error> {
        Self::of_transposed(sparse.transposed().into_tensor(Refuse))
    }
}
