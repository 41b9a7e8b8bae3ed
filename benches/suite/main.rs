//! Programs of sparse linear and tensor algebra, graphs and images beside the same by hand and in libraries:
//! `cargo bench -p looplets-benches --bench suite`.
//!
//! Results are compared before anything is timed. The options are those of `looplets_benches`.

mod answer;
mod contest;
#[cfg(feature = "peers-rust")]
mod crates;
mod inputs;
#[path = "../kernels/hand.rs"]
#[allow(dead_code, reason = "the bench of kernels has more of them")]
mod lists;
mod memory;
mod peers;
mod pictures;
mod plot;
mod problem;
mod programs;
mod report;
mod suite;
mod tensors;
mod worker;

use contest::Record;
use looplets_benches::{keep_memory, options};
use std::path::PathBuf;
use suite::Suite;

/// Counts what kernels and loops by hand take.
#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn main() {
    let Some(options) = options() else { return };
    keep_memory();
    let out = std::env::var_os("LOOPLETS_BENCH_OUT").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/suite")),
        PathBuf::from,
    );
    std::fs::create_dir_all(&out).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
    let scaling = options.list_is("scaling");
    let mut suite = Suite::new(options);
    report::head();
    for (name, run) in programs::PROGRAMS {
        run(name, &mut suite);
    }
    report::foot(&suite.records);
    report::memory(&suite.records);
    let write = |file: &str, text: &str| {
        let file = out.join(file);
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    };
    // One list does not overwrite what another found.
    let (stem, draw) = if scaling {
        ("scaling", plot::scaling as fn(&str, &[&Record]) -> String)
    } else {
        ("suite", plot::bars as _)
    };
    let text =
        serde_json::to_string_pretty(&report::json(&suite.records)).expect("numbers and names");
    write(&format!("{stem}.json"), &text);
    for (program, _) in programs::PROGRAMS {
        let records: Vec<&Record> =
            suite.records.iter().filter(|r| r.program == *program).collect();
        if !records.is_empty() {
            write(&format!("{stem}-{program}.svg"), &draw(program, &records));
        }
    }
}
