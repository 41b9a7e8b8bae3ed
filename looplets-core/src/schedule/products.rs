//! Reductions of products, and the ways to take them apart: what is multiplied or summed first, and what that is multiplied with.

use super::guards;
use super::indices::names;
use super::laws::may_distribute;
use super::turn::accesses;
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::Op;
use crate::methods::{Gives, Takes};
use proc_macro2::{Ident, Span};
use std::collections::HashSet;

/// How a factor takes part in a product.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It multiplies.
    Times,
    /// The product is divided by it, or it is subtracted where products are sums.
    Over,
    /// It is a condition under which there is a product at all.
    Under,
}

/// A part of a product.
#[derive(Clone, Copy)]
pub struct Factor<'a> {
    /// What it is.
    pub expr: &'a Expr,
    role: Role,
}

/// An assignment that reduces products, maybe under conditions.
pub struct Reduction<'a> {
    /// What is written.
    pub target: &'a Expr,
    /// The operator by which partial sums are made.
    pub plus: OpRef,
    /// The one by which they get into the target, which differs from the other where they are subtracted.
    pub last: &'a OpRef,
    /// The operator of the product.
    pub times: OpRef,
    /// Where it stands.
    pub span: Span,
    factors: Vec<Factor<'a>>,
}

impl<'a> Reduction<'a> {
    /// `stmt` as a reduction of products.
    pub fn of(stmt: &'a Stmt) -> Option<Self> {
        let Stmt::Assign { target, op: Some(last), value, span } = guards::assignment(stmt)? else {
            return None;
        };
        let Expr::Call { op: outermost, .. } = value else { return None };
        let own = |of: &OpRef, op: Op| OpRef { op, path: None, span: of.span };
        let (times, plus) = match (&outermost.op, &last.op) {
            (Op::Div, Op::Add | Op::Sub) => (own(outermost, Op::Mul), own(last, Op::Add)),
            (Op::Sub, Op::Min | Op::Max) => (own(outermost, Op::Add), last.clone()),
            (_, Op::Sub) => (outermost.clone(), own(last, Op::Add)),
            _ => (outermost.clone(), last.clone()),
        };
        let mut all = Vec::new();
        quotients(value, &times.op, &mut all);
        let mut conds = Vec::new();
        guards::conditions(stmt).into_iter().for_each(|c| factors(c, &Op::And, &mut conds));
        all.extend(conds.into_iter().map(|expr| Factor { expr, role: Role::Under }));
        let (target, span, factors) = (target, *span, all);
        Some(Reduction { target, plus, last, times, span, factors })
    }

    /// Its factors, conditions apart.
    pub fn factors(&self) -> Vec<Factor<'a>> {
        self.factors.iter().copied().filter(|f| !f.guards()).collect()
    }

    /// Whether it is done under conditions.
    pub fn guarded(&self) -> bool {
        self.factors.iter().any(Factor::guards)
    }

    /// The statement that reduces the product of `factors`, and of `read` if there is that, by `op` into `target`, where those of them
    /// that are conditions hold.
    pub fn statement(
        &self,
        target: Expr,
        op: Option<OpRef>,
        factors: &[Factor<'_>],
        read: Option<Expr>,
    ) -> Option<Stmt> {
        let of = |role: Role| factors.iter().filter(move |f| f.role == role);
        // Scalars may be of types whose products with each other do not fit.
        let (early, late) = match factors.iter().all(Factor::reads) {
            true => (None, read),
            false => (read, None),
        };
        let all = of(Role::Times).map(|f| f.expr.clone());
        let product = early
            .into_iter()
            .chain(all)
            .chain(late)
            .reduce(|a, b| Expr::Call { op: self.times.clone(), args: vec![a, b] })?;
        let inverse =
            OpRef { op: inverse(&self.times.op).unwrap_or(Op::Div), ..self.times.clone() };
        let value = of(Role::Over).fold(product, |all, f| Expr::Call {
            op: inverse.clone(),
            args: vec![all, f.expr.clone()],
        });
        let span = self.span;
        let stmt = Stmt::Assign { target, op, value, span };
        // What a condition asks may be there only where those before it hold.
        let conds: Vec<_> = of(Role::Under).collect();
        Some(conds.into_iter().rev().fold(stmt, |stmt, f| {
            let then = Block { stmts: vec![stmt], span };
            Stmt::If { cond: f.expr.clone(), then, otherwise: None }
        }))
    }
}

