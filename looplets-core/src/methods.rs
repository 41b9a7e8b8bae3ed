//! The one table of methods of Rust's numbers that programs call by name. All are pure. A row says which types have the method, what
//! it takes beside what it is called on, what it gives, and what it makes of 0.
//!
//! A macro does not see which functions are in scope. So pure methods whose names people give functions of their own are not in the
//! table: `pow`, `log`, `clamp`, `hypot`, `isqrt`, `div_ceil`, `is_negative`, `is_positive`.

use crate::types::Ty;

/// A kind of numbers that a method may be of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// `f32` and `f64`.
    Floats,
    /// Integers below zero and above.
    Signed,
    /// Integers from zero on.
    Unsigned,
    /// `Complex<f32>` and `Complex<f64>`.
    Complex,
}

/// What a method takes beside what it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// The type that it is called on.
    Own,
    /// An `i32`.
    I32,
    /// A `u32`.
    U32,
}

/// What a method gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// The type that it is called on.
    Own,
    /// The integer type from zero on that is as wide.
    Magnitude,
    /// A `u32`.
    U32,
    /// A `bool`.
    Bool,
}

/// What a method makes of 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zero {
    /// 0 where it is called on 0, whatever it takes beside; `false`, if it gives a `bool`.
    Kept,
    /// 0 where it is called on 0 and takes a positive number.
    Power,
    /// 0 where it is called on 0 and all that it takes is 0.
    Sum,
    /// 0 where it is called on 0 or takes a 0.
    Product,
    /// Something else.
    Other,
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// Its name.
    pub name: &'static str,
    /// The kinds of numbers that have it.
    pub of: &'static [Of],
    /// What it takes beside what it is called on.
    pub takes: &'static [Takes],
    /// What it gives.
    pub gives: Gives,
    /// What it makes of 0.
    pub zero: Zero,
}

macro_rules! methods {
    ($($method:ident $name:literal [$($of:ident)*] [$($takes:ident)*] $gives:ident $zero:ident;)*) => {
        /// A pure method of numbers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)]
        pub enum Method {
            $($method),*
        }

        /// All methods.
        pub const METHODS: &[Row] = &[$(Row {
            method: Method::$method,
            name: $name,
            of: &[$(Of::$of),*],
            takes: &[$(Takes::$takes),*],
            gives: Gives::$gives,
            zero: Zero::$zero,
        }),*];
    };
}

