//! Comparisons with what may be missing are missing: nothing is assigned, and no condition holds.

use looplets::prelude::*;

finch! {
    fn greater(a: &SparseVec<i64>, n: usize) -> (y: DenseVec<bool>) { for i in 0..n { y[i] ||= (ifelse(a[i] > 2, 3i64, missing) < 3); } }
    fn sieved(a: &SparseVec<i64>) -> (y: DenseVec<i64>) { for i { if ifelse(a[i] > 2, a[i], missing) < 4 { y[i] = 1 } else { y[i] = 2 } } }
    fn chosen(a: &SparseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = ifelse(ifelse(a[i] > 2, a[i], missing) < 4, 3, a[i]) } }
    fn counted(a: &SparseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = 1 + (ifelse(a[i] > 2, a[i], missing) < 4) } }
    fn defined(a: &SparseVec<i64>) -> (y: DenseVec<i64>) { for i { let t = ifelse(a[i] > 2, a[i], missing); y[i] = 1 + (t < 4) } }
}
#[test]
fn a_comparison_with_missing_is_missing() {
    let a: SparseVec<i64> = Tensor::from_dense([5], &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(greater(&a, 5).to_dense(), [false; 5]);
    assert_eq!(sieved(&a).to_dense(), [2, 2, 1, 2, 2]);
    assert_eq!(chosen(&a).to_dense(), [0, 0, 3, 4, 5]);
    assert_eq!(counted(&a).to_dense(), [0, 0, 2, 1, 1]);
    assert_eq!(defined(&a).to_dense(), [0, 0, 2, 1, 1]);
}

finch! {
    fn under_missing(a: &SparseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = coalesce(ifelse(ifelse(a[i] > 2, a[i], missing) < 4, missing, 7), -1) } }
}
#[test]
fn an_arm_that_may_be_missing_waits_for_a_condition_that_may_be() {
    let a: SparseVec<i64> = Tensor::from_dense([5], &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(under_missing(&a).to_dense(), [-1, -1, -1, 7, 7]);
}
finch! {
    fn let_missing(a: &SparseVec<i64>, n: usize) -> (y: Tensor<Dense<Element<i64, Const<3>>>>) {
        for i in 0..n {
            let t = a[permit[i - 1]] + 1;
            y[i] = 9 + (t - coalesce(ifelse(i == 2, missing, t), t))
        }
    }
}
#[test]
fn a_local_may_be_missing() {
    let a: SparseVec<i64> = Tensor::from_dense([2], &[1, 2]).unwrap();
    assert_eq!(let_missing(&a, 4).to_dense(), [3, 9, 9, 3]);
}

finch! {
    fn each_part(a: &Tensor<SparseBand<Element<f64>>>, p: &SparseVec<f64>, n: usize, c: &mut f64) -> (y: DenseVec<f64>) {
        for i in 0..n { for j { y[i] += i + a[(j + 2)::locate]; c += p[permit[j - 2]] } }
    }
}
#[test]
fn parts_of_a_loop_have_their_own_definitions() {
    let a = Tensor::from_dense([4], &[3.0, 2.0, 4.0, -1.0]).unwrap();
    let p: SparseVec<f64> = Tensor::from_dense([1], &[6.0]).unwrap();
    let mut c = 0.0;
    assert_eq!(each_part(&a, &p, 2, &mut c).to_dense(), [3.0, 5.0]);
    assert_eq!(c, 0.0);
}

finch! {
    #[allow(deprecated)]
    fn below_zero(p: &DenseVec<bool>, a: &DenseVec<i64>, n: usize) -> (y: Tensor<Dense<SparseBand<Element<i64>>>>) {
        for i { for j in 0..n { if coalesce(p[i + 1], false) { y[i, j] += coalesce(ifelse(i >= 0, missing, a[offset(-1)[i]]), max(i, j)) } } }
    }
}
#[test]
fn coordinates_below_zero_are_numbers_in_code_that_never_runs() {
    let p: DenseVec<bool> = Tensor::from_dense([3], &[true, false, true]).unwrap();
    let a: DenseVec<i64> = Tensor::from_dense([3], &[1, 2, 3]).unwrap();
    assert_eq!(below_zero(&p, &a, 2).to_dense(), [0, 0, 1, 1]);
}

fn half(x: f64) -> f64 {
    x / 2.0
}

level! { type Pruned = Tensor<SparseList<SparseList<Element<f64, Cut>>>>; }
level! { type Lowest = Tensor<Element<f64, NegInf>>; }
fill! {
    /// What was left out is missing.
    fill Cut = missing;
}
impl Fill<f64> for Cut {
    const VALUE: f64 = f64::NAN;
}

finch! {
    #![steps(n)]
    fn best_of_worst(a: &Pruned, best: &mut f64, n: &mut u64) {
        for i {
            let mut worst: f64;
            worst = 2;
            for j { worst <<min>>= a[i, j] }
            best <<max>>= ifelse(worst < 2, worst, missing)
        }
    }
    fn least_row(a: &Pruned, least: &mut f64, n: &mut u64) {
        for i {
            let mut most: Lowest;
            for j { most[] <<max>>= a[i, j] }
            least <<min>>= ifelse(most[] > -1, most[], missing)
        }
    }
    fn halves(a: &Pruned, n: &mut u64) -> (y: DenseVec<f64>) {
        for i {
            let mut t: f64;
            t = 3;
            for j { t += a[i, j] }
            y[i] = half(t) + t / 2
        }
    }
    fn tokens(a: &Pruned, n: &mut u64) -> (y: DenseVec<f64>) {
        for i {
            let mut t: f64;
            t = 3;
            for j { t += a[i, j] }
            y[i] = $(t + 1.0)
        }
    }
}

#[test]
fn a_local_that_only_missing_would_reduce_stays_what_it_was() {
    let at = [([7, 1], 0.5), ([7, 2], 0.25), ([500, 1], 0.75), ([500, 9], 0.5)];
    let a: Pruned = Tensor::from_triplets([1000, 1000], at, Refuse).unwrap();
    let (mut best, mut least, mut n) = (-1.0, 9.0, 0);
    best_of_worst(&a, &mut best, &mut n);
    // Two rows, and four entries.
    assert_eq!((best, n), (0.5, 6));
    least_row(&a, &mut least, &mut n);
    assert_eq!((least, n), (0.5, 12));
    let mut known = vec![3.0; 1000];
    (known[7], known[500]) = (3.75, 4.25);
    assert_eq!(halves(&a, &mut n).to_dense(), known);
    known.iter_mut().for_each(|t| *t += 1.0);
    assert_eq!(tokens(&a, &mut n).to_dense(), known);
}

finch! {
    fn never_less(a: &DenseVec<u8>, size: usize) -> (n: DenseVec<i64>[size]) {
        for k in 0..4 { if !(0 > a[permit[2 * k - 1]]) { n[k] += 1 } }
    }
    fn always_least(a: &DenseVec<u8>, n: &mut i64) {
        for k in 0..4 { n += coalesce(ifelse(a[permit[k - 1]] >= 0, 1, 2), 10) }
    }
    fn logical(b: &DenseVec<bool>, n: &mut i64) { for k in 0..4 { if !(b[permit[k + 1]] > true) { n += 1 } } }
}

/// What the types of both sides decide is missing where one of them is.
#[test]
fn comparisons_with_what_is_missing_are_missing() {
    let a = DenseVec::from_dense([3], &[0u8, 255, 7]).unwrap();
    assert_eq!(never_less(&a, 4).to_dense(), [0, 1, 0, 0]);
    let (mut n, mut m) = (0, 0);
    always_least(&a, &mut n);
    assert_eq!(n, 13);
    logical(&DenseVec::from_dense([3], &[true, false, true]).unwrap(), &mut m);
    assert_eq!(m, 2);
}

#[test]
fn a_long_sum_with_a_missing_term_is_not_assigned() {
    // Too long for the rules to come to its end: what is missing is decided all the same.
    finch! {
        fn long(
            p: &Tensor<Dense<Dense<Element<bool, True>>>>, a: &DenseVec<i64>, b: &DenseMat<i64>, c: &DenseVec<i64>,
            d: &DenseVec<i64>, q: &Tensor<Dense<Element<bool, True>>>, e: &DenseVec<i64>, x: i64, n: usize,
            y: Tensor<BitTree<Element<i64>>>
        ) -> (y: Tensor<BitTree<Element<i64>>>) {
            for i {
                y[i] += slice(
                    ifelse(collapse(p[(permit[g + 1])::locate, h::locate] + x - ifelse(x <= 1, x, g), (g: 1, h: n) -> k: (n)) <= k, x, 1),
                    k: (n) -> i, (1, (n - 2))
                ) + a[i + 1] + collapse((b[r, s::locate] % 4) - (s + b[r, s::locate]), (r, s) -> i)
                    + concat((c[t], min(d[window(0, (n - 5))[u]], x)), (t, u: (n - 5)) -> i) + q[i] + e[i]
            }
        }
    }
    let n = 8;
    let p = Tensor::from_dense([2, n], &[true; 16]).unwrap();
    let (a, e) =
        (Tensor::from_dense([6], &[7; 6]).unwrap(), Tensor::from_dense([5], &[1; 5]).unwrap());
    let b = Tensor::from_dense([5, 1], &[9, 8, 7, 6, 5]).unwrap();
    let (c, d) =
        (Tensor::from_dense([2], &[3, 4]).unwrap(), Tensor::from_dense([3], &[5, 6, 7]).unwrap());
    let q = Tensor::from_dense([5], &[true, false, true, false, true]).unwrap();
    let y = || Tensor::from_dense([5], &[0i64; 5]).unwrap();
    let found = long(&p, &a, &b, &c, &d, &q, &e, 2, n, y());
    let parts = [3, 4, 2, 2, 2];
    let want: Vec<i64> = (0..5usize)
        .map(|i| {
            let value = 9 - i as i64;
            let selected = if 3 <= i + 1 { 2 } else { 1 };
            selected + 7 + (value % 4 - value) + parts[i] + i64::from(i % 2 == 0) + 1
        })
        .collect();
    assert_eq!(found.to_dense(), want);
    let p = Tensor::from_dense([1, n], &[true; 8]).unwrap();
    let found = long(&p, &a, &b, &c, &d, &q, &e, 2, n, y());
    assert_eq!(found.to_dense(), [0; 5]);
}

/// What is missing within a definition that is not itself is there for tokens of Rust, which have its name.
#[test]
fn a_definition_that_is_there_keeps_its_name() {
    finch! {
        fn corner(a: &DenseVec<i64>, n: usize) -> (z: DenseVec<i64>[n]) {
            for i { for j in 0..n {
                let t = ifelse(j != 0, 0 * a[i], coalesce(ifelse(4 < a[i], a[i], missing), a[i]));
                z[j] += $(t);
            } }
        }
        fn inner(a: &DenseVec<i64>, b: &DenseVec<i64>) -> (z: DenseVec<i64>) {
            for i {
                let t = coalesce(ifelse(a[i] > 2, ifelse(b[i] > 2, a[i], missing), b[i]), -1);
                z[i] = $(t * 10) + t;
            }
        }
    }
    let a = DenseVec::from_dense([3], &[1i64, 2, 40]).expect("a vector");
    let b = DenseVec::from_dense([3], &[7i64, 8, 1]).expect("a vector");
    assert_eq!(corner(&a, 2).to_dense(), [43, 0]);
    assert_eq!(inner(&a, &b).to_dense(), [77, 88, -11]);
}

/// A sum of terms that may be missing is as long as they are, and no choice among all that may be.
#[test]
fn a_sum_of_terms_that_are_there_instead() {
    finch! {
        fn capped(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) {
            for i {
                let t = coalesce(ifelse(a[i] > 0, a[i], missing), b[i]) + coalesce(ifelse(a[i] > 1, missing, a[i]), b[i])
                    + coalesce(ifelse(a[i] > 2, a[i], missing), b[i]) + coalesce(ifelse(a[i] > 3, missing, a[i]), b[i])
                    + coalesce(ifelse(a[i] > 4, a[i], missing), b[i]) + coalesce(ifelse(a[i] > 5, missing, a[i]), b[i])
                    + coalesce(ifelse(b[i] > 2, a[i], missing), ifelse(b[i] > 4, missing, 8), 16)
                    + coalesce(ifelse(b[i] > 3, ifelse(a[i] > 3, 64, missing), missing), 32);
                y[i] = $(t);
            }
        }
    }
    let (x, z) = ([0.5, -0.0, 2.5, 3.5, 9.0, f64::NAN], [0.25, 1.0, 3.0, 4.0, 5.0, 6.0]);
    let a = DenseVec::from_dense([6], &x).expect("a vector");
    let b = DenseVec::from_dense([6], &z).expect("a vector");
    let one = |a: f64, b: f64| {
        let first = |cond: bool| if cond { a } else { b };
        first(a > 0.0)
            + if a > 1.0 { b } else { a }
            + first(a > 2.0)
            + if a > 3.0 { b } else { a }
            + first(a > 4.0)
            + if a > 5.0 { b } else { a }
            + if b > 2.0 { a } else { 8.0 }
            + if b > 3.0 && a > 3.0 { 64.0 } else { 32.0 }
    };
    let want: Vec<f64> = x.iter().zip(z).map(|(a, b)| one(*a, b)).collect();
    assert_eq!(format!("{:?}", capped(&a, &b).to_dense()), format!("{want:?}"));
}

finch! {
    #![dense]
    fn either(p: &DenseVec<bool>, b: &DenseVec<i64>, t: i64, y: &mut i64, z: &mut i64) {
        for j { if t <= 1 || b[j] < ifelse(p[0], 4, missing) { y += 1 } else { z += 1 } }
    }
    fn not_both(p: &DenseVec<bool>, b: &DenseVec<i64>, t: i64, y: &mut i64, z: &mut i64) {
        for j { if !(t > 1 && b[j] < ifelse(p[0], 4, missing)) { y += 1 } else { z += 1 } }
    }
    fn both(p: &DenseVec<bool>, b: &DenseVec<i64>, t: i64, y: &mut i64, z: &mut i64) {
        for j { if t > 1 && b[j] < ifelse(p[0], 4, missing) { y += 1 } else { z += 1 } }
    }
    fn as_value(p: &DenseVec<bool>, b: &DenseVec<i64>, t: i64) -> (y: Tensor<Dense<Element<bool, True>>>) {
        for j { y[j] = t > 1 && b[j] < ifelse(p[0], 4, missing) }
    }
}
#[test]
fn what_is_missing_behind_a_condition_is_missing_whatever_stands_in_front() {
    let b = Tensor::from_dense([3], &[1, 2, 5]).unwrap();
    let counts = |f: fn(&DenseVec<bool>, &DenseVec<i64>, i64, &mut i64, &mut i64), p, t| {
        let (mut y, mut z) = (0, 0);
        f(&Tensor::from_dense([1], &[p]).unwrap(), &b, t, &mut y, &mut z);
        (y, z)
    };
    // Of two booleans the rows are: missing or not, and what stands in front.
    assert_eq!(
        [false, true].map(|p| [1, 2].map(|t| counts(either, p, t))),
        [[(0, 3), (0, 3)], [(3, 0), (2, 1)]]
    );
    assert_eq!(
        [false, true].map(|p| [1, 2].map(|t| counts(not_both, p, t))),
        [[(0, 3), (0, 3)], [(3, 0), (1, 2)]]
    );
    assert_eq!(
        [false, true].map(|p| [1, 2].map(|t| counts(both, p, t))),
        [[(0, 3), (0, 3)], [(0, 3), (2, 1)]]
    );
    let value = |p, t| as_value(&Tensor::from_dense([1], &[p]).unwrap(), &b, t).to_dense();
    assert_eq!(
        (value(false, 1), value(true, 1), value(true, 2)),
        (vec![true; 3], vec![false; 3], vec![true, true, false])
    );
}
