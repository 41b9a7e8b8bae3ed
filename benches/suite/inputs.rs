//! The matrices of a run, read or made once.

use crate::problem::Sparse;
use looplets_benches::matrices::{self, Random};
use looplets_benches::Options;

/// More entries than this make an input of the default list: less than that measures calls.
const ENOUGH: usize = 20_000;

/// A matrix and what it is called.
pub struct Input {
    pub name: String,
    pub matrix: Sparse,
    /// Whether its entries come in bands or blocks, which some formats are for.
    pub structured: bool,
}

/// Uniform matrices of 10 entries a row, each ten times as large as the one before.
fn scaling() -> Vec<Input> {
    let most = std::env::var("LOOPLETS_BENCH_MOST")
        .map_or(1e7, |text| text.parse().expect("LOOPLETS_BENCH_MOST: a number"));
    let sizes = (4..).map(|e| 10usize.pow(e)).take_while(|n| *n as f64 <= most);
    let made = sizes.map(|entries| {
        let n = entries / 10;
        let mut random = Random::new(entries as u64);
        let mut places = Vec::with_capacity(entries);
        for i in 0..n {
            places.extend(random.places(n, 10).into_iter().map(|j| ([i, j], 1.0)));
        }
        for (_, v) in &mut places {
            *v = random.unit() + 0.5;
        }
        Input {
            name: format!("uniform {:.0e}", entries as f64),
            matrix: Sparse::sorted(n, n, &places),
            structured: false,
        }
    });
    made.collect()
}

/// Those that are made, then those of `LOOPLETS_DATA`.
pub fn matrices(options: &Options) -> Vec<Input> {
    let mut found = Vec::new();
    if options.list_is("scaling") {
        return scaling();
    }
    if options.list("made") {
        found.extend(matrices::made().into_iter().map(|case| {
            let structured = case.name.starts_with("banded") || case.name.starts_with("blocked");
            Input { name: case.name, matrix: Sparse::of(&case.matrix), structured }
        }));
    }
    if options.list("real") {
        let all = std::env::var_os("LOOPLETS_BENCH_ALL").is_some();
        for path in matrices::files() {
            match matrices::read(&path) {
                Ok(case) if all || case.matrix.stored() >= ENOUGH => {
                    found.push(Input {
                        name: case.name,
                        matrix: Sparse::of(&case.matrix),
                        structured: false,
                    });
                }
                Ok(_) => {}
                Err(error) => println!("{error}"),
            }
        }
    }
    found
}
