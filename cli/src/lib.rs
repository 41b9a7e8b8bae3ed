//! The command line of the compiler as a function: arguments and standard input in, what is printed out.
//!
//! A program of statements gets a header of the formats that are given beside it (`header`), finds its declarations among
//! the built-in ones (`declarations`), and goes through the compiler as a kernel in a crate does (`stages`).

mod args;
mod built_in;
mod declarations;
mod errors;
mod header;
mod names;
mod stages;
mod tree;

use args::{Args, Asked, Place};
use declarations::Declarations;
use errors::{Failure, Texts};
use looplets_core::decl::Decl;
use std::ffi::OsString;

/// What there is to print, and the exit code.
#[derive(Debug, Default)]
pub struct Output {
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub err: String,
    /// 0; 1 if the program has errors, or a file cannot be read or written; 2 if the command line has errors.
    pub code: u8,
}

/// Does what `arguments`, those behind the name of the program, ask for. `input` gives standard input, if it is asked for;
/// `styled` says whether errors may have colours.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: impl FnOnce() -> std::io::Result<String>,
    styled: bool,
) -> Output {
    let args = match args::parse(arguments) {
        Ok(Asked::Text(out)) => return Output { out, ..Output::default() },
        Ok(Asked::Program(args)) => args,
        Err(e) => {
            let err = format!("error: {e}\n\nlooplets --help says what there is\n");
            return Output { err, code: 2, ..Output::default() };
        }
    };
    let mut texts = Texts::default();
    match program(&args, input, &mut texts) {
        Ok(output) => output,
        Err(failure) => {
            Output { err: failure.render(&texts, styled), code: 1, ..Output::default() }
        }
    }
}

fn program(
    args: &Args,
    input: impl FnOnce() -> std::io::Result<String>,
    texts: &mut Texts,
) -> Result<Output, Failure> {
    let mut declarations = Declarations::built_in();
    for file in &args.declarations {
        let (label, text) = read(file)?;
        declarations.read(&label, &text, texts)?;
    }
    if args.list {
        return Ok(Output { out: listed(&declarations), ..Output::default() });
    }
    let (label, text) = match (&args.program, &args.input) {
        (Some(program), _) => ("program".to_owned(), program.clone()),
        (None, Some(Place::File(file))) => read(file)?,
        (None, Some(Place::Standard) | None) => {
            let text = input().map_err(|e| Failure::plain(format!("standard input: {e}")))?;
            ("standard input".to_owned(), text)
        }
    };
    let tokens = texts.tokens(&label, &text)?;
    let tokens = header::whole(tokens, &args.formats, &declarations, texts)?;
    let printed = stages::print(tokens, &args.stages, args.svg.is_some(), &declarations)?;
    let mut output = Output { out: printed.text, ..Output::default() };
    output.err = printed.warnings.iter().map(|w| format!("warning: {w}\n")).collect();
    match &args.svg {
        Some(Place::File(file)) => {
            let written = std::fs::write(file, printed.svg);
            written.map_err(|e| Failure::plain(format!("{}: {e}", file.to_string_lossy())))?;
        }
        Some(Place::Standard) => output.out += &printed.svg,
        None => {}
    }
    Ok(output)
}

/// A file as people call it, and its text.
fn read(file: &OsString) -> Result<(String, String), Failure> {
    let label = file.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|e| Failure::plain(format!("{label}: {e}")))?;
    Ok((label, text))
}

/// The formats there are, with their parameters.
fn listed(declarations: &Declarations) -> String {
    let mut out = String::new();
    let with = |params: &[looplets_core::decl::Param]| {
        let names: Vec<String> = params.iter().map(|p| p.name.to_string()).collect();
        if names.is_empty() {
            String::new()
        } else {
            format!("<{}>", names.join(", "))
        }
    };
    let mut part = |title: &str, lines: Vec<String>| {
        out += &format!("{title}:\n");
        lines.iter().for_each(|line| out += &format!("  {line}\n"));
    };
    let named = |is: &dyn Fn(&Decl) -> Option<String>| -> Vec<String> {
        declarations.names(|d| is(d).is_some()).iter().filter_map(|(_, d)| is(d)).collect()
    };
    part(
        "formats",
        named(&|d| match d {
            // What the compiler takes for itself begins with what it does, and ends with a rank.
            Decl::Alias(a) if !hidden(&a.name.to_string()) => {
                Some(format!("{}{}", a.name, with(&a.params)))
            }
            _ => None,
        }),
    );
    part(
        "levels",
        named(&|d| match d {
            Decl::Level(l) if l.leaf.is_none() => Some(format!("{}{}", l.name, with(&l.params))),
            _ => None,
        }),
    );
    part(
        "leaves",
        named(&|d| match d {
            Decl::Level(l) if l.leaf.is_some() => Some(format!("{}{}", l.name, with(&l.params))),
            _ => None,
        }),
    );
    part(
        "fill markers",
        named(&|d| match d {
            Decl::Fill(f) => Some(format!("{}{}", f.name, with(&f.params))),
            _ => None,
        }),
    );
    part(
        "operators and rules",
        named(&|d| match d {
            Decl::Operator(o) => Some(o.name.to_string()),
            Decl::Rules(r) => Some(r.name.to_string()),
            _ => None,
        }),
    );
    out
}

/// Whether it is a format that the compiler asks for by its rank.
fn hidden(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let own = ["Gone", "Gathered", "Searched", "Whole", "Listed", "Flagged", "Rowwise", "Turned"];
    stem.len() < name.len() && own.contains(&stem)
}
