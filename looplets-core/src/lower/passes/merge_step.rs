//! A step of two steppers whose nearest end is the end of one: three ways to go on, by which of them ends first.

use super::stepper::Step;
use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Stepper};
use std::rc::Rc;

impl Lower<'_> {
    /// One step of two: the first ends before, the second ends before, or both end together.
    ///
    /// A branch on the order is predicted well where one side is denser, which is the common case;
    /// where only common ends matter the denser side leaves several children behind at once.
    pub(super) fn merge_step(
        &mut self,
        mut code: Vec<Kir>,
        body: &Stmt,
        index: VarId,
        [a, b]: [&(AccessId, Rc<Stepper>); 2],
        [sa, sb]: [&Expr; 2],
        at: Expr,
    ) -> Step {
        let Expr::Var(state) = at else { unreachable!("a walk keeps its place in a variable") };
        let mut child = self.with_nest(body, a.0, a.1.body.clone(), Some(sa));
        child = self.with_nest(&child, b.0, b.1.body.clone(), Some(sb));
        let way = |l: &mut Self, cond: &Expr, end: &Expr| {
            l.under(cond, |l| {
                l.assume(&Expr::call(Op::Lt, [at.clone(), end.clone()]));
                let r = Region { index, lo: at.clone(), hi: end.clone() };
                l.region(r, child.clone())
            })
        };
        let before = Expr::call(Op::Lt, [sa.clone(), sb.clone()]);
        let after = Expr::call(Op::Lt, [sb.clone(), sa.clone()]);
        let same = Expr::call(Op::Eq, [sa.clone(), sb.clone()]);
        let idle = |code: &[Kir]| code.iter().all(Kir::is_idle);
        let move_to = |part: &mut Vec<Kir>, moved: &[&Rc<Stepper>], end: &Expr| {
            part.extend(moved.iter().flat_map(|s| s.next.clone()));
            part.push(Kir::Set { var: state, value: end.clone() });
        };
        let mut first = way(self, &before, sa);
        let run = matches!(a.1.body, Looplet::Run(_)) && self.unfurled(a.0).trusted;
        if run && idle(&first) {
            // Where the run ends matters only when the other's child is looked at: that both end
            // together need not be told from the other ending first; the run is left a step later.
            let led = Expr::call(Op::Le, [sb.clone(), sa.clone()]);
            let mut rest = way(self, &led, sb);
            if !idle(&rest) {
                move_to(&mut first, &[&a.1], sa);
                move_to(&mut rest, &[&b.1], sb);
                code.push(Kir::If { cond: before, then: first, otherwise: rest });
                return Step { code, idle: false, end: None, meets: false, lags: Some(a.1.id) };
            }
        }
        let mut second = way(self, &after, sb);
        let mut both = way(self, &same, sa);
        if idle(&first) && idle(&second) && idle(&both) {
            return Step { code, idle: true, end: None, meets: true, lags: None };
        }
        let only_meetings = idle(&first)
            && idle(&second)
            && !self.kernel.effects_of_code(&both).reads.vars.contains(&state);
        move_to(&mut both, &[&a.1, &b.1], sa);
        move_to(&mut first, &[&a.1], sa);
        move_to(&mut second, &[&b.1], sb);
        if only_meetings {
            first = self.skip(a, sa, sb, state, first);
            second = self.skip(b, sb, sa, state, second);
        }
        let choose = |cond, then, otherwise| Kir::If { cond, then, otherwise };
        code.push(match only_meetings {
            true => choose(before, first, vec![choose(after, second, both)]),
            // Where each way does something, the first is that of rows which are alike.
            false => choose(same, both, vec![choose(before, first, second)]),
        });
        Step { code, idle: false, end: None, meets: only_meetings, lags: None }
    }

    /// Where nothing happens unless both children end together, code that leaves several children of
    /// `s` behind at once if they all end before the other's, else `one`. `own` and `other` are the
    /// ends of the current children. Four are left by adding to the position; where eight would be,
    /// a jumper asks its format for the child it needs, and so does a stepper whose format can tell at
    /// once.
    fn skip(
        &mut self,
        (id, s): &(AccessId, Rc<Stepper>),
        own: &Expr,
        other: &Expr,
        state: VarId,
        one: Vec<Kir>,
    ) -> Vec<Kir> {
        let u = self.unfurled(*id);
        if s.range.is_none() {
            let asks = s.jumps || matches!(u.nest, Looplet::Jumper(_));
            if !asks || s.seek.is_none() {
                return one;
            }
            // Its format goes to the child it needs.
            let wanted = other.plus(-1);
            self.at.remove(&s.id);
            let mut then = self.seek(s, &wanted);
            then.push(Kir::Set { var: state, value: wanted });
            return then;
        }
        let Some((q, _, hi)) = s.range.as_ref().filter(|_| u.trusted) else { return one };
        let behind = |l: &mut Self, count: i128| {
            let ahead = Expr::Var(*q).plus(count);
            let its_stop = s.stop.map(&mut |e| l.substituted(e, *q, &ahead));
            let inside = Expr::call(Op::Lt, [ahead.clone(), hi.clone()]);
            let before = Expr::call(Op::Lt, [its_stop, other.clone()]);
            (Expr::call(Op::And, [inside, before]), Kir::Set { var: *q, value: ahead })
        };
        let (four, by_four) = behind(self, 4);
        let then = vec![by_four, Kir::Set { var: state, value: own.clone() }];
        let some = vec![Kir::If { cond: four, then, otherwise: one }];
        if !matches!(u.nest, Looplet::Jumper(_)) {
            return some;
        }
        let (eight, by_eight) = behind(self, 8);
        let wanted = other.plus(-1);
        self.at.remove(&s.id);
        let mut then = vec![by_eight];
        then.extend(self.seek(s, &wanted));
        // All up to the wanted coordinate is behind; past the last child it ends the loop.
        then.push(Kir::Set { var: state, value: wanted });
        vec![Kir::If { cond: eight, then, otherwise: some }]
    }
}
