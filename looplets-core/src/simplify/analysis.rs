//! What is known of each e-class: its constant, its type, its range, what it depends on.
//!
//! These are facts about the value (or the effect), not about one way to write it, so two classes
//! found equal know the better of both. Conditions read them through [`super::Graph`].

use super::facts::{Kind, LeafFact, Set, Sort};
use super::fold::fold;
use super::language::{Leaf, Node, Sym};
use crate::cin::{ArrayId, Lit, Op, RawId};
use crate::ops::Effect;
use crate::types::Ty;
use egg::{Analysis, DidMerge, EGraph, Id};

/// Bounds of an integer, both inclusive; the extremes of `i128` are no bound.
pub type Range = (i128, i128);

/// What is known of a class.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its value, if that is a literal.
    pub constant: Option<Lit>,
    /// Its type.
    pub kind: Kind,
    /// Whether arithmetic of its type may wrap.
    pub wraps: bool,
    /// Whether it may be `missing`.
    pub missing: bool,
    /// Whether evaluating it where the program would not is harmless: no memory is read, nothing
    /// unknown is called, nothing is divided, nothing overflows.
    pub total: bool,
    /// Its bounds, if it is an integer.
    pub range: Option<Range>,
    /// The variables it depends on and does not bind.
    pub free: Set,
    /// The leaves whose values it reads.
    pub reads: Set,
    /// The leaves it writes (statements only).
    pub writes: Set,
    /// What it is made of, where rules of users are tried.
    pub sort: Sort,
    /// The element it is read from, where that is to be told from others.
    pub element: Option<Source>,
    /// Whether it is infinity or NaN, whatever it is computed of, and whether it is minus infinity or NaN.
    pub infinite: Infinite,
}

/// Whether a value that is not `missing` is infinity, or minus infinity, but for NaN.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Infinite {
    /// Infinity, so that it is no least of others.
    pub above: bool,
    /// Minus infinity, so that it is no greatest of others.
    pub below: bool,
}

impl Infinite {
    fn of(lit: &Lit) -> Infinite {
        let Lit::Float(bits) = lit else { return Infinite::default() };
        let x = f64::from_bits(*bits);
        Infinite {
            above: x.is_nan() || x == f64::INFINITY,
            below: x.is_nan() || x == -f64::INFINITY,
        }
    }

    /// If either holds: of a sum, or of one value that is computed in two ways.
    fn or(self, other: Infinite) -> Infinite {
        Infinite { above: self.above || other.above, below: self.below || other.below }
    }

    fn negated(self) -> Infinite {
        Infinite { above: self.below, below: self.above }
    }
}

/// What a value is read from: two that are read from different elements are never the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An access that is not yet an element, by its number.
    Access(u32),
    /// An element of an array, by the number of the array and the leaf that is its position.
    Of(u32, u32),
}

/// The analysis: the table of the facts of the term's leaves, by the numbers they were given.
#[derive(Default)]
pub struct Leaves {
    /// Facts by leaf number.
    pub table: Vec<LeafFact>,
    /// Rules of users are tried, which may claim what would have memory read where it is not there.
    pub guarded: bool,
    /// Set when two different literals were found equal, which only a wrong rule or a wrong fact
    /// can do, or two different elements. The result is then not used.
    pub contradiction: bool,
}

fn of_leaf(leaves: &Leaves, n: u32, known: &mut Known) {
    let fact = &leaves.table[n as usize];
    known.free = fact.depends.clone();
    known.reads = Set::of(n);
    known.kind = fact.kind;
    known.wraps = fact.wraps;
    known.missing = fact.missing;
    known.sort = fact.sort;
    known.range = match fact.kind {
        Kind::Bool => Some((0, 1)),
        Kind::Int => fact.range.filter(|(lo, hi)| lo <= hi),
        Kind::Other => None,
    };
}

impl Analysis<Node> for Leaves {
    type Data = Known;

