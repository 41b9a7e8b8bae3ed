//! The declarations that a program needs: its own, and those of the built-in formats, fills and operators, which the build
//! script takes out of their sources. They are fetched by name, as the proc macros do it.

use looplets_core::algebra;
use looplets_core::ast::Program;
use looplets_core::decl::{Decl, FieldKind};
use looplets_core::diagnostics::Errors;
use looplets_core::formats::{Library, Todo};
use looplets_core::simplify::RuleSet;
use looplets_core::{resolve, schedule};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What is built in: the kind, the name, the first sentence of its documentation, and the declaration.
const BUILT_IN: &[(&str, &str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/declared.rs"));

/// The declarations of a program, by name.
pub type Own = HashMap<String, TokenStream>;

thread_local! {
    /// To read a declaration costs more than to look it up.
    static READ: RefCell<HashMap<&'static str, TokenStream>> = RefCell::default();
}

/// The path of the run-time crate in what is generated.
pub fn krate() -> TokenStream {
    quote!(looplets)
}

/// The declaration called `name`.
fn tokens(name: &str, own: &Own) -> Option<TokenStream> {
    if let Some(tokens) = own.get(name) {
        return Some(tokens.clone());
    }
    let (_, name, _, text) = BUILT_IN.iter().find(|(_, built_in, ..)| *built_in == name)?;
    READ.with(|read| {
        let known = read.borrow().get(name).cloned();
        known.or_else(|| {
            let tokens: TokenStream = text.parse().ok()?;
            read.borrow_mut().insert(name, tokens.clone());
            Some(tokens)
        })
    })
}

/// The declaration called `name`, read.
pub fn declaration(name: &str, own: &Own) -> Option<Rc<Decl>> {
    syn::parse2(tokens(name, own)?).ok().map(Rc::new)
}

/// Everything that `programs` name and that is declared. What is not is said where it is looked up.
pub fn fetch(programs: &[Program], own: &Own, rules: &RuleSet) -> Result<Library, Errors> {
    let mut library = Library::default();
    let mut asked: HashSet<String> = HashSet::new();
    for program in programs {
        while let Some((key, path)) = algebra::missing(&program.uses, &library, rules) {
            if !asked.insert(key.clone()) || !add(&mut library, key, &path, own) {
                break;
            }
        }
    }
    let krate = krate();
    let types = programs.iter().flat_map(|program| {
        let generics = resolve::generic_names(program);
        let types = resolve::format_types(program, &krate).into_iter();
        let more = schedule::format_types(program, &krate);
        types.chain(more).map(move |ty| (ty, generics.clone()))
    });
    let mut todo = Todo::new(types);
    loop {
        let mut news = false;
        for (key, path) in todo.next(&library) {
            news |= asked.insert(key.clone()) && add(&mut library, key, &path, own);
        }
        if !news {
            break;
        }
    }
    library.settle()?;
    Ok(library)
}

fn add(library: &mut Library, key: String, path: &TokenStream, own: &Own) -> bool {
    let last = path.clone().into_iter().filter_map(|t| match t {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    });
    let Some(found) = last.last().and_then(|name| tokens(&name, own)) else { return false };
    library.add(key, String::new(), found);
    true
}

/// A level that can be chosen for a dimension.
pub struct Choice {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub docs: String,
    /// Whether a result may have it.
    pub written: bool,
    /// Whether it leaves out what is fill.
    pub sparse: bool,
}

/// The levels to choose from: those that stand below any other one, and take nothing but a child.
pub fn choices(own: &Own) -> Vec<Choice> {
    let built_in =
        BUILT_IN.iter().filter(|(kind, _, docs, _)| *kind == "struct" && *docs != "hidden");
    let built_in = built_in.map(|(_, name, docs, _)| ((*name).to_owned(), (*docs).to_owned()));
    let mut names: Vec<(String, String)> =
        own.keys().map(|n| (n.clone(), "yours".to_owned())).collect();
    names.sort();
    names.extend(built_in);
    let mut out = Vec::new();
    for (name, docs) in names {
        let Some(decl) = declaration(&name, own) else { continue };
        let Decl::Level(level) = &*decl else { continue };
        let child = level.fields.iter().any(|f| matches!(f.kind, FieldKind::Child));
        let needed = level.params.iter().filter(|p| p.default.is_none()).count();
        // Made for others: one below another's entries, one that kernels keep copies in.
        let special = ["Singleton", "Interleaved"].contains(&name.as_str());
        if !child || needed != 1 || special || out.iter().any(|c: &Choice| c.name == name) {
            continue;
        }
        let (written, sparse) = (level.write.is_some(), level.leaves_out());
        out.push(Choice { name, docs, written, sparse });
    }
    out
}

/// The fills to choose from.
pub fn fills(own: &Own) -> Vec<String> {
    let built_in = BUILT_IN.iter().filter(|(kind, name, ..)| *kind == "fill" && *name != "Const");
    let mut out: Vec<String> = built_in.map(|(_, name, ..)| (*name).to_owned()).collect();
    let own = own.keys().filter(|n| matches!(declaration(n, own).as_deref(), Some(Decl::Fill(_))));
    out.extend(own.cloned());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declaration_can_be_read() {
        for (kind, name, ..) in BUILT_IN {
            let decl = declaration(name, &Own::new());
            let decl = decl.unwrap_or_else(|| panic!("{kind} {name}"));
            assert_eq!(decl.name(), name);
        }
        assert!(BUILT_IN.len() > 60, "{}", BUILT_IN.len());
    }

    #[test]
    fn levels_of_every_kind_can_be_chosen() {
        let all = choices(&Own::new());
        let has = |name: &str| all.iter().find(|c| c.name == name);
        for name in ["Dense", "SparseList", "RunList", "Bitmap", "BTree", "LinkedList", "Symmetric"]
        {
            assert!(has(name).is_some_and(|c| !c.docs.is_empty()), "{name}");
        }
        assert!(has("SparseList").unwrap().sparse && !has("Dense").unwrap().sparse);
        assert!(has("Dense").unwrap().written);
        assert!(has("Element").is_none() && has("Singleton").is_none());
        assert!(fills(&Own::new()).contains(&"Inf".to_owned()));
    }
}
