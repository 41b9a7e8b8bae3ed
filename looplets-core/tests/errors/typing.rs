//! Literals that are no values of their type, and operands that operators do not take.

use super::sources::*;

#[test]
fn literals_that_do_not_fit() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] * 256 } }",
        "fn k(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + 200 } }",
        "fn k(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + -129 } }",
        "fn k(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + -128 } }",
        "fn k(a: &DenseVec<u32>, n: &mut u64) { for i { n += a[i] > -1 } }",
        "fn k(a: &DenseVec<u64>) -> (y: DenseVec<u64>) { for i { y[i] = min(a[i], 18446744073709551616) } }",
        "fn k(a: &DenseVec<usize>) -> (y: DenseVec<usize>) { for i { y[i] = a[i] + 18446744073709551616 } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>[3]) { for i { y[i] = 200 + 100 } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] + 2 * 150 } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { let most = 256; for i { y[i] = a[i] + most } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = a[i] * 0.5 } }",
        "fn k(a: &DenseVec<f32>) -> (y: DenseVec<f32>) { for i { y[i] = a[i] * 1e300 } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = ifelse(a[i] > 0, f64::INFINITY, a[i]) } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = max(a[i], f64::NAN) } }",
        "fn k(a: &DenseVec<bool>) -> (y: DenseVec<bool>[3]) { for i { y[i] = 2 } }",
        "fn k(n: u8, s: &mut u8) { s += n; s = 300 }",
        "fn k(n: u8, s: &mut u8) { s += 300u8 * n }",
        "fn k(n: u8, s: &mut f32) { s += 1e300f32 * n }",
        "fn k(n: &DenseVec<u32>) -> (y: DenseVec<f64>) { for i { y[i] = 1.0 / n[i] } }",
        "fn k(n: &DenseVec<u32>) -> (y: DenseVec<f64>) { let one = 1.0; for i { y[i] = one / n[i] } }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) { for i { y[i] = 1.0 / n * x[i] } }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) { for i { y[i] = 1.0 / i * x[i] } }",
        "fn k(n: &DenseVec<u32>) -> (y: DenseVec<u32>) { for i { if n[i] > 3.0 { y[i] = -1.0 } } }",
        "fn k(n: &DenseVec<u32>) -> (y: DenseVec<f64>) { for i { y[i] = 1f64 / n[i] } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { if a[i] == 256 { y[i] = ifelse(a[i] < 300, 1, 2) } } }",
    ]));
}

#[test]
fn fills_that_do_not_fit() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Tensor<SparseList<Element<u8, Const<300>>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<u8, Const<-1>>>>, s: &mut i64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<i8, Const<{ -129 }>>>>, s: &mut i64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<i8, Const<-128>>>>, s: &mut i64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<u64, Const<18446744073709551615>>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<u8, Const<0xff>>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<u8, Const<0x1_00>>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<i32, Inf>>>, s: &mut i32) { for i { s <<min>>= a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<u8, True>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<SparseList<Element<bool, Const<2>>>>, s: &mut u64) { for i { s += a[i] } }",
        "fn k(a: &DenseVec<char>, n: &mut u64) { for i { n += a[i] == a[i] } }",
        "fn k(a: &SparseVec<(f64, u8)>, n: &mut u64) { for i { n += a[i] == a[i] } }",
    ]));
}

