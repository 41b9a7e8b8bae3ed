//! Unfurls a fiber: instantiates a declared nest for one access (Looplets section 4).
//!
//! Expressions of a declaration are Rust over the level's fields. What the compiler understands
//! (arithmetic, comparisons, array elements, calls) becomes terms; the rest stays opaque tokens.

use crate::cin::*;
use crate::decl::{Nest, Payload as PayloadDecl, StepperDecl};
use crate::kernel::*;
use crate::kir::K;
use crate::looplet::{Commit, Def, Looplet, Payload, Stepper};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use std::rc::Rc;

/// The looplet nest of an access while the loop over its first index is lowered.
#[derive(Clone, Debug)]
pub struct Unfurled {
    /// The loop index.
    pub index: VarId,
    /// The nest, over the part of the extent that is being lowered.
    pub nest: Looplet,
    /// One past the last coordinate of the nest's own extent.
    pub stop: Expr,
    /// Where the nest's own extent starts.
    pub start: Expr,
    /// Whether what the format says of its extents may be relied upon.
    pub trusted: bool,
}

/// Names a declaration's expressions may use.
#[derive(Clone)]
enum Meaning {
    Expr(Expr),
    Array(ArrayId),
}

/// Instantiates expressions of one level for one fiber.
pub(crate) struct Scope<'a> {
    kernel: &'a mut Kernel,
    level: Level,
    tensor: TensorId,
    depth: usize,
    names: Vec<(String, Meaning)>,
}

impl<'a> Scope<'a> {
    pub fn new(kernel: &'a mut Kernel, tensor: TensorId, depth: usize) -> Self {
        let level = kernel.tensor(tensor).levels[depth].clone();
        let mut names = Vec::new();
        for (name, binding) in &level.fields {
            let meaning = match binding {
                Binding::Scalar(v) => Meaning::Expr(Expr::Var(*v)),
                Binding::Array(a) => Meaning::Array(*a),
                Binding::Child => continue,
            };
            names.push((name.to_string(), meaning));
        }
        Scope { kernel, level, tensor, depth, names }
    }

    /// Lets `name` stand for `value`.
    pub fn bind(&mut self, name: &Ident, value: Expr) {
        self.names.push((name.to_string(), Meaning::Expr(value)));
    }

    /// A read protocol of the fiber at `p`; `i` is the coordinate, for `locate`.
    pub fn read(&mut self, name: &str, p: &Expr, i: Option<&Expr>) -> Looplet {
        let format = self.level.format.clone();
        let read = format.level().read(name).expect("checked by resolve");
        self.bind(&read.p, p.clone());
        if let (Some(name), Some(i)) = (&read.i, i) {
            self.bind(name, i.clone());
        }
        self.nest(&read.nest)
    }

    /// The value of a leaf at `p`.
    pub fn value(&mut self, p: &Expr) -> Expr {
        match self.read_first(p) {
            Looplet::Run(Payload::Value(e)) => e,
            other => unreachable!("a leaf reads a value, not {:?}", other.kind()),
        }
    }

    fn read_first(&mut self, p: &Expr) -> Looplet {
        let name = self.level.format.level().reads[0].names[0].to_string();
        self.read(&name, p, None)
    }

    fn nest(&mut self, nest: &Nest) -> Looplet {
        match nest {
            Nest::Let(lets, body) => {
                let mark = self.names.len();
                let mut defs = Vec::new();
                for l in lets {
                    let value = self.expr(&l.value);
                    let var = self.local(&l.name, l.mutable);
                    defs.push(Def { var, mutable: l.mutable, value });
                    self.bind(&l.name, Expr::Var(var));
                }
                let body = Box::new(self.nest(body));
                self.names.truncate(mark);
                Looplet::Thunk { defs, before: Vec::new(), body, after: None }
            }
            Nest::Run(p) => Looplet::Run(self.payload(p)),
            Nest::Spike(a, b) => Looplet::Spike(self.payload(a), self.payload(b)),
            Nest::Pipeline(phases) => Looplet::Pipeline(
                phases
                    .iter()
                    .map(|(stop, n)| (stop.as_ref().map(|s| self.expr(s)), self.nest(n)))
                    .collect(),
            ),
            Nest::Switch(cases) => Looplet::Switch(
                cases
                    .iter()
                    .map(|(cond, n)| {
                        (cond.as_ref().map_or(Expr::bool(true), |c| self.expr(c)), self.nest(n))
                    })
                    .collect(),
            ),
            Nest::Shift(delta, body) => Looplet::Shift(self.expr(delta), Box::new(self.nest(body))),
            Nest::Lookup(i, body) => {
                let var = self.local(i, false);
                let mark = self.names.len();
                self.bind(i, Expr::Var(var));
                let body = Box::new(self.nest(body));
                self.names.truncate(mark);
                Looplet::Lookup(var, body)
            }
            Nest::Stepper(s) => self.stepper(s, Looplet::Stepper),
            Nest::Jumper(s) => self.stepper(s, Looplet::Jumper),
        }
    }

