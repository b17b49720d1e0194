//! Names that a filter asks for and the archive does not have, with those that are like them.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, CountedName, NameKind},
    counts::GAMES,
};

/// Similar names that are given at most.
const SIMILAR: usize = 3;

/// A name that the archive does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnknownName {
    /// The field of [`FilterText`] that has it.
    pub parameter: &'static str,
    /// What has no such name.
    #[serde(skip)]
    pub kind: NameKind,
    /// What was asked for.
    pub name: String,
    /// The names that are most like it, at most three.
    pub similar: Vec<CountedName>,
}

impl FilterText {
    /// The names of this filter that fit none of the archive, so that no game passes.
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
