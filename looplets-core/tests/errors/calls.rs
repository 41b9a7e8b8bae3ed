//! Calls with any number of arguments, in any place: what is wrong is said, and what is not is code.

use super::sources::*;

/// Each operator of the language that is called by name, and functions that are Rust's.
const NAMES: &[&str] = &[
    "ifelse",
    "coalesce",
    "min",
    "max",
    "abs",
    "sqrt",
    "exp",
    "ln",
    "powi",
    "powf",
    "abs_diff",
    "clamp",
    "mul_add",
    "signum",
    "rem_euclid",
    "atan2",
    "is_nan",
    "floor",
    "leading_zeros",
    "wrapping_add",
    "first",
    "self::g",
    "rand",
    "f64::default",
];

#[test]
fn any_number_of_arguments_anywhere() {
    let places: [fn(&str) -> String; 8] = [
        |call| format!("y[i] = x[i] + {call}"),
        |call| format!("y[i] <<min>>= {call}"),
        |call| format!("if {call} {{ y[i] = x[i] }}"),
        |call| format!("for i in 0..{call} {{ y[i] += x[i] }}"),
        |call| format!("y[i] = x[{call}] * v[i]"),
        |call| format!("let t = {call}; y[i] += v[i] * t"),
        |call| format!("y[i] += a[i, j] * {call} * v[j]"),
        |call| format!("y[i] += min(v[i], {call})"),
    ];
    let header = "fn k(a: &Csr<f64>, x: &DenseVec<f64>, v: &SparseVec<f64>) -> (y: DenseVec<f64>)";
    let mut kernels = Vec::new();
    for name in NAMES {
        for arguments in ["", "x[i]", "v[i], 2", "v[i] > 0, x[i], 0", "x[i], v[i], 1, 2"] {
            let call = format!("{name}({arguments})");
            kernels.extend(places.iter().map(|place| format!("{header} {{ {} }}", place(&call))));
        }
    }
    let kernels: Vec<&str> = kernels.iter().map(String::as_str).collect();
    let told = errors_without_loops_of(&kernels);
    let good = told.matches("no error").count();
    assert!((100..kernels.len() / 2).contains(&good), "{good} of {}", kernels.len());
}

/// One mistake is one message, also where the loops that it left out are not added.
#[test]
fn too_few_arguments() {
    let kernel = "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = ifelse(x[i] > 0, x[i]) }";
    let said = errors_without_loops_of(&[kernel]);
    assert!(said.contains("takes 3 arguments, found 2") && !said.contains("inferred"), "{said}");
}
