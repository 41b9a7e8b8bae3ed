//! The standard rewrite rules: Looplets Figure 5 and what it takes to use it, one table a family.
//!
//! `README.md` has the house rules for rules and says what each family does to NaN, Inf and -0.
//! The tables use nothing a third party could not use: see [`looplets_core::simplify::family`].

use looplets_core::simplify::{Rule, RuleSet};
use std::sync::OnceLock;

pub mod annihilate;
pub mod arithmetic;
pub mod boolean;
pub mod bounds;
pub mod compare;
pub mod conditions;
pub mod control;
pub mod functions;
pub mod laws;
pub mod minmax;
pub mod nan;
pub mod reduce;

/// The rules of all families, by family.
pub fn all() -> Vec<Rule> {
    [
        arithmetic::rules(),
        annihilate::rules(),
        minmax::rules(),
        nan::rules(),
        compare::rules(),
        boolean::rules(),
        control::rules(),
        reduce::rules(),
        bounds::rules(),
        functions::rules(),
    ]
    .concat()
}

/// The standard rules, parsed once per process.
pub fn standard() -> RuleSet {
    static RULES: OnceLock<RuleSet> = OnceLock::new();
    RULES
        .get_or_init(|| match RuleSet::new(all()) {
            Ok(rules) => rules.with_conditions(conditions::ALL).with_lawyer(laws::rules),
            // The tables are part of this crate and its tests parse them.
            Err(error) => panic!("standard rules: {error}"),
        })
        .clone()
}
