//! Games one by one: those that match a filter, and those that played a move in a position.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use super::{
    Context, Results,
    explore::{Search, scan_each},
    find::all,
};
use crate::{
    archive::{Filter, GamePlies, Listed, PlayedGame, Result},
    chess::VariantPosition,
    record::GameMetadata,
};

/// Games read from the archive between two calls of a watch.
const GAMES: u64 = 1 << 12;

/// The statistics of a game and the ids of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedGame {
    /// Number, result, ratings, date.
    pub facts: GameMetadata,
    /// White.
    pub white: Option<i64>,
    /// Black.
    pub black: Option<i64>,
}

/// Calls a function with the games that match the conditions of a filter, in any order; its order, limit and offset are
/// ignored. The index has most games; the others are read from the archive.
///
/// `watch` receives the number of games read from the archive, and may cancel.
pub fn each_game(context: Context<'_>, filter: &Filter, each: &mut dyn FnMut(&NamedGame)) -> Result<()> {
    let (archive, filter) = (context.archive, all(filter));
    // Names have other ids in each of several archives.
    let rest = match context.index.filter(|_| archive.is_one()) {
        Some(index) => index.for_each_game(archive, &filter, each)?,
        None => vec![filter],
    };
    read_each(context, rest, |PlayedGame { facts, white, black, .. }| {
        each(&NamedGame { facts, white, black })
    })
}

/// The same with the lengths of the games.
pub fn each_length(context: Context<'_>, filter: &Filter, each: &mut dyn FnMut(GamePlies)) -> Result<()> {
    let filter = all(filter);
    let rest = match context.index {
        Some(index) => index.for_each_length(context.archive, &filter, each)?,
        None => vec![filter],
    };
    read_each(context, rest, each)
}

/// Reads games from the archive.
fn read_each<T: Listed>(context: Context<'_>, filters: Vec<Filter>, mut each: impl FnMut(T)) -> Result<()> {
    let mut read = 0_u64;
    for filter in filters {
        for game in context.archive.list::<T>(&filter) {
            each(game?);
            read += 1;
            if read.is_multiple_of(GAMES) {
                context.seen(read)?;
            }
        }
    }
    Ok(())
}

/// Calls a function with the games that match the conditions of a filter and played a move in a position, in any order:
/// each once, with the index among the legal moves of the last move it played there. Games of standard chess and of
/// Chess960 count together. The index answers for chess; other games, and games that are not indexed yet, are replayed.
///
/// `watch` receives the number of games replayed, and may cancel. Returns whether it was completed. Damaged games are
/// skipped.
pub fn each_played(
    context: Context<'_>,
    position: &VariantPosition,
    filter: &Filter,
    each: &mut dyn FnMut(&GameMetadata, u16),
) -> Result<()> {
    match (context.index, position) {
        (Some(index), VariantPosition::Chess(_)) => index.each_played(context, position, filter, each),
        _ => {
            let search = Search::new(std::slice::from_ref(position));
            scan_each(context, &search, std::slice::from_ref(filter), each)
        }
    }
}

/// The results, by year, of the games that match a filter and continued from a position; games of unknown year are
/// omitted. `None` if `watch` cancelled it, as in [`each_played`].
pub fn years_of(
    context: Context<'_>,
    position: &VariantPosition,
    filter: &Filter,
) -> Result<BTreeMap<u16, Results>> {
    context.or_without_index(|context| {
        let mut years: HashMap<u16, Results, RandomState> = HashMap::default();
        each_played(context, position, filter, &mut |game, _| {
            game.date.year().into_iter().for_each(|year| years.entry(year).or_default().add(game.result));
        })?;
        Ok(years.into_iter().collect())
    })
}
