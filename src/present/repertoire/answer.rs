//! All departures, summed up.

use serde::Serialize;

use super::DepartureRow;
use crate::{
    chess::Color,
    query::{DepartureKind, Departures, DeparturesWanted, Repertoire},
};

/// Where games leave a repertoire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepertoireAnswer {
    /// Whose it is: `white` or `black`.
    pub owner: &'static str,
    /// Different positions of its lines.
    pub positions: u64,
    /// Games that were compared.
    pub games: u64,
    /// Those that the other side led out of it.
    pub reply: u64,
    /// Those that the owner's side led out of it.
    pub own: u64,
    /// Those that went on where a line ends.
    pub end: u64,
    /// Those that ended in it.
    pub finished: u64,
    /// Those of which no position is in it.
    pub outside: u64,
    /// Games that could not be replayed, and were passed over.
    pub damaged: u64,
    /// Where and how they left it, most games first.
    pub departures: Vec<DepartureRow>,
}

impl RepertoireAnswer {
    /// Of what games do, those departures that are wanted.
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
