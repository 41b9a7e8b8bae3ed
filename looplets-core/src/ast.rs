//! The surface syntax of a kernel, spans kept: what `parse` makes and `resolve` reads.

pub mod alternatives;
pub mod promise;
pub mod visit;

use crate::cin::Op;
pub use crate::decl::rules::Use;
use proc_macro2::{Ident, Span, TokenStream};

/// One kernel: a function or an inline program.
#[derive(Clone)]
pub struct Program {
    /// `#![forbid(unsafe_code)]` stood at the top: emit checked indexing only.
    pub safe: bool,
    /// `#![steps(counter)]`: a `mut` scalar parameter raised by one for each loop iteration.
    pub steps: Option<Ident>,
    /// `#![strict]`: no rule that changes what floats give, and no float operation in another order.
    pub strict: bool,
    /// `#![contract]`: products that are added need not be rounded first.
    pub contract: bool,
    /// `#![dense]`: loops may go through what no operand stores, and results store it.
    pub dense: bool,
    /// `#![portable]`: one body, for what all processors have.
    pub portable: bool,
    /// `#![schedule(..)]`: what is settled of what the scheduler would choose.
    pub schedule: Vec<Wish>,
    /// `#![cost(..)]`: what it may cost at most.
    pub promise: Option<promise::Promise>,
    /// `use path::to::operator;` at the top: operators and rule sets brought in.
    pub uses: Vec<Use>,
    /// Function form or inline form.
    pub form: Form,
    /// Inputs and tensors updated in place, in source order.
    pub params: Vec<Param>,
    /// Parameters that are named nowhere else.
    pub unread: Vec<Ident>,
    /// `-> (y: Format[sizes], s: f64 = start, ..)`; `-> f64` is one called [`RESULT`].
    pub outputs: Vec<Output>,
    /// The statements.
    pub body: Block,
}

/// The name of a result that has none, `-> f64`.
pub const RESULT: &str = "__result";

/// A part of `#![schedule(..)]`.
#[derive(Clone)]
pub struct Wish {
    /// What is wished for.
    pub kind: WishKind,
    /// Its word.
    pub span: Span,
}

/// What may be wished for of the scheduler.
#[derive(Clone)]
pub enum WishKind {
    /// `order(i, k, j)`: loops over these indices run in this order.
    Order(Vec<Ident>),
    /// `spread(x)`: the operand is copied to where it is looked up.
    Spread(Ident),
    /// `merge(x)`: it is not.
    Merge(Ident),
    /// `first(b, x)` or `first(b, x, for i)`: the product of these operands is summed before the others take part, in loops
    /// over these indices.
    First(Vec<Ident>, Option<Vec<Ident>>),
    /// `at_once`: no product is taken apart.
    AtOnce,
    /// Operands are gone through as they are stored.
    AsStored,
    /// `turn(b)`: the operand is copied in the other order.
    Turn(Ident),
    /// `walk(j)`: operands that meet along the index are gone through together.
    Walk(Ident),
    /// `gallop(j)`: each of them leaps to where another one has its next entry.
    Gallop(Ident),
    /// `late(m)`: what is gathered is gathered whole, and looked up where the mask is stored.
    Late(Ident),
    /// `early(m)`: the mask is asked before anything is gathered.
    Early(Ident),
    /// `dense(c)`: what is gathered of the result has a place for each coordinate.
    ByPlace(Ident),
    /// `hash(c)`: it has entries alone, which are found by hashing.
    Hashed(Ident),
    /// `workspace(c: Format)`: what is gathered of the result, or copied of the operand, is held in this format.
    Workspace(Ident, Box<syn::Type>),
    /// `locate(x)`: the operand is looked up where others have entries.
    Locate(Ident),
    /// `tile(8)`: register tiles have this many elements of a row at most; of one element there are none.
    Tile(usize),
    /// `runs(y)`: the result, logic over runs, is merged of them.
    Runs(Ident),
    /// `bits(y)`: it is computed of bits.
    Bits(Ident),
    /// `way(2)`: the way of this number, from 1 on, as `explain!` lists them.
    Way(usize),
    /// `ways(5)`: as many are kept, if they are worth it.
    Ways(usize),
    /// `inside`: loops may be left out within loops that are written.
    Inside,
}

