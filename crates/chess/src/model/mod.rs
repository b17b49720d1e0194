//! A model of how people play: from a position and the moves before it, it gives each legal move a weight, in integers
//! that are the same on every machine.
//!
//! The score of a move is the sum of a small network's output and of weights in tables. The tables are addressed by facts
//! about the move: what it attacks, defends and leaves hanging, and what was played before.

mod common;
mod end;
mod facts;
mod file;
mod history;
mod inputs;
mod move_id;
mod network;
mod observer;
mod per_square;
mod predictor;
mod shipped;
mod squares;
mod tables;
#[cfg(test)]
mod tests;
mod view;
mod weights;

pub use end::EndFeatures;
pub use network::WIDTH;
pub use observer::{MoveFeatures, Observer, PositionFeatures};
pub use predictor::{Model, Predictor};

/// The shapes of a model's parts, for training.
pub mod shape {
    pub use super::tables::NAMES as TABLES;
    use super::{WIDTH, end, inputs, move_id, tables};
    pub use crate::rules::RESULTS;

    /// The number of input rows of the network.
    pub const ROWS: usize = inputs::ROWS;
    /// The number and the length of the rows of moves, of exchanges, and of targets relative to the opponent's last
    /// target.
    pub const MOVE_ROWS: [[usize; 2]; 3] =
        [[move_id::MOVES, 2 * WIDTH], [tables::EXCHANGES, WIDTH], [tables::LAST_OFFSETS, WIDTH]];
    /// The number of weights for the end of a game, and of situations for its result.
    pub const END: [usize; 2] = [end::WEIGHTS, end::RESULT_CONTEXTS];

    /// The number of contexts that are addressed by a hash; they are the last tables.
    pub const HASHED: usize = tables::HASHED_CONTEXTS;

    /// The number of weights in each table: those of facts, then those of contexts.
    pub fn tables() -> Vec<usize> {
        let contexts = tables::CONTEXTS.map(|lines| lines * tables::LINE);
        [tables::SIZES, &contexts].concat()
    }
}
