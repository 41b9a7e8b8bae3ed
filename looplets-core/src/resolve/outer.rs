//! What is Rust's in a program: variables around it, and expressions `$(..)` that name what the kernel has.

use super::embedded::{embedded, Embedded};
use super::groups::Thing;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, TokenStream};

impl Resolver<'_> {
    /// A Rust variable of the surrounding code.
    pub(super) fn outer(&mut self, name: &Ident) -> VarId {
        let constant = match name.to_string().as_str() {
            "inf" | "infinity" | "Inf" | "Infinity" => "f64::INFINITY",
            "nan" | "NaN" => "f64::NAN",
            "True" => "true",
            "False" => "false",
            _ => "",
        };
        if !constant.is_empty() && matches!(self.kernel.form, ast::Form::Function { .. }) {
            let message = format!("`{name}` is written `{constant}`");
            self.errors.error(name.span(), message);
        }
        let known = self
            .kernel
            .vars
            .iter()
            .position(|v| v.kind == VarKind::Outer && v.ident.as_ref() == Some(name));
        match known {
            Some(k) => VarId(k as u32),
            None => {
                let id = self.kernel.var(&name.to_string(), VarKind::Outer, Ty::Unknown);
                self.kernel.vars[id.0 as usize].ident = Some(name.clone());
                id
            }
        }
    }

    /// What stands for a call that is given a whole tensor, which is an error: functions of a program take elements.
    pub(super) fn called_with_tensor(
        &mut self,
        op: &ast::OpRef,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        let path = op.path.as_ref().filter(|_| op.op.key().is_some() && !self.declares(&op.op))?;
        let function = crate::diagnostics::text(path);
        let (name, tensor) = args.iter().find_map(|a| match a {
            ast::Expr::Name(name) => match self.lookup(name)? {
                Meaning::Tensor(t) => Some((name, t)),
                _ => None,
            },
            _ => None,
        })?;
        let given: Option<Vec<String>> = args.iter().map(crate::parse::written).collect();
        let given = given.map_or_else(|| "..".to_owned(), |args| args.join(", "));
        let message = format!(
            "{}; a function that takes all of it is called in front, `let t = $({function}({given}));`, if it gives a number, and before this kernel if it gives a tensor, which is then a parameter",
            self.lacks_indices(name, tensor)
        );
        self.errors.error(name.span(), message);
        self.doubtful.extend(&self.loops);
        Some(self.kernel.raw(quote::quote!(0), Vec::new(), Ty::Unknown))
    }

    /// A Rust expression with a name of its own for each place where it names something of the kernel.
    pub(super) fn embedded(&mut self, tokens: &TokenStream) -> (TokenStream, Vec<(Ident, Expr)>) {
        let meaning = |r: &Self, name: &Ident| match r.lookup(name)? {
            Meaning::Literal(k) => Some(r.literals[k].value.clone()),
            Meaning::Var(v) => (r.kernel.info(v).kind != VarKind::Outer).then_some(Expr::Var(v)),
            Meaning::Tensor(_) | Meaning::Broken => None,
        };
        let Embedded { tokens, free, dereferenced } =
            embedded(tokens, &|name| meaning(self, name).is_some());
        for (star, name) in dereferenced {
            let ty = meaning(self, &name).and_then(|e| self.kernel.type_of(&e));
            let value = match &ty {
                Some(Ty::Bool | Ty::Index) | None => true,
                Some(Ty::Named(t)) => primitive(t),
                Some(Ty::Own | Ty::Unknown) => false,
            };
            if value {
                self.errors.error(star, format!("`{name}` stands for its value here, and there is nothing to dereference: write `$({name})`"));
            }
        }
        let mut names = Vec::new();
        for (occurrence, name) in free {
            let Some(value) = meaning(self, &name) else { continue };
            if self.kernel.may_be_missing(&value) {
                self.errors.error(name.span(), format!("`{name}` may be missing, for which Rust has no value: define what stands in its place, `let there = coalesce({name}, 0);`, and write `there` here"));
            }
            if let Expr::Var(v) = value {
                self.reads_at(Thing::Var(v), name.span());
            }
            names.push((occurrence, value));
        }
        (tokens, names)
    }
}
