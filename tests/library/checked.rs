//! A stored game that has turned into another one is reported and never written as valid by the commands that check.

use std::{fs, path::Path};

use crate::common::{Bench, Random, corpus, data, engine_games, many_games, server::Served, text, trials};
use plybook::{
    archive::{Archive, Filter, SqlArchive, SqlLimits, Summary},
    export::Export,
};
use rusqlite::Connection;

/// Changes an archive in a way that plybook never does.
fn change(bench: &Bench, sql: &str) {
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch(&format!("PRAGMA writable_schema = ON; {sql}")).unwrap();
}

#[test]
fn a_game_that_has_turned_into_another_is_reported_and_skipped() {
    let bench = Bench::with_games();
    let export = |more: &[&str]| bench.run(&[&["export"], more].concat());
    let whole = text(&export(&[]).stdout);
    let checked = export(&["--check"]);
    assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), whole.clone()));
    let id: i64 = {
        let db = Connection::open(bench.path("plybook.db")).unwrap();
        db.query_row("SELECT id FROM game WHERE id > 9 AND white IS NOT NULL", [], |row| row.get(0)).unwrap()
    };
    change(
        &bench,
        &format!(
            "INSERT INTO player (name) VALUES ('Someone, Else');
                             UPDATE game SET white = (SELECT max(id) FROM player) WHERE id = {id}"
        ),
    );
    let named = format!("game {id} is damaged: its fingerprint differs from the stored one");
    // The control: without the check nothing is reported.
    let silent = export(&[]);
    assert!(silent.status.code() == Some(0) && text(&silent.stdout).contains("Someone, Else"));
    let listed = bench.ok(&["games", "--id", &id.to_string()]);
    assert!(listed.contains("Someone"), "{listed}");

    let id = id.to_string();
    let formats = ["pgn", "uci", "fen", "epd", "csv", "json", "jsonl"];
    for format in formats.map(|format| vec!["--format", format]).into_iter().chain([
        vec!["--original"],
        vec!["--format", "csv", "--moves", "san", "--tags"],
        vec!["--format", "csv", "--positions"],
        vec!["--id", &id],
    ]) {
        let output = export(&[&["--check"], &format[..]].concat());
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.code() == Some(1) && err.contains(&named), "{format:?}: {err}");
        assert!(!out.contains("Someone, Else"), "{format:?}");
        assert!(err.contains("of player") && err.contains("of game"), "the rows are checked too: {err}");
    }
    if cfg!(feature = "columns") {
        for format in ["parquet", "arrow"] {
            let output = export(&["--check", "--format", format, "-o", format]);
            assert!(output.status.code() == Some(1) && text(&output.stderr).contains(&named), "{format}");
            let written = fs::read(bench.path(format)).unwrap();
            assert!(!String::from_utf8_lossy(&written).contains("Someone, Else"), "{format}");
        }
    }
    // If damage prevents a search from finding a game, the changed rows are reported.
    let found = export(&["--check", "--player", "Someone"]);
    assert!(found.status.code() == Some(1) && text(&found.stderr).contains("games by player"));
    // The other games are written.
    let others = text(&export(&["--check"]).stdout);
    assert_eq!(others.matches("[Event ").count() + 1, whole.matches("[Event ").count());

    for format in ["moves", "board", "fen", "pgn", "san", "uci", "json", "svg"] {
        assert!(bench.refused(&["show", &id, "--format", format]).contains(&named), "{format}");
    }
    let served = Served::new(&bench, &[]);
    for path in [format!("/api/v1/games/{id}"), format!("/api/v1/games/{id}.pgn"), format!("/game/{id}")] {
        let reply = served.get(&path);
        assert!(reply.status == 500 && !reply.text().contains("Someone, Else"), "{path}: {}", reply.text());
    }
    assert_eq!(served.get("/api/v1/games/1").status, 200);
}

/// Every game as PGN, or as a list row; `None` if one of them cannot be read, or does not match what was stored if that
/// is checked.
fn exported(path: &Path, is_checked: bool) -> Option<String> {
    let archive = Archive::open(path).ok()?;
    let check = if is_checked { Some(archive.game_check(|_| ()).ok()?) } else { None };
    let (mut pgn, mut export) = (Vec::new(), Export { check: check.as_ref(), ..Export::new(&archive) });
    export.write(&Filter::default(), &mut pgn, |_| ()).ok()?;
    let faults = export.counts.damaged + check.as_ref().map_or(0, |check| check.faults);
    (faults == 0).then(|| text(&pgn))
}

/// The output of the other commands.
fn answers(path: &Path) -> Option<String> {
    let archive = Archive::open(path).ok()?;
    let mut said = format!("{:?}", archive.maintenance().extent().ok()?);
    for summary in archive.list::<Summary>(&Filter::default()) {
        said.push_str(&format!("{:?}", summary.ok()?));
    }
    let mut sql = SqlArchive::new(archive, SqlLimits::default()).ok()?;
    for view in ["SELECT * FROM games ORDER BY id", "SELECT * FROM other_tag ORDER BY game, name, value"] {
        sql.run(view, &[], &mut |mut rows| {
            while let Some(row) = rows.next_row()? {
                said.push_str(&format!("{row:?}"));
            }
            Ok(())
        })
        .ok()?;
    }
    Some(said)
}

