//! What each loop of a program goes through: all of its coordinates, or what some operands store. Costs are told and promises
//! are kept by it.
//!
//! A loop is looked at where every operand that it goes along is at fill. If it is still there when that is simplified, as
//! lowering would, every coordinate is visited.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use std::collections::HashMap;

/// How often a gap is simplified; each time may show that another local is a literal.
const MOST_ROUNDS: usize = 8;

impl Lower<'_> {
    /// Notes what the loops go through, in order.
    pub(super) fn note_walks(&mut self) {
        let body = self.kernel.body.clone();
        let mut walks = Vec::new();
        let before = self.simplifier.statistics().total_nodes;
        self.walks(&body, &mut Vec::new(), &mut walks);
        // A kernel may take what it may take without this.
        self.nodes += self.simplifier.statistics().total_nodes - before;
        self.kernel.walks = walks;
    }

    fn walks(&mut self, s: &Stmt, around: &mut Vec<VarId>, out: &mut Vec<LoopWalk>) {
        let Stmt::Loop { index, body, .. } = s else {
            s.children().into_iter().for_each(|s| self.walks(s, around, out));
            return;
        };
        let visits = self.visits_of(s, *index, body, around);
        out.push(LoopWalk { index: self.kernel.called(*index), visits });
        around.push(*index);
        self.walks(body, around, out);
        around.pop();
    }

    fn visits_of(&mut self, whole: &Stmt, index: VarId, body: &Stmt, around: &[VarId]) -> Visits {
        let (mut along, mut gaps, mut runs) = (Vec::<Along>::new(), HashMap::new(), Vec::new());
        for id in self.accesses(body) {
            let access = self.kernel.get(id);
            let tensor = self.kernel.tensor(access.tensor);
            if access.write {
                continue;
            }
            let (mut own, mut dims, mut outer) = (Vec::new(), Vec::new(), Vec::new());
            let (mut leaves_out, mut has_runs, mut looked_up) = (false, false, false);
            for (d, (x, level)) in access.indices.iter().zip(&tensor.levels).enumerate() {
                let level = level.format.level();
                if is_along(x, index) {
                    own.push(d);
                }
                let read = match &x.protocol {
                    Some(name) => level.read(name),
                    None => level.reads.first(),
                };
                let steps = level.leaves_out() || level.steps();
                let read =
                    read.filter(|r| is_along(x, index) && steps && !looked_up && !r.is_locate());
                // Where the position is another one at each coordinate, so is the fiber beneath.
                looked_up |= read.is_none()
                    && match &x.kind {
                        IndexKind::Affine(v, _) => *v == index,
                        IndexKind::Opaque(e) => self.kernel.depends(e).contains(&index),
                        IndexKind::Digit(..) => false,
                    };
                let Some(read) = read else { continue };
                leaves_out |= level.leaves_out();
                has_runs |= read.nest.has_runs();
                dims.push(d);
                // A part that a shape operator cuts out for each iteration of a loop around.
                if x.view.derived || !x.view.groups.is_empty() {
                    let mut others: Vec<VarId> =
                        x.parts().into_iter().flat_map(|e| self.kernel.depends(e)).collect();
                    others.extend(x.view.groups.iter().map(|g| g.index));
                    others.extend(x.kind.loop_of());
                    outer.extend(around.iter().filter(|v| others.contains(v)));
                }
            }
            if dims.is_empty() {
                continue;
            }
            if leaves_out {
                gaps.insert(id, tensor.fill.clone());
            }
            if has_runs {
                runs.push((id, tensor.value.clone(), leaves_out));
            }
            outer.sort();
            outer.dedup();
            let outer = outer.into_iter().map(|v| self.kernel.called(v)).collect();
            let one = Along { tensor: tensor.name.to_string(), dims: own, outer };
            if !along.contains(&one) {
                along.push(one);
            }
        }
        if along.is_empty() {
            return Visits::Unknown;
        }
        // Within a run, what is read is some value.
        let mut within = gaps.clone();
        for (id, ty, leaves_out) in &runs {
            let value = Expr::Var(self.kernel.var("of_a_run", VarKind::Outer, ty.clone()));
            if !leaves_out {
                gaps.insert(*id, value.clone());
            }
            within.insert(*id, value);
        }
        let mut all = self.goes_on(whole, index, &gaps);
        if !all && runs.iter().any(|(.., leaves_out)| *leaves_out) {
            all = self.goes_on(whole, index, &within);
        }
        match all {
            true => Visits::All(along.into_iter().map(|a| a.tensor).collect()),
            false => Visits::Entries(along),
        }
    }

    /// Whether the loop `s` over `index` does something at each coordinate where accesses are what `known` says.
    fn goes_on(&mut self, s: &Stmt, index: VarId, known: &HashMap<AccessId, Expr>) -> bool {
        let mut s = self.replace_all(s, known);
        for _ in 0..MOST_ROUNDS {
            s = self.skip_fill(&s);
            s = self.simplify(&s);
            s = self.skip_fill(&s);
            let less = self.without_idle_states(&s).or_else(|| self.without_definitions(&s));
            if let Some(less) = less {
                s = less;
                continue;
            }
            match self.without_constants(&s) {
                Some(less) => s = less,
                None => break,
            }
        }
        self.is_whole(&s, index, &mut None)
    }

    /// Whether `s` does something in the loop over `index` that is seen outside of an iteration of it; `locals` are the names
    /// that begin in one, if that is around.
    fn is_whole(&self, s: &Stmt, index: VarId, locals: &mut Option<Vec<VarId>>) -> bool {
        match s {
            Stmt::Loop { index: i, body, .. } => {
                if *i == index {
                    locals.get_or_insert_with(Vec::new);
                }
                self.is_whole(body, index, locals)
            }
            Stmt::Let { var, body, .. } => {
                locals.iter_mut().for_each(|l| l.push(*var));
                self.is_whole(body, index, locals)
            }
            Stmt::Assign { target, value, .. } => match (locals, target) {
                (None, _) => false,
                (Some(locals), Expr::Var(v)) => !locals.contains(v),
                // What takes runs is written once for all of them.
                (Some(_), Expr::Access(a)) => {
                    let access = self.kernel.get(*a);
                    let levels = &self.kernel.tensor(access.tensor).levels;
                    let along = access.indices.iter().position(|x| is_along(x, index));
                    let at_once = along.is_some_and(|d| {
                        let level = levels[d].format.level();
                        level.words.is_some() || level.write.as_ref().is_some_and(|w| w.runs)
                    });
                    !at_once || self.kernel.depends(value).contains(&index)
                }
                _ => true,
            },
            Stmt::Pass => false,
            other => {
                other.children().into_iter().any(|s| self.is_whole(s, index, &mut locals.clone()))
            }
        }
    }
}

/// Whether the loop over `index` moves `x`.
fn is_along(x: &Index, index: VarId) -> bool {
    x.kind.loop_of() == Some(index) || x.view.groups.iter().any(|g| g.index == index)
}
