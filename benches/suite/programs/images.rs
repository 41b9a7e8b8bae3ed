//! Programs on images: blending, comparing all pairs, erosion, masked histograms, masked convolution.

use super::by_runs::{blend_runs_by_hand, erode_set_by_hand, histogram_runs_by_hand, ByRuns, Set};
use crate::answer::{dense, values, Answer};
use crate::contest::Contest;
use crate::pictures::{self, Picture};
use crate::problem::{Array, Problem};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

level! { type Runs<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }
level! { type RunMask = Tensor<Dense<SparseRunList<Pattern>>>; }
level! { type BitMask = Tensor<Dense<Bitmap<Pattern>>>; }

/// A pixel of a blend; `alpha` is in parts of 65,536.
#[inline(always)]
pub(super) fn mix(p: u8, q: u8, alpha: u32) -> u8 {
    ((u32::from(p) * alpha + u32::from(q) * (65_536 - alpha) + 32_768) >> 16) as u8
}

/// 64 pixels of which each is the one to the left.
#[inline(always)]
fn from_left(pixels: u64, left: u64) -> u64 {
    pixels << 1 | left >> 63
}

/// 64 pixels of which each is the one to the right.
#[inline(always)]
fn from_right(pixels: u64, right: u64) -> u64 {
    pixels >> 1 | right << 63
}

