//! Nests as indented text.

use super::nest::{Fiber, Nest, Part};

/// The fibers, one after the other: where each part ends, and what is there.
///
/// Linear in the nests.
pub fn text(fibers: &[Fiber]) -> String {
    let mut out = String::new();
    for fiber in fibers {
        out += &fiber.heading();
        out += "\n";
        write(&fiber.nest, 1, &mut out);
    }
    out
}

/// The nest alone.
///
/// Linear in the nest.
pub fn of_nest(nest: &Nest) -> String {
    let mut out = String::new();
    write(nest, 0, &mut out);
    out
}

impl Fiber {
    /// What it is of, in one line.
    pub fn heading(&self) -> String {
        let Fiber { access, level, dimension, index, protocol, start, stop, .. } = self;
        match index {
            Some(index) => {
                format!("{access}, dimension {dimension}: {level} by {protocol}, {index} in {start}..{stop}")
            }
            None => {
                format!("{access}, dimension {dimension}: {level} by {protocol}, at one coordinate")
            }
        }
    }
}

fn write(nest: &Nest, indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    let mut line = |text: &str| {
        out.push_str(&pad);
        out.push_str(text);
        out.push('\n');
    };
    match nest {
        Nest::Run { value, .. } => line(&format!("run {value}")),
        Nest::Parts { kind, parts } => {
            line(kind);
            parts.iter().for_each(|p| part(p, indent + 1, out));
        }
        Nest::Repeat { kind, state, child } => {
            line(&format!("{kind} {state}"));
            part(child, indent + 1, out);
        }
        Nest::Cases(cases) => {
            line("switch");
            for (cond, nest) in cases {
                out.push_str(&format!("{pad}  {cond}\n"));
                write(nest, indent + 2, out);
            }
        }
        Nest::Frame { kind: "", words, body } => {
            words.iter().for_each(|w| line(w));
            write(body, indent, out);
        }
        Nest::Frame { kind, words, body } => {
            line(&format!("{kind} {}", words.join(", ")));
            write(body, indent + 1, out);
        }
    }
}

fn part(part: &Part, indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    match &part.nest {
        Nest::Run { value, .. } => out.push_str(&format!("{pad}..{}: {value}\n", part.stop)),
        nest => {
            out.push_str(&format!("{pad}..{}\n", part.stop));
            write(nest, indent + 1, out);
        }
    }
}
