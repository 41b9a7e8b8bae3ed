//! Room for the entries of outputs that are appended to: as much as the inputs tell before the loops,
//! so that arrays need not be copied as they grow.

use super::Reader;
use crate::cin::*;
use crate::decl::{Joined, Order};
use crate::kernel::*;
use crate::kir::Kir;
use crate::optimize::{entry_bound, Entries};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// Code before the loops that makes room, and code after them that gives back what was far too much.
pub(super) fn room(k: &mut Kernel, id: TensorId) -> (Vec<Kir>, Vec<Kir>) {
    let Some(most) = entry_bound(k, id) else { return Default::default() };
    let [most, shown] = [Reader::Rustc, Reader::Person].map(|reader| counted(k, &most, reader));
    let krate = k.krate.clone();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for array in per_entry(k, id) {
        let mut one = |tokens: TokenStream, shown: Option<TokenStream>| {
            let names = vec![(format_ident!("array"), Expr::Array(array))];
            match k.raw(tokens, names, Ty::Unknown) {
                Expr::Raw(r) => {
                    k.raws[r.0 as usize].shown = shown;
                    Kir::Code(r)
                }
                _ => unreachable!("a raw is a raw"),
            }
        };
        let shown = quote!(#krate::rt::room(&mut array, #shown););
        before.push(one(quote!(#krate::rt::room(&mut array, #most);), Some(shown)));
        after.push(one(quote!(#krate::rt::fit(&mut array);), None));
    }
    (before, after)
}

/// The number of entries, from inputs as they are passed.
fn counted(k: &Kernel, most: &Entries, reader: Reader) -> TokenStream {
    let all =
        |of: &[Entries]| -> Vec<TokenStream> { of.iter().map(|e| counted(k, e, reader)).collect() };
    let joined = |of: &[Entries], join: &dyn Fn(TokenStream, TokenStream) -> TokenStream| {
        all(of).into_iter().reduce(join).unwrap_or_else(|| quote!(0))
    };
    match most {
        Entries::Of(id) => {
            let name = format!("{}_tensor", plain(&k.tensor(*id).name.to_string()));
            let whole = Ident::new(&name, Span::mixed_site());
            let krate = &k.krate;
            match reader {
                Reader::Rustc => quote!(#krate::Tensor::entries(&*#whole)),
                Reader::Person => quote!(#whole.entries()),
            }
        }
        Entries::Least(of) => joined(of, &|a, b| match reader {
            Reader::Rustc => quote!(::core::cmp::Ord::min(#a, #b)),
            Reader::Person => quote!(#a.min(#b)),
        }),
        Entries::Sum(of) => joined(of, &|a, b| quote!((#a + #b))),
    }
}

/// The arrays with an element for each entry of the last level, if that is appended to.
fn per_entry(k: &Kernel, id: TensorId) -> Vec<ArrayId> {
    let [.., level, leaf] = &k.tensor(id).levels[..] else { return Vec::new() };
    let decl = level.format.level();
    let appended = decl.write.as_ref().filter(|w| w.order == Order::Append);
    let Some((write, join)) = appended.zip(decl.join.as_ref()) else { return Vec::new() };
    // A run says where it ends, and no more.
    let how = if write.runs { Joined::Entries } else { Joined::Coordinates };
    let each = |name: &Ident| join.iter().any(|(field, joined)| field == name && *joined == how);
    if !level.fields.iter().any(|(name, _)| each(name)) {
        return Vec::new();
    }
    let entries = level.fields.iter().filter(|(name, _)| each(name));
    let arrays = entries.chain(&leaf.fields).filter_map(|(_, b)| match b {
        Binding::Array(a) => Some(*a),
        _ => None,
    });
    arrays.collect()
}
