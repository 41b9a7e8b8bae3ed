//! Unfurls a fiber: instantiates a declared nest for one access (Looplets section 4).

mod expr;
mod scope;
mod write;

pub(crate) use scope::Scope;
pub use write::{open, reserve};

use crate::cin::*;
use crate::kernel::*;
use crate::looplet::Looplet;
use write::entry;

/// The looplet nest of an access while the loop over its first index is lowered.
#[derive(Clone, Debug)]
pub struct Unfurled {
    /// The loop index.
    pub index: VarId,
    /// The nest, over the part of the extent that is being lowered.
    pub nest: Looplet,
    /// One past the last coordinate of the nest's own extent.
    pub stop: Expr,
    /// Where the nest's own extent starts.
    pub start: Expr,
    /// Whether what the format says of its extents may be relied upon.
    pub trusted: bool,
}

/// The nest of `access`, whose first index is the loop `index` moved by `shift`.
pub fn unfurl(kernel: &mut Kernel, access: &Access, index: VarId, shift: &Expr) -> Unfurled {
    let tensor = kernel.tensor(access.tensor);
    let level = tensor.levels[access.level].clone();
    let len = Expr::Var(tensor.lens[access.level]);
    let trusted = level.trusted;
    let coordinate = add(&Expr::Var(index), shift);
    if access.write {
        let nest = entry(kernel, access, &coordinate);
        return Unfurled {
            index,
            nest: Looplet::Lookup(index, Box::new(nest)),
            start: sub(&Expr::int(0), shift),
            stop: sub(&len, shift),
            trusted,
        };
    }
    let decl = level.format.level();
    let protocol =
        access.indices[0].protocol.clone().unwrap_or_else(|| decl.reads[0].names[0].to_string());
    let located = decl.read(&protocol).is_some_and(|r| r.is_locate());
    let mut scope = Scope::new(kernel, access.tensor, access.level);
    if located {
        let nest = scope.read(&protocol, &access.pos, Some(&coordinate));
        return Unfurled {
            index,
            nest: Looplet::Lookup(index, Box::new(nest)),
            start: sub(&Expr::int(0), shift),
            stop: sub(&len, shift),
            trusted,
        };
    }
    let nest = scope.read(&protocol, &access.pos, None);
    let zero = *shift == Expr::int(0);
    let nest = if zero { nest } else { Looplet::Shift(sub(&Expr::int(0), shift), Box::new(nest)) };
    Unfurled { index, nest, start: sub(&Expr::int(0), shift), stop: sub(&len, shift), trusted }
}

/// The nest of one coordinate of a fiber: for random access, and for writing.
pub fn locate(kernel: &mut Kernel, access: &Access, coordinate: &Expr) -> Looplet {
    if access.write {
        return entry(kernel, access, coordinate);
    }
    let mut scope = Scope::new(kernel, access.tensor, access.level);
    scope.read("locate", &access.pos, Some(coordinate))
}

fn add(a: &Expr, b: &Expr) -> Expr {
    match b {
        Expr::Lit(Lit::Int(n)) => a.plus(*n),
        _ => Expr::call("+", [a.clone(), b.clone()]),
    }
}

fn sub(a: &Expr, b: &Expr) -> Expr {
    match b {
        Expr::Lit(Lit::Int(n)) => a.plus(-n),
        Expr::Call(op, args) if op.name() == "neg" => add(a, &args[0]),
        _ if *a == Expr::int(0) => Expr::call("neg", [b.clone()]),
        _ => Expr::call("-", [a.clone(), b.clone()]),
    }
}
