//! The ways to run a program: all are gone through when it is compiled, few are kept, and the kernel takes one by sizes.
//!
//! A way is kept if, for some sizes and some sparsity, it costs a good deal less than all others that are kept. Costs are
//! compared where sizes are a power of ten and entries any share of what there is room for. Ahrens et al. (PLDI 2022, section 5) compare
//! the asymptotic costs alone; numbers tell apart ways of one asymptotic cost as well, of which some lose by a constant.

use super::choices::{is_for, Choice, Choices, Made};
use super::cost::{Atom, Cost, Flat};
use super::count::{self, Count};
use super::indices::Scope;
use super::visit::has_loop;
use super::{run, Tensors};
use crate::algebra::Algebra;
use crate::ast::{Program, WishKind};
use crate::diagnostics::{Diagnostics, Errors};
use crate::formats::Library;
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, VecDeque};

/// The most ways that are kept unless the program says how many, and those that are looked at.
const MOST_KEPT: usize = 3;
const MOST_SEEN: usize = 32;
/// How many times cheaper than others a way must be for some sizes.
const GAIN: f64 = 1.6;
/// For how many sizes costs are compared.
const SCENES: usize = 300;
/// Between these many nanoseconds a difference matters.
const MATTERS: std::ops::Range<f64> = 1e4..1e12;

/// A program with all its loops.
pub struct Way {
    /// It.
    pub program: Program,
    /// What was chosen where there was a choice.
    pub choices: Vec<Choice>,
    /// What it costs.
    pub count: Count,
    /// What there is to choose for programs that ask for it alone.
    pub on_request: Vec<Choice>,
}

impl Way {
    /// What was chosen, for people.
    pub fn chosen(&self) -> String {
        let chosen: Vec<String> = self.choices.iter().map(ToString::to_string).collect();
        chosen.join(", ")
    }
}

/// The ways to run `program` that are worth it: one at least. How many others there are is said too.
pub fn ways(
    program: Program,
    (library, algebra): (&Library, &Algebra),
    krate: &TokenStream,
    generics: &[String],
) -> Result<(Vec<Way>, usize), Errors> {
    let mut queue = VecDeque::from([Vec::new()]);
    let mut all: Vec<Way> = Vec::new();
    let mut granted = vec![false; program.schedule.len()];
    let mut options: Vec<Choice> = Vec::new();
    let mut runs = 0;
    while let Some(asked) = queue.pop_front() {
        let first = runs == 0;
        runs += 1;
        let mut way = program.clone();
        let choices = Choices::new(&program.schedule, asked);
        let (choices, tensors, errors) =
            run(&mut way, choices, (library, algebra), krate, generics);
        granted.iter_mut().zip(&choices.granted).for_each(|(all, one)| *all |= one);
        for option in choices.options.iter().chain(&choices.on_request) {
            if !options.contains(option) {
                options.push(option.clone());
            }
        }
        if first {
            errors.check(())?;
        } else if !errors.is_empty() {
            continue;
        }
        let others = choices.others();
        queue.extend(others.into_iter().take(MOST_SEEN.saturating_sub(runs + queue.len())));
        let Tensors { formats, .. } = tensors;
        let count = count::count(&way, formats, (library, algebra), generics, None);
        if all.iter().any(|other| other.count.time == count.time) {
            continue;
        }
        let made = |m: &Made| m.options[m.taken].clone();
        let (choices, on_request) = (choices.made.iter().map(made).collect(), choices.on_request);
        all.push(Way { program: way, choices, count, on_request });
    }
    let seen = all.len();
    let most = program.schedule.iter().find_map(|wish| match wish.kind {
        WishKind::Ways(n) => Some(n),
        _ => None,
    });
    let most = most.unwrap_or(MOST_KEPT);
    let mut kept = match all.iter().all(|w| w.count.known) {
        true => keep(all, most),
        false => all.into_iter().take(1).collect(),
    };
    let others = seen - kept.len();
    wished(&program, &mut kept, &granted, &options)?;
    Ok((kept, others))
}

/// Sees to it that all that `program` wishes for was there to choose, and that one way alone is left where it says which.
fn wished(
    program: &Program,
    kept: &mut Vec<Way>,
    granted: &[bool],
    options: &[Choice],
) -> Result<(), Errors> {
    let mut errors = Diagnostics::new();
    for (wish, granted) in program.schedule.iter().zip(granted) {
        match &wish.kind {
            WishKind::Inside if !program.body.stmts.iter().any(has_loop) => errors.error(
                wish.span,
                "no loop is written, so there is none that others are left out within: leave this out",
            ),
            WishKind::Inside | WishKind::Tile(_) | WishKind::Ways(_) => {}
            WishKind::Way(n) if *n <= kept.len() => {
                let way = kept.remove(n - 1);
                *kept = vec![way];
            }
            WishKind::Way(_) => errors.error(
                wish.span,
                match kept.len() {
                    1 => "there is one way: leave this out".to_owned(),
                    n => format!("there are {n} ways, counted from 1"),
                },
            ),
            _ if *granted => {}
            WishKind::Order(_) => {
                let scope = Scope::of(program);
                let lacking: Vec<String> = program
                    .body
                    .stmts
                    .iter()
                    .map(|s| scope.unbound(s))
                    .filter(|loops| !loops.is_empty())
                    .map(|loops| {
                        let names: Vec<String> = loops.iter().map(|i| i.to_string()).collect();
                        format!("`order({})`", names.join(", "))
                    })
                    .collect();
                let which = match lacking.is_empty() {
                    true => "no statement lacks its loops".to_owned(),
                    false => format!(
                        "an order names each index of a statement once, such as {}",
                        lacking.join(" or ")
                    ),
                };
                errors.error(
                    wish.span,
                    format!(
                        "no statement lacks loops over these indices, and over no others: {which}"
                    ),
                );
            }
            _ => {
                let there = options.iter().any(|option| is_for(wish, option));
                let options: Vec<String> = options.iter().map(|o| format!("`{o}`")).collect();
                errors.error(
                    wish.span,
                    match options.len() {
                        _ if there => "the words before this one settle all that it could: leave it out, or one of them".to_owned(),
                        _ if matches!(wish.kind, WishKind::Late(_)) => LATE.to_owned(),
                        0 if program.strict => "there is nothing of the kind to choose, as a strict kernel computes what is multiplied with nothing as well: leave this out, or `#![strict]`".to_owned(),
                        0 => "there is nothing of the kind to choose: leave this out".to_owned(),
                        _ => format!("there is no such choice: there is {}", options.join(", ")),
                    },
                );
            }
        }
    }
    errors.check(())
}

