//! What becomes of an entry that is given twice. It is the caller's word and a type of its own,
//! so that only those who sum need values that can be summed.

use num_complex::Complex;

/// Why an entry that is given twice is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Duplicates are not allowed.
    Refused,
    /// Their sum does not fit the type.
    Overflow,
}

/// Combines the values of an entry that is given more than once: [`Sum`], [`Refuse`], [`Last`],
/// or any `FnMut(&mut V, V)`, which is called with what is kept so far and the next value, in
/// the order of input.
pub trait Duplicates<V> {
    /// Combines `next` into `kept`.
    ///
    /// # Errors
    /// If this may not be.
    fn combine(&mut self, kept: &mut V, next: V) -> Result<(), Conflict>;
}

/// Values of the same entry are added, in the order of input. Booleans are or'ed.
/// An integer sum that overflows is an error.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

/// An entry given twice is an error.
#[derive(Clone, Copy, Debug)]
pub struct Refuse;

/// The value that is given last counts.
#[derive(Clone, Copy, Debug)]
pub struct Last;

impl<V: Accumulate> Duplicates<V> for Sum {
    fn combine(&mut self, kept: &mut V, next: V) -> Result<(), Conflict> {
        match kept.accumulate(next) {
            true => Ok(()),
            false => Err(Conflict::Overflow),
        }
    }
}

impl<V> Duplicates<V> for Refuse {
    fn combine(&mut self, _: &mut V, _: V) -> Result<(), Conflict> {
        Err(Conflict::Refused)
    }
}

impl<V> Duplicates<V> for Last {
    fn combine(&mut self, kept: &mut V, next: V) -> Result<(), Conflict> {
        *kept = next;
        Ok(())
    }
}

impl<V, F: FnMut(&mut V, V)> Duplicates<V> for F {
    fn combine(&mut self, kept: &mut V, next: V) -> Result<(), Conflict> {
        self(kept, next);
        Ok(())
    }
}

/// A value that [`Sum`] can add up.
pub trait Accumulate {
    /// Adds `next`; false, with any value left behind, if the sum does not fit the type.
    #[must_use]
    fn accumulate(&mut self, next: Self) -> bool;
}

macro_rules! accumulate {
    (integers: $($int:ty),*; others: $($other:ty),*) => {
        $(impl Accumulate for $int {
            fn accumulate(&mut self, next: Self) -> bool {
                let sum = self.checked_add(next);
                *self = sum.unwrap_or(*self);
                sum.is_some()
            }
        })*
        $(impl Accumulate for $other {
            fn accumulate(&mut self, next: Self) -> bool {
                *self += next;
                true
            }
        })*
    };
}

accumulate!(
    integers: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    others: f32, f64, Complex<f32>, Complex<f64>
);

impl Accumulate for bool {
    fn accumulate(&mut self, next: Self) -> bool {
        *self |= next;
        true
    }
}