    fn make(g: &mut EGraph<Node, Self>, node: &Node, _: Id) -> Known {
        let mut known = Known {
            constant: None,
            kind: Kind::Other,
            wraps: false,
            missing: false,
            total: true,
            range: None,
            free: Set::default(),
            reads: Set::default(),
            writes: Set::default(),
            sort: Sort::Value,
            element: None,
            infinite: Infinite::default(),
        };
        match node {
            Node::Lit(lit) => {
                (known.kind, known.range) = match lit {
                    Lit::Bool(b) => (Kind::Bool, Some((i128::from(*b), i128::from(*b)))),
                    Lit::Int(n) => (Kind::Int, Some((*n, *n))),
                    Lit::Float(_) | Lit::Missing => (Kind::Other, None),
                };
                known.missing = *lit == Lit::Missing;
                if matches!(lit, Lit::Int(_) | Lit::Bool(_)) {
                    known.sort = Sort::Either;
                }
                known.constant = Some(lit.clone());
                known.infinite = Infinite::of(lit);
            }
            Node::Leaf(Leaf::Var(v) | Leaf::Parallel(v)) => of_leaf(&g.analysis, v.0, &mut known),
            Node::Leaf(Leaf::Array(a)) => {
                of_leaf(&g.analysis, a.0, &mut known);
                known.total = false;
            }
            Node::Leaf(Leaf::Access(a)) => {
                of_leaf(&g.analysis, a.0, &mut known);
                known.total = false;
                known.element = Some(Source::Access(a.0));
            }
            Node::Leaf(Leaf::Raw(r)) => {
                of_leaf(&g.analysis, r.0, &mut known);
                known.total = false;
            }
            Node::Leaf(Leaf::Op(_) | Leaf::Locals(_)) => {}
            Node::Call(sym, args) => call(g, sym, args, &mut known),
        }
        known
    }

    fn merge(&mut self, a: &mut Known, b: Known) -> DidMerge {
        let mut did = DidMerge(false, false);
        match (&a.constant, &b.constant) {
            (None, Some(_)) => {
                a.constant = b.constant;
                did.0 = true;
            }
            (Some(_), None) => did.1 = true,
            (Some(x), Some(y)) if x != y => self.contradiction = true,
            _ => {}
        }
        match (a.element, b.element) {
            (None, Some(_)) => {
                a.element = b.element;
                did.0 = true;
            }
            (Some(_), None) => did.1 = true,
            (Some(x), Some(y)) if x != y => self.contradiction |= self.guarded,
            _ => {}
        }
        let infinite = a.infinite.or(b.infinite);
        did.0 |= infinite != a.infinite;
        did.1 |= infinite != b.infinite;
        a.infinite = infinite;
        // What is an index in one way to write it is not to be acted on in another.
        let sort = match (a.sort, b.sort) {
            (Sort::Index, _) | (_, Sort::Index) => Sort::Index,
            (one, other) if one == other => one,
            _ => Sort::Either,
        };
        did.0 |= sort != a.sort;
        did.1 |= sort != b.sort;
        a.sort = sort;
        // Bool is the most, Other the least that can be known.
        let kind = match (a.kind, b.kind) {
            (Kind::Bool, _) | (_, Kind::Bool) => Kind::Bool,
            (Kind::Int, _) | (_, Kind::Int) => Kind::Int,
            _ => Kind::Other,
        };
        did.0 |= kind != a.kind;
        did.1 |= kind != b.kind;
        a.kind = kind;
        let flags = [
            (&mut a.missing, b.missing, false),
            (&mut a.total, b.total, true),
            // Two that are one are of one type, though a literal does not say so.
            (&mut a.wraps, b.wraps, true),
        ];
        for (x, y, better) in flags {
            if *x != y {
                did.0 |= *x != better;
                did.1 |= y != better;
                *x = better;
            }
        }
        let range = match (a.range, b.range) {
            // An empty intersection is code that cannot be reached; claim nothing about it.
            (Some(x), Some(y)) => {
                Some((x.0.max(y.0), x.1.min(y.1))).filter(|r| r.0 <= r.1).or(Some(x))
            }
            (x, y) => x.or(y),
        };
        did.0 |= range != a.range;
        did.1 |= range != b.range;
        a.range = range;
        for (x, y) in [(&mut a.free, &b.free), (&mut a.reads, &b.reads), (&mut a.writes, &b.writes)]
        {
            if x != y {
                let (changed, differs) = x.intersect(y);
                did.0 |= changed;
                did.1 |= differs;
            }
        }
        did
    }

