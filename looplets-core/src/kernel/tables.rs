//! What ids of a kernel stand for: variables, arrays, tensors and their levels, accesses, functions, opaque parts.

use super::*;

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// A loop index.
    Index,
    /// Defined once in the generated code.
    Local,
    /// Defined by a `let` of the program.
    Let,
    /// State: changes in the generated code.
    State,
    /// A name of the surrounding Rust, or a parameter passed by value.
    Outer,
    /// A scalar the program writes: `&mut f64`, `let mut t: f64`.
    Scalar,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in the generated code; the user's own where there is one.
    pub name: String,
    /// The user's token.
    pub ident: Option<Ident>,
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub kind: VarKind,
}

/// An array of a level.
#[derive(Clone, Debug)]
pub struct Array {
    /// The slice's name in the generated code.
    pub name: String,
    /// Element type; numbers that are positions or coordinates are [`Ty::Index`].
    pub elem: Ty,
    /// Element type as tokens.
    pub elem_tokens: TokenStream,
    /// Whether a checked invariant covers every index the level computes.
    pub trusted: bool,
    /// Which tensor it is of.
    pub tensor: TensorId,
}

/// Neighbouring entries of one coordinate, which a stepper takes as one child: those of a position `q` are
/// `q..after`, of which there is one at least, and all of them have the coordinate of the first.
#[derive(Clone)]
pub struct Neighbors {
    /// Where those of the current position end, which is the next position.
    pub after: VarId,
    /// Where the last of them end.
    pub end: Expr,
    /// The array that holds the coordinate of each entry, if that is all that tells where a child ends.
    pub coordinate: Option<ArrayId>,
}

/// An opaque part.
#[derive(Clone, Debug)]
pub struct Raw {
    /// What it is; of tokens, identifiers in `names` are replaced on emission.
    pub code: Opaque,
    /// Identifiers that stand for expressions: those in tokens, or the arguments in their order.
    pub names: Vec<(Ident, Expr)>,
    /// Its type.
    pub ty: Ty,
    /// Whether evaluating it does something, so that it stays even if its value is not used.
    pub effect: bool,
}

/// What a tensor is to the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Read only.
    Input,
    /// Updated in place.
    InOut,
    /// Created and returned.
    Output,
    /// Lives inside the kernel.
    Workspace,
}

/// A tensor of which a kernel removes entries.
#[derive(Clone, Debug)]
pub struct Removal {
    /// Its parameter.
    pub name: Ident,
    /// Where `remove` stands first.
    pub span: proc_macro2::Span,
    /// The same with `true` for each value, and `false` where nothing is stored.
    pub stored: TensorId,
    /// Where entries are that go.
    pub gone: TensorId,
}

/// A field of a level inside the kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// The size of the dimension or another number.
    Scalar(VarId),
    /// An array.
    Array(ArrayId),
    /// The next level.
    Child,
}

/// A level of a tensor with the names its fields have in the kernel.
#[derive(Clone)]
pub struct Level {
    /// Declaration, path and arguments.
    pub format: LevelUse,
    /// Per field of the declaration.
    pub fields: Vec<(Ident, Binding)>,
    /// This level and all above it vouch for their indices, and the kernel may use `unsafe`.
    pub trusted: bool,
}

/// A tensor of the program.
#[derive(Clone)]
pub struct Tensor {
    /// The user's token.
    pub name: Ident,
    /// Its type as written.
    pub ty: syn::Type,
    /// Its format.
    pub chain: Chain,
    /// Levels, the leaf last.
    pub levels: Vec<Level>,
    /// Type of a value.
    pub value: Ty,
    /// The fill.
    pub fill: Expr,
    /// Role.
    pub role: Role,
    /// The result that a workspace is gathered for, and the dimension of it that is its first.
    pub of: Option<(String, usize)>,
    /// Made by this kernel and written by one assignment, each element once at most: what is
    /// assigned its fill holds it already.
    pub written_once: bool,
    /// Made by this kernel, and all that is done to it is to reduce into it by one operator that makes no difference the
    /// second time, in any order: its fill makes none.
    pub only_reduced: bool,
    /// Size of each dimension.
    pub lens: Vec<VarId>,
    /// Where the sizes of an output or workspace come from.
    pub sizes: Vec<Expr>,
}

