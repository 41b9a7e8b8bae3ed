//! Parses `level!` declarations, aliases and fill markers.

use super::*;
use syn::parse::{Parse, ParseStream};
use syn::{braced, bracketed, parenthesized, Result, Token};

mod kw {
    syn::custom_keyword!(fill);
    syn::custom_keyword!(invariant);
    syn::custom_keyword!(read);
    syn::custom_keyword!(write);
    syn::custom_keyword!(leaf);
}

impl Parse for Decl {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let vis: syn::Visibility = input.parse()?;
        if input.peek(Token![type]) {
            input.parse::<Token![type]>()?;
            let name = input.parse()?;
            let params = params(input)?;
            input.parse::<Token![=]>()?;
            let target: syn::Type = input.parse()?;
            input.parse::<Token![;]>()?;
            return Ok(Decl::Alias(AliasDecl {
                attrs,
                vis,
                name,
                params,
                target: quote::quote!(#target),
            }));
        }
        if input.peek(kw::fill) {
            input.parse::<kw::fill>()?;
            let name = input.parse()?;
            let params = params(input)?;
            let mut types = Vec::new();
            if input.parse::<Option<Token![:]>>()?.is_some() {
                types.push(input.parse()?);
                while input.parse::<Option<Token![,]>>()?.is_some() {
                    types.push(input.parse()?);
                }
            }
            input.parse::<Token![=]>()?;
            let value: syn::Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            return Ok(Decl::Fill(FillDecl {
                attrs,
                vis,
                name,
                params,
                types,
                value: quote::quote!(#value),
            }));
        }
        level(input, attrs, vis).map(|l| Decl::Level(Box::new(l)))
    }
}

fn params(input: ParseStream<'_>) -> Result<Vec<Param>> {
    let generics: syn::Generics = input.parse()?;
    let mut out = Vec::new();
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
                out.push(Param { name: name.clone(), decl, default, is_const: false });
            }
            syn::GenericParam::Const(c) => {
                let (name, ty) = (&c.ident, &c.ty);
                let decl = quote::quote!(const #name: #ty);
                let default = c.default.as_ref().map(|(_, d)| quote::quote!(#d));
                out.push(Param { name: name.clone(), decl, default, is_const: true });
            }
            other => {
                return Err(syn::Error::new_spanned(
                    other,
                    "a format takes types and constants only",
                ))
            }
        }
    }
    Ok(out)
}

fn level(
    input: ParseStream<'_>,
    attrs: Vec<syn::Attribute>,
    vis: syn::Visibility,
) -> Result<LevelDecl> {
    input.parse::<Token![struct]>()?;
    let name: Ident = input.parse()?;
    let params = params(input)?;
    let mut level = LevelDecl {
        name,
        attrs,
        vis,
        params,
        fields: Vec::new(),
        invariant: None,
        vouched: None,
        reads: Vec::new(),
        write: None,
        leaf: None,
    };
    let body;
    braced!(body in input);
    while !body.is_empty() {
        body.call(syn::Attribute::parse_outer)?;
        let name: Ident = body.parse()?;
        body.parse::<Token![:]>()?;
        let ty: syn::Type = body.parse()?;
        let kind = field_kind(&name, &ty);
        level.fields.push(Field { name, ty, kind });
        if !body.is_empty() {
            body.parse::<Token![,]>()?;
        }
    }
    while !input.is_empty() {
        if input.peek(Token![unsafe]) || input.peek(kw::invariant) {
            level.vouched = input.parse::<Option<Token![unsafe]>>()?.map(|u| u.span);
            input.parse::<kw::invariant>()?;
            level.invariant = Some(clause(input)?);
        } else if input.peek(kw::leaf) {
            input.parse::<kw::leaf>()?;
            let value = input.parse()?;
            input.parse::<Token![=]>()?;
            let fill: syn::Type = input.parse()?;
            input.parse::<Token![;]>()?;
            level.leaf = Some(Leaf { value, fill: quote::quote!(#fill) });
        } else if input.peek(kw::read) {
            input.parse::<kw::read>()?;
            level.reads.push(read(input, level.leaf.is_some())?);
        } else if input.peek(kw::write) {
            input.parse::<kw::write>()?;
            level.write = Some(write(input)?);
        } else {
            return Err(
                input.error("expected `invariant`, `unsafe invariant`, `leaf`, `read` or `write`")
            );
        }
    }
    validate(&level)?;
    Ok(level)
}

fn validate(level: &LevelDecl) -> Result<()> {
    let at = |m: &str| Err(syn::Error::new(level.name.span(), m));
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
        let children =
            level.write.as_ref().is_none_or(|w| w.children.is_some() && w.child.is_some());
        if !children {
            return at("`write` of a level needs `child: position` and `children(fibers): count`");
        }
    }
    if level.invariant.is_none() {
        return at("a level needs `invariant(fibers) { .. }`: Rust that checks the fields and gives `Ok(number of child fibers)` or `Err(reason)`");
    }
    for (k, read) in level.reads.iter().enumerate() {
        for name in &read.names {
            if level.reads[..k].iter().any(|r| r.names.contains(name)) {
                return Err(syn::Error::new(
                    name.span(),
                    format!("protocol `{name}` is declared twice"),
                ));
            }
        }
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

/// `(name) { tokens }`
fn clause(input: ParseStream<'_>) -> Result<(Ident, TokenStream)> {
    let arg;
    parenthesized!(arg in input);
    let name = arg.parse()?;
    input.parse::<Option<Token![:]>>()?;
    let body;
    braced!(body in input);
    Ok((name, body.parse()?))
}

fn read(input: ParseStream<'_>, leaf: bool) -> Result<Read> {
    let mut names = vec![input.parse::<Ident>()?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        names.push(input.parse()?);
    }
    let args;
    parenthesized!(args in input);
    let p = args.parse()?;
    let i = if args.parse::<Option<Token![,]>>()?.is_some() { Some(args.parse()?) } else { None };
    let body;
    braced!(body in input);
    let nest = if leaf { Nest::Run(Payload::Value(body.parse()?)) } else { block(&body)? };
    if !body.is_empty() {
        return Err(
            body.error("expected the end of the protocol: one looplet nest, after its `let`s")
        );
    }
    Ok(Read { names, p, i, nest })
}

/// `let`s, then a nest.
fn block(input: ParseStream<'_>) -> Result<Nest> {
    let mut lets = Vec::new();
    while input.peek(Token![let]) {
        input.parse::<Token![let]>()?;
        let mutable = input.parse::<Option<Token![mut]>>()?.is_some();
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        lets.push(LetDecl { name, mutable, value });
    }
    let inner = nest(input)?;
    Ok(if lets.is_empty() { inner } else { Nest::Let(lets, Box::new(inner)) })
}

fn nest(input: ParseStream<'_>) -> Result<Nest> {
    if input.peek(syn::token::Brace) {
        let body;
        braced!(body in input);
        return block(&body);
    }
    if !input.peek(syn::Ident) || input.peek2(syn::token::Bracket) {
        return payload(input).map(Nest::Run);
    }
    let ahead = input.fork();
    let kind: Ident = ahead.parse()?;
    match kind.to_string().as_str() {
        "run" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            Ok(Nest::Run(payload(&args)?))
        }
        "spike" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            let body = payload(&args)?;
            args.parse::<Token![,]>()?;
            Ok(Nest::Spike(body, payload(&args)?))
        }
        "pipeline" => {
            input.parse::<Ident>()?;
            let body;
            braced!(body in input);
            let mut phases = Vec::new();
            while !body.is_empty() {
                body.parse::<Token![..]>()?;
                let stop =
                    if body.peek(Token![=>]) { None } else { Some(body.parse::<syn::Expr>()?) };
                body.parse::<Token![=>]>()?;
                phases.push((stop, nest(&body)?));
                body.parse::<Option<Token![,]>>()?;
            }
            if phases.last().is_none_or(|(stop, _)| stop.is_some()) {
                return Err(body.error("the last phase is `.. => looplet`, up to the end"));
            }
            Ok(Nest::Pipeline(phases))
        }
        "switch" => {
            input.parse::<Ident>()?;
            let body;
            braced!(body in input);
            let mut cases = Vec::new();
            while !body.is_empty() {
                let cond = if body.parse::<Option<Token![_]>>()?.is_some() {
                    None
                } else {
                    Some(body.parse::<syn::Expr>()?)
                };
                body.parse::<Token![=>]>()?;
                cases.push((cond, nest(&body)?));
                body.parse::<Option<Token![,]>>()?;
            }
            if cases.last().is_none_or(|(cond, _)| cond.is_some()) {
                return Err(body.error("the last case is `_ => looplet`"));
            }
            Ok(Nest::Switch(cases))
        }
        "shift" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            let delta = args.parse()?;
            args.parse::<Token![,]>()?;
            Ok(Nest::Shift(delta, Box::new(nest(&args)?)))
        }
        "lookup" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            args.parse::<Token![|]>()?;
            let i = args.parse()?;
            args.parse::<Token![|]>()?;
            Ok(Nest::Lookup(i, Box::new(nest(&args)?)))
        }
        "stepper" => {
            input.parse::<Ident>()?;
            Ok(Nest::Stepper(Box::new(stepper(input)?)))
        }
        "jumper" => {
            input.parse::<Ident>()?;
            Ok(Nest::Jumper(Box::new(stepper(input)?)))
        }
        _ => payload(input).map(Nest::Run),
    }
}

fn payload(input: ParseStream<'_>) -> Result<Payload> {
    if input.peek(kw::fill) {
        input.parse::<kw::fill>()?;
        return Ok(Payload::Fill);
    }
    let ahead = input.fork();
    if ahead.parse::<Ident>().is_ok_and(|n| n == "child") && ahead.peek(syn::token::Bracket) {
        input.parse::<Ident>()?;
        let index;
        bracketed!(index in input);
        return Ok(Payload::Child(index.parse()?));
    }
    Err(input.error(
        "expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`",
    ))
}

fn stepper(input: ParseStream<'_>) -> Result<StepperDecl> {
    let body;
    braced!(body in input);
    let (mut range, mut seek, mut stop, mut inner, mut next) = (None, None, None, None, None);
    while !body.is_empty() {
        if body.parse::<Option<Token![for]>>()?.is_some() {
            let q = body.parse()?;
            body.parse::<Token![in]>()?;
            let bounds: syn::Expr = body.parse()?;
            match bounds {
                syn::Expr::Range(syn::ExprRange { start: Some(a), end: Some(b), .. }) => {
                    range = Some((q, *a, *b));
                }
                other => return Err(syn::Error::new_spanned(other, "expected `lo..hi`")),
            }
        } else {
            let key: Ident = body.parse()?;
            let mut arg = None;
            if body.peek(syn::token::Paren) {
                let args;
                parenthesized!(args in body);
                arg = Some(args.parse::<Ident>()?);
            }
            body.parse::<Token![:]>()?;
            match (key.to_string().as_str(), arg) {
                ("seek", Some(i)) => seek = Some((i, body.parse()?)),
                ("stop", None) => stop = Some(body.parse()?),
                ("body", None) => inner = Some(nest(&body)?),
                ("next", None) => next = Some(body.parse()?),
                _ => {
                    return Err(syn::Error::new(
                        key.span(),
                        "expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..` or `next: ..`",
                    ))
                }
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    match (stop, inner) {
        (Some(stop), Some(inner)) if range.is_some() != next.is_some() => {
            Ok(StepperDecl { range, seek, stop, body: inner, next })
        }
        (Some(_), Some(_)) => {
            Err(body.error("a stepper has either `for q in lo..hi` or `next: ..`"))
        }
        _ => Err(body.error("a stepper needs `stop: ..` and `body: ..`")),
    }
}

fn write(input: ParseStream<'_>) -> Result<Write> {
    let name: Ident = input.parse()?;
    if !["append", "locate", "value"].iter().any(|n| name == n) {
        return Err(syn::Error::new(
            name.span(),
            "a write protocol is `append`, `locate` or, for a leaf, `value`",
        ));
    }
    let args;
    parenthesized!(args in input);
    let p = args.parse()?;
    let i = if args.parse::<Option<Token![,]>>()?.is_some() { Some(args.parse()?) } else { None };
    let mut write = Write {
        name,
        p,
        i,
        runs: false,
        open: None,
        child: None,
        commit: None,
        finish: None,
        children: None,
        reserve: None,
        place: None,
    };
    let body;
    braced!(body in input);
    while !body.is_empty() {
        let key: Ident = body.parse()?;
        let tokens = |body: ParseStream<'_>| -> Result<TokenStream> {
            body.parse::<Token![:]>()?;
            let inner;
            braced!(inner in body);
            inner.parse()
        };
        match key.to_string().as_str() {
            "runs" => write.runs = true,
            "open" => write.open = Some(tokens(&body)?),
            "commit" => write.commit = Some(tokens(&body)?),
            "child" => {
                body.parse::<Token![:]>()?;
                write.child = Some(body.parse()?);
            }
            "place" => {
                body.parse::<Token![:]>()?;
                write.place = Some(body.parse()?);
            }
            "finish" => write.finish = Some(clause(&body)?),
            "children" => write.children = Some(clause(&body)?),
            "reserve" => write.reserve = Some(clause(&body)?),
            _ => {
                return Err(syn::Error::new(
                    key.span(),
                    "expected `open`, `child`, `commit`, `children(fibers)`, `finish(fibers)`, or in a leaf `reserve(fibers)` and `place`",
                ))
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    Ok(write)
}
