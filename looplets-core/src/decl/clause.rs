//! The frame that a clause of a declaration stands in: one for kernels and for the run-time half, so that what
//! rustc accepts where a level is declared compiles in kernels.

use super::{LevelDecl, Order, Write};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;
use syn::parse::{ParseStream, Parser};
use syn::visit::Visit;

/// A clause of `write` that is Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    /// `reserve(fibers)`
    Reserve,
    /// `open`
    Open,
    /// `entry`
    Entry,
    /// `child`
    Child,
    /// `commit`
    Commit,
    /// `note(q)`
    Note,
    /// `words(w)`
    Words,
    /// `extend`
    Extend,
    /// `thaw`
    Thaw,
    /// `clear`
    Clear,
    /// `sort(fibers)`
    Sort,
    /// `finish(fibers)`
    Finish,
    /// `children(fibers)`
    Children,
    /// What is done before entries are appended that are linked later.
    Start,
    /// What links them.
    Link,
}

/// How a clause has the arrays of its level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// `&[T]`
    Shared,
    /// `&mut [T]`: lengths stay.
    Slices,
    /// `&mut Vec<T>`
    Vecs,
}

impl Hold {
    /// Binds the array `name` to that of `from`, a slice or a vector.
    pub fn borrow(self, name: &Ident, from: &TokenStream) -> TokenStream {
        match self {
            Hold::Shared => quote!(let #name = &#from[..];),
            Hold::Slices => quote!(let #name = &mut #from[..];),
            Hold::Vecs => quote!(let #name = &mut #from;),
        }
    }
}

impl Clause {
    /// What it gives.
    pub fn gives(self) -> TokenStream {
        match self {
            Clause::Commit | Clause::Note | Clause::Words | Clause::Clear => quote!(()),
            Clause::Child | Clause::Thaw => quote!(usize),
            Clause::Extend => quote!(bool),
            Clause::Children => quote!(::core::option::Option<usize>),
            Clause::Reserve
            | Clause::Open
            | Clause::Entry
            | Clause::Sort
            | Clause::Finish
            | Clause::Start
            | Clause::Link => {
                quote!(::core::result::Result<(), ::std::string::String>)
            }
        }
    }
    /// `code` at the end of a block; a `?` or `return` in it leaves the clause, not what is around it.
    pub fn value(self, code: &TokenStream) -> TokenStream {
        let gives = self.gives();
        if leaves(code.clone()) {
            return quote!((|| -> #gives { #code })());
        }
        match self {
            Clause::Commit | Clause::Note | Clause::Words | Clause::Clear => quote!(#code;),
            _ => code.clone(),
        }
    }
}

impl Write {
    /// How `clause` has the arrays. Entries of a `locate` are written where arrays are slices, of which
    /// parallel loops have a part each.
    pub fn hold(&self, clause: Clause) -> Hold {
        let fixed = self.order == Order::Locate;
        match clause {
            Clause::Entry | Clause::Children => Hold::Shared,
            Clause::Child if fixed => Hold::Shared,
            Clause::Open | Clause::Commit | Clause::Words | Clause::Extend | Clause::Sort
                if fixed =>
            {
                Hold::Slices
            }
            Clause::Clear | Clause::Note => Hold::Slices,
            _ => Hold::Vecs,
        }
    }
}

/// Refuses a clause that is no Rust at the token where it ceases to be, before it stands in a frame of ours.
pub fn syntax(l: &LevelDecl) -> syn::Result<()> {
    let mut all: Vec<&TokenStream> = Vec::new();
    all.extend(l.invariant.as_ref().map(|(_, code)| code));
    all.extend(l.fiber.as_ref().map(|(.., code)| code));
    all.extend(l.split.as_ref().map(|(.., code)| code));
    if let Some(w) = &l.write {
        let plain = [&w.open, &w.entry, &w.extend, &w.thaw, &w.clear, &w.commit];
        all.extend(plain.into_iter().flatten());
        let named = [&w.fold, &w.note, &w.words, &w.sort, &w.finish, &w.children, &w.reserve];
        all.extend(named.into_iter().flatten().map(|(_, code)| code));
    }
    all.into_iter().try_for_each(|code| within(code, syn::Block::parse_within).map(drop))
}

/// What `parse` makes of `tokens`, whose end is where the last of them stands.
pub fn within<T>(
    tokens: &TokenStream,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let mut whole = Group::new(Delimiter::Brace, tokens.clone());
    if let Some(last) = tokens.clone().into_iter().last() {
        whole.set_span(last.span());
    }
    let inside = |input: ParseStream<'_>| {
        let content;
        syn::braced!(content in input);
        parse(&content)
    };
    inside.parse2(TokenStream::from(TokenTree::Group(whole)))
}

/// Whether there is a `?` or a `return` in `code`.
fn leaves(code: TokenStream) -> bool {
    code.into_iter().any(|t| match t {
        TokenTree::Punct(p) => p.as_char() == '?',
        TokenTree::Ident(i) => i == "return",
        TokenTree::Group(g) => leaves(g.stream()),
        TokenTree::Literal(_) => false,
    })
}

/// How a clause mentions a name.
#[derive(Clone, Debug)]
pub struct Use {
    /// The first place, whose hygiene a binding needs.
    pub at: Ident,
    /// Whether every mention is an expression by itself, so that another expression may stand there. It is none
    /// where a text names it, `"{i}"`, or where a pattern binds the name anew.
    pub plain: bool,
    /// Whether every mention asks how long it is: `name.len()`.
    pub length: bool,
}

/// The names among `known` that `code` mentions, in the order in which it does.
pub fn uses(code: &TokenStream, known: impl Fn(&str) -> bool) -> Vec<Use> {
    let mut all: Vec<(Use, usize)> = Vec::new();
    mentions(code.clone(), &known, &mut all);
    if all.is_empty() {
        return Vec::new();
    }
    let mut paths = Paths::default();
    let block = syn::parse::Parser::parse2(syn::Block::parse_within, code.clone());
    block.unwrap_or_default().iter().for_each(|s| paths.visit_stmt(s));
    let all = all.into_iter().map(|(u, n)| {
        let (name, all) = (u.at.to_string(), Some(&n));
        let plain = u.plain && paths.counts.get(&name) == all;
        let length = plain && paths.lengths.get(&name) == all;
        Use { plain, length, ..u }
    });
    all.collect()
}

/// `code` with `length` where it asks how long `array` is.
pub fn with_length(code: TokenStream, array: &Ident, length: &Ident) -> TokenStream {
    let all: Vec<TokenTree> = code.into_iter().collect();
    let is = |tree: &TokenTree, text: &str| tree.to_string() == text;
    let mut out: Vec<TokenTree> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match &all[at..] {
            [TokenTree::Ident(a), dot, len, TokenTree::Group(none), ..]
                if a == array && is(dot, ".") && is(len, "len") && none.stream().is_empty() =>
            {
                out.push(length.clone().into());
                at += 4;
            }
            [TokenTree::Group(g), ..] => {
                let mut group = Group::new(g.delimiter(), with_length(g.stream(), array, length));
                group.set_span(g.span());
                out.push(group.into());
                at += 1;
            }
            [other, ..] => {
                out.push(other.clone());
                at += 1;
            }
            [] => {}
        }
    }
    out.into_iter().collect()
}

/// `name` as `code` has it, if it does: with the author's hygiene.
pub fn named(code: &TokenStream, name: &str) -> Option<Ident> {
    uses(code, |n| n == name).pop().map(|u| u.at)
}

fn mentions(code: TokenStream, known: &impl Fn(&str) -> bool, all: &mut Vec<(Use, usize)>) {
    let (mut before, mut last) = (' ', ' ');
    for tree in code {
        // `a::T` and `x.T` name something else; `lo..T` and `x: T` do not.
        let follows = (before, last) == (':', ':') || (last == '.' && before != '.');
        (before, last) = (last, if let TokenTree::Punct(p) = &tree { p.as_char() } else { ' ' });
        match tree {
            TokenTree::Ident(i) if !follows && known(&i.to_string()) => note(all, i, true),
            TokenTree::Group(g) => mentions(g.stream(), known, all),
            TokenTree::Literal(text) => {
                for name in put_in(&text.to_string()).filter(|n| known(n)) {
                    note(all, Ident::new(name, text.span()), false);
                }
            }
            _ => {}
        }
    }
}

fn note(all: &mut Vec<(Use, usize)>, at: Ident, plain: bool) {
    match all.iter_mut().find(|(u, _)| u.at == at) {
        Some((u, n)) => (u.plain, *n) = (u.plain && plain, *n + 1),
        None => all.push((Use { at, plain, length: false }, 1)),
    }
}

/// The names that a text has put in, as `"{name:>4}"` does, also as `{:width$}`.
fn put_in(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let quoted = text.contains('"') && text.contains('{');
    let words = text.split(move |c| !word(c)).filter(move |_| quoted);
    words.filter(|w| syn::parse_str::<Ident>(w).is_ok())
}

/// Counts how often names stand as expressions, and in how many of these their length is asked for.
#[derive(Default)]
struct Paths {
    counts: BTreeMap<String, usize>,
    lengths: BTreeMap<String, usize>,
}

impl<'a> Visit<'a> for Paths {
    fn visit_expr_path(&mut self, e: &'a syn::ExprPath) {
        if let Some(name) = e.path.get_ident() {
            *self.counts.entry(name.to_string()).or_default() += 1;
        }
    }
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if let (syn::Expr::Path(of), true) = (&*call.receiver, call.method == "len") {
            if let Some(name) = of.path.get_ident().filter(|_| call.args.is_empty()) {
                *self.lengths.entry(name.to_string()).or_default() += 1;
            }
        }
        syn::visit::visit_expr_method_call(self, call);
    }
    // Inside of a macro anything may stand where a name does.
    fn visit_macro(&mut self, _: &'a syn::Macro) {}
    // `S { i }` names a field.
    fn visit_field_value(&mut self, f: &'a syn::FieldValue) {
        if f.colon_token.is_some() {
            self.visit_expr(&f.expr);
        }
    }
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
                        None => TokenTree::Ident(ident).into(),
                    }
                }
                TokenTree::Group(g) => {
                    let mut out = Group::new(g.delimiter(), substitute(g.stream(), map));
                    out.set_span(g.span());
                    TokenTree::Group(out).into()
                }
                other => other.into(),
            }
        })
        .collect()
}
