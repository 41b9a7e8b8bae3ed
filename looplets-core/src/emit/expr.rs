//! Expressions: each is printed for the type its place wants, so that literals and bools convert.

use super::places::{located, place_of};
use super::{Emit, Reader};
use crate::cin::*;
use crate::formats::substitute;
use crate::kernel::*;
use crate::nest::BEYOND;
use crate::opaque::Opaque;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// `e` as a value of type `want`.
    pub fn expr(&self, e: &Expr, want: &Ty) -> TokenStream {
        match e {
            Expr::Lit(lit) => self.literal(lit, want),
            Expr::Var(v) => {
                let (ident, ty) = (self.ident(*v), &self.kernel.info(*v).ty);
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
        let index = self.expr(i, &Ty::Index);
        let coordinate = info.elem == Ty::Index;
        if self.reader == Reader::Person {
            return quote!(#name[#index]);
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
                let index = self.expr(i, &Ty::Index);
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

    /// What only rustc knows the type of, added up as often as an extent says.
    fn repeated(&self, args: &[Expr]) -> Option<TokenStream> {
        let is = |e: &Expr, ty: Ty| self.kernel.type_of(e) == Some(ty);
        let (value, times) = match args {
            [a, b] if is(a, Ty::Index) && is(b, Ty::Unknown) => (b, a),
            [a, b] if is(a, Ty::Unknown) && is(b, Ty::Index) => (a, b),
            _ => return None,
        };
        if self.reader == Reader::Person {
            return None;
        }
        let (krate, value) = (&self.kernel.krate, self.expr(value, &Ty::Unknown));
        let (at, times) = (place_of(&value), self.expr(times, &Ty::Index));
        Some(quote_spanned!(at=> #krate::Value::repeat(#value, #times)))
    }

    fn call(&self, op: &Op, args: &[Expr], want: &Ty) -> TokenStream {
        let known = self.kernel.type_of_call(op, args);
        // Only literals: they take the type that is wanted.
        let own = match known {
            None => {
                if *want == Ty::Unknown {
                    Ty::Named("f64".into())
                } else {
                    want.clone()
                }
            }
            // Only rustc knows what a function gives, so the place says what is computed in.
            Some(Ty::Unknown) if matches!(want, Ty::Named(_)) => want.clone(),
            // A fraction that a fill left beside coordinates: they are numbers like it.
            Some(Ty::Index) if args.iter().any(|a| matches!(a, Expr::Lit(Lit::Float(_)))) => {
                match want.is_float() {
                    true => want.clone(),
                    false => Ty::Named("f64".into()),
                }
            }
            Some(t) => t,
        };
        let numeric = |t: Ty| if t == Ty::Bool { Ty::Index } else { t };
        let krate = &self.kernel.krate;
        let (tokens, is) = match op {
            // Coordinates are computed as `i64`, whatever the types of the variables in them: no
            // difference of unsigned numbers wraps on the way.
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem
                if *want == Ty::Index && !own.is_float() =>
            {
                let tokens = match op {
                    Op::Mul => self.product("times", args),
                    Op::Add | Op::Sub => self.total(op, args),
                    _ => self.infix(op, args, &Ty::Index),
                };
                (tokens, Ty::Index)
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => {
                let bool_sum = own == Ty::Bool && *want != Ty::Bool && *want != Ty::Unknown;
                // A number times an extent, as a run that was added at once: it is computed where it
                // will be kept, since the element's own type may be too narrow for it.
                let extent = args.iter().any(|a| self.kernel.type_of(a) == Some(Ty::Index));
                let repeated = || (*op == Op::Mul).then(|| self.repeated(args)).flatten();
                if let Some(beside) = repeated().or_else(|| self.beside(op, args, &own)) {
                    return self.convert(beside, &Ty::Unknown, want);
                }
                let wider = extent && !matches!(op, Op::Div | Op::Rem) && join(&own, want) == *want;
                let ty = if bool_sum || wider && *want != Ty::Unknown {
                    want.clone()
                } else {
                    numeric(own)
                };
                (self.infix(op, args, &ty), ty)
            }
            Op::BitAnd | Op::BitOr | Op::BitXor => (self.infix(op, args, &own), own),
            Op::Shl | Op::Shr => {
                let a = self.operand(&args[0], &own);
                let b = self.operand(&args[1], &Ty::Unknown);
                let sign = operator(op, place_of(&a));
                (quote!(#a #sign #b), own)
            }
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                // Literals alone, where what they met is gone: whole numbers, or fractions.
                let fraction = || args.iter().any(has_fraction);
                let number = || if fraction() { Ty::Named("f64".into()) } else { Ty::Index };
                let ty = match self.kernel.join_all(args) {
                    // Beside a fraction, a coordinate is a number like it.
                    Some(Ty::Index) | None => number(),
                    Some(ty) => ty,
                };
                match self.beside(op, args, &ty) {
                    Some(compared) => (compared, Ty::Bool),
                    None => (self.infix(op, args, &ty), Ty::Bool),
                }
            }
            Op::Identical => {
                let ty = self.kernel.join_all(args).unwrap_or(Ty::Unknown);
                (self.identical(&ty, &args[0], &args[1]), Ty::Bool)
            }
            Op::And | Op::Or => (self.infix(op, args, &Ty::Bool), Ty::Bool),
            Op::Not => {
                let a = self.operand(&args[0], &own);
                (quote!(!#a), own)
            }
            Op::Neg => {
                let ty = numeric(own);
                let a = self.operand(&args[0], &ty);
                if ty.is_unsigned() && self.reader == Reader::Rustc {
                    return self.convert(quote!(#krate::rt::Negate::negate(#a)), &ty, want);
                }
                let at = self.judged_at(args, &ty);
                let a = at.map_or_else(|| a.clone(), |at| self.shown_at(at, &args[0], a.clone()));
                let minus = quote_spanned!(at.unwrap_or_else(Span::mixed_site)=> -);
                (quote!(#minus #a), ty)
            }
            Op::Min | Op::Max if *want != Ty::Index && self.beside(op, args, &own).is_some() => {
                (self.beside(op, args, &own).expect("asked above"), Ty::Unknown)
            }
            Op::Min | Op::Max => {
                let name = Ident::new(op.row().name, Span::mixed_site());
                let judged = self.judged_at(args, &own);
                let shown = |e: &Expr, tokens| match judged {
                    Some(at) => self.shown_at(at, e, tokens),
                    None => tokens,
                };
                let first = shown(&args[0], self.operand(&args[0], &own));
                let first = match (&args[0], &own) {
                    (Expr::Lit(_), Ty::Index) => {
                        let n = self.expr(&args[0], &Ty::Index);
                        quote!((#n as i64))
                    }
                    _ => first,
                };
                let tokens = args[1..].iter().fold(first, |acc, b| {
                    let b = shown(b, self.expr(b, &own));
                    match (&own, self.reader) {
                        (Ty::Named(t), _) if !primitive(t) => {
                            let path = quote!(#krate::rt::#name);
                            let path = judged.map_or(path.clone(), |at| located(path, at));
                            quote!(#path(#acc, #b))
                        }
                        // Which it is of floats, and which of others, rustc knows.
                        (Ty::Unknown, _) | (_, Reader::Person) => quote!(#acc.#name(#b)),
                        (float, _) if float.is_float() => {
                            let float = self.primitive(float);
                            quote!(#float::#name(#acc, #b))
                        }
                        _ => quote!(::core::cmp::#name(#acc, #b)),
                    }
                });
                (tokens, own)
            }
            Op::IfElse if self.ends(args).is_some() => {
                (self.ends(args).expect("asked above"), Ty::Index)
            }
            Op::IfElse => {
                let c = self.expr(&args[0], &Ty::Bool);
                let ty = if known_only_literals(self, args) { want.clone() } else { own };
                let (a, b) = (self.arm(&args[1], &ty), self.arm(&args[2], &ty));
                (quote!((if #c { #a } else { #b })), ty)
            }
            Op::Coalesce => (self.expr(&args[0], &own), own),
            Op::WrappingMul => (self.product("place", args), Ty::Index),
            Op::Index | Op::Cast(Ty::Index) => (self.expr(&args[0], &Ty::Index), Ty::Index),
            Op::Cast(ty) | Op::Fit(ty) => (self.expr(&args[0], ty), ty.clone()),
            Op::Tuple => {
                let wanted = want.parts().unwrap_or_default();
                let parts = args.iter().enumerate().map(|(k, a)| {
                    match wanted.get(k) {
                        Some(ty) => self.expr(a, ty),
                        // Where only rustc knows, a coordinate is what Rust indexes with.
                        None if self.kernel.type_of(a) == Some(Ty::Index) => {
                            self.expr(a, &Ty::Named("usize".into()))
                        }
                        None => self.expr(a, &Ty::Unknown),
                    }
                });
                (quote!((#(#parts,)*)), want.clone())
            }
            Op::MinBy | Op::MaxBy => {
                let name = Ident::new(op.row().name, Span::mixed_site());
                let (a, b) = (self.expr(&args[0], want), self.expr(&args[1], want));
                (quote!(#krate::rt::#name(#a, #b)), want.clone())
            }
            Op::Choose => {
                let a = self.expr(&args[0], &own);
                let (b, fill) = match &args[1] {
                    Expr::Call(op, parts) if *op == Op::Chosen => {
                        (self.expr(&parts[0], &own), self.expr(&parts[1], &own))
                    }
                    b => (self.expr(b, &own), quote!(::core::default::Default::default())),
                };
                (quote!(#krate::rt::choose(#a, #b, #fill)), own)
            }
            // A product over a run: so many equal factors.
            Op::Power => {
                let ty = numeric(own);
                let (v, n) = (self.expr(&args[0], &ty), self.expr(&args[1], &Ty::Index));
                (quote!(#krate::rt::power(#v, #n)), ty)
            }
            Op::CeilDiv => {
                let (a, b) = (self.expr(&args[0], &Ty::Index), self.expr(&args[1], &Ty::Index));
                (quote!(#krate::rt::ceil_div(#a, #b)), Ty::Index)
            }
            Op::Usize => {
                // A literal below zero, in a region that never runs, must not become a `usize` itself.
                let known = self.kernel.type_of(&args[0]);
                let literal = || match &args[0] {
                    Expr::Lit(Lit::Int(n)) if *n < 0 => Ty::Named("i64".into()),
                    _ => Ty::Index,
                };
                let inner = self.expr(&args[0], &known.unwrap_or_else(literal));
                let already =
                    matches!(self.kernel.type_of(&args[0]), Some(Ty::Named(n)) if n == "usize");
                let inner = in_parentheses(inner);
                let plain = already || self.reader == Reader::Person;
                (if plain { inner } else { quote!((#inner as usize)) }, Ty::Unknown)
            }
            Op::Method(method) => {
                let ty =
                    if own == Ty::Index || own == Ty::Bool { Ty::Named("f64".into()) } else { own };
                let a = self.operand(&args[0], &ty);
                let name = Ident::new(method.name(), Span::mixed_site());
                let exponent =
                    if *method == Method::Powi { Ty::Named("i32".into()) } else { ty.clone() };
                let rest = args[1..].iter().map(|a| self.expr(a, &exponent));
                let call = match (&ty, self.reader) {
                    (Ty::Named(t), Reader::Rustc) if primitive(t) => {
                        let of = self.primitive(&ty);
                        quote!(#of::#name(#a #(, #rest)*))
                    }
                    (complex, Reader::Rustc) if complex.is_complex() => {
                        let of = complex.tokens();
                        let by_ref = (*method == Method::Powi).then(|| quote!(&));
                        quote!(<#of>::#name(#by_ref #a #(, #rest)*))
                    }
                    _ => quote!(#a.#name(#(#rest),*)),
                };
                (call, ty)
            }
            Op::Nan => (self.not_a_number(want), want.clone()),
            Op::Constant(key) => match self.kernel.constants.get(&**key) {
                Some(constant) => constant.clone(),
                None => unreachable!("the constant `{key}` was declared"),
            },
            Op::Function(key) => {
                // Functions that a rule introduced are named by their path.
                let unknown = || Function::at(key.parse().unwrap_or_default());
                let function = self.kernel.functions.get(&**key).cloned();
                self.function(&function.unwrap_or_else(unknown), args, own)
            }
            Op::Chosen | Op::Range | Op::Nowhere | Op::Each | Op::Pair | Op::Run => {
                unreachable!("`{op:?}` is no value")
            }
        };
        self.convert(tokens, &is, want)
    }

    /// Whether two values of a type are the same to the last bit.
    fn identical(&self, ty: &Ty, a: &Expr, b: &Expr) -> TokenStream {
        let krate = &self.kernel.krate;
        let whole = matches!(ty, Ty::Named(name) if primitive(name)) && !ty.is_float();
        if whole || *ty == Ty::Bool {
            return self.infix(&Op::Eq, &[a.clone(), b.clone()], ty);
        }
        if ty.is_float() {
            let (a, b) = (self.operand(a, ty), self.operand(b, ty));
            if self.reader == Reader::Person {
                return quote!(#a.to_bits() == #b.to_bits());
            }
            let ty = self.primitive(ty);
            return quote!(#ty::to_bits(#a) == #ty::to_bits(#b));
        }
        let (a, b) = (self.expr(a, ty), self.expr(b, ty));
        quote!(#krate::value::identical(&#a, &#b))
    }

    /// A primitive type of numbers, whatever else has its name.
    fn primitive(&self, ty: &Ty) -> TokenStream {
        let name = Ident::new(ty.text(), Span::mixed_site());
        quote!(::core::primitive::#name)
    }

    /// A product of indices, by a function of the run-time crate.
    fn product(&self, by: &str, args: &[Expr]) -> TokenStream {
        let krate = &self.kernel.krate;
        if self.reader == Reader::Person {
            return self.infix(&Op::Mul, args, &Ty::Index);
        }
        let by = Ident::new(by, Span::mixed_site());
        let mut parts = args.iter().map(|a| self.expr(a, &Ty::Index));
        let first = parts.next().unwrap_or_else(|| quote!(1));
        parts.fold(first, |a, b| quote!(#krate::rt::#by(#a, #b)))
    }

    /// A call of a function of the surrounding Rust, whose result is `own` if it is like an argument.
    fn function(&self, f: &Function, args: &[Expr], own: Ty) -> (TokenStream, Ty) {
        let gives = if f.like.is_some() { own } else { f.gives.clone() };
        let path = match (&f.shown, self.reader) {
            (Some(shown), Reader::Person) => shown,
            _ => &f.path,
        };
        if f.usizes {
            let usize = Ty::Named("usize".into());
            let args = args.iter().map(|a| self.expr(a, &usize));
            let call = called(path, quote!(#(#args),*));
            let plain = self.reader == Reader::Person;
            return (if plain { call } else { quote!((#call as i64)) }, gives);
        }
        let argument = |k: usize, a: &Expr| {
            let takes = f.takes.get(k).filter(|ty| **ty != Ty::Unknown);
            let tokens = match (&f.gives, a, takes) {
                (Ty::Index, ..) => self.expr(a, &Ty::Index),
                (_, Expr::Lit(_), Some(ty)) => self.expr(a, ty),
                (.., Some(ty)) if f.declared => self.expr(a, ty),
                // A literal beside a value of the operator's own type.
                (_, Expr::Lit(_), None) if f.like.is_some() => self.expr(a, &gives),
                _ => self.expr(a, &Ty::Unknown),
            };
            let judged = !f.declared && matches!(f.gives, Ty::Named(_) | Ty::Bool | Ty::Unknown);
            let tokens = match self.kernel.type_of(a) {
                Some(Ty::Named(_) | Ty::Bool) | None if judged => {
                    self.shown_at(place_of(path), a, tokens)
                }
                _ => tokens,
            };
            if f.by_ref.get(k) == Some(&true) {
                self.borrowed(a).unwrap_or_else(|| quote!(&#tokens))
            } else {
                tokens
            }
        };
        if !f.folds || args.len() <= 2 {
            let args = args.iter().enumerate().map(|(k, a)| argument(k, a));
            return (called(path, quote!(#(#args),*)), gives);
        }
        let amp = (f.by_ref.first() == Some(&true)).then(|| quote!(&));
        let first = argument(0, &args[0]);
        let bare = if amp.is_some() { self.expr(&args[0], &f.takes[0]) } else { first };
        let all = args[1..].iter().fold(bare, |acc, a| {
            let a = argument(1, a);
            quote!(#path(#amp #acc, #a))
        });
        (all, gives)
    }

    /// A reference to a value that is there, without a copy of it.
    fn borrowed(&self, e: &Expr) -> Option<TokenStream> {
        match e {
            Expr::Var(v) if matches!(self.kernel.info(*v).ty, Ty::Named(_)) => {
                let ident = self.ident(*v);
                Some(quote!(&#ident))
            }
            Expr::Load(a, i) if self.kernel.arrays[a.0 as usize].elem != Ty::Index => {
                let (name, krate) = (self.array(*a), &self.kernel.krate);
                let index = self.expr(i, &Ty::Index);
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

    pub(super) fn infix(&self, op: &Op, args: &[Expr], ty: &Ty) -> TokenStream {
        if let [first, second, rest @ ..] = args {
            // A number that the type lacks comes last, where its negation takes its place.
            if matches!(op, Op::Add | Op::Sub) && negation_that_fits(first, ty).is_some() {
                let (start, end) = match (op, negation_that_fits(first, ty)) {
                    (Op::Sub, Some(negation)) => (Expr::call(Op::Neg, [second.clone()]), negation),
                    _ => (second.clone(), first.clone()),
                };
                let args: Vec<Expr> =
                    [start].into_iter().chain(rest.iter().cloned()).chain([end]).collect();
                return self.infix(op, &args, ty);
            }
        }
        let unknown = |e: &&Expr| self.kernel.type_of(e) == Some(Ty::Unknown);
        let known = args.iter().find(unknown).map(|e| place_of(&self.expr(e, &Ty::Unknown)));
        let judged = known.or_else(|| self.judged_at(args, ty));
        let sign = operator(op, judged.unwrap_or_else(Span::mixed_site));
        let other = match op {
            Op::Add => Some(Op::Sub),
            Op::Sub => Some(Op::Add),
            _ => None,
        };
        let turned = other.map(|op| operator(&op, judged.unwrap_or_else(Span::mixed_site)));
        let mut parts = args.iter().enumerate().map(|(k, a)| {
            let (sign, a) = match (&turned, negation_that_fits(a, ty)) {
                (Some(turned), Some(negation)) if k > 0 => (turned, &negation.clone()),
                _ => (&sign, a),
            };
            let part = self.operand(a, ty);
            let differs = || self.kernel.type_of(a).is_some_and(|own| own != *ty);
            match judged {
                Some(at) if differs() => (sign, self.shown_at(at, a, part)),
                _ => (sign, part),
            }
        });
        let first = parts.next().map(|(_, first)| first);
        let first = first.unwrap_or_else(|| self.literal(&Lit::Int(0), ty));
        parts.fold(first, |acc, (sign, b)| quote!(#acc #sign #b))
    }

    /// An operand, in parentheses if it needs them.
    pub(super) fn operand(&self, e: &Expr, ty: &Ty) -> TokenStream {
        let inner = self.expr(e, ty);
        let simple = match e {
            Expr::Var(_) | Expr::Load(..) => self.kernel.type_of(e).as_ref() == Some(ty),
            Expr::Lit(Lit::Int(n)) => *n >= 0,
            _ => false,
        };
        if simple {
            inner
        } else {
            in_parentheses(inner)
        }
    }
}

/// A call, whose parentheses rustc shows where the function is named.
fn called(path: &TokenStream, args: TokenStream) -> TokenStream {
    let mut parentheses = Group::new(Delimiter::Parenthesis, args);
    if let Some(last) = path.clone().into_iter().last() {
        parentheses.set_span(last.span());
    }
    quote!(#path #parentheses)
}

/// In parentheses, unless it is one token tree already.
fn in_parentheses(tokens: TokenStream) -> TokenStream {
    if tokens.clone().into_iter().nth(1).is_none() {
        tokens
    } else {
        quote!((#tokens))
    }
}

/// The negation of a whole number that is no value of `ty`, if it is one: `a - 128` of `i8` is `a + -128`.
fn negation_that_fits(e: &Expr, ty: &Ty) -> Option<Expr> {
    let Expr::Lit(lit @ Lit::Int(n)) = e else { return None };
    let negation = Lit::Int(n.checked_neg()?);
    let fits = |lit| ty.is_integer() && ty.value(lit).is_ok();
    (ty.is_integer() && !fits(lit) && fits(&negation)).then_some(Expr::Lit(negation))
}

/// Whether there is a number in it that no integer is.
fn has_fraction(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        found |= match x {
            Expr::Lit(lit) => matches!(lit, Lit::Float(_)),
            Expr::Call(op, _) => matches!(op, Op::Nan | Op::Method(_)),
            _ => false,
        }
    });
    found
}

fn known_only_literals(emit: &Emit<'_>, args: &[Expr]) -> bool {
    emit.kernel.join_all(&args[1..]).is_none()
}

/// The sign of an infix operator, which stands where rustc is to say that there is none for the types at hand.
pub(super) fn operator(op: &Op, at: Span) -> TokenStream {
    match op {
        Op::Add => quote_spanned!(at=> +),
        Op::Sub => quote_spanned!(at=> -),
        Op::Mul => quote_spanned!(at=> *),
        Op::Div => quote_spanned!(at=> /),
        Op::Rem => quote_spanned!(at=> %),
        Op::BitAnd => quote_spanned!(at=> &),
        Op::BitOr => quote_spanned!(at=> |),
        Op::BitXor => quote_spanned!(at=> ^),
        Op::Shl => quote_spanned!(at=> <<),
        Op::Shr => quote_spanned!(at=> >>),
        Op::Eq => quote_spanned!(at=> ==),
        Op::Ne => quote_spanned!(at=> !=),
        Op::Lt => quote_spanned!(at=> <),
        Op::Le => quote_spanned!(at=> <=),
        Op::Gt => quote_spanned!(at=> >),
        Op::Ge => quote_spanned!(at=> >=),
        Op::And => quote_spanned!(at=> &&),
        Op::Or => quote_spanned!(at=> ||),
        _ => unreachable!("`{op:?}` is not infix"),
    }
}
