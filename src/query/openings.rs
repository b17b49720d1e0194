//! The openings of games: by the index or, for games that are not indexed, by a replay.

use std::{cmp::Reverse, collections::HashSet};

use super::{Context, GameSums, batches::in_batches, find::all, opening_of};
use crate::{
    archive::{Archive, CountedName, Filter, GameSet, PlayedGame, Result, Sort, Summary},
    openings::{OpeningId, Openings},
    record::{GameId, GameMetadata, StoredMoves},
};

/// The games of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningCount {
    /// The opening; `None` for games without a named position.
    pub opening: Option<OpeningId>,
    /// The results of its games.
    pub sums: GameSums,
}

/// The openings of the chess games that match a filter, each game under [its last name](opening_of): most games first,
/// then in the order of the table. Games that are not indexed are replayed on all cores. Damaged games are skipped.
///
/// The watch receives the number of games replayed.
pub fn opening_counts(context: Context<'_>, filter: &Filter) -> Result<Vec<OpeningCount>> {
    context.or_without_index(|context| {
        let mut sums = Sums::default();
        each_opening(context, filter, |facts, opening| {
            opening.into_iter().for_each(|opening| sums.of(opening).add(facts));
        })?;
        Ok(sums.counts())
    })
}

/// Calls a function with each game that matches a filter, in any order, and with [its last name](opening_of), which is
/// `None` if the game is not chess or damaged. The index has most names; the other games are replayed on all cores.
///
/// The watch receives the number of games replayed.
pub fn each_opening(
    context: Context<'_>,
    filter: &Filter,
    mut each: impl FnMut(&GameMetadata, Option<Option<OpeningId>>),
) -> Result<()> {
    let archive = context.archive;
    let replayed = match context.index {
        None => vec![filter.clone()],
        Some(index) => {
            let all = without_order(archive, filter)?;
            index.for_each_opening(archive, &all, |opening, facts| each(facts, Some(opening)))?;
            index.nameless(archive, &all)?
        }
    };
    let work = |games: Vec<(PlayedGame, Option<StoredMoves>)>| {
        let opening = |moves: Option<StoredMoves>| moves.and_then(|moves| opening_of(&moves).ok());
        games.into_iter().map(|(game, moves)| (game.facts, opening(moves))).collect::<Vec<_>>()
    };
    let games = replayed.iter().flat_map(|filter| archive.list(filter));
    let join = |named: Vec<_>| named.iter().for_each(|(facts, opening)| each(facts, *opening));
    in_batches(context, games, work, join)
}

/// The games of some openings with their years, each game under [its last name](opening_of); `None` if that requires
/// reading games, which takes too long for a suggestion. The name is left empty.
pub fn known_opening_games(context: Context<'_>, openings: &[OpeningId]) -> Result<Option<CountedName>> {
    let (archive, all) = (context.archive, Filter::default());
    let Some(index) = context.index else { return Ok(None) };
    if !index.nameless(archive, &all)?.is_empty() {
        return Ok(None);
    }
    let openings: HashSet<OpeningId> = openings.iter().copied().collect();
    let mut counted = CountedName::default();
    index.for_each_opening(archive, &all, |opening, facts| {
        if opening.is_some_and(|opening| openings.contains(&opening)) {
            counted.add(facts.date.year());
        }
    })?;
    Ok(Some(counted))
}

/// The games that match the conditions of a filter and have [their last name](opening_of) among some openings,
/// regardless of order, limit and offset. Games that are not indexed are replayed on all cores. Damaged games are
/// skipped.
///
/// The watch receives the number of games replayed.
pub fn games_with_opening(context: Context<'_>, openings: &[OpeningId], filter: &Filter) -> Result<GameSet> {
    let (archive, all) = (context.archive, all(filter));
    let (mut ids, nameless) = context.or_without_index(|context| {
        let Some(index) = context.index else { return Ok((Vec::new(), vec![all.clone()])) };
        Ok((index.games_with_opening(archive, openings, &all)?, index.nameless(archive, &all)?))
    })?;
    let openings: HashSet<OpeningId> = openings.iter().copied().collect();
    let is_meant = |game: &&StoredMoves| matches!(opening_of(game), Ok(Some(id)) if openings.contains(&id));
    let work = |games: Vec<StoredMoves>| -> Vec<GameId> {
        games.iter().filter(is_meant).map(|game| game.id).collect()
    };
    let games = nameless.iter().flat_map(|filter| archive.moves(filter));
    in_batches(context, games, work, |found| ids.extend(found))?;
    Ok(ids.into_iter().collect())
}

/// A game with the opening of its last named position; `None` if no position has a name, or the game is damaged.
type WithOpening = Result<(Summary, Option<OpeningId>)>;

/// The games that match a filter, in its order, each with its opening. Games that are not indexed are replayed.
pub fn openings_of_games<'a>(
    context: Context<'a>,
    filter: &Filter,
) -> Result<Box<dyn Iterator<Item = WithOpening> + 'a>> {
    let archive = context.archive;
    let replayed = |moves: Option<StoredMoves>| moves.and_then(|moves| opening_of(&moves).ok()?);
    let Some(index) = context.index else {
        let games = archive.list::<(Summary, Option<StoredMoves>)>(filter);
        return Ok(Box::new(games.map(move |game| game.map(|(summary, moves)| (summary, replayed(moves))))));
    };
    let known = index.known_openings(archive)?;
    Ok(Box::new(archive.list::<Summary>(filter).map(move |game| {
        let game = game?;
        let opening = match known.of(game.id) {
            Some(opening) => opening,
            None => replayed(archive.moves_of(game.id)?),
        };
        Ok((game, opening))
    })))
}

/// A filter for the same games that can be evaluated in any order and in parts.
fn without_order(archive: &Archive, filter: &Filter) -> Result<Filter> {
    if filter.limit.is_none() && filter.offset == 0 {
        return Ok(Filter { sort: Sort::Id, descending: false, ..filter.clone() });
    }
    Ok(Filter { among: Some(archive.list::<GameId>(filter).collect::<Result<_, _>>()?), ..Filter::default() })
}

/// By the index of the opening in the table.
#[derive(Default)]
struct Sums {
    named: Vec<GameSums>,
    nameless: GameSums,
}

impl Sums {
    fn of(&mut self, opening: Option<OpeningId>) -> &mut GameSums {
        let Some(OpeningId(place)) = opening else { return &mut self.nameless };
        if self.named.is_empty() {
            self.named.resize(Openings::standard().iter().count(), GameSums::default());
        }
        // Every id is an index of the table.
        self.named.get_mut(usize::from(place)).unwrap_or(&mut self.nameless)
    }

    fn counts(self) -> Vec<OpeningCount> {
        let named = (0..).map(OpeningId).map(Some).zip(self.named);
        let all = named.chain([(None, self.nameless)]).filter(|(_, sums)| sums.games() > 0);
        let mut counts: Vec<_> = all.map(|(opening, sums)| OpeningCount { opening, sums }).collect();
        counts.sort_by_key(|count| Reverse(count.sums.games()));
        counts
    }
}
