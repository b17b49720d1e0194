//! A player's own lines, and where games leave them.
//!
//! The lines are a set of positions, each with the moves that a line plays there; a game is in them as long as it is at one
//! of these positions, by whatever order of moves it came there.

mod book;
mod departure;
mod departures;

pub use book::{Repertoire, RepertoireError};
pub use departure::{Departure, DepartureKind};
pub use departures::{DepartureSums, Departures, DeparturesWanted, departures, each_departure};
