//! Chapters on using the library, whose examples are tests.

#[doc = include_str!("formats.md")]
pub mod formats {}

#[doc = include_str!("nodes.md")]
pub mod nodes {}

#[doc = include_str!("rules.md")]
pub mod rules {}

#[doc = include_str!("language.md")]
pub mod language {}
