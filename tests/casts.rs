//! `as` between all types of numbers: to the last bit what Rust makes of it, and a structural 0 goes through.

use looplets::prelude::*;

/// From one type to all others, of dense and of sparse elements.
macro_rules! casts {
    ($($ty:ident: [$($value:expr),* $(,)?];)*) => {
        $(mod $ty {
            use super::*;
            finch! {
                fn dense(x: &DenseVec<$ty>) -> (
                    y0: DenseVec<u8>, y1: DenseVec<i8>, y2: DenseVec<u16>, y3: DenseVec<i16>, y4: DenseVec<u32>,
                    y5: DenseVec<i32>, y6: DenseVec<u64>, y7: DenseVec<i64>, y8: DenseVec<usize>, y9: DenseVec<isize>,
                    ya: DenseVec<f32>, yb: DenseVec<f64>
                ) {
                    for i {
                        y0[i] = x[i] as u8;
                        y1[i] = x[i] as i8;
                        y2[i] = x[i] as u16;
                        y3[i] = x[i] as i16;
                        y4[i] = x[i] as u32;
                        y5[i] = x[i] as i32;
                        y6[i] = x[i] as u64;
                        y7[i] = x[i] as i64;
                        y8[i] = x[i] as usize;
                        y9[i] = x[i] as isize;
                        ya[i] = x[i] as f32;
                        yb[i] = x[i] as f64
                    }
                }
            }
            finch! {
                #![steps(n)]
                fn sparse(x: &SparseVec<$ty>, n: &mut u64) -> (y: SparseVec<u8>, z: SparseVec<f32>) {
                    y[i] = x[i] as u8;
                    z[i] = x[i] as f32
                }
            }
            #[test]
            fn all() -> Result<(), looplets::Error> {
                let all: Vec<$ty> = vec![$($value),*];
                let x: DenseVec<$ty> = Tensor::from_dense([all.len()], &all)?;
                let (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, ya, yb) = dense(&x);
                for (k, v) in all.iter().copied().enumerate() {
                    assert_eq!(y0.to_dense()[k], v as u8, "{v}");
                    assert_eq!(y1.to_dense()[k], v as i8, "{v}");
                    assert_eq!(y2.to_dense()[k], v as u16, "{v}");
                    assert_eq!(y3.to_dense()[k], v as i16, "{v}");
                    assert_eq!(y4.to_dense()[k], v as u32, "{v}");
                    assert_eq!(y5.to_dense()[k], v as i32, "{v}");
                    assert_eq!(y6.to_dense()[k], v as u64, "{v}");
                    assert_eq!(y7.to_dense()[k], v as i64, "{v}");
                    assert_eq!(y8.to_dense()[k], v as usize, "{v}");
                    assert_eq!(y9.to_dense()[k], v as isize, "{v}");
                    assert_eq!(ya.to_dense()[k].to_bits(), (v as f32).to_bits(), "{v}");
                    assert_eq!(yb.to_dense()[k].to_bits(), (v as f64).to_bits(), "{v}");
                }
                let size = 10_000;
                let entries = all.iter().enumerate().map(|(k, v)| ([7 * k + 3], *v));
                let x: SparseVec<$ty> = Tensor::from_triplets([size], entries, Refuse)?;
                let mut n = 0;
                let (y, z) = sparse(&x, &mut n);
                assert!(n <= 4 * all.len() as u64, "{n} steps for {} entries", all.len());
                assert_eq!((y.entries(), z.entries()), (all.len(), all.len()));
                let (y, z) = (y.to_dense(), z.to_dense());
                for (k, v) in all.iter().copied().enumerate() {
                    assert_eq!(y[7 * k + 3], v as u8, "{v}");
                    assert_eq!(z[7 * k + 3].to_bits(), (v as f32).to_bits(), "{v}");
                }
                Ok(())
            }
        })*
    };
}

casts! {
    u8: [0, 1, 127, 128, 255];
    i8: [0, 1, -1, i8::MIN, i8::MAX];
    u16: [0, 255, 256, u16::MAX];
    i16: [0, -1, 300, -300, i16::MIN, i16::MAX];
    u32: [0, 1 << 24, (1 << 24) + 1, u32::MAX];
    i32: [0, -1, 300, i32::MIN, i32::MAX, (1 << 24) + 1];
    u64: [0, 300, u64::MAX, (1 << 53) + 1, 1 << 63];
    i64: [0, -1, 300, i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 53) - 1];
    usize: [0, 300, usize::MAX];
    isize: [0, -1, isize::MIN, isize::MAX];
    f32: [0.0, -0.0, 0.5, -0.5, 255.9, 256.0, -1.5, 3e9, 1e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY,
        f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::MIN];
    f64: [0.0, -0.0, 0.5, -0.5, 255.9, 256.0, -1.5, 3e9, 1e19, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
        f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::MIN, 0.1, 16_777_217.0, 9_007_199_254_740_993.0];
}

