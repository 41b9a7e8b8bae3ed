//! Random kernels, well formed by construction: loops, statements and what they write to.
//!
//! A kernel is text and the Rust code that makes arguments for it. Bounds keep numbers small, so that most
//! inputs have results that are not left open: no integer too large, no float that depends on the order.

mod access;
mod emit;
mod expr;
mod features;
mod flavor;
mod formats;
mod gathered;
mod index;
mod methods;
mod nest;
mod shape;
mod size;
mod twist;
mod write;
mod written;

use expr::E;
use fastrand::Rng;
use flavor::Flavor;
use formats::{Format, Leaf, Ty};
use shape::Way;
use size::Made;

pub use emit::module;
pub use features::Features;

/// The nesting of loops that kernels have at most.
const DEPTH: usize = 4;

/// The size of a dimension in terms of the sizes that loops run over.
#[derive(Clone, PartialEq, Debug)]
pub enum Dim {
    /// `n3 + 1`
    Loop(usize, i64),
    /// `2 * n3 + n4 + 1`
    Linear(Vec<(i64, usize)>, i64),
    /// At least so much, and nothing to do with loops.
    Free(i64),
    /// What the kernel gives, not known here.
    Unknown,
}

/// Where a loop runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Range {
    /// `0..n`, left to the accesses if one of them gives it.
    Whole,
    /// `lo..n`
    From(i64),
    /// Inside `0..n`, by an index further out.
    Inside(String, String),
    /// Where all moved accesses are inside.
    Moved,
}

pub struct Loop {
    pub name: String,
    /// Its `n`; loops that run over the same dimensions share it.
    pub size: usize,
    pub range: Range,
    /// The accesses that give its extent, if they stay in the program.
    pub given: Vec<String>,
    /// Reads along it that are not dense: their cases multiply.
    pub structured: usize,
    /// The loops that it is made of, if it is an index that a shape operator takes away.
    pub of: Vec<usize>,
    /// What it is in terms of them.
    pub way: Way,
    /// Whether a condition says where it lies.
    pub guarded: bool,
    /// Whether its size is written.
    pub sized: bool,
}

impl Loop {
    fn new(name: String, size: usize) -> Loop {
        Loop {
            name,
            size,
            range: Range::Whole,
            given: Vec::new(),
            structured: 0,
            of: Vec::new(),
            way: Way::Moved,
            guarded: false,
            sized: false,
        }
    }
}

/// What a tensor is in the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Input,
    InOut,
    Output,
    Workspace,
}

#[derive(Clone)]
pub struct Tensor {
    pub name: String,
    /// `None` for positions, a vector of coordinates.
    pub format: Option<Format>,
    pub role: Role,
    pub dims: Vec<Dim>,
    /// Sizes as written behind the format.
    pub sizes: Option<Vec<String>>,
    /// Values are at most so large.
    pub bound: i64,
}

pub struct Scalar {
    pub name: String,
    pub ty: String,
    pub mutable: bool,
    /// Rust code of the argument.
    pub value: String,
}

/// A statement of the kernel.
pub enum Stmt {
    Line(String),
    For(usize, Vec<Stmt>),
    If(String, Vec<Stmt>, Option<Vec<Stmt>>),
    Where(Vec<Stmt>, Vec<Stmt>),
}

impl Stmt {
    /// Whether a text occurs in it.
    fn mentions(&self, text: &str) -> bool {
        let any = |all: &[Stmt]| all.iter().any(|s| s.mentions(text));
        match self {
            Stmt::Line(line) => line.contains(text),
            Stmt::For(_, body) => any(body),
            Stmt::If(cond, then, otherwise) => {
                cond.contains(text) || any(then) || otherwise.as_ref().is_some_and(|o| any(o))
            }
            Stmt::Where(consumer, producer) => any(consumer) || any(producer),
        }
    }
}

/// A scalar that expressions can use.
#[derive(Clone)]
pub struct Local {
    pub name: String,
    pub ty: Ty,
    pub bound: i64,
    pub typed: bool,
}

