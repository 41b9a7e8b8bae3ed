//! Programs without loops: they are what the same statements are in loops, in any order, and what is appended to comes
//! in order all the same.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Cube = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }
level! { type Compressed = Tensor<SparseList<SparseList<Element<f64>>>>; }
level! { type Hashed = Tensor<Dense<Hash<Element<f64>>>>; }
level! { type Trees = Tensor<Dense<Bst<Element<f64>>>>; }
level! { type Set = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Least = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }

kernels! {
    fn times(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] };;
    fn times_transposed(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[j] += a[i, j] * x[i] };;
    fn into_list(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[i, j] * x[j] };;
    fn into_list_transposed(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { y[j] += a[i, j] * x[i] };;
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_dense(a: &Csr<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_hashed(a: &Csr<f64>, b: &Csr<f64>) -> (c: Hashed) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_trees(a: &Csr<f64>, b: &Trees) -> (c: Trees) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_compressed(a: &Compressed, b: &Compressed) -> (c: Compressed) { c[i, j] += a[i, k] * b[k, j] };;
    fn product_turned(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[j, i] += a[i, k] * b[k, j] };;
    fn inner_products(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[j, k] };;
    fn outer_products(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[k, i] * b[k, j] };;
    fn transposed(a: &Csr<f64>) -> (c: Csr<f64>) { c[j, i] = a[i, j] };;
    fn transposed_compressed(a: &Csr<f64>) -> (c: Compressed) { c[j, i] = a[i, j] };;
    fn sum(a: &Csr<f64>, b: &Compressed) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] };;
    fn sampled(s: &Csr<f64>, a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += s[i, j] * a[i, k] * b[j, k] };;
    fn triangles(a: &Csr<f64>, s: &mut f64) { s += a[i, j] * a[j, k] * a[i, k] }
}

kernels! {
    fn several(a: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>, z: SparseVec<f64>) {
        y[i] += a[i, j] * x[j];
        z[k] = y[k] * 2;
        s += y[i] * x[i]
    };;
    fn beside_loops(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
        z[i] = y[i] + i
    };;
    fn masked(a: &Csr<f64>) -> (c: Csr<f64>) { if a[i, j] > 0.5 { c[i, j] = a[i, j] } };;
    fn lower(a: &Csr<f64>, s: &mut f64) -> (y: DenseVec<f64>) {
        if i < 2 { y[i] += a[i, j]; s += a[i, k] } else { y[i] = i }
    };;
    fn both_ways(a: &Csr<f64>, x: &DenseVec<f64>, n: i64, s: &mut f64) {
        if n > 2 { s += a[i, j] * x[i] } else { s += a[i, j] * x[j] }
    };;
    fn reached(a: &Csr<f64>) -> (y: DenseVec<f64>) { if a[i, j] > 1 { y[j] = 1 } };;
    fn product_of_some(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) { if x[i] > 0.5 { c[i, j] += a[i, k] * b[k, j] } };;
    fn runs(a: &Csr<f64>) -> (r: Tensor<RunList<Element<f64>>>) { r[j] += a[i, j] };;
    fn pairs(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Coo<Singleton<Element<f64>>>>) { c[i, j] += a[i, k] * b[k, j] };;
    fn normed(a: &Csr<f64>) -> (c: Csr<f64>) { { c[i, j] = a[i, j] * t } where { t += a[i, j] } };;
    fn through_a_workspace(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64>[n];
        w[j] += a[i, j];
        y[i] = w[i] * 2
    };;
    fn defined(a: &Csr<f64>, n: i64, s: &mut f64) { let m = n * 2; s += a[i, j] * m }
}

