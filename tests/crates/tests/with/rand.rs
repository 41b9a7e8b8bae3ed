//! Random tensors: so many entries as are asked for, wherever they may be, and the same for the same seed.

use looplets::prelude::*;
use looplets::{Error, Level};
use rand::distr::{slice::Choose, Distribution, Uniform};
use rand::rngs::SmallRng;
use rand::SeedableRng;

fn rng(seed: u64) -> SmallRng {
    SmallRng::seed_from_u64(seed)
}

#[test]
fn as_many_as_are_asked_for() {
    for count in [0, 1, 5, 34, 35, 36, 69, 70] {
        let a: Csr<f64> = Tensor::random(&mut rng(1), [7, 10], count).expect("a matrix");
        assert_eq!((a.shape(), a.stored()), (vec![7, 10], count as usize));
        assert!(a.values().expect("values").iter().all(|v| (0.0..1.0).contains(v)));
    }
    for (density, count) in [(0.0, 0), (0.1, 7), (0.5, 35), (0.992, 69), (1.0, 70)] {
        let a: Csr<f64> = Tensor::random(&mut rng(2), [7, 10], density).expect("a matrix");
        assert_eq!(a.stored(), count, "{density}");
    }
    let a: Csr<f32> = Tensor::random(&mut rng(2), [7, 10], 0.25f32).expect("a matrix");
    assert_eq!(a.stored(), 18);
}

#[test]
fn one_seed_is_one_tensor_in_all_formats() {
    fn made<L: Level<Value = f64>>(amount: usize) -> Vec<([usize; 2], f64)> {
        let a = Tensor::<L>::random(&mut rng(3), [20, 30], amount).expect("a matrix");
        let mut all = a.to_triplets();
        all.retain(|(_, value)| *value != 0.0);
        all
    }
    for amount in [40, 400] {
        let want = made::<Dense<SparseList<Element<f64>>>>(amount);
        assert_eq!(want.len(), amount);
        assert_eq!(want, made::<Dense<SparseList<Element<f64>>>>(amount));
        assert_eq!(want, made::<Dense<Dense<Element<f64>>>>(amount));
        assert_eq!(want, made::<Coo<Singleton<Element<f64>>>>(amount));
        assert_eq!(want, made::<Bst<BTree<Element<f64>>>>(amount));
        assert_eq!(want, made::<Dense<Bitmap<Element<f64>>>>(amount));
    }
    let a: Csr<f64> = Tensor::random(&mut rng(3), [20, 30], 40).expect("a matrix");
    let b: Csr<f64> = Tensor::random(&mut rng(4), [20, 30], 40).expect("a matrix");
    assert_ne!(a, b);
}

#[test]
fn each_element_is_as_likely_as_any_other() {
    for amount in [3, 9] {
        let (mut rng, mut hits) = (rng(6), [0u32; 12]);
        for _ in 0..6000 {
            let x: Tensor<SparseList<Pattern>> =
                Tensor::random(&mut rng, [12], amount).expect("a vector");
            x.for_each(|at, _| hits[at[0]] += 1);
        }
        let mean = 6000.0 * f64::from(amount) / 12.0;
        // Six standard deviations.
        let far = 6.0 * (mean * (1.0 - f64::from(amount) / 12.0)).sqrt();
        assert!(hits.iter().all(|&n| (f64::from(n) - mean).abs() < far), "{amount}: {hits:?}");
    }
}

#[test]
fn values_of_any_distribution() {
    let dice = Uniform::new_inclusive(1, 6).expect("a range");
    let x: SparseVec<i64> = Tensor::random_of(&mut rng(7), [600], 500, dice).expect("a vector");
    let mut seen = [0; 7];
    x.values().expect("values").iter().for_each(|&v| seen[v as usize] += 1);
    assert!(seen[0] == 0 && seen[1..].iter().all(|&n| n > 40), "{seen:?}");
    let given = [f64::NAN, -0.0, f64::INFINITY];
    let choice = Choose::new(&given).expect("some").map(|v: &f64| *v);
    let a: DenseMat<f64> = Tensor::random_of(&mut rng(8), [5, 5], 1.0, choice).expect("a matrix");
    let known = |v: &f64| given.iter().any(|g| g.to_bits() == v.to_bits());
    assert!(a.values().expect("values").iter().all(known));
}

