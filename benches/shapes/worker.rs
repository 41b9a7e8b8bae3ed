//! Our side of the comparison with libraries: `peers/shapes.py` starts it once for each matrix and reads a line of
//! figures for each program.
//!
//! `shapes --worker PROGRAMS MATRIX SECONDS`: a line has the program, the best time of as many runs as the seconds have
//! room for (three at least), and what both sides must agree in: how many entries of the result are not zero,
//! and two sums over them.

use crate::inputs;
use crate::programs::PROGRAMS;
use std::hint::black_box;
use std::time::Instant;

/// Whether this is one; it has done its work then.
pub fn asked() -> bool {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [flag, programs, matrix, seconds] = &args[..] else { return false };
    if flag != "--worker" {
        return false;
    }
    let seconds: f64 = seconds.parse().expect("a number of seconds");
    let operands = inputs::load(matrix).unwrap_or_else(|e| panic!("{matrix}: {e}"));
    for name in programs.split(',') {
        let program = PROGRAMS.iter().find(|p| p.name == name).expect("a program of the bench");
        if program.steps(&operands).is_none() {
            continue;
        }
        let result = (program.ours)(&operands).arrays();
        // SciPy leaves sums out that come to zero.
        let entries = result.val.iter().filter(|v| **v != 0.0).count();
        let [size, weighted] = result.sums();
        drop(result);
        let (mut best, mut spent) = (f64::INFINITY, 0.0);
        for run in 1..=100 {
            let began = Instant::now();
            let result = (program.ours)(black_box(&operands));
            let took = began.elapsed().as_secs_f64();
            drop(result);
            best = took.min(best);
            spent += took;
            if run >= 3 && spent > seconds {
                break;
            }
        }
        println!("{name} {best} {entries} {size} {weighted}");
    }
    true
}
