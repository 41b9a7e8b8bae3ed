//! Mistakes of those who come from other languages, and slips of the finger.

use super::sources::*;

#[test]
fn formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64, 1>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 0>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 7>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 0.5>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, One>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &SparseVec<f64, Const<3>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &SparseVec<bool, true>) -> (t: u64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64>, One>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64>, 1>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &DenseVec<f64, 1>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, 1>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, 0.5>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, &One>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &SparseVec<f64, f64::INFINITY>) -> (t: f64) { t += a[i] }",
        "fn k(a: &SparseVec<f64, u32, std::f64::NEG_INFINITY>) -> (t: f64) { t += a[i] }",
        "fn k(a: &DenseVec<f32, f32::NAN>) -> (t: f32) { t += a[i] }",
        "fn k(a: &Tensor<Csr<f64>>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Tensor<Tensor<Dense<Element<f64>>>>) -> (t: f64) { t += a[i] }",
        "fn k(x: &DenseVec<f64>, y: Option<&DenseVec<f64>>) -> (s: f64) { s += x[i] * y[i] }",
        "fn k(x: std::sync::Arc<DenseVec<f64>>) -> (s: f64) { s += x[i] }",
        "fn k(x: &std::collections::HashMap<usize, f64>) -> (s: f64) { s += x[i] }",
        "fn k(x: &my::Arc<f64>) -> (s: f64) { s += x[i] }",
    ]));
}

#[test]
fn bounds() {
    insta::assert_snapshot!(errors_of(&[
        "fn k<T>(a: &Csr<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) { for i, j { y[i] += a[i, j] * x[j] } }",
        "fn k<T: Copy + std::ops::Mul<Output = T>>(x: &DenseVec<T>, y: &mut DenseVec<T>) { for i { y[i] = -x[i + 1] / x[i] } }",
        "fn k<T>(x: &DenseVec<T>, y: &mut DenseVec<T>) where T: Copy { for i { if x[i] > 0 { y[i] <<max>>= x[i] } } }",
        "fn k<T>(x: &DenseVec<T>) -> (s: T) { for i { s += x[i] } }",
        "fn k<T>(x: &DenseVec<T>, y: &mut DenseVec<T>) where T: Number { for i { y[i] = x[i] } }",
        "fn k<T: Copy>(x: &DenseVec<T>, y: &mut DenseVec<T>) where Zero: Fill<T> { for i { y[i] = x[i] } }",
        "fn k<T: num_traits::Num>(x: &DenseVec<T>, y: &mut DenseVec<T>) { for i { y[i] = x[i] } }",
        "fn k<T: Copy>(x: &DenseVec<f64>, s: T) -> (y: DenseVec<f64>) { for i { y[i] = x[i] * $(f(s)) } }",
    ]));
}

#[test]
fn slips() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[jj] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[k] } }",
        "fn k(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i { let mut total: f64; for j { totl += a[i, j] } y[i] = total } }",
        "fn k(matrix: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += martix[i, j] } }",
        "fn k(x: &DenseVec<f64>) -> (result: DenseVec<f64>) { for i { result[i] = x[i]; reslt[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (m: f64) { for i { m += x[i] / len(i) } }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (m: f64) { for i { m += x[i] / len(n) + self::len(i) } }",
    ]));
}

#[test]
fn what_stands_elsewhere_in_rust_and_in_formulas() {
    insta::assert_snapshot!(errors_of(&[
        "#![inline] fn k(x: &DenseVec<f64>) -> (s: f64) { s += x[i] }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>(n)) { for i in 0..n { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, h: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = conv(x, h)[i] }",
        "fn k(x: &DenseVec<f64>, h: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += x[i - k] * h[k] }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[k] += x[t] * exp(-2j * k * t) }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s += self.x[i] }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x } }",
        "fn k(x: &DenseVec<f64>, h: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, k { y[i] += x[i - k] * h[k] } }",
    ]));
}

