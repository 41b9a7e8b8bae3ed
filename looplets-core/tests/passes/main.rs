//! Passes over kernel IR, one concept a file: what stands before `---` in a file of `files/` becomes what stands
//! behind it. `LOOPLETS_BLESS=1` writes what the passes give now.

#[path = "../built_in/mod.rs"]
mod built_in;
mod code;
mod expr;
mod header;

use looplets_core::formats::Library;
use looplets_core::optimize;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// All files, in order.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes/files")];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// What a pass makes of a file.
struct Run {
    pass: String,
    /// The lines of the header.
    header: String,
    /// What the file has behind its header.
    rest: String,
    /// The code before the pass, printed.
    before: String,
    /// The code behind it, printed.
    after: String,
}

/// The same, or what the verifier says.
fn run(library: &Library, path: &Path) -> Result<Run, String> {
    std::panic::catch_unwind(AssertUnwindSafe(|| verified(library, path))).unwrap_or_else(|e| {
        let said = e.downcast_ref::<String>().cloned();
        Err(said.unwrap_or("the pass panics".to_owned()))
    })
}

fn verified(library: &Library, path: &Path) -> Result<Run, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (input, _) = text.split_once("---\n").ok_or("no `---`")?;
    let header::File { pass, mut kernel, code } = header::file(library, input)?;
    let before = kernel.code_text(&code, 0);
    let code = optimize::pass(&pass, &mut kernel, code).ok_or(format!("no pass `{pass}`"))?;
    let after = kernel.code_text(&code, 0);
    let header: String = input.split_inclusive('\n').filter(|l| l.starts_with(';')).collect();
    let rest = text[header.len()..].to_owned();
    Ok(Run { pass, header, rest, before, after })
}

/// The lines of two texts, `-` before those of the first only and `+` before those of the second.
fn difference(a: &str, b: &str) -> String {
    let (a, b): (Vec<_>, Vec<_>) = (a.lines().collect(), b.lines().collect());
    // The longest common parts of what is left of both.
    let mut common = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, String::new());
    while i < a.len() || j < b.len() {
        let (sign, line) = if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            (' ', a[i - 1])
        } else if j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1] {
            i += 1;
            ('-', a[i - 1])
        } else {
            j += 1;
            ('+', b[j - 1])
        };
        out += &format!("{sign} {line}\n");
    }
    out
}

#[test]
fn passes_do_what_their_files_say() {
    let bless = std::env::var_os("LOOPLETS_BLESS").is_some();
    let (library, mut wrong) = (built_in::library(), String::new());
    for path in files() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let directory = path.parent().and_then(Path::file_name).unwrap_or_default();
        let said = match run(&library, &path) {
            Err(e) => format!("{e}\n"),
            Ok(run) if directory != run.pass.as_str() => {
                format!("a file of `{}` in the directory of another pass\n", run.pass)
            }
            Ok(run) => {
                let now = format!("{}---\n{}", run.before, run.after);
                match (run.before == run.after, name.starts_with("not_")) {
                    (true, false) => "the pass does nothing: call the file `not_..`\n".to_owned(),
                    (false, true) => "the pass applies where it must not\n".to_owned(),
                    _ if now == run.rest => continue,
                    _ if bless => {
                        let text = run.header + &now;
                        std::fs::write(&path, text).expect("the file can be written");
                        continue;
                    }
                    _ => difference(&run.rest, &now),
                }
            }
        };
        wrong += &format!("{}\n{said}\n", path.display());
    }
    assert!(
        wrong.is_empty(),
        "files that passes do not do (LOOPLETS_BLESS=1 rewrites them):\n{wrong}"
    );
}

/// No pass is switched off without a test that says so.
#[test]
fn every_pass_has_a_file_where_it_applies_and_one_where_it_does_not() {
    let library = built_in::library();
    let (mut applies, mut not) = (BTreeSet::new(), BTreeSet::new());
    for path in files() {
        if let Ok(run) = run(&library, &path) {
            let set = if run.before == run.after { &mut not } else { &mut applies };
            set.insert(run.pass);
        }
    }
    for pass in optimize::passes() {
        assert!(applies.contains(pass), "no file of tests/passes/files shows what `{pass}` does");
        assert!(
            not.contains(pass),
            "no file of tests/passes/files shows where `{pass}` stays away"
        );
    }
}

/// What is printed can be read, so that the output of a pass may be the input of a file.
#[test]
fn what_is_printed_is_read_as_the_same() {
    let library = built_in::library();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a file");
        let Some((input, output)) = text.split_once("---\n") else { continue };
        let header: String = input.split_inclusive('\n').filter(|l| l.starts_with(';')).collect();
        let read = header::file(&library, &(header + output));
        let read = read.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(read.kernel.code_text(&read.code, 0), output, "{}", path.display());
    }
}
