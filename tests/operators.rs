//! Declared operators: what each property makes of a loop, by value and by the steps it takes.

use looplets::prelude::*;

operator! {
    /// The greatest common divisor.
    pub fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    commutative, associative, idempotent;
    identity 0;
    annihilator 1;
}

operator! {
    /// `a` without the bits of `b`: `b` alone is nothing.
    fn andnot(a: u32, b: u32) -> u32 { a & !b }
    identity 0 at b;
    annihilator 0 at a;
}

operator! {
    /// Follows from no property.
    fn only(a: f64, b: f64) -> f64 { if b == 0.0 { a } else { 0.0 } }
    space a & !b;
    case only(0.0, 0.0) = 0;
}

operator! {
    fn either(a: f64, b: f64) -> f64 { a.max(b) * 2.0 }
    space a | b else 0;
}

operator! {
    fn apart(a: f64, b: f64) -> f64 { if a == 0.0 { b } else { a } }
    space a ^ b else 0;
}

operator! {
    /// The second, where both are stored.
    fn there<A, B>(a: A, b: B) -> B { let _ = a; b }
    space a & b else b;
}

operator! {
    fn sum_there(a: f64, b: f64) -> f64 { a + b }
    space a & b else 0;
}

operator! {
    /// Of three arguments.
    fn blend(a: f64, b: f64, t: f64) -> f64 { a + (b - a) * t }
    space (a | b) & t else 0;
}

operator! {
    fn both(a: f64, b: f64) -> f64 { a * 10.0 + b }
    space a & b else 0;
}

operator! {
    fn power(x: f64, n: f64) -> f64 { x.powf(n) }
    identity 1 at n;
    annihilator 1 at x;
    case power(x, 0) = 1;
}

fn times(x: u32, n: usize) -> u32 {
    x.saturating_mul(u32::try_from(n).unwrap_or(u32::MAX))
}

operator! {
    fn add_sat(a: u32, b: u32) -> u32 { a.saturating_add(b) }
    commutative, associative;
    identity 0;
    annihilator 4294967295;
    repeated by times;
}

fn opaque(a: f64, b: f64) -> f64 {
    a * b
}

finch! {
    #![steps(n)]
    use gcd;
    use andnot;
    use only;
    use either;
    use apart;
    use blend;
    use both;
    use power;
    use add_sat;
    use there;
    use sum_there;

    fn gcd_all(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) { for i { g <<gcd>>= a[i] } }
    fn gcd_both(a: &SparseVec<u64>, b: &SparseVec<u64>, n: &mut u64) -> (c: SparseVec<u64>) {
        for i { c[i] = gcd(a[i], b[i]) }
    }
    fn gcd_three(a: &SparseVec<u64>, b: &SparseVec<u64>, n: &mut u64) -> (c: SparseVec<u64>) {
        for i { c[i] = gcd(a[i], b[i], a[i]) }
    }
    fn without(a: &SparseVec<u32>, b: &SparseVec<u32>, n: &mut u64) -> (c: SparseVec<u32>) {
        for i { c[i] = andnot(a[i], b[i]) }
    }
    fn keep(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { c[i] = only(a[i], b[i]) }
    }
    fn union(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { c[i] = either(a[i], b[i]) }
    }
    fn symmetric(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { c[i] = apart(a[i], b[i]) }
    }
    fn blended(
        a: &SparseVec<f64>, b: &SparseVec<f64>, t: &SparseVec<f64>, n: &mut u64,
    ) -> (c: SparseVec<f64>) {
        for i { c[i] = blend(a[i], b[i], t[i]) }
    }
    fn powers(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: Tensor<SparseList<Element<f64, One>>>) {
        for i { c[i] = power(a[i], b[i]) }
    }
    fn far(a: &SparseVec<bool>, b: &DenseVec<f64, Inf>, n: &mut u64)
        -> (c: Tensor<SparseList<Element<f64, Inf>>>) {
        for i { c[i] = there(a[i], b[i]) }
    }
    fn there_twice(a: &SparseVec<bool>, b: &DenseVec<f64, Inf>, n: &mut u64)
        -> (c: Tensor<SparseList<Element<f64, Inf>>>) {
        for i { c[i] = there(there(a[i], b[i]) < 400.0, there(a[i], b[i])) }
    }
    fn kept_apart(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &SparseVec<f64>, n: &mut u64)
        -> (c: SparseVec<f64>) {
        for i { c[i] = only(apart(a[i], b[i]), only(t[i], a[i])) }
    }
    fn kept_of_products(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &SparseVec<f64>, n: &mut u64)
        -> (c: SparseVec<f64>) {
        for i { c[i] = only(a[i], b[i] * t[i]) }
    }
    fn kept_of_spaces(a: &SparseVec<f64>, b: &SparseVec<f64>, t: &SparseVec<f64>, n: &mut u64)
        -> (c: SparseVec<f64>) {
        for i { c[i] = only(a[i] + t[i], 2 * apart(b[i], t[i])) }
    }
    fn named(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { let t = a[i]; let u = 2 * t; c[i] = both(u, b[i]) }
    }
    fn kept_inside(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { c[i] = only(a[i], coalesce(b[permit[i + 1]], 0)) }
    }
    fn both_there(a: &SparseVec<f64>, b: &DenseVec<f64>, n: &mut u64) -> (c: SparseVec<f64>) {
        for i { c[i] = sum_there(a[i], b[i]) }
    }
    fn total(a: &Tensor<RunList<Element<u32>>>, s: &mut u32, n: &mut u64) {
        for i { s <<add_sat>>= a[i] }
    }
}

