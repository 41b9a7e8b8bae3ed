//! What the page is told: errors at their tokens, formats with where they stand, costs, and honest words where there is no result.

use serde_json::{json, Value};

fn ask(question: &Value) -> Value {
    serde_json::from_str(&looplets_playground::answer(&question.to_string())).expect("JSON")
}

fn program(program: &str, inputs: Value) -> Value {
    ask(&json!({ "ask": "program", "program": program, "inputs": inputs }))
}

/// The text of the first error and what stands there.
fn error(text: &str) -> (String, String) {
    let told = program(text, json!({}));
    assert_eq!(told["ok"], false, "{told}");
    let first = &told["errors"][0];
    let at = &first["at"];
    let number = |key: &str| at[key].as_u64().unwrap_or(0) as usize;
    let token = match at.is_null() {
        true => String::new(),
        false => {
            assert_eq!(at["line"], at["endLine"]);
            let line: Vec<char> = text.lines().nth(number("line") - 1).unwrap().chars().collect();
            line[number("column")..number("endColumn")].iter().collect()
        }
    };
    (first["message"].as_str().unwrap().to_owned(), token)
}

#[test]
fn errors_stand_at_their_token() {
    let (message, token) = error(
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {\n    for i { y[i] = ö[i] * x[i] }\n}",
    );
    assert!(message.starts_with("unknown tensor `ö`"), "{message}");
    assert_eq!(token, "ö");
    let (message, token) = error("fn k(x: &SparseVecc<f64>, s: &mut f64) { for i { s += x[i] } }");
    assert!(message.contains("is not a format"), "{message}");
    assert_eq!(token, "SparseVecc");
    let (message, token) =
        error("use nothing;\nfn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }");
    assert!(message.contains("no `operator!`"), "{message}");
    assert_eq!(token, "nothing");
    let (message, _) = error("fn k(x: &DenseVec<f64>) { for i { s += x[i] }");
    assert!(!message.is_empty());
    let (message, _) = error("");
    assert!(message.contains("kernel"), "{message}");
}

#[test]
fn what_a_declaration_gets_wrong_is_said_there() {
    let (message, token) = error("level! {\n    pub struct P<Child> { len: usize, child: Child }\n    invariant(fibers) { Ok(fibers) }\n    read walk(p) { run(chld[p]) }\n}\nfn k(a: &Tensor<P<Element<f64>>>, s: &mut f64) { for i { s += a[i] } }");
    assert!(!message.is_empty());
    assert!(token.starts_with("chld"), "{token}: {message}");
}

#[test]
fn a_program_is_told_in_full() {
    let text =
        "fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }";
    let told = program(text, json!({ "a": [[2, null], [null, "-0"]], "x": ["inf", 3] }));
    assert_eq!(told["ok"], true, "{told}");
    assert_eq!(told["name"], "spmv");
    assert_eq!(told["ways"]["ways"][0]["loops"][1]["steps"], "stored(a)", "{}", told["ways"]);
    let a = &told["tensors"][0];
    assert_eq!(
        (&a["name"], &a["role"], &a["leaf"], &a["fill"]),
        (&json!("a"), &json!("input"), &json!("Element"), &json!("Zero"))
    );
    assert_eq!(a["levels"][1], json!({ "name": "SparseList", "more": [] }));
    let (from, to) = (
        a["at"]["column"].as_u64().unwrap() as usize,
        a["at"]["endColumn"].as_u64().unwrap() as usize,
    );
    assert_eq!(&text[from..to], "Csr<f64>");
    // What is not stored annihilates infinity.
    assert_eq!(told["results"]["values"][0]["data"], json!(["inf", "0"]));
    let stages: Vec<_> =
        told["stages"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(
        ["cin", "looplets", "lowered", "code", "tokens"].iter().all(|s| stages.contains(s)),
        "{stages:?}"
    );
    let code = told["stages"].as_array().unwrap().iter().find(|s| s["name"] == "code").unwrap();
    assert!(code["text"].as_str().unwrap().contains("for "), "{code}");
}

#[test]
fn strict_programs_have_the_zeros_of_rust() {
    let text = "#![strict] fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }";
    let told = program(text, json!({ "a": [[2, null]], "x": [1, "inf"] }));
    assert_eq!(told["results"]["values"][0]["data"], json!(["nan"]), "{told}");
}

#[test]
fn sizes_that_do_not_fit_are_said() {
    let text =
        "fn dot(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (s: f64) { for i { s += a[i] * b[i] } }";
    let told = program(text, json!({ "a": [1, 2], "b": [1, 2, 3] }));
    let why = told["results"]["error"].as_str().unwrap();
    assert!(why.contains("which is 2") && why.contains("which is 3"), "{why}");
    let told = program(text, json!({ "a": [], "b": [] }));
    assert_eq!(told["results"]["values"][0]["scalar"], "0");
    for wrong in [
        json!({ "a": 3, "b": [1] }),
        json!({ "a": ["x"], "b": [1] }),
        json!({ "b": [1] }),
        json!({ "a": [[1]], "b": [1] }),
    ] {
        assert!(program(text, wrong.clone())["results"]["error"].is_string(), "{wrong}");
    }
}

#[test]
fn what_is_not_evaluated_is_said_and_still_compiled() {
    let text =
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = crate::secret(x[i]) } }";
    let told = program(text, json!({ "x": [1] }));
    assert_eq!(told["ok"], true, "{told}");
    assert!(told["results"]["error"].as_str().unwrap().contains("secret"));
    let text = "fn k(x: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = x[i] + 200 } }";
    let told = program(text, json!({ "x": [100] }));
    assert!(told["results"]["error"].as_str().unwrap().contains("300"), "{told}");
}

