//! The fences of the code: who may import whom, and the licences of what it is built with.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod layers;
mod licences;
