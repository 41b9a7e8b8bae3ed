//! Every looplet kind against every other, in both orders: dot products, sums into a scalar and
//! elementwise sums, parts and moved parts, for extents of 0, 1, 2 and more, alone and in rows.

#[macro_use]
extern crate looplets_oracle as oracle;
mod kinds;
use kinds::*;
use looplets::prelude::*;

macro_rules! pair {
    ($name:ident, $A:ident, $B:ident) => {
        mod $name {
            use super::*;
            kernels! {
                fn dot(a: &Tensor<$A<Element<f64>>>, b: &Tensor<$B<Element<f64>>>, c: &mut f64) {
                    for i { c += a[i] * b[i] }
                };;
                fn sum(a: &Tensor<$A<Element<f64>>>, b: &Tensor<$B<Element<f64>>>, c: &mut f64) {
                    for i { c += a[i] + b[i] }
                };;
                fn add(a: &Tensor<$A<Element<f64>>>, b: &Tensor<$B<Element<f64>>>) -> (y: DenseVec<f64>) {
                    for i { y[i] = a[i] + b[i] }
                };;
                fn part(a: &Tensor<$A<Element<f64>>>, b: &Tensor<$B<Element<f64>>>, lo: usize, hi: usize, c: &mut f64) {
                    for i in lo..hi { c += a[i] * b[i] + a[i] }
                };;
                fn moved(a: &Tensor<$A<Element<f64>>>, b: &Tensor<$B<Element<f64>>>, s: i64, c: &mut f64) {
                    for i { c += a[i + 1] * b[i - s] }
                };;
                fn rows(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += a[i, j] * b[i, j] }
                }
            }
            #[test]
            fn vectors() {
                for n in [0, 1, 2, 3, 8] {
                    for seed in 0..25 {
                        let a = <$A<Element<f64>> as Kind>::tensor(n, seed % 5);
                        let b = <$B<Element<f64>> as Kind>::tensor(n, seed / 5);
                        let (mut c, mut d) = (0.0, 1.0);
                        agree!(dot(&a, &b, &mut c));
                        agree!(sum(&a, &b, &mut d));
                        agree!(add(&a, &b));
                        for (lo, hi) in [(0, n / 2), (n / 3, n), (n / 2, n / 2 + 1)] {
                            if hi <= n {
                                agree!(part(&a, &b, lo, hi, &mut c));
                            }
                        }
                        for s in [0, 2, -1, -3] {
                            agree!(moved(&a, &b, s, &mut c));
                        }
                    }
                }
            }
            #[test]
            fn matrices() {
                for n in [0, 1, 2, 3, 8] {
                    for seeds in [[0, 1, 2, 3], [4, 5, 6, 7], [3, 0, 0, 9], [2, 1, 5, 1]] {
                        let a = <$A<Element<f64>> as Kind>::rows(n, &seeds);
                        let b = <$B<Element<f64>> as Kind>::rows(n, &[seeds[2], seeds[0], seeds[3], seeds[1]]);
                        agree!(rows(&a, &b));
                    }
                }
                let a = <$A<Element<f64>> as Kind>::rows(3, &[]);
                let b = <$B<Element<f64>> as Kind>::rows(3, &[]);
                agree!(rows(&a, &b));
            }
        }
    };
}

macro_rules! against_all {
    ($($name:ident: $A:ident;)*) => {$(
        mod $name {
            use super::*;
            pair!(run, $A, Uniform);
            pair!(spike, $A, LastOnly);
            pair!(pipeline, $A, Cut);
            pair!(stepper, $A, Lengths);
            pair!(jumper, $A, Peaks);
            pair!(switch, $A, Marked);
            pair!(shift, $A, Based);
            pair!(lookup, $A, Mirrored);
        }
    )*};
}

against_all! {
    run: Uniform;
    spike: LastOnly;
    pipeline: Cut;
    stepper: Lengths;
    jumper: Peaks;
    switch: Marked;
    shift: Based;
    lookup: Mirrored;
}
