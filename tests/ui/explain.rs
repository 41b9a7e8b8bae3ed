//! `explain!` of programs with several mistakes: each is said once, where an expression stands.

use looplets::*;

fn main() {
    println!("{}", explain! { fn f(a: &Csr<f64>, y: &mut f64) { for i, k, j { y += a[i + j, k] * b[k] } } });
    let _ = explain! { fn g(y: &mut f64) { for i, j { y += i + j } } };
}
