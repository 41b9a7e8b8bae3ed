//! Statements.

use super::append::began;
use super::call::times;
use super::{Emit, Outermost, Reader};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// Statements in order.
    pub fn code(&self, code: &[Kir]) -> TokenStream {
        code.iter().map(|k| self.statement(k)).collect()
    }

    fn statement(&self, k: &Kir) -> TokenStream {
        match k {
            Kir::Comment(text) => match self.reader {
                Reader::Person => quote!(remark!(#text);),
                Reader::Rustc => TokenStream::new(),
            },
            Kir::Let { var, mutable, value } => {
                if let Some((start, moved)) = self.started(*var, value) {
                    let start =
                        self.statement(&Kir::Let { var: *var, mutable: *mutable, value: start });
                    return quote!(#start #moved);
                }
                let (name, ty) = (self.ident(*var), self.kernel.info(*var).ty.clone());
                // What the run-time library gives has one type.
                let known =
                    matches!(value, Expr::Call(Op::IfElse, args) if self.ends(args).is_some());
                let value = self.expr(value, &ty);
                let mutable = mutable.then(|| quote!(mut));
                let ascribed = match &ty {
                    _ if known => None,
                    Ty::Index if self.reader == Reader::Rustc => Some(quote!(: i64)),
                    Ty::Bool if self.reader == Reader::Rustc => Some(quote!(: bool)),
                    Ty::Named(t) if mutable.is_some() => {
                        let t: TokenStream = t.parse().unwrap_or_default();
                        Some(quote!(: #t))
                    }
                    _ => None,
                };
                quote!(let #mutable #name #ascribed = #value;)
            }
            Kir::Set { var, value } => {
                let (name, ty) = (self.ident(*var), self.kernel.info(*var).ty.clone());
                if let (Ty::Own, Expr::Call(Op::Function(key), args)) = (&ty, value) {
                    return self.moved(*var, key, args);
                }
                if let Expr::Call(op, args) = value {
                    if *op == Op::Add && args.len() == 2 && args[0] == Expr::Var(*var) {
                        let by = self.expr(&args[1], &ty);
                        return quote!(#name += #by;);
                    }
                }
                let value = self.expr(value, &ty);
                quote!(#name = #value;)
            }
            Kir::Store { target, op, value } => self.store(target, op.as_ref(), value),
            Kir::For { var, lo, hi, body } => {
                let name = self.ident(*var);
                let told = matches!((lo, hi), (Expr::Var(_) | Expr::Lit(_), Expr::Var(_)));
                let (lo, hi) = (self.expr(lo, &Ty::Index), self.expr(hi, &Ty::Index));
                let (body, step) =
                    (self.within(told.then_some((&name, &lo, &hi)), body), self.count());
                quote!(for #name in #lo..#hi { #step #body })
            }
            // What goes on for ever is left from within, by loops that count their own steps.
            Kir::While { cond, body } if *cond == Expr::bool(true) => {
                let body = self.within(None, body);
                quote!(loop { #body })
            }
            Kir::While { cond, body } => {
                let cond = self.expr(cond, &Ty::Bool);
                let (body, step) = (self.within(None, body), self.count());
                quote!(while #cond { #step #body })
            }
            Kir::If { cond, then, otherwise } => {
                let cond = self.expr(cond, &Ty::Bool);
                let then = self.code(then);
                match otherwise.as_slice() {
                    [] => quote!(if #cond { #then }),
                    [one @ Kir::If { .. }] => {
                        let otherwise = self.statement(one);
                        quote!(if #cond { #then } else #otherwise)
                    }
                    _ => {
                        let otherwise = self.code(otherwise);
                        let otherwise =
                            (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                        quote!(if #cond { #then } #otherwise)
                    }
                }
            }
            Kir::Labeled(label, body) => {
                let (label, body) = (exit(*label), self.code(body));
                quote!(#label: { #body })
            }
            Kir::Parallel(p) => self.parallel(p),
            Kir::Take(id) => self.take(*id),
            Kir::Break(label) => {
                let label = exit(*label);
                quote!(break #label;)
            }
            Kir::Block(body) => {
                let body = self.code(body);
                quote!({ #body })
            }
            Kir::Code(r) => self.raw(*r),
            Kir::Begin(b) => self.code(&began(b)),
            Kir::Commit(c) => self.code(&c.code),
            Kir::GiveBack(g) => self.give_back(g),
            Kir::Room { of, arrays, capacity, count, first } => {
                self.room(*of, arrays, *capacity, (*count, first))
            }
            Kir::Put { array, at, value } => self.put(*array, at, value),
            Kir::CopyRow(row) => self.copy_row(row),
            Kir::PutRun(run) => self.put_run(run),
            Kir::Written { of, array, count, body } => self.written(*of, *array, *count, body),
            Kir::Filled { arrays, count } => self.filled(arrays, *count),
        }
    }

    /// The body of a loop, with its index and where it begins and ends, if these are told by name.
    fn within(
        &self,
        told: Option<(&Ident, &TokenStream, &TokenStream)>,
        body: &[Kir],
    ) -> TokenStream {
        let own = |(at, lo, hi): (&Ident, &TokenStream, &TokenStream)| Outermost {
            at: at.clone(),
            lo: lo.clone(),
            hi: hi.clone(),
        };
        let around = self.loops.get();
        self.loops.set(around + 1);
        if around == 0 {
            *self.outermost.borrow_mut() = told.map(own);
        }
        let body = self.code(body);
        self.loops.set(around);
        if around == 0 {
            *self.outermost.borrow_mut() = None;
        }
        body
    }

    /// Raises the step counter.
    fn count(&self) -> Option<TokenStream> {
        let counter = self.ident(self.kernel.steps?);
        Some(quote!(#counter += 1;))
    }

    /// The factors of a product that a kernel with `#![contract]` adds to a float without rounding it.
    fn contracted(&self, op: &Op, value: &Expr, ty: &Ty) -> Option<(TokenStream, TokenStream)> {
        let Expr::Call(times, factors) = value else { return None };
        let float = ty.is_float() && self.kernel.type_of(value).as_ref() == Some(ty);
        let known = self.kernel.contract && self.reader == Reader::Rustc && float;
        if !known || *op != Op::Add || *times != Op::Mul || factors.len() < 2 {
            return None;
        }
        let (last, others) = factors.split_last()?;
        let first = match others {
            [one] => one.clone(),
            many => Expr::Call(times.clone(), many.to_vec()),
        };
        Some((self.expr(&first, ty), self.expr(last, ty)))
    }

    /// `value`, a number, as an element of the array `a` of numbers of a level.
    fn stored_number(&self, a: ArrayId, value: &Expr) -> TokenStream {
        let array = &self.kernel.arrays[a.0 as usize];
        let elem = &array.elem_tokens;
        match (value, self.reader) {
            (Expr::Lit(Lit::Bool(b)), _) => quote!(#b),
            (Expr::Lit(Lit::Int(n)), _) => {
                let n = proc_macro2::Literal::i128_unsuffixed(*n);
                quote!(#n)
            }
            (value, Reader::Person) => self.expr(value, &Ty::Index),
            (value, Reader::Rustc) => {
                let (krate, value) = (&self.kernel.krate, self.expr(value, &Ty::Index));
                // The invariant of the level says that the number is a position, so it is not asked whether it fits.
                match array.trusted && elem.to_string() == "usize" {
                    true => quote!(#krate::rt::as_position(#value)),
                    false => quote!(<#elem as #krate::Index>::from_i64(#value)),
                }
            }
        }
    }

    fn store(&self, target: &Expr, op: Option<&Op>, value: &Expr) -> TokenStream {
        let ty = self.kernel.type_of(target).unwrap_or(Ty::Unknown);
        let name = match target {
            Expr::Load(a, _) => {
                let tensor = self.kernel.arrays[a.0 as usize].tensor;
                self.kernel.tensor(tensor).name.to_string()
            }
            Expr::Var(v) => self.kernel.info(*v).name.clone(),
            _ => String::new(),
        };
        let span = self
            .kernel
            .assigned_at
            .get(&name)
            .map_or_else(Span::mixed_site, |s| s.resolved_at(Span::mixed_site()));
        let place = self.place(target);
        let Some(op) = op else {
            let value = match target {
                Expr::Load(a, _) if ty == Ty::Index => self.stored_number(*a, value),
                _ => self.expr(value, &ty),
            };
            let equals = quote_spanned!(span=> =);
            return quote!(#place #equals #value;);
        };
        if *op == Op::Each {
            let Expr::Call(_, args) = value else {
                unreachable!("a visit has a coordinate and a position")
            };
            let number = |e: &Expr| {
                let e = self.expr(e, &Ty::Index);
                quote!((#e) as usize)
            };
            let (lo, hi) = match args.as_slice() {
                [i, _] => (number(i), number(&i.plus(1))),
                [lo, _, hi, ..] => (number(lo), number(hi)),
                _ => unreachable!("a visit has a coordinate and a position"),
            };
            let (q, end) = match crate::unfurl::range(&args[1]) {
                Some((a, b)) => (number(a), number(b)),
                None => (number(&args[1]), number(&args[1].plus(1))),
            };
            return quote!(each(#lo, #hi, #q, #end););
        }
        let primitive =
            matches!(&ty, Ty::Named(t) if primitive(t)) || matches!(ty, Ty::Unknown | Ty::Index);
        if let Some(many) = self.many(target, op, value, &ty) {
            return many;
        }
        if let Some((a, b)) = self.contracted(op, value, &ty) {
            let krate = &self.kernel.krate;
            let call = match self.wide {
                true => quote!(multiply_add_once),
                false => quote!(multiply_add),
            };
            return quote!(#place = #krate::rt::#call(#a, #b, #place););
        }
        if primitive
            && matches!(
                op,
                Op::Add
                    | Op::Sub
                    | Op::Mul
                    | Op::Div
                    | Op::Rem
                    | Op::BitAnd
                    | Op::BitOr
                    | Op::BitXor
            )
        {
            let sign = compound(op, span);
            let value = self.expr(value, &ty);
            return quote!(#place #sign #value;);
        }
        let whole = Expr::Call(op.clone(), vec![target.clone(), value.clone()]);
        let value = self.expr(&whole, &ty);
        quote!(#place = #value;)
    }
}

impl Emit<'_> {
    /// A run of equal integers added at once, as often as the loops around it run.
    fn many(&self, target: &Expr, op: &Op, value: &Expr, ty: &Ty) -> Option<TokenStream> {
        let integer = matches!(ty, Ty::Named(t) if matches!(t.as_str(),
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize"));
        if !integer || self.reader == Reader::Person {
            return None;
        }
        let (place, old, krate) = (self.place(target), self.expr(target, ty), &self.kernel.krate);
        let method = match (op, value) {
            (Op::Add, _) => quote!(plus_many),
            (Op::Sub, _) => quote!(minus_many),
            (Op::Mul, Expr::Call(Op::Power, args)) => {
                let (one, n) = (self.expr(&args[0], ty), self.expr(&args[1], &Ty::Index));
                return Some(quote!(#place = #krate::rt::Many::times_many(#old, #one, #n);));
            }
            _ => return None,
        };
        let Expr::Call(Op::Times, args) = value else { return None };
        let (one, counts) = times(args);
        let n = match counts.as_slice() {
            [n] => self.expr(n, &Ty::Index),
            _ => self.expr(&Expr::Call(Op::Mul, counts), &Ty::Index),
        };
        let one = self.expr(&one, ty);
        Some(quote!(#place = #krate::rt::Many::#method(#old, #one, #n);))
    }
}

fn compound(op: &Op, span: Span) -> TokenStream {
    match op {
        Op::Add => quote_spanned!(span=> +=),
        Op::Sub => quote_spanned!(span=> -=),
        Op::Mul => quote_spanned!(span=> *=),
        Op::Div => quote_spanned!(span=> /=),
        Op::Rem => quote_spanned!(span=> %=),
        Op::BitAnd => quote_spanned!(span=> &=),
        Op::BitOr => quote_spanned!(span=> |=),
        _ => quote_spanned!(span=> ^=),
    }
}

fn exit(label: u32) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'exit{label}"), Span::mixed_site())
}
