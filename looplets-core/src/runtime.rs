//! What kernels ask of the run-time library, as data: `emit` alone prints it.

use crate::cin::{TensorId, VarId};

/// A call of the run-time library, or a statement on a whole array. The arguments are in the order given here.
#[derive(Clone, PartialEq, Debug)]
pub enum Runtime {
    /// Of a number: the number, cut to the range of coordinates.
    Index,
    /// Of a number: the number as the size of a dimension, 0 if it is below.
    Size,
    /// Of an index, its least value and its limit: the index, or an error that names the dimension.
    CheckIndex {
        /// Whose dimension.
        tensor: TensorId,
        /// Which.
        dim: usize,
    },
    /// Of a bound of an extent, the first index and the limit: the bound, or an error if the extent leaves the
    /// range of coordinates.
    Reach {
        /// The index of the loop.
        index: VarId,
    },
    /// Of two sizes: their product, cut to the range of coordinates.
    Product,
    /// Of counts: their sum, or the greatest number.
    Sum,
    /// Of `lo`, `hi`, a variable and counts in terms of that variable: the sum of the counts over `lo..hi`.
    Total,
    /// Of variables: puts them side by side in memory.
    Together,
    /// Nothing, which iterations of the loop around it may not be taken without: one comes after the other.
    InOrder,
    /// Of an array: defines it, empty.
    Declare,
    /// Of an array: defines it as an array on the stack, of `count` elements that are the fill of the tensor.
    OnStack {
        /// The tensor.
        of: TensorId,
        /// How many.
        count: usize,
    },
    /// Of an array: borrows it as a slice from here on.
    Slice {
        /// Whether it is borrowed once more behind.
        reborrowed: bool,
    },
    /// Of an empty array, whether it is wanted and a number of rows: whether it has room for these now.
    PanelRoom {
        /// How many elements a row has.
        width: usize,
    },
    /// Of a slice, an array with room, a third one, whether it is to be copied, where the first row is in that, how far
    /// it is to the next, and how many there are: defines the slice as the copy of these rows, or as all of the third.
    Panel {
        /// How many elements a row has.
        width: usize,
    },
    /// Of an array: how many elements it has.
    Length,
    /// Of an array: takes all elements out.
    Clear,
    /// Of an array and sizes: leaves at most the product of the sizes.
    Truncate,
    /// Of the sizes of a dense tensor: how many elements it has, or an error if that is more than can be addressed.
    Elements {
        /// The level above the leaf.
        of: (TensorId, usize),
    },
    /// Of the first coordinate of an entry, the first that may follow, and the sizes of the tensor: an error if
    /// they are not in order.
    Follows {
        /// Whose entry it is.
        of: (TensorId, usize),
    },
    /// Of a size: an error if the coordinates of the level cannot hold it.
    Fits {
        /// The level.
        of: (TensorId, usize),
        /// Which argument of its format is the type of coordinates.
        argument: usize,
    },
    /// How many entries an input has stored, as it was passed.
    Entries {
        /// The input.
        of: TensorId,
    },
    /// Of an array and a number of entries: makes room for so many.
    Room,
    /// Of an array: gives back what room was far too much.
    Fit,
    /// Of an array of words and a position: the word there.
    Word,
    /// Of an array of words, a position and bits: sets these in the word there.
    SetBits,
    /// Of an array of words, a position and bits: makes these the word there.
    StoreBits,
    /// Of an array of words, the position of one, and two coordinates counted from its first bit: sets all bits from the
    /// one to before the other, which are some.
    FillBits,
    /// Of two words that follow each other and a number below 64: the 64 bits of the two from that bit on.
    Funnel,
    /// Of the first of some coordinates, one past the last, and the number of a word: the bits in it of these.
    BitsWithin,
    /// 64 flags, none of which is set.
    NoFlags,
    /// Of flags, a number below 64 and a condition: sets that flag if it holds.
    SetFlag,
    /// Of flags: those as bits.
    Packed,
    /// Of a word: how many of its bits are set.
    CountOnes,
    /// Of an array that says where rows end, a first row and the one past the last: up to which entry three may be computed
    /// at once, whichever row they are of, or less than all if the rows are such that this would not be sooner done.
    Irregular,
    /// Of an array, a position, another array and a position: whether the four coordinates from there on are the same.
    AlikeFour,
    /// Of a float, a count and a number below three: the float if the number is below the count, else `-0.0`, without a branch.
    Masked,
    /// The default of whatever type is wanted.
    Default,
}

impl Runtime {
    /// What people read of it.
    pub fn name(&self) -> &'static str {
        match self {
            Runtime::Index => "index",
            Runtime::Size => "size",
            Runtime::CheckIndex { .. } => "check_index",
            Runtime::Reach { .. } => "reach",
            Runtime::Product => "product",
            Runtime::Sum => "sum",
            Runtime::Total => "total",
            Runtime::Together => "together",
            Runtime::InOrder => "in_order",
            Runtime::Declare => "declare",
            Runtime::OnStack { .. } => "on_stack",
            Runtime::Slice { .. } => "slice",
            Runtime::PanelRoom { .. } => "panel_room",
            Runtime::Panel { .. } => "panel",
            Runtime::Length => "length",
            Runtime::Clear => "clear",
            Runtime::Truncate => "truncate",
            Runtime::Elements { .. } => "elements",
            Runtime::Follows { .. } => "follows",
            Runtime::Fits { .. } => "fits",
            Runtime::Entries { .. } => "entries",
            Runtime::Room => "room",
            Runtime::Fit => "fit",
            Runtime::Word => "word",
            Runtime::SetBits => "set_bits",
            Runtime::StoreBits => "store_bits",
            Runtime::FillBits => "fill_bits",
            Runtime::Funnel => "funnel",
            Runtime::BitsWithin => "bits_within",
            Runtime::NoFlags => "no_flags",
            Runtime::SetFlag => "set_flag",
            Runtime::Packed => "packed",
            Runtime::CountOnes => "count_ones",
            Runtime::Irregular => "irregular",
            Runtime::AlikeFour => "alike_four",
            Runtime::Masked => "masked",
            Runtime::Default => "default",
        }
    }

    /// Whether it may end the kernel with an error.
    pub fn refuses(&self) -> bool {
        match self {
            Runtime::CheckIndex { .. }
            | Runtime::Reach { .. }
            | Runtime::Elements { .. }
            | Runtime::Follows { .. }
            | Runtime::Fits { .. } => true,
            Runtime::Index
            | Runtime::Size
            | Runtime::Product
            | Runtime::Sum
            | Runtime::Total
            | Runtime::Together
            | Runtime::InOrder
            | Runtime::Declare
            | Runtime::OnStack { .. }
            | Runtime::Slice { .. }
            | Runtime::PanelRoom { .. }
            | Runtime::Panel { .. }
            | Runtime::Length
            | Runtime::Clear
            | Runtime::Truncate
            | Runtime::Entries { .. }
            | Runtime::Room
            | Runtime::Fit
            | Runtime::Word
            | Runtime::SetBits
            | Runtime::StoreBits
            | Runtime::FillBits
            | Runtime::Funnel
            | Runtime::BitsWithin
            | Runtime::NoFlags
            | Runtime::SetFlag
            | Runtime::Packed
            | Runtime::CountOnes
            | Runtime::Irregular
            | Runtime::AlikeFour
            | Runtime::Masked
            | Runtime::Default => false,
        }
    }
}
