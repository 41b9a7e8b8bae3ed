//! Masks that are looked at late: the result is that of the mask asked before each product, whatever lies outside of the mask, and
//! nothing happens there that anybody sees.

mod bitwise;

use bitwise::values;
use looplets::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

level! { type Marks = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Flags = Tensor<SparseList<SparseList<Element<bool>>>>; }
// A mask that holds where nothing is stored.
level! { type Mostly = Tensor<Dense<SparseList<Element<bool, True>>>>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Any = Tensor<Dense<SparseBand<Element<f64>>>>; }
level! { type Whole<T> = Tensor<Dense<SparseList<Element<T>>>>; }

/// How often [`counted`] is called.
static CALLS: AtomicUsize = AtomicUsize::new(0);

operator! {
    /// The product of numbers, of which nobody says that it may be computed anywhere.
    fn counted(a: f64, b: f64) -> f64 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        assert!(a.abs() < 1e100 && b.abs() < 1e100, "outside of the mask");
        a * b
    }
    annihilator 0;
}
operator! {
    /// The same, which may be.
    fn anywhere(a: f64, b: f64) -> f64 { a * b }
    annihilator 0;
    total;
}

macro_rules! kernels {
    ($($(#[$way:meta])? $module:ident),*) => {$(mod $module {
        use super::*;
        finch! {
            $(#![$way])?
            use looplets::semiring::min_plus;
            use super::anywhere;
            pub fn times(m: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
            pub fn bits(m: &Bits, a: &Csr<f64>, b: &Csr<f64>) -> (c: Any) { if m[i, j] { c[i, j] += -a[i, k] * b[k, j] / 3.0 } }
            pub fn flags(m: &Flags, a: &Csr<f64>, b: &Csr<f64>, s: f64) -> (c: Dcsr<f64>) { if m[i, j] { c[i, j] -= s * a[i, k] * b[k, j] } }
            pub fn least(m: &Marks, a: &Far, b: &Far) -> (c: Far) { if m[i, j] { c[i, j] <<min>>= min_plus(a[i, k], b[k, j]) } }
            pub fn any(m: &Marks, a: &Marks, b: &Marks) -> (c: Marks) { c[i, j] ||= m[i, j] && a[i, k] && b[k, j] }
            pub fn both(m: &Marks, n: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] && n[i, k] { c[i, j] += a[i, k] * b[k, j] } }
            pub fn within(m: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { if a[i, k] > 0.5 { c[i, j] += a[i, k] * b[k, j] } } }
            pub fn declared(m: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += anywhere(a[i, k], b[k, j]) } }
            pub fn twice(m: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>, d: Csr<f64>) {
                if m[i, j] { c[i, j] += a[i, k] * b[k, j] }
                if m[i, j] { d[i, j] += b[i, k] * a[k, j] }
            }
        }
    })*};
}

kernels!(
    chosen,
    #[schedule(late(m))]
    late,
    #[schedule(early(m))]
    early
);

finch! {
    use crate::counted;
    fn counted_calls(m: &Marks, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += counted(a[i, k], b[k, j]) } }
    /// Its rows have all coordinates: to go through them would be warned of.
    fn mostly(m: &Mostly, a: &Marks, b: &Marks) -> (c: Marks) { if m[i, j] { c[i, j] ||= a[i, k] && b[k, j] } }
    #[allow(deprecated)]
    fn ints(m: &Marks, a: &Whole<i8>, b: &Whole<i8>) -> (c: Whole<i8>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
}

/// Entries of a matrix of `n` rows and columns, about one of `of` places.
fn entries(n: usize, seed: usize, of: usize) -> Vec<([usize; 2], f64)> {
    let all = values(n * n, seed, 40);
    let stored = |k: &usize| (k * 7919 + seed * 31) % 101 % of == 0;
    (0..n * n).filter(stored).map(|k| ([k / n, k % n], all[k])).collect()
}

fn tensor<L: looplets::Level>(
    n: usize,
    all: impl IntoIterator<Item = ([usize; 2], L::Value)>,
) -> Tensor<L>
where
    L: looplets::Level,
{
    Tensor::from_triplets([n, n], all, Refuse).expect("a matrix")
}

/// What is stored, values as bits with one NaN.
fn found(all: Vec<(Vec<usize>, f64)>) -> Vec<(Vec<usize>, u64)> {
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    all.into_iter().map(|(at, x)| (at, bits(x))).collect()
}

type Entries = Vec<([usize; 2], f64)>;

/// What the mask leaves of the products of `a` and `b`, reduced by `plus` from `zero` on.
fn by_hand(
    mask: &dyn Fn([usize; 2]) -> bool,
    (a, b): (&Entries, &Entries),
    zero: f64,
    step: &dyn Fn(f64, f64, f64) -> f64,
) -> Vec<(Vec<usize>, f64)> {
    let mut out = std::collections::BTreeMap::new();
    for ([i, k], x) in a {
        for ([l, j], y) in b {
            if l == k && mask([*i, *j]) {
                let sum = out.entry(vec![*i, *j]).or_insert(zero);
                *sum = step(*sum, *x, *y);
            }
        }
    }
    out.into_iter().collect()
}

