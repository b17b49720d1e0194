//! Near duplicates resolved: one of each pair is kept, or one is made of both, or a pair is marked as different.

use std::fs;

use crate::{
    common::{Bench, text},
    duplicates::{GAME, Game, LONG, OTHER_ENDING, UNDATED, bench, pairs},
};

/// The ids of all games.
fn ids(bench: &Bench) -> Vec<i64> {
    let games = bench.json(&["games", "--format", "json"]);
    games.as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect()
}

fn is_intact(bench: &Bench) {
    let verified = text(&bench.run(&["verify"]).stdout);
    assert!(verified.contains("all intact"), "{verified}");
}

/// Three records of one game: the second is shorter, the third longer and with another result.
fn three() -> Bench {
    let (shorter, short) = (&LONG[..LONG.find("16. c3").unwrap()], &LONG[..LONG.find("17.").unwrap()]);
    bench(&[
        Game { moves: short, ..GAME },
        Game { white: "Jussupow,A", moves: shorter, ..GAME },
        Game { white: "Artur Yusupov", date: "1988.03.??", result: "1/2-1/2", ..GAME },
    ])
}

#[test]
fn each_rule_keeps_the_game_that_it_promises() {
    let commented = LONG.replace("16. c3", "{a long comment on this game} 16. c3");
    let two = || bench(&[UNDATED, Game { white: "Jussupow,A", moves: &commented, ..GAME }]);
    for (rule, kept) in [("first", 1), ("longest", 1), ("richer", 2)] {
        let bench = two();
        let said = bench.ok(&["duplicates", "--keep", rule, "--yes"]);
        assert_eq!(said, "removed 1 game (change 2; to undo it: plybook undo)\n");
        assert_eq!(ids(&bench), [kept], "{rule}");
        is_intact(&bench);
    }
    for (rule, kept) in [("first", 1), ("longest", 3), ("richer", 3)] {
        let bench = three();
        bench.ok(&["duplicates", "--keep", rule, "--yes"]);
        assert_eq!(ids(&bench), [kept], "{rule}");
    }
    // Of equal moves and annotations, the one with more known tags.
    let bench = bench(&[Game { round: "?", white: "Jussupow,A", ..GAME }, GAME]);
    bench.ok(&["duplicates", "--keep", "richer", "--yes"]);
    assert_eq!(ids(&bench), [2]);
}

#[test]
fn after_keeping_one_of_each_no_pair_is_left_and_undo_restores_every_game() {
    let bench = Bench::with_near_duplicates();
    let (before, found) = (bench.ok(&["export"]), pairs(&bench, &[]));
    assert!(found.len() > 10, "{found:?}");
    bench.ok(&["duplicates", "--keep", "first", "--yes"]);
    assert!(pairs(&bench, &[]).is_empty());
    for (one, ..) in &found {
        assert!(ids(&bench).contains(one), "{one}");
    }
    is_intact(&bench);
    bench.ok(&["undo"]);
    assert!(bench.ok(&["export"]) == before && pairs(&bench, &[]) == found);
    // The same by joining.
    bench.ok(&["duplicates", "--join", "--yes"]);
    assert!(pairs(&bench, &[]).is_empty());
    is_intact(&bench);
    bench.ok(&["undo"]);
    assert!(bench.ok(&["export"]) == before);
}

#[test]
fn a_joined_game_has_what_both_say_and_the_values_of_the_first() {
    let first = Game { round: "?", moves: OTHER_ENDING, ..GAME };
    let bench = bench(&[first, Game { white: "Jussupow,A", result: "0-1", date: "1988.03.??", ..GAME }]);
    let before = bench.ok(&["export"]);
    let said = bench.ok(&["duplicates", "1", "2", "--join"]);
    assert_eq!(said, "joined 2 games (change 2; to undo it: plybook undo)\n");
    let game = bench.ok(&["export"]);
    for tag in ["White \"Yusupov, Artur\"", "Date \"1988.03.07\"", "Round \"3\"", "Result \"1-0\""] {
        assert!(game.contains(tag), "{tag}: {game}");
    }
    assert!(game.contains("16. c3") && game.contains("16. Nc1"), "{game}");
    assert_eq!(ids(&bench), [1]);
    let log = bench.ok(&["log"]);
    assert!(log.contains("Joined 2 games (Jussupow"), "{log}");
    is_intact(&bench);
    bench.ok(&["undo"]);
    assert!(bench.ok(&["export"]) == before);
    is_intact(&bench);
}

