//! Which entries are one element in each of some arrays: one count then serves all of them.

use super::scope::Scope;
use super::write::named_by;
use crate::cin::*;
use crate::decl::{mentions, Hold};
use crate::kernel::*;
use crate::kir::{Each, Run};
use crate::opaque::{Declared, Frame, Numbers};
use crate::types::primitive;
use proc_macro2::Ident;
use quote::ToTokens;

/// What an entry of `access` is an element of, if its level and the leaf below say so and nothing else becomes
/// of it; `names` are those that the level's code of the entry uses.
pub(super) fn each(kernel: &mut Kernel, access: &Access, names: &[(Ident, Expr)]) -> Option<Each> {
    let (_, values) = made_of(kernel, access)?;
    let trusted = kernel.tensor(access.tensor).levels.last()?.trusted;
    let elements = elements(kernel, access, names).filter(|_| trusted)?;
    Some(Each { elements, values, run: None, note: None })
}

/// The same of a run of the coordinates `first..=last` of a level whose `extend` joins those that are alike.
pub(super) fn run(kernel: &mut Kernel, access: &Access, [first, last]: [&Expr; 2]) -> Option<Each> {
    let (level, values) = made_of(kernel, access)?;
    let write = level.format.level().write.clone()?;
    let plain = write.runs && write.entry.is_none() && write.moves.is_none() && level.trusted;
    let copied = |ty: &Ty| match ty {
        Ty::Bool => true,
        Ty::Named(name) => primitive(name),
        _ => false,
    };
    if !plain || values.is_some_and(|a| !copied(&kernel.arrays[a.0 as usize].elem)) {
        return None;
    }
    let mut of = |first: &Expr, last: &Expr| {
        let mut scope = Scope::new(kernel, access.tensor, access.level);
        scope.bind(&write.p, access.pos.clone());
        if let Some(i) = &write.i {
            scope.bind(i, last.clone());
        }
        scope.bind(&named_by("first"), first.clone());
        let mut names: Vec<(Ident, Expr)> = Vec::new();
        for (_, e) in &write.each {
            let code = e.to_token_stream();
            if !scope.plain(&code) {
                return None;
            }
            let (own, _) = scope.bindings(&code, Hold::Shared, Numbers::Unsigned);
            for (name, e) in own {
                if !names.iter().any(|(n, _)| *n == name) {
                    names.push((name, e));
                }
            }
        }
        elements(kernel, access, &names)
    };
    let elements = of(first, last)?;
    let gap = match write.covers {
        true => Some(of(&Expr::int(0), &first.plus(-1))?),
        false => None,
    };
    let named = |(_, e): &&(Ident, syn::Expr)| mentions(&e.to_token_stream(), &named_by("first"));
    let begins = write.each.iter().zip(&elements).filter(|(e, _)| named(e));
    let begins = begins.map(|(_, (array, _))| *array).collect();
    let run = Run { first: first.clone(), end: last.plus(1), begins, gap };
    Some(Each { elements, values, run: Some(run), note: None })
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
        // The first coordinate of a run goes by a name that a field may have, too.
        let bound = |field: &Ident| names.iter().any(|(name, _)| name == field);
        if level.fields.iter().any(|(field, _)| mentions(&code, field) && !bound(field)) {
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
    let made = made_of(kernel, access).filter(|(level, _)| {
        level.format.level().write.as_ref().is_some_and(|w| w.extend.is_none())
    });
    made.and_then(|(_, values)| values).into_iter().collect()
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
