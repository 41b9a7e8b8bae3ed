//! The entries of a written fiber, and the code of write protocols.

use super::linked::exchange;
use super::scope::{Meaning, Scope};
use crate::cin::*;
use crate::decl::{named, uses, with_length, Clause, Hold, Order, Use};
use crate::kernel::*;
use crate::kir::{Begin, Commit, Kir};
use crate::nest::{Def, Entry, Looplet, Payload};
use crate::opaque::{Bind, Blank, Bound, Declared, Frame, Numbers};
use crate::runtime::Runtime;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::BTreeMap;
use std::rc::Rc;

impl Scope<'_> {
    /// A clause of a write protocol, in which positions, coordinates and counts are `usize`.
    pub(super) fn write_code(&mut self, frame: Frame, code: &TokenStream) -> RawId {
        let clause = match &frame {
            Frame::Clause(clause) | Frame::Growth(clause, _) | Frame::Count(clause, _) => *clause,
            _ => Clause::Clear,
        };
        let hold = self.level.format.level().write.as_ref().map_or(Hold::Vecs, |w| w.hold(clause));
        let (rest, lengths) = self.lengths(code);
        let (mut names, bound) = self.bindings(&rest, hold, Numbers::Unsigned);
        names.extend(lengths.iter().map(|((_, name), length)| (name.clone(), length.clone())));
        if let Frame::Growth(..) | Frame::Count(..) = &frame {
            names.extend(self.sizes());
        }
        let lengths = lengths.into_keys().collect();
        let declared = Declared { of: self.of(), code: code.clone(), bound, lengths, frame };
        self.kernel.declared_code(declared, names, Ty::Unknown)
    }

    /// `code` with names for the lengths of the arrays of which it asks no more, and what these stand for: the
    /// arrays and the names of their lengths.
    fn lengths(&mut self, code: &TokenStream) -> (TokenStream, BTreeMap<(Ident, Ident), Expr>) {
        let (mut code, mut lengths) = (code.clone(), BTreeMap::new());
        for Use { at, length, .. } in uses(&code, |name| self.meaning(name).is_some()) {
            if let (true, Some(Meaning::Array(a))) = (length, self.lookup(&at)) {
                let name = named_by(format!("__{at}_len"));
                let size = Ty::Named("usize".into());
                let asked = self.kernel.call(Runtime::Length, vec![Expr::Array(a)], size);
                code = with_length(code, &at, &name);
                lengths.insert((at, name), asked);
            }
        }
        (code, lengths)
    }

    /// What the names in `code` stand for, and bindings of those that nothing can stand for: arrays, and names
    /// in texts and patterns.
    pub(super) fn bindings(
        &self,
        code: &TokenStream,
        hold: Hold,
        numbers: Numbers,
    ) -> (Vec<(Ident, Expr)>, Vec<Bound>) {
        let op = match numbers {
            Numbers::Signed => Op::Index,
            Numbers::Unsigned => Op::Usize,
        };
        let (mut names, mut bound) = (Vec::new(), Vec::new());
        for Use { at, plain, .. } in uses(code, |name| self.meaning(name).is_some()) {
            let slot = named_by(format!("__{at}"));
            match self.lookup(&at) {
                Some(Meaning::Array(a)) => {
                    // A borrow of its own name, so that the author may use an array twice in a call.
                    bound.push(Bound { name: at, to: Bind::Array(hold, slot.clone()) });
                    names.push((slot, Expr::Array(a)));
                }
                Some(Meaning::Expr(e)) if plain => names.push((at, Expr::call(op.clone(), [e]))),
                Some(Meaning::Expr(e)) => {
                    bound.push(Bound { name: at, to: Bind::Number(numbers, slot.clone()) });
                    names.push((slot, Expr::call(op.clone(), [e])));
                }
                // What stands for it is put in with the other parameters.
                Some(Meaning::Parameter(..)) if plain => {}
                Some(Meaning::Parameter(ty, value)) => {
                    bound.push(Bound { name: at, to: Bind::Parameter(ty, value) });
                }
                None => {}
            }
        }
        (names, bound)
    }

    /// Whether each name in `code` is an array, or something may stand for it.
    pub(super) fn plain(&self, code: &TokenStream) -> bool {
        let array = |name: &Ident| matches!(self.lookup(name), Some(Meaning::Array(_)));
        let all = uses(code, |name| self.meaning(name).is_some());
        all.iter().all(|u| u.plain || array(&u.at))
    }

    /// An expression of a write protocol that may fail: for want of memory, or as the level cannot
    /// store what was written.
    pub fn write_growth(&mut self, clause: Clause, code: &TokenStream) -> Kir {
        let sizes = self.sizes().into_iter().map(|(name, _)| name).collect();
        Kir::Code(self.write_code(Frame::Growth(clause, sizes), code))
    }

    /// The shape of the tensor, under names that no declaration has.
    fn sizes(&self) -> Vec<(Ident, Expr)> {
        let lens = self.kernel.tensor(self.tensor).lens.iter().enumerate();
        lens.map(|(k, len)| (named_by(format!("__size{k}")), Expr::Var(*len))).collect()
    }

    /// A condition of a write protocol, with its effects.
    fn write_condition(&mut self, code: &TokenStream) -> Expr {
        let id = self.write_code(Frame::Clause(Clause::Extend), code);
        let raw = &mut self.kernel.raws[id.0 as usize];
        (raw.ty, raw.effect) = (Ty::Bool, true);
        Expr::Raw(id)
    }

    /// How many fibers a level has below it, which may be more than can be addressed.
    pub fn write_count(&mut self, code: &TokenStream) -> Expr {
        let sizes = self.sizes().into_iter().map(|(name, _)| name).collect();
        self.write_number(Frame::Count(Clause::Children, sizes), code)
    }

    /// A number computed by a write protocol, as a coordinate.
    fn write_number(&mut self, frame: Frame, code: &TokenStream) -> Expr {
        let id = self.write_code(frame, code);
        self.kernel.raws[id.0 as usize].ty = Ty::Named("usize".into());
        Expr::Raw(id)
    }

    /// `code` as stores of numbers, if each of its statements is `array[..] = n` or `array[..] += 1`, where `n` is a literal, the element
    /// of an array of the same numbers, or `Ix::from_i64(i as i64)`: passes then know what is written, and the invariant covers where.
    fn stored_numbers(&mut self, code: &TokenStream) -> Option<Vec<Kir>> {
        let block: Vec<syn::Stmt> =
            syn::parse::Parser::parse2(syn::Block::parse_within, code.clone()).ok()?;
        let numbers = |scope: &Self, e: &syn::Expr| {
            let syn::Expr::Index(x) = e else { return None };
            let syn::Expr::Path(p) = &*x.expr else { return None };
            match scope.lookup(p.path.get_ident()?)? {
                Meaning::Array(a) => Some(scope.kernel.arrays[a.0 as usize].clone()),
                _ => None,
            }
            .filter(|a| a.elem == Ty::Index)
        };
        let mut stores = Vec::new();
        for stmt in &block {
            let syn::Stmt::Expr(e, _) = stmt else { return None };
            let (target, value) = match e {
                syn::Expr::Assign(e) => (&*e.left, Ok(&*e.right)),
                syn::Expr::Binary(e) if matches!(e.op, syn::BinOp::AddAssign(_)) => {
                    (&*e.left, Err(&*e.right))
                }
                _ => return None,
            };
            let array = numbers(self, target)?;
            let literal = |e: &syn::Expr| matches!(e, syn::Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Int(_) | syn::Lit::Bool(_)));
            let same = |a: Array| a.elem_tokens.to_string() == array.elem_tokens.to_string();
            let value = match value {
                Ok(e) if literal(e) => self.expr(e),
                Ok(e @ syn::Expr::Index(_)) if numbers(self, e).is_some_and(same) => self.expr(e),
                Ok(syn::Expr::Call(call)) => self.place(coordinate(call)?)?,
                Err(e) if literal(e) => Expr::call(Op::Add, [self.expr(target), self.expr(e)]),
                _ => return None,
            };
            let target = self.expr(target);
            matches!(target, Expr::Load(..)).then_some(())?;
            stores.push(Kir::Store { target, op: None, value });
        }
        Some(stores)
    }

    /// The position of an entry, as a coordinate. That of an `append` or `insert` may make room.
    fn write_position(&mut self, e: &syn::Expr, made: bool) -> Expr {
        if let (false, Some(term)) = (made, self.place(e)) {
            return term;
        }
        let position = self.write_number(Frame::Clause(Clause::Child), &e.to_token_stream());
        if let Expr::Raw(id) = &position {
            self.kernel.raws[id.0 as usize].effect = made;
        }
        position
    }
}

