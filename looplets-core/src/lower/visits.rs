//! Loops that go through coordinates which no operand stores. Each is reported: a sparse result that would store
//! them all is refused, and what would only take the time is a warning, at what keeps it from being left out.
//!
//! A loop is looked at as a gap between entries: every operand that leaves something out along its index is at fill. What
//! simplification leaves of it then is what the gaps cost.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use crate::opaque::Opaque;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How often a gap is simplified; each time may show that another local is a literal.
const MOST_ROUNDS: usize = 8;

/// A loop as a gap of its operands.
pub(super) struct Gap<'a> {
    pub index: VarId,
    /// The loops around, this one included.
    pub loops: &'a [VarId],
    /// An operand that stores nothing.
    pub operand: AccessId,
    /// The loops around along which it goes.
    of_operand: Vec<VarId>,
    /// Whether no operand at all stores anything, whatever it is indexed by.
    pub empty: bool,
    /// The scalars that the loop assigns: all others are the same in each of its iterations.
    changing: BTreeSet<VarId>,
}

/// An assignment that a gap leaves.
#[derive(PartialEq)]
pub(super) struct Left {
    pub target: Expr,
    pub op: Option<Op>,
    pub value: Expr,
    /// Scalars of an iteration that are the same in each gap, with what is assigned to them last.
    pub settled: BTreeMap<VarId, Expr>,
    /// Whether another operand has a value for each coordinate, though not for each iteration of the loops around: what
    /// it stores is gone through again and again.
    pub again: bool,
}

/// Where the walk through what is left of a gap is.
#[derive(Clone, Default)]
struct Path {
    /// Whether the loop of the gap is around.
    inside: bool,
    /// Whether something that is stored everywhere along the index decides what is done.
    read: bool,
    /// The same of what is stored for all iterations of other loops at once.
    again: bool,
    /// Scalars whose value is made of such, and whether of what is stored for each iteration.
    made: BTreeMap<VarId, bool>,
    /// Definitions that are made of nothing that differs from one iteration to the next. A condition that still names one,
    /// whose value is not known, may be false in each gap.
    same: BTreeSet<VarId>,
    /// Scalars that begin in an iteration, and are made of nothing that differs from one to the next, with what is assigned to
    /// them last.
    settled: BTreeMap<VarId, Expr>,
    /// Scalars and tensors that begin and end in an iteration.
    scalars: BTreeSet<VarId>,
    tensors: BTreeSet<TensorId>,
}

