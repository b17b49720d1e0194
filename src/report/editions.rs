//! The editions of an event: its games of one place and year.

use std::ops::ControlFlow;

use super::{
    crosstable::{Crosstable, CrosstableError, EventGames, event_games},
    results::Results,
};
use crate::{
    archive::{Archive, ArchiveError, Filter, NameKind},
    query::RatingSum,
};

/// An edition of an event.
#[derive(Debug)]
pub struct Edition {
    /// The site; of a URL, all but its last part.
    pub site: Option<String>,
    /// The year in which it began; `None` if it is unknown.
    pub year: Option<u16>,
    /// The number of players.
    pub players: usize,
    /// The results of its games.
    pub results: Results,
    /// The mean of all ratings that its games give.
    pub mean_rating: Option<i64>,
    /// The first and the last date, packed; `None` if no game gives one.
    pub dates: Option<(u32, u32)>,
    games: EventGames,
}

/// The editions of the events whose games match a filter, latest first; in a year, those with most games first. `watch` receives the number of games read, and may cancel; then the result is
/// `None`.
///
/// # Errors
/// An SQLite error.
pub fn editions(
    archive: &Archive,
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Edition>>, ArchiveError> {
    let Some(events) = event_games(archive, filter, |_| true, watch)? else { return Ok(None) };
    let mut editions =
        events.into_iter().map(|games| Edition::new(archive, games)).collect::<Result<Vec<_>, _>>()?;
    editions.sort_by_key(|edition| std::cmp::Reverse((edition.year, edition.results.counts.games)));
    Ok(Some(editions))
}

impl Edition {
    fn new(archive: &Archive, games: EventGames) -> Result<Edition, ArchiveError> {
        let (mut results, mut ratings) = (Results::default(), RatingSum::default());
        for game in &games.games {
            results.add(game.facts.result);
            ratings.add(game.facts.white_elo);
            ratings.add(game.facts.black_elo);
        }
        let dates = || games.games.iter().map(|game| game.facts.date).filter(|date| *date > 0);
        let site = games.site.map(|id| archive.names().of(NameKind::Site, id)).transpose()?.flatten();
        Ok(Edition {
            site,
            year: games.year,
            players: games.players().iter().flatten().count(),
            results: results.answer(),
            mean_rating: ratings.mean(),
            dates: dates().min().zip(dates().max()),
            games,
        })
    }

    /// Its crosstable, without games of a name against itself; `None` if it has more than `most` players.
    ///
    /// # Errors
    /// An SQLite error.
    pub fn crosstable(mut self, archive: &Archive, most: usize) -> Result<Option<Crosstable>, ArchiveError> {
        self.games.games.retain(|game| game.white != game.black);
        match Crosstable::new(archive, self.games, most) {
            Ok(table) => Ok(Some(table)),
            Err(CrosstableError::Archive(error)) => Err(error),
            Err(CrosstableError::Players { .. } | CrosstableError::Events(_)) => Ok(None),
        }
    }

    /// The ids of its games.
    pub fn ids(&self) -> impl Iterator<Item = crate::record::GameId> {
        self.games.games.iter().map(|game| game.facts.id)
    }
}
