//! The cheapest term of a class, and how it is written.
//!
//! Costs say what runs slower, roughly, and what reads worse. Ties go to the node that sorts first,
//! so the choice depends on nothing but the term.

use super::canon::Map;
use super::convert::is_place;
use super::graph::Graph;
use super::language::{Leaf, Node, Sym};
use crate::cin::{Expr, Lit, Op, Stmt, TensorId, VarId};
use egg::Id;

/// A loop is dearer than whatever a rule may put in its place.
const LOOP: u64 = 100_000;

/// The cost of a node whose children cost `args`, in quarters of a negation.
pub fn cost(sym: &Sym, args: &[u64]) -> u64 {
    let base = match sym {
        &Sym::PASS => return 0,
        &Sym::LOOP => {
            let [_, lo, hi, body] = args else {
                return u64::MAX;
            };
            return total(&[LOOP, *lo, *hi, body.saturating_mul(4)]);
        }
        &Sym::SIEVE => {
            let [cond, then, otherwise] = args else {
                return u64::MAX;
            };
            // One branch runs; the other is code to read and compile.
            let (more, less) = (then.max(otherwise), then.min(otherwise));
            return total(&[40, *cond, *more, less / 1024]);
        }
        &Sym::ASSIGN | &Sym::WHERE | &Sym::LET => 40,
        &Sym::SEQ => 4 * args.len() as u64,
        // A sign reads best in front of the whole product.
        &Sym::NEG => 4 - [16, 64, 256].iter().filter(|n| total(args) >= **n).count() as u64,
        &Sym::LOAD => 24,
        &Sym::SET => 0,
        Sym::Own(_, traits) => u64::from(traits.cost),
        Sym::Op(op) => {
            let row = op.row();
            let each = match op.is_nary() {
                true => args.len().max(2) as u64 - 1,
                false => 1,
            };
            // `x > 0` reads better than `0 < x`; nothing but a literal is this cheap.
            row.cost * each + u64::from(op.is_comparison() && args.first() == Some(&LITERAL))
        }
    };
    base.saturating_add(total(args))
}

const LITERAL: u64 = 4;

fn total(args: &[u64]) -> u64 {
    args.iter().fold(0, |a, b| a.saturating_add(*b))
}

fn leaf_cost(node: &Node) -> u64 {
    match node {
        Node::Lit(_) => LITERAL,
        Node::Leaf(Leaf::Op(Sym::SET)) => 0,
        Node::Leaf(Leaf::Op(_) | Leaf::Locals(_) | Leaf::Array(_)) => 5,
        Node::Leaf(Leaf::Var(_) | Leaf::Parallel(_)) => 8,
        _ => 16,
    }
}

/// The choice of a node for every class.
pub struct Extractor<'g> {
    g: &'g Graph,
    best: Map<Id, (u64, usize)>,
}

impl<'g> Extractor<'g> {
    /// Finds the cheapest node of every class.
    pub fn new(g: &'g Graph) -> Self {
        let mut best: Map<Id, (u64, usize)> = Map::default();
        let mut args = vec![];
        let mut changed = true;
        while changed {
            changed = false;
            for id in g.classes() {
                for (i, node) in g.nodes(id).iter().enumerate() {
                    let total = match node {
                        Node::Call(sym, children) => {
                            args.clear();
                            for c in children.iter() {
                                let Some((c, _)) = best.get(&g.find(*c)) else {
                                    break;
                                };
                                args.push(*c);
                            }
                            if args.len() < children.len() {
                                continue;
                            }
                            cost(sym, &args)
                        }
                        leaf => leaf_cost(leaf),
                    };
                    let old = best.get(&id);
                    if old.is_none_or(|(c, at)| total < *c || (total == *c && i < *at)) {
                        best.insert(id, (total, i));
                        changed = true;
                    }
                }
            }
        }
        Extractor { g, best }
    }

