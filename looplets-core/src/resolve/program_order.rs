//! Dense tensors that a nest of written loops reads and writes: `for i in 1..n { y[i] = y[i - 1] + x[i] }`, a triangular
//! solve, a table of dynamic programming. Iterations come one after the other there, and each finds what those before it
//! left, as in Rust.
//!
//! Whatever moves code knows of scalars that change, and of no elements that do. So each such tensor has a scalar that
//! stands for its state: every access has it in its last index, and every assignment is followed by one of the state. What
//! must not pass an assignment of the scalar then does not pass one of the tensor either. None of it is left in machine code.

use super::Resolver;
use crate::cin::*;
use crate::kernel::*;
use crate::runtime::Runtime;
use std::collections::{BTreeMap, BTreeSet};

/// A loop that stands in no other one, or what stands in no loop.
pub(super) type Nest = Option<VarId>;

impl Resolver<'_> {
    /// Whether `t`, which is read and written in `nest`, may be accessed there in the order of the program: any element of it can
    /// be read and written at any time, and all loops around are written, and run by one thread.
    pub(super) fn keeps_order(&self, t: TensorId, nest: Nest) -> bool {
        let tensor = self.kernel.tensor(t);
        let missing = tensor.fill == Expr::Lit(Lit::Missing);
        if tensor.role == Role::Input || missing || !self.plainly_dense(t) {
            return false;
        }
        // What is made in memory that comes by value has nothing of what that held, and each element that is written once and
        // reads itself alone is the fill.
        if self.kernel.reused.contains(&t) || self.reads_its_fill(t, nest) {
            return false;
        }
        self.without_order(t, nest).is_none()
    }

    /// Why the accesses of the dense tensor `t` in `nest` follow no order, and what to do about it.
    pub(super) fn without_order(&self, t: TensorId, nest: Nest) -> Option<String> {
        let mut parallel = BTreeSet::new();
        parallel_loops(&self.kernel.body, &mut parallel);
        let ids = self.accesses_of_nest(t, nest);
        // Loops around a workspace have one of their own in each iteration.
        let born = self.born.get(&t).copied().unwrap_or(0);
        let loops = || ids.iter().flat_map(|id| self.loops_of[id].iter().skip(born));
        let read = "if one iteration is to read what those before it wrote, or read from another tensor, such as a copy";
        if let Some(index) = loops().find(|v| self.left_out.contains(v)) {
            let i = self.kernel.called(*index);
            return Some(format!("the loop over `{i}` is left out, and so runs in no order that is said: write the loops, `for {i} {{ .. }}`, {read}"));
        }
        if let Some(index) = loops().find(|v| parallel.contains(v)) {
            let i = self.kernel.called(*index);
            return Some(format!(
                "iterations of a parallel loop run beside each other: write `for {i}`, {read}"
            ));
        }
        let plain = |index: &Index| coordinate(index).is_some();
        let all = ids.iter().all(|id| self.kernel.get(*id).indices.last().is_some_and(plain));
        (!all).then(|| {
            "the last index of each access is to be a plain one then: ask in a condition, `if i > 0 { .. }`, whether it is inside".to_owned()
        })
    }

    /// Whether `t` is made here, each element is written once, and an element is read before that, and nowhere but where it is written.
    pub(super) fn reads_its_fill(&self, t: TensorId, nest: Nest) -> bool {
        let tensor = self.kernel.tensor(t);
        let ids = self.accesses_of_nest(t, nest);
        let alike = ids.windows(2).all(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|id| &self.kernel.get(id).indices);
            let same = |(a, b): (&Index, &Index)| a.kind == b.kind && a.view == b.view;
            a.iter().zip(b).all(same)
        });
        // What is read behind its assignment is what that gave.
        let first =
            |writes: bool| ids.iter().filter(|id| self.kernel.get(**id).write == writes).min();
        let before =
            matches!((first(false), first(true)), (Some(read), Some(write)) if read < write);
        tensor.role == Role::Output && tensor.written_once && alike && before
    }

    /// Warns if `t`, which starts at its fill, is summed up and read in the loop over `index`, of which no access has the index:
    /// what one iteration summed is there in the next one, which is seldom meant.
    pub(super) fn goes_on(&mut self, t: TensorId, index: VarId) {
        let kernel = &self.kernel;
        let own = |id: &AccessId| kernel.get(*id).tensor == t;
        let inside = self.loops_of.iter().filter(|(id, loops)| own(id) && loops.contains(&index));
        let inside: Vec<AccessId> = inside.map(|(id, _)| *id).collect();
        let element = |id: &AccessId| {
            let access = kernel.get(*id);
            let along = |i: &Index| i.kind.loop_of() == Some(index);
            access.indices.iter().any(|i| {
                along(i) || i.parts().into_iter().any(|e| kernel.depends(e).contains(&index))
            })
        };
        // The elements that are summed up are those of loops within.
        let within = |id: &AccessId| {
            let inner = self.loops_of[id].iter().skip_while(|v| **v != index).skip(1);
            inner
                .clone()
                .any(|v| kernel.get(*id).indices.iter().any(|i| i.kind.loop_of() == Some(*v)))
        };
        let mut sums = true;
        let mut summed = false;
        kernel.body.assignments(&mut |target, op| {
            if let Expr::Access(id) = target {
                let adds = matches!(op, Some(Op::Add | Op::Sub | Op::Mul));
                // An assignment may well be what it starts with.
                sums &= !own(id) || adds;
                summed |= own(id) && adds && inside.contains(id) && within(id);
            }
        });
        // What is passed has what it starts at, and may well change with each iteration.
        let made = kernel.tensor(t).role != Role::InOut;
        let read = inside.iter().find(|id| !kernel.get(**id).write);
        let (true, Some(read)) = (made && sums && summed && !inside.iter().any(element), read)
        else {
            return;
        };
        let (name, i) = (kernel.tensor(t).name.to_string(), kernel.called(index));
        let span = kernel.get(*read).span.0;
        let note = format!("`{name}` goes on from one `{i}` to the next, with what was summed up before: if each `{i}` has one of its own, it is a workspace, `let mut {name}: Format;` first in the loop over `{i}`; if it goes on, assign first what it starts at");
        self.kernel.warn(Warning { span, name: "sum_that_goes_on", note });
    }

    /// The accesses of `t` in `nest`.
    fn accesses_of_nest(&self, t: TensorId, nest: Nest) -> Vec<AccessId> {
        let within = |(id, loops): (&AccessId, &Vec<VarId>)| {
            let here = loops.first().copied() == nest && self.kernel.get(*id).tensor == t;
            here.then_some(*id)
        };
        self.loops_of.iter().filter_map(within).collect()
    }

    /// Ties the accesses of each of `tensors` in its nest to their order.
    pub(super) fn keep_order(&mut self, tensors: &BTreeSet<(TensorId, Nest)>) {
        let mut states: BTreeMap<TensorId, VarId> = BTreeMap::new();
        let mut written: BTreeMap<AccessId, VarId> = BTreeMap::new();
        for (t, nest) in tensors {
            let name = self.kernel.tensor(*t).name.to_string();
            let state = *states.entry(*t).or_insert_with(|| {
                self.kernel.var(&format!("{name}_state"), VarKind::Scalar, state_type())
            });
            for id in self.accesses_of_nest(*t, *nest) {
                let access = self.kernel.get(id).clone();
                if access.write {
                    written.insert(id, state);
                }
                let Some((at, view)) = access.indices.last().and_then(coordinate) else { continue };
                let tied = IndexKind::Opaque(Expr::call(Op::During, [at, Expr::Var(state)]));
                if let Some(index) = self.kernel.accesses[id.0 as usize].indices.last_mut() {
                    (index.kind, index.view) = (tied, view);
                }
            }
        }
        let mut body = std::mem::replace(&mut self.kernel.body, Stmt::Pass);
        self.kernel.states.extend(states.iter().map(|(t, state)| (*state, *t)));
        body = self.followed(body, &written, &states);
        for (t, state) in &states {
            if self.kernel.tensor(*t).role != Role::Workspace {
                body = self.beginning(*state, body);
            }
        }
        self.kernel.body = body;
    }

    /// `s` behind the definition of `state`.
    fn beginning(&mut self, state: VarId, s: Stmt) -> Stmt {
        let value = self.kernel.call(Runtime::Default, Vec::new(), Ty::Unknown);
        Stmt::Let { var: state, value, body: Box::new(s) }
    }

    /// `s` with an assignment of its state behind each of a tensor, and those of workspaces where these begin.
    fn followed(
        &mut self,
        s: Stmt,
        written: &BTreeMap<AccessId, VarId>,
        states: &BTreeMap<TensorId, VarId>,
    ) -> Stmt {
        let boxed = |r: &mut Self, s: Box<Stmt>| Box::new(r.followed(*s, written, states));
        match s {
            Stmt::Assign { target: Expr::Access(a), op, value } => {
                let state = written.get(&a).copied();
                let own = Stmt::Assign { target: Expr::Access(a), op, value };
                let Some(state) = state else { return own };
                let next = Expr::call(Op::During, [Expr::int(0), Expr::Var(state)]);
                let value = Expr::call(Op::Cast(state_type()), [next]);
                let follows = Stmt::Assign { target: Expr::Var(state), op: None, value };
                Stmt::Seq(vec![own, follows])
            }
            Stmt::Loop { index, parallel, lo, hi, body } => {
                Stmt::Loop { index, parallel, lo, hi, body: boxed(self, body) }
            }
            Stmt::Let { var, value, body } => Stmt::Let { var, value, body: boxed(self, body) },
            Stmt::Sieve { cond, then, otherwise } => {
                Stmt::Sieve { cond, then: boxed(self, then), otherwise: boxed(self, otherwise) }
            }
            Stmt::Seq(all) => {
                Stmt::Seq(all.into_iter().map(|s| self.followed(s, written, states)).collect())
            }
            Stmt::Where { consumer, producer, local } => {
                let (consumer, producer) = (boxed(self, consumer), boxed(self, producer));
                let own = local.iter().filter_map(|t| states.get(t).copied()).collect::<Vec<_>>();
                let begun = Stmt::Where { consumer, producer, local };
                own.into_iter().fold(begun, |s, state| self.beginning(state, s))
            }
            other @ (Stmt::Assign { .. } | Stmt::Pass) => other,
        }
    }
}

