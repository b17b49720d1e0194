//! Positions of chess and its variants, the order of their legal moves, and the encodings of games that archives store.
//!
//! Nothing here opens a file. Without the feature `zstd` nothing is written in C either.

pub mod bits;
pub mod case_fold;
pub mod chess;
pub mod codec;
pub mod counts;
pub mod limits;
pub mod name_pattern;
pub mod near_name;
pub mod openings;
pub mod player_name;
pub mod rules;
