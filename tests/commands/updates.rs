//! The same game again: later versions update stored games, and imports can be undone.

use std::fs;

use crate::common::{Bench, data, text};

const ADDRESS: &str = "https://lichess.org/1xDrOVaj";

/// A game with these tag pairs after the usual ones.
fn game(site: &str, more: &str, moves: &str) -> String {
    let tags = "[Event \"Rated blitz game\"]\n[Date \"2026.11.20\"]\n[Round \"-\"]\n[White \"alice\"]\n[Black \"bob\"]\n";
    format!("{tags}[Site \"{site}\"]\n{more}\n{moves}\n\n")
}

const CLOCKS: &str = "1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:58] } 2. Nf3 1-0";
const ANALYSED: &str =
    "1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... e5 $6 { [%eval 0.3] [%clk 0:02:58] } (1... c5) 2. Nf3 1-0";

impl Bench {
    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// What an import of a text says, as JSON.
    fn take(&self, text: &str) -> serde_json::Value {
        let name = format!("{:x}.pgn", name_of(text));
        self.write(&name, text);
        self.import(&[&name])
    }

    fn exported(&self) -> String {
        self.ok(&["export"])
    }

    fn games(&self) -> i64 {
        self.json(&["info", "--format", "json"])["games"].as_i64().unwrap()
    }

    fn is_intact(&self) {
        let said = text(&self.run(&["verify"]).stdout);
        assert!(said.contains("all intact"), "{said}");
    }
}

