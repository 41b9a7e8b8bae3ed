//! Sparse matrix times dense vector: what every library does, and what bands and blocks are for.

use crate::answer::{dense, values};
use crate::contest::Contest;
use crate::lists;
use crate::problem::{Array, Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

level! {
    /// A block of columns in each row.
    pub type Banded = Tensor<Dense<SparseBand<Element<f64>>>>;
}
level! {
    /// Blocks of columns.
    pub type Blocked = Tensor<Dense<SparseBlockList<Element<f64>>>>;
}
level! {
    /// Lists of tiles, each by columns.
    pub type Tiled = Tensor<Dense<SparseList<Dense<Dense<Element<f64>>>>>>;
}

/// How wide and high a tile is.
const TILE: usize = 8;

finch! {
    /// As one writes it first.
    fn one_line(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}

finch! {
    #![contract]
    /// y = A x
    pub fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    /// y = A x in the memory of the last y.
    fn spmv_again(a: &Csr<f64>, x: &DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    /// y = A x of one band a row.
    fn spmv_band(a: &Banded, x: &DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    /// y = A x of blocks.
    fn spmv_blocks(a: &Blocked, x: &DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    /// y = A x of tiles, whose rows of results are held in registers.
    fn spmv_tiles(a: &Tiled, x: &DenseMat<f64>, y: DenseMat<f64>) -> (y: DenseMat<f64>) {
        for ti {
            let mut sums: DenseVec<f64>[8];
            for tj { for j in 0..8 { for i in 0..8 { sums[i] += a[ti, tj, j, i] * x[tj, j] } } }
            for i in 0..8 { y[ti, i] = sums[i] }
        }
    }
}

/// A matrix as tiles, and a vector as the rows of a matrix as wide as they are.
fn tiles(a: &Sparse, x: &[f64]) -> (Tiled, DenseMat<f64>) {
    let [rows, cols] = [a.rows, a.cols].map(|n| n / TILE);
    let place = |i: usize, j: usize| [i / TILE, j / TILE, j % TILE, i % TILE];
    let row = |i: usize| a.row(i).map(move |q| (place(i, a.crd[q] as usize), a.val[q]));
    let tiles = Tensor::from_triplets([rows, cols, TILE, TILE], (0..a.rows).flat_map(row), Refuse);
    (tiles.expect("whole tiles"), Tensor::from_dense([cols, TILE], x).expect("whole tiles"))
}

/// All matrices.
pub fn run(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = input.matrix.clone();
        let x = Random::new(a.cols as u64).dense(a.cols);
        let problem = Problem { d: Array::vector(x.to_dense()), a, ..Problem::default() };
        let matrix = problem.a.csr();
        let structured = input.structured.then(|| {
            let bands: Option<Banded> =
                input.name.starts_with("banded").then(|| matrix.convert().expect("bands"));
            let blocks: Blocked = matrix.convert().expect("blocks");
            (
                bands,
                blocks,
                input.name.starts_with("blocked").then(|| tiles(&problem.a, &problem.d.val)),
            )
        });
        let (lists, dense_x) = (problem.a.lists(), &problem.d.val[..]);
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        let none = || Tensor::new([0]).expect("a small size");
        contest.ours("one line", || one_line(black_box(&matrix), black_box(&x)), dense);
        contest.ours("csr", || spmv(black_box(&matrix), black_box(&x)), dense).again(
            "csr again",
            none(),
            |y| spmv_again(black_box(&matrix), black_box(&x), y),
            dense,
        );
        if let Some((bands, blocks, tiled)) = &structured {
            if let Some(bands) = bands {
                let run = |y| spmv_band(black_box(bands), black_box(&x), y);
                contest.again("band", none(), run, dense);
            }
            let run = |y| spmv_blocks(black_box(blocks), black_box(&x), y);
            contest.again("blocks", none(), run, dense);
            if let Some((tiles, x)) = tiled {
                let none = Tensor::new([0, 0]).expect("a small size");
                let run = |y| spmv_tiles(black_box(tiles), black_box(x), y);
                contest.again("tiles", none, run, dense);
            }
        }
        contest.hand("1 sum", || lists::spmv(black_box(lists), black_box(dense_x)), values).hand(
            "4 sums",
            || lists::spmv_4(black_box(lists), black_box(dense_x)),
            values,
        );
        suite.run(contest, &problem);
    });
}
