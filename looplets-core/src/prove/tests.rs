//! What the prover must see: each inference alone, then the situations lowering puts it in.

use super::affine::{canonical, Affine};
use super::test_door::Known;
use crate::cin::{ArrayId, Expr, Lit, Op, VarId};

fn v(n: u32) -> Expr {
    Expr::Var(VarId(n))
}
fn n(n: i128) -> Expr {
    Expr::int(n)
}
fn op(name: &str, args: &[&Expr]) -> Expr {
    Expr::call(Op::in_rules(name), args.iter().map(|e| (*e).clone()).collect::<Vec<_>>())
}
fn min(args: &[&Expr]) -> Expr {
    op("min", args)
}
fn max(args: &[&Expr]) -> Expr {
    op("max", args)
}
fn load(array: u32, at: &Expr) -> Expr {
    Expr::Load(ArrayId(array), Box::new(at.clone()))
}
fn under(conds: &[Expr]) -> Known {
    let mut p = Known::new();
    conds.iter().for_each(|c| p.assume(c));
    p
}
fn normal(e: &Expr) -> Expr {
    Affine::of(e).to_expr()
}

#[test]
fn affine_forms_read_well() {
    let (a, b) = (v(1), v(0));
    assert_eq!(normal(&op("+", &[&op("-", &[&a, &n(1)]), &n(2)])), op("+", &[&a, &n(1)]));
    assert_eq!(normal(&op("+", &[&n(-1), &a])), op("-", &[&a, &n(1)]));
    assert_eq!(normal(&op("-", &[&a, &b])), op("-", &[&a, &b]));
    assert_eq!(normal(&op("+", &[&op("neg", &[&b]), &a])), op("-", &[&a, &b]));
    assert_eq!(normal(&op("-", &[&op("+", &[&a, &b]), &op("+", &[&b, &a])])), n(0));
    assert_eq!(normal(&op("neg", &[&a])), op("neg", &[&a]));
    assert_eq!(normal(&op("+", &[&a, &a])), op("*", &[&n(2), &a]));
    assert_eq!(
        normal(&op("*", &[&op("+", &[&a, &n(1)]), &n(3)])),
        op("+", &[&op("*", &[&n(3), &a]), &n(3)])
    );
}

#[test]
fn atoms_are_equal_up_to_spelling() {
    let (a, b) = (v(0), v(1));
    let (left, right) = (load(0, &op("+", &[&n(1), &a])), load(0, &op("+", &[&a, &n(1)])));
    assert_eq!(normal(&op("-", &[&left, &right])), n(0));
    assert_eq!(canonical(&op("*", &[&a, &b])), canonical(&op("*", &[&b, &a])));
    assert_eq!(canonical(&min(&[&a, &min(&[&b, &a])])), canonical(&min(&[&b, &a])));
    assert!(Known::new()
        .eq(&op("*", &[&n(2), &a, &b]), &op("+", &[&op("*", &[&b, &a]), &op("*", &[&a, &b])])));
}

#[test]
fn overflowing_arithmetic_is_opaque() {
    let huge = op("*", &[&n(i128::MAX), &n(2)]);
    assert!(Affine::of(&huge).as_constant().is_none());
    assert_eq!(Known::new().decide(&op("<", &[&huge, &n(0)])), None);
    let p = under(&[op("<", &[&v(0), &n(i128::MIN)]), op("<", &[&v(0), &n(i128::MAX)])]);
    assert!(!p.infeasible());
    let p = under(&[op("<=", &[&v(0), &n(1 << 57)]), op("<=", &[&n(1 << 57), &v(0)])]);
    assert_eq!(p.bound(&v(0)), n(1 << 57));
}

#[test]
fn differences_chain() {
    let (a, b, c) = (v(0), v(1), v(2));
    let p = under(&[op("<", &[&a, &b]), op("<", &[&b, &c])]);
    assert!(p.le(&op("+", &[&a, &n(2)]), &c) && p.lt(&a, &c) && !p.lt(&op("+", &[&a, &n(2)]), &c));
    assert_eq!(p.decide(&op(">=", &[&a, &c])), Some(false));
    assert_eq!(p.decide(&op("==", &[&a, &c])), Some(false));
    assert_eq!(p.decide(&op("!=", &[&a, &c])), Some(true));
    assert_eq!(p.decide(&op("<", &[&a, &v(3)])), None);
    assert!(under(&[op("<", &[&a, &b]), op("<", &[&b, &a])]).infeasible());
}

