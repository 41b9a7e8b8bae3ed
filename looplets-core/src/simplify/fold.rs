//! Arithmetic on literals, done only where the result is what Rust would compute for every type.
//!
//! A literal has no type of its own, so a fold must hold for all that it may become: it is done only where
//! the operands and the result are exact in `f32`, so that neither the width nor the order of roundings
//! can show. `7 / 2` is 3 or 3.5 and stays. What does not fit the type of integers that it is computed in
//! stays too, under the function that says so (`fit:`), and overflows where it runs.

use super::language::Sym;
use crate::cin::{Lit, Method, Op};
use std::cmp::Ordering;

/// `sym` applied to literals, or `None` where that is not one literal for every type.
/// `missing` is not looked at here: which functions it absorbs is the rules' affair.
pub fn fold(sym: &Sym, args: &[&Lit]) -> Option<Lit> {
    if args.iter().any(|a| **a == Lit::Missing) {
        return None;
    }
    match (sym, args) {
        (&Sym::ADD, [first, rest @ ..]) => {
            rest.iter().try_fold(number(first)?, |a, b| add(&a, &number(b)?))
        }
        (&Sym::MUL, [first, rest @ ..]) => {
            rest.iter().try_fold(number(first)?, |a, b| mul(&a, &number(b)?))
        }
        (&Sym::SUB, [a, b]) => add(&number(a)?, &neg(&number(b)?)?),
        (&Sym::NEG, [a]) => neg(&number(a)?),
        (&Sym::DIV, [a, b]) => divide(&number(a)?, &number(b)?),
        // Of floats, a zero that is computed has a sign, which the 0 of a literal or fill has not.
        (&Sym::REM, [Lit::Int(a), Lit::Int(b)]) if *a >= 0 && *b > 0 => {
            Some(a % b).filter(|rest| *rest != 0 || *a == 0).map(Lit::Int)
        }
        (&Sym::MIN, [first, rest @ ..]) => {
            rest.iter().try_fold((*first).clone(), |a, b| select(&a, b, Ordering::Less))
        }
        (&Sym::MAX, [first, rest @ ..]) => {
            rest.iter().try_fold((*first).clone(), |a, b| select(&a, b, Ordering::Greater))
        }
        (&Sym::NOT, [Lit::Bool(a)]) => Some(Lit::Bool(!a)),
        (&Sym::AND, _) => all_bools(args).map(|mut b| Lit::Bool(b.all(|x| x))),
        (&Sym::OR, _) => all_bools(args).map(|mut b| Lit::Bool(b.any(|x| x))),
        (&Sym::BITAND, [first, rest @ ..]) => bits(first, rest, |a, b| a & b),
        (&Sym::BITOR, [first, rest @ ..]) => bits(first, rest, |a, b| a | b),
        (&Sym::BITXOR, [first, rest @ ..]) => bits(first, rest, |a, b| a ^ b),
        (&Sym::EQ, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_eq())),
        (&Sym::NE, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_ne())),
        (&Sym::LT, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_lt())),
        (&Sym::LE, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_le())),
        (&Sym::GT, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_gt())),
        (&Sym::GE, [a, b]) => compare(a, b).map(|o| Lit::Bool(o.is_ge())),
        // Of floats of every width, and of no others.
        (Sym::Op(Op::Method(Method::Exp | Method::Exp2)), [Lit::Float(bits)])
            if f64::from_bits(*bits) == f64::NEG_INFINITY =>
        {
            Some(Lit::float(0.0))
        }
        // The value that the type has for it, if it has one.
        (Sym::Op(Op::Cast(ty) | Op::Fit(ty)), [a]) => ty.value(&number(a)?).ok(),
        // Which type the literal has is not known: none changes what all types have.
        (Sym::Op(Op::As(ty)), [a]) => match number(a)? {
            Lit::Int(n) if common(n) => ty.value(&Lit::Int(n)).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// A literal as arithmetic sees it: a bool is 0 or 1.
pub fn number(lit: &Lit) -> Option<Lit> {
    match lit {
        Lit::Bool(b) => Some(Lit::Int(i128::from(*b))),
        Lit::Int(_) | Lit::Float(_) => Some(lit.clone()),
        Lit::Missing => None,
    }
}

/// Whether every type of numbers that is wide enough has the whole number, as all below it.
pub fn common(n: i128) -> bool {
    n.unsigned_abs() <= 1 << 24
}

/// The value as `f64`, if it is exact in `f32` too.
fn exact(lit: &Lit) -> Option<f64> {
    let x = match lit {
        Lit::Int(n) if common(*n) => *n as f64,
        // The sign of a zero would be lost.
        Lit::Float(bits) if f64::from_bits(*bits) != 0.0 => f64::from_bits(*bits),
        _ => return None,
    };
    (f64::from(x as f32) == x).then_some(x)
}

fn finite(x: f64) -> Option<Lit> {
    let narrow = x as f32;
    // A subnormal result would be exact here and flushed elsewhere; nobody needs it folded.
    let plain = x.is_finite() && f64::from(narrow) == x && (x == 0.0 || narrow.is_normal());
    // The sign of a zero is not kept, lest 0 be two literals.
    plain.then(|| Lit::float(if x == 0.0 { 0.0 } else { x }))
}

/// `f` of two numbers of which one is infinite: the same in every width. NaN is no literal.
fn infinite(a: &Lit, b: &Lit, f: fn(f64, f64) -> f64) -> Option<Lit> {
    let float = |lit: &Lit| match lit {
        Lit::Int(n) => Some(*n as f64),
        Lit::Float(bits) => Some(f64::from_bits(*bits)),
        _ => None,
    };
    let (a, b) = (float(a)?, float(b)?);
    let x = f(a, b);
    let known = (a.is_infinite() || b.is_infinite()) && !x.is_nan();
    known.then(|| Lit::float(if x == 0.0 { 0.0 } else { x }))
}

fn add(a: &Lit, b: &Lit) -> Option<Lit> {
    if let Some(lit) = infinite(a, b, |a, b| a + b) {
        return Some(lit);
    }
    if let (Lit::Int(a), Lit::Int(b)) = (a, b) {
        return a.checked_add(*b).filter(|n| common(*n)).map(Lit::Int);
    }
    let (a, b) = (exact(a)?, exact(b)?);
    let sum = a + b;
    // Knuth's two-sum: the rounding error of `a + b`, exactly.
    let (bb, aa) = (sum - a, sum - (sum - a));
    ((a - aa) + (b - bb) == 0.0).then_some(())?;
    finite(sum)
}

fn mul(a: &Lit, b: &Lit) -> Option<Lit> {
    if let Some(lit) = infinite(a, b, |a, b| a * b) {
        return Some(lit);
    }
    if let (Lit::Int(a), Lit::Int(b)) = (a, b) {
        return a.checked_mul(*b).filter(|n| common(*n)).map(Lit::Int);
    }
    // Two 24-bit significands multiply exactly in 53 bits; `finite` then asks for 24 again.
    finite(exact(a)? * exact(b)?)
}

fn neg(a: &Lit) -> Option<Lit> {
    match a {
        Lit::Int(n) => n.checked_neg().map(Lit::Int),
        Lit::Float(bits) => Some(Lit::float(-f64::from_bits(*bits))),
        _ => None,
    }
}

fn divide(a: &Lit, b: &Lit) -> Option<Lit> {
    match (a, b) {
        // By less than 0, the least number of a type has no quotient, and 0 one of another sign.
        (Lit::Int(a), Lit::Int(b)) if *b > 0 && a % b == 0 => Some(Lit::Int(a / b)),
        // The sign of a zero that is divided by is not known.
        (_, Lit::Int(0)) => None,
        _ => infinite(a, b, |a, b| a / b),
    }
}

/// How two literals of one kind compare, where every type agrees.
pub fn compare(a: &Lit, b: &Lit) -> Option<Ordering> {
    match (a, b) {
        (Lit::Bool(a), Lit::Bool(b)) => Some(a.cmp(b)),
        (Lit::Int(a), Lit::Int(b)) => Some(a.cmp(b)),
        (Lit::Float(_), _) | (_, Lit::Float(_)) => exact(a)?.partial_cmp(&exact(b)?),
        _ => None,
    }
}

fn select(a: &Lit, b: &Lit, wanted: Ordering) -> Option<Lit> {
    let order = compare(a, b)?;
    Some(if order == wanted || order.is_eq() { a.clone() } else { b.clone() })
}

fn all_bools<'a>(args: &'a [&Lit]) -> Option<impl Iterator<Item = bool> + 'a> {
    let bool = |l: &&Lit| match l {
        Lit::Bool(b) => Some(*b),
        _ => None,
    };
    args.iter().all(|l| bool(l).is_some()).then(|| args.iter().filter_map(bool))
}