/// The coordinate in `Ix::from_i64(i as i64)`.
fn coordinate(call: &syn::ExprCall) -> Option<&syn::Expr> {
    let syn::Expr::Path(f) = &*call.func else { return None };
    let (last, only) = (f.path.segments.last()?, call.args.first()?);
    let cast = match only {
        syn::Expr::Cast(cast) => &*cast.expr,
        _ => return None,
    };
    (last.ident == "from_i64" && call.args.len() == 1).then_some(cast)
}

/// An identifier of the compiler's.
pub(super) fn named_by(name: impl AsRef<str>) -> Ident {
    Ident::new(name.as_ref(), Span::call_site())
}

/// A check that what is appended to `tensor` from the coordinate `first` of its first dimension on lies behind what it stores.
pub fn follows(kernel: &mut Kernel, tensor: TensorId, first: &Expr) -> Kir {
    let follow = Expr::Var(kernel.follows(tensor));
    let args = [first.clone(), follow].map(|e| Expr::call(Op::Usize, [e]));
    let sizes = kernel.tensor(tensor).lens.iter().map(|len| Expr::Var(*len));
    let args = args.into_iter().chain(sizes).collect();
    let check = kernel.statement(Runtime::Follows { of: (tensor, 0) }, args);
    kernel.raws.last_mut().expect("called above").effect = true;
    check
}

