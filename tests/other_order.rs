//! Operands stored in the other order beside results that exist, scalars, and rows that an index names; and branches of an `if` one
//! of which has loops of its own: in each of the ways that are kept, with hostile values.

// What these kernels cost is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Cube = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }
level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Set = Csc<bool>; }

finch! {
    #![schedule(ways(7))]
    fn into_scalar(a: &Cube, b: &Csc<f64>, o: &mut f64) { o += a[i, j, k] * b[i, j] }
    fn moved(a: &Csr<f64>, b: &Csr<f64>, s: &mut f64) { s += a[i, j] * b[j + 1, i] }
    fn into_vector(a: &Cube, b: &Csc<f64>, o: &mut DenseVec<f64>) { o[k] += a[i, j, k] * b[i, j] }
    fn gathered_rows(m: &Set, e: &Csr<f64>, p: &[u32]) -> (x: DenseVec<f64>) { if m[i, j] { x[i] += e[p[i], j] } }
    fn gathered_columns(m: &Set, e: &Csr<f64>, p: &[u32], x: &mut DenseVec<f64>) { if m[i, j] { x[j] += e[p[i], j] } }
    fn gathered_all(m: &Set, e: &Csr<f64>, p: &[u32], x: &mut f64) { if m[i, j] { x += e[p[i], j] } }
    fn or_one(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j] } else { c[i, j] += 1.5 }
    }
    fn or_assigned(m: &Mask, a: &Csr<f64>, b: &Csr<f64>, c: &mut DenseMat<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j] } else { c[i, j] = c[i, j] * 2 }
    }
    fn or_elsewhere(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>, d: DenseMat<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j] } else { d[i, j] -= b[i, k] * a[k, j] }
    }
    fn or_rows(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseVec<f64>) {
        if m[i, j] { c[i] += a[i, k] * b[k, j] } else { c[i] += a[i, j] }
    }
}

finch! {
    #![schedule(ways(7))]
    fn counted(m: &Csc<f64>, d: &Csr<f64>, s: &mut f64) { if m[i, j] > 0 { s += 1 } else { s += d[i, j] } }
    fn by_row(m: &Csr<f64>, d: &Csc<f64>) -> (y: DenseVec<f64>) { if m[i, j] > 0 { y[i] += 2 * d[i, j] } else { y[i] -= d[i, j] } }
    fn or_kept(m: &Csc<f64>, d: &Csr<f64>, c: &mut DenseMat<f64>) { if m[i, j] > 0 { c[i, j] = 1 } else { c[i, j] += d[i, j] } }
    fn or_other(a: &Csr<f64>, b: &DenseMat<f64>, m: &Csc<f64>, d: &Csr<f64>) -> (c: DenseMat<f64>, z: DenseVec<f64>) {
        if m[i, j] > 0 { c[i, j] += a[i, k] * b[k, j] } else { z[i] += d[i, j] }
    }
}

/// About one in three places of a tensor, zeros and hostile values among them. Sums of the others are exact in any order.
fn entries<const N: usize>(shape: [usize; N], seed: usize) -> Vec<([usize; N], f64)> {
    let count = shape.iter().product();
    let exact = |x: f64| if x.abs() < 1e200 && x != 0.0 { (x * 2.0).round() / 2.0 } else { x };
    let most = |x: f64| if x.abs() > 1e200 { x * 1e300 } else { x };
    let at = |mut n: usize| {
        let mut at = [0; N];
        for d in (0..N).rev() {
            (at[d], n) = (n % shape[d], n / shape[d]);
        }
        at
    };
    let stored = |n: usize| (n * 7919 + seed * 31) % 97 % 3 == 0;
    let of = values(count, seed, 40).into_iter().enumerate().filter(|(n, _)| stored(*n));
    of.map(|(n, x)| (at(n), most(exact(x)))).collect()
}

fn get<const N: usize>(all: &[([usize; N], f64)], at: [usize; N]) -> Option<f64> {
    all.iter().find(|(a, _)| *a == at).map(|(_, x)| *x)
}

/// What `run` gives in each way that is kept.
fn each_way<T>(run: impl Fn() -> T) -> Vec<T> {
    let mut all = Vec::new();
    for way in 0..7 {
        looplets::rt::prefer(Some(way));
        all.push(run());
    }
    looplets::rt::prefer(None);
    all
}

const SIZES: [usize; 5] = [0, 1, 2, 5, 12];

