//! Types of scalar expressions, as far as the header tells them.

use crate::cin::*;
use crate::kernel::{Function, Kernel};
use proc_macro2::TokenStream;
use quote::quote;

/// The type of a scalar expression, as far as the header tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// `bool`
    Bool,
    /// A coordinate or position: `i64` in the generated code.
    Index,
    /// A Rust type by its text, `f64` or a generic parameter.
    Named(String),
    /// Whatever rustc infers.
    Unknown,
}

impl Ty {
    /// The least and the greatest value of an integer type of a fixed size.
    pub fn limits(&self) -> Option<(i128, i128)> {
        let Ty::Named(name) = self else { return None };
        let bits = name.get(1..)?.parse::<u32>().ok().filter(|b| (1..=64).contains(b))?;
        match name.as_bytes()[0] {
            b'u' => Some((0, (1i128 << bits) - 1)),
            b'i' => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            _ => None,
        }
    }
    /// Whether it is an integer type without numbers below zero.
    pub fn is_unsigned(&self) -> bool {
        matches!(self, Ty::Named(t) if matches!(t.as_str(), "u8" | "u16" | "u32" | "u64" | "u128" | "usize"))
    }
    /// The type written `tokens`.
    pub fn of(tokens: &TokenStream) -> Ty {
        match tokens.to_string().as_str() {
            "bool" => Ty::Bool,
            text => Ty::Named(text.to_owned()),
        }
    }
    /// The type as Rust writes it; `_` if only rustc knows.
    pub fn tokens(&self) -> TokenStream {
        match self {
            Ty::Bool => quote!(bool),
            Ty::Index => quote!(i64),
            Ty::Named(text) => text.parse().unwrap_or_else(|_| quote!(_)),
            Ty::Unknown => quote!(_),
        }
    }
    /// Whether it is `f32` or `f64`.
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Named(n) if n == "f32" || n == "f64")
    }
}

impl Kernel {
    /// The type of `e`; `None` for a literal, which takes the type of what it meets.
    pub fn type_of(&self, e: &Expr) -> Option<Ty> {
        match e {
            Expr::Lit(Lit::Bool(_)) => Some(Ty::Bool),
            Expr::Lit(_) => None,
            Expr::Var(v) => Some(self.info(*v).ty.clone()),
            Expr::Load(a, _) => Some(self.arrays[a.0 as usize].elem.clone()),
            Expr::Array(_) => Some(Ty::Unknown),
            Expr::Access(a) => Some(self.tensor(self.get(*a).tensor).value.clone()),
            Expr::Raw(r) => Some(self.raws[r.0 as usize].ty.clone()),
            Expr::Call(op, args) => match op.name() {
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or" => Some(Ty::Bool),
                "not" => self.type_of(&args[0]),
                // Bools are counted as coordinates are.
                "+" | "-" | "*" | "/" | "%" | "neg" => match self.join_all(args) {
                    Some(Ty::Bool) => Some(Ty::Index),
                    other => other,
                },
                "min" | "max" | "coalesce" | "&" | "|" | "^" => self.join_all(args),
                "<<" | ">>" => self.type_of(&args[0]),
                "ifelse" => self.join_all(&args[1..]),
                name if float_method(name, args.len()) && !self.functions.contains_key(name) => {
                    match self.type_of(&args[0]) {
                        Some(Ty::Index | Ty::Bool) => Some(Ty::Named("f64".into())),
                        other => other,
                    }
                }
                "index" | "ceil_div" | PLACE => Some(Ty::Index),
                "pow:" => self.type_of(&args[0]),
                "choose" => self.join_all(args),
                "chosen" => self.type_of(&args[0]),
                "cast:index" => Some(Ty::Index),
                name if name.starts_with("cast:") => Some(Ty::Named(name[5..].to_owned())),
                "usize" => Some(Ty::Unknown),
                NAN => None,
                name if self.constants.contains_key(name) => Some(self.constants[name].1.clone()),
                name => match self.functions.get(name) {
                    Some(Function { like: Some(k), .. }) => {
                        // Of literals alone, as of an operator's other arguments.
                        let own = args.get(*k).and_then(|a| self.type_of(a));
                        own.or_else(|| self.join_all(args))
                    }
                    f => Some(f.map_or(Ty::Unknown, |f| f.gives.clone())),
                },
            },
        }
    }
    /// The type that all of `args` meet in.
    pub fn join_all(&self, args: &[Expr]) -> Option<Ty> {
        args.iter().fold(None, |acc, a| match (acc, self.type_of(a)) {
            (None, t) | (t, None) => t,
            (Some(a), Some(b)) => Some(join(&a, &b)),
        })
    }
}