/// Which of the two forms of D2.1 a kernel has.
#[derive(Clone)]
pub enum Form {
    /// `pub fn name<..>(..) -> (..) where .. { .. }`
    Function {
        /// Attributes and doc comments.
        attrs: Vec<syn::Attribute>,
        /// Visibility.
        vis: syn::Visibility,
        /// Name.
        name: Ident,
        /// Generics with their where clause.
        generics: Box<syn::Generics>,
        /// The error type, if the function returns `Result<(..), E>`.
        fallible: Option<Box<syn::Type>>,
    },
    /// `<A: Format, mut c: f64> statements`, optionally `<..> -> (y: Format) statements`.
    Inline,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// `alpha: f64`
    Value,
    /// `a: &Csr<f64>`, or `A: Csr<f64>` in the inline form
    Shared,
    /// `y: &mut DenseVec<f64>`, or `mut y: DenseVec<f64>` in the inline form
    Mutable,
    /// The same, of a tensor of which entries are removed: it is read like a shared one until all loops have ended.
    Thinned,
    /// `-> (s: f64)`: not passed but returned, a scalar that the kernel makes.
    Made,
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// How it is passed.
    pub passing: Passing,
    /// Its type without the reference.
    pub ty: syn::Type,
    /// Other types that it may have, `a: &(A<f64> | B<f64>)`: the function is compiled for each.
    pub others: Vec<syn::Type>,
}

/// An output, created and returned by the kernel.
#[derive(Clone)]
pub struct Output {
    /// Its name.
    pub name: Ident,
    /// Its format.
    pub ty: syn::Type,
    /// Explicit sizes, outermost first.
    pub dims: Option<Vec<Expr>>,
    /// What a scalar starts at, `s: f64 = e`; zero if it does not say.
    pub start: Option<(Expr, Span)>,
}

/// `{ statements }`.
#[derive(Clone)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone)]
pub enum Stmt {
    /// `for i, j { .. }` or `for i in lo..hi { .. }`.
    For {
        /// Whether the program has it. One that it leaves out runs in no order that is said.
        written: bool,
        /// `parallel for`, where it says so: of the first index.
        parallel: Option<Span>,
        /// Outermost first; one if there is an extent.
        indices: Vec<Ident>,
        /// Half-open.
        extent: Option<(Expr, Expr)>,
        /// Body.
        body: Block,
    },
    /// `target op= value;`
    Assign {
        /// A name or an access.
        target: Expr,
        /// `None` for `=`.
        op: Option<OpRef>,
        /// The value.
        value: Expr,
        /// The operator token.
        span: Span,
    },
    /// `remove target;`
    Remove {
        /// An access.
        target: Expr,
        /// The word.
        span: Span,
    },
    /// `if cond { .. } else { .. }` (`else if` is an `else` holding an `if`).
    If {
        /// Condition.
        cond: Expr,
        /// Where it holds.
        then: Block,
        /// Where it does not.
        otherwise: Option<Block>,
    },
    /// `{ consumer } where { producer }`
    Where {
        /// Reads.
        consumer: Block,
        /// Writes.
        producer: Block,
    },
    /// `let x = e;`
    Let {
        /// Name.
        name: Ident,
        /// Value.
        value: Expr,
    },
    /// `let mut w: Format[dims];`, a workspace; a scalar if the type is no format: `let mut t: f64;`.
    Workspace {
        /// Name.
        name: Ident,
        /// Format or scalar type.
        ty: syn::Type,
        /// Sizes.
        dims: Option<Vec<Expr>>,
        /// What it is gathered for.
        of: Option<Gathered>,
    },
    /// `pass a, b;`
    Pass(Vec<Ident>),
    /// A bare block.
    Block(Block),
}

/// The result that a workspace is gathered for.
#[derive(Clone)]
pub struct Gathered {
    /// Its name.
    pub result: Ident,
    /// Which dimension of it the workspace has first.
    pub first: usize,
    /// Whether the header gives the sizes of the result, of which the workspace then has its own.
    pub sized: bool,
}

/// An operator as written.
#[derive(Clone)]
pub struct OpRef {
    /// Canonical name.
    pub op: Op,
    /// The path as written, for functions.
    pub path: Option<syn::Path>,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone)]
