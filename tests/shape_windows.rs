//! Windows and `permit` on the indices of shape operators, in a part of a `concat` and so computed where it is not read.
//! Where one was looked up, what `permit` lets leave the dimension was the fill there, in place of missing; a window
//! around `permit` was looked at where it is not read; and of one that a computed index goes through, what lies behind
//! the dimension was the fill, in place of an error.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::same;

/// What is where `permit` finds nothing.
const NONE: f64 = 9.5;

/// What is no number, what compares as zero, fractions, and zeros between.
fn some(len: usize) -> Vec<f64> {
    let all = [1.5, 0.0, -0.0, f64::NAN, 0.0, 0.0, -2.25, f64::INFINITY];
    (0..len).map(|k| all[k % all.len()]).collect()
}

/// As `want`, or refused.
fn agree(got: Result<Vec<f64>, Error>, want: Option<Vec<f64>>, text: &str) {
    match (got, want) {
        (Ok(got), Some(want)) => {
            assert_eq!(got.len(), want.len(), "{text}");
            same(&got, &want);
        }
        (Err(_), None) => {}
        (got, want) => panic!("{text}: {got:?}, expected {want:?}"),
    }
}

macro_rules! rows {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn located(b: &DenseVec<f64>, at: &DenseVec<u32>, a: &Tensor<$format>, s: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((b[i], coalesce(a[at[l], permit[window(s, s + n)[l]]], 9.5)), (i, l) -> k) }
                }
                fn decides(b: &DenseVec<f64>, at: &DenseVec<u32>, a: &Tensor<$format>, s: usize, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for r in 0..3 { for k {
                        if k > r - 1 || concat((b[i], coalesce(a[at[l], permit[window(s, s + n)[l]]], 9.5)), (i, l) -> k) == 9.5 { y[r, k] += 2.5 }
                    } }
                }
                fn moved(a: &Tensor<$format>, q: usize, w: usize, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k { for l in 0..n { y[k, l] = concat((7, coalesce(a[i, window(i, i + w)[permit[l]]], 9.5), 7), (t: q, i, p: 1) -> k) } }
                }
                fn moved_twice(a: &Tensor<$format>, q: usize, w: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k { for l in 0..2 { y[k, l] = concat((7, coalesce(a[i, window(i, i + w)[permit[window(1, 3)[l]]]], 9.5)), (t: q, i) -> k) } }
                }
            }
            for (m, n) in [(1, 0), (1, 1), (2, 2), (3, 2), (2, 4), (3, 5), (1, 12)] {
                let all = some(m * n);
                let a = Tensor::<$format>::from_dense([m, n], &all).unwrap();
                let at = |i: usize, j: usize| if j < n { all[i * n + j] } else { NONE };
                for w in 0..6 {
                    let rows: Vec<u32> = (0..w).map(|l| (l * 2 % m) as u32).collect();
                    let rows_of = Tensor::from_dense([w], &rows).unwrap();
                    for q in [0, 2] {
                        let text = format!("{m} {n} {w} {q}");
                        let b = Tensor::from_dense([q], &vec![7.0; q]).unwrap();
                        for s in 0..4 {
                            let part = (0..w).map(|l| at(rows[l] as usize, s + l));
                            let want: Vec<f64> = [7.0].repeat(q).into_iter().chain(part).collect();
                            let put = |r: usize, k: usize| if k + 1 > r || want[k] == NONE { 2.5 } else { 0.0 };
                            let decided = (0..3).flat_map(|r| (0..want.len()).map(move |k| put(r, k)).collect::<Vec<_>>());
                            let decided = decided.collect();
                            agree(decides(&b, &rows_of, &a, s, w).map(|y| y.to_dense()), Some(decided), &text);
                            agree(located(&b, &rows_of, &a, s, w).map(|y| y.to_dense()), Some(want), &text);
                        }
                        // A window as a whole lies in the dimension wherever it is read.
                        let inside = (0..m).all(|i| i + w <= n);
                        for len in [0, 1, 4] {
                            let seen = |i: usize, l: usize| if l < w { at(i, i + l) } else { NONE };
                            let part: Vec<f64> = (0..m).flat_map(|i| (0..len).map(move |l| seen(i, l)).collect::<Vec<_>>()).collect();
                            let want = [vec![7.0; q * len], part, vec![7.0; len]].concat();
                            let got = moved(&a, q, w, len).map(|y| y.to_dense());
                            agree(got, (inside || len == 0).then_some(want), &text);
                        }
                        let seen = |i: usize, l: usize| if l < w { at(i, i + l) } else { NONE };
                        let part: Vec<f64> = (0..m).flat_map(|i| [seen(i, 1), seen(i, 2)]).collect();
                        let want = [vec![7.0; q * 2], part].concat();
                        agree(moved_twice(&a, q, w).map(|y| y.to_dense()), inside.then_some(want), &text);
                    }
                }
            }
        }
    )*};
}
rows! {
    dense_rows: Dense<Dense<Element<f64>>>;
    rows_of_lists: Dense<SparseList<Element<f64>>>;
    rows_of_bits: Dense<Bitmap<Element<f64>>>;
    rows_of_runs: Dense<RunList<Element<f64>>>;
    hashed_rows: Hash<Dense<Element<f64>>>;
    hashed_trees: Hash<BitTree<Element<f64>>>;
    listed_hashes: SparseList<Hash<Element<f64>>>;
    ragged_rows: Dense<Ragged<Element<f64>>>;
}

macro_rules! vectors {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn computed(b: &DenseVec<f64>, x: &Tensor<$format>, s: usize, e: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((b[i], x[window(s, e)[l * l % 5]]), (i, l: n) -> k) }
                }
                fn missing_behind(b: &DenseVec<f64>, x: &Tensor<$format>, s: usize, e: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((b[i], coalesce(x[permit[window(s, e)[l * l % 5]]], 9.5)), (i, l: n) -> k) }
                }
            }
            for len in 0..9 {
                let all = some(len);
                let x = Tensor::<$format>::from_dense([len], &all).unwrap();
                for (s, e, n) in (0..4).flat_map(|s| (0..6).flat_map(move |w| (0..5).map(move |n| (s, s + w, n)))) {
                    let text = format!("{len}: {n} of {s}..{e}");
                    for q in [0, 2] {
                        let b = Tensor::from_dense([q], &vec![7.0; q]).unwrap();
                        let part: Vec<usize> = (0..n).map(|l| s + l * l % 5).collect();
                        let within = |end: usize| part.iter().all(|k| *k < end);
                        let read = part.iter().map(|k| all.get(*k).copied().unwrap_or(NONE));
                        let want: Vec<f64> = [7.0].repeat(q).into_iter().chain(read).collect();
                        let got = computed(&b, &x, s, e, n).map(|y| y.to_dense());
                        agree(got, within(e.min(len)).then(|| want.clone()), &text);
                        let got = missing_behind(&b, &x, s, e, n).map(|y| y.to_dense());
                        agree(got, within(e).then_some(want), &text);
                    }
                }
            }
        }
    )*};
}
vectors! {
    dense: Dense<Element<f64>>;
    sparse: SparseList<Element<f64>>;
    ragged: Ragged<Element<f64>>;
    runs: RunList<Element<f64>>;
    bits: Bitmap<Element<f64>>;
    hash: Hash<Element<f64>>;
    tree: Bst<Element<f64>>;
}
