//! The names of an archive as a list: players, events or sites with their games and years.

use super::{PresentError, list::Row};
use crate::{
    archive::{Archive, CountedName, NameKind},
    columns::{ColumnOf, number, text, word},
    counts::{NAMES, Noun, thousands},
    query::all_names,
};

/// Names that match a pattern or are similar to it, closest first; without a pattern all names, most games first.
///
/// # Errors
/// The archive cannot be read.
pub fn list(
    archive: &Archive,
    of: NameKind,
    pattern: Option<&str>,
    most: usize,
) -> Result<Vec<CountedName>, PresentError> {
    match pattern {
        Some(pattern) => Ok(archive.names().near(of, pattern, most)?),
        None => Ok(all_names(archive, None, of, most)?),
    }
}

impl Row for CountedName {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("name", |row| row.name.as_str().into()),
        number("games", |row| row.games.into()),
        number("first_year", |row| row.first_year.into()),
        number("last_year", |row| row.last_year.into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        text("name", |row| row.name.as_str().into()),
        number("games", |row| thousands(row.games).into()),
        word("years", |row| row.years().into()),
    ];
    const NOUN: Option<Noun> = Some(NAMES);
}
