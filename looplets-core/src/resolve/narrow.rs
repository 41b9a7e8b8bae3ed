//! Warns of whole numbers that leave their type: sums in 8 or 16 bits, and the distance of unsigned numbers as the greater of two
//! differences. Such programs run in tests, whose values are small.

use super::access::type_name;
use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::index::IndexKind;
use crate::kernel::*;
use crate::parse::written;

/// The most bits of a type that a sum of few terms leaves.
const FEW_BITS: u32 = 16;

impl Resolver<'_> {
    /// Warns if `e`, which is `value`, is summed in a loop into `target`, called `called`, of type `ty`, which holds no more than a term does.
    pub(super) fn narrow_sum(
        &mut self,
        (target, called): (&Expr, &str),
        ty: &Ty,
        e: &ast::Expr,
        value: &Expr,
    ) {
        let Some((least, most)) = ty.limits() else { return };
        let bits = (most - least).ilog2() + 1;
        let own = self.kernel.type_of(value);
        // Ones and flags are counted by the hundred.
        let counted = matches!(e, ast::Expr::Lit(..)) && own.is_none() || own == Some(Ty::Bool);
        let of_type = own.as_ref() == Some(ty) || counted && bits <= 8;
        if bits > FEW_BITS || !of_type {
            return;
        }
        // Whoever adds a remainder, some of the bits or a choice has looked at sizes.
        let small = match e {
            // What is counted by a computed index may be all there is.
            ast::Expr::Lit(..) => bits > 8 || !self.is_gathered(target),
            ast::Expr::Call { op, .. } => {
                matches!(op.op, Op::Rem | Op::BitAnd | Op::Shr | Op::IfElse)
            }
            _ => false,
        };
        if small {
            return;
        }
        // What is gathered of a result has the type of that.
        let result = match target {
            Expr::Access(a) => {
                let tensor = self.kernel.tensor(self.kernel.get(*a).tensor);
                Some(self.kernel.gathered_for(tensor).name.to_string())
            }
            _ => None,
        };
        let called = result.as_deref().unwrap_or(called);
        let (is, wider) = (type_name(ty), if ty.is_unsigned() { "u64" } else { "i64" });
        let (are, declare) = match target {
            Expr::Access(_) => {
                (format!("values of `{called}` are"), format!("declare `{called}` with `{wider}`"))
            }
            _ => (format!("`{called}` is"), format!("declare `{called}` as `{wider}`")),
        };
        let note = match counted {
            true => format!("{are} `{is}`, which ends at {most}: counts soon leave it, and wrap round in optimised builds; {declare}"),
            false => format!("{are} `{is}`, as each term is, which ends at {most}: sums soon leave it, and wrap round in optimised builds; {declare}"),
        };
        self.kernel.warn(Warning { span: e.span(), name: "sum_in_few_bits", note });
    }

    /// Whether `target` is an element at an index that is computed, as one of a histogram.
    pub(super) fn is_gathered(&self, target: &Expr) -> bool {
        let Expr::Access(a) = target else { return false };
        self.kernel.get(*a).indices.iter().any(|i| matches!(i.kind, IndexKind::Opaque(_)))
    }

    /// Warns of `max(a - b, b - a)` of unsigned numbers, of which one difference is below 0.
    pub(super) fn distance(&mut self, op: &ast::OpRef, args: &[ast::Expr], values: &[Expr]) {
        let (Op::Max, [a, b]) = (&op.op, args) else { return };
        let unsigned = values.first().and_then(|v| self.kernel.type_of(v)).filter(Ty::is_unsigned);
        let (Some(is), Some((a, b)), Some((c, d))) = (unsigned, sides(a), sides(b)) else { return };
        if (&a, &b) != (&d, &c) {
            return;
        }
        let is = type_name(&is);
        let note = format!("one of these differences of `{is}` is below 0, which `{is}` has not: write `abs_diff({a}, {b})`");
        self.kernel.warn(Warning { span: op.span, name: "difference_below_0", note });
    }
}

/// Both sides of a difference, as text.
fn sides(e: &ast::Expr) -> Option<(String, String)> {
    let ast::Expr::Call { op, args } = e else { return None };
    let ([a, b], Op::Sub, None) = (&args[..], &op.op, &op.path) else { return None };
    Some((written(a)?, written(b)?))
}
