//! Kernel IR: the loops that lowering produces and `emit` prints, over the terms of `cin`.

use crate::cin::*;

/// A statement of the generated code.
#[derive(Clone, PartialEq, Debug)]
pub enum K {
    /// A remark on the region that follows; shows in the readable form only.
    Comment(String),
    /// `let [mut] var = value;`
    Let {
        /// Variable.
        var: VarId,
        /// `mut`
        mutable: bool,
        /// Value.
        value: Expr,
    },
    /// `var = value;`
    Set {
        /// Variable.
        var: VarId,
        /// Value.
        value: Expr,
    },
    /// `target op= value;` for an element or a scalar of the program.
    Store {
        /// [`Expr::Load`] or [`Expr::Var`].
        target: Expr,
        /// Reduction.
        op: Option<Op>,
        /// Value.
        value: Expr,
    },
    /// `for var in lo..hi { body }`
    For {
        /// Variable.
        var: VarId,
        /// First.
        lo: Expr,
        /// One past the last.
        hi: Expr,
        /// Body.
        body: Vec<K>,
    },
    /// `while cond { body }`
    While {
        /// Condition.
        cond: Expr,
        /// Body.
        body: Vec<K>,
    },
    /// `if cond { then } else { otherwise }`
    If {
        /// Condition.
        cond: Expr,
        /// Then.
        then: Vec<K>,
        /// Else.
        otherwise: Vec<K>,
    },
    /// A parallel loop.
    Parallel(Box<Parallel>),
    /// `{ body }`
    Block(Vec<K>),
    /// `'label: { body }`
    Labeled(u32, Vec<K>),
    /// `break 'label;`
    Break(u32),
    /// Takes the arrays out of a tensor that is updated in place.
    Take(TensorId),
    /// Opaque statements.
    Code(RawId),
    /// Begins an entry.
    Begin(Box<Begin>),
    /// Ends an entry that was written: it is stored.
    Commit(Box<Commit>),
    /// Ends an entry that was not written.
    GiveBack(Box<GiveBack>),
    /// Makes room for elements of arrays: up to the `Filled` of the same count, elements are put there, and
    /// nothing else is done with the arrays.
    Room {
        /// The level whose entries they are.
        of: (TensorId, usize),
        /// The arrays.
        arrays: Vec<ArrayId>,
        /// How many at most.
        most: VarId,
        /// Counts, from 0, those that were put in each.
        count: VarId,
    },
    /// Writes the element `at` of those that an array has room for.
    Put {
        /// The array.
        array: ArrayId,
        /// How many were put before.
        at: Expr,
        /// Value.
        value: Expr,
    },
    /// The first `count` elements that `arrays` had room for were put there.
    Filled {
        /// The arrays.
        arrays: Vec<ArrayId>,
        /// How many.
        count: VarId,
    },
}

/// The beginning of an entry of a fiber that is written.
///
/// On every path it is followed by the `Commit` or the `GiveBack` of that entry, and by one of them only:
/// `verify` says what is to hold in between.
#[derive(Clone, PartialEq, Debug)]
pub struct Begin {
    /// Whose entry it is: a fiber of a tensor has one at a time.
    pub of: (TensorId, usize),
    /// The position of its child.
    pub at: VarId,
    /// What that is.
    pub position: Expr,
    /// Where the entry was found, or a number below 0 if it is new, in levels that look for it.
    pub found: Option<VarId>,
    /// Makes the child exist, at fill, if the entry is new.
    pub room: Vec<K>,
    /// Opens the child for writing.
    pub open: Vec<K>,
    /// Raised where something is written to it, which decides how it ends; else it is always written.
    pub written: Option<VarId>,
}

/// The end of an entry that was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Commit {
    /// Whose entry it is.
    pub of: (TensorId, usize),
    /// Stores it.
    pub code: Vec<K>,
    /// The same as elements of arrays, if that is all that the entry is.
    pub each: Option<Each>,
}

/// An entry that is one element in each of some arrays, so that one count serves all of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Each {
    /// Those of the level, with the element.
    pub elements: Vec<(ArrayId, Expr)>,
    /// That of the values, if there are any.
    pub values: Option<ArrayId>,
}

