//! The pairs of games that may be the same: those that share a key.
//!
//! Each game has a key for each of some of its positions, and a few keys of tags and an early position, for games that
//! follow a popular line. The keys of all games are sorted, so that games with the same key meet.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::tagged_game::TaggedGame;
use crate::{
    archive::{Filter, Result, Summary},
    bits::mix,
    player_name::SpokenName,
    query::{Context, in_batches},
    record::{GameId, StoredMoves},
};

/// The ids of two games, in ascending order.
pub(super) type GamePair = [GameId; 2];

/// Most keys in memory at the same time. If there are more, the games are replayed again for the others.
const MOST_KEYS: u64 = 8_000_000;
/// Keys of a game of usual length.
const KEYS_PER_GAME: u64 = 18;

/// The first ply whose position is a key, the plies up to which every fourth one is, and the distance after them.
const FIRST_PLY: usize = 8;
const EARLY_PLIES: usize = 40;
const DISTANCE: usize = 8;

/// Most plies that the shorter of two games has after their last common key: a distance, a transposition and a changed
/// ending. Early keys with tags serve short games too.
const LEFT: u16 = 24;
const LEFT_WITH_TAGS: u16 = 48;

/// Pairs after which repeated ones are dropped.
const MOST_REPEATED: usize = 1 << 21;

/// Most games with a common key; a key of more says little.
const MOST_GAMES: usize = 64;
/// A position that this many games reach is popular.
pub(super) const POPULAR: usize = 5;

/// The pairs that are worth a comparison, and what it needs.
#[derive(Default)]
pub(super) struct Candidates {
    /// Sorted.
    pub(super) pairs: Vec<GamePair>,
    pub(super) popular: Popular,
    /// Games that could not be replayed.
    pub(super) damaged: u64,
}

/// A key of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: u64,
    /// The plies of the game after the position, at most [`u16::MAX`].
    left: u16,
    game: GameId,
    tags: TagHashes,
}

/// Hashes of White, Black and the event; 0 for a name that is unknown or can be read in several ways.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TagHashes([u16; 3]);

impl TagHashes {
    fn of(game: &TaggedGame) -> TagHashes {
        let hash = |text: &str| text_key(0, text) as u16 | 1;
        let name = |name: &SpokenName| {
            let mut sounds = name.family_sounds();
            sounds.next().filter(|_| sounds.next().is_none()).map_or(0, hash)
        };
        let [white, black] = &game.players;
        TagHashes([name(white), name(black), hash(event(game))])
    }

    /// Whether at least one tag may be the same: no pair has three other ones.
    fn may_agree(self, other: TagHashes) -> bool {
        self.0.into_iter().zip(other.0).any(|(one, two)| one == two || one == 0 || two == 0)
    }
}

/// The keys of the positions that many games reach.
#[derive(Default)]
pub(super) struct Popular(HashSet<u64, RandomState>);

impl Popular {
    #[cfg(test)]
    pub(super) fn of(keys: impl Iterator<Item = u64>) -> Popular {
        Popular(keys.collect())
    }

    /// The last ply at which a position is popular. The first plies always are.
    pub(super) fn depth(&self, positions: &[u64]) -> usize {
        let popular = position_keys(positions).filter(|(_, key)| self.0.contains(key)).last();
        popular.map_or(FIRST_PLY.min(positions.len() - 1), |(ply, _)| ply)
    }
}

/// The plies of a game whose positions are keys, with the keys. They are odd, all others even.
pub(super) fn position_keys(positions: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    let early = (FIRST_PLY..EARLY_PLIES).step_by(4);
    let plies = early.chain((EARLY_PLIES..).step_by(DISTANCE));
    plies.map_while(|ply| positions.get(ply).map(|position| (ply, mix(position ^ mix(ply as u64)) | 1)))
}

/// Finds the candidates among all games.
pub(super) fn find(context: Context<'_>) -> Result<Candidates> {
    let passes = (context.archive.count()? * KEYS_PER_GAME).div_ceil(MOST_KEYS).max(1);
    let mut candidates = Candidates::default();
    for pass in 0..passes {
        let mut entries = Vec::new();
        candidates.damaged = 0;
        let work = |games: Vec<(Summary, Option<StoredMoves>)>| {
            let (mut keys, mut damaged) = (Vec::new(), 0);
            for (tags, moves) in games.into_iter().filter_map(|(tags, moves)| Some((tags, moves?))) {
                match TaggedGame::new(tags, &moves) {
                    Ok(game) => add_keys(&game, &mut keys),
                    Err(_) => damaged += 1,
                }
            }
            keys.retain(|entry: &Entry| entry.key / 2 % passes == pass);
            (keys, damaged)
        };
        let join = |(keys, damaged): (Vec<Entry>, u64)| {
            entries.extend(keys);
            candidates.damaged += damaged;
        };
        in_batches(context, context.archive.list(&Filter::default()), work, join)?;
        entries.par_sort_unstable();
        // Similar games have many common keys.
        let mut most = MOST_REPEATED;
        for group in entries.chunk_by(|one, two| one.key == two.key) {
            candidates.add_group(group);
            if candidates.pairs.len() > most {
                candidates.drop_repeated();
                most = MOST_REPEATED.max(2 * candidates.pairs.len());
            }
        }
        candidates.drop_repeated();
    }
    Ok(candidates)
}

impl Candidates {
    fn drop_repeated(&mut self) {
        self.pairs.par_sort_unstable();
        self.pairs.dedup();
    }

    /// Adds the pairs of games with the same key; the games near their ends come first.
    fn add_group(&mut self, group: &[Entry]) {
        let Some(first) = group.first() else { return };
        let is_position = first.key % 2 == 1;
        if is_position && group.len() >= POPULAR {
            self.popular.0.insert(first.key);
        }
        if group.len() > MOST_GAMES {
            return;
        }
        let left = if is_position { LEFT } else { LEFT_WITH_TAGS };
        for (at, one) in group.iter().enumerate().take_while(|(_, entry)| entry.left <= left) {
            let others = group.iter().skip(at + 1);
            let others = others.filter(|two| two.game != one.game && one.tags.may_agree(two.tags));
            self.pairs.extend(others.map(|two| [one.game.min(two.game), one.game.max(two.game)]));
        }
    }
}

/// Adds the keys of a game.
fn add_keys(game: &TaggedGame, keys: &mut Vec<Entry>) {
    let (last, tags) = (game.positions.len() - 1, TagHashes::of(game));
    let mut add = |ply: usize, key: u64| {
        let left = u16::try_from(last - ply).unwrap_or(u16::MAX);
        keys.push(Entry { key, left, game: game.tags.id, tags });
    };
    position_keys(&game.positions).for_each(|(ply, key)| add(ply, key));
    let mut add_with = |words: &[&str], ply: usize| {
        if let Some(position) = game.positions.get(ply) {
            add(ply, words.iter().fold(*position, |key, word| text_key(key, word)) & !1);
        }
    };
    let [white, black] = &game.players;
    for white in white.family_sounds() {
        for black in black.family_sounds() {
            add_with(&[white, black], 12);
            add_with(&[white, black, event(game)], 0);
        }
    }
    add_with(&[event(game)], FIRST_PLY);
}

fn event(game: &TaggedGame) -> &str {
    game.tags.event.as_deref().unwrap_or_default()
}

fn text_key(key: u64, text: &str) -> u64 {
    mix(text.bytes().fold(key, |key, byte| mix(key ^ u64::from(byte))))
}
