//! Expressions: names, accesses, indices, operators.

use super::groups::Thing;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::diagnostics::{count, text};
use crate::kernel::*;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

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

impl Position {
    /// That of the arguments of `op`.
    fn under(self, op: &Op) -> Position {
        match self {
            Position::Total if is_sum(op) => Position::Total,
            Position::Total | Position::Part if is_of_bits(op) || is_sum(op) => Position::Part,
            Position::Extent if is_of_bits(op) || is_sum(op) => Position::Extent,
            _ => Position::No,
        }
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
                Some(Meaning::Literal(k)) => self.literals[k].clone(),
                Some(Meaning::Broken) => Expr::int(0),
                Some(Meaning::Tensor(t)) => {
                    let message = self.lacks_indices(name, t);
                    self.errors.error(name.span(), message);
                    Expr::int(0)
                }
                None => Expr::Var(self.outer(name)),
            },
            ast::Expr::Path(path) => match &text(path)[..] {
                "f32::NAN" | "f64::NAN" => Expr::call(Op::Nan, []),
                _ => self.kernel.raw(path.to_token_stream(), Vec::new(), Ty::Unknown),
            },
            ast::Expr::Escape(tokens, _) => {
                let mut names = Vec::new();
                self.names_in(tokens.clone(), &mut names);
                self.kernel.raw(quote::quote!((#tokens)), names, Ty::Unknown)
            }
            ast::Expr::Access { name, indices, span } => {
                self.access(name, indices, *span, false).unwrap_or(Expr::int(0))
            }
            ast::Expr::Call { op, args } => {
                let position = self.position.under(&op.op);
                let outer = std::mem::replace(&mut self.position, position);
                let mut values: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
                self.position = outer;
                self.as_coordinates(position, &op.op, &mut values);
                let Some(op) = self.operator(op, values.len()) else { return Expr::int(0) };
                if matches!(op, Op::And | Op::Or | Op::Not) {
                    for v in &mut values {
                        let ty = self.kernel.type_of(v);
                        let number = matches!(ty, Some(Ty::Named(_) | Ty::Index) | None);
                        // `!` of an integer is that of its bits, of a literal in the type that it will have.
                        let bits = match ty {
                            Some(Ty::Named(_)) => true,
                            None => whole(v),
                            _ => false,
                        };
                        if number && !(op == Op::Not && bits) {
                            *v = Expr::call(Op::Ne, [v.clone(), Expr::int(0)]);
                        }
                    }
                }
                let types: Vec<Option<Ty>> =
                    values.iter().map(|v| self.kernel.type_of(v)).collect();
                self.kernel.seen(&op, &types);
                let user = self.kernel.functions.contains_key(op.key().unwrap_or(""));
                if user || self.kernel.join_all(&values) == Some(Ty::Unknown) {
                    // Only rustc knows the type here, so a float literal has to look like one.
                    for (value, arg) in values.iter_mut().zip(args) {
                        if let ast::Expr::Lit(Lit::Int(n), Some(s), _) = arg {
                            if s == "float" {
                                let tokens: TokenStream =
                                    format!("{n}.0").parse().unwrap_or_default();
                                *value = self.kernel.raw(tokens, Vec::new(), Ty::Unknown);
                            }
                        }
                    }
                }
                let fractions: Vec<bool> = args.iter().map(|a| self.fraction(a)).collect();
                self.typed(op, values, &fractions)
            }
        }
    }

    /// Makes whole numbers coordinates: those below all limits of coordinates, since what is added to a `u8`
    /// in a position may well be more than 255; and any in a sum or product beside a coordinate, since what is
    /// left of a `usize` may well be below 0, and a coordinate times 2^60 beyond all of an `i64`. Bits, quotients
    /// and remainders are taken in the number's own type, of which a hash fills all, and so is all but a size
    /// that they are taken of.
    fn as_coordinates(&self, position: Position, op: &Op, values: &mut [Expr]) {
        if position == Position::No {
            return;
        }
        let beside = values.iter().any(|v| self.kernel.type_of(v) == Some(Ty::Index));
        let sums = is_sum(op);
        for v in values {
            let ty = self.kernel.type_of(v);
            let size = matches!(&ty, Some(Ty::Named(t)) if matches!(t.as_str(), "usize" | "isize"));
            let limits = ty.and_then(|t| t.limits());
            let below = limits.is_some_and(|(_, most)| most < i128::from(i64::MAX));
            let whole = size || position != Position::Part && limits.is_some();
            if below || (beside && sums && whole) {
                *v = Expr::call(Op::Index, [v.clone()]);
            }
        }
    }

    /// `op` on `values`, with the types that they meet in written out: simplification may leave a
    /// part alone that was computed in a wider type for the sake of one that is gone.
    fn typed(&self, op: Op, mut values: Vec<Expr>, fractions: &[bool]) -> Expr {
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
            _ => return Expr::Call(op, values),
        };
        let literal = |e: &Expr| *e != Expr::Lit(Lit::Missing) && self.kernel.type_of(e).is_none();
        let fraction = || operands.clone().any(|k| fractions[k] && literal(&values[k]));
        let meet = match self.kernel.join_all(&values[operands.clone()]) {
            Some(Ty::Named(meet)) => Ty::Named(meet),
            // A coordinate or a bool beside a fraction is a number like it.
            Some(Ty::Index | Ty::Bool) if fraction() => Ty::named("f64"),
            Some(Ty::Index) => Ty::Index,
            // A bool beside a whole number is one.
            Some(Ty::Bool) if values[operands.clone()].iter().any(literal) => Ty::Index,
            _ => return Expr::Call(op, values),
        };
        let cast = Op::Cast(meet.clone());
        let mut looked_up = false;
        for value in &mut values[operands] {
            value.walk(&mut |e| looked_up |= matches!(e, Expr::Access(_)));
            let own = self.kernel.type_of(value);
            let other = own.as_ref().is_some_and(|own| *own != meet && *own != Ty::Unknown);
            if other {
                *value = Expr::call(cast.clone(), [value.clone()]);
            }
        }
        // Quotients of literals alone are of the type that they had among the others.
        let quotient = matches!(op, Op::Div | Op::Rem) && (looked_up || meet != Ty::Index);
        let call = Expr::Call(op, values);
        if quotient {
            Expr::call(cast, [call])
        } else {
            call
        }
    }

