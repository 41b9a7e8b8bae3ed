//! Conditions on values: what is known of one holds for as long as the value does, and no longer, and of floats
//! only what holds for NaN, too. Each kernel beside the same loop by hand.

mod integers;

use looplets::prelude::*;

const FLOATS: [f64; 12] = [
    0.25,
    0.5,
    2.0,
    0.0,
    -0.0,
    -0.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    f64::MAX,
    -1.5,
];

fn dense<T: Value>(v: &[T]) -> DenseVec<T>
where
    Tensor<Dense<Element<T>>>: Sized,
{
    Tensor::from_dense([v.len()], v).unwrap()
}

finch! {
    fn between(a: &DenseVec<f64>, c: &mut f64) { for i { if a[i] > 0.0 && a[i] < 1.0 { c += a[i] } } }
    fn between_nested(a: &DenseVec<f64>, c: &mut f64) { for i { if a[i] > 0.0 { if a[i] < 1.0 { c += a[i] } } } }
    fn between_scalar(x: f64, n: &mut i32) { if x > 0 { if x < 1 { n += 1 } else { n += 2 } } else { n += 4 } }
    fn close(a: &DenseVec<f64>, b: &DenseVec<f64>, c: &mut i32) {
        for i { if a[i] < b[i] { if b[i] < a[i] + 1 { c += 1 } } }
    }
    fn narrow(a: &DenseVec<f32>, c: &mut i32) { for i { if a[i] >= 0.0 { if a[i] <= 0.0 { c += 1 } else { c += 100 } } } }
    fn summed(a: &DenseVec<f64>, b: &DenseVec<f64>, c: &mut i32) {
        for i { if a[i] + b[i] - b[i] < 1 { if a[i] < 1 { c += 1 } else { c += 100 } } }
    }
    fn inline_ifelse(a: &DenseVec<f64>) -> (c: DenseVec<i32>) {
        for i { c[i] = ifelse(a[i] > 0 && a[i] < 1, 1, ifelse(!(a[i] >= 0), 2, 3)) }
    }
    fn signs(a: f64, n: &mut i32) { if a < 0 { n += 1 } else { if a >= 0 { n += 10 } else { n += 100 } } }
    fn signs_of(a: &SparseVec<f64>, n: &mut i32) {
        for i { if a[i] <= 0 { n += 1 } else { if a[i] > 0 { n += 10 } else { n += 100 } } }
    }
    fn order(a: f64, b: f64, n: &mut i32) {
        if a == b { n += 1 } else { if a < b { n += 10 } else { if a > b { n += 100 } else { n += 1000 } } }
    }
    fn unequal(a: f64, n: &mut i32) { if a != a { n += 1 } else { if a == a { n += 10 } else { n += 100 } } }
    fn either(a: f64, b: f64, n: &mut i32) {
        if a < 0 || b < 0 { n += 1 } else { if a >= 0 && b >= 0 { n += 10 } else { n += 100 } }
    }
}

/// `n += 1` where the first holds, and so on.
fn sum_where(values: &[f64], keep: impl Fn(f64) -> bool) -> f64 {
    values.iter().filter(|x| keep(**x)).sum()
}

#[test]
fn floats_lie_between_whole_numbers() {
    for v in [&[0.25, 0.5, 2.0][..], &FLOATS, &[], &[0.5], &[0.5, 0.75]] {
        let want = sum_where(v, |x| x > 0.0 && x < 1.0);
        let a = dense(v);
        let (mut c, mut d) = (0.0, 0.0);
        between(&a, &mut c);
        between_nested(&a, &mut d);
        assert_eq!((c, d), (want, want), "{v:?}");
        let marks: Vec<i32> = v
            .iter()
            .map(|x| {
                if *x > 0.0 && *x < 1.0 {
                    1
                } else if *x >= 0.0 {
                    3
                } else {
                    2
                }
            })
            .collect();
        assert_eq!(inline_ifelse(&a).to_dense(), marks);
    }
    for x in FLOATS {
        let mut n = 0;
        between_scalar(x, &mut n);
        let want = if x > 0.0 {
            if x < 1.0 {
                1
            } else {
                2
            }
        } else {
            4
        };
        assert_eq!(n, want, "{x}");
    }
    let narrowed: Vec<f32> = FLOATS.iter().map(|x| *x as f32).collect();
    let mut n = 0;
    narrow(&dense(&narrowed), &mut n);
    let want = |x: &f32| {
        if *x >= 0.0 {
            if *x <= 0.0 {
                1
            } else {
                100
            }
        } else {
            0
        }
    };
    assert_eq!(n, narrowed.iter().map(want).sum::<i32>());
}

