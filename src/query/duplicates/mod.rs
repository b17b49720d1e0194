//! Near duplicates: games that are probably the same game, stored twice with small differences.
//!
//! All games are replayed once. [`candidates`] finds the pairs that have a position late in the shorter game in common,
//! or a position, a player and little more; a pair of all games would be too many. Then [`weigh`] decides on each of
//! them with the positions and the tags of both games.

mod candidates;
mod course;
mod date;
mod tagged_game;
mod weigh;

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use self::{
    candidates::{Candidates, GamePair},
    tagged_game::TaggedGames,
    weigh::weigh,
};
use super::Context;
use crate::{
    archive::{Filter, Result},
    record::GameId,
};

/// How the games of a pair differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// The name of a player.
    Names,
    /// One game is the beginning of the other.
    Shorter,
    /// The last plies.
    Ending,
    /// The order of two moves, in one place.
    Transposed,
    /// The date.
    Date,
    /// The result.
    Result,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The round.
    Round,
    /// Other tag pairs or annotations alone.
    Other,
}

impl Difference {
    /// The word for it in lists and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Difference::Names => "names",
            Difference::Shorter => "shorter",
            Difference::Ending => "ending",
            Difference::Transposed => "transposed",
            Difference::Date => "date",
            Difference::Result => "result",
            Difference::Event => "event",
            Difference::Site => "site",
            Difference::Round => "round",
            Difference::Other => "other",
        }
    }
}

/// Two games that are probably the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearDuplicate {
    /// Their ids, in ascending order.
    pub games: [GameId; 2],
    /// How they differ; at least one entry, in ascending order.
    pub differences: Vec<Difference>,
    /// The ply up to which they reach the same positions, apart from two moves in another order.
    pub shared_plies: usize,
    /// How far the evidence exceeds what is required; 0 is barely enough.
    pub certainty: i32,
}

/// The near duplicates of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearDuplicates {
    /// In the order of their ids.
    pub pairs: Vec<NearDuplicate>,
    /// Games that are damaged, and were not compared.
    pub damaged: u64,
}

/// Which pairs are found: somebody may have marked some as different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// Those without a mark.
    Left,
    /// Only those with a mark.
    Only,
}

/// Finds the pairs of chess games that are nearly the same, if at least one of them matches a filter: in the order of
/// the games that match, within the limit and the offset, which count pairs. The result does not depend on the number of
/// threads. The index is not used. Without a snapshot of the archive, writers do not wait, and a game that is changed
/// meanwhile is compared as it is when it is read.
///
/// The watch receives the number of games replayed.
pub fn near_duplicates(context: Context<'_>, filter: &Filter, marked: Marked) -> Result<NearDuplicates> {
    let Candidates { mut pairs, popular, damaged } = candidates::find(context)?;
    let matching = matching(context, &Filter { limit: None, offset: 0, ..filter.clone() })?;
    let place = |games: &GamePair| match &matching {
        Some(places) => games.iter().filter_map(|game| places.get(game).copied()).min(),
        None => Some(0),
    };
    let different = context.archive.different_games()?;
    pairs.retain(|pair| place(pair).is_some() && different.has(*pair) == (marked == Marked::Only));
    let mut found: Vec<NearDuplicate> = Vec::new();
    let mut rest = pairs.as_slice();
    while !rest.is_empty() {
        let (games, size) = TaggedGames::of_first(context, rest)?;
        let (these, others) = rest.split_at(size);
        found.par_extend(these.par_iter().filter_map(|pair| weigh(games.pair(*pair)?, &popular)));
        rest = others;
    }
    found.sort_by_key(|pair| place(&pair.games));
    let limit = filter.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let offset = usize::try_from(filter.offset).unwrap_or(usize::MAX);
    Ok(NearDuplicates { pairs: found.into_iter().skip(offset).take(limit).collect(), damaged })
}

/// The games that match a filter, with their places in its order; `None` if this is every game in the order of the ids.
fn matching(context: Context<'_>, filter: &Filter) -> Result<Option<HashMap<GameId, u32>>> {
    if *filter == Filter::default() {
        return Ok(None);
    }
    let games = (0..).zip(context.archive.list::<GameId>(filter));
    games.map(|(place, id)| Ok((id?, place))).collect::<Result<_>>().map(Some)
}

#[cfg(test)]
mod tests;
