//! Which entries are one element in each of some arrays: one count then serves all of them.

use super::Scope;
use crate::cin::*;
use crate::decl::mentions;
use crate::kernel::*;
use crate::kir::K;
use crate::nest::Def;
use proc_macro2::Ident;
use quote::{format_ident, quote};

/// Stands for the number of entries in the code that makes room for them.
pub const MORE: &str = "__more";

/// Notes what the code of an entry of `access` does, if its level and the leaf below say that it is an
/// element in each of some arrays: `defs` count the entries, `before` makes the value exist, `commit` makes
/// the elements of the level.
pub(super) fn note(
    kernel: &mut Kernel,
    access: &Access,
    defs: &[Def],
    before: &[K],
    commit: &[K],
) -> Option<()> {
    let tensor = access.tensor;
    let [level, leaf] = &kernel.tensor(tensor).levels[access.level..] else { return None };
    let (level, leaf) = (level.clone(), leaf.clone());
    let write = level.format.level().write.as_ref()?;
    let values = values(&leaf)?;
    if write.each.is_empty() || !level.trusted || !leaf.trusted {
        return None;
    }
    let array = |name: &Ident| {
        level.fields.iter().find_map(|(field, b)| match b {
            Binding::Array(a) if field == name => Some(*a),
            _ => None,
        })
    };
    let mut elements = Vec::new();
    for (name, e) in &write.each {
        let tokens = level.format.substitute(quote!(#e));
        if level.fields.iter().any(|(field, _)| mentions(&tokens, field)) {
            return None;
        }
        elements.push((array(name)?, tokens));
    }
    let ([Def { value: Expr::Raw(position), .. }], [K::Code(commit)]) = (defs, commit) else {
        return None;
    };
    match (before, &values) {
        ([], None) => {}
        ([K::Code(reserve)], Some(_)) => {
            kernel.raws[reserve.0 as usize].appends = Some(Appends::Reserve(tensor));
        }
        _ => return None,
    }
    kernel.raws[position.0 as usize].appends = Some(Appends::Position(tensor));
    kernel.raws[commit.0 as usize].appends = Some(Appends::Commit(tensor));
    if !kernel.appended.contains_key(&tensor) {
        let krate = kernel.krate.clone();
        let more = format_ident!("{MORE}");
        let names = write.each.iter().map(|(name, _)| name).chain(values.iter().map(|(n, _)| n));
        let rooms = names.map(|name| quote!(.and_then(|()| #krate::level::room(#name, #more))));
        let room = quote!(::core::result::Result::Ok(()) #(#rooms)*);
        let mut scope = Scope::new(kernel, tensor, access.level);
        scope.arrays(values.clone());
        let K::Code(room) = scope.write_growth(&room) else { unreachable!("code is code") };
        let values = values.map(|(_, a)| a);
        kernel.appended.insert(tensor, Appended { elements, values, room });
    }
    Some(())
}

/// The array of a leaf that has one element for each entry, if it has an array; `None` if it has others.
fn values(leaf: &Level) -> Option<Option<(Ident, ArrayId)>> {
    let decl = leaf.format.level();
    let write = decl.write.as_ref().filter(|_| decl.leaf.is_some())?;
    let mut arrays = leaf.fields.iter().filter_map(|(name, b)| match b {
        Binding::Array(a) => Some((name.clone(), *a)),
        _ => None,
    });
    match (arrays.next(), arrays.next(), write.each.as_slice()) {
        (None, None, []) if write.reserve.is_none() && write.place.is_none() => Some(None),
        (Some(one), None, [(name, _)]) if one.0 == *name => Some(Some(one)),
        _ => None,
    }
}
