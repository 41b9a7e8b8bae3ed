//! The walk over a level's stored entries, compiled from its declared looplets.
//!
//! The level is read as a tensor whose values are the positions of the child and whose fill is
//! `missing`: a visit of a missing position writes nothing, so fill regions vanish by the rules.

use crate::ast::Form;
use crate::cin::*;
use crate::decl::*;
use crate::diagnostics::Errors;
use crate::emit::{Emit, Reader};
use crate::formats::{Chain, LevelUse};
use crate::kernel::*;
use crate::kir::Kir;
use crate::simplify::Simplifier;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::rc::Rc;

/// What the names of fields begin with in a kernel of one level.
pub(super) const OWN: &str = "own_";

/// `__visit(p, each)` over a fiber, and `__locate(p, i, each)` if the level can.
pub(super) fn methods(
    krate: &TokenStream,
    l: &LevelDecl,
    tokens: &TokenStream,
    s: &mut Simplifier,
) -> Result<TokenStream, Errors> {
    if l.leaf.is_some() {
        return Ok(TokenStream::new());
    }
    let visit = body(krate, tokens, s, None)?;
    let position = match l.ranges() {
        true => quote!((usize, usize)),
        false => quote!(usize),
    };
    let locate = match l.read("locate") {
        Some(_) => {
            let body = body(krate, tokens, s, Some("locate"))?;
            quote! {
                #[doc(hidden)]
                pub fn __locate(&self, p: #position, i: usize, mut each: impl FnMut(usize, usize, usize, usize)) { #body }
            }
        }
        None => quote! {
            #[doc(hidden)]
            pub fn __locate(&self, p: #position, i: usize, mut each: impl FnMut(usize, usize, usize, usize)) {
                self.__visit(p, |lo, hi, q, end| if lo <= i && i < hi { each(i, i + 1, q, end) });
            }
        },
    };
    let checks = super::checks::functions(krate, l, tokens)?;
    let visit = match l.reads[0].nest.is_unordered() {
        false => quote! {
            #[doc(hidden)]
            pub fn __visit(&self, p: #position, mut each: impl FnMut(usize, usize, usize, usize)) { #visit }
        },
        // Who visits a fiber sees its entries in order.
        true => quote! {
            #[doc(hidden)]
            pub fn __visit_unordered(&self, p: #position, mut each: impl FnMut(usize, usize, usize, usize)) { #visit }
            #[doc(hidden)]
            pub fn __visit(&self, p: #position, mut each: impl FnMut(usize, usize, usize, usize)) {
                let mut all = ::std::vec::Vec::new();
                self.__visit_unordered(p, |lo, hi, q, end| all.push((lo, hi, q, end)));
                <[_]>::sort_unstable(&mut all);
                for (lo, hi, q, end) in all {
                    each(lo, hi, q, end);
                }
            }
        },
    };
    Ok(quote! {
        #checks
        #visit
        #locate
    })
}

fn body(
    krate: &TokenStream,
    tokens: &TokenStream,
    s: &mut Simplifier,
    locate: Option<&str>,
) -> Result<TokenStream, Errors> {
    let mut kernel = one_level(krate, tokens)?;
    let level = TensorId(0);
    let p = kernel.var("p", VarKind::Local, Ty::Index);
    let ranges = kernel.tensor(level).levels[0].format.level().ranges();
    let end = ranges.then(|| kernel.var("end", VarKind::Local, Ty::Index));
    let i = kernel.var("i", VarKind::Index, Ty::Index);
    let sink = kernel.var("each", VarKind::Scalar, Ty::Unknown);
    let index = Index {
        kind: IndexKind::Affine(i, Expr::int(0)),
        view: View::plain(),
        protocol: locate.map(str::to_owned),
        span: SpanEq(Span::call_site()),
    };
    let access = kernel.access(Access {
        tensor: level,
        level: 0,
        pos: match end {
            Some(end) => Expr::call(Op::Range, [Expr::Var(p), Expr::Var(end)]),
            None => Expr::Var(p),
        },
        present: None,
        indices: vec![index],
        write: false,
        first: false,
        span: SpanEq(Span::call_site()),
        unfurled: None,
        resumed: None,
    });
    let visit = Stmt::Assign {
        target: Expr::Var(sink),
        op: Some(Op::Each),
        value: Expr::call(Op::Pair, [Expr::Var(i), access]),
    };
    let len = Expr::Var(kernel.tensor(level).lens[0]);
    kernel.body = match locate {
        None => Stmt::Loop {
            index: i,
            parallel: false,
            lo: Expr::int(0),
            hi: len,
            body: Box::new(visit),
        },
        Some(_) => visit,
    };
    let bound = if locate.is_some() { vec![i] } else { Vec::new() };
    let lowered = crate::lower::lower_with(&mut kernel, s, &bound);
    let too_many = |_| syn::Error::new(Span::call_site(), "this level has too many regions");
    let code: Vec<Kir> = crate::optimize::tidy(&kernel, lowered.map_err(too_many)?.code);
    let emit = Emit::new(&kernel, Reader::Rustc);
    let code = emit.code(&code);
    let fields = fields(krate, &emit);
    let p_local = emit.ident(p);
    let named = match end {
        Some(end) => {
            let end = emit.ident(end);
            quote!(let (#p_local, #end): (i64, i64) = (#krate::rt::dim(p.0), #krate::rt::dim(p.1));)
        }
        None => quote!(let #p_local: i64 = #krate::rt::dim(p);),
    };
    let i_local = (locate.is_some()).then(|| {
        let i = emit.ident(i);
        quote!(let #i: i64 = #krate::rt::dim(i);)
    });
    Ok(quote! {
        #fields
        #named
        #i_local
        #code
    })
}

/// The fields of the level as the kernel has them.
pub(super) fn fields(krate: &TokenStream, emit: &Emit<'_>) -> TokenStream {
    let (mut names, mut dims) = (Vec::new(), TokenStream::new());
    for (_, binding) in &emit.kernel.tensor(TensorId(0)).levels[0].fields {
        names.push(match binding {
            Binding::Scalar(v) => {
                let ident = emit.ident(*v);
                dims.extend(quote!(let #ident: i64 = #krate::rt::dim(#ident);));
                ident
            }
            Binding::Array(a) => emit.array(*a),
            Binding::Child => format_ident!("_child", span = Span::mixed_site()),
        });
    }
    quote! {
        let (#(#names,)*) = self.__fields();
        #dims
    }
}

/// A kernel with the level as tensor 0 over a leaf that gives positions.
pub(super) fn one_level(krate: &TokenStream, tokens: &TokenStream) -> Result<Kernel, Errors> {
    let mut this: Decl = syn::parse2(tokens.clone())?;
    if let Decl::Level(l) = &mut this {
        // The functions are there.
        home::settle(l, krate)?;
    }
    over_positions(krate, this)
}

/// A kernel with the level `this` as tensor 0 over a leaf that gives positions.
pub(super) fn over_positions(krate: &TokenStream, this: Decl) -> Result<Kernel, Errors> {
    let this = Rc::new(this);
    let Decl::Level(l) = &*this else { unreachable!("only levels are visited") };
    let child = match l.gives_ranges() {
        true => quote!(read value((p, end)) { (p, end) }),
        false => quote!(read value(p) { p }),
    };
    let leaf: Decl = syn::parse2(quote! {
        pub struct Position {}
        leaf usize = Missing;
        invariant(fibers) { Ok(fibers) }
        #child
    })?;
    let args: Vec<(Ident, TokenStream)> = Vec::new();
    let name = format_ident!("level", span = Span::mixed_site());
    let mut kernel = Kernel::new(krate.clone(), true, Form::Inline);
    let (mut fields, mut lens) = (Vec::new(), Vec::new());
    for field in &l.fields {
        // The author may call a field as the locals are called, or by a keyword.
        let name = format!("{OWN}{}", plain(&field.name.to_string()));
        let binding = match &field.kind {
            FieldKind::Child => Binding::Child,
            FieldKind::Array(elem) => {
                let name = kernel.unique_name(&name);
                kernel.arrays.push(Array {
                    name,
                    elem: Ty::Index,
                    elem_tokens: quote!(#elem),
                    trusted: false,
                    tensor: TensorId(0),
                });
                Binding::Array(ArrayId(kernel.arrays.len() as u32 - 1))
            }
            kind => {
                let var = kernel.var(&name, VarKind::Local, Ty::Index);
                if matches!(kind, FieldKind::Len) {
                    lens.push(var);
                }
                Binding::Scalar(var)
            }
        };
        fields.push((field.name.clone(), binding));
    }
    let this =
        LevelUse { decl: this.clone(), path: quote!(Self), args: args.clone(), fingerprint: 0 };
    let leaf = LevelUse { decl: Rc::new(leaf), path: quote!(Self), args, fingerprint: 0 };
    let levels = vec![
        Level { format: this.clone(), fields, trusted: false },
        Level { format: leaf.clone(), fields: Vec::new(), trusted: false },
    ];
    kernel.tensors.push(Tensor {
        name,
        ty: syn::parse2(quote!(Self))?,
        chain: Chain {
            levels: vec![this, leaf],
            value: quote!(usize),
            fill_type: quote!(Missing),
            fill: None,
            fill_print: None,
            opened: None,
            by_columns: false,
        },
        levels,
        value: Ty::Index,
        fill: Expr::Lit(Lit::Missing),
        role: Role::Input,
        of: None,
        written_once: false,
        only_reduced: false,
        lens,
        sizes: Vec::new(),
    });
    Ok(kernel)
}
