//! What levels that are made of nodes share: the cursor that walks over them, and what any schema is checked and
//! taken apart by (DynamicSparse sections 3.1 and 4).

mod arena;
mod check;
pub mod coded;
mod linked;
mod path;
mod spare;

pub use arena::{add, counted, done, erase, room, Short};
pub use check::check;
pub use coded::CodedPath;
pub use linked::{ample, begin, fiber, Seats};
pub use path::{Frame, Path};
pub use spare::{allot, release, trim, want};

/// A type of node, as `level!` makes it of a schema. Words are counted from the first of a node.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// How many words it has.
    pub stride: usize,
    /// Its entries, if it has any.
    pub entries: Option<Entries>,
    /// Whether entries are met in the order of their coordinates; the same of all types of a schema.
    pub ordered: bool,
    /// What is met, in order.
    pub steps: &'static [Step],
    /// The word of a root that counts the entries of its fiber, which functions of authors know nothing of.
    pub count: Option<usize>,
    /// The word with the node that leads here.
    pub parent: Option<usize>,
    /// Words with the node whose entries are met first, and what types that may be.
    pub firsts: &'static [(usize, &'static [usize])],
    /// The word with the node whose entries are met next.
    pub next: Option<(usize, &'static [usize])>,
    /// Words with the node whose entries are met last.
    pub lasts: &'static [(usize, &'static [usize])],
}

/// The entries of a type of node.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// The word with the position of the first; without, node `k` has its entries from `1 + k * most` on.
    pub start: Option<usize>,
    /// The word that says how many there is room for; without, as many as it may hold.
    pub room: Option<usize>,
    /// The word that says how many there are; without, one.
    pub size: Option<usize>,
    /// The least number.
    pub least: usize,
    /// The greatest number.
    pub most: usize,
    /// Whether an entry that repeats the coordinate of the one before it is none.
    pub holes: bool,
    /// Whether coordinates are bytes: room is counted in bytes then.
    pub coded: bool,
}

/// What is met in a node. A link is 0 for none, else one more than what numbers the nodes of the types it may lead to.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The entries.
    Entries,
    /// What the link in a word leads to, which may be of these types.
    Link(usize, &'static [usize]),
    /// An entry, then what the link beside it leads to: the links are in words from here on.
    Mixed(usize, &'static [usize]),
}
