//! What is borrowed is read alone, and a declaration says so.
use looplets::prelude::*;

finch! { fn made(x: &[f64]) -> (y: DenseVecRef<'_, f64>) { y[i] = x[i] } }
finch! { fn appended(a: &Csr<f64>) -> (c: CsrRef<'_, f64>) { c[i, j] = a[i, j] } }
finch! { fn updated(y: &mut DenseVecRef<'_, f64>) { for i { y[i] += 1 } } }
finch! { fn scaled(a: &mut CsrRef<'_, f64>) { for i, j { a[i, j] *= 2 } } }

level! {
    pub struct Written<'a, Child> {
        len: usize,
        at: &'a [u32],
        child: Child,
    }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { run(child[p]) }
    write append(p, i) { each { at: i as u32 } }
}
level! {
    pub struct Mutable<'a, Child> {
        len: usize,
        at: &'a mut [u32],
        child: Child,
    }
    invariant(fibers) { Ok(fibers) }
    read walk(p) { run(child[p]) }
}
fill! { pub fill Lent<'a>: f64 = 1; }

fn main() {}