pub enum Expr {
    /// A literal with its suffix, if any; `float` for a float literal without one.
    Lit(crate::cin::Lit, Option<String>, Span),
    /// A name: an index, a scalar, or a Rust variable in scope.
    Name(Ident),
    /// A longer path, `f64::consts::PI`.
    Path(syn::Path),
    /// `A[i, j::gallop]`
    Access {
        /// The tensor.
        name: Ident,
        /// One per dimension.
        indices: Vec<Index>,
        /// Whether the indices have been turned round, as those of a tensor that is stored by columns are: the program has the last one
        /// first.
        by_columns: bool,
        /// The whole access.
        span: Span,
    },
    /// An operator or function.
    Call {
        /// Which.
        op: OpRef,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// `$(expr)`
    Escape(TokenStream, Span),
    /// `collapse(a[i, j], (i, j) -> k)` and the other shape operators.
    Shape(Box<Shape>),
}

/// Which shape operator (Root et al., section 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeOp {
    /// Dimensions become one.
    Collapse,
    /// One dimension becomes several.
    Split,
    /// Expressions one after the other.
    Concat,
    /// Every so-many-th coordinate of a part of a dimension.
    Slice,
    /// Dimensions become others of as many elements.
    Reshape,
}

impl ShapeOp {
    /// All there are.
    pub const ALL: [ShapeOp; 5] =
        [ShapeOp::Collapse, ShapeOp::Split, ShapeOp::Concat, ShapeOp::Slice, ShapeOp::Reshape];
    /// Its name in programs.
    pub fn name(self) -> &'static str {
        match self {
            ShapeOp::Collapse => "collapse",
            ShapeOp::Split => "split",
            ShapeOp::Concat => "concat",
            ShapeOp::Slice => "slice",
            ShapeOp::Reshape => "reshape",
        }
    }
    /// The one of this name.
    pub fn of(name: &str) -> Option<ShapeOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
    /// What writes through it, of an output `y`.
    pub fn undone(self) -> &'static str {
        match self {
            ShapeOp::Collapse => "`y[i, j] = split(x[k], k -> (i, j: n))` for `collapse(y[i, j], (i, j) -> k) = x[k]`",
            ShapeOp::Split => "`y[k] = collapse(x[i, j], (i, j) -> k)` for `split(y[k], k -> (i, j: n)) = x[i, j]`",
            ShapeOp::Concat => "`y[i] = slice(x[k], k -> i, 0..n)` and `z[j] = slice(x[k], k -> j, n..m)` for `concat((y[i], z[j]), (i, j) -> k) = x[k]`",
            ShapeOp::Slice => "`for k in start..end { y[k] = x[k - start] }` for `slice(y[i], i -> k, (start, end)) = x[k]`",
            ShapeOp::Reshape => "`y[i, j] = reshape(x[k, l], (k, l) -> (i, j: n))` for `reshape(y[i, j], (i, j) -> (k, l: m)) = x[k, l]`",
        }
    }
    /// How it is written.
    pub fn form(self) -> &'static str {
        match self {
            ShapeOp::Collapse => "collapse(a[i, j], (i, j) -> k)",
            ShapeOp::Split => "split(a[k], k -> (i, j: n))",
            ShapeOp::Concat => "concat((a[i], b[j]), (i, j) -> k)",
            ShapeOp::Slice => "slice(a[i], i -> k, (start, end, step))",
            ShapeOp::Reshape => "reshape(a[i, j], (i, j) -> (k, l: n))",
        }
    }
}

/// A shape operator: its operands are read at indices that exist in it alone, `from`, computed of
/// those around it, `to`.
#[derive(Clone)]
pub struct Shape {
    /// Which.
    pub op: ShapeOp,
    /// Where its name stands.
    pub span: Span,
    /// One, but for `concat`.
    pub operands: Vec<Expr>,
    /// The indices that its operands have and it has not, with the sizes that are written out.
    pub from: Vec<Sized>,
    /// The indices that it has instead.
    pub to: Vec<Sized>,
    /// `(start, end, step)` of a slice.
    pub cut: Option<(Expr, Expr, Option<Expr>)>,
}

/// An index of a shape operator, and its size where that is written: `k: 4`.
#[derive(Clone)]
pub struct Sized {
    /// The index.
    pub name: Ident,
    /// Its size.
    pub size: Option<Expr>,
}

/// One index of an access.
#[derive(Clone)]
pub struct Index {
    /// `i`, `i + 1`, `I[j]`, ..
    pub expr: Expr,
    /// `::gallop`
    pub protocol: Option<Ident>,
}

impl Expr {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Expr::Lit(_, _, s) | Expr::Access { span: s, .. } | Expr::Escape(_, s) => *s,
            Expr::Name(n) => n.span(),
            Expr::Path(p) => p.segments.first().map_or_else(Span::call_site, |s| s.ident.span()),
            Expr::Call { op, .. } => op.span,
            Expr::Shape(shape) => shape.span,
        }
    }
}
