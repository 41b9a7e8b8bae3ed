//! Warns of `x[i] ^ 2` of whole numbers, which is no square, and of the root of one square in a sum, which is no norm.

use super::every;
use crate::ast::visit::{top_exprs, visit_expr};
use crate::ast::{Expr, OpRef, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::methods::Method;
use crate::parse::{operand, written};

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        let sums = matches!(stmt, Stmt::Assign { op: Some(by), .. } if by.op == Op::Add);
        top_exprs(stmt, &mut |e| {
            visit_expr(e, &mut |e| {
                let Expr::Call { op, args } = e else { return };
                if sums {
                    found.extend(root_of_square(op, args));
                }
                let [of, Expr::Lit(Lit::Int(n @ (2 | 3)), None, _)] = &args[..] else { return };
                if op.op != Op::BitXor || matches!(of, Expr::Lit(..)) {
                    return;
                }
                let of = |by| operand(of, by).unwrap_or_else(|| "x".to_owned());
                let product = vec![of(&Op::Mul); if *n == 2 { 2 } else { 3 }].join(" * ");
                let of = of(&Op::BitXor);
                let note = format!("`^` is the exclusive or of bits, and no power: write `{product}`, or `{n} ^ {of}` if bits are meant");
                found.push(Warning { span: op.span, name: "no_power", note });
            });
        });
    });
}

/// The warning if `op` takes the root of `x * x` for some `x`.
fn root_of_square(op: &OpRef, args: &[Expr]) -> Option<Warning> {
    let (Op::Method(Method::Sqrt), [Expr::Call { op: square, args }]) = (&op.op, args) else {
        return None;
    };
    let of = match (&square.op, &args[..]) {
        (Op::Mul, [a, b]) => written(a).filter(|a| Some(a) == written(b).as_ref()),
        (Op::Method(Method::Powi | Method::Powf), [a, Expr::Lit(lit, ..)]) => {
            written(a).filter(|_| *lit == Lit::Int(2) || *lit == Lit::float(2.0))
        }
        _ => None,
    }?;
    let note = format!("the root of one square is `abs({of})`: that of a sum of squares is taken behind the sum, as in `sqrt(s)`");
    Some(Warning { span: op.span, name: "root_of_a_square", note })
}
