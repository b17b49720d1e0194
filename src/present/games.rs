//! Lists of games.

use std::io::Write;

use super::{
    PresentError,
    list::{Column, ListFormat, ListHead, ListOptions, Row, number, spare, text, word},
};
use crate::archive::{Archive, ArchiveError, Filter, Summary};
use crate::counts::GAMES;

/// The columns for programs.
pub(super) const COLUMNS: &[Column] = &[
    number("id"),
    text("white"),
    text("black"),
    text("result"),
    text("date"),
    text("event"),
    text("site"),
    text("round"),
    number("white_elo"),
    number("black_elo"),
    text("eco"),
    number("plies"),
    text("variant"),
];

/// The columns for people.
pub(super) const SHOWN: &[Column] = &[
    number("id"),
    text("white"),
    number("elo"),
    text("black"),
    number("elo"),
    word("result"),
    word("date"),
    spare("event"),
    word("eco"),
    number("plies"),
];

impl Row for Summary {
    const HEAD: ListHead = ListHead { columns: COLUMNS, shown: SHOWN, noun: Some(GAMES), one_line: true };

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            known(&self.white),
            known(&self.black),
            self.result.to_owned(),
            known(&self.date),
            known(&self.event),
            known(&self.site),
            known(&self.round),
            known(&self.white_elo),
            known(&self.black_elo),
            known(&self.eco),
            self.plies.to_string(),
            self.variant.to_owned(),
        ]
    }

    fn shown_cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            known(&self.white),
            known(&self.white_elo),
            known(&self.black),
            known(&self.black_elo),
            self.result.to_owned(),
            shown_date(&self.date),
            known(&self.event),
            known(&self.eco),
            self.plies.to_string(),
        ]
    }
}

/// What is known of a date, for people: `1963.12` of `1963.12.??`.
pub(crate) fn known_date(text: &str) -> &str {
    match text.trim_end_matches(".??") {
        "????" | "?" => "",
        known => known,
    }
}

/// The same; empty if it is missing.
pub(super) fn shown_date(date: &Option<String>) -> String {
    known_date(date.as_deref().unwrap_or_default()).to_owned()
}

/// A value as text; empty if it is missing.
pub(super) fn known<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or(String::new(), T::to_string)
}

/// The games that pass a filter. A [limit](Filter::limit) keeps the answer small.
///
/// ```
/// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, present::games};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let games = games::list(&archive, &Filter { limit: Some(2), ..Filter::default() })?;
/// println!("{}", serde_json::to_string(&games)?);
/// # assert_eq!(games.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The archive cannot be read.
pub fn list(archive: &Archive, filter: &Filter) -> Result<Vec<Summary>, PresentError> {
    Ok(archive.list::<Summary>(filter).collect::<Result<_, _>>()?)
}

/// Writes a list of the games that pass a filter, while they are found. Gives their number.
///
/// # Errors
/// The archive cannot be read, or the list cannot be written.
pub fn write(
    archive: &Archive,
    filter: &Filter,
    format: &dyn ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, PresentError> {
    write_rows(archive.list::<Summary>(filter), format, options, out)
}

/// Writes a list while its rows come. Gives their number.
pub(super) fn write_rows<R: Row>(
    rows: impl Iterator<Item = Result<R, ArchiveError>>,
    format: &dyn ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, PresentError> {
    let mut list = format.begin(out, R::HEAD, options);
    let mut count = 0;
    for row in rows {
        list.row(&row?)?;
        count += 1;
    }
    list.end()?;
    Ok(count)
}

/// Writes the ids of the games that pass a filter, one a line. Gives their number.
///
/// # Errors
/// The archive cannot be read, or they cannot be written.
pub(crate) fn write_ids(
    archive: &Archive,
    filter: &Filter,
    out: &mut dyn Write,
) -> Result<u64, PresentError> {
    let mut count = 0;
    for summary in archive.list::<Summary>(filter) {
        writeln!(out, "{}", summary?.id)?;
        count += 1;
    }
    Ok(count)
}
