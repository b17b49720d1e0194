//! The same game again: a download that has been analysed since, a broadcast that has grown.
//!
//! - `identity`: what tells that two records may be of one game.
//! - `contents`: what one of them has that the other lacks.
//! - `join`: one record with what both have.

mod annotations;
mod comment;
mod contents;
mod identity;
mod join;
mod tags;

#[cfg(test)]
mod tests;

pub use contents::{Comparison, compare};
pub use identity::{IDENTITY_BITS, Identities};
pub use join::{Priority, join};
pub use tags::is_unknown;
