//! Turns the format types of a header into chains of levels, asking for the declarations by name.
//!
//! The compiler sees only tokens, so a declaration must be fetched through the macro of its name;
//! a walk over the types either finds all it needs or says which name to call next.

use crate::decl::{Decl, FillDecl, LevelDecl, Param};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::HashMap;
use std::rc::Rc;

/// Declarations fetched so far, by the key under which they were asked for.
#[derive(Default)]
pub struct Library {
    decls: HashMap<String, (Rc<Decl>, String, u64)>,
    order: Vec<(String, TokenStream)>,
}

/// One level of a tensor.
#[derive(Clone)]
pub struct LevelUse {
    /// Its declaration.
    pub decl: Rc<Decl>,
    /// The path it was named by, without arguments.
    pub path: TokenStream,
    /// What its parameters stand for.
    pub args: Vec<(Ident, TokenStream)>,
    /// The fingerprint of its declaration.
    pub fingerprint: u64,
}

/// A whole format: levels from the outermost to the leaf.
#[derive(Clone)]
pub struct Chain {
    /// Levels; the last is the leaf.
    pub levels: Vec<LevelUse>,
    /// The type of a value.
    pub value: TokenStream,
    /// The fill marker as a type.
    pub fill_type: TokenStream,
    /// The fill as an expression, if its declaration says it; otherwise it is opaque.
    pub fill: Option<TokenStream>,
}

/// Why a walk stopped.
pub enum Stop {
    /// A declaration is missing: call the macro at this path.
    Need(String, TokenStream),
    /// The type is no format.
    Error(syn::Error),
}

impl LevelUse {
    /// The declaration as a level.
    pub fn level(&self) -> &LevelDecl {
        match &*self.decl {
            Decl::Level(l) => l,
            _ => unreachable!("a chain holds levels only"),
        }
    }
    /// `tokens` of the declaration with its parameters replaced by what they stand for.
    pub fn substitute(&self, tokens: TokenStream) -> TokenStream {
        substitute(tokens, &self.args)
    }
}

impl Library {
    /// Adds a fetched declaration.
    pub fn add(&mut self, key: String, origin: String, tokens: TokenStream) -> syn::Result<()> {
        let decl: Decl = syn::parse2(tokens.clone())?;
        let fingerprint = crate::decl::fingerprint(&origin, &tokens);
        self.decls.insert(key.clone(), (Rc::new(decl), origin, fingerprint));
        self.order.push((key, tokens));
        Ok(())
    }
    /// Adds a declaration given as source text: for tests and for other front ends.
    pub fn add_source(&mut self, source: &str) -> syn::Result<()> {
        let tokens: TokenStream = source.parse().map_err(syn::Error::from)?;
        let decl: Decl = syn::parse2(tokens.clone())?;
        let name = match &decl {
            Decl::Level(l) => l.name.to_string(),
            Decl::Alias(a) => a.name.to_string(),
            Decl::Fill(f) => f.name.to_string(),
        };
        self.add(format!(":{name}"), String::new(), tokens)
    }
    /// The chain of levels of `ty`. `generics` are the type parameters of the kernel, which name no
    /// declaration.
    pub fn chain(&self, ty: &syn::Type, generics: &[String]) -> Result<Chain, Stop> {
        let mut levels = Vec::new();
        let mut ty = ty.clone();
        let mut origin = String::new();
        loop {
            let (path, name, args) = split(&ty)?;
            if name == "Tensor" && levels.is_empty() {
                match args.as_slice() {
                    [one] => {
                        ty = syn::parse2(one.clone()).map_err(Stop::Error)?;
                        continue;
                    }
                    _ => {
                        return Err(Stop::Error(syn::Error::new_spanned(
                            &ty,
                            "`Tensor` takes one format: `Tensor<Dense<Element<f64>>>`",
                        )))
                    }
                }
            }
            let (decl, from, fingerprint) = self.find(&path, &origin)?;
            match &*decl {
                Decl::Alias(alias) => {
                    let bound = bind(&name, &alias.params, args)?;
                    let target = substitute(alias.target.clone(), &bound);
                    ty = syn::parse2(target).map_err(Stop::Error)?;
                    origin = from;
                }
                Decl::Fill(_) => {
                    return Err(Stop::Error(syn::Error::new_spanned(
                        &ty,
                        format!("`{name}` is a fill marker, not a format: it goes inside a leaf, as in `Element<f64, {name}>`"),
                    )))
                }
                Decl::Level(level) => {
                    let bound = bind(&name, &level.params, args)?;
                    levels.push(LevelUse { decl: decl.clone(), path, args: bound.clone(), fingerprint });
                    if let Some(leaf) = &level.leaf {
                        let value = substitute(leaf.value.to_token_stream(), &bound);
                        let fill_type = substitute(leaf.fill.clone(), &bound);
                        let fill = self.fill(&fill_type, &from, generics)?;
                        return Ok(Chain { levels, value, fill_type, fill });
                    }
                    let child = &level.fields.iter().find(|f| f.name == "child").expect("validated").ty;
                    let child = substitute(child.to_token_stream(), &bound);
                    ty = syn::parse2(child).map_err(Stop::Error)?;
                    // A default written in the declaration is named from there.
                    if from != origin && child_is_default(level, &ty) {
                        origin = from;
                    }
                }
            }
        }
    }

