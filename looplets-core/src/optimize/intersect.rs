//! Intersection of two cursors, of which only common coordinates matter: the cursor that is behind runs ahead in a
//! loop of its own, and both advance together while their coordinates are equal.
//!
//! The merge that lowering makes loads the coordinates of both cursors, and tests the ends of both, in every step of
//! either. Here the loop of the cursor that is behind loads and tests nothing of the other. It takes two steps
//! before it tries to skip several entries, since most cursors are behind by one or two. Where every step does
//! something, as in a union, the merge of lowering is faster.
//!
//! Which cursor is behind cannot be foreseen where entries lie at random, and a branch that is guessed wrong takes as long as a dozen
//! steps. Where both cursors have more than four entries left they move by what comparisons give, as numbers: each by up to two. A
//! branch is left for those that can skip four, which is seldom, or nearly always. On two uniform lists this takes half the time, on lists
//! that take turns, which can be foreseen, up to twice.

use super::alike::{fours, Entries, Fours};
use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::map_code;
use crate::kir::Kir;

pub(super) fn intersect(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut label = 0;
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            if let Kir::Labeled(l, _) = k {
                label = label.max(*l);
            }
        })
    });
    let mut first = Vec::new();
    let code = within(kernel, code, &mut label, &mut first);
    [first, code].concat()
}

fn within(kernel: &mut Kernel, code: Vec<Kir>, label: &mut u32, first: &mut Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = within(kernel, std::mem::take(block), label, first);
        }
        match Merge::of(kernel, &k) {
            Some(mut merge) => {
                *label += 1;
                merge.by_starts(kernel);
                out.extend(merge.apart(kernel, *label, first));
            }
            None => out.push(k),
        }
    }
    out
}

/// One of the two.
struct Cursor {
    /// Its position.
    q: VarId,
    /// Whether it has a child.
    left: Expr,
    /// Where its child ends.
    stop: VarId,
    /// The same, as computed from its position.
    value: Expr,
    /// Moves it while it is behind.
    moves: Vec<Kir>,
}

/// A loop over two cursors that does something only where their children end together.
struct Merge {
    left: Expr,
    cursors: [Cursor; 2],
    both: Vec<Kir>,
}

impl Merge {
    fn of(kernel: &Kernel, k: &Kir) -> Option<Self> {
        let Kir::While { cond: left @ Expr::Call(and, conditions), body } = k else { return None };
        let [ours, theirs] = &conditions[..] else { return None };
        let [Kir::Let { var: a, value: at_a, .. }, Kir::Let { var: b, value: at_b, .. }, Kir::If { cond, then, otherwise }] =
            &body[..]
        else {
            return None;
        };
        let [Kir::If { cond: other, then: second, otherwise: both }] = &otherwise[..] else {
            return None;
        };
        let less = |x: &VarId, y: &VarId| Expr::call(Op::Lt, [Expr::Var(*x), Expr::Var(*y)]);
        if and.name() != "and" || *cond != less(a, b) || *other != less(b, a) {
            return None;
        }
        let cursor = |left: &Expr, stop: VarId, value: &Expr, moves: &[Kir]| {
            let Expr::Call(op, args) = left else { return None };
            let [Expr::Var(q), _] = &args[..] else { return None };
            let found = *op == Op::Lt && kernel.cursors.contains_key(q) && only_moves(moves, *q);
            let (left, value, moves) = (left.clone(), value.clone(), moves.to_vec());
            found.then_some(Cursor { q: *q, left, stop, value, moves })
        };
        let cursors = [cursor(ours, *a, at_a, then)?, cursor(theirs, *b, at_b, second)?];
        // Where they meet both go on, which is said last.
        let (rest, last) = both.split_at_checked(both.len().checked_sub(2)?)?;
        let next = |f: &Cursor| Kir::Set { var: f.q, value: Expr::Var(f.q).plus(1) };
        let goes_on = |f: &Cursor| last.contains(&next(f)) && !rest.iter().any(|k| sets(k, f.q));
        let found = cursors[0].q != cursors[1].q
            && cursors.iter().all(|f| goes_on(f) && f.is_tied(kernel, k));
        found.then(|| Merge { left: left.clone(), cursors, both: both.clone() })
    }

