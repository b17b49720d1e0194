//! A set of games by their ids.

use std::sync::Arc;

use plybook_record::GameId;

/// A set of games of an archive. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSet(Arc<[GameId]>);

impl GameSet {
    /// Their ids, in order.
    pub fn ids(&self) -> &[GameId] {
        &self.0
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it contains a game.
    pub fn contains(&self, id: GameId) -> bool {
        self.0.binary_search(&id).is_ok()
    }
}

impl FromIterator<GameId> for GameSet {
    fn from_iter<I: IntoIterator<Item = GameId>>(ids: I) -> GameSet {
        let mut ids: Vec<GameId> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        GameSet(ids.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Filter, Sort, Summary};

    #[test]
    fn sets_of_games_support_every_order_and_condition() {
        let folder = tempfile::tempdir().unwrap();
        let game = |number: usize| {
            let (white, elo) = (["Tal", "Fischer", "Karpov"][number % 3], 2000 + number * 7919 % 600);
            format!("[Event \"{number}\"]\n[White \"{white}\"]\n[WhiteElo \"{elo}\"]\n\n1. e4 *\n\n")
        };
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&pgn, (1..=3000).map(game).collect::<String>()).unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let sets = [0, 1, 2, 7].map(|step| -> GameSet {
            let ids = (1..=4000).rev().filter(|id| step > 0 && id % step == 0);
            ids.chain([-5, 0, GameId::MAX]).collect()
        });
        let found = |filter: &Filter| -> Vec<GameId> {
            archive.list::<Summary>(filter).map(|game| game.unwrap().id).collect()
        };
        for (sort, descending, player) in [
            (Sort::Id, false, None),
            (Sort::Id, true, None),
            (Sort::White, false, Some("tal".to_owned())),
            (Sort::Elo, true, None),
            (Sort::Id, false, Some("*a*".to_owned())),
        ] {
            let all = Filter { sort, descending, player, ids: Some(3..=2990), ..Filter::default() };
            let every = found(&all);
            for set in &sets {
                for (offset, limit) in
                    [(0, None), (5, Some(10)), (1100, Some(100)), (0, Some(0)), (9999, None)]
                {
                    let some = Filter { among: Some(set.clone()), offset, limit, ..all.clone() };
                    let those = every.iter().copied().filter(|id| set.contains(*id));
                    let page = usize::try_from(limit.unwrap_or(u64::MAX)).unwrap();
                    let expected: Vec<GameId> =
                        those.skip(usize::try_from(offset).unwrap()).take(page).collect();
                    assert_eq!(found(&some), expected, "{some:?}");
                }
            }
        }
        assert_eq!((sets[0].len(), sets[1].len(), sets[0].is_empty()), (3, 4003, false));
    }
}
