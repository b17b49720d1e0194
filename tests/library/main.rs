//! Tests of the library from outside: reading, storing, searching and printing.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../crates/chessbase/tests/chessbase/base.rs"]
mod base;
#[path = "../common/mod.rs"]
mod common;
#[path = "../index_support/mod.rs"]
mod index_support;
#[path = "../pgn_support/mod.rs"]
mod pgn_support;
#[path = "../../crates/xelto/tests/xelto/random.rs"]
mod random;
#[path = "../regressions_support/mod.rs"]
mod regressions_support;
#[path = "../scid_support/mod.rs"]
mod scid_support;

mod annotate;
mod annotation_codec;
mod archives;
mod book;
mod brute_force;
mod checked;
mod chessbase;
mod codecs_cli;
mod comments;
mod conditions;
mod damaged_index;
mod edit;
mod explore;
mod fidelity;
mod former_values;
mod index;
mod indexing;
mod lines;
mod long_comments;
mod malformed;
mod move_bits;
mod novelty;
mod opening_index;
mod opening_of;
mod openings;
mod packed;
mod parts;
mod path_bounds;
mod paths;
mod position_index;
mod present;
mod python_chess;
mod query;
mod recompress;
mod regressions;
mod repertoire;
mod report;
mod right_values;
mod scid;
mod sources;
mod sql;
mod stored_codecs;
mod surprise;
mod unconfirmed;
mod xelto_archive;
