//! Methods and conversions of the oracle: what Rust makes of a number of the type that the kernel has.

use super::{Fail, Oracle, Val};

/// A method of whole numbers of type `$t`, if it is one.
macro_rules! method_of {
    ($t:ty, $op:expr, $a:expr, $b:expr) => {{
        let (a, b, turns) = ($a as $t, $b as $t, $b as u32);
        let n = match $op {
            "not" => i128::from(!a),
            "leading_zeros" => a.leading_zeros().into(),
            "trailing_zeros" => a.trailing_zeros().into(),
            "leading_ones" => a.leading_ones().into(),
            "count_ones" => a.count_ones().into(),
            "count_zeros" => a.count_zeros().into(),
            "swap_bytes" => a.swap_bytes().into(),
            "reverse_bits" => a.reverse_bits().into(),
            "rotate_left" => a.rotate_left(turns).into(),
            "wrapping_add" => a.wrapping_add(b).into(),
            "wrapping_sub" => a.wrapping_sub(b).into(),
            "wrapping_mul" => a.wrapping_mul(b).into(),
            "wrapping_neg" => a.wrapping_neg().into(),
            "saturating_add" => a.saturating_add(b).into(),
            "saturating_sub" => a.saturating_sub(b).into(),
            "abs_diff" => a.abs_diff(b).into(),
            _ => return None,
        };
        Some(Val::Int(n))
    }};
}

/// `$value as $ty`, of a type of whole numbers by its name.
macro_rules! cut {
    ($value:expr, $ty:expr) => {
        Val::Int(match $ty {
            "u8" => i128::from($value as u8),
            "i8" => i128::from($value as i8),
            "u16" => i128::from($value as u16),
            "i16" => i128::from($value as i16),
            "u32" => i128::from($value as u32),
            "i32" => i128::from($value as i32),
            "u64" => i128::from($value as u64),
            "i64" => i128::from($value as i64),
            _ => return Err(Fail::Unknown(format!("`as {}`", $ty))),
        })
    };
}

impl Oracle<'_> {
    /// What a method of whole numbers gives, of the one type that the kernel has.
    pub fn of_whole(&self, op: &str, args: &[Val]) -> Option<Val> {
        let whole = |v: &Val| matches!(v, Val::Int(_) | Val::Bool(_));
        if !args.iter().all(whole) || matches!(args, [Val::Bool(_)]) && op == "not" {
            return None;
        }
        let (a, b) = (args[0].int(), args.get(1).map_or(0, Val::int));
        let is = |least: i128, most: i128| self.range == Some((least, most));
        match () {
            () if is(0, u8::MAX.into()) => method_of!(u8, op, a, b),
            () if is(i32::MIN.into(), i32::MAX.into()) => method_of!(i32, op, a, b),
            () if is(i64::MIN.into(), i64::MAX.into()) => method_of!(i64, op, a, b),
            () => None,
        }
    }

    /// `value as ty`, as Rust has it.
    pub fn converted(&self, value: &Val, ty: &str) -> Result<Val, Fail> {
        let zero = |x: f64| if x == 0.0 { Val::Loose(0.0, 0.0) } else { Val::Float(x) };
        let (float, single) = (ty.starts_with('f'), ty == "f32");
        Ok(match value {
            Val::Int(_) | Val::Bool(_) if single => zero(f64::from(value.int() as f32)),
            Val::Int(_) | Val::Bool(_) if float => zero(value.int() as f64),
            Val::Float(x) if single => Val::Float(f64::from(*x as f32)),
            Val::Loose(x, by) if single => Val::Loose(f64::from(*x as f32), by + x.abs() * 1e-7),
            Val::Float(_) | Val::Loose(..) if float => value.clone(),
            Val::Loose(_, by) if *by > 0.0 => return Err(Fail::Vague),
            Val::Float(x) | Val::Loose(x, _) => cut!(*x, ty),
            value => cut!(value.int(), ty),
        })
    }
}
