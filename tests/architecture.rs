//! What documents and comments promise of the tree: paths that exist, reasons for what is unsafe.

use std::path::Path;

#[test]
fn every_path_that_the_documents_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
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
