//! Random tensors of any format, by the generators and distributions of rand. The same state of a generator gives the
//! same tensor, in any format.

use crate::error::{Error, Shape};
use crate::level::Level;
use crate::tensor::{Entries, Others};
use crate::Tensor;
use ::rand::distr::{Distribution, StandardUniform};
use ::rand::{Rng, RngExt};
use std::collections::HashSet;

/// How often a value is drawn for an entry until it is one that the leaf can store.
const DRAWS: usize = 1000;

mod sealed {
    pub trait Sealed {}
}

/// How many entries of a tensor are stored: a fraction of its elements between 0 and 1 (`f64`, `f32`), rounded to the
/// nearest number of them, or a number of entries (any type of whole numbers).
pub trait Amount: sealed::Sealed {
    /// So many of `elements`.
    ///
    /// # Errors
    /// The reason, if there are not so many.
    fn of(self, elements: u128) -> Result<usize, String>;
}

macro_rules! amount {
    ($($float:ty)*; $($whole:ty)*) => {
        $(impl sealed::Sealed for $float {}
        impl Amount for $float {
            fn of(self, elements: u128) -> Result<usize, String> {
                let density = f64::from(self);
                if !(0.0..=1.0).contains(&density) {
                    return Err(format!("a density of {self} is not between 0 and 1"));
                }
                let count = if density == 1.0 { elements } else { (density * elements as f64).round() as u128 };
                usize::try_from(count.min(elements)).map_err(|_| format!("{count} entries are too many"))
            }
        })*
        $(impl sealed::Sealed for $whole {}
        impl Amount for $whole {
            fn of(self, elements: u128) -> Result<usize, String> {
                let count = usize::try_from(self).ok().filter(|n| *n as u128 <= elements);
                count.ok_or_else(|| format!("there are {elements} elements, and {self} entries are asked for"))
            }
        })*
    };
}
amount!(f32 f64; u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<L: Level> Tensor<L> {
    /// A random tensor of `shape`: `amount` of its elements are stored, a fraction of them or a number. Each set of so
    /// many elements is as likely as any other, and values are those that rand calls standard: of floats, between 0 and
    /// 1; of integers, all that there are. For others see [`Tensor::random_of`].
    ///
    /// In a format that stores two elements as one, as `Symmetric`, one of them drawn is enough; one that cannot store
    /// all elements, as a triangle, refuses the others.
    ///
    /// Takes time and memory for the entries, and the time to sort them; if more than half of the elements are stored,
    /// time linear in the elements.
    ///
    /// # Errors
    /// [`Error::Operator`] if there are not so many elements, or no value drawn can be stored by the leaf, which draws
    /// again for a value that it cannot; and those of [`Tensor::from_triplets`] but for duplicates.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Graph, Tensor};
    /// use rand::{rngs::SmallRng, SeedableRng};
    ///
    /// let mut rng = SmallRng::seed_from_u64(7);
    /// let a: Csr<f64> = Tensor::random(&mut rng, [100, 200], 0.01)?;
    /// assert_eq!(a.stored(), 200);
    /// let g: Graph = Tensor::random(&mut rng, [1_000_000, 1_000_000], 5_000)?;
    /// assert_eq!(g.stored(), 5_000);
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn random<R: Rng + ?Sized>(
        rng: &mut R,
        shape: impl AsRef<[usize]>,
        amount: impl Amount,
    ) -> Result<Self, Error>
    where
        StandardUniform: Distribution<L::Value>,
    {
        Self::random_of(rng, shape, amount, StandardUniform)
    }

    /// [`Tensor::random`] with values of a distribution: `rand::distr::Uniform`, a choice from a slice
    /// (`rand::distr::slice::Choose`, and `map`), or one of another crate.
    ///
    /// # Errors
    /// Those of [`Tensor::random`].
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{SparseVec, Tensor};
    /// use rand::distr::Uniform;
    /// use rand::{rngs::SmallRng, SeedableRng};
    ///
    /// let dice = Uniform::new_inclusive(1, 6).unwrap();
    /// let x: SparseVec<u8> = Tensor::random_of(&mut SmallRng::seed_from_u64(7), [50], 20, dice)?;
    /// assert!(x.values().unwrap().iter().all(|v| (1..=6).contains(v)));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn random_of<R: Rng + ?Sized>(
        rng: &mut R,
        shape: impl AsRef<[usize]>,
        amount: impl Amount,
        values: impl Distribution<L::Value>,
    ) -> Result<Self, Error> {
        let shape = shape.as_ref();
        crate::tensor::rank::<L>(shape.len())?;
        let elements = match shape.contains(&0) {
            true => Some(0),
            false => shape.iter().try_fold(1u128, |all, &n| all.checked_mul(n as u128)),
        };
        let elements = elements.ok_or_else(|| Error::TooLarge { shape: shape.to_vec() })?;
        let refused =
            |reason| Error::Operator { operator: format!("`random` of {}", Shape(shape)), reason };
        let count = amount.of(elements).map_err(refused)?;
        let mut entries = Entries::new(shape);
        entries.room(count)?;
        let mut coords = vec![0; shape.len()];
        let places = places(rng, elements, count);
        let places = places.ok_or_else(|| Error::TooLarge { shape: shape.to_vec() })?;
        for place in places {
            let mut rest = place;
            for (c, &n) in coords.iter_mut().zip(shape).rev() {
                (*c, rest) = ((rest % n as u128) as usize, rest / n as u128);
            }
            let drawn = (0..DRAWS).map(|_| values.sample(rng)).find(|value| L::storable(value));
            let value = drawn
                .ok_or_else(|| refused("the leaf can store no value that was drawn".to_owned()))?;
            entries.push_run(&coords, coords.last().map_or(0, |c| c + 1), value);
        }
        Self::from_each(&entries)
    }

    /// The tensor of these entries, of which two that are one are the first.
    fn from_each(entries: &Entries<L::Value>) -> Result<Self, Error> {
        if L::FOLDS.is_none() {
            return Self::from_sorted(entries, Others::Follow);
        }
        let empty = Self::new(&entries.shape)?;
        let mut folded = Entries::new(&entries.shape);
        for (mut at, value) in entries.singles() {
            empty.root().fold(&mut at, 0);
            folded.push(&at, value.clone())?;
        }
        Self::from_entries(folded, |_: &mut L::Value, _: L::Value| {}, Others::Follow)
            .map_err(crate::tensor::Fault::told)
    }
}

