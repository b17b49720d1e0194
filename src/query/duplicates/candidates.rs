//! The pairs of games that may be the same: those that share a key.
//!
//! Each game has a key for each of some of its positions, and keys of an early position and what the tags say. The keys
//! of all games are sorted; games with the same key meet.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::tagged_game::TaggedGame;
use crate::{
    archive::{Filter, Result, Summary},
    bits::mix,
    query::{Context, in_batches},
    record::{GameId, StoredMoves},
};

/// The ids of two games, in ascending order.
pub(super) type GamePair = [GameId; 2];

/// Most keys in memory at the same time: 16 bytes each. If there are more, the games are replayed again for the others.
const MOST_KEYS: u64 = 10_000_000;
/// Keys of a game of usual length.
const KEYS_PER_GAME: u64 = 24;

/// The first and the last of the plies whose positions are keys at a distance of 4; later ones are at a distance of 8.
const FIRST_PLY: usize = 8;
const EARLY_PLIES: usize = 40;

/// Most plies that the shorter of two games has after a common key of a position: two distances and a changed ending.
const LEFT: u16 = 24;
/// The same for keys that have tags too.
const LEFT_WITH_TAGS: u16 = 48;

/// Most games with a common key; a key of more says little.
const MOST_GAMES: usize = 12;
const MOST_GAMES_WITH_TAGS: usize = 64;
/// A position that so many games reach is popular.
const POPULAR: usize = 5;

/// The pairs that are worth a comparison, and what it needs.
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
    /// The plies of the game after its position, at most [`u16::MAX`].
    left: u16,
    game: GameId,
}

/// The keys of the positions that many games reach.
#[derive(Default)]
pub(super) struct Popular(HashSet<u64, RandomState>);

impl Popular {
    pub(super) fn len(&self) -> usize { self.0.len() }

    /// The last ply of a game at which its position is popular. The first plies always are.
    pub(super) fn depth(&self, positions: &[u64]) -> usize {
        let plies = plies(positions.len() - 1).collect::<Vec<_>>();
        let popular = plies.into_iter().rev().find(|ply| self.0.contains(&position_key(positions, *ply)));
        popular.unwrap_or(0).max(FIRST_PLY.min(positions.len() - 1))
    }
}

/// The plies whose positions are keys, in a game of this length.
fn plies(last: usize) -> impl Iterator<Item = usize> {
    (FIRST_PLY..EARLY_PLIES).step_by(4).chain((EARLY_PLIES..=last).step_by(8)).take_while(move |ply| *ply <= last)
}

/// Keys of positions are odd, all others even.
fn position_key(positions: &[u64], ply: usize) -> u64 {
    mix(positions[ply] ^ mix(ply as u64)) | 1
}

/// Finds the candidates among all games.
pub(super) fn find(context: Context<'_>) -> Result<Candidates> {
    let passes = (context.archive.count()? * KEYS_PER_GAME).div_ceil(MOST_KEYS).max(1);
    let mut candidates = Candidates { pairs: Vec::new(), popular: Popular::default(), damaged: 0 };
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
        let t=std::time::Instant::now(); eprintln!("DBG entries {}", entries.len());
        entries.par_sort_unstable();eprintln!("DBG sort {:?}", t.elapsed());
        for group in entries.chunk_by(|one, two| one.key == two.key) {
            candidates.add_group(group);
        }
        let odd: usize = entries.chunk_by(|one, two| one.key == two.key).filter(|g| g.len() <= MOST_GAMES && g[0].key % 2 == 1).map(|g| g.iter().enumerate().filter(|(_, e)| e.left <= LEFT).map(|(i, _)| g.len() - 1 - i).sum::<usize>()).sum();
        let even: usize = entries.chunk_by(|one, two| one.key == two.key).filter(|g| g.len() <= MOST_GAMES && g[0].key % 2 == 0).map(|g| g.iter().enumerate().filter(|(_, e)| e.left <= LEFT_WITH_TAGS).map(|(i, _)| g.len() - 1 - i).sum::<usize>()).sum();
        eprintln!("DBG odd {odd} even {even} all {}", candidates.pairs.len());
        candidates.pairs.par_sort_unstable();
        candidates.pairs.dedup();
    }
    Ok(candidates)
}

impl Candidates {
    /// Adds the pairs of games with the same key; the games near their ends come first.
    fn add_group(&mut self, group: &[Entry]) {
        let Some(first) = group.first() else { return };
        let is_position = first.key % 2 == 1;
        if is_position && group.len() >= POPULAR {
            self.popular.0.insert(first.key);
        }
        let (most, left) = if is_position { (MOST_GAMES, LEFT) } else { (MOST_GAMES_WITH_TAGS, LEFT_WITH_TAGS) };
        if group.len() > most {
            return;
        }
        for (at, one) in group.iter().enumerate().take_while(|(_, entry)| entry.left <= left) {
            let others = group[at + 1..].iter().filter(|two| two.game != one.game);
            self.pairs.extend(others.map(|two| [one.game.min(two.game), one.game.max(two.game)]));
        }
    }
}

/// Adds the keys of a game.
fn add_keys(game: &TaggedGame, keys: &mut Vec<Entry>) {
    let last = game.positions.len() - 1;
    let mut add = |key, ply: usize| {
        let left = u16::try_from(last - ply).unwrap_or(u16::MAX);
        keys.push(Entry { key, left, game: game.tags.id });
    };
    plies(last).for_each(|ply| add(position_key(&game.positions, ply), ply));
    let mut add_with = |words: &[&str], ply: usize| {
        let ply = ply.min(last);
        // A game that ends earlier meets others by the keys without a position.
        add(words.iter().fold(game.positions[ply], |key, word| text_key(key, word)) & !1, ply);
    };
    let [white, black] = &game.players;
    let event = game.tags.event.as_deref().unwrap_or_default();
    for white in white.family_sounds() {
        for black in black.family_sounds() {
            add_with(&[white, black], 12);
            add_with(&[white, black, event], 0);
        }
    }
    add_with(&[event], 8);
}

fn text_key(key: u64, text: &str) -> u64 {
    mix(text.bytes().fold(key, |key, byte| mix(key ^ u64::from(byte))))
}
