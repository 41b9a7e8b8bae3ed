//! Assignments: what is assigned to, and what is reduced into it by which operator.

use super::access::type_name;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;

impl Resolver<'_> {
    /// `target = value`, or by `op` in place of `=`.
    pub(super) fn assign(
        &mut self,
        target: &ast::Expr,
        op: Option<&ast::OpRef>,
        value: &ast::Expr,
        span: proc_macro2::Span,
    ) -> Stmt {
        if let ast::Expr::Name(name) | ast::Expr::Access { name, .. } = target {
            self.written.insert(name.to_string());
        }
        let update = if op.is_none() { self.as_update(target, value) } else { None };
        let (updates, value) = match update {
            Some((op, other)) => (Some(ast::OpRef { op, path: None, span }), other),
            None => (None, value),
        };
        let op = op.or(updates.as_ref());
        let (e, target_written) = (value, target);
        self.place = self.held(target).filter(Ty::is_float);
        let value = self.knowing_taken(value, |r| r.expr(value));
        self.place = None;
        let (made, value) = match (target, op) {
            (ast::Expr::Name(name), None) => self.as_reduction(name, value),
            _ => (None, value),
        };
        let made = made.map(|op| ast::OpRef { op, path: None, span });
        let op = op.or(made.as_ref());
        if let (ast::Expr::Name(name), Some(op)) = (target, op) {
            self.check_count(name, op, &value);
        }
        if op.is_none() {
            let update = crate::parse::update(target, e);
            self.updates.extend(update.map(|u| (self.assigned, u)));
        }
        let operator = op;
        let stored = self.changes_stored(target, op.map(|op| &op.op));
        let target = match target {
            ast::Expr::Name(name) => self.scalar_target(name, &value),
            ast::Expr::Access { name, indices, span, .. } if stored.is_some() => {
                self.stored_element(name, indices, *span)
            }
            ast::Expr::Access { name, indices, span, .. } => {
                self.access(name, indices, *span, true)
            }
            _ => {
                self.errors.error(span, "only a scalar `c` or an access `A[i, j]` can be assigned");
                None
            }
        };
        let op = match op {
            Some(op) => match self.reduction(op) {
                Some(op) => Some(op),
                None => return Stmt::Pass,
            },
            None => None,
        };
        if let (Some(op), None, None) = (operator, &made, &updates) {
            self.takes_part(target_written, op, e);
        }
        match operator {
            None => self.stores_fill(target_written, e),
            Some(op) if matches!(op.op, Op::Add | Op::Sub) => self.sums_of_all(target_written, e),
            Some(_) => {}
        }
        self.written_outside(target_written, e);
        if let (Expr::Lit(Lit::Missing), ast::Expr::Lit(..), None) = (&value, e, operator) {
            let note = "an assignment of `missing` writes nothing: write the value that is to be there, or `remove` in front of an element of a format whose entries go";
            self.kernel.warn(Warning {
                span: e.span(),
                name: "nothing_is_written",
                note: note.to_owned(),
            });
        }
        let Some(target) = target else { return Stmt::Pass };
        let ty = self.kernel.type_of(&target).unwrap_or(Ty::Unknown);
        let name = match &target {
            Expr::Access(a) => self.kernel.tensor(self.kernel.get(*a).tensor).name.to_string(),
            Expr::Call(..) => {
                stored.map_or_else(String::new, |t| self.kernel.tensor(t).name.to_string())
            }
            Expr::Var(v) => self.kernel.info(*v).name.clone(),
            _ => String::new(),
        };
        if let (Expr::Var(v), Some(op), Ty::Unknown) = (&target, operator, &ty) {
            let given =
                self.kernel.assigned_at.contains_key(&name) && !self.constants.contains_key(v);
            if matches!(&op.op, Op::Min | Op::Max) && !given {
                let called = self.kernel.called(*v);
                self.errors.error(e.span(), format!(
                    "nothing in the program says which type `{called}` has, and `{}` needs it: declare it before the statement, `let mut {called}: f64;`", op.op.name()));
            }
        }
        let called = match &target {
            Expr::Var(v) => self.kernel.called(*v),
            _ => name.clone(),
        };
        let whole = |own: Ty| own == Ty::Index || own.is_integer();
        let adds = operator.is_some_and(|op| matches!(op.op, Op::Add | Op::Sub));
        let counts = |own: Option<Ty>| own.is_none_or(|own| whole(own.clone()) || own == Ty::Bool);
        if adds && ty.is_integer() && counts(self.kernel.type_of(&value)) {
            let own = self.kernel.depends(&target);
            // Otherwise there is one term for each element.
            let summed = self.loops.iter().any(|l| !own.contains(l));
            if summed {
                self.becomes_a_term(e);
            }
            if summed || self.is_gathered(&target) {
                self.narrow_sum((&target, &called), &ty, e, &value);
            }
        }
        let value = self.assigned_value((&called, &ty), operator, e, value);
        if let (Expr::Var(v), Some((a, b))) = (&target, self.literals_of(&value)) {
            let known = self.constants.entry(*v).or_insert((0, 0));
            *known = (known.0.min(a), known.1.max(b));
        }
        self.kernel.assigned_at.entry(name).or_insert(span);
        self.assigned += 1;
        if let Some(op) = &op {
            let types = [self.kernel.type_of(&target), self.kernel.type_of(&value)];
            self.kernel.seen(op, &types);
        }
        if let Expr::Call(Op::Place, args) = &target {
            let value = match op {
                Some(op) => Expr::call(op, [args[0].clone(), value]),
                None => value,
            };
            return Stmt::Assign { target, op: None, value };
        }
        if op.as_ref().is_some_and(|op| *op == Op::Choose) {
            if let (Expr::Access(a), Some(op)) = (&target, operator) {
                let tensor = self.kernel.tensor(self.kernel.get(*a).tensor);
                if tensor.chain.open_fill() {
                    self.errors.error(op.span, format!("`choose` keeps the first value that is not the fill, and that of `{}` is left open, `_`: name it, or leave `_` out for 0", tensor.name));
                }
            }
            // What counts as not chosen yet: the fill of a tensor, the zero of a scalar's type.
            let fill = match &target {
                Expr::Access(a) => self.kernel.tensor(self.kernel.get(*a).tensor).fill.clone(),
                _ if self.kernel.type_of(&target) == Some(Ty::Bool) => Expr::bool(false),
                _ => Expr::int(0),
            };
            // Of bools it is `||`, which leaves without values have too.
            if fill == Expr::bool(false) && self.kernel.type_of(&value) == Some(Ty::Bool) {
                return Stmt::Assign { target, op: Some(Op::Or), value };
            }
            let value = Expr::call(Op::Chosen, [value, fill]);
            return Stmt::Assign { target, op, value };
        }
        Stmt::Assign { target, op, value }
    }

    /// The type of what is assigned to, if that is declared.
    pub(super) fn held(&self, target: &ast::Expr) -> Option<Ty> {
        let (ast::Expr::Name(name) | ast::Expr::Access { name, .. }) = target else { return None };
        match self.lookup(name)? {
            Meaning::Var(v) => Some(self.kernel.info(v).ty.clone()),
            Meaning::Tensor(t) => Some(self.kernel.tensor(t).value.clone()),
            _ => None,
        }
    }

    /// A scalar without a declaration has the type of what it is given first: one that counts bools
    /// needs a type to count in.
    pub(super) fn check_count(&mut self, name: &Ident, op: &ast::OpRef, value: &Expr) {
        let Some(Meaning::Var(v)) = self.lookup(name) else { return };
        let open =
            self.kernel.info(v).ty == Ty::Unknown && self.kernel.info(v).kind == VarKind::Scalar;
        let counts = matches!(&op.op, Op::Add | Op::Sub | Op::Mul);
        if open && counts && self.kernel.type_of(value) == Some(Ty::Bool) {
            self.errors.error(name.span(), format!(
                "`{name}` counts bools, and nothing says in which type: declare it before the statement, `let mut {name}: u64;`"));
        }
    }

    /// The scalar `name` as the target of an assignment.
    pub(super) fn scalar_target(&mut self, name: &Ident, value: &Expr) -> Option<Expr> {
        let definition = format!(
            "`{name}` is a definition and cannot be assigned: declare it with `let mut {name}: T;`"
        );
        let message = match self.lookup(name) {
            Some(Meaning::Var(v)) => match self.kernel.info(v).kind {
                VarKind::Scalar => {
                    if self.kernel.info(v).ty == Ty::Unknown {
                        let ty = self.kernel.type_of(value).unwrap_or(Ty::Unknown);
                        self.kernel.vars[v.0 as usize].ty = ty;
                    }
                    return Some(Expr::Var(v));
                }
                _ if self.rebound.contains(&v) => return None,
                VarKind::Index => format!("`{name}` is a loop index and cannot be assigned"),
                VarKind::Let => definition,
                _ => {
                    let ty = type_name(&self.kernel.info(v).ty);
                    format!(
                        "`{name}` is an input and cannot be assigned: declare it `{}`",
                        self.mutable(name, &ty)
                    )
                }
            },
            Some(Meaning::Literal(_)) => definition,
            Some(Meaning::Tensor(t)) => self.lacks_indices(name, t),
            Some(Meaning::Broken) => return None,
            None if !self.unknown.insert(name.to_string()) => return None,
            None => {
                let scalar = |r: &Self, meaning: Meaning| matches!(meaning, Meaning::Var(v) if r.kernel.info(v).kind == VarKind::Scalar);
                let declare = || {
                    let meant = self.meant(name, scalar);
                    format!(
                        "{meant}declare it in the header, `{}`, or with `let mut {name}: T;`",
                        self.mutable(name, "T")
                    )
                };
                let advice = self.ended(name).unwrap_or_else(declare);
                format!("unknown scalar `{name}`: {advice}")
            }
        };
        self.errors.error(name.span(), message);
        None
    }
}
