//! Turns the format types of a header into chains of levels, asking for the declarations by name.
//!
//! The compiler sees only tokens, so a declaration must be fetched through the macro of its name;
//! a walk over the types either finds all it needs or says which name to call next.

mod arrays;
mod named;
mod todo;

use crate::cin::Lit;
use crate::decl::{identity::Origin, Decl, FillDecl, Fingerprint, LevelDecl};
use crate::diagnostics::text;
use crate::types::Ty;
use crate::values::Misfit;
use named::{
    bare, format_type, named_fill, no_format, relocate, split, stop, unnamed, Named, PRIMITIVES,
};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

pub use crate::decl::substitute;
pub use arrays::{elements, held, is_slice};
pub use named::{aliases, is_built_in, is_primitive, matrix, operator};
pub use todo::Todo;

/// What stands around levels of which the outermost is the last dimension, where `Tensor` stands around others.
pub const BY_COLUMNS: &str = "ByColumns";

/// Declarations fetched so far, by the key under which they were asked for.
#[derive(Default)]
pub struct Library {
    decls: HashMap<String, Fetched>,
    /// The path of the run-time crate, which has the format of arrays; nothing where declarations are found by name.
    krate: TokenStream,
}

/// A declaration that has been fetched. Each step of fetching looks at few of those before, and at their
/// heads only.
struct Fetched {
    tokens: TokenStream,
    origin: String,
    head: OnceCell<Rc<Decl>>,
    whole: OnceCell<Rc<Decl>>,
    print: OnceCell<Fingerprint>,
}

impl Fetched {
    fn head(&self) -> syn::Result<Rc<Decl>> {
        if let Some(known) = self.whole.get().or_else(|| self.head.get()) {
            return Ok(known.clone());
        }
        let decl = Rc::new(Decl::head(self.tokens.clone())?);
        Ok(self.head.get_or_init(|| decl).clone())
    }
    fn whole(&self) -> syn::Result<&Rc<Decl>> {
        if let Some(known) = self.whole.get() {
            return Ok(known);
        }
        let decl = Rc::new(syn::parse2(self.tokens.clone())?);
        Ok(self.whole.get_or_init(|| decl))
    }
    fn print(&self) -> Fingerprint {
        *self.print.get_or_init(|| crate::decl::fingerprint(&self.origin, &self.tokens))
    }
    fn home(&self) -> String {
        Origin::home_of(&self.origin).to_owned()
    }
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
    pub fingerprint: Fingerprint,
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
    /// What the declaration of the fill marker is known by, if there is one.
    pub fill_print: Option<Fingerprint>,
    /// The type as written with its fill left open, if an alias has a parameter for that.
    pub opened: Option<String>,
    /// Whether its last dimension is the outermost level: a matrix stored by columns.
    pub by_columns: bool,
}

/// Why a walk stopped.
pub enum Stop {
    /// A declaration is missing: call the macro at this path.
    Need(String, TokenStream),
    /// The type is no format.
    Error(syn::Error),
}

impl Chain {
    /// Whether the type could have named another fill: a `Pattern` could not.
    pub fn has_choice(&self) -> bool {
        let leaf = self.levels.last().map(LevelUse::level);
        leaf.is_some_and(|l| {
            let fill = l.leaf.as_ref().map(|leaf| leaf.fill.to_string());
            l.params.iter().any(|p| Some(p.name.to_string()) == fill)
        })
    }
    /// Whether the type leaves the fill open: `Element<f64, _>`.
    pub fn open_fill(&self) -> bool {
        self.fill_type.to_string() == "_"
    }
    /// The type, or its leaf alone, with the fill left open.
    pub fn opened(&self) -> String {
        self.opened.clone().unwrap_or_else(|| named::leaf(&format!("{}, _", text(&self.value))))
    }
    /// Puts `marker` where the type leaves the fill open, and gives `ty` with it.
    pub fn close_fill(&mut self, ty: &syn::Type, marker: &TokenStream) -> syn::Type {
        self.fill_type = marker.clone();
        for level in &mut self.levels {
            for (_, arg) in &mut level.args {
                *arg = closed(arg.clone(), marker);
            }
        }
        syn::parse2(closed(ty.to_token_stream(), marker)).unwrap_or_else(|_| ty.clone())
    }
    /// The name of the fill marker, without the path to it.
    pub fn marker(&self) -> String {
        let full = text(&self.fill_type);
        let head = full.split('<').next().unwrap_or(&full).len();
        full[..head].rsplit("::").next().unwrap_or_default().to_owned() + &full[head..]
    }
}

