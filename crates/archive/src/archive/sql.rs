//! Read-only SQL statements from users.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use rusqlite::{
    Batch, Rows, Statement,
    config::DbConfig,
    fallible_iterator::FallibleIterator,
    hooks::{AuthAction, AuthContext, Authorization},
    limits::Limit,
    types::ValueRef,
};

use super::{Archive, ArchiveError, Result, text_views};

/// Steps of a statement between two checks of the time.
const EVERY: i32 = 10_000;

/// Limits that are higher than for plybook's own statements.
const LIMITS: [(Limit, i32); 6] = [
    (Limit::SQLITE_LIMIT_COLUMN, 2_000),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 1_000),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 500),
    (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 100),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000),
];

/// Pragmas that only describe a file, with their allowed arguments.
const PRAGMAS: [&str; 8] = [
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "function_list",
    "pragma_list",
];

/// Example statements.
pub const SQL_EXAMPLES: &str = include_str!("sql_examples.sql");

/// A value in a row.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum SqlValue {
    /// Nothing.
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes, in SQL notation: `x'00ff'`.
    Blob(String),
}

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SqlError {
    /// SQLite cannot parse it, or a function rejected its arguments.
    #[error("{why}{}", .place.map(|(line, column)| format!(" (line {line}, column {column})")).unwrap_or_default())]
    Statement {
        /// The error of SQLite.
        why: String,
        /// The line and column of the error, starting at 1.
        place: Option<(usize, usize)>,
    },
    /// It would change something.
    #[error(
        "the archive is open read-only: only SELECT, EXPLAIN and pragmas that describe tables are allowed"
    )]
    ReadOnly,
    /// A parameter of the statement has no value.
    #[error("the parameter {0} has no value")]
    NoValue(String),
    /// It exceeded the time limit.
    #[error("the statement was stopped because it took longer than {} seconds", .0.as_secs_f64())]
    TimeOut(Duration),
    /// It was cancelled.
    #[error("stopped")]
    Stopped,
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The rows cannot be written.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

/// Limits of a statement.
#[derive(Clone, Debug, Default)]
pub struct SqlLimits {
    /// The time limit.
    pub time: Option<Duration>,
    /// Set to true by another thread to cancel it.
    pub stop: Arc<AtomicBool>,
}

/// The rows of a statement.
pub struct SqlRows<'a, 'b> {
    archive: &'a SqlArchive,
    text: &'a str,
    /// The names of its columns.
    pub columns: &'a [String],
    rows: Rows<'b>,
}

impl SqlRows<'_, '_> {
    /// The next row; `None` after the last one.
    ///
    /// # Errors
    /// The statement failed or was stopped.
    pub fn next_row(&mut self) -> Result<Option<Vec<SqlValue>>, SqlError> {
        let error = |error| self.archive.error(error, self.text);
        let Some(row) = self.rows.next().map_err(error)? else { return Ok(None) };
        let value = |column| row.get_ref(column).map(SqlValue::from);
        (0..self.columns.len()).map(value).collect::<rusqlite::Result<_>>().map(Some).map_err(error)
    }
}

/// An archive that runs SQL statements, with all [`functions`](plybook_record::functions).
#[derive(Debug)]
pub struct SqlArchive {
    archive: Archive,
    limits: SqlLimits,
}

impl SqlArchive {
    /// Lists the tables and views.
    pub const TABLES: &str = "SELECT DISTINCT name, type FROM pragma_table_list WHERE schema IN ('main', 'temp') ORDER BY type DESC, name";

