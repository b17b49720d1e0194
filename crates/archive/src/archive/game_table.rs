//! The two forms of the table of games: as in `schema.sql`, or with the small numbers of a game packed into one column,
//! which takes five bytes less per game. Both have the same columns for those who read them; only the statements that
//! write rows differ. Archives with packed games also have short fingerprints.

use rusqlite::{Connection, Result};

use super::{
    changes::removed,
    integers::integers,
    keys,
    schema::{self, PACKED_VERSION},
    write::names::Registers,
};

/// The table with packed columns.
pub(super) const PACKED: &str = include_str!("packed_game.sql");

/// The columns that both forms have, in order.
pub(super) const COLUMNS: &str =
    "id, plies, result, section, white, black, round, moves, white_elo, black_elo, eco, tags";

/// The place of the section among them.
pub(super) const SECTION: usize = 3;

/// The places of what an index does not have: round, ECO code and tags; of the section it has a part.
pub(super) const NOT_INDEXED: [usize; 4] = [SECTION, 6, 10, 11];

/// The columns that are stored in the packed form, but for the id.
const STORED: &str = "section, white, black, round, moves, tags, header";

/// What they contain. A number that is out of range makes the last one NULL, which is an error.
const VALUES: &str = "section, white, black, round, moves, tags,
    iif(result BETWEEN 0 AND 3 AND plies BETWEEN 0 AND 65535 AND ifnull(eco, 0) BETWEEN 0 AND 510
            AND ifnull(white_elo, 0) BETWEEN 0 AND 65535 AND ifnull(black_elo, 0) BETWEEN 0 AND 65535,
        (plies << 39) | (ifnull(eco + 1, 0) << 2) | result
            | ((ifnull(white_elo + 1, 0) & 16383) << 25) | ((ifnull(white_elo + 1, 0) >> 14) << 55)
            | ((ifnull(black_elo + 1, 0) & 16383) << 11) | ((ifnull(black_elo + 1, 0) >> 14) << 58),
        NULL)";

/// Games that are copied between two checks for cancellation.
const GAMES_A_STEP: i64 = 50_000;

/// Whether the small numbers of games are packed.
pub(super) fn is_packed(db: &Connection) -> Result<bool> {
    let header = "SELECT 1 FROM pragma_table_xinfo('game', 'main') WHERE name = 'header'";
    db.prepare_cached(header)?.exists([])
}

/// The statement that inserts this many games, given the values of each in the order of [`COLUMNS`]. Without `with_ids`, the
/// ids are left out, and SQLite assigns the next ones.
///
/// With explicit ids, or without "OR FAIL", SQLite would write a statement journal, from which it could undo this
/// statement alone. It is not needed: a row that fails discards the whole batch.
pub(super) fn insert(db: &Connection, games: usize, with_ids: bool) -> Result<String> {
    let columns = if with_ids { COLUMNS } else { COLUMNS.trim_start_matches("id, ") };
    let row = format!("({})", vec!["?"; columns.split(", ").count()].join(", "));
    let rows = vec![row; games].join(", ");
    let id = if with_ids { "id, " } else { "" };
    Ok(if is_packed(db)? {
        format!(
            "WITH new ({columns}) AS (VALUES {rows})
             INSERT OR FAIL INTO game ({id}{STORED}) SELECT {id}{VALUES} FROM new"
        )
    } else {
        format!("INSERT OR FAIL INTO game ({columns}) VALUES {rows}")
    })
}

/// Packs the small numbers of games, unless they are packed; part of a transaction, without enforced foreign keys. `go_on`
/// may stop it: then the transaction must be rolled back, and the result is false.
pub(super) fn pack(db: &Connection, mut go_on: impl FnMut() -> bool) -> Result<bool> {
    if is_packed(db)? {
        return Ok(true);
    }
    let (indexes, before) = (indexes(db)?, free_name(db)?);
    // With the old meaning of RENAME, other tables and views still refer to "game".
    db.execute_batch(&format!("PRAGMA legacy_alter_table = ON; ALTER TABLE game RENAME TO {before}"))?;
    db.execute_batch("PRAGMA legacy_alter_table = OFF")?;
    db.execute_batch(PACKED)?;
    let copy = format!(
        "INSERT INTO game (id, {STORED}) SELECT id, {VALUES} FROM {before}
         WHERE id > ?1 ORDER BY id LIMIT {GAMES_A_STEP}"
    );
    let (mut copy, mut last) = (db.prepare(&copy)?, 0);
    while copy.execute([last]).map_err(|error| unfit(db, &before, error))? > 0 {
        last = db.last_insert_rowid();
        if !go_on() {
            return Ok(false);
        }
    }
    drop(copy);
    db.execute_batch(&format!("DROP TABLE {before}"))?;
    indexes.iter().try_for_each(|index| db.execute_batch(index))?;
    keys::shorten(db)?;
    schema::raise_version(db, PACKED_VERSION).map(|()| true)
}

/// A name that no object of a user has.
fn free_name(db: &Connection) -> Result<String> {
    let mut find = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE")?;
    let mut name = "unpacked_game".to_owned();
    while find.exists([&name])? {
        name.push('_');
    }
    Ok(name)
}

/// The error for the first game that has a number out of range, if that is why copying failed.
fn unfit(db: &Connection, table: &str, error: rusqlite::Error) -> rusqlite::Error {
    let sql =
        format!("SELECT id FROM (SELECT id, {VALUES} AS header FROM {table}) WHERE header IS NULL LIMIT 1");
    match integers(db, &sql, []).ok().and_then(|ids| ids.first().copied()) {
        Some(id) => {
            let what =
                format!("the plies, the result, a rating or the ECO code of game {id} is out of range");
            rusqlite::Error::ToSqlConversionFailure(what.into())
        }
        None => error,
    }
}

