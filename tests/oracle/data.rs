//! Inputs for the oracle's comparisons: few, small, and at the edges.

use looplets::conformance::Hostile;
use looplets::{Level, Refuse, Tensor};

/// One element of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// Not stored, where the format has the choice.
    Absent,
    /// The fill, stored.
    Fill,
    /// A number, stored.
    Num(i64),
    /// One of the small values of the type, stored.
    Small(usize),
    /// One of its extreme values, stored.
    Extreme(usize),
    /// The same of floats; of whole numbers a small one, so that none is too large.
    Special(usize),
}
use Item::{Absent, Extreme, Fill, Num, Small, Special};

pub const SIZES: [usize; 4] = [0, 1, 2, 7];

/// Shapes of matrices: empty in either dimension, single, wide and tall.
pub const SHAPES: [[usize; 2]; 7] = [[0, 0], [0, 3], [3, 0], [1, 1], [2, 7], [7, 2], [4, 5]];

/// How many contents there are.
pub const KINDS: usize = 10;

/// The `kind`th content of `n` elements.
pub fn items(kind: usize, n: usize) -> Vec<Item> {
    let number = |k: usize| Num(1 + (k as i64 * 7) % 5);
    (0..n)
        .map(|k| match kind {
            0 => Absent,
            1 => Small(k * 7 + n),
            2 if k % 3 == 1 => Special(k / 3 + n),
            3 if k == 0 => number(k),
            4 if k + 1 == n => Num(-2),
            5 => Fill,
            6 if k >= n / 3 && k <= 2 * n / 3 => number(k),
            7 => Num((k / 3) as i64),
            8 => match ((k * 2654435761) >> 7) % 4 {
                0 => Absent,
                1 => Fill,
                _ => Small((k * 40503) >> 3),
            },
            9 if k % 2 == 0 => Num(-(k as i64) - 1),
            _ => Absent,
        })
        .collect()
}

/// Numbers as elements.
pub trait Number: Hostile {
    fn number(n: i64) -> Self;
    /// An extreme value of a float, a small one of other types.
    fn special(k: usize) -> Self;
}
macro_rules! number {
    ($($t:ty: $n:ident => $e:expr),*) => {$(
        impl Number for $t {
            fn number($n: i64) -> Self {
                $e
            }
            fn special(k: usize) -> Self {
                if std::any::type_name::<$t>().starts_with('f') {
                    Self::extreme(k)
                } else {
                    Self::small(k)
                }
            }
        }
    )*};
}
number!(
    f64: n => n as f64, f32: n => n as f32, i64: n => n, i32: n => n as i32, i8: n => n as i8, u8: n => n.unsigned_abs() as u8,
    u32: n => n.unsigned_abs() as u32, u64: n => n.unsigned_abs(), usize: n => n.unsigned_abs() as usize, bool: n => n % 2 != 0
);

/// The tensor of `shape` with these elements.
pub fn tensor<L: Level>(shape: &[usize], items: &[Item]) -> Tensor<L>
where
    L::Value: Number,
{
    let mut entries = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let mut coords = vec![0; shape.len()];
        let mut rest = at;
        for (c, n) in coords.iter_mut().zip(shape).rev() {
            *c = rest % n;
            rest /= n;
        }
        match item {
            Absent => {}
            Fill => entries.push((coords, L::fill())),
            Num(n) => entries.push((coords, L::Value::number(*n))),
            Small(k) => entries.push((coords, L::Value::small(*k))),
            Extreme(k) => entries.push((coords, L::Value::extreme(*k))),
            Special(k) => entries.push((coords, L::Value::special(*k))),
        }
    }
    Tensor::from_triplets(shape, entries, Refuse).expect("small tensors can be stored")
}

/// The `kind`th vector of `n` elements.
pub fn vector<L: Level>(kind: usize, n: usize) -> Tensor<L>
where
    L::Value: Number,
{
    tensor(&[n], &items(kind, n))
}

/// The `kind`th matrix of a shape.
pub fn matrix<L: Level>(kind: usize, shape: [usize; 2]) -> Tensor<L>
where
    L::Value: Number,
{
    tensor(&shape, &items(kind, shape[0] * shape[1]))
}

/// Calls `f` with every size and every content.
pub fn vectors(mut f: impl FnMut(usize, usize)) {
    for n in SIZES {
        for kind in 0..KINDS {
            f(n, kind);
        }
    }
}

/// Calls `f` with every size and every pair of contents.
pub fn pairs(mut f: impl FnMut(usize, usize, usize)) {
    vectors(|n, a| (0..KINDS).for_each(|b| f(n, a, b)));
}

/// Calls `f` with every shape and every content, and another content that differs from it.
pub fn matrices(mut f: impl FnMut([usize; 2], usize, usize)) {
    for shape in SHAPES {
        for kind in 0..KINDS {
            f(shape, kind, (kind * 3 + 1) % KINDS);
        }
    }
}
