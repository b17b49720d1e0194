//! `plybook annotate`: the games stay the same, and any program can read them.

use std::{collections::HashMap, fs, process::Command};

use crate::{
    common::{Bench, data, python, text},
    pgn_support::real_games,
};
use plybook::{
    archive::{Archive, Filter},
    chess::{Annotation, Annotations, Tags},
    record::{GameId, StoredGame},
};
use serde_json::Value;

fn games(bench: &Bench) -> Vec<StoredGame> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    archive.games(&Filter { chess: true, ..Filter::default() }).map(Result::unwrap).collect()
}

/// The plies of new moves, as `novelty` reports them.
fn new_plies(bench: &Bench) -> HashMap<GameId, Option<usize>> {
    let rows = bench.run(&["novelty", "--format", "jsonl"]).stdout;
    let rows = text(&rows);
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["id"].as_i64().unwrap(), row["ply"].as_u64().map(|ply| ply as usize))).collect()
}

fn annotations(game: &StoredGame) -> Annotations {
    game.annotations(&game.line().unwrap()).unwrap()
}

fn pairs(tags: &Tags) -> Vec<(String, String)> {
    tags.in_export_order().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn annotated_games_are_the_same_games_with_added_annotations() {
    let bench = Bench::new();
    let odd = "[White \"Brace {}} Name\"]\n[Date \"1900.01.01\"]\n\n1. h4 *\n\n[White \"B\"]\n[Date \"1901.01.01\"]\n[ECO \"?\"]\n\n1. h4 $1 $146 {mine} (1. a4 {other}) h5 -- *\n\n[White \"none\"]\n\n*\n\n";
    fs::write(bench.path("odd.pgn"), odd).unwrap();
    let names = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn"].map(data);
    let mut arguments = vec!["odd.pgn"];
    arguments.extend(names.iter().map(|name| name.to_str().unwrap()));
    bench.import(&arguments);
    let stored = games(&bench);
    for options in [&[][..], &["--references", "3"], &["--keep-tags", "--references", "0"]] {
        let output = bench.run(&[&["annotate"], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let again = Bench::new();
        fs::write(again.path("annotated.pgn"), &output.stdout).unwrap();
        let report = again.import(&["annotated.pgn"]);
        assert_eq!((&report["stored"], &report["rejected"]), (&stored.len().into(), &0.into()), "{report}");
        let (read, new) = (games(&again), new_plies(&bench));
        for (game, read) in stored.iter().zip(&read) {
            assert_eq!(game.line().unwrap().moves, read.line().unwrap().moves, "{}", game.id);
            assert_eq!(game.result, read.result);
            let (old, now) = (annotations(game), annotations(read));
            // The existing annotations are kept in their order.
            let mut rest = now.iter();
            for mark in old.iter() {
                assert!(rest.any(|other| other == mark), "{}: {mark:?} is lost", game.id);
            }
            let marked: Vec<usize> =
                now.iter().filter(|(_, mark)| *mark == Annotation::Nag(146)).map(|(ply, _)| ply).collect();
            let had: Vec<usize> =
                old.iter().filter(|(_, mark)| *mark == Annotation::Nag(146)).map(|(ply, _)| ply).collect();
            let mut expected: Vec<usize> = had.into_iter().chain(new[&game.id]).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(marked, expected, "{}", game.id);
            if options.contains(&"--keep-tags") {
                assert_eq!(pairs(&game.tags), pairs(&read.tags));
            } else {
                let tags = pairs(&read.tags);
                let is_there = |(name, value): &(String, String)| {
                    tags.contains(&(name.clone(), value.clone())) || value == "?"
                };
                assert!(pairs(&game.tags).iter().all(is_there), "{tags:?}");
            }
        }
    }
    let shown = bench.ok(&["annotate", "2"]);
    assert!(shown.contains("[ECO \"A00\"]") && shown.contains("$146") && shown.contains("{mine}"), "{shown}");
    assert!(shown.contains("Brace ()) Name - ?, 1900"), "{shown}");
    // The opening is named after the move that reaches it, and an existing glyph is not written twice.
    assert!(shown.contains("1. h4 $1 $146 {A00 Kádas Opening} {mine}"), "{shown}");
}

#[test]
fn python_chess_reads_annotated_games() {
    let (Some(python), Some(pgn)) = (python(), real_games(600)) else { return };
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["games.pgn", "--index"]);
    bench.ok(&["annotate", "--references", "2", "-o", "annotated.pgn"]);
    bench.ok(&["export", "-o", "plain.pgn"]);
    type Read = (Vec<String>, Vec<String>, Vec<usize>, String);
    let read = |name: &str| -> Vec<Read> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn_support/annotate.py");
        let output = Command::new(&python).arg(script).arg(bench.path(name)).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (annotated, plain) = (read("annotated.pgn"), read("plain.pgn"));
    let new = new_plies(&bench);
    assert!(annotated.len() == plain.len() && plain.len() > 1_500);
    for ((id, annotated), plain) in (1..).zip(&annotated).zip(&plain) {
        assert!(annotated.0.is_empty(), "{id}: {:?}", annotated.0);
        assert_eq!(annotated.1, plain.1, "{id}");
        assert_eq!(annotated.2, new[&id].into_iter().collect::<Vec<_>>(), "{id}");
        assert_eq!(new[&id].is_some(), annotated.3.contains("New"), "{id}");
    }
}

#[test]
fn what_cannot_be_written_is_reported_and_no_file_is_replaced() {
    let bench = Bench::with_games();
    let failed = |arguments: &[&str], code: i32, word: &str| {
        let output = bench.run(&[&["annotate"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(word), "{arguments:?}: {error}");
        text(&output.stdout)
    };
    assert!(failed(&["999999", "3"], 1, "no game 999999").contains("[Event"));
    failed(&["3", "--player", "x"], 2, "filters");
    failed(&["--player", "nobody"], 1, "no chess game");
    failed(&["-o", "plybook.db"], 2, "plybook.db");
    failed(&["-o", "plybook.db", "--force"], 2, "plybook.db");
    fs::write(bench.path("there.pgn"), "mine").unwrap();
    failed(&["-o", "there.pgn"], 2, "--force");
    assert_eq!(fs::read_to_string(bench.path("there.pgn")).unwrap(), "mine");
    bench.ok(&["annotate", "-o", "there.pgn", "--force"]);
    failed(&["--player", "nobody", "-o", "none.pgn"], 1, "no chess game");
    assert!(!bench.path("none.pgn").exists());
    failed(&["--variant", "xelto"], 2, "PGN");
    bench.import(&[data("xelto").to_str().unwrap()]);
    let xelto = bench.json(&["games", "--variant", "xelto", "--limit", "1", "--format", "json"]);
    failed(&[&xelto[0]["id"].to_string(), "1"], 1, "Xelto");
    // Games without PGN are not chess games: they are skipped.
    bench.ok(&["annotate"]);
    assert_eq!(bench.run(&["annotate", "-a", "absent.db"]).status.code(), Some(2));
}

/// Games from a file of which the archive only has earlier ones.
#[test]
fn games_of_a_file_are_annotated_without_being_stored() {
    let bench = Bench::with_games();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let odd = "[White \"A\"]\n[Date \"2030.01.01\"]\n[Annotator \"me\"]\n\n1. e4 $1 {mine} (1. h4 {other}) e5 2. Nf3 Nc6 3. a4 h5 4. -- 1-0\n\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. e4 e5 *\n\n[White \"none\"]\n\n*\n";
    fs::write(bench.path("odd.pgn"), odd).unwrap();
    let famous = data("famous.pgn");
    let files = ["odd.pgn", famous.to_str().unwrap()];
    for options in [&["--any-date"][..], &[]] {
        let rows = bench.run(&[&["novelty", "--format", "jsonl"], &files[..], options].concat()).stdout;
        let rows: Vec<Value> = text(&rows).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let output = bench.run(&[&["annotate"], &files[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let [plain, again] = [Bench::new(), Bench::new()];
        plain.import(&[bench.path("odd.pgn").to_str().unwrap(), files[1]]);
        fs::write(again.path("annotated.pgn"), &output.stdout).unwrap();
        again.import(&["annotated.pgn"]);
        let (plain, again) = (games(&plain), games(&again));
        assert!(plain.len() == rows.len() && again.len() == rows.len() && rows.len() > 60);
        for ((plain, again), row) in plain.iter().zip(&again).zip(&rows) {
            assert_eq!(plain.line().unwrap(), again.line().unwrap(), "{row}");
            let (old, now) = (annotations(plain), annotations(again));
            let mut rest = now.iter();
            assert!(old.iter().all(|mark| rest.any(|other| other == mark)), "{row}");
            let new = now.iter().find(|(_, mark)| *mark == Annotation::Nag(146)).map(|(ply, _)| ply as u64);
            assert_eq!(new, row["ply"].as_u64(), "{row}");
            let tags = pairs(&again.tags);
            let is_there = |(name, value): (&str, &str)| {
                tags.contains(&(name.to_owned(), value.to_owned())) || value == "?"
            };
            assert!(plain.tags.iter().all(is_there), "{tags:?}");
        }
    }
    assert!(bench.ok(&["annotate", "odd.pgn"]).contains("3. a4 $146\n{New; "));
    // Ids and files can be mixed, in their order.
    let shown = bench.ok(&["annotate", "3", "odd.pgn", "1"]);
    let names: Vec<&str> = shown.lines().filter(|line| line.starts_with("[White \"")).collect();
    assert_eq!((names.len(), names[1], names[3]), (5, "[White \"A\"]", "[White \"none\"]"));
    let fed = bench.feed(&["annotate", "-"], odd.as_bytes());
    assert_eq!(text(&fed.stdout), bench.ok(&["annotate", "odd.pgn"]));
    assert_eq!(fs::read(bench.path("plybook.db")).unwrap(), before);
}

#[test]
fn a_file_being_annotated_is_not_overwritten() {
    let bench = Bench::with_games();
    fs::create_dir(bench.path("folder")).unwrap();
    let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e4 *\n\n[White \"C\"]\n\n1. d4 *\n";
    fs::write(bench.path("folder/bad.pgn"), pgn).unwrap();
    for (source, target) in
        [("folder/bad.pgn", "folder/bad.pgn"), ("folder", "folder/bad.pgn"), ("folder/bad.pgn", "plybook.db")]
    {
        let error = bench.refused(&["annotate", source, "-o", target, "--force"]);
        assert!(error.contains("by this command"), "{error}");
    }
    assert_eq!(fs::read_to_string(bench.path("folder/bad.pgn")).unwrap(), pgn);
    // Invalid input is reported with its position, and the rest is written.
    let output = bench.run(&["annotate", "folder", "-o", "new.pgn"]);
    let error = text(&output.stderr);
    assert!(output.status.code() == Some(1) && error.contains("bad.pgn game 2, line 7"), "{error}");
    let written = fs::read_to_string(bench.path("new.pgn")).unwrap();
    assert!(
        written.contains("\"A\"") && written.contains("\"C\"") && !written.contains("\"B\""),
        "{written}"
    );
    assert!(bench.refused(&["annotate", "absent.pgn", "-o", "none.pgn"]).contains("absent.pgn"));
    assert!(!bench.path("none.pgn").exists());
}

#[test]
fn a_game_without_a_result_tag_gets_none() {
    for game in ["[White \"A\"]\n\n1. e4 e5 1-0\n", "{a comment} 1. d4 d5 1-0\n"] {
        let bench = Bench::new();
        fs::write(bench.path("a.pgn"), game).unwrap();
        bench.import(&["a.pgn"]);
        for annotated in [bench.ok(&["annotate", "1"]), bench.ok(&["annotate", "a.pgn"])] {
            assert!(annotated.contains("[Event \"?\"]") && !annotated.contains("[Result "), "{annotated}");
            let again = Bench::new();
            fs::write(again.path("b.pgn"), &annotated).unwrap();
            again.import(&["b.pgn"]);
            assert_eq!(again.json(&["games", "--format", "json"])[0]["result"], "1-0");
        }
    }
}