    fn modify(g: &mut EGraph<Node, Self>, id: Id) {
        let class = &mut g[id];
        // What does nothing needs no second way to be written, and statements found to do nothing
        // would else be nested in each other without end.
        if class.nodes.len() > 1 && class.nodes.iter().any(|n| n.as_call(&Sym::PASS).is_some()) {
            class.nodes.retain(|n| n.as_call(&Sym::PASS).is_some());
        }
        let Some(constant) = &class.data.constant else {
            return;
        };
        // Nor does a literal: nothing is written shorter.
        let lit = Node::Lit(constant.clone());
        let mut id = id;
        if !class.nodes.contains(&lit) {
            let lit = g.add(lit);
            g.union(id, lit);
            id = g.find(id);
        }
        g[id].nodes.retain(|n| matches!(n, Node::Lit(_) | Node::Leaf(_)));
    }
}

fn call(g: &EGraph<Node, Leaves>, sym: &Sym, args: &[Id], known: &mut Known) {
    for arg in args {
        let data = &g[*arg].data;
        known.free.union(&data.free);
        known.reads.union(&data.reads);
        known.writes.union(&data.writes);
        known.total &= data.total;
        known.missing |= data.missing;
    }
    if *sym == Sym::COALESCE {
        known.missing = args.iter().all(|a| g[*a].data.missing);
    }
    if sym.is_structure() {
        structure(g, sym, args, known);
        return;
    }
    let at = |i: usize| &g[args[i]].data;
    let all = |kind: Kind| args.iter().all(|a| g[*a].data.kind == kind);
    let exact = !args.is_empty() && args.iter().all(|a| g[*a].data.kind != Kind::Other);
    if sorted(sym) {
        let sorts = args.iter().map(|a| g[*a].data.sort);
        known.sort = sorts.fold(Sort::Either, Sort::with);
    }
    known.kind = match sym {
        &Sym::NOT | &Sym::BITAND | &Sym::BITOR | &Sym::BITXOR | &Sym::MIN | &Sym::MAX
            if all(Kind::Bool) =>
        {
            Kind::Bool
        }
        &Sym::IFELSE if args.len() == 3 => join(at(1).kind, at(2).kind),
        &Sym::COALESCE if !args.is_empty() => {
            args[1..].iter().fold(at(0).kind, |k, a| join(k, g[*a].data.kind))
        }
        _ if sym.is_predicate() => Kind::Bool,
        Sym::Op(Op::Cast(ty)) if exact && !ty.is_float() => Kind::Int,
        Sym::Op(Op::Fit(_) | Op::Own(_)) if exact => Kind::Int,
        Sym::Op(Op::As(ty)) if ty.is_integer() => Kind::Int,
        Sym::Op(op) if exact && op.keeps_whole() => Kind::Int,
        _ => Kind::Other,
    };
    // A number that is counted, and one that is converted, are of another type than what they are made of.
    known.wraps = match sym {
        _ if known.kind != Kind::Int => false,
        Sym::Op(Op::Cast(ty) | Op::Fit(ty) | Op::Own(ty) | Op::As(ty)) => *ty != Ty::Index,
        _ => args.iter().any(|a| g[*a].data.wraps),
    };
    known.total &= matches!(sym, Sym::Op(op) if op.row().effect == Effect::None);
    // Arithmetic of a narrow type overflows.
    known.total &= !(known.wraps && matches!(sym, Sym::Op(op) if op.is_arithmetic()));
    // What `missing` absorbs is the rules' affair.
    let absent = args.iter().any(|a| g[*a].data.constant == Some(Lit::Missing));
    if !absent && args.iter().all(|a| g[*a].data.constant.is_some()) {
        let lits: Vec<&Lit> = args.iter().filter_map(|a| g[*a].data.constant.as_ref()).collect();
        known.constant = fold(sym, &lits);
    }
    known.range = match known.kind {
        Kind::Bool => Some((0, 1)),
        Kind::Int => match sym {
            // It is cut to what the type has.
            Sym::Op(Op::As(ty)) => ty.limits(),
            _ if exact => range(g, sym, args),
            _ => None,
        },
        _ => None,
    };
    if !absent && known.constant.is_none() && args.len() == 2 && sym.is_predicate() {
        known.constant = decided(sym, at(0), at(1)).map(Lit::Bool);
    }
    if let Some(Lit::Int(n)) = known.constant {
        known.range = Some((n, n));
    }
    known.infinite = match &known.constant {
        Some(lit) => Infinite::of(lit),
        None => infinite(g, sym, args),
    };
    if known.constant.is_some() {
        known.free = Set::default();
        known.reads = Set::default();
        known.total = true;
    }
}

