//! Calls of operators: each computes in the type that its operands and its place decide.

use super::infix::{at_head, in_parentheses, operator};
use super::places::{located, place_of};
use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// `op` of `args` as a value of type `want`.
    pub(super) fn call(&self, op: &Op, args: &[Expr], want: &Ty) -> TokenStream {
        if *op == Op::Times {
            let (one, counts) = times(args);
            let one = Some(one).filter(|one| *one != Expr::int(1));
            let product: Vec<Expr> = one.into_iter().chain(counts).collect();
            return self.call(&Op::Mul, &product, want);
        }
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
                    Op::Mul => self.product(op, args),
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
                // A fill that is no whole number, of a type that only rustc knows.
                let of_fill = extent
                    && *op == Op::Mul
                    && *want != Ty::Unknown
                    && want.is_opaque()
                    && args.iter().any(|a| matches!(a, Expr::Lit(Lit::Float(_))));
                let ty = if of_fill || bool_sum || wider && *want != Ty::Unknown {
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
                // Rust takes numbers of no type for `i32`, which has no room for all sizes.
                let whole =
                    |e: &Expr| matches!(e, Expr::Lit(Lit::Int(n)) if i64::try_from(*n).is_ok());
                let number = || match (fraction(), args.iter().all(whole)) {
                    (true, _) => Ty::Named("f64".into()),
                    (_, true) => Ty::Named("i64".into()),
                    _ => Ty::Index,
                };
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
                // An index is of the type of its place, and so are its bits.
                let ty = if own == Ty::Index && want.is_integer() { want.clone() } else { own };
                let a = self.operand(&args[0], &ty);
                (quote!(!#a), ty)
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
            Op::Min | Op::Max => (self.extreme(op, args, &own), own),
            Op::IfElse if self.ends(args).is_some() => {
                (self.ends(args).expect("asked above"), Ty::Index)
            }
            Op::IfElse => {
                let c = self.expr(&args[0], &Ty::Bool);
                let ty = if known_only_literals(self, args) { want.clone() } else { own };
                let (a, b) = (self.arm(&args[1], &ty), self.arm(&args[2], &ty));
                let (a, b) = (at_head(a), at_head(b));
                (quote!((if #c { #a } else { #b })), ty)
            }
            Op::Coalesce => (self.expr(&args[0], &own), own),
            Op::WrappingMul => (self.product(op, args), Ty::Index),
            Op::Index | Op::Cast(Ty::Index) => (self.expr(&args[0], &Ty::Index), Ty::Index),
            Op::During => {
                let at = self.expr(&args[0], &Ty::Index);
                // What checks it takes numbers of any type.
                let literal = matches!(args[0], Expr::Lit(_)) && self.reader == Reader::Rustc;
                (if literal { quote!((#at as i64)) } else { at }, Ty::Index)
            }
            Op::Cast(ty) | Op::Fit(ty) | Op::Own(ty) => (self.expr(&args[0], ty), ty.clone()),
            Op::As(ty) => (self.as_number(&args[0], ty), ty.clone()),
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
            Op::Method(method) => self.method(*method, args, own),
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
            Op::Times
            | Op::Chosen
            | Op::Range
            | Op::Nowhere
            | Op::Place
            | Op::Each
            | Op::Pair
            | Op::Run => {
                unreachable!("`{op:?}` is no value")
            }
        };
        self.convert(tokens, &is, want)
    }

    /// `e as ty`, of a literal as of an `i64` or an `f64`.
    fn as_number(&self, e: &Expr, ty: &Ty) -> TokenStream {
        let number = |name: &str| Ty::Named(name.to_owned());
        let own = match self.kernel.type_of(e) {
            // No `bool` is a float to Rust.
            Some(Ty::Bool) => number("u8"),
            Some(own) => own,
            None if has_fraction(e) => number("f64"),
            None => number("i64"),
        };
        let value = in_parentheses(self.expr(e, &own));
        let ty = self.primitive(ty);
        quote!((#value as #ty))
    }

    /// The least or the greatest of values of type `ty`.
    fn extreme(&self, op: &Op, args: &[Expr], ty: &Ty) -> TokenStream {
        let krate = &self.kernel.krate;
        let name = Ident::new(op.row().name, Span::mixed_site());
        let judged = self.judged_at(args, ty);
        let shown = |e: &Expr, tokens| match judged {
            Some(at) => self.shown_at(at, e, tokens),
            None => tokens,
        };
        let first = shown(&args[0], self.operand(&args[0], ty));
        let first = match (&args[0], ty) {
            (Expr::Lit(_), Ty::Index) => {
                let n = self.expr(&args[0], &Ty::Index);
                quote!((#n as i64))
            }
            _ => first,
        };
        let tokens = args[1..].iter().fold(first, |acc, b| {
            let b = shown(b, self.expr(b, ty));
            match (ty, self.reader) {
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
        tokens
    }

    /// A method of numbers, computed in the type that it returns.
    fn method(&self, method: Method, args: &[Expr], own: Ty) -> (TokenStream, Ty) {
        // Its type: that of what it is called on, or of a literal that of the result, if the method keeps the type.
        let own = match self.kernel.type_of(&args[0]) {
            Some(ty) => ty,
            None if method.gives(&own) == own => own,
            None if method.is_of_floats() => Ty::named("f64"),
            None => method.whole(),
        };
        let ty = match own {
            Ty::Index | Ty::Bool if method.is_of_floats() => Ty::named("f64"),
            Ty::Index | Ty::Bool => method.whole(),
            own => own,
        };
        let a = self.operand(&args[0], &ty);
        let name = Ident::new(method.name(), Span::mixed_site());
        let rest = args.iter().enumerate().skip(1);
        let rest = rest.map(|(k, a)| self.expr(a, &method.takes(k, &ty)));
        let call = match (&ty, self.reader) {
            (Ty::Named(t), Reader::Rustc) if primitive(t) => {
                let of = self.primitive(&ty);
                quote!(#of::#name(#a #(, #rest)*))
            }
            (complex, Reader::Rustc) if complex.is_complex() => {
                let of = complex.tokens();
                let by_ref = (method == Method::Powi).then(|| quote!(&));
                quote!(<#of>::#name(#by_ref #a #(, #rest)*))
            }
            _ => quote!(#a.#name(#(#rest),*)),
        };
        (call, method.gives(&ty))
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
    pub(super) fn primitive(&self, ty: &Ty) -> TokenStream {
        let name = Ident::new(ty.text(), Span::mixed_site());
        quote!(::core::primitive::#name)
    }
}

/// Of a value so many times ([`Op::Times`]) the value, and the numbers of times of all loops around it.
pub(super) fn times(args: &[Expr]) -> (Expr, Vec<Expr>) {
    let (mut one, mut counts) = (&args[0], vec![args[1].clone()]);
    while let Expr::Call(Op::Times, args) = one {
        one = &args[0];
        counts.push(args[1].clone());
    }
    (one.clone(), counts)
}

/// Whether there is a number in it that no integer is.
pub(super) fn has_fraction(e: &Expr) -> bool {
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
