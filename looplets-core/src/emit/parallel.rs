//! Parallel loops: cut the extent, hand each chunk its parts, run them, put together what they made.

use super::{Emit, Reader};
use crate::ast::Form;
use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Kir, Parallel, Piece};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Emit<'_> {
    pub(super) fn parallel(&self, p: &Parallel) -> TokenStream {
        let body = self.code(&p.body);
        let (from, to) = (self.ident(p.from), self.ident(p.to));
        let (lo, hi) = (self.expr(&p.lo, &Ty::Index), self.expr(&p.hi, &Ty::Index));
        if self.reader == Reader::Person {
            let text = format!(
                "in parallel, for chunks of {lo} .. {hi}, then in their order what follows"
            );
            let joins = p.pieces.iter().map(|piece| self.combined(piece));
            return quote!(for (#from, #to) in chunks(#lo, #hi) { remark!(#text); #body #(#joins)* });
        }
        let krate = &self.kernel.krate;
        let rt = quote!(#krate::rt::parallel);
        let (mut own, mut private) = (vec![quote!(1usize)], vec![quote!(0usize)]);
        let (mut parts, mut taken) =
            (quote!(::core::clone::Clone::clone(&chunks)), quote!((#from, #to)));
        let (mut gives, mut given) = (Vec::new(), Vec::new());
        let (mut before, mut each, mut after) =
            (Vec::new(), TokenStream::new(), TokenStream::new());
        let mut start = TokenStream::new();
        let mut joins = TokenStream::new();
        for (k, piece) in p.pieces.iter().enumerate() {
            joins.extend(self.combined(piece));
            match piece {
                Piece::Scalar { var, part, .. } => {
                    let (var, part) = (self.ident(*var), self.ident(*part));
                    gives.push(quote!(#var));
                    given.push(quote!(#part));
                }
                Piece::Copy { array, part, identity, .. } => {
                    let ty = self.kernel.arrays[array.0 as usize].elem.clone();
                    let identity = self.expr(identity, &ty);
                    let (array, part) = (self.array(*array), self.array(*part));
                    let len = self.length(&array);
                    private.push(len.clone());
                    start.extend(quote!(let mut #array = ::std::vec![#identity; #len];));
                    gives.push(quote!(#array));
                    given.push(quote!(#part));
                }
                Piece::Part { whole, part } => {
                    let len = self.ident(self.kernel.tensor(*whole).lens[0]);
                    for (array, part) in
                        self.kernel.arrays_of(*whole).into_iter().zip(self.kernel.arrays_of(*part))
                    {
                        let (array, part) = (self.array(array), self.array(part));
                        let all = self.length(&array);
                        own.push(quote!(#all / ::core::cmp::max(#len as usize, 1)));
                        parts =
                            quote!(#rt::zip(#parts, #rt::split(&mut #array[..], #len, &chunks)));
                        taken = quote!((#taken, #part));
                    }
                }
                Piece::Made { whole, part, moved } => {
                    let levels = Ident::new(&format!("levels{k}"), Span::mixed_site());
                    let level = Ident::new(&format!("level{k}"), Span::mixed_site());
                    gives.push(self.root(*part));
                    given.push(quote!(#level));
                    before.push(quote!(let mut #levels = ::std::vec::Vec::new();));
                    each.extend(quote!(::std::vec::Vec::push(&mut #levels, (chunk, #level));));
                    after.extend(self.joined(*whole, &levels, *moved));
                }
            }
        }
        if p.work.is_empty() {
            // Nothing says how much an iteration is.
            own.push(quote!(256usize));
        }
        // Of levels made of nodes, what they store is gathered once for all cuts.
        let array = |t: &TensorId| self.kernel.tensor(*t).is_array();
        let (arrays, stored): (Vec<TensorId>, Vec<TensorId>) =
            p.work.iter().partition(|t| array(t));
        let works: Vec<Ident> = (0..stored.len())
            .map(|k| Ident::new(&format!("works{k}"), Span::mixed_site()))
            .collect();
        // Each element of an array is one.
        let elements = arrays.iter().map(|_| quote!(+ i as usize));
        let gathered = stored.iter().map(|t| {
            let name = &self.kernel.tensor(*t).name;
            let whole =
                Ident::new(&format!("{}_tensor", plain(&name.to_string())), Span::mixed_site());
            quote!(#krate::Tensor::works(&*#whole))
        });
        let weight = p.weight;
        let fallible = matches!(&self.kernel.form, Form::Function { fallible: Some(_), .. });
        let (returns, result) = match fallible {
            true => (
                quote!(-> ::core::result::Result<_, #krate::Error>),
                quote!(::core::result::Result::Ok((#(#gives,)*))),
            ),
            false => (quote!(), quote!((#(#gives,)*))),
        };
        let made = match fallible {
            true => self.kernel.failing(quote!(made)),
            false => quote!(made),
        };
        quote! {{
            let chunks = {
                #(let #works = #gathered;)*
                #rt::cuts(#lo, #hi, #(#own)+*, #(#private)+*, #weight, |i: i64| 0usize #(#elements)* #(+ #works.before(i as usize))*)
            };
            let parts = #parts;
            let made = #rt::run(parts, |#taken| #returns {
                let (#from, #to): (i64, i64) = (#from, #to);
                #start
                #body
                #result
            });
            #(#before)*
            for (chunk, made) in ::core::iter::zip(chunks, made) {
                let (#(#given,)*) = #made;
                #each
                #joins
            }
            #after
        }}
    }

    /// Reduces what a chunk has given back into what it is a part of.
    fn combined(&self, piece: &Piece) -> TokenStream {
        let reduce = |target: Expr, op: &Op, value: Expr| {
            self.code(&[Kir::Store { target, op: Some(op.clone()), value }])
        };
        match piece {
            Piece::Scalar { var, part, op } => reduce(Expr::Var(*var), op, Expr::Var(*part)),
            Piece::Copy { array, part, at, op, .. } => {
                let element = |a: ArrayId| Expr::Load(a, Box::new(Expr::Var(*at)));
                let one = reduce(element(*array), op, element(*part));
                let (q, part) = (self.ident(*at), self.array(*part));
                let len = self.length(&part);
                quote!(for #q in 0..(#len as i64) { #one })
            }
            Piece::Part { .. } | Piece::Made { .. } => TokenStream::new(),
        }
    }

    /// Joins the levels of chunks and takes the arrays out of what comes of it.
    fn joined(&self, id: TensorId, levels: &Ident, moved: bool) -> TokenStream {
        let (krate, tensor) = (&self.kernel.krate, self.kernel.tensor(id));
        let lens = tensor.lens.iter().map(|v| self.ident(*v));
        let ty = &tensor.ty;
        let joined = self.kernel.failing(quote! {
            #krate::rt::parallel::join(#levels, #moved, &[#(#lens),*], ::core::marker::PhantomData::<#ty>)
        });
        let mut out = quote!(let level = #joined;);
        let mut sets = TokenStream::new();
        for (depth, level) in tensor.levels.iter().enumerate() {
            let names = level.fields.iter().map(|(field, binding)| match binding {
                Binding::Scalar(_) => quote!(_),
                Binding::Array(a) => {
                    let array = self.array(*a);
                    let new = format_ident!(
                        "new{depth}_{}",
                        field.to_string(),
                        span = Span::mixed_site()
                    );
                    sets.extend(quote!(#array = #new;));
                    quote!(#new)
                }
                Binding::Child => quote!(level),
            });
            out.extend(quote!(let (#(#names,)*) = level.into_parts();));
        }
        quote!({ #out #sets })
    }
}
