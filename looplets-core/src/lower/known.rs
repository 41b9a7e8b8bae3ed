//! What the prover is told and asked at a point of the code: which expressions are integers there, and since
//! which write they have the value that they have.
//!
//! Writes are counted as their code is made. What is said of a variable or an element is said of the value
//! since its last write; what a loop writes has another value in each iteration, and so counts as written
//! where an iteration begins.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use crate::prove::{Condition, Meaning, Sort, Term};
use std::collections::{BTreeSet, HashMap};

/// The writes so far.
#[derive(Default)]
pub(crate) struct Writes {
    count: u32,
    vars: HashMap<VarId, u32>,
    tensors: HashMap<TensorId, u32>,
    /// The last code that may move the state of any stepper.
    moved: u32,
    /// The last code of which only its level knows what it writes.
    opaque: u32,
    /// Where loops over steppers stand: written at the end of a step and nowhere else.
    places: BTreeSet<VarId>,
    /// What the loops that are open write, the innermost last.
    loops: Vec<Vec<Written>>,
}

/// What an assignment writes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    Var(VarId),
    Tensor(TensorId),
}

impl Writes {
    fn next(&mut self) -> u32 {
        self.count += 1;
        self.count
    }
    fn write(&mut self, what: Written) {
        let now = self.next();
        match what {
            Written::Var(v) => drop(self.vars.insert(v, now)),
            Written::Tensor(t) => drop(self.tensors.insert(t, now)),
        }
    }
}

/// The program at the point where code is being made.
struct Now<'a> {
    kernel: &'a Kernel,
    writes: &'a Writes,
}

impl Meaning for Now<'_> {
    fn sort(&self, e: &Expr) -> Sort {
        match self.kernel.type_of(e) {
            Some(Ty::Index) => Sort::Index,
            Some(ty) if is_integer(&ty) => Sort::Integer,
            Some(_) => Sort::Other,
            None => Sort::Literal,
        }
    }

    fn since(&self, e: &Expr) -> Option<u32> {
        match e {
            Expr::Lit(lit) => (*lit != Lit::Missing).then_some(0),
            Expr::Var(v) => {
                let own = self.writes.vars.get(v).copied().unwrap_or(0);
                match self.kernel.info(*v).kind {
                    VarKind::State if !self.writes.places.contains(v) => {
                        Some(own.max(self.writes.moved))
                    }
                    _ => Some(own),
                }
            }
            Expr::Array(a) => self.array(*a),
            Expr::Load(a, i) => Some(self.array(*a)?.max(self.since(i)?)),
            // What it is an access of is not known before it is lowered.
            Expr::Access(_) => None,
            Expr::Raw(r) => {
                let raw = &self.kernel.raws[r.0 as usize];
                // The user's own may give another value each time.
                let own = raw.ty == Ty::Index && !raw.effect;
                own.then(|| self.latest(raw.names.iter().map(|(_, e)| e))).flatten()
            }
            Expr::Call(op, args) => {
                let own = match op {
                    // That of a level, of what it is given.
                    Op::Function(key) => {
                        self.kernel.functions.get(&**key).is_some_and(|f| f.gives == Ty::Index)
                    }
                    op if op.converts() => true,
                    op => {
                        let steady = |a| self.kernel.type_of(a).is_none_or(|ty| steady(&ty));
                        op.is_pure() && args.iter().all(steady)
                    }
                };
                own.then(|| self.latest(args.iter())).flatten()
            }
        }
    }

    fn fits_index(&self, e: &Expr) -> bool {
        let limits = self.kernel.type_of(e).and_then(|ty| ty.limits());
        limits.is_some_and(|(_, most)| most <= i128::from(u32::MAX))
    }
}

impl Now<'_> {
    fn latest<'e>(&self, all: impl Iterator<Item = &'e Expr>) -> Option<u32> {
        let mut latest = 0;
        for e in all {
            latest = latest.max(self.since(e)?);
        }
        Some(latest)
    }

    fn array(&self, a: ArrayId) -> Option<u32> {
        let tensor = self.kernel.arrays[a.0 as usize].tensor;
        if self.kernel.tensor(tensor).role == Role::Input {
            return Some(0);
        }
        let own = self.writes.tensors.get(&tensor).copied().unwrap_or(0);
        Some(own.max(self.writes.opaque))
    }
}

