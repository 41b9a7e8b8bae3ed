//! What rustc itself reports through `finch!` and `level!`: names, types and lints.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