/// The end of an entry that was not written.
///
/// If its position is where arrays ended, they end there again. Of other levels the child stays as it is, all
/// fill, for the next entry: `reserve` makes nothing that exists already, and `finish` takes away what is left.
#[derive(Clone, PartialEq, Debug)]
pub struct GiveBack {
    /// Whose entry it is.
    pub of: (TensorId, usize),
    /// Where the arrays end again.
    pub at: Expr,
    /// The arrays that were made longer for it.
    pub arrays: Vec<ArrayId>,
}

/// A parallel region: the body runs for each chunk `from..to` of an extent, several at once, and what
/// chunks made is put together in their order when all are done.
///
/// Its invariants, which `lower::parallel_check` verifies:
/// - One run of a parallel loop is one region: no path through the code between two bindings of the indices
///   around the loop comes to two regions of one index.
/// - No region lies within another of the same index: what runs over a chunk is a plain loop.
/// - What the body writes is made in it, or is a [`Piece`]: its own part, tensor, copy or scalar.
#[derive(Clone, PartialEq, Debug)]
pub struct Parallel {
    /// The index of the loop.
    pub index: VarId,
    /// Where a chunk begins.
    pub from: VarId,
    /// Where it ends.
    pub to: VarId,
    /// First index.
    pub lo: Expr,
    /// One past the last.
    pub hi: Expr,
    /// Inputs whose stored entries are the work of an iteration.
    pub work: Vec<TensorId>,
    /// How many steps one of these entries is worth.
    pub weight: usize,
    /// What a chunk is given and gives back.
    pub pieces: Vec<Piece>,
    /// What a chunk does.
    pub body: Vec<K>,
}

/// Something that each chunk has its own of.
#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    /// A part of the arrays of `whole`, as those of `part`.
    Part {
        /// Outside of the chunks.
        whole: TensorId,
        /// In a chunk.
        part: TensorId,
    },
    /// A tensor made from nothing, joined to `whole`.
    Made {
        /// Outside of the chunks.
        whole: TensorId,
        /// In a chunk.
        part: TensorId,
        /// Whether coordinates in it count from where the chunk begins.
        moved: bool,
    },
    /// A copy of an array, named the same, outside called `part`.
    Copy {
        /// The array.
        array: ArrayId,
        /// What a chunk gives back.
        part: ArrayId,
        /// The position of the elements that are combined.
        at: VarId,
        /// What combines them.
        op: Op,
        /// What its elements start at.
        identity: Expr,
    },
    /// A scalar, named the same, outside called `part`. The body defines its own.
    Scalar {
        /// The scalar.
        var: VarId,
        /// What a chunk gives back.
        part: VarId,
        /// What combines them.
        op: Op,
    },
}

impl Parallel {
    /// The arrays that it takes apart, or puts together.
    pub fn arrays(&self, of: impl Fn(TensorId) -> Vec<ArrayId>) -> Vec<ArrayId> {
        let mut out = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Part { whole, part } | Piece::Made { whole, part, .. } => {
                    out.extend(of(*whole));
                    out.extend(of(*part));
                }
                Piece::Copy { array, part, .. } => out.extend([*array, *part]),
                Piece::Scalar { .. } => {}
            }
        }
        out
    }
}