/// The entries `first..=last` of a written fiber, which share one child; mostly they are one.
pub(super) fn entry(kernel: &mut Kernel, access: &Access, first: &Expr, last: &Expr) -> Looplet {
    let tensor = access.tensor;
    let format = kernel.tensor(tensor).levels[access.level].format.clone();
    let write = format.level().write.as_ref().expect("checked by resolve");
    let made = write.order != Order::Locate;
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, first.clone());
    }
    let declared = write.child.as_ref().expect("validated");
    // An entry of a stale level is asked for to blank its value alone, and is committed whether it is there or not.
    let blanked =
        write.stale.then(|| value_below(scope.kernel, tensor, access.level + 1)).flatten();
    let asked = write.find.as_ref().filter(|_| !write.stale || blanked.is_some());
    let found = asked.map(|find| scope.expr(find));
    let child = scope.write_position(declared, made);
    let of = (tensor, access.level);
    let name = kernel.tensor(tensor).name.clone();
    let local = |kernel: &mut Kernel, what: &str| {
        kernel.var(&format!("{name}{}_{what}", access.level), VarKind::Local, Ty::Index)
    };
    let mut defs = Vec::new();
    let found = found.map(|value| {
        let var = local(kernel, "found");
        defs.push(Def { var, mutable: false, value });
        var
    });
    let at = made.then(|| local(kernel, "q"));
    let (position, child) = match at {
        Some(at) => (child, Expr::Var(at)),
        None => {
            let child = match child {
                Expr::Raw(_) => {
                    let var = local(kernel, "q");
                    defs.push(Def { var, mutable: false, value: child });
                    Expr::Var(var)
                }
                child => child,
            };
            (Expr::int(0), crate::prove::canonical(&child))
        }
    };
    let open = open(kernel, tensor, access.level + 1, &child);
    let (mut before, begin) = match at {
        Some(at) => {
            let room = reserve(kernel, tensor, access.level + 1, &child.plus(1));
            let open = open.into_iter().collect();
            (Vec::new(), Some(Begin { of, at, position, found, room, open, written: None }))
        }
        None => (Vec::from_iter(open), None),
    };
    if let (Some((p, place)), Some(found)) = (blanked, found) {
        let mut scope = Scope::new(kernel, tensor, access.level + 1);
        scope.bind(&p, child.clone());
        let target = scope.expr(&place);
        let value = kernel.tensor(tensor).fill.clone();
        let then = vec![Kir::Store { target, op: None, value }];
        before.push(Kir::If { cond: new(found), then, otherwise: Vec::new() });
    }
    let mut code = Vec::new();
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, last.clone());
    }
    let mut refusal: Vec<Kir> = Vec::new();
    if access.level == 0
        && made
        && scope.kernel.restructured(tensor)
        && write.order == Order::Append
    {
        refusal.push(follows(scope.kernel, tensor, first));
    }
    let own: Vec<Kir> =
        write.entry.iter().map(|may| scope.write_growth(Clause::Entry, may)).collect();
    refusal.extend(own);
    if let Some(commit) = &write.commit {
        if named(commit, "below").is_some() {
            let below = below(scope.kernel, tensor, access.level + 1, &child.plus(1));
            scope.bind(&named_by("below"), below);
        }
        // Only there is a place for each entry before it is written.
        let located = write.order == Order::Locate;
        code.extend(match located.then(|| scope.stored_numbers(commit)).flatten() {
            Some(stores) => stores,
            None => vec![Kir::Code(scope.write_code(Frame::Clause(Clause::Commit), commit))],
        });
    }
    if let Some(moves) = write.moves.as_ref().and_then(|m| exchange(kernel, of, m)) {
        let count = below(kernel, tensor, access.level, &Expr::int(0));
        code.extend(reserve(kernel, tensor, access.level + 1, &count));
        code.push(moves);
    }
    let mut scope = Scope::new(kernel, tensor, access.level);
    scope.bind(&write.p, access.pos.clone());
    if let Some(i) = &write.i {
        scope.bind(i, last.clone());
    }
    // Where an expression stands for each name in `commit`, the terms of single elements use the names of all of it.
    let shares = write.commit.as_ref().is_some_and(|commit| scope.plain(commit));
    let names = match code.first() {
        Some(Kir::Code(r)) => scope.kernel.raws[r.0 as usize].names.clone(),
        _ => Vec::new(),
    };
    // An entry that was found has been committed before.
    if let Some(found) = found.filter(|_| !code.is_empty() && !write.stale) {
        let cond = new(found);
        code = vec![Kir::If { cond, then: code, otherwise: Vec::new() }];
    }
    if let Some(extend) = &write.extend {
        scope.bind(&named_by("first"), first.clone());
        let extended = scope.write_condition(extend);
        code = joined(kernel, access, &child, extended, code);
    }
    // What becomes of a new entry beside its elements, for a child that is put at a place of its own.
    let noted = write.note.as_ref().map(|(q, note)| {
        let mut scope = Scope::new(kernel, tensor, access.level);
        scope.bind(&write.p, access.pos.clone());
        if let Some(i) = &write.i {
            scope.bind(i, last.clone());
        }
        let new =
            scope.kernel.var(&format!("{name}{}_new", access.level), VarKind::Local, Ty::Index);
        scope.bind(q, Expr::Var(new));
        let code = Kir::Code(scope.write_code(Frame::Clause(Clause::Note), note));
        (new, vec![code])
    });
    let plain = shares && begin.is_some() && refusal.is_empty() && write.extend.is_none();
    let mut each = plain.then(|| super::appended::each(kernel, access, &names)).flatten();
    if begin.is_some() && refusal.is_empty() && write.extend.is_some() {
        each = super::appended::run(kernel, access, [first, last]);
    }
    if let Some(each) = &mut each {
        each.note = noted;
    }
    let shared = plain.then(|| super::appended::shared(kernel, access, &names)).flatten();
    let shared = shared.unwrap_or_default();
    let lengthened = super::appended::lengthened(kernel, access);
    let body = Box::new(Looplet::Run(Payload::Child(child)));
    let needed = made || !code.is_empty() || !refusal.is_empty();
    let commit = Commit { of, code, each, shared };
    let after = needed.then(|| Rc::new(Entry { tensor, begin, refusal, commit, lengthened }));
    if defs.is_empty() && before.is_empty() && after.is_none() {
        return *body;
    }
    Looplet::Thunk { defs, before, body, after }
}

