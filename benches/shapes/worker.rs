//! Our side of the comparison with libraries: `peers/shapes.py` starts it once for each matrix and reads a line of
//! figures for each program.
//!
//! `shapes --worker PROGRAMS MATRIX REPEATS`: a line has the program, the best seconds, and what both sides must
//! agree in: entries of the result and two sums over them.

use crate::inputs;
use crate::programs::PROGRAMS;
use std::hint::black_box;
use std::time::Instant;

/// Whether this is one; it has done its work then.
pub fn asked() -> bool {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [flag, programs, matrix, repeats] = &args[..] else { return false };
    if flag != "--worker" {
        return false;
    }
    let repeats: usize = repeats.parse().expect("a number of repeats");
    let operands = inputs::load(matrix).unwrap_or_else(|e| panic!("{matrix}: {e}"));
    for name in programs.split(',') {
        let program = PROGRAMS.iter().find(|p| p.name == name).expect("a program of the bench");
        if program.steps(&operands).is_none() {
            continue;
        }
        let result = (program.ours)(&operands).arrays();
        let (entries, [size, weighted]) = (result.val.len(), result.sums());
        drop(result);
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let began = Instant::now();
            let result = (program.ours)(black_box(&operands));
            best = best.min(began.elapsed().as_secs_f64());
            drop(result);
        }
        println!("{name} {best} {entries} {size} {weighted}");
    }
    true
}
