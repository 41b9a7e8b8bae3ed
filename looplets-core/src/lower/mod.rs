//! Lowers statements to kernel IR: unfurl, then one looplet pass after another (Looplets section 6).
//!
//! The recursion is over regions of loops: each pass replaces the looplets it handles by simpler
//! ones over sub-extents and calls `Lower::region` again. Simplifier and prover are services.

mod accesses;
mod annihilated;
mod apart;
mod appended_fill;
mod asked_first;
mod cases;
mod chosen;
mod definitions;
mod exits;
mod extents;
mod facts;
mod gathered;
mod in_place;
mod known;
mod left_out;
mod locals;
mod masks;
mod parallel;
mod passes;
mod presence;
mod prewrite;
mod select;
mod states;
mod stmt;
mod tensors;
mod unswitch;
mod visits;
mod visits_told;
mod walked;
mod words;
mod work;

use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::Kind;
use crate::prove::{Affine, Prover};
use crate::simplify::Simplifier;
use crate::verify::{verify, LOWERING};
use cases::Cases;
pub use cases::{Refusal, Refused, TooMany};
use exits::Exit;
use known::is_integer;
use known::Writes;
pub(crate) use known::Written;
use passes::Cursor;
use prewrite::Prewrite;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A part of a loop: its index over `lo..hi`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    pub index: VarId,
    pub lo: Expr,
    pub hi: Expr,
}

/// An entry that is begun, but not yet known to be written.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    /// Raised when it is.
    pub flag: VarId,
    /// How many loops were open where it was begun.
    pub loops: usize,
}

/// Workspaces with the code that makes them.
pub(crate) type Outside = Vec<(TensorId, Vec<Kir>)>;

/// The lowering of one kernel.
pub(crate) struct Lower<'a> {
    pub kernel: &'a mut Kernel,
    pub simplifier: &'a mut Simplifier,
    pub prover: Prover,
    /// What has been written where.
    writes: Writes,
    /// Loop indices that have a value at this point of the generated code.
    pub bound: BTreeSet<VarId>,
    /// The coordinate each stepper's state is known to stand at.
    pub at: HashMap<u32, Expr>,
    /// Steppers whose state nothing has moved yet.
    pub unmoved: BTreeSet<u32>,
    /// The bounds of regions that are a least or greatest of others.
    pub extrema: HashMap<VarId, Expr>,
    /// The cursors of unions.
    pub unions: HashMap<u32, Cursor>,
    /// The entries of a tensor that are begun, outermost level first.
    pub begun: HashMap<TensorId, Vec<Begun>>,
    /// Code that refuses the entries that are open, outermost level first.
    pub refusals: HashMap<TensorId, Vec<Vec<Kir>>>,
    /// What accesses were before their computed indices changed.
    pub renewals: HashMap<AccessId, AccessId>,
    /// The uniform values that were written over dense outputs in front of the loops that assign to them.
    pub backdrops: Vec<Prewrite>,
    /// Loops that end early, outermost first.
    pub exits: Vec<Exit>,
    /// How many loops are open.
    pub loops: usize,
    /// Tensors whose entries are put in order before they are read, and how many loops were open when each
    /// was created.
    pub unsorted: Vec<(TensorId, usize)>,
    /// Workspaces that are made before all loops, and the code that does it.
    pub outside: Outside,
    /// Flags whether those of them that are cleared in place have been made.
    pub made: BTreeMap<TensorId, VarId>,
    /// An access that cannot be lowered as the program has it, and why not.
    pub refused: Option<Refused>,
    /// Which passes ran, for `explain!`.
    pub log: Vec<String>,
    /// Which loops and operands have had regions so far.
    cases: Cases,
    /// Whether computed indices are looked up and checked for each element, since one of them lies outside (`gathered.rs`).
    pub looks_up: bool,
    /// How many times the loop at hand was taken apart by conditions, if it was. See `unswitch.rs`.
    pub unswitched: Option<usize>,
    /// Locals that say whether an operand that is selected is stored.
    pub selected: BTreeSet<VarId>,
    /// The work that regions and statements have taken so far, and the work that the kernel may take.
    pub work: u64,
    pub budget: u64,
    /// The nodes of the simplifier before this kernel.
    pub nodes: usize,
    /// How deep the recursion is, for the log.
    pub depth: usize,
}

/// What lowering makes of a kernel.
pub struct Lowered {
    /// Its code.
    pub code: Vec<Kir>,
    /// The log of passes.
    pub log: Vec<String>,
    /// Where most of its regions are, should the code of them be too much.
    pub most: TooMany,
}

/// Lowers the whole program of `kernel`.
///
/// # Errors
/// It takes more than a kernel may, or reads what has no order as if it had one.
pub fn lower(kernel: &mut Kernel, simplifier: &mut Simplifier) -> Result<Lowered, Refusal> {
    lower_with(kernel, simplifier, &[])
}

