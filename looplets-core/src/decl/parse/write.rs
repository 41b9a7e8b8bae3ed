//! Write protocols.

use super::{arguments, clause, form, set_once};
use crate::decl::*;
use quote::quote;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{braced, Error, FieldValue, Member, Result, Token};

pub(super) fn write(input: ParseStream<'_>) -> Result<Write> {
    let name: Ident = input.parse()?;
    let order = match name.to_string().as_str() {
        "append" => Order::Append,
        "insert" => Order::Insert,
        "locate" | "value" => Order::Locate,
        _ => {
            return Err(Error::new(
                name.span(),
                "a write protocol is `append`, `insert`, `locate` or, for a leaf, `value`",
            ))
        }
    };
    let shown = format!("write {name}(p, i) {{ .. }}");
    let (p, end, i) = arguments(input, &shown)?;
    if let Some(end) = end {
        return Err(Error::new(end.span(), format!("a written fiber has one number: `{shown}`")));
    }
    let mut write = Write {
        name,
        order,
        p,
        i,
        runs: false,
        covers: false,
        exact: false,
        stale: false,
        open: None,
        entry: None,
        extend: None,
        fold: None,
        thaw: None,
        clear: None,
        find: None,
        child: None,
        commit: None,
        note: None,
        words: None,
        sort: None,
        finish: None,
        children: None,
        one_child_each: false,
        reserve: None,
        moves: None,
        link: None,
        place: None,
        each: Vec::new(),
    };
    let (mut each_at, mut covers_at, mut exact_at) = (None, None, None);
    let (mut note_at, mut stale_at) = (None, None);
    let body;
    braced!(body in input);
    while !body.is_empty() {
        let key: Ident = body.parse()?;
        let at = key.span();
        let name = key.to_string();
        let clause = || {
            clause(
                &body,
                &format!(
                    "{name}({}) {{ .. }}",
                    match name.as_str() {
                        "fold" => "at",
                        "note" => "q",
                        "words" => "w",
                        _ => "fibers",
                    }
                ),
            )
        };
        match name.as_str() {
            "runs" => write.runs = true,
            "covers" => (write.covers, covers_at) = (true, Some(at)),
            "exact" => (write.exact, exact_at) = (true, Some(at)),
            "stale" => (write.stale, stale_at) = (true, Some(at)),
            "open" => set_once(&mut write.open, statements(&body, &name)?, at, &name)?,
            "entry" => set_once(&mut write.entry, statements(&body, &name)?, at, &name)?,
            "extend" => set_once(&mut write.extend, statements(&body, &name)?, at, &name)?,
            "fold" => set_once(&mut write.fold, clause()?, at, &name)?,
            "thaw" => set_once(&mut write.thaw, statements(&body, &name)?, at, &name)?,
            "clear" => set_once(&mut write.clear, statements(&body, &name)?, at, &name)?,
            "commit" => set_once(&mut write.commit, statements(&body, &name)?, at, &name)?,
            "child" => set_once(&mut write.child, position(&body, &name)?, at, &name)?,
            "place" => set_once(&mut write.place, position(&body, &name)?, at, &name)?,
            "note" if write.order != Order::Insert => {
                let message = "`note` is of `insert`: it has `find` find a new entry";
                return Err(Error::new(at, message));
            }
            "note" => {
                note_at = Some(at);
                set_once(&mut write.note, clause()?, at, &name)?;
            }
            "words" if write.order != Order::Locate || write.i.is_none() => {
                let message = "`words` is of `locate`: what is written by the word has its place";
                return Err(Error::new(at, message));
            }
            "words" => set_once(&mut write.words, clause()?, at, &name)?,
            "sort" if write.order == Order::Append => {
                let message = "`sort` is of `insert` and `locate`: what is appended is in order";
                return Err(Error::new(at, message));
            }
            "sort" => set_once(&mut write.sort, clause()?, at, &name)?,
            "find" if write.order == Order::Append => {
                let message = "`find` is of `insert` and `locate`: what is appended is new";
                return Err(Error::new(at, message));
            }
            "find" => set_once(&mut write.find, position(&body, &name)?, at, &name)?,
            "finish" => set_once(&mut write.finish, clause()?, at, &name)?,
            "children" if body.peek(Token![:]) => {
                write.one_child_each = true;
                set_once(&mut write.children, one_each(&body)?, at, &name)?;
            }
            "children" => set_once(&mut write.children, clause()?, at, &name)?,
            "reserve" => set_once(&mut write.reserve, clause()?, at, &name)?,
            "each" if each_at.replace(at).is_none() => write.each = each(&body)?,
            "each" => return Err(Error::new(at, "`each` is given twice: leave one")),
            _ => {
                return Err(Error::new(
                    key.span(),
                    "expected `open`, `entry`, `each`, `find`, `child`, `commit`, `note(q)`, `extend`, `thaw`, `clear`, `runs`, `covers`, `exact`, `stale`, `words(w)`, `fold(at)`, `children(fibers)`, `children: len`, `sort(fibers)`, `finish(fibers)`, or in a leaf `reserve(fibers)` and `place`",
                ))
            }
        }
        body.parse::<Option<Token![,]>>()?;
    }
    if let Some(at) = covers_at.filter(|_| !write.runs || write.extend.is_none()) {
        let message =
            "`covers` is of `runs` that `extend` joins: what lies before one is a run of fill";
        return Err(Error::new(at, message));
    }
    if let Some(at) = exact_at.filter(|_| write.covers || write.i.is_none()) {
        let message = match write.covers {
            true => "`covers` says that fill is stored that nobody writes: `exact` would say that none is",
            false => "`exact` is of levels above a leaf: a leaf stores what the level above it does",
        };
        return Err(Error::new(at, message));
    }
    let located = write.order == Order::Locate && write.find.is_some() && write.clear.is_some();
    if let Some(at) = stale_at.filter(|_| !located) {
        let message = "`stale` is of a `locate` with `find` and `clear`: values that `clear` leaves are no values where nothing is found";
        return Err(Error::new(at, message));
    }
    if let Some(at) = note_at.filter(|_| write.each.is_empty()) {
        let message =
            "`note` stands beside `each`, which says what an entry is: else `commit` stores it";
        return Err(Error::new(at, message));
    }
    if let Some(at) = each_at {
        complete(&mut write, at)?;
    }
    Ok(write)
}