/// Where the elements of the leaf at `depth` are, and by which number; none if it has none, or is no leaf.
fn value_below(kernel: &Kernel, tensor: TensorId, depth: usize) -> Option<(Ident, syn::Expr)> {
    let format = &kernel.tensor(tensor).levels[depth].format;
    let write = format.level().write.as_ref().filter(|_| format.level().leaf.is_some())?;
    Some((write.p.clone(), write.place.clone()?))
}

/// Whether an entry was not found where it was looked for.
fn new(found: VarId) -> Expr {
    Expr::call(Op::Lt, [Expr::Var(found), Expr::int(0)])
}

/// `commit`, unless the entry at `q` of a leaf is identical to the one before and `extend` joins the two.
fn joined(
    kernel: &mut Kernel,
    access: &Access,
    q: &Expr,
    extend: Expr,
    commit: Vec<Kir>,
) -> Vec<Kir> {
    let (tensor, depth) = (access.tensor, access.level + 1);
    let leaf = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = leaf.level().write.as_ref().filter(|_| leaf.level().leaf.is_some()) else {
        return commit;
    };
    let mut cond = vec![Expr::call(Op::Lt, [Expr::int(0), q.clone()])];
    let mut then = Vec::new();
    if let Some(place) = &write.place {
        let mut at = |p: Expr| {
            let mut scope = Scope::new(kernel, tensor, depth);
            scope.bind(&write.p, p);
            scope.expr(place)
        };
        let (before, own) = (at(q.plus(-1)), at(q.clone()));
        cond.push(Expr::call(Op::Identical, [before, own.clone()]));
        // The next entry is written at the same place, which has to be at fill.
        let fill = kernel.tensor(tensor).fill.clone();
        then.push(Kir::Store { target: own, op: None, value: fill });
    }
    cond.push(extend);
    vec![Kir::If { cond: Expr::call(Op::And, cond), then, otherwise: commit }]
}