/// So many of the numbers below `all`, in ascending order, if there is memory for them.
fn places<R: Rng + ?Sized>(rng: &mut R, all: u128, count: usize) -> Option<Vec<u128>> {
    let mut places = Vec::new();
    places.try_reserve_exact(count).ok()?;
    if count as u128 > all / 2 {
        // Each is taken with the chance that as many are left to be taken as there are left.
        let mut left = count as u128;
        let taken = |place: &u128| {
            let take = left > 0 && below(rng, all - place) < left;
            left -= u128::from(take);
            take
        };
        places.extend((0..all).filter(taken));
        return Some(places);
    }
    // Floyd's: a number that was drawn before stands for the last of those it was drawn from.
    let mut drawn = HashSet::new();
    drawn.try_reserve(count).ok()?;
    for last in all - count as u128..all {
        let place = below(rng, last + 1);
        if !drawn.insert(place) {
            drawn.insert(last);
        }
    }
    places.extend(drawn);
    places.sort_unstable();
    Some(places)
}

/// A random number below `end`, of as many bits of the generator as it needs.
fn below<R: Rng + ?Sized>(rng: &mut R, end: u128) -> u128 {
    match u64::try_from(end) {
        Ok(end) => rng.random_range(0..end).into(),
        Err(_) => rng.random_range(0..end),
    }
}
