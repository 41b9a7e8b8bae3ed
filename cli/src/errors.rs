//! Errors as rustc shows them: the line that a person wrote, with carets under the token at fault.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use looplets_core::diagnostics::Errors;
use proc_macro2::{LineColumn, Span, TokenStream};
use std::collections::HashMap;
use std::ops::Range;

/// What has been read: by the name that spans have for a text, what people call it, and the text.
#[derive(Default)]
pub struct Texts(HashMap<String, (String, String)>);

impl Texts {
    /// The tokens of a text that people know as `label`.
    ///
    /// # Errors
    /// It has a character that begins no token, or a bracket without another.
    pub fn tokens(&mut self, label: &str, text: &str) -> Result<TokenStream, Failure> {
        match text.parse::<TokenStream>() {
            Ok(tokens) => {
                let first = tokens.clone().into_iter().next();
                if let Some(first) = first {
                    let kept = (label.to_owned(), text.to_owned());
                    self.0.insert(first.span().file(), kept);
                }
                Ok(tokens)
            }
            Err(e) => {
                let message = format!("{label} cannot be read as tokens: a bracket without another, or a character that begins none");
                let start = e.span().start();
                // A mistake without a place has the line 0 or none of the text's.
                if (1..=text.lines().count()).contains(&start.line) {
                    self.0.insert(e.span().file(), (label.to_owned(), text.to_owned()));
                }
                Err(Failure { errors: vec![syn::Error::new(e.span(), message)] })
            }
        }
    }

    /// Where `span` is: the text, what it is called, and the bytes of it.
    fn place(&self, span: Span) -> Option<(&str, &str, Range<usize>)> {
        let (label, text) = self.0.get(&span.file())?;
        let at = |place: LineColumn| {
            let line = text.split_inclusive('\n').take(place.line.saturating_sub(1)).map(str::len);
            let start: usize = line.sum();
            let rest = text.get(start..)?;
            let column = rest.char_indices().nth(place.column).map_or(rest.len(), |(at, _)| at);
            Some(start + column)
        };
        let (start, end) = (at(span.start())?, at(span.end())?);
        Some((label, text, start..end.max(start)))
    }
}

/// What is wrong with what a person gave, all of it.
#[derive(Debug, Default)]
pub struct Failure {
    errors: Vec<syn::Error>,
}

impl Failure {
    /// A mistake that has no place in a text.
    pub fn plain(message: impl std::fmt::Display) -> Failure {
        Failure { errors: vec![syn::Error::new(Span::call_site(), message)] }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// One more mistake.
    pub fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// Another failure's mistakes, too.
    pub fn extend(&mut self, other: Failure) {
        self.errors.extend(other.errors);
    }

    /// `value`, or what is wrong.
    ///
    /// # Errors
    /// Those that there are.
    pub fn check<T>(self, value: T) -> Result<T, Failure> {
        match self.errors.is_empty() {
            true => Ok(value),
            false => Err(self),
        }
    }

    /// The errors with the lines of `texts`, and how many there are at the end if there are several.
    pub fn render(&self, texts: &Texts, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut out = String::new();
        let mut count = 0;
        for error in self.errors.iter().flat_map(|e| e.clone().into_iter()) {
            count += 1;
            let message = plain(&error.to_string());
            let title = Level::ERROR.primary_title(&*message);
            let text = match texts.place(error.span()) {
                Some((label, text, bytes)) => {
                    let at = AnnotationKind::Primary.span(bytes);
                    let snippet = Snippet::source(text).path(label).annotation(at);
                    renderer.render(&[title.element(snippet)])
                }
                None => renderer.render(&[annotate_snippets::Group::with_title(title)]),
            };
            out += &text;
            out += "\n\n";
        }
        if count > 1 {
            out += &format!("error: the program has {count} errors\n");
        }
        out.trim_end().to_owned() + "\n"
    }
}

/// `text` without what a terminal would take for a command.
fn plain(text: &str) -> String {
    let kept = |c: char| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(kept).collect()
}

impl From<Errors> for Failure {
    fn from(errors: Errors) -> Failure {
        Failure { errors: errors.iter().collect() }
    }
}

impl From<syn::Error> for Failure {
    fn from(error: syn::Error) -> Failure {
        Failure { errors: vec![error] }
    }
}
