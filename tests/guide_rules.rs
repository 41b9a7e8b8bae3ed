//! The author's guide to rules lists what there is: every condition, and every family with its floats.

use looplets_rewrites::{all, conditions};

const CHAPTER: &str = include_str!("../src/guide/rules.md");

#[test]
fn it_lists_every_condition_and_no_other() {
    let table = CHAPTER.split("# Conditions").nth(1).unwrap().split("\n## ").next().unwrap();
    let cells =
        table.lines().filter(|l| l.starts_with("| `")).map(|l| l.split('|').nth(1).unwrap());
    let mut listed: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(|call| call.split('(').next().unwrap())
        .collect();
    listed.sort_unstable();
    let mut known: Vec<&str> = conditions::ALL.iter().map(|(name, ..)| *name).collect();
    known.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn it_says_of_every_family_what_strict_kernels_go_without() {
    let section = CHAPTER.split("# IEEE behaviour").nth(1).unwrap();
    for rule in all() {
        let row = section
            .lines()
            .find(|l| l.starts_with('|') && l.split('|').nth(1).unwrap().contains(&*rule.family));
        let row = row.unwrap_or_else(|| panic!("no row for {}", rule.family));
        let strict = row.split('|').nth(3).unwrap().trim();
        let same = strict.is_empty() || strict == "the same";
        let inexact = all().iter().any(|r| r.family == rule.family && r.inexact);
        assert_eq!(!same, inexact, "{}", rule.family);
    }
}
