//! Takes the declarations of the built-in formats, fills and operators out of their sources, where a macro cannot reach
//! them without rustc, and the samples; and writes the kernels of the samples, which tests compile.

#[path = "src/split.rs"]
mod split;

use proc_macro2::{TokenStream, TokenTree};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let formats = here.join("../formats/src");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/split.rs");
    println!("cargo:rerun-if-changed={}", formats.display());
    println!("cargo:rerun-if-changed={}", here.join("samples").display());
    let mut declared = String::from("&[\n");
    for file in files(&formats, "rs") {
        let source = std::fs::read_to_string(&file).expect("a source can be read");
        // Names of the run-time crate are looked up there.
        let source = source.replace("crate::", "looplets::");
        // What tests declare is nobody else's.
        let source = source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let Ok(tokens) = source.parse::<TokenStream>() else { continue };
        let module = file.with_extension("");
        let semiring = module.ends_with("semiring");
        if !(semiring
            || module.ends_with("fill")
            || module.parent().is_some_and(|p| p.ends_with("levels")))
        {
            continue;
        }
        for stream in declarations(tokens) {
            let (docs, bare) = undocumented(stream);
            if let Some((kind, name)) = named(&bare) {
                let text = bare.to_string();
                writeln!(declared, "    ({kind:?}, {name:?}, {docs:?}, {text:?}),")
                    .expect("a string");
            }
        }
    }
    declared += "]\n";
    std::fs::write(out.join("declared.rs"), declared).expect("OUT_DIR can be written");

    let (mut samples, mut kernels) = (String::from("&[\n"), String::new());
    for file in files(&here.join("samples"), "txt") {
        let name = file.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&file).expect("a sample can be read");
        writeln!(samples, "    ({name:?}, {text:?}),").expect("a string");
        let program = text.split("\n---\n").nth(1).expect("a sample has a program");
        let tokens: TokenStream = program.parse().expect("a sample is tokens");
        let typed = split::split(tokens);
        let macros: String =
            typed.declared.iter().map(|d| format!("looplets::__declare! {{ {d} }}\n")).collect();
        let module = name.split_once('_').map_or(&*name, |(_, rest)| rest).to_owned();
        writeln!(
            kernels,
            "#[allow(unused_imports, dead_code, deprecated)]\npub mod {module} {{\n    use looplets::prelude::*;\n    {}    looplets::finch! {{ {} }}\n}}",
            macros.replace("looplets::__declare!", "looplets::level!"),
            public(typed.program),
        )
        .expect("a string");
    }
    samples += "]\n";
    std::fs::write(out.join("samples.rs"), samples).expect("OUT_DIR can be written");
    std::fs::write(out.join("kernels.rs"), kernels).expect("OUT_DIR can be written");

    // A browser gives a module one stack, and terms are walked by recursion.
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|f| f == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=16777216");
    }
}

/// `program` with its functions public.
fn public(program: TokenStream) -> TokenStream {
    let each = |tree: TokenTree| match &tree {
        TokenTree::Ident(word) if word == "fn" => {
            let vis = proc_macro2::Ident::new("pub", word.span());
            vec![TokenTree::Ident(vis), tree]
        }
        _ => vec![tree],
    };
    program.into_iter().flat_map(each).collect()
}

/// The files below `directory`, in the order of their names.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            out.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// What stands in `level! { .. }`, `fill! { .. }` and `operator! { .. }`, also with a path in front.
fn declarations(tokens: TokenStream) -> Vec<TokenStream> {
    split::split(tokens).declared
}

/// A declaration without its documentation, and the first sentence of that.
fn undocumented(tokens: TokenStream) -> (String, TokenStream) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut docs, mut kept, mut at) = (String::new(), Vec::new(), 0);
    while at < trees.len() {
        if let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = &trees[at..] {
            let text = group.stream().to_string();
            if hash.as_char() == '#' && text.starts_with("doc") {
                let line = text.split_once('"').map_or("", |(_, rest)| rest).trim_end_matches('"');
                if !docs.contains(". ") && !docs.ends_with('.') && !text.contains("hidden") {
                    docs = format!("{docs} {}", line.trim()).trim().to_owned();
                }
                if text.contains("hidden") {
                    docs = "hidden".to_owned();
                }
                at += 2;
                continue;
            }
        }
        // Documentation within, of fields.
        kept.push(match &trees[at] {
            TokenTree::Group(g) => {
                let mut group = proc_macro2::Group::new(g.delimiter(), undocumented(g.stream()).1);
                group.set_span(g.span());
                TokenTree::Group(group)
            }
            other => other.clone(),
        });
        at += 1;
    }
    (docs, kept.into_iter().collect())
}

/// What a declaration is of, and its name.
fn named(tokens: &TokenStream) -> Option<(String, String)> {
    let words: Vec<String> = tokens.clone().into_iter().take(8).map(|t| t.to_string()).collect();
    let kinds = ["struct", "type", "fill", "fn", "rules", "misnamed"];
    let at = words.iter().position(|w| kinds.contains(&w.as_str()))?;
    Some((words[at].clone(), words.get(at + 1)?.clone()))
}
