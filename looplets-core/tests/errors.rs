//! What a user reads when a kernel is well-formed but means nothing, or a declaration declares
//! nothing: every message of `resolve`, `formats` and `decl`, with line and column.
//!
//! The formats are the built-in ones, read from their sources so that they cannot drift.

use looplets_core::decl::Decl;
use looplets_core::formats::Library;
use looplets_core::{parse, resolve};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The declarations in the built-in sources: what stands in `level! { .. }` and `fill! { .. }`.
fn library() -> Library {
    let mut library = Library::default();
    for source in [
        include_str!("../../formats/src/fill.rs"),
        include_str!("../../formats/src/levels/aliases.rs"),
        include_str!("../../formats/src/levels/dense.rs"),
        include_str!("../../formats/src/levels/element.rs"),
        include_str!("../../formats/src/levels/pattern.rs"),
        include_str!("../../formats/src/levels/run_list.rs"),
        include_str!("../../formats/src/levels/sparse_band.rs"),
        include_str!("../../formats/src/levels/sparse_list.rs"),
    ] {
        // A path from the crate's root is a plain name here.
        let tokens: TokenStream = source.replace("crate::", "").parse().expect("a Rust file");
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for w in trees.windows(3) {
            if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] = w {
                if bang.as_char() == '!' && (name == "level" || name == "fill") {
                    library.add_source(&group.stream().to_string()).expect("a declaration");
                }
            }
        }
    }
    // Formats with less than the built-in ones have.
    for source in [
        "pub struct ReadOnly<Child> { len: usize, crd: Vec<u32>, child: Child }
         invariant(fibers) { Ok(fibers) }
         read walk(p) { stepper { for q in 0..p, stop: crd[q] + 1, body: spike(fill, child[q]) } }",
        "pub struct Given { val: Vec<f64> }
         leaf f64 = Zero;
         invariant(fibers) { Ok(fibers) }
         read value(p) { val[p] }",
        "pub type Upside = Tensor<Dense<Sideways>>;",
    ] {
        library.add_source(source).expect("a declaration");
    }
    library
}

/// The errors of a whole program, by whichever stage stops it.
fn errors(library: &Library, source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("tokens");
    let programs = match parse::programs(tokens) {
        Ok(programs) => programs,
        Err(e) => return format!("(parse) {}", e.render()),
    };
    let mut out = String::new();
    for program in programs {
        match resolve::resolve(program, library, quote!(looplets)) {
            Ok(_) => out += "no error\n",
            Err(e) => out += &e.render(),
        }
    }
    out
}

fn errors_of(sources: &[&str]) -> String {
    let library = library();
    sources
        .iter()
        .map(|s| format!("{s}\n  {}\n", errors(&library, s).trim_end().replace('\n', "\n  ")))
        .collect()
}

/// The error of a declaration.
fn declaration(source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("tokens");
    match syn::parse2::<Decl>(tokens) {
        Ok(_) => "no error".to_owned(),
        Err(e) => looplets_core::diagnostics::Errors::from(e).render().trim_end().to_owned(),
    }
}

fn declarations(sources: &[&str]) -> String {
    sources.iter().map(|s| format!("{s}\n  {}\n", declaration(s))).collect()
}

// ---- names ---------------------------------------------------------------------------------------

#[test]
fn names_that_mean_nothing() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] * x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; z[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] }; pass z }",
    ]), @"");
}

#[test]
fn names_that_mean_something_else() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += i[i] * x[i] } }",
        "fn k(x: &DenseVec<f64>, c: f64, s: &mut f64) { for i { s += c[i] * x[i] } }",
        "fn k(y: &mut DenseVec<f64>, x: &DenseVec<f64>) { for i { y[i] = x[i]; y = 1.0 } }",
        "fn k(x: &DenseVec<f64>, c: f64) { for i { c += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { i = 3; s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { let t = 2; for i { t += x[i] }; s += t }",
        "fn k(x: &DenseVec<f64>, x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "fn k(x: DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
    ]), @"");
}

#[test]
fn indices() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j, k { s += a[i, j, k] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[] } }",
        "fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i, j] += a[i, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, i { s += a[i, i] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { for j { for i { s += a[i, j] } } } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for a, j { s += a[a, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for s, j { s += a[s, j] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..9223372036854775807 { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 9223372036854775807] } }",
    ]), @"");
}

