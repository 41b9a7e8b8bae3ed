//! Statements that are not loops: assignments, conditions, definitions, and indices that stand for one coordinate.

use super::presence::{has_missing, presence, present, Presence};
use super::{Lower, Written};
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;
use crate::kir::Kir;
use crate::locals::tensors as locals;
use crate::nest::Looplet;
use crate::runtime::Runtime;
use crate::unfurl;
use std::collections::HashMap;

impl Lower<'_> {
    /// Lowers any statement.
    pub fn stmt(&mut self, s: Stmt) -> Vec<Kir> {
        if self.prover.infeasible() || !self.affords(&s) {
            return Vec::new();
        }
        let (checks, s) = self.checked_fill(s, None);
        if !checks.is_empty() {
            return checks.into_iter().chain(self.stmt(s)).collect();
        }
        let s = self.skip_fill_made(&s);
        let s = self.simplify(&s);
        let mut before = self.finish_read(&s);
        if before.is_empty() {
            return self.simple(s);
        }
        self.wrote_opaquely();
        let code = self.simple(s);
        if code.iter().all(Kir::is_idle) {
            return code;
        }
        before.extend(code);
        before
    }

    /// Lowers a simplified statement that reads nothing unfinished.
    fn simple(&mut self, s: Stmt) -> Vec<Kir> {
        // Simplified, it would be one statement again.
        if let Some(s) = self.under_what_is_asked_first(&s) {
            return self.simple(s);
        }
        match &s {
            Stmt::Pass => Vec::new(),
            Stmt::Seq(all) => all.iter().flat_map(|s| self.stmt(s.clone())).collect(),
            Stmt::Loop { index, parallel, lo, hi, body } => {
                if let Some(code) = self.located(&s, false) {
                    return code;
                }
                if let Some(code) = self.gathered(&s) {
                    return code;
                }
                self.nest(*index, *parallel, lo.clone(), hi.clone(), body)
            }
            Stmt::Assign { target, op, value } => {
                if let Some(code) = self.located(&s, true) {
                    return code;
                }
                let value = match presence(value) {
                    Presence::Never => return Vec::new(),
                    Presence::Always(value) => value,
                    Presence::If(cond, then, otherwise) => {
                        let with = |value| {
                            Box::new(Stmt::Assign { target: target.clone(), op: op.clone(), value })
                        };
                        let (then, otherwise) = (with(then), with(otherwise));
                        return self.stmt(Stmt::Sieve { cond, then, otherwise });
                    }
                };
                if let Some(code) = self.changed(target, &value) {
                    return code;
                }
                if op.is_none() && self.leaves_at_fill(target, &value) {
                    let tensor = self.element_of(target);
                    return tensor.map_or_else(Vec::new, |t| self.begun_behind(t));
                }
                self.store(target, op.clone(), &value)
            }
            Stmt::Sieve { cond, then, otherwise } => {
                if !self.accesses_of(cond).is_empty() {
                    if let Some(code) = self.located(&s, true) {
                        return code;
                    }
                }
                let cond = &match presence(cond) {
                    // What is missing does not hold.
                    Presence::Never => return self.stmt((**otherwise).clone()),
                    Presence::Always(cond) => cond,
                    Presence::If(outer, yes, no) => {
                        let with = |cond| {
                            let (then, otherwise) = (then.clone(), otherwise.clone());
                            Box::new(Stmt::Sieve { cond, then, otherwise })
                        };
                        return self.stmt(Stmt::Sieve {
                            cond: outer,
                            then: with(yes),
                            otherwise: with(no),
                        });
                    }
                };
                match self.decide(cond) {
                    Some(true) => self.stmt((**then).clone()),
                    Some(false) => self.stmt((**otherwise).clone()),
                    None => {
                        let no = Expr::call(Op::Not, [cond.clone()]);
                        let then = self.under(cond, |l| l.stmt((**then).clone()));
                        let otherwise = self.under(&no, |l| l.stmt((**otherwise).clone()));
                        self.branch(cond.clone(), then, otherwise)
                    }
                }
            }
            Stmt::Where { consumer, producer, local } => {
                let mut code = Vec::new();
                self.prover.push();
                for t in local {
                    self.assume_size(*t);
                    code.extend(self.create(*t));
                }
                code.extend(self.stmt((**producer).clone()));
                code.extend(self.stmt((**consumer).clone()));
                self.prover.pop();
                self.unsorted.retain(|(t, _)| !local.contains(t));
                vec![Kir::Block(code)]
            }
            Stmt::Let { .. } => self.definitions(s),
        }
    }

    /// Lowers a chain of definitions, which is as deep as it is long.
    fn definitions(&mut self, mut s: Stmt) -> Vec<Kir> {
        let mut code = Vec::new();
        // What stands for a name where it is used.
        let mut known: HashMap<VarId, Expr> = HashMap::new();
        let with = |known: &HashMap<VarId, Expr>, e: &Expr| match e {
            Expr::Var(v) => known.get(v).cloned(),
            _ => None,
        };
        while let Stmt::Let { var, mut value, body } = s {
            if !known.is_empty() {
                let replaced = value.map(&mut |e| with(&known, e));
                if replaced != value {
                    if !self.affords_copies(&replaced) {
                        return Vec::new();
                    }
                    value = self.simplifier.expr(&replaced, &*self.kernel);
                }
            }
            let mut body = *body;
            if !self.accesses_of(&value).is_empty() {
                if !known.is_empty() {
                    body = body.map(&mut |e| with(&known, e));
                    known.clear();
                }
                let whole = Stmt::Let { var, value, body: Box::new(body) };
                if let Some(located) = self.located(&whole, true) {
                    code.extend(located);
                    return vec![Kir::Block(code)];
                }
                let Stmt::Let { value: same, body: rest, .. } = whole else {
                    unreachable!("made above")
                };
                (value, body) = (same, *rest);
            }
            s = body;
            if has_missing(&value) {
                let absent = self.kernel.absent.contains(&var);
                match present(&value).filter(|_| !absent) {
                    // Tokens of Rust and extents have the name.
                    Some(present) => value = self.simplifier.expr(&present, &*self.kernel),
                    None => {
                        // No Rust value stands for `missing`, so the definition goes where it is used.
                        known.insert(var, value);
                        continue;
                    }
                }
            }
            // Literals go there as well, to take the type of what they meet; but checks of extents, and
            // shifts, have the name. Many of them are of the type that the name has.
            let named = value.is_larger(Expr::SHORT) && self.kernel.info(var).ty != Ty::Unknown;
            if self.kernel.type_of(&value).is_none() && !named {
                known.insert(var, value.clone());
            }
            let mutable = self.kernel.info(var).kind == VarKind::Scalar;
            code.push(Kir::Let { var, mutable, value });
            self.wrote(Written::Var(var));
        }
        if !known.is_empty() {
            s = s.map(&mut |e| with(&known, e));
        }
        code.extend(self.stmt(s));
        vec![Kir::Block(code)]
    }

    /// Resolves one access at a coordinate that has its value already: locates it, and lowers the
    /// statement once per case. Computed indices wait until the statement that uses them.
    fn located(&mut self, s: &Stmt, computed: bool) -> Option<Vec<Kir>> {
        let ids = match s {
            Stmt::Sieve { cond, .. } => self.accesses_of(cond),
            Stmt::Let { value, .. } => self.accesses_of(value),
            _ => self.accesses(s),
        };
        let local = locals(s);
        for id in ids {
            let access = self.kernel.get(id).clone();
            // A workspace that begins inside is not there yet, and may turn out never to be written.
            let begins = local.contains(&access.tensor);
            if access.unfurled.is_some() || begins || self.opens_late(&access, s) {
                continue;
            }
            if access.indices.is_empty() {
                // A tensor without dimensions is its leaf.
                let with = self.leaf(access.tensor, access.level, &access.pos, access.write);
                let s = self.replace(s, id, &with);
                return Some(self.stmt(s));
            }
            let (coordinate, opaque) = match &access.indices[0].kind {
                IndexKind::Affine(v, _) | IndexKind::Digit(v, _) if self.bound.contains(v) => {
                    let unchecked = access.indices[0].view.checked;
                    if unchecked && !computed {
                        continue;
                    }
                    (access.indices[0].coordinate(&Expr::Var(*v)), unchecked)
                }
                // A point of a dimension above one that is looped over is found before the loop.
                IndexKind::Opaque(e) if !computed && self.above_loop(&access, s, e) => {
                    (e.clone(), true)
                }
                IndexKind::Opaque(e) if computed && self.accesses_of(e).is_empty() => {
                    (e.clone(), true)
                }
                _ => continue,
            };
            let mut code = Vec::new();
            let coordinate =
                if opaque { self.checked(&access, coordinate, &mut code) } else { coordinate };
            let nest = unfurl::locate(self.kernel, &access, &coordinate);
            self.cases.point(self.kernel, id, &nest);
            code.extend(self.point(s, id, nest));
            return Some(code);
        }
        None
    }

    /// Whether an entry is made only where it is assigned to: no two of a tensor that are the same, or new at
    /// the same position, may be open at once.
    pub(super) fn opens_late(&self, access: &Access, s: &Stmt) -> bool {
        let level = &self.kernel.tensor(access.tensor).levels[access.level];
        let write = level.format.level().write.as_ref();
        let inserted = write.is_some_and(|w| match w.order {
            Order::Append => false,
            Order::Insert => true,
            Order::Locate => w.commit.is_some(),
        });
        let written = |id: &AccessId| {
            let other = self.kernel.get(*id);
            other.write && other.tensor == access.tensor
        };
        access.write && inserted && self.accesses(s).iter().filter(|id| written(id)).count() > 1
    }

    /// Whether the point `e`, fixed before any loop, stands above a dimension that the loop `s`
    /// runs over, and may lie inside of its own.
    fn above_loop(&self, access: &Access, s: &Stmt, e: &Expr) -> bool {
        let Stmt::Loop { index, .. } = s else { return false };
        let along = |i: &Index| matches!(&i.kind, IndexKind::Affine(v, _) if v == index);
        // What is known to lie outside is an error where an element is read.
        let outside = self.looks_up || self.lt(e, &Expr::int(0));
        access.indices[1..].iter().any(along) && self.kernel.fixed(e) && !outside
    }

    /// A computed index, checked against the dimension once and held in a local.
    fn checked(&mut self, access: &Access, index: Expr, out: &mut Vec<Kir>) -> Expr {
        let tensor = self.kernel.tensor(access.tensor);
        let (name, len) = (tensor.name.to_string(), Expr::Var(tensor.lens[access.level]));
        let dim = access.level;
        let view = &access.indices[0].view;
        // Outside of what `permit` wraps is `missing`; it is the windows outside that are checked.
        // A window that nothing has checked is cut to the dimension, which what `permit` wraps may leave.
        let bounds = view.part.bounds(&len);
        let bounds = bounds.map(|(lo, hi)| (self.index_term(lo), self.index_term(hi)));
        let allowed = bounds.map(|(lo, hi)| match view.part {
            Part::Window(..) if view.clips.is_empty() => {
                (Expr::call(Op::Max, [Expr::int(0), lo]), Expr::call(Op::Min, [len.clone(), hi]))
            }
            _ => (lo, hi),
        });
        // It is an error to leave the part that a condition says is read, and only there; what is missing outside of
        // it is asked first.
        let fills = view.clips.iter().rev().take_while(|c| c.1 == Outside::Fill);
        let refused = fills
            .filter(|_| !view.only.is_empty())
            .filter_map(|(part, _)| part.bounds(&len))
            .reduce(|(lo, hi), (from, to)| {
                (Expr::call(Op::Max, [lo, from]), Expr::call(Op::Min, [hi, to]))
            });
        // A point that stands in front of a loop is read whatever is known of the loop within.
        let only: Vec<Expr> =
            view.only.iter().filter(|e| self.have_values(&[e])).cloned().collect();
        let checked = Runtime::CheckIndex { tensor: access.tensor, dim };
        // The prover is asked of indices of loops only, and of accesses that are tied to the order of the program: a check that it
        // spares is one of each iteration there.
        let local = |v: VarId| self.kernel.info(v).kind == VarKind::Local;
        let of_loop = matches!(access.indices[0].kind, IndexKind::Affine(..))
            || matches!(index, Expr::Call(Op::During, _))
            || matches!(index, Expr::Var(v) if local(v));
        let value = match &allowed {
            Some((lo, hi)) if of_loop && self.is_within(&index, lo, hi) => index,
            Some((lo, hi)) => {
                let value = self.kernel.call(
                    checked.clone(),
                    vec![index, lo.clone(), hi.clone()],
                    Ty::Index,
                );
                self.kernel.raws.last_mut().expect("called above").effect = true;
                value
            }
            None => self.kernel.call(Runtime::Index, vec![index.clone()], Ty::Index),
        };
        let var = self.kernel.var(&format!("{name}{dim}_i"), VarKind::Local, Ty::Index);
        out.push(Kir::Let { var, mutable: false, value });
        if let Some((lo, hi)) = refused {
            let args = vec![Expr::Var(var), lo, hi];
            let value = self.kernel.call(checked, args, Ty::Index);
            self.kernel.raws.last_mut().expect("called above").effect = true;
            let within = self.kernel.var("within", VarKind::Local, Ty::Index);
            let check = vec![Kir::Let { var: within, mutable: false, value }];
            out.extend(match only.is_empty() {
                true => check,
                false => self.branch(Expr::Call(Op::And, only), check, Vec::new()),
            });
        }
        if let Some((lo, hi)) = allowed {
            self.assume(&Expr::call(Op::Le, [lo, Expr::Var(var)]));
            self.assume(&Expr::call(Op::Lt, [Expr::Var(var), hi]));
        }
        Expr::Var(var)
    }

    /// Whether `index` is known to be in `lo..hi`.
    fn is_within(&mut self, index: &Expr, lo: &Expr, hi: &Expr) -> bool {
        self.le(lo, index) && self.le(&index.plus(1), hi)
    }

    /// Lowers `s` with the access `id` described by `nest` at one coordinate.
    pub(super) fn point(&mut self, s: &Stmt, id: AccessId, nest: Looplet) -> Vec<Kir> {
        match nest {
            Looplet::Thunk { defs, before, body, after } => {
                self.thunk(defs, before, after, |l| l.point(s, id, *body))
            }
            Looplet::Switch(cases) => self.cases(cases, |l, nest| l.point(s, id, nest)),
            Looplet::Run(payload) => {
                let with = self.descend(id, &payload);
                let s = self.replace(s, id, &with);
                self.stmt(s)
            }
            other => {
                let name = &self.kernel.tensor(self.kernel.get(id).tensor).name;
                unreachable!(
                    "`locate` of `{name}` gives definitions, cases and runs, not {:?}",
                    other.kind()
                )
            }
        }
    }

    /// An assignment whose accesses are all elements.
    pub(super) fn store(&mut self, target: &Expr, op: Option<Op>, value: &Expr) -> Vec<Kir> {
        let tensor = self.element_of(target);
        let marked = matches!(target, Expr::Var(v) if self.is_mark(*v));
        let refusals = tensor.and_then(|t| self.refusals.get(&t));
        let mut code: Vec<Kir> = refusals.into_iter().flatten().flatten().cloned().collect();
        match (tensor, target) {
            (_, Expr::Var(v)) => self.wrote(Written::Var(*v)),
            (Some(t), _) => self.wrote(Written::Tensor(t)),
            _ => self.wrote_opaquely(),
        }
        if !marked {
            code.push(Kir::Store { target: target.clone(), op, value: value.clone() });
        }
        if let Some(begun) = tensor.and_then(|t| self.begun.get(&t)).and_then(|all| all.last()) {
            code.push(Kir::Set { var: begun.flag, value: Expr::bool(true) });
        }
        if let Expr::Var(v) = target {
            code.extend(self.exit_after(*v));
        }
        if marked && *value != Expr::bool(true) {
            return self.branch(value.clone(), code, Vec::new());
        }
        code
    }

    /// The tensor that `target` is an element of.
    pub(super) fn element_of(&self, target: &Expr) -> Option<TensorId> {
        match target {
            Expr::Load(a, _) => Some(self.kernel.arrays[a.0 as usize].tensor),
            Expr::Var(v) => self.kernel.marked(*v),
            _ => None,
        }
    }
}

/// Whether two terms are one value, a bool counting as 0 or 1.
pub(super) fn same_number(a: &Expr, b: &Expr) -> bool {
    let number = |e: &Expr| match e {
        Expr::Lit(Lit::Bool(b)) => Expr::int(i128::from(*b)),
        other => other.clone(),
    };
    number(a) == number(b)
}
