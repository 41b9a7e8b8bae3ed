//! Expressions: names, accesses, indices, operators.

use super::groups::Thing;
use super::literals::{with_point, MEETS, MULTIPLIES};
use super::operands::meets;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::diagnostics::text;
use crate::kernel::*;

/// Whether an expression of literals is one of whole numbers.
fn whole(e: &Expr) -> bool {
    let mut whole = true;
    e.walk(&mut |x| {
        whole &= match x {
            Expr::Lit(lit) => matches!(lit, Lit::Int(_)),
            Expr::Call(op, _) => *op != Op::Nan,
            _ => true,
        }
    });
    whole
}

/// Whether what is resolved is computed as a coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// No.
    No,
    /// It is an extent or a size, or part of one.
    Extent,
    /// It is a position, or a part of one that is cut with the whole.
    Total,
    /// It is a part of a position of which others take bits, quotients or remainders.
    Part,
    /// It is compared, or a sum that is: a coordinate in it stays one.
    Compared,
}

/// Sums and products, which are cut to the range of coordinates.
fn is_sum(op: &Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max | Op::Neg)
}

/// What gives a coordinate of all bits of a number.
fn is_of_bits(op: &Op) -> bool {
    use Op::*;
    matches!(op, Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr)
}

/// Whether it is the type of sizes, or of what is between two.
pub(super) fn is_size(ty: &Ty) -> bool {
    matches!(ty, Ty::Named(t) if matches!(t.as_str(), "usize" | "isize"))
}

/// Whether it is a type of numbers with a sign, other than what is between two sizes.
pub(super) fn has_negative(ty: &Ty) -> bool {
    ty.is_float() || ty.limits().is_some_and(|(least, _)| least < 0)
}

impl Position {
    /// That of the arguments of `op`.
    fn under(self, op: &Op) -> Position {
        match self {
            _ if op.is_comparison() => Position::Compared,
            Position::Compared if is_sum(op) => Position::Compared,
            Position::Total if is_sum(op) => Position::Total,
            Position::Total | Position::Part if is_of_bits(op) || is_sum(op) => Position::Part,
            Position::Extent if is_of_bits(op) || is_sum(op) => Position::Extent,
            _ => Position::No,
        }
    }
    /// Whether it is computed as a coordinate whatever it is made of.
    pub fn is_coordinate(self) -> bool {
        matches!(self, Position::Extent | Position::Total | Position::Part)
    }
}

