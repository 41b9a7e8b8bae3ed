//! Gives every name of a kernel its meaning: tensors, indices, scalars, extents, protocols.
//!
//! Input: the surface syntax and the declarations of the formats. Output: a [`Kernel`], of which
//! every access can be unfurled, or all the errors at once.

mod check;
mod expr;
mod extents;
mod stmt;

use crate::ast;
use crate::cin::*;
use crate::decl::FieldKind;
use crate::diagnostics::{Diagnostics, Errors};
use crate::formats::{Chain, Library, Stop};
use crate::kernel::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};

/// What a name in scope means.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Var(VarId),
    Tensor(TensorId),
    /// `let two = 2;`: takes the type of what it meets at each use.
    Literal(usize),
}

pub(crate) struct Resolver<'a> {
    pub kernel: Kernel,
    pub errors: Diagnostics,
    pub library: &'a Library,
    pub generics: Vec<String>,
    pub scope: Vec<(String, Meaning)>,
    /// Loops around the statement at hand, outermost first.
    pub loops: Vec<VarId>,
    /// Explicit extents as resolved, by index.
    pub extents: BTreeMap<VarId, (Expr, Expr)>,
    /// Where each loop index was bound.
    pub bound_at: BTreeMap<VarId, Span>,
    /// Loops around each access when it was met.
    pub loops_of: BTreeMap<AccessId, Vec<VarId>>,
    /// How many loops were open when a local tensor came to life.
    pub born: BTreeMap<TensorId, usize>,
    /// Values of names that stand for literals.
    pub literals: Vec<Lit>,
    /// Scalars and tensors assigned.
    pub written: HashSet<String>,
}

/// The types of the header that must be formats: those of names used with brackets.
pub fn format_types(program: &ast::Program) -> Vec<syn::Type> {
    let used = stmt::accessed(&program.body);
    let passed = stmt::passed(&program.body);
    let mut types: Vec<syn::Type> = Vec::new();
    let kept = |o: &&ast::Output| passed.contains(&o.name.to_string());
    let mut add = |name: &Ident, ty: &syn::Type| {
        if used.contains(&name.to_string()) {
            types.push(ty.clone());
        }
    };
    program.params.iter().for_each(|p| add(&p.name, &p.ty));
    program.outputs.iter().filter(|o| !kept(o)).for_each(|o| add(&o.name, &o.ty));
    stmt::workspaces(&program.body, &mut add);
    // An output that is only passed on is a tensor all the same.
    types.extend(program.outputs.iter().filter(kept).map(|o| o.ty.clone()));
    types
}

