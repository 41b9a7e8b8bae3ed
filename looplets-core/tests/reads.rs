//! What `resolve` makes of equal accesses: one description per element read in one loop nest.

use looplets_core::formats::Library;
use looplets_core::{parse, resolve};
use proc_macro2::TokenStream;
use quote::quote;

/// How many accesses the kernel has.
fn accesses(source: &str) -> usize {
    let mut library = Library::default();
    for declaration in [
        "pub fill Zero = 0;",
        "pub struct Element<T, F = Zero> { val: Vec<T> } leaf T = F;
         invariant(fibers) { Ok(0) } read value(p) { val[p] } write value(p) { place: val[p] }",
        "pub struct Dense<Child> { len: usize, child: Child }
         invariant(fibers) { Ok(fibers * len) }
         read locate(p, i) { child[p * len + i] }
         write locate(p, i) { child: p * len + i, children(fibers) { fibers.checked_mul(len) } }",
        "pub type DenseVec<T> = Tensor<Dense<Element<T>>>;",
    ] {
        library.add_source(declaration).expect("a declaration");
    }
    let tokens: TokenStream = source.parse().expect("tokens");
    let program = parse::programs(tokens).expect("a program").remove(0);
    match resolve::resolve(program, &library, &Default::default(), quote!(looplets)) {
        Ok(kernel) => kernel.accesses.len(),
        Err(e) => panic!("{}", e.render()),
    }
}

#[test]
fn equal_reads_are_one() {
    let kernel = |body: &str| {
        accesses(&format!(
            "fn k(x: &DenseVec<f64>, p: &DenseVec<usize>, n: usize, s: &mut f64, t: &mut usize) {{ t += 0; {body} }}"
        ))
    };
    assert_eq!(kernel("for i { s += x[i] * x[i] }"), 1);
    assert_eq!(kernel("for i { s += x[i]; t += ifelse(x[i] > 0, 1, 0) }"), 1);
    assert_eq!(kernel("for i { s += x[i] * x[i + 1] }"), 2);
    assert_eq!(kernel("for i { s += x[p[i]] * x[p[i]] }"), 2, "p[i], which all agree on, and x");
    assert_eq!(kernel("for i { s += x[i] * x[i::locate] }"), 2, "another protocol");
    assert_eq!(kernel("for i { s += x[i] } for i { s += x[i] }"), 2, "another loop");
    assert_eq!(accesses("fn k(x: &mut DenseVec<f64>) { for i { x[i] += 1; x[i] += 2 } }"), 2);
}
