//! Parameters that a program does not name behind its header: the code that is generated says nothing of them, since
//! rustc is told there that not all of it is used.

use crate::ast::Param;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::buffer::Cursor;

/// Those of `params` whose names stand nowhere between `from` and `to` but where they are declared. Rust may name them
/// in a text that it formats.
pub(super) fn unread(from: Cursor<'_>, to: Cursor<'_>, params: &[Param]) -> Vec<Ident> {
    let mut tokens = TokenStream::new();
    let mut at = from;
    while at < to {
        let Some((tree, next)) = at.token_tree() else { break };
        tokens.extend([tree]);
        at = next;
    }
    let meant = |name: &Ident| name.to_string().starts_with('_');
    let names = params.iter().map(|p| &p.name).filter(|name| !meant(name));
    names.filter(|name| named(tokens.clone(), name) < 2).cloned().collect()
}

/// How often `name` stands in `tokens`.
fn named(tokens: TokenStream, name: &Ident) -> usize {
    let one = |tree: TokenTree| match tree {
        TokenTree::Ident(ident) => usize::from(ident == *name),
        TokenTree::Group(group) => named(group.stream(), name),
        TokenTree::Literal(text) => usize::from(text.to_string().contains(&name.to_string())),
        TokenTree::Punct(_) => 0,
    };
    tokens.into_iter().map(one).sum()
}
