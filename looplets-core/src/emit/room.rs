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

/// At most how many entries the one assignment to `id` makes.
fn most_entries(k: &Kernel, id: TensorId) -> Option<TokenStream> {
    let mut found = Vec::new();
    assignments(k, id, &k.body, &mut Vec::new(), &mut found);
    let [(target, value, conditions)] = &found[..] else { return None };
    bound(k, target, value).or_else(|| {
        let mut known: Vec<_> = conditions.iter().filter_map(|c| bound(k, target, c)).collect();
        known.pop().filter(|_| known.is_empty())
    })
}

/// An assignment to a tensor: how it is accessed, the value, and what of the conditions around says where
/// there are entries.
type Assigned<'a> = (&'a Access, &'a Expr, Vec<&'a Expr>);

/// All assignments to `id` in `s`, which stands below `conditions`.
fn assignments<'a>(
    k: &'a Kernel,
    id: TensorId,
    s: &'a Stmt,
    conditions: &mut Vec<&'a Expr>,
    found: &mut Vec<Assigned<'a>>,
) {
    match s {
        Stmt::Assign { target: Expr::Access(a), value, .. } if k.get(*a).tensor == id => {
            found.push((k.get(*a), value, conditions.clone()));
        }
        Stmt::Assign { .. } | Stmt::Pass => {}
        Stmt::Loop { body, .. } | Stmt::Let { body, .. } => {
            assignments(k, id, body, conditions, found)
        }
        Stmt::Sieve { cond, then, otherwise } => {
            let before = conditions.len();
            conditions.extend(true_where_stored(k, cond));
            assignments(k, id, then, conditions, found);
            conditions.truncate(before);
            assignments(k, id, otherwise, conditions, found);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| assignments(k, id, s, conditions, found)),
        Stmt::Where { consumer, producer, .. } => {
            assignments(k, id, producer, conditions, found);
            assignments(k, id, consumer, conditions, found);
        }
    }
}

/// The parts of a condition that are no more often true than something is stored.
fn true_where_stored<'a>(k: &Kernel, cond: &'a Expr) -> Vec<&'a Expr> {
    match cond {
        Expr::Access(a) if k.tensor(k.get(*a).tensor).fill == Expr::bool(false) => vec![cond],
        Expr::Call(op, args) if op.name() == "and" => {
            args.iter().flat_map(|a| true_where_stored(k, a)).collect()
        }
        Expr::Call(op, args) if op.name() == "!=" => match &args[..] {
            [Expr::Access(a), e] if k.tensor(k.get(*a).tensor).fill == *e => vec![&args[0]],
            [e, Expr::Access(a)] if k.tensor(k.get(*a).tensor).fill == *e => vec![&args[1]],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
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
            // An output of runs has an entry more for each gap between those of an input that leaves out.
            let fewer = match runs(k.tensor(target.tensor)) {
                true => runs(tensor),
                false => tensor.leaves_out(),
            };
            if tensor.role != Role::Input || access.level > 0 || !same || !fewer {
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

/// Whether the entries of the last dimension are runs.
fn runs(tensor: &Tensor) -> bool {
    let [.., level, _] = &tensor.levels[..] else { return false };
    level.format.level().write.as_ref().is_some_and(|w| w.runs)
}