#[test]
fn into_what_exists() {
    for (seed, n) in SIZES.into_iter().enumerate() {
        let (n, m, l) = (n, n + n % 3, n / 2 + 1);
        let (av, bv) = (entries([n, m, l], seed), entries([n, m], seed + 7));
        let a: Cube = Tensor::from_triplets([n, m, l], av.iter().copied(), Refuse).expect("a cube");
        let b: Csc<f64> = Csc::from_triplets([n, m], bv.iter().copied(), Refuse).expect("a matrix");
        let mut expected = vec![0.25; l];
        let mut all = 0.25;
        for ([i, j, k], x) in &av {
            if let Some(y) = get(&bv, [*i, *j]) {
                expected[*k] += x * y;
                all += x * y;
            }
        }
        let scalars = each_way(|| {
            let mut o = 0.25;
            into_scalar(&a, &b, &mut o);
            o
        });
        scalars.into_iter().for_each(|o| same(&[o], &[all], n));
        let vectors = each_way(|| {
            let mut o: DenseVec<f64> = Tensor::from_dense([l], &vec![0.25; l]).expect("a vector");
            into_vector(&a, &b, &mut o);
            o.to_dense()
        });
        vectors.into_iter().for_each(|o| same(&o, &expected, n));
    }
}

#[test]
fn rows_that_are_moved() {
    for (seed, n) in SIZES.into_iter().enumerate() {
        let (av, bv) = (entries([n, n + 1], seed), entries([n + 2, n], seed + 7));
        let a: Csr<f64> = Tensor::from_triplets([n, n + 1], av.iter().copied(), Refuse).expect("a");
        let b: Csr<f64> = Tensor::from_triplets([n + 2, n], bv.iter().copied(), Refuse).expect("b");
        let terms = av.iter().filter_map(|([i, j], x)| Some(x * get(&bv, [j + 1, *i])?));
        let expected = terms.fold(0.25, |sum, term| sum + term);
        let found = each_way(|| {
            let mut s = 0.25;
            moved(&a, &b, &mut s);
            s
        });
        found.into_iter().for_each(|s| same(&[s], &[expected], n));
    }
}

#[test]
fn rows_that_an_index_names_under_a_mask_of_columns() {
    for (seed, n) in SIZES.into_iter().enumerate() {
        let (m, rows) = (n + n % 3, n / 2 + 1);
        let (mv, ev) = (entries([n, m], seed), entries([rows, m], seed + 7));
        let set = mv.iter().map(|(at, _)| (*at, true));
        let mask: Set = Csc::from_triplets([n, m], set, Refuse).expect("a mask");
        let e: Csr<f64> = Tensor::from_triplets([rows, m], ev.iter().copied(), Refuse).expect("e");
        let p: Vec<u32> = (0..n).map(|i| ((i * 5 + seed) % rows) as u32).collect();
        let (mut by_row, mut by_column, mut all) = (vec![0.0; n], vec![0.5; m], 0.5);
        for ([i, j], _) in &mv {
            if let Some(x) = get(&ev, [p[*i] as usize, *j]) {
                by_row[*i] += x;
                by_column[*j] += x;
                all += x;
            }
        }
        let found = each_way(|| gathered_rows(&mask, &e, &p).to_dense());
        found.into_iter().for_each(|x| same(&x, &by_row, n));
        let found = each_way(|| {
            let mut x: DenseVec<f64> = Tensor::from_dense([m], &vec![0.5; m]).expect("a vector");
            gathered_columns(&mask, &e, &p, &mut x);
            x.to_dense()
        });
        found.into_iter().for_each(|x| same(&x, &by_column, n));
        let found = each_way(|| {
            let mut x = 0.5;
            gathered_all(&mask, &e, &p, &mut x);
            x
        });
        found.into_iter().for_each(|x| same(&[x], &[all], n));
    }
}

