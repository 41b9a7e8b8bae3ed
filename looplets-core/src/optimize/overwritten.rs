//! Writes dense tensors once whose elements loops overwrite before any is read, instead of filling them first, which takes
//! as long as writing them does: elements of memory that is used again stay as they are, and those of new tensors are put
//! where there is room for them (`written_once.rs`).

use super::{first_reduction, written_once};
use crate::cin::*;
use crate::kernel::{Binding, Check, Kernel};
use crate::kir::{Kir, Piece};
use crate::runtime::Runtime;
use std::collections::BTreeMap;

/// Cuts the arrays of such results to their new length only, where memory is used again, and fills no new ones.
pub(super) fn overwritten(kernel: &mut Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    for id in kernel.reused.clone() {
        let Some((at, array)) = covered(kernel, &code, id) else { continue };
        let tensor = kernel.tensor(id).clone();
        let sizes = tensor.lens.iter().map(|len| Expr::Var(*len));
        let args = [Expr::Array(array)].into_iter().chain(sizes).collect();
        let cut = kernel.statement(Runtime::Truncate, args);
        code.insert(at, cut);
        kernel.kept.insert(array);
    }
    written_once::written_once(kernel, code)
}

/// The array of the tensor `id`, if it is dense, and the first statement of `code` that has to do with it, from which on all elements
/// are written before any is read.
pub(super) fn covered(kernel: &Kernel, code: &[Kir], id: TensorId) -> Option<(usize, ArrayId)> {
    let tensor = kernel.tensor(id);
    let (leaf, levels) = tensor.levels.split_last()?;
    let place = leaf.format.level().write.as_ref().is_some_and(|w| w.place.is_some());
    let [(_, Binding::Array(array))] = leaf.fields[..] else { return None };
    if !place || levels.is_empty() || !levels.iter().all(first_reduction::dense) {
        return None;
    }
    let at = code.iter().position(|k| kernel.touches(k, array))?;
    let cover = Cover { kernel, same: equal_sizes(kernel), lens: tensor.lens.clone() };
    (cover.block(&code[at..], &Place::whole(array)) == Some(true)).then_some((at, array))
}

/// The sizes that are one, as far as the program's declarations and checks say.
fn equal_sizes(kernel: &Kernel) -> Vec<(Expr, Expr)> {
    let declared = kernel.tensors.iter().flat_map(|t| {
        t.lens.iter().zip(&t.sizes).map(|(len, size)| (Expr::Var(*len), size.clone()))
    });
    let checked = kernel.checks.iter().filter_map(|check| match check {
        Check::Equal { sizes: [a, b], .. } => Some((a.clone(), b.clone())),
        Check::Within { .. } | Check::Reach { .. } | Check::Holds { .. } => None,
    });
    let simple = |e: &Expr| matches!(e, Expr::Var(_) | Expr::Lit(Lit::Int(_)));
    declared.chain(checked).filter(|(a, b)| simple(a) && simple(b)).collect()
}

/// Where the elements are: in the array of the result, or in the part of it that a chunk has.
#[derive(Clone)]
struct Place {
    array: ArrayId,
    /// Where the chunk begins and ends.
    chunk: Option<(VarId, VarId)>,
    /// The loops around what is looked at: index, first, one past the last.
    loops: Vec<(VarId, Expr, Expr)>,
    /// What locals are.
    lets: BTreeMap<VarId, Expr>,
}

impl Place {
    fn whole(array: ArrayId) -> Self {
        Place { array, chunk: None, loops: Vec::new(), lets: BTreeMap::new() }
    }
}

/// A sum of products of variables, each with its factor.
type Sum = BTreeMap<Vec<VarId>, i128>;

struct Cover<'a> {
    kernel: &'a Kernel,
    same: Vec<(Expr, Expr)>,
    /// The sizes of the result.
    lens: Vec<VarId>,
}

