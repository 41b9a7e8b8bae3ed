//! Declarations and kernels cut out of source files, and the dance between the compiler and the
//! macros of formats that rustc otherwise plays.

use looplets_core::expand;
use looplets_core::simplify::Simplifier;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;

const FORMATS: &[&str] = &[
    include_str!("../../formats/src/levels/aliases.rs"),
    include_str!("../../formats/src/levels/bitmap.rs"),
    include_str!("../../formats/src/levels/block_list.rs"),
    include_str!("../../formats/src/levels/bst.rs"),
    include_str!("../../formats/src/levels/btree.rs"),
    include_str!("../../formats/src/levels/byte_map.rs"),
    include_str!("../../formats/src/levels/coo.rs"),
    include_str!("../../formats/src/levels/ctree.rs"),
    include_str!("../../formats/src/levels/dense.rs"),
    include_str!("../../formats/src/levels/element.rs"),
    include_str!("../../formats/src/levels/hash.rs"),
    include_str!("../../formats/src/levels/hybrid_btree.rs"),
    include_str!("../../formats/src/levels/pack_bits.rs"),
    include_str!("../../formats/src/levels/packed_ctree.rs"),
    include_str!("../../formats/src/levels/pattern.rs"),
    include_str!("../../formats/src/levels/ragged.rs"),
    include_str!("../../formats/src/levels/run_list.rs"),
    include_str!("../../formats/src/levels/spa.rs"),
    include_str!("../../formats/src/levels/sparse_band.rs"),
    include_str!("../../formats/src/levels/sparse_block_list.rs"),
    include_str!("../../formats/src/levels/sparse_interval.rs"),
    include_str!("../../formats/src/levels/sparse_list.rs"),
    include_str!("../../formats/src/levels/sparse_point.rs"),
    include_str!("../../formats/src/levels/sparse_run_list.rs"),
    include_str!("../../formats/src/levels/symmetric.rs"),
    include_str!("../../formats/src/levels/triangular.rs"),
    include_str!("../../formats/src/fill.rs"),
];

const KERNELS: &[&str] =
    &[include_str!("../kernels/compiled.rs"), include_str!("../shapes/compiled.rs")];

/// The declarations of formats and fills by name.
pub struct Sources {
    declarations: HashMap<String, TokenStream>,
}

impl Sources {
    /// Those of the built-in formats.
    pub fn new() -> Self {
        let mut declarations = HashMap::new();
        for source in FORMATS {
            for declaration in calls(source, &["level", "fill"]) {
                let declaration = relocated(declaration);
                let name = after(&declaration, &["struct", "type", "fill"]);
                declarations.insert(name, declaration);
            }
        }
        Sources { declarations }
    }

    /// The same, and a declaration of one's own.
    pub fn with(mut self, declaration: &str) -> Self {
        let declaration: TokenStream = declaration.parse().expect("Rust tokens");
        let name = after(&declaration, &["rules", "fn"]);
        self.declarations.insert(name, declaration);
        self
    }

    /// The kernels of the benches `kernels` and `shapes`, then `more`, with their names.
    pub fn kernels(&self, more: &[&str]) -> Vec<(String, TokenStream)> {
        let mut programs: Vec<_> = KERNELS.iter().flat_map(|k| calls(k, &["finch"])).collect();
        programs.extend(more.iter().map(|m| m.parse().expect("Rust tokens")));
        programs.into_iter().map(|p| (after(&p, &["fn"]), p)).collect()
    }

    /// The expansion of a program, and how many calls of the proc macro it took.
    pub fn expand(
        &self,
        program: TokenStream,
        simplifier: &mut Simplifier,
    ) -> (TokenStream, usize) {
        let mut tokens = expand::start(quote!([looplets] finch { #program }), simplifier);
        let mut calls = 1;
        while let Some(input) = self.answer(&tokens) {
            tokens = expand::step(input, simplifier);
            calls += 1;
        }
        (tokens, calls)
    }

    /// If `tokens` call a format's macro, what the last one of those that it calls passes on.
    fn answer(&self, tokens: &TokenStream) -> Option<TokenStream> {
        let mut called = self.passed_on(tokens)?;
        while let Some(next) = self.passed_on(&called) {
            called = next;
        }
        match called.into_iter().last() {
            Some(TokenTree::Group(state)) => Some(state.stream()),
            _ => None,
        }
    }

    /// If `tokens` call a format's macro, the call that this expands to.
    fn passed_on(&self, tokens: &TokenStream) -> Option<TokenStream> {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let [path @ .., TokenTree::Punct(_), TokenTree::Group(state)] = trees.as_slice() else {
            return None;
        };
        let mut state = state.stream().into_iter();
        if !matches!(state.next(), Some(TokenTree::Punct(p)) if p.as_char() == '@') {
            return None;
        }
        // Then `looplets` and the path of what is called next.
        let Some(TokenTree::Group(next)) = state.nth(1) else { return None };
        let (next, state): (_, TokenStream) = (next.stream(), state.collect());
        let name = path.last().expect("a path").to_string();
        let declaration =
            self.declarations.get(&name).unwrap_or_else(|| panic!("no format is called {name}"));
        let origin = Literal::string("looplets-formats");
        Some(quote!(#next ! { #state #origin { #declaration } }))
    }
}

/// The arguments of each call of one of these macros.
fn calls(source: &str, macros: &[&str]) -> Vec<TokenStream> {
    let file: TokenStream = source.parse().expect("a Rust file");
    let trees: Vec<TokenTree> = file.into_iter().collect();
    let call = |w: &[TokenTree]| match w {
        [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(g)]
            if bang.as_char() == '!' && macros.iter().any(|m| name == m) =>
        {
            Some(g.stream())
        }
        _ => None,
    };
    trees.windows(3).filter_map(call).collect()
}

/// The name after the first of these keywords.
fn after(tokens: &TokenStream, keywords: &[&str]) -> String {
    let mut trees = tokens.clone().into_iter();
    trees.find(|t| matches!(t, TokenTree::Ident(i) if keywords.iter().any(|k| i == k)));
    trees.next().expect("a name").to_string()
}

/// `tokens` as seen from another crate and without doc comments, as a format's macro hands them on.
fn relocated(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(i) if i == "crate" => {
                out.extend([TokenTree::Ident(Ident::new("looplets", Span::call_site()))]);
            }
            TokenTree::Punct(p)
                if p.as_char() == '#'
                    && matches!(trees.peek(), Some(TokenTree::Group(g)) if g.stream().to_string().starts_with("doc")) =>
            {
                trees.next();
            }
            TokenTree::Group(g) if g.delimiter() != Delimiter::None => {
                out.extend([TokenTree::Group(Group::new(g.delimiter(), relocated(g.stream())))]);
            }
            other => out.extend([other]),
        }
    }
    out
}
