//! Loops over parts of what `split` makes, whose bounds a loop around them says: whatever the level, the values are
//! those of the dense array, and a part beyond the size is refused where it is met.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

macro_rules! formats {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn lower(x: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for i { for j in 0..i + 1 { y[i] += split(x[k], k -> (i, j: n)) * (j + 1) } }
                }
                fn upper(x: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for i { for j in i..n { y[i] += split(x[k], k -> (i, j: n)) } }
                }
                fn shares(x: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    parallel for i { for j in 0..i + 1 { y[i] += split(x[k], k -> (i, j: n)) } }
                }
                fn as_stored(x: &Tensor<$format>, ends: &DenseVec<u32>, n: usize) -> (y: DenseVec<f64>) {
                    for i { for j in 0..ends[i] { y[i] += split(x[k], k -> (i, j: n)) } }
                }
                fn middle(x: &Tensor<$format>, m: usize, n: usize) -> (y: DenseVec<f64>) {
                    for h { for i in 0..h + 1 { for j { y[h] += split(x[k], k -> (h, i: m, j: n)) } } }
                }
                fn innermost(x: &Tensor<$format>, m: usize, n: usize) -> (y: DenseVec<f64>) {
                    for h, i { for j in i..h + i { y[h] += split(x[k], k -> (h, i: m, j: n)) } }
                }
            }
            #[test]
            fn agrees() {
                for (seed, n) in [1, 2, 5, 9].into_iter().cycle().take(30).enumerate() {
                    let v = some(n, n, seed as u64);
                    let x: Tensor<$format> = Tensor::from_dense([n * n], &v).unwrap();
                    let sums = |f: &dyn Fn(usize) -> Vec<(usize, f64)>| -> Vec<f64> {
                        let sum = |i| f(i).iter().fold(0.0, |all, (k, by)| all + v[*k] * by);
                        (0..n).map(sum).collect()
                    };
                    let of = |i: usize, run: std::ops::Range<usize>| {
                        run.map(|j| (i * n + j, 1.0)).collect::<Vec<_>>()
                    };
                    let expected = sums(&|i| (0..=i).map(|j| (i * n + j, j as f64 + 1.0)).collect());
                    close(&lower(&x, n).to_dense(), &expected);
                    close(&upper(&x, n).to_dense(), &sums(&|i| of(i, i..n)));
                    close(&shares(&x, n).to_dense(), &sums(&|i| of(i, 0..i + 1)));
                    let ends: Vec<u32> = (0..n).map(|i| (i * 7 % (n + 1)) as u32).collect();
                    let to = Tensor::from_dense([n], &ends).unwrap();
                    let expected = sums(&|i| of(i, 0..ends[i] as usize));
                    close(&as_stored(&x, &to, n).to_dense(), &expected);
                    let (m, p) = (3, 4);
                    let w = some(2 * m, p, seed as u64 + 51);
                    let x: Tensor<$format> = Tensor::from_dense([2 * m * p], &w).unwrap();
                    let part = |h: usize, keep: &dyn Fn(usize, usize) -> bool| -> f64 {
                        let all = (0..m).flat_map(|i| (0..p).map(move |j| (i, j)));
                        all.filter(|(i, j)| keep(*i, *j)).map(|(i, j)| w[(h * m + i) * p + j]).sum()
                    };
                    let expected = [0, 1].map(|h| part(h, &|i, _| i <= h));
                    close(&middle(&x, m, p).to_dense(), &expected);
                    let expected = [0, 1].map(|h| part(h, &|i, j| i <= j && j < h + i));
                    close(&innermost(&x, m, p).to_dense(), &expected);
                }
            }
            #[test]
            fn beyond_is_refused() {
                let x: Tensor<$format> = Tensor::from_dense([6], &[1.5; 6]).unwrap();
                let said = std::panic::catch_unwind(|| lower(&x, 1)).unwrap_err();
                let said = said.downcast_ref::<String>().unwrap();
                assert_eq!(said, "`split` to `i`, `j`: `j` is of size 1, and its loop runs over 0..2");
            }
        }
    )*};
}

formats! {
    list: SparseList<Element<f64>>;
    dense: Dense<Element<f64>>;
    runs: RunList<Element<f64>>;
    band: SparseBand<Element<f64>>;
    blocks: SparseBlockList<Element<f64>>;
    bits: Bitmap<Element<f64>>;
    packed: PackBits<Element<f64>>;
}
