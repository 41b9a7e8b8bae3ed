//! Declarations: what a name of the header or a `let mut` becomes in the kernel.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::decl::identity::key;
use crate::decl::{FieldKind, LevelDecl};
use crate::diagnostics::{count, text};
use crate::formats::{fill_literal, is_nan, Chain};
use crate::kernel::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

impl Resolver<'_> {
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
            self.declared_twice(name);
        }
    }

    /// Refuses `name`, which something else in the header has.
    pub(super) fn declared_twice(&mut self, name: &Ident) {
        self.twice_said = true;
        self.errors.error(name.span(), format!("`{name}` is declared twice: choose another name"));
    }

    /// Declares the tensor `name` of type `ty`, with a local for every field of its levels.
    pub fn declare_tensor(&mut self, name: &Ident, ty: &syn::Type, role: Role) -> Option<TensorId> {
        self.twice(name);
        if let Some(message) = self.misplaced_array(name, ty, role) {
            self.errors.push(syn::Error::new_spanned(ty, message));
            self.scope.push((name.to_string(), Meaning::Broken));
            return None;
        }
        let chain = match self.library.resolved(ty, &self.generics) {
            Ok(chain) => chain,
            Err(e) => {
                self.errors.push(e);
                self.scope.push((name.to_string(), Meaning::Broken));
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
                let local = format!(
                    "{}{depth}_{}",
                    plain(&name.to_string()),
                    plain(&field.name.to_string())
                );
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
                        let name = self.kernel.unique_name(&local);
                        let array = Array { name, elem, elem_tokens, trusted, tensor: id };
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
        for (depth, level) in chain.levels.iter().enumerate() {
            let above = depth.checked_sub(1).map(|d| chain.levels[d].level());
            if level.level().ranges() && !above.is_some_and(LevelDecl::gives_ranges) {
                let depth = if chain.by_columns {
                    (chain.levels.len() - 1).saturating_sub(depth + 1)
                } else {
                    depth
                };
                self.errors.error(name.span(), format!(
                    "`{}` (dimension {depth} of `{name}`) names its fibers by ranges of entries: it stands below a level that gives it such, by `child[(q, e)]`", level.level().name));
            }
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
            of: None,
            written_once: false,
            only_reduced: false,
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
            if let Some(lit) = fill_literal(tokens, Ty::of(&chain.value) == Ty::Bool) {
                return Expr::Lit(Ty::of(&chain.value).value(&lit).unwrap_or(lit));
            }
            if is_nan(tokens) {
                return Expr::call(Op::Nan, []);
            }
        }
        let (krate, ty, value) = (&self.kernel.krate, &chain.fill_type, &chain.value);
        let tokens = quote::quote!(<#ty as #krate::Fill<#value>>::VALUE);
        let ty = Ty::of(value);
        // The same marker is the same value, here and in the laws of operators.
        let mut name = match chain.fill_print {
            Some(print) => key(&chain.marker(), print),
            None => text(&chain.fill_type),
        };
        let other = |(_, known): &(TokenStream, Ty)| *known != ty && *known != Ty::Unknown;
        if self.kernel.constants.get(&name).is_some_and(other) {
            name = format!("{name}:{}", text(value));
        }
        self.kernel.constants.insert(name.clone(), (tokens, ty));
        Expr::call(Op::Constant(name.as_str().into()), [])
    }

    /// Explicit sizes of an output or workspace.
    /// Refuses a size that is written as a number below 0.
    pub fn not_below_zero(&mut self, size: &Expr, at: &ast::Expr) {
        if let Expr::Lit(Lit::Int(n)) = size {
            if *n < 0 {
                self.errors
                    .error(at.span(), format!("no dimension is of size {n}: write 0 or more"));
            }
        }
    }

    pub fn sizes(&mut self, id: TensorId, dims: &[ast::Expr], span: Span) {
        let rank = self.kernel.tensor(id).lens.len();
        if dims.len() != rank {
            let name = self.kernel.tensor(id).name.clone();
            let (has, give) =
                (count(rank, "dimension", "dimensions"), count(rank, "size", "sizes"));
            self.errors.error(span, format!("`{name}` has {has}: give {give}, not {}", dims.len()));
            self.unsure.insert(id);
            return;
        }
        let sizes: Vec<Expr> = dims.iter().map(|d| self.index_expr(d)).collect();
        for (size, at) in sizes.iter().zip(dims) {
            self.not_below_zero(size, at);
        }
        let mut elements = false;
        let mut look = |e: &Expr| elements |= matches!(e, Expr::Access(_));
        sizes.iter().for_each(|size| size.walk(&mut |e| look(e)));
        if elements {
            let message = format!("a size of `{}` is an element of a tensor: define it before, `let n = ..;`, and write `n`", self.kernel.tensor(id).name);
            self.errors.error(span, message);
            self.unsure.insert(id);
            return;
        }
        let tensor = self.kernel.tensor(id);
        if tensor.role == Role::Output && !sizes.iter().all(|size| self.kernel.fixed(size)) {
            let message = format!("a size of `{}` may change while the kernel runs, which makes it before it starts: pass what it is by value", tensor.name);
            self.errors.error(span, message);
            self.unsure.insert(id);
            return;
        }
        self.kernel.tensors[id.0 as usize].sizes = sizes;
    }
}
