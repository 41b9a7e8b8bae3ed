//! The facts behind the prover: terms as nodes of the difference graph, with undoable scopes.

use super::affine::{canonical, Affine};
use super::difference::{Differences, Mark, Node, ZERO};
use super::quotient::{Product, Quotient};
use super::sums::{difference, is_difference, primitive, Composite, Relation, Terms};
use crate::cin::{Expr, Op};
use std::collections::HashMap;

/// Constants beyond this are not represented; facts about them are dropped.
const CONSTANT_LIMIT: i128 = 1 << 58;
const UNSEEN: Node = Node::MAX;

/// A node equal to the least (or greatest) of `part + offset`.
pub struct Choice {
    /// The node of the value.
    pub node: Node,
    /// Whether it is the least of its parts, not the greatest.
    pub least: bool,
    /// Nodes and offsets.
    pub parts: Vec<(Node, i64)>,
    /// Not yet seen by the inference.
    pub pending: bool,
}

/// A linear inequality `form <= 0` as the graph sees it.
#[derive(Clone, Copy)]
pub enum Shape {
    /// It has no unknowns.
    Constant(bool),
    /// `x - y <= c`.
    Edge(Node, Node, i64),
    /// Out of range, or about a composite that no fact mentions.
    Unknown,
}

struct Scope {
    differences: Mark,
    interned: usize,
    composites: usize,
    relations: usize,
    choices: usize,
    quotients: usize,
    products: usize,
    distinct: usize,
    truths: usize,
}

/// Everything assumed so far.
pub struct Facts {
    /// What is known of pairs of nodes.
    pub differences: Differences,
    /// The longer sums that facts mention.
    pub composites: Vec<Composite>,
    /// How the longer sums relate.
    pub relations: Vec<Relation>,
    /// The minima and maxima that facts mention.
    pub choices: Vec<Choice>,
    /// The quotients and remainders that facts mention.
    pub quotients: Vec<Quotient>,
    /// The products that facts mention.
    pub products: Vec<Product>,
    /// `x - y != c`.
    pub distinct: Vec<(Node, Node, i64)>,
    /// Conditions that are no comparison, with their truth.
    pub truths: Vec<(Expr, bool)>,
    variables: Vec<Node>,
    atoms: HashMap<Expr, Node>,
    interned: Vec<Expr>,
    scopes: Vec<Scope>,
}

