//! The names that a filter matches, as text.

use std::fmt::{self, Display};

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, CountedName, Filter, GameSet},
    counts::thousands,
};

pub(crate) use crate::query::MatchedNames;

impl MatchedNames {
    /// The names that match each pattern, given the text of a filter and the games that it finds.
    ///
    /// # Errors
    /// The archive cannot be read, or the text is invalid.
    pub(crate) fn of_games(
        archive: &Archive,
        text: &FilterText,
        games: GameSet,
    ) -> Result<Vec<MatchedNames>, PresentError> {
        Ok(MatchedNames::of(archive, &Filter { among: Some(games), ..text.rows()? })?)
    }

    /// One line with the matching names, if there are several, and one with similar names.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let more = if self.more > 0 { format!("; and {} more", self.more) } else { String::new() };
        let fitting =
            (!self.names.is_empty()).then(|| format!("{}: {}{more}", self.parameter, List(&self.names)));
        let similar = (!self.similar.is_empty())
            .then(|| format!("similar names, not included: {}", List(&self.similar)));
        fitting.into_iter().chain(similar)
    }
}

/// Names on one line: `Adams,Mi 1,781 (1999–2022); Adams, Michael 1,322 (1984–1999)`.
struct List<'a>(&'a [CountedName]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.iter().enumerate() {
            write!(f, "{}{} {}", if place > 0 { "; " } else { "" }, name.name, thousands(name.games))?;
            if let Some(years) = name.years() {
                write!(f, " ({years})")?;
            }
        }
        Ok(())
    }
}
