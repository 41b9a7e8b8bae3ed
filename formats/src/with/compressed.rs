//! Compressed rows as all crates have them: a `Csr` from their arrays, and back. Arrays of one type move.

use crate::error::Error;
use crate::{Csr, Dense, Element, Index, Level, SparseList, Value};
use crate::{SparseVec, Tensor};
use std::any::Any;

/// The arrays of compressed rows.
pub(super) struct Rows<P, I, T> {
    /// How many rows and columns.
    pub shape: [usize; 2],
    /// Where each row begins, and the last ends.
    pub pos: Vec<P>,
    /// Columns.
    pub crd: Vec<I>,
    /// Values.
    pub val: Vec<T>,
}

/// These numbers in another type: the same vector if it is the same type. The first that does not fit is an error.
pub(super) fn numbers<A: Copy + 'static, B: 'static>(
    all: Vec<A>,
    one: impl Fn(A) -> Option<B>,
) -> Result<Vec<B>, A> {
    let mut all = Some(all);
    if let Some(same) = (&mut all as &mut dyn Any).downcast_mut::<Option<Vec<B>>>() {
        return Ok(same.take().unwrap_or_default());
    }
    all.into_iter().flatten().map(|a| one(a).ok_or(a)).collect()
}

/// The coordinate as a level stores it, if it fits.
fn index<Ix: Index>(i: usize) -> Option<Ix> {
    let i = i64::try_from(i).ok().filter(|i| *i < Ix::MAX)?;
    Some(Ix::from_i64(i))
}

/// The coordinates of a level, of numbers of any type.
pub(super) fn coordinates<Ix: Index, I: Copy + 'static>(
    all: Vec<I>,
    shape: &[usize],
    number: impl Fn(I) -> Option<usize>,
) -> Result<Vec<Ix>, Error> {
    let made = numbers(all, |i| index(number(i)?));
    made.map_err(|bad| Error::Unstorable {
        level: <SparseList<Element<bool>, Ix> as Level>::NAME,
        shape: shape.to_vec(),
        reason: match number(bad) {
            Some(i) => {
                format!("coordinate {i} does not fit the type {}", std::any::type_name::<Ix>())
            }
            None => "a coordinate is below 0".to_owned(),
        },
    })
}

impl<P: Copy + 'static, I: Copy + 'static, T: Value> Rows<P, I, T> {
    /// The tensor of these rows.
    pub fn tensor<Ix: Index>(
        self,
        place: impl Fn(P) -> Option<usize>,
        number: impl Fn(I) -> Option<usize>,
    ) -> Result<Csr<T, Ix>, Error> {
        let Rows { shape: [rows, cols], pos, crd, val } = self;
        let pos = numbers(pos, place).map_err(|_| Error::Invariant {
            level: <SparseList<Element<T>, Ix> as Level>::NAME,
            reason: "a row begins below 0".to_owned(),
        })?;
        let crd = coordinates(crd, &[rows, cols], number)?;
        Tensor::from_parts(Dense::new(rows, SparseList::new(cols, pos, crd, Element::new(val))))
    }
}

impl<T: Value, Ix: Index> Rows<usize, Ix, T> {
    /// The rows of a tensor.
    pub fn of(a: Csr<T, Ix>) -> Self {
        let (rows, below) = a.into_root().into_parts();
        let (cols, pos, crd, leaf) = below.into_parts();
        Rows { shape: [rows, cols], pos, crd, val: leaf.into_parts().0 }
    }

    /// The same in other types of numbers, for `level`, a type of another crate.
    pub fn renumbered<P: Copy + 'static, I: Copy + 'static>(
        self,
        level: &'static str,
        place: impl Fn(usize) -> Option<P>,
        number: impl Fn(usize) -> Option<I>,
    ) -> Result<Rows<P, I, T>, Error> {
        let Rows { shape, pos, crd, val } = self;
        let unfit = |what: &str, i: usize| Error::Unstorable {
            level,
            shape: shape.to_vec(),
            reason: format!("{what} {i} does not fit its type of indices"),
        };
        let pos = numbers(pos, place).map_err(|p| unfit("offset", p))?;
        let crd = numbers(crd, |c| number(c.to_i64() as usize))
            .map_err(|c: Ix| unfit("coordinate", c.to_i64() as usize))?;
        Ok(Rows { shape, pos, crd, val })
    }
}

/// The size, the coordinates and the values of a vector.
pub(super) fn vector<T: Value, Ix: Index>(x: SparseVec<T, Ix>) -> (usize, Vec<Ix>, Vec<T>) {
    let (len, _, crd, leaf) = x.into_root().into_parts();
    (len, crd, leaf.into_parts().0)
}
