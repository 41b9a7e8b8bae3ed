//! What the simplifier asks of leaves of terms, as the kernel's tables have it.

use super::is_integer;
use crate::cin::*;
use crate::kernel::*;
use crate::simplify::Facts;

impl Facts for Kernel {
    fn depends(&self, leaf: &Expr) -> Vec<VarId> {
        Kernel::depends(self, leaf)
    }
    fn is_bool(&self, leaf: &Expr) -> bool {
        self.type_of(leaf) == Some(Ty::Bool)
    }
    fn is_float(&self, leaf: &Expr) -> bool {
        let ty = self.value_type(leaf);
        !matches!(ty, Some(Ty::Bool | Ty::Index)) && !ty.is_some_and(|t| is_integer(&t))
    }
    fn wraps(&self, leaf: &Expr) -> bool {
        self.value_type(leaf).is_some_and(|ty| is_integer(&ty))
    }
    fn is_index(&self, leaf: &Expr) -> bool {
        match leaf {
            Expr::Array(a) => self.arrays[a.0 as usize].elem == Ty::Index,
            _ => self.type_of(leaf) == Some(Ty::Index),
        }
    }
    fn tensor(&self, leaf: &Expr) -> Option<TensorId> {
        match leaf {
            Expr::Access(a) => Some(self.get(*a).tensor),
            Expr::Array(a) | Expr::Load(a, _) => Some(self.arrays[a.0 as usize].tensor),
            _ => None,
        }
    }
    fn range(&self, leaf: &Expr) -> Option<(i128, i128)> {
        match self.value_type(leaf)? {
            // The macro does not know how many bits a `usize` has where the kernel will run.
            Ty::Named(n) if n == "usize" => matches!(leaf, Expr::Var(_)).then_some((0, i128::MAX)),
            ty => ty.limits(),
        }
    }
    fn may_be_missing(&self, leaf: &Expr) -> bool {
        // Names in opaque Rust are replaced where they are used, so that `missing` never stands in it.
        !matches!(leaf, Expr::Raw(_)) && Kernel::may_be_missing(self, leaf)
    }
}

impl Kernel {
    /// The type of a leaf, or of the values that an array of them holds.
    fn value_type(&self, leaf: &Expr) -> Option<Ty> {
        match leaf {
            Expr::Array(a) => {
                Some(self.arrays[a.0 as usize].elem.clone()).filter(|t| *t != Ty::Index)
            }
            _ => self.type_of(leaf),
        }
    }
}
