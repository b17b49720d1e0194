//! Every encoding of games and positions passes the same tests, and its bytes never change.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../tests/codec_support/mod.rs"]
mod codec_support;
#[path = "../../../../tests/common/needs.rs"]
mod needs;

mod conformance;
mod golden_codecs;