finch! {
    /// Images of runs make an image of runs.
    fn blend_runs(p: &Runs<u8>, q: &Runs<u8>, alpha: u32) -> (y: Runs<u8>) {
        y[i, j] = mix(p[i, j], q[i, j], alpha)
    }
    /// In the memory of the last blend.
    fn blend_runs_again(p: &Runs<u8>, q: &Runs<u8>, alpha: u32, y: Runs<u8>) -> (y: Runs<u8>) {
        for i, j { y[i, j] = mix(p[i, j], q[i, j], alpha) }
    }
    /// Pixel by pixel.
    fn blend_dense(p: &DenseMat<u8>, q: &DenseMat<u8>, alpha: u32) -> (y: DenseMat<u8>) {
        for i, j { y[i, j] = mix(p[i, j], q[i, j], alpha) }
    }
    /// Distances of all rows by their runs.
    fn similar_runs(a: &Runs<f64>, n: usize) -> (o: DenseMat<f64>) {
        let mut r: DenseVec<f64>[n];
        {
            for k, l { { o[k, l] = sqrt(max(r[k] + r[l] - 2 * d, 0)) } where { for p { d += a[k, p] * a[l, p] } } }
        } where {
            for k, p { r[k] += a[k, p] * a[k, p] }
        }
    }
    /// Distances of all rows by what they store.
    fn similar_lists(a: &Csr<f64>, n: usize) -> (o: DenseMat<f64>) {
        let mut r: DenseVec<f64>[n];
        {
            for k, l { { o[k, l] = sqrt(max(r[k] + r[l] - 2 * d, 0)) } where { for p { d += a[k, p] * a[l, p] } } }
        } where {
            for k, p { r[k] += a[k, p] * a[k, p] }
        }
    }
    /// Distances of all rows, of one at a time to all others: what each of its pixels adds, by the pixels of all (`t`).
    fn similar_by_pixels(a: &Csr<f64>, t: &DenseMat<f64>, n: usize) -> (o: DenseMat<f64>) {
        let mut r: DenseVec<f64>[n];
        {
            for k {
                let mut w: DenseVec<f64>[n];
                for p { for l { w[l] += a[k, p] * t[p, l] } }
                for l { o[k, l] = sqrt(max(r[k] + r[l] - 2 * w[l], 0)) }
            }
        } where {
            for k, p { r[k] += a[k, p] * a[k, p] }
        }
    }
    /// A pixel stays if it and its four neighbours are set; by runs.
    fn erode_runs(a: &Runs<bool>) -> (y: Runs<bool>) {
        y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
            && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
    }
    /// By runs of what is set.
    fn erode_few(a: &RunMask) -> (y: RunMask) {
        y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
            && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
    }
    /// The same by bits.
    fn erode_bits(a: &BitMask) -> (y: BitMask) {
        for i, j {
            y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
                && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
        }
    }
    /// The same by bytes.
    fn erode_dense(a: &DenseMat<bool>) -> (y: DenseMat<bool>) {
        for i, j {
            y[i, j] = coalesce(a[permit[i - 1], j], false) && coalesce(a[i, permit[j - 1]], false) && a[i, j]
                && coalesce(a[i, permit[j + 1]], false) && coalesce(a[permit[i + 1], j], false)
        }
    }
    /// What is set, as bits.
    fn bits_of(a: &DenseMat<u8>) -> (c: BitMask) { c[i, j] = a[i, j] > 0 }
    /// The same by words of 64 pixels, `row` of them a row, of which the last has none: it is to the right of
    /// one row and to the left of the next.
    fn erode_words(a: &DenseVec<u64>, row: usize) -> (y: DenseVec<u64>) {
        for j {
            y[j] = coalesce(a[permit[j - row]], 0) & a[j] & coalesce(a[permit[j + row]], 0)
                & from_left(a[j], coalesce(a[permit[j - 1]], 0))
                & from_right(a[j], coalesce(a[permit[j + 1]], 0))
        }
    }
    /// Counts where the mask has runs.
    fn histogram_runs(img: &Runs<u8>, mask: &Runs<bool>) -> (h: DenseVec<u64>[256]) {
        for i, j { if mask[i, j] { h[img[i, j]] += 1 } }
    }
    /// The same under a mask that has only what is set.
    fn histogram_few(img: &Runs<u8>, mask: &RunMask) -> (h: DenseVec<u64>[256]) {
        for i, j { if mask[i, j] { h[img[i, j]] += 1 } }
    }
    /// The same, where runs of the image are looked for from those of the mask.
    fn histogram_led(img: &Runs<u8>, mask: &RunMask) -> (h: DenseVec<u64>[256]) {
        for i, j { if mask[i, j::lead] { h[img[i, j::follow]] += 1 } }
    }
    /// Counts of runs under bits.
    fn histogram_bits(img: &DenseMat<u8>, mask: &BitMask) -> (h: DenseVec<u64>[256]) {
        for i, j { if mask[i, j] { h[img[i, j]] += 1 } }
    }
    /// Counts of bytes where the mask has runs.
    fn histogram_mixed(img: &DenseMat<u8>, mask: &Runs<bool>) -> (h: DenseVec<u64>[256]) {
        for i, j { if mask[i, j] { h[img[i, j]] += 1 } }
    }
    /// An 11 x 11 filter at each pixel of a mask, over an image with pixels of 0 around it; five more columns
    /// of 0 make a row of the filter two registers long.
    fn convolve_padded(mask: &Mask, a: &DenseMat<u8>, f: &DenseMat<f32>) -> (c: Csr<f32>) {
        for i, k { if mask[i, k] {
            { c[i, k] = t } where { for j in 0..11 { for l in 0..16 {
                t += a[window(i, i + 11)[j], window(k, k + 16)[l]] * f[j, l]
            } } }
        } }
    }
    /// The same, of an image without anything around it.
    fn convolve_one_line(mask: &Mask, a: &DenseMat<u8>, f: &DenseMat<f32>) -> (c: Csr<f32>) {
        if mask[i, k] { c[i, k] += coalesce(a[permit[i + j - 5], permit[k + l - 5]], 0) * f[j, l] }
    }
    /// The same over what is not 0.
    fn convolve_few(mask: &Mask, a: &Csr<u8>, f: &DenseMat<f32>) -> (c: Csr<f32>) {
        for i, k { if mask[i, k] {
            { c[i, k] = t } where { for j in 0..11 { for l in 0..11 {
                t += a[window(i, i + 11)[j], window(k, k + 11)[l]] * f[j, l]
            } } }
        } }
    }
    /// An 11 x 11 filter where the image is not 0.
    fn convolve(a: &Csr<f64>, f: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j, l {
            c[i, k] += (a[i, k] != 0) * coalesce(a[permit[i + j - 5], permit[k + l - 5]], 0) * f[j, l]
        }
    }
}

