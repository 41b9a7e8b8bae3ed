//! What a program promises to cost at most, held against what it costs: of each loop, of what it makes, in each of its ways.
//!
//! A promise is kept if each term of the cost is bounded by a term of it whatever sizes and entries are, but for constants. As
//! with all costs, entries are taken to lie anywhere, and what is done in one step, a search or a function, counts one.

use super::bound::Facts;
use super::cost::Cost;
use super::count::Count;
use super::Way;
use crate::ast::promise::{Bound, Promise};
use crate::ast::{Passing, Program};
use crate::diagnostics::{Diagnostics, Errors};
use proc_macro2::{Ident, Span};

/// How many terms of a cost are written out in a documentation.
const MOST_TERMS: usize = 12;

/// How many ways a documentation has the cost of.
const MOST_TOLD: usize = 3;

/// Whether `ways` keep what `program` promises.
pub fn check(program: &Program, ways: &[Way]) -> Result<(), Errors> {
    let Some(promise) = &program.promise else { return Ok(()) };
    let mut errors = Diagnostics::new();
    for (n, way) in ways.iter().enumerate() {
        let which = match ways.len() {
            1 => String::new(),
            _ => format!(", in way {} ({})", n + 1, way.chosen()),
        };
        match held(program, promise, &way.count, &which) {
            Ok(()) => {}
            Err(found) => {
                found.into_iter().for_each(|(span, message)| errors.error(span, message));
                break;
            }
        }
    }
    errors.check(())
}

type Found = Vec<(Span, String)>;

