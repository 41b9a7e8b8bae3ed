//! The built-in formats, read from their sources, and the messages of kernels and declarations.

use crate::built_in;
use looplets_core::decl::Decl;
use looplets_core::formats::Library;
use looplets_core::{parse, resolve, schedule};
use proc_macro2::TokenStream;
use quote::quote;

/// The built-in formats, and some with less than these have.
pub fn library() -> Library {
    let mut library = built_in::library();
    for source in [
        "pub struct ReadOnly<Child> { len: usize, crd: Vec<u32>, child: Child }
         invariant(fibers) { Ok(fibers) }
         read walk(p) { stepper { for q in 0..p, stop: crd[q] + 1, body: spike(fill, child[q]) } }",
        "pub struct Given { val: Vec<f64> }
         leaf f64 = Zero;
         invariant(fibers) { Ok(fibers) }
         read value(p) { val[p] }",
        "pub type Rows2<T> = Tensor<Dense<Dense<Element<T>>>>;",
        "pub type Upside = Tensor<Dense<Sideways>>;",
    ] {
        library.add_source(source).expect("a declaration");
    }
    library
}

/// The errors of a whole program, by whichever stage stops it.
pub fn errors(library: &Library, source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("tokens");
    let programs = match parse::programs(tokens) {
        Ok(programs) => programs,
        Err(e) => return format!("(parse) {}", e.render()),
    };
    let mut out = String::new();
    for program in programs {
        match resolve::resolve(program, library, &Default::default(), quote!(looplets)) {
            Ok(_) => out += "no error\n",
            Err(e) => out += &e.render(),
        }
    }
    out
}

pub fn errors_of(sources: &[&str]) -> String {
    let library = library();
    sources
        .iter()
        .map(|s| format!("{s}\n  {}\n", errors(&library, s).trim_end().replace('\n', "\n  ")))
        .collect()
}

/// The errors of programs that leave their loops out.
pub fn errors_without_loops_of(sources: &[&str]) -> String {
    let (library, algebra, krate) = (library(), Default::default(), quote!(looplets));
    let errors = |source: &str| {
        let mut programs = match parse::programs(source.parse().expect("tokens")) {
            Ok(programs) => programs,
            Err(e) => return format!("(parse) {}", e.render()),
        };
        match schedule::schedule(programs.remove(0), (&library, &algebra), &krate, &[]) {
            Ok((mut ways, _)) => {
                let program = ways.remove(0).program;
                match resolve::resolve(program, &library, &algebra, krate.clone()) {
                    Ok(_) => "no error".to_owned(),
                    Err(e) => e.render(),
                }
            }
            Err(e) => e.render(),
        }
    };
    let each = |s: &&str| format!("{s}\n  {}\n", errors(s).trim_end().replace('\n', "\n  "));
    sources.iter().map(each).collect()
}

/// The error of a declaration.
pub fn declaration(source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("tokens");
    match syn::parse2::<Decl>(tokens) {
        Ok(_) => "no error".to_owned(),
        Err(e) => looplets_core::diagnostics::Errors::from(e).render().trim_end().to_owned(),
    }
}

pub fn declarations(sources: &[&str]) -> String {
    sources.iter().map(|s| format!("{}\n  {}\n", shown(s), declaration(s))).collect()
}

pub fn shown(source: &str) -> &str {
    if source.is_empty() {
        "(nothing)"
    } else {
        source
    }
}

// ---- names ---------------------------------------------------------------------------------------