fn blend_by_hand(p: &Array<u8>, q: &Array<u8>, alpha: u32) -> Vec<u8> {
    p.val.iter().zip(&q.val).map(|(p, q)| mix(*p, *q, alpha)).collect()
}

/// Distances of all pairs pixel by pixel.
fn similar_by_hand(p: &Array<u8>, images: usize) -> Vec<f64> {
    let size = p.val.len() / images;
    let image = |k: usize| &p.val[k * size..(k + 1) * size];
    let mut o = vec![0.0; images * images];
    for k in 0..images {
        for l in 0..images {
            let differences =
                image(k).iter().zip(image(l)).map(|(p, q)| i64::from(*p) - i64::from(*q));
            o[k * images + l] = (differences.map(|d| d * d).sum::<i64>() as f64).sqrt();
        }
    }
    o
}

fn erode_by_hand(p: &[bool], rows: usize, cols: usize) -> Vec<bool> {
    let mut y = vec![false; rows * cols];
    for i in 1..rows.max(2) - 1 {
        for j in 1..cols.max(2) - 1 {
            let k = i * cols + j;
            *place!(y, k) =
                at!(p, k) & at!(p, k - 1) & at!(p, k + 1) & at!(p, k - cols) & at!(p, k + cols);
        }
    }
    y
}

fn histogram_by_hand(p: &Array<u8>, mask: &[bool]) -> Vec<u64> {
    let mut h = vec![0; 256];
    for (p, m) in p.val.iter().zip(mask) {
        h[*p as usize] += u64::from(*m);
    }
    h
}

fn convolve_by_hand(p: &[f64], rows: usize, cols: usize, f: &[f64]) -> Vec<f64> {
    let mut c = vec![0.0; rows * cols];
    for i in 0..rows {
        for k in 0..cols {
            if at!(p, i * cols + k) == 0.0 {
                continue;
            }
            let mut sum = 0.0;
            for j in 5usize.saturating_sub(i)..11.min(rows + 5 - i) {
                for l in 5usize.saturating_sub(k)..11.min(cols + 5 - k) {
                    sum += at!(p, (i + j - 5) * cols + k + l - 5) * at!(f, j * 11 + l);
                }
            }
            *place!(c, i * cols + k) = sum;
        }
    }
    c
}

fn each(program: &'static str, suite: &mut Suite, mut run: impl FnMut(&mut Suite, &Picture)) {
    for picture in pictures::all(&suite.options) {
        if suite.options.wants(&[program, &picture.name]) {
            run(suite, &picture);
        }
    }
}

/// The picture with its rows the other way round.
fn turned(p: &Array<u8>) -> Array<u8> {
    let rows = p.val.chunks(p.cols).rev();
    Array { val: rows.flatten().copied().collect(), ..*p }
}

/// Where a picture is light, as ones.
fn light(p: &Array<u8>) -> Array<u8> {
    Array { val: p.val.iter().map(|v| u8::from(*v > 127)).collect(), ..*p }
}