#[test]
fn differences_of_floats_may_be_fractions() {
    for x in FLOATS {
        for y in FLOATS {
            let (a, b) = (dense(&[x]), dense(&[y]));
            let mut n = 0;
            close(&a, &b, &mut n);
            assert_eq!(n, i32::from(x < y && y < x + 1.0), "{x} {y}");
            let mut n = 0;
            summed(&a, &b, &mut n);
            let want = if x + y - y < 1.0 {
                if x < 1.0 {
                    1
                } else {
                    100
                }
            } else {
                0
            };
            assert_eq!(n, want, "{x} {y}");
        }
    }
}

#[test]
fn what_is_not_less_may_be_no_number() {
    for x in FLOATS {
        let mut n = 0;
        signs(x, &mut n);
        assert_eq!(
            n,
            if x < 0.0 {
                1
            } else if x >= 0.0 {
                10
            } else {
                100
            },
            "{x}"
        );
        let mut n = 0;
        signs_of(&Tensor::from_dense([2], &[x, 0.0]).unwrap(), &mut n);
        assert_eq!(
            n,
            1 + if x <= 0.0 {
                1
            } else if x > 0.0 {
                10
            } else {
                100
            },
            "{x}"
        );
        let mut n = 0;
        unequal(x, &mut n);
        assert_eq!(n, if x.is_nan() { 1 } else { 10 }, "{x}");
        for y in FLOATS {
            let (mut n, mut m) = (0, 0);
            order(x, y, &mut n);
            let want = if x == y {
                1
            } else if x < y {
                10
            } else if x > y {
                100
            } else {
                1000
            };
            assert_eq!(n, want, "{x} {y}");
            either(x, y, &mut m);
            let want = if x < 0.0 || y < 0.0 {
                1
            } else if x >= 0.0 && y >= 0.0 {
                10
            } else {
                100
            };
            assert_eq!(m, want, "{x} {y}");
        }
    }
}

