//! Warns of names that stand for something else: in `y[i] += a[i, k] * x[k]`, no loop goes over `k` if a parameter has that name, and
//! `let z = x[i]` hides an operand `z`.

use super::{every, written};
use crate::ast::visit::{top_exprs, visit_expr};
use crate::ast::{Expr, Param, Passing, Program, Stmt};
use crate::kernel::Warning;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        let Stmt::Let { name, .. } = stmt else { return };
        let tensor = |p: &Param| p.name == *name && p.passing != Passing::Value;
        if !program.params.iter().any(tensor) {
            return;
        }
        let mut read = false;
        every(&program.body, &mut |stmt| {
            top_exprs(stmt, &mut |e| {
                visit_expr(e, &mut |e| {
                    read |= matches!(e, Expr::Access { name: of, .. } if of == name)
                });
            });
        });
        if !read {
            let note = format!("this hides the operand `{name}`, which nothing reads: give one of them another name");
            found.push(Warning { span: name.span(), name: "hides_an_operand", note });
        }
    });
    for stmt in &program.body.stmts {
        let Stmt::Assign { target: target @ Expr::Access { .. }, op: Some(_), value, .. } = stmt
        else {
            continue;
        };
        // What is there already may well be added to once.
        let made = |name: &Ident| program.outputs.iter().any(|o| o.name == *name);
        if !written(target).is_some_and(made) {
            continue;
        }
        let passed = |name: &Ident| program.params.iter().any(|p| p.name == *name);
        let own = indices(target);
        let all = indices(value);
        if all.iter().any(|i| !passed(i) && !own.contains(i)) {
            continue;
        }
        // One element of a row or a column is read at a parameter; a sum meets its index again.
        let twice = |i: &&Ident| all.iter().filter(|other| *other == i).count() > 1;
        let Some(index) = all.iter().copied().filter(|i| passed(i) && !own.contains(i)).find(twice)
        else {
            continue;
        };
        let note = format!("`{index}` is the parameter of that name here, so that nothing is summed: give the index of the loop another name");
        found.push(Warning { span: index.span(), name: "index_of_a_parameter", note });
    }
}

/// Names that stand alone as an index in `e`.
fn indices(e: &Expr) -> Vec<&Ident> {
    let mut out = Vec::new();
    visit_expr(e, &mut |e| {
        if let Expr::Access { indices, .. } = e {
            out.extend(indices.iter().filter_map(|i| match &i.expr {
                Expr::Name(name) => Some(name),
                _ => None,
            }));
        }
    });
    out
}
