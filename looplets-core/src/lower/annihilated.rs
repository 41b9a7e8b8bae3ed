//! Factors that a condition chooses to be nothing: `ifelse(m[j], a[j], b[j]) * d[j]` where `a` stores nothing. A zero that is not
//! stored takes its product with it, whatever `d[j]` is; but which of the two it is, only the kernel finds out. So the condition
//! comes to stand around the product, `ifelse(m[j], 0, b[j] * d[j])`, also where a definition gives the factor a name. What
//! vanishes is the rules' affair: nothing does under `#![strict]`.

use super::presence::MISSING;
use super::Lower;
use crate::cin::*;
use crate::fills::is_value;
use crate::locals::{definitions, through, Locals};
use crate::ops::{Effect, Op};
use crate::types::Ty;
use std::collections::BTreeMap;

/// The most ways to choose the arguments of one call that are looked at.
const WAYS: usize = 16;
/// The most conditions that come to stand around the expressions of one statement.
const CONDITIONS: usize = 64;

/// A value that an expression has where conditions have chosen it.
#[derive(Clone)]
struct Chosen {
    /// The condition that is asked first.
    first: Expr,
    value: Expr,
    /// Whether an argument that is not known had no say in it.
    annihilates: bool,
}

/// What is known of a statement.
#[derive(Default)]
struct Known {
    /// What names are, and what conditions choose for those of which something is chosen.
    locals: Locals,
    chosen: BTreeMap<VarId, Vec<Chosen>>,
    /// How many conditions have come to stand around something.
    asked: usize,
}

impl Lower<'_> {
    /// `s` with each condition that makes nothing of a product around it.
    pub(super) fn asked_outside(&mut self, s: &Stmt) -> Stmt {
        let mut known = Known::default();
        let mut some = false;
        s.walk(&mut |e| some |= chooses_here(e));
        if !some {
            return s.clone();
        }
        known.locals = definitions(s);
        // A definition has its number when all that it names have theirs.
        for v in known.locals.keys().copied().collect::<Vec<_>>() {
            let ways = self.ways(&known.locals[&v], &known, true);
            // What is chosen is put in place of the name.
            let short = || through(&known.locals[&v], &known.locals, Expr::SHORT).is_some();
            if !ways.is_empty() && short() {
                known.chosen.insert(v, ways);
            }
        }
        s.map(&mut |e| known.chooses(e).then(|| self.with_asked_outside(e, &mut known)))
    }

    fn with_asked_outside(&mut self, e: &Expr, known: &mut Known) -> Expr {
        let Expr::Call(op, args) = e else { return e.clone() };
        if !known.chooses(e) {
            return e.clone();
        }
        if known.asked < CONDITIONS && (traps(op) || self.may_be_infinite(e)) {
            let way = self.ways(e, known, false).into_iter().find(|way| way.annihilates);
            if let Some(way) = way {
                known.asked += 1;
                let [then, otherwise] = [1, 2].map(|arm| {
                    let decided = known.decided(e, &way.first, arm);
                    let arm = self.simplifier.expr(&decided, &*self.kernel);
                    self.with_asked_outside(&arm, known)
                });
                return Expr::call(Op::IfElse, [way.first, then, otherwise]);
            }
        }
        Expr::Call(op.clone(), args.iter().map(|a| self.with_asked_outside(a, known)).collect())
    }

    /// Whether a factor of it may be one that times 0 is not 0.
    fn may_be_infinite(&self, e: &Expr) -> bool {
        let whole = |ty: Ty| ty.is_integer() || matches!(ty, Ty::Bool | Ty::Index);
        !self.kernel.type_of(e).is_some_and(whole)
    }

    /// The values that conditions choose for `e`; of what is `inner` also those that need nothing that is not known.
    fn ways(&mut self, e: &Expr, known: &Known, inner: bool) -> Vec<Chosen> {
        match e {
            _ if !known.chooses(e) => Vec::new(),
            Expr::Var(v) => known.chosen[v].clone(),
            Expr::Call(Op::IfElse, args) => {
                let first = &args[0];
                let of = |arm: &Expr, l: &mut Self| match is_value(arm) {
                    true => {
                        let value = arm.clone();
                        vec![Chosen { first: first.clone(), value, annihilates: false }]
                    }
                    false => {
                        let under = |way| Chosen { first: first.clone(), ..way };
                        l.ways(arm, known, inner).into_iter().map(under).collect()
                    }
                };
                let mut all = of(&args[1], self);
                all.extend(of(&args[2], self));
                all
            }
            Expr::Call(Op::Coalesce, args) => {
                let where_missing =
                    |first| Chosen { first, value: args[1].clone(), annihilates: false };
                chosen_there(e).cloned().map(where_missing).into_iter().collect()
            }
            Expr::Call(op, args) if op.is_pure() => self.ways_of_call(op, args, known, inner),
            _ => Vec::new(),
        }
    }

    /// The values of a call some of whose arguments are chosen.
    fn ways_of_call(&mut self, op: &Op, args: &[Expr], known: &Known, inner: bool) -> Vec<Chosen> {
        let chosen: Vec<Vec<Chosen>> = args.iter().map(|a| self.ways(a, known, true)).collect();
        let mut picks: Vec<Vec<(usize, usize)>> = Vec::new();
        for (k, ways) in chosen.iter().enumerate() {
            for (way, one) in ways.iter().enumerate() {
                if self.may_decide(op, args, k, &one.value) && picks.len() < WAYS {
                    picks.push(vec![(k, way)]);
                }
            }
        }
        let several: Vec<usize> = (0..args.len()).filter(|k| !chosen[*k].is_empty()).collect();
        if several.len() > 1 {
            // The first condition may be asked of several of them.
            let first = &chosen[several[0]][0].first;
            let alike = |k: &usize| Some((*k, chosen[*k].iter().position(|c| c.first == *first)?));
            let alike: Vec<_> = several.iter().filter_map(alike).collect();
            let all: Vec<_> = several.iter().map(|k| (*k, 0)).collect();
            picks.extend((alike != all && alike.len() > 1).then_some(alike));
            picks.push(all);
        }
        let mut found = Vec::new();
        for pick in picks {
            let mut with = args.to_vec();
            for (k, way) in &pick {
                with[*k] = chosen[*k][*way].value.clone();
            }
            // What is not stored may be divided by what is not stored either.
            let open = with.iter().any(|a| !is_value(a)) || traps(op) && pick.len() < args.len();
            let mut ways = pick.iter().map(|(k, way)| &chosen[*k][*way]);
            let annihilates = open || ways.clone().any(|way| way.annihilates);
            if !annihilates && !inner {
                continue;
            }
            let value = self.simplifier.expr(&Expr::Call(op.clone(), with), &*self.kernel);
            if is_value(&value) {
                let first = ways.next().map(|way| way.first.clone()).expect("a pick is not empty");
                found.push(Chosen { first, value, annihilates });
            }
        }
        found
    }

    /// Whether a call may come to a value where its argument `k` does: not if it does not with another argument alone. A sum of many
    /// terms is not looked at for each of them.
    fn may_decide(&mut self, op: &Op, args: &[Expr], k: usize, value: &Expr) -> bool {
        if args.len() < 3 || !op.is_nary() {
            return true;
        }
        let other = args[usize::from(k == 0)].clone();
        let two = Expr::call(op.clone(), [value.clone(), other]);
        is_value(&self.simplifier.expr(&two, &*self.kernel))
    }
}

