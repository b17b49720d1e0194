//! Where games leave a repertoire: summarized, and game by game.

mod answer;
mod by_game;
mod row;
mod text;

pub use answer::RepertoireAnswer;
pub use by_game::DeparturesList;
pub use row::DepartureRow;
