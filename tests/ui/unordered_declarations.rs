//! Entries in no order that are declared as what has one.

use looplets::prelude::*;

level! {
    pub struct Sought<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { unordered { for q in 0..crd.len(), seek(i): 0, at: crd[q], body: child[q] } }
}
level! {
    pub struct Stops<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { unordered { for q in 0..crd.len(), stop: crd[q] + 1, body: child[q] } }
}
level! {
    pub struct Nowhere<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { unordered { for q in 0..crd.len(), body: child[q] } }
}
level! {
    pub struct Endless<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { let mut q = 0; unordered { at: crd[q], body: child[q], next: { q += 1; } } }
}
level! {
    pub struct Spiked<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { unordered { for q in 0..crd.len(), at: crd[q], body: stepper { for r in 0..1, stop: 1, body: child[q] } } }
}
level! {
    pub struct Piped<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read scan(p) { pipeline { ..len => unordered { for q in 0..crd.len(), at: crd[q], body: child[q] }, .. => run(fill) } }
}
level! {
    pub struct Located<Child> { len: usize, crd: Vec<usize>, child: Child }
    invariant(fibers) { Ok(crd.len()) }
    read locate(p, i) { unordered { for q in 0..crd.len(), at: crd[q], body: child[q] } }
}
level! {
    pub struct Holes<Child> { len: usize, nodes { root { r: list } list { e: elem[n] holes, n: size in 1..=4, r: list } } child: Child }
}
level! {
    pub struct LastOfNone<Child> { len: usize, nodes { root { r: list, t: last list } list { e: elem[n], n: size in 1..=4, r: list } } child: Child }
}

fn main() {}
