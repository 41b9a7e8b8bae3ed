//! Loops over bits that take 64 coordinates a step.
//!
//! A level may say where the words are that hold the bits of its coordinates (`words` of `level!`). Where all that a
//! loop reads along its index are such fibers, moved by what does not change in it, and all that it does with them is logic,
//! the looplets of the operands are not looked at: their cases would multiply, and each would take a bit at a time. The
//! loop goes over words. An operand that is moved is a funnel shift of two words that follow each other.
//!
//! The steps in the middle need no masks, and all words that they read are there. Before and behind them the same step
//! reads 0 for a word that is not there, and masks what lies outside of the loop, or of what `permit` wraps. Which steps are
//! in the middle follows from the numbers of words alone, so that what is read without a check rests on nothing else.

mod bits;
mod each;
mod loops;
mod runs;

use super::{Lower, Region};
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;
use crate::kir::Kir;
use bits::{Bits, Read, Word, Words};
use each::Each;

/// What becomes of a condition.
#[derive(Clone)]
enum Goal {
    /// It is stored where it holds; `alone`, if nothing else is ever stored at the coordinates of the loop.
    Stored { of: (TensorId, usize), at: Expr, alone: bool },
    /// Where it holds once, one assignment is made, which a second one would not change.
    Once { target: Expr, op: Option<Op>, value: Expr },
    /// Where it does not hold once.
    OnceNot { target: Expr, op: Option<Op>, value: Expr },
    /// How often it holds is added.
    Counted { target: Expr },
}

/// A loop by the word.
struct Plan {
    goal: Goal,
    bits: Bits,
    read: Read,
    /// What is added to the index of the loop, to be the coordinate that words are counted by.
    base: Expr,
}

impl Plan {
    /// Whether there is nothing to do whatever is read.
    fn is_idle(&self, kernel: &mut Kernel) -> bool {
        let mut any = || Expr::Var(kernel.var("any", VarKind::Local, word_type()));
        let one = |missing: bool, any: &mut dyn FnMut() -> Expr| {
            let (value, present) = (any(), any());
            Word { value, present: missing.then_some(present) }
        };
        let operands: Vec<Word> =
            self.read.operands.iter().map(|o| one(o.missing, &mut any)).collect();
        let same: Vec<Expr> = self.read.same.iter().map(|_| any()).collect();
        let each: Vec<Expr> = self.read.each.iter().map(|_| any()).collect();
        let of = Words { operands: &operands, same: &same, each: &each };
        self.done(self.bits.word(&of)) == Expr::int(0)
    }

    /// The bits at which something is to be done.
    fn done(&self, word: Word) -> Expr {
        match &self.goal {
            Goal::OnceNot { .. } => word.fails(),
            _ => word.holds(),
        }
    }
}