#[test]
fn patterns_and_formats_that_hold_some_tensors_only() {
    let g: Graph = Tensor::random(&mut rng(9), [1 << 20, 1 << 20], 3000).expect("a graph");
    assert_eq!(g.stored(), 3000);
    let s: SymMat<f64> = Tensor::random(&mut rng(10), [9, 9], 0.4).expect("a symmetric matrix");
    let all = s.to_dense();
    assert!((0..81).all(|k| all[k] == all[k % 9 * 9 + k / 9]));
    assert!(all.iter().filter(|v| **v != 0.0).count() >= 32);
    let whole: SymMat<f64> = Tensor::random(&mut rng(10), [9, 9], 1.0).expect("a symmetric matrix");
    assert!(whole.to_dense().iter().all(|v| *v != 0.0));
    let t = Tensor::<Dense<StrictLowerTriangular<Element<f64>>>>::random(&mut rng(11), [9, 9], 40);
    assert!(matches!(t, Err(Error::Unstorable { .. })), "{t:?}");
}

#[test]
fn sizes_at_the_edge_and_errors() {
    let none: Csr<f64> = Tensor::random(&mut rng(12), [0, 5], 1.0).expect("no elements");
    assert_eq!(none.stored(), 0);
    let one: Tensor<Element<f64>> = Tensor::random(&mut rng(12), [], 1).expect("a scalar");
    assert!(one.get([]).expect("a value") > 0.0);
    let wide: Tensor<SparseList<SparseList<Element<f64>, u64>, u64>> =
        Tensor::random(&mut rng(13), [1 << 60, 1 << 60], 100).expect("a matrix");
    assert_eq!(wide.stored(), 100);
    assert!(wide.to_triplets().iter().any(|([i, _], _)| *i > 1 << 59));
    let refused = |made: Result<Csr<f64>, Error>| made.unwrap_err().to_string();
    assert_eq!(
        refused(Tensor::random(&mut rng(14), [2, 3], 7)),
        "`random` of 2x3: there are 6 elements, and 7 entries are asked for"
    );
    assert!(refused(Tensor::random(&mut rng(14), [2, 3], -1)).contains("-1 entries"));
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(
            refused(Tensor::random(&mut rng(14), [2, 3], bad)).contains("is not between 0 and 1")
        );
    }
    assert_eq!(
        Tensor::random(&mut rng(14), [2], 1).map(|_: Csr<f64>| ()).unwrap_err(),
        Error::Rank { expected: 2, found: 1 }
    );
    let falses = Choose::new(&[false]).expect("one");
    let g = Graph::<u32>::random_of(&mut rng(15), [2, 2], 1, falses.map(|b: &bool| *b));
    assert!(matches!(g, Err(Error::Operator { .. })), "{g:?}");
    let memory: Result<Csr<f64>, Error> = Tensor::random(&mut rng(16), [1 << 40, 1 << 40], 0.5);
    assert!(memory.is_err());
}

finch! {
    fn matvec(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
    fn by_columns(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}

#[test]
fn a_kernel_over_random_tensors() {
    let sparse: Csr<f64> = Tensor::random(&mut rng(17), [50, 40], 0.2).expect("a matrix");
    let dense: DenseMat<f64> = Tensor::random(&mut rng(17), [50, 40], 0.2).expect("a matrix");
    let x: DenseVec<f64> = Tensor::random(&mut rng(18), [40], 1.0).expect("a vector");
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    let (y, z) = (matvec(&sparse, &x).to_dense(), by_columns(&dense, &x).to_dense());
    assert!(y.iter().zip(&z).all(close));
}
