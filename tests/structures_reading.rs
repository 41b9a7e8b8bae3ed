//! Block, run, ragged and single-entry levels read by every protocol, against the dense oracle: alone,
//! against each other and against the built-in levels, under other levels and over them.

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! {
    /// A vector of blocks.
    pub type Blocks<T, Ix = u32> = Tensor<SparseBlockList<Element<T>, Ix>>;
}
level! {
    /// A vector of runs between fill.
    pub type Spans<T, Ix = u32> = Tensor<SparseRunList<Element<T>, Ix>>;
}
level! {
    /// A vector of runs and literal stretches.
    pub type Packed<T, Ix = u32> = Tensor<PackBits<Element<T>, Ix>>;
}
level! {
    /// A vector that ends early.
    pub type Short<T> = Tensor<Ragged<Element<T>>>;
}
level! {
    /// A vector with one run.
    pub type Interval<T, Ix = u32> = Tensor<SparseInterval<Element<T>, Ix>>;
}
level! {
    /// A vector with one entry.
    pub type Point<T, Ix = u32> = Tensor<SparsePoint<Element<T>, Ix>>;
}
level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}

/// The contents a level is compared with: those that it can store.
trait Contents: Sized {
    fn content(kind: usize, n: usize) -> Self;
}

impl<L: Level<Value = f64>> Contents for Tensor<L> {
    fn content(kind: usize, n: usize) -> Self {
        let mut items = items(kind, n);
        // A level of single runs takes the widest one that begins at the first entry; others all.
        if ["SparseInterval", "SparsePoint"].contains(&L::NAME) {
            let begin = items.iter().position(|x| *x != Item::Absent).unwrap_or(n);
            let width = if L::NAME == "SparsePoint" { 1 } else { 1 + kind % 4 };
            for k in 0..n {
                let inside = begin <= k && k - begin < width;
                items[k] = if inside { items[begin] } else { Item::Absent };
            }
        }
        tensor(&[n], &items)
    }
}

macro_rules! read {
    ($($name:ident: $A:ident::$p:ident, $B:ident::$q:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn dot(a: &$A<f64>, b: &$B<f64>, c: &mut f64) { for i { c += a[i::$p] * b[i::$q] } };;
                fn dense(a: &$A<f64>, b: &$B<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i::$p] + b[i::$q] } };;
                fn least(a: &$A<f64>, b: &$B<f64>, c: &mut f64) { for i { c <<min>>= a[i::$p] - b[i::$q] } };;
                fn list(a: &$A<f64>, b: &$B<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i::$p] * b[i::$q] } };;
                fn part(a: &$A<f64>, b: &$B<f64>, lo: usize, hi: usize, c: &mut f64) {
                    for i in lo..hi { c += a[i::$p] * b[i::$q] + a[i::$p] }
                };;
                fn moved(a: &$A<f64>, b: &$B<f64>, s: i64, c: &mut f64) { for i { c += a[i::$p] * b[i + s] } }
            }
            #[test]
            fn agree() {
                pairs(|n, ka, kb| {
                    let (a, b) = ($A::content(ka, n), $B::content(kb, n));
                    let mut c = 0.5;
                    agree!(dot(&a, &b, &mut c));
                    agree!(dense(&a, &b));
                    agree!(least(&a, &b, &mut c));
                    agree!(list(&a, &b));
                    for (lo, hi) in [(0, n / 2), (n / 3, n), (1, n.max(2) - 1)] {
                        if lo >= hi || hi <= n {
                            agree!(part(&a, &b, lo, hi, &mut c));
                        }
                    }
                    // Moved by one, the shorter of the two stays inside.
                    let shorter = $A::content(ka, n.saturating_sub(1));
                    for s in 0..n.min(2) as i64 {
                        agree!(moved(&shorter, &b, s, &mut c));
                    }
                });
            }
        }
    )*};
}

