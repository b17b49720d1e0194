//! The names of an archive as a list: players, events or sites with their games and years.

use super::{
    PresentError,
    list::{ListHead, Row, number, text, word},
};
use crate::{
    archive::{Archive, CountedName, NameKind},
    counts::{NAMES, thousands},
    query::all_names,
};

/// Names that fit a pattern or are like it, the nearest first; without a pattern all names, those with most games first.
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
        None => Ok(all_names(archive, of, most)?),
    }
}

impl Row for CountedName {
    const HEAD: ListHead = ListHead {
        shown: &[text("name"), number("games"), word("years")],
        noun: Some(NAMES),
        ..ListHead::new(&[text("name"), number("games"), number("first_year"), number("last_year")])
    };

    fn cells(&self) -> Vec<String> {
        let year = |year: Option<u32>| year.map_or(String::new(), |year| year.to_string());
        vec![self.name.clone(), self.games.to_string(), year(self.first_year), year(self.last_year)]
    }

    fn shown_cells(&self) -> Vec<String> {
        vec![self.name.clone(), thousands(self.games), self.years().unwrap_or_default()]
    }
}
