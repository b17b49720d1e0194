//! Whose games a filter finds, in words.

use std::fmt::{self, Display};

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, CountedName, Filter, GameSet},
    counts::thousands,
};

pub(crate) use crate::query::MatchedNames;

impl MatchedNames {
    /// The names behind each pattern for the text of a filter and the games that it finds.
    ///
    /// # Errors
    /// The archive cannot be read, or the text cannot be understood.
    pub(crate) fn of_games(
        archive: &Archive,
        text: &FilterText,
        games: GameSet,
    ) -> Result<Vec<MatchedNames>, PresentError> {
        Ok(MatchedNames::of(archive, &Filter { among: Some(games), ..text.rows()? })?)
    }

    /// The line about the names that fit, if there are several, and that about the similar ones.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let more = if self.more > 0 { format!("; and {} more", self.more) } else { String::new() };
        let fitting =
            (!self.names.is_empty()).then(|| format!("{}: {}{more}", self.parameter, List(&self.names)));
        let similar =
            (!self.similar.is_empty()).then(|| format!("similar, not counted: {}", List(&self.similar)));
        fitting.into_iter().chain(similar)
    }
}

/// Names in one line: `Adams,Mi 1,781 (1999–2022); Adams, Michael 1,322 (1984–1999)`.
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
