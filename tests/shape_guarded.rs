//! Indices that are computed beyond the part of a `concat` that they are of, where sizes may be 0 and groups start
//! nowhere.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::same;

macro_rules! parts {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn behind(x: &Tensor<$format>, n: usize) -> (y: DenseMat<f64>) {
                    for k, l { y[k, l] = split(concat((1, collapse(x[i], (i, r: 2) -> b)), (t: n, b) -> z), z -> (k, l: n)) }
                }
                fn before(x: &Tensor<$format>, q: usize, w: usize, lo: usize, hi: usize) -> (y: DenseMat<f64>) {
                    for k, l {
                        y[k, l] = split(slice(concat((collapse(x[i], (i, r: q) -> b), 1), (b, j: 4) -> z1), z1 -> z, (lo, hi)), z -> (k, l: w))
                    }
                }
                fn both(x: &Tensor<$format>, q: usize) -> (y: DenseMat<f64>) {
                    for k, l { y[k, l] = split(concat((collapse(x[i], (i, r: q) -> b), x[j]), (b, j) -> z), z -> (k, l: 1)) }
                }
                fn tiled(x: &Tensor<$format>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(concat((1, collapse(x[i], (r: q, i) -> b)), (t: 1, b) -> z), (z, u: 2) -> k) }
                }
                fn repeated(x: &Tensor<$format>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(concat((1, collapse(x[i], (i, r: q) -> b)), (t: 1, b) -> z), (u: 2, z) -> k) }
                }
                fn stepped(x: &Tensor<$format>, q: usize, by: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = slice(concat((1, collapse(x[i], (r: q, i) -> b)), (t: 1, b) -> z), z -> k, (0, 1, by)) }
                }
            }
            for n in 0..5 {
                let all: Vec<f64> = [0.0, 5.0, 0.0, -1.5, 2.0][5 - n..].to_vec();
                for all in [all, vec![0.0; n], vec![3.0; n]] {
                    let x = Tensor::<$format>::from_dense([n], &all).unwrap();
                    let each = |q: usize| all.iter().flat_map(|v| vec![*v; q]).collect::<Vec<f64>>();
                    for m in 1..4 {
                        let want = [vec![1.0; m], each(2)].concat();
                        if want.len().is_multiple_of(m) {
                            same(&behind(&x, m).to_dense(), &want);
                        }
                    }
                    for q in 0..4 {
                        let whole = [each(q), vec![1.0; 4]].concat();
                        for (lo, hi) in (0..=whole.len()).flat_map(|lo| (lo..=whole.len()).map(move |hi| (lo, hi))) {
                            for w in (1..4).filter(|w: &usize| (hi - lo).is_multiple_of(*w)) {
                                same(&before(&x, q, w, lo, hi).to_dense(), &whole[lo..hi]);
                            }
                        }
                        same(&both(&x, q).to_dense(), &[each(q), all.clone()].concat());
                        let one: Vec<f64> = [vec![1.0], all.repeat(q)].concat();
                        let twice: Vec<f64> = one.iter().flat_map(|v| [*v; 2]).collect();
                        same(&tiled(&x, q).to_dense(), &twice);
                        same(&repeated(&x, q).to_dense(), &[vec![1.0], each(q)].concat().repeat(2));
                        same(&stepped(&x, q, 2).to_dense(), &[1.0]);
                    }
                }
            }
        }
    )*};
}
parts! {
    dense: Dense<Element<f64>>;
    sparse: SparseList<Element<f64>>;
    bits: Bitmap<Element<f64>>;
    hash: Hash<Element<f64>>;
    runs: RunList<Element<f64>>;
    sparse_runs: SparseRunList<Element<f64>>;
    packed: PackBits<Element<f64>>;
    coo: Coo<Element<f64>>;
}
