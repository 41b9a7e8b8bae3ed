//! Read protocols: looplet nests.

use super::{arguments, form, kw, set_once};
use crate::decl::*;
use syn::parse::ParseStream;
use syn::{braced, bracketed, parenthesized, Error, Result, Token};

/// `read` is behind it; the names and the protocol follow. Names behind a `|` are those of a second
/// protocol, which jumps where the first steps.
pub(super) fn read(input: ParseStream<'_>, leaf: bool) -> Result<Vec<Read>> {
    let names = listed(input)?;
    let bar = input.parse::<Option<Token![|]>>()?;
    let jumping = if bar.is_some() { listed(input)? } else { Vec::new() };
    if let Some(located) = names.iter().chain(&jumping).find(|n| bar.is_some() && *n == "locate") {
        return Err(Error::new(
            located.span(),
            "`locate` neither steps nor jumps: it stands alone, `read locate(p, i) { .. }`",
        ));
    }
    let coordinate = names.iter().any(|n| n == "locate");
    let name = names.iter().map(Ident::to_string).collect::<Vec<_>>().join(", ");
    let shown = format!("read {name}({}) {{ .. }}", if coordinate { "p, i" } else { "p" });
    let (p, end, i) = arguments(input, &shown)?;
    // An access answers at one coordinate exactly if its protocol is `locate`.
    match (&i, names.iter().find(|n| (*n == "locate") != i.is_some())) {
        (None, Some(locate)) => {
            return Err(Error::new(
                locate.span(),
                "`locate` reads at one coordinate: `read locate(p, i) { .. }`",
            ))
        }
        (Some(_), Some(other)) => {
            return Err(Error::new(
                other.span(),
                format!("only `locate` takes a coordinate: `read {other}(p) {{ .. }}`"),
            ))
        }
        _ => {}
    }
    let body;
    braced!(body in input);
    let whole = body.fork();
    let nest =
        if leaf { Nest::Run(Payload::Value(body.parse()?)) } else { block(&body, Inside::of(&i))? };
    if !body.is_empty() {
        return Err(
            body.error("expected the end of the protocol: one looplet nest, after its `let`s")
        );
    }
    if let (None, Some(i)) = (&bar, nest.jump()) {
        return Err(Error::new(
            i.span(),
            "`jump` is how the names behind `|` seek: `read walk, follow | gallop, lead(p)`",
        ));
    }
    if !unordered_alone(&nest) {
        return Err(Error::new(
            names[0].span(),
            "entries in no order are the whole fiber: `unordered { .. }` stands in no pipeline, shift or stepper",
        ));
    }
    let mut all = vec![Read { names, p: p.clone(), end: end.clone(), i: i.clone(), nest }];
    if let Some(bar) = bar {
        let (nest, jumps) = jump(block(&whole, Inside::of(&i))?);
        if !jumps {
            return Err(Error::new(
                bar.span,
                "nothing in this protocol steps: write all names before `|`",
            ));
        }
        all.push(Read { names: jumping, p, end, i, nest });
    }
    Ok(all)
}

/// Whether entries in no order stand nowhere but behind definitions and cases.
fn unordered_alone(nest: &Nest) -> bool {
    match nest {
        Nest::Let(_, n) => unordered_alone(n),
        Nest::Switch(all) => all.iter().all(|(_, n)| unordered_alone(n)),
        Nest::Unordered(_) => true,
        other => !other.is_unordered(),
    }
}

/// `walk, follow`
fn listed(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let mut names = vec![input.parse::<Ident>()?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        names.push(input.parse()?);
    }
    Ok(names)
}

/// The nest with a jumper for each stepper, and whether there is one.
fn jump(nest: Nest) -> (Nest, bool) {
    let mut any = false;
    let mut inner = |n: Nest| {
        let (n, jumps) = jump(n);
        any |= jumps;
        n
    };
    let nest = match nest {
        Nest::Let(lets, n) => Nest::Let(lets, Box::new(inner(*n))),
        Nest::Shift(by, n) => Nest::Shift(by, Box::new(inner(*n))),
        Nest::Pipeline(all) => {
            Nest::Pipeline(all.into_iter().map(|(s, n)| (s, inner(n))).collect())
        }
        Nest::Switch(all) => Nest::Switch(all.into_iter().map(|(c, n)| (c, inner(n))).collect()),
        Nest::Stepper(mut s) => {
            s.seek = s.jump.take().or(s.seek);
            return (Nest::Jumper(s), true);
        }
        // What stands at one coordinate has nothing to jump over.
        other => other,
    };
    (nest, any)
}

