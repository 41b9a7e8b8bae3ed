//! The images of a run: made, or `.npy` files of the directory that `LOOPLETS_DATA` names.

use crate::problem::Array;
use looplets_benches::matrices::Random;
use looplets_benches::npy::{self, Bytes};
use looplets_benches::Options;

/// More pixels than these are cut off below.
const PIXELS: usize = 1 << 20;

/// Images of one size below each other.
pub struct Picture {
    pub name: String,
    pub pixels: Array<u8>,
    /// Rows of each image.
    pub height: usize,
}

impl Picture {
    /// The first images, as many as there are up to `count`, and how many that is.
    pub fn stack(&self, count: usize) -> (Array<u8>, usize) {
        let images = (self.pixels.rows / self.height).min(count);
        let (rows, cols) = (images * self.height, self.pixels.cols);
        (Array { rows, cols, val: self.pixels.val[..rows * cols].to_vec() }, images)
    }
}

/// Runs of few colours, `mean` pixels long.
pub fn runs(size: usize, mean: usize, colours: usize, seed: u64) -> Array<u8> {
    let (mut random, mut val) = (Random::new(seed), Vec::with_capacity(size * size));
    for _ in 0..size {
        let from = val.len();
        while val.len() < from + size {
            let run = 1 + random.below(2 * mean);
            let colour = (random.below(colours) * 255 / (colours - 1)) as u8;
            val.resize((val.len() + run).min(from + size), colour);
        }
    }
    Array { rows: size, cols: size, val }
}

/// Noise of which a share is not 0.
pub fn noise(size: usize, share: f64, seed: u64) -> Array<u8> {
    let mut random = Random::new(seed);
    let val =
        (0..size * size)
            .map(|_| if random.unit() < share { 1 + random.below(255) as u8 } else { 0 });
    Array { rows: size, cols: size, val: val.collect() }
}

/// The first images of an array; its last dimension is that of columns, the one before that of an image's rows.
fn picture(array: Bytes) -> Option<Picture> {
    let [.., height, cols] = array.shape[..] else { return None };
    let size = Some(height * cols).filter(|&size| size > 0)?;
    let rows = (PIXELS / size).max(1).min(array.values.len() / size) * height;
    let mut val = array.values;
    val.truncate(rows * cols);
    Some(Picture { name: array.name, pixels: Array { rows, cols, val }, height })
}

/// All that are asked for.
pub fn all(options: &Options) -> Vec<Picture> {
    let mut found = Vec::new();
    if options.list("made") {
        let made = [
            ("runs of 100", runs(1024, 100, 5, 1)),
            ("runs of 10", runs(1024, 10, 5, 2)),
            ("two colours", runs(1024, 50, 2, 3)),
            ("noise", noise(512, 1.0, 4)),
        ];
        found.extend(made.map(|(name, pixels)| Picture {
            name: name.to_owned(),
            height: 64,
            pixels,
        }));
    }
    if options.list("real") {
        found.extend(npy::pictures().into_iter().filter_map(picture));
    }
    found
}
