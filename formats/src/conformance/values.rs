//! Values that go wrong: the one place from which tests of kernels, formats and rules take elements.
//!
//! It stands by itself, so that tests of crates that know nothing of formats can include it by its path.

/// A type of elements, with the values that tests draw.
pub trait Hostile: Copy + Default + 'static {
    /// Fractions, small whole numbers of either sign and both zeros, of which sums and products of a few
    /// are exact. Some are equal to fills, and two of them are often equal.
    const SMALL: &'static [Self];
    /// What is exact by luck only, or by itself: the ends of the type, the least numbers that are not
    /// zero, numbers that no sum keeps, infinities and NaN.
    const EXTREME: &'static [Self];

    /// The `k`th of all values, the small ones first and again after the others.
    fn hostile(k: usize) -> Self {
        let all = Self::SMALL.len() + Self::EXTREME.len();
        match k % all {
            k if k < Self::SMALL.len() => Self::SMALL[k],
            k => Self::EXTREME[k - Self::SMALL.len()],
        }
    }
    /// The `k`th small value, counted around.
    fn small(k: usize) -> Self {
        Self::SMALL[k % Self::SMALL.len()]
    }
    /// The `k`th extreme value, counted around; a type without ends has small ones alone.
    fn extreme(k: usize) -> Self {
        match Self::EXTREME {
            [] => Self::small(k),
            all => all[k % all.len()],
        }
    }
}

macro_rules! floats {
    ($($t:ident: $least:literal, $odd:literal;)*) => {$(
        impl Hostile for $t {
            const SMALL: &'static [$t] = &[
                1.0, 0.0, 0.25, -1.0, 2.0, 0.5, -0.0, 3.0, -0.75, 1.0, -2.5, 0.0, 1.5, 4.0, -3.0,
            ];
            const EXTREME: &'static [$t] = &[
                $t::NAN, $t::INFINITY, $t::NEG_INFINITY, $t::MAX, $t::MIN, $t::MIN_POSITIVE, $least,
                -$least, 0.1, -1.0 / 3.0, $t::EPSILON, 1.0 + $t::EPSILON, $odd, -$odd, -0.0,
            ];
        }
    )*};
}
floats! {
    f64: 5e-324, 9007199254740991.0;
    f32: 1e-45, 16777215.0;
}

macro_rules! signed {
    ($($t:ident)*) => {$(
        impl Hostile for $t {
            const SMALL: &'static [$t] = &[1, 0, 2, -1, 3, 0, -2, 1, 5, -3, 4];
            const EXTREME: &'static [$t] =
                &[$t::MAX, $t::MIN, $t::MAX - 1, $t::MIN + 1, $t::MAX / 2 + 1, $t::MIN / 2 - 1];
        }
    )*};
}
signed!(i8 i16 i32 i64 isize);

macro_rules! unsigned {
    ($($t:ident)*) => {$(
        impl Hostile for $t {
            const SMALL: &'static [$t] = &[1, 0, 2, 1, 3, 0, 4, 1, 5, 2];
            const EXTREME: &'static [$t] = &[$t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1];
        }
    )*};
}
unsigned!(u8 u16 u32 u64 usize);

impl Hostile for bool {
    const SMALL: &'static [bool] = &[true, false, false, true, true];
    const EXTREME: &'static [bool] = &[];
}
