//! Entries that are begun, committed and given back, and those that are put where room was made for all of them:
//! see `optimize::append`.

use super::{Emit, Outermost, Reader};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Begin, CopyRow, GiveBack, Kir, PutRun};
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
        (count, first): (VarId, &Expr),
    ) -> TokenStream {
        let (krate, capacity, count) =
            (&self.kernel.krate, self.ident(capacity), self.ident(count));
        let behind = *first == Expr::int(0);
        let from = self.expr(first, &Ty::Index);
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
                Reader::Person if behind => {
                    quote!(let #room = &mut #name[#name.len()..][..#capacity];)
                }
                Reader::Person => quote!(let #room = &mut #name[..#from + #capacity];),
                Reader::Rustc if behind => {
                    quote!(let mut #room = #krate::rt::spare(&mut #name, #capacity);)
                }
                Reader::Rustc => {
                    quote!(let mut #room = #krate::rt::with_spare(&mut #name, #capacity);)
                }
            }
        };
        let rooms: TokenStream = arrays.iter().map(one).collect();
        if !behind {
            self.rooms.borrow_mut().extend(arrays);
        }
        let ty = (self.reader == Reader::Rustc).then(|| quote!(: i64));
        let from = if behind { quote!(0) } else { from };
        quote!(#made; #rooms let mut #count #ty = #from;)
    }

    /// Makes all `count` elements of `array`, which `body` puts there.
    pub(super) fn written(
        &self,
        of: (TensorId, usize),
        array: ArrayId,
        count: VarId,
        body: &[Kir],
    ) -> TokenStream {
        self.unfilled.borrow_mut().insert(array);
        let (krate, body) = (&self.kernel.krate, self.code(body));
        self.unfilled.borrow_mut().remove(&array);
        let (name, room, all) = (self.array(array), self.room_of(array), self.ident(count));
        let shape = self.kernel.tensor(of.0).lens.iter().map(|len| self.ident(*len));
        let level = self.kernel.tensor(of.0).levels[of.1].format.level().name.to_string();
        if self.reader == Reader::Person {
            return quote!(let #room = &mut #name[..#all]; #body);
        }
        let may = quote!(#krate::level::room(&mut #name, #all as usize));
        let made = self.kernel.failing(quote!(#krate::rt::stored(#level, &[#(#shape),*], #may)));
        quote! {
            #made;
            let mut #room = #krate::rt::unfilled(&mut #name, #all);
            #body
            // SAFETY: `optimize::overwritten` has found that the loops put each of the elements.
            unsafe { #krate::rt::filled_all(&mut #name, #room) };
        }
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
            Reader::Rustc if self.unfilled.borrow().contains(&a) => quote!({
                let value = #value;
                // SAFETY: `optimize::overwritten` has compared the loops with the sizes.
                unsafe { #krate::rt::put_unfilled(&mut #room, #at, value) };
            }),
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
        self.rooms.borrow_mut().retain(|a| !arrays.contains(a));
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

    /// The place of an element of an array that elements are put into, which was found among those that are there.
    pub(super) fn made(&self, a: ArrayId, index: &TokenStream) -> Option<TokenStream> {
        let put = self.reader == Reader::Rustc && self.rooms.borrow().contains(&a);
        let (krate, room) = (&self.kernel.krate, self.room_of(a));
        // SAFETY: what a level finds is there: by its checked invariant, or put since.
        put.then(|| quote!(*unsafe { #krate::rt::made(&mut #room, #index) }))
    }

    /// Elements that are copied side by side.
    pub(super) fn copy_row(&self, row: &CopyRow) -> TokenStream {
        let CopyRow { to: (to, at), from: (from, first), count } = row;
        let krate = &self.kernel.krate;
        let unfilled = self.unfilled.borrow().contains(to);
        let index = |e: &Expr| self.expr(e, &Ty::Index);
        let (at, first, count) = (index(at), index(first), index(count));
        let (array, room, from) = (self.array(*to), self.room_of(*to), self.array(*from));
        match self.reader {
            Reader::Person => {
                let to = if unfilled { room } else { array };
                quote!(#to[#at..][..#count].copy_from_slice(&#from[#first..][..#count]);)
            }
            Reader::Rustc if unfilled => quote! {
                // SAFETY: `optimize::overwritten` has compared the loops with the sizes.
                unsafe { #krate::rt::copy_unfilled(&mut #room, #at, &#from[..], #first, #count) };
            },
            Reader::Rustc => {
                quote!(#krate::rt::copy_row(&mut #array[..], #at, &#from[..], #first, #count);)
            }
        }
    }

    fn room_of(&self, a: ArrayId) -> Ident {
        format_ident!("{}_room", self.array(a))
    }
}
