//! What places hold: a value that is assigned, reduced into one or used as a coordinate is converted to its
//! type without loss, or an error at the user's token.

use super::access::type_name;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::ops::Typing;
use crate::parse::written;

impl Resolver<'_> {
    /// `value` as what is assigned to, or reduced into, a place of type `ty` that is called `name`.
    pub(super) fn assigned_value(
        &mut self,
        (name, ty): (&str, &Ty),
        op: Option<&ast::OpRef>,
        e: &ast::Expr,
        value: Expr,
    ) -> Expr {
        let symbol = op.map(|op| &op.op);
        if !self.shaped((name, ty), op, e) || !self.whole((name, ty), e, &value) {
            return value;
        }
        if ty.is_float() {
            self.becomes_float(e, &value, ty);
        }
        let value = match super::expr::has_negative(ty) {
            true => self.difference_of_coordinates(value),
            false => value,
        };
        self.becomes_wider(e, &value, ty);
        self.becomes_a_number(e, &value, ty);
        let own = self.kernel.type_of(&value);
        let logical = matches!(symbol, Some(Op::And | Op::Or));
        if let (true, Some(op), false) = (logical, op, matches!(ty, Ty::Bool | Ty::Unknown)) {
            let symbol = if op.op == Op::And { "&&" } else { "||" };
            let is = type_name(ty);
            self.errors.error(op.span, format!("`{symbol}` is of bools, and `{name}` is `{is}`: declare it with `bool`, or reduce it by `<<max>>=` or `<<min>>=`"));
            return value;
        }
        if logical && matches!(own, Some(Ty::Named(_) | Ty::Index)) {
            return Expr::call(Op::Ne, [value, Expr::int(0)]);
        }
        if let (Some(op), Some(declared)) = (op, symbol.and_then(|s| self.function(s))) {
            let takes = declared.takes.get(1).cloned().unwrap_or(Ty::Unknown);
            if !declared.declared {
                return value;
            }
            match &own {
                Some(own) if !becomes(own, &takes) => {
                    let (own, takes) = (type_name(own), type_name(&takes));
                    self.errors.error(e.span(), format!("`{}` takes `{takes}` here, and this is `{own}`: convert it, `.. as {takes}`", op.op.name()));
                    return value;
                }
                _ => {
                    return self.settled(
                        e,
                        value,
                        &takes,
                        &format!("what `{}` takes", op.op.name()),
                    )
                }
            }
        }
        if let (Some(op), Some(symbol)) = (op, symbol) {
            let real = ty.is_float() || ty.is_complex();
            let wrong = match symbol {
                Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr if real => {
                    Some("integers and bools")
                }
                Op::Min | Op::Max if ty.is_complex() => Some("what has an order"),
                op if ty.parts().is_some() && !op.takes_tuples() => Some("numbers"),
                op if op.row().typing == Typing::Number && *ty == Ty::Bool => Some("numbers"),
                _ => None,
            };
            if let Some(of) = wrong {
                let advice = match ty {
                    Ty::Bool => "reduce it by `||=` or `&&=`, or declare a number to count in",
                    ty if ty.parts().is_some() => {
                        "reduce it by `<<minby>>=` or `<<maxby>>=`, or by a function of your own"
                    }
                    _ => "reduce it by another operator, or declare another type",
                };
                let is = type_name(ty);
                self.errors.error(
                    op.span,
                    format!("`{}` is of {of}, and `{name}` is `{is}`: {advice}", symbol.name()),
                );
                return value;
            }
            if matches!(symbol, Op::MinBy | Op::MaxBy) {
                self.best_of_indices(op, e, &value);
            }
            if matches!(symbol, Op::MinBy | Op::MaxBy | Op::And | Op::Or) {
                return self.parts(name, ty, e, value);
            }
        }
        match own {
            None if *ty == Ty::Unknown => self.as_written(e).unwrap_or(value),
            None => self.settled(e, value, ty, &format!("the type of `{name}`")),
            Some(own) if !becomes(&own, ty) => {
                let (is, holds) = (type_name(&own), type_name(ty));
                let advice = match (&own, ty) {
                    (_, Ty::Bool) if self.difference_of_bools(e) => {
                        "what is in the first alone is `a[i] && !b[i]`".to_owned()
                    }
                    (_, Ty::Bool) => "compare it, as in `x != 0`".to_owned(),
                    (float, whole)
                        if float.is_float()
                            && whole.is_integer()
                            && symbol == Some(&Op::Add)
                            && matches!(e, ast::Expr::Access { .. }) =>
                    {
                        let e = written(e).unwrap_or_default();
                        format!("declare `{name}` with `{is}` for their sum, or count those that are not 0, `{e} != 0`")
                    }
                    // The conversion is the user's, and to another type.
                    _ if converts(e, &own) => format!(
                        "write `as {holds}` in place of `as {is}`, or declare `{name}` with `{is}`"
                    ),
                    (Ty::Named(a), Ty::Named(b)) if !primitive(a) || !primitive(b) => format!(
                        "declare `{name}` with `{is}`, or call a function that gives `{holds}`"
                    ),
                    _ => format!(
                        "declare `{name}` with `{is}`, or convert the value, `(..) as {holds}`"
                    ),
                };
                self.errors.error(
                    e.span(),
                    format!("`{name}` is `{holds}`, and this is `{is}`: {advice}"),
                );
                value
            }
            _ => self.parts(name, ty, e, value),
        }
    }

    /// Whether `e` is the difference of bools.
    fn difference_of_bools(&self, e: &ast::Expr) -> bool {
        let is_bool = |e: &ast::Expr| {
            matches!(e, ast::Expr::Access { name, .. }
            if matches!(self.lookup(name), Some(Meaning::Tensor(t)) if self.kernel.tensor(t).value == Ty::Bool))
        };
        matches!(e, ast::Expr::Call { op, args } if op.op == Op::Sub && args.iter().all(is_bool))
    }

    /// Whether a place of type `ty` holds a value of such a shape: a tuple of its length, or none. If not,
    /// that is an error at the value.
    fn shaped(&mut self, (name, ty): (&str, &Ty), op: Option<&ast::OpRef>, e: &ast::Expr) -> bool {
        let by = op.filter(|op| matches!(op.op, Op::MinBy | Op::MaxBy));
        let of = |n: usize| format!("({})", vec![".."; n].join(", "));
        let (parts, given) = (ty.parts(), tuple(e));
        let holds = type_name(ty);
        let message = match (&parts, given) {
            (Some(parts), Some(given)) if parts.len() != given => {
                let n = parts.len();
                format!("`{name}` is `{holds}`, a tuple of {n}, and this is one of {given}: write `{}`, or declare `{name}` with {given} parts", of(n))
            }
            (None, _) if by.is_some() && ty.is_plain() => {
                let (op, plain, start) = match by.map(|op| &op.op) {
                    Some(Op::MinBy) => ("minby", "min", "f64::INFINITY"),
                    _ => ("maxby", "max", "f64::NEG_INFINITY"),
                };
                let span = by.map_or(e.span(), |op| op.span);
                let tensor = self.kernel.tensors.iter().any(|t| t.name == name);
                let at = if tensor { "[..]" } else { "" };
                let cure = match given {
                    // A whole number is to hold the place, not the value.
                    Some(2) if ty.is_integer() => {
                        let place = if holds == "usize" { String::new() } else { format!(" as {holds}") };
                        format!("for the place alone, reduce into a scalar in the loop around, `let mut best: (f64, usize) = ({start}, 0);`, by `best <<{op}>>= ..`, and write `{name}{at} = $(best.1{place})` after; for both, declare `{name}` with `(f64, usize)`")
                    }
                    _ => format!("declare `{name}` with `({holds}, usize)` to keep the place as well, or reduce it by `{plain}`"),
                };
                self.errors.error(
                    span,
                    format!(
                        "`{op}` keeps a tuple by its first part, and `{name}` is `{holds}`: {cure}"
                    ),
                );
                return false;
            }
            (None, Some(_)) if ty.is_plain() => {
                format!("`{name}` is `{holds}`, and this is a tuple: write one of its parts, or declare `{name}` with a tuple")
            }
            _ => return true,
        };
        self.errors.error(e.span(), message);
        false
    }

    /// Whether `value`, which is no tuple as written, may be one of type `ty`; if not, that is an error.
    fn whole(&mut self, (name, ty): (&str, &Ty), e: &ast::Expr, value: &Expr) -> bool {
        let Some(parts) = ty.parts() else { return true };
        let own = self.kernel.type_of(value);
        let literal = own.is_none() && *value != Expr::Lit(Lit::Missing);
        if tuple(e).is_some() || !(literal || own.as_ref().is_some_and(Ty::is_plain)) {
            return true;
        }
        let (n, holds) = (parts.len(), type_name(ty));
        let form = vec![".."; n].join(", ");
        self.errors.error(
            e.span(),
            format!("`{name}` is `{holds}`, a tuple of {n}, and this is none: write `({form})`"),
        );
        false
    }

    /// The parts of a tuple as what a tuple of type `ty` holds.
    fn parts(&mut self, name: &str, ty: &Ty, e: &ast::Expr, value: Expr) -> Expr {
        let (ast::Expr::Call { args, .. }, Some(types)) = (e, ty.parts()) else { return value };
        match value {
            Expr::Call(Op::Tuple, values) if values.len() == types.len() => {
                let parts = types.iter().zip(args).zip(values);
                let part = |((ty, e), value)| self.assigned_value((name, ty), None, e, value);
                Expr::Call(Op::Tuple, parts.map(part).collect())
            }
            other => other,
        }
    }

    /// `value` as a condition: a number holds where it is not zero, as under `&&`.
    pub(super) fn condition(&mut self, e: &ast::Expr, value: Expr) -> Expr {
        self.bits_as_condition(e, &value);
        let ty = self.kernel.type_of(&value);
        if tuple(e).is_some() || ty.as_ref().is_some_and(|ty| ty.parts().is_some()) {
            self.errors.error(
                e.span(),
                "a condition is a `bool` or a number, and this is a tuple: write one of its parts",
            );
            return Expr::bool(true);
        }
        match ty {
            Some(Ty::Named(_) | Ty::Index) | None => Expr::call(Op::Ne, [value, Expr::int(0)]),
            _ => value,
        }
    }

    /// Refuses a name in the place of an index that no loop binds, in a function, around which there are no variables.
    pub(super) fn bound(&mut self, e: &ast::Expr) {
        let ast::Expr::Name(name) = e else { return };
        if self.is_bound(name) {
            return;
        }
        let meant = self.meant(name, |r, meaning| {
            matches!(meaning, Meaning::Var(v) if r.kernel.info(v).kind != VarKind::Local)
        });
        let message = format!(
            "no loop binds `{name}`: {meant}write `for {name} {{ .. }}` around this, or have the loops that lack within written ones added, by `#![schedule(inside)]`; a constant of Rust is written by its path, `self::{name}`");
        self.unbound.push((name.span(), name.to_string(), message));
    }

    /// The same for one in the place of a value.
    pub(super) fn declared(&mut self, name: &proc_macro2::Ident) {
        if self.is_bound(name) {
            return;
        }
        let meant = self.meant(name, |_, meaning| matches!(meaning, Meaning::Var(_)));
        let meant = match &*name.to_string() {
            "pi" => "the number is `std::f64::consts::PI`; otherwise, ".to_owned(),
            "inf" | "infinity" => "the number is `f64::INFINITY`; otherwise, ".to_owned(),
            _ => meant,
        };
        let message = format!(
            "nothing in the kernel is called `{name}`: {meant}declare it in the header, `{name}: f64`, or write `for {name} {{ .. }}` around this if it is an index; a constant of Rust is written by its path, `self::{name}`");
        self.unbound.push((name.span(), name.to_string(), message));
    }

    /// Whether `name` is known, or may be something of Rust, or it has been said that it is not.
    fn is_bound(&self, name: &proc_macro2::Ident) -> bool {
        let text = name.to_string();
        // Constants of Rust have names of their own kind.
        let variable =
            text.trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_');
        let known = self.lookup(name).is_some() || self.ended(name).is_some();
        let said = self.unbound.iter().any(|(_, of, _)| *of == text);
        !self.function || !variable || known || said
    }

    /// Refuses what is no whole number in the place of a coordinate.
    pub(super) fn coordinate(&mut self, e: &ast::Expr, value: &Expr) {
        if tuple(e).is_some() {
            self.errors.error(e.span(), "a coordinate is a whole number, and this is a tuple: write one of its parts, or an index for each dimension, `a[i, j]`");
            // It might have told extents.
            self.doubtful.extend(&self.loops);
            return;
        }
        let ty = self.kernel.type_of(value);
        if let Some(ty) = ty.filter(|t| t.is_float() || t.is_complex()) {
            let whole = match (e, written(e)) {
                (ast::Expr::Call { .. }, Some(text)) => format!("({text}) as usize"),
                (_, Some(text)) => format!("{text} as usize"),
                (_, None) => "(..) as usize".to_owned(),
            };
            self.errors.error(e.span(), format!("a coordinate is a whole number, and this is `{}`: convert it, `{whole}`, which cuts it off", type_name(&ty)));
        } else if self.kernel.type_of(value) == Some(Ty::Bool) {
            self.errors.error(e.span(), "a coordinate is a whole number, and this is a `bool`: write which is meant, `ifelse(.., 1, 0)`; what a condition selects stands under it, `if x[i] > 0 { s += x[i] }`");
        }
    }
}

