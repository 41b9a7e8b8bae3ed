//! The loops over words: what is computed in front of them, and one step.

use super::bits::{broadcast, Word, Words};
use super::{word_type, Goal, Plan};
use crate::cin::*;
use crate::index::{difference, sum};
use crate::kernel::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region, Written};
use crate::prove::Affine;
use crate::runtime::Runtime;
use crate::unfurl;

/// Where the words of a fiber are.
pub(super) struct Place {
    pub(super) array: ArrayId,
    /// The position of a word, whose number is the variable.
    pub(super) position: Expr,
    pub(super) number: VarId,
}

/// An operand as the loops have it.
struct Source {
    place: Place,
    /// The word of the fiber that word 0 of the loop begins in, and the bit of it.
    word: Expr,
    bit: Expr,
    /// How many words the fiber has, and whether the loop ends with the last of them.
    count: Expr,
    ends_alike: bool,
    /// The parts that it is read in, as coordinates of the loop.
    parts: Vec<(Expr, Expr)>,
}

/// The steps of a loop.
#[derive(Clone, Copy, PartialEq)]
enum Steps {
    /// Some words are not there, or lie partly outside.
    Edge,
    Middle,
}

impl Lower<'_> {
    /// The loops over the words of `r`, which has coordinates.
    pub(super) fn word_loops(&mut self, r: &Region, plan: &Plan) -> Vec<Kir> {
        let mut code = Vec::new();
        let name = self.kernel.info(r.index).name.clone();
        let lo = self.local(&format!("{name}_lo"), sum(&r.lo, &plan.base), &mut code);
        let hi = self.local(&format!("{name}_hi"), sum(&r.hi, &plan.base), &mut code);
        let first = self.local(&format!("{name}_first"), word_of(&lo), &mut code);
        let behind = word_of(&hi.plus(63));
        let last = self.local(&format!("{name}_last"), behind.clone(), &mut code);
        let same: Vec<Expr> =
            plan.read.same.iter().map(|e| self.everywhere(e, &mut code)).collect();
        let sources = self.sources(plan, &behind, &mut code);
        let written = match &plan.goal {
            Goal::Stored { of, at, .. } => Some(self.place(*of, at, &mut code)),
            _ => None,
        };
        let mut from = vec![word_of(&lo.plus(63))];
        let mut to = vec![word_of(&hi)];
        for s in &sources {
            from.push(difference(&Expr::int(0), &s.word));
            // The next word is read as well where bits are moved.
            let words = if s.bit == Expr::int(0) { s.count.clone() } else { s.count.plus(-1) };
            to.push(difference(&words, &s.word));
            for (lo, hi) in &s.parts {
                from.push(word_of(&lo.plus(63)));
                to.push(word_of(hi));
            }
        }
        let (from, to) = (extreme(Op::Max, from), extreme(Op::Min, to));
        // At most one word, of which the number is known, stands in front of the middle: then there is a condition and no loop, so that LLVM
        // computes once what lies outside of it. `#![steps(n)]` counts loops, and keeps this one.
        let one = from == first.plus(1) && matches!(first, Expr::Lit(_));
        let known = one && self.kernel.steps.is_none();
        let from = if from == first {
            from
        } else {
            let from = extreme(Op::Min, vec![from, last.clone()]);
            let from = extreme(Op::Max, vec![from, first.clone()]);
            self.local(&format!("{name}_from"), from, &mut code)
        };
        let to = extreme(Op::Max, vec![extreme(Op::Min, vec![to, last.clone()]), from.clone()]);
        let to = self.local(&format!("{name}_to"), to, &mut code);
        let parts = [
            (first.clone(), from.clone(), Steps::Edge),
            (from, to.clone(), Steps::Middle),
            (to, last, Steps::Edge),
        ];
        for (a, b, steps) in parts {
            if a == b {
                continue;
            }
            let word = self.kernel.var(&format!("{name}_word"), VarKind::Index, Ty::Index);
            let step = Step {
                plan,
                region: r,
                sources: &sources,
                same: &same,
                word,
                steps,
                first: &first,
                within: [&lo, &hi],
                written: written.as_ref(),
            };
            let mut body = self.scoped(|l| l.word_step(&step));
            if known && a == first {
                body.insert(0, Kir::Let { var: word, mutable: false, value: a.clone() });
                let cond = Expr::call(Op::Lt, [a, b]);
                code.push(Kir::If { cond, then: body, otherwise: Vec::new() });
                continue;
            }
            code.push(Kir::For { var: word, lo: a, hi: b, body });
        }
        vec![Kir::Block(code)]
    }

    /// A condition that does not change, as a word.
    fn everywhere(&mut self, e: &Expr, code: &mut Vec<Kir>) -> Expr {
        let value = broadcast(e.clone());
        let var = self.kernel.var("everywhere", VarKind::Local, word_type());
        code.push(Kir::Let { var, mutable: false, value });
        Expr::Var(var)
    }

    /// Where the operands are read, in terms of words of the loop, of which the last is in front of `behind`.
    fn sources(&mut self, plan: &Plan, behind: &Expr, code: &mut Vec<Kir>) -> Vec<Source> {
        let (mut out, mut counts) = (Vec::new(), Vec::<(Expr, Expr)>::new());
        for operand in &plan.read.operands {
            let name = self.kernel.tensor(operand.of.0).name.to_string();
            let moved = difference(&operand.shift, &plan.base);
            let moved = self.local(&format!("{name}_moved"), moved, code);
            let (word, bit) = match &moved {
                Expr::Lit(Lit::Int(n)) => {
                    (Expr::int(n.div_euclid(64)), Expr::int(n.rem_euclid(64)))
                }
                moved => {
                    let bit = Expr::call(Op::BitAnd, [moved.clone(), Expr::int(63)]);
                    let word = self.local(&format!("{name}_word"), word_of(moved), code);
                    (word, self.local(&format!("{name}_bit"), bit, code))
                }
            };
            let len = self.len_of(operand);
            let count = counts.iter().find(|(of, _)| *of == len).map(|(_, count)| count.clone());
            let own = word_of(&len.plus(63));
            let ends_alike = own == *behind;
            let count = count.unwrap_or_else(|| self.local(&format!("{name}_words"), own, code));
            counts.push((len, count.clone()));
            let place = self.place(operand.of, &operand.at, code);
            let parts = operand.parts.iter().map(|(lo, hi)| {
                [lo, hi].map(|end| {
                    let end = difference(end, &moved);
                    self.local(&format!("{name}_end"), end, code)
                })
            });
            let parts = parts.map(|[lo, hi]| (lo, hi)).collect();
            out.push(Source { place, word, bit, count, ends_alike, parts });
        }
        out
    }

    /// Where the words of the fiber at `at` are; what does not change from word to word is computed once.
    pub(super) fn place(&mut self, of: (TensorId, usize), at: &Expr, code: &mut Vec<Kir>) -> Place {
        let name = self.kernel.tensor(of.0).name.to_string();
        let number = self.kernel.var(&format!("{name}_number"), VarKind::Local, Ty::Index);
        let (array, position) =
            unfurl::word(self.kernel, of, at, &Expr::Var(number)).expect("its level has words");
        let start = difference(&position, &Expr::Var(number));
        let trusted = self.kernel.arrays[array.0 as usize].trusted;
        if !trusted || self.kernel.depends(&start).contains(&number) {
            return Place { array, position, number };
        }
        let start = wrapping(&start);
        let start = self.local(&format!("{name}_start"), start, code);
        Place { array, position: sum(&start, &Expr::Var(number)), number }
    }
}