#[test]
fn scopes_are_forgotten() {
    let (a, b) = (v(0), v(1));
    let mut p = under(&[op("<=", &[&a, &b])]);
    p.push();
    p.assume(&op("<", &[&b, &a]));
    p.define(VarId(7), &min(&[&a, &n(3)]));
    assert!(p.infeasible());
    p.pop();
    assert!(!p.infeasible() && p.le(&a, &b) && !p.le(&v(7), &n(3)));
    p.define(VarId(7), &min(&[&a, &n(4)]));
    assert!(p.le(&v(7), &n(4)) && !p.le(&v(7), &n(3)));
}

#[test]
fn connectives_and_opaque_conditions() {
    let (a, b, f) = (v(0), v(1), op("f", &[&v(2)]));
    let mut p = under(&[op("not", &[&op("or", &[&op("<", &[&a, &b]), &f])])]);
    assert!(p.le(&b, &a));
    assert_eq!(p.decide(&f), Some(false));
    assert_eq!(p.decide(&op("not", &[&f])), Some(true));
    assert_eq!(p.decide(&op("and", &[&op("<=", &[&b, &a]), &f])), Some(false));
    assert_eq!(p.decide(&op("or", &[&v(9), &op("<=", &[&b, &a])])), Some(true));
    let window = op("and", &[&op("<=", &[&n(2), &v(3)]), &op("<", &[&v(3), &n(2)])]);
    assert_eq!(p.decide(&window), Some(false));
    // Of a disjunction with one side refuted the other holds.
    p.assume(&op("or", &[&op("<", &[&a, &b]), &op("<=", &[&v(5), &n(0)])]));
    assert!(p.le(&v(5), &n(0)));
    p.assume(&f);
    assert!(p.infeasible());
}

#[test]
fn floats_are_not_integers() {
    let half = Expr::Lit(Lit::float(0.5));
    let p = under(&[op("<", &[&v(0), &half]), op("<", &[&n(0), &v(0)])]);
    assert!(!p.infeasible());
    assert_eq!(p.decide(&op(">", &[&half, &v(0)])), Some(true));
    assert_eq!(p.decide(&op(">=", &[&v(0), &half])), None);
}

#[test]
fn disequality_strengthens_now_and_later() {
    let (a, b) = (v(0), v(1));
    let mut p = under(&[op("!=", &[&a, &b])]);
    assert_eq!(p.decide(&op("==", &[&b, &a])), Some(false));
    assert!(!p.lt(&a, &b));
    p.assume(&op("<=", &[&a, &b]));
    assert!(p.lt(&a, &b));
    let p = under(&[op("<=", &[&a, &n(4)]), op("!=", &[&a, &n(4)]), op("!=", &[&a, &n(3)])]);
    assert!(p.le(&a, &n(2)));
}

#[test]
fn sums_of_more_than_two() {
    let (i, d, hi, len) = (v(0), v(1), v(2), v(3));
    let shifted = op("-", &[&i, &d]);
    let mut p = under(&[op("<", &[&shifted, &hi])]);
    assert!(p.lt(&i, &op("+", &[&hi, &d])) && p.lt(&shifted, &op("+", &[&hi, &n(1)])));
    assert!(!p.lt(&shifted, &len));
    p.assume(&op("<=", &[&hi, &len]));
    assert!(p.lt(&shifted, &len));
    p.assume(&op("<=", &[&n(0), &d]));
    p.assume(&op("<=", &[&d, &n(2)]));
    assert!(p.lt(&i, &op("+", &[&len, &n(2)])) && !p.lt(&i, &op("+", &[&len, &n(1)])));
    let even = op("*", &[&n(2), &i]);
    assert_eq!(Known::new().decide(&op("==", &[&even, &n(3)])), Some(false));
    assert!(under(&[op("<", &[&even, &n(5)])]).le(&i, &n(2)));
}

