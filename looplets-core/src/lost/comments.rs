//! Warns of `y[i] = x[i] // 2`, which ends in a comment: other languages divide whole numbers so.

use super::every;
use crate::ast::{Program, Stmt};
use crate::kernel::Warning;
use crate::parse::written;
use proc_macro2::Span;

/// Looks at the text of the program, for comments are no tokens. A program that a macro makes has none.
pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let Some(text) = program.body.span.source_text() else { return };
    for line in text.lines() {
        let Some((code, comment)) = line.split_once("//") else { continue };
        let code = without_spaces(code);
        // A statement that has its `;` is whole, and what follows it is said about it.
        let open = code.ends_with(|c: char| c.is_alphanumeric() || c == ']' || c == ')');
        let divisor = comment.trim().trim_end_matches([';', '}', ' ']);
        if !open || !is_operand(program, divisor) {
            continue;
        }
        let Some(span) = value_before(program, &code) else { continue };
        let note = format!("`//` begins a comment, so that nothing is divided: write `/ {divisor}`, which is cut to a whole number if both sides are");
        found.push(Warning { span, name: "divisor_in_a_comment", note });
    }
}

/// Whether `text` is a number, or a parameter or an element of one.
fn is_operand(program: &Program, text: &str) -> bool {
    let number = text.parse::<f64>().is_ok() && text.starts_with(|c: char| c.is_ascii_digit());
    let (name, rest) = text.split_once('[').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let named = program.params.iter().any(|p| p.name == name.trim());
    number || named && rest.is_none_or(|rest| rest.ends_with(']'))
}

/// Where the value stands that `code` ends with.
fn value_before(program: &Program, code: &str) -> Option<Span> {
    let mut found = None;
    every(&program.body, &mut |stmt| {
        let (Stmt::Assign { value, .. } | Stmt::Let { value, .. }) = stmt else { return };
        let text = written(value).map(|text| format!("={}", without_spaces(&text)));
        if text.is_some_and(|text| code.ends_with(&text)) {
            found = Some(value.span());
        }
    });
    found
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
