//! Factors that a condition chooses to be nothing: `ifelse(m[j], a[j], b[j]) * d[j]` where `a` stores nothing. A zero that is not
//! stored takes its product with it, whatever `d[j]` is; but which of the two it is, only the kernel finds out. So the condition
//! comes to stand around the product, `ifelse(m[j], 0, b[j] * d[j])`, also where a definition gives the factor a name. What
//! vanishes is the rules' affair: nothing does under `#![strict]`.

use super::presence::{has_missing, MISSING};
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
    /// The conditions that were asked, the first one first, and the numbers of the arms that they chose.
    path: Vec<(Expr, usize)>,
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
        let s = s.map(&mut |e| known.chooses(e).then(|| self.with_asked_outside(e, &mut known)));
        self.asked_of_entries(s, &mut known)
    }

    /// `s` with each assignment to an entry that is left out under the conditions that it changes something: whatever they choose,
    /// and whatever is done with it. Elsewhere a condition costs more than it saves.
    fn asked_of_entries(&mut self, s: Stmt, known: &mut Known) -> Stmt {
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
        if known.asked < CONDITIONS && known.conditions(&value).any(|cond| self.may_be_asked(cond))
        {
            ways = self.ways(&value, known, true);
        }
        let left_out = ways.into_iter().find(|way| {
            way.path.iter().all(|(cond, _)| self.may_be_asked(cond))
                && self.changes_nothing(&target, &op, &way.value)
        });
        let Some(way) = left_out else { return Stmt::Assign { target, op, value } };
        known.asked += 1;
        let first = way.path[0].0.clone();
        let [then, otherwise] = [1, 2].map(|arm| {
            let decided = known.decided(&value, &[(first.clone(), arm)]);
            let value = self.simplifier.expr(&decided, &*self.kernel);
            Box::new(self.asked_of_entry(target.clone(), op.clone(), value, known))
        });
        Stmt::Sieve { cond: first, then, otherwise }
    }

    /// Whether a condition of a choice may be one of a statement. Where it is missing nothing is chosen, while a statement goes to its
    /// other branch. What asks whether operands are stored is asked already.
    fn may_be_asked(&self, cond: &Expr) -> bool {
        let mut stored = false;
        cond.walk(&mut |e| stored |= matches!(e, Expr::Var(v) if self.selected.contains(v)));
        !stored && !has_missing(cond) && !self.kernel.may_be_missing(cond)
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
                let first = way.path[0].0.clone();
                let [then, otherwise] = [1, 2].map(|arm| {
                    let decided = known.decided(e, &[(first.clone(), arm)]);
                    let arm = self.simplifier.expr(&decided, &*self.kernel);
                    self.with_asked_outside(&arm, known)
                });
                return Expr::call(Op::IfElse, [first, then, otherwise]);
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
                let mut of = |arm: usize| {
                    let mut ways = match is_value(&args[arm]) {
                        true => vec![Chosen::value(args[arm].clone())],
                        false => self.ways(&args[arm], known, inner),
                    };
                    ways.iter_mut().for_each(|way| way.path.insert(0, (args[0].clone(), arm)));
                    ways
                };
                let mut all = of(1);
                all.extend(of(2));
                all
            }
            Expr::Call(Op::Coalesce, args) => {
                let where_missing = |(cond, arm): (&Expr, usize)| Chosen {
                    path: vec![(cond.clone(), arm)],
                    ..Chosen::value(args[1].clone())
                };
                chosen_there(e).map(where_missing).into_iter().collect()
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
            picks.push(several.iter().map(|k| (*k, 0)).collect());
        }
        let mut found = Vec::new();
        for pick in picks {
            let ways = || pick.iter().map(|(k, way)| &chosen[*k][*way]);
            let path: Vec<(Expr, usize)> = ways().flat_map(|way| way.path.clone()).collect();
            // What else they choose is known as well.
            let mut with: Vec<Expr> = args.iter().map(|a| known.decided(a, &path)).collect();
            for (k, way) in &pick {
                with[*k] = chosen[*k][*way].value.clone();
            }
            // What is not stored may be divided by what is not stored either.
            let open = with.iter().any(|a| !is_value(a)) || traps(op) && pick.len() < args.len();
            let annihilates = open || ways().any(|way| way.annihilates);
            if !annihilates && !inner {
                continue;
            }
            let value = self.simplifier.expr(&Expr::Call(op.clone(), with), &*self.kernel);
            if is_value(&value) {
                found.push(Chosen { path, value, annihilates });
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

impl Chosen {
    fn value(value: Expr) -> Chosen {
        Chosen { path: Vec::new(), value, annihilates: false }
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

    /// The conditions that choose something in `e`, or in what is named in it.
    fn conditions<'e>(&'e self, e: &'e Expr) -> impl Iterator<Item = &'e Expr> {
        let mut conditions = Vec::new();
        e.walk(&mut |e| match e {
            Expr::Call(Op::IfElse, args) => conditions.push(&args[0]),
            Expr::Var(v) => {
                let ways = self.chosen.get(v).into_iter().flatten();
                conditions.extend(ways.flat_map(|way| &way.path).map(|(cond, _)| cond));
            }
            _ => {}
        });
        conditions.into_iter()
    }

    /// `e` where conditions have chosen their arms of these numbers.
    fn decided(&self, e: &Expr, path: &[(Expr, usize)]) -> Expr {
        e.map(&mut |e| match e {
            Expr::Call(Op::IfElse, args) => {
                let (_, arm) = path.iter().find(|(cond, _)| *cond == args[0])?;
                Some(self.decided(&args[*arm], path))
            }
            Expr::Var(v) if self.chosen.contains_key(v) => {
                let left = self.decided(&self.locals[v], path);
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

/// The condition that says where `e` is a value that stands for what is missing, and the number of its arm that is:
/// `coalesce(ifelse(cond, x, missing), 0)`.
fn chosen_there(e: &Expr) -> Option<(&Expr, usize)> {
    let Expr::Call(Op::Coalesce, args) = e else { return None };
    match &args[..] {
        [Expr::Call(Op::IfElse, choice), value] if is_value(value) => {
            let missing = (1..3).find(|arm| choice[*arm] == MISSING)?;
            Some((&choice[0], missing))
        }
        _ => None,
    }
}
