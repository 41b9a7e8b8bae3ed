//! The command line.

use lexopt::prelude::*;
use std::ffi::OsString;

/// What `--help` prints.
pub const HELP: &str = "\
looplets prints what a program in index notation becomes, stage by stage.

Usage: looplets [OPTIONS] [PROGRAM]

PROGRAM  statements, whose tensors get their formats by -f, or whole functions,
         `fn kernel(a: &Csr<f64>) -> (y: ..) { .. }`. `-`, or nothing, is what
         is read from standard input.

Options:
  -f, --format NAME=FORMAT  the format of a tensor, or the type of a scalar; once
                            for each. A result may be given sizes, y=DenseVec[9];
                            what has none and no brackets is an f64. Values are f64 where FORMAT does not say:
                            Csr is Csr<f64>, Dense<SparseList> the same matrix.
                            What is written and never read is a result, what is
                            read and never written an operand, and what is both
                            is updated in place
  -i, --input FILE          reads the program from a file
  -s, --stage STAGE,..      what is printed: parse, schedule, costs, resolve,
                            unfurl, passes, lower, simplify, optimize, rust, or
                            explain, which is all that the compiler tells; may be
                            given more than once. `optimize` if nothing is said
      --svg FILE            writes what operands unfurl to as a picture; `-` is
                            standard output
      --decl FILE           takes declarations, level!, fill!, operator! and
                            rules!, from a Rust file; may be given more than once
      --formats             lists the formats there are
  -h, --help                prints this
  -V, --version             prints the version

Exit codes: 0; 1, the program has errors; 2, the command line has.

Examples:
  looplets 'y[i] += a[i, j] * x[j]' -f a=Csr -f x=DenseVec -f y=DenseVec
  looplets 'c[i, j] = a[i, j] + b[i, j]' -f a=Csr -f b=Dcsr -f c=Csr -s costs
  looplets 's += a[i] * b[i]' -f a=SparseVec -f b=RunList -s unfurl --svg nests.svg
  looplets -i kernel.txt --decl my_format.rs -s explain
";

/// Where something is read from or written to.
#[derive(Debug, PartialEq)]
pub enum Place {
    /// A file.
    File(OsString),
    /// Standard input or output.
    Standard,
}

/// A stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The syntax tree.
    Parse,
    /// The loops, as they are written or were chosen, and how often each runs.
    Schedule,
    /// What each way costs.
    Costs,
    /// Names, extents and sizes.
    Resolve,
    /// The looplets of the operands.
    Unfurl,
    /// The passes over looplets, as they ran.
    Passes,
    /// The loops that they made.
    Lower,
    /// The program before and after its terms are simplified.
    Simplify,
    /// The finished kernel, for people.
    Optimize,
    /// The same for rustc.
    Rust,
    /// All that the compiler tells.
    Explain,
}

impl Stage {
    /// All, with their names, in order.
    pub const ALL: [(&'static str, Stage); 11] = [
        ("parse", Stage::Parse),
        ("schedule", Stage::Schedule),
        ("costs", Stage::Costs),
        ("resolve", Stage::Resolve),
        ("unfurl", Stage::Unfurl),
        ("passes", Stage::Passes),
        ("lower", Stage::Lower),
        ("simplify", Stage::Simplify),
        ("optimize", Stage::Optimize),
        ("rust", Stage::Rust),
        ("explain", Stage::Explain),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let same = Stage::ALL.iter().find(|(_, stage)| *stage == self);
        same.map_or("", |(name, _)| name)
    }
}

/// What a person asks for.
#[derive(Debug, Default)]
pub struct Args {
    /// The program as an argument.
    pub program: Option<String>,
    /// Where it is read from, if it is no argument.
    pub input: Option<Place>,
    /// Each `NAME=FORMAT`.
    pub formats: Vec<String>,
    /// What is printed, in this order.
    pub stages: Vec<Stage>,
    /// Where the picture goes.
    pub svg: Option<Place>,
    /// Files with declarations.
    pub declarations: Vec<OsString>,
    /// Only the formats are to be listed.
    pub list: bool,
}

/// What the command line asks for.
pub enum Asked {
    /// A text that is printed at once.
    Text(String),
    /// A program.
    Program(Args),
}

/// Reads the arguments behind the name of the program.
///
/// # Errors
/// An option that there is not, without a value that it needs, or with one that means nothing.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Asked, lexopt::Error> {
    let mut parser = lexopt::Parser::from_args(args);
    let mut out = Args::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Asked::Text(HELP.to_owned())),
            Short('V') | Long("version") => {
                return Ok(Asked::Text(format!("looplets {}\n", env!("CARGO_PKG_VERSION"))));
            }
            Short('f') | Long("format") => out.formats.push(parser.value()?.string()?),
            Short('s') | Long("stage") => {
                for name in parser.value()?.string()?.split(',') {
                    out.stages.push(stage(name.trim())?);
                }
            }
            Short('i') | Long("input") => {
                source(&mut out.input, &out.program, place(parser.value()?))?;
            }
            Long("svg") => out.svg = Some(place(parser.value()?)),
            Long("decl") => out.declarations.push(parser.value()?),
            Long("formats") => out.list = true,
            Value(value) if value == "-" => source(&mut out.input, &out.program, Place::Standard)?,
            Value(value) => {
                if out.program.is_some() || out.input.is_some() {
                    let value = value.to_string_lossy();
                    return Err(format!("there are two programs, the other one is `{value}`: put quotes around a program, and `-f` in front of each format").into());
                }
                out.program = Some(value.string()?);
            }
            _ => return Err(arg.unexpected()),
        }
    }
    if out.stages.is_empty() && out.svg.is_none() {
        out.stages.push(Stage::Optimize);
    }
    Ok(Asked::Program(out))
}

fn place(value: OsString) -> Place {
    if value == "-" {
        Place::Standard
    } else {
        Place::File(value)
    }
}

fn source(
    input: &mut Option<Place>,
    program: &Option<String>,
    place: Place,
) -> Result<(), lexopt::Error> {
    if program.is_some() || input.is_some() {
        return Err("there are two programs: give one as an argument or by `-i`".into());
    }
    *input = Some(place);
    Ok(())
}

fn stage(name: &str) -> Result<Stage, lexopt::Error> {
    let found = Stage::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, stage)| *stage).ok_or_else(|| {
        let all: Vec<&str> = Stage::ALL.iter().map(|(name, _)| *name).collect();
        format!("there is no stage `{name}`; there are {}", all.join(", ")).into()
    })
}
