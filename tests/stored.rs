//! What a tensor stores is changed where it is, in any format: bit by bit what a loop over the stored entries in Rust gives, and
//! what is not stored stays so.

use looplets::conformance::Hostile;
use looplets::prelude::*;

fn hostile(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|k| f64::hostile(k * 7 + seed)).collect()
}

type Entries = Vec<([usize; 2], f64)>;

/// Every third entry or so, zeros that are stored among them.
fn entries([m, n]: [usize; 2], seed: usize) -> Entries {
    let all = (0..m).flat_map(|i| (0..n).map(move |j| [i, j]));
    let some = all.filter(|[i, j]| (i * 5 + j * 3 + seed).is_multiple_of(3));
    some.enumerate().map(|(k, at)| (at, f64::hostile(k * 3 + seed))).collect()
}

fn bits(x: f64) -> Option<u64> {
    (!x.is_nan()).then(|| x.to_bits())
}

/// The entries of a tensor, bit by bit.
fn stored<L: Level<Value = f64>>(a: &Tensor<L>) -> Vec<(Vec<usize>, Option<u64>)> {
    a.triplets().into_iter().map(|(at, x)| (at, bits(x))).collect()
}

fn expected(all: &[(Vec<usize>, f64)]) -> Vec<(Vec<usize>, Option<u64>)> {
    all.iter().map(|(at, x)| (at.clone(), bits(*x))).collect()
}

const SHAPES: [[usize; 2]; 7] = [[0, 0], [0, 3], [1, 1], [3, 0], [2, 5], [7, 4], [5, 65]];

macro_rules! formats {
    ($($name:ident [$($format:tt)*])*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn scaled(a: &mut $($format)*, s: f64) { a[i, j] *= s }
                fn divided(a: &mut $($format)*, r: &DenseVec<f64>) { for i, j { a[i, j] /= r[i] } }
                fn beside(a: &mut $($format)*, r: &DenseVec<f64>, x: &SparseVec<f64>) {
                    for i, j { a[i, j] = a[i, j] * (r[i] - x[j]) }
                }
                fn under(a: &mut $($format)*, x: &SparseVec<f64>) {
                    for i, j { if x[j] != 0 { a[i, j] *= x[j] } }
                }
                fn cut(a: &mut $($format)*, e: f64, n: &mut u64) {
                    for i, j { if abs(a[i, j]) < e { n += a[i, j] != 0; a[i, j] = 0 } }
                }
                fn by_sums(a: &mut $($format)*) {
                    for i {
                        let mut t: f64;
                        for j { t += abs(a[i, j]) }
                        for j { a[i, j] /= t }
                    }
                }
            }
            for shape in SHAPES {
                for seed in 0..15 {
                    // A format of one entry a row does not store all of them.
                    let all = Tensor::from_triplets(shape, entries(shape, seed), Refuse);
                    let Ok(a): Result<$($format)*, _> = all else { continue };
                    let before = a.triplets();
                    let (r, x) = (hostile(shape[0], seed + 1), hostile(shape[1], seed + 5));
                    let dense = DenseVec::from_dense([shape[0]], &r).expect("as long");
                    let list = SparseVec::from_dense([shape[1]], &x).expect("as long");
                    let check = |what: &str, kernel: &mut dyn FnMut(&mut $($format)*), entry: &dyn Fn(&[usize], f64) -> f64| {
                        let mut changed = a.clone();
                        kernel(&mut changed);
                        let wanted: Vec<_> = before.iter().map(|(at, v)| (at.clone(), entry(at, *v))).collect();
                        assert_eq!(stored(&changed), expected(&wanted), "{what} of {shape:?} from {seed}");
                    };
                    for s in [0.5, -0.0, f64::INFINITY, f64::NAN] {
                        check("scaled", &mut |a| scaled(a, s), &|_, v| v * s);
                    }
                    check("divided", &mut |a| divided(a, &dense), &|at, v| v / r[at[0]]);
                    check("beside", &mut |a| beside(a, &dense, &list), &|at, v| v * (r[at[0]] - x[at[1]]));
                    check("under", &mut |a| under(a, &list), &|at, v| if x[at[1]] != 0.0 { v * x[at[1]] } else { v });
                    let mut n = 0;
                    check("cut", &mut |a| cut(a, 1.0, &mut n), &|_, v| if v.abs() < 1.0 { 0.0 } else { v });
                    let cut_off = before.iter().filter(|(_, v)| v.abs() < 1.0 && *v != 0.0).count();
                    assert_eq!(n, cut_off as u64, "cut of {shape:?} from {seed}");
                    let sum = |i: usize| before.iter().filter(|(at, _)| at[0] == i).fold(0.0, |t, (_, v)| t + v.abs());
                    // Sums of more than two entries may be taken in another order.
                    if shape[1] <= 2 {
                        check("by sums", &mut by_sums, &|at, v| v / sum(at[0]));
                    }
                }
            }
        }
    )*};
}

