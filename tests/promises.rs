//! Promises of cost that are kept take no more steps than promised, however sizes and entries grow; those that are not are
//! refused, in `tests/ui/cost_promises.rs`. What a function costs stands in its documentation.

// What these kernels visit is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Cube = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }
level! { type Runs = Tensor<RunList<Element<f64>>>; }
level! { type SparseRuns = Tensor<SparseRunList<Element<f64>>>; }
level! { type Trees = Tensor<Dense<Bst<Element<f64>>>>; }
level! { type Unordered = Tensor<Dense<UnorderedList<Element<f64>>>>; }

fn f(x: f64) -> f64 {
    x + 1.0
}

/// Kernels with what they promise, as a function of how large the operands are, and a counter.
macro_rules! promised {
    ($($(#![$setting:meta])* [$($cost:tt)*] fn $name:ident($($params:tt)*) $(-> $out:tt)? { $($body:tt)* })*) => {
        $(finch! {
            $(#![$setting])*
            #![steps(n)]
            #![cost($($cost)*)]
            fn $name($($params)*, n: &mut u64) $(-> $out)? { $($body)* }
        })*
    };
}

promised! {
    [len(i) + stored(a)] fn matrix_by_vector(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    [len(i) + stored(a)] fn in_parallel(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
    [len(i) + stored(a)] fn once_a_gap(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += f(a[i, j]) }
    [len(i) * len(j)] fn by_a_name(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i, j { let t = a[i, j] * 2; y[i] += t * x[j] } }
    [len(i) + stored(a)] fn by_a_scalar(a: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) { for i, j { let mut t: f64; t += a[i, j] * x[j]; if t > 0 { c[i, j] = t } } }
    [stored(a)] fn hypersparse(a: &Dcsr<f64>) -> (s: f64) { s += a[i, j] }
    [len(i) + stored(a) + stored(b)] fn sum(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    [len(i) + len(j) + stored(a) + stored(b)] fn with_a_transpose(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[j, i] }
    [len(i) * len(j)] fn every_element(a: &Csr<f64>) -> (c: DenseMat<f64>) { c[i, j] = f(a[i, j]) }
    [len(i) + len(k) * stored(a)] fn sampled(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    [len(i) * len(l) + len(k) * stored(a) + len(l) * stored(a)] fn attention(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (o: DenseMat<f64>) { o[i, l] += a[i, j] * d[i, k] * e[j, k] * e[j, l] }
    [len(i) + len(i) * len(j)] fn rows_of_others(a: &Csr<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] }
    [len(i) + stored(a)] fn of_trees(a: &Trees, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    [len(q)] fn by_columns(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[q] = collapse(a[i, j], (j, i) -> q) }
    [len(i) + stored(a)] fn in_no_order(a: &Unordered, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}

/// Numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn entries(rows: usize, columns: usize, many: usize, seed: u64) -> Vec<([usize; 2], f64)> {
    let mut chance = Chance(seed);
    let mut at: Vec<[usize; 2]> =
        (0..many).map(|_| [chance.below(rows), chance.below(columns)]).collect();
    at.sort();
    at.dedup();
    at.into_iter().enumerate().map(|(n, at)| (at, n as f64 - 0.5)).collect()
}

fn vector(size: usize) -> DenseVec<f64> {
    Tensor::from_dense([size], &vec![0.5; size]).expect("as long")
}

/// How many times more steps than promised there may be: a loop may take a step for the entry and one beside it.
const TIMES: u64 = 4;

/// Rows, columns and entries, each of which grows where others do not.
const SCENES: [(usize, usize, usize); 6] =
    [(0, 0, 0), (1, 1, 1), (20, 30, 100), (20, 3_000, 100), (3_000, 30, 100), (200, 300, 20_000)];

/// Holds the steps that `kernel` counts against `promised`.
fn within(name: &str, promised: usize, kernel: impl FnOnce(&mut u64)) {
    let mut steps = 0;
    kernel(&mut steps);
    let most = TIMES * (promised as u64 + 1);
    assert!(steps <= most, "{name}: {steps} steps where {promised} were promised");
}

#[test]
fn steps_grow_no_faster_than_promised() {
    for (rows, columns, many) in SCENES {
        let all = entries(rows, columns, if rows == 0 { 0 } else { many }, 1);
        let others = entries(rows, columns, if rows == 0 { 0 } else { many }, 2);
        let turned: Vec<_> = others.iter().map(|([i, j], v)| ([*j, *i], *v)).collect();
        let (shape, stored) = ([rows, columns], all.len());
        let a: Csr<f64> = Tensor::from_triplets(shape, all.clone(), Refuse).expect("a matrix");
        let also: Csr<f64> = Tensor::from_triplets(shape, others, Refuse).expect("a matrix");
        let b: Csr<f64> = Tensor::from_triplets([columns, rows], turned, Refuse).expect("a matrix");
        let x = vector(columns);
        let by_rows = rows + stored;
        within("matrix_by_vector", by_rows, |n| drop(matrix_by_vector(&a, &x, n)));
        within("in_parallel", by_rows, |n| drop(in_parallel(&a, &x, n)));
        within("once_a_gap", by_rows, |n| drop(once_a_gap(&a, n)));
        within("by_a_name", rows * columns, |n| by_a_name(&a, &x, &mut vector(rows), n));
        within("by_a_scalar", by_rows, |n| drop(by_a_scalar(&a, &x, n)));
        let hyper: Dcsr<f64> = Tensor::from_triplets(shape, all.clone(), Refuse).expect("a matrix");
        within("hypersparse", stored, |n| assert!(hypersparse(&hyper, n).is_finite()));
        within("by_columns", rows * columns, |n| drop(by_columns(&a, n)));
        within("sum", by_rows + also.stored(), |n| drop(sum(&a, &also, n)));
        let both = by_rows + columns + b.stored();
        within("with_a_transpose", both, |n| drop(with_a_transpose(&a, &b, n)));
        within("every_element", rows * columns, |n| drop(every_element(&a, n)));
        let k = 7;
        let dense = |rows: usize| -> DenseMat<f64> {
            Tensor::from_dense([rows, k], &vec![0.5; rows * k]).expect("as many")
        };
        within("sampled", rows + k * stored, |n| {
            drop(sampled(&a, &dense(rows), &dense(columns), n))
        });
        within("attention", k * (rows + 2 * stored), |n| {
            drop(attention(&a, &dense(rows), &dense(columns), n))
        });
        let p: Vec<usize> = (0..rows).rev().collect();
        let p: DenseVec<usize> = Tensor::from_dense([rows], &p).expect("as many");
        // Each row once.
        within("rows_of_others", by_rows, |n| drop(rows_of_others(&a, &p, n)));
        let trees: Trees = Tensor::from_triplets(shape, all.clone(), Refuse).expect("a matrix");
        within("of_trees", by_rows, |n| drop(of_trees(&trees, &x, n)));
        let loose: Unordered = Tensor::from_triplets(shape, all, Refuse).expect("a matrix");
        within("in_no_order", by_rows, |n| drop(in_no_order(&loose, &x, n)));
    }
}
