//! Normal forms of n-ary operators: what other systems get from associativity and commutativity.
//!
//! Blanket rules for those two cost thousands of nodes on one small term, so the operators hold a
//! flattened list instead, sorted, with literals folded into one and repeats of idempotent operators
//! dropped. Sums of integers are affine forms: like terms are collected, which is what index
//! arithmetic needs. Sums and products that may be of floats, or of integers that overflow, stay binary and
//! in source order, as reassociating them would change results; only the two sides of one are sorted. `and` and `or`
//! are not sorted either: a guard must stay in front of what it guards.

use super::facts::Kind;
use super::fold::{common, fold, number};
use super::graph::Graph;
use super::language::{Node, Sym};
use crate::cin::Lit;
use egg::Id;

/// Adds `sym` applied to `args` in normal form. `None` if there is no such term (`min` of nothing).
pub fn build(g: &mut Graph, sym: &Sym, args: &[Id]) -> Option<Id> {
    let arithmetic = matches!(sym, &Sym::ADD | &Sym::MUL);
    if arithmetic && !args.iter().all(|a| g.is_unlimited(*a)) {
        return binary(g, sym, args);
    }
    let mut flat = Vec::with_capacity(args.len());
    for a in args {
        flatten(g, sym, *a, arithmetic, 3, &mut flat);
    }
    let mut args = flat;
    if *sym == Sym::ADD {
        return Some(sum(g, &args));
    }
    fold_literals(g, sym, &mut args, arithmetic);
    if sym.is_commutative() && !matches!(sym, &Sym::AND | &Sym::OR) {
        args.sort_unstable();
    }
    if sym.is_idempotent() && sym.is_commutative() {
        let mut seen = Vec::with_capacity(args.len());
        args.retain(|a| {
            let new = !seen.contains(a);
            seen.push(*a);
            new
        });
    }
    match (sym, &args[..]) {
        (_, [only]) if !arithmetic || g[*only].kind != Kind::Bool => Some(*only),
        (&Sym::MUL, []) => Some(g.lit(Lit::Int(1))),
        (&Sym::AND, []) => Some(g.lit(Lit::Bool(true))),
        (&Sym::OR, []) => Some(g.lit(Lit::Bool(false))),
        (_, []) => None,
        (&Sym::MUL, [bool]) => {
            let one = g.lit(Lit::Int(1));
            Some(g.raw_call(sym, vec![one, *bool]))
        }
        _ => Some(g.raw_call(sym, args)),
    }
}

/// Sums and products of floats, and of integers that overflow: `((a + b) + c)`, each pair sorted.
fn binary(g: &mut Graph, sym: &Sym, args: &[Id]) -> Option<Id> {
    let (first, rest) = args.split_first()?;
    let mut left = *first;
    for right in rest {
        // Of what is left so far, a part may be of integers only.
        left = if g.is_unlimited(left) && g.is_unlimited(*right) {
            build(g, sym, &[left, *right])?
        } else {
            let mut pair = vec![as_number(g, left), as_number(g, *right)];
            pair.sort_unstable();
            g.raw_call(sym, pair)
        };
    }
    Some(left)
}

/// A literal bool in arithmetic is 0 or 1.
fn as_number(g: &mut Graph, id: Id) -> Id {
    match &g[id].constant {
        Some(Lit::Bool(b)) => {
            let n = Lit::Int(i128::from(*b));
            g.lit(n)
        }
        _ => id,
    }
}

/// Appends the arguments `id` stands for below `sym`. A class that is a leaf stands for itself; one
/// that contains itself must not be opened for ever, hence `depth`.
fn flatten(g: &Graph, sym: &Sym, id: Id, exact: bool, depth: u32, out: &mut Vec<Id>) {
    let id = g.find(id);
    if depth > 0 && (!exact || g.is_unlimited(id)) && g[id].constant.is_none() {
        if let Some(args) = opened(g, sym, id) {
            for a in args.iter() {
                flatten(g, sym, *a, exact, depth - 1, out);
            }
            return;
        }
    }
    out.push(id);
}

/// The arguments of a node `sym` in the class, unless the class is a leaf or the node contains it.
fn opened<'a>(g: &'a Graph, sym: &Sym, id: Id) -> Option<&'a [Id]> {
    let nodes = g.nodes(id);
    if nodes.iter().any(|n| matches!(n, Node::Leaf(_) | Node::Lit(_))) {
        return None;
    }
    let args = nodes.iter().find_map(|n| n.as_call(sym))?;
    (!args.iter().any(|a| g.find(*a) == id)).then_some(args)
}

/// Replaces the literals among `args` by one, if they fold.
fn fold_literals(g: &mut Graph, sym: &Sym, args: &mut Vec<Id>, arithmetic: bool) {
    let constants: Vec<Lit> = args
        .iter()
        .filter_map(|a| {
            g[*a].constant.as_ref().map(|c| if arithmetic { number(c) } else { Some(c.clone()) })
        })
        .flatten()
        .collect();
    if constants.is_empty() || (constants.len() == 1 && !arithmetic) {
        return;
    }
    let folded = match &constants[..] {
        [one] => Some(one.clone()),
        several => fold(sym, &several.iter().collect::<Vec<_>>()),
    };
    if let Some(lit) = folded {
        // In place of the first, which matters where order does.
        let first = args.iter().position(|a| g[*a].constant.is_some()).unwrap_or(0);
        args.retain(|a| g[*a].constant.is_none());
        let lit = g.lit(lit);
        args.insert(first, lit);
    }
}

