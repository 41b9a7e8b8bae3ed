//! Two fingers that matter only where they meet: each runs ahead by itself until it is not behind, and both go on
//! together while they meet.
//!
//! The loop that lowering makes looks at both children, tells which ends first, moves that one and starts again:
//! both are loaded and both ends are looked at for every step of either. Here the finger that is behind moves in
//! a loop of its own, which loads and looks at nothing of the other. It steps twice before it asks whether it may
//! leap, since most are behind by one or two. Where every step does something, the loop of lowering is faster.

use super::mentions;
use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::map_code;
use crate::kir::K;

pub(super) fn meet(kernel: &mut Kernel, code: Vec<K>) -> Vec<K> {
    let mut label = 0;
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            if let K::Labeled(l, _) = k {
                label = label.max(*l);
            }
        })
    });
    within(kernel, code, &mut label)
}

fn within(kernel: &mut Kernel, code: Vec<K>, label: &mut u32) -> Vec<K> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = within(kernel, std::mem::take(block), label);
        }
        match Merge::of(kernel, &k) {
            Some(mut merge) => {
                *label += 1;
                merge.by_starts(kernel);
                out.push(merge.apart(*label, kernel.steps));
            }
            None => out.push(k),
        }
    }
    out
}

/// One of the two.
struct Finger {
    /// Its position.
    q: VarId,
    /// Whether it has a child.
    left: Expr,
    /// Where its child ends.
    stop: VarId,
    /// The same, as computed from its position.
    value: Expr,
    /// Moves it while it is behind.
    moves: Vec<K>,
}

/// A loop over two fingers that does something only where their children end together.
struct Merge {
    left: Expr,
    fingers: [Finger; 2],
    both: Vec<K>,
}

impl Merge {
    fn of(kernel: &Kernel, k: &K) -> Option<Self> {
        let K::While { cond: left @ Expr::Call(and, conditions), body } = k else { return None };
        let [ours, theirs] = &conditions[..] else { return None };
        let [K::Let { var: a, value: at_a, .. }, K::Let { var: b, value: at_b, .. }, K::If { cond, then, otherwise }] =
            &body[..]
        else {
            return None;
        };
        let [K::If { cond: other, then: second, otherwise: both }] = &otherwise[..] else {
            return None;
        };
        let less = |x: &VarId, y: &VarId| Expr::call(Op::Lt, [Expr::Var(*x), Expr::Var(*y)]);
        if and.name() != "and" || *cond != less(a, b) || *other != less(b, a) {
            return None;
        }
        let finger = |left: &Expr, stop: VarId, value: &Expr, moves: &[K]| {
            let Expr::Call(op, args) = left else { return None };
            let [Expr::Var(q), _] = &args[..] else { return None };
            let found = *op == Op::Lt && kernel.cursors.contains_key(q) && only_moves(moves, *q);
            let (left, value, moves) = (left.clone(), value.clone(), moves.to_vec());
            found.then_some(Finger { q: *q, left, stop, value, moves })
        };
        let fingers = [finger(ours, *a, at_a, then)?, finger(theirs, *b, at_b, second)?];
        // Where they meet both go on, which is said last.
        let (rest, last) = both.split_at_checked(both.len().checked_sub(2)?)?;
        let next = |f: &Finger| K::Set { var: f.q, value: Expr::Var(f.q).plus(1) };
        let goes_on = |f: &Finger| last.contains(&next(f)) && !rest.iter().any(|k| sets(k, f.q));
        let found = fingers[0].q != fingers[1].q
            && fingers.iter().all(|f| goes_on(f) && f.is_tied(kernel, k));
        found.then(|| Merge { left: left.clone(), fingers, both: both.clone() })
    }

