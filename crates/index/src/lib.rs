//! The two indexes of an archive, as bytes: which games reach a position, and what happens in each game.
//!
//! Both are built here and read here; where the bytes are kept is the archive's matter.

pub mod position_index;
pub mod trail;
