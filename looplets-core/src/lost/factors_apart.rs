//! Warns of `s += x[i] * y[j]` without loops, which is the product of two sums, where an inner product is meant more often.

use super::every;
use crate::ast::{Expr, Form, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    // Loops that are written say that each `i` is to meet each `j`; those of an inline program all are, and any other name is a variable.
    let mut written_loops = !matches!(program.form, Form::Function { .. });
    every(&program.body, &mut |stmt| written_loops |= matches!(stmt, Stmt::For { .. }));
    if written_loops {
        return;
    }
    every(&program.body, &mut |stmt| {
        let Stmt::Assign { target: Expr::Name(_), op: Some(by), value, .. } = stmt else { return };
        let Expr::Call { op, args } = value else { return };
        if (&by.op, &op.op) != (&Op::Add, &Op::Mul) || op.path.is_some() {
            return;
        }
        let of: Option<Vec<&Ident>> = args.iter().map(|a| of_a_loop(program, a)).collect();
        let (Some([i, j]), [x, y]) = (of.as_deref(), &args[..]) else { return };
        let (Some(x), Expr::Access { name: other, .. }) = (written(x), y) else { return };
        if i == j {
            return;
        }
        let note = format!("`{i}` and `{j}` run apart, so that this is the sum over `{i}` times the sum over `{j}`: the inner product is `{x} * {other}[{i}]`; write the loops, `for {i}, {j} {{ .. }}`, if each is to meet each");
        found.push(Warning { span: j.span(), name: "product_of_two_sums", note });
    });
}

/// The index of `e`, if that is an element of a vector at the index of a loop that is left out.
fn of_a_loop<'e>(program: &Program, e: &'e Expr) -> Option<&'e Ident> {
    let Expr::Access { indices, .. } = e else { return None };
    let [index] = &indices[..] else { return None };
    let Expr::Name(name) = &index.expr else { return None };
    let mut declared = program.params.iter().any(|p| p.name == *name);
    every(&program.body, &mut |stmt| {
        if let Stmt::Let { name: own, .. } | Stmt::Workspace { name: own, .. } = stmt {
            declared |= own == name;
        }
    });
    (!declared).then_some(name)
}
