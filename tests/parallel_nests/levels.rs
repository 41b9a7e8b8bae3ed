//! A level of every kind along the parallel index, in programs of which a hand loop says what they give.

use crate::chunked;
use looplets::prelude::*;

level! { type Runs<T> = Tensor<RunList<Element<T>>>; }
level! { type Interval<T> = Tensor<SparseInterval<Element<T>>>; }

/// Programs over a vector whose outermost level may be any, beside what they give over its dense values.
macro_rules! over_vectors {
    ($name:ident: $X:ident) => {
        mod $name {
            use super::*;
            finch! {
                fn copied(x: &$X<f64>) -> (y: DenseVec<f64>) { parallel for i { y[i] = x[i] } }
                fn shifted(x: &$X<f64>) -> (y: DenseVec<f64>) { parallel for i { y[i] += x[i] * 2 + 0.5 } }
                fn scaled(x: &$X<f64>, d: &DenseVec<f64>) -> (y: SparseVec<f64>) { parallel for i { y[i] = x[i] * d[i] } }
                fn reduced(x: &$X<f64>, d: &DenseVec<f64>, s: &mut f64, m: &mut f64, c: &mut u8, any: &mut bool) { parallel for i { s += x[i] * d[i]; m <<max>>= x[i] + 0.25; c += x[i] != 0; any ||= x[i] > 3 } }
                fn chosen(x: &$X<f64>, d: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { if x[i] > 0.5 { y[i] = d[i] } else { y[i] -= 1 } } }
                fn sampled(x: &$X<f64>, d: &DenseVec<f64>) -> (y: SparseVec<f64>) { parallel for i { if x[i] != 0 { y[i] = d[i] } } }
                fn repeated(x: &$X<f64>) -> (y: DenseVec<f64>) { parallel for i { for j in 0..3 { y[i] += x[i] } } }
                fn powers(x: &$X<f64>, y: &mut DenseVec<f64>) { parallel for i { for j in 0..3 { y[i] *= x[i] } } }
                fn updated(x: &$X<f64>, y: &mut DenseVec<f64>) { parallel for i { y[i] *= x[i] + 1 } }
                fn rows(x: &$X<f64>, a: &DenseMat<f64>) -> (h: DenseVec<f64>) { parallel for i { if x[i] != 0 { for j { h[j] += a[i, j] } } } }
                fn halved(x: &$X<f64>, k: usize) -> (y: DenseVec<f64>) { parallel for i { if i < k { y[i] = x[i] } else { y[i] = x[i] * 2 + 1 } } }
                fn but_one(x: &$X<f64>, k: usize, s: &mut f64) { parallel for i { if i != k { s += x[i] + 0.5 } } }
                fn moved(x: &$X<f64>, n: usize) -> (y: DenseVec<f64>[n]) { parallel for i in 0..n { y[i] = coalesce(x[permit[i - 2]], 7) + x[i] } }
                fn thirds(x: &$X<f64>, n: usize) -> (y: DenseVec<f64>[n]) { parallel for i in 0..n { y[i] += coalesce(x[permit[3 * i + 1]], 0.25) } }
                fn within(x: &$X<f64>, lo: usize, hi: usize, s: &mut f64) { parallel for i { s += x[window(lo, hi)[i]] + 1 } }
                fn defined(x: &$X<f64>, d: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { let v = x[i]; let mut t: f64; t = d[i]; if v > 1 { t += v } y[i] = t } }
                fn worked(x: &$X<f64>) -> (y: DenseVec<f64>) { parallel for i { let mut w: DenseVec<f64>[5]; { for j in 0..5 { y[i] += w[j] * j } } where { for j in 0..5 { if j != 2 { w[j] += x[i] } } } } }
            }

            pub fn check(values: &[f64]) {
                let n = values.len();
                let x: $X<f64> = Tensor::from_dense([n], values).unwrap();
                let d: Vec<f64> = (0..n).map(|i| 0.75 * (i % 9) as f64 - 2.0).collect();
                let line: DenseVec<f64> = Tensor::from_dense([n], &d).unwrap();
                let plane: Vec<f64> = (0..n * 3).map(|e| 0.5 * (e % 11) as f64 - 1.0).collect();
                let a: DenseMat<f64> = Tensor::from_dense([n, 3], &plane).unwrap();
                let v = |i: usize| values[i];
                let at = |i: isize, or: f64| usize::try_from(i).ok().and_then(|i| values.get(i)).copied().unwrap_or(or);
                let each = |want: &dyn Fn(usize) -> f64| (0..n).map(want).collect::<Vec<f64>>();
                give!($X: copied(&x), each(&|i| v(i)));
                give!($X: shifted(&x), each(&|i| v(i) * 2.0 + 0.5));
                give!($X: scaled(&x, &line), each(&|i| v(i) * d[i]));
                give!($X: chosen(&x, &line), each(&|i| if v(i) > 0.5 { d[i] } else { -1.0 }));
                give!($X: sampled(&x, &line), each(&|i| if v(i) != 0.0 { d[i] } else { 0.0 }));
                give!($X: repeated(&x), each(&|i| v(i) * 3.0));
                give!($X: rows(&x, &a), (0..3).map(|j| (0..n).filter(|i| v(*i) != 0.0).map(|i| plane[3 * i + j]).sum()).collect::<Vec<f64>>());
                give!($X: defined(&x, &line), each(&|i| if v(i) > 1.0 { d[i] + v(i) } else { d[i] }));
                give!($X: worked(&x), each(&|i| v(i) * 8.0));
                for k in [0, 1, n / 2, n, n + 3] {
                    give!($X: halved(&x, k), each(&|i| if i < k { v(i) } else { v(i) * 2.0 + 1.0 }));
                    changes!($X: but_one(&x, k), s: 0.5 => 0.5 + (0..n).filter(|i| *i != k).map(|i| v(i) + 0.5).sum::<f64>());
                }
                give!($X: moved(&x, n), each(&|i| at(i as isize - 2, 7.0) + v(i)));
                give!($X: thirds(&x, n + 2), (0..n + 2).map(|i| at(3 * i as isize + 1, 0.25)).collect::<Vec<f64>>());
                for (lo, hi) in [(0, n), (n / 3, n), (n / 2, n / 2), (n / 4, n / 2)] {
                    changes!($X: within(&x, lo, hi), s: -1.0 => -1.0 + values[lo..hi].iter().map(|v| v + 1.0).sum::<f64>());
                }
                changes!($X: powers(&x), y: line.clone() => Tensor::from_dense([n], &each(&|i| d[i] * v(i) * v(i) * v(i))).unwrap());
                changes!($X: updated(&x), y: line.clone() => Tensor::from_dense([n], &each(&|i| d[i] * (v(i) + 1.0))).unwrap());
                changes!($X: reduced(&x, &line), s: 0.5 => 0.5 + (0..n).map(|i| v(i) * d[i]).sum::<f64>(), m: -4.0 => (0..n).map(|i| v(i) + 0.25).fold(-4.0, f64::max),
                    c: 3 => 3 + values.iter().filter(|v| **v != 0.0).count() as u8, any: false => values.iter().any(|v| *v > 3.0));
            }
        }
    };
}

