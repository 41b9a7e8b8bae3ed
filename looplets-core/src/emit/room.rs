//! Room for the entries of outputs that are appended to: as much as the inputs tell before the loops,
//! so that arrays need not be copied as they grow.

use crate::cin::*;
use crate::decl::{Joined, Order};
use crate::kernel::*;
use crate::kir::Kir;
use crate::optimize::{entry_bound, Entries};
use crate::runtime::Runtime;
use proc_macro2::Ident;

/// Code before the loops that makes room, and code after them that gives back what was far too much.
pub(super) fn room(k: &mut Kernel, id: TensorId) -> (Vec<Kir>, Vec<Kir>) {
    let arrays = per_entry(k, id);
    let Some(capacity) = entry_bound(k, id) else {
        // Room for all iterations is taken from how many entries the first of them had.
        let fit = |a: ArrayId| k.statement(Runtime::Fit, vec![Expr::Array(a)]);
        return (Vec::new(), arrays.into_iter().map(fit).collect());
    };
    let capacity = counted(k, &capacity);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let capacity = match &capacity {
        Expr::Call(..) if arrays.len() > 1 => {
            let name = format!("{}_room", k.tensor(id).name);
            let var = k.var(&name, VarKind::Local, Ty::Named("usize".into()));
            before.push(Kir::Let { var, mutable: false, value: capacity });
            Expr::Var(var)
        }
        _ => capacity,
    };
    for array in arrays.into_iter().map(Expr::Array) {
        before.push(k.statement(Runtime::Room, vec![array.clone(), capacity.clone()]));
        after.push(k.statement(Runtime::Fit, vec![array]));
    }
    for (array, count) in offsets(k, id) {
        before.push(k.statement(Runtime::Room, vec![Expr::Array(array), count]));
    }
    (before, after)
}

/// The offsets of levels of which it is known how many fibers they will have, with that number.
fn offsets(k: &Kernel, id: TensorId) -> Vec<(ArrayId, Expr)> {
    let tensor = k.tensor(id);
    let mut out = Vec::new();
    let mut fibers: Option<Expr> = None;
    for (level, len) in tensor.levels.iter().zip(&tensor.lens) {
        let decl = level.format.level();
        let appended = decl.write.as_ref().is_some_and(|w| w.order == Order::Append);
        if let (Some(count), Some(join), true) = (&fibers, &decl.join, appended) {
            let joined =
                |name: &Ident| join.iter().any(|(n, how)| n == name && *how == Joined::Offsets);
            let own = level.fields.iter().filter(|(name, _)| joined(name));
            let ends = Expr::call(Op::Usize, [count.plus(1)]);
            out.extend(own.filter_map(|(_, b)| match b {
                Binding::Array(a) => Some((*a, ends.clone())),
                _ => None,
            }));
        }
        if !decl.one_child_each() {
            break;
        }
        let len = Expr::Var(*len);
        fibers = Some(match fibers {
            Some(outer) => Expr::call(Op::Mul, [outer, len]),
            None => len,
        });
    }
    out
}

/// The number of entries, from inputs as they are passed.
fn counted(k: &mut Kernel, capacity: &Entries) -> Expr {
    let (op, of) = match capacity {
        Entries::Of(of) => {
            let size = Ty::Named("usize".into());
            return k.call(Runtime::Entries { of: *of }, Vec::new(), size);
        }
        Entries::Least(of) => (Op::Min, of),
        Entries::Sum(of) => (Op::Add, of),
    };
    let mut counts: Vec<Expr> = of.iter().map(|e| counted(k, e)).collect();
    match counts.len() {
        1 => counts.remove(0),
        _ => Expr::call(op, counts),
    }
}

/// The arrays with an element for each entry of the last level, if that is appended to.
fn per_entry(k: &Kernel, id: TensorId) -> Vec<ArrayId> {
    let [.., level, leaf] = &k.tensor(id).levels[..] else { return Vec::new() };
    let decl = level.format.level();
    let appended = decl.write.as_ref().filter(|w| w.order == Order::Append);
    if let Some(write) = appended.filter(|w| w.link.is_some()) {
        // What is linked later has its entries in the arrays of `each` until then.
        let own = level.fields.iter().filter(|(name, _)| write.each.iter().any(|(n, _)| n == name));
        return arrays(own.chain(&leaf.fields));
    }
    let Some((write, join)) = appended.zip(decl.join.as_ref()) else { return Vec::new() };
    // An entry of a run has one coordinate, at which it ends; others have one that is theirs.
    let how = if write.runs { Joined::Entries } else { Joined::Coordinates };
    let each = |name: &Ident| join.iter().any(|(field, joined)| field == name && *joined == how);
    if !level.fields.iter().any(|(name, _)| each(name)) {
        return Vec::new();
    }
    let entries = level.fields.iter().filter(|(name, _)| each(name));
    arrays(entries.chain(&leaf.fields))
}

/// Those of some fields that are arrays.
fn arrays<'a>(fields: impl Iterator<Item = &'a (Ident, Binding)>) -> Vec<ArrayId> {
    let array = |(_, b): &(Ident, Binding)| match b {
        Binding::Array(a) => Some(*a),
        _ => None,
    };
    fields.filter_map(array).collect()
}
