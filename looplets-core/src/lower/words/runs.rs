//! Runs that are stored by the word: where entries are bits, those of all coordinates of a run are set at once.

use super::bits::Words;
use super::{Goal, Plan};
use crate::cin::*;
use crate::index::{difference, sum};
use crate::kernel::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region, Written};
use crate::runtime::Runtime;
use crate::unfurl;

impl Lower<'_> {
    /// What `body` writes in `r`, where it is the same at each coordinate, if that is bits of the access `ids`, which is
    /// unfurled.
    pub(in crate::lower) fn run_by_words(
        &mut self,
        r: &Region,
        body: &Stmt,
        ids: &[AccessId],
    ) -> Option<Vec<Kir>> {
        let [id] = ids else { return None };
        let mut whole = self.kernel.get(*id).clone();
        if !whole.write {
            return None;
        }
        whole.unfurled = None;
        // Whether it can be is asked first, so that no access is made in vain.
        self.written_by_word(&whole, r.index)?;
        let whole = self.kernel.access(whole);
        let body = self.replace(body, *id, &whole);
        let plan = self
            .plan(r.index, &body)
            .filter(|p| p.read.operands.is_empty() && p.read.each.is_empty())?;
        let Goal::Stored { of, at, .. } = plan.goal.clone() else { return None };
        let mut code = Vec::new();
        let place = self.place(of, &at, &mut code);
        let start = difference(&place.position, &Expr::Var(place.number));
        if self.kernel.depends(&start).contains(&place.number) {
            return None;
        }
        Some(self.guard(r, |l| {
            code.extend(l.fill_bits(r, &plan, of, &at, (place.array, start)));
            vec![Kir::Block(code)]
        }))
    }

    /// Sets the bits of all coordinates of `r`, which are some, if the condition of `plan` holds.
    fn fill_bits(
        &mut self,
        r: &Region,
        plan: &Plan,
        of: (TensorId, usize),
        at: &Expr,
        (array, start): (ArrayId, Expr),
    ) -> Vec<Kir> {
        let ends = [&r.lo, &r.hi].map(|e| sum(e, &plan.base));
        let mut args = vec![Expr::Array(array)];
        args.extend([&start, &ends[0], &ends[1]].map(|e| Expr::call(Op::Index, [e.clone()])));
        let mut then = vec![self.kernel.statement(Runtime::FillBits, args)];
        let word = self.kernel.var("word", VarKind::Index, Ty::Index);
        if let Some(wrote) = unfurl::wrote(self.kernel, of, at, &Expr::Var(word)) {
            let [lo, hi] = [ends[0].clone(), ends[1].plus(63)];
            let [lo, hi] = [lo, hi].map(|e| super::loops::word_of(&e));
            then.push(Kir::For { var: word, lo, hi, body: vec![wrote] });
        }
        let begun = self.begun.get(&of.0).and_then(|all| all.last());
        then.extend(begun.map(|b| Kir::Set { var: b.flag, value: Expr::bool(true) }));
        self.wrote(Written::Tensor(of.0));
        self.wrote_opaquely();
        let conditions: Vec<Expr> =
            plan.read.same.iter().map(|e| super::bits::broadcast(e.clone())).collect();
        let holds =
            plan.done(plan.bits.word(&Words { operands: &[], same: &conditions, each: &[] }));
        match holds {
            Expr::Lit(Lit::Int(0)) => Vec::new(),
            Expr::Lit(_) => then,
            holds => {
                let cond = Expr::call(Op::Ne, [holds, Expr::int(0)]);
                self.branch(cond, then, Vec::new())
            }
        }
    }
}
