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
                pub fn pairs(d: &DenseMat<i32>) -> (c: DenseMat<i32>) { c[i, j] += d[i, k] * d[j, k] }
                pub fn rows(d: &DenseMat<i16>) -> (y: DenseVec<i64>) { y[i] += d[i, j] as i64 }
                pub fn least(x: &DenseVec<i16>) -> (m: i16 = i16::MAX) { m <<min>>= x[i] }
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

/// Sums of whole numbers over neighbours have a second body, and are those of a loop.
#[test]
fn whole_numbers() {
    for n in [0, 1, 2, 7, 32, 65, 300] {
        let at = |k: usize| (k.wrapping_mul(0x9e37_79b9) >> 7) as i32 % 1_000;
        let (rows, all) = (5, (0..5 * n).map(at).collect::<Vec<i32>>());
        let d: DenseMat<i32> = Tensor::from_dense([rows, n], &all).unwrap();
        let dot = |i: usize, j: usize| (0..n).map(|k| all[i * n + k] * all[j * n + k]).sum::<i32>();
        let want: Vec<i32> = (0..rows * rows).map(|k| dot(k / rows, k % rows)).collect();
        assert_eq!(chosen::pairs(&d).to_dense(), want);
        assert_eq!(everywhere::pairs(&d).to_dense(), want);
        // The extremes of the type, which no sum of its own would hold.
        let narrow: Vec<i16> =
            all.iter().map(|v| [i16::MIN, i16::MAX, -1, *v as i16][*v as usize % 4]).collect();
        let e: DenseMat<i16> = Tensor::from_dense([rows, n], &narrow).unwrap();
        let want: Vec<i64> =
            (0..rows).map(|i| (0..n).map(|k| i64::from(narrow[i * n + k])).sum()).collect();
        assert_eq!(chosen::rows(&e).to_dense(), want);
        assert_eq!(everywhere::rows(&e).to_dense(), want);
        let x: DenseVec<i16> = Tensor::from_dense([rows * n], &narrow).unwrap();
        let want = narrow.iter().copied().min().unwrap_or(i16::MAX);
        assert_eq!((chosen::least(&x), everywhere::least(&x)), (want, want));
    }
    let told = explain! { fn pairs(d: &DenseMat<i32>) -> (c: DenseMat<i32>) { c[i, j] += d[i, k] * d[j, k] } };
    assert!(told.contains("target_feature(enable"), "{told}");
    let told = explain! { fn scattered(a: &Csr<i32>, x: &DenseVec<i32>) -> (y: DenseVec<i32>) { y[i] += a[i, j] * x[j] } };
    assert!(!told.contains("target_feature(enable"), "{told}");
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
