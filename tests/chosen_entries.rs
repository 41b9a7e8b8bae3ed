//! What is stored of what a condition chooses: entries of the operand that is chosen, and of no other.

use looplets::prelude::*;

/// Which of two operands is assigned is decided by `m`, for each of them anew: nothing is stored for the sake of the other.
macro_rules! stored_by_one {
    ($($name:ident $c:ty;)*) => { $(
        #[test]
        fn $name() {
            mod kernels {
                use looplets::prelude::*;
                finch! {
                    #![dense]
                    pub fn branches(m: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: Tensor<$c>) {
                        for j { if m[j] { c[j] = a[j] } else { c[j] = b[j] } }
                    }
                }
                finch! {
                    #![dense]
                    pub fn chosen(m: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: Tensor<$c>) {
                        c[j] = ifelse(m[j], a[j], b[j])
                    }
                }
                finch! {
                    #![dense]
                    pub fn added(m: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: Tensor<$c>) {
                        for j { c[j] += ifelse(m[j], a[j], b[j]) }
                    }
                }
                finch! {
                    #![dense]
                    pub fn all_of_one(m: &DenseVec<bool>, a: &DenseVec<f64>, b: &SparseVec<f64>) -> (c: Tensor<$c>) {
                        for j { if m[j] { c[j] = a[j] } else { c[j] = b[j] } }
                    }
                }
                finch! {
                    #![dense]
                    pub fn chain(m: &DenseVec<i64>, a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: Tensor<$c>) {
                        for j { if m[j] > 1 { c[j] = a[j] } else if m[j] > 0 { c[j] = b[j] * 2 } else { c[j] = -a[j] } }
                    }
                }
            }
            let m = Tensor::from_dense([6], &[true, true, true, false, false, false]).unwrap();
            let a = Tensor::from_triplets([6], [([1], 2.5), ([2], 0.0), ([4], 1.0)], Refuse).unwrap();
            let b = Tensor::from_triplets([6], [([0], 3.0), ([5], 3.0), ([4], 0.0)], Refuse).unwrap();
            let stored = |c: &Tensor<$c>| -> Vec<(usize, f64)> {
                c.triplets().into_iter().map(|(at, x)| (at[0], x)).collect()
            };
            let one = [(1, 2.5), (2, 0.0), (4, 0.0), (5, 3.0)];
            assert_eq!(stored(&kernels::branches(&m, &a, &b)), one);
            assert_eq!(stored(&kernels::chosen(&m, &a, &b)), one);
            assert_eq!(stored(&kernels::added(&m, &a, &b)), one);
            let d = Tensor::from_dense([6], &[0.5, 0.0, -1.0, 7.0, 7.0, 7.0]).unwrap();
            let all = [(0, 0.5), (1, 0.0), (2, -1.0), (4, 0.0), (5, 3.0)];
            assert_eq!(stored(&kernels::all_of_one(&m, &d, &b)), all);
            let m = Tensor::from_dense([6], &[2, 1, 0, 2, 1, 0]).unwrap();
            assert_eq!(stored(&kernels::chain(&m, &a, &b)), [(2, 0.0), (4, 0.0)]);
        }
    )* };
}

stored_by_one! {
    chosen_into_lists SparseList<Element<f64>>;
    chosen_into_hash Hash<Element<f64>>;
    chosen_into_marks Bitmap<Element<f64>>;
    chosen_into_bytes ByteMap<Element<f64>>;
    chosen_into_spa Spa<Element<f64>>;
    chosen_into_nodes Bst<Element<f64>>;
    chosen_into_coordinates Coo<Element<f64>>;
}

finch! {
    #![dense]
    fn missing_condition(p: &DenseVec<i64>, x: &DenseVec<f64>, a: &SparseVec<f64>) -> (c: SparseVec<f64>, d: Tensor<Hash<Element<f64>>>) {
        for j {
            c[j] = ifelse(x[permit[p[j]]] > 0.5, 0, a[j]);
            d[j] += ifelse(x[permit[j + 1]] > 0.5, 0, a[j])
        }
    }
}

/// Where the condition is missing, nothing is chosen, not what an `if` would go on with.
#[test]
fn what_a_missing_condition_chooses() {
    let p = Tensor::from_dense([4], &[0, 1, -1, 4]).unwrap();
    let x = Tensor::from_dense([4], &[0.75, 0.25, 1.0, f64::NAN]).unwrap();
    let a = Tensor::from_dense([4], &[1.5, 2.5, 3.5, 4.5]).unwrap();
    let (c, d) = missing_condition(&p, &x, &a);
    assert_eq!(c.triplets(), [(vec![1], 2.5)]);
    assert_eq!(d.triplets(), [(vec![0], 1.5), (vec![2], 3.5)]);
}

finch! {
    #![dense]
    fn branches_of_missing(m: &DenseVec<f64>, a: &SparseVec<f64>, b: &SparseVec<f64>, x: &DenseVec<f64>) -> (c: Tensor<Hash<Element<f64>>>) {
        for j { if x[permit[j + 1]] > 0 { c[j] = a[j] } else { c[j] = b[j] * m[j] } }
    }
}
finch! {
    #![dense]
    fn in_place_of_missing(p: &SparseVec<bool>, a: &SparseVec<f64>, d: &DenseVec<f64>) -> (c: Tensor<Hash<Element<f64>>>) {
        for j { c[j] = coalesce(ifelse(p[j], a[j], missing), 0) * d[j] }
    }
}

/// An `if` whose condition is missing goes on with its other branch, and an element is written by one of the two.
#[test]
fn what_branches_store() {
    let a = Tensor::from_triplets([4], [([0], 1.5), ([2], 0.0)], Refuse).unwrap();
    let b = Tensor::from_triplets([4], [([1], 0.5), ([3], 2.0)], Refuse).unwrap();
    let m = Tensor::from_dense([4], &[f64::INFINITY; 4]).unwrap();
    let x = Tensor::from_dense([4], &[0.0, 1.0, -1.0, 1.0]).unwrap();
    let c = branches_of_missing(&m, &a, &b, &x);
    assert_eq!(
        c.triplets(),
        [(vec![0], 1.5), (vec![1], f64::INFINITY), (vec![2], 0.0), (vec![3], f64::INFINITY)]
    );
    let x = Tensor::from_dense([4], &[0.0, -1.0, 1.0, -1.0]).unwrap();
    let c = branches_of_missing(&m, &a, &b, &x);
    assert_eq!(c.triplets(), [(vec![3], f64::INFINITY)]);

    let p = Tensor::from_triplets([4], [([0], true), ([1], true), ([2], false)], Refuse).unwrap();
    let c = in_place_of_missing(&p, &a, &m);
    assert_eq!(c.to_dense(), [f64::INFINITY, 0.0, 0.0, 0.0]);
}
