//! Symmetric matrices of which half is stored: that both halves are read, by every protocol and against
//! other formats, and what makes one.

extern crate looplets_oracle as oracle;
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

/// A symmetric matrix by every way there is to make one of entries.
fn made(n: usize, all: &[f64]) -> [Result<SymMat<f64>, Error>; 4] {
    let dense: DenseMat<f64> = Tensor::from_dense([n, n], all).unwrap();
    let list: Csr<f64> = Tensor::from_dense([n, n], all).unwrap();
    [
        Tensor::from_dense([n, n], all),
        Tensor::from_triplets([n, n], dense.triplets().into_iter().rev(), Refuse),
        dense.convert(),
        list.convert(),
    ]
}

#[test]
fn both_halves_make_one() {
    for n in ROWS {
        let (_, all) = half(1, n);
        for a in made(n, &all) {
            assert!(a.unwrap() == one(n), "of size {n}");
        }
    }
    let (values, all) = half(3, 4);
    let three = Symmetric::new(4, values);
    let apart: Tensor<Dense<Dense<Symmetric<Element<f64>>>>> =
        Tensor::from_dense([3, 4, 4], &all).unwrap();
    assert!(*apart.root() == Dense::new(3, Dense::new(4, three.clone())));
    let stacked: Tensor<Dense<Symmetric<Element<f64>>>> =
        Tensor::from_dense([12, 4], &all).unwrap();
    assert!(*stacked.root() == Dense::new(12, three));
}

#[test]
fn halves_that_differ_are_refused() {
    for (all, values) in [
        ([1.0, 2.0, 3.0, 4.0], "2.0 and 3.0"),
        ([1.0, 2.0, 0.0, 4.0], "2.0 and 0.0"),
        ([1.0, 0.0, 3.0, 4.0], "0.0 and 3.0"),
        ([1.0, -0.0, 0.0, 4.0], "-0.0 and 0.0"),
    ] {
        for a in made(2, &all) {
            let error = a.unwrap_err().to_string();
            let words = format!(
                "`Symmetric` cannot store this tensor of shape 2x2: (0, 1) and (1, 0) are one element, \
                 for which it was given the values {values}"
            );
            assert_eq!(error, words);
        }
    }
    let text = |s: &str| vec![s.to_owned()];
    let a = Tensor::<Dense<Symmetric<Element<Vec<String>, Empty>>>>::from_triplets(
        [2, 2],
        [([0, 1], text("a")), ([1, 0], text("b"))],
        Refuse,
    );
    assert!(a.unwrap_err().to_string().ends_with("was given two values"));
}

#[derive(Clone, Debug, PartialEq)]
struct Empty;
impl Fill<Vec<String>> for Empty {
    const VALUE: Vec<String> = Vec::new();
}

#[test]
fn a_triplet_stands_for_its_mirror_image() {
    let (_, all) = half(1, 5);
    let dense: DenseMat<f64> = Tensor::from_dense([5, 5], &all).unwrap();
    for upper in [false, true] {
        let half = dense
            .triplets()
            .into_iter()
            .filter(|(at, _)| at[0] == at[1] || upper == (at[0] < at[1]));
        let a: SymMat<f64> = Tensor::from_triplets([5, 5], half, Refuse).unwrap();
        assert!(a == one(5));
    }
    let twice = [([0, 1], 1.0), ([1, 0], 3.0), ([0, 1], 2.0)];
    let a: SymMat<f64> = Tensor::from_triplets([2, 2], twice, Sum).unwrap();
    assert_eq!(a.to_dense(), [0.0, 3.0, 3.0, 0.0]);
}

#[test]
fn below_it_are_lists_and_sets() {
    // The lists of three elements, row by row, both halves of which are the same.
    let all = [0.0, 1.0, 2.0, 0.0, 2.0, 0.0, 3.0, 3.0];
    let a: Tensor<Dense<Symmetric<SparseList<Element<f64>>>>> =
        Tensor::from_dense([2, 2, 2], &all).unwrap();
    assert_eq!((a.stored(), a.to_dense()), (4, all.to_vec()));
    let runs: Tensor<Dense<Dense<RunList<Element<f64>>>>> = a.convert().unwrap();
    assert!(runs.convert::<Dense<Symmetric<SparseList<Element<f64>>>>>().unwrap() == a);
    type Set = Tensor<Dense<Symmetric<Pattern>>>;
    let every = [([0, 0], true), ([1, 0], true), ([1, 1], true)];
    assert_eq!(Set::from_triplets([2, 2], every, Refuse).unwrap().to_dense(), [true; 4]);
    assert_eq!(Set::from_dense([2, 2], &[true; 4]).unwrap().to_dense(), [true; 4]);
    assert!(Set::from_triplets([2, 2], [([1, 0], true)], Refuse).is_err());
}

#[test]
fn many_entries_take_linear_time() {
    // A hundred thousand entries, none of which may look at all others.
    let n = if cfg!(miri) { 20 } else { 300 };
    let all: Vec<f64> = (0..n * n).map(|k| ((k / n) ^ (k % n)) as f64).collect();
    let a: SymMat<f64> = Tensor::from_dense([n, n], &all).unwrap();
    assert!(a.to_dense() == all);
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
    fn once(
        a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &DenseVec<f64>, n: &mut u64,
    ) -> (y: DenseVec<f64>) {
        for i, j {
            if j < i { y[i] += a[i, j] * x[j]; y[j] += a[i, j] * x[i] }
            if i == j { y[i] += a[i, j] * x[j] }
        }
    }
    fn meet(a: &Tensor<Dense<Symmetric<Element<f64>>>>, x: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] * x[j] } }
}

#[test]
fn steps() {
    let a = one(100);
    let (mut c, mut n) = (0.0, 0);
    total(&a, &mut c, &mut n);
    assert_eq!(c, a.to_dense().iter().sum::<f64>());
    assert_eq!(n, 100 + 100 * 100);
    // Each entry that is stored is read once, if the program says so.
    let x: Vec<f64> = (0..100).map(f64::from).collect();
    let mut n = 0;
    let y = once(&a, &Tensor::from_dense([100], &x).unwrap(), &mut n);
    let rows = a.to_dense();
    let want: Vec<f64> =
        rows.chunks(100).map(|r| r.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
    assert!(y.to_dense().iter().zip(&want).all(|(y, w)| (y - w).abs() <= 1e-9 * w.abs()));
    // A hundred on the diagonal, and half of the others.
    assert_eq!(n, 100 + 99 * 100 / 2);
    let x = Tensor::from_triplets([100], [([30], 1.0), ([70], 1.0)], Refuse).unwrap();
    let mut n = 0;
    meet(&a, &x, &mut c, &mut n);
    // An entry of `x` takes a step, and so may the end of either part of a row.
    assert!(n <= 100 * (1 + 2 + 2), "{n} steps");
}
