//! Simplification of expressions and statements by rewriting, in one e-graph.
//!
//! Rules come from outside (the `rewrites` crate has the standard ones): a [`RuleSet`] of named,
//! directed rules over textual patterns, with named conditions on facts. This module has the
//! machine: the language, the facts of e-classes, the normal forms that stand in for associativity
//! and commutativity, matching, and a [`Simplifier`] with a memory.

mod analysis;
mod canon;
mod convert;
mod extract;
mod facts;
mod fold;
mod graph;
mod index_terms;
mod language;
mod law;
mod matcher;
mod nary;
mod pattern;
mod rule;
mod runner;
mod sorts;

pub use analysis::{Known, Range};
pub use egg::Id;
pub use extract::locals;
pub use facts::{Facts, Kind, LeafFact, NoFacts, Set, Sort};
pub use graph::Graph;
pub use language::{Leaf, Node, Operators, Sym, Total, Traits};
pub use law::{Law, Lawyer, Operator};
pub use matcher::Binding;
pub use rule::{condition, family, Condition, Rule, RuleError, RuleSet, Test, Text, STORED};
pub use runner::{Complaint, Limits, Simplifier, Statistics};
