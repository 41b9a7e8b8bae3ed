//! Room for the entries of outputs that are appended to: as much as the inputs tell before the loops,
//! so that arrays need not be copied as they grow.

use crate::cin::*;
use crate::decl::{Joined, Order};
use crate::kernel::*;
use crate::kir::K;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// Code before the loops that makes room, and code after them that gives back what was far too much.
pub(super) fn room(k: &mut Kernel, id: TensorId) -> (Vec<K>, Vec<K>) {
    let Some(most) = most_entries(k, id) else { return Default::default() };
    let krate = k.krate.clone();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for array in per_entry(k, id) {
        let mut one = |tokens: TokenStream| {
            let names = vec![(format_ident!("array"), Expr::Array(array))];
            match k.raw(tokens, names, Ty::Unknown) {
                Expr::Raw(r) => K::Code(r),
                _ => unreachable!("a raw is a raw"),
            }
        };
        before.push(one(quote!(#krate::rt::room(&mut array, #most);)));
        after.push(one(quote!(#krate::rt::fit(&mut array);)));
    }
    (before, after)
}

/// The arrays with an element for each entry of the last level, if that is appended to.
fn per_entry(k: &Kernel, id: TensorId) -> Vec<ArrayId> {
    let [.., level, leaf] = &k.tensor(id).levels[..] else { return Vec::new() };
    let decl = level.format.level();
    let appended = decl.write.as_ref().is_some_and(|w| w.order == Order::Append && !w.runs);
    let Some(join) = decl.join.as_ref().filter(|_| appended) else { return Vec::new() };
    let each =
        |name: &Ident| join.iter().any(|(field, how)| field == name && *how == Joined::Coordinates);
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

/// At most how many entries the one assignment to `id` makes.
fn most_entries(k: &Kernel, id: TensorId) -> Option<TokenStream> {
    let mut found = Vec::new();
    k.body.walk_assignments(&mut |target, _, value| {
        if let Expr::Access(a) = target {
            if k.get(*a).tensor == id {
                found.push((*a, value));
            }
        }
    });
    let [(target, value)] = found[..] else { return None };
    bound(k, k.get(target), value)
}

/// How many entries of an output `e` has at most, if inputs with the same indices say so.
fn bound(k: &Kernel, target: &Access, e: &Expr) -> Option<TokenStream> {
    let several = |args: &[Expr]| -> Vec<TokenStream> {
        args.iter().filter_map(|a| bound(k, target, a)).collect()
    };
    match e {
        Expr::Access(a) => {
            let access = k.get(*a);
            let tensor = k.tensor(access.tensor);
            let same = access.indices.len() == target.indices.len()
                && access.indices.iter().zip(&target.indices).all(|(a, b)| a.kind == b.kind);
            if tensor.role != Role::Input || access.level > 0 || !same || !tensor.leaves_out() {
                return None;
            }
            let name = format!("{}_tensor", plain(&tensor.name.to_string()));
            let whole = Ident::new(&name, Span::mixed_site());
            Some(quote!(#whole.entries()))
        }
        // What one factor does not have, the product has not; of two that is no telling how little is left.
        Expr::Call(op, args) if matches!(op.name(), "*" | "and" | "&") => {
            let mut known = several(args);
            known.pop().filter(|_| known.is_empty())
        }
        Expr::Call(_, args) => several(args).into_iter().reduce(|a, b| quote!((#a + #b))),
        _ => None,
    }
}
