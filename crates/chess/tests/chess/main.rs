//! The order of legal moves and the integer of a game, compared with values computed by an independent program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod index_codec;
mod model_codec;
mod move_order;
