//! Comparisons with NaN or `missing`, which have one answer whatever is compared, and loops that end before they begin.

use super::every;
use crate::ast::visit::own_exprs;
use crate::ast::{Expr, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        if let Stmt::For { extent: Some((Expr::Lit(lo, ..), hi @ Expr::Lit(last, ..))), .. } = stmt
        {
            let note = format!("this extent ends before it begins, and loops count up, so that nothing runs: write `{}..{}`", last.text(), lo.text());
            match (lo, last) {
                (Lit::Int(a), Lit::Int(b)) if a > b => {
                    found.push(Warning { span: hi.span(), name: "never_runs", note });
                }
                _ => {}
            }
        }
        own_exprs(stmt, &mut |e| {
            let Expr::Call { op, args } = e else { return };
            let ([a, b], true) = (&args[..], op.op.is_comparison()) else { return };
            if is_missing(a) || is_missing(b) {
                let note = "what is compared with `missing` is `missing`, which is no reason to do anything: write `coalesce(x, ..)` for what stands in its place".to_owned();
                found.push(Warning { span: op.span, name: "compared_with_missing", note });
                return;
            }
            let compared = match (is_nan(a), is_nan(b)) {
                (true, false) => b,
                (false, true) => a,
                _ => return,
            };
            let shown = written(compared).unwrap_or_else(|| "x".to_owned());
            let note = match op.op {
                Op::Ne => format!("everything differs from NaN, which is not equal to itself: write `!is_nan({shown})`"),
                Op::Eq => format!("nothing equals NaN, not even itself: write `is_nan({shown})`"),
                _ => "nothing is less or greater than NaN: this never holds".to_owned(),
            };
            found.push(Warning { span: op.span, name: "compared_with_nan", note });
        });
    });
}

fn is_missing(e: &Expr) -> bool {
    matches!(e, Expr::Lit(Lit::Missing, ..))
}

fn is_nan(e: &Expr) -> bool {
    matches!(e, Expr::Path(path) if path.segments.last().is_some_and(|s| s.ident == "NAN"))
}