fn closed(tokens: TokenStream, marker: &TokenStream) -> TokenStream {
    let open = Ident::new("_", proc_macro2::Span::call_site());
    substitute(tokens, &[(open, marker.clone())])
}

/// The literal that the value of a fill marker is, if it is one; of a `bool`, 0 and 1 are too.
pub fn fill_literal(value: &TokenStream, bool: bool) -> Option<Lit> {
    let text = value.to_string().replace(' ', "");
    Some(match text.trim_matches(|c| c == '{' || c == '}') {
        "inf" => Lit::float(f64::INFINITY),
        "-inf" => Lit::float(f64::NEG_INFINITY),
        "missing" => Lit::Missing,
        "true" => Lit::Bool(true),
        "false" => Lit::Bool(false),
        // With its sign, or the digits as Rust has them, `0xff` or `1_000i64`.
        text => match (whole(text), text.parse::<f64>()) {
            (Some(n @ (0 | 1)), _) if bool => Lit::Bool(n == 1),
            (Some(n), _) => Lit::Int(n),
            (_, Ok(x)) if !x.is_nan() => Lit::float(x),
            _ => return None,
        },
    })
}

fn whole(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let literal: syn::LitInt = syn::parse_str(digits).ok()?;
    (!literal.suffix().starts_with('f'))
        .then(|| literal.base10_digits().parse().ok().map(|n: i128| sign * n))?
}

/// The value of a fill marker as one of `ty`, with `shown` for it in the message why there is none.
pub fn fill_of(lit: &Lit, ty: &Ty, shown: &str) -> Result<Lit, String> {
    let is = text(ty.tokens());
    match (ty.value(lit), lit) {
        (Ok(Lit::Bool(_)), _) if ty.is_integer() || ty.is_float() => {
            Err(format!("`{shown}` is no `{is}`: write a number"))
        }
        (Ok(lit), _) => Ok(lit),
        (Err(Misfit::Range), _) => {
            Err(format!("`{shown}` does not fit `{is}`, the type of the values: write a fill that does, `_` for what the reduction into it starts at, or declare values of another type"))
        }
        (Err(Misfit::Fraction), _) => {
            Err(format!("`{shown}` is no `{is}`, the type of the values: write a whole number"))
        }
        (Err(Misfit::Bool), _) => {
            Err(format!("`{shown}` is no `bool`, the type of the values: write `True` or `False`"))
        }
        (Err(Misfit::Number), _) if ty.parts().is_some() => {
            Err(format!("the fill `{shown}` is no `{is}`, the type of the values: declare one, as in `fill! {{ pub fill Nothing: {is} = (..); }}`, and name it in the format"))
        }
        (Err(Misfit::Number), _) => {
            Err(format!("the fill `{shown}` is no `{is}`, the type of the values: declare numbers, or name a fill of your own by `fill!`"))
        }
    }
}

/// Whether the value of a fill marker is NaN, of which rules know more than that it has a name.
pub fn is_nan(value: &TokenStream) -> bool {
    value.to_string() == "nan"
}

