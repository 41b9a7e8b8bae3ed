//! Expressions as a program has them, for messages that say what to write instead.

use super::expr::symbol;
use crate::ast::{Expr, Index};
use crate::cin::{Lit, Op};
use crate::diagnostics::text;

/// How tightly `as` binds, and what is tighter: a prefix operator, and what never needs parentheses.
const CONVERTED: u8 = 10;
const PREFIXED: u8 = 11;
const WHOLE: u8 = 12;

/// The text of `e`; none of a shape operator, which is long.
pub fn written(e: &Expr) -> Option<String> {
    bound(e).map(|(text, _)| text)
}

/// The text of `e` as an operand of `op`, in parentheses if it binds less tightly.
pub fn operand(e: &Expr, op: &Op) -> Option<String> {
    let least = match op {
        Op::As(_) => CONVERTED,
        Op::Neg | Op::Not => PREFIXED,
        op => symbol(op)?.1 + 1,
    };
    within(e, least)
}

/// The text of `e` in parentheses unless it binds as tightly as `least`.
fn within(e: &Expr, least: u8) -> Option<String> {
    let (text, binds) = bound(e)?;
    Some(if binds < least { format!("({text})") } else { text })
}

/// The text of `e`, and how tightly it binds.
fn bound(e: &Expr) -> Option<(String, u8)> {
    let whole = |text: String| Some((text, WHOLE));
    match e {
        Expr::Lit(lit, suffix, _) => whole(literal(lit, suffix.as_deref())),
        Expr::Name(name) => whole(name.to_string()),
        Expr::Path(path) => whole(text(path)),
        Expr::Escape(tokens, _) => whole(format!("$({})", text(tokens))),
        Expr::Access { name, indices, by_columns, .. } => {
            let mut indices = indices.iter().map(index).collect::<Option<Vec<String>>>()?;
            if *by_columns {
                indices.reverse();
            }
            whole(format!("{name}[{}]", indices.join(", ")))
        }
        Expr::Shape(_) => None,
        Expr::Call { op, args } => match (&op.op, &op.path, &args[..]) {
            (_, Some(path), [among @ .., last])
                if matches!(op.op.key(), Some("window" | "offset")) =>
            {
                whole(format!("{}({})[{}]", text(path), list(among)?, written(last)?))
            }
            (_, Some(path), args) => whole(format!("{}({})", text(path), list(args)?)),
            (Op::Neg, _, [a]) => Some((format!("-{}", within(a, PREFIXED)?), PREFIXED)),
            (Op::Not, _, [a]) => Some((format!("!{}", within(a, PREFIXED)?), PREFIXED)),
            (Op::As(ty), _, [a]) => {
                Some((format!("{} as {}", within(a, CONVERTED)?, ty.text()), CONVERTED))
            }
            (Op::Tuple, _, args) => whole(format!("({})", list(args)?)),
            (op, _, [a, b]) => {
                let (symbol, binds) = symbol(op)?;
                // Comparisons do not chain; everything else associates to the left.
                let left = within(a, binds + u8::from(op.is_comparison()))?;
                Some((format!("{left} {symbol} {}", within(b, binds + 1)?), binds))
            }
            _ => None,
        },
    }
}

fn list(args: &[Expr]) -> Option<String> {
    let args: Option<Vec<String>> = args.iter().map(written).collect();
    Some(args?.join(", "))
}

fn index(index: &Index) -> Option<String> {
    Some(match &index.protocol {
        None => written(&index.expr)?,
        Some(protocol) => format!("{}::{protocol}", within(&index.expr, WHOLE)?),
    })
}

fn literal(lit: &Lit, suffix: Option<&str>) -> String {
    let number = match lit {
        Lit::Float(bits) if f64::from_bits(*bits) == f64::INFINITY => {
            return "f64::INFINITY".into()
        }
        Lit::Float(bits) if f64::from_bits(*bits) == f64::NEG_INFINITY => {
            return "f64::NEG_INFINITY".into()
        }
        lit => lit.text(),
    };
    match (lit, suffix) {
        (Lit::Int(_), Some("float")) => number + ".0",
        (_, Some("float") | None) => number,
        (_, Some(suffix)) => number + suffix,
    }
}