impl Resolver<'_> {
    /// A value.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        match e {
            ast::Expr::Lit(lit, None, _) => Expr::Lit(lit.clone()),
            ast::Expr::Lit(lit, Some(s), _) if s == "float" => Expr::Lit(lit.clone()),
            ast::Expr::Lit(lit, Some(suffix), span) => self.suffixed(lit, suffix, *span),
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Var(v)) => {
                    self.reads_at(Thing::Var(v), name.span());
                    Expr::Var(v)
                }
                Some(Meaning::Literal(k)) => self.literals[k].value.clone(),
                Some(Meaning::Broken) => Expr::int(0),
                Some(Meaning::Tensor(t)) => {
                    let message = self.lacks_indices(name, t);
                    self.errors.error(name.span(), message);
                    // It might have told of any of them.
                    self.doubtful.extend(&self.loops);
                    Expr::int(0)
                }
                None => {
                    if let Some(advice) = self.ended(name) {
                        if self.unknown.insert(name.to_string()) {
                            self.errors
                                .error(name.span(), format!("unknown scalar `{name}`: {advice}"));
                        }
                        return Expr::int(0);
                    }
                    match self.position.is_coordinate() {
                        true => self.bound(e),
                        false => self.declared(name),
                    }
                    Expr::Var(self.outer(name))
                }
            },
            ast::Expr::Path(path) => match &text(path)[..] {
                "f32::NAN" | "f64::NAN" => Expr::call(Op::Nan, []),
                _ => self.constant(path),
            },
            ast::Expr::Escape(tokens, _) => self.rust(tokens),
            ast::Expr::Access { name, indices, span, .. } => {
                self.access(name, indices, *span, false).unwrap_or(Expr::int(0))
            }
            ast::Expr::Shape(shape) => self.shape(shape),
            ast::Expr::Call { op, args } => {
                let position = self.position.under(&op.op);
                let outer = std::mem::replace(&mut self.position, position);
                let value = self.negative(op, args).unwrap_or_else(|| self.call(op, args));
                self.position = outer;
                value
            }
        }
    }

    /// `op` on `args`.
    fn call(&mut self, op: &ast::OpRef, args: &[ast::Expr]) -> Expr {
        if let Some(message) = self.length(op, args) {
            self.errors.error(op.span, message);
            return self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown);
        }
        if let Some(wrong) = self.called_tensor(op, args) {
            return wrong;
        }
        let is_tensor = |name: &proc_macro2::Ident| match self.lookup(name) {
            Some(Meaning::Tensor(_)) => true,
            // One that is named without brackets alone is a value of Rust.
            Some(Meaning::Var(v)) => {
                matches!(&self.kernel.info(v).ty, ty @ Ty::Named(_) if !ty.is_plain())
            }
            _ => false,
        };
        if let (Some(message), false) =
            (crate::parse::elsewhere::call(op, args, &is_tensor), self.declares(&op.op))
        {
            self.errors.error(op.span, message);
            self.doubtful.extend(&self.loops);
            return self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown);
        }
        if let Some(wrong) = self.called_with_tensor(op, args) {
            return wrong;
        }
        let mut values = self.arguments(op, args);
        self.as_coordinates(self.position, &op.op, &mut values);
        let (written, known) = (op, self.operator(op, values.len()));
        let signed = |op: &Op| match op {
            Op::As(ty) => has_negative(ty),
            op => matches!(op, Op::Neg | Op::Method(_)),
        };
        if known.as_ref().is_some_and(signed) {
            values[0] = self.difference_of_coordinates(values[0].clone());
        }
        let good = known.is_some() && self.operands(op, args, &values);
        let (Some(op), true) = (known, good) else {
            // Of no type, so that nothing more is said of it.
            return self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown);
        };
        if let (Op::As(float), Some(own)) =
            (&op, values.first().and_then(|v| self.kernel.type_of(v)))
        {
            self.share_of_the_greatest(&args[0], &own, float);
            self.below_nothing(&args[0], &own, float);
        }
        if op == Op::Coalesce {
            self.never_missing(args, &values);
        }
        if op == Op::IfElse {
            let cond = std::mem::replace(&mut values[0], Expr::int(0));
            values[0] = self.condition(&args[0], cond);
        }
        if let Op::Method(method) = &op {
            match self.kernel.type_of(&values[0]) {
                Some(Ty::Index | Ty::Bool) if method.is_of_floats() => {
                    values[0] = Expr::call(Op::Cast(self.float()), [values[0].clone()]);
                }
                Some(Ty::Index | Ty::Bool) | None if !method.is_of_floats() => {
                    values[0] = Expr::call(Op::Cast(method.whole()), [values[0].clone()]);
                }
                _ => {}
            }
            // Rules may leave an argument alone.
            if let Some(own) = self.kernel.type_of(&values[0]) {
                for (k, value) in values.iter_mut().enumerate().skip(1) {
                    let takes = method.takes(k, &own);
                    let other = self.kernel.type_of(value).is_some_and(|ty| ty != takes);
                    if other && takes != Ty::Unknown && !takes.is_complex() {
                        *value = Expr::call(Op::Cast(takes), [value.clone()]);
                    }
                }
            }
        }
        if op.is_comparison() {
            self.compared_with_nothing(written, args);
            self.always_or_never(written, args, &values);
        }
        if op == Op::Rem {
            self.wrapped_below(written, args);
        }
        if op == Op::Max {
            self.distance(written, args, &values);
        }
        if !self.position.is_coordinate() {
            self.cut_after_overflow(&op, args, &values);
        }
        self.cut_below_nothing(&op, args, &values);
        if matches!(op, Op::And | Op::Or) {
            args.iter().zip(&values).for_each(|(e, v)| self.bits_as_condition(e, v));
        }
        if matches!(op, Op::And | Op::Or | Op::Not) {
            for v in &mut values {
                let ty = self.kernel.type_of(v);
                let number = matches!(ty, Some(Ty::Named(_) | Ty::Index) | None);
                // `!` of an integer is that of its bits, of a literal or an index in the type that it will have.
                let bits = match ty {
                    Some(Ty::Named(_) | Ty::Index) => true,
                    None => whole(v),
                    _ => false,
                };
                if number && !(op == Op::Not && bits) {
                    *v = Expr::call(Op::Ne, [v.clone(), Expr::int(0)]);
                }
            }
        }
        let types: Vec<Option<Ty>> = values.iter().map(|v| self.kernel.type_of(v)).collect();
        self.kernel.seen(&op, &types);
        let user = self.function(&op).is_some();
        if user || self.kernel.join_all(&values) == Some(Ty::Unknown) {
            for (value, arg) in values.iter_mut().zip(args) {
                if let Some(literal) = self.as_written(arg) {
                    *value = literal;
                }
            }
        }
        self.typed(op, args, values)
    }

    /// Why `len(i)` of a loop's index is no value, if it is not a function that the kernel brings in.
    fn length(&self, op: &ast::OpRef, args: &[ast::Expr]) -> Option<String> {
        let [ast::Expr::Name(index)] = args else { return None };
        let Some(Meaning::Var(v)) = self.lookup(index) else { return None };
        let word = op.path.as_ref().is_some_and(|path| path.is_ident("len"));
        let index_of_loop = self.kernel.info(v).kind == VarKind::Index;
        (word && index_of_loop && self.function(&op.op).is_none()).then(|| format!(
            "`len({index})` is a word of `#![cost(..)]` alone: a size is a number of Rust, `$(x.shape()[0] as f64)` of a tensor `x`; a function of that name is called by its path, `self::len({index})`"))
    }

    /// What stands for a call of a tensor, which is an error: its elements stand in brackets.
    fn called_tensor(&mut self, op: &ast::OpRef, args: &[ast::Expr]) -> Option<Expr> {
        let name = op.path.as_ref().filter(|_| op.op.key().is_some())?.get_ident()?;
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return None };
        let given: Option<Vec<String>> = args.iter().map(crate::parse::written).collect();
        let message = match given {
            Some(given) if given.len() == self.kernel.tensor(t).lens.len() => {
                format!("`{name}` is a tensor, whose elements are named in brackets: write `{name}[{}]`", given.join(", "))
            }
            _ => self.lacks_indices(name, t),
        };
        self.errors.error(name.span(), message);
        self.doubtful.extend(&self.loops);
        // Of no type, so that nothing more is said of it.
        Some(self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown))
    }

    /// The type of floats that coordinates and bools become here.
    fn float(&self) -> Ty {
        self.place.clone().unwrap_or_else(|| Ty::named("f64"))
    }

    /// Makes whole numbers coordinates: those below all limits of coordinates, since what is added to a `u8`
    /// in a position may well be more than 255; and any in a sum or product that is a position or stands beside a
    /// coordinate, since what is left of a `usize` may well be below 0, and a coordinate times 2^60 beyond all of
    /// an `i64`. Bits, quotients and remainders are taken in the number's own type, of which a hash fills all, and
    /// so is all but a size that they are taken of. In comparisons a coordinate beside a number of a type that does
    /// not hold all coordinates, or beside a size, stays a coordinate; by themselves numbers are of their own type.
    fn as_coordinates(&self, position: Position, op: &Op, values: &mut [Expr]) {
        if position == Position::No {
            return;
        }
        let beside = values.iter().any(|v| self.kernel.type_of(v) == Some(Ty::Index));
        let sums = is_sum(op);
        for v in values {
            let ty = self.kernel.type_of(v);
            let size = ty.as_ref().is_some_and(is_size);
            let limits = ty.and_then(|t| t.limits());
            let below = limits.is_some_and(|(_, most)| most < i128::from(i64::MAX));
            if position == Position::Compared {
                if beside && sums && (below || size) {
                    *v = Expr::call(Op::Index, [v.clone()]);
                }
                continue;
            }
            let whole = size || position != Position::Part && limits.is_some();
            let of_position = beside || position == Position::Total;
            if below || (of_position && sums && whole) {
                *v = Expr::call(Op::Index, [v.clone()]);
            }
        }
    }

    /// `op` on `values`, with the types that they meet in written out: simplification may leave a
    /// part alone that was computed in a wider type for the sake of one that is gone.
    fn typed(&mut self, op: Op, args: &[ast::Expr], mut values: Vec<Expr>) -> Expr {
        let operands = match &op {
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem
            | Op::Min
            | Op::Max
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::Coalesce
            | Op::Eq
            | Op::Ne
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge => 0..values.len(),
            Op::IfElse => 1..values.len(),
            Op::Neg => {
                let own = self.kernel.type_of(&values[0]);
                let call = Expr::Call(op, values);
                return match own {
                    Some(ty) => self.in_type(call, &ty),
                    None => call,
                };
            }
            Op::Method(_) | Op::Not => {
                let own = self.kernel.type_of(&values[0]);
                let call = Expr::Call(op, values);
                return match own {
                    Some(own) => self.called_in_type(call, &own),
                    None => call,
                };
            }
            Op::Shl | Op::Shr => {
                let own = self.kernel.type_of(&values[0]);
                let call = Expr::Call(op, values);
                return match own {
                    Some(own) => self.shifted_in_type(call, &own),
                    None => call,
                };
            }
            Op::As(to) => {
                let (own, to) = (self.kernel.type_of(&values[0]), to.clone());
                if let Some(own) = own {
                    let value = std::mem::replace(&mut values[0], Expr::int(0));
                    values[0] = self.converted_from(value, &own, &to);
                }
                return Expr::Call(op, values);
            }
            _ => return Expr::Call(op, values),
        };
        self.bare_literals(&mut values[operands.clone()]);
        let fractions: Vec<bool> = args.iter().map(|a| self.fraction(a)).collect();
        let literal = |e: &Expr| *e != Expr::Lit(Lit::Missing) && self.kernel.type_of(e).is_none();
        let fraction = || operands.clone().any(|k| fractions[k] && literal(&values[k]));
        let coordinate = values.iter().any(|v| self.kernel.type_of(v) == Some(Ty::Index));
        let joined = match self.kernel.join_all(&values[operands.clone()]) {
            // A coordinate is compared as one: few types hold them all.
            Some(joined) if op.is_comparison() && joined.is_integer() && coordinate => Ty::Index,
            Some(Ty::Named(joined)) => Ty::Named(joined),
            // A coordinate or a bool beside a fraction is a number like it.
            Some(Ty::Index | Ty::Bool) if fraction() => self.float(),
            Some(Ty::Index) => Ty::Index,
            // A bool beside a whole number is one.
            Some(Ty::Bool) if values[operands.clone()].iter().any(literal) => Ty::Index,
            Some(Ty::Unknown) if op.is_comparison() || matches!(op, Op::Min | Op::Max) => {
                let values = values.into_iter().map(|v| self.beside_unknown(v)).collect();
                return Expr::Call(op, values);
            }
            _ => return Expr::Call(op, values),
        };
        let cast = Op::Cast(joined.clone());
        let mut looked_up = false;
        for k in operands.clone() {
            if joined.is_float() {
                self.becomes_float(&args[k], &values[k], &joined);
            }
            if has_negative(&joined) {
                values[k] = self.difference_of_coordinates(values[k].clone());
            }
            self.becomes_wider(&args[k], &values[k], &joined);
        }
        let whole = joined == Ty::Index || joined.is_integer();
        if op == Op::Mul && whole && !self.position.is_coordinate() {
            self.becomes_a_factor(args);
        }
        let what = if op == Op::Mul { MULTIPLIES } else { MEETS };
        for k in operands.clone() {
            let value = std::mem::replace(&mut values[k], Expr::int(0));
            values[k] = self.settled(&args[k], value, &joined, what);
        }
        if op.is_comparison() && joined.is_float() {
            values = values.into_iter().map(|v| self.compared_in_type(v)).collect();
        }
        if op.is_comparison() && joined == Ty::Index {
            values = values.into_iter().map(|v| self.as_compared(v)).collect();
        }
        for value in &mut values[operands] {
            value.walk(&mut |e| looked_up |= matches!(e, Expr::Access(_)));
            let own = self.kernel.type_of(value);
            let other = own.as_ref().is_some_and(|own| *own != joined && *own != Ty::Unknown);
            if other {
                *value = Expr::call(cast.clone(), [value.clone()]);
            }
        }
        // Quotients of literals alone are of the type that they had among the others.
        let quotient = matches!(op, Op::Div | Op::Rem) && (looked_up || joined != Ty::Index);
        let sum = matches!(op, Op::Add | Op::Sub | Op::Mul);
        let call = Expr::Call(op, values);
        if quotient {
            Expr::call(cast, [call])
        } else if sum {
            self.in_type(call, &joined)
        } else {
            call
        }
    }

    /// `value`, compared with a coordinate: sums of sizes are those of coordinates, as beside one; what else is
    /// computed with numbers is computed in their type.
    pub(super) fn as_compared(&self, value: Expr) -> Expr {
        match (self.kernel.type_of(&value), value) {
            (Some(ty), Expr::Call(Op::Cast(_), mut args))
                if is_size(&ty) && self.kernel.type_of(&args[0]) == Some(Ty::Index) =>
            {
                args.swap_remove(0)
            }
            (Some(ty), Expr::Call(Op::Fit(_), mut args)) if is_size(&ty) => {
                self.as_compared(args.swap_remove(0))
            }
            (Some(ty), Expr::Call(op, args)) if is_size(&ty) && is_sum(&op) => {
                let args = args.into_iter().map(|a| self.as_compared(a)).collect();
                Expr::Call(op, args)
            }
            (Some(ty), value) if is_size(&ty) => Expr::call(Op::Index, [value]),
            (Some(ty), Expr::Call(op, args)) if ty.is_integer() && meets(&op) => {
                Expr::call(Op::Fit(ty), [Expr::Call(op, args)])
            }
            (_, value) => value,
        }
    }

    /// Whether a literal, or an expression of literals, is written as a fraction: `0.5`, `2.0 * 3`.
    pub(super) fn fraction(&self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Lit(Lit::Float(_), ..) => true,
            ast::Expr::Lit(_, suffix, _) => with_point(suffix),
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Literal(k)) => self.literals[k].float,
                _ => false,
            },
            ast::Expr::Call { op, args } => {
                let condition = usize::from(op.op == Op::IfElse);
                args.iter().skip(condition).any(|a| self.fraction(a))
            }
            _ => false,
        }
    }
}
