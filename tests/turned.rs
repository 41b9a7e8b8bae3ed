//! Matrices whose loops come to them in the other order: a copy is put in order by counting or by hashing, and gives the same.

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Small = Tensor<Dense<SparseList<Element<i8>>>>; }
level! { type Rows = Tensor<SparseList<SparseList<Element<f64>, u64>, u64>>; }
level! { type Filed = Tensor<Dense<looplets::Interleaved<Element<f64>>>>; }
level! { type FiledCube = Tensor<Dense<Dense<looplets::Interleaved<Element<f64>, u8>>>>; }

/// A program with its choice open, and settled either way.
macro_rules! both {
    ($($module:ident($of:ident) $params:tt -> $out:tt $body:tt)*) => {
        $(mod $module {
            use super::*;
            finch! { pub fn open $params -> $out $body }
            finch! { #![schedule(dense($of))] pub fn counted $params -> $out $body }
            finch! { #![schedule(hash($of))] pub fn hashed $params -> $out $body }
        })*
    };
}

both! {
    transposed(c) (a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[j, i] }
    added(c) (a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[j, i] * 2 }
    pattern(c) (a: &Graph) -> (c: Graph) { c[i, j] = a[j, i] }
    small(c) (a: &Small) -> (c: Small) { c[i, j] = a[j, i] }
    lists(c) (a: &Rows) -> (c: Rows) { c[i, j] = a[j, i] }
    sum(b) (a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[j, i] }
    masked(m) (a: &Csr<f64>, m: &Graph) -> (c: Csr<f64>) { if m[j, i] { c[i, j] = a[i, j] } }
}

finch! {
    /// Rows and columns in any order, some of them twice.
    fn filed(rows: &DenseVec<usize>, columns: &DenseVec<usize>, x: &DenseVec<f64>, n: usize, m: usize) -> (c: Csr<f64>) {
        let mut w: Filed[n, m];
        for k { w[rows[k], columns[k]] += x[k] }
        for i, j { c[i, j] = w[i, j] }
    }
    /// What is written again is in order again.
    fn twice(a: &Csr<f64>, n: usize, m: usize) -> (c: Csr<f64>) {
        let mut w: Filed[m, n];
        for i, j { w[j, i] += a[i, j] }
        for i, j { w[j, i] += a[i, j] }
        for j, i { c[j, i] = w[j, i] }
    }
    fn cube(a: &Tensor<Dense<Dense<SparseList<Element<f64>>>>>, n: usize, m: usize, l: usize) -> (c: Tensor<Dense<Dense<SparseList<Element<f64>>>>>) {
        let mut w: FiledCube[l, m, n];
        for i, j, k { w[k, j, i] = a[i, j, k] }
        for k, j, i { c[k, j, i] = w[k, j, i] }
    }
}

/// About one in three places of a matrix, zeros and hostile values among them.
fn entries(rows: usize, columns: usize, seed: usize) -> Vec<([usize; 2], f64)> {
    let of = values(rows * columns, seed, 5);
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    let all = places.zip(of).enumerate();
    all.filter(|(n, _)| (n + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 < 5)
        .map(|(_, e)| e)
        .collect()
}

fn turned(entries: &[([usize; 2], f64)]) -> Vec<([usize; 2], f64)> {
    entries.iter().map(|([i, j], x)| ([*j, *i], *x)).collect()
}

const SIZES: [(usize, usize); 7] = [(0, 0), (0, 4), (4, 0), (1, 1), (3, 17), (17, 3), (33, 20)];

#[test]
fn transposes() {
    for (n, m) in SIZES {
        for seed in 0..3 {
            let all = entries(n, m, seed);
            macro_rules! alike {
                ($module:ident of $ty:ty, $value:expr) => {
                    let of = $value;
                    let made = |all: Vec<([usize; 2], f64)>, shape: [usize; 2]| -> $ty {
                        Tensor::from_triplets(
                            shape,
                            all.into_iter().map(|(at, x)| (at, of(x))),
                            Refuse,
                        )
                        .unwrap()
                    };
                    let (a, expected) = (made(all.clone(), [n, m]), made(turned(&all), [m, n]));
                    for c in [$module::open(&a), $module::counted(&a), $module::hashed(&a)] {
                        assert_eq!(
                            format!("{:?}", c.triplets()),
                            format!("{:?}", expected.triplets()),
                            "{}",
                            stringify!($module)
                        );
                    }
                };
            }
            alike!(transposed of Csr<f64>, |x: f64| x);
            alike!(pattern of Graph, |_| true);
            alike!(small of Small, |x: f64| x as i8);
            alike!(lists of Rows, |x: f64| x);
        }
    }
}

#[test]
fn beside_others() {
    for (n, m) in SIZES {
        for seed in 0..3 {
            let (one, other) = (entries(n, m, seed), entries(m, n, seed + 5));
            let made = |all: &[([usize; 2], f64)], shape| -> Csr<f64> {
                Tensor::from_triplets(shape, all.iter().copied(), Refuse).unwrap()
            };
            let (a, b) = (made(&one, [n, m]), made(&other, [m, n]));
            let mut expected = vec![0.0; n * m];
            one.iter().for_each(|([i, j], x)| expected[i * m + j] += x);
            turned(&other).iter().for_each(|([i, j], x)| expected[i * m + j] += x);
            for c in [sum::open(&a, &b), sum::counted(&a, &b), sum::hashed(&a, &b)] {
                same(&positive(&c.to_dense()), &positive(&expected), (n, m, seed));
            }
            let double: Vec<f64> =
                made(&turned(&one), [m, n]).to_dense().iter().map(|x| x * 2.0).collect();
            for c in [added::open(&a), added::counted(&a), added::hashed(&a)] {
                same(&positive(&c.to_dense()), &positive(&double), (n, m, seed));
            }
            let mask: Graph =
                Tensor::from_triplets([m, n], other.iter().map(|(at, _)| (*at, true)), Refuse)
                    .unwrap();
            let kept = one
                .iter()
                .copied()
                .filter(|([i, j], _)| other.iter().any(|(at, _)| *at == [*j, *i]));
            let expected = made(&kept.collect::<Vec<_>>(), [n, m]);
            for c in
                [masked::open(&a, &mask), masked::counted(&a, &mask), masked::hashed(&a, &mask)]
            {
                assert_eq!(c.stored(), expected.stored());
                same(&c.to_dense(), &expected.to_dense(), (n, m, seed));
            }
        }
    }
}

/// Zeros without their signs.
fn positive(all: &[f64]) -> Vec<f64> {
    all.iter().map(|x| x + 0.0).collect()
}

level! { type Cube = Tensor<Dense<Dense<SparseList<Element<f64>>>>>; }
level! { type Lists = Tensor<Dense<SparseList<SparseList<Element<f64>>>>>; }

finch! {
    fn into_lists(a: &Csr<f64>) -> (y: Tensor<SparseList<Dense<Element<f64>>>>) { y[i, j] = a[j, i] }
    fn less(a: &Csr<f64>) -> (y: Tensor<SparseBlockList<Dense<Element<f64>>>>) { y[i, j] -= a[j, i] }
    fn into_tables(m: &Graph, a: &Csr<f64>) -> (y: Tensor<SparseList<Hash<Element<f64>>>>) { if m[j, i] { y[i, j] += a[j, i] } }
    fn into_runs(a: &Csr<f64>) -> (y: Tensor<RunList<Dense<Element<f64>>>>) { y[i, j] = a[j, i] }
    fn unordered(a: &Csr<f64>, b: &DenseVec<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) { y[i, j] += a[j, i] * b[j] }
    fn within(a: &Lists) -> (y: Tensor<Dense<SparseList<Dense<Element<f64>>>>>) { y[i, j, k] = a[i, k, j] }
    fn fibers(a: &Cube) -> (y: Cube) { y[i, j, k] = a[j, i, k] }
    fn cubes(a: &Cube) -> (y: Tensor<Dense<Dense<UnorderedList<Element<f64>>>>>) { y[i, j, k] = a[k, j, i] }
    /// What is summed first is turned.
    fn summed(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>, y: &mut DenseMat<f64>) { y[l, i] += a[i, k] * b[j, k] * d[j, l] }
}
finch! {
    #![schedule(first(b, d))]
    fn summed_first(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>, y: &mut DenseMat<f64>) { y[l, i] += a[i, k] * b[j, k] * d[j, l] }
}

/// Results whose levels are appended to, or begun fiber by fiber, above others that are written in any order.
#[test]
fn above_others() {
    for (n, m) in SIZES {
        let all: Vec<([usize; 2], f64)> = entries(n, m, 1)
            .into_iter()
            .map(|(at, x)| (at, if x.is_finite() { x } else { 0.5 }))
            .collect();
        let a: Csr<f64> = Tensor::from_triplets([n, m], all.iter().copied(), Refuse).unwrap();
        let expected = Csr::<f64>::from_triplets([m, n], turned(&all), Refuse).unwrap().to_dense();
        let mask: Graph =
            Tensor::from_triplets([n, m], all.iter().map(|(at, _)| (*at, true)), Refuse).unwrap();
        let ones: DenseVec<f64> = Tensor::from_dense([n], &vec![1.0; n]).unwrap();
        let negative: Vec<f64> = expected.iter().map(|x| -x).collect();
        same(&into_lists(&a).to_dense(), &expected, (n, m));
        same(&positive(&less(&a).to_dense()), &positive(&negative), (n, m));
        same(&positive(&into_tables(&mask, &a).to_dense()), &positive(&expected), (n, m));
        same(&positive(&into_runs(&a).to_dense()), &positive(&expected), (n, m));
        same(&positive(&unordered(&a, &ones).to_dense()), &positive(&expected), (n, m));

        let places = |([i, j], x): &([usize; 2], f64)| ([*i % 3, *j, *i / 3], *x);
        let cube = all.iter().map(places);
        let shape = [3, m, n.div_ceil(3)];
        let of = |order: [usize; 3]| -> Vec<f64> {
            let all = cube.clone().map(|(at, x)| (order.map(|d| at[d]), x));
            Cube::from_triplets(order.map(|d| shape[d]), all, Refuse).unwrap().to_dense()
        };
        let dense: Cube = Tensor::from_triplets(shape, cube.clone(), Refuse).unwrap();
        same(&fibers(&dense).to_dense(), &of([1, 0, 2]), (n, m));
        same(&cubes(&dense).to_dense(), &of([2, 1, 0]), (n, m));
        same(&within(&dense.convert().unwrap()).to_dense(), &of([0, 2, 1]), (n, m));

        let whole =
            turned(&all).into_iter().map(|(at, x)| (at, (x * 4.0).round().clamp(-8.0, 8.0)));
        let b: Csr<f64> = Tensor::from_triplets([m, n], whole, Refuse).unwrap();
        let (mut one, mut other): (DenseMat<f64>, DenseMat<f64>) =
            (Tensor::new([n, m]).unwrap(), Tensor::new([n, m]).unwrap());
        summed(&b, &b, &b, &mut one);
        summed_first(&b, &b, &b, &mut other);
        assert_eq!(one.to_dense(), other.to_dense());
    }
}

/// Far more rows than entries: what is taken is for the entries.
#[test]
fn hypersparse() {
    let shape = [1 << 50, 1 << 45];
    let all = [([7, 1 << 44], 0.5), ([1 << 49, 3], -1.5), ([(1 << 50) - 1, 3], 2.5)];
    let a: Rows = Tensor::from_triplets(shape, all, Refuse).unwrap();
    let c = lists::open(&a);
    let expected: Rows = Tensor::from_triplets([shape[1], shape[0]], turned(&all), Refuse).unwrap();
    assert!(c == expected);
}

#[test]
fn any_order() {
    for (n, m) in SIZES {
        for seed in 0..3 {
            let all = entries(n, m, seed);
            let x = values(2 * all.len(), seed, 300);
            let mixed = |k: usize| (k * 7 + seed) % all.len().max(1);
            let places: Vec<[usize; 2]> = (0..x.len()).map(|k| all[mixed(k)].0).collect();
            let index = |d: usize| -> DenseVec<usize> {
                let all: Vec<usize> = places.iter().map(|at| at[d]).collect();
                Tensor::from_dense([all.len()], &all).unwrap()
            };
            let of: DenseVec<f64> = Tensor::from_dense([x.len()], &x).unwrap();
            let mut expected = vec![0.0; n * m];
            places.iter().zip(&x).for_each(|([i, j], x)| expected[i * m + j] += x);
            let c = filed(&index(0), &index(1), &of, n, m);
            same(&positive(&c.to_dense()), &positive(&expected), (n, m, seed));

            let a: Csr<f64> = Tensor::from_triplets([n, m], all.clone(), Refuse).unwrap();
            let double: Vec<f64> = transposed::open(&a).to_dense().iter().map(|x| x + x).collect();
            same(&positive(&twice(&a, n, m).to_dense()), &positive(&double), (n, m, seed));
        }
    }
    let all = (0..60).map(|k| ([k % 3, k / 3 % 4, k / 12], k as f64 / 4.0));
    let a = Tensor::from_triplets([3, 4, 5], all.clone(), Refuse).unwrap();
    let turned = all.map(|([i, j, k], x)| ([k, j, i], x));
    assert!(cube(&a, 3, 4, 5) == Tensor::from_triplets([5, 4, 3], turned, Refuse).unwrap());
}

/// What is no order of entries is refused.
#[test]
fn invariants() {
    let level = |fib: &[usize], crd: &[u32], ends: &[usize], pos: &[usize], ord: &[usize]| {
        let leaf = Element::new(vec![0.5; crd.len()]);
        let made: Result<Filed, Error> = Tensor::from_parts(Dense::new(
            2,
            looplets::Interleaved::new(
                3,
                fib.into(),
                crd.into(),
                ends.into(),
                pos.into(),
                ord.into(),
                leaf,
            ),
        ));
        made.is_ok()
    };
    assert!(level(&[1, 0, 1], &[0, 2, 2], &[3, 3], &[0, 1, 3], &[1, 0, 2]));
    assert!(
        !level(&[1, 0, 1], &[0, 2, 2], &[3, 2], &[0, 1, 3], &[1, 0, 2]),
        "an end before an entry"
    );
    assert!(!level(&[1, 0, 1], &[0, 2, 2], &[3], &[0, 1, 3], &[1, 0, 2]), "a fiber without an end");
    assert!(
        !level(&[1, 0, 1], &[2, 2, 0], &[3, 3], &[0, 1, 3], &[1, 0, 2]),
        "entries that descend"
    );
    assert!(
        !level(&[1, 0, 1], &[0, 2, 3], &[4, 4], &[0, 1, 3], &[1, 0, 2]),
        "a coordinate behind the size"
    );
    assert!(
        !level(&[1, 0, 0], &[0, 2, 2], &[3, 3], &[0, 1, 3], &[1, 0, 2]),
        "an entry of another fiber"
    );
    assert!(!level(&[1, 0], &[0, 2, 2], &[3, 3], &[0, 1, 3], &[1, 0, 2]), "an entry of no fiber");
}

/// The copy is held in the format that the program asks for.
macro_rules! held {
    ($($name:ident: $format:ty;)*) => {$(
        finch! {
            #![schedule(workspace(b: $format))]
            fn $name(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[j, i] }
        }
    )*};
}

held! {
    in_tables: Tensor<Dense<Hash<Element<f64>>>>;
    in_trees: Tensor<Dense<Bst<Element<f64>>>>;
    in_a_table_of_tables: Tensor<Hash<Hash<Element<f64>>>>;
}

#[test]
fn copies_in_formats_that_are_asked_for() {
    for (n, m) in [(0, 0), (0, 3), (1, 1), (7, 5), (5, 70)] {
        let a: Csr<f64> =
            Tensor::from_triplets([n, m], entries(n, m, 1), Refuse).expect("a matrix");
        let b: Csr<f64> =
            Tensor::from_triplets([m, n], entries(m, n, 2), Refuse).expect("a matrix");
        let c = sum::open(&a, &b);
        for other in [in_tables(&a, &b), in_trees(&a, &b), in_a_table_of_tables(&a, &b)] {
            assert_eq!((c.stored(), c.shape()), (other.stored(), other.shape()));
            same(&other.to_dense(), &c.to_dense(), (n, m));
        }
    }
}
