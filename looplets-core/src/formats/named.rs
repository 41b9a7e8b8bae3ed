//! Types as tokens: taking them apart, telling what can be no format, putting arguments in.

use super::Stop;
use crate::cin::Lit;
use crate::decl::{substitute, Param};
use crate::diagnostics::{count, text};
use crate::types::Ty;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};

pub(super) fn stop(at: impl ToTokens, message: impl std::fmt::Display) -> Stop {
    Stop::Error(syn::Error::new_spanned(at, message))
}

/// Types of values, which no declaration describes.
pub(super) const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
    "i32", "i64", "i128", "isize", "f32", "f64",
];

/// Whether `ty` is a type of values that can be no format.
pub fn is_primitive(ty: &syn::Type) -> bool {
    PRIMITIVES.contains(&ty.to_token_stream().to_string().as_str())
}

/// Types of Rust's library that hold something else, and what to do with that.
const HOLDERS: [(&[&str], &str); 4] = [
    (&["Option", "Result"], "is not a format: a kernel is given tensors that are there; look in Rust whether there is one, and pass a borrow of it"),
    (&["Box", "Rc", "Arc", "Cow", "Cell", "RefCell", "Mutex", "RwLock"], "is not a format: declare the tensor that is in it, `a: &Format`, and pass a borrow of that"),
    (&["HashMap", "BTreeMap", "HashSet", "BTreeSet"], "is not a format: make a tensor of its entries, by `Tensor::from_triplets`"),
    (&["VecDeque"], "is not a format: make a tensor of its values, by `Tensor::from_dense`"),
];

/// What there is to say of a path of Rust's library, if it is written so that it can be no other.
fn holder(path: &TokenStream) -> Option<&'static str> {
    let path: syn::Path = syn::parse2(path.clone()).ok()?;
    let of_rust = |name: &Ident| ["std", "core", "alloc"].iter().any(|of| name == of);
    let last = &path.segments.last()?.ident;
    if path.segments.len() > 1 && !of_rust(&path.segments.first()?.ident) {
        return None;
    }
    let known = |names: &[&str]| names.iter().any(|name| last == name);
    HOLDERS.iter().find(|(names, _)| known(names)).map(|(_, why)| *why)
}

/// What comes with the crate, as far as messages name it: the compiler itself knows no format. The leaf, a level, aliases of
/// whole formats, and levels that are often taken for whole formats, over values, with what these are called.
const NAMES: &str = include_str!("names.txt");

/// The names of one kind.
fn known(kind: &str) -> impl Iterator<Item = &'static str> + '_ {
    NAMES.lines().filter_map(move |line| line.strip_prefix(kind)?.strip_prefix(' '))
}

/// Aliases of whole formats that come with the crate.
pub fn aliases() -> impl Iterator<Item = &'static str> {
    known("alias")
}

/// The format of a matrix all elements of which, of the type `of`, are stored.
pub fn matrix(of: &str) -> String {
    format!("`{}<{of}>`", known("matrix").next().unwrap_or_default())
}

/// The path of the operator `name`, if one of that name comes with the crate.
pub fn operator(name: &str) -> Option<String> {
    known("operator").any(|own| own == name).then(|| format!("looplets::semiring::{name}"))
}

/// A leaf of values of the type `of`.
pub(super) fn leaf(of: &str) -> String {
    format!("{}<{of}>", known("leaf").next().unwrap_or_default())
}

/// A whole format, level by level.
pub(super) fn whole() -> String {
    format!("`Tensor<{}<{}>>`", known("level").next().unwrap_or_default(), leaf("f64"))
}

/// Whether `ty` is a format whatever it is used for: a `Tensor`, or one of the aliases that come with the crate.
pub fn is_built_in(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = bare(ty) else { return false };
    let last = p.path.segments.last();
    last.is_some_and(|s| {
        s.ident == "Tensor"
            || s.ident == super::BY_COLUMNS
            || aliases().any(|alias| s.ident == alias)
    })
}

