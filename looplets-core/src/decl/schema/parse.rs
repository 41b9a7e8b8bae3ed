//! Parses the clause `nodes { .. }`.

use super::*;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{braced, bracketed, Error, Result, Token};

mod kw {
    syn::custom_keyword!(elem);
    syn::custom_keyword!(nonempty);
    syn::custom_keyword!(holes);
    syn::custom_keyword!(coded);
    syn::custom_keyword!(parent);
    syn::custom_keyword!(first);
    syn::custom_keyword!(last);
    syn::custom_keyword!(next);
    syn::custom_keyword!(size);
    syn::custom_keyword!(seq);
    syn::custom_keyword!(supertype);
}

/// `<Ix, Link> { root { .. } node { .. } }`; `nodes` and perhaps `unsafe` stand before it.
pub fn schema(input: ParseStream<'_>, at: Span, vouched: Option<Span>) -> Result<Schema> {
    let (mut coordinates, mut links) = (None, None);
    if input.parse::<Option<Token![<]>>()?.is_some() {
        coordinates = Some(input.parse()?);
        if input.parse::<Option<Token![,]>>()?.is_some() {
            links = Some(input.parse()?);
        }
        input.parse::<Token![>]>()?;
    }
    let body;
    braced!(body in input);
    let (mut defs, mut supertypes) = (Vec::new(), Vec::<Ident>::new());
    while !body.is_empty() {
        if body.peek(kw::supertype) && body.peek2(syn::Ident) {
            body.parse::<kw::supertype>()?;
            supertypes.push(body.parse()?);
            body.parse::<Token![;]>()?;
            continue;
        }
        defs.push(def(&body)?);
    }
    let mut schema = Schema { at, vouched, coordinates, links, defs, clauses: Vec::new() };
    check(&schema, &supertypes)?;
    coded::check(&mut schema)?;
    Ok(schema)
}

/// `bst { e: elem nonempty, l: bst, r: bst, seq = l, e, r }`
fn def(input: ParseStream<'_>) -> Result<Def> {
    let name: Ident = input.parse()?;
    let supertype = match input.parse::<Option<Token![:]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    let body;
    braced!(body in input);
    let (mut fields, mut seq) = (Vec::new(), None);
    while !body.is_empty() {
        if body.peek(kw::seq) && body.peek2(Token![=]) {
            body.parse::<kw::seq>()?;
            body.parse::<Token![=]>()?;
            seq = Some(items(&body)?);
            continue;
        }
        fields.push(part(&body)?);
        if !body.is_empty() {
            body.parse::<Token![,]>()?;
        }
    }
    Ok(Def { name, supertype, fields, seq })
}

/// `l, {e}, r`, `cf, {e, cr}`
fn items(input: ParseStream<'_>) -> Result<Vec<Item>> {
    let mut all = Vec::new();
    loop {
        if input.peek(syn::token::Brace) {
            let inner;
            let brace = braced!(inner in input);
            let names = inner.call(Punctuated::<Ident, Token![,]>::parse_terminated)?;
            let mut names = names.into_iter();
            all.push(match (names.next(), names.next(), names.next()) {
                (Some(one), None, _) => Item::Part(one),
                (Some(e), Some(c), None) => Item::Mixed(e, c),
                _ => {
                    return Err(Error::new(
                        brace.span.join(),
                        "between braces stand the entries of a block, `{e}`, or entries and the links between them, `{e, c}`",
                    ))
                }
            });
        } else {
            all.push(Item::Part(input.parse()?));
        }
        if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_none() || input.is_empty() {
            return Ok(all);
        }
    }
}

