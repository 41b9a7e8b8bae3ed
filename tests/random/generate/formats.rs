//! What tensors can be made of. A new format is a line of [`LEVELS`].

use fastrand::Rng;

/// How a kernel can write a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// Not at all.
    Never,
    /// Entries in order, from one assignment.
    Append,
    /// In any order, in place too.
    Anywhere,
}

/// Which entries a fiber can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    Any,
    /// One or none.
    Point,
    /// One run of equal entries or none.
    Interval,
    /// A part of a square, below a dense level: made from parts, with so many elements.
    Square(&'static str),
}

/// A level.
pub struct Level {
    /// Its type, `{}` standing for the child.
    pub ty: &'static str,
    /// Its protocols; the first is read where none is named.
    pub reads: &'static [&'static str],
    pub write: Write,
    pub holds: Holds,
    /// Has children for coordinates that nobody gave: they must be able to be fill.
    pub fills: bool,
}

const fn level_of(
    ty: &'static str,
    reads: &'static [&'static str],
    write: Write,
    holds: Holds,
    fills: bool,
) -> Level {
    Level { ty, reads, write, holds, fills }
}

const LIST: &[&str] = &["walk", "follow", "gallop", "lead", "locate"];
const BAND: &[&str] = &["walk", "follow", "locate"];
/// Entries in no order, which are one by one where their order cannot matter.
const LOOKED_UP: &[&str] = &["locate"];
const SOME: bool = false;
const EVERY: bool = true;

pub const DENSE: Level =
    level_of("Dense<{}>", &["locate", "walk", "follow"], Write::Anywhere, Holds::Any, EVERY);

