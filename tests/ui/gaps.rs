//! Loops that go through what no operand stores: a sparse result that would store it is refused, and the rest is
//! warned of at what causes it.
#![deny(deprecated)]
use looplets::prelude::*;

fn larger(x: f64, y: f64) -> f64 {
    x.max(y)
}
fn f(x: f64) -> f64 {
    x + 1.0
}
finch! {
    fn stores_all(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = f(a[i, j]) }
}
finch! {
    fn beside_a_vector(a: &Csr<f64>, d: &DenseVec<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + d[i] }
}
finch! {
    #![strict]
    fn strictly(a: &Csr<f64>, s: f64) -> (c: Csr<f64>) { for i, j { c[i, j] = s * a[i, j] } }
}
finch! {
    fn gathered(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, k] += f(a[i, j]) + b[j, k] }
}
finch! {
    fn over_fill(a: &SparseVec<f64>, c: &mut Tensor<Hash<Element<f64>>>) { for i { c[i] = a[i] } }
}
finch! {
    fn scattered(p: &DenseVec<u32>, x: &SparseVec<f64>) -> (y: Tensor<Hash<Element<f64>>>[9]) { for i { y[p[i]] = x[i] } }
}
finch! {
    fn visits_all(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[j] += f(a[i, j]) }
}
finch! {
    fn of_infinity(a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>, d: &DenseVec<f64>) -> (s: f64) {
        for i, j { s += exp(d[i] - a[i, j]) * j }
    }
}

finch! {
    fn of_a_vector(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += exp(a[i, j]) * x[j] }
}
finch! {
    fn of_rows(a: &Csr<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += f(a[i, k]) * b[k, j] }
}
finch! {
    // Each coordinate is stored, by the matrix or in the result.
    fn needed(a: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, c: DenseMat<f64>) {
        y[i] += exp(a[i, j]) * d[i, j];
        c[i, j] = a[i, j] + x[j]
    }
}

finch! {
    // Of what a function makes of nothing nothing is known.
    fn by_a_function(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] <<larger>>= a[i, k] * b[k, j] }
}

finch! {
    // Through a scalar of each iteration, or several assignments to one entry.
    fn held(a: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { let mut t: f64; t += f(a[i]); y[i] = t } }
}
finch! {
    fn unless(a: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for i { let mut t: f64 = 2.5; if a[i] > 1 { t = a[i] } y[i] = t }
    }
}
finch! {
    fn twice(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] += a[i]; y[i] += f(b[i]) } }
}
finch! {
    fn scaled(a: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i]; y[i] *= 2 } }
}

finch! {
    fn of_a_dense_workspace(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut w: DenseVec<f64>;
            { for j { c[i, j] = w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
        }
    }
}

// What is written in Rust is there where nothing is stored, too.
finch! {
    fn with_a_literal(a: &Csr<f32>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + 1f64 }
}
finch! {
    fn with_rust(a: &Csr<f64>, k: f64) -> (c: Csr<f64>) { c[i, j] = a[i, j] + $(k.sqrt()) }
}
finch! {
    fn with_a_definition(a: &Csr<f32>) -> (c: Csr<f64>) {
        for i, j { let v = a[i, j]; c[i, j] = $(f64::from(v)) }
    }
}
finch! {
    // Nothing is lost where the condition leaves out what is not stored.
    fn under_a_condition(a: &Csr<f32>) -> (c: Csr<f64>) {
        for i, j { let v = a[i, j]; if v != 0 { c[i, j] = $(f64::from(v)) } }
    }
}
finch! {
    // Zeros that have no sign are zeros.
    fn unsigned(a: &Csr<u8>) -> (c: Csr<u8>, d: Csr<f64>, e: Csr<u8>) {
        for i, j { let v = a[i, j]; c[i, j] = v }
        for i, j { let t = a[i, j] as f64; d[i, j] = 2.0 * t }
        for i, j { let v = a[i, j] >> 1; e[i, j] = v }
    }
}
finch! {
    fn of_unsigned(a: &Csr<u32>, x: &DenseVec<u32>) -> (y: DenseVec<u32>) { for i, j { let v = a[i, j]; y[i] += v * x[j] } }
}
finch! {
    fn under_an_unsigned_condition(a: &Csr<u8>) -> (c: Csr<f64>) {
        for i, j { let v = a[i, j]; if v > 2 { c[i, j] = $(f64::from(v)) } }
    }
}
finch! {
    fn with_a_term(a: &Csr<f64>, r: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        y[j] += 0.85 * a[i, j] * r[i] + 0.15f64 / n
    }
}
finch! {
    fn with_a_factor(a: &Csr<f64>, r: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[j] += a[i, j] * r[i]; y[j] *= 0.85 }
    }
}

fn main() {}