formats! {
    rows_of_lists [Csr<f64>]
    lists_of_lists [Dcsr<f64>]
    coordinates [Coo2<f64>]
    tables [Tensor<Hash<Hash<Element<f64>, u64>, u64>>]
    rows_of_tables [Tensor<Dense<Hash<Element<f64>>>>]
    rows_of_bits [BitMat<f64>]
    rows_of_bytes [Tensor<ByteMap<Dense<Element<f64>>>>]
    rows_of_trees [Tensor<Dense<Bst<Element<f64>>>>]
    trees_of_trees [Tensor<BTree<RedBlack<Element<f64>>>>]
    rows_of_blocks [Tensor<Dense<SparseBlockList<Element<f64>>>>]
    rows_of_chunks [Tensor<Dense<BlockList<Element<f64>>>>]
    rows_of_links [Tensor<Dense<LinkedList<Element<f64>>>>]
    rows_of_bands [Tensor<Dense<SparseBand<Element<f64>>>>]
    rows_of_points [Tensor<Dense<SparsePoint<Element<f64>>>>]
    rows_of_compressed_trees [Tensor<Dense<CTree<Element<f64>>>>]
    rows_of_hybrids [Tensor<Dense<HybridBTree<Element<f64>>>>]
    rows_with_gaps [Tensor<Dense<GapBlockList<Element<f64>>>>]
    lists_of_arrays [Tensor<SparseList<Dense<Element<f64>>>>]
}

#[test]
fn a_run_is_changed_once() {
    type Runs = Tensor<RunList<Element<f64>>>;
    type Packed = Tensor<PackBits<Element<f64>>>;
    type Sparse = Tensor<SparseRunList<Element<f64>>>;
    type Rows = Tensor<RunList<SparseList<Element<f64>>>>;
    finch! {
        fn runs(a: &mut Tensor<RunList<Element<f64>>>, s: f64) { a[i] *= s }
        fn packed(a: &mut Tensor<PackBits<Element<f64>>>, s: f64) { for i { a[i] = a[i] * s } }
        fn sparse(a: &mut Tensor<SparseRunList<Element<f64>>>, s: f64) { for i { a[i] /= s } }
        fn rows(a: &mut Tensor<RunList<SparseList<Element<f64>>>>, x: &DenseVec<f64>) { for i, j { a[i, j] *= x[j] } }
    }
    for n in [0, 1, 2, 9, 64] {
        for seed in 0..15 {
            let values: Vec<f64> = (0..n).map(|k| f64::hostile(k / 3 + seed)).collect();
            for s in [0.5, -3.0, f64::INFINITY] {
                let over = |all: Vec<(Vec<usize>, f64)>, f: &dyn Fn(f64) -> f64| {
                    expected(&all.into_iter().map(|(at, v)| (at, f(v))).collect::<Vec<_>>())
                };
                let mut a = Runs::from_dense([n], &values).expect("as long");
                let wanted = over(a.triplets(), &|v| v * s);
                runs(&mut a, s);
                assert_eq!(stored(&a), wanted);
                let mut a = Packed::from_dense([n], &values).expect("as long");
                let wanted = over(a.triplets(), &|v| v * s);
                packed(&mut a, s);
                assert_eq!(stored(&a), wanted);
                let mut a = Sparse::from_dense([n], &values).expect("as long");
                let wanted = over(a.triplets(), &|v| v / s);
                sparse(&mut a, s);
                assert_eq!(stored(&a), wanted);
            }
        }
    }
    let matrix = [1.5, 0.0, 1.5, 0.0, 1.5, 0.0, 0.0, 2.0];
    let mut a = Rows::from_dense([4, 2], &matrix).expect("as long");
    rows(&mut a, &DenseVec::from_dense([2], &[2.0, 10.0]).expect("as long"));
    assert_eq!(a.to_dense(), [3.0, 0.0, 3.0, 0.0, 3.0, 0.0, 0.0, 20.0]);
}