#[test]
fn a_chain_of_three_is_one_game() {
    let bench = three();
    let before = bench.ok(&["export"]);
    assert_eq!(bench.ok(&["duplicates", "--join", "--yes"]).split(" (").next(), Some("joined 3 games"));
    assert_eq!(ids(&bench), [1]);
    assert!(bench.ok(&["export"]).contains("17. Bf1"));
    is_intact(&bench);
    bench.ok(&["undo"]);
    assert!(bench.ok(&["export"]) == before);
    // Of which two are marked as different: the third is of the first.
    bench.ok(&["duplicates", "1", "3", "--different"]);
    let output = bench.run(&["duplicates", "--join", "--yes"]);
    let warned = text(&output.stderr);
    assert!(warned.contains("games 2 and 3 are left as they are"), "{warned}");
    assert_eq!(ids(&bench), [1, 3]);
}

#[test]
fn games_that_cannot_be_joined_are_reported_and_stay() {
    // What both say is what the third game says.
    let shorter = &LONG[..LONG.find("16. c3").unwrap()];
    let games = [
        Game { moves: shorter, round: "?", result: "*", ..UNDATED },
        Game { white: "?", date: "????.??.??", round: "?", ..GAME },
        Game { round: "?", ..UNDATED },
    ];
    let bench = bench(&games);
    let before = bench.ok(&["export"]);
    let output = bench.run(&["duplicates", "1", "2", "--join"]);
    let warned = text(&output.stderr);
    assert!(warned.contains("game 2 was not joined: the result would be equal to another game"), "{warned}");
    assert_eq!(output.status.code(), Some(1));
    assert!(bench.ok(&["export"]) == before);
    fs::write(bench.path("set-up.pgn"), "[FEN \"7k/8/8/8/8/8/8/KR6 w - - 0 1\"]\n\n1. Rb2 *\n").unwrap();
    bench.import(&["set-up.pgn"]);
    let output = bench.run(&["duplicates", "1", "4", "--join"]);
    assert!(text(&output.stderr).contains("do not start from the same position"));
    is_intact(&bench);
}

#[test]
fn nothing_is_changed_unasked_or_by_a_trial() {
    let bench = three();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    for (command, said) in [
        (
            &["--keep", "longest"][..],
            "keep game 3, remove 1, 2: Artur Yusupov – Korchnoi, Open 1988\nwould remove 2 games",
        ),
        (&["--keep", "first"], "keep game 1, remove 2, 3: "),
        (&["--join"], "join game 1 with 2, 3: "),
        (&["--different", "--limit", "1"], "mark game 1 as different from 2: "),
        (&["2", "1", "--keep", "first"], "keep game 1, remove 2: "),
    ] {
        let trial = bench.ok(&[&["duplicates", "--dry-run"], command].concat());
        assert!(trial.contains(said), "{command:?}: {trial}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{command:?}");
    }
    for (command, why) in [
        (&["--keep", "first"][..], "this would remove 2 games and keep 1 game; to confirm, add --yes"),
        (&["--join"], "this would make 1 game of 3 games; to confirm, add --yes"),
        (&["--different"], "as different; to confirm, add --yes"),
        (&["1", "1", "--join"], "expected the ids of two games"),
        (&["1", "9", "--join"], "no game 9"),
        (&["1", "2", "--join", "--player", "x"], "filters have no meaning"),
        (&["--join", "--yes", "-a", "plybook.db", "-a", "other.db"], ""),
    ] {
        let refused = bench.refused(&[&["duplicates"], command].concat());
        assert!(refused.contains(why), "{command:?}: {refused}");
        assert!(fs::read(bench.path("plybook.db")).unwrap() == before, "{command:?}");
    }
    for usage in [&["1", "2"][..], &["1", "--join"], &["--join", "--keep", "first"], &["--join", "--count"]] {
        bench.refused_usage(&[&["duplicates"], usage].concat());
    }
}