/// `{ crd: Ix::from_i64(i as i64) }`
fn each(input: ParseStream<'_>) -> Result<Vec<(Ident, syn::Expr)>> {
    let shown = "expected `each { array: element }`";
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(input.span(), shown));
    }
    let inner;
    braced!(inner in input);
    if inner.is_empty() {
        return Err(Error::new(
            inner.span(),
            format!("{shown}: an entry is an element of something"),
        ));
    }
    let all = inner.call(Punctuated::<FieldValue, Token![,]>::parse_terminated)?;
    let one = |f: FieldValue| match (f.member, f.colon_token) {
        (Member::Named(array), Some(_)) => Ok((array, f.expr)),
        (member, _) => Err(Error::new_spanned(member, shown)),
    };
    all.into_iter().map(one).collect()
}

/// `: len`, each fiber has a child for each coordinate.
fn one_each(input: ParseStream<'_>) -> Result<(Ident, TokenStream)> {
    input.parse::<Token![:]>()?;
    let at = input.span();
    let len = input.parse::<Ident>().ok().filter(|word| word == "len");
    let Some(len) = len else {
        return Err(Error::new(at, "`children: len` says that a fiber has a child for each coordinate; any other number is told by `children(fibers) { Option<usize> }`"));
    };
    let fibers = Ident::new("fibers", Span::call_site());
    Ok((fibers.clone(), quote!(#fibers.checked_mul(#len))))
}

/// What follows from `each`.
fn complete(write: &mut Write, at: Span) -> Result<()> {
    fn follows<T>(slot: &mut Option<T>, value: T, at: Span, name: &str) -> Result<()> {
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(Error::new(at, format!("`each` says what `{name}` is: leave one"))),
        }
    }
    let path = Ident::new(CRATE, Span::call_site());
    let fibers = Ident::new("fibers", Span::call_site());
    let (array, value) = write.each[0].clone();
    if write.i.is_none() {
        if let Some((second, _)) = write.each.get(1) {
            let message = "`each` of a leaf has one array: its values";
            return Err(Error::new(second.span(), message));
        }
        let p = &write.p;
        let grow = quote!(#path::level::grow(#array, #fibers, #value));
        let finish = quote!(#array.truncate(#fibers); #grow);
        let place = syn::parse_quote!(#array[#p]);
        follows(&mut write.reserve, (fibers.clone(), grow), at, "reserve")?;
        follows(&mut write.finish, (fibers, finish), at, "finish")?;
        return follows(&mut write.place, place, at, "place");
    }
    if write.order == Order::Locate || write.order == Order::Insert && write.note.is_none() {
        return Err(Error::new(
            at,
            "`each` is of `append`, and of an `insert` with `note`: where entries have a place, say `child`",
        ));
    }
    if write.commit.is_some() && write.order == Order::Append {
        // It says the same of a child that names its fibers by ranges, and the others go with it.
        return Ok(());
    }
    let pushes = write.each.iter().map(|(array, e)| quote!(#path::level::push(#array, #e);));
    // The entry that was put last is the new one.
    let note = write.note.as_ref().map(|(q, code)| quote!(let #q: usize = #array.len() - 1; #code));
    let commit = quote!(#(#pushes)* #note);
    let (child, children) = (syn::parse_quote!(#array.len()), quote!(Some(#array.len())));
    follows(&mut write.commit, commit, at, "commit")?;
    follows(&mut write.child, child, at, "child")?;
    // An entry is one element of each array.
    write.exact = !write.covers;
    follows(&mut write.children, (fibers, children), at, "children")
}

/// `: { statements }`
fn statements(input: ParseStream<'_>, key: &str) -> Result<TokenStream> {
    let shown = format!("`{key}: {{ .. }}`");
    form::<Token![:]>(input, input.span(), &shown)?;
    if !input.peek(syn::token::Brace) {
        return Err(Error::new(input.span(), format!("expected {shown}")));
    }
    let inner;
    braced!(inner in input);
    inner.parse()
}

/// `: position`
fn position(input: ParseStream<'_>, key: &str) -> Result<syn::Expr> {
    let shown = format!("`{key}: position`");
    form::<Token![:]>(input, input.span(), &shown)?;
    form(input, input.span(), &shown)
}
