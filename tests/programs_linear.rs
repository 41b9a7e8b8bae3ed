//! Programs of sparse linear and tensor algebra as they are known, by every order of loops that people
//! use: each against the oracle and against plain Rust.

#[macro_use]
extern crate looplets_oracle as oracle;
#[macro_use]
mod known;
use known::*;
use looplets::prelude::*;
use oracle::*;

level! { type Map = Tensor<ByteMap<Element<f64>>>; }
level! { type Bits = Tensor<Bitmap<Element<f64>>>; }
level! { type Table = Tensor<Hash<Element<f64>>>; }
level! { type TableRows = Tensor<Dense<Hash<Element<f64>>>>; }
level! { type Tables = Tensor<Hash<Hash<Element<f64>>>>; }
level! { type MapRows = Tensor<Dense<ByteMap<Element<f64>>>>; }
level! { type Runs = Tensor<Dense<RunList<Element<f64>>>>; }
level! { type Banded = Tensor<Dense<SparseBand<Element<f64>>>>; }
level! { type DenseCsf = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }
level! { type DenseCube = Tensor<Dense<Dense<Dense<Element<f64>>>>>; }
level! { type RowsOfFibers = Tensor<Dense<SparseList<Dense<Element<f64>>>>>; }

/// What a kind of content is for the second and third operand.
fn other(kind: usize, step: usize) -> usize {
    (kind * step + 1) % KINDS
}

/// `[m, k, n]` of products of an `m` by `k` and a `k` by `n` matrix.
const PRODUCTS: [[usize; 3]; 8] =
    [[0, 0, 0], [0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [4, 2, 3], [3, 5, 4], [1, 7, 2]];

fn product(a: &Plainly<f64>, b: &Plainly<f64>) -> Vec<f64> {
    build(&[a.shape[0], b.shape[1]], |at| {
        (0..b.shape[0]).map(|k| a.at(&[at[0], k]) * b.at(&[k, at[1]])).sum()
    })
}

fn turned(b: &Plainly<f64>) -> Vec<f64> {
    build(&[b.shape[1], b.shape[0]], |at| b.at(&[at[1], at[0]]))
}

kernels! {
    fn inner(a: &Csr<f64>, bt: &Csr<f64>) -> (c: DenseMat<f64>) { for i, j, k { c[i, j] += a[i, k] * bt[j, k] } };;
    fn inner_gallop(a: &Csr<f64>, bt: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { { if t != 0 { c[i, j] = t } } where { for k { t += a[i, k::gallop] * bt[j, k::gallop] } } }
    };;
    fn inner_masked(a: &Csr<f64>, bt: &Csr<f64>, mask: &Graph) -> (c: Csr<f64>) {
        for i, j { if mask[i, j] { { c[i, j] = t } where { for k { t += a[i, k] * bt[j, k] } } } }
    }
}

/// Products by outer products: the columns of `a` are the rows of what is given.
macro_rules! outer {
    ($($name:ident: $A:ident, $B:ident => $C:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn outer(at: &$A<f64>, b: &$B<f64>) -> (c: $C) { for k, i, j { c[i, j] += at[k, i] * b[k, j] } };;
                fn spmm(at: &$A<f64>, b: &DenseMat<f64>) -> (c: $C) { for k, i, j { c[i, j] += at[k, i] * b[k, j] } }
            }
            #[test]
            fn is_known() {
                for [m, k, n] in PRODUCTS {
                    for kind in 0..KINDS {
                        let (at, b) = (matrix(kind, [k, m]), matrix(other(kind, 3), [k, n]));
                        let a = Plainly { shape: vec![m, k], data: turned(&plainly(&at)) };
                        known!(outer(&at, &b) => product(&a, &plainly(&b)));
                        let b = matrix(other(kind, 7), [k, n]);
                        known!(spmm(&at, &b) => product(&a, &plainly(&b)));
                    }
                }
            }
        }
    )*};
}

level! { type Full = Tensor<Dense<Dense<Element<f64>>>>; }
outer! {
    outer_into_dense: Csr, Csr => Full;
    outer_into_tables: Csr, Csr => Tables;
    outer_into_rows_of_tables: Csr, Dcsr => TableRows;
    outer_into_rows_of_maps: Dcsr, Csr => MapRows;
    outer_of_coordinates: Coo2, Coo2 => Full;
}