/// Type parameters of the kernel's own generics.
pub fn generic_names(program: &ast::Program) -> Vec<String> {
    match &program.form {
        ast::Form::Function { generics, .. } => generics
            .params
            .iter()
            .filter_map(|p| match p {
                syn::GenericParam::Type(t) => Some(t.ident.to_string()),
                syn::GenericParam::Const(c) => Some(c.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect(),
        ast::Form::Inline => Vec::new(),
    }
}

/// Resolves `program`.
pub fn resolve(
    program: ast::Program,
    library: &Library,
    krate: TokenStream,
) -> Result<Kernel, Errors> {
    let generics = generic_names(&program);
    let used = stmt::accessed(&program.body);
    let kernel = Kernel {
        krate,
        safe: program.safe,
        steps: None,
        form: program.form,
        params: Vec::new(),
        outputs: Vec::new(),
        vars: Vec::new(),
        arrays: Vec::new(),
        raws: Vec::new(),
        tensors: Vec::new(),
        accesses: Vec::new(),
        functions: BTreeMap::new(),
        checks: Vec::new(),
        loop_checks: Vec::new(),
        prelude: Vec::new(),
        marks: BTreeMap::new(),
        body: Stmt::Pass,
    };
    let mut r = Resolver {
        kernel,
        errors: Diagnostics::new(),
        library,
        generics,
        scope: Vec::new(),
        loops: Vec::new(),
        extents: BTreeMap::new(),
        bound_at: BTreeMap::new(),
        loops_of: BTreeMap::new(),
        born: BTreeMap::new(),
        literals: Vec::new(),
        written: HashSet::new(),
    };
    for param in program.params {
        let is = if used.contains(&param.name.to_string()) {
            let role = match param.passing {
                ast::Passing::Mutable => Role::InOut,
                _ => Role::Input,
            };
            if param.passing == ast::Passing::Value {
                r.errors.error(param.name.span(), format!(
                    "the tensor `{0}` is passed by value: write `{0}: &..` to read it or `{0}: &mut ..` to update it", param.name));
            }
            r.declare_tensor(&param.name, &param.ty, role).map(ParamIs::Tensor)
        } else {
            let kind = if param.passing == ast::Passing::Mutable {
                VarKind::Scalar
            } else {
                VarKind::Outer
            };
            Some(ParamIs::Scalar(r.declare_scalar(&param.name, kind, &param.ty)))
        };
        if let Some(is) = is {
            r.kernel.params.push((param.name, param.passing, param.ty, is));
        }
    }
    let mut outputs = Vec::new();
    let passed = stmt::passed(&program.body);
    for output in program.outputs {
        let name = output.name.to_string();
        if !used.contains(&name) && !passed.contains(&name) {
            r.errors.error(output.name.span(), format!(
                "the output `{0}` is never written: assign to it, as in `{0}[i] += ..`; a scalar result is a parameter `{0}: &mut T`", output.name));
            continue;
        }
        if let Some(id) = r.declare_tensor(&output.name, &output.ty, Role::Output) {
            r.kernel.outputs.push(id);
            if let Some(dims) = output.dims {
                outputs.push((id, dims, output.name.span()));
            }
        }
    }
    for (id, dims, span) in outputs {
        r.sizes(id, &dims, span);
    }
    if let Some(counter) = program.steps {
        match r.lookup(&counter) {
            Some(Meaning::Var(v)) if r.kernel.info(v).kind == VarKind::Scalar => {
                r.written.insert(counter.to_string());
                r.kernel.steps = Some(v);
            }
            _ => r.errors.error(counter.span(), format!("the step counter `{counter}` must be a `mut` scalar of the header, of type u64")),
        }
    }
    let body = r.block(&program.body);
    r.kernel.body = body;
    r.infer_extents();
    r.check_accesses();
    r.check_groups();
    r.check_written();
    let Resolver { kernel, errors, .. } = r;
    errors.check(kernel)
}

impl Resolver<'_> {
    pub fn lookup(&self, name: &Ident) -> Option<Meaning> {
        let text = name.to_string();
        self.scope.iter().rev().find(|(n, _)| *n == text).map(|(_, m)| *m)
    }

    pub fn declare_scalar(&mut self, name: &Ident, kind: VarKind, ty: &syn::Type) -> VarId {
        self.twice(name);
        let ty = match ty {
            syn::Type::Infer(_) => Ty::Unknown,
            _ => Ty::of(&ty.to_token_stream()),
        };
        self.declare_var(name, kind, ty)
    }

    pub fn declare_var(&mut self, name: &Ident, kind: VarKind, ty: Ty) -> VarId {
        let id = self.kernel.var(&name.to_string(), kind, ty);
        self.kernel.vars[id.0 as usize].ident = Some(name.clone());
        self.scope.push((name.to_string(), Meaning::Var(id)));
        id
    }

    fn twice(&mut self, name: &Ident) {
        if self.lookup(name).is_some() {
            self.errors
                .error(name.span(), format!("`{name}` is declared twice: choose another name"));
        }
    }

    /// Declares the tensor `name` of type `ty`, with a local for every field of its levels.
    pub fn declare_tensor(&mut self, name: &Ident, ty: &syn::Type, role: Role) -> Option<TensorId> {
        self.twice(name);
        let chain = match self.library.chain(ty, &self.generics) {
            Ok(chain) => chain,
            Err(Stop::Error(e)) => {
                let e = if e.span().start() == Span::call_site().start() {
                    syn::Error::new_spanned(ty, e.to_string())
                } else {
                    e
                };
                self.errors.push(e);
                return None;
            }
            Err(Stop::Need(_, path)) => {
                self.errors.push(syn::Error::new_spanned(
                    ty,
                    format!("`{path}` is not a format: no `level!` of that name is in scope"),
                ));
                return None;
            }
        };
        let id = TensorId(self.kernel.tensors.len() as u32);
        let mut trusted = !self.kernel.safe;
        let (mut levels, mut lens) = (Vec::new(), Vec::new());
        for (depth, format) in chain.levels.iter().enumerate() {
            let decl = format.level();
            trusted &= decl.vouched.is_some();
            let mut fields = Vec::new();
            for field in &decl.fields {
                let local = format!("{name}{depth}_{}", field.name);
                let binding = match &field.kind {
                    FieldKind::Child => Binding::Child,
                    FieldKind::Len | FieldKind::Scalar(_) => {
                        let var = self.kernel.var(&local, VarKind::Local, Ty::Index);
                        if matches!(field.kind, FieldKind::Len) {
                            lens.push(var);
                        }
                        Binding::Scalar(var)
                    }
                    FieldKind::Array(elem) => {
                        let elem_tokens = format.substitute(elem.to_token_stream());
                        let leaf_value = decl.leaf.as_ref().is_some_and(|l| {
                            format.substitute(l.value.to_token_stream()).to_string()
                                == elem_tokens.to_string()
                        });
                        let elem = if leaf_value { Ty::of(&elem_tokens) } else { Ty::Index };
                        let array = Array { name: local, elem, elem_tokens, trusted, tensor: id };
                        self.kernel.arrays.push(array);
                        Binding::Array(ArrayId(self.kernel.arrays.len() as u32 - 1))
                    }
                };
                fields.push((field.name.clone(), binding));
            }
            levels.push(Level { format: format.clone(), fields, trusted });
        }
        if levels.last().is_some_and(|l| l.format.level().leaf.is_some())
            && lens.len() >= levels.len()
        {
            lens.truncate(levels.len() - 1);
        }
        let fill = self.fill(&chain);
        let value = Ty::of(&chain.value);
        self.kernel.tensors.push(Tensor {
            name: name.clone(),
            ty: ty.clone(),
            chain,
            levels,
            value,
            fill,
            role,
            lens,
            sizes: Vec::new(),
        });
        self.born.insert(id, self.loops.len());
        self.scope.push((name.to_string(), Meaning::Tensor(id)));
        Some(id)
    }

    /// The fill as a term: a literal where the marker says so, else the marker's constant.
    fn fill(&mut self, chain: &Chain) -> Expr {
        if let Some(tokens) = &chain.fill {
            match tokens.to_string().replace(' ', "").trim_matches(|c| c == '{' || c == '}') {
                "inf" => return Expr::Lit(Lit::float(f64::INFINITY)),
                "-inf" => return Expr::Lit(Lit::float(f64::NEG_INFINITY)),
                "missing" => return Expr::Lit(Lit::Missing),
                "true" => return Expr::bool(true),
                "false" => return Expr::bool(false),
                text => {
                    if let Ok(n) = text.parse::<i128>() {
                        return Expr::int(n);
                    }
                    if let Ok(x) = text.parse::<f64>() {
                        if !x.is_nan() {
                            return Expr::Lit(Lit::float(x));
                        }
                    }
                }
            }
        }
        let (krate, ty, value) = (&self.kernel.krate, &chain.fill_type, &chain.value);
        let tokens = quote::quote!(<#ty as #krate::Fill<#value>>::VALUE);
        let ty = Ty::of(value);
        self.kernel.raw(tokens, Vec::new(), ty)
    }

    /// Explicit sizes of an output or workspace.
    pub fn sizes(&mut self, id: TensorId, dims: &[ast::Expr], span: Span) {
        let rank = self.kernel.tensor(id).lens.len();
        if dims.len() != rank {
            let name = self.kernel.tensor(id).name.clone();
            self.errors.error(
                span,
                format!("`{name}` has {rank} dimensions, but {} sizes are given", dims.len()),
            );
            return;
        }
        let sizes = dims.iter().map(|d| self.index_expr(d)).collect();
        self.kernel.tensors[id.0 as usize].sizes = sizes;
    }
}
