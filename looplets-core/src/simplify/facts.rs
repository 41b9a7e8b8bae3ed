//! What the caller knows of the leaves of a term, and sets of leaves.
//!
//! The simplifier sees atoms; whether one is a float, or depends on a loop index, only the caller's
//! tables can say. It says so once per leaf and term, so that a term together with the facts of its
//! leaves is everything a result depends on, and may be remembered by.

use crate::cin::{Expr, TensorId, VarId};

/// Facts about leaves: [`Expr::Var`], [`Expr::Array`], [`Expr::Access`], [`Expr::Raw`].
///
/// Each answer must hold wherever the leaf occurs in the term. Leaves are taken to be pure: reading
/// one has no effect, and gives the same value until something it overlaps is written.
pub trait Facts {
    /// The variables its value depends on. A variable depends on itself; one defined by a `let`
    /// need only name itself, since nothing is moved out of the scope of a `let`.
    fn depends(&self, leaf: &Expr) -> Vec<VarId>;
    /// Whether its value (of an array, each element) is known to be a bool.
    fn is_bool(&self, leaf: &Expr) -> bool;
    /// Whether its value (of an array, an element) may be a float, or of any type that is neither
    /// an integer nor a bool. If in doubt, `true`: it only forbids reordering and cancelling.
    fn is_float(&self, leaf: &Expr) -> bool;
    /// The tensor it is part of; `None` for an index, a parameter, Rust tokens. Two different
    /// leaves are taken to be different places exactly if they are not parts of one tensor.
    fn tensor(&self, leaf: &Expr) -> Option<TensorId>;
    /// Whether sums, differences and products of its type wrap or panic at limits within the reach of a
    /// program, as those of `u8`, and not those of coordinates, do: they are not put in another order.
    fn wraps(&self, _leaf: &Expr) -> bool {
        false
    }
    /// Whether its value may be `missing`.
    fn may_be_missing(&self, _leaf: &Expr) -> bool {
        false
    }
    /// Bounds, both inclusive, of an integer (of an array, of every element); `i128::MIN` and
    /// `i128::MAX` stand for no bound. A loop's index may be given the range it has in the body.
    fn range(&self, _leaf: &Expr) -> Option<(i128, i128)> {
        None
    }
    /// Whether writing some variable may change it, though it is none: which variables it reads is not told.
    fn is_opaque(&self, leaf: &Expr) -> bool {
        matches!(leaf, Expr::Raw(_))
    }
    /// Whether it (of an array, each element) is an index: a coordinate, a position, a bound.
    fn is_index(&self, _leaf: &Expr) -> bool {
        false
    }
    /// Whether rules of users may act on it, and on what is computed of it.
    fn sort(&self, _leaf: &Expr) -> Sort {
        Sort::Value
    }
}

/// [`Facts`] for closed terms and tests: no leaf is a bool, a float or part of a tensor, and only
/// variables depend on anything.
pub struct NoFacts;

impl Facts for NoFacts {
    fn depends(&self, leaf: &Expr) -> Vec<VarId> {
        match leaf {
            Expr::Var(v) => vec![*v],
            _ => vec![],
        }
    }
    fn is_bool(&self, _: &Expr) -> bool {
        false
    }
    fn is_float(&self, _: &Expr) -> bool {
        false
    }
    fn tensor(&self, _: &Expr) -> Option<TensorId> {
        None
    }
}

/// The facts of one leaf of a renumbered term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LeafFact {
    /// The variables it depends on.
    pub depends: Set,
    /// What kind of number it is.
    pub kind: Kind,
    /// See [`Facts::wraps`].
    pub wraps: bool,
    /// See [`Facts::may_be_missing`].
    pub missing: bool,
    /// See [`Facts::range`].
    pub range: Option<(i128, i128)>,
    /// See [`Facts::tensor`], renumbered.
    pub tensor: Option<TensorId>,
    /// See [`Facts::is_opaque`].
    pub raw: bool,
    /// See [`Facts::sort`].
    pub sort: Sort,
    /// Whether it is [`Expr::Var`].
    pub variable: bool,
    /// Whether it is [`Expr::Array`].
    pub array: bool,
    /// Whether it is [`Expr::Access`].
    pub access: bool,
}

impl LeafFact {
    /// Whether writing `self` may change what `other`, a different leaf, reads.
    pub fn overlaps(&self, other: &LeafFact) -> bool {
        (self.tensor.is_some() && self.tensor == other.tensor)
            || (self.raw && other.variable)
            || (self.variable && other.raw)
    }
}

/// What a term is made of, where rules of users are tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Of indices, and whole numbers beside them: no rule of a user's acts on it.
    Index,
    /// Of whole numbers that go with what they meet.
    Either,
    /// Of values.
    Value,
}

impl Sort {
    /// That of an operation of the language on two of these.
    pub fn with(self, other: Sort) -> Sort {
        match (self, other) {
            (Sort::Value, _) | (_, Sort::Value) => Sort::Value,
            (Sort::Index, _) | (_, Sort::Index) => Sort::Index,
            _ => Sort::Either,
        }
    }
}

/// What is known of the type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// An integer, or a whole literal.
    Int,
    /// Anything else, a float for one.
    Other,
}

/// A set of small numbers, empty at no cost.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Set(Vec<u64>);

impl Set {
    /// The set of `n` alone.
    pub fn of(n: u32) -> Set {
        let mut s = Set::default();
        s.insert(n);
        s
    }
    /// Adds `n`.
    pub fn insert(&mut self, n: u32) {
        let word = n as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (n % 64);
    }
    /// Takes `n` away.
    pub fn remove(&mut self, n: u32) {
        if let Some(word) = self.0.get_mut(n as usize / 64) {
            *word &= !(1 << (n % 64));
        }
        self.trim();
    }
    /// Whether `n` is in it.
    pub fn contains(&self, n: u32) -> bool {
        self.0.get(n as usize / 64).is_some_and(|w| w & (1 << (n % 64)) != 0)
    }
    /// Adds the members of `other`.
    pub fn union(&mut self, other: &Set) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
    /// Keeps what is in `other` too; whether that changed `self`, and whether it differs from `other`.
    pub fn intersect(&mut self, other: &Set) -> (bool, bool) {
        let old = self.0.clone();
        self.0.truncate(other.0.len());
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
        self.trim();
        (*self.0 != *old, *self != *other)
    }
    /// Its members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, w)| {
            (0..64).filter(move |b| w & (1 << b) != 0).map(move |b| i as u32 * 64 + b)
        })
    }
    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Equality is that of the words, so there must be no trailing zero.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}