/// Whether the operators of a type are known to give the same each time.
fn steady(ty: &Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Index => true,
        Ty::Named(name) => primitive(name),
        Ty::Own | Ty::Unknown => false,
    }
}

impl Lower<'_> {
    /// `e` as the prover knows it here; `None` if it is no integer.
    fn term(&self, e: &Expr) -> Option<Term> {
        self.prover.term(e, &Now { kernel: self.kernel, writes: &self.writes })
    }

    fn condition(&self, e: &Expr) -> Condition {
        self.prover.condition(e, &Now { kernel: self.kernel, writes: &self.writes })
    }

    /// Takes `cond` to hold here.
    pub fn assume(&mut self, cond: &Expr) {
        let cond = self.condition(cond);
        self.prover.assume(&cond);
    }

    /// Takes the integer `var` to be `value` from here on, in which `min` and `max` may occur.
    pub fn define(&mut self, var: VarId, value: &Expr) {
        if let (Some(var), Some(value)) = (self.term(&Expr::Var(var)), self.term(value)) {
            self.prover.define(&var, &value);
        }
    }

    /// The value that a condition certainly has here.
    pub fn decide(&self, cond: &Expr) -> Option<bool> {
        self.prover.decide(&self.condition(cond))
    }

    /// Whether `a <= b` is certain.
    pub fn le(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(a, b, |l, a, b| l.prover.le(a, b))
    }

    /// Whether `a < b` is certain.
    pub fn lt(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(a, b, |l, a, b| l.prover.lt(a, b))
    }

    /// Whether `a == b` is certain.
    pub fn eq(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(a, b, |l, a, b| l.prover.eq(a, b))
    }

    fn holds(&self, a: &Expr, b: &Expr, asked: fn(&Self, &Term, &Term) -> bool) -> bool {
        match (self.term(a), self.term(b)) {
            (Some(a), Some(b)) => asked(self, &a, &b),
            _ => self.prover.infeasible(),
        }
    }

    /// An index equal to `e` here, without what the facts make idle.
    pub fn bound(&self, e: &Expr) -> Expr {
        match self.kernel.type_of(e) {
            None | Some(Ty::Index) => {
                self.term(e).map_or_else(|| e.clone(), |term| self.prover.bound(&term))
            }
            _ => e.clone(),
        }
    }

    /// The place of a loop over steppers: a variable that its steps set as the last thing they do.
    pub fn place_var(&mut self, name: &str) -> VarId {
        let var = self.kernel.var(name, VarKind::State, Ty::Index);
        self.writes.places.insert(var);
        var
    }

    /// The code that is made next writes these.
    pub fn wrote(&mut self, what: Written) {
        self.writes.write(what);
    }

    /// The code that is made next is only known to the level it is of: what it writes are arrays of tensors
    /// that are written, and states.
    pub fn wrote_opaquely(&mut self) {
        let now = self.writes.next();
        (self.writes.opaque, self.writes.moved) = (now, now);
    }

    /// The code that is made next may move the state of a stepper.
    pub fn moves_state(&mut self) {
        self.writes.moved = self.writes.next();
    }

    /// An iteration of a loop, or one of its chunks, begins here: it may be any.
    pub fn iterates(&mut self) {
        for what in self.writes.loops.last().cloned().unwrap_or_default() {
            self.writes.write(what);
        }
        self.wrote_opaquely();
    }

    /// Runs `inner` for a loop over `body`.
    pub fn in_loop<T>(&mut self, body: &Stmt, inner: impl FnOnce(&mut Self) -> T) -> T {
        let mut writes = Vec::new();
        body.assignments(&mut |target, _| {
            let what = match target {
                Expr::Var(v) => Written::Var(*v),
                Expr::Access(a) => Written::Tensor(self.kernel.get(*a).tensor),
                Expr::Load(a, _) => Written::Tensor(self.kernel.arrays[a.0 as usize].tensor),
                _ => return,
            };
            if !writes.contains(&what) {
                writes.push(what);
            }
        });
        self.writes.loops.push(writes);
        let out = inner(self);
        // It may have run any number of times.
        self.iterates();
        self.writes.loops.pop();
        out
    }
}

/// Whether it is a type of whole numbers.
pub(super) fn is_integer(ty: &Ty) -> bool {
    matches!(ty, Ty::Named(n) if primitive(n) && !n.starts_with('f'))
}
