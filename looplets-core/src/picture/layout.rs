//! How large the boxes of a nest are. Nothing is narrower than its words, so that no two of them overlap.

use super::nest::{Nest, Part};

/// The advance of a character of the monospaced font at 12 pixels, with a little room.
const CHARACTER: f64 = 7.4;
/// The height of a line of text.
pub(super) const LINE: f64 = 17.0;
/// Between a box and what is in it.
pub(super) const PAD: f64 = 8.0;
/// The height of the box of a run.
const ELEMENT: f64 = 34.0;
/// The width of a box that stands for further children.
pub(super) const GHOST: f64 = 30.0;

/// How wide `text` is.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// The least width and height of a nest.
pub(super) fn size(nest: &Nest) -> (f64, f64) {
    match nest {
        Nest::Run { value, .. } => (width(value) + 2.0 * PAD, ELEMENT),
        Nest::Parts { kind, parts } => {
            let sizes: Vec<_> = parts.iter().map(part).collect();
            let high = sizes.iter().fold(0.0, |most: f64, (_, h)| most.max(*h));
            let wide: f64 = sizes.iter().map(|(w, _)| w).sum();
            (wide.max(width(kind)), LINE + high)
        }
        Nest::Repeat { kind, state, child } => {
            let (wide, high) = part(child);
            let title = width(&title(kind, state)) + 2.0 * PAD;
            ((wide + 2.0 * GHOST + 2.0 * PAD).max(title), LINE + high + 2.0 * PAD)
        }
        Nest::Cases(cases) => {
            let (mut wide, mut high) = (width("switch") + 2.0 * PAD, LINE + PAD);
            for (cond, nest) in cases {
                let (w, h) = size(nest);
                wide = wide.max(w + 2.0 * PAD).max(width(cond) + 2.0 * PAD);
                high += LINE + h + PAD;
            }
            (wide, high)
        }
        Nest::Frame { kind, words, body } => {
            let (mut wide, high) = size(body);
            let lines = lines(kind, words);
            for line in &lines {
                wide = wide.max(width(line));
            }
            (wide + 2.0 * PAD, LINE * lines.len() as f64 + high + 2.0 * PAD)
        }
    }
}

/// The least width and height of a part, with the line that says where it ends.
pub(super) fn part(part: &Part) -> (f64, f64) {
    let (wide, high) = size(&part.nest);
    (wide.max(width(&part.stop) + PAD), high + LINE)
}

/// The lines at the top of a frame.
pub(super) fn lines(kind: &str, words: &[String]) -> Vec<String> {
    match kind {
        "" => words.to_vec(),
        kind => vec![title(kind, &words.join(", "))],
    }
}

/// A kind of looplet, and what is to be said of it.
pub(super) fn title(kind: &str, words: &str) -> String {
    format!("{kind} {words}").trim_end().to_owned()
}
