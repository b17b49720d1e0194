//! Names: those of an archive as a list, those that a filter matches, and those that the archive does not have.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{FilterText, Result, list::Row};
pub(crate) use crate::query::MatchedNames;
use crate::{
    archive::{Archive, CountedName, Filter, GameSet, NameKind},
    columns::{ColumnOf, number, text, word},
    counts::{GAMES, NAMES, Noun, thousands},
};

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

impl MatchedNames {
    /// The names that match each pattern, given the text of a filter and the games that it finds.
    ///
    /// # Errors
    /// The archive cannot be read, or the text is invalid.
    pub(crate) fn of_games(
        archive: &Archive,
        text: &FilterText,
        games: GameSet,
    ) -> Result<Vec<MatchedNames>> {
        Ok(MatchedNames::of(archive, &Filter { among: Some(games), ..text.rows()? })?)
    }

    /// One line with the matching names, if there are several, and one with similar names.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let more = if self.more > 0 { format!("; and {} more", self.more) } else { String::new() };
        let fitting =
            (!self.names.is_empty()).then(|| format!("{}: {}{more}", self.parameter, listed(&self.names)));
        let similar = (!self.similar.is_empty())
            .then(|| format!("similar names, not included: {}", listed(&self.similar)));
        fitting.into_iter().chain(similar)
    }
}

/// Names on one line: `Adams,Mi 1,781 (1999–2022); Adams, Michael 1,322 (1984–1999)`.
fn listed(names: &[CountedName]) -> String {
    let listed = names.iter().map(|name| {
        let years = name.years().map_or_else(String::new, |years| format!(" ({years})"));
        format!("{} {}{years}", name.name, thousands(name.games))
    });
    listed.collect::<Vec<_>>().join("; ")
}

/// The maximum number of similar names.
const SIMILAR: usize = 3;

/// A name that the archive does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnknownName {
    /// The field of [`FilterText`] that contains it.
    pub parameter: &'static str,
    /// The kind of name.
    #[serde(skip)]
    pub kind: NameKind,
    /// The name in the filter.
    pub name: String,
    /// The most similar names, at most three.
    pub similar: Vec<CountedName>,
}

impl FilterText {
    /// The names in this filter that match none in the archive, so no game can match.
    pub fn unknown_names(&self, archive: &Archive) -> Result<Vec<UnknownName>> {
        let mut unknown = Vec::new();
        for (parameter, kind, name) in self.names() {
            if let Some(similar) = archive.names().similar(kind, name, SIMILAR)? {
                unknown.push(UnknownName { parameter, kind, name: name.to_owned(), similar });
            }
        }
        Ok(unknown)
    }

    /// The same with the complete name of each player who is the only one with a name that matches.
    pub(crate) fn with_complete_names(&self, archive: &Archive) -> Result<FilterText> {
        let mut complete = self.clone();
        for (parameter, kind, name) in self.names().filter(|(_, kind, _)| *kind == NameKind::Player) {
            if let [id] = archive.names().players(name)?[..]
                && let Some(name) = archive.names().of(kind, id)?
            {
                complete.clear(parameter);
                complete.set(parameter, &name)?;
            }
        }
        Ok(complete)
    }
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called {:?}", self.kind, self.name)?;
        for (place, similar) in self.similar.iter().enumerate() {
            f.write_str(match place {
                0 => "; did you mean ",
                _ if place + 1 == self.similar.len() => " or ",
                _ => ", ",
            })?;
            write!(f, "{} ({}", similar.name, GAMES.count(similar.games))?;
            if let Some(years) = similar.years() {
                write!(f, ", {years}")?;
            }
            f.write_str(")")?;
        }
        f.write_str(if self.similar.is_empty() { "" } else { "?" })
    }
}