impl Tensor {
    /// Whether it is an array of Rust, a slice or a vector, without a tensor around it.
    pub fn is_array(&self) -> bool {
        crate::formats::elements(&self.ty).is_some()
    }
    /// Whether its format leaves out elements that are fill.
    pub fn leaves_out(&self) -> bool {
        self.levels.iter().any(|l| l.format.level().leaves_out())
    }
    /// Whether the level right above its elements leaves out those that are fill.
    pub fn leaves_out_elements(&self) -> bool {
        let innermost = self.levels.iter().nth_back(1);
        innermost.is_some_and(|l| l.format.level().leaves_out())
    }
    /// What messages call its dimension `dim`: a workspace that is gathered for a result has those of the result.
    pub fn called(&self, dim: usize) -> (String, usize) {
        match &self.of {
            Some((result, first)) => (result.clone(), first + dim),
            None => (self.name.to_string(), self.dimension(dim)),
        }
    }
    /// The dimension whose coordinates level `level` has, and the level that has those of dimension `level`.
    pub fn dimension(&self, level: usize) -> usize {
        match self.chain.by_columns {
            true => (self.levels.len() - 1).saturating_sub(level + 1),
            false => level,
        }
    }
    /// Gives it the fill that its format has left open.
    pub fn set_fill(&mut self, fill: Expr, marker: &TokenStream) {
        self.fill = fill;
        self.ty = self.chain.close_fill(&self.ty, marker);
        for (level, format) in self.levels.iter_mut().zip(&self.chain.levels) {
            level.format = format.clone();
        }
    }
}

/// An access `A[..]`, from the fiber at `pos` of level `level` downwards.
#[derive(Clone, Debug)]
pub struct Access {
    /// The tensor.
    pub tensor: TensorId,
    /// The level whose fiber is next.
    pub level: usize,
    /// The fiber's position.
    pub pos: Expr,
    /// Where this is false there is no fiber at the position: all elements are fill.
    pub present: Option<VarId>,
    /// Indices left, the first belonging to `level`.
    pub indices: Vec<Index>,
    /// Whether it is the target of an assignment.
    pub write: bool,
    /// Whether it is the first to write its tensor, which this kernel makes, and reaches each element once at most: what is
    /// assigned its fill there holds it already.
    pub first: bool,
    /// Where it stands in the source.
    pub span: SpanEq,
    /// The looplet nest, while the loop over the first index is being lowered.
    pub unfurled: Option<crate::nest::Unfurled>,
    /// Where a loop over groups has come to in the fiber, and how many loops were open there: a loop directly
    /// inside may go on with its state.
    pub resumed: Option<(std::rc::Rc<crate::nest::Resumed>, usize)>,
}

/// A condition on sizes that the kernel checks before it starts.
#[derive(Clone, Debug)]
pub enum Check {
    /// Two dimensions run over by one index have one size.
    Equal {
        /// The index.
        index: VarId,
        /// Tensor and dimension that set the extent.
        from: (TensorId, usize),
        /// Tensor and dimension that must agree.
        with: (TensorId, usize),
        /// The sizes of the two, or of the windows they are seen through.
        sizes: [Expr; 2],
    },
    /// An explicit or shifted extent lies within a dimension.
    Within {
        /// The index.
        index: VarId,
        /// Tensor and dimension.
        of: (TensorId, usize),
        /// The size of the dimension, or of the window it is seen through.
        size: Expr,
        /// First coordinate.
        lo: Expr,
        /// One past the last.
        hi: Expr,
        /// The bounds of the loop, where they are known: one that does not run is within all dimensions. `lo` and `hi`
        /// do not tell whether it runs, since both are cut to the range of coordinates.
        run: Option<[Expr; 2]>,
        /// What must hold for the extent to be read at all.
        only: Vec<Expr>,
    },
    /// An explicit extent that is not empty lies within the range of coordinates: numbers beyond it were cut.
    /// Of one that is computed for each run of a loop it is a definition, [`crate::runtime::Runtime::Reach`].
    Reach {
        /// The index.
        index: VarId,
        /// First coordinate.
        lo: Expr,
        /// One past the last.
        hi: Expr,
    },
    /// What a shape operator asks of sizes.
    Holds {
        /// The operator and its index, as messages name them.
        operator: String,
        /// What is asked.
        cond: Expr,
        /// What is wrong if it does not hold, with `{}` where values stand.
        text: String,
        /// The values.
        values: Vec<Expr>,
        /// What is so once it holds.
        then: Vec<Expr>,
    },
}

