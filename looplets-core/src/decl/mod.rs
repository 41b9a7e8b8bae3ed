//! A format as tokens: what a `level!`, `fill!` or alias declaration says, parsed (D3.1).
//!
//! A declaration travels to `finch!` through the macro that bears the format's name; everything the
//! compiler ever learns about a format is in the structures of this module.

pub mod clause;
mod elements;
pub mod home;
pub mod identity;
mod nest;
pub mod operator;
pub mod parse;
pub mod rules;
pub mod schema;
mod write;

use crate::cin::Lit;
pub use clause::{named, substitute, uses, with_length, Clause, Hold, Use};
pub use identity::{fingerprint, Fingerprint};
pub use nest::{LetDecl, Nest, Payload, StepperDecl};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
pub use write::{Link, Order, Write};

/// What a name in a format position stands for.
pub enum Decl {
    /// A level or a leaf.
    Level(Box<LevelDecl>),
    /// `pub type Csr<T> = Tensor<..>;`
    Alias(AliasDecl),
    /// `pub fill Zero = 0;`
    Fill(FillDecl),
    /// `pub fn gcd(a: u64, b: u64) -> u64 { .. } identity 0;`
    Operator(Box<operator::OperatorDecl>),
    /// `pub rules tropical { .. }`
    Rules(rules::RulesDecl),
    /// `pub misnamed CSR = "write Csr";`
    Misnamed(Misnamed),
}

/// A name that people try for a format, and what they should write.
pub struct Misnamed {
    vis: syn::Visibility,
    name: Ident,
    /// The cure.
    pub write: String,
}

impl Decl {
    /// Its name.
    pub fn name(&self) -> &Ident {
        match self {
            Decl::Level(l) => &l.name,
            Decl::Alias(a) => &a.name,
            Decl::Fill(f) => &f.name,
            Decl::Operator(o) => &o.name,
            Decl::Rules(r) => &r.name,
            Decl::Misnamed(m) => &m.name,
        }
    }
    /// Its visibility.
    pub fn vis(&self) -> &syn::Visibility {
        match self {
            Decl::Level(l) => &l.vis,
            Decl::Alias(a) => &a.vis,
            Decl::Fill(f) => &f.vis,
            Decl::Operator(o) => &o.vis,
            Decl::Rules(r) => &r.vis,
            Decl::Misnamed(m) => &m.vis,
        }
    }
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Decl::Level(_) | Decl::Alias(_) => "a format",
            Decl::Fill(_) => "a fill marker",
            Decl::Operator(_) => "an operator",
            Decl::Rules(_) => "a set of rules",
            Decl::Misnamed(_) => "another name of a format",
        }
    }
}

/// A value that declarations can speak of.
#[derive(Clone)]
pub enum Constant {
    /// A literal, and where it stands.
    Lit(Lit, Span),
    /// What a fill marker names.
    Marker(syn::Path),
}

/// The value of a Rust literal, negated if `minus`.
pub fn literal(lit: &syn::Lit, minus: bool) -> Option<Lit> {
    Some(match lit {
        syn::Lit::Int(n) => {
            let n: i128 = n.base10_parse().ok()?;
            Lit::Int(if minus { -n } else { n })
        }
        syn::Lit::Float(x) => {
            let x: f64 = x.base10_parse().ok()?;
            Lit::float(if minus { -x } else { x })
        }
        syn::Lit::Bool(b) if !minus => Lit::Bool(b.value),
        _ => return None,
    })
}

/// A generic parameter of a declaration.
#[derive(Clone)]
pub struct Param {
    /// `Child`, `Ix`, `N`
    pub name: Ident,
    /// The parameter as it stands in an `impl<..>`, without the default.
    pub decl: TokenStream,
    /// Its default.
    pub default: Option<TokenStream>,
    /// The type of a `const` parameter.
    pub constant: Option<TokenStream>,
}

/// A type alias of formats.
pub struct AliasDecl {
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Name.
    pub name: Ident,
    /// Lifetimes of what it borrows.
    pub lifetimes: Vec<syn::Lifetime>,
    /// Parameters.
    pub params: Vec<Param>,
    /// What it stands for.
    pub target: TokenStream,
}

/// A fill marker: a type that names a compile-time value.
pub struct FillDecl {
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Name.
    pub name: Ident,
    /// Parameters.
    pub params: Vec<Param>,
    /// Types it is a fill of by a plain conversion: `: f32, f64`.
    pub types: Vec<syn::Type>,
    /// A literal, `inf`, `-inf`, `nan`, `missing`, or a parameter.
    pub value: TokenStream,
}

