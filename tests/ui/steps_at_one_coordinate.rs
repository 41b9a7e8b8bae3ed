//! What describes an extent is refused where there is one coordinate only.
use looplets::level;

level! {
    pub struct Odd<Child> {
        len: usize,
        child: Child,
    }
    invariant(fibers) { Ok(fibers) }
    read locate(p, i) { stepper { for q in 0..len, stop: q, body: run(child[q]) } }
}

level! {
    pub struct Even<Child> {
        len: usize,
        child: Child,
    }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { lookup(|i| jumper { for q in 0..len, stop: q, body: run(child[q]) }) }
}

fn main() {}
