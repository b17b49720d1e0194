//! Three more side tables, which only tests have: of games, positions and players. Each is a row of the list of tables,
//! its codec and its statement.

use std::{ops::ControlFlow, path::Path};

use super::*;
use crate::archive::{
    Archive, CopyRange, Editor, Filter, GameSet, LATEST_VERSION, PreparedGames, VERSION, VerifyReport,
    WritableArchive, salvage, schema,
};
use plybook_pgn::Location;

pub(in crate::archive) const TABLES: &str = "
CREATE TABLE remark (
    game INTEGER PRIMARY KEY REFERENCES game,
    text BLOB NOT NULL
) STRICT;

CREATE TABLE evaluation (
    position INTEGER PRIMARY KEY,
    value    BLOB NOT NULL
) STRICT;

CREATE TABLE title (
    player INTEGER PRIMARY KEY REFERENCES player,
    title  BLOB NOT NULL
) STRICT;

";

/// The codec of all three.
pub(in crate::archive) fn letters(value: &[u8]) -> Result<Vec<u8>, String> {
    let is_valid = !value.is_empty() && value.iter().all(u8::is_ascii_lowercase);
    is_valid.then(|| value.to_vec()).ok_or_else(|| "it has other bytes than letters".to_owned())
}

const POSITION: i64 = -0x1234_5678_9abc_def0;
const OTHER: i64 = 0x0fed_cba9_8765_4321;

fn row(id: i64, value: &str) -> Vec<u8> {
    let mut row = row_hash::integer(id).to_vec();
    row_hash::push(&mut row, rusqlite::types::ValueRef::Blob(value.as_bytes()));
    row
}

/// Sets values as one change.
fn set(path: &Path, values: &[(Checked, i64, &str)]) {
    let mut editor = Editor::open(path).unwrap();
    let make = |change: &mut crate::archive::Change<'_>| {
        for (table, id, value) in values {
            change.set_row(*table, *id, Some(&row(*id, value))).unwrap();
        }
        Ok(())
    };
    editor.change("set", false, make).unwrap();
}

fn archive_of(folder: &Path, name: &str, pgn: &str) -> std::path::PathBuf {
    let (source, path) = (folder.join(name).with_extension("pgn"), folder.join(name));
    std::fs::write(&source, pgn).unwrap();
    plybook::import::import_paths(&path, &[source], &Default::default()).unwrap();
    path
}

const GAMES: &str = "[White \"A\"]\n\n1. e4 {x} *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 *\n";

/// Games with two remarks, evaluations of two positions and titles of two players.
fn example(folder: &Path) -> std::path::PathBuf {
    let path = archive_of(folder, "a.db", GAMES);
    let player = |name| Archive::open(&path).unwrap().names().players(name).unwrap()[0];
    let (a, c) = (player("A"), player("C"));
    set(&path, &[(Checked::Remark, 1, "one"), (Checked::Remark, 3, "three")]);
    set(&path, &[(Checked::Evaluation, POSITION, "good"), (Checked::Evaluation, OTHER, "bad")]);
    set(&path, &[(Checked::Title, a, "gm"), (Checked::Title, c, "im")]);
    path
}

/// All values of an archive.
fn values(path: &Path) -> Vec<(Checked, i64, String)> {
    let archive = Archive::open(path).unwrap();
    let mut values = Vec::new();
    for table in [Checked::Remark, Checked::Evaluation, Checked::Title] {
        if table.exists(&archive.db).unwrap() {
            let mut rows = archive.db.prepare(&format!("SELECT * FROM {}", table.name())).unwrap();
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?));
            for value in rows.query_map([], read).unwrap() {
                let (id, value) = value.unwrap();
                values.push((table, id, String::from_utf8(value).unwrap()));
            }
        }
    }
    values
}

fn verified(path: &Path) -> VerifyReport {
    Archive::open(path).unwrap().maintenance().verify(|_| ()).unwrap()
}

