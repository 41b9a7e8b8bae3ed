//! The operands, made of one matrix as section 8.2 of the paper makes them: halves of it to be stacked, every
//! other of its first rows, and beside it the same entries moved by ten places, around the end.

use crate::arrays::{rows, Flat};
use looplets::prelude::*;
use looplets_benches::matrices::{self, Random};
use std::path::{Path, PathBuf};

/// By how much the second factor of a product is moved.
const MOVED: usize = 10;

/// Files of all sizes: a run over all takes long and says little more.
const CHOSEN: [&str; 13] = [
    "arc130",
    "west2021",
    "bcsstk14",
    "memplus",
    "D6-6",
    "cage10",
    "internet",
    "bcsstk16",
    "copter2",
    "amazon-book_test",
    "soc-slashdot0902-directed",
    "ego-twitter-undirected",
    "web-Stanford_relabelled",
];

/// A matrix, and what is made of it.
pub struct Operands {
    /// Its name in the table.
    pub name: String,
    /// All of it.
    pub whole: Csr<f64>,
    /// The first half of its rows, and the others.
    pub above: Csr<f64>,
    pub below: Csr<f64>,
    /// The first half of its columns, and the others.
    pub left: Csr<f64>,
    pub right: Csr<f64>,
    /// The same four.
    pub coo_above: Coo2<f64>,
    pub coo_below: Coo2<f64>,
    pub coo_left: Coo2<f64>,
    pub coo_right: Coo2<f64>,
    /// Its rows one behind the other, and the same moved.
    pub flat: Flat,
    pub flat_moved: Flat,
    /// Every other of the first `half` rows, moved along the columns.
    pub sliced_moved: Csr<f64>,
    /// As long as it has columns.
    pub x: DenseVec<f64>,
    /// Half of its rows.
    pub half: usize,
    /// Its columns.
    pub columns: usize,
}

impl Operands {
    /// Those of a matrix.
    pub fn new(name: String, a: &Csr<f64>) -> Self {
        let [height, width] = [a.shape()[0], a.shape()[1]];
        let (half, middle) = (height / 2, width / 2);
        let mut entries: Vec<([usize; 2], f64)> = Vec::with_capacity(a.stored());
        a.for_each(|c, v| entries.extend((*v != 0.0).then_some(([c[0], c[1]], *v))));
        let part = |shape: [usize; 2], keep: &dyn Fn([usize; 2]) -> Option<[usize; 2]>| {
            let kept = entries.iter().filter_map(|(at, v)| Some((keep(*at)?, *v)));
            csr(shape, kept)
        };
        let whole = part([height, width], &Some);
        let above = part([half, width], &|[i, j]| (i < half).then_some([i, j]));
        let below = part([height - half, width], &|[i, j]| (i >= half).then(|| [i - half, j]));
        let left = part([height, middle], &|[i, j]| (j < middle).then_some([i, j]));
        let right =
            part([height, width - middle], &|[i, j]| (j >= middle).then(|| [i, j - middle]));
        let [coo_above, coo_below, coo_left, coo_right] = [&above, &below, &left, &right].map(coo);
        let places = entries.iter().map(|([i, j], v)| ((i * width + j) as u64, *v));
        let flat = flat(height * width, places.clone().collect());
        let around = |k: u64, n: usize| (k + MOVED as u64) % n as u64;
        let flat_moved = self::flat(
            height * width,
            places.map(|(k, v)| (around(k, height * width), v)).collect(),
        );
        let mut moved: Vec<_> = entries
            .iter()
            .filter(|([i, _], _)| *i < half && i % 2 == 0)
            .map(|([i, j], v)| ([i / 2, around(*j as u64, width) as usize], *v))
            .collect();
        moved.sort_unstable_by_key(|(at, _)| *at);
        let sliced_moved = csr([half.div_ceil(2), width], moved.into_iter());
        let x: Vec<f64> = (0..width).map(|j| (j % 7) as f64 + 0.5).collect();
        let x = Tensor::from_dense([width], &x).expect("as many values as elements");
        Operands {
            name,
            whole,
            above,
            below,
            left,
            right,
            coo_above,
            coo_below,
            coo_left,
            coo_right,
            flat,
            flat_moved,
            sliced_moved,
            x,
            half,
            columns: width,
        }
    }

    /// Multiplications of every other of the first rows with the matrix, if it is square.
    pub fn spgemm_steps(&self) -> Option<f64> {
        let a = rows(&self.whole);
        let row = |i: usize| &a.crd[a.pos[i]..a.pos[i + 1]];
        let square = a.pos.len() - 1 == self.columns;
        let steps =
            || (0..self.half).step_by(2).flat_map(row).map(|k| row(*k as usize).len() as f64);
        square.then(|| steps().sum())
    }
}

/// From entries in order.
fn csr(shape: [usize; 2], entries: impl Iterator<Item = ([usize; 2], f64)>) -> Csr<f64> {
    let (mut pos, mut crd, mut val) = (vec![0; shape[0] + 1], Vec::new(), Vec::new());
    for ([i, j], v) in entries {
        pos[i + 1] += 1;
        crd.push(j as u32);
        val.push(v);
    }
    for i in 0..shape[0] {
        pos[i + 1] += pos[i];
    }
    let list = SparseList::new(shape[1], pos, crd, Element::new(val));
    Tensor::from_parts(Dense::new(shape[0], list)).expect("columns ascend in each row")
}

fn coo(a: &Csr<f64>) -> Coo2<f64> {
    a.convert().expect("another format of the same")
}

fn flat(len: usize, mut entries: Vec<(u64, f64)>) -> Flat {
    entries.sort_unstable_by_key(|(k, _)| *k);
    let (crd, val): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    let list = SparseList::new(len, vec![0, crd.len()], crd, Element::new(val));
    Tensor::from_parts(list).expect("coordinates ascend")
}

/// A million rows of ten entries, one in each tenth of the columns, by a formula that `shapes.py` has too: no
/// file has that many.
fn ten_million() -> Csr<f64> {
    const ROWS: usize = 1_000_000;
    let entries = (0..10 * ROWS).map(|q| {
        let bits = Random::new(q as u64).bits();
        let column = q % 10 * (ROWS / 10) + (bits >> 32) as usize % (ROWS / 10);
        ([q / 10, column], (bits % 97 + 1) as f64)
    });
    csr([ROWS, ROWS], entries)
}

/// The name of the matrix that is made.
pub const MADE: &str = "made:1e7";

/// The files of a run: those chosen, or all.
pub fn files() -> Vec<PathBuf> {
    let all = std::env::var_os("LOOPLETS_BENCH_ALL").is_some();
    let mut found = matrices::files();
    let stem = |p: &Path| p.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    found.retain(|p| all || CHOSEN.contains(&stem(p).as_str()));
    found
}

/// A file, or the matrix that is made.
pub fn load(what: &str) -> Result<Operands, Error> {
    if what == MADE {
        return Ok(Operands::new("uniform 10/row".to_owned(), &ten_million()));
    }
    let case = matrices::read(Path::new(what))?;
    Ok(Operands::new(case.name, &case.matrix))
}
