//! Chapters on using the library. The book, `book/`, has the same texts, and their examples for tests; there links lead elsewhere,
//! so what they name is defined behind them.

#[doc = concat!(include_str!("formats.md"), include_str!("links.md"))]
pub mod formats {}

#[doc = concat!(include_str!("nodes.md"), include_str!("links.md"))]
pub mod nodes {}

#[doc = concat!(include_str!("rules.md"), include_str!("links.md"))]
pub mod rules {}

#[doc = concat!(include_str!("language.md"), include_str!("links.md"))]
pub mod language {}
