//! Sums of floats in lanes: stable Rust may not reorder float additions, so the order is fixed here.
//!
//! There are four lanes; eight where the loop only reads neighbours, two registers of them, since one
//! addition has to wait for the one before it. Of a sum of `n` terms, term `q` of the first `n - n mod 8`
//! goes to lane `q mod 8`; if four or more are left, the next four go to the first four lanes. Then the
//! second half of the lanes is added to the first, and so on, up to `(l0 + l2) + (l1 + l3)`; that to what
//! was there before, then the last terms, at most three, in order.
//!
//! Where loops do nothing but add to one sum by a loop in them, the lanes are those of the outermost: each
//! run of the innermost begins with lane 0, and the lanes are added at the end. What a run has left goes to
//! lanes of their own, four for the four terms and three for the last, which are added to the four that
//! remain of the eight: were they the same lanes, each run would take registers apart and put them together.
//!
//! Loops over rows that have any number of entries add the last terms without a branch: see `remainders`.

use super::remainders::{self, Remainders};
use crate::cin::*;
use crate::effects::Effect;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::Kir;
use crate::runtime::Runtime;

/// Lanes of a loop that gathers.
pub(super) const FEW: i128 = 4;
/// Lanes of a loop that reads neighbours only.
const MANY: i128 = 8;

pub(super) fn split(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    match kernel.steps {
        None => block(kernel, code, &Remainders::new()),
        Some(_) => code,
    }
}

/// `code` with lanes, which mask what is left behind them as `masked` says.
fn block(kernel: &mut Kernel, code: Vec<Kir>, masked: &Remainders) -> Vec<Kir> {
    let mut out = Vec::new();
    for k in code {
        if let Some((acc, count)) = nest(kernel, &k) {
            out.extend(in_lanes(kernel, &k, acc, count, masked));
            continue;
        }
        let adds = |kernel: &Kernel, body: &[Kir]| sum(kernel, body).is_some();
        let Some(asked) = remainders::ask(kernel, &k, &adds) else {
            out.push(inside_of(kernel, k, masked));
            continue;
        };
        out.extend(asked.code);
        let Some(cond) = asked.twice else {
            out.push(inside_of(kernel, k, &asked.known));
            continue;
        };
        let then = vec![inside_of(kernel, k.clone(), &asked.known)];
        let otherwise = vec![inside_of(kernel, k, masked)];
        out.push(Kir::If { cond, then, otherwise });
    }
    out
}

/// `k` with lanes in the blocks below it.
fn inside_of(kernel: &mut Kernel, mut k: Kir, masked: &Remainders) -> Kir {
    for inner in k.blocks_mut() {
        *inner = block(kernel, std::mem::take(inner), masked);
    }
    k
}

/// The accumulator of a loop that does nothing but add to it, itself or by loops in it, and how many lanes
/// it is worth.
fn nest(kernel: &Kernel, k: &Kir) -> Option<(VarId, i128)> {
    let Kir::For { body, .. } = k else { return None };
    if let Some(acc) = sum(kernel, body) {
        return Some((acc, if gathers(kernel, body) { FEW } else { MANY }));
    }
    inside(kernel, body)
}

/// The same of a block with one such loop, in which nothing else has to do with the sum.
fn inside(kernel: &Kernel, body: &[Kir]) -> Option<(VarId, i128)> {
    let one = |k: &Kir| match k {
        Kir::For { .. } => nest(kernel, k),
        Kir::Block(inner) => inside(kernel, inner),
        Kir::If { then, otherwise, .. } if otherwise.is_empty() => inside(kernel, then),
        _ => None,
    };
    let at = body.iter().position(|k| one(k).is_some())?;
    let found = one(&body[at]);
    let (acc, _) = found?;
    let apart = |(n, k): (usize, &Kir)| match k {
        // Of the loop itself, what is outside of it.
        _ if n != at => !touches(kernel, k, acc),
        other => !other.exprs().iter().any(|e| kernel.depends(e).contains(&acc)),
    };
    body.iter().enumerate().all(apart).then_some(found)?
}

/// Whether `k` or anything in it reads or writes `acc`, or may not come to what is behind it.
fn touches(kernel: &Kernel, k: &Kir, acc: VarId) -> bool {
    kernel.does(k, |effect| match effect {
        Effect::ReadsVar(v) | Effect::WritesVar(v) => v == acc,
        effect => effect == Effect::Leaves,
    })
}

/// The accumulator, if `body` is straight code that adds to one float or subtracts from it and nothing else, and no term reads
/// what those before it left there. A lane is what terms add or subtract from `-0.0`, so the sum of lanes is added in either case.
fn sum(kernel: &Kernel, body: &[Kir]) -> Option<VarId> {
    let acc = adds(kernel, body)?;
    let mut read = false;
    body.iter().for_each(|k| {
        k.walk(&mut |k| match k {
            Kir::Let { value, .. } | Kir::Store { value, .. } => {
                read |= kernel.depends(value).contains(&acc)
            }
            _ => {}
        })
    });
    (!read).then_some(acc)
}

