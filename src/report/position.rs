//! The report on the games that reach a position: their results by year, who plays it, and the best games.

use std::{cmp::Reverse, collections::BTreeMap, ops::ControlFlow};

use serde::Serialize;

use super::{
    profile::{NameTallies, NamedScore},
    results::Results,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    query::{NamedGame, PositionIndex, Top, each_game},
    record::GameId,
    rules::Color,
};

/// The report on the games of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PositionReport {
    /// By year, earliest first; games without a year are omitted.
    pub years: Vec<YearResults>,
    /// The players with the most games as White.
    pub specialists_as_white: Vec<NamedScore>,
    /// The players with the most games as Black.
    pub specialists_as_black: Vec<NamedScore>,
    /// The games with the highest sum of ratings.
    pub best_games: Vec<GameId>,
}

/// The games of a year.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct YearResults {
    /// The year.
    pub year: u16,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

/// The report on the games that match a filter, with at most `most` specialists of each colour and games. `watch`
/// receives the number of games read from the archive, because the index does not have them, and may cancel; then the
/// result is `None`.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn position_report(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    most: usize,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<PositionReport>, ArchiveError> {
    let tally = PositionIndex::or_without(index, |index| {
        let mut tally = Tally { years: BTreeMap::new(), players: Default::default(), best: Top::new(most) };
        let add = &mut |game: &NamedGame| tally.add(game);
        Ok(each_game(archive, index, filter, &mut watch, add)?.then_some(tally))
    })?;
    let Some(Tally { years, players, best }) = tally else { return Ok(None) };
    let [white, black] = players.map(|of| of.most_games(archive, most));
    let year = |(year, results): (u16, Results)| YearResults { year, results: results.answer() };
    Ok(Some(PositionReport {
        years: years.into_iter().map(year).collect(),
        specialists_as_white: white?.1,
        specialists_as_black: black?.1,
        best_games: best.values().iter().map(|(_, Reverse(id))| *id).collect(),
    }))
}

/// The games read so far.
struct Tally {
    years: BTreeMap<u16, Results>,
    players: [NameTallies; 2],
    best: Top<(u32, Reverse<GameId>)>,
}

impl Tally {
    fn add(&mut self, game: &NamedGame) {
        let facts = &game.facts;
        facts.year().into_iter().for_each(|year| self.years.entry(year).or_default().add(facts.result));
        self.players[0].add(game.white, facts, Color::White);
        self.players[1].add(game.black, facts, Color::Black);
        if let (Some(white), Some(black)) = (facts.white_elo, facts.black_elo) {
            self.best.offer((white.saturating_add(black), Reverse(facts.id)));
        }
    }
}
