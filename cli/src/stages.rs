//! A program to its stages.

use crate::args::Stage;
use crate::declarations::{krate, Declarations};
use crate::errors::Failure;
use crate::tree::tree;
use looplets_core::ast::{Form, Program};
use looplets_core::expand::{self, Report};
use looplets_core::formats::{Library, Stop};
use looplets_core::schedule::Way;
use looplets_core::simplify::Simplifier;
use looplets_core::{algebra, by_columns, parse, picture, resolve, schedule};
use proc_macro2::TokenStream;
use std::fmt::Write as _;

/// What a program came to.
pub struct Printed {
    /// The stages that were asked for.
    pub text: String,
    /// What rustc would warn of.
    pub warnings: Vec<String>,
    /// What operands unfurl to, as a picture.
    pub svg: String,
}

/// The stages of `tokens`, functions or an inline program, in the order in which they are asked for.
///
/// # Errors
/// All those of the stage that stops the program.
pub fn print(
    tokens: TokenStream,
    stages: &[Stage],
    picture: bool,
    declarations: &Declarations,
) -> Result<Printed, Failure> {
    let programs = parse::programs(tokens)?;
    let mut simplifier = Simplifier::new(looplets_rewrites::standard());
    let library = declarations.fetch(&programs, &simplifier)?;
    let several = stages.len() > 1 || programs.len() > 1;
    let mut out = Printed { text: String::new(), warnings: Vec::new(), svg: String::new() };
    let (mut failure, mut nests) = (Failure::default(), Vec::new());
    for program in programs {
        let mut compiled = Compiled { program, library: &library, report: None };
        for stage in stages {
            match compiled.stage(*stage, &mut simplifier) {
                Ok(text) => {
                    // What the compiler tells has headings of its own.
                    if several && *stage != Stage::Explain {
                        let _ = writeln!(out.text, "== {} of {} ==", stage.name(), compiled.name());
                    }
                    out.text += &text;
                    if several {
                        out.text.push('\n');
                    }
                }
                Err(e) => {
                    failure.extend(e);
                    break;
                }
            }
        }
        if picture {
            match compiled.report(&mut simplifier) {
                Ok(report) => nests.extend(report.nests.iter().cloned()),
                Err(e) if failure.is_empty() => failure.extend(e),
                // The stages have said it.
                Err(_) => {}
            }
        }
        if let Some(report) = &compiled.report {
            out.warnings.extend(report.warnings.iter().map(|warning| warning.note.clone()));
        }
    }
    out.svg = picture::svg(&nests);
    failure.check(out)
}

/// A program, and what compiling it gave once that was asked for.
struct Compiled<'a> {
    program: Program,
    library: &'a Library,
    report: Option<Report>,
}

impl Compiled<'_> {
    fn name(&self) -> String {
        match &self.program.form {
            Form::Function { name, .. } => name.to_string(),
            Form::Inline => "inline".to_owned(),
        }
    }

    fn report(&mut self, simplifier: &mut Simplifier) -> Result<&Report, Failure> {
        let report = match self.report.take() {
            Some(report) => report,
            None => expand::compile(self.program.clone(), self.library, krate(), simplifier, true)?,
        };
        Ok(self.report.insert(report))
    }

    fn stage(&mut self, stage: Stage, simplifier: &mut Simplifier) -> Result<String, Failure> {
        let named = match stage {
            Stage::Parse => return Ok(tree(&self.program)),
            Stage::Costs => return self.costs(simplifier),
            Stage::Simplify => return self.simplified(simplifier),
            Stage::Explain => return Ok(self.report(simplifier)?.text()),
            Stage::Unfurl => return Ok(picture::text(&self.report(simplifier)?.nests)),
            Stage::Schedule => "schedule",
            Stage::Resolve => "cin",
            Stage::Passes => "looplets",
            Stage::Lower => "lowered",
            Stage::Optimize => "code",
            Stage::Rust => "tokens",
        };
        let report = self.report(simplifier)?;
        let found = report.stages.iter().find(|(name, _)| *name == named);
        Ok(found.map_or_else(String::new, |(_, text)| text.clone()))
    }

    /// The operators and rules that the program brings in, and the ways to run it.
    fn ways(&self, simplifier: &Simplifier) -> Result<(algebra::Algebra, Vec<Way>), Failure> {
        let Program { uses, strict, .. } = &self.program;
        let algebra = algebra::gather(uses, *strict, self.library, simplifier.rules());
        let algebra = algebra.map_err(|stop| match stop {
            Stop::Error(e) => e,
            Stop::Need(_, path) => {
                let message = "no `operator!` or `rules!` of that name is known";
                syn::Error::new_spanned(path, message)
            }
        })?;
        let generics = resolve::generic_names(&self.program);
        let mut program = self.program.clone();
        by_columns::turn(&mut program, self.library, &generics);
        let (ways, _) = schedule::schedule(program, (self.library, &algebra), &krate(), &generics)?;
        Ok((algebra, ways))
    }

    /// What each way costs, as a formula.
    fn costs(&mut self, simplifier: &mut Simplifier) -> Result<String, Failure> {
        // What is wrong has no costs.
        self.report(simplifier)?;
        let (_, ways) = self.ways(simplifier)?;
        let mut out = String::new();
        for (n, way) in ways.iter().enumerate() {
            // Writing to a string cannot fail.
            let chosen: Vec<String> = way.choices.iter().map(ToString::to_string).collect();
            let colon = if chosen.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "way {}{colon}{}", n + 1, chosen.join(", "));
            let _ = writeln!(out, "    about {} ns", way.count.time);
            for (name, sizes) in &way.count.dims {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                let _ = writeln!(out, "    {name} has size {}", sizes.join(" by "));
            }
            for each in &way.count.loops {
                let indent = "    ".repeat(each.depth + 1);
                let _ = writeln!(out, "{indent}for {}: {} steps", each.index, each.steps);
            }
        }
        Ok(out)
    }

    /// The first way as it is resolved, and with its terms simplified before anything is lowered.
    fn simplified(&self, simplifier: &mut Simplifier) -> Result<String, Failure> {
        let (algebra, ways) = self.ways(simplifier)?;
        let Some(way) = ways.into_iter().next() else { return Ok(String::new()) };
        let kernel = resolve::resolve(way.program, self.library, &algebra, krate())?;
        let simplifier = match algebra.is_empty() {
            true => simplifier,
            false => simplifier.variant(algebra.key(), |rules| algebra.rules(rules))?,
        };
        let before = simplifier.statistics();
        let found = simplifier.stmt(&kernel.body, &kernel);
        let after = simplifier.statistics();
        let mut out = String::from("before\n") + &kernel.stmt_text(&kernel.body, 1);
        out += "after\n";
        out += &kernel.stmt_text(&found, 1);
        let (terms, nodes) = (after.terms - before.terms, after.total_nodes - before.total_nodes);
        let applied = after.applied - before.applied;
        let _ = writeln!(out, "{applied} rules applied, {terms} terms, {nodes} nodes");
        Ok(out)
    }
}
