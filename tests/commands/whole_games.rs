//! A game stays one game, whatever its tag section looks like.

use std::fs;

use crate::common::Bench;

#[test]
fn the_last_value_of_a_repeated_tag_counts_everywhere_and_all_are_exported() {
    let bench = Bench::new();
    let tags = "[Event \"first\"]\n[Event \"last\"]\n[Site \"https://x.org/a\"]\n[White \"A\"]\n[Black \"B\"]\n\
                [White \"C\"]\n[WhiteElo \"2000\"]\n[WhiteElo \"2100\"]\n[Date \"2001.01.01\"]\n\
                [Date \"2002.02.02\"]\n[UTCDate \"2002.02.02\"]\n[Site \"https://x.org/b\"]\n[GameId \"b\"]\n\
                [Result \"0-1\"]\n[Result \"1-0\"]\n";
    fs::write(bench.path("twice.pgn"), format!("{tags}\n1. e4\n")).unwrap();
    let report = bench.import(&["twice.pgn", "--strict"]);
    assert_eq!((&report["seen"], &report["stored"]), (&1.into(), &1.into()));
    assert_eq!(report["notes"]["repeated_tags"], 1);
    let game = bench.ok(&["games", "--format", "jsonl"]);
    for value in ["last", "C", "2100", "2002.02.02", "1-0", "https://x.org/b"] {
        assert!(
            game.contains(&format!("\"{value}\"")) || game.contains(&format!(":{value}")),
            "{value}: {game}"
        );
    }
    for filter in [["--white", "C"], ["--event", "last"], ["--white-elo", "2050.."], ["--date", "2002"]] {
        bench.ok(&[&["games"], &filter[..]].concat());
    }
    let exported = bench.ok(&["export"]);
    for line in tags.lines() {
        assert!(exported.lines().any(|other| other == line), "{line} in {exported}");
    }
    fs::write(bench.path("again.pgn"), &exported).unwrap();
    assert_eq!(bench.import(&["again.pgn"])["duplicate"], 1);
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn an_added_game_may_have_the_piece_letters_of_another_language() {
    let bench = Bench::with_games();
    assert!(bench.refused(&["add", "1. e4 Sf6 *"]).contains("Sf6"));
    for (game, letters, expected) in
        [("1. e4 Sf6 *", "de", "1. e4 Nf6 *"), ("1. d4 Sc6 *", "auto", "1. d4 Nc6 *")]
    {
        bench.ok(&["add", game, "--letters", letters]);
        let added = bench.ok(&["export", "--source", "added"]);
        assert!(added.contains(expected), "{added}");
    }
}

#[test]
fn the_original_text_has_the_lines_that_are_no_tag_pairs() {
    let bench = Bench::new();
    let text = "[Event \"a\"]\n[Annotator]\n[White Elo \"2400\"]\nin the park\n[White \"w\"]\n\n1. e4 *\n";
    fs::write(bench.path("bad.pgn"), text).unwrap();
    let report = bench.import(&["bad.pgn"]);
    assert_eq!((&report["seen"], &report["notes"]["bad_tag_lines"]), (&1.into(), &1.into()));
    assert_eq!(bench.ok(&["export", "--original"]).trim_end(), text.trim_end());
    assert!(!bench.ok(&["export"]).contains("Annotator"));
}
