//! What rustc itself reports through `finch!` and `level!`: names, types and lints.

/// The release whose wording `tests/ui/*.stderr` has.
const RUSTC: &str = "rustc 1.95.";

#[test]
fn ui() {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(RUSTC) {
        // Its messages are its own: another release words and lays them out in other ways.
        println!("the expected messages are of {RUSTC}x, this is {version}: not compared");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