impl Facts {
    /// No facts.
    pub fn new() -> Facts {
        Facts {
            differences: Differences::new(),
            composites: Vec::new(),
            relations: Vec::new(),
            choices: Vec::new(),
            quotients: Vec::new(),
            products: Vec::new(),
            distinct: Vec::new(),
            truths: Vec::new(),
            variables: Vec::new(),
            atoms: HashMap::new(),
            interned: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(Scope {
            differences: self.differences.mark(),
            interned: self.interned.len(),
            composites: self.composites.len(),
            relations: self.relations.len(),
            choices: self.choices.len(),
            quotients: self.quotients.len(),
            products: self.products.len(),
            distinct: self.distinct.len(),
            truths: self.truths.len(),
        });
    }

    /// Closes the innermost scope, forgetting its facts and nodes.
    pub fn pop(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.differences.undo(scope.differences);
        for atom in self.interned.drain(scope.interned..) {
            match atom {
                Expr::Var(v) => self.variables[v.0 as usize] = UNSEEN,
                _ => drop(self.atoms.remove(&atom)),
            }
        }
        self.composites.truncate(scope.composites);
        self.relations.truncate(scope.relations);
        self.choices.truncate(scope.choices);
        self.quotients.truncate(scope.quotients);
        self.products.truncate(scope.products);
        self.distinct.truncate(scope.distinct);
        self.truths.truncate(scope.truths);
    }

    /// Runs `f` in a scope of its own.
    pub fn scoped<R>(&mut self, f: impl FnOnce(&mut Facts) -> R) -> R {
        self.push();
        let result = f(self);
        self.pop();
        result
    }

    /// Whether only differences are known, of which the closed graph is a complete theory.
    pub fn plain(&self) -> bool {
        self.composites.is_empty()
            && self.choices.is_empty()
            && self.distinct.is_empty()
            && self.quotients.is_empty()
            && self.products.is_empty()
    }

    /// The node of an atom, if facts mention it.
    pub fn known(&self, atom: &Expr) -> Option<Node> {
        match atom {
            Expr::Var(v) => self.variables.get(v.0 as usize).copied().filter(|n| *n != UNSEEN),
            _ => self.atoms.get(atom).copied(),
        }
    }

    /// The node of an atom. A `min` or `max` gets its definition asserted.
    pub fn node(&mut self, atom: &Expr) -> Node {
        if let Some(node) = self.known(atom) {
            return node;
        }
        let parts = match atom {
            Expr::Call(Op::Min | Op::Max, args) => {
                args.iter().map(|arg| self.part(&Affine::expanded(arg))).collect()
            }
            _ => Some(Vec::new()),
        };
        let node = self.differences.node();
        match atom {
            Expr::Var(v) => {
                let at = v.0 as usize;
                if at >= self.variables.len() {
                    self.variables.resize(at + 1, UNSEEN);
                }
                self.variables[at] = node;
            }
            _ => drop(self.atoms.insert(atom.clone(), node)),
        }
        self.interned.push(atom.clone());
        if let (Expr::Call(op, _), Some(parts)) = (atom, parts) {
            if !parts.is_empty() {
                let least = *op == Op::Min;
                for (part, c) in &parts {
                    match least {
                        true => self.differences.add(node, *part, *c),
                        false => self.differences.add(*part, node, -*c),
                    }
                }
                self.choices.push(Choice { node, least, parts, pending: true });
            }
        }
        self.define_atom(atom, node);
        node
    }

    /// `form` as a node and an offset; `None` if its numbers are out of range.
    pub fn part(&mut self, form: &Affine) -> Option<(Node, i64)> {
        let (terms, constant) = self.terms(form)?;
        let constant = i64::try_from(constant).ok()?;
        match &terms[..] {
            [] => return Some((ZERO, constant)),
            [(node, 1)] => return Some((*node, constant)),
            _ => {}
        }
        let (key, divisor, positive) = primitive(&terms);
        if divisor == 1 && positive && !is_difference(&key) {
            return Some((self.composite(key), constant));
        }
        // The graph has no node for a difference or a multiple: name one and say what it equals.
        let atom = canonical(&form.plus_constant(-form.offset())?.to_expr());
        let node = match self.known(&atom) {
            Some(node) => node,
            None => {
                let node = self.node(&atom);
                let mut equation = terms;
                equation.push((node, -1));
                self.assert_at_most(&equation, 0);
                let negated: Terms = equation.iter().map(|(n, c)| (*n, -c)).collect();
                self.assert_at_most(&negated, 0);
                node
            }
        };
        Some((node, constant))
    }

    /// `form` over nodes, each atom interned; `None` if its numbers are out of range.
    pub fn terms(&mut self, form: &Affine) -> Option<(Terms, i128)> {
        in_range(form)?;
        let mut terms = Terms::new();
        for (atom, c) in form.terms() {
            terms.push((self.node(atom), *c as i64));
        }
        terms.sort_unstable();
        Some((terms, form.offset()))
    }

    /// `form` over nodes if all its atoms are known.
    pub fn known_terms(&self, form: &Affine) -> Option<(Terms, i128)> {
        in_range(form)?;
        let mut terms = Terms::new();
        for (atom, c) in form.terms() {
            terms.push((self.known(atom)?, *c as i64));
        }
        terms.sort_unstable();
        Some((terms, form.offset()))
    }

    fn composite(&mut self, terms: Terms) -> Node {
        if let Some(known) = self.composites.iter().find(|c| c.terms == terms) {
            return known.node;
        }
        let node = self.differences.node();
        for other in &self.composites {
            for sign in [1, -1] {
                let pairs = [
                    (node, &terms, other.node, &other.terms),
                    (other.node, &other.terms, node, &terms),
                ];
                for (this, a, that, b) in pairs {
                    if let Some(rest) = difference(a, b, sign) {
                        self.relations.push(Relation { this, that, sign, rest, pending: true });
                    }
                }
            }
        }
        self.composites.push(Composite { node, terms, pending: true });
        node
    }

    /// `terms + constant <= 0` as an edge; a new composite is interned.
    pub fn shape(&mut self, terms: &Terms, constant: i128) -> Shape {
        match self.known_shape(terms, constant) {
            Shape::Unknown if terms.len() > 1 => {
                let (key, ..) = primitive(terms);
                self.composite(key);
                self.known_shape(terms, constant)
            }
            shape => shape,
        }
    }

    /// `terms + constant <= 0` as an edge between nodes there are.
    pub fn known_shape(&self, terms: &Terms, constant: i128) -> Shape {
        if terms.is_empty() {
            return Shape::Constant(constant <= 0);
        }
        let (key, divisor, positive) = primitive(terms);
        // Over the integers d*z <= -k tightens to z <= floor(-k/d).
        let Ok(c) = i64::try_from((-constant).div_euclid(i128::from(divisor))) else {
            return Shape::Unknown;
        };
        let (x, y) = match &key[..] {
            [(x, 1)] => (*x, ZERO),
            [(x, 1), (y, -1)] => (*x, *y),
            _ => match self.composites.iter().find(|known| known.terms == key) {
                Some(known) => (known.node, ZERO),
                None => return Shape::Unknown,
            },
        };
        match positive {
            true => Shape::Edge(x, y, c),
            false => Shape::Edge(y, x, c),
        }
    }

    /// Asserts `terms + constant <= 0`, without drawing conclusions.
    pub fn assert_at_most(&mut self, terms: &Terms, constant: i128) {
        match self.shape(terms, constant) {
            Shape::Constant(true) | Shape::Unknown => {}
            Shape::Constant(false) => self.differences.contradict(),
            Shape::Edge(x, y, c) => self.differences.add(x, y, c),
        }
    }

    /// Asserts `form <= 0`, without drawing conclusions.
    pub fn assert_form(&mut self, form: &Affine) {
        if let Some((terms, constant)) = self.terms(form) {
            self.assert_at_most(&terms, constant);
        }
    }
}

fn in_range(form: &Affine) -> Option<()> {
    let fits = |n: i128| -CONSTANT_LIMIT < n && n < CONSTANT_LIMIT;
    (fits(form.offset()) && form.terms().iter().all(|(_, c)| fits(*c))).then_some(())
}
