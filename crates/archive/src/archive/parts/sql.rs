//! Several archives in SQL statements: they are attached to an in-memory database with views over the views of all.

use std::path::Path;

use rusqlite::{Connection, limits::Limit};

use super::{Files, Part};
use crate::archive::{ArchiveError, Result, sql_functions, text_views};

/// SQLite's default limit of attached databases.
const MOST: usize = 10;

impl Files<'_> {
    /// Combines several archives for SQL statements, which see only the views, not the tables. A single archive is not
    /// changed.
    ///
    /// # Errors
    /// There are too many, or one no longer exists.
    pub(in crate::archive) fn attach(self) -> Result<()> {
        if self.archive.is_one() {
            return Ok(());
        }
        if self.parts().len() > MOST {
            return Err(ArchiveError::TooManyForSql { archives: self.parts().len(), most: MOST });
        }
        self.archive.db.attempt(|db| {
            sql_functions::register(db)?;
            db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, i32::try_from(MOST).unwrap_or_default())
        })?;
        for part in self.parts() {
            let archive = part.lock();
            archive.db.attempt(|_| attach(&self.archive.db, &schema(part), archive.path()))?;
        }
        self.archive.db.attempt(|db| {
            for (view, id) in text_views::VIEWS {
                db.execute_batch(&over_all(db, self.parts(), view, id)?)?;
            }
            db.execute_batch("PRAGMA query_only = ON")
        })
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

/// The SQL of a view over all views with a name, with ids across all archives.
fn over_all(db: &Connection, parts: &[Part], view: &str, id: &str) -> rusqlite::Result<String> {
    let of_part = |part: &Part| -> rusqlite::Result<String> {
        let column =
            |name: &str| if name == id { format!("{id} + {}", part.before) } else { name.to_owned() };
        text_views::select(db, &schema(part), view, column)
    };
    let all = parts.iter().map(of_part).collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(format!("CREATE TEMP VIEW {view} AS {}", all.join(" UNION ALL ")))
}
