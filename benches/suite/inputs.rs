//! The matrices of a run, read or made once.

use crate::problem::Sparse;
use looplets_benches::{matrices, Options};

/// More entries than this make an input of the default list: less than that measures calls.
const ENOUGH: usize = 20_000;

/// A matrix and what it is called.
pub struct Input {
    pub name: String,
    pub matrix: Sparse,
    /// Whether its entries come in bands or blocks, which some formats are for.
    pub structured: bool,
}

/// Those that are made, then those of `LOOPLETS_DATA`.
pub fn matrices(options: &Options) -> Vec<Input> {
    let mut found = Vec::new();
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
