//! Calls of operands that are selected: what is left of the others where some are at their fill.

use super::rewrite::Select;
use super::when::{Choice, Soft, When};
use crate::cin::*;
use crate::fills::is_value;
use crate::kernel::Binding;
use std::collections::BTreeSet;

/// Up to how many arguments of an operator that takes so many are tried at fill in every combination.
const MOST_TRIED: usize = 4;

/// What is left of the other arguments where some are at their fill.
enum Left {
    All,
    /// Nothing: the call has this value.
    Nothing(Expr),
    Some,
}

impl Select<'_, '_> {
    pub fn call(&mut self, e: &Expr, op: &Op, args: &[Expr]) -> (Expr, Option<Soft>) {
        let parts: Vec<(Expr, Option<Soft>)> = args.iter().map(|a| self.expr(a)).collect();
        let soft: Vec<usize> = (0..args.len()).filter(|k| parts[*k].1.is_some()).collect();
        let fill = |k: usize| parts[k].1.as_ref().expect("soft").fill.clone();
        let when = |k: usize| parts[k].1.as_ref().expect("soft").when.clone();
        let rewritten =
            Expr::Call(op.clone(), parts.iter().map(|(e, _)| e.clone()).collect::<Vec<_>>());
        if soft.is_empty() {
            return (rewritten, None);
        }
        // Where the calls of an operator with a stated space are stored, the rules tell by loads.
        let spaced = |key| self.l.kernel.functions.get(key).is_some_and(|f| f.spaced);
        if op.key().is_some_and(spaced) {
            self.refuse(e);
            return (rewritten, None);
        }
        let chooses = *op == Op::IfElse;
        if let Some(soft) = chooses.then(|| self.choice(args, &parts)).flatten() {
            return (rewritten, Some(soft));
        }
        let flat = self.l.simplifier.is_flat(op) && args.len() > 2;
        let mut kills: Vec<usize> = Vec::new();
        let mut value: Option<Expr> = None;
        if !chooses {
            for &k in &soft {
                let left = match flat {
                    // Of any number of arguments two tell.
                    true => {
                        let other = (1..args.len()).map(|d| (k + d) % args.len());
                        let other = other.clone().find(|o| !leaves(&args[*o]).is_empty());
                        let other = other.map_or(Expr::int(1), |o| args[o].clone());
                        self.left(op, &[fill(k), other], &[0])
                    }
                    false => {
                        let mut args = args.to_vec();
                        args[k] = fill(k);
                        self.left(op, &args, &[k])
                    }
                };
                match left {
                    Left::All => {}
                    Left::Nothing(v) if value.as_ref().is_none_or(|known| *known == v) => {
                        value = Some(v);
                        kills.push(k);
                    }
                    Left::Nothing(_) | Left::Some => {
                        self.refuse(e);
                        return (rewritten, None);
                    }
                }
            }
        }
        if !flat && !chooses && args.len() > 1 && !self.combined(op, args, &soft, &kills, &fill) {
            self.refuse(e);
            return (rewritten, None);
        }
        if let Some(value) = value {
            let visits = |e: &Expr| {
                self.l.accesses_of(e).iter().any(|id| {
                    let deeper = self.l.kernel.get(*id);
                    let here = deeper.unfurled.is_some() || self.operands.contains_key(id);
                    deeper.indices.len() > usize::from(here)
                })
            };
            let certain = When::All(kills.iter().map(|k| when(*k)).collect()).covers(&self.one_of);
            if !certain && args.iter().enumerate().any(|(k, a)| !kills.contains(&k) && visits(a)) {
                let of = kills.iter().flat_map(|k| self.l.accesses_of(&args[*k]));
                let of: Vec<AccessId> = of.filter(|id| self.operands.contains_key(id)).collect();
                self.factors.extend(of);
            }
            let when = When::All(kills.into_iter().map(when).collect());
            // Of what is true or false, nothing but the value matters.
            let exact = matches!(op, Op::And | Op::Or);
            let chosen = match self.condition(&when) {
                Expr::Lit(_) => rewritten,
                _ if exact => rewritten,
                cond => Expr::call(Op::IfElse, [cond, rewritten, value.clone()]),
            };
            return (chosen, Some(Soft { when, fill: value }));
        }
        let at_fill: Vec<Expr> = (0..args.len())
            .map(|k| if parts[k].1.is_some() { fill(k) } else { args[k].clone() })
            .collect();
        let value = self.l.simplifier.expr(&Expr::Call(op.clone(), at_fill), &*self.l.kernel);
        let soft = is_value(&value)
            .then(|| Soft { when: When::Any(soft.into_iter().map(when).collect()), fill: value });
        (rewritten, soft)
    }

