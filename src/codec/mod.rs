//! The encodings of games and positions: one file an encoding, one trait and one list a kind.

pub use plybook_chess::codec::*;

pub mod position;
pub mod xelto;
