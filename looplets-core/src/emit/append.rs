//! Entries that are begun, committed and given back, and those that are put where room was made for all of them:
//! see `optimize::append`.

use super::{Emit, Outermost, Reader};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Begin, GiveBack, Kir, PutRun};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// What the beginning of an entry does.
pub(super) fn began(b: &Begin) -> Vec<Kir> {
    let mut code = match b.found {
        None => vec![Kir::Let { var: b.at, mutable: false, value: b.position.clone() }],
        Some(found) => vec![Kir::Let { var: b.at, mutable: true, value: Expr::Var(found) }],
    };
    match b.found {
        None => code.extend(b.room.iter().cloned()),
        // What is found was made before.
        Some(found) => {
            let mut then = vec![Kir::Set { var: b.at, value: b.position.clone() }];
            then.extend(b.room.iter().cloned());
            let cond = Expr::call(Op::Lt, [Expr::Var(found), Expr::int(0)]);
            code.push(Kir::If { cond, then, otherwise: Vec::new() });
        }
    }
    code.extend(b.open.iter().cloned());
    code
}

impl Emit<'_> {
    /// Takes away what was made for an entry that was not written.
    pub(super) fn give_back(&self, g: &GiveBack) -> TokenStream {
        let at = self.expr(&g.at, &Ty::Index);
        let one = |a: &ArrayId| {
            let name = self.array(*a);
            match self.reader {
                Reader::Person => quote!(#name.truncate(#at);),
                Reader::Rustc => quote!(::std::vec::Vec::truncate(&mut #name, (#at) as usize);),
            }
        };
        g.arrays.iter().map(one).collect()
    }

    /// Makes the room for `capacity` that arrays have after their elements.
    pub(super) fn room(
        &self,
        (tensor, level): (TensorId, usize),
        arrays: &[ArrayId],
        capacity: VarId,
        count: VarId,
    ) -> TokenStream {
        let (krate, capacity, count) =
            (&self.kernel.krate, self.ident(capacity), self.ident(count));
        let tensor = self.kernel.tensor(tensor);
        let level = tensor.levels[level].format.level().name.to_string();
        let shape = tensor.lens.iter().map(|len| self.ident(*len));
        let names: Vec<Ident> = arrays.iter().map(|a| self.array(*a)).collect();
        let more = match self.reader {
            Reader::Person => quote!(#capacity),
            Reader::Rustc => quote!(#capacity as usize),
        };
        let outermost = self.outermost.borrow().clone().filter(|_| self.reader == Reader::Rustc);
        let may = match outermost {
            Some(Outermost { at, lo, hi }) => quote! {
                ::core::result::Result::Ok(())
                    #(.and_then(|()| #krate::rt::room_for_all(&mut #names, #more, (#lo, #at, #hi))))*
            },
            None => quote! {
                ::core::result::Result::Ok(())
                    #(.and_then(|()| #krate::level::room(&mut #names, #more)))*
            },
        };
        let made = self.kernel.failing(quote!(#krate::rt::stored(#level, &[#(#shape),*], #may)));
        let one = |a: &ArrayId| {
            let (name, room) = (self.array(*a), self.room_of(*a));
            match self.reader {
                Reader::Person => quote!(let #room = &mut #name[#name.len()..][..#capacity];),
                Reader::Rustc => quote!(let mut #room = #krate::rt::spare(&mut #name, #capacity);),
            }
        };
        let rooms: TokenStream = arrays.iter().map(one).collect();
        let ty = (self.reader == Reader::Rustc).then(|| quote!(: i64));
        quote!(#made; #rooms let mut #count #ty = 0;)
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
                // SAFETY: `optimize::capacity` counts the steps; how far cursors move is by their checked invariant.
                unsafe { #krate::rt::put(&mut #room, #at, value) };
            }),
        }
    }

    /// A run, over the last one or as a new one.
    pub(super) fn put_run(&self, run: &PutRun) -> TokenStream {
        let krate = &self.kernel.krate;
        let (count, joined) = (Expr::Var(run.count), self.expr(&run.joined, &Ty::Bool));
        let begins = run.begins.iter().map(|(a, e)| self.put(*a, &count, e));
        let last = count.plus(-1);
        let others = run.others.iter().map(|(a, e)| self.put(*a, &last, e));
        let counted = self.ident(run.count);
        let new = match self.reader {
            Reader::Person => quote!(if #counted == 0 || !(#joined) { #counted += 1; }),
            // Without a branch: whether runs are joined is not foreseen. The first of all is a new one, so that there
            // is a last one to write over.
            Reader::Rustc => quote!(#counted += #krate::rt::new_run(#counted, #joined);),
        };
        quote!(#(#begins)* #new #(#others)*)
    }

    /// Takes up what was put there.
    pub(super) fn filled(&self, arrays: &[ArrayId], count: VarId) -> TokenStream {
        let (krate, count) = (&self.kernel.krate, self.ident(count));
        let one = |a: &ArrayId| match self.reader {
            Reader::Person => {
                let name = self.array(*a);
                quote!(#name.extend(#count);)
            }
            Reader::Rustc => {
                let room = self.room_of(*a);
                // SAFETY: each entry was put in each of the arrays, one after the other.
                quote!(unsafe { #krate::rt::filled(#room, #count) };)
            }
        };
        arrays.iter().map(one).collect()
    }

    fn room_of(&self, a: ArrayId) -> Ident {
        format_ident!("{}_room", self.array(a))
    }
}