    /// When what a condition chooses is stored, if one of its two arms has a fill, and the other one none or the same. A literal that
    /// is this fill is none that is stored.
    fn choice(&self, args: &[Expr], parts: &[(Expr, Option<Soft>)]) -> Option<Soft> {
        let [(cond, asked), a, b] = parts else { return None };
        let fill = [a, b].into_iter().find_map(|(_, soft)| soft.as_ref())?.fill.clone();
        let arm = |(e, soft): &(Expr, Option<Soft>)| match soft {
            Some(soft) => (soft.fill == fill).then(|| soft.when.clone()),
            None if *e == fill => Some(When::Any(Vec::new())),
            None => Some(When::Always),
        };
        let (then, otherwise) = (arm(a)?, arm(b)?);
        // It is asked twice: of what is chosen, and when.
        let effects = self.l.kernel.effects(&args[0]);
        if effects.opaque || effects.missing || self.l.kernel.may_be_missing(&args[0]) {
            return None;
        }
        let asked = asked.as_ref().map(|soft| soft.when.clone());
        let choice = Choice { cond: cond.clone(), asked, then, otherwise };
        Some(Soft { when: When::Chosen(Box::new(choice)), fill })
    }

    /// What is left of the arguments of a call other than those at `filled`, which are values.
    fn left(&mut self, op: &Op, args: &[Expr], filled: &[usize]) -> Left {
        let args: Vec<Expr> = args.iter().map(|e| self.stored(e)).collect();
        let call = Expr::Call(op.clone(), args.clone());
        let found = self.l.simplifier.expr(&call, &*self.l.kernel);
        let others: BTreeSet<Expr> = args
            .iter()
            .enumerate()
            .filter(|(k, _)| !filled.contains(k))
            .flat_map(|(_, e)| leaves(e))
            .collect();
        let found_leaves = leaves(&found);
        if others.is_subset(&found_leaves) {
            return Left::All;
        }
        match is_value(&found) {
            true => Left::Nothing(found),
            false => Left::Some,
        }
    }

    /// `e` where each operand is stored, and so a load, as some rules ask; so is what is stored everywhere.
    fn stored(&self, e: &Expr) -> Expr {
        let kernel = &*self.l.kernel;
        e.map(&mut |x| {
            let Expr::Access(id) = x else { return None };
            let tensor = kernel.tensor(kernel.get(*id).tensor);
            if !self.operands.contains_key(id) && tensor.leaves_out() {
                return None;
            }
            let of = |b: &Binding| match b {
                Binding::Array(a) => Some(*a),
                _ => None,
            };
            let fields = &tensor.levels.last()?.fields;
            let values = fields.iter().filter_map(|(_, b)| of(b));
            let mut values = values.filter(|a| kernel.arrays[a.0 as usize].elem == tensor.value);
            values.next_back().map(|a| Expr::Load(a, Box::new(Expr::int(i128::from(id.0)))))
        })
    }

    /// Whether arguments at fill together leave what each of them leaves.
    fn combined(
        &mut self,
        op: &Op,
        args: &[Expr],
        soft: &[usize],
        kills: &[usize],
        fill: &dyn Fn(usize) -> Expr,
    ) -> bool {
        let keep: Vec<usize> = soft.iter().copied().filter(|k| !kills.contains(k)).collect();
        if keep.len() > MOST_TRIED {
            return false;
        }
        (0..1usize << keep.len()).filter(|set| set.count_ones() > 1).all(|set| {
            let filled: Vec<usize> =
                (0..keep.len()).filter(|k| set >> k & 1 == 1).map(|k| keep[k]).collect();
            let mut args = args.to_vec();
            filled.iter().for_each(|k| args[*k] = fill(*k));
            matches!(self.left(op, &args, &filled), Left::All)
        })
    }
}

/// The names in an expression.
fn leaves(e: &Expr) -> BTreeSet<Expr> {
    let mut out = BTreeSet::new();
    e.walk(&mut |x| match x {
        Expr::Var(_) | Expr::Access(_) | Expr::Raw(_) | Expr::Array(_) => {
            out.insert(x.clone());
        }
        Expr::Load(a, _) => drop(out.insert(Expr::Array(*a))),
        Expr::Lit(_) | Expr::Call(..) => {}
    });
    out
}
