//! The run-time tensors of looplets and what their compiled kernels call.

#[macro_use]
mod macros;
pub mod conformance;
pub mod error;
pub mod fill;
pub mod level;
pub mod levels;
pub mod mtx;
#[cfg(test)]
mod mutate;
pub mod nodes;
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "npz")]
pub mod npz;
#[doc(hidden)]
pub mod rt;
#[cfg(test)]
mod sample;
pub mod search;
pub mod semiring;
pub mod tensor;
pub mod tns;
pub mod value;
pub mod with;

pub use error::{Error, Origin};
pub use fill::*;
pub use level::{Grows, Index, Level, Vouched};
pub use levels::*;
pub use rt::{last_choice, LastChoice};
pub use tensor::{
    Accumulate, ByColumns, Duplicates, Last, Operand, Operands, Refuse, Span, Spans, Sum, Tensor,
    Versioned,
};
pub use value::Value;

#[doc(hidden)]
pub mod __private {
    pub use looplets_macros::{level, print, start, step};
    #[cfg(feature = "serde")]
    pub use serde;
}
