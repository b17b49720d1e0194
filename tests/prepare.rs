//! What a player plays, against the answers of `explore`.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;

use common::{Bench, text};
use serde_json::Value;

/// Games against one player, and of others.
fn bench() -> Bench {
    let bench = Bench::new();
    let game = |white: &str, black: &str, year: u32, moves: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.??.??\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2500\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let mut all = String::new();
    for year in 1990..2000 {
        all += &game(
            "A",
            "Target",
            year,
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4",
            if year < 1995 { "0-1" } else { "1/2-1/2" },
        );
        all += &game("C", "Other", year, "1. e4 c5 2. Nf3 d6 3. d4 cxd4", "1-0");
        all += &game("C", "Another", year, "1. d4 d5 2. c4", "1-0");
    }
    for year in 2000..2003 {
        all += &game("B", "Target", year, "1. d4 g5 2. e4", "1-0");
        all += &game("Target", "B", year, "1. b4 e5", "1-0");
    }
    fs::write(bench.path("a.pgn"), all).unwrap();
    bench.import(&["a.pgn"]);
    bench
}

/// Every move of a tree with the moves before it.
fn moves<'a>(lines: &'a Value, before: &str, all: &mut Vec<(String, &'a Value)>) {
    for line in lines.as_array().unwrap() {
        let path = format!("{before} {}", line["san"].as_str().unwrap()).trim().to_owned();
        all.push((path.clone(), line));
        moves(&line["lines"], &path, all);
    }
}

#[test]
fn the_tree_is_that_of_the_games_of_the_player_with_the_other_colour() {
    let bench = bench();
    let check = || {
        let told = bench.json(&["prepare", "--against", "target", "--as", "white", "--format", "json"]);
        assert_eq!(
            (&told["colour"], &told["games"], &told["black"], &told["draws"], &told["white"]),
            (&"black".into(), &13.into(), &5.into(), &5.into(), &3.into())
        );
        let mut all = Vec::new();
        moves(&told["lines"], "", &mut all);
        let at =
            |path: &str| all.iter().find(|(other, _)| other == path).unwrap_or_else(|| panic!("{path}")).1;
        for (path, line) in &all {
            // What explore says of the position before it: of the player's games, and of all.
            let before = path.rsplit_once(' ').map_or("", |(before, _)| before);
            let find = |filter: &[&str]| {
                let position: &[&str] = if before.is_empty() { &[] } else { &[before] };
                let told = bench.json(&[&["explore", "--format", "json"], position, filter].concat());
                let san = &line["san"];
                let found = told["moves"].as_array().unwrap().iter().find(|m| m["san"] == *san).cloned();
                (told["games"].clone(), found.unwrap())
            };
            let (_, own) = find(&["--black", "target"]);
            let own = own.as_object().unwrap();
            assert!(own.iter().all(|(name, value)| line[name] == *value), "{path}: {line}");
            let (here, of_all) = find(&[]);
            assert_eq!(
                (&line["all_here"], &line["all_games"], &line["all_after"]),
                (&here, &of_all["games"], &of_all["reached"]),
                "{path}"
            );
            assert_eq!(line["by_player"], path.split(' ').count() % 2 == 0);
        }
        assert_eq!(at("e4 c5")["rare"], Value::Null);
        // Three games have it, of thirteen with 1. d4.
        assert_eq!(at("d4 g5")["rare"], "position");
        assert_eq!(at("d4 g5 e4")["rare"], Value::Null);
        assert_eq!(at("e4 c5 Nf3 d6 d4 cxd4")["last_year"], 1999);
        let told = bench.json(&[
            "prepare",
            "--against",
            "target",
            "--as",
            "white",
            "--rare-games",
            "1",
            "--rare-share",
            "30",
            "--format",
            "json",
        ]);
        let mut all = Vec::new();
        moves(&told["lines"], "", &mut all);
        let rare: Vec<&str> =
            all.iter().filter(|(_, line)| line["rare"] == "move").map(|(path, _)| path.as_str()).collect();
        assert_eq!(rare, ["d4 g5"]);
    };
    check();
    bench.ok(&["index", "--quiet"]);
    check();
}

#[test]
fn people_read_the_score_of_the_player() {
    let bench = bench();
    let shown = bench.ok(&["prepare", "1. d4", "--against", "Target", "--as", "white"]);
    assert!(shown.starts_with("Target with Black: 3 games\nwon 0, drawn 0, lost 3: 0%\n"), "{shown}");
    assert!(shown.contains("1... g5") && shown.contains("rare: 3 games in all have it"), "{shown}");
    let shown = bench.ok(&["prepare", "--against", "target", "--as", "black"]);
    assert!(shown.starts_with("target with White: 3 games\nwon 3, drawn 0, lost 0: 100%\n"), "{shown}");
    // Where no move has enough games, it is said how all are shown.
    let few = ["prepare", "--against", "Target", "--as", "white", "--date", "1995"];
    let all = [&few[..], &["--min-games", "1", "--min-share", "0"]].concat();
    let hints =
        [&few[..], &all].map(|arguments| text(&bench.run(arguments).stderr).contains("--min-games 1"));
    assert_eq!(hints, [true, false]);
    assert_eq!(bench.run(&["prepare", "--against", "nobody", "--as", "black"]).status.code(), Some(1));
    assert!(
        bench
            .refused(&["prepare", "--against", "target", "--as", "white", "--black", "other"])
            .contains("--against")
    );
    assert!(
        bench.refused(&["prepare", "nonsense", "--against", "target", "--as", "white"]).contains("nonsense")
    );
    let told = bench.run(&["prepare", "--against", "target", "--as", "white", "--variant", "xelto"]);
    assert_eq!(told.status.code(), Some(2), "{}", text(&told.stderr));
}