    fn stepper(&mut self, decl: &StepperDecl, make: fn(Rc<Stepper>) -> Looplet) -> Looplet {
        let mark = self.names.len();
        let mut defs = Vec::new();
        let mut next = Vec::new();
        let range = decl.range.as_ref().map(|(q, lo, hi)| {
            let (lo, hi) = (self.expr(lo), self.expr(hi));
            let var = self.local(q, true);
            defs.push(Def { var, mutable: true, value: lo.clone() });
            self.bind(q, Expr::Var(var));
            next.push(K::Set { var, value: Expr::call("+", [Expr::Var(var), Expr::int(1)]) });
            (var, lo, hi)
        });
        if let Some(code) = &decl.next {
            next = self.code(code);
        }
        let seek = decl.seek.as_ref().map(|(i, code)| {
            let at = self.local(i, false);
            let inner = self.names.len();
            self.bind(i, Expr::Var(at));
            let code = match &range {
                Some((q, _, _)) => vec![K::Set { var: *q, value: self.expr(code) }],
                None => self.code(code),
            };
            self.names.truncate(inner);
            (at, code)
        });
        let stop = self.expr(&decl.stop);
        let body = self.nest(&decl.body);
        self.names.truncate(mark);
        let id = self.kernel.vars.len() as u32;
        self.kernel.var("state", VarKind::State, Ty::Index);
        let stepper = make(Rc::new(Stepper { id, range, seek, stop, body, next }));
        if defs.is_empty() {
            return stepper;
        }
        Looplet::Thunk { defs, before: Vec::new(), body: Box::new(stepper), after: None }
    }

    fn local(&mut self, name: &Ident, mutable: bool) -> VarId {
        let tensor = self.kernel.tensor(self.tensor).name.clone();
        let kind = if mutable { VarKind::State } else { VarKind::Local };
        self.kernel.var(&format!("{tensor}{}_{name}", self.depth), kind, Ty::Index)
    }

    fn payload(&mut self, payload: &PayloadDecl) -> Payload {
        match payload {
            PayloadDecl::Fill => Payload::Fill,
            PayloadDecl::Child(e) => Payload::Child(self.expr(e)),
            PayloadDecl::Value(e) => Payload::Value(self.expr(e)),
        }
    }

