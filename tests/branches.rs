//! Branches of an `if` that assign to one entry of a result which is appended to: of lists, rows and runs, with conditions on
//! values, on indices and on what is missing, nested and with reductions.

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

kernels! {
    fn chosen(g: &SparseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { if g[i] { c[i] = a[i] } else { c[i] = 2 * b[i] } }
    };;
    fn by_value(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { if a[i] > b[i] { c[i] = a[i] } else { c[i] = b[i] - a[i] } }
    };;
    fn three(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { if a[i] > 1 { c[i] = a[i] } else if b[i] > 1 { c[i] = b[i] } else { c[i] = a[i] * b[i] } }
    };;
    fn one_of_two(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { if a[i] > 1 { c[i] = a[i] } else if b[i] < 0 { c[i] = b[i] * 2 } }
    };;
    fn one_of_three(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) {
        for i { if a[i] > 1 { c[i] += a[i] } else if b[i] < 0 { c[i] += b[i] * 2 } else if a[i] < b[i] { c[i] += 7 } }
    };;
    fn triangles(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { if i < j { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] * (i + 1) } }
    };;
    fn summed(g: &Csr<bool>, a: &Csr<f64>, d: &DenseVec<f64>) -> (c: SparseVec<f64>) {
        for i, j { if g[i, j] { c[i] += a[i, j] } else { c[i] += a[i, j] * d[j] } }
    };;
    fn runs(g: &Tensor<RunList<Element<bool>>>, a: &Tensor<RunList<Element<f64>>>) -> (c: Tensor<RunList<Element<f64>>>) {
        for i { if g[i] { c[i] = a[i] } else { c[i] = -a[i] } }
    };;
    fn within(g: &Csr<bool>, a: &Csr<f64>, x: &SparseVec<bool>) -> (c: Csr<f64>) {
        for i { if x[i] { for j { if g[i, j] { c[i, j] = a[i, j] } else { c[i, j] = a[i, j] / 2 } } } }
    };;
    fn in_a_workspace(g: &Csr<bool>, a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i {
            let mut w: SparseVec<f64>;
            { for j { y[i] += w[j] * (j + 1) } } where { for j { if g[i, j] { w[j] = a[i, j] } else { w[j] = 3 * a[i, j] } } }
        }
    }
}

#[test]
fn one_of_two_branches_is_appended() {
    for n in [0, 1, 2, 5, 12] {
        for kind in 0..KINDS {
            let numbers = |kind: usize, n: usize| -> Vec<f64> {
                let hostile = [0.5, 0.0, -0.0, 3.0, -1.25, 5e-324];
                (0..n)
                    .map(|k| {
                        if (k + kind).is_multiple_of(3) {
                            0.0
                        } else {
                            hostile[(k * 5 + kind) % 6]
                        }
                    })
                    .collect()
            };
            let flags =
                |n: usize| -> Vec<bool> { (0..n).map(|k| (k * k + kind) % 3 == 1).collect() };
            let vector = |kind| -> SparseVec<f64> {
                Tensor::from_dense([n], &numbers(kind, n)).expect("as long")
            };
            let matrix = |kind| -> Csr<f64> {
                Tensor::from_dense([n, n], &numbers(kind, n * n)).expect("as large")
            };
            let (a, b) = (vector(kind), vector(kind + 1));
            let g: SparseVec<bool> = Tensor::from_dense([n], &flags(n)).expect("as long");
            let m: Csr<bool> = Tensor::from_dense([n, n], &flags(n * n)).expect("as large");
            let (x, y) = (matrix(kind), matrix(kind + 1));
            let d: DenseVec<f64> = Tensor::from_dense([n], &numbers(kind + 2, n)).expect("as long");
            agree!(chosen(&g, &a, &b));
            agree!(by_value(&a, &b));
            agree!(three(&a, &b));
            agree!(one_of_two(&a, &b));
            agree!(one_of_three(&a, &b));
            agree!(triangles(&x, &y));
            agree!(summed(&m, &x, &d));
            let runs_of = Tensor::from_dense([n], &numbers(kind, n)).expect("as long");
            let flags_of = Tensor::from_dense([n], &flags(n)).expect("as long");
            agree!(runs(&flags_of, &runs_of));
            agree!(within(&m, &x, &g));
            agree!(in_a_workspace(&m, &x));
            assert!(chosen(&g, &a, &b).stored() <= g.stored() + b.stored() + a.stored());
        }
    }
}

finch! {
    fn tridiagonal(n: usize) -> (c: Csr<f64>[n, n]) {
        for i, j { if i == j { c[i, j] = 2 } else if abs(i - j) == 1 { c[i, j] = -1 } }
    }
}