#[test]
fn other_values_other_fills_other_ranks() {
    finch! {
        fn least(a: &mut Csr<f64, u32, Inf>, s: f64) { for i, j { a[i, j] = max(a[i, j], s) } }
        fn masked(a: &mut Csr<u8>, m: u8) { a[i, j] &= m }
        fn logical(a: &mut Csr<bool>, x: &DenseVec<bool>) { for i, j { a[i, j] = a[i, j] && x[j] } }
        fn cube(a: &mut Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>, x: &DenseVec<f64>) { a[i, j, k] *= x[k] }
        fn in_no_order(a: &mut Tensor<Dense<UnorderedList<Element<f64>>>>, r: &DenseVec<f64>) { a[i, j] /= r[i] }
        fn in_blocks(a: &mut Tensor<Dense<UnsortedBlockList<Element<f64>>>>, r: &DenseVec<f64>) { a[i, j] *= r[j] }
        fn moved(a: &mut SparseVec<f64>, n: usize) { for i in 0..n { a[i + 1] = 3 * a[i + 1] } }
    }
    let mut a: Csr<f64, u32, Inf> =
        Tensor::from_triplets([2, 2], [([0, 1], 2.0), ([1, 0], f64::NEG_INFINITY)], Refuse)
            .expect("in order");
    least(&mut a, 0.5);
    assert_eq!(a.triplets(), [(vec![0, 1], 2.0), (vec![1, 0], 0.5)]);
    let two = DenseVec::from_dense([2], &[0.5, -1.0]).expect("as long");
    let some = [([0, 1], 2.0), ([1, 0], 3.0), ([1, 1], -0.25)];
    let mut a = Tensor::from_triplets([2, 2], some, Refuse).expect("in order");
    in_no_order(&mut a, &two);
    assert_eq!(a.to_dense(), [0.0, 4.0, -3.0, 0.25]);
    let mut a = Tensor::from_triplets([2, 2], some, Refuse).expect("in order");
    in_blocks(&mut a, &two);
    assert_eq!(a.to_dense(), [0.0, -2.0, 1.5, 0.25]);
    let mut a: Csr<u8> =
        Tensor::from_triplets([1, 3], [([0, 0], 255), ([0, 2], 8)], Refuse).expect("in order");
    masked(&mut a, 12);
    assert_eq!(a.triplets(), [(vec![0, 0], 12), (vec![0, 2], 8)]);
    let mut a: Csr<bool> =
        Tensor::from_triplets([1, 3], [([0, 0], true), ([0, 2], true)], Refuse).expect("in order");
    logical(&mut a, &DenseVec::from_dense([3], &[false, true, true]).expect("as long"));
    assert_eq!(a.triplets(), [(vec![0, 0], false), (vec![0, 2], true)]);
    let mut a = Tensor::from_triplets([2, 2, 2], [([0, 1, 1], 2.0), ([1, 0, 0], 3.0)], Refuse)
        .expect("in order");
    cube(&mut a, &DenseVec::from_dense([2], &[0.5, -1.0]).expect("as long"));
    assert_eq!(a.triplets(), [(vec![0, 1, 1], -2.0), (vec![1, 0, 0], 1.5)]);
    let mut a: SparseVec<f64> =
        Tensor::from_triplets([4], [([0], 1.0), ([1], 2.0), ([3], 4.0)], Refuse).expect("in order");
    moved(&mut a, 2);
    assert_eq!(a.triplets(), [(vec![0], 1.0), (vec![1], 6.0), (vec![3], 4.0)]);
}

#[test]
fn entries_that_are_not_there_are_made_as_before() {
    finch! {
        fn added(a: &mut Tensor<Hash<Element<f64>>>, x: &SparseVec<f64>) { for i { a[i] += x[i] } }
        fn products(a: &mut Tensor<Hash<Element<f64>>>, b: &DenseMat<f64>) { for i, j { a[i] *= b[i, j] } }
        fn appended(a: &mut SparseVec<f64>, x: &SparseVec<f64>) { for i in 2..4 { a[i] = x[i] } }
    }
    let x = SparseVec::from_triplets([4], [([3], 0.5)], Refuse).expect("in order");
    let mut a = Tensor::from_triplets([4], [([1], 2.0)], Refuse).expect("in order");
    added(&mut a, &x);
    assert_eq!(a.triplets(), [(vec![1], 2.0), (vec![3], 0.5)]);
    let mut a: SparseVec<f64> = Tensor::from_triplets([4], [([1], 2.0)], Refuse).expect("in order");
    appended(&mut a, &x);
    assert_eq!(a.triplets(), [(vec![1], 2.0), (vec![3], 0.5)]);
    let b = Tensor::from_dense([2, 2], &[2.0, 3.0, 5.0, 0.25]).expect("as long");
    let mut a = Tensor::from_triplets([2], [([1], 2.0)], Refuse).expect("in order");
    products(&mut a, &b);
    assert_eq!(a.to_dense(), [0.0, 2.5]);
}

