//! A resolved kernel: the statements over ids, and the tables that say what each id stands for.

mod tables;

use crate::ast::{Form, Passing};
use crate::cin::*;
use crate::formats::{Chain, LevelUse};
pub use crate::index::*;
use crate::kir::Kir;
use crate::opaque::{Declared, Opaque};
use crate::runtime::Runtime;
pub use crate::types::*;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub use tables::*;

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
    /// How many elements of a row a register tile has at most, if the program says; of one element there are no tiles.
    pub tile: Option<usize>,
    /// Whether there is a loop of which there could be tiles.
    pub tiled: bool,
    /// Loops may go through what no operand stores.
    pub dense: bool,
    /// One body serves all processors.
    pub portable: bool,
    /// Loops were made that take elements side by side, as many as registers hold.
    pub vectors: bool,
    /// The step counter.
    pub steps: Option<VarId>,
    /// Function or inline.
    pub form: Form,
    /// Parameters in order: name, passing, type and what they became.
    pub params: Vec<(Ident, Passing, syn::Type, ParamIs)>,
    /// Tensors that the kernel makes, those included that it keeps for itself.
    pub outputs: Vec<TensorId>,
    /// What rustc is to warn of.
    pub warnings: Vec<Warning>,
    /// What its loops go through, in order.
    pub walks: Vec<LoopWalk>,
    /// What it returns, in order.
    pub results: Vec<ResultIs>,
    /// Entries that are removed when all loops have ended, tensor by tensor: where they are is an output that is not
    /// returned.
    pub removals: Vec<Removal>,
    /// Those that are made in the memory of a tensor passed by value.
    pub reused: BTreeSet<TensorId>,
    /// Tensors updated in place of which the values that are stored are changed, and nothing else.
    pub in_place: BTreeSet<TensorId>,
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
    /// The declared operators that may reduce in any order, by name.
    pub order_free: BTreeSet<String>,
    /// Those of them by which it makes no difference to reduce the second time.
    pub idempotent: BTreeSet<String>,
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
    /// The scalars that stand for the states of tensors which a nest reads and writes.
    pub states: BTreeMap<VarId, TensorId>,
    /// Definitions of the program whose value may be `missing`.
    pub absent: BTreeSet<VarId>,
    /// The positions that steppers of trusted levels count up by one, with what ends them: a child is left
    /// behind for each step, so that there are no more steps than that.
    pub cursors: BTreeMap<VarId, Expr>,
    /// The positions that steppers of trusted levels move from group to group, each with its groups.
    pub groups: BTreeMap<VarId, Neighbors>,
    /// Where the cursors of unions, and walks of several cursors, stand, each with `cursors` of which one at least moves
    /// before it is set again.
    pub unions: BTreeMap<VarId, Vec<VarId>>,
    /// Conditions that are computed in front of all loops, some of which ask them.
    pub constant: BTreeSet<VarId>,
    /// The program.
    pub body: Stmt,
}