#[test]
fn a_checked_export_of_a_damaged_file_writes_what_was_stored_or_reports_damage() {
    let bench = Bench::new();
    // Latin-1, so that original texts are kept.
    let games = many_games(60).replace("[Event \"London", "[Event \"L\u{f6}ndon");
    let latin: Vec<u8> = games.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    fs::write(bench.path("many.pgn"), latin).unwrap();
    fs::write(bench.path("engines.pgn"), engine_games(4)).unwrap();
    bench.import(&["many.pgn", "engines.pgn", data("").to_str().unwrap()]);
    bench.ok(&["index", "--quiet"]);
    let whole = fs::read(bench.path("plybook.db")).unwrap();
    let path = bench.path("changed.db");
    let (stored, said) =
        (exported(&bench.path("plybook.db"), true).unwrap(), answers(&bench.path("plybook.db")));
    assert!(said.is_some());
    let mut random = Random(41);
    let (changes, mut silent, mut refused, mut other_answers) = (trials(150, 1200), 0, 0, 0);
    for _ in 0..changes {
        let mut changed = whole.clone();
        let place = random.below(whole.len());
        changed[place] ^= 1 + random.below(255) as u8;
        fs::write(&path, &changed).unwrap();
        let written = exported(&path, true);
        assert!(written.as_ref().is_none_or(|written| *written == stored), "byte {place}: another text");
        refused += u32::from(written.is_none());
        silent += u32::from(exported(&path, false).is_some_and(|written| written != stored));
        if written.is_none() || answers(&path) != said {
            other_answers += 1;
            let faults = Archive::open(&path)
                .and_then(|archive| archive.maintenance().verify(|_| ()))
                .map(|verdict| verdict.faults);
            assert!(
                faults.as_ref().is_ok_and(|faults| *faults > 0) || faults.is_err(),
                "byte {place}: not found"
            );
        }
    }
    println!(
        "{changes} changed bytes: {refused} checked exports say so, the others write what was stored; {silent} exports \
         without the check write other texts; verify finds all {other_answers} that change an answer"
    );
    // The control: the check finds something.
    assert!(silent > changes / 100);
}

/// Asserts that the check finds nothing in an archive.
fn passes(bench: &Bench, archive: &str) {
    for format in [&[][..], &["--format", "csv", "--tags"], &["--format", "pgn", "--original"]] {
        let export = |more: &[&str]| bench.run(&[&["export", "-a", archive], format, more].concat());
        let (plain, checked) = (export(&[]), export(&["--check"]));
        assert!(checked.stdout == plain.stdout, "{archive} {format:?}");
        assert_eq!(text(&checked.stderr), text(&plain.stderr), "{archive} {format:?}");
        assert_eq!(checked.status.code(), plain.status.code(), "{archive} {format:?}");
    }
}

#[test]
fn all_project_games_pass_the_check_in_every_kind_of_archive() {
    let bench = Bench::new();
    let report = bench.import(&[data("").to_str().unwrap()]);
    let stored = report["stored"].as_u64().unwrap();
    passes(&bench, "plybook.db");
    for id in 1..=stored {
        bench.ok(&["show", &id.to_string()]);
    }
    for version in 1..=4 {
        let name = format!("v{version}.db");
        fs::copy(data(&format!("archives/{name}")), bench.path(&name)).unwrap();
        passes(&bench, &name);
        assert!(!text(&bench.run(&["verify", "-a", &name]).stdout).contains("fault"), "{name}");
        bench.ok(&["show", "1", "-a", &name]);
        // Migrated to the current version.
        bench.ok(&["migrate", "-a", &name]);
        passes(&bench, &name);
    }
    bench.ok(&["split", "plybook.db", "--into", "parts", "--parts-of", "20", "--quiet"]);
    passes(&bench, "parts");
    bench.ok(&["show", &stored.to_string(), "-a", "parts"]);
    bench.ok(&["index", "--quiet"]);
    passes(&bench, "plybook.db");
}

#[test]
fn every_game_of_the_collections_passes_the_check() {
    for name in ["otb.pgn.zst", "lichess.pgn.zst", "variants.pgn", "annotated", "hard"] {
        let Some(path) = corpus(name) else { continue };
        let bench = Bench::new();
        let output = bench.run(&["import", path.to_str().unwrap(), "--quiet"]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}");
        let [plain, checked] = [&["export"][..], &["export", "--check"]].map(|export| bench.run(export));
        assert!(plain.stdout == checked.stdout, "{name}");
        assert_eq!(text(&checked.stderr), text(&plain.stderr), "{name}");
    }
}
