//! An operator as tokens: a Rust function's signature and what its author says of its algebra.
//!
//! The properties are those of SparseArrays section 4: order and grouping of arguments, identities and
//! annihilators of all arguments or of one, inverses, distribution, bodies for particular values, and
//! an iteration space in the algebra of sets. What they mean for loops is in [`crate::algebra`].

use super::Constant;
use crate::simplify::{Total, Traits};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Result, Token};

/// What an `operator!` says.
pub struct OperatorDecl {
    /// Visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Its type parameters, which have no fixed types.
    pub generics: Vec<String>,
    /// Names and types of its arguments.
    pub args: Vec<Argument>,
    /// What it gives.
    pub gives: TokenStream,
    /// The function as written; without a body once it travels.
    pub item: TokenStream,
    /// The signature alone.
    pub signature: TokenStream,
    /// How its arguments may be held.
    pub traits: Traits,
    /// The traits that hold for exact values only.
    pub loose: Vec<&'static str>,
    /// Everything else.
    pub laws: Vec<(Law, bool)>,
    /// The clauses as tokens, to travel.
    pub clauses: TokenStream,
}

/// An argument.
pub struct Argument {
    /// Its name.
    pub name: Ident,
    /// Its type, without the `&`.
    pub ty: TokenStream,
    /// It is taken by reference.
    pub by_ref: bool,
}

/// A property; with it stands whether it fails to hold for floats (`inexact`).
pub enum Law {
    /// `identity 0;` or, of the argument at a place, `identity 1 at b;`: `f(x, 1) = x`.
    Identity(Constant, Option<usize>),
    /// `annihilator 0;`, `annihilator 0 at a;`
    Annihilator(Constant, Option<usize>),
    /// `inverse neg;`: `f(x, neg(x))` is the identity.
    Inverse(syn::Path),
    /// `distributes over max;`: `max(f(x, a), f(x, b)) = f(x, max(a, b))`.
    Distributes(syn::Path),
    /// `repeated by times;`: `n` equal contributions `x` are one of `times(x, n)`.
    Repeated(syn::Path),
    /// `case gcd(x, 0) = abs(x);`
    Case(Vec<syn::Expr>, syn::Expr),
    /// `space a & !b;`, `space a | b else 0;`, `space a & b else a;` for the fill of an argument.
    Space(syn::Expr, Option<Constant>),
}

const CLAUSES: &str = "expected `commutative`, `associative`, `idempotent`, `identity VALUE`, \
    `annihilator VALUE`, `inverse F`, `distributes over F`, `repeated by F`, `case f(x, 0) = x`, \
    `space a & !b`, `total` or `cost N`";