#[test]
fn products_by_inner_products() {
    for [m, k, n] in PRODUCTS {
        for kind in 0..KINDS {
            let (a, b) = (
                matrix(kind, [m, k]),
                matrix::<Dense<Dense<Element<f64>>>>(other(kind, 3), [k, n]),
            );
            let bt = Tensor::from_dense([n, k], &turned(&plainly(&b))).unwrap();
            let want = product(&plainly(&a), &plainly(&b));
            known!(inner(&a, &bt) => want);
            let c = known!(inner_gallop(&a, &bt) => want);
            let is = c.to_dense();
            assert_eq!(c.stored(), is.iter().filter(|v| **v != 0.0).count());
            let mask = matrix(other(kind, 7), [m, n]);
            let kept = mask.to_dense().into_iter().zip(&want);
            let kept: Vec<f64> = kept.map(|(keep, v)| if keep { *v } else { 0.0 }).collect();
            known!(inner_masked(&a, &bt, &mask) => kept);
        }
    }
}

/// Products by rows: each row is gathered in a workspace.
macro_rules! rows {
    ($($name:ident: $W:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn rows(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
                    for i {
                        let mut w: $W[n];
                        for k, j { w[j] += a[i, k] * b[k, j] }
                        for j { c[i, j] = w[j] }
                    }
                };;
                fn consumed(a: &Csr<f64>, b: &Dcsr<f64>, n: usize) -> (c: Dcsr<f64>) {
                    for i {
                        let mut w: $W[n];
                        { for j { c[i, j] = 2 * w[j] } } where { for k, j { w[j] += a[i, k] * b[k, j] } }
                    }
                };;
                fn scaled(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
                    for i {
                        let mut w: $W[n];
                        for k, j { w[j] += a[i, k] * b[k, j] }
                        for j { y[i] += w[j] * x[j] }
                    }
                }
            }
            #[test]
            fn is_known() {
                for [m, k, n] in PRODUCTS {
                    for kind in 0..KINDS {
                        let (a, b) = (matrix(kind, [m, k]), matrix(other(kind, 3), [k, n]));
                        let want = product(&plainly(&a), &plainly(&b));
                        known!(rows(&a, &b, n) => want);
                        let x: DenseVec<f64> = vector(other(kind, 7), n);
                        let times: Vec<f64> = want.chunks(n.max(1)).map(|row| row.iter().zip(x.to_dense()).map(|(c, x)| c * x).sum()).collect();
                        known!(scaled(&a, &b, &x, n) => if n == 0 { vec![0.0; m] } else { times });
                        let b = matrix(other(kind, 3), [k, n]);
                        known!(consumed(&a, &b, n) => want.iter().map(|v| 2.0 * v).collect::<Vec<_>>());
                    }
                }
            }
        }
    )*};
}

rows! {
    rows_in_dense: DenseVec<f64>;
    rows_in_bytes: Map;
    rows_in_bits: Bits;
    rows_in_a_table: Table;
}

/// Products of a sparse and a dense matrix, products sampled by one, and products with vectors.
macro_rules! by_dense {
    ($($name:ident: $A:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn spmm(a: &$A, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } };;
                fn spmv(a: &$A, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
                fn columns(a: &$A, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j] * x[i] } };;
                fn sampled(s: &$A, u: &DenseMat<f64>, v: &DenseMat<f64>) -> (y: Csr<f64>) {
                    for i, j { { y[i, j] = s[i, j] * t } where { for k { t += u[i, k] * v[j, k] } } }
                };;
                fn sampled_at_once(s: &$A, u: &DenseMat<f64>, v: &DenseMat<f64>) -> (y: Csr<f64>) {
                    for i, j, k { y[i, j] += s[i, j] * u[i, k] * v[j, k] }
                };;
                fn sampled_rows(s: &$A, u: &DenseMat<f64>, v: &DenseMat<f64>) -> (y: DenseMat<f64>) {
                    for i, j, k { y[i, j] += s[i, j] * u[i, k] * v[k, j] }
                }
            }
            #[test]
            fn is_known() {
                for [m, k, n] in PRODUCTS {
                    for kind in 0..KINDS {
                        let (a, b) = (matrix(kind, [m, k]), matrix(other(kind, 3), [k, n]));
                        known!(spmm(&a, &b) => product(&plainly(&a), &plainly(&b)));
                        let p = plainly(&a);
                        let x: DenseVec<f64> = vector(other(kind, 7), k);
                        let xs = Plainly { shape: vec![k, 1], data: x.to_dense() };
                        known!(spmv(&a, &x) => product(&p, &xs));
                        let x: DenseVec<f64> = vector(other(kind, 7), m);
                        let xs = Plainly { shape: vec![1, m], data: x.to_dense() };
                        known!(columns(&a, &x) => product(&xs, &p));
                        let (u, v) = (matrix(other(kind, 7), [m, n]), matrix(other(kind, 3), [n, k]));
                        let uv = product(&plainly(&u), &plainly(&v));
                        let want: Vec<f64> = p.data.iter().zip(uv).map(|(s, t)| s * t).collect();
                        known!(sampled_rows(&a, &u, &v) => want);
                        let v = Tensor::from_dense([k, n], &turned(&plainly(&v))).unwrap();
                        known!(sampled(&a, &u, &v) => want);
                        known!(sampled_at_once(&a, &u, &v) => want);
                    }
                }
            }
        }
    )*};
}

