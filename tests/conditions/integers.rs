//! Integers in conditions and positions: sums that overflow, bits of literals, positions beyond all limits.

use super::dense;
use looplets::prelude::*;

finch! {
    fn wraps_less(a: &DenseVec<u8>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] + 1 > a[i] } }
    fn wraps_between(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (c: DenseVec<u8>) {
        for i { if b[i] <= a[i] { if b[i] < a[i] + 1 { c[i] = 1 } else { c[i] = 2 } } }
    }
    fn wraps_signed(a: &DenseVec<i8>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] - 1 < a[i] } }
    fn wraps_min(a: &DenseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = min(a[i], a[i] + 1) } }
    fn wraps_max(a: &DenseVec<i8>) -> (c: DenseVec<i8>) { for i { c[i] = max(a[i], a[i] - 1) } }
    fn wraps_both(a: &DenseVec<u8>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] + 1 < a[i] + 2 } }
    fn wraps_positive(a: &DenseVec<u64>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] + 1 > 0 } }
    fn wraps_size(k: usize, n: &mut i32) { if k + 1 > 0 { n += 1 } else { n += 10 } }
    fn ordered(a: &DenseVec<i32>, n: &mut i32) {
        for i { if a[i] < 5 { if a[i] < 7 { n += 1 } else { n += 10 } } else { if a[i] >= 5 { n += 100 } else { n += 1000 } } }
    }
}

/// What it gives, or nothing if it overflows.
fn tried<T>(f: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).ok()
}

#[test]
fn sums_that_wrap_are_compared_as_they_are() {
    for x in [0u8, 1, 127, 128, 254, 255] {
        let a = dense(&[x]);
        assert_eq!(tried(|| wraps_less(&a).to_dense()), tried(|| vec![x + 1 > x]), "{x}");
        assert_eq!(tried(|| wraps_min(&a).to_dense()), tried(|| vec![x.min(x + 1)]), "{x}");
        assert_eq!(tried(|| wraps_both(&a).to_dense()), tried(|| vec![x + 1 < x + 2]), "{x}");
        for y in [0u8, 1, 255] {
            let want = tried(|| {
                if y <= x {
                    if y < x + 1 {
                        1
                    } else {
                        2
                    }
                } else {
                    0
                }
            });
            let got = tried(|| wraps_between(&a, &dense(&[y])).to_dense()[0]);
            assert_eq!(got, want, "{x} {y}");
        }
    }
    for x in [i8::MIN, -1, 0, i8::MAX] {
        let a = dense(&[x]);
        assert_eq!(tried(|| wraps_signed(&a).to_dense()), tried(|| vec![x - 1 < x]), "{x}");
        assert_eq!(tried(|| wraps_max(&a).to_dense()), tried(|| vec![x.max(x - 1)]), "{x}");
    }
    for x in [0u64, u64::MAX] {
        let want = tried(|| vec![std::hint::black_box(x) + 1 > 0]);
        assert_eq!(tried(|| wraps_positive(&dense(&[x])).to_dense()), want, "{x}");
    }
    for k in [0usize, usize::MAX] {
        let got = tried(|| {
            let mut n = 0;
            wraps_size(k, &mut n);
            n
        });
        let want = tried(|| if std::hint::black_box(k) + 1 > 0 { 1 } else { 10 });
        assert_eq!(got, want, "{k}");
    }
    let mut n = 0;
    ordered(&dense(&[i32::MIN, 4, 5, 6, i32::MAX]), &mut n);
    assert_eq!(n, 302);
}

finch! {
    fn all_bits(c: &mut u8, d: &mut i32) { c = !0; d = !0 }
    fn without_low(x: u8) -> (c: DenseVec<u8>) { for i in 0..1 { c[i] = x & !7 } }
    fn without_low_of(a: &DenseVec<i64>) -> (c: DenseVec<i64>) { for i { c[i] = a[i] & !7 } }
    fn named_mask(a: &DenseVec<u32>) -> (c: DenseVec<u32>) { let m = !15; for i { c[i] = (a[i] ^ !0) & m } }
    fn holds(n: &mut i32) { if !0 { n += 1 } if !!0 { n += 10 } if !1 && !0 { n += 100 } if !true { n += 1000 } }
    fn truth(a: &DenseVec<bool>) -> (c: DenseVec<bool>) { for i { c[i] = !a[i] } }
    fn compared(a: &DenseVec<u8>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] == !7 } }
}

