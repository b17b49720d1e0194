//! The answers of `/masters` from the index for positions of the games, compared with a scan of all games. Famous
//! games; with `PLYBOOK_TRIALS=long` a thousand positions of a large collection.
#![cfg(feature = "web")]

use std::collections::BTreeMap;

use crate::common::{Bench, Random, corpus, data, long, server::Served, trials};
use plybook::{
    archive::{Archive, Filter},
    chess::Variant,
    query::{Context, explore},
};

#[test]
fn any_position_has_the_answer_of_a_scan_of_all_games() {
    let games = if long() { corpus("otb.pgn.zst") } else { Some(data("famous.pgn")) };
    let Some(games) = games else { return };
    let bench = Bench::new();
    bench.run(&["import", "--quiet", "--index", games.to_str().unwrap()]);
    let served = Served::new(&bench, &[]);
    let count = served.json("/api/v1/info")["games"].as_u64().unwrap();
    let mut random = Random(5);
    let fens: Vec<String> = (0..trials(100, 1000))
        .map(|_| {
            let id = 1 + random.below(usize::try_from(count).unwrap());
            let game = served.json(&format!("/api/v1/games/{id}"));
            let moves = game["tree"]["moves"].as_array().unwrap();
            // Half of them from openings, which many games share.
            let plies = moves.len().min(if random.below(2) == 0 { 12 } else { 400 });
            moves.get(random.below(plies)).map_or(game["start_fen"].clone(), |one| one["fen"].clone())
        })
        .map(|fen| fen.as_str().unwrap().to_owned())
        .collect();
    let positions: Vec<_> =
        fens.iter().map(|fen| Variant::Standard.position(&fen.parse().unwrap()).unwrap()).collect();
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    // Each game is compared with all positions of a scan, so there is an optimal number of them.
    let scanned = positions
        .chunks(100)
        .flat_map(|part| explore(Context::new(&archive), part, &Filter::default()).unwrap());
    let mut moves = 0;
    for (fen, scanned) in fens.iter().zip(scanned) {
        let printed = served.json(&format!("/masters?moves=500&topGames=0&fen={}", fen.replace(' ', "_")));
        let number = |printed: &serde_json::Value, name: &str| printed[name].as_u64().unwrap();
        let numbers = |printed| ["white", "draws", "black"].map(|name| number(printed, name));
        let played = printed["moves"].as_array().unwrap().iter();
        let played: BTreeMap<_, _> =
            played.map(|one| (one["san"].as_str().unwrap().to_owned(), numbers(one))).collect();
        let counted =
            scanned.moves.iter().filter(|one| one.results.white + one.results.draws + one.results.black > 0);
        let expected: BTreeMap<_, _> = counted
            .map(|one| (one.san.clone(), [one.results.white, one.results.draws, one.results.black]))
            .collect();
        assert_eq!(played, expected, "{fen}");
        let all = played.values().fold([0; 3], |[w, d, b], one| [w + one[0], d + one[1], b + one[2]]);
        assert_eq!(numbers(&printed), all, "{fen}");
        moves += played.len();
    }
    assert!(moves > fens.len() / 2);
}
