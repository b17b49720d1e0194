//! Checks that a file has exactly the tables that plybook creates. Tables, views and indexes added by a user are
//! ignored if they are harmless. A trigger on one of plybook's tables, or an altered table, is rejected by name before
//! any of it is used.

use std::{collections::BTreeMap, sync::LazyLock};

use rusqlite::{Connection, OptionalExtension};

use super::{
    Archive, ArchiveError, Result,
    checksum::{self, Checked},
    game_table,
    integers::integers,
    schema::{self, PACKED_VERSION, normal},
};
use plybook_chess::codec::CodecId;

/// Everything in a schema: kind and name, with its table and its normalized text.
type Shape = BTreeMap<(String, String), (String, String)>;

/// The version that introduced checksums of all rows, and nothing else.
pub const CHECKSUMS: i64 = 3;

/// A table that each version introduced. The list of tables has those of later versions.
const INTRODUCED: [(i64, &str); 3] = [(2, "section"), (CHECKSUMS, "checksum"), (4, "tag_layout")];

/// The version of a file, and the latest version of which it has tables. Both are of one state: the first change of an
/// archive creates tables and sets the version.
pub(super) fn versions(db: &Connection) -> rusqlite::Result<(i64, i64)> {
    let optional = Checked::optional().map(|table| (table.since(), table.name()));
    let introduced = INTRODUCED.into_iter().chain(optional);
    let named: String = introduced.map(|(version, name)| format!("WHEN '{name}' THEN {version} ")).collect();
    let sql = format!(
        "SELECT (SELECT user_version FROM pragma_user_version), max(CASE name {named}ELSE 0 END)
         FROM sqlite_schema WHERE type = 'table'"
    );
    let (version, of_tables): (i64, Option<i64>) =
        db.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let of_games = if game_table::is_packed(db)? { PACKED_VERSION } else { 0 };
    Ok((version, of_tables.unwrap_or(0).max(of_games)))
}

impl Archive {
    /// Checks that the tables are those of a supported version.
    pub(super) fn check_schema(&self, version: i64) -> Result<()> {
        let flaw = self.db.attempt(|db| flaw(db, version))?;
        flaw.map_or(Ok(()), |what| Err(ArchiveError::Foreign(self.path().to_owned(), what)))
    }

    /// Checks that the moves of every game are read with the codec that wrote them: with another codec they would be
    /// other moves, or invalid.
    pub(super) fn check_codecs(&self) -> Result<()> {
        let (codecs, changed) = self.db.attempt(|db| {
            let codecs = integers(db, "SELECT DISTINCT codec FROM tag_layout", [])?;
            let has_checksums = checksum::has_checksums(db)?;
            Ok((codecs, has_checksums.then(|| checksum::has_any_change(db, Checked::TagLayout)).transpose()?))
        })?;
        for codec in codecs {
            let known = CodecId::from_number(codec);
            // Before there were checksums, there was only one codec.
            if known.is_none() || known != Some(CodecId::default()) && changed.is_none() {
                return Err(ArchiveError::UnknownCodec { path: self.path().to_owned(), codec });
            }
        }
        if changed == Some(true) {
            let what = "its table \"tag_layout\" has been changed: the codec of the moves or the names of tag pairs differ \
                        from what was written";
            return Err(ArchiveError::Foreign(self.path().to_owned(), what.to_owned()));
        }
        Ok(())
    }
}

