//! Whether a file has exactly the tables that plybook makes. A trigger, a view or a virtual table of somebody
//! else is refused by name before any of it is used; so is a table that has been altered.

use std::{collections::BTreeMap, sync::OnceLock};

use rusqlite::Connection;

use super::open::SCHEMA;

/// Everything in a schema: kind and name, with the table it belongs to and its normalized text.
type Shape = BTreeMap<(String, String), (String, String)>;

/// The version that brought checksums of all rows, and nothing else.
pub const CHECKSUMS: i64 = 3;

/// Says what is wrong with a schema; `None` if it is the one of a version that can be read. An ordinary index on columns
/// may have been added, as may SQLite's own statistics.
pub(super) fn flaw(db: &Connection, version: i64) -> rusqlite::Result<Option<String>> {
    let (ours, mut found) = (fresh()?, shape(db)?);
    let has = |name: &str| version >= CHECKSUMS || name != "checksum";
    for ((kind, name), expected) in ours.iter().filter(|((_, name), _)| has(name)) {
        match found.remove(&(kind.clone(), name.clone())) {
            Some(object) if object == *expected => {}
            Some(_) => return Ok(Some(format!("its {kind} {name:?} has been altered"))),
            None => return Ok(Some(format!("its {kind} {name:?} is missing"))),
        }
    }
    for ((kind, name), (table, _)) in found {
        if !is_harmless(db, &kind, &name, &table)? {
            return Ok(Some(format!("it has the {kind} {name:?}, which plybook does not make")));
        }
    }
    Ok(None)
}

/// The shape that this version makes.
fn fresh() -> rusqlite::Result<&'static Shape> {
    static FRESH: OnceLock<Shape> = OnceLock::new();
    if let Some(shape) = FRESH.get() {
        return Ok(shape);
    }
    let db = Connection::open_in_memory()?;
    db.execute_batch(SCHEMA)?;
    let made = shape(&db)?;
    Ok(FRESH.get_or_init(|| made))
}

fn shape(db: &Connection) -> rusqlite::Result<Shape> {
    let mut statement = db.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| {
        let sql: String = row.get(3)?;
        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, normal(&sql))))
    })?;
    rows.collect()
}

fn is_harmless(db: &Connection, kind: &str, name: &str, table: &str) -> rusqlite::Result<bool> {
    if kind == "table" {
        return Ok(matches!(name, "sqlite_stat1" | "sqlite_stat4" | "sqlite_sequence"));
    }
    if kind != "index" {
        return Ok(false);
    }
    let one = |sql: &str, with: &[&str]| {
        db.query_row(sql, rusqlite::params_from_iter(with), |row| row.get::<_, i64>(0))
    };
    let expressions = one("SELECT count(*) FROM pragma_index_info(?1) WHERE cid < -1", &[name])?;
    let ordinary =
        "SELECT count(*) FROM pragma_index_list(?1) WHERE name = ?2 AND partial = 0 AND [unique] = 0";
    Ok(expressions == 0 && one(ordinary, &[table, name])? == 1)
}

/// A statement without comments, quotes around names and needless spaces: a table that was renamed in a
/// migration has the same text as a new one.
fn normal(sql: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(sql.len()), sql);
    let mut space = false;
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() || rest.starts_with("--") {
            let end = if c == '-' { rest.find('\n').unwrap_or(rest.len()) } else { c.len_utf8() };
            rest = rest.split_at(end).1;
            space = true;
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if space && is_word(c) && text.ends_with(is_word) {
            text.push(' ');
        }
        space = false;
        let length = match c {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if c == '"' {
            space = true;
        } else {
            text.push_str(token);
        }
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::VERSION;

    fn flaw_after(sql: &str) -> Option<String> {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(SCHEMA).unwrap();
        db.execute_batch(sql).unwrap();
        flaw(&db, VERSION).unwrap()
    }

    #[test]
    fn only_the_own_schema_passes() {
        for harmless in ["", "CREATE INDEX mine ON game (eco, plies)", "ANALYZE"] {
            assert_eq!(flaw_after(harmless), None, "{harmless}");
        }
        for (evil, name) in [
            ("CREATE TRIGGER evil AFTER INSERT ON game BEGIN DELETE FROM game; END", "trigger \"evil\""),
            ("CREATE VIEW evil AS SELECT 1", "view \"evil\""),
            ("DROP VIEW games; CREATE VIEW games AS SELECT 1", "view \"games\""),
            ("CREATE VIRTUAL TABLE evil USING fts5(a)", "table \"evil"),
            ("CREATE TABLE evil (a)", "table \"evil\""),
            ("CREATE INDEX evil ON game (abs(plies))", "index \"evil\""),
            ("CREATE INDEX evil ON game (plies) WHERE plies > 3", "index \"evil\""),
            ("CREATE UNIQUE INDEX evil ON game (id)", "index \"evil\""),
            ("ALTER TABLE game ADD COLUMN evil TEXT AS (zeroblob(1000000000))", "table \"game\""),
            ("DROP TABLE span", "table \"span\""),
        ] {
            let flaw = flaw_after(evil).unwrap_or_default();
            assert!(flaw.contains(name), "{evil}: {flaw}");
        }
    }

    #[test]
    fn texts_differ_only_in_what_matters() {
        assert_eq!(normal("CREATE TABLE \"a\" (b  INT, -- c\n d)"), normal("CREATE TABLE a(b INT,d)"));
        assert_ne!(normal("SELECT 'a  b'"), normal("SELECT 'a b'"));
        assert_ne!(normal("ab"), normal("a b"));
    }
}
