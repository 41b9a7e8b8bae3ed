//! Nests of loops of which one is parallel beside the same nests in order, and beside loops by hand:
//! every kind of level along the parallel index, and whatever may stand around and inside of the loop.
//!
//! All extents are cut into many chunks, by one thread and by two.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

#[macro_use]
#[path = "../both/mod.rs"]
mod both;
mod around;
mod folds;
mod levels;

/// Runs `test` with every loop cut into as many chunks as there may be, by one thread and by two.
fn chunked(test: impl Fn() + Sync) {
    looplets::rt::parallel::worth(1);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(&test);
    }
}