pub const LEVELS: &[Level] = &[
    DENSE,
    level_of("SparseList<{}>", LIST, Write::Append, Holds::Any, SOME),
    level_of("SparseList<{}, u8>", LIST, Write::Append, Holds::Any, SOME),
    level_of("SparseBand<{}>", BAND, Write::Append, Holds::Any, EVERY),
    level_of("RunList<{}>", LIST, Write::Append, Holds::Any, EVERY),
    level_of("SparseBlockList<{}>", LIST, Write::Append, Holds::Any, SOME),
    level_of("SparseRunList<{}>", LIST, Write::Append, Holds::Any, SOME),
    level_of("PackBits<{}>", LIST, Write::Append, Holds::Any, EVERY),
    level_of("Ragged<{}>", BAND, Write::Append, Holds::Any, EVERY),
    level_of("Bitmap<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("ByteMap<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("Hash<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("Coo<{}>", LIST, Write::Append, Holds::Any, SOME),
    level_of("SparsePoint<{}>", LIST, Write::Never, Holds::Point, SOME),
    level_of("SparseInterval<{}>", LIST, Write::Never, Holds::Interval, SOME),
    level_of("BitTree<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("Spa<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("StampMap<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("Bst<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("Bst<{}, u8, u16>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("LinkedList<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("BlockList<{}, u32, 2>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("VarBlockList<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("GapBlockList<{}, u32, 3>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("RedBlack<{}>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("CTree<{}, u32, 2>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("PackedCTree<{}, 2>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("TTree<{}, u32, 3>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("BTree<{}, u32, 2>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("HybridBTree<{}, u32, 2, 3>", LIST, Write::Anywhere, Holds::Any, SOME),
    level_of("UnsortedBlockList<{}, u32, 2>", LOOKED_UP, Write::Anywhere, Holds::Any, SOME),
    level_of("UnorderedList<{}>", LIST, Write::Append, Holds::Any, SOME),
];

/// Levels that are made of nodes.
const MADE_OF_NODES: &[&str] = &[
    "Bst",
    "LinkedList",
    "BlockList",
    "GapBlockList",
    "VarBlockList",
    "UnsortedBlockList",
    "RedBlack",
    "TTree",
    "BTree",
    "HybridBTree",
    "CTree",
    "PackedCTree",
];

/// Stands below `Coo` or another one of its kind.
pub const SINGLETON: Level = level_of("Singleton<{}>", LIST, Write::Append, Holds::Any, SOME);

/// Levels of parts of a square, below a dense one.
pub const SQUARES: &[Level] = &[
    level_of("LowerTriangular<{}>", BAND, Write::Never, Holds::Square("n * (n + 1) / 2"), EVERY),
    level_of(
        "StrictLowerTriangular<{}>",
        BAND,
        Write::Never,
        Holds::Square("n * n.saturating_sub(1) / 2"),
        EVERY,
    ),
    level_of("UpperTriangular<{}>", BAND, Write::Never, Holds::Square("n * (n + 1) / 2"), EVERY),
    level_of(
        "StrictUpperTriangular<{}>",
        BAND,
        Write::Never,
        Holds::Square("n * n.saturating_sub(1) / 2"),
        EVERY,
    ),
    level_of("Symmetric<{}>", BAND, Write::Never, Holds::Square("n * (n + 1) / 2"), EVERY),
];

/// Levels of two crates that chose the same names, below a dense one.
pub const NAMESAKES: &[Level] = &[
    level_of("collide_a::Foo<{}>", BAND, Write::Never, Holds::Square("n * n"), EVERY),
    level_of("collide_b::Foo<{}>", BAND, Write::Never, Holds::Square("n * n"), EVERY),
    level_of("collide_a::Rot<{}, 1>", BAND, Write::Never, Holds::Square("n * n"), EVERY),
    level_of("collide_a::Rot<{}, 2>", BAND, Write::Never, Holds::Square("n * n"), EVERY),
    level_of("collide_b::Rot<{}, 1>", BAND, Write::Never, Holds::Square("n * n"), EVERY),
];

impl Level {
    /// Whether its children may be those of a [`SINGLETON`].
    pub fn ranges(&self) -> bool {
        self.ty.starts_with("Coo") || self.ty == SINGLETON.ty
    }
    /// Whether its entries move as others come, with what stands below them.
    pub fn moves(&self) -> bool {
        MADE_OF_NODES.contains(&self.ty.split('<').next().unwrap_or_default())
    }
    /// Whether a kernel can write it below those levels.
    pub fn follows(&self, above: &[&Level]) -> bool {
        self.ty == DENSE.ty || self.moves() || !above.iter().any(|l| l.moves())
    }
    /// Whether it is read by random access alone.
    pub fn looked_up(&self) -> bool {
        self.reads == LOOKED_UP
    }
    pub fn locates(&self) -> bool {
        self.reads.contains(&"locate")
    }
    /// How many cases a read of it has, more or less.
    pub fn cases(&self) -> usize {
        match self.ty.split('<').next() {
            Some("Dense") => 0,
            Some(
                "SparseBlockList" | "SparseRunList" | "SparseInterval" | "PackBits" | "Bitmap"
                | "ByteMap",
            ) => 2,
            _ => 1,
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    I64,
    I32,
    U8,
    F64,
    F32,
    Bool,
}

impl Ty {
    pub fn text(self) -> &'static str {
        match self {
            Ty::I64 => "i64",
            Ty::I32 => "i32",
            Ty::U8 => "u8",
            Ty::F64 => "f64",
            Ty::F32 => "f32",
            Ty::Bool => "bool",
        }
    }
    pub fn float(self) -> bool {
        matches!(self, Ty::F64 | Ty::F32)
    }
    /// Has no negative values.
    pub fn unsigned(self) -> bool {
        self == Ty::U8
    }
    /// Where expressions should end, for sums not to be too large too often.
    pub fn limit(self) -> i64 {
        match self {
            Ty::U8 => 1 << 6,
            Ty::I32 => 1 << 16,
            _ => 1 << 20,
        }
    }
}

/// A leaf.
#[derive(Debug)]
pub struct Leaf {
    pub ty: Ty,
    pub text: &'static str,
    /// The largest size of its fill.
    pub bound: i64,
    /// Chosen so often.
    pub weight: u32,
    /// Has a value for each position, which may be the fill.
    pub valued: bool,
}

macro_rules! leaves {
    ($($ty:ident $text:literal $bound:literal $weight:literal $valued:literal;)*) => {
        &[$(Leaf { ty: Ty::$ty, text: $text, bound: $bound, weight: $weight, valued: $valued }),*]
    };
}

/// Of each type the first one has a fill of zero.
pub const LEAVES: &[Leaf] = leaves! {
    I64 "Element<i64>" 0 8 true;
    I64 "Element<i64, Const<3>>" 3 2 true;
    I64 "Element<i64, One>" 1 1 true;
    I32 "Element<i32>" 0 8 true;
    I32 "Element<i32, Const<-3>>" 3 2 true;
    U8 "Element<u8>" 0 8 true;
    U8 "Element<u8, Const<255>>" 255 2 true;
    U8 "Element<u8, One>" 1 1 true;
    F64 "Element<f64>" 0 8 true;
    F64 "Element<f64, One>" 1 2 true;
    F64 "Element<f64, Const<-2>>" 2 1 true;
    F64 "Element<f64, Inf>" 1 1 true;
    F64 "Element<f64, NegInf>" 1 1 true;
    F32 "Element<f32>" 0 8 true;
    F32 "Element<f32, One>" 1 2 true;
    Bool "Pattern" 1 4 false;
    Bool "Element<bool>" 1 1 true;
    Bool "Element<bool, True>" 1 1 true;
};

/// A level for each dimension, and a leaf.
#[derive(Clone)]
pub struct Format {
    pub levels: Vec<&'static Level>,
    pub leaf: &'static Leaf,
}

impl Format {
    pub fn text(&self) -> String {
        let nest = self
            .levels
            .iter()
            .rev()
            .fold(self.leaf.text.to_owned(), |child, level| level.ty.replace("{}", &child));
        format!("Tensor<{nest}>")
    }
}

/// One of the leaves of a type, which below that level may be fill.
pub fn leaf(rng: &mut Rng, ty: Ty, below: &Level) -> &'static Leaf {
    let all = || LEAVES.iter().filter(|l| l.ty == ty && (l.valued || !below.fills));
    let mut at = rng.u32(0..all().map(|l| l.weight).sum());
    for leaf in all() {
        if at < leaf.weight {
            return leaf;
        }
        at -= leaf.weight;
    }
    unreachable!("weights add up")
}

/// One of the levels that will do below another; every fourth time, a dense one if that will.
pub fn level(
    rng: &mut Rng,
    above: Option<&Level>,
    will_do: impl Fn(&Level) -> bool,
) -> &'static Level {
    if above.is_some_and(Level::ranges) && will_do(&SINGLETON) && rng.u32(0..10) < 7 {
        return &SINGLETON;
    }
    let all: Vec<&Level> = LEVELS.iter().filter(|l| will_do(l)).collect();
    if rng.u32(0..4) == 0 && all[0].ty == DENSE.ty {
        return all[0];
    }
    all[rng.usize(0..all.len())]
}