read! {
    blocks_list: Blocks::walk, SparseVec::walk;
    blocks_runs: Blocks::follow, Runs::walk;
    blocks_dense: Blocks::walk, DenseVec::walk;
    blocks_blocks: Blocks::walk, Blocks::follow;
    blocks_gallop: Blocks::gallop, SparseVec::gallop;
    blocks_lead: Blocks::lead, Blocks::gallop;
    blocks_locate: Blocks::locate, SparseVec::walk;
    blocks_spans: Blocks::walk, Spans::walk;
    blocks_packed: Blocks::walk, Packed::walk;
    blocks_short: Blocks::walk, Short::walk;
    spans_list: Spans::walk, SparseVec::walk;
    spans_runs: Spans::follow, Runs::walk;
    spans_dense: Spans::walk, DenseVec::walk;
    spans_spans: Spans::walk, Spans::follow;
    spans_gallop: Spans::gallop, SparseVec::gallop;
    spans_lead: Spans::lead, Spans::gallop;
    spans_locate: Spans::locate, SparseVec::walk;
    spans_packed: Spans::gallop, Packed::gallop;
    packed_list: Packed::walk, SparseVec::walk;
    packed_runs: Packed::follow, Runs::walk;
    packed_dense: Packed::walk, DenseVec::walk;
    packed_packed: Packed::walk, Packed::follow;
    packed_gallop: Packed::gallop, SparseVec::gallop;
    packed_lead: Packed::lead, Packed::gallop;
    packed_locate: Packed::locate, SparseVec::walk;
    short_list: Short::walk, SparseVec::walk;
    short_runs: Short::follow, Runs::walk;
    short_dense: Short::walk, DenseVec::walk;
    short_short: Short::walk, Short::follow;
    short_gallop: Short::walk, SparseVec::gallop;
    short_locate: Short::locate, SparseVec::walk;
    short_packed: Short::walk, Packed::gallop;
    interval_list: Interval::walk, SparseVec::walk;
    interval_runs: Interval::follow, Runs::walk;
    interval_dense: Interval::gallop, DenseVec::walk;
    interval_interval: Interval::lead, Interval::follow;
    interval_locate: Interval::locate, SparseVec::gallop;
    interval_blocks: Interval::walk, Blocks::gallop;
    interval_point: Interval::walk, Point::walk;
    point_list: Point::walk, SparseVec::walk;
    point_runs: Point::follow, Runs::walk;
    point_dense: Point::gallop, DenseVec::walk;
    point_point: Point::lead, Point::follow;
    point_locate: Point::locate, SparseVec::gallop;
    point_packed: Point::walk, Packed::walk;
}

level! {
    /// Rows of blocks.
    pub type BlockRows<T> = Tensor<Dense<SparseBlockList<Element<T>>>>;
}
level! {
    /// Stored rows of segments.
    pub type PackedRows<T> = Tensor<SparseList<PackBits<Element<T>>>>;
}
level! {
    /// Blocks of rows of runs.
    pub type SpanRows<T> = Tensor<SparseBlockList<SparseRunList<Element<T>>>>;
}
level! {
    /// Ragged rows below a run of rows.
    pub type ShortRows<T> = Tensor<PackBits<Ragged<Element<T>>>>;
}
level! {
    /// Runs of rows, each of blocks.
    pub type RunRows<T> = Tensor<SparseRunList<SparseBlockList<Element<T>>>>;
}
level! {
    /// The first rows, each dense.
    pub type FirstRows<T> = Tensor<Ragged<Dense<Element<T>>>>;
}
level! {
    /// Rows of sets of blocks.
    pub type BlockSets = Tensor<Ragged<SparseBlockList<Pattern>>>;
}

macro_rules! rows {
    ($($name:ident: $A:ident, $B:ident;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn product(a: &$A<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
                fn both(a: &$A<f64>, b: &$B<f64>, c: &mut f64) { for i, j { c += a[i, j] * b[i, j] } };;
                fn sum(a: &$A<f64>, b: &$B<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] - b[i, j] } };;
                fn columns(a: &$A<f64>, b: &$B<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j] + 2 * b[i, j] } }
            }
            #[test]
            fn agree() {
                matrices(|shape, ka, kb| {
                    let (a, b) = (matrix(ka, shape), matrix(kb, shape));
                    let x = vector(kb, shape[1]);
                    agree!(product(&a, &x));
                    let mut c = 0.5;
                    agree!(both(&a, &b, &mut c));
                    agree!(sum(&a, &b));
                    agree!(columns(&a, &b));
                });
            }
        }
    )*};
}

rows! {
    dense_over_blocks: BlockRows, Csr;
    list_over_packed: PackedRows, BlockRows;
    blocks_over_spans: SpanRows, Csr;
    packed_over_short: ShortRows, PackedRows;
    spans_over_blocks: RunRows, SpanRows;
    short_over_dense: FirstRows, RunRows;
}

kernels! {
    fn members(p: &BlockSets, a: &BlockRows<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += ifelse(p[i, j], a[i, j], 1) }
    };;
    fn neighbours(p: &BlockSets, q: &BlockSets, n: &mut u64) { for i, j { n += p[i, j] && q[i, j] } }
}

#[test]
fn sets_of_blocks() {
    matrices(|shape, ka, kb| {
        let (p, q, a) = (matrix(ka, shape), matrix(kb, shape), matrix(kb, shape));
        agree!(members(&p, &a));
        let mut n = 0;
        agree!(neighbours(&p, &q, &mut n));
    });
}

