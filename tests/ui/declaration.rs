//! A declaration that declares nothing is refused at the token at fault, where it stands.
use looplets::level;

level! {
    pub struct Odd<Child> {
        len: usize,
        child: Child,
    }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { jump(fill) }
}

fn main() {}