/// A level.
#[derive(Clone)]
pub struct LevelDecl {
    /// Name.
    pub name: Ident,
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Lifetimes of the arrays that it borrows.
    pub lifetimes: Vec<syn::Lifetime>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// `(fibers) { .. }` of the invariant: Rust that gives `Result<usize, String>`, the number of
    /// child fibers that `fibers` fibers need.
    pub invariant: Option<(Ident, TokenStream)>,
    /// `fiber((a, b)) { .. }`: Rust that gives `Result<(), String>`, what must hold of each fiber of a
    /// level whose fibers are ranges.
    pub fiber: Option<(Ident, Ident, TokenStream)>,
    /// `unsafe invariant`: the author vouches that the invariant covers every index computed.
    pub vouched: Option<Span>,
    /// Read protocols, the default one first; a leaf has one called `value`.
    pub reads: Vec<Read>,
    /// The write protocol.
    pub write: Option<Write>,
    /// The protocol by which entries that come in ascending order are appended, and linked once all are there: of a
    /// level that says how entries are inserted and how a fiber is built.
    pub in_order: Option<Write>,
    /// Value type and fill, for a leaf.
    pub leaf: Option<Leaf>,
    /// `split(p, i) { q }`: the child position where coordinate `i` of fiber `p` begins.
    pub split: Option<(Ident, Ident, TokenStream)>,
    /// `join(pos: offsets, crd: coordinates)`: what becomes of each field where fibers are joined.
    pub join: Option<Vec<(Ident, Joined)>>,
    /// `words(p, w) { array[position] }`: which children of a fiber are stored, 64 at a time.
    pub words: Option<Words>,
    /// The nodes that it is made of, in place of arrays of the author's.
    pub schema: Option<schema::Schema>,
    /// `swap(a, b) { .. }`: exchanges what two fibers hold.
    pub swap: Option<(Ident, Ident, TokenStream)>,
    /// The functions of the level's own type that its code calls.
    pub own: home::Own,
}

/// Where the bits are that say which coordinates of a fiber are stored.
#[derive(Clone)]
pub struct Words {
    /// The position of the fiber.
    pub p: Ident,
    /// The number of the word: it has the bits of coordinates `64 * w .. 64 * w + 64`, the least first.
    pub w: Ident,
    /// The array.
    pub array: Ident,
    /// The word's position in it.
    pub at: syn::Expr,
    /// `sparse words`: what walks the fiber passes over stretches of zeros at less than a word a step.
    pub sparse: bool,
}

/// What becomes of a field where the fibers of two levels become those of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joined {
    /// Arrays that count up through the fibers from 0, and end with how many there are.
    Offsets,
    /// An array that is concatenated.
    Entries,
    /// An array that is concatenated, of the coordinates of all that is stored: one fiber that ends
    /// where another begins can be joined with it.
    Coordinates,
    /// The size: a fiber of so many more coordinates is two, one behind the other.
    Sum,
}

/// What a field holds.
#[derive(Clone)]
pub enum FieldKind {
    /// The size of the dimension, `len: usize`.
    Len,
    /// Another number, `width: usize`.
    Scalar(syn::Type),
    /// `Vec<T>`, a slice in kernels.
    Array(syn::Type),
    /// The next level.
    Child,
}

/// A field.
#[derive(Clone)]
pub struct Field {
    /// Name.
    pub name: Ident,
    /// Type as declared.
    pub ty: syn::Type,
    /// What it holds.
    pub kind: FieldKind,
}

/// The leaf clause: `leaf T = F;`
#[derive(Clone)]
pub struct Leaf {
    /// Type of a value.
    pub value: syn::Type,
    /// Fill marker, a type.
    pub fill: TokenStream,
}

/// A read protocol under one or more names.
#[derive(Clone)]
pub struct Read {
    /// `walk`, `gallop`, ..
    pub names: Vec<Ident>,
    /// The position of the fiber, or the first of the entries it is made of.
    pub p: Ident,
    /// One past the last of those entries, if the fiber is a range of them: `walk((p, end))`.
    pub end: Option<Ident>,
    /// The coordinate, for `locate`.
    pub i: Option<Ident>,
    /// The looplet nest.
    pub nest: Nest,
}

impl Read {
    /// Whether the protocol answers at one given coordinate instead of describing the fiber.
    pub fn is_locate(&self) -> bool {
        self.i.is_some()
    }
}

/// What stands for the path of this crate in code that declarations are completed by.
pub const CRATE: &str = "__looplets";

