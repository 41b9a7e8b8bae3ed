//! Speed of each level, below dense rows or as a matrix, beside loops by hand over the same arrays: `cargo bench -p looplets-benches --bench formats`.
//!
//! Three kernels: `copy` to a dense matrix, `dot` of each row with a sparse vector by walking both, and
//! `locate`, the same product by looking each entry of the vector up. Results are compared before
//! anything is timed. The options are those of `looplets_benches`.

mod compiled;
mod hand;
mod inputs;

use compiled::{Kernels, Product};
use hand::Matrix;
use inputs::{Input, Part};
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use looplets_benches::timing::{geomean, race, Row};
use looplets_benches::{options, Options};
use std::hint::black_box;

fn main() {
    let Some(options) = options() else { return };
    let mut table = Table { options, rows: Vec::new() };
    println!("a ratio over 1 says that the compiled kernel is faster\n");
    println!(
        "{:<22} {:<7} {:<26} {:>9} {:>11} {:>11} {:>6}",
        "format", "kernel", "input", "stored", "ours ns", "hand ns", "ratio"
    );
    if table.options.list("made") {
        inputs::made().iter().for_each(|input| table.measure(input));
    }
    if table.options.list("real") {
        let inputs = inputs::real();
        if inputs.is_empty() {
            println!("no real matrices: LOOPLETS_DATA names no directory with them");
        }
        inputs.iter().for_each(|input| table.measure(input));
    }
    table.foot();
}

/// The table, printed row by row.
struct Table {
    options: Options,
    rows: Vec<(&'static str, &'static str, f64)>,
}

impl Table {
    fn measure(&mut self, input: &Input) {
        use compiled as k;
        let side = |upper, on| Part::Side { upper, on };
        self.level(input, Part::All, &k::dense());
        self.level(input, Part::All, &k::sparse_list());
        self.level(input, Part::All, &k::pattern());
        self.level(input, Part::All, &k::sparse_band());
        self.level(input, Part::All, &k::sparse_block_list());
        self.level(input, Part::All, &k::run_list());
        self.level(input, Part::All, &k::sparse_run_list());
        self.level(input, Part::All, &k::pack_bits());
        self.level(input, Part::All, &k::bitmap());
        self.level(input, Part::All, &k::byte_map());
        self.level(input, Part::All, &k::hash());
        self.level(input, Part::All, &k::coo());
        self.level(input, Part::All, &k::ragged());
        self.level(input, Part::First, &k::sparse_point());
        self.level(input, Part::Run, &k::sparse_interval());
        self.level(input, side(false, true), &k::lower());
        self.level(input, side(false, false), &k::strict_lower());
        self.level(input, side(true, true), &k::upper());
        self.level(input, side(true, false), &k::strict_upper());
        self.level(input, side(false, true), &k::symmetric());
    }

    /// The kernels of a level on a matrix, or on its part that the level can hold.
    fn level<M: Matrix>(&mut self, input: &Input, part: Part, kernels: &Kernels<M>)
    where
        M::Value: Number,
    {
        let Kernels { name, copy, dot, locate } = *kernels;
        let wants = |kernel| self.options.wants(&[name, kernel, &input.name]);
        let wanted = ["copy", "dot", "locate"].map(wants);
        if wanted == [false; 3] {
            return;
        }
        let Some(entries) = input.part(part) else { return };
        let [rows, columns] = input.shape;
        let list: Csr<f64> = Tensor::from_triplets(input.shape, entries, Refuse)
            .expect("sorted, and inside the shape");
        let a: Tensor<M> = match M::Value::hold(&list) {
            Ok(a) => a,
            Err(error) => {
                return println!("{name:<22} {:<7} {:<26} {error}", "", input.name);
            }
        };
        if wanted[0] {
            let mut ours: DenseMat<f64> = Tensor::new(input.shape).expect("of moderate size");
            let mut by_hand = vec![f64::NAN; rows * columns];
            copy(&a, &mut ours);
            hand::copy(&a, &mut by_hand, columns);
            close(&ours.to_dense(), &by_hand);
            let row = race(
                self.options.budget,
                &mut [&mut || copy(black_box(&a), black_box(&mut ours)), &mut || {
                    hand::copy(black_box(&a), black_box(&mut by_hand), columns)
                }],
            );
            self.row(name, "copy", &input.name, a.stored(), &row);
        }
        let x = Random::new(columns as u64).vector(columns, columns.div_ceil(10));
        if wanted[1] {
            let row = self.product(&a, &x, dot, hand::dot);
            self.row(name, "dot", &input.name, a.stored(), &row);
        }
        if wanted[2] {
            let row = self.product(&a, &x, locate, hand::locate);
            self.row(name, "locate", &input.name, a.stored(), &row);
        }
    }