impl LevelUse {
    /// The declaration as a level.
    pub fn level(&self) -> &LevelDecl {
        match &*self.decl {
            Decl::Level(l) => l,
            _ => unreachable!("a chain holds levels only"),
        }
    }
    /// The level as one that is appended to in order and linked later, if it may be.
    pub fn in_order(&self) -> Option<LevelUse> {
        let mut decl = self.level().clone();
        decl.write = Some(decl.in_order.take()?);
        Some(LevelUse { decl: Rc::new(Decl::Level(Box::new(decl))), ..self.clone() })
    }
    /// `tokens` of the declaration with its parameters replaced by what they stand for.
    pub fn substitute(&self, tokens: TokenStream) -> TokenStream {
        if self.level().own.is_empty() {
            return substitute(tokens, &self.args);
        }
        let mut map = self.args.clone();
        let home = self.home();
        map.push((quote::format_ident!("{}", crate::decl::home::HOME), quote::quote!(<#home>)));
        substitute(tokens, &map)
    }
    /// Its type.
    pub fn home(&self) -> TokenStream {
        let (path, args) = (&self.path, self.args.iter().map(|(_, arg)| arg.clone()));
        // Which lifetimes these are, rustc finds out; `Self` has them.
        let lifetimes = match path.to_string().as_str() {
            "Self" => &[][..],
            _ => &self.level().lifetimes,
        };
        let borrowed = lifetimes.iter().map(|_| quote::quote!('_));
        let all: Vec<TokenStream> = borrowed.chain(args).collect();
        match all.is_empty() {
            true => path.clone(),
            false => quote::quote!(#path<#(#all),*>),
        }
    }
}

impl Library {
    /// One without declarations, of a program that finds the run-time crate at `krate`.
    pub fn of(krate: TokenStream) -> Library {
        Library { krate, ..Library::default() }
    }
    /// Adds a fetched declaration.
    pub fn add(&mut self, key: String, origin: String, tokens: TokenStream) {
        let (head, whole, print) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        self.decls.insert(key, Fetched { tokens, origin, head, whole, print });
    }
    /// Adds a declaration given as source text: for tests and for other front ends.
    pub fn add_source(&mut self, source: &str) -> syn::Result<()> {
        let tokens: TokenStream = source.parse().map_err(syn::Error::from)?;
        let decl: Decl = syn::parse2(tokens.clone())?;
        let name = decl.name().to_string();
        self.add(format!(":{name}"), String::new(), tokens);
        self.settle()
    }
    /// Reads all declarations, and has the code of levels call the functions of their types, once there is
    /// nothing left to fetch.
    pub fn settle(&mut self) -> syn::Result<()> {
        for fetched in self.decls.values_mut() {
            fetched.whole()?;
            let decl = fetched.whole.get_mut().expect("read just now");
            if let Decl::Level(level) = Rc::get_mut(decl).expect("no kernel has it yet") {
                // What the functions do is the affair of where they are declared.
                crate::decl::home::settle(level, &TokenStream::new())?;
            }
        }
        Ok(())
    }
    /// The chain of levels of `ty` when there is nothing left to fetch: a missing declaration is an
    /// error then. `generics` are the type parameters of the kernel, which name no declaration.
    pub fn resolved(&self, ty: &syn::Type, generics: &[String]) -> syn::Result<Chain> {
        let mut trail = Trail::new(ty, generics);
        self.walk(ty, "", &mut trail).map_err(|stop| match stop {
            Stop::Error(e) => e,
            Stop::Need(_, path) => {
                let value = trail.in_fill.then(|| named::written_fill(&path)).flatten().flatten();
                if let Some(marker) = value {
                    let message =
                        format!("expected a fill marker, the name of a `fill!`: write `{marker}`");
                    return syn::Error::new_spanned(&path, message);
                }
                let is = if trail.in_fill {
                    "is not a fill marker: no `fill!` of that name is in scope"
                } else {
                    "is not a format: no `level!` of that name is in scope"
                };
                syn::Error::new_spanned(&path, format!("{} {is}", trail.called(&path)))
            }
        })
    }

    fn walk(&self, ty: &syn::Type, origin: &str, trail: &mut Trail<'_>) -> Result<Chain, Stop> {
        let mut levels = Vec::new();
        let mut ty = ty.clone();
        let mut origin = origin.to_owned();
        let (mut held, mut by_columns) = (false, false);
        if let Some(elements) = elements(&ty) {
            ty = format_type(&arrays::format(&self.krate, elements))?;
        }
        loop {
            let named = split(&ty)?;
            let Named { path, name, args } = &named;
            let wrong = |message: String| Err(stop(path, message));
            if name == "Tensor" || name == BY_COLUMNS {
                match args.as_slice() {
                    _ if !levels.is_empty() => {
                        return wrong(format!(
                            "`{name}` stands around all levels: write the format here without it"
                        ))
                    }
                    [_] if held => return wrong(trail.held_already()),
                    [one] => {
                        held = true;
                        by_columns = name == BY_COLUMNS;
                        ty = format_type(one)?;
                        continue;
                    }
                    _ => {
                        let takes = format!("`{name}` takes one format, a level for each dimension around a leaf: {}", named::whole());
                        return Err(stop(args.get(1).unwrap_or(path), takes));
                    }
                }
            }
            if let Some(why) = no_format(path, trail.generics) {
                return wrong(format!("{} {why}", trail.called(path)));
            }
            let (decl, from, fingerprint) = match self.look(path, &origin, trail) {
                Err(stop) => {
                    trail.stopped = Some((origin, ty));
                    return Err(stop);
                }
                Ok(found) => found,
            };
            // What the declaration says is blamed on the name that stands for it.
            let here = |tokens: TokenStream| relocate(tokens, name.span());
            match &*decl {
                Decl::Alias(alias) => {
                    let bound = named.bind(&alias.params)?;
                    if trail.alias.is_none() {
                        trail.opened = named.opened(&alias.params, &bound);
                    }
                    let target = unnamed(here(alias.target.clone()), &alias.lifetimes);
                    ty = format_type(&substitute(target, &bound))?;
                    trail.alias = Some(name.to_string());
                    origin = from;
                }
                Decl::Fill(_) => {
                    return wrong(format!(
                        "{} is a fill marker, not a format: it goes inside a leaf, behind the type of its values",
                        trail.called(path)
                    ))
                }
                Decl::Misnamed(misnamed) => {
                    return wrong(format!(
                        "{} is not a format: {}",
                        trail.called(path),
                        misnamed.write
                    ))
                }
                other @ (Decl::Operator(_) | Decl::Rules(_)) => {
                    return wrong(format!("`{name}` is {}, not a format", other.kind()))
                }
                Decl::Level(_) if !held && !trail.fetching => {
                    return wrong(format!(
                        "{} is a level, and tensors hold levels: write {}",
                        trail.called(path),
                        named.held(&ty)
                    ))
                }
                Decl::Level(level) => {
                    let bound = named.bind(&level.params)?;
                    levels.push(LevelUse {
                        decl: decl.clone(),
                        path: path.clone(),
                        args: bound.clone(),
                        fingerprint,
                    });
                    if let Some(leaf) = &level.leaf {
                        let value = substitute(here(leaf.value.to_token_stream()), &bound);
                        let fill_type = substitute(here(leaf.fill.clone()), &bound);
                        trail.in_fill = true;
                        let fill = self.fill(&fill_type, &Ty::of(&value), &from, trail)?;
                        let (fill, fill_print) = fill.unzip();
                        let fits = |(text, fill): (String, String)| {
                            (fill == fill_type.to_string()).then_some(text)
                        };
                        let opened = trail.opened.take().and_then(fits);
                        return Ok(Chain {
                            levels,
                            value,
                            fill_type,
                            fill,
                            fill_print,
                            opened,
                            by_columns,
                        });
                    }
                    let child = &level.fields.iter().find(|f| f.name == "child").expect("validated").ty;
                    let child = substitute(here(child.to_token_stream()), &bound);
                    ty = format_type(&child)?;
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
        of: &Ty,
        origin: &str,
        trail: &Trail<'_>,
    ) -> Result<Option<(TokenStream, Fingerprint)>, Stop> {
        let no_marker =
            || format!("expected a fill marker, the name of a `fill!`: {}", named_fill(ty));
        let parsed: syn::Type = syn::parse2(ty.clone()).map_err(|_| stop(ty, no_marker()))?;
        if matches!(bare(&parsed), syn::Type::Infer(_)) {
            return Ok(None);
        }
        if !matches!(bare(&parsed), syn::Type::Path(_)) {
            return Err(stop(ty, no_marker()));
        }
        let named = split(&parsed)?;
        let Named { path, name, .. } = &named;
        if trail.generics.contains(&path.to_string()) {
            return Ok(None);
        }
        if PRIMITIVES.contains(&path.to_string().as_str()) {
            let is = "is a type of values, not a fill marker, the name of a `fill!`";
            return Err(stop(path, format!("`{name}` {is}")));
        }
        let (decl, _, print) = self.look(path, origin, trail)?;
        match &*decl {
            Decl::Fill(FillDecl { params, value, .. }) => {
                let value = substitute(value.clone(), &named.bind(params)?);
                let literal = fill_literal(&value, *of == Ty::Bool);
                let fits = literal.map(|lit| fill_of(&lit, of, &text(&value)));
                match (fits, named.args.first()) {
                    // What is no literal here: NaN, and values of a user's own type.
                    (Some(Err(message)), Some(arg)) => Err(stop(arg, message)),
                    (Some(Err(message)), None) => Err(stop(path, message)),
                    _ => Ok(Some((value, print))),
                }
            }
            _ => Err(stop(
                path,
                format!("`{name}` is {}, not a fill marker, the name of a `fill!`", decl.kind()),
            )),
        }
    }

    /// [`find`](Self::find), or its head alone if `trail` is to say what there is to fetch.
    fn look(
        &self,
        path: &TokenStream,
        origin: &str,
        trail: &Trail<'_>,
    ) -> Result<(Rc<Decl>, String, Fingerprint), Stop> {
        if !trail.fetching {
            return self.find(path, origin);
        }
        let fetched = self.fetched(path, origin)?;
        Ok((fetched.head().map_err(Stop::Error)?, fetched.home(), 0))
    }

    /// The declaration that `path` names where `origin` stands, with its own crate and fingerprint.
    pub fn find(
        &self,
        path: &TokenStream,
        origin: &str,
    ) -> Result<(Rc<Decl>, String, Fingerprint), Stop> {
        let fetched = self.fetched(path, origin)?;
        let decl = fetched.whole().map_err(Stop::Error)?.clone();
        Ok((decl, fetched.home(), fetched.print()))
    }

    fn fetched(&self, path: &TokenStream, origin: &str) -> Result<&Fetched, Stop> {
        let text = path.to_string().replace(' ', "");
        let key = if text.starts_with("$crate") {
            format!("{origin}:{text}")
        } else {
            format!(":{text}")
        };
        self.decls.get(&key).ok_or_else(|| Stop::Need(key, path.clone()))
    }
}

fn child_is_default(level: &LevelDecl, ty: &syn::Type) -> bool {
    let text = ty.to_token_stream().to_string();
    level.params.iter().any(|p| p.default.as_ref().is_some_and(|d| d.to_string() == text))
}

/// Where a walk has come, for its messages.
struct Trail<'a> {
    /// The type as the user wrote it.
    written: &'a syn::Type,
    generics: &'a [String],
    /// The last alias it went through.
    alias: Option<String>,
    /// The type with the last parameter of that alias left open, and what it stands for.
    opened: Option<(String, String)>,
    /// It has reached the fill marker.
    in_fill: bool,
    /// Nothing but what is missing is asked for.
    fetching: bool,
    /// Where a level was missing: where the type of it stands, and that type.
    stopped: Option<(String, syn::Type)>,
}

impl<'a> Trail<'a> {
    fn new(written: &'a syn::Type, generics: &'a [String]) -> Self {
        let (alias, opened, in_fill, fetching, stopped) = (None, None, false, false, None);
        Trail { written, generics, alias, opened, in_fill, fetching, stopped }
    }
    /// Why a format that is a tensor stands in no other.
    fn held_already(&self) -> String {
        let inner = split(self.written).ok().and_then(|named| named.args.into_iter().next());
        match (&self.alias, inner) {
            (Some(alias), Some(inner)) => {
                format!(
                    "`{alias}` is a tensor already: leave `Tensor<..>` out and write `{}`",
                    text(inner)
                )
            }
            _ => "a tensor holds levels, and no other tensor: write `Tensor<..>` once".to_owned(),
        }
    }
    /// `path` for a message; names that the user has not written say where they come from.
    fn called(&self, path: &TokenStream) -> String {
        let name = text(path);
        match &self.alias {
            Some(alias) if !text(self.written).contains(&name) => {
                format!("`{name}` (in the format that `{alias}` stands for)")
            }
            _ => format!("`{name}`"),
        }
    }
}
