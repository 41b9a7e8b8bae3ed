//! No loop nest and no assignment reads what it writes, but for
//! - tensors whose elements are changed in place: each iteration has elements of its own, and reads what they were first;
//! - scalars in loops that the program writes, whose iterations come one after the other: what one leaves in a scalar, the
//!   next one finds;
//! - dense tensors in such loops, whose accesses are then tied to the order of the program (`program_order.rs`).

use super::program_order::Nest;
use super::Resolver;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a statement can read and write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    Tensor(TensorId),
    Var(VarId),
}

/// A read in the source.
pub(crate) struct ReadAt {
    what: Thing,
    span: Span,
    /// Loops around it.
    loops: Vec<VarId>,
    /// How many assignments stand before the one it is in.
    assignment: usize,
}

/// Where a conflict was met.
#[derive(Clone, Copy)]
enum Place {
    Assignment { number: usize, reduces: bool },
    Loop(VarId),
}

impl Resolver<'_> {
    /// Notes that `what` is read at `span`.
    pub fn reads_at(&mut self, what: Thing, span: Span) {
        let (loops, assignment) = (self.loops.clone(), self.assigned);
        self.reads.push(ReadAt { what, span, loops, assignment });
    }

    /// Reports what is read and written at once.
    pub fn check_groups(&mut self) {
        let body = self.kernel.body.clone();
        let (found, made) = (Vec::new(), BTreeMap::new());
        let mut groups = Groups {
            resolver: self,
            assignments: 0,
            loops: Vec::new(),
            found,
            ordered: BTreeSet::new(),
            carried: BTreeSet::new(),
            made,
        };
        groups.stmt(&body);
        let (found, ordered, carried) = (groups.found, groups.ordered, groups.carried);
        if found.is_empty() {
            carried.into_iter().for_each(|(t, index)| self.goes_on(t, index));
            self.keep_order(&ordered);
        }
        for (what, place) in found {
            let at = self.reads.iter().find(|r| {
                r.what == what
                    && match place {
                        Place::Assignment { number, .. } => r.assignment == number,
                        Place::Loop(index) => r.loops.contains(&index),
                    }
            });
            let (declared, message) = match what {
                Thing::Tensor(t) => {
                    (self.kernel.tensor(t).name.span(), self.tensor_conflict(t, place))
                }
                Thing::Var(v) => {
                    let name = self.kernel.called(v);
                    let declared = self.kernel.info(v).ident.as_ref().map(|i| i.span());
                    (declared.unwrap_or_else(Span::call_site), format!("`{name}` is read and written in loops that are left out, which run in no order that is said: write them, `for .. {{ .. }}`, if one iteration is to read what the one before left in `{name}`, or read it behind them"))
                }
            };
            self.errors.error(at.map_or(declared, |r| r.span), message);
        }
    }

    fn tensor_conflict(&self, t: TensorId, place: Place) -> String {
        let tensor = self.kernel.tensor(t);
        let name = &tensor.name;
        if self.kernel.in_place.contains(&t) {
            return format!("`{name}` is changed where it stores something, element by element: write it in the last statement of the loops, behind all that reads it or is made of it, with the same plain indices everywhere, those of all loops around; hold what other loops compute in a scalar, `let mut t: f64;`");
        }
        // A step of Floyd-Warshall reads a row and a column of what it updates; a recurrence reads the element before.
        let other = match tensor.lens.len() {
            _ if tensor.role == Role::Output && !self.plainly_dense(t) => {
                "declare it in a dense format, of which any element is read and written at any time, or read from a scalar in which each iteration leaves what the next one reads, `let mut t: f64;` in front of the loop"
            }
            1 => "read from another tensor, such as a copy, or from a scalar in which each iteration leaves what the next one reads, `let mut t: f64;` in front of the loop",
            _ => "read from another tensor, such as a copy (of the row and the column that are read, say)",
        };
        let update = format!("`{name}[..] += ..`");
        let by_value = |(of, passing, ..): &(proc_macro2::Ident, crate::ast::Passing, _, _)| {
            of == name && matches!(passing, crate::ast::Passing::Value)
        };
        if tensor.role == Role::Output && self.kernel.params.iter().any(by_value) {
            return format!("`{name}` is made anew, as it comes by value and is returned, so that nothing is read of what it was: change it in place, `{name}: &mut ..`, and leave it out behind the arrow");
        }
        if tensor.role != Role::Input && self.plainly_dense(t) {
            let nest = self.nest_of(t, place);
            if let Some(why) = nest.and_then(|nest| self.without_order(t, nest)) {
                return format!("`{name}` is read and written in one loop nest: {why}");
            }
        }
        if self.nest_of(t, place).is_some_and(|nest| self.reads_its_fill(t, nest)) {
            return format!("`{name}` is made here, and each element of it is assigned once, so that what this reads of it is the fill: update what is passed, `{name}: &mut ..`, or read another tensor");
        }
        let advice = self.told_apart(t, place);
        match (place, advice) {
            (Place::Loop(_), Some(advice)) => format!("`{name}` is read and written in one loop nest: {advice}"),
            (Place::Assignment { reduces: true, .. }, Some(advice)) => format!("`{name}` is read in the reduction that updates it: {advice}"),
            (Place::Assignment { reduces: true, .. }, None) => format!("`{name}` is read in the reduction that updates it: {other}, or write into another"),
            (Place::Assignment { number, .. }, _) => match self.updates.get(&number) {
                Some(own) if scales(own) && self.repeated_by(number, t).is_some() => {
                    let again = self.repeated_by(number, t).unwrap_or_default();
                    format!("`{name}` is read and written in one statement, again for each `{again}`, which it does not have: write that behind the loop over `{again}`, in a loop of its own: `{own}`")
                }
                Some(own) => format!("`{name}` is read and written in one statement: update it with a reduction, `{own}`"),
                None => format!("`{name}` is read and written in one statement: update it with a reduction, {update}, or {other}, or write into another"),
            },
            (Place::Loop(_), None) if tensor.role == Role::InOut && !self.plainly_dense(t) => format!("`{name}` is read and written in one loop nest: to change the entries that are there, write `{name}[..] = {name}[..] + ..`, which makes none; else {other}, or write into another; {update} alone reads nothing"),
            (Place::Loop(_), None) => format!("`{name}` is read and written in one loop nest: {other}, or write into another; {update} alone reads nothing"),
        }
    }

    /// The nest of an access of `t` at `place`.
    fn nest_of(&self, t: TensorId, place: Place) -> Option<Nest> {
        let read = self.reads.iter().find(|r| {
            r.what == Thing::Tensor(t)
                && match place {
                    Place::Assignment { number, .. } => r.assignment == number,
                    Place::Loop(index) => r.loops.contains(&index),
                }
        })?;
        Some(read.loops.first().copied())
    }

    /// Whether the assignment `number`, which has `accesses`, scales `t` and adds to it, does exactly that again in each iteration of some
    /// loop, and is the only `=` of `t`: in `for i { for j { y[j] = 0.85 * y[j] + 0.05 } }` the loop over `i` is a mistake.
    fn scales_again(&self, number: usize, t: TensorId, accesses: &[AccessId]) -> bool {
        let scaled = self.updates.get(&number).is_some_and(|own| scales(own));
        let read = self.reads.iter().find(|r| r.assignment == number && r.what == Thing::Tensor(t));
        let Some(read) = read.filter(|_| scaled) else { return false };
        let idle = |v: &VarId| {
            let along = |a: &AccessId| {
                let indices = &self.kernel.get(*a).indices;
                indices.iter().any(|i| {
                    let moved = i.parts().into_iter().any(|e| self.kernel.depends(e).contains(v));
                    i.kind.loop_of() == Some(*v) || moved
                })
            };
            !accesses.iter().any(along)
        };
        let own = accesses.iter().find(|a| {
            let access = self.kernel.get(**a);
            access.write && access.tensor == t
        });
        let mut assigned = false;
        self.kernel.body.assignments(&mut |target, op| {
            if let (Expr::Access(a), None) = (target, op) {
                assigned |= Some(a) != own && self.kernel.get(*a).tensor == t;
            }
        });
        !assigned && read.loops.iter().any(idle)
    }

    /// The loop around the assignment `number`, which reads `t` and writes it, that none of its indices goes along.
    fn repeated_by(&self, number: usize, t: TensorId) -> Option<String> {
        let read =
            self.reads.iter().find(|r| r.assignment == number && r.what == Thing::Tensor(t))?;
        let write = self.kernel.accesses.iter().find(|a| a.tensor == t && a.write)?;
        let along = |v: &&VarId| write.indices.iter().all(|i| i.along() != Some(**v));
        read.loops.iter().find(along).map(|v| self.kernel.called(*v))
    }

    /// What to do about `t`, which is read and written at `place`, as far as its indices tell what is meant.
    fn told_apart(&self, t: TensorId, place: Place) -> Option<String> {
        let kernel = &self.kernel;
        let name = &kernel.tensor(t).name;
        let all = kernel.accesses.iter().filter(|a| a.tensor == t);
        let (written, read): (Vec<&Access>, Vec<&Access>) = all.partition(|a| a.write);
        let write = written.first()?;
        let first = write.indices.first()?.along();
        let index = match place {
            Place::Loop(index) => index,
            Place::Assignment { .. } => first?,
        };
        let by_loop = |a: &&Access| a.indices.iter().any(|i| i.along() == Some(index));
        let i = kernel.called(index);
        if !written.iter().chain(&read).any(by_loop) {
            // What is reduced over that loop is written as an assignment.
            let update = self.updates.values().find(|u| u.starts_with(&format!("{name}[")));
            if let (Some(update), true) = (update, read.iter().all(|a| a.indices == write.indices))
            {
                return Some(match scales(update) {
                    true => format!("each `{i}` would do so again, and `{name}` does not have it: write that behind the loop over `{i}`, in a loop of its own: `{update}`"),
                    false => format!("update it with a reduction, `{update}`"),
                });
            }
            // A flag is set and not summed: a workspace would not have what the caller passes.
            if kernel.tensor(t).role == Role::InOut && kernel.tensor(t).value == Ty::Bool {
                return Some(format!("write into another tensor, and take it over into `{name}` in loops of their own, behind these"));
            }
            return Some(format!("if each `{i}` has one of its own, it is a workspace: leave it out of the header, and write `let mut {name}: Format;` first in the loop over `{i}`"));
        }
        let new = kernel.tensor(t).role == Role::Output;
        let same = |a: &&Access| a.indices == write.indices;
        if new && read.iter().chain(&written).all(same) {
            return Some(format!("compute it in a scalar that starts in the loop, `let mut t: T;`, write `{name}[..] = t` behind what sums it, and read `t`; or read `{name}` in loops of their own, behind these"));
        }
        // A substitution: an element is computed of those before it.
        let others = write.indices.len() == 1 && by_loop(write) && !read.iter().all(by_loop);
        let in_order = kernel.tensor(t).levels.iter().any(|l| {
            l.format.level().write.as_ref().is_some_and(|w| w.order == crate::decl::Order::Append)
        });
        if others && in_order {
            return Some(format!("choose a format for `{name}` that has a place for each element, as dense ones have, where an iteration reads what those before it wrote"));
        }
        others.then(|| format!("no iteration reads what others wrote: make what one `{i}` computes a kernel that borrows `{name}: &..` and returns a scalar, `-> (t: T)`, and call it for each `{i}` in Rust; or read a copy, if what `{name}` was first is meant"))
    }
}

