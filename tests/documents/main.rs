//! Documentation: the pages, the help and the examples.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../docs_support/mod.rs"]
mod docs_support;

mod conditions;
mod docs;
mod examples;
mod help;
mod notes;
mod readme;
mod shells;
mod skips;
mod wording;
