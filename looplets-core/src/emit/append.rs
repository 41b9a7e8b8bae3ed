//! Entries that are put where room was made for them: see `optimize::append`.

use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Emit<'_> {
    /// The room for `most` that arrays have after their elements.
    pub(super) fn spare(&self, arrays: &[ArrayId], most: VarId) -> TokenStream {
        let (krate, most) = (&self.kernel.krate, self.ident(most));
        let one = |a: &ArrayId| {
            let (name, room) = (self.array(*a), self.room_of(*a));
            match self.reader {
                Reader::Person => quote!(let #room = &mut #name[#name.len()..][..#most];),
                Reader::Rustc => quote!(let #room = #krate::rt::spare(&mut #name, #most);),
            }
        };
        arrays.iter().map(one).collect()
    }

    /// An element of it.
    pub(super) fn put(&self, a: ArrayId, at: &Expr, value: &Expr) -> TokenStream {
        let (krate, room) = (&self.kernel.krate, self.room_of(a));
        let place = Expr::Load(a, Box::new(at.clone()));
        let value = match value {
            // Code of the level, for an element as it is stored.
            Expr::Raw(r) if self.kernel.arrays[a.0 as usize].elem == Ty::Index => self.raw(*r),
            e => self.expr(e, &self.kernel.type_of(&place).unwrap_or(Ty::Unknown)),
        };
        let at = self.expr(at, &Ty::Index);
        match self.reader {
            Reader::Person => quote!(#room[#at] = #value;),
            Reader::Rustc => quote!({
                let value = #value;
                // SAFETY: `optimize::most` counts the steps; how far cursors move is by their checked invariant.
                unsafe { #krate::rt::put(&mut *#room, #at, value) };
            }),
        }
    }

    /// Takes up what was put there.
    pub(super) fn filled(&self, arrays: &[ArrayId], count: VarId) -> TokenStream {
        let (krate, count) = (&self.kernel.krate, self.ident(count));
        let one = |a: &ArrayId| {
            let name = self.array(*a);
            match self.reader {
                Reader::Person => quote!(#name.extend(#count);),
                // SAFETY: each entry was put in each of the arrays, one after the other.
                Reader::Rustc => quote!(unsafe { #krate::rt::filled(&mut #name, #count) };),
            }
        };
        arrays.iter().map(one).collect()
    }

    fn room_of(&self, a: ArrayId) -> Ident {
        format_ident!("{}_room", self.array(a))
    }
}