/// What a nest describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// An extent.
    Fiber,
    /// The element of a `lookup`.
    Lookup,
    /// The coordinate of a `locate`.
    Locate,
    /// An entry in no order.
    Entry,
}

impl Inside {
    fn of(coordinate: &Option<Ident>) -> Inside {
        if coordinate.is_some() {
            Inside::Locate
        } else {
            Inside::Fiber
        }
    }
    /// Refuses what describes an extent where there is one coordinate.
    fn check(self, kind: &Ident) -> Result<()> {
        let steps = ["stepper", "jumper", "unordered"].iter().any(|k| kind == k);
        let extends = ["spike", "pipeline", "shift", "lookup"].iter().any(|k| kind == k);
        let message = match self {
            Inside::Entry if steps || extends => {
                "an entry in no order is one element: its `body` has definitions, `switch`, `fill` and `child[position]`".to_owned()
            }
            Inside::Locate if kind == "unordered" => {
                "`locate` reads one coordinate: it looks for the entry there by a function, and has definitions, `switch`, `run`, `fill` and `child[position]`".to_owned()
            }
            Inside::Locate if steps || extends => format!(
                "`locate` reads one coordinate, where there is no extent for a `{kind}`: it has definitions, `switch`, `run`, `fill` and `child[position]`"
            ),
            Inside::Lookup if steps => format!(
                "a `lookup` says what one element is, which takes no steps: write the `{kind}` in place of the `lookup`"
            ),
            _ => return Ok(()),
        };
        Err(Error::new(kind.span(), message))
    }
}

/// Whether a statement comes that calls a method of the state `name`, or a function by its path.
fn moves(input: ParseStream<'_>, name: &Ident) -> bool {
    let state = input.fork().parse::<Ident>().is_ok_and(|i| i == *name) && input.peek2(Token![.]);
    state || input.peek2(Token![::])
}

/// `let`s, then a nest.
fn block(input: ParseStream<'_>, inside: Inside) -> Result<Nest> {
    let mut lets = Vec::new();
    while input.peek(Token![let]) {
        input.parse::<Token![let]>()?;
        let mutable = input.parse::<Option<Token![mut]>>()?.is_some();
        let name: Ident = input.parse()?;
        let ty = match input.parse::<Option<Token![:]>>()? {
            Some(_) if inside == Inside::Fiber => Some(input.parse()?),
            Some(colon) => return Err(Error::new(colon.span, "only the state of a stepper has a type of its own: what is read at one coordinate is a number")),
            None => None,
        };
        if ty.is_some() && !mutable {
            let message = format!("what has a type is the state of a stepper, which moves: `let mut {name}: ..`; a number has no type here");
            return Err(Error::new(name.span(), message));
        }
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        let then = (ty.is_some() && moves(input, &name)).then(|| input.parse()).transpose()?;
        if then.is_some() {
            input.parse::<Token![;]>()?;
        }
        lets.push(LetDecl { name, mutable, ty, value, then });
    }
    let inner = nest(input, inside)?;
    Ok(if lets.is_empty() { inner } else { Nest::Let(lets, Box::new(inner)) })
}

