//! What conditions choose in a statement: `ifelse(m[j], 0, b[j])` is 0 where `m[j]` holds, and so is its product with anything, and what
//! a definition makes of it. The rules are asked what a call comes to with each value that is chosen, so that no operator is known
//! here. `annihilated.rs` and `left_out.rs` ask the conditions first where it matters.

use super::presence::MISSING;
use super::Lower;
use crate::cin::*;
use crate::fills::is_value;
use crate::locals::{definitions, through, Locals};
use crate::ops::{Effect, Op};
use std::collections::BTreeMap;

/// The most ways to choose the arguments of one call that are looked at.
const WAYS: usize = 16;
/// The most conditions that come to stand around something in one statement.
const CONDITIONS: usize = 64;

/// A value that an expression has where conditions have chosen it.
#[derive(Clone)]
pub(super) struct Chosen {
    /// The conditions that were asked, the first one first, and the numbers of the arms that they chose.
    pub path: Vec<(Expr, usize)>,
    pub value: Expr,
    /// Whether an argument that is not known had no say in it.
    pub annihilates: bool,
}

/// What is known of a statement.
#[derive(Default)]
pub(super) struct Known {
    /// What names are, and what conditions choose for those of which something is chosen.
    locals: Locals,
    chosen: BTreeMap<VarId, Vec<Chosen>>,
    /// How many conditions have come to stand around something.
    asked: usize,
}

impl Lower<'_> {
    /// What is known of `s`, if conditions choose anything in it.
    pub(super) fn choices(&mut self, s: &Stmt) -> Option<Known> {
        let mut some = false;
        s.walk(&mut |e| some |= chooses_here(e));
        if !some {
            return None;
        }
        let mut known = Known { locals: definitions(s), ..Known::default() };
        // A definition has its number when all that it names have theirs.
        for v in known.locals.keys().copied().collect::<Vec<_>>() {
            let ways = self.ways(&known.locals[&v], &known, true);
            // What is chosen is put in place of the name.
            let short = || through(&known.locals[&v], &known.locals, Expr::SHORT).is_some();
            if !ways.is_empty() && short() {
                known.chosen.insert(v, ways);
            }
        }
        Some(known)
    }

    /// The first condition of `way`, and `e` where it has chosen each of its arms.
    pub(super) fn arms(&mut self, e: &Expr, way: &Chosen, known: &mut Known) -> (Expr, [Expr; 2]) {
        known.asked += 1;
        let first = way.path[0].0.clone();
        let arms = [1, 2].map(|arm| {
            let decided = known.decided(e, &[(first.clone(), arm)]);
            self.simplifier.expr(&decided, &*self.kernel)
        });
        (first, arms)
    }

    /// The values that conditions choose for `e`; of what is `inner` also those that need nothing that is not known.
    pub(super) fn ways(&mut self, e: &Expr, known: &Known, inner: bool) -> Vec<Chosen> {
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
        if chosen.iter().filter(|ways| !ways.is_empty()).count() > 1 {
            picks.extend(together(&chosen));
        }
        let (mut found, mut alone) = (Vec::new(), Vec::new());
        for pick in picks {
            // What one argument decides, it decides whatever the others are.
            if pick.iter().any(|one| alone.contains(one)) {
                continue;
            }
            let Some(way) = self.picked(op, args, &chosen, &pick, known) else { continue };
            alone.extend((pick.len() == 1).then(|| pick[0]));
            found.extend((inner || way.annihilates).then_some(way));
        }
        found
    }

    /// The value of a call, if it has one where its arguments of these numbers are chosen in ways of these numbers.
    fn picked(
        &mut self,
        op: &Op,
        args: &[Expr],
        chosen: &[Vec<Chosen>],
        pick: &[(usize, usize)],
        known: &Known,
    ) -> Option<Chosen> {
        let ways = || pick.iter().map(|(k, way)| &chosen[*k][*way]);
        let path: Vec<(Expr, usize)> = ways().flat_map(|way| way.path.clone()).collect();
        // What else these conditions choose is known as well.
        let mut with: Vec<Expr> = args.iter().map(|a| known.decided(a, &path)).collect();
        for (k, way) in pick {
            with[*k] = chosen[*k][*way].value.clone();
        }
        // What is not stored may be divided by what is not stored either.
        let open = with.iter().any(|a| !is_value(a)) || traps(op) && pick.len() < args.len();
        let annihilates = open || ways().any(|way| way.annihilates);
        let value = self.simplifier.expr(&Expr::Call(op.clone(), with), &*self.kernel);
        is_value(&value).then_some(Chosen { path, value, annihilates })
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

/// The ways to choose of all arguments at once, of those of which something is chosen: no condition chooses both of its arms.
fn together(chosen: &[Vec<Chosen>]) -> Vec<Vec<(usize, usize)>> {
    let mut picks: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for (k, ways) in chosen.iter().enumerate().filter(|(_, ways)| !ways.is_empty()) {
        let mut longer = Vec::new();
        for pick in &picks {
            let agree = |way: &Chosen| pick.iter().all(|(k, n)| chosen[*k][*n].agrees(way));
            let next = (0..ways.len()).filter(|n| agree(&ways[*n]));
            longer.extend(next.map(|n| [&pick[..], &[(k, n)]].concat()));
        }
        longer.truncate(WAYS);
        picks = longer;
    }
    picks
}

impl Chosen {
    fn value(value: Expr) -> Chosen {
        Chosen { path: Vec::new(), value, annihilates: false }
    }

    /// Whether no condition chooses one arm in this way and the other one in that.
    fn agrees(&self, other: &Chosen) -> bool {
        let same = |(cond, arm): &(Expr, usize)| {
            other.path.iter().all(|(asked, chose)| asked != cond || chose == arm)
        };
        self.path.iter().all(same)
    }
}

impl Known {
    /// Whether one more condition may come to stand around something.
    pub fn may_ask(&self) -> bool {
        self.asked < CONDITIONS
    }

    /// Whether a condition in `e`, or in what is named in it, chooses a value that is known.
    pub fn chooses(&self, e: &Expr) -> bool {
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
    pub fn conditions<'e>(&'e self, e: &'e Expr) -> impl Iterator<Item = &'e Expr> {
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

/// Whether it may trap where what it annihilates does not, as a division by 0.
pub(super) fn traps(op: &Op) -> bool {
    op.row().effect == Effect::MayTrap
}
