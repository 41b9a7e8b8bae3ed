//! What a program gives on small tensors: statements and expressions of the resolved kernel, element by element, as the guide
//! says, with no loop left out. It shares names, extents and types with the compiler, and nothing behind these.
//!
//! Besides its value an expression has where that comes from. What no operand stores is known when a kernel is compiled, so a 0
//! of that kind annihilates whatever it meets, infinity and NaN too, as it does in the loops that are made.

mod access;
mod call;
mod checks;

pub use call::short_name;

use crate::dense::Dense;
use crate::rust::{Functions, Rust};
use crate::value::Val;
use looplets_core::cin::*;
use looplets_core::decl::operator::OperatorDecl;
use looplets_core::decl::Decl;
use looplets_core::kernel::*;
use looplets_core::opaque::Opaque;
use looplets_core::runtime::Runtime;
use proc_macro2::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A literal, or what is not stored: it is known when the kernel is compiled.
    Known,
    /// Indices and sizes.
    Index,
    /// Arrays and scalars.
    Data,
}

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The value.
    pub val: Val,
    /// Where it comes from.
    pub from: Source,
}

impl Traced {
    fn known(val: Val) -> Traced {
        Traced { val, from: Source::Known }
    }
    fn data(val: Val) -> Traced {
        Traced { val, from: Source::Data }
    }
    fn index(n: i128) -> Traced {
        Traced { val: Val::Int(n), from: Source::Index }
    }
    fn is_known(&self, n: f64) -> bool {
        self.from == Source::Known && self.val.is(n)
    }
}

/// Why there is no result, and where, if that can be said.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What is wrong.
    pub message: String,
    /// The token.
    pub at: Option<Span>,
}

impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop { message, at: None }
    }
}
impl From<&str> for Stop {
    fn from(message: &str) -> Stop {
        Stop { message: message.to_owned(), at: None }
    }
}

type Result<T> = std::result::Result<T, Stop>;

/// The most statements that are run, and calls of functions.
const MOST_STEPS: u64 = 3_000_000;

/// A result: a tensor or a scalar by its name.
pub enum Given {
    /// A tensor.
    Tensor(Dense),
    /// A scalar.
    Scalar(Val),
}

/// A program that runs.
pub struct Eval<'a> {
    kernel: &'a Kernel,
    functions: &'a Functions,
    operators: HashMap<String, Rc<Decl>>,
    vars: HashMap<VarId, Traced>,
    tensors: Vec<Option<Dense>>,
    /// What is read is what nothing stores.
    at_fill: bool,
    steps: u64,
}

