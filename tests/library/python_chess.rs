//! Real games: python-chess finds and explores the same.

use std::{fs, process::Command};

use crate::{
    common::{python, text},
    index_support::{bare_and_indexed, found, printed, some_positions, without_names},
    pgn_support::real_games,
};
use plybook::{
    archive::{Archive, Summary},
    chess::{Chess, Fen, VariantPosition},
    conditions::FilterText,
    query::PositionIndex,
};
use serde_json::{Value, json};
use shakmaty::EnPassantMode;

/// The number of master games.
const GAMES: usize = 5_000;

/// The positions of a game.
fn positions(archive: &Archive, game: i64) -> Vec<Chess> {
    let positions = archive.game(game).unwrap();
    let chess = |position| match position {
        VariantPosition::Chess(position) => position,
        other => panic!("{other:?}"),
    };
    positions.positions().unwrap().map(|position| chess(position.unwrap())).collect()
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}

/// Positions that games reach several times, and positions in which games end.
fn repeated_and_ended(archive: &Archive) -> Vec<Chess> {
    let (mut repeated, mut ended) = (Vec::new(), Vec::new());
    for game in 1..=archive.last_id().unwrap() {
        let positions = positions(archive, game);
        let early = positions.iter().take(24).enumerate();
        let again = early.filter(|(ply, one)| positions[ply + 1..].contains(one));
        repeated.extend(again.map(|(_, position)| position.clone()));
        if positions.len() < 20 {
            ended.extend(positions.last().cloned());
        }
    }
    assert!(repeated.len() > 4 && ended.len() > 4, "{} {}", repeated.len(), ended.len());
    repeated.truncate(5);
    ended.truncate(5);
    [repeated, ended].concat()
}

#[test]
fn python_chess_finds_and_counts_the_same() {
    let (Some(python), Some(pgn)) = (python(), real_games(GAMES)) else { return };
    let benches = bare_and_indexed(&pgn);
    let archives = benches.each_ref().map(|bench| Archive::open(bench.path("plybook.db")).unwrap());
    let [bare, indexed] = &archives;
    let index = PositionIndex::open(indexed).unwrap();
    let games = usize::try_from(bare.count().unwrap()).unwrap();
    assert!(games > GAMES);
    let random = |count, seed| {
        some_positions(count, seed, games, |game| positions(bare, i64::try_from(game).unwrap() + 1))
    };
    let lines = [repeated_and_ended(bare), random(60, 1)].concat();
    let sought = [lines.clone(), random(500, 2)].concat();
    let player = bare.list::<Summary>(&Default::default()).nth(2_000).unwrap().unwrap().white.unwrap();
    let whole = format!("\"{player}\"");
    let filters: [(Value, Value, &[&str]); 5] = [
        (json!({}), json!({}), &[]),
        (json!({ "years": [1990, 2015] }), json!({ "date": "1990..2015" }), &["--date", "1990..2015"]),
        (json!({ "elo": 1800 }), json!({ "elo": "1800.." }), &["--elo", "1800.."]),
        (json!({ "result": "0-1" }), json!({ "result": "0-1" }), &["--result", "0-1"]),
        (json!({ "white": player }), json!({ "white": whole }), &["--white", &whole]),
    ];
    let fens = |positions: &[Chess]| positions.iter().map(fen).collect::<Vec<_>>();
    let wanted: Vec<&Value> = filters.iter().map(|(filter, ..)| filter).collect();
    let pgn = benches[0].path("part.pgn");
    let asked = json!({ "pgn": pgn, "lines": fens(&lines), "sought": fens(&sought), "filters": wanted });
    fs::write(benches[0].path("asked.json"), asked.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/explore.py");
    let output = Command::new(python).arg(script).arg(benches[0].path("asked.json")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counted: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counted["games"], games);

    for (number, position) in sought.iter().enumerate() {
        let expected: Vec<(i64, usize)> = serde_json::from_value(counted["found"][number].clone()).unwrap();
        assert_eq!(found(indexed, index.as_ref(), position), expected, "{}", fen(position));
        if number % 10 == 0 {
            assert_eq!(found(bare, None, position), expected, "{}", fen(position));
        }
    }
    let mut many = 0;
    for (place, (_, filter, options)) in filters.iter().enumerate() {
        let filter: FilterText = serde_json::from_value(filter.clone()).unwrap();
        let filter = filter.filter(plybook::query::Context::new(bare)).unwrap();
        let counted = counted["told"][place].as_array().unwrap();
        assert_eq!(printed(indexed, index.as_ref(), &lines, &filter), *counted, "{options:?}");
        assert_eq!(printed(bare, None, &lines, &filter), *counted, "{options:?}");
        many += counted.iter().filter(|printed| printed["games"].as_u64() > Some(1)).count();
        // The command agrees. With an index, it does not suggest building one.
        for (bench, is_bare) in benches.iter().zip([true, false]) {
            let printed = bench.run(&[&["explore", &fen(&lines[0]), "--format", "json"], *options].concat());
            assert_eq!(is_bare, text(&printed.stderr).contains("plybook index"));
            assert_eq!(without_names(serde_json::from_slice(&printed.stdout).unwrap()), counted[0]);
        }
    }
    assert!(many > 50, "{many}");
}
