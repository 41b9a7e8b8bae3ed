//! Kernel IR: the loops that lowering produces and `emit` prints, over the terms of `cin`.

use crate::cin::*;
use std::collections::BTreeSet;

/// A statement of the generated code.
#[derive(Clone, PartialEq, Debug)]
pub enum Kir {
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
        body: Vec<Kir>,
    },
    /// `while cond { body }`
    While {
        /// Condition.
        cond: Expr,
        /// Body.
        body: Vec<Kir>,
    },
    /// `if cond { then } else { otherwise }`
    If {
        /// Condition.
        cond: Expr,
        /// Then.
        then: Vec<Kir>,
        /// Else.
        otherwise: Vec<Kir>,
    },
    /// A parallel loop.
    Parallel(Box<Parallel>),
    /// `{ body }`
    Block(Vec<Kir>),
    /// `'label: { body }`
    Labeled(u32, Vec<Kir>),
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
    /// nothing else is done with the arrays, but that entries which were found are stored to.
    Room {
        /// The level whose entries they are.
        of: (TensorId, usize),
        /// The arrays.
        arrays: Vec<ArrayId>,
        /// How many they are at most.
        capacity: VarId,
        /// Counts those that were put in each.
        count: VarId,
        /// From 0, or from how many there are, if elements are told by where they are in the arrays.
        first: Expr,
    },
    /// Writes the element `at` of those that an array has room for.
    Put {
        /// The array.
        array: ArrayId,
        /// How many were put before; in `Written` its place.
        at: Expr,
        /// Value.
        value: Expr,
    },
    /// Copies neighbours of an array to those of another one; in `Written` of that they are put.
    CopyRow(Box<CopyRow>),
    /// Writes a run as an element of each array that there is room in: over the last one, but for where that begins, if
    /// `joined` holds and there is one, else as a new one that is counted.
    PutRun(Box<PutRun>),
    /// Makes room for all `count` elements of an array that has none, each of which `body` puts there, in any order; nothing else is
    /// done with the array in it.
    Written {
        /// The level whose elements they are.
        of: (TensorId, usize),
        /// The array.
        array: ArrayId,
        /// How many they are.
        count: VarId,
        /// What puts them.
        body: Vec<Kir>,
    },
    /// The first `count` elements that `arrays` had room for were put there.
    Filled {
        /// The arrays.
        arrays: Vec<ArrayId>,
        /// How many.
        count: VarId,
    },
}

/// Elements that are copied side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct CopyRow {
    /// Where to, and the position of the first.
    pub to: (ArrayId, Expr),
    /// Where from, and the position of the first.
    pub from: (ArrayId, Expr),
    /// How many; none if it is below zero.
    pub count: Expr,
}

/// A run that is put where there is room.
#[derive(Clone, PartialEq, Debug)]
pub struct PutRun {
    /// How many runs were put before.
    pub count: VarId,
    /// Whether it goes on where the last of them ended, with the same value.
    pub joined: Expr,
    /// Elements about where it begins.
    pub begins: Vec<(ArrayId, Expr)>,
    /// All others.
    pub others: Vec<(ArrayId, Expr)>,
}

impl PutRun {
    /// All elements.
    pub fn elements(&self) -> impl Iterator<Item = &(ArrayId, Expr)> {
        self.begins.iter().chain(&self.others)
    }
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
    pub room: Vec<Kir>,
    /// Opens the child for writing.
    pub open: Vec<Kir>,
    /// Raised where something is written to it, which decides how it ends; else it is always written.
    pub written: Option<VarId>,
}

/// The end of an entry that was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Commit {
    /// Whose entry it is.
    pub of: (TensorId, usize),
    /// Stores it.
    pub code: Vec<Kir>,
    /// The same as elements of arrays, if that is all that the entry is.
    pub each: Option<Each>,
    /// Elements of arrays for each entry of the child, the same for all of them, if that is all that it is.
    pub shared: Vec<(ArrayId, Expr)>,
}