/// Blends of each picture and itself upside down.
pub fn run_blend(program: &'static str, suite: &mut Suite) {
    // By thirds, so that nothing is halfway between two colours, which libraries round differently.
    each(program, suite, |suite, picture| {
        let (p, q) = (picture.pixels.clone(), turned(&picture.pixels));
        let problem = Problem { p, q, alpha: 1.0 / 3.0, ..Problem::default() };
        let alpha = (problem.alpha * 65_536.0).round() as u32;
        let (p, q) = (&problem.p, &problem.q);
        let (rp, rq): (Runs<u8>, Runs<u8>) = (p.map(|v| v), q.map(|v| v));
        let (dp, dq): (DenseMat<u8>, DenseMat<u8>) = (p.map(|v| v), q.map(|v| v));
        let (hp, hq) = (ByRuns::of(&p.val, p.cols), ByRuns::of(&q.val, q.cols));
        let mut contest = Contest::new(program, &picture.name, p.val.len());
        contest
            .ours("runs", || blend_runs(black_box(&rp), black_box(&rq), black_box(alpha)), dense)
            .again(
                "runs again",
                Tensor::new([0, 0]).expect("a small size"),
                |y| blend_runs_again(black_box(&rp), black_box(&rq), black_box(alpha), y),
                dense,
            )
            .ours("dense", || blend_dense(black_box(&dp), black_box(&dq), black_box(alpha)), dense)
            .hand(
                "runs",
                || blend_runs_by_hand(black_box(&hp), black_box(&hq), black_box(alpha)),
                |y| y.dense(),
            )
            .hand("dense", || blend_by_hand(black_box(p), black_box(q), black_box(alpha)), values);
        suite.run(contest, &problem);
    });
}

/// All pairs of the first 200 images.
pub fn run_similarity(program: &'static str, suite: &mut Suite) {
    each(program, suite, |suite, picture| {
        let (p, images) = picture.stack(200);
        if images < 8 || !suite.affords(program, &picture.name, (p.val.len() * images) as f64) {
            return;
        }
        // Peers are told the rows of one image.
        let p = Array { rows: picture.height, ..p };
        let problem = Problem { p, images, ..Problem::default() };
        let p = &problem.p;
        let rows = Array { rows: images, cols: p.val.len() / images, val: p.val.clone() };
        let (runs, lists): (Runs<f64>, Csr<f64>) = (rows.map(f64::from), rows.map(f64::from));
        let turned = (0..rows.cols * images)
            .map(|k| f64::from(rows.val[k % images * rows.cols + k / images]));
        let turned: DenseMat<f64> =
            Tensor::from_dense([rows.cols, images], &turned.collect::<Vec<_>>())
                .expect("as many values as elements");
        let mut contest = Contest::new(program, &picture.name, p.val.len());
        // Libraries add in 32-bit floats.
        contest.precision = 1e-4;
        contest
            .ours(
                "by pixels",
                || similar_by_pixels(black_box(&lists), black_box(&turned), images),
                dense,
            )
            .ours("lists", || similar_lists(black_box(&lists), images), dense)
            .ours("runs", || similar_runs(black_box(&runs), images), dense)
            .hand("dense", || similar_by_hand(black_box(p), images), values);
        suite.run(contest, &problem);
    });
}

/// An image with five pixels of 0 around it, and five more behind each row.
fn padded(p: &Array<u8>) -> Array<u8> {
    let cols = p.cols + 15;
    let mut val = vec![0; (p.rows + 10) * cols];
    let rows = val.chunks_exact_mut(cols).skip(5).zip(p.val.chunks_exact(p.cols.max(1)));
    rows.for_each(|(to, from)| to[5..5 + p.cols].copy_from_slice(from));
    Array { rows: p.rows + 10, cols, val }
}

/// How many words a row of so many pixels has, one without pixels included.
fn words(cols: usize) -> usize {
    cols.div_ceil(64) + 1
}

/// 64 pixels of a row in a word; behind the last there are none.
fn packed(p: &Array<u8>) -> DenseVec<u64> {
    let words = words(p.cols);
    let mut all = vec![0; p.rows * words];
    for (k, _) in p.val.iter().enumerate().filter(|(_, v)| **v > 0) {
        all[k / p.cols * words + k % p.cols / 64] |= 1 << (k % p.cols % 64);
    }
    Tensor::from_dense([p.rows * words], &all).expect("as many words as there are")
}