/// What a nest writes of what outlives it.
pub struct Shared {
    /// The target.
    pub name: String,
    /// The loop whose index comes first, unmoved.
    pub first: Option<usize>,
    pub op: String,
    /// A scalar, or dense in all dimensions.
    pub dense: bool,
    /// Can be written in any order, and by several loops.
    pub anywhere: bool,
}

/// A kernel in the making.
pub struct Gen<'f> {
    pub features: &'f Features,
    pub flavor: Flavor,
    /// Says `#![strict]`.
    pub strict: bool,
    pub rng: Rng,
    /// The type of its numbers.
    pub ty: Ty,
    /// How many loops are nested.
    pub depth: usize,
    pub loops: Vec<Loop>,
    /// How many conditions there are around.
    pub conditions: usize,
    pub sizes: Vec<Made>,
    pub tensors: Vec<Tensor>,
    pub scalars: Vec<Scalar>,
    /// The loops around, outermost first.
    pub open: Vec<usize>,
    pub locals: Vec<Local>,
    /// Results that earlier nests have written.
    pub finished: Vec<usize>,
    /// Tensors that the nest at hand reads, and those that it writes.
    pub reading: Vec<usize>,
    pub writing: Vec<usize>,
    /// Whether the nest at hand reads what it writes.
    pub ordered: bool,
    pub reads_left: usize,
    pub statements_left: usize,
    /// Reads of this nest that are not dense.
    pub structured: usize,
    /// Loops to which the access at hand gives an extent.
    pub giving: Vec<usize>,
    /// What is read next has a fill of zero.
    pub zero_fill: bool,
    /// The leaf of what is gathered without loops, if it is one whose fill changes nothing.
    pub neutral_leaf: Option<&'static Leaf>,
    /// Reads of inputs, and the loops around each.
    pub recent: Vec<(E, Vec<usize>)>,
    /// What the nest at hand writes.
    pub shared: Vec<Shared>,
    /// Outermost loops that are parallel, that might be, and that might run in two parts.
    pub parallel: Vec<usize>,
    pub independent: Vec<usize>,
    pub separable: Vec<usize>,
    /// Results that a nest has written before.
    pub again: Vec<usize>,
    /// Tensors that are read out of order.
    pub random: Vec<String>,
    /// The entry that the last assignment gave, and its tensor, if more may be added to it.
    pub entry: Option<(usize, String)>,
    /// Operators that the kernel brings in.
    pub uses: Vec<String>,
    /// How often a read is one through shape operators, and how many of these there can be.
    pub shapes: u32,
    pub operators_left: usize,
    /// How deep in shape operators the expression at hand is, and the loops around all of them.
    pub nested: usize,
    pub around: Vec<usize>,
    /// Loops that give a shape operator its size: they do not run in two parts.
    pub undivided: Vec<usize>,
    names: usize,
}