/// An entry that is one element in each of some arrays, so that one count serves all of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Each {
    /// Those of the level, with the element.
    pub elements: Vec<(ArrayId, Expr)>,
    /// That of the values, if there are any.
    pub values: Option<ArrayId>,
    /// If it is a run, that joins the one before where it goes on with the same value.
    pub run: Option<Run>,
    /// In levels that look for entries: the position of a new entry, as `note` calls it, and code that has it found there.
    pub note: Option<(VarId, Vec<Kir>)>,
}

/// The coordinates of an entry that is a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The first.
    pub first: Expr,
    /// One past the last.
    pub end: Expr,
    /// The arrays whose element is about where it begins, and stays where the run is joined.
    pub begins: Vec<ArrayId>,
    /// What a run of fill that ends before `first` has as elements, if there has to be one wherever a run does not go on
    /// where the one before ended.
    pub gap: Option<Vec<(ArrayId, Expr)>>,
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
    pub body: Vec<Kir>,
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

impl Kir {
    /// The blocks directly below.
    pub fn blocks(&self) -> Vec<&Vec<Kir>> {
        match self {
            Kir::For { body, .. }
            | Kir::While { body, .. }
            | Kir::Block(body)
            | Kir::Written { body, .. }
            | Kir::Labeled(_, body) => {
                vec![body]
            }
            Kir::If { then, otherwise, .. } => vec![then, otherwise],
            Kir::Parallel(p) => vec![&p.body],
            Kir::Begin(b) => vec![&b.room, &b.open],
            Kir::Commit(c) => vec![&c.code],
            _ => Vec::new(),
        }
    }
    /// The blocks directly below, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Kir>> {
        match self {
            Kir::For { body, .. }
            | Kir::While { body, .. }
            | Kir::Block(body)
            | Kir::Written { body, .. }
            | Kir::Labeled(_, body) => {
                vec![body]
            }
            Kir::If { then, otherwise, .. } => vec![then, otherwise],
            Kir::Parallel(p) => vec![&mut p.body],
            Kir::Begin(b) => vec![&mut b.room, &mut b.open],
            Kir::Commit(c) => vec![&mut c.code],
            _ => Vec::new(),
        }
    }
    /// The expressions directly in this statement, targets included.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Kir::Let { value, .. } | Kir::Set { value, .. } => vec![value],
            Kir::Store { target, value, .. } => vec![target, value],
            Kir::Put { at, value, .. } => vec![at, value],
            Kir::PutRun(run) => {
                std::iter::once(&run.joined).chain(run.elements().map(|(_, e)| e)).collect()
            }
            Kir::For { lo, hi, .. } => vec![lo, hi],
            Kir::Parallel(p) => vec![&p.lo, &p.hi],
            Kir::Begin(b) => vec![&b.position],
            Kir::GiveBack(g) => vec![&g.at],
            Kir::Room { first, .. } => vec![first],
            Kir::CopyRow(row) => vec![&row.to.1, &row.from.1, &row.count],
            Kir::While { cond, .. } | Kir::If { cond, .. } => vec![cond],
            _ => Vec::new(),
        }
    }
    /// The variable that the statement itself gives a value.
    pub fn sets(&self) -> Option<VarId> {
        match self {
            Kir::Let { var, .. }
            | Kir::Set { var, .. }
            | Kir::For { var, .. }
            | Kir::Room { count: var, .. }
            | Kir::Store { target: Expr::Var(var), .. } => Some(*var),
            Kir::Begin(b) => Some(b.at),
            Kir::PutRun(run) => Some(run.count),
            _ => None,
        }
    }

    /// Visits this statement and all below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Kir)) {
        f(self);
        for block in self.blocks() {
            block.iter().for_each(|k| k.walk(f));
        }
    }
    /// Whether it does nothing.
    pub fn is_idle(&self) -> bool {
        match self {
            Kir::Comment(_) => true,
            Kir::Block(body) | Kir::Labeled(_, body) | Kir::For { body, .. } => {
                body.iter().all(Kir::is_idle)
            }
            Kir::If { then, otherwise, .. } => then.iter().chain(otherwise).all(Kir::is_idle),
            _ => false,
        }
    }
}

