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
    sources.iter().map(|s| format!("{}\n  {}\n", shown(s), declaration(s))).collect()
}

fn shown(source: &str) -> &str {
    if source.is_empty() {
        "(nothing)"
    } else {
        source
    }
}

// ---- names ---------------------------------------------------------------------------------------

#[test]
fn names_that_mean_nothing() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] * x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; z[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) { for i { s += x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] }; pass z }",
    ]), @r#"
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = b[i] * x[i] } }
      1:64: unknown tensor `b`: name it in the header with its format, or, for a Rust array, write `$(b[..])`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; z[i] = x[i] } }
      1:70: unknown tensor `z`: name it in the header with its format, or, for a Rust array, write `$(z[..])`
    fn k(x: &DenseVec<f64>) { for i { s += x[i] } }
      1:35: unknown scalar `s`: declare it in the header, or with `let mut s: T;`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] }; pass z }
      1:77: unknown result `z`: `pass` names outputs of the header
    "#);
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
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x + x[i] } }
      1:53: `x` is a tensor of 1 dimensions: give its indices, `x[..]`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += i[i] * x[i] } }
      1:53: `i` is a scalar or an index, not a tensor: it takes no indices
    fn k(x: &DenseVec<f64>, c: f64, s: &mut f64) { for i { s += c[i] * x[i] } }
      1:25: the tensor `c` is passed by value: write `c: &..` to read it or `c: &mut ..` to update it
      1:28: `f64` is not a format: no `level!` of that name is in scope
      1:61: unknown tensor `c`: name it in the header with its format, or, for a Rust array, write `$(c[..])`
    fn k(y: &mut DenseVec<f64>, x: &DenseVec<f64>) { for i { y[i] = x[i]; y = 1.0 } }
      1:71: `y` is a tensor of 1 dimensions: give its indices, `y[..]`
    fn k(x: &DenseVec<f64>, c: f64) { for i { c += x[i] } }
      1:43: `c` cannot be assigned: declare it `mut` (`c: &mut T` in a function, `mut c: T` inline)
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { i = 3; s += x[i] } }
      1:48: `i` cannot be assigned: declare it `mut` (`i: &mut T` in a function, `mut i: T` inline)
    fn k(x: &DenseVec<f64>, s: &mut f64) { let t = 2; for i { t += x[i] }; s += t }
      1:59: `t` cannot be assigned: declare it `mut` (`t: &mut T` in a function, `mut t: T` inline)
    fn k(x: &DenseVec<f64>, x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:25: `x` is declared twice: choose another name
    fn k(x: DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:6: the tensor `x` is passed by value: write `x: &..` to read it or `x: &mut ..` to update it
    "#);
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
    ]), @r#"
    fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i] } }
      1:48: `a` has 2 dimensions, but 1 indices are given
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j, k { s += a[i, j, k] } }
      1:54: `a` has 2 dimensions, but 3 indices are given
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:42: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
      1:45: the extent of `k` cannot be inferred: no tensor is indexed by it; write `for k in 0..n`, or give the output's size, `y: Format[n]`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[] } }
      1:53: `x` has 1 dimensions, but 0 indices are given
      1:44: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i, j { y[i, j] += a[i, j] } }
      1:55: `y` has 1 dimensions, but 2 indices are given
    fn k(a: &Csr<f64>, s: &mut f64) { for i, i { s += a[i, i] } }
      1:42: index `i` is bound twice: `i` is already bound by a loop around this one; rename one
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:56: dimension 1 of `a` is stored inside dimension 0, but `i` loops outside `i`: swap the loops, or read it through `i::locate`
    fn k(a: &Csr<f64>, s: &mut f64) { for i { for j { for i { s += a[i, j] } } } }
      1:55: index `i` is bound twice: `i` is already bound by a loop around this one; rename one
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:69: dimension 1 of `a` is stored inside dimension 0, but `j` loops outside `i`: swap the loops, or read it through `j::locate`
    fn k(a: &Csr<f64>, s: &mut f64) { for a, j { s += a[a, j] } }
      1:39: index `a` is bound twice: `a` is already a tensor; rename one
      1:51: `a` is a scalar or an index, not a tensor: it takes no indices
      1:39: the extent of `a` cannot be inferred: no tensor is indexed by it; write `for a in 0..n`, or give the output's size, `y: Format[n]`
      1:42: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<f64>, s: &mut f64) { for s, j { s += a[s, j] } }
      1:39: index `s` is bound twice: `s` is already a scalar; rename one
      1:46: `s` cannot be assigned: declare it `mut` (`s: &mut T` in a function, `mut s: T` inline)
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..9223372036854775807 { s += x[i] } }
      1:52: a coordinate lies within -2^61 .. 2^61
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i + 9223372036854775807] } }
      1:59: a coordinate lies within -2^61 .. 2^61
    "#);
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
    ]), @r#"
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += ifelse(x[i], 1) } }
      1:53: `ifelse` takes 3 arguments, found 2
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += min() + x[i] } }
      1:53: `min` takes at least 1 arguments, found 0
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += coalesce() + x[i] } }
      1:53: `coalesce` takes at least 1 arguments, found 0
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<ifelse>>= x[i] } }
      1:52: `ifelse` takes 3 arguments, found 2
      1:25: the output `s` is never written: assign to it, or pass it by value
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += not(x[i], x[i]) } }
      1:53: `not` takes 1 arguments, found 2
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] ** 2 } }
      (parse) 1:58: unknown operator `**`; a power is a call such as `powi(x, 2)` or `powf(x, y)`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] @ x[i] } }
      (parse) 1:58: unknown operator `@`; a matrix product is a loop, `for i, j, k { c[i, j] += a[i, k] * b[k, j] }`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s <<==>>= x[i] } }
      (parse) 1:53: expected an expression, found `=>>=`
    "#);
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
    ]), @r#"
    fn k(a: &Vec<f64>, s: &mut f64) { for i { s += a[i] } }
      1:10: `Vec` is not a format: no `level!` of that name is in scope
      1:48: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &my::Csr<f64>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `my :: Csr` is not a format: no `level!` of that name is in scope
      1:55: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:43: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:46: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &[f64], s: &mut f64) { for i { s += a[i] } }
      1:10: expected a format, such as `Csr<f64>` or `Tensor<Dense<SparseList<Element<f64>>>>`
      1:45: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:36: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<f64>>, s: &mut f64) { for i { s += a[i] } }
      1:10: `f64` is not a format: no `level!` of that name is in scope
      1:58: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:49: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<(f64, f64)>>, s: &mut f64) { for i { s += a[i] } }
      1:23: expected a format, such as `Csr<f64>` or `Tensor<Dense<SparseList<Element<f64>>>>`
      1:65: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:56: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Zero>>, s: &mut f64) { for i { s += a[i] } }
      1:23: `Zero` is a fill marker, not a format: it goes inside a leaf, as in `Element<f64, Zero>`
      1:59: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:50: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Element<f64, Dense>>>, s: &mut f64) { for i { s += a[i] } }
      1:36: `Dense` is not a fill marker: declare it with `fill!`
      1:74: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:65: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Element<f64, Seven>>>, s: &mut f64) { for i { s += a[i] } }
      1:10: `Seven` is not a format: no `level!` of that name is in scope
      1:74: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:65: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Upside, s: &mut f64) { for i { s += a[i] } }
      1:10: `Sideways` is not a format: no `level!` of that name is in scope
      1:46: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:37: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<f64>) -> (y: Vec<f64>) { for i, j { y[i] += a[i, j] } }
      1:27: `Vec` is not a format: no `level!` of that name is in scope
      1:50: unknown tensor `y`: name it in the header with its format, or, for a Rust array, write `$(y[..])`
    fn k(a: &Csr<f64>, s: &mut f64) { for i { let mut w: Rows<f64>; for j { w[j] = a[i, j] } } }
      1:54: `Rows` is not a format: no `level!` of that name is in scope
      1:39: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:20: the output `s` is never written: assign to it, or pass it by value
    fn k<L: Level>(a: &Tensor<L>, s: &mut f64) { for i { s += a[i] } }
      1:20: `L` is not a format: no `level!` of that name is in scope
      1:59: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:50: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    "#);
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
    ]), @r#"
    fn k(a: &Csr, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `Csr<T, Ix>` takes 1 to 2 arguments, found 0
      1:46: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:34: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:37: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:10: `Csr<T, Ix>` takes 1 to 2 arguments, found 0
      1:48: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:36: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:39: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Csr<f64, u32, u8>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:24: `Csr<T, Ix>` takes 1 to 2 arguments, found 3
      1:60: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:48: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:51: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense>, s: &mut f64) { for i { s += a[i] } }
      1:10: `Dense<Child>` takes 1 arguments, found 0
      1:53: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:44: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Element<f64>, u32>>, s: &mut f64) { for i { s += a[i] } }
      1:37: `Dense<Child>` takes 1 arguments, found 2
      1:72: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:63: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<SparseList<Element<f64>, u32, u8>>>, s: &mut f64) { for i, j { s += a[i, j] } }
      1:53: `SparseList<Child, Ix>` takes 1 to 2 arguments, found 3
      1:91: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:79: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:82: the extent of `j` cannot be inferred: no tensor is indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Pattern<bool>>>, s: &mut f64) { for i { s += a[i] } }
      1:31: `Pattern<>` takes 0 arguments, found 1
      1:68: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:59: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor, s: &mut f64) { for i { s += a[i] } }
      1:10: `Tensor` takes one format: `Tensor<Dense<Element<f64>>>`
      1:46: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:37: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Element<f64>>, u32>, s: &mut f64) { for i { s += a[i] } }
      1:10: `Tensor` takes one format: `Tensor<Dense<Element<f64>>>`
      1:72: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:63: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k(a: &Tensor<Dense<Element<f64, Const>>>, s: &mut f64) { for i { s += a[i] } }
      1:10: `Const<N>` takes 1 arguments, found 0
      1:74: unknown tensor `a`: name it in the header with its format, or, for a Rust array, write `$(a[..])`
      1:65: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    "#);
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
    ]), @r#"
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for j, i { y[i] += a[i, j] * x[j] } }
      1:87: dimension 1 of `a` is stored inside dimension 0, but `j` loops outside `i`: swap the loops, or read it through `j::locate`
    fn k(a: &Tensor<Dense<ReadOnly<Element<f64>>>>, s: &mut f64) { for j, i { s += a[i, j] } }
      1:85: dimension 1 of `a` is stored inside dimension 0, but `j` loops outside `i`: swap the loops
    fn k(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, s: &mut f64) { for k, i, j { s += a[i, j, k] } }
      1:105: dimension 2 of `a` is stored inside dimension 1, but `k` loops outside `j`: swap the loops, or read it through `k::locate`
    fn k(a: &Csr<f64>, s: &mut f64) { for i { s += a[i, i] } }
      1:53: dimension 1 of `a` is stored inside dimension 0, but `i` loops outside `i`: swap the loops, or read it through `i::locate`
    fn k(a: &Tensor<ReadOnly<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]] } }
      1:91: a computed index is random access, but `ReadOnly` (dimension 0 of `a`) is read by `walk` here: it needs `locate`
    "#);
}

