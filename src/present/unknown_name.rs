//! Names in a filter that the archive does not have, with similar names.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, CountedName, NameKind},
    counts::GAMES,
};

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
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn unknown_names(&self, archive: &Archive) -> Result<Vec<UnknownName>, PresentError> {
        let mut unknown = Vec::new();
        for (parameter, kind, name) in self.names() {
            if let Some(similar) = archive.names().similar(kind, name, SIMILAR)? {
                unknown.push(UnknownName { parameter, kind, name: name.to_owned(), similar });
            }
        }
        Ok(unknown)
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