#[test]
fn words_and_selections_of_other_libraries() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] = maximum(x[i], 0) }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (c: Csr<f64>[n, n]) { c[i, j] = delta(i, j) * x[i] }",
        "fn k(x: &DenseVec<f64>) -> f64 { x[-1] }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[::2] }",
        "fn k(a: &DenseVec<f64>) -> (b: DenseVec<f64>) { b[i] = a[i] + coalesce(permit(a[i + 1]), 0) }",
        "fn k(a: &Csr<f64>) -> (s: f64) { if let Some(v) = a[i, j] { s += v } }",
        "fn k(x: &DenseVec<f64>) -> (m: f64, k: usize) { (m, k) <<maxby>>= (x[i], i) }",
        "fn k(g: &Csr<bool>) -> (d: DenseVec<i64>) { for i { for j in g[i] { d[i] += 1 } } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s += x[x[i] > 0] }",
    ]));
}

#[test]
fn loops_that_need_not_be_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, j, k { c[i, j] += a[i, k] * b[k, j] } }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }",
        "fn k(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[j, i] = a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i { for j { y[j] <<max>>= a[i, j] } } }",
        "fn k(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i { for j { y[j] += a[i, j]; } y[i] = 1 } }",
    ]));
}

#[test]
fn names() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += A[i, j] } }",
        "fn k(a: &Csr<f64>) -> (a: DenseVec<f64>) { a[i] += a[i, j] }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>, y: DenseVec<f64>) { y[i] = x[i] }",
        "fn k(p: &DenseVec<u32>) -> (n: DenseVec<u64>) { for i { n[p[i]] += 1 } }",
    ]));
}

#[test]
fn functions_of_other_libraries() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (k: usize) { for i { k = argmax(x[i]) } }",
        "fn k(x: &DenseVec<f64>) -> (k: usize) { for i { k = argmin(x) } }",
        "fn k(x: &DenseVec<f64>) -> (k: usize) { for i { k = self::argmax(x[i]) } }",
        "fn k(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = slice(x[i], 1, 3) } }",
        "fn k(x: &SparseVec<f64>) -> (s: f64) { for i { s <<maximum>>= x[i] } }",
        "fn k(x: &SparseVec<f64>) -> (s: f64) { for i { s <<plus>>= x[i] } }",
        "fn k(x: &SparseVec<f64>) -> (s: f64) { for i { s <<self::plus>>= x[i] } }",
    ]));
}

#[test]
fn statements_of_other_languages() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<bool>, c: &mut DenseMat<f64>) { for i, k, j { c[i, j]<m> += a[i, k] * b[k, j] } }",
        "fn k(a: &Csr<f64>, m: &Csr<bool>, c: &mut DenseMat<f64>) { for i, j { c[i, j]<!m> = a[i, j] } }",
        "fn k(a: &Csr<i32>) -> (y: DenseVec<f64>) { for i, j { y[i] += (double) a[i, j] } }",
        "fn k(a: &Csr<i32>) -> (y: DenseVec<f64>) { for i, j { y[i] += (f64) a[i, j] * 2 } }",
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { #pragma omp parallel for for i, j { y[i] += a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { #[inline] for i, j { y[i] += a[i, j] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i { y[i] = reshape(x, [3, 4]) } }",
        "fn k(a: &Csr<f64>, m: &Csr<bool>, c: &mut DenseMat<f64>) { for i, j { c<m>[i, j] += a[i, j] } }",
        "fn k(a: &Csr<f64>, m: &Csr<bool>, c: &mut DenseMat<f64>) { for i, j { c[i, j] > a[i, j] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] <<min.plus>>= a[i, j] * x[j] } }",
        "fn k(x: &DenseVec<f64>) -> (m: f64) { m = max(x[i]) }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[permit(i - 1)] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = 2x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = 2.5x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = where(x[i] > 0, x[i], 0) } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { for v in x { s += v } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { for i in 0..len(x) { s += x[i] } }",
        "fn k(x: &DenseVec<bool>) -> (s: bool = True) { for i { s &&= x[i] } }",
        "fn k(x: &DenseVec<u32>) -> (n: u64) { for i { if x[i] == -1 { n += 1 } } }",
        "fn k(x: &DenseVec<f64>) -> (m: f64 = -inf) { for i { m <<max>>= x[i] } }",
        "fn k(x: &DenseVec<u32>, h: Vec<u32>[n]) { for i { h[x[i]] += 1 } }",
    ]));
}

