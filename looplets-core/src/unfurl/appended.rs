//! Which entries are one element in each of some arrays: one count then serves all of them.

use crate::cin::*;
use crate::decl::mentions;
use crate::kernel::*;
use crate::kir::Each;
use crate::opaque::{Declared, Frame};
use proc_macro2::Ident;
use quote::ToTokens;

/// What an entry of `access` is an element of, if its level and the leaf below say so and nothing else becomes
/// of it; `names` are those that the level's code of the entry uses.
pub(super) fn each(kernel: &mut Kernel, access: &Access, names: &[(Ident, Expr)]) -> Option<Each> {
    let (_, values) = made_of(kernel, access)?;
    let trusted = kernel.tensor(access.tensor).levels.last()?.trusted;
    let elements = elements(kernel, access, names).filter(|_| trusted)?;
    Some(Each { elements, values })
}

/// What each entry of the child of an entry of `access` has an element of, if that child is a range of them.
pub(super) fn shared(
    kernel: &mut Kernel,
    access: &Access,
    names: &[(Ident, Expr)],
) -> Option<Vec<(ArrayId, Expr)>> {
    let [_, child, ..] = &kernel.tensor(access.tensor).levels[access.level..] else { return None };
    child.format.level().ranges().then(|| elements(kernel, access, names)).flatten()
}

/// The elements that `each` of the level of `access` lists.
fn elements(
    kernel: &mut Kernel,
    access: &Access,
    names: &[(Ident, Expr)],
) -> Option<Vec<(ArrayId, Expr)>> {
    let level = kernel.tensor(access.tensor).levels[access.level].clone();
    let write = level.format.level().write.as_ref()?;
    if !level.trusted || write.each.is_empty() {
        return None;
    }
    let names: Vec<_> =
        names.iter().filter(|(_, e)| !matches!(e, Expr::Array(_))).cloned().collect();
    let mut elements = Vec::new();
    for (name, e) in &write.each {
        let code = e.to_token_stream();
        if level.fields.iter().any(|(field, _)| mentions(&code, field)) {
            return None;
        }
        let array = level.fields.iter().find_map(|(field, b)| match b {
            Binding::Array(a) if field == name => Some(*a),
            _ => None,
        });
        let of = (access.tensor, access.level);
        let (bound, lengths) = (Vec::new(), Vec::new());
        let own = names.iter().filter(|(name, _)| mentions(&code, name)).cloned().collect();
        let declared = Declared { of, code, bound, lengths, frame: Frame::Item };
        let element = kernel.declared_code(declared, own, Ty::Unknown);
        elements.push((array?, Expr::Raw(element)));
    }
    Some(elements)
}

/// The arrays that are made longer where an entry of `access` begins, and end there again if it is not written.
pub(super) fn lengthened(kernel: &Kernel, access: &Access) -> Vec<ArrayId> {
    made_of(kernel, access).and_then(|(_, values)| values).into_iter().collect()
}

/// The level of `access`, if its `each` says where an entry goes and what is below is a leaf, and the values.
fn made_of(kernel: &Kernel, access: &Access) -> Option<(Level, Option<ArrayId>)> {
    let [level, leaf] = &kernel.tensor(access.tensor).levels[access.level..] else { return None };
    let write = level.format.level().write.as_ref()?;
    let values = values(leaf)?;
    (!write.each.is_empty()).then(|| (level.clone(), values))
}

/// The array of a leaf that has one element for each entry, if it has an array; `None` if it has others.
fn values(leaf: &Level) -> Option<Option<ArrayId>> {
    let decl = leaf.format.level();
    let write = decl.write.as_ref().filter(|w| decl.leaf.is_some() && w.open.is_none())?;
    let mut arrays = leaf.fields.iter().filter_map(|(name, b)| match b {
        Binding::Array(a) => Some((name, *a)),
        _ => None,
    });
    match (arrays.next(), arrays.next(), write.each.as_slice()) {
        (None, None, []) if write.reserve.is_none() && write.place.is_none() => Some(None),
        (Some((field, array)), None, [(name, _)]) if field == name => Some(Some(array)),
        _ => None,
    }
}
