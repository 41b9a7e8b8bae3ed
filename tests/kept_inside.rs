//! Conditions on an index keep inside what it moves, wherever they stand: around a statement, before `&&` and `||`, and in a choice.

// Some of it reads outside of a tensor, unless a condition holds.
#![allow(deprecated)]

use looplets::prelude::*;

finch! {
    fn behind_and(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { if i >= 1 && a[i - 1] > 0 { y[i] = a[i] } } }
    fn behind_two(a: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { if i >= 1 && i + 1 < n && a[i - 1] < a[i + 1] { y[i] = a[i] } }
    }
    fn behind_or(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { if i == 0 || a[i - 1] > 0 { y[i] = a[i] } } }
    fn of_list(a: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { if i >= 1 && a[i - 1] > 0 { y[i] = 1 } } }
    fn by_data(a: &DenseVec<f64>, k: &DenseVec<usize>) -> (y: DenseVec<f64>) { for i { if k[i] > i && a[i + 1] > 0 { y[i] = a[i] } } }
    fn chosen(a: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { y[i] = ifelse(i >= 1, a[i - 1], 7) } }
    fn appended(a: &DenseVec<f64>, n: usize) -> (y: SparseVec<f64>) {
        for i in 0..n { if i >= 1 { y[i] = a[i - 1] } else { y[i] = 7 } }
    }
    fn runs(a: &DenseVec<f64>, n: usize) -> (y: Tensor<RunList<Element<f64>>>) {
        for i in 0..n { if i >= 1 { if a[i - 1] > 2 { y[i] = 1 } else { y[i] = 7 } } else { y[i] = 7 } }
    }
    fn updated(y: &mut DenseVec<f64>) { for i { if i >= 2 && y[i - 2] > 0 { y[i] += 1 } } }
}

#[test]
fn what_a_condition_keeps_inside_is_read_there_alone() {
    let values = [1.0, 2.5, -1.0, 3.0, f64::NAN];
    for n in 0..=values.len() {
        let x = &values[..n];
        let a: DenseVec<f64> = Tensor::from_dense([n], x).expect("a vector");
        let list: SparseVec<f64> = Tensor::from_dense([n], x).expect("a vector");
        let each = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
        let same = |found: Vec<f64>, expected: Vec<f64>| {
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        };
        let if_then = |cond: bool, value: f64| if cond { value } else { 0.0 };
        same(behind_and(&a).to_dense(), each(&|i| if_then(i >= 1 && x[i - 1] > 0.0, x[i])));
        same(
            behind_two(&a, n).to_dense(),
            each(&|i| if_then(i >= 1 && i + 1 < n && x[i - 1] < x[i + 1], x[i])),
        );
        same(behind_or(&a).to_dense(), each(&|i| if_then(i == 0 || x[i - 1] > 0.0, x[i])));
        same(of_list(&list, n).to_dense(), each(&|i| if_then(i >= 1 && x[i - 1] > 0.0, 1.0)));
        let shifted = each(&|i| if i >= 1 { x[i - 1] } else { 7.0 });
        same(chosen(&a, n).to_dense(), shifted.clone());
        same(appended(&a, n).to_dense(), shifted);
        same(runs(&a, n).to_dense(), each(&|i| if i >= 1 && x[i - 1] > 2.0 { 1.0 } else { 7.0 }));
        let k: DenseVec<usize> = Tensor::from_dense(
            [n],
            &(0..n).map(|i| if i + 1 < n { n } else { 0 }).collect::<Vec<_>>(),
        )
        .expect("a vector");
        same(by_data(&a, &k).to_dense(), each(&|i| if_then(i + 1 < n && x[i + 1] > 0.0, x[i])));
        let mut y = x.to_vec();
        (2..n).for_each(|i| y[i] += if_then(y[i - 2] > 0.0, 1.0));
        let mut b = a.clone();
        updated(&mut b);
        same(b.to_dense(), y);
    }
}

/// A condition that is missing is none that does not hold: what is assigned is missing then.
#[test]
fn what_is_missing_is_decided_first() {
    finch! {
        fn least(a: &DenseVec<i64>, b: &DenseVec<i64>, at: &[u32], c: &mut i64) {
            for i { c = min(c, ifelse(ifelse(a[i] >= 2, a[i], missing) > 5, 1, b[at[i]])) }
        }
        fn windowed(a: &DenseVec<i64>, b: &DenseVec<i64>, at: &[u32], n: usize) -> (y: DenseVec<bool>[n]) {
            for i in 0..n { y[i] = coalesce(a[permit[i + 1]] > 5 && b[at[i]] > 1, true) }
        }
    }
    let a: DenseVec<i64> = Tensor::from_dense([3], &[0, 6, 3]).expect("a vector");
    let b: DenseVec<i64> = Tensor::from_dense([3], &[-7, 9, 2]).expect("a vector");
    let mut c = 4;
    least(&a, &b, &[0, 0, 2], &mut c);
    assert_eq!(c, 1);
    assert_eq!(windowed(&a, &b, &[1, 1, 0], 3).to_dense(), [true, false, true]);
}

/// `=` stores what a choice gives, but for the fill, wherever its operands are read.
#[test]
fn the_fill_that_is_chosen_is_not_stored() {
    finch! {
        fn computed(a: &DenseVec<f64>, p: &[u32], n: usize) -> (y: SparseVec<f64>) { for i in 0..n { y[i] = ifelse(p[i] > 0, a[p[i] - 1], 0) } }
        fn plain(a: &DenseVec<f64>, p: &[u32], n: usize) -> (y: SparseVec<f64>) { for i in 0..n { y[i] = ifelse(p[i] > 0, a[i], 0) } }
    }
    let a: DenseVec<f64> = Tensor::from_dense([3], &[0.5, -0.0, 2.5]).expect("a vector");
    for p in [[0, 0, 0], [1, 0, 3], [3, 2, 1]] {
        let (y, z) = (computed(&a, &p, 3), plain(&a, &p, 3));
        let chosen = p.iter().filter(|p| **p > 0).count();
        assert_eq!((y.stored(), z.stored()), (chosen, chosen));
        let want = p.map(|p| if p > 0 { a.to_dense()[p as usize - 1] } else { 0.0 });
        assert_eq!(y.to_dense(), want);
    }
}