by_dense! {
    rows_by_dense: Csr<f64>;
    few_rows_by_dense: Dcsr<f64>;
    coordinates_by_dense: Coo2<f64>;
    bands_by_dense: Banded;
    runs_by_dense: Runs;
    tables_by_dense: TableRows;
}

const CUBES: [[usize; 3]; 6] = [[0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [3, 2, 4], [2, 5, 3]];

macro_rules! cubes {
    ($($name:ident: $A:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn mttkrp(a: &$A, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) {
                    for i, j, k, r { y[i, r] += a[i, j, k] * b[j, r] * c[k, r] }
                };;
                fn mttkrp_factored(a: &$A, b: &DenseMat<f64>, c: &DenseMat<f64>, n: usize) -> (y: DenseMat<f64>) {
                    for i, j {
                        let mut w: DenseVec<f64>[n];
                        for k, r { w[r] += a[i, j, k] * c[k, r] }
                        for r { y[i, r] += w[r] * b[j, r] }
                    }
                };;
                fn ttv(a: &$A, x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j, k { y[i, j] += a[i, j, k] * x[k] } };;
                fn ttv_sparse(a: &$A, x: &SparseVec<f64>) -> (y: Dcsr<f64>) { for i, j, k { y[i, j] += a[i, j, k] * x[k] } };;
                fn ttv_first(a: &$A, x: &SparseVec<f64>) -> (y: DenseMat<f64>) { for i, j, k { y[j, k] += x[i] * a[i, j, k] } };;
                fn ttm(a: &$A, c: &DenseMat<f64>) -> (y: DenseCube) { for i, j, k, r { y[i, j, r] += a[i, j, k] * c[k, r] } };;
                fn ttm_fibers(a: &$A, c: &DenseMat<f64>) -> (y: RowsOfFibers) { for i, j, k, r { y[i, j, r] += a[i, j, k] * c[k, r] } }
            }
            #[test]
            fn is_known() {
                for shape in CUBES {
                    let [m, n, o] = shape;
                    for kind in 0..KINDS {
                        let a = tensor(&shape, &items(kind, m * n * o));
                        let p = plainly(&a);
                        for r in [0, 1, 3] {
                            let (b, c) = (matrix(other(kind, 3), [n, r]), matrix(other(kind, 7), [o, r]));
                            let (pb, pc) = (plainly(&b), plainly(&c));
                            let fiber = |i, j, r| (0..o).map(|k| p.at(&[i, j, k]) * pc.at(&[k, r])).sum::<f64>();
                            let want = build(&[m, r], |at| (0..n).map(|j| fiber(at[0], j, at[1]) * pb.at(&[j, at[1]])).sum::<f64>());
                            known!(mttkrp(&a, &b, &c) => want);
                            known!(mttkrp_factored(&a, &b, &c, r) => want);
                            let want = build(&[m, n, r], |at| fiber(at[0], at[1], at[2]));
                            known!(ttm(&a, &c) => want);
                            known!(ttm_fibers(&a, &c) => want);
                        }
                        let (x, s) = (vector(other(kind, 3), o), vector(other(kind, 3), o));
                        let xs = plainly(&x);
                        let want = build(&[m, n], |at| (0..o).map(|k| p.at(&[at[0], at[1], k]) * xs.at(&[k])).sum::<f64>());
                        known!(ttv(&a, &x) => want);
                        known!(ttv_sparse(&a, &s) => want);
                        let x = vector(other(kind, 7), m);
                        let xs = plainly(&x);
                        known!(ttv_first(&a, &x) => build(&[n, o], |at| (0..m).map(|i| xs.at(&[i]) * p.at(&[i, at[0], at[1]])).sum::<f64>()));
                    }
                }
            }
        }
    )*};
}

cubes! {
    fibers: DenseCsf;
    coordinates: Coo3<f64>;
}

