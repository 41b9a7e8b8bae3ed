//! Speed of the shape operators of *Compilation of Shape Operators on Sparse Arrays*, section 8, beside loops by
//! hand in Rust and C, the same kernels unfused, and `memcpy`: `cargo bench -p looplets-benches --bench shapes`.
//!
//! Results are compared before anything is timed. The options are those of `looplets_benches`; of `LOOPLETS_DATA`
//! thirteen matrices are taken, all with `LOOPLETS_BENCH_ALL`. `peers/shapes.py` starts the same executable as a
//! worker, to compare with libraries.

mod arrays;
mod c;
mod compiled;
mod hand;
mod inputs;
mod programs;
mod worker;

use arrays::Arrays;
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
    let setup = Setup { libraries: c::load(), options };
    let options = &setup.options;
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
            Ok(operands) => measure(&operands, &setup, &mut table),
            Err(error) => println!("{error}"),
        }
    }
}

/// What all contests have.
struct Setup {
    options: Options,
    libraries: Vec<c::Library>,
}

fn measure(o: &Operands, setup: &Setup, table: &mut Table) {
    let options = &setup.options;
    for program in PROGRAMS.iter().filter(|p| options.wants(&[p.name, &o.name])) {
        match program.steps(o) {
            Some(steps) if steps > options.work => {
                println!("{:<22} {:<24} left out: {steps:.1e} steps", program.name, o.name);
            }
            Some(_) => contest(program, o, setup, table),
            None => println!("{:<22} {:<24} left out: not square", program.name, o.name),
        }
    }
}

fn contest(program: &Program, o: &Operands, setup: &Setup, table: &mut Table) {
    let result: Arrays = (program.ours)(o).arrays();
    let check = |found: &Arrays, way: &str| {
        result.compare(found, &format!("{} of {}, {way}", program.name, o.name));
    };
    check(&(program.hand)(o), "by hand");
    type Ways<'a> = Vec<(&'static str, Box<dyn FnMut() + 'a>)>;
    let mut others: Ways<'_> = vec![
        ("ours", Box::new(|| drop(black_box((program.ours)(o))))),
        ("hand", Box::new(|| drop(black_box((program.hand)(o))))),
    ];
    let loops = setup.libraries.iter().filter_map(|l| Some((l.name, l.find(program.name)?)));
    for (name, run) in loops {
        let call = (program.call)(o);
        check(&run.run(&call, c::Given::arrays), name);
        others.push((
            name,
            Box::new(move || run.run(black_box(&call), |given| _ = black_box(given))),
        ));
    }
    if let Some(unfused) = program.unfused {
        check(&unfused(o).arrays(), "unfused");
        others.push(("unfused", Box::new(move || drop(black_box(unfused(o))))));
    }
    if program.copies {
        others.push(("memcpy", Box::new(|| drop(black_box(black_box(&result).clone())))));
    }
    let names: Vec<_> = others[1..].iter().map(|(name, _)| *name).collect();
    let mut ways: Vec<Way<'_>> = others.iter_mut().map(|(_, way)| &mut **way as Way<'_>).collect();
    let row = race(setup.options.budget, &mut ways);
    table.row(program.name, &o.name, o.whole.stored(), &names, &row);
}