kernels! {
    fn tropical(a: &Least, b: &Least) -> (c: Least) { c[i, j] <<min>>= a[i, k] + b[k, j] };;
    fn steps(a: &Set, b: &Set) -> (c: Set) { c[i, j] ||= a[i, k] && b[k, j] };;
    fn counted(a: &Set, b: &Set) -> (c: Tensor<Dense<SparseList<Element<u64>>>>) { c[i, j] += a[i, k] && b[k, j] };;
    fn contraction(a: &Cube, b: &Csr<f64>) -> (c: Cube) { c[i, j, l] += a[i, j, k] * b[k, l] };;
    fn contraction_of_the_middle(a: &Cube, b: &Csr<f64>) -> (c: Cube) { c[i, l, k] += a[i, j, k] * b[j, l] };;
    fn turned(a: &Cube) -> (c: Cube) { c[k, j, i] = a[i, j, k] };;
    fn factors(t: &Cube, b: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, r] += t[i, j, k] * b[j, r] * d[k, r] };;
    fn collapsed(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[k] = collapse(a[i, j], (i, j) -> k) };;
    fn cut(x: &SparseVec<f64>, s: &mut f64) { s += slice(x[i], i -> k, (0, 1)) };;
    fn moved(a: &Csr<f64>, s: &mut f64) { s += a[i, j] * coalesce(a[i, permit[j + 1]], 0) };;
    fn gathered(x: &DenseVec<f64>, at: &Tensor<Dense<Element<usize>>>) -> (y: DenseVec<f64>) { y[i] = x[at[i]::locate] };;
    fn old(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] };;
    fn in_place(a: &Csr<f64>, y: &mut DenseVec<f64>, t: &mut Trees) { y[j] += a[i, j]; t[j, i] += a[i, j] };;
    fn thinned(t: &mut Trees) { if t[i, j] > 1 { remove t[i, j] } }
}

#[test]
fn agree() {
    for n in [0, 1, 5, 9] {
        for kind in 0..KINDS {
            let mut s = 0.5;
            let (other, third) = ((kind * 3 + 1) % KINDS, (kind * 5 + 2) % KINDS);
            let (a, b): (Csr<f64>, Csr<f64>) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (p, q): (DenseMat<f64>, DenseMat<f64>) =
                (matrix(third, [n, n]), matrix(other, [n, n]));
            let (u, v): (Compressed, Compressed) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let t: Trees = matrix(other, [n, n]);
            let (x, l): (DenseVec<f64>, SparseVec<f64>) = (vector(other, n), vector(third, n));
            agree!(times(&a, &x));
            agree!(times_transposed(&a, &l));
            agree!(into_list(&a, &l));
            agree!(into_list_transposed(&a, &x));
            agree!(product(&a, &b));
            agree!(product_dense(&a, &p));
            agree!(product_hashed(&a, &b));
            agree!(product_trees(&a, &t));
            agree!(product_compressed(&u, &v));
            agree!(product_turned(&a, &b));
            agree!(inner_products(&a, &b));
            agree!(outer_products(&a, &b));
            agree!(transposed(&a));
            agree!(transposed_compressed(&a));
            agree!(sum(&a, &v));
            // A factor that is taken out meets the sum, where terms may be too large or too small for their type.
            let tame = |x: &f64| *x == 0.0 || (1e-90..1e90).contains(&x.abs());
            if [a.to_dense(), p.to_dense(), q.to_dense()].iter().all(|t| t.iter().all(tame)) {
                agree!(sampled(&a, &p, &q));
            }
            agree!(triangles(&a, &mut s));
            agree!(several(&a, &x, &mut s));
            agree!(beside_loops(&a, &x));
            agree!(masked(&a));
            agree!(lower(&a, &mut s));
            agree!(both_ways(&a, &x, n as i64, &mut s));
            agree!(reached(&a));
            agree!(product_of_some(&a, &b, &x));
            agree!(runs(&a));
            agree!(pairs(&a, &b));
            agree!(normed(&a));
            agree!(through_a_workspace(&a, n));
            agree!(defined(&a, 3, &mut s));
        }
    }
}