fn adds(kernel: &Kernel, body: &[Kir]) -> Option<VarId> {
    let mut acc = None;
    for k in body {
        match k {
            Kir::Let { mutable: false, .. } | Kir::Comment(_) => {}
            Kir::Block(inner) => match adds(kernel, inner) {
                Some(v) if acc.is_none() => acc = Some(v),
                _ => return None,
            },
            Kir::Store { target: Expr::Var(v), op: Some(Op::Add | Op::Sub), .. }
                if kernel.info(*v).ty.is_float() && acc.is_none() =>
            {
                acc = Some(*v);
            }
            _ => return None,
        }
    }
    acc
}

/// The lanes of a sum.
struct Lanes {
    /// Those of a step, which are as many.
    all: Vec<VarId>,
    /// Of four terms that are left.
    four: Vec<VarId>,
    /// Of the last terms, at most three.
    last: Vec<VarId>,
}

/// So many locals like `acc`.
fn lanes_like(kernel: &mut Kernel, acc: VarId, name: &str, count: i128) -> Vec<VarId> {
    let (ty, original) = (kernel.info(acc).ty.clone(), kernel.info(acc).name.clone());
    let mut one = |n| {
        let lane = kernel.var(&format!("{name}{n}"), VarKind::Scalar, ty.clone());
        kernel.assigned_like(lane, &original);
        lane
    };
    (0..count).map(&mut one).collect()
}

/// The loop `k`, which adds to `acc`, with `count` lanes in its place.
fn in_lanes(
    kernel: &mut Kernel,
    k: &Kir,
    acc: VarId,
    count: i128,
    masked: &Remainders,
) -> Vec<Kir> {
    // The zero that a sum leaves as it is: of either sign, where nothing is added.
    let zero = |l: &VarId| {
        let value = Expr::Lit(Lit::float(-0.0));
        Kir::Let { var: *l, mutable: true, value }
    };
    kernel.vectors |= count == MANY;
    let all = lanes_like(kernel, acc, "lane", count);
    let mut wide: Vec<Kir> = all.iter().map(zero).collect();
    if matches!(k, Kir::For { body, .. } if sum(kernel, body).is_some()) {
        let four = all[..FEW as usize].to_vec();
        let lanes = Lanes { all, four, last: vec![acc; FEW as usize - 1] };
        let (at, steps, mut rest) = steps(kernel, k, acc, &lanes, masked);
        wide.extend(steps);
        let low = halves(kernel, &lanes.all, &mut wide);
        wide.push(total(acc, low, &[]));
        let mut code = vec![at, Kir::Block(wide)];
        code.append(&mut rest);
        return code;
    }
    let (four, last) =
        (lanes_like(kernel, acc, "four", FEW), lanes_like(kernel, acc, "last", FEW - 1));
    let lanes = Lanes { all, four, last };
    let code = within(kernel, std::slice::from_ref(k), acc, &lanes);
    // Of a loop of known length it is known what is left.
    let used = |lanes: &[VarId]| -> Vec<VarId> {
        let adds = |l: &VarId| code.iter().any(|k| touches(kernel, k, *l));
        lanes.iter().copied().filter(adds).collect()
    };
    let more = [used(&lanes.four), used(&lanes.last)];
    wide.extend(more.iter().flatten().map(zero));
    wide.extend(code);
    let low = halves(kernel, &lanes.all, &mut wide);
    wide.push(total(acc, low, &more));
    vec![Kir::Block(wide)]
}

/// Adds the second half of eight `lanes` to the first, which is put together, and is what is left.
fn halves<'a>(kernel: &mut Kernel, lanes: &'a [VarId], code: &mut Vec<Kir>) -> &'a [VarId] {
    let (low, high) = lanes.split_at(FEW as usize);
    if high.is_empty() {
        return low;
    }
    let add = |(l, h): (&VarId, &VarId)| Kir::Store {
        target: Expr::Var(*l),
        op: Some(Op::Add),
        value: Expr::Var(*h),
    };
    code.extend(low.iter().zip(high).map(add));
    code.push(together(kernel, low));
    low
}

/// Puts `lanes` beside each other in memory.
///
/// LLVM makes vectors of what is stored side by side. From the sums of lanes alone it makes them of the
/// first two lanes that it meets, and of as few at a time in the loops.
fn together(kernel: &mut Kernel, lanes: &[VarId]) -> Kir {
    let lanes = lanes.iter().map(|l| Expr::Var(*l)).collect();
    kernel.statement(Runtime::Together, lanes)
}

