//! Code of a level that asks how long an array is asks a count instead, where elements are put into room that
//! the array has, and its length is not known until the end.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// `tokens` with `len` for the length of `array`, which they borrow from `slot`, and the borrow left out; `None`
/// if they do anything else with it.
pub(super) fn counted(
    tokens: TokenStream,
    array: &str,
    slot: &Ident,
    len: &Ident,
) -> Option<TokenStream> {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    let mut rest = all.as_slice();
    while let [first, after @ ..] = rest {
        rest = match rest {
            [a, b, c, d, e, f, g, after @ ..]
                if is(a, "let")
                    && is(b, array)
                    && is(c, "=")
                    && is(d, "&")
                    && is(e, "mut")
                    && *slot == f.to_string()
                    && is(g, ";") =>
            {
                after
            }
            [a, b, c, TokenTree::Group(none), after @ ..]
                if is(a, array)
                    && is(b, ".")
                    && is(c, "len")
                    && none.delimiter() == Delimiter::Parenthesis
                    && none.stream().is_empty() =>
            {
                out.push(len.clone().into());
                after
            }
            _ => {
                match first {
                    TokenTree::Ident(i) if i == array || i == slot => return None,
                    // A text may name it, to be put in.
                    TokenTree::Literal(text) if text.to_string().contains(array) => return None,
                    TokenTree::Group(g) => {
                        let inner = counted(g.stream(), array, slot, len)?;
                        let mut group = Group::new(g.delimiter(), inner);
                        group.set_span(g.span());
                        out.push(group.into());
                    }
                    other => out.push(other.clone()),
                }
                after
            }
        };
    }
    Some(out.into_iter().collect())
}

fn is(token: &TokenTree, text: &str) -> bool {
    token.to_string() == text
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{format_ident, quote};

    fn of(tokens: TokenStream) -> Option<String> {
        let (slot, len) = (format_ident!("__crd"), format_ident!("len"));
        counted(tokens, "crd", &slot, &len).map(|t| t.to_string())
    }

    #[test]
    fn a_length_is_asked_of_the_count() {
        let tokens = quote!({
            let pos = &mut __pos;
            let crd = &mut __crd;
            begin(pos, p, crd.len())
        });
        let want = quote!({
            let pos = &mut __pos;
            begin(pos, p, len)
        });
        assert_eq!(of(tokens).unwrap(), want.to_string());
    }

    #[test]
    fn anything_else_is_not() {
        assert!(of(quote!(crd.truncate(crd.len()))).is_none());
        assert!(of(quote!(let crd = &mut __crd; begin(pos, crd))).is_none());
        assert!(of(quote!(f(__crd))).is_none());
        assert!(of(quote!(crd.len)).is_none());
        assert!(of(quote!(begin(crd.len()).map_err(|e| format!("{e}: {crd:?}")))).is_none());
    }
}
