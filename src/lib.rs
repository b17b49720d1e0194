//! plybook keeps chess games: each game is one integer (the indices of its moves among the legal moves, in
//! mixed radix, closed by an End marker), stored in a SQLite file, and any position of any game is given
//! back at once.

pub mod bits;
pub mod chess;
pub mod codec;
pub mod limits;
pub mod path;
pub mod rules;