/// `e`, a position of an array that is trusted, of which only the value modulo 2^64 matters.
fn wrapping(e: &Expr) -> Expr {
    match e {
        Expr::Call(op @ (Op::Add | Op::Sub | Op::Mul), args) => {
            let args: Vec<Expr> = args.iter().map(wrapping).collect();
            Expr::Call(if *op == Op::Mul { Op::WrappingMul } else { op.clone() }, args)
        }
        other => other.clone(),
    }
}

/// One step of a loop.
struct Step<'a> {
    plan: &'a Plan,
    region: &'a Region,
    sources: &'a [Source],
    same: &'a [Expr],
    word: VarId,
    steps: Steps,
    /// The first word of the loop.
    first: &'a Expr,
    /// The first coordinate of the loop, and one past the last.
    within: [&'a Expr; 2],
    /// Where what is stored goes.
    written: Option<&'a Place>,
}

impl Step<'_> {
    /// What has to be asked to know that the fiber has the word `number`: not what holds at all words of the loop.
    fn asked_of(&self, source: &Source, number: &Expr) -> Vec<Expr> {
        let ahead = Affine::of(&difference(number, &Expr::Var(self.word))).as_constant();
        let begins_inside = matches!(self.first, Expr::Lit(Lit::Int(n)) if *n >= 0);
        let mut there = Vec::new();
        if !(begins_inside && ahead.is_some_and(|n| n >= 0)) {
            there.push(Expr::call(Op::Le, [Expr::int(0), number.clone()]));
        }
        if !(source.ends_alike && ahead.is_some_and(|n| n <= 0)) {
            there.push(Expr::call(Op::Lt, [number.clone(), source.count.clone()]));
        }
        there
    }
}

