//! Raw identifiers and small letters of constants in declarations.
use looplets::prelude::*;

operator! { pub fn r#loop(a: f64) -> f64 { a } }
operator! { pub fn first(r#in: f64, b: f64) -> f64 { b } case first(r#in, 0) = r#in; }
level! {
    pub struct Cut<Child> { len: usize, child: Child }
    invariant(fibers) { Ok(fibers) }
    read walk(r#in) { run(child[r#in]) }
}
level! {
    pub struct Held<Child> { len: usize, child: Child }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { let r#fn = p; run(child[r#fn]) }
}
level! {
    pub struct Small<Child, const n: usize> { len: usize, child: Child }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { run(child[p]) }
}

fn main() {}