impl<'f> Gen<'f> {
    pub fn new(mut rng: Rng, features: &'f Features) -> Gen<'f> {
        let mut ty = if rng.u32(0..10) < 5 { Ty::I64 } else { Ty::F64 };
        if features.has("types") && rng.u32(0..10) < 4 {
            ty = [Ty::I32, Ty::U8, Ty::F32][rng.usize(0..3)];
        }
        let strict = features.has("strict") && ty.float() && rng.u32(0..10) < 4;
        let mut at = rng.u32(0..100);
        let mut flavor = Flavor::Any;
        for (name, other, share) in Flavor::ALL {
            if at < *share {
                flavor = if features.has(name) { *other } else { Flavor::Any };
                break;
            }
            at -= share;
        }
        if features.has("only_gathered") {
            flavor = Flavor::Gathered;
        }
        if features.has("only_plain") {
            flavor = Flavor::Plain;
        }
        let shaped = features.has("shapes") && rng.u32(0..100) < 20 || features.has("shaped");
        let (shapes, operators_left) = if shaped { (45, 1 + rng.usize(0..6)) } else { (0, 0) };
        let depths = if shaped { [1, 2, 2, 2, 2, 3, 3, 3] } else { [1, 1, 2, 2, 2, 3, 3, DEPTH] };
        let depth = depths[rng.usize(0..8)];
        let reads_left = 2 + rng.usize(0..3);
        let statements_left = 1 + rng.usize(0..5);
        let mut gen = Gen {
            features,
            flavor,
            strict,
            rng,
            ty,
            depth,
            loops: Vec::new(),
            conditions: 0,
            sizes: Vec::new(),
            tensors: Vec::new(),
            scalars: Vec::new(),
            open: Vec::new(),
            locals: Vec::new(),
            finished: Vec::new(),
            reading: Vec::new(),
            writing: Vec::new(),
            ordered: false,
            reads_left,
            statements_left,
            structured: 0,
            giving: Vec::new(),
            zero_fill: false,
            neutral_leaf: None,
            recent: Vec::new(),
            shared: Vec::new(),
            parallel: Vec::new(),
            independent: Vec::new(),
            separable: Vec::new(),
            random: Vec::new(),
            again: Vec::new(),
            entry: None,
            uses: Vec::new(),
            shapes,
            operators_left,
            nested: 0,
            around: Vec::new(),
            undivided: Vec::new(),
            names: 0,
        };
        while gen.chance(30) {
            let (name, ty) = (gen.name("alpha"), gen.ty);
            gen.parameter(&name, ty.text(), "case.number()");
            gen.locals.push(Local { name, ty, bound: 3, typed: true });
        }
        gen
    }

    /// Whether something happens that does so many times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.rng.usize(0..all.len())]
    }

    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub fn parameter(&mut self, name: &str, ty: &'static str, value: &str) {
        let (name, value) = (name.to_owned(), value.to_owned());
        if self.scalars.iter().all(|s| s.name != name) {
            self.scalars.push(Scalar { name, ty: ty.to_owned(), mutable: false, value });
        }
    }

    /// The statements of the whole kernel.
    pub fn body(&mut self) -> Vec<Stmt> {
        if self.flavor == Flavor::Gathered {
            return self.gathered();
        }
        let mut out = Vec::new();
        loop {
            self.shared.clear();
            let nest = self.nest();
            if let [Stmt::For(v, _)] = &nest[..] {
                if self.features.has("parallel") && !self.ordered && self.independent(*v) {
                    self.independent.push(*v);
                    if self.chance(30) {
                        self.parallel.push(*v);
                    }
                }
                if self.shared.iter().all(|s| s.anywhere) {
                    self.separable.push(*v);
                }
            }
            out.extend(nest);
            self.finish_nest();
            if self.statements_left == 0 || self.chance(60) {
                return out;
            }
        }
    }

    /// What was written can be read by what follows.
    fn finish_nest(&mut self) {
        self.again.extend(&self.writing);
        for t in std::mem::take(&mut self.writing) {
            let tensor = &self.tensors[t];
            let known = tensor.dims.iter().all(|d| matches!(d, Dim::Loop(_, 0)));
            if tensor.role != Role::Workspace && known && !self.finished.contains(&t) {
                self.finished.push(t);
            }
        }
        self.reading.clear();
        self.ordered = false;
        self.recent.clear();
        self.structured = 0;
    }

    /// Whether the iterations of the outermost loop of a nest can run in parallel.
    fn independent(&self, v: usize) -> bool {
        const REDUCE: &[&str] = &[
            "+=", "<<+>>=", "-=", "*=", "&=", "|=", "^=", "&&=", "||=", "<<min>>=", "<<max>>=",
            "min", "max", "||", "&&",
        ];
        let named = |t: &Shared| t.name.split('[').next().unwrap_or_default().to_owned();
        self.shared.iter().all(|s| {
            let same = || self.shared.iter().filter(|o| named(o) == named(s));
            if same().all(|o| o.first == Some(v)) {
                // What is put together from parts is written by one loop alone.
                let other = |(k, t): (usize, &Tensor)| {
                    t.name == named(s) && (t.role == Role::InOut || self.again.contains(&k))
                };
                return s.dense || !self.tensors.iter().enumerate().any(other);
            }
            let rounded = self.ty.float() && self.strict && s.op.contains(['+', '-', '*']);
            let minus = self.ty.unsigned() && s.op == "-=";
            let reduces = REDUCE.contains(&&*s.op)
                || ["wrapping", "both", "least", "either"].iter().any(|f| s.op.contains(f));
            s.dense && reduces && !rounded && !minus && same().all(|o| o.op == s.op)
        })
    }
}