#[test]
fn bits_of_literals_are_those_of_their_place() {
    let (mut c, mut d) = (0, 0);
    all_bits(&mut c, &mut d);
    assert_eq!((c, d), (!0, !0));
    for x in [0u8, 7, 8, 255] {
        assert_eq!(without_low(x).to_dense(), [x & !7]);
    }
    for x in [0i64, 15, -1, i64::MIN, i64::MAX] {
        assert_eq!(without_low_of(&dense(&[x])).to_dense(), [x & !7]);
    }
    for x in [0u32, 15, 16, u32::MAX] {
        assert_eq!(named_mask(&dense(&[x])).to_dense(), [(x ^ !0) & !15]);
    }
    let mut n = 0;
    holds(&mut n);
    assert_eq!(n, 101);
    assert_eq!(truth(&dense(&[true, false])).to_dense(), [false, true]);
    assert_eq!(compared(&dense(&[248u8, 7])).to_dense(), [true, false]);
}

finch! {
    fn far(a: &DenseVec<i32>, d: i64) -> (c: DenseVec<i32>) {
        for k in 0..3 { c[k] = coalesce(a[permit[1152921504606846976 * k + d]], -1) }
    }
    fn far_sparse(a: &SparseVec<i32>, d: i64, e: i64) -> (c: DenseVec<i32>) {
        for k in 0..3 { c[k] = coalesce(a[permit[4294967296 * k + d - e]], -1) }
    }
    fn far_computed(a: &DenseVec<i32>, p: &DenseVec<i32>) -> (c: DenseVec<i32>) {
        for k { c[k] = coalesce(a[permit[1152921504606846976 * p[k] + p[k]]], -1) }
    }
    fn far_below(a: &DenseVec<i32>, d: i64) -> (c: DenseVec<i32>) {
        for k in 0..6 { c[k] = coalesce(a[permit[k - d - 1152921504606846976]], -1) }
    }
    fn far_window(a: &DenseVec<i32>, d: i64, e: i64) -> (c: DenseVec<i32>) {
        for k in 0..3 { c[k] = coalesce(a[permit[window(d, e)[k + d]]], -1) }
    }
    fn far_sum(a: &DenseVec<i32>, p: &DenseVec<i32>) -> (c: DenseVec<i32>) {
        for k { c[k] = coalesce(a[permit[p[k] + p[k] + p[k] + p[k] - p[k] - p[k] - p[k] - p[k] + 1]], -1) }
    }
    fn far_checked(a: &DenseVec<i32>, d: i64) -> (c: DenseVec<i32>) {
        for k in 0..3 { c[k] = a[1152921504606846976 * k + d] }
    }
    fn far_in_nests(a: &DenseVec<i32>, d: i64, e: i64) -> (c: DenseMat<i32>) {
        for i in 0..2 { for j in 0..2 { c[i, j] = coalesce(a[permit[offset(d)[4294967296 * j + 4294967296 * i + e]]], -1) } }
    }
}

#[test]
fn positions_beyond_all_limits_are_outside() {
    let v = [10, 20, 30];
    let a = dense(&v);
    let checked = |d| tried(|| far_checked(&a, d).to_dense());
    assert_eq!([checked(i64::MAX), checked(0), checked(i64::MIN)], [None, None, None]);
    let s: SparseVec<i32> = Tensor::from_dense([3], &v).unwrap();
    let at = |x: i128| usize::try_from(x).ok().and_then(|x| v.get(x)).copied().unwrap_or(-1);
    let ends =
        [i64::MIN, i64::MIN + 1, -(1 << 62), -(1 << 61), -1, 0, 1, 2, 1 << 61, 1 << 62, i64::MAX];
    let whole = |x: i64| i128::from(x);
    for d in ends {
        let want: Vec<i32> = (0..3).map(|k| at((1 << 60) * k + i128::from(d))).collect();
        assert_eq!(far(&a, d).to_dense(), want, "{d}");
        for e in ends {
            // Amounts are added up before they are cut.
            let d_e = whole(d) - whole(e);
            let want: Vec<i32> = (0..3).map(|k| at((1 << 32) * k + d_e)).collect();
            assert_eq!(far_sparse(&s, d, e).to_dense(), want, "{d} {e}");
            let want: Vec<i32> = (0..4).map(|k| at((1 << 32) * (k % 2 + k / 2) - d_e)).collect();
            assert_eq!(far_in_nests(&a, d, e).to_dense(), want, "{d} {e}");
        }
    }
    for d in ends {
        let below = (0..6).map(|k| at(k - whole(d) - (1 << 60)));
        assert_eq!(far_below(&a, d).to_dense(), below.collect::<Vec<_>>(), "{d}");
        for e in ends {
            // What a window cannot show is refused or missing, and never a panic.
            let _ = tried(|| far_window(&a, d, e).to_dense());
        }
    }
    let extremes = dense(&[i32::MIN, -1, 0, 1, i32::MAX]);
    assert_eq!(far_sum(&a, &extremes).to_dense(), [20; 5]);
    let p = [0, 1, -1, 2, 7, 8, i32::MIN, i32::MAX];
    let want: Vec<i32> =
        p.iter().map(|k| at((1 << 60) * i128::from(*k) + i128::from(*k))).collect();
    assert_eq!(far_computed(&a, &dense(&p)).to_dense(), want);
}
