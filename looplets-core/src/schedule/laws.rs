//! What the scheduler asks of operators, of the language and declared ones alike: by which values they are annihilated, how
//! what their arguments store makes what they give, and over which reductions they distribute.

use crate::algebra::Algebra;
use crate::cin::{Expr, Lit, Method, Op};
use crate::methods::Zero;
use crate::types::Ty;

/// How the arguments of an operator meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Where one stores nothing, nothing is there.
    Product,
    /// Where none stores anything, nothing is there.
    Sum,
    /// As the one of this number.
    Of(usize),
    /// Something is there in any case.
    Nothing,
}

/// Whether `op` gives `fill` wherever one argument is at it. `unsigned`: no number is less than 0.
pub fn annihilates(algebra: &Algebra, op: &Op, fill: &Lit, unsigned: bool) -> bool {
    let none = matches!(fill, Lit::Int(0) | Lit::Bool(false));
    let is = |x: f64| *fill == Lit::float(x);
    match op {
        Op::Mul | Op::And | Op::BitAnd => none,
        Op::Add => is(f64::INFINITY) || is(f64::NEG_INFINITY),
        Op::Min => is(f64::NEG_INFINITY) || unsigned && none,
        Op::Max => is(f64::INFINITY),
        Op::Function(name) => algebra.annihilator(name).as_ref() == Some(fill),
        _ => false,
    }
}

/// Whether `times` distributes over reductions by `plus`, and its factors may change places: `x * (y + z)` is `x * y + x * z`.
pub fn distributes(algebra: &Algebra, times: &Op, plus: &Op) -> bool {
    match times {
        Op::Function(times) => algebra.distributes(times, plus),
        _ => may_distribute(times, plus),
    }
}

/// Whether it does as far as can be told before declarations are there.
pub fn may_distribute(times: &Op, plus: &Op) -> bool {
    matches!(
        (times, plus),
        (Op::Function(_), _)
            | (Op::Mul, Op::Add)
            | (Op::And, Op::Or)
            | (Op::BitAnd, Op::BitOr | Op::BitXor)
            | (Op::Add, Op::Min | Op::Max)
            | (Op::Min, Op::Max)
            | (Op::Max, Op::Min)
    )
}

/// Whether values of the type `ty` that are reduced by `plus` before `times` is applied come to the same as behind it, whatever they
/// are. A sum of whole numbers may overflow where no other would have, and what has wrapped is least or greatest elsewhere; the least
/// and the greatest of floats pass over NaN, of which there may be more or fewer.
pub fn sums_alike(times: &Op, plus: &Op, ty: &Ty) -> bool {
    match (times, plus) {
        (_, Op::Add) | (Op::Add, Op::Min | Op::Max) => ty.is_float(),
        (Op::Min | Op::Max, Op::Min | Op::Max) => !ty.is_float(),
        _ => true,
    }
}

/// Whether reductions by `op` of values of the type `ty`, where that is known, start at `fill`.
pub fn starts(algebra: &Algebra, op: &Op, fill: &Lit, ty: Option<&Ty>) -> bool {
    match (op, ty.and_then(Ty::limits)) {
        (Op::Min, Some((_, greatest))) => *fill == Lit::Int(greatest),
        (Op::Max, Some((least, _))) => *fill == Lit::Int(least),
        _ => starts_untyped(algebra, op, fill),
    }
}

fn starts_untyped(algebra: &Algebra, op: &Op, fill: &Lit) -> bool {
    match op {
        Op::Min => *fill == Lit::float(f64::INFINITY),
        Op::Max => *fill == Lit::float(f64::NEG_INFINITY),
        Op::Function(name) => {
            let declared = algebra.called(name);
            declared.and_then(|d| d.identity.as_ref()) == Some(&Expr::Lit(fill.clone()))
        }
        _ => matches!(fill, Lit::Int(0) | Lit::Bool(false)),
    }
}

/// Whether reducing `value` by `op` changes nothing.
pub fn idle(algebra: &Algebra, op: &Op, value: &Lit) -> bool {
    match op {
        Op::Mul | Op::Div => *value == Lit::Int(1),
        Op::And => *value == Lit::Bool(true),
        Op::BitAnd | Op::Rem | Op::Shl | Op::Shr => false,
        Op::Choose => true,
        _ => starts_untyped(algebra, op, value),
    }
}