/// Adds `lanes` to `acc`, and `more` to the four that halves of them come to.
fn total(acc: VarId, lanes: &[VarId], more: &[Vec<VarId>]) -> Kir {
    let mut sums: Vec<Expr> = lanes.iter().map(|l| Expr::Var(*l)).collect();
    let add = |a: Expr, b: Expr| Expr::call(Op::Add, [a, b]);
    // Half of a register, or of two, on the other half.
    while sums.len() > 1 {
        if sums.len() == FEW as usize {
            for (n, lane) in more.iter().flat_map(|lanes| lanes.iter().enumerate()) {
                sums[n] = add(sums[n].clone(), Expr::Var(*lane));
            }
        }
        let behind = sums.split_off(sums.len() / 2);
        sums = sums.into_iter().zip(behind).map(|(a, b)| add(a, b)).collect();
    }
    Kir::Store { target: Expr::Var(acc), op: Some(Op::Add), value: sums.remove(0) }
}

/// `code` with its innermost loop adding to lanes that outlive it.
fn within(kernel: &mut Kernel, code: &[Kir], acc: VarId, lanes: &Lanes) -> Vec<Kir> {
    let mut out = Vec::new();
    for k in code {
        match k {
            Kir::For { body, .. } if sum(kernel, body) == Some(acc) => {
                let (at, steps, mut rest) = steps(kernel, k, acc, lanes, &Remainders::new());
                let mut all = vec![at];
                all.extend(steps);
                all.append(&mut rest);
                out.push(Kir::Block(all));
            }
            other => {
                let mut k = other.clone();
                for block in k.blocks_mut() {
                    *block = within(kernel, block, acc, lanes);
                }
                out.push(k);
            }
        }
    }
    out
}

/// The loop `k` in parts: where it stands, as many terms at a time as there are lanes, and the last three
/// or fewer.
fn steps(
    kernel: &mut Kernel,
    k: &Kir,
    acc: VarId,
    lanes: &Lanes,
    masked: &Remainders,
) -> (Kir, Vec<Kir>, Vec<Kir>) {
    let Kir::For { var: q, lo, hi, body } = k else { unreachable!("a loop that adds") };
    let name = kernel.info(*q).name.clone();
    let at = kernel.var(&format!("{name}_lane"), VarKind::State, Ty::Index);
    // The term at `at + n`, to a lane.
    let term = |n: i128, lane: VarId| {
        let value = Expr::Var(at).plus(n);
        let mut copy = vec![Kir::Let { var: *q, mutable: false, value }];
        copy.extend(body.iter().cloned());
        copy.iter_mut().for_each(|k| redirect(k, acc, lane));
        Kir::Block(copy)
    };
    let step = |lanes: &[VarId]| {
        let mut step: Vec<Kir> =
            lanes.iter().enumerate().map(|(n, l)| term(n as i128, *l)).collect();
        let by = Expr::int(lanes.len() as i128);
        step.push(Kir::Set { var: at, value: Expr::call(Op::Add, [Expr::Var(at), by]) });
        step
    };
    let full = |n: i128| Expr::call(Op::Le, [Expr::Var(at).plus(n), hi.clone()]);
    // How many terms there are, if it is known.
    let known = match (lo, hi) {
        (Expr::Lit(Lit::Int(lo)), Expr::Lit(Lit::Int(hi))) => Some((hi - lo).max(0)),
        _ => None,
    };
    let count = lanes.all.len() as i128;
    let mut wide = vec![Kir::While { cond: full(count), body: step(&lanes.all) }];
    if count > FEW && known.is_none_or(|n| n % count >= FEW) {
        let then = step(&lanes.four);
        wide.push(Kir::If { cond: full(FEW), then, otherwise: Vec::new() });
    }
    let mut rest = Vec::new();
    // One by one, at most three: LLVM would unroll a loop as if there were more.
    let left = known.map_or(FEW - 1, |n| n % FEW);
    for n in (0..left).rev() {
        let mut then = vec![term(n, lanes.last[n as usize])];
        then.append(&mut rest);
        let cond = Expr::call(Op::Lt, [Expr::Var(at).plus(n), hi.clone()]);
        rest = vec![Kir::If { cond, then, otherwise: Vec::new() }];
    }
    if let Some(last) = masked.get(q) {
        rest = vec![remainders::masked(kernel, (at, hi, *last), acc, &term, rest)];
    }
    (Kir::Let { var: at, mutable: true, value: lo.clone() }, wide, rest)
}

/// Whether what is read stands where coordinates of a level say.
pub(super) fn gathers(kernel: &Kernel, body: &[Kir]) -> bool {
    let mut found = false;
    body.iter().for_each(|k| {
        k.walk(&mut |k| {
            for e in k.exprs() {
                e.walk(&mut |e| {
                    found |= matches!(e, Expr::Load(a, _) if kernel.arrays[a.0 as usize].elem == Ty::Index);
                    found |= matches!(e, Expr::Raw(_));
                });
            }
        })
    });
    found
}

fn redirect(k: &mut Kir, from: VarId, to: VarId) {
    if let Kir::Store { target: Expr::Var(v), .. } = k {
        if *v == from {
            *v = to;
        }
    }
    for block in k.blocks_mut() {
        block.iter_mut().for_each(|k| redirect(k, from, to));
    }
}
