//! Where in the text that is typed a token stands. Tokens of built-in declarations have places of their own, which are none
//! of the editor's: they are told apart by what stands there.

use proc_macro2::Span;
use serde_json::{json, Value};

/// The range of `span` in `source`, lines from 1 and columns from 0, both in characters.
pub fn place(span: Span, source: &str) -> Option<Value> {
    let (start, end) = (span.start(), span.end());
    let from = offset(source, start.line, start.column)?;
    let to = offset(source, end.line, end.column)?;
    let text = span.source_text()?;
    if text.is_empty() || source.get(from..to)? != text {
        return None;
    }
    Some(
        json!({ "line": start.line, "column": start.column, "endLine": end.line, "endColumn": end.column }),
    )
}

/// Where a line and a column are in `source`, in bytes.
fn offset(source: &str, line: usize, column: usize) -> Option<usize> {
    let mut at = 0;
    for _ in 1..line {
        at += source.get(at..)?.find('\n')? + 1;
    }
    let rest = source.get(at..)?;
    let mut chars = rest.char_indices().map(|(k, _)| k).chain([rest.len()]);
    Some(at + chars.nth(column)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    #[test]
    fn tokens_are_found_where_they_stand() {
        let source = "// ä\n  ß + long_name\n";
        let tokens: Vec<_> = source.parse::<TokenStream>().unwrap().into_iter().collect();
        let at = place(tokens[2].span(), source).unwrap();
        assert_eq!(
            (&at["line"], &at["column"], &at["endColumn"]),
            (&json!(2), &json!(6), &json!(15))
        );
        let other: TokenStream = "elsewhere".parse().unwrap();
        assert_eq!(place(other.into_iter().next().unwrap().span(), source), None);
        assert_eq!(place(Span::call_site(), source), None);
    }
}