/// [`lower`], with indices that have a value already.
pub fn lower_with(
    kernel: &mut Kernel,
    simplifier: &mut Simplifier,
    bound: &[VarId],
) -> Result<Lowered, Refusal> {
    let nodes = simplifier.statistics().total_nodes;
    let mut l = Lower {
        kernel,
        simplifier,
        prover: Prover::new(),
        writes: Writes::default(),
        bound: bound.iter().copied().collect(),
        at: HashMap::new(),
        unmoved: BTreeSet::new(),
        extrema: HashMap::new(),
        unions: HashMap::new(),
        begun: HashMap::new(),
        refusals: HashMap::new(),
        renewals: HashMap::new(),
        backdrops: Vec::new(),
        exits: Vec::new(),
        loops: 0,
        unsorted: Vec::new(),
        outside: Vec::new(),
        made: BTreeMap::new(),
        refused: None,
        log: Vec::new(),
        cases: Cases::default(),
        looks_up: false,
        unswitched: None,
        selected: BTreeSet::new(),
        work: 0,
        budget: 0,
        nodes,
        depth: 0,
    };
    l.budget = work::budget(&l.kernel.body);
    l.assume_sizes();
    l.check_visits();
    l.note_walks();
    // What is updated in place is open for entries from the start.
    let entered = |t: &TensorId| l.kernel.restructured(*t) && !l.kernel.in_place.contains(t);
    let written = |t: &TensorId| l.kernel.outputs.contains(t) || entered(t);
    let all = (0..l.kernel.tensors.len() as u32).map(TensorId);
    let late = all.filter(|t| written(t) && l.kernel.sorted_late(*t));
    l.unsorted = late.map(|t| (t, 0)).collect();
    let body = l.kernel.body.clone();
    let code = l.stmt(body);
    let code = l.with_outside(Vec::new(), code);
    if let Some(refused) = l.refused.take() {
        return Err(Refusal::At(refused));
    }
    let (too_much, most) = (l.is_too_much(), l.cases.too_many());
    if too_much {
        // Its code stops somewhere.
        return Err(Refusal::TooMany(most));
    }
    verify(l.kernel, &code, LOWERING);
    Ok(Lowered { code, log: l.log, most })
}

