//! Symmetric matrices of which half is stored: that both halves are read, by every protocol and against
//! other formats, and what makes one.

#[macro_use]
mod oracle;
mod structures;
use looplets::prelude::*;
use oracle::*;
use structures::*;

const ROWS: [usize; 6] = [0, 1, 2, 3, 5, 8];

/// `count` symmetric matrices of size `n`: the stored half, and all values.
fn half(count: usize, n: usize) -> (Element<f64>, Vec<f64>) {
    let number = |t: usize, i: usize, j: usize| {
        let (i, j) = (i.max(j), i.min(j));
        ((t * 31 + i * 7 + j * 3) % 8) as f64 - 3.0
    };
    let all = everywhere(&[count, n, n]);
    let stored = all.iter().filter(|at| at[2] <= at[1]);
    let values = stored.map(|at| number(at[0], at[1], at[2])).collect();
    (leaf(values), all.iter().map(|at| number(at[0], at[1], at[2])).collect())
}

fn one(n: usize) -> Tensor<Dense<Symmetric<Element<f64>>>> {
    Tensor::from_parts(Dense::new(n, Symmetric::new(n, half(1, n).0))).unwrap()
}

#[test]
fn elements() {
    for n in ROWS {
        let (values, dense) = half(3, n);
        holds(&one(n), &dense[..n * n]);
        assert_eq!(one(n).stored(), n * (n + 1) / 2);
        let three = Symmetric::new(n, values);
        holds(&Tensor::from_parts(Dense::new(3, Dense::new(n, three.clone()))).unwrap(), &dense);
        holds(&Tensor::from_parts(Dense::new(3 * n, three)).unwrap(), &dense);
    }
}

#[test]
fn a_change_is_seen_twice() {
    let mut a = one(4);
    a.values_mut().unwrap()[4] = 100.0;
    assert_eq!((a.get([2, 1]), a.get([1, 2])), (Some(100.0), Some(100.0)));
}

#[test]
fn refusals() {
    let rows = |m, n, k| Dense::new(m, Symmetric::new(n, structures::values(k)));
    for (root, words) in [
        (rows(3, 3, 9), "9 values for 6"),
        (rows(3, 3, 5), "5 values for 6"),
        (rows(2, 3, 3), "2 fibers are no whole number of triangles, which have 3 rows"),
        (rows(1, 0, 0), "1 fibers are no whole number of triangles, which have 0 rows"),
        (rows(1 << 40, 1 << 40, 0), "exceed what can be addressed"),
        (rows(0, usize::MAX, 0), "exceed what can be addressed"),
    ] {
        let reason = refused(root);
        assert!(reason.contains(words), "{reason}: not {words}");
    }
}

kernels! {
    fn copy(a: &Tensor<Dense<Symmetric<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } };;
    fn turned(a: &Tensor<Dense<Symmetric<Element<f64>>>>) -> (y: DenseMat<f64>) { for j, i { y[i, j] = a[i, j::locate] } };;
    fn list(a: &Tensor<Dense<Symmetric<Element<f64>>>>) -> (y: Csr<f64>) { for i, j { y[i, j] = 2 * a[i, j::follow] } };;
    fn times(a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn gallop(a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j::gallop] } };;
    fn runs(a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn plus(a: &Tensor<Dense<Symmetric<Element<f64>>>>, b: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn part(a: &Tensor<Dense<Symmetric<Element<f64>>>>, lo: usize, hi: usize, c: &mut f64) { for i in lo..hi { for j in lo..hi { c += a[i, j] } } };;
    fn moved(a: &Tensor<Dense<Symmetric<Element<f64>>>>, c: &mut f64) { for i, j { c += a[i, j + 1] * a[i, j - 1] } };;
    fn lower(a: &Tensor<Dense<Symmetric<Element<f64>>>>, b: &Tensor<Dense<StrictLowerTriangular<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn square(a: &Tensor<Dense<Symmetric<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, k, j { y[i, j] += a[i, k] * a[k, j] } };;
    fn blocks(a: &Tensor<Dense<Symmetric<Dense<Element<f64>>>>>) -> (y: DenseMat<f64>) { for i, j, k { y[i, k] += a[i, j, k] } }
}

#[test]
fn agree() {
    for n in ROWS {
        let a = one(n);
        agree!(copy(&a));
        agree!(turned(&a));
        agree!(list(&a));
        agree!(square(&a));
        let mut c = 1.0;
        agree!(moved(&a, &mut c));
        for (lo, hi) in [(0, n / 2), (n / 3, n), (n / 2, n / 2)] {
            agree!(part(&a, lo, hi, &mut c));
        }
        let under = leaf((0..n * n.saturating_sub(1) / 2).map(|k| k as f64).collect());
        let b = Tensor::from_parts(Dense::new(n, StrictLowerTriangular::new(n, under))).unwrap();
        agree!(lower(&a, &b));
        let pairs = half(1, n).0.into_parts().0.into_iter().flat_map(|v| [v, v + 1.0]).collect();
        let b = Dense::new(n, Symmetric::new(n, Dense::new(2, leaf(pairs))));
        let b = Tensor::from_parts(b).unwrap();
        agree!(blocks(&b));
        for kind in 0..KINDS {
            let (x, r, b) = (vector(kind, n), vector(kind, n), matrix(kind, [n, n]));
            agree!(times(&a, &x));
            agree!(gallop(&a, &x));
            agree!(runs(&a, &r));
            agree!(plus(&a, &b));
        }
    }
}

finch! {
    #![steps(n)]
    fn total(a: &Tensor<Dense<Symmetric<Element<f64>>>>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] } }
    fn meet(a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] * x[j] } }
}

#[test]
fn steps() {
    let a = one(100);
    let (mut c, mut n) = (0.0, 0);
    total(&a, &mut c, &mut n);
    assert_eq!(c, a.to_dense().iter().sum::<f64>());
    assert_eq!(n, 100 + 100 * 100);
    let x = Tensor::from_triplets([100], [([30], 1.0), ([70], 1.0)], Refuse).unwrap();
    let mut n = 0;
    meet(&a, &x, &mut c, &mut n);
    // An entry of `x` takes a step, and so may the end of either part of a row.
    assert!(n <= 100 * (1 + 2 + 2), "{n} steps");
}
