//! Opaque parts of a kernel: Rust of its program, Rust of the declarations of its formats, and what is asked of the
//! run-time library.
//!
//! Stages say what they want as data, and `emit` alone prints it.

use crate::cin::TensorId;
use crate::decl::{Clause, Hold};
use crate::runtime::Runtime;
use proc_macro2::{Ident, TokenStream, TokenTree};

/// What an opaque part is.
#[derive(Clone, Debug)]
pub enum Opaque {
    /// Rust of the program.
    Rust(TokenStream),
    /// Rust of a declaration.
    Declared(Declared),
    /// Code that `emit` knows.
    Runtime(Runtime),
}

impl Opaque {
    /// Whether it has a call of a macro, which may do anything with what it is given.
    pub fn calls_macros(&self) -> bool {
        fn calls(tokens: TokenStream) -> bool {
            let all: Vec<TokenTree> = tokens.into_iter().collect();
            let call = |pair: &[TokenTree]| matches!(pair, [TokenTree::Ident(_), TokenTree::Punct(p)] if p.as_char() == '!');
            all.windows(2).any(call)
                || all.into_iter().any(|t| matches!(t, TokenTree::Group(g) if calls(g.stream())))
        }
        match self {
            Opaque::Rust(code) | Opaque::Declared(Declared { code, .. }) => calls(code.clone()),
            Opaque::Runtime(_) => false,
        }
    }
}

/// Rust of the declaration of a level, and what it stands in.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The level.
    pub of: (TensorId, usize),
    /// The code as it was declared.
    pub code: TokenStream,
    /// What is bound in front of it.
    pub bound: Vec<Bound>,
    /// Arrays of which it asks no more than their lengths, and the names that stand for these.
    pub lengths: Vec<(Ident, Ident)>,
    /// What it is.
    pub frame: Frame,
}

/// A name that is bound in front of code of a declaration.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The name, with the author's hygiene.
    pub name: Ident,
    /// What it is bound to.
    pub to: Bind,
}

/// What a name in code of a declaration is bound to.
#[derive(Clone, Debug)]
pub enum Bind {
    /// An array, by the identifier that stands for it.
    Array(Hold, Ident),
    /// A number, by the identifier that stands for it.
    Number(Numbers, Ident),
    /// A `const` parameter: its type and its value.
    Parameter(TokenStream, TokenStream),
}

/// What positions, coordinates and counts are in Rust of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// `i64`, as in `read`.
    Signed,
    /// `usize`, as in `write` and in leaves.
    Unsigned,
}

/// What code of a declaration is.
#[derive(Clone, Debug)]
pub enum Frame {
    /// Statements.
    Statements,
    /// A position or coordinate.
    Number,
    /// A condition.
    Condition,
    /// An argument of a function, of the type that the function takes.
    Argument,
    /// A value of the leaf.
    Value,
    /// An element of an array, of the array's type.
    Item,
    /// A type: that to which its one argument is cast.
    Cast,
    /// The value of a `const` parameter of this type.
    Constant(TokenStream),
    /// A clause of `write`, whose value is used as it is.
    Clause(Clause),
    /// A clause that may fail: for want of memory, or as the level cannot store what was written. The identifiers
    /// stand for the sizes of the tensor.
    Growth(Clause, Vec<Ident>),
    /// A clause that counts fibers, which may be more than can be addressed.
    Count(Clause, Vec<Ident>),
    /// The exchange of the fibers of the level below that `commit` left pairs of.
    Exchange(Box<Exchange>),
    /// The clause `clear`, and how it makes a value of the leaf below fill if it asks for that.
    Clear(Option<Box<Blank>>),
}

/// How two fibers of a level are exchanged.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The identifier that stands for the array of pairs.
    pub moves: Ident,
    /// The identifiers that stand for the sizes of levels with a child for each coordinate, outermost first.
    pub sizes: Vec<Ident>,
    /// The level that says how, and its names for the two.
    pub of: (TensorId, usize),
    /// The names of the two.
    pub pair: [Ident; 2],
    /// What is bound in front of it.
    pub bound: Vec<Bound>,
    /// What it says.
    pub code: TokenStream,
}

/// A function of a position that makes the value there fill.
#[derive(Clone, Debug)]
pub struct Blank {
    /// The author's name for it.
    pub name: Ident,
    /// The leaf.
    pub of: (TensorId, usize),
    /// The leaf's name for the position.
    pub p: Ident,
    /// Where the value is, if it is anywhere, and what is bound in front of that.
    pub place: Option<(Vec<Bound>, TokenStream)>,
}