impl K {
    /// The blocks directly below.
    pub fn blocks(&self) -> Vec<&Vec<K>> {
        match self {
            K::For { body, .. } | K::While { body, .. } | K::Block(body) | K::Labeled(_, body) => {
                vec![body]
            }
            K::If { then, otherwise, .. } => vec![then, otherwise],
            K::Parallel(p) => vec![&p.body],
            K::Begin(b) => vec![&b.room, &b.open],
            K::Commit(c) => vec![&c.code],
            _ => Vec::new(),
        }
    }
    /// The blocks directly below, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<K>> {
        match self {
            K::For { body, .. } | K::While { body, .. } | K::Block(body) | K::Labeled(_, body) => {
                vec![body]
            }
            K::If { then, otherwise, .. } => vec![then, otherwise],
            K::Parallel(p) => vec![&mut p.body],
            K::Begin(b) => vec![&mut b.room, &mut b.open],
            K::Commit(c) => vec![&mut c.code],
            _ => Vec::new(),
        }
    }
    /// The expressions directly in this statement, targets included.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            K::Let { value, .. } | K::Set { value, .. } => vec![value],
            K::Store { target, value, .. } => vec![target, value],
            K::Put { at, value, .. } => vec![at, value],
            K::For { lo, hi, .. } => vec![lo, hi],
            K::Parallel(p) => vec![&p.lo, &p.hi],
            K::Begin(b) => vec![&b.position],
            K::GiveBack(g) => vec![&g.at],
            K::While { cond, .. } | K::If { cond, .. } => vec![cond],
            _ => Vec::new(),
        }
    }
    /// The variable that the statement itself gives a value.
    pub fn sets(&self) -> Option<VarId> {
        match self {
            K::Let { var, .. }
            | K::Set { var, .. }
            | K::For { var, .. }
            | K::Room { count: var, .. }
            | K::Store { target: Expr::Var(var), .. } => Some(*var),
            K::Begin(b) => Some(b.at),
            _ => None,
        }
    }

    /// Visits this statement and all below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a K)) {
        f(self);
        for block in self.blocks() {
            block.iter().for_each(|k| k.walk(f));
        }
    }
    /// Whether it does nothing.
    pub fn is_idle(&self) -> bool {
        match self {
            K::Comment(_) => true,
            K::Block(body) | K::Labeled(_, body) | K::For { body, .. } => {
                body.iter().all(K::is_idle)
            }
            K::If { then, otherwise, .. } => then.iter().chain(otherwise).all(K::is_idle),
            _ => false,
        }
    }
}

/// `code` with every expression rewritten.
pub fn map_code(code: &[K], f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Vec<K> {
    code.iter()
        .map(|k| match k {
            K::Let { var, mutable, value } => {
                K::Let { var: *var, mutable: *mutable, value: value.map(f) }
            }
            K::Set { var, value } => K::Set { var: *var, value: value.map(f) },
            K::Store { target, op, value } => {
                K::Store { target: target.map(f), op: op.clone(), value: value.map(f) }
            }
            K::For { var, lo, hi, body } => {
                K::For { var: *var, lo: lo.map(f), hi: hi.map(f), body: map_code(body, f) }
            }
            K::While { cond, body } => K::While { cond: cond.map(f), body: map_code(body, f) },
            K::If { cond, then, otherwise } => K::If {
                cond: cond.map(f),
                then: map_code(then, f),
                otherwise: map_code(otherwise, f),
            },
            K::Parallel(p) => K::Parallel(Box::new(Parallel {
                lo: p.lo.map(f),
                hi: p.hi.map(f),
                body: map_code(&p.body, f),
                ..(**p).clone()
            })),
            K::Block(body) => K::Block(map_code(body, f)),
            K::Labeled(label, body) => K::Labeled(*label, map_code(body, f)),
            K::Put { array, at, value } => {
                K::Put { array: *array, at: at.map(f), value: value.map(f) }
            }
            K::Begin(b) => K::Begin(Box::new(map_begin(b, f))),
            K::Commit(c) => K::Commit(Box::new(map_commit(c, f))),
            K::GiveBack(g) => K::GiveBack(Box::new(GiveBack { at: g.at.map(f), ..(**g).clone() })),
            K::Comment(_)
            | K::Code(_)
            | K::Break(_)
            | K::Take(_)
            | K::Room { .. }
            | K::Filled { .. } => k.clone(),
        })
        .collect()
}

/// `b` with every expression rewritten.
pub fn map_begin(b: &Begin, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Begin {
    let (position, room, open) = (b.position.map(f), map_code(&b.room, f), map_code(&b.open, f));
    Begin { position, room, open, ..b.clone() }
}

/// `c` with every expression rewritten.
pub fn map_commit(c: &Commit, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Commit {
    let code = map_code(&c.code, f);
    let each = c.each.as_ref().map(|each| Each {
        elements: each.elements.iter().map(|(a, e)| (*a, e.map(f))).collect(),
        values: each.values,
    });
    Commit { of: c.of, code, each }
}

/// Has each entry appended by its level's own checked code, none as an element of arrays with room for it.
pub fn count_each_entry(code: &mut [K]) {
    for k in code {
        if let K::Commit(commit) = k {
            commit.each = None;
        }
        k.blocks_mut().into_iter().for_each(|block| count_each_entry(block));
    }
}
