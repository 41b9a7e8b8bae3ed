//! What must hold of every value in kernel IR: it is there. `missing` is a word of programs, for which no Rust
//! value stands, and lowering decides all of it.

use crate::cin::{Expr, Lit};
use crate::kernel::Kernel;
use crate::kir::Kir;

/// Panics, with the code, if anything in `code` is `missing`.
pub fn verify(kernel: &Kernel, code: &[Kir], after: &str) {
    let mut missing = false;
    code.iter().for_each(|k| {
        k.walk(&mut |k| {
            k.exprs().iter().for_each(|e| e.walk(&mut |e| missing |= *e == Expr::Lit(Lit::Missing)))
        })
    });
    if missing {
        let text = kernel.code_text(code, 1);
        panic!("internal: the IR is wrong after `{after}`: a value is `missing`\n{text}");
    }
}
