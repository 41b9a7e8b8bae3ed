//! A resolved kernel: the statements over ids, and the tables that say what each id stands for.

use crate::ast::{Form, Passing};
use crate::cin::*;
use crate::formats::{Chain, LevelUse};
pub use crate::index::*;
use crate::kir::Kir;
use crate::runtime::{Opaque, Runtime};
pub use crate::types::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
    /// What people are shown in its place.
    pub shown: Option<TokenStream>,
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

/// A field of a level inside the kernel.
#[derive(Clone, Debug)]
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
    /// Made by this kernel and written by one assignment, each element once at most: what is
    /// assigned its fill holds it already.
    pub written_once: bool,
    /// Size of each dimension.
    pub lens: Vec<VarId>,
    /// Where the sizes of an output or workspace come from.
    pub sizes: Vec<Expr>,
}

impl Tensor {
    /// Whether its format leaves out elements that are fill.
    pub fn leaves_out(&self) -> bool {
        self.levels.iter().any(|l| l.format.level().leaves_out())
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
    /// Where it stands in the source.
    pub span: SpanEq,
    /// The looplet nest, while the loop over the first index is being lowered.
    pub unfurled: Option<crate::nest::Unfurled>,
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
    },
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
            spaced: false,
        }
    }
}

/// A kernel after `resolve`.
pub struct Kernel {
    /// The path of the run-time crate, `$crate`.
    pub krate: TokenStream,
    /// Emit no `unsafe`.
    pub safe: bool,
    /// Floats give what the program says, in its order.
    pub strict: bool,
    /// Products that are added to floats need not be rounded first.
    pub contract: bool,
    /// The step counter.
    pub steps: Option<VarId>,
    /// Function or inline.
    pub form: Form,
    /// Parameters in order: name, passing, type and what they became.
    pub params: Vec<(Ident, Passing, syn::Type, ParamIs)>,
    /// Outputs in order.
    pub outputs: Vec<TensorId>,
    /// Those that are made in the memory of a tensor passed by value.
    pub reused: BTreeSet<TensorId>,
    /// Arrays of these whose elements stay, as all of them are overwritten.
    pub kept: BTreeSet<ArrayId>,
    /// Variables.
    pub vars: Vec<Var>,
    names: Names,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Raws.
    pub raws: Vec<Raw>,
    /// Tensors.
    pub tensors: Vec<Tensor>,
    /// Accesses; lowering adds to them.
    pub accesses: Vec<Access>,
    /// Rust functions called, by canonical name.
    pub functions: BTreeMap<String, Function>,
    /// Values that fill markers name, by the name of the term: tokens and type.
    pub constants: BTreeMap<String, (TokenStream, Ty)>,
    /// What rustc checks of names.
    pub same: Vec<TokenStream>,
    /// Loops whose extent the program gives.
    pub explicit: Vec<VarId>,
    /// What becomes of what the iterations of a parallel loop write, by its index.
    pub shares: BTreeMap<VarId, Vec<Share>>,
    /// What leaves values as they are under a declared operator that is associative, by its name.
    pub identities: BTreeMap<String, Expr>,
    /// Where reductions by a declared operator stand still, by its name.
    pub annihilators: BTreeMap<String, Vec<Expr>>,
    /// Size checks at the top.
    pub checks: Vec<Check>,
    /// Size checks of loops whose extents depend on other indices.
    pub loop_checks: Vec<(VarId, Check)>,
    /// Locals defined at the top: explicit extents, shifts and sizes.
    pub prelude: Vec<(VarId, Expr)>,
    /// Where each tensor and scalar is first assigned, by name: rustc reports a type that does not
    /// fit at the user's operator.
    pub assigned_at: BTreeMap<String, Span>,
    /// For tensors whose leaf has no values: the variable that stands for "this entry is stored".
    pub marks: BTreeMap<TensorId, VarId>,
    /// For tensors that are appended to in place: the first coordinate that may follow.
    pub follow: BTreeMap<TensorId, VarId>,
    /// Definitions of the program whose value may be `missing`.
    pub absent: BTreeSet<VarId>,
    /// The positions that steppers of trusted levels count up by one, with what ends them: a child is left
    /// behind for each step, so that there are no more steps than that.
    pub cursors: BTreeMap<VarId, Expr>,
    /// Where the cursors of unions stand, each with `cursors` of which one at least moves before it is set again.
    pub unions: BTreeMap<VarId, Vec<VarId>>,
    /// The program.
    pub body: Stmt,
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

impl Kernel {
    /// A kernel of the given form that holds nothing yet.
    pub fn new(krate: TokenStream, safe: bool, form: Form) -> Self {
        Kernel {
            krate,
            safe,
            strict: false,
            contract: false,
            steps: None,
            form,
            params: Vec::new(),
            outputs: Vec::new(),
            reused: BTreeSet::new(),
            kept: BTreeSet::new(),
            vars: Vec::new(),
            names: Names::default(),
            arrays: Vec::new(),
            raws: Vec::new(),
            tensors: Vec::new(),
            accesses: Vec::new(),
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            same: Vec::new(),
            explicit: Vec::new(),
            shares: BTreeMap::new(),
            identities: BTreeMap::new(),
            annihilators: BTreeMap::new(),
            checks: Vec::new(),
            loop_checks: Vec::new(),
            prelude: Vec::new(),
            assigned_at: BTreeMap::new(),
            marks: BTreeMap::new(),
            follow: BTreeMap::new(),
            absent: BTreeSet::new(),
            cursors: BTreeMap::new(),
            unions: BTreeMap::new(),
            body: Stmt::Pass,
        }
    }
    /// Has every index checked, and every output: rules of a user's own have changed what is read and
    /// written where, which no declaration of a level vouches for.
    pub fn distrust(&mut self) {
        self.arrays.iter_mut().for_each(|a| a.trusted = false);
        self.tensors.iter_mut().flat_map(|t| &mut t.levels).for_each(|l| l.trusted = false);
        self.cursors.clear();
        self.unions.clear();
    }
    /// A new variable.
    pub fn var(&mut self, name: &str, kind: VarKind, ty: Ty) -> VarId {
        let unique = self.names.unique(&plain(name));
        self.vars.push(Var { name: unique, ident: None, ty, kind });
        VarId(self.vars.len() as u32 - 1)
    }
    /// A name for an array that no other has: tensors of sibling blocks may be called the same.
    pub fn array_name(&self, name: String) -> String {
        let taken = |n: &str| self.arrays.iter().any(|a| a.name == n);
        match (2..).map(|k| format!("{name}_{k}")).find(|n| !taken(n)) {
            Some(unique) if taken(&name) => unique,
            _ => name,
        }
    }
    /// The variable that stands for an entry of `tensor` being stored.
    pub fn mark(&mut self, tensor: TensorId) -> VarId {
        if let Some(v) = self.marks.get(&tensor) {
            return *v;
        }
        let name = format!("{}_stored", self.tensor(tensor).name);
        let v = self.var(&name, VarKind::Scalar, Ty::Bool);
        self.marks.insert(tensor, v);
        v
    }
    /// The variable that holds the first coordinate that may be appended to `tensor`.
    pub fn follows(&mut self, tensor: TensorId) -> VarId {
        if let Some(v) = self.follow.get(&tensor) {
            return *v;
        }
        let name = format!("{}_next", self.tensor(tensor).name);
        let v = self.var(&name, VarKind::Local, Ty::Index);
        self.follow.insert(tensor, v);
        v
    }
    /// Whether `e` may be `missing`.
    pub fn may_be_missing(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(lit) => *lit == Lit::Missing,
            Expr::Var(v) => self.absent.contains(v),
            Expr::Access(a) => {
                let access = self.get(*a);
                let absent = self.tensor(access.tensor).fill == Expr::Lit(Lit::Missing);
                absent || access.indices.iter().any(|i| !i.view.clips.is_empty())
            }
            Expr::Call(op, args) if *op == Op::Coalesce => {
                args.iter().all(|a| self.may_be_missing(a))
            }
            Expr::Call(_, args) => args.iter().any(|a| self.may_be_missing(a)),
            Expr::Raw(r) => {
                self.raws[r.0 as usize].names.iter().any(|(_, e)| self.may_be_missing(e))
            }
            Expr::Load(_, i) => self.may_be_missing(i),
            Expr::Array(_) => false,
        }
    }
    /// A new opaque expression.
    pub fn raw(&mut self, tokens: TokenStream, names: Vec<(Ident, Expr)>, ty: Ty) -> Expr {
        self.opaque(Raw { code: Opaque::Rust(tokens), names, ty, effect: false, shown: None })
    }
    /// A call of the run-time library.
    pub fn call(&mut self, runtime: Runtime, args: Vec<Expr>, ty: Ty) -> Expr {
        let names = args.into_iter().enumerate().map(|(n, e)| (format_ident!("__arg{n}"), e));
        let (code, names) = (Opaque::Runtime(runtime), names.collect());
        self.opaque(Raw { code, names, ty, effect: false, shown: None })
    }
    /// A statement of the run-time library.
    pub fn statement(&mut self, runtime: Runtime, args: Vec<Expr>) -> Kir {
        let code = self.call(runtime, args, Ty::Unknown);
        let Expr::Raw(id) = code else { unreachable!("a call is opaque") };
        Kir::Code(id)
    }
    /// An opaque part.
    pub fn opaque(&mut self, raw: Raw) -> Expr {
        self.raws.push(raw);
        Expr::Raw(RawId(self.raws.len() as u32 - 1))
    }
    /// A new access.
    pub fn access(&mut self, access: Access) -> Expr {
        self.accesses.push(access);
        Expr::Access(AccessId(self.accesses.len() as u32 - 1))
    }
    /// The tensor `id`.
    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.0 as usize]
    }
    /// The access `id`.
    pub fn get(&self, id: AccessId) -> &Access {
        &self.accesses[id.0 as usize]
    }
    /// The variable `id`.
    pub fn info(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }
    /// Variables an expression depends on, through accesses and opaque parts as well.
    pub fn depends(&self, e: &Expr) -> Vec<VarId> {
        let mut out = Vec::new();
        e.walk(&mut |x| match x {
            Expr::Var(v) => out.push(*v),
            Expr::Raw(r) => {
                for (_, e) in &self.raws[r.0 as usize].names {
                    out.extend(self.depends(e));
                }
            }
            Expr::Access(a) => {
                let access = self.get(*a);
                out.extend(self.depends(&access.pos));
                out.extend(access.present);
                for index in &access.indices {
                    if let IndexKind::Affine(v, _) = &index.kind {
                        out.push(*v);
                    }
                    for e in index.parts() {
                        out.extend(self.depends(e));
                    }
                }
                if let Some(u) = &access.unfurled {
                    out.push(u.index);
                }
            }
            _ => {}
        });
        out.sort();
        out.dedup();
        out
    }
    /// Whether `e` mentions the array `a`.
    pub fn mentions(&self, e: &Expr, a: ArrayId) -> bool {
        let mut found = false;
        e.walk(&mut |x| match x {
            Expr::Load(b, _) | Expr::Array(b) => found |= *b == a,
            Expr::Raw(r) => {
                let names = &self.raws[r.0 as usize].names;
                found |= names.iter().any(|(_, e)| self.mentions(e, a));
            }
            _ => {}
        });
        found
    }
    /// Notes that `var` stands in for the tensor or scalar called `name`.
    pub fn assigned_like(&mut self, var: VarId, name: &str) {
        if let Some(span) = self.assigned_at.get(name).copied() {
            let name = self.info(var).name.clone();
            self.assigned_at.insert(name, span);
        }
    }
    /// Whether `e` is fixed before any loop starts: no index, no `let`, no element.
    pub fn fixed(&self, e: &Expr) -> bool {
        let mut reads = false;
        e.walk(&mut |x| reads |= matches!(x, Expr::Access(_) | Expr::Load(..)));
        let outer = |v: &VarId| matches!(self.info(*v).kind, VarKind::Outer | VarKind::Local);
        !reads && self.depends(e).iter().all(outer)
    }
    /// What the user calls a variable.
    pub fn called(&self, v: VarId) -> String {
        let info = self.info(v);
        info.ident.as_ref().map_or_else(|| info.name.clone(), Ident::to_string)
    }
    /// Notes the types of the arguments of a call.
    pub fn seen(&mut self, op: &Op, args: &[Option<Ty>]) {
        let Some(f) = op.key().and_then(|key| self.functions.get_mut(key)).filter(|f| !f.declared)
        else {
            return;
        };
        for (k, ty) in args.iter().enumerate() {
            if f.takes.len() <= k {
                f.takes.push(Ty::Unknown);
            }
            if let (Ty::Unknown, Some(ty)) = (&f.takes[k], ty) {
                f.takes[k] = ty.clone();
            }
        }
    }
}

/// The names of variables, and from where to look for one that is free: a kernel of thousands of variables of
/// one name is not searched for each of them.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// `name`, numbered if a variable has it.
    fn unique(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_owned()).or_insert(2);
        let mut unique = name.to_owned();
        while !self.taken.insert(unique.clone()) {
            unique = format!("{name}_{next}");
            *next += 1;
        }
        unique
    }
}

/// `name` as a name of the kernel's own: `r#type` as `type_`.
pub fn plain(name: &str) -> String {
    match name.strip_prefix("r#") {
        Some(rest) if syn::parse_str::<Ident>(rest).is_err() => format!("{rest}_"),
        Some(rest) => rest.to_owned(),
        None => name.to_owned(),
    }
}