level! {
    /// A run of equal rows.
    pub type IntervalRows<T> = Tensor<SparseInterval<SparseList<Element<T>>>>;
}
level! {
    /// One row, of blocks.
    pub type PointRows<T> = Tensor<SparsePoint<SparseBlockList<Element<T>>>>;
}
level! {
    /// Rows of one run each.
    pub type RowIntervals<T> = Tensor<Dense<SparseInterval<Element<T>>>>;
}
level! {
    /// Stored rows of one entry each.
    pub type RowPoints<T> = Tensor<SparseList<SparsePoint<Element<T>>>>;
}

kernels! {
    fn interval_rows(a: &IntervalRows<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn point_rows(a: &PointRows<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn row_intervals(a: &RowIntervals<f64>, b: &Csr<f64>, x: &Interval<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] + a[i, j] * b[i, j] }
    };;
    fn row_points(a: &RowPoints<f64>, b: &RowIntervals<f64>, x: &Point<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * b[i, j] + x[j] }
    };;
    fn repeated(a: &Interval<f64>, b: &Point<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += x[j] * a[i] + a[j] * b[i] }
    }
}

#[test]
fn single_rows() {
    for shape in SHAPES {
        let [m, n] = shape;
        for kind in 0..KINDS {
            let all = items(kind, m * n);
            // What one row, or one entry of each row, leaves of it.
            let keep = |f: &dyn Fn(usize, usize) -> bool| -> Vec<Item> {
                (0..m * n).map(|k| if f(k / n, k % n) { all[k] } else { Item::Absent }).collect()
            };
            let x = vector(kind, n);
            for row in 0..=m {
                let one = keep(&|i, _| i == row);
                let (a, b) = (tensor(&shape, &one), tensor(&shape, &one));
                agree!(interval_rows(&a, &x));
                agree!(point_rows(&b, &x));
            }
            for column in 0..=n {
                let one = keep(&|i, j| j == (column + i) % (n + 1));
                let (a, b) = (tensor(&shape, &one), tensor(&shape, &one));
                let (c, d) = (matrix(kind, shape), tensor(&shape, &one));
                let (u, v) = (Interval::content(kind, n), Point::content(kind, n));
                agree!(row_intervals(&a, &c, &u));
                agree!(row_points(&b, &d, &v));
                agree!(repeated(&u, &v, &x));
            }
        }
    }
}

level! {
    /// Blocks whose fill is one.
    pub type Odds = Tensor<SparseBlockList<Element<f64, One>>>;
}
level! {
    /// Runs and literals whose fill is infinite.
    pub type Distances = Tensor<PackBits<Element<f64, Inf>>>;
}
level! {
    /// A ragged vector that goes on with ones.
    pub type Padded = Tensor<Ragged<Element<f64, One>>>;
}

kernels! {
    fn odds(a: &Odds, b: &Padded, c: &mut f64) { for i { c *= a[i] * b[i] } };;
    fn shortest(a: &Distances, b: &Odds, c: &mut f64) { for i { c <<min>>= a[i] + b[i] } }
}

#[test]
fn other_fills() {
    pairs(|n, ka, kb| {
        let (a, b, mut c) = (vector(ka, n), vector(kb, n), 3.0);
        agree!(odds(&a, &b, &mut c));
        let b = vector(ka, n);
        c = f64::INFINITY;
        agree!(shortest(&b, &a, &mut c));
    });
}

kernels! {
    fn narrow(a: &Blocks<i32, u8>, b: &Spans<i32, u16>, c: &mut i32) { for i { c += a[i] * b[i] } };;
    fn wide(a: &Packed<i32, usize>, b: &Interval<i32, u64>, c: &mut i32) { for i { c += a[i] * b[i] } };;
    fn galloped(a: &Blocks<i32, u8>, b: &Packed<i32, u8>, c: &mut i32) { for i { c += a[i::gallop] * b[i::gallop] } }
}

#[test]
fn coordinate_types() {
    // A size that the type just holds: ends are one more than the last coordinate of a `u8`.
    let x: Vec<i32> = (0..256).map(|k| k / 3 % 4).collect();
    let y: Vec<i32> = (0..256).map(|k| i32::from(k >= 250)).collect();
    let mut c = 0;
    let (a, b) = (Tensor::from_dense([256], &x).unwrap(), Tensor::from_dense([256], &x).unwrap());
    agree!(narrow(&a, &b, &mut c));
    let (d, e) = (Tensor::from_dense([256], &x).unwrap(), Tensor::from_dense([256], &y).unwrap());
    agree!(wide(&d, &e, &mut c));
    let f = Tensor::from_dense([256], &y).unwrap();
    agree!(galloped(&a, &f, &mut c));
}
