//! What the benchmarks share: matrices, pictures, paired timing, tables, and the options of a run.
//!
//! | command | what it prints |
//! |---|---|
//! | `cargo bench -p looplets-benches --bench kernels` | speed of compiled kernels beside loops written by hand |
//! | `cargo bench -p looplets-benches --bench formats` | speed of each level beside loops over its arrays written by hand |
//! | `cargo bench -p looplets-benches --bench arrays` | speed of elementwise programs over matrices and tensors beside loops written by hand |
//! | `cargo bench -p looplets-benches --bench shapes` | speed of shape operators beside loops written by hand, the same unfused, and `memcpy` |
//! | `cargo bench -p looplets-benches --bench suite` | speed of programs beside loops written by hand and libraries, as a table, JSON and charts |
//! | `cargo bench -p looplets-benches --profile dev --bench expansion` | what expanding each kernel costs |
//! | `cargo bench -p looplets-benches --bench dynamic` | speed of structures made of nodes beside rows in arrays and maps |
//! | `cargo bench -p looplets-benches --bench parallel_nodes` | parallel loops over rows made of nodes, and the bytes an edge |
//! | `cargo bench -p looplets-benches --bench unions` | sums of many operands in one loop beside the same two at a time |
//! | `cargo bench -p looplets-benches --bench choice` | the way that a call of a program without loops takes beside all that are compiled |
//! | `cargo bench -p looplets-benches --bench hundred` | what a crate with a hundred kernels costs |
//!
//! All options come from the environment, and words after `--` select rows: a row runs if its
//! kernel or its matrix contains one of them.
//!
//! | variable | meaning |
//! |---|---|
//! | `LOOPLETS_DATA` | a directory: every `.mtx` file in its `matrices` and `graphs` is measured, for `formats` and `suite` the pictures of its `images`, and for `arrays` every `.tns` file in its `tensors` |
//! | `LOOPLETS_BENCH_MS` | time for one row, in milliseconds (200) |
//! | `LOOPLETS_BENCH_WORK` | what a merge takes more steps for than this is left out (2e8) |
//! | `LOOPLETS_BENCH_LIST` | `made` or `real`: only these matrices; for `suite` also `scaling`, uniform ones of 10,000 entries and up |
//! | `LOOPLETS_BENCH_ALL` | if set, `suite` takes files of fewer than 20,000 entries too, and `shapes` all files |
//! | `LOOPLETS_BENCH_MOST` | the entries that `scaling` goes up to (1e7) |
//! | `LOOPLETS_BENCH_OUT` | where `suite` writes JSON and charts (`target/suite`) |
//! | `LOOPLETS_PEERS` | a directory of shared objects that `suite` compares with, as `peers/lib/peer.h` has them, and `shapes`, as `peers/lib/shapes.c` |
//! | `LOOPLETS_PEERS_PYTHON` | a Python with SciPy and PyData/Sparse, for `suite` |

//!
//! With `--features peers-rust` the suite has crates beside it too, which take minutes to compile.

pub mod matrices;
pub mod npy;
pub mod timing;

/// The options of a run.
pub struct Options {
    words: Vec<String>,
    list: Option<String>,
    /// Milliseconds for one row.
    pub budget: f64,
    /// The most merge steps of a row.
    pub work: f64,
}

/// The options, or `None` if this is no `cargo bench`: `cargo test --benches` starts the same
/// binary, and all it should learn is that the kernels compile.
pub fn options() -> Option<Options> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|a| a == "--bench") {
        return None;
    }
    let number = |name: &str, default: f64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|e| panic!("{name}={text}: {e}")),
        Err(_) => default,
    };
    Some(Options {
        words: args.into_iter().filter(|a| !a.starts_with('-')).collect(),
        list: std::env::var("LOOPLETS_BENCH_LIST").ok(),
        budget: number("LOOPLETS_BENCH_MS", 200.0),
        work: number("LOOPLETS_BENCH_WORK", 2e8),
    })
}

impl Options {
    /// Whether a row of these names is asked for.
    pub fn wants(&self, names: &[&str]) -> bool {
        self.words.is_empty()
            || self.words.iter().any(|w| names.iter().any(|n| n.contains(w.as_str())))
    }

    /// Whether the list `name` is asked for.
    pub fn list(&self, name: &str) -> bool {
        self.list.as_ref().is_none_or(|l| l == name)
    }

    /// Whether the list `name`, which is not one of the usual ones, is what is asked for.
    pub fn list_is(&self, name: &str) -> bool {
        self.list.as_ref().is_some_and(|l| l == name)
    }
}

/// Memory that is freed is kept: else large results would be timed as page faults, which those who write into
/// memory that they have do not see.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn keep_memory() {
    extern "C" {
        fn mallopt(parameter: i32, value: i32) -> i32;
    }
    const TRIM_THRESHOLD: i32 = -1;
    const MMAP_MAX: i32 = -4;
    // SAFETY: these parameters of glibc's allocator may be set at any time; nothing runs beside yet.
    unsafe {
        mallopt(TRIM_THRESHOLD, i32::MAX);
        mallopt(MMAP_MAX, 0);
    }
}

/// There is nothing to be set.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_memory() {}
