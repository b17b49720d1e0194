//! The large collections, if they are present.

use std::{collections::HashMap, fs, io::Read};

use crate::common::{Bench, corpus, simple_games};

/// Decompresses a collection.
fn unpacked(path: &std::path::Path) -> String {
    let mut bytes = Vec::new();
    zstd::Decoder::new(fs::File::open(path).unwrap()).unwrap().read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn all_master_games_are_stored_intact() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let bench = Bench::new();
    let report = bench.import(&[otb.to_str().unwrap()]);
    assert_eq!(report["seen"], 297_158);
    // Two games have an illegal move; the report names them.
    assert_eq!(report["rejected"], 2, "{}", report["rejects"]);
    let sum =
        ["stored", "duplicate", "rejected"].iter().map(|key| report[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum, 297_158);
    assert_eq!(report["notes"]["extra_blank_lines"], 209);
    assert_eq!(report["notes"]["impossible_dates"], 33);
    assert!(bench.ok(&["verify"]).contains("all intact"));

    // 500 games from all over the collection: same tags, moves and result as in the source.
    let source = unpacked(&otb);
    let mut by_tags: HashMap<Vec<String>, Vec<Vec<String>>> = HashMap::new();
    let games = simple_games(&source);
    for (tags, moves) in games {
        by_tags.entry(tags).or_default().push(moves);
    }
    let ids: Vec<String> = (0..500u64).map(|n| (n * 15_485_863 % 297_150 + 1).to_string()).collect();
    let mut compared = 0;
    for chunk in ids.chunks(1) {
        let exported = bench.ok(&["export", "--id", &chunk[0]]);
        for (tags, moves) in simple_games(&exported) {
            let known = by_tags.get(&tags).unwrap_or_else(|| panic!("{tags:?}"));
            let same = |other: &Vec<String>| plain(other) == plain(&moves);
            assert!(known.iter().any(same), "{tags:?} {moves:?} {known:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 500);
}

/// Moves without check marks and comments, which differ between sources.
fn plain(moves: &[String]) -> Vec<&str> {
    moves.iter().map(|word| word.trim_end_matches(['+', '#'])).filter(|word| !word.starts_with('{')).collect()
}

#[test]
fn real_games_give_the_same_archive_with_any_number_of_threads() {
    let Some(lichess) = corpus("lichess.pgn.zst") else { return };
    let archives = ["1", "2", "4"].map(|threads| {
        let bench = Bench::new();
        let report = bench.import(&["--threads", threads, lichess.to_str().unwrap()]);
        assert_eq!((&report["seen"], &report["stored"]), (&9_822.into(), &9_822.into()));
        bench.ok(&["games", "--format", "csv"])
    });
    assert_eq!(archives[0], archives[1]);
    assert_eq!(archives[0], archives[2]);
}

#[test]
fn variants_are_stored_and_games_that_break_their_rules_are_reported() {
    let Some(variants) = corpus("variants.pgn") else { return };
    let bench = Bench::new();
    let report = bench.import(&[variants.to_str().unwrap()]);
    assert_eq!(report["seen"], 1303);
    // 22 games have a move that python-chess rejects as well. Four of these moves are promotions with capture written
    // without file and x (h7 takes g8 as g8=Q): only one move fits, so they are repaired.
    assert_eq!((&report["stored"], &report["rejected"]), (&1285.into(), &18.into()));
    assert_eq!(report["notes"]["odd_captures"], 4);
    assert!(bench.ok(&["verify"]).contains("all intact"));
    let games = bench.json(&["games", "--format", "json"]);
    let variants: std::collections::BTreeSet<&str> =
        games.as_array().unwrap().iter().map(|game| game["variant"].as_str().unwrap()).collect();
    assert_eq!(variants.len(), 8, "{variants:?}");
}