#[test]
fn operators() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += ifelse(x[i], 1) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += min() + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += coalesce() + x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<ifelse>>= x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += not(x[i], x[i]) } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] ** 2 } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] @ x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<==>>= x[i] } }",
    ]), @"");
}

// ---- formats -------------------------------------------------------------------------------------

#[test]
fn types_that_are_no_formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Vec<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &my::Csr<f64>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &[f64], s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<f64>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<(f64, f64)>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Zero>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Dense>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Seven>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Upside, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Csr<f64>) -> (y: Vec<f64>) { for i, j { y[i] += a[i, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { let mut w: Rows<f64>; for j { w[j] = a[i, j] } } }",
        "fn k<L: Level>(a: &Tensor<L>, s: &mut f64) { for i { s += a[i] } }",
    ]), @"");
}

#[test]
fn arguments_of_formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Csr<>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Csr<f64, u32, u8>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Tensor<Dense>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64>, u32>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<SparseList<Element<f64>, u32, u8>>>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Tensor<Dense<Pattern<bool>>>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64>>, u32>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Tensor<Dense<Element<f64, Const>>>, s: &mut f64) { for i { s += a[i] } }",
    ]), @"");
}

// ---- loops and accesses --------------------------------------------------------------------------

#[test]
fn loop_orders_that_a_format_cannot_serve() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } }",
        "fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for j, i { s += a[i, j] } }",
        "fn k(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, s: &mut f64) { for k, i, j { s += a[i, j, k] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i, i] } }",
        "fn k(a: &Tensor<ReadOnly<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]] } }",
    ]), @"");
}

#[test]
fn protocols() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i::gallop, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j::run] } }",
        "fn k(a: &Tensor<ReadOnly<Element<f64>>>, s: &mut f64) { for i { s += a[i::locate] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i::walk] += a[i, j] * x[j] } }",
        "fn k(a: &Tensor<Dense<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]::walk] } }",
    ]), @"");
}

#[test]
fn extents() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(s: &mut f64) { for i { s += 1 } }",
        "fn k() -> (y: DenseVec<f64>) { for i { y[i] = 1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = x[i] } }",
        "fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[p[i]] = x[i] } }",
        "fn k() -> (y: DenseVec<f64>[4], z: DenseVec<f64>[5]) { for i { y[i] = 1; z[i] = 2 } }",
        "fn k() -> (y: DenseVec<f64>[4]) { for i in 0..5 { y[i] = 1 } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in -1..5 { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..5 { s += x[i - 1] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[3, 4]) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { let mut w: DenseVec<f64>[]; for i { w[i] = x[i] }; for i { s += w[i] } }",
    ]), @"");
}

// ---- writing -------------------------------------------------------------------------------------

#[test]
fn what_is_never_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] * y[i] } }",
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>, s: &mut f64) { for i { s += x[i] + y[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64, t: &mut f64) { for i { s += x[i] } }",
    ]), @"");
}

#[test]
fn what_cannot_be_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) { for i { x[i] = 0 } }",
        "fn k(x: &DenseVec<f64>) -> (y: Tensor<ReadOnly<Element<f64>>>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: Tensor<Dense<Given>>) { for i { y[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>, y: &mut SparseVec<f64>) { for i { y[i] += x[i] } }",
        "fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: SparseVec<f64>[9]) { for i { y[p[i]] = x[i] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for j, i { y[i] += a[i::locate, j::locate] * x[j] } }",
        "fn k(a: &Csr<f64>) -> (t: Csr<f64>) { for i, j { t[j, i] = a[i, j] } }",
        "fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = x[i]; y[i] += 1 } }",
        "fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { if x[i] > 0 { y[i] = x[i] } else { y[i] = 1 } } }",
    ]), @"");
}

#[test]
fn reading_what_is_written() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &mut DenseVec<f64>) { for i { x[i] = x[i] + 1 } }",
        "fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = x[i]; x[i] = y[i] } }",
        "fn k(x: &mut DenseVec<u32>) { for i { x[x[i]] = i } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s = s * x[i] } }",
        "fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += $(s.abs()) * x[i] } }",
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { if y[i] > 0 { y[i] += x[i] } } }",
    ]), @"");
}

#[test]
fn the_step_counter() {
    insta::assert_snapshot!(errors_of(&[
        "#![steps(n)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(n)] fn k(x: &DenseVec<f64>, n: u64, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(x)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
    ]), @"");
}