/// A product taken apart.
#[derive(Clone)]
pub struct Split<'a> {
    /// What is multiplied first, and what that is multiplied with.
    pub inner: Vec<Factor<'a>>,
    pub outer: Vec<Factor<'a>>,
    /// The indices that the product of the first has, or its sum.
    pub rest: Vec<Ident>,
    /// Whether something is summed.
    pub sum: bool,
    /// Whether it is one sum for each of the other loops, which needs no workspace.
    pub held: bool,
    /// Whether it is a sum over two indices, which may be taken apart itself.
    pub several: bool,
}

impl<'a> Split<'a> {
    /// The tensors that are multiplied first.
    pub fn names(&self) -> Vec<String> {
        let name = |e: &Expr| match e {
            Expr::Access { name, .. } => name.to_string(),
            _ => String::new(),
        };
        read(&self.inner).into_iter().map(name).collect()
    }

    /// One of the tensors that are multiplied first.
    pub fn first(&self) -> Option<&'a Expr> {
        read(&self.inner).first().copied()
    }
}

/// What `factors` read.
pub fn read<'a>(factors: &[Factor<'a>]) -> Vec<&'a Expr> {
    let mut all = Vec::new();
    factors.iter().for_each(|f| accesses(f.expr, &mut all));
    all
}

