//! Warns of sums that are read in the loop that still adds to them, as if they were whole: `for i { s += x[i]; y[i] = x[i] / s }`
//! divides by what has been summed so far, `for i { m += x[i] / n; v += (x[i] - m) * (x[i] - m) }` takes away a mean that is
//! none yet, and `exp(x[i] - most)` of a greatest that is none yet is no softmax. A sum that belongs to each iteration but is
//! declared outside of the loop is found by it, too.

use super::{all_written, every, reads, written, Names};
use crate::ast::visit::{top_exprs, visit_expr};
use crate::ast::{Block, Expr, OpRef, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use proc_macro2::Ident;
use std::collections::HashMap;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    // The innermost loop that has both says it.
    let mut said: Vec<*const Expr> = Vec::new();
    let mut loops = Vec::new();
    every(&program.body, &mut |stmt| {
        if let Stmt::For { indices, body, .. } = stmt {
            loops.extend(indices.last().map(|i| (i, body)));
        }
    });
    for (index, body) in loops.into_iter().rev() {
        let (carried, inner) = (carried(body, index), inner(body));
        let mut scalars = Scalars { index, carried, inner, so_far: HashMap::new() };
        let mut names = Names::new();
        every(body, &mut |stmt| {
            let target = match stmt {
                Stmt::Assign { target, .. } => Some(target),
                _ => None,
            };
            top_exprs(stmt, &mut |e| {
                if target.is_none_or(|target| !std::ptr::eq(e, target)) {
                    visit_expr(e, &mut |e| {
                        let at = std::ptr::from_ref(e);
                        if !said.contains(&at) {
                            if let Some((sum, warning)) = scalars.misused(e) {
                                said.push(at);
                                found.extend(names.insert(sum.to_string()).then_some(warning));
                            }
                        }
                    });
                }
            });
            scalars.goes_on(stmt);
        });
    }
}

/// The scalars that go on from one iteration to the next of a loop over `body`, each with what is reduced into it; of those
/// that are assigned as well, or reduced in several ways, no parts are kept, since they are no sums.
fn carried<'a>(body: &'a Block, index: &Ident) -> HashMap<String, Vec<(&'a OpRef, &'a Expr)>> {
    let mut own = Names::new();
    let mut carried: HashMap<String, Vec<(&'a OpRef, &'a Expr)>> = HashMap::new();
    let mut assigned = Names::new();
    every(body, &mut |stmt| match stmt {
        Stmt::Assign { target, op, value, .. } => {
            let Some(called) = called(target).filter(|_| !moves(target, index)) else { return };
            let parts = carried.entry(called.clone()).or_default();
            match op {
                Some(op) if parts.first().is_none_or(|(first, _)| first.op == op.op) => {
                    parts.push((op, value));
                }
                _ => _ = assigned.insert(called),
            }
        }
        Stmt::Workspace { name, .. } | Stmt::Let { name, .. } => _ = own.insert(name.to_string()),
        // What a producer writes may begin with it.
        Stmt::Where { producer, .. } => all_written(producer, &mut own),
        _ => {}
    });
    let root = |called: &str| called.split('[').next().unwrap_or_default().to_owned();
    carried.retain(|called, _| !own.contains(&root(called)));
    for (_, parts) in carried.iter_mut().filter(|(name, _)| assigned.contains(*name)) {
        parts.clear();
    }
    carried
}

/// A scalar, or an element at indices that are plain.
fn called(e: &Expr) -> Option<String> {
    match e {
        Expr::Name(name) => Some(name.to_string()),
        Expr::Access { indices, .. } => {
            let plain = indices.iter().all(|i| matches!(i.expr, Expr::Name(_)));
            plain.then(|| crate::parse::written(e)).flatten()
        }
        _ => None,
    }
}

/// Whether the place `e` is another one for each `index`.
fn moves(e: &Expr, index: &Ident) -> bool {
    let mut moves = false;
    if let Expr::Access { indices, .. } = e {
        indices.iter().for_each(|i| reads(&i.expr, &mut |name| moves |= name == index));
    }
    moves
}

/// What loops within `body` write.
fn inner(body: &Block) -> Names {
    let mut all = Names::new();
    every(body, &mut |stmt| {
        if let Stmt::For { body, .. } = stmt {
            all_written(body, &mut all);
        }
    });
    all
}

/// The scalars of one loop.
struct Scalars<'a> {
    index: &'a Ident,
    /// All that go on, with what is reduced into them.
    carried: HashMap<String, Vec<(&'a OpRef, &'a Expr)>>,
    /// What loops within it reduce into, which may be meant to begin anew with each of its iterations.
    inner: Names,
    /// Those that have been reduced into already, where the statement at hand stands, and by what.
    so_far: HashMap<String, Op>,
}

impl<'a> Scalars<'a> {
    /// Notes what `stmt` reduces into.
    fn goes_on(&mut self, stmt: &Stmt) {
        let Stmt::Assign { target, value, .. } = stmt else { return };
        // What is counted may well be read.
        let counts = matches!(value, Expr::Lit(..));
        let Some(name) = called(target).filter(|_| !counts) else { return };
        if let Some((op, _)) = self.carried.get(&name).and_then(|parts| parts.first()) {
            self.so_far.insert(name, op.op.clone());
        }
    }