impl Kernel {
    /// A kernel of the given form that holds nothing yet.
    pub fn new(krate: TokenStream, safe: bool, form: Form) -> Self {
        Kernel {
            krate,
            safe,
            strict: false,
            contract: false,
            tile: None,
            tiled: false,
            dense: false,
            portable: false,
            vectors: false,
            steps: None,
            form,
            params: Vec::new(),
            outputs: Vec::new(),
            warnings: Vec::new(),
            walks: Vec::new(),
            results: Vec::new(),
            removals: Vec::new(),
            reused: BTreeSet::new(),
            in_place: BTreeSet::new(),
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
            order_free: BTreeSet::new(),
            idempotent: BTreeSet::new(),
            annihilators: BTreeMap::new(),
            checks: Vec::new(),
            loop_checks: Vec::new(),
            prelude: Vec::new(),
            assigned_at: BTreeMap::new(),
            marks: BTreeMap::new(),
            follow: BTreeMap::new(),
            states: BTreeMap::new(),
            absent: BTreeSet::new(),
            cursors: BTreeMap::new(),
            groups: BTreeMap::new(),
            unions: BTreeMap::new(),
            constant: BTreeSet::new(),
            body: Stmt::Pass,
        }
    }
    /// Has every index checked, and every output: rules of a user's own have changed what is read and
    /// written where, which no declaration of a level vouches for.
    pub fn distrust(&mut self) {
        self.arrays.iter_mut().for_each(|a| a.trusted = false);
        self.tensors.iter_mut().flat_map(|t| &mut t.levels).for_each(|l| l.trusted = false);
        self.cursors.clear();
        self.groups.clear();
        self.unions.clear();
    }
    /// A new variable.
    pub fn var(&mut self, name: &str, kind: VarKind, ty: Ty) -> VarId {
        let unique = self.names.unique(&plain(name));
        self.vars.push(Var { name: unique, ident: None, ty, kind });
        VarId(self.vars.len() as u32 - 1)
    }
    /// A name that no array and no variable has: tensors of sibling blocks may be called the same.
    pub fn unique_name(&mut self, name: &str) -> String {
        self.names.unique(name)
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
                absent || access.indices.iter().any(|i| i.view.may_be_missing())
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
        self.opaque(Raw { code: Opaque::Rust(tokens), names, ty, effect: false })
    }
    /// Rust of a declaration.
    pub fn declared_code(
        &mut self,
        declared: Declared,
        names: Vec<(Ident, Expr)>,
        ty: Ty,
    ) -> RawId {
        let raw = Raw { code: Opaque::Declared(declared), names, ty, effect: false };
        match self.opaque(raw) {
            Expr::Raw(id) => id,
            _ => unreachable!("what is opaque is a raw"),
        }
    }
    /// A call of the run-time library.
    pub fn call(&mut self, runtime: Runtime, args: Vec<Expr>, ty: Ty) -> Expr {
        let names = args
            .into_iter()
            .enumerate()
            .map(|(n, e)| (Ident::new(&format!("__arg{n}"), Span::call_site()), e));
        let (code, names) = (Opaque::Runtime(runtime), names.collect());
        self.opaque(Raw { code, names, ty, effect: false })
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
    /// The result that `tensor` is gathered for, if it is such a workspace, or `tensor`.
    pub fn gathered_for<'a>(&'a self, tensor: &'a Tensor) -> &'a Tensor {
        let of = tensor.of.as_ref();
        let named = |(result, _): &(String, usize)| {
            self.outputs.iter().map(|o| self.tensor(*o)).find(|o| o.name == result)
        };
        of.and_then(named).unwrap_or(tensor)
    }
    /// The access `id`.
    pub fn get(&self, id: AccessId) -> &Access {
        &self.accesses[id.0 as usize]
    }
    /// The variable `id`.
    pub fn info(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }
    /// The identity of a new stepper.
    pub fn stepper(&mut self) -> u32 {
        self.var("state", VarKind::State, Ty::Index).0
    }
    /// Whether `e` is a number of an unsigned type, or a coordinate or size that is cut from one.
    pub fn is_unsigned(&self, e: &Expr) -> bool {
        match e {
            Expr::Var(_) => self.type_of(e).is_some_and(|ty| ty.is_unsigned()),
            Expr::Call(Op::Index, args) => self.is_unsigned(&args[0]),
            Expr::Raw(r) => {
                let raw = &self.raws[r.0 as usize];
                match raw.code {
                    Opaque::Runtime(Runtime::Product | Runtime::Size) => true,
                    Opaque::Runtime(Runtime::Index) => self.is_unsigned(&raw.names[0].1),
                    _ => false,
                }
            }
            _ => false,
        }
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
    /// Where `function` is called, if that is known, or else where the access `at` stands.
    pub fn place(&self, function: Option<&str>, at: AccessId) -> Span {
        // A declared operator has the path by which `use` brings it in.
        let called = function.and_then(|name| self.functions.get(name)).filter(|f| !f.declared);
        let span = called
            .map(|f| f.path.clone())
            .and_then(|path| path.into_iter().next())
            .map(|token| token.span());
        span.unwrap_or(self.get(at).span.0)
    }
    /// Has rustc warn of something, once for each place.
    pub fn warn(&mut self, warning: Warning) {
        let place = |w: &Warning| (w.name, format!("{:?}", w.span), w.note.clone());
        if !self.warnings.iter().any(|w| place(w) == place(&warning)) {
            self.warnings.push(warning);
        }
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
    in_use: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// `name`, numbered if a variable has it.
    fn unique(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_owned()).or_insert(2);
        let mut unique = name.to_owned();
        while !self.in_use.insert(unique.clone()) {
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
