//! The matrices: families made to suit one format or another, and those of a directory, matrices and
//! pictures, as far as they are small enough to be written densely.

use looplets_benches::matrices::{self, Random};
use looplets_benches::npy::{self, Bytes};

/// More elements than these are left out, or of a picture the rows below are.
const CELLS: usize = 1_500_000;

/// A matrix by the entries that differ from zero, row by row.
pub struct Input {
    /// Its name in the table.
    pub name: String,
    /// The sizes.
    pub shape: [usize; 2],
    /// Coordinates and values, sorted.
    pub entries: Vec<([usize; 2], f64)>,
}

fn made_of(name: &str, n: usize, mut row: impl FnMut(&mut Random, usize, &mut [f64])) -> Input {
    let (mut random, mut line) = (Random::new(n as u64), vec![0.0; n]);
    let mut entries = Vec::new();
    for i in 0..n {
        line.fill(0.0);
        row(&mut random, i, &mut line);
        let stored = line.iter().enumerate().filter(|(_, &v)| v != 0.0);
        entries.extend(stored.map(|(j, &v)| ([i, j], v)));
    }
    Input { name: name.to_owned(), shape: [n, n], entries }
}

fn scatter(random: &mut Random, places: impl IntoIterator<Item = usize>, row: &mut [f64]) {
    for j in places {
        row[j] = random.unit() + 0.5;
    }
}

/// The matrices that are made: uniform thin and thick, banded, blocked, runs, triangular.
pub fn made() -> Vec<Input> {
    const N: usize = 600;
    vec![
        made_of("uniform 1%", N, |r, _, row| {
            let places = r.places(N, N / 100);
            scatter(r, places, row);
        }),
        made_of("uniform 20%", N, |r, _, row| {
            let places = r.places(N, N / 5);
            scatter(r, places, row);
        }),
        made_of("banded 17/row", N, |r, i, row| {
            scatter(r, i.saturating_sub(8)..(i + 9).min(N), row);
        }),
        made_of("blocked 8x8", N, |r, i, row| {
            // The blocks of a block row come from its own generator, so its rows agree.
            let blocks = Random::new((i / 8) as u64).places(N / 8, 8);
            scatter(r, blocks.into_iter().flat_map(|b| b * 8..b * 8 + 8), row);
        }),
        made_of("runs", N, |r, _, row| {
            let mut at = 0;
            while at < N {
                let stop = (at + 1 + r.below(40)).min(N);
                row[at..stop].fill(r.below(4) as f64);
                at = stop;
            }
        }),
        made_of("triangular", N, |r, i, row| scatter(r, 0..=i, row)),
    ]
}

/// The matrices and pictures of `LOOPLETS_DATA`.
pub fn real() -> Vec<Input> {
    let mut found = Vec::new();
    for path in matrices::files() {
        match matrices::read(&path) {
            Ok(case) if case.matrix.shape().iter().product::<usize>() <= CELLS => {
                let shape = [case.matrix.shape()[0], case.matrix.shape()[1]];
                let mut entries = Vec::new();
                case.matrix.for_each(|c, &v| entries.push(([c[0], c[1]], v)));
                entries.retain(|(_, v)| *v != 0.0);
                found.push(Input { name: case.name, shape, entries });
            }
            Ok(_) => {}
            Err(error) => println!("{error}"),
        }
    }
    found.extend(npy::pictures().into_iter().filter_map(picture));
    found
}

/// A picture as a matrix: the last dimension is that of columns, all others are rows.
fn picture(array: Bytes) -> Option<Input> {
    let columns = *array.shape.last().filter(|&&n| n > 0)?;
    let pixels = &array.values[..array.values.len().min(CELLS / columns * columns)];
    let stored = pixels.iter().enumerate().filter(|(_, &v)| v != 0);
    Some(Input {
        name: array.name,
        shape: [pixels.len() / columns, columns],
        entries: stored.map(|(q, &v)| ([q / columns, q % columns], f64::from(v))).collect(),
    })
}

/// What of a matrix a format is asked to hold.
#[derive(Clone, Copy, PartialEq)]
pub enum Part {
    /// All of it.
    All,
    /// The first entry of each row.
    First,
    /// The first run of each row.
    Run,
    /// What lies below the diagonal, or above it if `upper`, and the diagonal itself if it is `on`.
    Side {
        /// Above.
        upper: bool,
        /// With the diagonal.
        on: bool,
    },
}

impl Input {
    /// The entries of a part, or `None` if there is no such part.
    pub fn part(&self, part: Part) -> Option<Vec<([usize; 2], f64)>> {
        if matches!(part, Part::Side { .. }) && self.shape[0] != self.shape[1] {
            return None;
        }
        let mut kept: Vec<([usize; 2], f64)> = Vec::new();
        for &([i, j], v) in &self.entries {
            let before = kept.last().filter(|([r, _], _)| *r == i);
            let keep = match part {
                Part::All => true,
                Part::First => before.is_none(),
                Part::Run => before.is_none_or(|([_, c], w)| c + 1 == j && *w == v),
                Part::Side { upper, on } => (i == j && on) || (i != j && (i < j) == upper),
            };
            if keep {
                kept.push(([i, j], v));
            }
        }
        Some(kept)
    }
}
