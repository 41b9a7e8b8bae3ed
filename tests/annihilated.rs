//! Zeros that a condition chooses: one that is not stored takes its product with it, whatever the other factor is and whatever
//! formats say which it is.

use looplets::prelude::*;

const INF: f64 = f64::INFINITY;

macro_rules! chosen {
    ($($name:ident $m:ty, $a:ty, $b:ty;)*) => { $(
        mod $name {
            use looplets::prelude::*;
            finch! {
                #![dense]
                pub fn product(m: &Tensor<$m>, a: &Tensor<$a>, b: &Tensor<$b>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
                    c[j] = ifelse(m[j], a[j], b[j]) * d[j]
                }
            }
            finch! {
                #![dense]
                pub fn looped(m: &Tensor<$m>, a: &Tensor<$a>, b: &Tensor<$b>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
                    for j {
                        let t = ifelse(m[j], a[j], -b[j]);
                        c[j] = t / d[j] + d[j] * (ifelse(m[j], a[j], b[j]) + t)
                    }
                }
            }
        }
        #[test]
        fn $name() {
            let m = Tensor::<$m>::from_dense([6], &[true, true, true, false, false, false]).unwrap();
            let a = Tensor::<$a>::from_triplets([6], [([1], 2.0), ([4], -1.0), ([2], 0.0)], Refuse).unwrap();
            let b = Tensor::<$b>::from_triplets([6], [([0], 0.5), ([4], 3.0), ([5], 0.0)], Refuse).unwrap();
            // The zeros at 2 and 5 are stored, those at 0 and 3 are not.
            for x in [INF, -INF, f64::NAN, 2.5] {
                let c = $name::product(&m, &a, &b, &Tensor::from_dense([6], &[x; 6]).unwrap()).to_dense();
                let want = [0.0, 2.0 * x, 0.0 * x, 0.0, 3.0 * x, 0.0 * x];
                assert_eq!(format!("{c:?}"), format!("{want:?}"), "times {x}");
            }
            for x in [0.0, INF, 2.5] {
                let c = $name::looped(&m, &a, &b, &Tensor::from_dense([6], &[x; 6]).unwrap()).to_dense();
                let two = |a: f64, b: f64| a / x + x * (a + b);
                let want = [0.0, two(2.0, 2.0), two(0.0, 0.0), 0.0, -3.0 / x + x * 0.0, -0.0 / x + x * 0.0];
                for (k, (c, want)) in c.iter().zip(&want).enumerate() {
                    assert!(c == want || c.is_nan() && want.is_nan(), "{k}: {c} of {want}, with {x}");
                }
            }
        }
    )* };
}

chosen! {
    dense_lists Dense<Element<bool>>, SparseList<Element<f64>>, SparseList<Element<f64>>;
    dense_marks Dense<Element<bool>>, Bitmap<Element<f64>>, SparseList<Element<f64>>;
    dense_hash  Dense<Element<bool>>, Hash<Element<f64>>, Bitmap<Element<f64>>;
    runs_lists  RunList<Element<bool>>, SparseList<Element<f64>>, Bitmap<Element<f64>>;
    list_lists  SparseList<Element<bool>>, SparseList<Element<f64>>, SparseList<Element<f64>>;
}

finch! {
    #![dense]
    fn steady(e: &SparseVec<f64>, d: &DenseVec<f64>, n: i64) -> (c: DenseVec<f64>) {
        for i { c[i] = d[i] * ifelse(n > 1, e[i], 1) }
    }
}
finch! {
    #![dense]
    fn nested(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = d[i] * -ifelse(m[i], ifelse(b[i] > 1, e[i], 3), b[i]) }
    }
}
finch! {
    #![dense]
    fn outer(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i { let t = ifelse(m[i], e[i], b[i]); for j { c[i, j] = d[i, j] * t } }
    }
}
finch! {
    #![strict]
    #![dense]
    fn strictly(m: &DenseVec<bool>, e: &SparseVec<f64>, b: &DenseVec<f64>, d: &DenseVec<f64>) -> (c: DenseVec<f64>) {
        for i { c[i] = ifelse(m[i], e[i], b[i]) * d[i] }
    }
}

#[test]
fn what_is_chosen_by_what_is_not_known() {
    let m = Tensor::from_dense([4], &[true, true, false, false]).unwrap();
    let e = Tensor::from_triplets([4], [([1], 2.0)], Refuse).unwrap();
    let b = Tensor::from_dense([4], &[2.0, 0.5, 0.25, 3.0]).unwrap();
    let d = Tensor::from_dense([4], &[INF; 4]).unwrap();
    assert_eq!(steady(&e, &d, 2).to_dense(), [0.0, INF, 0.0, 0.0]);
    assert_eq!(steady(&e, &d, 1).to_dense(), [INF; 4]);
    assert_eq!(nested(&m, &e, &b, &d).to_dense(), [0.0, -INF, -INF, -INF]);
    let wide = Tensor::from_dense([4, 2], &[INF; 8]).unwrap();
    assert_eq!(outer(&m, &e, &b, &wide).to_dense(), [0.0, 0.0, INF, INF, INF, INF, INF, INF]);
    let c = strictly(&m, &e, &b, &d).to_dense();
    assert!(c[0].is_nan() && c[1..] == [INF; 3], "{c:?}");
}

finch! {
    #![dense]
    fn whole_quotient(m: &DenseVec<bool>, a: &SparseVec<i64>, d: &DenseVec<i64>, e: &DenseVec<i64>) -> (c: DenseVec<i64>) {
        for j { c[j] = ifelse(m[j], a[j], d[j]) / e[j] }
    }
}
finch! {
    #![dense]
    fn by_what_is_not_stored(m: &DenseVec<bool>, a: &SparseVec<f64>, d: &DenseVec<f64>, g: &SparseVec<f64>) -> (c: DenseVec<f64>) {
        c[j] = ifelse(m[j], a[j], d[j]) / g[j]
    }
}

/// What is not stored is nothing divided by anything, by a whole 0 too, and by what is not stored either.
#[test]
fn what_is_chosen_is_divided() {
    let m = Tensor::from_dense([4], &[true, true, false, false]).unwrap();
    let a = Tensor::from_triplets([4], [([1], 2), ([2], 1)], Refuse).unwrap();
    let (d, e) = (Tensor::from_dense([4], &[1, 2, 3, 4]), Tensor::from_dense([4], &[0, 2, 3, 4]));
    assert_eq!(whole_quotient(&m, &a, &d.unwrap(), &e.unwrap()).to_dense(), [0, 1, 1, 1]);
    let a = Tensor::from_triplets([4], [([1], 2.0), ([2], 1.0)], Refuse).unwrap();
    let d = Tensor::from_dense([4], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let g = Tensor::from_triplets([4], [([1], 2.0)], Refuse).unwrap();
    assert_eq!(by_what_is_not_stored(&m, &a, &d, &g).to_dense(), [0.0, 1.0, INF, INF]);
}
