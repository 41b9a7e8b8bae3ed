//! The types of a program whose declarations are still to be fetched, as they travel from step to step.
//!
//! A walk goes on at the type where the one before it stopped, so that no step reads again what others have
//! read: what fetching costs grows as the declarations do, and not as their square.

use super::{Library, Stop, Trail};
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::HashSet;

/// A type at which a walk is to begin or to go on.
struct Wanted {
    /// Where it stands.
    origin: String,
    ty: syn::Type,
    /// Type parameters of its kernel, which name no declaration.
    generics: Vec<String>,
}

/// Those that are left. All go on in each step, since rustc allows macros only so many steps.
pub struct Todo(Vec<Wanted>);

impl Todo {
    /// The types of programs, each with the type parameters of its kernel.
    pub fn new(types: impl IntoIterator<Item = (syn::Type, Vec<String>)>) -> Todo {
        let mut seen = HashSet::new();
        let mut new = |ty: &syn::Type, generics: &[String]| {
            seen.insert((ty.to_token_stream().to_string(), generics.to_vec()))
        };
        let wanted = types.into_iter().filter(|(ty, generics)| new(ty, generics));
        let origin = String::new;
        Todo(wanted.map(|(ty, generics)| Wanted { origin: origin(), ty, generics }).collect())
    }

    /// The macros that have to be called next: the key and the path of each. What is no format is an error later, where its
    /// messages are made.
    pub fn next(&mut self, library: &Library) -> Vec<(String, TokenStream)> {
        let mut asked: Vec<(String, TokenStream)> = Vec::new();
        for mut wanted in std::mem::take(&mut self.0) {
            let mut trail = Trail::new(&wanted.ty, &wanted.generics);
            trail.fetching = true;
            let found = library.walk(&wanted.ty, &wanted.origin, &mut trail);
            let stopped = trail.stopped.take();
            if let Err(Stop::Need(key, path)) = found {
                if asked.iter().all(|(other, _)| *other != key) {
                    asked.push((key, path));
                }
                // Behind a fill marker there is nothing.
                if let Some((origin, ty)) = stopped {
                    (wanted.origin, wanted.ty) = (origin, ty);
                    self.0.push(wanted);
                }
            }
        }
        asked
    }

    /// What [`tokens`](Self::tokens) gave.
    pub fn read(tokens: TokenStream) -> syn::Result<Todo> {
        let mut trees = tokens.into_iter();
        let mut all = Vec::new();
        while let (
            Some(TokenTree::Literal(origin)),
            Some(TokenTree::Group(generics)),
            Some(TokenTree::Group(ty)),
        ) = (trees.next(), trees.next(), trees.next())
        {
            let text = |tree: TokenTree| tree.to_string().trim_matches('"').to_owned();
            let generics = generics.stream().into_iter().map(text).collect();
            let origin = text(origin.into());
            all.push(Wanted { origin, ty: syn::parse2(ty.stream())?, generics });
        }
        Ok(Todo(all))
    }

    /// As it travels: for each type where it stands, the type parameters, and the type.
    pub fn tokens(&self) -> TokenStream {
        let entry = |wanted: &Wanted| {
            let (origin, ty) = (Literal::string(&wanted.origin), &wanted.ty);
            let generics = wanted.generics.iter().map(|name| Literal::string(name));
            quote!(#origin [#(#generics)*] { #ty })
        };
        self.0.iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each step asks for, where it has the declarations that were asked for last and no others.
    fn asked(types: &[&str], declared: &[(&str, &str)]) -> Vec<Vec<String>> {
        let types = types.iter().map(|ty| (syn::parse_str(ty).unwrap(), vec!["T".to_owned()]));
        let mut todo = Todo::new(types);
        let (mut library, mut asked) = (Library::default(), Vec::new());
        loop {
            let next = todo.next(&library);
            if next.is_empty() {
                return asked;
            }
            library = Library::default();
            let mut names = Vec::new();
            for (key, path) in next {
                let name = path.to_string();
                let declaration = declared.iter().find(|(n, _)| *n == name).expect("is declared").1;
                library.add(key, "somewhere#1".to_owned(), declaration.parse().unwrap());
                names.push(name);
            }
            // As it travels.
            todo = Todo::read(todo.tokens()).unwrap();
            asked.push(names);
        }
    }

    #[test]
    fn no_step_reads_what_another_has_read() {
        let rest = "invariant(fibers) { anything } read walk(p) { run(child[p]) }";
        let level = format!("struct Level<Child> {{ len: usize, child: Child }} {rest}");
        let outer = level.replace("Level", "Outer");
        let declared = [
            ("Level", &level[..]),
            ("Outer", &outer),
            ("Alias", "type Alias<T> = Tensor<Outer<Level<Leaf<T, Own>>>>;"),
            // Neither a clause nor a protocol may pass for a `leaf` clause.
            ("Leaf", "struct Leaf<T, F> { val: Vec<T> } write leaf(p) { } leaf T = F; read leaf(p) { val[p] }"),
            ("Own", "fill Own = 0;"),
        ];
        let whole = ["Tensor<Outer<Level<Leaf<f64, Own>>>>"];
        let one_by_one = |names: &[&str]| -> Vec<Vec<String>> {
            names.iter().map(|name| vec![(*name).to_owned()]).collect()
        };
        assert_eq!(asked(&whole, &declared), one_by_one(&["Outer", "Level", "Leaf", "Own"]));
        let all = one_by_one(&["Alias", "Outer", "Level", "Leaf", "Own"]);
        assert_eq!(asked(&["Alias<f64>"], &declared), all);
        // A type that is there twice is walked once, others at the same time.
        let several = ["Tensor<Level<T>>", "Tensor<Level<T>>", "Tensor<Leaf<T, Own>>"];
        assert_eq!(asked(&several, &declared), [vec!["Level", "Leaf"], vec!["Own"]]);
    }
}