finch! {
    /// Of bools, indices, sums in their own type, literals, and one after the other.
    fn of_all_kinds(m: &DenseVec<bool>, x: &DenseVec<u8>, s: &SparseVec<i32>, f: f32) -> (
        y: DenseVec<f64>, z: DenseVec<u8>, w: DenseVec<i64>, v: DenseVec<f64>, u: SparseVec<f64>
    ) {
        for i {
            y[i] = m[i] as f64 + i as f64 / 2.0;
            z[i] = (i * 100) as u8 + -1 as u8 as i8 as u8 / 255;
            w[i] = -(x[i] as i64) * 1000 + f as i64;
            v[i] = 2.9 as u8 as f64 + (f * 0.1) as f64;
            u[i] = (s[i] * 2) as f64 / 4.0
        }
    }
    /// As coordinates, and in conditions.
    fn placed(p: &DenseVec<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>, c: DenseVec<i32>[4]) {
        for i { if (p[i] * 2.0) as u32 > 2 { y[i] = x[p[i] as usize] } }
        for i { c[p[i] as usize] += x[i] as i32 }
    }
    /// What is missing stays so.
    fn missing_ones(x: &SparseVec<u8>) -> (y: DenseVec<f64>[4]) {
        for i in 0..4 { y[i] = coalesce(x[permit[i + 2]] as f64 / 2, -1) }
    }
    /// Sums of what is converted, over runs too.
    fn summed(x: &Tensor<RunList<Element<u8>>>, a: &Csr<f32>) -> (s: Tensor<Element<u64>>, y: DenseVec<f64>) {
        for i { s[] += x[i] as u64 }
        for i, j { y[i] += a[i, j] as f64 * 0.5 }
    }
}

#[test]
fn conversions_of_all_kinds() -> Result<(), looplets::Error> {
    let m: DenseVec<bool> = Tensor::from_dense([4], &[true, false, true, false])?;
    let x: DenseVec<u8> = Tensor::from_dense([4], &[0, 255, 7, 128])?;
    let s: SparseVec<i32> = Tensor::from_dense([4], &[0, -3, 0, 5])?;
    let f = 3.7_f32;
    let (y, z, w, v, u) = of_all_kinds(&m, &x, &s, f);
    assert_eq!(y.to_dense(), [1.0, 0.5, 2.0, 1.5]);
    assert_eq!(z.to_dense(), [1, 101, 201, 45]);
    assert_eq!(w.to_dense(), [3, -254_997, -6_997, -127_997]);
    assert_eq!(v.to_dense(), [2.0 + f64::from(f * 0.1_f32); 4]);
    assert_eq!((u.to_dense(), u.entries()), (vec![0.0, -1.5, 0.0, 2.5], 2));
    let p: DenseVec<f64> = Tensor::from_dense([4], &[3.2, 0.9, 1.5, 2.0])?;
    let x: SparseVec<f64> = Tensor::from_dense([4], &[1.9, 0.0, -2.9, 4.5])?;
    let (y, c) = placed(&p, &x);
    assert_eq!(y.to_dense(), [4.5, 0.0, 0.0, -2.9]);
    assert_eq!(c.to_dense(), [0, -2, 4, 1]);
    let x: SparseVec<u8> = Tensor::from_dense([4], &[9, 9, 0, 255])?;
    assert_eq!(missing_ones(&x).to_dense(), [0.0, 127.5, -1.0, -1.0]);
    let runs: Tensor<RunList<Element<u8>>> = Tensor::from_dense([6], &[255, 255, 255, 0, 3, 3])?;
    let a: Csr<f32> = Tensor::from_dense([2, 2], &[0.1, 0.0, f32::MAX, f32::MAX])?;
    let (s, y) = summed(&runs, &a);
    assert_eq!(s.to_dense(), [771]);
    assert_eq!(y.to_dense(), [f64::from(0.1_f32) * 0.5, f64::from(f32::MAX)]);
    Ok(())
}

finch! {
    // Differences of coordinates and sizes may be below 0 where they become floats or signed numbers.
    fn from_the_middle(x: &DenseVec<f64>, n: usize, k: usize) -> (
        y: DenseVec<f64>, z: DenseVec<i64>, w: DenseVec<f64>, v: DenseVec<f64>, u: DenseVec<f32>, s: i64
    ) {
        for i {
            y[i] = x[i] * (i - n);
            z[i] = i - n;
            w[i] = (i - n) as f64 * 0.5 + abs(i - n);
            v[i] = exp(-(2 * i + 1 - n)) / (n - i + k);
            u[i] = x[i] as f32 * ((i - n) * (i - n));
            s += (i - n) * 3
        }
    }
    fn of_a_sparse_one(a: &SparseVec<f64>, n: usize) -> (s: f64) { for i { s += a[i] * (i - n) } }
}

#[test]
fn differences_of_coordinates_and_sizes() -> Result<(), looplets::Error> {
    for n in [0, 2, 3, 9, 1 << 20] {
        let x = [0.5, -1.25, 3.0, -0.0, 1e300];
        let tensor: DenseVec<f64> = Tensor::from_dense([5], &x)?;
        let (y, z, w, v, u, s) = from_the_middle(&tensor, n, 2);
        let d: Vec<i64> = (0..5).map(|i| i - n as i64).collect();
        let wide = |f: &dyn Fn(usize) -> f64| (0..5).map(f).collect::<Vec<f64>>();
        assert_eq!(y.to_dense(), wide(&|i| x[i] * d[i] as f64));
        assert_eq!(z.to_dense(), d);
        assert_eq!(w.to_dense(), wide(&|i| d[i] as f64 * 0.5 + (d[i] as f64).abs()));
        let v = v.to_dense();
        for i in 0..5 {
            let want = (-((d[i] + i as i64 + 1) as f64)).exp() / (2 - d[i]) as f64;
            assert!(v[i] == want || v[i].is_nan() && want.is_nan(), "{} {want}", v[i]);
        }
        if n < 10 {
            let squares: Vec<f32> = (0..5).map(|i| x[i] as f32 * (d[i] * d[i]) as f32).collect();
            assert_eq!(u.to_dense(), squares);
            assert_eq!(s, 3 * d.iter().sum::<i64>());
        }
        let a: SparseVec<f64> = Tensor::from_triplets([5], [([1], 2.0), ([4], -0.5)], Refuse)?;
        assert_eq!(of_a_sparse_one(&a, n), 2.0 * d[1] as f64 - 0.5 * d[4] as f64);
    }
    Ok(())
}
