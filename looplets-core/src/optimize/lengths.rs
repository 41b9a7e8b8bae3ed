//! Code of a level that asks how long an array is asks a count instead, where elements are put into room that
//! the array has, and its length is not known until the end.

use super::append::Pass;
use crate::cin::*;
use crate::kernel::*;
use crate::kir::K;
use crate::runtime::{Opaque, Runtime};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::format_ident;
use std::collections::btree_map::{BTreeMap, Entry};

impl Pass<'_> {
    /// Has opaque code ask for the length of one of `arrays` where the length before and `count` tell it; gives
    /// the lengths before.
    pub(super) fn lengths(&mut self, code: &mut [K], arrays: &[ArrayId], count: VarId) -> Vec<K> {
        let mut before = BTreeMap::new();
        self.ask(code, arrays, count, &mut before);
        before.into_values().map(|(var, value)| K::Let { var, mutable: false, value }).collect()
    }

    fn ask(
        &mut self,
        code: &mut [K],
        arrays: &[ArrayId],
        count: VarId,
        before: &mut BTreeMap<ArrayId, (VarId, Expr)>,
    ) {
        for k in code {
            k.blocks_mut().into_iter().for_each(|block| self.ask(block, arrays, count, before));
            let K::Code(r) = k else { continue };
            let mut raw = self.kernel.raws[r.0 as usize].clone();
            for name in &mut raw.names {
                let (slot, Expr::Array(a)) = &*name else { continue };
                let text = slot.to_string();
                let len = format_ident!("{text}_len");
                let found = text.strip_prefix("__").filter(|_| arrays.contains(a));
                let Opaque::Rust(code) = &raw.code else { continue };
                let Some(tokens) =
                    found.and_then(|array| counted(code.clone(), array, slot, &len))
                else {
                    continue;
                };
                let a = *a;
                if let Entry::Vacant(free) = before.entry(a) {
                    let label = format!("{}_from", self.kernel.arrays[a.0 as usize].name);
                    let from = self.kernel.var(&label, VarKind::Local, Ty::Index);
                    let value = self.kernel.call(Runtime::Length, vec![Expr::Array(a)], Ty::Unknown);
                    free.insert((from, value));
                }
                let sum = Expr::call(Op::Add, [Expr::Var(before[&a].0), Expr::Var(count)]);
                *name = (len, Expr::call(Op::Usize, [sum]));
                raw.code = Opaque::Rust(tokens);
            }
            self.kernel.raws.push(raw);
            *r = RawId(self.kernel.raws.len() as u32 - 1);
        }
    }
}

/// `tokens` with `len` for the length of `array`, which they borrow from `slot`, and the borrow left out; `None`
/// if they do anything else with it.
fn counted(tokens: TokenStream, array: &str, slot: &Ident, len: &Ident) -> Option<TokenStream> {
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
    use quote::quote;

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