finch! {
    fn bits_of_two(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<Bitmap<Element<f64>>>) { for i { c[i] = a[i] } for i { c[i] += u[i] } }
    fn flags_of_two(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<ByteMap<Element<f64>>>) { for i { c[i] = a[i]; c[i] += u[i] } }
    fn accumulated(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<Spa<Element<f64>>>) { c[i] = a[i]; c[i] += u[i] }
    fn hashed(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<Hash<Element<f64>>>) { c[i] = a[i]; c[i] += u[i] }
    fn treed(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<BTree<Element<f64>>>) { for i { c[i] = a[i] } for i { c[i] += u[i] } }
    fn row_by_row(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Dense<Bitmap<Element<f64>>>>) { for i { for j { c[i, j] = a[i, j] } for j { c[i, j] += b[i, j] } } }
    fn rows_of_two(a: &Csr<f64>, b: &SparseVec<f64>) -> (c: Tensor<Dense<ByteMap<Element<f64>>>>) { for i, j { c[i, j] = a[i, j] } for i, j { c[i, j] += b[i] } }
}
#[test]
fn what_is_written_first_stores_what_its_operands_store() {
    for n in [0, 1, 2, 63, 64, 65, 130] {
        for (by, of) in [(2, 3), (3, 2), (7, 1), (1, 7), (200, 200)] {
            let some = |by: usize, x: f64| {
                let entries = (0..n).filter(|i| i % by == by / 2).map(|i| ([i], x));
                SparseVec::from_triplets([n], entries, Refuse).unwrap()
            };
            let (a, u) = (some(by, -0.0), some(of, f64::INFINITY));
            let there = |i: &usize| i % by == by / 2 || i % of == of / 2;
            let all: Vec<usize> = (0..n).filter(there).collect();
            let stored =
                |t: Vec<(Vec<usize>, f64)>| t.into_iter().map(|(at, _)| at[0]).collect::<Vec<_>>();
            assert_eq!(stored(bits_of_two(&a, &u).triplets()), all);
            assert_eq!(stored(flags_of_two(&a, &u).triplets()), all);
            assert_eq!(stored(accumulated(&a, &u).triplets()), all);
            assert_eq!(stored(hashed(&a, &u).triplets()), all);
            assert_eq!(stored(treed(&a, &u).triplets()), all);
        }
    }
    let a: Csr<f64> = Tensor::from_triplets([2, 2], [([0, 1], 0.5)], Refuse).unwrap();
    let b: SparseVec<f64> = Tensor::from_triplets([2], [([1], 1.0)], Refuse).unwrap();
    let all = [(vec![0, 1], 0.5), (vec![1, 0], 1.0), (vec![1, 1], 1.0)];
    assert_eq!(rows_of_two(&a, &b).triplets(), all);
    let b: Csr<f64> = Tensor::from_triplets([2, 2], [([1, 0], 3.0)], Refuse).unwrap();
    assert_eq!(row_by_row(&a, &b).triplets(), [(vec![0, 1], 0.5), (vec![1, 0], 3.0)]);
}

finch! {
    #![dense]
    fn overwritten_within(a: &SparseVec<f64>, u: &SparseVec<f64>, n: usize) -> (c: Tensor<Hash<Element<f64>>>[n]) { for i { c[i] = a[i]; c[(i + 1) % n] += u[i] } }
    fn overwritten_behind(a: &SparseVec<f64>, u: &SparseVec<f64>) -> (c: Tensor<Hash<Element<f64>>>) { for i { c[i] += u[i] } for i { c[i] = a[i] } }
    fn overwritten_across(a: &Csr<f64>, u: &DenseMat<f64>) -> (c: Tensor<Dense<Hash<Element<f64>>>>) { for i, j { c[i, j] = a[i, j]; c[j, i] += u[i, j] } }
    #[allow(deprecated)]
    fn overwritten_again(a: &Csr<f64>, u: &SparseVec<f64>) -> (c: Tensor<Hash<Element<f64>>>) { for i { for j { c[j] = a[i, j] } for j { c[j] += u[j] } } }
}
#[test]
fn what_overwrites_stores_the_fill() {
    let a: SparseVec<f64> = Tensor::from_triplets([3], [([1], 2.0)], Refuse).unwrap();
    let u: SparseVec<f64> = Tensor::from_dense([3], &[4.0, 8.0, 16.0]).unwrap();
    assert_eq!(overwritten_within(&a, &u, 3).to_dense(), [16.0, 2.0, 0.0]);
    assert_eq!(overwritten_behind(&a, &u).to_dense(), [0.0, 2.0, 0.0]);
    let a: Csr<f64> = Tensor::from_triplets([2, 3], [([0, 0], 2.0)], Refuse).unwrap();
    assert_eq!(overwritten_again(&a, &u).to_dense(), [4.0, 8.0, 16.0]);
    let a: Csr<f64> = Tensor::from_triplets([2, 2], [([0, 0], 0.5)], Refuse).unwrap();
    let u: DenseMat<f64> = Tensor::from_dense([2, 2], &[1.0, 2.0, 4.0, 8.0]).unwrap();
    // `c[1, 0]` is 2, then overwritten by what `a` does not store.
    assert_eq!(overwritten_across(&a, &u).to_dense(), [1.5, 4.0, 0.0, 8.0]);
}
