//! Shape operators (Root et al., OOPSLA 2024, section 4): their operands are read at indices that are
//! computed of those around them, so that they are index arithmetic on the accesses of their operands.

use super::literals::Literal;
use super::{Meaning, Resolver};
use crate::ast::{self, Shape, ShapeOp, Sized};
use crate::cin::*;
use crate::kernel::*;
use crate::runtime::Runtime;
use proc_macro2::{Ident, Span};

/// An index of a shape operator.
pub(crate) struct Derived {
    /// What it is computed of.
    of: ast::Expr,
    /// Whether a condition says where it lies in the dimensions that it indexes.
    pub guarded: bool,
    /// Whether it runs over the whole of them.
    pub whole: bool,
}

/// The size that a shape operator gives to a loop.
pub(crate) struct Range {
    /// The index of the loop.
    pub index: VarId,
    /// The size.
    pub size: Expr,
    /// The operator, for messages.
    pub operator: String,
    /// Where the index stands in it.
    pub span: Span,
}

impl Resolver<'_> {
    /// The value of a shape operator.
    pub fn shape(&mut self, s: &Shape) -> Expr {
        let scope = self.scope.len();
        let value = self.well_formed(s).and_then(|()| {
            let operand = self.bind(s)?;
            Some(self.expr(&operand))
        });
        self.scope.truncate(scope);
        if value.is_none() {
            // It might have told extents.
            self.doubtful.extend(&self.loops);
        }
        // Of no type, so that nothing more is said of it.
        value.unwrap_or_else(|| self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown))
    }

    /// `e` with what indices of shape operators in it are computed of, if there are any; whether a condition
    /// says where it lies.
    pub fn underived(&self, e: &ast::Expr) -> Option<(ast::Expr, bool)> {
        let (mut e, mut any, mut guarded) = (e.clone(), false, false);
        self.put_derived(&mut e, &mut any, &mut guarded);
        any.then_some((e, guarded))
    }

    /// Of what the index `name` is computed, if a shape operator made it.
    pub(super) fn derivation(&self, name: &Ident) -> Option<&Derived> {
        match self.lookup(name)? {
            Meaning::Literal(k) => self.derived.get(&k),
            _ => None,
        }
    }

    fn put_derived(&self, e: &mut ast::Expr, any: &mut bool, guarded: &mut bool) {
        match e {
            ast::Expr::Name(name) => {
                let Some(Meaning::Literal(k)) = self.lookup(name) else { return };
                if let Some(derived) = self.derived.get(&k) {
                    (*any, *guarded) = (true, *guarded | derived.guarded);
                    *e = derived.of.clone();
                }
            }
            ast::Expr::Call { args, .. } => {
                args.iter_mut().for_each(|a| self.put_derived(a, any, guarded));
            }
            ast::Expr::Access { name, indices, .. } if name == "permit" => {
                indices.iter_mut().for_each(|i| self.put_derived(&mut i.expr, any, guarded));
            }
            _ => {}
        }
    }

    /// Refuses what names alone show to be wrong.
    fn well_formed(&mut self, s: &Shape) -> Option<()> {
        let (operands, from, to) = (s.operands.len(), s.from.len(), s.to.len());
        let fits = match s.op {
            ShapeOp::Collapse => operands == 1 && from >= 2 && to == 1,
            ShapeOp::Split => operands == 1 && from == 1 && to >= 2,
            ShapeOp::Concat => operands >= 2 && from == operands && to == 1,
            ShapeOp::Slice => operands == 1 && from == 1 && to == 1 && s.cut.is_some(),
            ShapeOp::Reshape => operands == 1 && from >= 1 && to >= 1,
        };
        let mut good = true;
        if !fits {
            let message = format!("`{}` is written `{}`", s.op.name(), s.op.form());
            self.errors.error(s.span, message);
            return None;
        }
        if self.turned_round(s) {
            let [from, to] = [&s.from, &s.to].map(|indices| listed(indices));
            self.errors.error(s.from[0].name.span(), format!("the arrow goes from the indices of the operand to those of loops: write `{to} -> {from}`"));
            return None;
        }
        let looped = |i: &&Sized| self.loop_index(&i.name).is_some();
        let (taken, free): (Vec<&Sized>, Vec<&Sized>) =
            (s.from.iter().filter(looped).collect(), s.to.iter().filter(|i| !looped(i)).collect());
        if let (Some(first), false) = (taken.first(), free.is_empty()) {
            let names = |all: &[&Sized]| {
                let names: Vec<String> = all.iter().map(|i| i.name.to_string()).collect();
                names.join(", ")
            };
            let (taken_names, made) = (names(&taken), names(&free));
            self.errors.error(first.name.span(), format!(
                "`{}` takes away `{taken_names}` and makes `{made}`: the loops run over what it makes, so write `for {made}` in place of `for {taken_names}`", s.op.name()));
            self.broken_shape = true;
            return None;
        }
        for (k, Sized { name, .. }) in s.from.iter().enumerate() {
            let message = match self.lookup(name) {
                _ if s.from[..k].iter().any(|other| other.name == *name) => {
                    format!("`{name}` stands here twice: give each operand and dimension an index of its own")
                }
                Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index => {
                    format!("`{name}` is the index of a loop, and what `{}` takes away has none: leave the loop out, or rename one", s.op.name())
                }
                // What was reported has no meaning, and neither has what an outer operator takes away.
                Some(Meaning::Broken) | None => continue,
                Some(_) => format!("`{name}` has a meaning here already: rename the index"),
            };
            self.errors.error(name.span(), message);
            good = false;
        }
        for (k, Sized { name, .. }) in s.to.iter().enumerate() {
            let message = match self.lookup(name) {
                _ if s.to[..k].iter().any(|other| other.name == *name) => {
                    format!("`{name}` is made twice: rename one")
                }
                Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index => continue,
                Some(Meaning::Literal(k)) if self.derived.contains_key(&k) => continue,
                Some(Meaning::Broken) => continue,
                Some(_) => format!("`{name}` has another meaning here: write an index that a loop around runs over"),
                None => {
                    self.unknown.insert(name.to_string());
                    format!("`{name}` is no index here: loop over it, `for {name} {{ .. }}`")
                }
            };
            self.errors.error(name.span(), message);
            good = false;
        }
        good.then_some(())
    }

    /// Whether `s` makes what its operands have, and takes away what loops run over.
    fn turned_round(&self, s: &Shape) -> bool {
        let looped = |i: &Sized| self.loop_index(&i.name).is_some();
        let read = |i: &Sized| s.operands.iter().any(|e| super::names::stands_in(e, &i.name));
        let free = |i: &Sized| self.lookup(&i.name).is_none() && read(i);
        s.from.iter().all(|i| looped(i) && !read(i)) && s.to.iter().all(free)
    }

    /// Gives the indices of `s` their meanings; what is to be resolved with them.
    fn bind(&mut self, s: &Shape) -> Option<ast::Expr> {
        let operator = called(s);
        let sizes = self.sizes_from(s, true)?;
        let to = self.sizes_to(s, &sizes, true)?;
        let to: Vec<Expr> = to.into_iter().map(|told| self.held_size(told.size)).collect();
        for (Sized { name, .. }, size) in s.to.iter().zip(&to) {
            if let Some(Meaning::Var(index)) = self.lookup(name) {
                let (size, operator, span) = (size.clone(), operator.clone(), name.span());
                self.ranges.push(Range { index, size, operator, span });
            }
        }
        let (to_names, guarded): (Vec<ast::Expr>, Vec<bool>) =
            s.to.iter().map(|i| self.of_index(&i.name)).unzip();
        // What lies in a part of the dimension if a condition says so is there only then.
        let guarded = guarded.contains(&true);
        match s.op {
            ShapeOp::Collapse | ShapeOp::Split | ShapeOp::Reshape => {
                let flat = self.sum(to_names, &to, s.span);
                self.digits(s, flat, &sizes, guarded);
                Some(s.operands[0].clone())
            }
            ShapeOp::Slice => {
                let (start, _, step) = s.cut.as_ref()?;
                let k = to_names.into_iter().next()?;
                let scaled = match step {
                    Some(step) if whole(step) == Some(1) => k,
                    Some(step) if whole(step).is_some() => binary(Op::Mul, step.clone(), k, s.span),
                    Some(step) => {
                        // Steps that are checked to be positive, and beyond the dimension all alike.
                        let by = self.index_expr(step);
                        let one = |e: Expr| Expr::call(Op::Max, [Expr::int(1), e]);
                        let by = Expr::call(Op::Min, [one(by), one(sizes[0].clone())]);
                        let by = self.size_ast(&by, s.span);
                        binary(Op::Mul, by, k, s.span)
                    }
                    None => k,
                };
                let of = match whole(start) {
                    Some(0) => scaled,
                    _ => binary(Op::Add, scaled, start.clone(), s.span),
                };
                self.derive(&s.from[0].name, of, guarded, false);
                Some(s.operands[0].clone())
            }
            ShapeOp::Concat => {
                let l = to_names.into_iter().next()?;
                let mut before = Expr::int(0);
                let mut seams = Vec::new();
                for (Sized { name, .. }, size) in s.from.iter().zip(&sizes) {
                    let start = self.size_ast(&before, s.span);
                    let of = match whole(&start) {
                        Some(0) => l.clone(),
                        _ => binary(Op::Sub, l.clone(), start, s.span),
                    };
                    self.derive(name, of, true, false);
                    before = sum(&before, size);
                    seams.push(self.size_ast(&before, s.span));
                }
                let mut operands = s.operands.iter().cloned().rev();
                let last = operands.next()?;
                let seams = seams.into_iter().rev().skip(1);
                Some(operands.zip(seams).fold(last, |rest, (one, seam)| {
                    let cond = binary(Op::Lt, l.clone(), seam, s.span);
                    let op = ast::OpRef { op: Op::IfElse, path: None, span: s.span };
                    ast::Expr::Call { op, args: vec![cond, one, rest] }
                }))
            }
        }
    }

    /// What an index in scope is computed of: itself, if it is a loop's; whether a condition says where it lies.
    fn of_index(&self, name: &Ident) -> (ast::Expr, bool) {
        let e = ast::Expr::Name(name.clone());
        self.underived(&e).unwrap_or((e, false))
    }

    /// The indices `to` of sizes `sizes` as one, in their order: `i * |j| + j`.
    fn sum(&mut self, to: Vec<ast::Expr>, sizes: &[Expr], span: Span) -> ast::Expr {
        let mut below = Expr::int(1);
        let mut flat = None;
        for (index, size) in to.into_iter().zip(sizes).rev() {
            let by = self.size_ast(&below, span);
            let term = match whole(&by) {
                Some(1) => index,
                _ => binary(Op::Mul, index, by, span),
            };
            flat = Some(match flat {
                None => term,
                Some(rest) => binary(Op::Add, term, rest, span),
            });
            below = self.product(&below, size);
        }
        flat.unwrap_or(ast::Expr::Lit(Lit::Int(0), None, span))
    }

    /// Gives the indices that `s` takes away their places in `flat`.
    fn digits(&mut self, s: &Shape, flat: ast::Expr, sizes: &[Expr], guarded: bool) {
        let all = |i: &Sized| self.derivation(&i.name).is_none_or(|derived| derived.whole);
        let covers = s.to.iter().all(all);
        let mut below = Expr::int(1);
        for (place, Sized { name, .. }) in s.from.iter().enumerate().rev() {
            let by = self.size_ast(&below, s.span);
            let mut of = match whole(&by) {
                Some(1) => flat.clone(),
                _ => binary(Op::Div, flat.clone(), by, s.span),
            };
            if place > 0 {
                let size = self.size_ast(&sizes[place], s.span);
                of = binary(Op::Rem, of, size, s.span);
            }
            self.derive(name, of, guarded, covers);
            below = self.product(&below, &sizes[place]);
        }
    }

    /// Gives the index `name` its meaning in the operands.
    fn derive(&mut self, name: &Ident, of: ast::Expr, guarded: bool, whole: bool) {
        let outer = std::mem::replace(&mut self.position, super::Position::Total);
        let value = self.expr(&of);
        self.position = outer;
        self.literals.push(Literal { value, float: false });
        let place = self.literals.len() - 1;
        self.derived.insert(place, Derived { of, guarded, whole });
        self.scope.push((name.to_string(), Meaning::Literal(place)));
    }

    /// A size as a name in scope, or as a number.
    fn size_ast(&mut self, size: &Expr, span: Span) -> ast::Expr {
        if let Expr::Lit(lit) = size {
            return ast::Expr::Lit(lit.clone(), None, span);
        }
        let Expr::Var(var) = self.held_size(size.clone()) else {
            unreachable!("a local is a variable")
        };
        let name = Ident::new(&format!("__size_{}", var.0), span);
        self.scope.push((name.to_string(), Meaning::Var(var)));
        ast::Expr::Name(name)
    }

    /// A size as a number or a variable.
    pub(super) fn held_size(&mut self, size: Expr) -> Expr {
        match size {
            Expr::Lit(_) | Expr::Var(_) => size,
            size => match self.kernel.prelude.iter().find(|(_, value)| *value == size) {
                Some((var, _)) => Expr::Var(*var),
                None => self.kernel_local("size", size),
            },
        }
    }

    /// Whether `whole` is the product of `a` and `b`, as [`Self::product`] made it.
    pub fn is_product(&self, whole: &Expr, a: &Expr, b: &Expr) -> bool {
        match (whole, a, b) {
            (Expr::Lit(Lit::Int(w)), Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b))) => {
                a.checked_mul(*b) == Some(*w)
            }
            (w, Expr::Lit(Lit::Int(1)), b) => w == b,
            (w, a, b) => self.products.iter().any(|(x, y, p)| (x, y, p) == (a, b, w)),
        }
    }

    pub(super) fn product(&mut self, a: &Expr, b: &Expr) -> Expr {
        match (a, b) {
            (Expr::Lit(Lit::Int(1)), e) | (e, Expr::Lit(Lit::Int(1))) => e.clone(),
            (Expr::Lit(Lit::Int(x)), Expr::Lit(Lit::Int(y))) => {
                Expr::int(x.saturating_mul(*y).min(1 << 61))
            }
            _ => {
                if let Some((.., known)) = self.products.iter().find(|(x, y, _)| (x, y) == (a, b)) {
                    return known.clone();
                }
                let args = vec![a.clone(), b.clone()];
                let product = self.kernel.call(Runtime::Product, args, Ty::Index);
                let product = self.held_size(product);
                self.products.push((a.clone(), b.clone(), product.clone()));
                product
            }
        }
    }

    /// Takes the extent of `index` from a shape operator.
    pub fn by_operator(&mut self, index: VarId) -> bool {
        let Some(range) = self.ranges.iter().find(|r| r.index == index) else { return false };
        self.extents.insert(index, (Expr::int(0), range.size.clone()));
        true
    }
}

/// Indices as written, without their sizes.
fn listed(indices: &[Sized]) -> String {
    let names: Vec<String> = indices.iter().map(|i| i.name.to_string()).collect();
    match &names[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// The operator and what it makes, for messages.
pub(super) fn called(s: &Shape) -> String {
    let to: Vec<String> = s.to.iter().map(|i| format!("`{}`", i.name)).collect();
    format!("`{}` to {}", s.op.name(), to.join(", "))
}

fn binary(op: Op, a: ast::Expr, b: ast::Expr, span: Span) -> ast::Expr {
    ast::Expr::Call { op: ast::OpRef { op, path: None, span }, args: vec![a, b] }
}

/// The whole number that `e` is written as.
fn whole(e: &ast::Expr) -> Option<i128> {
    match e {
        ast::Expr::Lit(Lit::Int(n), None, _) => Some(*n),
        _ => None,
    }
}
