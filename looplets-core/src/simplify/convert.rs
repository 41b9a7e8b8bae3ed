//! From terms to the e-graph, losslessly.

use super::graph::Graph;
use super::language::{Leaf, Node, Sym};
use crate::cin::{Expr, Op, Stmt, VarId};
use egg::Id;

/// Adds an expression.
pub fn add_expr(g: &mut Graph, e: &Expr) -> Id {
    match e {
        Expr::Lit(lit) => g.lit(lit.clone()),
        Expr::Var(v) => g.atom(Leaf::Var(*v)),
        Expr::Array(a) => g.atom(Leaf::Array(*a)),
        Expr::Access(a) => g.atom(Leaf::Access(*a)),
        Expr::Raw(r) => g.atom(Leaf::Raw(*r)),
        Expr::Load(array, index) => {
            let array = g.atom(Leaf::Array(*array));
            let index = add_expr(g, index);
            g.raw_call(&Sym::LOAD, vec![array, index])
        }
        Expr::Call(op, args) => {
            let sym = g.symbol(op);
            let args: Vec<Id> = args.iter().map(|a| add_expr(g, a)).collect();
            match g.call(&sym, args.clone()) {
                Some(id) => id,
                None => g.raw_call(&sym, args),
            }
        }
    }
}

/// Adds a statement.
pub fn add_stmt(g: &mut Graph, s: &Stmt) -> Id {
    let (sym, args) = match s {
        Stmt::Loop { index, parallel, lo, hi, body } => {
            let index = match parallel {
                true => g.atom(Leaf::Parallel(*index)),
                false => var(g, *index),
            };
            (Sym::LOOP, vec![index, add_expr(g, lo), add_expr(g, hi), add_stmt(g, body)])
        }
        Stmt::Assign { target, op, value } => {
            (Sym::ASSIGN, vec![operator(g, op), add_expr(g, target), add_expr(g, value)])
        }
        Stmt::Sieve { cond, then, otherwise } => {
            (Sym::SIEVE, vec![add_expr(g, cond), add_stmt(g, then), add_stmt(g, otherwise)])
        }
        Stmt::Seq(all) => {
            let all = all.iter().map(|s| add_stmt(g, s)).collect();
            return g.raw_call(&Sym::SEQ, all);
        }
        Stmt::Where { consumer, producer, local } => {
            let (consumer, producer) = (add_stmt(g, consumer), add_stmt(g, producer));
            let locals = g.atom(Leaf::Locals(local.clone().into_boxed_slice()));
            (Sym::WHERE, vec![consumer, producer, locals])
        }
        Stmt::Let { var: v, value, body } => {
            (Sym::LET, vec![var(g, *v), add_expr(g, value), add_stmt(g, body)])
        }
        Stmt::Pass => (Sym::PASS, vec![]),
    };
    match g.call(&sym, args) {
        Some(id) => id,
        None => unreachable!("statements always have a normal form"),
    }
}

fn var(g: &mut Graph, v: VarId) -> Id {
    g.atom(Leaf::Var(v))
}

fn operator(g: &mut Graph, op: &Option<Op>) -> Id {
    let sym = op.as_ref().map_or(Sym::SET, |op| g.symbol(op));
    g.atom(Leaf::Op(sym))
}

/// The places of a class an assignment may name: a leaf, or a load.
pub fn is_place(node: &Node) -> bool {
    match node {
        Node::Leaf(Leaf::Var(_) | Leaf::Access(_)) => true,
        Node::Call(sym, _) => *sym == Sym::LOAD,
        _ => false,
    }
}