#[test]
fn workspaces_and_sums_that_are_read() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Graph, front: &SparseVec<bool>, seen: &mut DenseVec<bool>) { for i, j { if front[i] && a[i, j] && !seen[j] { seen[j] = true } } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] / norm(x) }",
        "fn k(x: &DenseMat<u8>) -> (p: DenseMat<u8>) { p[i, j] <<max>>= x[2 * i + r, 2 * j + s] }",
        "fn k(x: &DenseVec<f64>) -> (h: DenseVec<u32>[10]) { for i { h[(x[i] * 10.0) as usize] += 1; h[x[i] * 10.0] += 1 } }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i { for k, j { w[j] += a[i, k] * b[k, j] } for j { c[i, j] = w[j] } } }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>, w: &mut DenseVec<f64>) -> (c: Csr<f64>) { for i { for k, j { w[j] += a[i, k] * b[k, j] } for j { c[i, j] = w[j] } } }",
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) { for i { for j { y[i] += a[i, j] } z[i] = y[i] * 2 } }",
        "fn k(a: &Csr<f64>, b: &DenseVec<f64>) -> (x: DenseVec<f64>) { for i { x[i] = b[i]; for j in 0..i { x[i] -= a[i, j] * x[j] } } }",
        "fn k(a: &Csr<f64>, b: &DenseVec<f64>) -> (x: DenseVec<f64>) { for i { let mut t: f64; t = b[i]; for j in 0..i { t -= a[i, j] * x[j] } x[i] = t } }",
        "fn k(d: &mut DenseMat<f64>) { for k, i, j { d[i, j] <<min>>= d[i, k] + d[k, j] } }",
        "fn k(y: &mut DenseVec<f64>) { for i { y[i + 1] += y[i] } }",
        "fn k(a: &Csr<f64>, m: &mut DenseVec<f64>) { for i, j { m[j] = max(m[j], a[i, j]) } }",
        "fn k(a: &Csr<f64>, y: &mut DenseVec<f64>) { for i, j { y[j] = 0.85 * y[j] + 0.05 } }",
        "fn k(a: &Csr<f64>) -> (at: DenseVec<u32>) { for i, j { at[i] <<minby>>= (a[i, j], j) } }",
    ]));
}

#[test]
fn words_of_rust_and_extents_that_end_too_early() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x.get(i) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i in x.par_iter() { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { for i { s += x[i] } Ok(s) }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { x.iter().sum() }",
        "fn k(x: &DenseVec<f64>) -> (h: DenseVec<u64>[10]) { for i { h[x[i] * 10] += 1 } }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in n..0 { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[9]) { for i in 5..2 { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[9]) { for i in 2..2 { y[i] = x[i] } }",
    ]));
}

#[test]
fn words_and_calls_of_other_languages() {
    insta::assert_snapshot!(errors_of(&[
        "fn f(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a.T[i, k] * b[k, j] }",
        "fn f(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y(i) += a(i, j) * x(j) }",
        "fn f(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = np.where(x[i] > 1, 1, x[i]) }",
        "fn f(x: &DenseVec<f64>) -> (m: f64 = np.inf) { m <<min>>= x[i] }",
        "fn f(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i].abs() }",
        "fn f(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = hstack(a[i, j], b[i, j]) } }",
        "fn f(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { @threads for i, j { y[i] += a[i, j] * x[j] } }",
        "fn f(x: &DenseVec<f64>) -> Result<(s: f64), Error> { s += x[i]?; }",
        "def f(x: &DenseVec<f64>) -> (s: f64) { s += x[i] }",
        "fn f(x: &DenseVec<f64>, n: usize) -> (s: f64) { for i in prange(n) { s += x[i] } }",
        "fn f(r: &DenseVec<f64>) -> (a: DenseVec<f64>) { for i { a[i] = pi * r[i] * r[i] } }",
        "fn f(a: &Csr<f64>) -> (n: usize) { for i, j { n += a[i, j] } }",
        "fn f(a: &DenseVec<bool>, b: &DenseVec<bool>) -> (c: DenseVec<bool>) { for i { c[i] = a[i] - b[i] } }",
        "fn f(x: &DenseVec<f64>) -> (s: f64) { s = norm(x) }",
        "fn f(x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s = dot(x, y) }",
        "fn f(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { let t = x[permit[i + 1]]; y[i] = $(t) } }",
        "fn f(a: &DenseMat<f64>) -> (y: DenseVec<f64, _>) { for i, j { y[i] <<choose>>= a[i, j] } }",
    ]));
}
