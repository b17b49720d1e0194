//! Shortest games, compared with known ones and with a search of all games.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod path;
