//! The three parts of `schema.sql`: the tables of every archive, the tables that are created when first needed, and the
//! views. Also the page size of new archives.

use rusqlite::{Connection, OptionalExtension};
use twox_hash::XxHash3_64;

/// `PRAGMA application_id` of every archive: "PLYB".
pub const APPLICATION_ID: i64 = 0x504c_5942;

/// `PRAGMA user_version`: the version of `schema.sql`.
pub const VERSION: i64 = 4;

/// The version of an archive whose games have been changed. It has the tables of changes and may lack ids.
pub const CHANGED_VERSION: i64 = 5;

/// The version of an archive in which games were updated or an import was undone: its log has rows that earlier releases
/// do not know. So it is with sources of which games were left out.
pub const UPDATED_VERSION: i64 = 6;

/// The version of an archive that keeps rejected games.
pub const REJECTS_VERSION: i64 = 7;

/// The version of an archive in which games are marked as different.
pub const DIFFERENT_VERSION: i64 = 8;

/// The version of an archive that has games in the codec `model`, which earlier releases cannot read.
pub const MODEL_VERSION: i64 = 9;

/// The version of an archive whose games have packed columns: see [`game_table`](super::game_table).
pub const PACKED_VERSION: i64 = 10;

#[cfg(not(test))]
const SCHEMA: &str = include_str!("../../../../schema.sql");

/// With side tables that only tests have.
#[cfg(test)]
static SCHEMA: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let tables = [super::side_rows::TABLES, VIEWS].concat();
    include_str!("../../../../schema.sql").replacen(VIEWS, &tables, 1)
});

/// The lines that separate the parts.
const OPTIONAL: &str = "-- The following tables are created when they are first needed;";
const VIEWS: &str = "-- The views are replaced if they differ";

/// Hashes of the normalized text of views that earlier versions of plybook created in archives of this format. Archives
/// keep them until the next write, so they are not damage.
const FORMER_VIEWS: [u64; 5] = [
    0xd2da_9770_b449_661d,
    0xf212_628e_da5a_45b6,
    0x3e4b_abe1_c488_af5d,
    0x879a_727f_6e2c_8704,
    0x38c8_06f9_4aa1_51f2,
];

/// The smallest page size of a new archive.
const SMALL_PAGE: u32 = 4096;

/// The tables of every archive.
pub(super) fn tables() -> &'static str {
    SCHEMA.split_once(OPTIONAL).map_or("", |(tables, _)| tables)
}

/// The tables that an archive may have.
pub(super) fn optional_tables() -> &'static str {
    let rest = SCHEMA.split_once(OPTIONAL).map_or("", |(_, rest)| rest);
    let tables = rest.split_once(VIEWS).map_or(rest, |(tables, _)| tables);
    // The rest of the separator line.
    tables.split_once('\n').map_or("", |(_, tables)| tables)
}

/// The statement that creates a table.
pub(super) fn table(name: &str) -> &'static str {
    let begins = format!("CREATE TABLE {name} (");
    let statement = SCHEMA.find(&begins).and_then(|at| SCHEMA.get(at..)).unwrap_or_default();
    // A comment may contain a semicolon.
    let end = statement.find("\n)").and_then(|at| Some(at + statement.get(at..)?.find(';')? + 1));
    end.and_then(|end| statement.get(..end)).unwrap_or_default()
}

/// Raises the version of an archive, unless it is as high already; part of a transaction.
pub(super) fn raise_version(db: &Connection, version: i64) -> rusqlite::Result<()> {
    let present: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if present < version { db.pragma_update(None, "user_version", version) } else { Ok(()) }
}

/// Whether a file has a table.
pub(super) fn has_table(db: &Connection, name: &str) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")?.exists([name])
}

/// The views, each with its name.
fn views() -> impl Iterator<Item = (&'static str, &'static str)> {
    const CREATE: &str = "CREATE VIEW ";
    let views = SCHEMA.split_once(VIEWS).map_or("", |(_, views)| views);
    let starts = views.match_indices(CREATE).map(|(at, _)| at);
    starts.filter_map(move |at| {
        let (sql, _) = views.get(at..)?.split_once(';')?;
        Some((sql.strip_prefix(CREATE)?.split_whitespace().next()?, sql))
    })
}

/// Creates the views, and recreates those with another text.
pub(super) fn make_views(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(&missing_views(db)?)
}

/// The statements for that, if any. A user's table or index with the name of a view is kept.
pub(super) fn missing_views(db: &Connection) -> rusqlite::Result<String> {
    let mut missing = String::new();
    for (name, sql) in views() {
        match found(db, name)? {
            Some((kind, text)) if kind != "view" || normal(&text) == normal(sql) => {}
            Some(_) => missing += &format!("DROP VIEW {name}; {sql};"),
            None => missing += &format!("{sql};"),
        }
    }
    Ok(missing)
}

