//! Archives of release 0.2, whose columns and index follow former rules until they are migrated.

use std::{fs, ops::ControlFlow::Continue};

use plybook::{
    archive::{Archive, WritableArchive},
    pgn::Location,
    record::{Record, TagLayoutCache},
};
use rusqlite::Connection;

use crate::common::{Bench, data, text};

const SPEEDS: [&str; 6] = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];

/// An archive that release 0.2 imported and indexed.
fn former() -> Bench {
    let bench = Bench::new();
    fs::copy(data("golden/former_values.db"), bench.path("plybook.db")).unwrap();
    bench
}

/// The same games, imported now.
fn fresh() -> Bench {
    let bench = Bench::new();
    fs::copy(data("golden/former_values.txt"), bench.path("games.pgn")).unwrap();
    bench.ok(&["import", "--quiet", "--index", "games.pgn"]);
    bench
}

/// The columns of all games, and the ids of the games of each speed.
fn values(bench: &Bench) -> String {
    let columns = bench.ok(&["sql", "SELECT id, date, white_elo, black_elo, eco FROM games ORDER BY id"]);
    let ids = |speed: &&str| text(&bench.run(&["games", "--format", "csv", "--speed", speed]).stdout);
    columns + &SPEEDS.iter().map(ids).collect::<String>()
}

/// What the index says of each speed.
fn moves_by_speed(bench: &Bench) -> String {
    let moves = |speed: &&str| text(&bench.run(&["explore", "--format", "json", "--speed", speed]).stdout);
    SPEEDS.iter().map(moves).collect()
}

#[test]
fn former_values_stay_until_an_archive_is_migrated_and_then_equal_those_of_a_new_import() {
    let (bench, fresh) = (former(), fresh());
    let (before, exported) = (values(&bench), bench.ok(&["export"]));
    assert_ne!(before, values(&fresh));
    let info = bench.run(&["info"]);
    assert!(text(&info.stdout).contains("some as read by release 0.2 or earlier\n"));
    assert!(text(&info.stderr).contains("values of release 0.2 or earlier: plybook migrate -a"));
    let with_index = moves_by_speed(&bench);
    let twin = bench.twin();
    twin.ok(&["index", "--drop"]);
    assert_eq!(moves_by_speed(&twin), with_index);
    assert_eq!(values(&twin), before);

    for bench in [&bench, &twin] {
        assert!(bench.ok(&["migrate"]).contains("values updated in 5 games"));
        assert_eq!(values(bench), values(&fresh));
        assert_eq!(moves_by_speed(bench), moves_by_speed(&fresh));
        assert_eq!(bench.ok(&["export"]), exported);
        assert!(bench.ok(&["verify"]).contains("7 games, 12 plies: all intact"));
        assert!(!bench.ok(&["info"]).contains("0.2"));
        assert_eq!(bench.json(&["info", "--format", "json"])["first_date"], "2013.01.31");
        assert!(bench.ok(&["migrate"]).contains("all values follow the current rules"));
    }
    // The same games are known.
    fs::copy(data("golden/former_values.txt"), bench.path("again.pgn")).unwrap();
    assert_eq!(bench.import(&["again.pgn"])["duplicate"], 7);
}

#[test]
fn changes_of_an_archive_can_be_undone_and_redone_after_its_values_are_renewed() {
    let bench = former();
    bench.ok(&["tag", "3", "Round=1"]);
    bench.ok(&["tag", "3", "Round=2"]);
    bench.ok(&["undo"]);
    bench.ok(&["comment", "5", "2", "late"]);
    bench.ok(&["tag", "1", "Round=7"]);
    bench.ok(&["undo"]);
    bench.ok(&["remove", "4"]);
    let exported = bench.ok(&["export"]);
    assert!(bench.ok(&["migrate"]).contains("values updated in"));
    assert!(bench.ok(&["verify"]).contains("all intact"));
    assert_eq!(bench.ok(&["export"]), exported);
    for _ in 0..3 {
        bench.ok(&["undo"]);
        assert!(bench.ok(&["verify"]).contains("all intact"));
    }
    assert_eq!(values(&bench), values(&fresh()));
    assert_eq!(bench.ok(&["export"]), former().ok(&["export"]));
    for _ in 0..3 {
        bench.ok(&["redo"]);
    }
    assert_eq!(bench.ok(&["export"]), exported);
    // Those that were undone before.
    let log = bench.json(&["log", "--format", "json"]);
    let undone = log.as_array().unwrap().iter().filter(|change| change["undone"] == true);
    let numbers: Vec<_> = undone.map(|change| change["change"].to_string()).collect();
    assert_eq!(numbers.len(), 2);
    numbers.iter().for_each(|number| drop(bench.ok(&["redo", number])));
    assert!(bench.ok(&["verify"]).contains("all intact"));
}

