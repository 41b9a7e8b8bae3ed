//! What goes through gaps is reported, and `#![dense]` allows it: results are the same. What is not reported costs what is
//! stored, which steps tell. The messages are in `tests/ui/gaps.rs` and `tests/ui/starts.rs`.

use looplets::prelude::*;

fn shifted(x: f64) -> f64 {
    x + 1.0
}

const N: usize = 2_000;

fn matrix() -> Csr<f64> {
    let entries = (0..N).map(|i| ([i, i * 7 % N], i as f64 - 0.5));
    Tensor::from_triplets([N, N], entries, Refuse).expect("one entry a row")
}

finch! {
    #![dense]
    fn all(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = shifted(a[i, j]) }
}

// Nothing here is reported: warnings are errors.
#[deny(deprecated)]
mod silent {
    use super::*;
    finch! {
        #![steps(n)]
        pub fn of_a_quotient(a: &Csr<f64>, al: f64, n: &mut u64) -> (c: Csr<f64>) { c[i, j] = a[i, j] / al }
        pub fn of_factors(a: &Csr<f64>, r: &DenseVec<f64>, d: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
            y[j] += a[i, j] * r[i] / d[i]
        }
        pub fn of_one_value(a: &Csr<f64>, n: &mut u64) -> (y: DenseVec<f64>) { y[i] += shifted(a[i, j]) }
        pub fn of_differences(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (s: f64) {
            s += (a[i, j] - b[i, j]) * (a[i, j] - b[i, j])
        }
        pub fn sampled(a: &Csr<f64>, d: &DenseVec<f64>, n: &mut u64) -> (c: Csr<f64>) {
            for i, j {
                let mut t: f64;
                t += a[i, j] * d[j];
                if t > 0 { c[i, j] = t }
            }
        }
        pub fn in_triangles(a: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) { for i, j { if i <= j { c[i, j] = exp(a[i, j]) - 1 } } }
    }
    finch! {
        pub fn dense_result(x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] = shifted(x[i]) }
        pub fn dense_operand(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: DenseVec<f64>) { y[i] += shifted(a[i, j]) * d[i, j] }
        pub fn on_the_diagonal(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { if i == j { c[i, j] = shifted(a[i, j]) } } }
        pub fn runs(x: &SparseVec<f64>) -> (y: Tensor<RunList<Element<f64>>>) { for i { y[i] = shifted(x[i]) } }
        pub fn bits(x: &Tensor<Bitmap<Element<f64>>>) -> (y: Tensor<Bitmap<Element<f64>>>) { for i { y[i] = shifted(x[i]) } }
        pub fn open(x: &DenseVec<f64>) -> (m: Tensor<Dense<Element<f64, _>>>, s: f64 = f64::INFINITY) {
            for i { for j { m[j] <<max>>= x[i] - x[j] } s <<min>>= x[i] }
        }
        pub fn unsigned(x: &DenseVec<u8>) -> (m: u8) { m <<max>>= x[i] }
    }
}

#[test]
fn what_is_not_reported_costs_what_is_stored() {
    let (a, d) = (matrix(), DenseVec::from_dense([N], &vec![2.0; N]).expect("as long"));
    // At most a few steps for each row and each entry.
    let few = |kernel: &dyn Fn(&mut u64)| {
        let mut n = 0;
        kernel(&mut n);
        assert!(n < 5 * N as u64, "{n} steps");
    };
    few(&|n| assert_eq!(silent::of_a_quotient(&a, 0.5, n).stored(), N));
    few(&|n| drop(silent::of_factors(&a, &d, &d, n)));
    few(&|n| drop(silent::of_one_value(&a, n)));
    few(&|n| assert_eq!(silent::of_differences(&a, &a, n), 0.0));
    few(&|n| drop(silent::sampled(&a, &d, n)));
    few(&|n| drop(silent::in_triangles(&a, n)));
}

#[test]
fn what_is_allowed_gives_what_it_says() {
    let a: Csr<f64> = Tensor::from_triplets([2, 3], [([1, 2], 0.5)], Refuse).expect("within");
    let c = all(&a);
    assert_eq!((c.stored(), c.to_dense()), (6, vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.5]));
    let x: SparseVec<f64> = Tensor::from_dense([3], &[0.0, -2.0, 0.0]).expect("three");
    assert_eq!(silent::dense_result(&x).to_dense(), [1.0, -1.0, 1.0]);
    assert_eq!(silent::runs(&x).to_dense(), [1.0, -1.0, 1.0]);
    let d: DenseVec<f64> = Tensor::from_dense([3], &[1.0, -2.0, f64::NAN]).expect("three");
    let (m, s) = silent::open(&d);
    assert_eq!((m.to_dense()[..2].to_vec(), s), (vec![0.0, 3.0], -2.0));
    let wide = Tensor::from_dense([2, 3], &[1.0, -2.0, f64::NAN, 0.0, 0.0, 0.0]).expect("six");
    assert!(silent::dense_operand(&a, &wide).to_dense()[0].is_nan());
    assert_eq!(silent::on_the_diagonal(&a).to_dense(), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let bits = Tensor::from_dense([2], &[0.0, 0.5]).expect("two");
    assert_eq!(silent::bits(&bits).to_dense(), [1.0, 1.5]);
    assert_eq!(silent::unsigned(&Tensor::from_dense([2], &[3, 9]).expect("two")), 9);
}
