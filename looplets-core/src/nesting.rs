//! How deep input may be nested: parsers, ours and syn's, call themselves for what stands inside, and a compiler
//! that has no stack left ends without a word.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// The deepest nest that is read. Stages behind the parser call themselves for each level too.
const DEEPEST: usize = 100;
/// What an angle bracket counts for: a type takes the stack of so many parentheses.
const TYPE: usize = 3;
/// The longest chain of operators without parentheses: `a + b + c` is nested to the left.
const LONGEST: usize = 1000;

/// What an operator counts for that stays nested: sums and products become lists.
const NESTED: usize = 4;

/// What is counted among the tokens of one group.
#[derive(Default)]
struct Level {
    /// Signs in a row: `- - - x`.
    signs: usize,
    /// Angle brackets that may still be open: `A<A<A<x`.
    angles: usize,
    /// `else` and `where` since the last statement ended.
    branches: usize,
    /// Operators since the last separator.
    operators: usize,
    /// Whether the last token was a block.
    block: bool,
    /// Whether the last token was the first half of `->` or `=>`.
    arrow: bool,
    /// Whether the last token was no punctuation, so that an operator may follow.
    operand: bool,
}

/// Refuses what is nested too deep, at the token where it becomes so. It does not call itself.
pub fn check(tokens: &TokenStream) -> Result<()> {
    let mut open = vec![(tokens.clone().into_iter(), Level::default())];
    while let Some((trees, level)) = open.last_mut() {
        let Some(tree) = trees.next() else {
            open.pop();
            continue;
        };
        let at = level.count(&tree)?;
        if let TokenTree::Group(group) = tree {
            if open.len() + at > DEEPEST {
                return Err(too_deep(group.span_open()));
            }
            open.push((group.stream().into_iter(), Level::default()));
        }
    }
    Ok(())
}

fn too_deep(at: Span) -> Error {
    let message = format!("this is nested more than {DEEPEST} deep: take a part out of it");
    Error::new(at, message)
}

impl Level {
    /// Counts a token; how deep it is in its group.
    fn count(&mut self, tree: &TokenTree) -> Result<usize> {
        let (block, arrow) = (std::mem::take(&mut self.block), std::mem::take(&mut self.arrow));
        let (signs, operand) = (std::mem::take(&mut self.signs), self.operand);
        self.operand = !matches!(tree, TokenTree::Punct(_));
        match tree {
            TokenTree::Ident(word) if word == "else" || word == "where" => self.branches += 1,
            // Whatever else follows a block begins a statement.
            _ if block => *self = Level { operand: self.operand, ..Level::default() },
            _ => {}
        }
        if let TokenTree::Punct(p) = tree {
            match p.as_char() {
                '<' => self.angles += 1,
                '>' if arrow => {}
                '>' => self.angles = self.angles.saturating_sub(1),
                // Between two operands, an operator that no type has ends it.
                ':' | ',' | '\'' | '+' | '=' => {}
                '-' if p.spacing() == Spacing::Joint => {}
                '&' | '*' | '!' | '-' if !operand => {}
                _ => self.angles = 0,
            }
            self.arrow = matches!(p.as_char(), '-' | '=') && p.spacing() == Spacing::Joint;
            match p.as_char() {
                ',' | ';' => self.operators = 0,
                ':' | '\'' | '$' | '#' => {}
                sign => {
                    self.signs = signs + 1;
                    self.operators += match sign {
                        // The last character counts for all of an operator.
                        _ if p.spacing() == Spacing::Joint => 0,
                        '+' | '-' | '*' | '=' | '<' | '>' => 1,
                        _ => NESTED,
                    };
                }
            }
            if p.as_char() == ';' {
                self.branches = 0;
            }
            if self.operators > LONGEST {
                let message = "this is too long a chain of operators: take a part out of it";
                return Err(Error::new(p.span(), message));
            }
        }
        self.block = matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        let depth = self.signs.max(TYPE * self.angles).max(self.branches);
        match depth > DEEPEST {
            true => Err(too_deep(tree.span())),
            false => Ok(depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(source: &str) -> bool {
        check(&source.parse().expect("tokens")).is_err()
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        for n in [DEEPEST + 1, 50 * DEEPEST] {
            let s = |text: &str| text.repeat(n);
            assert!(refused(&format!("{}1{}", s("("), s(")"))), "parentheses");
            assert!(refused(&format!("x = {}1", s("-"))), "signs");
            assert!(refused(&format!("x = {}1", s("! "))), "signs apart");
            assert!(refused(&format!("a: {}f64{}", s("A<"), s(">"))), "types");
            assert!(refused(&format!("if a {{}} {}", s("else if b {} "))), "branches");
            assert!(refused(&format!("{{}} {}", s("where {} "))), "producers");
        }
        assert!(refused(&format!("x = 1{}", " + 1".repeat(LONGEST + 1))));
    }

    #[test]
    fn what_stands_side_by_side_is_not_nested() {
        for one in
            ["x = -(1 + 2);", "if a < b { } else { }", "f(a, -b, c < d && e < f);", "{ } where { }"]
        {
            assert!(!refused(&one.repeat(5000)), "{one}");
        }
        assert!(!refused(&format!("f({})", "Vec<Vec<f64>>, ".repeat(5000))));
        assert!(!refused(&format!("f({})", "|i| child[i], ".repeat(5000))));
    }
}