    /// Statements of a declaration.
    fn code(&mut self, e: &syn::Expr) -> Vec<K> {
        match e {
            syn::Expr::Block(b) => self.statements(&b.block),
            syn::Expr::Assign(a) => match self.target(&a.left) {
                Some(var) => vec![K::Set { var, value: self.expr(&a.right) }],
                None => vec![self.opaque_code(quote!(#e;))],
            },
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::AddAssign(_)) => {
                match self.target(&b.left) {
                    Some(var) => {
                        let value = Expr::call("+", [Expr::Var(var), self.expr(&b.right)]);
                        vec![K::Set { var, value }]
                    }
                    None => vec![self.opaque_code(quote!(#e;))],
                }
            }
            syn::Expr::While(w) if w.label.is_none() => {
                let (cond, body) = (self.expr(&w.cond), self.statements(&w.body));
                vec![K::While { cond, body }]
            }
            syn::Expr::If(i) if !matches!(*i.cond, syn::Expr::Let(_)) => {
                let (cond, then) = (self.expr(&i.cond), self.statements(&i.then_branch));
                let otherwise = i.else_branch.as_ref().map_or_else(Vec::new, |(_, e)| self.code(e));
                vec![K::If { cond, then, otherwise }]
            }
            other => vec![self.opaque_code(quote!(#other;))],
        }
    }

    fn statements(&mut self, block: &syn::Block) -> Vec<K> {
        let one = |s: &syn::Stmt, l: &mut Self| match s {
            syn::Stmt::Expr(e, _) => l.code(e),
            other => vec![l.opaque_code(other.to_token_stream())],
        };
        block.stmts.iter().flat_map(|s| one(s, self)).collect()
    }

    fn target(&self, e: &syn::Expr) -> Option<VarId> {
        let syn::Expr::Path(p) = e else { return None };
        match self.lookup(p.path.get_ident()?) {
            Some(Meaning::Expr(Expr::Var(v))) => Some(v),
            _ => None,
        }
    }

    fn lookup(&self, name: &Ident) -> Option<Meaning> {
        self.names.iter().rev().find(|(n, _)| name == n).map(|(_, m)| m.clone())
    }

    /// An expression of a declaration as a term.
    pub fn expr(&mut self, e: &syn::Expr) -> Expr {
        self.structured(e).unwrap_or_else(|| self.opaque(e.to_token_stream()))
    }

    fn structured(&mut self, e: &syn::Expr) -> Option<Expr> {
        Some(match e {
            syn::Expr::Paren(p) => self.structured(&p.expr)?,
            syn::Expr::Group(g) => self.structured(&g.expr)?,
            syn::Expr::Lit(l) => match &l.lit {
                syn::Lit::Int(n) => Expr::int(n.base10_parse().ok()?),
                syn::Lit::Bool(b) => Expr::bool(b.value),
                _ => return None,
            },
            syn::Expr::Path(p) => match self.lookup(p.path.get_ident()?)? {
                Meaning::Expr(e) => e,
                Meaning::Array(a) => Expr::Array(a),
            },
            syn::Expr::Index(x) => {
                let Expr::Array(a) = self.structured(&x.expr)? else { return None };
                Expr::Load(a, Box::new(self.expr(&x.index)))
            }
            syn::Expr::Unary(u) => {
                let inner = self.structured(&u.expr)?;
                match u.op {
                    syn::UnOp::Neg(_) => Expr::call("neg", [inner]),
                    syn::UnOp::Not(_) => Expr::call("not", [inner]),
                    _ => return None,
                }
            }
            syn::Expr::Binary(b) => {
                use syn::BinOp::*;
                let op = match b.op {
                    Add(_) => "+",
                    Sub(_) => "-",
                    Mul(_) => "*",
                    Div(_) => "/",
                    Rem(_) => "%",
                    And(_) => "and",
                    Or(_) => "or",
                    Lt(_) => "<",
                    Le(_) => "<=",
                    Gt(_) => ">",
                    Ge(_) => ">=",
                    Eq(_) => "==",
                    Ne(_) => "!=",
                    _ => return None,
                };
                let (left, right) = (self.expr(&b.left), self.expr(&b.right));
                match (op, &right) {
                    ("+", Expr::Lit(Lit::Int(n))) => left.plus(*n),
                    ("-", Expr::Lit(Lit::Int(n))) => left.plus(-n),
                    _ => Expr::call(op, [left, right]),
                }
            }
            syn::Expr::If(i) => {
                let (_, otherwise) = i.else_branch.as_ref()?;
                let arms = [
                    single(&i.then_branch)?,
                    match &**otherwise {
                        syn::Expr::Block(b) => single(&b.block)?,
                        other => other,
                    },
                ];
                let cond = self.structured(&i.cond)?;
                Expr::call("ifelse", [cond, self.expr(arms[0]), self.expr(arms[1])])
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(path) = &*c.func else { return None };
                let args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                let name = path.to_token_stream().to_string().replace(' ', "");
                if matches!(name.as_str(), "min" | "max") {
                    return Some(Expr::call(&name, args));
                }
                let tokens = self.level.format.substitute(path.to_token_stream());
                let key = format!("{}:{name}", self.level.format.level().name);
                let takes = Vec::new();
                let function = Function { path: tokens, gives: Ty::Index, takes };
                self.kernel.functions.insert(key.clone(), function);
                Expr::call(&key, args)
            }
            _ => return None,
        })
    }

    fn opaque(&mut self, tokens: TokenStream) -> Expr {
        let names = self.used(tokens.clone());
        let tokens = self.level.format.substitute(tokens);
        self.kernel.raw(tokens, names, Ty::Index)
    }

    fn opaque_code(&mut self, tokens: TokenStream) -> K {
        let names = self.used(tokens.clone());
        let tokens = self.level.format.substitute(tokens);
        match self.kernel.raw(tokens, names, Ty::Unknown) {
            Expr::Raw(id) => K::Code(id),
            _ => unreachable!("a raw is a raw"),
        }
    }

    /// Statements of a write protocol, in which positions, coordinates and counts are `usize`.
    fn write_code(&mut self, tokens: &TokenStream, frame: impl Fn(TokenStream) -> TokenStream) -> K {
        let (mut names, mut borrows) = (Vec::new(), TokenStream::new());
        for (name, e) in self.used(tokens.clone()) {
            if let Expr::Array(_) = e {
                // A borrow of its own name, so that the author may use an array twice in a call.
                let slot = quote::format_ident!("__{name}");
                borrows.extend(quote!(let #name = &mut #slot;));
                names.push((slot, e));
            } else {
                names.push((name, Expr::call("usize", [e])));
            }
        }
        let mut tokens = self.level.format.substitute(tokens.clone());
        if self.level.format.level().leaf.is_some() {
            let (krate, chain) =
                (self.kernel.krate.clone(), self.kernel.tensor(self.tensor).chain.clone());
            let (marker, value) = (&chain.fill_type, &chain.value);
            let fill =
                (quote::format_ident!("fill"), quote!(<#marker as #krate::Fill<#value>>::VALUE));
            tokens = crate::formats::substitute(tokens, &[fill]);
        }
        match self.kernel.raw(frame(quote!({ #borrows #tokens })), names, Ty::Unknown) {
            Expr::Raw(id) => K::Code(id),
            _ => unreachable!("a raw is a raw"),
        }
    }

    /// Statements of a write protocol.
    pub fn write_statement(&mut self, tokens: &TokenStream) -> K {
        self.write_code(&quote!(#tokens;), |block| block)
    }

    /// An expression of a write protocol that may fail for want of memory.
    pub fn write_growth(&mut self, tokens: &TokenStream) -> K {
        let krate = self.kernel.krate.clone();
        self.write_code(tokens, |block| quote!(#krate::rt::grown(#block);))
    }

    /// A number computed by a write protocol, as a coordinate.
    pub fn write_count(&mut self, tokens: &TokenStream) -> Expr {
        let krate = self.kernel.krate.clone();
        match self.write_code(tokens, |block| quote!(#krate::rt::count(#block))) {
            K::Code(id) => {
                self.kernel.raws[id.0 as usize].ty = Ty::Named("usize".into());
                Expr::Raw(id)
            }
            _ => unreachable!("code is a raw"),
        }
    }

    /// The position an append declares, as a coordinate.
    fn write_position(&mut self, e: &syn::Expr) -> Expr {
        match self.write_code(&quote!(#e), |block| quote!((#block))) {
            K::Code(id) => {
                let raw = &mut self.kernel.raws[id.0 as usize];
                raw.ty = Ty::Named("usize".into());
                raw.effect = true;
                Expr::Raw(id)
            }
            _ => unreachable!("code is a raw"),
        }
    }

    fn used(&self, tokens: TokenStream) -> Vec<(Ident, Expr)> {
        let mut out: Vec<(Ident, Expr)> = Vec::new();
        for tree in tokens {
            match tree {
                proc_macro2::TokenTree::Ident(name) if !out.iter().any(|(n, _)| *n == name) => {
                    match self.lookup(&name) {
                        Some(Meaning::Expr(e)) => out.push((name, e)),
                        Some(Meaning::Array(a)) => out.push((name, Expr::Array(a))),
                        None => {}
                    }
                }
                proc_macro2::TokenTree::Group(g) => {
                    for (n, e) in self.used(g.stream()) {
                        if !out.iter().any(|(m, _)| *m == n) {
                            out.push((n, e));
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }
}

fn single(block: &syn::Block) -> Option<&syn::Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}

/// The nest of `access`, whose first index is the loop `index` moved by `shift`.
pub fn unfurl(kernel: &mut Kernel, access: &Access, index: VarId, shift: &Expr) -> Unfurled {
    let tensor = kernel.tensor(access.tensor);
    let level = tensor.levels[access.level].clone();
    let len = Expr::Var(tensor.lens[access.level]);
    let trusted = level.trusted;
    let coordinate = add(&Expr::Var(index), shift);
    if access.write {
        let nest = entry(kernel, access, &coordinate);
        return Unfurled {
            index,
            nest: Looplet::Lookup(index, Box::new(nest)),
            start: sub(&Expr::int(0), shift),
            stop: sub(&len, shift),
            trusted,
        };
    }
    let decl = level.format.level();
    let protocol =
        access.indices[0].protocol.clone().unwrap_or_else(|| decl.reads[0].names[0].to_string());
    let located = decl.read(&protocol).is_some_and(|r| r.is_locate());
    let mut scope = Scope::new(kernel, access.tensor, access.level);
    if located {
        let nest = scope.read(&protocol, &access.pos, Some(&coordinate));
        return Unfurled {
            index,
            nest: Looplet::Lookup(index, Box::new(nest)),
            start: sub(&Expr::int(0), shift),
            stop: sub(&len, shift),
            trusted,
        };
    }
    let nest = scope.read(&protocol, &access.pos, None);
    let zero = *shift == Expr::int(0);
    let nest = if zero { nest } else { Looplet::Shift(sub(&Expr::int(0), shift), Box::new(nest)) };
    Unfurled { index, nest, start: sub(&Expr::int(0), shift), stop: sub(&len, shift), trusted }
}

/// The nest of one coordinate of a fiber: for random access, and for writing.
pub fn locate(kernel: &mut Kernel, access: &Access, coordinate: &Expr) -> Looplet {
    if access.write {
        return entry(kernel, access, coordinate);
    }
    let mut scope = Scope::new(kernel, access.tensor, access.level);
    scope.read("locate", &access.pos, Some(coordinate))
}

fn add(a: &Expr, b: &Expr) -> Expr {
    match b {
        Expr::Lit(Lit::Int(n)) => a.plus(*n),
        _ => Expr::call("+", [a.clone(), b.clone()]),
    }
}

fn sub(a: &Expr, b: &Expr) -> Expr {
    match b {
        Expr::Lit(Lit::Int(n)) => a.plus(-n),
        Expr::Call(op, args) if op.name() == "neg" => add(a, &args[0]),
        _ if *a == Expr::int(0) => Expr::call("neg", [b.clone()]),
        _ => Expr::call("-", [a.clone(), b.clone()]),
    }
}

/// The entry at `coordinate` of a written fiber.
fn entry(kernel: &mut Kernel, access: &Access, coordinate: &Expr) -> Looplet {
    let tensor = access.tensor;
    let format = kernel.tensor(tensor).levels[access.level].format.clone();
    let write = format.level().write.as_ref().expect("checked by resolve");
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, coordinate.clone());
    }
    let append = write.name == "append";
    let declared = write.child.as_ref().expect("validated");
    let child = if append { scope.write_position(declared) } else { scope.expr(declared) };
    let commit = write.commit.as_ref().map(|c| scope.write_statement(c));
    let mut defs = Vec::new();
    let mut before = Vec::new();
    let child = if append {
        let name = kernel.tensor(tensor).name.clone();
        let var = kernel.var(&format!("{name}{}_q", access.level), VarKind::Local, Ty::Index);
        defs.push(Def { var, mutable: false, value: child });
        before.extend(reserve(kernel, tensor, access.level + 1, &Expr::Var(var).plus(1)));
        Expr::Var(var)
    } else {
        child
    };
    let child = crate::prove::canonical(&child);
    before.extend(open(kernel, tensor, access.level + 1, &child));
    let body = Box::new(Looplet::Run(Payload::Child(child)));
    let after = append.then(|| Rc::new(Commit { tensor, code: commit.into_iter().collect() }));
    if before.is_empty() && after.is_none() {
        return *body;
    }
    Looplet::Thunk { defs, before, body, after }
}

/// Code that opens the fiber `p` of a level for writing.
pub fn open(kernel: &mut Kernel, tensor: TensorId, depth: usize, p: &Expr) -> Option<K> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let write = format.level().write.as_ref()?;
    let code = write.open.as_ref()?;
    let mut scope = Scope::new(kernel, tensor, depth);
    scope.bind(&write.p, p.clone());
    Some(scope.write_growth(code))
}

/// Code that makes fibers `0..count` of a level exist, at fill.
pub fn reserve(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Vec<K> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = &format.level().write else { return Vec::new() };
    let mut scope = Scope::new(kernel, tensor, depth);
    if let Some((fibers, code)) = &write.reserve {
        scope.bind(fibers, count.clone());
        return vec![scope.write_growth(code)];
    }
    if write.name == "append" {
        return Vec::new();
    }
    match &write.children {
        Some((fibers, children)) => {
            scope.bind(fibers, count.clone());
            let children = scope.write_count(children);
            reserve(kernel, tensor, depth + 1, &children)
        }
        None => Vec::new(),
    }
}