/// An integer times a class.
type Term = (i128, Id);

/// A sum of integers as an affine form. If a multiplied sum has to be expanded for terms to cancel,
/// the expanded form is added as another way to write the same, as it may well be longer.
fn sum(g: &mut Graph, args: &[Id]) -> Id {
    let mut terms = Vec::with_capacity(args.len());
    let mut constant = 0;
    let mut plain = true;
    // Of literals alone, which may be floats, only what every type has is folded.
    let literals = args.iter().all(|a| g[*a].constant.is_some());
    let mut fits = true;
    for a in args {
        fits &= collect(g, *a, 1, 0, &mut plain, &mut terms, &mut constant);
    }
    fits &= !literals || common(constant);
    let shown = if fits { assemble(g, &terms, constant) } else { None };
    let shown = shown.unwrap_or_else(|| {
        let mut args = args.to_vec();
        args.sort_unstable();
        g.raw_call(&Sym::ADD, args)
    });
    if !plain {
        let (mut terms, mut constant, mut plain) = (vec![], 0, true);
        if args.iter().all(|a| collect(g, *a, 1, 3, &mut plain, &mut terms, &mut constant)) {
            if let Some(expanded) = assemble(g, &terms, constant) {
                g.union(shown, expanded);
            }
        }
    }
    shown
}

/// Adds `scale * id` to `terms` and `constant`, looking through negation and literal factors, and
/// through sums below those while `depth` lasts (else `plain` is cleared); false on overflow.
fn collect(
    g: &mut Graph,
    id: Id,
    scale: i128,
    depth: u32,
    plain: &mut bool,
    terms: &mut Vec<Term>,
    constant: &mut i128,
) -> bool {
    let (factor, id) = coefficient(g, id);
    let Some(scale) = scale.checked_mul(factor) else {
        return false;
    };
    let value = g[id].constant.as_ref().and_then(number);
    if let Some(Lit::Int(n)) = value {
        let sum = n.checked_mul(scale).and_then(|n| constant.checked_add(n));
        *constant = sum.unwrap_or_default();
        return sum.is_some();
    }
    if let Some(args) = opened(g, &Sym::ADD, id).filter(|_| g.is_unlimited(id)) {
        if depth > 0 {
            let args = args.to_vec();
            return args.iter().all(|a| collect(g, *a, scale, depth - 1, plain, terms, constant));
        }
        *plain = false;
    }
    match terms.iter_mut().find(|t| t.1 == id) {
        Some(term) => match term.0.checked_add(scale) {
            Some(n) => term.0 = n,
            None => return false,
        },
        None => terms.push((scale, id)),
    }
    true
}

/// The class as a literal integer times another class.
fn coefficient(g: &mut Graph, id: Id) -> Term {
    let id = g.find(id);
    if g[id].constant.is_some() || !g.is_unlimited(id) {
        return (1, id);
    }
    if let Some(&[inner]) = opened(g, &Sym::NEG, id) {
        let (n, inner) = coefficient_of_product(g, inner);
        return n.checked_neg().map_or((1, id), |n| (n, inner));
    }
    coefficient_of_product(g, id)
}

fn coefficient_of_product(g: &mut Graph, id: Id) -> Term {
    let id = g.find(id);
    let Some(args) = opened(g, &Sym::MUL, id) else {
        return (1, id);
    };
    let literal = args.iter().enumerate().find_map(|(k, a)| match g[*a].constant {
        Some(Lit::Int(n)) if n != 0 => Some((n, k)),
        _ => None,
    });
    let Some((n, at)) = literal else {
        return (1, id);
    };
    // The same literal may be there twice, if the product of both is too large for one.
    let mut rest = args.to_vec();
    rest.remove(at);
    match build(g, &Sym::MUL, &rest) {
        // `1 * bool` is a number and not that bool.
        Some(rest) if g.find(rest) != id => (n, g.find(rest)),
        _ => (1, id),
    }
}

/// The sum the terms stand for, if it can be written.
fn assemble(g: &mut Graph, terms: &[Term], constant: i128) -> Option<Id> {
    let mut args = Vec::with_capacity(terms.len() + 1);
    let lone = terms.iter().filter(|t| t.0 != 0).count() + usize::from(constant != 0) == 1;
    for (n, id) in terms {
        args.push(match n {
            0 => continue,
            1 if lone && g[*id].kind == Kind::Bool => build(g, &Sym::MUL, &[*id])?,
            1 => *id,
            -1 => g.raw_call(&Sym::NEG, vec![*id]),
            n => {
                let n = g.lit(Lit::Int(*n));
                build(g, &Sym::MUL, &[n, *id])?
            }
        });
    }
    if constant != 0 || args.is_empty() {
        args.push(g.lit(Lit::Int(constant)));
    }
    if let [only] = args[..] {
        return Some(only);
    }
    args.sort_unstable();
    Some(g.raw_call(&Sym::ADD, args))
}
