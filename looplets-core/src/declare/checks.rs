//! Functions that are never called, in which the clauses that only kernels use stand once with their real types:
//! what rustc has to say of them it says at the declaration, at the author's token.

use super::runtime::clause;
use super::visit::one_level;
use crate::cin::*;
use crate::decl::*;
use crate::diagnostics::Errors;
use crate::emit::{Emit, Reader};
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::{Looplet, Payload as Seen};
use crate::unfurl::Scope;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::rc::Rc;

/// The functions of a level that is not a leaf.
pub(super) fn functions(
    krate: &TokenStream,
    l: &LevelDecl,
    tokens: &TokenStream,
) -> Result<TokenStream, Errors> {
    let mut out = TokenStream::new();
    for read in &l.reads {
        let kernel = one_level(krate, tokens)?;
        let name = format_ident!("__read_{}", read.names[0], span = read.names[0].span());
        let protocol = read.names[0].to_string();
        out.extend(of_terms(krate, kernel, name, read.end.is_some(), |scope, p, i| {
            let nest = scope.read(&protocol, p, Some(i));
            spelled(scope.kernel(), &nest)
        }));
    }
    if let Some(words) = &l.words {
        let kernel = one_level(krate, tokens)?;
        out.extend(of_terms(krate, kernel, format_ident!("__word"), false, |scope, p, w| {
            let at = scope.word(words, p, w);
            number(scope.kernel(), at)
        }));
    }
    let Some(w) = &l.write else { return Ok(out) };
    if let (Some(find), Some(name)) = (&w.find, &w.i) {
        let kernel = one_level(krate, tokens)?;
        out.extend(of_terms(krate, kernel, format_ident!("__find"), false, |scope, p, i| {
            scope.bind(&w.p, p.clone());
            scope.bind(name, i.clone());
            let value = scope.expr(find);
            number(scope.kernel(), value)
        }));
    }
    let (p, i) = (&w.p, w.i.clone().unwrap_or_else(|| format_ident!("_i")));
    let named = |code: &TokenStream, name: &str| {
        crate::decl::named(code, name).unwrap_or_else(|| format_ident!("_{name}"))
    };
    if let Some(code) = &w.extend {
        let first = named(code, "first");
        let value = clause(krate, l, Clause::Extend, quote!(let #first: usize = first;), code);
        out.extend(quote! {
            fn __extend(&mut self, #p: usize, #i: usize, first: usize) -> bool { #value }
        });
    }
    if let Some((word, code)) = &w.words {
        let value = clause(krate, l, Clause::Words, TokenStream::new(), code);
        out.extend(quote!(fn __words(&mut self, #p: usize, #word: usize) { #value }));
    }
    if let Some(code) = &w.thaw {
        let value = clause(krate, l, Clause::Thaw, TokenStream::new(), code);
        out.extend(quote!(fn __thaw(&mut self) -> usize { #value }));
    }
    if let Some(code) = &w.clear {
        let blank = named(code, "blank");
        let value = clause(krate, l, Clause::Clear, TokenStream::new(), code);
        out.extend(quote!(fn __clear(&mut self, mut #blank: impl FnMut(usize)) { #value }));
    }
    Ok(out)
}

/// A function of the code that `terms` makes for the fiber `p` and the coordinate `i`.
fn of_terms(
    krate: &TokenStream,
    mut kernel: Kernel,
    name: Ident,
    range: bool,
    terms: impl FnOnce(&mut Scope<'_>, &Expr, &Expr) -> Vec<Kir>,
) -> TokenStream {
    let mut local = |name: &str| kernel.var(name, VarKind::Local, Ty::Index);
    let (p, end, i) = (local("p"), local("end"), local("i"));
    let fiber = match range {
        true => Expr::call(Op::Range, [Expr::Var(p), Expr::Var(end)]),
        false => Expr::Var(p),
    };
    let mut scope = Scope::new(&mut kernel, TensorId(0), 0);
    let code = terms(&mut scope, &fiber, &Expr::Var(i));
    let emit = Emit::new(&kernel, Reader::Rustc);
    let code = emit.code(&code);
    let (p, end, i) = (emit.ident(p), emit.ident(end), emit.ident(i));
    let fields = super::visit::fields(krate, &emit);
    quote!(fn #name(&self, #p: i64, #end: i64, #i: i64) { #fields #code })
}

fn number(kernel: &mut Kernel, value: Expr) -> Vec<Kir> {
    let var = kernel.var("number", VarKind::Local, Ty::Index);
    vec![Kir::Let { var, mutable: false, value }]
}

fn condition(kernel: &mut Kernel, value: Expr) -> Vec<Kir> {
    let var = kernel.var("condition", VarKind::Local, Ty::Bool);
    vec![Kir::Let { var, mutable: false, value }]
}

fn position(kernel: &mut Kernel, value: &Expr) -> Vec<Kir> {
    match crate::unfurl::range(value) {
        Some((a, b)) => [number(kernel, a.clone()), number(kernel, b.clone())].concat(),
        None => number(kernel, value.clone()),
    }
}

fn payload(kernel: &mut Kernel, p: &Seen) -> Vec<Kir> {
    match p {
        Seen::Child(q) => position(kernel, q),
        // Only the loops of kernels have groups.
        Seen::Fill | Seen::Value(_) | Seen::Group(..) | Seen::Part(_) => Vec::new(),
    }
}

/// Every term of a nest, each where its names are defined.
fn spelled(kernel: &mut Kernel, nest: &Looplet) -> Vec<Kir> {
    let mut code = Vec::new();
    match nest {
        Looplet::Run(p) => code.extend(payload(kernel, p)),
        Looplet::Spike(a, b) => {
            code.extend(payload(kernel, a));
            code.extend(payload(kernel, b));
        }
        Looplet::Thunk { defs, body, .. } => {
            for d in defs {
                code.push(Kir::Let { var: d.var, mutable: d.mutable, value: d.value.clone() });
            }
            code.extend(spelled(kernel, body));
        }
        Looplet::Pipeline(phases) => {
            for (stop, body) in phases {
                code.extend(
                    stop.iter().flat_map(|s| number(kernel, s.clone())).collect::<Vec<_>>(),
                );
                code.extend(spelled(kernel, body));
            }
        }
        Looplet::Switch(cases) => {
            for (cond, body) in cases {
                code.extend(condition(kernel, cond.clone()));
                code.extend(spelled(kernel, body));
            }
        }
        Looplet::Shift(by, body) => {
            code.extend(number(kernel, by.clone()));
            code.extend(spelled(kernel, body));
        }
        Looplet::Lookup(i, body) => {
            code.push(Kir::Let { var: *i, mutable: false, value: Expr::int(0) });
            code.extend(spelled(kernel, body));
        }
        Looplet::Unordered(all) => {
            for d in &all.defs {
                code.push(Kir::Let { var: d.var, mutable: d.mutable, value: d.value.clone() });
            }
            code.extend(spelled(kernel, &Looplet::Stepper(Rc::new(all.steps.clone()))));
        }
        Looplet::Stepper(s) | Looplet::Jumper(s) => {
            code.extend(
                s.more.iter().flat_map(|m| condition(kernel, m.clone())).collect::<Vec<_>>(),
            );
            if let Some((lo, hi)) = s.range.as_ref().map(|(_, lo, hi)| (lo, hi)) {
                code.extend(number(kernel, lo.clone()));
                code.extend(number(kernel, hi.clone()));
            }
            if let Some((at, seek)) = &s.seek {
                code.push(Kir::Let { var: *at, mutable: false, value: Expr::int(0) });
                code.push(Kir::Block(seek.clone()));
            }
            code.extend(number(kernel, s.stop.clone()));
            code.extend(spelled(kernel, &s.body));
            code.push(Kir::Block(s.next.clone()));
        }
        // Only accesses of programs have these, and the loops of kernels.
        Looplet::Permit { .. }
        | Looplet::Stride { .. }
        | Looplet::Stretch(..)
        | Looplet::Groups(..)
        | Looplet::Union(_) => {}
    }
    vec![Kir::Block(code)]
}
