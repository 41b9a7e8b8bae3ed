//! The programs that the page begins with, each with the paper it is from and small tensors.

use serde_json::{json, Value};

/// The files, by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// All of them: `{ name, title, paper, note, program, inputs }`.
pub fn all() -> Vec<Value> {
    FILES.iter().map(|(name, text)| sample(name, text)).collect()
}

/// A file: a head of `key: value` lines, the program, and a line for each argument, parted by `---`.
fn sample(name: &str, text: &str) -> Value {
    let mut parts = text.split("\n---\n");
    let mut part = || parts.next().unwrap_or_default().trim_end();
    let (head, program, arguments) = (part(), part(), part());
    let field = |key: &str| {
        let lines = head.lines().filter_map(|l| l.split_once(": "));
        lines.filter(|(k, _)| *k == key).map(|(_, v)| v).collect::<Vec<_>>().join(" ")
    };
    let inputs = arguments.lines().filter_map(|l| l.split_once(": "));
    let inputs: serde_json::Map<String, Value> = inputs
        .filter_map(|(k, v)| Some((k.trim().to_owned(), serde_json::from_str(v).ok()?)))
        .collect();
    json!({
        "name": name.split_once('_').map_or(name, |(_, rest)| rest),
        "title": field("title"),
        "paper": field("paper"),
        "note": field("note"),
        "program": program,
        "inputs": inputs,
    })
}