#[test]
fn minima_and_maxima_in_questions() {
    let (a, b, c) = (v(0), v(1), v(2));
    let p = under(&[op("<=", &[&a, &b]), op("<=", &[&a, &c])]);
    assert!(p.le(&a, &min(&[&b, &c])) && p.le(&min(&[&c, &a]), &b));
    assert!(p.le(&max(&[&a, &min(&[&b, &c])]), &max(&[&c, &b])));
    assert!(!p.le(&b, &min(&[&b, &c])));
    assert!(p.le(&op("-", &[&min(&[&a, &v(9)]), &n(1)]), &b));
    assert!(p.eq(&min(&[&b, &a, &c]), &a));
    assert!(p.lt(&n(4), &max(&[&a, &n(5)])));
}

#[test]
fn definitions_infer_the_remaining_part() {
    let (a, b, e) = (v(0), v(1), v(2));
    let mut p = Known::new();
    p.define(VarId(2), &min(&[&op("+", &[&a, &n(1)]), &b]));
    assert!(p.lt(&e, &op("+", &[&a, &n(2)])) && p.le(&e, &b));
    p.push();
    p.assume(&op("!=", &[&b, &e]));
    assert!(p.eq(&e, &op("+", &[&a, &n(1)])) && p.lt(&a, &b));
    p.assume(&op("!=", &[&op("-", &[&e, &n(1)]), &a]));
    assert!(p.infeasible());
    p.pop();
    p.assume(&op("<", &[&n(3), &a]));
    p.assume(&op("<", &[&n(3), &b]));
    assert!(p.le(&n(4), &e) && !p.infeasible());
}

#[test]
fn bounds_are_simplified() {
    let (a, b, c) = (v(0), v(1), v(2));
    let p = under(&[op("<=", &[&a, &b]), op("==", &[&c, &n(4)])]);
    assert_eq!(p.bound(&min(&[&b, &min(&[&a, &v(5)])])), min(&[&a, &v(5)]));
    assert_eq!(p.bound(&max(&[&a, &b])), b);
    assert_eq!(p.bound(&min(&[&n(7), &v(5), &n(3)])), min(&[&n(3), &v(5)]));
    assert_eq!(p.bound(&c), n(4));
    assert_eq!(p.bound(&op("+", &[&c, &a])), op("+", &[&a, &n(4)]));
    assert_eq!(p.bound(&min(&[&max(&[&a, &c, &b]), &b])), b);
    assert_eq!(p.bound(&op("-", &[&min(&[&a, &b]), &n(1)])), op("-", &[&a, &n(1)]));
    assert_eq!(p.bound(&min(&[&op("+", &[&v(5), &n(1)]), &v(5)])), v(5));
    assert_eq!(p.bound(&min(&[&v(6), &v(5)])), min(&[&v(6), &v(5)]));
    assert_eq!(p.bound(&max(&[&op("-", &[&op("+", &[&a, &n(1)]), &n(1)]), &a])), a);
}

#[test]
fn merge_of_two_cursors() {
    let (i, hi, sa, sb, e, last_a, last_b) = (v(0), v(1), v(2), v(3), v(4), v(5), v(6));
    let mut p = Known::new();
    p.define(VarId(1), &min(&[&last_a, &last_b]));
    for c in [
        op("<", &[&i, &hi]),
        op("<", &[&i, &sa]),
        op("<", &[&i, &sb]),
        op("<=", &[&sa, &last_a]),
        op("<=", &[&sb, &last_b]),
    ] {
        p.assume(&c);
    }
    assert_eq!(p.bound(&min(&[&sa, &sb, &hi])), min(&[&sa, &sb]));
    p.define(VarId(4), &min(&[&sa, &sb, &hi]));
    // The minimum stays one although a variable equals it: bounds are not renamed.
    assert_eq!(p.bound(&min(&[&sa, &sb, &hi])), min(&[&sa, &sb]));
    assert!(p.eq(&e, &min(&[&sb, &sa])));
    assert!(p.lt(&i, &e) && p.le(&e, &hi));
    assert_eq!(p.decide(&op("==", &[&sa, &e])), None);
    p.push();
    p.assume(&op("==", &[&sa, &e]));
    assert_eq!(p.decide(&op("==", &[&sb, &e])), None);
    p.pop();
    p.assume(&op("!=", &[&sa, &e]));
    assert!(!p.infeasible() && p.eq(&sb, &e) && p.lt(&sb, &sa));
    p.assume(&op("!=", &[&sb, &e]));
    assert!(p.infeasible());
}

