//! Each shape operator inside of each, over lists, runs and what is dense, compared with index arithmetic.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

macro_rules! pairs {
    ($($name:ident: $vector:ty, $matrix:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn collapsed(x: &Tensor<$vector>, a: &Tensor<$matrix>, n: usize, h: usize, lo: usize, hi: usize) -> (
                    collapse: DenseVec<f64>, split: DenseVec<f64>, turned: DenseVec<f64>, concat: DenseVec<f64>,
                    slice: DenseVec<f64>, slice_columns: SparseVec<f64>, reshape: DenseVec<f64>,
                ) {
                    for k { collapse[k] = collapse(collapse(a[i, j], (i, j) -> p), (p, r: 2) -> k) }
                    for k { split[k] = collapse(split(x[l], l -> (i, j: n)), (i, j) -> k) }
                    for k { turned[k] = collapse(split(x[l], l -> (i, j: n)), (j, i) -> k) }
                    for k { concat[k] = collapse(concat((a[i, c], 2 * a[j, c]), (i, j) -> r), (r, c) -> k) }
                    for k { slice[k] = collapse(slice(a[i, c], i -> r, (lo, hi)), (r, c) -> k) }
                    for k { slice_columns[k] = collapse(slice(a[i, j], j -> c, (0, n, 2)), (i, c) -> k) }
                    for k { reshape[k] = collapse(reshape(a[i, j], (i, j) -> (p, q: h)), (p, q) -> k) }
                }
                fn parted(x: &Tensor<$vector>, a: &Tensor<$matrix>, n: usize, h: usize, lo: usize, hi: usize) -> (
                    collapse: DenseMat<f64>, split: Tensor<Dense<Dense<Dense<Element<f64>>>>>,
                    split_outer: Tensor<Dense<Dense<SparseList<Element<f64>>>>>, concat: Csr<f64>,
                    slice: DenseMat<f64>, reshape: Tensor<Dense<Dense<Dense<Element<f64>>>>>,
                ) {
                    for p, q { collapse[p, q] = split(collapse(a[i, j], (i, j) -> k), k -> (p, q: h)) }
                    for i, p, q { split[i, p, q] = split(split(x[k], k -> (i, j: n)), j -> (p, q: h)) }
                    for p, q, j { split_outer[p, q, j] = split(split(x[k], k -> (i, j: h)), i -> (p, q: n / h)) }
                    for p, q { concat[p, q] = split(concat((x[i], 2 * x[j]), (i, j) -> k), k -> (p, q: n)) }
                    for p, q { slice[p, q] = split(slice(x[i], i -> k, (n * lo, n * hi)), k -> (p, q: n)) }
                    for p, q, j { reshape[p, q, j] = split(reshape(a[i, k], (i, k) -> (l, j: h)), l -> (p, q: n / h)) }
                }
                fn joined(x: &Tensor<$vector>, a: &Tensor<$matrix>, n: usize, h: usize, lo: usize, hi: usize) -> (
                    collapse: SparseVec<f64>, split: Csr<f64>, concat: DenseVec<f64>, slice: SparseVec<f64>,
                    reshape: DenseMat<f64>,
                ) {
                    for l { collapse[l] = concat((x[p], collapse(a[i, j], (i, j) -> k)), (p, k) -> l) }
                    for r, j { split[r, j] = concat((split(x[k], k -> (i, j: n)), a[m, j]), (i, m) -> r) }
                    for l { concat[l] = concat((x[i], concat((x[j], 2 * x[k]), (j, k) -> p), x[m]), (i, p, m) -> l) }
                    for l { slice[l] = concat((slice(x[i], i -> p, (lo, hi)), slice(x[j], j -> q, (0, lo))), (p, q) -> l) }
                    for r, c { reshape[r, c] = concat((reshape(a[i, j], (i, j) -> (p, c: h)), reshape(x[k], k -> (q, c: h))), (p, q) -> r) }
                }
                fn sliced(x: &Tensor<$vector>, a: &Tensor<$matrix>, n: usize, h: usize, lo: usize, hi: usize) -> (
                    collapse: SparseVec<f64>, split: Csr<f64>, split_inner: DenseMat<f64>, concat: DenseVec<f64>,
                    slice: DenseVec<f64>, slice_twice: DenseVec<f64>, reshape: DenseMat<f64>,
                ) {
                    for l { collapse[l] = slice(collapse(a[i, j], (i, j) -> k), k -> l, (lo, n * hi, 3)) }
                    for r, j { split[r, j] = slice(split(x[k], k -> (i, j: n)), i -> r, (lo, hi, 2)) }
                    for r, c { split_inner[r, c] = slice(split(x[k], k -> (r, j: n)), j -> c, (0, n, 2)) }
                    for l { concat[l] = slice(concat((x[i], 2 * x[j]), (i, j) -> k), k -> l, (lo, n * hi, 2)) }
                    for l { slice[l] = slice(slice(x[i], i -> k, (lo, n * hi)), k -> l, (0, n * hi - lo, 2)) }
                    for l { slice_twice[l] = slice(slice(x[i], i -> k, (0, n * lo, 2)), k -> l, (0, n * lo / 2, 3)) }
                    for r, c { reshape[r, c] = slice(reshape(a[i, j], (i, j) -> (r, q: h)), q -> c, (h - 1, h)) }
                }
                fn shaped(x: &Tensor<$vector>, a: &Tensor<$matrix>, n: usize, h: usize, lo: usize, hi: usize) -> (
                    collapse: DenseMat<f64>, split: Csr<f64>, concat: DenseMat<f64>, slice: DenseMat<f64>,
                    reshape: DenseMat<f64>,
                ) {
                    for k, l { collapse[k, l] = reshape(collapse(a[i, j], (i, j) -> p), p -> (k, l: h)) }
                    for k, l { split[k, l] = reshape(split(x[p], p -> (i, j: n)), (i, j) -> (k, l: h)) }
                    for k, l { concat[k, l] = reshape(concat((a[i, c], 2 * a[j, c]), (i, j) -> r), (r, c) -> (k, l: h)) }
                    for k, l { slice[k, l] = reshape(slice(a[i, c], i -> r, (lo, hi)), (r, c) -> (k, l: h)) }
                    for k, l { reshape[k, l] = reshape(reshape(a[i, j], (i, j) -> (p, q: h)), (p, q) -> (k, l: n)) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, (m, n)) in [(0, 1), (0, 4), (1, 1), (1, 6), (6, 1), (3, 4), (4, 6), (5, 2)].into_iter().enumerate() {
                    for seed in [2 * seed as u64, 2 * seed as u64 + 101] {
                        sized(m, n, seed);
                    }
                }
            }
            fn sized(m: usize, n: usize, seed: u64) {
                let (v, u) = (some(1, m * n, seed), some(m, n, seed + 50));
                let x: Tensor<$vector> = Tensor::from_dense([m * n], &v).unwrap();
                let a: Tensor<$matrix> = Tensor::from_dense([m, n], &u).unwrap();
                let twice = |x: &[f64]| made([x.len()], |k| 2.0 * x[k]);
                for h in divisors(n) {
                    for (lo, hi) in (0..=m).flat_map(|lo| (lo..=m).map(move |hi| (lo, hi))) {
                        let (collapse, split, turned, concat, slice, slice_columns, reshape) = collapsed(&x, &a, n, h, lo, hi);
                        same(&collapse.to_dense(), &made([m * n, 2], |k| u[k / 2]));
                        same(&split.to_dense(), &v);
                        same(&turned.to_dense(), &made([n, m], |k| v[k % m * n + k / m]));
                        same(&concat.to_dense(), &[&u[..], &twice(&u)].concat());
                        same(&slice.to_dense(), &u[lo * n..hi * n]);
                        let few = n.div_ceil(2);
                        same(&slice_columns.to_dense(), &made([m, few], |k| u[k / few * n + k % few * 2]));
                        same(&reshape.to_dense(), &u);

                        let (collapse, split, split_outer, concat, slice, reshape) = parted(&x, &a, n, h, lo, hi);
                        same(&collapse.to_dense(), &u);
                        assert_eq!(split.shape(), [m, n / h, h]);
                        same(&split.to_dense(), &v);
                        assert_eq!(split_outer.shape(), [m, n / h, h]);
                        same(&split_outer.to_dense(), &v);
                        same(&concat.to_dense(), &[&v[..], &twice(&v)].concat());
                        same(&slice.to_dense(), &v[n * lo..n * hi]);
                        same(&reshape.to_dense(), &u);

                        let (collapse, split, concat, slice, reshape) = joined(&x, &a, n, h, lo, hi);
                        same(&collapse.to_dense(), &[&v[..], &u].concat());
                        assert_eq!(split.shape(), [2 * m, n]);
                        same(&split.to_dense(), &[&v[..], &u].concat());
                        same(&concat.to_dense(), &[&v[..], &v, &twice(&v), &v].concat());
                        same(&slice.to_dense(), &[&v[lo..hi], &v[..lo]].concat());
                        assert_eq!(reshape.shape(), [2 * m * n / h, h]);
                        same(&reshape.to_dense(), &[&u[..], &v].concat());

                        let (collapse, split, split_inner, concat, slice, slice_twice, reshape) = sliced(&x, &a, n, h, lo, hi);
                        let every = |x: &[f64], by: usize| -> Vec<f64> { x.iter().step_by(by).copied().collect() };
                        same(&collapse.to_dense(), &every(&u[lo..n * hi], 3));
                        same(&split.to_dense(), &made([(hi - lo).div_ceil(2), n], |k| v[(lo + k / n * 2) * n + k % n]));
                        same(&split_inner.to_dense(), &made([m, few], |k| v[k / few * n + k % few * 2]));
                        same(&concat.to_dense(), &every(&[&v[..], &twice(&v)].concat()[lo..n * hi], 2));
                        same(&slice.to_dense(), &every(&v[lo..n * hi], 2));
                        same(&slice_twice.to_dense(), &every(&every(&v, 2)[..n * lo / 2], 3));
                        same(&reshape.to_dense(), &made([m * n / h], |k| u[k * h + h - 1]));

                        let (collapse, split, concat, slice, reshape) = shaped(&x, &a, n, h, lo, hi);
                        assert_eq!(collapse.shape(), [m * n / h, h]);
                        same(&collapse.to_dense(), &u);
                        same(&split.to_dense(), &v);
                        same(&concat.to_dense(), &[&u[..], &twice(&u)].concat());
                        same(&slice.to_dense(), &u[lo * n..hi * n]);
                        assert_eq!(reshape.shape(), [m, n]);
                        same(&reshape.to_dense(), &u);
                    }
                }
            }
        }
    )*};
}

pairs! {
    lists: SparseList<Element<f64>>, Dense<SparseList<Element<f64>>>;
    dense: Dense<Element<f64>>, Dense<Dense<Element<f64>>>;
    runs: RunList<Element<f64>>, Dense<RunList<Element<f64>>>;
    of_runs: SparseRunList<Element<f64>>, RunList<SparseList<Element<f64>>>;
    blocks: SparseBlockList<Element<f64>>, SparseList<PackBits<Element<f64>>>;
    coo: Bitmap<Element<f64>>, Coo<Singleton<Element<f64>>>;
}
