//! The Rust source of a kernel: its text, and the code that makes arguments for it.

use super::formats::{Format, Holds};
use super::{Dim, Gen, Range, Role, Stmt, Tensor};
use fastrand::Rng;
use std::fmt::Write;

/// The module of kernel `number` of a seed.
pub fn module(seed: u64, number: u64) -> String {
    let mut g = Gen::new(Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number));
    let body = g.body();
    let name = format!("k{number}");
    let reused = reused(&mut g);
    let text = kernel(&mut g, &name, &body, &reused);
    let mut out = format!("pub mod {name} {{\nuse crate::prelude::*;\n");
    let _ = writeln!(out, "pub const SOURCE: &str = r#\"{text}\"#;\nfinch! {{\n{text}}}");
    out.push_str("pub fn case(case: &mut Case) {\n");
    for n in 0..g.sizes {
        let _ = writeln!(out, "let n{n} = case.size({});", g.depth);
    }
    let mut arguments = Vec::new();
    for t in g.tensors.iter().filter(|t| matches!(t.role, Role::Input | Role::InOut)) {
        let dims: Vec<String> = t.dims.iter().map(dim).collect();
        let (mutable, reference) =
            if t.role == Role::InOut { ("mut ", "&mut ") } else { ("", "&") };
        let make = if t.format.is_some() { "tensor" } else { "positions" };
        let (name, ty, dims) = (&t.name, format(t), dims.join(", "));
        let _ = writeln!(out, "let shape = [{dims}];");
        let value = match t.format.as_ref().and_then(unusual) {
            Some(value) => value,
            None => format!("case.{make}(&shape)"),
        };
        let _ = writeln!(out, "let {mutable}{name}: {ty} = {value};");
        arguments.push(format!("{reference}{name}"));
    }
    for s in &g.scalars {
        let (mutable, reference) = if s.mutable { ("mut ", "&mut ") } else { ("", "") };
        let _ = writeln!(out, "let {mutable}{}: {} = {};", s.name, s.ty, s.value);
        arguments.push(format!("{reference}{}", s.name));
    }
    for t in &reused {
        let (name, ty, rank) = (&t.name, format(t), t.dims.len());
        let shape = vec!["case.free(0)"; rank].join(", ");
        let _ = writeln!(out, "let shape = [{shape}];");
        let _ = writeln!(out, "let {name}: {ty} = case.tensor(&shape);");
        arguments.push(format!("{name}.clone()"));
    }
    let _ = writeln!(out, "agree!(case, SOURCE, {name}({}));\n}}\n}}", arguments.join(", "));
    out
}

/// The results that are made in the memory of an older one of any shape.
fn reused(g: &mut Gen) -> Vec<Tensor> {
    let plain = |t: &Tensor| t.format.as_ref().is_some_and(|f| unusual(f).is_none());
    let results: Vec<Tensor> =
        g.tensors.iter().filter(|t| t.role == Role::Output && plain(t)).cloned().collect();
    results.into_iter().filter(|_| g.chance(50)).collect()
}

/// The size of a dimension, in Rust.
fn dim(d: &Dim) -> String {
    match d {
        Dim::Loop(n, 0) => format!("n{n}"),
        Dim::Loop(n, c) if *c > 0 => format!("n{n} + {c}"),
        Dim::Loop(n, c) => format!("n{n}.saturating_sub({})", -c),
        Dim::Linear(terms, c) => {
            let terms: Vec<String> = terms.iter().map(|(s, n)| format!("{s} * n{n}")).collect();
            format!("{} + {c}", terms.join(" + "))
        }
        Dim::Free(least) => format!("case.free({least})"),
        Dim::Unknown => unreachable!("inputs have sizes"),
    }
}

