//! An index as a view of a dimension: modifiers peeled off, a sum of loop indices taken apart.
//!
//! `window`, `offset` and `permit` (Looplets section 7) become a shift, the part of the dimension
//! that the index may move in, and the parts outside of which the access is missing. Of what they
//! wrap, the innermost loop index drives the level; the rest of the sum moves it.

use super::digits::divided_by;
use super::shape_terms::Terms;
use super::{Meaning, Position, Resolver};
use crate::ast;
use crate::cin::*;
use crate::diagnostics::count;
use crate::kernel::*;
use crate::prove::Affine;
use crate::runtime::Runtime;

/// A sum `stride * index + rest`.
pub(super) struct Driven {
    pub stride: Option<Expr>,
    pub rest: Expr,
}

impl Resolver<'_> {
    /// What stands between the brackets of an access, `write` if it is assigned.
    pub fn view(&mut self, e: &ast::Expr, write: bool) -> (IndexKind, View) {
        let (mut view, written) = (View::plain(), e);
        let mut base = Expr::int(0);
        let plain = self.underived(e);
        view.derived = plain.is_some();
        if let (Some((of, false)), ast::Expr::Name(name)) = (&plain, e) {
            if let Some(Terms { driver, stride, shift, groups }) = self.inside(name, of) {
                (view.stride, view.groups, view.inside) = (stride, groups, true);
                return (IndexKind::Affine(driver, shift), view);
            }
        }
        let exact = plain.is_some() && self.is_exact(e);
        let (e, guarded) = plain.as_ref().map_or((e, false), |(e, guarded)| (e, *guarded));
        let mut inner = e;
        let driver = self.driver(e);
        loop {
            match inner {
                ast::Expr::Call { op, args } if op.op.key() == Some("window") => {
                    let [lo, hi, rest] = args.as_slice() else {
                        self.modifier_arguments(op, "window(lo, hi)[i]", 2, args.len());
                        break;
                    };
                    let (lo, hi) = (self.amount(lo, driver), self.amount(hi, driver));
                    let (from, to) = (sum(&base, &lo), sum(&base, &hi));
                    let window = (self.cut(from.clone()), self.cut(to));
                    view.windows.push((view.part, window.clone()));
                    base = from;
                    view.part = Part::Window(window.0, window.1);
                    inner = rest;
                }
                ast::Expr::Call { op, args } if op.op.key() == Some("offset") => {
                    let [by, rest] = args.as_slice() else {
                        self.modifier_arguments(op, "offset(d)[i]", 1, args.len());
                        break;
                    };
                    let by = self.amount(by, driver);
                    base = difference(&base, &by);
                    inner = rest;
                }
                ast::Expr::Access { name, indices, .. } if self.is_permit(name) => {
                    let [ast::Index { expr: rest, protocol }] = indices.as_slice() else {
                        let message = "`permit` modifies one index: write `permit[i]`";
                        self.errors.error(name.span(), message);
                        break;
                    };
                    if let Some(p) = protocol {
                        let message =
                            format!("the protocol follows the modifier: write `permit[i]::{p}`");
                        self.errors.error(p.span(), message);
                    }
                    if write {
                        self.errors.error(name.span(), "`permit` reads outside of a dimension, where nothing can be written: write the index without it, in a loop over an extent that fits");
                    }
                    view.clips.push((view.part, Outside::Missing));
                    view.part = Part::Anywhere;
                    inner = rest;
                }
                _ => break,
            }
        }
        let around = |(first, _): &(Part, Outside)| *first != Part::Whole;
        if guarded && (view.part != Part::Anywhere || view.clips.first().is_some_and(around)) {
            if !exact || !view.windows.is_empty() {
                view.only = self.branches.clone();
            }
            self.leave(&mut view);
        }
        if let Some(v) = driver {
            let mark = self.kernel.prelude.len();
            if let Some(Driven { stride, rest }) = self.driven(inner, v) {
                view.stride = stride;
                if !exact && !guarded && !write && std::ptr::eq(inner, e) {
                    if let Some(Terms { groups, shift, .. }) = self.written_groups(inner) {
                        (view.groups, view.exact) = (groups, Some(shift));
                    }
                }
                return (IndexKind::Affine(v, self.cut(sum(&base, &rest))), view);
            }
            self.kernel.prelude.truncate(mark);
            if let (true, ast::Expr::Name(name)) = (guarded, written) {
                if let Some(Terms { driver, stride, shift, .. }) = self.inside(name, e) {
                    view.stride = stride;
                    return (IndexKind::Affine(driver, self.cut(shift)), view);
                }
            }
        }
        if let (true, Some(v), true) =
            (exact, driver.or_else(|| self.divided(inner)), base == Expr::int(0))
        {
            let mark = self.kernel.prelude.len();
            if let Some(mut digit) = self.digit(inner, v) {
                // The groups of one that a condition guards would start beyond the dimension.
                if let (false, ast::Expr::Name(name), Some(flat)) =
                    (guarded, written, divided_by(inner))
                {
                    if let Some(Terms { shift, groups, .. }) = self.inside(name, flat) {
                        digit.shift = shift;
                        view.groups = groups;
                    }
                }
                if digit.modulo.is_some() {
                    // They are of the level above.
                    view.groups.clear();
                }
                return (IndexKind::Digit(v, digit), view);
            }
            self.kernel.prelude.truncate(mark);
        }
        let value = match self.literal_index(inner) {
            Some(n) => n,
            None => {
                self.bound(inner);
                let outer = std::mem::replace(&mut self.position, Position::Total);
                let value = self.expr(inner);
                self.position = outer;
                self.coordinate(inner, &value);
                value
            }
        };
        if !exact && !guarded && !write && std::ptr::eq(inner, e) {
            if let Some(digit) = self.written_digit(inner) {
                view.checked = digit.0.modulo.is_none();
                view.written = Some(value);
                return (IndexKind::Digit(digit.1, digit.0), view);
            }
        }
        // What an operator makes of an index is computed beyond the part that is read, too, where it may be negative.
        let value = match (plain.is_some(), guarded) {
            (true, true) => divisible(&self.in_coordinates(value)),
            (true, false) => self.in_coordinates(value),
            (false, _) => value,
        };
        // What stands in a part of a `concat` is read there alone, whatever it is computed of.
        if !self.branches.is_empty() && view.part != Part::Anywhere {
            view.only = self.branches.clone();
            self.leave(&mut view);
        }
        let value = match base {
            Expr::Lit(Lit::Int(0)) => value,
            base => Expr::call(Op::Add, [base, Expr::call(Op::Index, [value])]),
        };
        (IndexKind::Opaque(value), view)
    }

    /// Lets `view` leave the part that it may be read in, since a condition says where it is read.
    fn leave(&self, view: &mut View) {
        let part = std::mem::replace(&mut view.part, Part::Anywhere);
        if part != Part::Anywhere {
            view.clips.push((part, Outside::Fill));
        }
        // Where it is not read, windows may lie anywhere. This is asked last: what `permit` wraps leaves the dimension
        // where it is read, too, and is missing there.
        if view.clips.first().is_some_and(|(first, _)| *first != Part::Whole) {
            view.clips.insert(0, (Part::Whole, Outside::Fill));
        }
    }

    /// Whether `e`, of indices of shape operators, lies in its dimension because of their sizes.
    fn is_exact(&self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Name(name) => self.derivation(name).is_some(),
            ast::Expr::Call { op, args } if op.op.key() == Some("window") => {
                args.last().is_some_and(|e| self.is_exact(e))
            }
            ast::Expr::Access { name, indices, .. } if self.is_permit(name) => {
                indices.first().is_some_and(|i| self.is_exact(&i.expr))
            }
            _ => false,
        }
    }

    /// Whether `name[..]` is the modifier and not a tensor of that name.
    pub(super) fn is_permit(&self, name: &proc_macro2::Ident) -> bool {
        name == "permit" && self.lookup(name).is_none()
    }

    fn modifier_arguments(&mut self, op: &ast::OpRef, form: &str, takes: usize, given: usize) {
        let found = match given {
            n if n == takes => "no index in brackets".to_owned(),
            n => format!("{} in all", count(n, "argument", "arguments")),
        };
        let message = format!(
            "`{form}` takes {} and an index, found {found}",
            count(takes, "argument", "arguments")
        );
        self.errors.error(op.span, message);
    }

    /// The innermost loop whose index occurs in `e` outside of the amounts of modifiers.
    pub(super) fn driver(&self, e: &ast::Expr) -> Option<VarId> {
        let mut found: Option<(usize, VarId)> = None;
        self.loops_in(e, &mut |at, v| {
            if found.is_none_or(|(k, _)| at > k) {
                found = Some((at, v));
            }
        });
        found.map(|(_, v)| v)
    }

    pub(super) fn loops_in(&self, e: &ast::Expr, f: &mut dyn FnMut(usize, VarId)) {
        match e {
            ast::Expr::Name(n) => {
                if let Some(v) = self.loop_index(n) {
                    if let Some(at) = self.loops.iter().position(|l| *l == v) {
                        f(at, v);
                    }
                }
            }
            ast::Expr::Call { op, args } => match &op.op {
                Op::Add | Op::Sub | Op::Mul | Op::Neg => {
                    args.iter().for_each(|a| self.loops_in(a, f))
                }
                Op::Function(key) if matches!(&**key, "window" | "offset") => {
                    args.last().into_iter().for_each(|a| self.loops_in(a, f))
                }
                _ => {}
            },
            ast::Expr::Access { name, indices, .. } if self.is_permit(name) => {
                indices.iter().for_each(|i| self.loops_in(&i.expr, f));
            }
            _ => {}
        }
    }

    pub(super) fn loop_index(&self, name: &proc_macro2::Ident) -> Option<VarId> {
        match self.lookup(name) {
            Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index => Some(v),
            _ => None,
        }
    }

    /// `e` as `stride * v + rest`, if it is one with a stride that is positive or checked to be.
    pub(super) fn driven(&mut self, e: &ast::Expr, v: VarId) -> Option<Driven> {
        let has = |r: &Self, e: &ast::Expr| {
            let mut found = false;
            r.loops_in(e, &mut |_, w| found |= w == v);
            found
        };
        if !has(self, e) {
            return None;
        }
        match e {
            ast::Expr::Name(_) => Some(Driven { stride: None, rest: Expr::int(0) }),
            ast::Expr::Call { op, args } => match (&op.op, args.as_slice()) {
                (Op::Add, [a, b]) if !(has(self, a) && has(self, b)) => {
                    let (with, other) = if has(self, a) { (a, b) } else { (b, a) };
                    let d = self.driven(with, v)?;
                    let other = self.steady(other, v)?;
                    Some(Driven { rest: sum(&d.rest, &other), ..d })
                }
                (Op::Sub, [a, b]) if !has(self, b) => {
                    let d = self.driven(a, v)?;
                    let other = self.steady(b, v)?;
                    Some(Driven { rest: difference(&d.rest, &other), ..d })
                }
                (Op::Mul, [a, b]) if !(has(self, a) && has(self, b)) => {
                    let (with, factor) = if has(self, a) { (a, b) } else { (b, a) };
                    let factor = self.literal_index(factor)?;
                    let Expr::Lit(Lit::Int(s)) = factor else { return None };
                    let d = self.driven(with, v)?;
                    if !(1..=1 << 32).contains(&s) || d.stride.is_some() {
                        return None;
                    }
                    let rest = match &d.rest {
                        Expr::Lit(Lit::Int(n)) => Expr::int(n.checked_mul(s)?),
                        rest => Expr::call(Op::Mul, [Expr::int(s), rest.clone()]),
                    };
                    Some(Driven { stride: (s > 1).then(|| Expr::int(s)), rest })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// An amount that does not change in the loop over `v`: literals, Rust variables, definitions
    /// and indices outside of it.
    fn steady(&mut self, e: &ast::Expr, v: VarId) -> Option<Expr> {
        if let Some(n) = self.literal_index(e) {
            return Some(n);
        }
        if let ast::Expr::Call { op, args } = e {
            // Each term stays what it is until all are added up: parts of a sum that were cut would no longer cancel.
            if matches!(&op.op, Op::Add | Op::Sub | Op::Mul | Op::Neg) {
                let parts: Option<Vec<Expr>> = args.iter().map(|a| self.steady(a, v)).collect();
                let parts = parts?;
                return Some(match (&op.op, parts.as_slice()) {
                    (Op::Add, [a, b]) => sum(a, b),
                    (Op::Sub, [a, b]) => difference(a, b),
                    (op, parts) => Expr::call(op.clone(), parts.to_vec()),
                });
            }
        }
        let value = self.index_expr(e);
        self.is_steady(&value, v).then_some(match self.kernel.type_of(&value) {
            None | Some(Ty::Index) => value,
            _ => Expr::call(Op::Index, [value]),
        })
    }

    /// Whether `value` has one value for all of the loop over `v`, known when the loop starts.
    fn is_steady(&self, value: &Expr, v: VarId) -> bool {
        if matches!(value, Expr::Lit(_)) || self.kernel.fixed(value) {
            return true;
        }
        let mut reads = false;
        value.walk(&mut |x| reads |= matches!(x, Expr::Access(_) | Expr::Load(..) | Expr::Raw(_)));
        let place = |v: VarId| self.loops.iter().position(|l| *l == v);
        let own = place(v);
        !reads
            && self.kernel.depends(value).iter().all(|w| match self.kernel.info(*w).kind {
                VarKind::Outer | VarKind::Local => true,
                VarKind::Index => place(*w) < own && place(*w).is_some(),
                VarKind::Let => self.let_depth.get(w).is_some_and(|d| own.is_some_and(|p| *d <= p)),
                VarKind::State | VarKind::Scalar => false,
            })
    }

    /// An amount that is a sum as one term: coordinates and amounts lie within a quarter of what an
    /// `i64` holds, so that a loop index, one amount and one outer index add up without overflow. It is cut once,
    /// as a whole: parts that were cut would no longer cancel.
    fn cut(&mut self, whole: Expr) -> Expr {
        let mut product = false;
        whole.walk(&mut |e| product |= matches!(e, Expr::Call(Op::Mul, _)));
        let several = self.terms(&whole).0 > 1;
        if (several || product) && self.kernel.fixed(&whole) {
            return self.amount_of(whole);
        }
        if !several {
            return whole;
        }
        let whole = self.with_amount(&whole).unwrap_or(whole);
        self.as_one(whole)
    }

    /// `whole` with the terms that all loops share as one local, where the others are indices of loops: one
    /// number that is cut is outside of all dimensions, whatever index is added.
    fn with_amount(&mut self, whole: &Expr) -> Option<Expr> {
        let affine = Affine::of(whole);
        let (fixed, moving) = affine.split(|atom| self.kernel.fixed(atom));
        let is_index = |(atom, c): &(Expr, i128)| {
            let of_loop =
                matches!(atom, Expr::Var(v) if self.kernel.info(*v).kind == VarKind::Index);
            of_loop && c.saturating_abs() <= SMALL
        };
        if fixed.terms().len() < 2 || !moving.terms().iter().all(is_index) {
            return None;
        }
        let amount = self.amount_of(fixed.to_expr());
        Some(sum(&moving.to_expr(), &amount))
    }

    /// A sum that all loops share, cut as a whole, as a local.
    fn amount_of(&mut self, whole: Expr) -> Expr {
        let cut = self.as_one(whole);
        let var = self.kernel.var("amount", VarKind::Local, Ty::Index);
        self.kernel.prelude.push((var, cut));
        Expr::Var(var)
    }

    /// `whole`, cut to the range of coordinates.
    pub fn as_one(&mut self, whole: Expr) -> Expr {
        let whole = Expr::call(Op::Index, [whole]);
        self.kernel.call(Runtime::Index, vec![whole], Ty::Index)
    }

    /// Whether `bound`, of an extent, is a sum that may leave the range of coordinates by so much that an
    /// index of the loop and an amount do not add up: of numbers from outside, or of many.
    pub fn leaves(&self, bound: &Expr) -> bool {
        let (terms, foreign) = self.terms(bound);
        terms > 2 || terms == 2 && foreign
    }

    /// How many terms there are, a large literal being one, and whether any is no coordinate.
    fn terms(&self, whole: &Expr) -> (usize, bool) {
        let (mut terms, mut foreign) = (0, false);
        whole.walk(&mut |e| match e {
            Expr::Lit(Lit::Int(n)) => terms += usize::from(n.abs() > 1 << 32),
            Expr::Var(_) | Expr::Raw(_) => {
                terms += 1;
                foreign |= self.kernel.type_of(e) != Some(Ty::Index);
            }
            _ => {}
        });
        (terms, foreign)
    }

    /// An amount of a modifier.
    fn amount(&mut self, e: &ast::Expr, driver: Option<VarId>) -> Expr {
        let Some(v) = driver else { return self.index_expr(e) };
        match self.steady(e, v) {
            Some(value) => value,
            None => {
                let name = self.kernel.called(v);
                self.errors.error(e.span(), format!(
                    "this amount must be known when the loop over `{name}` starts: literals, Rust variables, indices of loops around it, or a definition made outside of it, `let d = ..;`"));
                Expr::int(0)
            }
        }
    }
}