/// Compares what a program gives with elements made by hand.
macro_rules! give {
    ($X:ident: $name:ident($($input:expr),*), $want:expr) => {{
        let want = $want;
        assert_eq!($name($($input),*).to_dense(), want, "{} over {}", stringify!($name), stringify!($X));
    }};
}

/// Compares what a program makes of its last arguments with values made by hand.
macro_rules! changes {
    ($X:ident: $name:ident($($input:expr),*), $($var:ident: $start:expr => $want:expr),*) => {{
        let want = ($($want,)*);
        $(let mut $var = $start;)*
        $name($($input,)* $(&mut $var),*);
        assert_eq!(($($var,)*), want, "{} over {}", stringify!($name), stringify!($X));
    }};
}

level! { type SparseRuns<T> = Tensor<SparseRunList<Element<T>>>; }
level! { type Blocks<T> = Tensor<SparseBlockList<Element<T>>>; }
level! { type Band<T> = Tensor<SparseBand<Element<T>>>; }
level! { type Point<T> = Tensor<SparsePoint<Element<T>>>; }
level! { type Packed<T> = Tensor<PackBits<Element<T>>>; }
level! { type Bits<T> = Tensor<Bitmap<Element<T>>>; }
level! { type Bytes<T> = Tensor<ByteMap<Element<T>>>; }
level! { type Hashed<T> = Tensor<Hash<Element<T>>>; }
level! { type Entries<T> = Tensor<Coo<Element<T>>>; }
level! { type Tree<T> = Tensor<BitTree<Element<T>>>; }
level! { type Accumulator<T> = Tensor<Spa<Element<T>>>; }
level! { type Stamps<T> = Tensor<StampMap<Element<T>>>; }
level! { type Unordered<T> = Tensor<UnorderedList<Element<T>>>; }
level! { type Start<T> = Tensor<Ragged<Element<T>>>; }

/// The programs over these formats, with values that they can hold.
macro_rules! vectors {
    ($($name:ident: $X:ident of $values:ident)*) => {
        $(over_vectors! { $name: $X })*
        $(#[test]
        fn $name() {
            chunked(|| [0, 1, 2, 65].into_iter().for_each(|n| $name::check(&$values(n))));
        })*
    };
}

/// Runs of fill, of one value and of different ones.
fn any(n: usize) -> Vec<f64> {
    let value = |i: usize| match (i / 4) % 4 {
        0 => 0.0,
        1 => 1.5,
        2 => 0.25 * (i * 7 % 19) as f64 - 2.0,
        _ => {
            if i.is_multiple_of(2) {
                -0.5
            } else {
                4.0
            }
        }
    };
    (0..n).map(|i| value(i + 2)).collect()
}

/// Different values in the middle.
fn middle(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i >= n / 4 && 4 * i < 3 * n { 0.25 * i as f64 + 0.5 } else { 0.0 }).collect()
}

/// One value in the middle.
fn interval(n: usize) -> Vec<f64> {
    middle(n).iter().map(|v| if *v != 0.0 { 2.5 } else { 0.0 }).collect()
}

/// One value.
fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i == n / 2 { 3.5 } else { 0.0 }).collect()
}

vectors! {
    dense: DenseVec of any
    list: SparseVec of any
    runs: Runs of any
    sparse_runs: SparseRuns of any
    blocks: Blocks of any
    band: Band of middle
    one_interval: Interval of interval
    one_point: Point of point
    packed: Packed of any
    bits: Bits of any
    bytes: Bytes of any
    hashed: Hashed of any
    entries: Entries of any
    tree: Tree of any
    accumulator: Accumulator of any
    unordered: Unordered of any
    start: Start of any
}