methods! {
//  method          name                 of                         takes      gives      at zero
    Sqrt            "sqrt"               [Floats Complex]           []         Own        Kept;
    Cbrt            "cbrt"               [Floats]                   []         Own        Kept;
    Exp             "exp"                [Floats Complex]           []         Own        Other;
    Exp2            "exp2"               [Floats]                   []         Own        Other;
    ExpM1           "exp_m1"             [Floats]                   []         Own        Kept;
    Ln              "ln"                 [Floats Complex]           []         Own        Other;
    Ln1p            "ln_1p"              [Floats]                   []         Own        Kept;
    Log2            "log2"               [Floats]                   []         Own        Other;
    Log10           "log10"              [Floats]                   []         Own        Other;
    Sin             "sin"                [Floats Complex]           []         Own        Kept;
    Cos             "cos"                [Floats Complex]           []         Own        Other;
    Tan             "tan"                [Floats Complex]           []         Own        Kept;
    Asin            "asin"               [Floats Complex]           []         Own        Kept;
    Acos            "acos"               [Floats Complex]           []         Own        Other;
    Atan            "atan"               [Floats Complex]           []         Own        Kept;
    Atan2           "atan2"              [Floats]                   [Own]      Own        Other;
    Sinh            "sinh"               [Floats Complex]           []         Own        Kept;
    Cosh            "cosh"               [Floats Complex]           []         Own        Other;
    Tanh            "tanh"               [Floats Complex]           []         Own        Kept;
    Asinh           "asinh"              [Floats Complex]           []         Own        Kept;
    Acosh           "acosh"              [Floats Complex]           []         Own        Other;
    Atanh           "atanh"              [Floats Complex]           []         Own        Kept;
    Floor           "floor"              [Floats]                   []         Own        Kept;
    Ceil            "ceil"               [Floats]                   []         Own        Kept;
    Round           "round"              [Floats]                   []         Own        Kept;
    RoundTiesEven   "round_ties_even"    [Floats]                   []         Own        Kept;
    Trunc           "trunc"              [Floats]                   []         Own        Kept;
    Fract           "fract"              [Floats]                   []         Own        Kept;
    Recip           "recip"              [Floats]                   []         Own        Other;
    Powi            "powi"               [Floats Complex]           [I32]      Own        Power;
    Powf            "powf"               [Floats Complex]           [Own]      Own        Power;
    MulAdd          "mul_add"            [Floats]                   [Own Own]  Own        Other;
    Copysign        "copysign"           [Floats]                   [Own]      Own        Other;
    ToDegrees       "to_degrees"         [Floats]                   []         Own        Kept;
    ToRadians       "to_radians"         [Floats]                   []         Own        Kept;
    IsNan           "is_nan"             [Floats]                   []         Bool       Kept;
    IsInfinite      "is_infinite"        [Floats]                   []         Bool       Kept;
    IsFinite        "is_finite"          [Floats]                   []         Bool       Other;
    IsSignNegative  "is_sign_negative"   [Floats]                   []         Bool       Other;
    IsSignPositive  "is_sign_positive"   [Floats]                   []         Bool       Other;
    Abs             "abs"                [Floats Signed]            []         Own        Kept;
    Signum          "signum"             [Floats Signed]            []         Own        Other;
    RemEuclid       "rem_euclid"         [Floats Signed Unsigned]   [Own]      Own        Kept;
    DivEuclid       "div_euclid"         [Floats Signed Unsigned]   [Own]      Own        Kept;
    Ilog2           "ilog2"              [Signed Unsigned]          []         U32        Other;
    Ilog10          "ilog10"             [Signed Unsigned]          []         U32        Other;
    AbsDiff         "abs_diff"           [Signed Unsigned]          [Own]      Magnitude  Sum;
    UnsignedAbs     "unsigned_abs"       [Signed]                   []         Magnitude  Kept;
    IsPowerOfTwo    "is_power_of_two"    [Unsigned]                 []         Bool       Kept;
    NextPowerOfTwo  "next_power_of_two"  [Unsigned]                 []         Own        Other;
    CountOnes       "count_ones"         [Signed Unsigned]          []         U32        Kept;
    CountZeros      "count_zeros"        [Signed Unsigned]          []         U32        Other;
    LeadingZeros    "leading_zeros"      [Signed Unsigned]          []         U32        Other;
    LeadingOnes     "leading_ones"       [Signed Unsigned]          []         U32        Other;
    TrailingZeros   "trailing_zeros"     [Signed Unsigned]          []         U32        Other;
    TrailingOnes    "trailing_ones"      [Signed Unsigned]          []         U32        Other;
    SwapBytes       "swap_bytes"         [Signed Unsigned]          []         Own        Kept;
    ReverseBits     "reverse_bits"       [Signed Unsigned]          []         Own        Kept;
    RotateLeft      "rotate_left"        [Signed Unsigned]          [U32]      Own        Kept;
    RotateRight     "rotate_right"       [Signed Unsigned]          [U32]      Own        Kept;
    WrappingAdd     "wrapping_add"       [Signed Unsigned]          [Own]      Own        Sum;
    WrappingSub     "wrapping_sub"       [Signed Unsigned]          [Own]      Own        Other;
    WrappingMul     "wrapping_mul"       [Signed Unsigned]          [Own]      Own        Product;
    WrappingDiv     "wrapping_div"       [Signed Unsigned]          [Own]      Own        Kept;
    WrappingRem     "wrapping_rem"       [Signed Unsigned]          [Own]      Own        Kept;
    WrappingNeg     "wrapping_neg"       [Signed Unsigned]          []         Own        Kept;
    WrappingAbs     "wrapping_abs"       [Signed]                   []         Own        Kept;
    WrappingShl     "wrapping_shl"       [Signed Unsigned]          [U32]      Own        Kept;
    WrappingShr     "wrapping_shr"       [Signed Unsigned]          [U32]      Own        Kept;
    WrappingPow     "wrapping_pow"       [Signed Unsigned]          [U32]      Own        Power;
    SaturatingAdd   "saturating_add"     [Signed Unsigned]          [Own]      Own        Sum;
    SaturatingSub   "saturating_sub"     [Signed Unsigned]          [Own]      Own        Other;
    SaturatingMul   "saturating_mul"     [Signed Unsigned]          [Own]      Own        Product;
    SaturatingPow   "saturating_pow"     [Signed Unsigned]          [U32]      Own        Power;
    SaturatingAbs   "saturating_abs"     [Signed]                   []         Own        Kept;
    SaturatingNeg   "saturating_neg"     [Signed]                   []         Own        Kept;
}

