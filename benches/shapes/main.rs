//! Speed of the shape operators of *Compilation of Shape Operators on Sparse Arrays*, section 8, beside loops by
//! hand, the same kernels unfused, and `memcpy`: `cargo bench -p looplets-benches --bench shapes`.
//!
//! Results are compared before anything is timed. The options are those of `looplets_benches`; of `LOOPLETS_DATA`
//! thirteen matrices are taken, all with `LOOPLETS_BENCH_ALL`. `peers/shapes.py` starts the same executable as a
//! worker, to compare with libraries.

mod arrays;
mod compiled;
mod hand;
mod inputs;
mod programs;
mod worker;

use arrays::{Arrays, Made};
use inputs::Operands;
use looplets_benches::timing::{race, Table, Way};
use looplets_benches::{keep_memory, options, Options};
use programs::{Program, PROGRAMS};
use std::hint::black_box;

/// More entries than this are told of apart: calls cost nothing there.
const LARGE: usize = 1_000_000;

fn main() {
    if worker::asked() {
        return;
    }
    let Some(options) = options() else { return };
    keep_memory();
    let mut table = Table::new("shape operators").apart(LARGE);
    let mut inputs = Vec::new();
    if options.list("real") {
        inputs.extend(inputs::files().iter().map(|f| f.to_string_lossy().into_owned()));
        if inputs.is_empty() {
            println!("no real matrices: LOOPLETS_DATA names no directory with them");
        }
    }
    if options.list("made") {
        inputs.push(inputs::MADE.to_owned());
    }
    for input in inputs {
        match inputs::load(&input) {
            Ok(operands) => measure(&operands, &options, &mut table),
            Err(error) => println!("{error}"),
        }
    }
}

fn measure(o: &Operands, options: &Options, table: &mut Table) {
    for program in PROGRAMS.iter().filter(|p| options.wants(&[p.name, &o.name])) {
        match program.steps(o) {
            Some(steps) if steps > options.work => {
                println!("{:<22} {:<24} left out: {steps:.1e} steps", program.name, o.name);
            }
            Some(_) => contest(program, o, options, table),
            None => println!("{:<22} {:<24} left out: not square", program.name, o.name),
        }
    }
}

fn contest(program: &Program, o: &Operands, options: &Options, table: &mut Table) {
    let result: Arrays = (program.ours)(o).arrays();
    let what = |way: &str| format!("{} of {}, {way}", program.name, o.name);
    result.compare(&(program.hand)(o), &what("by hand"));
    let mut ours = || drop(black_box((program.ours)(o)));
    let mut hand = || drop(black_box((program.hand)(o)));
    let mut unfused = program.unfused.map(|run| {
        result.compare(&run(o).arrays(), &what("unfused"));
        move || drop::<Made>(black_box(run(o)))
    });
    let mut copied = program.copies.then_some(|| drop(black_box(black_box(&result).clone())));
    let mut ways: Vec<Way<'_>> = vec![&mut ours, &mut hand];
    let mut names = vec!["hand"];
    if let Some(way) = &mut unfused {
        ways.push(way);
        names.push("unfused");
    }
    if let Some(way) = &mut copied {
        ways.push(way);
        names.push("memcpy");
    }
    let row = race(options.budget, &mut ways);
    table.row(program.name, &o.name, o.whole.stored(), &names, &row);
}
