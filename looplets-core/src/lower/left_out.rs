//! Assignments that leave an element as it is: of the fill to what holds it already, and reductions by what changes nothing. They are
//! left out, so that nothing is stored for their sake. Where conditions choose what is assigned, whatever is done with it, they are left out
//! under these conditions.

use super::chosen::Known;
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

    /// Whether `target` is of a tensor that leaves out elements that are fill.
    pub(super) fn leaves_out(&self, target: &Expr) -> bool {
        let tensor = self.tensor_of_target(target);
        tensor.is_some_and(|t| self.kernel.tensor(t).leaves_out_elements())
    }

    /// Whether an element is as it was when `value` has been assigned to it, or reduced into it.
    pub(super) fn changes_nothing(&mut self, target: &Expr, op: &Option<Op>, value: &Expr) -> bool {
        if op.is_none() && self.leaves_at_fill(target, value) {
            return true;
        }
        let (target, op, value) = (target.clone(), op.clone(), value.clone());
        let s = self.skip_fill_made(&Stmt::Assign { target, op, value });
        s == Stmt::Pass || self.simplifier.stmt(&s, &*self.kernel) == Stmt::Pass
    }

    fn tensor_of_target(&self, target: &Expr) -> Option<TensorId> {
        match target {
            Expr::Access(a) => Some(self.kernel.get(*a).tensor),
            other => self.element_of(other),
        }
    }

    /// Whether `target` is of a tensor that reducing `value` into leaves as it is.
    fn stays(&self, target: &Expr, value: &Expr) -> bool {
        self.tensor_of_target(target).is_some_and(|t| {
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
                match same_number(value, &of.fill) {
                    true => Stmt::Pass,
                    false => s.clone(),
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

    /// `s` with each assignment to an element that may be left out under the conditions that it changes something. Elsewhere a condition
    /// costs more than it saves.
    pub(super) fn asked_of_entries(&mut self, s: Stmt, known: &mut Known) -> Stmt {
        match s {
            Stmt::Assign { target, op, value } => {
                match known.chooses(&value) && self.leaves_out(&target) {
                    true => self.asked_of_entry(target, op, value, known),
                    false => Stmt::Assign { target, op, value },
                }
            }
            Stmt::Seq(all) => {
                Stmt::Seq(all.into_iter().map(|s| self.asked_of_entries(s, known)).collect())
            }
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond,
                then: Box::new(self.asked_of_entries(*then, known)),
                otherwise: Box::new(self.asked_of_entries(*otherwise, known)),
            },
            Stmt::Let { var, value, body } => {
                Stmt::Let { var, value, body: Box::new(self.asked_of_entries(*body, known)) }
            }
            other => other,
        }
    }

    fn asked_of_entry(
        &mut self,
        target: Expr,
        op: Option<Op>,
        value: Expr,
        known: &mut Known,
    ) -> Stmt {
        if is_value(&value) {
            // An entry that was begun is left out where it is assigned, behind what it has to lie behind.
            let begun = op.is_none() && self.leaves_at_fill(&target, &value);
            return match !begun && self.changes_nothing(&target, &op, &value) {
                true => Stmt::Pass,
                false => Stmt::Assign { target, op, value },
            };
        }
        let mut ways = Vec::new();
        if known.may_ask() && known.conditions(&value).any(|cond| self.may_be_asked(cond)) {
            ways = self.ways(&value, known, true);
        }
        let left_out = ways.into_iter().find(|way| {
            way.path.iter().all(|(cond, _)| self.may_be_asked(cond))
                && self.changes_nothing(&target, &op, &way.value)
        });
        let Some(way) = left_out else { return Stmt::Assign { target, op, value } };
        let (cond, arms) = self.arms(&value, &way, known);
        let [then, otherwise] =
            arms.map(|arm| Box::new(self.asked_of_entry(target.clone(), op.clone(), arm, known)));
        Stmt::Sieve { cond, then, otherwise }
    }

    /// Whether a condition of a choice may be one of a statement. Where it is missing nothing is chosen, while a statement goes to its
    /// other branch. What asks whether operands are stored is asked already.
    fn may_be_asked(&self, cond: &Expr) -> bool {
        let mut stored = false;
        cond.walk(&mut |e| stored |= matches!(e, Expr::Var(v) if self.selected.contains(v)));
        !stored && !has_missing(cond) && !self.kernel.may_be_missing(cond)
    }
}
