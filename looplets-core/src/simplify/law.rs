//! What can be said of an operator, as plain text: the form in which declarations reach the rules.

use super::language::Traits;
use super::rule::Rule;

/// A property of an operator. Values and functions are written as in patterns.
#[derive(Clone, Debug)]
pub enum Law {
    /// Of all arguments, or of the one at a place: `f(x, value) = x`.
    Identity(String, Option<usize>),
    /// Of all arguments, or of the one at a place: `f(x, value) = value`.
    Annihilator(String, Option<usize>),
    /// `f(x, g(x))` is the identity.
    Inverse(String),
    /// `h(f(x, a), f(x, b)) = f(x, h(a, b))`
    Distributes(String),
    /// `n` contributions of `x` are one of `g(x, n)`.
    Repeated(String),
    /// The call on the left is the term on the right.
    Case(Vec<String>, String),
}

/// An operator as the rules see it.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The name it has in terms.
    pub name: String,
    /// How many arguments it takes.
    pub arity: usize,
    /// How its arguments are held.
    pub traits: Traits,
    /// Properties, each with whether floats break it.
    pub laws: Vec<(Law, bool)>,
}

/// Makes the rules that say what an operator's laws mean for values and loops.
pub type Lawyer = fn(&Operator) -> Vec<Rule>;