#[test]
fn branches_that_no_order_serves() {
    for (seed, n) in SIZES.into_iter().enumerate() {
        let all = |seed| entries([n, n], seed);
        let (mv, av, bv, dv) = (all(seed), all(seed + 7), all(seed + 14), all(seed + 21));
        let csr = |of: &[([usize; 2], f64)]| -> Csr<f64> {
            Tensor::from_triplets([n, n], of.iter().copied(), Refuse).expect("a matrix")
        };
        let csc = |of: &[([usize; 2], f64)]| -> Csc<f64> {
            Csc::from_triplets([n, n], of.iter().copied(), Refuse).expect("a matrix")
        };
        let mut dense = vec![0.0; n * n];
        bv.iter().for_each(|([i, j], x)| dense[i * n + j] = *x);
        let b: DenseMat<f64> = Tensor::from_dense([n, n], &dense).expect("a matrix");
        let old: Vec<f64> = (0..n * n).map(|k| k as f64 - 3.0).collect();
        let (mut count, mut rows, mut kept) = (0.5, vec![0.0; n], old.clone());
        let (mut product, mut others) = (vec![0.0; n * n], vec![0.0; n]);
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let (of, at) = (get(&dv, [i, j]).unwrap_or(0.0), i * n + j);
            if get(&mv, [i, j]).is_some_and(|x| x > 0.0) {
                count += 1.0;
                rows[i] += 2.0 * of;
                kept[at] = 1.0;
                for k in 0..n {
                    if let Some(x) = get(&av, [i, k]) {
                        product[at] += x * dense[k * n + j];
                    }
                }
            } else {
                count += of;
                rows[i] -= of;
                kept[at] += of;
                others[i] += of;
            }
        }
        let found = each_way(|| {
            let mut s = 0.5;
            counted(&csc(&mv), &csr(&dv), &mut s);
            s
        });
        found.into_iter().for_each(|s| same(&[s], &[count], n));
        for y in each_way(|| by_row(&csr(&mv), &csc(&dv))) {
            same(&y.to_dense(), &rows, n);
        }
        let found = each_way(|| {
            let mut c: DenseMat<f64> = Tensor::from_dense([n, n], &old).expect("a matrix");
            or_kept(&csc(&mv), &csr(&dv), &mut c);
            c.to_dense()
        });
        found.into_iter().for_each(|c| same(&c, &kept, n));
        for (c, z) in each_way(|| or_other(&csr(&av), &b, &csc(&mv), &csr(&dv))) {
            same(&c.to_dense(), &product, n);
            same(&z.to_dense(), &others, n);
        }
    }
}

#[test]
fn a_branch_with_loops_of_its_own() {
    for (seed, n) in SIZES.into_iter().enumerate() {
        let all = |seed| entries([n, n], seed);
        let (mv, av, bv) = (all(seed), all(seed + 7), all(seed + 14));
        let csr = |of: &[([usize; 2], f64)]| -> Csr<f64> {
            Tensor::from_triplets([n, n], of.iter().copied(), Refuse).expect("a matrix")
        };
        let (a, b) = (csr(&av), csr(&bv));
        let set = mv.iter().map(|(at, _)| (*at, true));
        let mask: Mask = Tensor::from_triplets([n, n], set, Refuse).expect("a mask");
        let old: Vec<f64> = (0..n * n).map(|k| k as f64 - 3.0).collect();
        let product = |x: &[([usize; 2], f64)],
                       y: &[([usize; 2], f64)],
                       [i, j]: [usize; 2],
                       from: f64,
                       sign: f64| {
            let terms = (0..n).filter_map(|k| Some(get(x, [i, k])? * get(y, [k, j])?));
            terms.fold(from, |sum, term| sum + sign * term)
        };
        let (mut one, mut assigned, mut rows) = (vec![0.0; n * n], old.clone(), vec![0.0; n]);
        let (mut inside, mut outside) = (vec![0.0; n * n], vec![0.0; n * n]);
        for at in (0..n * n).map(|k| [k / n, k % n]) {
            let ([i, j], k) = (at, at[0] * n + at[1]);
            if get(&mv, at).is_some() {
                one[k] = product(&av, &bv, at, 0.0, 1.0);
                inside[k] = one[k];
                assigned[k] = product(&av, &bv, at, assigned[k], 1.0);
                rows[i] = product(&av, &bv, at, rows[i], 1.0);
            } else {
                one[k] = 1.5;
                assigned[k] *= 2.0;
                outside[k] = product(&bv, &av, at, 0.0, -1.0);
                rows[i] += get(&av, [i, j]).unwrap_or(0.0);
            }
        }
        for c in each_way(|| or_one(&mask, &a, &b)) {
            same(&c.to_dense(), &one, n);
        }
        let found = each_way(|| {
            let mut c: DenseMat<f64> = Tensor::from_dense([n, n], &old).expect("a matrix");
            or_assigned(&mask, &a, &b, &mut c);
            c.to_dense()
        });
        found.into_iter().for_each(|c| same(&c, &assigned, n));
        for (c, d) in each_way(|| or_elsewhere(&mask, &a, &b)) {
            same(&c.to_dense(), &inside, n);
            same(&d.to_dense(), &outside, n);
        }
        for c in each_way(|| or_rows(&mask, &a, &b)) {
            same(&c.to_dense(), &rows, n);
        }
    }
}