impl Lower<'_> {
    /// What the checks at the kernel's top establish.
    fn assume_sizes(&mut self) {
        for t in (0..self.kernel.tensors.len() as u32).map(TensorId) {
            if self.kernel.tensor(t).role != Role::Workspace {
                self.assume_size(t);
            }
        }
        for check in self.kernel.checks.clone() {
            match check {
                Check::Equal { sizes, .. } => self.assume(&Expr::call(Op::Eq, sizes)),
                Check::Holds { then, .. } => then.iter().for_each(|fact| self.assume(fact)),
                Check::Within { .. } | Check::Reach { .. } => {}
            }
        }
        for (var, value) in self.kernel.prelude.clone() {
            if self.kernel.type_of(&value) == Some(Ty::Index) {
                self.define(var, &value);
            }
            if self.kernel.is_unsigned(&value) {
                self.assume(&Expr::call(Op::Le, [Expr::int(0), Expr::Var(var)]));
            }
        }
    }

    /// What is known of the size of a tensor. Of a workspace it is asked where it is declared and nowhere
    /// else: what the prover does grows with all that it has been told.
    pub fn assume_size(&mut self, t: TensorId) {
        let t = self.kernel.tensor(t);
        let (made, lens) = (matches!(t.role, Role::Output | Role::Workspace), t.lens.clone());
        let sizes = t.sizes.clone();
        for len in &lens {
            self.assume(&Expr::call(Op::Le, [Expr::int(0), Expr::Var(*len)]));
        }
        for (len, size) in lens.iter().zip(&sizes) {
            if made && self.kernel.fixed(size) {
                // An extent that ends below 0 makes a size of 0.
                let size = Expr::call(Op::Max, [Expr::int(0), size.clone()]);
                self.define(*len, &size);
            }
        }
    }

    /// Lowers the loop `r` with `body`, of which some accesses are unfurled along `r.index`.
    pub fn region(&mut self, r: Region, body: Stmt) -> Vec<Kir> {
        if self.prover.infeasible() || !self.affords(&body) {
            return Vec::new();
        }
        // What cannot be shown to have one element at most is neither empty nor one element.
        let few = self.le(&r.hi, &r.lo.plus(1));
        if few && self.le(&r.hi, &r.lo) {
            return Vec::new();
        }
        let unit = few && self.is_unit(&r);
        if !unit && few {
            // One element or none: what is known of the one must not be used for none.
            let one = Region { hi: r.lo.plus(1), ..r.clone() };
            return self.guard(&r, |l| l.region(one, body));
        }
        let body = self.unfurl_digits(&r, body);
        let (mut checks, body) = self.checked_fill(body, Some(&r));
        if !checks.is_empty() {
            checks.extend(self.region(r, body));
            return checks;
        }
        let body = self.skip_fill_made(&body);
        let body = if unit {
            self.simplify(&body)
        } else {
            let whole = Stmt::Loop {
                index: r.index,
                parallel: false,
                lo: r.lo.clone(),
                hi: r.hi.clone(),
                body: Box::new(body),
            };
            match self.simplify(&whole) {
                Stmt::Loop { index, lo, hi, body, .. }
                    if index == r.index && same_sum(&lo, &r.lo) && same_sum(&hi, &r.hi) =>
                {
                    *body
                }
                other => return self.stmt(other),
            }
        };
        // Fill may have been computed only now: an entry of it is not to be begun.
        let (mut checks, body) = self.checked_fill(body, Some(&r));
        if !checks.is_empty() {
            checks.extend(self.region(r, body));
            return checks;
        }
        let body = self.skip_fill_made(&body);
        if matches!(body, Stmt::Pass) {
            return Vec::new();
        }
        if let Some(body) = self.without_idle_states(&body) {
            return self.region(r, body);
        }
        if let Some(body) = self.without_definitions(&body) {
            return self.region(r, body);
        }
        if let Some(body) = self.without_constants(&body) {
            return self.region(r, body);
        }
        if !unit {
            if let Some(code) = self.masked(&r, &body) {
                return code;
            }
            if let Some(code) = self.unswitched(&r, &body, Lower::region) {
                return code;
            }
        }
        let unfurled: Vec<(AccessId, Kind)> = self
            .accesses(&body)
            .into_iter()
            .filter_map(|id| {
                let u = self.kernel.get(id).unfurled.as_ref()?;
                (u.index == r.index).then(|| (id, u.nest.kind()))
            })
            .collect();
        let Some(first) = unfurled.iter().map(|(_, kind)| *kind).min() else {
            return self.plain(r, body, unit);
        };
        let ids: Vec<AccessId> =
            unfurled.iter().filter(|(_, k)| *k == first).map(|(id, _)| *id).collect();
        self.note(first, &r, &ids);
        self.cases.region(self.kernel, r.index, unfurled.iter().map(|(id, _)| *id));
        self.depth += 1;
        let code = passes::lower(first, self, r, body, ids);
        self.depth -= 1;
        code
    }

    /// A loop without looplets.
    fn plain(&mut self, r: Region, body: Stmt, unit: bool) -> Vec<Kir> {
        if unit {
            return self.bind(&r, |l| l.stmt(body));
        }
        if let Some(visit) = passes::run_of_visits(&r, &body) {
            return self.guard(&r, |_| vec![visit]);
        }
        if let Some(code) = self.apart(&r, &body) {
            return code;
        }
        self.each(&r, |l| l.stmt(body))
    }

    /// `for index in lo..hi { inner }`.
    pub fn each(&mut self, r: &Region, inner: impl FnOnce(&mut Self) -> Vec<Kir>) -> Vec<Kir> {
        let body = self.scoped(|l| {
            l.assume(&Expr::call(Op::Le, [r.lo.clone(), Expr::Var(r.index)]));
            l.assume(&Expr::call(Op::Lt, [Expr::Var(r.index), r.hi.clone()]));
            let new = l.bound.insert(r.index);
            let body = inner(l);
            if new {
                l.bound.remove(&r.index);
            }
            body
        });
        if body.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        vec![Kir::For { var: r.index, lo: r.lo.clone(), hi: r.hi.clone(), body }]
    }

    /// `let index = lo; inner`, unless the index has its value already.
    pub fn bind(&mut self, r: &Region, inner: impl FnOnce(&mut Self) -> Vec<Kir>) -> Vec<Kir> {
        if self.bound.contains(&r.index) {
            return inner(self);
        }
        self.bound.insert(r.index);
        self.prover.push();
        self.define(r.index, &r.lo);
        let mut body = inner(self);
        self.prover.pop();
        self.bound.remove(&r.index);
        if body.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        body.insert(0, Kir::Let { var: r.index, mutable: false, value: r.lo.clone() });
        vec![Kir::Block(body)]
    }

    /// Runs `inner` for code that may run any number of times: what it learns is forgotten after.
    pub fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let (at, unmoved) = (self.at.clone(), self.unmoved.clone());
        self.at.clear();
        self.unmoved.clear();
        self.prover.push();
        self.iterates();
        let out = inner(self);
        self.prover.pop();
        let after = std::mem::replace(&mut self.at, at);
        self.at.retain(|id, _| !after.contains_key(id));
        self.unmoved = &unmoved & &self.at.keys().copied().collect();
        out
    }

    /// Runs `inner` for code that runs at most once, under `cond`.
    pub fn under<T>(&mut self, cond: &Expr, inner: impl FnOnce(&mut Self) -> T) -> T {
        let (at, unmoved) = (self.at.clone(), self.unmoved.clone());
        self.prover.push();
        self.assume(cond);
        let out = inner(self);
        self.prover.pop();
        self.at.retain(|id, e| at.get(id) == Some(e));
        self.unmoved = &unmoved & &self.unmoved;
        out
    }

    /// Code for a region that may be empty, by way of code that needs at least one element.
    pub fn guard(&mut self, r: &Region, inner: impl FnOnce(&mut Self) -> Vec<Kir>) -> Vec<Kir> {
        if self.lt(&r.lo, &r.hi) {
            return inner(self);
        }
        let cond = Expr::call(Op::Lt, [r.lo.clone(), r.hi.clone()]);
        let then = self.under(&cond, inner);
        self.branch(cond, then, Vec::new())
    }

    /// `if cond { then } else { otherwise }`, or less.
    pub fn branch(&mut self, cond: Expr, then: Vec<Kir>, otherwise: Vec<Kir>) -> Vec<Kir> {
        let idle = |code: &Vec<Kir>| code.iter().all(Kir::is_idle);
        match (idle(&then), idle(&otherwise)) {
            (true, true) => Vec::new(),
            _ if then == otherwise => then,
            (true, false) => {
                vec![Kir::If { cond: self.negate(cond), then: otherwise, otherwise: Vec::new() }]
            }
            (false, true) => vec![Kir::If { cond, then, otherwise: Vec::new() }],
            (false, false) => vec![Kir::If { cond, then, otherwise }],
        }
    }

    fn negate(&self, cond: Expr) -> Expr {
        if let Expr::Call(op, args) = &cond {
            let exact = matches!(op, Op::Eq | Op::Ne) || self.indices(args);
            if let Some(opposite) = op.opposite().filter(|_| exact) {
                return Expr::call(opposite, args.clone());
            }
        }
        Expr::call(Op::Not, [cond])
    }

    fn indices(&self, args: &[Expr]) -> bool {
        args.iter().all(|a| matches!(self.kernel.type_of(a), None | Some(Ty::Index)))
    }

    /// Whether the region holds exactly one coordinate.
    pub fn is_unit(&self, r: &Region) -> bool {
        let next = r.lo.plus(1);
        self.le(&r.hi, &next) && self.le(&next, &r.hi)
    }

    /// Simplifies a statement; the bounds in it by the prover as well.
    pub fn simplify(&mut self, s: &Stmt) -> Stmt {
        let s = self.simplifier.stmt(s, &*self.kernel);
        let chosen = self.asked_outside(&s);
        let bounded = chosen.map(&mut |e| match e {
            Expr::Call(op, _) if matches!(op, Op::Max | Op::Min) && self.is_index(e) => {
                let b = self.bound(e);
                (b != *e).then_some(b)
            }
            _ => None,
        });
        if bounded == s {
            s
        } else {
            self.simplifier.stmt(&bounded, &*self.kernel)
        }
    }

    fn is_index(&self, e: &Expr) -> bool {
        matches!(self.kernel.type_of(e), Some(Ty::Index))
    }

    /// A local holding `value`, unless `value` is simple enough to repeat. State changes, so that
    /// what it is now has to be held.
    pub fn local(&mut self, name: &str, value: Expr, out: &mut Vec<Kir>) -> Expr {
        let steady = |v: &VarId| self.kernel.info(*v).kind != VarKind::State;
        if matches!(&value, Expr::Lit(_)) || matches!(&value, Expr::Var(v) if steady(v)) {
            return value;
        }
        let var = self.kernel.var(name, VarKind::Local, Ty::Index);
        out.push(Kir::Let { var, mutable: false, value });
        Expr::Var(var)
    }

    fn note(&mut self, kind: Kind, r: &Region, ids: &[AccessId]) {
        let names: Vec<String> = ids.iter().map(|id| self.kernel.access_text(*id)).collect();
        let line = format!(
            "{:indent$}{kind:?}: {} in {}..{}: {}",
            "",
            self.kernel.info(r.index).name,
            self.kernel.text(&r.lo),
            self.kernel.text(&r.hi),
            names.join(", "),
            indent = 2 * self.depth
        );
        self.log.push(line);
    }
}

/// Whether two bounds are the same but for the order of what is added in them.
fn same_sum(a: &Expr, b: &Expr) -> bool {
    a == b || Affine::of(a).minus(&Affine::of(b)).is_some_and(|rest| rest.as_constant() == Some(0))
}
