//! What the compiler says of itself: every stage of the examples of Looplets sections 2 and 6, of shape operators, and
//! that the same tokens compile to the same tokens. `INSTA_UPDATE=always` writes the snapshots anew.

mod kinds;
use kinds::*;
use looplets::prelude::*;
use looplets_core::{expand, formats::Library, parse, simplify::Simplifier};

level! {
    /// A vector with one block.
    pub type Band = Tensor<SparseBand<Element<f64>>>;
}

level! {
    /// A vector of runs.
    pub type Runs = Tensor<RunList<Element<f64>>>;
}

/// The stages that a person reads, up to `last`; the tokens for rustc are the same code with paths and checks.
fn readable(stages: &str, last: &str) -> String {
    let (mut out, mut keep, mut over) = (String::new(), true, false);
    for line in stages.lines() {
        if let Some(heading) = line.strip_prefix("== ") {
            keep = !over;
            over |= heading.starts_with(last);
        }
        if keep {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

macro_rules! stages {
    ($last:literal: $($(#[$doc:meta])* $name:ident: { $($kernel:tt)* })*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), readable(explain! { $($kernel)* }, $last));
        }
    )*};
}

/// The tokens that rustc gets, of one kernel.
#[test]
fn tokens() {
    let stages = explain! { fn tokens(a: &SparseVec<f64>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } };
    let start = stages.find("== tokens").expect("the last stage");
    // Fingerprints are numbers that change with the wording of a declaration.
    let mut comparing = false;
    let mut kept = |l: &&str| {
        comparing |= l.contains("declared::");
        let kept = !comparing;
        comparing &= !l.ends_with(';');
        kept
    };
    let text = stages[start..].lines().filter(|l| kept(l)).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("tokens", text);
}

/// What a position is computed of is not cut to a limit, but what a program computes is.
#[test]
fn only_products_in_positions_go_without_a_limit() {
    let rows = explain! { fn rows(a: &DenseMat<f64>, c: &mut f64) { for i, j { c += a[i, j] } } };
    assert!(rows.contains("rt::place(") && !rows.contains("rt::times("));
    let every = explain! { fn every(a: &DenseVec<f64>, n: i64, c: &mut f64) { for i in 0..n * n { c += a[i] } } };
    assert!(every.contains("rt::times(") && !every.contains("rt::place("));
}

stages! { "code":
    /// Section 2: the list is read only where the band is.
    list_by_band: { fn list_by_band(a: &SparseVec<f64>, b: &Band, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// Section 6.1: one element at a time.
    lookup: { fn lookup(a: &Tensor<Mirrored<Element<f64>>>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// A run is one update.
    run: { fn run(a: &Tensor<Uniform<Element<f64>>>, c: &mut f64) { for i { c += a[i] } } }
    /// Logic over bits takes a word a step, without masks in the middle.
    words: { fn words(a: &Tensor<Bitmap<Pattern>>, b: &Tensor<Bitmap<Pattern>>) -> (c: Tensor<Bitmap<Pattern>>) {
        for i { c[i] = a[i] && !coalesce(b[permit[i - 1]], true) }
    } }
    /// The tail of a spike stands alone.
    spike: { fn spike(a: &Tensor<LastOnly<Element<f64>>>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// A branch for each case.
    switch: { fn switch(a: &Tensor<Marked<Element<f64>>>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// Phases one after the other.
    pipeline: { fn pipeline(a: &Tensor<Cut<Element<f64>>>, b: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// Two lists side by side.
    stepper: { fn stepper(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] * b[i] } } }
    /// Two lists that skip.
    jumper: { fn jumper(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::gallop] * b[i::gallop] } } }
    /// One that leads, one that follows.
    leader: { fn leader(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) { for i { c += a[i::lead] * b[i::follow] } } }
    /// Extents that are moved.
    shift: { fn shift(a: &Tensor<Based<Element<f64>>>, c: &mut f64) { for i { c += a[i] } } }
    /// A stepper whose state is no count.
    stateful: { fn stateful(a: &Tensor<Lengths<Element<f64>>>, c: &mut f64) { for i { c += a[i] } } }
    /// A matrix by a vector.
    spmv: { fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } } }
    /// A result that is appended to.
    append: { fn append(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = a[i] + b[i] } } }
    /// Entries as they come, and a result that is written anywhere.
    entries_in_no_order: { fn entries_in_no_order(a: &Tensor<Dense<UnorderedList<Element<f64>>>>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i, j { y[j] += a[i, j::scan] * x[i] } } }
    /// A result of runs: one entry for each two runs that overlap.
    runs: { fn runs(a: &Runs, b: &Runs) -> (y: Runs) { for i { y[i] = a[i] + b[i] } } }
    /// A product whose rows are in no order: entries are found or made, and what a row is multiplied by is read once.
    unordered: {
        fn unordered(a: &Csr<f64>, b: &Csr<f64>) -> (y: Tensor<Dense<UnorderedList<Element<f64>>>>) {
            for i, k, j { y[i, j] += a[i, k] * b[k, j] }
        }
    }
}

// Root et al., section 5: two levels as one fiber, and one fiber as two loops. What optimisation makes of the code is
// not theirs, and left out.
stages! { "lowered":
    /// Each row of a matrix is a group of the fiber.
    stretch_rows: { fn stretch_rows(a: &Csr<f64>, x: &DenseVec<f64>, c: &mut f64) { for k { c += collapse(a[i, j], (i, j) -> k) * x[k] } } }
    /// Runs of rows are runs of the fiber.
    stretch_runs: { fn stretch_runs(a: &Tensor<Dense<RunList<Element<f64>>>>, x: &DenseVec<f64>, c: &mut f64) { for k { c += collapse(a[i, j], (i, j) -> k) * x[k] } } }
    /// A run of elements that are all one row is a group for each.
    stretch_run_of_rows: { fn stretch_run_of_rows(a: &Tensor<RunList<SparseList<Element<f64>>>>, x: &DenseVec<f64>, c: &mut f64) { for k { c += collapse(a[i, j], (i, j) -> k) * x[k] } } }
    /// Of a spike, the last group holds something.
    stretch_spike: { fn stretch_spike(a: &Tensor<LastOnly<SparseList<Element<f64>>>>, x: &DenseVec<f64>, c: &mut f64) { for k { c += collapse(a[i, j], (i, j) -> k) * x[k] } } }
    /// What is moved by rows is moved by whole groups.
    stretch_shift: { fn stretch_shift(a: &Tensor<Based<SparseList<Element<f64>>>>, x: &DenseVec<f64>, c: &mut f64) { for k { c += collapse(a[i, j], (i, j) -> k) * x[k] } } }
    /// Three levels: a stretch in a stretch.
    stretch_three: { fn stretch_three(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, x: &DenseVec<f64>, c: &mut f64) { for m { c += collapse(a[i, j, k], (i, j, k) -> m) * x[m] } } }
    /// The loop over groups visits those that hold something, and the loop within goes on with its state.
    groups_stepper: { fn groups_stepper(x: &SparseVec<f64>, n: usize, y: &mut DenseVec<f64>) { for i, j { y[i] += split(x[k], k -> (i, j: n)) * j } } }
    /// A run in front: the groups in it are uniform, and the group that holds its end is looked at.
    groups_run: { fn groups_run(x: &Band, n: usize, y: &mut DenseVec<f64>) { for i, j { y[i] += split(x[k], k -> (i, j: n)) * j } } }
    /// What is moved need not start with a group.
    groups_shift: { fn groups_shift(x: &Tensor<Based<Element<f64>>>, n: usize, y: &mut DenseVec<f64>) { for i, j { y[i] += split(x[k], k -> (i, j: n)) * j } } }
    /// Groups of groups.
    groups_three: { fn groups_three(x: &SparseVec<f64>, y: &mut DenseVec<f64>) { for h, i, j { y[h] += split(x[k], k -> (h, i: 5, j: 4)) * (i + j) } } }
    /// A part of each group, whose end the loop around says.
    groups_part: { fn groups_part(x: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { for j in 0..i + 1 { y[i] += split(x[k], k -> (i, j: 4)) * j } } } }
}

const DECLARATIONS: &[&str] = &[
    "pub fill Zero = 0;",
    "pub struct Element<T, F = Zero> { val: Vec<T> } leaf T = F; unsafe invariant(fibers) { Ok(0) } read value(p) { val[p] }
     write value(p) { reserve(fibers) { crate::level::grow(val, fibers, fill) }, place: val[p], }",
    "pub struct Dense<Child> { len: usize, child: Child } unsafe invariant(fibers) { Ok(fibers * len) }
     read walk(p) { lookup(|i| child[p * len + i]) } read locate(p, i) { child[p * len + i] }
     write locate(p, i) { child: p * len + i, children: len, }",
    "pub struct List<Child, Ix: Index = u32> { len: usize, pos: Vec<usize>, crd: Vec<Ix>, child: Child }
     unsafe invariant(fibers) { Ok(crd.len()) }
     read walk(p) {
         let start = pos[p];
         let end = pos[p + 1];
         let last = if start < end { crd[end - 1] + 1 } else { 0 };
         pipeline {
             ..last => stepper {
                 for q in start..end,
                 seek(i): search(crd, q, end, i),
                 stop: crd[q] + 1,
                 body: spike(fill, child[q]),
             },
             .. => run(fill),
         }
     }",
    "pub type Rows<T> = Tensor<Dense<List<Element<T>>>>;",
];

/// The formats of this file's own.
fn library() -> Library {
    let mut library = Library::default();
    for declaration in DECLARATIONS {
        library.add_source(declaration).expect("a declaration");
    }
    library
}

/// The tokens and stages of a kernel.
fn compiled_by(simplifier: &mut Simplifier, kernel: &str) -> (String, String) {
    let mut programs = parse::programs(kernel.parse().expect("tokens"))
        .unwrap_or_else(|e| panic!("{}", e.to_compile_error()));
    let krate = quote::quote!(looplets);
    let report = expand::compile(programs.remove(0), &library(), krate, simplifier, true)
        .unwrap_or_else(|e| panic!("{}", e.to_compile_error()));
    (report.tokens.to_string(), report.text())
}

/// One compilation in a compiler of its own.
fn compiled(kernel: &str) -> (String, String) {
    compiled_by(&mut Simplifier::new(looplets_rewrites::standard()), kernel)
}

#[test]
fn the_same_tokens_compile_to_the_same_tokens() {
    let kernels = [
        "fn spmv(a: &Rows<f64>, x: &Tensor<Dense<Element<f64>>>) -> (y: Tensor<Dense<Element<f64>>>) { for i, j { y[i] += a[i, j] * x[j] } }",
        "fn three(a: &Rows<f64>, b: &Rows<f64>, d: &Rows<f64>, c: &mut f64) { for i, j { c += a[i, j] * (b[i, j] + d[i, j]) } }",
        "fn odd(a: &Tensor<List<Element<f64>>>, s: i64, c: &mut f64, m: &mut f64) {
             for i { if a[i] > 2 && i != s { c += a[i] * s + min(a[i], 3) } else { m <<max>>= a[i + s] } } }",
    ];
    for kernel in kernels {
        let first = compiled(kernel);
        for _ in 0..3 {
            assert!(compiled(kernel) == first, "{kernel}");
        }
        // In a process of its own hash maps are seeded anew: threads are what a test can have.
        let kernel = kernel.to_owned();
        let other = std::thread::spawn(move || compiled(&kernel)).join().expect("compiles");
        assert!(other == first);
    }
}

#[test]
fn a_used_compiler_compiles_the_same() {
    let text = "fn total(a: &Rows<f64>, c: &mut f64) { for i, j { c += 2 * a[i, j] } }";
    let other =
        "fn dot(a: &Rows<f64>, b: &Rows<f64>, c: &mut f64) { for i, j { c += a[i, j] * b[i, j] } }";
    let mut simplifier = Simplifier::new(looplets_rewrites::standard());
    let mut once = |text: &str| compiled_by(&mut simplifier, text);
    let first = once(text);
    once(other);
    // What the simplifier remembers of other kernels changes nothing.
    assert_eq!(once(text), first);
    assert_eq!(first, compiled(text));
}

/// A second body, for wide registers, is for loops that take neighbours side by side.
#[test]
fn a_second_body_where_it_pays() {
    let product = "fn f(a: &Rows<f64>, d: &Tensor<Dense<Dense<Element<f64>>>>) -> (c: Tensor<Dense<Dense<Element<f64>>>>) { c[i, j] += a[i, k] * d[k, j] }";
    let dot = "fn f(x: &Tensor<Dense<Element<f64>>>, s: &mut f64) { s += x[i] * x[i] }";
    let scaled = "fn f(x: &mut Tensor<Dense<Element<f64>>>) { for i { x[i] *= 3 } }";
    let gathered =
        "fn f(a: &Rows<f64>, x: &Tensor<Dense<Element<f64>>>, s: &mut f64) { s += a[i, j] * x[j] }";
    let merged = "fn f(a: &Rows<f64>, b: &Rows<f64>, s: &mut f64) { s += a[i, j] * b[i, j] }";
    let inline = "<x: Tensor<Dense<Element<f64>>>, mut s: f64> for i { s += x[i] * x[i] }";
    let twice = |kernel: &str| compiled(kernel).0.matches("__looplets_v3").count();
    for kernel in [product, dot, scaled] {
        // The function and the call.
        assert_eq!(twice(kernel), 2, "{kernel}");
        for setting in ["#![portable]", "#![forbid(unsafe_code)]"] {
            assert_eq!(twice(&format!("{setting} {kernel}")), 0, "{setting} {kernel}");
        }
    }
    let counted = scaled.replace(") {", ", n: &mut u64) {");
    assert_eq!(twice(&format!("#![steps(n)] {counted}")), 0, "one by one, to be counted");
    for kernel in [gathered, merged, inline] {
        assert_eq!(twice(kernel), 0, "{kernel}");
    }
    // Products are fused where the processor is known to have an instruction for that.
    let contracted = compiled(&format!("#![contract] {dot}")).0;
    assert!(contracted.contains("multiply_add_once") && contracted.contains("multiply_add ("));
    assert!(!compiled(dot).0.contains("multiply_add"));
}
