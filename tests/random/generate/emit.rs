//! The Rust source of a kernel: its text, and the code that makes arguments for it.

use super::formats::{Format, Holds, Ty};
use super::twist::Twist;
use super::{Dim, Features, Gen, Range, Role, Stmt, Tensor};
use fastrand::Rng;
use std::fmt::Write;

/// One kernel of so many has a twin.
const TWINS: u64 = 3;

/// The module of kernel `number` of a seed.
pub fn module(features: &Features, seed: u64, number: u64) -> String {
    let random = || Rng::with_seed(seed.wrapping_mul(1_000_003) ^ number);
    let mut g = Gen::new(random(), features);
    let body = g.body();
    let name = format!("k{number}");
    let reused = reused(&mut g);
    let safe = g.chance(10);
    let text = kernel(&mut g, &name, &body, &reused, safe, None);
    let arguments = arguments(&g, &reused, "");
    let mut out = format!("pub mod {name} {{\nuse crate::prelude::*;\n");
    let _ = writeln!(out, "pub const SOURCE: &str = r#\"{text}\"#;\nfinch! {{\n{text}}}");
    let mut twin = None;
    if features.has("twins") && number.is_multiple_of(TWINS) {
        let mut twist = Twist::new(&g, &body, random());
        // What is converted, and what has methods, is of a type that the compiler knows.
        let known =
            [" as ", "fract(", "(!"].into_iter().chain(super::methods::NAMES.iter().copied());
        twist.renamed &= !known.into_iter().any(|of_known| text.contains(of_known));
        let memory = match twist.memory {
            true => results(&g)
                .into_iter()
                .filter(|t| reused.iter().all(|r| r.name != t.name))
                .collect(),
            false => reused.clone(),
        };
        let text = kernel(&mut g, "twin", &body, &memory, safe != twist.safe, Some(&mut twist));
        let _ = writeln!(out, "pub const TWIN: &str = r#\"{text}\"#;\nfinch! {{\n{text}}}");
        twin = Some((twist, memory));
    }
    let range = match g.ty.float() {
        true => "None".to_owned(),
        false => format!("Some(({0}::MIN as i128, {0}::MAX as i128))", g.ty.text()),
    };
    let _ = writeln!(out, "const RANGE: Option<(i128, i128)> = {range};");
    out.push_str("pub fn case(case: &mut Case) {\n");
    for n in 0..g.sizes.len() {
        let _ = writeln!(out, "let n{n}: usize = {};", g.size_code(n));
    }
    for t in g.tensors.iter().filter(|t| matches!(t.role, Role::Input | Role::InOut)) {
        let dims: Vec<String> = t.dims.iter().map(dim).collect();
        let make = if t.format.is_some() { "tensor" } else { "positions" };
        let (name, ty, dims) = (&t.name, format(t, None), dims.join(", "));
        let _ = writeln!(
            out,
            "let shape = [{dims}];\nlet shape = case.fitted(shape);\nlet mut again = case.clone();"
        );
        let value = |case: &str| match t.format.as_ref().and_then(unusual) {
            Some(value) => value.replace("case.", &format!("{case}.")),
            None => format!("{case}.{make}(&shape)"),
        };
        let _ = writeln!(out, "let mut {name}: {ty} = {};", value("case"));
        if let Some((twist, _)) = &twin {
            let ty = format(t, Some(twist));
            let value = as_taken(t, twist, value("again"));
            let _ = writeln!(out, "let mut {name}_t: {ty} = {value};");
        }
    }
    for s in &g.scalars {
        let _ = writeln!(out, "let mut {}: {} = {};", s.name, s.ty, s.value);
    }
    for t in &results(&g) {
        let (name, ty, rank) = (&t.name, format(t, None), t.dims.len());
        let shape = vec!["case.free(0)"; rank].join(", ");
        let _ = writeln!(out, "let shape = [{shape}];");
        if reused.iter().any(|r| r.name == *name) {
            let _ = writeln!(out, "let {name}: {ty} = case.tensor(&shape);");
        }
        if let Some((twist, memory)) = &twin {
            if memory.iter().any(|r| r.name == *name) {
                let ty = format(t, Some(twist));
                let value = as_taken(t, twist, "case.tensor(&shape)".to_owned());
                let _ = writeln!(out, "let {name}_t: {ty} = {value};");
            }
        }
    }
    if twin.is_some() {
        for s in &g.scalars {
            let _ = writeln!(out, "let mut {0}_t: {1} = {0}.clone();", s.name, s.ty);
        }
    }
    let _ = writeln!(
        out,
        "let results = agree!(case, SOURCE, RANGE, {name}({}));\nif case.is_unfit() {{ return; }}",
        arguments.join(", ")
    );
    if let Some((twist, memory)) = twin {
        let arguments = self::arguments(&g, &memory, "_t");
        let tensors = g.tensors.iter().filter(|t| t.role == Role::InOut).map(|t| t.name.clone());
        let scalars = g.scalars.iter().filter(|s| s.mutable).map(|s| s.name.clone());
        let updated: Vec<String> = tensors.chain(scalars).collect();
        let stored = |name: &String| match twist.by_columns.contains(name) {
            true => format!("{name}_t.transposed()"),
            false => format!("{name}_t"),
        };
        let twins: Vec<String> = updated.iter().map(stored).collect();
        let _ = writeln!(
            out,
            "twins!(case, SOURCE, TWIN, results, [{}], [{}], {});",
            updated.join(", "),
            twins.join(", "),
            call(&g, &twist, &arguments)
        );
    }
    out.push_str("}\n}\n");
    out
}

