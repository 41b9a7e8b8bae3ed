//! A level with a schema as one with arrays: its fields, and the protocols that its author would write over them.

use super::*;
use crate::decl::*;
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::Result;

/// The walk over entries in no order.
fn scan(given: &TokenStream, blocks: bool, path: &Ident) -> TokenStream {
    let start = quote! {
        let mut at: #path::nodes::Path = Self::__start(p);
        Self::__arrive(#given, at, p);
        let mut q = at.lo();
    };
    match blocks {
        true => quote! {
            scan(p) {
                #start
                let mut hi = at.hi();
                unordered {
                    while q < hi,
                    at: crd[q],
                    body: child[q],
                    next: {
                        q += 1;
                        if q >= hi { Self::__advance(#given, at); q = at.lo(); hi = at.hi(); }
                    },
                }
            }
        },
        false => quote! {
            scan(p) {
                #start
                unordered {
                    while q > 0,
                    at: crd[q],
                    body: child[q],
                    next: { Self::__advance(#given, at); q = at.lo(); },
                }
            }
        },
    }
}

/// Gives `level` what follows from its schema. `read` and `write` parse protocols.
pub fn complete(
    level: &mut LevelDecl,
    read: impl Copy + Fn(syn::parse::ParseStream<'_>) -> Result<Vec<Read>>,
    write: impl Copy + Fn(syn::parse::ParseStream<'_>) -> Result<Write>,
) -> Result<()> {
    let Some(s) = level.schema.clone() else { return Ok(()) };
    for name in [&s.coordinates, &s.links].into_iter().flatten() {
        if level.params.iter().all(|p| p.name != *name) {
            let message = format!("`{name}` is no parameter of `{}`: `nodes<Ix, Link>` names the types of coordinates and links", level.name);
            return Err(syn::Error::new(name.span(), message));
        }
    }
    let path = Ident::new(CRATE, Span::call_site());
    let all: Vec<Ident> = s.all_arrays().into_iter().map(|(name, _)| name).collect();
    let arrays = s.arrays();
    let root = &arrays[0];
    let given = quote!(#(#arrays,)* crd);
    let blocks = s.defs.iter().any(|d| d.sized());
    // Blocks are gone through by one counter: where two levels meet there is one loop, not one for each pair of blocks.
    let behind = match s.defs.iter().any(Def::holes) {
        true => quote!(q = Self::__behind(crd, q, hi);),
        false => quote!(q += 1;),
    };
    // The state of a walk that can go anywhere: a path.
    let along = |step: Ident| match blocks {
        _ if s.coded() => s.coded_walk(&given),
        true => quote! {
            let mut at: #path::nodes::Path = Self::__start(p);
            Self::__arrive(#given, at, p);
            let mut q = at.lo();
            let mut hi = at.hi();
            pipeline {
                ..end => #step {
                    while q < hi,
                    seek(i): { Self::__seek(#given, at, q, i); q = at.lo(); hi = at.hi(); },
                    stop: crd[q] + 1,
                    body: spike(fill, child[q]),
                    next: {
                        #behind
                        if q >= hi { Self::__advance(#given, at); q = at.lo(); hi = at.hi(); }
                    },
                },
                .. => run(fill),
            }
        },
        false => quote! {
            let mut at: #path::nodes::Path = Self::__start(p);
            Self::__arrive(#given, at, p);
            let mut q = at.lo();
            pipeline {
                ..end => #step {
                    while q > 0,
                    seek(i): { Self::__seek(#given, at, q, i); q = at.lo(); },
                    stop: crd[q] + 1,
                    body: spike(fill, child[q]),
                    next: { Self::__advance(#given, at); q = at.lo(); },
                },
                .. => run(fill),
            }
        },
    };
    let end = quote!(let end = Self::__last(#given, p););
    let [stepper, jumper] = ["stepper", "jumper"].map(|step| format_ident!("{step}"));
    match s.chain() {
        _ if !s.ordered() => level.reads.extend(read.parse2(scan(&given, blocks, &path))?),
        // Threads lead to the next entry only. To pass by many, a path goes up as far as it must, where a thread has
        // no way but from the root.
        Some(chain) if !chain.list => {
            let (threads, leaps) = (chain.walk(&s, &given), along(jumper));
            level.reads.extend(read.parse2(quote!(walk, follow(p) { #end #threads }))?);
            level.reads.extend(read.parse2(quote!(gallop, lead(p) { #end #leaps }))?);
        }
        chain => {
            let walk = chain.map_or_else(|| along(stepper), |chain| chain.walk(&s, &given));
            let both = quote!(walk, follow | gallop, lead(p) { #end #walk });
            level.reads.extend(read.parse2(both)?);
        }
    }
    let locate = quote! {
        locate(p, i) {
            let q = Self::__position(#given, p, i);
            switch {
                q > 0 => child[q],
                _ => fill,
            }
        }
    };
    level.reads.extend(read.parse2(locate)?);
    let own = level.invariant.take();
    let fibers = own.as_ref().map_or(format_ident!("fibers"), |(name, _)| name.clone());
    let own = own.map(|(_, code)| {
        // With the author's hygiene.
        let named = crate::decl::named(&code, "crd");
        let coordinates = named.map(|name| quote!(let #name = crd;));
        quote! {
            #coordinates
            let own: ::core::result::Result<(), ::std::string::String> = (|| { #code })();
            own?;
        }
    });
    let len = level.fields.iter().find(|f| matches!(f.kind, FieldKind::Len));
    let len = len.map_or(format_ident!("len"), |f| f.name.clone());
    let checked = quote! {
        let below = Self::__check(#len, #fibers, #(#all),*)?;
        #own
        Ok(below)
    };
    level.invariant = Some((fibers, checked));
    level.vouched = level.vouched.or(s.vouched);
    if s.clause(Change::Insert).is_some() && level.write.is_none() {
        let written = quote! {
            insert(p, i) {
                exact,
                entry: { Self::__room(#(#all),*) },
                find: Self::__position(#given, p, i),
                child: 0,
                commit: { #path::nodes::done(Self::__insert(#(#all,)* usize::MAX, p, i)) },
                reserve(fibers) { Self::__grow(#root, fibers) },
                sort(fibers) { Self::__grow(#root, fibers) },
                finish(fibers) { Self::__finish(#(#all,)* fibers) },
                children(fibers) { Some(crd.len()) },
            }
        };
        let mut written = write.parse2(written)?;
        written.moves = Some(format_ident!("moves"));
        level.write = Some(written);
        level.in_order = s.in_order(write)?;
    }
    if level.swap.is_none() {
        let code = quote!(Self::__swap(#root, a, b));
        level.swap = Some((format_ident!("a"), format_ident!("b"), code));
    }
    Ok(())
}
