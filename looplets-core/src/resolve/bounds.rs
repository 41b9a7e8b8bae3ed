//! Bounds of type parameters that are elements of tensors: where all that stands there is known to say too little,
//! one error at the parameter says what to write, in place of what rustc finds in generated code.

use super::Resolver;
use crate::ast::{self, visit};
use crate::cin::Op;
use crate::diagnostics::text;
use crate::kernel::ResultIs;
use quote::ToTokens;

/// Traits of Rust's library that are no numbers by themselves. Any other might be one that a person declares as one.
const PLAIN: [&str; 23] = [
    "Copy",
    "Clone",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Default",
    "Debug",
    "Display",
    "Send",
    "Sync",
    "Sized",
    "Sum",
];

impl Resolver<'_> {
    /// Refuses a type parameter of numbers whose bounds are none of numbers.
    pub(super) fn check_bounds(&mut self, body: &ast::Block) {
        let ast::Form::Function { generics, .. } = &self.kernel.form else { return };
        let mut wrong = Vec::new();
        for param in generics.type_params() {
            let name = param.ident.to_string();
            let holds = |t: &crate::kernel::Tensor| {
                let zero = t.chain.fill_type.to_string().ends_with("Zero");
                // The elements of an array of Rust need no zero.
                zero && crate::formats::elements(&t.ty).is_none()
                    && t.chain.value.to_string() == name
            };
            let beside = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            let beside = beside.filter_map(|predicate| match predicate {
                syn::WherePredicate::Type(of) if text(&of.bounded_ty) == name => Some(&of.bounds),
                _ => None,
            });
            // `Zero: Fill<T>` may say all that is asked of it.
            let told = generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(
                |p| match p {
                    syn::WherePredicate::Type(of) => {
                        text(&of.bounded_ty) != name && text(&of.bounds).contains(&name)
                    }
                    _ => false,
                },
            );
            let mut all = std::iter::once(&param.bounds).chain(beside).flatten();
            if !told && self.kernel.tensors.iter().any(holds) && all.all(plain) {
                wrong.push((param.ident.clone(), self.numbers(&name, body)));
            }
        }
        for (name, bounds) in wrong {
            self.errors.error(name.span(), format!(
                "elements of tensors are numbers, and nothing says so of `{name}`: write `{name}: {bounds}`"));
        }
    }

    /// The bounds of numbers of type `name` that `body` computes with.
    fn numbers(&self, name: &str, body: &ast::Block) -> String {
        let mut bounds = vec!["looplets::Value".to_owned()];
        let mut add = |bound: String| {
            if !bounds.contains(&bound) {
                bounds.push(bound);
            }
        };
        let mut used = Vec::new();
        operators(body, &mut used);
        for (what, op) in [
            ("Add", Op::Add),
            ("Sub", Op::Sub),
            ("Mul", Op::Mul),
            ("Div", Op::Div),
            ("Rem", Op::Rem),
            ("Neg", Op::Neg),
        ] {
            if used.contains(&op) {
                add(format!("std::ops::{what}<Output = {name}>"));
            }
        }
        if [Op::Min, Op::Max, Op::Lt, Op::Le, Op::Gt, Op::Ge].iter().any(|op| used.contains(op)) {
            add("PartialOrd".to_owned());
        }
        let made =
            |result: &ResultIs| matches!(result, ResultIs::Scalar(_, ty) if text(ty) == name);
        if self.kernel.results.iter().any(made) {
            add("Default".to_owned());
        }
        bounds.join(" + ")
    }
}

/// Whether a bound is none of numbers.
fn plain(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last().map(|s| s.ident.to_token_stream().to_string());
            last.is_some_and(|last| PLAIN.contains(&&*last))
        }
        syn::TypeParamBound::Lifetime(_) => true,
        _ => false,
    }
}

/// The operators of `block`, but for those that compute coordinates and sizes.
fn operators(block: &ast::Block, out: &mut Vec<Op>) {
    for stmt in &block.stmts {
        match stmt {
            ast::Stmt::Assign { op, value, .. } => {
                out.extend(op.iter().map(|op| op.op.clone()));
                of_values(value, out);
            }
            ast::Stmt::If { cond, .. } => of_values(cond, out),
            ast::Stmt::Let { value, .. } => of_values(value, out),
            _ => {}
        }
        visit::blocks(stmt, &mut |b| operators(b, out));
    }
}

fn of_values(e: &ast::Expr, out: &mut Vec<Op>) {
    match e {
        ast::Expr::Call { op, args } => {
            out.push(op.op.clone());
            args.iter().for_each(|arg| of_values(arg, out));
        }
        ast::Expr::Shape(shape) => shape.operands.iter().for_each(|arg| of_values(arg, out)),
        _ => {}
    }
}