    /// Compares what is loaded, if both children end as far behind it: LLVM knows no sum by its terms once it
    /// is kept from step to step.
    fn by_starts(&mut self, kernel: &mut Kernel) {
        let starts: Vec<_> = self.cursors.iter().filter_map(|f| start(&f.value)).collect();
        let Ok([at_a, at_b]) = <[Expr; 2]>::try_from(starts) else { return };
        let ends = [self.cursors[0].stop, self.cursors[1].stop];
        let ats = ends.map(|end| {
            let name = kernel.info(end).name.replace("stop", "at");
            kernel.var(&name, VarKind::State, Ty::Index)
        });
        // Whether `e` ends before a child does.
        let mut by_start = |e: &Expr| {
            let Expr::Call(less, args) = e else { return None };
            let [e, Expr::Var(v)] = &args[..] else { return None };
            if less.name() != "<" {
                return None;
            }
            let at = ats[ends.iter().position(|end| end == v)?];
            Some(Expr::Call(less.clone(), vec![start(e)?, Expr::Var(at)]))
        };
        let moves = self.cursors.each_ref().map(|f| map_code(&f.moves, &mut by_start));
        let reads =
            |k: &Kir, end: &VarId| k.exprs().iter().any(|e| kernel.depends(e).contains(end));
        let mut knows = false;
        moves
            .iter()
            .flatten()
            .for_each(|k| k.walk(&mut |k| knows |= ends.iter().any(|end| reads(k, end))));
        if knows {
            return;
        }
        for (end, at) in ends.iter().zip(ats) {
            let value = Expr::Var(at).plus(1);
            self.both.insert(0, Kir::Let { var: *end, mutable: false, value });
        }
        let found = self.cursors.iter_mut().zip(moves).zip(ats).zip([at_a, at_b]);
        for (((f, moves), at), value) in found {
            (f.moves, f.stop, f.value) = (moves, at, value);
        }
    }

    /// The loop in which each cursor moves by itself; `first` gets what is computed in front of all loops.
    fn apart(self, kernel: &mut Kernel, label: u32, first: &mut Vec<Kir>) -> Vec<Kir> {
        let Merge { left, cursors: [a, b], both } = self;
        let steps = kernel.steps;
        let fours = fours(kernel, [a.entries(), b.entries()], &both);
        let look = |f: &Cursor| Kir::Set { var: f.stop, value: f.value.clone() };
        let mut matched = both;
        let over = Expr::call(Op::Or, [a.over(), b.over()]);
        matched.push(Kir::If { cond: over, then: vec![Kir::Break(label)], otherwise: Vec::new() });
        matched.extend([look(&a), look(&b)]);
        let same = Expr::call(Op::Eq, [Expr::Var(a.stop), Expr::Var(b.stop)]);
        let mut body = vec![Kir::While { cond: same, body: matched }];
        let mut near = a.catch_up(&b, label, steps);
        near.extend(b.catch_up(&a, label, steps));
        match [&a, &b].iter().all(|f| f.skips()) {
            true => {
                let far = Expr::call(Op::And, [&a, &b].map(|f| f.has(FAR)));
                body.push(Kir::If { cond: far, then: step(&a, &b, steps), otherwise: near });
            }
            false => body.extend(near),
        }
        let begin = |f: &Cursor| Kir::Let { var: f.stop, mutable: true, value: f.value.clone() };
        let all = Kir::While { cond: Expr::bool(true), body };
        let then = vec![begin(&a), begin(&b), Kir::Labeled(label, vec![all])];
        let rest = Kir::If { cond: left, then, otherwise: Vec::new() };
        let Some(Fours { long, taken }) = fours else { return vec![rest] };
        let known = kernel.var("long", VarKind::Local, Ty::Bool);
        first.push(Kir::Let { var: known, mutable: false, value: long });
        kernel.constant.insert(known);
        vec![Kir::If { cond: Expr::Var(known), then: vec![taken], otherwise: Vec::new() }, rest]
    }
}

/// Counts a step outside of the loops that count their own.
fn counted(steps: Option<VarId>) -> Vec<Kir> {
    steps.map(|n| Kir::Set { var: n, value: Expr::Var(n).plus(1) }).into_iter().collect()
}

/// How many entries each cursor must have behind its own for [`step`], which reads so far ahead.
const FAR: i128 = 4;

