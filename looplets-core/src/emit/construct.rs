//! Puts the arrays of a tensor together: its levels, and of an output the tensor itself.

use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// The outermost level of a tensor, of its arrays.
    pub(super) fn root(&self, id: TensorId) -> TokenStream {
        let mut value = TokenStream::new();
        for level in self.kernel.tensor(id).levels.iter().rev() {
            let path = &level.format.path;
            let inner = value;
            let fields = level.fields.iter().map(|(_, b)| match b {
                Binding::Scalar(v) => {
                    let ident = self.ident(*v);
                    quote!(#ident as usize)
                }
                Binding::Array(a) => {
                    let ident = self.array(*a);
                    quote!(#ident)
                }
                Binding::Child => quote!(#inner),
            });
            value = quote!(#path::__new(#(#fields),*));
        }
        value
    }

    /// Has rustc compare the declaration of the type of `place`, a level, with the one the kernel was made from.
    pub(super) fn declared(&self, level: &Level, at: Span, place: &TokenStream) -> TokenStream {
        let (krate, print, home) =
            (&self.kernel.krate, level.format.fingerprint, level.format.home());
        match level.trusted {
            true => quote_spanned!(at=> #krate::rt::declared::<_, #home, #print>(#place);),
            false => quote_spanned!(at=> #krate::rt::named::<_, #home, #print>(#place);),
        }
    }

    /// The finished output, as the kernel returns it.
    pub(super) fn result(&self, id: TensorId) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        let made = self.construct(id);
        if !tensor.chain.by_columns || self.reader == Reader::Person {
            return made;
        }
        let ty = &tensor.ty;
        quote!({ let made: #ty = #krate::ByColumns::from_transposed(#made); made })
    }

    /// The type of a tensor that is put together of its arrays.
    fn stored_type(&self, tensor: &Tensor) -> TokenStream {
        let (krate, ty) = (&self.kernel.krate, &tensor.ty);
        match tensor.chain.by_columns {
            true => quote!(<#ty as #krate::rt::Stored>::Tensor),
            false => quote!(#ty),
        }
    }

    /// The finished output, as it is stored.
    pub(super) fn construct(&self, id: TensorId) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        if self.reader == Reader::Person {
            // What the output is made of stands in place of the calls that make it.
            let fields = tensor.levels.iter().flat_map(|l| &l.fields);
            let parts = fields.filter_map(|(_, b)| match b {
                Binding::Scalar(v) => Some(self.ident(*v)),
                Binding::Array(a) => Some(self.array(*a)),
                Binding::Child => None,
            });
            let name = &tensor.name;
            return quote!(#name(#(#parts),*));
        }
        if tensor.is_array() {
            return self.made_array(id);
        }
        let value = self.root(id);
        let ty = self.stored_type(tensor);
        let trusted = tensor.levels.iter().all(|l| l.trusted);
        let whole = quote!(made);
        let mut known = quote!(let level = #krate::Tensor::root(&#whole););
        for level in &tensor.levels {
            known.extend(self.declared(level, Span::call_site(), &quote!(level)));
            if let Some(place) = level.fields.iter().position(|(_, b)| matches!(b, Binding::Child))
            {
                let skipped = level.fields[..place].iter().map(|_| quote!(_));
                known.extend(quote!(let (#(#skipped,)* level, ..) = level.__fields();));
            }
        }
        if trusted {
            quote!({
                // What was assembled was made whole by `finish`; `known` compares the declarations it was made from.
                // SAFETY: every level vouches for what its write protocol assembles.
                let made: #ty = unsafe { #krate::Tensor::from_parts_unchecked(#value) };
                #known
                made
            })
        } else {
            let checked = self.kernel.failing(quote!(#krate::Tensor::from_parts(#value)));
            quote!({ let made: #ty = #checked; #known made })
        }
    }
}