/// The type of states, which hold nothing: that they are assigned to is all that counts.
fn state_type() -> Ty {
    Ty::named("u8")
}

/// The coordinate that `index` stands for, and how it is looked at there, if it is one whatever comes before and after.
fn coordinate(index: &Index) -> Option<(Expr, View)> {
    if let (Some(written), true) = (&index.view.written, index.view.clips.is_empty()) {
        return Some((written.clone(), View::plain()));
    }
    match &index.kind {
        IndexKind::Affine(v, _) => {
            let plain = View { checked: false, ..index.view.clone() } == View::plain();
            plain.then(|| (index.coordinate(&Expr::Var(*v)), View::plain()))
        }
        IndexKind::Opaque(at) => {
            // What is missing outside asks first whether it is inside, and may be asked early.
            let asked = index.view.clips.iter().any(|(_, outside)| *outside == Outside::Missing);
            (!asked).then(|| (at.clone(), index.view.clone()))
        }
        IndexKind::Digit(..) => None,
    }
}

/// The loops in `s` whose iterations run beside each other.
fn parallel_loops(s: &Stmt, out: &mut BTreeSet<VarId>) {
    if let Stmt::Loop { index, parallel: true, .. } = s {
        out.insert(*index);
    }
    s.children().into_iter().for_each(|s| parallel_loops(s, out));
}
