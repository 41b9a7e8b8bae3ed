//! Functions that are compiled for wide registers give the same bits as those that are not.
//!
//! Builds with debug assertions have no second body; `tests/stages.rs` holds what is generated.

use looplets::prelude::*;

macro_rules! kernels {
    ($name:ident: $($setting:tt)*) => {
        mod $name {
            use looplets::prelude::*;
            finch! {
                $($setting)*
                pub fn product(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
                pub fn single(a: &Csr<f32>, d: &DenseMat<f32>) -> (c: DenseMat<f32>) { c[i, j] += a[i, k] * d[k, j] }
                pub fn sampled(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
                    c[i, j] += a[i, j] * d[i, k] * e[j, k]
                }
                pub fn dot(x: &DenseVec<f64>, y: &DenseVec<f64>, s: &mut f64) { s += x[i] * y[i] }
                pub fn scaled(x: &DenseVec<f64>, y: DenseVec<f64>, f: f64) -> (y: DenseVec<f64>) {
                    for i { y[i] = x[i] * f + x[i] / 3 }
                }
                pub fn in_parallel(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
                    parallel for i { for k, j { c[i, j] += a[i, k] * d[k, j] } }
                }
                pub fn sums(d: &DenseMat<f64>) -> (c: DenseVec<f64>) { parallel for i, j { c[i] += d[i, j] } }
                pub fn fails(d: &DenseMat<f64>, x: &DenseVec<f64>) -> Result<(y: DenseVec<f64>), Error> {
                    for i, j { y[i] += d[i, j] * x[j] }
                }
                pub fn of_any<T, const N: usize>(x: &DenseVec<T>, f: impl Fn(T) -> T) -> (y: DenseVec<T>)
                where T: Value + Default + std::ops::Mul<Output = T> {
                    for i { y[i] = f(x[i]) * x[i] }
                }
                pub fn bits(x: &DenseVec<u64>, y: &mut DenseVec<u64>) { for i { y[i] ^= x[i] & 0xff00ff; y[i] |= x[i] << 3 } }
            }
        }
    };
}
kernels!(everywhere: #![portable]);
kernels!(chosen:);

const HOSTILE: [f64; 8] =
    [0.1, -0.0, 1e-310, f64::INFINITY, 1e300, f64::NAN, -1e300, f64::MIN_POSITIVE];

/// Values of which few are hostile, else all would be NaN.
fn value(n: usize) -> f64 {
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
    match mixed % 29 {
        0 => HOSTILE[mixed / 29 % HOSTILE.len()],
        m => (m as f64 - 14.0) / 3.0,
    }
}

fn values(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|n| value(n + seed * 7_919)).collect()
}

/// About one in `step` of them is stored.
fn sparse(count: usize, step: usize, seed: usize) -> Vec<f64> {
    let all = values(count, seed).into_iter().enumerate();
    all.map(
        |(n, v)| if (value(n + seed).to_bits() as usize).is_multiple_of(step) { v } else { 0.0 },
    )
    .collect()
}

/// As bits, with one NaN.
fn bits(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

fn all_bits(x: impl AsRef<[f64]>) -> Vec<u64> {
    x.as_ref().iter().copied().map(bits).collect()
}

#[test]
fn the_same_bits() {
    looplets::rt::parallel::worth(256);
    for (m, n) in [(0, 5), (1, 1), (7, 0), (9, 3), (40, 17), (33, 32), (64, 45), (20, 130)] {
        let a: Csr<f64> = Tensor::from_dense([m, m], &sparse(m * m, 3, 1)).unwrap();
        let (d, e) = (values(m * n, 2), values(m * n, 3));
        let dense = |v: &[f64]| -> DenseMat<f64> { Tensor::from_dense([m, n], v).unwrap() };
        let (d, e) = (dense(&d), dense(&e));
        macro_rules! same {
            ($kernel:ident($($arg:expr),*)) => {
                let (all, own) = (everywhere::$kernel($($arg),*), chosen::$kernel($($arg),*));
                assert_eq!(all_bits(all.to_dense()), all_bits(own.to_dense()), "{} {m} {n}", stringify!($kernel));
            };
        }
        same!(product(&a, &d));
        same!(in_parallel(&a, &d));
        same!(sums(&d));
        let (all, own) = (everywhere::sampled(&a, &d, &e), chosen::sampled(&a, &d, &e));
        assert_eq!(all.stored(), own.stored());
        assert_eq!(all_bits(all.to_dense()), all_bits(own.to_dense()));
        let x: DenseVec<f64> = Tensor::from_dense([n], &values(n, 4)).unwrap();
        let y: DenseVec<f64> = Tensor::from_dense([n], &values(n, 5)).unwrap();
        same!(scaled(&x, y.clone(), 0.7));
        let (all, own) = (everywhere::fails(&d, &x).unwrap(), chosen::fails(&d, &x).unwrap());
        assert_eq!(all_bits(all.to_dense()), all_bits(own.to_dense()));
        let (mut all, mut own) = (0.5, 0.5);
        everywhere::dot(&x, &y, &mut all);
        chosen::dot(&x, &y, &mut own);
        assert_eq!(bits(all), bits(own));

        let cast = |v: &[f64]| -> Vec<f32> { v.iter().map(|x| *x as f32).collect() };
        let s: Csr<f32> = Tensor::from_dense([m, m], &cast(&a.to_dense())).unwrap();
        let t: DenseMat<f32> = Tensor::from_dense([m, n], &cast(&d.to_dense())).unwrap();
        let wide =
            |t: DenseMat<f32>| -> Vec<f64> { t.to_dense().iter().map(|x| f64::from(*x)).collect() };
        assert_eq!(
            all_bits(wide(everywhere::single(&s, &t))),
            all_bits(wide(chosen::single(&s, &t)))
        );

        let whole = |seed| -> DenseVec<u64> {
            let v: Vec<u64> = values(n, seed).iter().map(|x| x.to_bits()).collect();
            Tensor::from_dense([n], &v).unwrap()
        };
        let (x, mut all) = (whole(6), whole(7));
        let mut own = all.clone();
        everywhere::bits(&x, &mut all);
        chosen::bits(&x, &mut own);
        assert_eq!(all.to_dense(), own.to_dense());
    }
}

#[test]
fn generic_functions_and_those_that_fail() {
    let x: DenseVec<f32> = Tensor::from_dense([5], &[0.5, -0.0, 2.0, f32::MAX, 3.0]).unwrap();
    let found = chosen::of_any::<f32, 3>(&x, |x| x + 1.0);
    assert_eq!(found.to_dense(), everywhere::of_any::<f32, 3>(&x, |x| x + 1.0).to_dense());
    assert_eq!(found.to_dense()[..3], [0.75, -0.0, 6.0]);
    let d: DenseMat<f64> = Tensor::from_dense([2, 3], &[0.0; 6]).unwrap();
    let short: DenseVec<f64> = Tensor::from_dense([2], &[0.0; 2]).unwrap();
    let said = chosen::fails(&d, &short).unwrap_err().to_string();
    assert_eq!(said, everywhere::fails(&d, &short).unwrap_err().to_string());
}