/// Moves two cursors on that are at different coordinates, each with [`FAR`] entries behind its own: one of them by four, or each by as many
/// of the next two as lie before the other cursor.
fn step(a: &Cursor, b: &Cursor, steps: Option<VarId>) -> Vec<Kir> {
    let moved = |f: &Cursor, by: Expr| {
        let next = Kir::Set { var: f.q, value: Expr::call(Op::Add, [Expr::Var(f.q), by]) };
        [next, Kir::Set { var: f.stop, value: f.value.clone() }]
    };
    let behind = |f: &Cursor, other: &Cursor, count: i128| {
        let ahead = f.value.map(&mut replace_var(f.q, &Expr::Var(f.q).plus(count)));
        Expr::call(Op::Lt, [ahead, Expr::Var(other.stop)])
    };
    // A comparison is 1 where it holds.
    let by = |f: &Cursor, other: &Cursor| {
        let first = Expr::call(Op::Lt, [Expr::Var(f.stop), Expr::Var(other.stop)]);
        let both = [first, behind(f, other, 1)].map(|e| Expr::call(Op::Index, [e]));
        Expr::call(Op::Add, both)
    };
    // Each is told where the other was before it moved.
    let [next_a, look_a] = moved(a, by(a, b));
    let [next_b, look_b] = moved(b, by(b, a));
    let mut code = vec![next_a, next_b, look_a, look_b];
    for (f, other) in [(b, a), (a, b)] {
        let then = moved(f, Expr::int(FAR)).to_vec();
        code = vec![Kir::If { cond: behind(f, other, FAR), then, otherwise: code }];
    }
    [counted(steps), code].concat()
}

impl Cursor {
    /// Whether it may skip several entries.
    fn skips(&self) -> bool {
        !matches!(self.moves[..], [Kir::Set { .. }])
    }

    /// The entries that it stands at.
    fn entries(&self) -> Entries<'_> {
        let has = Box::new(|count| self.has(count));
        Entries { q: self.q, at: self.stop, value: &self.value, has }
    }

    /// Whether it has more than `count` entries left.
    fn has(&self, count: i128) -> Expr {
        self.left.map(&mut replace_var(self.q, &Expr::Var(self.q).plus(count)))
    }

    /// Whether what it computes depends on nothing that changes in `k` but its position.
    fn is_tied(&self, kernel: &Kernel, k: &Kir) -> bool {
        let (value, left) = (kernel.effects(&self.value), kernel.effects(&self.left));
        let mut writes = kernel.effects_of_code([k]).writes;
        writes.vars.remove(&self.q);
        !value.opaque && !value.calls && !value.reads.meet(&writes) && !left.reads.meet(&writes)
    }

    /// Whether it has no child.
    fn over(&self) -> Expr {
        let Expr::Call(_, args) = &self.left else { unreachable!("a comparison") };
        Expr::call(Op::Ge, args.clone())
    }

    /// Moves it on until it is not behind `other`; `steps` counts those outside of loops as well.
    fn catch_up(&self, other: &Cursor, label: u32, steps: Option<VarId>) -> Vec<Kir> {
        let behind = Expr::call(Op::Lt, [Expr::Var(self.stop), Expr::Var(other.stop)]);
        let moved = |moves: &[Kir]| {
            let mut code = moves.to_vec();
            let leave = vec![Kir::Break(label)];
            code.push(Kir::If { cond: self.over(), then: leave, otherwise: Vec::new() });
            code.push(Kir::Set { var: self.stop, value: self.value.clone() });
            code
        };
        let one = moved(&[Kir::Set { var: self.q, value: Expr::Var(self.q).plus(1) }]);
        let mut code = vec![Kir::While { cond: behind.clone(), body: moved(&self.moves) }];
        if !self.skips() {
            return code;
        }
        for _ in 0..2 {
            let then = [counted(steps), one.clone(), code].concat();
            code = vec![Kir::If { cond: behind.clone(), then, otherwise: Vec::new() }];
        }
        code
    }
}

/// `e`, if what is given is `e + 1`.
fn start(end: &Expr) -> Option<Expr> {
    let Expr::Call(op, args) = end else { return None };
    match &args[..] {
        [e, Expr::Lit(Lit::Int(1))] if *op == Op::Add => Some(e.clone()),
        _ => None,
    }
}

/// Whether `code` does nothing but to add to `q`.
fn only_moves(code: &[Kir], q: VarId) -> bool {
    code.iter().all(|k| match k {
        Kir::Set { var, .. } => *var == q && super::capacity::moved(k) == Some(q),
        Kir::If { then, otherwise, .. } => only_moves(then, q) && only_moves(otherwise, q),
        Kir::Block(body) => only_moves(body, q),
        _ => false,
    })
}

fn sets(k: &Kir, q: VarId) -> bool {
    let mut found = false;
    k.walk(&mut |k| found |= matches!(k, Kir::Set { var, .. } if *var == q));
    found
}