/// How many parts `e` has, if it is written as a tuple.
pub(super) fn tuple(e: &ast::Expr) -> Option<usize> {
    match e {
        ast::Expr::Call { op, args } if op.op == Op::Tuple => Some(args.len()),
        ast::Expr::Shape(shape) => shape.operands.iter().find_map(tuple),
        _ => None,
    }
}

/// Whether a value of `is` is converted where one of `ty` is wanted, as far as the two are known.
pub(super) fn becomes(is: &Ty, ty: &Ty) -> bool {
    let number = |t: &Ty| matches!(t, Ty::Named(n) if primitive(n));
    match (is, ty) {
        (Ty::Own, other) | (other, Ty::Own) => matches!(other, Ty::Own | Ty::Unknown),
        (Ty::Unknown, _) | (_, Ty::Unknown) => true,
        (Ty::Bool | Ty::Index, Ty::Named(_)) | (Ty::Bool, Ty::Index) => true,
        (Ty::Index, Ty::Bool) => false,
        (Ty::Named(_), Ty::Bool) => !number(is) && !is.is_complex(),
        (Ty::Named(_), Ty::Index) => !is.is_float() && !is.is_complex(),
        (Ty::Named(_), Ty::Named(_)) => match (number(is), number(ty)) {
            _ if is == ty => true,
            (true, true) => join(is, ty) == *ty,
            (true, false) => !ty.is_complex(),
            (false, true) => !is.is_complex(),
            (false, false) => true,
        },
        (Ty::Bool, Ty::Bool) | (Ty::Index, Ty::Index) => true,
    }
}

/// Whether the value of `e` is of type `ty` because `as ty` is written in it.
fn converts(e: &ast::Expr, ty: &Ty) -> bool {
    match e {
        ast::Expr::Call { op, args } => {
            matches!(&op.op, Op::As(to) if to == ty) || args.iter().any(|a| converts(a, ty))
        }
        _ => false,
    }
}