/// What is wrong with a schema; `None` if its tables are those of a supported version.
fn flaw(db: &Connection, version: i64) -> rusqlite::Result<Option<String>> {
    let (own, found) = (own(), shape(db)?);
    let ExpectedSchema { required, optional } = own;
    let is_required = |name: &str| version >= CHECKSUMS || name != "checksum";
    let missing = required.keys().find(|key| is_required(&key.1) && !found.contains_key(key));
    if let Some((kind, name)) = missing {
        return Ok(Some(format!("its {kind} {name:?} is missing")));
    }
    // The tables that a version introduced are created together.
    let has = |table: &Checked| found.contains_key(&("table".to_owned(), table.name().to_owned()));
    let since: Vec<i64> = Checked::optional().filter(has).map(Checked::since).chain([version]).collect();
    if let Some(table) = Checked::optional().find(|table| since.contains(&table.since()) && !has(table)) {
        return Ok(Some(format!("its table {:?} is missing", table.name())));
    }
    for (key, object) in &found {
        let (kind, name) = key;
        match required.get(key).or_else(|| optional.get(key)) {
            Some(own) if own == object => {}
            Some(_) if name == "game" && version >= PACKED_VERSION && Some(object) == packed_game() => {}
            Some(_) if optional.contains_key(key) => {
                let what = format!("its {kind} {name:?} has a name that is reserved for plybook; rename it");
                return Ok(Some(what));
            }
            Some(_) => return Ok(Some(format!("its {kind} {name:?} has been altered"))),
            None if !is_harmless(kind, name, &object.0, own) => {
                return Ok(Some(format!(
                    "its {kind} {name:?} is not allowed, because it could be malicious"
                )));
            }
            None => {}
        }
    }
    // Objects created by users have a text; those that SQLite creates for a table have none.
    if !found.iter().any(|((kind, _), (_, sql))| kind == "index" && !sql.is_empty()) {
        return Ok(None);
    }
    let unusual = unusual_index(db, own)?;
    Ok(unusual.map(|name| {
        format!("its index {name:?} is not allowed: only indexes on plain columns of all rows are")
    }))
}

/// The objects that this version creates.
struct ExpectedSchema {
    required: Shape,
    optional: Shape,
}

impl ExpectedSchema {
    fn tables(&self) -> impl Iterator<Item = &str> {
        let all = self.required.keys().chain(self.optional.keys());
        all.filter(|(kind, _)| kind == "table").map(|(_, name)| name.as_str())
    }

    /// Whether one of the tables has a name, ignoring case as SQLite does.
    fn has_table(&self, name: &str) -> bool {
        self.tables().any(|table| table.eq_ignore_ascii_case(name))
    }
}

fn own() -> &'static ExpectedSchema {
    static OWN: LazyLock<ExpectedSchema> = LazyLock::new(|| ExpectedSchema {
        required: tables_of(schema::tables()),
        optional: tables_of(schema::optional_tables()),
    });
    &OWN
}

/// The other form of the table of games.
fn packed_game() -> Option<&'static (String, String)> {
    static PACKED: LazyLock<Shape> = LazyLock::new(|| tables_of(game_table::PACKED));
    PACKED.values().next()
}

/// The tables that a script creates, as SQLite records them. Takes half a millisecond.
fn tables_of(text: &str) -> Shape {
    let text = normal(text);
    let tables = text.split(';').filter_map(|sql| {
        let (name, _) = sql.strip_prefix("CREATE TABLE ")?.split_once('(')?;
        Some((("table".to_owned(), name.to_owned()), (name.to_owned(), sql.to_owned())))
    });
    tables.collect()
}

/// The unique index of a user that caused an SQLite error: the error names its columns.
pub(super) fn unique_index(db: &Connection, said: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT list.name,
                      (SELECT group_concat(?1 || '.' || name, ', ' ORDER BY seqno) FROM pragma_index_info(list.name))
               FROM pragma_index_list(?1) AS list WHERE origin = 'c' AND \"unique\" <> 0";
    let mut find = db.prepare(sql)?;
    for table in own().tables() {
        let mut rows = find.query([table])?;
        while let Some(row) = rows.next()? {
            let columns: String = row.get(1)?;
            if said.ends_with(&format!(": {columns}")) {
                return row.get(0).map(Some);
            }
        }
    }
    Ok(None)
}

/// Whether a table of this version has a name.
pub(super) fn is_own(name: &str) -> bool {
    own().has_table(name)
}

/// The tables of this version in a file, and whether their rows have ids.
pub(super) fn own_tables(db: &Connection) -> rusqlite::Result<Vec<(String, bool)>> {
    let own = own();
    let found = shape(db)?.into_iter().filter(|((kind, name), _)| kind == "table" && own.has_table(name));
    Ok(found.map(|((_, name), (_, sql))| (name, !sql.contains("WITHOUT ROWID"))).collect())
}

fn shape(db: &Connection) -> rusqlite::Result<Shape> {
    let mut statement = db.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| {
        let sql: String = row.get(3)?;
        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, normal(&sql))))
    })?;
    rows.collect()
}

/// Whether an object that plybook did not create is harmless, because nothing in plybook uses it.
fn is_harmless(kind: &str, name: &str, table: &str, own: &ExpectedSchema) -> bool {
    match kind {
        "index" => true,
        "trigger" => !own.has_table(table),
        _ => !own.has_table(name),
    }
}

