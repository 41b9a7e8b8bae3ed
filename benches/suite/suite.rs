//! A run: which programs over which inputs, against whom, and what came of it.

use crate::contest::{Contest, Record};
use crate::inputs::{self, Input};
use crate::peers::Library;
use crate::problem::Problem;
use crate::report;
use crate::worker::Worker;
use looplets_benches::Options;
use std::cell::OnceCell;

/// What a run has.
pub struct Suite {
    pub options: Options,
    pub records: Vec<Record>,
    libraries: Vec<Library>,
    workers: Vec<Worker>,
    matrices: OnceCell<Vec<Input>>,
}

/// A program: its name, which is that of peers too, and how it is run over everything.
pub type Program = (&'static str, fn(&'static str, &mut Suite));

impl Suite {
    /// A run without results yet.
    pub fn new(options: Options) -> Self {
        let libraries = crate::peers::load();
        let workers = crate::worker::start();
        Suite { options, records: Vec::new(), libraries, workers, matrices: OnceCell::new() }
    }

    /// For each matrix that is asked for, whether or not the program can do anything with it.
    pub fn matrices(&mut self, program: &'static str, mut each: impl FnMut(&mut Suite, &Input)) {
        self.matrices.get_or_init(|| inputs::matrices(&self.options));
        // Taken out, so that `each` has the rest of the suite to itself.
        let matrices = self.matrices.take().unwrap_or_default();
        for input in &matrices {
            if self.options.wants(&[program, &input.name]) {
                each(self, input);
            }
        }
        let _ = self.matrices.set(matrices);
    }

    /// Whether so many steps are not too many.
    pub fn affords(&self, program: &str, input: &str, steps: f64) -> bool {
        let affords = steps <= self.options.work;
        if !affords {
            println!("{program:<20} {input:<24} left out: {steps:.1e} steps");
        }
        affords
    }

    /// Adds the peers that can do `problem`, checks all results, times, and prints.
    pub fn run<'a>(&'a mut self, mut contest: Contest<'a>, problem: &'a Problem) {
        #[cfg(feature = "peers-rust")]
        crate::crates::join(&mut contest, problem);
        for library in &self.libraries {
            library.join(&mut contest, problem);
        }
        for worker in &self.workers {
            worker.join(&mut contest, problem);
        }
        let record = contest.run(self.options.budget);
        report::row(&record);
        self.records.push(record);
    }
}
