//! Quotients and remainders of a loop index between brackets: `a[k / n, k % n]` visits what is stored where the
//! digits lie in the dimensions, and is random access, which is checked, where they leave them.

use looplets::prelude::*;
use looplets::Error;

const V: [f64; 12] = [0.5, 0.0, 0.0, f64::INFINITY, 0.0, 0.0, 0.0, 0.0, -1.0, -1.0, -1.0, 2.5];

macro_rules! matrices {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn all(a: &Tensor<$format>, lo: i64, hi: i64, n: i64) -> Result<(y: DenseVec<f64>), Error> {
                    for k in lo..hi { y[k] = a[k / n, k % n] }
                }
                #[allow(deprecated)]
                fn listed(a: &Tensor<$format>, hi: usize, n: u8) -> Result<(y: SparseVec<f64>), Error> {
                    for k in 0..hi { y[k] = a[k / n, k % n] }
                }
                fn moved(a: &Tensor<$format>, lo: i64, hi: i64) -> Result<(s: DenseVec<f64>[1]), Error> {
                    for k in lo..hi { s[0] += a[(k + 5) / 3, (k + 5) % 3] }
                }
                fn rows(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for k in 0..hi { for j in 0..3 { y[k, j] = a[k / 2, j] } }
                }
                fn met(a: &Tensor<$format>, x: &SparseVec<f64>, n: usize) -> Result<(y: SparseVec<f64>), Error> {
                    for k { y[k] = x[k] * a[k / n, k % n] }
                }
                fn guarded(a: &Tensor<$format>, hi: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k in 0..hi { if k < 12 { y[k] = a[k / n, k % n] } }
                }
                fn at_once(a: &Tensor<$format>, hi: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    parallel for k in 0..hi { y[k] = a[k / n, k % n] }
                }
                fn of_others(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k in 0..hi { y[k] = a[k % 4, k / 4] }
                }
                fn twice(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k in 0..hi { y[k] = a[k / 2, k / 2] }
                }
                fn two(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k in 0..hi { y[k] = a[k / 2, k / 3] + a[k / 3, k % 3] }
                }
                fn of_one(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for k in 0..hi { y[k] = a[k / 3, (k + 1) % 3] }
                }
            }

            fn check(m: usize, n: usize) {
                let a: Tensor<$format> = Tensor::from_dense([m, n], &V[..m * n]).unwrap();
                let at = |i: i64, j: i64| {
                    let inside = (0..m as i64).contains(&i) && (0..n as i64).contains(&j);
                    inside.then(|| V[(i * n as i64 + j) as usize])
                };
                for by in 1..6i64 {
                    for hi in 0..15i64 {
                        let expected: Option<Vec<f64>> = (0..hi).map(|k| at(k / by, k % by)).collect();
                        let is = |y: Result<Vec<f64>, Error>| assert_eq!(y.ok(), expected, "{m} {n} {by} {hi}");
                        let (h, b) = (hi as usize, by as usize);
                        is(all(&a, 0, hi, by).map(|y| y.to_dense()));
                        is(listed(&a, h, by as u8).map(|y| y.to_dense()));
                        is(at_once(&a, h, b).map(|y| y.to_dense()));
                        let x = Tensor::from_dense([h], &vec![1.0; h]).unwrap();
                        is(met(&a, &x, b).map(|y| y.to_dense()));
                        let expected: Option<Vec<f64>> =
                            (0..hi).map(|k| if k < 12 { at(k / by, k % by) } else { Some(0.0) }).collect();
                        assert_eq!(guarded(&a, h, b).map(|y| y.to_dense()).ok(), expected);
                        if n == 3 {
                            let lo = hi.min(by) - 6;
                            let sum = (lo..hi).map(|k| at((k + 5) / 3, (k + 5) % 3));
                            let sum = sum.collect::<Option<Vec<f64>>>().map(|all| all.iter().sum::<f64>());
                            let s = moved(&a, lo, hi).ok().map(|s| s.to_dense()[0]);
                            let nan = |x: Option<f64>| x.is_some_and(f64::is_nan);
                            assert!(s == sum || nan(s) && nan(sum), "{lo} {hi} {s:?} {sum:?}");
                            let expected: Option<Vec<f64>> =
                                (0..3 * hi).map(|k| at(k / 6, k % 3)).collect();
                            assert_eq!(rows(&a, h).map(|y| y.to_dense()).ok(), expected);
                        }
                        let expected: Option<Vec<f64>> = (0..hi).map(|k| at(k % 4, k / 4)).collect();
                        assert_eq!(of_others(&a, h).map(|y| y.to_dense()).ok(), expected);
                        let expected: Option<Vec<f64>> = (0..hi).map(|k| at(k / 2, k / 2)).collect();
                        // A row that is not stored is fill, whatever the second index is.
                        if expected.is_some() {
                            assert_eq!(twice(&a, h).map(|y| y.to_dense()).ok(), expected);
                        }
                        let expected: Option<Vec<f64>> =
                            (0..hi).map(|k| Some(at(k / 2, k / 3)? + at(k / 3, k % 3)?)).collect();
                        let bits = |v: Vec<f64>| v.iter().map(|x| x.to_bits() << 1).collect::<Vec<_>>();
                        if expected.is_some() {
                            assert_eq!(two(&a, h).map(|y| y.to_dense()).ok().map(bits), expected.map(bits));
                        }
                        let expected: Option<Vec<f64>> = (0..hi).map(|k| at(k / 3, (k + 1) % 3)).collect();
                        assert_eq!(of_one(&a, h).map(|y| y.to_dense()).ok(), expected);
                    }
                }
            }

            #[test]
            fn digits() {
                for (m, n) in [(0, 3), (4, 3), (3, 4), (1, 3), (3, 1), (2, 3), (12, 1), (1, 12)] {
                    check(m, n);
                }
            }
        }
    )*};
}

matrices! {
    dense: Dense<Dense<Element<f64>>>;
    csr: Dense<SparseList<Element<f64>>>;
    dcsr: SparseList<SparseList<Element<f64>>>;
    runs: Dense<RunList<Element<f64>>>;
    runs_of_lists: SparseRunList<SparseList<Element<f64>>>;
    blocks: SparseBlockList<Bitmap<Element<f64>>>;
    hash: Hash<Hash<Element<f64>>>;
}

finch! {
    #![steps(n)]
    fn far(a: &Dcsr<f64>, m: usize, n: &mut u64) -> (y: Tensor<SparseList<Element<f64>, u64>>) {
        for k in 0..m * m { y[k] = a[k / m, k % m] }
    }
    fn longer(a: &SparseVec<f64>, m: usize, n: &mut u64) -> (y: Tensor<SparseRunList<Element<f64>, u64>>) {
        for k in 0..m * m { y[k] = a[k / m] }
    }
}

#[test]
fn digits_visit_what_is_stored() {
    let m = 1_000_000;
    let a = Tensor::from_triplets([m, m], [([3, 5], 1.0), ([3, m - 1], 2.0)], Refuse).unwrap();
    let mut n = 0;
    assert_eq!(far(&a, m, &mut n).triplets(), [(vec![3 * m + 5], 1.0), (vec![4 * m - 1], 2.0)]);
    assert!(n <= 8, "{n} steps");
    n = 0;
    let x = Tensor::from_triplets([m], [([3], 1.0), ([7], 2.0)], Refuse).unwrap();
    let y = longer(&x, m, &mut n);
    assert_eq!(y.stored(), 2);
    assert!(n <= 8, "{n} steps");
}
