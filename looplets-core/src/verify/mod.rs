//! What must hold of kernel IR between passes, checked where the compiler itself is built with debug assertions:
//! one file a kind of invariant. A breach is a bug of a pass and panics with its name and the code.

mod entries;
mod present;
mod regions;

use crate::kernel::Kernel;
use crate::kir::Kir;

/// The name under which lowering is verified.
pub const LOWERING: &str = "lowering";
/// The name under which the result of all passes is verified.
pub const FINISHED: &str = "finished";

/// Panics if `code`, as it is after the pass called `after`, breaks an invariant.
pub fn verify(kernel: &Kernel, code: &[Kir], after: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    entries::verify(kernel, code, after);
    present::verify(kernel, code, after);
    // Passes remove bindings that nothing reads, which is what tells runs of a loop apart in between.
    match after {
        LOWERING => regions::verify(kernel, code, regions::Bindings::All),
        FINISHED => regions::verify(kernel, code, regions::Bindings::Read),
        _ => {}
    }
}
