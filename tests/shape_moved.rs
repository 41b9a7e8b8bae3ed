//! Loops whose size a shape operator tells, beside accesses that are moved: those are checked against it. They went
//! unchecked, as if the loop had taken its size from them, and elements beyond the end were read and written.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::same;

/// What a test stores: what is no number, what compares as zero, fractions, and zeros between.
fn some(len: usize, from: usize) -> Vec<f64> {
    let all = [0.0, 1.5, -0.0, f64::NAN, 0.0, 0.0, -2.25, f64::INFINITY];
    (from..from + len).map(|k| all[k % all.len()]).collect()
}

/// What an operator tells of: where it is zero, what is added to it may not be seen to be one below zero.
fn told_of(len: usize) -> Vec<f64> {
    some(len, 3).iter().map(|x| x + 0.0).collect()
}

/// As `want`, or refused where the operator leaves the dimension.
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

/// Each element that the operator tells of, by what stands at `at` of `all`.
fn beside(told: &[f64], all: &[f64], at: impl Fn(usize) -> usize) -> Option<Vec<f64>> {
    told.iter().enumerate().map(|(k, t)| all.get(at(k)).map(|x| t + x)).collect()
}

macro_rules! read {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn by_collapse(a: &DenseMat<f64>, x: &Tensor<$format>) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = collapse(a[i, j], (i, j) -> k) + x[k + 1] }
                }
                fn by_concat(b: &DenseVec<f64>, c: &DenseVec<f64>, x: &Tensor<$format>) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = concat((b[i], c[j]), (i, j) -> k) + x[2 * k] }
                }
                fn by_slice(b: &DenseVec<f64>, x: &Tensor<$format>, n: usize, d: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k { y[k] = slice(b[i], i -> k, 0..n) + x[k + d] }
                }
                fn by_split(b: &DenseVec<f64>, x: &Tensor<$format>, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k, l { y[k, l] = split(b[i], i -> (k, l: n)) + x[l + 3] }
                }
            }
            for n in 0..12 {
                let all = some(n, 1);
                let x = Tensor::<$format>::from_dense([n], &all).unwrap();
                for told in 0..12 {
                    let text = format!("{told} beside {n}");
                    let of = told_of(told);
                    for m in (1..4).filter(|m| told % m == 0) {
                        let a = Tensor::from_dense([m, told / m], &of).unwrap();
                        agree(by_collapse(&a, &x).map(|y| y.to_dense()), beside(&of, &all, |k| k + 1), &text);
                        let b = Tensor::from_dense([told], &of).unwrap();
                        // A loop within one that does not run must fit all the same.
                        let want = beside(&of, &all, |k| k % m + 3).filter(|_| m + 3 <= n);
                        agree(by_split(&b, &x, m).map(|y| y.to_dense()), want, &text);
                        let [b, c] = [&of[..m.min(told)], &of[m.min(told)..]]
                            .map(|part| Tensor::from_dense([part.len()], part).unwrap());
                        agree(by_concat(&b, &c, &x).map(|y| y.to_dense()), beside(&of, &all, |k| 2 * k), &text);
                    }
                    let longer = told_of(told + 2);
                    let b = Tensor::from_dense([told + 2], &longer).unwrap();
                    for d in [0, 1, 4] {
                        agree(by_slice(&b, &x, told, d).map(|y| y.to_dense()), beside(&of, &all, |k| k + d), &text);
                    }
                }
            }
        }
    )*};
}
read! {
    dense: Dense<Element<f64>>;
    sparse: SparseList<Element<f64>>;
    ragged: Ragged<Element<f64>>;
    runs: RunList<Element<f64>>;
    bits: Bitmap<Element<f64>>;
    blocks: SparseBlockList<Element<f64>>;
    packed: PackBits<Element<f64>>;
    hash: Hash<Element<f64>>;
    tree: Bst<Element<f64>>;
    coo: Coo<Element<f64>>;
}

macro_rules! written {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn vector(a: &DenseMat<f64>, y: &mut Tensor<$format>) -> Result<(), Error> {
                    for k { y[k + 1] = collapse(a[i, j], (i, j) -> k) }
                }
                fn rows(b: &DenseVec<f64>, y: &mut Tensor<Dense<$format>>, n: usize) -> Result<(), Error> {
                    for k, l { if l + 1 > k { y[k, l + 1] = reshape(b[i], i -> (k, l: n)) } }
                }
            }
            for n in 0..12 {
                for told in 0..12 {
                    let (of, text) = (some(told, 0), format!("{told} beside {n}"));
                    for m in (1..4).filter(|m| told % m == 0) {
                        let a = Tensor::from_dense([m, told / m], &of).unwrap();
                        let mut y = Tensor::<$format>::from_dense([n], &vec![0.0; n]).unwrap();
                        let got = vector(&a, &mut y).map(|()| y.to_dense());
                        let fits = told == 0 || told < n;
                        let put = |k: usize| if k > 0 && k <= told { of[k - 1] } else { 0.0 };
                        agree(got, fits.then(|| (0..n).map(put).collect()), &text);
                        let b = Tensor::from_dense([told], &of).unwrap();
                        let rest = told / m;
                        let mut y = Tensor::<Dense<$format>>::from_dense([rest, n], &vec![0.0; rest * n]).unwrap();
                        let got = rows(&b, &mut y, m).map(|()| y.to_dense());
                        let put = |k: usize, l: usize| if l > k && l <= m { of[k * m + l - 1] } else { 0.0 };
                        let want = (0..rest).flat_map(|k| (0..n).map(move |l| put(k, l))).collect();
                        agree(got, (m < n).then_some(want), &text);
                    }
                }
            }
        }
    )*};
}
written! {
    into_dense: Dense<Element<f64>>;
    into_set: Spa<Element<f64>>;
    into_hash: Hash<Element<f64>>;
    into_bits: Bitmap<Element<f64>>;
    into_bytes: ByteMap<Element<f64>>;
    into_tree: Bst<Element<f64>>;
}