#[test]
fn protocols() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i::gallop, j] } }",
        "fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j::run] } }",
        "fn k(a: &Tensor<ReadOnly<Element<f64>>>, s: &mut f64) { for i { s += a[i::locate] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i::walk] += a[i, j] * x[j] } }",
        "fn k(a: &Tensor<Dense<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]::walk] } }",
    ]), @r#"
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i::gallop, j] } }
      1:53: `Dense` (dimension 0 of `a`) has no protocol `gallop`: it has `locate`, `walk`, `follow`
    fn k(a: &Csr<f64>, s: &mut f64) { for i, j { s += a[i, j::run] } }
      1:56: `SparseList` (dimension 1 of `a`) has no protocol `run`: it has `walk`, `follow`, `gallop`, `lead`, `locate`
    fn k(a: &Tensor<ReadOnly<Element<f64>>>, s: &mut f64) { for i { s += a[i::locate] } }
      1:72: `ReadOnly` (dimension 0 of `a`) has no protocol `locate`: it has `walk`
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i::walk] += a[i, j] * x[j] } }
      1:76: a written access takes no protocol: write it without `::walk`
    fn k(a: &Tensor<Dense<Element<f64>>>, n: &DenseVec<u32>, s: &mut f64) { for i { s += a[n[i]::walk] } }
      1:88: a computed index is random access, but `Dense` (dimension 0 of `a`) is read by `locate`, `walk`, `follow` here: it needs `locate`
    "#);
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
    ]), @r#"
    fn k(s: &mut f64) { for i { s += 1 } }
      1:25: the extent of `i` cannot be inferred: no tensor is indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
    fn k() -> (y: DenseVec<f64>) { for i { y[i] = 1 } }
      1:36: the extent of `i` cannot be inferred: only outputs of unknown size are indexed by it; write `for i in 0..n`, or give the output's size, `y: Format[n]`
      1:12: the size of dimension 0 of `y` cannot be inferred: give it, `y: Format[..]`
    fn k(x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i, j { y[i, j] = x[i] } }
      1:56: the extent of `j` cannot be inferred: only outputs of unknown size are indexed by it; write `for j in 0..n`, or give the output's size, `y: Format[n]`
      1:29: the size of dimension 1 of `y` cannot be inferred: give it, `y: Format[..]`
    fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[p[i]] = x[i] } }
      1:48: the size of dimension 0 of `y` cannot be inferred: give it, `y: Format[..]`
    fn k() -> (y: DenseVec<f64>[4], z: DenseVec<f64>[5]) { for i { y[i] = 1; z[i] = 2 } }
      1:60: the extent of `i` conflicts: dimension 0 of `y` has size 4, dimension 0 of `z` has size 5; make them equal or loop over `i in lo..hi`
    fn k() -> (y: DenseVec<f64>[4]) { for i in 0..5 { y[i] = 1 } }
      1:39: the extent of `i` conflicts: 0..5 is outside dimension 0 of `y`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in -1..5 { s += x[i] } }
      no error
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i in 0..5 { s += x[i - 1] } }
      1:44: the extent of `i` conflicts: -1..4 is outside dimension 0 of `x`
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>[3, 4]) { for i { y[i] = x[i] } }
      1:29: `y` has 1 dimensions, but 2 sizes are given
    fn k(x: &DenseVec<f64>, s: &mut f64) { let mut w: DenseVec<f64>[]; for i { w[i] = x[i] }; for i { s += w[i] } }
      1:48: `w` has 1 dimensions, but 0 sizes are given
    "#);
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
    ]), @r#"
    fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { x[i] } }
      (parse) 1:57: this value goes nowhere: write `target = ..` or `target += ..`
    fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] } }
      1:42: the output `y` is never written: assign to it, as in `y[i] += ..`; a scalar result is a parameter `y: &mut T`
    fn k(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { for i { s += x[i] * y[i] } }
      1:42: the output `y` is never written: assign to it, or remove it
    fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>, s: &mut f64) { for i { s += x[i] + y[i] } }
      1:25: the output `y` is never written: assign to it, or pass it as an input
    fn k(x: &DenseVec<f64>, s: &mut f64, t: &mut f64) { for i { s += x[i] } }
      1:38: the output `t` is never written: assign to it, or pass it by value
    "#);
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
    ]), @r#"
    fn k(x: &DenseVec<f64>) { for i { x[i] = 0 } }
      1:35: `x` is an input and cannot be written: declare it `&mut` or make it an output
    fn k(x: &DenseVec<f64>) -> (y: Tensor<ReadOnly<Element<f64>>>) { for i { y[i] = x[i] } }
      1:74: `ReadOnly` (dimension 0 of `y`) cannot be written by a kernel: choose an output format that can, such as `Dense` or `SparseList`
    fn k(x: &DenseVec<f64>) -> (y: Tensor<Dense<Given>>) { for i { y[i] = x[i] } }
      1:64: the leaf `Given` of `y` cannot be written by a kernel
    fn k(x: &DenseVec<f64>, y: &mut SparseVec<f64>) { for i { y[i] += x[i] } }
      1:59: `SparseList` (dimension 0 of `y`) is appended to in order and cannot be updated in place: make `y` an output
    fn k(p: &DenseVec<u32>, x: &DenseVec<f64>) -> (y: SparseVec<f64>[9]) { for i { y[p[i]] = x[i] } }
      1:82: dimension 0 of `y` must be written in order (`SparseList` below or at it is appended to): a computed index writes anywhere; write into a `Dense` workspace first
    fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for j, i { y[i] += a[i::locate, j::locate] * x[j] } }
      1:77: `y` is appended to in order, so its loops must be the outermost, `for i`, but they are `for j, i`: reorder the loops, or gather into a `Dense` workspace with `where`
    fn k(a: &Csr<f64>) -> (t: Csr<f64>) { for i, j { t[j, i] = a[i, j] } }
      1:52: `t` is appended to in order, so its loops must be the outermost, `for j, i`, but they are `for i, j`: reorder the loops, or gather into a `Dense` workspace with `where`
    fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = x[i]; y[i] += 1 } }
      1:71: `y` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather into a `Dense` workspace with `where`
    fn k(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i { if x[i] > 0 { y[i] = x[i] } else { y[i] = 1 } } }
      1:93: `y` is appended to in order and takes its entries from one assignment: combine the values into one expression (`ifelse(c, a, b)`), or gather into a `Dense` workspace with `where`
    "#);
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
    ]), @r#"
    fn k(x: &mut DenseVec<f64>) { for i { x[i] = x[i] + 1 } }
      1:46: `x` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    fn k(x: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = x[i]; x[i] = y[i] } }
      1:69: `x` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
      1:82: `y` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    fn k(x: &mut DenseVec<u32>) { for i { x[x[i]] = i } }
      1:41: `x` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s = s * x[i] } }
      1:25: `s` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += $(s.abs()) * x[i] } }
      1:25: `s` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { if y[i] > 0 { y[i] += x[i] } } }
      1:61: `y` is read and written in one statement group: compute into another result first, or use a reduction such as `+=`
    "#);
}