/// The ways to take the product `all` apart by which something is saved: sums come first, and those of the fewest dimensions.
pub fn splits<'a>(
    all: &Reduction<'a>,
    indices: &[Ident],
    distributes: &dyn Fn(&Op, &Op) -> bool,
) -> Vec<Split<'a>> {
    let factors = &all.factors;
    let known = distributes(&all.times.op, &all.plus.op);
    let guards = || factors.iter().filter(|f| f.guards()).all(|f| cannot_fail(f.expr));
    if !known || factors.len() < 2 || !factors.iter().all(|f| plain(f.expr)) || !guards() {
        return Vec::new();
    }
    let on_left = names(all.target);
    let named: Vec<HashSet<String>> = factors.iter().map(|f| names(f.expr)).collect();
    let mut out: Vec<Split<'a>> = Vec::new();
    let summed = |i: &Ident| !on_left.contains(&i.to_string());
    let within = |f: usize, i: &Ident| named[f].contains(&i.to_string());
    let take = |of: &[usize]| -> Vec<Factor<'a>> { of.iter().map(|f| factors[*f]).collect() };
    let apart = |inner: &[usize], outer: &[usize]| {
        inner.iter().all(|f| factors[*f].goes_first())
            && [inner, outer]
                .iter()
                .all(|of| of.iter().any(|f| factors[*f].role == Role::Times && factors[*f].reads()))
    };
    // What is summed has its sizes from the operands alone: where all of them are moved, it would have others.
    let sized = |inner: &[usize], rest: &[Ident]| {
        let read = read(&take(inner));
        rest.iter().all(|i| read.iter().any(|e| has_along(e, i)))
    };
    let sums: Vec<&Ident> = indices.iter().rev().filter(|k| summed(k)).collect();
    let alone = sums.iter().map(|k| vec![*k]);
    let pairs = (0..sums.len()).flat_map(|n| sums[n + 1..].iter().map(move |k| (n, *k)));
    let pairs = pairs.map(|(n, k)| vec![sums[n], k]);
    for over in alone.chain(pairs) {
        let (inner, outer): (Vec<usize>, Vec<usize>) =
            (0..factors.len()).partition(|f| over.iter().any(|k| within(*f, k)));
        let needed = |i: &&Ident| !summed(i) || outer.iter().any(|f| within(*f, i));
        let varies = |i: &&Ident| inner.iter().any(|f| within(*f, i));
        let rest: Vec<Ident> = indices.iter().filter(needed).filter(varies).cloned().collect();
        // If it varies over all loops that are left, what is saved is a factor a term.
        let held = indices.iter().filter(needed).all(|i| rest.contains(i));
        let several = over.len() > 1;
        // Where no factor has both indices, these are two sums that have nothing to do with each other.
        let both = inner.iter().any(|f| over.iter().all(|k| within(*f, k)));
        let saves = (inner.len() > 1 || !held) && (!several || !held && both && inner.len() > 2);
        if saves && apart(&inner, &outer) && sized(&inner, &rest) {
            let rest = as_stored(rest, &take(&inner));
            let (inner, outer) = (take(&inner), take(&outer));
            out.push(Split { inner, outer, rest, sum: true, held, several });
        }
    }
    out.sort_by_key(|s| s.rest.len());
    let summed_here =
        |i: &Ident, outer: &[usize]| summed(i) && !outer.iter().any(|f| within(*f, i));
    let reads = |f: usize| factors[f].reads() && factors[f].role == Role::Times;
    for f in (0..factors.len()).filter(|f| reads(*f)) {
        let beside = |g: &usize| *g == f || reads(*g) && named[*g].is_subset(&named[f]);
        let (inner, outer): (Vec<usize>, Vec<usize>) = (0..factors.len()).partition(beside);
        let rest: Vec<Ident> = indices.iter().filter(|i| within(f, i)).cloned().collect();
        let alike = |s: &Split<'_>| {
            s.inner.len() == inner.len()
                && s.rest.len() == rest.len()
                && rest.iter().all(|i| s.rest.contains(i))
        };
        let sums = rest.iter().any(|i| summed_here(i, &outer));
        let smaller = rest.len() < indices.len() && apart(&inner, &outer) && sized(&inner, &rest);
        if inner.len() > 1 && smaller && !sums && !out.iter().any(alike) {
            let rest = as_stored(rest, &take(&inner));
            let (inner, outer) = (take(&inner), take(&outer));
            out.push(Split { inner, outer, rest, sum: false, held: false, several: false });
        }
    }
    out
}

impl Factor<'_> {
    /// Whether there is a product only where it holds.
    pub fn guards(&self) -> bool {
        self.role == Role::Under
    }

    /// Whether it reads a tensor.
    fn reads(&self) -> bool {
        let mut all = Vec::new();
        accesses(self.expr, &mut all);
        !all.is_empty()
    }

    /// Whether it may be multiplied before others are: its type is that of what it reads. A condition on coordinates alone may, since no
    /// operand says where it holds.
    fn goes_first(&self) -> bool {
        match self.role {
            Role::Under => !self.reads(),
            Role::Times | Role::Over => self.reads() && of_one_type(self.expr),
        }
    }

    /// Whether it is an element or a number, and not computed of some.
    pub fn is_element(&self) -> bool {
        self.role != Role::Over && !matches!(self.expr, Expr::Call { .. })
    }
}

/// Whether a condition may be asked wherever its coordinates are, in any order with others: it compares what is there in any case.
fn cannot_fail(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::Lit(..) => true,
        Expr::Access { indices, .. } => {
            indices.iter().all(|x| matches!(x.expr, Expr::Name(_)) && x.protocol.is_none())
        }
        Expr::Call { op, args } => {
            let asks =
                op.op.is_comparison() || matches!(op.op, Op::And | Op::Or | Op::Not | Op::Neg);
            let signed = op.op != Op::Neg || matches!(args[..], [Expr::Lit(..)]);
            asks && signed && args.iter().all(cannot_fail)
        }
        _ => false,
    }
}

