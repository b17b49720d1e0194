//! The views in which values of a column had several types until 0.2. An archive keeps its views until the next write, so
//! a reader puts temporary views in their place. The SQLite extension compiles this file too.

use rusqlite::{Connection, Result};

/// The views for users, each with the column that contains ids of games.
pub const VIEWS: [(&str, &str); 2] = [("games", "id"), ("other_tag", "game")];

/// Puts temporary views in the place of views of earlier versions.
pub fn replace_former(db: &Connection) -> Result<()> {
    for (view, _) in VIEWS {
        if is_former(db, "main", view)? {
            let select = select(db, "main", view, |column| column.to_owned())?;
            db.execute_batch(&format!("CREATE TEMP VIEW {view} AS {select}"))?;
        }
    }
    Ok(())
}

/// A query for all columns of a view in an archive; `expression` returns what to read for a column.
pub fn select(
    db: &Connection,
    schema: &str,
    view: &str,
    expression: impl Fn(&str) -> String,
) -> Result<String> {
    let is_former = is_former(db, schema, view)?;
    let mut names = db.prepare("SELECT name FROM pragma_table_xinfo(?1, ?2)")?;
    let names = names.query_map([view, schema], |row| row.get::<_, String>(0))?;
    let column = |name: String| match name.as_str() {
        // A missing round was "0.0".
        "round" if is_former => format!(
            "CASE WHEN (SELECT round FROM {schema}.game WHERE game.id = games.id) IS NOT NULL \
             THEN CAST(round AS TEXT) END AS round"
        ),
        "value" if is_former => "CAST(value AS TEXT) AS value".to_owned(),
        name => format!("{} AS {name}", expression(name)),
    };
    let columns = names.map(|name| name.map(column)).collect::<Result<Vec<_>>>()?;
    Ok(format!("SELECT {} FROM {schema}.{view}", columns.join(", ")))
}

/// Whether an archive has a view of an earlier version.
fn is_former(db: &Connection, schema: &str, view: &str) -> Result<bool> {
    let question = format!(
        "SELECT count(*) FROM {schema}.sqlite_schema
         WHERE type = 'view' AND name = ?1 AND sql LIKE '%tag_layout.slots%' AND sql NOT LIKE '%AS TEXT) AS %'"
    );
    db.query_row(&question, [view], |row| row.get(0))
}
