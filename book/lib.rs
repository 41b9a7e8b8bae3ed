//! The book, the guide and the README: each text with listings is the documentation of a module, so that `cargo test` runs them.
//!
//! Chapters of the book that only include what stands in `src/guide` have no module of their own.
//! What the compiler reports of costs is denied, so that no listing costs more than it says.
#![doc(test(attr(deny(deprecated))))]

#[doc = include_str!("../README.md")]
pub mod readme {}

#[doc = include_str!("../src/guide/formats.md")]
pub mod guide_formats {}

#[doc = include_str!("../src/guide/nodes.md")]
pub mod guide_nodes {}

#[doc = include_str!("../src/guide/rules.md")]
pub mod guide_rules {}

#[doc = include_str!("../src/guide/language.md")]
pub mod guide_language {}

#[doc = include_str!("src/first_steps.md")]
pub mod first_steps {}

#[doc = include_str!("src/choosing.md")]
pub mod choosing {}

#[doc = include_str!("src/cost.md")]
pub mod cost {}

#[doc = include_str!("src/fills.md")]
pub mod fills {}

#[doc = include_str!("src/semirings.md")]
pub mod semirings {}

#[doc = include_str!("src/images.md")]
pub mod images {}

#[doc = include_str!("src/shape.md")]
pub mod shape {}

#[doc = include_str!("src/dynamic.md")]
pub mod dynamic {}

#[doc = include_str!("src/parallel.md")]
pub mod parallel {}

#[doc = include_str!("src/recipes/linear.md")]
pub mod recipes_linear {}

#[doc = include_str!("src/recipes/graphs.md")]
pub mod recipes_graphs {}

#[doc = include_str!("src/recipes/images.md")]
pub mod recipes_images {}

#[doc = include_str!("src/recipes/statistics.md")]
pub mod recipes_statistics {}

#[doc = include_str!("src/recipes/data.md")]
pub mod recipes_data {}
