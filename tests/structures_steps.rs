//! Step counts of block, run and single-entry levels: coordinates are worked on by the block or run, not
//! by the entry.

use looplets::prelude::*;

level! {
    /// A vector of blocks.
    pub type Blocks = Tensor<SparseBlockList<Element<f64>>>;
}
level! {
    /// A vector of runs between fill.
    pub type Spans = Tensor<SparseRunList<Element<f64>>>;
}
level! {
    /// A vector of runs and literal stretches.
    pub type Packed = Tensor<PackBits<Element<f64>>>;
}
level! {
    /// A vector with one run.
    pub type Interval = Tensor<SparseInterval<Element<f64>>>;
}
level! {
    /// A vector with one entry.
    pub type Point = Tensor<SparsePoint<Element<f64>>>;
}
level! {
    /// A vector that ends early.
    pub type Short = Tensor<Ragged<Element<f64>>>;
}

finch! {
    #![steps(n)]
    fn blocks_list(a: &Blocks, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn blocks_led(a: &Blocks, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::follow] * b[i::lead] } }
    fn blocks_blocks(a: &Blocks, b: &Blocks, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn blocks_gallop(a: &Blocks, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::gallop] * b[i::gallop] } }
    fn spans_sum(a: &Spans, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn spans_max(a: &Spans, c: &mut f64, n: &mut u64) { for i { c <<max>>= a[i] } }
    fn spans_spans(a: &Spans, b: &Spans, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn spans_gallop(a: &Spans, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::gallop] * b[i::gallop] } }
    fn packed_sum(a: &Packed, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn packed_packed(a: &Packed, b: &Packed, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn packed_list(a: &Packed, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i::follow] * b[i::lead] } }
    fn interval_sum(a: &Interval, c: &mut f64, n: &mut u64) { for i { c += a[i] } }
    fn interval_spans(a: &Interval, b: &Spans, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn interval_list(a: &Interval, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn point_list(a: &Point, b: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn point_dense(a: &Point, b: &DenseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn short_dense(a: &Short, b: &DenseVec<f64>, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
    fn short_spans(a: &Short, b: &Spans, c: &mut f64, n: &mut u64) { for i { c += a[i] * b[i] } }
}

const SIZE: usize = 100_000;

fn made<L: Level<Value = f64>>(at: impl IntoIterator<Item = usize>) -> Tensor<L> {
    Tensor::from_triplets([SIZE], at.into_iter().map(|i| ([i], 1.0)), Refuse).unwrap()
}

fn steps(f: impl FnOnce(&mut f64, &mut u64)) -> (f64, u64) {
    let (mut c, mut n) = (0.0, 0);
    f(&mut c, &mut n);
    (c, n)
}

/// Ten stretches of a thousand coordinates, from `first` on.
fn stretches(first: usize) -> impl Iterator<Item = usize> {
    (0..10).flat_map(move |k| (0..1000).map(move |i| first + k * 10_000 + i))
}

#[test]
fn blocks_are_worked_on_whole() {
    let a: Blocks = made(stretches(5_000));
    assert_eq!(a.root().__fields().2.len(), 10);
    // One entry inside each block and one outside.
    let b: SparseVec<f64> = made((0..10).flat_map(|k| [k * 10_000 + 3, k * 10_000 + 5_500]));
    for f in [blocks_list, blocks_led, blocks_gallop] {
        let (c, n) = steps(|c, n| f(&a, &b, c, n));
        assert_eq!(c, 10.0);
        assert!(n <= 10 + 20, "{n} steps for 10 blocks and 20 entries");
    }
    // Blocks that do not meet: the thousands stored in each are never looked at.
    let apart: Blocks = made(stretches(0));
    let (c, n) = steps(|c, n| blocks_blocks(&a, &apart, c, n));
    assert!(c == 0.0 && n <= 20, "{n} steps for 10 and 10 blocks");
    // Those that meet are read where they do.
    let half: Blocks = made(stretches(5_500));
    let (c, n) = steps(|c, n| blocks_blocks(&a, &half, c, n));
    assert!(c == 5_000.0 && n <= 5_000 + 20, "{n} steps for 5,000 common entries");
}

#[test]
fn galloping_skips_blocks() {
    let many: Blocks = made((0..SIZE).filter(|i| i % 10 < 3));
    let few: SparseVec<f64> = made([10, 40_001, 99_992]);
    let (c, n) = steps(|c, n| blocks_gallop(&many, &few, c, n));
    assert!(c == 3.0 && n <= 10, "{n} steps for 3 entries against 10,000 blocks");
    let many: Spans = made((0..SIZE).filter(|i| i % 10 < 3));
    let (c, n) = steps(|c, n| spans_gallop(&many, &few, c, n));
    assert!(c == 3.0 && n <= 10, "{n} steps for 3 entries against 10,000 runs");
}

#[test]
fn runs_are_added_whole() {
    let a: Spans = made(stretches(5_000));
    assert_eq!(a.stored(), 10);
    assert_eq!(steps(|c, n| spans_sum(&a, c, n)), (10_000.0, 10));
    assert_eq!(steps(|c, n| spans_max(&a, c, n)), (1.0, 10));
    let half: Spans = made(stretches(5_500));
    let (c, n) = steps(|c, n| spans_spans(&a, &half, c, n));
    assert!(c == 5_000.0 && n <= 20, "{n} steps for 10 and 10 runs");
    let all: Interval = made(0..SIZE);
    assert_eq!(all.stored(), 1);
    assert_eq!(steps(|c, n| interval_sum(&all, c, n)), (SIZE as f64, 0));
    let (c, n) = steps(|c, n| interval_spans(&made(0..50_000), &a, c, n));
    assert!(c == 5_000.0 && n <= 6, "{n} steps for 5 runs of 10");
}

#[test]
fn segments_are_added_whole() {
    // Ten runs and ten gaps, then a literal stretch of a hundred.
    let mut x = vec![0.0; SIZE];
    stretches(0).for_each(|i| x[i] = 2.0);
    let runs: Packed = Tensor::from_dense([SIZE], &x).unwrap();
    assert_eq!(steps(|c, n| packed_sum(&runs, c, n)), (20_000.0, 20));
    let (c, n) = steps(|c, n| packed_packed(&runs, &runs, c, n));
    assert!(c == 40_000.0 && n <= 20, "{n} steps for 20 segments");
    (0..100).for_each(|i| x[SIZE - 100 + i] = i as f64);
    let mixed: Packed = Tensor::from_dense([SIZE], &x).unwrap();
    let (c, n) = steps(|c, n| packed_sum(&mixed, c, n));
    assert_eq!(c, 20_000.0 + 4_950.0);
    assert!(n <= 21 + 100, "{n} steps for 21 segments, one of them of 99 literals");
    let few: SparseVec<f64> = made([10, 5_000, 40_001]);
    let (c, n) = steps(|c, n| packed_list(&mixed, &few, c, n));
    assert!(c == 4.0 && n <= 6, "{n} steps for 3 entries");
}

#[test]
fn one_entry_takes_no_loop() {
    let list: SparseVec<f64> = made((0..SIZE).step_by(10));
    let (c, n) = steps(|c, n| point_list(&made([70_000]), &list, c, n));
    assert!(c == 1.0 && n <= 2, "{n} steps for one entry");
    let (c, n) = steps(|c, n| interval_list(&made(70_000..70_100), &list, c, n));
    assert!(c == 10.0 && n <= 12, "{n} steps for ten entries in the run");
    let x: DenseVec<f64> = Tensor::from_dense([SIZE], &vec![3.0; SIZE]).unwrap();
    assert_eq!(steps(|c, n| point_dense(&made([70_000]), &x, c, n)), (3.0, 0));
    assert_eq!(steps(|c, n| point_dense(&made([]), &x, c, n)), (0.0, 0));
}

#[test]
fn ragged_ends_the_loop() {
    let x: DenseVec<f64> = Tensor::from_dense([SIZE], &vec![3.0; SIZE]).unwrap();
    assert_eq!(steps(|c, n| short_dense(&made(0..50), &x, c, n)), (150.0, 50));
    let (c, n) = steps(|c, n| short_spans(&made(0..1_500), &made(stretches(0)), c, n));
    assert!(c == 1_000.0 && n <= 1_000 + 2, "{n} steps for 1,000 common entries");
}
