//! Values and names as the patterns of rules write them.

use crate::cin::{Expr, Lit, Op};

/// The term of a value in a pattern: a literal, or `(const:Name)`.
pub(super) fn value_of(text: &str) -> Expr {
    match text {
        "true" | "false" => Expr::bool(text == "true"),
        "inf" => Expr::Lit(Lit::float(f64::INFINITY)),
        "-inf" => Expr::Lit(Lit::float(f64::NEG_INFINITY)),
        _ => match (text.parse::<i128>(), text.parse::<f64>()) {
            (Ok(n), _) => Expr::int(n),
            (_, Ok(x)) => Expr::Lit(Lit::float(x)),
            _ => Expr::call(Op::in_rules(text.trim_matches(|c| c == '(' || c == ')')), []),
        },
    }
}

/// `text` with the names of fill markers replaced by their values.
pub(super) fn named_in(text: &str, words: &[(String, String)]) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let known = |w: &str| words.iter().find(|(n, _)| n == w).map(|(_, v)| v.clone());
    spaced
        .split_whitespace()
        .map(|w| known(w).unwrap_or_else(|| w.to_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}
