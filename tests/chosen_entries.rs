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

/// Operators around what is chosen. Each has a result of its own, and is assigned and added.
macro_rules! around_a_choice {
    ($($name:ident $c:ty;)*) => { $(
        #[test]
        fn $name() {
            mod kernels {
                use looplets::prelude::*;
                finch! {
                    #![dense]
                    pub fn unary(m: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>)
                        -> (c: Tensor<$c>, d: Tensor<$c>, e: Tensor<$c>, f: Tensor<$c>)
                    {
                        c[j] = -ifelse(m[j], a[j], b[j]);
                        d[j] = 2 * ifelse(m[j], a[j], b[j]);
                        e[j] = abs(ifelse(m[j], a[j], -b[j]));
                        f[j] += 2 * ifelse(m[j], a[j], b[j])
                    }
                }
                finch! {
                    #![dense]
                    pub fn binary(m: &DenseVec<bool>, w: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>, g: &SparseVec<f64>)
                        -> (c: Tensor<$c>, d: Tensor<$c>, e: Tensor<$c>, f: Tensor<$c>)
                    {
                        c[j] = max(ifelse(m[j], a[j], b[j]), g[j]);
                        d[j] = ifelse(m[j], a[j], b[j]) + ifelse(w[j], b[j], g[j]);
                        e[j] = ifelse(m[j], a[j], b[j]) * ifelse(w[j], b[j], g[j]);
                        f[j] += ifelse(m[j], a[j], b[j]) - ifelse(m[j], g[j], a[j])
                    }
                }
                finch! {
                    #![dense]
                    pub fn branches(m: &DenseVec<bool>, w: &DenseVec<bool>, a: &SparseVec<f64>, b: &SparseVec<f64>, g: &SparseVec<f64>, h: &SparseVec<f64>)
                        -> (c: Tensor<$c>, d: Tensor<$c>, e: Tensor<$c>, f: Tensor<$c>)
                    {
                        for j {
                            if m[j] { c[j] = a[j] + g[j] } else { c[j] = b[j] + h[j] }
                            d[j] = ifelse(m[j], ifelse(w[j], a[j], ifelse(a[j] > 1, g[j], b[j])), h[j]);
                            if m[j] { e[j] = -a[j] } else { if w[j] { e[j] = g[j] } else { e[j] = b[j] * 3 } }
                            f[j] = 3 * (g[j] + ifelse(m[j], a[j], b[j]))
                        }
                    }
                }
                finch! {
                    #![dense]
                    pub fn whole(m: &DenseVec<bool>, a: &SparseVec<i64>, b: &SparseVec<i64>, e: &DenseVec<i64>)
                        -> (c: SparseVec<i64>, d: SparseVec<i64>)
                    {
                        c[j] = ifelse(m[j], a[j], b[j]) / e[j];
                        d[j] = ifelse(m[j], a[j], b[j]) * e[j]
                    }
                }
            }
            for n in [0, 1, 2, 65] {
            let value = [0.5, -0.0, 1.5, f64::MAX, 0.0, 5e-324, 2.0];
            let has = |bit: usize| move |k: usize| (k >> bit & 1 == 1).then(|| value[(k / 3 + bit) % 7]);
            let (a, b, g, h) = (has(0), has(1), has(2), has(3));
            let list = |of: &dyn Fn(usize) -> Option<f64>| -> SparseVec<f64> {
                Tensor::from_triplets([n], (0..n).filter_map(|k| Some(([k], of(k)?))), Refuse).expect("inside")
            };
            let flags = |bit: usize| -> DenseVec<bool> {
                let all: Vec<bool> = (0..n).map(|k| k >> bit & 1 == 1).collect();
                Tensor::from_dense([n], &all).expect("as long")
            };
            let (m, w) = (flags(4), flags(5));
            let is = |of: &DenseVec<bool>, k: usize| of.values().expect("dense")[k];
            let (ta, tb, tg, th) = (list(&a), list(&b), list(&g), list(&h));
            let check = |what: &str, c: &Tensor<$c>, of: &dyn Fn(usize) -> Option<f64>| {
                let got: Vec<(usize, f64)> = c.triplets().into_iter().map(|(at, x)| (at[0], x + 0.0)).collect();
                let want: Vec<(usize, f64)> = (0..n).filter_map(|k| Some((k, of(k)? + 0.0))).collect();
                assert_eq!(got, want, "{what}");
            };
            let one = |k: usize| if is(&m, k) { a(k) } else { b(k) };
            let two = |k: usize| if is(&w, k) { b(k) } else { g(k) };
            let any = |of: [Option<f64>; 2], f: fn(f64, f64) -> f64| match of {
                [None, None] => None,
                [x, y] => Some(f(x.unwrap_or(0.0), y.unwrap_or(0.0))),
            };
            let (c, d, e, f) = kernels::unary(&m, &ta, &tb);
            check("negated", &c, &|k| one(k).map(|x| -x));
            check("doubled", &d, &|k| one(k).map(|x| x * 2.0));
            check("absolute", &e, &one);
            check("added", &f, &|k| one(k).map(|x| x * 2.0));
            let (c, d, e, f) = kernels::binary(&m, &w, &ta, &tb, &tg);
            check("greater", &c, &|k| any([one(k), g(k)], f64::max));
            check("sum", &d, &|k| any([one(k), two(k)], |x, y| x + y));
            check("product", &e, &|k| Some(one(k)? * two(k)?));
            check("difference", &f, &|k| any([one(k), if is(&m, k) { g(k) } else { a(k) }], |x, y| x - y));
            let (c, d, e, f) = kernels::branches(&m, &w, &ta, &tb, &tg, &th);
            let plus: fn(f64, f64) -> f64 = |x, y| x + y;
            check("sums", &c, &|k| any(if is(&m, k) { [a(k), g(k)] } else { [b(k), h(k)] }, plus));
            check("nested", &d, &|k| match (is(&m, k), is(&w, k)) {
                (false, _) => h(k),
                (true, true) => a(k),
                (true, false) => if a(k).unwrap_or(0.0) > 1.0 { g(k) } else { b(k) },
            });
            check("chain", &e, &|k| match (is(&m, k), is(&w, k)) {
                (true, _) => a(k).map(|x| -x),
                (_, true) => g(k),
                _ => b(k).map(|x| x * 3.0),
            });
            check("times a sum", &f, &|k| any([g(k), one(k)], plus).map(|x| x * 3.0));

            let whole = |of: &dyn Fn(usize) -> Option<f64>| -> SparseVec<i64> {
                let all = (0..n).filter_map(|k| Some(([k], ((of(k)? * 10.0) as i64).min(20))));
                Tensor::from_triplets([n], all, Refuse).expect("inside")
            };
            // A divisor of 0 divides nothing.
            let by: Vec<i64> = (0..n).map(|k| i64::from(one(k).is_some()) * 5).collect();
            let (c, d) = kernels::whole(&m, &whole(&a), &whole(&b), &Tensor::from_dense([n], &by).unwrap());
            let want: Vec<(Vec<usize>, i64)> = (0..n).filter_map(|k| Some((vec![k], ((one(k)? * 10.0) as i64).min(20)))).collect();
            assert_eq!(c.triplets(), want.iter().map(|(k, x)| (k.clone(), x / 5)).collect::<Vec<_>>());
            assert_eq!(d.triplets(), want.iter().map(|(k, x)| (k.clone(), x * 5)).collect::<Vec<_>>());
            }
        }
    )* };
}

around_a_choice! {
    around_into_lists SparseList<Element<f64>>;
    around_into_hash Hash<Element<f64>>;
    around_into_marks Bitmap<Element<f64>>;
    around_into_nodes Bst<Element<f64>>;
}
