//! What a level declares is wrong where it says so: elements that are no positions, and clauses of another type.
use looplets::prelude::*;

level! {
    pub struct Named<Child> { len: usize, at: Vec<String>, child: Child }
    invariant(fibers) { Ok(fibers * len) }
    read locate(p, i) { child[at[p] + i] }
}
level! {
    pub struct Fractions<Child> { len: usize, pos: Vec<f64>, child: Child }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { stepper { for q in pos[p]..pos[p + 1], stop: q + 1, body: spike(fill, child[q]) } }
}

mod counted {
    use looplets::prelude::*;
    level! {
        pub struct Counted<Child> { len: usize, child: Child }
        invariant(fibers) { fibers * len }
        read locate(p, i) { child[p * len + i] }
    }
}

fn main() {}