kernels! {
    fn symmetric(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + a[j, i] };;
    fn differences(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] - b[j, i] };;
    fn meetings(a: &Csr<f64>, b: &Csr<f64>, s: &mut f64) { s += a[i, j] * b[j, i] };;
    fn turned_and_summed(a: &Csr<f64>, b: &Compressed, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += (a[i, j] + b[j, i]) * x[j] };;
    fn turned_sets(a: &Set) -> (c: Set) { c[i, j] = a[i, j] || a[j, i] };;
    fn turned_cubes(t: &Cube, u: &Cube, s: &mut f64) { s += t[i, j, k] * u[k, j, i] };;
    fn turned_of_least(a: &Least, b: &Least) -> (c: Least) { c[i, j] = min(a[i, j], b[j, i]) };;
    fn two_turned(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) -> (d: Csr<f64>) { d[i, j] = a[i, j] + b[j, i] * c[j, i] };;
    fn three_around(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>, s: &mut f64) { s += a[i, j] * b[j, k] * c[k, i] }
}

/// Operands are turned where no order of loops goes along all of them.
#[test]
fn turned_agree() {
    for n in [0, 1, 4, 7] {
        for kind in 0..KINDS {
            let mut s = 0.5;
            let (other, third) = ((kind * 3 + 1) % KINDS, (kind * 5 + 2) % KINDS);
            let (a, b, c): (Csr<f64>, Csr<f64>, Csr<f64>) =
                (matrix(kind, [n, n]), matrix(other, [n, n]), matrix(third, [n, n]));
            let v: Compressed = matrix(other, [n, n]);
            let x: DenseVec<f64> = vector(third, n);
            let f: Set = matrix(kind, [n, n]);
            let (m, w): (Least, Least) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (t, u): (Cube, Cube) = (
                tensor(&[n, n, n], &items(kind, n * n * n)),
                tensor(&[n, n, n], &items(other, n * n * n)),
            );
            agree!(symmetric(&a));
            agree!(differences(&a, &b));
            agree!(meetings(&a, &b, &mut s));
            agree!(turned_and_summed(&a, &v, &x));
            agree!(turned_sets(&f));
            agree!(turned_cubes(&t, &u, &mut s));
            agree!(turned_of_least(&m, &w));
            agree!(two_turned(&a, &b, &c));
            agree!(three_around(&a, &b, &c, &mut s));
        }
    }
}

#[test]
fn others_agree() {
    for n in [0, 1, 4] {
        for kind in 0..KINDS {
            let mut s = 0.5;
            let (other, third) = ((kind * 3 + 1) % KINDS, (kind * 5 + 2) % KINDS);
            let cube: Cube = tensor(&[n, n, n], &items(kind, n * n * n));
            let (a, b): (Csr<f64>, Csr<f64>) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (p, q): (DenseMat<f64>, DenseMat<f64>) =
                (matrix(third, [n, n]), matrix(other, [n, n]));
            let (m, w): (Least, Least) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (f, g): (Set, Set) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            agree!(tropical(&m, &w));
            agree!(steps(&f, &g));
            agree!(counted(&f, &g));
            agree!(contraction(&cube, &b));
            agree!(contraction_of_the_middle(&cube, &b));
            agree!(turned(&cube));
            agree!(factors(&cube, &p, &q));
            agree!(collapsed(&a));
            if n > 0 {
                let l: SparseVec<f64> = vector(kind, n);
                agree!(cut(&l, &mut s));
            }
            agree!(moved(&a, &mut s));
            let at: Vec<usize> = (0..n).map(|k| (k * 3 + 1) % n).collect();
            let at: Tensor<Dense<Element<usize>>> = Tensor::from_dense([n], &at).unwrap();
            let x: DenseVec<f64> = vector(kind, n);
            agree!(gathered(&x, &at));
            let memory: Csr<f64> = Tensor::new([3, 1]).unwrap();
            agree!(old(&a, &b, memory.clone()));
            let (mut y, mut t): (DenseVec<f64>, Trees) = (vector(other, n), matrix(third, [n, n]));
            agree!(in_place(&a, &mut y, &mut t));
            agree!(thinned(&mut t));
        }
    }
}
