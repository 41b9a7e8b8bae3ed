//! Parses `level!` declarations, aliases and fill markers.

mod nest;
mod write;

use super::operator::OperatorDecl;
use super::rules::RulesDecl;
use super::*;
use nest::read;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{braced, parenthesized, Error, Result, Token};
use write::write;

mod kw {
    syn::custom_keyword!(fill);
    syn::custom_keyword!(fiber);
    syn::custom_keyword!(invariant);
    syn::custom_keyword!(join);
    syn::custom_keyword!(misnamed);
    syn::custom_keyword!(read);
    syn::custom_keyword!(rules);
    syn::custom_keyword!(split);
    syn::custom_keyword!(words);
    syn::custom_keyword!(sparse);
    syn::custom_keyword!(write);
    syn::custom_keyword!(leaf);
    syn::custom_keyword!(nodes);
    syn::custom_keyword!(swap);
    syn::custom_keyword!(insert);
    syn::custom_keyword!(remove);
    syn::custom_keyword!(build);
}

impl Parse for Decl {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Decl::read(input, false)
    }
}

impl Decl {
    /// The declaration in `tokens`; of a level what its type says, without what it does.
    pub fn head(tokens: TokenStream) -> Result<Self> {
        (|input: ParseStream<'_>| Decl::read(input, true)).parse2(tokens)
    }

    fn read(input: ParseStream<'_>, head: bool) -> Result<Self> {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let vis: syn::Visibility = input.parse()?;
        if input.peek(Token![type]) {
            input.parse::<Token![type]>()?;
            let name = input.parse()?;
            let (lifetimes, params) = params(input)?;
            input.parse::<Token![=]>()?;
            let target: syn::Type = input.parse()?;
            input.parse::<Token![;]>()?;
            return Ok(Decl::Alias(AliasDecl {
                attrs,
                vis,
                name,
                lifetimes,
                params,
                target: quote::quote!(#target),
            }));
        }
        if input.peek(kw::fill) {
            input.parse::<kw::fill>()?;
            let name: Ident = input.parse()?;
            let (lifetimes, params) = params(input)?;
            if let Some(lifetime) = lifetimes.first() {
                return Err(Error::new_spanned(
                    lifetime,
                    "a fill marker borrows nothing: leave out the lifetime",
                ));
            }
            let mut types = Vec::new();
            if input.parse::<Option<Token![:]>>()?.is_some() {
                types.push(input.parse()?);
                while input.parse::<Option<Token![,]>>()?.is_some() {
                    types.push(input.parse()?);
                }
            }
            let equals = input.parse::<Token![=]>()?;
            let value: syn::Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            if types.is_empty() && is_float(&value) {
                let message =
                    format!("name the types of values that have this fill: `{name}: f64 = ..`");
                return Err(Error::new_spanned(equals, message));
            }
            return Ok(Decl::Fill(FillDecl {
                attrs,
                vis,
                name,
                params,
                types,
                value: quote::quote!(#value),
            }));
        }
        if input.peek(kw::misnamed) {
            input.parse::<kw::misnamed>()?;
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            let write = input.parse::<syn::LitStr>()?.value();
            input.parse::<Token![;]>()?;
            return Ok(Decl::Misnamed(Misnamed { vis, name, write }));
        }
        if input.peek(Token![fn]) || input.peek(Token![const]) && input.peek2(Token![fn]) {
            return OperatorDecl::parse(input, attrs, vis).map(|o| Decl::Operator(Box::new(o)));
        }
        if input.peek(kw::rules) {
            return RulesDecl::parse(input, vis).map(Decl::Rules);
        }
        if !input.peek(Token![struct]) {
            return Err(Error::new(input.span(), "expected a declaration: a level is `pub struct Name<Child> { .. }`, an alias `pub type Name = ..;`, a fill marker `pub fill Name = ..;`, an operator `pub fn name(a: T, b: T) -> T { .. }`, a set of rules `pub rules name { .. }`"));
        }
        level(input, attrs, vis, head).map(|l| Decl::Level(Box::new(l)))
    }
}

fn params(input: ParseStream<'_>) -> Result<(Vec<syn::Lifetime>, Vec<Param>)> {
    let generics: syn::Generics = input.parse()?;
    let (mut lifetimes, mut out) = (Vec::new(), Vec::new());
    for param in generics.params {
        match param {
            syn::GenericParam::Type(t) => {
                let (name, bounds) = (&t.ident, &t.bounds);
                let decl = if bounds.is_empty() {
                    quote::quote!(#name)
                } else {
                    quote::quote!(#name: #bounds)
                };
                let default = t.default.as_ref().map(|(_, d)| quote::quote!(#d));
                out.push(Param { name: name.clone(), decl, default, constant: None });
            }
            syn::GenericParam::Const(c) => {
                let (name, ty) = (&c.ident, &c.ty);
                if name.to_string().starts_with(char::is_lowercase) {
                    // A local of this name would be a pattern that means the constant.
                    return Err(Error::new(name.span(), "a constant is written in capitals: a local of the same name would be taken for it"));
                }
                let decl = quote::quote!(const #name: #ty);
                let default = c.default.as_ref().map(|(_, d)| quote::quote!(#d));
                let constant = Some(quote::quote!(#ty));
                out.push(Param { name: name.clone(), decl, default, constant });
            }
            syn::GenericParam::Lifetime(l) if l.bounds.is_empty() => lifetimes.push(l.lifetime),
            other => {
                let message = "a format takes types, constants and lifetimes without bounds";
                return Err(Error::new_spanned(other, message));
            }
        }
    }
    Ok((lifetimes, out))
}

fn level(
    input: ParseStream<'_>,
    attrs: Vec<syn::Attribute>,
    vis: syn::Visibility,
    head: bool,
) -> Result<LevelDecl> {
    input.parse::<Token![struct]>()?;
    let name: Ident = input.parse()?;
    let (lifetimes, params) = params(input)?;
    let mut level = LevelDecl {
        name,
        attrs,
        vis,
        lifetimes,
        params,
        fields: Vec::new(),
        invariant: None,
        fiber: None,
        vouched: None,
        reads: Vec::new(),
        write: None,
        in_order: None,
        leaf: None,
        split: None,
        join: None,
        words: None,
        schema: None,
        swap: None,
        own: home::Own::new(),
    };
    let body;
    braced!(body in input);
    while !body.is_empty() {
        body.call(syn::Attribute::parse_outer)?;
        if body.peek(Token![unsafe]) || body.peek(kw::nodes) && !body.peek2(Token![:]) {
            let vouched = body.parse::<Option<Token![unsafe]>>()?.map(|u| u.span);
            let at = body.parse::<kw::nodes>()?.span;
            let schema = schema::schema(&body, at, vouched)?;
            for (name, elem) in schema.all_arrays() {
                let (ty, elem) = (syn::parse_quote!(::std::vec::Vec<#elem>), syn::parse2(elem)?);
                level.fields.push(Field { name, ty, kind: FieldKind::Array(elem) });
            }
            set_once(&mut level.schema, schema, at, "nodes")?;
            body.parse::<Option<Token![,]>>()?;
            continue;
        }
        let name: Ident = body.parse()?;
        body.parse::<Token![:]>()?;
        let ty: syn::Type = body.parse()?;
        let kind = field_kind(&name, &ty);
        level.fields.push(Field { name, ty, kind });
        if !body.is_empty() {
            body.parse::<Token![,]>()?;
        }
    }
    if head {
        level.leaf = leaf_alone(input)?;
        return Ok(level);
    }
    while !input.is_empty() {
        let at = input.span();
        if input.peek(Token![unsafe]) || input.peek(kw::invariant) {
            level.vouched = input.parse::<Option<Token![unsafe]>>()?.map(|u| u.span);
            input.parse::<kw::invariant>()?;
            let clause = clause(input, "invariant(fibers) { .. }")?;
            set_once(&mut level.invariant, clause, at, "invariant")?;
        } else if input.peek(kw::fiber) {
            input.parse::<kw::fiber>()?;
            let shown = "fiber((a, b)) { .. }";
            let (a, b, none) = arguments(input, shown)?;
            let (Some(b), None) = (b, none) else {
                return Err(Error::new(at, format!("expected `{shown}`")));
            };
            let body;
            braced!(body in input);
            set_once(&mut level.fiber, (a, b, body.parse()?), at, "fiber")?;
        } else if input.peek(kw::leaf) {
            input.parse::<kw::leaf>()?;
            if !level.reads.is_empty() {
                // How a `read` is parsed depends on it.
                return Err(Error::new(at, "`leaf Type = Fill;` stands before the first `read`"));
            }
            set_once(&mut level.leaf, leaf(input)?, at, "leaf")?;
        } else if input.peek(kw::read) {
            input.parse::<kw::read>()?;
            level.reads.extend(read(input, level.leaf.is_some())?);
        } else if input.peek(kw::write) {
            input.parse::<kw::write>()?;
            set_once(&mut level.write, write(input)?, at, "write")?;
        } else if input.peek(kw::split) {
            input.parse::<kw::split>()?;
            let shown = "split(p, i) { child position }";
            let (p, None, Some(i)) = arguments(input, shown)? else {
                return Err(Error::new(at, format!("expected `{shown}`")));
            };
            let body;
            braced!(body in input);
            set_once(&mut level.split, (p, i, body.parse()?), at, "split")?;
        } else if input.peek(kw::words) || input.peek(kw::sparse) {
            set_once(&mut level.words, words(input)?, at, "words")?;
        } else if input.peek(kw::join) {
            input.parse::<kw::join>()?;
            let fields = joins(input, &level.fields)?;
            set_once(&mut level.join, fields, at, "join")?;
        } else if input.peek(kw::swap) {
            input.parse::<kw::swap>()?;
            let (a, b, code) = pair(input, "swap(a, b) { .. }")?;
            set_once(&mut level.swap, (a, b, code), at, "swap")?;
        } else if let (Some(change), Some(schema)) = (change(input), &mut level.schema) {
            let name: Ident = input.parse()?;
            let (p, i, code) = pair(input, &format!("{name}(p, i) {{ .. }}"))?;
            if schema.clause(change).is_some() {
                return Err(Error::new(at, format!("`{name}` is given twice: leave one")));
            }
            schema.clauses.push((change, vec![p, i], code));
        } else if change(input).is_some() {
            let name: Ident = input.parse()?;
            let message = format!("`{name}` is of a level that is made of nodes, `nodes {{ .. }}`: one of arrays says by `write` how entries come");
            return Err(Error::new(at, message));
        } else {
            return Err(input.error(
                "expected `invariant`, `unsafe invariant`, `fiber`, `leaf`, `read`, `write`, `split`, `words`, `join` or `swap`",
            ));
        }
    }
    schema::complete(&mut level, |input| read(input, false), write)?;
    validate(&level)?;
    Ok(level)
}

/// The keyword of a clause that says how entries come and go, which only a level with a schema has.
fn change(input: ParseStream<'_>) -> Option<schema::Change> {
    match () {
        () if input.peek(kw::insert) => Some(schema::Change::Insert),
        () if input.peek(kw::remove) => Some(schema::Change::Remove),
        () if input.peek(kw::build) => Some(schema::Change::Build),
        () => None,
    }
}

/// `(a, b) { code }`
fn pair(input: ParseStream<'_>, shown: &str) -> Result<(Ident, Ident, TokenStream)> {
    let (a, None, Some(b)) = arguments(input, shown)? else {
        return Err(input.error(format!("expected `{shown}`")));
    };
    let body;
    braced!(body in input);
    Ok((a, b, body.parse()?))
}

/// `words(p, w) { array[position] }`, or `sparse words(..)`.
fn words(input: ParseStream<'_>) -> Result<Words> {
    let sparse = input.parse::<Option<kw::sparse>>()?.is_some();
    let shown = "words(p, w) { array[position] }";
    form::<kw::words>(input, input.span(), &format!("`{shown}`"))?;
    let (p, w, code) = pair(input, shown)?;
    let word = |input: ParseStream<'_>| input.parse::<syn::Expr>();
    let e = super::clause::within(&code, word)?;
    let syn::Expr::Index(x) = &e else {
        return Err(Error::new_spanned(&e, format!("expected `{shown}`: an element of a field")));
    };
    let array = match &*x.expr {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    };
    let Some(array) = array else {
        return Err(Error::new_spanned(&e, format!("expected `{shown}`: an element of a field")));
    };
    Ok(Words { p, w, array, at: (*x.index).clone(), sparse })
}

/// `Type = Fill;`
fn leaf(input: ParseStream<'_>) -> Result<Leaf> {
    let value = input.parse()?;
    input.parse::<Token![=]>()?;
    let fill: syn::Type = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(Leaf { value, fill: quote::quote!(#fill) })
}

/// The `leaf` clause, which stands before the first `read`, of all there are.
fn leaf_alone(input: ParseStream<'_>) -> Result<Option<Leaf>> {
    let mut found = None;
    while !input.is_empty() {
        if found.is_none() && input.peek(kw::leaf) {
            input.parse::<kw::leaf>()?;
            found = Some(leaf(input)?);
        } else if input.peek(kw::read) {
            input.parse::<TokenStream>()?;
        } else {
            // Behind `write` is a name, which may be any.
            let write = input.peek(kw::write);
            input.parse::<TokenTree>()?;
            if write && !input.is_empty() {
                input.parse::<TokenTree>()?;
            }
        }
    }
    Ok(found)
}

/// `(pos: offsets, crd: coordinates);`
fn joins(input: ParseStream<'_>, fields: &[Field]) -> Result<Vec<(Ident, Joined)>> {
    let list;
    let paren = parenthesized!(list in input);
    input.parse::<Token![;]>()?;
    let mut out: Vec<(Ident, Joined)> = Vec::new();
    while !list.is_empty() {
        let name: Ident = list.parse()?;
        list.parse::<Token![:]>()?;
        let word: Ident = list.parse()?;
        let field = fields.iter().find(|f| f.name == name);
        let is = |f: fn(&FieldKind) -> bool| field.is_some_and(|field| f(&field.kind));
        let how =
            match word.to_string().as_str() {
                "offsets" if is(|k| matches!(k, FieldKind::Array(_))) => Joined::Offsets,
                "entries" if is(|k| matches!(k, FieldKind::Array(_))) => Joined::Entries,
                "coordinates" if is(|k| matches!(k, FieldKind::Array(_))) => Joined::Coordinates,
                "sum" if is(|k| matches!(k, FieldKind::Len)) => Joined::Sum,
                _ => return Err(Error::new(
                    word.span(),
                    "an array becomes `offsets`, `entries` or `coordinates`, the size `len: sum`",
                )),
            };
        out.push((name, how));
        if !list.is_empty() {
            list.parse::<Token![,]>()?;
        }
    }
    let said = |f: &Field| out.iter().any(|(name, _)| *name == f.name);
    let silent = fields.iter().find(|f| match f.kind {
        FieldKind::Array(_) => !said(f),
        FieldKind::Scalar(_) => true,
        FieldKind::Len | FieldKind::Child => false,
    });
    match silent {
        Some(f) => Err(Error::new(paren.span.join(), format!("`join` says nothing of `{}`: each array becomes `offsets`, `entries` or `coordinates`, and a level with other numbers is not joined", f.name))),
        None => Ok(out),
    }
}

/// Sets a clause that may be given once.
fn set_once<T>(slot: &mut Option<T>, value: T, at: Span, name: &str) -> Result<()> {
    if slot.replace(value).is_some() {
        return Err(Error::new(at, format!("`{name}` is given twice: leave one")));
    }
    Ok(())
}

/// `token`, or an error that shows the whole form: at what stands there, else at `keyword`.
fn form<T: Parse>(input: ParseStream<'_>, keyword: Span, form: &str) -> Result<T> {
    let at = if input.is_empty() { keyword } else { input.span() };
    input.parse().map_err(|_| Error::new(at, format!("expected {form}")))
}

fn validate(level: &LevelDecl) -> Result<()> {
    let at = |m: &str| Err(Error::new(level.name.span(), m));
    let has = |f: fn(&FieldKind) -> bool| level.fields.iter().filter(|x| f(&x.kind)).count();
    if level.reads.is_empty() {
        return at("a level needs at least one `read` protocol");
    }
    if level.leaf.is_none() {
        if has(|k| matches!(k, FieldKind::Len)) != 1 {
            return at("a level needs the size of its dimension: a field `len: usize`");
        }
        if has(|k| matches!(k, FieldKind::Child)) != 1 {
            return at("a level needs one field `child: Child`; a level of values says `leaf Type = Fill;` before its `read`");
        }
        if let Some(w) = &level.write {
            if w.children.is_none() || w.child.is_none() {
                return Err(Error::new(
                    w.name.span(),
                    "`write` of a level needs `child: position` and `children(fibers) { count }`",
                ));
            }
        }
    }
    if level.invariant.is_none() {
        return at("a level needs `invariant(fibers) { .. }`: Rust that checks the fields and gives `Ok(number of child fibers)` or `Err(reason)`");
    }
    if let (true, Some(one)) = (level.ranges(), level.reads.iter().find(|r| r.end.is_none())) {
        let message = "the fibers of a level are ranges in every protocol or in none";
        return Err(Error::new(one.p.span(), message));
    }
    for f in &level.fields {
        if let FieldKind::Scalar(ty) = &f.kind {
            if quote::quote!(#ty).to_string() != "usize" {
                let message = format!(
                    "`{}` is neither an array nor a number: a field is a `Vec<T>`, a `&'a [T]` or a `usize`",
                    f.name
                );
                return Err(Error::new_spanned(ty, message));
            }
        }
    }
    let borrowed = level.fields.iter().find(|f| matches!(f.ty, syn::Type::Reference(_)));
    let writes = level.write.is_some() || level.join.is_some() || level.swap.is_some();
    if let (Some(field), true) = (borrowed, writes) {
        let message = format!("`{}` is borrowed, so the level is read alone: leave out `write`, `join` and `swap`, or hold a `Vec`", field.name);
        return Err(Error::new_spanned(&field.ty, message));
    }
    super::elements::check(level)?;
    if let Some(place) = level.write.as_ref().and_then(|w| w.place.as_ref()) {
        let array = |f: &Field, e: &syn::Expr| {
            matches!(f.kind, FieldKind::Array(_))
                && matches!(e, syn::Expr::Path(p) if p.path.is_ident(&f.name))
        };
        match place {
            syn::Expr::Index(x) if level.fields.iter().any(|f| array(f, &x.expr)) => {}
            _ => {
                return Err(Error::new_spanned(
                    place,
                    "`place` is an element of a field, `array[position]`",
                ))
            }
        }
    }
    super::elements::check_words(level)?;
    let mut seen: Vec<&Ident> = Vec::new();
    for name in level.reads.iter().flat_map(|r| &r.names) {
        if seen.contains(&name) {
            let message = format!("protocol `{name}` is declared twice: leave one");
            return Err(Error::new(name.span(), message));
        }
        seen.push(name);
    }
    Ok(())
}

fn field_kind(name: &Ident, ty: &syn::Type) -> FieldKind {
    if name == "len" {
        return FieldKind::Len;
    }
    if name == "child" {
        return FieldKind::Child;
    }
    if let syn::Type::Reference(to) = ty {
        if let (syn::Type::Slice(slice), None) = (&*to.elem, to.mutability) {
            return FieldKind::Array((*slice.elem).clone());
        }
    }
    if let syn::Type::Path(path) = ty {
        if let Some(last) = path.path.segments.last() {
            if last.ident == "Vec" {
                if let syn::PathArguments::AngleBracketed(args) = &last.arguments {
                    if let Some(syn::GenericArgument::Type(t)) = args.args.first() {
                        return FieldKind::Array(t.clone());
                    }
                }
            }
        }
    }
    FieldKind::Scalar(ty.clone())
}

/// `(name) { tokens }`, the rest of the clause that looks like `shown`.
fn clause(input: ParseStream<'_>, shown: &str) -> Result<(Ident, TokenStream)> {
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(input.span(), format!("expected `{shown}`")));
    }
    let arg;
    parenthesized!(arg in input);
    let name = arg.parse()?;
    input.parse::<Option<Token![:]>>()?;
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(input.span(), format!("expected `{shown}`")));
    }
    let body;
    braced!(body in input);
    Ok((name, body.parse()?))
}

/// `(p)`, `(p, i)` or, for a range, `((a, b), i)`: the arguments of a protocol that looks like `shown`.
#[allow(clippy::type_complexity)]
fn arguments(input: ParseStream<'_>, shown: &str) -> Result<(Ident, Option<Ident>, Option<Ident>)> {
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(input.span(), format!("expected `{shown}`")));
    }
    let args;
    parenthesized!(args in input);
    let (p, end) = if args.peek(syn::token::Paren) {
        let pair;
        parenthesized!(pair in args);
        let first = pair.parse()?;
        pair.parse::<Token![,]>()?;
        (first, Some(pair.parse()?))
    } else {
        (args.parse()?, None)
    };
    let i = if args.parse::<Option<Token![,]>>()?.is_some() { Some(args.parse()?) } else { None };
    if !args.is_empty() || !input.peek(syn::token::Brace) {
        let at = if args.is_empty() { input.span() } else { args.span() };
        return Err(Error::new(at, format!("expected `{shown}`")));
    }
    Ok((p, end, i))
}

/// Whether `e` is a literal with a fraction.
fn is_float(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Unary(unary) => is_float(&unary.expr),
        syn::Expr::Lit(lit) => matches!(&lit.lit, syn::Lit::Float(_)),
        _ => false,
    }
}