/// Why `path` is no format, where that is clear without asking for its declaration.
pub(super) fn no_format(path: &TokenStream, generics: &[String]) -> Option<String> {
    let name = path.to_string();
    if generics.contains(&name) {
        return Some("is a type parameter: a kernel is compiled for one format, and only the types of values and coordinates can be parameters".to_owned());
    }
    match name.as_str() {
        "Vec" => Some(
            "is not a format: an array of Rust is an operand of its own, `x: &[f64]`".to_owned(),
        ),
        p if PRIMITIVES.contains(&p) => Some(format!(
            "is a type of values, not a format: a tensor ends in a leaf that holds them, `{}`",
            leaf("f64")
        )),
        _ => holder(path).map(str::to_owned),
    }
}

/// What is said of a type that can be no format.
fn not_one() -> String {
    format!("expected a format: an alias, or a level for each dimension around a leaf, {}", whole())
}

/// The type of a level; anything else that can stand between `<` and `>` is no format.
pub(super) fn format_type(tokens: &TokenStream) -> Result<syn::Type, Stop> {
    syn::parse2(tokens.clone()).map_err(|_| stop(tokens, not_one()))
}

pub(super) fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(g) => bare(&g.elem),
        syn::Type::Paren(p) => bare(&p.elem),
        other => other,
    }
}

/// A type taken apart.
pub(super) struct Named {
    /// Its path without arguments.
    pub path: TokenStream,
    /// The last name of the path.
    pub name: Ident,
    pub args: Vec<TokenStream>,
}

