//! What documents and comments promise of the tree: paths that exist, reasons for what is unsafe, stages
//! that only look back.

use std::path::Path;

#[test]
fn every_path_that_the_documents_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "benches/README.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = quoted.contains('/')
                && !quoted.contains([' ', ':', '(', '<', '='])
                && !quoted.starts_with('/');
            if is_path {
                assert!(
                    root.join(quoted).exists(),
                    "{document} names `{quoted}`, which is not there"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "the documents name paths in backquotes, but only {checked} were found");
}

#[test]
fn the_readme_is_short() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let lines = std::fs::read_to_string(readme).expect("README.md").lines().count();
    assert!(
        lines < 350,
        "README.md has {lines} lines: details belong to `src/guide`, measurements to `benches`"
    );
}

#[test]
fn every_unsafe_block_says_what_it_rests_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for part in ["formats", "looplets-core", "looplets-macros", "rewrites", "benches", "src"] {
        for file in sources(&root.join(part)) {
            let text = std::fs::read_to_string(&file).expect("a source can be read");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for (k, line) in lines.iter().enumerate() {
                if !line.contains(concat!("unsafe", " {")) || line.starts_with("//") {
                    continue;
                }
                // The comment ends right above, and may be of several lines.
                let above = lines[..k].iter().rev().take_while(|l| l.starts_with("//"));
                assert!(
                    above.clone().any(|l| l.contains("SAFETY:")),
                    "{}:{}: no `SAFETY:` above",
                    file.display(),
                    k + 1
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "only {checked} unsafe blocks were found");
}

/// The modules of the compiler in the order in which a kernel, or what is said of one, passes through them.
const STAGES: &[&str] = &[
    // Data, and services that know nothing of programs.
    "types",
    "clock",
    "diagnostics",
    "nesting",
    "methods",
    "ops",
    "cin",
    "runtime",
    "values",
    "simplify",
    "prove",
    "kir",
    "index",
    "nest",
    "decl",
    "opaque",
    "ast",
    "formats",
    "kernel",
    "typing",
    "effects",
    "locals",
    "verify",
    // From tokens to a program.
    "parse",
    "lost",
    "by_columns",
    "fills",
    "starts",
    "algebra",
    "schedule",
    "resolve",
    // From a program to tokens.
    "unfurl",
    "lower",
    "optimize",
    "emit",
    // Nests for people.
    "picture",
    // What a declaration expands to, and the door of the proc macros.
    "declare",
    "expand",
];

#[test]
fn no_stage_of_the_compiler_imports_a_later_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("looplets-core/src");
    let rank = |name: &str| STAGES.iter().position(|s| *s == name);
    let (mut seen, mut imports) = (std::collections::BTreeSet::new(), 0);
    for file in sources(&root) {
        let within = file.strip_prefix(&root).expect("a file of core").with_extension("");
        let stage = within.iter().next().and_then(|s| s.to_str()).expect("a name").to_owned();
        if stage == "lib" {
            continue;
        }
        let own =
            rank(&stage).unwrap_or_else(|| panic!("`{stage}` is no stage: add it to the list"));
        seen.insert(stage.clone());
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        let code: String = text.lines().map(|l| l.split("//").next().unwrap_or("")).collect();
        for rest in code.split("crate::").skip(1) {
            let group = rest.strip_prefix('{').and_then(|g| g.split('}').next());
            for path in group.unwrap_or(rest).split(',').take(if group.is_some() { 99 } else { 1 })
            {
                let word = |c: char| !c.is_alphanumeric() && c != '_';
                let name = path.trim().split(word).next().unwrap_or("");
                let Some(other) = rank(name) else { continue };
                imports += 1;
                assert!(other <= own, "{} imports `{name}`, a later stage", file.display());
            }
        }
    }
    assert_eq!(seen.len(), STAGES.len(), "a stage of the list is no module: {seen:?}");
    assert!(imports > 200, "only {imports} imports were found");
}

/// The stages that work on terms, nests and kernel IR.
const WITHOUT_TOKENS: [&str; 8] =
    ["simplify", "prove", "kir", "index", "nest", "verify", "lower", "optimize"];

/// The stages that hold tokens of programs and declarations, and make none.
const WITHOUT_QUOTES: [&str; 5] = ["runtime", "kernel", "typing", "locals", "unfurl"];

#[test]
fn passes_neither_make_nor_read_tokens() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("looplets-core/src");
    let mut checked = 0;
    for file in sources(&core) {
        let below = file.strip_prefix(&core).expect("a file of core").with_extension("");
        let stage = below.iter().next().expect("a stage").to_str().expect("a name").to_owned();
        let words: &[&str] = match stage.as_str() {
            stage if WITHOUT_TOKENS.contains(&stage) => &["quote!", "TokenStream", "TokenTree"],
            stage if WITHOUT_QUOTES.contains(&stage) => {
                &["quote!", "quote_spanned!", "TokenTree::"]
            }
            _ => continue,
        };
        checked += 1;
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        // Tests of a pass make what it is given.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if file.ends_with("tests.rs") {
            continue;
        }
        for word in words {
            assert!(!code.contains(word), "{} has `{word}`: `emit` makes tokens", file.display());
        }
    }
    assert!(checked > 60, "only {checked} files were found");
}

/// The Rust files below a directory.
fn sources(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        match path.extension() {
            _ if path.is_dir() && !path.ends_with("target") => out.extend(sources(&path)),
            Some(extension) if extension == "rs" => out.push(path),
            _ => {}
        }
    }
    out
}

/// Names that the compiler has for things of its own.
const OWN: [&str; 4] = ["Graph", "Hash", "Pattern", "Const"];

#[test]
fn the_compiler_names_no_format() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut formats = Vec::new();
    for file in sources(&root.join("formats/src/levels")) {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        // What stands in the first column of a file is no declaration, which is inside of `level!`.
        let declared = text.lines().filter_map(|line| {
            let rest =
                line.strip_prefix("    pub struct ").or(line.strip_prefix("    pub type "))?;
            rest.split(|c| !word(c)).next()
        });
        formats.extend(declared.map(str::to_owned));
    }
    assert!(formats.len() > 30, "only {formats:?} were found");
    for part in ["looplets-core/src", "rewrites/src", "looplets-macros/src"] {
        for file in sources(&root.join(part)) {
            let text = std::fs::read_to_string(&file).expect("a source can be read");
            for (k, line) in text.lines().enumerate() {
                let code = line.trim_start();
                // Comments may compare with what readers know.
                if code.starts_with("//") {
                    continue;
                }
                let (mut quoted, mut at) = (false, 0);
                for name in line.split(|c| !word(c)) {
                    let start = at + line[at..].find(name).expect("a part of the line");
                    quoted ^= line[at..start].matches('"').count() % 2 == 1;
                    at = start + name.len();
                    let own = OWN.contains(&name) && !quoted;
                    assert!(
                        own || !formats.iter().any(|f| f == name),
                        "{}:{}: `{name}` is a format",
                        file.display(),
                        k + 1
                    );
                }
            }
        }
    }
}
