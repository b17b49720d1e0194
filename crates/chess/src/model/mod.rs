//! A model of how people play: from a position and the moves before it, it gives each legal move a weight, in integers
//! that are the same on every machine.
//!
//! A small network looks at the whole position, and tables of facts about each move correct it. What a move
//! attacks, defends and leaves hanging says more than the network alone; both together say most.

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
mod squares;
mod tables;
#[cfg(test)]
mod tests;
mod view;
mod weights;

pub use end::EndFeatures;
pub use file::DamagedModel;
pub use network::WIDTH;
pub use observer::{MoveFeatures, Observer, PositionFeatures};
pub use predictor::{Model, Predictor};

/// The shapes of a model's parts, for training.
pub mod shape {
    pub use super::end::RESULTS;
    pub use super::tables::NAMES as TABLES;
    use super::{WIDTH, end, inputs, move_id, tables};

    /// The rows of the side to move.
    pub const TURN_ROWS: [u16; 2] = [inputs::TURN as u16, inputs::TURN as u16 + 1];
    /// Rows of the network's inputs.
    pub const ROWS: usize = inputs::ROWS;
    /// Rows of the moves, of exchanges, and of offsets from the last target, with the length of each.
    pub const MOVE_ROWS: [[usize; 2]; 3] =
        [[move_id::MOVES, 2 * WIDTH], [tables::EXCHANGES, WIDTH], [tables::LAST_OFFSETS, WIDTH]];
    /// The weights for the end of a game, and the situations for its result.
    pub const END: [usize; 2] = [end::WEIGHTS, end::RESULT_CONTEXTS];

    /// The number of tables at the end that are hashed contexts.
    pub const HASHED: usize = tables::HASHED_CONTEXTS;

    /// The number of weights in each table: those of facts, then those of contexts.
    pub fn tables() -> Vec<usize> {
        let contexts = tables::CONTEXTS.map(|lines| lines * tables::LINE);
        [tables::SIZES, &contexts].concat()
    }
}