#[test]
fn filters_and_the_limit_select_the_pairs_that_are_resolved() {
    let events = ["One", "Two", "Three"].map(|event| {
        [Game { event, date: "1988.??.??", ..GAME }, Game { event, white: "Jussupow,A", ..GAME }]
    });
    let moves = [LONG, OTHER_ENDING, "1. d4 d5 2. Bf4 Nf6 3. e3 g6 4. h4 h5 5. Nf3 Bg7 6. Be2 Be6"];
    let games =
        events.into_iter().zip(moves).flat_map(|(pair, moves)| pair.map(|game| Game { moves, ..game }));
    let bench = bench(&games.collect::<Vec<_>>());
    bench.ok(&["duplicates", "--event", "Three", "--keep", "first", "--yes"]);
    assert_eq!(ids(&bench), [1, 2, 3, 4, 5]);
    let left = pairs(&bench, &[]);
    bench.ok(&["duplicates", "--limit", "1", "--keep", "first", "--yes"]);
    assert_eq!(ids(&bench).len(), 4);
    assert!(left.len() > pairs(&bench, &[]).len());
    let none = bench.run(&["duplicates", "--event", "Three", "--keep", "first", "--yes"]);
    assert_eq!((none.status.code(), text(&none.stdout).starts_with("nothing to change")), (Some(1), true));
}

#[test]
fn a_marked_pair_is_not_shown_again_until_the_mark_is_undone() {
    let bench = three();
    let found = pairs(&bench, &[]);
    assert!(found.len() >= 2);
    let version = || bench.json(&["info", "--format", "json"])["version"].clone();
    assert_eq!(version(), 4);
    let said = bench.ok(&["duplicates", "2", "1", "--different"]);
    assert_eq!(said, "marked 2 games (change 2; to undo it: plybook undo)\n");
    assert_eq!(version(), 8);
    let marked = pairs(&bench, &["--marked"]);
    assert_eq!(marked, [found[0].clone()]);
    assert_eq!(pairs(&bench, &[]), found[1..]);
    assert!(bench.ok(&["duplicates", "1", "2", "--different"]).starts_with("nothing to change"));
    assert!(bench.ok(&["log"]).contains("Marked as different: 2 games (Yusupov"));
    is_intact(&bench);
    // The mark stays when a game is edited, and when it is removed and restored; the log is not needed.
    bench.ok(&["tag", "1", "Annotator=Me"]);
    bench.ok(&["remove", "2"]);
    is_intact(&bench);
    bench.ok(&["undo"]);
    bench.ok(&["compact", "--yes"]);
    assert_eq!(pairs(&bench, &["--marked"]).len(), 1);
    is_intact(&bench);
    // The other pairs, as one change.
    bench.ok(&["duplicates", "--different", "--yes"]);
    assert!(pairs(&bench, &[]).is_empty());
    assert_eq!(pairs(&bench, &["--marked"]).len(), found.len());
    bench.ok(&["undo"]);
    assert_eq!(pairs(&bench, &[]).len(), found.len() - 1);
    bench.ok(&["redo"]);
    assert!(pairs(&bench, &[]).is_empty());
    is_intact(&bench);
}

#[test]
fn marks_follow_their_games_to_other_archives() {
    let bench = three();
    bench.ok(&["duplicates", "2", "3", "--different"]);
    let marked = |archive: &str| pairs(&bench, &["--marked", "-a", archive]);
    fs::write(bench.path("b.pgn"), "1. e4 *\n").unwrap();
    bench.import(&["-a", "b.db", "b.pgn"]);
    bench.ok(&["copy", "2..3", "-o", "copy.db"]);
    bench.ok(&["merge", "b.db", "plybook.db", "-o", "merged.db", "-q"]);
    bench.ok(&["salvage", "plybook.db", "-o", "saved.db"]);
    for (archive, pair) in [("copy.db", [1, 2]), ("merged.db", [3, 4]), ("saved.db", [2, 3])] {
        let found = marked(archive);
        assert_eq!(found.iter().map(|(one, two, ..)| [*one, *two]).collect::<Vec<_>>(), [pair], "{archive}");
        assert!(bench.ok(&["verify", "-a", archive]).contains("all intact"), "{archive}");
    }
    let several = pairs(&bench, &["--marked", "-a", "b.db", "-a", "plybook.db"]);
    assert_eq!(several.len(), 1);
}

#[test]
fn what_is_different_from_a_removed_game_is_different_from_the_one_that_is_kept() {
    for action in [&["--keep", "first"][..], &["--join"]] {
        let bench = three();
        bench.ok(&["duplicates", "2", "3", "--different"]);
        let resolve = |bench: &Bench| bench.run(&[&["duplicates", "--yes"], action].concat());
        resolve(&bench);
        assert_eq!(bench.ok(&["games", "--count"]), "2\n");
        let left = bench.ok(&["export"]);
        resolve(&bench);
        assert_eq!(bench.ok(&["export"]), left, "{action:?}");
        is_intact(&bench);
    }
}
