//! The operands of operators and functions: the order in which their types become known, and which types
//! there can be. What rustc would refuse in the generated code is refused here, at the user's token.

use super::access::type_name;
use super::typing::{becomes, tuple};
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::ops::Typing;
use std::collections::BTreeSet;

/// Whether the operands of `op` meet in one type, which is that of the result.
pub(super) fn meets(op: &Op) -> bool {
    matches!(op.row().typing, Typing::Number | Typing::Meet) && *op != Op::Choose
}

/// The type to convert one of two to that do not meet: one that holds both where it is their order that matters, so that
/// no number below zero becomes a large one; otherwise that of the two that has such numbers.
fn meeting_place(a: &Ty, b: &Ty, ordered: bool) -> String {
    let holds =
        |ty: &Ty| ty.integers().is_some_and(|(_, most)| most.is_some_and(|m| m < i128::MAX));
    match ordered && holds(a) && holds(b) {
        true => "i128".to_owned(),
        false if a.is_unsigned() => type_name(b),
        false => type_name(a),
    }
}
impl Resolver<'_> {
    /// Whether `e` is made of literals, coordinates and bools alone, so that its place says in which type
    /// of floats it is computed; and whether it is of floats.
    pub(super) fn open(&self, e: &ast::Expr) -> Option<bool> {
        match e {
            ast::Expr::Lit(lit, suffix, _) => match suffix.as_deref() {
                None => Some(matches!(lit, Lit::Float(_))),
                Some(suffix) => (suffix == "float").then_some(true),
            },
            ast::Expr::Name(name) => match self.lookup(name)? {
                Meaning::Var(v) => {
                    matches!(self.kernel.info(v).ty, Ty::Index | Ty::Bool).then_some(false)
                }
                Meaning::Literal(k) => Some(self.literals[k].float),
                Meaning::Tensor(_) | Meaning::Broken => None,
            },
            ast::Expr::Access { name, .. } => match self.lookup(name)? {
                Meaning::Tensor(t) => (self.kernel.tensor(t).value == Ty::Bool).then_some(false),
                _ => None,
            },
            ast::Expr::Path(_) | ast::Expr::Escape(..) => None,
            ast::Expr::Shape(shape) => {
                shape.operands.iter().try_fold(false, |any, a| Some(self.open(a)? | any))
            }
            ast::Expr::Call { op, args } => match &op.op {
                op if op.is_predicate() => Some(false),
                op if meets(op) || *op == Op::IfElse => {
                    let parts = &args[usize::from(*op == Op::IfElse).min(args.len())..];
                    parts.iter().try_fold(false, |any, a| Some(self.open(a)? | any))
                }
                Op::Method(method) if method.is_of_floats() => {
                    self.open(args.first()?).map(|_| true)
                }
                _ => None,
            },
        }
    }

    /// The arguments of a call. Those that are open come last: the others say what they are computed in.
    pub(super) fn arguments(&mut self, op: &ast::OpRef, args: &[ast::Expr]) -> Vec<Expr> {
        let outer = self.place.take();
        let op = &op.op;
        let own = meets(op) || *op == Op::IfElse;
        let meets = own || op.is_comparison();
        let inherits = own || matches!(op, Op::Method(_));
        let late: Vec<bool> = args.iter().map(|a| meets && self.open(a) == Some(true)).collect();
        let mut values: Vec<Option<Expr>> = vec![None; args.len()];
        let place = outer.clone().filter(|_| inherits);
        let around = (self.conditions.len(), self.guards.len());
        for (k, a) in args.iter().enumerate().filter(|(k, _)| !late[*k]) {
            // Of calls of declared operators, what they take; a condition is computed for itself.
            self.place = match self.function(op) {
                Some(f) if f.declared => f.takes.get(k).filter(|t| t.is_float()).cloned(),
                _ if *op == Op::IfElse && k == 0 => None,
                _ => place.clone(),
            };
            let branch = if *op == Op::IfElse { self.branch(k, &values) } else { None };
            let value = self.in_branch(branch, a);
            // What follows is read where this holds, or does not.
            if matches!(op, Op::And | Op::Or) || *op == Op::IfElse && k == 0 {
                self.conditions.push(self.compared(&value));
                self.guards.extend(comparisons(a));
            }
            values[k] = Some(value);
        }
        if late.contains(&true) {
            let others = values.iter().enumerate().filter(|(k, _)| *op != Op::IfElse || *k > 0);
            let others: Vec<Expr> = others.filter_map(|(_, v)| v.clone()).collect();
            let met = self.kernel.join_all(&others).filter(Ty::is_float);
            for (k, a) in args.iter().enumerate().filter(|(k, _)| late[*k]) {
                self.place = met.clone().or_else(|| place.clone());
                let branch = if *op == Op::IfElse { self.branch(k, &values) } else { None };
                values[k] = Some(self.in_branch(branch, a));
            }
        }
        self.conditions.truncate(around.0);
        self.guards.truncate(around.1);
        self.place = outer;
        values.into_iter().flatten().collect()
    }

    /// The indices of loops that the condition `cond` compares.
    pub(super) fn compared(&self, cond: &Expr) -> BTreeSet<VarId> {
        let mut compared = BTreeSet::new();
        cond.walk(&mut |e| {
            if let Expr::Var(v) = e {
                let index = self.kernel.info(*v).kind == VarKind::Index;
                compared.extend(index.then_some(*v));
            }
        });
        compared
    }

    /// What holds where the argument at `k` of a choice is evaluated, if that is a condition on indices.
    fn branch(&self, k: usize, values: &[Option<Expr>]) -> Option<Expr> {
        let cond = values[0].clone().filter(|_| k > 0)?;
        let mut plain = self.kernel.type_of(&cond) == Some(Ty::Bool);
        cond.walk(&mut |e| {
            plain &= match e {
                Expr::Lit(_) | Expr::Call(..) => true,
                Expr::Var(v) => self.kernel.info(*v).kind == VarKind::Index || self.kernel.fixed(e),
                _ => false,
            }
        });
        plain.then(|| if k == 1 { cond } else { Expr::call(Op::Not, [cond]) })
    }

    /// `e`, which is evaluated where `branch` holds.
    fn in_branch(&mut self, branch: Option<Expr>, e: &ast::Expr) -> Expr {
        let around = self.branches.len();
        self.branches.extend(branch);
        let value = self.expr(e);
        self.branches.truncate(around);
        value
    }

    /// Whether `op` is of operands such as these; if not, that is an error at the token at fault.
    pub(super) fn operands(
        &mut self,
        op: &ast::OpRef,
        args: &[ast::Expr],
        values: &[Expr],
    ) -> bool {
        let name = match &op.op {
            Op::As(_) => "as".into(),
            other => other.name(),
        };
        let types: Vec<Option<Ty>> = values.iter().map(|v| self.kernel.type_of(v)).collect();
        let real = |t: &Option<Ty>| t.as_ref().is_some_and(|t| t.is_float() || t.is_complex());
        if !self.tuples(&op.op, args, &types) {
            return false;
        }
        match &op.op {
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => {
                let shift = matches!(op.op, Op::Shl | Op::Shr);
                for (a, t) in args.iter().zip(&types) {
                    let fraction = t.is_none() && self.open(a) == Some(true) && shift;
                    if let (Op::BitXor, true, Some(t)) = (&op.op, real(t), t) {
                        self.errors.error(op.span, format!("`^` is of integers and bools, and this is of `{}`: a power is `powi(x, 2)`, or `powf(x, y)`", type_name(t)));
                        return false;
                    }
                    if real(t) || fraction {
                        let of = if shift { "integers" } else { "integers and bools" };
                        let is = match t {
                            Some(t) => format!("`{}`: convert it, `.. as u32`", type_name(t)),
                            None => "a fraction: write a whole number".to_owned(),
                        };
                        self.errors
                            .error(a.span(), format!("`{name}` is of {of}, and this is {is}"));
                        return false;
                    }
                    if shift && *t == Some(Ty::Bool) {
                        self.errors.error(a.span(), format!("`{name}` is of integers, and this is a `bool`: write `ifelse(.., 1, 0)`"));
                        return false;
                    }
                }
                if shift {
                    return self.shift(args, types.first().cloned().flatten());
                }
            }
            Op::As(to) => {
                let other = |t: &&Ty| matches!(t, Ty::Named(name) if !primitive(name));
                if let Some(ty) = types[0].as_ref().filter(other) {
                    let (ty, to) = (type_name(ty), type_name(to));
                    self.errors.error(args[0].span(), format!("`as` converts primitive numbers, and this is `{ty}`: call a function that gives `{to}`"));
                    return false;
                }
            }
            Op::Not if real(&types[0]) => {
                let ty = types[0].as_ref().map(type_name).unwrap_or_default();
                self.errors.error(
                    op.span,
                    format!(
                        "`!` is of bools and integers, and this is `{ty}`: compare it, `x == 0`"
                    ),
                );
                return false;
            }
            Op::Neg if !self.position.is_coordinate() => {
                if let Some(ty) = types[0].as_ref().filter(|ty| ty.is_unsigned()) {
                    let ty = type_name(ty);
                    let message = format!("there are no negative numbers of `{ty}`: convert it first, `-(.. as i64)`, or subtract it from what is larger");
                    self.errors.error(op.span, message);
                    return false;
                }
            }
            Op::Min | Op::Max | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                if let Some(k) = types.iter().position(|t| t.as_ref().is_some_and(Ty::is_complex)) {
                    self.errors.error(args[k].span(), format!("complex numbers have no order, and `{name}` needs one: compare what has, such as `let z = ..; $(z.norm_sqr())`"));
                    return false;
                }
            }
            Op::Div | Op::Rem => {
                let divisor = args.get(1).and_then(|d| self.exact(d));
                let whole = types[0].as_ref().is_some_and(|t| t.is_integer() || *t == Ty::Index);
                if whole && divisor == Some(Lit::Int(0)) {
                    self.errors.error(args[1].span(), "an integer is divided by 0 here, which always panics: write the divisor that is meant, or `0.0f64` to compute in floats");
                    return false;
                }
            }
            _ => {}
        }
        if op.op.key().is_some() {
            let Some(f) = self.function(&op.op).filter(|f| f.declared) else { return true };
            let takes = f.takes.clone();
            return self.declared_arguments((&op.op.name(), &takes), args, &types);
        }
        if let Op::Method(method) = &op.op {
            return self.method(op, *method, types[0].clone(), args.first())
                && (1..args.len()).all(|k| self.method_takes(*method, k, args, &types));
        }
        let meeting = meets(&op.op) || op.op == Op::IfElse || op.op.is_comparison();
        if meeting && !self.position.is_coordinate() {
            let from = usize::from(op.op == Op::IfElse);
            let mut met: Option<Ty> = None;
            for ty in types[from..].iter().flatten() {
                let with = met.as_ref().map_or(ty.clone(), |m| join(m, ty));
                if let (Some(a @ Ty::Named(x)), Ty::Named(y), Ty::Unknown) = (&met, ty, &with) {
                    if primitive(x) && primitive(y) {
                        let to = meeting_place(
                            a,
                            ty,
                            op.op.is_comparison() || matches!(op.op, Op::Min | Op::Max),
                        );
                        let (a, b) = (type_name(a), type_name(ty));
                        self.errors.error(op.span, format!("neither `{a}` nor `{b}` holds all numbers of the other: convert one, `.. as {to}`"));
                        return false;
                    }
                }
                met = Some(with);
            }
        }
        true
    }

    /// Whether `op` takes the tuples that are among `args`, and tuples only where it takes no others.
    fn tuples(&mut self, op: &Op, args: &[ast::Expr], types: &[Option<Ty>]) -> bool {
        let name = if let Op::As(_) = op { "as".into() } else { op.name() };
        let plain = |t: &Option<Ty>| t.as_ref().is_none_or(Ty::is_plain);
        let any = args.iter().position(|a| tuple(a).is_some());
        let none = (0..args.len()).find(|k| tuple(&args[*k]).is_none() && plain(&types[*k]));
        let (at, message) = match (op, any, none) {
            (Op::MinBy | Op::MaxBy, _, Some(k)) => {
                (k, format!("`{name}` takes tuples and compares their first parts, and this is none: write `(key, ..)`"))
            }
            (op, Some(_), Some(k)) if op.is_comparison() => {
                (k, "a tuple is compared with a tuple, and this is none: compare one of its parts".to_owned())
            }
            (op, Some(k), _) if !op.takes_tuples() => {
                (k, format!("`{name}` is of numbers, and this is a tuple: write one of its parts"))
            }
            _ => return true,
        };
        self.errors.error(args[at].span(), message);
        false
    }

    /// The amount of a shift: what rustc knows to be too much is.
    fn shift(&mut self, args: &[ast::Expr], ty: Option<Ty>) -> bool {
        let bits = match &ty {
            Some(Ty::Index) => 64,
            Some(Ty::Named(t)) if t == "usize" || t == "isize" => 64,
            Some(Ty::Named(t)) if ty.as_ref().is_some_and(Ty::is_integer) => {
                t[1..].parse().unwrap_or(128)
            }
            _ => 128,
        };
        match self.exact(&args[1]) {
            Some(Lit::Int(n)) if !(0..bits).contains(&n) => {
                self.errors.error(
                    args[1].span(),
                    format!(
                        "a shift by {n} is none of a number of {bits} bits: shift by 0 to {}",
                        bits - 1
                    ),
                );
                false
            }
            _ => true,
        }
    }

    /// Whether `method` takes the argument at `k`.
    fn method_takes(
        &mut self,
        method: Method,
        k: usize,
        args: &[ast::Expr],
        types: &[Option<Ty>],
    ) -> bool {
        let (name, e) = (method.name(), &args[k]);
        let own = types[0].clone().filter(|ty| !matches!(ty, Ty::Index | Ty::Bool));
        let takes = match method.takes(k, &own.clone().unwrap_or(Ty::Unknown)) {
            // Beside a literal or a coordinate, of the type that these become.
            Ty::Unknown => return true,
            takes => takes,
        };
        if takes.is_complex() {
            return true;
        }
        let does = if name.starts_with("pow") { "raises to" } else { "takes" };
        match &types[k] {
            None if takes.is_integer() && self.open(e) == Some(true) => {
                let instead = match method {
                    Method::Powi => "write `powf`".to_owned(),
                    _ => format!("write a whole number of `{}`", type_name(&takes)),
                };
                self.errors.error(e.span(), format!("`{name}` {does} whole numbers: {instead}"));
                false
            }
            None => self.fits(e, &takes, &format!("what `{name}` {does}")),
            Some(ty) => {
                let good = becomes(ty, &takes);
                if !good {
                    let (ty, takes) = (type_name(ty), type_name(&takes));
                    self.errors.error(e.span(), format!("`{name}` {does} `{takes}`, and this is `{ty}`: convert it, `.. as {takes}`"));
                }
                good
            }
        }
    }

    fn declared_arguments(
        &mut self,
        (name, takes): (&str, &[Ty]),
        args: &[ast::Expr],
        types: &[Option<Ty>],
    ) -> bool {
        let parameter = |k: usize| takes.get(k).or(takes.last()).cloned().unwrap_or(Ty::Unknown);
        let takes: Vec<Ty> = (0..args.len()).map(parameter).collect();
        for ((a, ty), takes) in args.iter().zip(types).zip(takes) {
            let good = match ty {
                Some(ty) => {
                    let good = becomes(ty, &takes);
                    if !good {
                        let (ty, takes) = (type_name(ty), type_name(&takes));
                        self.errors.error(a.span(), format!("`{name}` takes `{takes}` here, and this is `{ty}`: convert it, `.. as {takes}`"));
                    }
                    good
                }
                None => self.fits(a, &takes, &format!("what `{name}` takes")),
            };
            if !good {
                return false;
            }
        }
        true
    }
}

/// Both sides of each comparison in the condition `cond`, as text.
pub(super) fn comparisons(cond: &ast::Expr) -> Vec<(String, String)> {
    let mut all = Vec::new();
    ast::visit::visit_expr(cond, &mut |e| {
        let ast::Expr::Call { op, args } = e else { return };
        if let ([a, b], true) = (&args[..], op.op.is_comparison()) {
            all.extend(crate::parse::written(a).zip(crate::parse::written(b)));
        }
    });
    all
}