finch! {
    #![steps(n)]
    fn dense(a: &SparseVec<f64>, b: &SparseVec<f64>, n: &mut u64) -> (c: DenseVec<f64>) {
        for i { c[i] = opaque(a[i], b[i]) }
    }
}

fn sparse<T: Value>(n: usize, at: &[(usize, T)]) -> SparseVec<T> {
    Tensor::from_triplets([n], at.iter().map(|(i, v)| ([*i], v.clone())), Refuse).unwrap()
}

fn entries<L: Level>(t: &Tensor<L>) -> Vec<(usize, L::Value)>
where
    L::Value: Clone,
{
    t.triplets().into_iter().map(|(at, v)| (at[0], v)).collect()
}

#[test]
fn a_reduction_visits_what_is_stored_and_stops_at_the_annihilator() {
    let (mut g, mut n) = (0, 0);
    gcd_all(&sparse(1000, &[(3, 12), (5, 18), (9, 7), (11, 14), (12, 28)]), &mut g, &mut n);
    assert_eq!((g, n), (1, 3));
}

#[test]
fn identity_and_annihilator_make_a_union() {
    let (a, b) = (sparse(1000, &[(3, 12), (500, 18)]), sparse(1000, &[(500, 4), (999, 5)]));
    let mut n = 0;
    let c = gcd_both(&a, &b, &mut n);
    assert_eq!(entries(&c), [(3, 12), (500, 2), (999, 5)]);
    assert_eq!(n, 3);
    assert_eq!(gcd_three(&a, &b, &mut n), c);
}

#[test]
fn properties_of_one_argument() {
    let (a, b) = (sparse(1000, &[(3, 7), (500, 6)]), sparse(1000, &[(500, 4), (999, 5)]));
    let mut n = 0;
    assert_eq!(entries(&without(&a, &b, &mut n)), [(3, 7), (500, 2)]);
    // Nothing is looked at where only `b` is stored.
    assert!(n <= 3, "{n}");
}

#[test]
fn stated_spaces_are_what_is_visited() {
    let (a, b) = (sparse(1000, &[(3, 7.0), (500, 6.0)]), sparse(1000, &[(500, 4.0), (999, 5.0)]));
    let mut n = 0;
    assert_eq!(entries(&keep(&a, &b, &mut n)), [(3, 7.0)]);
    assert!(n <= 2, "{n}");
    n = 0;
    assert_eq!(entries(&union(&a, &b, &mut n)), [(3, 14.0), (500, 12.0), (999, 10.0)]);
    assert_eq!(n, 3);
    n = 0;
    assert_eq!(entries(&symmetric(&a, &b, &mut n)), [(3, 7.0), (999, 5.0)]);
    assert!(n <= 3, "{n}");
    n = 0;
    let t = sparse(1000, &[(3, 0.5), (700, 0.5)]);
    assert_eq!(entries(&blended(&a, &b, &t, &mut n)), [(3, 3.5)]);
    assert!(n <= 5, "{n}");
}

/// A dense vector has a fill, and stores everything.
#[test]
fn spaces_know_the_fill_of_what_is_dense() {
    let a = sparse(1000, &[(3, true), (500, true)]);
    let b = Tensor::from_dense([1000], &(0..1000).map(f64::from).collect::<Vec<_>>()).unwrap();
    let mut n = 0;
    let c = far(&a, &b, &mut n);
    assert_eq!((entries(&c), c.to_dense()[4]), (vec![(3, 3.0), (500, 500.0)], f64::INFINITY));
    assert_eq!(n, 2);
    n = 0;
    let (a, b) = (sparse(1000, &[(3, 1.0)]), Tensor::from_dense([1000], &[1.0; 1000]).unwrap());
    assert_eq!(entries(&both_there(&a, &b, &mut n)), [(3, 2.0)]);
    assert_eq!(n, 1);
}

