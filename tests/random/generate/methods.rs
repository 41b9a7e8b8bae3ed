//! Numbers that depend on the width of their type: methods of it, `!` of its bits, and conversions by `as`.

use super::expr::E;
use super::Gen;

/// What a method that counts bits is called.
const COUNTS: &[&str] =
    &["leading_zeros", "trailing_zeros", "leading_ones", "count_ones", "count_zeros"];

/// How calls of methods of known types begin.
pub const NAMES: &[&str] =
    &["_zeros(", "_ones(", "_bytes(", "_bits(", "rotate_", "wrapping_", "saturating_", "exp("];

impl Gen<'_> {
    /// A number of the kernel's type, brought back to a small one.
    pub fn of_type(&mut self, depth: u32) -> E {
        let (ty, own) = (self.ty, self.ty.text());
        let a = match self.chance(60) {
            true => self.fresh_access(ty),
            false => None,
        };
        let read = a.is_some();
        let a = a.unwrap_or_else(|| self.typed_number(depth));
        let (text, bound) = match (ty.float(), self.rng.u32(0..100)) {
            (true, 0..25) => (format!("fract({})", a.text), 1),
            (true, 25..50) => (format!("exp(min({}, 3{own}))", a.text), 21),
            (true, _) => {
                let through = *self.pick(&["u8", "i8", "i16", "i32", "i64", "f32", "f64"]);
                (format!("({} as {through} as {own})", a.text), a.bound)
            }
            (_, 0..35) => (format!("({}({}) as {own})", self.pick(COUNTS), a.text), 64),
            // Only what is read is known to be no truth value.
            (_, 35..50) if read => (format!("(!{} % 4{own})", a.text), 4),
            (_, 35..75) => {
                let n = self.rng.u32(0..4);
                let turns = format!(", {}", self.rng.u32(0..7));
                let (method, rest) = match self.rng.u32(0..9) {
                    0 => ("swap_bytes", String::new()),
                    1 => ("reverse_bits", String::new()),
                    2 => ("rotate_left", turns),
                    3 => ("wrapping_add", format!(", {n}")),
                    4 => ("wrapping_mul", format!(", {n}")),
                    5 => ("wrapping_neg", String::new()),
                    6 => ("saturating_add", format!(", {n}")),
                    7 => ("saturating_sub", format!(", {n}")),
                    _ => ("wrapping_sub", format!(", {n}")),
                };
                (format!("({method}({}{rest}) % 4{own})", a.text), 4)
            }
            _ => {
                let through = *self.pick(&["u8", "i8", "u16", "i32", "u64", "f32", "f64"]);
                (format!("(({} as {through} as {own}) % 4{own})", a.text), 4)
            }
        };
        E { text, ty, bound, typed: true }
    }
}