/// Sums and products, element by element, of two and three matrices of any formats.
macro_rules! elementwise {
    ($($name:ident: $A:ty, $B:ty, $C:ty => $Y:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn add(a: &$A, b: &$B) -> (y: $Y) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
                fn times(a: &$A, b: &$B) -> (y: $Y) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
                fn sum_of_three(a: &$A, b: &$B, c: &$C) -> (y: $Y) { for i, j { y[i, j] = a[i, j] + 2 * b[i, j] - c[i, j] } };;
                fn three(a: &$A, b: &$B, c: &$C) -> (y: $Y) { for i, j { y[i, j] = a[i, j] * b[i, j] * c[i, j] } };;
                fn factored(a: &$A, b: &$B, c: &$C) -> (y: $Y) { for i, j { y[i, j] = a[i, j] * (b[i, j] + c[i, j]) } }
            }
            #[test]
            fn is_known() {
                matrices(|shape, ka, kb| {
                    let (a, b, c) = (matrix(ka, shape), matrix(kb, shape), matrix(other(ka, 7), shape));
                    let (p, q, r) = (plainly(&a), plainly(&b), plainly(&c));
                    let each = |f: fn(f64, f64, f64) -> f64| build(&shape, |at| f(p.at(at), q.at(at), r.at(at)));
                    known!(add(&a, &b) => each(|a, b, _| a + b));
                    known!(times(&a, &b) => each(|a, b, _| a * b));
                    known!(sum_of_three(&a, &b, &c) => each(|a, b, c| a + 2.0 * b - c));
                    known!(three(&a, &b, &c) => each(|a, b, c| a * b * c));
                    known!(factored(&a, &b, &c) => each(|a, b, c| a * (b + c)));
                });
            }
        }
    )*};
}

elementwise! {
    elements_of_rows: Csr<f64>, Csr<f64>, Csr<f64> => Csr<f64>;
    elements_of_few_rows: Dcsr<f64>, Csr<f64>, Dcsr<f64> => Dcsr<f64>;
    elements_of_coordinates: Coo2<f64>, Coo2<f64>, Csr<f64> => Coo2<f64>;
    elements_of_all_sorts: Runs, Banded, Csr<f64> => Runs;
    elements_of_tables: TableRows, Csr<f64>, MapRows => TableRows;
    elements_into_dense: Csr<f64>, Runs, DenseMat<f64> => DenseMat<f64>;
}

kernels! {
    fn from_half(l: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += l[i, j] * x[j]; if j < i { y[j] += l[i, j] * x[i] } }
    };;
    fn from_half_gathered(l: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i {
            let mut t: f64;
            for j { t += l[i, j] * x[j]; if j != i { y[j] += l[i, j] * x[i] } }
            y[i] += t
        }
    };;
    fn from_strict_half(l: &Csr<f64>, d: &DenseVec<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i {
            y[i] += d[i] * x[i];
            for j { y[i] += l[i, j] * x[j]; y[j] += l[i, j] * x[i] }
        }
    };;
    fn from_lower_triangle(l: &Tensor<Dense<LowerTriangular<Element<f64>>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += l[i, j] * x[j]; if j < i { y[j] += l[i, j] * x[i] } }
    };;
    fn symmetric(a: &SymMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}

#[test]
fn symmetric_matrices() {
    for n in [0, 1, 2, 5, 7] {
        for kind in 0..KINDS {
            let half: Csr<f64> = matrix(kind, [n, n]);
            let kept = half.triplets().into_iter().filter(|(at, _)| at[1] <= at[0]);
            let half: Csr<f64> = Tensor::from_triplets([n, n], kept.clone(), Refuse).unwrap();
            let p = plainly(&half);
            let full = build(&[n, n], |at| p.at(&[at[0].max(at[1]), at[0].min(at[1])]));
            let x = vector(other(kind, 3), n);
            let want = product(
                &Plainly { shape: vec![n, n], data: full.clone() },
                &Plainly { shape: vec![n, 1], data: x.to_dense() },
            );
            known!(from_half(&half, &x) => want);
            known!(from_half_gathered(&half, &x) => want);
            let strict =
                Tensor::from_triplets([n, n], kept.filter(|(at, _)| at[1] < at[0]), Refuse)
                    .unwrap();
            let d = Tensor::from_dense([n], &build(&[n], |at| p.at(&[at[0], at[0]]))).unwrap();
            known!(from_strict_half(&strict, &d, &x) => want);
            let triangle = half.convert().unwrap();
            known!(from_lower_triangle(&triangle, &x) => want);
            // Half of it is stored, and all of it read.
            let whole = Tensor::from_dense([n, n], &full).unwrap();
            known::same(&whole.to_dense(), &full, "half of it");
            known!(symmetric(&whole, &x) => want);
        }
    }
}