#[test]
fn the_step_counter() {
    insta::assert_snapshot!(errors_of(&[
        "#![steps(n)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(n)] fn k(x: &DenseVec<f64>, n: u64, s: &mut f64) { for i { s += x[i] } }",
        "#![steps(x)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }",
    ]), @r#"
    #![steps(n)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `n` must be a `mut` scalar of the header, of type u64
    #![steps(n)] fn k(x: &DenseVec<f64>, n: u64, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `n` must be a `mut` scalar of the header, of type u64
    #![steps(x)] fn k(x: &DenseVec<f64>, s: &mut f64) { for i { s += x[i] } }
      1:10: the step counter `x` must be a `mut` scalar of the header, of type u64
    "#);
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
    ]), @r#"
    hello world
      (parse) 1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `hello`
    fn
      (parse) 1:1: expected the name of the function, found the end
    fn k
      (parse) 1:4: expected the parameters, `(a: &Format, ..)`, found the end
    fn k() { for }
      (parse) 1:10: expected an index, found the end
    fn k() { ; ; 3 4 5 }
      (parse) 1:16: expected an assignment operator such as `=`, `+=` or `<<min>>=`, found `4`
    <A> x
      (parse) 1:3: expected `:` and the type of `A`, found `>`
      1:5: this value goes nowhere: write `target = ..` or `target += ..`
    struct S;
      (parse) 1:1: expected a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`, found `struct`
    fn k(a: &Csr<f64>) { let x = vec![1]; }
      (parse) 1:33: macro calls are not index notation: write Rust expressions as `$(..)`
    "#);
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
"]), @r#"
    fn k(
        a: &Csr<f64>,
        b: &Vec<f64>,
        x: DenseVec<f64>,
    ) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for j, i {
            y[i, j] += a[i, j] * q[j] * b[i];
            c += ifelse(x[j], 1)
        }
    }

      3:9: `Vec` is not a format: no `level!` of that name is in scope
      4:5: the tensor `x` is passed by value: write `x: &..` to read it or `x: &mut ..` to update it
      5:25: the output `z` is never written: assign to it, as in `z[i] += ..`; a scalar result is a parameter `z: &mut T`
      7:30: unknown tensor `q`: name it in the header with its format, or, for a Rust array, write `$(q[..])`
      7:37: unknown tensor `b`: name it in the header with its format, or, for a Rust array, write `$(b[..])`
      7:9: `y` has 1 dimensions, but 2 indices are given
      8:14: `ifelse` takes 3 arguments, found 2
      8:9: unknown scalar `c`: declare it in the header, or with `let mut c: T;`
      7:25: dimension 1 of `a` is stored inside dimension 0, but `j` loops outside `i`: swap the loops, or read it through `j::locate`
    "#);
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
    ]), @r#"
    (nothing)
      1:1: unexpected end of input, expected `struct`
    pub enum L {}
      1:5: expected `struct`
    pub struct L<'a, Child> { len: usize, child: Child }
      1:14: a format takes types and constants only
    pub struct L<Child>
      1:1: unexpected end of input, expected curly braces
    pub struct L<Child> { len: usize, child: Child }
      1:12: a level needs at least one `read` protocol
    pub struct L<Child> { len: usize, child: Child } read walk(p) { run(child[p]) }
      1:12: a level needs `invariant(fibers) { .. }`: Rust that checks the fields and gives `Ok(number of child fibers)` or `Err(reason)`
    pub struct L<Child> { child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) }
      1:12: a level needs the size of its dimension: a field `len: usize`
    pub struct L { len: usize } invariant(f) { Ok(f) } read walk(p) { run(fill) }
      1:12: a level needs one field `child: Child`; a level of values says `leaf Type = Fill;` before its `read`
    pub struct L { len: usize, val: Vec<f64> } invariant(f) { Ok(f) } read value(p) { val[p] }
      1:83: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } write append(p, i) {}
      1:12: `write` of a level needs `child: position` and `children(fibers): count`
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk, walk(p) { run(child[p]) }
      no error
    pub struct L<Child> { len: usize, child: Child } invariant(f) { Ok(f) } read walk(p) { run(child[p]) } read lead, walk(p) { run(child[p]) }
      1:115: protocol `walk` is declared twice
    pub struct L<Child> { len: usize, child: Child } view walk(p) { run(child[p]) }
      1:50: expected `invariant`, `unsafe invariant`, `leaf`, `read` or `write`
    pub struct L<Child> { len: usize, child: Child } invariant { Ok(0) } read walk(p) { run(child[p]) }
      1:60: expected parentheses
    pub type L<Child> Tensor<Child>;
      1:19: expected `=`
    pub type L<Child> = Tensor<Child>
      1:1: expected `;`
    pub fill F: f64;
      1:16: expected `=`
    pub fill F: f64 = ;
      1:19: expected an expression
    "#);
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
            format!("{}\n  {error}\n", shown(nest))
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
    ]), @r#"
    (nothing)
      2:1: unexpected end of input, expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    42
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    child
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    jump(fill)
      1:1: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    run()
      1:5: unexpected end of input, expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    run(child)
      1:5: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    run(fill, fill)
      1:9: unexpected token, expected `)`
    run(fill) run(fill)
      1:11: expected the end of the protocol: one looplet nest, after its `let`s
    spike(fill)
      1:11: expected `,`
    spike(run(fill), fill)
      1:7: expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    pipeline {}
      1:11: unexpected end of input, the last phase is `.. => looplet`, up to the end
    pipeline { ..3 => run(fill) }
      1:29: unexpected end of input, the last phase is `.. => looplet`, up to the end
    pipeline { 3 => run(fill), .. => run(fill) }
      1:12: expected `..`
    switch {}
      1:9: unexpected end of input, the last case is `_ => looplet`
    switch { p > 0 => run(fill) }
      1:29: unexpected end of input, the last case is `_ => looplet`
    switch { p > 0, _ => run(fill) }
      1:15: expected `=>`
    shift(run(fill))
      1:16: expected `,`
    lookup(child[p])
      1:8: expected `|`
    lookup(|i, j| child[i])
      1:10: expected `|`
    stepper {}
      1:10: unexpected end of input, a stepper needs `stop: ..` and `body: ..`
    stepper { stop: 3 }
      1:19: unexpected end of input, a stepper needs `stop: ..` and `body: ..`
    stepper { stop: 3, body: run(fill) }
      1:36: unexpected end of input, a stepper has either `for q in lo..hi` or `next: ..`
    stepper { for q in 0..3, stop: 3, body: run(fill), next: q += 1 }
      1:65: unexpected end of input, a stepper has either `for q in lo..hi` or `next: ..`
    stepper { for q in 3, stop: 3, body: run(fill) }
      1:20: expected `lo..hi`
    stepper { for q in 0.., stop: 3, body: run(fill) }
      1:20: expected `lo..hi`
    stepper { seek: 3, stop: 3, body: run(fill), next: p += 1 }
      1:11: expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..` or `next: ..`
    stepper { halt: 3, body: run(fill), next: p += 1 }
      1:11: expected `for q in lo..hi`, `seek(i): ..`, `stop: ..`, `body: ..` or `next: ..`
    jumper { stop: 3 }
      1:18: unexpected end of input, a stepper needs `stop: ..` and `body: ..`
    let q = 3 run(fill)
      1:11: expected `;`
    let q = 3;
      2:1: unexpected end of input, expected a looplet (run, spike, pipeline, stepper, jumper, switch, shift, lookup), `fill` or `child[position]`
    "#);
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
    insta::assert_snapshot!(declarations(&all).replace(head, ""), @r#"
    write push(p, i) { child: p, children(f) { Some(f) } }
      2:7: a write protocol is `append`, `locate` or, for a leaf, `value`
    write append { child: p }
      2:14: expected parentheses
    write append(p, i) { child: p }
      1:12: `write` of a level needs `child: position` and `children(fibers): count`
    write append(p, i) { children(f) { Some(f) } }
      1:12: `write` of a level needs `child: position` and `children(fibers): count`
    write append(p, i) { child: p, close: {} }
      2:32: expected `open`, `child`, `commit`, `children(fibers)`, `finish(fibers)`, or in a leaf `reserve(fibers)` and `place`
    write append(p, i) { child: p, commit: p, children(f) { Some(f) } }
      2:40: expected curly braces
    write append(p, i) { child: p, children { Some(f) } }
      2:41: expected parentheses
    "#);
}