    fn fill(
        &self,
        ty: &TokenStream,
        origin: &str,
        generics: &[String],
    ) -> Result<Option<TokenStream>, Stop> {
        let parsed: syn::Type = syn::parse2(ty.clone()).map_err(Stop::Error)?;
        let (path, name, args) = split(&parsed)?;
        if generics.contains(&path.to_string()) {
            return Ok(None);
        }
        let (decl, ..) = self.find(&path, origin)?;
        match &*decl {
            Decl::Fill(FillDecl { params, value, .. }) => {
                let bound = bind(&name, params, args)?;
                Ok(Some(substitute(value.clone(), &bound)))
            }
            _ => Err(Stop::Error(syn::Error::new_spanned(
                &parsed,
                format!("`{name}` is not a fill marker: declare it with `fill!`"),
            ))),
        }
    }

    fn find(&self, path: &TokenStream, origin: &str) -> Result<(Rc<Decl>, String, u64), Stop> {
        let text = path.to_string().replace(' ', "");
        let key = if text.starts_with("$crate") {
            format!("{origin}:{text}")
        } else {
            format!(":{text}")
        };
        match self.decls.get(&key) {
            Some((decl, from, print)) => Ok((decl.clone(), from.clone(), *print)),
            None => Err(Stop::Need(key, path.clone())),
        }
    }
}

fn child_is_default(level: &LevelDecl, ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    level.params.iter().any(|p| p.default.as_ref().is_some_and(|d| d.to_string() == text))
}

/// Path without arguments, last name, arguments.
fn split(ty: &syn::Type) -> Result<(TokenStream, String, Vec<TokenStream>), Stop> {
    let ty = match ty {
        syn::Type::Group(g) => &g.elem,
        syn::Type::Paren(p) => &p.elem,
        other => other,
    };
    let syn::Type::Path(p) = ty else {
        return Err(Stop::Error(syn::Error::new_spanned(
            ty,
            "expected a format, such as `Csr<f64>` or `Tensor<Dense<SparseList<Element<f64>>>>`",
        )));
    };
    let mut path = p.path.clone();
    let last = path.segments.last_mut().expect("a path has a segment");
    let mut args = Vec::new();
    if let syn::PathArguments::AngleBracketed(a) = &last.arguments {
        args.extend(a.args.iter().map(ToTokens::to_token_stream));
    }
    last.arguments = syn::PathArguments::None;
    let name = last.ident.to_string();
    Ok((quote!(#path), name, args))
}

fn bind(
    name: &str,
    params: &[Param],
    args: Vec<TokenStream>,
) -> Result<Vec<(Ident, TokenStream)>, Stop> {
    let needed = params.iter().filter(|p| p.default.is_none()).count();
    if args.len() < needed || args.len() > params.len() {
        let at = args.get(params.len()).or(args.last()).cloned().unwrap_or_default();
        let list: Vec<String> = params.iter().map(|p| p.name.to_string()).collect();
        let range = if needed == params.len() {
            format!("{needed}")
        } else {
            format!("{needed} to {}", params.len())
        };
        let message =
            format!("`{name}<{}>` takes {range} arguments, found {}", list.join(", "), args.len());
        let error = if at.is_empty() {
            syn::Error::new(proc_macro2::Span::call_site(), message)
        } else {
            syn::Error::new_spanned(at, message)
        };
        return Err(Stop::Error(error));
    }
    let mut bound: Vec<(Ident, TokenStream)> = Vec::new();
    for (k, param) in params.iter().enumerate() {
        let value = match args.get(k) {
            Some(a) => a.clone(),
            None => substitute(param.default.clone().expect("counted"), &bound),
        };
        bound.push((param.name.clone(), value));
    }
    Ok(bound)
}

/// `tokens` with each identifier of `map` replaced.
pub fn substitute(tokens: TokenStream, map: &[(Ident, TokenStream)]) -> TokenStream {
    let (mut before, mut last) = (' ', ' ');
    tokens
        .into_iter()
        .map(|tree| {
            // `a::T` and `x.T` name something else; `lo..T` and `x: T` do not.
            let follows_path = (before, last) == (':', ':') || (last == '.' && before != '.');
            (before, last) =
                (last, if let TokenTree::Punct(p) = &tree { p.as_char() } else { ' ' });
            match tree {
                TokenTree::Ident(ident) if !follows_path => {
                    match map.iter().find(|(n, _)| *n == ident) {
                        Some((_, with)) => with.clone(),
                        None => ident.into_token_stream(),
                    }
                }
                TokenTree::Group(g) => {
                    let mut out =
                        proc_macro2::Group::new(g.delimiter(), substitute(g.stream(), map));
                    out.set_span(g.span());
                    out.into_token_stream()
                }
                other => other.into_token_stream(),
            }
        })
        .collect()
}