impl Cover<'_> {
    /// Whether `code`, from its first statement on, writes each element that the loops around it leave to it
    /// before it reads any: `None` if it has nothing to do with them.
    fn block(&self, code: &[Kir], at: &Place) -> Option<bool> {
        let mut at = at.clone();
        for (n, k) in code.iter().enumerate() {
            if let Kir::Let { var, .. } = k {
                at.lets.remove(var);
            }
            let done = match k {
                // What macros of the user's are made of is not known: they may go on with the next iteration.
                _ if !at.loops.is_empty() && k.exprs().into_iter().any(|e| self.expands(e)) => {
                    Some(false)
                }
                Kir::Let { var, mutable: false, value }
                    if !self.kernel.mentions(value, at.array) =>
                {
                    at.lets.insert(*var, value.clone());
                    None
                }
                // Before the loops it is made, and borrowed.
                Kir::Code(_) if at.loops.is_empty() && at.chunk.is_none() => None,
                Kir::Block(body) => self.block(body, &at),
                Kir::For { var, lo, hi, body }
                    if ![lo, hi].iter().any(|e| self.kernel.mentions(e, at.array)) =>
                {
                    let mut inner = at.clone();
                    inner.lets.remove(var);
                    inner.loops.push((*var, lo.clone(), hi.clone()));
                    self.block(body, &inner)
                }
                Kir::If { cond, then, otherwise } if otherwise.is_empty() && self.vacuous(cond) => {
                    self.block(then, &at)
                }
                Kir::If { cond, then, otherwise }
                    if !otherwise.is_empty() && !self.kernel.mentions(cond, at.array) =>
                {
                    // One of the two runs.
                    match (self.block(then, &at), self.block(otherwise, &at)) {
                        (None, None) => None,
                        (then, otherwise) => Some(then == Some(true) && otherwise == Some(true)),
                    }
                }
                Kir::Store { target: Expr::Load(a, index), op: None, value } if *a == at.array => {
                    Some(!self.kernel.mentions(value, *a) && self.covers(index, &at))
                }
                Kir::Parallel(p) => {
                    let part = p.pieces.iter().find_map(|piece| match piece {
                        Piece::Part { whole, part } => {
                            let arrays = |id| self.kernel.arrays_of(id).into_iter();
                            let mut both = arrays(*whole).zip(arrays(*part));
                            both.find(|(a, _)| *a == at.array).map(|(_, part)| part)
                        }
                        _ => None,
                    });
                    let all = p.lo == Expr::int(0) && self.one(&p.hi, &self.size(0));
                    match part {
                        Some(array) => {
                            let inner = Place { array, chunk: Some((p.from, p.to)), ..at.clone() };
                            let body = self.block(&p.body, &inner);
                            Some(all && at.loops.is_empty() && body == Some(true))
                        }
                        None => self.kernel.touches(k, at.array).then_some(false),
                    }
                }
                // Labelled code among them, which may be left early.
                other => self.kernel.touches(other, at.array).then_some(false),
            };
            if let Some(done) = done {
                // What an iteration does behind, it does before the next writes its own.
                let touched = |k: &Kir| self.kernel.touches(k, at.array);
                return Some(done && (at.loops.is_empty() || !code[n + 1..].iter().any(touched)));
            }
        }
        None
    }

    /// Whether there is a macro in the opaque Rust of `e`.
    fn expands(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| {
            if let Expr::Raw(r) = e {
                let raw = &self.kernel.raws[r.0 as usize];
                found |= raw.code.calls_macros();
                found |= raw.names.iter().any(|(_, e)| self.expands(e));
            }
        });
        found
    }

    /// Whether where `cond` does not hold there is nothing to write: one of the sizes is 0.
    fn vacuous(&self, cond: &Expr) -> bool {
        let Expr::Call(op, args) = cond else { return false };
        let (Op::Lt, [Expr::Lit(Lit::Int(0)), hi]) = (op, &args[..]) else { return false };
        match hi {
            Expr::Lit(Lit::Int(n)) => *n > 0,
            hi => (0..self.lens.len()).any(|k| self.one(hi, &self.size(k))),
        }
    }

    /// Whether the loops go through all elements by `index`: one loop for each dimension, and no other.
    fn covers(&self, index: &Expr, at: &Place) -> bool {
        let rank = self.lens.len();
        let Some(mut index) = self.sum(index, &at.lets) else { return false };
        if at.loops.len() != rank {
            return false;
        }
        let mut open: Vec<_> = at.loops.iter().collect();
        for k in 0..rank {
            // How far apart the elements of neighbours in this dimension are.
            let rest = (k + 1..rank).map(|m| self.size(m)).collect::<Vec<_>>();
            let stride = rest.into_iter().reduce(|a, b| Expr::call(Op::Mul, [a, b]));
            let stride = stride.unwrap_or(Expr::int(1));
            let whole = |(_, lo, hi): &&(VarId, Expr, Expr)| match at.chunk.filter(|_| k == 0) {
                Some((from, to)) => *lo == Expr::Var(from) && *hi == Expr::Var(to),
                None => *lo == Expr::int(0) && self.one(hi, &self.size(k)),
            };
            let found = open.iter().enumerate().find_map(|(n, l)| {
                let first = at.chunk.filter(|_| k == 0).map(|(from, _)| from);
                let i = match first {
                    None => Expr::Var(l.0),
                    Some(from) => Expr::call(Op::Sub, [Expr::Var(l.0), Expr::Var(from)]),
                };
                let term = self.sum(&Expr::call(Op::Mul, [i, stride.clone()]), &at.lets)?;
                let there = term.iter().all(|(m, by)| index.get(m) == Some(by));
                (whole(l) && there).then_some((n, term))
            });
            let Some((n, term)) = found else { return false };
            open.remove(n);
            term.keys().for_each(|m| _ = index.remove(m));
        }
        index.is_empty()
    }

    fn size(&self, dim: usize) -> Expr {
        Expr::Var(self.lens[dim])
    }

    /// Whether two sizes are known to be one.
    fn one(&self, a: &Expr, b: &Expr) -> bool {
        self.named(a) == self.named(b)
    }

    /// One name for all that is known to be the same as `e`: a number, if there is one.
    fn named(&self, e: &Expr) -> Expr {
        let mut all = vec![e.clone()];
        let mut next = 0;
        while let Some(e) = all.get(next).cloned() {
            for (a, b) in &self.same {
                let other = [(a, b), (b, a)].into_iter().find(|(x, _)| **x == e).map(|(_, y)| y);
                all.extend(other.filter(|y| !all.contains(y)).cloned());
            }
            next += 1;
        }
        let number = all.iter().find(|e| matches!(e, Expr::Lit(_))).cloned();
        let least = all.iter().filter_map(|e| match e {
            Expr::Var(v) => Some(*v),
            _ => None,
        });
        number.or(least.min().map(Expr::Var)).unwrap_or_else(|| e.clone())
    }

    /// `e` as a sum of products; `None` if it is none.
    fn sum(&self, e: &Expr, lets: &BTreeMap<VarId, Expr>) -> Option<Sum> {
        Some(match e {
            Expr::Lit(Lit::Int(0)) => Sum::new(),
            Expr::Lit(Lit::Int(n)) => Sum::from([(Vec::new(), *n)]),
            Expr::Var(v) => match (lets.get(v), self.named(e)) {
                (Some(value), _) if self.sum(value, lets).is_some() => self.sum(value, lets)?,
                (_, Expr::Var(v)) => Sum::from([(vec![v], 1)]),
                (_, number) => self.sum(&number, lets)?,
            },
            Expr::Call(op, args) => {
                let (first, rest) = args.split_first()?;
                let mut out = self.sum(first, lets)?;
                for arg in rest {
                    let arg = self.sum(arg, lets)?;
                    out = match op {
                        Op::Add => plus(out, &arg, 1),
                        Op::Sub if args.len() == 2 => plus(out, &arg, -1),
                        Op::Mul | Op::WrappingMul => times(&out, &arg)?,
                        _ => return None,
                    };
                }
                out
            }
            _ => return None,
        })
    }
}

/// `a + by * b`
fn plus(mut a: Sum, b: &Sum, by: i128) -> Sum {
    for (m, n) in b {
        *a.entry(m.clone()).or_insert(0) += by * n;
    }
    a.retain(|_, n| *n != 0);
    a
}

/// `a * b`, if the numbers in it are no larger than numbers can be.
fn times(a: &Sum, b: &Sum) -> Option<Sum> {
    let mut out = Sum::new();
    for (m, x) in a {
        for (n, y) in b {
            let mut product = [&m[..], &n[..]].concat();
            product.sort();
            out = plus(out, &Sum::from([(product, x.checked_mul(*y)?)]), 1);
        }
    }
    Some(out)
}
