//! The arrays: matrices and tensors that are made, or those of the directory that `LOOPLETS_DATA` names.
//! The operands beside each are made as SparseArrays section 8 makes them: the same places moved by one
//! along the last dimension, each holding a 2.

use looplets::prelude::*;
use looplets_benches::matrices::{self, Random};
use std::path::Path;

/// An array by what it stores.
pub struct Input {
    /// Its name in the table.
    pub name: String,
    /// The sizes.
    pub shape: Vec<usize>,
    /// Coordinates and values, sorted.
    pub entries: Vec<(Vec<usize>, f64)>,
}

impl Input {
    fn new(name: &str, shape: Vec<usize>, mut entries: Vec<(Vec<usize>, f64)>) -> Self {
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|a, b| a.0 == b.0);
        entries.retain(|(_, v)| *v != 0.0);
        Input { name: name.to_owned(), shape, entries }
    }

    /// The places moved by `by` along the last dimension, around its end.
    pub fn moved(&self, by: usize) -> Vec<Vec<usize>> {
        let size = *self.shape.last().expect("an array has dimensions");
        let place = |(at, _): &(Vec<usize>, f64)| {
            let mut at = at.clone();
            let last = at.len() - 1;
            at[last] = (at[last] + by) % size;
            at
        };
        let mut places: Vec<Vec<usize>> = self.entries.iter().map(place).collect();
        places.sort();
        places
    }
}

fn random(name: &str, shape: &[usize], count: usize) -> Input {
    let mut random = Random::new(count as u64);
    let mut at = || shape.iter().map(|n| random.below(*n)).collect();
    let places: Vec<Vec<usize>> = (0..count).map(|_| at()).collect();
    let entries = places.into_iter().enumerate().map(|(k, at)| (at, (k % 90 + 10) as f64));
    Input::new(name, shape.to_vec(), entries.collect())
}

/// Arrays that are made: uniform, and a tensor whose entries are clustered.
pub fn made() -> Vec<Input> {
    let mut clusters = random("clusters 3", &[200, 300, 4000], 4_000);
    let runs = |(at, v): &(Vec<usize>, f64)| {
        let v = *v;
        let at = at.clone();
        (0..20).map(move |k| (vec![at[0], at[1], (at[2] + k) % 4000], v + k as f64))
    };
    let entries = clusters.entries.iter().flat_map(runs).collect();
    clusters = Input::new("clusters 3", clusters.shape, entries);
    vec![
        random("uniform 2", &[2_000, 2_000], 40_000),
        random("thick 2", &[500, 500], 60_000),
        random("uniform 3", &[100, 200, 3_000], 60_000),
        clusters,
        random("uniform 4", &[20, 50, 60, 500], 60_000),
        random("uniform 5", &[30, 20, 4, 100, 20], 60_000),
    ]
}

/// A Matrix Market file.
pub fn mtx(path: &Path) -> Result<Input, Error> {
    let case = matrices::read(path)?;
    let mut entries = Vec::new();
    case.matrix.for_each(|at, v| entries.push((at.to_vec(), *v)));
    Ok(Input::new(&case.name, case.matrix.shape(), entries))
}

/// A file of FROSTT: coordinates from 1 on and a value in each line.
pub fn tns(path: &Path) -> Option<Input> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut entries: Vec<(Vec<usize>, f64)> = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let value = words.pop()?.parse().ok()?;
        let at: Option<Vec<usize>> =
            words.iter().map(|w| w.parse::<usize>().ok()?.checked_sub(1)).collect();
        entries.push((at?, value));
    }
    let rank = entries.first()?.0.len();
    let size = |d: usize| entries.iter().map(|(at, _)| at[d] + 1).max().unwrap_or(0);
    let shape = (0..rank).map(size).collect();
    Some(Input::new(&path.file_stem()?.to_string_lossy(), shape, entries))
}