/// How a tensor is made that cannot hold just any entries.
fn unusual(f: &Format) -> Option<String> {
    let (dim, level) = f.levels.iter().enumerate().find(|(_, l)| l.holds != Holds::Any)?;
    Some(match level.holds {
        Holds::Square(count) => {
            let name = level.ty.replace("<{}>", "");
            format!("{{ let n = shape[0]; Tensor::from_parts(Dense::new(n, {name}::new(n, Element::new(case.values({count}))))).expect(\"a square\") }}")
        }
        Holds::Point => format!("case.points(&shape, {dim})"),
        _ => format!("case.intervals(&shape, {dim})"),
    })
}

fn format(t: &Tensor) -> String {
    match &t.format {
        Some(f) => f.text(),
        None => "Tensor<Dense<Element<u32>>>".into(),
    }
}

/// The text of the kernel.
fn kernel(g: &mut Gen, name: &str, body: &[Stmt], reused: &[Tensor]) -> String {
    let mut block = String::new();
    for stmt in body {
        statement(g, stmt, 1, &mut block);
    }
    let mut parameters = Vec::new();
    for t in &g.tensors {
        match t.role {
            Role::Input => parameters.push(format!("{}: &{}", t.name, format(t))),
            Role::InOut => parameters.push(format!("{}: &mut {}", t.name, format(t))),
            _ => {}
        }
    }
    for s in &g.scalars {
        let reference = if s.mutable { "&mut " } else { "" };
        parameters.push(format!("{}: {reference}{}", s.name, s.ty));
    }
    parameters.extend(reused.iter().map(|t| format!("{}: {}", t.name, format(t))));
    let outputs: Vec<String> = g
        .tensors
        .iter()
        .filter(|t| t.role == Role::Output)
        .map(|t| {
            let sizes = t.sizes.as_ref().map_or(String::new(), |s| format!("[{}]", s.join(", ")));
            format!("{}: {}{sizes}", t.name, format(t))
        })
        .collect();
    let arrow = match outputs.is_empty() {
        true => String::new(),
        false => format!(" -> ({})", outputs.join(", ")),
    };
    let safe = if g.chance(10) { "#![forbid(unsafe_code)]\n" } else { "" };
    format!("{safe}fn {name}({}){arrow} {{\n{block}}}\n", parameters.join(", "))
}

fn statement(g: &mut Gen, stmt: &Stmt, depth: usize, out: &mut String) {
    let pad = "    ".repeat(depth);
    let all = |g: &mut Gen, stmts: &[Stmt], out: &mut String| {
        stmts.iter().for_each(|s| statement(g, s, depth + 1, out));
    };
    match stmt {
        Stmt::Line(text) => {
            let _ = writeln!(out, "{pad}{text}");
        }
        Stmt::For(v, body) => {
            let (name, size) = (g.loops[*v].name.clone(), g.loops[*v].size);
            let given = g.loops[*v].given.iter().any(|access| stmt.mentions(access));
            let extent = match g.loops[*v].range.clone() {
                Range::Whole | Range::Moved if given => String::new(),
                Range::Whole | Range::Moved => format!(" in 0..{}", g.size_name(size)),
                Range::From(lo) => format!(" in {lo}..{}", g.size_name(size)),
                Range::Inside(lo, hi) => format!(" in {lo}..{hi}"),
            };
            let _ = writeln!(out, "{pad}for {name}{extent} {{");
            all(g, body, out);
            let _ = writeln!(out, "{pad}}}");
        }
        Stmt::If(cond, then, otherwise) => {
            let _ = writeln!(out, "{pad}if {cond} {{");
            all(g, then, out);
            if let Some(otherwise) = otherwise {
                let _ = writeln!(out, "{pad}}} else {{");
                all(g, otherwise, out);
            }
            let _ = writeln!(out, "{pad}}}");
        }
        Stmt::Where(consumer, producer) => {
            let _ = writeln!(out, "{pad}{{");
            all(g, consumer, out);
            let _ = writeln!(out, "{pad}}} where {{");
            all(g, producer, out);
            let _ = writeln!(out, "{pad}}}");
        }
    }
}
