//! Unfurls a fiber: instantiates a declared nest for one access (Looplets section 4).

mod appended;
mod expr;
mod scope;
mod write;

pub(crate) use scope::{range, Scope};
pub use write::{clear, open, reserve, thaw};

use crate::cin::*;
use crate::kernel::*;
use crate::nest::{Looplet, Payload, Unfurled};
use write::entry;

/// The nest of `access`, whose first index is driven by the loop `index`.
pub fn unfurl(kernel: &mut Kernel, access: &Access, index: VarId) -> Unfurled {
    let tensor = kernel.tensor(access.tensor);
    let level = tensor.levels[access.level].clone();
    let len = Expr::Var(tensor.lens[access.level]);
    let trusted = level.trusted;
    let first = access.indices[0].clone();
    let IndexKind::Affine(_, shift) = &first.kind else {
        unreachable!("a computed index is located")
    };
    let coordinate = first.coordinate(&Expr::Var(index));
    let decl = level.format.level();
    let nest = if nowhere(access) {
        Looplet::Run(Payload::Fill)
    } else if access.write {
        Looplet::Lookup(index, Box::new(entry(kernel, access, &coordinate, &coordinate)))
    } else {
        let protocol = first.protocol.clone().unwrap_or_else(|| decl.reads[0].names[0].to_string());
        let located = decl.read(&protocol).is_some_and(|r| r.is_locate());
        let mut scope = Scope::new(kernel, access.tensor, access.level);
        if located {
            let nest = scope.read(&protocol, &access.pos, Some(&coordinate));
            Looplet::Lookup(index, Box::new(nest))
        } else {
            let nest = Box::new(scope.read(&protocol, &access.pos, None));
            match &first.view.stride {
                Some(by) => Looplet::Stride {
                    by: by.clone(),
                    from: shift.clone(),
                    stop: len.clone(),
                    body: nest,
                },
                None if *shift == Expr::int(0) => *nest,
                None => Looplet::Shift(difference(&Expr::int(0), shift), nest),
            }
        }
    };
    let nest = if_present(access, nest);
    let seen = |e: &Expr| seen(&difference(e, shift), &first.view.stride);
    let clips = first.view.clips.iter().filter_map(|part| part.bounds(&len));
    let inside = |missing: bool, body: Looplet, (lo, hi): (Expr, Expr)| Looplet::Permit {
        missing,
        lo: seen(&lo),
        hi: seen(&hi),
        body: Box::new(body),
    };
    let mut nest = clips.fold(nest, |body, part| inside(true, body, part));
    if let (true, Some(part)) = (first.view.checked, first.view.part.bounds(&len)) {
        nest = inside(false, nest, part);
    }
    Unfurled { index, nest, start: seen(&Expr::int(0)), stop: seen(&len), trusted }
}

/// Whether the fiber is not stored, so that all of it is fill.
fn nowhere(access: &Access) -> bool {
    matches!(&access.pos, Expr::Call(op, _) if *op == Op::Nowhere)
}

/// `nest`, or fill where the fiber is absent. A lookup has its element or none at each coordinate.
fn if_present(access: &Access, nest: Looplet) -> Looplet {
    let Some(present) = access.present else { return nest };
    match nest {
        Looplet::Lookup(i, inner) => Looplet::Lookup(i, Box::new(if_present(access, *inner))),
        nest => Looplet::Switch(vec![
            (Expr::Var(present), nest),
            (Expr::bool(true), Looplet::Run(Payload::Fill)),
        ]),
    }
}

/// The least loop index at which a stride has reached `e`, which is relative to its start.
fn seen(e: &Expr, stride: &Option<Expr>) -> Expr {
    match stride {
        Some(by) => Expr::call(Op::CeilDiv, [e.clone(), by.clone()]),
        None => e.clone(),
    }
}

/// The nest of one coordinate of a fiber: for random access, and for writing.
pub fn locate(kernel: &mut Kernel, access: &Access, coordinate: &Expr) -> Looplet {
    if access.write {
        return entry(kernel, access, coordinate, coordinate);
    }
    let len = Expr::Var(kernel.tensor(access.tensor).lens[access.level]);
    let nest = if nowhere(access) {
        Looplet::Run(Payload::Fill)
    } else {
        let mut scope = Scope::new(kernel, access.tensor, access.level);
        scope.read("locate", &access.pos, Some(coordinate))
    };
    let nest = if_present(access, nest);
    let first = &access.indices[0];
    let mut clips: Vec<Part> = first.view.clips.clone();
    if matches!(first.kind, IndexKind::Opaque(_)) && !clips.is_empty() {
        // Windows were checked for the indices of loops only.
        clips.push(Part::Whole);
    }
    clips.iter().filter_map(|part| part.bounds(&len)).fold(nest, |body, (lo, hi)| {
        let after = Expr::call(Op::Le, [lo, coordinate.clone()]);
        let before = Expr::call(Op::Lt, [coordinate.clone(), hi]);
        let missing = Looplet::Run(Payload::Value(Expr::Lit(Lit::Missing)));
        Looplet::Switch(vec![
            (Expr::call(Op::And, [after, before]), body),
            (Expr::bool(true), missing),
        ])
    })
}

/// The nest of the run of entries from `first` to `last`, which share one child.
pub fn run(kernel: &mut Kernel, access: &Access, first: &Expr, last: &Expr) -> Looplet {
    entry(kernel, access, first, last)
}
