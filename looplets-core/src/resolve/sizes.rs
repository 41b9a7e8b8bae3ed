//! Sizes of outputs and workspaces, from the loops that write them.

use super::{Meaning, Resolver};
use crate::cin::*;
use crate::diagnostics::text;
use crate::kernel::*;
use proc_macro2::TokenStream;

impl Resolver<'_> {
    /// The size that `tokens` ask a tensor of the header for, `x.shape()[0]`, or a slice, `x.len()`: the kernel has it already, and
    /// knows what it is of. A tensor that is changed could not be asked, since it is borrowed.
    pub(super) fn size_in_rust(&self, tokens: &TokenStream) -> Option<Expr> {
        let asked: syn::Expr = syn::parse2(tokens.clone()).ok()?;
        let (call, dim) = match &asked {
            syn::Expr::Index(index) => match (&*index.expr, &*index.index) {
                (syn::Expr::MethodCall(call), syn::Expr::Lit(dim)) if call.method == "shape" => {
                    let syn::Lit::Int(dim) = &dim.lit else { return None };
                    (call, dim.base10_parse::<usize>().ok()?)
                }
                _ => return None,
            },
            syn::Expr::MethodCall(call) if call.method == "len" => (call, 0),
            _ => return None,
        };
        let syn::Expr::Path(of) = &*call.receiver else { return None };
        let (Some(name), true) = (of.path.get_ident(), call.args.is_empty()) else { return None };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return None };
        let tensor = self.kernel.tensor(t);
        let known = matches!(tensor.role, Role::Input | Role::InOut);
        let has = call.method == "shape" || tensor.is_array();
        let len = tensor.lens.get(tensor.dimension(dim)).filter(|_| known && has)?;
        Some(Expr::Var(*len))
    }

    /// Sizes of outputs and workspaces that the header leaves open, as far as loops reach; whether
    /// any was found.
    pub fn output_sizes(&mut self, by_some: bool) -> bool {
        let mut any = false;
        for t in 0..self.kernel.tensors.len() {
            let id = TensorId(t as u32);
            let tensor = self.kernel.tensor(id);
            let open =
                matches!(tensor.role, Role::Output | Role::Workspace) && tensor.sizes.is_empty();
            if !open || tensor.lens.is_empty() {
                continue;
            }
            let sizes: Option<Vec<Expr>> =
                (0..tensor.lens.len()).map(|dim| self.reach(id, dim, by_some)).collect();
            if let Some(sizes) = sizes {
                self.kernel.tensors[t].sizes = sizes;
                any = true;
                if by_some {
                    break;
                }
            }
        }
        any
    }

    /// Reports outputs and workspaces whose sizes nothing gives; `open` are the loops without an
    /// extent, which have been reported.
    pub fn unsized_tensors(&mut self, open: &[VarId]) {
        for t in 0..self.kernel.tensors.len() {
            let (id, tensor) = (TensorId(t as u32), self.kernel.tensors[t].clone());
            let unknown =
                matches!(tensor.role, Role::Output | Role::Workspace) && tensor.sizes.is_empty();
            let writes = self.kernel.accesses.iter().filter(|a| a.tensor == id && a.write);
            let along = |i: &Index| matches!(&i.kind, IndexKind::Affine(v, _) if open.contains(v));
            let caused = writes.clone().any(|a| a.indices.iter().any(along));
            let written = writes.count() > 0;
            let caused = caused || !self.unbound.is_empty();
            if !unknown || !written || caused || self.unsure.contains(&id) {
                continue;
            }
            if let Some(dim) =
                (0..tensor.lens.len()).find(|dim| self.reach(id, *dim, false).is_none())
            {
                let name = &tensor.name;
                self.errors.error(
                    name.span(),
                    format!(
                        "the size of dimension {} of `{name}` cannot be inferred: give it, `{}`",
                        tensor.dimension(dim),
                        with_sizes(&tensor)
                    ),
                );
            }
        }
    }

    /// One past the largest coordinate that loops give in dimension `dim`.
    pub fn reach(&mut self, id: TensorId, dim: usize, by_some: bool) -> Option<Expr> {
        let mut ends: Vec<Expr> = Vec::new();
        for access in &self.kernel.accesses {
            if access.tensor != id || !access.write {
                continue;
            }
            let IndexKind::Affine(v, shift) = &access.indices[dim].kind else { return None };
            let Some((_, hi)) = self.extents.get(v) else {
                // A loop over this tensor alone takes its extent from it, once others gave its size.
                let alone = self.kernel.accesses.iter().all(|a| a.tensor == id || !indexed(a, *v));
                if alone || by_some {
                    continue;
                }
                return None;
            };
            if !self.kernel.fixed(hi) || !self.kernel.fixed(shift) {
                return None;
            }
            let end = access.indices[dim].coordinate(&hi.plus(-1)).plus(1);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        match ends.len() {
            0 => None,
            1 => ends.pop(),
            _ => Some(Expr::call(Op::Max, ends)),
        }
    }
}

/// Whether `v` indexes `access`.
fn indexed(access: &Access, v: VarId) -> bool {
    access.indices.iter().any(|i| matches!(&i.kind, IndexKind::Affine(w, _) if *w == v))
}

/// The declaration of a tensor with its sizes.
pub fn with_sizes(tensor: &Tensor) -> String {
    let sizes = match tensor.lens.len() {
        1 if tensor.name == "n" => "len",
        1 => "n",
        2 if tensor.name == "m" || tensor.name == "n" => "rows, columns",
        2 => "m, n",
        _ => "..",
    };
    format!("{}: {}[{sizes}]", tensor.name, text(&tensor.ty))
}
