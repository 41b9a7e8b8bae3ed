//! The ways to run a program and what they cost, for people.

use super::Way;
use std::fmt::Write as _;

/// The text of `ways`, beside which there were `others`.
pub fn told(ways: &[Way], others: usize) -> String {
    let mut out = String::new();
    for (n, way) in ways.iter().enumerate() {
        // Writing to a string cannot fail.
        let chosen = way.chosen();
        let colon = if chosen.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "way {}{colon}{chosen}", n + 1);
        for each in &way.count.loops {
            let indent = "    ".repeat(each.depth + 1);
            let _ = writeln!(out, "{indent}for {}: {} steps", each.index, each.steps);
        }
        if ways.len() > 1 {
            let _ = writeln!(out, "    about {} ns", way.count.time);
        }
    }
    let mut on_request: Vec<String> = Vec::new();
    for option in ways.iter().flat_map(|way| &way.on_request).map(ToString::to_string) {
        if !on_request.contains(&option) {
            on_request.push(option);
        }
    }
    if !on_request.is_empty() {
        let _ = writeln!(out, "by its word alone: {}", on_request.join(", "));
    }
    match others {
        0 => {}
        1 => out += "1 other way costs more\n",
        n => {
            let _ = writeln!(out, "{n} other ways cost more");
        }
    }
    out
}
