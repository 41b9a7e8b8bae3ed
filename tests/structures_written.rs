//! Structured levels as results: maps and tables written in any order, triangles and symmetric matrices
//! that refuse what they cannot hold, and what each is made of.

// Elements are written that the formats refuse.
#![allow(deprecated)]

#[macro_use]
extern crate looplets_oracle as oracle;
mod structures;
use looplets::prelude::*;
use oracle::*;
use std::panic::catch_unwind;
use structures::*;

macro_rules! written {
    ($name:ident: $M:ident) => {
        mod $name {
            use super::*;
            kernels! {
                fn copy(a: &SparseVec<f64>) -> (y: Tensor<$M<Element<f64>>>) { for i { y[i] = a[i] } };;
                fn sum(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<$M<Element<f64>>>) { for i { y[i] = a[i] + 2 * b[i] } };;
                fn chosen(a: &SparseVec<f64>) -> (y: Tensor<$M<Element<f64>>>) { for i { if a[i] > 1 { y[i] = a[i] } } };;
                fn two(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: Tensor<$M<Element<f64>>>) { for i { y[i] += a[i] } for i { y[i] += b[i] } };;
                fn scatter(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: Tensor<$M<Element<f64>>>[n]) { for i { y[at[i]] += a[i] } };;
                fn least(a: &SparseVec<f64>, n: usize) -> (y: Tensor<$M<Element<f64, Inf>>>[n]) { for i { y[i] <<min>>= a[i] } };;
                fn set(a: &SparseVec<f64>) -> (y: Tensor<$M<Pattern>>) { for i { y[i] = a[i] > 0 } };;
                fn own(a: &Tensor<$M<Element<f64>>>) -> (y: Tensor<$M<Element<f64>>>) { for i { y[i] = a[i] * a[i] } };;
                fn meeting(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: Tensor<$M<Element<f64>>>[n]) { for i { y[at[i]] += a[i]; y[i] += 2 * a[i]; y[at[i]] += 3 * a[i] } };;
                fn flags(a: &SparseVec<f64>, at: &DenseVec<u8>, n: usize) -> (y: Tensor<$M<Pattern>>[n]) { for i { if a[i] > 1 { y[at[i]] ||= true } if a[i] > 2 { y[i] ||= true } } };;
                fn all_pairs(a: &SparseVec<f64>, n: usize) -> (y: Tensor<$M<Element<f64>>>[n]) { for i { for j in 0..n { y[i] += a[i]; y[j] += a[i] } } };;
                fn meeting_rows(a: &Csr<f64>, at: &DenseVec<u8>, n: usize) -> (y: Tensor<Dense<$M<Element<f64>>>>[n, n]) { for i in 0..n { for j in 0..n { y[i, j] += a[i, j]; y[at[i], at[j]] += a[i, j]; y[at[i], j] += a[i, j] } } }
            }
            kernels! {
                fn rows(a: &Csr<f64>) -> (y: Tensor<Dense<$M<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn turned(a: &Csr<f64>) -> (y: Tensor<Dense<$M<Element<f64>>>>) { for i, j { y[j, i] = a[i, j] } };;
                fn nested(a: &Csr<f64>) -> (y: Tensor<$M<$M<Element<f64>>>>) { for i, j { y[j, i] += a[i, j] } };;
                fn listed(a: &Csr<f64>) -> (y: Tensor<SparseList<$M<Element<f64>>>>) { for i, j { if a[i, j] > 1 { y[i, j] = a[i, j] } } };;
                fn banded(a: &Csr<f64>) -> (y: Tensor<SparseBand<$M<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn blocks(a: &Csr<f64>) -> (y: Tensor<$M<Dense<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn lists(a: &Csr<f64>) -> (y: Tensor<$M<SparseList<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } };;
                fn product(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<$M<Element<f64>>>>) { for i, k, j { y[i, j] += a[i, k] * b[k, j] } };;
                fn gathered(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (y: Csr<f64>) {
                    for i {
                        let mut w: Tensor<$M<Element<f64>>>[n];
                        for k, j { w[j] += a[i, k] * b[k, j] }
                        for j { y[i, j] = w[j] }
                    }
                };;
                fn once(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
                    let mut w: Tensor<$M<Element<f64>>>[n];
                    for i, j { w[j] += a[i, j] }
                    for j { y[j] = w[j::locate] + 1 }
                }
            }

            #[test]
            fn agree() {
                pairs(|n, ka, kb| {
                    let (a, b) = (vector(ka, n), vector(kb, n));
                    agree!(sum(&a, &b));
                    agree!(two(&a, &b));
                });
                vectors(|n, kind| {
                    let a = vector(kind, n);
                    agree!(copy(&a));
                    agree!(chosen(&a));
                    agree!(least(&a, n));
                    agree!(set(&a));
                    let at: Vec<u8> = (0..n).map(|i| (i * 5 % n / 2) as u8).collect();
                    let at = Tensor::from_dense([n], &at).unwrap();
                    agree!(scatter(&a, &at, n));
                    agree!(meeting(&a, &at, n));
                    agree!(flags(&a, &at, n));
                    agree!(all_pairs(&a, n));
                    let square: Csr<f64> = matrix(kind, [n, n]);
                    agree!(meeting_rows(&square, &at, n));
                    let y = meeting(&a, &at, n);
                    let again = Tensor::from_parts(y.clone().into_root()).unwrap();
                    assert_eq!(format!("{y:?}"), format!("{again:?}"));
                    let y = meeting_rows(&square, &at, n);
                    let again = Tensor::from_parts(y.clone().into_root()).unwrap();
                    assert_eq!(format!("{y:?}"), format!("{again:?}"));
                    let a = vector(kind, n);
                    agree!(own(&a));
                });
                matrices(|shape, ka, kb| {
                    let a = matrix(ka, shape);
                    agree!(rows(&a));
                    agree!(turned(&a));
                    agree!(nested(&a));
                    agree!(listed(&a));
                    agree!(banded(&a));
                    agree!(blocks(&a));
                    agree!(lists(&a));
                    agree!(once(&a, shape[1]));
                    let b = matrix(kb, [shape[1], shape[0]]);
                    agree!(product(&a, &b));
                    agree!(gathered(&a, &b, shape[0]));
                });
            }

            finch! {
                fn copied(a: &SparseVec<f64>) -> (y: Tensor<$M<Element<f64>>>) { for i { y[i] += a[i] } }
            }

            fn three() -> SparseVec<f64> {
                let entries = [([3], 2.0), ([40], -1.0), ([99], 5.0)];
                Tensor::from_triplets([100], entries, Refuse).unwrap()
            }

            #[test]
            fn only_what_was_written_is_stored() {
                let a = three();
                assert_eq!(copied(&a).triplets(), a.triplets());
                assert_eq!(chosen(&a).triplets(), [(vec![3], 2.0), (vec![99], 5.0)]);
                assert_eq!(set(&a).triplets(), [(vec![3], true), (vec![99], true)]);
            }

            #[test]
            fn assigned_fills_are_not_stored() {
                assert_eq!(copy(&three()).triplets(), three().triplets());
            }
        }
    };
}

written!(bytes: ByteMap);
written!(bits: Bitmap);
written!(bit_tree: BitTree);
written!(accumulator: Spa);
written!(stamps: StampMap);
written!(table: Hash);

macro_rules! triangle {
    ($name:ident: $L:ident, $i:ident, $j:ident, $stored:expr) => {
        mod $name {
            use super::*;
            kernels! {
                fn part(a: &DenseMat<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for $i, $j { if $stored { y[$i, $j] = a[$i, $j] } } };;
                fn turned(a: &DenseMat<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for $j, $i { if $stored { y[$i, $j] += a[$j, $i] } } };;
                fn product(a: &DenseMat<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) {
                    for $i, k, $j { if $stored { y[$i, $j] += a[$i, k] * a[k, $j] } }
                };;
                fn inner(a: &DenseMat<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) {
                    for $i, $j, k { if $stored { y[$i, $j] += a[$i, k] * a[k, $j] } }
                };;
                fn kept(a: &Csr<f64>, n: usize) -> (y: Tensor<Dense<$L<SparseList<Element<f64>>>>>[n, n, n]) {
                    for $i, $j, k { if $stored { y[$i, $j, k] = a[$j, k] } }
                }
            }

            #[test]
            fn agree() {
                for n in SIZES {
                    for kind in 0..KINDS {
                        let a = matrix(kind, [n, n]);
                        agree!(part(&a));
                        agree!(turned(&a));
                        agree!(product(&a));
                        agree!(inner(&a));
                        let a = matrix(kind, [n, n]);
                        agree!(kept(&a, n));
                    }
                }
            }

            #[test]
            fn entries() {
                for n in SIZES {
                    let stored = |$i: usize, $j: usize| $stored;
                    let all = everywhere(&[n, n]);
                    let value = |at: &[usize]| if stored(at[0], at[1]) { (3 + at[0] * 5 + at[1]) as f64 } else { 0.0 };
                    let dense: Vec<f64> = all.iter().map(|at| value(at)).collect();
                    type Triangle = Dense<$L<Element<f64>>>;
                    let a: Tensor<Triangle> = Tensor::from_dense([n, n], &dense).unwrap();
                    holds(&a, &dense);
                    let again: Tensor<Triangle> = Tensor::from_triplets([n, n], a.triplets(), Refuse).unwrap();
                    assert!(a == again);
                    for at in all.iter().filter(|at| !stored(at[0], at[1])) {
                        let error = Tensor::<Triangle>::from_triplets([n, n], [(at, 1.0)], Refuse).unwrap_err();
                        assert!(matches!(&error, Error::Unstorable { .. }), "{error}");
                        assert!(error.to_string().contains("the diagonal, where none is stored"), "{error}");
                    }
                    // No rows are those of no triangle, and any number those of triangles of size 1.
                    for shape in [[n + 2, n + 3], [n + 3, n + 2], [1, 0]] {
                        let error = Tensor::<Triangle>::new(shape).unwrap_err().to_string();
                        assert!(error.contains("no whole number of triangles"), "{error}");
                    }
                }
            }

            finch! {
                pub(crate) fn all(a: &DenseMat<f64>) -> (y: Tensor<Dense<$L<Element<f64>>>>) { for i, j { y[i, j] = a[i, j] } }
                fn checked(a: &DenseMat<f64>) -> Result<(y: Tensor<Dense<$L<Element<f64>>>>), Error> { for i, j { y[i, j] = a[i, j] } }
            }

            #[test]
            fn entries_outside_are_refused() {
                for n in [2, 5] {
                    let a: DenseMat<f64> = matrix(1, [n, n]);
                    assert!(catch_unwind(|| all(&a)).is_err());
                    let error = checked(&a).unwrap_err().to_string();
                    assert!(error.contains("the diagonal, where none is stored"), "{error}");
                }
                for shape in [[2, 3], [3, 2], [4, 3]] {
                    let error = checked(&matrix(0, shape)).unwrap_err().to_string();
                    assert!(error.contains("the diagonal") || error.contains("triangles"), "{error}");
                }
            }
        }
    };
}

triangle!(lower: LowerTriangular, i, j, j <= i);
triangle!(strict_lower: StrictLowerTriangular, i, j, j < i);
triangle!(upper: UpperTriangular, i, j, i <= j);
triangle!(strict_upper: StrictUpperTriangular, i, j, i < j);

finch! {
    fn lower_or_not(a: &DenseMat<f64>) -> (y: Tensor<Dense<StrictLowerTriangular<Element<f64>>>>) { for i, j { if a[i, j] > 0 { y[i, j] = a[i, j] } } }
    fn upper_or_not(a: &DenseMat<f64>) -> (y: Tensor<Dense<StrictUpperTriangular<Element<f64>>>>) { for i, j { if a[i, j] > 0 { y[i, j] = a[i, j] } } }
}

#[test]
fn a_triangle_without_elements_refuses_all() {
    let one: DenseMat<f64> = Tensor::from_dense([1, 1], &[4.0]).unwrap();
    assert!(catch_unwind(|| lower_or_not(&one)).is_err());
    assert!(catch_unwind(|| upper_or_not(&one)).is_err());
    let none: DenseMat<f64> = Tensor::from_dense([1, 1], &[-4.0]).unwrap();
    assert_eq!(lower_or_not(&none).to_dense(), [0.0]);
    assert_eq!(upper_or_not(&none).to_dense(), [0.0]);
}

finch! {
    fn halve(a: &DenseMat<f64>) -> (s: Tensor<Dense<Symmetric<Element<f64>>>>) { for i, j { if j <= i { s[i, j] = a[i, j] } } }
    fn whole(a: &DenseMat<f64>) -> Result<(s: Tensor<Dense<Symmetric<Element<f64>>>>), Error> { for i, j { s[i, j] = a[i, j] } }
    /// `s += a a'`, of which both halves are one.
    fn update(a: &DenseMat<f64>, s: &mut Tensor<Dense<Symmetric<Element<f64>>>>) {
        for k, i, j { if j <= i { s[i, j] += a[i::locate, k] * a[j::locate, k] } }
    }
}

kernels! {
    fn add_lower(a: &Csr<f64>, y: &mut Tensor<Dense<LowerTriangular<Element<f64>>>>) { for i, j { if j <= i { y[i, j] += a[i, j] } } };;
    fn add_upper(a: &DenseMat<f64>, y: &mut Tensor<Dense<UpperTriangular<Element<f64>>>>) {
        for i, k, j { if i <= j { y[i, j] += a[i, k] * a[k, j] } }
    };;
    fn inner_upper(a: &DenseMat<f64>, y: &mut Tensor<Dense<UpperTriangular<Element<f64>>>>) {
        for i, j, k { if i <= j { y[i, j] += a[i, k] * a[k, j] } }
    }
}
finch! {
    fn everywhere_lower(y: &mut Tensor<Dense<LowerTriangular<Element<f64>>>>) { for i, j { y[i, j] += 1 } }
}

#[test]
fn triangles_in_place() {
    for n in SIZES {
        for kind in 0..KINDS {
            let (a, b) = (matrix(kind, [n, n]), matrix(kind, [n, n]));
            let mut y = Tensor::new([n, n]).unwrap();
            agree!(add_lower(&a, &mut y));
            agree!(add_lower(&a, &mut y));
            let mut y = Tensor::new([n, n]).unwrap();
            agree!(add_upper(&b, &mut y));
            agree!(inner_upper(&b, &mut y));
        }
    }
    let mut y = Tensor::new([3, 3]).unwrap();
    assert!(catch_unwind(std::panic::AssertUnwindSafe(|| everywhere_lower(&mut y))).is_err());
    y.root().check(1).unwrap();
}

#[test]
fn symmetric_by_halves() {
    for n in SIZES {
        for kind in 0..KINDS {
            let a: DenseMat<f64> = matrix(kind, [n, n]);
            let dense = a.to_dense();
            let at = |i: usize, j: usize| dense[i * n + j];
            let half: Vec<f64> =
                everywhere(&[n, n]).iter().map(|x| at(x[0].max(x[1]), x[0].min(x[1]))).collect();
            let mut s = halve(&a);
            holds(&s, &half);
            let lower = s.triplets().into_iter().filter(|(x, _)| x[1] <= x[0]);
            let again: Tensor<Dense<Symmetric<Element<f64>>>> =
                Tensor::from_triplets([n, n], lower, Refuse).unwrap();
            assert_eq!(format!("{again:?}"), format!("{s:?}"));
            update(&a, &mut s);
            let product = |x: &Vec<usize>| (0..n).map(|k| at(x[0], k) * at(x[1], k)).sum::<f64>();
            let want: Vec<f64> =
                everywhere(&[n, n]).iter().zip(&half).map(|(x, h)| h + product(x)).collect();
            holds(&s, &want);
        }
    }
    let error = whole(&matrix(1, [2, 2])).unwrap_err().to_string();
    assert!(error.contains("at 1 of row 0 lies above the diagonal"), "{error}");
}