impl Lower<'_> {
    /// Reports the loops of the kernel that go through gaps, unless it allows that.
    pub(super) fn check_visits(&mut self) {
        if !self.kernel.dense {
            let body = self.kernel.body.clone();
            self.visits(&body, &[]);
        }
    }

    fn visits(&mut self, s: &Stmt, around: &[VarId]) {
        if self.refused.is_some() {
            return;
        }
        if let Stmt::Loop { index, lo, hi, body, .. } = s {
            // What runs a few times whatever the sizes are is no factor.
            let few = matches!((lo, hi), (Expr::Lit(_), Expr::Lit(_)));
            let own = [*index];
            let loops = [around, if few { &[] } else { &own }].concat();
            if !few {
                self.gap(&loops, (lo, hi), body);
            }
            self.visits(body, &loops);
            return;
        }
        s.children().into_iter().for_each(|s| self.visits(s, around));
    }

    /// Looks at the gaps of the innermost of `loops`.
    fn gap(&mut self, loops: &[VarId], (lo, hi): (&Expr, &Expr), body: &Stmt) {
        let Some(&index) = loops.last() else { return };
        let (mut along, mut all) = (HashMap::new(), HashMap::new());
        let mut operand = None;
        for id in self.accesses(body) {
            let access = self.kernel.get(id);
            let tensor = self.kernel.tensor(access.tensor);
            // What a producer within writes is not known to be empty.
            if access.write || tensor.role == Role::Workspace || !tensor.leaves_out() {
                continue;
            }
            let fill = tensor.fill.clone();
            let leaves_out =
                access.indices.iter().zip(&tensor.levels).any(|(i, level)| {
                    i.along() == Some(index) && level.format.level().leaves_out()
                });
            if leaves_out {
                operand = operand.or(Some(id));
                along.insert(id, fill.clone());
            }
            all.insert(id, fill);
        }
        let Some(operand) = operand else { return };
        let mut changing = BTreeSet::new();
        body.assignments(&mut |target, _| {
            if let Expr::Var(v) = target {
                changing.insert(*v);
            }
        });
        for (filled, empty) in [(all, true), (along, false)] {
            let body = Box::new(self.replace_all(body, &filled));
            let (lo, hi) = (lo.clone(), hi.clone());
            let gap = Stmt::Loop { index, parallel: false, lo, hi, body };
            let gap = self.without_values(gap);
            let goes = self.kernel.depends(&Expr::Access(operand));
            let of_operand = loops.iter().copied().filter(|v| goes.contains(v)).collect();
            let changing = changing.clone();
            let of = Gap { index, loops, operand, of_operand, empty, changing };
            let mut left = Vec::new();
            self.left(&gap, &of, Path::default(), &mut left);
            // What is done with it may keep the loop of something that needs none.
            left.dedup();
            let alone = |l: &mut Self, one: &Left| {
                let gap = l.without_values(only(gap.clone(), one));
                let mut left = Vec::new();
                l.left(&gap, &of, Path::default(), &mut left);
                !left.is_empty()
            };
            left.retain(|one| alone(self, one));
            left.iter().for_each(|one| self.report(&of, one));
            if !left.is_empty() {
                break;
            }
        }
    }

    /// `s` simplified, with the values of definitions in place of their names.
    fn without_values(&mut self, mut s: Stmt) -> Stmt {
        for _ in 0..MOST_ROUNDS {
            s = self.skip_fill(&s);
            s = self.simplify(&s);
            // Fill may have been computed only now.
            s = self.skip_fill(&s);
            let less = self.without_idle_states(&s);
            if let Some(less) = less.or_else(|| self.without_any_definitions(&s)) {
                s = less;
                continue;
            }
            match self.without_constants(&s) {
                Some(less) => s = less,
                None => break,
            }
        }
        s
    }

    /// The assignments of `s` that each coordinate of the gap has, and that no operand has a value for.
    fn left(&self, s: &Stmt, gap: &Gap<'_>, mut path: Path, out: &mut Vec<Left>) {
        match s {
            Stmt::Loop { index: i, body, .. } => {
                path.inside |= *i == gap.index;
                self.left(body, gap, path, out);
            }
            Stmt::Assign { target, op, value } => {
                let local = match target {
                    Expr::Var(v) => path.scalars.contains(v),
                    Expr::Access(a) => path.tensors.contains(&self.kernel.get(*a).tensor),
                    _ => false,
                };
                let indices = match target {
                    Expr::Access(a) => {
                        self.kernel.get(*a).indices.iter().flat_map(Index::parts).collect()
                    }
                    _ => Vec::new(),
                };
                // Where something goes that a sparse result need not store is no reason to store it.
                let indices = if self.is_sparse(target) { Vec::new() } else { indices };
                let held = matches!(value, Expr::Var(v) if path.settled.contains_key(v));
                let value_read = if held { None } else { Some(value) };
                let parts: Vec<&Expr> = indices.into_iter().chain(value_read).collect();
                let read = parts.iter().any(|e| self.is_read(e, gap, &path, true));
                if path.inside && !local && !path.read && !read {
                    let (target, op, value) = (target.clone(), op.clone(), value.clone());
                    let along = parts.iter().any(|e| self.is_read(e, gap, &path, false));
                    let (again, settled) = (path.again || along, path.settled.clone());
                    out.push(Left { target, op, value, settled, again });
                }
            }
            Stmt::Sieve { cond, then, otherwise } => {
                let half = self.is_half(cond, gap);
                let unknown = self.kernel.depends(cond).iter().any(|v| path.same.contains(v));
                path.again |= !half && (unknown || self.is_read(cond, gap, &path, false));
                path.read |= !half && (unknown || self.is_read(cond, gap, &path, true));
                self.left(then, gap, path.clone(), out);
                self.left(otherwise, gap, path, out);
            }
            Stmt::Let { var, value, body } => {
                if path.inside {
                    let scalar = self.kernel.info(*var).kind == VarKind::Scalar;
                    let settled =
                        if scalar { self.same_in_gaps(*var, body, gap, &path) } else { None };
                    path.settled.extend(settled.map(|value| (*var, value)));
                    // What scalars come to is not known otherwise.
                    let read = |throughout| self.is_read(value, gap, &path, throughout);
                    match (scalar || read(true), read(false)) {
                        (false, false) => _ = path.same.insert(*var),
                        (throughout, _) => _ = path.made.insert(*var, throughout),
                    }
                    path.scalars.insert(*var);
                }
                self.left(body, gap, path, out);
            }
            Stmt::Where { consumer, producer, local } => {
                if path.inside {
                    path.tensors.extend(local);
                }
                self.left(producer, gap, path.clone(), out);
                self.left(consumer, gap, path, out);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.left(s, gap, path.clone(), out)),
            Stmt::Pass => {}
        }
    }

    /// What the scalar `var`, which begins in an iteration with `body`, is in each gap, if that is one value and known.
    fn same_in_gaps(&self, var: VarId, body: &Stmt, gap: &Gap<'_>, path: &Path) -> Option<Expr> {
        let mut all = Vec::new();
        self.assigned(var, body, false, &mut all);
        if all.iter().any(|(_, value, _)| self.is_read(value, gap, path, true)) {
            return None;
        }
        if let [(op, value, within)] = all[..] {
            return (!within || op.is_some()).then(|| value.clone());
        }
        // Several are followed if they are of numbers, one after the other.
        let mut now = Some(0.0);
        for (op, value, within) in &all {
            let value = number(value).filter(|_| !within)?;
            now = match (op, now) {
                (None, _) => Some(value),
                (Some(Op::Add), Some(now)) => Some(now + value),
                (Some(Op::Sub), Some(now)) => Some(now - value),
                (Some(Op::Mul), Some(now)) => Some(now * value),
                _ => None,
            };
        }
        now.filter(|_| !all.is_empty()).filter(|x| x.is_finite()).map(|x| Expr::Lit(Lit::float(x)))
    }

    /// What `s` assigns to `var`, in order, each with its operator and whether it stands under a condition or in a loop.
    fn assigned<'s>(
        &self,
        var: VarId,
        s: &'s Stmt,
        within: bool,
        out: &mut Vec<(&'s Option<Op>, &'s Expr, bool)>,
    ) {
        if let Stmt::Assign { target, op, value } = s {
            if *target == Expr::Var(var) {
                out.push((op, value, within));
            }
        }
        let within = within || matches!(s, Stmt::Loop { .. } | Stmt::Sieve { .. });
        s.children().into_iter().for_each(|s| self.assigned(var, s, within, out));
    }

    /// Whether `target` is an element of a result that stores what is assigned, and nothing else.
    fn is_sparse(&self, target: &Expr) -> bool {
        let Expr::Access(a) = target else { return false };
        let tensor = self.kernel.tensor(self.kernel.get(*a).tensor);
        tensor.role == Role::Output && tensor.leaves_out()
    }

    /// Whether `e` reads what differs from one coordinate to the next: another operand, or a local, which may hold one.
    /// A comparison of the index may leave few coordinates. An operand counts that is stored along the index, or, if it is to be
    /// so `throughout`, for each iteration of all loops that the one at fill goes along.
    fn is_read(&self, e: &Expr, gap: &Gap<'_>, path: &Path, throughout: bool) -> bool {
        let mut found = false;
        e.walk(&mut |x| {
            found |= match x {
                Expr::Access(a) => {
                    let goes = self.kernel.depends(x);
                    let along = match throughout {
                        true => gap.of_operand.iter().all(|v| goes.contains(v)),
                        false => goes.contains(&gap.index),
                    };
                    along || path.tensors.contains(&self.kernel.get(*a).tensor)
                }
                Expr::Var(v) => {
                    let made = path.made.get(v).is_some_and(|each| *each || !throughout);
                    made || self.kernel.info(*v).kind == VarKind::Scalar && gap.changing.contains(v)
                }
                Expr::Raw(r) => {
                    let raw = &self.kernel.raws[r.0 as usize];
                    let read = |(_, e): &(_, Expr)| self.is_read(e, gap, path, throughout);
                    !matches!(raw.code, Opaque::Rust(_)) || raw.effect || raw.names.iter().any(read)
                }
                Expr::Call(op, _) => {
                    op.is_comparison() && self.kernel.depends(x).contains(&gap.index)
                }
                _ => false,
            }
        });
        found
    }

    /// Whether `cond` compares the index with that of a loop around, which leaves a triangle.
    fn is_half(&self, cond: &Expr, gap: &Gap<'_>) -> bool {
        let Expr::Call(op, args) = cond else { return false };
        let outer = |v: &VarId| *v != gap.index && gap.loops.contains(v);
        let mut plain = true;
        args.iter()
            .for_each(|a| a.walk(&mut |x| plain &= !matches!(x, Expr::Access(_) | Expr::Raw(_))));
        plain
            && matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge)
            && self.kernel.depends(cond).iter().any(outer)
    }
}

