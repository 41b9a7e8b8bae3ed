//! Children that follow entries which move: those of an entry that came, and, of levels that were appended to in order,
//! all of them once the entries are linked.

use super::scope::{Meaning, Scope};
use super::write::{below, named_by};
use crate::cin::*;
use crate::decl::{Clause, Hold, Order};
use crate::kernel::*;
use crate::kir::Kir;
use crate::opaque::{Bind, Declared, Exchange, Frame, Numbers};
use proc_macro2::{Ident, TokenStream};

/// Code that exchanges fibers below the level `of`, as pairs of them in its array `moves` say.
pub(super) fn exchange(kernel: &mut Kernel, of: (TensorId, usize), moves: &Ident) -> Option<Kir> {
    let (tensor, depth) = of;
    let slot = named_by("__moves");
    let array = match Scope::new(kernel, tensor, depth).lookup(moves) {
        Some(Meaning::Array(a)) => Expr::Array(a),
        _ => return None,
    };
    let mut names = vec![(slot.clone(), array)];
    let (mut sizes, mut at) = (Vec::new(), depth + 1);
    let format = loop {
        let format = kernel.tensor(tensor).levels.get(at)?.format.clone();
        if format.level().swap.is_some() || !format.level().has_children_alone() {
            break format;
        }
        let size = named_by(format!("__size_of{at}"));
        let len = Expr::call(Op::Usize, [Expr::Var(kernel.tensor(tensor).lens[at])]);
        names.push((size.clone(), len));
        sizes.push(size);
        at += 1;
    };
    let (a, b, code) = format.level().swap.as_ref()?;
    let scope = Scope::new(kernel, tensor, at);
    let (slots, mut bound) = scope.bindings(code, Hold::Slices, Numbers::Unsigned);
    // The two levels may have arrays of one name.
    let inner = |slot: &Ident| named_by(format!("{slot}_below"));
    for bound in &mut bound {
        if let Bind::Array(_, slot) = &mut bound.to {
            *slot = inner(slot);
        }
    }
    names.extend(slots.into_iter().map(|(slot, e)| match e {
        Expr::Array(_) => (inner(&slot), e),
        e => (slot, e),
    }));
    let pair = [a.clone(), b.clone()];
    let of_level = (tensor, at);
    let exchange = Exchange { moves: slot, sizes, of: of_level, pair, bound, code: code.clone() };
    let frame = Frame::Exchange(Box::new(exchange));
    let declared =
        Declared { of, code: TokenStream::new(), bound: Vec::new(), lengths: Vec::new(), frame };
    Some(Kir::Code(kernel.declared_code(declared, names, Ty::Unknown)))
}

/// Code before anything is appended to levels of a tensor that are linked later: where their first entries go, as many
/// children are in front of them.
pub fn start(kernel: &mut Kernel, tensor: TensorId) -> Vec<Kir> {
    let mut code = Vec::new();
    for depth in 0..kernel.tensor(tensor).levels.len() {
        let format = kernel.tensor(tensor).levels[depth].format.clone();
        let link = format.level().write.as_ref().and_then(|w| w.link.as_ref());
        let Some(link) = link else { continue };
        let mut scope = Scope::new(kernel, tensor, depth);
        code.push(scope.write_growth(Clause::Start, &link.start));
        code.extend(super::reserve(kernel, tensor, depth + 1, &Expr::int(1)));
    }
    code
}

/// Code that makes nodes of the entries of a level of `count` fibers, which were appended, and has their children follow.
/// Those below have been linked: what is exchanged of them are roots.
pub fn link(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Vec<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let link = format.level().write.as_ref().and_then(|w| w.link.as_ref());
    let Some(link) = link else { return Vec::new() };
    let (fibers, code) = &link.code;
    let mut scope = Scope::new(kernel, tensor, depth);
    scope.bind(fibers, count.clone());
    let mut out = vec![scope.write_growth(Clause::Link, code)];
    let children = below(kernel, tensor, depth, count);
    out.extend(fibers_exist(kernel, tensor, depth + 1, &children));
    out.extend(exchange(kernel, (tensor, depth), &link.moves));
    out
}

/// Code that makes fibers `0..count` of a level exist that is linked, or of a leaf.
fn fibers_exist(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Vec<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = &format.level().write else { return Vec::new() };
    if write.link.is_some() {
        let Some((fibers, reserve)) = &write.reserve else { return Vec::new() };
        let mut scope = Scope::new(kernel, tensor, depth);
        scope.bind(fibers, count.clone());
        return vec![scope.write_growth(Clause::Reserve, reserve)];
    }
    if write.order != Order::Locate || format.level().leaf.is_some() {
        return super::reserve(kernel, tensor, depth, count);
    }
    let children = below(kernel, tensor, depth, count);
    fibers_exist(kernel, tensor, depth + 1, &children)
}
