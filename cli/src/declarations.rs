//! Declarations of formats, fill markers, operators and rules by name: what a kernel finds through macros, a program finds
//! here, among the built-in ones and those of files that a person names.

use crate::built_in;
use crate::errors::{Failure, Texts};
use looplets_core::algebra;
use looplets_core::ast::Program;
use looplets_core::decl::Decl;
use looplets_core::formats::{Library, Todo};
use looplets_core::simplify::Simplifier;
use looplets_core::{resolve, schedule};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::BTreeMap;

/// The macros whose arguments are declarations.
const MACROS: [&str; 4] = ["level", "fill", "operator", "rules"];

/// The path of the run-time crate in what programs compile to.
pub fn krate() -> TokenStream {
    quote!(looplets)
}

/// Declarations by name. A path is known by its last name, whatever stands in front of it.
pub struct Declarations {
    named: BTreeMap<String, Declared>,
}

/// A declaration, and the crate that it is of.
struct Declared {
    origin: &'static str,
    tokens: TokenStream,
}

impl Declarations {
    /// The built-in ones.
    pub fn built_in() -> Declarations {
        let mut all = Declarations { named: BTreeMap::new() };
        for (file, text) in built_in::FILES {
            let tokens: TokenStream = text.parse().unwrap_or_default();
            let tokens = relocated(tokens);
            for declaration in calls(&tokens, &MACROS).into_iter().chain(misnamed(&tokens)) {
                match Decl::head(declaration.clone()) {
                    Ok(decl) => all.add(&decl, "looplets-formats", declaration),
                    // They are compiled in this repository, so that this is not met.
                    Err(e) => debug_assert!(false, "{file}: {e}"),
                }
            }
        }
        all
    }

    fn add(&mut self, decl: &Decl, origin: &'static str, tokens: TokenStream) {
        self.named.insert(decl.name().to_string(), Declared { origin, tokens });
    }

    /// Adds the declarations of a Rust file, which take the place of others of their names.
    ///
    /// # Errors
    /// It is no Rust, has no declaration, or one of them declares nothing.
    pub fn read(&mut self, label: &str, text: &str, texts: &mut Texts) -> Result<(), Failure> {
        let tokens = texts.tokens(label, text)?;
        let declarations = calls(&tokens, &MACROS);
        if declarations.is_empty() {
            let all = MACROS.map(|name| format!("`{name}!`")).join(", ");
            return Err(Failure::plain(format!("{label} has no declaration, no call of {all}")));
        }
        let mut failure = Failure::default();
        for declaration in declarations {
            match syn::parse2::<Decl>(declaration.clone()) {
                Ok(decl) => self.add(&decl, "program", relocated(declaration)),
                Err(e) => failure.push(e),
            }
        }
        failure.check(())
    }

    /// The declaration of this name, without what it does.
    pub fn head(&self, name: &str) -> Option<Decl> {
        Decl::head(self.named.get(name)?.tokens.clone()).ok()
    }

    /// The names of what `is` says so of, in order.
    pub fn names(&self, is: impl Fn(&Decl) -> bool) -> Vec<(&str, Decl)> {
        let all = self.named.keys().filter_map(|name| Some((&name[..], self.head(name)?)));
        all.filter(|(_, decl)| is(decl)).collect()
    }

    /// What `programs` need, as far as it is declared: what is missing is an error where it is looked for.
    ///
    /// # Errors
    /// A declaration contradicts itself.
    pub fn fetch(
        &self,
        programs: &[Program],
        simplifier: &Simplifier,
    ) -> Result<Library, syn::Error> {
        let mut library = Library::default();
        let brought = |library: &Library| {
            let rules = simplifier.rules();
            programs.iter().find_map(|p| algebra::missing(&p.uses, library, rules))
        };
        while let Some((key, path)) = brought(&library) {
            if !self.put(&mut library, key, &path) {
                break;
            }
        }
        let types = programs.iter().flat_map(|program| {
            let generics = resolve::generic_names(program);
            let formats = resolve::format_types(program, &krate()).into_iter();
            let all = formats.chain(schedule::format_types(program, &krate()));
            all.map(move |ty| (ty, generics.clone()))
        });
        let mut todo = Todo::new(types);
        loop {
            let mut found = false;
            for (key, path) in todo.next(&library) {
                found |= self.put(&mut library, key, &path);
            }
            if !found {
                break;
            }
        }
        library.settle()?;
        Ok(library)
    }

    fn put(&self, library: &mut Library, key: String, path: &TokenStream) -> bool {
        let name = path.clone().into_iter().last().map_or_else(String::new, |t| t.to_string());
        let declared = self.named.get(&name);
        if let Some(Declared { origin, tokens }) = declared {
            library.add(key, format!("{origin}#0"), tokens.clone());
        }
        declared.is_some()
    }
}

/// The arguments of each call of one of these macros, at any depth.
fn calls(tokens: &TokenStream, macros: &[&str]) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut out = Vec::new();
    for (k, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |n: usize| k.checked_sub(n).and_then(|at| trees.get(at));
        let bang = matches!(before(1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
        match before(2) {
            Some(TokenTree::Ident(name)) if bang && macros.iter().any(|m| name == m) => {
                out.push(group.stream());
            }
            // What stands in another macro, and in the rules of one, is a pattern.
            Some(TokenTree::Punct(p)) if p.as_char() == '!' => {}
            _ if bang => {}
            _ => out.extend(calls(&group.stream(), macros)),
        }
    }
    out
}

/// The declarations of a table of names that formats have elsewhere: `misnamed! { CSR: "write `Csr<..>`"; }`.
fn misnamed(tokens: &TokenStream) -> Vec<TokenStream> {
    let tables = calls(tokens, &["misnamed"]);
    let mut out = Vec::new();
    for table in tables {
        let trees: Vec<TokenTree> = table.into_iter().collect();
        for line in trees.split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ';')) {
            if let [name, _, write] = line {
                out.push(quote!(pub misnamed #name = #write;));
            }
        }
    }
    out
}

/// `tokens` as seen from a crate that uses the formats, and without doc comments.
fn relocated(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(i) if i == "crate" => {
                Ident::new("looplets", i.span()).to_tokens(&mut out);
            }
            TokenTree::Punct(p) if p.as_char() == '#' && trees.peek().is_some_and(is_doc) => {
                trees.next();
            }
            TokenTree::Group(g) if g.delimiter() != Delimiter::None => {
                let mut group = Group::new(g.delimiter(), relocated(g.stream()));
                group.set_span(g.span());
                group.to_tokens(&mut out);
            }
            other => other.to_tokens(&mut out),
        }
    }
    out
}

fn is_doc(tree: &TokenTree) -> bool {
    let doc = format_ident!("doc", span = Span::call_site());
    let TokenTree::Group(group) = tree else { return false };
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == doc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_declaration_is_read_whole() {
        let all = Declarations::built_in();
        assert!(all.named.len() > 80, "only {:?}", all.named.keys());
        for (name, declared) in &all.named {
            if let Err(e) = syn::parse2::<Decl>(declared.tokens.clone()) {
                panic!("{name}: {e}");
            }
        }
        for name in ["Csr", "SparseList", "Zero", "Inf", "min_plus", "shortest", "CSR", "Coo3"] {
            assert!(all.named.contains_key(name), "{name}");
        }
    }
}
