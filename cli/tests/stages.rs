//! The stages of one program, as they are printed.

use looplets_cli::{run, Output};

fn looplets(arguments: &[&str]) -> Output {
    let stdin = || Ok(String::from("s += x[i]"));
    run(arguments.iter().map(Into::into), stdin, false)
}

fn printed(arguments: &[&str]) -> String {
    let Output { out, err, code } = looplets(arguments);
    assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}");
    out
}

const SPMV: [&str; 7] =
    ["y[i] += a[i,j] * x[j]", "-f", "a=Csr", "-f", "x=DenseVec", "-f", "y=DenseVec"];

fn stage(name: &str) -> String {
    printed(&[&SPMV[..], &["--stage", name]].concat())
}

#[test]
fn each_stage_of_a_product() {
    for name in [
        "parse", "schedule", "costs", "resolve", "unfurl", "passes", "lower", "simplify",
        "optimize",
    ] {
        insta::assert_snapshot!(name, stage(name));
    }
    // Fingerprints change with the wording of declarations.
    assert!(stage("rust").contains("fn kernel"));
    let explained = stage("explain");
    for heading in ["schedule", "cin", "looplets", "lowered", "code", "tokens"] {
        assert!(explained.contains(&format!("== {heading} of kernel ==")), "{heading}");
    }
}

#[test]
fn several_stages_have_headings() {
    let both = printed(&[&SPMV[..], &["-s", "resolve,parse"]].concat());
    let at = |heading: &str| both.find(heading).expect("a heading");
    assert!(at("== resolve of kernel ==") < at("== parse of kernel =="));
    // The finished kernel is what is printed if nothing is asked for.
    assert_eq!(printed(&SPMV), stage("optimize"));
}

/// Who is read and who is written follows from where the names stand.
#[test]
fn results_and_operands() {
    let header = |program: &str, formats: &[&str]| {
        let mut arguments = vec![program, "-s", "parse"];
        formats.iter().for_each(|f| arguments.extend(["-f", f]));
        let text = printed(&arguments);
        let header = text.lines().skip(1).take_while(|l| {
            ["operand", "value", "updated", "result"].iter().any(|w| l.trim().starts_with(w))
        });
        header.map(|l| l.trim().to_owned()).collect::<Vec<_>>().join("; ")
    };
    let all = [
        header("d[i] = al * d[i] + e[i]", &["al=f64", "d=DenseVec", "e=SparseVec<f32>"]),
        header("s += x[i]", &["x=SparseVec"]),
        header("s += x[i]; y[i] = s", &["x=SparseVec", "y=DenseVec"]),
        header("y[i] = g[i, j]", &["g=Graph", "y=DenseVec<bool>"]),
        header("y[i] += a[i, j]", &["a=Dense<SparseList>", "y=Tensor<Dense>"]),
        header(
            "for i { let mut t: f64; for j { t += a[i, j] } y[i] = t }",
            &["a=Csr", "y=DenseVec"],
        ),
        header("y[p[i]] += x[i]", &["p=DenseVec<u32>", "x=DenseVec", "y=DenseVec"]),
        header("remove a[i, j]", &["a=Dense<Bst>"]),
    ];
    insta::assert_snapshot!("results_and_operands", all.join("\n"));
}

#[test]
fn whole_functions_and_inline_programs() {
    let whole = "fn total(a: &Csr<f64>) -> (s: f64) { s += a[i, j] }";
    assert!(printed(&[whole, "-s", "resolve"]).contains("s += a[i, j]"));
    let both = format!("{whole} fn other(x: &DenseVec<f64>) -> (s: f64) {{ s += x[i] }}");
    let two = printed(&[&both, "-s", "parse"]);
    assert!(two.contains("== parse of total ==") && two.contains("== parse of other =="), "{two}");
    let inline = "<x: SparseVec<f64>, mut s: f64> for i { s += x[i] }";
    assert!(printed(&[inline, "-s", "parse"]).starts_with("inline program"));
    // Settings and operators in front of statements.
    let paths = "#![dense] use looplets::semiring::min_plus; y[i] <<min>>= min_plus(a[i, j], x[j])";
    let args = [
        "-f",
        "a=Dense<SparseList<Element<f64, Inf>>>",
        "-f",
        "x=DenseVec<f64, Inf>",
        "-f",
        "y=DenseVec<f64, Inf>",
    ];
    assert!(printed(&[&[paths][..], &args].concat()).contains("fn kernel"));
}

#[test]
fn programs_from_standard_input_and_files() {
    let format = ["-f", "x=SparseVec", "-s", "resolve"];
    let typed = printed(&[&["s += x[i]"][..], &format].concat());
    assert_eq!(printed(&[&["-"][..], &format].concat()), typed);
    assert_eq!(printed(&format), typed);
    let file = std::env::temp_dir().join(format!("looplets-cli-{}.txt", std::process::id()));
    std::fs::write(&file, "s += x[i]\n").expect("it can be written");
    let name = file.to_str().expect("a name");
    assert_eq!(printed(&[&["-i", name][..], &format].concat()), typed);
    std::fs::remove_file(&file).expect("it is there");
}

#[test]
fn declarations_of_ones_own() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/own.rs.txt");
    let program = "use own::twice; c += twice(a[i])";
    let unfurled = printed(&[program, "--decl", file, "-f", "a=Points", "-s", "unfurl"]);
    insta::assert_snapshot!("own", unfurled);
    assert!(printed(&["--decl", file, "--formats"]).contains("Points"));
}

#[test]
fn pictures() {
    let svg = printed(&[&SPMV[..], &["--svg", "-"]].concat());
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("a[i, j], dimension 1: SparseList by walk"));
}

#[test]
fn help_and_formats() {
    assert!(printed(&["--help"]).contains("Examples:"));
    assert!(printed(&["--version"]).starts_with("looplets 0."));
    let formats = printed(&["--formats"]);
    for line in
        ["  Csr<T, Ix, F>", "  SparseList<Child, Ix>", "  Element<T, F>", "  Inf", "  min_plus"]
    {
        assert!(formats.lines().any(|l| l == line), "{line} in {formats}");
    }
    assert!(!formats.contains("Gathered1"));
}

/// What the program reads of which nothing is said is a number, and a result may be given sizes.
#[test]
fn headers_of_statements() {
    let schedule = |arguments: &[&str]| printed(&[arguments, &["--stage", "parse"]].concat());
    let told = schedule(&[
        "for i in 0..n { y[i] = alpha * coalesce(a[permit[i + 1]], 0) }",
        "-f",
        "a=DenseVec",
        "-f",
        "y=DenseVec[n]",
    ]);
    assert!(told.contains("alpha: f64") && told.contains("n: usize"), "{told}");
    assert!(!told.contains("permit:"), "{told}");
    // Nothing but a Rust that lacks the number would say so.
    let count = ["for i { h[x[i]] += 1 }", "-f", "x=DenseVec<usize>", "-f", "h=DenseVec<u64>[10]"];
    let told = printed(&[&count[..], &["--stage", "schedule"]].concat());
    assert!(told.contains("for i: len(i) steps"), "{told}");
}
