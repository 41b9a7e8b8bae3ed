//! The built-in formats, read from their sources, so that tests of core are of the formats that users have.

use looplets_core::formats::Library;
use proc_macro2::{TokenStream, TokenTree};

/// The declarations in the built-in sources: what stands in `level! { .. }` and `fill! { .. }`.
pub fn library() -> Library {
    let mut library = Library::default();
    for source in [
        include_str!("../../../formats/src/fill.rs"),
        include_str!("../../../formats/src/levels/aliases.rs"),
        include_str!("../../../formats/src/levels/byte_map.rs"),
        include_str!("../../../formats/src/levels/coo.rs"),
        include_str!("../../../formats/src/levels/dense.rs"),
        include_str!("../../../formats/src/levels/element.rs"),
        include_str!("../../../formats/src/levels/pattern.rs"),
        include_str!("../../../formats/src/levels/run_list.rs"),
        include_str!("../../../formats/src/levels/sparse_band.rs"),
        include_str!("../../../formats/src/levels/sparse_list.rs"),
        include_str!("../../../formats/src/levels/unordered_list.rs"),
    ] {
        // A path from the crate's root is a plain name here.
        let tokens: TokenStream = source.replace("crate::", "").parse().expect("a Rust file");
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for w in trees.windows(3) {
            if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] = w {
                if bang.as_char() == '!' && (name == "level" || name == "fill") {
                    library.add_source(&group.stream().to_string()).expect("a declaration");
                }
            }
        }
    }
    library
}