/// Whether `update` multiplies or divides what it then adds to, so that it is another thing to do it again.
fn scales(update: &str) -> bool {
    update.contains("; ") && ["*=", "/=", "%="].iter().any(|by| update.contains(by))
}

/// A walk over the statements in the order in which they were resolved.
struct Groups<'a, 'b> {
    resolver: &'a Resolver<'b>,
    assignments: usize,
    /// The loops around, the innermost last.
    loops: Vec<VarId>,
    found: Vec<(Thing, Place)>,
    /// Tensors whose accesses follow the order of the program, and where.
    ordered: BTreeSet<(TensorId, Nest)>,
    /// Those, with each loop around that reads and writes them.
    carried: BTreeSet<(TensorId, VarId)>,
    /// What the values of definitions read, and how many loops are around each.
    made: BTreeMap<VarId, Vec<(Thing, usize)>>,
}

impl Groups<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) -> Uses {
        let mut uses = Uses::default();
        match stmt {
            Stmt::Assign { target, op, value } => {
                self.reads(value, &mut uses);
                match target {
                    Expr::Access(a) => {
                        let access = self.resolver.kernel.get(*a);
                        uses.writes.insert(Thing::Tensor(access.tensor));
                        uses.accesses.push(*a);
                        self.indices(access, &mut uses);
                    }
                    Expr::Var(v) => {
                        uses.writes.insert(Thing::Var(*v));
                    }
                    Expr::Call(Op::Place, args) => {
                        self.reads(&args[0], &mut uses);
                        if let Expr::Access(a) = &args[0] {
                            let access = self.resolver.kernel.get(*a);
                            uses.writes.insert(Thing::Tensor(access.tensor));
                        }
                    }
                    _ => {}
                }
                let number = self.assignments;
                self.conflict(&uses, Place::Assignment { number, reduces: op.is_some() });
                self.assignments += 1;
            }
            Stmt::Loop { index, body, .. } => {
                self.loops.push(*index);
                uses = self.stmt(body);
                self.conflict(&uses, Place::Loop(*index));
                self.loops.pop();
            }
            Stmt::Sieve { cond, then, otherwise } => {
                self.reads(cond, &mut uses);
                // One of the branches does not come after the other.
                let mut branches = self.stmt(then);
                let then_writes = std::mem::take(&mut branches.writes);
                branches.add(self.stmt(otherwise));
                branches.writes.extend(then_writes);
                uses.add(branches);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| uses.add(self.stmt(s))),
            Stmt::Where { consumer, producer, local } => {
                uses.add(self.stmt(producer));
                uses.add(self.stmt(consumer));
                for t in local {
                    uses.remove(Thing::Tensor(*t));
                }
            }
            Stmt::Let { var, value, body } => {
                self.reads(value, &mut uses);
                let made = uses.reads.iter().map(|what| (*what, self.loops.len()));
                self.made.insert(*var, made.collect());
                uses.add(self.stmt(body));
                uses.remove(Thing::Var(*var));
            }
            Stmt::Pass => {}
        }
        uses
    }

    fn conflict(&mut self, uses: &Uses, place: Place) {
        for what in uses.reads.intersection(&uses.writes) {
            let sound = match what {
                Thing::Tensor(t) => self.element_by_element(*t, uses, place),
                Thing::Var(_) => self.is_carried(place),
            };
            if sound {
                continue;
            }
            if let Thing::Tensor(t) = what {
                let nest = match (self.loops.first(), place) {
                    (Some(outermost), _) => Some(*outermost),
                    (None, Place::Loop(index)) => Some(index),
                    (None, Place::Assignment { .. }) => None,
                };
                let again = matches!(place, Place::Assignment { number, .. }
                    if self.resolver.scales_again(number, *t, &uses.accesses));
                if !again && self.resolver.keeps_order(*t, nest) {
                    self.ordered.insert((*t, nest));
                    if let Place::Loop(index) = place {
                        self.carried.insert((*t, index));
                    }
                    continue;
                }
            }
            if !self.found.iter().any(|(w, _)| w == what) {
                self.found.push((*what, place));
            }
        }
    }

    /// Whether iterations come one after the other at `place`, so that a scalar goes from one to the next.
    fn is_carried(&self, place: Place) -> bool {
        let in_order = |v: &VarId| !self.resolver.left_out.contains(v);
        match place {
            Place::Loop(index) => in_order(&index),
            Place::Assignment { .. } => self.loops.iter().all(in_order),
        }
    }

    /// Whether what is read of `t` is what was there before, although it is written at `place`: iterations of a loop have
    /// nothing of it in common, and an assignment reads the element that it writes.
    fn element_by_element(&self, t: TensorId, uses: &Uses, place: Place) -> bool {
        let (r, kernel) = (self.resolver, &self.resolver.kernel);
        if kernel.tensor(t).role != Role::InOut
            || !(r.plainly_dense(t) || kernel.in_place.contains(&t))
            // A name that was defined in front of the loop is what it was.
            || uses.late.iter().any(|(what, at)| *what == Thing::Tensor(t) && *at >= self.loops.len())
        {
            return false;
        }
        let of = |a: &&AccessId| kernel.get(**a).tensor == t;
        let all: Vec<&Access> = uses.accesses.iter().filter(of).map(|a| kernel.get(*a)).collect();
        let Some(first) = all.first() else { return false };
        // Whether all of them have the same plain index there.
        let alike = |depth: usize| {
            let index = &first.indices[depth];
            let plain = match &index.kind {
                IndexKind::Affine(_, shift) => kernel.fixed(shift) && index.view == View::plain(),
                _ => false,
            };
            let same = |i: &Index| i.kind == index.kind && i.view == index.view;
            plain && all.iter().all(|a| same(&a.indices[depth]))
        };
        let mut depths = 0..first.indices.len();
        match place {
            Place::Assignment { .. } => depths.all(alike),
            Place::Loop(v) => {
                depths.any(|depth| first.indices[depth].along() == Some(v) && alike(depth))
            }
        }
    }

    fn reads(&self, e: &Expr, uses: &mut Uses) {
        let kernel = &self.resolver.kernel;
        e.walk(&mut |x| match x {
            Expr::Access(a) => {
                let access = kernel.get(*a);
                uses.reads.insert(Thing::Tensor(access.tensor));
                uses.accesses.push(*a);
                self.indices(access, uses);
            }
            Expr::Var(v) => {
                uses.named.extend(self.made.get(v).into_iter().flatten());
                if kernel.info(*v).kind == VarKind::Scalar {
                    uses.reads.insert(Thing::Var(*v));
                }
            }
            Expr::Raw(r) => {
                for (_, e) in &kernel.raws[r.0 as usize].names {
                    self.reads(e, uses);
                }
            }
            _ => {}
        });
    }

    fn indices(&self, access: &Access, uses: &mut Uses) {
        for index in &access.indices {
            if let IndexKind::Opaque(e) = &index.kind {
                self.reads(e, uses);
            }
        }
    }
}

/// What a statement reads and writes.
#[derive(Default)]
struct Uses {
    reads: BTreeSet<Thing>,
    writes: BTreeSet<Thing>,
    /// What names that are read were made of, each with the loops around its definition.
    named: BTreeSet<(Thing, usize)>,
    /// What is read after it was written: by such a name, or itself within any number of loops.
    late: BTreeSet<(Thing, usize)>,
    accesses: Vec<AccessId>,
}

impl Uses {
    /// Adds what happens next.
    fn add(&mut self, other: Uses) {
        let late =
            other.reads.iter().map(|what| (*what, usize::MAX)).chain(other.named.iter().copied());
        self.late.extend(late.filter(|(what, _)| self.writes.contains(what)));
        self.late.extend(other.late);
        self.named.extend(other.named);
        self.accesses.extend(other.accesses);
        self.writes.extend(other.writes);
        self.reads.extend(other.reads);
    }
    fn remove(&mut self, what: Thing) {
        self.reads.remove(&what);
        self.writes.remove(&what);
    }
}
