//! What a program promises to cost at most, as it is written: `#![cost(stored(a) + len(i))]`.

use proc_macro2::{Ident, Span};

/// `#![cost(..)]`.
#[derive(Clone)]
pub struct Promise {
    /// What stands between the brackets.
    pub bound: Bound,
    /// The word.
    pub span: Span,
}

/// An expression in sizes and entries.
#[derive(Clone)]
pub enum Bound {
    /// A number, which makes no difference but where it is added: constants do not count.
    Number,
    /// `len(i)`: what the loop over `i` runs over.
    Len(Ident),
    /// `stored(a)`: the entries of an operand.
    Stored(Ident),
    /// `x + y`, and `max(x, y)`, which is no more than that and half of it at least.
    Sum(Vec<Bound>),
    /// `x * y`.
    Product(Vec<Bound>),
    /// `x / y`.
    Quotient(Box<Bound>, Box<Bound>),
    /// `min(x, y)`.
    Least(Vec<Bound>),
}