    fn product<M: Matrix>(
        &self,
        a: &Tensor<M>,
        x: &SparseVec<f64>,
        ours: Product<M>,
        by_hand: fn(&Tensor<M>, hand::Entries<'_>, usize) -> Vec<f64>,
    ) -> Row {
        let (entries, rows) = (hand::vector(x), a.shape()[0]);
        close(&ours(a, x).to_dense(), &by_hand(a, entries, rows));
        race(
            self.options.budget,
            &mut [&mut || drop(black_box(ours(black_box(a), black_box(x)))), &mut || {
                drop(black_box(by_hand(black_box(a), black_box(entries), rows)))
            }],
        )
    }

    fn row(
        &mut self,
        name: &'static str,
        kernel: &'static str,
        input: &str,
        stored: usize,
        row: &Row,
    ) {
        println!(
            "{name:<22} {kernel:<7} {input:<26} {stored:>9} {:>11.0} {:>11.0} {:>6.2}",
            row.seconds[0] * 1e9,
            row.seconds[1] * 1e9,
            row.ratios[1]
        );
        self.rows.push((name, kernel, row.ratios[1]));
    }

    /// The geometric mean of each kernel of each format, with the least ratio, and of all its rows.
    fn foot(&self) {
        println!("\n{:<22} {:>13} {:>13} {:>13} {:>6}", "format", "copy", "dot", "locate", "all");
        let mut names: Vec<&str> = Vec::new();
        self.rows.iter().for_each(|(name, ..)| {
            if !names.contains(name) {
                names.push(name);
            }
        });
        for name in names {
            print!("{name:<22}");
            let of = |kernel: &str| -> Vec<f64> {
                let rows = self.rows.iter().filter(|r| r.0 == name && r.1.contains(kernel));
                rows.map(|r| r.2).collect()
            };
            for kernel in ["copy", "dot", "locate"] {
                let ratios = of(kernel);
                let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
                match ratios.is_empty() {
                    true => print!(" {:>13}", ""),
                    false => print!(" {:>6.2} (>{least:.2})", geomean(&ratios)),
                }
            }
            println!(" {:>6.2}", geomean(&of("")));
        }
    }
}

/// Values that a matrix of numbers gives.
trait Number: Sized {
    /// The matrix in another format.
    fn hold<M: Level<Value = Self>>(matrix: &Csr<f64>) -> Result<Tensor<M>, Error>;
}

impl Number for f64 {
    fn hold<M: Level<Value = f64>>(matrix: &Csr<f64>) -> Result<Tensor<M>, Error> {
        matrix.convert()
    }
}

impl Number for bool {
    fn hold<M: Level<Value = bool>>(matrix: &Csr<f64>) -> Result<Tensor<M>, Error> {
        let mut entries = Vec::with_capacity(matrix.stored());
        matrix.for_each(|c, _| entries.push(([c[0], c[1]], true)));
        Tensor::from_triplets(matrix.shape(), entries, Refuse)
    }
}

/// Equal but for the order of additions.
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let size = f.abs().max(e.abs()).max(1e-300);
        assert!(
            (f - e).abs() <= 1e-6 * size || (f - e).abs() < 1e-9,
            "element {i}: {f}, by hand {e}"
        );
    }
}
