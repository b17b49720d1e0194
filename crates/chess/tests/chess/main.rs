//! The tests of this member from outside.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod index_codec;
mod move_order;