impl Check {
    /// Every expression in it.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Check::Equal { sizes, .. } => sizes.iter().collect(),
            Check::Within { size, lo, hi, run, only, .. } => {
                [size, lo, hi].into_iter().chain(run.iter().flatten()).chain(only).collect()
            }
            Check::Reach { lo, hi, .. } => vec![lo, hi],
            Check::Holds { cond, values, then, .. } => {
                [cond].into_iter().chain(values).chain(then).collect()
            }
        }
    }
}

/// What becomes of something that the iterations of a parallel loop write and that outlives them.
#[derive(Clone, Debug)]
pub enum Share {
    /// The index parts it: each chunk has its own part of the arrays.
    Part(TensorId),
    /// An output that the index parts, made by each chunk for itself and joined.
    Made(TensorId),
    /// Each chunk reduces into a copy of its own.
    Copies {
        /// The tensor, all of whose levels are dense.
        tensor: TensorId,
        /// What combines the copies.
        op: Op,
        /// What they start at.
        identity: Expr,
    },
    /// Each chunk reduces into a scalar of its own.
    Scalar {
        /// The scalar.
        var: VarId,
        /// What combines them.
        op: Op,
        /// What they start at.
        identity: Expr,
    },
}

/// A Rust function that the kernel calls.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its path.
    pub path: TokenStream,
    /// What it gives.
    pub gives: Ty,
    /// What its arguments are declared, or have been seen, to be: a literal there takes that type.
    pub takes: Vec<Ty>,
    /// Which arguments it takes by reference; none if that is not said.
    pub by_ref: Vec<bool>,
    /// It gives what its argument at this place is.
    pub like: Option<usize>,
    /// A call of more than two arguments is one of two after the other.
    pub folds: bool,
    /// Its types are declared: arguments are converted.
    pub declared: bool,
    /// It computes positions in `usize`, as a declaration does where it writes.
    pub usizes: bool,
    /// What people are shown for its path.
    pub shown: Option<TokenStream>,
    /// If it is code that people are shown, the names in it of what the function is given.
    pub names: Vec<Ident>,
    /// Rules tell where its arguments are stored from where they are loads: it is an operator with a space.
    pub spaced: bool,
}

impl Function {
    /// A function of which nothing is known but where it is.
    pub fn at(path: TokenStream) -> Function {
        Function {
            path,
            gives: Ty::Unknown,
            takes: Vec::new(),
            by_ref: Vec::new(),
            like: None,
            folds: false,
            declared: false,
            usizes: false,
            shown: None,
            names: Vec::new(),
            spaced: false,
        }
    }
}

/// What is right and probably not meant, or slow without need. rustc says it at `span`.
#[derive(Clone)]
pub struct Warning {
    /// The token at fault.
    pub span: Span,
    /// The name of what rustc calls deprecated: the kind of the warning.
    pub name: &'static str,
    /// What is wrong, and what to do about it.
    pub note: String,
}

/// What the kernel returns, in the order of the header.
#[derive(Clone)]
pub enum ResultIs {
    /// A tensor that it makes.
    Tensor(TensorId),
    /// A scalar and its type.
    Scalar(VarId, Box<syn::Type>),
}

/// What a parameter became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamIs {
    /// A tensor.
    Tensor(TensorId),
    /// A scalar or other Rust value.
    Scalar(VarId),
    /// The tensor whose memory the output of its name is made in.
    Memory,
}

/// What a loop of the program goes through.
#[derive(Clone, Debug)]
pub struct LoopWalk {
    /// What the program calls its index.
    pub index: String,
    /// Which coordinates.
    pub visits: Visits,
}

/// The coordinates that a loop visits.
#[derive(Clone, Debug)]
pub enum Visits {
    /// No operand that it goes along leaves anything out, or what is left of it is a matter of runs.
    Unknown,
    /// All, whatever these tensors store.
    All(Vec<String>),
    /// Those that these store.
    Entries(Vec<Along>),
}

/// A tensor that a loop goes along.
#[derive(Clone, PartialEq, Debug)]
pub struct Along {
    /// Its name.
    pub tensor: String,
    /// The dimensions, one but for what `collapse` makes one of, outermost first.
    pub dims: Vec<usize>,
    /// The loops around each of whose iterations has a part of these dimensions.
    pub outer: Vec<String>,
}
