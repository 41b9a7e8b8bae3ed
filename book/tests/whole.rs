//! That the book is whole: each chapter is in its contents and, if it has listings, a test; links and the index of recipes lead
//! somewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The chapters, below `src`.
fn chapters() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["src", "src/recipes"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_chapter = path.extension().is_some_and(|e| e == "md")
                && !path.ends_with("SUMMARY.md")
                && !path.ends_with("links.md");
            all.extend(is_chapter.then_some(path));
        }
    }
    all
}

/// The text of a chapter with what it includes.
fn included(path: &Path) -> String {
    let mut out = String::new();
    for line in text(path).lines() {
        let include = line.strip_prefix("{{#include ").and_then(|l| l.strip_suffix("}}"));
        let Some(include) = include else {
            out += &format!("{line}\n");
            continue;
        };
        let (file, anchor) = include.split_once(':').unwrap_or((include, ""));
        let all = included(&path.parent().expect("a folder").join(file));
        let (begin, end) =
            (format!("<!-- ANCHOR: {anchor} -->"), format!("<!-- ANCHOR_END: {anchor} -->"));
        out += match anchor {
            "" => &all,
            _ => {
                let rest = all.split_once(&begin).expect(include).1;
                rest.split_once(&end).expect(include).0
            }
        };
    }
    out
}

/// The lines of a text that are outside of listings.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// What headings are linked by.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|l| l.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || " _-".contains(*c);
    headings
        .map(|h| {
            h.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>()
        })
        .map(|h| h.replace(' ', "-"))
        .collect()
}

#[test]
fn each_chapter_is_in_the_contents_and_each_listing_is_a_test() {
    let (contents, library) = (text(&root().join("src/SUMMARY.md")), text(&root().join("lib.rs")));
    let (mut listings, mut seen) = (0, 0);
    for path in chapters() {
        let name =
            path.strip_prefix(root().join("src")).expect("below `src`").display().to_string();
        assert!(contents.contains(&format!("({name})")), "`{name}` is not in the contents");
        let here = text(&path).lines().filter(|l| l.starts_with("```rust")).count();
        let tested = library.contains(&format!("include_str!(\"src/{name}\")"));
        assert!(here == 0 || tested, "the listings of `{name}` are no tests");
        listings += here;
        seen += 1;
    }
    assert_eq!(seen, contents.matches("](").count(), "a chapter of the contents is not there");
    assert!(listings > 70, "only {listings} listings were found");
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for path in chapters() {
        let folder = path.parent().expect("a folder");
        let all = included(&path);
        for line in prose(&all) {
            for link in line.split("](").skip(1).filter_map(|l| l.split(')').next()) {
                if link.starts_with("http") {
                    continue;
                }
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let there = if file.is_empty() { path.clone() } else { folder.join(file) };
                let target = included(&there);
                let found = anchor.is_empty() || anchors(&target).contains(anchor);
                assert!(found, "{}: `{link}` leads nowhere", path.display());
                checked += 1;
            }
            // Links by a name that is defined below: a name of its own, or code that is one.
            let named = line.split("][").skip(1).filter_map(|l| l.split(']').next());
            let code = line.split("[`").skip(1).filter_map(|l| {
                let (name, rest) = l.split_once("`]")?;
                let is_link = !name.contains('`') && !rest.starts_with(['(', '[', ':']);
                is_link.then(|| format!("`{name}`"))
            });
            for name in named.map(str::to_owned).chain(code) {
                let defined = all.contains(&format!("\n[{name}]: "));
                assert!(defined, "{}: nothing defines `[{name}]`", path.display());
            }
        }
    }
    assert!(checked > 70, "only {checked} links were found");
}

#[test]
fn the_book_and_the_guide_define_the_same_links() {
    let names = |path: &str| -> Vec<String> {
        let all = text(&root().join(path));
        all.lines().filter_map(|l| Some(l.split_once("]: ")?.0.to_owned())).collect()
    };
    assert_eq!(names("src/links.md"), names("../src/guide/links.md"));
}

#[test]
fn the_index_has_each_recipe() {
    let index = text(&root().join("src/recipes.md"));
    let mut recipes = 0;
    for path in chapters().iter().filter(|p| p.parent().is_some_and(|p| p.ends_with("recipes"))) {
        let all = text(path);
        for heading in prose(&all).filter_map(|l| l.strip_prefix("## ")) {
            assert!(index.contains(&format!("- [{heading}](")), "no `{heading}` in the index");
            recipes += 1;
        }
    }
    assert_eq!(recipes, index.matches("\n- [").count());
    assert!(recipes >= 40, "only {recipes} recipes were found");
}