#[test]
fn games_added_to_an_old_archive_follow_todays_rules_at_once() {
    let bench = former();
    fs::write(bench.path("more.pgn"), "[TimeControl \"8+0.08\"]\n[UTCDate \"2011.11.11\"]\n\n1. a3 *\n")
        .unwrap();
    bench.ok(&["import", "--quiet", "more.pgn"]);
    assert_eq!(bench.ok(&["games", "--count", "--speed", "ultraBullet", "--date", "2011"]), "1\n");
    let first = |bench: &Bench| bench.ok(&["sql", "SELECT date FROM games WHERE id = 1"]);
    assert!(!first(&bench).contains("2013"));
    // A copy keeps the rules of each game.
    bench.ok(&["import", "--quiet", "plybook.db", "-a", "copy.db"]);
    assert!(bench.ok(&["info", "-a", "copy.db"]).contains("release 0.2 or earlier"));
    assert!(bench.ok(&["migrate", "-a", "copy.db"]).contains("values updated in 5 games"));
}

#[test]
fn a_damaged_archive_is_not_renewed() {
    let bench = former();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE game SET result = 1 WHERE id = 3").unwrap();
    drop(db);
    let before = values(&bench);
    assert!(bench.refused(&["migrate"]).contains("plybook salvage"));
    assert_eq!(values(&bench), before);
}

#[test]
fn an_archive_is_not_renewed_while_another_program_may_add_games() {
    let bench = former();
    let before = values(&bench);
    // As an import holds it between two batches.
    let open = WritableArchive::create_or_open(bench.path("plybook.db")).unwrap();
    assert_eq!(open.count().unwrap(), 7);
    let refused = bench.refused(&["migrate"]);
    assert!(refused.contains("another program has the archive open"), "{refused}");
    assert_eq!(values(&bench), before);
    open.finish().unwrap();
    assert!(bench.ok(&["migrate"]).contains("values updated in 5 games"));
}

#[test]
fn a_segment_built_from_former_values_is_not_added_after_they_were_renewed() {
    let bench = former();
    bench.ok(&["index", "--drop"]);
    let archive = WritableArchive::create_or_open(bench.path("plybook.db")).unwrap();
    let (state, games) =
        (archive.segments().present_state().unwrap(), (1..=archive.last_id().unwrap()).into());
    // What a renewal writes last, although the archive is open.
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    db.execute_batch("UPDATE tag_layout SET slots = ' ' || slots").unwrap();
    let built = state.segments().build_positions(games, None, 1000, |_| Continue(())).unwrap();
    assert!(!archive.segments().add(games, &[], built, &state).unwrap());
}

#[test]
fn a_writer_does_not_use_a_section_that_another_program_has_removed() {
    let bench = Bench::new();
    let pgn = "[Event \"One\"]\n\n1. e4 *\n\n[Event \"One\"]\n\n1. d4 *\n";
    fs::write(bench.path("two.pgn"), pgn).unwrap();
    bench.ok(&["import", "--quiet", "two.pgn", "-a", "two.db"]);
    let two = Archive::open(bench.path("two.db")).unwrap();
    let mut layouts = TagLayoutCache::default();
    let mut writer = WritableArchive::create_or_open(bench.path("plybook.db")).unwrap().into_writer();
    let source = writer.add_source("two.pgn").unwrap();
    for id in [1, 2] {
        let record = Record::of_stored(two.game(id).unwrap(), Default::default(), &mut layouts).unwrap();
        let place = Location { game: id.unsigned_abs(), line: 1, ..Location::default() };
        writer.add(&record, source, place).unwrap();
        writer.commit().unwrap();
        if id == 1 {
            let db = Connection::open(bench.path("plybook.db")).unwrap();
            db.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM section").unwrap();
        }
    }
    writer.finish().unwrap().finish().unwrap();
    let db = Connection::open(bench.path("plybook.db")).unwrap();
    let lost = "SELECT group_concat(id) FROM game WHERE section NOT IN (SELECT id FROM section)";
    // The new row has the id of the removed one, so both games have a section again.
    assert_eq!(db.query_row(lost, [], |row| row.get::<_, Option<String>>(0)).unwrap(), None);
}
