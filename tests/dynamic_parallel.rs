//! Parallel loops over structures made of nodes, beside the same in order, and how they are cut: by what is stored.

mod numbers;

use looplets::prelude::*;
use looplets::rt::parallel::{cuts, worth};
use looplets::Level;
use numbers::{Numbers, HOSTILE};

/// Entries of which a few rows have most; of each kind there are hostile ones.
fn skewed(numbers: &mut Numbers, shape: [usize; 2], count: usize) -> Vec<([usize; 2], f64)> {
    let mut entry = || {
        let i = match numbers.below(4) {
            0 => numbers.below(shape[0]),
            _ => numbers.below(shape[0].div_ceil(20)),
        };
        let value = match numbers.below(3) {
            0 => HOSTILE[numbers.below(HOSTILE.len())],
            _ => numbers.below(1000) as f64 - 300.5,
        };
        ([i, numbers.below(shape[1])], value)
    };
    (0..count).map(|_| entry()).collect()
}

/// The bits, of one of the numbers that are none.
fn bits(y: &[f64]) -> Vec<u64> {
    y.iter().map(|v| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() }).collect()
}

/// What the roots count holds, and what is said of work is what rows in arrays say.
fn counted<L: Level<Value = f64>>(a: &Tensor<L>) {
    a.root().check(1).unwrap();
    let entries = a.triplets();
    assert_eq!(a.stored(), entries.len());
    let works = a.works();
    for i in 0..=a.shape()[0] {
        assert_eq!(works.before(i), entries.iter().filter(|e| e.0[0] < i).count(), "{i}");
    }
}

/// Parts are about equal: none has more than its share and the heaviest row.
fn cut_well<L: Level>(a: &Tensor<L>, rows: usize, heaviest: usize) {
    let works = a.works();
    let chunks = cuts(0, rows as i64, 1, 0, 1, |i| works.before(i as usize));
    assert!(chunks.len() > 4, "{chunks:?}");
    let all = works.before(rows) + rows;
    for (from, to) in &chunks {
        let (from, to) = (*from as usize, *to as usize);
        let here = works.before(to) - works.before(from) + (to - from);
        assert!(here <= all / chunks.len() + heaviest + 2, "{here} of {all}: {chunks:?}");
    }
}