fn version(path: &Path) -> i64 {
    Archive::open(path).unwrap().version().unwrap()
}

#[test]
fn a_side_table_raises_the_version_when_it_is_created_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive_of(folder.path(), "a.db", GAMES);
    assert_eq!(version(&path), VERSION);
    // Without a value, no table is created, and changes of games do not need it.
    Editor::open(&path).unwrap().change("remove", false, |change| remove(change, 2)).unwrap();
    assert_eq!((version(&path), values(&path).len()), (5, 0));
    set(&path, &[(Checked::Title, 1, "gm")]);
    assert_eq!(version(&path), 11);
    // A table of an earlier version does not lower it.
    set(&path, &[(Checked::Remark, 1, "one")]);
    assert_eq!((version(&path), LATEST_VERSION), (11, 11));
    assert!(verified(&path).first_problem().is_none());
}

#[test]
fn an_archive_with_side_tables_need_not_have_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    let mut writer = WritableArchive::create_or_open(&path).unwrap().into_writer();
    let shared = SharedValues(vec![SharedValue {
        table: Checked::Evaluation,
        owner: ValueOwner::Other(POSITION),
        columns: row(POSITION, "good").split_off(row_hash::INTEGER),
    }]);
    writer.add_shared(&shared, 0).unwrap();
    writer.finish().unwrap().finish().unwrap();
    let archive = Archive::open(&path).unwrap();
    assert_eq!(version(&path), 10);
    assert!(!Checked::Change.exists(&archive.db).unwrap());
    assert!(verified(&path).first_problem().is_none());
    // Tables of changes are not created one by one.
    drop(archive);
    let db = Connection::open(&path).unwrap();
    db.execute_batch(schema::table("plybook_change")).unwrap();
    let error = Archive::open(&path).unwrap_err().to_string();
    assert!(error.contains("its table \"plybook_change_row\" is missing"), "{error}");
}

fn remove(change: &mut crate::archive::Change<'_>, id: i64) -> Result<()> {
    change.remove(&[id].into_iter().collect::<GameSet>(), |_| ControlFlow::Continue(()))
}

#[test]
fn changes_of_side_tables_are_undone_and_redone() {
    let folder = tempfile::tempdir().unwrap();
    let path = example(folder.path());
    let before = values(&path);
    assert_eq!(before.len(), 6);
    // A removed game takes its values along.
    Editor::open(&path).unwrap().change("remove", false, |change| remove(change, 3)).unwrap();
    assert_eq!(values(&path).len(), 5);
    let changes = Archive::open(&path).unwrap().changes().unwrap();
    let games: Vec<_> = changes.iter().map(|change| change.games).collect();
    // The import, the example's changes, and this one.
    assert_eq!(games, [3, 2, 0, 0, 1]);
    let mut editor = Editor::open(&path).unwrap();
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.changed_games(&changes[2], 9).unwrap(), []);
    for left in [6, 4, 2, 0] {
        editor.undo(None).unwrap();
        assert_eq!(values(&path).len(), left);
    }
    for _ in 0..3 {
        editor.redo(None).unwrap();
    }
    drop((editor, archive));
    assert_eq!(values(&path), before);
    assert!(verified(&path).first_problem().is_none());
    // The same value has been changed since.
    set(&path, &[(Checked::Evaluation, OTHER, "better")]);
    let error = Editor::open(&path).unwrap().undo(Some(3)).unwrap_err().to_string();
    assert!(error.contains(&format!("row {OTHER} of evaluation has been changed since")), "{error}");
}

/// The values that a copy of the games 2 and 3 of the example has.
fn of_two_games(path: &Path) -> bool {
    let player = Archive::open(path).unwrap().names().players("C").unwrap()[0];
    let expected = [
        (Checked::Remark, 2, "three"),
        (Checked::Evaluation, POSITION, "good"),
        (Checked::Evaluation, OTHER, "bad"),
        (Checked::Title, player, "im"),
    ];
    let found = values(path);
    found.iter().map(|(table, id, value)| (*table, *id, &**value)).eq(expected)
}

