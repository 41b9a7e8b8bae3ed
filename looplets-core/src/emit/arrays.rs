//! Arrays of Rust that a kernel borrows, makes or makes anew: the values of a dense dimension without a tensor around them.
//!
//! The length of a slice is the size of its dimension, so that every index below the size is one of the slice. Nothing of
//! it has to be compared with a declaration: the compiler has found the format itself.

use super::Emit;
use crate::ast::{Form, Passing};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// The array `id` has its values in.
    fn elements(&self, id: TensorId) -> Ident {
        let values = self.kernel.arrays_of(id);
        self.array(*values.last().expect("the format of arrays has one"))
    }

    /// A parameter as its values and their number.
    pub(super) fn enter_array(
        &self,
        name: &Ident,
        passing: Passing,
        ty: &syn::Type,
        id: TensorId,
    ) -> TokenStream {
        let krate = &self.kernel.krate;
        let (values, len) = (self.elements(id), self.ident(self.kernel.tensor(id).lens[0]));
        let borrow = match (passing, &self.kernel.form) {
            // Vectors and arrays are borrowed as slices, and slices are borrowed again.
            (Passing::Mutable, Form::Inline) => {
                quote_spanned!(name.span()=> #[allow(clippy::redundant_slicing)] let #values: &mut #ty = &mut #name[..];)
            }
            (Passing::Mutable, _) => quote!(let #values: &mut #ty = #name;),
            (_, Form::Inline) => {
                quote_spanned!(name.span()=> #[allow(clippy::redundant_slicing)] let #values: &#ty = &#name[..];)
            }
            _ => quote!(let #values: &#ty = #name;),
        };
        quote!(#borrow let #len: i64 = #krate::rt::dim(<[_]>::len(&*#values));)
    }

    /// A vector that the kernel returns.
    pub(super) fn made_array(&self, id: TensorId) -> TokenStream {
        let (values, ty) = (self.elements(id), &self.kernel.tensor(id).ty);
        quote!({ let made: #ty = #values; made })
    }

    /// The vector passed for its memory as the one of the output of its name.
    pub(super) fn array_again(&self, id: TensorId) -> TokenStream {
        let Tensor { name, ty, .. } = self.kernel.tensor(id);
        let kept = self.kernel.arrays_of(id).iter().all(|a| self.kernel.kept.contains(a));
        let values = self.elements(id);
        let cleared = (!kept).then(|| quote!(::std::vec::Vec::clear(&mut #values);));
        quote!(let mut #values: #ty = #name; #cleared)
    }
}
