//! Where entries are: coordinates as files have them, of 4 or 8 bytes, kept so that they become those of a level without a
//! copy.

use crate::level::Index;
use crate::npy::{NumpyReason, Values};

/// Coordinates of one dimension, or of several that are taken as one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Crd {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Crd {
    /// The coordinates that `values` are, which have to be below `size`.
    pub fn new(values: Values, dimension: usize, size: usize) -> Result<Self, NumpyReason> {
        // A pass that checks, then one that changes the type where the array is.
        macro_rules! checked {
            ($all:ident, $kind:ident, $wide:ty) => {{
                for (entry, &c) in $all.iter().enumerate() {
                    match usize::try_from(c) {
                        Ok(index) if index < size => {}
                        Ok(index) => {
                            return Err(NumpyReason::OutOfRange { entry, index, dimension, size });
                        }
                        Err(_) => return Err(NumpyReason::Index { entry, value: c.to_string() }),
                    }
                }
                Ok(Crd::$kind($all.into_iter().map(|c| c as $wide).collect()))
            }};
        }
        match values {
            Values::I8(all) => checked!(all, Narrow, u32),
            Values::I16(all) => checked!(all, Narrow, u32),
            Values::I32(all) => checked!(all, Narrow, u32),
            Values::U8(all) => checked!(all, Narrow, u32),
            Values::U16(all) => checked!(all, Narrow, u32),
            Values::U32(all) => checked!(all, Narrow, u32),
            Values::I64(all) => checked!(all, Wide, u64),
            Values::U64(all) => checked!(all, Wide, u64),
            other => match other.get(0) {
                // Of nothing, NumPy makes an array of real numbers.
                None => Ok(Crd::Narrow(Vec::new())),
                Some(value) => Err(NumpyReason::Index { entry: 0, value: value.to_string() }),
            },
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Crd::Narrow(all) => all.len(),
            Crd::Wide(all) => all.len(),
        }
    }

    pub fn get(&self, e: usize) -> usize {
        match self {
            Crd::Narrow(all) => all[e] as usize,
            Crd::Wide(all) => all[e] as usize,
        }
    }

    /// The same as coordinates of a level; where they are as wide, in the same memory.
    ///
    /// # Panics
    /// If one of them does not fit: it has to be below a size that does.
    pub fn cast<Ix: Index>(self) -> Vec<Ix> {
        match self {
            Crd::Narrow(all) => all.into_iter().map(|c| Ix::from_i64(c.into())).collect(),
            Crd::Wide(all) => all.into_iter().map(|c| Ix::from_i64(c as i64)).collect(),
        }
    }
}

/// Where the entries are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Places {
    /// Rows of entries: of `axes`, the first `split` are taken as one of rows, the others as one of columns. Row `r` has the
    /// entries `pos[r]..pos[r + 1]`.
    Rows { axes: Vec<usize>, split: usize, pos: Vec<usize>, crd: Crd },
    /// A column of coordinates for each dimension.
    Columns(Vec<Crd>),
}

impl Places {
    /// Where rows begin, and the coordinates of the last dimension.
    pub fn into_list(self) -> (Vec<usize>, Crd) {
        match self {
            Places::Rows { pos, crd, .. } => (pos, crd),
            Places::Columns(columns) => {
                let crd = columns.into_iter().next_back().unwrap_or(Crd::Narrow(Vec::new()));
                (vec![0, crd.len()], crd)
            }
        }
    }

    /// The coordinates of each dimension, of which rows have one.
    pub fn into_columns(self) -> Vec<Crd> {
        match self {
            Places::Rows { crd, .. } => vec![crd],
            Places::Columns(columns) => columns,
        }
    }

    /// The coordinates in each dimension, in the order of the entries.
    pub fn columns(&self, shape: &[usize]) -> Vec<Vec<usize>> {
        match self {
            Places::Columns(all) => {
                all.iter().map(|crd| (0..crd.len()).map(|e| crd.get(e)).collect()).collect()
            }
            Places::Rows { axes, split, pos, crd } => {
                let mut columns = vec![Vec::with_capacity(crd.len()); shape.len()];
                let mut push = |axes: &[usize], mut joined: usize, times: usize| {
                    for &d in axes.iter().rev() {
                        // A dimension of size 0 has no entry.
                        let c = joined % shape[d];
                        joined /= shape[d];
                        columns[d].extend(std::iter::repeat_n(c, times));
                    }
                };
                for (r, ends) in pos.windows(2).enumerate() {
                    if ends[0] < ends[1] {
                        push(&axes[..*split], r, ends[1] - ends[0]);
                    }
                    (ends[0]..ends[1]).for_each(|e| push(&axes[*split..], crd.get(e), 1));
                }
                columns
            }
        }
    }

    /// Whether the entries of each row ascend, each once; of columns, whether all do.
    pub fn ascend(&self) -> bool {
        match self {
            Places::Rows { pos, crd, .. } => pos.windows(2).all(|ends| match crd {
                Crd::Narrow(all) => all[ends[0]..ends[1]].is_sorted_by(|a, b| a < b),
                Crd::Wide(all) => all[ends[0]..ends[1]].is_sorted_by(|a, b| a < b),
            }),
            Places::Columns(all) => {
                let count = all.first().map_or(0, Crd::len);
                (1..count)
                    .all(|e| all.iter().map(|c| c.get(e - 1)).lt(all.iter().map(|c| c.get(e))))
            }
        }
    }
}