/// Which masks can wait.
const LATE: &str = "this is not a mask that can be looked at late: that is one of a result whose rows are gathered in a workspace, from operands that leave something out, where nobody sees what is computed outside of the mask: no sum of whole numbers, which may overflow, no function that is not declared `total`, and nothing in a strict kernel";

/// Those of `all` that are worth it, `most` of them, the first of which is taken where costs are alike.
fn keep(mut all: Vec<Way>, most: usize) -> Vec<Way> {
    if all.len() < 2 {
        return all;
    }
    let dims = || all.iter().flat_map(|w| w.count.dims.iter().flat_map(|(_, dims)| dims));
    let costs = all.iter().map(|w| &w.count.time).chain(dims());
    let mut atoms: Vec<Atom> = costs.flat_map(Cost::atoms).cloned().collect();
    atoms.sort();
    atoms.dedup();
    let scenes = scenes(&all, &atoms);
    let costs: Vec<Vec<f64>> = all
        .iter()
        .map(|way| {
            let cost = way.count.time.flat(&atoms);
            scenes.iter().map(|scene| cost.at(scene)).collect()
        })
        .collect();
    let matter: Vec<usize> = (0..scenes.len())
        .filter(|s| MATTERS.contains(&costs.iter().map(|c| c[*s]).fold(f64::INFINITY, f64::min)))
        .collect();
    let least =
        |kept: &[usize], s: usize| kept.iter().map(|w| costs[*w][s]).fold(f64::INFINITY, f64::min);
    // How many times cheaper than those kept one is at best.
    let gain = |kept: &[usize], w: usize| {
        matter.iter().map(|s| least(kept, *s) / costs[w][*s]).fold(0.0, f64::max)
    };
    let mut kept = vec![0];
    while kept.len() < most {
        let gains = (0..all.len()).filter(|w| !kept.contains(w)).map(|w| (w, gain(&kept, w)));
        let best = gains.fold(None, |best: Option<(usize, f64)>, (w, gain)| match best {
            Some((_, most)) if most >= gain => best,
            _ => Some((w, gain)),
        });
        match best {
            Some((w, gain)) if gain > GAIN => kept.push(w),
            _ => break,
        }
    }
    // One that the others together beat for all sizes goes.
    let mut n = 0;
    while n < kept.len() && kept.len() > 1 {
        let others: Vec<usize> = kept.iter().copied().filter(|w| *w != kept[n]).collect();
        match gain(&others, kept[n]) {
            gain if gain < 1.2 => drop(kept.remove(n)),
            _ => n += 1,
        }
    }
    let mut out: Vec<(usize, Way)> = Vec::new();
    for w in (0..all.len()).rev() {
        let way = all.remove(w);
        if let Some(place) = kept.iter().position(|k| *k == w) {
            out.push((place, way));
        }
    }
    out.sort_by_key(|(place, _)| *place);
    out.into_iter().map(|(_, way)| way).collect()
}

/// Sizes and entries of every kind for `atoms`, always the same ones.
fn scenes(all: &[Way], atoms: &[Atom]) -> Vec<Vec<f64>> {
    let dims: BTreeMap<&str, Vec<Flat>> = all
        .iter()
        .flat_map(|w| &w.count.dims)
        .map(|(name, dims)| (&name[..], dims.iter().map(|d| d.flat(atoms)).collect()))
        .collect();
    // A linear congruential generator (Knuth's MMIX constants).
    let mut state = 1_u64;
    let mut fraction = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let scene = |_| {
        let mut values = vec![1.0; atoms.len()];
        for (atom, value) in atoms.iter().zip(&mut values) {
            if !matches!(atom, Atom::Stored(_)) {
                *value = 10_f64.powf((fraction() * 7.0).floor());
            }
        }
        for (n, atom) in atoms.iter().enumerate() {
            let Atom::Stored(tensor) = atom else { continue };
            let own = dims.get(&tensor[..]).map_or(&[][..], |dims| &dims[..]);
            let room: f64 = own.iter().map(|d| d.at(&values)).product();
            // Every second one is filled to a half, a tenth or a hundredth, or full.
            let entries = match fraction() < 0.5 {
                true => room * [1.0, 0.5, 0.1, 0.01][(fraction() * 4.0) as usize],
                false => room.max(1.0).powf(fraction()),
            };
            values[n] = entries.round().max(1.0);
        }
        values
    };
    (0..SCENES).map(scene).collect()
}
