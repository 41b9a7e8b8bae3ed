//! The formulas of `explain!`, computed: sums of products of sizes, entries and least ones.

use std::collections::BTreeMap;

/// What sizes and entries are.
#[derive(Default)]
pub struct Sizes {
    pub lens: BTreeMap<String, f64>,
    pub stored: BTreeMap<String, f64>,
}

/// The steps of all loops of the one way that `told` tells of.
pub fn steps(told: &str, sizes: &Sizes) -> f64 {
    let schedule = told.split("== ").find(|part| part.starts_with("schedule")).expect("a stage");
    assert!(!schedule.contains("way 2"), "{schedule}");
    let lines = schedule.lines().filter_map(|line| line.trim().strip_suffix(" steps"));
    lines
        .map(|line| {
            let formula = line.split_once(": ").expect("a loop").1;
            let mut text = formula.trim();
            let value = sum(&mut text, sizes);
            assert!(text.is_empty(), "`{text}` is left of `{formula}`");
            value
        })
        .sum()
}

fn takes(text: &mut &str, token: &str) -> bool {
    match text.trim_start().strip_prefix(token) {
        Some(rest) => {
            *text = rest;
            true
        }
        None => false,
    }
}

fn sum(text: &mut &str, sizes: &Sizes) -> f64 {
    let mut all = product(text, sizes);
    while takes(text, "+") {
        all += product(text, sizes);
    }
    all
}

fn product(text: &mut &str, sizes: &Sizes) -> f64 {
    let mut all = power(text, sizes);
    loop {
        if takes(text, "*") {
            all *= power(text, sizes);
        } else if takes(text, "/") {
            all /= power(text, sizes).max(1.0);
        } else {
            return all;
        }
    }
}

fn power(text: &mut &str, sizes: &Sizes) -> f64 {
    let base = atom(text, sizes);
    match takes(text, "^") {
        true => base.powi(number(text) as i32),
        false => base,
    }
}

fn number(text: &mut &str) -> f64 {
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let rest = text.trim_start();
    let end = rest.find(|c| !digits(c)).unwrap_or(rest.len());
    let value = rest[..end].parse().unwrap_or_else(|_| panic!("a number at `{rest}`"));
    *text = &rest[end..];
    value
}

fn atom(text: &mut &str, sizes: &Sizes) -> f64 {
    for (word, all) in [("len(", &sizes.lens), ("stored(", &sizes.stored)] {
        if takes(text, word) {
            let (name, rest) = text.split_once(')').expect("a parenthesis");
            *text = rest;
            return *all.get(name).unwrap_or_else(|| panic!("no {word}{name})"));
        }
    }
    if takes(text, "min(") {
        let mut least = sum(text, sizes);
        while takes(text, ",") {
            least = least.min(sum(text, sizes));
        }
        assert!(takes(text, ")"), "{text}");
        return least;
    }
    if takes(text, "(") {
        let value = sum(text, sizes);
        assert!(takes(text, ")"), "{text}");
        return value;
    }
    number(text)
}