    fn node(&self, id: Id) -> &'g Node {
        let id = self.g.find(id);
        &self.g.nodes(id)[self.best[&id].1]
    }

    /// The cheapest expression of a class.
    pub fn expr(&self, id: Id) -> Expr {
        match self.node(id) {
            Node::Lit(lit) => Expr::Lit(lit.clone()),
            Node::Leaf(leaf) => leaf_expr(leaf),
            Node::Call(sym, args) => self.call(sym, args),
        }
    }

    fn call(&self, sym: &Sym, args: &[Id]) -> Expr {
        if *sym == Sym::LOAD {
            return match leaf_expr_of(self.g, args[0]) {
                Some(Expr::Array(a)) => Expr::Load(a, Box::new(self.expr(args[1]))),
                _ => unreachable!("a load's first argument is an array"),
            };
        }
        let mut out: Vec<Expr> = args.iter().map(|a| self.expr(*a)).collect();
        let floats = !args.iter().all(|a| self.g.is_exact(*a));
        if sym.is_nary() && sym.is_commutative() && !matches!(sym, &Sym::AND | &Sym::OR) {
            let mut keyed: Vec<(u8, u32, Expr)> = out.into_iter().map(ordered).collect();
            keyed.sort();
            out = keyed.into_iter().map(|(.., e)| e).collect();
        }
        match *sym {
            Sym::ADD if args.iter().all(|a| self.g.is_unlimited(*a)) => shown_sum(out),
            Sym::ADD => ordered_sum(if floats { spliced(&Op::Add, out) } else { out }, floats),
            Sym::MUL => Expr::call(Op::Mul, if floats { spliced(&Op::Mul, out) } else { out }),
            _ => Expr::Call(sym.op().expect("a value's head is an operator"), out),
        }
    }

    /// The cheapest statement of a class.
    pub fn stmt(&self, id: Id) -> Stmt {
        let Node::Call(sym, args) = self.node(id) else { unreachable!("a statement is a call") };
        let sub = |i: usize| Box::new(self.stmt(args[i]));
        match *sym {
            Sym::LOOP => Stmt::Loop {
                index: self.var(args[0]),
                parallel: self.parallel(args[0]),
                lo: self.expr(args[1]),
                hi: self.expr(args[2]),
                body: sub(3),
            },
            Sym::ASSIGN => Stmt::Assign {
                op: match self.g.operator(args[0]) {
                    None | Some(&Sym::SET) => None,
                    Some(op) => op.op(),
                },
                target: self.place(args[1]),
                value: self.expr(args[2]),
            },
            Sym::SIEVE => Stmt::Sieve { cond: self.expr(args[0]), then: sub(1), otherwise: sub(2) },
            Sym::SEQ => Stmt::Seq(args.iter().map(|a| self.stmt(*a)).collect()),
            Sym::WHERE => Stmt::Where {
                consumer: sub(0),
                producer: sub(1),
                local: locals(self.g, args[2]).to_vec(),
            },
            Sym::LET => {
                Stmt::Let { var: self.var(args[0]), value: self.expr(args[1]), body: sub(2) }
            }
            _ => Stmt::Pass,
        }
    }

    fn var(&self, id: Id) -> VarId {
        VarId(self.g.variable(id).expect("a binder is a variable"))
    }

    fn parallel(&self, index: Id) -> bool {
        self.g.nodes(index).iter().any(|n| matches!(n, Node::Leaf(Leaf::Parallel(_))))
    }

    /// A target stays a place, whatever its value is known to equal.
    fn place(&self, id: Id) -> Expr {
        match self.g.nodes(id).iter().find(|n| is_place(n)) {
            Some(Node::Leaf(leaf)) => leaf_expr(leaf),
            Some(Node::Call(sym, args)) => self.call(sym, args),
            _ => self.expr(id),
        }
    }
}

/// The tensors local to a `where`.
pub fn locals(g: &Graph, id: Id) -> &[TensorId] {
    g.nodes(id)
        .iter()
        .find_map(|n| match n {
            Node::Leaf(Leaf::Locals(l)) => Some(&**l),
            _ => None,
        })
        .unwrap_or(&[])
}

fn leaf_expr(leaf: &Leaf) -> Expr {
    match leaf {
        Leaf::Var(v) | Leaf::Parallel(v) => Expr::Var(*v),
        Leaf::Array(a) => Expr::Array(*a),
        Leaf::Access(a) => Expr::Access(*a),
        Leaf::Raw(r) => Expr::Raw(*r),
        Leaf::Op(_) | Leaf::Locals(_) => unreachable!("no value"),
    }
}

