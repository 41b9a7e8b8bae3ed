//! `LOOPLETS_TRACE=dir` writes the stages of every kernel that is expanded.

use looplets_core::expand::compile;
use looplets_core::formats::Library;
use looplets_core::parse::programs;
use looplets_core::simplify::Simplifier;
use std::process::Command;

const KERNEL: &str =
    "fn total(a: &Tensor<Dense<Element<f64>>>, c: &mut f64) { for i { c += a[i] } }";

/// The declarations of this kernel's formats, as their files have them.
fn library() -> Library {
    let mut library = Library::default();
    let files = [
        include_str!("../formats/src/levels/dense.rs"),
        include_str!("../formats/src/levels/element.rs"),
    ];
    for file in files {
        let start = file.find("crate::level! {").expect("a declaration") + "crate::level! {".len();
        let end = file.rfind('}').expect("its end");
        library
            .add_source(&file[start..end].replace("crate::Zero", "Zero"))
            .expect("a declaration");
    }
    library.add_source("pub fill Zero = 0;").expect("a marker");
    library
}

/// Expands the kernel twice; on its own it only shows that this works.
#[test]
fn expands() {
    let mut simplifier = Simplifier::new(looplets_rewrites::standard());
    for _ in 0..2 {
        let program = programs(KERNEL.parse().expect("tokens")).expect("a kernel").remove(0);
        let krate = "looplets".parse().expect("a path");
        let report =
            compile(program, &library(), krate, &mut simplifier, true).expect("it compiles");
        looplets_core::expand::trace(&report);
        assert_eq!(report.name, "total");
    }
}

#[test]
fn stages_are_written_where_the_variable_says() {
    let dir = std::env::temp_dir().join(format!("looplets-trace-{}", std::process::id()));
    let this = std::env::current_exe().expect("this test");
    let run = Command::new(this).args(["--exact", "expands"]).env("LOOPLETS_TRACE", &dir).output();
    assert!(run.expect("it starts").status.success());
    let read = |name: &str| {
        std::fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    assert!(read("total.cin").contains("for i in 0..a0_len"));
    assert!(read("total.looplets").contains("Lookup: i in 0..a0_len"));
    assert!(read("total.code").contains("lane0 +="));
    assert!(read("total.tokens").contains("unsafe"));
    assert!(read("total.svg").contains("a[i], dimension 0: Dense by "));
    assert!(read("total.cost").contains("nodes"));
    // A second kernel of the name does not overwrite the first.
    assert_eq!(read("total_2.code"), read("total.code"));
    std::fs::remove_dir_all(&dir).expect("it is there");
}
