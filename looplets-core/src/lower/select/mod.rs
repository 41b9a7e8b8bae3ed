//! Selects: an operand that is its value or its fill, where the two are not told apart by cases.
//!
//! Cases multiply with operands, selects add. What a case would have simplified must still hold: where a product
//! has a factor of fill, it is what it is there, whatever the other factors are. So each expression is known by
//! when it is anything else than its fill: a sum if any of its terms is stored, a product if all of its factors
//! are. Which operators lose what where an argument is fill is asked of the rules, as lowering by cases does.

mod calls;
mod rewrite;
mod when;

use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::{Looplet, Payload};
use rewrite::{Operand, Select};
use std::collections::{BTreeSet, HashMap};

/// Up to how many operands without which nothing is left to do have cases: theirs do not multiply, but each is
/// a branch around the others.
const MOST_ESSENTIAL: usize = 12;
/// Up to how many operands have cases since what they are multiplied with is visited only where they are stored.
const MOST_FACTORS: usize = 6;

/// One of many lists at a coordinate where they are selected.
pub(crate) struct Case {
    pub id: AccessId,
    /// Whether it has an element there.
    pub here: Expr,
    /// The element.
    pub child: Payload,
    /// Moves the list on to its next element, which may be done as soon as a value was read; empty if it stays.
    pub moves: Vec<Kir>,
}

impl<'l> Lower<'l> {
    /// Those of `ids` that are selected in `s` rather than told apart by cases. With each is said whether it is
    /// to be searched for what others have: it is, if nothing is to be done without it.
    pub(crate) fn selected(&mut self, s: &Stmt, ids: &[(AccessId, bool)]) -> BTreeSet<AccessId> {
        let mut chosen: BTreeSet<AccessId> = ids.iter().map(|(id, _)| *id).collect();
        while !chosen.is_empty() {
            let operands = chosen.iter().map(|id| {
                let own = Expr::Access(*id);
                (*id, Operand { value: own.clone(), here: own })
            });
            let mut select = Select::new(self, s, operands.collect(), chosen.clone());
            let (_, when) = select.stmt(s);
            let (refused, mut factors) = (select.refused, select.factors);
            if refused.is_empty() {
                let mut essential = when.essential();
                if essential.len() > MOST_ESSENTIAL {
                    essential.retain(|id| ids.contains(&(*id, true)));
                }
                if factors.len() > MOST_FACTORS {
                    factors.clear();
                }
                chosen.retain(|id| !essential.contains(id) && !factors.contains(id));
                break;
            }
            chosen.retain(|id| !refused.contains(id));
        }
        chosen
    }

    /// Lowers `body` at the one coordinate of `r`, at which one of as many operands as `lists` says is stored for sure: one of `cases`, or
    /// one that a mask or a condition took out of `body`. Also gives those that the code moves on.
    pub(crate) fn select(
        &mut self,
        r: Region,
        body: &Stmt,
        cases: Vec<Case>,
        lists: usize,
    ) -> (Vec<Kir>, BTreeSet<AccessId>) {
        let any = cases.iter().map(|case| case.id);
        let used = self.accesses(body);
        let mut one_of: BTreeSet<AccessId> = any.filter(|id| used.contains(id)).collect();
        if one_of.len() < lists {
            // The one that is stored may be another one.
            one_of.clear();
        }
        let (mut code, mut operands, mut moved) = (Vec::new(), HashMap::new(), BTreeSet::new());
        for Case { id, here: condition, child, moves } in
            cases.iter().filter(|case| used.contains(&case.id))
        {
            let tensor = self.kernel.get(*id).tensor;
            let name = self.kernel.tensor(tensor).name.to_string();
            let here = self.kernel.var(&format!("{name}_here"), VarKind::Local, Ty::Bool);
            self.selected.insert(here);
            code.push(Kir::Let { var: here, mutable: false, value: condition.clone() });
            let fill = self.kernel.tensor(tensor).fill.clone();
            let value = match self.descend(*id, child) {
                Expr::Access(below) => {
                    let below = self.kernel.get(below).clone();
                    self.kernel.access(Access { present: Some(here), ..below })
                }
                Expr::Lit(Lit::Bool(true)) if fill == Expr::bool(false) => Expr::Var(here),
                stored => {
                    let ty = self.kernel.tensor(tensor).value.clone();
                    let kind = if moves.is_empty() { VarKind::Local } else { VarKind::State };
                    let var = self.kernel.var(&format!("{name}_value"), kind, ty);
                    if moves.is_empty() {
                        let value = Expr::call(Op::IfElse, [Expr::Var(here), stored, fill]);
                        code.push(Kir::Let { var, mutable: false, value });
                    } else {
                        code.push(Kir::Let { var, mutable: true, value: fill });
                        let mut then = vec![Kir::Set { var, value: stored }];
                        then.extend(moves.iter().cloned());
                        code.push(Kir::If { cond: condition.clone(), then, otherwise: Vec::new() });
                        moved.insert(*id);
                    }
                    Expr::Var(var)
                }
            };
            operands.insert(*id, Operand { value, here: Expr::Var(here) });
        }
        let mut select = Select::new(self, body, operands, one_of);
        let (stmt, _) = select.stmt(body);
        if !select.refused.is_empty() {
            return (self.told_apart(r, body, cases), BTreeSet::new());
        }
        if !moved.is_empty() {
            self.moves_state();
        }
        let inner = self.region(r, stmt);
        if inner.iter().all(Kir::is_idle) {
            return (Vec::new(), BTreeSet::new());
        }
        code.extend(inner);
        (code, moved)
    }

    /// The same by cases.
    fn told_apart(&mut self, r: Region, body: &Stmt, cases: Vec<Case>) -> Vec<Kir> {
        let mut body = body.clone();
        for Case { id, here, child, .. } in cases {
            let nest = Looplet::Switch(vec![
                (here, Looplet::Run(child)),
                (Expr::bool(true), Looplet::Run(Payload::Fill)),
            ]);
            body = self.with_nest(&body, id, nest, None);
        }
        self.region(r, body)
    }
}
