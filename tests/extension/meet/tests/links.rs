//! A program with kernels links nothing of their compiler.

use std::process::Command;

#[test]
fn neither_egg_nor_syn_at_run_time() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args([
            "tree",
            "-p",
            "meet",
            "-e",
            "normal,no-proc-macro",
            "--prefix",
            "none",
            "--offline",
            "--locked",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("names are UTF-8");
    let names: Vec<&str> = text.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.contains(&"looplets") && names.contains(&"blocks"), "{text}");
    for compiler in [
        "egg",
        "syn",
        "quote",
        "proc-macro2",
        "prettyplease",
        "looplets-core",
        "looplets-rewrites",
        "looplets-macros",
    ] {
        assert!(!names.contains(&compiler), "{compiler} is linked:\n{text}");
    }
}
