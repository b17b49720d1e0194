//! The two indexes of an archive: which games reach a position, and what happens in each game. Both are encoded, built
//! and read here; the archive stores the bytes.

pub mod position_index;
pub mod trail;
