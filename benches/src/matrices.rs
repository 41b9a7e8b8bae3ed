//! The matrices: made here by a small generator that gives the same ones everywhere, or read from
//! the directory that `LOOPLETS_DATA` names.

use looplets::prelude::*;
use std::path::{Path, PathBuf};

/// A matrix in the forms that kernels take.
pub struct Case {
    /// Its name in the table.
    pub name: String,
    /// The matrix.
    pub matrix: Csr<f64>,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }
    /// A number of `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// `count` different numbers below `n`, ascending.
    pub fn places(&mut self, n: usize, count: usize) -> Vec<usize> {
        let count = count.min(n);
        if count * 3 < n {
            let mut chosen = std::collections::BTreeSet::new();
            while chosen.len() < count {
                chosen.insert(self.below(n));
            }
            return chosen.into_iter().collect();
        }
        let (mut left, mut chosen) = (count, Vec::with_capacity(count));
        for i in 0..n {
            if self.below(n - i) < left {
                chosen.push(i);
                left -= 1;
            }
        }
        chosen
    }
    /// A vector of size `n` with `count` entries in random places.
    pub fn vector(&mut self, n: usize, count: usize) -> SparseVec<f64> {
        let entries: Vec<_> =
            self.places(n, count).into_iter().map(|i| ([i], self.unit() + 0.5)).collect();
        Tensor::from_triplets([n], entries, Refuse).expect("places differ and are inside")
    }
    /// A vector of size `n` with every entry stored.
    pub fn dense(&mut self, n: usize) -> DenseVec<f64> {
        let values: Vec<f64> = (0..n).map(|_| self.unit() + 0.5).collect();
        Tensor::from_dense([n], &values).expect("as many values as elements")
    }
}

fn square(name: &str, n: usize, mut row: impl FnMut(&mut Random, usize) -> Vec<usize>) -> Case {
    let mut random = Random::new(n as u64);
    let mut entries = Vec::new();
    for i in 0..n {
        for j in row(&mut random, i) {
            entries.push(([i, j], random.unit() + 0.5));
        }
    }
    let matrix = Tensor::from_triplets([n, n], entries, Last).expect("made inside the shape");
    Case { name: name.to_owned(), matrix }
}

/// The matrices that are made: uniform thin and thick, banded, blocked, power law.
pub fn made() -> Vec<Case> {
    vec![
        square("uniform 4/row", 20_000, |r, _| r.places(20_000, 4)),
        square("uniform 30/row", 8_000, |r, _| r.places(8_000, 30)),
        square("uniform 200/row", 2_000, |r, _| r.places(2_000, 200)),
        square("banded 17/row", 20_000, |_, i| {
            (i.saturating_sub(8)..(i + 9).min(20_000)).collect()
        }),
        square("blocked 8x8", 8_000, |_, i| {
            // The blocks of a block row come from its own generator, so its rows agree.
            let mut r = Random::new((i / 8) as u64);
            r.places(1_000, 4).into_iter().flat_map(|b| b * 8..b * 8 + 8).collect()
        }),
        square("power law", 20_000, |r, _| {
            // Degrees and targets both by a power law; low numbers are the hubs.
            let degree = (2.0 * (1.0 - r.unit()).powf(-0.7)).min(2_000.0) as usize;
            let mut to: Vec<usize> =
                (0..degree).map(|_| (20_000.0 * r.unit().powf(2.5)) as usize).collect();
            to.sort_unstable();
            to.dedup();
            to
        }),
    ]
}

/// The `.mtx` files of `LOOPLETS_DATA`, by name.
pub fn files() -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("LOOPLETS_DATA") else { return Vec::new() };
    let mut found = Vec::new();
    for folder in ["matrices", "graphs"] {
        let folder = Path::new(&root).join(folder);
        let Ok(entries) = std::fs::read_dir(&folder) else {
            eprintln!("{}: no such folder", folder.display());
            continue;
        };
        let files = entries.filter_map(|e| Some(e.ok()?.path()));
        found.extend(files.filter(|p| p.extension().is_some_and(|e| e == "mtx")));
    }
    found.sort();
    found
}

/// Reads a file. A pattern has ones for values, and of a complex matrix nothing is measured.
pub fn read(path: &Path) -> Result<Case, Error> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file: mtx::Matrix = mtx::read(path)?;
    let shape = [file.rows(), file.cols()];
    let matrix = match file.values() {
        mtx::Values::Pattern(_) => {
            let places = file.row_indices().iter().zip(file.col_indices());
            let entries: Vec<_> = places.map(|(&i, &j)| ([i, j], 1.0)).collect();
            Tensor::from_triplets(shape, entries, Last)?
        }
        _ => file.into_tensor(Sum)?,
    };
    Ok(Case { name, matrix })
}

/// The graph of a square matrix below its diagonal: its pattern made symmetric, of which `(i, j)`
/// with `i > j` are kept, so that each triangle is met once.
pub fn lower(matrix: &Csr<f64>) -> Option<Graph> {
    let shape = matrix.shape();
    if shape[0] != shape[1] {
        return None;
    }
    let mut edges = Vec::with_capacity(matrix.stored());
    matrix.for_each(|c, _| {
        if c[0] != c[1] {
            edges.push(([c[0].max(c[1]), c[0].min(c[1])], true));
        }
    });
    edges.sort_unstable();
    edges.dedup();
    Some(Tensor::from_triplets(shape, edges, Refuse).expect("inside, and each once"))
}

/// The known number of triangles of a file, if `expected-triangles.tsv` lists it.
pub fn expected(name: &str) -> Option<u64> {
    let path = Path::new(&std::env::var_os("LOOPLETS_DATA")?).join("expected-triangles.tsv");
    let table = std::fs::read_to_string(path).ok()?;
    let line = table.lines().find(|l| {
        let file = l.split('\t').next().unwrap_or_default();
        Path::new(file).file_stem().is_some_and(|stem| stem == name)
    })?;
    line.rsplit('\t').next()?.trim().parse().ok()
}
