//! Arrays of Rust in a program: a kernel borrows slices and makes vectors, and either has one dimension.

use super::Resolver;
use crate::cin::*;
use crate::diagnostics::{count, text};
use crate::formats::{elements, held, is_slice};
use crate::kernel::*;
use proc_macro2::Ident;

impl Resolver<'_> {
    /// What is wrong with an array of Rust of type `ty` in this role, if it is one and anything is.
    pub(super) fn misplaced_array(
        &self,
        name: &Ident,
        ty: &syn::Type,
        role: Role,
    ) -> Option<String> {
        let inner = held(ty)?;
        if let (Some(number), Role::Input | Role::InOut, false) =
            (held(inner), &role, is_slice(ty) && is_slice(inner))
        {
            let number = text(number);
            return Some(format!("an array of arrays has no place for all elements, one behind the other: make a tensor of two dimensions of them, `Tensor::from_dense([m, n], ..)`, and write its format, {}", crate::formats::matrix(&number)));
        }
        let element = text(inner);
        let slice = format!("[{element}]");
        match role {
            Role::Input | Role::InOut if is_slice(ty) => None,
            Role::Input => Some(format!(
                "a kernel borrows arrays as slices: write `{}`, and pass `&{name}`",
                self.shared(name, &slice)
            )),
            Role::InOut => Some(format!(
                "a kernel borrows arrays as slices: write `{}`, and pass `&mut {name}`",
                self.mutable(name, &slice)
            )),
            Role::Output | Role::Workspace if elements(ty).is_some() && !is_slice(ty) => None,
            Role::Output => Some(format!(
                "the kernel makes `{name}`, and a slice is borrowed: write `{name}: Vec<{element}>`, or make it a parameter, `{}`",
                self.mutable(name, &slice)
            )),
            Role::Workspace => Some(format!(
                "the kernel makes `{name}`, of a size that it finds out: write `let mut {name}: Vec<{element}>`"
            )),
        }
    }

    /// What is wrong with so many indices of an array of Rust.
    pub(super) fn indices_of_array(&self, tensor: TensorId, indices: usize) -> Option<String> {
        let Tensor { name, ty, .. } = self.kernel.tensor(tensor);
        let element = text(elements(ty)?);
        let is = if is_slice(ty) { "slice" } else { "vector" };
        let advice = match indices {
            0 => format!("give its index, `{name}[i]`"),
            // An array of arrays has no place for all elements, one behind the other.
            _ if held(elements(ty)?).is_some() => {
                format!("give one index, or make a tensor of {indices} dimensions of all elements, one row behind the other, by `Tensor::from_dense`")
            }
            _ => {
                let sizes =
                    ["m", "n", "o", "p"].get(..indices).map_or("..".to_owned(), |s| s.join(", "));
                format!("give one index, or make a tensor of {indices} dimensions of it, `Tensor::from_dense([{sizes}], &{name})`, and write the format of that")
            }
        };
        let given = count(indices, "index", "indices");
        Some(format!("`{name}` is a {is} of `{element}`, which has one dimension, and here it has {given}: {advice}"))
    }
}
