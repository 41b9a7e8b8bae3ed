//! Arithmetic on the indices of shape operators: where it leaves the dimension, in the part that is read and nowhere
//! else, the kernel is refused, as it is with the indices of loops.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::same;

/// What a program reads at `at` of `all`, if that is there.
fn read(all: &[f64], at: i64) -> Option<f64> {
    all.get(usize::try_from(at).ok()?).copied()
}

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

macro_rules! vectors {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn moved(a: &Tensor<$format>, r: usize, s: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((7, a[i + 1], 8), (p: s, i: r, q: 1) -> k) }
                }
                fn behind(a: &Tensor<$format>, r: usize, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k { for l in 0..n { y[k, l] = concat((a[i + l], 7), (i: r, q: 2) -> k) } }
                }
                fn squared(a: &Tensor<$format>, r: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((7, a[i * i]), (q: 2, i: r) -> k) }
                }
                fn halved(a: &Tensor<$format>, r: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = slice(a[i / 2], (i: r) -> k, 0..r) }
                }
                fn halved_part(a: &Tensor<$format>, r: usize, f: f64) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((7, a[i / 2]), (q: 2, i: r) -> k) * f }
                }
                fn cut(a: &Tensor<$format>, r: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((slice(a[1 + i], (i: r) -> p, (0, r, 2)), 7), (p, q: 2) -> k) }
                }
                fn doubled(a: &Tensor<$format>, m: usize, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k, l { y[k, l] = split(a[2 * i + 1], (i: m * n) -> (k: m, l: n)) }
                }
            }
            for n in 0..7i64 {
                let all: Vec<f64> = (0..n).map(|k| [0.0, 1.5, -0.0, -2.0][k as usize % 4]).collect();
                let a = Tensor::<$format>::from_dense([n as usize], &all).unwrap();
                for r in 0..7i64 {
                    let (len, text) = (r as usize, format!("{n} {r}"));
                    let part = |at: &dyn Fn(i64) -> i64| (0..r).map(|i| read(&all, at(i))).collect::<Option<Vec<f64>>>();
                    let around = |before: usize, part: Vec<f64>, behind: &[f64]| [&vec![7.0; before][..], &part, behind].concat();
                    for s in [0, 1, 3] {
                        let want = part(&|i| i + 1).map(|p| around(s, p, &[8.0]));
                        agree(moved(&a, len, s).map(|y| y.to_dense()), want, &text);
                    }
                    for l in [0, 1, 3] {
                        let all = (0..r).flat_map(|i| (0..l).map(move |l| i + l)).map(|at| read(&all, at));
                        let want = all.collect::<Option<Vec<f64>>>().map(|p| [p, vec![7.0; 2 * l as usize]].concat());
                        agree(behind(&a, len, l as usize).map(|y| y.to_dense()), want, &text);
                    }
                    let want = part(&|i| i * i).map(|p| around(2, p, &[]));
                    agree(squared(&a, len).map(|y| y.to_dense()), want, &text);
                    agree(halved(&a, len).map(|y| y.to_dense()), part(&|i| i / 2), &text);
                    let want = part(&|i| i / 2).map(|p| around(2, p, &[]));
                    agree(halved_part(&a, len, 1.0).map(|y| y.to_dense()), want, &text);
                    let steps = (0..r).step_by(2).map(|i| read(&all, i + 1)).collect::<Option<Vec<f64>>>();
                    agree(cut(&a, len).map(|y| y.to_dense()), steps.map(|p| [p, vec![7.0; 2]].concat()), &text);
                    for m in [0, 1, 2] {
                        let want = (0..m * r).map(|i| read(&all, 2 * i + 1)).collect();
                        agree(doubled(&a, m as usize, len).map(|y| y.to_dense()), want, &text);
                    }
                }
            }
        }
    )*};
}
vectors! {
    dense: Dense<Element<f64>>;
    sparse: SparseList<Element<f64>>;
    hash: Hash<Element<f64>>;
    blocks: SparseBlockList<Element<f64>>;
    runs: RunList<Element<f64>>;
    sparse_runs: SparseRunList<Element<f64>>;
    bits: Bitmap<Element<f64>>;
    packed: PackBits<Element<f64>>;
    coo: Coo<Element<f64>>;
}

macro_rules! matrices {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn digits(a: &Tensor<$format>, r: usize, w: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = slice(a[i / w, i % w], (i: r) -> k, 0..r) }
                }
                fn digits_of_part(a: &Tensor<$format>, r: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((7, a[i / 3, i % 3]), (q: 2, i: r) -> k) }
                }
                /// A row that stands in front of the loop is looked for whatever the loop reads of it.
                fn of_one_row(a: &Tensor<$format>) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((7, a[1, j]), (q: 2, j) -> k) }
                }
                /// A window moves with an index of the operand: it is looked at where the operand is read.
                fn windows(a: &Tensor<$format>, m: usize, n: usize, f: f64) -> Result<(y: DenseMat<f64>), Error> {
                    for k { for l in 0..n { y[k, l] = concat((7, a[i, window(i, i + n)[l]], 7), (q: m, i, p: 1) -> k) * f } }
                }
            }
            for (m, n) in [(0, 0), (0, 2), (2, 0), (1, 1), (2, 2), (2, 4), (3, 3), (3, 5)] {
                let all: Vec<f64> = (0..m * n).map(|k| [0.0, 1.5, -2.0][k % 3]).collect();
                let a = Tensor::<$format>::from_dense([m, n], &all).unwrap();
                let at = |i: usize, j: usize| (i < m && j < n).then(|| all[i * n + j]);
                let row = (m > 1)
                    .then(|| [vec![7.0; 2], (0..n).filter_map(|j| at(1, j)).collect()].concat());
                agree(of_one_row(&a).map(|y| y.to_dense()), row, "a row");
                for r in 0..8 {
                    let text = format!("{m} {n} {r}");
                    for w in 1..4 {
                        let want = (0..r).map(|i| at(i / w, i % w)).collect();
                        agree(digits(&a, r, w).map(|y| y.to_dense()), want, &text);
                    }
                    let part = (0..r).map(|i| at(i / 3, i % 3)).collect::<Option<Vec<f64>>>();
                    let want = part.map(|p| [vec![7.0; 2], p].concat());
                    agree(digits_of_part(&a, r).map(|y| y.to_dense()), want, &text);
                    for q in [0, 3] {
                        let rows = (0..m).flat_map(|i| (0..r).map(move |l| (i, i + l)));
                        // The window as a whole lies in the dimension, also where it is of no elements.
                        let inside = (0..m).all(|i| i + r <= n) || r == 0;
                        let part = rows.map(|(i, j)| at(i, j)).collect::<Option<Vec<f64>>>();
                        let want = part.filter(|_| inside).map(|p| [vec![7.0; q * r], p, vec![7.0; r]].concat());
                        agree(windows(&a, q, r, 1.0).map(|y| y.to_dense()), want, &text);
                    }
                }
            }
        }
    )*};
}
matrices! {
    dense_rows: Dense<Dense<Element<f64>>>;
    compressed_rows: Dense<SparseList<Element<f64>>>;
    rows_of_runs: Dense<RunList<Element<f64>>>;
    rows_of_bits: Dense<Bitmap<Element<f64>>>;
}
