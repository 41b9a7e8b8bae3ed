//! Unfurls a fiber: instantiates a declared nest for one access (Looplets section 4).

mod appended;
mod expr;
mod linked;
mod scope;
mod words;
mod write;

pub use linked::{link, start};
pub(crate) use scope::{range, Scope};
pub(crate) use words::{word, wrote};
pub use write::{clear, follows, open, reserve, thaw};

use crate::cin::*;
use crate::kernel::*;
use crate::nest::{Grouped, Looplet, Payload, Stretched, Unfurled};
use crate::runtime::Runtime;
use write::entry;

/// The nest of `access`, whose first index is driven by the loop `index`.
pub fn unfurl(kernel: &mut Kernel, access: &Access, index: VarId) -> Unfurled {
    let tensor = kernel.tensor(access.tensor);
    let level = tensor.levels[access.level].clone();
    let len = Expr::Var(tensor.lens[access.level]);
    let trusted = level.trusted;
    let first = access.indices[0].clone();
    let (shift, group) = match &first.kind {
        IndexKind::Affine(_, shift) => (shift, Expr::int(1)),
        IndexKind::Digit(_, digit) => {
            (&digit.shift, first.view.repeats.clone().unwrap_or(digit.by.clone()))
        }
        IndexKind::Opaque(_) => unreachable!("a computed index is located"),
    };
    let stretched = group != Expr::int(1);
    if first.view.repeats.is_some() && !nowhere(access) {
        return repeated(access, index, group, shift, trusted);
    }
    let coordinate = first.coordinate(&Expr::Var(index));
    let decl = level.format.level();
    let extent = match stretched {
        true => Expr::call(Op::Mul, [len.clone(), group.clone()]),
        false => len.clone(),
    };
    let grouped = first.view.groups.first().filter(|g| g.index == index);
    let nest = if nowhere(access) {
        Looplet::Run(Payload::Fill)
    } else if access.write {
        Looplet::Lookup(index, Box::new(entry(kernel, access, &coordinate, &coordinate)))
    } else {
        let protocol = first.protocol.clone().unwrap_or_else(|| decl.reads[0].names[0].to_string());
        let located = decl.read(&protocol).is_some_and(|r| r.is_locate());
        let mut scope = Scope::new(kernel, access.tensor, access.level);
        if located && !stretched && grouped.is_none() {
            let nest = scope.read(&protocol, &access.pos, Some(&coordinate));
            if_present(access, Looplet::Lookup(index, Box::new(nest)))
        } else {
            let nest = match &access.resumed {
                Some((resumed, _)) => resumed.nest.clone(),
                None => {
                    let nest = match located {
                        true => {
                            let i = scope.coordinate();
                            let nest = scope.read(&protocol, &access.pos, Some(&Expr::Var(i)));
                            Looplet::Lookup(i, Box::new(nest))
                        }
                        false => scope.read(&protocol, &access.pos, None),
                    };
                    let nest = if_present(access, nest);
                    let by =
                        Stretched { by: group.clone(), moved: Expr::int(0), stop: len.clone() };
                    match stretched {
                        true => Looplet::Stretch(by, Box::new(nest)),
                        false => nest,
                    }
                }
            };
            if let Some(grouped) = grouped {
                return groups(access, grouped, nest, extent, trusted);
            }
            match &first.view.stride {
                Some(by) => Looplet::Stride {
                    by: by.clone(),
                    from: shift.clone(),
                    stop: extent.clone(),
                    body: Box::new(nest),
                },
                None if *shift == Expr::int(0) => nest,
                None => Looplet::Shift(difference(&Expr::int(0), shift), Box::new(nest)),
            }
        }
    };
    let seen = |e: &Expr| {
        let start = match stretched && *e != Expr::int(0) {
            true => Expr::call(Op::Mul, [e.clone(), group.clone()]),
            false => e.clone(),
        };
        seen_along(&difference(&start, shift), &first.view.stride)
    };
    let bounds = |(part, outside): &(Part, Outside)| Some((*outside, part.bounds(&len)?));
    let clips = first.view.clips.iter().filter_map(bounds);
    let inside = |outside: Outside, body: Looplet, (lo, hi): (Expr, Expr)| Looplet::Permit {
        outside,
        lo: seen(&lo),
        hi: seen(&hi),
        body: Box::new(body),
    };
    let mut nest = clips.fold(nest, |body, (outside, part)| inside(outside, body, part));
    if let (true, Some((lo, hi))) = (first.view.checked, first.view.part.bounds(&len)) {
        nest = match &first.kind {
            IndexKind::Digit(_, digit) => Looplet::Permit {
                outside: Outside::Refused,
                lo: difference(&lo, shift),
                hi: difference(&digits_end(kernel, access, digit), shift),
                body: Box::new(nest),
            },
            _ => inside(Outside::Refused, nest, (lo, hi)),
        };
    }
    let start = match &access.resumed {
        // In coordinates of the stretched nest already.
        Some((resumed, _)) => seen_along(&difference(&resumed.start, shift), &first.view.stride),
        None => seen(&Expr::int(0)),
    };
    Unfurled { index, nest, start, stop: seen(&len), trusted }
}

