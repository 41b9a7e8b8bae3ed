//! What a program takes: the best time of many runs, and the memory at the peak of the first.
//!
//! Memory is what the operands hold, counted, and by how much the process grew during the first run,
//! as Linux tells it: the peak is set back before.

use looplets::prelude::*;
use std::time::Instant;

/// Figures of one program and one array.
pub struct Measured {
    /// The best time.
    pub seconds: f64,
    /// Entries of the result.
    pub stored: usize,
    /// Bytes of operands, result and whatever was there between.
    pub peak: usize,
}

/// Bytes of the arrays of a level and below it.
pub trait Stored {
    /// The number.
    fn bytes(&self) -> usize;
}
impl<C: Stored> Stored for SparseList<C> {
    fn bytes(&self) -> usize {
        let (_, pos, crd, child) = self.__fields();
        size_of_val(pos) + size_of_val(crd) + child.bytes()
    }
}
impl<C: Stored> Stored for Dense<C> {
    fn bytes(&self) -> usize {
        self.__fields().1.bytes()
    }
}
impl<T, F> Stored for Element<T, F> {
    fn bytes(&self) -> usize {
        size_of_val(self.__fields().0)
    }
}
impl Stored for Pattern {
    fn bytes(&self) -> usize {
        0
    }
}

/// Runs a program on operands of `bytes`.
pub fn measured<L: Level>(
    bytes: usize,
    repeats: usize,
    mut run: impl FnMut() -> Tensor<L>,
) -> Measured {
    // 5 sets the peak back to what is resident.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let result = run();
    let peak = bytes + status("VmHWM:").saturating_sub(before);
    let stored = result.stored();
    drop(result);
    let mut seconds = f64::INFINITY;
    for _ in 0..repeats {
        let began = Instant::now();
        let result = run();
        seconds = seconds.min(began.elapsed().as_secs_f64());
        drop(result);
    }
    Measured { seconds, stored, peak }
}

fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(name));
    let kib = line.and_then(|l| l.split_whitespace().next()?.parse::<usize>().ok());
    kib.unwrap_or(0) * 1024
}