#[test]
fn junk() {
    insta::assert_snapshot!(errors_of(&[
        "hello world",
        "fn",
        "fn k",
        "fn k() { for }",
        "fn k() { ; ; 3 4 5 }",
        "<A> x",
        "struct S;",
        "fn k(a: &Csr<f64>) { let x = vec![1]; }",
    ]), @"");
}

#[test]
fn all_errors_of_a_stage_at_once() {
    // Lines and columns, across functions too.
    insta::assert_snapshot!(errors_of(&["fn k(
    a: &Csr<f64>,
    b: &Vec<f64>,
    x: DenseVec<f64>,
) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
    for j, i {
        y[i, j] += a[i, j] * q[j] * b[i];
        c += ifelse(x[j], 1)
    }
}
"]), @"");
}

// ---- declarations --------------------------------------------------------------------------------

#[test]
fn declarations_that_lack_something() {
    insta::assert_snapshot!(declarations(&[
        "",
        "pub enum L {}",
        "pub struct L<'a, Child> { len: usize, child: Child }",
        "pub struct L<Child>",
        "pub struct L<Child> { len: usize, child: Child }",
        "pub struct L<Child> { len: usize, child: Child } read walk(p) { run(child[p]) }",
        "pub struct L<Child> { child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }",
        "pub struct L { len: usize } invariant(f) { Ok(f) } read walk(p) { run(fill) }",
        "pub struct L { len: usize, val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } write append(p, i) {}",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk, walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } read lead, walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } view walk(p) { run(child[p]) }",
        "pub struct L<Child> { len: usize, child: Child } invariant { Ok(0) } read walk(p) { run(child[p]) }",
        "pub type L<Child> Tensor<Child>;",
        "pub type L<Child> = Tensor<Child>",
        "pub fill F: f64;",
        "pub fill F: f64 = ;",
    ]), @"");
}

/// A declaration whose read protocol is `nest`.
fn nests(all: &[&str]) -> String {
    all.iter()
        .map(|nest| {
            let head = "pub struct L<Child> { len: usize, child: Child }\ninvariant(fibers) { Ok(fibers) }\nread walk(p) {\n";
            // The nest starts on the fourth line.
            let error = declaration(&format!("{head}{nest}\n}}"));
            let error = match error.split_once(':') {
                Some((line, rest)) if line.parse::<usize>().is_ok() => {
                    format!("{}:{rest}", line.parse::<usize>().expect("checked") as i64 - 3)
                }
                _ => error,
            };
            format!("{nest}\n  {error}\n")
        })
        .collect()
}

#[test]
fn nests_that_are_no_nests() {
    insta::assert_snapshot!(nests(&[
        "",
        "42",
        "child",
        "jump(fill)",
        "run()",
        "run(child)",
        "run(fill, fill)",
        "run(fill) run(fill)",
        "spike(fill)",
        "spike(run(fill), fill)",
        "pipeline {}",
        "pipeline { ..3 => run(fill) }",
        "pipeline { 3 => run(fill), .. => run(fill) }",
        "switch {}",
        "switch { p > 0 => run(fill) }",
        "switch { p > 0, _ => run(fill) }",
        "shift(run(fill))",
        "lookup(child[p])",
        "lookup(|i, j| child[i])",
        "stepper {}",
        "stepper { stop: 3 }",
        "stepper { stop: 3, body: run(fill) }",
        "stepper { for q in 0..3, stop: 3, body: run(fill), next: q += 1 }",
        "stepper { for q in 3, stop: 3, body: run(fill) }",
        "stepper { for q in 0.., stop: 3, body: run(fill) }",
        "stepper { seek: 3, stop: 3, body: run(fill), next: p += 1 }",
        "stepper { halt: 3, body: run(fill), next: p += 1 }",
        "jumper { stop: 3 }",
        "let q = 3 run(fill)",
        "let q = 3;",
    ]), @"");
}

#[test]
fn writes_that_are_no_writes() {
    let head = "pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }\n";
    let all: Vec<String> = [
        "write push(p, i) { child: p, children(f) { Some(f) } }",
        "write append { child: p }",
        "write append(p, i) { child: p }",
        "write append(p, i) { children(f) { Some(f) } }",
        "write append(p, i) { child: p, close: {} }",
        "write append(p, i) { child: p, commit: p, children(f) { Some(f) } }",
        "write append(p, i) { child: p, children { Some(f) } }",
    ]
    .iter()
    .map(|w| format!("{head}{w}"))
    .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    insta::assert_snapshot!(declarations(&all).replace(head, ""), @"");
}