#[test]
fn what_the_mask_leaves_is_what_it_leaves_early() {
    for (n, of_mask, of) in
        [(0, 1, 1), (1, 1, 1), (7, 2, 3), (7, 1, 2), (7, 90, 2), (23, 3, 5), (23, 2, 2)]
    {
        let (av, bv) = (entries(n, 1, of), entries(n, 2, of));
        let (mv, nv) = (entries(n, 3, of_mask), entries(n, 4, 2));
        let marks = |all: &Entries| -> Marks { tensor(n, all.iter().map(|(at, _)| (*at, true))) };
        let (m, other, am, bm) = (marks(&mv), marks(&nv), marks(&av), marks(&bv));
        let mb: Bits = tensor(n, mv.iter().map(|(at, _)| (*at, true)));
        let held = |[i, j]: [usize; 2]| (i + 2 * j) % 3 != 0;
        let mf: Flags = tensor(n, mv.iter().map(|(at, _)| (*at, held(*at))));
        let (a, b): (Csr<f64>, Csr<f64>) = (tensor(n, av.clone()), tensor(n, bv.clone()));
        let (fa, fb): (Far, Far) = (tensor(n, av.clone()), tensor(n, bv.clone()));
        let without: Mostly = tensor(n, mv.iter().map(|(at, _)| (*at, false)));
        let places =
            |all: Vec<(Vec<usize>, f64)>| all.into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        let of_mask = |at: [usize; 2]| mv.iter().any(|(m, _)| *m == at);
        let both = (&av, &bv);
        let sum = |c: f64, x: f64, y: f64| c + x * y;
        let products = by_hand(&of_mask, both, 0.0, &sum);
        let others = by_hand(&|at| !of_mask(at), both, 0.0, &sum);
        let found_others: Vec<_> =
            mostly(&without, &am, &bm).triplets().into_iter().map(|(at, _)| at).collect();
        assert_eq!(found_others, places(others), "{n}");
        let of_bits = by_hand(&of_mask, both, 0.0, &|c, x, y| c + -x * y / 3.0);
        let of_flags =
            by_hand(&|at| of_mask(at) && held(at), both, 0.0, &|c, x, y| c - 0.7 * x * y);
        let of_sums = by_hand(&of_mask, both, f64::INFINITY, &|c, x, y| c.min(x + y));
        let positive: Entries = av.iter().copied().filter(|(_, x)| *x > 0.5).collect();
        let of_positive = by_hand(&of_mask, (&positive, &bv), 0.0, &sum);
        let left: Entries =
            av.iter().copied().filter(|(at, _)| nv.iter().any(|(n, _)| n == at)).collect();
        let of_left = by_hand(&of_mask, (&left, &bv), 0.0, &sum);
        let turned = by_hand(&of_mask, (&bv, &av), 0.0, &sum);
        macro_rules! agree {
            ($($module:ident),*) => {$(
                let of = (stringify!($module), n);
                assert_eq!(found($module::times(&m, &a, &b).triplets()), found(products.clone()), "{of:?}");
                assert_eq!(found($module::flags(&mf, &a, &b, 0.7).triplets()), found(of_flags.clone()), "{of:?}");
                assert_eq!(found($module::least(&m, &fa, &fb).triplets()), found(of_sums.clone()), "{of:?}");
                assert_eq!(found($module::both(&m, &other, &a, &b).triplets()), found(of_left.clone()), "{of:?}");
                assert_eq!(found($module::within(&m, &a, &b).triplets()), found(of_positive.clone()), "{of:?}");
                assert_eq!(found($module::declared(&m, &a, &b).triplets()), found(products.clone()), "{of:?}");
                let (c, d) = $module::twice(&m, &a, &b);
                assert_eq!(found(c.triplets()), found(products.clone()), "{of:?}");
                assert_eq!(found(d.triplets()), found(turned.clone()), "{of:?}");
                let any: Vec<_> = $module::any(&m, &am, &bm).triplets().into_iter().map(|(at, _)| at).collect();
                assert_eq!(any, products.iter().map(|(at, _)| at.clone()).collect::<Vec<_>>(), "{of:?}");
                // A band stores what lies between its entries, too.
                let c = $module::bits(&mb, &a, &b);
                for (at, x) in &of_bits {
                    let got = c.get(&[at[0], at[1]]).expect("an element");
                    assert!(got.to_bits() == x.to_bits() || got.is_nan() && x.is_nan(), "{of:?} {at:?}: {got} for {x}");
                }
                let rest = c.triplets().into_iter().filter(|(at, _)| !of_bits.iter().any(|(o, _)| o == at));
                rest.for_each(|(at, x)| assert_eq!(x, 0.0, "{of:?} {at:?}"));
            )*};
        }
        agree!(chosen, late, early);
    }
}

