//! The types of literals: one has the type of what it meets, and is a value of it or an error at its token.

use super::access::type_name;
use super::operands::meets;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::methods::{Gives, Zero};
use crate::values::Misfit;
use proc_macro2::Span;

/// What a name stands for that takes the type of what it meets.
pub(super) struct Literal {
    pub value: Expr,
    /// Whether it is written as a float, `1.0`, which integers refuse.
    pub float: bool,
}

/// Whose type the operands of an operator that computes in one type have.
pub(super) const MEETS: &str = "the type of what it meets";
pub(super) const MULTIPLIES: &str = "the type of what it multiplies";

/// Whether a literal of this suffix is written with a point, `1.0`.
pub(super) fn with_point(suffix: &Option<String>) -> bool {
    suffix.as_deref() == Some("float")
}

impl Resolver<'_> {
    /// `value`, which `e` says, where a value of `ty` is wanted: if it is of literals alone they are values
    /// of that type, or errors at their tokens. `what` says whose type it is.
    pub(super) fn settled(&mut self, e: &ast::Expr, value: Expr, ty: &Ty, what: &str) -> Expr {
        if self.kernel.type_of(&value).is_some() {
            return value;
        }
        if self.fits(e, ty, what) {
            if let (Some(Lit::Int(n)), true) = (self.exact(e), *ty != Ty::Index) {
                if ty.value(&Lit::Int(n)).is_err() {
                    self.errors.error(
                        e.span(),
                        format!(
                            "this is {n}, which does not fit `{}`, {what}: {}",
                            type_name(ty),
                            wider(ty, &Lit::Int(n), &[])
                        ),
                    );
                }
            }
        }
        self.rounded(value, ty)
    }

    /// Checks each literal of `e`, which is of literals alone, as a value of `ty`.
    pub(super) fn fits(&mut self, e: &ast::Expr, ty: &Ty, what: &str) -> bool {
        match e {
            ast::Expr::Lit(lit, suffix, span)
                if matches!(suffix.as_deref(), None | Some("float")) =>
            {
                self.fit(lit, with_point(suffix), ty, what, *span)
            }
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Literal(k)) => {
                    let (mut all, float) = (Vec::new(), self.literals[k].float);
                    leaves(&self.kernel, &self.literals[k].value, &mut all);
                    all.iter().all(|lit| self.fit(lit, float, ty, what, name.span()))
                }
                _ => true,
            },
            ast::Expr::Path(path) if crate::diagnostics::text(path).ends_with("::NAN") => {
                let float = !ty.is_integer() && !matches!(ty, Ty::Bool | Ty::Index);
                if !float {
                    self.errors.error(e.span(), format!("`{}`, {what}, has no NaN", type_name(ty)));
                }
                float
            }
            ast::Expr::Call { op, args } => match (&op.op, &args[..]) {
                (Op::Neg, [ast::Expr::Lit(Lit::Int(n), suffix, span)])
                    if matches!(suffix.as_deref(), None | Some("float")) =>
                {
                    self.fit(&Lit::Int(-n), with_point(suffix), ty, what, *span)
                }
                (Op::IfElse, [_, a, b]) => self.fits(a, ty, what) & self.fits(b, ty, what),
                (Op::Shl | Op::Shr, [a, _]) => self.fits(a, ty, what),
                (Op::Method(method), [a, ..]) => {
                    if ty.is_integer() {
                        self.method(op, *method, Some(ty.clone()), args.first());
                        return false;
                    }
                    self.fits(a, ty, what)
                }
                (op, _) if meets(op) => {
                    args.iter().fold(true, |all, a| self.fits(a, ty, what) & all)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Checks `lit`, which is written `1.0` and not `1` if `float`.
    fn fit(&mut self, lit: &Lit, float: bool, ty: &Ty, what: &str, span: Span) -> bool {
        let point = float && matches!(lit, Lit::Int(_));
        let why = match ty.value(lit) {
            Ok(_) if point && ty.is_integer() => Misfit::Fraction,
            Ok(_) => return true,
            Err(why) => why,
        };
        let (shown, name) = (
            shown(lit) + if point { ".0" } else { "" },
            match ty {
                Ty::Index => "i64".to_owned(),
                ty => type_name(ty),
            },
        );
        let message = match why {
            Misfit::Range
                if met(what) && ty.is_unsigned() && matches!(lit, Lit::Int(n) if *n < 0) =>
            {
                format!("`{shown}` does not fit `{name}`, {what}, which has no negative numbers: write `{name}::MAX` if that stands for none, or convert what it meets, `.. as i64`")
            }
            Misfit::Range => {
                // The product of all values has to fit.
                let also: Vec<Lit> = match (lit, ty.limits()) {
                    (Lit::Int(n), Some((least, most))) if what == MULTIPLIES => [least, most]
                        .iter()
                        .filter_map(|m| n.checked_mul(*m).map(Lit::Int))
                        .collect(),
                    _ => Vec::new(),
                };
                let cure = wider(ty, lit, &also);
                format!("`{shown}` does not fit `{name}`, {what}: {cure}")
            }
            Misfit::Fraction => {
                let whole = match lit {
                    Lit::Int(n) => format!("`{n}`"),
                    _ => "a whole number".to_owned(),
                };
                match met(what) {
                    true => format!("`{shown}` is no `{name}`, {what}: write `{shown}f64` to compute in floats, or {whole}"),
                    false => format!("`{shown}` is no `{name}`, {what}: write {whole}"),
                }
            }
            Misfit::Number => {
                format!("`{shown}` is no `{name}`, {what}: write a value of that type, `$(..)`")
            }
            Misfit::Bool => format!("`{shown}` is no `bool`, {what}: write `true` or `false`"),
        };
        self.errors.error(span, message);
        false
    }

    /// The whole number that literals alone come to.
    pub(super) fn exact(&self, e: &ast::Expr) -> Option<Lit> {
        let int = |e: &ast::Expr| match self.exact(e)? {
            Lit::Int(n) => Some(n),
            _ => None,
        };
        let n = match e {
            ast::Expr::Lit(Lit::Int(n), None, _) => *n,
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Literal(k)) => match self.literals[k].value {
                    Expr::Lit(Lit::Int(n)) => n,
                    _ => return None,
                },
                _ => return None,
            },
            ast::Expr::Call { op, args } => match (&op.op, &args[..]) {
                (Op::Neg, [a]) => int(a)?.checked_neg()?,
                (Op::Add, [a, b]) => int(a)?.checked_add(int(b)?)?,
                (Op::Sub, [a, b]) => int(a)?.checked_sub(int(b)?)?,
                (Op::Mul, [a, b]) => int(a)?.checked_mul(int(b)?)?,
                _ => return None,
            },
            _ => return None,
        };
        Some(Lit::Int(n))
    }

    /// `value`, of literals alone, with each rounded as one of `ty` is.
    fn rounded(&self, value: Expr, ty: &Ty) -> Expr {
        match value {
            Expr::Lit(lit) => Expr::Lit(ty.value(&lit).unwrap_or(lit)),
            Expr::Call(op, args) => {
                let condition = usize::from(op == Op::IfElse);
                let part = |(k, a): (usize, Expr)| {
                    let literal = k >= condition && self.kernel.type_of(&a).is_none();
                    if literal {
                        self.rounded(a, ty)
                    } else {
                        a
                    }
                };
                let args = args.into_iter().enumerate().map(part).collect();
                Expr::Call(op, args)
            }
            other => other,
        }
    }

    /// `call`, of arithmetic in the type `ty`, so that what it overflows to is known where all of it
    /// is found to be literals: fills are values of their type, and a literal has none of its own.
    pub(super) fn in_type(&self, call: Expr, ty: &Ty) -> Expr {
        // Sums of floats are rounded, each in the order of the program.
        let rounds = ty.is_float() && self.kernel.strict;
        if !(ty.is_integer() || rounds) || self.position.is_coordinate() {
            return call;
        }
        let exact = if ty.text() == "f64" { 1 << 53 } else { 1 << 24 };
        let small = |n: i128| n.unsigned_abs() <= exact && ty.value(&Lit::Int(n)).is_ok();
        match self.literals_of(&call) {
            Some((least, most)) if !(small(least) && small(most)) => {
                Expr::call(Op::Fit(ty.clone()), [call])
            }
            _ => call,
        }
    }

    /// `call`, of a shift of a number of the type `own`: what is shifted out of it is lost where it is a literal, too.
    pub(super) fn shifted_in_type(&self, call: Expr, own: &Ty) -> Expr {
        let Expr::Call(_, args) = &call else { return call };
        match own.is_integer() && !self.position.is_coordinate() && self.may_vanish(&args[0]) {
            true => Expr::call(Op::Fit(own.clone()), [call]),
            false => call,
        }
    }

    /// `call` of a method, or of `!`, on a number of the type `own`: where what it is called on is found to be a literal, that has the
    /// type too.
    pub(super) fn called_in_type(&self, call: Expr, own: &Ty) -> Expr {
        let Expr::Call(op, mut args) = call else { return call };
        let typed = own.is_integer() || own.is_float() && own.text() != "f64";
        if !typed || self.position.is_coordinate() || !args.iter().any(|a| self.may_vanish(a)) {
            return Expr::Call(op, args);
        }
        let gives = match op {
            Op::Method(method) => method.gives(own),
            _ => own.clone(),
        };
        let keeps = match op {
            Op::Method(method) => match method.row().gives {
                // The magnitude of a negative number is of another type.
                Gives::Magnitude => gives == *own,
                gives => gives == Gives::Own,
            },
            _ => true,
        };
        if keeps {
            return Expr::call(Op::Fit(gives), [Expr::Call(op, args)]);
        }
        // What keeps 0 does so in each type, and is to be found to.
        let kept = matches!(&op, Op::Method(method) if method.row().zero != Zero::Other);
        if kept && self.literals_of(&args[0]) == Some((0, 0)) {
            return Expr::Call(op, args);
        }
        let first = std::mem::replace(&mut args[0], Expr::int(0));
        args[0] = Expr::call(Op::Own(own.clone()), [first]);
        Expr::Call(op, args)
    }

    /// `value`, of the type `own`, as it is converted by `as` to `to`: a float that is found to be a whole number is cut as floats are.
    pub(super) fn converted_from(&self, value: Expr, own: &Ty, to: &Ty) -> Expr {
        // These are the same in all types.
        let common = |(least, most): (i128, i128)| least >= 0 && most <= 127;
        match own.is_float() && own != to && self.may_vanish(&value) {
            true if !self.literals_of(&value).is_some_and(common) => {
                Expr::call(Op::Own(own.clone()), [value])
            }
            _ => value,
        }
    }

    /// `value`, one side of a comparison, as arithmetic in its type of floats, if that is not the one of literals.
    pub(super) fn compared_in_type(&self, value: Expr) -> Expr {
        // Whole numbers below this are the same in `f64`.
        let exact = |(least, most): (i128, i128)| least >= -(1 << 53) && most <= 1 << 53;
        let differs = |ty: &Ty| match ty.text() == "f64" {
            true => !self.literals_of(&value).is_some_and(exact),
            false => ty.is_float(),
        };
        match (&value, self.kernel.type_of(&value).filter(differs)) {
            (Expr::Call(op, _), Some(ty))
                if ty.is_float() && op.is_arithmetic() && self.may_vanish(&value) =>
            {
                Expr::call(Op::Fit(ty), [value])
            }
            _ => value,
        }
    }

    /// `value`, beside one of a type that Rust alone knows: a literal that it is found to be does not take that type.
    pub(super) fn beside_unknown(&self, value: Expr) -> Expr {
        match self.kernel.type_of(&value) {
            Some(ty @ Ty::Named(_)) if ty.is_plain() && self.may_vanish(&value) => {
                Expr::call(Op::Own(ty), [value])
            }
            _ => value,
        }
    }

    /// Whether lowering may find `e`, or a part of it, to be a literal: what is not stored, and anything computed, `x[i] - x[i]` too.
    fn may_vanish(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| {
            found |= match e {
                Expr::Access(a) => {
                    let tensor = self.kernel.tensor(self.kernel.get(*a).tensor);
                    tensor.leaves_out() || tensor.levels.iter().any(|l| l.format.level().steps())
                }
                Expr::Var(v) => self.kernel.info(*v).kind != VarKind::Index,
                Expr::Call(..) => true,
                _ => false,
            };
        });
        found
    }

    /// The least and the greatest literal that lowering may find `e` to be.
    pub(super) fn literals_of(&self, e: &Expr) -> Option<(i128, i128)> {
        let hull = |a: Option<(i128, i128)>, b: Option<(i128, i128)>| match (a, b) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        match e {
            Expr::Lit(Lit::Int(n)) => Some((*n, *n)),
            Expr::Lit(Lit::Bool(_)) => Some((0, 1)),
            Expr::Lit(_) => None,
            Expr::Var(v) => self
                .constants
                .get(v)
                .copied()
                .or_else(|| (self.kernel.info(*v).kind == VarKind::Scalar).then_some((0, 0))),
            Expr::Access(a) => {
                self.literals_of(&self.kernel.tensor(self.kernel.get(*a).tensor).fill)
            }
            Expr::Call(op, args) => {
                let each: Vec<Option<(i128, i128)>> =
                    args.iter().map(|a| self.literals_of(a)).collect();
                let both = |f: &dyn Fn(i128, i128) -> i128| {
                    let mut known = each.iter().copied();
                    let first = known.next()??;
                    known.try_fold(first, |(a, b), next| {
                        let (c, d) = next?;
                        let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
                        Some((*all.iter().min()?, *all.iter().max()?))
                    })
                };
                match op {
                    Op::Add => both(&i128::saturating_add),
                    Op::Sub => both(&i128::saturating_sub),
                    // A factor that is 0 makes it 0 whatever the others are.
                    Op::Mul => both(&i128::saturating_mul).or_else(|| {
                        each.iter().flatten().any(|(a, b)| *a <= 0 && *b >= 0).then_some((0, 0))
                    }),
                    Op::Neg => each[0].map(|(a, b)| (b.saturating_neg(), a.saturating_neg())),
                    Op::Div | Op::Rem => each[0].map(|(a, b)| {
                        let greatest = a.saturating_abs().max(b.saturating_abs());
                        (-greatest, greatest)
                    }),
                    op if op.is_predicate() => Some((0, 1)),
                    Op::IfElse => each[1..].iter().fold(None, |a, b| hull(a, *b)),
                    Op::Fit(ty) => {
                        let (least, greatest) = ty.integers()?;
                        let (a, b) = each[0]?;
                        let greatest = greatest.unwrap_or(i128::MAX);
                        // What is beyond it wraps to anywhere.
                        match a >= least && b <= greatest {
                            true => Some((a, b)),
                            false => Some((least, greatest)),
                        }
                    }
                    _ => each.into_iter().fold(None, hull),
                }
            }
            Expr::Load(..) | Expr::Array(_) | Expr::Raw(_) => None,
        }
    }
}