impl Lower<'_> {
    /// The loop over `r` by the word, if it can be.
    pub(super) fn by_words(&mut self, r: &Region, body: &Stmt) -> Option<Vec<Kir>> {
        let Some(plan) = self.plan(r.index, body) else { return self.cut_by_words(r, body) };
        if plan.is_idle(self.kernel) {
            return Some(Vec::new());
        }
        self.note_words(r, &plan);
        self.loops += 1;
        let code = self.exiting(body, |l| l.guard(r, |l| l.word_loops(r, &plan)));
        self.loops -= 1;
        Some(code)
    }

    /// The loop over `r` by the word in each part that comparisons of its index cut it in, if all of it can be.
    fn cut_by_words(&mut self, r: &Region, body: &Stmt) -> Option<Vec<Kir>> {
        if !self.goes_by_words(r, body) {
            return None;
        }
        let mask = self.mask(r, body)?;
        let parts = |l: &mut Self| {
            l.parted(r, mask, body, |l, part, body| {
                let body = l.simplify(&body);
                if body == Stmt::Pass {
                    return Vec::new();
                }
                l.by_words(&part, &body).unwrap_or_else(|| l.looped(part, &body))
            })
        };
        Some(self.exiting(body, parts))
    }

    /// Whether `body` goes by the word once comparisons of the index are behind.
    fn goes_by_words(&mut self, r: &Region, body: &Stmt) -> bool {
        if *body == Stmt::Pass || self.plan(r.index, body).is_some() {
            return true;
        }
        let Some(mask) = self.mask(r, body) else { return false };
        mask.cases(body).iter().all(|case| {
            let case = self.simplify(case);
            self.goes_by_words(r, &case)
        })
    }

    fn plan(&mut self, index: VarId, body: &Stmt) -> Option<Plan> {
        let (mut conditions, mut inner) = (Vec::new(), body.clone());
        let assignment = loop {
            inner = match inner {
                Stmt::Sieve { cond, then, otherwise } if *otherwise == Stmt::Pass => {
                    conditions.push(cond);
                    *then
                }
                // What a name stands for is a condition as any other.
                Stmt::Let { var, value, body }
                    if self.bits(&value, index, &mut Read::default()).is_some()
                        || self.is_of_dense(&value, index) =>
                {
                    body.map(&mut |e| (*e == Expr::Var(var)).then(|| value.clone()))
                }
                Stmt::Assign { .. } => break inner,
                _ => return None,
            };
        };
        let Stmt::Assign { target, op, value } = &assignment else { return None };
        let mut read = Read::default();
        let mut all = Vec::new();
        for cond in &conditions {
            all.push(self.bits(cond, index, &mut read)?);
        }
        let conditional = !all.is_empty();
        let value_bits = self.value_bits(target, value, index, &mut read)?;
        let (goal, base) = self.goal(target, op, &value_bits, conditional, index)?;
        let bits = match (&goal, value_bits) {
            // The condition says where, the value is one.
            (Goal::Once { op: None, .. }, _) => Bits::And(all),
            (Goal::OnceNot { .. }, value) if !conditional => value,
            // Where the conditions hold and the value does not, it fails.
            (Goal::OnceNot { .. }, value) => {
                Bits::Or(vec![Bits::Not(Box::new(Bits::And(all))), value])
            }
            (_, value) => {
                all.push(value);
                Bits::And(all)
            }
        };
        // A list that is walked alone is walked: it may leave out stretches in which nothing is stored.
        let sparse = |n: usize| {
            let (tensor, level) = read.operands[n].of;
            let words = self.kernel.tensor(tensor).levels[level].format.level().words.as_ref();
            words.is_some_and(|w| w.sparse) && bits.needs(n)
        };
        let alone = read.operands.len() == 1 && sparse(0);
        // What is asked where an operand has a bit is asked there alone.
        let by_entries = (0..read.operands.len()).any(|n| bits.needs(n));
        let everywhere = !conditional && read.operands.is_empty();
        let asked = |(n, each): (usize, &Each)| {
            !by_entries && (!each.fails || everywhere && bits.always_asks(n))
        };
        if !read.each.iter().enumerate().all(asked) {
            return None;
        }
        // What is stored everywhere is stored by the word, too; what is counted so is a product.
        let first = read.operands.first().map(|o| o.shift.clone());
        let base = base.or(first).filter(|_| !alone)?;
        self.reads_apart(&assignment, &read).then_some(Plan { goal, bits, read, base })
    }

    /// The value of an assignment to `target`: a condition, or a number that is 1 where one holds, and else 0.
    fn value_bits(
        &mut self,
        target: &Expr,
        value: &Expr,
        index: VarId,
        read: &mut Read,
    ) -> Option<Bits> {
        let counts = self.kernel.type_of(target) != Some(Ty::Bool);
        match value {
            Expr::Call(Op::Cast(_) | Op::Fit(_) | Op::As(_), args) if counts => {
                self.value_bits(target, &args[0], index, read)
            }
            Expr::Call(Op::Mul, args) if counts => {
                let all = args.iter().map(|a| self.value_bits(target, a, index, read));
                Some(Bits::And(all.collect::<Option<Vec<Bits>>>()?))
            }
            _ => self.bits(value, index, read),
        }
    }

    /// What an assignment of a condition comes to, and how its coordinates are moved, if it has any.
    fn goal(
        &mut self,
        target: &Expr,
        op: &Option<Op>,
        value: &Bits,
        conditional: bool,
        index: VarId,
    ) -> Option<(Goal, Option<Expr>)> {
        if let Expr::Access(id) = target {
            let access = self.kernel.get(*id).clone();
            let plain = matches!(op, None | Some(Op::Or | Op::BitOr));
            let base = self.written_by_word(&access, index).filter(|_| plain)?;
            let (of, at) = ((access.tensor, access.level), access.pos);
            let alone = !conditional && self.kernel.tensor(access.tensor).written_once;
            return Some((Goal::Stored { of, at, alone }, Some(base)));
        }
        let place = matches!(target, Expr::Var(_) | Expr::Load(..));
        if !place || self.kernel.depends(target).contains(&index) {
            return None;
        }
        let (target, ty) = (target.clone(), self.kernel.type_of(target)?);
        let goal = match (op, value) {
            (None, Bits::Literal(b)) if conditional && ty == Ty::Bool => {
                Goal::Once { target, op: None, value: Expr::bool(*b) }
            }
            (Some(Op::Or | Op::BitOr), _) if ty == Ty::Bool => {
                Goal::Once { target, op: op.clone(), value: Expr::bool(true) }
            }
            (Some(Op::And | Op::BitAnd), _) if ty == Ty::Bool => {
                Goal::OnceNot { target, op: op.clone(), value: Expr::bool(false) }
            }
            (Some(Op::Add), _) if super::is_integer(&ty) => Goal::Counted { target },
            _ => return None,
        };
        Some((goal, None))
    }

    /// What is added to `index` in an access that a loop over `index` can write by the word.
    fn written_by_word(&mut self, access: &Access, index: VarId) -> Option<Expr> {
        let tensor = self.kernel.tensor(access.tensor);
        let level = tensor.levels[access.level].format.level();
        let write = level.write.as_ref()?;
        let [first] = &access.indices[..] else { return None };
        let base = self.plain_along(first, index)?;
        let fiber = access.write && access.unfurled.is_none() && access.present.is_none();
        let inside = first.view.clips.is_empty() && !first.view.checked;
        let words = level.words.is_some() && write.words.is_some() && write.order == Order::Locate;
        // Code that refuses entries is asked for each of them.
        let refuses = self.refusals.get(&access.tensor);
        let refused = refuses.is_some_and(|all| all.iter().any(|code| !code.is_empty()));
        if !fiber || !inside || !words || refused || !self.means_stored(access.tensor, access.level)
        {
            return None;
        }
        let leaf = self.kernel.tensor(access.tensor).levels.last()?.format.level();
        leaf.write.as_ref()?.place.is_none().then_some(base)
    }

    /// Whether nothing that is read is what `s`, the assignment for each of them, writes.
    fn reads_apart(&self, s: &Stmt, read: &Read) -> bool {
        let writes = self.kernel.effects_of(s).writes;
        let asked = read.same.iter().chain(read.each.iter().map(|e| &e.condition));
        read.operands.iter().all(|o| !writes.tensors.contains(&o.of.0))
            && !asked.into_iter().any(|e| self.kernel.effects(e).reads.meet(&writes))
    }

    fn note_words(&mut self, r: &Region, plan: &Plan) {
        let name = |of: &(TensorId, usize)| self.kernel.tensor(of.0).name.to_string();
        let mut names: Vec<String> = plan.read.operands.iter().map(|o| name(&o.of)).collect();
        names.extend(plan.read.each.iter().map(|e| self.kernel.text(&e.condition)));
        let line = format!(
            "{:indent$}Words: {} in {}..{}: {}",
            "",
            self.kernel.info(r.index).name,
            self.kernel.text(&r.lo),
            self.kernel.text(&r.hi),
            names.join(", "),
            indent = 2 * self.depth
        );
        self.log.push(line);
    }
}

fn word_type() -> Ty {
    Ty::Named("u64".into())
}
