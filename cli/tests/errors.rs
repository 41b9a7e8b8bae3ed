//! What is wrong is shown where it stands, all of it at once, and told by the exit code.

use looplets_cli::{run, Output};
use std::process::Command;

fn wrong(arguments: &[&str]) -> String {
    let stdin = || Ok(String::new());
    let Output { out, err, code } = run(arguments.iter().map(Into::into), stdin, false);
    assert_eq!(out, "", "{arguments:?}");
    format!("$ looplets {}\n{err}exit code {code}\n", arguments.join(" "))
}

/// Programs with mistakes: all those of a stage are shown.
#[test]
fn programs() {
    let all = [
        wrong(&["y[i] += a[i, j] * x[j", "-f", "a=Csr"]),
        wrong(&["y[i] += a[i, j] * * x[j];\nz[i] = 1 +", "-f", "a=Csr"]),
        wrong(&[
            "y[i] += a[i, j] * x[j]",
            "-f",
            "a=Cssr",
            "-f",
            "y=DenseVec",
            "-f",
            "z=Csr",
            "-f",
            "z=Csr",
        ]),
        wrong(&[
            "y[i] += a[i, j, k] * x[j]",
            "-f",
            "a=Csr",
            "-f",
            "x=DenseVec",
            "-f",
            "y=DenseVec",
        ]),
        wrong(&[
            "y[i] = x[i] +\n    über[i] * x[i, i]",
            "-f",
            "x=CSR",
            "-f",
            "über=DenseVec",
            "-f",
            "y=DenseVec",
        ]),
        wrong(&["s += x[i]", "-f", "x", "-f", "=Csr", "-f", "x=", "-f", "x=Csr Csr"]),
        wrong(&["fn f(a: &Csr<f64>) -> (s: f64) { s += a[i] }", "-f", "a=Csr"]),
        wrong(&["fn f(a: &Csr<f64>) -> (s: f64) { s += a[i] }"]),
        wrong(&["use nothing::here; s += x[i]", "-f", "x=SparseVec"]),
        wrong(&["s += x[i] } fn g() {", "-f", "x=SparseVec"]),
        wrong(&["s += \u{1b}x[i]", "-f", "x=SparseVec"]),
        wrong(&[]),
    ];
    insta::assert_snapshot!("programs", all.join("\n"));
}

/// Of a program with several ways, each warning is said once, and nothing else.
#[test]
fn warnings() {
    let program = "fn k(a: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }";
    let Output { err, code, .. } =
        run([program, "-s", "rust"].map(Into::into), || Ok(String::new()), false);
    let unread = "the kernel never reads `n`: leave it out, or call it `_n` if it is to be there";
    assert_eq!((err, code), (format!("warning: {unread}\n"), 0));
}

#[test]
fn command_lines_and_files() {
    let all = [
        wrong(&["--stage", "none", "s += x[i]"]),
        wrong(&["--nothing"]),
        wrong(&["-f"]),
        wrong(&["y[i]", "+=", "x[i]"]),
        wrong(&["-", "-i", "file"]),
        wrong(&["-i", "/there/is/none"]),
        wrong(&["--decl", "/there/is/none"]),
        wrong(&["s += x[i]", "-f", "x=SparseVec", "--svg", "/there/is/none/a.svg"]),
    ];
    insta::assert_snapshot!("command_lines", all.join("\n"));
}

#[test]
fn declarations() {
    let file = std::env::temp_dir().join(format!("looplets-decl-{}.rs", std::process::id()));
    let name = file.to_str().expect("a name");
    let mut told = String::new();
    for text in [
        "level! { pub struct Bad<Child> { child: Child } }\nfill! { pub fill = 1; }\n",
        "fn main() {}\n",
        "level! { \n",
    ] {
        std::fs::write(&file, text).expect("it can be written");
        told += &wrong(&["s += x[i]", "-f", "x=SparseVec", "--decl", name]);
        told += "\n";
    }
    std::fs::remove_file(&file).expect("it is there");
    insta::assert_snapshot!("declarations", told.replace(name, "own.rs"));
}

/// The same by the program itself.
#[test]
fn exit_codes() {
    let code = |arguments: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_looplets")).args(arguments).output();
        run.expect("it starts").status.code()
    };
    assert_eq!(code(&["s += x[i]", "-f", "x=SparseVec"]), Some(0));
    assert_eq!(code(&["s += x[i]", "-f", "x=SparseVex"]), Some(1));
    assert_eq!(code(&["--nothing"]), Some(2));
    // Deep, and refused for that, not a stack that overflows.
    let deep = format!("s += {}x[i]{}", "(".repeat(3000), ")".repeat(3000));
    assert_eq!(code(&[&deep, "-f", "x=SparseVec"]), Some(1));
}