#[test]
fn stated_spaces_nest() {
    let a = sparse(1000, &[(3, true), (500, true)]);
    let b = Tensor::from_dense([1000], &(0..1000).map(f64::from).collect::<Vec<_>>()).unwrap();
    let mut n = 0;
    let c = there_twice(&a, &b, &mut n);
    assert_eq!((entries(&c), n), (vec![(3, 3.0), (500, 500.0)], 2));

    let (a, b) = (sparse(1000, &[(3, 7.0), (500, 6.0)]), sparse(1000, &[(500, 4.0), (999, 5.0)]));
    let t = sparse(1000, &[(3, 1.0), (4, 1.0), (999, 1.0)]);
    let (da, db, dt) = (a.to_dense(), b.to_dense(), t.to_dense());
    let by = |f: &dyn Fn(usize) -> f64| -> Vec<(usize, f64)> {
        (0..1000).map(|i| (i, f(i))).filter(|(_, v)| *v != 0.0).collect()
    };
    // What is stated holds where the function says otherwise.
    let apart = |a: f64, b: f64| if a != 0.0 && b != 0.0 { 0.0 } else { apart(a, b) };
    let filled = |c: SparseVec<f64>| by(&|i| c.to_dense()[i]);
    // (a ^ b) & !(t & !a)
    n = 0;
    let want = by(&|i| only(apart(da[i], db[i]), only(dt[i], da[i])));
    assert_eq!(filled(kept_apart(&a, &b, &t, &mut n)), want);
    assert!(n <= 5, "{n}");
    // a & !(b & t)
    n = 0;
    let want = by(&|i| only(da[i], db[i] * dt[i]));
    assert_eq!(filled(kept_of_products(&a, &b, &t, &mut n)), want);
    assert!(n <= 5, "{n}");
    // (a | t) & !(b ^ t)
    n = 0;
    let want = by(&|i| only(da[i] + dt[i], 2.0 * apart(db[i], dt[i])));
    assert_eq!(filled(kept_of_spaces(&a, &b, &t, &mut n)), want);
    assert!(n <= 6, "{n}");
    // A name for an argument is that argument.
    n = 0;
    assert_eq!(entries(&named(&a, &b, &mut n)), [(500, 124.0)]);
    assert!(n <= 4, "{n}");
    // Where the other is stored does not follow from `b` alone.
    let want = by(&|i| only(da[i], db.get(i + 1).copied().unwrap_or(0.0)));
    assert_eq!(filled(kept_inside(&a, &b, &mut n)), want);
}

#[test]
fn cases_are_bodies_for_particular_values() {
    let (a, b) = (sparse(1000, &[(3, 7.0), (500, 3.0)]), sparse(1000, &[(500, 2.0), (999, 5.0)]));
    let mut n = 0;
    let c = powers(&a, &b, &mut n);
    assert_eq!(entries(&c), [(500, 9.0), (999, 0.0)]);
    assert!(n <= 3, "{n}");
}

#[test]
fn equal_contributions_collapse() {
    let a: Tensor<RunList<Element<u32>>> =
        Tensor::from_dense([9000], &[vec![1; 4000], vec![0; 4000], vec![2; 1000]].concat())
            .unwrap();
    let (mut s, mut n) = (0, 0);
    total(&a, &mut s, &mut n);
    assert_eq!((s, n), (6000, 3));
    let a = Tensor::from_dense([3], &[u32::MAX, 1, 1]).unwrap();
    s = 0;
    total(&a, &mut s, &mut n);
    assert_eq!(s, u32::MAX);
    let empty = Tensor::from_dense([0], &[]).unwrap();
    s = 5;
    total(&empty, &mut s, &mut n);
    assert_eq!(s, 5);
}

#[test]
fn undeclared_functions_are_opaque_and_right() {
    let (a, b) = (sparse(10, &[(3, 7.0)]), sparse(10, &[(3, 2.0), (4, 1.0)]));
    let mut n = 0;
    let c = dense(&a, &b, &mut n);
    assert_eq!(c.to_dense()[3], 14.0);
    assert_eq!(n, 10);
}

mod fills {
    use super::*;

    finch! {
        fn plus_one(a: &SparseVec<f64>) -> (c: Tensor<SparseList<Element<f64, _>>>) {
            for i { c[i] = a[i] + 1 }
        }
        fn is_small(a: &SparseVec<f64>) -> (c: Tensor<SparseList<Element<bool, _>>>) {
            for i { c[i] = a[i] < 2 }
        }
        fn lower(a: &Tensor<SparseList<Element<f64, Inf>>>, b: &SparseVec<f64>)
            -> (c: Tensor<SparseList<Element<f64, _>>>, d: Tensor<SparseList<Element<f64, _>>>) {
            for i { c[i] = min(a[i], b[i]); d[i] = max(a[i], b[i]) }
        }
    }

