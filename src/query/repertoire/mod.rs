//! A player's repertoire, and where games leave it.
//!
//! A repertoire is a set of positions, each with the moves that a line plays there. A game is in the repertoire as long
//! as it is at one of these positions, whatever its move order.

mod book;
mod departures;

pub use book::{Departure, DepartureKind, Repertoire, RepertoireError};
pub use departures::{DepartureSums, Departures, DeparturesWanted, departures, each_departure};
