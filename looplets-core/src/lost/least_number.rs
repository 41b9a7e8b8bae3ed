//! Warns of `f64::MIN_POSITIVE` as what the greatest starts at: it is the least number above 0, and no least number of all.

use super::every;
use crate::ast::{Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        let Stmt::Assign {
            target: Expr::Name(name), op: None, value: value @ Expr::Path(_), ..
        } = stmt
        else {
            return;
        };
        let Some(start) = written(value).filter(|text| text.ends_with("::MIN_POSITIVE")) else {
            return;
        };
        let mut greatest = false;
        every(&program.body, &mut |stmt| {
            greatest |= matches!(stmt, Stmt::Assign { target: Expr::Name(n), op: Some(op), .. }
                if n == name && matches!(op.op, Op::Max | Op::MaxBy));
        });
        if greatest {
            let below = start.replace("MIN_POSITIVE", "NEG_INFINITY");
            let note = format!("`{start}` is the least number above 0, so that nothing below 0 is ever the greatest: start at `{below}`");
            found.push(Warning { span: value.span(), name: "least_above_0", note });
        }
    });
}
