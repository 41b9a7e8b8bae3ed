//! Warns of the root of a sum that is taken in the loop that sums: `for i { n += x[i] * x[i]; n = sqrt(n) }` takes it in each iteration.

use super::every;
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::methods::Method;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        if let Stmt::For { indices, body, .. } = stmt {
            if let Some(index) = indices.last() {
                in_loop(body, index, found);
            }
        }
    });
}

/// Looks at the statements of `body`, the loop over `index`.
fn in_loop(body: &Block, index: &Ident, found: &mut Vec<Warning>) {
    for (n, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Assign { target: Expr::Name(sum), op: None, value, .. } = stmt else { continue };
        let Expr::Call { op, args } = value else { continue };
        let root = matches!(&op.op, Op::Method(Method::Sqrt | Method::Cbrt));
        if !root || !matches!(&args[..], [Expr::Name(of)] if of == sum) {
            continue;
        }
        let adds = |s: &Stmt| matches!(s, Stmt::Assign { target: Expr::Name(to), op: Some(by), .. } if to == sum && by.op == Op::Add);
        let declares = |s: &Stmt| matches!(s, Stmt::Workspace { name, .. } if name == sum);
        let before = &body.stmts[..n];
        if !before.iter().any(adds) || before.iter().any(declares) {
            continue;
        }
        let Some(value) = written(value) else { continue };
        let note = format!("this is done in each iteration over `{index}`, and what follows is added to it: write `{sum} = {value}` behind the loop");
        found.push(Warning { span: op.span, name: "root_of_what_is_summed", note });
    }
}
