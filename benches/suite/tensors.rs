//! The tensors of rank 3: made, or files of FROSTT in the directory that `LOOPLETS_DATA` names.

use crate::problem::Fibers;
use looplets_benches::matrices::Random;
use looplets_benches::Options;
use std::path::Path;

fn fibers(mut entries: Vec<([usize; 3], f64)>) -> Fibers {
    entries.sort_unstable_by_key(|(at, _)| *at);
    entries.dedup_by_key(|(at, _)| *at);
    let mut t = Fibers { pos1: vec![0], pos2: vec![0], ..Fibers::default() };
    let mut before: Option<[usize; 3]> = None;
    for (at, v) in entries {
        if before.is_none_or(|b| b[0] != at[0]) {
            t.crd0.push(at[0] as u32);
            t.pos1.push(*t.pos1.last().expect("starts with one"));
        }
        if before.is_none_or(|b| b[..2] != at[..2]) {
            t.crd1.push(at[1] as u32);
            *t.pos1.last_mut().expect("starts with one") += 1;
            t.pos2.push(*t.pos2.last().expect("starts with one"));
        }
        t.crd2.push(at[2] as u32);
        t.val.push(v);
        *t.pos2.last_mut().expect("starts with one") += 1;
        t.dims = [t.dims[0].max(at[0] + 1), t.dims[1].max(at[1] + 1), t.dims[2].max(at[2] + 1)];
        before = Some(at);
    }
    t
}

fn made(name: &str, dims: [usize; 3], count: usize, in_a_row: usize) -> (String, Fibers) {
    let mut random = Random::new(count as u64);
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count / in_a_row {
        let at = dims.map(|n| random.below(n));
        for k in 0..in_a_row {
            entries.push(([at[0], at[1], (at[2] + k) % dims[2]], random.unit() + 0.5));
        }
    }
    (name.to_owned(), fibers(entries))
}

/// A file of rank 3: coordinates from 1 on and a value in each line.
fn read(path: &Path) -> Option<(String, Fibers)> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut entries = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut at = [0; 3];
        for n in &mut at {
            *n = words.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        }
        entries.push((at, words.next()?.parse().ok()?));
        if words.next().is_some() {
            return None;
        }
    }
    Some((path.file_stem()?.to_string_lossy().into_owned(), fibers(entries)))
}

/// All that are asked for.
pub fn all(options: &Options) -> Vec<(String, Fibers)> {
    let mut found = Vec::new();
    if options.list("made") {
        found.push(made("uniform", [300, 400, 5_000], 400_000, 1));
        found.push(made("fibers of 20", [300, 400, 5_000], 400_000, 20));
        found.push(made("thick", [60, 80, 100], 200_000, 1));
        found.push(made("thin", [20_000, 20_000, 20_000], 300_000, 1));
    }
    if let Some(root) = std::env::var_os("LOOPLETS_DATA").filter(|_| options.list("real")) {
        let folder = std::fs::read_dir(Path::new(&root).join("tensors")).into_iter().flatten();
        let mut files: Vec<_> = folder.filter_map(|e| Some(e.ok()?.path())).collect();
        files.sort();
        found.extend(files.iter().filter_map(|path| read(path)));
    }
    found
}
