//! Zeros that a condition chooses: one that is not stored takes its product with it, whatever the other factor is and whatever
//! formats say which it is.

use looplets::prelude::*;

const INF: f64 = f64::INFINITY;

macro_rules! chosen {
    ($($name:ident $m:ty, $a:ty, $b:ty;)*) => { $(
        mod $name {
            use looplets::prelude::*;
            finch! {
                #![dense]
                pub fn product(m: &Tensor<$m>, a: &Tensor<$a>, b: &Tensor<$b>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
                    c[j] = ifelse(m[j], a[j], b[j]) * d[j]
                }
            }
            finch! {
                #![dense]
                pub fn looped(m: &Tensor<$m>, a: &Tensor<$a>, b: &Tensor<$b>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
                    for j {
                        let t = ifelse(m[j], a[j], -b[j]);
                        c[j] = t / d[j] + d[j] * (ifelse(m[j], a[j], b[j]) + t)
                    }
                }
            }
        }
        #[test]
        fn $name() {
            let m = Tensor::<$m>::from_dense([6], &[true, true, true, false, false, false]).unwrap();
            let a = Tensor::<$a>::from_triplets([6], [([1], 2.0), ([4], -1.0), ([2], 0.0)], Refuse).unwrap();
            let b = Tensor::<$b>::from_triplets([6], [([0], 0.5), ([4], 3.0), ([5], 0.0)], Refuse).unwrap();
            // The zeros at 2 and 5 are stored, those at 0 and 3 are not.
            for x in [INF, -INF, f64::NAN, 2.5] {
                let c = $name::product(&m, &a, &b, &Tensor::from_dense([6], &[x; 6]).unwrap()).to_dense();
                let want = [0.0, 2.0 * x, 0.0 * x, 0.0, 3.0 * x, 0.0 * x];
                assert_eq!(format!("{c:?}"), format!("{want:?}"), "times {x}");
            }
            for x in [0.0, INF, 2.5] {
                let c = $name::looped(&m, &a, &b, &Tensor::from_dense([6], &[x; 6]).unwrap()).to_dense();
                let two = |a: f64, b: f64| a / x + x * (a + b);
                let want = [0.0, two(2.0, 2.0), two(0.0, 0.0), 0.0, -3.0 / x + x * 0.0, -0.0 / x + x * 0.0];
                for (k, (c, want)) in c.iter().zip(&want).enumerate() {
                    assert!(c == want || c.is_nan() && want.is_nan(), "{k}: {c} of {want}, with {x}");
                }
            }
        }
    )* };
}

chosen! {
    dense_lists Dense<Element<bool>>, SparseList<Element<f64>>, SparseList<Element<f64>>;
    dense_marks Dense<Element<bool>>, Bitmap<Element<f64>>, SparseList<Element<f64>>;
    dense_hash  Dense<Element<bool>>, Hash<Element<f64>>, Bitmap<Element<f64>>;
    runs_lists  RunList<Element<bool>>, SparseList<Element<f64>>, Bitmap<Element<f64>>;
    list_lists  SparseList<Element<bool>>, SparseList<Element<f64>>, SparseList<Element<f64>>;
}

finch! {
    #![dense]
    fn steady(e: &SparseVec<f64>, d: &DenseVec<f64>, n: i64) -> (c: DenseVec<f64>) {
        for i { c[i] = d[i] * ifelse(n > 1, e[i], 1) }
    }
}
finch! {
    #![dense]
    fn nested(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = d[i] * -ifelse(m[i], ifelse(b[i] > 1, e[i], 3), b[i]) }
    }
}
finch! {
    #![dense]
    fn outer(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i { let t = ifelse(m[i], e[i], b[i]); for j { c[i, j] = d[i, j] * t } }
    }
}
finch! {
    #![strict]
    #![dense]
    fn strictly(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = ifelse(m[i], e[i], b[i]) * d[i] }
    }
}

#[test]
fn what_is_chosen_by_what_is_not_known() {
    let m = Tensor::from_dense([4], &[true, true, false, false]).unwrap();
    let e = Tensor::from_triplets([4], [([1], 2.0)], Refuse).unwrap();
    let b = Tensor::from_dense([4], &[2.0, 0.5, 0.25, 3.0]).unwrap();
    let d = Tensor::from_dense([4], &[INF; 4]).unwrap();
    assert_eq!(steady(&e, &d, 2).to_dense(), [0.0, INF, 0.0, 0.0]);
    assert_eq!(steady(&e, &d, 1).to_dense(), [INF; 4]);
    assert_eq!(nested(&m, &e, &b, &d).to_dense(), [0.0, -INF, -INF, -INF]);
    let wide = Tensor::from_dense([4, 2], &[INF; 8]).unwrap();
    assert_eq!(outer(&m, &e, &b, &wide).to_dense(), [0.0, 0.0, INF, INF, INF, INF, INF, INF]);
    let c = strictly(&m, &e, &b, &d).to_dense();
    assert!(c[0].is_nan() && c[1..] == [INF; 3], "{c:?}");
}