    /// Compares what is loaded, if both children end as far behind it: LLVM knows no sum by its terms once it
    /// is kept from step to step.
    fn by_starts(&mut self, kernel: &mut Kernel) {
        let starts: Vec<_> = self.fingers.iter().filter_map(|f| start(&f.value)).collect();
        let Ok([at_a, at_b]) = <[Expr; 2]>::try_from(starts) else { return };
        let ends = [self.fingers[0].stop, self.fingers[1].stop];
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
        let moves = self.fingers.each_ref().map(|f| map_code(&f.moves, &mut by_start));
        let reads = |k: &K, end: &VarId| k.exprs().iter().any(|e| kernel.depends(e).contains(end));
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
            self.both.insert(0, K::Let { var: *end, mutable: false, value });
        }
        let found = self.fingers.iter_mut().zip(moves).zip(ats).zip([at_a, at_b]);
        for (((f, moves), at), value) in found {
            (f.moves, f.stop, f.value) = (moves, at, value);
        }
    }

    /// The loop in which each finger moves by itself.
    fn apart(self, label: u32, steps: Option<VarId>) -> K {
        let Merge { left, fingers: [a, b], both } = self;
        let look = |f: &Finger| K::Set { var: f.stop, value: f.value.clone() };
        let mut meet = both;
        let over = Expr::call(Op::Or, [a.over(), b.over()]);
        meet.push(K::If { cond: over, then: vec![K::Break(label)], otherwise: Vec::new() });
        meet.extend([look(&a), look(&b)]);
        let same = Expr::call(Op::Eq, [Expr::Var(a.stop), Expr::Var(b.stop)]);
        let mut body = vec![K::While { cond: same, body: meet }];
        body.extend(a.catch_up(&b, label, steps));
        body.extend(b.catch_up(&a, label, steps));
        let begin = |f: &Finger| K::Let { var: f.stop, mutable: true, value: f.value.clone() };
        let all = K::While { cond: Expr::bool(true), body };
        let then = vec![begin(&a), begin(&b), K::Labeled(label, vec![all])];
        K::If { cond: left, then, otherwise: Vec::new() }
    }
}

impl Finger {
    /// Whether what it computes depends on nothing that changes in `k` but its position.
    fn is_tied(&self, kernel: &Kernel, k: &K) -> bool {
        let mut of = kernel.depends(&self.value);
        of.extend(kernel.depends(&self.left));
        let mut tied = true;
        self.value.walk(&mut |e| tied &= !matches!(e, Expr::Raw(_) | Expr::Access(_)));
        k.walk(&mut |k| match k {
            K::Set { var, .. } | K::Store { target: Expr::Var(var), .. } => {
                tied &= *var == self.q || !of.contains(var);
            }
            K::Store { target: Expr::Load(a, _), .. } | K::Put { array: a, .. } => {
                tied &= !mentions(kernel, &self.value, *a);
            }
            _ => {}
        });
        tied
    }

    /// Whether it has no child.
    fn over(&self) -> Expr {
        let Expr::Call(_, args) = &self.left else { unreachable!("a comparison") };
        Expr::call(Op::Ge, args.clone())
    }

    /// Moves it on until it is not behind `other`; `steps` counts those outside of loops as well.
    fn catch_up(&self, other: &Finger, label: u32, steps: Option<VarId>) -> Vec<K> {
        let behind = Expr::call(Op::Lt, [Expr::Var(self.stop), Expr::Var(other.stop)]);
        let moved = |moves: &[K]| {
            let mut code = moves.to_vec();
            let leave = vec![K::Break(label)];
            code.push(K::If { cond: self.over(), then: leave, otherwise: Vec::new() });
            code.push(K::Set { var: self.stop, value: self.value.clone() });
            code
        };
        let one = moved(&[K::Set { var: self.q, value: Expr::Var(self.q).plus(1) }]);
        let mut code = vec![K::While { cond: behind.clone(), body: moved(&self.moves) }];
        if let [K::Set { .. }] = &self.moves[..] {
            return code;
        }
        let count = steps.map(|n| K::Set { var: n, value: Expr::Var(n).plus(1) });
        for _ in 0..2 {
            let then = [count.clone().into_iter().collect(), one.clone(), code].concat();
            code = vec![K::If { cond: behind.clone(), then, otherwise: Vec::new() }];
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
fn only_moves(code: &[K], q: VarId) -> bool {
    code.iter().all(|k| match k {
        K::Set { var, .. } => *var == q && super::most::moved(k) == Some(q),
        K::If { then, otherwise, .. } => only_moves(then, q) && only_moves(otherwise, q),
        K::Block(body) => only_moves(body, q),
        _ => false,
    })
}

fn sets(k: &K, q: VarId) -> bool {
    let mut found = false;
    k.walk(&mut |k| found |= matches!(k, K::Set { var, .. } if *var == q));
    found
}
