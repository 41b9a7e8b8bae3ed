//! The surface syntax of a kernel, spans kept: what `parse` makes and `resolve` reads.

use crate::cin::Op;
pub use crate::decl::rules::Use;
use proc_macro2::{Ident, Span, TokenStream};

/// One kernel: a function or an inline program.
pub struct Program {
    /// `#![forbid(unsafe_code)]` stood at the top: emit checked indexing only.
    pub safe: bool,
    /// `#![steps(counter)]`: a `mut` scalar parameter raised by one for each loop iteration.
    pub steps: Option<Ident>,
    /// `#![strict]`: no rule that changes what floats give, and no float operation in another order.
    pub strict: bool,
    /// `#![contract]`: products that are added need not be rounded first.
    pub contract: bool,
    /// `use path::to::operator;` at the top: operators and rule sets brought in.
    pub uses: Vec<Use>,
    /// Function form or inline form.
    pub form: Form,
    /// Inputs and tensors updated in place, in source order.
    pub params: Vec<Param>,
    /// `-> (y: Format[sizes], ..)`.
    pub outputs: Vec<Output>,
    /// The statements.
    pub body: Block,
}

/// Which of the two forms of D2.1 a kernel has.
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
}

/// A parameter.
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// How it is passed.
    pub passing: Passing,
    /// Its type without the reference.
    pub ty: syn::Type,
}

/// An output, created and returned by the kernel.
pub struct Output {
    /// Its name.
    pub name: Ident,
    /// Its format.
    pub ty: syn::Type,
    /// Explicit sizes, outermost first.
    pub dims: Option<Vec<Expr>>,
}

/// `{ statements }`.
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The braces.
    pub span: Span,
}

/// A statement.
pub enum Stmt {
    /// `for i, j { .. }` or `for i in lo..hi { .. }`.
    For {
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
    },
    /// `pass a, b;`
    Pass(Vec<Ident>),
    /// A bare block.
    Block(Block),
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
}

/// One index of an access.
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
        }
    }
}
