//! The looplet nests of the operands, level by level, as trees of text that the page draws as boxes: a nest says what the
//! declaration of the level says, for a fiber of any position.

use looplets_core::cin::AccessId;
use looplets_core::decl::{LetDecl, Nest, Payload, StepperDecl};
use looplets_core::diagnostics::text;
use looplets_core::kernel::Kernel;
use quote::ToTokens;
use serde_json::{json, Value};

/// One for each level and protocol of each tensor that is read, in the order of the program.
pub fn nests(kernel: &Kernel) -> Vec<Value> {
    let (mut out, mut seen) = (Vec::new(), Vec::new());
    for id in (0..kernel.accesses.len() as u32).map(AccessId) {
        let access = kernel.get(id);
        if access.write {
            continue;
        }
        let tensor = kernel.tensor(access.tensor);
        for (dim, index) in access.indices.iter().enumerate() {
            let decl = tensor.levels[dim].format.level();
            let along = index.kind.loop_of();
            let first = decl.reads.first().and_then(|read| read.names.first());
            let protocol = match (&index.protocol, along) {
                (Some(named), _) => named.clone(),
                (None, None) => "locate".to_owned(),
                (None, Some(_)) => first.map_or_else(String::new, ToString::to_string),
            };
            let key = (access.tensor, dim, protocol.clone());
            let Some(read) = decl.read(&protocol).filter(|_| !seen.contains(&key)) else {
                continue;
            };
            seen.push(key);
            out.push(json!({
                "access": kernel.access_text(id),
                "level": decl.name.to_string(),
                "dimension": dim,
                "index": along.map(|v| kernel.called(v)),
                "protocol": protocol,
                "nest": tree(&read.nest, "len"),
            }));
        }
    }
    out
}

fn code(e: impl ToTokens) -> String {
    // Operators stand apart, as rustfmt has them.
    let tight = text(e);
    let mut out = String::new();
    let chars: Vec<char> = tight.chars().collect();
    for (k, c) in chars.iter().enumerate() {
        let (before, after) = (k.checked_sub(1).map(|k| chars[k]), chars.get(k + 1));
        let operand = |c: char| c.is_alphanumeric() || "_)]".contains(c);
        let infix = "+*/<>=".contains(*c)
            && before.is_some_and(operand)
            && after.is_some_and(|a| a.is_alphanumeric() || "_([".contains(*a));
        let minus = *c == '-' && before.is_some_and(operand);
        match c {
            '{' if before.is_some_and(|b| b != ' ') => out += " { ",
            '{' => out += "{ ",
            '}' if after.is_some_and(|a: &char| a.is_ascii_alphabetic()) => out += " } ",
            '}' => out += " }",
            c if infix || minus => out += &format!(" {c} "),
            c => out.push(*c),
        }
    }
    out
}

/// `nest`, which ends at `stop`.
fn tree(nest: &Nest, stop: &str) -> Value {
    match nest {
        Nest::Let(defs, body) => {
            let words: Vec<String> = defs.iter().map(definition).collect();
            json!({ "kind": "", "words": words, "body": tree(body, stop) })
        }
        Nest::Run(value) => run(value),
        Nest::Spike(body, tail) => {
            let last =
                stop.strip_suffix(" + 1").map_or_else(|| format!("{stop} - 1"), str::to_owned);
            json!({ "kind": "spike", "parts": [
                { "stop": last, "nest": run(body) }, { "stop": stop, "nest": run(tail) },
            ] })
        }
        Nest::Pipeline(phases) => {
            let part = |(end, nest): &(Option<syn::Expr>, Nest)| {
                let end = end.as_ref().map_or_else(|| stop.to_owned(), code);
                json!({ "stop": end, "nest": tree(nest, &end) })
            };
            json!({ "kind": "pipeline", "parts": phases.iter().map(part).collect::<Vec<_>>() })
        }
        Nest::Stepper(all) => repeat("stepper", all),
        Nest::Jumper(all) => repeat("jumper", all),
        Nest::Unordered(all) => repeat("unordered", all),
        Nest::Switch(cases) => {
            let case = |(cond, nest): &(Option<syn::Expr>, Nest)| {
                let cond = cond.as_ref().map_or_else(|| "otherwise".to_owned(), code);
                json!({ "cond": cond, "nest": tree(nest, stop) })
            };
            json!({ "kind": "switch", "cases": cases.iter().map(case).collect::<Vec<_>>() })
        }
        Nest::Shift(by, body) => {
            json!({ "kind": "shift", "words": [format!("by {}", code(by))], "body": tree(body, stop) })
        }
        Nest::Lookup(i, body) => {
            json!({ "kind": "lookup", "words": [format!("element {i} is")], "body": tree(body, stop) })
        }
    }
}

fn definition(def: &LetDecl) -> String {
    let word = if def.mutable { "let mut" } else { "let" };
    format!("{word} {} = {}", def.name, code(&def.value))
}

fn run(value: &Payload) -> Value {
    match value {
        Payload::Fill => json!({ "kind": "run", "value": "fill", "fill": true }),
        Payload::Child(at) => {
            json!({ "kind": "run", "value": format!("child[{}]", code(at)), "fill": false })
        }
        Payload::Value(e) => json!({ "kind": "run", "value": code(e), "fill": false }),
    }
}

fn repeat(kind: &str, all: &StepperDecl) -> Value {
    let state = match (&all.range, &all.group, &all.more) {
        (Some((q, lo, hi)), Some((after, _)), _) => {
            format!("for ({q}, {after}) in {}..{}", code(lo), code(hi))
        }
        (Some((q, lo, hi)), None, _) => format!("for {q} in {}..{}", code(lo), code(hi)),
        (None, _, Some(more)) => format!("while {}", code(more)),
        (None, _, None) => "from child to child".to_owned(),
    };
    let stop = code(&all.stop);
    json!({ "kind": kind, "state": state, "child": { "stop": stop, "nest": tree(&all.body, &stop) } })
}