fn nest(input: ParseStream<'_>, inside: Inside) -> Result<Nest> {
    if input.peek(syn::token::Brace) {
        let body;
        braced!(body in input);
        return block(&body, inside);
    }
    if !input.peek(syn::Ident) || input.peek2(syn::token::Bracket) {
        return payload(input, NEST).map(Nest::Run);
    }
    let ahead = input.fork();
    let kind: Ident = ahead.parse()?;
    inside.check(&kind)?;
    match kind.to_string().as_str() {
        "run" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            Ok(Nest::Run(argument(&args, kind.span())?))
        }
        "spike" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            let body = argument(&args, kind.span())?;
            form::<Token![,]>(&args, kind.span(), "`spike(body, tail)`")?;
            Ok(Nest::Spike(body, argument(&args, kind.span())?))
        }
        "pipeline" => {
            input.parse::<Ident>()?;
            let body;
            braced!(body in input);
            let mut phases = Vec::new();
            while !body.is_empty() {
                let phase = "a phase, `..stop => looplet`; the last one is `.. => looplet`";
                form::<Token![..]>(&body, kind.span(), phase)?;
                let stop =
                    if body.peek(Token![=>]) { None } else { Some(body.parse::<syn::Expr>()?) };
                form::<Token![=>]>(&body, kind.span(), phase)?;
                phases.push((stop, nest(&body, inside)?));
                body.parse::<Option<Token![,]>>()?;
            }
            if phases.last().is_none_or(|(stop, _)| stop.is_some()) {
                return Err(Error::new(
                    kind.span(),
                    "the last phase of a pipeline is `.. => looplet`, up to the end",
                ));
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
                let case = "a case, `condition => looplet`; the last one is `_ => looplet`";
                form::<Token![=>]>(&body, kind.span(), case)?;
                cases.push((cond, nest(&body, inside)?));
                body.parse::<Option<Token![,]>>()?;
            }
            if cases.last().is_none_or(|(cond, _)| cond.is_some()) {
                return Err(Error::new(kind.span(), "the last case of a switch is `_ => looplet`"));
            }
            Ok(Nest::Switch(cases))
        }
        "shift" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            let shown = "`shift(delta, looplet)`";
            let delta = form(&args, kind.span(), shown)?;
            form::<Token![,]>(&args, kind.span(), shown)?;
            Ok(Nest::Shift(delta, Box::new(nest(&args, inside)?)))
        }
        "lookup" => {
            input.parse::<Ident>()?;
            let args;
            parenthesized!(args in input);
            let shown = "`lookup(|i| child[..])`";
            form::<Token![|]>(&args, kind.span(), shown)?;
            let i = form(&args, kind.span(), shown)?;
            form::<Token![|]>(&args, kind.span(), shown)?;
            Ok(Nest::Lookup(i, Box::new(nest(&args, Inside::Lookup)?)))
        }
        "stepper" => {
            input.parse::<Ident>()?;
            Ok(Nest::Stepper(Box::new(stepper(input, &kind)?)))
        }
        "jumper" => {
            input.parse::<Ident>()?;
            Ok(Nest::Jumper(Box::new(stepper(input, &kind)?)))
        }
        "unordered" => {
            input.parse::<Ident>()?;
            Ok(Nest::Unordered(Box::new(unordered(input, &kind)?)))
        }
        _ => payload(input, NEST).map(Nest::Run),
    }
}

const NEST: &str = "expected a looplet (run, spike, pipeline, stepper, jumper, unordered, switch, shift, lookup), `fill` or `child[position]`";

/// What stands between the parentheses of `run` and `spike`.
fn argument(input: ParseStream<'_>, keyword: Span) -> Result<Payload> {
    let expected = "expected `fill` or `child[position]`";
    if input.is_empty() {
        return Err(Error::new(keyword, format!("{expected} between the parentheses")));
    }
    payload(input, expected)
}

fn payload(input: ParseStream<'_>, expected: &str) -> Result<Payload> {
    if input.peek(kw::fill) {
        input.parse::<kw::fill>()?;
        return Ok(Payload::Fill);
    }
    let ahead = input.fork();
    let element = ahead.parse::<Ident>().ok().filter(|_| ahead.peek(syn::token::Bracket));
    match element {
        Some(name) if name == "child" => {
            input.parse::<Ident>()?;
            let index;
            bracketed!(index in input);
            Ok(Payload::Child(index.parse()?))
        }
        Some(name) => Err(Error::new(
            name.span(),
            format!("`{name}[..]` is no looplet: write `child[position]`, or, in a level of values, `leaf Type = Fill;` before the `read`"),
        )),
        None => Err(Error::new(input.span(), expected)),
    }
}

