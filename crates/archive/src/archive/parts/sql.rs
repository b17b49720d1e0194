//! Several archives for statements of SQL: the connection, which is one of a database in memory, gets them attached, and views
//! over the views of all.

use std::path::Path;

use rusqlite::{Connection, limits::Limit};

use super::{Files, Part};
use crate::archive::{ArchiveError, sql_functions};

/// How many databases SQLite attaches unless it is built otherwise.
const MOST: usize = 10;

/// The views that people ask, each with the column that has ids of games.
const VIEWS: [(&str, &str); 2] = [("games", "id"), ("other_tag", "game")];

impl Files<'_> {
    /// Makes several archives one for statements of SQL, which know the views then, not the tables. One archive is as it was.
    ///
    /// # Errors
    /// There are too many, or one is no longer there.
    pub(in crate::archive) fn attach(self) -> Result<(), ArchiveError> {
        if self.archive.is_one() {
            return Ok(());
        }
        if self.parts().len() > MOST {
            return Err(ArchiveError::TooManyForSql { archives: self.parts().len(), most: MOST });
        }
        sql_functions::register(&self.archive.db).map_err(|error| self.archive.db.error(error))?;
        let attached = i32::try_from(MOST).unwrap_or_default();
        self.archive
            .db
            .set_limit(Limit::SQLITE_LIMIT_ATTACHED, attached)
            .map_err(|error| self.archive.db.error(error))?;
        for part in self.parts() {
            let archive = part.lock();
            attach(&self.archive.db, &schema(part), archive.path())
                .map_err(|error| archive.db.error(error))?;
        }
        let made = || -> rusqlite::Result<()> {
            for (view, id) in VIEWS {
                self.archive.db.execute_batch(&over_all(&self.archive.db, self.parts(), view, id)?)?;
            }
            self.archive.db.execute_batch("PRAGMA query_only = ON")
        };
        made().map_err(|error| self.archive.db.error(error))
    }
}

fn schema(part: &Part) -> String {
    format!("part{}", part.number)
}

/// Attaches a file for reading.
fn attach(db: &Connection, schema: &str, path: &Path) -> rusqlite::Result<()> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let escaped = path.to_str().map(|path| path.replace('%', "%25").replace('?', "%3f").replace('#', "%23"));
    let file = escaped.ok_or_else(|| rusqlite::Error::InvalidPath(path))?;
    db.execute(&format!("ATTACH ?1 AS {schema}"), [format!("file:{file}?mode=ro")])?;
    Ok(())
}

/// What makes a view of all views of a name, with the ids that games have in all archives together.
fn over_all(db: &Connection, parts: &[Part], view: &str, id: &str) -> rusqlite::Result<String> {
    let of_part = |part: &Part| -> rusqlite::Result<String> {
        let schema = schema(part);
        let mut names = db.prepare_cached("SELECT name FROM pragma_table_xinfo(?1, ?2)")?;
        let names = names.query_map([view, schema.as_str()], |row| row.get::<_, String>(0))?;
        let column = |name: String| if name == id { format!("{id} + {} AS {id}", part.before) } else { name };
        let columns = names.map(|name| name.map(column)).collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(format!("SELECT {} FROM {schema}.{view}", columns.join(", ")))
    };
    let all = parts.iter().map(of_part).collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(format!("CREATE TEMP VIEW {view} AS {}", all.join(" UNION ALL ")))
}