#[test]
fn galloping() {
    let (i, hi, sa, sb, e) = (v(0), v(1), v(2), v(3), v(4));
    let mut p = Known::new();
    for c in [op("<", &[&i, &hi]), op("<", &[&i, &sa]), op("<", &[&i, &sb])] {
        p.assume(&c);
    }
    p.define(VarId(4), &min(&[&max(&[&sa, &sb]), &hi]));
    assert!(p.lt(&i, &e));
    p.push();
    p.assume(&op("<", &[&sa, &e]));
    p.assume(&op("<", &[&sb, &e]));
    assert!(p.infeasible());
    p.pop();
    p.push();
    p.assume(&op("==", &[&e, &sa]));
    p.assume(&op("<", &[&sb, &e]));
    assert!(!p.infeasible() && p.le(&e, &hi));
    assert_eq!(p.bound(&max(&[&sa, &sb])), sa);
    p.pop();
    p.assume(&op("<", &[&sa, &sb]));
    p.assume(&op("!=", &[&sb, &e]));
    assert!(p.eq(&e, &hi) && p.lt(&hi, &sb));
    assert_eq!(p.decide(&op("==", &[&e, &sb])), Some(false));
}

/// A list of coordinates `crd[q]` against a band `lo..hi` of a dimension of length `len`: the
/// list is sought to the band's start, its steps end at `crd[q] + 1` or at the band's end.
#[test]
fn list_times_band() {
    let (lo, hi, len, q, end, e) = (v(0), v(1), v(2), v(3), v(4), v(5));
    let (crd, stop) = (load(0, &q), op("+", &[&load(0, &q), &n(1)]));
    let last = load(0, &op("-", &[&end, &n(1)]));
    let start = v(6);
    let mut p = Known::new();
    p.assume(&op("and", &[&op("<=", &[&n(0), &lo]), &op("<=", &[&hi, &len])]));
    p.assume(&op("and", &[&op("<=", &[&n(0), &crd]), &op("<", &[&crd, &len])]));
    p.assume(&op("<=", &[&crd, &last]));
    // The region of list and band.
    p.define(VarId(7), &min(&[&op("+", &[&last, &n(1)]), &hi]));
    let region = v(7);
    p.assume(&op("<=", &[&lo, &start]));
    p.assume(&op("<", &[&start, &region]));
    p.assume(&op("<=", &[&start, &crd]));
    assert_eq!(p.bound(&max(&[&start, &lo, &n(0)])), start);
    assert_eq!(p.bound(&min(&[&region, &hi, &len])), region);
    assert_eq!(p.bound(&min(&[&stop, &region])), min(&[&stop, &region]));
    // Whatever the list does not cut short, the band does.
    assert_eq!(p.bound(&min(&[&stop, &region, &hi])), min(&[&stop, &region]));
    assert_eq!(p.bound(&min(&[&stop, &op("+", &[&last, &n(1)]), &hi])), min(&[&stop, &hi]));
    p.define(VarId(5), &min(&[&stop, &region]));
    assert!(p.lt(&start, &e) && p.le(&e, &hi) && p.le(&e, &len));
    p.push();
    p.assume(&op("==", &[&e, &stop]));
    // The hit is inside the band, and the part before it may be empty.
    assert!(p.lt(&crd, &hi) && p.le(&lo, &crd));
    assert_eq!(p.bound(&op("-", &[&e, &n(1)])), op("-", &[&e, &n(1)]));
    assert_eq!(p.decide(&op("<", &[&start, &op("-", &[&e, &n(1)])])), None);
    p.pop();
    p.assume(&op("not", &[&op("==", &[&e, &stop])]));
    // The band ends first: no further hit.
    assert!(p.eq(&e, &region) && p.eq(&region, &hi) && p.le(&hi, &crd));
    assert_eq!(p.bound(&min(&[&crd, &hi])), hi);
}

