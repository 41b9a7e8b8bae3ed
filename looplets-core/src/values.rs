//! Which literals are values of a type: what a literal of a program, of a fill or of a rule comes to in it.

use crate::cin::Lit;
use crate::types::Ty;

/// Why a literal is none of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// It is beyond the least or the greatest value.
    Range,
    /// The type has whole numbers only.
    Fraction,
    /// The type has `true` and `false` only.
    Bool,
    /// The type has no numbers.
    Number,
}

impl Ty {
    /// The digits of `x`, a float of this type.
    pub fn digits(&self, x: f64) -> String {
        match self {
            Ty::Named(t) if t == "f32" => format!("{:?}", x as f32),
            _ => format!("{x:?}"),
        }
    }
    /// `lit` as a value of this type: a float rounded to its width, anything else as it is. Of a type that
    /// is no primitive, only rustc knows what its values are.
    pub fn value(&self, lit: &Lit) -> Result<Lit, Misfit> {
        let number = || match lit {
            Lit::Int(n) => Some(*n as f64),
            Lit::Float(bits) => Some(f64::from_bits(*bits)),
            Lit::Bool(_) | Lit::Missing => None,
        };
        let rounded = |x: f64, exact: bool| match x.is_finite() || exact {
            true => Ok(Lit::float(x)),
            false => Err(Misfit::Range),
        };
        let infinite = number().is_some_and(f64::is_infinite);
        match (self, lit) {
            (_, Lit::Missing | Lit::Bool(_)) => Ok(lit.clone()),
            (ty, _) if ty.has_no_numbers() => Err(Misfit::Number),
            (Ty::Bool, Lit::Int(0 | 1)) => Ok(lit.clone()),
            (Ty::Bool, _) => Err(Misfit::Bool),
            (Ty::Named(t), Lit::Int(n)) if t == "f32" => rounded(f64::from(*n as f32), false),
            (Ty::Named(t), Lit::Float(bits)) if t == "f32" => {
                rounded(f64::from(f64::from_bits(*bits) as f32), infinite)
            }
            (Ty::Named(t), Lit::Int(n)) if t == "f64" => rounded(*n as f64, false),
            (Ty::Named(_), Lit::Int(n)) => match self.integers() {
                Some((least, most)) if *n < least || most.is_some_and(|most| *n > most) => {
                    Err(Misfit::Range)
                }
                _ => Ok(lit.clone()),
            },
            (Ty::Index, Lit::Int(n)) => match i64::try_from(*n) {
                Ok(_) => Ok(lit.clone()),
                Err(_) => Err(Misfit::Range),
            },
            (Ty::Named(_), Lit::Float(_)) if self.integers().is_some() && infinite => {
                Err(Misfit::Range)
            }
            (Ty::Named(_), Lit::Float(_)) if self.integers().is_some() => Err(Misfit::Fraction),
            (Ty::Index | Ty::Named(_) | Ty::Own | Ty::Unknown, _) => Ok(lit.clone()),
        }
    }
}
