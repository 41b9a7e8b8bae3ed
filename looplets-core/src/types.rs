//! Types of scalar expressions, as far as the header tells them.

use proc_macro2::TokenStream;
use quote::quote;

/// The type of a scalar expression, as far as the header tells.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// `bool`
    Bool,
    /// A coordinate or position: `i64` in the generated code.
    Index,
    /// A Rust type by its text, `f64` or a generic parameter.
    Named(String),
    /// A type of a declaration, into which only functions of that declaration look: the state of a stepper.
    Own,
    /// Whatever rustc infers.
    Unknown,
}

impl Ty {
    /// The least value of an integer type, and the greatest, unless it is beyond an `i128`. Those that
    /// Rust sizes by the machine are taken to have 64 bits.
    pub fn integers(&self) -> Option<(i128, Option<i128>)> {
        let Ty::Named(name) = self else { return None };
        Some(match name.as_str() {
            "usize" => (0, Some(i128::from(u64::MAX))),
            "isize" => (i128::from(i64::MIN), Some(i128::from(i64::MAX))),
            "u128" => (0, None),
            "i128" => (i128::MIN, Some(i128::MAX)),
            _ => self.limits().map(|(least, most)| (least, Some(most)))?,
        })
    }
    /// Whether it is an integer type that Rust has.
    pub fn is_integer(&self) -> bool {
        self.integers().is_some()
    }
    /// Whether it is a complex number.
    pub fn is_complex(&self) -> bool {
        let Ty::Named(text) = self else { return false };
        let path = text.split('<').next().unwrap_or_default();
        matches!(
            path.rsplit("::").next().map(str::trim),
            Some("Complex" | "Complex32" | "Complex64")
        )
    }
    /// The type of the parts of a complex number.
    pub fn part(&self) -> Ty {
        let of =
            self.text().split_once('<').and_then(|(_, rest)| rest.trim_end().strip_suffix('>'));
        match of {
            Some(of) => Ty::named(of.trim()),
            None if self.text().ends_with("32") => Ty::named("f32"),
            None => Ty::named("f64"),
        }
    }
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
    /// The type named `text`; `index` is that of coordinates.
    pub fn named(text: &str) -> Ty {
        match text {
            "bool" => Ty::Bool,
            "index" => Ty::Index,
            text => Ty::Named(text.to_owned()),
        }
    }
    /// Its name in the text of terms.
    pub fn text(&self) -> &str {
        match self {
            Ty::Bool => "bool",
            Ty::Index => "index",
            Ty::Named(text) => text,
            Ty::Own => "own",
            Ty::Unknown => "_",
        }
    }
    /// The type as Rust writes it; `_` if only rustc knows.
    pub fn tokens(&self) -> TokenStream {
        match self {
            Ty::Bool => quote!(bool),
            Ty::Index => quote!(i64),
            Ty::Named(text) => text.parse().unwrap_or_else(|_| quote!(_)),
            Ty::Own | Ty::Unknown => quote!(_),
        }
    }
    /// Whether it is a number, a coordinate or a `bool`: what has no parts.
    pub fn is_plain(&self) -> bool {
        match self {
            Ty::Bool | Ty::Index => true,
            Ty::Named(name) => primitive(name) || self.is_complex(),
            Ty::Own | Ty::Unknown => false,
        }
    }
    /// Whether only rustc knows what it is: a type of the program, by its own name or by another one for a type of Rust.
    pub fn is_opaque(&self) -> bool {
        match self {
            Ty::Unknown => true,
            Ty::Named(_) => !self.is_plain() && !self.has_no_numbers(),
            Ty::Bool | Ty::Index | Ty::Own => false,
        }
    }
    /// Whether Rust has it, and no number is one of its values: `char`, a tuple, an array, a reference.
    pub fn has_no_numbers(&self) -> bool {
        let Ty::Named(text) = self else { return false };
        matches!(text.as_str(), "char" | "str" | "!") || text.starts_with(['(', '[', '&', '*'])
    }
    /// The types of the parts of a tuple.
    pub fn parts(&self) -> Option<Vec<Ty>> {
        let Ty::Named(text) = self else { return None };
        let tuple: syn::TypeTuple = syn::parse_str(text).ok()?;
        Some(tuple.elems.iter().map(|ty| Ty::of(&quote!(#ty))).collect())
    }
    /// Whether it is `f32` or `f64`.
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Named(n) if n == "f32" || n == "f64")
    }
}

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

/// The names of all primitive number types.
pub fn numbers_by_name() -> impl Iterator<Item = &'static str> {
    NUMBERS.iter().map(|(name, _)| *name)
}

/// How many bytes a primitive number type of a fixed size has.
pub fn bytes(name: &str) -> Option<usize> {
    let found = NUMBERS.iter().find(|(n, _)| *n == name && !n.ends_with("size"));
    found.map(|(_, bits)| *bits as usize / 8)
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

/// A type as the header would have it.
pub fn type_name(ty: &Ty) -> String {
    match ty {
        Ty::Bool => "bool".to_owned(),
        Ty::Named(name) => name.replace(' ', "").replace(',', ", "),
        Ty::Index => "usize".to_owned(),
        Ty::Own | Ty::Unknown => "T".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_meet_in_a_type_that_holds_both() {
        let joined = |a: &str, b: &str| numbers(a, b);
        assert_eq!(joined("u8", "i32"), Some("i32"));
        assert_eq!(joined("u32", "i32"), Some("i64"));
        assert_eq!(joined("i8", "u16"), Some("i32"));
        assert_eq!(joined("i64", "f32"), Some("f32"));
        assert_eq!(joined("f32", "f64"), Some("f64"));
        assert_eq!(joined("u64", "i64"), None);
        assert_eq!(joined("u64", "T"), None);
    }
}
