//! The report on the games that reach a position: their results by year, who plays it, and the best games.

use std::{cmp::Reverse, collections::BTreeMap, ops::ControlFlow};

use serde::Serialize;

use super::{
    profile::{NameTallies, NamedScore},
    results::Results,
};
use crate::{
    archive::{Archive, ArchiveError, Filter, PlayedGame},
    record::GameId,
    rules::Color,
};

/// Games read between two calls of a watch.
const GAMES: usize = 1 << 12;

/// The report on the games of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PositionReport {
    /// The mean number of plies.
    pub mean_plies: Option<f64>,
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
/// receives the number of games read, and may cancel; then the result is `None`.
///
/// # Errors
/// An SQLite error.
pub fn position_report(
    archive: &Archive,
    filter: &Filter,
    most: usize,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<PositionReport>, ArchiveError> {
    let (mut plies, mut read) = (0_u64, 0_u64);
    let mut years: BTreeMap<u16, Results> = BTreeMap::new();
    let mut players = <[NameTallies; 2]>::default();
    let mut best: Vec<(Reverse<u32>, GameId)> = Vec::new();
    for game in archive.list::<PlayedGame>(filter) {
        let game = game?;
        let facts = &game.facts;
        (plies, read) = (plies + u64::from(game.plies), read + 1);
        facts.year().into_iter().for_each(|year| years.entry(year).or_default().add(facts.result));
        players[0].add(game.white, &game, Color::White);
        players[1].add(game.black, &game, Color::Black);
        if let (Some(white), Some(black)) = (facts.white_elo, facts.black_elo) {
            best.push((Reverse(white.saturating_add(black)), facts.id));
        }
        if best.len() >= GAMES {
            keep(&mut best, most);
        }
        if read.is_multiple_of(GAMES as u64) && watch(read).is_break() {
            return Ok(None);
        }
    }
    keep(&mut best, most);
    let [white, black] = players.map(|of| of.most_games(archive, most));
    let year = |(year, results): (u16, Results)| YearResults { year, results: results.answer() };
    Ok(Some(PositionReport {
        mean_plies: (read > 0).then(|| plies as f64 / read as f64),
        years: years.into_iter().map(year).collect(),
        specialists_as_white: white?.1,
        specialists_as_black: black?.1,
        best_games: best.into_iter().map(|(_, id)| id).collect(),
    }))
}

/// Keeps the first few.
fn keep(best: &mut Vec<(Reverse<u32>, GameId)>, most: usize) {
    best.sort_unstable();
    best.truncate(most);
}
