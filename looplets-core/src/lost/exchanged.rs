//! Warns of `a[i] = b[i]; b[i] = a[i]`, which exchanges nothing: the second assignment reads what the first has just written.

use super::every;
use crate::ast::{Block, Program, Stmt};
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    in_block(&program.body, found);
    every(&program.body, &mut |stmt| {
        crate::ast::visit::blocks(stmt, &mut |block| in_block(block, found));
    });
}

fn in_block(block: &Block, found: &mut Vec<Warning>) {
    let sides = |stmt: &Stmt| match stmt {
        Stmt::Assign { target, op: None, value, .. } => Some((written(target)?, written(value)?)),
        _ => None,
    };
    for two in block.stmts.windows(2) {
        let (Some((a, b)), Some((c, d))) = (sides(&two[0]), sides(&two[1])) else { continue };
        let Stmt::Assign { value, .. } = &two[1] else { continue };
        if a != b && a == d && b == c {
            let note = format!("`{a}` has just been given what `{b}` is, so that this changes nothing: to exchange both keep one first, `let t = {a}; {a} = {b}; {b} = t`");
            found.push(Warning { span: value.span(), name: "exchanges_nothing", note });
        }
    }
}
