//! Tensors updated in place by more than values: their arrays are taken out, worked on as those of an
//! output are, and put together again. A guard leaves the tensor valid if that does not happen.

use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Emit<'_> {
    /// The sizes of a tensor whose arrays are taken later, once all sizes were found to agree.
    pub(super) fn sizes_of(&self, id: TensorId, whole: &Ident) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        let at = tensor.name.span().resolved_at(Span::mixed_site());
        let here = Ident::new("level", Span::mixed_site());
        let mut out = quote! {
            let #whole: &mut #krate::Tensor<_> = #whole;
            let #here = #krate::Tensor::root(&*#whole);
        };
        for level in &tensor.levels {
            let (mut names, mut dims) = (Vec::new(), TokenStream::new());
            let mut child = false;
            for (_, binding) in &level.fields {
                names.push(match binding {
                    Binding::Scalar(v) => {
                        let ident = self.ident(*v);
                        dims.extend(quote!(let #ident: i64 = #krate::rt::dim(#ident);));
                        quote!(#ident)
                    }
                    Binding::Array(_) => quote!(_),
                    Binding::Child => {
                        child = true;
                        quote!(#here)
                    }
                });
            }
            out.extend(self.declared(level, at, &quote!(#here)));
            if child {
                out.extend(quote!(let (#(#names,)*) = #here.__fields(); #dims));
            }
        }
        out
    }

    /// Takes the arrays of a tensor, as owned vectors.
    pub(super) fn take(&self, id: TensorId) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        if self.reader == Reader::Person {
            let text = format!("the arrays of `{}` are taken out of it", tensor.name);
            return quote!(remark!(#text););
        }
        let (guard, whole) = (self.guard(id), self.whole_of(id));
        let mut out = quote!(let (#guard, level) = #krate::rt::Updating::take(#whole););
        for level in &tensor.levels {
            let names = level.fields.iter().map(|(_, binding)| match binding {
                Binding::Scalar(_) => quote!(_),
                Binding::Array(a) => {
                    let name = self.array(*a);
                    quote!(mut #name)
                }
                Binding::Child => quote!(level),
            });
            out.extend(quote!(let (#(#names,)*) = level.into_parts();));
        }
        out
    }

    /// The arrays of the tensor passed for its memory as those of the output of its name: emptied, but for
    /// those of which all is overwritten.
    pub(super) fn reuse(&self, id: TensorId) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        let (name, ty) = (&tensor.name, &tensor.ty);
        if self.reader == Reader::Person {
            let kept = self.kernel.arrays_of(id).iter().any(|a| self.kernel.kept.contains(a));
            let how = if kept { "as they are" } else { "emptied" };
            let text = format!("the arrays of `{name}` are those of the `{name}` passed, {how}");
            return quote!(remark!(#text););
        }
        if tensor.is_array() {
            return self.array_again(id);
        }
        let level = Ident::new("level", Span::mixed_site());
        let whole = self.whole_of(id);
        let stored = tensor
            .chain
            .by_columns
            .then(|| quote!(let #whole = #krate::ByColumns::into_transposed(#whole);));
        let mut out = quote! {
            let #whole: #ty = #name;
            #stored
            let #whole: #krate::Tensor<_> = #whole;
            let #level = #whole.into_root();
        };
        let at = name.span().resolved_at(Span::mixed_site());
        for l in &tensor.levels {
            // The arrays are named by position, which is that of the declaration only in a level it made.
            out.extend(self.declared(l, at, &quote!(&#level)));
            let mut cleared = TokenStream::new();
            let names = l.fields.iter().map(|(_, binding)| match binding {
                Binding::Scalar(_) => quote!(_),
                Binding::Array(a) => {
                    let name = self.array(*a);
                    if !self.kernel.kept.contains(a) {
                        cleared.extend(quote!(::std::vec::Vec::clear(&mut #name);));
                    }
                    quote!(mut #name)
                }
                Binding::Child => quote!(#level),
            });
            out.extend(quote!(let (#(#names,)*) = #level.into_parts();));
            out.extend(cleared);
        }
        out
    }

    /// Puts a tensor together again.
    pub(super) fn put_back(&self, name: &Ident, id: TensorId) -> TokenStream {
        let made = self.construct(id);
        if self.reader == Reader::Person {
            return quote!(#name = #made;);
        }
        let guard = self.guard(id);
        quote!(#guard.finish(#made);)
    }

    fn guard(&self, id: TensorId) -> Ident {
        format_ident!(
            "{}_update",
            plain(&self.kernel.tensor(id).name.to_string()),
            span = Span::mixed_site()
        )
    }

    fn whole_of(&self, id: TensorId) -> Ident {
        format_ident!(
            "{}_tensor",
            plain(&self.kernel.tensor(id).name.to_string()),
            span = Span::mixed_site()
        )
    }
}