finch! {
    #![dense]
    fn whole_quotient(m: &DenseVec<bool>, a: &SparseVec<i64>, d: &DenseVec<i64>, e: &DenseVec<i64>) -> (c: DenseVec<i64>) {
        for j { c[j] = ifelse(m[j], a[j], d[j]) / e[j] }
    }
}
finch! {
    #![dense]
    fn by_what_is_not_stored(m: &DenseVec<bool>, a: &SparseVec<f64>, d: &DenseVec<f64>, g: &SparseVec<f64>) -> (c: DenseVec<f64>) {
        c[j] = ifelse(m[j], a[j], d[j]) / g[j]
    }
}

/// What is not stored is nothing divided by anything, by a whole 0 too, and by what is not stored either.
#[test]
fn what_is_chosen_is_divided() {
    let m = Tensor::from_dense([4], &[true, true, false, false]).unwrap();
    let a = Tensor::from_triplets([4], [([1], 2), ([2], 1)], Refuse).unwrap();
    let (d, e) = (Tensor::from_dense([4], &[1, 2, 3, 4]), Tensor::from_dense([4], &[0, 2, 3, 4]));
    assert_eq!(whole_quotient(&m, &a, &d.unwrap(), &e.unwrap()).to_dense(), [0, 1, 1, 1]);
    let a = Tensor::from_triplets([4], [([1], 2.0), ([2], 1.0)], Refuse).unwrap();
    let d = Tensor::from_dense([4], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let g = Tensor::from_triplets([4], [([1], 2.0)], Refuse).unwrap();
    assert_eq!(by_what_is_not_stored(&m, &a, &d, &g).to_dense(), [0.0, 1.0, INF, INF]);
}

/// One statement over four lists, which merge as a union: what stores nothing is selected there, not told apart by cases.
macro_rules! in_a_union {
    ($($name:ident $m:ty, |$i:ident, $a:ident, $b:ident, $d:ident, $e:ident, $g:ident| $value:expr => $want:expr;)*) => { $(
        #[test]
        fn $name() {
            mod kernel {
                use looplets::prelude::*;
                finch! {
                    #![dense]
                    pub fn union(m: &Tensor<$m>, a: &SparseVec<f64>, b: &SparseVec<f64>, d: &DenseVec<f64>, e: &SparseVec<f64>,
                        g: &SparseVec<f64>) -> (c: SparseVec<f64>) { $value }
                }
            }
            let none = None::<f64>;
            let x: Vec<f64> = (0..64).map(|k| [1.5, INF, f64::NAN, -INF][k % 4]).collect();
            // Every combination of what is stored, with each of the values of `d`.
            let has = |bit: usize, v: f64| move |k: usize| if k >> bit & 1 == 1 { Some(v) } else { none };
            let ($a, $b, $e, $g) = (has(2, 0.5), has(3, 2.5), has(4, -1.0), has(5, -0.25));
            for yes in [false, true] {
                let list = |of: &dyn Fn(usize) -> Option<f64>| -> SparseVec<f64> {
                    let all = (0..64).filter_map(|k| Some(([k], of(k)?)));
                    Tensor::from_triplets([64], all, Refuse).expect("inside")
                };
                let m = Tensor::<$m>::from_dense([64], &[yes; 64]).expect("as long");
                let d = Tensor::from_dense([64], &x).expect("as long");
                let c = kernel::union(&m, &list(&$a), &list(&$b), &d, &list(&$e), &list(&$g));
                let mut want = Vec::new();
                for $i in 0..64 {
                    let $d = |k: usize| x[k];
                    let choose = |a: Option<f64>, b: Option<f64>| if yes { a } else { b };
                    let terms: Vec<f64> = $want(&choose).into_iter().flatten().collect();
                    if let Some(sum) = terms.into_iter().reduce(|a: f64, b: f64| a + b) {
                        // What is not stored is added as 0.
                        want.push(($i, sum + 0.0));
                    }
                }
                let got: Vec<(usize, f64)> = c.triplets().into_iter().map(|(at, x)| (at[0], x + 0.0)).collect();
                assert_eq!(format!("{got:?}"), format!("{want:?}"), "where {yes} chooses");
            }
        }
    )* };
}

type Choose<'a> = &'a dyn Fn(Option<f64>, Option<f64>) -> Option<f64>;

in_a_union! {
    product_in_a_union Dense<Element<bool>>, |i, a, b, d, e, g| c[j] = ifelse(m[j], a[j], b[j]) * d[j] + e[j] + g[j]
        => |of: Choose<'_>| [of(a(i), b(i)).map(|c| c * d(i)), e(i), g(i)];
    by_a_list SparseList<Element<bool>>, |i, a, b, d, e, g| c[j] = e[j] + ifelse(m[j], a[j], -b[j]) / d[j] + g[j]
        => |of: Choose<'_>| [e(i), of(a(i), b(i).map(|b| -b)).map(|c| c / d(i)), g(i)];
    a_fill_that_is_written Dense<Element<bool>>, |i, a, b, d, e, g| c[j] = ifelse(m[j], a[j], 0) * d[j] + b[j] + e[j] + g[j]
        => |of: Choose<'_>| [of(a(i), None).map(|c| c * d(i)), b(i), e(i), g(i)];
    chosen_of_products RunList<Element<bool>>, |i, a, b, d, e, g| c[j] = ifelse(m[j], a[j] * d[j], b[j]) + e[j] + g[j]
        => |of: Choose<'_>| [of(a(i).map(|a| a * d(i)), b(i)), e(i), g(i)];
    choices_of_choices Dense<Element<bool>>, |i, a, b, d, e, g| c[j] = ifelse(m[j], ifelse(d[j] > 1, a[j], b[j]), g[j]) * d[j] + e[j]
        => |of: Choose<'_>| [of(if d(i) > 1.0 { a(i) } else { b(i) }, g(i)).map(|c| c * d(i)), e(i)];
}

finch! {
    #![dense]
    fn of_itself(m: &DenseVec<bool>, w: &DenseVec<bool>, x: &DenseVec<f64>, a: &SparseVec<f64>, al: f64)
        -> (c: DenseVec<f64>, d: DenseVec<f64>, e: DenseVec<f64>)
    {
        for j {
            let t = ifelse(m[j], x[permit[j - 1]], a[j]);
            c[j] = t * (t - al);
            d[j] = t * ifelse(w[j], t, al);
            e[j] = t / (al - t)
        }
    }
}

/// What is multiplied by something of itself is chosen in both, though one of its branches may be missing.
#[test]
fn a_name_times_something_of_itself() {
    let m = Tensor::from_dense([5], &[false, true, false, true, false]).unwrap();
    let w = Tensor::from_dense([5], &[false, true, true, false, false]).unwrap();
    let x = Tensor::from_dense([5], &[2.0, 4.0, 0.5, 3.0, -1.0]).unwrap();
    let a = Tensor::from_triplets([5], [([2], 1.0)], Refuse).unwrap();
    let (c, d, e) = of_itself(&m, &w, &x, &a, INF);
    assert_eq!(c.to_dense(), [0.0, -INF, -INF, -INF, 0.0]);
    assert_eq!(d.to_dense(), [0.0, 4.0, 1.0, INF, 0.0]);
    assert_eq!(e.to_dense(), [0.0; 5]);
}

finch! {
    #![dense]
    fn what_stands_in(a: &DenseVec<f64>, b: &DenseVec<f64>, p: &DenseVec<f64>) -> (c: f64) {
        for k { c += coalesce(ifelse(a[k] < b[k], missing, a[k]), p[k]) * 0 * a[k] }
    }
}

/// What stands for something missing is not missing: nothing times it is nothing.
#[test]
fn nothing_times_what_stands_for_something_missing() {
    let of = |x: &[f64]| -> DenseVec<f64> { Tensor::from_dense([x.len()], x).expect("as long") };
    let (a, b) = (of(&[INF, 1.0, f64::NAN, -INF]), of(&[0.0, 2.0, 0.0, 1.0]));
    assert_eq!(what_stands_in(&a, &b, &of(&[1.0, INF, 1.0, f64::NAN])), 0.0);
}

finch! {
    #![dense]
    fn three_under_one(m: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>, e: &SparseVec<f64>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
        c[j] = (ifelse(m[j], 1, a[j]) + ifelse(m[j], 2, b[j]) + ifelse(m[j], 3, e[j])) * d[j]
    }
}

/// One condition chooses for all three terms: no sum has numbers of both of its answers.
#[test]
fn a_sum_of_what_one_condition_chooses() {
    let m = Tensor::from_dense([4], &[false, true, false, false]).unwrap();
    let list = |at: usize, x: f64| -> SparseVec<f64> {
        Tensor::from_triplets([4], [([at], x)], Refuse).unwrap()
    };
    let d = Tensor::from_dense([4], &[INF, INF, INF, 2.0]).unwrap();
    let c = three_under_one(&m, &list(2, 0.5), &list(3, 0.25), &list(3, 0.5), &d);
    assert_eq!(c.to_dense(), [0.0, INF, INF, 1.5]);
}

finch! {
    #![dense]
    fn guarded_in_a_union(x: &SparseVec<i64>, a: &SparseVec<i64>, b: &SparseVec<i64>, e: &SparseVec<i64>, d: &DenseVec<i64>) -> (c: SparseVec<i64>) {
        c[j] = ifelse(10 / d[j] > 2, a[j], b[j]) * x[j] + e[j]
    }
}

/// A condition that would divide by 0 is not asked where what is multiplied with its choice stores nothing.
#[test]
fn a_condition_of_a_factor_in_a_union() {
    let list = |at: &[usize], x: i64| -> SparseVec<i64> {
        Tensor::from_triplets([5], at.iter().map(|k| ([*k], x)), Refuse).unwrap()
    };
    let d = Tensor::from_dense([5], &[0, 0, 2, 10, 0]).unwrap();
    let (x, a, b, e) = (list(&[2, 3], 7), list(&[0, 2], 2), list(&[0, 3, 4], 3), list(&[1, 2], 5));
    let c = guarded_in_a_union(&x, &a, &b, &e, &d);
    assert_eq!(c.triplets(), [(vec![1], 5), (vec![2], 19), (vec![3], 21)]);
}