    /// Takes an archive that is open for reading. For several that are read as one, only the views are available.
    ///
    /// # Errors
    /// There are too many archives, or errors of SQLite.
    pub fn new(mut archive: Archive, limits: SqlLimits) -> Result<SqlArchive> {
        archive.files().attach()?;
        archive.db.attempt(|db| {
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, true)?;
            db.execute_batch("PRAGMA query_only = OFF")?;
            text_views::replace_former(db)?;
            db.execute_batch("PRAGMA query_only = ON")?;
            LIMITS.into_iter().try_for_each(|(limit, most)| db.set_limit(limit, most).map(|_| ()))
        })?;
        let watched = archive.db.authorizer(Some(authorize));
        watched.map_err(|error| archive.db.error(error))?;
        Ok(SqlArchive { archive, limits })
    }

    /// Runs statements one after the other, and passes on the rows of each that returns any.
    ///
    /// # Errors
    /// One of them failed; the previous ones have been run.
    pub fn run(
        &mut self,
        statements: &str,
        parameters: &[(String, SqlValue)],
        each: &mut dyn FnMut(SqlRows<'_, '_>) -> Result<(), SqlError>,
    ) -> Result<(), SqlError> {
        let end = self.limits.time.map(|time| Instant::now() + time);
        let stop = Arc::clone(&self.limits.stop);
        let is_over = move || stop.load(Relaxed) || end.is_some_and(|end| Instant::now() >= end);
        let watched = self.archive.db.progress_handler(EVERY, Some(is_over));
        watched.map_err(|error| self.error(error, statements))?;
        let mut batch = Batch::new(&self.archive.db, statements);
        while let Some(mut statement) = batch.next().map_err(|error| self.error(error, statements))? {
            let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
            if columns.is_empty() {
                // A statement without columns is run for its effect.
                return Err(SqlError::ReadOnly);
            }
            bind(&mut statement, parameters)?;
            let rows = statement.raw_query();
            each(SqlRows { archive: self, text: statements, columns: &columns, rows })?;
        }
        Ok(())
    }

    fn error(&self, error: rusqlite::Error, text: &str) -> SqlError {
        use rusqlite::ErrorCode::{AuthorizationForStatementDenied, OperationInterrupted, ReadOnly};
        match error.sqlite_error_code() {
            Some(OperationInterrupted) => match self.limits.time {
                Some(time) if !self.limits.stop.load(Relaxed) => SqlError::TimeOut(time),
                _ => SqlError::Stopped,
            },
            Some(AuthorizationForStatementDenied | ReadOnly) => SqlError::ReadOnly,
            _ => match error {
                rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
                    let place = usize::try_from(offset).ok().and_then(|offset| place(text, &sql, offset));
                    SqlError::Statement { why: msg, place }
                }
                rusqlite::Error::SqliteFailure(_, Some(why)) => SqlError::Statement { why, place: None },
                error => SqlError::Archive(self.archive.db.error(error)),
            },
        }
    }

    /// The names of all tables and views, and of their columns.
    pub fn names(&self) -> Result<Vec<String>> {
        let question =
            "WITH own(own) AS (SELECT DISTINCT name FROM pragma_table_list WHERE schema IN ('main', 'temp'))
            SELECT own FROM own UNION ALL SELECT DISTINCT name FROM own JOIN pragma_table_info(own)";
        self.archive.db.attempt(|db| db.prepare(question)?.query_map([], |row| row.get(0))?.collect())
    }

    /// The schema as SQL: of one table or view, or of all.
    pub fn schema(&self, of: Option<&str>) -> Result<Vec<String>> {
        let question = "SELECT sql FROM (SELECT name, sql FROM sqlite_schema UNION ALL SELECT name, sql FROM sqlite_temp_schema)
            WHERE sql IS NOT NULL AND (?1 IS NULL OR name = ?1)";
        self.archive.db.attempt(|db| db.prepare(question)?.query_map([of], |row| row.get(0))?.collect())
    }
}

impl From<ValueRef<'_>> for SqlValue {
    fn from(value: ValueRef<'_>) -> SqlValue {
        match value {
            ValueRef::Null => SqlValue::Null,
            ValueRef::Integer(number) => SqlValue::Integer(number),
            ValueRef::Real(number) => SqlValue::Real(number),
            ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => SqlValue::Blob(format!("x'{}'", data_encoding::HEXLOWER.encode(bytes))),
        }
    }
}

/// Allows only reading.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Recursive
        | AuthAction::Function { .. } => Authorization::Allow,
        AuthAction::Pragma { pragma_name, .. } if PRAGMAS.contains(&pragma_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// Binds the parameters of a statement; each one must have a value.
fn bind(statement: &mut Statement<'_>, parameters: &[(String, SqlValue)]) -> Result<(), SqlError> {
    for place in 1..=statement.parameter_count() {
        let name = statement.parameter_name(place).unwrap_or("?").to_owned();
        let known = parameters.iter().find(|(known, _)| name.get(1..) == Some(known.as_str()));
        let Some((_, value)) = known else { return Err(SqlError::NoValue(name)) };
        let bound = match value {
            SqlValue::Null => statement.raw_bind_parameter(place, rusqlite::types::Null),
            SqlValue::Integer(number) => statement.raw_bind_parameter(place, number),
            SqlValue::Real(number) => statement.raw_bind_parameter(place, number),
            SqlValue::Text(text) | SqlValue::Blob(text) => statement.raw_bind_parameter(place, text),
        };
        bound.map_err(|error| SqlError::Statement { why: error.to_string(), place: None })?;
    }
    Ok(())
}

/// The line and column of a byte of one of several statements.
fn place(text: &str, statement: &str, offset: usize) -> Option<(usize, usize)> {
    let begin = text.find(statement.trim_end())?;
    let before = text.get(..begin + offset)?;
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Some((before.matches('\n').count() + 1, before.get(line_start..)?.chars().count() + 1))
}
