//! Operators and functions: which one a name is, and how many arguments it takes.

use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::diagnostics::count;
use crate::kernel::*;
use crate::methods::Method;
use quote::ToTokens;

impl Resolver<'_> {
    /// Whether the kernel brings in an operator of that name.
    pub(super) fn declares(&self, op: &Op) -> bool {
        op.key().is_some_and(|name| self.algebra.called(name).is_some())
    }

    /// The operator of `target <<op>>= value`.
    pub fn reduction(&mut self, op: &ast::OpRef) -> Option<Op> {
        if let (Some(message), false) =
            (crate::parse::elsewhere::reducer(op), self.declares(&op.op))
        {
            self.errors.error(op.span, message);
            return None;
        }
        let row = op.op.row();
        if !row.form.is_empty() && !(row.takes.0..=row.takes.1).contains(&2) {
            let (name, takes) = (row.name, row.takes.0);
            self.errors.error(op.span, format!(
                "a reduction needs an operator of two arguments, such as `min`; `{name}` takes {takes}"));
            return None;
        }
        self.operator(op, 2)
    }

    /// The function that `op` of the program is, if it is a declared operator or is called already.
    pub(super) fn function(&self, op: &Op) -> Option<&Function> {
        let Op::Function(name) = op else { return None };
        let key = self.algebra.called(name).map_or(&**name, |declared| &declared.name);
        self.kernel.functions.get(key)
    }

    /// An operator or function; checks the number of arguments where it is known.
    pub fn operator(&mut self, op: &ast::OpRef, given: usize) -> Option<Op> {
        let Op::Function(name) = &op.op else {
            let row = op.op.row();
            let (least, most) = row.takes;
            if !row.form.is_empty() && !(least..=most).contains(&given) {
                let more = if least == most { "" } else { "at least " };
                let (form, takes) = (row.form, count(least, "argument", "arguments"));
                self.errors.error(op.span, format!("`{form}` takes {more}{takes}, found {given}"));
                return None;
            }
            return Some(op.op.clone());
        };
        if let Some(declared) = self.algebra.called(name) {
            let (least, most) = declared.decl().traits.takes;
            if given < least || given > most {
                let more = if most > least { "at least " } else { "" };
                let takes = count(least, "argument", "arguments");
                self.errors.error(op.span, format!("`{name}` takes {more}{takes}, found {given}"));
                return None;
            }
            return Some(Op::function(&declared.name));
        }
        if self.algebra.is_unnamed(name) {
            self.errors.error(op.span, format!("`{name}` is also an operator of the rules brought in: bring it in too, `use ..::{name};`, or call the function by its path"));
            return None;
        }
        if let Some(method) = Method::by_name(name) {
            let takes = count(method.arguments(), "argument", "arguments");
            self.errors.error(op.span, format!("`{name}` takes {takes}, found {given}; a function of your own is called by its path, `self::{name}(..)`"));
            return None;
        }
        let Some(path) = &op.path else {
            self.errors.error(op.span, format!("unknown operator `{name}`: use an infix operator, `min`, `max`, or a function in scope"));
            return None;
        };
        let tokens = path.to_token_stream();
        self.kernel.functions.entry(name.to_string()).or_insert_with(|| Function::at(tokens));
        Some(op.op.clone())
    }
}