#[test]
fn operands_that_operators_do_not_take() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &DenseVec<u8>, b: &DenseVec<u8>, s: &mut u64) { for i { s += abs(a[i] - b[i]) } }",
        "fn k(a: &DenseVec<u32>, n: u32, s: &mut f64) { for i { s += ln(n / a[i]) } }",
        "fn k(a: &DenseVec<u32>, n: u32, s: &mut f64) { for i { s += sqrt((n + 1) * a[i]) } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = a[i] << 1.5 } }",
        "fn k(a: &DenseVec<i32>, x: &DenseVec<f64>) -> (y: DenseVec<i32>) { for i { y[i] = a[i] << x[i] } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] << 8 } }",
        "fn k(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] >> -1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = !x[i] } }",
        "fn k(x: &DenseVec<f64>, m: &DenseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] & m[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] ^ 1 } }",
        "fn k(x: &DenseVec<Complex<f64>>) -> (y: DenseVec<Complex<f64>>) { for i { y[i] = min(x[i], 1) } }",
        "fn k(x: &DenseVec<Complex<f64>>, n: &mut u64) { for i { n += x[i] > 1 } }",
        "fn k(a: &DenseVec<i64>, b: &DenseVec<u64>) -> (y: DenseVec<i64>) { for i { y[i] = a[i] + b[i] } }",
        "fn k(a: &DenseVec<i64>, b: &DenseVec<u64>, n: &mut u64) { for i { n += a[i] < b[i] } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = a[i] / 0 } }",
        "fn k(a: &DenseVec<i32>) -> (y: DenseVec<i32>) { for i { y[i] = sqrt(a[i]) } }",
        "fn k(a: &DenseVec<u32>) -> (y: DenseVec<u32>) { for i { y[i] = abs(a[i]) } }",
        "fn k(x: &DenseVec<Complex<f64>>) -> (y: DenseVec<Complex<f64>>) { for i { y[i] = abs(x[i]) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = sqrt(x[i], 2) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = powi(x[i]) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = powi(x[i], 0.5) } }",
        "fn k(x: &DenseVec<f64>, n: i64) -> (y: DenseVec<f64>) { for i { y[i] = powi(x[i], n) } }",
        "fn k(x: &DenseVec<f32>, n: f64) -> (y: DenseVec<f32>) { for i { y[i] = powf(x[i], n) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[x[i]] } }",
        "fn k(x: &DenseVec<f64>, n: f64, s: &mut f64) { for i in 0..n { s += x[i] } }",
    ]));
}

#[test]
fn values_that_a_place_does_not_hold() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f32>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<i64>) { for i { y[i] = x[i] * 2 } }",
        "fn k(a: &DenseVec<i64>, s: &mut i32) { for i { s += a[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<bool>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f32, u8)) { for i { s <<minby>>= (x[i], 300) } }",
        "fn k(a: &DenseVec<u8>, s: &mut u8) { for i { s <<choose>>= a[i]; s <<choose>>= 256 } }",
        "fn k(m: &DenseVec<bool>, s: &mut bool) { for i { s += m[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s ^= x[i] } }",
        "fn k(x: &DenseVec<Complex<f64>>, s: &mut Complex<f64>) { for i { s <<max>>= x[i] } }",
        "fn k(x: &DenseVec<Complex<f64>>, s: &mut f64) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f32>) -> (y: DenseVec<f32>) { let h = 0.25 * 3.0f64; for i { y[i] = x[i] * h } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[3]) { for i { { y[i] = t } where { for j { t <<max>>= $(x[j]) + f(j, x[j]) } } } }",
    ]));
}

#[test]
fn tuples_of_another_shape() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize)) { for i { s <<minby>>= (x[i], i, i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize, usize)) { for i { s <<maxby>>= (x[i], i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize)) { for i { s <<minby>>= x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize)) { for i { s = (x[i], i, 2) } }",
        "fn k(s: &mut (f64, usize)) { s <<minby>>= 2 }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<minby>>= (x[i], i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<maxby>>= x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += (x[i], i) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = (x[i], i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize)) { for i { s += (x[i], i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += 2 * (x[i], i) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += sqrt((x[i], i)) + min((x[i], i), x[i]) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { if (x[i], i) > x[i] { s += 1 } } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { if (x[i], i) { s += x[i] } } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += ifelse((x[i], i), 1, 2) } }",
        "fn k(x: &DenseVec<f64>, s: &mut (f64, usize)) { for i { s = minby(s, x[i]) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[(i, i)] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..(2, 3) { s += x[i] } }",
    ]));
}

#[test]
fn rust_expressions_name_values() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, step: &mut f64, s: &mut f64) { step = 2; for i { s += x[i] * $(*step) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * $(v[*i]) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] * $(v.iter().map(|i| *i).sum::<f64>()) } }",
    ]));
}
