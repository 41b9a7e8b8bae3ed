//! `remove a[i, j]`: entries of a tensor made of nodes that go when all loops have ended.
//!
//! Until then the tensor is an input, read as it was. Where entries go is gathered in an output of the kernel's own, which
//! is not returned: `gone[i, j] ||= stored[i, j]`, where `stored` is the tensor with `true` for each value. So loops visit
//! what is stored alone, whatever its fill is, and all that holds of outputs holds of removals, parallel loops included.

use super::{names, Meaning, Resolver};
use crate::ast::{self, Passing};
use crate::cin::*;
use crate::decl::Decl;
use crate::formats::LevelUse;
use crate::kernel::*;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use std::rc::Rc;

/// The most dimensions of a tensor of which entries are removed.
const MOST: usize = 6;

/// The type of what says where entries of a tensor of this rank go, which the run-time library declares.
pub(super) fn gone(krate: &TokenStream, rank: usize) -> Option<syn::Type> {
    let name = format_ident!("Gone{rank}");
    (1..=MOST).contains(&rank).then(|| syn::parse2(quote!(#krate::#name)).ok()).flatten()
}

/// A leaf that says of each position that it is stored.
fn stored() -> syn::Result<LevelUse> {
    let leaf: Decl = syn::parse2(quote! {
        pub struct Stored {}
        leaf bool = False;
        unsafe invariant(fibers) { Ok(0) }
        read value(p) { true }
    })?;
    Ok(LevelUse { decl: Rc::new(leaf), path: quote!(Self), args: Vec::new(), fingerprint: 0 })
}

impl Resolver<'_> {
    /// Makes parameters of which entries are removed inputs, and declares where those are that go.
    pub fn removals(&mut self, body: &ast::Block) {
        let assigned = names::assigned(body);
        for (name, rank, span) in names::removed(body) {
            let Some(Meaning::Tensor(t)) = self.lookup(&name) else { continue };
            if assigned.contains(&name.to_string()) {
                self.errors.error(span, format!(
                    "`{name}` is assigned in this kernel, and what is removed goes when all loops have ended: remove it in a kernel of its own"));
                continue;
            }
            let mut params = self.kernel.params.iter_mut();
            let param = params.find(|p| p.3 == ParamIs::Tensor(t) && p.1 == Passing::Mutable);
            let Some(param) = param else { continue };
            if self.kernel.tensors[t.0 as usize].is_array() {
                self.errors.error(span, format!(
                    "`{name}` is a slice, whose elements stay: assign to them, or remove entries of a tensor made of nodes"));
                self.written.insert(name.to_string());
                continue;
            }
            param.1 = Passing::Thinned;
            self.kernel.tensors[t.0 as usize].role = Role::Input;
            if self.kernel.tensor(t).lens.len() != rank {
                // The access says so.
                continue;
            }
            let Some(ty) = gone(&self.kernel.krate, rank) else {
                self.errors.error(span, format!(
                    "entries are removed from tensors of {MOST} dimensions at most: use `Tensor::remove_all`"));
                continue;
            };
            let stored = self.stored(t);
            let log = format_ident!("{}_gone", plain(&name.to_string()), span = name.span());
            let mark = self.scope.len();
            let Some(gone) = self.declare_tensor(&log, &ty, Role::Output) else { continue };
            // The program does not know its name, and messages tell of the tensor.
            self.scope.truncate(mark);
            self.kernel.tensors[gone.0 as usize].name = name.clone();
            self.kernel.tensors[gone.0 as usize].sizes =
                self.kernel.tensor(t).lens.iter().map(|len| Expr::Var(*len)).collect();
            self.kernel.outputs.push(gone);
            self.written.insert(name.to_string());
            self.kernel.removals.push(Removal { name, span, stored, gone });
        }
    }

    /// The tensor with another leaf.
    fn stored(&mut self, t: TensorId) -> TensorId {
        let mut tensor = self.kernel.tensor(t).clone();
        if let (Ok(leaf), Some(last)) = (stored(), tensor.levels.last_mut()) {
            tensor.chain.levels.pop();
            tensor.chain.levels.push(leaf.clone());
            last.format = leaf;
            last.fields = Vec::new();
        }
        tensor.chain.value = quote!(bool);
        tensor.value = Ty::Bool;
        tensor.fill = Expr::bool(false);
        self.kernel.tensors.push(tensor);
        TensorId(self.kernel.tensors.len() as u32 - 1)
    }

    /// `remove target`.
    pub fn remove(&mut self, target: &ast::Expr, span: Span) -> Stmt {
        let ast::Expr::Access { name, indices, span: at, .. } = target else { return Stmt::Pass };
        let read = self.access(name, indices, *at, false);
        let (Some(Expr::Access(id)), Some(Meaning::Tensor(t))) = (read, self.lookup(name)) else {
            return Stmt::Pass;
        };
        let is = |r: &&Removal| r.name == *name && self.kernel.get(id).tensor == t;
        let known = self.kernel.removals.iter().find(is).cloned();
        let Some(Removal { stored, gone, .. }) = known else {
            if !self.kernel.params.iter().any(|p| p.0 == *name && p.1 != Passing::Shared) {
                let ty = crate::diagnostics::text(&self.kernel.tensor(t).ty);
                let param = self.mutable(name, &ty);
                self.errors.error(
                    span,
                    format!("entries of `{name}` are removed in place: declare it `{param}`"),
                );
            }
            return Stmt::Pass;
        };
        let mut value = self.kernel.get(id).clone();
        value.tensor = stored;
        let mut target = value.clone();
        target.tensor = gone;
        target.write = true;
        for index in &mut target.indices {
            index.protocol = None;
        }
        let known = self.same_read(stored, &value.indices).map(Expr::Access);
        let value = known.unwrap_or_else(|| self.met(value));
        let target = self.met(target);
        self.kernel.assigned_at.entry(name.to_string()).or_insert(span);
        self.assigned += 1;
        Stmt::Assign { target, op: Some(Op::Or), value }
    }

    /// A new access in the loops at hand.
    pub(super) fn met(&mut self, access: Access) -> Expr {
        let e = self.kernel.access(access);
        if let Expr::Access(id) = e {
            self.loops_of.insert(id, self.loops.clone());
            self.guards_of.insert(id, self.conditions.iter().flatten().copied().collect());
        }
        e
    }
}
