//! Assignments that leave an element as it is: of the fill to what holds it already, and reductions by what changes nothing. They are
//! left out, so that nothing is stored for their sake. Where a condition chooses what is assigned, they are left out under it.

use super::in_place::stays_as;
use super::presence::has_missing;
use super::stmt::same_number;
use super::Lower;
use crate::cin::*;
use crate::fills::is_value;
use crate::ops::Op;

impl Lower<'_> {
    /// Whether an element is assigned the fill that it holds, in an entry that was begun before what was read
    /// turned out not to be stored. Then the entry is not written.
    pub(super) fn leaves_at_fill(&self, target: &Expr, value: &Expr) -> bool {
        let Some(tensor) = self.element_of(target) else { return false };
        let Some(begun) = self.begun.get(&tensor).and_then(|all| all.last()) else { return false };
        // What a loop within the entry assigned before is overwritten.
        let first = self.kernel.appended_last(tensor) && begun.loops == self.loops;
        let of = self.kernel.tensor(tensor);
        (of.written_once || first) && same_number(value, &of.fill)
    }

    /// An assignment of what conditions choose, something of which is `left_out`, as assignments under the first of them.
    pub(super) fn one_chosen(&self, s: &Stmt, left_out: impl Fn(&Expr) -> bool) -> Option<Stmt> {
        let Stmt::Assign { target, op, value: Expr::Call(Op::IfElse, args) } = s else {
            return None;
        };
        let [cond, a, b] = &args[..] else { return None };
        // Where the condition is missing nothing is chosen, while a statement goes to its other branch.
        if has_missing(cond) || self.kernel.may_be_missing(cond) {
            return None;
        }
        let with = |value: &Expr| {
            let (target, op, value) = (target.clone(), op.clone(), value.clone());
            Box::new(Stmt::Assign { target, op, value })
        };
        (some_chosen(a, &left_out) || some_chosen(b, &left_out)).then(|| Stmt::Sieve {
            cond: cond.clone(),
            then: with(a),
            otherwise: with(b),
        })
    }

    /// Whether `target` is of a tensor that reducing `value` into leaves as it is.
    fn stays(&self, target: &Expr, value: &Expr) -> bool {
        let tensor = match target {
            Expr::Access(a) => Some(self.kernel.get(*a).tensor),
            other => self.element_of(other),
        };
        tensor.is_some_and(|t| {
            let of = self.kernel.tensor(t);
            of.only_reduced && same_number(value, &of.fill)
        })
    }

    /// A new tensor holds its fill wherever nothing was written: assigning the fill there is left
    /// out, so that it is not stored. So is what a tensor was made to hold before.
    pub fn skip_fill(&self, s: &Stmt) -> Stmt {
        self.skip_fill_unless(s, &|_, _| false)
    }

    /// The same, but for a tensor that has entries already: assigning the fill there is checked.
    pub(super) fn skip_fill_made(&self, s: &Stmt) -> Stmt {
        self.skip_fill_unless(s, &|a, value| self.fills_behind(a, value))
    }

    fn skip_fill_unless(&self, s: &Stmt, kept: &dyn Fn(AccessId, &Expr) -> bool) -> Stmt {
        match s {
            Stmt::Assign { target: Expr::Access(a), op: None, value } if kept(*a, value) => {
                s.clone()
            }
            Stmt::Assign { target: Expr::Access(a), op: None, value } => {
                let tensor = self.kernel.get(*a).tensor;
                if self.on_backdrop(tensor, value) {
                    return Stmt::Pass;
                }
                let of = self.kernel.tensor(tensor);
                let holds = of.written_once || self.kernel.get(*a).first;
                if !holds && !self.kernel.appended_last(tensor) {
                    return s.clone();
                }
                if same_number(value, &of.fill) {
                    return Stmt::Pass;
                }
                match self.one_chosen(s, |value| same_number(value, &of.fill)) {
                    Some(s) if of.leaves_out_elements() => self.skip_fill_unless(&s, kept),
                    _ => s.clone(),
                }
            }
            // What is not stored stays as it is.
            Stmt::Assign { target, op: None, value } if stays_as(target, value) => Stmt::Pass,
            // What began as fill is not changed by it.
            Stmt::Assign { target, op: Some(_), value } if self.stays(target, value) => Stmt::Pass,
            // Choosing the fill chooses nothing.
            Stmt::Assign { op: Some(op), value: Expr::Call(chosen, args), .. }
                if *op == Op::Choose
                    && *chosen == Op::Chosen
                    && same_number(&args[0], &args[1]) =>
            {
                Stmt::Pass
            }
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: *index,
                parallel: *parallel,
                lo: lo.clone(),
                hi: hi.clone(),
                body: Box::new(self.skip_fill_unless(body, kept)),
            },
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond: cond.clone(),
                then: Box::new(self.skip_fill_unless(then, kept)),
                otherwise: Box::new(self.skip_fill_unless(otherwise, kept)),
            },
            Stmt::Seq(all) => {
                Stmt::Seq(all.iter().map(|s| self.skip_fill_unless(s, kept)).collect())
            }
            Stmt::Let { var, value, body } => Stmt::Let {
                var: *var,
                value: value.clone(),
                body: Box::new(self.skip_fill_unless(body, kept)),
            },
            other => other.clone(),
        }
    }

    /// `s` with each reduction into entries that are left out, of what conditions choose, under the conditions that it changes
    /// something. Elsewhere a condition costs more than it saves.
    pub(super) fn reduced_where_chosen(&mut self, s: Stmt) -> Stmt {
        match s {
            Stmt::Assign {
                target: Expr::Access(a),
                op: Some(_),
                value: Expr::Call(Op::IfElse, _),
            } => {
                if !self.kernel.tensor(self.kernel.get(a).tensor).leaves_out_elements() {
                    return s;
                }
                self.chosen_reductions(s)
            }
            Stmt::Seq(all) => {
                Stmt::Seq(all.into_iter().map(|s| self.reduced_where_chosen(s)).collect())
            }
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond,
                then: Box::new(self.reduced_where_chosen(*then)),
                otherwise: Box::new(self.reduced_where_chosen(*otherwise)),
            },
            Stmt::Let { var, value, body } => {
                Stmt::Let { var, value, body: Box::new(self.reduced_where_chosen(*body)) }
            }
            other => other,
        }
    }

    fn chosen_reductions(&mut self, s: Stmt) -> Stmt {
        let Stmt::Assign { target, op, value } = &s else { return s };
        let mut idle: Vec<Expr> = Vec::new();
        value.walk(&mut |e| {
            if is_value(e) && !idle.contains(e) {
                idle.push(e.clone());
            }
        });
        idle.retain(|value| {
            let (target, op, value) = (target.clone(), op.clone(), value.clone());
            let stays = self.stays(&target, &value);
            stays
                || self.simplifier.stmt(&Stmt::Assign { target, op, value }, &*self.kernel)
                    == Stmt::Pass
        });
        match self.one_chosen(&s, |value| idle.contains(value)) {
            Some(Stmt::Sieve { cond, then, otherwise }) => {
                let mut arm = |s: Stmt| match &s {
                    Stmt::Assign { value, .. } if idle.contains(value) => Box::new(Stmt::Pass),
                    _ => Box::new(self.chosen_reductions(s)),
                };
                let (then, otherwise) = (arm(*then), arm(*otherwise));
                Stmt::Sieve { cond, then, otherwise }
            }
            _ => s,
        }
    }
}

/// Whether it is `left_out`, or conditions may choose something that is.
fn some_chosen(e: &Expr, left_out: &impl Fn(&Expr) -> bool) -> bool {
    let chosen = |args: &[Expr]| args[1..].iter().any(|arm| some_chosen(arm, left_out));
    left_out(e) || matches!(e, Expr::Call(Op::IfElse, args) if chosen(args))
}
