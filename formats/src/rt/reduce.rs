//! Reductions that are no operators of Rust: `min`, `max`, their pairs, `choose`, many equal
//! contributions at once; and the negation of unsigned numbers.

/// `v` times itself, `n` factors in all, in `O(log n)` products. `n` is one at least.
///
/// # Panics
/// If a product does.
#[inline]
#[track_caller]
pub fn power<T: Clone + std::ops::Mul<Output = T>>(v: T, n: i64) -> T {
    if n <= 1 {
        return v;
    }
    let half = power(v.clone(), n / 2);
    let square = half.clone() * half;
    match n % 2 {
        0 => square,
        _ => square * v,
    }
}

/// Floats of which a product can be added without being rounded first.
pub trait MultiplyAdd {
    /// `self * b + c`.
    fn multiply_add(self, b: Self, c: Self) -> Self;
    /// The same, rounded once.
    fn multiply_add_once(self, b: Self, c: Self) -> Self;
}

macro_rules! multiply_add {
    ($($float:ty),*) => {$(
        impl MultiplyAdd for $float {
            #[inline(always)]
            fn multiply_add(self, b: Self, c: Self) -> Self {
                // Elsewhere it is a call, and slow.
                if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
                    self.mul_add(b, c)
                } else {
                    self * b + c
                }
            }
            #[inline(always)]
            fn multiply_add_once(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
        }
    )*};
}
multiply_add!(f32, f64);

/// `a * b + c`, rounded once if the target has an instruction for that, otherwise twice.
#[inline(always)]
pub fn multiply_add<T: MultiplyAdd>(a: T, b: T, c: T) -> T {
    a.multiply_add(b, c)
}

/// `a * b + c`, rounded once: for code that is compiled for processors with an instruction for that.
#[inline(always)]
pub fn multiply_add_once<T: MultiplyAdd>(a: T, b: T, c: T) -> T {
    a.multiply_add_once(b, c)
}

/// The pair with the lesser first part; the first of the two if they do not differ or compare.
#[inline(always)]
pub fn minby<T: By>(a: T, b: T) -> T {
    if b.key() < a.key() {
        b
    } else {
        a
    }
}

/// The pair with the greater first part; the first of the two if they do not differ or compare.
#[inline(always)]
pub fn maxby<T: By>(a: T, b: T) -> T {
    if b.key() > a.key() {
        b
    } else {
        a
    }
}

/// What `minby` and `maxby` take: a tuple, by its first part.
pub trait By {
    /// The first part's type.
    type Key: PartialOrd;
    /// The first part.
    fn key(&self) -> &Self::Key;
}

macro_rules! by {
    ($(($($rest:ident),*))*) => {$(
        impl<K: PartialOrd, $($rest),*> By for (K, $($rest),*) {
            type Key = K;
            #[inline(always)]
            fn key(&self) -> &K {
                &self.0
            }
        }
    )*};
}
by!((A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E));

/// `a` if it is not the fill, else `b`.
#[inline(always)]
pub fn choose<T: PartialEq>(a: T, b: T, fill: T) -> T {
    if a == fill {
        b
    } else {
        a
    }
}

/// The lesser of two values of a generic type: the second if the first is not equal to itself, as NaN is not, and otherwise the first
/// if they cannot be compared.
#[inline(always)]
#[allow(clippy::eq_op)]
pub fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a || a != a {
        b
    } else {
        a
    }
}

/// The greater of two values of a generic type, as [`min`] has the lesser.
#[inline(always)]
#[allow(clippy::eq_op)]
pub fn max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a || a != a {
        b
    } else {
        a
    }
}

/// Integers of which a run of equal ones is added at once.
pub trait Many: Sized {
    /// `self` and `n` times `v`, as if added one by one.
    #[must_use]
    fn plus_many(self, v: Self, n: i64) -> Self;
    /// `self` less `n` times `v`, as if taken away one by one.
    #[must_use]
    fn minus_many(self, v: Self, n: i64) -> Self;
    /// `self` times `v` to the power of `n`, as if multiplied one by one.
    #[must_use]
    fn times_many(self, v: Self, n: i64) -> Self;
}

macro_rules! many {
    ($($t:ty),*) => {
        $(impl Many for $t {
            #[inline(always)]
            #[track_caller]
            fn plus_many(self, v: $t, n: i64) -> $t {
                if !cfg!(debug_assertions) {
                    return self.wrapping_add(v.wrapping_mul(n as $t));
                }
                // One by one it overflows on the way just if it does in the end.
                match <$t>::try_from(self as i128 + v as i128 * i128::from(n)) {
                    Ok(sum) => sum,
                    Err(_) => panic!("attempt to add with overflow"),
                }
            }
            #[inline(always)]
            #[track_caller]
            fn minus_many(self, v: $t, n: i64) -> $t {
                if !cfg!(debug_assertions) {
                    return self.wrapping_sub(v.wrapping_mul(n as $t));
                }
                match <$t>::try_from(self as i128 - v as i128 * i128::from(n)) {
                    Ok(sum) => sum,
                    Err(_) => panic!("attempt to subtract with overflow"),
                }
            }
            #[inline(always)]
            #[track_caller]
            fn times_many(mut self, mut v: $t, mut n: i64) -> $t {
                if !cfg!(debug_assertions) {
                    while n > 0 {
                        if n % 2 == 1 {
                            self = self.wrapping_mul(v);
                        }
                        (v, n) = (v.wrapping_mul(v), n / 2);
                    }
                    return self;
                }
                // One by one is soon over: what grows overflows, what does not is still or alternates.
                if <$t>::MIN != 0 && v.wrapping_add(1) == 0 {
                    n = n.min(2 - n % 2);
                }
                while n > 0 {
                    match self.checked_mul(v) {
                        Some(next) if next == self => return self,
                        Some(next) => (self, n) = (next, n - 1),
                        None => panic!("attempt to multiply with overflow"),
                    }
                }
                self
            }
        })*
    };
}

many!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Numbers that have no negative ones: what is left of a difference whose first operand is 0.
pub trait Negate: Sized {
    /// `0 - self`, which overflows, as it does there, unless it is 0.
    #[must_use]
    fn negate(self) -> Self;
}

macro_rules! negate {
    ($($t:ty),*) => {
        $(impl Negate for $t {
            #[inline(always)]
            #[track_caller]
            fn negate(self) -> $t {
                assert!(!cfg!(debug_assertions) || self == 0, "attempt to subtract with overflow");
                self.wrapping_neg()
            }
        })*
    };
}

negate!(u8, u16, u32, u64, u128, usize);