/// The level once for each `group` coordinates of the loop, however many there are.
fn repeated(access: &Access, index: VarId, group: Expr, shift: &Expr, trusted: bool) -> Unfurled {
    let endless = Expr::int((1 << 61) - 1);
    let by = Stretched { by: group, moved: Expr::int(0), stop: endless.clone() };
    let level = Looplet::Run(Payload::Child(access.pos.clone()));
    let nest = if_present(access, Looplet::Stretch(by, Box::new(level)));
    let start = difference(&Expr::int(0), shift);
    let nest = match *shift == Expr::int(0) {
        true => nest,
        false => Looplet::Shift(start.clone(), Box::new(nest)),
    };
    Unfurled { index, nest, start, stop: endless, trusted }
}

/// `nest`, in the coordinates of a fiber that ends at `stop`, along a loop over groups of its elements.
fn groups(access: &Access, group: &Group, nest: Looplet, stop: Expr, trusted: bool) -> Unfurled {
    let Group { index, by, from, count, whole } = group.clone();
    let resumed = access.resumed.as_ref().map(|(resumed, _)| resumed.start.clone());
    let first = resumed.unwrap_or(Expr::int(0));
    let past = difference(&stop, &from);
    let count = count.unwrap_or_else(|| Expr::call(Op::CeilDiv, [past.clone(), by.clone()]));
    let start = match first == from {
        true => Expr::int(0),
        false => Expr::call(Op::CeilDiv, [difference(&first, &from), by.clone()]),
    };
    let grouped = Grouped {
        group: group.start(&Expr::Var(index)),
        by,
        from,
        extent: [first, stop],
        whole,
        inside: false,
        rest: None,
        around: Vec::new(),
    };
    let Grouped { by, from, .. } = grouped.clone();
    let mut nest = Looplet::Groups(Box::new(grouped), Box::new(nest));
    if access.indices[0].view.checked {
        // The groups that lie in the dimension; none where they have no elements.
        let one = Expr::int(1);
        let some = Expr::call(Op::Le, [one.clone(), by.clone()]);
        let by = Expr::call(Op::Max, [one, by]);
        let lo = match &from {
            Expr::Lit(Lit::Int(0)) => from.clone(),
            from => Expr::call(Op::CeilDiv, [difference(&Expr::int(0), from), by.clone()]),
        };
        let hi = Expr::call(Op::Div, [past, by]);
        let hi = Expr::call(Op::IfElse, [some, hi, lo.clone()]);
        nest = Looplet::Permit { outside: Outside::Refused, lo, hi, body: Box::new(nest) };
    }
    Unfurled { index, nest, start, stop: count, trusted }
}

/// One past the last index whose digits lie in their dimensions, or 0 if lower digits may leave theirs.
fn digits_end(kernel: &mut Kernel, access: &Access, first: &Digit) -> Expr {
    let lens = kernel.tensor(access.tensor).lens[access.level..].to_vec();
    let args = vec![Expr::Var(lens[0]), first.by.clone()];
    let end = kernel.call(Runtime::Product, args, Ty::Index);
    let le = |a: &Expr, b: &Expr| Expr::call(Op::Le, [a.clone(), b.clone()]);
    let mut good = vec![le(&Expr::int(1), &first.by), le(&end, &Expr::int((1 << 61) - 1))];
    for (index, len) in access.indices[1..].iter().zip(&lens[1..]) {
        let IndexKind::Digit(_, Digit { modulo: Some(modulo), .. }) = &index.kind else { break };
        good.push(le(modulo, &Expr::Var(*len)));
    }
    Expr::call(Op::IfElse, [Expr::Call(Op::And, good), end, Expr::int(0)])
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
fn seen_along(e: &Expr, stride: &Option<Expr>) -> Expr {
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
    let mut clips = first.view.clips.clone();
    let computed = matches!(first.kind, IndexKind::Opaque(_)) || first.view.checked;
    match clips.first() {
        // Windows were checked for the indices of loops only.
        Some((first, outside)) if computed && *first != Part::Whole => {
            clips.insert(0, (Part::Whole, *outside));
        }
        _ => {}
    }
    let bounds = |(part, outside): &(Part, Outside)| Some((*outside, part.bounds(&len)?));
    clips.iter().filter_map(bounds).fold(nest, |body, (outside, (lo, hi))| {
        let after = Expr::call(Op::Le, [lo, coordinate.clone()]);
        let before = Expr::call(Op::Lt, [coordinate.clone(), hi]);
        let otherwise = beyond(outside);
        Looplet::Switch(vec![
            (Expr::call(Op::And, [after, before]), body),
            (Expr::bool(true), otherwise),
        ])
    })
}

/// What is read beyond a part that the access may leave.
pub(crate) fn beyond(outside: Outside) -> Looplet {
    Looplet::Run(match outside {
        Outside::Missing => Payload::Value(Expr::Lit(Lit::Missing)),
        Outside::Fill | Outside::Refused => Payload::Fill,
    })
}

/// The nest of the run of entries from `first` to `last`, which share one child.
pub fn run(kernel: &mut Kernel, access: &Access, first: &Expr, last: &Expr) -> Looplet {
    entry(kernel, access, first, last)
}
