//! The level that the author's guide makes, whole: it is what the guide shows, and it conforms.

use looplets::prelude::*;

level! {
    /// Aligned blocks of four.
    pub struct Quads<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        quad: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` cuts `quad` in order, so that `pos[p]`, `pos[p + 1]` and `quad[q]` between them exist; the
    // child has four fibers for each quad, and a quad begins below `len`.
    unsafe invariant(fibers) {
        crate::check(len, fibers, pos, quad)
    }
    read walk, follow(p) {
        let start = pos[p];
        let end = pos[p + 1];
        // Where the last quad ends.
        let stop = if start < end { min(4 * quad[end - 1] + 4, len) } else { 0 };
        pipeline {
            ..stop => stepper {
                for q in start..end,
                // The quad that holds `i`, or the next if none does.
                seek(i): crate::quad_from(quad, q, end, i),
                stop: min(4 * quad[q] + 4, len),
                body: {
                    let first = 4 * quad[q];
                    pipeline {
                        ..first => run(fill),
                        .. => lookup(|i| child[4 * q + (i - first)]),
                    }
                },
            },
            .. => run(fill),
        }
    }
    read gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let stop = if start < end { min(4 * quad[end - 1] + 4, len) } else { 0 };
        pipeline {
            ..stop => jumper {
                for q in start..end,
                seek(i): crate::gallop_to(quad, q, end, i),
                stop: min(4 * quad[q] + 4, len),
                body: {
                    let first = 4 * quad[q];
                    pipeline {
                        ..first => run(fill),
                        .. => lookup(|i| child[4 * q + (i - first)]),
                    }
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let q = crate::quad_from(quad, pos[p], end, i);
        switch {
            q < end && quad[q] == i / 4 => child[4 * q + i % 4],
            _ => fill,
        }
    }
    split(p, i) { 4 * crate::quads_before(pos, quad, p, i) }
    join(pos: offsets, quad: entries);
    write append(p, i) {
        open: { crate::begin(pos, p, quad.len()) },
        child: 4 * crate::place(quad, pos[p], i) + i % 4,
        commit: {
            if crate::place(quad, pos[p], i) == quad.len() {
                quad.push(Ix::from_i64(i as i64 / 4));
            }
        },
        finish(fibers) { crate::begin(pos, fibers, quad.len()) },
        children(fibers) { quad.len().checked_mul(4) },
    }
}

/// The first quad in `lo..hi` that ends behind `i`.
pub fn quad_from<Ix: Index>(quad: &[Ix], lo: i64, hi: i64, i: i64) -> i64 {
    looplets::search::lower_bound(quad, lo, hi, i / 4)
}

/// The first quad in `lo..hi` that ends behind `i`, likely near `lo`.
pub fn gallop_to<Ix: Index>(quad: &[Ix], lo: i64, hi: i64, i: i64) -> i64 {
    looplets::search::gallop(quad, lo, hi, i / 4)
}

/// The quad of entry `i` of the fiber that starts at `start`: the last one, or the one that would be next.
pub fn place<Ix: Index>(quad: &[Ix], start: usize, i: usize) -> usize {
    match quad.last() {
        Some(last) if quad.len() > start && last.to_i64() == i as i64 / 4 => quad.len() - 1,
        _ => quad.len(),
    }
}

/// Makes `pos` hold the starts of fibers `0..=p`; the last begins behind `count` quads.
pub fn begin(pos: &mut Vec<usize>, p: usize, count: usize) -> Result<(), String> {
    pos.truncate(p + 1);
    looplets::level::grow(pos, p + 1, count)
}

/// The quads before fiber `p`, and of it those that begin before `i`.
pub fn quads_before<Ix: Index>(pos: &[usize], quad: &[Ix], p: usize, i: usize) -> usize {
    if i == 0 {
        return pos[p];
    }
    let (lo, hi) = (pos[p] as i64, pos[p + 1] as i64);
    looplets::search::lower_bound(quad, lo, hi, i.div_ceil(4) as i64) as usize
}

/// The number of children, or what is wrong.
pub fn check<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    quad: &[Ix],
) -> Result<usize, String> {
    if pos.len().checked_sub(1) != Some(fibers) || pos[0] != 0 || pos[fibers] != quad.len() {
        return Err(format!("`pos` does not cut {} quads into {fibers} fibers", quad.len()));
    }
    for p in 0..fibers {
        let fiber = quad.get(pos[p]..pos[p + 1]).ok_or(format!("`pos` descends at fiber {p}"))?;
        if fiber.windows(2).any(|w| w[0] >= w[1]) {
            return Err(format!("the quads of fiber {p} do not ascend"));
        }
        if fiber.last().is_some_and(|q| q.to_i64() as u64 >= len.div_ceil(4) as u64) {
            return Err(format!("fiber {p} has a quad beyond its size, {len}"));
        }
    }
    quad.len().checked_mul(4).ok_or("too many quads".to_owned())
}

conformance! {
    mod level: Quads;
    read walk, gallop, locate;
    also follow, lead;
    write append;
    coordinates u8, u64;
    refuse {
        "a quad is beyond the size": Quads::new(8, vec![0, 1], vec![2], Element::new(vec![1.0; 4])),
        "values are missing": Quads::new(8, vec![0, 1], vec![1], Element::new(vec![1.0; 3])),
        "quads descend": Quads::new(8, vec![0, 2], vec![1, 0], Element::new(vec![1.0; 8])),
        "a fiber is missing": Quads::new(8, vec![], vec![], Element::new(vec![])),
    }
}

#[test]
fn the_guide_shows_this_file() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let guide = words(include_str!("../src/guide/formats.md"));
    let source = include_str!("guide.rs").split("#[test]").next().unwrap();
    let mut shown = 0;
    for line in source.lines().skip(2).map(words) {
        // What `cargo fmt` breaks differently is shown in parts.
        if line.len() > 12 && !line.starts_with("//") && !line.contains("read walk") {
            assert!(guide.contains(&line), "the guide does not show: {line}");
            shown += 1;
        }
    }
    assert!(shown > 60, "{shown} lines");
}

finch! {
    fn rows(a: &Tensor<Dense<Quads<Element<f64>>>>) -> (b: Tensor<Dense<Quads<Element<f64>>>>, c: Tensor<Quads<Element<f64>>>) {
        parallel for i { for j { b[i, j] = 2 * a[i, j]; c[i] += a[i, j] } }
    }
}

/// Rows are joined; the one fiber of `c`, whose quads chunks divide, is assembled again.
#[test]
fn parallel_loops_join() {
    let (m, n) = (1003, 50);
    let value = |k: usize| if k * k % 7 == 2 && k / n % 5 != 3 { k as f64 } else { 0.0 };
    let values: Vec<f64> = (0..m * n).map(value).collect();
    let a: Tensor<Dense<Quads<Element<f64>>>> = Tensor::from_dense([m, n], &values).unwrap();
    assert_eq!(a.work(0), 0);
    assert_eq!(a.work(m), a.stored());
    let (b, c) = rows(&a);
    assert!(values.iter().zip(b.to_dense()).all(|(v, w)| 2.0 * v == w));
    let sums: Vec<f64> = values.chunks(n).map(|row| row.iter().sum()).collect();
    assert_eq!(c.to_dense(), sums);
}