fn part(input: ParseStream<'_>) -> Result<Part> {
    let name: Ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let kind = if input.peek(kw::elem) {
        input.parse::<kw::elem>()?;
        PartKind::Elem(count(input)?)
    } else if input.peek(kw::parent) {
        input.parse::<kw::parent>()?;
        PartKind::Parent
    } else if input.peek(kw::first) && input.peek2(syn::Ident) {
        input.parse::<kw::first>()?;
        PartKind::First(input.parse()?)
    } else if input.peek(kw::last) && input.peek2(syn::Ident) {
        input.parse::<kw::last>()?;
        PartKind::Last(input.parse()?)
    } else if input.peek(kw::next) && input.peek2(syn::Ident) {
        input.parse::<kw::next>()?;
        PartKind::Next(input.parse()?)
    } else if input.peek(kw::size) {
        input.parse::<kw::size>()?;
        let mut bounds = None;
        if input.parse::<Option<Token![in]>>()?.is_some() {
            let range: syn::Expr = input.parse()?;
            bounds = match range {
                syn::Expr::Range(syn::ExprRange {
                    start: Some(lo),
                    limits: syn::RangeLimits::Closed(_),
                    end: Some(hi),
                    ..
                }) => Some(Box::new([*lo, *hi])),
                other => {
                    return Err(Error::new_spanned(
                        other,
                        "how many entries a node may hold is `size in least..=most`",
                    ))
                }
            };
        }
        PartKind::Size(bounds)
    } else {
        let to: Ident = input.parse()?;
        let meta = ["bool", "u8", "u16", "u32", "u64", "usize"].iter().any(|t| to == t);
        match meta {
            true => PartKind::Meta,
            false => PartKind::Link { to, count: count(input)? },
        }
    };
    let coded = input.parse::<Option<kw::coded>>()?.map(|word| word.span);
    input.parse::<Option<kw::nonempty>>()?;
    let holes = input.parse::<Option<kw::holes>>()?.map(|word| word.span);
    Ok(Part { name, kind, holes, coded })
}

/// Nothing, or `[B]`.
fn count(input: ParseStream<'_>) -> Result<Count> {
    if !input.peek(syn::token::Bracket) {
        return Ok(Count::One);
    }
    let inner;
    bracketed!(inner in input);
    let name = inner.parse()?;
    match inner.is_empty() {
        true => Ok(Count::Sized(name)),
        false => Err(inner.error("expected the field that says how many, as in `elem[n]`")),
    }
}

/// Names of locals and arrays in what is made of a schema.
const TAKEN: [&str; 19] = [
    "at", "child", "count", "crd", "first", "hi", "i", "keep", "kind", "last", "len", "link", "lo",
    "moves", "node", "p", "point", "slot", "spare",
];

fn check(s: &Schema, supertypes: &[Ident]) -> Result<()> {
    let Some(root) = s.defs.first() else {
        return Err(Error::new(s.at, "a schema needs a node: the first stands for a fiber"));
    };
    for (k, d) in s.defs.iter().enumerate() {
        if TAKEN.iter().any(|name| d.name == name) {
            let message = format!(
                "`{}` means something in the code made of a schema: choose another name",
                d.name
            );
            return Err(Error::new(d.name.span(), message));
        }
        if s.def(&d.name) != Some(k) {
            return Err(Error::new(d.name.span(), format!("there are two nodes `{}`", d.name)));
        }
        if let Some(one) = d.supertype.as_ref().filter(|one| !supertypes.contains(one)) {
            let message = format!("`{one}` is no supertype: say `supertype {one};` first");
            return Err(Error::new(one.span(), message));
        }
        for (n, f) in d.fields.iter().enumerate() {
            if d.fields[..n].iter().any(|g| g.name == f.name) {
                let message = format!("`{}` has two fields `{}`", d.name, f.name);
                return Err(Error::new(f.name.span(), message));
            }
            let entries = |f: &Part| matches!(f.kind, PartKind::Elem(_));
            if entries(f) && d.fields[..n].iter().any(entries) {
                return Err(Error::new(f.name.span(), "a node has one field of entries: what is stored apart stands in a node of its own"));
            }
            let block = matches!(f.kind, PartKind::Elem(Count::Sized(_)));
            if let Some(at) = f.holes.filter(|_| !block) {
                return Err(Error::new(at, "only a block of entries has holes: `elem[n] holes`"));
            }
            let sizes = |f: &Part| matches!(f.kind, PartKind::Size(_));
            if sizes(f) && d.fields[..n].iter().any(sizes) {
                return Err(Error::new(f.name.span(), "a node has one size"));
            }
            let (to, counted) = match &f.kind {
                PartKind::Link { to, count } => (Some(to), Some(count)),
                PartKind::First(to) | PartKind::Last(to) | PartKind::Next(to) => (Some(to), None),
                PartKind::Elem(count) => (None, Some(count)),
                _ => (None, None),
            };
            if let Some(to) = to {
                let leads = s.targets(to);
                if leads.is_empty() {
                    let message = format!("there is no node `{to}`");
                    return Err(Error::new(to.span(), message));
                }
                if leads.contains(&0) {
                    let message =
                        format!("`{}` stands for a fiber: no node leads to it", root.name);
                    return Err(Error::new(to.span(), message));
                }
            }
            if let Some(Count::Sized(size)) = counted {
                if !d.part(size).is_some_and(sizes) {
                    let message = format!("`{size}` is no size: say `{size}: size`, or `{size}: size in least..=most`");
                    return Err(Error::new(size.span(), message));
                }
                if matches!(f.kind, PartKind::Link { .. }) && d.bounds().is_none() {
                    return Err(Error::new(
                        size.span(),
                        "how many links a node has is bounded: `size in least..=most`",
                    ));
                }
            }
        }
        order(d)?;
    }
    if !s.ordered() {
        let fields = s.defs.iter().flat_map(|d| &d.fields);
        for f in fields {
            if let Some(at) = f.holes {
                return Err(Error::new(at, "a block in no order has no holes: the last entry goes where another went; or say in which order they are met, `seq = ..`"));
            }
            if matches!(f.kind, PartKind::First(_) | PartKind::Last(_) | PartKind::Next(_)) {
                return Err(Error::new(f.name.span(), "nothing is met first, last or next where entries are in no order: say in which order they are met, `seq = ..`"));
            }
        }
    }
    if !s.defs.iter().any(|d| d.elem().is_some()) {
        return Err(Error::new(s.at, "no node holds entries: a field `e: elem`"));
    }
    Ok(())
}

