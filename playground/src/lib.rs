//! The compiler in a web page: a program and small tensors in, loops, looplets, costs and results out, all as JSON text.
//!
//! [`answer`] is the whole interface; [`door`] is how a page that has this as WebAssembly calls it.

mod data;
mod dense;
pub mod door;
mod eval;
mod library;
mod methods;
mod place;
mod report;
mod rust;
mod samples;
mod split;
mod value;

use serde_json::{json, Value};

/// Answers a question of the page.
///
/// `{"ask": "start"}` is answered by what can be chosen, `{"samples", "levels", "fills", "values"}`; `{"ask": "program",
/// "program": text, "inputs": {name: value}}` by what the program means, `{"ok", "errors", "warnings", "tensors", "scalars",
/// "ways", "stages", "nests", "results"}`. Anything else is an error, `{"error": text}`.
///
/// # Panics
/// By `{"ask": "panic"}`, so that a page can be tested for what it does then; and by a mistake of the compiler.
///
/// Compiling takes what `finch!` takes; evaluating takes time and memory in the elements of the tensors, of which there is a limit.
pub fn answer(question: &str) -> String {
    let asked: Value = match serde_json::from_str(question) {
        Ok(asked) => asked,
        Err(e) => return json!({ "error": format!("the question is no JSON: {e}") }).to_string(),
    };
    let answer = match asked["ask"].as_str() {
        Some("start") => start(),
        Some("program") => {
            let none = json!({});
            let inputs = asked.get("inputs").unwrap_or(&none);
            report::report(asked["program"].as_str().unwrap_or_default(), inputs)
        }
        Some("panic") => panic!("the page asked for it"),
        _ => json!({ "error": "the page asks for `start` or for a `program`" }),
    };
    answer.to_string()
}

fn start() -> Value {
    json!({
        "samples": samples::all(),
        "levels": report::levels(&library::Own::new()),
        "fills": library::fills(&library::Own::new()),
        "values": ["f64", "f32", "i64", "i32", "u64", "u32", "u8", "bool"],
    })
}
