//! The binary: arguments, a stack that is deep enough, and what is printed.

use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;

/// Expressions nest as deep as people write them, and a stage goes down into them.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let styled = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let work = move || {
        let input = || {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        };
        looplets_cli::run(std::env::args_os().skip(1), input, styled)
    };
    let done = std::thread::Builder::new().stack_size(STACK).spawn(work).map(|t| t.join());
    let output = match done {
        Ok(Ok(output)) => output,
        // The panic has been printed.
        Ok(Err(_)) => return ExitCode::from(101),
        Err(e) => {
            eprintln!("error: no thread to work in: {e}");
            return ExitCode::from(1);
        }
    };
    // A reader that has seen enough, as `head`, is no error.
    let _ = std::io::stderr().write_all(output.err.as_bytes());
    let _ = std::io::stdout().write_all(output.out.as_bytes());
    ExitCode::from(output.code)
}