/// Packs the games of an archive that has none yet; part of a transaction.
pub(super) fn pack_none(db: &Connection, registers: &mut Registers) -> Result<()> {
    if !is_packed(db)? && removed::last_stored_id(db)? == 0 {
        pack(db, || true)?;
        registers.keys.shorten(db)?;
        registers.checksums.forget_statements();
    }
    Ok(())
}

/// The statements that create the indexes of users on the table of games.
fn indexes(db: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'game' AND sql IS NOT NULL";
    db.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::{params_from_iter, types::Value};

    use super::*;

    fn archive() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(schema::tables()).unwrap();
        db.execute_batch(schema::table("setting")).unwrap();
        schema::make_views(&db).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        db
    }

    fn add(db: &Connection, row: &[Value]) -> Result<usize> {
        db.execute(&insert(db, 1, true)?, params_from_iter(row))
    }

    fn stored(db: &Connection) -> Vec<Vec<Value>> {
        let mut rows = db.prepare(&format!("SELECT {COLUMNS} FROM game ORDER BY id")).unwrap();
        let read = |row: &rusqlite::Row<'_>| (0..12).map(|column| row.get(column)).collect();
        rows.query_map([], read).unwrap().collect::<Result<_>>().unwrap()
    }

    fn headers(db: &Connection) -> Vec<i64> {
        integers(db, "SELECT header FROM game ORDER BY id", []).unwrap()
    }

    /// A row that an archive can have; its id follows.
    fn row() -> impl Strategy<Value = Vec<Value>> {
        let some = |number: Option<i64>| number.map_or(Value::Null, Value::from);
        let one = |limits: &'static [i64]| prop::sample::select(limits).prop_map(Value::from);
        let optional =
            move |limits: &'static [i64]| prop::option::of(prop::sample::select(limits)).prop_map(some);
        let ids: &'static [i64] = &[-1, 1, 1 << 28];
        let ratings: &'static [i64] = &[0, 1, 2700, 16_382, 16_383, 65_535];
        let round = prop_oneof![optional(&[0, 1, -3002]), Just(Value::from("1.2.3".to_owned())),];
        let tags = prop_oneof![Just(Value::Null), Just(Value::from("[1]".to_owned()))];
        let numbers = (one(&[0, 1, 255, 256, 65_535]), one(&[0, 1, 2, 3]), one(ids));
        let names = (optional(ids), optional(ids), round, any::<Vec<u8>>().prop_map(Value::from));
        let rest = (optional(ratings), optional(ratings), optional(&[0, 1, 499]), tags);
        (numbers, names, rest).prop_map(|(numbers, names, rest)| {
            let [plies, result, section] = <[Value; 3]>::from(numbers);
            let [white, black, round, moves] = <[Value; 4]>::from(names);
            let [white_elo, black_elo, eco, tags] = <[Value; 4]>::from(rest);
            vec![plies, result, section, white, black, round, moves, white_elo, black_elo, eco, tags]
        })
    }

    fn with_ids(rows: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let number =
            |(id, row): (usize, &Vec<Value>)| [vec![Value::from(id as i64 + 1)], row.clone()].concat();
        rows.iter().enumerate().map(number).collect()
    }

    fn usual() -> Vec<Value> {
        let [number, null] = [Value::from(2), Value::Null];
        let mut row = vec![number; 12];
        (row[7], row[11]) = (Value::from(vec![1]), null);
        row
    }

    proptest! {
        #[test]
        fn packed_games_are_read_as_they_were_written(rows in prop::collection::vec(row(), 1..20)) {
            let (plain, packed) = (archive(), archive());
            pack(&packed, || true).unwrap();
            let games = with_ids(&rows);
            for db in [&plain, &packed] {
                games.iter().for_each(|game| assert_eq!(add(db, game).unwrap(), 1));
                prop_assert_eq!(&stored(db), &games);
            }
            pack(&plain, || true).unwrap();
            prop_assert_eq!(&stored(&plain), &games);
            prop_assert_eq!(headers(&plain), headers(&packed));
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_errors() {
        let db = archive();
        pack(&db, || true).unwrap();
        for (column, number) in
            [(1, -1i64), (1, 1 << 16), (2, 4), (8, -1), (8, 1 << 16), (9, 1 << 40), (10, 511)]
        {
            let mut game = usual();
            game[column] = Value::from(number);
            let error = add(&db, &game).unwrap_err().to_string();
            assert!(error.contains("game.header"), "{column} {number}: {error}");
        }
    }

    #[test]
    fn what_users_added_is_kept() {
        let db = archive();
        add(&db, &usual()).unwrap();
        db.execute_batch(
            "CREATE INDEX mine ON game (eco, plies); CREATE VIEW my_games AS SELECT eco FROM game;
             CREATE TABLE note (game INTEGER REFERENCES game)",
        )
        .unwrap();
        let objects = |db: &Connection| -> Vec<(String, String)> {
            let sql = "SELECT name, tbl_name || sql FROM sqlite_schema WHERE name IN ('mine', 'my_games', 'note') ORDER BY 1";
            let mut objects = db.prepare(sql).unwrap();
            objects
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
                .collect::<Result<_>>()
                .unwrap()
        };
        let before = objects(&db);
        assert!(pack(&db, || true).unwrap());
        assert_eq!(objects(&db), before);
        assert_eq!(integers(&db, "SELECT count(*) FROM my_games", []).unwrap(), [1]);
    }
}