#[test]
fn nothing_is_stored_where_no_condition_holds() {
    for n in [0, 1, 2, 10] {
        let c = tridiagonal(n);
        assert_eq!(c.stored(), if n == 0 { 0 } else { 3 * n - 2 });
        let value = |k: usize| match (k / n).abs_diff(k % n) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        assert_eq!(c.to_dense(), (0..n * n).map(value).collect::<Vec<f64>>());
    }
}

/// Results whose leaf has no values: what is `true` is stored, and stays so. Branches of which one is taken store once.
mod without_values {
    use looplets::prelude::*;

    level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
    level! { type Lists = Tensor<Dense<SparseList<Pattern>>>; }
    level! { type RunsOf = Tensor<Dense<SparseRunList<Pattern>>>; }

    kernels! {
        fn bits(x: &DenseVec<f64>, a: &DenseMat<f64>, b: &Bits) -> (c: Bits) {
            for i, j { if x[i] > 0 { c[i, j] = a[i, j] > 1 } else { c[i, j] = b[i, j] } }
        };;
        fn by_element(a: &Csr<f64>, b: &Bits) -> (c: Bits) {
            for i, j { if a[i, j] > 0 { c[i, j] = b[i, j] } else { c[i, j] = !b[i, j] } }
        };;
        fn lists(x: &DenseVec<f64>, a: &Csr<f64>, b: &Bits) -> (c: Lists) {
            for i, j { if x[i] > 0 { c[i, j] = a[i, j] > 1 } else if x[i] < -1 { c[i, j] = b[i, j] } else { c[i, j] = a[i, j] < -1 } }
        };;
        fn below(a: &Csr<f64>, b: &Bits) -> (c: Lists) {
            for i, j { if j < i { c[i, j] = a[i, j] != 0 } else if b[i, j] { c[i, j] = true } }
        };;
        fn runs(a: &Bits, b: &Bits, x: &DenseVec<f64>) -> (c: RunsOf) {
            for i, j { if x[i] > 0 { c[i, j] = a[i, j] } else { c[i, j] = b[i, j] && a[i, j] } }
        };;
        fn missing(a: &Csr<f64>, b: &Bits) -> (c: Bits) {
            for i, j { if a[i, permit[j - 1]] > 0 { c[i, j] = b[i, permit[j + 1]] } else { c[i, j] = a[i, j] < 0 } }
        };;
        fn in_any_order(x: &DenseVec<f64>, a: &Csr<f64>, b: &Bits, n: usize) -> (c: Bits[n, n]) {
            for i, j { if x[i] > 0 { c[j, i] = a[i, j] > 1 } else { c[j, i] = b[i, j] } }
        };;
        fn from_no_loops(x: &DenseVec<f64>, a: &DenseMat<f64>, b: &Bits) -> (c: Bits) {
            if x[i] > 0 { c[i, j] = a[i, j] > 1 } else { c[i, j] = b[i, j] }
        };;
        fn side_by_side(x: &DenseVec<f64>, a: &DenseMat<f64>, b: &Bits) -> (c: Bits) {
            parallel for i { for j { if x[i] > 0 { c[i, j] = a[i, j] > 1 } else { c[i, j] = b[i, j] } } }
        }
    }

    #[test]
    fn one_of_two_branches_is_stored() {
        for n in [0, 1, 2, 5, 63, 64, 65, 130] {
            for kind in 0..4 {
                let hostile = [0.5, 0.0, -0.0, 3.0, -1.25, 5e-324, f64::NAN, f64::INFINITY];
                let value = |k: usize| match (k / 3 + kind) % 4 {
                    0 => 0.0,
                    _ => hostile[(k * 5 + kind) % 8],
                };
                let flag = |by: usize| move |k: usize| (k * by + kind) % 5 < 2 + kind % 2;
                let all = |by| (0..n * n).map(flag(by)).collect::<Vec<bool>>();
                let numbers = |n: usize| (0..n).map(value).collect::<Vec<f64>>();
                let x: DenseVec<f64> = Tensor::from_dense([n], &numbers(n)).expect("as long");
                let d: DenseMat<f64> =
                    Tensor::from_dense([n, n], &numbers(n * n)).expect("as large");
                let a: Csr<f64> = Tensor::from_dense([n, n], &numbers(n * n)).expect("as large");
                let b: Bits = Tensor::from_dense([n, n], &all(3)).expect("as large");
                let e: Bits = Tensor::from_dense([n, n], &all(7)).expect("as large");
                agree!(bits(&x, &d, &b));
                agree!(by_element(&a, &b));
                agree!(lists(&x, &a, &b));
                agree!(below(&a, &b));
                agree!(runs(&e, &b, &x));
                agree!(missing(&a, &b));
                agree!(in_any_order(&x, &a, &b, n));
                agree!(from_no_loops(&x, &d, &b));
                agree!(side_by_side(&x, &d, &b));
            }
        }
    }
}