/// The literals that a value of literals alone is made of.
fn leaves(kernel: &Kernel, e: &Expr, out: &mut Vec<Lit>) {
    match e {
        Expr::Lit(lit) => out.push(lit.clone()),
        Expr::Call(op, args) => {
            let parts = &args[usize::from(*op == Op::IfElse)..];
            let literal = |a: &&Expr| kernel.type_of(a).is_none();
            parts.iter().filter(literal).for_each(|a| leaves(kernel, a, out));
        }
        _ => {}
    }
}

/// A literal as a program has it.
fn shown(lit: &Lit) -> String {
    match lit {
        Lit::Float(bits) if f64::from_bits(*bits) == f64::INFINITY => "f64::INFINITY".to_owned(),
        Lit::Float(bits) if f64::from_bits(*bits) == f64::NEG_INFINITY => {
            "-f64::INFINITY".to_owned()
        }
        lit => lit.text(),
    }
}

/// Whether a literal has the type of another operand.
fn met(what: &str) -> bool {
    [MEETS, MULTIPLIES].contains(&what)
}

/// What to do about a number that does not fit a type; the numbers `also` have to fit as well.
fn wider(ty: &Ty, lit: &Lit, also: &[Lit]) -> String {
    let negative = matches!(lit, Lit::Int(n) if *n < 0);
    let types: &[&str] = match ty.is_unsigned() && !negative {
        true => &["u16", "u32", "u64", "u128", "f64"],
        false => &["i16", "i32", "i64", "i128", "f64"],
    };
    let fits = |t: &&&str| {
        let wide = Ty::Named((**t).to_owned());
        wide.value(lit).is_ok()
            && also.iter().all(|n| wide.value(n).is_ok())
            && join(ty, &wide) == wide
    };
    let digits = match lit {
        Lit::Int(n) => Some(n.to_string()),
        Lit::Float(bits) => {
            Some(f64::from_bits(*bits)).filter(|x| x.is_finite()).map(|x| format!("{x:?}"))
        }
        Lit::Bool(_) | Lit::Missing => None,
    };
    match (types.iter().find(fits), digits) {
        (Some(t), Some(digits)) => {
            format!("write a number that does, or `{digits}{t}` to compute in `{t}`")
        }
        _ => "write a number that does, or declare a type that holds it".to_owned(),
    }
}
