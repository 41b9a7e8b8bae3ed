//! What is printed of a way is a `#![schedule(..)]` that settles that way: it expands to the same code.

use looplets_cli::{run, Output};

fn printed(program: String, stage: &str) -> String {
    let arguments = [program, "--stage".into(), stage.into()];
    let Output { out, err, code } = run(arguments.map(Into::into), || Ok(String::new()), false);
    assert_eq!(code, 0, "{err}");
    out
}

/// Programs of several ways, in which one operand is met in more than one place, or loops stand around a sum that is taken first.
const PROGRAMS: &[&str] = &[
    "fn f(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += m[i, j] * a[i, k] * b[k, j] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<bool>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } }",
    "fn f(a: &Csr<bool>, m: &Tensor<Dense<SparseList<Pattern>>>) -> (c: Tensor<Dense<SparseList<Pattern>>>) { c[i, j] ||= m[i, j] && a[i, k] && a[k, j] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>) -> (d: Csr<f64>) { d[i, l] += a[i, j] * b[j, k] * c[k, l] }",
    "fn f(a: &Csr<f64>) -> (s: f64) { s += a[i, j] * a[j, k] * a[i, k] * a[i, l] * a[j, l] * a[k, l] }",
    "fn f(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { let t = a[i, j] * x[j]; y[i] += t * t }",
    "fn f(b: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += b[i, j] * d[i, k] * e[j, k] }",
    "fn f(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, l] += a[i, j] * b[j, k] * c[k, l] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) { y[i] += a[i, j] * b[i, j]; z[j] += a[i, j] * b[i, j] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) { y[i] += a[i, j] * x[j]; z[i] += b[i, j] * x[j] }",
    "fn f(a: &Csr<u32>, b: &Csr<u32>, x: &DenseVec<u32>) -> (y: DenseVec<u32>) { y[i] <<max>>= min(a[i, j], min(b[j, k], x[k])) }",
];

#[test]
fn printed_words_settle_the_way() {
    let mut several = 0;
    for program in PROGRAMS {
        let ways = printed((*program).to_owned(), "schedule");
        let heads = ways.lines().filter_map(|line| line.strip_prefix("way ")?.split_once(": "));
        let heads: Vec<(&str, &str)> = heads.collect();
        assert!(!heads.is_empty(), "{program}: {ways}");
        several += usize::from(heads.len() > 1);
        for (number, words) in &heads {
            let asked = printed(format!("#![schedule({words})] {program}"), "rust");
            let way = match heads.len() {
                1 => String::new(),
                _ => format!("#![schedule(way({number}))] "),
            };
            assert_eq!(asked, printed(format!("{way}{program}"), "rust"), "{words}: {program}");
        }
    }
    assert!(several > 5, "{several}");
}

/// More than three ways are kept if a program asks for them, and fewer.
#[test]
fn as_many_ways_as_are_asked_for() {
    let ways = |most: &str| {
        let told = printed(format!("{most} {}", PROGRAMS[0]), "schedule");
        told.lines().filter(|line| line.starts_with("way ")).count()
    };
    assert_eq!(ways("#![schedule(ways(1))]"), 1);
    assert_eq!(ways(""), 3);
    assert!(ways("#![schedule(ways(8))]") > 3);
}

/// Whole numbers that wrap are least elsewhere once they are reduced first: no way does so unless it is asked to.
#[test]
fn whole_numbers_are_reduced_first_on_request() {
    for (format, kernel) in [
        ("i32, u32, Const<2147483647>", "y[i] <<min>>= a[i, j] + b[j, k] + x[k]"),
        ("i32, u32, Zero", "y[i] += a[i, j] * b[j, k] * x[k]"),
        ("f64, u32, NegInf", "y[i] <<max>>= min(a[i, j], min(b[j, k], x[k]))"),
    ] {
        let fill = format.replace(", u32", "");
        let program = format!("#![dense] fn f(a: &Csr<{format}>, b: &Csr<{format}>, x: &DenseVec<{fill}>) -> (y: DenseVec<{fill}>) {{ {kernel} }}");
        let told = printed(program.clone(), "schedule");
        let ways = told.lines().filter(|line| line.starts_with("way "));
        assert!(ways.clone().all(|way| !way.contains("first")), "{told}");
        assert!(told.contains("by its word alone: first(b, x)"), "{told}");
        assert!(
            !printed(format!("#![schedule(first(b, x))] {program}"), "schedule").contains("alone")
        );
    }
}