fn leaf_expr_of(g: &Graph, id: Id) -> Option<Expr> {
    g.nodes(id).iter().find_map(|n| match n {
        Node::Leaf(leaf) => Some(leaf_expr(leaf)),
        _ => None,
    })
}

/// Arguments are written leaves first, in the order of their ids, and literals last.
fn ordered(e: Expr) -> (u8, u32, Expr) {
    let mut first = u32::MAX;
    e.walk(&mut |e| {
        let n = match e {
            Expr::Var(v) => v.0,
            Expr::Access(a) => a.0,
            Expr::Raw(r) => r.0,
            Expr::Load(a, _) | Expr::Array(a) => a.0,
            Expr::Lit(_) | Expr::Call(..) => return,
        };
        first = first.min(n);
    });
    let sort = match e {
        Expr::Lit(_) => 2,
        Expr::Call(..) => 1,
        _ => 0,
    };
    (sort, first, e)
}

/// `((a + b) + c)` as `a + b + c`, which is the same from left to right.
fn spliced(op: &Op, args: Vec<Expr>) -> Vec<Expr> {
    let is_same = |e: &Expr| matches!(e, Expr::Call(own, _) if own == op);
    let Some(at) = args.iter().position(is_same) else {
        return args;
    };
    let mut out = match &args[at] {
        Expr::Call(_, inner) => inner.clone(),
        _ => unreachable!(),
    };
    out.extend(args.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, e)| e.clone()));
    out
}

/// A sum of coordinates with its negative terms subtracted, after the others, so that what cannot be negative
/// as a whole is not negative on the way.
fn shown_sum(args: Vec<Expr>) -> Expr {
    let (mut plus, mut minus) = (vec![], vec![]);
    for arg in args {
        match negated(&arg) {
            Some(arg) => minus.push(arg),
            None => plus.push(arg),
        }
    }
    let one = |mut args: Vec<Expr>| match args.len() {
        1 => args.remove(0),
        _ => Expr::call(Op::Add, args),
    };
    if plus.is_empty() {
        return Expr::call(Op::Neg, [one(minus)]);
    }
    minus.into_iter().fold(one(plus), |left, right| Expr::call(Op::Sub, [left, right]))
}

/// A sum of numbers that round or overflow, from left to right: `-a - b` is not `-(a + b)`, which has another
/// sign where it is zero. Where only the second of the first two is not negative, the two change places.
fn ordered_sum(mut args: Vec<Expr>, floats: bool) -> Expr {
    // A product may fit where its negation does not.
    let negated = |e: &Expr| match e {
        Expr::Call(Op::Mul, _) if !floats => None,
        e => negated(e),
    };
    if args.len() > 1 && negated(&args[0]).is_some() && negated(&args[1]).is_none() {
        args.swap(0, 1);
    }
    let mut args = args.into_iter();
    let first = args.next().expect("a sum has terms");
    args.fold(first, |left, right| match (negated(&right), left) {
        (Some(right), left) => Expr::call(Op::Sub, [left, right]),
        (None, Expr::Call(Op::Add, mut terms)) if floats => {
            terms.push(right);
            Expr::Call(Op::Add, terms)
        }
        (None, left) => Expr::call(Op::Add, [left, right]),
    })
}

/// What `e` is the negation of, if it is written as one.
fn negated(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Lit(Lit::Int(n)) if *n < 0 => n.checked_neg().map(Expr::int),
        Expr::Call(op, args) if *op == Op::Neg && args.len() == 1 => Some(args[0].clone()),
        Expr::Call(op, args) if *op == Op::Mul && args.len() > 1 => match args.split_last() {
            Some((Expr::Lit(Lit::Int(n)), rest)) if *n < 0 => {
                let mut args = rest.to_vec();
                args.push(Expr::int(n.checked_neg()?));
                Some(Expr::Call(op.clone(), args))
            }
            _ => None,
        },
        _ => None,
    }
}