/// The call of a changed kernel, with results as the other kernel has them.
fn call(g: &Gen<'_>, twist: &Twist, arguments: &[String]) -> String {
    let call = format!("twin({})", arguments.join(", "));
    let results: Vec<&Tensor> = g.tensors.iter().filter(|t| t.role == Role::Output).collect();
    if !results.iter().any(|t| turns(t, Some(twist))) {
        return call;
    }
    let names: Vec<&str> = results.iter().map(|t| &t.name[..]).collect();
    let stored = results.iter().map(|t| match turns(t, Some(twist)) {
        true => format!("{}.into_transposed()", t.name),
        false => t.name.clone(),
    });
    let (names, stored) = (names.join(", "), stored.collect::<Vec<_>>().join(", "));
    match twist.fallible {
        true => format!("{call}.map(|({names})| ({stored}))"),
        false => format!("{{ let ({names}) = {call}; ({stored}) }}"),
    }
}

/// What a kernel is called with, under names that end so.
fn arguments(g: &Gen<'_>, reused: &[Tensor], end: &str) -> Vec<String> {
    let mut out = Vec::new();
    for t in &g.tensors {
        match t.role {
            Role::Input => out.push(format!("&{}{end}", t.name)),
            Role::InOut => out.push(format!("&mut {}{end}", t.name)),
            _ => {}
        }
    }
    for s in &g.scalars {
        let reference = if s.mutable { "&mut " } else { "" };
        out.push(format!("{reference}{}{end}", s.name));
    }
    out.extend(reused.iter().map(|t| format!("{}{end}.clone()", t.name)));
    out
}

/// The results that can be made in the memory of older ones.
fn results(g: &Gen<'_>) -> Vec<Tensor> {
    let plain = |t: &&Tensor| t.format.as_ref().is_some_and(|f| unusual(f).is_none());
    g.tensors.iter().filter(|t| t.role == Role::Output).filter(plain).cloned().collect()
}

/// The results that are made in the memory of an older one of any shape.
fn reused(g: &mut Gen<'_>) -> Vec<Tensor> {
    results(g).into_iter().filter(|_| g.chance(50)).collect()
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
            let name = level.ty.replacen('<', "::<", 1).replace("{}", "_");
            format!("{{ let n = shape[0]; Tensor::from_parts(Dense::new(n, {name}::new(n, Element::new(case.values({count}))))).expect(\"a square\") }}")
        }
        Holds::Point => format!("case.points(&shape, {dim})"),
        _ => format!("case.intervals(&shape, {dim})"),
    })
}