macro_rules! levels {
    ($($name:ident: $L:ident;)*) => {$(
        mod $name {
            use super::*;
            level! { type Rows = Tensor<Dense<$L<Element<f64>>>>; }
            level! { type Trees = Tensor<$L<$L<Element<f64>>>>; }
            level! { type Blocks = Tensor<$L<Dense<Element<f64>>>>; }
            level! { type Vector = Tensor<$L<Element<f64>>>; }
            finch! {
                fn rows(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
                fn rows_serial(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { for j { y[i] += a[i, j] * x[j] } } }
                fn trees(a: &Trees, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
                fn trees_serial(a: &Trees, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { for j { y[i] += a[i, j] * x[j] } } }
                fn blocks(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } }
                fn blocks_serial(a: &Blocks, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { for j { y[i] += a[i, j] * x[j] } } }
                fn vector(a: &Vector) -> (y: SparseVec<f64>) { parallel for i { y[i] = a[i] * 3 } }
                fn vector_serial(a: &Vector) -> (y: SparseVec<f64>) { for i { y[i] = a[i] * 3 } }
                fn copied(a: &Csr<f64>) -> (y: Rows) { parallel for i { for j { y[i, j] = a[i, j] } } }
                fn copied_serial(a: &Rows) -> (y: Trees) { for i, j { y[i, j] = a[i, j] } }
                fn thinned(a: &mut Rows) { parallel for i { for j { if i % 3 == 0 { remove a[i, j] } } } }
                fn thinned_trees(a: &mut Trees) { for i, j { if i % 3 == 0 { remove a[i, j] } } }
            }
            #[test]
            fn agree() {
                worth(4096);
                let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
                for (m, n, count) in [(0, 3, 0), (1, 5, 3), (40, 30, 200), (600, 300, 6000)] {
                    let entries = if m == 0 { vec![] } else { skewed(&mut numbers, [m, n], count) };
                    let x: Vec<f64> = (0..n).map(|j| if j == 7 { f64::NAN } else { 0.5 + j as f64 }).collect();
                    let x: DenseVec<f64> = Tensor::from_dense([n], &x).unwrap();
                    let a = Rows::from_triplets([m, n], entries.clone(), Last).unwrap();
                    let t = Trees::from_triplets([m, n], entries.clone(), Last).unwrap();
                    let b = Blocks::from_triplets([m, n], entries.clone(), Last).unwrap();
                    let v = Vector::from_triplets([m], entries.iter().map(|e| ([e.0[0]], e.1)), Last).unwrap();
                    counted(&a);
                    counted(&t);
                    counted(&v);
                    assert_eq!(bits(&rows(&a, &x).to_dense()), bits(&rows_serial(&a, &x).to_dense()));
                    assert_eq!(bits(&trees(&t, &x).to_dense()), bits(&trees_serial(&t, &x).to_dense()));
                    assert_eq!(bits(&blocks(&b, &x).to_dense()), bits(&blocks_serial(&b, &x).to_dense()));
                    assert_eq!(bits(&vector(&v).to_dense()), bits(&vector_serial(&v).to_dense()));
                    // All entries of a block are stored.
                    assert_eq!(b.work(m), b.stored());
                    let made = copied(&a.convert().unwrap());
                    counted(&made);
                    counted(&copied_serial(&a));
                    assert_eq!(bits(&made.to_dense()), bits(&a.to_dense()));
                }
            }
            #[test]
            fn counts_survive() {
                worth(4096);
                let mut numbers = Numbers(0x1234_5678_9abc_def1);
                let shape = [30, 40];
                let entries = skewed(&mut numbers, shape, 300);
                let mut a = Rows::from_triplets(shape, entries.clone(), Last).unwrap();
                let mut t = Trees::from_triplets(shape, entries, Last).unwrap();
                macro_rules! both {
                    ($x:ident => $e:expr) => {{
                        { let $x = &mut a; $e; }
                        counted(&a);
                        { let $x = &mut t; $e; }
                        counted(&t);
                        assert_eq!(bits(&a.to_dense()), bits(&t.to_dense()));
                    }};
                }
                for round in 0..4 {
                    for (at, value) in skewed(&mut numbers, shape, 60) {
                        both!(x => x.insert(at, value).unwrap());
                        both!(x => x.insert(at, 1.0).unwrap());
                        let gone = [numbers.below(30), numbers.below(40)];
                        both!(x => x.remove(gone).unwrap());
                    }
                    let few = skewed(&mut numbers, shape, 20);
                    both!(x => x.extend(few.iter().copied()).unwrap());
                    let many = skewed(&mut numbers, shape, 900);
                    both!(x => x.extend(many.iter().copied()).unwrap());
                    both!(x => x.retain(|at, _| (at[0] + at[1]) % 5 != round).unwrap());
                    both!(x => x.remove_all(few.iter().map(|e| e.0)).unwrap());
                    thinned(&mut a);
                    thinned_trees(&mut t);
                    both!(x => x.compact().unwrap());
                }
                both!(x => x.retain(|_, _| false).unwrap());
                assert_eq!((a.stored(), t.stored()), (0, 0));
            }
            /// What a few rows store is most of the work.
            #[test]
            fn cut_by_what_is_stored() {
                worth(4096);
                let (m, n) = (2000, 500);
                let row = |i: usize| if i < 40 { 400 } else if i % 2 == 0 { 2 } else { 0 };
                let entries: Vec<_> = (0..m).flat_map(|i| (0..row(i)).map(move |j| ([i, j], 1.0))).collect();
                let a = Rows::from_triplets([m, n], entries.clone(), Refuse).unwrap();
                cut_well(&a, m, 400);
                cut_well(&Trees::from_triplets([m, n], entries, Refuse).unwrap(), m, 400);
                // A tree of more entries than coordinates are kept of.
                let sparse = (0..10 * m).filter(|i| *i < 7 * m || i % 100 == 0).map(|i| ([i], 1.0));
                cut_well(&Vector::from_triplets([10 * m], sparse, Refuse).unwrap(), 10 * m, 8);
            }
        }
    )*};
}

levels! {
    linked: LinkedList;
    block_list: BlockList;
    var_blocks: VarBlockList;
    gap_blocks: GapBlockList;
    bst: Bst;
    t_tree: TTree;
    b_tree: BTree;
    hybrid: HybridBTree;
    red_black: RedBlack;
    c_tree: CTree;
    packed: PackedCTree;
}

level! { type Uneven = Tensor<Bst<Dense<CTree<Element<f64>>>>>; }
level! { type Listed = Tensor<SparseList<BTree<Element<f64>>>>; }

finch! {
    fn listed(a: &Listed) -> (y: SparseVec<f64>) { parallel for i { for j { y[i] += a[i, j] } } }
    fn listed_serial(a: &Listed) -> (y: SparseVec<f64>) { for i { for j { y[i] += a[i, j] } } }
    fn ragged(a: &Uneven) -> (y: DenseVec<f64>) { parallel for i { for j, k { y[i] += a[i, j, k] } } }
    fn ragged_serial(a: &Uneven) -> (y: DenseVec<f64>) { for i { for j, k { y[i] += a[i, j, k] } } }
}

/// Trees between other levels.
#[test]
fn between() {
    worth(4096);
    let mut numbers = Numbers(77);
    let flat = skewed(&mut numbers, [500, 200], 6000);
    let all: Vec<_> = flat.iter().map(|(at, v)| ([at[0], at[1] % 7, at[1]], *v)).collect();
    let a = Listed::from_triplets([500, 200], flat.clone(), Last).unwrap();
    counted(&a);
    assert_eq!(bits(&listed(&a).to_dense()), bits(&listed_serial(&a).to_dense()));
    let b = Uneven::from_triplets([500, 7, 200], all.clone(), Last).unwrap();
    counted(&b);
    assert_eq!(bits(&ragged(&b).to_dense()), bits(&ragged_serial(&b).to_dense()));
    cut_well(&b, 500, 500);
    cut_well(&a, 500, 500);
}

/// Dense dimensions below a tree store all they have.
#[test]
fn dense_below_trees() {
    let all = [([0, 1, 2, 3], 1.0), ([0, 1, 3, 0], 2.0), ([1, 0, 0, 0], 3.0), ([1, 0, 0, 1], 4.0)];
    let shape = [2, 2, 4, 4];
    level! { type Deep = Tensor<Dense<Dense<BTree<Dense<Element<f64>>>>>>; }
    let a = Deep::from_triplets(shape, all, Refuse).unwrap();
    assert_eq!([0, 1, 2].map(|i| a.work(i)), [0, 8, 12]);
}

#[test]
fn wrong_counts_are_refused() {
    use looplets::{Bst, CTree};
    let all: Vec<_> = (0..20).map(|i| ([i], 1.0)).collect();
    let a: Tensor<CTree<Element<f64>>> = Tensor::from_triplets([20], all.clone(), Refuse).unwrap();
    for said in [0, 19, 21, u32::MAX] {
        let (len, mut root, tree, free, chunk, chunk_free, crd, spare, moves, child) =
            a.clone().into_root().into_parts();
        assert_eq!(root[2], 20);
        root[2] = said;
        let root = CTree::new(len, root, tree, free, chunk, chunk_free, crd, spare, moves, child);
        let reason = Tensor::<CTree<Element<f64>>>::from_parts(root).unwrap_err().to_string();
        assert!(reason.contains("entries, but has 20"), "{reason}");
    }
    let a: Tensor<Bst<Element<f64>>> = Tensor::new([9]).unwrap();
    assert_eq!((a.stored(), a.work(9)), (0, 0));
}
