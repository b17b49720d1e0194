//! Positions of chess and its variants, the canonical order of their legal moves, and the encodings of games that
//! archives store.
//!
//! This crate opens no files. Without the feature `zstd` it contains no C code.

pub mod bits;
pub mod case_fold;
pub mod chess;
pub mod chess_rules;
pub mod codec;
pub mod counts;
pub mod limits;
pub mod model;
pub mod name_pattern;
pub mod name_start;
pub mod near_name;
pub mod openings;
pub mod player_name;
pub mod rules;
