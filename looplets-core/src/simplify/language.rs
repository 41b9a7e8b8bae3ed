//! The one e-graph language for values and statements, so that a rule may turn either into either.
//!
//! A statement is a call like any other (`loop`, `assign`, `sieve`, `seq`, `where`, `let`, `pass`).
//! The names of statements are no user function's names: [`Sym::function`] never yields them, so a
//! Rust function that happens to be called `seq` stays a function.

use crate::cin::{AccessId, ArrayId, Lit, RawId, TensorId, VarId};
use egg::{Id, Language};
use std::fmt;
use std::sync::Arc;

/// The head of a call. Order and hash do not depend on what was interned before, so that the same
/// program gives the same code whatever else the process has expanded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sym {
    /// One of the names of this file.
    Known(u8),
    /// Any other function, by the path it was written with or the name it was declared by.
    Other(Arc<str>, Traits),
}

/// What an operator's declaration says of its shape: how its arguments may be held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Traits {
    /// `f(a, b) = f(b, a)`
    pub commutative: bool,
    /// `f(f(a, b), c) = f(a, f(b, c))`
    pub associative: bool,
    /// `f(a, a) = a`
    pub idempotent: bool,
    /// What a call costs, in quarters of a negation.
    pub cost: u16,
}

impl Traits {
    /// Nothing is known.
    pub const OPAQUE: Traits =
        Traits { commutative: false, associative: false, idempotent: false, cost: 40 };
}

/// The declared operators of a set of rules, by name.
pub type Operators = std::collections::BTreeMap<String, Traits>;

macro_rules! known {
    ($($konst:ident $name:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Number { $($konst),* }
        #[allow(missing_docs)]
        impl Sym {
            $(pub const $konst: Sym = Sym::Known(Number::$konst as u8);)*
        }
        const NAMES: &[&str] = &[$($name),*];
        fn number(name: &str) -> Option<u8> {
            match name {
                $($name => Some(Number::$konst as u8),)*
                _ => None,
            }
        }
    };
}

known! {
    PASS "pass" SEQ "seq" ASSIGN "assign" SIEVE "sieve" LET "let" WHERE "where" LOOP "loop" LOAD "load"
    ADD "+" SUB "-" MUL "*" DIV "/" REM "%" NEG "neg" MIN "min" MAX "max"
    AND "and" OR "or" NOT "not" BITAND "&" BITOR "|" BITXOR "^" SHL "<<" SHR ">>"
    EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" IFELSE "ifelse" COALESCE "coalesce" SET "="
}

impl Sym {
    /// The symbol a pattern means by `name`, statements included.
    pub fn new(name: &str, operators: &Operators) -> Sym {
        number(name).map_or_else(|| Sym::other(name, operators), Sym::Known)
    }
    /// The symbol of a function of a program, never a statement.
    pub fn function(name: &str, operators: &Operators) -> Sym {
        match number(name) {
            Some(n) if n > Number::LOAD as u8 => Sym::Known(n),
            _ => Sym::other(name, operators),
        }
    }
    fn other(name: &str, operators: &Operators) -> Sym {
        let traits = operators.get(name).copied().unwrap_or(Traits::OPAQUE);
        Sym::Other(name.into(), traits)
    }
    /// Whether it stands for a value that a fill marker names: `const:Inf`, without arguments.
    pub fn is_constant(&self) -> bool {
        self.name().starts_with("const:")
    }
    /// Whether it only gives its argument another number type: `cast:f64`.
    pub fn is_cast(&self) -> bool {
        self.name().starts_with("cast:")
    }
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Sym::Known(n) => NAMES[*n as usize],
            Sym::Other(name, _) => name,
        }
    }
    /// Whether it makes a statement (or a load) rather than applies a function.
    pub fn is_structure(&self) -> bool {
        matches!(self, Sym::Known(n) if *n <= Number::LOAD as u8)
    }
    /// Whether it is held as a flattened list of arguments.
    pub fn is_nary(&self) -> bool {
        if let Sym::Other(_, traits) = self {
            return traits.associative;
        }
        matches!(
            self,
            &Sym::ADD
                | &Sym::MUL
                | &Sym::MIN
                | &Sym::MAX
                | &Sym::AND
                | &Sym::OR
                | &Sym::BITAND
                | &Sym::BITOR
                | &Sym::BITXOR
        )
    }
    /// Whether patterns match its arguments in any order.
    pub fn is_commutative(&self) -> bool {
        match self {
            Sym::Other(_, traits) => traits.commutative,
            _ => self.is_nary() || matches!(self, &Sym::EQ | &Sym::NE),
        }
    }
    /// Whether it makes no difference to apply it to one argument again and again.
    pub fn is_idempotent(&self) -> bool {
        if let Sym::Other(_, traits) = self {
            return traits.idempotent && traits.associative;
        }
        self.is_nary() && !matches!(self, &Sym::ADD | &Sym::MUL | &Sym::BITXOR)
    }
    /// Whether the result is a bool whatever the arguments.
    pub fn is_predicate(&self) -> bool {
        matches!(
            self,
            &Sym::EQ | &Sym::NE | &Sym::LT | &Sym::LE | &Sym::GT | &Sym::GE | &Sym::AND | &Sym::OR
        )
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the simplifier does not look into.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Leaf {
    /// A scalar variable.
    Var(VarId),
    /// An array of a level.
    Array(ArrayId),
    /// An unresolved access.
    Access(AccessId),
    /// Rust tokens.
    Raw(RawId),
    /// The operator of an assignment; `=` overwrites.
    Op(Sym),
    /// The tensors local to a `where`.
    Locals(Box<[TensorId]>),
}

/// A node of the e-graph.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Node {
    /// A literal.
    Lit(Lit),
    /// An atom.
    Leaf(Leaf),
    /// A head and its arguments:
    /// `(loop index lo hi body)`, `(assign op target value)`, `(sieve cond then otherwise)`,
    /// `(seq ..)`, `(where consumer producer locals)`, `(let var value body)`, `(pass)`,
    /// `(load array position)`, or a function's.
    Call(Sym, Box<[Id]>),
}

impl Node {
    /// The head and arguments, if it is a call of `sym`.
    pub fn as_call(&self, sym: &Sym) -> Option<&[Id]> {
        match self {
            Node::Call(s, args) if s == sym => Some(args),
            _ => None,
        }
    }
}

impl Language for Node {
    type Discriminant = std::mem::Discriminant<Node>;

    fn discriminant(&self) -> Self::Discriminant {
        std::mem::discriminant(self)
    }
    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Lit(a), Node::Lit(b)) => a == b,
            (Node::Leaf(a), Node::Leaf(b)) => a == b,
            (Node::Call(a, x), Node::Call(b, y)) => a == b && x.len() == y.len(),
            _ => false,
        }
    }
    fn children(&self) -> &[Id] {
        match self {
            Node::Call(_, args) => args,
            _ => &[],
        }
    }
    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Node::Call(_, args) => args,
            _ => &mut [],
        }
    }
}
