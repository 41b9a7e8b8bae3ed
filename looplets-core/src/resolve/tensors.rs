//! Which names of a program are tensors: a macro sees no types, so it is their use that tells, or a type that can be
//! nothing else.

use super::names::{accessed, workspaces};
use crate::ast::{visit, Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::diagnostics::text;
use crate::formats::{is_built_in, is_primitive};
use proc_macro2::Ident;
use std::collections::HashSet;

/// What the syntax tells of tensors.
pub struct Tensors {
    /// Names used with brackets.
    accessed: HashSet<String>,
    /// Names that stand alone as a value, are called, or are assigned without brackets.
    bare: HashSet<String>,
    /// The types of names used with brackets.
    formats: HashSet<String>,
}

impl Tensors {
    pub fn of(program: &Program) -> Tensors {
        let accessed = accessed(&program.body);
        let generics = super::generic_names(program);
        let (mut bare, mut formats) = (HashSet::new(), HashSet::new());
        block(&program.body, &mut bare);
        let mut add = |name: &Ident, ty: &syn::Type| {
            let ty = Some(ty).filter(|ty| !is_primitive(ty)).map(text);
            let ty = ty.filter(|ty| !generics.contains(ty));
            formats.extend(ty.filter(|_| accessed.contains(&name.to_string())));
        };
        program.params.iter().for_each(|p| add(&p.name, &p.ty));
        program.outputs.iter().for_each(|o| add(&o.name, &o.ty));
        workspaces(&program.body, &mut add);
        Tensors { accessed, bare, formats }
    }
    /// Whether `name` is used with brackets anywhere.
    pub fn is_accessed(&self, name: &Ident) -> bool {
        self.accessed.contains(&name.to_string())
    }
    /// What is used with brackets and is `name` in another case.
    pub fn in_another_case(&self, name: &Ident) -> Option<&str> {
        let name = name.to_string();
        let same = |of: &&String| **of != name && of.to_lowercase() == name.to_lowercase();
        self.accessed.iter().filter(same).min().map(String::as_str)
    }
    /// Whether `name` of the type `ty` lacks its brackets wherever it is used. Of types that only rustc knows that is not
    /// known, and what functions of Rust are given may be a tensor.
    pub fn lacks_brackets(&self, name: &Ident, ty: &syn::Type) -> bool {
        self.bare.contains(&name.to_string())
            && (is_built_in(ty) || self.formats.contains(&text(ty)))
    }
    /// Whether `name`, declared of the type `ty`, is a tensor.
    pub fn declares(&self, name: &Ident, ty: &syn::Type) -> bool {
        self.is_accessed(name) || self.lacks_brackets(name, ty)
    }
}

fn block(block: &Block, out: &mut HashSet<String>) {
    block.stmts.iter().for_each(|s| stmt(s, out));
}

fn stmt(stmt: &Stmt, out: &mut HashSet<String>) {
    visit::top_exprs(stmt, &mut |e| expr(e, out));
    visit::blocks(stmt, &mut |b| block(b, out));
}

fn expr(e: &Expr, out: &mut HashSet<String>) {
    match e {
        Expr::Name(name) => {
            out.insert(name.to_string());
        }
        Expr::Access { indices, .. } => indices.iter().for_each(|i| expr(&i.expr, out)),
        Expr::Call { op, args } => {
            let called = matches!(op.op, Op::Function(_));
            if let (true, Some(name)) = (called, op.path.as_ref().and_then(|p| p.get_ident())) {
                out.insert(name.to_string());
            }
            let given = |a: &&Expr| !(called && matches!(a, Expr::Name(_)));
            args.iter().filter(given).for_each(|a| expr(a, out));
        }
        Expr::Shape(shape) => shape.operands.iter().for_each(|a| expr(a, out)),
        Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
    }
}
