//! Near duplicates to be resolved: which games are the same, and which of them is kept.

use std::{cmp::Reverse, collections::HashMap, mem, str::FromStr};

use crate::{
    archive::{Archive, ArchiveError, DifferentGames, Filter},
    record::{GameId, StoredGame, same_game::is_unknown},
};

/// Which of several games that are the same is kept; of equal ones the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The one with most plies; of these, with most bytes of annotations, then with most known tags.
    Richer,
    /// The one with the lowest id.
    First,
    /// The one with most plies.
    Longest,
}

/// Games that are the same, as far as pairs say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SameGames {
    /// Games that pairs connect: at least two, in ascending order.
    pub groups: Vec<Vec<GameId>>,
    /// Pairs that would connect games that are marked as different; they connect nothing.
    pub apart: Vec<[GameId; 2]>,
}

/// A game that is kept of several that are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// The game.
    pub id: GameId,
    /// The others, in ascending order.
    pub others: Vec<GameId>,
}

impl KeptGame {
    /// The ids of all the games.
    pub fn all(&self) -> Vec<GameId> {
        [self.id].into_iter().chain(self.others.iter().copied()).collect()
    }
}

impl SameGames {
    /// The games that some pairs connect.
    pub fn of(pairs: &[[GameId; 2]], different: &DifferentGames) -> SameGames {
        let (mut groups, mut apart) = (Vec::<Vec<GameId>>::new(), Vec::new());
        let mut group_of: HashMap<GameId, usize> = HashMap::new();
        for pair in pairs {
            let mut places = pair.map(|game| {
                *group_of.entry(game).or_insert_with(|| {
                    groups.push(vec![game]);
                    groups.len() - 1
                })
            });
            places.sort_by_key(|place| groups[*place].len());
            let [smaller, larger] = places;
            let is_different =
                |game: &GameId| groups[larger].iter().any(|other| different.has([*game, *other]));
            if smaller == larger {
                continue;
            }
            if groups[smaller].iter().any(is_different) {
                apart.push(*pair);
                continue;
            }
            let moved = mem::take(&mut groups[smaller]);
            group_of.extend(moved.iter().map(|game| (*game, larger)));
            groups[larger].extend(moved);
        }
        groups.retain(|group| group.len() > 1);
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        SameGames { groups, apart }
    }

    /// Which game of each group is kept.
    ///
    /// # Errors
    /// One of the games is damaged; errors of SQLite.
    pub fn kept(&self, archive: &Archive, keep: Keep) -> Result<Vec<KeptGame>, ArchiveError> {
        let among = Some(self.groups.iter().flatten().copied().collect());
        let games = archive.games(&Filter { among, ..Filter::default() });
        let worth = games.map(|game| game.map(|game| (game.id, keep.worth(&game))));
        let worth: HashMap<GameId, [usize; 3]> = worth.collect::<Result<_, _>>()?;
        let kept = |group: &Vec<GameId>| {
            let id = *group.iter().max_by_key(|id| (worth.get(id), Reverse(**id)))?;
            Some(KeptGame { id, others: group.iter().copied().filter(|other| *other != id).collect() })
        };
        Ok(self.groups.iter().filter_map(kept).collect())
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Keep, String> {
        match text {
            "richer" => Ok(Keep::Richer),
            "first" => Ok(Keep::First),
            "longest" => Ok(Keep::Longest),
            _ => Err("expected richer, first or longest".to_owned()),
        }
    }
}

impl Keep {
    /// How much a game says, in the order of importance.
    fn worth(self, game: &StoredGame) -> [usize; 3] {
        let known = game.tags.iter().filter(|(_, value)| !is_unknown(value)).count();
        match self {
            Keep::Richer => [game.plies, game.marks.len(), known],
            Keep::Longest => [game.plies, 0, 0],
            Keep::First => [0; 3],
        }
    }
}