    /// Whether a literal, or an expression of literals, is written as a fraction: `0.5`, `2.0 * 3`.
    fn fraction(&self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Lit(Lit::Float(_), ..) => true,
            ast::Expr::Lit(_, suffix, _) => suffix.as_deref() == Some("float"),
            ast::Expr::Name(name) => match self.lookup(name) {
                Some(Meaning::Literal(k)) => matches!(self.literals[k], Expr::Lit(Lit::Float(_))),
                _ => false,
            },
            ast::Expr::Call { op, args } => {
                let condition = usize::from(op.op == Op::IfElse);
                args.iter().skip(condition).any(|a| self.fraction(a))
            }
            _ => false,
        }
    }

    /// A Rust variable of the surrounding code.
    fn outer(&mut self, name: &Ident) -> VarId {
        let known = self
            .kernel
            .vars
            .iter()
            .position(|v| v.kind == VarKind::Outer && v.ident.as_ref() == Some(name));
        match known {
            Some(k) => VarId(k as u32),
            None => {
                let id = self.kernel.var(&name.to_string(), VarKind::Outer, Ty::Unknown);
                self.kernel.vars[id.0 as usize].ident = Some(name.clone());
                id
            }
        }
    }

    fn suffixed(&mut self, lit: &Lit, suffix: &str, span: proc_macro2::Span) -> Expr {
        let mut token = match lit {
            Lit::Int(n) => format!("{n}{suffix}").parse::<TokenStream>(),
            Lit::Float(bits) => format!("{:?}{suffix}", f64::from_bits(*bits)).parse(),
            _ => "0".parse(),
        }
        .unwrap_or_default();
        token = token
            .into_iter()
            .map(|mut t| {
                t.set_span(span);
                t
            })
            .collect();
        self.kernel.raw(token, Vec::new(), Ty::Named(suffix.to_owned()))
    }

    /// Names of this kernel that occur in opaque tokens.
    fn names_in(&mut self, tokens: TokenStream, out: &mut Vec<(Ident, Expr)>) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => {
                    if let Some(Meaning::Literal(k)) = self.lookup(&name) {
                        out.push((name, self.literals[k].clone()));
                    } else if let Some(Meaning::Var(v)) = self.lookup(&name) {
                        if self.kernel.info(v).kind != VarKind::Outer
                            && !out.iter().any(|(n, _)| *n == name)
                        {
                            self.reads_at(Thing::Var(v), name.span());
                            out.push((name, Expr::Var(v)));
                        }
                    }
                }
                TokenTree::Group(g) => self.names_in(g.stream(), out),
                _ => {}
            }
        }
    }

    /// The operator of `target <<op>>= value`.
    pub fn reduction(&mut self, op: &ast::OpRef) -> Option<Op> {
        let row = op.op.row();
        if !row.form.is_empty() && !(row.takes.0..=row.takes.1).contains(&2) {
            let (name, takes) = (row.name, row.takes.0);
            self.errors.error(op.span, format!(
                "a reduction needs an operator of two arguments, such as `min`; `{name}` takes {takes}"));
            return None;
        }
        self.operator(op, 2)
    }

    /// An operator or function; checks the number of arguments where it is known.
    pub fn operator(&mut self, op: &ast::OpRef, given: usize) -> Option<Op> {
        let Op::Function(name) = &op.op else {
            let row = op.op.row();
            let (least, most) = row.takes;
            if !row.form.is_empty() && !(least..=most).contains(&given) {
                let more = if least == most { "" } else { "at least " };
                let (form, takes) = (row.form, count(least, "argument", "arguments"));
                self.errors.error(op.span, format!("`{form}` takes {more}{takes}, found {given}"));
                return None;
            }
            return Some(op.op.clone());
        };
        if let Some(declared) = self.algebra.operator(name) {
            if !declared.named {
                self.errors.error(op.span, format!("`{name}` is also an operator of the rules brought in: bring it in too, `use ..::{name};`, or call the function by its path"));
                return None;
            }
            let (least, most) = declared.takes;
            if given < least || given > most {
                let more = if most > least { "at least " } else { "" };
                let takes = count(least, "argument", "arguments");
                self.errors.error(op.span, format!("`{name}` takes {more}{takes}, found {given}"));
                return None;
            }
            return Some(op.op.clone());
        }
        let Some(path) = &op.path else {
            self.errors.error(op.span, format!("unknown operator `{name}`: use an infix operator, `min`, `max`, or a function in scope"));
            return None;
        };
        let tokens = path.to_token_stream();
        self.kernel.functions.entry(name.to_string()).or_insert_with(|| Function::at(tokens));
        Some(op.op.clone())
    }
}