#[test]
fn products_of_sums_are_sums() {
    let (i, j, n, c, d) = (v(0), v(1), v(2), v(3), v(4));
    let times = |a: &Expr, b: &Expr| op("*", &[a, b]);
    let next = times(&op("+", &[&i, &self::n(1)]), &n);
    let p = Known::new();
    assert!(p.eq(&op("-", &[&next, &times(&n, &i)]), &n));
    assert!(p.eq(
        &times(&op("+", &[&i, &j]), &op("-", &[&i, &j])),
        &op("-", &[&times(&i, &i), &times(&j, &j)])
    ));
    assert!(!p.le(&times(&i, &n), &next));
    // Rows of one length do not overlap.
    let mut p = under(&[
        op("<=", &[&self::n(0), &c]),
        op("<", &[&c, &n]),
        op("<=", &[&self::n(0), &d]),
        op("<", &[&i, &j]),
    ]);
    assert!(p.le(&times(&i, &n), &next) && p.le(&next, &times(&j, &n)));
    let (one, other) = (op("+", &[&times(&i, &n), &c]), op("+", &[&times(&j, &n), &d]));
    assert!(p.lt(&one, &other) && !p.lt(&op("+", &[&one, &self::n(1)]), &other));
    p.assume(&op("<=", &[&self::n(0), &i]));
    assert!(p.le(&self::n(0), &times(&i, &n)) && p.le(&j, &times(&j, &n)));
}

#[test]
fn quotients_by_a_literal() {
    let (k, m) = (v(0), v(1));
    let (quotient, rest) = (op("/", &[&k, &n(4)]), op("%", &[&k, &n(4)]));
    let p = Known::new();
    assert!(p.eq(&op("+", &[&op("*", &[&n(4), &quotient]), &rest]), &k));
    assert!(p.lt(&rest, &n(4)) && p.lt(&n(-4), &rest) && !p.le(&n(0), &rest));
    let p = under(&[op("<=", &[&n(0), &k]), op("<", &[&k, &op("*", &[&n(4), &m])])]);
    assert!(p.le(&n(0), &rest) && p.le(&n(0), &quotient) && p.lt(&quotient, &m));
    // Cut towards 0.
    let p = under(&[op("==", &[&k, &n(-7)])]);
    assert!(p.eq(&quotient, &n(-1)) && p.eq(&rest, &n(-3)));
    assert!(p.eq(&op("ceil_div:", &[&k, &n(4)]), &n(-1)));
    assert_eq!(p.decide(&op("==", &[&op("/", &[&k, &n(0)]), &n(0)])), None);
    assert_eq!(p.decide(&op("<", &[&op("%", &[&k, &n(-4)]), &n(4)])), None);
    let p = under(&[op("<", &[&k, &n(9)]), op("<=", &[&n(5), &k])]);
    assert!(p.eq(&op("ceil_div:", &[&k, &n(4)]), &n(2)));
}

/// A pair of dimensions as one: `k` runs over all of `i * n + j`.
#[test]
fn quotients_by_a_size() {
    let (k, m, size, i, j) = (v(0), v(1), v(2), v(3), v(4));
    let (quotient, rest) = (op("/", &[&k, &size]), op("%", &[&k, &size]));
    let mut p = under(&[op("<=", &[&n(0), &k]), op("<", &[&k, &op("*", &[&m, &size])])]);
    assert!(!p.lt(&rest, &size));
    p.assume(&op("<", &[&n(0), &size]));
    assert!(p.le(&n(0), &rest) && p.lt(&rest, &size));
    assert!(p.le(&n(0), &quotient) && p.lt(&quotient, &m) && p.le(&quotient, &k));
    assert!(p.eq(&op("+", &[&op("*", &[&quotient, &size]), &rest]), &k));
    p.push();
    p.assume(&op("<", &[&k, &size]));
    assert!(p.eq(&quotient, &n(0)) && p.eq(&rest, &k));
    p.pop();
    assert!(!p.eq(&quotient, &n(0)));
    let mut p = under(&[
        op("<=", &[&n(0), &j]),
        op("<", &[&j, &size]),
        op("<=", &[&n(0), &i]),
        op("==", &[&k, &op("+", &[&op("*", &[&i, &size]), &j])]),
    ]);
    assert!(p.eq(&quotient, &i) && p.eq(&rest, &j));
    p.assume(&op("<", &[&i, &m]));
    let place = op("+", &[&op("*", &[&i, &size]), &j]);
    assert!(p.lt(&place, &op("*", &[&m, &size])));
}