fn bits(first: &Lit, rest: &[&Lit], f: fn(i128, i128) -> i128) -> Option<Lit> {
    rest.iter().try_fold(first.clone(), |a, b| match (&a, b) {
        (Lit::Bool(a), Lit::Bool(b)) => Some(Lit::Bool(f(i128::from(*a), i128::from(*b)) != 0)),
        (Lit::Int(a), Lit::Int(b)) => Some(Lit::Int(f(*a, *b))),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(sym: Sym, args: &[Lit]) -> Option<Lit> {
        fold(&sym, &args.iter().collect::<Vec<_>>())
    }

    #[test]
    fn whole_numbers_are_exact_or_left_alone() {
        let int = Lit::Int;
        assert_eq!(f(Sym::ADD, &[int(1), int(2), Lit::Bool(true)]), Some(int(4)));
        assert_eq!(f(Sym::ADD, &[int(i128::MAX), int(1)]), None);
        assert_eq!(f(Sym::MUL, &[int(i128::MAX), int(2)]), None);
        assert_eq!(f(Sym::NEG, &[int(i128::MIN)]), None);
        assert_eq!(f(Sym::DIV, &[int(7), int(2)]), None);
        assert_eq!(f(Sym::DIV, &[int(8), int(2)]), Some(int(4)));
        assert_eq!(f(Sym::DIV, &[int(8), int(0)]), None);
        assert_eq!(f(Sym::DIV, &[int(i128::MIN), int(-1)]), None);
        assert_eq!(f(Sym::DIV, &[int(-128), int(-1)]), None);
        assert_eq!(f(Sym::ADD, &[int(1 << 24), int(1)]), None);
        assert_eq!(f(Sym::MUL, &[int(1 << 23), int(3)]), None);
        assert_eq!(f(Sym::REM, &[int(7), int(2)]), Some(int(1)));
        assert_eq!(f(Sym::REM, &[int(8), int(2)]), None);
        assert_eq!(f(Sym::REM, &[int(-7), int(2)]), None);
    }

    #[test]
    fn exponentials_of_minus_infinity_are_nothing() {
        for method in [Method::Exp, Method::Exp2] {
            let of = |x: f64| f(Sym::Op(Op::Method(method)), &[Lit::float(x)]);
            assert_eq!(of(f64::NEG_INFINITY), Some(Lit::Int(0)));
            assert_eq!((of(0.5), of(f64::INFINITY), of(f64::NAN)), (None, None, None));
        }
    }

    #[test]
    fn conversions_fold_to_values_of_their_type() {
        let to = |name: &str, lit| f(Sym::Op(Op::in_rules(name)), &[lit]);
        assert_eq!(to("cast:f32", Lit::float(0.1)), Some(Lit::float(f64::from(0.1f32))));
        assert_eq!(to("cast:f32", Lit::Int((1 << 24) + 1)), Some(Lit::Int(1 << 24)));
        assert_eq!(to("cast:i64", Lit::Bool(true)), Some(Lit::Int(1)));
        assert_eq!(to("fit:u8", Lit::Int(255)), Some(Lit::Int(255)));
        assert_eq!(to("fit:u8", Lit::Int(256)), None);
        assert_eq!(to("fit:u8", Lit::Int(-1)), None);
        assert_eq!(to("fit:i64", Lit::Int(1 << 63)), None);
    }

    #[test]
    fn fractions_fold_only_when_no_width_can_tell() {
        let x = |v| Lit::float(v);
        assert_eq!(f(Sym::ADD, &[x(0.5), x(0.25)]), Some(x(0.75)));
        assert_eq!(f(Sym::ADD, &[x(0.1), x(0.25)]), None);
        assert_eq!(f(Sym::ADD, &[x(16777216.0), x(0.5)]), None);
        assert_eq!(f(Sym::MUL, &[x(0.5), x(4.0)]), Some(Lit::Int(2)));
        assert_eq!(f(Sym::MUL, &[x(-0.5), Lit::Int(0)]), Some(Lit::Int(0)));
        assert_eq!(f(Sym::LT, &[x(0.1), x(0.2)]), None);
        assert_eq!(f(Sym::LT, &[x(0.5), x(f64::INFINITY)]), Some(Lit::Bool(true)));
        assert_eq!(f(Sym::ADD, &[x(f64::INFINITY), x(f64::NEG_INFINITY)]), None);
        let inf = f64::INFINITY;
        assert_eq!(f(Sym::ADD, &[x(inf), Lit::Int(1)]), Some(x(inf)));
        assert_eq!(f(Sym::SUB, &[x(0.1), x(inf)]), Some(x(-inf)));
        assert_eq!(f(Sym::MUL, &[x(inf), Lit::Int(-2)]), Some(x(-inf)));
        assert_eq!(f(Sym::MUL, &[x(inf), Lit::Int(0)]), None);
        assert_eq!(f(Sym::DIV, &[Lit::Int(-3), x(inf)]), Some(Lit::Int(0)));
        assert_eq!(f(Sym::DIV, &[x(inf), Lit::Int(0)]), None);
        assert_eq!(f(Sym::DIV, &[x(inf), x(inf)]), None);
    }
}
