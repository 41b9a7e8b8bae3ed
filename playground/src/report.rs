//! All that is said of a program: errors at their tokens, or its tensors, ways, stages, looplets and results.

mod header;
mod nests;
mod results;

use crate::library::{self, Own};
use crate::place::place;
use crate::split::split;
use looplets_core::ast::{Form, Program};
use looplets_core::decl::Decl;
use looplets_core::diagnostics::Errors;
use looplets_core::expand;
use looplets_core::simplify::Simplifier;
use looplets_core::{declare, parse};
use proc_macro2::{Span, TokenStream};
use serde_json::{json, Value};
use std::cell::RefCell;

thread_local! {
    /// Compiling the rules costs more than a program: once is enough.
    static SIMPLIFIER: RefCell<Simplifier> = RefCell::new(Simplifier::new(looplets_rewrites::standard()));
}

/// An error of the page: a message, and where.
type Said = (Option<Span>, String);

/// What is said of `source`, which runs on `inputs`.
pub fn report(source: &str, inputs: &Value) -> Value {
    let told = SIMPLIFIER.with(|s| compiled(source, inputs, &mut s.borrow_mut()));
    told.unwrap_or_else(|errors| json!({ "ok": false, "errors": all(&errors, source) }))
}

fn all(errors: &[Said], source: &str) -> Vec<Value> {
    errors.iter().map(|(span, message)| said(*span, message, source)).collect()
}

fn said(span: Option<Span>, message: &str, source: &str) -> Value {
    json!({ "message": message, "at": span.and_then(|span| place(span, source)) })
}

fn each(errors: &Errors) -> Vec<Said> {
    errors.each().map(|(span, message)| (Some(span), message)).collect()
}

fn compiled(source: &str, inputs: &Value, simplifier: &mut Simplifier) -> Result<Value, Vec<Said>> {
    let tokens: TokenStream = source.parse().map_err(|e: proc_macro2::LexError| {
        vec![(Some(e.span()), format!("this is not made of tokens of Rust: {e}"))]
    })?;
    let typed = split(tokens);
    let own = declared(typed.declared, simplifier)?;
    let programs = parse::programs(typed.program).map_err(|e| each(&e))?;
    let program = only(&programs)?;
    let library = library::fetch(&programs, &own, simplifier.rules()).map_err(|e| each(&e))?;
    let krate = library::krate();
    let report = expand::compile(program.clone(), &library, krate.clone(), simplifier, true)
        .map_err(|e| each(&e))?;
    let kernel =
        expand::resolved(program.clone(), &library, krate, simplifier).map_err(|e| each(&e))?;
    let stage = |name: &str| report.stages.iter().find(|(n, _)| *n == name).map(|(_, text)| text);
    let stages: Vec<Value> = report
        .stages
        .iter()
        .filter(|(name, _)| !["schedule", "warnings"].contains(name))
        .map(|(name, text)| json!({ "name": name, "text": text }))
        .collect();
    let warnings = report.warnings.iter().map(|w| said(Some(w.span), &w.note, source));
    Ok(json!({
        "ok": true,
        "errors": [],
        "name": report.name,
        "warnings": warnings.collect::<Vec<_>>(),
        "tensors": header::tensors(program, &kernel, source),
        "scalars": header::scalars(&kernel),
        "own": levels(&own),
        "ways": ways(stage("schedule").map_or("", String::as_str)),
        "stages": stages,
        "nests": nests::nests(&kernel),
        "results": results::results(&kernel, &own, inputs, source),
    }))
}

/// The declarations that stand in the program, each checked as its macro would.
fn declared(all: Vec<TokenStream>, simplifier: &mut Simplifier) -> Result<Own, Vec<Said>> {
    let (mut own, mut errors) = (Own::new(), Vec::new());
    for (n, tokens) in all.into_iter().enumerate() {
        let origin = format!("playground#{n}");
        match declare::expand(library::krate(), &origin, tokens.clone(), simplifier) {
            Err(e) => errors.extend(each(&e)),
            Ok(_) => match syn::parse2::<Decl>(tokens.clone()) {
                Ok(decl) => drop(own.insert(decl.name().to_string(), tokens)),
                Err(e) => errors.push((Some(e.span()), e.to_string())),
            },
        }
    }
    if errors.is_empty() {
        Ok(own)
    } else {
        Err(errors)
    }
}

/// The one kernel of the page.
fn only(programs: &[Program]) -> Result<&Program, Vec<Said>> {
    match programs {
        [one] => Ok(one),
        [_, second, ..] => {
            let span = match &second.form {
                Form::Function { name, .. } => name.span(),
                Form::Inline => second.body.span,
            };
            Err(vec![(
                Some(span),
                "the page shows one kernel at a time: take this one out, or the one before it"
                    .to_owned(),
            )])
        }
        [] => Err(vec![(
            None,
            "write a kernel: `fn name(a: &Csr<f64>, ..) -> (y: DenseVec<f64>) { .. }`".to_owned(),
        )]),
    }
}

/// What the scheduler says, taken apart: the ways, and behind them how many others there are.
fn ways(told: &str) -> Value {
    let (mut ways, mut others): (Vec<Value>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in told.lines() {
        if let Some(rest) = line.strip_prefix("way ") {
            let chosen = rest.split_once(": ").map_or("", |(_, chosen)| chosen);
            ways.push(json!({ "chosen": chosen, "loops": [], "time": null }));
            continue;
        }
        let depth = (line.len() - line.trim_start().len()) / 4;
        let Some(way) = ways.last_mut().filter(|_| depth > 0) else {
            others.push(line);
            continue;
        };
        let text = line.trim();
        if let Some(time) = text.strip_prefix("about ") {
            way["time"] = json!(time);
        } else if let Some((index, steps)) =
            text.strip_prefix("for ").and_then(|t| t.split_once(": "))
        {
            let steps = steps.trim_end_matches(" steps");
            if let Some(loops) = way["loops"].as_array_mut() {
                loops.push(json!({ "depth": depth - 1, "index": index, "steps": steps }));
            }
        }
    }
    json!({ "ways": ways, "others": others.join(" ") })
}

/// The levels to choose from.
pub fn levels(own: &Own) -> Vec<Value> {
    let all = library::choices(own);
    let level = |c: library::Choice| json!({ "name": c.name, "docs": c.docs, "written": c.written, "sparse": c.sparse });
    all.into_iter().map(level).collect()
}
