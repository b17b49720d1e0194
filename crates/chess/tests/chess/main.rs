//! The order of legal moves, and the integer of a game, against values made by other means.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod index_codec;
mod move_order;