/// Whether a `break` in `code` leaves it.
pub fn is_left(code: &[Kir]) -> bool {
    let (mut labels, mut breaks) = (BTreeSet::new(), Vec::new());
    code.iter().for_each(|k| {
        k.walk(&mut |k| match k {
            Kir::Labeled(label, _) => _ = labels.insert(*label),
            Kir::Break(label) => breaks.push(*label),
            _ => {}
        })
    });
    !breaks.iter().all(|label| labels.contains(label))
}

/// `code` with every expression rewritten.
pub fn map_code(code: &[Kir], f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Vec<Kir> {
    code.iter()
        .map(|k| match k {
            Kir::Let { var, mutable, value } => {
                Kir::Let { var: *var, mutable: *mutable, value: value.map(f) }
            }
            Kir::Set { var, value } => Kir::Set { var: *var, value: value.map(f) },
            Kir::Store { target, op, value } => {
                Kir::Store { target: target.map(f), op: op.clone(), value: value.map(f) }
            }
            Kir::For { var, lo, hi, body } => {
                Kir::For { var: *var, lo: lo.map(f), hi: hi.map(f), body: map_code(body, f) }
            }
            Kir::While { cond, body } => Kir::While { cond: cond.map(f), body: map_code(body, f) },
            Kir::If { cond, then, otherwise } => Kir::If {
                cond: cond.map(f),
                then: map_code(then, f),
                otherwise: map_code(otherwise, f),
            },
            Kir::Parallel(p) => Kir::Parallel(Box::new(Parallel {
                lo: p.lo.map(f),
                hi: p.hi.map(f),
                body: map_code(&p.body, f),
                ..(**p).clone()
            })),
            Kir::Block(body) => Kir::Block(map_code(body, f)),
            Kir::Labeled(label, body) => Kir::Labeled(*label, map_code(body, f)),
            Kir::Written { of, array, count, body } => {
                Kir::Written { of: *of, array: *array, count: *count, body: map_code(body, f) }
            }
            Kir::Put { array, at, value } => {
                Kir::Put { array: *array, at: at.map(f), value: value.map(f) }
            }
            Kir::PutRun(run) => {
                let one = |(a, e): &(ArrayId, Expr), f: &mut dyn FnMut(&Expr) -> Option<Expr>| {
                    (*a, e.map(f))
                };
                Kir::PutRun(Box::new(PutRun {
                    count: run.count,
                    joined: run.joined.map(f),
                    begins: run.begins.iter().map(|e| one(e, f)).collect(),
                    others: run.others.iter().map(|e| one(e, f)).collect(),
                }))
            }
            Kir::CopyRow(row) => Kir::CopyRow(Box::new(CopyRow {
                to: (row.to.0, row.to.1.map(f)),
                from: (row.from.0, row.from.1.map(f)),
                count: row.count.map(f),
            })),
            Kir::Begin(b) => Kir::Begin(Box::new(map_begin(b, f))),
            Kir::Commit(c) => Kir::Commit(Box::new(map_commit(c, f))),
            Kir::GiveBack(g) => {
                Kir::GiveBack(Box::new(GiveBack { at: g.at.map(f), ..(**g).clone() }))
            }
            Kir::Comment(_) | Kir::Code(_) | Kir::Break(_) | Kir::Take(_) | Kir::Filled { .. } => {
                k.clone()
            }
            Kir::Room { of, arrays, capacity, count, first } => Kir::Room {
                of: *of,
                arrays: arrays.clone(),
                capacity: *capacity,
                count: *count,
                first: first.map(f),
            },
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
        run: each.run.as_ref().map(|run| Run {
            first: run.first.map(f),
            end: run.end.map(f),
            begins: run.begins.clone(),
            gap: run.gap.as_ref().map(|gap| gap.iter().map(|(a, e)| (*a, e.map(f))).collect()),
        }),
        note: each.note.as_ref().map(|(q, code)| (*q, map_code(code, f))),
    });
    let shared = c.shared.iter().map(|(a, e)| (*a, e.map(f))).collect();
    Commit { of: c.of, code, each, shared }
}

/// Has each entry appended by its level's own checked code, none as an element of arrays with room for it.
pub fn count_each_entry(code: &mut [Kir]) {
    for k in code {
        if let Kir::Commit(commit) = k {
            commit.each = None;
        }
        k.blocks_mut().into_iter().for_each(|block| count_each_entry(block));
    }
}