/// A name that differs for other texts.
fn name_of(text: &str) -> u64 {
    text.bytes().fold(7, |hash: u64, byte| {
        (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

fn counts(report: &serde_json::Value) -> [i64; 3] {
    ["stored", "duplicate", "updated"].map(|name| report[name].as_i64().unwrap_or(0))
}

#[test]
fn a_game_that_returns_with_evaluations_is_updated_under_its_id_and_undone_exactly() {
    let bench = Bench::new();
    bench.take(&[game("Linares", "", "1. d4 1-0"), game(ADDRESS, "", CLOCKS)].concat());
    let before = bench.exported();
    // By the id alone, and with what follows it in an address.
    let later =
        game(&format!("{ADDRESS}/black#3"), "[GameId \"1xDrOVaj\"]\n[Annotator \"lichess.org\"]\n", ANALYSED);
    assert_eq!(counts(&bench.take(&later)), [0, 1, 1]);
    let shown = bench.ok(&["show", "2", "--format", "pgn"]);
    assert!(shown.contains("[%eval 0.2] [%clk 0:03:00]") && shown.contains("(1... c5)"), "{shown}");
    bench.is_intact();
    let after = bench.exported();
    assert_eq!(bench.games(), 2);
    // Neither file says anything new.
    for old in [game(ADDRESS, "", CLOCKS), later.clone() + "\n"] {
        assert_eq!(counts(&bench.take(&old)), [0, 1, 0]);
    }
    assert_eq!(bench.exported(), after);
    assert!(bench.ok(&["log"]).contains("Imported"), "{}", bench.ok(&["log"]));
    assert!(bench.ok(&["undo", "2"]).contains("undid change 2"));
    assert_eq!(bench.exported(), before);
    bench.is_intact();
    bench.ok(&["redo"]);
    assert_eq!(bench.exported(), after);
    bench.is_intact();
}

#[test]
fn a_broadcast_that_grows_in_five_steps_is_one_game() {
    let bench = Bench::new();
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
    for step in 1..=moves.len() {
        let movetext: Vec<String> = moves[..step]
            .iter()
            .enumerate()
            .map(|(ply, san)| match ply % 2 {
                0 => format!("{}. {san} {{ [%clk 1:{:02}:00] }}", ply / 2 + 1, 40 - ply),
                _ => format!("{}... {san} {{ [%clk 1:{:02}:00] }}", ply / 2 + 1, 40 - ply),
            })
            .collect();
        let result = if step == moves.len() { "1-0" } else { "*" };
        let tags = format!(
            "[GameURL \"https://lichess.org/broadcast/a/b/AbCdEfGh/12345678\"]\n[Result \"{result}\"]\n"
        );
        let report = bench.take(&game("Oslo", &tags, &format!("{} {result}", movetext.join(" "))));
        assert_eq!(counts(&report), if step == 1 { [1, 0, 0] } else { [0, 1, 1] });
    }
    assert_eq!(bench.json(&["games", "--format", "json"])[0]["plies"], 5);
    assert!(bench.exported().contains("5. ") || bench.exported().contains("3. Bb5 { [%clk 1:36:00] } 1-0"));
    bench.is_intact();
    for _ in 1..moves.len() {
        bench.ok(&["undo"]);
    }
    assert_eq!(bench.json(&["games", "--format", "json"])[0]["plies"], 1);
    bench.is_intact();
}

#[test]
fn the_same_players_event_date_and_round_are_one_game_if_one_record_continues_the_other() {
    let bench = Bench::new();
    let of = |round: &str, moves: &str| game("Linares", "", moves).replace("\"-\"", &format!("{round:?}"));
    assert_eq!(counts(&bench.take(&of("1", "1. e4 e5 *"))), [1, 0, 0]);
    assert_eq!(counts(&bench.take(&of("1", "1. e4 e5 2. Nf3 1-0"))), [0, 1, 1]);
    assert_eq!(counts(&bench.take(&of("1", "1. e4 *"))), [0, 1, 0]);
    assert_eq!(counts(&bench.take(&of("1", "1. e4 c5 2. Nf3 1-0"))), [1, 0, 0]);
    assert_eq!(counts(&bench.take(&of("2", "1. e4 e5 2. Nf3 1-0"))), [1, 0, 0]);
    // What is not known is nothing in common.
    assert_eq!(counts(&bench.take(&of("?", "1. e4 e5 *"))), [1, 0, 0]);
    assert_eq!(counts(&bench.take(&of("?", "1. e4 e5 2. Nf3 *"))), [1, 0, 0]);
}

#[test]
fn an_edited_game_keeps_its_edits_also_when_its_log_is_gone() {
    for (choice, compacts) in [("join", false), ("replace", false), ("replace", true), ("join", true)] {
        let bench = Bench::new();
        bench.take(&game(ADDRESS, "", CLOCKS));
        bench.ok(&["tag", "1", "White=Alice, A"]);
        bench.ok(&["comment", "1", "2w", "my own note"]);
        if compacts {
            bench.ok(&["compact", "--yes"]);
        }
        bench.write("later.pgn", &game(ADDRESS, "", ANALYSED));
        assert_eq!(counts(&bench.import(&["later.pgn", "--on-update", choice])), [0, 1, 1]);
        let shown = bench.exported();
        for kept in ["Alice, A", "my own note", "[%eval 0.2]", "[%clk 0:03:00]"] {
            assert!(shown.contains(kept), "{choice}: {kept}\n{shown}");
        }
        // As it was imported, it says nothing new.
        assert_eq!(counts(&bench.take(&(game(ADDRESS, "", CLOCKS) + "\n"))), [0, 1, 0]);
        bench.is_intact();
    }
}

#[test]
fn versions_that_contradict_each_other_are_treated_as_asked() {
    let [old, new] = ["{ old }", "{ new }"].map(|words| game(ADDRESS, "", &format!("1. e4 {words} e5 1-0")));
    for (choice, games, words, expected) in [
        ("join", 1, vec!["{ new } { old }"], [0, 1, 1]),
        ("replace", 1, vec!["{ new }"], [0, 1, 1]),
        ("skip", 1, vec!["{ old }"], [0, 1, 0]),
        ("both", 2, vec!["{ old }", "{ new }"], [1, 0, 0]),
    ] {
        let bench = Bench::new();
        bench.take(&old);
        bench.write("new.pgn", &new);
        assert_eq!(counts(&bench.import(&["new.pgn", "--on-update", choice])), expected, "{choice}");
        let exported = bench.exported();
        assert_eq!(
            (bench.games(), words.iter().all(|words| exported.contains(words))),
            (games, true),
            "{exported}"
        );
        // Both files again, in either order and also when asked to read them again.
        for names in [["new.pgn", "old.pgn"], ["old.pgn", "new.pgn"]] {
            bench.write("old.pgn", &old);
            bench.import(&[names[0], names[1], "--again", "--on-update", choice]);
            assert_eq!(bench.exported(), exported, "{choice}");
        }
        bench.is_intact();
    }
    let refused = Bench::new().run(&["import", "x.pgn", "--on-update", "merge"]);
    assert!(text(&refused.stderr).contains("expected join, replace, both or skip"));
}

#[test]
fn two_games_with_one_address_stay_two_games() {
    let bench = Bench::new();
    bench.take(&game(ADDRESS, "", "1. e4 e5 2. Nf3 Nc6 1-0"));
    let report = bench.take(&game(ADDRESS, "", "1. d4 d5 2. c4 e6 0-1"));
    assert_eq!(counts(&report), [1, 0, 0]);
    assert_eq!(report["source_notes"]["same_address"], 1);
    // An address that says nothing, because every game has it.
    let of_others = |n: usize| {
        let moves = ["1. e4 e5 2. Nf3", "1. d4 d5", "1. e4 e5", "1. e4 c5 2. Nf3"][n % 4];
        let game = game("https://lichess.org/AAAAAAAA", "", &format!("{moves} *"));
        game.replace("alice", &format!("a{n}")).replace("bob", &format!("b{n}"))
    };
    let report = bench.take(&(0..400).map(of_others).collect::<String>());
    let noted = ["same_address", "common_identity"].map(|key| report["source_notes"][key].as_i64().unwrap());
    assert_eq!((counts(&report), noted), ([400, 0, 0], [16, 383]));
    bench.is_intact();
}

#[test]
fn games_of_other_archives_update_stored_ones_and_merging_again_changes_nothing() {
    let bench = Bench::new();
    bench.write("old.pgn", &game(ADDRESS, "", CLOCKS));
    bench.write("new.pgn", &[game("Linares", "", "1. d4 1-0"), game(ADDRESS, "", ANALYSED)].concat());
    bench.ok(&["import", "old.pgn", "-a", "old.db"]);
    bench.ok(&["import", "new.pgn", "-a", "new.db"]);
    bench.ok(&["merge", "old.db", "new.db", "-o", "all.db"]);
    let exported = bench.ok(&["export", "-a", "all.db"]);
    assert_eq!(exported.matches("[Event ").count(), 2, "{exported}");
    assert!(exported.contains("[%eval 0.2] [%clk 0:03:00]"), "{exported}");
    bench.ok(&["import", "new.db", "old.db", "-a", "all.db"]);
    assert_eq!(bench.ok(&["export", "-a", "all.db"]), exported);
    // The other way round, the later version is there already.
    bench.ok(&["merge", "new.db", "old.db", "-o", "other.db"]);
    assert_eq!(bench.ok(&["export", "-a", "other.db"]).matches("[Event ").count(), 2);
}

#[test]
fn an_archive_of_an_earlier_release_learns_of_its_games_at_the_first_import() {
    let bench = Bench::new();
    bench.take(&game(ADDRESS, "", CLOCKS));
    let db = rusqlite::Connection::open(bench.path("plybook.db")).unwrap();
    // As earlier releases leave an archive.
    db.execute_batch(
        "DROP TABLE plybook_identity_run; DROP TABLE plybook_identity_block; DELETE FROM setting WHERE name = 'identities'",
    )
    .unwrap();
    drop(db);
    assert_eq!(counts(&bench.take(&game(ADDRESS, "", ANALYSED))), [0, 1, 1]);
    bench.is_intact();
}

#[test]
fn verify_finds_missing_identities() {
    let bench = Bench::new();
    bench.take(&game(ADDRESS, "", CLOCKS));
    bench.is_intact();
    for damage in [
        "DELETE FROM plybook_identity_block",
        "DELETE FROM plybook_identity_block; DELETE FROM plybook_identity_run",
    ] {
        let twin = bench.twin();
        rusqlite::Connection::open(twin.path("plybook.db")).unwrap().execute_batch(damage).unwrap();
        let report = twin.run(&["verify"]);
        assert_eq!(report.status.code(), Some(1), "{damage}");
        assert!(text(&report.stdout).contains("the index of identities"), "{damage}");
    }
}

#[test]
fn an_import_is_undone_with_all_its_games_and_its_file_is_read_anew() {
    let bench = Bench::with_games();
    let before = bench.exported();
    bench.write("more.pgn", &[game("Linares", "", "1. d4 1-0"), game(ADDRESS, "", CLOCKS)].concat());
    // A duplicate of another source stays.
    let famous = fs::read_to_string(data("famous.pgn")).unwrap();
    bench.write("mixed.pgn", &(famous + "\n" + &game("Oslo", "", "1. c4 1-0")));
    assert_eq!(counts(&bench.import(&["more.pgn", "mixed.pgn"]))[0], 3);
    let version = |bench: &Bench| bench.json(&["info", "--format", "json"])["version"].clone();
    let (full, old_version) = (bench.exported(), version(&bench));
    assert_eq!(bench.ok(&["undo"]), "undid change 2: Imported more.pgn (+ 1)\n");
    assert_eq!((bench.exported(), version(&bench) == old_version), (before.clone(), false));
    bench.is_intact();
    assert!(bench.ok(&["log"]).contains("(undone)"));
    bench.ok(&["redo"]);
    assert_eq!(bench.exported(), full);
    let ids = |bench: &Bench| bench.json(&["games", "--format", "json", "--event", "blitz"]).to_string();
    let with_ids = ids(&bench);
    bench.ok(&["undo"]);
    bench.ok(&["redo"]);
    assert_eq!(ids(&bench), with_ids);
    bench.is_intact();
    bench.ok(&["undo"]);
    let report = bench.import(&["more.pgn"]);
    assert_eq!((counts(&report), report["met"].as_array().map(Vec::len)), ([2, 0, 0], Some(0)), "{report}");
    assert!(bench.refused(&["redo", "2"]).contains("imported again"));
    bench.is_intact();
}

#[test]
fn an_import_of_which_a_game_was_edited_is_not_undone() {
    let bench = Bench::new();
    bench.take(&[game("Linares", "", "1. d4 1-0"), game(ADDRESS, "", CLOCKS)].concat());
    bench.ok(&["tag", "2", "White=x"]);
    let exported = bench.exported();
    let refused = bench.refused(&["undo", "1"]);
    assert!(refused.contains("change 1 cannot be undone: game 2 has been changed since"), "{refused}");
    bench.ok(&["compact", "--yes"]);
    assert!(bench.refused(&["undo", "1"]).contains("game 2 has been changed since"));
    assert_eq!(bench.exported(), exported);
    // Without the edit, it is.
    bench.ok(&["tag", "2", "White=alice"]);
    bench.is_intact();
}

#[test]
fn what_was_appended_to_a_file_is_an_import_of_its_own() {
    let bench = Bench::new();
    let [first, second, third] =
        ["1. d4 1-0", "1. c4 1-0", "1. e4 1-0"].map(|moves| game("Linares", "", moves));
    bench.write("week.pgn", &first);
    bench.import(&["week.pgn"]);
    let before = bench.exported();
    bench.write("week.pgn", &[first.clone(), second.clone(), third.clone()].concat());
    assert_eq!(counts(&bench.import(&["week.pgn"])), [2, 0, 0]);
    let full = bench.exported();
    let log = bench.json(&["log", "--format", "json"]);
    assert_eq!([&log[0]["games"], &log[1]["games"]], [1, 2], "{log}");
    bench.ok(&["undo"]);
    assert_eq!(bench.exported(), before);
    bench.is_intact();
    // Read anew, the first game is a duplicate.
    assert_eq!(counts(&bench.import(&["week.pgn"]))[0], 2);
    assert_eq!(bench.exported(), full);
    bench.is_intact();
}

#[test]
fn imports_of_the_same_games_are_undone_in_any_order() {
    let bench = Bench::new();
    bench.write("one.pgn", &game("Linares", "", "1. d4 1-0"));
    bench.write("two.pgn", &(game("Linares", "", "1. d4 1-0") + &game("Linares", "", "1. c4 1-0")));
    bench.import(&["one.pgn"]);
    bench.import(&["two.pgn"]);
    let before = bench.exported();
    for order in [["1", "2"], ["2", "1"]] {
        for number in order {
            bench.ok(&["undo", number]);
        }
        assert_eq!(text(&bench.run(&["games", "--count"]).stdout).trim(), "0");
        for number in ["1", "2"] {
            bench.ok(&["redo", number]);
        }
        assert_eq!(bench.exported(), before);
    }
    // One of its games was a duplicate of a game that is gone.
    bench.ok(&["undo", "1"]);
    assert_eq!(counts(&bench.import(&["two.pgn"])), [1, 1, 0]);
    bench.is_intact();
}

#[test]
fn what_cannot_be_undone_says_why() {
    let bench = Bench::new();
    bench.take(&game(ADDRESS, "", CLOCKS));
    bench.take(&game(ADDRESS, "", ANALYSED));
    bench.ok(&["tag", "1", "Annotator=Me"]);
    let refused = bench.refused(&["undo", "2"]);
    assert!(refused.contains("game 1 has been changed since; undo the later change first"), "{refused}");
    bench.ok(&["compact", "--yes"]);
    let refused = bench.refused(&["undo", "2"]);
    assert!(refused.contains("nothing of it is in the log"), "{refused}");
    assert!(bench.exported().contains("[%eval 0.2]"));
}

#[test]
fn undo_takes_an_import_that_only_kept_rejected_games() {
    let bench = Bench::new();
    bench.write("good.pgn", &game("Linares", "", "1. d4 1-0"));
    bench.write("bad.pgn", &game("Linares", "", "1. d5 1-0"));
    bench.import(&["good.pgn"]);
    bench.json(&["import", "bad.pgn", "--keep-rejects", "--allow-rejects", "--format", "json"]);
    // Another import that does nothing is no change.
    bench.json(&["import", "good.pgn", "--again", "--format", "json"]);
    assert!(bench.ok(&["undo"]).contains("bad.pgn"));
    assert!(text(&bench.run(&["rejects"]).stdout).contains("no games"));
    assert_eq!(bench.games(), 1);
    bench.ok(&["redo"]);
    assert!(bench.ok(&["rejects"]).contains("d5"));
}
