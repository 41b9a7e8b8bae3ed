//! Packed triangles: what makes one, that each element is where it should be, kernels over each kind by
//! each protocol, and that kernels visit what is stored and nothing else.

#[macro_use]
extern crate looplets_oracle as oracle;
mod structures;
use looplets::prelude::*;
use oracle::*;
use structures::*;

const ROWS: [usize; 6] = [0, 1, 2, 3, 5, 8];

/// Whether a triangle stores an element of a row.
type Stored = fn(usize, usize) -> bool;

/// `count` triangles of size `n`: the values as they are packed, and all of them.
fn packed(count: usize, n: usize, stored: Stored) -> (Element<f64>, Vec<f64>) {
    let (mut values, mut dense) = (Vec::new(), Vec::new());
    for at in everywhere(&[count, n, n]) {
        // Some of the stored elements are the fill.
        let value = ((at[0] * 31 + at[1] * 7 + at[2] * 3) % 8) as f64 - 3.0;
        let here = stored(at[1], at[2]);
        values.extend(here.then_some(value));
        dense.push(if here { value } else { 0.0 });
    }
    (leaf(values), dense)
}

macro_rules! triangle {
    ($name:ident: $L:ident, $own:literal, $stored:expr) => {
        mod $name {
            use super::*;

            fn one(n: usize) -> Tensor<Dense<$L<Element<f64>>>> {
                let root = Dense::new(n, $L::new(n, packed(1, n, $stored).0));
                Tensor::from_parts(root).unwrap()
            }

            #[test]
            fn elements() {
                for n in ROWS {
                    let (values, dense) = packed(3, n, $stored);
                    let size = n * (n + 2 * $own).saturating_sub(1) / 2;
                    assert_eq!(one(n).stored(), size);
                    holds(&one(n), &dense[..n * n]);
                    let three = $L::new(n, values);
                    let apart = Tensor::from_parts(Dense::new(3, Dense::new(n, three.clone()))).unwrap();
                    holds(&apart, &dense);
                    assert_eq!(apart.stored(), 3 * size);
                    holds(&Tensor::from_parts(Dense::new(3 * n, three)).unwrap(), &dense);
                }
            }

            #[test]
            fn other_children() {
                // Each element of the triangle is a row of two.
                let (values, dense) = packed(1, 3, $stored);
                let n = values.clone().into_parts().0.len();
                let twice = values.into_parts().0.into_iter().flat_map(|v| [v, -v]).collect();
                let all: Vec<f64> = dense.iter().flat_map(|v| [*v, 0.0 - v]).collect();
                let rows = Dense::new(3, $L::new(3, Dense::new(2, leaf(twice))));
                holds(&Tensor::from_parts(rows).unwrap(), &all);
                let lists = SparseList::<_>::new(2, (0..=n).collect(), vec![1; n], structures::values(n));
                let rows = Tensor::from_parts(Dense::new(3, $L::new(3, lists))).unwrap();
                let ends = everywhere(&[3, 3, 2]);
                let stored: Stored = $stored;
                let end = |at: &Vec<usize>| f64::from(u8::from(stored(at[0], at[1]) && at[2] == 1));
                holds(&rows, &ends.iter().map(end).collect::<Vec<_>>());
                // A pattern is the mask of the triangle.
                let mask = Tensor::from_parts(Dense::new(4, $L::new(4, Pattern::new()))).unwrap();
                let want: Vec<bool> = everywhere(&[4, 4]).iter().map(|at| stored(at[0], at[1])).collect();
                holds(&mask, &want);
                // Rows may themselves be stored or not, if all are.
                let rows = SparseList::<_>::new(2, vec![0, 2], vec![0, 1], $L::new(2, Pattern::new()));
                assert_eq!(Tensor::from_parts(rows).unwrap().to_dense()[1..], want_square($stored)[1..]);
            }

            #[test]
            fn refusals() {
                let rows = |m: usize, n: usize, k: usize| Dense::new(m, $L::new(n, structures::values(k)));
                let size = |n: usize| n * (n + 2 * $own).saturating_sub(1) / 2;
                for (root, words) in [
                    (rows(3, 3, size(3) + 1), "values for"),
                    (rows(4, 4, size(4) - 1), "values for"),
                    (rows(2, 3, size(3)), "2 fibers are no whole number of triangles, which have 3 rows"),
                    (rows(4, 3, size(3)), "4 fibers are no whole number"),
                    (rows(1, 0, 0), "1 fibers are no whole number of triangles, which have 0 rows"),
                    (rows(1 << 40, 1 << 40, 0), "exceed what can be addressed"),
                    (rows(usize::MAX, usize::MAX, 0), "exceed what can be addressed"),
                    (rows(0, usize::MAX, 0), "exceed what can be addressed"),
                ] {
                    let reason = refused(root);
                    assert!(reason.contains(words), "{reason}: not {words}");
                }
                let many = Dense::new(1 << 30, Dense::new(1 << 20, $L::new(1 << 20, Pattern::new())));
                assert!(refused(many).contains("exceed what can be addressed"));
                assert!(refused($L::new(3, structures::values(3))).contains("1 fibers are no"));
            }

            kernels! {
                fn copy(a: &Tensor<Dense<$L<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] } };;
                fn follow(a: &Tensor<Dense<$L<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j::follow] } };;
                fn across(a: &Tensor<Dense<$L<Element<f64>>>>) -> (y: DenseMat<f64>) { for j, i { y[i, j] = a[i, j::locate] } };;
                fn list(a: &Tensor<Dense<$L<Element<f64>>>>) -> (y: Csr<f64>) { for i, j { y[i, j] = 2 * a[i, j] } };;
                fn times(a: &Tensor<Dense<$L<Element<f64>>>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
                fn gallop(a: &Tensor<Dense<$L<Element<f64>>>>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j::gallop] } };;
                fn runs(a: &Tensor<Dense<$L<Element<f64>>>>, x: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
                fn plus(a: &Tensor<Dense<$L<Element<f64>>>>, b: &Csr<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] + b[i, j] } };;
                fn part(a: &Tensor<Dense<$L<Element<f64>>>>, lo: usize, hi: usize, c: &mut f64) { for i in lo..hi { for j in lo..hi { c += a[i, j] } } };;
                fn moved(a: &Tensor<Dense<$L<Element<f64>>>>, c: &mut f64) { for i, j { c += a[i, j + 1] * a[i, j - 1] } };;
                fn lower(a: &Tensor<Dense<$L<Element<f64>>>>, b: &Tensor<Dense<LowerTriangular<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] * b[i, j] } };;
                fn strict(a: &Tensor<Dense<$L<Element<f64>>>>, b: &Tensor<Dense<StrictUpperTriangular<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = a[i, j] + 2 * b[i, j] } };;
                fn square(a: &Tensor<Dense<$L<Element<f64>>>>) -> (y: DenseMat<f64>) { for i, k, j { y[i, j] += a[i, k] * a[k, j] } }
            }

            #[test]
            fn agree() {
                for n in ROWS {
                    let a = one(n);
                    agree!(copy(&a));
                    agree!(follow(&a));
                    agree!(across(&a));
                    agree!(list(&a));
                    agree!(square(&a));
                    let mut c = 1.0;
                    agree!(moved(&a, &mut c));
                    for (lo, hi) in [(0, n / 2), (n / 3, n), (n / 2, n / 2)] {
                        agree!(part(&a, lo, hi, &mut c));
                    }
                    let b = Tensor::from_parts(Dense::new(n, LowerTriangular::new(n, packed(1, n, |r, i| i <= r).0))).unwrap();
                    agree!(lower(&a, &b));
                    let b = Tensor::from_parts(Dense::new(n, StrictUpperTriangular::new(n, packed(1, n, |r, i| r < i).0))).unwrap();
                    agree!(strict(&a, &b));
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
                fn total(a: &Tensor<Dense<$L<Element<f64>>>>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] } }
                fn meet(a: &Tensor<Dense<$L<Element<f64>>>>, x: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i, j { c += a[i, j] * x[j::walk] } }
            }

            #[test]
            fn steps() {
                let a = one(100);
                let (mut c, mut n) = (0.0, 0);
                total(&a, &mut c, &mut n);
                assert_eq!(c, a.to_dense().iter().sum::<f64>());
                assert_eq!(n, 100 + a.stored() as u64, "a step a row and a step an element");
                let x = Tensor::from_triplets([100], [([30], 1.0), ([70], 1.0)], Refuse).unwrap();
                let mut n = 0;
                meet(&a, &x, &mut c, &mut n);
                // A row takes a step of its own and one for each of the two that it has.
                let stored: Stored = $stored;
                let both = (0..100).map(|r| u64::from(stored(r, 30)) + u64::from(stored(r, 70))).sum::<u64>();
                assert!(n <= 2 * 100 + both, "{n} steps for {both} products");
            }
        }
    };
}

fn want_square(stored: Stored) -> Vec<bool> {
    everywhere(&[2, 2]).iter().map(|at| stored(at[0], at[1])).collect()
}

triangle!(lower: LowerTriangular, 1, |r, i| i <= r);
triangle!(strict_lower: StrictLowerTriangular, 0, |r, i| i < r);
triangle!(upper: UpperTriangular, 1, |r, i| r <= i);
triangle!(strict_upper: StrictUpperTriangular, 0, |r, i| r < i);
