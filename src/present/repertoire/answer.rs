//! All departures, summed up.

use std::ops::ControlFlow;

use serde::Serialize;

use super::DepartureRow;
use crate::{
    archive::{Archive, Filter},
    chess::Color,
    present::PresentError,
    query::{self, DepartureKind, Repertoire},
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

/// Which departures are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeparturesWanted {
    /// Only of this kind.
    pub kind: Option<DepartureKind>,
    /// Only those of so many games.
    pub least: u64,
    /// At most so many of each kind.
    pub most: Option<usize>,
}

impl RepertoireAnswer {
    /// Where the games that pass a filter leave a repertoire; `None` if whoever watches, who is told the number of games
    /// looked through, breaks off.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn new(
        archive: &Archive,
        repertoire: &Repertoire,
        filter: &Filter,
        wanted: DeparturesWanted,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<RepertoireAnswer>, PresentError> {
        let Some(found) = query::departures(archive, repertoire, filter, watch)? else { return Ok(None) };
        let count = |kind: DepartureKind| {
            found.sums.iter().filter(|sum| sum.kind == kind).map(|sum| sum.games.games()).sum()
        };
        let kinds = [DepartureKind::Reply, DepartureKind::Own, DepartureKind::End];
        let kinds = kinds.into_iter().filter(|kind| wanted.kind.is_none_or(|wanted| wanted == *kind));
        let rows = kinds.flat_map(|kind| {
            let of_kind =
                found.sums.iter().filter(move |sum| sum.kind == kind && sum.games.games() >= wanted.least);
            of_kind.take(wanted.most.unwrap_or(usize::MAX))
        });
        Ok(Some(RepertoireAnswer {
            owner: colour(repertoire.owner()),
            positions: repertoire.positions() as u64,
            games: found.games,
            reply: count(DepartureKind::Reply),
            own: count(DepartureKind::Own),
            end: count(DepartureKind::End),
            finished: count(DepartureKind::Finished),
            outside: found.outside,
            damaged: found.damaged,
            departures: rows.filter_map(|sum| DepartureRow::new(repertoire, sum)).collect(),
        }))
    }

    /// The departures of a kind.
    pub(super) fn of(&self, kind: DepartureKind) -> Vec<DepartureRow> {
        self.departures.iter().filter(|row| row.kind == kind).cloned().collect()
    }
}

fn colour(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}
