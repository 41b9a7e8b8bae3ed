//! Fill markers: types that name the value of everything a leaf does not store.

use crate::Value;

/// A compile-time value of type `T`, named by a type so that a format can carry it:
/// `Element<f64, Inf>`. Declared by [`fill!`](macro@crate::fill), so that `finch!` knows the value too.
pub trait Fill<T> {
    /// The value.
    const VALUE: T;
}

crate::fill! {
    /// Zero (`false` for booleans): the fill of leaves that do not say otherwise.
    pub fill Zero = 0;
}
impl<T: Value> Fill<T> for Zero {
    const VALUE: T = T::ZERO;
}

crate::fill! {
    /// One.
    pub fill One: u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64 = 1;
}
crate::fill! {
    /// Positive infinity, the identity of a float `min`.
    pub fill Inf: f32, f64 = inf;
}
crate::fill! {
    /// Negative infinity, the identity of a float `max`.
    pub fill NegInf: f32, f64 = -inf;
}
crate::fill! {
    /// Not a number, which sums, differences and quotients keep: where either operand has this fill,
    /// so has the result.
    pub fill NaN: f32, f64 = nan;
}
crate::fill! {
    /// The whole number `N`, which the type of the values must have:
    ///
    /// ```compile_fail
    /// # use looplets_formats::*;
    /// let a = Tensor::<SparseList<Element<u8, Const<300>>>>::new([3]).unwrap();
    /// assert_eq!(a.to_dense(), [44; 3]);
    /// ```
    pub fill Const<const N: i64>: u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64 = N;
}
crate::fill! {
    /// `true`.
    pub fill True: bool = true;
}
crate::fill! {
    /// `false`, the fill of a [`Pattern`](crate::Pattern).
    pub fill False: bool = false;
}
