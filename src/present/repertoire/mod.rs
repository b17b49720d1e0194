//! Where games leave a repertoire: summed up, and game by game.

mod answer;
mod by_game;
mod row;
mod text;

pub use answer::{DeparturesWanted, RepertoireAnswer};
pub use by_game::{GameDeparture, write_game_departures};
pub use row::DepartureRow;