/// Whether `name` with so many arguments is a method of `f32` and `f64` that keeps the type.
pub fn float_method(name: &str, arguments: usize) -> bool {
    match arguments {
        1 => FLOAT_METHODS.contains(&name),
        2 => matches!(name, "powi" | "powf"),
        _ => false,
    }
}

/// Those of one argument.
const FLOAT_METHODS: &[&str] = &[
    "sqrt", "abs", "exp", "ln", "sin", "cos", "tan", "tanh", "floor", "ceil", "round", "trunc",
    "signum", "recip",
];

/// The primitive number types, by the order in which they widen, with their widths.
const NUMBERS: &[(&str, u32)] = &[
    ("u8", 8),
    ("i8", 8),
    ("u16", 16),
    ("i16", 16),
    ("u32", 32),
    ("i32", 32),
    ("u64", 64),
    ("usize", 64),
    ("i64", 64),
    ("isize", 64),
    ("u128", 128),
    ("i128", 128),
    ("f32", 32),
    ("f64", 64),
];

/// Whether `name` is a primitive number type.
pub fn primitive(name: &str) -> bool {
    NUMBERS.iter().any(|(n, _)| *n == name)
}

/// The type two operands meet in: a bool counts as a number, a coordinate takes the other's type, a
/// narrower integer widens to one that holds both, an integer becomes the float it meets.
pub fn join(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        _ if a == b => a.clone(),
        (Ty::Bool, other) | (other, Ty::Bool) => other.clone(),
        (Ty::Index, other) | (other, Ty::Index) => other.clone(),
        (Ty::Named(x), Ty::Named(y)) => {
            numbers(x, y).map_or(Ty::Unknown, |n| Ty::Named(n.to_owned()))
        }
        _ => Ty::Unknown,
    }
}

/// The number type that holds all of `x` and `y`, if there is one.
fn numbers(x: &str, y: &str) -> Option<&'static str> {
    let place = |n: &str| NUMBERS.iter().position(|(m, _)| *m == n);
    let (low, high) = (place(x)?.min(place(y)?), place(x)?.max(place(y)?));
    let ((narrow, narrow_bits), (wide, wide_bits)) = (NUMBERS[low], NUMBERS[high]);
    let signed = |n: &str| n.starts_with('i');
    if wide.starts_with('f')
        || signed(narrow) == signed(wide)
        || (signed(wide) && narrow_bits < wide_bits)
    {
        return Some(wide);
    }
    // One is signed and does not hold the other.
    match wide_bits {
        8 => Some("i16"),
        16 => Some("i32"),
        32 => Some("i64"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_meet_in_a_type_that_holds_both() {
        let meet = |a: &str, b: &str| numbers(a, b);
        assert_eq!(meet("u8", "i32"), Some("i32"));
        assert_eq!(meet("u32", "i32"), Some("i64"));
        assert_eq!(meet("i8", "u16"), Some("i32"));
        assert_eq!(meet("i64", "f32"), Some("f32"));
        assert_eq!(meet("f32", "f64"), Some("f64"));
        assert_eq!(meet("u64", "i64"), None);
        assert_eq!(meet("u64", "T"), None);
    }
}