#[test]
fn warnings_stand_at_their_token() {
    let text = "fn k(x: &DenseVec<f64>) -> (m: f64) { for i { m <<max>>= x[i] } }";
    let told = program(text, json!({ "x": [-1] }));
    let warning = &told["warnings"][0];
    assert!(warning["message"].as_str().unwrap().contains("starts at 0"), "{told}");
    assert!(warning["at"].is_object(), "{warning}");
    assert_eq!(told["results"]["values"][0]["scalar"], "0");
}

#[test]
fn a_mirror_image_and_a_triangle_hold_what_they_can() {
    let text = "fn k(a: &SymMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }";
    let told = program(text, json!({ "a": [[1, 2], [2, 3]], "x": [1, 1] }));
    assert_eq!(told["results"]["values"][0]["data"], json!(["3", "5"]), "{}", told["results"]);
    let told = program(text, json!({ "a": [[1, 2], [4, 3]], "x": [1, 1] }));
    assert!(told["results"]["error"].as_str().unwrap().contains("Symmetric"));
    let text = "fn k(a: &Tensor<Dense<LowerTriangular<Element<f64>>>>) -> (s: f64) { for i, j { s += a[i, j] } }";
    let told = program(text, json!({ "a": [[1, null], [4, 3]] }));
    assert_eq!(told["results"]["values"][0]["scalar"], "8", "{}", told["results"]);
    let told = program(text, json!({ "a": [[1, 5], [4, 3]] }));
    assert!(told["results"]["error"].as_str().unwrap().contains("LowerTriangular"));
}

#[test]
fn iterations_find_what_those_before_left() {
    let text = "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; if i > 0 { y[i] += y[i - 1] } } }";
    let told = program(text, json!({ "x": [1, 2, 3.5] }));
    assert_eq!(told["results"]["values"][0]["data"], json!(["1", "3", "6.5"]), "{told}");
    let text = "fn k(p: &mut DenseVec<i64>) { for i { p[i] = p[p[i]] } }";
    let told = program(text, json!({ "p": [0, 0, 1, 2] }));
    assert_eq!(told["results"]["values"][0]["data"], json!(["0", "0", "0", "0"]), "{told}");
}

#[test]
fn nonsense_is_answered() {
    for question in ["", "{", "{}", r#"{"ask": "else"}"#, r#"{"ask": "program", "program": 3}"#] {
        let told: Value = serde_json::from_str(&looplets_playground::answer(question)).unwrap();
        assert!(told["error"].is_string() || told["ok"] == false, "{question}: {told}");
    }
}

#[test]
fn columns_are_given_and_shown_as_other_matrices_are() {
    let told = program(
        "fn k(a: &Csc<f64>, x: &DenseVec<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] * x[i] }",
        json!({ "a": [[null, 1.5, null], [2.5, null, 3.0]], "x": [2.0, 10.0] }),
    );
    let result = &told["results"]["values"][0];
    assert_eq!(result["shape"], json!([2, 3]), "{told}");
    assert_eq!(result["data"], json!(["0", "3", "0", "25", "0", "30"]));
    assert_eq!(result["stored"], json!([false, true, false, true, false, true]));
}