impl Known {
    /// Whether a condition in `e`, or in what is named in it, chooses a value that is known.
    fn chooses(&self, e: &Expr) -> bool {
        let mut chooses = false;
        e.walk(&mut |e| {
            chooses |= match e {
                Expr::Var(v) => self.chosen.contains_key(v),
                e => chooses_here(e),
            };
        });
        chooses
    }

    /// `e` where `cond` has chosen its arm of this number.
    fn decided(&self, e: &Expr, cond: &Expr, arm: usize) -> Expr {
        e.map(&mut |e| match e {
            Expr::Call(Op::IfElse, args) if args[0] == *cond => {
                Some(self.decided(&args[arm], cond, arm))
            }
            Expr::Var(v) if self.chosen.contains_key(v) => {
                let left = self.decided(&self.locals[v], cond, arm);
                (left != self.locals[v]).then_some(left)
            }
            _ => None,
        })
    }
}

/// Whether it may trap where what it annihilates does not, as a division by 0.
fn traps(op: &Op) -> bool {
    op.row().effect == Effect::MayTrap
}

/// Whether it is a condition that chooses a value that is known.
fn chooses_here(e: &Expr) -> bool {
    let chooses = matches!(e, Expr::Call(Op::IfElse, args) if args[1..].iter().any(is_value));
    chooses || chosen_there(e).is_some()
}

/// The condition that says where `e` is a value that stands for what is missing: `coalesce(ifelse(cond, x, missing), 0)`.
fn chosen_there(e: &Expr) -> Option<&Expr> {
    let Expr::Call(Op::Coalesce, args) = e else { return None };
    match &args[..] {
        [Expr::Call(Op::IfElse, choice), value] if is_value(value) => {
            choice[1..].contains(&MISSING).then_some(&choice[0])
        }
        _ => None,
    }
}
