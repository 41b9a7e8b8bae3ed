//! Expressions: each is printed for the type its place wants, so that literals and bools convert.

use super::infix::in_parentheses;
use super::{Emit, Reader};
use crate::cin::*;
use crate::formats::substitute;
use crate::kernel::*;
use crate::nest::BEYOND;
use crate::opaque::Opaque;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// `e` as a value of type `want`.
    pub fn expr(&self, e: &Expr, want: &Ty) -> TokenStream {
        match e {
            Expr::Lit(lit) => self.literal(lit, want),
            Expr::Var(v) => {
                let (ident, ty) = (self.ident(*v), &self.kernel.info(*v).ty);
                // Functions of the declaration look at state of its own types where it is.
                if *ty == Ty::Own {
                    return match self.reader {
                        Reader::Rustc => quote!(&#ident),
                        Reader::Person => quote!(#ident),
                    };
                }
                // Reading a variable leaves it as it is, also if its type is not `Copy`.
                let owned = matches!(ty, Ty::Named(t) if !primitive(t));
                let tokens = match owned && self.reader == Reader::Rustc {
                    true => quote!(::core::clone::Clone::clone(&#ident)),
                    false => quote!(#ident),
                };
                self.convert(tokens, ty, want)
            }
            Expr::Load(a, i) => {
                let loaded = self.load(*a, i);
                self.convert(loaded, &self.kernel.arrays[a.0 as usize].elem, want)
            }
            Expr::Array(a) => {
                let name = self.array(*a);
                quote!(&*#name)
            }
            Expr::Raw(r) => {
                let raw = &self.kernel.raws[r.0 as usize];
                let tokens = self.raw(*r);
                self.convert(tokens, &raw.ty, want)
            }
            Expr::Access(a) => {
                let name = &self.kernel.tensor(self.kernel.get(*a).tensor).name;
                let message = format!("internal: the access of `{name}` was not lowered");
                quote!(::core::compile_error!(#message))
            }
            Expr::Call(op, args) => self.call(op, args, want),
        }
    }

    /// The tokens of opaque Rust with the kernel's names filled in.
    pub fn raw(&self, r: RawId) -> TokenStream {
        let raw = &self.kernel.raws[r.0 as usize];
        let map: Vec<(Ident, TokenStream)> = raw
            .names
            .iter()
            .map(|(name, e)| {
                let with = match e {
                    Expr::Array(a) => {
                        let name = self.array(*a);
                        quote!(#name)
                    }
                    Expr::Var(v)
                        if self.kernel.info(*v).ty == Ty::Index && raw.ty == Ty::Unknown =>
                    {
                        let ident = self.ident(*v);
                        quote!((#ident as usize))
                    }
                    Expr::Var(v) => {
                        let ident = self.ident(*v);
                        quote!(#ident)
                    }
                    other => {
                        let inner =
                            self.expr(other, &self.kernel.type_of(other).unwrap_or(Ty::Index));
                        in_parentheses(inner)
                    }
                };
                (name.clone(), with)
            })
            .collect();
        let tokens = match &raw.code {
            Opaque::Runtime(runtime) => self.runtime(runtime, raw),
            Opaque::Declared(declared) => self.kernel.declared(declared, self.reader),
            Opaque::Rust(tokens) => tokens.clone(),
        };
        substitute(tokens, &map)
    }

    fn load(&self, a: ArrayId, i: &Expr) -> TokenStream {
        let info = &self.kernel.arrays[a.0 as usize];
        let (name, krate) = (self.array(a), &self.kernel.krate);
        let index = self.position(a, i);
        let coordinate = info.elem == Ty::Index;
        if self.reader == Reader::Person {
            return quote!(#name[#index]);
        }
        if let Some(made) = self.made(a, &index) {
            return quote!(::core::clone::Clone::clone(&#made));
        }
        match (coordinate, info.trusted) {
            // In parentheses, lest a block at the head of a statement end it.
            // SAFETY: only arrays of trusted levels are read so, whose checked invariant covers the index.
            (true, true) => quote!((unsafe { #krate::rt::coordinate(&*#name, #index) })),
            (true, false) => quote!(#krate::rt::coordinate_checked(&*#name, #index)),
            // SAFETY: as above.
            (false, true) => quote!((unsafe { #krate::rt::get(&*#name, #index) })),
            (false, false) => quote!(#krate::rt::get_checked(&*#name, #index)),
        }
    }

    /// Where the spike at a position of a list ends, or beyond all if the position is behind the last one, for
    /// rustc: a union has two such terms for each list.
    pub(super) fn ends(&self, args: &[Expr]) -> Option<TokenStream> {
        let [Expr::Call(Op::Lt, position), Expr::Call(Op::Add, stop), beyond] = args else {
            return None;
        };
        let ([at, end], [Expr::Load(a, q), one]) = (&position[..], &stop[..]) else { return None };
        let info = &self.kernel.arrays[a.0 as usize];
        let known = info.trusted && info.elem == Ty::Index && self.reader == Reader::Rustc;
        if !known || **q != *at || *one != Expr::int(1) || *beyond != Expr::int(BEYOND) {
            return None;
        }
        let (name, krate) = (self.array(*a), &self.kernel.krate);
        let (at, end) = (self.expr(at, &Ty::Index), self.expr(end, &Ty::Index));
        // SAFETY: as for `load`, of a position that is below the end.
        Some(quote!(unsafe { #krate::rt::ends(&*#name, #at, #end) }))
    }

    /// A place that can be assigned.
    pub fn place(&self, target: &Expr) -> TokenStream {
        match target {
            Expr::Load(a, i) => {
                let info = &self.kernel.arrays[a.0 as usize];
                let (name, krate) = (self.array(*a), &self.kernel.krate);
                let index = self.position(*a, i);
                if let Some(made) = self.made(*a, &index) {
                    return made;
                }
                match (self.reader, info.trusted) {
                    (Reader::Person, _) => quote!(#name[#index]),
                    // SAFETY: as for `load`; writing keeps lengths as they are.
                    (_, true) => quote!(*unsafe { #krate::rt::get_mut(&mut *#name, #index) }),
                    (_, false) => quote!(*#krate::rt::get_mut_checked(&mut *#name, #index)),
                }
            }
            Expr::Var(v) => {
                let ident = self.ident(*v);
                quote!(#ident)
            }
            other => self.expr(other, &self.kernel.type_of(other).unwrap_or(Ty::Unknown)),
        }
    }

    /// A reference to a value that is there, without a copy of it.
    pub(super) fn borrowed(&self, e: &Expr) -> Option<TokenStream> {
        match e {
            Expr::Var(v) if matches!(self.kernel.info(*v).ty, Ty::Named(_)) => {
                let ident = self.ident(*v);
                Some(quote!(&#ident))
            }
            Expr::Load(a, i) if self.kernel.arrays[a.0 as usize].elem != Ty::Index => {
                let (name, krate) = (self.array(*a), &self.kernel.krate);
                let index = self.position(*a, i);
                if let Some(made) = self.made(*a, &index) {
                    return Some(quote!(&#made));
                }
                Some(match (self.reader, self.kernel.arrays[a.0 as usize].trusted) {
                    (Reader::Person, _) => quote!(&#name[#index]),
                    // SAFETY: as for `load`.
                    (_, true) => quote!((unsafe { #krate::rt::get_ref(&*#name, #index) })),
                    (_, false) => quote!(#krate::rt::get_ref_checked(&*#name, #index)),
                })
            }
            _ => None,
        }
    }
}