fn held(program: &Program, promise: &Promise, count: &Count, which: &str) -> Result<(), Found> {
    let mut errors = Vec::new();
    let by = cost(program, count, &promise.bound, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    if let Some((at, what)) = count.unknown.first() {
        return Err(vec![(*at, format!(
            "`#![cost(..)]` is not known to hold{which}: what this costs depends on {what}; leave the promise out, or write the program without it"))]);
    }
    let facts = Facts(&count.dims);
    let exceeds = |of: &Cost| !facts.bounded(of, &by);
    let promised = facts.leading(&[&by]);
    if let Some(each) = count.loops.iter().find(|l| exceeds(&l.steps)) {
        let (i, steps) = (&each.index, facts.leading(&[&each.steps]));
        let why = match &each.in_vain[..] {
            [] => String::new(),
            all => format!(": every `{i}` is visited, whatever {} for it", stores(all)),
        };
        let cure = match &each.in_vain[..] {
            [] => "go through something else",
            _ => "have nothing to do where nothing is stored (functions say so by `operator!`)",
        };
        return Err(vec![(each.span, format!(
            "the loop over `{i}` takes `{steps}` steps{which}, which is more than the promised `{promised}`{why}; {cure}, {}", settle(which, &steps)))]);
    }
    if let Some((name, places)) = count.made.iter().find(|(_, places)| exceeds(places)) {
        let places = facts.leading(&[places]);
        return Err(vec![(name.span(), format!(
            "`{name}` takes `{places}` steps{which} to be made, or to be gone through for what is removed, which is more than the promised `{promised}`; choose a format for it that stores less, {}", settle(which, &places)))]);
    }
    Ok(())
}

/// What else may be done than to cost less.
fn settle(which: &str, steps: &Cost) -> String {
    let way = if which.is_empty() { "" } else { "settle another way by `#![schedule(..)]`, " };
    format!("{way}or add `{steps}` to `#![cost(..)]`")
}

fn stores(tensors: &[String]) -> String {
    let names: Vec<String> = tensors.iter().map(|t| format!("`{t}`")).collect();
    let verb = if names.len() == 1 { "stores" } else { "store" };
    format!("{} {verb}", names.join(" and "))
}

/// `bound` as a cost, if all of its names mean something.
fn cost(program: &Program, count: &Count, bound: &Bound, errors: &mut Found) -> Cost {
    let mut all = |many: &[Bound]| -> Vec<Cost> {
        many.iter().map(|one| cost(program, count, one, errors)).collect()
    };
    match bound {
        Bound::Number => Cost::number(1.0),
        Bound::Sum(many) => all(many).iter().fold(Cost::zero(), |sum, one| sum.plus(one)),
        Bound::Product(many) => {
            all(many).iter().fold(Cost::number(1.0), |product, one| product.times(one))
        }
        Bound::Least(many) => Cost::least(all(many)),
        Bound::Quotient(above, below) => {
            let above = cost(program, count, above, errors);
            above.over(&cost(program, count, below, errors))
        }
        Bound::Len(index) => size(program, count, index).unwrap_or_else(|message| {
            errors.push((index.span(), message));
            Cost::zero()
        }),
        Bound::Stored(tensor) => entries(program, count, tensor).unwrap_or_else(|message| {
            errors.push((tensor.span(), message));
            Cost::zero()
        }),
    }
}

/// The size that `index` runs over.
fn size(program: &Program, count: &Count, index: &Ident) -> Result<Cost, String> {
    let mut sizes = count.indices.iter().filter(|(name, _)| index == name).map(|(_, size)| size);
    match (sizes.next(), sizes.next()) {
        (Some(one), None) => Ok(one.clone()),
        (Some(_), Some(_)) => Err(format!(
            "loops over `{index}` run over different sizes: give their indices names of their own"
        )),
        _ if named(program, index) => {
            Err(format!("`{index}` is no index: the entries of a tensor are `stored({index})`"))
        }
        _ => {
            let known = listed(count.indices.iter().map(|(name, _)| format!("`len({name})`")));
            Err(format!("no loop runs over `{index}`: the sizes here are {known}"))
        }
    }
}

/// The entries of `tensor`.
fn entries(program: &Program, count: &Count, tensor: &Ident) -> Result<Cost, String> {
    if let Some((_, entries)) = count.entries.iter().find(|(name, _)| tensor == name) {
        return Ok(entries.clone());
    }
    if program.outputs.iter().any(|o| o.name == *tensor) {
        return Err(format!(
            "what the result `{tensor}` will store is not known before: say it by what operands store"
        ));
    }
    if named(program, tensor) {
        return Err(format!("`{tensor}` is no tensor that the program reads"));
    }
    if count.indices.iter().any(|(name, _)| tensor == name) {
        return Err(format!("`{tensor}` is an index: what it runs over is `len({tensor})`"));
    }
    let inputs = program.params.iter().filter(|p| p.passing != Passing::Value);
    let inputs = inputs.filter(|p| count.entries.iter().any(|(name, _)| p.name == *name));
    let known = listed(inputs.map(|p| format!("`stored({})`", p.name)));
    Err(format!("no operand is called `{tensor}`: the entries here are {known}"))
}

fn named(program: &Program, name: &Ident) -> bool {
    program.params.iter().any(|p| p.name == *name)
        || program.outputs.iter().any(|o| o.name == *name)
}

fn listed(all: impl Iterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    all.for_each(|one| {
        if !different.contains(&one) {
            different.push(one);
        }
    });
    match different.is_empty() {
        true => "none".to_owned(),
        false => different.join(", "),
    }
}

/// What the documentation of a function says that `ways` cost: lines, each a part of one paragraph.
pub fn documented(ways: &[Way]) -> Vec<String> {
    let mut costs: Vec<String> = Vec::new();
    for way in ways.iter().take(MOST_TOLD) {
        let count = &way.count;
        if !count.unknown.is_empty() {
            return Vec::new();
        }
        let loops = count.loops.iter().map(|l| &l.steps);
        let all: Vec<&Cost> = loops.chain(count.made.iter().map(|(_, places)| places)).collect();
        let told = match Facts(&count.dims).leading(&all) {
            cost if cost == Cost::zero() => "`1`".to_owned(),
            cost if cost.terms().count() > MOST_TERMS => {
                format!("a sum of {} terms, which `explain!` tells", cost.terms().count())
            }
            cost => format!("`{cost}`"),
        };
        if !costs.contains(&told) {
            costs.push(told);
        }
    }
    match &costs[..] {
        [] => Vec::new(),
        [one] => vec![format!(" Cost: {one}")],
        [first, others @ ..] => {
            let others = others.iter().map(|one| format!(" or {one}"));
            std::iter::once(format!(" Cost, whichever is least for the operands: {first}"))
                .chain(others)
                .collect()
        }
    }
}
