//! The e-graph as rules and conditions see it: facts about classes, and terms added in normal form.

use super::analysis::{Known, Leaves};
use super::facts::Kind;
use super::language::{Leaf, Node, Operators, Sym};
use super::nary;
use crate::cin::{Lit, Op};
use egg::{EGraph, Id};
use std::ops::Index;
use std::sync::Arc;

/// An e-graph over [`Node`].
pub struct Graph {
    egraph: EGraph<Node, Leaves>,
    operators: Arc<Operators>,
    /// How often two classes became one.
    pub(super) unions: usize,
}

impl Index<Id> for Graph {
    type Output = Known;
    fn index(&self, id: Id) -> &Known {
        &self.egraph[id].data
    }
}

impl Graph {
    pub(super) fn new(leaves: Leaves, operators: Arc<Operators>) -> Graph {
        Graph { egraph: EGraph::new(leaves), operators, unions: 0 }
    }
    /// The symbol of an operator of a term.
    pub fn symbol(&self, op: &Op) -> Sym {
        Sym::of(op, &self.operators)
    }
    /// The class of `id` now.
    pub fn find(&self, id: Id) -> Id {
        self.egraph.find(id)
    }
    /// Whether two ids are of one class.
    pub fn same(&self, a: Id, b: Id) -> bool {
        self.find(a) == self.find(b)
    }
    /// All classes, in the order they came about.
    pub fn classes(&self) -> impl Iterator<Item = Id> + '_ {
        self.egraph.classes().map(|c| c.id)
    }
    /// The ways to write a class.
    pub fn nodes(&self, id: Id) -> &[Node] {
        &self.egraph[id].nodes
    }
    /// The arguments of the calls of `sym` in a class.
    pub fn calls<'a>(&'a self, id: Id, sym: &'a Sym) -> impl Iterator<Item = &'a [Id]> + 'a {
        self.nodes(id).iter().filter_map(move |n| n.as_call(sym))
    }
    /// Number of nodes in all classes.
    pub fn size(&self) -> usize {
        self.egraph.total_size()
    }
    /// The class of a literal, if the graph has it.
    pub(super) fn has(&self, node: &Node) -> bool {
        self.egraph.lookup(node.clone()).is_some()
    }
    /// Whether reordering and cancelling a class in sums changes no result: it is known to be an
    /// integer or a bool, and never `missing`.
    pub fn is_exact(&self, id: Id) -> bool {
        let known = &self[id];
        known.kind != Kind::Other && !known.missing
    }
    /// Whether the order of a sum or product of it can be changed, and like terms of it collected: it is
    /// exact, and wraps nowhere on the way.
    pub fn is_unlimited(&self, id: Id) -> bool {
        self.is_exact(id) && !self[id].wraps
    }
    /// Whether two leaves, by number, may be one place, of which one is written.
    pub fn overlap(&self, a: u32, b: u32) -> bool {
        let table = &self.egraph.analysis.table;
        a == b || table[a as usize].overlaps(&table[b as usize])
    }
    /// The facts of a leaf, by number.
    pub fn leaf(&self, n: u32) -> &super::facts::LeafFact {
        &self.egraph.analysis.table[n as usize]
    }
    /// The variable a class is, if it is one.
    pub fn variable(&self, id: Id) -> Option<u32> {
        self.nodes(id).iter().find_map(|n| match n {
            Node::Leaf(Leaf::Var(v) | Leaf::Parallel(v)) => Some(v.0),
            _ => None,
        })
    }
    /// The operator of an assignment a class is, if it is one.
    pub fn operator(&self, id: Id) -> Option<&Sym> {
        self.nodes(id).iter().find_map(|n| match n {
            Node::Leaf(Leaf::Op(op)) => Some(op),
            _ => None,
        })
    }
    pub(super) fn contradiction(&self) -> bool {
        self.egraph.analysis.contradiction
    }
    pub(super) fn rebuild(&mut self) {
        self.egraph.rebuild();
    }
    pub(super) fn union(&mut self, a: Id, b: Id) -> bool {
        let changed = self.egraph.union(a, b);
        self.unions += usize::from(changed);
        changed
    }
    /// Adds a literal.
    pub fn lit(&mut self, lit: Lit) -> Id {
        self.egraph.add(Node::Lit(lit))
    }
    /// Adds an atom.
    pub fn atom(&mut self, leaf: Leaf) -> Id {
        self.egraph.add(Node::Leaf(leaf))
    }
    /// Adds a call as it stands.
    pub(super) fn raw_call(&mut self, sym: &Sym, args: Vec<Id>) -> Id {
        self.egraph.add(Node::Call(sym.clone(), args.into_boxed_slice()))
    }
    /// Adds a call in normal form; `None` if there is none (`min` of nothing).
    pub fn call(&mut self, sym: &Sym, mut args: Vec<Id>) -> Option<Id> {
        if sym.is_nary() {
            return nary::build(self, sym, &args);
        }
        if *sym == Sym::SEQ {
            // Else a statement that is known to be itself and `pass` could be flattened for ever.
            args.retain(|a| !self.nodes(*a).iter().any(|n| n.as_call(&Sym::PASS).is_some()));
            match args[..] {
                [] => return Some(self.raw_call(&Sym::PASS, vec![])),
                [only] => return Some(only),
                _ => {}
            }
        }
        // What is left once arithmetic is gone is a value of its type.
        if let (true, [only]) = (sym.is_fit(), &args[..]) {
            if self.is_value(*only) {
                return Some(*only);
            }
        }
        // One whose order counts for nothing but which is not held as a flattened list.
        if sym.is_commutative() && args.len() == 2 {
            args.sort_unstable();
        }
        Some(self.raw_call(sym, args))
    }
    /// Whether it is a variable, an element or a conversion, whatever else it is.
    fn is_value(&self, id: Id) -> bool {
        self.nodes(id).iter().any(|n| match n {
            Node::Leaf(_) => true,
            Node::Call(sym, _) => *sym == Sym::LOAD || sym.is_cast() || sym.is_fit(),
            Node::Lit(_) => false,
        })
    }
    /// Brings every n-ary node of a class to normal form again, now that more is known below it.
    pub(super) fn renormalise(&mut self, id: Id) {
        let fits = self.nodes(id).iter().find_map(|n| match n {
            Node::Call(sym, args) if sym.is_fit() => Some(args[0]),
            _ => None,
        });
        if let Some(inner) = fits.filter(|inner| self.is_value(*inner)) {
            self.union(id, inner);
        }
        let nary: Vec<(Sym, Vec<Id>)> = self
            .nodes(id)
            .iter()
            .filter_map(|n| match n {
                Node::Call(sym, args) if sym.is_nary() => Some((sym.clone(), args.to_vec())),
                _ => None,
            })
            .collect();
        for (sym, args) in nary {
            if let Some(normal) = nary::build(self, &sym, &args) {
                self.union(id, normal);
            }
        }
    }
}