impl<'a> Eval<'a> {
    /// The program `kernel`, whose operators are declared by `operators` and have their bodies in `functions`.
    pub fn new(
        kernel: &'a Kernel,
        functions: &'a Functions,
        operators: HashMap<String, Rc<Decl>>,
    ) -> Eval<'a> {
        let tensors = vec![None; kernel.tensors.len()];
        let (vars, at_fill, steps) = (HashMap::new(), false, 0);
        Eval { kernel, functions, operators, vars, tensors, at_fill, steps }
    }

    /// Gives an input tensor.
    pub fn tensor(&mut self, id: TensorId, dense: Dense) {
        for (len, size) in self.kernel.tensor(id).lens.iter().zip(&dense.shape) {
            self.vars.insert(*len, Traced::index(*size as i128));
        }
        self.tensors[id.0 as usize] = Some(dense);
    }

    /// Gives a scalar.
    pub fn scalar(&mut self, var: VarId, val: Val) -> Result<()> {
        let val = val.to(&self.kernel.info(var).ty)?;
        self.vars.insert(var, Traced::data(val));
        Ok(())
    }

    /// Runs it. Results are those updated in place, then those it returns, in the order of the header.
    pub fn run(mut self) -> Result<Vec<(String, Given)>> {
        let kernel = self.kernel;
        for (_, passing, _, is) in &kernel.params {
            if let (looplets_core::ast::Passing::Made, ParamIs::Scalar(v)) = (passing, is) {
                self.vars.insert(*v, Traced::data(zero(&kernel.info(*v).ty)));
            }
        }
        for removal in &kernel.removals {
            // What is removed is told from what is stored, of which there is a tensor of its own.
            let of = self.removed_from(removal);
            for (len, other) in
                kernel.tensor(removal.stored).lens.iter().zip(&kernel.tensor(of).lens)
            {
                if let Some(size) = self.vars.get(other).cloned() {
                    self.vars.insert(*len, size);
                }
            }
        }
        for check in &kernel.checks {
            self.check(check)?;
        }
        for id in &kernel.outputs {
            self.make(*id)?;
        }
        self.stmt(&kernel.body)?;
        let mut results = Vec::new();
        for removal in &kernel.removals {
            let of = self.removed_from(removal);
            let gone = self.tensors[removal.gone.0 as usize].clone();
            let fill = self.fill(of)?;
            let Some(dense) = &mut self.tensors[of.0 as usize] else { continue };
            for (place, gone) in gone.iter().flat_map(|gone| gone.data.iter().enumerate()) {
                if gone.truth() {
                    dense.data[place] = fill.clone();
                    dense.stored[place] = false;
                }
            }
        }
        for (name, passing, _, is) in &kernel.params {
            use looplets_core::ast::Passing::{Mutable, Thinned};
            match is {
                ParamIs::Tensor(t) if matches!(passing, Mutable | Thinned) => {
                    let dense = self.given(*t);
                    results.extend(dense.map(|d| (name.to_string(), Given::Tensor(d))));
                }
                // How often loops run is what this does not tell.
                ParamIs::Scalar(v) if *passing == Mutable && kernel.steps != Some(*v) => {
                    results.push((name.to_string(), Given::Scalar(self.var(*v)?.val)));
                }
                _ => {}
            }
        }
        for result in &kernel.results {
            match result {
                ResultIs::Tensor(t) => {
                    let name = kernel.tensor(*t).name.to_string();
                    let dense = self.given(*t);
                    results.extend(dense.map(|d| (name, Given::Tensor(d))));
                }
                ResultIs::Scalar(v, _) => {
                    let name = kernel.called(*v);
                    results.push((name, Given::Scalar(self.var(*v)?.val)));
                }
            }
        }
        Ok(results)
    }

    /// A tensor with its dimensions as the program has them.
    fn given(&self, id: TensorId) -> Option<Dense> {
        let dense = self.tensors[id.0 as usize].as_ref()?;
        Some(match self.kernel.tensor(id).chain.by_columns {
            true => dense.turned(),
            false => dense.clone(),
        })
    }

    fn removed_from(&self, removal: &Removal) -> TensorId {
        let param = self.kernel.params.iter().find(|p| p.0 == removal.name).map(|p| p.3);
        match param {
            Some(ParamIs::Tensor(t)) => t,
            _ => removal.stored,
        }
    }

    /// Makes an output or a workspace, which starts at its fill.
    fn make(&mut self, id: TensorId) -> Result<()> {
        let tensor = self.kernel.tensor(id);
        let mut shape = Vec::new();
        for (len, size) in tensor.lens.iter().zip(&tensor.sizes) {
            let size = self.eval(size)?.val.int().max(0);
            self.vars.insert(*len, Traced::index(size));
            shape.push(usize::try_from(size).map_err(|e| e.to_string())?);
        }
        if shape.len() < tensor.lens.len() {
            return Err(format!("nothing tells the size of `{}`", tensor.name).into());
        }
        let fill = self.fill(id)?;
        let dense = Dense::filled(shape, &fill, !tensor.leaves_out())?;
        self.tensors[id.0 as usize] = Some(dense);
        Ok(())
    }

    /// The fill of a tensor.
    pub fn fill(&mut self, id: TensorId) -> Result<Val> {
        let tensor = self.kernel.tensor(id);
        let fill = self.eval(&tensor.fill)?.val;
        fill.to(&tensor.value).map_err(Stop::from)
    }

    /// The value of a variable; sizes and definitions in front of all loops are computed when they are asked for.
    fn var(&mut self, v: VarId) -> Result<Traced> {
        if let Some(known) = self.vars.get(&v) {
            return Ok(known.clone());
        }
        let kernel = self.kernel;
        if let Some((_, e)) = kernel.prelude.iter().find(|(var, _)| *var == v) {
            let value = self.eval(e)?;
            self.vars.insert(v, value.clone());
            return Ok(value);
        }
        for tensor in &kernel.tensors {
            if let Some(dim) = tensor.lens.iter().position(|len| *len == v) {
                let Some(size) = tensor.sizes.get(dim) else { continue };
                let size = self.eval(size)?.val.int().max(0);
                return Ok(Traced::index(size));
            }
        }
        let info = kernel.info(v);
        match info.kind {
            // What a statement writes before it has a value starts at zero.
            VarKind::Scalar => Ok(Traced::data(zero(&info.ty))),
            _ => {
                let at = info.ident.as_ref().map(proc_macro2::Ident::span);
                let message = format!(
                    "`{}` is a variable of the Rust around, which this page does not have",
                    kernel.called(v)
                );
                Err(Stop { message, at })
            }
        }
    }

    /// Runs a statement.
    fn stmt(&mut self, s: &Stmt) -> Result<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err("this takes more steps than the page runs: make the tensors smaller".into());
        }
        match s {
            Stmt::Loop { index, lo, hi, body, .. } => {
                let (lo, hi) = (self.eval(lo)?.val.int(), self.eval(hi)?.val.int());
                let kernel = self.kernel;
                for (of, check) in &kernel.loop_checks {
                    if of == index {
                        self.check(check)?;
                    }
                }
                for i in lo..hi {
                    self.vars.insert(*index, Traced::index(i));
                    self.stmt(body)?;
                }
                self.vars.remove(index);
                Ok(())
            }
            Stmt::Assign { target, op, value } => self.assign(target, op.as_ref(), value),
            Stmt::Sieve { cond, then, otherwise } => match self.eval(cond)?.val.truth() {
                true => self.stmt(then),
                false => self.stmt(otherwise),
            },
            Stmt::Seq(all) => all.iter().try_for_each(|s| self.stmt(s)),
            Stmt::Where { consumer, producer, local } => {
                for id in local {
                    self.make(*id)?;
                }
                self.stmt(producer)?;
                self.stmt(consumer)
            }
            Stmt::Let { var, value, body } => {
                let value = self.eval(value)?;
                let ty = &self.kernel.info(*var).ty;
                let val = value.val.to(ty)?;
                self.vars.insert(*var, Traced { val, from: value.from });
                self.stmt(body)
            }
            Stmt::Pass => Ok(()),
        }
    }

    fn assign(&mut self, target: &Expr, op: Option<&Op>, value: &Expr) -> Result<()> {
        let kernel = self.kernel;
        // `choose` brings along what counts as not chosen yet.
        let (value, unchosen) = match value {
            Expr::Call(Op::Chosen, args) => (&args[0], Some(self.eval(&args[1])?.val)),
            value => (value, None),
        };
        let new = self.eval(value)?;
        if new.val == Val::Missing {
            return Ok(());
        }
        let ty = kernel.type_of(target).unwrap_or(Ty::Unknown);
        let reduced = |eval: &mut Self, old: Val| -> Result<Val> {
            let Some(op) = op else { return Ok(new.val.clone()) };
            if let Some(unchosen) = &unchosen {
                let free = old.float() == unchosen.float();
                return Ok(if free { new.val.clone() } else { old });
            }
            let meet = kernel.type_of(value).map_or(ty.clone(), |of| join(&of, &ty));
            let args = [Traced::data(old), Traced::data(new.val.clone())];
            Ok(eval.apply(op, &args, &ty, &meet)?.val)
        };
        // What is known to leave the target as it is is no statement at all.
        let idle = op.is_some_and(|op| self.idle(op, &new, &ty));
        match target {
            Expr::Var(v) => {
                let old = self.var(*v)?.val;
                if !idle {
                    let val = reduced(self, old)?.to(&ty)?;
                    self.vars.insert(*v, Traced::data(val));
                }
                Ok(())
            }
            Expr::Access(id) => {
                let access = kernel.get(*id);
                let Some(place) = self.place(access)? else { return Ok(()) };
                if idle {
                    return Ok(());
                }
                let tensor = access.tensor;
                let old = self.elements(tensor)?.data[place].clone();
                let val = reduced(self, old)?.to(&ty)?;
                let empty =
                    op.is_none() && new.from == Source::Known && val.identical(&self.fill(tensor)?);
                let dense = self.elements(tensor)?;
                dense.stored[place] |= !empty;
                dense.data[place] = val.clone();
                self.mirror(access, place, val)
            }
            _ => Err("a target that is not evaluated".into()),
        }
    }

    fn elements(&mut self, id: TensorId) -> Result<&mut Dense> {
        let name = &self.kernel.tensor(id).name;
        let none = || format!("give a value for `{name}`");
        self.tensors[id.0 as usize].as_mut().ok_or_else(none).map_err(Stop::from)
    }

    /// Opaque parts: what is asked of the run-time library in front of loops, and Rust.
    fn raw(&mut self, id: RawId) -> Result<Traced> {
        let kernel = self.kernel;
        let raw = &kernel.raws[id.0 as usize];
        let mut values = Vec::new();
        for (name, e) in &raw.names {
            values.push((name.to_string(), self.eval(e)?));
        }
        let from = values.iter().map(|(_, v)| v.from).max().unwrap_or(Source::Data);
        if values.iter().any(|(_, v)| v.val == Val::Missing) {
            return Ok(Traced { val: Val::Missing, from });
        }
        let at = |k: usize| values.get(k).map_or(0, |(_, v)| v.val.int());
        match &raw.code {
            Opaque::Runtime(runtime) => Ok(Traced::index(match runtime {
                Runtime::Index => at(0),
                Runtime::Size => at(0).max(0),
                Runtime::Product => (0..values.len()).map(at).product(),
                Runtime::Sum => (0..values.len()).map(at).sum(),
                Runtime::Reach { .. } => at(0),
                Runtime::Default => return Ok(Traced::data(zero(&raw.ty))),
                Runtime::CheckIndex { tensor, dim } => {
                    if at(0) < at(1) || at(0) >= at(2) {
                        let name = &kernel.tensor(*tensor).name;
                        return Err(format!("the index {} is outside of dimension {dim} of `{name}`, which is {}..{}", at(0), at(1), at(2)).into());
                    }
                    at(0)
                }
                other => return Err(format!("`{}` is not evaluated here", other.name()).into()),
            })),
            Opaque::Rust(tokens) => {
                let e: syn::Expr = syn::parse2(tokens.clone()).map_err(|e| {
                    format!("`{tokens}` is Rust that this page does not evaluate: {e}")
                })?;
                let mut scope = values.into_iter().map(|(name, v)| (name, v.val)).collect();
                let mut rust = Rust { functions: self.functions, left: 10_000 };
                let val = rust.expr(&e, &mut scope, &raw.ty)?.to(&raw.ty)?;
                Ok(Traced::data(val))
            }
            Opaque::Declared(_) => Err("code of a level is not evaluated here".into()),
        }
    }

    fn operator(&self, name: &str) -> Option<Rc<Decl>> {
        self.operators.get(name).filter(|d| matches!(&***d, Decl::Operator(_))).cloned()
    }
}

fn declared(decl: &Decl) -> Option<&OperatorDecl> {
    match decl {
        Decl::Operator(o) => Some(o),
        _ => None,
    }
}

/// What a scalar of the type starts at.
fn zero(ty: &Ty) -> Val {
    match ty {
        Ty::Bool => Val::Bool(false),
        ty if ty.is_float() => Val::Float(0.0),
        _ => Val::Int(0),
    }
}
