//! The candidates compared with all pairs of games.

use std::collections::{BTreeMap, HashMap};

use super::{
    Candidates, GamePair, Marked, NearDuplicate,
    candidates::{self, Popular},
    near_duplicates,
    tagged_game::TaggedGames,
    weigh::weigh,
};
use crate::{
    archive::{Archive, Filter},
    import::{Options, import_paths},
    query::Context,
    record::GameId,
};

/// The famous games, and of each one with the changes that a word stands for.
fn changed(source: &str, change: &str) -> String {
    let games = source.split("[Event ").skip(1).map(|game| {
        let (tags, moves) = game.split_once("\n\n").unwrap();
        let mut words: Vec<&str> = moves.split_whitespace().collect();
        let mut tags = format!("[Event {tags}");
        for change in change.split(' ') {
            match change {
                "names" => tags = tags.replace("ov", "off").replace("ch", "tsch").replace(", ", ","),
                "shorter" => drop(words.drain(words.len() * 2 / 3..words.len() - 1)),
                "date" => tags = tags.replace("[Date \"18", "[Date \"19"),
                "vague" => tags = tags.replace(".01\"]", ".??\"]").replace(".02\"]", ".??\"]"),
                _ => tags += "\n[Annotator \"Nobody\"]",
            }
        }
        format!("{tags}\n\n{}\n\n", words.join(" "))
    });
    games.collect()
}

/// Compares every pair of games, with the popular positions counted one by one.
fn of_all_pairs(context: Context<'_>) -> Vec<NearDuplicate> {
    let ids: Vec<GameId> = context.archive.list::<GameId>(&Filter::default()).map(Result::unwrap).collect();
    let all: Vec<GamePair> = ids.chunks(2).map(|pair| [pair[0], *pair.last().unwrap()]).collect();
    let (games, size) = TaggedGames::of_first(context, &all).unwrap();
    assert_eq!(size, all.len());
    let mut visits: HashMap<u64, usize> = HashMap::new();
    for id in &ids {
        let [game, _] = games.pair([*id, *id]).unwrap();
        candidates::position_keys(&game.positions).for_each(|(_, key)| *visits.entry(key).or_default() += 1);
    }
    let popular = Popular::of(
        visits.into_iter().filter(|(_, games)| *games >= candidates::POPULAR).map(|(key, _)| key),
    );
    let pairs =
        ids.iter().flat_map(|one| ids.iter().map(move |two| [*one, *two])).filter(|[one, two]| one < two);
    pairs.filter_map(|pair| weigh(games.pair(pair)?, &popular)).collect()
}

#[test]
fn the_candidates_lead_to_the_same_pairs_as_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/famous.pgn")).unwrap();
    let changes = ["names", "shorter", "date", "vague", "names shorter", "names vague shorter", "other"];
    let texts: Vec<String> = changes.iter().map(|change| changed(&source, change)).collect();
    std::fs::write(folder.path().join("a.pgn"), source + &texts.concat()).unwrap();
    import_paths(&path, &[folder.path().join("a.pgn")], &Options::default()).unwrap();
    let archive = Archive::open(&path).unwrap();
    let context = Context::new(&archive);
    let expected = of_all_pairs(context);
    let found = near_duplicates(context, &Filter::default(), Marked::Left).unwrap();
    assert_eq!(found.pairs, expected);
    let mut kinds = BTreeMap::new();
    found
        .pairs
        .iter()
        .flat_map(|pair| &pair.differences)
        .for_each(|kind| *kinds.entry(kind).or_insert(0) += 1);
    assert!(found.pairs.len() > 100, "{kinds:?}");
    // Only a part of all pairs is compared.
    let Candidates { pairs, .. } = candidates::find(context).unwrap();
    let games = archive.count().unwrap() as usize;
    assert!(pairs.len() < games * games / 10, "{} {games}", pairs.len());
}
