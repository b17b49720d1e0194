//! All departures from a repertoire, summarized.

use serde::Serialize;

use super::DepartureRow;
use crate::{
    chess::Color,
    query::{DepartureKind, Departures, DeparturesWanted, Repertoire},
};

/// Where games leave a repertoire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepertoireAnswer {
    /// The side that it is for: `white` or `black`.
    pub owner: &'static str,
    /// The number of different positions in its lines.
    pub positions: u64,
    /// The number of games compared.
    pub games: u64,
    /// Games that left it by a move of the opponent.
    pub reply: u64,
    /// Games that left it by a move of the repertoire's side.
    pub own: u64,
    /// Games that continued beyond the end of a line.
    pub end: u64,
    /// Games that ended in it.
    pub finished: u64,
    /// Games without any position of it.
    pub outside: u64,
    /// Games that could not be replayed, and were skipped.
    pub damaged: u64,
    /// Where and how they left it, most games first.
    pub departures: Vec<DepartureRow>,
}

impl RepertoireAnswer {
    /// The requested departures.
    pub fn new(repertoire: &Repertoire, found: &Departures, wanted: DeparturesWanted) -> RepertoireAnswer {
        RepertoireAnswer {
            owner: colour(repertoire.owner()),
            positions: repertoire.positions() as u64,
            games: found.games,
            reply: found.games_of(DepartureKind::Reply),
            own: found.games_of(DepartureKind::Own),
            end: found.games_of(DepartureKind::End),
            finished: found.games_of(DepartureKind::Finished),
            outside: found.outside,
            damaged: found.damaged,
            departures: found.chosen(wanted).filter_map(|sum| DepartureRow::new(repertoire, sum)).collect(),
        }
    }

    /// The departures of a kind.
    pub(super) fn of(&self, kind: DepartureKind) -> Vec<DepartureRow> {
        self.departures.iter().filter(|row| row.kind == kind).cloned().collect()
    }
}

fn colour(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}
