//! Trees of fibers as text: a line for each path, a column for each level.

use super::{Below, Fiber, Node, Picture};
use std::fmt;

/// Lines from a column on; `true` where a child of the column's fiber begins.
type Lines = Vec<(bool, String)>;

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading)?;
        let mut widths: Vec<usize> = self.levels.iter().map(|l| l.chars().count()).collect();
        widen(&self.root, 0, &mut widths);
        let names: Vec<String> = self
            .levels
            .iter()
            .zip(&widths)
            .map(|(name, width)| format!("{name:<width$}"))
            .collect();
        writeln!(f, "{}", names.join("   ").trim_end())?;
        for (_, line) in below(&self.root, 0, &widths) {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl Node {
    /// Coordinate and position.
    fn label(&self) -> String {
        format!("{}{}", self.coordinate, self.position)
    }
}

/// Makes each column as wide as what stands in it.
fn widen(below: &Below, depth: usize, widths: &mut [usize]) {
    let Below::Fiber(fiber) = below else { return };
    for node in &fiber.children {
        if let Some(width) = widths.get_mut(depth) {
            *width = (*width).max(node.label().chars().count());
        }
        widen(&node.below, depth + 1, widths);
    }
}

fn below(below: &Below, depth: usize, widths: &[usize]) -> Lines {
    match below {
        Below::Value(value) => vec![(true, value.clone())],
        Below::Fiber(fiber) => lines(fiber, depth, widths),
    }
}

fn lines(fiber: &Fiber, depth: usize, widths: &[usize]) -> Lines {
    if let Some(nothing) = fiber.nothing() {
        return vec![(true, nothing)];
    }
    let width = widths.get(depth).copied().unwrap_or(0);
    let mut out = Lines::new();
    for node in &fiber.children {
        let inner = below(&node.below, depth + 1, widths);
        let last = inner.iter().rposition(|(begins, _)| *begins).unwrap_or(0);
        let label = node.label();
        for (k, (begins, line)) in inner.iter().enumerate() {
            let link = match (k, begins) {
                (0, _) if last == 0 => '─',
                (0, _) => '┬',
                (k, true) if k == last => '└',
                (_, true) => '├',
                (k, false) if k < last => '│',
                _ => ' ',
            };
            let label = if k == 0 { label.as_str() } else { "" };
            out.push((k == 0, format!("{label:<width$} {link} {line}")));
        }
    }
    out.extend(fiber.left_out().map(|text| (true, text)));
    out
}