finch! {
    fn local(k: i32, n: &mut i32) {
        let mut t: i32;
        t = k;
        if t < 5 { t += 10; if t < 5 { n += 1 } else { n += 2 } } else { n += 4 }
    }
    fn local_bool(k: i32, n: &mut i32) {
        let mut t: bool;
        t = k < 5;
        if t { t = false; if t { n += 1 } else { n += 2 } } else { t = true; if t { n += 4 } }
    }
    fn passed(t: &mut i32, n: &mut i32) {
        if t < 5 { t += 10; if t < 5 { n += 1 } else { n += 2 } }
        if t >= 5 { n += 4 }
    }
    fn in_a_loop(a: &DenseVec<i32>, n: &mut i32) {
        for i {
            let mut t: i32;
            t = a[i];
            if t < 5 { t += 10; if t < 5 { n += 1 } else { n += 10 } } else { t = 3; if t < 5 { n += 100 } }
        }
    }
    fn around_a_loop(a: &DenseVec<i32>, t: &mut i32, n: &mut i32) {
        if t < 5 { for i { t += a[i] } if t < 5 { n += 1 } else { n += 10 } }
    }
    fn around_sparse(a: &SparseVec<i32>, b: &SparseVec<i32>, t: &mut i32, n: &mut i32) {
        if t < 5 { for i { t += a[i] * b[i] } if t < 5 { n += 1 } else { n += 10 } }
    }
    fn sums_of_rows(a: &DenseMat<i32>, n: &mut i32) {
        for i {
            let mut t: i32;
            t = a[i, 0];
            if t < 5 { for j { t += a[i, j] } if t < 5 { n += 1 } else { n += 10 } }
        }
    }
    fn element(a: &mut DenseVec<i32>, n: &mut i32) {
        if a[0] < 5 { a[0] += 10; if a[0] < 5 { n += 1 } else { n += 2 } }
    }
    fn workspace(a: &DenseVec<i32>) -> (c: DenseVec<i32>) {
        for i {
            let mut w: DenseVec<i32>[2];
            w[0] = a[i];
            w[1] = 0;
            if w[0] < 5 { w[0] += 10; if w[0] < 5 { c[i] = 1 } else { c[i] = 2 } } else { c[i] = 4 }
        }
    }
    fn produced(a: &DenseVec<i32>, n: &mut i32) {
        for i { { if t < 5 { n += 1 } else { n += 10 } } where { t = a[i] } }
    }
    fn branches(k: i32, n: &mut i32) {
        let mut t: i32;
        t = 0;
        if t < 5 { if k < 3 { t = 7 } if t < 5 { n += 1 } else { n += 2 } }
    }
    fn swapped(x: &mut i32, y: &mut i32, n: &mut i32) {
        if x < y { x += 100; if x < y { n += 1 } else { y += 1000; if x < y { n += 10 } else { n += 100 } } }
    }
    fn over_threads(a: &DenseVec<i32>, t: &mut i32, n: &mut i32) {
        if t > 5 { parallel for i { t += a[i] } }
        if t > 5 { n += 1 } else { n += 10 }
    }
    fn until(a: &DenseVec<bool>, found: &mut bool, n: &mut i32) {
        if !found { for i { found ||= a[i] } if !found { n += 1 } else { n += 10 } } else { n += 100 }
    }
    fn as_float(a: &DenseVec<f64>, n: &mut i32) {
        for i {
            let mut t: f64;
            t = a[i];
            if t < 0.5 { t += 1; if t < 0.5 { n += 1 } else { n += 10 } }
        }
    }
}

#[test]
fn what_is_assigned_is_another_value() {
    for k in [i32::MIN, -6, -5, 0, 4, 5, 6, 1000] {
        let run = |f: fn(i32, &mut i32)| {
            let mut n = 0;
            f(k, &mut n);
            n
        };
        let added = k.wrapping_add(10);
        assert_eq!(
            run(local),
            if k < 5 {
                if added < 5 {
                    1
                } else {
                    2
                }
            } else {
                4
            },
            "{k}"
        );
        assert_eq!(run(local_bool), if k < 5 { 2 } else { 4 }, "{k}");
        assert_eq!(run(branches), if k < 3 { 2 } else { 1 }, "{k}");
        let (mut t, mut n) = (k, 0);
        passed(&mut t, &mut n);
        let (mut want, mut left) = (0, k);
        if left < 5 {
            left += 10;
            want += if left < 5 { 1 } else { 2 };
        }
        if left >= 5 {
            want += 4;
        }
        assert_eq!((t, n), (left, want), "{k}");
        let mut a = dense(&[k, 0, 5]);
        let mut n = 0;
        element(&mut a, &mut n);
        let each = |x: i32| {
            if x < 5 {
                if x + 10 < 5 {
                    1
                } else {
                    2
                }
            } else {
                0
            }
        };
        assert_eq!(n, each(k), "{k}");
        let want: Vec<i32> = [k, 0, 5]
            .iter()
            .map(|x| {
                if *x < 5 {
                    if x + 10 < 5 {
                        1
                    } else {
                        2
                    }
                } else {
                    4
                }
            })
            .collect();
        assert_eq!(workspace(&dense(&[k, 0, 5])).to_dense(), want);
        let mut n = 0;
        produced(&dense(&[k, 0, 5, 4]), &mut n);
        assert_eq!(n, 12 + if k < 5 { 1 } else { 10 });
    }
    for (x, y) in [(0, 1), (0, 101), (1, 0), (0, 5000), (-1, 0)] {
        let (mut a, mut b, mut n) = (x, y, 0);
        swapped(&mut a, &mut b, &mut n);
        let (mut p, mut q, mut want) = (x, y, 0);
        if p < q {
            p += 100;
            if p < q {
                want += 1
            } else {
                q += 1000;
                want += if p < q { 10 } else { 100 };
            }
        }
        assert_eq!((a, b, n), (p, q, want), "{x} {y}");
    }
}