impl Lower<'_> {
    fn word_step(&mut self, step: &Step<'_>) -> Vec<Kir> {
        let mut code = Vec::new();
        let mut known: Vec<((TensorId, usize), Expr, Expr, Expr)> = Vec::new();
        let mut operands = Vec::new();
        for (operand, source) in step.plan.read.operands.iter().zip(step.sources) {
            let mut word = |l: &mut Self, next: i128, code: &mut Vec<Kir>| {
                let number = sum(&Expr::Var(step.word), &source.word).plus(next);
                let same = known
                    .iter()
                    .find(|(of, at, n, _)| *of == operand.of && *at == operand.at && *n == number);
                if let Some((.., value)) = same {
                    return value.clone();
                }
                let value = l.read_word(step, operand.of, source, &number, code);
                known.push((operand.of, operand.at.clone(), number, value.clone()));
                value
            };
            let mut value = word(self, 0, &mut code);
            if source.bit != Expr::int(0) {
                let next = word(self, 1, &mut code);
                let args = vec![value, next, source.bit.clone()];
                let moved = self.kernel.call(Runtime::Funnel, args, word_type());
                value = self.word_local(&operand.of, moved, &mut code);
            }
            let mut present = None;
            if step.steps == Steps::Edge && !source.parts.is_empty() {
                let inside =
                    source.parts.iter().map(|(lo, hi)| self.bits_within(lo, hi, step.word));
                let inside = inside.reduce(|a, b| Expr::call(Op::BitAnd, [a, b]));
                let inside = inside.expect("there are parts");
                let inside = self.word_local(&operand.of, inside, &mut code);
                match operand.missing {
                    true => present = Some(inside),
                    false => value = Expr::call(Op::BitAnd, [value, inside]),
                }
            }
            operands.push(Word { value, present });
        }
        let each = self.each_asked(step, &mut code);
        let of = Words { operands: &operands, same: step.same, each: &each };
        let word = step.plan.bits.word(&of);
        let bits = step.plan.done(word);
        let bits = match step.steps {
            Steps::Middle => bits,
            Steps::Edge => {
                let inside = self.bits_within(step.within[0], step.within[1], step.word);
                Expr::call(Op::BitAnd, [bits, inside])
            }
        };
        let var = self.kernel.var("bits", VarKind::Local, word_type());
        code.push(Kir::Let { var, mutable: false, value: bits });
        code.extend(self.reach(step, Expr::Var(var)));
        code
    }

    /// The words of what is asked at each coordinate.
    fn each_asked(&mut self, step: &Step<'_>, code: &mut Vec<Kir>) -> Vec<Expr> {
        let all = &step.plan.read.each;
        if all.is_empty() {
            return Vec::new();
        }
        let name = self.kernel.info(step.region.index).name.clone();
        let start = Expr::call(Op::Mul, [Expr::Var(step.word), Expr::int(64)]);
        let start = self.local(&format!("{name}_start"), start, code);
        let first = difference(&start, &step.plan.base);
        let first = self.local(&format!("{name}_at"), first, code);
        let ends = match step.steps {
            Steps::Middle => (Expr::int(0), Expr::int(64)),
            Steps::Edge => {
                let [lo, hi] = step.within.map(|end| difference(end, &start));
                let lo = Expr::call(Op::Max, [Expr::int(0), lo]);
                let hi = Expr::call(Op::Min, [Expr::int(64), hi]);
                let lo = self.local(&format!("{name}_bit_lo"), lo, code);
                (lo, self.local(&format!("{name}_bit_hi"), hi, code))
            }
        };
        let words = all.iter().map(|each| {
            let word = self.asked(step.region, &each.condition, &first, ends.clone(), code);
            let var = self.kernel.var("asked", VarKind::Local, word_type());
            code.push(Kir::Let { var, mutable: false, value: word });
            Expr::Var(var)
        });
        words.collect()
    }

    /// The bits of the loop's word `word` that lie in `lo..hi`.
    fn bits_within(&mut self, lo: &Expr, hi: &Expr, word: VarId) -> Expr {
        let args = [lo, hi, &Expr::Var(word)].map(|e| Expr::call(Op::Index, [e.clone()]));
        self.kernel.call(Runtime::BitsWithin, args.to_vec(), word_type())
    }

    fn word_local(&mut self, of: &(TensorId, usize), value: Expr, code: &mut Vec<Kir>) -> Expr {
        let name = format!("{}_bits", self.kernel.tensor(of.0).name);
        let var = self.kernel.var(&name, VarKind::Local, word_type());
        code.push(Kir::Let { var, mutable: false, value });
        Expr::Var(var)
    }

    /// The word `number` of a fiber that has `count` of them.
    fn read_word(
        &mut self,
        step: &Step<'_>,
        of: (TensorId, usize),
        source: &Source,
        number: &Expr,
        code: &mut Vec<Kir>,
    ) -> Expr {
        let args = source.place.word(self, number);
        let value = self.kernel.call(Runtime::Word, args, word_type());
        let there = match step.steps {
            Steps::Middle => Vec::new(),
            Steps::Edge => step.asked_of(source, number),
        };
        if there.is_empty() {
            return self.word_local(&of, value, code);
        }
        let name = format!("{}_bits", self.kernel.tensor(of.0).name);
        let var = self.kernel.var(&name, VarKind::State, word_type());
        code.push(Kir::Let { var, mutable: true, value: Expr::int(0) });
        let cond = there.into_iter().reduce(|a, b| Expr::call(Op::And, [a, b]));
        let cond = cond.expect("there are conditions");
        code.push(Kir::If { cond, then: vec![Kir::Set { var, value }], otherwise: Vec::new() });
        Expr::Var(var)
    }

    /// Does with `bits`, those of a word, what is to be done with a condition.
    fn reach(&mut self, step: &Step<'_>, bits: Expr) -> Vec<Kir> {
        let some = Expr::call(Op::Ne, [bits.clone(), Expr::int(0)]);
        match &step.plan.goal {
            Goal::Stored { of, at, alone } => {
                let word = Expr::Var(step.word);
                let mut args = step.written.expect("a place to store to").word(self, &word);
                args.push(bits.clone());
                // A word at the end of a fiber may have bits of what another part of the loop stores.
                let whole = *alone && step.steps == Steps::Middle;
                let call = if whole { Runtime::StoreBits } else { Runtime::SetBits };
                let mut code = vec![self.kernel.statement(call, args)];
                let mut behind: Vec<Kir> =
                    unfurl::wrote(self.kernel, *of, at, &word).into_iter().collect();
                let begun = self.begun.get(&of.0).and_then(|all| all.last());
                behind.extend(begun.map(|b| Kir::Set { var: b.flag, value: Expr::bool(true) }));
                if !behind.is_empty() {
                    code.extend(self.branch(some, behind, Vec::new()));
                }
                self.wrote(Written::Tensor(of.0));
                self.wrote_opaquely();
                code
            }
            Goal::Once { target, op, value } | Goal::OnceNot { target, op, value } => {
                let then = self.store(target, op.clone(), value);
                self.branch(some, then, Vec::new())
            }
            Goal::Counted { target } => {
                let count = self.kernel.call(Runtime::CountOnes, vec![bits], Ty::Index);
                let code = self.store(target, Some(Op::Add), &count);
                // What says that something was written is for what was.
                match code.len() {
                    1 => code,
                    _ => self.branch(some, code, Vec::new()),
                }
            }
        }
    }
}