#[test]
fn a_copy_of_some_games_takes_its_part_of_every_side_table() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (example(folder.path()), folder.path().join("copy.db"));
    let archive = Archive::open(&path).unwrap();
    let range = CopyRange { first: 2, last: 3, all_sources: false };
    let kept = archive.maintenance().copy_to(&copy, range, |_, _| Ok(true), |_| ControlFlow::Continue(()));
    assert_eq!((kept.unwrap(), version(&copy)), (Some(2), 11));
    assert!(of_two_games(&copy), "{:?}", values(&copy));
    assert!(verified(&copy).first_problem().is_none());
}

#[test]
fn games_copied_as_rows_take_their_values_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive_of(folder.path(), "a.db", GAMES);
    let mut writer = WritableArchive::create_or_open(folder.path().join("new.db")).unwrap().into_writer();
    let archive = Archive::open(&path).unwrap();
    let game = archive.games(&Filter::default()).next().unwrap().unwrap();
    let sides = plybook_record::Sides::default().with(Checked::Remark as u8, Some(b"one".to_vec()));
    let record = plybook_record::Record::of_stored(game, sides, &mut Default::default()).unwrap();
    let source = writer.add_source("a.pgn").unwrap();
    writer.add(&record, source, Location { game: 1, ..Location::default() }).unwrap();
    writer.finish().unwrap().finish().unwrap();
    // An archive without changes, whose rows can be copied.
    let first = folder.path().join("new.db");
    assert_eq!((version(&first), values(&first)), (9, vec![(Checked::Remark, 1, "one".to_owned())]));
    let archive = Archive::open(&first).unwrap();
    let mut writer = WritableArchive::create_or_open(folder.path().join("third.db")).unwrap().into_writer();
    let source = writer.add_source("new.db").unwrap();
    let mut rows = archive.maintenance().raw_games(1).unwrap().unwrap();
    writer.begin_rows(false).unwrap();
    while let Some(mut games) = rows.next_batch().unwrap() {
        writer.accept(&mut games, 0, source, Location { game: 1, ..Location::default() }).unwrap();
        writer.write(&games).unwrap();
    }
    writer.end_rows(&[record.fingerprint]).unwrap();
    writer.finish().unwrap().finish().unwrap();
    let third = folder.path().join("third.db");
    assert_eq!(values(&third), values(&first));
    assert!(PreparedGames::of(&record).size(0).annotation_bytes > 0);
}

#[test]
fn damage_in_a_side_table_is_found_and_the_rest_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = example(folder.path());
    let sizes = Archive::open(&path).unwrap().maintenance().sizes().unwrap();
    let part = |name| sizes.parts.iter().any(|part| part.name == name && part.bytes > 0);
    assert!(part("remarks") && part("evaluations") && part("titles"));
    let damage = "UPDATE remark SET text = x'00' WHERE game = 3";
    Connection::open(&path).unwrap().execute_batch(damage).unwrap();
    let problem = verified(&path).first_problem().unwrap();
    assert!(problem.contains("the remark is damaged: it has other bytes than letters"), "{problem}");
    let archive = Archive::open(&path).unwrap();
    let range = CopyRange { first: 1, last: 3, all_sources: true };
    let copy = folder.path().join("copy.db");
    let copied = archive.maintenance().copy_to(&copy, range, |_, _| Ok(true), |_| ControlFlow::Continue(()));
    let error = copied.unwrap_err().to_string();
    assert!(error.contains("the remark: rows have changed"), "{error}");
    let saved = folder.path().join("saved.db");
    let salvaged = salvage(&path, &saved, |_| ()).unwrap();
    assert_eq!((salvaged.saved, salvaged.without_original), (3, 1));
    assert_eq!(values(&saved).len(), 5);
    assert!(verified(&saved).first_problem().is_none());
}
