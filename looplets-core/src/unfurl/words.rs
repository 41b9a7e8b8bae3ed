//! Words of a fiber: where the bits of 64 coordinates are, and what is done once some were set.

use super::scope::Scope;
use crate::cin::*;
use crate::decl::{Clause, Words};
use crate::kernel::*;
use crate::kir::Kir;
use crate::opaque::Frame;

impl Scope<'_> {
    /// The position in its array of the word `w` of the fiber at `p`.
    pub fn word(&mut self, words: &Words, p: &Expr, w: &Expr) -> Expr {
        self.bind(&words.p, p.clone());
        self.bind(&words.w, w.clone());
        self.expr(&words.at)
    }
}

/// The array with the words of the fiber at `p` of a level, and the position in it of the word `w`.
pub fn word(
    kernel: &mut Kernel,
    (tensor, depth): (TensorId, usize),
    p: &Expr,
    w: &Expr,
) -> Option<(ArrayId, Expr)> {
    let level = kernel.tensor(tensor).levels[depth].clone();
    let words = level.format.level().words.as_ref()?;
    let field = level.fields.iter().find(|(name, _)| *name == words.array);
    let Some((_, Binding::Array(array))) = field else { return None };
    Some((*array, Scope::new(kernel, tensor, depth).word(words, p, w)))
}

/// What is done behind setting bits of the word `w` of the fiber at `p`, of a level that can be written so.
pub fn wrote(
    kernel: &mut Kernel,
    (tensor, depth): (TensorId, usize),
    p: &Expr,
    w: &Expr,
) -> Option<Kir> {
    let format = kernel.tensor(tensor).levels[depth].format.clone();
    let write = format.level().write.as_ref()?;
    let (name, code) = write.words.as_ref().filter(|(_, code)| !code.is_empty())?;
    let mut scope = Scope::new(kernel, tensor, depth);
    scope.bind(&write.p, p.clone());
    scope.bind(name, w.clone());
    Some(Kir::Code(scope.write_code(Frame::Clause(Clause::Words), code)))
}