/// Whether a changed kernel has that tensor stored by columns.
fn turns(t: &Tensor, twist: Option<&Twist>) -> bool {
    twist.is_some_and(|twist| twist.by_columns.contains(&t.name))
}

/// A tensor, as a changed kernel takes it.
fn as_taken(t: &Tensor, twist: &Twist, value: String) -> String {
    match turns(t, Some(twist)) {
        true => format!("ByColumns::from_transposed({value})"),
        false => value,
    }
}

fn format(t: &Tensor, twist: Option<&Twist>) -> String {
    let other = twist.and_then(|twist| twist.formats.get(&t.name));
    match other.or(t.format.as_ref()) {
        Some(f) => {
            let mut text = f.text();
            if turns(t, twist) {
                text = text.replacen("Tensor<", "ByColumns<", 1);
            }
            if twist.is_some_and(|twist| twist.renamed) {
                for ty in [Ty::I64, Ty::I32, Ty::U8, Ty::F64, Ty::F32].map(Ty::text) {
                    text = text.replace(&format!("Element<{ty}"), &format!("Element<a_{ty}"));
                }
            }
            text
        }
        None => "Tensor<Dense<Element<u32>>>".into(),
    }
}

/// The text of the kernel, changed by a twist.
fn kernel(
    g: &mut Gen<'_>,
    name: &str,
    body: &[Stmt],
    reused: &[Tensor],
    safe: bool,
    mut twist: Option<&mut Twist>,
) -> String {
    let mut block = String::new();
    for stmt in body {
        statement(g, stmt, 1, &mut block, &mut twist);
    }
    let twist = twist.as_deref();
    let mut parameters = Vec::new();
    for t in &g.tensors {
        match t.role {
            Role::Input => parameters.push(format!("{}: &{}", t.name, format(t, twist))),
            Role::InOut => parameters.push(format!("{}: &mut {}", t.name, format(t, twist))),
            _ => {}
        }
    }
    for s in &g.scalars {
        let reference = if s.mutable { "&mut " } else { "" };
        parameters.push(format!("{}: {reference}{}", s.name, s.ty));
    }
    parameters.extend(reused.iter().map(|t| format!("{}: {}", t.name, format(t, twist))));
    let outputs: Vec<String> = g
        .tensors
        .iter()
        .filter(|t| t.role == Role::Output)
        .map(|t| {
            let sizes = t.sizes.as_ref().map_or(String::new(), |s| {
                let mut sizes = s.clone();
                if turns(t, twist) {
                    sizes.reverse();
                }
                format!("[{}]", sizes.join(", "))
            });
            format!("{}: {}{sizes}", t.name, format(t, twist))
        })
        .collect();
    let arrow = match (outputs.is_empty(), twist.is_some_and(|t| t.fallible)) {
        (true, _) => String::new(),
        (false, false) => format!(" -> ({})", outputs.join(", ")),
        (false, true) => format!(" -> Result<({}), looplets::Error>", outputs.join(", ")),
    };
    let safe = if safe { "#![forbid(unsafe_code)]\n" } else { "" };
    let strict = if g.strict { "#![strict]\n" } else { "" };
    let uses: String = g.uses.iter().map(|f| format!("use crate::operators::{f};\n")).collect();
    // Random kernels store and visit whatever they come to.
    format!(
        "{safe}{strict}#![dense]\n{uses}fn {name}({}){arrow} {{\n{block}}}\n",
        parameters.join(", ")
    )
}