/// The same as a program would do it whose pixels are bytes: row by row.
fn packed_by_rows(p: &Array<u8>) -> DenseVec<u64> {
    let words = words(p.cols);
    let mut all = vec![0; p.rows * words];
    for (to, row) in all.chunks_exact_mut(words).zip(p.val.chunks_exact(p.cols.max(1))) {
        for (word, pixels) in to.iter_mut().zip(row.chunks(64)) {
            *word = pixels.iter().rev().fold(0, |word, v| word << 1 | u64::from(*v > 0));
        }
    }
    Tensor::from_parts(Dense::new(all.len(), Element::new(all))).expect("one value each")
}

/// The pixels of words.
fn unpacked(y: &DenseVec<u64>, rows: usize, cols: usize) -> Vec<f64> {
    let (all, words) = (y.to_dense(), words(cols));
    let pixel = |k: usize| all[k / cols * words + k % cols / 64] >> (k % cols % 64) & 1;
    (0..rows * cols).map(|k| pixel(k) as f64).collect()
}

/// Where each picture is light, eroded.
pub fn run_erosion(program: &'static str, suite: &mut Suite) {
    each(program, suite, |suite, picture| {
        let problem = Problem { p: light(&picture.pixels), ..Problem::default() };
        let p = &problem.p;
        let (runs, bits, bytes): (Runs<bool>, BitMask, DenseMat<bool>) =
            (p.map(|v| v > 0), p.map(|v| v > 0), p.map(|v| v > 0));
        let flags: Vec<bool> = p.val.iter().map(|v| *v > 0).collect();
        let packed = packed(p);
        let pixels: DenseMat<u8> = p.map(|v| v);
        let (few, set): (RunMask, Set) = (p.map(|v| v > 0), Set::of(&flags, p.cols));
        let mut contest = Contest::new(program, &picture.name, p.val.len());
        contest
            .ours(
                "words",
                || erode_words(black_box(&packed), words(p.cols)),
                |y| Answer::Dense(unpacked(&y, p.rows, p.cols)),
            )
            .ours(
                "words, with packing",
                || erode_words(&packed_by_rows(black_box(p)), words(p.cols)),
                |y| Answer::Dense(unpacked(&y, p.rows, p.cols)),
            )
            .ours("bits, with packing", || erode_bits(&bits_of(black_box(&pixels))), dense)
            .ours("runs", || erode_runs(black_box(&runs)), dense)
            .ours("few", || erode_few(black_box(&few)), dense)
            .ours("bits", || erode_bits(black_box(&bits)), dense)
            .ours("dense", || erode_dense(black_box(&bytes)), dense)
            .hand("runs", || erode_set_by_hand(black_box(&set)), |y| y.dense())
            .hand("dense", || erode_by_hand(black_box(&flags), p.rows, p.cols), values);
        suite.run(contest, &problem);
    });
}

/// Counts of each picture where it is light upside down.
pub fn run_histogram(program: &'static str, suite: &mut Suite) {
    each(program, suite, |suite, picture| {
        let (p, q) = (picture.pixels.clone(), light(&turned(&picture.pixels)));
        let problem = Problem { p, q, ..Problem::default() };
        let (p, q) = (&problem.p, &problem.q);
        let (runs, bytes): (Runs<u8>, DenseMat<u8>) = (p.map(|v| v), p.map(|v| v));
        let (under, bits): (Runs<bool>, BitMask) = (q.map(|v| v > 0), q.map(|v| v > 0));
        let few: RunMask = q.map(|v| v > 0);
        let flags: Vec<bool> = q.val.iter().map(|v| *v > 0).collect();
        let (by_runs, set) = (ByRuns::of(&p.val, p.cols), Set::of(&flags, q.cols));
        let mut contest = Contest::new(program, &picture.name, p.val.len());
        contest
            .ours("few", || histogram_few(black_box(&runs), black_box(&few)), dense)
            .ours("led", || histogram_led(black_box(&runs), black_box(&few)), dense)
            .ours("runs", || histogram_runs(black_box(&runs), black_box(&under)), dense)
            .ours("bits", || histogram_bits(black_box(&bytes), black_box(&bits)), dense)
            .ours("mixed", || histogram_mixed(black_box(&bytes), black_box(&under)), dense)
            .hand("runs", || histogram_runs_by_hand(black_box(&by_runs), black_box(&set)), values)
            .hand("dense", || histogram_by_hand(black_box(p), black_box(&flags)), values);
        suite.run(contest, &problem);
    });
}