/// Infinity and anything is infinity, or NaN.
fn infinite(g: &EGraph<Node, Leaves>, sym: &Sym, args: &[Id]) -> Infinite {
    let of = |id: &Id| g[*id].data.infinite;
    match (sym, args) {
        (&Sym::ADD, _) => args.iter().map(of).fold(Infinite::default(), Infinite::or),
        (&Sym::SUB, [a, b]) => of(a).or(of(b).negated()),
        (&Sym::NEG, [a]) => of(a).negated(),
        _ => Infinite::default(),
    }
}

/// Whether what it gives is made of what its arguments are: whole numbers stay such in integers.
pub fn sorted(sym: &Sym) -> bool {
    match sym {
        Sym::Form(_) => true,
        Sym::Own(..) => false,
        Sym::Op(Op::As(_)) => false,
        Sym::Op(Op::Cast(ty) | Op::Fit(ty) | Op::Own(ty)) => !ty.is_float(),
        Sym::Op(Op::Index | Op::During | Op::CeilDiv | Op::Usize | Op::Range | Op::WrappingMul) => {
            true
        }
        Sym::Op(op) => op.keeps_whole(),
    }
}

fn join(a: Kind, b: Kind) -> Kind {
    if a == b {
        a
    } else {
        // A bool and an integer: which of the two comes out is not known to be a bool.
        match (a, b) {
            (Kind::Other, _) | (_, Kind::Other) => Kind::Other,
            _ => Kind::Int,
        }
    }
}

/// Facts about statements, and about loads.
fn structure(g: &EGraph<Node, Leaves>, sym: &Sym, args: &[Id], known: &mut Known) {
    let binder = |id: Id| {
        g[id].nodes.iter().find_map(|n| match n {
            Node::Leaf(Leaf::Var(v) | Leaf::Parallel(v)) => Some(v.0),
            _ => None,
        })
    };
    known.missing = false;
    match (sym, args) {
        (&Sym::LOAD, [array, index]) => {
            known.missing = g[*array].data.missing || g[*index].data.missing;
            known.kind = g[*array].data.kind;
            known.wraps = g[*array].data.wraps;
            known.range = g[*array].data.range;
            known.sort = g[*array].data.sort;
            known.total = false;
            let number = |id: &Id| {
                g[*id].nodes.iter().find_map(|n| match n {
                    Node::Leaf(Leaf::Array(ArrayId(n)) | Leaf::Raw(RawId(n))) => Some(*n),
                    _ => None,
                })
            };
            if let (Some(array), Some(at), true) =
                (number(array), number(index), g[*index].data.sort == Sort::Index)
            {
                known.element = Some(Source::Of(array, at));
            }
        }
        // That an overwritten target counts as read too is merely cautious.
        (&Sym::ASSIGN, [_, target, _]) => {
            for place in g[*target].nodes.iter() {
                match place {
                    Node::Leaf(Leaf::Var(v)) => known.writes.insert(v.0),
                    Node::Leaf(Leaf::Access(a)) => known.writes.insert(a.0),
                    Node::Call(Sym::LOAD, args) => known.writes.union(&g[args[0]].data.reads),
                    _ => {}
                }
            }
        }
        // Names are unique, so taking the bound one away from bounds and value as well is no loss.
        (&Sym::LOOP | &Sym::LET, [name, ..]) => {
            if let Some(v) = binder(*name) {
                known.free.remove(v);
                known.reads.remove(v);
            }
        }
        _ => {}
    }
}

