//! The images of a run: made, or `.npy` files of the directory that `LOOPLETS_DATA` names.

use crate::problem::Array;
use looplets_benches::matrices::Random;
use looplets_benches::Options;
use std::path::Path;

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

/// An image of bytes; the last dimension is that of columns, the one before that of an image's rows.
fn read(path: &Path) -> Option<Picture> {
    let bytes = std::fs::read(path).ok()?;
    let head = usize::from(u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?]));
    let (text, pixels) = bytes.get(10..)?.split_at_checked(head)?;
    let text = std::str::from_utf8(text).ok()?;
    if !text.contains("'|u1'") || text.contains("'fortran_order': True") {
        return None;
    }
    let (sizes, _) = text.split_once("'shape': (")?.1.split_once(')')?;
    let sizes: Vec<usize> = sizes.split(',').filter_map(|s| s.trim().parse().ok()).collect();
    let [.., height, cols] = sizes[..] else { return None };
    let images = (PIXELS / (height * cols).max(1)).max(1).min(pixels.len() / (height * cols));
    let rows = images * height;
    Some(Picture {
        name: path.file_stem()?.to_string_lossy().into_owned(),
        pixels: Array { rows, cols, val: pixels[..rows * cols].to_vec() },
        height,
    })
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
    if let Some(root) = std::env::var_os("LOOPLETS_DATA").filter(|_| options.list("real")) {
        let folder = std::fs::read_dir(Path::new(&root).join("images")).into_iter().flatten();
        let mut files: Vec<_> = folder.filter_map(|e| Some(e.ok()?.path())).collect();
        files.sort();
        found.extend(files.iter().filter_map(|path| read(path)));
    }
    found
}