/// What functions of other languages and libraries are called here.
const ELSEWHERE: [(&str, &str); 14] = [
    ("log1p", "ln_1p(x)"),
    ("expm1", "exp_m1(x)"),
    ("log", "ln(x)"),
    ("pow", "powi(x, 2)` or `powf(x, y)"),
    ("power", "powi(x, 2)` or `powf(x, y)"),
    ("fabs", "abs(x)"),
    ("sign", "signum(x)"),
    ("arcsin", "asin(x)"),
    ("arccos", "acos(x)"),
    ("arctan", "atan(x)"),
    ("arctan2", "atan2(y, x)"),
    ("fmax", "max(a, b)"),
    ("fmin", "min(a, b)"),
    ("isnan", "is_nan(x)"),
];

/// The call that is meant by a function `name` of other languages.
pub fn elsewhere(name: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(other, _)| *other == name).map(|(_, call)| *call)
}

/// The call by name that is meant by `path`, a method of a type of numbers such as `f64::sqrt`, if more is known of the name.
pub fn by_path(path: &str) -> Option<String> {
    let (ty, name) = path.split_once("::")?;
    let ty = Ty::named(ty.trim());
    let name = name.trim();
    if !(ty.is_float() || ty.is_integer()) {
        return None;
    }
    let keeps = |m: &Method| m.row().zero != Zero::Other && m.is_of(&ty);
    let known = matches!(name, "min" | "max") || Method::by_name(name).as_ref().is_some_and(keeps);
    known.then(|| format!("{name}(..)"))
}

impl Method {
    /// The method of this name.
    pub fn by_name(name: &str) -> Option<Method> {
        METHODS.iter().find(|row| row.name == name).map(|row| row.method)
    }
    /// The method of this name with so many arguments, what it is called on included.
    pub fn named(name: &str, arguments: usize) -> Option<Method> {
        Method::by_name(name).filter(|m| m.arguments() == arguments)
    }
    /// Its row: the table has one for each, in the order of the variants.
    pub fn row(self) -> &'static Row {
        &METHODS[self as usize]
    }
    /// How many arguments a call has, with what it is called on.
    pub fn arguments(self) -> usize {
        1 + self.row().takes.len()
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// Whether floats have it.
    pub fn is_of_floats(self) -> bool {
        self.row().of.contains(&Of::Floats)
    }
    /// The type of numbers that coordinates, bools and whole literals become for it, where floats do not have it.
    pub fn whole(self) -> Ty {
        let signed = self.row().of.contains(&Of::Signed);
        Ty::named(if signed { "i64" } else { "u64" })
    }
    /// Whether numbers of type `ty` have it, as far as Rust's own types and complex numbers go; others may.
    pub fn is_of(self, ty: &Ty) -> bool {
        let kind = match ty {
            ty if ty.is_float() => Of::Floats,
            ty if ty.is_complex() => Of::Complex,
            ty if ty.is_unsigned() => Of::Unsigned,
            ty if ty.is_integer() => Of::Signed,
            _ => return true,
        };
        self.row().of.contains(&kind)
    }
    /// The type of its argument at `k`, called on a number of type `own`.
    pub fn takes(self, k: usize, own: &Ty) -> Ty {
        match k.checked_sub(1).and_then(|k| self.row().takes.get(k)) {
            Some(Takes::I32) => Ty::named("i32"),
            Some(Takes::U32) => Ty::named("u32"),
            // A power of a complex number is a real one.
            Some(Takes::Own) if own.is_complex() => own.part(),
            Some(Takes::Own) | None => own.clone(),
        }
    }
    /// What it gives, called on a number of type `own`.
    pub fn gives(self, own: &Ty) -> Ty {
        match (self.row().gives, own) {
            (Gives::Bool, _) => Ty::Bool,
            (Gives::U32, _) => Ty::named("u32"),
            (Gives::Magnitude, Ty::Named(name)) if own.is_integer() => {
                Ty::Named(format!("u{}", &name[1..]))
            }
            (Gives::Magnitude, _) => Ty::Unknown,
            (Gives::Own, _) => own.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_method_and_by_their_name() {
        for (k, row) in METHODS.iter().enumerate() {
            assert_eq!(row.method as usize, k);
            assert_eq!(Method::by_name(row.name), Some(row.method));
            assert_eq!(Method::named(row.name, 1 + row.takes.len()), Some(row.method));
            assert_eq!(Method::named(row.name, 2 + row.takes.len()), None);
        }
        assert_eq!(Method::AbsDiff.gives(&Ty::named("isize")), Ty::named("usize"));
        assert_eq!(Method::UnsignedAbs.gives(&Ty::named("i8")), Ty::named("u8"));
    }
}