    #[test]
    fn what_a_format_leaves_open_is_inferred() {
        let a = sparse(6, &[(1, 1.5), (4, 3.0)]);
        let c: Tensor<SparseList<Element<f64, Const<1>>>> = plus_one(&a);
        assert_eq!((c.stored(), c.to_dense()), (2, vec![1.0, 2.5, 1.0, 1.0, 4.0, 1.0]));
        let c: Tensor<SparseList<Element<bool, True>>> = is_small(&a);
        assert_eq!(c.to_dense(), [true, true, true, true, false, true]);
        assert_eq!(c.stored(), 2);
        let b = Tensor::from_triplets([6], [([4], 1.0)], Refuse).unwrap();
        let (c, d) = lower(&b, &a);
        let (c, d): (SparseVec<f64>, Tensor<SparseList<Element<f64, Inf>>>) = (c, d);
        assert_eq!((c.to_dense()[4], d.to_dense()[4]), (1.0, 3.0));
    }
}

mod otherwise {
    use super::*;

    fill! {
        /// Not a number.
        fill Nan: f64 = f64::NAN;
    }
    level! { type Known = Tensor<SparseList<Element<f64, Nan>>>; }
    operator! {
        fn sole(a: f64, b: f64) -> f64 { if a.is_nan() { b } else { a } }
        space a ^ b else Nan;
    }
    finch! {
        #![steps(n)]
        use sole;
        fn soles(a: &Known, b: &Tensor<SparseList<Element<f64, One>>>, n: &mut u64) -> (c: Known) {
            for i { c[i] = sole(a[i], b[i]) }
        }
    }

    #[test]
    fn the_value_outside_of_a_space_may_be_a_markers() {
        let a = Tensor::from_triplets([1000], [([3], 7.0), ([500], 6.0)], Refuse).unwrap();
        let b = Tensor::from_triplets([1000], [([500], 4.0), ([999], 5.0)], Refuse).unwrap();
        let mut n = 0;
        assert_eq!(entries(&soles(&a, &b, &mut n)), [(3, 7.0), (999, 5.0)]);
        assert_eq!(n, 3);
    }
}

mod one_sided {
    use super::*;

    operator! {
        fn lower(x: i64, a: i64) -> i64 { a - 2 * x }
        distributes over max;
    }
    operator! {
        fn next_to(a: i64, b: i64) -> i64 {
            if a == 0 { b } else if b == 0 { a } else if b == a + 1 { 0 } else { 1 }
        }
        identity 0;
        inverse succ;
    }
    operator! {
        fn succ(a: i64) -> i64 { if a == 0 { 0 } else { a + 1 } }
        case succ(0) = 0;
    }
    finch! {
        use {lower, next_to, succ};
        fn right(a: &DenseVec<i64>, b: &DenseVec<i64>) -> (c: DenseVec<i64>) {
            for i { c[i] = max(lower(a[i], b[i]), lower(b[i], b[i])) }
        }
        fn left(a: &DenseVec<i64>, b: &DenseVec<i64>) -> (c: DenseVec<i64>) {
            for i { c[i] = max(lower(a[i], b[i]), lower(a[i], a[i])) }
        }
        fn before(a: &DenseVec<i64>) -> (c: DenseVec<i64>) { for i { c[i] = next_to(succ(a[i]), a[i]) } }
        fn after(a: &DenseVec<i64>) -> (c: DenseVec<i64>) { for i { c[i] = next_to(a[i], succ(a[i])) } }
    }

    /// What is said of one argument of an operator that does not commute is not said of the other.
    #[test]
    fn laws_hold_for_the_side_they_are_stated_for() {
        let (x, y) = ([0i64, 1, 7], [8i64, 5, -3]);
        let (a, b) = (Tensor::from_dense([3], &x).unwrap(), Tensor::from_dense([3], &y).unwrap());
        let each = |f: &dyn Fn(i64, i64) -> i64| -> Vec<i64> {
            x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect()
        };
        assert_eq!(right(&a, &b).to_dense(), each(&|a, b| lower(a, b).max(lower(b, b))));
        assert_eq!(left(&a, &b).to_dense(), each(&|a, b| lower(a, b).max(lower(a, a))));
        assert_eq!(before(&b).to_dense(), each(&|_, b| next_to(succ(b), b)));
        assert_eq!(after(&b).to_dense(), [0, 0, 0]);
    }
}