fn statement(
    g: &mut Gen<'_>,
    stmt: &Stmt,
    depth: usize,
    out: &mut String,
    twist: &mut Option<&mut Twist>,
) {
    let pad = "    ".repeat(depth);
    let line = |g: &mut Gen<'_>, text: &str, twist: &mut Option<&mut Twist>| match twist {
        Some(twist) => twist.line(g, text),
        None => text.to_owned(),
    };
    match stmt {
        Stmt::Line(text) => {
            let text = line(g, text, twist);
            let _ = writeln!(out, "{pad}{text}");
        }
        Stmt::For(..) if depth == 1 && twist.as_deref().is_some_and(|t| leaves_out(g, t, stmt)) => {
            let mut inner = stmt;
            while let Stmt::For(_, body) = inner {
                inner = &body[0];
            }
            statement(g, inner, depth, out, twist);
        }
        Stmt::For(v, body) => {
            let (name, size) = (g.loops[*v].name.clone(), g.loops[*v].size);
            let parallel = twist.as_deref().map_or(&g.parallel, |t| &t.parallel).contains(v);
            let parallel = if parallel { "parallel " } else { "" };
            let given = g.loops[*v].given.iter().any(|access| stmt.mentions(access));
            // What is moved gives no extent to what it was plain for.
            let mut extents = vec![match g.loops[*v].range.clone() {
                Range::Whole | Range::Moved if given => String::new(),
                Range::Whole | Range::Moved => format!(" in 0..{}", g.size_name(size)),
                Range::From(lo) => format!(" in {lo}..{}", g.size_name(size)),
                Range::Inside(lo, hi) => format!(" in {lo}..{hi}"),
            }];
            if twist.as_deref().is_some_and(|t| t.split.contains(v)) {
                let (n, half) = (g.size_name(size), format!("half{size}"));
                g.parameter(&half, "usize", &format!("n{size} / 2"));
                extents = vec![format!(" in 0..{half}"), format!(" in {half}..{n}")];
            }
            for extent in extents {
                let _ = writeln!(out, "{pad}{parallel}for {name}{extent} {{");
                all(g, body, depth, out, twist);
                let _ = writeln!(out, "{pad}}}");
            }
        }
        Stmt::If(cond, then, otherwise) => {
            let cond = line(g, cond, twist);
            let _ = writeln!(out, "{pad}if {cond} {{");
            all(g, then, depth, out, twist);
            if let Some(otherwise) = otherwise {
                let _ = writeln!(out, "{pad}}} else {{");
                all(g, otherwise, depth, out, twist);
            }
            let _ = writeln!(out, "{pad}}}");
        }
        Stmt::Where(consumer, producer) => {
            let _ = writeln!(out, "{pad}{{");
            all(g, consumer, depth, out, twist);
            let _ = writeln!(out, "{pad}}} where {{");
            all(g, producer, depth, out, twist);
            let _ = writeln!(out, "{pad}}}");
        }
    }
}

/// Whether the loops that `stmt` begins with stand around one assignment that says over which indices it goes, and how far.
fn leaves_out(g: &Gen<'_>, twist: &Twist, stmt: &Stmt) -> bool {
    let (mut inner, mut loops) = (stmt, Vec::new());
    while let Stmt::For(v, body) = inner {
        let one = &g.loops[*v];
        let given = one.given.iter().any(|access| stmt.mentions(access));
        let plain = given && one.range == Range::Whole && one.of.is_empty();
        if !plain || twist.parallel.contains(v) || twist.split.contains(v) || body.len() != 1 {
            return false;
        }
        loops.push(&one.name);
        inner = &body[0];
    }
    let Stmt::Line(line) = inner else { return false };
    let between = |name: &str| {
        let places = [("[", "]"), ("[", ","), (" ", "]"), (" ", ",")];
        places.iter().any(|(before, after)| line.contains(&format!("{before}{name}{after}")))
    };
    // What an iteration reads of itself needs loops that are written.
    let target = line.split(' ').next().unwrap_or_default();
    let root = target.split('[').next().unwrap_or_default();
    let again = line[target.len()..].split(|c: char| !c.is_alphanumeric()).any(|w| w == root);
    twist.left_out
        && !again
        && line.contains('=')
        && !line.starts_with("let ")
        && loops.iter().all(|name| between(name))
}

/// The statements of a block in a statement at that depth.
fn all(
    g: &mut Gen<'_>,
    stmts: &[Stmt],
    depth: usize,
    out: &mut String,
    twist: &mut Option<&mut Twist>,
) {
    stmts.iter().for_each(|s| statement(g, s, depth + 1, out, twist));
}
