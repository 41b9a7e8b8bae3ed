//! Random kernels against the dense oracle: each is compiled once and run on many random inputs.
//!
//! `LOOPLETS_SEED` and `LOOPLETS_KERNELS` say which kernels (`build.rs`), `LOOPLETS_INPUTS` how many
//! inputs each; `long.sh` runs many seeds.
#![cfg(test)]
// Results start where they may.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
#[macro_use]
mod case;
mod operators;

use case::Case;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::Ordering::Relaxed;

/// What generated modules use.
mod prelude {
    #![allow(non_camel_case_types, dead_code)]
    pub use crate::case::Case;
    pub use looplets::prelude::*;
    pub type a_i64 = i64;
    pub type a_i32 = i32;
    pub type a_u8 = u8;
    pub type a_f64 = f64;
    pub type a_f32 = f32;
}

#[allow(warnings, clippy::all)]
mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// A kernel: its name, its text, and what runs it on one input.
type Kernel = (&'static str, &'static str, fn(&mut Case));

/// As much as the stack of a debug build needs for the largest kernels, which hold megabytes of local variables.
const STACK: usize = 64 << 20;

/// Runs every kernel on every input, and reports the first failure of each.
fn all(kernels: &'static [Kernel]) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let running = thread.spawn(|| each(kernels)).expect("a thread");
    running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn each(kernels: &[Kernel]) {
    let inputs = match std::env::var("LOOPLETS_INPUTS") {
        Ok(n) => n.parse().expect("LOOPLETS_INPUTS is a number"),
        Err(_) => 60,
    };
    case::quiet();
    // A loop of any work at all is cut.
    looplets::rt::parallel::worth(0);
    let mut failed = Vec::new();
    for (name, source, run) in kernels {
        let _watch = case::Watch::start(format!("seed {}, {name}\n{source}", kernels::SEED));
        for input in 0..inputs {
            // What thousands of rows would do, a few are to do as well.
            looplets::rt::all_irregular(input % 2 == 0);
            let mut case = Case::new(kernels::SEED, name, input);
            let result = catch_unwind(AssertUnwindSafe(|| run(&mut case)));
            if let Err(panic) = result {
                let why = case::message(&*panic);
                eprintln!("== seed {}, {name}, input {input}: {why}\n", kernels::SEED);
                failed.push(*name);
                break;
            }
        }
    }
    let (meant, vague) = (oracle::MEANT.load(Relaxed), oracle::VAGUE.load(Relaxed));
    println!("{meant} inputs have a result so far, of {vague} it is left open");
    assert!(vague < meant, "of {vague} inputs the result is left open, of {meant} it is not");
    assert!(failed.is_empty(), "seed {}: {} disagree", kernels::SEED, failed.join(","));
}