/// A filter over where an image is not 0: noise of several densities, and drawings of which little is.
pub fn run_convolution(program: &'static str, suite: &mut Suite) {
    let mut images: Vec<(String, Array<u8>)> = Vec::new();
    let noise = [("5 %", 0.05), ("1 %", 0.01), ("0.1 %", 0.001)];
    for (told, share) in noise.into_iter().filter(|_| suite.options.list("made")) {
        images.push((format!("noise of {told}"), pictures::noise(1024, share, 9)));
    }
    let drawn = pictures::all(&suite.options).into_iter();
    let drawn = drawn.filter(|p| {
        p.name.starts_with("sketches")
            || p.name.starts_with("line_")
            || p.name.starts_with("omniglot")
    });
    // Ink is dark.
    images.extend(drawn.map(|p| {
        let dark = p.pixels.val.iter().filter(|v| **v < 128).count();
        let ink = |v: u8| if dark * 2 < p.pixels.val.len() { v < 128 } else { v >= 128 };
        (
            p.name,
            Array { val: p.pixels.val.iter().map(|v| u8::from(ink(*v))).collect(), ..p.pixels },
        )
    }));
    for (name, p) in images {
        let p = Array { val: p.val.iter().map(|v| u8::from(*v > 0)).collect(), ..p };
        let ink = p.val.iter().filter(|v| **v > 0).count();
        if !suite.options.wants(&[program, &name])
            || !suite.affords(program, &name, ink as f64 * 121.0)
        {
            continue;
        }
        let val = (0..121).map(|k| f64::from(k % 7) - 2.5).collect();
        let problem = Problem { p, d: Array { rows: 11, cols: 11, val }, ..Problem::default() };
        let (p, f) = (&problem.p, problem.d.dense());
        let lists: Csr<f64> = p.map(f64::from);
        let mask: Mask = p.map(|v| v > 0);
        let around = padded(p);
        let (around, few): (DenseMat<u8>, Csr<u8>) = (around.map(|v| v), around.map(|v| v));
        let bytes: DenseMat<u8> = p.map(|v| v);
        let all: Vec<f32> = problem.d.val.iter().map(|v| *v as f32).collect();
        let own = Tensor::from_dense([11, 11], &all).expect("as many values as elements");
        let mut filter = vec![0.0; 11 * 16];
        for (k, v) in problem.d.val.iter().enumerate() {
            filter[k / 11 * 16 + k % 11] = *v as f32;
        }
        let filter: DenseMat<f32> =
            Tensor::from_dense([11, 16], &filter).expect("as many values as elements");
        let pixels: Vec<f64> = p.val.iter().map(|v| f64::from(*v)).collect();
        let mut contest = Contest::new(program, &name, ink);
        contest
            .ours(
                "one line",
                || convolve_one_line(black_box(&mask), black_box(&bytes), black_box(&own)),
                dense,
            )
            .ours("lists", || convolve(black_box(&lists), black_box(&f)), dense)
            .ours(
                "padded",
                || convolve_padded(black_box(&mask), black_box(&around), black_box(&filter)),
                dense,
            )
            .ours(
                "padded, with padding",
                || {
                    let Array { rows, cols, val } = padded(black_box(p));
                    let a = Dense::new(rows, Dense::new(cols, Element::new(val)));
                    let a = Tensor::from_parts(a).expect("one value each");
                    convolve_padded(black_box(&mask), &a, black_box(&filter))
                },
                dense,
            )
            .ours(
                "few",
                || convolve_few(black_box(&mask), black_box(&few), black_box(&filter)),
                dense,
            )
            .hand(
                "dense",
                || convolve_by_hand(black_box(&pixels), p.rows, p.cols, &problem.d.val),
                values,
            );
        suite.run(contest, &problem);
    }
}