/// An index on one of plybook's tables that has expressions or a condition, if there is one. All other indexes are
/// maintained and used without evaluating any SQL from the file.
fn unusual_index(db: &Connection, own: &ExpectedSchema) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT name FROM pragma_index_list(?1) WHERE origin = 'c' AND
               (partial <> 0 OR EXISTS (SELECT 1 FROM pragma_index_info(pragma_index_list.name) WHERE cid < -1))";
    let mut find = db.prepare(sql)?;
    for table in own.tables() {
        if let Some(name) = find.query_row([table], |row| row.get(0)).optional()? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw_after(sql: &str) -> Option<String> {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(schema::tables()).unwrap();
        schema::make_views(&db).unwrap();
        db.execute_batch(sql).unwrap();
        flaw(&db, schema::VERSION).unwrap()
    }

    #[test]
    fn tables_of_a_script_match_sqlite() {
        for text in [schema::tables(), schema::optional_tables()] {
            let db = Connection::open_in_memory().unwrap();
            db.execute_batch(text).unwrap();
            let mut made = shape(&db).unwrap();
            made.retain(|_, (_, sql)| !sql.is_empty());
            assert_eq!(tables_of(text), made);
            assert!(made.len() > 5);
        }
    }

    #[test]
    fn harmless_additions_are_ignored() {
        for harmless in [
            "",
            "CREATE INDEX mine ON game (eco, plies)",
            "CREATE UNIQUE INDEX mine ON player (name)",
            "ANALYZE",
            "CREATE TABLE mine (a)",
            "CREATE TABLE mine (a); CREATE TRIGGER also AFTER INSERT ON mine BEGIN DELETE FROM mine; END",
            "CREATE TABLE mine (a); CREATE INDEX also ON mine (abs(a)) WHERE a > 3",
            "CREATE VIRTUAL TABLE mine USING fts5(a)",
            "CREATE VIEW mine AS SELECT * FROM games",
            "DROP VIEW games; CREATE VIEW games AS SELECT 1",
            "DROP VIEW games",
            schema::optional_tables(),
        ] {
            assert_eq!(flaw_after(harmless), None, "{harmless}");
        }
    }

    #[test]
    fn harmful_objects_are_rejected_by_name() {
        for (evil, name) in [
            ("CREATE TRIGGER evil AFTER INSERT ON game BEGIN DELETE FROM game; END", "trigger \"evil\""),
            ("CREATE INDEX evil ON game (abs(plies))", "index \"evil\""),
            ("CREATE INDEX evil ON game (plies) WHERE plies > 3", "index \"evil\""),
            ("ALTER TABLE game ADD COLUMN evil TEXT AS (zeroblob(1000000000))", "table \"game\""),
            ("DROP TABLE source_span", "table \"source_span\""),
            ("CREATE TABLE segment (a)", "table \"segment\""),
            ("CREATE VIEW Alias AS SELECT 1", "view \"Alias\""),
            (
                "DROP TABLE annotation; CREATE VIEW annotation AS SELECT 1 AS game, 2 AS marks",
                "\"annotation\"",
            ),
            (
                "DROP TABLE annotation; CREATE VIRTUAL TABLE annotation USING fts5(game, marks)",
                "\"annotation\"",
            ),
        ] {
            let flaw = flaw_after(evil).unwrap_or_default();
            assert!(flaw.contains(name), "{evil}: {flaw}");
        }
    }

    #[test]
    fn normalization_ignores_only_irrelevant_differences() {
        assert_eq!(normal("CREATE TABLE \"a\" (b  INT, -- c\n d)"), normal("CREATE TABLE a(b INT,d)"));
        assert_ne!(normal("SELECT 'a  b'"), normal("SELECT 'a b'"));
        assert_ne!(normal("ab"), normal("a b"));
        assert_eq!(normal("REFERENCES \"a\", b"), normal("REFERENCES a,b"));
        assert_eq!(normal("TABLE\"a\"(b)"), normal("TABLE a (b)"));
        for hidden in [
            "\"a\"\"--\" CHECK (c)\n",
            "\"a--\" CHECK (c)\n",
            "\"a -- b\"",
            "`a--` CHECK (c)\n",
            "[a--] CHECK (c)\n",
        ] {
            assert_ne!(normal(&format!("x {hidden}, d")), normal("x a, d"), "{hidden}");
            assert!(hidden.find("CHECK").is_none_or(|_| normal(hidden).contains("CHECK")), "{hidden}");
        }
    }
}