pub(super) fn split(ty: &syn::Type) -> Result<Named, Stop> {
    let syn::Type::Path(p) = bare(ty) else { return Err(stop(ty, not_one())) };
    let mut path = p.path.clone();
    let last = path.segments.last_mut().expect("a path has a segment");
    let mut args = Vec::new();
    if let syn::PathArguments::AngleBracketed(a) = &last.arguments {
        // A kernel is compiled for any lifetimes.
        let named = |a: &&syn::GenericArgument| !matches!(a, syn::GenericArgument::Lifetime(_));
        args.extend(a.args.iter().filter(named).map(ToTokens::to_token_stream));
    }
    last.arguments = syn::PathArguments::None;
    let name = last.ident.clone();
    Ok(Named { path: quote!(#path), name, args })
}

impl Named {
    /// How the level that this is, `ty`, stands in a whole format.
    pub fn held(&self, ty: &syn::Type) -> String {
        let over_values = self.args.first().is_some_and(|a| PRIMITIVES.contains(&text(a).as_str()));
        let over =
            |line: &'static str| line.split_once(' ').filter(|(level, _)| self.name == level);
        match (over_values, known("over").find_map(over)) {
            (true, Some((_, formats))) => formats.replace("..", &text(&self.args[0])),
            (true, None) => {
                let value = text(&self.args[0]);
                format!("`Tensor<{}>`", text(ty).replacen(&value, &leaf(&value), 1))
            }
            _ => format!("`Tensor<{}>`", text(ty)),
        }
    }
    /// The type with `_` for the last of the parameters of an alias, if it may be left out, and what that stands for.
    pub fn opened(
        &self,
        params: &[Param],
        bound: &[(Ident, TokenStream)],
    ) -> Option<(String, String)> {
        let ((_, fill), others) = bound.split_last()?;
        params.last()?.default.as_ref()?;
        let mut args: Vec<String> = others.iter().map(|(_, a)| text(a)).collect();
        args.push("_".to_owned());
        Some((format!("{}<{}>", text(&self.path), args.join(", ")), fill.to_string()))
    }
    /// The error for `_` in the place of `param`, the parameter at `k`, of which only a fill may be left open.
    fn no_fill(&self, k: usize, params: &[Param]) -> Option<Stop> {
        let arg = self.args.get(k).filter(|a| a.to_string() == "_")?;
        let default =
            params[k].default.as_ref().filter(|d| PRIMITIVES.contains(&text(d).as_str()))?;
        let mut args: Vec<String> = self.args.iter().map(text).collect();
        args[k] = text(default);
        if args.len() < params.len() {
            args.insert(k + 1, "_".to_owned());
        }
        let (name, parameter) = (&self.name, &params[k].name);
        Some(stop(arg, format!("`_` leaves a fill open, and the parameter `{parameter}` of `{name}` is none: give it as well, `{name}<{}>`", args.join(", "))))
    }
    /// What each parameter stands for.
    pub fn bind(&self, params: &[Param]) -> Result<Vec<(Ident, TokenStream)>, Stop> {
        let Named { path, name, args } = self;
        let needed = params.iter().filter(|p| p.default.is_none()).count();
        if args.len() < needed || args.len() > params.len() {
            let list: Vec<String> = params.iter().map(|p| p.name.to_string()).collect();
            let list =
                if list.is_empty() { String::new() } else { format!("<{}>", list.join(", ")) };
            let range = match (needed, params.len()) {
                (_, 0) => "no arguments".to_owned(),
                (a, b) if a == b => count(b, "argument", "arguments"),
                (a, b) if a + 1 == b => format!("{a} or {b} arguments"),
                (a, b) => format!("{a} to {b} arguments"),
            };
            let message = format!("`{name}{list}` takes {range}, found {}", args.len());
            return Err(stop(args.get(params.len()).unwrap_or(path), message));
        }
        if let Some(stop) = (0..params.len()).find_map(|k| self.no_fill(k, params)) {
            return Err(stop);
        }
        if let Some((k, write)) = self.misplaced_fill(params) {
            let (arg, param) = (text(&args[k]), &params[k].name);
            return Err(stop(&args[k], format!("`{arg}` stands where `{name}` has the type of its coordinates, `{param}`: {write}")));
        }
        let mut bound: Vec<(Ident, TokenStream)> = Vec::new();
        for (k, param) in params.iter().enumerate() {
            let value = match args.get(k) {
                Some(a) => {
                    let value = super::fill_literal(a, false);
                    if let (Some(ty), Some(lit @ Lit::Int(_))) = (&param.constant, value) {
                        if Ty::of(ty).value(&lit).is_err() {
                            let (parameter, ty) = (&param.name, text(ty));
                            return Err(stop(a, format!("`{}` does not fit `{ty}`, the type of the parameter `{parameter}` of `{name}`: write a value that does", text(a))));
                        }
                    }
                    a.clone()
                }
                None => {
                    let default = param.default.clone().expect("counted");
                    substitute(relocate(default, name.span()), &bound)
                }
            };
            bound.push((param.name.clone(), value));
        }
        Ok(bound)
    }
}

/// `tokens` of an alias with `'_` for its lifetimes, which have no names in kernels.
pub(super) fn unnamed(tokens: TokenStream, lifetimes: &[syn::Lifetime]) -> TokenStream {
    let mut quoted = false;
    let tree = |tree: TokenTree| {
        let behind = std::mem::replace(
            &mut quoted,
            matches!(&tree, TokenTree::Punct(p) if p.as_char() == '\''),
        );
        match tree {
            TokenTree::Ident(name) if behind && lifetimes.iter().any(|l| l.ident == name) => {
                Ident::new("_", name.span()).into()
            }
            TokenTree::Group(g) => {
                let mut group =
                    proc_macro2::Group::new(g.delimiter(), unnamed(g.stream(), lifetimes));
                group.set_span(g.span());
                group.into()
            }
            other => other,
        }
    };
    match lifetimes.is_empty() {
        true => tokens,
        false => tokens.into_iter().map(tree).collect(),
    }
}

impl Named {
    /// The argument that is a fill and stands where the type of coordinates does, with what to write instead.
    fn misplaced_fill(&self, params: &[Param]) -> Option<(usize, String)> {
        let is = |param: &Param, of: fn(&str) -> bool| {
            param.default.as_ref().is_some_and(|d| of(&d.to_string()))
        };
        let coordinates = |param: &Param| {
            param.constant.is_none()
                && is(param, |d| ["u8", "u16", "u32", "u64", "usize"].contains(&d))
        };
        let k = (0..self.args.len().min(params.len())).find(|k| coordinates(&params[*k]))?;
        let arg = &self.args[k];
        let marker = match written_fill(arg) {
            Some(marker) => marker,
            None => {
                Some(text(arg)).filter(|arg| FILLS.contains(&arg.split('<').next().unwrap_or(arg)))
            }
        };
        let rest = &params[k + 1..];
        let Some(f) = rest.iter().position(|p| is(p, |d| d.ends_with("Zero"))) else {
            let write = format!(
                "a fill stands in the leaf, behind the type of its values, as `{}`",
                marker?
            );
            return Some((k, write));
        };
        let Some(marker) = marker else {
            written_fill(arg)?;
            return Some((k, OWN.to_owned()));
        };
        let between = params[k..].iter().take(f + 1).filter_map(|p| p.default.as_ref()).map(text);
        let before = self.args[..k].iter().map(text);
        let all: Vec<String> = before.chain(between).chain([marker]).collect();
        Some((k, format!("write `{}<{}>`", self.name, all.join(", "))))
    }
}

/// The fill markers that come with the built-in formats.
const FILLS: [&str; 8] = ["Zero", "One", "Inf", "NegInf", "NaN", "Const", "True", "False"];

/// How another fill is named.
const OWN: &str =
    "a fill has a name: declare one, as in `fill! { pub fill Half: f32, f64 = 0.5; }`";

/// The marker of a fill, if one comes with the built-in formats.
fn marker(fill: &Lit) -> Option<String> {
    Some(match fill {
        Lit::Bool(true) => "True".to_owned(),
        Lit::Bool(false) => "False".to_owned(),
        Lit::Int(0) => "Zero".to_owned(),
        Lit::Int(1) => "One".to_owned(),
        Lit::Int(n) => format!("Const<{n}>"),
        Lit::Float(bits) if f64::from_bits(*bits) == f64::INFINITY => "Inf".to_owned(),
        Lit::Float(bits) if f64::from_bits(*bits) == f64::NEG_INFINITY => "NegInf".to_owned(),
        Lit::Float(_) | Lit::Missing => return None,
    })
}

/// The marker of the fill that `tokens` write as a value, `1` or `f64::INFINITY`, if one comes with the built-in formats.
pub(super) fn written_fill(tokens: &TokenStream) -> Option<Option<String>> {
    if let Some(lit) = super::fill_literal(tokens, false) {
        return Some(marker(&lit));
    }
    let text = text(tokens);
    let (sign, path) = text.strip_prefix('-').map_or(("", &*text), |path| ("-", path.trim()));
    let (_, constant) = path.rsplit_once("::")?;
    let marker = match (sign, constant) {
        ("", "INFINITY") | ("-", "NEG_INFINITY") => "Inf",
        ("-", "INFINITY") | ("", "NEG_INFINITY") => "NegInf",
        (_, "NAN") => "NaN",
        _ => return None,
    };
    Some(Some(marker.to_owned()))
}

/// What to write where `tokens` stand for a fill marker and are none.
pub(super) fn named_fill(tokens: &TokenStream) -> String {
    match written_fill(tokens) {
        Some(Some(marker)) => format!("write `{marker}`"),
        Some(None) => OWN.to_owned(),
        None => "such as `Zero`, `One` or `Const<5>`".to_owned(),
    }
}

/// `tokens` meaning what they mean where they were written, but reported at `span`.
pub(super) fn relocate(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            let own = tree.span();
            if let TokenTree::Group(g) = &tree {
                let inner = relocate(g.stream(), span);
                tree = TokenTree::Group(proc_macro2::Group::new(g.delimiter(), inner));
            }
            tree.set_span(own.located_at(span));
            tree
        })
        .collect()
}