fn bounded(n: i128) -> Option<i128> {
    (n != i128::MIN && n != i128::MAX).then_some(n)
}

/// `a` and `b` combined by a checked operation, or `none` if either is unbounded.
fn end(a: i128, b: i128, none: i128, f: fn(i128, i128) -> Option<i128>) -> i128 {
    match (bounded(a), bounded(b)) {
        (Some(a), Some(b)) => f(a, b).unwrap_or(none),
        _ => none,
    }
}

fn range(g: &EGraph<Node, Leaves>, sym: &Sym, args: &[Id]) -> Option<Range> {
    let mut ranges = args.iter().map(|a| g[*a].data.range.unwrap_or((i128::MIN, i128::MAX)));
    let first = ranges.next()?;
    // What a type of so many bits bounds may wrap or panic in arithmetic, and says nothing of the result.
    let wraps = args.iter().any(|a| g[*a].data.wraps);
    if matches!(*sym, Sym::ADD | Sym::SUB | Sym::NEG | Sym::MUL) && wraps {
        return None;
    }
    let found = match *sym {
        Sym::ADD => ranges.fold(first, |a, b| {
            (
                end(a.0, b.0, i128::MIN, i128::checked_add),
                end(a.1, b.1, i128::MAX, i128::checked_add),
            )
        }),
        Sym::SUB => {
            let b = ranges.next()?;
            (
                end(first.0, b.1, i128::MIN, i128::checked_sub),
                end(first.1, b.0, i128::MAX, i128::checked_sub),
            )
        }
        Sym::NEG => {
            (bounded(first.1).map_or(i128::MIN, |n| -n), bounded(first.0).map_or(i128::MAX, |n| -n))
        }
        Sym::MUL => ranges.fold(first, |a, b| match (a.0 >= 0, b.0 >= 0) {
            (true, true) => {
                (end(a.0, b.0, 0, i128::checked_mul), end(a.1, b.1, i128::MAX, i128::checked_mul))
            }
            _ => (i128::MIN, i128::MAX),
        }),
        Sym::MIN => ranges.fold(first, |a, b| (a.0.min(b.0), a.1.min(b.1))),
        Sym::MAX => ranges.fold(first, |a, b| (a.0.max(b.0), a.1.max(b.1))),
        // Rust's `/` and `%` on what is not negative; a zero divisor has no value to bound.
        Sym::DIV => {
            let b = ranges.next()?;
            if first.0 < 0 || b.0 < 0 {
                return None;
            }
            (0, first.1)
        }
        Sym::REM => {
            let b = ranges.next()?;
            if first.0 < 0 || b.0 < 0 {
                return None;
            }
            (0, first.1.min(bounded(b.1).map_or(i128::MAX, |n| (n - 1).max(0))))
        }
        _ => return None,
    };
    Some(found)
}

/// A comparison the ranges of its sides decide.
fn decided(sym: &Sym, a: &Known, b: &Known) -> Option<bool> {
    // What is compared with a missing value is missing itself.
    let (a, b) = match a.missing || b.missing {
        true => return None,
        false => (a.range?, b.range?),
    };
    let less = a.1 < b.0;
    let at_most = a.1 <= b.0 && bounded(a.1).is_some() && bounded(b.0).is_some();
    let more = a.0 > b.1;
    let at_least = a.0 >= b.1 && bounded(a.0).is_some() && bounded(b.1).is_some();
    let apart = less || more;
    match *sym {
        Sym::LT => less.then_some(true).or(at_least.then_some(false)),
        Sym::LE => at_most.then_some(true).or(more.then_some(false)),
        Sym::GT => more.then_some(true).or(at_most.then_some(false)),
        Sym::GE => at_least.then_some(true).or(less.then_some(false)),
        Sym::EQ => apart.then_some(false),
        Sym::NE => apart.then_some(true),
        _ => None,
    }
}