impl OperatorDecl {
    /// Parses what follows the attributes and the visibility.
    pub fn parse(
        input: ParseStream<'_>,
        attrs: Vec<syn::Attribute>,
        vis: syn::Visibility,
    ) -> Result<Self> {
        let sig: syn::Signature = input.parse()?;
        let body: Option<syn::Block> = if input.peek(Token![;]) {
            input.parse::<Token![;]>().map(|_| None)?
        } else {
            Some(input.parse().map_err(laws_within)?)
        };
        let args = sig.inputs.iter().map(argument).collect::<Result<Vec<_>>>()?;
        let gives = match &sig.output {
            syn::ReturnType::Type(_, ty) => ty.to_token_stream(),
            syn::ReturnType::Default => {
                return Err(Error::new_spanned(&sig, "an operator gives a value: write `-> Type`"))
            }
        };
        if args.is_empty() {
            return Err(Error::new_spanned(&sig, "an operator has at least one argument"));
        }
        let generics = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
        let signature = quote!(#sig ;);
        let item = quote!(#(#attrs)* #vis #sig #body);
        let mut decl = OperatorDecl {
            vis,
            name: sig.ident.clone(),
            generics,
            args,
            gives,
            item,
            signature,
            traits: Traits::OPAQUE,
            loose: Vec::new(),
            laws: Vec::new(),
            clauses: input.fork().parse()?,
        };
        while !input.is_empty() {
            decl.clause(input)?;
            if !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
                input.parse::<Token![;]>().map_err(|e| Error::new(e.span(), "expected `;`"))?;
            }
        }
        let arity = decl.args.len();
        decl.traits.takes = (arity, if decl.traits.associative { usize::MAX } else { arity });
        decl.validate()?;
        Ok(decl)
    }

    fn clause(&mut self, input: ParseStream<'_>) -> Result<()> {
        let mut word: Ident = input.parse().map_err(|e| Error::new(e.span(), CLAUSES))?;
        let inexact = word == "inexact";
        if inexact {
            word = input.parse().map_err(|e| Error::new(e.span(), CLAUSES))?;
        }
        let said = word.to_string();
        let binary = self.args.len() == 2;
        if !binary && ["commutative", "associative", "idempotent"].contains(&said.as_str()) {
            return Err(self.not_binary(&word));
        }
        let law = match said.as_str() {
            "commutative" => return self.shape("commutative", |t| &mut t.commutative, inexact),
            "associative" => return self.shape("associative", |t| &mut t.associative, inexact),
            "idempotent" => return self.shape("idempotent", |t| &mut t.idempotent, inexact),
            "total" => {
                self.traits.total = match input.peek(syn::Ident) {
                    true => {
                        keyword(input, "over")?;
                        keyword(input, "floats")?;
                        Total::Floats
                    }
                    false => Total::Always,
                };
                return Ok(());
            }
            "cost" => {
                self.traits.cost = input.parse::<syn::LitInt>()?.base10_parse()?;
                return Ok(());
            }
            "identity" => Law::Identity(input.parse()?, self.at(input)?),
            "annihilator" => Law::Annihilator(input.parse()?, self.at(input)?),
            "inverse" => Law::Inverse(input.call(syn::Path::parse_mod_style)?),
            "distributes" => {
                keyword(input, "over")?;
                Law::Distributes(input.call(syn::Path::parse_mod_style)?)
            }
            "repeated" => {
                keyword(input, "by")?;
                Law::Repeated(input.call(syn::Path::parse_mod_style)?)
            }
            "case" => {
                let form = format!("a case of `{0}` is `case {0}(..) = ..`", self.name);
                let both: syn::Expr = input.parse()?;
                let syn::Expr::Assign(both) = both else {
                    return Err(Error::new_spanned(both, form));
                };
                let syn::Expr::Call(call) = *both.left else {
                    return Err(Error::new_spanned(both.left, form));
                };
                if self.name != call.func.to_token_stream().to_string() {
                    return Err(Error::new_spanned(call.func, form));
                }
                if call.args.len() != self.args.len() {
                    let count = self.args.len();
                    let message = format!("a case of `{}` has its {count} arguments", self.name);
                    return Err(Error::new_spanned(call, message));
                }
                Law::Case(call.args.into_iter().collect(), *both.right)
            }
            "space" => {
                let space = input.parse()?;
                let value = match input.parse::<Option<Token![else]>>()? {
                    Some(_) => Some(input.parse()?),
                    None => None,
                };
                Law::Space(space, value)
            }
            _ => return Err(Error::new(word.span(), CLAUSES)),
        };
        let of_two = !matches!(law, Law::Annihilator(..) | Law::Case(..) | Law::Space(..));
        if of_two && !binary {
            return Err(self.not_binary(&word));
        }
        self.laws.push((law, inexact));
        Ok(())
    }

    fn not_binary(&self, word: &Ident) -> Error {
        let message = format!(
            "`{word}` is said of operators of two arguments, and `{}` has another number: say a `case`",
            self.name
        );
        Error::new(word.span(), message)
    }

    fn shape(
        &mut self,
        name: &'static str,
        field: fn(&mut Traits) -> &mut bool,
        inexact: bool,
    ) -> Result<()> {
        *field(&mut self.traits) = true;
        if inexact {
            self.loose.push(name);
        }
        Ok(())
    }

    /// `at b`: the place of an argument.
    fn at(&self, input: ParseStream<'_>) -> Result<Option<usize>> {
        if !input.peek(syn::Ident) {
            return Ok(None);
        }
        keyword(input, "at")?;
        let name: Ident = input.parse()?;
        self.place(&name).map(Some)
    }

    /// The place of the argument called `name`.
    pub fn place(&self, name: &Ident) -> Result<usize> {
        self.args.iter().position(|a| a.name == *name).ok_or_else(|| {
            let names: Vec<String> = self.args.iter().map(|a| format!("`{}`", a.name)).collect();
            Error::new(
                name.span(),
                format!("`{name}` is no argument of `{}`: it has {}", self.name, names.join(", ")),
            )
        })
    }

    fn validate(&self) -> Result<()> {
        let identity = |(law, _): &(Law, bool)| matches!(law, Law::Identity(_, None));
        for (law, _) in &self.laws {
            if let Law::Inverse(path) = law {
                if !self.laws.iter().any(identity) {
                    let message = format!(
                        "what `{}` is inverse to must be said: `identity VALUE`",
                        path.to_token_stream()
                    );
                    return Err(Error::new_spanned(path, message));
                }
            }
        }
        Ok(())
    }
}

fn keyword(input: ParseStream<'_>, word: &str) -> Result<()> {
    let found: Ident =
        input.parse().map_err(|e| Error::new(e.span(), format!("expected `{word}`")))?;
    if found == word {
        return Ok(());
    }
    Err(Error::new(found.span(), format!("expected `{word}`")))
}

fn argument(arg: &syn::FnArg) -> Result<Argument> {
    if let syn::FnArg::Typed(typed) = arg {
        if let syn::Pat::Ident(name) = &*typed.pat {
            let (ty, by_ref) = match &*typed.ty {
                syn::Type::Reference(r) if r.mutability.is_none() => (&*r.elem, true),
                ty => (ty, false),
            };
            return Ok(Argument { name: name.ident.clone(), ty: quote!(#ty), by_ref });
        }
    }
    Err(Error::new_spanned(arg, "an argument of an operator is `name: Type` or `name: &Type`"))
}

impl Constant {
    /// The place of the argument of `decl` that it names, if it names one.
    pub fn argument_of(&self, decl: &OperatorDecl) -> Option<usize> {
        let Constant::Marker(path) = self else { return None };
        decl.place(path.get_ident()?).ok()
    }
}

impl Parse for Constant {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        if input.peek(Token![:]) || input.peek(Token![=]) {
            return Err(Error::new(span, "the value follows the word: write `identity 0` or `annihilator inf`, with nothing between"));
        }
        let minus = input.parse::<Option<Token![-]>>()?.is_some();
        if input.peek(syn::Lit) {
            let lit: syn::Lit = input.parse()?;
            let at = lit.span();
            return super::literal(&lit, minus)
                .map(|lit| Constant::Lit(lit, at))
                .ok_or_else(|| wrong(span));
        }
        let path = input.call(syn::Path::parse_mod_style).map_err(|_| wrong(span))?;
        let of_float = |name: &str| {
            let mut path = path.segments.iter().rev().map(|s| &s.ident);
            path.next().is_some_and(|last| last == name)
                && path.next().is_some_and(|ty| ty == "f64" || ty == "f32")
        };
        let least = of_float("NEG_INFINITY");
        if path.is_ident("inf") || of_float("INFINITY") || least {
            let x = if minus != least { f64::NEG_INFINITY } else { f64::INFINITY };
            return Ok(Constant::Lit(crate::cin::Lit::float(x), path.span()));
        }
        if minus {
            return Err(wrong(span));
        }
        Ok(Constant::Marker(path))
    }
}

/// The error `e` of a body, where laws may have been put.
fn laws_within(e: Error) -> Error {
    Error::new(e.span(), format!("this is no Rust ({e}): the body computes the value, and its laws stand behind it, `operator! {{ fn f(a: f64, b: f64) -> f64 {{ a.min(b) }} commutative, identity inf; }}`"))
}

fn wrong(span: Span) -> Error {
    Error::new(span, "expected a value the compiler knows: a number, `true`, `false`, `inf`, `-inf`, or a fill marker")
}
