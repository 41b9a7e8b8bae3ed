//! What is typed, taken apart: declarations, `level! { .. }` and the like, and the kernels. The build script reads samples by it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The macros that declare something.
const DECLARING: [&str; 4] = ["level", "fill", "operator", "rules"];

/// What is typed.
#[derive(Default)]
pub struct Typed {
    /// What stands in each macro that declares something.
    pub declared: Vec<TokenStream>,
    /// The kernels, without a `finch!` around them.
    pub program: TokenStream,
}

/// Takes `tokens` apart. A `finch!` may stand around kernels, and the prelude may be imported, as in a file of Rust.
pub fn split(tokens: TokenStream) -> Typed {
    let mut typed = Typed::default();
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    let mut kept: Vec<TokenTree> = Vec::new();
    while at < trees.len() {
        if let Some(length) = prelude(&trees[at..]) {
            at += length;
            continue;
        }
        match &trees[at..] {
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group), ..]
                if bang.as_char() == '!' && group.delimiter() != Delimiter::None =>
            {
                if DECLARING.iter().any(|d| name == d) {
                    typed.declared.push(group.stream());
                    at += 3;
                    continue;
                }
                if name == "finch" || name == "explain" {
                    kept.extend(group.stream());
                    at += 3;
                    continue;
                }
                kept.push(trees[at].clone());
                at += 1;
            }
            _ => {
                kept.push(trees[at].clone());
                at += 1;
            }
        }
    }
    typed.program = kept.into_iter().collect();
    typed
}

/// How many tokens `use looplets::prelude::*;` has, if `trees` begin with it.
fn prelude(trees: &[TokenTree]) -> Option<usize> {
    let words: Vec<String> = trees.iter().take(10).map(ToString::to_string).collect();
    let import = ["use", "looplets", ":", ":", "prelude", ":", ":", "*", ";"];
    words.iter().map(String::as_str).take(9).eq(import).then_some(9)
}
