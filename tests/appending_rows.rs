//! Room for what all rows append, counted before the first: in nests of loops, of levels whose fibers overlap or
//! end before they start, behind what is there, and where a row is not counted.

#[macro_use]
mod oracle;
use looplets::prelude::*;
use oracle::*;

level! {
    /// A list whose fibers are cut out of the coordinates anywhere.
    pub struct Cut<Child> {
        len: usize,
        from: Vec<usize>,
        to: Vec<usize>,
        crd: Vec<u32>,
        child: Child,
    }
    // SAFETY: fiber `p` has the entries `from[p]..to[p]`, if there are any, and none ends behind `crd`, which is
    // as long as what is said of the child.
    unsafe invariant(fibers) {
        let cut = |(from, to): (&usize, &usize)| {
            from >= to || *to <= crd.len()
                && crd[*from..*to].windows(2).all(|w| w[0] < w[1])
                && (crd[*to - 1] as usize) < len
        };
        match from.len() == fibers && to.len() == fibers && from.iter().zip(to).all(cut) {
            true => Ok(crd.len()),
            false => Err("a fiber is not one".to_owned()),
        }
    }
    read walk(p) {
        let start = from[p];
        let end = to[p];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): looplets::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
}
level! { type Rows = Tensor<Dense<Cut<Element<f64>>>>; }
level! { type Deep = Tensor<Dense<Dense<SparseList<Element<f64>>>>>; }
level! { type Sparser = Tensor<SparseList<SparseList<Element<f64>>>>; }
level! { type Bits = Tensor<Dense<SparseList<Pattern>>>; }

kernels! {
    fn cuts(a: &Rows, b: &Rows) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn cut_products(a: &Rows, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn deep(a: &Deep, b: &Deep) -> (y: Deep) { for i, j, k { y[i, j, k] = a[i, j, k] + b[i, j, k] } };;
    fn deep_products(a: &Deep, b: &Deep) -> (y: Deep) { for i, j, k { y[i, j, k] = a[i, j, k] * b[i, j, k] } };;
    fn deep_kept(a: &Deep, m: &Bits) -> (y: Deep) {
        for i, j, k { if m[i, j] { y[i, j, k] = a[i, j, k] } }
    };;
    fn deep_in_parts(a: &Deep, b: &Deep) -> (y: Deep) {
        parallel for i { for j, k { y[i, j, k] = a[i, j, k] + b[i, j, k] } }
    };;
    fn sparser(a: &Sparser, b: &Csr<f64>) -> (y: Sparser) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
    fn rows_of_one(a: &Sparser, b: &Csr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
    fn twice(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>, z: Csr<f64>) {
        for i, j { y[i, j] = a[i, j] + b[i, j] }
        for i, j { z[i, j] = a[i, j] * y[i, j] }
    };;
    fn some_rows(a: &Csr<f64>, n: usize) -> (y: Csr<f64>) { for i, j { if i < n { y[i, j] = a[i, j] + 1.0 } } };;
    fn reduced(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: Csr<f64>) {
        for i, j {
            let mut t: f64;
            for k { t += d[i, k] * d[j, k] }
            if a[i, j] != 0.0 { y[i, j] = t * a[i, j] }
        }
    }
}

/// Rows of `crd`, the last of which ends before it starts, and two of which overlap.
fn rows() -> Rows {
    let (crd, val) = (vec![1, 3, 4, 0, 2, 6], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    cut(vec![0, 1, 3, 4], vec![3, 3, 6, 3], crd, val)
}

fn cut(from: Vec<usize>, to: Vec<usize>, crd: Vec<u32>, val: Vec<f64>) -> Rows {
    let level = Cut::new(7, from, to, crd, Element::new(val));
    Tensor::from_parts(Dense::new(4, level)).expect("rows")
}

/// Made room for fewer than there are: what a fiber that ends before it starts has less was taken off the others.
#[test]
fn fibers_anywhere() {
    let a = rows();
    let (_, level) = rows().into_root().into_parts();
    let (_, _, _, crd, values) = level.into_parts();
    let b = cut(vec![4, 3, 1, 0], vec![3, 6, 3, 3], crd, values.into_parts().0);
    let (x, y) = (a.to_dense(), b.to_dense());
    let sum: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(cuts(&a, &b).to_dense(), sum);
    assert_eq!(cuts(&b, &a).to_dense(), sum);
    let c: Csr<f64> = matrix(2, [4, 7]);
    let product: Vec<f64> = x.iter().zip(c.to_dense()).map(|(x, y)| x * y).collect();
    assert_eq!(cut_products(&a, &c).to_dense(), product);
}

/// Rows in every place of a nest: none, one, and some of them empty.
#[test]
fn nests() {
    for [l, m, n] in [[0, 2, 3], [1, 0, 2], [2, 1, 1], [1, 3, 4], [3, 4, 5]] {
        for kind in 0..KINDS {
            let all = |kind: usize| -> Deep { tensor(&[l, m, n], &items(kind % KINDS, l * m * n)) };
            let (a, b) = (all(kind), all(kind + 1));
            let flags: Vec<bool> = (0..l * m).map(|k| (k + kind) % 3 != 0).collect();
            let bits: Bits = Tensor::from_dense([l, m], &flags).expect("bits");
            agree!(deep(&a, &b));
            agree!(deep_products(&a, &b));
            agree!(deep_kept(&a, &bits));
            agree!(deep_in_parts(&a, &b));
            for y in [deep(&a, &b), deep_products(&a, &b), deep_kept(&a, &bits)] {
                Tensor::from_parts(y.into_root()).expect("whole");
            }
        }
    }
}

#[test]
fn rows_that_are_not_counted_and_rows_of_two_results() {
    for [m, n] in [[0, 3], [1, 1], [4, 4], [9, 17]] {
        for kind in 0..KINDS {
            let (a, b): (Csr<f64>, Csr<f64>) =
                (matrix(kind, [m, n]), matrix((kind + 1) % KINDS, [m, n]));
            let s: Sparser = matrix((kind + 2) % KINDS, [m, n]);
            agree!(sparser(&s, &b));
            agree!(rows_of_one(&s, &b));
            agree!(twice(&a, &b));
            agree!(some_rows(&a, m / 2));
            if m == n {
                let d: DenseMat<f64> = matrix(kind, [m, 3]);
                agree!(reduced(&a, &d));
            }
        }
    }
}
