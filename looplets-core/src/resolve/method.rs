//! Methods of numbers: which types have one, and how an operand of another is converted.

use super::access::type_name;
use super::converted::{converted, difference};
use super::Resolver;
use crate::ast;
use crate::kernel::*;
use crate::methods::{Method, Of};

impl Resolver<'_> {
    /// Whether numbers of type `ty` have the method.
    pub(super) fn method(
        &mut self,
        op: &ast::OpRef,
        method: Method,
        ty: Option<Ty>,
        arg: Option<&ast::Expr>,
    ) -> bool {
        let name = method.name();
        let Some(ty) = ty else { return true };
        let has = match &ty {
            // They are converted.
            Ty::Index | Ty::Bool => true,
            ty => method.is_of(ty),
        };
        if !has {
            let own = format!("call a function of your own by its path, `self::{name}(..)`");
            let to = |to: &str| {
                let arg = arg.map_or_else(|| format!(".. as {to}"), |arg| converted(arg, to));
                format!("`{name}({arg})`")
            };
            let apart = arg.and_then(difference).filter(|_| name == "abs" && ty.is_unsigned());
            let (of, advice) = match (method.is_of_floats(), method.row().of.contains(&Of::Signed))
            {
                _ if ty.is_complex() => (
                    "real numbers",
                    "take what is a number of it, such as `let z = ..; $(z.norm())`".to_owned(),
                ),
                (true, true) => match apart {
                    Some(apart) => ("floats and signed integers", format!("write `{apart}`")),
                    None => {
                        let advice = format!("convert it, {}, or {own}", to("i64"));
                        ("floats and signed integers", advice)
                    }
                },
                (true, false) => {
                    ("floats", format!("compute in floats, as in {}, or {own}", to("f64")))
                }
                (false, true) => ("integers", format!("convert it, {}, or {own}", to("i64"))),
                (false, false) => {
                    ("unsigned integers", format!("convert it, {}, or {own}", to("u64")))
                }
            };
            self.errors.error(
                op.span,
                format!("`{name}` is of {of}, and this is `{}`: {advice}", type_name(&ty)),
            );
        }
        has
    }
}