/// How many fibers of the children of `depth` there are by now, if `depth` has `count`.
pub(super) fn below(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Expr {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    match format.level().write.as_ref().and_then(|w| w.children.as_ref()) {
        Some((fibers, children)) => {
            let mut scope = Scope::new(kernel, tensor, depth);
            scope.bind(fibers, count.clone());
            scope.write_count(children)
        }
        None => count.clone(),
    }
}

/// Code that reopens a finished tensor: the first coordinate that may follow is held in a local.
pub fn thaw(kernel: &mut Kernel, tensor: TensorId) -> Option<Kir> {
    let format = kernel.tensor(tensor).levels[0].format.clone();
    let code = format.level().write.as_ref()?.thaw.as_ref()?;
    let mut scope = Scope::new(kernel, tensor, 0);
    let value = scope.write_number(Frame::Clause(Clause::Thaw), code);
    let var = kernel.follows(tensor);
    Some(Kir::Let { var, mutable: false, value })
}

/// Code that takes all entries out of a tensor of one sparse level, if that says how and what is below
/// is a leaf.
pub fn clear(kernel: &mut Kernel, tensor: TensorId) -> Option<Kir> {
    let [level, leaf] = kernel.tensor(tensor).levels.as_slice() else { return None };
    let code = level.format.level().write.as_ref()?.clear.clone()?;
    let decl = leaf.format.clone();
    let write = decl.level().write.as_ref()?;
    // `blank` as the author wrote it, since the name has the author's hygiene.
    let Some(name) = named(&code, "blank") else {
        let raw = Scope::new(kernel, tensor, 0).write_code(Frame::Clear(None), &code);
        return Some(Kir::Code(raw));
    };
    let mut names = Vec::new();
    let place = write.place.as_ref().map(|place| {
        let mut scope = Scope::new(kernel, tensor, 1);
        scope.bind(&write.p, Expr::int(0));
        let place = place.to_token_stream();
        let (slots, mut bound) = scope.bindings(&place, Hold::Slices, Numbers::Unsigned);
        // The two levels may have arrays of one name.
        let below = |slot: &Ident| named_by(format!("{slot}_below"));
        for bound in &mut bound {
            if let Bind::Array(_, slot) = &mut bound.to {
                *slot = below(slot);
            }
        }
        let arrays = slots.into_iter().filter(|(_, e)| matches!(e, Expr::Array(_)));
        names.extend(arrays.map(|(slot, a)| (below(&slot), a)));
        (bound, place)
    });
    let blank = Blank { name, of: (tensor, 1), p: write.p.clone(), place };
    let frame = Frame::Clear(Some(Box::new(blank)));
    let raw = Scope::new(kernel, tensor, 0).write_code(frame, &code);
    kernel.raws[raw.0 as usize].names.extend(names);
    Some(Kir::Code(raw))
}

/// Code that opens the fiber `p` of a level for writing.
pub fn open(kernel: &mut Kernel, tensor: TensorId, depth: usize, p: &Expr) -> Option<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let write = format.level().write.as_ref()?;
    let code = write.open.as_ref()?;
    let mut scope = Scope::new(kernel, tensor, depth);
    scope.bind(&write.p, p.clone());
    Some(scope.write_growth(Clause::Open, code))
}

/// Code that makes fibers `0..count` of a level exist, at fill.
pub fn reserve(kernel: &mut Kernel, tensor: TensorId, depth: usize, count: &Expr) -> Vec<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let Some(write) = &format.level().write else { return Vec::new() };
    let mut scope = Scope::new(kernel, tensor, depth);
    let mut code = Vec::new();
    // Where entries are appended and linked later, fibers are but places where they begin.
    if let Some((fibers, reserve)) = write.reserve.as_ref().filter(|_| write.link.is_none()) {
        scope.bind(fibers, count.clone());
        code.push(scope.write_growth(Clause::Reserve, reserve));
    }
    if let Some((fibers, children)) =
        write.children.as_ref().filter(|_| write.order == Order::Locate)
    {
        scope.bind(fibers, count.clone());
        let children = scope.write_count(children);
        code.extend(reserve(kernel, tensor, depth + 1, &children));
    }
    code
}
