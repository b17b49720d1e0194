//! Edits at their limits: an edit that changes nothing, glyphs that are not in the standard, the most annotations that
//! a game may have, text in a guessed encoding, and what is noted of a typed game.

use std::{fs, process::Output};

use crate::common::{Bench, data, text};
use plybook::limits::MAX_ANNOTATIONS;

/// Edits a game with a shell command as the editor.
#[cfg(unix)]
fn edit(bench: &Bench, id: usize, editor: &str) -> Output {
    use std::os::unix::fs::PermissionsExt;
    let script = bench.path("editor");
    fs::write(&script, format!("#!/bin/sh\n{editor}\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let id = id.to_string();
    bench.command(&["edit", &id]).env("EDITOR", &script).env_remove("VISUAL").output().unwrap()
}

#[cfg(unix)]
#[test]
fn an_edit_that_changes_nothing_is_no_change() {
    let bench = Bench::new();
    let odd = "[Event \"odd\"]\n[White \"\"]\n[Result \"1-0\"]\n\n1. e4! $300 $0 e5 {a\nb} ; c\n (1... c5) 2. Sf3 *\n";
    fs::write(bench.path("odd.pgn"), odd).unwrap();
    let files = ["famous.pgn", "annotated.pgn", "setup.pgn", "chess960.pgn"].map(data);
    let files = files.iter().map(|path| path.to_str().unwrap()).chain(["odd.pgn"]);
    bench.import(&[files.collect::<Vec<_>>(), vec!["--letters", "auto"]].concat());
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let games: usize = bench.ok(&["games", "--count"]).trim().parse().unwrap();
    for id in 1..=games {
        for editor in ["printf '\\n\\n' >> \"$1\"", "sed -i '1s/^/\\n/' \"$1\"", "sed -i '1s/]$/ ]/' \"$1\""]
        {
            let output = edit(&bench, id, editor);
            let (said, error) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(0), "{id}: {editor}: {error}");
            assert!(said.contains("nothing to change"), "{id}: {editor}: {said}");
        }
    }
    assert!(fs::read(bench.path("plybook.db")).unwrap() == before);
    // The order of tag pairs is part of a game.
    let output = edit(&bench, 1, "sed -i '1{h;d};2{G}' \"$1\"");
    assert!(text(&output.stdout).contains("edited 1 game (change 6"), "{}", text(&output.stderr));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn glyphs_outside_the_standard_are_kept_but_not_set() {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), "1. e4 $300 $0 e5 *\n").unwrap();
    bench.import(&["a.pgn"]);
    for glyph in ["$0", "$256", "$300", "$65535"] {
        let said = bench.refused_usage(&["glyph", "1", "2", glyph]);
        assert!(said.contains("$1 to $255"), "{glyph}: {said}");
    }
    bench.ok(&["glyph", "1", "2", "$1", "$255"]);
    bench.ok(&["comment", "1", "1", "kept"]);
    let shown = bench.ok(&["export"]);
    assert!(shown.contains("1. e4 $300 $0 {kept} 1... e5 $1 $255"), "{shown}");
}

#[test]
fn one_annotation_more_than_a_game_may_have_is_refused_by_that_reason() {
    let bench = Bench::new();
    let full = format!("1. e4 {}e5 *\n", "$1 ".repeat(MAX_ANNOTATIONS));
    fs::write(bench.path("full.pgn"), &full).unwrap();
    bench.import(&["full.pgn"]);
    for command in [&["comment", "1", "1", "x"][..], &["glyph", "1", "2", "!"]] {
        let said = bench.refused(command);
        assert!(said.contains("game 1: the game has more than 1000000 annotations"), "{command:?}: {said}");
    }
    fs::write(bench.path("more.pgn"), full.replace("e5", "e5 $2")).unwrap();
    assert!(bench.refused(&["add", "more.pgn"]).contains("more than 1000000 annotations"));
    bench.ok(&["comment", "1", "2", "", "--dry-run"]);
    bench.ok(&["glyph", "1", "1", "!"]);
    bench.ok(&["comment", "1", "1", "x"]);
}

#[test]
fn a_guessed_encoding_is_noted_as_by_an_import() {
    let bench = Bench::with_games();
    let note = "note: 1 game not in UTF-8, read in the detected encoding or as Windows-1252";
    let latin: &[u8] = b"[White \"M\xfcller\"]\n\n1. a3 *\n";
    fs::write(bench.path("latin.pgn"), latin).unwrap();
    let imported = bench.ok(&["import", "latin.pgn", "-a", "other.db"]);
    assert!(imported.contains(note), "{imported}");
    for added in [bench.run(&["add", "latin.pgn", "-n"]), bench.feed(&["add"], latin)] {
        assert!(text(&added.stderr).contains(note), "{}", text(&added.stderr));
    }
    let plain = bench.run(&["add", "[White \"M\u{fc}ller\"]\n\n1. a4 *\n"]);
    assert_eq!(text(&plain.stderr), "");
    #[cfg(unix)]
    {
        let output = edit(&bench, 1, "printf '[White \"M\\374ller\"]\\n\\n1. h4 *\\n' > \"$1\"");
        assert!(text(&output.stderr).contains(note), "{}", text(&output.stderr));
    }
    assert_eq!(bench.ok(&["games", "--player", "m\u{fc}ller", "--count"]), "3\n");
}

#[test]
fn info_names_the_whole_index_after_a_change() {
    let bench = Bench::with_games();
    bench.ok(&["index", "--quiet"]);
    let line = |lines: String| lines.lines().find(|line| line.starts_with("index")).map(str::to_owned);
    let before = line(bench.ok(&["info"]));
    bench.ok(&["tag", "1", "Site=Q"]);
    assert_eq!(line(bench.ok(&["info"])), before);
    assert!(before.unwrap().contains("positions, material and patterns"));
    assert_eq!(bench.json(&["info", "--format", "json"])["has_all_trails"], true);
}

#[test]
fn what_an_added_game_loses_or_repairs_is_noted() {
    let bench = Bench::with_games();
    let output = bench.run(&["add", "1. d4 d5 2. c4 e6 (2... c6 3. Qxh7) 3. Nc3 Nf6 1-0"]);
    let notes = text(&output.stderr);
    assert!(
        output.status.success() && notes.contains("note: 1 game with variations that cannot be played"),
        "{notes}"
    );
    for (date, stored, noted) in [
        ("20.11.2026", "2026.11.20", ""),
        (
            "10.11.2026",
            "10.11.2026",
            "line 1: the date is kept as text: this date is not clear: it can be 2026.11.10 or 2026.10.11",
        ),
    ] {
        let output = bench.run(&["add", &format!("[Date \"{date}\"]\n\n1. e4 e5 2. Nf3 *")]);
        let notes = text(&output.stderr);
        assert!(notes.contains(noted) && notes.is_empty() == noted.is_empty(), "{notes}");
        assert!(bench.ok(&["export"]).contains(&format!("[Date \"{stored}\"]")), "{stored}");
    }
}
