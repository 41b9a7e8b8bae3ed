//! Where a loop over the nodes of a fiber has come to.

use smallvec::SmallVec;

/// What is left of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The number of the node among those of its type.
    pub node: usize,
    /// Where in the order of its type to go on; 0 if nothing is left.
    pub point: u32,
    /// The entry to go on with, where links stand between entries.
    pub slot: u32,
}

/// A block of entries at `lo..hi`, and what is met behind it: on the stack what is left of the nodes around.
///
/// The stack is as deep as the tree. The first frames need no allocation: trees of blocks are shallow, and a deeper tree
/// has enough entries to pay for one.
#[derive(Clone, Debug)]
pub struct Path {
    /// The position of the first entry of the block that is not behind.
    pub lo: usize,
    /// One past the last.
    pub hi: usize,
    /// Where to go on behind the block.
    pub frame: Frame,
    /// Where to go on behind that.
    pub stack: SmallVec<[Frame; 4]>,
}

impl Path {
    /// Before all of a node, whose order starts at `point`.
    #[inline(always)]
    pub fn new(node: usize, point: u32) -> Path {
        Path { lo: 0, hi: 0, frame: Frame { node, point, slot: 0 }, stack: SmallVec::new() }
    }

    /// `lo`, as kernels compute with it.
    #[inline(always)]
    pub fn lo(&self) -> i64 {
        self.lo as i64
    }

    /// `hi`, as kernels compute with it.
    #[inline(always)]
    pub fn hi(&self) -> i64 {
        self.hi as i64
    }

    /// Stands at a block, behind which `point` of `node` is met.
    #[inline(always)]
    pub fn stand(&mut self, lo: usize, hi: usize, node: usize, point: u32, slot: usize) {
        (self.lo, self.hi) = (lo, hi);
        self.frame = Frame { node, point, slot: slot as u32 };
    }

    /// Whether no block is behind the one at hand.
    #[inline(always)]
    pub fn last(&self) -> bool {
        self.frame.point == 0 && self.stack.is_empty()
    }

    /// Stands at no block: all has been met.
    #[inline(always)]
    pub fn end(&mut self) {
        (self.lo, self.hi) = (0, 0);
        self.frame.point = 0;
    }

    /// Leaves `point` of `node` for later.
    #[inline(always)]
    pub fn push(&mut self, node: usize, point: u32, slot: usize) {
        self.stack.push(Frame { node, point, slot: slot as u32 });
    }
}