/// Whether `e` is of the type of the elements that it reads, if these are all of one type of floats.
fn of_one_type(e: &Expr) -> bool {
    match e {
        // What another tensor says of where it is may hold only where all factors are stored.
        Expr::Access { indices, .. } => {
            let mut within = Vec::new();
            indices.iter().for_each(|x| accesses(&x.expr, &mut within));
            within.is_empty()
        }
        Expr::Lit(..) => true,
        Expr::Call { op, args } => {
            let keeps = match &op.op {
                Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max => true,
                Op::Method(method) => {
                    let row = method.row();
                    row.gives == Gives::Own && row.takes.iter().all(|t| *t == Takes::Own)
                }
                _ => false,
            };
            keeps && args.iter().all(of_one_type)
        }
        _ => false,
    }
}

/// Whether `e` reads a dimension at `i` itself.
fn has_along(e: &Expr, i: &Ident) -> bool {
    let Expr::Access { indices, .. } = e else { return false };
    indices.iter().any(|x| matches!(&x.expr, Expr::Name(name) if name == i))
}

/// `indices` in the order in which `factors` have them: a product of rows has rows.
fn as_stored(mut indices: Vec<Ident>, factors: &[Factor<'_>]) -> Vec<Ident> {
    let all = read(factors);
    indices.sort_by_key(|i| first_dimension(i, &all));
    indices
}

/// The first dimension that one of `all` has at `i`.
pub fn first_dimension(i: &Ident, all: &[&Expr]) -> Option<usize> {
    let of = |e: &&Expr| match e {
        Expr::Access { indices, .. } => {
            indices.iter().position(|x| super::spread::plain(x) == Some(i))
        }
        _ => None,
    };
    all.iter().filter_map(of).min()
}

/// The most dimensions that a sum in `stmt` may have that is taken first, 0 if there is none.
pub fn rank(stmt: &Stmt, indices: &[Ident]) -> usize {
    let Some(all) = Reduction::of(stmt) else { return 0 };
    // Which operators are declared is not known before all is there.
    let ways = splits(&all, indices, &may_distribute);
    ways.iter().filter(|s| !s.held && !s.several).map(|s| s.rest.len()).max().unwrap_or(0)
}

/// Whether `e` may be computed in another place, another number of times: it asks no function.
fn plain(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) => true,
        Expr::Access { indices, .. } => indices.iter().all(|i| plain(&i.expr)),
        Expr::Call { op, args } => !matches!(op.op, Op::Function(_)) && args.iter().all(plain),
        Expr::Escape(..) | Expr::Shape(_) => false,
    }
}

/// The operator that takes away what `times` gives.
fn inverse(times: &Op) -> Option<Op> {
    match times {
        Op::Mul => Some(Op::Div),
        Op::Add => Some(Op::Sub),
        _ => None,
    }
}

/// The factors of the product `e` by `times`.
pub fn factors<'a>(e: &'a Expr, times: &Op, out: &mut Vec<&'a Expr>) {
    match e {
        Expr::Call { op, args } if op.op == *times => {
            args.iter().for_each(|a| factors(a, times, out));
        }
        other => out.push(other),
    }
}

/// The factors of the product `e` by `times`, and what that is divided by.
fn quotients<'a>(e: &'a Expr, times: &Op, out: &mut Vec<Factor<'a>>) {
    match e {
        Expr::Call { op, args } if op.op == *times => {
            args.iter().for_each(|a| quotients(a, times, out));
        }
        // A quotient of numbers alone may be one of integers.
        Expr::Call { op, args }
            if Some(&op.op) == inverse(times).as_ref()
                && args.len() == 2
                && (Factor { expr: &args[0], role: Role::Times }).reads() =>
        {
            quotients(&args[0], times, out);
            out.push(Factor { expr: &args[1], role: Role::Over });
        }
        expr => out.push(Factor { expr, role: Role::Times }),
    }
}