impl LevelDecl {
    /// Whether it borrows arrays, which are read alone.
    pub fn borrows(&self) -> bool {
        self.fields.iter().any(|f| matches!(f.ty, syn::Type::Reference(_)))
    }
    /// What stands between `<` and `>` where the level is named.
    pub fn arguments(&self) -> Vec<TokenStream> {
        let lifetimes = self.lifetimes.iter().map(quote::ToTokens::to_token_stream);
        lifetimes
            .chain(self.params.iter().map(|p| quote::ToTokens::to_token_stream(&p.name)))
            .collect()
    }
    /// Whether one fiber can be joined with one that goes on where it ends.
    pub fn joins_along(&self) -> bool {
        let moves = |how: &Joined| matches!(how, Joined::Coordinates | Joined::Sum);
        self.join.as_ref().is_some_and(|all| all.iter().any(|(_, how)| moves(how)))
    }
    /// Whether coordinates of a part are those of the whole less where the part begins.
    pub fn joins_by_size(&self) -> bool {
        self.join.as_ref().is_some_and(|all| all.iter().any(|(_, how)| *how == Joined::Sum))
    }
    /// Whether it says that a fiber has one child for each coordinate.
    pub fn one_child_each(&self) -> bool {
        self.write.as_ref().is_some_and(|w| w.one_child_each)
    }
    /// Whether it has nothing but a child for each coordinate, so that what is done to a fiber is done to its children.
    pub fn has_children_alone(&self) -> bool {
        let arrays = self.fields.iter().any(|f| matches!(f.kind, FieldKind::Array(_)));
        self.one_child_each() && !arrays
    }
    /// Whether `param` is a type of coordinates, which the size of the dimension must fit: one that counts links need not.
    pub fn counts_coordinates(&self, param: &Param) -> bool {
        let links = self.schema.as_ref().and_then(|s| s.links.as_ref());
        let same = self.schema.as_ref().is_some_and(|s| s.links == s.coordinates);
        let index = Ident::new("Index", param.name.span());
        mentions(&param.decl, &index) && (same || links != Some(&param.name))
    }
    /// Whether its fibers are ranges of entries, named by two numbers.
    pub fn ranges(&self) -> bool {
        self.reads.iter().any(|r| r.end.is_some())
    }
    /// Whether it leaves out elements that are fill.
    pub fn leaves_out(&self) -> bool {
        self.reads.iter().any(|r| r.nest.has_fill())
    }
    /// Whether what is read of it where no protocol stands goes on in steps, of entries or of runs.
    pub fn steps(&self) -> bool {
        self.reads.first().is_some_and(|r| r.nest.steps())
    }
    /// Whether it has a place for each coordinate, stored or not.
    pub fn has_places(&self) -> bool {
        self.one_child_each() || !self.leaves_out() && !self.steps()
    }
    /// Whether what is read of it where no protocol stands is its entries one by one, with fill between them.
    pub fn lists_entries(&self) -> bool {
        self.reads.first().is_some_and(|r| r.nest.has_fill() && r.nest.lists_entries())
    }
    /// Whether the fibers of its child are.
    pub fn gives_ranges(&self) -> bool {
        self.reads.iter().any(|r| r.nest.gives_ranges())
    }
    /// The read protocol called `name`.
    pub fn read(&self, name: &str) -> Option<&Read> {
        self.reads.iter().find(|r| r.names.iter().any(|n| n == name))
    }
    /// What people are shown for `code`, if that is a call of a function of the level's own type.
    pub fn shown(&self, code: &TokenStream) -> Option<TokenStream> {
        let all: Vec<TokenTree> = code.clone().into_iter().collect();
        let home = all.iter().position(|t| matches!(t, TokenTree::Ident(i) if i == home::HOME))?;
        // What such a call gives may be assigned.
        let called = match &all[..home] {
            [] => true,
            [.., TokenTree::Punct(p)] => p.as_char() == '=',
            _ => false,
        };
        // `__Home :: name (..)`
        let TokenTree::Ident(name) = all.get(home + 3).filter(|_| called)? else { return None };
        let mut shown = self.own.get(&name.to_string())?.shown.clone();
        match &all[home + 4..] {
            [TokenTree::Group(_)] => {}
            // A statement ends as one.
            [TokenTree::Group(_), TokenTree::Punct(p)] if p.as_char() == ';' => {
                shown.extend([TokenTree::Punct(p.clone())]);
            }
            _ => return None,
        }
        Some(shown)
    }
    /// Every protocol name, for messages.
    pub fn protocols(&self) -> String {
        let names: Vec<String> =
            self.reads.iter().flat_map(|r| r.names.iter().map(|n| format!("`{n}`"))).collect();
        names.join(", ")
    }
}

/// Whether `name` occurs in `tokens`.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