/// Entries in no order, as a stepper whose children end one past the coordinate of each.
fn unordered(input: ParseStream<'_>, kind: &Ident) -> Result<StepperDecl> {
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(kind.span(), "expected `unordered { .. }`"));
    }
    let body;
    braced!(body in input);
    let (mut range, mut more, mut coordinate) = (None, None, None);
    let (mut inner, mut next) = (None, None);
    while !body.is_empty() {
        let at = body.span();
        if body.parse::<Option<Token![while]>>()?.is_some() {
            set_once(&mut more, body.parse()?, at, "while")?;
        } else if body.parse::<Option<Token![for]>>()?.is_some() {
            let q: Ident = body.parse()?;
            body.parse::<Token![in]>()?;
            set_once(&mut range, bounds(&body, q)?, at, "for")?;
        } else {
            let key: Ident = body.parse()?;
            if body.peek(syn::token::Paren) {
                let _argument;
                parenthesized!(_argument in body);
                _argument.parse::<TokenStream>()?;
            }
            body.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "at" => set_once(&mut coordinate, body.parse::<syn::Expr>()?, at, "at")?,
                "body" => set_once(&mut inner, nest(&body, Inside::Entry)?, at, "body")?,
                "next" => set_once(&mut next, body.parse()?, at, "next")?,
                "seek" | "leap" | "jump" | "stop" => {
                    let message = format!("entries in no order are not sought, and do not end: `{key}` is of a `stepper`; say where each is, `at: ..`");
                    return Err(Error::new(key.span(), message));
                }
                _ => return Err(Error::new(
                    key.span(),
                    "expected `for q in lo..hi` or `while more`, `at: ..`, `body: ..`, `next: ..`",
                )),
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    match (coordinate, inner) {
        (Some(at), Some(inner))
            if range.is_some() == more.is_none() && more.is_some() == next.is_some() =>
        {
            let stop = syn::parse_quote!((#at) + 1);
            let (group, seek, jump, jumps) = (None, None, None, false);
            Ok(StepperDecl { range, group, more, seek, jump, jumps, stop, body: inner, next })
        }
        (Some(_), Some(_)) => Err(Error::new(
            kind.span(),
            "entries in no order have either `for q in lo..hi`, or `while more` and `next: ..`",
        )),
        _ => Err(Error::new(kind.span(), "entries in no order need `at: ..` and `body: ..`")),
    }
}

/// `lo..hi`, over which `q` counts.
fn bounds(input: ParseStream<'_>, q: Ident) -> Result<(Ident, syn::Expr, syn::Expr)> {
    match input.parse()? {
        syn::Expr::Range(syn::ExprRange {
            start: Some(a),
            limits: syn::RangeLimits::HalfOpen(_),
            end: Some(b),
            ..
        }) => Ok((q, *a, *b)),
        other => Err(Error::new_spanned(other, "expected `lo..hi`")),
    }
}

fn stepper(input: ParseStream<'_>, kind: &Ident) -> Result<StepperDecl> {
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(kind.span(), format!("expected `{kind} {{ .. }}`")));
    }
    let body;
    braced!(body in input);
    let (mut range, mut seek, mut stop, mut inner, mut next) = (None, None, None, None, None);
    let (mut after, mut group, mut jumps, mut more, mut jump) = (None, None, false, None, None);
    while !body.is_empty() {
        let at = body.span();
        if body.parse::<Option<Token![while]>>()?.is_some() {
            set_once(&mut more, body.parse()?, at, "while")?;
        } else if body.parse::<Option<Token![for]>>()?.is_some() {
            let q = match body.peek(syn::token::Paren) {
                true => {
                    let names;
                    parenthesized!(names in body);
                    let q = names.parse()?;
                    names.parse::<Token![,]>()?;
                    after = Some(names.parse::<Ident>()?);
                    q
                }
                false => body.parse()?,
            };
            body.parse::<Token![in]>()?;
            let bounds: syn::Expr = body.parse()?;
            match bounds {
                syn::Expr::Range(syn::ExprRange { start: Some(a), end: Some(b), .. }) => {
                    set_once(&mut range, (q, *a, *b), at, "for")?;
                }
                other => return Err(Error::new_spanned(other, "expected `lo..hi`")),
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
                ("seek", Some(i)) => set_once(&mut seek, (i, body.parse()?), at, "seek")?,
                ("jump", Some(i)) => set_once(&mut jump, (i, body.parse()?), at, "jump")?,
                ("leap", Some(i)) => {
                    jumps = true;
                    set_once(&mut seek, (i, body.parse()?), at, "seek")?;
                }
                ("group", None) => set_once(&mut group, body.parse()?, at, "group")?,
                ("stop", None) => set_once(&mut stop, body.parse()?, at, "stop")?,
                ("body", None) => set_once(&mut inner, nest(&body, Inside::Fiber)?, at, "body")?,
                ("next", None) => set_once(&mut next, body.parse()?, at, "next")?,
                _ => {
                    return Err(Error::new(
                        key.span(),
                        "expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..`, `next: ..`, `leap(i): ..`, `jump(i): ..`, `group: ..` or `while more`",
                    ))
                }
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    if after.is_some() != group.is_some() {
        let both = "`for (q, after) in lo..hi` and `group: ..`, where `after` is one past the group's last position, belong together";
        return Err(Error::new(kind.span(), both));
    }
    let group = after.zip(group);
    match (stop, inner) {
        (Some(stop), Some(inner)) if range.is_some() != next.is_some() => {
            Ok(StepperDecl { range, group, more, seek, jump, jumps, stop, body: inner, next })
        }
        (Some(_), Some(_)) => Err(Error::new(
            kind.span(),
            format!("a {kind} has either `for q in lo..hi` or `next: ..`"),
        )),
        _ => Err(Error::new(kind.span(), format!("a {kind} needs `stop: ..` and `body: ..`"))),
    }
}