/// The kind and definition of an object, with its name in any case.
fn found(db: &Connection, name: &str) -> rusqlite::Result<Option<(String, String)>> {
    let find = "SELECT type, coalesce(sql, '') FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type <> 'trigger'";
    db.query_row(find, [name], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// What is wrong with the views, which `plybook sql` and other programs use, although plybook itself does not. A user's
/// table with the name of a view is not a fault.
pub(super) fn view_faults(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut faults = Vec::new();
    for (name, sql) in views() {
        let what = match found(db, name)? {
            None => "is missing",
            Some((kind, text)) if kind == "view" && !is_known(&text, sql) => "has been changed",
            Some(_) => continue,
        };
        faults.push(format!("the view {name:?} {what}; the next write to the archive restores it"));
    }
    Ok(faults)
}

/// Whether the text of a view is this version's or an earlier one's.
fn is_known(text: &str, sql: &str) -> bool {
    let text = normal(text);
    text == normal(sql) || FORMER_VIEWS.contains(&XxHash3_64::oneshot(text.as_bytes()))
}

/// Normalizes a statement: without comments, quotes around names and needless spaces. A table that was renamed in a
/// migration has the same text as a new one.
pub(super) fn normal(sql: &str) -> String {
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
        let (token, after) = rest.split_at(token_length(c, rest));
        let name = token.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        // Quotes around a plain word have no meaning; any other name is kept as it is.
        let token = name.filter(|name| !name.is_empty() && name.chars().all(is_word)).unwrap_or(token);
        if (space || name.is_some()) && token.starts_with(is_word) && text.ends_with(is_word) {
            text.push(' ');
        }
        // A quoted word ends at its second quote.
        space = name.is_some();
        text.push_str(token);
        rest = after;
    }
    text
}

/// The length of the token that begins with a character: for a string or a quoted name all of it, otherwise one
/// character.
fn token_length(first: char, rest: &str) -> usize {
    let end = match first {
        '\'' | '"' | '`' => first,
        '[' => ']',
        first => return first.len_utf8(),
    };
    let mut length = 1;
    while let Some(at) = rest[length..].find(end) {
        length += at + 1;
        // Two quotes are an escaped quote.
        if first == '[' || !rest[length..].starts_with(end) {
            return length;
        }
        length += 1;
    }
    rest.len()
}

/// The page size of a new archive. Every table has at least one page, so small archives have small pages; in large
/// archives, large pages waste less space at their ends. But a game of half a large page leaves much of the rest empty,
/// while one that is larger than a small page fills several.
pub(super) fn page_size(source_bytes: Option<u64>, game_bytes: u64) -> u32 {
    match source_bytes {
        _ if game_bytes >= u64::from(SMALL_PAGE) => SMALL_PAGE,
        Some(bytes) if bytes < 16 << 20 => SMALL_PAGE,
        Some(_) => 16384,
        None => 8192,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plybook_record::{GameKind, functions::moves_suffix};

    #[test]
    fn schema_parts_cover_the_entire_file() {
        let count = |sql: &str, what: &str| sql.matches(&format!("CREATE {what} ")).count();
        assert_eq!((count(tables(), "TABLE"), count(tables(), "VIEW")), (14, 0));
        assert_eq!((count(optional_tables(), "TABLE"), count(optional_tables(), "VIEW")), (15 + 3, 0));
        let names: Vec<_> = views().map(|(name, _)| name).collect();
        assert_eq!(names, ["games", "other_tag"]);
        assert_eq!(count(&SCHEMA, "TABLE") + count(&SCHEMA, "VIEW"), 14 + 15 + 3 + 2);
    }

    #[test]
    fn view_and_functions_use_the_same_suffix() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(tables()).unwrap();
        make_views(&db).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        let insert =
            "INSERT INTO tag_layout (id, variant, codec, names, slots) VALUES (1, ?1, ?2, ?3, '[]');";
        let others = "INSERT INTO section (id, layout) VALUES (1, 1); INSERT INTO game (id, plies, result, section, moves) VALUES (1, 2, 0, 1, x'dfdd')";
        for codec in 1..=u8::MAX {
            for (variant, names) in [(0, "[]"), (2, "[]"), (0, "[\"FEN\"]"), (2, "[\"FEN\"]")] {
                db.execute_batch("DELETE FROM game; DELETE FROM section; DELETE FROM tag_layout").unwrap();
                db.execute(insert, (variant, codec, names)).unwrap();
                db.execute_batch(others).unwrap();
                let moves: Vec<u8> = db.query_row("SELECT moves FROM games", [], |row| row.get(0)).unwrap();
                let (is_variant, is_set_up) = (variant > 0, names.contains("FEN"));
                let is_usual = codec == 1 && !is_variant && !is_set_up;
                let suffix = if is_usual { Vec::new() } else { moves_suffix(codec, is_variant, is_set_up) };
                assert_eq!(moves, [&[0xdf, 0xdd], &suffix[..]].concat(), "{codec} {variant} {names}");
            }
        }
    }

    /// Archives keep the views of the plybook that wrote them until the next write: see [`FORMER_VIEWS`].
    #[test]
    fn changed_views_are_listed_as_former_views() {
        let hashes: Vec<_> = views().map(|(_, sql)| XxHash3_64::oneshot(normal(sql).as_bytes())).collect();
        let known = [0xc2c1_3f3e_97e8_ce5d, 0x4592_cf1e_12d4_3c4b];
        assert_eq!(
            hashes, known,
            "put the hash of the former text into FORMER_VIEWS, and the new one here: {hashes:#x?}"
        );
    }

    #[test]
    fn games_view_covers_every_variant() {
        for kind in GameKind::all() {
            let case = format!("WHEN {} THEN '{}'", kind.id(), kind.name());
            assert!(SCHEMA.contains(&case), "{case}");
        }
    }
}