/// The number that `e` is.
fn number(e: &Expr) -> Option<f64> {
    match e {
        Expr::Lit(Lit::Int(n)) => Some(*n as f64),
        Expr::Lit(Lit::Float(bits)) => Some(f64::from_bits(*bits)),
        Expr::Lit(Lit::Bool(b)) => Some(f64::from(u8::from(*b))),
        _ => None,
    }
}

/// `s` with none of its assignments but `one`, and those to the scalars that it is made of.
fn only(s: Stmt, one: &Left) -> Stmt {
    let boxed = |s: Box<Stmt>| Box::new(only(*s, one));
    match s {
        Stmt::Assign { target, op, value } => {
            let same = target == one.target && op == one.op && value == one.value;
            let made_of = matches!(&target, Expr::Var(v) if one.settled.contains_key(v));
            if same || made_of {
                Stmt::Assign { target, op, value }
            } else {
                Stmt::Pass
            }
        }
        Stmt::Loop { index, parallel, lo, hi, body } => {
            Stmt::Loop { index, parallel, lo, hi, body: boxed(body) }
        }
        Stmt::Let { var, value, body } => Stmt::Let { var, value, body: boxed(body) },
        Stmt::Sieve { cond, then, otherwise } => {
            Stmt::Sieve { cond, then: boxed(then), otherwise: boxed(otherwise) }
        }
        Stmt::Where { consumer, producer, local } => {
            Stmt::Where { consumer: boxed(consumer), producer: boxed(producer), local }
        }
        Stmt::Seq(all) => Stmt::Seq(all.into_iter().map(|s| only(s, one)).collect()),
        Stmt::Pass => Stmt::Pass,
    }
}
