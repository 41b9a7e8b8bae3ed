//! The positions of elements are summed modulo 2^64, also where several indices and sizes meet: they exist, so that no sum on the
//! way to them has to be held in more bits. In loops over windows that is most of the time.

use looplets_cli::{run, Output};

const PROGRAMS: &[&str] = &[
    "fn f(m: &Tensor<Dense<SparseList<Pattern>>>, a: &DenseMat<u8>, f: &DenseMat<f32>) -> (c: Csr<f32>) {
         if m[i, k] { c[i, k] += coalesce(a[permit[i + j - 5], permit[k + l - 5]], 0) * f[j, l] }
     }",
    "fn f(a: &Tensor<Dense<Dense<Dense<Element<f64>>>>>, f: &Tensor<Dense<Dense<Dense<Element<f64>>>>>, n: usize)
         -> (c: Tensor<Dense<Dense<Dense<Element<f64>>>>>[n, n, n]) {
         for i in 0..n, j in 0..n, k in 0..n, p, q, r {
             c[i, j, k] += coalesce(a[permit[i + p - 1], permit[j + q - 1], permit[k + r - 1]], 0) * f[p, q, r]
         }
     }",
    "fn f(m: &Tensor<Dense<SparseList<Pattern>>>, a: &DenseMat<u8>, f: &DenseMat<f32>) -> (c: Csr<f32>) {
         for i, k { if m[i, k] { { c[i, k] = t } where { for j in 0..11, l in 0..16 {
             t += a[window(i, i + 11)[j], window(k, k + 16)[l]] * f[j, l]
         } } } }
     }",
    "fn f(a: &DenseMat<f64>, n: usize, m: usize) -> (c: DenseMat<f64>[n, m]) {
         for i in 0..n, j in 0..m, p in 0..2, q in 0..2 { c[i, j] <<max>>= a[2 * i + p, 2 * j + q] }
     }",
    "fn f(a: &DenseMat<f64>, b: &DenseMat<f64>, n: usize, s: i64) -> (c: DenseMat<f64>[n, n]) {
         for i in 0..n, j in 0..n, p, q { c[i, j] += coalesce(a[permit[i + p - 3], permit[j + q + s - 3]], 0.0) * b[p, q] }
     }",
];

#[test]
fn positions_take_64_bits() {
    for program in PROGRAMS {
        let arguments = ["--stage", "rust", "-"].iter().map(Into::into);
        let Output { out, err, .. } = run(arguments, || Ok((*program).to_owned()), false);
        assert!(out.contains("rt::get("), "{program}\n{err}");
        let loops = out.find("for i in").unwrap_or_else(|| panic!("no loops: {out}"));
        assert!(!out[loops..].contains("i128"), "{program}\n{out}");
    }
}