#[test]
fn what_a_loop_assigns_is_another_value_in_each_iteration() {
    for v in [&[][..], &[1], &[3, 3], &[7, -9, 2, 2, 2, 40], &[1; 65]] {
        for start in [-20, 0, 4, 5, 6] {
            let a = dense(v);
            let total = start + v.iter().sum::<i32>();
            let (mut t, mut n) = (start, 0);
            around_a_loop(&a, &mut t, &mut n);
            let want = if total < 5 { 1 } else { 10 };
            assert_eq!((t, n), if start < 5 { (total, want) } else { (start, 0) }, "{v:?} {start}");
            let (mut t, mut n) = (start, 0);
            let s: SparseVec<i32> = Tensor::from_dense([v.len()], v).unwrap();
            around_sparse(&s, &s, &mut t, &mut n);
            let total_of_squares = start + v.iter().map(|x| x * x).sum::<i32>();
            let want = if total_of_squares < 5 { 1 } else { 10 };
            let want = if start < 5 { (total_of_squares, want) } else { (start, 0) };
            assert_eq!((t, n), want, "{v:?} {start}");
            let (mut t, mut n) = (start, 0);
            over_threads(&a, &mut t, &mut n);
            let left = if start > 5 { total } else { start };
            assert_eq!((t, n), (left, if left > 5 { 1 } else { 10 }), "{v:?} {start}");
        }
    }
    for v in [&[][..], &[false], &[true], &[false, true, false]] {
        for start in [false, true] {
            let (mut found, mut n) = (start, 0);
            until(&dense(v), &mut found, &mut n);
            let any = v.contains(&true);
            let want = if start {
                100
            } else if any {
                10
            } else {
                1
            };
            assert_eq!((found, n), (start || any, want));
        }
    }
    let v = [i32::MIN, -6, -5, 0, 4, 5, i32::MAX];
    let mut n = 0;
    in_a_loop(&dense(&v), &mut n);
    let each = |x: &i32| {
        if *x < 5 {
            if x + 10 < 5 {
                1
            } else {
                10
            }
        } else {
            100
        }
    };
    assert_eq!(n, v.iter().map(each).sum::<i32>());
    let mut n = 0;
    sums_of_rows(&Tensor::from_dense([3, 2], &[1, 1, 2, 2, 5, -10]).unwrap(), &mut n);
    assert_eq!(n, 11);
    let mut n = 0;
    as_float(&dense(&FLOATS), &mut n);
    let each = |x: &f64| {
        if *x < 0.5 {
            if x + 1.0 < 0.5 {
                1
            } else {
                10
            }
        } else {
            0
        }
    };
    assert_eq!(n, FLOATS.iter().map(each).sum::<i32>());
}

fn next(k: i32) -> i32 {
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
    static COUNT: AtomicI32 = AtomicI32::new(0);
    COUNT.fetch_add(1, Relaxed) * k
}

finch! {
    fn tokens(n: &mut i32) {
        if $(next(1) % 2 == 0) { if $(next(1) % 2 == 0) { n += 1 } else { n += 10 } }
    }
}

#[test]
fn rust_of_the_users_own_is_asked_each_time() {
    let mut n = 0;
    tokens(&mut n);
    assert_eq!(n, 10);
}