/// Whether it makes no difference, in any order, to reduce by `op` the second time.
pub fn idempotent(algebra: &Algebra, op: &Op) -> bool {
    match op {
        Op::Function(name) => algebra.called(name).is_some_and(|d| d.idempotent),
        other => other.is_idempotent(),
    }
}

/// Whether the comparison `op` holds of two literals, if they can be compared.
pub fn compares(op: &Op, a: &Lit, b: &Lit) -> Option<bool> {
    let number = |lit: &Lit| match lit {
        Lit::Int(n) => Some(*n as f64),
        Lit::Float(bits) => Some(f64::from_bits(*bits)),
        Lit::Bool(b) => Some(f64::from(u8::from(*b))),
        Lit::Missing => None,
    };
    let (a, b) = (number(a)?, number(b)?);
    Some(match op {
        Op::Eq => a == b,
        Op::Ne => a != b,
        Op::Lt => a < b,
        Op::Le => a <= b,
        Op::Gt => a > b,
        Op::Ge => a >= b,
        _ => return None,
    })
}

/// How the arguments of `op` meet, which have the fills `fills`, where these are known.
pub fn joins(algebra: &Algebra, op: &Op, fills: &[Option<Lit>], unsigned: bool) -> Join {
    match op {
        // Nothing times infinity, or by nothing, is NaN.
        Op::Mul if algebra.is_strict() => return Join::Sum,
        Op::Div | Op::Rem | Op::Method(Method::RemEuclid | Method::DivEuclid)
            if algebra.is_strict() =>
        {
            return Join::Nothing
        }
        _ => {}
    }
    if fills.iter().flatten().any(|fill| annihilates(algebra, op, fill, unsigned)) {
        return Join::Product;
    }
    match op {
        Op::Mul | Op::And | Op::BitAnd => Join::Product,
        Op::Add | Op::Sub | Op::Or | Op::BitOr | Op::BitXor | Op::Min | Op::Max | Op::Ne => {
            Join::Sum
        }
        Op::Neg | Op::Div | Op::Rem | Op::Shl | Op::Shr | Op::Cast(_) | Op::As(_) => Join::Of(0),
        Op::Method(method) => match method.row().zero {
            Zero::Kept | Zero::Power => Join::Of(0),
            Zero::Sum => Join::Sum,
            Zero::Product => Join::Product,
            Zero::Other => Join::Nothing,
        },
        Op::Function(name) => algebra.space(name).unwrap_or(Join::Nothing),
        _ => Join::Nothing,
    }
}

impl Algebra {
    /// The value that annihilates the operator that a program calls `name`, if it is a literal.
    fn annihilator(&self, name: &str) -> Option<Lit> {
        let all = self.called(name)?.annihilators.iter();
        let mut literals = all.filter_map(|value| match value {
            Expr::Lit(lit) => Some(lit.clone()),
            _ => None,
        });
        literals.next()
    }

    /// Whether a declaration says that the operator `times` distributes over `plus`, and that its arguments may stand in any order.
    fn distributes(&self, times: &str, plus: &Op) -> bool {
        let Some(times) = self.called(times).filter(|t| t.order_free) else { return false };
        let plus = match plus {
            Op::Function(name) => match self.called(name) {
                Some(declared) => declared.name.clone(),
                None => return false,
            },
            builtin => builtin.row().name.to_owned(),
        };
        self.distributes_over(&times.name, &plus)
    }

    /// How the arguments of a declared operator meet by the space that it states.
    fn space(&self, name: &str) -> Option<Join> {
        let decl = self.called(name)?.decl();
        decl.laws.iter().find_map(|(law, _)| match law {
            crate::decl::operator::Law::Space(syn::Expr::Binary(b), _) => match b.op {
                syn::BinOp::BitAnd(_) => Some(Join::Product),
                syn::BinOp::BitOr(_) => Some(Join::Sum),
                _ => None,
            },
            _ => None,
        })
    }
}