    /// The first scalar that `e` reads and that is one of `ops` so far.
    fn first<'e>(&self, e: &'e Expr, ops: &[Op]) -> Option<(&'e Ident, String)> {
        let mut first = None;
        visit_expr(e, &mut |e| {
            let (Some(name), Some(called)) = (written(e), called(e)) else { return };
            if first.is_none() && self.so_far.get(&called).is_some_and(|op| ops.contains(op)) {
                first = Some((name, called));
            }
        });
        first
    }

    /// Whether `e` reads what goes on with the loop.
    fn reads_carried(&self, e: &Expr) -> bool {
        let mut found = false;
        visit_expr(e, &mut |e| {
            found |= called(e).is_some_and(|called| self.carried.contains_key(&called));
        });
        reads(e, &mut |name| found |= self.carried.contains_key(&name.to_string()));
        found
    }

    /// Whether `e` reads a tensor that what is reduced into `scalar` reads.
    fn shares_tensor(&self, e: &Expr, scalar: &str) -> bool {
        let tensors = |e: &Expr| {
            let mut all = Names::new();
            visit_expr(e, &mut |e| {
                if let Expr::Access { name, .. } = e {
                    all.insert(name.to_string());
                }
            });
            all
        };
        let mine = tensors(e);
        let parts = self.carried.get(scalar);
        parts.into_iter().flatten().any(|(_, part)| !tensors(part).is_disjoint(&mine))
    }

    /// Whether each part of `sum` is divided, so that it is a mean in the end.
    fn is_mean(&self, sum: &str) -> bool {
        let parts = self.carried.get(sum);
        let divided = |e: &Expr| matches!(e, Expr::Call { op, .. } if op.op == Op::Div);
        parts.is_some_and(|parts| !parts.is_empty() && parts.iter().all(|(_, e)| divided(e)))
    }

    /// What is to be said if `e` reads a sum so far as if it were whole.
    fn misused<'e>(&self, e: &'e Expr) -> Option<(&'e Ident, Warning)> {
        let Expr::Call { op, args } = e else { return None };
        match (&op.op, &args[..]) {
            (Op::Div, [divided, by]) => self.quotient(divided, by),
            (Op::Sub, [a, b]) => {
                [(a, b), (b, a)].into_iter().find_map(|(x, m)| self.deviation(x, m))
            }
            (Op::Method(method), [Expr::Call { op: minus, args }])
                if method.name() == "exp" && minus.op == Op::Sub =>
            {
                let [x, most] = &args[..] else { return None };
                let most = self.first(most, &[Op::Max])?;
                let greatest = self.shares_tensor(x, &most.1) && !self.reads_carried(x);
                greatest.then(|| self.warning(most, "read_so_far", "the greatest", "read it"))
            }
            _ => None,
        }
    }

    /// A quotient by a sum so far, unless what it divides goes on with the loop as well, as in a mean so far; or by what is between
    /// the greatest and the least so far.
    fn quotient<'e>(&self, divided: &Expr, by: &'e Expr) -> Option<(&'e Ident, Warning)> {
        let sum = self.first(by, &[Op::Add]).filter(|_| !self.reads_carried(divided));
        if let Some(sum) = sum {
            return Some(self.warning(sum, "divided_by_the_sum_so_far", "the sum", "divide"));
        }
        let Expr::Call { op, args } = by else { return None };
        let (Op::Sub, [most, least]) = (&op.op, &args[..]) else { return None };
        let most = self.first(most, &[Op::Max])?;
        self.first(least, &[Op::Min])?;
        Some(self.warning(most, "read_so_far", "the greatest", "divide"))
    }

    /// The difference of `x` and the mean so far of the tensor that `x` is of.
    fn deviation<'e>(&self, x: &Expr, m: &'e Expr) -> Option<(&'e Ident, Warning)> {
        let sum = match m {
            Expr::Name(_) | Expr::Access { .. } => {
                self.first(m, &[Op::Add]).filter(|sum| self.is_mean(&sum.1))?
            }
            Expr::Call { op, args } => match (&op.op, &args[..]) {
                (Op::Div, [sum @ (Expr::Name(_) | Expr::Access { .. }), n])
                    if !self.reads_carried(n) =>
                {
                    self.first(sum, &[Op::Add])?
                }
                _ => return None,
            },
            _ => return None,
        };
        let deviates = self.shares_tensor(x, &sum.1) && !self.reads_carried(x);
        deviates.then(|| self.warning(sum, "read_so_far", "the sum", "read it"))
    }

    /// The warning that `sum`, which `is` not whole yet, is read as if it were.
    fn warning<'e>(
        &self,
        (at, sum): (&'e Ident, String),
        name: &'static str,
        is: &str,
        does: &str,
    ) -> (&'e Ident, Warning) {
        let index = self.index;
        let goes_on = if is == "the sum" { "adding to" } else { "looking for" };
        let own = match self.inner.contains(&sum) {
            true => format!(", or declare `{sum}` within it, if each `{index}` has one of its own"),
            false => String::new(),
        };
        let note = format!("`{sum}` is {is} so far, as the loop over `{index}` goes on {goes_on} it: {does} in a loop behind that one{own}; if {is} so far is meant, name it first, `let so_far = {sum};`");
        (at, Warning { span: at.span(), name, note })
    }
}