/// Sums that overflow, functions that are counted and panic: all outside of the mask.
#[test]
fn nothing_is_seen_outside_of_the_mask() {
    let n = 6;
    let every = (0..n * n).map(|k| [k / n, k % n]);
    let m: Marks =
        tensor(n, every.clone().filter(|[i, j]| j % 2 == 0 && i != j).map(|at| (at, true)));
    let large = |[_, j]: [usize; 2]| if j % 2 == 0 { 1 } else { i8::MAX };
    let a: Whole<i8> = tensor(n, every.clone().map(|at| (at, 2)));
    let b: Whole<i8> = tensor(n, every.clone().map(|at| (at, large(at))));
    let c = ints(&m, &a, &b);
    assert!(c.stored() == m.stored() && c.triplets().iter().all(|(_, x)| *x == 12));
    let large = |[_, j]: [usize; 2]| if j % 2 == 0 { 0.5 } else { 1e200 };
    let a: Csr<f64> = tensor(n, every.clone().map(|at| (at, 2.0)));
    let b: Csr<f64> = tensor(n, every.clone().map(|at| (at, large(at))));
    let c = counted_calls(&m, &a, &b);
    assert!(c.stored() == m.stored() && c.triplets().iter().all(|(_, x)| *x == 6.0));
    assert_eq!(CALLS.load(Ordering::Relaxed), n * m.stored());
}

finch! {
    /// Two levels of stamps, each of which is written, added to and written over again in a workspace that the rows share.
    fn nested(a: &Csr<f64>, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i {
            let mut w: Tensor<StampMap<StampMap<Element<f64, One>>>>[3, 5];
            for j { if a[i, j] > 0 { w[j % 3, j % 5] += a[i, j] } }
            for j { if a[i, j] < 0 { w[j % 3, (j + 1) % 5] = a[i, j] } }
            for j { if a[i, j] != 0 { w[j % 3, j % 5] *= 2 } }
            for p in 0..3, q in 0..5 { y[i, (5 * p + q) % n] += w[p, q] }
        }
    }
    /// The same over values below one level, whose fill is not 0.
    fn over_fill(a: &Csr<f64>, n: usize) -> (y: DenseMat<f64>[n, n], z: DenseVec<f64>) {
        for i {
            let mut w: Tensor<StampMap<Element<f64, Inf>>>[n];
            for j { if a[i, j] != 0 { w[(j * 7 + i) % n] <<min>>= a[i, j] } }
            for j { if a[i, j] > 1 { w[j] = a[i, j] } }
            for j { y[i, j] = w[j::locate] }
            for j { if w[j] < 9 { z[i] += w[j] } }
        }
    }
}

#[test]
fn workspaces_of_stamps_forget_what_was_in_them() {
    let n = 11;
    let plain = |x: f64| if x.is_finite() { x } else { 0.25 };
    let av: Entries = entries(n, 5, 2).into_iter().map(|(at, x)| (at, plain(x))).collect();
    let a: Csr<f64> = tensor(n, av.clone());
    let mut sums = vec![0.0; n * n];
    let (mut least, mut rows) = (vec![f64::INFINITY; n * n], vec![0.0; n]);
    for i in 0..n {
        let row: Vec<(usize, f64)> =
            av.iter().filter(|(at, _)| at[0] == i).map(|(at, x)| (at[1], *x)).collect();
        let mut w = [[1.0; 5]; 3];
        row.iter().filter(|(_, x)| *x > 0.0).for_each(|(j, x)| w[j % 3][j % 5] += x);
        row.iter().filter(|(_, x)| *x < 0.0).for_each(|(j, x)| w[j % 3][(j + 1) % 5] = *x);
        row.iter().filter(|(_, x)| *x != 0.0).for_each(|(j, _)| w[j % 3][j % 5] *= 2.0);
        (0..15).for_each(|k| sums[i * n + k % n] += w[k / 5][k % 5]);
        let w = &mut least[i * n..(i + 1) * n];
        row.iter().for_each(|(j, x)| w[(j * 7 + i) % n] = w[(j * 7 + i) % n].min(*x));
        row.iter().filter(|(_, x)| *x > 1.0).for_each(|(j, x)| w[*j] = *x);
        rows[i] = w.iter().filter(|x| **x < 9.0).fold(0.0, |sum, x| sum + x);
    }
    bitwise::same(&nested(&a, n).to_dense(), &sums, n);
    let (y, z) = over_fill(&a, n);
    bitwise::same(&y.to_dense(), &least, n);
    bitwise::same(&z.to_dense(), &rows, n);
}