impl Place {
    /// The array, and the position of the word `number` in it.
    fn word(&self, l: &mut Lower<'_>, number: &Expr) -> Vec<Expr> {
        let of = self.number;
        let position = self.position.map(&mut |e| l.substituted(e, of, number));
        vec![Expr::Array(self.array), Expr::call(Op::Index, [position])]
    }
}

/// The number of the word that holds a coordinate.
pub(super) fn word_of(coordinate: &Expr) -> Expr {
    match coordinate {
        Expr::Lit(Lit::Int(n)) => Expr::int(n.div_euclid(64)),
        e => Expr::call(Op::Shr, [e.clone(), Expr::int(6)]),
    }
}

/// The least or the greatest of `all`, of which those that are literal are one.
fn extreme(op: Op, all: Vec<Expr>) -> Expr {
    let mut others: Vec<Expr> = Vec::new();
    let mut literal: Option<i128> = None;
    for e in all {
        match e {
            Expr::Lit(Lit::Int(n)) => {
                let other = literal.unwrap_or(n);
                literal = Some(if op == Op::Max { n.max(other) } else { n.min(other) });
            }
            e if !others.contains(&e) => others.push(e),
            _ => {}
        }
    }
    others.extend(literal.map(Expr::int));
    match others.len() {
        1 => others.remove(0),
        _ => Expr::Call(op, others),
    }
}