/// Each entry and each link is met once.
fn order(d: &Def) -> Result<()> {
    let met = |f: &&Part| matches!(f.kind, PartKind::Elem(_) | PartKind::Link { .. });
    let Some(seq) = &d.seq else {
        // What leads on to one thing is in its order; what has entries too has none.
        let one = |f: &Part| matches!(f.kind, PartKind::Link { count: Count::One, .. });
        let links = d.met().filter(|f| matches!(f.kind, PartKind::Link { .. }));
        return match links.count() {
            0 => Ok(()),
            1 if d.met().count() == 1 || d.met().any(one) => Ok(()),
            _ => Err(Error::new(
                d.name.span(),
                format!("`{}` does not say in which order its entries are met: `seq = ..`", d.name),
            )),
        };
    };
    let mut seen: Vec<&Ident> = Vec::new();
    for item in seq {
        let names = match item {
            Item::Part(name) => vec![name],
            Item::Mixed(e, c) => {
                let sizes = [e, c].map(|n| {
                    d.part(n).and_then(|f| match &f.kind {
                        PartKind::Elem(Count::Sized(n))
                        | PartKind::Link { count: Count::Sized(n), .. } => Some(n),
                        _ => None,
                    })
                });
                if sizes[0].is_none() || sizes[0] != sizes[1] {
                    return Err(Error::new(
                        c.span(),
                        format!("`{{{e}, {c}}}` are as many entries as links, of one size"),
                    ));
                }
                if let Some(at) = d.part(e).and_then(|f| f.holes) {
                    return Err(Error::new(at, "entries between which links stand have no holes"));
                }
                vec![e, c]
            }
        };
        for name in names {
            let Some(part) = d.part(name).filter(met) else {
                let message = format!("`{name}` is neither an entry nor a link of `{}`", d.name);
                return Err(Error::new(name.span(), message));
            };
            if seen.contains(&name) {
                return Err(Error::new(name.span(), format!("`{name}` is met twice")));
            }
            let alone = matches!(item, Item::Part(_));
            if alone && matches!(&part.kind, PartKind::Link { count: Count::Sized(_), .. }) {
                return Err(Error::new(
                    name.span(),
                    format!("links beside entries are met between them: `{{e, {name}}}`"),
                ));
            }
            seen.push(name);
        }
    }
    match d.fields.iter().filter(met).find(|f| !seen.contains(&&f.name)) {
        Some(f) => Err(Error::new(
            f.name.span(),
            format!("`seq` of `{}` does not say when `{}` is met", d.name, f.name),
        )),
        None => Ok(()),
    }
}
